//! The folder of the cache. It is shared with other processes, any of which may write and remove entries at any
//! time, so nothing of it is remembered from one call to the next.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::entry;
use super::key::Key;
use crate::files;

/// End of the name of an entry, after the key.
const SUFFIX: &str = ".tiletc";
/// Start of the name of a file that is not yet an entry.
const TEMPORARY_PREFIX: &str = "tiletc-";
/// Its end.
const TEMPORARY_SUFFIX: &str = ".tmp";
/// After that time the process that was to rename a temporary file is taken for dead.
const TEMPORARY_AGE: Duration = Duration::from_secs(60 * 60);

/// A folder of entries.
#[derive(Debug)]
pub(super) struct Store {
    folder: PathBuf,
    max_bytes: u64,
}

/// Result of looking a key up.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The binary.
    Binary(Vec<u8>),
    /// A file that is no entry; it has been removed.
    Damaged,
    /// Nothing, or nothing that is ours.
    Nothing,
}

/// A file of the cache as the folder lists it.
struct Listed {
    path: PathBuf,
    size: u64,
    last_used: SystemTime,
}

impl Store {
    pub(super) fn new(folder: PathBuf, max_bytes: u64) -> Store {
        Store { folder, max_bytes }
    }

    /// Looks for an entry, which is then the one used last.
    pub(super) fn get(&self, key: &Key) -> Found {
        let path = self.path(key);
        let Ok(file) = self.read(&path) else { return Found::Nothing };
        match entry::decode(key, &file) {
            Some(binary) => Found::Binary(binary.to_vec()),
            None => {
                remove(&path);
                Found::Damaged
            }
        }
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        // It is code that will run.
        let mut file = files::open(path, OpenOptions::new().read(true))?;
        if file.metadata()?.len() > self.max_bytes {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        // If that fails, the entry is evicted sooner than it deserves.
        let _ = file.set_modified(SystemTime::now());
        Ok(bytes)
    }

    /// Adds an entry, then removes those used least recently until the bound holds; returns how many.
    ///
    /// Since every process looks at the folder after it has added its entry, the bound holds once all are done.
    pub(super) fn put(&self, key: &Key, binary: &[u8]) -> io::Result<u64> {
        let bytes = entry::encode(key, binary);
        if u64::try_from(bytes.len()).is_ok_and(|size| size > self.max_bytes) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        files::create_folder(&self.folder)?;
        let mut file = tempfile::Builder::new()
            .prefix(TEMPORARY_PREFIX)
            .suffix(TEMPORARY_SUFFIX)
            .tempfile_in(&self.folder)?;
        file.write_all(&bytes)?;
        let path = self.path(key);
        file.persist(&path)?;
        Ok(self.evict(&path))
    }

    /// Removes an entry.
    pub(super) fn remove(&self, key: &Key) {
        remove(&self.path(key));
    }

    fn evict(&self, newest: &Path) -> u64 {
        let mut entries = self.entries();
        let mut total: u64 = entries.iter().map(|entry| entry.size).sum();
        entries.sort_by(|a, b| (a.last_used, &a.path).cmp(&(b.last_used, &b.path)));
        let mut evicted = 0;
        for entry in entries.iter().filter(|entry| entry.path != newest) {
            if total <= self.max_bytes {
                break;
            }
            total = total.saturating_sub(entry.size);
            evicted += u64::from(remove(&entry.path));
        }
        evicted
    }

    /// All entries; temporary files that nobody will rename any more are removed on the way.
    fn entries(&self) -> Vec<Listed> {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut entries = Vec::new();
        for file in files {
            // What another process has removed meanwhile is of no interest.
            let Ok(metadata) = file.metadata() else { continue };
            let Ok(last_used) = metadata.modified() else { continue };
            let (name, path) = (file.file_name(), file.path());
            let Some(name) = name.to_str().filter(|_| metadata.is_file()) else { continue };
            if is_entry_name(name) {
                entries.push(Listed { path, size: metadata.len(), last_used });
            } else if is_temporary_name(name) && last_used.elapsed().is_ok_and(|age| age > TEMPORARY_AGE) {
                remove(&path);
            }
        }
        entries
    }

    pub(super) fn path(&self, key: &Key) -> PathBuf {
        self.folder.join(format!("{key}{SUFFIX}"))
    }
}

fn is_entry_name(name: &str) -> bool {
    name.strip_suffix(SUFFIX).is_some_and(|key| {
        key.len() == 2 * Key::SIZE && key.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
    })
}

fn is_temporary_name(name: &str) -> bool {
    name.starts_with(TEMPORARY_PREFIX) && name.ends_with(TEMPORARY_SUFFIX)
}

/// Removes a file, unless somebody else has done so or it cannot be done.
fn remove(path: &Path) -> bool {
    fs::remove_file(path).is_ok()
}
