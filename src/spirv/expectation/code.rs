//! Values of a function: constants, addresses, and which lanes hold the same.

use super::reference;
use rspirv::dr::{Block, Function, Instruction, Module, Operand};
use rspirv::spirv::{BuiltIn, Decoration, Op, StorageClass, Word};
use std::collections::{HashMap, HashSet};

/// Steps from a value back to what it is computed of; sums of more are taken as they are.
const DEPTH: u32 = 8;

/// An address: what is added up, each times a factor, and the bytes from there.
pub type Address = (Vec<(Word, i64)>, i64);

/// A function with what its values are.
pub struct Code<'a> {
    definitions: HashMap<Word, &'a Instruction>,
    /// Values of which each lane has its own.
    varying: HashSet<Word>,
    /// Sums, each with the product that becomes a multiply-add with it.
    fused: HashSet<Word>,
    /// Blocks that only end the function.
    ends: HashSet<Word>,
    /// The variable that holds the number of the subgroup.
    subgroup_id: Option<Word>,
    pub lanes: u64,
    /// The subgroup whose values are meant, if it is one.
    pub subgroup: Option<i64>,
}

impl<'a> Code<'a> {
    pub fn new(module: &'a Module, function: &'a Function, lanes: u64) -> Self {
        let of_function = || function.blocks.iter().flat_map(|block| &block.instructions);
        let all = module.types_global_values.iter().chain(&function.parameters).chain(of_function());
        let definitions: HashMap<_, _> = all.filter_map(|inst| Some((inst.result_id?, inst))).collect();
        let subgroup_id = module.annotations.iter().find_map(|inst| {
            let is_it = inst.operands.get(2) == Some(&Operand::BuiltIn(BuiltIn::SubgroupId));
            inst.operands.first().filter(|_| is_it).and_then(reference)
        });
        let (varying, fused) = (HashSet::new(), HashSet::new());
        let is_end = |block: &&Block| {
            let mut insts = block.instructions.iter().map(|inst| inst.class.opcode);
            insts.all(|op| matches!(op, Op::Return | Op::Line | Op::NoLine))
        };
        let ends = function.blocks.iter().filter(is_end).filter_map(Block::label_id).collect();
        let mut code = Code { definitions, varying, fused, ends, subgroup_id, lanes, subgroup: None };
        for inst in &module.annotations {
            let is_of_lane =
                [BuiltIn::LocalInvocationId, BuiltIn::GlobalInvocationId, BuiltIn::SubgroupLocalInvocationId]
                    .iter()
                    .any(|builtin| inst.operands.get(2) == Some(&Operand::BuiltIn(*builtin)));
            if inst.operands.get(1) == Some(&Operand::Decoration(Decoration::BuiltIn)) && is_of_lane {
                code.varying.extend(code.operand(inst, 0));
            }
        }
        let mut uses: HashMap<Word, u32> = HashMap::new();
        for inst in of_function() {
            for id in inst.operands.iter().filter_map(reference) {
                *uses.entry(id).or_default() += 1;
            }
            let is_varying = match inst.class.opcode {
                Op::Variable | Op::SubgroupBlockReadINTEL => true,
                Op::GroupBroadcast | Op::GroupFAdd | Op::GroupIAdd | Op::GroupFMax | Op::GroupSMax => false,
                _ => inst.operands.iter().filter_map(reference).any(|id| code.varying.contains(&id)),
            };
            code.varying.extend(inst.result_id.filter(|_| is_varying));
        }
        for inst in of_function().filter(|inst| matches!(inst.class.opcode, Op::FAdd | Op::FSub)) {
            let is_product = |id: &Word| {
                uses.get(id) == Some(&1) && code.definition(*id).is_some_and(|it| it.class.opcode == Op::FMul)
            };
            if let Some(product) = inst.operands.iter().filter_map(reference).find(is_product) {
                code.fused.extend(inst.result_id.into_iter().chain([product]));
            }
        }
        code
    }

    /// An operand that is an id.
    pub fn operand(&self, inst: &Instruction, index: usize) -> Option<Word> {
        inst.operands.get(index).and_then(reference)
    }

