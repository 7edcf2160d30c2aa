//! Trial of `tiletc tune` on OpenCL's CPU, beside the times of all configs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use tiletc::device::CoreInfo;
use tiletc::driver::{self, Candidate};
use tiletc::ir::Ir;
use tiletc::runtime::{Device as _, opencl};
use tiletc::tuning::Config;

use super::check::shown;
use super::held::{self, Program};
use crate::paths::Paths;
use crate::process;
use crate::toolchain::Toolchain;

/// Programs that are tuned, in f32 and f64.
const PROGRAMS: [&str; 10] = [
    "f32 n.n 13x13x13",
    "f32 n.n 28x28x28",
    "f32 n.n 52x52x52",
    "f32 n.n 45x9x45",
    "f32 n.n 66x9x21",
    "f32 t.n 36x36x36",
    "f32 n.t 28x28x28",
    "chain f32 15x9",
    "chain f32 30x9",
    "chain f32 64x12",
];
/// Work-groups of a launch.
const GROUPS: u32 = 4000;
/// Largest difference of results, of configs that sum in another order.
const TOLERANCE: &str = "1e-3";
/// Times the best of all configs within which the tuned one must be, and share of their time in which it is found.
const TUNED: f64 = 1.03;
const TIME: f64 = 0.2;
/// Times the tuned one within which the model's first choice must be, and share of the programs for which it must be.
const FIRST: (f64, f64) = (1.10, 0.8);

/// Options of the trial on the CPU.
#[derive(clap::Args)]
pub struct OnCpu {
    /// Seconds that `tiletc tune` may time the configs of a program, all together, with --cpu
    #[arg(long, value_name = "SECONDS", default_value = "4", requires = "cpu")]
    budget: f64,
    /// Seconds for each config of the exhaustive search, unless its median is known within 1 % before, with --cpu
    #[arg(long, value_name = "SECONDS", default_value = "4", requires = "cpu")]
    exhaustive: f64,
    /// The program `tiletc`, with --cpu [default: that of a build as users get it]
    #[arg(long, value_name = "PROGRAM", requires = "cpu")]
    tiletc: Option<PathBuf>,
    /// Set where the environment has the runtimes
    #[arg(long, hide = true, requires = "cpu")]
    is_within: bool,
}

/// Tunes the programs, times all their configs, and fails if the one is not as good as the other.
pub fn run(paths: &Paths, options: &super::Options) -> Result<()> {
    if !options.cpu_options.is_within {
        return within_toolchain(paths, options);
    }
    let session = opencl::Session::open(opencl::DeviceKind::Cpu).context("there is no CPU of OpenCL")?;
    let info = session.core_info().context("the CPU says too little of itself")?;
    let tiletc = options.cpu_options.tiletc.clone().unwrap_or_else(|| paths.release.join("tiletc"));
    let folder = paths.target.join("tune");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let names = PROGRAMS.into_iter().flat_map(|name| [name.to_owned(), name.replace("f32", "f64")]);
    let names: Vec<String> = names.filter(|name| name.contains(&options.kernel)).collect();
    let programs = held::all().into_iter().filter(|program| names.contains(&program.name));
    let trial = Trial { options: &options.cpu_options, tiletc: &tiletc, folder: &folder, info: &info };
    let found = programs.map(|program| trial.run(&program).with_context(|| program.name.clone()));
    let found: Vec<Found> = found.collect::<Result<_>>()?;
    ensure!(!found.is_empty(), "no program has `{}` in its name", options.kernel);
    let share = |is: &dyn Fn(&Found) -> bool| found.iter().filter(|it| is(it)).count();
    let (tuned, in_time) = (share(&|it| it.tuned <= TUNED), share(&|it| it.time <= TIME));
    let first = share(&|it| it.first <= FIRST.0);
    let all = found.len();
    println!(
        "of {all} programs the tuned config of {tuned} is within {:.0} % of the best, {in_time} are tuned in {:.0} % of the time, and the \
         model's first choice of {first} is within {:.0} % of the tuned one",
        100.0 * (TUNED - 1.0),
        100.0 * TIME,
        100.0 * (FIRST.0 - 1.0)
    );
    if tuned < all || in_time < all || (first as f64) < FIRST.1 * all as f64 {
        bail!("tuning is not good enough on this CPU");
    }
    Ok(())
}

/// Runs the trial where the loader of OpenCL is found.
fn within_toolchain(paths: &Paths, options: &super::Options) -> Result<()> {
    let toolchain = Toolchain::provision(&paths.target)?;
    if options.cpu_options.tiletc.is_none() {
        paths.build_release()?;
    }
    let xtask = std::env::current_exe().context("cannot tell where xtask was built")?;
    let mut command = Command::new(xtask);
    command.args(std::env::args_os().skip(1)).arg("--is-within").envs(toolchain.environment());
    process::run(&mut command)
}

