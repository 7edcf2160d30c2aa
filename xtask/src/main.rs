//! The project's chores as one program: `cargo xtask <command>`.
#![forbid(unsafe_code)]

mod apt;
mod bench;
mod bindings;
mod by_hand;
mod cpp;
mod demo;
mod docs;
mod example;
mod functors;
mod fuzz;
mod headers;
mod igc;
mod isa;
mod machines;
mod paths;
mod process;
mod prototypes;
mod provision;
mod races;
mod random_calls;
mod sanitized;
mod soak;
mod test;
mod threads;
mod tinytc;
mod toolchain;
mod virtual_gpu;
mod wheel;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use paths::Paths;

/// The chores of tiletc. Each command brings what it needs into the target folder.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Build everything and run the fused matrix chain from a SYCL program, in both precisions
    Demo(demo::Options),
    /// Build one of the programs in cpp-examples and run it
    Example(example::Options),
    /// Run every test there is, and print a table of the results
    Test(test::Options),
    /// Try what depends on the machine on fresh ones, each a root file system of Debian, and print a table
    Machines(machines::Options),
    /// Run the test of many threads under ThreadSanitizer, which takes some minutes to build
    Races,
    /// Run long random tests, each for some minutes, and fail if one of them finds something
    #[command(after_help = soak::list())]
    Soak(soak::Options),
    /// Run the fuzz targets, and print what they reach and find
    Fuzz(fuzz::Options),
    /// Measure compile times, what the cache saves, or the recipes, beside the OpenCL driver or Intel MKL
    Bench(bench::Options),
    /// Compile a kernel with Intel's offline compiler, and print statistics of the GPU's instructions
    Isa(isa::Options),
    /// Build the manual, and the reference of the C and C++ interfaces, into the target folder
    Docs {
        /// Build the reference only
        #[arg(long)]
        reference: bool,
    },
    /// Write the C headers that come from the Rust sources
    Headers {
        /// Change nothing; fail if a header is out of date
        #[arg(long)]
        check: bool,
    },
    /// Renew the Level Zero bindings of level-zero-sys
    Bindings,
    /// Print the shell commands that make programs find libtiletc and the runtimes
    Env,
}

fn main() -> ExitCode {
    match perform(Arguments::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn perform(chore: Chore) -> Result<ExitCode> {
    let done = |()| ExitCode::SUCCESS;
    match chore {
        Chore::Demo(options) => demo::run(&Paths::find()?, &options),
        Chore::Example(options) => example::run(&Paths::find()?, &options),
        Chore::Test(options) => test::run(&Paths::find()?, &options),
        Chore::Machines(options) => machines::run(&Paths::find()?, &options),
        Chore::Races => races::run(&Paths::find()?, &races::MANY).map(done),
        Chore::Soak(options) => soak::run(&Paths::find()?, &options),
        Chore::Fuzz(options) => fuzz::run(&Paths::find()?, &options),
        Chore::Bench(options) => bench::run(&Paths::find()?, &options),
        Chore::Isa(options) => isa::run(&Paths::find()?, &options).map(done),
        Chore::Docs { reference: false } => docs::build(&Paths::find()?).map(done),
        Chore::Docs { reference: true } => {
            println!("{}", docs::reference(&Paths::find()?)?.display());
            Ok(ExitCode::SUCCESS)
        }
        Chore::Headers { check } => write_headers(check).map(done),
        Chore::Bindings => {
            let file = bindings::renew(&Paths::find()?)?;
            println!("wrote {}", file.display());
            Ok(ExitCode::SUCCESS)
        }
        Chore::Env => toolchain::print_environment(&Paths::find()?).map(done),
    }
}

/// Writes every header that comes from the Rust sources, or checks that it is up to date.
pub fn write_headers(check: bool) -> Result<()> {
    headers::write(check)?;
    tinytc::write(check)
}
