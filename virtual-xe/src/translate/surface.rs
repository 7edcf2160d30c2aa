//! 2D block accesses (SPV_INTEL_2d_block_io).

use super::Translator;
use crate::layout::{Part, Scalar};
use crate::program::{BlockShape, Step, Surface, SurfaceAction};
use crate::{Defect, Error};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Op, StorageClass};

impl<const S: usize> Translator<'_, S> {
    pub(super) fn surface(&mut self, inst: &Instruction) -> Result<bool, Error> {
        let action = match inst.class.opcode {
            Op::Subgroup2DBlockLoadINTEL => SurfaceAction::Load,
            Op::Subgroup2DBlockLoadTransformINTEL => SurfaceAction::Transform,
            Op::Subgroup2DBlockLoadTransposeINTEL => SurfaceAction::Transpose,
            Op::Subgroup2DBlockPrefetchINTEL => SurfaceAction::Prefetch,
            Op::Subgroup2DBlockStoreINTEL => SurfaceAction::Store,
            _ => return Ok(false),
        };
        let mut operands = inst.operands.iter().filter_map(Operand::id_ref_any);
        let mut next = || operands.next().ok_or(Error::Unsupported("2D block accesses of so few operands"));
        let shape = [next()?, next()?, next()?, next()?].map(|id| self.number(id));
        let [element, width, height, count] = shape;
        let number =
            |number: Result<u64, Error>| Ok::<u32, Error>(u32::try_from(number?).unwrap_or(u32::MAX));
        let shape = BlockShape {
            element: number(element)?,
            width: number(width)?,
            height: number(height)?,
            count: number(count)?,
        };
        if action == SurfaceAction::Prefetch && self.source.device.defect() == Some(Defect::PrefetchRefused) {
            return Err(self.refused(inst, "this device has a defect".to_owned()));
        }
        if !shape.is_valid(action) {
            let BlockShape { element, width, height, count } = shape;
            let reason = format!(
                "no device has {count} blocks of {height} rows of {width} elements of {element} bytes"
            );
            return Err(self.refused(inst, reason));
        }
        let source = if action == SurfaceAction::Store { Some(next()?) } else { None };
        let base = next()?;
        let (width, height, pitch) = (next()?, next()?, next()?);
        let coordinate = next()?;
        let private = match action {
            SurfaceAction::Prefetch => None,
            SurfaceAction::Store => source,
            _ => Some(next()?),
        };
        if self.class_of(base)? != StorageClass::CrossWorkgroup {
            return Err(self.refused(inst, "the matrix is not in global memory".to_owned()));
        }
        let &[column, row] = &*self.rows(coordinate)? else {
            return Err(self.refused(inst, "the coordinate is no vector of two".to_owned()));
        };
        if [width, height, pitch, coordinate].iter().any(|&id| self.scalar_of(id).ok() != Some(Scalar::I32)) {
            return Err(self.refused(inst, "sizes and coordinates are no 32-bit integers".to_owned()));
        }
        self.emit(Step::Converged)?;
        let scalar = match shape.element {
            _ if action == SurfaceAction::Transform => Scalar::I32,
            1 => Scalar::I8,
            2 => Scalar::I16,
            4 => Scalar::I32,
            _ => Scalar::I64,
        };
        let part = vec![(Part { scalar, offset: 0 }, 0)];
        let base = self.pointer(base)?;
        let base = self.access(base, part.clone(), 1);
        let private = match private {
            Some(id) => {
                let pointer = self.pointer(id)?;
                Some(self.access(pointer, part, scalar.bytes().into()))
            }
            None => None,
        };
        let surface = Surface {
            action,
            shape,
            base,
            private,
            width: self.scalar(width)?,
            height: self.scalar(height)?,
            pitch: self.scalar(pitch)?,
            column,
            row,
            pitch_alignment: self.source.device.pitch_alignment(),
        };
        self.emit(Step::Surface(Box::new(surface)))?;
        Ok(true)
    }
}

impl BlockShape {
    /// Returns whether Intel's compiler takes a block of this shape: sizes are powers of two, and a row of all blocks
    /// has at most 64 bytes.
    fn is_valid(self, action: SurfaceAction) -> bool {
        let BlockShape { element, width, height, count } = self;
        let powers = [width, height, count].iter().all(|size| size.is_power_of_two());
        let row = width.checked_mul(element).and_then(|row| row.checked_mul(count));
        if !powers || !matches!(element, 1 | 2 | 4 | 8) || row.is_none_or(|row| row > 64) || height > 32 {
            return false;
        }
        match action {
            SurfaceAction::Load => {
                width.saturating_mul(element) >= 4 && self.has_countable_blocks() && self.fills_subgroup()
            }
            SurfaceAction::Transform => {
                let least = match (element, count) {
                    (1, 1 | 2 | 4) | (2, 2 | 4) => 4,
                    (2, 1) => 2,
                    _ => return false,
                };
                (least..=16).contains(&width) && height >= 4
            }
            SurfaceAction::Transpose => match element {
                4 => count == 1 && width <= 8 && height >= 4,
                8 => count == 1 && matches!(width, 2 | 4) && height == 8,
                _ => false,
            },
            SurfaceAction::Prefetch => self.has_countable_blocks(),
            SurfaceAction::Store => count == 1 && width >= 4 && height <= 8,
        }
    }

    /// Large elements come in few blocks.
    fn has_countable_blocks(self) -> bool {
        match self.element {
            1 | 2 => self.count <= 4,
            4 => self.count <= 2,
            _ => self.count == 1,
        }
    }

    /// Very small blocks do not have something for every lane.
    fn fills_subgroup(self) -> bool {
        let BlockShape { element, width, height, count } = self;
        !match (element, width) {
            (1, 4) | (2, 2) => count >= 2 && height <= 8,
            (1, 8) | (2, 4) => count >= 2 && height == 1,
            (8, 1) => height <= 8,
            (8, _) => height == 1,
            _ => false,
        }
    }
}
