//! Programs as files: a text in, a text out.
//!
//! Every `*.ir` file below this folder is a test. Comments at its start say what is done with it:
//!
//! ```text
//! ; run: print                        parse and print
//! ; run: opt -p PASS … [options]      run passes and print
//! ; run: compile [options]            compile and show the SPIR-V assembly
//! ; run: refuse                       the parser must refuse it
//! ; run: refuse opt -p PASS …         the last of the passes must refuse it
//! ; run: refuse compile [options]     the compiler must refuse it
//! ```
//!
//! Options are those of the tools: `-d DEVICE`, `-O LEVEL`, `-f [no-]unsafe-fp-math`,
//! `-F large-register-file`, `--keep-names`, and `--keep-lines`; besides, `--without FEATURE` takes one away from the
//! device. The output must be the comments at the end of the file, behind an empty line:
//!
//! ```text
//! ; output:                           of several `run` lines, `; output: LINE` for each
//! ; func @f() {
//! ; }
//! ```
//!
//! Where every `run` line is refused, a line has status, place and message of the error, and those of its notes; of
//! several `run` lines, a line for each if they differ:
//!
//! ```text
//! ; error: STATUS PLACE: MESSAGE | PLACE: MESSAGE
//! ```
//!
//! Some files, of which each status has one, have `; output:` all the same, and the whole reports behind it.
//!
//! `cargo test --test filetests -- --bless [NAME]` (or `TILETC_BLESS=1`) writes them anew, in the form that the file has:
//! read the difference before you keep it, the manual says what is right.
//!
//! Besides, every program that the parser accepts must be the same after printing and parsing, and must
//! compile for every device, see [`devices`], unless a comment excuses it:
//!
//! ```text
//! ; devices: none                     there is no compiled form
//! ; devices: FEATURE                  where the feature is missing the compiler must say so
//! ; devices: or STATUS                some devices may refuse it, with this status
//! ```
//!
//! No module asks for a capability or extension in vain, see [`minimal`].
//!
//! In the programs in `kernels/` and those on barriers in `passes/` no barrier may be missing and none may be
//! too many, see [`barriers`].
//!
//! A program may be the end of another file, a template whose definitions stand in this one:
//!
//! ```text
//! ; include: FILE                     path in the project
//! ```
//!
//! A program whose size is limited says how many bytes its module may have:
//!
//! ```text
//! ; bytes: N
//! ```
//!
//! The programs in `kernels/` show the schedule that `opt -p work-group-size` writes into attributes. They must also pass
//! Intel's offline compiler without spills, see [`igc`]. Where one is known to spill a comment says so, until it no longer
//! does:
//!
//! ```text
//! ; spills: DEVICE DEVICE …
//! ; isa: DEVICE KEY>=NUMBER KEY<=NUMBER …
//! ```
//!
//! What it makes of the products is a table of the manual, see [`binaries`].
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod barriers;
mod binaries;
mod devices;
mod directives;
mod generated;
mod igc;
mod minimal;
mod mutations;
mod outcome;
mod printed;
mod session;
#[allow(dead_code, reason = "words are validated here")]
#[path = "../conformance/valid.rs"]
mod valid;

use directives::Case;
use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    let (bless, rest): (Vec<String>, Vec<String>) = std::env::args().partition(|word| word == "--bless");
    let arguments = Arguments::from_iter(rest);
    let blesses = !bless.is_empty() || std::env::var_os("TILETC_BLESS").is_some();
    let expected = if blesses { outcome::bless } else { outcome::check };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let mut paths = Vec::new();
    collect(&root, &mut paths);
    paths.sort();
    let mut trials = Vec::new();
    let mut cases = Vec::new();
    for path in paths {
        let name = path.strip_prefix(&root).unwrap_or(&path).with_extension("");
        let name = name.to_string_lossy().into_owned();
        match Case::read(&path) {
            Ok(case) => {
                let case = Arc::new(case);
                cases.push(Arc::clone(&case));
                let run = |test: fn(&Case) -> Result<(), String>| {
                    let case = Arc::clone(&case);
                    move || test(&case).map_err(Into::into)
                };
                trials.push(Trial::test(name.clone(), run(expected)));
                if case.is_accepted() {
                    let test = run(|case| printed::reads_back(&case.name(), &case.text));
                    trials.push(Trial::test(format!("{name}: reads back"), test));
                }
                if case.is_accepted() && case.devices != directives::Devices::None {
                    trials.push(Trial::test(format!("{name}: every device"), run(devices::check)));
                    trials.push(Trial::test(format!("{name}: nothing in vain"), run(minimal::check)));
                }
                if case.is_accepted() && (name.starts_with("kernels") || name.starts_with("passes/barrier")) {
                    trials.push(Trial::test(format!("{name}: no barrier too many"), run(barriers::check)));
                }
                if name.starts_with("kernels") {
                    trials.extend(igc::trials(&name, &case));
                }
            }
            Err(message) => trials.push(Trial::test(name, move || Err(message.into()))),
        }
    }
    trials.extend(generated::trials());
    trials.push(mutations::trial(&cases));
    trials.push(binaries::trial(&cases, blesses));
    trials.push(Trial::test("generated/no_barrier_too_many", || Ok(barriers::check_generated()?)));
    if igc::script().is_none() {
        println!("SKIPPED: the tests with Intel's offline compiler; TILETC_IGC does not name the script");
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// All programs below a folder.
fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "ir") {
            into.push(path);
        }
    }
}
