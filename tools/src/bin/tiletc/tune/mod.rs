//! `tiletc tune`: looks for the config that a kernel runs best with.
//!
//! Configs are [enumerated and compiled](candidate), ranked by an estimate, [checked and timed](trial), and
//! [kept](tiletc::tuning) in a table that the compiler consults.

mod calibration;
mod candidate;
mod constraint;
mod options;
mod reference;
mod report;
mod rounding;
mod search;
mod stopwatch;
mod table;
mod trial;
mod twin;

pub use options::{EXAMPLES, Tune};

use crate::bench::timing::{Clocked, Timer};
use crate::bench::{self, machine, space};
use crate::common::{self, Failure, Output};
use crate::launch::{Opened, Prepared, failed};
use crate::peaks::Peak;
use crate::progress;
use candidate::{Candidate, Found};
use search::{Builds, Interruption, Search};
use std::process::ExitCode;
use stopwatch::Stopwatch;
use tiletc::device::CoreInfo;
use tiletc::runtime;
use tiletc::status::Status;
use tiletc_isa::Ocloc;

/// Runs the tool to its exit code.
pub fn run(arguments: &Tune) -> ExitCode {
    let mut is_interrupted = false;
    let code = common::finish(arguments.is_document(), |output| {
        is_interrupted = tune(arguments, output)?;
        Ok(())
    });
    if is_interrupted { ExitCode::from(search::INTERRUPTED) } else { code }
}

/// Runs the tool; returns whether Ctrl-C has ended it.
fn tune(tune: &Tune, output: &mut Output) -> Result<bool, Failure> {
    if let Some(command) = &tune.command {
        return table::run(command, output).map(|()| false);
    }
    let Some(file) = &tune.file else { return Ok(false) };
    let spaces = space::configs(std::slice::from_ref(file), &tune.definitions)?;
    // Drivers have handlers of their own, LLVM's, which kill; those call the ones from before.
    let search = Search { tune, file, interruption: Interruption::watch()?, builds: Builds::open() };
    match tune.device.open()? {
        Opened::Virtual(name, session) => {
            let Found { mut candidates, references, mut given } =
                prepare(&search, &spaces, &session, output)?;
            let on = calibrated(&search, &name, &mut candidates);
            let launch =
                |prepared: Prepared<_>, arguments| twin::run(&session, &references, prepared, &arguments);
            let first = trial::first(&mut candidates, trial::TRIED);
            trial::check(&search, &session, first, &references, &mut given, launch, output)?;
            finish(&search, candidates, &on, output)?;
        }
        Opened::OpenCl(session) => measured(&search, &spaces, &session, output)?,
        Opened::LevelZero(session) => measured(&search, &spaces, &session, output)?,
    }
    Ok(search.interruption.has_come())
}

/// Counts instructions of a GPU that Intel's offline compiler knows, if that is here; returns the source of the estimates.
fn calibrated(search: &Search<'_>, device: &str, candidates: &mut [Candidate]) -> String {
    let of_model = format!("the model of {device}");
    let is_known = !search.tune.model && CoreInfo::from_name(device).is_some();
    let Some(ocloc) = Ocloc::find().ok().filter(|_| is_known) else { return of_model };
    let what = format!("compiling for {device} with Intel's offline compiler");
    let interruption = &search.interruption;
    let is_counted = progress::measured(&what, |progress| {
        calibration::calibrate(&ocloc, device, candidates, interruption, progress)
    });
    candidate::rank(candidates);
    if is_counted { format!("{device} by its instructions") } else { of_model }
}

/// Tunes on a device with a clock.
fn measured<S: Clocked>(
    search: &Search<'_>,
    spaces: &[space::Config],
    session: &S,
    output: &mut Output,
) -> Result<(), Failure> {
    let Found { mut candidates, references, given } = prepare(search, spaces, session, output)?;
    let info = session.core_info().map_err(failed)?;
    let timer = Timer::new(session, machine::cache_bytes(info.is_cpu()))?;
    Stopwatch { search, session, timer, references, given, twin: None }.time(
        &info,
        &mut candidates,
        output,
    )?;
    finish(search, candidates, &trial::place(session)?, output)
}

/// The configs that constraints admit, with `--all` the others as well.
fn enumerate<S: runtime::Session>(
    search: &Search<'_>,
    spaces: &[space::Config],
    session: &S,
    info: &CoreInfo,
) -> Result<Found, Failure> {
    let Search { tune, file, .. } = search;
    let names = spaces.first().map_or(&[][..], |space| &space.definitions);
    constraint::check_names(&tune.constraints, names)?;
    let (mut candidates, mut last) = (Vec::new(), None);
    for space in spaces {
        let definitions = &space.definitions;
        let exclusion = constraint::exclusion(&tune.constraints, definitions, None)?;
        if exclusion.is_some() && !tune.all {
            continue;
        }
        let common = tune.common(file, definitions);
        let found = candidate::enumerate(&common, session, info, tune, definitions);
        let found = match found {
            // It is excluded since it makes no sense, perhaps.
            Err(_) if exclusion.is_some() => continue,
            found => found.map_err(|failure| bench::about(space, failure))?,
        };
        let Found { candidates: found, references, given } = found;
        last = Some((references, given));
        for mut candidate in found {
            let reason = match &exclusion {
                None => candidate::exclusion(search, &candidate)?,
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
    let last = last.filter(|_| !candidates.iter().all(|candidate| candidate.is_excluded));
    let (references, given) =
        last.ok_or_else(|| Failure::usage("no config is left to try: --where excludes all of them"))?;
    Ok(Found { candidates, references, given })
}

/// The candidates, those first that the estimate likes best.
fn prepare<S: runtime::Session>(
    search: &Search<'_>,
    spaces: &[space::Config],
    session: &S,
    output: &mut Output,
) -> Result<Found, Failure> {
    let info = session.core_info().map_err(failed)?;
    let mut found = enumerate(search, spaces, session, &info)?;
    let candidates = &mut found.candidates;
    let name = session.device_name().map_err(failed)?;
    let cores = Peak::of(&name).or_else(|| Peak::of_product(&name)).map(|peak| peak.cores.into());
    let what = format!("compiling {} configs of {}", candidates.len(), search.file.display());
    progress::measured(&what, |progress| candidate::compile_all(search, &info, cores, candidates, progress));
    if !search.interruption.has_come() {
        check_usable(candidates)?;
    }
    if let Some(note) = machine::busy() {
        report::warn(&note, output);
    }
    candidate::rank(candidates);
    Ok(found)
}

/// Makes sure that there is a config that is not out.
fn check_usable(candidates: &[Candidate]) -> Result<(), Failure> {
    if candidates.iter().any(|candidate| !candidate.tried.is_out()) {
        return Ok(());
    }
    let message = format!("none of the configs is usable\n{}", report::reasons(candidates));
    Err(Failure::Failed(Status::InvalidArguments, message))
}

/// Keeps and shows what was found, shows it also if it cannot be kept.
fn finish(
    search: &Search<'_>,
    mut candidates: Vec<Candidate>,
    on: &str,
    output: &mut Output,
) -> Result<(), Failure> {
    candidate::rank(&mut candidates);
    let table = search.tune.kept.table();
    let kept = table::keep(table.clone(), &candidates);
    if !search.interruption.has_come() {
        check_usable(&candidates)?;
    }
    let file = kept.as_ref().map(|()| table.as_deref());
    report::show(&candidates, search.tune.all, on, file, output)?;
    if search.interruption.has_come() {
        report::warn(&report::interrupted(&candidates), output);
    }
    kept
}
