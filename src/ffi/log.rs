//! The log (API reference 3.4).

use super::arg::{c_string, enumerator};
use super::call::{call, guarded};
use super::enums;
use super::types::*;
use crate::logging::{self, Sink};
use log::{Level, LevelFilter};
use std::ffi::c_void;
use std::sync::Arc;

/// The user's function with what it is to be handed.
struct Callback {
    function: unsafe extern "C" fn(tiletc_log_level_t, *const std::ffi::c_char, *mut c_void),
    user_data: *mut c_void,
}

// SAFETY: the pointer is the user's. We never look behind it; we only hand it back, on any thread, as the user was told.
unsafe impl Send for Callback {}
// SAFETY: likewise.
unsafe impl Sync for Callback {}

impl Callback {
    fn tell(&self, level: Level, message: &str) {
        let message = c_string(message);
        let level = match level {
            Level::Error => 1,
            Level::Warn => 2,
            Level::Info => 3,
            Level::Debug | Level::Trace => 4,
        };
        // SAFETY: the user gave us a function of this signature; the text lives until it returns.
        unsafe { (self.function)(level, message.as_ptr(), self.user_data) }
    }
}

/// Sets the function that receives the log of the whole process up to a level: what is parsed, compiled, built, and taken
/// from the cache, with times and sizes. With NULL the log goes to standard error again, up to the level that TILETC_LOG
/// names, which is off if the environment has no such variable. `user_data` is passed through and may be NULL. The function
/// is called on any thread, maybe on several at once and still during calls that were under way when it was replaced; it
/// must return.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_set_log_callback(
    level: tiletc_log_level_t,
    callback: tiletc_log_callback_t,
    user_data: *mut c_void,
) -> tiletc_status_t {
    call(|| {
        let level = match enumerator(&enums::LOG_LEVEL, level)? {
            0 => LevelFilter::Off,
            1 => LevelFilter::Error,
            2 => LevelFilter::Warn,
            3 => LevelFilter::Info,
            _ => LevelFilter::Debug,
        };
        let sink = callback.map(|function| {
            let callback = Callback { function, user_data };
            let tell = move |level: Level, message: &str| {
                // A message that cannot be told is lost.
                let _ = guarded(|| callback.tell(level, message));
            };
            Arc::new(tell) as Arc<Sink>
        });
        logging::set_sink(level, sink);
        Ok(())
    })
}
