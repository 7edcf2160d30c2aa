//! Back ends that keep matrices for an engine in a form of their own, and leave what works on components to the vector back
//! end.

use super::access::{MatrixAccess, Prefetch};
use super::backend::{EntryFunction, Form, MatrixBackend, MatrixValue};
use super::vector::Vector;
use crate::ir::{AtomicUpdateOp, Coopmatrix, CoopmatrixReduceOp, ReduceMode, UnaryOp};
use crate::spirv::arithmetic::NumberBinary;
use crate::spirv::atomic::Access as AtomicAccess;
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use rspirv::spirv::Word;

/// The part of a back end that its engine decides. Methods that [`MatrixBackend`] has, too, are explained there.
pub(super) trait Engine {
    fn value_types(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: Coopmatrix,
        form: Form,
    ) -> Emitted<Vec<Word>>;

    fn to_form(
        &self,
        _: &mut FunctionLowering<'_, '_>,
        matrix: &MatrixValue,
        _: Form,
    ) -> Emitted<MatrixValue> {
        Ok(matrix.clone())
    }

    fn scratch_bytes(&self) -> i64 {
        0
    }

    /// The components of a matrix, for the vector back end.
    fn components(&self, f: &mut FunctionLowering<'_, '_>, matrix: &MatrixValue) -> Emitted<MatrixValue>;

    /// A value of the vector back end as one of this one.
    fn own(&self, f: &mut FunctionLowering<'_, '_>, components: MatrixValue) -> Emitted<MatrixValue>;

    /// A matrix with one number in every entry; `None` if that is nothing special.
    fn construct(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: Coopmatrix,
        entry: Word,
    ) -> Emitted<Option<MatrixValue>>;

    fn as_factor(&self, _: &mut FunctionLowering<'_, '_>, matrix: MatrixValue) -> Emitted<MatrixValue> {
        Ok(matrix)
    }

    /// a·b + c, of the type of `c`; `None` if the engine does not compute it.
    fn mul_add(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        factors: [&MatrixValue; 2],
        c: &MatrixValue,
    ) -> Emitted<Option<MatrixValue>>;

    /// Reads a matrix; `None` if its components can as well be read.
    fn load(&self, f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>)
    -> Emitted<Option<MatrixValue>>;

    /// Writes a matrix; `false` if its components are to be written.
    fn store(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        to: &MatrixAccess<'_>,
        value: &MatrixValue,
    ) -> Emitted<bool>;

    fn prefetch(&self, f: &mut FunctionLowering<'_, '_>, what: &Prefetch<'_>) -> Emitted<()>;
}

/// An engine above the vector back end.
pub(super) struct Layered<E>(pub E);

impl<E: Engine> MatrixBackend for Layered<E> {
    fn value_types(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: Coopmatrix,
        form: Form,
    ) -> Emitted<Vec<Word>> {
        self.0.value_types(f, matrix, form)
    }

    fn to_form(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: &MatrixValue,
        form: Form,
    ) -> Emitted<MatrixValue> {
        self.0.to_form(f, matrix, form)
    }

    fn scratch_bytes(&self) -> i64 {
        self.0.scratch_bytes()
    }

    fn construct(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: Coopmatrix,
        entry: Word,
    ) -> Emitted<MatrixValue> {
        if let Some(constructed) = self.0.construct(f, matrix, entry)? {
            return Ok(constructed);
        }
        let components = Vector.construct(f, matrix, entry)?;
        self.0.own(f, components)
    }

    fn extract(&self, f: &mut FunctionLowering<'_, '_>, matrix: &MatrixValue, index: i64) -> Emitted<Word> {
        let components = self.0.components(f, matrix)?;
        Vector.extract(f, &components, index)
    }

    fn insert(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: &MatrixValue,
        index: i64,
        entry: Word,
    ) -> Emitted<MatrixValue> {
        let components = self.0.components(f, matrix)?;
        let components = Vector.insert(f, &components, index, entry)?;
        self.0.own(f, components)
    }

    fn unary(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        op: UnaryOp,
        a: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue> {
        let a = self.0.components(f, a)?;
        let components = Vector.unary(f, op, &a, result)?;
        self.0.own(f, components)
    }

    fn binary(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        op: NumberBinary,
        a: &MatrixValue,
        b: &MatrixValue,
    ) -> Emitted<MatrixValue> {
        let (a, b) = (self.0.components(f, a)?, self.0.components(f, b)?);
        let components = Vector.binary(f, op, &a, &b)?;
        self.0.own(f, components)
    }

    fn scale(&self, f: &mut FunctionLowering<'_, '_>, factor: Word, a: &MatrixValue) -> Emitted<MatrixValue> {
        let a = self.0.components(f, a)?;
        let components = Vector.scale(f, factor, &a)?;
        self.0.own(f, components)
    }

    fn cast(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        a: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue> {
        let a = self.0.components(f, a)?;
        let components = Vector.cast(f, &a, result)?;
        self.0.own(f, components)
    }

    fn as_factor(&self, f: &mut FunctionLowering<'_, '_>, matrix: MatrixValue) -> Emitted<MatrixValue> {
        self.0.as_factor(f, matrix)
    }

    fn mul_add(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        [a, b]: [&MatrixValue; 2],
        c: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue> {
        if let Some(sums) = self.0.mul_add(f, [a, b], c)? {
            return if sums.ty() == result { Ok(sums) } else { self.cast(f, &sums, result) };
        }
        let [a, b, c] = [a, b, c].map(|matrix| self.0.components(f, matrix));
        let components = Vector.mul_add(f, [&a?, &b?], &c?, result)?;
        self.0.own(f, components)
    }

    fn reduce(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        op: CoopmatrixReduceOp,
        mode: ReduceMode,
        a: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue> {
        let a = self.0.components(f, a)?;
        let components = Vector.reduce(f, op, mode, &a, result)?;
        self.0.own(f, components)
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

    fn load(&self, f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue> {
        if let Some(loaded) = self.0.load(f, from)? {
            return Ok(loaded);
        }
        let components = Vector.load(f, from)?;
        self.0.own(f, components)
    }

    fn store(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        to: &MatrixAccess<'_>,
        value: &MatrixValue,
    ) -> Emitted<()> {
        if self.0.store(f, to, value)? {
            return Ok(());
        }
        let components = self.0.components(f, value)?;
        Vector.store(f, to, &components)
    }

    fn prefetch(&self, f: &mut FunctionLowering<'_, '_>, what: &Prefetch<'_>) -> Emitted<()> {
        self.0.prefetch(f, what)
    }

    fn atomic_load(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        from: &MatrixAccess<'_>,
        atomic: AtomicAccess,
    ) -> Emitted<MatrixValue> {
        let components = Vector.atomic_load(f, from, atomic)?;
        self.0.own(f, components)
    }

    fn atomic_store(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        to: &MatrixAccess<'_>,
        atomic: AtomicAccess,
        value: &MatrixValue,
    ) -> Emitted<()> {
        let components = self.0.components(f, value)?;
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
        let components = self.0.components(f, value)?;
        let components = Vector.atomic_update(f, to, atomic, op, &components)?;
        self.0.own(f, components)
    }
}
