//! The programs of the recipes.

use tiletc::device::{Architecture, CoreInfo};
use tiletc::diagnostics::{Location, SourceId};
use tiletc::driver::{self, Options};
use tiletc::ir::{Extent, Ir, Scalar};
use tiletc::recipe::{Batched, Operand, Recipe, Shape, SmallGemmBatched, TallAndSkinny, suggest_block_size};
use tiletc::status::Status;

use super::{N, T, TRANSPOSES, batch, pvc, validate};

/// The text of a batch's program.
fn batch_text(shape: &SmallGemmBatched) -> String {
    let mut ir = Ir::default();
    let program = shape.program(&mut ir, Location::default()).unwrap();
    driver::print(&ir, &program).to_string()
}

/// The text of a tall product's program for a device, and a check that it reads back.
fn tall_text(shape: &TallAndSkinny, info: &CoreInfo) -> String {
    let mut ir = Ir::default();
    let program = shape.program(&mut ir, Location::default(), info).unwrap();
    let text = driver::print(&ir, &program).to_string();
    let read = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
    assert_eq!(driver::print(&ir, &read), text);
    text
}

/// Compiles for a device, and has the validator look at the module.
fn compile(shape: impl Into<Shape>, info: &CoreInfo) -> Recipe {
    let mut ir = Ir::default();
    let recipe = shape.into().compile(&mut ir, Location::default(), info, &Options::default()).unwrap();
    validate(&recipe.module);
    assert_eq!(recipe.program.functions.len(), 2);
    let text = recipe.module.disassemble();
    for kernel in Recipe::KERNELS {
        assert!(text.contains(&format!("\"{kernel}\"")), "{text}");
    }
    recipe
}

/// The status and the message with which a recipe is refused; nothing is left behind.
fn refused(shape: impl Into<Shape>, info: &CoreInfo) -> (Status, String) {
    let mut ir = Ir::default();
    let shape = shape.into();
    let error = shape.compile(&mut ir, Location::default(), info, &Options::default()).unwrap_err();
    assert_eq!(ir.entity_count(), 0, "{shape}");
    assert_eq!(error.diagnostics().len(), 1);
    (error.status(), error.to_string())
}
#[test]
fn the_program_of_a_batch_is_as_specified() {
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
    assert_eq!(batch_text(&batch(Scalar::F32, [N, T], [7, 3, 5])), expected);
}

#[test]
fn products_that_share_a_work_group_are_a_loop() {
    let expected = "\
func @gemm(%alpha: f32,
           %A: memref<f32x7x5x?,strided<1,10,55>>,
           %B: memref<f32x5x3x?,strided<1,8,29>>,
           %beta: f32,
           %C: memref<f32x7x3x?,strided<1,10,35>>) {
    %0 = group_id.x : index
    %1 = num_groups.x : index
    %2 = size %C[2] : index
    for %3=%0,%2,%1 {
        %4 = subview %A[0:7,0:5,%3] : memref<f32x7x5,strided<1,10>>
        %5 = subview %B[0:5,0:3,%3] : memref<f32x5x3,strided<1,8>>
        %6 = subview %C[0:7,0:3,%3] : memref<f32x7x3,strided<1,10>>
        gemm %alpha, %4, %5, %beta, %6
    }
}
";
    let shared = SmallGemmBatched { per_group: 2, ..batch(Scalar::F32, [N, N], [7, 3, 5]) };
    let text = batch_text(&shared);
    assert!(text.starts_with(expected), "{text}");
    // Nothing is between one product and the next.
    let module = compile(shared, &pvc()).module.disassemble();
    assert!(!module.contains("OpControlBarrier"), "{module}");
}

