//! `cargo xtask bench`: measurements, each with something to compare with.

mod measurement;
mod picture;
mod report;
mod suite;

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::cpp::Build;
use crate::paths::Paths;
use crate::process;
use crate::toolchain::Toolchain;
use crate::wheel::{Set, Wheel};

/// Options for measuring.
#[derive(clap::Args)]
pub struct Options {
    /// Everything, with a table and a picture; or in detail compile times of kernels, what the cache of kernels saves, what a
    /// launch and a graph of four cost the host, or arithmetic per second of the recipes
    #[arg(value_enum, default_value = "all")]
    what: Benchmark,
    #[command(flatten)]
    suite: suite::Suite,
    /// Arguments of the programs that run the recipes, for example --runs 5
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Benchmark {
    All,
    Compile,
    Cache,
    Launch,
    Recipes,
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
        Benchmark::Recipes => recipes(paths, &toolchain, &options.arguments),
    }
}

fn recipes(paths: &Paths, toolchain: &Toolchain, arguments: &[String]) -> Result<ExitCode> {
    let mkl = MKL.provision(&paths.target);
    if let Err(error) = &mkl {
        eprintln!("without Intel MKL to compare with: {error:#}");
    }
    let build = Build::configure(paths, toolchain)?;
    let mut result = ExitCode::SUCCESS;
    for name in ["gemm_batched", "tall_and_skinny"] {
        let program = build.example(name)?;
        let mut command = Command::new(&program);
        command.envs(toolchain.environment()).args(arguments);
        if let Ok(folder) = &mkl {
            command.arg("--mkl").arg(folder.join(Path::new("lib/libmkl_rt.so.3")));
        }
        let status = command.status().with_context(|| format!("cannot run {}", program.display()))?;
        if !status.success() {
            // A program ended by a signal has no code of its own.
            result = ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1));
            eprintln!("{name} failed ({status})");
        }
    }
    Ok(result)
}
