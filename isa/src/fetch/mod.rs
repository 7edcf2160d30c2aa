//! Intel's offline compiler from Debian's unstable suite, which has it in a version of today, with the C library that it
//! wants: all of that is unpacked into a folder and called there, and nothing is installed.

mod apt;
mod command;
mod folder;
mod progress;

pub use apt::Mirror;
pub use folder::{clear, download, ensure, remove};
pub use progress::spinner;

use crate::error::Error;
use crate::ocloc::Ocloc;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The suite, which moves on: the versions that were fetched are written down in the folder.
const SUITE: &str = "sid";

/// The compiler; the driver, with which come the libraries that ocloc loads when it runs; and the loader of Level Zero of
/// the same day, newer than what many systems have.
const PACKAGES: [&str; 3] = ["intel-ocloc", "intel-opencl-icd", "libze1"];

/// Name of the folder.
const NAME: &str = "igc";

/// File in the folder that holds the names and versions of its packages.
const VERSIONS: &str = "versions";

/// The user's folder for what `tiletc isa --fetch` fetches.
pub fn cache_folder() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(caches.join("tiletc"))
}

/// The compiler in a folder that [`compiler`] has fetched it into.
pub fn fetched(folder: &Path) -> Option<Ocloc> {
    let place = folder.join(NAME);
    // Whatever machine this is.
    folder::is_complete(&place, &stamp()).then_some(Ocloc::Fetched(place))
}

/// Finds the compiler in a folder, and fetches it if it is not there.
///
/// # Errors
/// [`Error::NoMirror`] if this machine cannot have it, and [`Error::Command`] and [`Error::File`] if something goes wrong on
/// the way.
pub fn compiler(folder: &Path) -> Result<Ocloc, Error> {
    if let Some(ocloc) = fetched(folder) {
        return Ok(ocloc);
    }
    let mirror = Mirror::find()?;
    let place = ensure(folder, NAME, &stamp(), |partial| {
        let scratch = partial.join("apt");
        let versions = mirror.unpack(SUITE, &PACKAGES, &scratch, &partial.join("root"))?;
        let file = partial.join(VERSIONS);
        fs::write(&file, versions.join("\n") + "\n").map_err(Error::file("write", &file))?;
        remove(&scratch)
    })?;
    Ok(Ocloc::Fetched(place))
}

/// Names and versions of the packages of a compiler that was fetched.
pub fn versions(ocloc: &Ocloc) -> Vec<String> {
    let text = match ocloc {
        Ocloc::Fetched(folder) => fs::read_to_string(folder.join(VERSIONS)).unwrap_or_default(),
        Ocloc::Named(_) | Ocloc::Igc(_) | Ocloc::OnPath(_) => String::new(),
    };
    text.lines().map(str::to_owned).collect()
}

fn stamp() -> String {
    format!("{SUITE}: {}\n", PACKAGES.join(" "))
}
