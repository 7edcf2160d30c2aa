//! Runs on whatever OpenCL device there is; without one the tests are skipped.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, clippy::indexing_slicing)]

use std::ptr;
use std::sync::Arc;

use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Operand};
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, FunctionControl,
    MemoryAccess, MemoryModel, StorageClass, Word,
};

use super::*;
use crate::device::{CoreFeatures, SpirvFeature};
use crate::runtime::skip::skip;
use crate::runtime::{Argument, Bundle as _, Device as _, Error, Kernel as _, Memory, Session as _};
use crate::status::Status;

const SUBGROUP_SIZE: u32 = 16;

pub(super) fn session() -> Option<Session> {
    match Session::open(DeviceKind::Any) {
        Ok(session) => Some(session),
        Err(error @ (Error::DriverMissing { .. } | Error::NoDevice { .. })) => {
            skip(error);
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// `out[16 g + lane] = factor · rows[g][lane]` for work-group g; with `broken` it calls a function that
/// nobody defines.
fn scale_rows(broken: bool) -> Binary {
    let mut b = Builder::new();
    b.set_version(1, 4);
    for capability in [
        Capability::Addresses,
        Capability::Kernel,
        Capability::Int64,
        Capability::SubgroupDispatch,
        Capability::Linkage,
    ] {
        b.capability(capability);
    }
    b.memory_model(AddressingModel::Physical64, MemoryModel::OpenCL);
    let void = b.type_void();
    let (i32_type, i64_type, f32_type) = (b.type_int(32, 0), b.type_int(64, 0), b.type_float(32, None));
    let i64_vector = b.type_vector(i64_type, 3);
    let row = b.type_pointer(None, StorageClass::CrossWorkgroup, f32_type);
    let rows = b.type_pointer(None, StorageClass::CrossWorkgroup, row);
    let input = |b: &mut Builder, ty: Word, builtin: BuiltIn| {
        let pointer = b.type_pointer(None, StorageClass::Input, ty);
        let variable = b.variable(pointer, None, StorageClass::Input, None);
        b.decorate(variable, Decoration::BuiltIn, [Operand::BuiltIn(builtin)]);
        b.decorate(variable, Decoration::Constant, []);
        variable
    };
    let group_id = input(&mut b, i64_vector, BuiltIn::WorkgroupId);
    let local_id = input(&mut b, i32_type, BuiltIn::SubgroupLocalInvocationId);
    let width = b.constant_bit64(i64_type, SUBGROUP_SIZE.into());
    let missing_type = b.type_function(void, []);
    let missing = broken.then(|| {
        let missing = b.begin_function(void, None, FunctionControl::NONE, missing_type).unwrap();
        b.end_function().unwrap();
        let linkage = Operand::LinkageType(rspirv::spirv::LinkageType::Import);
        let name = Operand::LiteralString("nobody_defines_this".into());
        b.decorate(missing, Decoration::LinkageAttributes, [name, linkage]);
        missing
    });

    let kernel_type = b.type_function(void, [rows, f32_type, row]);
    let kernel = b.begin_function(void, None, FunctionControl::NONE, kernel_type).unwrap();
    let (rows, factor, out) = (
        b.function_parameter(rows).unwrap(),
        b.function_parameter(f32_type).unwrap(),
        b.function_parameter(row).unwrap(),
    );
    b.begin_block(None).unwrap();
    if let Some(missing) = missing {
        b.function_call(void, None, missing, []).unwrap();
    }
    let aligned = |bytes| (Some(MemoryAccess::ALIGNED), [Operand::LiteralBit32(bytes)]);
    let load = |b: &mut Builder, ty, pointer, bytes| {
        let (access, operands) = aligned(bytes);
        b.load(ty, None, pointer, access, operands).unwrap()
    };
    let group_ids = load(&mut b, i64_vector, group_id, 32);
    let group = b.composite_extract(i64_type, None, group_ids, [0]).unwrap();
    let lane = load(&mut b, i32_type, local_id, 4);
    let lane = b.u_convert(i64_type, None, lane).unwrap();
    let row_type = row;
    let rows_type = b.type_pointer(None, StorageClass::CrossWorkgroup, row_type);
    let place = b.in_bounds_ptr_access_chain(rows_type, None, rows, group, []).unwrap();
    let row = load(&mut b, row_type, place, 8);
    let place = b.in_bounds_ptr_access_chain(row_type, None, row, lane, []).unwrap();
    let value = load(&mut b, f32_type, place, 4);
    let value = b.f_mul(f32_type, None, value, factor).unwrap();
    let offset = b.i_mul(i64_type, None, group, width).unwrap();
    let offset = b.i_add(i64_type, None, offset, lane).unwrap();
    let place = b.in_bounds_ptr_access_chain(row_type, None, out, offset, []).unwrap();
    let (access, operands) = aligned(4);
    b.store(place, value, access, operands).unwrap();
    b.ret().unwrap();
    b.end_function().unwrap();
    b.entry_point(ExecutionModel::Kernel, kernel, "scale_rows", [group_id, local_id]);
    b.execution_mode(kernel, ExecutionMode::LocalSize, [SUBGROUP_SIZE, 1, 1]);
    b.execution_mode(kernel, ExecutionMode::SubgroupSize, [SUBGROUP_SIZE]);

    let words = b.module().assemble();
    let bytes = words.into_iter().flat_map(u32::to_ne_bytes).collect();
    Binary::new(BundleFormat::Spirv, bytes, CoreFeatures::default())
}

#[test]
fn a_kernel_follows_pointers_and_writes_memory() {
    let Some(session) = session() else { return };
    eprintln!("device: {}", session.device_name().unwrap());
    let mut kernel = Arc::new(session.build(&scale_rows(false)).unwrap()).kernel("scale_rows").unwrap();
    assert_eq!(kernel.group_size(), [16, 1, 1]);

    let rows: Vec<Memory<f32>> = (0..3u8)
        .map(|g| session.memory(&(0..16u8).map(|i| f32::from(100 * g + i)).collect::<Vec<_>>()).unwrap())
        .collect();
    let addresses: Vec<u64> = rows.iter().map(Memory::address).collect();
    assert!(addresses.iter().all(|address| address % 128 == 0));
    let group = session.memory(&addresses).unwrap();
    let mut out = session.memory(&[0.0f32; 48]).unwrap();
    out[47] = -1.0;
    let arguments = [(&group).into(), 2.0f32.into(), (&out).into()];
    // SAFETY: three groups access three rows of 16 and 48 results; nothing is borrowed meanwhile.
    let time = unsafe { session.run(&mut kernel, [0, 1, 1], &arguments).unwrap() };
    assert_eq!((&out[46..], time), (&[0.0, -1.0][..], None));
    // SAFETY: as before.
    let time = unsafe { session.run(&mut kernel, [3, 1, 1], &arguments).unwrap() }.unwrap();
    assert!(time.start > 0 && time.end >= time.start, "{time:?}");
    let expected: Vec<f32> = rows.iter().flat_map(|row| row.iter().map(|x| 2.0 * x)).collect();
    assert_eq!(*out, expected[..]);
}

#[test]
fn sessions_are_shared_between_threads() {
    let Some(session) = session() else { return };
    let binary = scale_rows(false);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                Arc::new(session.build(&binary).unwrap()).kernel("scale_rows").unwrap().group_size()
            });
        }
    });
}

