//! Fuzz targets: functions that any bytes are given to, and that panic if something does not hold that must.
//!
//! Each is used twice: as a program of libFuzzer (`targets/`), and by the test that replays the corpus. The fuzzer
//! finds new inputs, the test keeps what it found.
//!
//! | target | bytes | what must hold |
//! | --- | --- | --- |
//! | [`round_trip`] | a text | what is printed is the same program |
//! | [`compilation`] | a text | every pass and the compiler give a valid program or module, or an error that says why |
//! | [`programs`] | decisions of a generator | well-typed programs compile, and compute what a reference says |
//! | [`spirv`] | a module | virtual-xe refuses it, or executes it within its budget |
//! | [`cache_entry`] | a file of the kernel cache | a driver is given what was kept, or nothing |
//! | [`native_binary`] | a binary for a driver | it is refused, or can be built |
//! | [`npy`] | an array in a file | `tiletc run` refuses it, or writes the same array again |
//!
//! While fuzzing (`--cfg fuzzing`) modules are not validated by spirv-val, which is slower than all the rest together;
//! the replay does.
#![deny(unsafe_code)]

pub mod cache_entry;
pub mod compilation;
pub mod dictionary;
pub mod native_binary;
pub mod npy;
pub mod programs;
pub mod round_trip;
pub mod spirv;

mod arrays;
mod common;
mod generator;
mod instructions;
mod mutator;
mod refusal;
mod structure;
mod tokens;
mod valid;

// Shared files name each other from the root of their crate.
use generator::*;
use std::io::Write as _;
use std::process::ExitCode;

pub use mutator::{Mutator, Random};

/// A fuzz target.
pub struct Target {
    /// The name of its program and of the folder of its corpus.
    pub name: &'static str,
    /// Panics if something does not hold for the bytes.
    pub run: fn(&[u8]),
    /// Changes bytes so that they stay what the target reads, if the fuzzer's own mutations seldom do that.
    pub mutator: Option<Mutator>,
}

/// All of them.
pub const TARGETS: &[Target] = &[
    round_trip::TARGET,
    compilation::TARGET,
    programs::TARGET,
    spirv::TARGET,
    cache_entry::TARGET,
    native_binary::TARGET,
    npy::TARGET,
];

/// Main function of a target that was built without the fuzzer.
pub fn refuse_to_run() -> ExitCode {
    let message = "this was built without the fuzzer; use `cargo xtask fuzz` or `cargo fuzz run`";
    // Nobody is left to hear that standard error is closed.
    let _ = writeln!(std::io::stderr(), "{message}");
    ExitCode::FAILURE
}

/// The program of a target.
#[macro_export]
macro_rules! program {
    ($target:expr) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|data: &[u8]| ($target.run)(data));

        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            $target.mutate(data, size, max_size, seed, libfuzzer_sys::fuzzer_mutate)
        });

        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_crossover!(|data1: &[u8], data2: &[u8], out: &mut [u8], seed: u32| {
            $target.cross(data1, data2, out, seed)
        });

        #[cfg(not(fuzzing))]
        fn main() -> std::process::ExitCode {
            $crate::refuse_to_run()
        }
    };
}
