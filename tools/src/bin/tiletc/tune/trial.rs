//! Configs tried on a device: whether they compute the same, and how long they take.

use super::candidate::{Candidate, reason};
use super::options::Tune;
use super::reference::{Deviation, References};
use crate::bench::machine;
use crate::bench::timing::{Clocked, Measurement, Mode, Sample, Subject, Timer};
use crate::common::{Failure, Output};
use crate::launch::{self, Arguments, Call, Prepared, Tensor, failed};
use crate::progress;
use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use tiletc::driver::Compilation;
use tiletc::runtime::{self, ProfileOf};
use tiletc::status::Status;
use tiletc::tuning::Figure;

/// Configs that are tried, the best by the estimate: each has memory of its own for the arguments.
const TRIED: usize = 12;
/// Times the median of the leader beyond which a config is given up.
const HOPELESS: f64 = 2.0;

/// Builds a config for a device.
fn build<S: runtime::Session>(
    tune: &Tune,
    file: &Path,
    device: &S,
    candidate: &Candidate,
    output: &mut Output,
) -> Result<(Prepared<S>, Arguments), Failure> {
    let info = device.core_info().map_err(failed)?;
    let mut call = Call::open(&tune.common(file, &candidate.definitions), info, &tune.launch)?;
    let arguments = Arguments::place(device, std::mem::take(&mut call.bound))?;
    let function = call.function;
    candidate.config.complete(&mut call.session.ir[function].attributes);
    let build =
        |device: &S, program: &mut Compilation<'_>, _: &mut Output| launch::build_cached(device, program);
    Ok((call.build(device, &arguments, build, output)?, arguments))
}

/// Runs the first configs once, each with arguments of its own, and takes out those whose results are not those of the references or,
/// where there is none, of the first config.
///
/// # Errors
/// If no config agrees with the references, or the command line is wrong.
pub fn check<S: runtime::Session>(
    tune: &Tune,
    file: &Path,
    device: &S,
    candidates: &mut [Candidate],
    references: &References,
    is_well: impl Fn(&ProfileOf<S>) -> Result<bool, Failure>,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut first: Option<Vec<(String, Tensor)>> = None;
    let mut nearest: Option<Deviation> = None;
    let alive = candidates.iter_mut().filter(|candidate| !candidate.is_out()).take(TRIED);
    for (place, candidate) in alive.enumerate() {
        let what = format!("checking {} of {}: {}", place + 1, TRIED, candidate.config);
        let ran = progress::during(&what, || {
            let (mut prepared, arguments) = build(tune, file, device, candidate, output)?;
            let profile = prepared.run(device, &arguments)?;
            let results =
                arguments.contents().map(|content| (content.name.to_owned(), content.after)).collect();
            Ok((is_well(&profile)?, results))
        });
        let results: Vec<(String, Tensor)> = match ran {
            Ok((true, results)) => results,
            Ok((false, _)) => {
                candidate.fail("the virtual device reports races or accesses out of bounds");
                continue;
            }
            Err(failure @ Failure::Usage(..)) => return Err(failure),
            Err(failure) => {
                candidate.fail(reason(&failure));
                continue;
            }
        };
        if let Some(deviation) = references.deviation(&results, &candidate.rounding, tune.tolerance) {
            candidate.fail(format!("wrong result: {}", deviation.clause("the reference has")));
            let is_nearer = nearest.as_ref().is_none_or(|other| deviation.excess() < other.excess());
            nearest = if is_nearer { Some(deviation) } else { nearest };
            continue;
        }
        match &first {
            None => first = Some(results),
            Some(first) => {
                let others = first.iter().zip(&results).filter(|((name, _), _)| !references.has(name));
                let tolerance = tune.tolerance.unwrap_or(0.0);
                let wrong = others.filter_map(|((name, expected), (_, found))| {
                    Deviation::of(name, expected, found, tolerance)
                });
                if let Some(deviation) = wrong.into_iter().next() {
                    candidate.fail(format!("wrong result: {}", deviation.clause("with the first config")));
                }
            }
        }
    }
    match nearest.filter(|_| first.is_none()) {
        Some(deviation) => Err(Failure::Failed(
            Status::InvalidKernelArguments,
            format!(
                "no config agrees with the reference; the nearest result: {}",
                deviation.clause("the reference has")
            ),
        )),
        None => Ok(()),
    }
}

