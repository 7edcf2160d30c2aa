//! OpenCL and Level Zero without a driver: what is wrong with the arguments is said before one is asked.

use super::*;
use std::ptr::null;
use tiletc::ffi::binary::*;
use tiletc::ffi::cl::*;
use tiletc::ffi::last_error::*;
use tiletc::ffi::ze::*;

/// A pointer to no type, a number of a kind that there is not, and one without an address.
static ARGUMENTS: Arguments = Arguments([
    tiletc_kernel_arg { kind: 7, size: 0x504, value: (&raw const NUMBER).cast() },
    tiletc_kernel_arg { kind: -1, size: 4, value: (&raw const NUMBER).cast() },
    tiletc_kernel_arg { kind: 1, size: 4, value: null() },
]);
static NUMBER: i32 = 1;

struct Arguments([tiletc_kernel_arg_t; 3]);

// SAFETY: what they point to is never written.
unsafe impl Sync for Arguments {}

/// Kernels, queues, numbers of groups and arguments, one of which is wrong; no driver is asked.
fn wrong_launches<K, Q, G>(
    kernel: *mut K,
    queue: *mut Q,
    groups: *const G,
) -> Vec<(*mut K, *mut Q, *const G, u32, *const tiletc_kernel_arg_t)> {
    let mut all = vec![
        (null_mut(), queue, groups, 0, null()),
        (kernel, null_mut(), groups, 0, null()),
        (kernel, queue, groups, 1, null()),
    ];
    all.extend(ARGUMENTS.0.iter().map(|wrong| (kernel, queue, groups, 1, std::ptr::from_ref(wrong))));
    all
}

#[test]
fn arguments_are_counted_from_one() {
    let said = |arguments: &[tiletc_kernel_arg_t]| {
        let count = u32::try_from(arguments.len()).unwrap();
        refused(unsafe { tiletc_cl_check_args(std::ptr::dangling_mut(), count, arguments.as_ptr()) });
        unsafe { CStr::from_ptr(tiletc_get_error_message(Status::InvalidArguments.code())) }.to_str().unwrap()
    };
    let [no_type, no_kind, no_address] = &ARGUMENTS.0;
    let number = tiletc_kernel_arg { kind: 1, size: 4, value: (&raw const NUMBER).cast() };
    assert_eq!(said(&[*no_type]), "argument 1 points to 0x504, which is no type");
    assert_eq!(said(&[*no_kind]), "argument 1 is of the kind -1, which is none");
    assert_eq!(said(&[number, *no_address]), "argument 2 is a number, whose address is NULL");
}