struct Trial<'a> {
    options: &'a OnCpu,
    tiletc: &'a Path,
    folder: &'a Path,
    info: &'a CoreInfo,
}

/// Quality of the configs for a program.
struct Found {
    /// Time of the tuned config in that of the best.
    tuned: f64,
    /// Time of tuning in that of timing all.
    time: f64,
    /// Time of the model's first choice in that of the tuned config.
    first: f64,
}

impl Trial<'_> {
    fn run(&self, program: &Program) -> Result<Found> {
        let make = |ir: &mut Ir| program.make(ir);
        let options = driver::Options::default();
        let groups = u64::from(GROUPS);
        let kernel = driver::Kernel {
            make: &make,
            target: driver::Target { info: self.info, options: &options, groups, is_hot: true },
        };
        let mut candidates = kernel.candidates().map_err(anyhow::Error::msg)?;
        kernel.compile_all(&mut candidates);
        driver::rank(&mut candidates, |it| it);
        candidates.retain(|candidate| !candidate.is_out());
        let file = self.folder.join(format!("{}.ir", program.name.replace(' ', "_")));
        fs::write(&file, &program.text).with_context(|| format!("cannot write {}", file.display()))?;
        let (tuned, tuning) = self.tune(program, &file)?;
        let (times, timing) = self.time_all(program, &candidates)?;
        let best = times.iter().copied().fold(f64::INFINITY, f64::min);
        let place = candidates.iter().position(|candidate| candidate.config == tuned);
        let place = place.with_context(|| format!("`{tuned}` is not among the configs"))?;
        let time = |place: usize| times.get(place).copied().context("fewer times than configs");
        let found = Found {
            tuned: time(place)? / best,
            time: tuning.as_secs_f64() / timing.as_secs_f64(),
            first: time(0)? / time(place)?,
        };
        let configs = candidates.iter().map(shown).zip(&times);
        let of_best = configs.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(config, _)| config);
        println!(
            "{}: tuned ×{:.3} of the best of {} in {:.0} % of the time, the model's first ×{:.3} of the tuned one; tuned {}, best {}",
            program.name,
            found.tuned,
            times.len(),
            100.0 * found.time,
            found.first,
            candidates.get(place).map(shown).unwrap_or_default(),
            of_best.unwrap_or_default()
        );
        Ok(found)
    }

    /// Has `tiletc tune` tune a program; returns the config and how long that takes.
    fn tune(&self, program: &Program, file: &Path) -> Result<(Config, Duration)> {
        let mut command = Command::new(self.tiletc);
        command.arg("tune").arg(file).args(["--device", "opencl", "--hot", "--json"]);
        command.args(["--tolerance", TOLERANCE, "--budget", &self.options.budget.to_string()]);
        command.args(arguments(program));
        let (document, time) = answer(&mut command)?;
        let best = document.pointer("/configs/0/config").context("the answer has no config")?;
        Ok((serde_json::from_value(best.clone())?, time))
    }

    /// Times all configs, in their order; returns how long that takes, too.
    fn time_all(&self, program: &Program, candidates: &[Candidate]) -> Result<(Vec<f64>, Duration)> {
        let mut command = Command::new(self.tiletc);
        command.arg("bench");
        for (place, Candidate { config, .. }) in candidates.iter().enumerate() {
            let file = self.folder.join(format!("config_{place}.ir"));
            let text = program.text.replacen(") {", &format!(") attributes{{{config}}} {{"), 1);
            fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
            command.arg(file);
        }
        command.args(["--device", "opencl", "--hot", "--format", "json"]);
        command.args(["--budget", &self.options.exhaustive.to_string()]).args(arguments(program));
        let (document, time) = answer(&mut command)?;
        let all = document.get("measurements").and_then(Value::as_array).context("no measurements")?;
        let median = |it: &Value| it.pointer("/time/median").and_then(Value::as_f64).context("no median");
        let times: Vec<f64> = all.iter().map(median).collect::<Result<_>>()?;
        ensure!(times.len() == candidates.len(), "{} times for {} configs", times.len(), candidates.len());
        Ok((times, time))
    }
}

/// The arguments of a launch.
fn arguments(program: &Program) -> Vec<String> {
    let value = |(name, extents, is_batched): &(&str, String, bool)| {
        let batch = if *is_batched { format!("x{GROUPS}") } else { String::new() };
        ["--arg".to_owned(), format!("{name}=random:{extents}{batch}")]
    };
    let groups = ["--groups".to_owned(), GROUPS.to_string()];
    program.parameters.iter().flat_map(value).chain(groups).collect()
}

/// Runs a command that prints a document.
fn answer(command: &mut Command) -> Result<(Value, Duration)> {
    let start = Instant::now();
    let output = command.output().with_context(|| format!("cannot run {:?}", command.get_program()))?;
    let time = start.elapsed();
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim_end());
    }
    Ok((serde_json::from_slice(&output.stdout)?, time))
}
