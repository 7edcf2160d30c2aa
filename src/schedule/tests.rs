//! Schedules of whole functions.

use super::*;
use crate::diagnostics::SourceId;
use crate::driver;
use crate::ir::{
    AccessReason, Attribute, AttributeSet as _, Component, OrderGroup, Orientation, Pipeline, Scalar,
    TileOrderKind, Transpose,
};
use crate::ir::{AccumulatorBlock, ChainedFactor, MatrixBackendKind, ProductSchedule};
use std::collections::BTreeSet;

/// The schedule of a product of these types and extents with these attributes, and the attributes that it leaves.
fn schedule(
    attributes: &str,
    types: [&str; 2],
    extents: [i64; 3],
    device: &str,
) -> (Result<Schedule, Error>, String) {
    let ([factor, result], [m, n, k]) = (types, extents);
    let text = format!(
        "func @f(%A: memref<{factor}x{m}x{k}>, %B: memref<{factor}x{k}x{n}>, %C: memref<{result}x{m}x{n}>)
             attributes{{{attributes}}} {{
             %one = constant 1.0 : {factor}
             %zero = constant 0.0 : {factor}
             gemm.n.n %one, %A, %B, %zero, %C
         }}"
    );
    let mut ir = Ir::default();
    let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
    let func = program.functions[0];
    let chosen = Schedule::choose(&ir, func, &CoreInfo::from_name(device).unwrap());
    if let Ok(schedule) = &chosen {
        schedule.write(&mut ir, func);
        assert_eq!(Schedule::of(&ir, func).unwrap(), *schedule);
    }
    let printed = ir[func].attributes.dictionary();
    let printed = printed.map_or(String::new(), |all| Attribute::Dictionary(all).to_string());
    (chosen, printed)
}

fn product(device: &str, types: [Scalar; 3], cols: Option<i64>) -> ProductSchedule {
    let [a, b, accumulator] = types;
    let info = CoreInfo::from_name(device).unwrap();
    let shape = Shape {
        op1: a,
        op2: b,
        destination: accumulator,
        rows: Some(64),
        cols,
        is_gemm: true,
        surfaces: None,
    };
    let types = ProductTypes { a, b, accumulator };
    let product = ProductShape {
        types,
        extents: [Some(64), cols],
        transposes: [Transpose::N; 2],
        holds_b: false,
        reads_c: false,
        by_entries: false,
        is_checked: false,
    };
    Schedule::of_shapes(&[shape], &info).product(product, &info)
}

#[test]
fn sizes_of_vector_code_are_all_that_is_printed() {
    let (_, printed) = schedule("", ["f32", "f32"], [56, 9, 9], "pvc");
    assert_eq!(printed, "{subgroup_size=32, work_group_size=[64,1]}");
}

#[test]
fn large_products_ask_for_the_large_register_file_and_prefetch() {
    for device in ["pvc", "bmg", "lnl", "ptl"] {
        let (_, printed) = schedule("", ["bf16", "f32"], [256, 256, 4096], device);
        assert_eq!(
            printed,
            "{grf_size=256, k_step=64, prefetch_distance=2, register_block=[32,64], subgroup_size=16, \
             work_group_size=[128,4]}"
        );
        let (_, printed) = schedule("", ["bf16", "f32"], [64, 64, 64], device);
        assert_eq!(printed, "{subgroup_size=16, work_group_size=[32,2]}");
    }
    // No block messages, no long steps.
    let (_, printed) = schedule("", ["bf16", "f32"], [256, 256, 4096], "dg2");
    assert!(!printed.contains("grf_size"), "{printed}");
}

#[test]
fn attributes_have_the_last_word() {
    let extents = [256, 256, 4096];
    let (chosen, _) = schedule("\"k_step\"=32, \"prefetch_distance\"=0", ["bf16", "f32"], extents, "pvc");
    let overrides = chosen.unwrap().overrides;
    assert_eq!((overrides.k_step, overrides.prefetch_distance), (Some(32), Some(0)));
    let (chosen, _) = schedule("\"grf_size\"=128", ["bf16", "f32"], extents, "pvc");
    assert_eq!(chosen.unwrap().overrides.register_block, None);
    let (chosen, printed) = schedule("\"io_class\"=\"lanes\"", ["bf16", "f32"], extents, "pvc");
    assert_eq!(chosen.unwrap().overrides.register_block, None, "large products need block messages");
    assert!(printed.contains("io_class=\"lanes\""), "{printed}");
    let (chosen, _) = schedule("\"register_block\"=[16, 8]", ["bf16", "f32"], extents, "pvc");
    let types = ProductTypes { a: Scalar::Bf16, b: Scalar::Bf16, accumulator: Scalar::F32 };
    let product = {
        let shape = ProductShape {
            types,
            extents: [Some(256); 2],
            transposes: [Transpose::N; 2],
            holds_b: false,
            reads_c: false,
            by_entries: false,
            is_checked: false,
        };
        chosen.unwrap().product(shape, &CoreInfo::from_name("pvc").unwrap())
    };
    assert_eq!(product.block, AccumulatorBlock { rows: 16, cols: 8 });
    for refused in [
        "\"grf_size\"=100",
        "\"io_class\"=\"2d\"",
        "\"k_step\"=0",
        "\"prefetch_distance\"=-1",
        "\"register_block\"=[16, 100000]",
    ] {
        let text = format!("func @f() attributes{{{refused}}} {{ }}");
        let read = driver::parse(&mut Ir::default(), SourceId::UNKNOWN, text.as_bytes());
        assert_eq!(read.unwrap_err().status(), Status::OutOfRange, "{refused}");
    }
}

