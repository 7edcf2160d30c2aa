//! Properties of kernels, and hints that change nothing.

use crate::abi::{self, Handle, In, Out};
use crate::kernel::Kernel;
use crate::module_api::kernel_properties;
use crate::status::{enter, refuse, require};
use level_zero_sys::*;
use std::ffi::{c_char, c_void};

/// Suggests what the kernel fixes, or the largest size that divides each number of work-items.
#[unsafe(no_mangle)]
pub extern "C" fn zeKernelSuggestGroupSize(
    kernel: Handle<Kernel>,
    global_x: u32,
    global_y: u32,
    global_z: u32,
    x: Out<u32>,
    y: Out<u32>,
    z: Out<u32>,
) -> ze_result_t {
    enter(|| {
        let kernel = kernel.get()?;
        let global = [global_x, global_y, global_z];
        require(global.iter().all(|&size| size != 0), ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION)?;
        let mut room = kernel.module().device().model().max_group_size();
        let suggested = kernel.ready()?.description().local_size().unwrap_or_else(|| {
            global.map(|global| {
                let size = (1..=room.min(global)).rev().find(|&size| global % size == 0).unwrap_or(1);
                room /= size;
                size
            })
        });
        for (place, size) in [x, y, z].into_iter().zip(suggested) {
            place.set(size)?;
        }
        Ok(())
    })
}

/// Groups run one after the other on each thread, so that only one is sure to go on while another waits.
#[unsafe(no_mangle)]
pub extern "C" fn zeKernelSuggestMaxCooperativeGroupCount(
    kernel: Handle<Kernel>,
    count: Out<u32>,
) -> ze_result_t {
    enter(|| {
        kernel.get()?;
        count.set(1)
    })
}

/// The cache is not divided; there is nothing to set.
#[unsafe(no_mangle)]
pub extern "C" fn zeKernelSetCacheConfig(
    kernel: Handle<Kernel>,
    flags: ze_cache_config_flags_t,
) -> ze_result_t {
    enter(|| {
        kernel.get()?;
        let all = ZE_CACHE_CONFIG_FLAG_LARGE_SLM | ZE_CACHE_CONFIG_FLAG_LARGE_DATA;
        require(flags & !all == 0, ZE_RESULT_ERROR_INVALID_ENUMERATION)
    })
}

/// All subgroups are treated alike; there is nothing to hint at.
#[unsafe(no_mangle)]
pub extern "C" fn zeKernelSchedulingHintExp(kernel: Handle<Kernel>, hint: In<c_void>) -> ze_result_t {
    enter(|| {
        kernel.get()?;
        require(!hint.is_null(), ZE_RESULT_ERROR_INVALID_NULL_POINTER)?;
        refuse(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
    })
}

/// SPIR-V's attributes are not kept: the text is empty.
#[unsafe(no_mangle)]
pub extern "C" fn zeKernelGetSourceAttributes(
    kernel: Handle<Kernel>,
    size: Out<u32>,
    text: Out<*const c_char>,
) -> ze_result_t {
    enter(|| {
        kernel.get()?;
        size.set(1)?;
        if text.is_null() { Ok(()) } else { text.set(c"".as_ptr()) }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeKernelGetName(kernel: Handle<Kernel>, size: Out<usize>, name: Out<u8>) -> ze_result_t {
    enter(|| {
        let kernel = kernel.get()?;
        abi::bytes(size, name, &[kernel.name().as_bytes(), &[0]].concat())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeKernelGetProperties(
    kernel: Handle<Kernel>,
    place: Out<ze_kernel_properties_t>,
) -> ze_result_t {
    enter(|| {
        let kernel = kernel.get()?;
        let module = kernel.module();
        kernel_properties(kernel.ready()?, module.device().model(), module.spill()?, place.get()?);
        Ok(())
    })
}
