//! `tiletc tune`: looks for the config that a kernel runs best with.
//!
//! Configs are [enumerated and compiled](candidate), ranked by an estimate, [checked and timed](trial), and
//! [kept](tiletc::tuning) in a table that the compiler consults.

mod candidate;
mod report;
mod trial;

use crate::bench::machine;
use crate::bench::space::{self, Sweep};
use crate::common::{Common, Compiling, Failure, Output};
use crate::launch::{CallOptions, DeviceName, Opened, failed};
use crate::progress;
use candidate::Candidate;
use clap::{ArgAction, Args};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tiletc::runtime;
use tiletc::status::Status;
use tiletc::tuning::{Error, Figure, TABLE, Table};

/// Examples for the help.
pub const EXAMPLES: &str = "\
Values of arguments are those of `tiletc run`; see `tiletc run --help`.

Examples:
    tiletc tune fused_kernel.ir -d opencl --arg K=random --arg P=random:56x9x10000 --arg A=random:9x9x10000 \\
        --arg Q=zeros:56x9x10000 --table tuning.json
    tiletc tune gemm.ir -d virtual:pvc -D BM=64,128 --arg A=random --arg B=random --arg C=zeros --all
    tiletc tune --list --table tuning.json";

/// Look for the attributes and definitions that a kernel runs best with.
#[derive(Args)]
pub struct Tune {
    /// Program with the kernel
    #[arg(value_name = "FILE", required_unless_present_any = ["list", "prune"])]
    file: Option<PathBuf>,
    /// Define $NAME in place of the program's own definition; with several values all are tried, and of several names all
    /// combinations
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE[,VALUE…]", action = ArgAction::Append)]
    definitions: Vec<Sweep>,
    #[command(flatten)]
    compiling: Compiling,
    /// Device: opencl[:N] or level_zero[:N], where configs are timed, or virtual:NAME, where their time is estimated
    #[arg(short = 'd', long, value_name = "DEVICE", default_value = "virtual:pvc")]
    device: DeviceName,
    #[command(flatten)]
    launch: CallOptions,
    /// Seconds for timing, all configs together
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = crate::bench::seconds)]
    budget: Duration,
    /// Largest difference of a result from that of the first config, relative to the largest number of the argument; without this option
    /// results must be the same bit for bit
    #[arg(long, value_name = "SHARE", default_value = "0")]
    tolerance: f64,
    /// Print every config with its time or the reason why it has none
    #[arg(long)]
    all: bool,
    /// File that keeps what is found; without this option the one that TILETC_TUNING_TABLE names, if any
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// List what a table holds
    #[arg(long, conflicts_with = "file")]
    list: bool,
    /// Remove from a table what other versions of tiletc have found, and what has failed
    #[arg(long, conflicts_with_all = ["file", "list"])]
    prune: bool,
    /// Write one JSON document to standard output
    #[arg(long)]
    pub json: bool,
}

impl Tune {
    /// The file of the table.
    fn table(&self) -> Option<PathBuf> {
        let of_environment = || std::env::var_os(TABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
        self.table.clone().or_else(of_environment)
    }

    fn given_table(&self) -> Result<PathBuf, Failure> {
        self.table()
            .ok_or_else(|| Failure::usage(format!("which table? Name it with --table, or in {TABLE}")))
    }

    fn common(&self, file: &Path, definitions: &[(String, String)]) -> Common {
        let definitions = definitions.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Common { file: Some(file.to_owned()), definitions, compiling: self.compiling.clone() }
    }
}

/// Runs the tool.
pub fn tune(tune: &Tune, output: &mut Output) -> Result<(), Failure> {
    if tune.list {
        return report::list(&Table::read(&tune.given_table()?).map_err(of_table)?, output);
    }
    if tune.prune {
        let keeps = |entry: &tiletc::tuning::Entry| {
            entry.key.tiletc == env!("CARGO_PKG_VERSION") && !matches!(entry.figure, Figure::Failed(_))
        };
        let removed = Table::prune(&tune.given_table()?, keeps).map_err(of_table)?;
        return report::pruned(removed, output);
    }
    let Some(file) = &tune.file else { return Ok(()) };
    let spaces = space::configs(std::slice::from_ref(file), &tune.definitions)?;
    match tune.device.open()? {
        Opened::Virtual(name, session) => {
            let mut candidates = prepare(tune, file, &spaces, &session, output)?;
            trial::check(
                tune,
                file,
                &session,
                &mut candidates,
                |outcome| outcome.reports.is_empty(),
                output,
            )?;
            let on = format!("the model of {name}");
            finish(tune, candidates, &on, output)
        }
        Opened::OpenCl(session) => measured(tune, file, &spaces, &session, output),
        Opened::LevelZero(session) => measured(tune, file, &spaces, &session, output),
    }
}

/// Tunes on a device with a clock.
fn measured<S: crate::bench::timing::Clocked>(
    tune: &Tune,
    file: &Path,
    spaces: &[space::Config],
    session: &S,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut candidates = prepare(tune, file, spaces, session, output)?;
    trial::check(tune, file, session, &mut candidates, |_| true, output)?;
    trial::time(tune, file, session, &mut candidates, output)?;
    let name = session.device_name().map_err(failed)?;
    finish(tune, candidates, &name, output)
}

/// The candidates, those first that the estimate likes best.
fn prepare<S: runtime::Session>(
    tune: &Tune,
    file: &Path,
    spaces: &[space::Config],
    session: &S,
    output: &mut Output,
) -> Result<Vec<Candidate>, Failure> {
    let info = session.core_info().map_err(failed)?;
    let mut candidates = Vec::new();
    for space in spaces {
        let common = tune.common(file, &space.definitions);
        candidates.extend(candidate::enumerate(&common, session, &info, &tune.launch, &space.definitions)?);
    }
    let what = format!("compiling {} configs of {}", candidates.len(), file.display());
    progress::during(&what, || candidate::compile_all(tune, file, &info, &mut candidates));
    if candidates.iter().all(|candidate| candidate.is_out()) {
        let reasons = report::reasons(&candidates);
        return Err(Failure::Failed(
            Status::InvalidArguments,
            format!("none of the configs is usable\n{reasons}"),
        ));
    }
    if let Some(note) = machine::busy() {
        output.diagnose(crate::common::output::warning(&note));
    }
    candidate::rank(&mut candidates);
    Ok(candidates)
}

/// Keeps and shows what was found.
fn finish(tune: &Tune, mut candidates: Vec<Candidate>, on: &str, output: &mut Output) -> Result<(), Failure> {
    candidate::rank(&mut candidates);
    let mut found = Table::default();
    candidate::entries(&candidates).into_iter().for_each(|entry| found.insert(entry));
    let table = tune.table();
    if let Some(path) = &table {
        found.save(path).map_err(of_table)?;
    }
    report::show(&candidates, tune.all, on, table.as_deref(), output)
}

fn of_table(error: Error) -> Failure {
    let status = match error {
        Error::File { .. } => Status::FileIoError,
        Error::Malformed(_) | Error::Foreign { .. } => Status::InvalidArguments,
    };
    Failure::Failed(status, error.to_string())
}
