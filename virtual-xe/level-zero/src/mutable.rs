//! Mutable command lists: launches that are changed after they have been recorded.
//!
//! The structures and numbers are those of the extension `ZE_experimental_mutable_command_list` 1.1, of later headers
//! than ours. What is in work keeps the command that it was handed in with.

use crate::abi::{Chain, Handle, In, Out};
use crate::command::Command;
use crate::event::Event;
use crate::kernel::Kernel;
use crate::launch::{Groups, Launch, counts};
use crate::list::{Events, List, Recorded};
use crate::status::{Failure, Outcome, enter, require};
use level_zero_sys::*;
use std::ffi::c_void;
use std::sync::Arc;

/// Parts of a command that can be changed, as `ze_mutable_command_exp_flags_t`.
pub(crate) type Flags = u32;
const KERNEL_ARGUMENTS: Flags = 1 << 0;
const GROUP_COUNT: Flags = 1 << 1;
const GROUP_SIZE: Flags = 1 << 2;
const GLOBAL_OFFSET: Flags = 1 << 3;
const SIGNAL_EVENT: Flags = 1 << 4;
const WAIT_EVENTS: Flags = 1 << 5;
const KERNEL_INSTRUCTION: Flags = 1 << 6;
/// All that can be changed.
pub(crate) const ALL: Flags = (1 << 7) - 1;

const KERNEL_ARGUMENT_DESC: ze_structure_type_t = 0x0002_0019;
const GROUP_COUNT_DESC: ze_structure_type_t = 0x0002_001a;
const GROUP_SIZE_DESC: ze_structure_type_t = 0x0002_001b;
const GLOBAL_OFFSET_DESC: ze_structure_type_t = 0x0002_001c;

/// `ze_mutable_command_list_exp_properties_t`, a part of a device's properties.
#[repr(C)]
pub(crate) struct Properties {
    stype: ze_structure_type_t,
    pNext: *mut c_void,
    pub list_flags: u32,
    pub command_flags: Flags,
}

impl Properties {
    pub const TYPE: ze_structure_type_t = 0x0002_0015;
}

/// `ze_mutable_command_id_exp_desc_t` and `ze_mutable_commands_exp_desc_t`.
#[repr(C)]
pub struct Description {
    stype: ze_structure_type_t,
    pNext: *const c_void,
    flags: u32,
}

/// `ze_mutable_kernel_argument_exp_desc_t`.
#[repr(C)]
struct KernelArgument {
    stype: ze_structure_type_t,
    pNext: *const c_void,
    command: u64,
    index: u32,
    size: usize,
    value: In<u8>,
}

/// `ze_mutable_group_count_exp_desc_t`.
#[repr(C)]
struct GroupCount {
    stype: ze_structure_type_t,
    pNext: *const c_void,
    command: u64,
    groups: In<ze_group_count_t>,
}

/// `ze_mutable_group_size_exp_desc_t` and `ze_mutable_global_offset_exp_desc_t`.
#[repr(C)]
struct Numbers {
    stype: ze_structure_type_t,
    pNext: *const c_void,
    command: u64,
    numbers: [u32; 3],
}

/// Changes that a command allows.
pub(crate) struct Mutability {
    flags: Flags,
    /// Kernels that it may run.
    kernels: Vec<Arc<Kernel>>,
}

impl Recorded {
    /// Number of the command that is appended next, which will allow some changes.
    fn next_number(&mut self, flags: Flags, kernels: Vec<Arc<Kernel>>) -> Outcome<u64> {
        self.check_open()?;
        require(flags & !ALL == 0, ZE_RESULT_ERROR_INVALID_ENUMERATION)?;
        // Without a flag, all but another kernel.
        let flags = if flags == 0 { ALL & !KERNEL_INSTRUCTION } else { flags };
        let number = self.commands.len() as u64 + 1;
        self.mutable.insert(number, Mutability { flags, kernels });
        Ok(number)
    }

    /// A command for a change, after which the list has to be closed again.
    fn command_mut(&mut self, number: u64, change: Flags) -> Outcome<&mut Command> {
        let unknown = || {
            let message = format!("the command list has no command {number} that allows this change");
            Failure::new(ZE_RESULT_ERROR_INVALID_ARGUMENT, message)
        };
        let mutability = self.mutable.get(&number).ok_or_else(unknown)?;
        let place = usize::try_from(number.wrapping_sub(1)).map_err(|_| unknown())?;
        let command = self.commands.get_mut(place).ok_or_else(unknown)?;
        if mutability.flags & change == 0 {
            return Err(unknown());
        }
        self.is_closed = false;
        Ok(Arc::make_mut(command))
    }

