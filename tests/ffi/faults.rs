//! Drivers that are missing, broken, or lie: whatever call of an entry point goes wrong, and however, there is
//! a status and, where the caller has given a context, a message; nothing is leaked, and the next call works.

use super::fakes::{Fake, Folder, Interface, scenario};
use super::*;
use std::ptr::without_provenance_mut;
use tiletc::ffi::binary::*;
use tiletc::ffi::cl::*;
use tiletc::ffi::compile::*;
use tiletc::ffi::recipe::*;
use tiletc::ffi::recipe_handler::*;
use tiletc::ffi::ze::*;

/// Status that a call returned, and whether it has stored a handle.
type Outcome = (Status, bool);

/// An entry point with arguments that are right.
struct Case<'a> {
    name: &'static str,
    /// Handles of the driver that the caller has got in the end.
    live: i32,
    /// True if a message is due if it fails.
    reports: bool,
    call: Box<dyn Fn() -> Outcome + 'a>,
}

// Types of memory.
const BUFFER: tiletc_mem_type_t = 0;
const USM: tiletc_mem_type_t = 1;
const SVM: tiletc_mem_type_t = 2;

/// Arguments for the entry points.
struct World {
    heard: Box<Heard>,
    context: tiletc_compiler_context_t,
    spirv: tiletc_binary_t,
    native: tiletc_binary_t,
    recipe: tiletc_recipe_t,
}

fn outcome<T>(call: impl FnOnce(*mut *mut T) -> tiletc_status_t) -> Outcome {
    let mut handle = null_mut();
    let status = Status::from_code(call(&raw mut handle)).unwrap();
    (status, !handle.is_null())
}

impl World {
    fn new() -> World {
        let heard = Box::<Heard>::default();
        let context = context_with(&heard);
        let (mut spirv, mut native, mut info) = (null_mut(), null_mut(), null_mut());
        let (mut recipe, mut f32_type) = (null_mut(), null_mut());
        let (program, pvc) = (parse(KERNEL, context), c("pvc"));
        let code = b"fake code";
        unsafe {
            ok(tiletc_core_info_intel_create_from_name(&raw mut info, pvc.as_ptr()));
            ok(tiletc_prog_compile_to_spirv_and_assemble(&raw mut spirv, program, info));
            ok(tiletc_binary_create(&raw mut native, context, 1, code.len(), code.as_ptr(), 0));
            ok(tiletc_f32_type_get(&raw mut f32_type, context));
            ok(tiletc_recipe_small_gemm_batched_create(
                &raw mut recipe,
                info,
                f32_type,
                0,
                0,
                8,
                8,
                8,
                8,
                64,
                8,
                64,
                8,
                64,
            ));
            ok(tiletc_prog_release(program));
            ok(tiletc_core_info_release(info));
        }
        World { heard, context, spirv, native, recipe }
    }

    /// A program is compiled for one device only, so each call has its own.
    fn with_program(&self, call: impl FnOnce(tiletc_prog_t) -> Outcome) -> Outcome {
        let program = parse(KERNEL, self.context);
        let outcome = call(program);
        ok(unsafe { tiletc_prog_release(program) });
        outcome
    }

    /// Makes a handler of the recipe, and sets arguments of that type for so many products.
    fn with_handler(
        &self,
        create: impl FnOnce(*mut tiletc_recipe_handler_t, tiletc_recipe_t) -> tiletc_status_t,
        memory: tiletc_mem_type_t,
        howmany: i64,
        submit: impl FnOnce(tiletc_recipe_handler_t) -> tiletc_status_t,
    ) -> Outcome {
        let mut handler = null_mut();
        let created = create(&raw mut handler, self.recipe);
        if created != Status::Success.code() {
            assert!(handler.is_null());
            return (Status::from_code(created).unwrap(), false);
        }
        let (alpha, matrix) = (2.0f32, std::ptr::without_provenance(4096));
        let (number, size) = ((&raw const alpha).cast::<c_void>(), size_of_val(&alpha));
        let mut status = unsafe {
            tiletc_recipe_small_gemm_batched_set_args(
                handler, howmany, size, number, memory, matrix, memory, matrix, size, number, memory, matrix,
            )
        };
        if status == Status::Success.code() {
            status = submit(handler);
        }
        ok(unsafe { tiletc_recipe_handler_release(handler) });
        (Status::from_code(status).unwrap(), status == Status::Success.code())
    }

