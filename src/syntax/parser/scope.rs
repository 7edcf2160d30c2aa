//! Names that are visible: those of the current region and of the regions around it.

use crate::diagnostics::Location;
use crate::diagnostics::is_similar;
use std::collections::HashMap;
use std::hash::Hash;

#[derive(Debug)]
pub(super) struct Scope<N, T> {
    /// Visible names, with the place of the definition. A name is never defined twice at a time.
    visible: HashMap<N, (T, Location)>,
    /// The names of each open region.
    levels: Vec<Vec<N>>,
}

impl<N, T> Default for Scope<N, T> {
    fn default() -> Self {
        Scope { visible: HashMap::new(), levels: Vec::new() }
    }
}

impl<N: Clone + Eq + Hash, T> Scope<N, T> {
    pub fn open(&mut self) {
        self.levels.push(Vec::new());
    }

    pub fn close(&mut self) {
        for name in self.levels.pop().unwrap_or_default() {
            self.visible.remove(&name);
        }
    }

    pub fn get(&self, name: &N) -> Option<&(T, Location)> {
        self.visible.get(name)
    }

    /// The visible name, as `shown`, that differs from a given one in one place: a character more, less or
    /// another, or two exchanged. Names of one character and numbers are too much alike to tell.
    pub fn similar(&self, name: &str, shown: impl Fn(&N) -> String) -> Option<String> {
        let candidates = self.visible.keys().map(shown).filter(|other| is_similar(name, other));
        // The order of a hash map is nobody's business.
        candidates.min()
    }

    pub fn insert(&mut self, name: N, content: T, place: Location) {
        if let Some(level) = self.levels.last_mut() {
            level.push(name.clone());
        }
        self.visible.insert(name, (content, place));
    }
}
