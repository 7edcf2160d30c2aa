//! The devices of this machine.

use std::ffi::CStr;
use std::ptr;

use level_zero_sys::{ze_device_handle_t, ze_device_properties_t, ze_driver_handle_t};

use super::driver::{Driver, call};
use crate::runtime::{DeviceSummary, Error, answer};

/// All devices of all drivers. Initialises Level Zero.
///
/// # Errors
/// [`Error::DriverMissing`] if there is no loader; whatever a driver fails with.
pub fn devices() -> Result<Vec<DeviceSummary>, Error> {
    let driver = Driver::get()?;
    let summary = |(_, device)| {
        // SAFETY: the driver has just listed the device.
        let (properties, _) = unsafe { driver.device_properties(device) }?;
        // SAFETY: as before.
        let core_info = unsafe { driver.core_info(device) };
        Ok(DeviceSummary { name: name(&properties), core_info })
    };
    all_devices(driver)?.into_iter().map(summary).collect()
}

/// The name of a device.
pub(super) fn name(properties: &ze_device_properties_t) -> String {
    // Only its characters up to the first NUL count.
    let name: Vec<u8> = properties.name.iter().map(|&character| character.cast_unsigned()).collect();
    CStr::from_bytes_until_nul(&name).unwrap_or_default().to_string_lossy().into_owned()
}

/// The same as handles, each with that of its driver.
pub(super) fn all_devices(driver: &Driver) -> Result<Vec<(ze_driver_handle_t, ze_device_handle_t)>, Error> {
    // SAFETY: no flags; it may be called any number of times.
    unsafe { call!(driver, zeInit(0)) }?;
    let mut all = Vec::new();
    for handle in drivers(driver)? {
        all.extend(devices_of(driver, handle)?.into_iter().map(|device| (handle, device)));
    }
    Ok(all)
}

fn drivers(driver: &Driver) -> Result<Vec<ze_driver_handle_t>, Error> {
    let mut count = 0;
    // SAFETY: the number is stored, then as many handles as there is room for.
    unsafe {
        call!(driver, zeDriverGet(&mut count, ptr::null_mut()))?;
        let length = usize::try_from(count).unwrap_or(usize::MAX);
        let mut handles = answer::buffer("zeDriverGet", length, ptr::null_mut())?;
        call!(driver, zeDriverGet(&mut count, handles.as_mut_ptr()))?;
        Ok(handles)
    }
}

fn devices_of(driver: &Driver, handle: ze_driver_handle_t) -> Result<Vec<ze_device_handle_t>, Error> {
    let mut count = 0;
    // SAFETY: the driver has just listed the handle; the number is stored, then as many handles as there is room for.
    unsafe {
        call!(driver, zeDeviceGet(handle, &mut count, ptr::null_mut()))?;
        let length = usize::try_from(count).unwrap_or(usize::MAX);
        let mut handles = answer::buffer("zeDeviceGet", length, ptr::null_mut())?;
        call!(driver, zeDeviceGet(handle, &mut count, handles.as_mut_ptr()))?;
        Ok(handles)
    }
}
