//! Instructions on cooperative matrices: from operands to a request that the function's back end carries out.

use super::access::{MatrixAccess, Prefetch};
use super::backend::MatrixValue;
use crate::ir::{
    AtomicUpdateOp, Coopmatrix, CoopmatrixApply, CoopmatrixAtomicLoad, CoopmatrixAtomicOp,
    CoopmatrixAtomicStore, CoopmatrixAtomicUpdate, CoopmatrixConstruct, CoopmatrixExtract, CoopmatrixInsert,
    CoopmatrixLoad, CoopmatrixMulAdd, CoopmatrixPrefetch, CoopmatrixReduce, CoopmatrixScale, CoopmatrixStore,
    Inst, MemoryScope, MemorySemantics, Type, VerifierError,
};
use crate::spirv::atomic::Access as AtomicAccess;
use crate::spirv::error::Error;
use crate::spirv::function::{FunctionLowering, Site, lowerings};
use crate::spirv::module_builder::Emitted;
use crate::spirv::values::Lowered;
use crate::status::Status;

impl FunctionLowering<'_, '_> {
    pub fn matrix_load(&mut self, op: &CoopmatrixLoad, site: &Site<'_>) -> Emitted<Lowered> {
        let matrix = coopmatrix(site.ty()?)?;
        let from = MatrixAccess {
            result: self.ir[site.inst].results.first().copied(),
            ..MatrixAccess::new(self, matrix, op.from, [op.x, op.y], (op.transpose, op.checked))?
        };
        let mark = self.module.mark();
        let loaded = self.matrices.load(self, &from)?;
        self.module.remark(mark, false, matrix, op.transpose);
        Ok(Lowered::Matrix(loaded))
    }

    pub fn matrix_store(&mut self, op: &CoopmatrixStore) -> Emitted<()> {
        let value = self.values.matrix(op.value)?.clone();
        let to = MatrixAccess::new(self, value.ty(), op.to, [op.x, op.y], (op.transpose, op.checked))?;
        let mark = self.module.mark();
        self.matrices.store(self, &to, &value)?;
        self.module.remark(mark, true, value.ty(), op.transpose);
        Ok(())
    }

    pub fn matrix_prefetch(&mut self, op: &CoopmatrixPrefetch) -> Emitted<()> {
        let what = Prefetch::new(self, op.of, [op.x, op.y], op.level, [op.rows, op.cols])?;
        self.matrices.prefetch(self, &what)
    }

    pub fn matrix_atomic_load(&mut self, op: &CoopmatrixAtomicLoad, ty: &Type) -> Emitted<Lowered> {
        let matrix = coopmatrix(ty)?;
        let from = MatrixAccess::new(self, matrix, op.from, [op.x, op.y], (op.transpose, op.checked))?;
        self.matrices.atomic_load(self, &from, atomic(&from, op.scope, op.semantics)).map(Lowered::Matrix)
    }

    pub fn matrix_atomic_store(&mut self, op: &CoopmatrixAtomicStore) -> Emitted<()> {
        let value = self.values.matrix(op.value)?.clone();
        let to = MatrixAccess::new(self, value.ty(), op.to, [op.x, op.y], (op.transpose, op.checked))?;
        self.matrices.atomic_store(self, &to, atomic(&to, op.scope, op.semantics), &value)
    }

    pub fn matrix_atomic_update(&mut self, op: &CoopmatrixAtomicUpdate, ty: &Type) -> Emitted<Lowered> {
        let value = self.values.matrix(op.value)?.clone();
        let to = MatrixAccess::new(self, coopmatrix(ty)?, op.to, [op.x, op.y], (op.transpose, op.checked))?;
        let atomic = atomic(&to, op.scope, op.semantics);
        let update = match op.op {
            CoopmatrixAtomicOp::Add => AtomicUpdateOp::Add,
            CoopmatrixAtomicOp::Max => AtomicUpdateOp::Max,
            CoopmatrixAtomicOp::Min => AtomicUpdateOp::Min,
        };
        self.matrices.atomic_update(self, &to, atomic, update, &value).map(Lowered::Matrix)
    }

    pub fn matrix_construct(&mut self, op: &CoopmatrixConstruct, ty: &Type) -> Emitted<Lowered> {
        let entry = self.values.scalar(op.value)?;
        self.matrices.construct(self, coopmatrix(ty)?, entry).map(Lowered::Matrix)
    }

