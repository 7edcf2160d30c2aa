//! `cargo xtask soak`: what takes too long for the tests, each run for some minutes.
//!
//! A run is a line of [`RUNS`]. It gets the time that it may take and a seed, and fails if it finds something.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;

use crate::paths::Paths;
use crate::process;
use crate::races;
use crate::sanitized::{Build, Extras, Sanitizer};
use crate::toolchain::Toolchain;
use crate::virtual_gpu;

/// Options of `cargo xtask soak`.
#[derive(Args)]
pub struct Options {
    /// Minutes that each run takes, besides what it builds
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    minutes: u64,
    /// The seed of all random numbers; another one each time if not given
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The runs; all of them if none is named
    #[arg(value_name = "RUN")]
    runs: Vec<String>,
}

/// A long run.
struct Run {
    name: &'static str,
    about: &'static str,
    run: fn(&Paths, Duration, u64) -> Result<()>,
}

const RUNS: &[Run] = &[
    Run {
        name: "calls",
        about: "all functions of the C interface, and of tinytc's libraries, with random arguments, on four threads, \
                under AddressSanitizer, with an OpenCL device and a virtual GPU",
        run: calls,
    },
    Run {
        name: "launches",
        about: "kernels and recipes launched through SYCL with arguments that are right or wrong, on four threads, under \
                AddressSanitizer, on an OpenCL device and a virtual GPU",
        run: launches,
    },
    Run {
        name: "programs",
        about: "random programs of every kind on both back ends, against the reference, seed after seed",
        run: programs,
    },
    Run {
        name: "conformance",
        about: "all cases of tests/conformance, also those for matrix engines on a processor without one, once",
        run: conformance,
    },
    Run {
        name: "races",
        about: "the tests of many threads under ThreadSanitizer, once",
        run: |paths, _, _| races::run(paths),
    },
    Run {
        name: "limits",
        about: "the longest texts there may be, in 2 seconds of processor time and 1 GB each, once",
        run: limits,
    },
];

/// The list of runs for the help.
pub fn list() -> String {
    let lines: Vec<String> = RUNS.iter().map(|run| format!("  {:11} {}", run.name, run.about)).collect();
    format!("Runs:\n{}", lines.join("\n"))
}

/// Performs the runs that are asked for, and says in the end which of them failed.
pub fn run(paths: &Paths, options: &Options) -> Result<ExitCode> {
    for name in &options.runs {
        ensure!(RUNS.iter().any(|run| run.name == name), "there is no run {name}\n{}", list());
    }
    let time = Duration::from_secs(60 * options.minutes);
    let seed = options
        .seed
        .unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()));
    let mut failed = Vec::new();
    for run in RUNS {
        if !options.runs.is_empty() && !options.runs.iter().any(|name| name == run.name) {
            continue;
        }
        println!("{}: {}; {} minutes, seed {seed}", run.name, run.about, options.minutes);
        match (run.run)(paths, time, seed) {
            Ok(()) => println!("{}: nothing found", run.name),
            Err(error) => {
                eprintln!("{}: {error:#}", run.name);
                failed.push(run.name);
            }
        }
    }
    if failed.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("failed with seed {seed}: {}", failed.join(", "));
    Ok(ExitCode::FAILURE)
}

/// The virtual GPU behind Level Zero.
const GPU: &str = "pvc";

/// Threads that call at the same time.
const THREADS: &str = "4";

fn calls(paths: &Paths, time: Duration, seed: u64) -> Result<()> {
    let build = Build::new(paths, Sanitizer::Address, "soak")?;
    let with_tinytc = Extras {
        options: vec!["-DTILETC_TEST_TINYTC".into()],
        sources: &["tinytc/tinytc.c", "tinytc/tinytc_cl.c", "tinytc/tinytc_ze.c"],
        ..Extras::default()
    };
    let program = build.program_with("random_calls/main", &with_tinytc)?;
    // The drivers are as programs have them.
    paths.build_release()?;
    let toolchain = Toolchain::provision(&paths.target)?;
    // Functions may write files of any name.
    let folder = build.folder.join("files");
    let log = build.folder.join("calls-errors.txt");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut command = Command::new(program);
    command.args([seed.to_string().as_str(), THREADS, FOREVER, &time.as_secs().to_string()]);
    command.current_dir(&folder).stderr(Stdio::null());
    command.envs(virtual_gpu::environment(paths, &toolchain, GPU)?);
    let outcome = sanitized(command, &log);
    let _ = fs::remove_dir_all(&folder);
    outcome
}

/// Calls and launches that take longer than any run.
const FOREVER: &str = "1000000000000";

