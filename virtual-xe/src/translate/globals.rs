//! Variables of the module in global and constant memory, which all its kernels share.

use super::Translator;
use crate::Error;
use crate::layout::Scalar;
use crate::memory::Allocation;
use rspirv::spirv::{Decoration, StorageClass};
use std::collections::HashMap;
use std::sync::Arc;

/// Bytes of a variable. They are all there before a kernel runs, whatever number a module says.
const MAX_BYTES: u64 = 64 << 20;

/// The memory of variables by id.
#[derive(Debug, Default)]
pub(crate) struct Globals(HashMap<u32, Arc<Allocation>>);

impl<const S: usize> Translator<'_, S> {
    /// Gives a variable its memory, and its memory the initial value.
    pub(super) fn module_variable(
        &mut self,
        id: u32,
        (class, ty): (StorageClass, u32),
        initial: Option<u32>,
    ) -> Result<(), Error> {
        let size = self.source.types.size(ty)?;
        let allocation = match self.globals.0.get(&id) {
            Some(known) => known.clone(),
            None => {
                let decorated = self.source.decoration(id, Decoration::Alignment);
                let alignment = super::constants::decorated_alignment(decorated);
                let alignment = alignment.max(self.source.types.alignment(ty)?);
                let allocation = if size > MAX_BYTES { None } else { Allocation::new(size, alignment) };
                let too_large = Error::Unsupported("variables of more than 64 MiB");
                let mut allocation = allocation.ok_or(too_large)?;
                allocation.is_read_only = class == StorageClass::UniformConstant
                    || self.source.decoration(id, Decoration::Constant).is_some();
                let allocation = Arc::new(allocation);
                // Those without an initial value start as zeros.
                allocation.note_all_written();
                self.globals.0.insert(id, allocation.clone());
                allocation
            }
        };
        if let Some(initial) = initial {
            self.initialise(&allocation, initial)?;
        }
        let row = self.constant(Scalar::I64, allocation.address())?;
        self.program.globals.push(allocation);
        self.define(id, [row]);
        Ok(())
    }

    fn initialise(&self, allocation: &Allocation, initial: u32) -> Result<(), Error> {
        let parts = self.source.types.parts(self.type_of(initial)?)?;
        for (part, row) in parts.iter().zip(self.rows(initial)?.iter()) {
            let missing = Error::Id { id: initial, expected: "constant" };
            let bits = *self.known.get(row).ok_or(missing)?;
            let stored = match part.scalar.bytes() {
                1 => allocation.store(part.offset, bits as u8),
                2 => allocation.store(part.offset, bits as u16),
                4 => allocation.store(part.offset, bits as u32),
                _ => allocation.store(part.offset, bits),
            };
            stored.ok_or(Error::Id { id: initial, expected: "constant of the variable's type" })?;
        }
        Ok(())
    }
}
