//! Failures of the SPIR-V back end.

use crate::device::SpirvFeature;
use crate::diagnostics::{Diagnostic, InternalError, Location};
use crate::ir::VerifierError;
use crate::schedule;
use crate::status::Status;

/// Name of the back end in internal errors.
const STAGE: &str = "the SPIR-V back end";

/// Reasons for which a program has no SPIR-V form on a device.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A rule of the language that only shows here.
    #[error(transparent)]
    Rule(VerifierError),
    /// The device lacks a feature.
    #[error("the device lacks the feature {}, which @{function} needs", feature.spelling())]
    MissingFeature {
        /// The feature.
        feature: SpirvFeature,
        /// The function that needs it.
        function: String,
        /// The instruction that needs it.
        location: Location,
    },
    /// A valid program that the compiler cannot translate yet.
    #[error("{what} cannot be compiled yet")]
    NotImplemented {
        /// The construct.
        what: String,
        /// Its place in the source.
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
    /// A broken invariant of the compiler.
    #[error(transparent)]
    Internal(InternalError),
}

impl Error {
    /// A broken invariant, of which [`Error::in_instruction`] says the place.
    pub(super) fn internal(what: impl Into<String>) -> Error {
        Error::Internal(InternalError::new(what).in_stage(STAGE))
    }

    /// Adds the place to an internal error that has none yet.
    pub(super) fn in_instruction(self, instruction: &'static str, location: Location) -> Error {
        match self {
            Error::Internal(error) => Error::Internal(error.in_instruction(instruction, location)),
            other => other,
        }
    }

    /// The status code of the failure.
    pub fn status(&self) -> Status {
        match self {
            Error::Rule(error) => error.status,
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
            Error::Rule(error) => return error.diagnostics(),
            Error::MissingFeature { location, .. }
            | Error::NotImplemented { location, .. }
            | Error::DuplicateFunction { location, .. }
            | Error::UndefinedValue(location)
            | Error::Internal(InternalError { location, .. }) => *location,
        };
        vec![Diagnostic::new(self.to_string(), location)]
    }
}

impl From<schedule::Error> for Error {
    fn from(error: schedule::Error) -> Error {
        match error {
            schedule::Error::Rule(error) => error.into(),
            schedule::Error::Device { error, .. } => Error::internal(error.to_string()),
        }
    }
}

impl From<VerifierError> for Error {
    fn from(error: VerifierError) -> Error {
        let VerifierError { status, detail, location, .. } = &error;
        match status {
            Status::InternalCompilerError => Error::Internal(InternalError {
                location: *location,
                ..InternalError::new(detail).in_stage(STAGE)
            }),
            _ => Error::Rule(error),
        }
    }
}

impl From<rspirv::dr::Error> for Error {
    fn from(error: rspirv::dr::Error) -> Error {
        Error::internal(error.to_string())
    }
}
