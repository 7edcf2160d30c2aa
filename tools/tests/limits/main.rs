//! The longest texts there may be, of the worst kinds: each either compiles or is refused with a short
//! report, in 2 seconds and less than 1 GB.
//!
//! `tiletc` runs as a process of its own, whose address space the shell limits to 1 GB. Time is processor
//! time, which other work on the machine changes less than elapsed time. `TILETC_LIMITS` names a release build, which has the
//! 2 seconds, and `TILETC_LIMITS_PART=N` takes texts of an N-th of the length: `cargo xtask test` a quarter, so that
//! other work may take as much again, and `cargo xtask soak limits` all of it:
//!
//! ```text
//! cargo build --release --package tiletc-tools
//! TILETC_LIMITS=target/release/tiletc cargo test --package tiletc-tools --test limits
//! ```
//!
//! Otherwise the tool is that of the tests. Unoptimised it takes 3 to 13 times as long and would hold up every
//! run of the tests, so its texts are an eighth as long, and the time is 5 seconds since what a lowered
//! program may grow to does not depend on the text.
#![cfg(unix)]
#![allow(clippy::print_stdout, clippy::indexing_slicing)]

mod texts;

use libtest_mimic::{Arguments, Failed, Trial};
use std::io::Write as _;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// A tool, and what it is asked for.
struct Tool {
    path: String,
    /// Processor time for a text.
    limit: Duration,
    /// Length of the longest texts.
    max_bytes: usize,
}

/// Length of the longest texts that there may be.
const MAX_BYTES: usize = 1_000_000;

impl Tool {
    fn find() -> Tool {
        let named = std::env::var("TILETC_LIMITS").ok();
        let is_slow = named.is_none() && cfg!(debug_assertions);
        let part = std::env::var("TILETC_LIMITS_PART").ok().and_then(|part| part.parse().ok());
        let part: usize = part.unwrap_or(if is_slow { 8 } else { 1 });
        Tool {
            path: named.unwrap_or_else(|| env!("CARGO_BIN_EXE_tiletc").to_owned()),
            limit: Duration::from_secs(if is_slow { 5 } else { 2 }),
            max_bytes: MAX_BYTES / part.max(1),
        }
    }
}

/// Outcome that a text must lead to.
#[derive(Clone, Copy, Debug)]
pub enum Expected {
    /// A module.
    Module,
    /// A report that contains this.
    Report(&'static str),
    /// Either, whatever the report says.
    Anything,
}

/// Ends quietly or with a report, in time and without running out of memory. Other work on the machine slows
/// even processor time down, for a while, so the least of several times with pauses between them counts.
fn compile(tool: &Tool, text: &str, options: &[&str], expected: Expected) -> Result<(), Failed> {
    const TRIES: u32 = 6;
    let mut time = Duration::MAX;
    for number in 0..TRIES {
        thread::sleep(number * Duration::from_millis(500));
        time = time.min(compile_once(tool, text, options, expected)?);
        if time <= tool.limit {
            return Ok(());
        }
    }
    Err(format!("{time:?} of processor time").into())
}

/// The processor time it takes. A tool that is stopped for using far too much ends otherwise than expected.
fn compile_once(tool: &Tool, text: &str, options: &[&str], expected: Expected) -> Result<Duration, Failed> {
    const ADDRESS_SPACE_KIB: u32 = 1 << 20;
    const MAX_REPORT: usize = 20_000;
    // `times` prints the processor time of the shell and, in its second line, of what it ran.
    let script = format!(
        "ulimit -v {ADDRESS_SPACE_KIB}; ulimit -t {}; \"$0\" \"$@\" -o /dev/null; code=$?; times; exit $code",
        2 * tool.limit.as_secs()
    );
    let mut child = Command::new("sh")
        .args(["-c", &script, &tool.path])
        .args(options)
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut stdin = child.stdin.take().ok_or("no standard input")?;
    // If the tool ends early its exit code says why.
    let _ = stdin.write_all(text.as_bytes());
    drop(stdin);
    let output = child.wait_with_output()?;
    let report = String::from_utf8_lossy(&output.stderr);
    let shown: String = report.chars().take(500).collect();
    let time = child_time(&String::from_utf8_lossy(&output.stdout)).ok_or("no times")?;
    let is_as_expected = match (output.status.code(), expected) {
        (Some(0), Expected::Module) => report.is_empty(),
        (Some(0 | 1), Expected::Anything) => report.len() <= MAX_REPORT && !report.contains("internal"),
        (Some(1), Expected::Report(what)) => report.contains(what) && report.len() <= MAX_REPORT,
        _ => false,
    };
    if is_as_expected {
        Ok(time)
    } else {
        Err(format!("{}, not {expected:?}: {shown}", output.status).into())
    }
}

/// User and system time in the second line of `0m0.01s 0m0.02s`.
fn child_time(times: &str) -> Option<Duration> {
    let seconds = |time: &str| -> Option<f64> {
        let (minutes, seconds) = time.strip_suffix('s')?.split_once('m')?;
        Some(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
    };
    let total: Option<f64> = times.lines().nth(1)?.split_whitespace().map(seconds).sum();
    total.map(Duration::from_secs_f64)
}

/// Texts of at most so many bytes are the same whatever the longest may have.
const MAX_SHORT: usize = 20_000;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let tool = Arc::new(Tool::find());
    let mut trials = Vec::new();
    for (name, text, expected) in texts::all() {
        let tool = tool.clone();
        trials.push(Trial::test(name, move || {
            let text = text(tool.max_bytes);
            if text.len() > tool.max_bytes.max(MAX_SHORT) {
                return Err(format!("{} bytes", text.len()).into());
            }
            // What is too much at full length need not be so here.
            let is_whole = tool.max_bytes == MAX_BYTES || text.len() <= MAX_SHORT;
            let refused = matches!(expected, Expected::Report(_));
            let expected = if is_whole { expected } else { Expected::Anything };
            compile(&tool, &text, &[], expected)?;
            // Without optimisation nothing is thrown away before it is lowered; what is refused with it is
            // refused without it.
            match refused {
                true => Ok(()),
                false => compile(&tool, &text, &["-O", "0"], Expected::Anything),
            }
        }));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}
