//! Times of kernels by the clock of the device.

use super::upkeep::Upkeep;
use crate::common::Failure;
use crate::launch::{Arguments, Prepared, invalid};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tiletc::runtime::{Event, Memory, Session, Timestamps};
use tiletc::statistics::{self, BATCH, ENOUGH, Summary, drift, median, sorted};

/// A device whose launches have times.
pub trait Clocked: Session<Event: Event<Profile = Option<Timestamps>>> {}
impl<S: Session<Event: Event<Profile = Option<Timestamps>>>> Clocked for S {}

/// The reason why a launch without work-groups has no times.
pub const NO_GROUPS: &str = "a launch of no work-groups takes no time; give larger arguments";

/// Makes sure that a launch has times.
///
/// # Errors
/// If it has no work-groups, or the device has no clock.
pub fn check_clock(times: Option<Timestamps>) -> Result<(), Failure> {
    let Some(Timestamps { start, end }) = times else {
        return Err(invalid(NO_GROUPS.to_owned()));
    };
    if start == 0 && end == 0 {
        let message =
            "the device has no timestamps, without which no kernel is timed; choose another with -d";
        return Err(Failure::usage(message));
    }
    Ok(())
}

/// State of the caches when a launch begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Other data are in them.
    Cold,
    /// The data of the launch before are in them.
    Hot,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Mode::Cold => "cold",
            Mode::Hot => "hot",
        })
    }
}

/// Share of the median over which the middle half of all samples may spread before it is said.
const SPREAD: f64 = 0.1;
/// Share by which the last third of the samples may be slower than the first before it is said.
const DRIFT: f64 = 0.05;
/// Kernels that are shorter, in seconds, are about as long as the steps of clocks and the start of a work-group.
const SHORT: f64 = 2e-6;

/// Times of a launch in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// From the start of the first work-group to the end of the last, by the clock of the device.
    pub kernel: f64,
    /// From the call to the return of the wait, by the clock of the host.
    pub wall: f64,
}

/// Times of a kernel in seconds.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// Statistics of the samples.
    pub times: Summary,
    /// Median of what a launch takes besides the kernel.
    pub latency: f64,
    /// Doubts about the figures.
    pub notes: Vec<String>,
}

impl Measurement {
    /// The statistics of samples in the order in which they were taken; `None` of no samples.
    pub fn of(samples: &[Sample]) -> Option<Measurement> {
        let in_order: Vec<f64> = samples.iter().map(|sample| sample.kernel).collect();
        let times = Summary::of(in_order.iter().copied())?;
        let latency = sorted(samples.iter().map(|sample| (sample.wall - sample.kernel).max(0.0)));
        let mut notes = Vec::new();
        if times.spread > SPREAD {
            notes.push(format!("spread {:.0} %", 100.0 * times.spread));
        }
        if let Some(drift) = drift(&in_order).filter(|drift| *drift > DRIFT) {
            notes.push(format!(
                "became {:.0} % slower while it was measured: throttled or disturbed",
                100.0 * drift
            ));
        }
        if times.median < SHORT {
            notes.push("about as short as the steps of a clock".to_owned());
        }
        Some(Measurement { times, latency: median(&latency)?, notes })
    }
}

/// The order in which all take their turns in a round: each begins once, and every other round goes the opposite way.
pub fn turns<T>(mut all: Vec<T>, round: usize) -> Vec<T> {
    let first = (round / 2).checked_rem(all.len()).unwrap_or(0);
    all.rotate_left(first);
    if round % 2 == 1 {
        all.reverse();
    }
    all
}

/// A kernel whose launches are timed, with its arguments.
pub struct Subject<S: Session> {
    /// The kernel.
    pub prepared: Prepared<S>,
    /// Its arguments.
    pub arguments: Arguments,
    /// Copies of the buffers that it changes, from before the first launch, by their number.
    saved: Vec<(usize, Arc<Memory<u8>>)>,
}

