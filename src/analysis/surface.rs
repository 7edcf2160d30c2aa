//! Answers whether 2D block messages take a matrix in memory (lowering reference 4.4), and why.

use super::divisors::Divisors;
use super::extents::Extents;
use crate::ir::{
    Access, AccessReason, AddressSpace, Extent, Func, Ir, Memref, Op, PartialSurface, Surface, Value,
};
use std::collections::HashSet;

/// Answer whether a memref is a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurfaceAnswer {
    /// It is one, for this reason.
    Known(AccessReason),
    /// It is if a test at run time says so; the reason why that is not known when compiling.
    Testable(AccessReason),
    /// It is none, or never known to be one.
    Never(AccessReason),
}

impl SurfaceAnswer {
    /// Returns whether the memref is known to be a surface.
    pub fn is_known(self) -> bool {
        matches!(self, SurfaceAnswer::Known(_))
    }

    /// Returns whether a test at run time could say that the memref is a surface.
    pub fn is_testable(self) -> bool {
        matches!(self, SurfaceAnswer::Testable(_))
    }

    /// Returns whether messages clip what lies beyond the memref; in a batch a neighbour lies there.
    pub fn is_clipped(self) -> bool {
        self.is_known() && self.reason() != AccessReason::Batch
    }

    /// The reason of the answer.
    pub fn reason(self) -> AccessReason {
        match self {
            SurfaceAnswer::Known(reason) | SurfaceAnswer::Testable(reason) | SurfaceAnswer::Never(reason) => {
                reason
            }
        }
    }
}

/// Answers whether the memrefs of a function are surfaces.
#[derive(Clone, Debug)]
pub struct Surfaces {
    divisors: Divisors,
    /// Parameters with an attribute `alignment`.
    aligned: Vec<Value>,
    /// Memrefs that a test at run time looks at.
    tested: HashSet<Value>,
}

impl Surfaces {
    /// Looks at a function, where pointers are `default_alignment` bytes aligned unless told otherwise.
    pub fn new(ir: &Ir, func: Func, default_alignment: i32) -> Surfaces {
        let data = &ir[func];
        let parameters = ir[data.body].parameters.iter().zip(&data.parameter_attributes);
        let aligned =
            parameters.filter(|(_, found)| found.alignment.is_some()).map(|(&value, _)| value).collect();
        let mut tested = HashSet::new();
        ir.walk(data.body, &mut |inst| {
            if let Op::IsSurface(test) = &ir[inst].op {
                tested.insert(test.of);
            }
        });
        Surfaces { divisors: Divisors::new(ir, func, default_alignment.into()), aligned, tested }
    }

    /// Known divisors of the numbers and extents of the function.
    pub fn divisors(&self) -> &Divisors {
        &self.divisors
    }

    /// Returns whether a memref is a surface.
    pub fn answer(&self, ir: &Ir, memref: Value) -> SurfaceAnswer {
        let Some(ty) = ir.ty(memref).memref() else { return SurfaceAnswer::Never(AccessReason::Layout) };
        if ty.element.is_packed() {
            return SurfaceAnswer::Never(AccessReason::Packed);
        }
        if let Some(Op::AsSurface(surface)) = ir.defining_op(memref) {
            return SurfaceAnswer::Known(match self.tested.contains(&surface.of) {
                true => AccessReason::Test,
                false => AccessReason::Promise,
            });
        }
        if ty.space != AddressSpace::Global {
            return SurfaceAnswer::Never(AccessReason::Local);
        }
        let Some(extents) = Extents::of(ir, memref).filter(|extents| extents.shape.len() == 2) else {
            return SurfaceAnswer::Never(AccessReason::Layout);
        };
        if extents.stride.first() != Some(&Some(1)) {
            return SurfaceAnswer::Never(AccessReason::FirstStride);
        }
        let partial = partial_surface(ty, &extents);
        if !partial.may_be_legal() {
            return SurfaceAnswer::Never(AccessReason::Extents);
        }
        let open = |reason| match Surface::takes_element(ty.element) {
            true => SurfaceAnswer::Testable(reason),
            false => SurfaceAnswer::Never(reason),
        };
        let Some(surface) = partial.whole() else { return open(AccessReason::OpenExtents) };
        if let Some(reason) = self.aligned(ir, memref) {
            return SurfaceAnswer::Known(reason);
        }
        match PackedBatch::of(ir, &self.divisors, memref).map(|batch| batch.shared(surface).is_legal()) {
            Some(true) => SurfaceAnswer::Known(AccessReason::Batch),
            Some(false) => SurfaceAnswer::Never(AccessReason::Extents),
            None => open(AccessReason::Address),
        }
    }

