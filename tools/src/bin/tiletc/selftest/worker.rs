//! Cases in a process of their own, so that a driver that crashes or hangs takes nobody along.
//!
//! The process writes a line of JSON when a case begins and one when it ends.

use super::runner::Verdict;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Time that a case may take before it counts as hanging: drivers need seconds for the first kernel.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Line that a process writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    Begin(String),
    End(String, Verdict),
    /// A line of another kind.
    Other(Value),
}

impl Line {
    /// The line as text.
    pub fn write(&self) -> String {
        let value = match self {
            Line::Begin(case) => json!({ "begin": case }),
            Line::End(case, verdict) => match verdict {
                Verdict::Passed => json!({ "end": case, "verdict": "passed" }),
                Verdict::Unused => json!({ "end": case, "verdict": "unused" }),
                Verdict::Failed(reason) => json!({ "end": case, "verdict": "failed", "reason": reason }),
            },
            Line::Other(value) => value.clone(),
        };
        format!("{value}\n")
    }

    fn read(text: &str) -> Option<Line> {
        let value: Value = serde_json::from_str(text).ok()?;
        let member = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        if let Some(case) = member("begin") {
            return Some(Line::Begin(case));
        }
        let Some(case) = member("end") else { return Some(Line::Other(value)) };
        let verdict = match member("verdict").as_deref() {
            Some("passed") => Verdict::Passed,
            Some("unused") => Verdict::Unused,
            _ => Verdict::Failed(member("reason").unwrap_or_default()),
        };
        Some(Line::End(case, verdict))
    }
}

/// Runs a process and hands on what it says.
///
/// # Errors
/// If it crashes, hangs, or cannot be started: with the case at which it did.
pub fn watch(mut command: Command, patience: Duration, mut each: impl FnMut(Line)) -> Result<(), String> {
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut child = child.map_err(|error| format!("it cannot be started: {error}"))?;
    let (sender, lines) = channel();
    let reader = child.stdout.take().map(|stdout| {
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        })
    });
    let mut current = None;
    let hangs = loop {
        match lines.recv_timeout(patience) {
            Ok(text) => {
                let Some(line) = Line::read(&text) else { continue };
                match &line {
                    Line::Begin(case) => current = Some(case.clone()),
                    Line::End(..) => current = None,
                    Line::Other(_) => {}
                }
                each(line);
            }
            Err(RecvTimeoutError::Disconnected) => break false,
            Err(RecvTimeoutError::Timeout) => break true,
        }
    };
    let place = current.map_or_else(String::new, |case| format!(" in the case `{case}`"));
    if hangs {
        // It may have ended by itself meanwhile.
        let _ = child.kill();
        let _ = child.wait();
        return Err(format!("the driver has hung for {} s{place}", patience.as_secs()));
    }
    let status = child.wait().map_err(|error| format!("it is lost: {error}"))?;
    if let Some(reader) = reader {
        // It has nothing left to read.
        let _ = reader.join();
    }
    if status.success() { Ok(()) } else { Err(format!("the driver has crashed ({status}){place}")) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    fn lines(script: &str, patience: Duration) -> (Vec<Line>, Result<(), String>) {
        let mut lines = Vec::new();
        let result = watch(shell(script), patience, |line| lines.push(line));
        (lines, result)
    }

    #[test]
    fn lines_are_read_as_they_are_written() {
        for line in [
            Line::Begin("a \"b\"".to_owned()),
            Line::End("a".to_owned(), Verdict::Passed),
            Line::End("a".to_owned(), Verdict::Unused),
            Line::End("a".to_owned(), Verdict::Failed("why".to_owned())),
            Line::Other(json!({ "measurement": 1 })),
        ] {
            assert_eq!(Line::read(&line.write()), Some(line));
        }
        assert_eq!(Line::read("a driver's chatter"), None);
    }

    #[test]
    fn a_crash_names_the_case() {
        let script = r#"echo '{"begin":"one"}'; echo '{"end":"one","verdict":"passed"}'; echo '{"begin":"two"}'; kill -9 $$"#;
        let (lines, result) = lines(script, PATIENCE);
        assert_eq!(lines.len(), 3);
        let message = result.unwrap_err();
        assert!(message.contains("crashed") && message.contains("`two`"), "{message}");
    }

    #[test]
    fn a_hang_names_the_case() {
        let (lines, result) = lines(r#"echo '{"begin":"one"}'; exec sleep 20"#, Duration::from_millis(300));
        assert_eq!(lines, [Line::Begin("one".to_owned())]);
        let message = result.unwrap_err();
        assert!(message.contains("hung") && message.contains("`one`"), "{message}");
    }

    #[test]
    fn what_ends_well_is_no_error() {
        let (lines, result) = lines(r#"echo chatter; echo '{"end":"one","verdict":"passed"}'"#, PATIENCE);
        assert_eq!(lines, [Line::End("one".to_owned(), Verdict::Passed)]);
        assert_eq!(result, Ok(()));
    }
}