    fn opencl<'a>(&'a self, fake: &'a Fake) -> Vec<Case<'a>> {
        let (context, device) = (without_provenance_mut(1), without_provenance_mut(2));
        let group_size = || {
            let mut size = [7usize; 3];
            let status = unsafe { tiletc_cl_get_group_size(without_provenance_mut(4), size.as_mut_ptr()) };
            (Status::from_code(status).unwrap(), size != [7; 3])
        };
        let build = move |binary| {
            outcome(|out| unsafe { tiletc_cl_kernel_bundle_create_with_binary(out, context, device, binary) })
        };
        let launch = move |memory, howmany| {
            let mut event = null_mut();
            let create =
                |out, recipe| unsafe { tiletc_cl_recipe_handler_create(out, context, device, recipe) };
            let queue = without_provenance_mut(6);
            let outcome = self.with_handler(create, memory, howmany, |handler| unsafe {
                tiletc_cl_recipe_handler_submit(handler, queue, 0, std::ptr::null(), &raw mut event)
            });
            assert_eq!(outcome.1, !event.is_null());
            outcome
        };
        let mut cases = vec![
            case("support level", 0, move || {
                let mut level = -1;
                let status = unsafe { tiletc_cl_get_support_level(device, &raw mut level) };
                (Status::from_code(status).unwrap(), level != -1)
            }),
            case("core info", 0, move || released(|out| unsafe { tiletc_cl_core_info_create(out, device) })),
            reporting("bundle of a program", move || {
                self.with_program(|program| {
                    outcome(|out| unsafe {
                        tiletc_cl_kernel_bundle_create_with_program(out, context, device, program, 0)
                    })
                })
            }),
            reporting("bundle of a binary", move || build(self.spirv)),
            reporting("bundle of native code", move || build(self.native)),
            handler(1, move || launch(BUFFER, 5)),
            handler(1, move || launch(USM, 5)),
            handler(1, move || launch(SVM, 5)),
            handler(1, move || launch(SVM, 0)),
            case("group size", 0, group_size),
            case("group size on one of several devices", 0, move || {
                fake.set("fake_wants_device", 1);
                let outcome = group_size();
                fake.set("fake_wants_device", 0);
                outcome
            }),
        ];
        // Context, device, program, kernel and event
        for (kind, number) in (0..).zip([1, 2, 3, 4, 8]) {
            cases.push(case("another reference", 1, move || {
                let status = unsafe { tiletc_cl_retain(kind, without_provenance_mut(number)) };
                (Status::from_code(status).unwrap(), status == Status::Success.code())
            }));
            cases.push(case("end of a reference", -1, move || {
                let status = unsafe { tiletc_cl_release(kind, without_provenance_mut(number)) };
                (Status::from_code(status).unwrap(), true)
            }));
        }
        cases
    }

