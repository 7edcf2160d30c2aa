//! Instructions on cooperative matrices: from operands to a request that the function's back end carries out.

use super::error::Error;
use super::function::FunctionLowering;
use super::lower::{Site, lowerings};
use super::matrix::{MatrixAccess, Prefetch};
use super::module_builder::Emitted;
use super::numbers::AtomicAccess;
use super::remark::Remark;
use super::values::{Lowered, MatrixValue};
use crate::ir::{
    AccessClass, AccessReason, AtomicUpdateOp, Coopmatrix, CoopmatrixApply, CoopmatrixAtomicLoad,
    CoopmatrixAtomicOp, CoopmatrixAtomicStore, CoopmatrixAtomicUpdate, CoopmatrixConstruct,
    CoopmatrixExtract, CoopmatrixInsert, CoopmatrixLoad, CoopmatrixMulAdd, CoopmatrixPrefetch,
    CoopmatrixReduce, CoopmatrixScale, CoopmatrixSlice, CoopmatrixStore, MatrixIo, MemoryScope,
    MemorySemantics, Transpose, VerifierError,
};
use crate::status::Status;

impl FunctionLowering<'_, '_> {
    pub fn matrix_load(&mut self, op: &CoopmatrixLoad, site: &Site<'_>) -> Emitted<Lowered> {
        let matrix = coopmatrix(site)?;
        let io = chosen(op.io)?;
        let kind = (op.transpose, op.checked, io);
        let from = MatrixAccess {
            result: self.ir[site.inst].results.first().copied(),
            is_undefined: op.attributes.undefined_outside == Some(true),
            ..MatrixAccess::new(self, matrix, op.from, [op.x, op.y], kind)?
        };
        self.remark(io, false, matrix, op.transpose);
        site.matrices.load(self, &from).map(Lowered::Matrix)
    }

    pub fn matrix_store(&mut self, op: &CoopmatrixStore, site: &Site<'_>) -> Emitted<()> {
        let value = self.values.matrix(op.value)?.clone();
        let io = chosen(op.io)?;
        let kind = (op.transpose, op.checked, io);
        let to = MatrixAccess::new(self, value.ty(), op.to, [op.x, op.y], kind)?;
        self.remark(io, true, value.ty(), op.transpose);
        site.matrices.store(self, &to, &value)
    }

    /// Notes the access that is being translated, if remarks are wanted.
    fn remark(&mut self, io: MatrixIo, is_store: bool, matrix: Coopmatrix, transpose: Transpose) {
        let Some(remarks) = &mut self.module.remarks else { return };
        let remark = Remark {
            function: self.module.function.clone(),
            location: self.module.location,
            is_store,
            usage: matrix.usage,
            component: matrix.component,
            extents: [matrix.rows, matrix.cols],
            transpose,
            io,
            count: 1,
        };
        let same = |other: &&mut Remark| Remark { count: 1, ..(*other).clone() } == remark;
        match remarks.iter_mut().find(same) {
            Some(other) => other.count += 1,
            None => remarks.push(remark),
        }
    }

    pub fn matrix_prefetch(&mut self, op: &CoopmatrixPrefetch, site: &Site<'_>) -> Emitted<()> {
        let io = chosen(op.io)?;
        let what = Prefetch::new(self, op.of, [op.x, op.y], io, [op.rows, op.cols])?;
        site.matrices.prefetch(self, &what)
    }

    pub fn matrix_atomic_load(&mut self, op: &CoopmatrixAtomicLoad, site: &Site<'_>) -> Emitted<Lowered> {
        let matrix = coopmatrix(site)?;
        let from =
            MatrixAccess::new(self, matrix, op.from, [op.x, op.y], (op.transpose, op.checked, ATOMIC))?;
        site.matrices.atomic_load(self, &from, atomic(&from, op.scope, op.semantics)).map(Lowered::Matrix)
    }

    pub fn matrix_atomic_store(&mut self, op: &CoopmatrixAtomicStore, site: &Site<'_>) -> Emitted<()> {
        let value = self.values.matrix(op.value)?.clone();
        let to =
            MatrixAccess::new(self, value.ty(), op.to, [op.x, op.y], (op.transpose, op.checked, ATOMIC))?;
        site.matrices.atomic_store(self, &to, atomic(&to, op.scope, op.semantics), &value)
    }

    pub fn matrix_atomic_update(&mut self, op: &CoopmatrixAtomicUpdate, site: &Site<'_>) -> Emitted<Lowered> {
        let value = self.values.matrix(op.value)?.clone();
        let to = MatrixAccess::new(
            self,
            coopmatrix(site)?,
            op.to,
            [op.x, op.y],
            (op.transpose, op.checked, ATOMIC),
        )?;
        let atomic = atomic(&to, op.scope, op.semantics);
        let update = match op.op {
            CoopmatrixAtomicOp::Add => AtomicUpdateOp::Add,
            CoopmatrixAtomicOp::Max => AtomicUpdateOp::Max,
            CoopmatrixAtomicOp::Min => AtomicUpdateOp::Min,
        };
        site.matrices.atomic_update(self, &to, atomic, update, &value).map(Lowered::Matrix)
    }

