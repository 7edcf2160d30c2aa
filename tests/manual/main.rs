//! The manual: its examples compile, its links lead somewhere, and its tables are complete.
//!
//! Every fenced block of the README and of the folder `docs` whose language is `tensor` is a test. Behind
//! the language may stand what is expected of the program:
//!
//! ```text
//! tensor                          compiles for pvc, reads back after printing, and the module is valid
//! tensor,device=NAME              the same for another device
//! tensor,error=STATUS             is refused with exactly this status, also for a device that is named; the text
//!                                 before names it, too
//! tensor,checked                  passes parser and verifier, and reads back, but no device compiles it
//! tensor,lines                    is checked as lines of the function that the page of conventions shows
//! tensor,spmd-lines               the same, in a parallel region of it
//! tensor,passes=NAME+NAME…        is what these passes make of the example above it, or the last one prints
//! report                          is the report on the refused example above it
//! run                             is what memory holds before and after a run of the example above it, see `runs.rs`
//! console                         is a command of a tool and what it prints, which `tools/tests/manual.rs` compares
//! ```
//!
//! A block of `cpp` must be part of `tests/cpp/manual.cpp`, which is compiled and run with the C++ tests; one of
//! `cpp,file=PATH` is all of that file, from its first include on, and the C++ tests run it, too.
//!
//! `TILETC_BLESS=1` writes the blocks of the last two kinds and the whole files anew: read the difference before
//! you keep it.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::panic)]

mod calling;
#[path = "../common/mod.rs"]
mod common;
mod coverage;
mod cpp;
mod examples;
mod faults;
mod links;
mod names;
mod page;
mod references;
mod runs;
#[path = "../filetests/session.rs"]
#[allow(dead_code, reason = "the suite that it belongs to uses all of it")]
mod session;

use libtest_mimic::{Arguments, Trial};
use page::Page;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Result of a check: nothing, or everything that is wrong.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let blessed = match std::env::var_os("TILETC_BLESS") {
        Some(_) => read_pages(root).and_then(|pages| examples::bless(root, &pages)),
        None => Ok(()),
    };
    let pages = match blessed.and_then(|()| read_pages(root)) {
        Ok(pages) => pages,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    let mut trials = Vec::new();
    for page in pages.iter() {
        trials.extend(examples::trials(page));
        trials.extend(cpp::trials(root, page));
        let links = Arc::clone(&pages);
        let page = page.clone();
        let name = format!("links of {}", page.path);
        trials.push(trial(name, move || links::check(root, &page, &links)));
    }
    trials.extend(coverage::trials(&pages));
    let sections = Arc::clone(&pages);
    trials.push(trial("references to sections", move || references::check(root, &sections)));
    trials.extend(names::trials(root, &pages));
    trials.extend(calling::trials(&pages));
    trials.extend(faults::trials());
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A check as a test.
fn trial(name: impl Into<String>, check: impl FnOnce() -> Outcome + Send + 'static) -> Trial {
    Trial::test(name, move || check().map_err(Into::into))
}

/// Nothing, or the complaints, one a line.
fn outcome(complaints: Vec<String>) -> Outcome {
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

/// The README and all pages below `docs`, in order of their paths.
fn read_pages(root: &Path) -> Result<Arc<[Page]>, String> {
    let mut paths = vec![root.join("README.md")];
    collect(&root.join("docs"), &mut paths);
    paths.sort();
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned();
        Ok(Page::parse(name, &text))
    };
    paths.iter().map(read).collect()
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            into.push(path);
        }
    }
}
