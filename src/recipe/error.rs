//! Why there is no recipe.

use crate::driver;
use crate::ir::Violation;
use crate::status::Status;

/// Why a recipe cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A number that must be known when the recipe is made is the dynamic mark.
    #[error("{what} must not be dynamic")]
    Dynamic {
        /// The parameter.
        what: &'static str,
    },
    /// A matrix without rows or columns.
    #[error("{what} = {value}, which must be positive")]
    NotPositive {
        /// The parameter.
        what: &'static str,
        /// What was given.
        value: i64,
    },
    /// The parameters make a program that breaks a rule of the language.
    #[error(transparent)]
    Rule(#[from] Violation),
    /// The program cannot be compiled for the device.
    #[error(transparent)]
    Compile(#[from] driver::Error),
}

impl Error {
    /// The status code of the failure.
    pub fn status(&self) -> Status {
        match self {
            Error::Dynamic { .. } => Status::InvalidArguments,
            Error::NotPositive { .. } => Status::IrInvalidShape,
            Error::Rule(violation) => violation.status,
            Error::Compile(error) => error.status(),
        }
    }
}
