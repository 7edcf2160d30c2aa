//! The devices of this machine.

use std::ptr;

use opencl_sys::*;

use super::api::{Api, call};
use super::device::DeviceInfo;
use crate::runtime::{DeviceSummary, Error, answer};

/// All devices of all platforms: GPUs, CPUs, then any others; none if there is no driver.
///
/// # Errors
/// [`Error::DriverMissing`] if there is no loader; whatever a driver fails with.
pub fn devices() -> Result<Vec<DeviceSummary>, Error> {
    let api = Api::get()?;
    let summary = |id| {
        // SAFETY: the driver has just listed the device.
        let device = unsafe { DeviceInfo::new(api, id) }?;
        Ok(DeviceSummary { name: device.name()?, core_info: device.core_info() })
    };
    all_devices(api)?.into_iter().map(summary).collect()
}

/// The same as handles.
pub(super) fn all_devices(api: &Api) -> Result<Vec<cl_device_id>, Error> {
    let platforms = platforms(api)?;
    let mut all = Vec::new();
    for ty in [CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_ALL] {
        for &platform in &platforms {
            for id in devices_of(api, platform, ty)? {
                if !all.contains(&id) {
                    all.push(id);
                }
            }
        }
    }
    Ok(all)
}

/// The platforms; none if there is no driver.
pub(super) fn platforms(api: &Api) -> Result<Vec<cl_platform_id>, Error> {
    let mut number = 0;
    // SAFETY: only the number is stored.
    match unsafe { call!(api, clGetPlatformIDs(0, ptr::null_mut(), &mut number)) } {
        Err(Error::Call { code: CL_PLATFORM_NOT_FOUND_KHR, .. }) => return Ok(Vec::new()),
        other => other?,
    }
    let length = usize::try_from(number).unwrap_or(usize::MAX);
    let mut platforms = answer::buffer("clGetPlatformIDs", length, ptr::null_mut())?;
    // SAFETY: the list has room for that many.
    unsafe { call!(api, clGetPlatformIDs(number, platforms.as_mut_ptr(), ptr::null_mut())) }?;
    Ok(platforms)
}

/// The devices of a type that a platform has.
pub(super) fn devices_of(
    api: &Api,
    platform: cl_platform_id,
    ty: cl_device_type,
) -> Result<Vec<cl_device_id>, Error> {
    let mut number = 0;
    // SAFETY: the platform is valid; only the number is stored.
    match unsafe { call!(api, clGetDeviceIDs(platform, ty, 0, ptr::null_mut(), &mut number)) } {
        Err(Error::Call { code: CL_DEVICE_NOT_FOUND, .. }) => return Ok(Vec::new()),
        other => other?,
    }
    let length = usize::try_from(number).unwrap_or(usize::MAX);
    let mut devices = answer::buffer("clGetDeviceIDs", length, ptr::null_mut())?;
    // SAFETY: the list has room for that many.
    unsafe { call!(api, clGetDeviceIDs(platform, ty, number, devices.as_mut_ptr(), ptr::null_mut())) }?;
    Ok(devices)
}
