//! Estimate of what a kernel without products on a matrix engine issues.

use super::code::{Address, Code};
use super::{loops, reference};
use crate::device::Family;
use rspirv::dr::{Function, Instruction};
use rspirv::spirv::{Op, StorageClass, Word};
use std::collections::HashSet;

/// Cycles of a hardware thread by what it issues, besides arithmetic, which takes one for each register of its result. They are
/// fitted to what Intel's compiler makes of the vector code of `tests/filetests/kernels`, as `cargo xtask isa` counts it.
#[derive(Default)]
pub struct Costs {
    /// A message that loads what all lanes share.
    uniform: f64,
    /// A message that loads for each lane from an address of its own.
    lane: f64,
    /// The same at a distance that the least of two numbers is a part of: it stays in registers from iteration to iteration.
    kept: f64,
    /// A message that loads for all lanes from one address.
    block: f64,
    /// A message to local memory.
    local: f64,
    store: f64,
    block_store: f64,
    /// A 2D block message that transposes, and one that stores.
    transpose: f64,
    store_2d: f64,
    /// A branch that all lanes take, one by which lanes leave the kernel, and any other that lanes take for themselves.
    branch: f64,
    leave: f64,
    divergent: f64,
    /// Cycles of an iteration of the loop besides these, and those before and behind all.
    iteration: f64,
    kernel: f64,
    /// Cycles fewer of a message where the large register file spares it to wait for registers that an earlier one reads.
    spared: f64,
    /// Addresses in global memory have 32 bits.
    narrow: bool,
}

/// Passes of an instruction of the slow pipeline.
const MATH: f64 = 4.0;
/// Cycles of a sum, maximum or minimum of a subgroup.
const REDUCTION: f64 = 9.0;

impl Costs {
    pub fn of(family: Family) -> Option<Costs> {
        match family {
            Family::XeHpc => Some(Costs {
                uniform: 4.7,
                lane: 6.5,
                kept: 6.1,
                block: 5.6,
                local: 3.5,
                block_store: 2.6,
                transpose: 5.2,
                store_2d: 13.8,
                branch: 5.3,
                leave: 5.3,
                divergent: 37.9,
                kernel: 5.9,
                spared: 1.0,
                ..Costs::default()
            }),
            Family::Xe2 | Family::Xe3 => Some(Costs {
                uniform: 2.0,
                lane: 2.0,
                kept: 4.4,
                block: 2.9,
                local: 2.5,
                store: 1.7,
                block_store: 1.3,
                transpose: 2.6,
                store_2d: 8.0,
                branch: 5.5,
                leave: 10.0,
                divergent: 12.4,
                iteration: 6.7,
                kernel: 14.5,
                ..Costs::default()
            }),
            Family::XeHpg => Some(Costs {
                uniform: 4.2,
                lane: 4.5,
                kept: 2.0,
                block: 3.2,
                local: 7.0,
                store: 1.0,
                block_store: 2.7,
                branch: 8.6,
                leave: 8.6,
                divergent: 14.0,
                kernel: 18.9,
                narrow: true,
                ..Costs::default()
            }),
            Family::XeLp | Family::XeHpcVg | Family::XeLpg | Family::XeLpgPlus => None,
        }
    }

    /// The costs on the main path of a kernel that is compiled for the large register file.
    pub fn with_large_file(self) -> Costs {
        let spared = self.spared;
        Costs {
            uniform: self.uniform - spared,
            lane: self.lane - spared,
            kept: self.kept - spared,
            block: self.block - spared,
            block_store: self.block_store - spared,
            ..self
        }
    }
}

/// Cycles that are issued so far.
pub struct Issued<'a> {
    code: &'a Code<'a>,
    costs: &'a Costs,
    register: u64,
    pub multiply_adds: f64,
    pub other: f64,
    /// Messages of the block so far; neighbours come in one.
    messages: HashSet<(Op, Address)>,
}

/// Share of the multiply-adds in the loop that has most of them, or in all if no loop has any. `None` without a multiply-add.
pub fn share(code: &Code<'_>, function: &Function, costs: &Costs, register: u64) -> Option<f64> {
    let (blocks, hot) = loops::hot(code, function, costs.narrow);
    let start = if hot.is_some() { costs.iteration } else { costs.kernel };
    let mut issued = Issued { other: start, ..Issued::new(code, costs, register) };
    // What an iteration computes anew; the rest is computed before the loop.
    let mut variant: HashSet<Word> = HashSet::new();
    let inside = blocks.iter().filter(|(_, around)| hot.is_none_or(|hot| around.contains(&hot)));
    for (block, _) in inside {
        issued.messages.clear();
        for inst in &block.instructions {
            let is_pure = inst.result_id.is_some()
                && !matches!(
                    inst.class.opcode,
                    Op::Phi | Op::Load | Op::SubgroupBlockReadINTEL | Op::Variable
                );
            let mut operands = inst.operands.iter().filter_map(reference);
            if hot.is_some() && is_pure && !operands.any(|id| variant.contains(&id)) {
                continue;
            }
            variant.extend(inst.result_id);
            issued.add(inst);
        }
    }
    let Issued { multiply_adds, other, .. } = issued;
    (multiply_adds > 0.0).then(|| multiply_adds / (multiply_adds + other))
}

