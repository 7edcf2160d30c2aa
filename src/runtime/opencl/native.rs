//! What a driver has made of a program.

use std::ptr;

use opencl_sys::{CL_PROGRAM_BINARIES, CL_PROGRAM_BINARY_SIZES, cl_device_id, cl_program};

use super::api::{Api, call};
use super::program_devices;
use crate::runtime::{Error, answer};

/// The native binary of a built program for a device.
///
/// # Errors
/// If the program is not for the device, if there is no driver, or if it fails.
///
/// # Safety
/// `program` is null or a program of the installed OpenCL loader.
pub unsafe fn get_native_binary(program: cl_program, device: cl_device_id) -> Result<Vec<u8>, Error> {
    Error::unless_null(program, "null program")?;
    let api = Api::get()?;
    // SAFETY: the program is valid by contract.
    let devices = unsafe { program_devices(api, program) }?;
    let mut sizes = answer::buffer("clGetProgramInfo", devices.len(), 0usize)?;
    let (size, result) = (size_of_val(sizes.as_slice()), sizes.as_mut_ptr().cast());
    // SAFETY: as before; there is a size for each device.
    unsafe { call!(api, clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, size, result, ptr::null_mut())) }?;

    // A null pointer says that the binary for that device is not wanted.
    let mut pointers = vec![ptr::null_mut::<u8>(); devices.len()];
    let mut places = devices.iter().zip(sizes).zip(&mut pointers);
    let place = places.find(|((other, _), _)| **other == device);
    let ((_, size), pointer) = place.ok_or(Error::InvalidArguments { what: "program of another device" })?;
    let mut binary = answer::buffer("clGetProgramInfo", size, 0u8)?;
    *pointer = binary.as_mut_ptr();
    let (size, result) = (size_of_val(pointers.as_slice()), pointers.as_mut_ptr().cast());
    // SAFETY: as before; the one pointer that is not null leads to memory of the size asked for.
    unsafe { call!(api, clGetProgramInfo(program, CL_PROGRAM_BINARIES, size, result, ptr::null_mut())) }?;
    Ok(binary)
}