#[test]
fn each_class_of_messages_has_its_rules() {
    let pvc = CoreInfo::from_name("pvc").unwrap();
    let of = |subgroup_size, io_class| Schedule {
        subgroup_size,
        grid: Grid::ONE,
        overrides: Overrides { io_class, ..Overrides::default() },
    };
    for (io_class, has) in [
        (None, [true, true]),
        (Some(IoClass::Block2d), [true, true]),
        (Some(IoClass::Block1d), [false, true]),
        (Some(IoClass::Lanes), [false, false]),
    ] {
        let schedule = of(16, io_class);
        let found = [IoClass::Block2d, IoClass::Block1d].map(|class| schedule.has_io(class, &pvc));
        assert_eq!(found, has, "{io_class:?}");
        assert!(schedule.has_io(IoClass::Lanes, &pvc));
        for (element, on_engine) in [("bf16", true), ("f32", false)] {
            let (ir, func) = product_of_tiles(element);
            let iterations = |stages| schedule.prefetch_iterations(&ir, func, stages, &pvc);
            let expected = if has[0] && on_engine { [2, 3] } else { [0, 0] };
            assert_eq!([iterations(None), iterations(Some(4))], expected, "{io_class:?} {element}");
            let overrides = Overrides { prefetch_distance: Some(1), ..schedule.overrides };
            let named = Schedule { overrides, ..schedule };
            let iterations = |stages| named.prefetch_iterations(&ir, func, stages, &pvc);
            assert_eq!([iterations(None), iterations(Some(4))], [expected[0] / 2, expected[1]]);
            let overrides = Overrides { prefetch_distance: Some(4096), ..schedule.overrides };
            let far = Schedule { overrides, ..schedule }.prefetch_iterations(&ir, func, None, &pvc);
            assert_eq!(far, if expected[0] > 0 { 63 } else { 0 });
        }
    }
}

/// A function that multiplies tiles in a loop, whose factors have these elements.
fn product_of_tiles(element: &str) -> (Ir, Func) {
    let text = format!(
        "func @f(%A: memref<{element}x32x32>, %C: memref<f32x32x32>) {{
            %x = constant 0 : index
            %n = constant 32 : index
            %c = constant 0.0 : tile<f32x32x32,matrix_acc>
            %r = for %k=%x,%n,%n init(%s=%c) -> (tile<f32x32x32,matrix_acc>) {{
                %a = tile_load %A[%x,%k] : tile<{element}x32x32,matrix_a>
                %b = tile_load %A[%k,%x] : tile<{element}x32x32,matrix_b>
                %d = tile_dot %a, %b, %s : tile<f32x32x32,matrix_acc>
                yield (%d)
            }}
            tile_store %r, %C[%x,%x]
        }}"
    );
    let mut ir = Ir::default();
    let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
    (ir, program.functions[0])
}

/// The parameter `%A` as a surface, read from a row on that `%x` is, in a function of these parameters.
fn surface_of(parameters: &str, schedule: Schedule) -> Result<AccessReason, AccessReason> {
    let mut ir = Ir::default();
    let text = format!("func @f({parameters}) {{ %x = constant 2 : index }}");
    let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
    let (func, body) = (program.functions[0], ir[program.functions[0]].body);
    let pvc = CoreInfo::from_name("pvc").unwrap();
    let surfaces = Surfaces::new(&ir, func, pvc.default_alignment());
    let x = ir[ir.insts(body).next().unwrap()].results[0];
    schedule.surface(&ir, &surfaces, (ir[body].parameters[0], x), &pvc)
}

#[test]
fn surfaces_have_a_proof_or_a_reason() {
    let of = |subgroup_size, io_class| Schedule {
        subgroup_size,
        grid: Grid::ONE,
        overrides: Overrides { io_class, ..Overrides::default() },
    };
    let known = "%A: memref<f32x16x16>";
    assert_eq!(surface_of(known, of(16, Some(IoClass::Block1d))), Err(AccessReason::Forbidden));
    assert_eq!(surface_of(known, of(32, None)), Err(AccessReason::NoMessages));
    for (parameter, expected) in [
        (known, Ok(AccessReason::Type)),
        ("%A: memref<f32x16x16> {alignment=192}", Ok(AccessReason::Promise)),
        ("%A: memref<f32x16x16> {alignment=16}", Err(AccessReason::Address)),
        ("%A: memref<f32x16x16,strided<?,16>>", Err(AccessReason::FirstStride)),
        ("%A: memref<f32x?x16>", Err(AccessReason::OpenExtents)),
        ("%A: memref<f32x16x16,strided<1,17>>", Err(AccessReason::Extents)),
        // Whatever the number of columns is, the pitch is wrong.
        ("%A: memref<f32x16x?,strided<1,17>>", Err(AccessReason::Extents)),
        ("%A: memref<f32x8x16>", Err(AccessReason::Extents)),
        ("%A: memref<f16x32x16>", Ok(AccessReason::Type)),
        ("%A: memref<i8x64x16>", Err(AccessReason::FirstRow)),
    ] {
        assert_eq!(surface_of(parameter, of(16, None)), expected, "{parameter}");
    }
}

