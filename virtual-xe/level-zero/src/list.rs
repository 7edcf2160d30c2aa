//! Command lists, regular and immediate.

use crate::abi::{Chain, Handle, In, Out};
use crate::command::{Action, Command, Wait};
use crate::context::Context;
use crate::device::Device;
use crate::engine::Stream;
use crate::event::Event;
use crate::monitor::Timeout;
use crate::mutable::Mutability;
use crate::objects;
use crate::queue::{Description, GROUPS, stream};
use crate::status::{Failure, Outcome, enter, refuse, require};
use level_zero_sys::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Flags of lists that do one thing after the other, which all of ours do, and of others that change nothing
/// here; of later headers than ours.
const IN_ORDER: ze_command_list_flags_t = 1 << 3;
const CLONEABLE: ze_command_list_flags_t = 1 << 4;
const COPY_OFFLOAD_HINT: ze_command_list_flags_t = 1 << 5;
/// Structure type of `ze_mutable_command_list_exp_desc_t`; of a later header than ours.
const MUTABLE: ze_structure_type_t = 0x0002_0016;

/// A command list.
pub struct List {
    context: Handle<Context>,
    device: Handle<Device>,
    ordinal: u32,
    kind: Kind,
}
objects!(List);

enum Kind {
    Regular { recorded: Mutex<Recorded>, is_mutable: bool },
    Immediate { stream: Arc<Stream>, desc: Description },
}

/// Content of a regular list.
#[derive(Default)]
pub(crate) struct Recorded {
    pub commands: Vec<Arc<Command>>,
    pub is_closed: bool,
    /// Changes that commands allow, by their numbers.
    pub mutable: BTreeMap<u64, Mutability>,
}

/// Events that a command signals and waits for, as all that append take it.
#[derive(Clone, Copy)]
pub(crate) struct Events {
    pub signal: Handle<Event>,
    pub count: u32,
    pub waits: In<Handle<Event>>,
}

impl Events {
    /// Those of something that neither signals nor waits.
    pub(crate) const NONE: Events = Events { signal: Handle::NULL, count: 0, waits: In::NULL };

    pub(crate) fn resolve(self) -> Outcome<(Option<Arc<Event>>, Vec<Wait>)> {
        require(self.count == 0 || !self.waits.is_null(), ZE_RESULT_ERROR_INVALID_SIZE)?;
        let invalid = |_| Failure::from(ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT);
        let waits = self.waits.slice(self.count as usize)?.iter();
        let waits = waits.map(|event| Ok(event.get().map_err(invalid)?.current())).collect::<Outcome<_>>()?;
        let signal = match self.signal.is_null() {
            true => None,
            false => Some(self.signal.get().map_err(invalid)?),
        };
        Ok((signal, waits))
    }
}

fn lock(recorded: &Mutex<Recorded>) -> MutexGuard<'_, Recorded> {
    recorded.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Recorded {
    /// An error if it is closed.
    pub(crate) fn check_open(&self) -> Outcome {
        let closed = || Failure::new(ZE_RESULT_ERROR_INVALID_ARGUMENT, "the command list is closed");
        if self.is_closed { Err(closed()) } else { Ok(()) }
    }
}

