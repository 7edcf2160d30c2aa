//! Trial of `tiletc tune` on OpenCL's CPU, beside the times of all configs: what the compiler takes into consideration, each in subgroups of
//! every size.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value};
use tiletc::device::CoreInfo;
use tiletc::driver::{self, Candidate};
use tiletc::ir::Ir;
use tiletc::runtime::{Device as _, opencl};
use tiletc::statistics::Summary;
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
/// Configs that are best in the search of all, which are timed again, as the tuned one is, beside the first, and how often. The least of many times is
/// less than it should be, and machines are not as fast in one minute as in another.
const BEST: usize = 3;
const ROUNDS: usize = 5;
/// Times the tuned one within which the model's first choice must be, and share of the programs for which it must be.
const FIRST: (f64, f64) = (1.10, 0.8);

/// Options of the trial on the CPU.
#[derive(clap::Args)]
pub struct OnCpu {
    /// Seconds that `tiletc tune` may time the configs of a program, all together, with --cpu
    #[arg(long, value_name = "SECONDS", default_value = "3.5", requires = "cpu")]
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
            target: driver::Target { info: self.info, options: &options, groups, cores: None, is_hot: true },
        };
        let mut candidates = in_all_sizes(kernel.candidates().map_err(anyhow::Error::msg)?)?;
        kernel.compile_all(&mut candidates);
        candidates.retain(|candidate| !candidate.is_out());
        let file = self.folder.join(format!("{}.ir", program.name.replace(' ', "_")));
        fs::write(&file, &program.text).with_context(|| format!("cannot write {}", file.display()))?;
        let (tuned, tuning) = self.tune(program, &file)?;
        let place = candidates.iter().position(|candidate| candidate.config == tuned);
        // Other sizes have other blocks.
        let place = place.unwrap_or(candidates.len());
        if let Some(like) = candidates.first().filter(|_| place == candidates.len()).cloned() {
            candidates.push(Candidate { config: tuned, place, ..like });
        }
        let start = Instant::now();
        let times = candidates.iter().map(|candidate| self.time(program, candidate));
        let times: Vec<f64> = times.collect::<Result<_>>()?;
        let timing = start.elapsed();
        let mut finalists: Vec<usize> = (0..times.len()).collect();
        finalists.sort_by(|a, b| times.get(*a).partial_cmp(&times.get(*b)).unwrap_or(Ordering::Equal));
        finalists.truncate(BEST);
        finalists.extend([place, 0]);
        finalists.sort_unstable();
        finalists.dedup();
        let again = self.time_again(program, &candidates, &finalists)?;
        let time = |place: usize| again.get(&place).copied().context("a config without a time");
        let (best, of_best) = again
            .iter()
            .map(|(place, time)| (*place, *time))
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .context("no times")?;
        let found = Found {
            tuned: time(place)? / of_best,
            time: tuning.as_secs_f64() / timing.as_secs_f64(),
            first: time(0)? / time(place)?,
        };
        println!(
            "{}: tuned ×{:.3} of the best of {} in {:.0} % of the time, the model's first ×{:.3} of the tuned one; tuned {}, best {}",
            program.name,
            found.tuned,
            times.len(),
            100.0 * found.time,
            found.first,
            candidates.get(place).map(shown).unwrap_or_default(),
            candidates.get(best).map(shown).unwrap_or_default()
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

    /// Builds and times a config; returns the median in seconds.
    fn time(&self, program: &Program, candidate: &Candidate) -> Result<f64> {
        let file = self.file(program, "config.ir", candidate)?;
        let (document, _) = answer(self.bench(&file).args(arguments(program)))?;
        document.pointer("/measurements/0/time/median").and_then(Value::as_f64).context("no median")
    }

    /// Times configs beside the first, which has the same memory, in rounds, every other one in the opposite order; returns the medians of what they
    /// take in the time of the first.
    fn time_again(
        &self,
        program: &Program,
        candidates: &[Candidate],
        places: &[usize],
    ) -> Result<BTreeMap<usize, f64>> {
        let candidate = |place: usize| candidates.get(place).context("a place beyond the configs");
        let first = self.file(program, "first.ir", candidate(0)?)?;
        let mut ratios: BTreeMap<usize, Vec<f64>> = BTreeMap::from([(0, vec![1.0])]);
        for round in 0..ROUNDS {
            let mut places: Vec<usize> = places.iter().copied().filter(|place| *place != 0).collect();
            if round % 2 == 1 {
                places.reverse();
            }
            for place in places {
                let other = self.file(program, "config.ir", candidate(place)?)?;
                let mut command = self.bench(&first);
                command.arg("--against").arg(other).args(arguments(program));
                let (document, _) = answer(&mut command)?;
                let ratio = document.pointer("/measurements/0/against/ratio").and_then(Value::as_f64);
                ratios.entry(place).or_default().push(ratio.context("no ratio")?);
            }
        }
        let median = |ratios: Vec<f64>| Summary::of(ratios).map(|summary| summary.median);
        let medians = ratios.into_iter().map(|(place, ratios)| Some((place, median(ratios)?)));
        medians.collect::<Option<_>>().context("a config without a time")
    }

    /// Writes a program with a config.
    fn file(&self, program: &Program, name: &str, Candidate { config, .. }: &Candidate) -> Result<PathBuf> {
        let file = self.folder.join(name);
        let text = program.text.replacen(") {", &format!(") attributes{{{config}}} {{"), 1);
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
        Ok(file)
    }

    /// A command that times a program.
    fn bench(&self, file: &Path) -> Command {
        let mut command = Command::new(self.tiletc);
        command.arg("bench").arg(file).args(["--device", "opencl", "--hot", "--format", "json"]);
        command.args(["--budget", &self.options.exhaustive.to_string()]);
        command
    }
}

/// The configs, and each of them in subgroups of the sizes that some of them have.
fn in_all_sizes(candidates: Vec<Candidate>) -> Result<Vec<Candidate>> {
    const SIZES: [&str; 2] = ["subgroup_size", "work_group_size"];
    let maps: Vec<Map<String, Value>> = candidates
        .iter()
        .map(|it| Ok(serde_json::from_value(serde_json::to_value(&it.config)?)?))
        .collect::<Result<_>>()?;
    let mut sizes: Vec<[&Value; 2]> = Vec::new();
    for map in &maps {
        let [Some(lanes), Some(items)] = SIZES.map(|name| map.get(name)) else { continue };
        if !sizes.contains(&[lanes, items]) {
            sizes.push([lanes, items]);
        }
    }
    let mut all = candidates.clone();
    for (candidate, map) in
        candidates.iter().zip(&maps).filter(|(_, map)| SIZES.iter().all(|it| map.contains_key(*it)))
    {
        for values in &sizes {
            let mut map = map.clone();
            map.extend(
                SIZES.into_iter().zip(values).map(|(name, value)| (name.to_owned(), (*value).clone())),
            );
            let config: Config = serde_json::from_value(Value::Object(map))?;
            if !all.iter().any(|it| it.config == config) {
                all.push(Candidate { config, place: all.len(), ..candidate.clone() });
            }
        }
    }
    Ok(all)
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