fn shape(number: Scalar, rows: i64, cols: i64, reads_c: bool) -> ProductShape {
    let types = ProductTypes::of(number, number, number).unwrap();
    ProductShape {
        types,
        extents: [Some(rows), Some(cols)],
        transposes: [Transpose::N; 2],
        holds_b: false,
        reads_c,
        by_entries: false,
        is_checked: false,
    }
}

fn schedule_of(shape: ProductShape, info: &CoreInfo) -> Schedule {
    let [rows, cols] = shape.extents;
    let ProductTypes { a, b, .. } = shape.types;
    let of = Shape { op1: a, op2: b, destination: a, rows, cols, is_gemm: true, surfaces: None };
    Schedule::of_shapes(&[of], info)
}

#[test]
fn cpus_run_one_subgroup_with_blocks_of_vector_registers() {
    let table = [
        (2048, Scalar::F32, 64, false, (64, 6)),
        (2048, Scalar::F32, 208, false, (64, 6)),
        (2048, Scalar::F32, 200, false, (64, 4)),
        (2048, Scalar::F32, 32, false, (32, 11)),
        (2048, Scalar::F32, 56, false, (64, 4)),
        (2048, Scalar::F32, 56, true, (16, 22)),
        (2048, Scalar::F64, 64, false, (32, 6)),
        (2048, Scalar::F64, 64, true, (16, 11)),
        (2048, Scalar::C32, 64, false, (32, 3)),
        (512, Scalar::F32, 64, false, (16, 6)),
        (512, Scalar::F64, 64, false, (16, 3)),
    ];
    for (space, number, rows, gathers_a, (block_rows, cols)) in table {
        let info = CoreInfo::cpu(space, 8192, &[4, 8, 16, 32, 64]);
        let transpose_a = if gathers_a { Transpose::T } else { Transpose::N };
        let transposes = [transpose_a, Transpose::N];
        let shape = ProductShape { transposes, ..shape(number, rows, 64, false) };
        let schedule = schedule_of(shape, &info);
        assert_eq!((schedule.subgroup_size, schedule.grid), (16, Grid::ONE));
        let product = schedule.product(shape, &info);
        assert_eq!(product.block, AccumulatorBlock { rows: block_rows, cols }, "{space} {number} {rows}");
        assert_eq!(product.k_steps, [8, 4, 2, 1]);
    }
    let info = CoreInfo::cpu(2048, 8192, &[4, 8, 16, 32, 64]);
    assert_eq!(schedule_of(shape(Scalar::F32, 5, 5, false), &info).subgroup_size, 8);
}

/// In f64, rows left over behind the last full register take subgroups of one register.
#[test]
fn cpus_mask_rows_of_eight_bytes_in_single_registers() {
    let info = CoreInfo::cpu(2048, 8192, &[4, 8, 16, 32, 64]);
    let sizes = |number, rows: [i64; 5]| {
        rows.map(|rows| schedule_of(shape(number, rows, 9, false), &info).subgroup_size)
    };
    assert_eq!(sizes(Scalar::F64, [4, 15, 56, 64, 66]), [4, 8, 16, 16, 8]);
    assert_eq!(sizes(Scalar::F32, [4, 15, 56, 64, 66]), [4, 16, 16, 16, 16]);
    assert_eq!(sizes(Scalar::C32, [4, 15, 56, 64, 66]), [4, 16, 16, 16, 16]);
    let wide = CoreInfo::cpu(2048, 8192, &[32, 16]);
    assert_eq!(schedule_of(shape(Scalar::F64, 66, 9, false), &wide).subgroup_size, 16);
}

#[test]
fn rows_that_are_left_over_take_columns_if_c_is_read() {
    let pvc = CoreInfo::from_name("pvc").unwrap();
    let cols = |number, rows, reads_c| {
        let shape = shape(number, rows, 64, reads_c);
        schedule_of(shape, &pvc).largest_product(shape, &pvc).block.cols
    };
    assert_eq!(
        [cols(Scalar::F32, 64, true), cols(Scalar::F32, 33, false), cols(Scalar::F32, 33, true)],
        [19, 19, 10]
    );
    assert_eq!([cols(Scalar::F64, 64, true), cols(Scalar::F64, 33, true)], [16, 13]);
}

