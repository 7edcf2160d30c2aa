//! Devices. They have no parts and no peers.

use crate::abi::{self, Handle, Out};
use crate::properties;
use crate::queue;
use crate::status::{Failure, Outcome, enter, refuse, require};
use crate::timestamps;
use level_zero_sys::*;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use virtual_xe::Device as Model;

/// A device.
pub struct Device {
    model: &'static Model,
    index: usize,
    lost: AtomicBool,
}
objects!(Device);

impl Device {
    pub(crate) fn new(model: &'static Model, index: usize) -> Device {
        Device { model, index, lost: AtomicBool::new(false) }
    }

    /// Model that virtual-xe runs kernels on.
    pub(crate) fn model(&self) -> &'static Model {
        self.model
    }

    /// Its place among the devices.
    pub(crate) fn index(&self) -> u32 {
        self.index as u32
    }

    /// From now on it does nothing more.
    pub(crate) fn lose(&self) {
        self.lost.store(true, Ordering::SeqCst);
    }

    pub(crate) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::SeqCst)
    }

    /// An error if it is lost.
    pub(crate) fn status(&self) -> Outcome {
        let lost = || Failure::new(ZE_RESULT_ERROR_DEVICE_LOST, "a kernel has done what stops the device");
        if self.is_lost() { Err(lost()) } else { Ok(()) }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn zeDeviceGetSubDevices(
    device: Handle<Device>,
    count: Out<u32>,
    devices: Out<Handle<Device>>,
) -> ze_result_t {
    enter(|| {
        device.get()?;
        abi::list(count, devices, 0, |_, _| {})
    })
}

/// A device that is no part has no root.
#[unsafe(no_mangle)]
pub extern "C" fn zeDeviceGetRootDevice(device: Handle<Device>, root: Out<Handle<Device>>) -> ze_result_t {
    enter(|| {
        device.get()?;
        root.set(Handle::NULL)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeDeviceGetProperties(
    device: Handle<Device>,
    place: Out<ze_device_properties_t>,
) -> ze_result_t {
    enter(|| {
        properties::device(&*device.get()?, place.get()?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeDeviceGetComputeProperties(
    device: Handle<Device>,
    place: Out<ze_device_compute_properties_t>,
) -> ze_result_t {
    enter(|| {
        properties::compute(device.get()?.model, place.get()?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeDeviceGetModuleProperties(
    device: Handle<Device>,
    place: Out<ze_device_module_properties_t>,
) -> ze_result_t {
    enter(|| {
        properties::module(device.get()?.model, place.get()?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeDeviceGetCommandQueueGroupProperties(
    device: Handle<Device>,
    count: Out<u32>,
    place: Out<ze_command_queue_group_properties_t>,
) -> ze_result_t {
    enter(|| {
        device.get()?;
        abi::list(count, place, queue::GROUPS as usize, |_, place| {
            place.flags =
                ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE | ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
            place.maxMemoryFillPatternSize = usize::MAX;
            place.numQueues = queue::QUEUES;
        })
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeDeviceGetMemoryProperties(
    device: Handle<Device>,
    count: Out<u32>,
    place: Out<ze_device_memory_properties_t>,
) -> ze_result_t {
    enter(|| {
        device.get()?;
        abi::list(count, place, 1, |_, place| properties::memory(place))
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeDeviceGetMemoryAccessProperties(
    device: Handle<Device>,
    place: Out<ze_device_memory_access_properties_t>,
) -> ze_result_t {
    enter(|| {
        device.get()?;
        let place = place.get()?;
        let all = ZE_MEMORY_ACCESS_CAP_FLAG_RW
            | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC
            | ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT
            | ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC;
        place.hostAllocCapabilities = all;
        place.deviceAllocCapabilities = all;
        place.sharedSingleDeviceAllocCapabilities = all;
        place.sharedCrossDeviceAllocCapabilities = all;
        // Memory that has not been asked for from the driver is out of bounds.
        place.sharedSystemAllocCapabilities = 0;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeDeviceGetCacheProperties(
    device: Handle<Device>,
    count: Out<u32>,
    place: Out<ze_device_cache_properties_t>,
) -> ze_result_t {
    enter(|| {
        device.get()?;
        abi::list(count, place, 1, |_, place| {
            place.flags = 0;
            place.cacheSize = properties::CACHE;
        })
    })
}

/// There are no images, and so no size that one may have.
#[unsafe(no_mangle)]
pub extern "C" fn zeDeviceGetImageProperties(
    device: Handle<Device>,
    place: Out<ze_device_image_properties_t>,
) -> ze_result_t {
    enter(|| {
        device.get()?;
        let place = place.get()?;
        let (stype, pNext) = (place.stype, place.pNext);
        *place = ze_device_image_properties_t { stype, pNext, ..Default::default() };
        Ok(())
    })
}

/// Nothing can be imported or exported.
#[unsafe(no_mangle)]
pub extern "C" fn zeDeviceGetExternalMemoryProperties(
    device: Handle<Device>,
    place: Out<ze_device_external_memory_properties_t>,
) -> ze_result_t {
    enter(|| {
        device.get()?;
        let place = place.get()?;
        let (stype, pNext) = (place.stype, place.pNext);
        *place = ze_device_external_memory_properties_t { stype, pNext, ..Default::default() };
        Ok(())
    })
}

/// All devices share one memory.
#[unsafe(no_mangle)]
pub extern "C" fn zeDeviceGetP2PProperties(
    device: Handle<Device>,
    peer: Handle<Device>,
    place: Out<ze_device_p2p_properties_t>,
) -> ze_result_t {
    enter(|| {
        device.get()?;
        peer.get()?;
        place.get()?.flags = ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS | ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeDeviceCanAccessPeer(
    device: Handle<Device>,
    peer: Handle<Device>,
    answer: Out<ze_bool_t>,
) -> ze_result_t {
    enter(|| {
        device.get()?;
        peer.get()?;
        answer.set(1)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeDeviceGetStatus(device: Handle<Device>) -> ze_result_t {
    enter(|| device.get()?.status())
}

#[unsafe(no_mangle)]
pub extern "C" fn zeDeviceGetGlobalTimestamps(
    device: Handle<Device>,
    host: Out<u64>,
    on_device: Out<u64>,
) -> ze_result_t {
    enter(|| {
        device.get()?;
        let now = timestamps::now();
        host.set(now)?;
        on_device.set(now)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeDevicePciGetPropertiesExt(
    device: Handle<Device>,
    place: Out<ze_pci_ext_properties_t>,
) -> ze_result_t {
    enter(|| {
        let device = device.get()?;
        let place = place.get()?;
        // It sits on no bus; the numbers only tell devices apart.
        place.address = ze_pci_address_ext_t { domain: 0, bus: device.index(), device: 0, function: 0 };
        place.maxSpeed = ze_pci_speed_ext_t { genVersion: -1, width: -1, maxBandwidth: -1 };
        Ok(())
    })
}

/// The cache cannot be divided.
#[unsafe(no_mangle)]
pub extern "C" fn zeDeviceReserveCacheExt(
    device: Handle<Device>,
    _level: usize,
    _size: usize,
) -> ze_result_t {
    enter(|| {
        device.get()?;
        refuse(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
    })
}

/// The cache cannot be divided.
#[unsafe(no_mangle)]
pub extern "C" fn zeDeviceSetCacheAdviceExt(
    device: Handle<Device>,
    pointer: *mut c_void,
    _size: usize,
    _region: u32,
) -> ze_result_t {
    enter(|| {
        device.get()?;
        require(!pointer.is_null(), ZE_RESULT_ERROR_INVALID_NULL_POINTER)?;
        refuse(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
    })
}

/// Waits until all that has been handed to the device is done.
#[unsafe(no_mangle)]
pub extern "C" fn zeDeviceSynchronize(device: Handle<Device>) -> ze_result_t {
    enter(|| queue::synchronize_all(&*device.get()?))
}
