//! Views of memrefs (`spec/language.md` 5.9).

use super::super::entities::Value;
use super::super::instructions::{Expand, Fuse, Subview};
use super::super::types::{Extent, Memref};
use super::{Check, Rules, Violation};
use crate::status::Status;

impl Rules for Subview {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        for &value in self.offsets.iter().chain(&self.sizes) {
            check.index(value)?;
        }
        let (operand, result) = view(check, self.of)?;
        let slices = self.static_offsets.len();
        check.require(
            slices == operand.order() && self.static_sizes.len() == slices,
            Status::IrInvalidNumberOfIndices,
            &[],
            || format!("{slices} slices for {} modes", operand.order()),
        )?;
        let dynamic = |extents: &[Extent]| extents.iter().filter(|extent| extent.is_dynamic()).count();
        check.require(
            dynamic(&self.static_offsets) == self.offsets.len()
                && dynamic(&self.static_sizes) == self.sizes.len(),
            Status::IrSubviewMismatch,
            &[],
            || "every dynamic entry takes one value".to_owned(),
        )?;
        let mut kept = 0;
        for (mode, (offset, size)) in self.static_offsets.iter().zip(&self.static_sizes).enumerate() {
            for extent in [offset, size] {
                let negative = extent.value().is_some_and(|value| value < 0);
                check
                    .require(!negative, Status::IrInvalidSlice, &[], || format!("{extent} in mode {mode}"))?;
            }
            if *size != Extent::Static(0) {
                let stride = operand.stride.get(mode).copied().unwrap_or(Extent::Dynamic);
                matches_mode(check, result, kept, *size, stride)?;
                kept += 1;
            }
        }
        Ok(())
    }
}

impl Rules for Expand {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        self.sizes.iter().try_for_each(|&size| check.index(size))?;
        let (operand, result) = view(check, self.of)?;
        let mode = mode_of(check, self.of, operand, self.mode)?;
        check.require(self.static_shape.len() >= 2, Status::IrExpandShapeOrderTooSmall, &[], || {
            format!("{} sizes", self.static_shape.len())
        })?;
        let dynamic = self.static_shape.iter().filter(|extent| extent.is_dynamic()).count();
        check.require(dynamic == self.sizes.len(), Status::IrExpandShapeMismatch, &[], || {
            "every dynamic size takes one value".to_owned()
        })?;
        let modes = || operand.shape.iter().copied().zip(operand.stride.iter().copied()).enumerate();
        for (i, (size, stride)) in modes().take(mode) {
            matches_mode(check, result, i, size, stride)?;
        }
        let mut stride = operand.stride.get(mode).copied().unwrap_or(Extent::Dynamic);
        for (i, &size) in self.static_shape.iter().enumerate() {
            matches_mode(check, result, mode + i, size, stride)?;
            stride = stride.times(size);
        }
        for (i, (size, stride)) in modes().skip(mode + 1) {
            matches_mode(check, result, i + self.static_shape.len() - 1, size, stride)?;
        }
        Ok(())
    }
}

impl Rules for Fuse {
    fn check(&self, check: &Check<'_>) -> Result<(), Violation> {
        let (operand, result) = view(check, self.of)?;
        let first = mode_of(check, self.of, operand, self.first)?;
        let last = mode_of(check, self.of, operand, self.last)?;
        check.require(first < last, Status::IrOutOfBounds, &[self.of], || {
            format!("modes {first} to {last}, which are fewer than two")
        })?;
        let mut target = 0;
        let mut fused = Extent::Static(1);
        for (mode, (&size, &stride)) in operand.shape.iter().zip(&operand.stride).enumerate() {
            if (first..=last).contains(&mode) {
                fused = fused.times(size);
                if mode < last {
                    continue;
                }
                let stride = operand.stride.get(first).copied().unwrap_or(Extent::Dynamic);
                matches_mode(check, result, target, fused, stride)?;
            } else {
                matches_mode(check, result, target, size, stride)?;
            }
            target += 1;
        }
        Ok(())
    }
}

/// A mode of the operand, by number.
fn mode_of(check: &Check<'_>, operand: Value, memref: &Memref, mode: i64) -> Result<usize, Violation> {
    usize::try_from(mode).ok().filter(|&mode| mode < memref.order()).ok_or_else(|| {
        let detail = format!("mode {mode} of {}, counted from 0", memref.order());
        check.fail(Status::IrOutOfBounds, detail, &[operand])
    })
}

/// The checks that all views share; returns operand and result.
fn view<'a>(check: &Check<'a>, operand: Value) -> Result<(&'a Memref, &'a Memref), Violation> {
    let ty = check.result()?;
    let result = ty
        .memref()
        .ok_or_else(|| check.fail(Status::IrExpectedMemref, format!("the result is {ty}"), &[]))?;
    let memref = check.memref(operand)?;
    let detail = || format!("{}, the result {ty}", check.describe(operand));
    check.require(memref.element == result.element, Status::IrNumberMismatch, &[operand], detail)?;
    check.require(memref.space == result.space, Status::IrAddressSpaceMismatch, &[operand], detail)?;
    Ok((memref, result))
}

/// A mode of the result has the given size, and the given stride or a dynamic one.
fn matches_mode(
    check: &Check<'_>,
    result: &Memref,
    mode: usize,
    size: Extent,
    stride: Extent,
) -> Result<(), Violation> {
    let (Some(&found_size), Some(&found_stride)) = (result.shape.get(mode), result.stride.get(mode)) else {
        let detail = format!("the result has {} modes, which are too few", result.order());
        return Err(check.fail(Status::IrInvalidShape, detail, &[]));
    };
    check.require(found_size == size, Status::IrInvalidShape, &[], || {
        format!("mode {mode} of the result has size {found_size} instead of {size}")
    })?;
    check.require(found_stride.is_dynamic() || found_stride == stride, Status::IrInvalidStride, &[], || {
        format!("mode {mode} of the result has stride {found_stride} instead of {stride}")
    })
}