    fn launch_mut(&mut self, number: u64, change: Flags) -> Outcome<&mut Launch> {
        let no_launch = || Failure::new(ZE_RESULT_ERROR_INVALID_ARGUMENT, "the command is no launch");
        self.command_mut(number, change)?.launch_mut().ok_or_else(no_launch)
    }

    /// Applies a chain of changes.
    fn apply(&mut self, changes: Chain) -> Outcome {
        for change in changes.links() {
            if let Some(KernelArgument { command, index, size, value, .. }) = change.get(KERNEL_ARGUMENT_DESC)
            {
                let launch = self.launch_mut(*command, KERNEL_ARGUMENTS)?;
                launch.setup.set_argument(*index as usize, *size, *value)?;
            } else if let Some(GroupCount { command, groups, .. }) = change.get(GROUP_COUNT_DESC) {
                self.launch_mut(*command, GROUP_COUNT)?.groups = Groups::Fixed(counts(*groups)?);
            } else if let Some(Numbers { command, numbers, .. }) = change.get(GROUP_SIZE_DESC) {
                self.launch_mut(*command, GROUP_SIZE)?.setup.set_group_size(*numbers)?;
            } else if let Some(Numbers { command, numbers, .. }) = change.get(GLOBAL_OFFSET_DESC) {
                self.launch_mut(*command, GLOBAL_OFFSET)?.setup.offset = *numbers;
            } else {
                return Err(Failure::new(ZE_RESULT_ERROR_INVALID_ENUMERATION, "a change of an unknown kind"));
            }
        }
        Ok(())
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListGetNextCommandIdExp(
    list: Handle<List>,
    desc: In<Description>,
    number: Out<u64>,
) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        let flags = desc.get()?.flags;
        number.get()?;
        number.set(list.mutable()?.next_number(flags, Vec::new())?)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListGetNextCommandIdWithKernelsExp(
    list: Handle<List>,
    desc: In<Description>,
    count: u32,
    kernels: In<Handle<Kernel>>,
    number: Out<u64>,
) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        let flags = desc.get()?.flags;
        number.get()?;
        let kernels = kernels.slice(count as usize)?.iter().map(|kernel| kernel.get());
        let kernels = kernels.collect::<Outcome<Vec<_>>>()?;
        number.set(list.mutable()?.next_number(flags, kernels)?)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListUpdateMutableCommandsExp(
    list: Handle<List>,
    desc: In<Description>,
) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        let desc = desc.get()?;
        require(desc.flags == 0, ZE_RESULT_ERROR_INVALID_ENUMERATION)?;
        list.mutable()?.apply(Chain::new(desc.pNext))
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListUpdateMutableCommandSignalEventExp(
    list: Handle<List>,
    number: u64,
    signal: Handle<Event>,
) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        let (signal, _) = Events { signal, ..Events::NONE }.resolve()?;
        list.mutable()?.command_mut(number, SIGNAL_EVENT)?.set_signal(signal);
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListUpdateMutableCommandWaitEventsExp(
    list: Handle<List>,
    number: u64,
    count: u32,
    waits: In<Handle<Event>>,
) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        let (_, waits) = Events { count, waits, ..Events::NONE }.resolve()?;
        list.mutable()?.command_mut(number, WAIT_EVENTS)?.set_waits(waits);
        Ok(())
    })
}

/// Each command runs another kernel from now on, all of whose arguments have to be set before the list is closed.
#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListUpdateMutableCommandKernelsExp(
    list: Handle<List>,
    count: u32,
    numbers: In<u64>,
    kernels: In<Handle<Kernel>>,
) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        let device = list.device()?;
        let kernels = kernels.slice(count as usize)?;
        let mut recorded = list.mutable()?;
        for (&number, kernel) in numbers.slice(kernels.len())?.iter().zip(kernels) {
            let kernel = kernel.get()?;
            let mut setup = kernel.setup(&device)?;
            setup.clear_arguments();
            let known = recorded.mutable.get(&number).map_or(&[][..], |mutability| &mutability.kernels);
            let is_known = known.iter().any(|known| Arc::ptr_eq(known, &kernel));
            require(is_known, ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
            recorded.launch_mut(number, KERNEL_INSTRUCTION)?.setup = setup;
        }
        Ok(())
    })
}
