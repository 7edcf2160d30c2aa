//! Configs tried on a device: whether they compute the same, and how long they take.

use super::candidate::{Candidate, Given, reason};
use super::reference::{References, deviation};
use super::search::Search;
use crate::bench::timing::{Clocked, Mode, Sample, Subject, Timer};
use crate::common::{Failure, Output};
use crate::launch::{self, Arguments, Call, Prepared, Tensor, failed, invalid};
use crate::progress::{self, Progress};
use std::time::{Duration, Instant};
use tiletc::driver::Compilation;
use tiletc::runtime;
use tiletc::statistics::{PRECISION, Summary};
use tiletc::status::Status;
use tiletc::tuning::{Deviation, Figure, NOISE};

/// Configs that are tried, the best by the estimate: each has memory of its own for what it writes.
pub const TRIED: usize = 12;
/// Times the median of the leader beyond which a config is given up.
const HOPELESS: f64 = 2.0;

/// Builds a config for a device, with memory of its own for what it writes and what has a reference.
fn build<S: runtime::Session>(
    search: &Search<'_>,
    device: &S,
    candidate: &Candidate,
    references: &References,
    given: &mut Given,
    output: &mut Output,
) -> Result<(Prepared<S>, Arguments), Failure> {
    let Search { tune, file, .. } = search;
    let Candidate { definitions, tried, .. } = candidate;
    let (program, info) = (tune.common(file, definitions), device.core_info().map_err(failed)?);
    let mut call = Call::choose(&program, info, &tune.launch)?;
    if given.definitions != *definitions {
        // The memory of the others is not needed any longer.
        given.arguments = Arguments::default();
        given.arguments = Arguments::place(device, call.bind(&tune.launch)?)?;
        given.definitions.clone_from(definitions);
    }
    let written = call.written();
    let arguments = given
        .arguments
        .renewed(device, |name| references.has(name) || written.iter().any(|it| it == name))?;
    let function = call.function;
    tried.config.complete(&mut call.session.ir[function].attributes);
    call.session.options.is_tuned = false;
    let build =
        |device: &S, program: &mut Compilation<'_>, _: &mut Output| launch::build_cached(device, program);
    Ok((call.build(device, &arguments, build, output)?, arguments))
}

/// A launch of a config.
pub struct Launched<K> {
    /// Fault that the device has found.
    pub fault: Option<String>,
    /// Its [`results`].
    pub results: Vec<(String, Tensor)>,
    /// Value that is returned if the results are right.
    pub kept: K,
}

/// The numbers that a kernel may have written and those that have a reference, by the names of the arguments.
pub fn results<S: runtime::Session>(
    prepared: &Prepared<S>,
    arguments: &Arguments,
    references: &References,
) -> Vec<(String, Tensor)> {
    let is_wanted = |name: &str| references.has(name) || prepared.written.iter().any(|it| it == name);
    let wanted = arguments.contents().filter(|content| is_wanted(content.name));
    wanted.map(|content| (content.name.to_owned(), content.after())).collect()
}

/// The first configs, up to the one that is not out and has so many of these before it.
pub fn first(candidates: &mut [Candidate], most: usize) -> &mut [Candidate] {
    let alive = candidates.iter().enumerate().filter(|(_, candidate)| !candidate.tried.is_out());
    let end = alive.map(|(place, _)| place).nth(most).unwrap_or(candidates.len());
    candidates.split_at_mut(end).0
}

