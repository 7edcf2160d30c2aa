//! Errors of passes.

use crate::device;
use crate::diagnostics::{Diagnostic, InternalError, Location};
use crate::ir::VerifierError;
use crate::schedule;
use crate::status::Status;

/// Reason why a pass fails.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A broken rule of the language.
    #[error(transparent)]
    Rule(VerifierError),
    /// A broken invariant of the compiler.
    #[error(transparent)]
    Internal(InternalError),
    /// The device cannot run the kernel.
    #[error("{error}")]
    Target {
        /// Reason why it cannot.
        error: device::Error,
        /// The kernel.
        location: Location,
    },
    /// No pass has this name.
    #[error("there is no pass named `{0}`")]
    UnknownPass(String),
    /// The pass looks at the device, but none was given.
    #[error("the pass `{0}` needs a device")]
    NeedsDevice(&'static str),
}

impl From<schedule::Error> for Error {
    fn from(error: schedule::Error) -> Error {
        match error {
            schedule::Error::Rule(error) => Error::Rule(error),
            schedule::Error::Device { error, location } => Error::Target { error, location },
        }
    }
}

impl Error {
    /// The status code of the failure.
    pub fn status(&self) -> Status {
        match self {
            Error::Rule(error) => error.status,
            Error::Internal(_) => Status::InternalCompilerError,
            Error::Target { error, .. } => error.status(),
            Error::UnknownPass(_) => Status::UnknownPassName,
            Error::NeedsDevice(_) => Status::InvalidArguments,
        }
    }

    /// Adds the name of the pass to an internal error.
    pub(super) fn in_pass(self, pass: &'static str) -> Error {
        match self {
            Error::Internal(error) => Error::Internal(error.in_stage(pass)),
            other => other,
        }
    }

    /// Adds the instruction to an internal error.
    pub(super) fn in_instruction(self, instruction: &'static str, location: Location) -> Error {
        match self {
            Error::Internal(error) => Error::Internal(error.in_instruction(instruction, location)),
            other => other,
        }
    }

    /// The error and its notes.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        match self {
            Error::Rule(error) => error.diagnostics(),
            Error::Internal(error) => vec![Diagnostic::new(self.to_string(), error.location)],
            Error::Target { location, .. } => {
                vec![Diagnostic::new(self.to_string(), *location)]
            }
            Error::UnknownPass(_) | Error::NeedsDevice(_) => {
                vec![Diagnostic::new(self.to_string(), Location::default())]
            }
        }
    }
}

impl From<VerifierError> for Error {
    fn from(error: VerifierError) -> Error {
        match error.status {
            Status::InternalCompilerError => internal(error.location, error.detail),
            _ => Error::Rule(error),
        }
    }
}

/// A broken invariant of the compiler at a place.
pub(super) fn internal(location: Location, what: impl Into<String>) -> Error {
    Error::Internal(InternalError { location, ..InternalError::new(what) })
}
