//! Errors that stop a tool.

use serde_json::Value;
use tiletc::status::Status;

/// Reason why a tool stops.
#[derive(Debug)]
pub enum Failure {
    /// The command line asks for what there is not, or does not fit the program.
    Usage(Status, String),
    /// Something went wrong, and the messages say what.
    Failed(Status, String),
    /// The program is wrong.
    Refused {
        /// Kind of failure.
        status: Status,
        /// The messages for people.
        report: String,
        /// The messages for programs.
        diagnostics: Vec<Value>,
    },
    /// Closed pipe: the reader of our output has enough of it.
    OutputClosed,
}

impl Failure {
    /// A command line that makes no sense.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::Usage(Status::InvalidArguments, message.into())
    }
}
