//! Processes that run the programs, since a driver that crashes over one must not end the test: the program is then made
//! smaller, like any other that has not the right results.

use crate::device::Device;
use crate::generate::Kind;
use crate::process::Process;
use crate::properties::{Wrong, made};
use crate::run::{Counts, equal_results};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use tiletc::driver;

/// Set in the processes that are workers, to the names of the devices.
const ROLE: &str = "TILETC_RANDOM_WORKER";

/// The devices whose worker this process is.
pub fn role() -> Option<String> {
    std::env::var(ROLE).ok()
}

/// Opens the devices of names with commas between them, or says why that one is not there.
pub fn open(names: &str) -> Result<Vec<Device>, String> {
    names.split(',').map(Device::open).collect()
}

/// Main loop of a worker, until its standard input ends.
pub fn serve(names: &str) -> ExitCode {
    let devices = open(names);
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let run = || {
            let (kind, numbers) = read(&line).ok_or("no program")?;
            equal_results(devices.as_deref()?, &numbers, kind)
        };
        let outcome = catch_unwind(AssertUnwindSafe(run));
        let answer = match outcome.unwrap_or_else(|_| Err("the test panicked, see above".to_owned())) {
            Ok(counts) => json!({ "counts": counts.to_json() }),
            Err(wrong) => json!({ "wrong": wrong }),
        };
        println!("{answer}");
    }
    ExitCode::SUCCESS
}

/// Request of a line.
fn read(line: &str) -> Option<(Kind, Vec<u32>)> {
    let question: Value = serde_json::from_str(line).ok()?;
    let kind = Kind::ALL.into_iter().find(|kind| question["kind"] == format!("{kind:?}"))?;
    let numbers = question["numbers"].as_array()?;
    let numbers = numbers.iter().map(|number| number.as_u64().and_then(|number| u32::try_from(number).ok()));
    Some((kind, numbers.collect::<Option<_>>()?))
}

/// A worker that is started when it is needed, and again when it has ended.
pub struct Worker {
    names: String,
    process: Mutex<Option<Process>>,
}

impl Worker {
    pub fn new(names: &str) -> Worker {
        Worker { names: names.to_owned(), process: Mutex::default() }
    }

    /// Has the worker run a program; see [`equal_results`].
    pub fn run(&self, numbers: &[u32], kind: Kind) -> Result<Counts, Wrong> {
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = match &mut *process {
            Some(worker) => worker,
            none => none.insert(Process::start(ROLE, &self.names).map_err(|error| error.to_string())?),
        };
        let question = json!({ "kind": format!("{kind:?}"), "numbers": numbers });
        match worker.ask(&question.to_string()) {
            Ok(answer) => match answer["wrong"].as_str() {
                Some(wrong) => Err(wrong.to_owned()),
                None => Ok(Counts::from_json(&answer["counts"]).ok_or("no counts")?),
            },
            Err(end) => {
                *process = None;
                let made = made(numbers, kind)?;
                Err(format!("{end}\n{}", driver::print(&made.ir, &made.program)))
            }
        }
    }
}