/// Times the first configs in rounds, each in turn and every other round in the opposite order.
pub fn time<S: Clocked>(
    tune: &Tune,
    file: &Path,
    device: &S,
    candidates: &mut [Candidate],
    output: &mut Output,
) -> Result<(), Failure> {
    let is_cpu = device.core_info().map_err(failed)?.is_cpu();
    let mut timer = Timer::new(device, machine::cache_bytes(is_cpu))?;
    let mut tried: Vec<Tried<'_, S>> = Vec::new();
    for candidate in candidates.iter_mut().filter(|candidate| !candidate.is_out()).take(TRIED) {
        let (prepared, arguments) = build(tune, file, device, candidate, output)?;
        let mut subject = timer.subject(prepared, arguments)?;
        timer.warm_up(&mut subject)?;
        tried.push(Tried { candidate, subject, samples: Vec::new() });
    }
    let what = format!("timing {} configs", tried.len());
    progress::during(&what, || rounds(tune, &mut timer, &mut tried))?;
    let (on, date) = (device.device_name().map_err(failed)?, today());
    for Tried { candidate, samples, .. } in tried {
        let Some(Measurement { median, interval, .. }) = Measurement::of(&samples) else { continue };
        let (lower, upper) = interval.unwrap_or((median, median));
        let (on, date) = (on.clone(), date.clone());
        candidate.figure = Figure::Measured { seconds: median, interval: [lower, upper], on, date };
    }
    Ok(())
}

struct Tried<'a, S: Clocked> {
    candidate: &'a mut Candidate,
    subject: Subject<S>,
    samples: Vec<Sample>,
}

/// Samples until the budget ends or every median is known well; what has no chance is not sampled any more.
fn rounds<S: Clocked>(
    tune: &Tune,
    timer: &mut Timer<'_, S>,
    tried: &mut [Tried<'_, S>],
) -> Result<(), Failure> {
    let mode = if tune.hot { Mode::Hot } else { Mode::Cold };
    let start = Instant::now();
    let mut hopeless = vec![false; tried.len()];
    for round in 0.. {
        let mut turns: Vec<_> =
            tried.iter_mut().zip(&hopeless).filter(|(_, is)| !**is).map(|(it, _)| it).collect();
        if round % 2 == 1 {
            turns.reverse();
        }
        for Tried { subject, samples, .. } in turns {
            timer.sample(subject, mode, samples)?;
        }
        let medians: Vec<Option<Measurement>> = tried.iter().map(|it| Measurement::of(&it.samples)).collect();
        let leader = medians.iter().flatten().map(|it| it.median).fold(f64::INFINITY, f64::min);
        for (is, found) in hopeless.iter_mut().zip(&medians) {
            *is |= found.as_ref().is_some_and(|found| round >= 2 && found.median > HOPELESS * leader);
        }
        let open = medians.iter().zip(&hopeless).filter(|(_, is)| !**is).map(|(found, _)| found);
        let is_known = open.flatten().all(Measurement::is_precise);
        if is_known || start.elapsed() >= tune.budget {
            break;
        }
    }
    Ok(())
}

/// The day in the form 2026-11-26, by the calendar that Gregorian years have (civil-from-days, Hinnant).
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let rest = day - (365 * year + year / 4 - year / 100);
    let shifted = (5 * rest + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = 400 * era + year + u64::from(month <= 2);
    format!("{year}-{month:02}-{:02}", rest - (153 * shifted + 2) / 5 + 1)
}
