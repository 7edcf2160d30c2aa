//! Prints each definition of a function with the instructions that use it.

use super::context::Context;
use super::error::Error;
use crate::ir::{Func, Inst, Ir, Listing, Region, Value};
use std::collections::HashMap;
use std::fmt::Write;

pub(super) fn run(ir: &Ir, func: Func, listing: &Listing, _: &Context<'_>) -> Result<String, Error> {
    let body = ir[func].body;
    let mut users: HashMap<Value, Vec<Inst>> = HashMap::new();
    ir.walk(body, &mut |inst| {
        ir[inst].op.visit_operands(&mut |value| {
            let users = users.entry(value).or_default();
            if users.last() != Some(&inst) {
                users.push(inst);
            }
        });
    });
    let mut out = format!("Def-use in @{}\n", ir[func].name);
    for value in definitions(ir, body) {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  {}", listing.name(value));
        for &user in users.get(&value).into_iter().flatten() {
            let _ = writeln!(out, "    {}", listing.instruction(user));
        }
    }
    Ok(out)
}

/// The values in text order: the parameters of a region, then what its instructions define.
fn definitions(ir: &Ir, body: Region) -> Vec<Value> {
    let mut values = ir[body].parameters.clone();
    ir.walk(body, &mut |inst| {
        values.extend(&ir[inst].results);
        values.extend(ir[inst].regions.iter().flat_map(|&region| &ir[region].parameters));
    });
    values
}