/// The recipe for tall factors has one column of subgroups; if one holds all columns of B, it reads its rows of A once.
#[test]
fn all_columns_of_a_narrow_product_are_held_at_once_if_registers_permit() {
    let pvc = CoreInfo::from_name("pvc").unwrap();
    let block = |cols, grid| {
        let shape = shape(Scalar::F32, 128, cols, false);
        let schedule = Schedule { subgroup_size: 16, grid, overrides: Overrides::default() };
        schedule.largest_product(shape, &pvc).block
    };
    let eight = Grid { rows: 8, cols: 1 };
    assert_eq!(block(32, eight), AccumulatorBlock { rows: 16, cols: 32 });
    assert_eq!(block(64, eight), AccumulatorBlock { rows: 16, cols: 64 });
    assert_eq!(block(65, eight), AccumulatorBlock { rows: 32, cols: 19 });
    // Columns that others have, and rows that fill a larger block.
    assert_eq!(block(32, Grid { rows: 8, cols: 2 }), AccumulatorBlock { rows: 32, cols: 19 });
    assert_eq!(block(32, Grid { rows: 4, cols: 1 }), AccumulatorBlock { rows: 32, cols: 19 });
}

#[test]
fn chains_need_registers_for_both_sums_and_one_column_of_subgroups() {
    let pvc = CoreInfo::from_name("pvc").unwrap();
    let link = |shape, takes| ChainProduct { shape, depth: Some(56), takes, surface_bytes: None };
    let chain = |schedule: Schedule, between, cols| {
        let [first, second] = [between, cols].map(|cols| shape(Scalar::F32, 56, cols, true));
        let chain = [link(first, None), link(second, Some(ChainedFactor::First))];
        schedule.chain(&chain, &pvc).map(|products| products[1].block)
    };
    let schedule = schedule_of(shape(Scalar::F32, 56, 9, false), &pvc);
    assert_eq!(chain(schedule, 9, 9), Some(AccumulatorBlock { rows: 32, cols: 9 }));
    assert_eq!(chain(schedule, 31, 9), Some(AccumulatorBlock { rows: 32, cols: 9 }));
    assert_eq!(chain(schedule, 32, 9), None);
    assert_eq!(chain(schedule, 9, 0), None);
    let wide = Schedule { grid: Grid { cols: 2, ..schedule.grid }, ..schedule };
    assert_eq!(chain(wide, 9, 9), None);
    let bf16 = shape(Scalar::Bf16, 32, 8, false);
    let in_bf16 = [link(bf16, None), link(bf16, Some(ChainedFactor::First))];
    assert_eq!(schedule_of(bf16, &pvc).chain(&in_bf16, &pvc), None);
}

#[test]
fn second_factors_take_all_rows() {
    let pvc = CoreInfo::from_name("pvc").unwrap();
    let chain = |number: Scalar, rows: i64, subgroup_size: i32, grid: Grid| {
        let link = |rows, depth, takes| {
            let shape = shape(number, rows, 9, takes == Some(ChainedFactor::Second));
            ChainProduct { shape, depth: Some(depth), takes, surface_bytes: None }
        };
        let chain = [
            link(rows, 56, None),
            link(rows, 9, Some(ChainedFactor::First)),
            link(56, rows, Some(ChainedFactor::Second)),
        ];
        let schedule = Schedule { subgroup_size, grid, overrides: Overrides::default() };
        let products = schedule.chain(&chain, &pvc)?;
        Some(products.into_iter().map(|product| (product.block.rows, product.k_steps[0])).collect::<Vec<_>>())
    };
    assert_eq!(chain(Scalar::F32, 21, 16, Grid::ONE), Some(vec![(32, 16), (32, 16), (16, 16)]));
    assert_eq!(chain(Scalar::F32, 21, 32, Grid::ONE), Some(vec![(32, 16), (32, 16), (32, 8)]));
    // All rows at a time would leave no registers.
    assert_eq!(chain(Scalar::F64, 36, 16, Grid::ONE), Some(vec![(16, 8), (16, 16), (16, 1)]));
    assert_eq!(chain(Scalar::F64, 64, 16, Grid::ONE), None);
    // Each subgroup would compute more again than there is to the last product.
    assert_eq!(chain(Scalar::F32, 21, 16, Grid { rows: 2, cols: 1 }), None);
    assert_eq!(chain(Scalar::F32, 21, 16, Grid { rows: 1, cols: 2 }), None);
}

#[test]
fn engines_take_the_products_of_their_types() {
    let bf16 = product("pvc", [Scalar::Bf16, Scalar::Bf16, Scalar::F32], Some(64));
    assert_eq!(bf16.backend, MatrixBackendKind::Dpas);
    assert_eq!((bf16.block, bf16.k_steps), (AccumulatorBlock { rows: 32, cols: 32 }, vec![16]));
    let narrow = product("dg2", [Scalar::F16, Scalar::F16, Scalar::F32], Some(9));
    assert_eq!(
        (narrow.backend, narrow.block),
        (MatrixBackendKind::Dpas, AccumulatorBlock { rows: 16, cols: 9 })
    );
    let f32 = product("pvc", [Scalar::F32; 3], Some(64));
    assert_eq!((f32.backend, f32.k_steps), (MatrixBackendKind::Vector, vec![8, 4, 2, 1]));
    let without = product("tgl", [Scalar::Bf16, Scalar::Bf16, Scalar::F32], Some(64));
    assert_eq!(without.backend, MatrixBackendKind::Vector);
}