    fn level_zero<'a>(&'a self) -> Vec<Case<'a>> {
        let (context, device) = (without_provenance_mut(1), without_provenance_mut(2));
        let launch = move |howmany| {
            let create =
                |out, recipe| unsafe { tiletc_ze_recipe_handler_create(out, context, device, recipe) };
            let (list, signal) = (without_provenance_mut(6), without_provenance_mut(7));
            self.with_handler(create, USM, howmany, |handler| unsafe {
                tiletc_ze_recipe_handler_submit(handler, list, signal, 0, null_mut())
            })
        };
        vec![
            case("support level", 0, move || {
                let mut level = -1;
                let status = unsafe { tiletc_ze_get_support_level(device, &raw mut level) };
                (Status::from_code(status).unwrap(), level != -1)
            }),
            case("core info", 0, move || released(|out| unsafe { tiletc_ze_core_info_create(out, device) })),
            reporting("bundle of a program", move || {
                self.with_program(|program| {
                    outcome(|out| unsafe {
                        tiletc_ze_kernel_bundle_create_with_program(out, context, device, program, 0)
                    })
                })
            }),
            reporting("bundle of a binary", move || {
                outcome(|out| unsafe {
                    tiletc_ze_kernel_bundle_create_with_binary(out, context, device, self.spirv)
                })
            }),
            handler(0, move || launch(5)),
            handler(0, move || launch(0)),
            case("kernel", 1, move || {
                let name = c("fused_kernel");
                outcome(|out| unsafe {
                    tiletc_ze_kernel_create(out, without_provenance_mut(3), name.as_ptr())
                })
            }),
            case("group size", 0, move || {
                let (mut x, mut y, mut z) = (7, 7, 7);
                let kernel = without_provenance_mut(4);
                let status = unsafe { tiletc_ze_get_group_size(kernel, &raw mut x, &raw mut y, &raw mut z) };
                (Status::from_code(status).unwrap(), [x, y, z] != [7; 3])
            }),
            // These give handles back, so that one less is alive.
            case("end of a bundle", -1, move || {
                let status = unsafe { tiletc_ze_kernel_bundle_destroy(without_provenance_mut(3)) };
                (Status::from_code(status).unwrap(), true)
            }),
            case("end of a kernel", -1, move || {
                let status = unsafe { tiletc_ze_kernel_destroy(without_provenance_mut(4)) };
                (Status::from_code(status).unwrap(), true)
            }),
        ]
    }

    fn cases<'a>(&'a self, interface: Interface, fake: &'a Fake) -> Vec<Case<'a>> {
        match interface {
            Interface::OpenCl => self.opencl(fake),
            Interface::LevelZero => self.level_zero(),
        }
    }

    /// Messages since the last time.
    fn messages(&self) -> String {
        let text = self.heard.text();
        self.heard.0.lock().unwrap().clear();
        text
    }
}

impl Drop for World {
    fn drop(&mut self) {
        unsafe {
            ok(tiletc_binary_release(self.spirv));
            ok(tiletc_binary_release(self.native));
            ok(tiletc_recipe_release(self.recipe));
            ok(tiletc_compiler_context_release(self.context));
        }
    }
}

fn case<'a>(name: &'static str, live: i32, call: impl Fn() -> Outcome + 'a) -> Case<'a> {
    Case { name, live, reports: false, call: Box::new(call) }
}

/// A launch through a recipe's handler, which leaves so many events.
fn handler<'a>(live: i32, call: impl Fn() -> Outcome + 'a) -> Case<'a> {
    case("recipe handler", live, call)
}

fn reporting<'a>(name: &'static str, call: impl Fn() -> Outcome + 'a) -> Case<'a> {
    Case { name, live: 1, reports: true, call: Box::new(call) }
}

/// The outcome of making a device description, which is released again.
fn released(call: impl FnOnce(*mut tiletc_core_info_t) -> tiletc_status_t) -> Outcome {
    let mut info = null_mut();
    let status = Status::from_code(call(&raw mut info)).unwrap();
    if !info.is_null() {
        ok(unsafe { tiletc_core_info_release(info) });
    }
    (status, !info.is_null())
}

/// Functions whose failure need not be the caller's: what they tell is asked for in another way as well or may
/// not be needed, they only explain an error, or give something back at the end of a handler.
const TOLERATED: [&str; 12] = [
    "clCreateKernelsInProgram",
    "clGetExtensionFunctionAddressForPlatform",
    "clGetKernelWorkGroupInfo",
    "clReleaseKernel",
    "clReleaseProgram",
    "zeDriverGet",
    "zeDriverGetProperties",
    "zeKernelDestroy",
    "zeModuleBuildLogDestroy",
    "zeModuleBuildLogGetString",
    "zeModuleDestroy",
    "zeModuleGetKernelNames",
];

