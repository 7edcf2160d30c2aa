//! Devices: cards, and the tiles of cards. All of them are peers.

use crate::abi::{self, Handle, Out};
use crate::hierarchy::{Card, Hierarchy};
use crate::objects;
use crate::properties;
use crate::queue;
use crate::status::{Failure, Outcome, enter, refuse, require};
use crate::timestamps;
use level_zero_sys::*;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use virtual_xe::Device as Model;

/// A device.
pub struct Device {
    model: &'static Model,
    card: usize,
    /// Tiles that it consists of.
    tiles: Vec<usize>,
    /// A card is lost as a whole.
    lost: Arc<AtomicBool>,
    /// The device that it is a part of.
    root: OnceLock<Handle<Device>>,
    /// The devices that are its parts.
    parts: Vec<Handle<Device>>,
}
objects!(Device);

impl Device {
    fn new(model: &'static Model, card: usize, tiles: Vec<usize>, parts: Vec<Handle<Device>>) -> Device {
        Device { model, card, tiles, lost: Arc::default(), root: OnceLock::new(), parts }
    }

    /// Makes the devices of a card, and returns those that have no root for the program.
    pub(crate) fn create(model: &'static Model, card: &Card, hierarchy: Hierarchy) -> Vec<Handle<Device>> {
        let lost = Arc::<AtomicBool>::default();
        let tile =
            |&tile| Device { lost: Arc::clone(&lost), ..Device::new(model, card.index, vec![tile], vec![]) };
        let tiles: Vec<_> = card.tiles.iter().map(tile).map(Arc::new).collect();
        let parts: Vec<_> = tiles.iter().map(|tile| objects::add(Arc::clone(tile))).collect();
        // What is left of a card by a mask is a device like others if it is a single tile.
        if parts.len() < 2 || hierarchy == Hierarchy::Flat {
            return parts;
        }
        let whole = Device { lost, ..Device::new(model, card.index, card.tiles.clone(), parts.clone()) };
        let root = objects::add(Arc::new(whole));
        for tile in tiles {
            tile.root.get_or_init(|| root);
        }
        if hierarchy == Hierarchy::Composite { vec![root] } else { parts }
    }

    /// Model that virtual-xe runs kernels on.
    pub(crate) fn model(&self) -> &'static Model {
        self.model
    }

    /// Number of its card.
    pub(crate) fn card(&self) -> u32 {
        self.card as u32
    }

    /// Numbers of its tiles on the card.
    pub(crate) fn tiles(&self) -> &[usize] {
        &self.tiles
    }

    /// Returns whether it is a part of a device that the program can get at.
    pub(crate) fn is_part(&self) -> bool {
        self.root.get().is_some()
    }

    /// Returns whether modules and memory of the other one are for this one, too: if that is the same, or its root.
    pub(crate) fn is_of(&self, other: &Device) -> bool {
        std::ptr::eq(self, other)
            || self
                .root
                .get()
                .and_then(|root| root.get().ok())
                .is_some_and(|root| std::ptr::eq(&*root, other))
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
        let parts = &device.get()?.parts;
        abi::list(count, devices, parts.len(), |index, place| {
            if let Some(part) = parts.get(index) {
                *place = *part;
            }
        })
    })
}

/// A device that is no part has no root, and gets null.
#[unsafe(no_mangle)]
pub extern "C" fn zeDeviceGetRootDevice(device: Handle<Device>, root: Out<Handle<Device>>) -> ze_result_t {
    enter(|| root.set(device.get()?.root.get().copied().unwrap_or(Handle::NULL)))
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
        place.address = ze_pci_address_ext_t { domain: 0, bus: device.card(), device: 0, function: 0 };
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
