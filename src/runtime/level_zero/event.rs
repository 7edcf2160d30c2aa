//! Launches in the list of a session, and when they ran.

use std::ptr;
use std::sync::Arc;

use level_zero_sys::*;

use super::bundle::BuildTarget;
use super::driver::{call, zeroed};
use crate::runtime::{self, Error, Timestamps, answer};

/// A launch in the list of a [`Session`](super::Session).
pub struct Event {
    target: Arc<BuildTarget>,
    /// Null for a launch of no work-groups.
    pool: ze_event_pool_handle_t,
    event: ze_event_handle_t,
}

// SAFETY: Level Zero's functions may be called from any thread on events and their pools.
unsafe impl Send for Event {}

impl Event {
    /// The event of a launch of no work-groups.
    pub(super) fn nothing(target: Arc<BuildTarget>) -> Event {
        Event { target, pool: ptr::null_mut(), event: ptr::null_mut() }
    }

    /// An event that takes times and that nothing has signalled yet.
    pub(super) fn create(target: Arc<BuildTarget>) -> Result<Event, Error> {
        let mut new = Event::nothing(target);
        let target = new.target.clone();
        let (driver, mut device) = (target.driver, target.device());
        let mut description: ze_event_pool_desc_t = zeroed();
        description.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC;
        description.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP;
        description.count = 1;
        let mut pool = ptr::null_mut();
        // SAFETY: context and device are valid; the description carries its type and outlives the call.
        unsafe {
            call!(driver, zeEventPoolCreate(target.context(), &description, 1, &mut device, &mut pool))
        }?;
        new.pool = answer::object("zeEventPoolCreate", pool)?;
        let mut description: ze_event_desc_t = zeroed();
        description.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
        description.signal = ZE_EVENT_SCOPE_FLAG_HOST;
        description.wait = ZE_EVENT_SCOPE_FLAG_HOST;
        let mut event = ptr::null_mut();
        // SAFETY: the pool has just been made; the description as before.
        unsafe { call!(driver, zeEventCreate(new.pool, &description, &mut event)) }?;
        new.event = answer::object("zeEventCreate", event)?;
        Ok(new)
    }

    pub(super) fn handle(&self) -> ze_event_handle_t {
        self.event
    }

    /// Times at which the launch ran.
    fn timestamps(&self) -> Result<Timestamps, Error> {
        let target = &self.target;
        let mut times: ze_kernel_timestamp_result_t = zeroed();
        // SAFETY: the event is valid and signalled; the times are stored into memory of their type.
        unsafe { call!(target.driver, zeEventQueryKernelTimestamp(self.event, &mut times)) }?;
        // SAFETY: the device is valid.
        let (frequency, valid_bits) = unsafe { target.driver.clock(target.device()) }?;
        let mask = 1u64.checked_shl(valid_bits).map_or(u64::MAX, |bit| bit - 1);
        let ze_kernel_timestamp_data_t { kernelStart: start, kernelEnd: end } = times.global;
        let nanoseconds = |ticks: u64| {
            let time = u128::from(ticks) * 1_000_000_000 / u128::from(frequency);
            u64::try_from(time).unwrap_or(u64::MAX)
        };
        let (start, length) = (nanoseconds(start & mask), nanoseconds(end.wrapping_sub(start) & mask));
        Ok(Timestamps { start, end: start.saturating_add(length) })
    }
}

impl runtime::Event for Event {
    /// The start and the end by the timestamps of the kernel.
    type Profile = Option<Timestamps>;

    fn wait(self) -> Result<Option<Timestamps>, Error> {
        if self.event.is_null() {
            return Ok(None);
        }
        // SAFETY: the event is valid.
        unsafe { call!(self.target.driver, zeEventHostSynchronize(self.event, u64::MAX)) }?;
        self.timestamps().map(Some)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        let driver = self.target.driver;
        // That a driver refuses to destroy something is nothing to act upon.
        // SAFETY: the list has run the launch to its end before it returned, so nothing signals the event any more; both
        // were made for this object.
        unsafe {
            if !self.event.is_null() {
                let _ = call!(driver, zeEventDestroy(self.event));
            }
            if !self.pool.is_null() {
                let _ = call!(driver, zeEventPoolDestroy(self.pool));
            }
        }
    }
}
