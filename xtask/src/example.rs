//! `cargo xtask example NAME`: builds one of the programs in `cpp-examples/` and runs it.

use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::cpp::Build;
use crate::paths::Paths;
use crate::toolchain::Toolchain;

/// Program to run, and its arguments.
#[derive(clap::Args)]
pub struct Options {
    /// Name of a folder in cpp-examples
    #[arg(value_parser = [
        "ader_dg",
        "autotune",
        "builder_c",
        "builder_cpp",
        "dg_volume",
        "fine_grained",
        "flash_attention",
        "gemm_batched",
        "grouped_product",
        "jit",
        "layer_norm",
        "level_zero_c",
        "matrix_chain",
        "matrix_chain_mpi",
        "mlp",
        "opencl_c",
        "softmax",
        "split_k",
        "stream_k",
        "tall_and_skinny",
        "tile_gemm",
        "tile_hgemm",
        "tile_sgemm",
        "weights_i4",
        "weights_i8",
    ])]
    name: String,
    /// Start so many processes with mpirun
    #[arg(long, value_name = "N")]
    ranks: Option<u32>,
    /// Arguments of the program, for example --help
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Open MPI wants to be told twice that whoever runs it as root means it, and that there may be more ranks than cores;
/// others do not look at this.
const OPEN_MPI: [(&str, &str); 4] = [
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
    ("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"),
];

/// Builds and runs the program; the exit code is its own.
pub fn run(paths: &Paths, options: &Options) -> Result<ExitCode> {
    let toolchain = Toolchain::provision(&paths.target)?;
    let program = Build::configure(paths, &toolchain)?.example(&options.name)?;
    let mut command = match options.ranks {
        None => Command::new(&program),
        Some(ranks) => {
            let mut command = Command::new("mpirun");
            command.args(["-n", &ranks.to_string()]).arg(&program).envs(OPEN_MPI);
            command
        }
    };
    command.args(&options.arguments).envs(toolchain.environment());
    let status = command
        .status()
        .with_context(|| format!("cannot run {}", command.get_program().to_string_lossy()))?;
    // A program ended by a signal has no code of its own.
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}
