//! The recipes: their programs as text, and their kernels on the OpenCL device there is.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr)]

mod common;

use tiletc::diagnostics::SourceId;
use tiletc::driver::{self, Options};
use tiletc::ir::{Ir, Scalar, Transpose};
use tiletc::recipe::{Batched, Recipe, SmallGemmBatched};
use tiletc::runtime::opencl::{Argument, DeviceKind, Kernel, Memory, Plain, Session};
use tiletc::runtime::{self, Binary, BundleFormat};
use tiletc::status::Status;
use tiletc::target::CoreInfo;

/// A recipe with gaps between columns and between matrices.
fn recipe(
    number: Scalar,
    [transpose_a, transpose_b]: [Transpose; 2],
    [m, n, k]: [i64; 3],
) -> SmallGemmBatched {
    let place = |transpose, rows, columns| {
        let (rows, columns) = if transpose == Transpose::T { (columns, rows) } else { (rows, columns) };
        Batched { leading: rows + 3, stride: (rows + 3) * columns + 5 }
    };
    SmallGemmBatched {
        number,
        transpose_a,
        transpose_b,
        m,
        n,
        k,
        a: place(transpose_a, m, k),
        b: place(transpose_b, k, n),
        c: place(Transpose::N, m, n),
    }
}

fn pvc() -> CoreInfo {
    CoreInfo::from_name("pvc").unwrap()
}

const N: Transpose = Transpose::N;
const T: Transpose = Transpose::T;

#[test]
fn the_program_is_as_specified() {
    let mut ir = Ir::default();
    let program = recipe(Scalar::F32, [N, T], [7, 3, 5]).program(&mut ir).unwrap();
    let expected = "\
func @gemm(%alpha: f32,
           %A: memref<f32x7x5x?,strided<1,10,55>>,
           %B: memref<f32x3x5x?,strided<1,6,35>>,
           %beta: f32,
           %C: memref<f32x7x3x?,strided<1,10,35>>) {
    %0 = group_id.x : index
    %1 = subview %A[0:7,0:5,%0] : memref<f32x7x5,strided<1,10>>
    %2 = subview %B[0:3,0:5,%0] : memref<f32x3x5,strided<1,6>>
    %3 = subview %C[0:7,0:3,%0] : memref<f32x7x3,strided<1,10>>
    gemm.n.t %alpha, %1, %2, %beta, %3
}
func @gemm_beta0(%alpha: f32,
                 %A: memref<f32x7x5x?,strided<1,10,55>>,
                 %B: memref<f32x3x5x?,strided<1,6,35>>,
                 %beta: f32,
                 %C: memref<f32x7x3x?,strided<1,10,35>>) {
    %0 = group_id.x : index
    %1 = subview %A[0:7,0:5,%0] : memref<f32x7x5,strided<1,10>>
    %2 = subview %B[0:3,0:5,%0] : memref<f32x3x5,strided<1,6>>
    %3 = subview %C[0:7,0:3,%0] : memref<f32x7x3,strided<1,10>>
    %4 = constant 0x0p+0 : f32
    gemm.n.t %alpha, %1, %2, %4, %3
}
";
    assert_eq!(driver::print(&ir, &program), expected);
}

#[test]
fn printed_programs_read_back() {
    for &number in Scalar::ALL {
        let mut ir = Ir::default();
        let program = recipe(number, [T, N], [4, 3, 2]).program(&mut ir).unwrap();
        let text = driver::print(&ir, &program);
        let read = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
        assert_eq!(driver::print(&ir, &read), text, "{number}");
    }
}

#[test]
fn bad_sizes_are_refused_and_leave_nothing_behind() {
    let good = recipe(Scalar::F32, [N, N], [4, 3, 2]);
    let mut place = good.a;
    place.leading = -1;
    let cases = [
        (SmallGemmBatched { m: i64::MIN, ..good }, Status::InvalidArguments, "M must not be dynamic"),
        (
            SmallGemmBatched { b: Batched { stride: i64::MIN, ..good.b }, ..good },
            Status::InvalidArguments,
            "strideB must not be dynamic",
        ),
        (SmallGemmBatched { n: 0, ..good }, Status::IrInvalidShape, "N = 0, which must be positive"),
        (SmallGemmBatched { k: -4, ..good }, Status::IrInvalidShape, "K = -4, which must be positive"),
        (
            SmallGemmBatched { a: place, ..good },
            Status::IrInvalidShape,
            "-1 in memref<f32x4x2x?,strided<1,-1,19>> is negative",
        ),
    ];
    for (recipe, status, message) in cases {
        let mut ir = Ir::default();
        let error = recipe.compile(&mut ir, &pvc(), &Options::default()).unwrap_err();
        assert_eq!(error.status(), status);
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(ir.entity_count(), 0);
    }
}

#[test]
fn a_device_without_the_type_is_refused() {
    let mut ir = Ir::default();
    let info = CoreInfo::generic(4096, 256, &[16]);
    let error =
        recipe(Scalar::F64, [N, N], [4, 3, 2]).compile(&mut ir, &info, &Options::default()).unwrap_err();
    assert_eq!(error.status(), Status::SpirvRequiredFeatureUnavailable);
    assert_eq!(ir.entity_count(), 0);
}

#[test]
fn recipes_compile_for_a_gpu() {
    for number in [Scalar::F32, Scalar::F64] {
        for transposes in [[N, N], [N, T], [T, N], [T, T]] {
            let mut ir = Ir::default();
            let recipe = recipe(number, transposes, [56, 9, 13]);
            let compiled = recipe.compile(&mut ir, &pvc(), &Options::default()).unwrap();
            common::validate(&compiled.module);
            assert_eq!(compiled.program.functions.len(), 2);
            let names = compiled.module.disassemble();
            for kernel in [Recipe::KERNEL, Recipe::KERNEL_BETA0] {
                assert!(names.contains(&format!("\"{kernel}\"")), "{names}");
            }
        }
    }
}