#[test]
fn all_candidates_compile() {
    let products = ["f32 n.n 128×128×32", "bf16 n.n 256×256×64", "f32 n.n 56×9×56"];
    for (product, device) in
        products.into_iter().flat_map(|it| ["pvc", "bmg", "dg2"].map(|device| (it, device)))
    {
        let info = CoreInfo::from_name(device).unwrap();
        let parse = |attributes: &str| {
            let text = documented_product(product).replacen(")  {", &format!(") {attributes} {{"), 1);
            let mut ir = Ir::default();
            let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
            (ir, program)
        };
        let (ir, program) = parse("");
        let func = program.functions[0];
        let candidates = Schedule::candidates(&ir, func, &info).unwrap();
        assert_eq!(candidates.first(), Schedule::compiled(&ir, func, &info).ok().as_ref());
        assert!(candidates.len() > 4, "{candidates:?}");
        for candidate in &candidates {
            let (mut ir, program) = parse("");
            candidate.write(&mut ir, program.functions[0]);
            let compiled = driver::compile(&mut ir, &program, &info, &driver::Options::default());
            assert!(compiled.is_ok(), "{product} on {device} by {candidate:?}: {compiled:?}");
            assert_eq!(Schedule::of(&ir, program.functions[0]).unwrap().grid, candidate.grid);
        }
        // What attributes ask for is not tried otherwise.
        let given =
            "k_step=16, prefetch_distance=0, register_block=[16,16], io_class=\"lanes\", grf_size=128";
        let (ir, program) =
            parse(&format!("attributes{{subgroup_size=16, work_group_size=[16,1], {given}}}"));
        assert_eq!(Schedule::candidates(&ir, program.functions[0], &info).map_or(0, |found| found.len()), 1);
        let (ir, program) = parse("attributes{work_group_size=[32,1]}");
        let found = Schedule::candidates(&ir, program.functions[0], &info).unwrap();
        let is_kept = |it: &Schedule| it.grid.work_items(it.subgroup_size) == [32, 1];
        assert!(found.len() > 4 && found.iter().all(is_kept), "{product} on {device}: {found:?}");
    }
}

/// The sets of attributes that are tried for a program of one function.
fn tried(text: &str, device: &str) -> Vec<FunctionAttributes> {
    let mut ir = Ir::default();
    let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
    let info = CoreInfo::from_name(device).unwrap();
    let tried = Schedule::tried_attributes(&ir, program.functions[0], &info).unwrap();
    assert!(tried.len() < 80, "{} configs on {device} of\n{text}", tried.len());
    assert_eq!(tried.first(), Some(&FunctionAttributes::default()));
    for attributes in &tried {
        let mut ir = Ir::default();
        let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
        ir[program.functions[0]].attributes = attributes.clone();
        let compiled = driver::compile(&mut ir, &program, &info, &driver::Options::default());
        assert!(compiled.is_ok(), "{attributes:?} on {device}: {compiled:?}");
    }
    tried
}

#[test]
fn large_products_are_tried_with_other_prefetches_and_messages() {
    let found = tried(&documented_product("bf16 n.n 256×256×4096"), "pvc");
    let distances: BTreeSet<_> = found.iter().filter_map(|it| it.prefetch_distance).map(|it| it.0).collect();
    assert_eq!(distances, BTreeSet::from([0, 1, 2, 3, 4]));
    let steps: BTreeSet<_> = found.iter().filter_map(|it| it.k_step).map(|it| it.0).collect();
    assert!(steps.len() > 2, "{steps:?}");
    let classes: Vec<_> = found.iter().filter_map(|it| it.io_class).collect();
    assert_eq!(classes, [IoClass::Block1d, IoClass::Lanes]);
    // Nothing is fetched ahead in vector code, and there is no better message to do without.
    let found = tried(&documented_product("f32 n.n 56×9×56"), "dg2");
    assert!(found.iter().all(|it| it.prefetch_distance.is_none()));
    assert!(found.iter().all(|it| it.io_class != Some(IoClass::Block1d)));
}