    /// Returns whether the first operand is the result of such an instruction.
    pub fn is_from(&self, inst: &Instruction, op: Op) -> bool {
        let first = self.operand(inst, 0).and_then(|id| self.definition(id));
        first.is_some_and(|it| it.class.opcode == op)
    }

    pub fn definition(&self, id: Word) -> Option<&'a Instruction> {
        self.definitions.get(&id).copied()
    }

    pub fn is_uniform(&self, id: Word) -> bool {
        !self.varying.contains(&id)
    }

    /// Returns whether a multiply-add comes of this instruction: an addition takes a product along that nothing else uses.
    pub fn is_multiply_add(&self, inst: &Instruction) -> bool {
        match inst.class.opcode {
            Op::ExtInst => inst.operands.get(1) == Some(&Operand::LiteralExtInstInteger(FMA)),
            Op::FAdd | Op::FSub => self.is_fused(inst),
            _ => false,
        }
    }

    /// Returns whether a branch to one of its targets leaves the function.
    pub fn may_leave(&self, branch: &Instruction) -> bool {
        branch.operands.iter().skip(1).filter_map(reference).any(|label| self.ends.contains(&label))
    }

    /// Returns whether this is a product that an addition takes along, or such an addition.
    pub fn is_fused(&self, inst: &Instruction) -> bool {
        inst.result_id.is_some_and(|id| self.fused.contains(&id))
    }

    /// Bytes of a value of a type in one lane.
    pub fn bytes(&self, ty: Word) -> u64 {
        let Some(inst) = self.definition(ty) else { return 0 };
        match (inst.class.opcode, inst.operands.as_slice()) {
            (Op::TypeInt | Op::TypeFloat, [Operand::LiteralBit32(bits), ..]) => u64::from(*bits) / 8,
            (Op::TypeVector, [Operand::IdRef(component), Operand::LiteralBit32(count)]) => {
                self.bytes(*component) * u64::from(*count)
            }
            (Op::TypePointer, _) => 8,
            (Op::TypeBool, _) => 2,
            _ => 0,
        }
    }

    /// Bytes of a value in one lane.
    pub fn bytes_of(&self, id: Word) -> u64 {
        self.definition(id).and_then(|inst| inst.result_type).map_or(0, |ty| self.bytes(ty))
    }

    /// Storage class and pointee of a pointer.
    pub fn pointer(&self, id: Word) -> Option<(StorageClass, Word)> {
        match self.definition(self.definition(id)?.result_type?)?.operands.as_slice() {
            [Operand::StorageClass(class), Operand::IdRef(pointee)] => Some((*class, *pointee)),
            _ => None,
        }
    }

    pub fn constant(&self, id: Word) -> Option<i64> {
        let (terms, sum) = self.terms(id, DEPTH);
        terms.is_empty().then_some(sum)
    }

    /// The least value of an integer, if what is no constant is not negative.
    pub fn least(&self, id: Word) -> i64 {
        self.terms(id, DEPTH).1
    }

    /// An integer or a truth value, 0 or 1, that is known for [`Code::subgroup`].
    pub fn evaluate(&self, id: Word) -> Option<i64> {
        self.evaluate_to(id, DEPTH)
    }

    fn evaluate_to(&self, id: Word, depth: u32) -> Option<i64> {
        let inst = self.definition(id).filter(|_| depth > 0)?;
        let operand = |index| self.evaluate_to(self.operand(inst, index)?, depth - 1);
        let both = |of: fn(i64, i64) -> Option<i64>| of(operand(0)?, operand(1)?);
        let compare = |of: fn(&i64, &i64) -> bool| Some(i64::from(of(&operand(0)?, &operand(1)?)));
        match inst.class.opcode {
            Op::ConstantTrue => Some(1),
            Op::ConstantFalse => Some(0),
            Op::SLessThan | Op::ULessThan => compare(i64::lt),
            Op::SLessThanEqual | Op::ULessThanEqual => compare(i64::le),
            Op::SGreaterThan | Op::UGreaterThan => compare(i64::gt),
            Op::SGreaterThanEqual | Op::UGreaterThanEqual => compare(i64::ge),
            Op::IEqual => compare(i64::eq),
            Op::INotEqual => compare(i64::ne),
            Op::LogicalNot => Some(1 - operand(0)?),
            Op::LogicalAnd => both(|a, b| Some(a & b)),
            Op::LogicalOr => both(|a, b| Some(a | b)),
            Op::SDiv | Op::UDiv => both(i64::checked_div),
            Op::SRem | Op::SMod | Op::UMod => both(i64::checked_rem),
            Op::BitwiseAnd => both(|a, b| Some(a & b)),
            Op::ISub => both(i64::checked_sub),
            Op::IAdd => both(i64::checked_add),
            Op::IMul => both(i64::checked_mul),
            Op::SConvert | Op::UConvert => operand(0),
            Op::Phi | Op::Select => None,
            _ => self.constant(id),
        }
    }

    /// An integer as a sum of values, each times a factor, and a constant.
    fn terms(&self, id: Word, depth: u32) -> Address {
        let whole = (vec![(id, 1)], 0);
        let Some(inst) = self.definition(id).filter(|_| depth > 0) else { return whole };
        let part = |index| self.operand(inst, index).map(|id| self.terms(id, depth - 1));
        match (inst.class.opcode, inst.operands.first()) {
            (Op::Constant, Some(Operand::LiteralBit32(value))) => (vec![], i64::from(value.cast_signed())),
            (Op::Constant, Some(Operand::LiteralBit64(value))) => (vec![], value.cast_signed()),
            (Op::Load, _) if self.operand(inst, 0).is_some_and(|id| Some(id) == self.subgroup_id) => {
                self.subgroup.map_or(whole, |subgroup| (vec![], subgroup))
            }
            (Op::SConvert | Op::UConvert, _) => part(0).unwrap_or(whole),
            (Op::IAdd, _) => match (part(0), part(1)) {
                (Some((a, x)), Some((b, y))) => ([a, b].concat(), x.wrapping_add(y)),
                _ => whole,
            },
            (Op::IMul, _) => match (part(0), part(1)) {
                (Some((mut terms, sum)), Some((none, factor)))
                | (Some((none, factor)), Some((mut terms, sum)))
                    if none.is_empty() =>
                {
                    terms.iter_mut().for_each(|(_, each)| *each = each.wrapping_mul(factor));
                    (terms, sum.wrapping_mul(factor))
                }
                _ => whole,
            },
            _ => whole,
        }
    }

    /// Returns whether the lesser of two numbers, or a choice between two, is a part of the distance of a pointer from another one.
    pub fn is_least(&self, pointer: Word) -> bool {
        let distance = self.definition(pointer).and_then(|inst| self.operand(inst, 1));
        distance.is_some_and(|distance| self.has_least(distance, DEPTH))
    }

    fn has_least(&self, id: Word, depth: u32) -> bool {
        let Some(inst) = self.definition(id).filter(|_| depth > 0) else { return false };
        let has = |index| self.operand(inst, index).is_some_and(|id| self.has_least(id, depth - 1));
        match inst.class.opcode {
            Op::IAdd | Op::IMul => has(0) || has(1),
            Op::Select => true,
            Op::SConvert => {
                let narrow = self.operand(inst, 0).and_then(|id| self.definition(id));
                narrow.is_some_and(|it| it.class.opcode == Op::ExtInst)
            }
            _ => false,
        }
    }

    /// The address that a pointer is.
    pub fn address(&self, id: Word) -> Address {
        let (mut at, mut sum, mut offset) = (id, vec![], 0_i64);
        for _ in 0..DEPTH {
            let Some(inst) = self.definition(at) else { break };
            let Some(base) = self.operand(inst, 0) else { break };
            match (inst.class.opcode, self.operand(inst, 1), self.pointer(at)) {
                (Op::Bitcast, ..) => {}
                (Op::InBoundsPtrAccessChain | Op::PtrAccessChain, Some(index), Some((_, pointee))) => {
                    let (terms, constant) = self.terms(index, DEPTH);
                    sum.extend(terms);
                    let bytes = i64::try_from(self.bytes(pointee)).unwrap_or(0);
                    offset = offset.wrapping_add(constant.wrapping_mul(bytes));
                }
                _ => break,
            }
            at = base;
        }
        sum.push((at, 1));
        (sum, offset)
    }
}

/// The number of `fma` among OpenCL's instructions.
const FMA: u32 = rspirv::spirv::OpenclStd100Op::fma as u32;
