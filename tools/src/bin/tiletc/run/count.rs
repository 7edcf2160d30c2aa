//! Counters of a kernel, as text and as JSON.

use crate::table::table;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use virtual_xe::{Accesses, Class, Counters, Executed, LocalAccesses, Site, Traffic};

/// The counters for people.
pub fn describe(counters: &Counters) -> String {
    let row = |&class: &Class| {
        let Executed { subgroups, lanes } = counters.instructions.get(&class)?;
        Some(vec![format!("    {}", name(class)), subgroups.to_string(), lanes.to_string()])
    };
    let header = ["instructions of", "subgroups", "work-items"];
    let mut text = table(&header, Class::ALL.iter().filter_map(row), &[1, 2]);
    for (bits, operations) in &counters.float_operations {
        let _ = writeln!(text, "f{bits} operations: {operations}");
    }
    for (bits, operations) in &counters.matrix_operations {
        let _ = writeln!(text, "{bits}-bit matrix operations: {operations}");
    }
    let Traffic { read, written } = counters.global;
    let _ = writeln!(text, "global memory: {read} bytes read, {written} written");
    let Traffic { read, written } = counters.touched;
    let _ = writeln!(text, "    in different cache lines: {read} bytes read, {written} written");
    let Traffic { read, written } = counters.compulsory;
    let (moved, least) = (counters.global, read + written);
    let _ = writeln!(text, "    compulsory for its work-groups: {read} bytes read, {written} written");
    let _ = writeln!(text, "    moved as often as compulsory: {}", ratio(moved.read + moved.written, least));
    let Traffic { read, written } = counters.local;
    let _ = writeln!(text, "local memory: {read} bytes read, {written} written");
    text + &banks(&counters.local_accesses) + &lines(&counters.accesses)
}

/// The counters for programs.
pub fn json(counters: &Counters) -> Value {
    let instructions: Vec<_> = Class::ALL
        .iter()
        .filter_map(|&class| {
            let Executed { subgroups, lanes } = counters.instructions.get(&class)?;
            Some(json!({ "class": name(class), "subgroups": subgroups, "work_items": lanes }))
        })
        .collect();
    let traffic = |Traffic { read, written }: Traffic| json!({ "read": read, "written": written });
    let operations = |operations: &BTreeMap<u32, u64>| {
        let row = |(bits, number): (&u32, &u64)| json!({ "bits": bits, "operations": number });
        operations.iter().map(row).collect::<Vec<_>>()
    };
    let site = |(site, accesses): (&Site, &Accesses)| {
        json!({
            "line": site.line,
            "is_store": site.is_store,
            "accesses": accesses.number,
            "cache_lines": accesses.lines,
            "dense": accesses.dense,
            "compulsory": accesses.compulsory,
        })
    };
    let local_site = |(site, accesses): (&Site, &LocalAccesses)| {
        json!({
            "line": site.line,
            "is_store": site.is_store,
            "accesses": accesses.number,
            "bank_cycles": accesses.cycles,
            "least_bank_cycles": accesses.least,
        })
    };
    json!({
        "instructions": instructions,
        "float_operations": operations(&counters.float_operations),
        "matrix_operations": operations(&counters.matrix_operations),
        "global_bytes": traffic(counters.global),
        "global_bytes_in_cache_lines": traffic(counters.touched),
        "compulsory_bytes": traffic(counters.compulsory),
        "local_bytes": traffic(counters.local),
        "accesses": counters.accesses.iter().map(site).collect::<Vec<_>>(),
        "local_accesses": counters.local_accesses.iter().map(local_site).collect::<Vec<_>>(),
    })
}

/// The cache lines that accesses to global memory touch, by the line of the program that they stand in.
fn lines(sites: &BTreeMap<Site, Accesses>) -> String {
    if sites.is_empty() {
        return String::new();
    }
    let row = |name: String, Accesses { number, lines, dense, compulsory }: Accesses| {
        let counts = [number, lines, dense].map(|count| count.to_string());
        let to_compulsory = ratio(lines, compulsory);
        let ratios = [ratio(lines, dense), compulsory.to_string(), to_compulsory];
        [vec![format!("    {name}")], counts.into(), ratios.into()].concat()
    };
    let mut all = Accesses::default();
    let mut rows = Vec::new();
    for (&site, &accesses) in sites {
        all += accesses;
        rows.push(row(place(site), accesses));
    }
    rows.push(row("all".to_owned(), all));
    let header = ["cache lines, line", "accesses", "touched", "dense", "ratio", "compulsory", "ratio"];
    table(&header, rows, &[1, 2, 3, 4, 5, 6])
}

/// The cycles that accesses to local memory take of its banks, by the line of the program that they stand in.
fn banks(sites: &BTreeMap<Site, LocalAccesses>) -> String {
    if sites.is_empty() {
        return String::new();
    }
    let row = |name: String, LocalAccesses { number, cycles, least }: LocalAccesses| {
        let counts = [number, cycles, least].map(|count| count.to_string());
        [vec![format!("    {name}")], counts.into(), vec![ratio(cycles, least)]].concat()
    };
    let mut all = LocalAccesses::default();
    let mut rows = Vec::new();
    for (&site, &accesses) in sites {
        all += accesses;
        rows.push(row(place(site), accesses));
    }
    rows.push(row("all".to_owned(), all));
    table(&["cycles of banks, line", "accesses", "cycles", "without conflicts", "ratio"], rows, &[1, 2, 3, 4])
}

/// The line of a place, `?` if it is not known, and what is done there.
fn place(Site { line, is_store }: Site) -> String {
    let line = if line == 0 { "?".to_owned() } else { line.to_string() };
    format!("{line} {}", if is_store { "store" } else { "load" })
}

/// A ratio with two digits; `-` if there is nothing to compare with.
// Ratios for people need no exact numbers.
#[allow(clippy::cast_precision_loss)]
fn ratio(amount: u64, least: u64) -> String {
    if least == 0 { "-".to_owned() } else { format!("{:.2}", amount as f64 / least as f64) }
}

fn name(class: Class) -> &'static str {
    match class {
        Class::Float => "float",
        Class::Integer => "integer",
        Class::Compare => "compare, select",
        Class::Convert => "convert",
        Class::Load => "load",
        Class::Store => "store",
        Class::BlockLoad => "block load",
        Class::BlockStore => "block store",
        Class::Copy => "copy",
        Class::Prefetch => "prefetch",
        Class::Atomic => "atomic",
        Class::Subgroup => "subgroup",
        Class::Matrix => "matrix (dpas)",
        Class::Barrier => "barrier",
        Class::Branch => "branch",
        Class::Other => "other",
    }
}