/// Functions that ask a bundle for its spills, which need not be known, and later make a kernel of it, which has to be.
const ASK_FOR_SPILLS: [&str; 3] = ["zeKernelCreate", "zeKernelGetProperties", "zeKernelSetGroupSize"];

/// Code of an interface for a device that has vanished, and the name of that.
fn lost(interface: Interface) -> (i32, &'static str) {
    match interface {
        Interface::OpenCl => (-2, "CL_DEVICE_NOT_AVAILABLE"),
        Interface::LevelZero => (0x7000_0001, "ZE_RESULT_ERROR_DEVICE_LOST"),
    }
}

impl Case<'_> {
    /// Returns whether the case may succeed although a function has failed.
    fn tolerates(&self, function: &str) -> bool {
        let builds = self.name.starts_with("bundle") || self.name.starts_with("recipe");
        TOLERATED.contains(&function) || (builds && ASK_FOR_SPILLS.contains(&function))
    }

    /// Runs without a fault, and returns how many calls the driver has seen.
    fn succeeds(&self, fake: &Fake) -> i32 {
        fake.fail(0, 0);
        assert_eq!((self.call)(), (Status::Success, true), "{}", self.name);
        assert_eq!(fake.get("fake_live"), self.live, "{}", self.name);
        fake.get("fake_calls")
    }

    /// Checks what a fault has led to.
    fn is_failure(&self, world: &World, fake: &Fake, outcome: Outcome, what: &str) {
        let place = format!("{} when {} fails", self.name, fake.faulty());
        assert_eq!(outcome.1, self.live == -1, "{place}");
        let expected = match fake.faulty().as_str() {
            // The function it looks for is part of an extension.
            "clGetExtensionFunctionAddressForPlatform" => Status::UnavailableExtension,
            _ => Status::ComputeRuntimeError,
        };
        assert_eq!(outcome.0, expected, "{place}");
        assert!(fake.get("fake_live") <= 0, "{place}");
        let messages = world.messages();
        if self.reports {
            assert!(messages.contains(what), "{place}: {messages}");
        }
    }
}

#[test]
fn each_call_may_fail() {
    let Some(_) = scenario() else {
        let folder = Folder::new("each_call_may_fail");
        if Interface::ALL.into_iter().all(|interface| folder.add_fake(interface, None)) {
            folder.run("faults::each_call_may_fail", "all");
        }
        return;
    };
    let world = World::new();
    for interface in Interface::ALL {
        let fake = Fake::new(interface);
        let (code, name) = lost(interface);
        for case in world.cases(interface, &fake) {
            let calls = case.succeeds(&fake);
            assert!(calls > 0, "{}", case.name);
            let mut refused = Vec::new();
            for call in 1..=calls {
                fake.fail(call, code);
                let outcome = (case.call)();
                if outcome == (Status::Success, true) {
                    assert!(case.tolerates(&fake.faulty()), "{} {}", case.name, fake.faulty());
                    assert_eq!(fake.get("fake_live"), case.live, "{} {}", case.name, fake.faulty());
                } else {
                    case.is_failure(&world, &fake, outcome, &format!("{} failed: {name}", fake.faulty()));
                    refused.push(fake.faulty());
                }
                case.succeeds(&fake);
            }
            if case.name.starts_with("recipe") && interface == Interface::LevelZero {
                let made = |name: &str| refused.iter().any(|refused| refused == name);
                assert!(ASK_FOR_SPILLS.iter().all(|name| made(name)), "{refused:?}");
            }
            // The device has vanished.
            fake.fail(-1, code);
            let outcome = (case.call)();
            case.is_failure(&world, &fake, outcome, name);
            case.succeeds(&fake);
        }
    }
}

