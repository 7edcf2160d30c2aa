//! What steps count as, and the memory that they touch: the one place where a step says so, without a default, so that
//! no new one is forgotten.

use crate::counters::Class;
use crate::program::{Access, BarrierKind, Step, SurfaceAction};
use crate::rows::Rows;

/// Bytes that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub address: u64,
    pub size: u64,
    pub is_store: bool,
}

impl<const S: usize> Step<S> {
    /// What the step of an instruction counts as, whose own class is given; `None` if it is the executor's own.
    pub(super) fn class(&self, of_instruction: Class) -> Option<Class> {
        Some(match self {
            Step::Test { .. } | Step::Converged => return None,
            Step::Compute { .. } => match of_instruction {
                // Built-in variables are in registers from the start, and what else is computed for an access belongs
                // to it.
                Class::Load | Class::Store | Class::Atomic => return None,
                class => class,
            },
            Step::Load(_) => Class::Load,
            Step::Store(_) => Class::Store,
            Step::Copy(_) | Step::GroupCopy(_) => Class::Copy,
            Step::Print(_) => Class::Other,
            Step::Atomic(_) => Class::Atomic,
            Step::Block(block) => block_class(block.is_store),
            Step::Matrix(access) => block_class(access.is_store),
            Step::Surface(surface) => match surface.action {
                SurfaceAction::Load | SurfaceAction::Transform | SurfaceAction::Transpose => Class::BlockLoad,
                SurfaceAction::Store => Class::BlockStore,
                SurfaceAction::Prefetch => Class::Prefetch,
            },
            Step::Prefetch => Class::Prefetch,
            Step::Engine(_) | Step::Multiply(_) => Class::Matrix,
            Step::Combine { .. } | Step::Publish(_) | Step::Gather(_) => Class::Subgroup,
            Step::Barrier(barrier) => match barrier.kind {
                BarrierKind::Group | BarrierKind::Arrive | BarrierKind::Wait => Class::Barrier,
                BarrierKind::Subgroup => Class::Subgroup,
                BarrierKind::Memory => Class::Other,
            },
        })
    }

    /// Calls back with all that the lanes of a mask read and write.
    pub(super) fn visit_accesses(&self, rows: &Rows<S>, mask: u32, mut each: impl FnMut(Span)) {
        match self {
            Step::Compute { .. }
            | Step::Test { .. }
            | Step::Converged
            | Step::Combine { .. }
            | Step::Barrier(_)
            | Step::Engine(_)
            | Step::Multiply(_)
            | Step::Publish(_)
            | Step::Gather(_)
            | Step::Prefetch => {}
            // Texts are for the host to read.
            Step::Print(_) => {}
            Step::Load(access) => parts(rows, access, mask, |address, size| {
                each(Span { address, size, is_store: false });
            }),
            Step::Store(access) => parts(rows, access, mask, |address, size| {
                each(Span { address, size, is_store: true });
            }),
            Step::Atomic(atomic) => parts(rows, &atomic.pointer, mask, |address, size| {
                if atomic.kind.is_read() {
                    each(Span { address, size, is_store: false });
                }
                if atomic.kind.is_write() {
                    each(Span { address, size, is_store: true });
                }
            }),
            Step::Copy(copy) => {
                for lane in lanes::<S>(mask) {
                    let at = |access: &Access| rows.lane(access.pointer, lane);
                    each(Span { address: at(&copy.from), size: copy.size, is_store: false });
                    each(Span { address: at(&copy.to), size: copy.size, is_store: true });
                }
            }
            Step::GroupCopy(copy) => {
                for lane in lanes::<S>(mask) {
                    for (from, to) in copy.elements(rows, lane) {
                        each(Span { address: from, size: copy.size, is_store: false });
                        each(Span { address: to, size: copy.size, is_store: true });
                    }
                }
            }
            Step::Block(block) => {
                let size = u64::from(block.scalar.bytes()) * S as u64 * block.rows.len() as u64;
                let address = rows.lane(block.pointer.pointer, 0);
                each(Span { address, size, is_store: block.is_store });
            }
            // The lane's memory that a block goes to or comes from stands for registers.
            Step::Surface(surface) if surface.action == SurfaceAction::Prefetch => {}
            Step::Surface(surface) => surface.spans(rows, mask, |address, size| {
                each(Span { address, size, is_store: surface.action == SurfaceAction::Store });
            }),
            Step::Matrix(access) => {
                let size = access.scalar.bytes().into();
                for (.., address) in access.numbers(rows, mask) {
                    each(Span { address, size, is_store: access.is_store });
                }
            }
        }
    }
}

fn block_class(is_store: bool) -> Class {
    if is_store { Class::BlockStore } else { Class::BlockLoad }
}

fn lanes<const S: usize>(mask: u32) -> impl Iterator<Item = usize> {
    (0..S).filter(move |lane| mask >> lane & 1 == 1)
}

/// Where each number of an access lies, and its bytes.
fn parts<const S: usize>(rows: &Rows<S>, access: &Access, mask: u32, mut each: impl FnMut(u64, u64)) {
    let pointers: [u64; S] = rows.get(access.pointer);
    for (lane, pointer) in pointers.into_iter().enumerate() {
        if mask >> lane & 1 == 1 {
            for (part, _) in &access.parts {
                each(pointer.wrapping_add(part.offset), part.scalar.bytes().into());
            }
        }
    }
}
