//! Errors of finding and calling the compiler.

use crate::ocloc::IGC;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

/// Reason why there are no statistics, or no binary.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The compiler is nowhere.
    #[error(
        "Intel's offline compiler is needed and not here: fetch it with `tiletc isa --fetch`, put `ocloc` on the path, \
         or let {IGC} name a program that runs it"
    )]
    NoCompiler,
    /// There is no such program.
    #[error("Intel's offline compiler cannot run: there is no `{program}`{}", named_by(.variable))]
    NoProgram {
        /// The program.
        program: String,
        /// The environment variable that names it.
        variable: Option<&'static str>,
    },
    /// The program does not start.
    #[error("cannot run `{program}`: {error}")]
    CannotRun {
        /// The program.
        program: String,
        /// The reason.
        error: io::Error,
    },
    /// The compiler does not take the module.
    #[error("{}ocloc failed for `{device}` ({status})", line(.told))]
    Refused {
        /// The device to compile for.
        device: String,
        /// Exit of the compiler.
        status: ExitStatus,
        /// All that it said.
        told: String,
    },
    /// The compiler succeeded, and no binary is there.
    #[error("{}ocloc wrote no binary for `{device}`", line(.told))]
    NoBinary {
        /// The device to compile for.
        device: String,
        /// All that the compiler said.
        told: String,
    },
    /// The folder for dumps has files already, which would be taken for those of this module.
    #[error("{} is not empty; --asm names a folder of its own", .0.display())]
    NotEmpty(PathBuf),
    /// This machine has no packages of Debian to fetch.
    #[error("{0}")]
    NoMirror(String),
    /// A program that fetches or unpacks has failed.
    #[error("cannot {goal}: `{command}` failed ({status}){}", behind(.told))]
    Command {
        /// Its purpose, behind "cannot".
        goal: String,
        /// The program and its arguments.
        command: String,
        /// Its exit.
        status: ExitStatus,
        /// All that it said.
        told: String,
    },
    /// A file or folder cannot be read or written.
    #[error("cannot {action} {}: {error}", path.display())]
    File {
        /// The verb of the attempt.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
}

impl Error {
    /// An error about a file or folder.
    pub(crate) fn file(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Error {
        let path = path.into();
        move |error| Error::File { action, path, error }
    }
}

fn named_by(variable: &Option<&'static str>) -> String {
    variable.map_or_else(String::new, |variable| format!(", which {variable} names"))
}

fn line(told: &str) -> String {
    if told.is_empty() { String::new() } else { format!("{told}\n") }
}

fn behind(told: &str) -> String {
    if told.is_empty() { String::new() } else { format!(": {told}") }
}
