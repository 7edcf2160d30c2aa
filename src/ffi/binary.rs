//! Binaries (API reference 3.9).

use super::arg::{Out, array, copy};
use super::call::call;
use super::context::Context;
use super::handle::{Handle, Object, release, retain};
use super::spv_mod::SpvMod;
use super::types::*;
use crate::device::CoreFeatures;
use crate::runtime::{self, BundleFormat};
use crate::status::Status;

/// Bytes for a driver and how to build them; keeps its context alive.
pub(super) struct Binary {
    pub(super) context: Handle<Context>,
    pub(super) binary: runtime::Binary,
}

impl Object for Binary {
    type Opaque = tiletc_binary;
    const TAG: u64 = u64::from_be_bytes(*b"tiletc:b");
}

impl Binary {
    /// The binary of a module.
    pub(super) fn assemble(module: &SpvMod) -> Self {
        Binary { context: module.context.clone(), binary: runtime::Binary::from(&module.module) }
    }
}

/// Creates a binary from a copy of `data`, which is not inspected and not NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_binary_create(
    bin: *mut tiletc_binary_t,
    ctx: tiletc_compiler_context_t,
    format: tiletc_bundle_format_t,
    data_size: usize,
    data: *const u8,
    core_features: tiletc_core_feature_flags_t,
) -> tiletc_status_t {
    call(|| {
        if data.is_null() {
            return Err(Status::InvalidArguments);
        }
        // SAFETY: the caller passes NULL or, in order, a writable place, a live handle and `data_size`
        // bytes.
        let (out, context, data) =
            unsafe { (Out::new(bin)?, Handle::<Context>::share(ctx)?, copy(array(data, data_size)?)?) };
        let known = [BundleFormat::Spirv, BundleFormat::Native];
        let format = known.into_iter().find(|known| *known as tiletc_bundle_format_t == format);
        let format = format.ok_or(Status::InvalidArguments)?;
        let binary = runtime::Binary::new(format, data, CoreFeatures::from_bits(core_features));
        out.set(Handle::new(Binary { context, binary }).into_raw());
        Ok(())
    })
}

/// Adds a reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_binary_retain(bin: tiletc_binary_t) -> tiletc_status_t {
    retain::<Binary>(bin)
}

/// Drops a reference and frees the binary with the last one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_binary_release(bin: tiletc_binary_t) -> tiletc_status_t {
    release::<Binary>(bin)
}

/// Gets the context, without a new reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_binary_get_compiler_context(
    bin: const_tiletc_binary_t,
    ctx: *mut tiletc_compiler_context_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
        let (binary, out) = unsafe { (Handle::<Binary>::share(bin)?, Out::new(ctx)?) };
        out.set(binary.context.as_raw());
        Ok(())
    })
}

/// Gets the format and the bytes, which are valid while the binary lives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_binary_get_raw(
    bin: const_tiletc_binary_t,
    format: *mut tiletc_bundle_format_t,
    data_size: *mut usize,
    data: *mut *const u8,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and three writable places.
        let (binary, format, size, bytes) = unsafe {
            (Handle::<Binary>::share(bin)?, Out::new(format)?, Out::new(data_size)?, Out::new(data)?)
        };
        format.set(binary.binary.format() as tiletc_bundle_format_t);
        size.set(binary.binary.data().len());
        bytes.set(binary.binary.data().as_ptr());
        Ok(())
    })
}

/// Gets the core features that the binary was compiled for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_binary_get_core_features(
    bin: const_tiletc_binary_t,
    core_features: *mut tiletc_core_feature_flags_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
        let (binary, out) = unsafe { (Handle::<Binary>::share(bin)?, Out::new(core_features)?) };
        out.set(binary.binary.core_features().bits());
        Ok(())
    })
}
