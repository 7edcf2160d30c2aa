//! The driver: one, with all devices.

use crate::abi::{self, Chain, Handle, In, Out, fill_text};
use crate::device::Device;
use crate::runtime::{runtime, start};
use crate::status::{enter, last_description, refuse, require};
use crate::{context, extensions, properties};
use level_zero_sys::*;
use std::ffi::{c_char, c_void};

/// The driver has nothing of its own; there is only one.
pub struct Driver;
objects!(Driver);

/// Version of the driver, which programs only compare.
const VERSION: u32 = 1;
/// The version of Level Zero that is implemented, and asked of loaders.
pub(crate) const API_VERSION: ze_api_version_t = 0x0001_000e;

/// Kinds of drivers that a program asks for, as `zeInitDrivers` takes it; of a later header than ours.
#[repr(C)]
pub struct InitDriverType {
    stype: ze_structure_type_t,
    pNext: *const c_void,
    flags: u32,
}
const INIT_DRIVER_TYPE_GPU: u32 = 1;

#[unsafe(no_mangle)]
pub extern "C" fn zeInit(flags: ze_init_flags_t) -> ze_result_t {
    enter(|| {
        require(flags <= ZE_INIT_FLAG_GPU_ONLY | ZE_INIT_FLAG_VPU_ONLY, ZE_RESULT_ERROR_INVALID_ENUMERATION)?;
        // Only other kinds of devices are asked for.
        require(flags != ZE_INIT_FLAG_VPU_ONLY, ZE_RESULT_ERROR_UNINITIALIZED)?;
        start().map(drop)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeInitDrivers(
    count: Out<u32>,
    drivers: Out<Handle<Driver>>,
    desc: In<InitDriverType>,
) -> ze_result_t {
    enter(|| {
        let desc = desc.get()?;
        count.get()?;
        require(desc.flags != 0, ZE_RESULT_ERROR_INVALID_ENUMERATION)?;
        require(desc.flags & INIT_DRIVER_TYPE_GPU != 0, ZE_RESULT_ERROR_UNINITIALIZED)?;
        let driver = start()?.driver;
        abi::list(count, drivers, 1, |_, place| *place = driver)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeDriverGet(count: Out<u32>, drivers: Out<Handle<Driver>>) -> ze_result_t {
    enter(|| {
        let driver = runtime()?.driver;
        abi::list(count, drivers, 1, |_, place| *place = driver)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeDriverGetApiVersion(
    driver: Handle<Driver>,
    version: Out<ze_api_version_t>,
) -> ze_result_t {
    enter(|| {
        driver.get()?;
        version.set(API_VERSION)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeDriverGetProperties(
    driver: Handle<Driver>,
    properties: Out<ze_driver_properties_t>,
) -> ze_result_t {
    enter(|| {
        driver.get()?;
        let properties = properties.get()?;
        properties.uuid.id = properties::uuid(u64::from(VERSION), u64::MAX);
        properties.driverVersion = VERSION;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeDriverGetIpcProperties(
    driver: Handle<Driver>,
    properties: Out<ze_driver_ipc_properties_t>,
) -> ze_result_t {
    enter(|| {
        driver.get()?;
        // Nothing is shared between processes.
        properties.get()?.flags = 0;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeDriverGetExtensionProperties(
    driver: Handle<Driver>,
    count: Out<u32>,
    properties: Out<ze_driver_extension_properties_t>,
) -> ze_result_t {
    enter(|| {
        driver.get()?;
        let all = extensions::ALL;
        abi::list(count, properties, all.len(), |index, place| {
            if let Some(&(name, version)) = all.get(index) {
                fill_text(&mut place.name, name);
                place.version = version;
            }
        })
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeDriverGetExtensionFunctionAddress(
    driver: Handle<Driver>,
    name: In<c_char>,
    address: Out<*mut c_void>,
) -> ze_result_t {
    enter(|| {
        driver.get()?;
        name.text()?;
        address.set(std::ptr::null_mut())?;
        // Whatever there is has a name of its own.
        refuse(ZE_RESULT_ERROR_INVALID_ARGUMENT)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeDriverGetLastErrorDescription(
    driver: Handle<Driver>,
    description: Out<*const c_char>,
) -> ze_result_t {
    enter(|| {
        driver.get()?;
        description.set(last_description())
    })
}

/// The context that all of the driver's devices share without having been asked for; null without a driver.
#[unsafe(no_mangle)]
pub extern "C" fn zeDriverGetDefaultContext(driver: Handle<Driver>) -> Handle<context::Context> {
    match driver.get() {
        Ok(_) => context::default(),
        Err(_) => Handle::NULL,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn zeDeviceGet(
    driver: Handle<Driver>,
    count: Out<u32>,
    devices: Out<Handle<Device>>,
) -> ze_result_t {
    enter(|| {
        driver.get()?;
        let all = &runtime()?.devices;
        abi::list(count, devices, all.len(), |index, place| {
            if let Some((handle, _)) = all.get(index) {
                *place = *handle;
            }
        })
    })
}

/// A loader's way to ask without knowing a driver.
#[unsafe(no_mangle)]
pub extern "C" fn zerGetLastErrorDescription(description: Out<*const c_char>) -> ze_result_t {
    enter(|| description.set(last_description()))
}

/// The number of a device among all; the largest number if it is none of these.
#[unsafe(no_mangle)]
pub extern "C" fn zerTranslateDeviceHandleToIdentifier(device: Handle<Device>) -> u32 {
    let devices = runtime().ok().map(|runtime| runtime.devices.as_slice());
    let place =
        devices.and_then(|devices| devices.iter().position(|(known, _)| known.number() == device.number()));
    place.map_or(u32::MAX, |place| place as u32)
}

/// The device of a number; null if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn zerTranslateIdentifierToDeviceHandle(number: u32) -> Handle<Device> {
    let devices = runtime().ok().map(|runtime| runtime.devices.as_slice());
    devices.and_then(|devices| devices.get(number as usize)).map_or(Handle::NULL, |(handle, _)| *handle)
}

/// [`zeDriverGetDefaultContext`] without a driver; null before one has been started.
#[unsafe(no_mangle)]
pub extern "C" fn zerGetDefaultContext() -> Handle<context::Context> {
    if runtime().is_ok() { context::default() } else { Handle::NULL }
}

/// The chain of a structure that is filled in.
pub(crate) fn chain(next: *mut c_void) -> Chain {
    Chain::new(next)
}
