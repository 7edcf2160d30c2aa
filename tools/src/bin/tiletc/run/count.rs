//! Counters of a kernel, as text.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use virtual_xe::{Accesses, Class, Counters, Executed, Site, Traffic};

/// The counters for people.
pub fn describe(counters: &Counters) -> String {
    let mut text = format!("{:<24}{:>16}{:>16}\n", "instructions of", "subgroups", "work-items");
    for &class in Class::ALL {
        if let Some(Executed { subgroups, lanes }) = counters.instructions.get(&class) {
            let _ = writeln!(text, "    {:<20}{subgroups:>16}{lanes:>16}", name(class));
        }
    }
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
    text + &lines(&counters.accesses)
}

/// The cache lines that accesses to global memory touch, by the line of the program that they stand in.
fn lines(sites: &BTreeMap<Site, Accesses>) -> String {
    if sites.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "{:<24}{:>12}{:>12}{:>12}{:>8}{:>12}{:>8}\n",
        "cache lines, line", "accesses", "touched", "dense", "ratio", "compulsory", "ratio"
    );
    let mut row = |name: String, Accesses { number, lines, dense, compulsory }: Accesses| {
        let (to_dense, to_compulsory) = (ratio(lines, dense), ratio(lines, compulsory));
        let _ = writeln!(
            text,
            "    {name:<20}{number:>12}{lines:>12}{dense:>12}{to_dense:>8}{compulsory:>12}{to_compulsory:>8}"
        );
    };
    let mut all = Accesses::default();
    for (&Site { line, is_store }, &accesses) in sites {
        all += accesses;
        let line = if line == 0 { "?".to_owned() } else { line.to_string() };
        row(format!("{line} {}", if is_store { "store" } else { "load" }), accesses);
    }
    row("all".to_owned(), all);
    text
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
