//! Schedules of whole functions.

use super::*;
use crate::device::MatrixBackendKind;
use crate::diagnostics::SourceId;
use crate::driver;
use crate::ir::{Attribute, Scalar};

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
    let printed =
        ir[func].attributes.clone().map_or(String::new(), |all| Attribute::Dictionary(all).to_string());
    (chosen, printed)
}

fn product(device: &str, types: [Scalar; 3], cols: Option<i64>) -> Product {
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
    let product = ProductShape { types, extents: [Some(64), cols], gathers_a: false };
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
            "{\"grf_size\"=256, \"k_step\"=64, \"prefetch_distance\"=2, \"register_block\"=[32,64], subgroup_size=16, \
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
    let pinned = chosen.unwrap().pinned;
    assert_eq!((pinned.k_step, pinned.prefetch_distance), (Some(32), Some(0)));
    let (chosen, _) = schedule("\"grf_size\"=128", ["bf16", "f32"], extents, "pvc");
    assert_eq!(chosen.unwrap().pinned.register_block, None);
    let (chosen, _) = schedule("\"register_block\"=[16, 8]", ["bf16", "f32"], extents, "pvc");
    let types = ProductTypes { a: Scalar::Bf16, b: Scalar::Bf16, accumulator: Scalar::F32 };
    let product = {
        let shape = ProductShape { types, extents: [Some(256); 2], gathers_a: false };
        chosen.unwrap().product(shape, &CoreInfo::from_name("pvc").unwrap())
    };
    assert_eq!(product.block, Block { rows: 16, cols: 8 });
    for refused in
        ["\"grf_size\"=100", "\"k_step\"=0", "\"prefetch_distance\"=-1", "\"register_block\"=[16, 100000]"]
    {
        let (chosen, _) = schedule(refused, ["bf16", "f32"], extents, "pvc");
        let Err(Error::Rule(error)) = chosen else { panic!("{refused} was accepted") };
        assert_eq!(error.status, Status::OutOfRange, "{refused}");
    }
}

#[test]
fn engines_take_the_products_of_their_types() {
    let bf16 = product("pvc", [Scalar::Bf16, Scalar::Bf16, Scalar::F32], Some(64));
    assert_eq!(bf16.backend, MatrixBackendKind::Dpas);
    assert_eq!((bf16.block, bf16.k_steps), (Block { rows: 32, cols: 32 }, vec![16]));
    let narrow = product("dg2", [Scalar::F16, Scalar::F16, Scalar::F32], Some(9));
    assert_eq!((narrow.backend, narrow.block), (MatrixBackendKind::Dpas, Block { rows: 16, cols: 16 }));
    let f32 = product("pvc", [Scalar::F32; 3], Some(64));
    assert_eq!((f32.backend, f32.k_steps), (MatrixBackendKind::Vector, vec![16, 8, 4, 2, 1]));
    let without = product("tgl", [Scalar::Bf16, Scalar::Bf16, Scalar::F32], Some(64));
    assert_eq!(without.backend, MatrixBackendKind::Vector);
}

#[test]
fn candidates_are_what_the_device_runs() {
    let shape = Shape {
        op1: Scalar::F32,
        op2: Scalar::F32,
        destination: Scalar::F32,
        rows: Some(128),
        cols: Some(128),
        is_gemm: true,
        surfaces: None,
    };
    let info = CoreInfo::from_name("pvc").unwrap();
    let candidates = Schedule::candidates(&[shape], &info);
    assert_eq!(candidates.first(), Some(&Schedule::of_shapes(&[shape], &info)));
    assert!(candidates.len() > 4, "{candidates:?}");
    for candidate in &candidates {
        let file = with_register_file(&info, candidate.pinned.register_file);
        let size = candidate.subgroup_size;
        assert!(grid::check_work_group_size(&file, size, candidate.grid.work_items(size)).is_ok());
    }
}
