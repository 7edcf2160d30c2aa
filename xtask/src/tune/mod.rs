//! `cargo xtask tune`: the table of what tuning has found for the kernels of the recipes, and how good the configs are that the model and
//! `tiletc tune` choose.

mod check;
mod cpu;
mod held;
mod recipes;
mod table;

use std::env;

use anyhow::{Result, ensure};
use tiletc::tuning::TABLE;

use crate::paths::Paths;

/// Devices that are tuned for, by the names that both compilers know.
const DEVICES: [&str; 5] = ["pvc", "bmg", "lnl", "ptl", "dg2"];

/// Rebuilds the table, or one of the trials.
#[derive(clap::Args)]
pub struct Options {
    /// Write nothing; compile held products and chains in all configs with Intel's offline compiler, and fail if the model's first choice is
    /// too often not near the best
    #[arg(long, conflicts_with = "cpu")]
    check: bool,
    /// Write nothing; have `tiletc tune` tune programs on OpenCL's CPU, and compare with the times of all configs
    #[arg(long)]
    cpu: bool,
    /// Only this device of pvc, bmg, lnl, ptl and dg2; the table is not written
    #[arg(short = 'd', long, value_name = "DEVICE", conflicts_with = "cpu", value_parser = DEVICES)]
    device: Option<String>,
    /// Only kernels with this in their names; the table is not written
    #[arg(short = 'k', long, value_name = "TEXT", default_value = "")]
    kernel: String,
    /// Configs of a kernel that the offline compiler compiles, the best by the model [default: 6, or 10 with --check]
    #[arg(long, value_name = "N", conflicts_with = "cpu")]
    most: Option<usize>,
    #[command(flatten)]
    cpu_options: cpu::OnCpu,
}

impl Options {
    fn devices(&self) -> impl Iterator<Item = &'static str> {
        DEVICES.into_iter().filter(|&device| self.device.as_deref().is_none_or(|wanted| wanted == device))
    }

    /// Returns whether all devices and kernels take part.
    fn is_complete(&self) -> bool {
        self.device.is_none() && self.kernel.is_empty()
    }
}

/// Runs the task.
pub fn run(paths: &Paths, options: &Options) -> Result<()> {
    // What it says would be taken for the compiler's own choice.
    let has_table = env::var_os(TABLE).is_some_and(|path| !path.is_empty());
    ensure!(!has_table, "{TABLE} is set, and the compiler would obey that table; unset it");
    match options {
        Options { check: true, .. } => check::run(paths, options),
        Options { cpu: true, .. } => cpu::run(paths, options),
        _ => table::rebuild(paths, options),
    }
}
