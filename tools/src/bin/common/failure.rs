//! Errors that stop a tool.

use tiletc::status::Status;

/// Reason why a tool stops.
#[derive(Debug)]
pub enum Failure {
    /// The command line makes no sense.
    Usage(String),
    /// Something went wrong, and the messages say what.
    Failed(Status, String),
    /// Closed pipe: the reader of our output has enough of it.
    OutputClosed,
}
