//! Entry points that make the library a loader where there is none, or one that is too old.
//!
//! Programs are linked to a loader of the name `libze_loader.so.1`, or open it by this name; Intel's SYCL runtime
//! carries the half of a newer one, which opens the other half and asks it for its version, its tables, and
//! whether there are drivers. The functions here are those it asks with.

use crate::abi::{Out, fill_text};
use crate::driver::API_VERSION;
use crate::runtime::start;
use crate::status::{Outcome, enter, require};
use level_zero_sys::*;
use std::ffi::{c_char, c_int, c_void};

/// Version of the loader that is stood in for: the first of those that know version 1.14 of Level Zero.
const VERSION: Version = Version { major: 1, minor: 24, patch: 0 };

/// A version, as loaders have it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Version {
    major: c_int,
    minor: c_int,
    patch: c_int,
}

/// A part of the loader, and its version.
#[repr(C)]
pub struct Component {
    name: [c_char; 64],
    api: ze_api_version_t,
    library: Version,
}

fn versions(count: Out<usize>, places: Out<Component>) -> Outcome {
    let count = count.get()?;
    if places.is_null() || *count == 0 {
        *count = 1;
        return Ok(());
    }
    *count = 1;
    let place = places.get()?;
    fill_text(&mut place.name, "loader");
    place.api = API_VERSION;
    place.library = VERSION;
    Ok(())
}

#[unsafe(no_mangle)]
pub extern "C" fn zeLoaderInit() -> ze_result_t {
    enter(|| Ok(()))
}

/// There is no library for listening to calls.
#[unsafe(no_mangle)]
pub extern "C" fn zeLoaderGetTracingHandle() -> *mut c_void {
    std::ptr::null_mut()
}

#[unsafe(no_mangle)]
pub extern "C" fn zelLoaderGetVersions(count: Out<usize>, places: Out<Component>) -> ze_result_t {
    enter(|| versions(count, places))
}

#[unsafe(no_mangle)]
pub extern "C" fn zelLoaderGetVersionsInternal(count: Out<usize>, places: Out<Component>) -> ze_result_t {
    enter(|| versions(count, places))
}

#[unsafe(no_mangle)]
pub extern "C" fn zelGetLoaderVersion(place: Out<Component>) -> ze_result_t {
    enter(|| {
        place.get()?;
        let mut one = 1usize;
        versions(Out::from(&mut one), place)
    })
}

/// Returns whether there is a driver. Tables are the driver's own, so that they need not be asked for again.
#[unsafe(no_mangle)]
pub extern "C" fn zelLoaderDriverCheck(
    _flags: ze_init_flags_t,
    _desc: *const c_void,
    _global: *mut c_void,
    _sysman: *mut c_void,
    is_outdated: Out<u8>,
    _sysman_only: u8,
) -> ze_result_t {
    enter(|| {
        is_outdated.set(0)?;
        start().map(drop)
    })
}

/// Handles are the driver's own.
#[unsafe(no_mangle)]
pub extern "C" fn zelLoaderTranslateHandle(
    _kind: c_int,
    handle: *mut c_void,
    translated: Out<*mut c_void>,
) -> ze_result_t {
    enter(|| {
        require(!handle.is_null(), ZE_RESULT_ERROR_INVALID_NULL_HANDLE)?;
        translated.set(handle)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zelLoaderTranslateHandleInternal(
    kind: c_int,
    handle: *mut c_void,
    translated: Out<*mut c_void>,
) -> ze_result_t {
    zelLoaderTranslateHandle(kind, handle, translated)
}
