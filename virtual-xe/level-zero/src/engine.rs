//! Does what is handed in: the engine behind all queues and immediate command lists of an index.
//!
//! Each of these is a stream, whose jobs are done one after the other. Streams of an engine are served in the order in
//! which their jobs were handed in, since the index stands for a piece of hardware; but a job that waits for an event
//! lets later ones of other streams pass. Level Zero promises no order between streams, but the older adapter of SYCL
//! relies on it: it runs a graph in a queue, and waits for it in an immediate list for an event that is still that of
//! the graph's last run until the queue resets it.
//!
//! An engine has a thread as long as there is something to do, so that nothing waits for the caller: a command may
//! wait for an event that the host, or another engine, signals later.

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

/// The engine.
pub(crate) struct Engine {
    device: Arc<Device>,
    index: u32,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    jobs: VecDeque<Job>,
    has_thread: bool,
}

/// Commands of a stream that are still to be done, and what is signalled when all of them are.
struct Job {
    stream: Arc<Stream>,
    commands: VecDeque<Arc<Command>>,
    fence: Option<Arc<Completion>>,
}

/// Next thing to do.
enum Step {
    Perform(Arc<Command>),
    /// Nothing is left of a job.
    End(Job),
    /// Nothing is left at all.
    Leave,
}

/// A queue or an immediate command list, as the engine sees it.
pub(crate) struct Stream {
    engine: Arc<Engine>,
    /// Jobs handed in, and those that are over.
    submitted: AtomicU64,
    over: AtomicU64,
    is_closing: AtomicBool,
}

impl Stream {
    pub fn new(engine: Arc<Engine>) -> Stream {
        let [submitted, over] = [AtomicU64::new(0), AtomicU64::new(0)];
        Stream { engine, submitted, over, is_closing: AtomicBool::new(false) }
    }

    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// Hands commands in, and what is signalled when all of them are done; returns at once.
    pub fn submit(self: &Arc<Self>, commands: Vec<Arc<Command>>, fence: Option<Arc<Completion>>) -> Outcome {
        self.engine.device.status()?;
        let mut waiting = self.engine.waiting();
        if !waiting.has_thread {
            let engine = Arc::clone(&self.engine);
            let started = thread::Builder::new().name("virtual-xe".to_owned()).spawn(move || engine.run());
            started.map_err(|error| Failure::new(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, error))?;
            waiting.has_thread = true;
        }
        self.submitted.fetch_add(1, Ordering::SeqCst);
        waiting.jobs.push_back(Job { stream: Arc::clone(self), commands: commands.into(), fence });
        drop(waiting);
        // The thread may wait for an event of another stream.
        monitor::announce();
        Ok(())
    }

    /// Waits until all that has been handed in so far is over.
    pub fn synchronize(&self, timeout: Timeout) -> Outcome {
        let in_time = self.wait(timeout);
        self.engine.device.status()?;
        require(in_time, ZE_RESULT_NOT_READY)
    }

    fn wait(&self, timeout: Timeout) -> bool {
        let goal = self.submitted.load(Ordering::SeqCst);
        monitor::wait(timeout, || self.over.load(Ordering::SeqCst) >= goal)
    }

    /// Ends what waits for something that has not happened yet, and waits for the rest.
    pub fn close(&self) {
        self.is_closing.store(true, Ordering::SeqCst);
        monitor::announce();
        self.wait(Timeout::NEVER);
    }
}

impl Engine {
    pub fn new(device: Arc<Device>, index: u32) -> Engine {
        Engine { device, index, waiting: Mutex::default() }
    }

    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    pub fn index(&self) -> u32 {
        self.index
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        loop {
            let mut step = None;
            monitor::wait(Timeout::NEVER, || {
                step = self.waiting().step(self.device.is_lost());
                step.is_some()
            });
            match step {
                Some(Step::Perform(command)) => self.perform(&command),
                Some(Step::End(Job { stream, commands, fence })) => {
                    drop(commands);
                    if let Some(fence) = fence {
                        let now = timestamps::now();
                        fence.complete((now, now));
                    }
                    stream.over.fetch_add(1, Ordering::SeqCst);
                    monitor::announce();
                }
                Some(Step::Leave) | None => return,
            }
        }
    }

    fn perform(&self, command: &Command) {
        match catch_unwind(AssertUnwindSafe(|| command.perform(&self.device))) {
            Ok(Ok(())) => {}
            Ok(Err(Stop)) => self.device.lose(),
            Err(_) => {
                complain("virtual-xe has failed, and the device is lost");
                self.device.lose();
            }
        }
    }
}

impl Waiting {
    /// The next thing to do; `None` if all that is left waits for something.
    fn step(&mut self, is_lost: bool) -> Option<Step> {
        let mut blocked: Vec<*const Stream> = Vec::new();
        for (place, job) in self.jobs.iter_mut().enumerate() {
            let stream = Arc::as_ptr(&job.stream);
            if blocked.contains(&stream) {
                continue;
            }
            let may_start = job.commands.front().is_none_or(|command| command.may_start());
            let is_given_up = is_lost || (!may_start && job.stream.is_closing.load(Ordering::SeqCst));
            if !may_start && !is_given_up {
                blocked.push(stream);
                continue;
            }
            if is_given_up {
                job.fence = None;
            } else if let Some(command) = job.commands.pop_front() {
                return Some(Step::Perform(command));
            }
            return self.jobs.remove(place).map(Step::End);
        }
        if !self.jobs.is_empty() {
            return None;
        }
        self.has_thread = false;
        Some(Step::Leave)
    }
}
