//! `cargo xtask fuzz`: the fuzz targets of `fuzz/` under libFuzzer.
//!
//! Findings lie in the folder `fuzz` of the target folder: new inputs in `corpus`, with which the next run
//! starts, and inputs that break something in `findings`.

mod build;
mod output;
mod seeds;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::paths::Paths;
use output::Status;

/// Seconds after which an input counts as endless.
const TIMEOUT: u32 = 30;

/// Megabytes that an input may take.
const MEMORY: u32 = 2048;

/// Inputs that are chosen for the repository at most, and bytes of each.
const MAX_KEPT: usize = 80;
const MAX_KEPT_BYTES: u64 = 3000;

/// Target to fuzz, and for how long.
#[derive(clap::Args)]
pub struct Options {
    /// Target to run; all of them in turn if absent
    target: Option<String>,
    /// Minutes for each target
    #[arg(long, value_name = "N", default_value_t = 5.0)]
    minutes: f64,
    /// Processes at a time; as many as there are cores if absent
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Go on with a target after a finding
    #[arg(long)]
    keep_going: bool,
    /// Make an input that is a finding as small as possible instead
    #[arg(long, value_name = "FILE", requires = "target", conflicts_with = "jobs")]
    minimise: Option<PathBuf>,
    /// Put into fuzz/corpus instead what reaches most of what the inputs of earlier runs reach
    #[arg(long, conflicts_with_all = ["jobs", "keep_going", "minimise"])]
    reduce: bool,
}

/// A target and its folders.
struct Target<'a> {
    paths: &'a Paths,
    name: String,
}

/// A line of the table.
struct Run {
    name: String,
    status: Status,
    new: usize,
    findings: Vec<PathBuf>,
    duration: Duration,
}

/// Builds the targets and does what is asked for; fails if there are findings.
pub fn run(paths: &Paths, options: &Options) -> Result<ExitCode> {
    let targets = targets(paths, options.target.as_deref())?;
    build::build(paths)?;
    if let (Some(file), [target]) = (&options.minimise, targets.as_slice()) {
        return target.minimise(file, options.minutes);
    }
    seeds::write(paths)?;
    if options.reduce {
        targets.iter().try_for_each(Target::reduce)?;
        return Ok(ExitCode::SUCCESS);
    }
    let runs = targets.iter().map(|target| target.fuzz(options)).collect::<Result<Vec<_>>>()?;
    print_table(&runs);
    print_findings(&runs);
    Ok(if runs.iter().all(|run| run.findings.is_empty()) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The target of a name, or all there are.
fn targets<'a>(paths: &'a Paths, name: Option<&str>) -> Result<Vec<Target<'a>>> {
    let folder = paths.repository.join("fuzz/targets");
    let mut names: Vec<String> = files(&folder)?
        .iter()
        .filter_map(|file| Some(file.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    if let Some(name) = name {
        ensure!(
            names.iter().any(|known| known == name),
            "no target `{name}`; there are {}",
            names.join(", ")
        );
        names.retain(|known| known == name);
    }
    Ok(names.into_iter().map(|name| Target { paths, name }).collect())
}

impl Target<'_> {
    /// A folder of the target's own, which is there then.
    fn folder(&self, kind: &str) -> Result<PathBuf> {
        let folder = build::folder(self.paths).join(kind).join(&self.name);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(folder)
    }

    /// Inputs that are in the repository.
    fn kept(&self) -> PathBuf {
        self.paths.repository.join("fuzz/corpus").join(&self.name)
    }

    /// The target's program with the limits of an input.
    fn program(&self) -> Command {
        let mut program = Command::new(build::program(self.paths, &self.name));
        // What is never freed, such as tables made on first use, is no finding.
        program.env("ASAN_OPTIONS", "detect_leaks=0").env("RUST_BACKTRACE", "1");
        program.current_dir(build::folder(self.paths));
        program.arg(format!("-timeout={TIMEOUT}")).arg(format!("-rss_limit_mb={MEMORY}"));
        program.arg("-detect_leaks=0").arg(format!("-max_len={}", seeds::max_bytes(&self.name)));
        if seeds::are_texts(&self.name) {
            program.arg(format!("-dict={}", self.paths.repository.join("fuzz/language.dict").display()));
        }
        program
    }

    /// Runs the target for its time, or up to a finding.
    fn fuzz(&self, options: &Options) -> Result<Run> {
        let (corpus, findings) = (self.folder("corpus")?, self.folder("findings")?);
        let (inputs, known) = (files(&corpus)?.len(), files(&findings)?);
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let mut program = self.program();
        let jobs = options.jobs.unwrap_or_else(cores).max(1);
        if jobs > 1 || options.keep_going {
            program.arg(format!("-fork={jobs}"));
        }
        program.arg(format!("-max_total_time={:.0}", (options.minutes * 60.0).max(1.0)));
        let keep_going = u8::from(options.keep_going);
        for kind in ["crashes", "timeouts", "ooms"] {
            program.arg(format!("-ignore_{kind}={keep_going}"));
        }
        program.arg(format!("-artifact_prefix={}/", findings.display()));
        program.arg(&corpus).arg(self.kept()).args(seeds::folder(self.paths, &self.name));

        let log = build::folder(self.paths).join(format!("{}.log", self.name));
        let start = Instant::now();
        let status = output::follow(&self.name, &mut program, &log)?;
        let findings = files(&findings)?.into_iter().filter(|file| !known.contains(file) && is_finding(file));
        let findings: Vec<PathBuf> = findings.collect();
        // Whatever ends the fuzzer but its time has left a finding.
        if status.executions == 0 && findings.is_empty() {
            bail!("{} has run nothing; see {}", self.name, log.display());
        }
        let new = files(&corpus)?.len().saturating_sub(inputs);
        Ok(Run { name: self.name.clone(), status, new, findings, duration: start.elapsed() })
    }

    /// Makes a smaller input that is a finding, too.
    fn minimise(&self, file: &Path, minutes: f64) -> Result<ExitCode> {
        let file = file.canonicalize().with_context(|| format!("cannot read {}", file.display()))?;
        let mut smaller = file.clone().into_os_string();
        smaller.push(".min");
        let smaller = PathBuf::from(smaller);
        let mut program = self.program();
        program.arg("-minimize_crash=1").arg(format!("-max_total_time={:.0}", (minutes * 60.0).max(1.0)));
        program.arg(format!("-exact_artifact_path={}", smaller.display())).arg(&file);
        // It ends with an error, since the input is one.
        let log = build::folder(self.paths).join(format!("{}.minimise.log", self.name));
        output::follow(&self.name, &mut program, &log)?;
        let size = |path: &Path| fs::metadata(path).map(|file| file.len());
        ensure!(smaller.exists(), "{} is no finding any more; see {}", file.display(), log.display());
        println!("{} bytes instead of {}: {}", size(&smaller)?, size(&file)?, smaller.display());
        Ok(ExitCode::SUCCESS)
    }

    /// Replaces what is in the repository by a few small inputs, of those that together reach the same code as all that
    /// there are. Inputs that were put there by hand, under names of their own, stay.
    fn reduce(&self) -> Result<()> {
        let (corpus, reduced) = (self.folder("corpus")?, self.folder("reduced")?);
        files(&reduced)?.iter().try_for_each(fs::remove_file)?;
        let mut program = self.program();
        // How often code is reached would take ten times the files.
        program.args(["-set_cover_merge=1", "-use_counters=0"]);
        program.arg(&reduced).arg(self.kept()).arg(&corpus).args(seeds::folder(self.paths, &self.name));
        let log = build::folder(self.paths).join(format!("{}.reduce.log", self.name));
        output::follow(&self.name, &mut program, &log)?;
        let mut chosen = files(&reduced)?
            .into_iter()
            .map(|file| Ok((file.metadata()?.len(), file)))
            .collect::<Result<Vec<_>>>()?;
        ensure!(!chosen.is_empty(), "nothing was chosen; see {}", log.display());
        chosen.retain(|(size, _)| *size <= MAX_KEPT_BYTES);
        chosen.sort();
        // Small ones and large ones, which do different things.
        let step = chosen.len().div_ceil(MAX_KEPT).max(1);
        fs::create_dir_all(self.kept())?;
        for file in files(&self.kept())?.iter().filter(|file| is_digest(file)) {
            fs::remove_file(file)?;
        }
        for (_, file) in chosen.iter().step_by(step) {
            fs::copy(file, self.kept().join(file.file_name().unwrap_or_default()))?;
        }
        println!("{}: {} files", self.name, files(&self.kept())?.len());
        Ok(())
    }
}

/// The files of a folder in order; none if there is no folder.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let files = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files = files.map(|file| Ok(file?.path())).collect::<Result<Vec<_>>>()?;
    files.sort();
    Ok(files)
}

