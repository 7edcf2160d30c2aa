//! Files that nobody else can have written: opened without following a link or waiting, and looked at when they are open.
#![forbid(unsafe_code)]

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::OFlags;

/// Opens a file that is the user's own.
///
/// # Errors
/// If it cannot be opened, and if it is a link, no regular file, or may have been written by others.
pub(crate) fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    // Without the second flag, opening a pipe waits for somebody at its other end.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file = options.custom_flags(flags).open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() && is_own(&metadata) { Ok(file) } else { Err(not_own("file", path)) }
}

/// Writes a new file, for the user alone. What has its name is removed; a link is not followed.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let create = || open(path, OpenOptions::new().write(true).create_new(true).mode(0o600));
    let mut file = match create() {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            fs::remove_file(path)?;
            create()?
        }
        file => file?,
    };
    file.write_all(content)
}

/// Appends to a file, which is made for the user alone. What is appended at once is not mixed with what other processes
/// append.
///
/// # Errors
/// If it cannot be written, or others can write it.
pub(crate) fn append(path: &Path, content: &[u8]) -> io::Result<()> {
    open(path, OpenOptions::new().append(true).create(true).mode(0o600))?.write_all(content)
}

/// Makes a folder, and those that it lies in, for the user alone.
///
/// # Errors
/// If that cannot be done.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Makes a folder unless it is there, in which case nobody else may write to it.
///
/// # Errors
/// If it cannot be made, or others can write to it.
pub(crate) fn own_folder(path: &Path) -> io::Result<()> {
    create_folder(path)?;
    if is_own(&fs::metadata(path)?) { Ok(()) } else { Err(not_own("folder", path)) }
}

/// Returns whether only the user or the administrator can have written a file, or what is in a folder.
fn is_own(metadata: &Metadata) -> bool {
    let user = rustix::process::geteuid().as_raw();
    [user, 0].contains(&metadata.uid()) && metadata.mode() & 0o022 == 0
}

fn not_own(what: &str, path: &Path) -> io::Error {
    let message = format!("{} is no {what} that only you can write to", path.display());
    io::Error::new(io::ErrorKind::PermissionDenied, message)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::path::PathBuf;

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().mode() & 0o7777
    }

    /// A pipe, a link to a file, and a link to nothing.
    fn odd_files(folder: &Path) -> [PathBuf; 3] {
        let [pipe, link, broken, target] = ["pipe", "link", "broken", "target"].map(|name| folder.join(name));
        mknodat(CWD, &pipe, FileType::Fifo, Mode::from(0o600), 0).unwrap();
        fs::write(&target, "target").unwrap();
        symlink(&target, &link).unwrap();
        symlink(folder.join("made by a link"), &broken).unwrap();
        [pipe, link, broken]
    }

    #[test]
    fn what_is_odd_is_replaced_and_never_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let old = folder.path().join("old");
        fs::write(&old, "older and longer").unwrap();
        fs::set_permissions(&old, Permissions::from_mode(0o666)).unwrap();
        for path in odd_files(folder.path()).iter().chain([&old]) {
            replace(path, b"new").unwrap();
            assert_eq!((fs::read(path).unwrap(), mode(path)), (b"new".to_vec(), 0o600), "{}", path.display());
        }
        assert_eq!(fs::read(folder.path().join("target")).unwrap(), b"target");
        assert!(!folder.path().join("made by a link").exists());
    }

    #[test]
    fn what_is_odd_is_neither_appended_to_nor_read() {
        let folder = tempfile::tempdir().unwrap();
        let shared = folder.path().join("shared");
        fs::write(&shared, "").unwrap();
        fs::set_permissions(&shared, Permissions::from_mode(0o662)).unwrap();
        for path in odd_files(folder.path()).iter().chain([&shared]) {
            assert!(append(path, b"more").is_err(), "{}", path.display());
            assert!(open(path, OpenOptions::new().read(true)).is_err(), "{}", path.display());
        }
        assert_eq!(fs::read(folder.path().join("target")).unwrap(), b"target");
        assert!(!folder.path().join("made by a link").exists());
        assert!(open(Path::new("/dev/null"), OpenOptions::new().read(true)).is_err());
        let own = folder.path().join("own");
        append(&own, b"one ").unwrap();
        append(&own, b"two").unwrap();
        assert_eq!((fs::read(&own).unwrap(), mode(&own)), (b"one two".to_vec(), 0o600));
    }

    #[test]
    fn folders_that_others_can_write_to_are_not_ones_own() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("a/b");
        own_folder(&folder).unwrap();
        assert_eq!((mode(&folder), mode(&outer.path().join("a"))), (0o700, 0o700));
        for (mode, is_own) in [(0o755, true), (0o775, false), (0o777, false), (0o1777, false)] {
            fs::set_permissions(&folder, Permissions::from_mode(mode)).unwrap();
            assert_eq!(own_folder(&folder).is_ok(), is_own, "{mode:o}");
        }
        let message = own_folder(&folder).unwrap_err().to_string();
        assert_eq!(message, format!("{} is no folder that only you can write to", folder.display()));
    }
}
