//! Recipes: what is made, and what is refused with which reason.

use super::*;
use std::ptr::null;
use tiletc::ffi::binary::*;
use tiletc::ffi::recipe::*;
use tiletc::ffi::recipe_handler::*;

const DYNAMIC: i64 = i64::MIN;

/// A context, a device, and the type f32.
pub struct World {
    context: tiletc_compiler_context_t,
    pub info: tiletc_core_info_t,
    f32: tiletc_type_t,
}

impl World {
    fn with(context: tiletc_compiler_context_t) -> World {
        let mut f32 = null_mut();
        ok(unsafe { tiletc_f32_type_get(&raw mut f32, context) });
        World { context, info: device("pvc"), f32 }
    }

    pub fn new() -> World {
        World::with(new_context())
    }

    /// A batch of 4 x 3 x 2, with the sizes M and ldA given.
    fn batch(&self, recipe: *mut tiletc_recipe_t, number: tiletc_type_t, m: i64, ld: i64) -> tiletc_status_t {
        unsafe {
            tiletc_recipe_small_gemm_batched_create(
                recipe, self.info, number, 0, 0, m, 3, 2, ld, 8, 2, 6, 4, 12,
            )
        }
    }

    pub fn some_batch(&self) -> tiletc_recipe_t {
        let mut recipe = null_mut();
        ok(self.batch(&raw mut recipe, self.f32, 4, 4));
        recipe
    }

    pub fn some_tall(&self) -> tiletc_recipe_t {
        let mut recipe = null_mut();
        ok(unsafe {
            tiletc_recipe_tall_and_skinny_create_specialized(
                &raw mut recipe,
                self.info,
                self.f32,
                300,
                3,
                5,
                DYNAMIC,
                5,
                DYNAMIC,
                0,
                0,
                0,
                0,
            )
        });
        recipe
    }
}

impl Drop for World {
    fn drop(&mut self) {
        unsafe {
            ok(tiletc_core_info_release(self.info));
            ok(tiletc_compiler_context_release(self.context));
        }
    }
}

#[test]
fn a_recipe_keeps_program_and_binary() {
    let world = World::new();
    let recipe = world.some_batch();
    let (mut program, mut again, mut binary, mut context) = (null_mut(), null_mut(), null_mut(), null_mut());
    let (mut format, mut size, mut bytes) = (-1, 0, null());
    unsafe {
        ok(tiletc_recipe_get_prog(recipe, &raw mut program));
        ok(tiletc_recipe_get_prog(recipe, &raw mut again));
        ok(tiletc_recipe_get_binary(recipe, &raw mut binary));
        ok(tiletc_prog_get_compiler_context(program, &raw mut context));
        assert_eq!((program, context), (again, world.context));
        let mut text = null_mut();
        ok(tiletc_prog_print_to_string(program, &raw mut text));
        let text = take_string(text);
        // Lowered: the product is a loop by now.
        assert!(text.contains("func @gemm(") && text.contains("func @gemm_beta0("), "{text}");
        assert!(text.contains("subgroup_size") && !text.contains("gemm %alpha"), "{text}");
        ok(tiletc_binary_get_raw(binary, &raw mut format, &raw mut size, &raw mut bytes));
        assert_eq!((format, bytes.cast::<u32>().read()), (0, 0x0723_0203));
        // Getters take no reference, and what they get can be kept.
        ok(tiletc_prog_retain(program));
        ok(tiletc_recipe_retain(recipe));
        ok(tiletc_recipe_release(recipe));
        ok(tiletc_recipe_release(recipe));
        let mut text = null_mut();
        ok(tiletc_prog_print_to_string(program, &raw mut text));
        take_string(text);
        ok(tiletc_prog_release(program));
    }
}

#[test]
fn a_recipe_outlives_what_it_was_made_of() {
    let recipe = World::new().some_tall();
    let mut binary = null_mut();
    unsafe {
        ok(tiletc_recipe_get_binary(recipe, &raw mut binary));
        ok(tiletc_binary_retain(binary));
        ok(tiletc_recipe_release(recipe));
        ok(tiletc_binary_release(binary));
    }
}

