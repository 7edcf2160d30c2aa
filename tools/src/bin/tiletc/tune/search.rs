//! A search and its end by Ctrl-C.

use super::options::Tune;
use crate::common::Failure;
use crate::progress::Progress;
use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;
use tiletc::runtime::cache::Cache;
use tiletc::status::Status;

/// Exit code of a search that Ctrl-C has ended, as shells have it for the signal.
pub const INTERRUPTED: u8 = 130;

/// A search: what the command line asks for.
pub struct Search<'a> {
    /// The options.
    pub tune: &'a Tune,
    /// The program's file.
    pub file: &'a Path,
    /// End of the search before its time.
    pub interruption: Interruption,
    /// Builds of the driver.
    pub builds: Builds,
}

/// Builds of the driver, which some configs need more than once: in the cache of the environment, or else in one that ends with the search.
pub struct Builds {
    /// The cache, unless there is no place for one.
    pub cache: Option<Cache>,
    _folder: Option<TempDir>,
}

impl Builds {
    /// The builds of a search, of which there are none yet.
    pub fn open() -> Builds {
        if let Some(cache) = Cache::from_environment() {
            return Builds { cache: Some(cache), _folder: None };
        }
        let folder = tempfile::tempdir().ok();
        let cache = folder.as_ref().map(|folder| Cache::new(folder.path().into(), 0));
        Builds { cache, _folder: folder }
    }
}

/// Ctrl-C: the first one ends a search after the step that is under way, the second one kills.
pub struct Interruption(Arc<AtomicBool>);

impl Interruption {
    /// Waits for Ctrl-C from here on.
    ///
    /// # Errors
    /// If the system has no signals.
    pub fn watch() -> Result<Interruption, Failure> {
        let has_come = Arc::new(AtomicBool::new(false));
        // They are called in that order, so that the first signal finds that none has come.
        flag::register_conditional_default(SIGINT, Arc::clone(&has_come))
            .and_then(|_| flag::register(SIGINT, Arc::clone(&has_come)))
            .map_err(|error| {
                Failure::Failed(Status::RuntimeError, format!("cannot wait for Ctrl-C: {error}"))
            })?;
        Ok(Interruption(has_come))
    }

    /// Returns whether the search is to end.
    pub fn has_come(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Function for [`driver::for_each`](tiletc::driver::for_each) that shows progress and goes on until then.
    pub fn watch_with<'a>(&'a self, progress: &'a Progress) -> impl Fn(usize, usize) -> bool + Sync + 'a {
        |done, all| {
            progress.count(done, all);
            !self.has_come()
        }
    }
}
