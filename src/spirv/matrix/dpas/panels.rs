//! Factors in panels in local memory (lowering reference 4.4): a panel has as many rows along K as an instruction of the engine
//! takes, 32 bytes, and its columns follow each other.
//!
//! The words of a lane's row of a factor A are such a column, which a vector of eight words moves, here and wherever rows are contiguous. For a
//! factor B a message for the whole subgroup moves columns, whose words the lanes share.

use super::fragments::{Fragments, WordKind, vector_type};
use crate::device::{Block1dIo, SpirvFeature};
use crate::ir::{AccessClass, AddressSpace, MatrixUse};
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::MatrixAccess;
use crate::spirv::module_builder::Emitted;
use crate::spirv::values::MatrixValue;
use rspirv::dr::Operand;
use rspirv::spirv::{BuiltIn, Op, StorageClass, Word};

/// Reads a matrix.
pub(super) fn load(
    f: &mut FunctionLowering<'_, '_>,
    from: &MatrixAccess<'_>,
    fragments: &Fragments,
) -> Emitted<MatrixValue> {
    let alignment = alignment(from, fragments)?;
    let mut ids = Vec::new();
    for column in Columns::all(f, from, fragments)? {
        let ty = fragments.fragment_type(f, column.words)?;
        let (message, pointer) = column.message(f, fragments)?;
        let read = if from.matrix.usage == MatrixUse::A {
            f.module.load(message, pointer, alignment)?
        } else {
            f.module.require(SpirvFeature::SubgroupBufferBlockIo)?;
            f.module.value(Op::SubgroupBlockReadINTEL, message, &[pointer])?
        };
        ids.push(if ty == message { read } else { f.module.value(Op::Bitcast, ty, &[read])? });
    }
    Ok(MatrixValue::new(from.matrix, ids))
}

/// Writes a matrix.
pub(super) fn store(
    f: &mut FunctionLowering<'_, '_>,
    to: &MatrixAccess<'_>,
    fragments: &Fragments,
    value: &MatrixValue,
) -> Emitted<()> {
    let alignment = alignment(to, fragments)?;
    for (column, &fragment) in Columns::all(f, to, fragments)?.iter().zip(value.ids()) {
        let ty = fragments.fragment_type(f, column.words)?;
        let (message, pointer) = column.message(f, fragments)?;
        let word =
            if ty == message { fragment } else { f.module.value(Op::Bitcast, message, &[fragment])? };
        if to.matrix.usage == MatrixUse::A {
            f.module.store(pointer, word, alignment)?;
        } else {
            f.module.require(SpirvFeature::SubgroupBufferBlockIo)?;
            let operands = vec![Operand::IdRef(pointer), Operand::IdRef(word)];
            f.module.effect(Op::SubgroupBlockWriteINTEL, operands)?;
        }
    }
    Ok(())
}

/// Bytes that each column is aligned to: in a panel as many as it has, elsewhere a word.
fn alignment(access: &MatrixAccess<'_>, fragments: &Fragments) -> Emitted<u32> {
    let bytes = match access.io.class {
        AccessClass::Panels => fragments.engine.factor_bytes(),
        _ => Block1dIo::XE.load_alignment,
    };
    u32::try_from(bytes).map_err(|_| Error::internal("the bytes of a column"))
}

/// Columns of a panel that a fragment takes.
struct Columns {
    usage: MatrixUse,
    /// Storage class of the memory.
    class: StorageClass,
    /// Address of the first element, the lane's own for a factor A.
    first: Word,
    /// Words of the fragment in each lane.
    words: usize,
}

impl Columns {
    /// The columns of all fragments, in the order of these.
    fn all(
        f: &mut FunctionLowering<'_, '_>,
        access: &MatrixAccess<'_>,
        fragments: &Fragments,
    ) -> Emitted<Vec<Columns>> {
        let usage = access.matrix.usage;
        let [rows, cols] = access.axes();
        let column = if usage == MatrixUse::A { rows } else { cols };
        let lanes = i64::from(fragments.engine.subgroup_size());
        let module = &mut *f.module;
        let mut start = column.start;
        if usage == MatrixUse::A {
            let lane = module.builtin(BuiltIn::SubgroupLocalInvocationId)?;
            let index = module.index_type();
            let lane = module.value(Op::UConvert, index, &[lane])?;
            start = module.add(start, lane)?;
        }
        let class = match access.at.ty.space {
            AddressSpace::Global => StorageClass::CrossWorkgroup,
            AddressSpace::Local => StorageClass::Workgroup,
        };
        // A row of a factor A may begin within a row of memory.
        let along = if usage == MatrixUse::A { cols } else { rows };
        let offset = module.mul(start, column.stride)?;
        let offset = module.add(offset, along.start)?;
        let pointer_type = module.element_pointer_type(access.at.ty.element, access.at.ty.space)?;
        let base = module.shifted_pointer(pointer_type, access.at.pointer, offset, true)?;
        let mut all = Vec::new();
        let mut place = 0;
        let parts: Vec<usize> = fragments.all_widths().collect();
        for words in parts {
            let distance = module.index_constant(place);
            let distance = module.mul(distance, column.stride)?;
            let first = module.shifted_pointer(pointer_type, base, distance, true)?;
            all.push(Columns { usage, class, first, words });
            // A lane's row of A has a fragment; of B the words of all lanes are shared by so many columns.
            let columns_of_b =
                || i64::try_from(words).unwrap_or(i64::MAX) * (lanes / fragments.depth()).max(1);
            place += if usage == MatrixUse::A { lanes } else { columns_of_b() };
        }
        Ok(all)
    }

    /// The type that a message moves, and the pointer that it takes: one to a vector of the lane's own, or to the integers of all lanes.
    fn message(&self, f: &mut FunctionLowering<'_, '_>, fragments: &Fragments) -> Emitted<(Word, Word)> {
        let word = match fragments.word {
            WordKind::Component(scalar) if self.usage == MatrixUse::B => {
                let bits = u32::try_from(8 * scalar.bytes());
                let bits = bits.map_err(|_| Error::internal(format!("a word of {scalar}")))?;
                f.module.int_type(bits)
            }
            WordKind::Component(_) | WordKind::Int16 | WordKind::Int32 => fragments.word_type(f)?,
        };
        let message = vector_type(f, word, self.words)?;
        let pointee = if self.usage == MatrixUse::A { message } else { word };
        let ty = f.module.pointer_type(self.class, pointee);
        Ok((message, f.module.value(Op::Bitcast, ty, &[self.first])?))
    }
}
