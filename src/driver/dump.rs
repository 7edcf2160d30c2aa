//! Files of what goes through the compiler: every text, stage and module, in the folder that `TILETC_DUMP` names.
//!
//! A step has a number; the index lists the steps in order. Nothing of this is ever an error of the step: the
//! first file that cannot be written is a warning, and all others go without one.

use crate::files;
use std::fmt::Display;
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Name of the variable that names the folder.
const VARIABLE: &str = "TILETC_DUMP";

static FAILURE: OnceLock<String> = OnceLock::new();

/// Reason why a file was not written, of the first that was not.
pub fn dump_failure() -> Option<&'static str> {
    FAILURE.get().map(String::as_str)
}

/// A step whose files are written.
pub(super) struct Dump {
    folder: &'static PathBuf,
    /// The start of all its files' names: the process and the number of the step.
    prefix: String,
}

fn folder() -> Option<&'static PathBuf> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let from_environment = || {
        let folder = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty())?;
        // The process may change to another folder later.
        Some(std::path::absolute(&folder).unwrap_or_else(|_| folder.into()))
    };
    FOLDER.get_or_init(from_environment).as_ref()
}

impl Dump {
    /// A new step; none unless the environment names a folder.
    pub fn begin() -> Option<Dump> {
        static STEPS: AtomicU64 = AtomicU64::new(1);
        let folder = folder()?;
        let step = STEPS.fetch_add(1, Ordering::Relaxed);
        Some(Dump { folder, prefix: format!("{}-{step:04}", std::process::id()) })
    }

    /// Writes a file of the step and its line in the index, with what it is.
    pub fn write(&self, name: &str, content: &[u8], what: impl Display) {
        let name = format!("{}-{name}", self.prefix);
        if let Err(error) = self.try_write(&name, content, &what) {
            let message = format!("cannot write {name} to {VARIABLE}={}: {error}", self.folder.display());
            if FAILURE.set(message.clone()).is_ok() {
                log::warn!("{message}");
            }
        }
    }

    fn try_write(&self, name: &str, content: &[u8], what: &dyn Display) -> io::Result<()> {
        files::own_folder(self.folder)?;
        files::replace(&self.folder.join(name), content)?;
        files::append(&self.folder.join("index.txt"), format!("{name}\t{what}\n").as_bytes())
    }
}
