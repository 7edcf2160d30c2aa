//! Device, host and shared memory. All of it is the host's: kernels use its addresses.

use crate::abi::{Handle, In, Out};
use crate::context::Context;
use crate::device::Device;
use crate::properties;
use crate::queue;
use crate::runtime::runtime;
use crate::status::{Failure, Outcome, enter, refuse, require};
use level_zero_sys::*;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{PoisonError, RwLock};
use virtual_xe::MemoryError;

/// Alignment that memory has at least. It is the page size that the driver reports: memory pools (those of SYCL) take it
/// for granted that allocations start with a page, and hand out parts whose alignment follows from that.
const PAGE: usize = 4096;
/// The largest alignment that can be asked for.
const MAX_ALIGNMENT: usize = 1 << 30;

/// Properties of an allocation.
#[derive(Clone, Copy)]
pub(crate) struct Allocation {
    pub base: usize,
    pub size: usize,
    kind: ze_memory_type_t,
    device: Handle<Device>,
    number: u64,
}

static ALLOCATIONS: RwLock<BTreeMap<usize, Allocation>> = RwLock::new(BTreeMap::new());

/// The allocation that an address lies in.
pub(crate) fn find(address: usize) -> Outcome<Allocation> {
    let all = ALLOCATIONS.read().unwrap_or_else(PoisonError::into_inner);
    let found = all.range(..=address).next_back().map(|(_, found)| *found);
    found.filter(|found| address - found.base < found.size).ok_or_else(|| {
        Failure::new(ZE_RESULT_ERROR_INVALID_ARGUMENT, "the address lies in no memory of the driver")
    })
}

fn allocate(
    context: Handle<Context>,
    size: usize,
    alignment: usize,
    kind: ze_memory_type_t,
    device: Handle<Device>,
    place: Out<*mut c_void>,
) -> Outcome {
    context.get()?;
    let place = place.get()?;
    require(size != 0 && size as u64 <= properties::MEMORY, ZE_RESULT_ERROR_UNSUPPORTED_SIZE)?;
    require(
        alignment == 0 || alignment.is_power_of_two() && alignment <= MAX_ALIGNMENT,
        ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT,
    )?;
    let memory = &runtime()?.memory;
    let address = memory.allocate(size as u64, alignment.max(PAGE) as u64).map_err(|error| {
        let code = match (&error, kind) {
            (MemoryError::Alignment(_), _) => ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT,
            (_, ZE_MEMORY_TYPE_HOST) => ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY,
            _ => ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY,
        };
        Failure::new(code, error)
    })?;
    if kind != ZE_MEMORY_TYPE_DEVICE {
        // The host may write it whenever it likes, so that reading it is never a fault.
        let written = memory.pointer(address, size as u64);
        written.map_err(|error| Failure::new(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, error))?;
    }
    let base = address as usize;
    // Addresses come back, but not those of allocations that are kept to notice their use.
    let entry = Allocation { base, size, kind, device, number: address };
    ALLOCATIONS.write().unwrap_or_else(PoisonError::into_inner).insert(base, entry);
    *place = std::ptr::with_exposed_provenance_mut(base);
    Ok(())
}

fn free(context: Handle<Context>, pointer: *mut c_void) -> Outcome {
    context.get()?;
    require(!pointer.is_null(), ZE_RESULT_ERROR_INVALID_NULL_POINTER)?;
    let entry = ALLOCATIONS.write().unwrap_or_else(PoisonError::into_inner).remove(&pointer.addr());
    entry.ok_or_else(|| Failure::new(ZE_RESULT_ERROR_INVALID_ARGUMENT, "no memory starts at the address"))?;
    let freed = runtime()?.memory.free(pointer.addr() as u64);
    freed.map_err(|error| Failure::new(ZE_RESULT_ERROR_INVALID_ARGUMENT, error))
}

fn check_device_flags(desc: In<ze_device_mem_alloc_desc_t>) -> Outcome {
    let all = ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_CACHED
        | ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_UNCACHED
        | ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT;
    require(desc.get()?.flags & !all == 0, ZE_RESULT_ERROR_INVALID_ENUMERATION)
}

fn check_host_flags(desc: In<ze_host_mem_alloc_desc_t>) -> Outcome {
    let all = ZE_HOST_MEM_ALLOC_FLAG_BIAS_CACHED
        | ZE_HOST_MEM_ALLOC_FLAG_BIAS_UNCACHED
        | ZE_HOST_MEM_ALLOC_FLAG_BIAS_WRITE_COMBINED
        | ZE_HOST_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT;
    require(desc.get()?.flags & !all == 0, ZE_RESULT_ERROR_INVALID_ENUMERATION)
}

