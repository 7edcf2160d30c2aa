//! Properties of devices.
//!
//! Numbers that no kernel notices (slices, clock, bandwidth) are those of no particular product.

use crate::abi::fill_text;
use crate::device::Device;
use crate::driver::chain;
use crate::mutable;
use crate::timestamps;
use level_zero_sys::*;
use virtual_xe::Device as Model;

const INTEL: u32 = 0x8086;
/// Memory there is to give out, in one allocation or all together. It is the host's, so that this is no promise.
pub(crate) const MEMORY: u64 = 16 << 30;
pub(crate) const CACHE: usize = 1 << 20;
/// The largest SPIR-V version that is read: 1.4.
const SPIRV_VERSION: u32 = 0x0001_0004;
const ARGUMENTS_SIZE: u32 = 2048;
const EUS: u32 = 8;
const SUBSLICES: u32 = 8;
const THREADS_PER_EU: u32 = 8;
const CLOCK_MHZ: u32 = 1000;

/// Sixteen bytes that stand for two numbers, and tell that they are ours.
pub(crate) fn uuid(high: u64, low: u64) -> [u8; 16] {
    let bytes = (u128::from(high ^ u64::from_be_bytes(*b"virt-xe\0")) << 64) | u128::from(low);
    bytes.to_be_bytes()
}

/// The largest lanes × bytes that an execution unit handles: the smallest subgroup.
fn simd_width(model: &Model) -> u32 {
    model.subgroup_sizes().first().copied().unwrap_or(8)
}

pub(crate) fn device(device: &Device, place: &mut ze_device_properties_t) {
    let model = device.model();
    place.type_ = ZE_DEVICE_TYPE_GPU;
    place.vendorId = INTEL;
    // Programs that know device ids must not take it for a product.
    place.deviceId = 0;
    let part = if device.is_part() { ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE } else { 0 };
    place.flags = ZE_DEVICE_PROPERTY_FLAG_ONDEMANDPAGING | part;
    let first_tile = device.tiles().first().copied().unwrap_or(0) as u32;
    place.subdeviceId = if device.is_part() { first_tile } else { 0 };
    place.coreClockRate = CLOCK_MHZ;
    place.maxMemAllocSize = MEMORY;
    place.maxHardwareContexts = 64;
    place.maxCommandQueuePriority = 0;
    place.numThreadsPerEU = THREADS_PER_EU;
    place.physicalEUSimdWidth = simd_width(model);
    place.numEUsPerSubslice = EUS;
    place.numSubslicesPerSlice = SUBSLICES;
    let slices = device.tiles().len() as u32;
    place.numSlices = slices;
    // Nanoseconds a tick, or ticks a second, as the structure asks.
    place.timerResolution = match place.stype {
        ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2 => timestamps::FREQUENCY,
        _ => 1_000_000_000 / timestamps::FREQUENCY,
    };
    place.timestampValidBits = timestamps::VALID_BITS;
    place.kernelTimestampValidBits = timestamps::VALID_BITS;
    let tiles = device.tiles().iter().fold(0, |mask, tile| mask | 1u32.unbounded_shl(*tile as u32));
    place.uuid.id = uuid(u64::from(model.ip_version()), u64::from(tiles) << 32 | u64::from(device.card()));
    fill_text(&mut place.name, &format!("virtual-xe {}", model.name()));

    let chain = chain(place.pNext);
    if let Some(ip) = chain.find::<ze_device_ip_version_ext_t>(ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT) {
        ip.ipVersion = model.ip_version();
    }
    if let Some(mutable) = chain.find::<mutable::Properties>(mutable::Properties::TYPE) {
        (mutable.list_flags, mutable.command_flags) = (0, mutable::ALL);
    }
    if let Some(count) = chain.find::<ze_eu_count_ext_t>(ZE_STRUCTURE_TYPE_EU_COUNT_EXT) {
        count.numTotalEUs = EUS * SUBSLICES * slices;
    }
    if let Some(luid) =
        chain.find::<ze_device_luid_ext_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_LUID_EXT_PROPERTIES)
    {
        luid.luid.id = u64::from(device.card()).to_be_bytes();
        luid.nodeMask = tiles;
    }
}

pub(crate) fn compute(model: &Model, place: &mut ze_device_compute_properties_t) {
    let most = model.max_group_size();
    place.maxTotalGroupSize = most;
    (place.maxGroupSizeX, place.maxGroupSizeY, place.maxGroupSizeZ) = (most, most, most);
    (place.maxGroupCountX, place.maxGroupCountY, place.maxGroupCountZ) = (u32::MAX, u32::MAX, u32::MAX);
    place.maxSharedLocalMemory = u32::try_from(model.local_memory()).unwrap_or(u32::MAX);
    let sizes = model.subgroup_sizes();
    place.numSubGroupSizes = sizes.len() as u32;
    place.subGroupSizes.fill(0);
    for (to, from) in place.subGroupSizes.iter_mut().zip(sizes) {
        *to = *from;
    }
}

