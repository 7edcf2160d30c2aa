//! Command queues.

use crate::abi::{Handle, In, Out};
use crate::context::Context;
use crate::device::Device;
use crate::engine::{Engine, Stream};
use crate::fence::Fence;
use crate::list::List;
use crate::monitor::Timeout;
use crate::objects;
use crate::status::{Outcome, enter, require};
use level_zero_sys::*;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Kinds of queues, and how many there are of one.
pub(crate) const GROUPS: u32 = 1;
pub(crate) const QUEUES: u32 = 4;
/// Flag of queues that do one thing after the other, which all of ours do; of a later header than ours.
const IN_ORDER: ze_command_queue_flags_t = 1 << 1;
const COPY_OFFLOAD_HINT: ze_command_queue_flags_t = 1 << 2;

/// A command queue.
pub struct Queue {
    stream: Arc<Stream>,
    desc: Description,
}
objects!(Queue);

/// Part of a queue's description that has a meaning.
#[derive(Clone, Copy)]
pub(crate) struct Description {
    pub ordinal: u32,
    pub index: u32,
    pub is_synchronous: bool,
}

impl Description {
    pub fn read(desc: In<ze_command_queue_desc_t>) -> Outcome<Description> {
        let desc = desc.get()?;
        let flags = ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY | IN_ORDER | COPY_OFFLOAD_HINT;
        require(desc.flags & !flags == 0, ZE_RESULT_ERROR_INVALID_ENUMERATION)?;
        require(desc.mode <= ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, ZE_RESULT_ERROR_INVALID_ENUMERATION)?;
        require(
            desc.priority <= ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH,
            ZE_RESULT_ERROR_INVALID_ENUMERATION,
        )?;
        require(desc.ordinal < GROUPS && desc.index < QUEUES, ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
        let is_synchronous = desc.mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
        Ok(Description { ordinal: desc.ordinal, index: desc.index, is_synchronous })
    }
}

/// The streams of all devices, to wait for.
static STREAMS: Mutex<Vec<Weak<Stream>>> = Mutex::new(Vec::new());

/// Makes a stream to the engine of an index, and remembers it.
pub(crate) fn stream(device: Arc<Device>, index: u32) -> Arc<Stream> {
    let mut all = STREAMS.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain(|stream| stream.strong_count() != 0);
    let mut engines = all.iter().filter_map(Weak::upgrade).map(|stream| Arc::clone(stream.engine()));
    let engine = engines.find(|engine| Arc::ptr_eq(engine.device(), &device) && engine.index() == index);
    let stream = Arc::new(Stream::new(engine.unwrap_or_else(|| Arc::new(Engine::new(device, index)))));
    all.push(Arc::downgrade(&stream));
    stream
}

/// Waits until all that has been handed to a device, or a part of it, is over.
pub(crate) fn synchronize_all(device: &Device) -> Outcome {
    let all: Vec<_> = {
        let all = STREAMS.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter_map(Weak::upgrade).collect()
    };
    let mut streams = all.iter().filter(|stream| stream.engine().device().is_of(device));
    streams.try_for_each(|stream| stream.synchronize(Timeout::NEVER))?;
    device.status()
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandQueueCreate(
    context: Handle<Context>,
    device: Handle<Device>,
    desc: In<ze_command_queue_desc_t>,
    queue: Out<Handle<Queue>>,
) -> ze_result_t {
    enter(|| {
        context.get()?;
        let device = device.get()?;
        let desc = Description::read(desc)?;
        queue.get()?;
        queue.set(objects::add(Arc::new(Queue { stream: stream(device, desc.index), desc })))
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandQueueDestroy(queue: Handle<Queue>) -> ze_result_t {
    enter(|| {
        objects::remove(queue)?.stream.close();
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandQueueExecuteCommandLists(
    queue: Handle<Queue>,
    count: u32,
    lists: In<Handle<List>>,
    fence: Handle<Fence>,
) -> ze_result_t {
    enter(|| {
        let queue = queue.get()?;
        require(!lists.is_null(), ZE_RESULT_ERROR_INVALID_NULL_POINTER)?;
        require(count != 0, ZE_RESULT_ERROR_INVALID_SIZE)?;
        let fence = if fence.is_null() { None } else { Some(fence.get()?) };
        let mut commands = Vec::new();
        for list in lists.slice(count as usize)? {
            commands.extend(list.get()?.closed_commands()?);
        }
        for command in &commands {
            command.rearm();
        }
        queue.stream.submit(commands, fence.map(|fence| Arc::clone(&fence.completion)))?;
        if queue.desc.is_synchronous { queue.stream.synchronize(Timeout::NEVER) } else { Ok(()) }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandQueueSynchronize(queue: Handle<Queue>, timeout: u64) -> ze_result_t {
    enter(|| queue.get()?.stream.synchronize(Timeout::new(timeout)))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandQueueGetOrdinal(queue: Handle<Queue>, ordinal: Out<u32>) -> ze_result_t {
    enter(|| ordinal.set(queue.get()?.desc.ordinal))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandQueueGetIndex(queue: Handle<Queue>, index: Out<u32>) -> ze_result_t {
    enter(|| index.set(queue.get()?.desc.index))
}
