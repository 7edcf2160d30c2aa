//! The names under which values are printed (language reference 6.3).
//!
//! A name that reads back is printed as it is. Passes bring equal names together, and builders take any
//! text for a name, so the others are changed until they do.

use crate::ir::{Func, Ir, Region, Value};
use std::collections::{HashMap, HashSet};

/// The names of the values of a function, without `%`.
pub(super) struct Names(HashMap<Value, String>);

impl Names {
    pub fn new(ir: &Ir, func: Func) -> Names {
        let body = ir[func].body;
        let mut naming =
            Naming { ir, names: HashMap::new(), numbers: 0, visible: HashSet::new(), last: HashMap::new() };
        naming.number_all(&ir[body].parameters);
        naming.number_insts(body);
        naming.name_region(body);
        Names(naming.names)
    }

    /// With `%`.
    pub fn of(&self, value: Value) -> String {
        format!("%{}", self.0.get(&value).map_or("", String::as_str))
    }
}

struct Naming<'a> {
    ir: &'a Ir,
    names: HashMap<Value, String>,
    /// Number of values that are numbered.
    numbers: usize,
    /// The names that are visible at a place.
    visible: HashSet<String>,
    /// The last number behind a name that was changed, so that the search for a free one goes on there.
    last: HashMap<String, usize>,
}

impl Naming<'_> {
    fn number_all(&mut self, values: &[Value]) {
        for &value in values {
            if self.ir[value].name.as_deref().is_none_or(str::is_empty) {
                self.names.insert(value, self.numbers.to_string());
                self.numbers += 1;
            }
        }
    }

    /// Numbers for each instruction the parameters of its regions, its results, and what its regions hold.
    fn number_insts(&mut self, region: Region) {
        let ir = self.ir;
        for inst in ir.insts(region) {
            let regions = &ir[inst].regions;
            regions.iter().for_each(|&inner| self.number_all(&ir[inner].parameters));
            self.number_all(&ir[inst].results);
            regions.iter().for_each(|&inner| self.number_insts(inner));
        }
    }

    /// Names values in the order in which they become visible.
    fn name_region(&mut self, region: Region) {
        let ir = self.ir;
        let mut own = Vec::new();
        ir[region].parameters.iter().for_each(|&value| self.name(value, &mut own));
        for inst in ir.insts(region) {
            ir[inst].regions.iter().for_each(|&inner| self.name_region(inner));
            ir[inst].results.iter().for_each(|&value| self.name(value, &mut own));
        }
        for name in own {
            self.visible.remove(&name);
        }
    }

    fn name(&mut self, value: Value, own: &mut Vec<String>) {
        let Some(given) = self.ir[value].name.as_deref().filter(|name| !name.is_empty()) else { return };
        let mut name = well_formed(given);
        if self.visible.contains(&name) {
            name = self.another(name);
        }
        self.visible.insert(name.clone());
        own.push(name.clone());
        self.names.insert(value, name);
    }

    /// A name with a number behind it that is not visible.
    fn another(&mut self, name: String) -> String {
        let last = self.last.entry(name.clone()).or_default();
        loop {
            *last += 1;
            let candidate = format!("{name}_{last}");
            if !self.visible.contains(&candidate) {
                return candidate;
            }
        }
    }
}

/// The name, or the nearest thing that an identifier may look like (language reference 1.2).
fn well_formed(name: &str) -> String {
    let letter_first = name.starts_with(|first: char| first.is_ascii_alphabetic());
    let prefix = if letter_first { "" } else { "v" };
    let allowed = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    prefix.chars().chain(name.chars().map(allowed)).collect()
}
