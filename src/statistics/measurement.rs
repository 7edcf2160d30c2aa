//! Times of launches, taken until their median is known.

use super::{ENOUGH, Summary, median, sorted};
use std::time::{Duration, Instant};

/// Launches of a batch, by which a device becomes warm.
pub const BATCH: usize = 8;
/// Batches that follow each other agree within that share when the device is warm, and it counts as warm after that time.
const WARM: (f64, Duration) = (0.02, Duration::from_millis(200));
/// Launches of a sample at most.
const MAX_LAUNCHES: usize = 1000;

/// Purpose of launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To warm up the device, and to learn how long a launch takes.
    Preparation,
    /// To be a sample.
    Sample,
}

/// Bounds of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Until {
    /// Seconds that the launches of a sample take together at least; 0 for one launch.
    pub sample: f64,
    /// Time after which there are no more samples.
    pub budget: Duration,
}

/// Times of a launch in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Statistics of the samples.
    pub times: Summary,
    /// Launches of a sample.
    pub launches: usize,
}

/// Times launches until the 95 % interval of the median is within 1 %, or the budget ends. `launch` launches so many times, one after the other,
/// and returns the seconds of one; without an error there is a sample at least.
///
/// # Errors
/// Those of `launch`.
pub fn measure<E>(
    Until { sample, budget }: Until,
    mut launch: impl FnMut(usize, Purpose) -> Result<f64, E>,
) -> Result<Measured, E> {
    warm_up(|| {
        let times: Result<Vec<f64>, E> = (0..BATCH).map(|_| launch(1, Purpose::Preparation)).collect();
        Ok(median(&sorted(times?)))
    })?;
    let launches = launches_of(sample, |count| launch(count, Purpose::Preparation))?;
    let start = Instant::now();
    let mut times = vec![launch(launches, Purpose::Sample)?];
    let mut look = ENOUGH;
    while start.elapsed() < budget {
        times.push(launch(launches, Purpose::Sample)?);
        if times.len() >= look {
            if Summary::of(times.iter().copied()).is_some_and(|found| found.is_precise()) {
                break;
            }
            // To sort all of them after each sample would take longer than to measure.
            look += look / 8;
        }
    }
    let nothing = Summary { median: 0.0, interval: None, min: 0.0, deviation: 0.0, spread: 0.0, samples: 0 };
    Ok(Measured { times: Summary::of(times).unwrap_or(nothing), launches })
}

/// Runs batches until two that follow each other agree within 2 %, or for 200 ms. `batch` returns a time of a launch; without one it
/// is the last.
///
/// # Errors
/// Those of `batch`.
pub fn warm_up<E>(mut batch: impl FnMut() -> Result<Option<f64>, E>) -> Result<(), E> {
    let (share, most) = WARM;
    let start = Instant::now();
    let mut last: Option<f64> = None;
    while start.elapsed() < most {
        let Some(next) = batch()? else { break };
        if last.is_some_and(|last| (next - last).abs() <= share * last) {
            break;
        }
        last = Some(next);
    }
    Ok(())
}

/// Launches that take so many seconds together; `launch` returns those of one of so many.
// An estimate needs no exact number.
#[allow(clippy::cast_precision_loss)]
fn launches_of<E>(seconds: f64, mut launch: impl FnMut(usize) -> Result<f64, E>) -> Result<usize, E> {
    let mut launches = 1;
    while seconds > 0.0 && launches < MAX_LAUNCHES && launch(launches)? * (launches as f64) < seconds {
        launches = (2 * launches).min(MAX_LAUNCHES);
    }
    Ok(launches)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    const LONG: Duration = Duration::from_secs(100);

    /// The result of a measurement, the launches that prepared it, and the numbers of launches of its samples.
    fn measured(until: Until, seconds: impl Fn(usize) -> f64) -> (Measured, usize, Vec<usize>) {
        let (mut prepared, mut samples) = (0, Vec::new());
        let found: Result<_, Infallible> = measure(until, |launches, purpose| {
            match purpose {
                Purpose::Preparation => prepared += 1,
                Purpose::Sample => samples.push(launches),
            }
            Ok(seconds(samples.len()))
        });
        (found.unwrap(), prepared, samples)
    }

    #[test]
    fn steady_times_need_twenty_samples() {
        let (found, prepared, samples) = measured(Until { sample: 0.0, budget: LONG }, |_| 1e-3);
        assert_eq!((found.times.median, found.times.samples, found.launches), (1e-3, 20, 1));
        assert!(found.times.is_precise());
        // Two batches agree, and nobody asks how long a sample is.
        assert_eq!((prepared, samples), (2 * BATCH, vec![1; 20]));
    }

    #[test]
    fn samples_have_launches_enough() {
        let (found, prepared, samples) = measured(Until { sample: 1e-3, budget: LONG }, |_| 1.1e-4);
        // 1, 2, 4 and 8 launches are too short.
        assert_eq!((found.launches, prepared, samples), (16, 2 * BATCH + 5, vec![16; 20]));
        let (found, ..) = measured(Until { sample: 1.0, budget: LONG }, |_| 1e-9);
        assert_eq!(found.launches, MAX_LAUNCHES);
    }

    #[test]
    fn times_that_spread_end_with_precision_or_the_budget() {
        // Two kinds of samples, as long as there are few.
        let (found, _, samples) = measured(Until { sample: 0.0, budget: LONG }, |count| {
            if count % 2 == 0 && count < 40 { 2.0 } else { 1.0 }
        });
        assert!(samples.len() > 40 && found.times.is_precise(), "{found:?}");
        let (found, _, samples) = measured(Until { sample: 0.0, budget: Duration::ZERO }, |_| 1.0);
        assert_eq!((found.times.samples, found.times.interval, samples), (1, None, vec![1]));
    }

    #[test]
    fn a_launch_that_fails_ends_a_measurement() {
        for bad in [Purpose::Preparation, Purpose::Sample] {
            let launch = |_, purpose| if purpose == bad { Err("it failed") } else { Ok(1.0) };
            assert_eq!(measure(Until { sample: 1e-3, budget: LONG }, launch), Err("it failed"));
        }
    }
}