#[test]
fn opencl_refuses_null() {
    let (context, info) = (new_context(), device("pvc"));
    let program = parse(KERNEL, context);
    let (mut bundle, mut binary, mut out, mut level) = (null_mut(), null_mut(), null_mut(), -1);
    // Never looked at, because another argument is wrong.
    let foreign = std::ptr::dangling_mut::<c_void>();
    let mut size = [7; 3];
    let mut plan = tiletc_launch_plan { num_steps: 7, steps: [tiletc_launch_step::default(); 64] };
    unsafe {
        ok(tiletc_binary_create(&raw mut binary, context, 0, 4, [0; 4].as_ptr(), 0));
        refused(tiletc_cl_get_support_level(null_mut(), &raw mut level));
        refused(tiletc_cl_get_support_level(foreign, null_mut()));
        refused(tiletc_cl_core_info_create(null_mut(), foreign));
        refused(tiletc_cl_core_info_create(&raw mut out, null_mut()));
        for (bundle, context, device, prg) in [
            (null_mut(), foreign, foreign, program),
            (&raw mut bundle, null_mut(), foreign, program),
            (&raw mut bundle, foreign, null_mut(), program),
            (&raw mut bundle, foreign, foreign, null_mut()),
            (&raw mut bundle, foreign, foreign, info.cast()),
        ] {
            refused(tiletc_cl_kernel_bundle_create_with_program(bundle, context, device, prg, 0));
        }
        for (bundle, context, device, bin) in [
            (null_mut(), foreign, foreign, binary.cast_const()),
            (&raw mut bundle, null_mut(), foreign, binary),
            (&raw mut bundle, foreign, null_mut(), binary),
            (&raw mut bundle, foreign, foreign, null()),
            (&raw mut bundle, foreign, foreign, info.cast()),
        ] {
            refused(tiletc_cl_kernel_bundle_create_with_binary(bundle, context, device, bin));
        }
        for kind in 0..5 {
            refused(tiletc_cl_retain(kind, null_mut()));
            refused(tiletc_cl_release(kind, null_mut()));
        }
        for kind in [-1, 5] {
            refused(tiletc_cl_retain(kind, foreign));
            refused(tiletc_cl_release(kind, foreign));
        }
        refused(tiletc_cl_get_group_size(null_mut(), size.as_mut_ptr()));
        refused(tiletc_cl_get_launch_plan(null_mut(), foreign));
        refused(tiletc_cl_get_launch_plan(&raw mut plan, null_mut()));
        refused(tiletc_cl_get_group_size(foreign, null_mut()));
        let mut kernel = null_mut();
        refused(tiletc_cl_kernel_create(null_mut(), foreign, c"k".as_ptr()));
        refused(tiletc_cl_kernel_create(&raw mut kernel, null_mut(), c"k".as_ptr()));
        refused(tiletc_cl_kernel_create(&raw mut kernel, foreign, null()));
        assert!(kernel.is_null());
        let groups = [1usize; 3];
        for (kernel, queue, groups, number, arguments) in wrong_launches(foreign, foreign, groups.as_ptr()) {
            refused(tiletc_cl_submit(kernel, queue, groups, number, arguments, 0, null(), null_mut()));
            if queue.is_null() {
                continue;
            }
            refused(tiletc_cl_check_args(kernel, number, arguments));
            let mut selected = null_mut();
            let (out, no_grid) = (&raw mut selected, null_mut());
            refused(tiletc_cl_prepare_launch(out, no_grid, kernel, groups, number, arguments));
            assert!(selected.is_null());
            refused(tiletc_cl_set_args(kernel, number, arguments));
        }
        let some = groups.as_ptr();
        refused(tiletc_cl_submit(foreign, foreign, some, 0, null(), 1, null(), null_mut()));
        refused(tiletc_cl_prepare_launch(null_mut(), null_mut(), foreign, some, 0, null()));
        ok(tiletc_binary_release(binary));
        ok(tiletc_prog_release(program));
        ok(tiletc_core_info_release(info));
        ok(tiletc_compiler_context_release(context));
    }
    assert!(bundle.is_null() && out.is_null());
    assert_eq!((level, size), (-1, [7; 3]));
}

#[test]
fn the_global_size_is_a_product() {
    let (groups, local, mut global) = ([2, 3, 5], [16, 4, 1], [0; 3]);
    unsafe {
        tiletc_cl_get_global_size(groups.as_ptr(), local.as_ptr(), global.as_mut_ptr());
        assert_eq!(global, [32, 12, 5]);
        tiletc_cl_get_global_size(null(), local.as_ptr(), global.as_mut_ptr());
        tiletc_cl_get_global_size(groups.as_ptr(), null(), global.as_mut_ptr());
        tiletc_cl_get_global_size(groups.as_ptr(), local.as_ptr(), null_mut());
        assert_eq!(global, [32, 12, 5]);
    }
}