/// Returns whether the file is one of an input that broke something; the fuzzer keeps slow ones as well.
fn is_finding(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    ["crash-", "oom-", "timeout-", "leak-"].iter().any(|kind| name.starts_with(kind))
}

/// Returns whether the file has the name that the fuzzer gives to inputs, the digest of its content.
fn is_digest(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name.len() == 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn print_table(runs: &[Run]) {
    let heads = ["executions", "edges", "features", "new inputs", "findings", "minutes"];
    println!("\n{:14}{}", "", heads.map(|head| format!("{head:>12}")).concat());
    for Run { name, status, new, findings, duration } in runs {
        let Status { executions, edges, features } = status;
        let minutes = duration.as_secs_f64() / 60.0;
        println!(
            "{name:14}{executions:>12}{edges:>12}{features:>12}{new:>12}{:>12}{minutes:>12.1}",
            findings.len()
        );
    }
}

fn print_findings(runs: &[Run]) {
    for Run { name, findings, .. } in runs {
        for file in findings {
            println!("\n{name}: {}", file.display());
            println!("    smaller: cargo xtask fuzz {name} --minimise {}", file.display());
            println!("    a test:  cp {} fuzz/corpus/{name}/WHAT_IT_SHOWS", file.display());
            println!("             cargo test --package tiletc-fuzz --test replay {name}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{is_digest, is_finding};
    use std::path::Path;

    #[test]
    fn files_are_known_by_their_names() {
        let digest = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
        assert!(is_digest(Path::new(digest)) && !is_digest(Path::new("a_report_of_gigabytes")));
        assert!(is_finding(&Path::new("x").join(format!("timeout-{digest}"))));
        assert!(!is_finding(&Path::new("x").join(format!("slow-unit-{digest}"))));
    }
}
