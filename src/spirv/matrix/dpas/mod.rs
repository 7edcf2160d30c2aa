//! Matrices on the XMX engine: fragments, DPAS and 2D block messages (lowering reference 4.3 to 4.5).
//!
//! Matrices that the engine takes are lists of [`Fragments`]; all others are left to the vector back end, as is what
//! works on components: the layout is the same, so that taking fragments apart costs no instruction on the device.

mod fragments;
mod memory;
mod product;

use super::access::{MatrixAccess, Prefetch};
use super::backend::{EntryFunction, Form, MatrixBackend, MatrixValue};
use super::vector::Vector;
use crate::device::MatrixEngine;
use crate::ir::{
    AtomicUpdateOp, Coopmatrix, CoopmatrixReduceOp, Func, Inst, Ir, Op, ReduceMode, UnaryOp, Value,
};
use crate::spirv::arithmetic::NumberBinary;
use crate::spirv::atomic::Access as AtomicAccess;
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use fragments::Fragments;
use product::Operands;
use rspirv::spirv::{BuiltIn, Word};

pub(super) struct Dpas {
    engine: MatrixEngine,
}

impl Dpas {
    /// The back end for a function that has a product for the engine; `None` for all others.
    pub fn new(ir: &Ir, func: Func, engine: MatrixEngine) -> Option<Dpas> {
        let matrix = |value: Value| ir.ty(value).coopmatrix();
        let mut needed = false;
        ir.walk(ir[func].body, &mut |inst| {
            if let Op::CoopmatrixMulAdd(op) = &ir[inst].op
                && let (Some(a), Some(b), Some(c)) = (matrix(op.a), matrix(op.b), matrix(op.c))
            {
                needed |= product::takes(&engine, [a, b, c]);
            }
        });
        needed.then_some(Dpas { engine })
    }

    fn fragments(&self, matrix: Coopmatrix) -> Option<Fragments> {
        Fragments::new(matrix, &self.engine)
    }

    /// The components of a matrix, for the vector back end.
    fn components(&self, f: &mut FunctionLowering<'_, '_>, matrix: &MatrixValue) -> Emitted<MatrixValue> {
        match self.fragments(matrix.ty()) {
            Some(fragments) => fragments.unpack(f, matrix),
            None => Ok(matrix.clone()),
        }
    }

    /// Converts a value of the vector back end to the form that this one keeps.
    fn own(&self, f: &mut FunctionLowering<'_, '_>, matrix: &MatrixValue) -> Emitted<MatrixValue> {
        match self.fragments(matrix.ty()) {
            Some(fragments) => fragments.pack(f, matrix),
            None => Ok(matrix.clone()),
        }
    }
}

impl MatrixBackend for Dpas {
    fn builtins(&self, f: &FunctionLowering<'_, '_>, inst: Inst) -> &'static [BuiltIn] {
        Vector.builtins(f, inst)
    }

    fn value_types(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: Coopmatrix,
        form: Form,
    ) -> Emitted<Vec<Word>> {
        match self.fragments(matrix) {
            None => Vector.value_types(f, matrix, form),
            Some(fragments) => {
                fragments.all_widths().map(|width| fragments.fragment_type(f, width)).collect()
            }
        }
    }

    fn construct(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: Coopmatrix,
        entry: Word,
    ) -> Emitted<MatrixValue> {
        if let Some(fragments) = self.fragments(matrix)
            && entry == f.module.zero(matrix.component)?
        {
            let types = self.value_types(f, matrix, Form::Own)?;
            debug_assert_eq!(types.len(), fragments.len());
            // The engine takes a null for no operand at all.
            return Ok(MatrixValue::new(matrix, types.into_iter().map(|ty| f.module.null(ty)).collect()));
        }
        let components = Vector.construct(f, matrix, entry)?;
        self.own(f, &components)
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
        let components = Vector.insert(f, &components, index, entry)?;
        self.own(f, &components)
    }

    fn unary(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        op: UnaryOp,
        a: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue> {
        let a = self.components(f, a)?;
        let components = Vector.unary(f, op, &a, result)?;
        self.own(f, &components)
    }

    fn binary(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        op: NumberBinary,
        a: &MatrixValue,
        b: &MatrixValue,
    ) -> Emitted<MatrixValue> {
        let (a, b) = (self.components(f, a)?, self.components(f, b)?);
        let components = Vector.binary(f, op, &a, &b)?;
        self.own(f, &components)
    }

    fn scale(&self, f: &mut FunctionLowering<'_, '_>, factor: Word, a: &MatrixValue) -> Emitted<MatrixValue> {
        let a = self.components(f, a)?;
        let components = Vector.scale(f, factor, &a)?;
        self.own(f, &components)
    }

    fn cast(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        a: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue> {
        let a = self.components(f, a)?;
        let components = Vector.cast(f, &a, result)?;
        self.own(f, &components)
    }

    fn mul_add(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        [a, b]: [&MatrixValue; 2],
        c: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue> {
        if product::takes(&self.engine, [a.ty(), b.ty(), c.ty()])
            && let (Some(of_a), Some(of_b), Some(of_c)) =
                (self.fragments(a.ty()), self.fragments(b.ty()), self.fragments(c.ty()))
        {
            let sums = product::mul_add(f, &Operands { a: (a, of_a), b: (b, of_b), c: (c, of_c) })?;
            let sums = MatrixValue::new(c.ty(), sums);
            return if c.ty() == result { Ok(sums) } else { self.cast(f, &sums, result) };
        }
        let [a, b, c] = [a, b, c].map(|matrix| self.components(f, matrix));
        let components = Vector.mul_add(f, [&a?, &b?], &c?, result)?;
        self.own(f, &components)
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
        let components = Vector.reduce(f, op, mode, &a, result)?;
        self.own(f, &components)
    }

    /// Left to the pass `lower-coopmatrix`, which knows the layout.
    fn apply(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        a: &MatrixValue,
        entry: &mut EntryFunction<'_>,
    ) -> Emitted<MatrixValue> {
        Vector.apply(f, a, entry)
    }

    fn load(&self, f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue> {
        if let Some(fragments) = self.fragments(from.matrix)
            && let Some(loaded) = memory::load(f, from, &fragments)?
        {
            return Ok(loaded);
        }
        let components = Vector.load(f, from)?;
        self.own(f, &components)
    }

    fn store(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        to: &MatrixAccess<'_>,
        value: &MatrixValue,
    ) -> Emitted<()> {
        if let Some(fragments) = self.fragments(to.matrix)
            && memory::store(f, to, &fragments, value)?
        {
            return Ok(());
        }
        let components = self.components(f, value)?;
        Vector.store(f, to, &components)
    }

    fn prefetch(&self, f: &mut FunctionLowering<'_, '_>, what: &Prefetch<'_>) -> Emitted<()> {
        memory::prefetch(f, what)
    }

    fn atomic_load(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        from: &MatrixAccess<'_>,
        atomic: AtomicAccess,
    ) -> Emitted<MatrixValue> {
        let components = Vector.atomic_load(f, from, atomic)?;
        self.own(f, &components)
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
        let components = Vector.atomic_update(f, to, atomic, op, &components)?;
        self.own(f, &components)
    }
}
