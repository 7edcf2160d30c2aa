//! Values of environment variables, of which those without a meaning are told to the log.
#![forbid(unsafe_code)]

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::sync::{Mutex, PoisonError};

/// Meaning of a variable; `None` if it is unset or empty, or says nothing that `meaning` knows. That goes to the log, once in a process
/// for each value, with what is `expected`.
pub fn read<T>(variable: &str, expected: &str, meaning: impl FnOnce(&OsStr) -> Option<T>) -> Option<T> {
    static TOLD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let value = std::env::var_os(variable).filter(|value| !value.is_empty())?;
    let found = meaning(&value);
    if found.is_none() {
        let message = format!("{variable} is `{}`; it may be {expected}", value.to_string_lossy());
        let is_new = TOLD.lock().unwrap_or_else(PoisonError::into_inner).insert(message.clone());
        if is_new {
            log::warn!("{message}");
        }
    }
    found
}

/// Value of a variable that is 0 or 1.
pub fn switch(variable: &str) -> Option<bool> {
    read(variable, "0 or 1", |value| match value.to_str() {
        Some("0") => Some(false),
        Some("1") => Some(true),
        _ => None,
    })
}
