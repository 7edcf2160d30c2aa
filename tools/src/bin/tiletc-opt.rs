//! `tiletc-opt`: runs passes on a program and prints it.
#![forbid(unsafe_code)]

mod common;

use clap::{ArgAction, Parser};
use common::{Common, Failure, Session, Target, VERSION, devices};
use std::process::ExitCode;
use tiletc::{driver, passes};

/// Run passes on a tensor program and print it.
///
/// The passes run in the order given. Unless the last one is a `dump-…` pass, `dump-ir` follows.
#[derive(Parser)]
#[command(name = "tiletc-opt", version = VERSION, after_help = names())]
struct Arguments {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    target: Target,
    /// Pass to run; repeatable
    #[arg(short = 'p', value_name = "PASS", action = ArgAction::Append)]
    passes: Vec<String>,
}

/// The names of devices and passes, for the help.
fn names() -> String {
    let passes: String =
        passes::Pass::ALL.iter().map(|pass| format!("    {:<22}{}\n", pass.name, pass.purpose)).collect();
    format!("{}\n\nPasses:\n{}", devices(), passes.trim_end())
}

fn main() -> ExitCode {
    match common::parse_arguments::<Arguments>() {
        Ok(arguments) => common::finish(|| run(arguments)),
        Err(code) => code,
    }
}

fn run(arguments: Arguments) -> Result<(), Failure> {
    let mut session = Session::open(&arguments.common, arguments.common.info(&arguments.target.device)?)?;
    let mut passes = arguments.passes;
    if passes.last().is_none_or(|name| !name.starts_with("dump")) {
        passes.push("dump-ir".to_owned());
    }
    for pass in &passes {
        let Session { ir, program, info, options, .. } = &mut session;
        let output = driver::run_pass(pass, ir, program, Some(info), options)
            .map_err(|error| session.failure(&error))?;
        common::write_output(output.as_bytes())?;
    }
    Ok(())
}
