//! Description of the last failure of a thread, for who has no error reporter (API reference 3.4).
//!
//! Calls may come when the thread's variables are gone, from destructors of static objects; nothing is kept of those.

use super::enums;
use super::types::tiletc_status_t;
use crate::runtime;
use crate::status::Status;
use std::cell::RefCell;
use std::ffi::{CString, c_char};

thread_local! {
    /// Notes of the call that the thread is in.
    static NOTES: RefCell<String> = const { RefCell::new(String::new()) };
    /// Status and notes of the last call that failed.
    static FAILURE: RefCell<(tiletc_status_t, CString)> = RefCell::default();
}

/// Begins a call; returns the notes of the one around it, as of an error reporter that calls back.
pub(super) fn begin() -> String {
    NOTES.try_with(RefCell::take).unwrap_or_default()
}

/// Ends a call, given the notes of the one around it.
pub(super) fn end(outer: String, status: Status) {
    let notes = NOTES.try_with(|notes| notes.replace(outer)).unwrap_or_default();
    if status != Status::Success {
        let message = if notes.is_empty() { status.phrase() } else { &notes };
        let message = message.split('\0').next().unwrap_or_default();
        let failure = (status.code(), CString::new(message).unwrap_or_default());
        let _ = FAILURE.try_with(|last| last.replace(failure));
    }
}

/// Keeps what there is to say about the failure of this call, for who has no error reporter.
pub(super) fn note(message: impl AsRef<str>) {
    let _ = NOTES.try_with(|notes| {
        let mut notes = notes.borrow_mut();
        if !notes.is_empty() {
            notes.push('\n');
        }
        notes.push_str(message.as_ref().trim_end());
    });
}

/// Refusal with what there is to say about it.
pub(super) fn refuse(status: Status, message: impl AsRef<str>) -> Status {
    note(message);
    status
}

/// Status of what a driver could not do, which is noted.
pub(super) fn driver_failed(error: &runtime::Error) -> Status {
    refuse(error.status(), error.to_string())
}

/// Describes the last failure of this thread, given its status: the reports, or whatever else there is to say, in words.
/// If the last call of the thread that failed had another status it is the phrase of tiletc_status_to_string. The text
/// stays valid until the next call of this thread that fails.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_get_error_message(val: tiletc_status_t) -> *const c_char {
    let message = FAILURE.try_with(|failure| {
        let (status, message) = &*failure.borrow();
        (*status == val && val != Status::Success.code()).then(|| message.as_ptr())
    });
    message.ok().flatten().unwrap_or_else(|| enums::STATUS.c_text(val))
}

#[cfg(test)]
#[allow(clippy::panic)]
mod tests {
    use super::super::call::call;
    use super::*;

    /// The message for a failure that is out of range.
    fn last_message() -> String {
        // SAFETY: the text is valid until the next failure of this thread.
        unsafe { std::ffi::CStr::from_ptr(tiletc_get_error_message(Status::OutOfRange.code())) }
            .to_string_lossy()
            .into_owned()
    }

    #[test]
    fn a_failure_is_remembered_until_the_next_one() {
        call(|| Err(refuse(Status::OutOfRange, "first\n")));
        assert_eq!(last_message(), "first");
        call(|| {
            note("not of interest");
            Ok(())
        });
        assert_eq!(last_message(), "first");
        // As an error reporter that calls back.
        call(|| {
            note("outer");
            call(|| Err(refuse(Status::OutOfRange, "inner")));
            note("more");
            Err(Status::OutOfRange)
        });
        assert_eq!(last_message(), "outer\nmore");
        call(|| Err(Status::OutOfRange));
        assert_eq!(last_message(), Status::OutOfRange.phrase());
        call(|| Err(refuse(Status::BadAlloc, "another")));
        assert_eq!(last_message(), Status::OutOfRange.phrase());
    }
}
