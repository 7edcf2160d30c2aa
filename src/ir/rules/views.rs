//! Views of memrefs (language reference 5.9).

use super::super::entities::{Ir, Value};
use super::super::fields::Transpose;
use super::super::instructions::{Expand, Fuse, MemrefCast, Subview};
use super::super::types::{Extent, Memref, Type};
use super::{Check, Rules, VerifierError};
use crate::status::Status;

impl Rules for Subview {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        for &value in self.offsets.iter().chain(&self.sizes) {
            check.index(value)?;
        }
        let view = View::new(check, self.of)?;
        let operand = view.operand;
        let slices = self.static_offsets.len();
        // The columns of a swizzle are counted from its own first one.
        let is_whole = |mode: usize| {
            self.static_offsets.get(mode) == Some(&Extent::Static(0))
                && self.static_sizes.get(mode) == operand.shape.get(mode)
        };
        check.require(
            operand.swizzle.is_none() || is_whole(0) && is_whole(1),
            Status::IrTileSwizzleShape,
            &[self.of],
            || format!("the first two modes must be whole; {}", check.describe(self.of)),
        )?;
        check.require(
            slices == operand.order() && self.static_sizes.len() == slices,
            Status::IrInvalidNumberOfIndices,
            &[],
            || format!("{slices} slices instead of {}; {}", operand.order(), check.describe(self.of)),
        )?;
        let dynamic = |extents: &[Extent]| extents.iter().filter(|extent| extent.is_dynamic()).count();
        check.require(
            dynamic(&self.static_offsets) == self.offsets.len()
                && dynamic(&self.static_sizes) == self.sizes.len(),
            Status::IrSubviewMismatch,
            &[],
            || "every dynamic entry takes one value".to_owned(),
        )?;
        let mut modes = self.modes(operand).into_iter().enumerate();
        for (mode, (offset, size)) in self.static_offsets.iter().zip(&self.static_sizes).enumerate() {
            for (what, extent) in [("offset", offset), ("size", size)] {
                let negative = extent.value().is_some_and(|value| value < 0);
                check.require(!negative, Status::IrInvalidSlice, &[], || {
                    format!("{what} {extent} of mode {mode}; {}", check.describe(self.of))
                })?;
            }
            let begins_byte = match operand.stride.get(mode) {
                Some(Extent::Static(1)) => {
                    offset.value().map(|offset| offset % operand.element.per_byte() == 0)
                }
                _ => Some(true),
            };
            check.require(!operand.element.is_packed() || begins_byte == Some(true), Status::IrPackedShape, &[self.of], || {
                format!(
                    "offset {offset} of mode {mode} is not known to be even; {}, two numbers of which share a byte: load at the place instead",
                    check.describe(self.of)
                )
            })?;
            if *size != Extent::Static(0)
                && let Some((kept, found)) = modes.next()
            {
                view.matches_mode(kept, found)?;
            }
        }
        view.has_order(self.modes(operand).len())
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        let operand = ir.ty(self.of).memref()?;
        Some(vec![view_of(operand, self.modes(operand))])
    }
}

impl Subview {
    /// Sizes and strides of the modes that are kept.
    fn modes(&self, operand: &Memref) -> Vec<Mode> {
        let modes = self.static_sizes.iter().copied().zip(operand.stride.iter().copied());
        modes.filter(|(size, _)| *size != Extent::Static(0)).collect()
    }
}

impl Rules for Expand {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        self.sizes.iter().try_for_each(|&size| check.index(size))?;
        let view = View::new(check, self.of)?;
        let operand = view.operand;
        let mode = view.mode(self.mode, &[self.of])?;
        check.require(self.static_shape.len() >= 2, Status::IrExpandShapeOrderTooSmall, &[], || {
            format!("{} sizes", self.static_shape.len())
        })?;
        let dynamic = self.static_shape.iter().filter(|extent| extent.is_dynamic()).count();
        check.require(dynamic == self.sizes.len(), Status::IrExpandShapeMismatch, &[], || {
            "every dynamic size takes one value".to_owned()
        })?;
        view.has_modes(self.modes(operand, mode))
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        let operand = ir.ty(self.of).memref()?;
        let mode = usize::try_from(self.mode).ok().filter(|&mode| mode < operand.order())?;
        Some(vec![view_of(operand, self.modes(operand, mode))])
    }
}

impl Expand {
    /// Sizes and strides of all modes, where that of the operand is split.
    fn modes(&self, operand: &Memref, split: usize) -> Vec<Mode> {
        let mut modes = Vec::new();
        for (mode, (&size, &stride)) in operand.shape.iter().zip(&operand.stride).enumerate() {
            if mode != split {
                modes.push((size, stride));
                continue;
            }
            let mut stride = stride;
            for &size in &self.static_shape {
                modes.push((size, stride));
                stride = stride.times(size);
            }
        }
        modes
    }
}

impl Rules for Fuse {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let view = View::new(check, self.of)?;
        let operand = view.operand;
        let first = view.mode(self.first, &[])?;
        let last = view.mode(self.last, &[])?;
        check.require(first < last, Status::IrOutOfBounds, &[], || {
            format!("modes {first} to {last} are fewer than two; {}", check.describe(self.of))
        })?;
        view.has_modes(fused_modes(operand, first, last))
    }

    fn result_types(&self, ir: &Ir) -> Option<Vec<Type>> {
        let operand = ir.ty(self.of).memref()?;
        let [first, last] = [self.first, self.last].map(|mode| usize::try_from(mode).ok());
        let (first, last) = (first?, last.filter(|&last| last < operand.order())?);
        (first < last).then(|| vec![view_of(operand, fused_modes(operand, first, last))])
    }
}

