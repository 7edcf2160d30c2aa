//! Does what is handed in, one after the other: the engine behind a queue or an immediate command list.
//!
//! It has a thread as long as there is something to do, so that nothing waits for the caller: a command may wait
//! for an event that the host, or another engine, signals later.

use crate::command::{Command, Stop};
use crate::device::Device;
use crate::event::Completion;
use crate::launch::complain;
use crate::monitor::{self, Timeout};
use crate::status::{Failure, Outcome, require};
use crate::timestamps;
use level_zero_sys::*;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Commands, and what is signalled when all of them are done.
pub(crate) struct Job {
    pub commands: Vec<Arc<Command>>,
    pub fence: Option<Arc<Completion>>,
}

/// The engine.
pub(crate) struct Engine {
    device: Arc<Device>,
    waiting: Mutex<Waiting>,
    /// Jobs handed in, and those that are over.
    submitted: AtomicU64,
    over: AtomicU64,
    is_closing: AtomicBool,
}

#[derive(Default)]
struct Waiting {
    jobs: VecDeque<Job>,
    has_thread: bool,
}

impl Engine {
    pub fn new(device: Arc<Device>) -> Arc<Engine> {
        Arc::new(Engine {
            device,
            waiting: Mutex::default(),
            submitted: AtomicU64::new(0),
            over: AtomicU64::new(0),
            is_closing: AtomicBool::new(false),
        })
    }

    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands something in; returns at once.
    pub fn submit(self: &Arc<Self>, job: Job) -> Outcome {
        self.device.status()?;
        let mut waiting = self.waiting();
        if !waiting.has_thread {
            let engine = Arc::clone(self);
            let started = thread::Builder::new().name("virtual-xe".to_owned()).spawn(move || engine.run());
            started.map_err(|error| Failure::new(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, error))?;
            waiting.has_thread = true;
        }
        waiting.jobs.push_back(job);
        self.submitted.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    /// Waits until all that has been handed in so far is over.
    pub fn synchronize(&self, timeout: Timeout) -> Outcome {
        let goal = self.submitted.load(Ordering::SeqCst);
        let is_over = || self.over.load(Ordering::SeqCst) >= goal;
        let in_time = monitor::wait(timeout, is_over);
        self.device.status()?;
        require(in_time, ZE_RESULT_NOT_READY)
    }

    /// Ends what waits for something that has not happened yet, and waits for the rest.
    pub fn close(&self) {
        self.is_closing.store(true, Ordering::SeqCst);
        monitor::announce();
        monitor::wait(Timeout::NEVER, || !self.waiting().has_thread);
    }

    fn run(&self) {
        loop {
            let mut waiting = self.waiting();
            let Some(job) = waiting.jobs.pop_front() else {
                waiting.has_thread = false;
                drop(waiting);
                monitor::announce();
                return;
            };
            drop(waiting);
            if catch_unwind(AssertUnwindSafe(|| self.perform(&job))).is_err() {
                complain("virtual-xe has failed, and the device is lost");
                self.device.lose();
            }
            drop(job);
            self.over.fetch_add(1, Ordering::SeqCst);
            monitor::announce();
        }
    }

    fn perform(&self, job: &Job) {
        for command in &job.commands {
            let is_over = || self.device.is_lost() || self.is_closing.load(Ordering::SeqCst);
            monitor::wait(Timeout::NEVER, || command.may_start() || is_over());
            if self.device.is_lost() || !command.may_start() {
                return;
            }
            if let Err(Stop) = command.perform(&self.device) {
                self.device.lose();
                return;
            }
        }
        if let Some(fence) = &job.fence {
            let now = timestamps::now();
            fence.complete((now, now));
        }
    }
}