#[test]
fn each_call_may_do_nothing() {
    let Some(_) = scenario() else {
        let folder = Folder::new("each_call_may_do_nothing");
        if Interface::ALL.into_iter().all(|interface| folder.add_fake(interface, None)) {
            folder.run("faults::each_call_may_do_nothing", "all");
        }
        return;
    };
    let world = World::new();
    for interface in Interface::ALL {
        let fake = Fake::new(interface);
        for case in world.cases(interface, &fake) {
            let calls = case.succeeds(&fake);
            for call in (1..=calls).chain([-1]) {
                fake.fail(call, 0);
                let (status, stored) = (case.call)();
                let place = format!("{} when {} does nothing: {status:?}", case.name, fake.faulty());
                assert_eq!(status == Status::Success || case.live == -1, stored, "{place}");
                if status == Status::Success && call != -1 {
                    assert_eq!(fake.get("fake_live"), case.live, "{place}");
                }
                let makes = [
                    "clCreateProgramWithIL",
                    "clCreateProgramWithBinary",
                    "zeModuleCreate",
                    "zeKernelCreate",
                ];
                let tolerated = status == Status::Success && case.tolerates(&fake.faulty());
                if makes.contains(&fake.faulty().as_str()) && !tolerated {
                    case.is_failure(&world, &fake, (status, stored), "returned a null object");
                }
                world.messages();
                case.succeeds(&fake);
            }
        }
    }
}

#[test]
fn each_function_may_be_missing() {
    let test = "faults::each_function_may_be_missing";
    let Some(missing) = scenario() else {
        let folder = Folder::new("each_function_may_be_missing");
        for interface in Interface::ALL {
            let functions = interface.functions();
            assert!(functions.len() > 8, "{functions:?}");
            for name in functions {
                if !folder.add_fake(interface, Some(&name)) {
                    return;
                }
                folder.run(test, &name);
            }
        }
        return;
    };
    let world = World::new();
    let interface = if missing.starts_with("cl") { Interface::OpenCl } else { Interface::LevelZero };
    let fake = Fake::new(interface);
    for case in world.cases(interface, &fake) {
        fake.fail(0, 0);
        let outcome = (case.call)();
        if outcome != (Status::Success, true) {
            let what = format!("the installed driver has no function {missing}");
            case.is_failure(&world, &fake, outcome, &what);
        }
    }
}

#[test]
fn what_is_no_library_is_said_to_be_none() {
    let Some(_) = scenario() else {
        let folder = Folder::new("nonsense");
        for interface in Interface::ALL {
            folder.add_nonsense(interface);
        }
        folder.run("faults::what_is_no_library_is_said_to_be_none", "all");
        return;
    };
    let world = World::new();
    let (mut level, mut size) = (-1, [7; 3]);
    let failed = |(status, stored): Outcome, message: &str| {
        assert_eq!((status, stored), (Status::ComputeRuntimeError, false));
        assert!(world.heard.text().contains(message), "{}", world.heard.text());
        world.messages();
    };
    unsafe {
        let (context, device) = (without_provenance_mut(1), without_provenance_mut(2));
        expect(tiletc_cl_get_support_level(device, &raw mut level), Status::ComputeRuntimeError);
        expect(
            tiletc_cl_get_group_size(without_provenance_mut(4), size.as_mut_ptr()),
            Status::ComputeRuntimeError,
        );
        failed(
            outcome(|out| tiletc_cl_kernel_bundle_create_with_binary(out, context, device, world.spirv)),
            "OpenCL is not available: ",
        );
        let (context, device) = (without_provenance_mut(1), without_provenance_mut(2));
        expect(tiletc_ze_get_support_level(device, &raw mut level), Status::ComputeRuntimeError);
        failed(
            outcome(|out| tiletc_ze_kernel_bundle_create_with_binary(out, context, device, world.spirv)),
            "Level Zero is not available: ",
        );
    }
    assert_eq!((level, size), (-1, [7; 3]));
}

