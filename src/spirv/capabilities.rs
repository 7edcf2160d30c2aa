//! Capabilities and extensions: what a finished module says that it needs, derived from what is in it.

use super::id_map::{IdMap, IdSet};
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Capability, CooperativeMatrixOperands, ExecutionMode, Op, Word};
use std::collections::BTreeSet;

/// Capabilities that can be declared for a need, and the extension that has them.
struct Need(&'static [Capability], Option<&'static str>);

const fn core(capabilities: &'static [Capability]) -> Option<Need> {
    Some(Need(capabilities, None))
}

const fn extended(capabilities: &'static [Capability], extension: &'static str) -> Option<Need> {
    Some(Need(capabilities, Some(extension)))
}

/// The capability of products of bf16, whose components are integers of 16 bits (SPV_INTEL_joint_matrix). The grammar of the
/// core does not have it. The extension has one for packed factors, too, but Intel's CPU runtime (2026.2) refuses modules that
/// declare it, and takes such factors without.
const COOPERATIVE_MATRIX_BFLOAT16: u32 = 6437;

/// Operand of a product of cooperative matrices that says that the components of both factors are bf16
/// (SPV_INTEL_joint_matrix).
pub(super) const FACTORS_ARE_BF16: CooperativeMatrixOperands =
    CooperativeMatrixOperands::from_bits_retain(0x40);

/// Needs of an instruction, on operands of a type of `number` where its type decides. Whatever is not here is part of
/// SPIR-V 1.4 with the capabilities `Addresses` and `Kernel`.
fn need(op: Op, number: Option<Number>) -> Option<Need> {
    use Number::{Float, Int, Vector};
    match (op, number) {
        (Op::TypeInt, Some(Int(8))) => core(&[Capability::Int8]),
        (Op::TypeInt, Some(Int(16))) => core(&[Capability::Int16]),
        (Op::TypeInt, Some(Int(64))) => core(&[Capability::Int64]),
        (Op::TypeFloat, Some(Float(16))) => core(&[Capability::Float16]),
        (Op::TypeFloat, Some(Float(64))) => core(&[Capability::Float64]),
        (Op::TypeVector, Some(Vector(5..))) => core(&[Capability::Vector16]),
        (
            Op::GroupBroadcast
            | Op::GroupIAdd
            | Op::GroupFAdd
            | Op::GroupSMin
            | Op::GroupFMin
            | Op::GroupSMax
            | Op::GroupFMax,
            _,
        ) => core(&[Capability::Groups]),
        (Op::GroupNonUniformShuffle, _) => core(&[Capability::GroupNonUniformShuffle]),
        (
            Op::AtomicLoad | Op::AtomicStore | Op::AtomicIAdd | Op::AtomicSMin | Op::AtomicSMax,
            Some(Int(64)),
        ) => core(&[Capability::Int64Atomics]),
        (Op::AtomicFAddEXT, Some(Float(16))) => {
            extended(&[Capability::AtomicFloat16AddEXT], "SPV_EXT_shader_atomic_float16_add")
        }
        (Op::AtomicFAddEXT, Some(Float(32))) => {
            extended(&[Capability::AtomicFloat32AddEXT], "SPV_EXT_shader_atomic_float_add")
        }
        (Op::AtomicFAddEXT, Some(Float(64))) => {
            extended(&[Capability::AtomicFloat64AddEXT], "SPV_EXT_shader_atomic_float_add")
        }
        // One extension for all widths.
        (Op::AtomicFMinEXT | Op::AtomicFMaxEXT, Some(Float(16))) => {
            extended(&[Capability::AtomicFloat16MinMaxEXT], "SPV_EXT_shader_atomic_float_min_max")
        }
        (Op::AtomicFMinEXT | Op::AtomicFMaxEXT, Some(Float(32))) => {
            extended(&[Capability::AtomicFloat32MinMaxEXT], "SPV_EXT_shader_atomic_float_min_max")
        }
        (Op::AtomicFMinEXT | Op::AtomicFMaxEXT, Some(Float(64))) => {
            extended(&[Capability::AtomicFloat64MinMaxEXT], "SPV_EXT_shader_atomic_float_min_max")
        }
        (Op::ConvertFToBF16INTEL | Op::ConvertBF16ToFINTEL, _) => {
            extended(&[Capability::BFloat16ConversionINTEL], "SPV_INTEL_bfloat16_conversion")
        }
        (Op::RoundFToTF32INTEL, _) => {
            extended(&[Capability::TensorFloat32RoundingINTEL], "SPV_INTEL_tensor_float32_conversion")
        }
        (Op::SubgroupBlockReadINTEL | Op::SubgroupBlockWriteINTEL, _) => {
            extended(&[Capability::SubgroupBufferBlockIOINTEL], "SPV_INTEL_subgroups")
        }
        (Op::SubgroupShuffleDownINTEL | Op::SubgroupShuffleUpINTEL | Op::SubgroupShuffleXorINTEL, _) => {
            extended(&[Capability::SubgroupShuffleINTEL], "SPV_INTEL_subgroups")
        }
        (Op::ControlBarrierArriveINTEL | Op::ControlBarrierWaitINTEL, _) => {
            extended(&[Capability::SplitBarrierINTEL], "SPV_INTEL_split_barrier")
        }
        (Op::SubgroupMatrixMultiplyAccumulateINTEL, _) => extended(
            &[Capability::SubgroupMatrixMultiplyAccumulateINTEL],
            "SPV_INTEL_subgroup_matrix_multiply_accumulate",
        ),
        (
            Op::Subgroup2DBlockLoadINTEL | Op::Subgroup2DBlockStoreINTEL | Op::Subgroup2DBlockPrefetchINTEL,
            _,
        ) => extended(&[Capability::Subgroup2DBlockIOINTEL], "SPV_INTEL_2d_block_io"),
        (Op::Subgroup2DBlockLoadTransformINTEL, _) => extended(
            &[Capability::Subgroup2DBlockIOINTEL, Capability::Subgroup2DBlockTransformINTEL],
            "SPV_INTEL_2d_block_io",
        ),
        (Op::Subgroup2DBlockLoadTransposeINTEL, _) => extended(
            &[Capability::Subgroup2DBlockIOINTEL, Capability::Subgroup2DBlockTransposeINTEL],
            "SPV_INTEL_2d_block_io",
        ),
        (Op::TypeCooperativeMatrixKHR, _) => {
            extended(&[Capability::CooperativeMatrixKHR], "SPV_KHR_cooperative_matrix")
        }
        _ => None,
    }
}

