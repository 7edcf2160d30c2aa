//! Work on tables: `tiletc tune list`, `show`, `export`, `import` and `prune`.

use super::candidate::{self, Candidate};
use super::options::{Kept, TableCommand};
use super::report::{attributes, shown};
use crate::common::{Failure, Output};
use crate::table::{show as show_text, table};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tiletc::device::CoreInfo;
use tiletc::status::Status;
use tiletc::tuning::{Entry, Error, Figure, Key, Table};

/// Carries out a command.
pub fn run(command: &TableCommand, output: &mut Output) -> Result<(), Failure> {
    match command {
        TableCommand::List { kept } => list(&read(kept)?, output),
        TableCommand::Show { function, kept } => show(&read(kept)?, function, output),
        TableCommand::Export { file, best, device, kept } => {
            export(file, *best, device.as_deref(), kept, output)
        }
        TableCommand::Import { files, kept } => import(files, kept, output),
        TableCommand::Prune { kept } => prune(kept, output),
    }
}

/// The failure to read or write a table.
pub fn failed(error: Error) -> Failure {
    let status = match error {
        Error::File { .. } => Status::FileIoError,
        Error::Malformed(_) | Error::Foreign { .. } => Status::InvalidArguments,
    };
    Failure::Failed(status, error.to_string())
}

fn read(kept: &Kept) -> Result<Table, Failure> {
    read_file(&kept.given_table()?)
}

/// The table in a file, whose name failures tell.
fn read_file(path: &Path) -> Result<Table, Failure> {
    Table::read(path).map_err(|error| match failed(error) {
        Failure::Failed(status @ Status::InvalidArguments, message) => {
            Failure::Failed(status, format!("`{}`: {message}", path.display()))
        }
        other => other,
    })
}

/// Keeps what is known so far, if there is a file for it.
pub fn keep(path: Option<PathBuf>, candidates: &[Candidate]) -> Result<(), Failure> {
    let Some(path) = path.filter(|_| !candidates.is_empty()) else { return Ok(()) };
    let mut found = Table::default();
    candidate::entries(candidates).into_iter().for_each(|entry| found.insert(entry));
    found.save(&path).map_err(failed)
}

/// The keys of a table in the order of their first entries.
fn keys(table: &Table) -> Vec<&Key> {
    let mut keys: Vec<&Key> = Vec::new();
    for entry in table.entries() {
        if !keys.contains(&&entry.key) {
            keys.push(&entry.key);
        }
    }
    keys
}

/// The entries of a key, the best first.
fn ranked<'a>(table: &'a Table, key: &Key) -> Vec<&'a Entry> {
    let best = table.best(key);
    let mut entries: Vec<&Entry> = table.entries().iter().filter(|entry| entry.key == *key).collect();
    entries.sort_by(|a, b| {
        let ((kind, time), (other_kind, other_time)) = (a.figure.rank(), b.figure.rank());
        let is_best = |entry: &Entry| best == Some(entry);
        is_best(b).cmp(&is_best(a)).then(kind.cmp(&other_kind)).then(time.total_cmp(&other_time))
    });
    entries
}

/// Cells that say what an entry is about.
fn about(entry: &Entry) -> [String; 4] {
    let Key { program, device, driver: _, tiletc } = &entry.key;
    let program = program.chars().take(8).collect();
    [format!("@{}", entry.function), program, device.clone(), tiletc.clone()]
}

/// The definitions and attributes of an entry.
fn config(entry: &Entry) -> String {
    let definitions = entry.definitions.iter().map(|(name, value)| format!("{name}={value} "));
    definitions.collect::<String>() + &attributes(&entry.config)
}

fn value(entry: &Entry) -> Value {
    serde_json::to_value(entry).unwrap_or_default()
}

/// Lists the functions and devices.
fn list(found: &Table, output: &mut Output) -> Result<(), Failure> {
    let (mut rows, mut functions) = (Vec::new(), Vec::new());
    for key in keys(found) {
        let entries = ranked(found, key);
        let Some(first) = entries.first() else { continue };
        let best = found.best(key);
        let of_best = best.map_or_else(
            || ["none is usable".to_owned(), String::new()],
            |best| [shown(&best.figure), config(best)],
        );
        rows.push([&about(first)[..], &[entries.len().to_string()], &of_best].concat());
        functions.push(json!({
            "function": first.function,
            "program": key.program,
            "device": key.device,
            "driver": key.driver,
            "tiletc": key.tiletc,
            "configs": entries.len(),
            "best": best.map(value),
        }));
    }
    let header = ["function", "program", "device", "tiletc", "configs", "time", "best config"];
    let text = if rows.is_empty() { "no entries\n".to_owned() } else { table(&header, rows, &[4]) };
    show_text(output, &text, json!({ "functions": functions }))
}

