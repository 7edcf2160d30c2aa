//! Folders of the target folder that are made once, and downloads that take a while.
//!
//! A folder is made beside its place and moved there when it is complete, with a stamp that says what it was made
//! from: an interrupted run leaves nothing the next one would take for finished.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};

use crate::process;

/// The folder of a name in `target`. Unless it is there with this stamp, it is made: `make` gets an empty folder to
/// fill.
pub fn ensure(
    target: &Path,
    name: &str,
    stamp: &str,
    make: impl FnOnce(&Path) -> Result<()>,
) -> Result<PathBuf> {
    let place = target.join(name);
    let is_complete = || fs::read_to_string(place.join("stamp")).is_ok_and(|found| found == stamp);
    if is_complete() {
        return Ok(place);
    }

    // Two runs at once: the second waits, and then finds the work done. The lock ends with its file.
    fs::create_dir_all(target).with_context(|| format!("cannot make {}", target.display()))?;
    let lock = File::create(target.join(format!("{name}.lock")))?;
    if lock.try_lock().is_err() {
        eprintln!("waiting for another run that is fetching {name}…");
        lock.lock()?;
    }
    if is_complete() {
        return Ok(place);
    }

    let partial = target.join(format!("{name}.partial"));
    remove(&partial)?;
    fs::create_dir_all(&partial).with_context(|| format!("cannot make {}", partial.display()))?;
    make(&partial)?;
    fs::write(partial.join("stamp"), stamp)?;
    remove(&place)?;
    fs::rename(&partial, &place)?;
    Ok(place)
}

/// Runs a command that downloads so many bytes into a folder, and shows how far it is.
pub fn download(command: &mut Command, what: &str, bytes: u64, folder: &Path) -> Result<()> {
    let title = format!("fetching {what} ({})…", megabytes(bytes));
    let bar = ProgressBar::new(bytes).with_message(title.clone());
    if bar.is_hidden() {
        eprintln!("{title}");
    }
    bar.set_style(ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} % {bytes_per_sec}")?);
    let program = command.get_program().to_string_lossy().into_owned();
    let mut running =
        command.spawn().with_context(|| format!("cannot run {program}, which fetches {what}"))?;
    let status = loop {
        if let Some(status) = running.try_wait()? {
            break status;
        }
        bar.set_position(size_of(folder).min(bytes));
        std::thread::sleep(Duration::from_millis(50));
    };
    bar.finish_and_clear();
    process::check(command, status)
}

/// Removes a folder that may not exist.
pub fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            bail!("cannot remove {}: {error}", folder.display())
        }
        _ => Ok(()),
    }
}

/// Removes what is in a folder, but not the folder, which may be where something is mounted.
pub fn clear(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let is_folder = path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
        let result = if is_folder { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        result.with_context(|| format!("cannot remove {}", path.display()))?;
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
    use std::fs;
    use std::path::Path;

    use anyhow::bail;

    use super::{ensure, remove};

    #[test]
    fn a_folder_is_made_once_and_never_left_half_made() -> anyhow::Result<()> {
        let target = std::env::temp_dir().join(format!("tiletc-provision-{}", std::process::id()));
        remove(&target)?;
        let content = |folder: &Path| fs::read_to_string(folder.join("file")).unwrap_or_default();
        let write = |text: &'static str| {
            move |folder: &Path| {
                assert!(!folder.join("file").exists());
                Ok(fs::write(folder.join("file"), text)?)
            }
        };
        assert!(
            ensure(&target, "set", "1", |folder| {
                write("half")(folder)?;
                bail!("interrupted")
            })
            .is_err()
        );
        assert!(!target.join("set").exists());
        assert_eq!(content(&ensure(&target, "set", "1", write("first"))?), "first");
        assert_eq!(content(&ensure(&target, "set", "1", |_| bail!("it is there"))?), "first");
        assert_eq!(content(&ensure(&target, "set", "2", write("second"))?), "second");
        remove(&target)
    }
}