#[unsafe(no_mangle)]
pub extern "C" fn zeMemAllocDevice(
    context: Handle<Context>,
    desc: In<ze_device_mem_alloc_desc_t>,
    size: usize,
    alignment: usize,
    device: Handle<Device>,
    place: Out<*mut c_void>,
) -> ze_result_t {
    enter(|| {
        context.get()?;
        device.get()?;
        check_device_flags(desc)?;
        allocate(context, size, alignment, ZE_MEMORY_TYPE_DEVICE, device, place)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeMemAllocHost(
    context: Handle<Context>,
    desc: In<ze_host_mem_alloc_desc_t>,
    size: usize,
    alignment: usize,
    place: Out<*mut c_void>,
) -> ze_result_t {
    enter(|| {
        context.get()?;
        check_host_flags(desc)?;
        allocate(context, size, alignment, ZE_MEMORY_TYPE_HOST, Handle::NULL, place)
    })
}

/// The device may be null.
#[unsafe(no_mangle)]
pub extern "C" fn zeMemAllocShared(
    context: Handle<Context>,
    on_device: In<ze_device_mem_alloc_desc_t>,
    on_host: In<ze_host_mem_alloc_desc_t>,
    size: usize,
    alignment: usize,
    device: Handle<Device>,
    place: Out<*mut c_void>,
) -> ze_result_t {
    enter(|| {
        context.get()?;
        if !device.is_null() {
            device.get()?;
        }
        check_device_flags(on_device)?;
        check_host_flags(on_host)?;
        allocate(context, size, alignment, ZE_MEMORY_TYPE_SHARED, device, place)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeMemFree(context: Handle<Context>, pointer: *mut c_void) -> ze_result_t {
    enter(|| free(context, pointer))
}

/// Frees at once, or after all work is done. To free it some time later cannot be asked for.
#[unsafe(no_mangle)]
pub extern "C" fn zeMemFreeExt(
    context: Handle<Context>,
    desc: In<ze_memory_free_ext_desc_t>,
    pointer: *mut c_void,
) -> ze_result_t {
    enter(|| {
        context.get()?;
        let desc = desc.get()?;
        require(!pointer.is_null(), ZE_RESULT_ERROR_INVALID_NULL_POINTER)?;
        match desc.freePolicy {
            0 => {}
            ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE => {
                for (_, device) in &runtime()?.devices {
                    queue::synchronize_all(device)?;
                }
            }
            ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE => {
                return refuse(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
            }
            _ => return refuse(ZE_RESULT_ERROR_INVALID_ENUMERATION),
        }
        free(context, pointer)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeMemGetAllocProperties(
    context: Handle<Context>,
    pointer: In<c_void>,
    place: Out<ze_memory_allocation_properties_t>,
    device: Out<Handle<Device>>,
) -> ze_result_t {
    enter(|| {
        context.get()?;
        require(!pointer.is_null(), ZE_RESULT_ERROR_INVALID_NULL_POINTER)?;
        let place = place.get()?;
        let found = find(pointer.address().addr()).ok();
        place.type_ = found.map_or(ZE_MEMORY_TYPE_UNKNOWN, |found| found.kind);
        place.id = found.map_or(0, |found| found.number);
        place.pageSize = found.map_or(0, |_| PAGE as u64);
        match device.is_null() {
            true => Ok(()),
            false => device.set(found.map_or(Handle::NULL, |found| found.device)),
        }
    })
}

/// Finds an allocation. Where the caller wants to know neither, there is only the address to check.
#[unsafe(no_mangle)]
pub extern "C" fn zeMemGetAddressRange(
    context: Handle<Context>,
    pointer: In<c_void>,
    base: Out<*mut c_void>,
    size: Out<usize>,
) -> ze_result_t {
    enter(|| {
        context.get()?;
        require(!pointer.is_null(), ZE_RESULT_ERROR_INVALID_NULL_POINTER)?;
        let found = find(pointer.address().addr())?;
        if !base.is_null() {
            base.set(std::ptr::with_exposed_provenance_mut(found.base))?;
        }
        if size.is_null() { Ok(()) } else { size.set(found.size) }
    })
}
