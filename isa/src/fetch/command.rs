//! Programs that fetch and unpack.

use crate::error::Error;
use std::io;
use std::process::{Command, ExitStatus, Output, Stdio};

/// Runs a command whose output matters only to its caller, or if it fails. `goal` follows "cannot".
pub fn output(goal: &str, command: &mut Command) -> Result<Output, Error> {
    let output = command.stdin(Stdio::null()).output().map_err(cannot_run(command))?;
    let told = [output.stdout.as_slice(), &output.stderr].concat();
    check(goal, command, output.status, &told)?;
    Ok(output)
}

/// An error that names the command and holds what it told, unless it succeeded.
pub fn check(goal: &str, command: &Command, status: ExitStatus, told: &[u8]) -> Result<(), Error> {
    if status.success() {
        return Ok(());
    }
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let command = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let told = String::from_utf8_lossy(told).trim().to_owned();
    Err(Error::Command { goal: goal.to_owned(), command, status, told })
}

/// The error of a program that does not start.
pub fn cannot_run(command: &Command) -> impl FnOnce(io::Error) -> Error + use<> {
    let program = command.get_program().to_string_lossy().into_owned();
    |error| Error::CannotRun { program, error }
}