/// Needs of an execution mode.
fn need_of_mode(mode: ExecutionMode) -> Option<Need> {
    match mode {
        ExecutionMode::SubgroupSize => core(&[Capability::SubgroupDispatch]),
        _ => None,
    }
}

/// A type of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    /// An integer of so many bits.
    Int(u32),
    /// A floating-point number of so many bits.
    Float(u32),
    /// So many numbers.
    Vector(u32),
}

/// Declares in a module what it needs, each in ascending order, so that nothing depends on the order of first use.
pub(super) fn declare(module: &mut Module) {
    let mut found = Found::default();
    found.add(core(&[Capability::Addresses]));
    found.add(core(&[Capability::Kernel]));
    if module.entry_points.is_empty() {
        // Modules without entry points are libraries.
        found.add(core(&[Capability::Linkage]));
    }
    for mode in &module.execution_modes {
        if let Some(&Operand::ExecutionMode(mode)) = mode.operands.get(1) {
            found.add(need_of_mode(mode));
        }
    }
    let functions = module.functions.iter().flat_map(|function| {
        function.parameters.iter().chain(function.blocks.iter().flat_map(|block| &block.instructions))
    });
    let insts = module.types_global_values.iter().chain(functions);
    found.stored = insts.clone().filter_map(atomically_stored).collect();
    insts.for_each(|inst| found.instruction(inst));
    let operand = |opcode, operand| Instruction::new(opcode, None, None, vec![operand]);
    let named = |number| Capability::from_u32(number).map(Operand::Capability);
    module.capabilities = (found.capabilities.into_iter())
        .map(|number| operand(Op::Capability, named(number).unwrap_or(Operand::LiteralBit32(number))))
        .collect();
    module.extensions = (found.extensions.into_iter())
        .map(|name| operand(Op::Extension, Operand::LiteralString(name.to_owned())))
        .collect();
}

/// The id that an atomic store writes.
fn atomically_stored(inst: &Instruction) -> Option<Word> {
    match inst.operands.last() {
        Some(&Operand::IdRef(value)) if inst.class.opcode == Op::AtomicStore => Some(value),
        _ => None,
    }
}

/// Findings so far.
#[derive(Default)]
struct Found {
    capabilities: BTreeSet<u32>,
    extensions: BTreeSet<&'static str>,
    /// The number types by their ids.
    types: IdMap<Word, Number>,
    /// The ids that atomic stores write, whose instructions have no type, and the types of these ids.
    stored: IdSet<Word>,
    stored_types: IdMap<Word, Number>,
}

impl Found {
    fn add(&mut self, need: Option<Need>) {
        if let Some(Need(capabilities, extension)) = need {
            self.capabilities.extend(capabilities.iter().map(|&capability| capability as u32));
            self.extensions.extend(extension);
        }
    }

    fn instruction(&mut self, inst: &Instruction) {
        let number = match (inst.class.opcode, inst.operands.as_slice()) {
            (Op::TypeInt, [Operand::LiteralBit32(bits), ..]) => Some(Number::Int(*bits)),
            (Op::TypeFloat, [Operand::LiteralBit32(bits), ..]) => Some(Number::Float(*bits)),
            (Op::TypeVector, [_, Operand::LiteralBit32(count)]) => Some(Number::Vector(*count)),
            _ => match atomically_stored(inst) {
                Some(value) => self.stored_types.get(&value).copied(),
                None => inst.result_type.and_then(|ty| self.types.get(&ty).copied()),
            },
        };
        if let (Some(number), Some(id)) = (number, inst.result_id) {
            if inst.result_type.is_none() {
                self.types.insert(id, number);
            } else if self.stored.contains(&id) {
                self.stored_types.insert(id, number);
            }
        }
        self.add(need(inst.class.opcode, number));
        if inst.operands.contains(&Operand::CooperativeMatrixOperands(FACTORS_ARE_BF16)) {
            self.capabilities.insert(COOPERATIVE_MATRIX_BFLOAT16);
            self.extensions.insert("SPV_INTEL_joint_matrix");
        }
    }
}
