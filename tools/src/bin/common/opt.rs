//! The options of `tiletc-opt`, which `tiletc` writes completions and a manual page for.

use super::{Common, Target, VERSION, devices};
use clap::{ArgAction, Parser};
use tiletc::passes;

/// Run passes on a tensor program and print it.
///
/// The passes run in the order given. Unless the last one is a `dump-…` pass, `dump-ir` follows.
#[derive(Parser)]
#[command(name = "tiletc-opt", version = VERSION, after_help = names())]
pub struct Arguments {
    #[command(flatten)]
    /// The program and how it is compiled.
    pub common: Common,
    #[command(flatten)]
    /// The device.
    pub target: Target,
    /// Pass to run; repeatable
    #[arg(short = 'p', value_name = "PASS", action = ArgAction::Append)]
    pub passes: Vec<String>,
}

/// The names of devices and passes, for the help.
fn names() -> String {
    let passes: String =
        passes::Pass::ALL.iter().map(|pass| format!("    {:<22}{}\n", pass.name, pass.purpose)).collect();
    format!("{}\n\nPasses:\n{}", devices(), passes.trim_end())
}
