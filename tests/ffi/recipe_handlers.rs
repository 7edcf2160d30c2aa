//! Recipe handlers without a driver: what callbacks are told, and which arguments are refused.

use super::recipes::World;
use super::*;
use std::ptr::null;
use tiletc::ffi::cl::*;
use tiletc::ffi::recipe::*;
use tiletc::ffi::recipe_handler::*;
use tiletc::ffi::ze::*;

/// Memory that nobody looks at.
const MEMORY: *const c_void = 128 as *const c_void;

/// Calls that callbacks received.
#[derive(Default)]
struct Told {
    calls: Vec<String>,
    /// The call that fails, and with what.
    failure: Option<(String, tiletc_status_t)>,
    destroyed: bool,
}

impl Told {
    fn hear(data: *mut c_void, call: String) -> tiletc_status_t {
        let told = unsafe { &mut *data.cast::<Told>() };
        told.calls.push(call.clone());
        match &told.failure {
            Some((failing, status)) if *failing == call => *status,
            _ => 0,
        }
    }
}

unsafe extern "C" fn select_kernel(data: *mut c_void, kernel: usize) -> tiletc_status_t {
    Told::hear(data, format!("kernel {kernel}"))
}

unsafe extern "C" fn set_value(
    data: *mut c_void,
    index: u32,
    size: usize,
    value: *const c_void,
) -> tiletc_status_t {
    let value = unsafe {
        match size {
            4 => value.cast::<f32>().read_unaligned().to_string(),
            _ => value.cast::<i64>().read_unaligned().to_string(),
        }
    };
    Told::hear(data, format!("{index}: {value}"))
}

unsafe extern "C" fn set_memory(
    data: *mut c_void,
    index: u32,
    kind: tiletc_mem_type_t,
    value: *const c_void,
) -> tiletc_status_t {
    Told::hear(data, format!("{index}: memory {kind} {}", value.addr()))
}

unsafe extern "C" fn set_groups(data: *mut c_void, groups: i64) -> tiletc_status_t {
    Told::hear(data, format!("{groups} groups"))
}

unsafe extern "C" fn destroy(data: *mut c_void) {
    unsafe { &mut *data.cast::<Told>() }.destroyed = true;
}

const CALLBACKS: tiletc_recipe_handler_callbacks_t = tiletc_recipe_handler_callbacks_t {
    runtime: c"test".as_ptr(),
    select_kernel: Some(select_kernel),
    set_value: Some(set_value),
    set_memory: Some(set_memory),
    set_groups: Some(set_groups),
    destroy: Some(destroy),
};

/// A handler whose callbacks tell `told`, which has to outlive it; the handler owns the recipe.
fn handler_of(recipe: tiletc_recipe_t, told: &mut Told) -> tiletc_recipe_handler_t {
    let mut handler = null_mut();
    let data = std::ptr::from_mut(told).cast();
    unsafe {
        ok(tiletc_recipe_handler_create_with_callbacks(&raw mut handler, recipe, &CALLBACKS, data));
        ok(tiletc_recipe_release(recipe));
    }
    handler
}

fn set_batch(
    handler: tiletc_recipe_handler_t,
    howmany: i64,
    beta: (usize, *const c_void),
    kind: tiletc_mem_type_t,
) -> tiletc_status_t {
    set_batch_at(MEMORY, handler, howmany, beta, kind)
}

/// The same with the first factor somewhere else.
fn set_batch_at(
    memory: *const c_void,
    handler: tiletc_recipe_handler_t,
    howmany: i64,
    (size, beta): (usize, *const c_void),
    kind: tiletc_mem_type_t,
) -> tiletc_status_t {
    let alpha = 2f32;
    unsafe {
        tiletc_recipe_small_gemm_batched_set_args(
            handler,
            howmany,
            4,
            (&raw const alpha).cast(),
            1,
            memory,
            kind,
            null(),
            size,
            beta,
            0,
            MEMORY,
        )
    }
}

fn set_tall(handler: tiletc_recipe_handler_t, m: i64) -> tiletc_status_t {
    let (alpha, beta) = (2f32, -0f32);
    unsafe {
        tiletc_recipe_tall_and_skinny_set_args(
            handler,
            m,
            4,
            (&raw const alpha).cast(),
            1,
            MEMORY,
            301,
            1,
            MEMORY,
            999,
            4,
            (&raw const beta).cast(),
            2,
            MEMORY,
            302,
        )
    }
}

