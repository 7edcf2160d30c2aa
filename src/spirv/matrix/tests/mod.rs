//! Kernels on cooperative matrices by two back ends: the seam between them and the rest of the lowering.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod columns;
mod geometry;
mod tf32;

use super::backend::Vector;
use super::backend_for;
use crate::device::CoreInfo;
use crate::diagnostics::SourceId;
use crate::driver::{self, Options};
use crate::ir::{AccessClass, AccessReason, Ir, Program};
use crate::spirv::{self, Error, Module, translate, translate_with};
use crate::status::Status;
use columns::{Columns, Requests};
use spirv_tools::TargetEnv;
use spirv_tools::val::{self, Validator as _};
use std::cell::RefCell;
use std::rc::Rc;
use virtual_xe::{Argument, Device, Launch, Memory};

/// Neither names nor unsafe arithmetic.
const PLAIN: spirv::Options =
    spirv::Options { keep_names: false, keep_lines: false, remarks: false, unsafe_fp_math: false };

const DEVICE: &str = "pvc";

fn parse(text: &str) -> (Ir, Program) {
    let mut ir = Ir::default();
    let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes());
    let program = program.unwrap_or_else(|error| panic!("{error}\n{text}"));
    (ir, program)
}

/// A program whose accesses to matrices have their messages, behind other passes.
fn prepared(text: &str, passes: &[&str]) -> (Ir, Program) {
    let (mut ir, program) = parse(text);
    let info = CoreInfo::from_name(DEVICE).unwrap();
    for pass in passes.iter().chain(&["access-classes"]) {
        driver::run_pass(pass, &mut ir, &program, Some(&info), &Options::default()).unwrap();
    }
    (ir, program)
}

/// The module of the vector back end, for which a pass writes out what is applied to entries.
fn by_rows(text: &str) -> Module {
    let (ir, program) = prepared(text, &["lower-coopmatrix"]);
    let info = CoreInfo::from_name(DEVICE).unwrap();
    valid(translate_with(&ir, &program, &info, PLAIN, &|_, _, _| Box::new(Vector)).unwrap())
}

/// The module of the other back end, and what that was told of accesses.
fn by_columns(text: &str) -> (Module, Rc<RefCell<Requests>>) {
    let (ir, program) = prepared(text, &[]);
    let info = CoreInfo::from_name(DEVICE).unwrap();
    let requests = Rc::new(RefCell::new(Requests::default()));
    let module = translate_with(&ir, &program, &info, PLAIN, &|_, _, _| {
        Box::new(Columns { requests: Rc::clone(&requests) })
    });
    (valid(module.unwrap()), requests)
}

fn valid(module: Module) -> Module {
    let outcome = val::create(Some(TargetEnv::Universal_1_4)).validate(module.words(), None);
    outcome.unwrap_or_else(|error| panic!("{error}\n{}", module.disassemble()));
    module
}

/// A number in memory.
trait Number: Copy + PartialEq + std::fmt::Debug {
    fn to_bytes(self) -> [u8; 4];
    fn from_bytes(bytes: [u8; 4]) -> Self;
}

impl Number for f32 {
    fn to_bytes(self) -> [u8; 4] {
        self.to_le_bytes()
    }
    fn from_bytes(bytes: [u8; 4]) -> f32 {
        f32::from_le_bytes(bytes)
    }
}

impl Number for i32 {
    fn to_bytes(self) -> [u8; 4] {
        self.to_le_bytes()
    }
    fn from_bytes(bytes: [u8; 4]) -> i32 {
        i32::from_le_bytes(bytes)
    }
}

/// Runs a kernel in one work-group on copies of arrays; returns their contents afterwards. `arguments` makes the
/// kernel's arguments of the addresses.
fn run<T: Number>(
    module: &Module,
    arrays: &[Vec<T>],
    arguments: impl Fn(&[Argument]) -> Vec<Argument>,
) -> Vec<Vec<T>> {
    run_on(Device::named(DEVICE).unwrap(), module, arrays, arguments)
}

