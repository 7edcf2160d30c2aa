//! Folders that are made once, and downloads that take a while.
//!
//! A folder is made beside its place and moved there when it is complete, with a stamp that says what it was made
//! from: an interrupted run leaves nothing the next one would take for finished.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::command::{cannot_run, check};
use super::progress::{bar, tell};
use crate::error::Error;

/// Returns whether a folder was made from what the stamp says.
pub fn is_complete(place: &Path, stamp: &str) -> bool {
    fs::read_to_string(place.join("stamp")).is_ok_and(|found| found == stamp)
}

/// The folder of a name in `target`. Unless it is there with this stamp, it is made: `make` gets an empty folder to
/// fill.
///
/// # Errors
/// Those of `make`, and [`Error::File`].
pub fn ensure<E: From<Error>>(
    target: &Path,
    name: &str,
    stamp: &str,
    make: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<PathBuf, E> {
    let place = target.join(name);
    if is_complete(&place, stamp) {
        return Ok(place);
    }

    // Two runs at once: the second waits, and then finds the work done. The lock ends with its file.
    fs::create_dir_all(target).map_err(Error::file("make", target))?;
    let path = target.join(format!("{name}.lock"));
    let lock = File::create(&path).map_err(Error::file("make", &path))?;
    if lock.try_lock().is_err() {
        tell(&format!("waiting for another run that is fetching {name}…"));
        lock.lock().map_err(Error::file("lock", &path))?;
    }
    if is_complete(&place, stamp) {
        return Ok(place);
    }

    let partial = target.join(format!("{name}.partial"));
    remove(&partial)?;
    fs::create_dir_all(&partial).map_err(Error::file("make", &partial))?;
    make(&partial)?;
    let path = partial.join("stamp");
    fs::write(&path, stamp).map_err(Error::file("write", &path))?;
    remove(&place)?;
    fs::rename(&partial, &place).map_err(Error::file("make", &place))?;
    Ok(place)
}

/// Runs a command that downloads so many bytes into a folder, and shows how far it is.
///
/// # Errors
/// [`Error::Command`] and [`Error::CannotRun`].
pub fn download(command: &mut Command, what: &str, bytes: u64, folder: &Path) -> Result<(), Error> {
    let bar = bar(&format!("fetching {what} ({})…", megabytes(bytes)), bytes);
    let mut running = command.spawn().map_err(cannot_run(command))?;
    let status = loop {
        if let Some(status) = running.try_wait().map_err(cannot_run(command))? {
            break status;
        }
        bar.set_position(size_of(folder).min(bytes));
        std::thread::sleep(Duration::from_millis(50));
    };
    bar.finish_and_clear();
    check(&format!("fetch {what}"), command, status, b"")
}

/// Removes a folder that may not exist.
///
/// # Errors
/// [`Error::File`].
pub fn remove(folder: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::file("remove", folder)(error)),
        _ => Ok(()),
    }
}

/// Removes what is in a folder, but not the folder, which may be where something is mounted.
///
/// # Errors
/// [`Error::File`].
pub fn clear(folder: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(folder).map_err(Error::file("read", folder))? {
        let path = entry.map_err(Error::file("read", folder))?.path();
        let is_folder = path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
        let result = if is_folder { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        result.map_err(Error::file("remove", &path))?;
    }
    Ok(())
}

/// The bytes of all files below a folder, as far as they can be read while another program writes them.
fn size_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => size_of(&entry.path()),
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        })
        .sum()
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::{ensure, remove};
    use crate::Error;
    use std::fs;
    use std::path::Path;

    #[test]
    fn a_folder_is_made_once_and_never_left_half_made() -> Result<(), Error> {
        let target = std::env::temp_dir().join(format!("tiletc-folder-{}", std::process::id()));
        remove(&target)?;
        let content = |folder: &Path| fs::read_to_string(folder.join("file")).unwrap_or_default();
        let write = |text: &'static str| {
            move |folder: &Path| {
                assert!(!folder.join("file").exists());
                fs::write(folder.join("file"), text).map_err(Error::file("write", folder))
            }
        };
        let interrupted = || Err(Error::NoMirror("interrupted".to_owned()));
        assert!(
            ensure(&target, "set", "1", |folder| {
                write("half")(folder)?;
                interrupted()
            })
            .is_err()
        );
        assert!(!target.join("set").exists());
        assert_eq!(content(&ensure(&target, "set", "1", write("first"))?), "first");
        assert_eq!(content(&ensure(&target, "set", "1", |_| interrupted())?), "first");
        assert_eq!(content(&ensure(&target, "set", "2", write("second"))?), "second");
        remove(&target)
    }
}