/// Launches configs once, each with memory of its own for what it writes, and takes out those whose results are not those of the references or,
/// where there is none, of the first config. Returns what is kept of the others, with their places.
///
/// # Errors
/// If no config agrees with the references, all are at fault, or the command line is wrong.
pub fn check<S: runtime::Session, K>(
    search: &Search<'_>,
    device: &S,
    candidates: &mut [Candidate],
    references: &References,
    given: &mut Given,
    mut launch: impl FnMut(Prepared<S>, Arguments) -> Result<Launched<K>, Failure>,
    output: &mut Output,
) -> Result<Vec<(usize, K)>, Failure> {
    let mut first: Option<Vec<(String, Tensor)>> = None;
    let mut nearest: Option<Deviation> = None;
    let mut reported: Option<String> = None;
    let mut agreed = Vec::new();
    let count = candidates.iter().filter(|candidate| !candidate.tried.is_out()).count();
    let alive = candidates.iter_mut().enumerate().filter(|(_, candidate)| !candidate.tried.is_out());
    for (number, (place, candidate)) in alive.enumerate() {
        if search.interruption.has_come() {
            return Ok(agreed);
        }
        let what = format!("checking {} of {}: {}", number + 1, count, candidate.tried.config);
        let ran = progress::during(&what, || {
            let (prepared, arguments) = build(search, device, candidate, references, given, output)?;
            launch(prepared, arguments)
        });
        let (results, kept) = match ran {
            Ok(Launched { fault: None, results, kept }) => (results, kept),
            Ok(Launched { fault: Some(report), .. }) => {
                candidate.tried.fail(format!("the virtual device reports: {report}"));
                reported = reported.or(Some(report));
                continue;
            }
            Err(failure @ Failure::Usage(..)) => return Err(failure),
            Err(failure) => {
                candidate.tried.fail(reason(&failure));
                continue;
            }
        };
        if let Some(deviation) = references.deviation(&results, &candidate.rounding, search.tune.tolerance) {
            candidate.tried.fail(format!("wrong result: {}", deviation.clause("the reference has")));
            let is_nearer = nearest.as_ref().is_none_or(|other| deviation.excess() < other.excess());
            nearest = if is_nearer { Some(deviation) } else { nearest };
            continue;
        }
        let others = first.iter().flatten().zip(&results).filter(|((name, _), _)| !references.has(name));
        let tolerance = search.tune.tolerance.unwrap_or(0.0);
        let mut wrong =
            others.filter_map(|((name, expected), (_, found))| deviation(name, expected, found, tolerance));
        if let Some(deviation) = wrong.next() {
            candidate.tried.fail(format!("wrong result: {}", deviation.clause("with the first config")));
            continue;
        }
        candidate.is_checked = true;
        agreed.push((place, kept));
        first = first.or(Some(results));
    }
    match (first, nearest, reported) {
        (None, Some(deviation), _) => Err(Failure::Failed(
            Status::InvalidKernelArguments,
            format!(
                "no config agrees with the reference; the nearest result: {}",
                deviation.clause("the reference has")
            ),
        )),
        (None, None, Some(report)) => Err(invalid(format!(
            "with every config that was tried the virtual device reports races or accesses out of bounds, so that the arguments may be too \
             small: {report}"
        ))),
        (Some(_), ..) | (None, None, None) => Ok(agreed),
    }
}

/// Times the configs that have been launched in rounds, each in turn with the memory that they share, and every other round in the opposite order.
/// After an interruption, times without an interval are not known well enough to be kept.
pub fn time<S: Clocked>(
    search: &Search<'_>,
    device: &S,
    timer: &mut Timer<'_, S>,
    candidates: &mut [Candidate],
    launched: Vec<(usize, Subject<S>)>,
    given: &Given,
    budget: Duration,
) -> Result<(), Failure> {
    let mut tried: Vec<Tried<S>> = Vec::new();
    let definitions = |place: usize| candidates.get(place).map(|candidate| &candidate.definitions);
    for (place, mut subject) in launched {
        if search.interruption.has_come() {
            return Ok(());
        }
        let is_given = definitions(place) == Some(&given.definitions);
        let other = tried.iter().find(|other| definitions(other.place) == definitions(place));
        let shared = other.map(|other| &other.subject.arguments).or(is_given.then_some(&given.arguments));
        if let Some(shared) = shared {
            subject.arguments.clone_from(shared);
        }
        timer.warm_up(&mut subject)?;
        tried.push(Tried { place, subject, samples: Vec::new() });
    }
    let what = format!("timing {} configs", tried.len());
    progress::measured(&what, |progress| rounds(search, timer, &mut tried, budget, progress))?;
    let on = place(device)?;
    for Tried { place, samples, .. } in tried {
        let Some(Summary { median, interval, .. }) = summary(&samples) else { continue };
        if interval.is_none() && search.interruption.has_come() {
            continue;
        }
        let (lower, upper) = interval.unwrap_or((median, median));
        if let Some(candidate) = candidates.get_mut(place) {
            candidate.tried.figure = Figure::measured_now(median, [lower, upper], &on);
        }
    }
    Ok(())
}

