//! Matrices on engines that are reached by SPV_KHR_cooperative_matrix (lowering reference 4.7): AMX, and XMX where the driver
//! refuses the multiply-accumulate instruction.
//!
//! Consumers of the extension load, multiply and store tiles; element-wise instructions make some of them crash. So the
//! operands of products are tiles, and all else is left to the vector back end, on components. Sums have both forms: they
//! become tiles where a product or a loop takes them, and components where anything else does, by way of local memory. Branches
//! take components, too: of a tile that depends on one Intel's CPU compiler (2026.2) makes no code in any time.

mod exchange;
mod memory;
mod product;
mod tiles;

use super::access::{MatrixAccess, Prefetch};
use super::backend::{EntryFunction, Form, MatrixBackend, MatrixValue};
use super::vector::Vector;
use crate::device::{CoreInfo, JointMatrix};
use crate::ir::{
    AtomicUpdateOp, Coopmatrix, CoopmatrixReduceOp, Func, Inst, Ir, MatrixUse, ReduceMode, UnaryOp,
};
use crate::schedule::Schedule;
use crate::spirv::arithmetic::NumberBinary;
use crate::spirv::atomic::Access as AtomicAccess;
use crate::spirv::function::{FunctionLowering, SCRATCH_ALIGNMENT, local_bytes};
use crate::spirv::module_builder::Emitted;
use memory::Columns;
use product::{Operand, takes};
use rspirv::spirv::{BuiltIn, Word};
use std::cell::RefCell;
use std::collections::HashSet;
use tiles::Tiles;

/// Local memory of devices that do not say how much they have, in bytes: the least of all GPUs.
const LEAST_LOCAL_MEMORY: i64 = 64 * 1024;

pub(super) struct Joint {
    engine: &'static JointMatrix,
    subgroup_size: i64,
    /// The types of the matrices that are tiles.
    tiled: HashSet<Coopmatrix>,
    /// The sums whose components were asked for last, with the block that they are in, and these.
    last: RefCell<Option<(Word, Vec<Word>, MatrixValue)>>,
}

impl Joint {
    /// The back end for a function that has a product for the engine, and local memory left; `None` for all others.
    pub fn new(ir: &Ir, func: Func, info: &CoreInfo) -> Option<Joint> {
        let engine = info.joint_matrix()?;
        let Schedule { subgroup_size, grid, .. } = Schedule::of(ir, func).ok()?;
        let subgroup_size = i64::from(subgroup_size);
        if !engine.takes_subgroups(subgroup_size) {
            return None;
        }
        let tiled = product::tiled_types(ir, func, engine, subgroup_size);
        let joint = Joint { engine, subgroup_size, tiled, last: RefCell::default() };
        let available = info.local_memory_size().unwrap_or(LEAST_LOCAL_MEMORY);
        let left = available.saturating_sub(local_bytes(ir, ir[func].body));
        let has_room = joint.scratch_bytes().saturating_mul(grid.subgroups()) <= left;
        (!joint.tiled.is_empty() && has_room).then_some(joint)
    }

    fn tiles(&self, matrix: Coopmatrix) -> Option<Tiles> {
        self.tiled.contains(&matrix).then(|| Tiles::new(matrix, self.engine, self.subgroup_size)).flatten()
    }

    /// A matrix for the vector back end.
    fn components(&self, f: &mut FunctionLowering<'_, '_>, matrix: &MatrixValue) -> Emitted<MatrixValue> {
        let (Some(tiles), Form::Own) = (self.tiles(matrix.ty()), matrix.form()) else {
            return Ok(matrix.clone());
        };
        let block = f.module.block;
        if let Some((known, ids, components)) = &*self.last.borrow()
            && (*known, ids.as_slice()) == (block, matrix.ids())
        {
            return Ok(components.clone());
        }
        let components = exchange::components(f, &tiles, matrix.ids())?;
        *self.last.borrow_mut() = Some((f.module.block, matrix.ids().to_vec(), components.clone()));
        Ok(components)
    }

    /// A matrix for products.
    fn to_tiles(&self, f: &mut FunctionLowering<'_, '_>, matrix: &MatrixValue) -> Emitted<MatrixValue> {
        match self.tiles(matrix.ty()) {
            Some(tiles) if matrix.form() == Form::Components => {
                exchange::tiles(f, &tiles, matrix).map(|ids| MatrixValue::new(matrix.ty(), ids))
            }
            _ => Ok(matrix.clone()),
        }
    }

    /// A result of the vector back end as a matrix of this one.
    fn own(&self, components: MatrixValue) -> MatrixValue {
        if self.tiled.contains(&components.ty()) {
            return components.in_form(Form::Components);
        }
        components
    }
}

