//! `tiletc tune`: looks for the config that a kernel runs best with.
//!
//! Configs are [enumerated and compiled](candidate), ranked by an estimate, [checked and timed](trial), and
//! [kept](tiletc::tuning) in a table that the compiler consults.

mod calibration;
mod candidate;
mod constraint;
mod options;
mod parallel;
mod reference;
mod report;
mod rounding;
mod table;
mod trial;

pub use options::{EXAMPLES, Tune};

use crate::bench::{self, machine, space, timing};
use crate::common::{Failure, Output};
use crate::launch::{Opened, failed};
use crate::progress;
use candidate::Candidate;
use reference::References;
use std::path::Path;
use tiletc::device::CoreInfo;
use tiletc::runtime::{self, Timestamps};
use tiletc::status::Status;
use tiletc::tuning::Table;
use tiletc_isa::Ocloc;
use virtual_xe::Outcome;

/// Runs the tool.
pub fn tune(tune: &Tune, output: &mut Output) -> Result<(), Failure> {
    if let Some(command) = &tune.command {
        return table::run(command, output);
    }
    let Some(file) = &tune.file else { return Ok(()) };
    let spaces = space::configs(std::slice::from_ref(file), &tune.definitions)?;
    match tune.device.open()? {
        Opened::Virtual(name, session) => {
            let (mut candidates, references) = prepare(tune, file, &spaces, &session, output)?;
            let on = calibrated(tune, &name, &mut candidates);
            let is_well = |outcome: &Outcome| Ok(outcome.reports.is_empty());
            trial::check(tune, file, &session, &mut candidates, &references, is_well, output)?;
            finish(tune, candidates, &on, output)
        }
        Opened::OpenCl(session) => measured(tune, file, &spaces, &session, output),
        Opened::LevelZero(session) => measured(tune, file, &spaces, &session, output),
    }
}

/// Counts instructions of a GPU that Intel's offline compiler knows, if that is here; returns the source of the estimates.
fn calibrated(tune: &Tune, device: &str, candidates: &mut [Candidate]) -> String {
    let ocloc = Ocloc::find().ok().filter(|_| !tune.model && CoreInfo::from_name(device).is_some());
    let Some(ocloc) = ocloc else { return format!("the model of {device}") };
    let what = format!("compiling for {device} with Intel's offline compiler");
    progress::during(&what, || calibration::calibrate(&ocloc, device, candidates));
    candidate::rank(candidates);
    format!("{device} by its instructions")
}

/// Tunes on a device with a clock.
fn measured<S: timing::Clocked>(
    tune: &Tune,
    file: &Path,
    spaces: &[space::Config],
    session: &S,
    output: &mut Output,
) -> Result<(), Failure> {
    let (mut candidates, references) = prepare(tune, file, spaces, session, output)?;
    let has_clock = |times: &Option<Timestamps>| timing::check_clock(*times).map(|_| true);
    trial::check(tune, file, session, &mut candidates, &references, has_clock, output)?;
    keep(tune, &candidates)?;
    trial::time(tune, file, session, &mut candidates, output)?;
    let name = session.device_name().map_err(failed)?;
    finish(tune, candidates, &name, output)
}

/// The configs that constraints admit, with `--all` the others as well.
fn enumerate<S: runtime::Session>(
    tune: &Tune,
    file: &Path,
    spaces: &[space::Config],
    session: &S,
    info: &CoreInfo,
) -> Result<(Vec<Candidate>, References), Failure> {
    let names = spaces.first().map_or(&[][..], |space| &space.definitions);
    constraint::check_names(&tune.constraints, names)?;
    let (mut candidates, mut references) = (Vec::new(), References::default());
    for space in spaces {
        let definitions = &space.definitions;
        let exclusion = constraint::exclusion(&tune.constraints, definitions, None)?;
        if exclusion.is_some() && !tune.all {
            continue;
        }
        let common = tune.common(file, definitions);
        let found = candidate::enumerate(&common, session, info, &tune.launch, definitions, &tune.references);
        let found = match found {
            // It is excluded since it makes no sense, perhaps.
            Err(_) if exclusion.is_some() => continue,
            Ok((found, read)) => {
                references = read;
                found
            }
            Err(failure) => return Err(bench::about(space, failure)),
        };
        for mut candidate in found {
            let reason = match &exclusion {
                None => constraint::exclusion(&tune.constraints, definitions, Some(&candidate.config))?,
                reason => reason.clone(),
            };
            if let Some(reason) = reason {
                candidate.exclude(reason);
            }
            if tune.all || !candidate.is_excluded {
                candidates.push(candidate);
            }
        }
    }
    if candidates.iter().all(|candidate| candidate.is_excluded) {
        return Err(Failure::usage("no config is left to try: --where excludes all of them"));
    }
    Ok((candidates, references))
}

/// The candidates, those first that the estimate likes best.
fn prepare<S: runtime::Session>(
    tune: &Tune,
    file: &Path,
    spaces: &[space::Config],
    session: &S,
    output: &mut Output,
) -> Result<(Vec<Candidate>, References), Failure> {
    let info = session.core_info().map_err(failed)?;
    let (mut candidates, references) = enumerate(tune, file, spaces, session, &info)?;
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
    Ok((candidates, references))
}

/// Keeps what is known so far, if there is a table; a table that cannot be written is an error before anything takes long.
fn keep(tune: &Tune, candidates: &[Candidate]) -> Result<(), Failure> {
    let Some(path) = tune.kept.table() else { return Ok(()) };
    let mut found = Table::default();
    candidate::entries(candidates).into_iter().for_each(|entry| found.insert(entry));
    found.save(&path).map_err(table::failed)
}

/// Keeps and shows what was found.
fn finish(tune: &Tune, mut candidates: Vec<Candidate>, on: &str, output: &mut Output) -> Result<(), Failure> {
    candidate::rank(&mut candidates);
    keep(tune, &candidates)?;
    report::show(&candidates, tune.all, on, tune.kept.table().as_deref(), output)
}
