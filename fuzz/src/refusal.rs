//! What the compiler may say to a text that it refuses.

use crate::session::Refusal;
use tiletc::status::Status;

/// Bytes of the longest report that is one to read.
const MAX_BYTES: usize = 64 << 10;

/// Panics if the text is not to blame, or nobody could read the report.
pub fn check(refusal: &Refusal) {
    assert!(refusal.error.status() != Status::InternalCompilerError, "{refusal}");
    let length = refusal.report.len();
    assert!(length <= MAX_BYTES, "a report of {length} bytes");
}
