//! The seam between matrix back ends and the rest of the compiler.

use super::access::{MatrixAccess, Prefetch};
use crate::ir::{AtomicUpdateOp, Coopmatrix, CoopmatrixReduceOp, ReduceMode, UnaryOp};
use crate::spirv::arithmetic::NumberBinary;
use crate::spirv::atomic::Access as AtomicAccess;
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use rspirv::spirv::Word;
use std::rc::Rc;

/// A cooperative matrix in registers: SPIR-V ids whose number and meaning its back end alone knows. Everybody
/// else hands them on as they are: to phis, to names and back to the back end.
#[derive(Clone, Debug)]
pub(in crate::spirv) struct MatrixValue {
    ty: Coopmatrix,
    ids: Vec<Word>,
    form: Form,
    /// Ids that products take in place of the others, if it is a factor that has such.
    factor: Option<Rc<[Word]>>,
}

/// Form of a matrix, for back ends that have two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::spirv) enum Form {
    /// The back end's own, which loops carry.
    Own,
    /// Components of the work-items, as the vector back end has them, which branches carry.
    Components,
}

impl MatrixValue {
    pub fn new(ty: Coopmatrix, ids: Vec<Word>) -> MatrixValue {
        MatrixValue { ty, ids, form: Form::Own, factor: None }
    }

    pub fn ty(&self) -> Coopmatrix {
        self.ty
    }

    pub fn ids(&self) -> &[Word] {
        &self.ids
    }

    pub fn form(&self) -> Form {
        self.form
    }

    pub fn in_form(self, form: Form) -> MatrixValue {
        MatrixValue { form, ..self }
    }

    /// The ids that products take as a factor, if they are others.
    pub fn factor(&self) -> Option<&[Word]> {
        self.factor.as_deref()
    }

    pub fn with_factor(self, factor: Vec<Word>) -> MatrixValue {
        MatrixValue { factor: Some(factor.into()), ..self }
    }
}

/// Code for one entry of an apply: takes its row, its column (both i32) and its value, returns the new value.
pub(in crate::spirv) type EntryFunction<'f> =
    dyn FnMut(&mut FunctionLowering<'_, '_>, [Word; 3]) -> Emitted<Word> + 'f;

/// The code for the cooperative matrices of a function (lowering reference 4).
///
/// An implementation decides how a matrix of each type lies in registers, as a function of its component type,
/// shape and use and of the subgroup size, never of the instruction that made it. What it cannot do any better
/// it may leave to another implementation, type by type. State that lasts for a function is its own.
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

    /// A matrix in a form; as it is if the back end has only one.
    fn to_form(
        &self,
        _: &mut FunctionLowering<'_, '_>,
        matrix: &MatrixValue,
        _: Form,
    ) -> Emitted<MatrixValue> {
        Ok(matrix.clone())
    }

    /// Bytes of local memory that each subgroup needs for itself, beside the allocations of the function.
    fn scratch_bytes(&self) -> i64 {
        0
    }

    /// A matrix with one number in every entry. For constants the number is the id of a constant, of which the
    /// module has one for each value.
    fn construct(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: Coopmatrix,
        entry: Word,
    ) -> Emitted<MatrixValue>;

    /// The component `index` of the work-item (lowering reference 4.1).
    fn extract(&self, f: &mut FunctionLowering<'_, '_>, matrix: &MatrixValue, index: i64) -> Emitted<Word>;

    /// The matrix with the component `index` of the work-item replaced.
    fn insert(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        matrix: &MatrixValue,
        index: i64,
        entry: Word,
    ) -> Emitted<MatrixValue>;

    /// An operation on every entry; `result` has the shape and use of `a`.
    fn unary(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        op: UnaryOp,
        a: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue>;

    /// An operation on the entries of two matrices of one type. Padding must not trap.
    fn binary(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        op: NumberBinary,
        a: &MatrixValue,
        b: &MatrixValue,
    ) -> Emitted<MatrixValue>;

    /// Every entry times a number.
    fn scale(&self, f: &mut FunctionLowering<'_, '_>, factor: Word, a: &MatrixValue) -> Emitted<MatrixValue>;

    /// The same entries with another component type or use.
    fn cast(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        a: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue>;

    /// A matrix with what products take as a factor in its place. Called once, where the matrix is defined, so that
    /// products in loops do not prepare it again; products prepare a matrix themselves that has not come by here.
    fn as_factor(&self, _: &mut FunctionLowering<'_, '_>, matrix: MatrixValue) -> Emitted<MatrixValue> {
        Ok(matrix)
    }

    /// a·b + c, computed in the component type of `c` and converted to that of `result`.
    fn mul_add(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        factors: [&MatrixValue; 2],
        c: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue>;

    /// The entries combined along rows or columns; `result` has a single column or row.
    fn reduce(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        op: CoopmatrixReduceOp,
        mode: ReduceMode,
        a: &MatrixValue,
        result: Coopmatrix,
    ) -> Emitted<MatrixValue>;

    /// A function of position and value in every entry. Padding keeps what it is. Called for layouts that the
    /// IR pass `lower-coopmatrix` does not know, see [`crate::device::MatrixBackendKind`].
    fn apply(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        a: &MatrixValue,
        entry: &mut EntryFunction<'_>,
    ) -> Emitted<MatrixValue>;

    /// Reads a matrix; entries that fail a check are 0.
    fn load(&self, f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue>;

    /// Writes a matrix; entries that fail a check are skipped.
    fn store(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        to: &MatrixAccess<'_>,
        value: &MatrixValue,
    ) -> Emitted<()>;

    /// Fetches part of a memref into a cache, if the device can.
    fn prefetch(&self, f: &mut FunctionLowering<'_, '_>, what: &Prefetch<'_>) -> Emitted<()>;

    /// Reads a matrix with an atomic access for each entry.
    fn atomic_load(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        from: &MatrixAccess<'_>,
        atomic: AtomicAccess,
    ) -> Emitted<MatrixValue>;

    /// Writes a matrix with an atomic access for each entry.
    fn atomic_store(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        to: &MatrixAccess<'_>,
        atomic: AtomicAccess,
        value: &MatrixValue,
    ) -> Emitted<()>;

    /// Combines a matrix in memory with another; returns what was there before.
    fn atomic_update(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        to: &MatrixAccess<'_>,
        atomic: AtomicAccess,
        op: AtomicUpdateOp,
        value: &MatrixValue,
    ) -> Emitted<MatrixValue>;
}
