//! Output of libFuzzer while it runs.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::process;

/// Progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Inputs that were tried.
    pub executions: u64,
    /// Edges of the control flow that they reach.
    pub edges: u64,
    /// Edges, each with how often it is reached, and comparisons with what they compare.
    pub features: u64,
}

/// Runs a target's program. All it says goes to the log; how far it is and the reasons of findings are shown.
pub fn follow(name: &str, program: &mut Command, log: &Path) -> Result<Status> {
    let cannot = || format!("cannot run {name}");
    let mut file = File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
    let mut child = program.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().with_context(cannot)?;
    let stderr = child.stderr.take().with_context(cannot)?;
    let spinner = process::spinner(&format!("{name}: reading the corpus"));
    let mut status = Status::default();
    for line in BufReader::new(stderr).split(b'\n') {
        let line = line?;
        file.write_all(&line)?;
        file.write_all(b"\n")?;
        let line = String::from_utf8_lossy(&line);
        if let Some(now) = progress(&line) {
            status = now;
            spinner.set_message(format!("{name}: {} executions, {} edges", now.executions, now.edges));
        } else if is_reason(&line) {
            spinner.suspend(|| println!("{name}: {line}"));
        }
    }
    child.wait()?;
    spinner.finish_and_clear();
    Ok(status)
}

/// Reads `#1234: cov: 56 ft: 78 corp: 9 exec/s: …`, or the same without the colon behind the number.
fn progress(line: &str) -> Option<Status> {
    let mut words = line.strip_prefix('#')?.split_whitespace();
    let executions = words.next()?.trim_end_matches(':').parse().ok()?;
    let words: Vec<&str> = words.collect();
    let number = |of: &str| {
        let mut pairs = words.iter().zip(words.iter().skip(1));
        pairs.find(|(word, _)| **word == of)?.1.parse().ok()
    };
    Some(Status { executions, edges: number("cov:")?, features: number("ft:")? })
}

/// Returns whether a line says what is wrong with an input.
fn is_reason(line: &str) -> bool {
    line.contains(" panicked at ")
        || line.contains("ERROR: libFuzzer: ")
        || line.contains("ERROR: AddressSanitizer: ")
}

#[cfg(test)]
mod tests {
    use super::{Status, is_reason, progress};

    #[test]
    fn progress_is_read() {
        let forked =
            "#98304: cov: 1023 ft: 4567 corp: 321 exec/s: 2048 oom/timeout/crash: 0/0/0 time: 48s job: 9";
        let status = Status { executions: 98304, edges: 1023, features: 4567 };
        assert_eq!(progress(forked), Some(status));
        let single = "#98304\tDONE   cov: 1023 ft: 4567 corp: 321/20Kb lim: 512 exec/s: 2048 rss: 90Mb";
        assert_eq!(progress(single), Some(status));
        assert_eq!(progress("#0 0x55d0 in main"), None);
        assert_eq!(progress("INFO: seed corpus: files: 12"), None);
    }

    #[test]
    fn reasons_are_shown() {
        assert!(is_reason("thread '<unnamed>' (12) panicked at src/ir/types.rs:1:2:"));
        assert!(is_reason("==3== ERROR: libFuzzer: timeout after 30 seconds"));
        assert!(!is_reason("==3== Test unit written to crash-1"));
    }
}
