//! The tables of the manual hold everything that the compiler knows, and nothing else.

use crate::examples::Expected;
use crate::page::{Cell, Page, Row, Table};
use crate::{Outcome, outcome, trial};
use libtest_mimic::Trial;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use tiletc::device::{Architecture, CoreInfo, SpirvFeature};
use tiletc::diagnostics::SourceId;
use tiletc::ir::{Ir, TABLE, WITHOUT_TOKEN};
use tiletc::passes::Pass;
use tiletc::status::Status;
use tiletc::{driver, ir};

/// The checks of all tables.
pub fn trials(pages: &Arc<[Page]>) -> Vec<Trial> {
    let complete = |heading: &'static str, words: fn() -> Vec<&'static str>| {
        let pages = Arc::clone(pages);
        trial(format!("every {heading} is documented"), move || is_complete(&pages, heading, words()))
    };
    let mut trials = vec![
        complete("instruction", || TABLE.iter().flat_map(|info| info.mnemonics()).copied().collect()),
        complete("status", || Status::ALL.iter().map(|status| status.spelling()).collect()),
        complete("pass", || Pass::names().collect()),
        complete("device", || Architecture::ALL.iter().map(|device| device.spelling()).collect()),
        complete("feature", || SpirvFeature::ALL.iter().map(|feature| feature.spelling()).collect()),
    ];
    for page in pages.iter().filter(|page| !tables(page, "instruction").is_empty()) {
        let page = page.clone();
        let name = format!("the examples of {} show its instructions", page.path);
        trials.push(trial(name, move || is_shown(&page)));
    }
    let mut whole = |name: &str, check: fn(&[Page]) -> Outcome| {
        let pages = Arc::clone(pages);
        trials.push(trial(name, move || check(&pages)));
    };
    whole("statuses have their numbers and phrases", is_exact);
    whole("devices are what they are", describes_devices);
    whole("every page is in the summary", is_listed);
    trials
}

/// The tables of a page whose first column has this heading.
fn tables<'a>(page: &'a Page, heading: &str) -> Vec<&'a Table> {
    page.tables.iter().filter(|table| table.header.first().is_some_and(|cell| cell.text == heading)).collect()
}

/// The lines of all tables whose first column has this heading.
pub fn rows<'a>(pages: &'a [Page], heading: &'a str) -> impl Iterator<Item = (&'a Page, &'a Row)> {
    pages.iter().flat_map(move |page| {
        tables(page, heading).into_iter().flat_map(|table| &table.rows).map(move |row| (page, row))
    })
}

/// The words that a row is about: the code of its first cell, without modifiers and operands.
fn words(row: &Row) -> impl Iterator<Item = &str> {
    let code = row.cells.first().into_iter().flat_map(|cell| &cell.code);
    code.filter_map(|code| code.split(['.', ' ']).next())
}

/// The first columns with this heading hold each word once.
pub fn is_complete(pages: &[Page], heading: &str, expected: Vec<&str>) -> Outcome {
    let mut missing: BTreeSet<&str> = expected.iter().copied().collect();
    let known: HashSet<&str> = expected.into_iter().collect();
    let mut complaints = Vec::new();
    for (page, row) in rows(pages, heading) {
        for word in words(row) {
            let place = format!("{}:{}: {word}", page.path, row.line);
            if !known.contains(word) {
                complaints.push(format!("{place}: there is no such {heading}"));
            } else if !missing.remove(word) {
                complaints.push(format!("{place}: stands in a table before"));
            }
        }
    }
    complaints.extend(missing.into_iter().map(|word| format!("{word}: in no table")));
    outcome(complaints)
}

/// Of each row of the instruction tables one instruction, at least, is in an example that compiles.
pub fn is_shown(page: &Page) -> Outcome {
    let mut used = HashSet::new();
    for block in &page.blocks {
        if let Ok(Some(Expected::Compiles(_))) = Expected::parse(&block.info) {
            used.extend(mnemonics(&block.text)?);
        }
    }
    let is_used = |word: &str| used.contains(word) || WITHOUT_TOKEN.contains(&word);
    let unseen = rows(std::slice::from_ref(page), "instruction").map(|(_, row)| row);
    let unseen = unseen.filter(|row| !words(row).any(is_used));
    let complaint = |row: &Row| {
        let name = row.cells.first().map_or("", |cell: &Cell| &cell.text);
        format!("{}:{}: {name}: in no example of the page", page.path, row.line)
    };
    outcome(unseen.map(complaint).collect())
}

/// The instructions of a program.
fn mnemonics(text: &str) -> Result<HashSet<&'static str>, String> {
    let mut ir = Ir::default();
    let program =
        driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).map_err(|error| error.to_string())?;
    let mut used = HashSet::new();
    for &func in &program.functions {
        ir.walk(ir[func].body, &mut |inst: ir::Inst| {
            used.insert(ir[inst].op.mnemonic());
        });
    }
    Ok(used)
}

/// The table of statuses holds their numbers and phrases.
fn is_exact(pages: &[Page]) -> Outcome {
    let mut complaints = Vec::new();
    for (page, row) in rows(pages, "status") {
        let status = Status::ALL.iter().find(|status| words(row).any(|word| word == status.spelling()));
        let [_, code, phrase] = row.cells.as_slice() else {
            complaints.push(format!("{}:{}: not three columns", page.path, row.line));
            continue;
        };
        if status.map(|status| (status.code(), status.phrase()))
            != number(&code.text).map(|code| (code, phrase.text.as_str()))
        {
            complaints.push(format!("{}:{}: not what the status says", page.path, row.line));
        }
    }
    outcome(complaints)
}

/// The table of devices holds their subgroup sizes, whether they have double precision, and how much local
/// memory.
fn describes_devices(pages: &[Page]) -> Outcome {
    let mut complaints = Vec::new();
    for (page, row) in rows(pages, "device") {
        for name in words(row) {
            let found = row.cells.iter().skip(2).map(|cell| cell.text.as_str()).collect::<Vec<_>>();
            let expected = CoreInfo::from_name(name).map(|info| {
                let sizes: Vec<String> = info.subgroup_sizes().iter().map(ToString::to_string).collect();
                let double = if info.have(SpirvFeature::Float64) { "yes" } else { "no" };
                let kibibytes = info.local_memory_size().unwrap_or(0) / 1024;
                [sizes.join(", "), double.to_owned(), format!("{kibibytes} KiB")]
            });
            if expected.is_none_or(|expected| found != expected) {
                complaints.push(format!("{}:{}: not what {name} is like", page.path, row.line));
            }
        }
    }
    outcome(complaints)
}

fn number(text: &str) -> Option<i32> {
    text.strip_prefix("0x").map_or_else(|| text.parse().ok(), |digits| i32::from_str_radix(digits, 16).ok())
}

/// mdBook leaves out what the summary does not name.
fn is_listed(pages: &[Page]) -> Outcome {
    let listed: HashSet<String> = pages
        .iter()
        .filter(|page| page.path == "docs/src/SUMMARY.md")
        .flat_map(|page| &page.links)
        .map(|link| format!("docs/src/{}", link.target))
        .collect();
    let of_the_book = pages.iter().map(|page| &page.path).filter(|path| path.starts_with("docs/src/"));
    let left_out = of_the_book.filter(|path| !listed.contains(*path) && !path.ends_with("SUMMARY.md"));
    outcome(left_out.map(|path| format!("{path} is not in the summary")).collect())
}
