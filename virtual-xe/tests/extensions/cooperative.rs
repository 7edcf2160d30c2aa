//! SPV_KHR_cooperative_matrix with Intel's additions, in any shape.

use crate::{Module, download, random, upload};
use half::{bf16, f16};
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
fn place<T: Copy + Default>(values: &[T], columns: usize, layout: u32, stride: usize) -> Vec<T> {
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

fn values(count: usize, seed: u64) -> Vec<f64> {
    let mut next = random(seed);
    (0..count).map(|_| (next() % 15) as f64 - 7.0).collect()
}

/// Runs it and returns D.
#[allow(clippy::too_many_arguments)]
fn run<const N: usize, const L: usize, T: Copy + Default, U: Copy>(
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

fn expected((m, n, k): (usize, usize, usize), a: &[f64], b: &[f64], c: &[f64]) -> Vec<f64> {
    let element = |i: usize| (0..k).map(|l| a[i / n * k + l] * b[l * n + i % n]).sum::<f64>() + c[i];
    (0..m * n).map(element).collect()
}

#[test]
fn products_of_any_shape_are_exact() {
    for (seed, shape @ (m, n, k)) in
        (0..).zip([(8, 16, 16), (16, 16, 16), (1, 64, 32), (3, 5, 7), (32, 64, 16)])
    {
        let (a, b, c) = (values(m * k, seed), values(k * n, seed + 10), values(m * n, seed + 20));
        let product = Product {
            shape,
            side: "half",
            sum: "float",
            layouts: (0, 1),
            strides: (k + 3, k + 1),
            operands: "",
            epilogue: COPY,
        };
        for lanes in [8, 16, 32] {
            let given = run(
                &product,
                lanes,
                |_| {},
                (&a, &b, &c),
                f16::from_f64,
                f16::to_le_bytes,
                |value| value as f32,
                f32::to_le_bytes,
                f32::from_le_bytes,
            );
            let wanted: Vec<f32> = expected(shape, &a, &b, &c).iter().map(|&value| value as f32).collect();
            assert_eq!(given, wanted, "{shape:?} on {lanes} lanes");
        }
    }
}

#[test]
fn elements_can_be_reached_and_changed() {
    let shape @ (m, n, k) = (8, 16, 4);
    let (a, b, c) = (values(m * k, 1), values(k * n, 2), values(m * n, 3));
    let product = Product {
        shape,
        side: "float",
        sum: "float",
        layouts: (1, 0),
        strides: (m, n),
        operands: "",
        epilogue: WORK,
    };
    let given = run(
        &product,
        16,
        |_| {},
        (&a, &b, &c),
        |value| value as f32,
        f32::to_le_bytes,
        |value| value as f32,
        f32::to_le_bytes,
        f32::from_le_bytes,
    );
    // Two elements of each lane got two more; which ones is the implementation's affair.
    let wanted: Vec<f64> = expected(shape, &a, &b, &c).iter().map(|&value| 2.0 * (value - 2.0)).collect();
    let more: Vec<f64> =
        given.iter().zip(&wanted).map(|(&given, wanted)| f64::from(given) - wanted).collect();
    assert!(more.iter().all(|&more| more == 0.0 || more == 2.0), "{more:?}");
    assert_eq!(more.iter().filter(|&&more| more == 2.0).count(), 32);
}

#[test]
fn intel_packs_right_factors_and_holds_bfloat_in_integers() {
    let shape @ (m, n, k) = (8, 16, 32);
    let (a, b, c) = (values(m * k, 4), values(k * n, 5), values(m * n, 6));
    let product = Product {
        shape,
        side: "short",
        sum: "float",
        layouts: (0, 2),
        strides: (k, 2 * n),
        operands: "BFLOAT",
        epilogue: COPY,
    };
    let given = run(
        &product,
        16,
        |module| {
            // The assembler knows neither the operand nor the capability: numbers in their place.
            module.body = module.body.replace("BFLOAT", "!0x40");
            module.capabilities.push("!6437");
            module.extensions.push("SPV_INTEL_joint_matrix");
        },
        (&a, &b, &c),
        |value| bf16::from_f64(value).to_bits(),
        u16::to_le_bytes,
        |value| value as f32,
        f32::to_le_bytes,
        f32::from_le_bytes,
    );
    let wanted: Vec<f32> = expected(shape, &a, &b, &c).iter().map(|&value| value as f32).collect();
    assert_eq!(given, wanted);

    // Bytes: four rows in a word, with and without signs.
    let signed = "MatrixASignedComponentsKHR|MatrixBSignedComponentsKHR|MatrixCSignedComponentsKHR|MatrixResultSignedComponentsKHR";
    for (operands, add) in [(signed, 0.0), ("", 7.0)] {
        let shift = |values: &[f64]| values.iter().map(|value| value + add).collect::<Vec<f64>>();
        let (a, b, c) = (shift(&a), shift(&b), shift(&c));
        let product = Product {
            shape,
            side: "char",
            sum: "int",
            layouts: (0, 2),
            strides: (k, 4 * n),
            operands,
            epilogue: COPY,
        };
        let given = run(
            &product,
            16,
            |_| {},
            (&a, &b, &c),
            |value| value as i8,
            i8::to_le_bytes,
            |value| value as i32,
            i32::to_le_bytes,
            i32::from_le_bytes,
        );
        let wanted: Vec<i32> = expected(shape, &a, &b, &c).iter().map(|&value| value as i32).collect();
        assert_eq!(given, wanted);
    }
}

#[test]
fn matrices_need_a_device_that_has_them() {
    let product = Product {
        shape: (8, 16, 16),
        side: "half",
        sum: "float",
        layouts: (0, 0),
        strides: (16, 16),
        operands: "",
        epilogue: COPY,
    };
    let mut module = module(&product, 16);
    module.capabilities.retain(|&name| name != "Float64");
    module.types =
        module.types.lines().filter(|line| !line.contains("double")).collect::<Vec<_>>().join("\n");
    for device in ["pvc", "bmg", "lnl", "ptl", "dg2", "generic"] {
        assert!(module.refusal(device).is_none(), "{device}");
    }
    let refusal = module.refusal("tgl").unwrap().to_string();
    assert_eq!(refusal, "device tgl does not support capability CooperativeMatrixKHR");
    let wrong =
        Module { body: module.body.replace("%matrix_c %a %b %c", "%matrix_c %b %a %c"), ..module.clone() };
    let refusal = wrong.refusal("pvc").unwrap().to_string();
    assert!(refusal.contains("the shapes of the matrices do not fit together"), "{refusal}");
    let wrong = Module { body: module.body.replace("%a_p %layout_a", "%a_p %i2"), ..module };
    let refusal = wrong.refusal("pvc").unwrap().to_string();
    assert!(refusal.contains("only right factors are packed"), "{refusal}");
}
