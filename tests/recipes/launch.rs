//! Tests of which kernel is launched, with which arguments and how many work-groups.

use tiletc::diagnostics::Location;
use tiletc::driver::Options;
use tiletc::ir::{Extent, Ir, Scalar};
use tiletc::recipe::{Argument, Batched, Launch, Operand, Recipe, Shape, SmallGemmBatched, TallAndSkinny};
use tiletc::status::Status;
use virtual_xe::{Module, Type};

use super::{N, batch, pvc};
use Argument::{Memory, Number, Size};

const ALPHA: [u8; 4] = 2f32.to_ne_bytes();
const BETA: [u8; 4] = 3f32.to_ne_bytes();

/// The arguments are of the kinds that both kernels of the module take.
fn fits(shape: impl Into<Shape>, launch: &Launch<'_, char>) {
    let mut ir = Ir::default();
    let recipe = shape.into().compile(&mut ir, Location::default(), &pvc(), &Options::default()).unwrap();
    let module = Module::parse(&recipe.module.assemble()).unwrap();
    for name in Recipe::KERNELS {
        let parameters = module.kernel(name).unwrap().parameters();
        assert_eq!(parameters.len(), launch.arguments.len(), "{name}: {parameters:?}");
        for (parameter, argument) in parameters.iter().zip(&launch.arguments) {
            let is_as_expected = match argument {
                Memory(_) => matches!(parameter, Type::Pointer(..)),
                Size(_) => *parameter == Type::Int(64),
                Number(_) => *parameter == Type::Float(32),
            };
            assert!(is_as_expected, "{name}: {parameter:?} for {argument:?}");
        }
    }
}

#[test]
fn a_batch_is_launched_with_its_length_behind_each_matrix() {
    let shape = batch(Scalar::F32, [N, N], [4, 3, 2]);
    let launch = shape.launch(7, &ALPHA, &BETA, ['A', 'B', 'C']).unwrap();
    let all = Size(7);
    let expected = [Number(&ALPHA), Memory('A'), all, Memory('B'), all, Number(&BETA), Memory('C'), all];
    assert_eq!(launch.arguments, expected);
    assert_eq!((launch.kernel, launch.groups), (0, 7));
    fits(shape, &launch);
}

#[test]
fn products_share_work_groups_where_there_are_enough_of_them() {
    let groups = |per_group, howmany| {
        let shape = SmallGemmBatched { per_group, ..batch(Scalar::F32, [N, N], [8, 8, 8]) };
        shape.launch(howmany, &ALPHA, &BETA, ['A', 'B', 'C']).unwrap().groups
    };
    assert_eq!(
        [0, 1, 16_384, 16_385, 100_000].map(|howmany| groups(1, howmany)),
        [0, 1, 16_384, 16_385, 100_000]
    );
    assert_eq!(
        [0, 1, 16_384, 16_385, 100_000].map(|howmany| groups(8, howmany)),
        [0, 1, 16_384, 16_384, 16_384]
    );
    assert_eq!(groups(8, 131_073), 16_385);
    assert_eq!(groups(8, i64::MAX), 1 << 60);
    // One of 16 work-groups has work.
    let shape = SmallGemmBatched { per_group: 8, side_by_side: 16, ..batch(Scalar::F32, [N, N], [3, 3, 3]) };
    let launch = shape.launch(1_000_000, &ALPHA, &BETA, ['A', 'B', 'C']).unwrap();
    assert_eq!(launch.groups, 16 * 16_384);
}