fn run_on<T: Number>(
    device: &'static Device,
    module: &Module,
    arrays: &[Vec<T>],
    arguments: impl Fn(&[Argument]) -> Vec<Argument>,
) -> Vec<Vec<T>> {
    let memory = Memory::new();
    let mut addresses = Vec::new();
    for array in arrays {
        let bytes: Vec<u8> = array.iter().flat_map(|&number| number.to_bytes()).collect();
        let address = memory.allocate(bytes.len() as u64, 128).unwrap();
        memory.write(address, &bytes).unwrap();
        addresses.push(address);
    }
    let program = virtual_xe::Program::build(device, &module.assemble()).unwrap();
    let [kernel] = program.kernels() else { panic!("{} kernels", program.kernels().len()) };
    let pointers: Vec<Argument> = addresses.iter().map(|&address| Argument::address(address)).collect();
    let outcome = kernel.run(&memory, &Launch::new([1, 1, 1]), &arguments(&pointers)).unwrap();
    let reports: Vec<String> = outcome.reports.iter().map(ToString::to_string).collect();
    assert!(reports.is_empty(), "{}\n{}", reports.join("\n"), module.disassemble());
    let download = |(&address, array): (&u64, &Vec<T>)| {
        let mut bytes = vec![0; array.len() * 4];
        memory.read(address, &mut bytes).unwrap();
        bytes.as_chunks::<4>().0.iter().map(|&bytes| T::from_bytes(bytes)).collect()
    };
    addresses.iter().zip(arrays).map(download).collect()
}

/// Small integers, so that sums and products of them are exact.
fn integers(count: usize, seed: i32) -> Vec<i32> {
    (0..count as i32).map(|i| (i * 7 + seed * 13) % 11 - 5).collect()
}

const PRODUCT: &str = "
func @product(%A: memref<f32x32x?>, %B: memref<f32x20x?>, %C: memref<f32x32x20>, %K: index, %alpha: f32)
    attributes{subgroup_size=16, work_group_size=[16,1]} {
    %zero = constant 0 : index
    %step = constant 4 : index
    parallel {
        %c0 = constant 0.0 : coopmatrix<f32x32x20,matrix_acc>
        %c = for %k=%zero,%K,%step init(%sum=%c0) -> (coopmatrix<f32x32x20,matrix_acc>) {
            %a = cooperative_matrix_load.n.cols_checked %A[%zero,%k] : coopmatrix<f32x32x4,matrix_a>
            %b = cooperative_matrix_load.t.rows_checked %B[%zero,%k] : coopmatrix<f32x4x20,matrix_b>
            %d = cooperative_matrix_mul_add %a, %b, %sum : coopmatrix<f32x32x20,matrix_acc>
            yield (%d)
        }
        %s = cooperative_matrix_scale %alpha, %c : coopmatrix<f32x32x20,matrix_acc>
        cooperative_matrix_store %s, %C[%zero,%zero]
    }
}";

#[test]
fn both_back_ends_multiply() {
    const K: usize = 10;
    let floats =
        |numbers: Vec<i32>| -> Vec<f32> { numbers.into_iter().map(|number| number as f32).collect() };
    let (a, b) = (floats(integers(32 * K, 1)), floats(integers(20 * K, 2)));
    let mut expected = vec![0.0; 32 * 20];
    for (m, n) in (0..20).flat_map(|n| (0..32).map(move |m| (m, n))) {
        expected[m + 32 * n] = 2.0 * (0..K).map(|k| a[m + 32 * k] * b[n + 20 * k]).sum::<f32>();
    }
    for module in [by_rows(PRODUCT), by_columns(PRODUCT).0] {
        let arrays = [a.clone(), b.clone(), vec![f32::NAN; 32 * 20]];
        let arrays = run(&module, &arrays, |pointers| {
            let k = || Argument::from(K as i64);
            let [a, b, c] = pointers else { panic!("three arrays") };
            vec![a.clone(), k(), b.clone(), k(), c.clone(), k(), Argument::from(2.0f32)]
        });
        assert_eq!(arrays[2], expected);
    }
}

