//! A command list that is executed more than once.

use std::ptr;

use level_zero_sys::*;

use super::bundle::BuildTarget;
use super::driver::{Driver, call, zeroed};
use super::kernel::Kernel;
use crate::runtime::{Error, Recording, answer};

/// A command list that takes commands, and a queue that executes it and returns when that is over.
struct Recorder {
    driver: &'static Driver,
    list: ze_command_list_handle_t,
    queue: ze_command_queue_handle_t,
}

/// Records launches of a kernel and executes them.
///
/// # Safety
/// The kernel was built for the target, its arguments are set, and what it does with them is the caller's to vouch for.
pub(super) unsafe fn replay(
    target: &BuildTarget,
    kernel: &mut Kernel,
    groups: [u64; 3],
    recording: Recording,
) -> Result<(), Error> {
    let mut recorder = Recorder::create(target)?;
    for _ in 0..recording.launches {
        let (nothing, none) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the list is of the context that the kernel was built for; the caller vouches for the rest.
        unsafe {
            kernel.append(recorder.list, groups, nothing, &mut [])?;
            call!(recorder.driver, zeCommandListAppendBarrier(recorder.list, nothing, 0, none))?;
        }
    }
    recorder.execute(recording.executions)
}

impl Recorder {
    fn create(target: &BuildTarget) -> Result<Recorder, Error> {
        let (driver, context, device) = (target.driver, target.context(), target.device());
        let mut of_queue: ze_command_queue_desc_t = zeroed();
        of_queue.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
        of_queue.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
        let mut of_list: ze_command_list_desc_t = zeroed();
        of_list.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
        let mut recorder = Recorder { driver, list: ptr::null_mut(), queue: ptr::null_mut() };
        // SAFETY: context and device are valid; the descriptions carry their types and outlive the calls.
        unsafe {
            call!(driver, zeCommandQueueCreate(context, device, &of_queue, &mut recorder.queue))?;
            call!(driver, zeCommandListCreate(context, device, &of_list, &mut recorder.list))?;
        }
        answer::object("zeCommandQueueCreate", recorder.queue)?;
        answer::object("zeCommandListCreate", recorder.list)?;
        Ok(recorder)
    }

    fn execute(&mut self, executions: u32) -> Result<(), Error> {
        // SAFETY: the list is valid, and nothing is appended to it any more.
        unsafe { call!(self.driver, zeCommandListClose(self.list)) }?;
        for _ in 0..executions {
            // SAFETY: queue and list are valid, the list is closed, and the queue has returned from executing it.
            unsafe {
                call!(
                    self.driver,
                    zeCommandQueueExecuteCommandLists(self.queue, 1, &mut self.list, ptr::null_mut())
                )
            }?;
        }
        Ok(())
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // That a driver refuses to destroy them is nothing to act upon.
        // SAFETY: they were made for this object, are not used again, and the queue has returned from executing the list.
        unsafe {
            if !self.list.is_null() {
                let _ = call!(self.driver, zeCommandListDestroy(self.list));
            }
            if !self.queue.is_null() {
                let _ = call!(self.driver, zeCommandQueueDestroy(self.queue));
            }
        }
    }
}
