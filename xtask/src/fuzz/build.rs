//! Building the targets.
//!
//! The fuzzer has to see which code an input reaches and what comparisons it fails, so everything is compiled with
//! counters. Stable Rust can do that if it is told to take unstable options.

use std::path::PathBuf;

use anyhow::Result;

use crate::paths::Paths;
use crate::process;
use crate::sanitized;

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Flags that `cargo fuzz` hands to rustc, too.
const FLAGS: &[&str] = &[
    "--cfg fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
];

/// Folder in which targets are built, and what they find is kept.
pub fn folder(paths: &Paths) -> PathBuf {
    paths.target.join("fuzz")
}

/// The program of a target.
pub fn program(paths: &Paths, target: &str) -> PathBuf {
    folder(paths).join(TARGET).join("fuzz").join(target)
}

/// Builds all targets, with AddressSanitizer if Rust comes with its runtime.
pub fn build(paths: &Paths) -> Result<()> {
    let mut flags = FLAGS.join(" ");
    if sanitized::rustlib(paths)?.join(TARGET).join("lib/librustc-stable_rt.asan.a").exists() {
        flags += " -Zsanitizer=address";
    } else {
        println!("without AddressSanitizer, whose runtime is not there");
    }
    let mut cargo = paths.cargo(&["build", "--package", "tiletc-fuzz", "--bins", "--profile", "fuzz"]);
    // With a target named, what only runs while building has no counters.
    cargo.args(["--target", TARGET]).env("RUSTFLAGS", flags).env("RUSTC_BOOTSTRAP", "1");
    cargo.env("CARGO_TARGET_DIR", folder(paths));
    process::run(&mut cargo)
}