impl<'a> Issued<'a> {
    pub fn new(code: &'a Code<'a>, costs: &'a Costs, register: u64) -> Issued<'a> {
        Issued { code, costs, register, multiply_adds: 0.0, other: 0.0, messages: HashSet::new() }
    }

    /// Registers of so many bytes in each lane.
    fn registers(&self, bytes: u64) -> f64 {
        (self.code.lanes * bytes).div_ceil(self.register).max(1) as f64
    }

    pub fn add(&mut self, inst: &Instruction) {
        let (code, costs) = (self.code, self.costs);
        let is_uniform = inst.result_id.is_some_and(|id| code.is_uniform(id));
        let bytes = inst.result_type.map_or(0, |ty| code.bytes(ty));
        let passes = if is_uniform { 1.0 } else { self.registers(bytes) };
        let stored = code.operand(inst, 1).map_or(0, |value| code.bytes_of(value));
        let constant = |index| code.operand(inst, index).and_then(|id| code.constant(id));
        if code.is_multiply_add(inst) {
            self.multiply_adds += self.registers(bytes);
            return;
        }
        self.other += match inst.class.opcode {
            Op::Load => self.message(inst),
            Op::Store => self.message(inst) + self.registers(stored),
            Op::SubgroupBlockReadINTEL => self.messages_of(bytes) * costs.block,
            Op::SubgroupBlockWriteINTEL => {
                self.messages_of(stored) * costs.block_store + self.registers(stored)
            }
            Op::Subgroup2DBlockLoadTransposeINTEL => costs.transpose + self.wide(inst),
            Op::Subgroup2DBlockLoadINTEL => 1.0 + self.wide(inst),
            Op::Subgroup2DBlockStoreINTEL => costs.store_2d + self.block_registers(inst),
            Op::BranchConditional => {
                let is_uniform = code.operand(inst, 0).is_some_and(|id| code.is_uniform(id));
                match (is_uniform, code.may_leave(inst)) {
                    (true, _) => costs.branch,
                    (false, true) => costs.leave,
                    (false, false) => costs.divergent,
                }
            }
            Op::FMul if code.is_fused(inst) => 0.0,
            Op::ExtInst | Op::FDiv => MATH * passes,
            Op::GroupFAdd | Op::GroupFMax | Op::GroupFMin => REDUCTION,
            // Sums and conversions of integers are parts of addresses, which count with their messages, and broadcasts are operands.
            Op::InBoundsPtrAccessChain | Op::PtrAccessChain | Op::InBoundsAccessChain => 0.0,
            Op::IAdd | Op::ISub | Op::SConvert | Op::UConvert | Op::GroupBroadcast => 0.0,
            Op::IMul if constant(0).or(constant(1)).is_some() => 0.0,
            Op::Phi
            | Op::CompositeExtract
            | Op::CompositeConstruct
            | Op::CompositeInsert
            | Op::VectorShuffle
            | Op::Bitcast
            | Op::Variable
            | Op::Undef
            | Op::ConvertPtrToU
            | Op::ConvertUToPtr
            | Op::CopyObject => 0.0,
            Op::LoopMerge | Op::SelectionMerge | Op::Branch | Op::Return | Op::Line | Op::NoLine => 0.0,
            _ => passes,
        };
    }

    /// Cycles of a message to where a pointer points, unless a neighbour's brings it along.
    fn message(&mut self, inst: &Instruction) -> f64 {
        let (code, costs, op) = (self.code, self.costs, inst.class.opcode);
        let Some(pointer) = code.operand(inst, 0) else { return 0.0 };
        // What is built in, or has been loaded already.
        let is_variable = code.definition(pointer).is_some_and(|it| it.class.opcode == Op::Variable);
        let is_uniform = code.is_uniform(pointer);
        let (terms, offset) = code.address(pointer);
        let place = offset.div_euclid(if is_uniform { 64 } else { 16 });
        if is_variable && op == Op::Load || !self.messages.insert((op, (terms, place))) {
            return 0.0;
        }
        let is_local = code.pointer(pointer).is_some_and(|(class, _)| class == StorageClass::Workgroup);
        match (op, is_uniform) {
            _ if is_local => costs.local,
            (Op::Store, _) => costs.store,
            (_, true) => costs.uniform,
            (_, false) if code.is_least(pointer) => costs.kept,
            (_, false) => costs.lane,
        }
    }

    /// Messages of four registers each.
    fn messages_of(&self, bytes: u64) -> f64 {
        (self.code.lanes * bytes).div_ceil(4 * self.register).max(1) as f64
    }

    /// Registers of a 2D block: bytes of an element, width, height, blocks.
    fn block_registers(&self, inst: &Instruction) -> f64 {
        let extents = (0..4)
            .map(|index| self.code.operand(inst, index).and_then(|id| self.code.constant(id)).unwrap_or(1));
        u64::try_from(extents.product::<i64>()).unwrap_or(0).div_ceil(self.register) as f64
    }

    /// Cycles to move the registers of a 2D block of 64-bit elements to where they are computed with.
    fn wide(&self, inst: &Instruction) -> f64 {
        let element = self.code.operand(inst, 0).and_then(|id| self.code.constant(id));
        if element == Some(8) { self.block_registers(inst) } else { 0.0 }
    }
}
