//! `cargo xtask bench`: measurements, each with something to compare with.

mod measurement;
mod picture;
mod report;
mod suite;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::cpp::Build;
use crate::paths::Paths;
use crate::process;
use crate::toolchain::{ONEDNN, Toolchain};
use crate::wheel::{Set, Wheel};

/// Options for measuring.
#[derive(clap::Args)]
pub struct Options {
    /// Everything, with a table and a picture; or in detail compile times of kernels, what the cache of kernels saves, what a
    /// launch and a graph of four take of the host's time, how `tiletc bench` agrees with a loop of launches, arithmetic per second of the recipes, or time steps of the example ader_dg
    #[arg(value_enum, default_value = "all")]
    what: Benchmark,
    #[command(flatten)]
    suite: suite::Suite,
    /// Arguments of the programs that run the recipes or the time steps, for example --runs 5
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Benchmark {
    All,
    Compile,
    Cache,
    Launch,
    Clocks,
    Recipes,
    #[value(name = "ader_dg")]
    AderDg,
    Operators,
}

/// Intel MKL: of all its libraries those that a matrix product on TBB's threads loads on one CPU or another.
const MKL: Set = Set {
    name: "mkl",
    wheels: &[Wheel {
        name: "mkl",
        version: "2026.2.0",
        bytes: 221_067_932,
        root: "mkl-2026.2.0.data/data/",
        keep: &[
            "lib/libmkl_rt.so.3",
            "lib/libmkl_core.so.3",
            "lib/libmkl_intel_lp64.so.3",
            "lib/libmkl_tbb_thread.so.3",
            "lib/libmkl_def.so.3",
            "lib/libmkl_mc3.so.3",
            "lib/libmkl_avx*.so.3",
        ],
        links: &[],
    }],
};

/// Measures; the exit code is the first one that is not 0.
pub fn run(paths: &Paths, options: &Options) -> Result<ExitCode> {
    let toolchain = Toolchain::provision(&paths.target)?;
    match options.what {
        Benchmark::All => suite::run(paths, &toolchain, &options.suite),
        Benchmark::Compile => {
            process::run(paths.cargo(&["bench", "--bench", "compile"]).envs(toolchain.environment()))?;
            Ok(ExitCode::SUCCESS)
        }
        Benchmark::Cache => {
            let build = Build::configure(paths, &toolchain)?;
            let kernels = paths.repository.join("cpp-examples").join("matrix_chain");
            let mut command = Command::new(build.bench("bench_cache")?);
            process::run(command.arg(kernels).current_dir(&build.folder).envs(toolchain.environment()))?;
            Ok(ExitCode::SUCCESS)
        }
        Benchmark::Launch => {
            let program = Build::configure(paths, &toolchain)?.bench("bench_launch")?;
            process::run(Command::new(program).envs(toolchain.environment()))?;
            Ok(ExitCode::SUCCESS)
        }
        Benchmark::Clocks => {
            let program = Build::configure(paths, &toolchain)?.bench("bench_clocks")?;
            let kernel = paths.repository.join("benches").join("clocks.ir");
            let mut command = Command::new(program);
            process::run(
                command.arg(paths.release.join("tiletc")).arg(kernel).envs(toolchain.environment()),
            )?;
            Ok(ExitCode::SUCCESS)
        }
        Benchmark::Recipes => {
            let programs =
                |build: &Build| Ok(vec![build.example("gemm_batched")?, build.example("tall_and_skinny")?]);
            beside_mkl(paths, &toolchain, programs, &options.arguments)
        }
        Benchmark::Operators => {
            if let Err(error) = ONEDNN.provision(&paths.target) {
                eprintln!("without oneDNN to compare with: {error:#}");
            }
            let program = Build::configure(paths, &toolchain)?.bench("bench_operators")?;
            let mut command = Command::new(program);
            command.arg("--examples").arg(paths.repository.join("cpp-examples")).args(&options.arguments);
            process::run(command.envs(toolchain.environment()))?;
            Ok(ExitCode::SUCCESS)
        }
        Benchmark::AderDg => {
            let program = |build: &Build| Ok(vec![build.bench("bench_ader_dg")?]);
            beside_mkl(paths, &toolchain, program, &options.arguments)
        }
    }
}

/// Runs programs that take Intel MKL to compare with, all of them also if one fails.
fn beside_mkl(
    paths: &Paths,
    toolchain: &Toolchain,
    programs: impl FnOnce(&Build) -> Result<Vec<PathBuf>>,
    arguments: &[String],
) -> Result<ExitCode> {
    let mkl = MKL.provision(&paths.target);
    if let Err(error) = &mkl {
        eprintln!("without Intel MKL to compare with: {error:#}");
    }
    let mut result = ExitCode::SUCCESS;
    for program in programs(&Build::configure(paths, toolchain)?)? {
        let mut command = Command::new(&program);
        command.envs(toolchain.environment()).args(arguments);
        if let Ok(folder) = &mkl {
            command.arg("--mkl").arg(folder.join(Path::new("lib/libmkl_rt.so.3")));
        }
        let status = command.status().with_context(|| format!("cannot run {}", program.display()))?;
        if !status.success() {
            // A program ended by a signal has no code of its own.
            result = ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1));
            eprintln!("{} failed ({status})", program.display());
        }
    }
    Ok(result)
}
