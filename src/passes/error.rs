//! Why a pass fails.

use crate::device;
use crate::diagnostics::{Diagnostic, Location};
use crate::ir::VerifierError;
use crate::status::Status;

/// Why a pass fails.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A broken rule of the language.
    #[error(transparent)]
    Rule(#[from] VerifierError),
    /// The device cannot run the kernel.
    #[error("{error}")]
    Target {
        /// What it cannot.
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

impl Error {
    /// The status code of the failure.
    pub fn status(&self) -> Status {
        match self {
            Error::Rule(error) => error.status,
            Error::Target { error, .. } => error.status(),
            Error::UnknownPass(_) => Status::UnknownPassName,
            Error::NeedsDevice(_) => Status::InvalidArguments,
        }
    }

    /// The error and its notes.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        match self {
            Error::Rule(error) => error.diagnostics(),
            Error::Target { location, .. } => {
                vec![Diagnostic::new(self.to_string(), *location)]
            }
            Error::UnknownPass(_) | Error::NeedsDevice(_) => {
                vec![Diagnostic::new(self.to_string(), Location::default())]
            }
        }
    }
}

/// A rule of the compiler itself that is broken.
pub(super) fn internal(location: Location, detail: &str) -> Error {
    VerifierError::new(Status::InternalCompilerError, location, detail).into()
}