#[test]
fn callbacks_are_told_kernel_arguments_and_groups() {
    let world = World::new();
    let mut told = Told::default();
    let handler = handler_of(world.some_batch(), &mut told);
    let beta = 3f32;
    let beta = (4, (&raw const beta).cast());
    ok(set_batch(handler, 7, beta, 2));
    let expected = [
        "kernel 0",
        "0: 2",
        "1: memory 1 128",
        "2: 7",
        "3: memory 2 0",
        "4: 7",
        "5: 3",
        "6: memory 0 128",
        "7: 7",
        "7 groups",
    ];
    assert_eq!(told.calls, expected);
    // An empty launch is told as such.
    told.calls.clear();
    ok(set_batch(handler, 0, beta, 2));
    assert_eq!(told.calls.last().unwrap(), "0 groups");
    // What a callback says against an argument comes back, and nothing follows.
    for (status, expected) in [(11, Status::UnavailableExtension), (-5, Status::Unknown)] {
        told.calls.clear();
        told.failure = Some(("3: memory 2 0".to_owned(), status));
        expect(set_batch(handler, 7, beta, 2), expected);
        assert_eq!(told.calls.len(), 5);
    }
    unsafe {
        ok(tiletc_recipe_handler_retain(handler));
        ok(tiletc_recipe_handler_release(handler));
        assert!(!told.destroyed);
        ok(tiletc_recipe_handler_release(handler));
    }
    assert!(told.destroyed);
}

#[test]
fn a_specialised_product_leaves_out_what_it_knows() {
    let world = World::new();
    let mut told = Told::default();
    let handler = handler_of(world.some_tall(), &mut told);
    ok(set_tall(handler, 300));
    let expected = [
        "kernel 1",
        "0: 2",
        "1: memory 1 128",
        "2: 301",
        "3: memory 1 128",
        "4: -0",
        "5: memory 2 128",
        "6: 302",
        "3 groups",
    ];
    assert_eq!(told.calls, expected);
    for wrong in [0, -300, 301] {
        expect(set_tall(handler, wrong), Status::InvalidKernelArguments);
    }
    ok(unsafe { tiletc_recipe_handler_release(handler) });
}

#[test]
fn wrong_arguments_reach_no_callback() {
    let world = World::new();
    let (mut told, mut tall_told) = (Told::default(), Told::default());
    let handler = handler_of(world.some_batch(), &mut told);
    let tall = handler_of(world.some_tall(), &mut tall_told);
    let beta = [3f32, 4f32];
    let (one, two) = ((4, beta.as_ptr().cast()), (8, beta.as_ptr().cast()));
    refused(set_batch(null_mut(), 7, one, 1));
    refused(set_batch(world.info.cast(), 7, one, 1));
    // The other kind of recipe.
    refused(set_batch(tall, 7, one, 1));
    refused(set_tall(handler, 300));
    refused(set_tall(null_mut(), 300));
    refused(set_batch(handler, 7, (4, null()), 1));
    refused(set_batch(handler, 7, one, 3));
    refused(set_batch(handler, 7, one, -1));
    expect(set_batch(handler, 7, two, 1), Status::InvalidKernelArguments);
    expect(set_batch(handler, 7, (0, one.1), 1), Status::InvalidKernelArguments);
    expect(set_batch(handler, -1, one, 1), Status::InvalidKernelArguments);
    // The kernels are made for addresses of the device's default alignment; a buffer has none.
    let odd = 132 as *const c_void;
    expect(set_batch_at(odd, handler, 7, one, 1), Status::LaunchArgumentContract);
    unsafe {
        ok(tiletc_recipe_handler_release(handler));
        ok(tiletc_recipe_handler_release(tall));
    }
    assert!(told.calls.is_empty() && tall_told.calls.is_empty());
}

