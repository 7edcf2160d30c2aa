//! Events: what commands signal and wait for.

use crate::abi::{self, Handle, In, Out};
use crate::device::Device;
use crate::event_pool::EventPool;
use crate::monitor::{self, Timeout};
use crate::objects;
use crate::runtime::runtime;
use crate::status::{Outcome, enter, require};
use crate::timestamps;
use level_zero_sys::*;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Something that is done some time, and when.
#[derive(Debug, Default)]
pub(crate) struct Completion(Mutex<Moment>);

#[derive(Clone, Copy, Debug, Default)]
struct Moment {
    is_done: bool,
    times: (u64, u64),
}

impl Completion {
    pub fn new(is_done: bool) -> Completion {
        Completion(Mutex::new(Moment { is_done, times: (0, 0) }))
    }

    fn moment(&self) -> MutexGuard<'_, Moment> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_done(&self) -> bool {
        self.moment().is_done
    }

    /// It is done; the times are those of its start and end.
    pub fn complete(&self, times: (u64, u64)) {
        *self.moment() = Moment { is_done: true, times };
        monitor::announce();
    }

    pub fn reset(&self) {
        *self.moment() = Moment::default();
    }

    /// Times at which it started and ended; `None` if it is not done.
    pub fn times(&self) -> Option<(u64, u64)> {
        let moment = *self.moment();
        moment.is_done.then_some(moment.times)
    }

    /// Waits until it is done.
    pub fn synchronize(&self, timeout: Timeout) -> Outcome {
        let devices = &runtime()?.devices;
        let lost = || devices.iter().find(|(_, device)| device.is_lost());
        let in_time = monitor::wait(timeout, || self.is_done() || lost().is_some());
        if self.is_done() {
            return Ok(());
        }
        if let Some((_, device)) = lost() {
            device.status()?;
        }
        require(in_time, ZE_RESULT_NOT_READY)
    }

    /// An error if it is not done.
    pub fn query(&self) -> Outcome {
        require(self.is_done(), ZE_RESULT_NOT_READY)
    }
}

/// An event.
///
/// One that counts needs no reset: each time that a command is to signal it, it stands for that command, and who
/// waited for it before waits for what it stood for then.
pub struct Event {
    pool: Handle<EventPool>,
    counts: bool,
    scopes: (ze_event_scope_flags_t, ze_event_scope_flags_t),
    current: Mutex<Arc<Completion>>,
}
objects!(Event);

impl Event {
    fn current_mut(&self) -> MutexGuard<'_, Arc<Completion>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Completion that a command which waits for it has to wait for.
    pub(crate) fn current(&self) -> Arc<Completion> {
        Arc::clone(&self.current_mut())
    }

    /// Completion that a command which signals it has to reach.
    pub(crate) fn next(&self) -> Arc<Completion> {
        let mut current = self.current_mut();
        if self.counts {
            *current = Arc::default();
        }
        Arc::clone(&current)
    }