/// A number type of the host.
trait Real: Plain + Into<f64> + std::fmt::Debug {
    const SCALAR: Scalar;
    /// Largest relative error of a sum of some tens of products.
    const TOLERANCE: f64;
    fn of(value: f32) -> Self;
    fn argument(self) -> Argument<'static>;
}

impl Real for f32 {
    const SCALAR: Scalar = Scalar::F32;
    const TOLERANCE: f64 = 1e-5;
    fn of(value: f32) -> f32 {
        value
    }
    fn argument(self) -> Argument<'static> {
        self.into()
    }
}

impl Real for f64 {
    const SCALAR: Scalar = Scalar::F64;
    const TOLERANCE: f64 = 1e-14;
    fn of(value: f32) -> f64 {
        value.into()
    }
    fn argument(self) -> Argument<'static> {
        self.into()
    }
}

const HOWMANY: usize = 5;

fn session() -> Option<Session> {
    match Session::open(DeviceKind::Any) {
        Ok(session) => Some(session),
        Err(error @ (runtime::Error::DriverMissing { .. } | runtime::Error::NoDevice { .. })) => {
            eprintln!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Numbers between -1 and 1 that do not repeat in step with any size of a test.
fn filled<S: Real>(session: &Session, place: Batched, seed: u32) -> Memory<S> {
    let length = HOWMANY * usize::try_from(place.stride).unwrap();
    let values = (0..length).scan(seed, |state, _| {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Some(S::of(f32::from(i16::from_ne_bytes([(*state >> 16) as u8, (*state >> 24) as u8])) / 32768.0))
    });
    session.memory(&values.collect::<Vec<_>>()).unwrap()
}

/// Position of an entry of opX(X_i).
fn position(place: Batched, transpose: Transpose, [row, column]: [usize; 2], i: usize) -> usize {
    let [row, column] = if transpose == T { [column, row] } else { [row, column] };
    let number = |value: i64| usize::try_from(value).unwrap();
    row + column * number(place.leading) + i * number(place.stride)
}

/// Runs a kernel and compares C with sums formed in f64; what lies between the matrices must not change.
fn run<S: Real>(session: &Session, kernel: &mut Kernel, recipe: &SmallGemmBatched, beta: f32) {
    let a = filled::<S>(session, recipe.a, 1);
    let b = filled::<S>(session, recipe.b, 2);
    let mut c = filled::<S>(session, recipe.c, 3);
    let [m, n, k] = [recipe.m, recipe.n, recipe.k].map(|size| usize::try_from(size).unwrap());
    let alpha = 0.75;
    let mut expected: Vec<f64> = c.iter().map(|&value| value.into()).collect();
    for i in 0..HOWMANY {
        for (row, column) in (0..n).flat_map(|column| (0..m).map(move |row| (row, column))) {
            let product = |l| {
                let left: f64 = a[position(recipe.a, recipe.transpose_a, [row, l], i)].into();
                let right: f64 = b[position(recipe.b, recipe.transpose_b, [l, column], i)].into();
                left * right
            };
            let place = position(recipe.c, N, [row, column], i);
            let old = if beta == 0.0 { 0.0 } else { f64::from(beta) * expected[place] };
            expected[place] = alpha * (0..k).map(product).sum::<f64>() + old;
            if beta == 0.0 {
                // Must not be read.
                c[place] = S::of(f32::NAN);
            }
        }
    }
    let howmany = i64::try_from(HOWMANY).unwrap();
    let arguments = [
        S::of(0.75).argument(),
        (&a).into(),
        howmany.into(),
        (&b).into(),
        howmany.into(),
        S::of(beta).argument(),
        (&c).into(),
        howmany.into(),
    ];
    // SAFETY: the memory holds as many matrices as there are work-groups; nothing is borrowed meanwhile.
    unsafe { kernel.run([HOWMANY, 1, 1], &arguments).unwrap() };
    for (place, (&found, expected)) in c.iter().zip(expected).enumerate() {
        let found: f64 = found.into();
        let error = (found - expected).abs() / expected.abs().max(1.0);
        assert!(error <= S::TOLERANCE, "{recipe:?}, beta {beta}, at {place}: {found} instead of {expected}");
    }
}

fn run_all<S: Real>() {
    let Some(session) = session() else { return };
    let info = session.core_info().unwrap();
    for transposes in [[N, N], [N, T], [T, N], [T, T]] {
        for sizes in [[1, 1, 1], [7, 3, 5], [16, 16, 16], [33, 9, 17]] {
            let recipe = recipe(S::SCALAR, transposes, sizes);
            let compiled = recipe.compile(&mut Ir::default(), &info, &Options::default()).unwrap();
            let module = compiled.module;
            common::validate(&module);
            let binary = Binary::new(BundleFormat::Spirv, module.assemble(), module.core_features());
            let program = session.build(&binary).unwrap();
            run::<S>(&session, &mut program.kernel(Recipe::KERNEL).unwrap(), &recipe, -0.5);
            run::<S>(&session, &mut program.kernel(Recipe::KERNEL_BETA0).unwrap(), &recipe, 0.0);
        }
    }
}

#[test]
fn single_precision_is_right() {
    run_all::<f32>();
}

#[test]
fn double_precision_is_right() {
    run_all::<f64>();
}
