//! Atomic access (lowering reference 3.5).

use super::error::Error;
use super::function::FunctionLowering;
use super::lower::lowerings;
use super::module_builder::Emitted;
use super::numbers::{AtomicAccess, atomic};
use super::values::Lowered;
use crate::ir::{AtomicLoad, AtomicStore, AtomicUpdate, MemoryScope, MemorySemantics, Value};
use rspirv::spirv::Word;

lowerings! {
    AtomicLoad: |op, f, site| f.atomic_load(op);
    AtomicStore: |op, f, site| f.atomic_store(op);
    AtomicUpdate: |op, f, site| f.atomic_update(op);
}

impl FunctionLowering<'_, '_> {
    pub fn atomic_load(&mut self, op: &AtomicLoad) -> Emitted<Lowered> {
        let (pointer, access) = self.atomic_element(op.from, &op.indices, op.scope, op.semantics)?;
        Ok(Lowered::Scalar(atomic::load(self.module, access, pointer)?))
    }

    pub fn atomic_store(&mut self, op: &AtomicStore) -> Emitted<()> {
        let (pointer, access) = self.atomic_element(op.to, &op.indices, op.scope, op.semantics)?;
        let value = self.values.scalar(op.value)?;
        atomic::store(self.module, access, pointer, value)
    }

    pub fn atomic_update(&mut self, op: &AtomicUpdate) -> Emitted<Lowered> {
        let (pointer, access) = self.atomic_element(op.to, &op.indices, op.scope, op.semantics)?;
        let value = self.values.scalar(op.value)?;
        Ok(Lowered::Scalar(atomic::update(self.module, access, op.op, pointer, value)?))
    }

    fn atomic_element(
        &mut self,
        memref: Value,
        indices: &[Value],
        scope: MemoryScope,
        semantics: MemorySemantics,
    ) -> Emitted<(Word, AtomicAccess)> {
        let (pointer, scalar) = self.element(memref, indices)?;
        let Some(ty) = self.ir.ty(memref).memref() else {
            return Err(Error::UndefinedValue(self.values.location));
        };
        Ok((pointer, AtomicAccess { scalar, space: ty.space, scope, semantics }))
    }
}
