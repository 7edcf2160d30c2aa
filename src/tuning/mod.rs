//! Results of tuning: configs of functions, each with the time that it takes, in tables that programs load.
//!
//! A [`Config`] is a set of attributes of a function. An [`Entry`] says what became of a config of a function on a device, and a
//! [`Table`] is a file of them. [`current`] is the table that the compiler consults.
#![forbid(unsafe_code)]

mod compare;
mod config;
mod entry;
mod error;
mod file;
mod table;

pub use compare::Deviation;
pub use config::Config;
pub use entry::{Entry, Figure, Key};
pub use error::Error;
pub use table::{NOISE, Table, best_of};

use crate::environment;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

/// Names the file of the table.
pub const TABLE: &str = "TILETC_TUNING_TABLE";
/// `off` if no table is consulted, `on` if programs that tune themselves may do so, otherwise `lookup`.
const SWITCH: &str = "TILETC_TUNE";

static CURRENT: LazyLock<RwLock<Arc<Table>>> = LazyLock::new(|| RwLock::new(Arc::new(of_environment())));

/// Content of [`SWITCH`], which stays what it was when it was first asked for.
static POSITION: LazyLock<Option<&str>> = LazyLock::new(|| {
    let words = ["off", "on", "lookup"];
    environment::read(SWITCH, "off, on or lookup", |value| words.into_iter().find(|word| value == *word))
});

/// The table that is consulted: that of [`TABLE`], with those that were [added](add).
pub fn current() -> Arc<Table> {
    Arc::clone(&CURRENT.read().unwrap_or_else(PoisonError::into_inner))
}

/// Adds a table to the one that is consulted, unless the environment says that there shall be none.
pub fn add(table: &Table) {
    if is_off() {
        return;
    }
    let mut current = CURRENT.write().unwrap_or_else(PoisonError::into_inner);
    let mut both = Table::clone(&current);
    both.merge(table);
    *current = Arc::new(both);
}

/// Returns whether programs may try configs where no table knows the best.
pub fn is_on() -> bool {
    *POSITION == Some("on")
}

fn is_off() -> bool {
    *POSITION == Some("off")
}

/// The file that keeps what is found, if the environment names one.
pub fn file() -> Option<PathBuf> {
    if is_off() {
        return None;
    }
    std::env::var_os(TABLE).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// The table of the environment; none if it cannot be read, which the log tells.
fn of_environment() -> Table {
    let Some(path) = file() else { return Table::default() };
    Table::read(&path).unwrap_or_else(|error| {
        log::warn!("{TABLE}: {error}");
        Table::default()
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
