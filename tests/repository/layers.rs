//! Dependences between modules, as the table in `docs/ARCHITECTURE.md` says.

use crate::imports::Crate;
use crate::sources::SourceFile;
use std::collections::{BTreeMap, BTreeSet};

/// The heading above the table.
const HEADING: &str = "## Who may depend on whom";
/// The module that all others may use.
const FOR_ALL: &str = "status";
/// The simulator, which knows nothing of the compiler.
const SIMULATOR: &str = "virtual-xe";

/// The modules that each module may use. The rows of other packages are there, too.
fn rows(page: &str) -> Result<BTreeMap<&str, BTreeSet<&str>>, String> {
    let table = page.split_once(HEADING).ok_or_else(|| format!("there is no heading `{HEADING}`"))?.1;
    let lines =
        table.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let rows = lines.skip(2).map(|line| {
        let mut cells = line.trim_matches('|').split('|');
        let (name, uses) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
        let name = code(name).next().ok_or_else(|| format!("no module in the row `{line}`"))?;
        Ok((name, code(uses).collect()))
    });
    let rows: BTreeMap<&str, BTreeSet<&str>> = rows.collect::<Result<_, String>>()?;
    let unknown = |name: &&str| !rows.contains_key(name);
    match rows.values().flatten().copied().find(unknown) {
        Some(name) => Err(format!("the table allows `{name}`, which has no row")),
        None => Ok(rows),
    }
}

/// Words that are marked as code in a cell.
fn code(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Every use that the table does not allow, and modules without a row.
pub fn breaches(page: &str, files: &[SourceFile]) -> Vec<String> {
    let rows = match rows(page) {
        Ok(rows) => rows,
        Err(error) => return vec![error],
    };
    let mut found = Vec::new();
    for (path, used) in Crate::read("src", files).modules_used() {
        let inside = path.trim_start_matches("src/");
        let module = inside.split('/').next().unwrap_or(inside).trim_end_matches(".rs");
        if ["lib", FOR_ALL].contains(&module) {
            let of_status = used.keys().filter(|used| module == FOR_ALL && **used != FOR_ALL);
            found.extend(
                of_status.map(|used| format!("{path}: `{module}` uses `{used}`; it may use no module")),
            );
            continue;
        }
        let Some(allowed) = rows.get(module) else {
            found.push(format!("{path}: `{module}` has no row in the table of docs/ARCHITECTURE.md"));
            continue;
        };
        for (name, use_path) in used {
            if name != module && name != FOR_ALL && !allowed.contains(name) {
                let text = use_path.join("::");
                found.push(format!(
                    "{path}: `{module}` uses `{name}` ({text}), which docs/ARCHITECTURE.md does not allow"
                ));
            }
        }
    }
    let simulator = files.iter().filter(|file| file.path.starts_with(&format!("{SIMULATOR}/src/")));
    for file in simulator.filter(|file| crate::sources::tokens(&file.text).contains(&"tiletc")) {
        found.push(format!("{}: `{SIMULATOR}` names `tiletc`", file.path));
    }
    found
}

#[test]
fn planted_breaches_are_found() {
    let page = format!(
        "{HEADING}\n\n| module | may use | never |\n| --- | --- | --- |\n| `ir` | | |\n| `passes` | `ir` | |\n\n| `spirv` | | |"
    );
    let files = |text: &str| {
        let names = ["lib.rs", "ir/mod.rs", "spirv.rs", "status.rs"].map(|name| (name, ""));
        let names = names.into_iter().chain([("passes/fold/mod.rs", text), ("passes/mod.rs", "")]);
        names.map(|(name, text)| crate::sample(&format!("src/{name}"), text)).collect::<Vec<_>>()
    };
    let of_passes = |text: &str| {
        let found = breaches(&page, &files(text));
        // `spirv` stands outside of the table.
        found.into_iter().filter(|line| !line.starts_with("src/spirv.rs")).collect::<Vec<_>>()
    };
    assert_eq!(breaches(&page, &files("")).len(), 1);
    assert_eq!(
        of_passes("use crate::ir::{self, Value}; use crate::status::Status; use super::Error;"),
        [""; 0]
    );
    for text in [
        "use crate::spirv::Module;",
        "use crate::{ir::{Ir, Op as O}, spirv};",
        "fn f() -> crate::spirv::Module {}",
        "use super::super::spirv::*;",
        "pub use crate::ir; impl A for super::super::spirv::B {}",
    ] {
        let found = of_passes(text);
        assert!(
            found.len() == 1 && found.iter().all(|line| line.contains("`passes` uses `spirv`")),
            "{text}: {found:?}"
        );
    }
    assert!(breaches("no table", &files("")).concat().contains("no heading"));
    assert!(breaches(&page.replace("`ir` | |\n\n", "`irr` | |\n\n"), &files("")).concat().contains("`irr`"));
    let files = [crate::sample("virtual-xe/src/lib.rs", "use tiletc::ir::Ir;")];
    assert_eq!(breaches(&page, &files).len(), 1);
}
