//! Kernel bundles through whichever interface to a driver, and the cache of the context before it.

use super::binary::Binary;
use super::call::Outcome;
use super::context::Context;
use super::program::Program;
use super::spv_mod::SpvMod;
use crate::driver;
use crate::runtime::cache::Key;
use crate::runtime::{self, BundleFormat, Error};
use crate::target::{CoreFeatures, CoreInfo};

/// A device of a context of the user's, through one of the interfaces.
pub(super) trait Device {
    /// The interface's kernel bundle.
    type Bundle;

    /// Has the driver build a binary.
    fn build(&self, binary: &runtime::Binary) -> Result<Self::Bundle, Error>;

    /// What the driver made of the binary.
    fn native_binary(&self, bundle: &Self::Bundle) -> Result<Vec<u8>, Error>;

    /// Names interface, device and driver: native binaries are good where this text is the same.
    fn identity(&self) -> Result<String, Error>;
}

/// Compiles and builds a program. It stays as it is, whether or not there is a cache and whatever that holds;
/// the next step could otherwise tell a hit from a miss.
pub(super) fn with_program<D: Device>(device: &D, program: &Program, info: &CoreInfo) -> Outcome<D::Bundle> {
    program.report_warnings()?;
    let (context, program) = (&program.context, &program.functions());
    let build = || {
        let module =
            context.work(|state| driver::compile_copy(&mut state.ir, program, info, &state.options))?;
        build(device, &Binary::assemble(&SpvMod { context: context.clone(), module }))
    };
    let parts = context.work(|state| {
        let has_cache = state.cache.is_some();
        Ok(has_cache.then(|| driver::fingerprint(&state.ir, program, info, &state.options)))
    })?;
    let Some([text, info_text, options]) = parts else { return build() };
    let parts = [b"program".as_slice(), text.as_bytes(), info_text.as_bytes(), options.as_bytes()];
    cached(device, context, info.core_features(), &parts, build)
}

/// Builds a binary.
pub(super) fn with_binary<D: Device>(device: &D, binary: &Binary) -> Outcome<D::Bundle> {
    let build = || build(device, binary);
    let Binary { context, binary } = binary;
    match binary.format() {
        BundleFormat::Native => build(),
        BundleFormat::Spirv => {
            let features = binary.core_features();
            let parts = [b"binary".as_slice(), &features.bits().to_le_bytes(), binary.data()];
            cached(device, context, features, &parts, build)
        }
    }
}

/// Has the driver build a binary; what it says against it goes to the binary's context.
fn build<D: Device>(device: &D, binary: &Binary) -> Outcome<D::Bundle> {
    let bundle = device.build(&binary.binary);
    bundle.map_err(|error| binary.context.fail(error.status(), error.to_string()))
}

/// The bundle that the cache of the context holds, or else what `build` makes. The parts and the device decide
/// what that is; its binary is loaded with the core features.
fn cached<D: Device>(
    device: &D,
    context: &Context,
    core_features: CoreFeatures,
    parts: &[&[u8]],
    build: impl FnOnce() -> Outcome<D::Bundle>,
) -> Outcome<D::Bundle> {
    let Some(cache) = context.lock().cache.clone() else { return build() };
    // What an unknown driver makes must not be taken for the work of another one.
    let Ok(identity) = device.identity() else { return build() };
    let key = Key::new(&[&[identity.as_bytes()], parts].concat());
    let load = |native| device.build(&runtime::Binary::new(BundleFormat::Native, native, core_features)).ok();
    cache.get_or_build(&key, load, build, |bundle| device.native_binary(bundle).ok())
}