#[test]
fn level_zero_refuses_null() {
    let (context, info) = (new_context(), device("pvc"));
    let program = parse(KERNEL, context);
    let (mut bundle, mut kernel, mut binary, mut out, mut level) =
        (null_mut(), null_mut(), null_mut(), null_mut(), -1);
    // Never looked at, because another argument is wrong.
    let (ze_context, ze_device) = (std::ptr::dangling_mut(), std::ptr::dangling_mut());
    let (mut x, mut y, mut z) = (7, 7, 7);
    let mut plan = tiletc_launch_plan { num_steps: 7, steps: [tiletc_launch_step::default(); 64] };
    let name = c("k");
    unsafe {
        ok(tiletc_binary_create(&raw mut binary, context, 0, 4, [0; 4].as_ptr(), 0));
        refused(tiletc_ze_get_support_level(null_mut(), &raw mut level));
        refused(tiletc_ze_get_support_level(ze_device, null_mut()));
        refused(tiletc_ze_core_info_create(null_mut(), ze_device));
        refused(tiletc_ze_core_info_create(&raw mut out, null_mut()));
        for (bundle, context, device, prg) in [
            (null_mut(), ze_context, ze_device, program),
            (&raw mut bundle, null_mut(), ze_device, program),
            (&raw mut bundle, ze_context, null_mut(), program),
            (&raw mut bundle, ze_context, ze_device, null_mut()),
            (&raw mut bundle, ze_context, ze_device, info.cast()),
        ] {
            refused(tiletc_ze_kernel_bundle_create_with_program(bundle, context, device, prg, 0));
        }
        for (bundle, context, device, bin) in [
            (null_mut(), ze_context, ze_device, binary.cast_const()),
            (&raw mut bundle, null_mut(), ze_device, binary),
            (&raw mut bundle, ze_context, null_mut(), binary),
            (&raw mut bundle, ze_context, ze_device, null()),
            (&raw mut bundle, ze_context, ze_device, info.cast()),
        ] {
            refused(tiletc_ze_kernel_bundle_create_with_binary(bundle, context, device, bin));
        }
        refused(tiletc_ze_kernel_create(null_mut(), std::ptr::dangling_mut(), name.as_ptr()));
        refused(tiletc_ze_kernel_create(&raw mut kernel, null_mut(), name.as_ptr()));
        refused(tiletc_ze_kernel_create(&raw mut kernel, std::ptr::dangling_mut(), null()));
        let some = std::ptr::dangling_mut();
        refused(tiletc_ze_get_group_size(null_mut(), &raw mut x, &raw mut y, &raw mut z));
        refused(tiletc_ze_get_launch_plan(null_mut(), some));
        refused(tiletc_ze_get_launch_plan(&raw mut plan, null_mut()));
        refused(tiletc_ze_get_group_size(some, null_mut(), &raw mut y, &raw mut z));
        refused(tiletc_ze_get_group_size(some, &raw mut x, null_mut(), &raw mut z));
        refused(tiletc_ze_get_group_size(some, &raw mut x, &raw mut y, null_mut()));
        let (list, groups) = (std::ptr::dangling_mut(), [1u32; 3]);
        for (kernel, list, groups, number, arguments) in wrong_launches(some, list, groups.as_ptr()) {
            let events = null_mut();
            refused(tiletc_ze_submit(kernel, list, groups, number, arguments, null_mut(), 0, events));
            if list.is_null() {
                continue;
            }
            refused(tiletc_ze_check_args(kernel, number, arguments));
            let (mut selected, mut module) = (null_mut(), null_mut());
            let (out, of, no_grid) = (&raw mut selected, &raw mut module, null_mut());
            refused(tiletc_ze_prepare_launch(out, of, no_grid, kernel, groups, number, arguments));
            assert!(selected.is_null() && module.is_null());
            refused(tiletc_ze_set_args(kernel, number, arguments));
        }
        let (events, mut selected, mut module) = (null_mut(), null_mut(), null_mut());
        let (out, of, no_grid, asked) = (&raw mut selected, &raw mut module, null_mut(), groups.as_ptr());
        refused(tiletc_ze_prepare_launch(null_mut(), of, no_grid, some, asked, 0, null()));
        refused(tiletc_ze_prepare_launch(out, null_mut(), no_grid, some, asked, 0, null()));
        refused(tiletc_ze_submit(some, list, groups.as_ptr(), 0, null(), null_mut(), 1, events));
        ok(tiletc_binary_release(binary));
        ok(tiletc_prog_release(program));
        ok(tiletc_core_info_release(info));
        ok(tiletc_compiler_context_release(context));
    }
    assert!(bundle.is_null() && kernel.is_null() && out.is_null());
    assert_eq!((level, x, y, z), (-1, 7, 7, 7));
}