#[test]
fn loops_carry_as_many_ids_as_a_back_end_needs() {
    let phis = |module: &Module| -> Vec<String> {
        let text = module.disassemble();
        text.lines().filter_map(|line| Some(line.split_once(" = OpPhi ")?.1.to_owned())).collect()
    };
    let of_arrays = |module: &Module| {
        let text = module.disassemble();
        let arrays: Vec<&str> =
            text.lines().filter_map(|line| Some(line.split_once(" = OpTypeArray ")?.0.trim())).collect();
        let is_array = |phi: &&String| arrays.contains(&phi.split_whitespace().next().unwrap());
        phis(module).iter().filter(is_array).count()
    };
    let (rows, (columns, _)) = (by_rows(PRODUCT), by_columns(PRODUCT));
    // The counter; the sum in 40 components or one array, also behind the loop, which may have no iteration; components of A
    // and all entries of B, both of which are checked.
    assert_eq!((phis(&rows).len(), of_arrays(&rows)), (1 + 2 * 40 + 8 + 80, 0));
    assert_eq!(of_arrays(&columns), 2);
}

#[test]
fn both_back_ends_compute_with_entries() {
    let text = "
func @entries(%A: memref<i32x16x20>, %B: memref<i32x16x20>, %R: memref<i32x16x1>, %S: memref<i32x1x20>,
              %T: memref<i32x16x1>, %n: i32) attributes{subgroup_size=16, work_group_size=[16,1]} {
    %zero = constant 0 : index
    %nought = constant 0 : i32
    parallel {
        %a = cooperative_matrix_load %A[%zero,%zero] : coopmatrix<i32x16x20,matrix_acc>
        %b = cooperative_matrix_load %B[%zero,%zero] : coopmatrix<i32x16x20,matrix_acc>
        %q = div %a, %b : coopmatrix<i32x16x20,matrix_acc>
        %x = cooperative_matrix_apply (%i,%j,%v)=%q -> coopmatrix<i32x16x20,matrix_acc> {
            %ten = constant 10 : i32
            %row = mul %i, %ten : i32
            %position = add %row, %j : i32
            %w = sub %v, %position : i32
            yield (%w)
        }
        %first = cooperative_matrix_extract %x[0] : i32
        %same = cooperative_matrix_insert %first, %x[0] : coopmatrix<i32x16x20,matrix_acc>
        %positive = greater_than %n, %nought : bool
        %y = if %positive -> (coopmatrix<i32x16x20,matrix_acc>) {
            %minus = neg %same : coopmatrix<i32x16x20,matrix_acc>
            yield (%minus)
        } else {
            yield (%q)
        }
        cooperative_matrix_store %y, %A[%zero,%zero]
        %r = cooperative_matrix_reduce_max.row %y : coopmatrix<i32x16x1,matrix_acc>
        cooperative_matrix_store %r, %R[%zero,%zero]
        %s = cooperative_matrix_reduce_add.column %y : coopmatrix<i32x1x20,matrix_acc>
        cooperative_matrix_store %s, %S[%zero,%zero]
        %t = cooperative_matrix_reduce_add.row %y : coopmatrix<i32x16x1,matrix_acc>
        cooperative_matrix_store %t, %T[%zero,%zero]
    }
}";
    let a = integers(16 * 20, 3);
    let b: Vec<i32> = (0..16 * 20).map(|i| i % 3 + 1).collect();
    for n in [1, -1] {
        let quotients = a.iter().zip(&b).map(|(a, b)| a / b);
        let y: Vec<i32> =
            (0i32..).zip(quotients).map(|(i, q)| if n > 0 { i % 16 * 10 + i / 16 - q } else { q }).collect();
        let row = |row: usize| y.iter().copied().skip(row).step_by(16);
        let maxima: Vec<i32> = (0..16).map(|i| row(i).max().unwrap()).collect();
        let sums: Vec<i32> = (0..16).map(|i| row(i).sum()).collect();
        let columns: Vec<i32> = y.chunks(16).map(|column| column.iter().sum()).collect();
        for module in [by_rows(text), by_columns(text).0] {
            let arrays = [a.clone(), b.clone(), vec![99; 16], vec![99; 20], vec![99; 16]];
            let arrays = run(&module, &arrays, |pointers| [pointers, &[Argument::from(n)]].concat());
            assert_eq!(arrays, [y.clone(), b.clone(), maxima.clone(), columns.clone(), sums.clone()]);
        }
    }
}