#[test]
fn products_share_a_work_group_where_one_leaves_it_idle() {
    let per_group = |[m, n, k]: [i64; 3], info: &CoreInfo| {
        SmallGemmBatched { m, n, k, ..batch(Scalar::F32, [N, N], [8, 8, 8]) }.sharing(info).per_group
    };
    let gpu = pvc();
    assert_eq!(per_group([8, 8, 8], &gpu), 8);
    assert_eq!(per_group([16, 16, 8], &gpu), 2);
    assert_eq!(per_group([16, 16, 16], &gpu), 1);
    // Each of 16 lanes computes products by itself.
    assert_eq!(per_group([1, 1, 1], &gpu), 256);
    assert_eq!(per_group([6, 6, 6], &gpu), 1);
    assert_eq!(per_group([16, 16, i64::MAX], &gpu), 1);
    // Two subgroups have something to do.
    assert_eq!(per_group([128, 8, 2], &gpu), 1);
    assert_eq!(per_group([8, 8, 8], &CoreInfo::cpu(2048, 8192, &[4, 8, 16, 32, 64])), 1);
    for size in [i64::MIN, -1, 0] {
        assert!(per_group([size, 8, 8], &gpu) >= 1);
    }
}

#[test]
fn numbers_that_are_only_stored_are_refused() {
    let block = suggest_block_size(&pvc()).unwrap();
    let shapes: [(Scalar, Shape); 2] = [
        (Scalar::F8e4m3, batch(Scalar::F8e4m3, [T, N], [4, 3, 2]).into()),
        (Scalar::F8e5m2, TallAndSkinny::dynamic(Scalar::F8e5m2, 40, 9, block).into()),
    ];
    for (number, shape) in shapes {
        let mut ir = Ir::default();
        let error = shape.compile(&mut ir, Location::default(), &pvc(), &Options::default()).unwrap_err();
        assert_eq!(error.status(), Status::IrFpUnsupported);
        assert!(error.to_string().contains(&format!("{number} is only loaded, stored and cast")), "{error}");
        assert_eq!(ir.entity_count(), 0);
    }
}

#[test]
fn printed_programs_read_back() {
    for number in Scalar::computable() {
        let text = batch_text(&batch(number, [T, N], [4, 3, 2]));
        let mut ir = Ir::default();
        let read = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
        assert_eq!(driver::print(&ir, &read), text, "{number}");
    }
}

#[test]
fn the_program_of_a_tall_product_is_as_specified() {
    let expected = "\
func @gemm(%alpha: f32,
           %A: memref<f32x?x5>,
           %B: memref<f32x5x3,strided<1,?>>,
           %beta: f32,
           %C: memref<f32x?x3>) attributes{work_group_size=[128,1]} {
    %0 = group_id.x : index
    %1 = constant 128 : index
    %2 = mul %0, %1 : index
    %3 = size %C[0] : index
    %4 = sub %3, %2 : index
    %5 = greater_than_equal %4, %1 : bool
    if %5 {
        %6 = subview %A[%2:128,0:5] : memref<f32x128x5,strided<1,?>>
        %7 = subview %C[%2:128,0:3] : memref<f32x128x3,strided<1,?>>
        gemm %alpha, %6, %B, %beta, %7
    } else {
        %8 = subview %A[%2:%4,0:5] : memref<f32x?x5>
        %9 = subview %C[%2:%4,0:3] : memref<f32x?x3>
        gemm %alpha, %8, %B, %beta, %9
    }
}
";
    let text = tall_text(&TallAndSkinny::dynamic(Scalar::F32, 3, 5, 128), &pvc());
    let (any, zero) = text.split_at(text.find("func @gemm_beta0").unwrap());
    assert_eq!(any, expected);
    assert!(zero.contains("gemm %alpha, %7, %B, %0, %8"), "{zero}");
}

/// A specialised product whose matrices are packed.
fn packed(m: i64, block: i32) -> TallAndSkinny {
    let operand = |leading| Operand { leading: Extent::Static(leading), alignment: None };
    TallAndSkinny {
        m: Extent::Static(m),
        a: operand(m),
        b: operand(5),
        c: operand(m),
        ..TallAndSkinny::dynamic(Scalar::F32, 3, 5, block)
    }
}

#[test]
fn known_rows_need_no_comparison_or_leave_a_known_rest() {
    let full = tall_text(&packed(256, 128), &pvc());
    assert!(!full.contains("if "), "{full}");
    assert_eq!(
        full.matches("subview %A[%2:128,0:5] : memref<f32x128x5,strided<1,256>>").count(),
        1,
        "{full}"
    );
    let single = tall_text(&packed(100, 128), &pvc());
    assert!(!single.contains("group_id") && !single.contains("if "), "{single}");
    assert!(single.contains("subview %A[0:100,0:5] : memref<f32x100x5>"), "{single}");
    let rest = tall_text(&packed(300, 128), &pvc());
    assert!(rest.contains("constant 2 : index") && rest.contains("less_than %0, %3"), "{rest}");
    assert!(rest.contains("subview %A[%2:44,0:5] : memref<f32x44x5,strided<1,300>>"), "{rest}");
}

