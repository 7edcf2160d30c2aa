//! Random well-typed programs, made with the builder, and what must hold of all of them.
//!
//! The programs follow from a seed, so every run tries the same ones. `TILETC_PROGRAMS` is how many each property gets
//! (and a fifth of them run on an OpenCL device besides virtual-xe, if there is one), 100 if it is not set;
//! `TILETC_SEED` is the seed. A program that breaks a property is made as small as possible before it is shown.
//!
//! Random programs are judged by a [`reference`], floats within bounds that are derived there, and by another
//! run of the same program: on another device, at another level, in a work-group of another shape. Programs with tiles
//! keep the shape that the tiles were chosen for, and run in several work-groups, as products of batches do.
#![allow(
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss
)]

mod anything;
mod batches;
mod bounds;
mod choices;
mod content;
mod control;
#[path = "../conformance/device.rs"]
#[allow(dead_code, reason = "the conformance suite's own needs")]
mod device;
#[path = "../common/examples.rs"]
mod examples;
mod generate;
mod linalg;
mod matrices;
#[path = "../conformance/narrow.rs"]
mod narrow;
mod parameters;
mod planted;
#[path = "../conformance/process.rs"]
mod process;
mod properties;
mod reference;
mod run;
mod scalars;
mod scope;
mod tiles;
#[path = "../conformance/valid.rs"]
mod valid;
mod views;
mod worker;

use device::Device;
use generate::Kind;
use libtest_mimic::{Arguments, Completion, Failed, Trial};
use properties::Wrong;
use proptest::collection::vec;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use run::Counts;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tiletc::ir::{Family, TABLE, WITHOUT_TOKEN};
use worker::Worker;

/// Programs tried so far.
static TRIED: AtomicUsize = AtomicUsize::new(0);

/// A number from the environment.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Tries a property on so many programs.
fn check(name: &str, programs: u64, property: impl Fn(&[u32]) -> Result<(), Wrong>) -> Result<(), Failed> {
    /// Decisions that a program takes at most.
    const MAX_CHOICES: usize = 300;
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
    let outcome = runner.run(&vec(0..RANGE, 0..MAX_CHOICES), |numbers| {
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

/// The programs have every instruction of the language in them but those that the manual shows at work.
fn complete() -> Result<(), Failed> {
    let mut seen = BTreeMap::new();
    for kind in Kind::ALL {
        let seen = RefCell::new(&mut seen);
        check("complete", 2000, |numbers| properties::note_mnemonics(numbers, kind, &mut seen.borrow_mut()))?;
    }
    let words = TABLE.iter().flat_map(|info| info.mnemonics()).filter(|word| !WITHOUT_TOKEN.contains(word));
    let shown = examples::instructions_run();
    // An example has one shape of tile and one boundary.
    let is_made = |word: &str| seen.contains_key(word);
    let tiles = TABLE.iter().filter(|info| info.family == Family::Tile);
    if let Some(word) = tiles.flat_map(|info| info.mnemonics()).find(|word| !is_made(word)) {
        return Err(format!("never made: {word}; made: {seen:?}").into());
    }
    let missing: Vec<&str> =
        words.copied().filter(|word| !seen.contains_key(word) && !shown.contains(word)).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("never made: {missing:?}; made: {seen:?}").into()) }
}

type Property = fn(&[u32], Kind) -> Result<(), Wrong>;

fn main() -> ExitCode {
    if let Some(names) = worker::role() {
        return worker::serve(&names);
    }
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
            trials.push(Trial::test(name, move || {
                check(&label, kind.programs(programs), |numbers| property(numbers, kind))
            }));
        }
    }
    // A driver takes most of its time to build them, so that fewer run there.
    let counts: Arc<Mutex<Counts>> = Arc::default();
    for (name, names, programs) in [
        ("results_on_virtual_xe", "virtual:pvc,virtual:dg2", programs),
        ("results_on_both", "opencl,virtual:pvc", programs / 5),
    ] {
        // Listing the tests must not wake a driver.
        let missing = if arguments.list { None } else { worker::open(names).err() };
        for kind in [Kind::Exact, Kind::Rounded, Kind::Tiles, Kind::Batches] {
            let (missing, counts) = (missing.clone(), Arc::clone(&counts));
            let name = format!("{name}::{kind:?}").to_lowercase();
            let label = name.clone();
            trials.push(Trial::ignorable_test(name, move || {
                if let Some(reason) = missing {
                    return Ok(Completion::ignored_with(format!("SKIPPED: {reason}")));
                }
                let worker = Worker::new(names);
                check(&label, kind.programs(programs), |numbers| {
                    let of_program = worker.run(numbers, kind)?;
                    counts.lock().unwrap_or_else(PoisonError::into_inner).add(of_program);
                    Ok(())
                })?;
                Ok(Completion::Completed)
            }));
        }
    }
    trials.push(Trial::test("bounds::chains", move || {
        check("bounds", 20 * programs, bounds::chains_are_in_their_balls)
    }));
    trials.push(Trial::test("bounds::rounding", || bounds::rounding().map_err(Failed::from)));
    trials.push(Trial::test("bounds::edges", || bounds::edges().map_err(Failed::from)));
    trials.push(Trial::test("planted_faults_are_found", || {
        planted::faults_are_found(&Device::open("virtual:pvc")?)
    }));
    let conclusion = libtest_mimic::run(&arguments, trials);
    if !arguments.list {
        let tried = TRIED.load(Ordering::Relaxed);
        let Counts { ran, given_up, exact, within, unknown, largest } =
            *counts.lock().unwrap_or_else(PoisonError::into_inner);
        println!(
            "random programs: {tried} tried, {programs} for each property; {ran} of them run on a device"
        );
        println!(
            "elements: {exact} exact, {within} within a bound, {unknown} of which the reference says nothing; it gave up \
             {given_up} programs"
        );
        println!("the largest error is {largest:.2} of its bound\n");
    }
    conclusion.exit_code()
}
