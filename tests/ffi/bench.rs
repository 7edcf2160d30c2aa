//! Statistics of times: what they are is tested beside their module, here what C gets, and what is refused.

use super::*;
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
