//! Facts about a kernel that its module tells before any driver has seen it: its shared local memory, and how busy it
//! keeps the matrix engine.

use super::module::Module;
use crate::device::{CoreInfo, Family};
use rspirv::dr::{Block, Function, Instruction, Operand};
use rspirv::spirv::{Op, StorageClass, Word};

/// Facts about a kernel on a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expectation {
    /// Bytes of shared local memory of a work-group.
    pub local_memory: u64,
    /// Share of the cycles in which a hardware thread would have the engine compute in its hot loop, from 0 to 1: an
    /// estimate, which other threads of the core only raise. `None` without engine, or without 2D block messages.
    pub engine_share: Option<f64>,
}

/// Cycles of a hardware thread by what it issues. They are fitted to what Intel's compiler makes of products of tiles,
/// as `cargo xtask isa` counts it (lowering reference 1.16).
struct Costs {
    /// A column of a dpas.
    column: f64,
    /// A 2D block message with its coordinates.
    message: f64,
    /// Putting the columns of a transposed B in order behind its message.
    transposed_b: f64,
    /// A turn of the loop.
    turn: f64,
}

/// A register of a factor that is rounded to tf32.
const ROUNDED: f64 = 1.0;

impl Costs {
    fn of(family: Family) -> Option<Costs> {
        match family {
            Family::XeHpc => Some(Costs { column: 1.0, message: 6.2, transposed_b: 6.6, turn: 18.0 }),
            Family::Xe2 | Family::Xe3 => {
                Some(Costs { column: 2.0, message: 3.8, transposed_b: 6.5, turn: 10.0 })
            }
            Family::XeLp | Family::XeHpg | Family::XeHpcVg | Family::XeLpg | Family::XeLpgPlus => None,
        }
    }
}

impl Module {
    /// Expectation of a kernel; `None` if the module has none of this name.
    pub fn expectation(&self, kernel: &str, info: &CoreInfo) -> Option<Expectation> {
        let is_named = |inst: &&Instruction| matches!(inst.operands.get(2), Some(Operand::LiteralString(name)) if name == kernel);
        let entry_point = self.module.entry_points.iter().find(is_named)?;
        let id = reference(entry_point.operands.get(1)?)?;
        let is_its = |function: &&Function| function.def.as_ref().and_then(|def| def.result_id) == Some(id);
        let function = self.module.functions.iter().find(is_its)?;
        let interface = entry_point.operands.iter().skip(3).filter_map(reference);
        let local_memory = interface.filter_map(|variable| self.local_bytes(variable)).sum();
        let costs = info.family().and_then(Costs::of);
        let engine_share = costs.and_then(|costs| self.engine_share(function, &costs));
        Some(Expectation { local_memory, engine_share })
    }

    /// Bytes of a variable in local memory, an array of bytes.
    fn local_bytes(&self, variable: Word) -> Option<u64> {
        let found = |id: Word| self.module.types_global_values.iter().find(|inst| inst.result_id == Some(id));
        let pointer = found(found(variable)?.result_type?)?;
        let (class, pointee) = (pointer.operands.first()?, reference(pointer.operands.get(1)?)?);
        if *class != Operand::StorageClass(StorageClass::Workgroup) {
            return None;
        }
        match found(reference(found(pointee)?.operands.get(1)?)?)?.operands.first()? {
            Operand::LiteralBit32(length) => Some(u64::from(*length)),
            Operand::LiteralBit64(length) => Some(*length),
            _ => None,
        }
    }

    /// The engine's share of the block that has most of its work.
    fn engine_share(&self, function: &Function, costs: &Costs) -> Option<f64> {
        let columns = |block: &Block| -> u64 {
            let products = block.instructions.iter().filter(|inst| is_product(inst));
            products.filter_map(|inst| inst.result_type).map(|ty| self.vector_length(ty)).sum()
        };
        let hot = function.blocks.iter().max_by_key(|block| columns(block))?;
        let (mut other, mut after_transposed) = (costs.turn, false);
        for inst in &hot.instructions {
            match inst.class.opcode {
                Op::Subgroup2DBlockLoadTransposeINTEL => {
                    other += costs.message;
                    after_transposed = true;
                }
                Op::Subgroup2DBlockLoadINTEL
                | Op::Subgroup2DBlockLoadTransformINTEL
                | Op::Subgroup2DBlockPrefetchINTEL => {
                    other += costs.message;
                    after_transposed = false;
                }
                Op::RoundFToTF32INTEL => {
                    other += inst.result_type.map_or(0.0, |ty| self.vector_length(ty) as f64) * ROUNDED;
                }
                // Only fragments of B are taken for others than they were read as.
                Op::Bitcast if after_transposed => other += costs.transposed_b,
                _ => {}
            }
        }
        let engine = columns(hot) as f64 * costs.column;
        (engine > 0.0).then(|| engine / (engine + other))
    }

    /// Components of a vector type, 1 of any other.
    fn vector_length(&self, ty: Word) -> u64 {
        let types = &self.module.types_global_values;
        let vector =
            types.iter().find(|inst| inst.result_id == Some(ty) && inst.class.opcode == Op::TypeVector);
        match vector.and_then(|inst| inst.operands.get(1)) {
            Some(Operand::LiteralBit32(length)) => u64::from(*length),
            _ => 1,
        }
    }
}

fn is_product(inst: &Instruction) -> bool {
    inst.class.opcode == Op::SubgroupMatrixMultiplyAccumulateINTEL
}

fn reference(operand: &Operand) -> Option<Word> {
    match operand {
        Operand::IdRef(id) => Some(*id),
        _ => None,
    }
}
