//! Opens a loader library by name.

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
            Err(error) => reasons.push(error.to_string()),
        }
    }
    Err(Error::DriverMissing { interface, reason: reasons.join("; ") })
}
