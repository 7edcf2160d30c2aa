//! Opens a loader library by name.

use std::error::Error as _;

use libloading::Library;

use super::error::Error;

/// Opens the first library of `names` that is there.
///
/// Names come without a path: the dynamic linker then hands out the copy that the user's program has loaded
/// already, if there is one, and handles of that program belong to it.
pub(super) fn open(interface: &'static str, names: &[&str]) -> Result<Library, Error> {
    let mut reasons = Vec::new();
    for &name in names {
        // SAFETY: loaders of OpenCL and Level Zero have initialisers that are made to run at any time on any
        // thread; the library is never closed, so no finaliser runs before the process ends.
        match unsafe { Library::new(name) } {
            Ok(library) => return Ok(library),
            Err(error) => reasons.push(explain(&error)),
        }
    }
    Err(Error::DriverMissing { interface, reason: reasons.join("; ") })
}

/// Message of the dynamic linker, which is the source of the error.
pub(super) fn explain(error: &libloading::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::status::Status;

    #[test]
    fn a_missing_loader_is_named() {
        let error = open("OpenCL", &["libno-such-loader.so.1", "libno-such-loader.so"]).err().unwrap();
        assert_eq!(error.status(), Status::ComputeRuntimeError);
        let text = error.to_string();
        assert!(text.starts_with("OpenCL is not available: "), "{text}");
        assert!(text.contains("libno-such-loader.so.1") && text.contains("; "), "{text}");
    }
}
