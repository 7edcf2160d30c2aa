//! Configs tried on a device: whether they compute the same, and how long they take.

use super::candidate::{Candidate, Given, reason};
use super::reference::{References, deviation};
use super::search::Search;
use crate::bench::timing::{Clocked, Mode, Sample, Subject, Timer, turns};
use crate::common::{Failure, Output};
use crate::launch::{Arguments, Call, Prepared, Tensor, failed, invalid};
use crate::progress::{self, Progress};
use std::time::{Duration, Instant};
use tiletc::driver::Compilation;
use tiletc::runtime;
use tiletc::statistics::Summary;
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
    let build = |device: &S, program: &mut Compilation<'_>, _: &mut Output| {
        runtime::build(device, search.builds.cache.as_ref(), program)
    };
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
        // Both have rounding errors.
        let allowed = |expected: &Tensor| {
            let numbers = expected.numbers().count() as u64;
            let by_rounding = || 2.0 * candidate.rounding.share(expected.element, numbers);
            search.tune.tolerance.unwrap_or_else(by_rounding)
        };
        let mut wrong = others
            .filter_map(|((name, expected), (_, found))| deviation(name, expected, found, allowed(expected)));
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

/// Bounds of what is timed.
#[derive(Clone, Copy)]
pub struct Until {
    /// The time that it may take.
    pub budget: Duration,
    /// Share of all times within which they are known well enough.
    pub precision: f64,
}