pub(crate) fn module(model: &Model, place: &mut ze_device_module_properties_t) {
    let float = ZE_DEVICE_FP_FLAG_DENORM
        | ZE_DEVICE_FP_FLAG_INF_NAN
        | ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST
        | ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO
        | ZE_DEVICE_FP_FLAG_FMA
        | ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT;
    let double = |flags| if model.has_double() { flags } else { 0 };
    place.spirvVersionSupported = SPIRV_VERSION;
    place.flags =
        ZE_DEVICE_MODULE_FLAG_FP16 | ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS | double(ZE_DEVICE_MODULE_FLAG_FP64);
    place.fp16flags = float;
    place.fp32flags = float;
    place.fp64flags = double(float);
    place.maxArgumentsSize = ARGUMENTS_SIZE;
    place.printfBufferSize = 0;
    place.nativeKernelSupported.id = uuid(u64::from(model.ip_version()), 0);

    let chain = chain(place.pNext);
    if let Some(atomics) =
        chain.find::<ze_float_atomic_ext_properties_t>(ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES)
    {
        let exchange =
            ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_LOAD_STORE;
        let extremes =
            ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX;
        let sums = ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_ADD;
        atomics.fp16Flags = exchange | extremes;
        atomics.fp32Flags = exchange | extremes | sums;
        atomics.fp64Flags = double(exchange | extremes | sums);
    }
}

pub(crate) fn memory(place: &mut ze_device_memory_properties_t) {
    place.flags = 0;
    place.maxClockRate = CLOCK_MHZ;
    place.maxBusWidth = 64;
    place.totalSize = MEMORY;
    fill_text(&mut place.name, "host memory");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::{Card, Hierarchy};
    use std::sync::Arc;

    /// The devices of a card.
    fn devices(
        model: &'static Model,
        index: usize,
        tiles: &[usize],
        hierarchy: Hierarchy,
    ) -> Vec<Arc<Device>> {
        let card = Card { index, tiles: tiles.to_vec() };
        Device::create(model, &card, hierarchy).iter().filter_map(|device| device.get().ok()).collect()
    }

    #[test]
    fn a_card_is_its_tiles() {
        let described = |found: &Device| {
            let mut place =
                ze_device_properties_t { stype: ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES, ..Default::default() };
            device(found, &mut place);
            (
                place.flags & ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE != 0,
                place.subdeviceId,
                place.numSlices,
                place.uuid.id,
            )
        };
        let hierarchies = [
            (Hierarchy::Composite, vec![(false, 0, 2)]),
            (Hierarchy::Flat, vec![(false, 0, 1), (false, 0, 1)]),
            (Hierarchy::Combined, vec![(true, 1, 1), (true, 3, 1)]),
        ];
        for (model, (hierarchy, expected)) in Model::all().iter().zip(hierarchies) {
            let all: Vec<_> =
                devices(model, 5, &[1, 3], hierarchy).iter().map(|found| described(found)).collect();
            assert_eq!(all.iter().map(|all| (all.0, all.1, all.2)).collect::<Vec<_>>(), expected);
            assert!(all.iter().zip(all.iter().skip(1)).all(|(first, second)| first.3 != second.3));
        }
        // A single tile is a device like others.
        for (model, hierarchy) in Model::all().iter().zip([Hierarchy::Composite, Hierarchy::Combined]) {
            let alone = devices(model, 5, &[3], hierarchy);
            assert_eq!(alone.iter().map(|found| described(found).0).collect::<Vec<_>>(), [false]);
        }
    }

    #[test]
    fn a_card_is_lost_as_a_whole() {
        for model in Model::all() {
            let tiles = devices(model, 0, &[0, 1], Hierarchy::Flat);
            tiles.iter().take(1).for_each(|tile| tile.lose());
            assert_eq!(tiles.iter().map(|tile| tile.is_lost()).collect::<Vec<_>>(), [true, true]);
        }
    }

    #[test]
    fn every_device_describes_itself() {
        for (index, model) in Model::all().iter().enumerate() {
            let mut ip = ze_device_ip_version_ext_t {
                stype: ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT,
                pNext: std::ptr::null_mut(),
                ipVersion: u32::MAX,
            };
            let mut place = ze_device_properties_t {
                stype: ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES,
                pNext: std::ptr::from_mut(&mut ip).cast(),
                ..Default::default()
            };
            let found = devices(model, index, &[0], Hierarchy::Flat);
            assert_eq!(found.len(), 1);
            found.iter().for_each(|found| device(found, &mut place));
            assert_eq!(ip.ipVersion, model.ip_version());
            let name: Vec<u8> =
                place.name.iter().take_while(|&&byte| byte != 0).map(|&byte| byte as u8).collect();
            assert_eq!(name, format!("virtual-xe {}", model.name()).into_bytes());
            let mut place = ze_device_compute_properties_t::default();
            compute(model, &mut place);
            assert_eq!(
                place.subGroupSizes.iter().filter(|&&size| size != 0).count(),
                place.numSubGroupSizes as usize
            );
        }
    }
}