#[test]
fn answers_may_make_no_sense() {
    let Some(_) = scenario() else {
        let folder = Folder::new("answers_may_make_no_sense");
        if Interface::ALL.into_iter().all(|interface| folder.add_fake(interface, None)) {
            folder.run("faults::answers_may_make_no_sense", "all");
        }
        return;
    };
    let world = World::new();
    for interface in Interface::ALL {
        let fake = Fake::new(interface);
        let build = |expected: Status| {
            fake.fail(0, 0);
            let case =
                world.cases(interface, &fake).into_iter().find(|case| case.name == "bundle of a binary");
            let (status, stored) = (case.unwrap().call)();
            assert_eq!((status, stored), (expected, expected == Status::Success));
            assert_eq!(fake.get("fake_live"), i32::from(stored));
            world.messages()
        };
        // Build logs of all kinds.
        fake.set("fake_refuses", 1);
        for (log, expected) in [
            (0, "error: not good"),
            (1, "_FAILURE ("),
            (2, "\u{fffd}\u{fffd} evil \u{fffd}"),
            (3, "_FAILURE ("),
            (4, "error: not good\nerror: not good"),
        ] {
            fake.set("fake_log", log);
            let message = build(Status::ComputeRuntimeError);
            assert!(message.contains(expected), "{log}: {:.200}", message);
            // The beginning of an endless log is enough.
            assert!(log != 4 || (1000..10_000).contains(&message.len()), "{}", message.len());
        }
        fake.set("fake_log", 0);
        fake.set("fake_refuses", 0);
        build(Status::Success);

        // Native code of another device.
        let message = build_foreign_code(&world, interface);
        assert!(
            ["CL_INVALID_BINARY", "NATIVE_BINARY"].iter().any(|name| message.contains(name)),
            "{message}"
        );
    }

    // Lists of impossible length.
    let fake = Fake::new(Interface::OpenCl);
    for size in [1, 7, 1 << 40, usize::MAX / 8 * 8, usize::MAX] {
        fake.set_size("fake_list_size", size);
        for case in world.opencl(&fake).iter().take(3) {
            fake.fail(0, 0);
            let (status, stored) = (case.call)();
            assert_eq!(status == Status::Success, stored, "{} {size}", case.name);
            assert!(stored || fake.get("fake_live") == 0, "{} {size}", case.name);
        }
    }
    fake.set_size("fake_list_size", 0);

    // A module that builds, and has no kernels.
    let fake = Fake::new(Interface::LevelZero);
    fake.set("fake_no_kernels", 1);
    fake.fail(0, 0);
    let name = c("fused_kernel");
    let kernel =
        outcome(|out| unsafe { tiletc_ze_kernel_create(out, without_provenance_mut(3), name.as_ptr()) });
    assert_eq!((kernel, fake.get("fake_live")), ((Status::ComputeRuntimeError, false), 0));
}

/// Builds code that no driver has made; returns what is said about it.
fn build_foreign_code(world: &World, interface: Interface) -> String {
    let code = b"not of this device";
    let mut binary = null_mut();
    let outcome = unsafe {
        ok(tiletc_binary_create(&raw mut binary, world.context, 1, code.len(), code.as_ptr(), 0));
        match interface {
            Interface::OpenCl => {
                let (context, device) = (without_provenance_mut(1), without_provenance_mut(2));
                outcome(|out| tiletc_cl_kernel_bundle_create_with_binary(out, context, device, binary))
            }
            Interface::LevelZero => {
                let (context, device) = (without_provenance_mut(1), without_provenance_mut(2));
                outcome(|out| tiletc_ze_kernel_bundle_create_with_binary(out, context, device, binary))
            }
        }
    };
    ok(unsafe { tiletc_binary_release(binary) });
    assert_eq!(outcome, (Status::ComputeRuntimeError, false));
    world.messages()
}
