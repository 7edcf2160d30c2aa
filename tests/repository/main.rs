//! Rules for the sources that no compiler checks: which module may use which, that files do not import each other
//! in circles, and the words of names and comments.
#![allow(clippy::panic, clippy::unwrap_used)]

mod circles;
mod imports;
mod layers;
mod sources;
mod wildcards;
mod words;

use sources::SourceFile;
use std::collections::BTreeSet;
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
fn instructions_that_do_not_exist_yet_are_treated_with_care() {
    let instructions: BTreeSet<&str> = tiletc::ir::TABLE.iter().map(|info| info.name).collect();
    let names = |pattern: &[&str]| wildcards::names_instruction(pattern, &instructions);
    let files = sources::below(&root(), wildcards::FOLDERS, &["rs"]);
    report(&wildcards::complaints(&files, wildcards::ALLOWED, &names));

    let text = "
fn a(op: &Op) { match op { Op::Load(_) => 1, Op::Store(op) if op.x => { 2 } _ => 3 } }
fn b(op: &Op) { match &ir[inst].op { Op::Load(_) | Op::Store(_) => match x { _ => 1 }, Op::Size(_) => 2 } }
fn c(op: &Op) { match (op, ty) { (Op::Load(_), Some(ty)) => one(ty), (_, _) => { 2 } } }
fn d(op: &Op) { match op { BinaryOp::Add => 1, _ => 2 } }
fn e(op: &Op) { match op { Op::Load(_) => 1, other => f(other) } }
fn f(op: &Op) { match op { Op::Load(_) => 1, op if op.is() => 2, Op::Store(_) => 3 } }
";
    assert_eq!(wildcards::wildcards(&sample("x.rs", text), &names), ["a", "c", "e"]);
}

#[test]
fn number_types_that_do_not_exist_yet_are_treated_with_care() {
    let files = sources::below(&root(), &["src"], &["rs"]);
    report(&wildcards::complaints(&files, &[], &wildcards::names_scalar));

    let text = "
fn a(ty: Scalar) { match ty { Scalar::F32 => 1, _ => 2 } }
fn b(ty: Scalar) { match ty { Scalar::F32 => 1, Scalar::I8 | Scalar::F64 => match x { _ => 1 } } }
fn c(ty: Scalar) { match (from, ty) { (_, ir::Scalar::Bf16) => { 1 } _ if x => 2, (_, other) => other } }
fn d(ty: Type) { match ty { Type::Scalar(ty) => 1, _ => 2 } }
";
    assert_eq!(wildcards::wildcards(&sample("x.rs", text), &wildcards::names_scalar), ["a", "c"]);
}

#[test]
fn names_and_comments_use_standard_words() {
    let rules = std::fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let banned = words::banned(&rules).unwrap();
    let files = sources::below(&root(), words::FOLDERS, words::EXTENSIONS);
    report(&files.iter().flat_map(|file| words::complaints(file, &banned)).collect::<Vec<_>>());
}

/// Entries of other versions are not used.
#[test]
fn the_table_of_the_recipes_is_of_this_version() {
    let text = std::fs::read_to_string(root().join("tuning/recipes.json")).unwrap();
    let versions: Vec<&str> =
        text.split("\"tiletc\":\"").skip(1).filter_map(|it| it.split('"').next()).collect();
    let wrong = versions.iter().filter(|&&version| version != env!("CARGO_PKG_VERSION")).count();
    assert!(!versions.is_empty(), "tuning/recipes.json has no entries");
    assert_eq!(wrong, 0, "entries of tuning/recipes.json are of another version: run `cargo xtask tune`");
    assert!(text.len() < 200_000, "{} bytes", text.len());
}

/// Files for packagers and readers say the version of the packages.
#[test]
fn there_is_one_version() {
    let version = env!("CARGO_PKG_VERSION");
    for (file, line) in [
        ("CITATION.cff", format!("\nversion: {version}\n")),
        ("packaging/conda/recipe.yaml", format!("\n  version: {version}\n")),
        ("packaging/spack/package.py", format!("\n    version(\"{version}\")\n")),
        ("docs/src/citation.md", format!("\n  version = {{{version}}},\n")),
        ("Cargo.toml", format!("level-zero-sys\", version = \"{version}\"")),
    ] {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        assert!(text.contains(&line), "{file} does not have the version {version}");
    }
}
