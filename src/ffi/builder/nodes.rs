//! Handles of values, instructions, regions and functions (API reference 1.1).
//!
//! A handle points to a node, which says what it stands for: an entity of a context's IR, and the generation
//! that tells it from later entities of the same number. The context owns the node and never gives its memory
//! back while it lives, so that the handle of something that was freed is an error and not a crash.
//!
//! An instruction or a function that the user owns keeps its context alive, until a region or a program takes
//! it over or the user destroys it.

use super::super::call::Outcome;
use super::super::context::{Context, State};
use super::super::handle::Handle;
use super::super::live;
use super::super::managed::Owner;
use super::super::types::*;
use crate::ir::{Entity, Func, Inst, Ir, Region, Value};
use crate::status::Status;
use std::collections::{HashMap, HashSet};
use std::ffi::{CString, c_char};
use std::hash::Hash;
use std::mem::take;
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
    /// Where a context keeps this kind.
    fn table(nodes: &mut Nodes) -> &mut Table<Self>;
}

/// Implements [`Kind`].
macro_rules! kinds {
    ($($kind:ident $opaque:ident $tag:literal $table:ident;)*) => {$(
        impl Kind for $kind {
            type Opaque = $opaque;
            const TAG: u64 = u64::from_be_bytes(*$tag);
            fn table(nodes: &mut Nodes) -> &mut Table<Self> {
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

/// What a handle points to.
pub(in super::super) struct Node<E> {
    place: Mutex<Place<E>>,
}

impl<E> Drop for Node<E> {
    fn drop(&mut self) {
        live::leave(self);
    }
}

/// What a node stands for.
struct Place<E> {
    owner: Owner,
    entity: E,
    generation: u32,
    /// The reference that keeps the context alive while the user owns the entity.
    owning_ref: Option<Handle<Context>>,
}

impl<E> Node<E> {
    fn place(&self) -> MutexGuard<'_, Place<E>> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The nodes of one kind.
pub(in super::super) struct Table<E> {
    of: HashMap<E, Arc<Node<E>>>,
    /// Nodes of what was freed. Their memory is used again, but only some time later, so that a handle that is
    /// used too long is noticed.
    free: Vec<Arc<Node<E>>>,
}

impl<E> Default for Table<E> {
    fn default() -> Self {
        Table { of: HashMap::new(), free: Vec::new() }
    }
}

/// What a context knows of the handles it gave out.
#[derive(Default)]
pub(in super::super) struct Nodes {
    values: Table<Value>,
    insts: Table<Inst>,
    ends: Table<End>,
    regions: Table<Region>,
    funcs: Table<Func>,
    /// Names of values that were handed out.
    names: HashSet<CString>,
    /// The number of nodes above which the freed ones are looked for.
    sweep_above: usize,
}

impl Nodes {
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
    fn owned_inst(&self) -> Option<Inst> {
        self.insts
            .of
            .values()
            .map(|node| node.place())
            .find(|place| place.owning_ref.is_some())
            .map(|place| place.entity)
    }
}

impl<E: Kind> Table<E> {
    /// Takes the node of an entity that moved here from another table, and returns what kept the context there
    /// alive.
    fn take_over(
        &mut self,
        from: &mut Table<E>,
        (old, new): (E, E),
        ir: &Ir,
        context: &Handle<Context>,
    ) -> Option<Handle<Context>> {
        let node = from.of.remove(&old)?;
        let owning_ref = {
            let mut place = node.place();
            let owning_ref = place.owning_ref.take();
            *place = Place {
                owner: Owner(context.as_raw()),
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
    fn leftover(self) -> impl Iterator<Item = Arc<Node<E>>> {
        self.of.into_values().chain(self.free)
    }

    fn sweep(&mut self, ir: &Ir) {
        let dead =
            |entity: &E, node: &mut Arc<Node<E>>| entity.generation(ir) != Some(node.place().generation);
        self.free.extend(self.of.extract_if(dead).map(|(_, node)| node));
    }
}

/// The handle of a live entity; the same whenever it is asked for.
pub(in super::super) fn handle<E: Kind>(
    state: &mut State,
    context: &Handle<Context>,
    entity: E,
) -> Outcome<*mut E::Opaque> {
    node(state, context, entity).map(|node| Arc::as_ptr(&node).cast_mut().cast())
}

/// The handle of a new instruction or function, which the user owns.
pub(in super::super) fn own<E: Kind>(
    state: &mut State,
    context: &Handle<Context>,
    entity: E,
) -> Outcome<*mut E::Opaque> {
    let node = node(state, context, entity)?;
    node.place().owning_ref = Some(context.clone());
    Ok(Arc::as_ptr(&node).cast_mut().cast())
}

fn node<E: Kind>(state: &mut State, context: &Handle<Context>, entity: E) -> Outcome<Arc<Node<E>>> {
    let generation = entity.generation(&state.ir).ok_or(Status::InternalCompilerError)?;
    let table = E::table(&mut state.nodes);
    if let Some(node) = table.of.get(&entity)
        && node.place().generation == generation
    {
        return Ok(Arc::clone(node));
    }
    let place = Place { owner: Owner(context.as_raw()), entity, generation, owning_ref: None };
    let node = match table.free.pop() {
        Some(node) => {
            *node.place() = place;
            node
        }
        None => {
            let node = Arc::new(Node { place: Mutex::new(place) });
            live::enter(&node, E::TAG);
            node
        }
    };
    if let Some(freed) = table.of.insert(entity, Arc::clone(&node)) {
        // At the far end: the others are used again before.
        table.free.insert(0, freed);
    }
    Ok(node)
}

/// What a handle stands for.
pub(in super::super) struct Found<E: Kind> {
    pub(super) context: Handle<Context>,
    pub(super) entity: E,
    generation: u32,
    node: Arc<Node<E>>,
}

impl<E: Kind> Found<E> {
    /// Looks a handle up; NULL and handles of another kind are refused.
    pub(in super::super) fn new(handle: *const E::Opaque) -> Outcome<Found<E>> {
        // SAFETY: `node` is where nodes of this tag enter, and every kind has its own.
        let found = unsafe { live::find::<Node<E>>(handle.cast(), E::TAG) };
        Found::again(found.ok_or(Status::InvalidArguments)?)
    }

    fn again(node: Arc<Node<E>>) -> Outcome<Found<E>> {
        let (owner, entity, generation) = {
            let place = node.place();
            (place.owner, place.entity, place.generation)
        };
        let context = Handle::share(owner.0.cast_const())?;
        Ok(Found { context, entity, generation, node })
    }

    /// The entity, if it was not freed meanwhile.
    pub(in super::super) fn live(&self, state: &State) -> Outcome<E> {
        let same = self.entity.generation(&state.ir) == Some(self.generation);
        if same { Ok(self.entity) } else { Err(Status::InvalidArguments) }
    }

    /// Whether the user owns it.
    pub(super) fn is_owned(&self) -> bool {
        self.node.place().owning_ref.is_some()
    }

    /// Takes it from the user. The context may go with what is returned, which must not be dropped while the
    /// context is locked.
    #[must_use]
    pub(super) fn disown(&self) -> Option<Handle<Context>> {
        self.node.place().owning_ref.take()
    }
}

/// Brings two things into one context: those of a detached context move into the other's.
///
/// A detached context is the private one of an instruction that was made of nothing that has a context.
pub(super) fn merge_contexts<A: Kind, B: Kind>(a: &mut Found<A>, b: &mut Found<B>) -> Outcome {
    if a.context.is(&b.context) {
        return Ok(());
    }
    if a.context.detached {
        leave_detached(&a.context, &b.context)?;
    } else if b.context.detached {
        leave_detached(&b.context, &a.context)?;
    } else {
        return Err(Status::InvalidArguments);
    }
    *a = Found::again(Arc::clone(&a.node))?;
    *b = Found::again(Arc::clone(&b.node))?;
    Ok(())
}

/// Moves all that is in a detached context.
fn leave_detached(detached: &Handle<Context>, into: &Handle<Context>) -> Outcome {
    let (ir, mut nodes) = {
        let mut state = detached.lock();
        (take(&mut state.ir), take(&mut state.nodes))
    };
    let root = nodes.owned_inst().ok_or(Status::InvalidArguments)?;
    let mut state = into.lock();
    let State { ir: target, nodes: there, .. } = &mut *state;
    let moved = target.adopt(&ir, root);
    let mut owning_refs = Vec::new();
    for &(old, new) in &moved.insts {
        owning_refs.extend(there.insts.take_over(&mut nodes.insts, (old, new), target, into));
    }
    for &(old, new) in &moved.regions {
        there.regions.take_over(&mut nodes.regions, (old, new), target, into);
        there.ends.take_over(&mut nodes.ends, (End(old), End(new)), target, into);
    }
    there.insts.free.extend(nodes.insts.leftover());
    there.regions.free.extend(nodes.regions.leftover());
    there.ends.free.extend(nodes.ends.leftover());
    drop(state);
    // The last reference to the detached context may be among them.
    drop(owning_refs);
    Ok(())
}
