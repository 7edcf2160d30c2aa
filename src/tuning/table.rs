//! Tables of entries.

use super::config::Config;
use super::entry::{Entry, Figure, Key};
use super::error::Error;
use super::file;
use serde::Serialize as _;
use serde_json::{Value, json};
use std::io;
use std::path::Path;

/// Version of the format.
const FORMAT: u64 = 1;
/// Share of a time within which two are the same, so that the config that was tried first is the better one.
pub const NOISE: f64 = 0.01;

/// Entries in the order in which their configs were tried.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    entries: Vec<Entry>,
}

impl Table {
    /// The table in a text. Entries that this version does not understand are left out.
    ///
    /// # Errors
    /// [`Error::Malformed`] and [`Error::Foreign`].
    pub fn parse(text: &[u8]) -> Result<Table, Error> {
        let table: Value =
            serde_json::from_slice(text).map_err(|error| Error::Malformed(error.to_string()))?;
        let format = table.get("format").and_then(Value::as_u64);
        let found = format.ok_or_else(|| Error::Malformed("there is no number `format`".to_owned()))?;
        if found != FORMAT {
            return Err(Error::Foreign { found, known: FORMAT });
        }
        let entries = table.get("entries").and_then(Value::as_array);
        let entries = entries.ok_or_else(|| Error::Malformed("there is no list `entries`".to_owned()))?;
        let mut read = Table::default();
        for entry in entries {
            match serde_json::from_value(entry.clone()) {
                Ok(entry) => read.insert(entry),
                Err(error) => log::info!("an entry of a tuning table is left out: {error}"),
            }
        }
        Ok(read)
    }

    /// The table in a file.
    ///
    /// # Errors
    /// If it cannot be read; as for [`Table::parse`].
    pub fn read(path: &Path) -> Result<Table, Error> {
        let read = std::fs::read(path);
        Table::parse(&read.map_err(|error| Error::File { action: "read", path: path.to_owned(), error })?)
    }

    /// Adds the entries to those of a file, which is made if there is none; a file that is no table stays as it is, unless it is
    /// empty. Processes that do so at once keep each other's entries.
    ///
    /// # Errors
    /// If it cannot be written, or is no table; [`Error::Foreign`].
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        file::update(path, |old| {
            let old = old.unwrap_or_default();
            let parsed = if old.trim_ascii().is_empty() { Ok(Table::default()) } else { Table::parse(old) };
            let mut table = parsed.map_err(|error| match error {
                error @ Error::Malformed(_) => {
                    Error::File { action: "add to", path: path.to_owned(), error: io::Error::other(error) }
                }
                error @ (Error::File { .. } | Error::Foreign { .. }) => error,
            })?;
            table.merge(self);
            Ok(table.text())
        })
    }

    /// Takes entries out of a file: those for which `keeps` is false. Returns their number.
    ///
    /// # Errors
    /// As for [`Table::read`] and [`Table::save`].
    pub fn prune(path: &Path, keeps: impl Fn(&Entry) -> bool) -> Result<usize, Error> {
        let mut removed = 0;
        file::update(path, |old| {
            let mut table = Table::parse(old.unwrap_or_default())?;
            let before = table.entries.len();
            table.entries.retain(&keeps);
            removed = before - table.entries.len();
            Ok(table.text())
        })?;
        Ok(removed)
    }

    /// The text of the table: JSON, an entry a line.
    pub fn text(&self) -> String {
        let line =
            |entry: &Entry| entry.serialize(serde_json::value::Serializer).unwrap_or_default().to_string();
        let lines: Vec<String> = self.entries.iter().map(line).collect();
        let version = json!(FORMAT);
        format!("{{\"format\": {version}, \"entries\": [\n{}\n]}}\n", lines.join(",\n"))
    }

    /// Adds an entry; one of the same config is replaced, unless that was measured and the new one is not, or has too few samples.
    /// Entries of another launch give way, unless they were measured and the new one is not.
    pub fn insert(&mut self, entry: Entry) {
        let is_measured = |entry: &Entry| matches!(entry.figure, Figure::Measured { .. });
        let is_other = |other: &Entry| entry.is_of_other_launch(other);
        if !is_measured(&entry) && self.entries.iter().any(|other| is_other(other) && is_measured(other)) {
            return;
        }
        self.entries.retain(|other| !is_other(other));
        match self.entries.iter_mut().find(|other| other.is_same_config(&entry)) {
            Some(other) if entry.figure.is_less_sure_than(&other.figure) => {}
            Some(other) => *other = entry,
            None => self.entries.push(entry),
        }
    }

    /// Adds the entries of another table.
    pub fn merge(&mut self, other: &Table) {
        other.entries.iter().for_each(|entry| self.insert(entry.clone()));
    }

    /// The entries.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries that count for a key: those with its driver if anything was measured with that, or else those with any.
    fn of(&self, key: &Key) -> impl Iterator<Item = &Entry> {
        let is_measured = |entry: &Entry| matches!(entry.figure, Figure::Measured { .. });
        let has_driver = self.entries.iter().any(|entry| entry.key == *key && is_measured(entry));
        let (key, any) = (key.clone(), key.of_any_driver());
        self.entries.iter().filter(move |entry| match has_driver {
            true => entry.key == key,
            false => entry.key.of_any_driver() == any,
        })
    }

    /// The best config of a key: by what was measured with the driver of the key, or if nothing was, by all that is known.
    pub fn best(&self, key: &Key) -> Option<&Entry> {
        best_of(self.of(key))
    }

    /// The entry of a config.
    pub fn find(&self, key: &Key, config: &Config) -> Option<&Entry> {
        self.entries.iter().find(|entry| (&entry.key, &entry.config) == (key, config))
    }

    /// The entry of a config among those that [`Table::best`] chooses from.
    pub fn find_of_any_driver(&self, key: &Key, config: &Config) -> Option<&Entry> {
        let of_config = || self.of(key).filter(|entry| entry.config == *config);
        best_of(of_config()).or_else(|| of_config().next())
    }
}

/// The best entry: by what was measured if anything was, otherwise by what was estimated; of those that take the same time, the first.
pub fn best_of<'a>(entries: impl Iterator<Item = &'a Entry>) -> Option<&'a Entry> {
    let entries: Vec<&Entry> = entries.collect();
    let measured = |entry: &Entry| match entry.figure {
        Figure::Measured { seconds, .. } => Some(seconds),
        Figure::Estimated { .. } | Figure::Failed(_) => None,
    };
    let estimated = |entry: &Entry| match entry.figure {
        Figure::Estimated { cycles } => Some(cycles),
        Figure::Measured { .. } | Figure::Failed(_) => None,
    };
    first_of_best(&entries, measured).or_else(|| first_of_best(&entries, estimated))
}

/// The first entry whose figure is as good as the best.
fn first_of_best<'a>(entries: &[&'a Entry], figure: impl Fn(&Entry) -> Option<f64>) -> Option<&'a Entry> {
    let best = entries.iter().filter_map(|entry| figure(entry)).min_by(f64::total_cmp)?;
    let is_as_good = |entry: &&&Entry| figure(entry).is_some_and(|it| it <= best * (1.0 + NOISE));
    entries.iter().find(is_as_good).copied()
}