#[test]
fn recipes_are_refused_with_a_reason() {
    let heard = Heard::default();
    let world = World::with(context_with(&heard));
    let (mut recipe, mut f64, mut boolean, mut void) = (null_mut(), null_mut(), null_mut(), null_mut());
    let out = &raw mut recipe;
    unsafe {
        ok(tiletc_f64_type_get(&raw mut f64, world.context));
        ok(tiletc_boolean_type_get(&raw mut boolean, world.context));
        ok(tiletc_void_type_get(&raw mut void, world.context));
    }
    expect(world.batch(out, world.f32, DYNAMIC, 4), Status::InvalidArguments);
    expect(world.batch(out, world.f32, 0, 4), Status::IrInvalidShape);
    expect(world.batch(out, world.f32, 4, -4), Status::IrInvalidShape);
    expect(world.batch(out, boolean, 4, 4), Status::IrExpectedNumber);
    expect(world.batch(out, void, 4, 4), Status::IrExpectedNumber);
    expect(world.batch(out, world.f32, 4, 3), Status::IrInvalidShape);
    let text = heard.text();
    assert!(text.contains("ldA = 3, which must be at least M = 4"), "{text}");
    for message in ["M must not be dynamic", "M = 0, which must be positive", "a recipe of bool", "of void"] {
        assert!(text.contains(message), "{text}");
    }
    // The parameters are shown like a source.
    assert!(text.contains("<recipe>:1.1-"), "{text}");
    assert!(text.contains("small_gemm_batched(f32, n, n, M=0, N=3, K=2, ldA=4, strideA=8"), "{text}");

    // A device without double precision.
    let sizes = [16];
    unsafe {
        let mut info = null_mut();
        ok(tiletc_core_info_generic_create(&raw mut info, 4096, 64, 1, sizes.as_ptr()));
        let create = tiletc_recipe_tall_and_skinny_create;
        expect(create(out, info, f64, 3, 5, 0), Status::SpirvRequiredFeatureUnavailable);
        expect(create(out, info, world.f32, 3, 5, -1), Status::IrInvalidShape);
        expect(create(out, info, world.f32, DYNAMIC, 5, 0), Status::InvalidArguments);
        let mut block = -1;
        ok(tiletc_recipe_tall_and_skinny_suggest_block_size(info, &raw mut block));
        assert_eq!(block, 64);
        ok(tiletc_core_info_release(info));
        ok(tiletc_core_info_generic_create(&raw mut info, 4096, 0, 1, sizes.as_ptr()));
        let suggest = tiletc_recipe_tall_and_skinny_suggest_block_size;
        expect(suggest(info, &raw mut block), Status::InvalidCoreInfo);
        expect(create(out, info, world.f32, 3, 5, 0), Status::InvalidCoreInfo);
        ok(tiletc_core_info_release(info));
        assert_eq!(block, 64);
    }
    assert!(recipe.is_null());
}

#[test]
fn null_and_what_is_no_enumerator_are_refused() {
    let world = World::new();
    let (mut recipe, mut block, mut program, mut binary) = (null_mut(), 7, null_mut(), null_mut());
    let (out, info, f32) = (&raw mut recipe, world.info, world.f32);
    let batch = |out, info, f32, t_a, t_b| unsafe {
        tiletc_recipe_small_gemm_batched_create(out, info, f32, t_a, t_b, 4, 3, 2, 4, 8, 2, 6, 4, 12)
    };
    refused(batch(null_mut(), info, f32, 0, 0));
    refused(batch(out, null_mut(), f32, 0, 0));
    refused(batch(out, info, null_mut(), 0, 0));
    refused(batch(out, info, f32, 2, 0));
    refused(batch(out, info, f32, 0, -1));
    refused(batch(out, world.context.cast(), f32, 0, 0));
    refused(batch(out, info, info.cast(), 0, 0));
    unsafe {
        refused(tiletc_recipe_tall_and_skinny_create(null_mut(), info, f32, 3, 5, 0));
        refused(tiletc_recipe_tall_and_skinny_create(out, null(), f32, 3, 5, 0));
        refused(tiletc_recipe_tall_and_skinny_create(out, info, null_mut(), 3, 5, 0));
        refused(tiletc_recipe_tall_and_skinny_suggest_block_size(null(), &raw mut block));
        refused(tiletc_recipe_tall_and_skinny_suggest_block_size(info, null_mut()));
        refused(tiletc_recipe_get_prog(null(), &raw mut program));
        refused(tiletc_recipe_get_binary(null(), &raw mut binary));
        refused(tiletc_recipe_retain(null_mut()));
        refused(tiletc_recipe_release(null_mut()));
        refused(tiletc_recipe_release(info.cast()));
        refused(tiletc_recipe_handler_retain(null_mut()));
        refused(tiletc_recipe_handler_release(null_mut()));
        refused(tiletc_recipe_handler_get_recipe(null(), out));
        let batch = world.some_batch();
        refused(tiletc_recipe_get_prog(batch, null_mut()));
        refused(tiletc_recipe_get_binary(batch, null_mut()));
        ok(tiletc_recipe_release(batch));
    }
    assert!(recipe.is_null() && program.is_null() && binary.is_null());
    assert_eq!(block, 7);
}
