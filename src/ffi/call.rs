//! Common part of every entry point: no panic leaves it, it works in the default floating-point environment, and
//! its outcome becomes a number.

use super::float_environment::DefaultEnvironment;
use super::last_error;
use super::types::tiletc_status_t;
use crate::status::Status;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// Outcome of an entry point before it becomes a number.
pub(super) type Outcome<T = ()> = Result<T, Status>;

thread_local! {
    /// Number of guarded calls this thread is in.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// Message and place of the last panic inside a guarded call.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// The outcome of a callback; a number that is no status counts as an unknown failure.
pub(super) fn outcome(status: tiletc_status_t) -> Outcome {
    match Status::from_code(status).unwrap_or(Status::Unknown) {
        Status::Success => Ok(()),
        failure => Err(failure),
    }
}

/// Runs the body of an entry point and returns its status.
pub(super) fn call(body: impl FnOnce() -> Outcome) -> tiletc_status_t {
    #[cfg(feature = "panic-on-purpose")]
    let body = || {
        let _ = body;
        std::panic::panic_any("on purpose")
    };
    let _environment = DefaultEnvironment::enter();
    let outer = last_error::begin();
    let status = match guarded(body) {
        Ok(Ok(())) => Status::Success,
        Ok(Err(status)) => status,
        Err(what) => {
            last_error::note(what);
            Status::InternalCompilerError
        }
    };
    last_error::end(outer, status);
    status.code()
}

/// Runs `body`; a panic becomes an error that says what happened where, and prints nothing.
pub(super) fn guarded<T>(body: impl FnOnce() -> T) -> Result<T, String> {
    install_hook();
    DEPTH.set(DEPTH.get() + 1);
    // Whatever a panic leaves half done stays behind the context's lock, and every later call copes
    // with any state of it.
    let result = catch_unwind(AssertUnwindSafe(body));
    DEPTH.set(DEPTH.get() - 1);
    result.map_err(|payload| {
        // A payload may itself panic when dropped; leaking it is the lesser evil.
        std::mem::forget(payload);
        PANIC.try_with(RefCell::take).ok().flatten().unwrap_or_else(|| "unknown cause".to_owned())
    })
}

/// Makes panics inside guarded calls silent, since nothing may be printed unless asked; all other panics
/// of the process go to the hook that was there before.
fn install_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if DEPTH.try_with(Cell::get).unwrap_or(0) == 0 {
                previous(info);
                return;
            }
            let payload = info.payload();
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref().copied()).unwrap_or("panic");
            let message = match info.location() {
                Some(place) => format!("{text} ({}:{})", place.file(), place.line()),
                None => text.to_owned(),
            };
            let _ = PANIC.try_with(|panic| panic.replace(Some(message)));
        }));
    });
}

#[cfg(test)]
#[allow(clippy::panic, clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_status_and_the_next_call_works() {
        assert_eq!(call(|| panic!("no {}", 1)), Status::InternalCompilerError.code());
        assert_eq!(call(|| Ok(())), Status::Success.code());
        assert_eq!(call(|| Err(Status::OutOfRange)), Status::OutOfRange.code());
    }

    #[test]
    fn a_panic_says_what_and_where() {
        let error = guarded(|| panic!("no {}", 1)).unwrap_err();
        assert!(error.starts_with("no 1 ("), "{error}");
        assert!(error.contains("call.rs:"), "{error}");
    }
}
