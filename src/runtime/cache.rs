//! Native binaries on disk, so that a program that has been built once need not be built again.
//!
//! A [`Cache`] never fails: what cannot be read is built, and what cannot be written is not kept. Who else
//! uses the folder, and what else lies in it, does not matter.

mod entry;
mod key;
mod store;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

pub use self::key::Key;
use self::store::{Found, Store};
use crate::environment;

/// Outcomes for the binaries that a [`Cache`] was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Binaries that were found and that the driver took.
    pub hits: u64,
    /// Binaries that had to be built.
    pub misses: u64,
    /// Of those, the ones that are now kept.
    pub stored: u64,
    /// Entries that were removed to keep the bound.
    pub evicted: u64,
    /// Entries that were removed because they were damaged or because the driver refused them.
    pub rejected: u64,
}

/// A folder of native binaries with a bound on its size.
#[derive(Debug)]
pub struct Cache {
    store: Store,
    hits: AtomicU64,
    misses: AtomicU64,
    stored: AtomicU64,
    evicted: AtomicU64,
    rejected: AtomicU64,
}

impl Cache {
    /// The bound unless another one is asked for, in bytes.
    pub const DEFAULT_MAX_BYTES: u64 = 256 << 20;

    /// A cache in the folder, which is made when there is something to keep. The files of all entries together
    /// take at most `max_bytes`, or for 0 [`Cache::DEFAULT_MAX_BYTES`].
    pub fn new(folder: PathBuf, max_bytes: u64) -> Cache {
        // The process may change to another folder later.
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        let max_bytes = if max_bytes == 0 { Cache::DEFAULT_MAX_BYTES } else { max_bytes };
        Cache {
            store: Store::new(folder, max_bytes),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
            stored: AtomicU64::new(0),
            evicted: AtomicU64::new(0),
            rejected: AtomicU64::new(0),
        }
    }

    /// The cache in the folder that `TILETC_CACHE_DIR` names, with the bound `TILETC_CACHE_MAX_BYTES`; none if
    /// no folder is named.
    pub fn from_environment() -> Option<Cache> {
        let folder = environment::read("TILETC_CACHE_DIR", "a folder, or a name for one", |folder| {
            let folder = PathBuf::from(folder);
            (folder.is_dir() || !folder.exists()).then_some(folder)
        })?;
        let max_bytes = environment::read("TILETC_CACHE_MAX_BYTES", "a number of bytes", |bound| {
            bound.to_str()?.parse().ok()
        });
        Some(Cache::new(folder, max_bytes.unwrap_or_default()))
    }

    /// Outcomes so far.
    pub fn counters(&self) -> Counters {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counters {
            hits: read(&self.hits),
            misses: read(&self.misses),
            stored: read(&self.stored),
            evicted: read(&self.evicted),
            rejected: read(&self.rejected),
        }
    }

    /// Loads the binary of the key, or builds and keeps it.
    ///
    /// `load` makes a bundle of a binary, or returns `None` if the driver refuses it; `build` makes the bundle
    /// from its origin; `native` is the binary of a bundle, `None` if it cannot be had.
    ///
    /// # Errors
    /// Only those of `build`.
    pub fn get_or_build<B, E>(
        &self,
        key: &Key,
        load: impl FnOnce(Vec<u8>) -> Option<B>,
        build: impl FnOnce() -> Result<B, E>,
        native: impl FnOnce(&B) -> Option<Vec<u8>>,
    ) -> Result<B, E> {
        match self.store.get(key) {
            Found::Binary(binary) => {
                if let Some(bundle) = load(binary) {
                    count(&self.hits, 1);
                    return Ok(bundle);
                }
                self.store.remove(key);
                count(&self.rejected, 1);
                log::warn!("the driver refuses a binary of the cache, which is removed");
            }
            Found::Damaged => {
                count(&self.rejected, 1);
                log::warn!("an entry of the cache is damaged, and removed");
            }
            Found::Nothing => {}
        }
        count(&self.misses, 1);
        log::info!("cache miss");
        let bundle = build()?;
        // A driver that has nothing to give has nothing to be kept.
        let binary = native(&bundle).filter(|binary| !binary.is_empty());
        if let Some(Ok(evicted)) = binary.map(|binary| self.store.put(key, &binary)) {
            count(&self.stored, 1);
            count(&self.evicted, evicted);
        }
        Ok(bundle)
    }
}

fn count(counter: &AtomicU64, more: u64) {
    counter.fetch_add(more, Ordering::Relaxed);
}
