//! Errors of schedules.

use crate::device;
use crate::diagnostics::Location;
use crate::ir::VerifierError;

/// Reason why a function has no schedule.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// An attribute that says nothing, or one that is missing.
    #[error(transparent)]
    Rule(#[from] VerifierError),
    /// The device cannot run what the attributes ask for.
    #[error("{error}")]
    Device {
        /// Reason why it cannot.
        error: device::Error,
        /// The kernel.
        location: Location,
    },
}

impl Error {
    /// Puts circumstances in front of what is wrong.
    #[must_use]
    pub fn context(mut self, circumstances: &str) -> Error {
        if let Error::Rule(error) = &mut self {
            error.detail = format!("{circumstances}: {}", error.detail);
        }
        self
    }
}
