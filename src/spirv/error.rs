//! Failures of the SPIR-V back end.

use crate::device::SpirvFeature;
use crate::diagnostics::{Diagnostic, Location};
use crate::ir::VerifierError;
use crate::status::Status;

/// Reasons for which a program has no SPIR-V form on a device.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A rule of the language that only shows here.
    #[error(transparent)]
    Rule(#[from] VerifierError),
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
    #[error("internal error of the SPIR-V back end{}: {what}", instruction.map(|word| format!(" in {word}")).unwrap_or_default())]
    Internal {
        /// The invariant.
        what: String,
        /// The word of the instruction that was being lowered, if it was one.
        instruction: Option<&'static str>,
        /// Its place in the source.
        location: Location,
    },
}

impl Error {
    /// A broken invariant, of which [`Error::in_instruction`] says the place.
    pub(super) fn internal(what: impl Into<String>) -> Error {
        Error::Internal { what: what.into(), instruction: None, location: Location::default() }
    }

    /// Adds the place to an internal error that has none yet.
    pub(super) fn in_instruction(self, instruction: &'static str, location: Location) -> Error {
        match self {
            Error::Internal { what, instruction: None, .. } => {
                Error::Internal { what, instruction: Some(instruction), location }
            }
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
            Error::Internal { .. } => Status::InternalCompilerError,
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
            | Error::Internal { location, .. } => *location,
        };
        vec![Diagnostic::new(self.to_string(), location)]
    }
}

impl From<rspirv::dr::Error> for Error {
    fn from(error: rspirv::dr::Error) -> Error {
        Error::internal(error.to_string())
    }
}