/// Shows the entries of a function.
fn show(found: &Table, function: &str, output: &mut Output) -> Result<(), Failure> {
    let name = function.strip_prefix('@').unwrap_or(function);
    let is_named = |entry: &&Entry| entry.function == name;
    let is_hash = |entry: &&Entry| !function.is_empty() && entry.key.program.starts_with(function);
    let has_name = found.entries().iter().any(|entry| is_named(&entry));
    let is_meant = |entry: &&Entry| if has_name { is_named(entry) } else { is_hash(entry) };
    let mut entries: Vec<&Entry> = Vec::new();
    for key in keys(found) {
        entries.extend(ranked(found, key).into_iter().filter(|entry| is_meant(entry)));
    }
    if entries.is_empty() {
        let names = found.entries().iter().map(|entry| format!("@{}", entry.function));
        return Err(Failure::usage(format!("there is no function {function} in the table, {}", has(names))));
    }
    let rows = entries.iter().map(|entry| {
        let is_best = found.best(&entry.key) == Some(entry);
        let mark = if is_best { "*" } else { "" };
        let kind = match &entry.figure {
            Figure::Failed(_) => "failed".to_owned(),
            figure @ (Figure::Measured { .. } | Figure::Estimated { .. }) => figure.to_string(),
        };
        let cells = [shown(&entry.figure), config(entry), kind, entry.launch.clone()];
        [&[mark.to_owned()][..], &about(entry), &cells].concat()
    });
    let header = ["best", "function", "program", "device", "tiletc", "time", "config", "known how", "launch"];
    let text = table(&header, rows, &[]);
    let entries: Vec<Value> = entries.into_iter().map(value).collect();
    show_text(output, &text, json!({ "entries": entries }))
}

/// The end of a sentence about what a table has, each once.
fn has(names: impl Iterator<Item = String>) -> String {
    let mut known: Vec<String> = Vec::new();
    for name in names {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    if known.is_empty() { "which is empty".to_owned() } else { format!("which has {}", known.join(", ")) }
}

/// Writes entries to another table.
fn export(
    file: &Path,
    is_best: bool,
    device: Option<&str>,
    kept: &Kept,
    output: &mut Output,
) -> Result<(), Failure> {
    let is_output = file.as_os_str() == "-";
    if is_output && output.is_json() {
        let message = "a table on standard output is JSON by itself; leave --json out, or name a file";
        return Err(Failure::usage(message));
    }
    let source = kept.given_table()?;
    let found = read_file(&source)?;
    let canonical = |path: &Path| path.canonicalize().ok();
    if !is_output && canonical(file).is_some_and(|target| canonical(&source) == Some(target)) {
        let message = format!("`{}` is the table itself; name another file", file.display());
        return Err(Failure::usage(message));
    }
    // A device by its name is one of a design, which is what keys have.
    let design = device.and_then(CoreInfo::from_name).map(|info| Key::new(&[], &info).device);
    let is_meant = |key: &Key| device.is_none_or(|name| design.as_deref().unwrap_or(name) == key.device);
    if let Some(device) = device.filter(|_| !found.entries().iter().any(|entry| is_meant(&entry.key))) {
        let devices = found.entries().iter().map(|entry| entry.key.device.clone());
        let message = format!("there is nothing for the device {device} in the table, {}", has(devices));
        return Err(Failure::usage(message));
    }
    let mut chosen = Table::default();
    let is_chosen =
        |entry: &&Entry| is_meant(&entry.key) && (!is_best || found.best(&entry.key) == Some(entry));
    found.entries().iter().filter(is_chosen).for_each(|entry| chosen.insert(entry.clone()));
    if is_output {
        return crate::common::write_output(chosen.text().as_bytes());
    }
    std::fs::write(file, chosen.text())
        .map_err(|error| failed(Error::File { action: "write", path: file.to_owned(), error }))?;
    let count = chosen.entries().len();
    let text = format!("{count} entries written to {}\n", file.display());
    show_text(output, &text, json!({ "exported": count }))
}

/// Adds the entries of other tables.
fn import(files: &[PathBuf], kept: &Kept, output: &mut Output) -> Result<(), Failure> {
    let path = kept.given_table()?;
    let mut others = Table::default();
    for file in files {
        others.merge(&read_file(file)?);
    }
    // A file that is no table is left alone: who names one here has mistaken it.
    let both = if path.exists() { read_file(&path)? } else { Table::default() };
    let is_new = |entry: &&Entry| both.find(&entry.key, &entry.config).is_none();
    let (count, new) = (others.entries().len(), others.entries().iter().filter(is_new).count());
    others.save(&path).map_err(failed)?;
    let text = format!("{count} entries read, {new} of them new in {}\n", path.display());
    show_text(output, &text, json!({ "imported": count, "new": new }))
}

/// Removes what is of no use.
fn prune(kept: &Kept, output: &mut Output) -> Result<(), Failure> {
    let path = kept.given_table()?;
    // Looked at first: the lock would be left behind where there is no table.
    read_file(&path)?;
    let keeps = |entry: &Entry| {
        entry.key.tiletc == env!("CARGO_PKG_VERSION") && !matches!(entry.figure, Figure::Failed(_))
    };
    let removed = Table::prune(&path, keeps).map_err(failed)?;
    show_text(output, &format!("{removed} entries removed\n"), json!({ "removed": removed }))
}
