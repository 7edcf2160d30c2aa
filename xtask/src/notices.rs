//! `cargo xtask notices`: the licences of the crates that are part of what is installed, with their texts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::paths::Paths;
use crate::process;

const FILE: &str = "packaging/THIRD-PARTY-NOTICES.txt";

/// Starts of the names of files that hold a licence or what it asks to be passed on.
const NAMES: [&str; 5] = ["license", "licence", "copying", "notice", "unlicense"];

const RULE: &str = "--------------------------------------------------------------------------------";

/// Writes the file, or checks that it says what is built.
pub fn write(paths: &Paths, check: bool) -> Result<()> {
    let text = text(paths)?;
    let path = paths.repository.join(FILE);
    if check {
        let found = fs::read_to_string(&path).unwrap_or_default();
        ensure!(found == text, "{FILE} is out of date; write it with `cargo xtask notices`");
        return Ok(());
    }
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Every crate with its licence, then each text with the crates that have it.
fn text(paths: &Paths) -> Result<String> {
    let shipped = shipped(paths)?;
    let mut cargo = paths.cargo(&["metadata", "--format-version", "1", "--locked"]);
    let metadata = process::answer(&mut cargo).context("cargo metadata failed")?;
    let metadata: Value = serde_json::from_str(&metadata).context("cannot read what cargo metadata says")?;
    let mut crates = String::new();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let packages = metadata.get("packages").and_then(Value::as_array);
    let mut packages: Vec<&Value> = packages.into_iter().flatten().collect();
    packages.sort_by_key(|package| package["name"].as_str().map(str::to_owned));
    for package in packages {
        let of = |key: &str| package[key].as_str().unwrap_or_default();
        let name = format!("{} {}", of("name"), of("version"));
        // What has no source is of the project itself.
        if package["source"].is_null() || !shipped.contains(&name) {
            continue;
        }
        writeln!(crates, "{name}: {}", of("license"))?;
        let folder = Path::new(of("manifest_path")).parent().context("a package without a folder")?;
        let found = licences(folder)?;
        ensure!(!found.is_empty() || !of("license").is_empty(), "{name} says nothing of its licence");
        for text in found {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    let mut text = format!(
        "libtiletc, the tools and the virtual GPU contain these crates, each under the licence behind its name. Of several\n\
         licences between OR, any may be chosen. The texts that come with the crates stand below.\n\n{crates}"
    );
    let mut texts: Vec<(String, Vec<String>)> = texts.into_iter().collect();
    texts.sort_by(|a, b| a.1.cmp(&b.1).then(a.0.cmp(&b.0)));
    for (licence, names) in texts {
        write!(text, "\n{RULE}\n{}\n{RULE}\n\n{licence}\n", names.join(", "))?;
    }
    Ok(text)
}

/// Names and versions of what is linked into the installed files.
fn shipped(paths: &Paths) -> Result<BTreeSet<String>> {
    let mut cargo = paths.cargo(&["tree", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "none"]);
    cargo.args(["--target", "x86_64-unknown-linux-gnu", "--format", "{p}"]);
    cargo.args(["--package", "tiletc", "--package", "tiletc-tools", "--package", "virtual-xe-level-zero"]);
    let tree = process::answer(&mut cargo).context("cargo tree failed")?;
    let name = |line: &str| {
        let mut words = line.split(' ');
        Some(format!("{} {}", words.next()?, words.next()?.strip_prefix('v')?))
    };
    Ok(tree.lines().filter_map(name).collect())
}

/// The texts of licences in the folder of a package, without blanks at the ends of lines.
fn licences(folder: &Path) -> Result<BTreeSet<String>> {
    let mut texts = BTreeSet::new();
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if path.is_file() && NAMES.iter().any(|start| name.starts_with(start)) {
            let text =
                fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
            texts.insert(lines.join("\n").trim_matches('\n').to_owned());
        }
    }
    Ok(texts)
}