    pub fn matrix_construct(&mut self, op: &CoopmatrixConstruct, site: &Site<'_>) -> Emitted<Lowered> {
        let entry = self.values.scalar(op.value)?;
        site.matrices.construct(self, coopmatrix(site)?, entry).map(Lowered::Matrix)
    }

    pub fn matrix_extract(&mut self, op: &CoopmatrixExtract, site: &Site<'_>) -> Emitted<Lowered> {
        let matrix = self.values.matrix(op.matrix)?.clone();
        site.matrices.extract(self, &matrix, op.index).map(Lowered::Scalar)
    }

    pub fn matrix_insert(&mut self, op: &CoopmatrixInsert, site: &Site<'_>) -> Emitted<Lowered> {
        let entry = self.values.scalar(op.value)?;
        let matrix = self.values.matrix(op.matrix)?.clone();
        site.matrices.insert(self, &matrix, op.index, entry).map(Lowered::Matrix)
    }

    pub fn matrix_slice(&mut self, op: &CoopmatrixSlice, site: &Site<'_>) -> Emitted<Lowered> {
        let matrix = self.values.matrix(op.matrix)?.clone();
        site.matrices.slice(self, &matrix, [op.row, op.col], coopmatrix(site)?).map(Lowered::Matrix)
    }

    pub fn matrix_scale(&mut self, op: &CoopmatrixScale, site: &Site<'_>) -> Emitted<Lowered> {
        let factor = self.values.scalar(op.scalar)?;
        let matrix = self.values.matrix(op.matrix)?.clone();
        site.matrices.scale(self, factor, &matrix).map(Lowered::Matrix)
    }

    pub fn matrix_mul_add(&mut self, op: &CoopmatrixMulAdd, site: &Site<'_>) -> Emitted<Lowered> {
        let value = |value| -> Emitted<MatrixValue> { self.values.matrix(value).cloned() };
        let (a, b, c) = (value(op.a)?, value(op.b)?, value(op.c)?);
        site.matrices.mul_add(self, [&a, &b], &c, coopmatrix(site)?).map(Lowered::Matrix)
    }

    pub fn matrix_reduce(&mut self, op: &CoopmatrixReduce, site: &Site<'_>) -> Emitted<Lowered> {
        let matrix = self.values.matrix(op.matrix)?.clone();
        site.matrices.reduce(self, op.op, op.mode, &matrix, coopmatrix(site)?).map(Lowered::Matrix)
    }

    /// Hands the back end the body of the apply as a function, which it may call for any number of entries.
    pub fn matrix_apply(&mut self, op: &CoopmatrixApply, site: &Site<'_>) -> Emitted<Lowered> {
        let matrix = self.values.matrix(op.matrix)?.clone();
        let [body] = self.ir[site.inst].regions.as_slice() else {
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
            let yielded = f.region(site.matrices, body)?;
            match yielded.as_slice() {
                [Lowered::Scalar(word)] => Ok(*word),
                _ => Err(VerifierError::new(Status::IrYieldMismatch, location, "").into()),
            }
        };
        site.matrices.apply(self, &matrix, &mut entry).map(Lowered::Matrix)
    }
}

/// Atomic accesses have an address for each entry.
const ATOMIC: MatrixIo = MatrixIo { class: AccessClass::Lanes, reason: AccessReason::Atomic };

/// The messages that the pass `access-classes` has chosen.
fn chosen(io: Option<MatrixIo>) -> Emitted<MatrixIo> {
    io.ok_or_else(|| Error::internal("no messages have been chosen for it"))
}

/// The type of the result.
fn coopmatrix(site: &Site<'_>) -> Emitted<Coopmatrix> {
    let ty = site.ty()?;
    ty.coopmatrix().ok_or_else(|| Error::internal(format!("{ty} is no cooperative matrix")))
}

fn atomic(access: &MatrixAccess<'_>, scope: MemoryScope, semantics: MemorySemantics) -> AtomicAccess {
    AtomicAccess { scalar: access.matrix.component, space: access.at.ty.space, scope, semantics }
}

lowerings! {
    CoopmatrixLoad: |op, f, site| f.matrix_load(op, site);
    CoopmatrixStore: |op, f, site| f.matrix_store(op, site);
    CoopmatrixMulAdd: |op, f, site| f.matrix_mul_add(op, site);
    CoopmatrixScale: |op, f, site| f.matrix_scale(op, site);
    CoopmatrixConstruct: |op, f, site| f.matrix_construct(op, site);
    CoopmatrixExtract: |op, f, site| f.matrix_extract(op, site);
    CoopmatrixInsert: |op, f, site| f.matrix_insert(op, site);
    CoopmatrixSlice: |op, f, site| f.matrix_slice(op, site);
    CoopmatrixReduce: |op, f, site| f.matrix_reduce(op, site);
    CoopmatrixApply: |op, f, site| f.matrix_apply(op, site);
    CoopmatrixAtomicLoad: |op, f, site| f.matrix_atomic_load(op, site);
    CoopmatrixAtomicStore: |op, f, site| f.matrix_atomic_store(op, site);
    CoopmatrixAtomicUpdate: |op, f, site| f.matrix_atomic_update(op, site);
    CoopmatrixPrefetch: |op, f, site| f.matrix_prefetch(op, site);
}
