//! Prints the control-flow graph of a function in Graphviz's language.

use super::context::Context;
use super::error::Error;
use crate::analysis::{ControlFlow, SpmdRegions};
use crate::ir::{Func, Ir, Listing};
use std::fmt::Write;

pub(super) fn run(ir: &Ir, func: Func, listing: &Listing, _: &Context<'_>) -> Result<String, Error> {
    let graph = ControlFlow::new(ir, ir[func].body, SpmdRegions::Inside);
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut out, &ir[func].name, &graph, listing);
    Ok(out)
}

fn write(out: &mut String, name: &str, graph: &ControlFlow, listing: &Listing) -> std::fmt::Result {
    writeln!(out, "digraph \"{name}\" {{")?;
    writeln!(out, "    node [shape=box]")?;
    for (index, node) in graph.nodes().iter().enumerate() {
        writeln!(out, "    n{index} [label=\"{}\"]", escape(listing.instruction(node.inst)))?;
        for successor in &node.successors {
            writeln!(out, "    n{index} -> n{successor}")?;
        }
    }
    writeln!(out, "}}")
}

/// Strings of attributes may hold what ends a label.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