#[test]
fn loops_over_tiles_are_tried_with_other_grids_steps_orientations_and_pipelines() {
    for element in ["bf16", "f32"] {
        let text = format!(
            "func @g(%A: memref<{element}x?x?>, %B: memref<{element}x?x?>, %C: memref<f32x?x?>) {{
                 %depth = size %A[1]  %i = group_id.x  %j = group_id.y
                 %sum = for %k=0,%depth,32 init(%s=0.0) -> (tile<f32x64x64,matrix_acc>) {{
                     %a = tile_load %A[%i,%k] : 64 x 32
                     %b = tile_load %B[%k,%j] : 32 x 64
                     %t = tile_dot %a, %b, %s
                     yield (%t)
                 }}
                 tile_store %sum, %C[%i,%j]
             }}"
        );
        for device in ["pvc", "dg2"] {
            let found = tried(&text, device);
            let orientations: Vec<_> = found.iter().filter_map(|it| it.orientation).collect();
            assert_eq!(orientations, [Orientation::AsWritten, Orientation::Transposed]);
            let pipelines: Vec<_> = found.iter().filter_map(|it| it.pipeline).collect();
            let expected = match (element, device) {
                ("bf16", "pvc") => vec![Pipeline::Slm, Pipeline::Prefetch],
                ("bf16", _) => vec![Pipeline::Slm],
                _ => Vec::new(),
            };
            assert_eq!(pipelines, expected, "{element} on {device}");
            let distances: BTreeSet<_> =
                found.iter().filter_map(|it| it.prefetch_distance).map(|it| it.0).collect();
            let expected = if element == "bf16" { BTreeSet::from([0, 1, 2, 3, 4]) } else { BTreeSet::new() };
            assert_eq!(distances, expected, "{element} on {device}");
            let grids: BTreeSet<_> =
                found.iter().filter_map(|it| it.work_group_size).map(|it| it.0).collect();
            assert!(grids.len() > 2, "{grids:?}");
            assert!(found.iter().any(|it| it.k_step.is_some()));
        }
    }
}

#[test]
fn orders_of_tiles_are_tried_where_they_are_left_open() {
    let orders = |order: &str, attributes: &str| {
        let text = format!(
            "func @g(%n: index, %P: memref<indexx?>) {attributes} {{
                 %i, %j = tile_order{order}
                 %zero = constant 0 : index
                 store %i, %P[%zero]
             }}"
        );
        let found = tried(&text, "pvc");
        let orders: Vec<_> = found.iter().filter_map(|it| it.order).map(TileOrderKind::word).collect();
        let groups: Vec<_> = found.iter().filter_map(|it| it.group).map(|OrderGroup(group)| group).collect();
        (orders, groups)
    };
    let (all_orders, all_groups) = (vec!["linear_m", "panel_m", "hilbert"], vec![2, 8, 16]);
    assert_eq!(orders(".any %n, %n", ""), (all_orders.clone(), all_groups.clone()));
    assert_eq!(orders(".any %n, %n {group=4}", ""), (all_orders.clone(), vec![]));
    assert_eq!(orders(".any %n, %n", "attributes{group=2}"), (all_orders, vec![]));
    assert_eq!(orders(".any %n, %n", "attributes{order=\"morton\"}"), (vec![], all_groups.clone()));
    assert_eq!(orders(".grouped %n, %n", ""), (vec![], all_groups));
    assert_eq!(orders(".grouped %n, %n {group=4}", ""), (vec![], vec![]));
}

#[test]
fn blocks_of_vector_code_overlap_by_less_than_the_lanes() {
    let largest = AccumulatorBlock { rows: 32, cols: 9 };
    let rows = |rows, on_engine| largest.shared([Some(rows), Some(9)], [2, 1], 16, on_engine).rows;
    // Two blocks of 32 rows would compute 29 of 35 twice.
    assert_eq!([rows(35, false), rows(56, false), rows(35, true)], [16, 32, 32]);
}

#[test]
fn cpus_take_only_short_columns_in_blocks() {
    let info = CoreInfo::cpu(2048, 8192, &[4, 8, 16, 32, 64]);
    let text = "func @f() attributes{subgroup_size=16, work_group_size=[16,1]} {}";
    let mut ir = Ir::default();
    let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
    let schedule = Schedule::compiled(&ir, program.functions[0], &info).unwrap();
    let is_in_blocks = |rows, info| schedule.elementwise_block([Some(rows), Some(9)], 8, info).is_some();
    assert_eq!([7, 64, 65, 100].map(|rows| is_in_blocks(rows, &info)), [true, true, false, false]);
    assert!(is_in_blocks(100, &CoreInfo::from_name("pvc").unwrap()));
}

#[test]
fn subgroups_of_cpus_keep_apart_what_tiles_do_not_reduce() {
    let grid = |rows: i64, cols: i64, mode: &str| {
        let text = format!(
            "func @f(%X: memref<f32x?x?>, %Y: memref<f32x?x?>) {{
                 %x = tile_load %X[0,0] : {rows}x{cols}
                 %top = tile_reduce_max.{mode} %x
                 %y = sub %x, %top
                 tile_store %y, %Y[0,0]
             }}"
        );
        let mut ir = Ir::default();
        let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
        let info = CoreInfo::cpu(2048, 8192, &[4, 8, 16, 32, 64]);
        let schedule = Schedule::compiled(&ir, program.functions[0], &info).unwrap();
        (schedule.subgroup_size, [schedule.grid.rows, schedule.grid.cols])
    };
    // Half of the registers hold 256 rows of a column.
    assert_eq!(grid(256, 4, "column"), (16, [1, 4]));
    assert_eq!(grid(1024, 4, "column"), (16, [4, 4]));
    assert_eq!(grid(1024, 1, "column"), (16, [4, 1]));
    assert_eq!(grid(64, 16, "row"), (16, [4, 1]));
}