impl List {
    /// Content of a mutable list.
    pub(crate) fn mutable(&self) -> Outcome<MutexGuard<'_, Recorded>> {
        match &self.kind {
            Kind::Regular { recorded, is_mutable: true } => Ok(lock(recorded)),
            _ => Err(Failure::new(ZE_RESULT_ERROR_INVALID_ARGUMENT, "the command list is not mutable")),
        }
    }

    /// The device that its commands are for.
    pub(crate) fn device(&self) -> Outcome<Arc<Device>> {
        self.device.get()
    }

    /// Appends a command; one of an immediate list is on its way then, or done if the list is synchronous.
    pub(crate) fn append(&self, events: Events, action: Action) -> Outcome {
        let (signal, waits) = events.resolve()?;
        match &self.kind {
            Kind::Regular { recorded, .. } => {
                let mut recorded = lock(recorded);
                recorded.check_open()?;
                recorded.commands.push(Arc::new(Command::new(waits, signal, action)));
                Ok(())
            }
            Kind::Immediate { .. } => self.submit(vec![Arc::new(Command::new(waits, signal, action))]),
        }
    }

    fn submit(&self, commands: Vec<Arc<Command>>) -> Outcome {
        let Kind::Immediate { stream, desc } = &self.kind else {
            return refuse(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
        };
        stream.submit(commands, None)?;
        if desc.is_synchronous { stream.synchronize(Timeout::NEVER) } else { Ok(()) }
    }

    /// The commands of a regular list that is closed.
    pub(crate) fn closed_commands(&self) -> Outcome<Vec<Arc<Command>>> {
        let Kind::Regular { recorded, .. } = &self.kind else {
            return refuse(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
        };
        let recorded = lock(recorded);
        if !recorded.is_closed {
            return Err(Failure::new(ZE_RESULT_ERROR_INVALID_ARGUMENT, "the command list is not closed"));
        }
        Ok(recorded.commands.clone())
    }

    /// Hands the commands of regular lists in, between a command that waits and one that signals.
    fn append_lists(&self, lists: &[Handle<List>], events: Events) -> Outcome {
        let (signal, waits) = events.resolve()?;
        let mut commands = vec![Arc::new(Command::new(waits, None, Action::Barrier))];
        for list in lists {
            commands.extend(list.get()?.closed_commands()?);
        }
        for command in &commands {
            command.rearm();
        }
        commands.push(Arc::new(Command::new(Vec::new(), signal, Action::Barrier)));
        self.submit(commands)
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListCreate(
    context: Handle<Context>,
    device: Handle<Device>,
    desc: In<ze_command_list_desc_t>,
    list: Out<Handle<List>>,
) -> ze_result_t {
    enter(|| {
        context.get()?;
        device.get()?;
        let desc = desc.get()?;
        list.get()?;
        let flags = ZE_COMMAND_LIST_FLAG_RELAXED_ORDERING
            | ZE_COMMAND_LIST_FLAG_MAXIMIZE_THROUGHPUT
            | ZE_COMMAND_LIST_FLAG_EXPLICIT_ONLY
            | IN_ORDER
            | CLONEABLE
            | COPY_OFFLOAD_HINT;
        require(desc.flags & !flags == 0, ZE_RESULT_ERROR_INVALID_ENUMERATION)?;
        let ordinal = desc.commandQueueGroupOrdinal;
        require(ordinal < GROUPS, ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
        let is_mutable = Chain::new(desc.pNext).find::<ze_base_properties_t>(MUTABLE).is_some();
        let kind = Kind::Regular { recorded: Mutex::default(), is_mutable };
        list.set(objects::add(Arc::new(List { context, device, ordinal, kind })))
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListCreateImmediate(
    context: Handle<Context>,
    device: Handle<Device>,
    desc: In<ze_command_queue_desc_t>,
    list: Out<Handle<List>>,
) -> ze_result_t {
    enter(|| {
        context.get()?;
        let object = device.get()?;
        let desc = Description::read(desc)?;
        list.get()?;
        let kind = Kind::Immediate { stream: stream(object, desc.index), desc };
        list.set(objects::add(Arc::new(List { context, device, ordinal: desc.ordinal, kind })))
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListDestroy(list: Handle<List>) -> ze_result_t {
    enter(|| {
        if let Kind::Immediate { stream, .. } = &objects::remove(list)?.kind {
            stream.close();
        }
        Ok(())
    })
}

/// An immediate list is always ready, and closing it changes nothing.
#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListClose(list: Handle<List>) -> ze_result_t {
    enter(|| {
        if let Kind::Regular { recorded, .. } = &list.get()?.kind {
            let mut recorded = lock(recorded);
            recorded.commands.iter().try_for_each(|command| command.check())?;
            recorded.is_closed = true;
        }
        Ok(())
    })
}

/// An immediate list holds nothing, and resetting it changes nothing.
#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListReset(list: Handle<List>) -> ze_result_t {
    enter(|| {
        if let Kind::Regular { recorded, .. } = &list.get()?.kind {
            *lock(recorded) = Recorded::default();
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListHostSynchronize(list: Handle<List>, timeout: u64) -> ze_result_t {
    enter(|| match &list.get()?.kind {
        Kind::Immediate { stream, .. } => stream.synchronize(Timeout::new(timeout)),
        Kind::Regular { .. } => refuse(ZE_RESULT_ERROR_INVALID_ARGUMENT),
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListImmediateAppendCommandListsExp(
    list: Handle<List>,
    count: u32,
    lists: In<Handle<List>>,
    signal: Handle<Event>,
    wait_count: u32,
    waits: In<Handle<Event>>,
) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        require(!lists.is_null(), ZE_RESULT_ERROR_INVALID_NULL_POINTER)?;
        require(count != 0, ZE_RESULT_ERROR_INVALID_SIZE)?;
        list.append_lists(lists.slice(count as usize)?, Events { signal, count: wait_count, waits })
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListGetDeviceHandle(
    list: Handle<List>,
    device: Out<Handle<Device>>,
) -> ze_result_t {
    enter(|| device.set(list.get()?.device))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListGetContextHandle(
    list: Handle<List>,
    context: Out<Handle<Context>>,
) -> ze_result_t {
    enter(|| context.set(list.get()?.context))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListGetOrdinal(list: Handle<List>, ordinal: Out<u32>) -> ze_result_t {
    enter(|| ordinal.set(list.get()?.ordinal))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListImmediateGetIndex(list: Handle<List>, index: Out<u32>) -> ze_result_t {
    enter(|| match &list.get()?.kind {
        Kind::Immediate { desc, .. } => index.set(desc.index),
        Kind::Regular { .. } => refuse(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE),
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListIsImmediate(list: Handle<List>, answer: Out<ze_bool_t>) -> ze_result_t {
    enter(|| answer.set(u8::from(matches!(list.get()?.kind, Kind::Immediate { .. }))))
}
