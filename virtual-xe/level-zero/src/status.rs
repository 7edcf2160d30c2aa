//! Results of entry points.

use level_zero_sys::*;
use std::cell::RefCell;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Reason why an entry point refuses: the code that it returns, and a sentence if there is more to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub code: ze_result_t,
    pub message: Option<String>,
}

pub(crate) type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    /// A code with a sentence, which `zeDriverGetLastErrorDescription` gives.
    pub fn new(code: ze_result_t, message: impl ToString) -> Failure {
        Failure { code, message: Some(message.to_string()) }
    }
}

impl From<ze_result_t> for Failure {
    fn from(code: ze_result_t) -> Failure {
        Failure { code, message: None }
    }
}

/// An error without a sentence.
pub(crate) fn refuse<T>(code: ze_result_t) -> Outcome<T> {
    Err(code.into())
}

/// An error unless something is so.
pub(crate) fn require(is_so: bool, code: ze_result_t) -> Outcome {
    if is_so { Ok(()) } else { refuse(code) }
}

thread_local! {
    /// Description of the last failure of this thread.
    static LAST: RefCell<CString> = RefCell::default();
}

/// Does the work of an entry point. No panic leaves it.
pub(crate) fn enter(work: impl FnOnce() -> Outcome) -> ze_result_t {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => ZE_RESULT_SUCCESS,
        Ok(Err(failure)) => keep(failure),
        // The code of a driver that can go on no more.
        Err(_) => keep(Failure::new(ZE_RESULT_ERROR_DEVICE_LOST, "a mistake of the virtual driver")),
    }
}

/// Keeps the sentence of a failure and returns its code.
fn keep(failure: Failure) -> ze_result_t {
    let message = CString::new(failure.message.unwrap_or_default()).unwrap_or_default();
    // A thread that is ending has no messages any more.
    let _ = LAST.try_with(|last| last.replace(message));
    failure.code
}

/// Description of the last failure of this thread; good until the next one.
pub(crate) fn last_description() -> *const core::ffi::c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}
