//! `cargo xtask test`: every test there is, each runner's own output, and a table at the end.
//!
//! No runner keeps all cores busy by itself: each ends with tests that are left over. So the Rust tests, which take the
//! longest, run beside all other steps, whose output is shown when a step has ended.

use std::fs;
use std::io::IsTerminal;
use std::iter::Sum;
use std::ops::Add;
use std::panic::resume_unwind;
use std::process::{Command, ExitCode, ExitStatus};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tiletc_isa::Ocloc;

use crate::cpp::Build;
use crate::igc::{self, Outcome};
use crate::paths::Paths;
use crate::process;
use crate::record::Record;
use crate::toolchain::Toolchain;

/// The variable that names an installed loader of Level Zero to the tests.
const LOADER: &str = "TILETC_LEVEL_ZERO_LOADER";

/// Share of the cases of tests/conformance that `--quick` runs: every one that the number divides.
const QUICK_SHARE: &str = "24";

/// Part of the length that the texts of tools/tests/limits have: at full length a machine that has other work, too, would
/// miss the limit. `cargo xtask soak limits` runs those.
const LIMITS_PART: &str = "4";

/// The command that runs the Rust tests of `--quick`.
const QUICK_TESTS: [&str; 8] =
    ["test", "--workspace", "--no-fail-fast", "--lib", "--test", "filetests", "--test", "conformance"];

/// The C++ test that `--quick` runs.
const QUICK_PROGRAM: &str = "core17";

/// Tests to run.
#[derive(clap::Args)]
pub struct Options {
    /// Run only the tests whose name contains this, and none of the checks of the sources
    filter: Option<String>,
    /// Give an answer within a minute, once all is built
    ///
    /// Runs formatting, the unit tests, the filetests, every 24th case of the kernels on devices (tests/conformance)
    /// and one C++ program. What takes Intel's offline compiler is skipped.
    #[arg(long, conflicts_with_all = ["filter", "machine", "only"])]
    quick: bool,
    /// Run only the tests of one language, and none of the checks of the sources
    #[arg(long, value_name = "LANGUAGE")]
    only: Option<Language>,
    /// Run only the tests that depend on what the machine has installed, and none of the checks of the sources
    #[arg(long, conflicts_with = "filter")]
    machine: bool,
}

/// The languages of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Language {
    Rust,
    Cpp,
}

/// The tests that are run.
#[derive(Clone, Copy)]
enum Selection<'a> {
    Everything,
    /// Those whose name contains this.
    Named(&'a str),
    /// Some of every kind.
    Quick,
    /// Those that depend on what the machine has installed.
    Machine,
}

/// The command that runs the Rust tests that look for libraries.
pub fn machine_tests() -> [&'static str; 10] {
    [
        "test",
        "--package",
        "tiletc",
        "--package",
        "tiletc-tools",
        "--no-fail-fast",
        "--test",
        "ffi",
        "--test",
        "run",
    ]
}

/// Numbers of tests by their outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl Add for Counts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            skipped: self.skipped + other.skipped,
        }
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), Add::add)
    }
}

/// A line of the table.
struct Step {
    name: &'static str,
    counts: Counts,
    duration: Duration,
    /// Reason why it failed.
    error: Option<String>,
}

/// Runs all steps, whatever becomes of those before, and fails if any of them did.
pub fn run(paths: &Paths, options: &Options) -> Result<ExitCode> {
    let start = Instant::now();
    let toolchain = Toolchain::provision(&paths.target)?;
    let igc = if options.quick { None } else { offline_compiler(paths) };
    let tests = Tests { paths, toolchain: &toolchain, igc: igc.as_ref(), record: Mutex::default() };
    let selection = match options.filter.as_deref() {
        Some(filter) => Selection::Named(filter),
        None if options.machine => Selection::Machine,
        None if options.quick => Selection::Quick,
        None => Selection::Everything,
    };
    let steps = match (selection, options.only) {
        (Selection::Everything, None) => tests.everything(),
        (Selection::Quick, _) => {
            let mut steps = vec![step("formatting", || check(|| formatting(paths)))];
            steps.extend(tests.of(None, selection));
            steps
        }
        (selection, language) => tests.of(language, selection),
    };

    let total = steps.iter().map(|step| step.counts).sum();
    print_table(&steps, start.elapsed());
    let record = tests.record.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("{}", record.slowest());
    print!("{}", record.failed());
    for Step { name, error, .. } in &steps {
        if let Some(error) = error {
            println!("failed: {name}: {error}");
        }
    }
    println!("tiletc: {}", sentence(total));
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Environment of the tests.
struct Tests<'a> {
    paths: &'a Paths,
    toolchain: &'a Toolchain,
    igc: Option<&'a Ocloc>,
    record: Mutex<Record>,
}