impl MatrixBackend for Joint {
    /// Loads and stores of components go by the number of the work-item.
    fn builtins(&self, _: &FunctionLowering<'_, '_>, _: Inst) -> &'static [BuiltIn] {
        &[BuiltIn::SubgroupLocalInvocationId]
    }

    fn scratch_bytes(&self) -> i64 {
        let bytes = |&matrix: &Coopmatrix| self.tiles(matrix).map_or(0, |tiles| tiles.bytes());
        let (most, unit) = (self.tiled.iter().map(bytes).max().unwrap_or(0), i64::from(SCRATCH_ALIGNMENT));
        most.saturating_add(unit - 1) / unit * unit
    }

    fn value_types(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: Coopmatrix,
        form: Form,
    ) -> Emitted<Vec<Word>> {
        match (self.tiles(matrix), form) {
            (Some(tiles), Form::Own) => tiles.iter().map(|tile| tiles.ty(f, tile)).collect(),
            _ => Vector.value_types(f, matrix, form),
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
            Form::Components => self.components(f, matrix).map(|components| self.own(components)),
        }
    }

    fn construct(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: Coopmatrix,
        entry: Word,
    ) -> Emitted<MatrixValue> {
        Vector.construct(f, matrix, entry).map(|components| self.own(components))
    }

    fn extract(&self, f: &mut FunctionLowering<'_, '_>, matrix: &MatrixValue, index: i64) -> Emitted<Word> {
        let components = self.components(f, matrix)?;
        Vector.extract(f, &components, index)
    }

    fn insert(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: &MatrixValue,
        index: i64,
        entry: Word,
    ) -> Emitted<MatrixValue> {
        let components = self.components(f, matrix)?;
        Vector.insert(f, &components, index, entry).map(|components| self.own(components))
    }

    fn unary(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        op: UnaryOp,
        a: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue> {
        let a = self.components(f, a)?;
        Vector.unary(f, op, &a, result).map(|components| self.own(components))
    }

    fn binary(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        op: NumberBinary,
        a: &MatrixValue,
        b: &MatrixValue,
    ) -> Emitted<MatrixValue> {
        let (a, b) = (self.components(f, a)?, self.components(f, b)?);
        Vector.binary(f, op, &a, &b).map(|components| self.own(components))
    }

    fn scale(&self, f: &mut FunctionLowering<'_, '_>, factor: Word, a: &MatrixValue) -> Emitted<MatrixValue> {
        let a = self.components(f, a)?;
        Vector.scale(f, factor, &a).map(|components| self.own(components))
    }

    fn cast(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        a: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue> {
        let a = self.components(f, a)?;
        Vector.cast(f, &a, result).map(|components| self.own(components))
    }

    fn mul_add(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        [a, b]: [&MatrixValue; 2],
        c: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue> {
        if takes(self.engine, [a.ty(), b.ty(), c.ty()])
            && let (Some(of_a), Some(of_b), Some(of_c)) =
                (self.tiles(a.ty()), self.tiles(b.ty()), self.tiles(c.ty()))
        {
            let (a, b, c) = (self.to_tiles(f, a)?, self.to_tiles(f, b)?, self.to_tiles(f, c)?);
            let operands = [(&of_a, &a), (&of_b, &b), (&of_c, &c)];
            let [a, b, of_sums] = operands.map(|(tiles, matrix)| Operand { tiles, ids: matrix.ids() });
            let sums = MatrixValue::new(c.ty(), product::mul_add(f, a, b, of_sums)?);
            return if c.ty() == result { Ok(sums) } else { self.cast(f, &sums, result) };
        }
        let c = self.components(f, c)?;
        Vector.mul_add(f, [a, b], &c, result).map(|components| self.own(components))
    }

    fn reduce(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        op: CoopmatrixReduceOp,
        mode: ReduceMode,
        a: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue> {
        let a = self.components(f, a)?;
        Vector.reduce(f, op, mode, &a, result).map(|components| self.own(components))
    }

    /// Left to the pass `lower-coopmatrix`, which knows the layout of components.
    fn apply(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        a: &MatrixValue,
        entry: &mut EntryFunction<'_>,
    ) -> Emitted<MatrixValue> {
        Vector.apply(f, a, entry)
    }

    /// Factors become tiles at once, so that no loop that takes them does it in every turn.
    fn load(&self, f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue> {
        let is_factor = from.matrix.usage != MatrixUse::Acc;
        if let Some(tiles) = self.tiles(from.matrix)
            && is_factor
            && tiles.packed_cols.is_none()
            && let Some(columns) = Columns::of(f, from, self.engine)?
        {
            return columns.load(f, &tiles).map(|ids| MatrixValue::new(from.matrix, ids));
        }
        let loaded = self.own(Vector.load(f, from)?);
        if is_factor { self.to_tiles(f, &loaded) } else { Ok(loaded) }
    }

    fn store(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        to: &MatrixAccess<'_>,
        value: &MatrixValue,
    ) -> Emitted<()> {
        if let (Some(tiles), Form::Own) = (self.tiles(to.matrix), value.form())
            && let Some(columns) = Columns::of(f, to, self.engine)?
        {
            return columns.store(f, &tiles, value.ids());
        }
        let components = self.components(f, value)?;
        Vector.store(f, to, &components)
    }

    fn prefetch(&self, f: &mut FunctionLowering<'_, '_>, what: &Prefetch<'_>) -> Emitted<()> {
        Vector.prefetch(f, what)
    }

    fn atomic_load(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        from: &MatrixAccess<'_>,
        atomic: AtomicAccess,
    ) -> Emitted<MatrixValue> {
        Vector.atomic_load(f, from, atomic).map(|components| self.own(components))
    }

    fn atomic_store(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        to: &MatrixAccess<'_>,
        atomic: AtomicAccess,
        value: &MatrixValue,
    ) -> Emitted<()> {
        let components = self.components(f, value)?;
        Vector.atomic_store(f, to, atomic, &components)
    }

    fn atomic_update(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        to: &MatrixAccess<'_>,
        atomic: AtomicAccess,
        op: AtomicUpdateOp,
        value: &MatrixValue,
    ) -> Emitted<MatrixValue> {
        let components = self.components(f, value)?;
        Vector.atomic_update(f, to, atomic, op, &components).map(|components| self.own(components))
    }
}
