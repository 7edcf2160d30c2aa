//! `tiletc-opt`: runs passes on a program and prints it.
#![deny(unsafe_code)]

mod common;

use common::opt::Arguments;
use common::{Failure, Output, Session};
use std::process::ExitCode;
use tiletc::status::Status;
use tiletc::{driver, passes};

fn main() -> ExitCode {
    match common::parse_arguments::<Arguments>() {
        Ok(arguments) => common::finish(false, |output| run(arguments, output)),
        Err(code) => code,
    }
}

fn run(arguments: Arguments, output: &mut Output) -> Result<(), Failure> {
    let mut session = Session::open(&arguments.common, arguments.common.info(&arguments.target.device)?)?;
    session.warn(output, &driver::warnings(&session.ir, &session.program));
    let mut passes = arguments.passes;
    // The name of the original's leaves it to the program's run, which ends with another code.
    let unknown = passes.iter().find(|name| !passes::Pass::names().any(|known| known == name.as_str()));
    if let Some(unknown) = unknown.filter(|_| !common::called_as_original()) {
        let message = format!("unknown pass `{unknown}`; `tiletc-opt --help` lists them");
        return Err(Failure::Usage(Status::UnknownPassName, message));
    }
    if passes.last().is_none_or(|name| !name.starts_with("dump")) {
        passes.push("dump-ir".to_owned());
    }
    for pass in &passes {
        let Session { ir, program, info, options, .. } = &mut session;
        let printed = driver::run_pass(pass, ir, program, Some(info), options)
            .map_err(|error| session.failure(&error))?;
        common::write_output(printed.as_bytes())?;
    }
    Ok(())
}