impl Tests<'_> {
    /// The tests in one language, or in Rust and then in C++.
    fn of(&self, language: Option<Language>, selection: Selection) -> Vec<Step> {
        let mut steps = Vec::new();
        if language != Some(Language::Cpp) {
            steps.push(step("Rust tests", || self.rust(selection)));
        }
        if language != Some(Language::Rust) {
            steps.push(step("C++ tests", || self.cpp(selection)));
        }
        steps
    }

    /// All steps: the Rust tests, and the others on a thread of their own.
    fn everything(&self) -> Vec<Step> {
        let paths = self.paths;
        // What several steps share is compiled before they run beside each other: libtiletc, and the tests with the C++
        // of spirv-tools. Clippy comes late, so that it does not wait for the tests, nor they for it.
        let mut steps = vec![
            step("release build", || (Counts::default(), paths.build_release())),
            step("compiling", || (Counts::default(), compiling(paths))),
        ];
        steps.extend(thread::scope(|scope| {
            let others = scope.spawn(|| {
                [
                    held_step("formatting", || check(|| formatting(paths))),
                    held_step("header freshness", || check(|| crate::write_headers(true))),
                    held_step("reference", || check(|| crate::docs::reference(paths).map(drop))),
                    held_step("Rust documentation", || check(|| rust_documentation(paths))),
                    held_step("licences", || check(|| crate::licences::check(paths))),
                    held_step("third-party notices", || check(|| crate::notices::write(paths, true))),
                    held_step("C++ tests", || self.cpp(Selection::Everything)),
                    held_step("clippy", || check(|| clippy(paths))),
                ]
            });
            let mut steps = vec![step("Rust tests", || self.rust(Selection::Everything))];
            steps.extend(others.join().unwrap_or_else(|panic| resume_unwind(panic)));
            steps
        }));
        steps
    }

    /// `cargo test`, where the tests that need a device, Intel's offline compiler, or the tools as users get them
    /// find these.
    fn rust(&self, selection: Selection) -> (Counts, Result<()>) {
        let paths = self.paths;
        let mut cargo = match selection {
            Selection::Machine => paths.cargo(&machine_tests()),
            Selection::Quick => paths.cargo(&QUICK_TESTS),
            Selection::Everything | Selection::Named(_) => {
                paths.cargo(&["test", "--workspace", "--no-fail-fast"])
            }
        };
        if let Selection::Quick = selection {
            cargo.env("TILETC_SHARE", QUICK_SHARE).env_remove(igc::VARIABLE);
        } else {
            match paths.build_release() {
                Ok(()) => cargo
                    .env("TILETC_LIMITS", paths.release.join("tiletc"))
                    .env("TILETC_LIMITS_PART", LIMITS_PART),
                Err(error) => return (Counts::default(), Err(error)),
            };
        }
        if std::io::stderr().is_terminal() {
            cargo.arg("--color=always");
        }
        if let Selection::Named(filter) = selection {
            cargo.args(["--", filter]);
        }
        cargo.envs(self.toolchain.environment());
        if let Some(igc) = self.igc {
            match igc::script(igc) {
                Ok(script) => cargo.env(igc::VARIABLE, script),
                Err(error) => return (Counts::default(), Err(error)),
            };
        }

        let (mut counts, mut skipped) = (Counts::default(), 0);
        let status = process::run_by_any_line(cargo, |line| {
            self.record.lock().unwrap_or_else(PoisonError::into_inner).line_of_cargo(line);
            if let Some(result) = libtest_result(line) {
                counts = counts + result;
            }
            // Such a test has passed as far as the harness knows (`tests/skip`).
            if line.starts_with("test skipped: ") {
                skipped += 1;
            }
            // A thousand lines saying `ok` would hide the ones that matter.
            if !(line.starts_with("test ") && line.ends_with(" ok")) {
                println!("{line}");
            }
        });
        counts.passed = counts.passed.saturating_sub(skipped);
        counts.skipped += skipped;
        let passed = |status: ExitStatus| {
            ensure!(status.success(), "`cargo test` failed ({status})");
            Ok(())
        };
        (counts, status.and_then(passed))
    }

    /// Builds the C++ programs and runs CTest.
    fn cpp(&self, selection: Selection) -> (Counts, Result<()>) {
        let mut counts = Counts::default();
        let result = (|| {
            let build = Build::configure(self.paths, self.toolchain)?;
            // A program that does not build is a failed test; the others are still run.
            let built = match selection {
                Selection::Quick => build.test(QUICK_PROGRAM),
                Selection::Machine => build.for_machine_tests(),
                Selection::Everything | Selection::Named(_) => build.everything(),
            };

            // A report of an earlier run must not be taken for this one's.
            let report = build.folder.join("ctest.xml");
            if report.exists() {
                fs::remove_file(&report)?;
            }
            let mut ctest = Command::new(&self.toolchain.ctest);
            ctest
                .arg("--test-dir")
                .arg(&build.folder)
                .arg("--output-on-failure")
                .arg("--parallel")
                .arg(std::thread::available_parallelism().map_or(1, usize::from).to_string())
                .arg("--output-junit")
                .arg(&report);
            match selection {
                Selection::Named(filter) => ctest.args(["--no-tests=ignore", "-R", filter]),
                Selection::Quick => ctest.args(["--no-tests=error", "-R", &format!("^{QUICK_PROGRAM}$")]),
                Selection::Machine => ctest.args(["--no-tests=error", "-R", &build.machine_tests()?]),
                Selection::Everything => ctest.arg("--no-tests=error"),
            };
            if std::env::var_os(LOADER).is_none()
                && let Some(loader) = self.igc.and_then(Ocloc::level_zero_loader)
            {
                ctest.env(LOADER, loader);
            }
            let status = process::status(ctest.envs(self.toolchain.environment()))?;
            let text = fs::read_to_string(&report).context("CTest wrote no report")?;
            counts = junit_result(&text).context("cannot read the report of CTest")?;
            self.record.lock().unwrap_or_else(PoisonError::into_inner).report_of_ctest(&text);
            built.and(process::check(&ctest, status))
        })();
        (counts, result)
    }
}

