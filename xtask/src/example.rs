//! `cargo xtask example NAME`: builds one of the programs in `cpp-examples/` and runs it.

use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::cpp::Build;
use crate::paths::Paths;
use crate::toolchain::Toolchain;

/// Which program, and what to tell it.
#[derive(clap::Args)]
pub struct Options {
    /// Name of a folder in cpp-examples
    #[arg(value_parser = ["builder_c", "builder_cpp", "dg_volume", "flash_attention", "matrix_chain"])]
    name: String,
    /// Arguments of the program, for example --help
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Builds and runs the program; the exit code is its own.
pub fn run(paths: &Paths, options: &Options) -> Result<ExitCode> {
    let toolchain = Toolchain::bring(&paths.target)?;
    let program = Build::configure(paths, &toolchain)?.example(&options.name)?;
    let mut command = Command::new(&program);
    command.args(&options.arguments).envs(toolchain.environment());
    let status = command.status().with_context(|| format!("cannot run {}", program.display()))?;
    // A program ended by a signal has no code of its own.
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}
