//! GPUs whose driver says less of them than others do.

use super::fakes::{Fake, Folder, Interface, scenario};
use super::*;
use std::ptr::without_provenance_mut;
use tiletc::ffi::binary::*;
use tiletc::ffi::cl::*;
use tiletc::ffi::compile::*;
use tiletc::ffi::core_info::*;
use tiletc::ffi::ze::*;

/// A product of matrices that 2D blocks can reach.
const PRODUCT: &str = "func @k(%A: memref<bf16x64x64>, %B: memref<bf16x64x64>, %C: memref<f32x64x64>) {
    %one = constant 1.0 : bf16
    %zero = constant 0.0 : f32
    gemm.n.n %one, %A, %B, %zero, %C
}
";

/// Support level and whether the matrix engine and 2D block IO are used.
fn described(interface: Interface) -> (i32, [bool; 2]) {
    let (mut level, mut info) = (-1, null_mut());
    unsafe {
        match interface {
            Interface::OpenCl => {
                let device = without_provenance_mut(2);
                ok(tiletc_cl_get_support_level(device, &raw mut level));
                ok(tiletc_cl_core_info_create(&raw mut info, device));
            }
            Interface::LevelZero => {
                let device = without_provenance_mut(2);
                ok(tiletc_ze_get_support_level(device, &raw mut level));
                ok(tiletc_ze_core_info_create(&raw mut info, device));
            }
        }
    }
    let heard = Box::<Heard>::default();
    let context = context_with(&heard);
    let (program, mut binary) = (parse(PRODUCT, context), null_mut());
    let (mut format, mut size, mut data) = (7, 0, std::ptr::null());
    let features = unsafe {
        ok(tiletc_prog_compile_to_spirv_and_assemble(&raw mut binary, program, info));
        ok(tiletc_binary_get_raw(binary, &raw mut format, &raw mut size, &raw mut data));
        let bytes = std::slice::from_raw_parts(data, size);
        let has = |name: &str| bytes.windows(name.len()).any(|window| window == name.as_bytes());
        let features = ["SPV_INTEL_subgroup_matrix_multiply_accumulate", "SPV_INTEL_2d_block_io"].map(has);
        ok(tiletc_binary_release(binary));
        ok(tiletc_prog_release(program));
        ok(tiletc_compiler_context_release(context));
        ok(tiletc_core_info_release(info));
        features
    };
    (level, features)
}

#[test]
fn engines_are_used_that_no_driver_mentions() {
    let test = "recognition::engines_are_used_that_no_driver_mentions";
    let Some(_) = scenario() else {
        let folder = Folder::new("recognition");
        if Interface::ALL.into_iter().all(|interface| folder.add_fake(interface, None)) {
            folder.run(test, "all");
        }
        return;
    };
    for interface in Interface::ALL {
        let fake = Fake::new(interface);
        fake.fail(0, 0);
        // The fakes list no extension of the engine.
        for (ip_version, id, name, expected) in [
            (0x030f_0007, 0, 0, (2, [true, true])),
            (0x0312_8004, 0, 0, (1, [false, false])),
            (0, 0xe20b, 0, (2, [true, true])),
            (0, 0xfd81, 0, (1, [true, true])),
            (0, 0, 1, (2, [true, true])),
            (0, 0, 2, (2, [true, true])),
            (0, 0, 0, (1, [false, false])),
        ] {
            for (variable, value) in
                [("fake_ip_version", ip_version), ("fake_device_id", id), ("fake_name", name)]
            {
                fake.set(variable, value);
            }
            assert_eq!(described(interface), expected, "{interface:?} {ip_version:#x} {id:#x} {name}");
        }
    }
    // A driver without Intel's query of attributes only has the name.
    let fake = Fake::new(Interface::OpenCl);
    fake.set("fake_no_attributes", 1);
    for (name, expected) in [(1, (2, [true, true])), (2, (2, [true, true])), (0, (1, [false, false]))] {
        fake.set("fake_name", name);
        assert_eq!(described(Interface::OpenCl), expected, "{name}");
    }
}