    /// Returns why the first element of a memref has the address of a surface's, if it is known to.
    pub(super) fn aligned(&self, ir: &Ir, memref: Value) -> Option<AccessReason> {
        let bytes = ir.ty(memref).memref()?.element.bytes();
        let offset = self.divisors.tensor(memref).map_or(1, |tensor| tensor.offset);
        let is_aligned = offset.checked_mul(bytes).is_some_and(|address| address % Surface::MIN_BYTES == 0);
        is_aligned.then(|| match self.aligned.contains(&self.root(ir, memref)) {
            true => AccessReason::Promise,
            false => AccessReason::Type,
        })
    }

    /// The memref that a view is a view of, or the group that it is a member of.
    fn root(&self, ir: &Ir, mut value: Value) -> Value {
        while let Some(op) = ir.defining_op(value) {
            let mut source = None;
            op.visit_accesses(&mut |of, access| match access {
                Access::Alias | Access::Read => source = Some(of),
                Access::Value | Access::Write | Access::ReadWrite => {}
            });
            let Some(source) = source else { break };
            value = source;
        }
        value
    }
}

/// The extents of a matrix as a surface, whose rows are the memref's columns.
fn partial_surface(ty: &Memref, extents: &Extents) -> PartialSurface {
    let bytes = |elements: Option<&Option<i64>>| {
        elements.copied().flatten().map(|elements| elements.saturating_mul(ty.element.bytes()))
    };
    PartialSurface {
        width: bytes(extents.shape.first()),
        height: extents.shape.get(1).copied().flatten(),
        pitch: bytes(extents.stride.get(1)),
    }
}

/// A matrix as the member of a packed batch: a view of a memref of three modes at a position of the last one. One of
/// several neighbours is aligned as the messages demand, and the others begin at a later row of its surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedBatch {
    /// The batch.
    pub batch: Value,
    /// The member's number.
    pub number: Value,
    /// Elements from member to member.
    pub stride: i64,
    /// Rows of the surface from member to member.
    pub rows: i64,
    /// Members from one that is aligned to the next, a power of two.
    pub neighbours: i64,
}

impl PackedBatch {
    /// The batch that a matrix is a member of, if its members follow each other without gaps in the rows of a surface.
    pub fn of(ir: &Ir, divisors: &Divisors, memref: Value) -> Option<PackedBatch> {
        let Some(Op::Subview(view)) = ir.defining_op(memref) else { return None };
        let (&[Extent::Static(0), Extent::Static(0), Extent::Dynamic], &[number]) =
            (view.static_offsets.as_slice(), view.offsets.as_slice())
        else {
            return None;
        };
        let &[_, _, Extent::Static(0)] = view.static_sizes.as_slice() else { return None };
        let &[_, Some(pitch), Some(stride)] = Extents::of(ir, view.of)?.stride.as_slice() else {
            return None;
        };
        let bytes = ir.ty(memref).memref()?.element.bytes();
        let alignment = divisors.tensor(view.of)?.offset.checked_mul(bytes)?;
        let is_packed = pitch > 0 && stride > 0 && stride % pitch == 0;
        if !is_packed || alignment % Surface::MIN_BYTES != 0 {
            return None;
        }
        let size = stride.saturating_mul(bytes);
        let aligned = (size & size.wrapping_neg()).clamp(1, Surface::MIN_BYTES);
        let neighbours = Surface::MIN_BYTES / aligned;
        Some(PackedBatch { batch: view.of, number, stride, rows: stride / pitch, neighbours })
    }

    /// The surface that the neighbours share, given that of a member.
    fn shared(&self, member: Surface) -> Surface {
        Surface { height: self.shared_height(member.height), ..member }
    }

    /// Rows of the surface that the neighbours share, given those of a member.
    pub fn shared_height(&self, rows: i64) -> i64 {
        (self.neighbours - 1).saturating_mul(self.rows).saturating_add(rows)
    }
}