#[test]
fn user_data_are_found_by_the_name_of_the_runtime() {
    let world = World::new();
    let mut told = Told::default();
    let recipe = world.some_batch();
    let handler = handler_of(recipe, &mut told);
    let (mut data, mut of) = (null_mut(), null_mut());
    unsafe {
        ok(tiletc_recipe_handler_get_recipe(handler, &raw mut of));
        assert_eq!(of, recipe);
        refused(tiletc_recipe_handler_get_recipe(handler, null_mut()));
        refused(tiletc_recipe_handler_get_user_data(null(), c"test".as_ptr(), &raw mut data));
        refused(tiletc_recipe_handler_get_user_data(handler, null(), &raw mut data));
        refused(tiletc_recipe_handler_get_user_data(handler, c"test".as_ptr(), null_mut()));
        refused(tiletc_recipe_handler_get_user_data(handler, c"tes".as_ptr(), &raw mut data));
        assert!(data.is_null());
        ok(tiletc_recipe_handler_get_user_data(handler, c"test".as_ptr(), &raw mut data));
        assert_eq!(data, std::ptr::from_mut(&mut told).cast());

        // It is no handler of OpenCL or Level Zero.
        let (queue, list) = (std::ptr::dangling_mut(), std::ptr::dangling_mut());
        refused(tiletc_cl_recipe_handler_submit(handler, queue, 0, null(), null_mut()));
        refused(tiletc_cl_recipe_handler_submit(handler, queue, 1, null(), null_mut()));
        refused(tiletc_cl_recipe_handler_submit(handler, null_mut(), 0, null(), null_mut()));
        refused(tiletc_ze_recipe_handler_submit(handler, list, null_mut(), 0, null_mut()));
        refused(tiletc_ze_recipe_handler_submit(handler, list, null_mut(), 1, null_mut()));
        refused(tiletc_ze_recipe_handler_submit(handler, null_mut(), null_mut(), 0, null_mut()));
        ok(tiletc_recipe_handler_release(handler));
    }
}

#[test]
fn handlers_are_made_of_everything_or_not_at_all() {
    let world = World::new();
    let recipe = world.some_batch();
    let mut told = Told::default();
    let data = std::ptr::from_mut(&mut told).cast();
    let mut handler = null_mut();
    let out = &raw mut handler;
    let lacking = [
        tiletc_recipe_handler_callbacks_t { runtime: null(), ..CALLBACKS },
        tiletc_recipe_handler_callbacks_t { select_kernel: None, ..CALLBACKS },
        tiletc_recipe_handler_callbacks_t { set_value: None, ..CALLBACKS },
        tiletc_recipe_handler_callbacks_t { set_memory: None, ..CALLBACKS },
        tiletc_recipe_handler_callbacks_t { set_groups: None, ..CALLBACKS },
        tiletc_recipe_handler_callbacks_t { destroy: None, ..CALLBACKS },
    ];
    unsafe {
        for callbacks in &lacking {
            refused(tiletc_recipe_handler_create_with_callbacks(out, recipe, callbacks, data));
        }
        refused(tiletc_recipe_handler_create_with_callbacks(out, recipe, null(), data));
        refused(tiletc_recipe_handler_create_with_callbacks(out, null_mut(), &CALLBACKS, data));
        refused(tiletc_recipe_handler_create_with_callbacks(null_mut(), recipe, &CALLBACKS, data));

        let (context, device) = (std::ptr::dangling_mut(), std::ptr::dangling_mut());
        refused(tiletc_cl_recipe_handler_create(null_mut(), context, device, recipe));
        refused(tiletc_cl_recipe_handler_create(out, null_mut(), device, recipe));
        refused(tiletc_cl_recipe_handler_create(out, context, null_mut(), recipe));
        refused(tiletc_cl_recipe_handler_create(out, context, device, null_mut()));
        refused(tiletc_cl_recipe_handler_create(out, context, device, world.info.cast()));
        let (context, device) = (std::ptr::dangling_mut(), std::ptr::dangling_mut());
        refused(tiletc_ze_recipe_handler_create(null_mut(), context, device, recipe));
        refused(tiletc_ze_recipe_handler_create(out, null_mut(), device, recipe));
        refused(tiletc_ze_recipe_handler_create(out, context, null_mut(), recipe));
        refused(tiletc_ze_recipe_handler_create(out, context, device, null_mut()));
        ok(tiletc_recipe_release(recipe));
    }
    assert!(handler.is_null() && !told.destroyed);
}
