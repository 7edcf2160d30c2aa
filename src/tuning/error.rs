//! Failures of tables.

use std::path::PathBuf;

/// Reason why a table cannot be had or kept.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or its folder.
    #[error("cannot {action} `{}`: {error}", path.display())]
    File {
        /// The call that failed, a verb.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        error: std::io::Error,
    },
    /// A text that is no table.
    #[error("no tuning table: {0}")]
    Malformed(String),
    /// A table of another version of the format.
    #[error("a tuning table of format {found}; this version of tiletc reads format {known}")]
    Foreign {
        /// Its format.
        found: u64,
        /// The format that is read.
        known: u64,
    },
}
