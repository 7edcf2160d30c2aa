//! `cargo xtask docs`: builds the manual with mdBook.
//!
//! mdBook is a tool of its own, installed on first use, and not a library of xtask: it is made of more crates than
//! xtask and tiletc together, and everyone who only wants to run the demo or the tests would compile them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::paths::Paths;
use crate::process;

/// The release that the manual is written for.
const MDBOOK_VERSION: &str = "0.5.4";

/// Builds the book and says where it is.
pub fn build(paths: &Paths) -> Result<()> {
    let mdbook = bring(paths)?;
    let book = paths.target.join("docs");
    let mut command = Command::new(mdbook);
    command.arg("build").arg("--dest-dir").arg(&book).arg(paths.repository.join("docs"));
    process::run_quietly("building the manual", &mut command)?;
    println!("{}", book.join("index.html").display());
    Ok(())
}

/// mdBook in the target folder; it is installed unless the right release is there.
fn bring(paths: &Paths) -> Result<PathBuf> {
    let folder = paths.target.join("mdbook");
    let program = folder.join("bin/mdbook");
    if !is_wanted(&program) {
        let version = format!("mdbook@{MDBOOK_VERSION}");
        let mut cargo = paths.cargo(&["install", "--locked", "--force", "--quiet", &version]);
        // Search works without a server; watching files and serving them need none of our time.
        cargo.args(["--no-default-features", "--features", "search", "--root"]).arg(&folder);
        // What mdBook is built from is of no further use.
        cargo.env_remove("CARGO_TARGET_DIR");
        process::run_quietly("installing mdBook (some minutes, once)", &mut cargo)?;
    }
    Ok(program)
}

fn is_wanted(program: &Path) -> bool {
    let version = process::answer(Command::new(program).arg("--version"));
    version.is_some_and(|version| version.trim().ends_with(&format!("v{MDBOOK_VERSION}")))
}