/// Runs one step. An error counts as a failed test, so that none is lost from the total.
fn step(name: &'static str, action: impl FnOnce() -> (Counts, Result<()>)) -> Step {
    process::say(format!("── {name}"));
    let start = Instant::now();
    let (mut counts, result) = action();
    let error = result.err().map(|error| format!("{error:#}"));
    if let Some(error) = &error {
        process::say(format!("error: {error}"));
        counts.failed = counts.failed.max(1);
    }
    Step { name, counts, duration: start.elapsed(), error }
}

/// Runs one step and shows its output when it has ended.
fn held_step(name: &'static str, action: impl FnOnce() -> (Counts, Result<()>)) -> Step {
    let (step, output) = process::hold(|| step(name, action));
    print!("{output}");
    step
}

/// A check of the sources is a single test.
fn check(action: impl FnOnce() -> Result<()>) -> (Counts, Result<()>) {
    let result = action();
    (Counts { passed: u64::from(result.is_ok()), ..Counts::default() }, result)
}

fn formatting(paths: &Paths) -> Result<()> {
    component(paths, "fmt", "rustfmt")?;
    process::run(&mut paths.cargo(&["fmt", "--all", "--check"]))
}

/// Compiles the tests.
fn compiling(paths: &Paths) -> Result<()> {
    process::run(&mut paths.cargo(&["test", "--workspace", "--no-run", "--quiet"]))
}

