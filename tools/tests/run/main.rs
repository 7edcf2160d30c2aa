//! `tiletc run` and `tiletc info`: arguments, results, reports, counters, devices.
//!
//! Virtual devices are always there. What needs an OpenCL driver is ignored without one, with the reason.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod arguments;
mod counts;
mod devices;
mod errors;
mod faults;
mod files;
mod level_zero;
mod results;
#[path = "../common/tool.rs"]
mod tool;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use std::path::PathBuf;
use std::process::ExitCode;
use tool::Outcome;

const TILETC: &str = env!("CARGO_BIN_EXE_tiletc");
/// The fused matrix chain of the tutorial.
const FUSED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../cpp-examples/matrix_chain/fused_kernel.ir");

/// A test; skipped with a reason if it cannot run.
type Test = fn() -> Result<(), Skip>;

/// Reason why a test cannot run.
pub struct Skip(pub String);

/// Lists functions as tests of their names.
macro_rules! tests {
    ($($name:ident),* $(,)?) => {
        /// The tests of this module.
        pub fn tests() -> Vec<(&'static str, $crate::Test)> {
            vec![$((concat!(module_path!(), "::", stringify!($name)), $name as $crate::Test)),*]
        }
    };
}
use tests;

fn main() -> ExitCode {
    let all = [
        arguments::tests(),
        counts::tests(),
        devices::tests(),
        errors::tests(),
        faults::tests(),
        level_zero::tests(),
        results::tests(),
    ];
    let trials = all.into_iter().flatten().map(|(name, test)| {
        let name = name.strip_prefix("run::").unwrap_or(name);
        Trial::ignorable_test(name, move || match test() {
            Ok(()) => Ok::<_, Failed>(Completion::Completed),
            Err(Skip(reason)) => Ok(Completion::ignored_with(format!("SKIPPED: {reason}"))),
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

/// A file of a name that no other test has, in the folder where the tool runs.
fn path(name: &str) -> PathBuf {
    tool::folder().join(name)
}

/// Writes a program; returns its name.
fn program<'a>(name: &'a str, text: &str) -> &'a str {
    std::fs::write(path(name), text).unwrap();
    name
}

/// `tiletc run` with these arguments.
fn run(arguments: &[&str]) -> Outcome {
    tool::run(TILETC, &[&["run"], arguments].concat(), "")
}

/// The summary of a parameter in what the tool printed: its line and those indented below it.
fn summary<'a>(outcome: &'a Outcome, name: &str) -> &'a str {
    let text = outcome.text();
    let start = format!("{name}: ");
    let from = text.find(&start).unwrap_or_else(|| panic!("no {name} in {text}"));
    let lines = text[from..].split_inclusive('\n');
    let length: usize = lines
        .enumerate()
        .take_while(|(line, text)| *line == 0 || text.starts_with(' '))
        .map(|(_, text)| text.len())
        .sum();
    &text[from..from + length]
}
