//! Nodes, which handles of values, instructions, regions and functions point to, and the tables of a context that
//! keep them. `C` is a reference that keeps a context alive.

use super::super::live;
use super::super::tables::Owner;
use super::super::types::*;
use crate::ir::{Entity, Func, Inst, Ir, Region, Value};
use std::collections::{HashMap, HashSet};
use std::ffi::{CString, c_char};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The end of a region, where an iterator may stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in super::super) struct End(pub(in super::super) Region);

impl Entity for End {
    fn generation(self, ir: &Ir) -> Option<u32> {
        self.0.generation(ir)
    }
}

/// A kind of entity that has handles.
pub(in super::super) trait Kind: Entity + Hash {
    /// The C struct that the handle seems to point to.
    type Opaque;
    /// Number of the kind; different for every kind.
    const TAG: u64;
    /// Table of this kind in a context.
    fn table<C>(nodes: &mut Nodes<C>) -> &mut Table<Self, C>;
}

/// Implements [`Kind`].
macro_rules! kinds {
    ($($kind:ident $opaque:ident $tag:literal $table:ident;)*) => {$(
        impl Kind for $kind {
            type Opaque = $opaque;
            const TAG: u64 = u64::from_be_bytes(*$tag);
            fn table<C>(nodes: &mut Nodes<C>) -> &mut Table<Self, C> {
                &mut nodes.$table
            }
        }
    )*};
}

kinds! {
    Value tiletc_value b"tiletc:v" values;
    Inst tiletc_inst b"tiletc:i" insts;
    End tiletc_inst b"tiletc:e" ends;
    Region tiletc_region b"tiletc:g" regions;
    Func tiletc_func b"tiletc:f" funcs;
}

/// Target of a handle.
pub(in super::super) struct Node<E, C> {
    place: Mutex<Place<E, C>>,
}

impl<E, C> Drop for Node<E, C> {
    fn drop(&mut self) {
        live::leave(self);
    }
}

/// Entity that a node stands for.
pub(super) struct Place<E, C> {
    pub(super) owner: Owner,
    pub(super) entity: E,
    pub(super) generation: u32,
    /// The reference that keeps the context alive while the user owns the entity.
    pub(super) owning_ref: Option<C>,
}

impl<E, C> Node<E, C> {
    pub(super) fn new(place: Place<E, C>) -> Arc<Self> {
        Arc::new(Node { place: Mutex::new(place) })
    }

    pub(super) fn place(&self) -> MutexGuard<'_, Place<E, C>> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The nodes of one kind.
pub(in super::super) struct Table<E, C> {
    pub(super) of: HashMap<E, Arc<Node<E, C>>>,
    /// Nodes of what was freed. Their memory is used again, but only some time later, so that a handle that is
    /// used too long is noticed.
    pub(super) free: Vec<Arc<Node<E, C>>>,
}

impl<E, C> Default for Table<E, C> {
    fn default() -> Self {
        Table { of: HashMap::new(), free: Vec::new() }
    }
}

/// Handles that a context gave out.
pub(in super::super) struct Nodes<C> {
    pub(super) values: Table<Value, C>,
    pub(super) insts: Table<Inst, C>,
    pub(super) ends: Table<End, C>,
    pub(super) regions: Table<Region, C>,
    pub(super) funcs: Table<Func, C>,
    /// Names of values that were handed out.
    names: HashSet<CString>,
    /// The number of nodes above which the freed ones are looked for.
    sweep_above: usize,
}

impl<C> Default for Nodes<C> {
    fn default() -> Self {
        Nodes {
            values: Table::default(),
            insts: Table::default(),
            ends: Table::default(),
            regions: Table::default(),
            funcs: Table::default(),
            names: HashSet::new(),
            sweep_above: 0,
        }
    }
}

impl<C> Nodes<C> {
    /// Makes the memory of nodes of freed entities available, if there may be many.
    pub(in super::super) fn sweep(&mut self, ir: &Ir) {
        const FEW: usize = 1024;
        if self.count() <= self.sweep_above.max(FEW) {
            return;
        }
        self.values.sweep(ir);
        self.insts.sweep(ir);
        self.ends.sweep(ir);
        self.regions.sweep(ir);
        self.funcs.sweep(ir);
        self.sweep_above = 2 * self.count();
    }

    /// Keeps a name that is handed out, which must live as long as the context.
    pub(super) fn keep_name(&mut self, name: CString) -> *const c_char {
        if !self.names.contains(&name) {
            self.names.insert(name.clone());
        }
        // What a set holds is never moved: the text of a `CString` is in memory of its own.
        self.names.get(&name).map_or(std::ptr::null(), |kept| kept.as_ptr())
    }

    fn count(&self) -> usize {
        let held = [self.values.of.len(), self.insts.of.len(), self.ends.of.len(), self.regions.of.len()];
        held.iter().sum::<usize>() + self.funcs.of.len()
    }

    /// The instruction that the user owns; a detached context has one.
    pub(super) fn owned_inst(&self) -> Option<Inst> {
        self.insts
            .of
            .values()
            .map(|node| node.place())
            .find(|place| place.owning_ref.is_some())
            .map(|place| place.entity)
    }
}

impl<E: Kind, C: Clone> Table<E, C> {
    /// Takes the node of an entity that moved here from another table, and returns what kept the context there
    /// alive.
    pub(super) fn take_over(
        &mut self,
        from: &mut Table<E, C>,
        (old, new): (E, E),
        ir: &Ir,
        (owner, context): (Owner, &C),
    ) -> Option<C> {
        let node = from.of.remove(&old)?;
        let owning_ref = {
            let mut place = node.place();
            let owning_ref = place.owning_ref.take();
            *place = Place {
                owner,
                entity: new,
                generation: new.generation(ir).unwrap_or_default(),
                owning_ref: owning_ref.is_some().then(|| context.clone()),
            };
            owning_ref
        };
        self.free.extend(self.of.insert(new, node));
        owning_ref
    }

    /// The nodes that are left.
    pub(super) fn leftover(self) -> impl Iterator<Item = Arc<Node<E, C>>> {
        self.of.into_values().chain(self.free)
    }
}

impl<E: Kind, C> Table<E, C> {
    fn sweep(&mut self, ir: &Ir) {
        let dead =
            |entity: &E, node: &mut Arc<Node<E, C>>| entity.generation(ir) != Some(node.place().generation);
        self.free.extend(self.of.extract_if(dead).map(|(_, node)| node));
    }
}
