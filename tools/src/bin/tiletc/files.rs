//! Files that the tools write.

use super::common::Failure;
use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use tiletc::status::Status;

/// Makes sure that a file can be written and is none of the programs, before what belongs there is worked out.
pub fn check<'a>(path: &Path, programs: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), Failure> {
    let opened = match path.metadata() {
        Ok(found) if found.is_file() || found.is_dir() => {
            let place = |file: &fs::Metadata| (file.dev(), file.ino());
            let is_it = |file: &PathBuf| file.metadata().is_ok_and(|file| place(&file) == place(&found));
            if programs.into_iter().any(is_it) {
                let message = format!("`{}` is a program, which would be overwritten", path.display());
                return Err(Failure::usage(message + "; name another file to write"));
            }
            OpenOptions::new().write(true).open(path).map(drop)
        }
        // To the reader of a pipe it would look as if this were all.
        Ok(_) => Ok(()),
        Err(_) if path.is_symlink() => Ok(()),
        Err(_) => File::create_new(path).and_then(|_| fs::remove_file(path)),
    };
    opened.map_err(|error| cannot_write(path, &error))
}

/// Writes a file.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    fs::write(path, content).map_err(|error| cannot_write(path, &error))
}

/// The failure to write a file.
fn cannot_write(path: &Path, error: &dyn Display) -> Failure {
    Failure::Failed(Status::FileIoError, format!("cannot write `{}`: {error}", path.display()))
}