/// Times the configs that have been launched in rounds, all of them in [`turns`] with the memory that they share.
/// After an interruption, times without an interval are not known well enough to be kept.
pub fn time<S: Clocked>(
    search: &Search<'_>,
    device: &S,
    timer: &mut Timer<'_, S>,
    candidates: &mut [Candidate],
    launched: Vec<(usize, Subject<S>)>,
    given: &Given,
    until: Until,
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
        // Each has been launched, and the first launch of a batch is not timed: it is the device that has to be warm.
        if tried.is_empty() {
            timer.warm_up(&mut subject)?;
        }
        tried.push(Tried { place, subject, times: Times::default() });
    }
    let what = format!("timing {} configs", tried.len());
    progress::measured(&what, |progress| rounds(search, timer, &mut tried, until, progress))?;
    let on = place(device)?;
    for (Tried { place, .. }, summary) in tried.iter().zip(beside_the_best(&tried)) {
        let Some(Summary { median, interval, .. }) = summary else { continue };
        if interval.is_none() && search.interruption.has_come() {
            continue;
        }
        let (lower, upper) = interval.unwrap_or((median, median));
        if let Some(candidate) = candidates.get_mut(*place) {
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
    times: Times,
}

/// Times of a config, those of the same round at the same place for all configs.
#[derive(Default)]
struct Times {
    /// Seconds.
    samples: Vec<f64>,
    /// True if it has no chance, so that it is not sampled any more.
    is_hopeless: bool,
}

impl<S: Clocked> AsRef<Times> for Tried<S> {
    fn as_ref(&self) -> &Times {
        &self.times
    }
}

/// Samples until the budget ends or every time is known well enough; what has no chance is not sampled any more.
fn rounds<S: Clocked>(
    search: &Search<'_>,
    timer: &mut Timer<'_, S>,
    tried: &mut [Tried<S>],
    until @ Until { budget, precision }: Until,
    progress: &Progress,
) -> Result<(), Failure> {
    let mode = if search.tune.hot { Mode::Hot } else { Mode::Cold };
    let start = Instant::now();
    for round in 0.. {
        let open = tried.iter_mut().filter(|it| !it.times.is_hopeless).collect();
        for Tried { subject, times, .. } in turns(open, round) {
            if search.interruption.has_come() {
                return Ok(());
            }
            let mut samples: Vec<Sample> = Vec::new();
            timer.sample(subject, mode, &mut samples)?;
            times.samples.extend(samples.iter().map(|sample| sample.kernel));
        }
        let found = beside_the_best(tried);
        let best = found.iter().flatten().map(|it| it.median).fold(f64::INFINITY, f64::min);
        for (Tried { times, .. }, found) in tried.iter_mut().zip(&found) {
            times.is_hopeless |= round >= 2 && found.as_ref().is_some_and(|found| is_beaten(found, best));
        }
        let is_open = |(it, _): &(&Tried<S>, _)| !it.times.is_hopeless;
        let open: Vec<Summary> = tried.iter().zip(found).filter(is_open).filter_map(|(_, it)| it).collect();
        if open.iter().all(|found| found.is_within(precision)) || start.elapsed() >= budget {
            break;
        }
        progress.set(share(start.elapsed(), until, &open));
    }
    Ok(())
}

/// The times of configs: of the one with the least median its own, of the others what they take in the time of that one, round for round. A
/// machine is not as fast in one moment as in another, and slows down all of a round.
fn beside_the_best(tried: &[impl AsRef<Times>]) -> Vec<Option<Summary>> {
    let own = |it: &Times| Summary::of(it.samples.iter().copied());
    let open = tried.iter().map(AsRef::as_ref).filter(|it| !it.is_hopeless);
    let best = open.filter_map(|it| Some((it, own(it)?))).min_by(|a, b| a.1.median.total_cmp(&b.1.median));
    let Some((best, leader)) = best else { return tried.iter().map(|it| own(it.as_ref())).collect() };
    let beside = |it: &Times| {
        let pairs = it.samples.iter().zip(&best.samples);
        Summary::of(pairs.map(|(time, of_best)| leader.median * time / of_best))
    };
    let found = tried.iter().map(AsRef::as_ref);
    found.map(|it| if std::ptr::eq(it, best) { Some(leader) } else { beside(it) }).collect()
}

/// Returns whether a config has no chance against the best time: it takes twice as long, or longer than its interval and the noise explain.
fn is_beaten(found: &Summary, best: f64) -> bool {
    let lower = found.interval.map_or(0.0, |(lower, _)| lower);
    found.median > HOPELESS * best || lower > (1.0 + NOISE) * best
}

/// The share of all rounds that is done: of those that the budget has time for, or of those that the medians need if that is less. An
/// interval shrinks with the square root of the number of samples.
fn share(elapsed: Duration, Until { budget, precision }: Until, open: &[Summary]) -> f64 {
    let of_budget = elapsed.as_secs_f64() / budget.as_secs_f64();
    let of_median = |found: &Summary| found.precision().map_or(0.0, |reached| (precision / reached).powi(2));
    let of_medians = open.iter().map(of_median).fold(1.0, f64::min);
    of_budget.max(of_medians).min(1.0)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::{Times, beside_the_best, is_beaten};
    use tiletc::statistics::Summary;

    impl AsRef<Times> for Times {
        fn as_ref(&self) -> &Times {
            self
        }
    }

    #[test]
    fn configs_slower_than_intervals_and_noise_explain_are_beaten() {
        let times = |median: f64, spread: f64| (0..21).map(move |i| median + spread * f64::from(i - 10));
        let is_beaten = |found| is_beaten(&Summary::of(found).unwrap(), 100.0);
        assert!(is_beaten(times(103.0, 0.1)));
        assert!(!is_beaten(times(103.0, 2.0)));
        assert!(!is_beaten(times(101.0, 0.1)));
        assert!(is_beaten(times(201.0, 20.0)));
        assert!(!is_beaten(times(100.0, 0.1)));
    }

    #[test]
    fn a_machine_that_slows_down_hides_no_difference() {
        // Twice as slow from the middle on; the second takes 3 % longer, the third was given up early.
        let speed = |round: i32| if round < 20 { 1.0 } else { 2.0 };
        let samples = |time: f64, rounds: i32| (0..rounds).map(|round| time * speed(round)).collect();
        let tried = [
            Times { samples: samples(1.0, 41), is_hopeless: false },
            Times { samples: samples(1.03, 41), is_hopeless: false },
            Times { samples: samples(1.5, 10), is_hopeless: true },
        ];
        let medians: Vec<f64> = beside_the_best(&tried).iter().map(|it| it.unwrap().median).collect();
        let ratios: Vec<f64> = medians.iter().map(|it| (it / medians[0] * 1e6).round() / 1e6).collect();
        assert_eq!(ratios, [1.0, 1.03, 1.5]);
        let interval = beside_the_best(&tried)[1].unwrap().interval.unwrap();
        assert!(interval.1 - interval.0 < 1e-9);
        assert!(beside_the_best(&[Times::default()])[0].is_none());
    }
}
