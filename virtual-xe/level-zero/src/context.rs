//! Contexts. All of them share the memory of the driver, so that there is little to them.

use crate::abi::{Handle, In, Out};
use crate::device::Device;
use crate::driver::Driver;
use crate::memory;
use crate::objects;
use crate::runtime::runtime;
use crate::status::{Outcome, enter, refuse, require};
use level_zero_sys::*;
use std::ffi::c_void;
use std::sync::{Arc, OnceLock};

/// A context.
pub struct Context;
objects!(Context);

impl Context {
    fn create(driver: Handle<Driver>, desc: In<ze_context_desc_t>, context: Out<Handle<Context>>) -> Outcome {
        driver.get()?;
        let desc = desc.get()?;
        require(desc.flags <= ZE_CONTEXT_FLAG_TBD, ZE_RESULT_ERROR_INVALID_ENUMERATION)?;
        context.get()?;
        context.set(objects::add(Arc::new(Context)))
    }
}

/// The context that is there without having been made.
pub(crate) fn default() -> Handle<Context> {
    static DEFAULT: OnceLock<usize> = OnceLock::new();
    Handle::new(*DEFAULT.get_or_init(|| objects::add(Arc::new(Context)).number()))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeContextCreate(
    driver: Handle<Driver>,
    desc: In<ze_context_desc_t>,
    context: Out<Handle<Context>>,
) -> ze_result_t {
    enter(|| Context::create(driver, desc, context))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeContextCreateEx(
    driver: Handle<Driver>,
    desc: In<ze_context_desc_t>,
    count: u32,
    devices: In<Handle<Device>>,
    context: Out<Handle<Context>>,
) -> ze_result_t {
    enter(|| {
        driver.get()?;
        for device in devices.slice(count as usize)? {
            device.get()?;
        }
        Context::create(driver, desc, context)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeContextDestroy(context: Handle<Context>) -> ze_result_t {
    enter(|| objects::remove(context).map(drop))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeContextGetStatus(context: Handle<Context>) -> ze_result_t {
    enter(|| {
        context.get()?;
        runtime()?.devices.iter().try_for_each(|(_, device)| device.status())
    })
}

/// All memory is coherent; there is nothing to do.
#[unsafe(no_mangle)]
pub extern "C" fn zeContextSystemBarrier(context: Handle<Context>, device: Handle<Device>) -> ze_result_t {
    enter(|| {
        context.get()?;
        device.get()?.status()
    })
}

fn resident(context: Handle<Context>, device: Handle<Device>, pointer: In<c_void>) -> Outcome {
    context.get()?;
    device.get()?;
    require(!pointer.is_null(), ZE_RESULT_ERROR_INVALID_NULL_POINTER)?;
    memory::find(pointer.address().addr()).map(drop)
}

/// All memory is resident; there is nothing to do.
#[unsafe(no_mangle)]
pub extern "C" fn zeContextMakeMemoryResident(
    context: Handle<Context>,
    device: Handle<Device>,
    pointer: In<c_void>,
    _size: usize,
) -> ze_result_t {
    enter(|| resident(context, device, pointer))
}

/// Nothing is taken away.
#[unsafe(no_mangle)]
pub extern "C" fn zeContextEvictMemory(
    context: Handle<Context>,
    device: Handle<Device>,
    pointer: In<c_void>,
    _size: usize,
) -> ze_result_t {
    enter(|| resident(context, device, pointer))
}

/// There are no images.
#[unsafe(no_mangle)]
pub extern "C" fn zeContextMakeImageResident(
    context: Handle<Context>,
    device: Handle<Device>,
    _image: *mut c_void,
) -> ze_result_t {
    enter(|| {
        context.get()?;
        device.get()?;
        refuse(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
    })
}

/// There are no images.
#[unsafe(no_mangle)]
pub extern "C" fn zeContextEvictImage(
    context: Handle<Context>,
    device: Handle<Device>,
    image: *mut c_void,
) -> ze_result_t {
    zeContextMakeImageResident(context, device, image)
}
