//! The request for the larger register file reaches the driver on every path, and what spills is built again with it.

use super::fakes::{Fake, Folder, Interface, scenario};
use super::*;
use std::ptr::without_provenance_mut;
use tiletc::ffi::binary::*;
use tiletc::ffi::cl::*;
use tiletc::ffi::compile::*;
use tiletc::ffi::core_info::*;
use tiletc::ffi::recipe::*;
use tiletc::ffi::recipe_handler::*;
use tiletc::ffi::ze::*;

/// Ways of a module to a driver.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Program,
    Binary,
    Native,
    Recipe,
}

/// Builds and the register file of the last one, after a module has taken its way.
struct Built {
    builds: i32,
    large: bool,
}

/// Core features as the C interface has them.
const LARGE: tiletc_core_feature_flags_t = 1;

struct World {
    _heard: Box<Heard>,
    context: tiletc_compiler_context_t,
}

impl World {
    /// Takes a module to the driver. `attributes` are those of the function; a recipe has none.
    fn build(
        &self,
        (interface, fake): (Interface, &Fake),
        way: Way,
        attributes: &str,
        features: tiletc_core_feature_flags_t,
    ) -> Built {
        fake.fail(0, 0);
        fake.set("fake_builds", 0);
        let text = KERNEL.replacen("{", &format!(" attributes{{{attributes}}} {{"), 1);
        let program = parse(&text, self.context);
        let (mut info, mut binary) = (null_mut(), null_mut());
        let pvc = c("pvc");
        unsafe {
            ok(tiletc_core_info_intel_create_from_name(&raw mut info, pvc.as_ptr()));
            ok(tiletc_core_info_set_core_features(info, features));
            match way {
                Way::Program => self.program(interface, program, features),
                Way::Binary => {
                    ok(tiletc_prog_compile_to_spirv_and_assemble(&raw mut binary, program, info));
                    self.binary(interface, binary);
                }
                Way::Native => {
                    // What each of the fakes takes for its own.
                    let code: &[u8] = if interface == Interface::OpenCl { b"fake code" } else { b"native" };
                    let (size, code) = (code.len(), code.as_ptr());
                    ok(tiletc_binary_create(&raw mut binary, self.context, 1, size, code, features));
                    self.binary(interface, binary);
                }
                Way::Recipe => self.recipe(interface, info),
            }
            if !binary.is_null() {
                ok(tiletc_binary_release(binary));
            }
            ok(tiletc_core_info_release(info));
            ok(tiletc_prog_release(program));
        }
        Built { builds: fake.get("fake_builds"), large: fake.get("fake_large_register_file") == 1 }
    }

    unsafe fn program(
        &self,
        interface: Interface,
        program: tiletc_prog_t,
        features: tiletc_core_feature_flags_t,
    ) {
        let (context, device) = (1, 2);
        match interface {
            Interface::OpenCl => {
                let (context, device) = (without_provenance_mut(context), without_provenance_mut(device));
                let mut bundle = null_mut();
                ok(unsafe {
                    tiletc_cl_kernel_bundle_create_with_program(
                        &raw mut bundle,
                        context,
                        device,
                        program,
                        features,
                    )
                });
            }
            Interface::LevelZero => {
                let (context, device) = (without_provenance_mut(context), without_provenance_mut(device));
                let mut bundle = null_mut();
                ok(unsafe {
                    tiletc_ze_kernel_bundle_create_with_program(
                        &raw mut bundle,
                        context,
                        device,
                        program,
                        features,
                    )
                });
            }
        }
    }

    unsafe fn binary(&self, interface: Interface, binary: tiletc_binary_t) {
        match interface {
            Interface::OpenCl => {
                let (context, device) = (without_provenance_mut(1), without_provenance_mut(2));
                let mut bundle = null_mut();
                ok(unsafe {
                    tiletc_cl_kernel_bundle_create_with_binary(&raw mut bundle, context, device, binary)
                });
            }
            Interface::LevelZero => {
                let (context, device) = (without_provenance_mut(1), without_provenance_mut(2));
                let mut bundle = null_mut();
                ok(unsafe {
                    tiletc_ze_kernel_bundle_create_with_binary(&raw mut bundle, context, device, binary)
                });
            }
        }
    }