/// Runs a program that was built with AddressSanitizer, whose reports go to a file, and which says on
/// standard output how many calls it has made.
fn sanitized(mut command: Command, log: &Path) -> Result<()> {
    command.stdin(Stdio::null());
    // The driver of the OpenCL device gives threads stacks for signals, which the sanitizer would take for its own.
    let options = "detect_leaks=0:allocator_may_return_null=1:use_sigaltstack=0";
    command.env("ASAN_OPTIONS", format!("{options}:log_path={}", log.display()));
    let spinner = process::spinner("calling");
    let status = process::run_by_line(&mut command, |line| {
        // The functions that print programs have their say, too.
        if !line.contains(" calls") && !line.contains(" accepts ") {
            return;
        }
        if line.contains(':') || line.contains(" accepts ") || spinner.is_hidden() {
            spinner.suspend(|| println!("{line}"));
        } else {
            spinner.set_message(line.to_owned());
        }
    })?;
    spinner.finish_and_clear();
    if !status.success() {
        bail!("the calls ended with {status}; what was found is in {}.*", log.display());
    }
    Ok(())
}

/// Launches through SYCL, half of the time on an OpenCL device and half of it on the virtual GPU.
fn launches(paths: &Paths, time: Duration, seed: u64) -> Result<()> {
    let build = Build::new(paths, Sanitizer::Address, "soak")?;
    paths.build_release()?;
    let toolchain = Toolchain::provision(&paths.target)?;
    let option = |prefix: &str, folder: &str| {
        let mut option = OsString::from(prefix);
        option.push(toolchain.intel.join(folder));
        option
    };
    let with_sycl = Extras {
        options: vec![
            "-DSYCL_DISABLE_FSYCL_SYCLHPP_WARNING".into(),
            option("-isystem", "include"),
            option("-isystem", "include/sycl"),
        ],
        libraries: vec![
            option("-L", "lib"),
            option("-Wl,-rpath-link,", "lib"),
            "-lsycl".into(),
            "-lOpenCL".into(),
        ],
        ..Extras::default()
    };
    let program = build.program_with("random_launches", &with_sycl)?;
    let seconds = (time / 2).as_secs().to_string();
    let log = build.folder.join("launches-errors.txt");
    for environment in [toolchain.environment(), virtual_gpu::environment(paths, &toolchain, GPU)?] {
        let mut command = Command::new(&program);
        command.args([seed.to_string().as_str(), THREADS, FOREVER, &seconds]);
        command.envs(environment);
        sanitized(command, &log)?;
    }
    Ok(())
}

/// Programs of each kind between two looks at the clock.
const PROGRAMS: &str = "1000";

fn programs(paths: &Paths, time: Duration, seed: u64) -> Result<()> {
    let toolchain = Toolchain::provision(&paths.target)?;
    let begin = Instant::now();
    let mut seed = seed;
    loop {
        let mut cargo = paths.cargo(&["test", "--test", "random"]);
        cargo.env("TILETC_PROGRAMS", PROGRAMS).env("TILETC_SEED", seed.to_string());
        let status = cargo.envs(toolchain.environment()).status().context("cannot run cargo")?;
        ensure!(status.success(), "the programs of TILETC_SEED={seed} ended with {status}");
        if begin.elapsed() >= time {
            return Ok(());
        }
        seed = seed.wrapping_add(1);
    }
}

fn conformance(paths: &Paths, _time: Duration, _seed: u64) -> Result<()> {
    let toolchain = Toolchain::provision(&paths.target)?;
    let mut cargo = paths.cargo(&["test", "--test", "conformance"]);
    let status = cargo.env("TILETC_SHARE", "1").envs(toolchain.environment()).status();
    let status = status.context("cannot run cargo")?;
    ensure!(status.success(), "the cases ended with {status}");
    Ok(())
}

fn limits(paths: &Paths, _time: Duration, _seed: u64) -> Result<()> {
    paths.build_release()?;
    let mut cargo = paths.cargo(&["test", "--package", "tiletc-tools", "--test", "limits"]);
    let status =
        cargo.env("TILETC_LIMITS", paths.release.join("tiletc")).status().context("cannot run cargo")?;
    ensure!(status.success(), "the texts ended with {status}");
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn runs_have_different_names() {
        let mut names: Vec<&str> = RUNS.iter().map(|run| run.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), RUNS.len());
        assert!(names.iter().all(|name| list().contains(name)));
    }

    #[test]
    fn unknown_runs_are_refused() {
        let options = Options { minutes: 1, seed: None, runs: vec!["nonsense".to_owned()] };
        let error = run(&Paths::find().unwrap(), &options).unwrap_err().to_string();
        assert!(error.contains("nonsense") && error.contains("calls"), "{error}");
    }
}