    /// Returns whether it needs no reset.
    pub(crate) fn counts(&self) -> bool {
        self.counts
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn zeEventCreate(
    pool: Handle<EventPool>,
    desc: In<ze_event_desc_t>,
    event: Out<Handle<Event>>,
) -> ze_result_t {
    enter(|| {
        let object = pool.get()?;
        let desc = desc.get()?;
        event.get()?;
        let scopes = ZE_EVENT_SCOPE_FLAG_SUBDEVICE | ZE_EVENT_SCOPE_FLAG_DEVICE | ZE_EVENT_SCOPE_FLAG_HOST;
        require((desc.signal | desc.wait) & !scopes == 0, ZE_RESULT_ERROR_INVALID_ENUMERATION)?;
        require(desc.index < object.count(), ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
        // An event that counts starts as done: nothing has to happen before it.
        let completion = Arc::new(Completion::new(object.counts()));
        event.set(objects::add(Arc::new(Event {
            pool,
            counts: object.counts(),
            scopes: (desc.signal, desc.wait),
            current: Mutex::new(completion),
        })))
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeEventDestroy(event: Handle<Event>) -> ze_result_t {
    enter(|| objects::remove(event).map(drop))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeEventHostSignal(event: Handle<Event>) -> ze_result_t {
    enter(|| {
        let now = timestamps::now();
        event.get()?.current().complete((now, now));
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeEventHostSynchronize(event: Handle<Event>, timeout: u64) -> ze_result_t {
    enter(|| event.get()?.current().synchronize(Timeout::new(timeout)))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeEventQueryStatus(event: Handle<Event>) -> ze_result_t {
    enter(|| event.get()?.current().query())
}

#[unsafe(no_mangle)]
pub extern "C" fn zeEventHostReset(event: Handle<Event>) -> ze_result_t {
    enter(|| {
        let event = event.get()?;
        require(!event.counts, ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
        event.current().reset();
        Ok(())
    })
}

/// The times of a command as Level Zero has them: on the device's clock and, here the same, the context's.
pub(crate) fn timestamps_of(times: (u64, u64)) -> ze_kernel_timestamp_result_t {
    let data = ze_kernel_timestamp_data_t { kernelStart: times.0, kernelEnd: times.1 };
    ze_kernel_timestamp_result_t { global: data, context: data }
}

fn query(event: Handle<Event>) -> Outcome<ze_kernel_timestamp_result_t> {
    let times = event.get()?.current().times().ok_or(ZE_RESULT_NOT_READY)?;
    Ok(timestamps_of(times))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeEventQueryKernelTimestamp(
    event: Handle<Event>,
    place: Out<ze_kernel_timestamp_result_t>,
) -> ze_result_t {
    enter(|| {
        event.get()?;
        place.get()?;
        place.set(query(event)?)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeEventQueryTimestampsExp(
    event: Handle<Event>,
    device: Handle<Device>,
    count: Out<u32>,
    places: Out<ze_kernel_timestamp_result_t>,
) -> ze_result_t {
    enter(|| {
        event.get()?;
        device.get()?;
        let times = query(event)?;
        abi::list(count, places, 1, |_, place| *place = times)
    })
}

/// Target that [`zeEventQueryKernelTimestampsExt`] writes to; of a later header than ours. The second pointer is for times
/// that are compared with the host's, of the same layout; the clock is the same.
#[repr(C)]
pub struct TimestampResults {
    stype: ze_structure_type_t,
    pNext: *mut c_void,
    on_device: Out<ze_kernel_timestamp_result_t>,
    on_host: Out<ze_kernel_timestamp_result_t>,
}

#[unsafe(no_mangle)]
pub extern "C" fn zeEventQueryKernelTimestampsExt(
    event: Handle<Event>,
    device: Handle<Device>,
    count: Out<u32>,
    results: Out<TimestampResults>,
) -> ze_result_t {
    enter(|| {
        event.get()?;
        device.get()?;
        let times = query(event)?;
        abi::list(count, results, 1, |_, _| {})?;
        if results.is_null() || *count.get()? == 0 {
            return Ok(());
        }
        let results = results.get()?;
        for place in [results.on_device, results.on_host] {
            if !place.is_null() {
                place.set(times)?;
            }
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeEventGetEventPool(event: Handle<Event>, pool: Out<Handle<EventPool>>) -> ze_result_t {
    enter(|| pool.set(event.get()?.pool))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeEventGetSignalScope(
    event: Handle<Event>,
    scope: Out<ze_event_scope_flags_t>,
) -> ze_result_t {
    enter(|| scope.set(event.get()?.scopes.0))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeEventGetWaitScope(
    event: Handle<Event>,
    scope: Out<ze_event_scope_flags_t>,
) -> ze_result_t {
    enter(|| scope.set(event.get()?.scopes.1))
}
