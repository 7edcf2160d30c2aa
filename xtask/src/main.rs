//! The project's tasks as one program: `cargo xtask <command>`.
#![forbid(unsafe_code)]

mod bench;
mod bindings;
mod book;
mod by_hand;
mod cpp;
mod demo;
mod docs;
mod example;
mod functors;
mod fuzz;
mod grid;
mod headers;
mod igc;
mod isa;
mod licences;
mod machines;
mod notices;
mod package;
mod paths;
mod process;
mod prototypes;
mod races;
mod random_calls;
mod record;
mod sanitized;
mod soak;
mod test;
mod threads;
mod tinytc;
mod toolchain;
mod tune;
mod virtual_gpu;
mod wheel;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use paths::Paths;

/// The tasks of tiletc. Each command provisions what it needs into the target folder.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build everything and run the fused matrix chain from a SYCL program, in both precisions
    Demo(demo::Options),
    /// Build one of the programs in cpp-examples and run it
    Example(example::Options),
    /// Run every test there is, and print a table of the results
    Test(test::Options),
    /// Try what depends on the machine on fresh ones, each a root file system of Debian, and print a table
    Machines(machines::Options),
    /// Run long random tests, each for some minutes, and fail if one of them finds something
    #[command(after_help = soak::list())]
    Soak(soak::Options),
    /// Run the fuzz targets, and print what they reach and find
    Fuzz(fuzz::Options),
    /// Measure compile times, what the cache saves, or the recipes, beside the OpenCL driver or Intel MKL
    Bench(bench::Options),
    /// Compile a grid of small, narrow, odd and chained products with Intel's offline compiler, and say how near each is to the
    /// roofline
    Grid(grid::Options),
    /// Compile a kernel with Intel's offline compiler, and print statistics of the GPU's instructions
    Isa(isa::Options),
    /// Rebuild the table of what tuning has found for the kernels of the recipes, or try how good the configs are that are chosen
    Tune(tune::Options),
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
    /// Write the licences of the crates that are part of what is installed
    Notices {
        /// Change nothing; fail if the file is out of date
        #[arg(long)]
        check: bool,
    },
    /// Make the Debian package and the archive, and try them on a fresh Debian
    Package(package::Options),
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

fn perform(task: Task) -> Result<ExitCode> {
    let done = |()| ExitCode::SUCCESS;
    match task {
        Task::Demo(options) => demo::run(&Paths::find()?, &options),
        Task::Example(options) => example::run(&Paths::find()?, &options),
        Task::Test(options) => test::run(&Paths::find()?, &options),
        Task::Machines(options) => machines::run(&Paths::find()?, &options),
        Task::Soak(options) => soak::run(&Paths::find()?, &options),
        Task::Fuzz(options) => fuzz::run(&Paths::find()?, &options),
        Task::Bench(options) => bench::run(&Paths::find()?, &options),
        Task::Grid(options) => grid::run(&Paths::find()?, &options).map(done),
        Task::Isa(options) => isa::run(&Paths::find()?, &options).map(done),
        Task::Tune(options) => tune::run(&Paths::find()?, &options).map(done),
        Task::Docs { reference: false } => docs::build(&Paths::find()?).map(done),
        Task::Docs { reference: true } => {
            println!("{}", docs::reference(&Paths::find()?)?.display());
            Ok(ExitCode::SUCCESS)
        }
        Task::Headers { check } => write_headers(check).map(done),
        Task::Notices { check } => notices::write(&Paths::find()?, check).map(done),
        Task::Package(options) => package::run(&Paths::find()?, &options).map(done),
        Task::Bindings => {
            let file = bindings::renew(&Paths::find()?)?;
            println!("wrote {}", file.display());
            Ok(ExitCode::SUCCESS)
        }
        Task::Env => toolchain::print_environment(&Paths::find()?).map(done),
    }
}

/// Writes every header that comes from the Rust sources, or checks that it is up to date.
pub fn write_headers(check: bool) -> Result<()> {
    headers::write(check)?;
    tinytc::write(check)
}