#[test]
fn what_a_tall_product_knows_is_no_argument() {
    for known in 0..16 {
        let extent =
            |bit: i32, size| if known >> bit & 1 == 1 { Extent::Static(size) } else { Extent::Dynamic };
        let operand = |bit, size| Operand { leading: extent(bit, size), alignment: None };
        let shape = TallAndSkinny {
            m: extent(0, 300),
            a: operand(1, 301),
            b: operand(2, 6),
            c: operand(3, 302),
            ..TallAndSkinny::dynamic(Scalar::F32, 3, 5, 128)
        };
        let launch = shape.launch(300, &ALPHA, &BETA, [('A', 301), ('B', 6), ('C', 302)]).unwrap();
        // The arguments of the fully dynamic recipe, and which parameter makes each needless.
        let all = [
            (Number(&ALPHA[..]), None),
            (Memory('A'), None),
            (Size(300), Some(0)),
            (Size(301), Some(1)),
            (Memory('B'), None),
            (Size(6), Some(2)),
            (Number(&BETA), None),
            (Memory('C'), None),
            (Size(300), Some(0)),
            (Size(302), Some(3)),
        ];
        let is_known = |bit: i32| known >> bit & 1 == 1;
        let needed = all.into_iter().filter(|(_, needless)| !needless.is_some_and(is_known));
        let expected: Vec<_> = needed.map(|(argument, _)| argument).collect();
        assert_eq!(launch.arguments, expected, "{shape}");
        assert_eq!(launch.groups, 3);
        fits(shape, &launch);
    }
}

#[test]
fn the_fully_dynamic_product_takes_ten_arguments() {
    let shape = TallAndSkinny::dynamic(Scalar::F32, 3, 5, 128);
    let launch = shape.launch(20, &ALPHA, &BETA, [('A', 21), ('B', 6), ('C', 22)]).unwrap();
    let expected = [
        Number(&ALPHA),
        Memory('A'),
        Size(20),
        Size(21),
        Memory('B'),
        Size(6),
        Number(&BETA),
        Memory('C'),
        Size(20),
        Size(22),
    ];
    assert_eq!(launch.arguments, expected);
}

#[test]
fn a_work_group_takes_a_block_of_rows() {
    let shape = TallAndSkinny::dynamic(Scalar::F32, 3, 5, 128);
    let groups = |m| shape.launch(m, &ALPHA, &BETA, [((), m), ((), 5), ((), m)]).unwrap().groups;
    assert_eq!([0, 1, 127, 128, 129, 256].map(groups), [0, 1, 1, 1, 2, 2]);
    assert_eq!(groups(i64::MAX), 1 << 56);
    let whole = batch(Scalar::F32, [N, N], [4, 3, 2]);
    assert_eq!(whole.launch(0, &ALPHA, &BETA, [(); 3]).unwrap().groups, 0);
}

#[test]
fn beta_selects_the_kernel() {
    let shape = batch(Scalar::F32, [N, N], [4, 3, 2]);
    let kernel = |beta: f32| shape.launch(1, &ALPHA, &beta.to_ne_bytes(), [(); 3]).unwrap().kernel;
    assert_eq!([0.0, -0.0, 1.0, f32::NAN, 1e-45].map(kernel), [1, 1, 0, 0, 0]);
    let tall = TallAndSkinny::dynamic(Scalar::F32, 3, 5, 128);
    let kernel = |beta: f32| {
        let bytes = beta.to_ne_bytes();
        tall.launch(1, &ALPHA, &bytes, [((), 5); 3]).unwrap().kernel
    };
    assert_eq!([0.0, -0.0, 1.0, f32::NAN].map(kernel), [1, 1, 0, 0]);
    assert_eq!(Recipe::KERNELS, [Recipe::KERNEL, Recipe::KERNEL_BETA0]);
}

