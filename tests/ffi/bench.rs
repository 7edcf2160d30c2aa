//! Times of launches and their statistics: what they are is tested beside their modules, here what C gets, and what is refused.

use super::*;
use std::ffi::c_void;
use std::ptr::null;
use tiletc::ffi::bench::*;
use tiletc::ffi::last_error::tiletc_get_error_message;

fn summarized(seconds: &[f64]) -> tiletc_bench_summary_t {
    let mut summary = tiletc_bench_summary_t::default();
    ok(unsafe { tiletc_bench_summarize(seconds.len(), seconds.as_ptr(), &raw mut summary) });
    summary
}

#[test]
fn times_are_summed_up_by_their_ranks() {
    // 20, 19, …, 1: the interval of twenty is from the sixth to the fifteenth.
    let backwards: Vec<f64> = (1..=20).rev().map(f64::from).collect();
    let found = summarized(&backwards);
    let expected = tiletc_bench_summary_t {
        median: 10.5,
        lower: 6.0,
        upper: 15.0,
        minimum: 1.0,
        deviation: 5.0,
        spread: 9.5 / 10.5,
        precise: 0,
    };
    assert_eq!(found, expected);
    let steady = [1e-3; 20];
    let found = summarized(&steady);
    assert_eq!((found.median, found.lower, found.upper, found.precise), (1e-3, 1e-3, 1e-3, 1));
    // An interval that is narrow by chance is none.
    assert_eq!(summarized(&steady[..19]).precise, 0);
    let found = summarized(&steady[..5]);
    assert_eq!((found.median, found.lower, found.upper), (1e-3, 0.0, f64::INFINITY));
    // 1 % is still precise, 2 % is not.
    let around = |share: f64| {
        let times: Vec<f64> = (0..21).map(|place| 1.0 + f64::from((place % 3) - 1) * share).collect();
        summarized(&times).precise
    };
    assert_eq!((around(0.0099), around(0.02)), (1, 0));
}

#[test]
fn what_is_no_time_is_refused() {
    let mut summary = tiletc_bench_summary_t { median: 7.0, ..Default::default() };
    let out = &raw mut summary;
    for wrong in [-1e-9, f64::NAN, f64::INFINITY] {
        let times = [1.0, wrong];
        refused(unsafe { tiletc_bench_summarize(2, times.as_ptr(), out) });
        let message = tiletc_get_error_message(Status::InvalidArguments.code());
        let message = unsafe { CStr::from_ptr(message) }.to_str().unwrap();
        assert_eq!(message, format!("seconds[1] is {wrong}, which is no time"));
    }
    let times = [1.0];
    unsafe {
        refused(tiletc_bench_summarize(0, times.as_ptr(), out));
        refused(tiletc_bench_summarize(1, null(), out));
        refused(tiletc_bench_summarize(1, times.as_ptr(), null_mut()));
    }
    assert_eq!(summary.median, 7.0, "a call that fails stores nothing");
}

/// Launches that take as long as one says; the number of those that were samples.
struct Clock {
    seconds: f64,
    answer: tiletc_status_t,
    samples: Vec<usize>,
}

unsafe extern "C" fn launch(
    seconds: *mut f64,
    launches: usize,
    is_sample: tiletc_bool_t,
    user_data: *mut c_void,
) -> tiletc_status_t {
    let clock = unsafe { &mut *user_data.cast::<Clock>() };
    if is_sample != 0 {
        clock.samples.push(launches);
    }
    unsafe { seconds.write(clock.seconds) };
    clock.answer
}

#[test]
fn launches_are_timed_until_their_median_is_known() {
    let mut clock = Clock { seconds: 3e-6, answer: 0, samples: Vec::new() };
    let mut summary = tiletc_bench_summary_t::default();
    let (mut samples, mut launches) = (0, 0);
    let data = (&raw mut clock).cast();
    let (out, count, each) = (&raw mut summary, &raw mut samples, &raw mut launches);
    ok(unsafe { tiletc_bench(out, count, each, Some(launch), data, 1e-5, 5.0) });
    assert_eq!((summary.median, summary.precise, samples, launches), (3e-6, 1, 20, 4));
    assert_eq!(clock.samples, [4; 20]);
    // Both numbers are optional; a budget that is over leaves one sample.
    ok(unsafe { tiletc_bench(out, null_mut(), null_mut(), Some(launch), data, 0.0, 0.0) });
    assert_eq!((summary.precise, summary.upper), (0, f64::INFINITY));
    assert_eq!(clock.samples[20..], [1]);
}

#[test]
fn launches_that_fail_or_have_no_time_are_refused() {
    let run = |launch: tiletc_bench_launch_t, seconds, answer, sample, budget| {
        let mut clock = Clock { seconds, answer, samples: Vec::new() };
        let mut summary = tiletc_bench_summary_t { median: 7.0, ..Default::default() };
        let data = (&raw mut clock).cast();
        let out = &raw mut summary;
        let code = unsafe { tiletc_bench(out, null_mut(), null_mut(), launch, data, sample, budget) };
        assert_eq!(summary.median, 7.0, "a call that fails stores nothing");
        let message = unsafe { CStr::from_ptr(tiletc_get_error_message(code)) };
        (Status::from_code(code).unwrap(), message.to_str().unwrap().to_owned())
    };
    let (code, _) = run(None, 1.0, 0, 0.0, 1.0);
    assert_eq!(code, Status::InvalidArguments);
    let (code, message) = run(Some(launch), -1.0, 0, 0.0, 1.0);
    assert_eq!(code, Status::InvalidArguments);
    assert_eq!(message, "what the launch function stored is -1, which is no time");
    for (sample, budget, what) in [(f64::NAN, 1.0, "sample is NaN"), (0.0, -2.0, "budget is -2")] {
        let (code, message) = run(Some(launch), 1.0, 0, sample, budget);
        assert_eq!((code, message), (Status::InvalidArguments, format!("{what}, which is no time")));
    }
    // What the program's function returns is what the call returns.
    let (code, _) = run(Some(launch), 1.0, Status::ComputeRuntimeError.code(), 0.0, 1.0);
    assert_eq!(code, Status::ComputeRuntimeError);
    refused(unsafe { tiletc_bench(null_mut(), null_mut(), null_mut(), Some(launch), null_mut(), 0.0, 1.0) });
}
