//! Changes of a file that several processes may make at once.

use super::error::Error;
use rustix::fs::{FlockOperation, flock};
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// Replaces the content of a file by what `change` makes of it, `None` if there is no file. A reader sees the one content or the
/// other; whoever changes it at the same time waits. A process that ends in between leaves the old content, and no lock.
pub(super) fn update(
    path: &Path,
    change: impl FnOnce(Option<&[u8]>) -> Result<String, Error>,
) -> Result<(), Error> {
    let failed = |action| move |error| Error::File { action, path: path.to_owned(), error };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed("make the folder of"))?;
    let lock = OpenOptions::new().create(true).truncate(false).write(true).open(beside(path));
    let lock = lock.map_err(failed("lock"))?;
    flock(&lock, FlockOperation::LockExclusive).map_err(|error| failed("lock")(error.into()))?;
    let old = match fs::read(path) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(failed("read")(error)),
    };
    let new = change(old.as_deref())?;
    replace(path, folder, &new).map_err(failed("write"))
}

fn replace(path: &Path, folder: &Path, text: &str) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path)?;
    Ok(())
}

/// The file that is locked, since the other one is replaced.
fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".lock");
    name.into()
}
