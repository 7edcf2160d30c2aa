//! Tables of what tuning has found. tinytc has no counterpart.

use super::arg::{array, path, text};
use super::call::call;
use super::last_error::refuse;
use super::types::*;
use crate::status::Status;
use crate::tuning::{self, Error, Table};
use std::ffi::{c_char, c_void};

/// Reads a table that `tiletc tune` has written, for all contexts of the process: from now on functions that are compiled have the
/// attributes that it names for them, unless they say otherwise themselves. Tables that were loaded before stay; with
/// `TILETC_TUNE=off` in the environment nothing is loaded. Entries of other versions of tiletc are not used.
///
/// `file_io_error` if the file cannot be read, `invalid_arguments` if it is no table, or one of another format.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_tuning_load(filename: *const c_char) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or a NUL-terminated text.
        let file = path(unsafe { text(filename)? });
        tuning::add(&Table::read(file).map_err(|error| refused(&error))?);
        Ok(())
    })
}

/// The same from memory: the `size` bytes of a table at `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_tuning_load_from_memory(size: usize, data: *const c_void) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes as many bytes.
        let bytes = unsafe { array(data.cast::<u8>(), size)? };
        tuning::add(&Table::parse(bytes).map_err(|error| refused(&error))?);
        Ok(())
    })
}

fn refused(error: &Error) -> Status {
    let status = match error {
        Error::File { .. } => Status::FileIoError,
        Error::Malformed(_) | Error::Foreign { .. } => Status::InvalidArguments,
    };
    refuse(status, error.to_string())
}