#[test]
fn alignments_are_promised_to_the_compiler() {
    let mut shape = packed(256, 128);
    (shape.a.alignment, shape.c.alignment) = (Some(64), Some(4));
    let text = tall_text(&shape, &pvc());
    assert_eq!(text.matches("%A: memref<f32x256x5> {alignment=64}").count(), 2, "{text}");
    assert_eq!(text.matches("%C: memref<f32x256x3> {alignment=4}").count(), 2, "{text}");
    assert!(text.contains("%B: memref<f32x5x3>,"), "{text}");

    // What the compiler knows of the address, in elements; 128 bytes without a promise.
    let known = |alignment| {
        let mut shape = packed(256, 128);
        shape.a.alignment = alignment;
        let mut ir = Ir::default();
        let program = shape.program(&mut ir, Location::default(), &pvc()).unwrap();
        let options = Options::default();
        let facts = driver::run_pass("dump-gcd", &mut ir, &program, Some(&pvc()), &options).unwrap();
        let facts = facts.to_string();
        let (_, rest) = facts.split_once("offset_gcd(%A) = ").unwrap();
        rest.lines().next().unwrap().to_owned()
    };
    assert_eq!([None, Some(4), Some(64), Some(256)].map(known), ["32", "1", "16", "64"]);
}

#[test]
fn the_tiling_has_no_more_columns_than_rows() {
    let size = |n, block, number| {
        let text = tall_text(&TallAndSkinny::dynamic(number, n, 16, block), &pvc());
        let (_, rest) = text.split_once("work_group_size=").unwrap();
        rest.split_once('}').unwrap().0.to_owned()
    };
    // As in the tiling of the compiler but for the number of columns: [32,16], [64,16], [128,8].
    assert_eq!(size(512, 32, Scalar::F32), "[32,1]");
    assert_eq!(size(512, 64, Scalar::F32), "[64,2]");
    assert_eq!(size(512, 128, Scalar::F32), "[128,4]");
    assert_eq!(size(8, 128, Scalar::F64), "[128,1]");
}

#[test]
fn tall_products_compile_for_every_device_type_and_number() {
    for &architecture in Architecture::ALL {
        let info = CoreInfo::from_architecture(architecture);
        let block = suggest_block_size(&info).unwrap();
        assert_eq!(block, 128, "{}", architecture.spelling());
        for number in Scalar::computable() {
            for m in [Extent::Dynamic, Extent::Static(1000)] {
                let shape = TallAndSkinny { m, ..TallAndSkinny::dynamic(number, 40, 9, block) };
                let mut ir = Ir::default();
                let made =
                    Shape::from(shape).compile(&mut ir, Location::default(), &info, &Options::default());
                match made {
                    Ok(recipe) => validate(&recipe.module),
                    Err(error) => {
                        assert_eq!(error.status(), Status::SpirvRequiredFeatureUnavailable, "{error}")
                    }
                }
            }
        }
    }
}

#[test]
fn the_block_size_follows_the_largest_work_group() {
    let limited = |limit| CoreInfo::generic(4096, limit, &[16, 32]);
    assert_eq!(suggest_block_size(&limited(64)).unwrap(), 64);
    assert_eq!(suggest_block_size(&limited(4096)).unwrap(), 128);
    for unusable in [limited(0), limited(-1), CoreInfo::generic(4096, 64, &[])] {
        assert_eq!(suggest_block_size(&unusable).unwrap_err().status(), Status::InvalidCoreInfo);
    }
}

