//! Matrices on engines that are reached by SPV_KHR_cooperative_matrix (lowering reference 4.7): AMX, and XMX where the driver
//! refuses the multiply-accumulate instruction.
//!
//! Consumers of the extension load, multiply and store tiles; element-wise instructions make some of them crash. So the
//! operands of products are tiles, and all else is left to the vector code, on components. Sums have both forms: they
//! become tiles where a product or a loop takes them, and components where anything else does, by way of local memory. Branches
//! take components, too: of a tile that depends on one Intel's CPU compiler (2026.2) makes no code in any time.

mod exchange;
mod memory;
mod product;
mod tiles;

use super::access::MatrixAccess;
use super::backend::MatrixBackend;
use super::vector;
use crate::ir::{AccessClass, Coopmatrix, MatrixUse};
use crate::schedule::{JointMatrices, JointTiles};
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use crate::spirv::values::{Form, MatrixValue};
use exchange::Scratch;
use memory::Columns;
use product::Operand;
use rspirv::spirv::Word;
use std::borrow::Cow;
use std::cell::RefCell;
use tiles::tile_type;

/// The code for a function with products for an engine.
pub(super) struct Joint {
    matrices: JointMatrices,
    scratch: Scratch,
    /// The sums whose components were asked for last, with the block that they are in, and these.
    last: RefCell<Option<(Word, Vec<Word>, MatrixValue)>>,
}

impl Joint {
    /// The code for a function with these matrices.
    pub fn new(matrices: JointMatrices) -> Joint {
        Joint { scratch: Scratch::new(matrices.scratch_bytes), matrices, last: RefCell::default() }
    }

    fn tiles(&self, matrix: Coopmatrix) -> Option<JointTiles> {
        self.matrices.tiles(matrix)
    }

    /// A matrix for products.
    fn to_tiles(&self, f: &mut FunctionLowering<'_, '_>, matrix: &MatrixValue) -> Emitted<MatrixValue> {
        match self.tiles(matrix.ty()) {
            Some(tiles) if matrix.form() == Form::Components => {
                self.scratch.tiles(f, &tiles, matrix).map(|ids| MatrixValue::new(matrix.ty(), ids))
            }
            _ => Ok(matrix.clone()),
        }
    }
}

impl MatrixBackend for Joint {
    fn value_types(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: Coopmatrix,
        form: Form,
    ) -> Emitted<Vec<Word>> {
        match (self.tiles(matrix), form) {
            (Some(tiles), Form::Own) => tiles.iter().map(|tile| tile_type(f, matrix, tile)).collect(),
            _ => vector::value_types(f, matrix),
        }
    }

    fn to_form(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: &MatrixValue,
        form: Form,
    ) -> Emitted<MatrixValue> {
        match form {
            Form::Own => self.to_tiles(f, matrix),
            Form::Components => {
                let components = self.components(f, matrix)?.into_owned();
                self.own(f, components)
            }
        }
    }

    fn components<'m>(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: &'m MatrixValue,
    ) -> Emitted<Cow<'m, MatrixValue>> {
        let (Some(tiles), Form::Own) = (self.tiles(matrix.ty()), matrix.form()) else {
            return Ok(Cow::Borrowed(matrix));
        };
        let block = f.module.block;
        if let Some((known, ids, components)) = &*self.last.borrow()
            && (*known, ids.as_slice()) == (block, matrix.ids())
        {
            return Ok(Cow::Owned(components.clone()));
        }
        let components = self.scratch.components(f, &tiles, matrix.ids())?;
        *self.last.borrow_mut() = Some((f.module.block, matrix.ids().to_vec(), components.clone()));
        Ok(Cow::Owned(components))
    }

    fn own(&self, _: &mut FunctionLowering<'_, '_>, components: MatrixValue) -> Emitted<MatrixValue> {
        let is_tiled = self.tiles(components.ty()).is_some();
        Ok(if is_tiled { components.in_form(Form::Components) } else { components })
    }

    fn engine_mul_add(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        [a, b]: [&MatrixValue; 2],
        c: &MatrixValue,
    ) -> Emitted<Option<MatrixValue>> {
        if self.matrices.takes([a.ty(), b.ty(), c.ty()])
            && let (Some(of_a), Some(of_b), Some(of_c)) =
                (self.tiles(a.ty()), self.tiles(b.ty()), self.tiles(c.ty()))
        {
            let (a, b, c) = (self.to_tiles(f, a)?, self.to_tiles(f, b)?, self.to_tiles(f, c)?);
            let operands = [(&of_a, &a), (&of_b, &b), (&of_c, &c)];
            let [a, b, sums] = operands.map(|(tiles, matrix)| Operand { tiles, ids: matrix.ids() });
            return Ok(Some(MatrixValue::new(c.ty(), product::mul_add(f, a, b, sums)?)));
        }
        Ok(None)
    }

    /// Factors become tiles at once, so that no loop that takes them does it in every iteration.
    fn load(&self, f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue> {
        let factor = self.tiles(from.matrix).filter(|tiles| tiles.matrix.usage != MatrixUse::Acc);
        if from.io.class == AccessClass::Tiles {
            let tiles = factor.ok_or_else(|| Error::internal("what is loaded is no factor of tiles"))?;
            let ids = Columns::of(f, from)?.load(f, &tiles)?;
            return Ok(MatrixValue::new(from.matrix, ids));
        }
        let components = vector::load(f, from)?;
        let components = self.own(f, components)?;
        if factor.is_some() { self.to_tiles(f, &components) } else { Ok(components) }
    }

    fn store(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        to: &MatrixAccess<'_>,
        value: &MatrixValue,
    ) -> Emitted<()> {
        if to.io.class == AccessClass::Tiles {
            let (Some(tiles), Form::Own) = (self.tiles(to.matrix), value.form()) else {
                return Err(Error::internal("what is stored is not held in tiles"));
            };
            return Columns::of(f, to)?.store(f, &tiles, value.ids());
        }
        let components = self.components(f, value)?;
        vector::store(f, to, &components)
    }
}
