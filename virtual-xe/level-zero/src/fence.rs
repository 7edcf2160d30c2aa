//! Fences: what a queue signals when command lists are done.

use crate::abi::{Handle, In, Out};
use crate::event::Completion;
use crate::monitor::Timeout;
use crate::objects;
use crate::queue::Queue;
use crate::status::{enter, require};
use level_zero_sys::*;
use std::sync::Arc;

/// A fence.
pub struct Fence {
    pub(crate) completion: Arc<Completion>,
}
objects!(Fence);

#[unsafe(no_mangle)]
pub extern "C" fn zeFenceCreate(
    queue: Handle<Queue>,
    desc: In<ze_fence_desc_t>,
    fence: Out<Handle<Fence>>,
) -> ze_result_t {
    enter(|| {
        queue.get()?;
        let desc = desc.get()?;
        fence.get()?;
        require(desc.flags & !ZE_FENCE_FLAG_SIGNALED == 0, ZE_RESULT_ERROR_INVALID_ENUMERATION)?;
        let completion = Arc::new(Completion::new(desc.flags & ZE_FENCE_FLAG_SIGNALED != 0));
        fence.set(objects::add(Arc::new(Fence { completion })))
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeFenceDestroy(fence: Handle<Fence>) -> ze_result_t {
    enter(|| objects::remove(fence).map(drop))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeFenceHostSynchronize(fence: Handle<Fence>, timeout: u64) -> ze_result_t {
    enter(|| fence.get()?.completion.synchronize(Timeout::new(timeout)))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeFenceQueryStatus(fence: Handle<Fence>) -> ze_result_t {
    enter(|| fence.get()?.completion.query())
}

#[unsafe(no_mangle)]
pub extern "C" fn zeFenceReset(fence: Handle<Fence>) -> ze_result_t {
    enter(|| {
        fence.get()?.completion.reset();
        Ok(())
    })
}
