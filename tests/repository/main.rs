//! Rules for the sources that no compiler checks: which module may use which, that files do not import each other
//! in circles, and the words of names and comments.
#![allow(clippy::panic, clippy::unwrap_used)]

mod circles;
mod imports;
mod layers;
mod sources;
mod words;

use sources::SourceFile;
use std::path::{Path, PathBuf};

/// The checkout.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// Fails with all complaints, one a line.
fn report(complaints: &[String]) {
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

/// A file for the tests of the checks themselves.
fn sample(path: &str, text: &str) -> SourceFile {
    SourceFile { path: path.to_owned(), text: text.to_owned() }
}

#[test]
fn modules_use_only_what_the_architecture_allows() {
    let table = std::fs::read_to_string(root().join("docs/ARCHITECTURE.md")).unwrap();
    report(&layers::breaches(&table, &sources::below(&root(), &["src", "virtual-xe/src"], &["rs"])));
}

#[test]
fn files_do_not_import_each_other_in_circles() {
    for crate_root in ["src", "tools/src/bin/tiletc"] {
        report(&circles::circles(crate_root, &sources::below(&root(), &[crate_root], &["rs"])));
    }
}

#[test]
fn names_and_comments_use_standard_words() {
    let rules = std::fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let banned = words::banned(&rules).unwrap();
    let files = sources::below(&root(), words::FOLDERS, words::EXTENSIONS);
    report(&files.iter().flat_map(|file| words::complaints(file, &banned)).collect::<Vec<_>>());
}
