//! Why a tool stops.

use tiletc::status::Status;

/// Why a tool stops.
#[derive(Debug)]
pub enum Failure {
    /// The command line makes no sense.
    Usage(String),
    /// Something went wrong, and the messages say what.
    Failed(Status, String),
    /// Whoever reads our output has enough of it.
    OutputClosed,
}
