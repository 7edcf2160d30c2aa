//! The words for the parts of a function.

use super::entities::{Inst, Value};
use std::collections::HashMap;

/// Names for the values of a function, and its instructions on one line each.
///
/// The printer makes it; whoever tells about a function without printing the whole of it reads it.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    names: HashMap<Value, String>,
    instructions: HashMap<Inst, String>,
}

impl Listing {
    /// A listing from names, `%` included, and the texts of instructions.
    pub fn new(names: HashMap<Value, String>, instructions: HashMap<Inst, String>) -> Listing {
        Listing { names, instructions }
    }

    /// The name of a value, `%` included; empty for a value of another function.
    pub fn name(&self, value: Value) -> &str {
        self.names.get(&value).map_or("", String::as_str)
    }

    /// The text of an instruction; empty for one of another function.
    pub fn instruction(&self, inst: Inst) -> &str {
        self.instructions.get(&inst).map_or("", String::as_str)
    }
}