#[test]
fn wrong_arguments_are_refused() {
    let whole = batch(Scalar::F32, [N, N], [4, 3, 2]);
    let tall = TallAndSkinny { m: Extent::Static(300), ..TallAndSkinny::dynamic(Scalar::F32, 3, 5, 128) };
    let wide = [0; 8];
    let errors = [
        whole.launch(1, &wide, &BETA, [(); 3]).unwrap_err(),
        whole.launch(1, &ALPHA, &[], [(); 3]).unwrap_err(),
        whole.launch(-1, &ALPHA, &BETA, [(); 3]).unwrap_err(),
        tall.launch(300, &ALPHA, &wide, [((), 300); 3]).unwrap_err(),
        tall.launch(-300, &ALPHA, &BETA, [((), 300); 3]).unwrap_err(),
        tall.launch(0, &ALPHA, &BETA, [((), 300); 3]).unwrap_err(),
        tall.launch(301, &ALPHA, &BETA, [((), 300); 3]).unwrap_err(),
    ];
    let messages = [
        "alpha has 8 bytes, f32 has 4",
        "beta has 0 bytes, f32 has 4",
        "howmany = -1 is negative",
        "beta has 8 bytes, f32 has 4",
        "M = -300 is negative",
        "M = 0, but the recipe was made for 300",
        "M = 301, but the recipe was made for 300",
    ];
    for (error, message) in errors.iter().zip(messages) {
        assert_eq!(error.status(), Status::InvalidKernelArguments);
        assert_eq!(error.to_string(), message);
        assert_eq!(error.diagnostics().len(), 1);
    }
}

#[test]
fn leading_dimensions_reach_over_the_rows() {
    let tall = TallAndSkinny::dynamic(Scalar::F32, 3, 5, 128);
    let refused = |shape: TallAndSkinny, [a, b, c]: [i64; 3]| {
        let error = shape.launch(20, &ALPHA, &BETA, [((), a), ((), b), ((), c)]).unwrap_err();
        assert_eq!(error.status(), Status::InvalidKernelArguments);
        error.to_string()
    };
    tall.launch(20, &ALPHA, &BETA, [((), 20), ((), 5), ((), 20)]).unwrap();
    assert_eq!(refused(tall, [19, 5, 20]), "ldA = 19 is less than 20, the rows of its matrix");
    assert_eq!(refused(tall, [20, 4, 20]), "ldB = 4 is less than 5, the rows of its matrix");
    assert_eq!(refused(tall, [20, 5, -20]), "ldC = -20 is less than 20, the rows of its matrix");
    // The one that the recipe was made for counts.
    let leading = Operand { leading: Extent::Static(8), alignment: None };
    let narrow = TallAndSkinny { c: leading, ..tall };
    assert_eq!(refused(narrow, [20, 5, 20]), "ldC = 8 is less than 20, the rows of its matrix");
}

#[test]
fn results_of_a_batch_are_apart() {
    let shape = |m, n, leading, stride| {
        let packed = batch(Scalar::F32, [N, N], [m, n, 2]);
        SmallGemmBatched { c: Batched { leading, stride }, ..packed }
    };
    let launch = |shape: SmallGemmBatched, howmany| shape.launch(howmany, &ALPHA, &BETA, [(); 3]);
    let shared = shape(4, 3, 4, 0);
    launch(shared, 0).unwrap();
    launch(shared, 1).unwrap();
    let error = launch(shared, 2).unwrap_err();
    assert_eq!(error.status(), Status::InvalidKernelArguments);
    assert_eq!(error.to_string(), "strideC = 0 with ldC = 4: C_0 and C_1 overlap in a batch of 2");

    // The first that overlaps, compared with all elements.
    for (m, n) in [(1, 1), (1, 3), (2, 3), (4, 3), (3, 1)] {
        for leading in m..m + 9 {
            for stride in 0..20 {
                let elements: Vec<i64> = (0..m).flat_map(|m| (0..n).map(move |n| m + n * leading)).collect();
                let overlaps = |i: i64| elements.iter().any(|at| elements.contains(&(at + i * stride)));
                let first = (1..40).find(|&i| overlaps(i)).unwrap_or(40);
                let shape = shape(m, n, leading, stride);
                assert!(launch(shape, first).is_ok(), "{shape}: {first}");
                assert_eq!(launch(shape, first + 1).is_err(), first < 40, "{shape}: {first}");
            }
        }
    }
}
