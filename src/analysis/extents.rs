//! Sizes and strides of memrefs, also where their types leave them open.

use super::constants::Interval;
use crate::ir::{Extent, Ir, Op, Transpose, Value};

/// Views of views that are followed; what lies behind more of them counts as unknown.
const MAX_VIEWS: u32 = 16;

/// Sizes and strides of the modes of a memref, as far as they are known when compiling; elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extents {
    /// Size of each mode.
    pub shape: Vec<Option<i64>>,
    /// Stride of each mode.
    pub stride: Vec<Option<i64>>,
}

impl Extents {
    /// The extents of a memref: what its type says, or the constants that it has been made from.
    pub fn of(ir: &Ir, memref: Value) -> Option<Extents> {
        Extents::within(ir, memref, MAX_VIEWS)
    }

    fn within(ir: &Ir, value: Value, depth: u32) -> Option<Extents> {
        let memref = ir.ty(value).memref()?;
        let numbers = |extents: &[Extent]| extents.iter().map(|extent| extent.value()).collect::<Vec<_>>();
        let mut extents = Extents { shape: numbers(&memref.shape), stride: numbers(&memref.stride) };
        let is_open = extents.shape.iter().chain(&extents.stride).any(Option::is_none);
        let source = depth.checked_sub(1).filter(|_| is_open).zip(ir.defining_op(value));
        if let Some((depth, op)) = source
            && let Some(source) = Extents::from_source(ir, op, depth)
        {
            let open = extents.shape.iter_mut().zip(source.shape);
            for (extent, source) in open.chain(extents.stride.iter_mut().zip(source.stride)) {
                *extent = extent.or(source);
            }
        }
        Some(extents)
    }

    /// The extents of a view, from those of the memref it is a view of.
    fn from_source(ir: &Ir, op: &Op, depth: u32) -> Option<Extents> {
        match op {
            Op::AsSurface(surface) => Extents::within(ir, surface.of, depth),
            Op::MemrefCast(cast) => {
                let mut extents = Extents::within(ir, cast.of, depth)?;
                if cast.transpose == Transpose::T {
                    extents.shape.reverse();
                    extents.stride.reverse();
                }
                Some(extents)
            }
            Op::Subview(view) => {
                let of = Extents::within(ir, view.of, depth)?;
                let mut sizes = view.sizes.iter();
                let mut extents = Extents { shape: Vec::new(), stride: Vec::new() };
                for (size, &stride) in view.static_sizes.iter().zip(&of.stride) {
                    if *size == Extent::Static(0) {
                        continue;
                    }
                    let size = size.value().or_else(|| Interval::of(ir, *sizes.next()?).number());
                    extents.shape.push(size);
                    extents.stride.push(stride);
                }
                Some(extents)
            }
            _ => None,
        }
    }
}
