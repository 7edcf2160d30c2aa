//! Times of kernels in programs. tinytc has no counterpart.

use super::arg::{Out, array};
use super::call::{Outcome, call, outcome};
use super::last_error::refuse;
use super::types::*;
use crate::statistics::{Measured, Purpose, Summary, Until, measure};
use crate::status::Status;
use std::ffi::c_void;
use std::time::Duration;

/// Sums up the times of `count` launches of a kernel, in seconds and in any order, for example those between the timestamps of
/// their events. The statistics are those of `tiletc bench`: ranks, that is, which single outliers do not change. More launches are
/// of use until `precise` is 1.
///
/// `invalid_arguments` without a time, or if one is negative or not finite.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_bench_summarize(
    count: usize,
    seconds: *const f64,
    summary: *mut tiletc_bench_summary_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or a place for the result.
        let out = unsafe { Out::new(summary)? };
        // SAFETY: the caller passes as many times.
        let seconds = unsafe { array(seconds, count)? };
        if let Some((place, time)) = seconds.iter().enumerate().find(|(_, time)| !is_time(**time)) {
            return Err(no_time(&format!("seconds[{place}]"), *time));
        }
        let none = || refuse(Status::InvalidArguments, "there is no time to sum up");
        out.set(Summary::of(seconds.iter().copied()).ok_or_else(none)?.into());
        Ok(())
    })
}

/// Measures how long a launch of a kernel takes, as `tiletc bench` does: warms the device up, puts as many launches into a sample as take `sample` seconds
/// together, and takes samples until the 95 % interval of the median is within 1 % or `budget` seconds are over; there is one at least. How
/// launches are made and timed is the program's; 1 % of 10 µs is more than the clock of a device needs, of 1 ms more than that of the host does. 0
/// for `sample` makes each launch a sample.
///
/// `samples` and `launches` are optional: the number of samples, and the launches of each. `invalid_arguments` if a number of seconds is
/// negative or not finite, among them those that `launch` stores; else what `launch` returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_bench(
    summary: *mut tiletc_bench_summary_t,
    samples: *mut usize,
    launches: *mut usize,
    launch: tiletc_bench_launch_t,
    user_data: *mut c_void,
    sample: f64,
    budget: f64,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or a place for the result.
        let out = unsafe { Out::new(summary)? };
        let launch = launch.ok_or(Status::InvalidArguments)?;
        let time = |name: &str, seconds: f64| match Duration::try_from_secs_f64(seconds) {
            Ok(time) => Ok(time),
            Err(_) => Err(no_time(name, seconds)),
        };
        let until = Until { sample: time("sample", sample)?.as_secs_f64(), budget: time("budget", budget)? };
        let measured = measure(until, |count, purpose| -> Outcome<f64> {
            let mut seconds = f64::NAN;
            let is_sample = (purpose == Purpose::Sample).into();
            // SAFETY: the user gave us a function of this signature and its last argument.
            outcome(unsafe { launch(&raw mut seconds, count, is_sample, user_data) })?;
            if is_time(seconds) {
                Ok(seconds)
            } else {
                Err(no_time("what the launch function stored", seconds))
            }
        });
        let Measured { times, launches: of_sample } = measured?;
        out.set(times.into());
        for (place, number) in [(samples, times.samples), (launches, of_sample)] {
            // SAFETY: the caller passes NULL or a place for the number.
            if let Ok(place) = unsafe { Out::new(place) } {
                place.set(number);
            }
        }
        Ok(())
    })
}

impl From<Summary> for tiletc_bench_summary {
    fn from(found: Summary) -> tiletc_bench_summary {
        let (lower, upper) = found.interval.unwrap_or((0.0, f64::INFINITY));
        tiletc_bench_summary {
            median: found.median,
            lower,
            upper,
            minimum: found.min,
            deviation: found.deviation,
            spread: found.spread,
            precise: found.is_precise().into(),
        }
    }
}

fn is_time(seconds: f64) -> bool {
    seconds.is_finite() && seconds >= 0.0
}

fn no_time(what: &str, seconds: f64) -> Status {
    refuse(Status::InvalidArguments, format!("{what} is {seconds}, which is no time"))
}
