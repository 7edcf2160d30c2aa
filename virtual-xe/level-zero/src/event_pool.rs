//! Event pools: what events are made from.

use crate::abi::{Chain, Handle, In, Out};
use crate::context::Context;
use crate::device::Device;
use crate::objects;
use crate::status::{enter, require};
use level_zero_sys::*;
use std::sync::Arc;

/// An event pool.
pub struct EventPool {
    context: Handle<Context>,
    flags: ze_event_pool_flags_t,
    count: u32,
    counts: bool,
}
objects!(EventPool);

/// Times on the device and the host's clock; of a later header than ours.
const KERNEL_MAPPED_TIMESTAMP: ze_event_pool_flags_t = 1 << 3;
/// Structure type of `ze_event_pool_counter_based_exp_desc_t`; of a later header than ours.
const COUNTER_BASED: ze_structure_type_t = 0x0002_0014;

impl EventPool {
    /// Number of events there may be.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// Returns whether its events need no reset.
    pub(crate) fn counts(&self) -> bool {
        self.counts
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn zeEventPoolCreate(
    context: Handle<Context>,
    desc: In<ze_event_pool_desc_t>,
    count: u32,
    devices: In<Handle<Device>>,
    pool: Out<Handle<EventPool>>,
) -> ze_result_t {
    enter(|| {
        context.get()?;
        let desc = desc.get()?;
        pool.get()?;
        require(desc.count != 0, ZE_RESULT_ERROR_INVALID_SIZE)?;
        let all = ZE_EVENT_POOL_FLAG_HOST_VISIBLE
            | ZE_EVENT_POOL_FLAG_IPC
            | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP
            | KERNEL_MAPPED_TIMESTAMP;
        require(desc.flags & !all == 0, ZE_RESULT_ERROR_INVALID_ENUMERATION)?;
        for device in devices.slice(if devices.is_null() { 0 } else { count as usize })? {
            device.get()?;
        }
        let counts = Chain::new(desc.pNext).find::<ze_base_properties_t>(COUNTER_BASED).is_some();
        pool.set(objects::add(Arc::new(EventPool { context, flags: desc.flags, count: desc.count, counts })))
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeEventPoolDestroy(pool: Handle<EventPool>) -> ze_result_t {
    enter(|| objects::remove(pool).map(drop))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeEventPoolGetContextHandle(
    pool: Handle<EventPool>,
    context: Out<Handle<Context>>,
) -> ze_result_t {
    enter(|| context.set(pool.get()?.context))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeEventPoolGetFlags(
    pool: Handle<EventPool>,
    flags: Out<ze_event_pool_flags_t>,
) -> ze_result_t {
    enter(|| flags.set(pool.get()?.flags))
}