impl<S: Session> Subject<S> {
    /// Takes turns with the memory of another kernel if that is given the same: at other addresses the same kernel takes some per cent more or less.
    pub fn take_turns_with(&mut self, other: &mut Subject<S>) {
        if !self.arguments.are_given_as(&other.arguments) {
            return;
        }
        for (place, memory) in &self.saved {
            if !other.saved.iter().any(|(saved, _)| saved == place) {
                other.saved.push((*place, Arc::clone(memory)));
            }
        }
        self.arguments.clone_from(&other.arguments);
        self.saved.clone_from(&other.saved);
    }
}

/// Times launches on a device.
pub struct Timer<'a, S: Session> {
    device: &'a S,
    upkeep: Upkeep<S>,
}

impl<'a, S: Clocked> Timer<'a, S> {
    /// A timer for a device with a last-level cache of so many bytes.
    pub fn new(device: &'a S, cache_bytes: u64) -> Result<Timer<'a, S>, Failure> {
        Ok(Timer { device, upkeep: Upkeep::new(device, cache_bytes)? })
    }

    /// Launches a kernel once and looks what it changes, so that launches that are timed find the same numbers.
    ///
    /// # Errors
    /// If the launch fails, has no work-groups, or the device has no clock.
    pub fn subject(
        &mut self,
        mut prepared: Prepared<S>,
        arguments: Arguments,
    ) -> Result<Subject<S>, Failure> {
        let images: Vec<(usize, Vec<u8>)> =
            arguments.buffers_of(&prepared.written).map(|(place, buffer)| (place, buffer.to_vec())).collect();
        check_clock(prepared.run(self.device, &arguments)?)?;
        let after = arguments.buffers_of(&prepared.written);
        let changed = images.iter().zip(after).filter(|((_, before), (_, after))| ***after != **before);
        let save = |((place, before), _): (&(usize, Vec<u8>), _)| {
            Ok((*place, Arc::new(self.device.memory(before).map_err(crate::launch::failed)?)))
        };
        let saved = changed.map(save).collect::<Result<_, Failure>>()?;
        Ok(Subject { prepared, arguments, saved })
    }

    /// Launches a kernel until two successive batches take the same time, or 200 ms.
    pub fn warm_up(&mut self, subject: &mut Subject<S>) -> Result<(), Failure> {
        statistics::warm_up(|| {
            let mut samples = Vec::new();
            self.sample(subject, Mode::Hot, &mut samples)?;
            Ok(median(&sorted(samples.iter().map(|sample| sample.kernel))))
        })
    }

    /// Takes samples: one with cold caches, or a batch with hot ones.
    pub fn sample(
        &mut self,
        subject: &mut Subject<S>,
        mode: Mode,
        samples: &mut Vec<Sample>,
    ) -> Result<(), Failure> {
        let Subject { prepared, arguments, saved } = subject;
        for (place, memory) in saved.iter() {
            if let Some(target) = arguments.buffers().nth(*place) {
                self.upkeep.copy(self.device, memory, target)?;
            }
        }
        let count = match mode {
            Mode::Cold => {
                self.upkeep.overwrite_cache(self.device)?;
                1
            }
            Mode::Hot => {
                prepared.run(self.device, arguments)?;
                BATCH
            }
        };
        for _ in 0..count {
            let start = Instant::now();
            let times = prepared.run(self.device, arguments)?;
            let wall = start.elapsed().as_secs_f64();
            let kernel = times.map_or(0.0, |times| times.duration().as_secs_f64());
            samples.push(Sample { kernel, wall });
        }
        Ok(())
    }

    /// Times kernels in rounds, all of them in [`turns`], until the 95 % interval of each
    /// median is within 1 % or so much time has passed. Each has one sample at least.
    pub fn measure(
        &mut self,
        subjects: &mut [Subject<S>],
        mode: Mode,
        budget: Duration,
    ) -> Result<Vec<Measurement>, Failure> {
        for subject in subjects.iter_mut() {
            self.warm_up(subject)?;
        }
        if mode == Mode::Cold {
            // Its memory is allocated here, which is no part of the budget.
            self.upkeep.overwrite_cache(self.device)?;
        }
        let start = Instant::now();
        let mut samples: Vec<Vec<Sample>> = subjects.iter().map(|_| Vec::new()).collect();
        let mut is_precise = false;
        let (mut round, mut look) = (0, ENOUGH);
        while !is_precise {
            for (subject, samples) in turns(subjects.iter_mut().zip(&mut samples).collect(), round) {
                self.sample(subject, mode, samples)?;
            }
            round += 1;
            if start.elapsed() >= budget {
                break;
            }
            let count = samples.iter().map(Vec::len).min().unwrap_or(0);
            if count >= look {
                is_precise = samples.iter().all(|samples| {
                    Measurement::of(samples).is_some_and(|measurement| measurement.times.is_precise())
                });
                // To sort all of them after each round would take longer than to measure.
                look = count + count / 8;
            }
        }
        Ok(samples.iter().filter_map(|samples| Measurement::of(samples)).map(noted).collect())
    }
}

/// A measurement with the note that it is not precise, if that is so.
fn noted(mut measurement: Measurement) -> Measurement {
    if !measurement.times.is_precise() {
        let precision = measurement.times.precision().filter(|_| measurement.times.samples >= ENOUGH);
        let note = match precision {
            Some(precision) => format!("±{:.1} % at the end of the budget", 100.0 * precision),
            None if measurement.times.samples == 1 => "one sample at the end of the budget".to_owned(),
            None => format!("{} samples at the end of the budget", measurement.times.samples),
        };
        measurement.notes.push(note);
    }
    measurement
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn measured(times: &[f64]) -> Measurement {
        let sample = |&kernel: &f64| Sample { kernel, wall: kernel + 5e-6 };
        Measurement::of(&times.iter().map(sample).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn rounds_begin_with_each_and_go_both_ways() {
        let order = |round| turns(vec![1, 2, 3], round);
        assert_eq!([order(0), order(1), order(2), order(3)], [[1, 2, 3], [3, 2, 1], [2, 3, 1], [1, 3, 2]]);
        assert_eq!([order(4), order(6)], [[3, 1, 2], [1, 2, 3]]);
        assert!(turns(Vec::<u8>::new(), 5).is_empty());
    }

    #[test]
    fn steady_times_have_no_notes() {
        let found = measured(&[1e-3; 30]);
        assert_eq!(
            (found.times.median, found.times.min, found.times.deviation, found.times.spread),
            (1e-3, 1e-3, 0.0, 0.0)
        );
        assert_eq!(
            (found.times.samples, found.times.interval, found.times.precision()),
            (30, Some((1e-3, 1e-3)), Some(0.0))
        );
        assert!((found.latency - 5e-6).abs() < 1e-12 && found.notes.is_empty() && found.times.is_precise());
        assert!(noted(found).notes.is_empty());
        assert!(Measurement::of(&[]).is_none());
    }

    #[test]
    fn doubts_are_said() {
        let wide: Vec<f64> = (0..42u8).map(|place| 1e-3 * if place % 2 == 0 { 1.0 } else { 1.5 }).collect();
        let found = noted(measured(&wide));
        assert_eq!(found.notes, ["spread 40 %", "±20.0 % at the end of the budget"]);
        let slower: Vec<f64> = (0..30u8).map(|place| if place < 15 { 1e-3 } else { 1.06e-3 }).collect();
        let found = measured(&slower);
        assert_eq!(found.notes, ["became 6 % slower while it was measured: throttled or disturbed"]);
        for few in [&[1e-3; 5][..], &[1e-3; 19]] {
            let note = format!("{} samples at the end of the budget", few.len());
            assert_eq!(noted(measured(few)).notes, [note]);
        }
        assert_eq!(measured(&[1e-6; 30]).notes, ["about as short as the steps of a clock"]);
        // Outliers alone are no reason.
        let outliers: Vec<f64> = (0..40u8).map(|place| if place % 10 == 0 { 1.0 } else { 1e-3 }).collect();
        assert_eq!((measured(&outliers).times.median, measured(&outliers).notes.len()), (1e-3, 0));
    }
}
