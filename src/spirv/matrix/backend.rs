//! The seam between matrix back ends and the rest of the compiler.

use super::access::{MatrixAccess, Prefetch};
use super::vector;
use crate::ir::{AtomicUpdateOp, Coopmatrix, CoopmatrixReduceOp, ReduceMode, UnaryOp};
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use crate::spirv::numbers::{AtomicAccess, NumberBinary};
use crate::spirv::values::{Form, MatrixValue};
use rspirv::spirv::Word;
use std::borrow::Cow;

/// Code for one entry of an apply: takes its row, its column (both i32) and its value, returns the new value.
pub(in crate::spirv) type EntryFunction<'f> =
    dyn FnMut(&mut FunctionLowering<'_, '_>, [Word; 3]) -> Emitted<Word> + 'f;

/// The code for the cooperative matrices of a function (lowering reference 4).
///
/// An implementation decides how a matrix of each type lies in registers, as a function of its component type,
/// shape and use and of the subgroup size, never of the instruction that made it: that is what it must say. All else is
/// done with vector code on components, but for what its engine does better. State that lasts for a function is its own.
///
/// The verifier has accepted the instructions. A shape that the back end has no code for is a verifier error; all
/// other failures are internal errors.
pub(in crate::spirv) trait MatrixBackend {
    /// The SPIR-V types of the ids of a matrix, in order. Every value of the type `matrix` in the form has ids of these
    /// types, so that loops and branches can carry it.
    fn value_types(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: Coopmatrix,
        form: Form,
    ) -> Emitted<Vec<Word>>;