#[test]
fn bad_sizes_are_refused_and_leave_nothing_behind() {
    let good = batch(Scalar::F32, [N, N], [4, 3, 2]);
    let place = |leading, stride| Batched { leading, stride };
    let cases = [
        (SmallGemmBatched { m: i64::MIN, ..good }, Status::InvalidArguments, "M must not be dynamic"),
        (
            SmallGemmBatched { b: place(5, i64::MIN), ..good },
            Status::InvalidArguments,
            "strideB must not be dynamic",
        ),
        (SmallGemmBatched { n: 0, ..good }, Status::IrInvalidShape, "N = 0, which must be positive"),
        (SmallGemmBatched { k: -4, ..good }, Status::IrInvalidShape, "K = -4, which must be positive"),
        (
            SmallGemmBatched { b: place(1, 19), ..good },
            Status::IrInvalidShape,
            "ldB = 1, which must be at least K = 2",
        ),
        (
            SmallGemmBatched { transpose_b: T, b: place(2, 19), ..good },
            Status::IrInvalidShape,
            "ldB = 2, which must be at least N = 3",
        ),
        (
            SmallGemmBatched { a: place(-1, 19), ..good },
            Status::IrInvalidShape,
            "ldA = -1, which must be at least M = 4",
        ),
    ];
    for (shape, status, message) in cases {
        let (found, text) = refused(shape, &pvc());
        assert_eq!(found, status);
        assert!(text.contains(message), "{text}");
    }

    let good = packed(256, 128);
    let mut negative = good;
    negative.c.leading = Extent::Static(-3);
    let mut unaligned = good;
    unaligned.b.alignment = Some(6);
    let cases = [
        (TallAndSkinny { n: i64::MIN, ..good }, Status::InvalidArguments, "N must not be dynamic"),
        (TallAndSkinny { k: i64::MIN, ..good }, Status::InvalidArguments, "K must not be dynamic"),
        (TallAndSkinny { n: 0, ..good }, Status::IrInvalidShape, "N = 0, which must be positive"),
        (TallAndSkinny { k: -1, ..good }, Status::IrInvalidShape, "K = -1, which must be positive"),
        (
            TallAndSkinny { block: -1, ..good },
            Status::IrInvalidShape,
            "M_block_size = -1, which must be positive",
        ),
        (
            TallAndSkinny { m: Extent::Static(-7), ..good },
            Status::IrInvalidShape,
            "M = -7, which must be positive",
        ),
        (negative, Status::IrInvalidShape, "ldC = -3, which must be at least M = 256"),
        (unaligned, Status::IrInsufficientAlignment, "alignment is 6"),
    ];
    for (shape, status, message) in cases {
        let (found, text) = refused(shape, &pvc());
        assert_eq!(found, status, "{text}");
        assert!(text.contains(message), "{text}");
    }
}

#[test]
fn a_device_without_the_type_is_refused() {
    let info = CoreInfo::generic(4096, 256, &[16]);
    let lacks = Status::SpirvRequiredFeatureUnavailable;
    assert_eq!(refused(batch(Scalar::F64, [N, N], [4, 3, 2]), &info).0, lacks);
    assert_eq!(refused(TallAndSkinny::dynamic(Scalar::C64, 4, 3, 32), &info).0, lacks);
}

#[test]
fn an_unusable_device_is_refused() {
    let shape = TallAndSkinny::dynamic(Scalar::F32, 4, 3, 32);
    for info in [CoreInfo::generic(0, 0, &[]), CoreInfo::generic(i32::MIN, i32::MIN, &[i32::MIN, 0])] {
        assert_ne!(refused(shape, &info).0, Status::InternalCompilerError);
    }
}

#[test]
fn batches_compile_for_a_gpu() {
    for number in Scalar::computable() {
        for transposes in TRANSPOSES {
            compile(batch(number, transposes, [56, 9, 13]), &pvc());
        }
    }
}

#[test]
fn a_shape_says_all_its_parameters() {
    let shape = Shape::from(batch(Scalar::F32, [N, T], [7, 3, 5]));
    assert_eq!(
        shape.to_string(),
        "small_gemm_batched(f32, n, t, M=7, N=3, K=5, ldA=10, strideA=55, ldB=6, strideB=35, ldC=10, strideC=35)"
    );
    let mut shape = TallAndSkinny::dynamic(Scalar::Bf16, 3, 5, 128);
    (shape.m, shape.b.alignment) = (Extent::Static(999), Some(64));
    assert_eq!(
        Shape::from(shape).to_string(),
        "tall_and_skinny(bf16, M=999, N=3, K=5, ldA=?, ldB=?, alignB=64, ldC=?, M_block_size=128)"
    );
}