#[test]
fn both_back_ends_update_memory() {
    let text = "
func @update(%A: memref<i32x16x5>, %B: memref<i32x5x16>) attributes{subgroup_size=16, work_group_size=[16,1]} {
    %zero = constant 0 : index
    %one = constant 1 : i32
    parallel {
        %ones = cooperative_matrix_construct %one : coopmatrix<i32x16x5,matrix_acc>
        %a = cooperative_matrix_atomic_load %A[%zero,%zero] : coopmatrix<i32x16x5,matrix_acc>
        %before = cooperative_matrix_atomic_add.t %a, %B[%zero,%zero] : coopmatrix<i32x16x5,matrix_acc>
        %more = add %before, %ones : coopmatrix<i32x16x5,matrix_acc>
        cooperative_matrix_atomic_store %more, %A[%zero,%zero]
    }
}";
    let (a, b) = (integers(80, 4), integers(80, 5));
    let transposed = |i: usize| i / 16 + 5 * (i % 16);
    let new_a: Vec<i32> = (0..80).map(|i| b[transposed(i)] + 1).collect();
    let mut new_b = b.clone();
    for i in 0..80 {
        new_b[transposed(i)] += a[i];
    }
    for module in [by_rows(text), by_columns(text).0] {
        let arrays = run(&module, &[a.clone(), b.clone()], <[Argument]>::to_vec);
        assert_eq!(arrays, [new_a.clone(), new_b.clone()]);
    }
}

#[test]
fn back_ends_are_told_the_messages_of_an_access() {
    let text = "
func @told(%A: memref<f32x32x8>, %B: memref<f32x16x8,strided<1,?>>, %x: index)
    attributes{subgroup_size=16, work_group_size=[16,1]} {
    %zero = constant 0 : index
    parallel {
        cooperative_matrix_prefetch 1, %A[%zero,%zero], 16, 8
        %a = cooperative_matrix_load %A[%x,%zero] : coopmatrix<f32x16x8,matrix_acc>
        %b = cooperative_matrix_load %B[%zero,%zero] : coopmatrix<f32x16x8,matrix_acc>
        %c = cooperative_matrix_load.t %A[%zero,%zero] : coopmatrix<f32x16x8,matrix_acc>
        cooperative_matrix_store %a, %A[%zero,%zero]
    }
}";
    let told = by_columns(text).1.take().accesses;
    let told: Vec<_> = told.into_iter().map(|io| (io.class, io.reason)).collect();
    // Vector code drops the prefetch.
    let expected = [
        (AccessClass::Block2d, AccessReason::Type),
        (AccessClass::Block1d, AccessReason::OpenExtents),
        (AccessClass::Block2dTranspose, AccessReason::Type),
        (AccessClass::Block2d, AccessReason::Type),
    ];
    assert_eq!(told, expected);
}

