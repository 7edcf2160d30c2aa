//! Rules on types (language reference 3.2–3.4).

use super::super::types::{AddressSpace, Extent, Memref, Swizzle, Tile, Type, canonical_stride};
use super::VerifierError;
use crate::diagnostics::Location;
use crate::status::Status;

/// Far beyond any tensor; what looks at every mode of every operand stays fast.
const MAX_MODES: usize = 64;

/// The size or stride that keeps the columns of numbers that share bytes from beginning at a byte (language reference 3.1).
fn odd_extent(memref: &Memref) -> Option<String> {
    let element = memref.element;
    let is_odd = |extent: &Extent| extent.value().is_some_and(|value| value % element.per_byte() != 0);
    if element.is_packed() && memref.order() == 0 {
        return Some(format!("a memref of one {element} fills no byte"));
    }
    memref.shape.iter().zip(&memref.stride).find_map(|(size, stride)| match stride {
        Extent::Static(1) => is_odd(size)
            .then(|| format!("{size} numbers of {element} side by side, which needs an even size")),
        stride => is_odd(stride).then(|| format!("stride {stride} of {element}, which is odd")),
    })
}

/// The reason why a swizzle does not fit the memref that it stands in (language reference 3.2).
fn swizzle_misfit(memref: &Memref) -> Option<String> {
    let swizzle = memref.swizzle?;
    let Swizzle { vec, per_phase, max_phase } = swizzle;
    if memref.space != AddressSpace::Local {
        return Some(format!("{swizzle} in {memref}, which is no local memory"));
    }
    if memref.order() < 2 || memref.stride != canonical_stride(&memref.shape) {
        return Some(format!("{swizzle} in {memref}, which is no packed matrix or tensor"));
    }
    if vec < 1 || per_phase < 1 || max_phase < 1 || max_phase.count_ones() != 1 {
        return Some(format!("{swizzle}: all three must be positive, and the last one a power of two"));
    }
    let rows = memref.shape.first().and_then(|rows| rows.value());
    let unit = vec.checked_mul(max_phase);
    let fits = rows.zip(unit).is_some_and(|(rows, unit)| rows % unit == 0);
    (!fits).then(|| {
        let unit = unit.map_or_else(|| format!("{vec}·{max_phase}"), |unit| unit.to_string());
        let rows = rows.map_or_else(|| "?".to_owned(), |rows| rows.to_string());
        format!("{swizzle} needs the first mode to be a multiple of {unit}, it is {rows}")
    })
}

/// Checks sizes, strides and offsets of a type that was put together from a text or through the API.
///
/// # Errors
/// The first broken rule, at `location`.
pub fn check_type(ty: &Type, location: Location) -> Result<(), VerifierError> {
    let fail = |status, detail: String| Err(VerifierError::new(status, location, detail));
    let negative = |extent: &Extent| extent.value().is_some_and(|value| value < 0);
    match ty {
        Type::Bool | Type::Scalar(_) => Ok(()),
        Type::Memref(memref) if memref.order() > MAX_MODES => {
            fail(Status::OutOfRange, format!("{} modes, of which there may be {MAX_MODES}", memref.order()))
        }
        Type::Memref(memref) => {
            if memref.shape.len() != memref.stride.len() {
                return fail(
                    Status::IrShapeStrideMismatch,
                    format!("{} sizes, {} strides", memref.shape.len(), memref.stride.len()),
                );
            }
            match memref.shape.iter().chain(&memref.stride).find(|extent| negative(extent)) {
                Some(extent) => fail(Status::IrInvalidShape, format!("{extent} in {ty} is negative")),
                None => match (odd_extent(memref), swizzle_misfit(memref)) {
                    (Some(detail), _) => fail(Status::IrPackedShape, detail),
                    (None, Some(detail)) => fail(Status::IrTileSwizzleShape, detail),
                    (None, None) => Ok(()),
                },
            }
        }
        Type::Group(group) if negative(&group.size) => {
            fail(Status::IrInvalidShape, format!("size {} in {ty} is negative", group.size))
        }
        Type::Group(group) if negative(&group.offset) => {
            fail(Status::IrInvalidOffset, format!("offset {} in {ty} is negative", group.offset))
        }
        Type::Group(group)
            if group.offset.value().is_some_and(|offset| offset % group.member.element.per_byte() != 0) =>
        {
            fail(Status::IrPackedShape, format!("offset {} in {ty} is odd", group.offset))
        }
        Type::Group(_) => Ok(()),
        Type::Coopmatrix(matrix) => {
            if matrix.rows < 0 {
                fail(Status::IrInvalidShape, format!("{} rows in {ty}", matrix.rows))
            } else if matrix.rows.count_ones() != 1 {
                fail(
                    Status::IrUnsupportedCoopmatrixShape,
                    format!("{} rows in {ty}, which is no power of two", matrix.rows),
                )
            } else if matrix.cols < 0 {
                fail(Status::IrInvalidShape, format!("{} columns in {ty}", matrix.cols))
            } else {
                Ok(())
            }
        }
        Type::Tile(tile) if tile.rows <= 0 => {
            fail(Status::IrInvalidShape, format!("{} rows in {ty}", tile.rows))
        }
        Type::Tile(tile) if tile.cols <= 0 => {
            fail(Status::IrInvalidShape, format!("{} columns in {ty}", tile.cols))
        }
        Type::Tile(tile)
            if tile.rows.checked_mul(tile.cols).is_none_or(|found| found > Tile::MAX_ELEMENTS) =>
        {
            let Tile { rows, cols, .. } = tile;
            let detail = format!("{rows}x{cols} elements, of which a tile may have {}", Tile::MAX_ELEMENTS);
            fail(Status::OutOfRange, detail)
        }
        Type::Tile(_) => Ok(()),
    }
}