    unsafe fn recipe(&self, interface: Interface, info: tiletc_core_info_t) {
        let (mut recipe, mut f32_type, mut handler) = (null_mut(), null_mut(), null_mut());
        unsafe {
            ok(tiletc_f32_type_get(&raw mut f32_type, self.context));
            #[rustfmt::skip]
            ok(tiletc_recipe_small_gemm_batched_create(
                &raw mut recipe, info, f32_type, 0, 0, 8, 8, 8, 8, 64, 8, 64, 8, 64,
            ));
            match interface {
                Interface::OpenCl => {
                    let (context, device) = (without_provenance_mut(1), without_provenance_mut(2));
                    ok(tiletc_cl_recipe_handler_create(&raw mut handler, context, device, recipe));
                }
                Interface::LevelZero => {
                    let (context, device) = (without_provenance_mut(1), without_provenance_mut(2));
                    ok(tiletc_ze_recipe_handler_create(&raw mut handler, context, device, recipe));
                }
            }
            ok(tiletc_recipe_handler_release(handler));
            ok(tiletc_recipe_release(recipe));
        }
    }
}

fn each_interface(test: &str, check: impl Fn(&World, Interface, &Fake)) {
    let Some(_) = scenario() else {
        let folder = Folder::new(&test.replace("::", "-"));
        if Interface::ALL.into_iter().all(|interface| folder.add_fake(interface, None)) {
            folder.run(test, "all");
        }
        return;
    };
    let heard = Box::<Heard>::default();
    let world = World { context: context_with(&heard), _heard: heard };
    for interface in Interface::ALL {
        check(&world, interface, &Fake::new(interface));
    }
    ok(unsafe { tiletc_compiler_context_release(world.context) });
}

#[test]
fn the_request_reaches_the_driver() {
    each_interface("register_files::the_request_reaches_the_driver", |world, interface, fake| {
        for way in [Way::Program, Way::Binary, Way::Native, Way::Recipe] {
            for features in [0, LARGE] {
                let built = world.build((interface, fake), way, "", features);
                assert_eq!((built.builds, built.large), (1, features == LARGE), "{interface:?} {way:?}");
            }
        }
        // The compiler's own request, and that of the text.
        for way in [Way::Program, Way::Binary] {
            let built = world.build((interface, fake), way, "\"grf_size\"=256", 0);
            assert_eq!((built.builds, built.large), (1, true), "{interface:?} {way:?}");
        }
    });
}

#[test]
fn what_spills_is_built_again() {
    each_interface("register_files::what_spills_is_built_again", |world, interface, fake| {
        fake.set("fake_spills", 448);
        for way in [Way::Program, Way::Binary, Way::Recipe] {
            let built = world.build((interface, fake), way, "", 0);
            assert_eq!((built.builds, built.large), (2, true), "{interface:?} {way:?}");
            let built = world.build((interface, fake), way, "", LARGE);
            assert_eq!((built.builds, built.large), (1, true), "{interface:?} {way:?}");
        }
        // The attribute has the last word, and native code is what it is.
        for (way, attributes) in
            [(Way::Program, "\"grf_size\"=128"), (Way::Binary, "\"grf_size\"=128"), (Way::Native, "")]
        {
            let built = world.build((interface, fake), way, attributes, 0);
            assert_eq!((built.builds, built.large), (1, false), "{interface:?} {way:?}");
        }
        // One of both is kept, the other one given back.
        for (in_large, fit) in [(0, 1024), (64, 1024), (448, 1024), (0, 64)] {
            fake.set("fake_spills_in_large", in_large);
            fake.set("fake_fit_in_large", fit);
            let built = world.build((interface, fake), Way::Program, "", 0);
            assert_eq!((built.builds, fake.get("fake_live")), (2, 1), "{interface:?} {in_large} {fit}");
        }
    });
}
