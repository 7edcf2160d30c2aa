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

/// A row of the table.
struct Row<'p> {
    /// The modules that the module may use.
    uses: BTreeSet<&'p str>,
    /// Names of other modules that it hands on.
    hands_on: BTreeSet<&'p str>,
}

/// The rows of the modules, and those of other packages.
fn rows(page: &str) -> Result<BTreeMap<&str, Row<'_>>, String> {
    let table = page.split_once(HEADING).ok_or_else(|| format!("there is no heading `{HEADING}`"))?.1;
    let lines =
        table.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let rows = lines.skip(2).map(|line| {
        let mut cells = line.trim_matches('|').split('|');
        let mut cell = |place: usize| cells.nth(place).unwrap_or_default();
        let (name, uses, hands_on) = (cell(0), cell(0), cell(1));
        let name = code(name).next().ok_or_else(|| format!("no module in the row `{line}`"))?;
        Ok((name, Row { uses: code(uses).collect(), hands_on: code(hands_on).collect() }))
    });
    let rows: BTreeMap<&str, Row<'_>> = rows.collect::<Result<_, String>>()?;
    let unknown = |name: &&str| !rows.contains_key(name);
    match rows.values().flat_map(|row| &row.uses).copied().find(unknown) {
        Some(name) => Err(format!("the table allows `{name}`, which has no row")),
        None => Ok(rows),
    }
}

/// Words that are marked as code in a cell.
fn code(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Names of other modules that a module hands on, where the table has others.
fn handed_on(rows: &BTreeMap<&str, Row<'_>>, sources: &Crate<'_>) -> Vec<String> {
    let found = sources.handed_on();
    let complaints = rows.iter().filter_map(|(module, row)| {
        let found: BTreeSet<&str> = found.get(*module).into_iter().flatten().map(String::as_str).collect();
        (found != row.hands_on)
            .then(|| format!("`{module}` hands on {found:?}, docs/ARCHITECTURE.md says {:?}", row.hands_on))
    });
    complaints.collect()
}

/// Every use that the table does not allow, modules without a row, and what is handed on otherwise than it says.
pub fn breaches(page: &str, files: &[SourceFile]) -> Vec<String> {
    let rows = match rows(page) {
        Ok(rows) => rows,
        Err(error) => return vec![error],
    };
    let sources = Crate::read("src", files);
    let mut found = handed_on(&rows, &sources);
    for (path, used) in sources.modules_used() {
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
            if name != module && name != FOR_ALL && !allowed.uses.contains(name) {
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
        "{HEADING}\n\n| module | may use | never | hands on |\n| --- | --- | --- | --- |\n| `ir` | | | |\n\
         | `passes` | `ir` | | `ir::Value` |\n\n| `spirv` | | | |"
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
    let hands_on = "pub use crate::ir::Value; ";
    assert_eq!(breaches(&page, &files(hands_on)).len(), 1);
    assert_eq!(
        of_passes(&format!("{hands_on}use crate::ir; use crate::status::Status; use super::Error;")),
        [""; 0]
    );
    for text in ["", "pub use crate::ir::{Value, Use};", "pub use crate::ir::*;"] {
        let found = of_passes(text);
        assert!(found.len() == 1 && found.concat().contains("`passes` hands on"), "{text}: {found:?}");
    }
    for text in [
        "use crate::spirv::Module;",
        "use crate::{ir::{Ir, Op as O}, spirv};",
        "fn f() -> crate::spirv::Module {}",
        "use super::super::spirv::*;",
        "use crate::ir; impl A for super::super::spirv::B {}",
    ] {
        let found = of_passes(&format!("{hands_on}{text}"));
        assert!(
            found.len() == 1 && found.iter().all(|line| line.contains("`passes` uses `spirv`")),
            "{text}: {found:?}"
        );
    }
    assert!(breaches("no table", &files("")).concat().contains("no heading"));
    let misspelt = page.replace("| `passes` | `ir`", "| `passes` | `irr`");
    assert!(breaches(&misspelt, &files("")).concat().contains("`irr`"));
    let files = [crate::sample("virtual-xe/src/lib.rs", "use tiletc::ir::Ir;")];
    assert!(breaches(&page, &files).concat().contains("`virtual-xe` names `tiletc`"));
}
