//! The entry points of modules, build logs, and what is asked of kernels.

use crate::abi::{self, Chain, Handle, In, Out};
use crate::context::Context;
use crate::device::Device;
use crate::module::{BuildLog, Module, address};
use crate::objects;
use crate::properties::uuid;
use crate::status::{Outcome, enter, refuse, require};
use level_zero_sys::*;
use std::ffi::{c_char, c_void};
use std::sync::Arc;
use virtual_xe::{Device as Model, ReadyKernel};

/// Chained to kernel properties, it receives the largest work-group; of a later header than ours.
#[repr(C)]
struct MaxGroupSize {
    stype: ze_structure_type_t,
    pNext: *mut c_void,
    maxGroupSize: u32,
}
const KERNEL_MAX_GROUP_SIZE_EXT_PROPERTIES: ze_structure_type_t = 0x0001_0013;

/// Hands a log out, if one is asked for.
fn hand_out(log: Out<Handle<BuildLog>>, text: &str) -> Outcome {
    if log.is_null() { Ok(()) } else { log.set(objects::add(Arc::new(BuildLog::new(text)))) }
}

#[unsafe(no_mangle)]
pub extern "C" fn zeModuleCreate(
    context: Handle<Context>,
    device: Handle<Device>,
    desc: In<ze_module_desc_t>,
    module: Out<Handle<Module>>,
    log: Out<Handle<BuildLog>>,
) -> ze_result_t {
    enter(|| {
        context.get()?;
        let device = device.get()?;
        let desc = desc.get()?;
        module.get()?;
        match Module::create(device, desc) {
            Ok(built) => {
                hand_out(log, "")?;
                module.set(objects::add(Arc::new(built)))
            }
            Err(failure) => {
                hand_out(log, failure.message.as_deref().unwrap_or_default())?;
                Err(failure)
            }
        }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeModuleDestroy(module: Handle<Module>) -> ze_result_t {
    enter(|| objects::remove(module).map(drop))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeModuleBuildLogDestroy(log: Handle<BuildLog>) -> ze_result_t {
    enter(|| objects::remove(log).map(drop))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeModuleBuildLogGetString(
    log: Handle<BuildLog>,
    size: Out<usize>,
    text: Out<u8>,
) -> ze_result_t {
    enter(|| abi::bytes(size, text, log.get()?.bytes()))
}

/// Every module stands by itself, so that there is nothing to link.
#[unsafe(no_mangle)]
pub extern "C" fn zeModuleDynamicLink(
    count: u32,
    modules: In<Handle<Module>>,
    log: Out<Handle<BuildLog>>,
) -> ze_result_t {
    enter(|| {
        require(!modules.is_null(), ZE_RESULT_ERROR_INVALID_NULL_POINTER)?;
        for module in modules.slice(count as usize)? {
            module.get()?;
        }
        hand_out(log, "")
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeModuleInspectLinkageExt(
    desc: In<ze_linkage_inspection_ext_desc_t>,
    count: u32,
    modules: In<Handle<Module>>,
    log: Out<Handle<BuildLog>>,
) -> ze_result_t {
    enter(|| {
        desc.get()?;
        require(!modules.is_null(), ZE_RESULT_ERROR_INVALID_NULL_POINTER)?;
        log.get()?;
        for module in modules.slice(count as usize)? {
            module.get()?;
        }
        hand_out(log, "")
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeModuleGetNativeBinary(
    module: Handle<Module>,
    size: Out<usize>,
    binary: Out<u8>,
) -> ze_result_t {
    enter(|| abi::bytes(size, binary, &module.get()?.binary()))
}

/// Variables of modules are not to be had.
#[unsafe(no_mangle)]
pub extern "C" fn zeModuleGetGlobalPointer(
    module: Handle<Module>,
    name: In<c_char>,
    _size: Out<usize>,
    _pointer: Out<*mut c_void>,
) -> ze_result_t {
    enter(|| {
        module.get()?;
        name.text()?;
        refuse(ZE_RESULT_ERROR_INVALID_GLOBAL_NAME)
    })
}

/// Functions have no addresses.
#[unsafe(no_mangle)]
pub extern "C" fn zeModuleGetFunctionPointer(
    module: Handle<Module>,
    name: In<c_char>,
    pointer: Out<*mut c_void>,
) -> ze_result_t {
    enter(|| {
        module.get()?;
        name.text()?;
        pointer.get()?;
        refuse(ZE_RESULT_ERROR_INVALID_FUNCTION_NAME)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeModuleGetKernelNames(
    module: Handle<Module>,
    count: Out<u32>,
    names: Out<*const c_char>,
) -> ze_result_t {
    enter(|| {
        let module = module.get()?;
        let all = module.names();
        abi::list(count, names, all.len(), |index, place| {
            *place = all.get(index).map_or(std::ptr::null(), address);
        })
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeModuleGetProperties(
    module: Handle<Module>,
    place: Out<ze_module_properties_t>,
) -> ze_result_t {
    enter(|| {
        module.get()?;
        place.get()?.flags = 0;
        Ok(())
    })
}

/// Properties that a kernel is launched with. Nothing is ever spilled, whatever is said here.
pub(crate) fn kernel_properties(
    kernel: &ReadyKernel,
    model: &Model,
    spill: u32,
    place: &mut ze_kernel_properties_t,
) {
    let description = kernel.description();
    let [x, y, z] = description.local_size().unwrap_or_default();
    place.numKernelArgs = description.parameters().len() as u32;
    (place.requiredGroupSizeX, place.requiredGroupSizeY, place.requiredGroupSizeZ) = (x, y, z);
    place.requiredNumSubGroups = 0;
    place.requiredSubgroupSize = description.subgroup_size().unwrap_or(0);
    place.maxSubgroupSize = kernel.subgroup_size();
    place.maxNumSubgroups = model.max_group_size() / kernel.subgroup_size().max(1);
    place.localMemSize = u32::try_from(description.local_memory()).unwrap_or(u32::MAX);
    place.privateMemSize = 0;
    place.spillMemSize = spill;
    let name =
        description.name().bytes().fold(0u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
    place.uuid = ze_kernel_uuid_t { kid: uuid(0, name), mid: uuid(1, 0) };

    let chain = Chain::new(place.pNext);
    if let Some(preferred) = chain.find::<ze_kernel_preferred_group_size_properties_t>(
        ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES,
    ) {
        preferred.preferredMultiple = kernel.subgroup_size();
    }
    if let Some(largest) = chain.find::<MaxGroupSize>(KERNEL_MAX_GROUP_SIZE_EXT_PROPERTIES) {
        largest.maxGroupSize = model.max_group_size();
    }
}
