//! A product of matrices, and what it is.

use crate::{Module, download, random, upload};
use virtual_xe::{Argument, Memory};

/// One kernel: D = op(A·B + C), A and C in row or column order, B in any.
pub struct Product {
    pub shape: (usize, usize, usize),
    /// Component types of A and B, and of C and D.
    pub side: &'static str,
    pub sum: &'static str,
    /// Layouts of A and B.
    pub layouts: (u32, u32),
    pub strides: (usize, usize),
    pub operands: &'static str,
    /// From the product to what is stored, `%d` to `%e`.
    pub epilogue: &'static str,
}

pub fn module(product: &Product, lanes: u32) -> Module {
    let &Product { shape: (m, n, k), side, sum, layouts, strides, operands, epilogue } = product;
    Module {
        capabilities: vec!["CooperativeMatrixKHR", "Float16", "Float64"],
        extensions: vec!["SPV_KHR_cooperative_matrix"],
        subgroup: lanes,
        types: format!(
            "%half = OpTypeFloat 16
%double = OpTypeFloat 64
%ptr_half = OpTypePointer CrossWorkgroup %half
%ptr_double = OpTypePointer CrossWorkgroup %double
%m = OpConstant %int {m}
%n = OpConstant %int {n}
%k_ = OpConstant %int {k}
%matrix_a = OpTypeCooperativeMatrixKHR %{side} %i3 %m %k_ %i0
%matrix_b = OpTypeCooperativeMatrixKHR %{side} %i3 %k_ %n %i1
%matrix_c = OpTypeCooperativeMatrixKHR %{sum} %i3 %m %n %i2
%ptr_matrix = OpTypePointer Function %matrix_c
%ptr_component = OpTypePointer Function %{sum}
%f2 = OpConstant %float 2
%layout_a = OpConstant %int {}
%layout_b = OpConstant %int {}
%stride_a = OpConstant %long {}
%stride_b = OpConstant %long {}
%stride_c = OpConstant %long {n}",
            layouts.0, layouts.1, strides.0, strides.1
        ),
        parameters: vec!["ptr_char", "ptr_char", "ptr_char", "ptr_int"],
        body: format!(
            "%variable = OpVariable %ptr_matrix Function
%a_p = OpBitcast %ptr_{side} %p0
%b_p = OpBitcast %ptr_{side} %p1
%c_p = OpBitcast %ptr_{sum} %p2
%a = OpCooperativeMatrixLoadKHR %matrix_a %a_p %layout_a %stride_a
%b = OpCooperativeMatrixLoadKHR %matrix_b %b_p %layout_b %stride_b
%c = OpCooperativeMatrixLoadKHR %matrix_c %c_p %i0 %stride_c
%d = OpCooperativeMatrixMulAddKHR %matrix_c %a %b %c {operands}
{epilogue}
OpCooperativeMatrixStoreKHR %c_p %e %i0 %stride_c
%length = OpCooperativeMatrixLengthKHR %int %matrix_c
OpStore %p3 %length"
        ),
        ..Module::default()
    }
}

pub const COPY: &str = "%e = OpCopyObject %matrix_c %d";
/// Doubles the product through an element-wise operation, a scale and a loop over the lane's elements.
pub const WORK: &str = "%zero = OpCompositeConstruct %matrix_c %f2
%less = OpFSub %matrix_c %d %zero
%scaled = OpMatrixTimesScalar %matrix_c %less %f2
OpStore %variable %scaled
%first = OpAccessChain %ptr_component %variable %i1
%old = OpLoad %float %first
%new = OpFAdd %float %old %f2
OpStore %first %new
%stored = OpLoad %matrix_c %variable
%part = OpCompositeExtract %float %stored 0
%more = OpFAdd %float %part %f2
%e = OpCompositeInsert %matrix_c %more %stored 0";

/// Numbers in the order of rows, placed by layout: rows, columns, or rows interleaved by fours of bytes.
pub fn place<T: Copy + Default>(values: &[T], columns: usize, layout: u32, stride: usize) -> Vec<T> {
    let rows = values.len() / columns;
    let packed = 4 / size_of::<T>().min(4);
    let lines = match layout {
        0 => rows,
        1 => columns,
        _ => rows / packed,
    };
    let mut placed = vec![T::default(); lines * stride];
    for (number, &value) in values.iter().enumerate() {
        let (row, column) = (number / columns, number % columns);
        placed[match layout {
            0 => row * stride + column,
            1 => column * stride + row,
            _ => row / packed * stride + column * packed + row % packed,
        }] = value;
    }
    placed
}

pub fn values(count: usize, seed: u64) -> Vec<f64> {
    let mut next = random(seed);
    (0..count).map(|_| (next() % 15) as f64 - 7.0).collect()
}

/// Runs it and returns D.
#[allow(clippy::too_many_arguments)]
pub fn run<const N: usize, const L: usize, T: Copy + Default, U: Copy>(
    product: &Product,
    lanes: u32,
    change: impl Fn(&mut Module),
    matrices: (&[f64], &[f64], &[f64]),
    side: impl Fn(f64) -> T,
    side_bytes: impl Fn(T) -> [u8; N],
    sum: impl Fn(f64) -> U,
    sum_bytes: impl Fn(U) -> [u8; L],
    back: impl Fn([u8; L]) -> U,
) -> Vec<U> {
    let (_, n, k) = product.shape;
    let memory = Memory::new();
    let convert = |values: &[f64]| values.iter().map(|&value| side(value)).collect::<Vec<T>>();
    let a = place(&convert(matrices.0), k, product.layouts.0, product.strides.0);
    let b = place(&convert(matrices.1), n, product.layouts.1, product.strides.1);
    let c: Vec<U> = matrices.2.iter().map(|&value| sum(value)).collect();
    let addresses = [
        upload(&memory, &a, &side_bytes),
        upload(&memory, &b, &side_bytes),
        upload(&memory, &c, &sum_bytes),
        upload(&memory, &[0u32], u32::to_le_bytes),
    ];
    let mut module = module(product, lanes);
    change(&mut module);
    let reports = module.run(&memory, &addresses.map(Argument::address));
    assert_eq!(reports, Vec::<String>::new());
    let length = download(&memory, addresses[3], 1, u32::from_le_bytes)[0];
    assert_eq!(length as usize, c.len().div_ceil(lanes as usize));
    download(&memory, addresses[2], c.len(), back)
}

pub fn expected((m, n, k): (usize, usize, usize), a: &[f64], b: &[f64], c: &[f64]) -> Vec<f64> {
    let element = |i: usize| (0..k).map(|l| a[i / n * k + l] * b[l * n + i % n]).sum::<f64>() + c[i];
    (0..m * n).map(element).collect()
}
