//! Why a function has no schedule.

use crate::device;
use crate::diagnostics::Location;
use crate::ir::VerifierError;

/// Why a function has no schedule.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// An attribute that says nothing, or one that is missing.
    #[error(transparent)]
    Rule(#[from] VerifierError),
    /// The device cannot run what the attributes ask for.
    #[error("{error}")]
    Device {
        /// What it cannot.
        error: device::Error,
        /// The kernel.
        location: Location,
    },
}