#[test]
fn small_products_take_fewer_subgroups() {
    let grid_of = |rows: i64, number: &str, attributes: &str, device: &str| {
        let text = format!(
            "func @f(%K: memref<{number}x{rows}x56>, %P: memref<{number}x56x9>, %A: memref<{number}x9x9>, \
                     %Q: memref<{number}x{rows}x9>) attributes{{{attributes}}} {{
                 %tmp = alloca : memref<{number}x{rows}x9,local>
                 %zero = constant 0.0 : {number}
                 %one = constant 1.0 : {number}
                 gemm.n.n %one, %K, %P, %zero, %tmp
                 gemm.n.n %one, %tmp, %A, %one, %Q
             }}"
        );
        let mut ir = Ir::default();
        let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
        let info = CoreInfo::from_name(device).unwrap();
        let schedule = Schedule::compiled(&ir, program.functions[0], &info).unwrap();
        (schedule.subgroup_size, [schedule.grid.rows, schedule.grid.cols])
    };
    let grid = |number: &str, attributes: &str, device: &str| grid_of(56, number, attributes, device);
    for device in ["pvc", "bmg", "ptl"] {
        assert_eq!(grid("f64", "", device), (16, [2, 1]), "{device}");
        // Two blocks of 16 rows each.
        assert_eq!(grid_of(84, "f64", "", device), (16, [3, 1]), "{device}");
        // Small products in f32 take one for four blocks of rows.
        assert_eq!(grid("f32", "", device), (16, [1, 1]), "{device}");
    }
    assert_eq!(grid("f32", "", "dg2"), (16, [4, 1]));
    assert_eq!(grid("f32", "subgroup_size=16", "pvc"), (16, [2, 1]));
    for overrides in ["subgroup_size=16", "work_group_size=[64,1]", "grf_size=128"] {
        assert_eq!(grid("f64", overrides, "pvc"), (16, [4, 1]), "{overrides}");
    }
}

/// The program of a line of the manual's table, as `bf16 n.t 56×9×56`.
fn documented_product(line: &str) -> String {
    let (types, extents) = line.rsplit_once(' ').unwrap();
    let (factor, transposes) = types.split_once(' ').unwrap();
    let (factor, attributes) = match factor {
        "tf32" => ("f32", "attributes{precision=\"tf32\"}"),
        factor => (factor, ""),
    };
    let extents: Vec<i64> = extents.split('×').map(|extent| extent.parse().unwrap()).collect();
    let [m, n, k] = extents.try_into().unwrap();
    let result = match factor {
        "bf16" | "f16" => "f32",
        "i8" => "i32",
        other => other,
    };
    // A part of a larger matrix has the pitch of that.
    let stride = if k > 1000 { ",strided<1,4096>" } else { "" };
    let (transpose_a, transpose_b) = transposes.split_once('.').unwrap();
    let shape = |transpose: &str, rows: i64, cols: i64| match transpose {
        "n" => format!("{rows}x{cols}{stride}"),
        _ => format!("{cols}x{rows}{stride}"),
    };
    let (a, b, c) = (shape(transpose_a, m, k), shape(transpose_b, k, n), shape("n", m, n));
    let number =
        |value: i32, ty: &str| if ty.starts_with('i') { format!("{value}") } else { format!("{value}.0") };
    format!(
        "func @f(%A: memref<{factor}x{a}>, %B: memref<{factor}x{b}>, %C: memref<{result}x{c}>) {attributes} {{
             %one = constant {} : {factor}
             %zero = constant {} : {result}
             gemm.{transposes} %one, %A, %B, %zero, %C
         }}",
        number(1, factor),
        number(0, result),
    )
}

/// The cell of the table for a device.
fn documented_choice(text: &str, device: &str) -> String {
    let mut ir = Ir::default();
    let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
    let info = CoreInfo::from_name(device).unwrap();
    let options = driver::Options { remarks: true, ..driver::Options::default() };
    let mut instrumentation = driver::Instrumentation::none();
    // A product of f64 has a schedule on a device without f64, too.
    let _ = driver::compile_instrumented(&mut ir, &program, &info, &options, &mut instrumentation);
    let explanation = &instrumentation.explanations[0];
    let Schedule { subgroup_size, grid, .. } = explanation.schedule;
    let ProductSchedule { backend, block, k_steps, prefetch_distance, .. } = &explanation.products[0].product;
    format!(
        "{subgroup_size}, {}×{}, {}; {} {}×{}, {}, {prefetch_distance}",
        grid.rows,
        grid.cols,
        explanation.register_file.registers(),
        backend.spelling(),
        block.rows,
        block.cols,
        k_steps[0]
    )
}

