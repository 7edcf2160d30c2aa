//! Statistics of times that programs have measured. tinytc has no counterpart.

use super::arg::{Out, array};
use super::call::call;
use super::last_error::refuse;
use super::types::*;
use crate::statistics::Summary;
use crate::status::Status;

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
            return Err(refuse(
                Status::InvalidArguments,
                format!("seconds[{place}] is {time}, which is no time"),
            ));
        }
        let none = || refuse(Status::InvalidArguments, "there is no time to sum up");
        let found = Summary::of(seconds.iter().copied()).ok_or_else(none)?;
        let (lower, upper) = found.interval.unwrap_or((0.0, f64::INFINITY));
        out.set(tiletc_bench_summary {
            median: found.median,
            lower,
            upper,
            minimum: found.min,
            deviation: found.deviation,
            spread: found.spread,
            precise: found.is_precise().into(),
        });
        Ok(())
    })
}

fn is_time(seconds: f64) -> bool {
    seconds.is_finite() && seconds >= 0.0
}
