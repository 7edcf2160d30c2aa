//! What the shared library exports, what the headers declare, and what the ABI allows.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

type Names = BTreeSet<String>;

/// The shared library that cargo built together with this test.
fn library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().join("libtiletc.so")
}

/// The global symbols, as the linker's own tool lists them.
fn exported() -> Names {
    let output = Command::new("nm").args(["-D", "--defined-only"]).arg(library()).output();
    let output = output.expect("nm comes with the linker");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split_whitespace().last()).map(str::to_owned).collect()
}

/// Names of functions that a header declares: `tiletc_…(` outside of macros and comments.
fn declared(header: &Path) -> Names {
    let text = std::fs::read_to_string(header).unwrap();
    let is_code = |line: &&str| !line.trim_start().starts_with(['/', '*', '#']) && !line.ends_with('\\');
    let code: String = text.lines().filter(is_code).flat_map(|line| [line, "\n"]).collect();
    let ends = code.match_indices('(').map(|(end, _)| &code[..end]);
    ends.map(|before| {
        let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |end| end + 1);
        before[start..].to_owned()
    })
    .filter(|name| name.starts_with("tiletc_"))
    .collect()
}

#[test]
fn exports_are_declared_and_declarations_are_exported() {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include").join("tiletc");
    let mut declarations = Names::new();
    for name in ["tiletc.h", "tiletc_cl.h", "tiletc_ze.h"] {
        let header = include.join(name);
        for name in declared(&header) {
            assert!(declarations.insert(name.clone()), "{name} is declared twice");
        }
    }
    assert_eq!(exported(), declarations);
}

/// What tinytc's interface has no counterpart of.
const BEYOND_TINYTC: [&str; 3] = [
    "tiletc_compiler_context_get_cache_counters",
    "tiletc_compiler_context_set_cache",
    "tiletc_compiler_context_set_keep_names",
];

#[test]
fn only_names_of_the_abi_are_exported() {
    let abi: Names = include_str!("symbols.txt").lines().map(str::to_owned).collect();
    assert_eq!(abi.len(), 250);
    let others: Vec<String> = exported().difference(&abi).cloned().collect();
    assert_eq!(others, BEYOND_TINYTC);
}
