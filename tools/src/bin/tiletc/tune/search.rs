//! A search and its end by Ctrl-C.

use super::options::Tune;
use crate::common::Failure;
use crate::progress::Progress;
use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