fn clippy(paths: &Paths) -> Result<()> {
    component(paths, "clippy", "clippy")?;
    process::run(&mut paths.cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

/// Rustdoc finds nothing to warn of; that nothing lacks a comment, clippy has seen to (`missing_docs`).
fn rust_documentation(paths: &Paths) -> Result<()> {
    let mut cargo = paths.cargo(&["doc", "--workspace", "--lib", "--no-deps", "--document-private-items"]);
    // Links to private items lead somewhere, since these are documented, too.
    process::run(cargo.env("RUSTDOCFLAGS", "-D warnings -A rustdoc::private_intra_doc_links"))
}

/// Installs a component of the Rust toolchain that a minimal installation lacks.
fn component(paths: &Paths, command: &str, name: &str) -> Result<()> {
    if process::answer(&mut paths.cargo(&[command, "--version"])).is_some() {
        return Ok(());
    }
    process::run(Command::new("rustup").args(["component", "add", name]).current_dir(&paths.repository))
}

/// Intel's offline compiler. What has to be skipped without it counts as skipped.
fn offline_compiler(paths: &Paths) -> Option<Ocloc> {
    let reason = match igc::provision(paths) {
        Ok(Outcome::There(igc)) => return Some(igc),
        Ok(Outcome::Unavailable(reason)) => reason,
        Err(error) => format!("{error:#}"),
    };
    println!("the tests with Intel's offline compiler are skipped: {reason}");
    None
}

/// Reads `test result: ok. 10 passed; 0 failed; 2 ignored; …`, the closing line of libtest and its like.
fn libtest_result(line: &str) -> Option<Counts> {
    let (_, numbers) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let number = |of: &str| {
        let mut parts = numbers.split("; ").filter_map(|part| part.split_once(' '));
        parts.find(|(_, word)| *word == of)?.0.parse().ok()
    };
    Some(Counts { passed: number("passed")?, failed: number("failed")?, skipped: number("ignored")? })
}

/// Reads the numbers in the first element of a JUnit report, `<testsuite name="…" tests="4" failures="0" …>`.
fn junit_result(report: &str) -> Option<Counts> {
    let (_, element) = report.split_once("<testsuite")?;
    let (element, _) = element.split_once('>')?;
    let number = |attribute: &str| -> Option<u64> {
        let (_, rest) = element.split_once(&format!("{attribute}=\""))?;
        rest.split_once('"')?.0.parse().ok()
    };
    let (failed, skipped) = (number("failures")?, number("skipped")? + number("disabled")?);
    Some(Counts { passed: number("tests")?.checked_sub(failed + skipped)?, failed, skipped })
}

/// Steps run at the same time, so that all together take less than their sum.
fn print_table(steps: &[Step], together: Duration) {
    println!("\n{:18}  {:>6}  {:>6}  {:>7}  {:>8}", "", "passed", "failed", "skipped", "time");
    for Step { name, counts, duration, .. } in steps {
        let Counts { passed, failed, skipped } = counts;
        println!("{name:18}  {passed:>6}  {failed:>6}  {skipped:>7}  {:>6.1} s", duration.as_secs_f64());
    }
    println!("{:18}  {:>6}  {:>6}  {:>7}  {:>6.1} s\n", "together", "", "", "", together.as_secs_f64());
}

fn sentence(counts: Counts) -> String {
    format!("{} passed, {} failed, {} skipped", counts.passed, counts.failed, counts.skipped)
}

#[cfg(test)]
mod tests {
    use super::{Counts, junit_result, libtest_result};

    #[test]
    fn the_closing_line_of_libtest_is_counted() {
        let line =
            "test result: ok. 10 passed; 0 failed; 2 ignored; 0 measured; 3 filtered out; finished in 0.10s";
        assert_eq!(libtest_result(line), Some(Counts { passed: 10, failed: 0, skipped: 2 }));
        let line = "test result: FAILED. 1 passed; 4 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!(libtest_result(line), Some(Counts { passed: 1, failed: 4, skipped: 0 }));
        assert_eq!(libtest_result("test foo ... ok"), None);
    }

    #[test]
    fn the_report_of_ctest_is_counted() {
        let report = "<?xml version=\"1.0\"?>\n<testsuite name=\"Linux-g++\"\n\ttests=\"5\"\n\tfailures=\"1\"\n\
                      \tdisabled=\"0\"\n\tskipped=\"2\"\n\thostname=\"\">\n</testsuite>";
        assert_eq!(junit_result(report), Some(Counts { passed: 2, failed: 1, skipped: 2 }));
    }
}
