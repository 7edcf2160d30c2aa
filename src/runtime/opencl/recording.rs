//! A command buffer, which is executed more than once.

use std::ptr;

use opencl_sys::*;

use super::api::{Api, call, create, extension_function};
use super::device::DeviceInfo;
use super::kernel::Kernel;
use crate::runtime::{Error, Kernel as _, Recording};

/// The extension that has command buffers.
pub(super) const COMMAND_BUFFERS: &str = "cl_khr_command_buffer";

/// A command buffer that takes commands, and the functions of the extension.
#[allow(non_snake_case)]
struct Recorder {
    clCreateCommandBufferKHR: clCreateCommandBufferKHR_t,
    clCommandNDRangeKernelKHR: clCommandNDRangeKernelKHR_t,
    clFinalizeCommandBufferKHR: clFinalizeCommandBufferKHR_t,
    clEnqueueCommandBufferKHR: clEnqueueCommandBufferKHR_t,
    clReleaseCommandBufferKHR: clReleaseCommandBufferKHR_t,
    buffer: cl_command_buffer_khr,
}

/// Records launches of a kernel, executes them in a queue, and waits for the end.
///
/// # Safety
/// The queue is in order and of the device, the kernel was built for its context, its arguments are set, and what it does with them is the
/// caller's to vouch for.
pub(super) unsafe fn replay(
    api: &Api,
    device: DeviceInfo<'_>,
    queue: cl_command_queue,
    kernel: &Kernel,
    groups: [u64; 3],
    recording: Recording,
) -> Result<(), Error> {
    // SAFETY: the queue is valid by contract.
    let recorder = unsafe { Recorder::create(device, queue) }?;
    let (global, local) = (kernel.work_items(groups)?, kernel.group_size());
    for _ in 0..recording.launches {
        // SAFETY: the kernel is valid, and the caller vouches for what it does; the sizes have three entries.
        unsafe { recorder.append(kernel.handle(), &global, &local) }?;
    }
    // SAFETY: the buffer takes no commands any more, and is executed in its queue.
    unsafe { recorder.execute(api, queue, recording.executions) }
}

impl Recorder {
    unsafe fn create(device: DeviceInfo<'_>, queue: cl_command_queue) -> Result<Recorder, Error> {
        // SAFETY: each type is that of the function of the name.
        let mut recorder = unsafe {
            Recorder {
                clCreateCommandBufferKHR: extension_function!(
                    device,
                    c"clCreateCommandBufferKHR",
                    clCreateCommandBufferKHR_t
                ),
                clCommandNDRangeKernelKHR: extension_function!(
                    device,
                    c"clCommandNDRangeKernelKHR",
                    clCommandNDRangeKernelKHR_t
                ),
                clFinalizeCommandBufferKHR: extension_function!(
                    device,
                    c"clFinalizeCommandBufferKHR",
                    clFinalizeCommandBufferKHR_t
                ),
                clEnqueueCommandBufferKHR: extension_function!(
                    device,
                    c"clEnqueueCommandBufferKHR",
                    clEnqueueCommandBufferKHR_t
                ),
                clReleaseCommandBufferKHR: extension_function!(
                    device,
                    c"clReleaseCommandBufferKHR",
                    clReleaseCommandBufferKHR_t
                ),
                buffer: ptr::null_mut(),
            }
        };
        // SAFETY: the queue is valid by contract; no properties.
        recorder.buffer = unsafe { create!(recorder, clCreateCommandBufferKHR(1, &queue, ptr::null())) }?;
        Ok(recorder)
    }

    unsafe fn append(&self, kernel: cl_kernel, global: &[usize; 3], local: &[usize; 3]) -> Result<(), Error> {
        let (buffer, queue, properties, offset) = (self.buffer, ptr::null_mut(), ptr::null(), ptr::null());
        let (global, local, wait_for) = (global.as_ptr(), local.as_ptr(), ptr::null());
        let (point, handle) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the buffer is valid; the rest by contract.
        unsafe {
            call!(
                self,
                clCommandNDRangeKernelKHR(
                    buffer, queue, properties, kernel, 3, offset, global, local, 0, wait_for, point, handle
                )
            )
        }
    }

    unsafe fn execute(&self, api: &Api, mut queue: cl_command_queue, executions: u32) -> Result<(), Error> {
        // SAFETY: the buffer is valid.
        unsafe { call!(self, clFinalizeCommandBufferKHR(self.buffer)) }?;
        for _ in 0..executions {
            let mut event = ptr::null_mut();
            // SAFETY: queue and buffer are valid, and the execution before is over, as it must be of a buffer without the flag for simultaneous use.
            unsafe {
                call!(
                    self,
                    clEnqueueCommandBufferKHR(1, &raw mut queue, self.buffer, 0, ptr::null(), &raw mut event)
                )?;
                let over = call!(api, clWaitForEvents(1, &event));
                call!(api, clReleaseEvent(event)).and(over)?;
            }
        }
        Ok(())
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        if !self.buffer.is_null() {
            // That the driver refuses to release it is nothing to act upon.
            // SAFETY: the buffer was made for this object and is not used again.
            let _ = unsafe { call!(self, clReleaseCommandBufferKHR(self.buffer)) };
        }
    }
}