/// The device and its driver, for people.
pub fn place(device: &impl runtime::Session) -> Result<String, Failure> {
    let driver = device.driver_version().map_err(failed)?;
    Ok(format!("{}, {driver}", device.device_name().map_err(failed)?))
}

struct Tried<S: Clocked> {
    /// Place of the config among the candidates.
    place: usize,
    subject: Subject<S>,
    samples: Vec<Sample>,
}

/// Samples until the budget ends or every median is known well; what has no chance is not sampled any more.
fn rounds<S: Clocked>(
    search: &Search<'_>,
    timer: &mut Timer<'_, S>,
    tried: &mut [Tried<S>],
    budget: Duration,
    progress: &Progress,
) -> Result<(), Failure> {
    let mode = if search.tune.hot { Mode::Hot } else { Mode::Cold };
    let start = Instant::now();
    let mut hopeless = vec![false; tried.len()];
    for round in 0.. {
        let mut turns: Vec<_> =
            tried.iter_mut().zip(&hopeless).filter(|(_, is)| !**is).map(|(it, _)| it).collect();
        if round % 2 == 1 {
            turns.reverse();
        }
        for Tried { subject, samples, .. } in turns {
            if search.interruption.has_come() {
                return Ok(());
            }
            timer.sample(subject, mode, samples)?;
        }
        let medians: Vec<Option<Summary>> = tried.iter().map(|it| summary(&it.samples)).collect();
        let leader = medians.iter().flatten().min_by(|a, b| a.median.total_cmp(&b.median));
        for (is, found) in hopeless.iter_mut().zip(&medians) {
            *is |=
                round >= 2 && found.as_ref().zip(leader).is_some_and(|(found, best)| is_beaten(found, best));
        }
        let open: Vec<&Summary> = medians
            .iter()
            .zip(&hopeless)
            .filter(|(_, is)| !**is)
            .filter_map(|(found, _)| found.as_ref())
            .collect();
        if open.iter().all(|found| found.is_precise()) || start.elapsed() >= budget {
            break;
        }
        progress.set(share(start.elapsed(), budget, &open));
    }
    Ok(())
}

/// Returns whether a config has no chance against the best: it takes twice as long, or longer than both intervals and the noise explain.
fn is_beaten(found: &Summary, best: &Summary) -> bool {
    let intervals = found.interval.zip(best.interval);
    found.median > HOPELESS * best.median
        || intervals.is_some_and(|((lower, _), (_, upper))| lower > (1.0 + NOISE) * upper)
}

/// Statistics of the times of the kernel.
fn summary(samples: &[Sample]) -> Option<Summary> {
    Summary::of(samples.iter().map(|sample| sample.kernel))
}

/// The share of all rounds that is done: of those that the budget has time for, or of those that the medians need if that is less. An
/// interval shrinks with the square root of the number of samples.
fn share(elapsed: Duration, budget: Duration, open: &[&Summary]) -> f64 {
    let of_budget = elapsed.as_secs_f64() / budget.as_secs_f64();
    let of_median =
        |found: &&Summary| found.precision().map_or(0.0, |precision| (PRECISION / precision).powi(2));
    let of_medians = open.iter().map(of_median).fold(1.0, f64::min);
    of_budget.max(of_medians).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::is_beaten;
    use tiletc::statistics::Summary;

    #[test]
    fn configs_slower_than_intervals_and_noise_explain_are_beaten() {
        let times = |median: f64, spread: f64| (0..21).map(move |i| median + spread * f64::from(i - 10));
        let is_beaten = |found, best| {
            let (found, best) = (Summary::of(found), Summary::of(best));
            found.zip(best).map(|(found, best)| is_beaten(&found, &best))
        };
        let best = || times(100.0, 0.1);
        assert_eq!(is_beaten(times(103.0, 0.1), best()), Some(true));
        assert_eq!(is_beaten(times(103.0, 2.0), best()), Some(false));
        assert_eq!(is_beaten(times(101.0, 0.1), best()), Some(false));
        assert_eq!(is_beaten(times(201.0, 20.0), best()), Some(true));
        assert_eq!(is_beaten(best(), best()), Some(false));
    }
}
