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
use super::super::tables::Owner;
pub(in super::super) use super::node_table::{End, Kind};
use super::node_table::{Node, Place};
use crate::status::Status;
use std::mem::take;
use std::sync::Arc;

/// A node of a context.
type ContextNode<E> = Node<E, Handle<Context>>;

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

fn node<E: Kind>(state: &mut State, context: &Handle<Context>, entity: E) -> Outcome<Arc<ContextNode<E>>> {
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
            let node = Node::new(place);
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

/// Entity that a handle stands for.
pub(in super::super) struct Found<E: Kind> {
    pub(super) context: Handle<Context>,
    pub(super) entity: E,
    generation: u32,
    node: Arc<ContextNode<E>>,
}

impl<E: Kind> Found<E> {
    /// Looks a handle up; NULL and handles of another kind are refused.
    pub(in super::super) fn new(handle: *const E::Opaque) -> Outcome<Found<E>> {
        // SAFETY: `node` is where nodes of this tag enter, and every kind has its own.
        let found = unsafe { live::find::<ContextNode<E>>(handle.cast(), E::TAG) };
        Found::again(found.ok_or(Status::InvalidArguments)?)
    }

    fn again(node: Arc<ContextNode<E>>) -> Outcome<Found<E>> {
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

    /// Returns whether the user owns it.
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
    let to = (Owner(into.as_raw()), into);
    let mut owning_refs = Vec::new();
    for &(old, new) in &moved.insts {
        owning_refs.extend(there.insts.take_over(&mut nodes.insts, (old, new), target, to));
    }
    for &(old, new) in &moved.regions {
        there.regions.take_over(&mut nodes.regions, (old, new), target, to);
        there.ends.take_over(&mut nodes.ends, (End(old), End(new)), target, to);
    }
    there.insts.free.extend(nodes.insts.leftover());
    there.regions.free.extend(nodes.regions.leftover());
    there.ends.free.extend(nodes.ends.leftover());
    drop(state);
    // The last reference to the detached context may be among them.
    drop(owning_refs);
    Ok(())
}
