//! Declarations of Level Zero: the functions and types tiletc uses, and a table that loads them at run time.
//!
//! The module `bindings` is bindgen's output for `level_zero/ze_api.h` (API version 1.4), committed so that a
//! build needs neither the header nor libclang. `cargo xtask bindings` renews it; what it asks bindgen for
//! is listed in `xtask/src/bindings.rs`. Nothing links the loader: [`LevelZero::new`] opens it by name and
//! each function it lacks is an error in its own field.
//! The header is Intel's, under the MIT licence (`LICENSE-level-zero`).
//!
//! Declarations that later versions of the API added and tiletc needs, written by hand.

#[allow(non_camel_case_types, non_snake_case, non_upper_case_globals, missing_docs)]
#[allow(clippy::all, clippy::undocumented_unsafe_blocks, rustdoc::all)]
mod bindings;

pub use bindings::*;

/// Structure type of [`ze_device_ip_version_ext_t`].
pub const ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT: ze_structure_type_t = 0x1_000f;

/// Extension `ZE_extension_device_ip_version`: chained to `ze_device_properties_t`, it receives the IP version.
#[repr(C)]
#[derive(Debug, Copy, Clone)]
#[allow(non_camel_case_types, non_snake_case)]
pub struct ze_device_ip_version_ext_t {
    /// [`ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT`].
    pub stype: ze_structure_type_t,
    /// Next structure of the chain, or null.
    pub pNext: *mut core::ffi::c_void,
    /// Architecture, release and revision of the device's IP block.
    pub ipVersion: u32,
}

const _: () = assert!(size_of::<ze_device_ip_version_ext_t>() == 24);
