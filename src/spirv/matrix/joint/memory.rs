//! Tiles in memory.

use super::tiles::tile_type;
use crate::device::SpirvFeature;
use crate::ir::{MatrixUse, Memref};
use crate::schedule::{JointTile, JointTiles};
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::MatrixAccess;
use crate::spirv::module_builder::Emitted;
use rspirv::dr::Operand;
use rspirv::spirv::{CooperativeMatrixLayout, Op, Word};

/// The layout of factors in which rows that fill four bytes lie side by side (SPV_INTEL_joint_matrix).
const PACKED: u32 = 2;

/// Columns of a matrix in memory, each of which is there as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns<'a> {
    pub ty: &'a Memref,
    pub pointer: Word,
    /// Elements from one column to the next, an index.
    pub stride: Word,
    /// Columns of a packed A side by side.
    pub packed: Option<i64>,
}

impl<'a> Columns<'a> {
    /// The columns of a matrix that tiles are loaded from or stored to as they lie.
    pub fn of(f: &mut FunctionLowering<'_, '_>, access: &MatrixAccess<'a>) -> Emitted<Columns<'a>> {
        let [rows, cols] = access.axes();
        let right = f.module.mul(cols.start, cols.stride)?;
        let offset = f.module.add(rows.start, right)?;
        let ty = f.module.element_pointer_type(access.at.ty.element, access.at.ty.space)?;
        let pointer = f.module.offset_pointer(ty, access.at.pointer, offset)?;
        Ok(Columns { ty: access.at.ty, pointer, stride: cols.stride, packed: None })
    }

    /// Reads all tiles of a matrix.
    pub fn load(&self, f: &mut FunctionLowering<'_, '_>, tiles: &JointTiles) -> Emitted<Vec<Word>> {
        f.module.require(SpirvFeature::CooperativeMatrix)?;
        let mut ids = Vec::with_capacity(tiles.len());
        for tile in tiles.iter() {
            let ty = tile_type(f, tiles.matrix, tile)?;
            let pointer = self.pointer_to(f, tile)?;
            let [layout, stride] = self.layout(f)?;
            let operands = [pointer, layout, stride].map(Operand::IdRef).to_vec();
            ids.push(f.module.value_of(Op::CooperativeMatrixLoadKHR, ty, operands)?);
        }
        Ok(ids)
    }

    /// Writes all tiles of a matrix of sums.
    pub fn store(&self, f: &mut FunctionLowering<'_, '_>, tiles: &JointTiles, ids: &[Word]) -> Emitted<()> {
        if tiles.matrix.usage != MatrixUse::Acc {
            return Err(Error::internal("no consumer stores factors"));
        }
        f.module.require(SpirvFeature::CooperativeMatrix)?;
        for (tile, &id) in tiles.iter().zip(ids) {
            let pointer = self.pointer_to(f, tile)?;
            let [layout, stride] = self.layout(f)?;
            let operands = [pointer, id, layout, stride].map(Operand::IdRef).to_vec();
            f.module.effect(Op::CooperativeMatrixStoreKHR, operands)?;
        }
        Ok(())
    }

    /// Layout and stride. To the extension, whose matrices are transposed, columns are rows.
    fn layout(&self, f: &mut FunctionLowering<'_, '_>) -> Emitted<[Word; 2]> {
        let Some(packed) = self.packed else {
            let layout = f.module.i32_constant(CooperativeMatrixLayout::RowMajorKHR as u32);
            return Ok([layout, self.stride]);
        };
        let packed = f.module.index_constant(packed);
        Ok([f.module.i32_constant(PACKED), f.module.mul(self.stride, packed)?])
    }

    fn pointer_to(&self, f: &mut FunctionLowering<'_, '_>, tile: JointTile) -> Emitted<Word> {
        let row = tile.row * self.packed.unwrap_or(1);
        let (row, col) = (f.module.index_constant(row), f.module.index_constant(tile.col));
        let right = f.module.mul(col, self.stride)?;
        let offset = f.module.add(row, right)?;
        let ty = f.module.element_pointer_type(self.ty.element, self.ty.space)?;
        f.module.offset_pointer(ty, self.pointer, offset)
    }
}
