//! `cargo xtask test`: every test there is, each runner's own output, and a table at the end.

use std::fs;
use std::io::IsTerminal;
use std::iter::Sum;
use std::ops::Add;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::cpp::Build;
use crate::igc::{self, Igc, Outcome};
use crate::paths::Paths;
use crate::process;
use crate::toolchain::Toolchain;

/// The variable that names an installed loader of Level Zero to the tests.
const LOADER: &str = "TILETC_LEVEL_ZERO_LOADER";

/// What to test.
#[derive(clap::Args)]
pub struct Options {
    /// Run only the tests whose name contains this, and none of the checks of the sources
    filter: Option<String>,
    /// Run only the tests of one language, and none of the checks of the sources
    #[arg(long, value_name = "LANGUAGE")]
    only: Option<Language>,
    /// Run only the tests that depend on what the machine has installed, and none of the checks of the sources
    #[arg(long, conflicts_with = "filter")]
    machine: bool,
}

/// Which of the tests of a language to run.
#[derive(Clone, Copy)]
enum Selection<'a> {
    Everything,
    Named(&'a str),
    /// Those that depend on what the machine has installed.
    Machine,
}

/// The command that runs the Rust tests that look for libraries.
pub fn machine_tests() -> [&'static str; 8] {
    ["test", "--package", "tiletc", "--no-fail-fast", "--test", "ffi", "--test", "run"]
}

/// The languages of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Language {
    Rust,
    Cpp,
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
}