#[test]
fn wrong_programs_and_kernels_are_errors() {
    let Some(session) = session() else { return };
    let error = session.build(&scale_rows(true)).err().unwrap();
    assert_eq!(error.status(), Status::ComputeRuntimeError);
    assert!(error.build_log().unwrap().contains("nobody_defines_this"), "{error}");
    for format in [BundleFormat::Spirv, BundleFormat::Native] {
        let cut_off = scale_rows(false).data()[..400].to_vec();
        for data in [vec![], vec![0; 3], vec![0x55; 4096], cut_off] {
            let error = session.build(&Binary::new(format, data, CoreFeatures::default())).err().unwrap();
            assert_eq!(error.status(), Status::ComputeRuntimeError, "{error}");
        }
    }

    let program = Arc::new(session.build(&scale_rows(false)).unwrap());
    let error = program.kernel("no_such_kernel").err().unwrap();
    assert_eq!(error.to_string(), "there is no kernel `no_such_kernel`; the bundle has scale_rows");
    assert_eq!(program.kernel("a\0b").err().unwrap().status(), Status::InvalidArguments);
    let mut kernel = program.kernel("scale_rows").unwrap();
    // SAFETY: the arguments do not fit, so the kernel does not run.
    let error = unsafe { session.run(&mut kernel, [1, 1, 1], &[1u8.into()]) }.unwrap_err();
    assert_eq!(error.status(), Status::ComputeRuntimeError, "{error}");
    // SAFETY: most arguments are missing, so the kernel does not run.
    let error = unsafe { session.run(&mut kernel, [1, 1, 1], &[Argument::null()]) }.unwrap_err();
    assert_eq!(error.status(), Status::ComputeRuntimeError, "{error}");
}

#[test]
fn devices_without_register_files_ignore_the_request() {
    let Some(session) = session() else { return };
    let spirv = scale_rows(false);
    let binary = Binary::new(BundleFormat::Spirv, spirv.data().to_vec(), CoreFeatures::LARGE_REGISTER_FILE);
    session.build(&binary).unwrap();
}

#[test]
fn null_handles_are_refused() {
    if session().is_none() {
        return;
    }
    let null = ptr::null_mut();
    // SAFETY: null is allowed.
    let errors = unsafe {
        [
            get_support_level(null).unwrap_err(),
            core_info_create(null).unwrap_err(),
            BuildTarget::new(null, null).err().unwrap(),
            get_group_size(null).unwrap_err(),
        ]
    };
    assert!(errors.iter().all(|error| error.status() == Status::InvalidArguments));
}

#[test]
fn the_device_is_described() {
    let Some(session) = session() else { return };
    let info = session.core_info().unwrap();
    assert_eq!(info.validate(), Ok(()));
    assert!(info.have(SpirvFeature::Groups) && info.have(SpirvFeature::SubgroupDispatch));
    assert!(info.default_alignment() >= 8);
    let features: Vec<&str> = SpirvFeature::ALL
        .iter()
        .filter(|&&feature| info.have(feature))
        .map(|feature| feature.spelling())
        .collect();
    eprintln!("{:?} {} {features:?}", info.subgroup_sizes(), info.register_space());
    // SAFETY: the session's device is valid.
    let level = unsafe { get_support_level(session.device()) }.unwrap();
    assert!(level >= SupportLevel::Basic);
}

#[test]
fn global_sizes_are_products() {
    assert_eq!(get_global_size([3, 2, 1], [16, 4, 1]), [48, 8, 1]);
}
