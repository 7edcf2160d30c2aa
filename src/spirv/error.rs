//! Why a program has no SPIR-V form.

use crate::diagnostics::{Diagnostic, Location};
use crate::ir::Violation;
use crate::status::Status;
use crate::target::SpirvFeature;

/// Why a program has no SPIR-V form on a device.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A rule of the language that only shows here.
    #[error(transparent)]
    Rule(#[from] Violation),
    /// The device lacks a feature.
    #[error("the device lacks the feature {}, which @{function} needs", feature.spelling())]
    MissingFeature {
        /// The feature.
        feature: SpirvFeature,
        /// The function that needs it.
        function: String,
        /// Where it is needed.
        location: Location,
    },
    /// A valid program that the compiler cannot translate yet.
    #[error("{what} cannot be compiled yet")]
    NotImplemented {
        /// The construct.
        what: String,
        /// Where it stands.
        location: Location,
    },
    /// Two functions of one name, which only a builder can make.
    #[error("there are two functions @{name}")]
    DuplicateFunction {
        /// The name.
        name: String,
        /// The second one.
        location: Location,
    },
    /// A value without a counterpart.
    #[error("a value has no SPIR-V counterpart")]
    UndefinedValue(Location),
    /// The module could not be put together.
    #[error("internal error of the SPIR-V back end: {0}")]
    Internal(String),
}

impl Error {
    /// The status code of the failure.
    pub fn status(&self) -> Status {
        match self {
            Error::Rule(violation) => violation.status,
            Error::MissingFeature { .. } => Status::SpirvRequiredFeatureUnavailable,
            Error::NotImplemented { .. } => Status::NotImplemented,
            Error::DuplicateFunction { .. } => Status::InvalidArguments,
            Error::UndefinedValue(_) => Status::SpirvUndefinedValue,
            Error::Internal(_) => Status::InternalCompilerError,
        }
    }

    /// The error and its notes.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let location = match self {
            Error::Rule(violation) => return violation.diagnostics(),
            Error::MissingFeature { location, .. }
            | Error::NotImplemented { location, .. }
            | Error::DuplicateFunction { location, .. }
            | Error::UndefinedValue(location) => *location,
            Error::Internal(_) => Location::default(),
        };
        vec![Diagnostic::new(self.to_string(), location)]
    }
}

impl From<rspirv::dr::Error> for Error {
    fn from(error: rspirv::dr::Error) -> Error {
        Error::Internal(error.to_string())
    }
}
