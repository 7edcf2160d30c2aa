use crate::status::Status;
/// Names of all passes, as the tools list them.
pub const NAMES: &[&str] = &["check-ir"];
/// Why a pass failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {}
impl Error {
    /// The status code of the failure.
    pub fn status(&self) -> Status {
        match *self {}
    }
}