#[test]
fn an_access_without_messages_is_an_internal_error() {
    let text = "
func @f(%A: memref<f32x16x4>) attributes{subgroup_size=16, work_group_size=[16,1]} {
    %zero = constant 0 : index
    parallel {
        %a = cooperative_matrix_load %A[%zero,%zero] : coopmatrix<f32x16x4,matrix_acc>
    }
}";
    let (ir, program) = parse(text);
    let error = translate(&ir, &program, &CoreInfo::from_name(DEVICE).unwrap(), PLAIN).unwrap_err();
    assert_eq!(error.status(), Status::InternalCompilerError);
    assert!(error.to_string().ends_with("no messages have been chosen for it"), "{error}");
}

#[test]
fn a_broken_invariant_names_the_instruction_and_the_place() {
    let text = "
func @left(%A: memref<f32x16x4>) attributes{subgroup_size=16, work_group_size=[16,1]} {
    %zero = constant 0 : index
    parallel {
        %a = cooperative_matrix_load %A[%zero,%zero] : coopmatrix<f32x16x4,matrix_acc>
        %b = cooperative_matrix_apply (%i,%j,%v)=%a -> coopmatrix<f32x16x4,matrix_acc> {
            yield (%v)
        }
    }
}";
    let (ir, program) = prepared(text, &[]);
    let error = translate(&ir, &program, &CoreInfo::from_name(DEVICE).unwrap(), PLAIN).unwrap_err();
    assert_eq!(error.status(), Status::InternalCompilerError);
    let expected = "internal compiler error in the SPIR-V back end at `cooperative_matrix_apply`: it should have been \
         lowered before translation";
    assert_eq!(error.to_string(), expected);
    let Error::Internal(error) = error else { panic!("{error}") };
    assert_eq!(error.location.begin.line, 6);
}

#[test]
fn devices_compute_with_the_vector_back_end() {
    let (ir, program) = prepared(PRODUCT, &["lower-coopmatrix"]);
    let info = CoreInfo::from_name(DEVICE).unwrap();
    let chosen = translate_with(&ir, &program, &info, PLAIN, &backend_for).unwrap();
    assert_eq!(chosen.words(), by_rows(PRODUCT).words());
}

/// No back end makes a list as long as the sizes that a text gives.
#[test]
fn matrices_that_no_registers_hold_are_refused_on_every_engine() {
    const HUGE: i64 = 1 << 62;
    for (device, ty, lanes) in
        [("pvc", "bf16", 16), ("pvc", "f32", 16), ("dg2", "f16", 8), ("arl-h", "i8", 8), ("tgl", "f32", 16)]
    {
        for [rows, cols, depth] in
            [[lanes, 8, HUGE], [lanes, i64::MAX, 32], [HUGE, 8, 32], [lanes, 8, 1 << 27]]
        {
            let sum = if ty == "i8" { "i32" } else { "f32" };
            let zero = if ty == "i8" { "0" } else { "0.0" };
            let (mut ir, program) = parse(&format!(
                "func @f(%A: memref<{ty}x?x?>, %C: memref<{sum}x?x?>, %o: index)
                    attributes{{subgroup_size={lanes}, work_group_size=[{lanes},1], precision=\"tf32\"}} {{
                    parallel {{
                        %a = cooperative_matrix_load %A[%o,%o] : coopmatrix<{ty}x{rows}x{depth},matrix_a>
                        %b = cooperative_matrix_load %A[%o,%o] : coopmatrix<{ty}x{depth}x{cols},matrix_b>
                        %c = constant {zero} : coopmatrix<{sum}x{rows}x{cols},matrix_acc>
                        %d = cooperative_matrix_mul_add %a, %b, %c : coopmatrix<{sum}x{rows}x{cols},matrix_acc>
                        cooperative_matrix_store %d, %C[%o,%o]
                    }}
                }}"
            ));
            let info = CoreInfo::from_name(device).unwrap();
            let error = driver::compile(&mut ir, &program, &info, &Options::default()).unwrap_err();
            assert_eq!(error.status(), Status::IrUnsupportedCoopmatrixShape, "{device} {ty}: {error}");
        }
    }
}