    /// The components of a matrix, for the vector code.
    fn components<'m>(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: &'m MatrixValue,
    ) -> Emitted<Cow<'m, MatrixValue>>;

    /// A matrix that the vector code has made as one of this back end.
    fn own(&self, f: &mut FunctionLowering<'_, '_>, components: MatrixValue) -> Emitted<MatrixValue>;

    /// A matrix in a form; as it is if the back end has only one.
    fn to_form(
        &self,
        _: &mut FunctionLowering<'_, '_>,
        matrix: &MatrixValue,
        _: Form,
    ) -> Emitted<MatrixValue> {
        Ok(matrix.clone())
    }

    /// A matrix with one number in every entry. For constants the number is the id of a constant, of which the
    /// module has one for each value.
    fn construct(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: Coopmatrix,
        entry: Word,
    ) -> Emitted<MatrixValue> {
        let components = vector::construct(f, matrix, entry)?;
        self.own(f, components)
    }

    /// The component `index` of the work-item (lowering reference 4.1).
    fn extract(&self, f: &mut FunctionLowering<'_, '_>, matrix: &MatrixValue, index: i64) -> Emitted<Word> {
        let components = self.components(f, matrix)?;
        vector::extract(f, &components, index)
    }

    /// The matrix with the component `index` of the work-item replaced.
    fn insert(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: &MatrixValue,
        index: i64,
        entry: Word,
    ) -> Emitted<MatrixValue> {
        let components = self.components(f, matrix)?;
        let components = vector::insert(f, &components, index, entry)?;
        self.own(f, components)
    }

    /// The values that the part of a matrix which begins at a row and a column consists of, if it consists of some of the matrix's own.
    fn own_part(&self, _matrix: &MatrixValue, _at: [i64; 2], _result: Coopmatrix) -> Option<Vec<Word>> {
        None
    }

    /// The part of a matrix that begins at a row and a column.
    fn slice(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: &MatrixValue,
        at: [i64; 2],
        result: Coopmatrix,
    ) -> Emitted<MatrixValue> {
        if let Some(part) = self.own_part(matrix, at, result) {
            return Ok(MatrixValue::new(result, part));
        }
        let components = self.components(f, matrix)?;
        let components = vector::slice(f, &components, at, result)?;
        self.own(f, components)
    }

    /// An operation on every entry; `result` has the shape and use of `a`.
    fn unary(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        op: UnaryOp,
        a: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue> {
        let a = self.components(f, a)?;
        let components = vector::unary(f, op, &a, result)?;
        self.own(f, components)
    }

    /// An operation on the entries of two matrices of one type. Padding must not trap.
    fn binary(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        op: NumberBinary,
        a: &MatrixValue,
        b: &MatrixValue,
    ) -> Emitted<MatrixValue> {
        let (a, b) = (self.components(f, a)?, self.components(f, b)?);
        let components = vector::binary(f, op, &a, &b)?;
        self.own(f, components)
    }

    /// Every entry times a number.
    fn scale(&self, f: &mut FunctionLowering<'_, '_>, factor: Word, a: &MatrixValue) -> Emitted<MatrixValue> {
        let a = self.components(f, a)?;
        let components = vector::scale(f, factor, &a)?;
        self.own(f, components)
    }

    /// The same entries with another component type or use.
    fn cast(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        a: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue> {
        let a = self.components(f, a)?;
        let components = vector::cast(f, &a, result)?;
        self.own(f, components)
    }

    /// A matrix with what products take as a factor in its place. Called once, where the matrix is defined, so that
    /// products in loops do not prepare it again; products prepare a matrix themselves that has not come by here.
    fn as_factor(&self, _: &mut FunctionLowering<'_, '_>, matrix: MatrixValue) -> Emitted<MatrixValue> {
        Ok(matrix)
    }

    /// a·b + c, computed in the component type of `c` and converted to that of `result`.
    fn mul_add(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        [a, b]: [&MatrixValue; 2],
        c: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue> {
        if let Some(sums) = self.engine_mul_add(f, [a, b], c)? {
            return if sums.ty() == result { Ok(sums) } else { self.cast(f, &sums, result) };
        }
        let (a, b, c) = (self.components(f, a)?, self.components(f, b)?, self.components(f, c)?);
        let components = vector::mul_add(f, [&a, &b], &c, result)?;
        self.own(f, components)
    }

    /// a·b + c on the matrix engine, of the type of `c`; `None` if there is none for it.
    fn engine_mul_add(
        &self,
        _: &mut FunctionLowering<'_, '_>,
        _: [&MatrixValue; 2],
        _: &MatrixValue,
    ) -> Emitted<Option<MatrixValue>> {
        Ok(None)
    }

    /// The entries combined along rows or columns; `result` has a single column or row.
    fn reduce(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        op: CoopmatrixReduceOp,
        mode: ReduceMode,
        a: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue> {
        let a = self.components(f, a)?;
        let components = vector::reduce(f, op, mode, &a, result)?;
        self.own(f, components)
    }

    /// A function of position and value in every entry. Padding keeps what it is. For components, which lie as the
    /// language says, the IR pass `lower-coopmatrix` writes it out, see [`crate::ir::MatrixBackendKind`].
    fn apply(
        &self,
        _: &mut FunctionLowering<'_, '_>,
        _: &MatrixValue,
        _: &mut EntryFunction<'_>,
    ) -> Emitted<MatrixValue> {
        Err(Error::internal("it should have been lowered before translation"))
    }

    /// Reads a matrix; entries that fail a check are 0.
    fn load(&self, f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue> {
        let components = vector::load(f, from)?;
        self.own(f, components)
    }

    /// Writes a matrix; entries that fail a check are skipped.
    fn store(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        to: &MatrixAccess<'_>,
        value: &MatrixValue,
    ) -> Emitted<()> {
        let components = self.components(f, value)?;
        vector::store(f, to, &components)
    }

    /// Fetches part of a memref into the caches. Where no message does, the pass `access-classes` has dropped the hint.
    fn prefetch(&self, _: &mut FunctionLowering<'_, '_>, _: &Prefetch<'_>) -> Emitted<()> {
        Err(Error::internal("there are no messages that fetch it"))
    }

    /// Reads a matrix with an atomic access for each entry.
    fn atomic_load(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        from: &MatrixAccess<'_>,
        atomic: AtomicAccess,
    ) -> Emitted<MatrixValue> {
        let components = vector::atomic_load(f, from, atomic)?;
        self.own(f, components)
    }

    /// Writes a matrix with an atomic access for each entry.
    fn atomic_store(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        to: &MatrixAccess<'_>,
        atomic: AtomicAccess,
        value: &MatrixValue,
    ) -> Emitted<()> {
        let components = self.components(f, value)?;
        vector::atomic_store(f, to, atomic, &components)
    }

    /// Combines a matrix in memory with another; returns what was there before.
    fn atomic_update(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        to: &MatrixAccess<'_>,
        atomic: AtomicAccess,
        op: AtomicUpdateOp,
        value: &MatrixValue,
    ) -> Emitted<MatrixValue> {
        let components = self.components(f, value)?;
        let components = vector::atomic_update(f, to, atomic, op, &components)?;
        self.own(f, components)
    }
}

/// The back end without a matrix engine.
pub(super) struct Vector;

impl MatrixBackend for Vector {
    fn value_types(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: Coopmatrix,
        _: Form,
    ) -> Emitted<Vec<Word>> {
        vector::value_types(f, matrix)
    }

    fn components<'m>(
        &self,
        _: &mut FunctionLowering<'_, '_>,
        matrix: &'m MatrixValue,
    ) -> Emitted<Cow<'m, MatrixValue>> {
        Ok(Cow::Borrowed(matrix))
    }

    fn own(&self, _: &mut FunctionLowering<'_, '_>, components: MatrixValue) -> Emitted<MatrixValue> {
        Ok(components)
    }
}