/// Sizes and strides of all modes, where `first` to `last` are one.
fn fused_modes(operand: &Memref, first: usize, last: usize) -> Vec<Mode> {
    let mut modes = Vec::new();
    let mut fused = (Extent::Static(1), Extent::Dynamic);
    for (mode, (&size, &stride)) in operand.shape.iter().zip(&operand.stride).enumerate() {
        if !(first..=last).contains(&mode) {
            modes.push((size, stride));
            continue;
        }
        fused = (fused.0.times(size), if mode == first { stride } else { fused.1 });
        if mode == last {
            modes.push(fused);
        }
    }
    modes
}

impl Rules for MemrefCast {
    fn check(&self, check: &Check<'_>) -> Result<(), VerifierError> {
        let view = View::new(check, self.of)?;
        let operand = view.operand;
        let (mut shape, mut stride) = (operand.shape.clone(), operand.stride.clone());
        if self.transpose == Transpose::T {
            check.order(self.of, operand, 2, Status::IrExpectedMemrefOrder2)?;
            shape.reverse();
            stride.reverse();
        }
        check.require(operand.order() == view.result.order(), Status::IrInvalidShape, &[self.of], || {
            format!("the result is {}; {}", view.result, check.describe(self.of))
        })?;
        let agreed =
            |of: Extent, found: &Extent| if of.is_dynamic() || found.is_dynamic() { *found } else { of };
        let found = view.result.shape.iter().zip(&view.result.stride);
        for (mode, ((size, stride), found)) in shape.into_iter().zip(stride).zip(found).enumerate() {
            view.matches_mode(mode, (agreed(size, found.0), agreed(stride, found.1)))?;
        }
        Ok(())
    }
}

/// Size and stride of a mode.
type Mode = (Extent, Extent);

/// A view of a memref, with strides as static as they can be.
fn view_of(operand: &Memref, modes: Vec<Mode>) -> Type {
    let (shape, stride) = modes.into_iter().unzip();
    Memref { shape, stride, ..operand.clone() }.into()
}

/// A view and what it is a view of.
struct View<'a, 'c> {
    check: &'c Check<'a>,
    of: Value,
    operand: &'a Memref,
    result: &'a Memref,
}

impl<'a, 'c> View<'a, 'c> {
    /// The checks that all views share.
    fn new(check: &'c Check<'a>, of: Value) -> Result<View<'a, 'c>, VerifierError> {
        let ty = check.result()?;
        let result = ty
            .memref()
            .ok_or_else(|| check.fail(Status::IrExpectedMemref, format!("the result is {ty}"), &[]))?;
        let operand = check.memref(of)?;
        let detail = || format!("{}, the result {ty}", check.describe(of));
        check.require(operand.element == result.element, Status::IrNumberMismatch, &[of], detail)?;
        check.require(operand.space == result.space, Status::IrAddressSpaceMismatch, &[of], detail)?;
        check.require(operand.swizzle == result.swizzle, Status::IrTileSwizzleShape, &[of], detail)?;
        Ok(View { check, of, operand, result })
    }

    /// A mode of the operand, by number.
    fn mode(&self, mode: i64, notes: &[Value]) -> Result<usize, VerifierError> {
        usize::try_from(mode).ok().filter(|&mode| mode < self.operand.order()).ok_or_else(|| {
            let detail = format!("mode {mode}, counted from 0; {}", self.check.describe(self.of));
            self.check.fail(Status::IrOutOfBounds, detail, notes)
        })
    }

    /// The result has these modes and no others.
    fn has_modes(&self, modes: Vec<Mode>) -> Result<(), VerifierError> {
        let order = modes.len();
        modes.into_iter().enumerate().try_for_each(|(place, mode)| self.matches_mode(place, mode))?;
        self.has_order(order)
    }

    /// The result has no modes behind so many.
    fn has_order(&self, order: usize) -> Result<(), VerifierError> {
        let View { check, result, .. } = self;
        check.require(result.order() <= order, Status::IrInvalidShape, &[], || {
            let of = check.describe(self.of);
            format!("the result is {result}, of order {} instead of {order}; {of}", result.order())
        })
    }

    /// A mode of the result has the given size, and the given stride or a dynamic one.
    fn matches_mode(&self, mode: usize, (size, stride): Mode) -> Result<(), VerifierError> {
        let View { check, result, .. } = self;
        let (Some(&found_size), Some(&found_stride)) = (result.shape.get(mode), result.stride.get(mode))
        else {
            let detail =
                format!("the result is {result}, which lacks mode {mode}; {}", check.describe(self.of));
            return Err(check.fail(Status::IrInvalidShape, detail, &[]));
        };
        check.require(found_size == size, Status::IrInvalidShape, &[], || {
            let of = check.describe(self.of);
            format!("mode {mode} of the result {result} has size {found_size} instead of {size}; {of}")
        })?;
        check.require(
            found_stride.is_dynamic() || found_stride == stride,
            Status::IrInvalidStride,
            &[],
            || {
                let of = check.describe(self.of);
                format!(
                    "mode {mode} of the result {result} has stride {found_stride} instead of {stride}; {of}"
                )
            },
        )
    }
}
