//! Counters of a kernel, as text.

use std::fmt::Write as _;
use virtual_xe::{Class, Counters, Executed, Traffic};

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
    let Traffic { read, written } = counters.local;
    let _ = writeln!(text, "local memory: {read} bytes read, {written} written");
    text
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
