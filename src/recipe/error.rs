//! Errors of making and launching recipes.

use crate::diagnostics::{Diagnostic, Location};
use crate::driver;
use crate::ir::{Scalar, VerifierError};
use crate::status::Status;

/// Reason why a recipe cannot be made, or not be launched.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The device has no work-groups.
    #[error("the device admits work-groups of {0} work-items at most")]
    NoWorkGroups(i32),
    /// The parameters make a program that breaks a rule of the language.
    #[error(transparent)]
    Rule(#[from] VerifierError),
    /// The program cannot be compiled for the device.
    #[error(transparent)]
    Compile(#[from] driver::Error),
    /// A scalar that is no number of the recipe's type.
    #[error("{what} has {size} bytes, {number} has {}", number.bytes())]
    ScalarSize {
        /// The argument.
        what: &'static str,
        /// Bytes that were given.
        size: usize,
        /// The recipe's type.
        number: Scalar,
    },
    /// A leading dimension that is less than the rows of the matrix.
    #[error("{what} = {value} is less than {rows}, the rows of its matrix")]
    LeadingDimension {
        /// The argument.
        what: &'static str,
        /// Value that was given.
        value: i64,
        /// Rows of the matrix.
        rows: i64,
    },
    /// Results that share memory.
    #[error("strideC = {stride} with ldC = {leading}: C_0 and C_{other} overlap in a batch of {howmany}")]
    Overlap {
        /// Elements between the results.
        stride: i64,
        /// Their leading dimension.
        leading: i64,
        /// Number of a result that overlaps with the first.
        other: i64,
        /// Number of results.
        howmany: i64,
    },
    /// A negative number of rows or matrices.
    #[error("{what} = {value} is negative")]
    Negative {
        /// The argument.
        what: &'static str,
        /// Value that was given.
        value: i64,
    },
    /// Another number of rows than the recipe was made for.
    #[error("M = {given}, but the recipe was made for {made_for}")]
    OtherRows {
        /// Value that was given.
        given: i64,
        /// Value that was said when the recipe was made.
        made_for: i64,
    },
}

impl Error {
    /// The status code of the failure.
    pub fn status(&self) -> Status {
        match self {
            Error::NoWorkGroups(_) => Status::InvalidCoreInfo,
            Error::Rule(error) => error.status,
            Error::Compile(error) => error.status(),
            Error::ScalarSize { .. }
            | Error::LeadingDimension { .. }
            | Error::Overlap { .. }
            | Error::Negative { .. }
            | Error::OtherRows { .. } => Status::InvalidKernelArguments,
        }
    }

    /// The messages to report: the error, then a note for each operand it is about.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        match self {
            Error::Rule(error) => error.diagnostics(),
            Error::Compile(error) => error.diagnostics(),
            _ => vec![Diagnostic::new(self.to_string(), Location::default())],
        }
    }
}