#[test]
fn the_manual_says_what_is_chosen() {
    let manual = include_str!("../../docs/src/compiler/schedules.md");
    let table = manual.lines().skip_while(|line| !line.starts_with("| product |"));
    let cells =
        |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let mut lines = table.take_while(|line| line.starts_with('|')).map(cells);
    let header = lines.next().unwrap();
    let (mut found, mut expected) = (String::new(), String::new());
    for row in lines.skip(1) {
        let text = documented_product(&row[0]);
        let choices = header[1..].iter().map(|devices| {
            let mut choices: Vec<String> =
                devices.split(", ").map(|device| documented_choice(&text, device)).collect();
            choices.dedup();
            choices.join(" or ")
        });
        expected += &format!("| {} | {} |\n", row[0], choices.collect::<Vec<_>>().join(" | "));
        found += &format!("| {} |\n", row.join(" | "));
    }
    assert!(found.lines().count() > 20);
    assert!(found == expected, "docs/src/compiler/schedules.md should have\n{expected}");
}

#[test]
fn lanes_take_no_more_products_than_their_code_has_room_for() {
    let chosen = |count: usize, [m, n, k]: [i64; 3], device: &str| {
        let products = "gemm %one, %a, %b, %one, %c\n".repeat(count);
        let text = format!(
            "func @f(%A: memref<f32x{m}x{k}x?>, %b: memref<f32x{k}x{n}>, %C: memref<f32x{m}x{n}x?>) {{
                 %g = group_id.y : index
                 %a = subview %A[0:{m},0:{k},%g] : memref<f32x{m}x{k}>
                 %c = subview %C[0:{m},0:{n},%g] : memref<f32x{m}x{n}>
                 %one = constant 1.0 : f32
                 {products}
             }}"
        );
        let mut ir = Ir::default();
        let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
        let info = CoreInfo::from_name(device).unwrap();
        LaneProducts::of(&ir, program.functions[0], &info).map(|LaneProducts { work, .. }| work)
    };
    let whole = Some(LaneWork::Group(Component::Y));
    assert_eq!(chosen(18, [6, 6, 6], "pvc"), whole);
    assert_eq!(chosen(19, [6, 6, 6], "pvc"), None);
    assert_eq!(chosen(64, [8, 64, 8], "bmg"), Some(LaneWork::Columns));
    assert_eq!(chosen(65, [8, 64, 8], "bmg"), None);
    // Columns fill lanes better than members that are read column after column.
    assert_eq!(chosen(1, [3, 9, 3], "dg2"), Some(LaneWork::Columns));
    assert_eq!(chosen(1, [7, 7, 7], "pvc"), None);
    assert_eq!(chosen(0, [6, 6, 6], "pvc"), None);
}

#[test]
fn lanes_take_columns_of_chains() {
    let chosen = |[m, k, n, p]: [i64; 4], between: &str| {
        let text = format!(
            "func @f(%K: memref<f32x{m}x{k}>, %P: memref<f32x{k}x{n}>, %A: memref<f32x{n}x{p}>, %Q: memref<f32x{m}x{p}>) {{
                 %tmp = alloca : memref<f32x{m}x{n},local>
                 %zero = constant 0.0 : f32
                 %one = constant 1.0 : f32
                 gemm %one, %K, %P, %zero, %tmp
                 {between}
                 gemm %one, %tmp, %A, %one, %Q
             }}"
        );
        let mut ir = Ir::default();
        let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
        let info = CoreInfo::from_name("pvc").unwrap();
        LaneProducts::of(&ir, program.functions[0], &info).map(|LaneProducts { work, .. }| work)
    };
    assert_eq!(chosen([4, 4, 9, 16], ""), Some(LaneWork::Columns));
    assert_eq!(chosen([4, 4, 9, 16], "barrier.local"), Some(LaneWork::Columns));
    // Lanes have one column only of what others need, and more of them a row than a column.
    assert_eq!(chosen([4, 4, 9, 17], ""), None);
    assert_eq!(chosen([9, 4, 9, 9], ""), None);
    assert_eq!(chosen([4, 4, 9, 16], "store %one, %tmp[0,0]"), None);
}

#[test]
fn subgroups_of_chains_are_as_wide_as_blocks_where_these_read_the_factors() {
    let chosen = |(rows, between): (i64, i64), device: &str| {
        let text = format!(
            "func @f(%R: memref<f32x{rows}x{between}>, %F: memref<f32x{between}x{rows}>, %I: memref<f32x{rows}x9>, %Q: memref<f32x{rows}x9>) {{
                 %tmp = alloca : memref<f32x{between}x9,local>
                 %zero = constant 0.0 : f32
                 %one = constant 1.0 : f32
                 gemm %one, %F, %I, %zero, %tmp
                 gemm %one, %R, %tmp, %one, %Q
             }}"
        );
        let mut ir = Ir::default();
        let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
        let info = CoreInfo::from_name(device).unwrap();
        Schedule::compiled(&ir, program.functions[0], &info).unwrap()
    };
    let sizes = |rows: (i64, i64), device: &str| {
        let Schedule { subgroup_size, grid, .. } = chosen(rows, device);
        (subgroup_size, grid)
    };
    for device in ["pvc", "bmg"] {
        assert_eq!(sizes((84, 28), device), (16, Grid::ONE));
        // Columns of 21 rows are no surface.
        assert_eq!(sizes((56, 21), device), (32, Grid::ONE));
    }
    // There are no such blocks.
    assert_eq!(sizes((84, 28), "dg2"), (16, Grid::ONE));
}