/// Runs all steps, whatever becomes of those before, and fails if any of them did.
pub fn run(paths: &Paths, options: &Options) -> Result<ExitCode> {
    let toolchain = Toolchain::bring(&paths.target)?;
    let igc = offline_compiler(paths);
    let selection = match options.filter.as_deref() {
        Some(filter) => Selection::Named(filter),
        None if options.machine => Selection::Machine,
        None => Selection::Everything,
    };
    let is_everything = matches!(selection, Selection::Everything) && options.only.is_none();
    let mut steps = Vec::new();
    if is_everything {
        steps.push(step("formatting", || check(|| formatting(paths))));
        // What clippy and the tests share, the C++ of spirv-tools above all, is compiled here.
        steps.push(step("compiling", || (Counts::default(), compiling(paths))));
        steps.push(step("clippy", || check(|| clippy(paths))));
        steps.push(step("header freshness", || check(|| crate::write_headers(true))));
        steps.push(step("reference", || check(|| crate::docs::reference(paths).map(drop))));
    }
    if options.only != Some(Language::Cpp) {
        steps.push(step("Rust tests", || rust_tests(paths, &toolchain, igc.as_ref(), selection)));
    }
    if options.only != Some(Language::Rust) {
        steps.push(step("C++ tests", || cpp_tests(paths, &toolchain, igc.as_ref(), selection)));
    }
    if is_everything {
        steps.push(step("data races", || data_races(paths)));
    }

    let total = steps.iter().map(|step| step.counts).sum();
    print_table(&steps);
    println!("tiletc: {}", sentence(total));
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs one step. An error counts as a failed test, so that none is lost from the total.
fn step(name: &'static str, action: impl FnOnce() -> (Counts, Result<()>)) -> Step {
    println!("── {name}");
    let start = Instant::now();
    let (mut counts, result) = action();
    if let Err(error) = result {
        eprintln!("error: {error:#}");
        counts.failed = counts.failed.max(1);
    }
    Step { name, counts, duration: start.elapsed() }
}

/// A check of the sources is a single test.
fn check(action: impl FnOnce() -> Result<()>) -> (Counts, Result<()>) {
    let result = action();
    (Counts { passed: u64::from(result.is_ok()), ..Counts::default() }, result)
}

/// The tests of many threads under ThreadSanitizer count as one.
fn data_races(paths: &Paths) -> (Counts, Result<()>) {
    match crate::races::obstacle(paths) {
        Ok(None) => check(|| crate::races::run(paths)),
        Ok(Some(obstacle)) => {
            println!("skipped: {obstacle}");
            (Counts { skipped: 1, ..Counts::default() }, Ok(()))
        }
        Err(error) => (Counts::default(), Err(error)),
    }
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

/// Installs a component of the Rust toolchain that a minimal installation lacks.
fn component(paths: &Paths, command: &str, name: &str) -> Result<()> {
    if process::answer(&mut paths.cargo(&[command, "--version"])).is_some() {
        return Ok(());
    }
    process::run(Command::new("rustup").args(["component", "add", name]).current_dir(&paths.repository))
}

/// `cargo test`, where the tests that need a device, Intel's offline compiler, or the tools as users get them
/// find these.
fn rust_tests(
    paths: &Paths,
    toolchain: &Toolchain,
    igc: Option<&Igc>,
    selection: Selection,
) -> (Counts, Result<()>) {
    let mut cargo = match selection {
        Selection::Machine => paths.cargo(&machine_tests()),
        _ => paths.cargo(&["test", "--workspace", "--no-fail-fast"]),
    };
    match paths.build_release() {
        Ok(()) => cargo.env("TILETC_LIMITS", paths.release.join("tiletc")),
        Err(error) => return (Counts::default(), Err(error)),
    };
    if std::io::stderr().is_terminal() {
        cargo.arg("--color=always");
    }
    if let Selection::Named(filter) = selection {
        cargo.args(["--", filter]);
    }
    cargo.envs(toolchain.environment());
    if let Some(igc) = igc {
        match igc.script() {
            Ok(script) => cargo.env(igc::VARIABLE, script),
            Err(error) => return (Counts::default(), Err(error)),
        };
    }

    let (mut counts, mut skipped) = (Counts::default(), 0);
    let status = process::run_by_line(&mut cargo, |line| {
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
    (counts, status.and_then(|status| process::check(&cargo, status)))
}

/// Builds the C++ programs and runs CTest.
fn cpp_tests(
    paths: &Paths,
    toolchain: &Toolchain,
    igc: Option<&Igc>,
    selection: Selection,
) -> (Counts, Result<()>) {
    let mut counts = Counts::default();
    let result = (|| {
        let build = Build::configure(paths, toolchain)?;
        // A program that does not build is a failed test; the others are still run.
        let built = match selection {
            Selection::Machine => build.for_machine_tests(),
            _ => build.everything(),
        };

        // A report of an earlier run must not be taken for this one's.
        let report = build.folder.join("ctest.xml");
        if report.exists() {
            fs::remove_file(&report)?;
        }
        let mut ctest = Command::new(&toolchain.ctest);
        ctest
            .arg("--test-dir")
            .arg(&build.folder)
            .arg("--output-on-failure")
            .arg("--parallel")
            .arg(std::thread::available_parallelism().map_or(1, usize::from).to_string())
            .arg("--output-junit")
            .arg(&report);
        match selection {
            Selection::Everything => ctest.arg("--no-tests=error"),
            Selection::Named(filter) => ctest.args(["--no-tests=ignore", "-R", filter]),
            Selection::Machine => ctest.args(["--no-tests=error", "-R", &build.machine_tests()?]),
        };
        if std::env::var_os(LOADER).is_none()
            && let Some(loader) = igc.and_then(Igc::level_zero_loader)
        {
            ctest.env(LOADER, loader);
        }
        let status = ctest.envs(toolchain.environment()).status().context("cannot run ctest")?;
        let text = fs::read_to_string(&report).context("CTest wrote no report")?;
        counts = junit_result(&text).context("cannot read the report of CTest")?;
        built.and(process::check(&ctest, status))
    })();
    (counts, result)
}

/// Intel's offline compiler. What has to be skipped without it counts as skipped.
fn offline_compiler(paths: &Paths) -> Option<Igc> {
    let reason = match Igc::bring(&paths.target) {
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

fn print_table(steps: &[Step]) {
    println!("\n{:18}  {:>6}  {:>6}  {:>7}  {:>8}", "", "passed", "failed", "skipped", "time");
    for Step { name, counts, duration } in steps {
        let Counts { passed, failed, skipped } = counts;
        println!("{name:18}  {passed:>6}  {failed:>6}  {skipped:>7}  {:>6.1} s", duration.as_secs_f64());
    }
    let total = steps.iter().map(|step| step.duration).sum::<Duration>();
    println!("{:18}  {:>6}  {:>6}  {:>7}  {:>6.1} s\n", "together", "", "", "", total.as_secs_f64());
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
