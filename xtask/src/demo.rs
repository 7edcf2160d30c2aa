//! `cargo xtask demo`: the fused matrix chain, from text to timed steps on a device, in both precisions.

use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::cpp::Build;
use crate::paths::Paths;
use crate::toolchain::Toolchain;

/// The size of the run.
#[derive(clap::Args)]
pub struct Options {
    /// Number of elements E
    #[arg(short = 'e', value_name = "N", default_value_t = 50_000)]
    elements: u64,
    /// Number of time steps
    #[arg(short = 'n', value_name = "STEPS", default_value_t = 20)]
    steps: u64,
}

/// Builds and runs the example; the exit code is the first one of it that is not 0.
pub fn run(paths: &Paths, options: &Options) -> Result<ExitCode> {
    let toolchain = Toolchain::bring(&paths.target)?;
    let program = Build::configure(paths, &toolchain)?.example("matrix_chain")?;

    let mut result = ExitCode::SUCCESS;
    let mut failed = false;
    for precision in ["f32", "f64"] {
        let mut command = Command::new(&program);
        command
            .args(["-e", &options.elements.to_string(), "-n", &options.steps.to_string(), "-f", precision])
            .envs(toolchain.environment());
        let status = command.status().with_context(|| format!("cannot run {}", program.display()))?;
        if !status.success() && !failed {
            failed = true;
            // A program ended by a signal has no code of its own.
            result = ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1));
            eprintln!("matrix_chain -f {precision} failed ({status})");
        }
    }
    Ok(result)
}
