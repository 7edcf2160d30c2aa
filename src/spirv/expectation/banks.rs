//! Bank conflicts of local memory, as far as a module tells where the lanes of a subgroup access it.

use super::code::Code;
use crate::device::CoreInfo;
use rspirv::dr::{Function, Instruction, Operand};
use rspirv::spirv::{Op, StorageClass, Word};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Accesses of a kernel to local memory, as far as the module tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Banks {
    /// Loads and stores whose addresses are known for each lane, as far as that depends on the lane.
    pub known: u64,
    /// The others.
    pub unknown: u64,
    /// Those of the known ones whose lanes meet in a bank, once for each line and number of cycles.
    pub conflicts: Vec<BankConflict>,
}

/// A load from local memory or a store to it that takes longer than its bytes do, since lanes want different words of a bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BankConflict {
    /// Line of the program, 0 if it is not known.
    pub line: u32,
    /// True for stores.
    pub is_store: bool,
    /// Cycles that the bank takes which has the most words to move.
    pub cycles: u64,
    /// Cycles that it would take if the words were spread evenly over the banks.
    pub least: u64,
}

/// The accesses of a function.
pub fn of(code: &Code, function: &Function) -> Banks {
    let mut lanes: Vec<Lane> = (0..code.lanes).map(|lane| Lane::new(code, lane)).collect();
    let (mut banks, mut conflicts, mut line) = (Banks::default(), BTreeSet::new(), 0);
    for inst in function.blocks.iter().flat_map(|block| &block.instructions) {
        let is_store = match (inst.class.opcode, inst.operands.get(1)) {
            (Op::Line, Some(Operand::LiteralBit32(found))) => {
                line = *found;
                continue;
            }
            (Op::Load, _) => false,
            (Op::Store, _) => true,
            _ => continue,
        };
        let pointer = code.operand(inst, 0);
        let Some((pointer, (StorageClass::Workgroup, pointee))) =
            pointer.and_then(|pointer| Some((pointer, code.pointer(pointer)?)))
        else {
            continue;
        };
        let bytes = code.bytes(pointee);
        let offsets: Option<Vec<u64>> = lanes.iter_mut().map(|lane| lane.offset(pointer)).collect();
        let Some(offsets) = offsets else {
            banks.unknown += 1;
            continue;
        };
        banks.known += 1;
        let (cycles, least) = cycles(&offsets, bytes);
        if cycles > least {
            conflicts.insert(BankConflict { line, is_store, cycles, least });
        }
    }
    banks.conflicts = conflicts.into_iter().collect();
    banks
}

/// Cycles of the banks for an access of so many bytes at each of the offsets, and without conflicts.
fn cycles(offsets: &[u64], bytes: u64) -> (u64, u64) {
    let word = CoreInfo::LOCAL_BANK_BYTES;
    let words: BTreeSet<u64> =
        offsets.iter().flat_map(|&at| at / word..at.saturating_add(bytes).div_ceil(word)).collect();
    let mut of_bank: BTreeMap<u64, u64> = BTreeMap::new();
    for word in &words {
        *of_bank.entry(word % CoreInfo::LOCAL_BANKS).or_default() += 1;
    }
    let most = of_bank.into_values().max().unwrap_or_default();
    (most, (words.len() as u64).div_ceil(CoreInfo::LOCAL_BANKS))
}

/// Steps back from an address, beyond which it counts as unknown.
const DEPTH: u32 = 64;

/// Integers as a lane has them. An integer that is the same for all lanes and not known counts as 0, and loops are in their first
/// iteration: both move an access as a whole.
struct Lane<'a, 'm> {
    code: &'a Code<'m>,
    lane: i64,
    /// Results so far; `None` for one that cannot be known, and while it is being computed.
    values: HashMap<Word, Option<i64>>,
}

impl<'a, 'm> Lane<'a, 'm> {
    fn new(code: &'a Code<'m>, lane: u64) -> Self {
        Lane { code, lane: lane.cast_signed(), values: HashMap::new() }
    }

