//! Options of `tiletc tune`.

use super::constraint::Constraint;
use super::reference::GivenReference;
use crate::bench::space::Sweep;
use crate::common::{Common, Compiling, Failure};
use crate::launch::{CallOptions, DeviceName};
use clap::{ArgAction, Args, Subcommand};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tiletc::tuning::TABLE;

/// Examples for the help.
pub const EXAMPLES: &str = "\
Values of arguments are those of `tiletc run`; see `tiletc run --help`.

Examples:
    tiletc tune fused_kernel.ir -d opencl --arg K=random --arg P=random:56x9x10000 --arg A=random:9x9x10000 \\
        --arg Q=zeros:56x9x10000 --table tuning.json
    tiletc tune gemm.ir -d virtual:pvc -D BM=64,128 --arg A=random --arg B=random --arg C=zeros --all
    tiletc tune gemm.ir -D BM=64,128 -D BN=64,128 --where 'BM*BN <= 8192' --arg A=random --arg B=random --arg C=zeros
    tiletc tune gemm.ir -d opencl --arg A=a.npy --arg B=b.npy --arg C=zeros --reference C=c.npy
    tiletc tune list --table tuning.json
    tiletc tune show fused_kernel --table tuning.json
    tiletc tune export best.json --best --device bmg --table tuning.json
    tiletc tune import other.json another.json --table tuning.json
    tiletc tune prune --table tuning.json

A program whose file has the name of a command is `./list`.";

/// Look for the attributes and definitions that a kernel runs best with.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Tune {
    #[command(subcommand)]
    pub command: Option<TableCommand>,
    /// Program with the kernel
    #[arg(value_name = "FILE", required = true)]
    pub file: Option<PathBuf>,
    /// Define $NAME in place of the program's own definition; with several values all are tried, and of several names all
    /// combinations
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE[,VALUE…]", action = ArgAction::Append)]
    pub definitions: Vec<Sweep>,
    /// Try only configs for which a comparison holds, such as "BM*BN <= 4096 && subgroup_size >= 16"; repeatable. Names are those that
    /// -D gives and attributes of a config, of lists as work_group_size_0. Without the attribute the comparison does not hold
    #[arg(long = "where", value_name = "EXPRESSION", action = ArgAction::Append)]
    pub constraints: Vec<Constraint>,
    #[command(flatten)]
    compiling: Compiling,
    /// Device: opencl[:N] or level_zero[:N], where configs are timed, or virtual:NAME, where their time is estimated
    #[arg(short = 'd', long, value_name = "DEVICE", default_value = "virtual:pvc")]
    pub device: DeviceName,
    #[command(flatten)]
    pub launch: CallOptions,
    /// Seconds for timing, all configs together
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = crate::bench::seconds)]
    pub budget: Duration,
    /// Expected content of an argument, which every result is compared with in place of that of the first config; repeatable
    #[arg(long = "reference", value_name = "NAME=FILE.npy", action = ArgAction::Append)]
    pub references: Vec<GivenReference>,
    /// Largest difference of a result from what is expected, relative to the largest number of the argument; without this option what
    /// rounding errors explain; with 0 results must be the same bit for bit
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub tolerance: Option<f64>,
    /// Look for the config that is best with data in the cache, where others have it in memory
    #[arg(long)]
    pub hot: bool,
    /// Estimate by the model alone, though Intel's offline compiler is here
    #[arg(long)]
    pub model: bool,
    /// Print every config with its time or the reason why it has none
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub kept: Kept,
}

/// A share of a number.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share: &f64| share.is_finite() && *share >= 0.0);
    share.ok_or_else(|| "a tolerance is a number from 0 on".to_owned())
}

/// The table, and the form of what is printed.
#[derive(Args)]
pub struct Kept {
    /// Table of what was found; without this option the one that TILETC_TUNING_TABLE names, if any
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Write one JSON document to standard output
    #[arg(long)]
    pub json: bool,
}

/// Work on a table.
#[derive(Subcommand)]
pub enum TableCommand {
    /// List the functions and devices of a table, each with its best config
    List {
        #[command(flatten)]
        kept: Kept,
    },
    /// Show all entries of a function, the best first
    Show {
        /// Name of the function, with or without @, or the first characters of its program's hash
        #[arg(value_name = "FUNCTION")]
        function: String,
        #[command(flatten)]
        kept: Kept,
    },
    /// Write entries to another table, in place of what that file holds
    Export {
        /// File to write; `-` is standard output
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Write only the best config of each function and device
        #[arg(long)]
        best: bool,
        /// Write only what was found for a device, by its name or as `list` shows it
        #[arg(long, value_name = "DEVICE")]
        device: Option<String>,
        #[command(flatten)]
        kept: Kept,
    },
    /// Add the entries of other tables to the table, which is made if there is none
    Import {
        /// Tables to read; of entries for one config the last one stays, but an estimate does not replace a measurement
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        kept: Kept,
    },
    /// Remove from a table what other versions of tiletc have found, and what has failed
    Prune {
        #[command(flatten)]
        kept: Kept,
    },
}

impl TableCommand {
    fn kept(&self) -> &Kept {
        match self {
            TableCommand::List { kept }
            | TableCommand::Show { kept, .. }
            | TableCommand::Export { kept, .. }
            | TableCommand::Import { kept, .. }
            | TableCommand::Prune { kept } => kept,
        }
    }
}

impl Kept {
    /// The file of the table.
    pub fn table(&self) -> Option<PathBuf> {
        let of_environment = || std::env::var_os(TABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
        self.table.clone().or_else(of_environment)
    }

    /// The same where there must be one.
    pub fn given_table(&self) -> Result<PathBuf, Failure> {
        self.table()
            .ok_or_else(|| Failure::usage(format!("which table? Name it with --table, or in {TABLE}")))
    }
}

impl Tune {
    /// Returns whether standard output is to be one JSON document.
    pub fn is_document(&self) -> bool {
        self.command.as_ref().map_or(&self.kept, TableCommand::kept).json
    }

    /// The program with definitions, and how it is compiled.
    pub fn common(&self, file: &Path, definitions: &[(String, String)]) -> Common {
        let definitions = definitions.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Common { file: Some(file.to_owned()), definitions, compiling: self.compiling.clone() }
    }
}
