//! Processes that run the tests. The driver builds one program at a time in a process, which is most of the
//! work; with a process for each thread of the tests, all cores build. And should the driver end the
//! process, only the test at hand is lost.
//!
//! A worker reads the name of a test from each line of its standard input and writes what became of it as a
//! line of JSON.

use std::collections::HashMap;
use std::env;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use libtest_mimic::{Completion, Failed};
use serde_json::json;

use crate::Case;
use crate::device::{Device, Stop};
use crate::process::Process;
use crate::table::{CASE_COUNTS, CaseCounts};

/// Set in the processes that are workers, to the name of the device.
const ROLE: &str = "TILETC_CONFORMANCE_WORKER";

/// The number of slow tests that are listed for a device.
const LISTED: usize = 4;

/// The device whose worker this process is.
pub fn role() -> Option<String> {
    env::var(ROLE).ok()
}

/// Main loop of a worker, until its standard input ends.
pub fn serve(device: &str, cases: Vec<Case>) -> ExitCode {
    let mut cases: HashMap<String, Case> = cases.into_iter().map(|case| (case.name.clone(), case)).collect();
    let device = Device::open(device);
    for name in io::stdin().lines().map_while(Result::ok) {
        let outcome = match (&device, cases.remove(&name)) {
            (Err(reason), _) => Err(Stop::Skip(reason.clone())),
            (Ok(_), None) => Err(Stop::Fail("there is no such test".to_owned())),
            (Ok(device), Some(case)) => catch_unwind(AssertUnwindSafe(|| (case.run)(device)))
                .unwrap_or_else(|_| Err(Stop::Fail("the test panicked, see above".to_owned()))),
        };
        let (kind, message) = match outcome {
            Ok(()) => ("passed", String::new()),
            Err(Stop::Skip(reason)) => ("skipped", reason),
            Err(Stop::Fail(message)) => ("failed", message),
        };
        println!("{}", json!({ "outcome": kind, "message": message, "cases": CASE_COUNTS.take() }));
    }
    ExitCode::SUCCESS
}

/// The workers of a device.
pub struct Pool {
    pub device: &'static str,
    /// Those that have nothing to do.
    idle: Mutex<Vec<Process>>,
    /// The cases that ran.
    pub counts: CaseCounts,
    /// The time that each test took, and its name.
    times: Mutex<Vec<(Duration, String)>>,
}

impl Pool {
    /// No workers yet.
    pub fn new(device: &'static str) -> Pool {
        Pool { device, idle: Mutex::default(), counts: CaseCounts::new(), times: Mutex::default() }
    }

    /// Has a worker run the test of the name.
    pub fn run(&self, name: &str) -> Result<Completion, Failed> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut worker = idle.map_or_else(|| Process::start(ROLE, self.device), Ok)?;
        let start = Instant::now();
        let answer = worker.ask(name)?;
        self.times.lock().unwrap_or_else(PoisonError::into_inner).push((start.elapsed(), name.to_owned()));
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        self.counts.add(&answer["cases"]);
        let message = answer["message"].as_str().unwrap_or_default();
        match answer["outcome"].as_str() {
            Some("passed") => Ok(Completion::Completed),
            Some("skipped") => Ok(Completion::ignored_with(format!("SKIPPED: {message}"))),
            _ => Err(Failed::from(message)),
        }
    }

    /// The time that the tests of the device take together, and the slowest of them, a line each.
    pub fn slowest(&self) -> String {
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner).clone();
        times.sort_by(|a, b| b.cmp(a));
        let total: Duration = times.iter().map(|(time, _)| *time).sum();
        let lines =
            times.iter().take(LISTED).map(|(time, name)| format!("{:>8.1} s  {name}\n", time.as_secs_f64()));
        format!(
            "slowest of {} tests on {}, which take {:.1} s\n{}",
            times.len(),
            self.device,
            total.as_secs_f64(),
            lines.collect::<String>()
        )
    }
}