    pub fn matrix_extract(&mut self, op: &CoopmatrixExtract) -> Emitted<Lowered> {
        let matrix = self.values.matrix(op.matrix)?.clone();
        self.matrices.extract(self, &matrix, op.index).map(Lowered::Scalar)
    }

    pub fn matrix_insert(&mut self, op: &CoopmatrixInsert) -> Emitted<Lowered> {
        let entry = self.values.scalar(op.value)?;
        let matrix = self.values.matrix(op.matrix)?.clone();
        self.matrices.insert(self, &matrix, op.index, entry).map(Lowered::Matrix)
    }

    pub fn matrix_scale(&mut self, op: &CoopmatrixScale) -> Emitted<Lowered> {
        let factor = self.values.scalar(op.scalar)?;
        let matrix = self.values.matrix(op.matrix)?.clone();
        self.matrices.scale(self, factor, &matrix).map(Lowered::Matrix)
    }

    pub fn matrix_mul_add(&mut self, op: &CoopmatrixMulAdd, ty: &Type) -> Emitted<Lowered> {
        let value = |value| -> Emitted<MatrixValue> { self.values.matrix(value).cloned() };
        let (a, b, c) = (value(op.a)?, value(op.b)?, value(op.c)?);
        self.matrices.mul_add(self, [&a, &b], &c, coopmatrix(ty)?).map(Lowered::Matrix)
    }

    pub fn matrix_reduce(&mut self, op: &CoopmatrixReduce, ty: &Type) -> Emitted<Lowered> {
        let matrix = self.values.matrix(op.matrix)?.clone();
        self.matrices.reduce(self, op.op, op.mode, &matrix, coopmatrix(ty)?).map(Lowered::Matrix)
    }

    /// Hands the back end the body of the apply as a function, which it may call for any number of entries.
    pub fn matrix_apply(&mut self, inst: Inst, op: &CoopmatrixApply) -> Emitted<Lowered> {
        let matrix = self.values.matrix(op.matrix)?.clone();
        let [body] = self.ir[inst].regions.as_slice() else {
            return Err(Error::internal("there is no body"));
        };
        let body = *body;
        let &[row, col, value] = self.ir[body].parameters.as_slice() else {
            return Err(Error::internal("the body does not take a row, a column and a value"));
        };
        let location = self.values.location;
        let mut entry = |f: &mut FunctionLowering<'_, '_>, words: [_; 3]| {
            for (parameter, word) in [row, col, value].into_iter().zip(words) {
                f.define(parameter, Lowered::Scalar(word));
            }
            let yielded = f.region(body)?;
            match yielded.as_slice() {
                [Lowered::Scalar(word)] => Ok(*word),
                _ => Err(VerifierError::new(Status::IrYieldMismatch, location, "").into()),
            }
        };
        self.matrices.apply(self, &matrix, &mut entry).map(Lowered::Matrix)
    }
}

fn coopmatrix(ty: &Type) -> Emitted<Coopmatrix> {
    ty.coopmatrix().ok_or_else(|| Error::internal(format!("{ty} is no cooperative matrix")))
}

fn atomic(access: &MatrixAccess<'_>, scope: MemoryScope, semantics: MemorySemantics) -> AtomicAccess {
    AtomicAccess { scalar: access.matrix.component, space: access.at.ty.space, scope, semantics }
}

lowerings! {
    CoopmatrixLoad: |op, f, site| f.matrix_load(op, site);
    CoopmatrixStore: |op, f, site| f.matrix_store(op);
    CoopmatrixMulAdd: |op, f, site| f.matrix_mul_add(op, site.ty()?);
    CoopmatrixScale: |op, f, site| f.matrix_scale(op);
    CoopmatrixConstruct: |op, f, site| f.matrix_construct(op, site.ty()?);
    CoopmatrixExtract: |op, f, site| f.matrix_extract(op);
    CoopmatrixInsert: |op, f, site| f.matrix_insert(op);
    CoopmatrixReduce: |op, f, site| f.matrix_reduce(op, site.ty()?);
    CoopmatrixApply: |op, f, site| f.matrix_apply(site.inst, op);
    CoopmatrixAtomicLoad: |op, f, site| f.matrix_atomic_load(op, site.ty()?);
    CoopmatrixAtomicStore: |op, f, site| f.matrix_atomic_store(op);
    CoopmatrixAtomicUpdate: |op, f, site| f.matrix_atomic_update(op, site.ty()?);
    CoopmatrixPrefetch: |op, f, site| f.matrix_prefetch(op);
}
