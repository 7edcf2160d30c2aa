//! Random well-typed programs, made with the builder, and what must hold of all of them.
//!
//! The programs follow from a seed, so every run tries the same ones. `TILETC_PROGRAMS` is how many each property gets
//! (and a fifth of them run on an OpenCL device besides virtual-xe, if there is one), 100 if it is not set;
//! `TILETC_SEED` is the seed. A program that breaks a property is made as small as possible before it is shown.
//!
//! What programs compute is judged by a [`reference`], floats within bounds that are derived there, and by another
//! run of the same program: on another device, at another level, in a work-group of another shape.
#![allow(
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss
)]

mod anything;
mod choices;
mod content;
mod control;
#[path = "../conformance/device.rs"]
#[allow(dead_code, reason = "the conformance suite's own needs")]
mod device;
mod generate;
mod linalg;
mod matrices;
mod parameters;
mod planted;
mod properties;
mod reference;
mod run;
mod scalars;
mod scope;
mod views;

use device::Device;
use generate::Kind;
use libtest_mimic::{Arguments, Completion, Failed, Trial};
use properties::Wrong;
use proptest::collection::vec;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use run::Outcome;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tiletc::ir::{TABLE, WITHOUT_TOKEN};

/// Programs tried so far, by property and in the order of [`main`]'s, and those that ran.
static TRIED: AtomicUsize = AtomicUsize::new(0);
static RAN: AtomicUsize = AtomicUsize::new(0);

/// A number from the environment.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Tries a property on so many programs.
fn check(name: &str, programs: u64, property: impl Fn(&[u32]) -> Result<(), Wrong>) -> Result<(), Failed> {
    /// Decisions that a program takes at most.
    const MOST_CHOICES: usize = 300;
    /// Divisible by every small number, so that all options are equally likely.
    const RANGE: u32 = 27_720;
    let config = Config {
        cases: u32::try_from(programs).unwrap_or(u32::MAX),
        max_shrink_iters: 20_000,
        max_shrink_time: 120_000,
        failure_persistence: None,
        ..Config::default()
    };
    let mut seed = [0u8; 32];
    seed[..8].copy_from_slice(&setting("TILETC_SEED", 0).to_le_bytes());
    seed[8..].iter_mut().zip(name.bytes()).for_each(|(seed, byte)| *seed = byte);
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let tried = AtomicUsize::new(0);
    let outcome = runner.run(&vec(0..RANGE, 0..MOST_CHOICES), |numbers| {
        tried.fetch_add(1, Ordering::Relaxed);
        property(&numbers).map_err(TestCaseError::fail)
    });
    TRIED.fetch_add(tried.load(Ordering::Relaxed), Ordering::Relaxed);
    match outcome {
        Ok(()) => Ok(()),
        Err(TestError::Fail(reason, numbers)) => {
            Err(format!("{}\nmade by {numbers:?}", reason.message()).into())
        }
        Err(TestError::Abort(reason)) => Err(reason.message().to_owned().into()),
    }
}

/// The programs have every instruction of the language in them.
fn complete() -> Result<(), Failed> {
    let mut seen = BTreeMap::new();
    for kind in Kind::ALL {
        let seen = RefCell::new(&mut seen);
        check("complete", 2000, |numbers| properties::note_mnemonics(numbers, kind, &mut seen.borrow_mut()))?;
    }
    let words = TABLE.iter().flat_map(|info| info.mnemonics()).filter(|word| !WITHOUT_TOKEN.contains(word));
    let missing: Vec<&str> = words.copied().filter(|word| !seen.contains_key(word)).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("never made: {missing:?}; made: {seen:?}").into()) }
}

type Property = fn(&[u32], Kind) -> Result<(), Wrong>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let programs = setting("TILETC_PROGRAMS", 100);
    let properties: [(&str, Property); 4] = [
        ("round_trip", properties::round_trip),
        ("verified", properties::verified),
        ("idempotent", properties::idempotent),
        ("compiled", properties::compiled),
    ];
    let mut trials = vec![Trial::test("complete", complete)];
    for (name, property) in properties {
        for kind in Kind::ALL {
            let name = format!("{name}::{kind:?}").to_lowercase();
            let label = name.clone();
            trials
                .push(Trial::test(name, move || check(&label, programs, |numbers| property(numbers, kind))));
        }
    }
    // A driver takes most of its time to build them, so that fewer run there.
    for (name, names, programs) in [
        ("results_on_virtual_xe", &["virtual:pvc"][..], programs),
        ("results_on_both", &["opencl", "virtual:pvc"], programs / 5),
    ] {
        let open = || names.iter().map(|name| Device::open(name)).collect::<Result<Vec<Device>, String>>();
        let devices = if arguments.list { Err("not run".to_owned()) } else { open() };
        let devices = Arc::new(devices);
        for kind in [Kind::Exact, Kind::Rounded] {
            let devices = devices.clone();
            let name = format!("{name}::{kind:?}").to_lowercase();
            let label = name.clone();
            trials.push(Trial::ignorable_test(name, move || match &*devices {
                Err(reason) => Ok(Completion::ignored_with(format!("SKIPPED: {reason}"))),
                Ok(devices) => {
                    check(&label, programs, |numbers| {
                        if let Outcome::Equal = run::equal_results(devices, numbers, kind)? {
                            RAN.fetch_add(1, Ordering::Relaxed);
                        }
                        Ok(())
                    })?;
                    Ok(Completion::Completed)
                }
            }));
        }
    }
    trials.push(Trial::test("planted_faults_are_found", || {
        planted::faults_are_found(&Device::open("virtual:pvc")?)
    }));
    let conclusion = libtest_mimic::run(&arguments, trials);
    if !arguments.list {
        let (tried, ran) = (TRIED.load(Ordering::Relaxed), RAN.load(Ordering::Relaxed));
        println!(
            "random programs: {tried} tried, {programs} for each property; {ran} of them run on a device"
        );
        let [compared, within, unknown, given_up] =
            [&run::COMPARED, &run::WITHIN, &run::UNKNOWN, &run::GIVEN_UP]
                .map(|counter| counter.load(Ordering::Relaxed));
        println!(
            "elements: {compared} exact, {within} within a bound, {unknown} of which the reference says nothing; it \
             gave up {given_up} programs"
        );
        let largest = f64::from_bits(run::LARGEST.load(Ordering::Relaxed));
        println!("the largest error is {largest:.2} of its bound\n");
    }
    conclusion.exit_code()
}
