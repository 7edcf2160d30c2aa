//! References to objects of the user's program, for callers that do not link the loader.

use opencl_sys::{cl_context, cl_device_id, cl_event, cl_kernel, cl_program};

use super::api::{Api, call};
use crate::runtime::Error;

/// An object that counts its references.
#[derive(Clone, Copy, Debug)]
pub enum Object {
    /// A context.
    Context(cl_context),
    /// A device.
    Device(cl_device_id),
    /// A program.
    Program(cl_program),
    /// A kernel.
    Kernel(cl_kernel),
    /// An event.
    Event(cl_event),
}

/// Adds a reference.
///
/// # Errors
/// If there is no driver or it fails.
///
/// # Safety
/// `object` is one of the installed OpenCL loader.
pub unsafe fn retain(object: Object) -> Result<(), Error> {
    let api = Api::get()?;
    // SAFETY: the caller vouches for the object and for its kind.
    unsafe {
        match object {
            Object::Context(context) => call!(api, clRetainContext(context)),
            Object::Device(device) => call!(api, clRetainDevice(device)),
            Object::Program(program) => call!(api, clRetainProgram(program)),
            Object::Kernel(kernel) => call!(api, clRetainKernel(kernel)),
            Object::Event(event) => call!(api, clRetainEvent(event)),
        }
    }
}

/// Drops a reference.
///
/// # Errors
/// If there is no driver or it fails.
///
/// # Safety
/// `object` is one of the installed OpenCL loader, and the reference the caller's.
pub unsafe fn release(object: Object) -> Result<(), Error> {
    let api = Api::get()?;
    // SAFETY: the caller vouches for the object and its kind, and gives the reference up.
    unsafe {
        match object {
            Object::Context(context) => call!(api, clReleaseContext(context)),
            Object::Device(device) => call!(api, clReleaseDevice(device)),
            Object::Program(program) => call!(api, clReleaseProgram(program)),
            Object::Kernel(kernel) => call!(api, clReleaseKernel(kernel)),
            Object::Event(event) => call!(api, clReleaseEvent(event)),
        }
    }
}