    /// Bytes from the beginning of local memory to where a pointer points.
    fn offset(&mut self, pointer: Word) -> Option<u64> {
        self.value(pointer, DEPTH).and_then(|offset| u64::try_from(offset).ok())
    }

    fn value(&mut self, id: Word, depth: u32) -> Option<i64> {
        if let Some(value) = self.values.get(&id) {
            return *value;
        }
        self.values.insert(id, None);
        let inst = self.code.definition(id).filter(|_| depth > 0)?;
        let value = self.compute(id, inst, depth - 1);
        self.values.insert(id, value);
        value
    }

    fn compute(&mut self, id: Word, inst: &Instruction, depth: u32) -> Option<i64> {
        let code = self.code;
        let mut operand = |index| self.value(code.operand(inst, index)?, depth);
        match inst.class.opcode {
            Op::Variable => Some(0),
            Op::AccessChain | Op::InBoundsAccessChain | Op::PtrAccessChain | Op::InBoundsPtrAccessChain => {
                let (_, pointee) = code.pointer(id)?;
                let bytes = i64::try_from(code.bytes(pointee)).ok()?;
                operand(0)?.checked_add(operand(1)?.checked_mul(bytes)?)
            }
            Op::Bitcast | Op::CopyObject | Op::SConvert | Op::UConvert => operand(0),
            _ if code.is_uniform(id) => Some(code.constant(id).unwrap_or_default()),
            Op::Load => {
                let is_lane = code.pointer(code.operand(inst, 0)?)?.0 == StorageClass::Input;
                is_lane.then_some(self.lane)
            }
            // Lanes follow each other along the first mode of a work-group.
            Op::CompositeExtract if inst.operands.get(1) == Some(&Operand::LiteralBit32(0)) => operand(0),
            Op::Phi => operand(0),
            Op::Select => {
                if operand(0)? != 0 {
                    operand(1)
                } else {
                    operand(2)
                }
            }
            Op::SNegate => operand(0)?.checked_neg(),
            Op::IAdd => operand(0)?.checked_add(operand(1)?),
            Op::ISub => operand(0)?.checked_sub(operand(1)?),
            Op::IMul => operand(0)?.checked_mul(operand(1)?),
            Op::SDiv | Op::UDiv => operand(0)?.checked_div(operand(1)?),
            Op::SRem | Op::SMod | Op::UMod => operand(0)?.checked_rem(operand(1)?),
            Op::BitwiseAnd => Some(operand(0)? & operand(1)?),
            Op::BitwiseOr => Some(operand(0)? | operand(1)?),
            Op::BitwiseXor => Some(operand(0)? ^ operand(1)?),
            Op::ShiftLeftLogical => operand(0)?.checked_shl(u32::try_from(operand(1)?).ok()?),
            Op::ShiftRightLogical | Op::ShiftRightArithmetic => {
                operand(0)?.checked_shr(u32::try_from(operand(1)?).ok()?)
            }
            Op::SLessThan | Op::ULessThan => Some(i64::from(operand(0)? < operand(1)?)),
            Op::IEqual => Some(i64::from(operand(0)? == operand(1)?)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::cycles;

    #[test]
    fn words_of_a_bank_follow_each_other() {
        let of = |stride: u64, bytes| cycles(&(0..16).map(|lane| lane * stride).collect::<Vec<_>>(), bytes);
        assert_eq!(of(4, 4), (1, 1));
        assert_eq!(of(64, 4), (16, 1));
        assert_eq!(of(68, 4), (1, 1));
        assert_eq!(of(72, 4), (2, 1));
        // All lanes want the same word, and two share each.
        assert_eq!(of(0, 4), (1, 1));
        assert_eq!(of(2, 2), (1, 1));
        // A lane has eight words, one after the other.
        assert_eq!(of(32, 32), (8, 8));
        assert_eq!(of(64, 32), (16, 8));
    }
}
