//! Commands that are appended to command lists, apart from launches.

use crate::abi::{Handle, In};
use crate::command::Action;
use crate::context::Context;
use crate::copies::Region;
use crate::device::Device;
use crate::event::Event;
use crate::list::{Events, List};
use crate::status::{Outcome, enter, require};
use level_zero_sys::*;
use std::ffi::c_void;

const NULL_POINTER: ze_result_t = ZE_RESULT_ERROR_INVALID_NULL_POINTER;

/// The address of memory that commands use after the call; an error if there is none.
fn address(pointer: In<c_void>) -> Outcome<usize> {
    require(!pointer.is_null(), NULL_POINTER)?;
    Ok(pointer.address().expose_provenance())
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListAppendBarrier(
    list: Handle<List>,
    signal: Handle<Event>,
    count: u32,
    waits: In<Handle<Event>>,
) -> ze_result_t {
    enter(|| list.get()?.append(Events { signal, count, waits }, Action::Barrier))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListAppendMemoryRangesBarrier(
    list: Handle<List>,
    range_count: u32,
    sizes: In<usize>,
    ranges: In<*const c_void>,
    signal: Handle<Event>,
    count: u32,
    waits: In<Handle<Event>>,
) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        require(!sizes.is_null() && !ranges.is_null(), NULL_POINTER)?;
        require(range_count != 0, ZE_RESULT_ERROR_INVALID_SIZE)?;
        list.append(Events { signal, count, waits }, Action::Barrier)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListAppendMemoryCopy(
    list: Handle<List>,
    to: In<c_void>,
    from: In<c_void>,
    size: usize,
    signal: Handle<Event>,
    count: u32,
    waits: In<Handle<Event>>,
) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        let action = Action::Copy { to: address(to)?, from: address(from)?, size };
        list.append(Events { signal, count, waits }, action)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListAppendMemoryCopyFromContext(
    list: Handle<List>,
    to: In<c_void>,
    context: Handle<Context>,
    from: In<c_void>,
    size: usize,
    signal: Handle<Event>,
    count: u32,
    waits: In<Handle<Event>>,
) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        context.get()?;
        let action = Action::Copy { to: address(to)?, from: address(from)?, size };
        list.append(Events { signal, count, waits }, action)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListAppendMemoryFill(
    list: Handle<List>,
    to: In<c_void>,
    pattern: In<u8>,
    pattern_size: usize,
    size: usize,
    signal: Handle<Event>,
    count: u32,
    waits: In<Handle<Event>>,
) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        let to = address(to)?;
        pattern.get()?;
        require(pattern_size.is_power_of_two(), ZE_RESULT_ERROR_INVALID_SIZE)?;
        let pattern = pattern.slice(pattern_size)?.to_vec();
        list.append(Events { signal, count, waits }, Action::Fill { to, size, pattern })
    })
}

fn region(pointer: In<c_void>, region: In<ze_copy_region_t>, row: u32, slice: u32) -> Outcome<Region> {
    let address = address(pointer)?;
    let region = region.get()?;
    let sizes = [region.width, region.height.max(1), region.depth.max(1)];
    Ok(Region {
        address,
        origin: [region.originX, region.originY, region.originZ].map(|origin| origin as usize),
        size: sizes.map(|size| size as usize),
        pitches: [row as usize, slice as usize],
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListAppendMemoryCopyRegion(
    list: Handle<List>,
    to: In<c_void>,
    to_region: In<ze_copy_region_t>,
    to_row: u32,
    to_slice: u32,
    from: In<c_void>,
    from_region: In<ze_copy_region_t>,
    from_row: u32,
    from_slice: u32,
    signal: Handle<Event>,
    count: u32,
    waits: In<Handle<Event>>,
) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        let to = region(to, to_region, to_row, to_slice)?;
        let from = region(from, from_region, from_row, from_slice)?;
        require(to.size == from.size, ZE_RESULT_ERROR_INVALID_SIZE)?;
        list.append(Events { signal, count, waits }, Action::CopyRegion { to, from })
    })
}

/// Memory is everywhere already.
#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListAppendMemoryPrefetch(
    list: Handle<List>,
    pointer: In<c_void>,
    _size: usize,
) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        address(pointer)?;
        list.append(Events::NONE, Action::Barrier)
    })
}

/// There is nothing to advise.
#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListAppendMemAdvise(
    list: Handle<List>,
    device: Handle<Device>,
    pointer: In<c_void>,
    _size: usize,
    advice: ze_memory_advice_t,
) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        device.get()?;
        address(pointer)?;
        // Two later ones are about the system's memory.
        let most = ZE_MEMORY_ADVICE_BIAS_UNCACHED + 2;
        require(advice <= most, ZE_RESULT_ERROR_INVALID_ENUMERATION)?;
        list.append(Events::NONE, Action::Barrier)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListAppendSignalEvent(list: Handle<List>, event: Handle<Event>) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        event.get()?;
        list.append(Events { signal: event, ..Events::NONE }, Action::Barrier)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListAppendWaitOnEvents(
    list: Handle<List>,
    count: u32,
    waits: In<Handle<Event>>,
) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        require(!waits.is_null(), NULL_POINTER)?;
        list.append(Events { count, waits, ..Events::NONE }, Action::Barrier)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListAppendEventReset(list: Handle<List>, event: Handle<Event>) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        let event = event.get()?;
        require(!event.counts(), ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
        list.append(Events::NONE, Action::Reset(event))
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListAppendWriteGlobalTimestamp(
    list: Handle<List>,
    place: In<c_void>,
    signal: Handle<Event>,
    count: u32,
    waits: In<Handle<Event>>,
) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        list.append(Events { signal, count, waits }, Action::WriteTimestamp(address(place)?))
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListAppendQueryKernelTimestamps(
    list: Handle<List>,
    event_count: u32,
    events: In<Handle<Event>>,
    place: In<c_void>,
    offsets: In<usize>,
    signal: Handle<Event>,
    count: u32,
    waits: In<Handle<Event>>,
) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        require(!events.is_null(), NULL_POINTER)?;
        let place = address(place)?;
        let events = events.slice(event_count as usize)?;
        let offsets: Vec<usize> = match offsets.is_null() {
            true => (0..events.len()).map(|i| i * size_of::<ze_kernel_timestamp_result_t>()).collect(),
            false => offsets.slice(events.len())?.to_vec(),
        };
        let places = events.iter().zip(offsets);
        let places = places.map(|(event, offset)| Ok((event.get()?.current(), place.wrapping_add(offset))));
        let action = Action::WriteTimes(places.collect::<Outcome<_>>()?);
        list.append(Events { signal, count, waits }, action)
    })
}
