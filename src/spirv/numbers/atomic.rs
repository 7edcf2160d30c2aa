//! Atomic access to numbers (lowering reference 3.5).

use super::complex;
use crate::device::SpirvFeature;
use crate::ir::{AddressSpace, AtomicUpdateOp, Carrier, MemoryScope, MemorySemantics, Scalar, VerifierError};
use crate::spirv::error::Error;
use crate::spirv::module_builder::{Emitted, ModuleBuilder};
use crate::status::Status;
use rspirv::spirv::{Op, Word};

/// Type, place and order of an atomic access.
#[derive(Clone, Copy)]
pub(in crate::spirv) struct AtomicAccess {
    pub scalar: Scalar,
    pub space: AddressSpace,
    pub scope: MemoryScope,
    pub semantics: MemorySemantics,
}

/// Kinds of access to an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Load,
    Store,
    Update(AtomicUpdateOp),
}

/// The element.
pub(in crate::spirv) fn load(
    module: &mut ModuleBuilder<'_>,
    access: AtomicAccess,
    pointer: Word,
) -> Emitted<Word> {
    part_by_part(module, access, pointer, None, &mut |module, access, pointer, _| {
        require(module, access, Kind::Load)?;
        let ty = module.scalar_type(access.scalar)?;
        let [scope, semantics] = operands(module, access, Kind::Load);
        module.value(Op::AtomicLoad, ty, &[pointer, scope, semantics])
    })
}

/// Replaces the element.
pub(in crate::spirv) fn store(
    module: &mut ModuleBuilder<'_>,
    access: AtomicAccess,
    pointer: Word,
    value: Word,
) -> Emitted<()> {
    let mut parts = vec![(pointer, value)];
    let mut part = access;
    if access.scalar.is_complex() {
        part.scalar = access.scalar.component();
        let values = complex::parts(module, access.scalar, value)?;
        parts = part_pointers(module, access, pointer)?.into_iter().zip(values).collect();
    }
    for (pointer, value) in parts {
        let (part, pointer, value) = as_integer(module, part, pointer, value)?;
        require(module, part, Kind::Store)?;
        let [scope, semantics] = operands(module, part, Kind::Store);
        module.builder.atomic_store(pointer, scope, semantics, value)?;
    }
    Ok(())
}

/// A double is stored as the integer of its bits where there are atomics for that: Intel's OpenCL CPU runtime
/// has no atomic exchange of doubles, which it stores with.
fn as_integer(
    module: &mut ModuleBuilder<'_>,
    access: AtomicAccess,
    pointer: Word,
    value: Word,
) -> Emitted<(AtomicAccess, Word, Word)> {
    if access.scalar != Scalar::F64 || !module.info.have(SpirvFeature::Int64Atomics) {
        return Ok((access, pointer, value));
    }
    let integer = AtomicAccess { scalar: Scalar::I64, ..access };
    let ty = module.scalar_type(integer.scalar)?;
    let pointer_type = module.element_pointer_type(integer.scalar, access.space)?;
    let pointer = module.value(Op::Bitcast, pointer_type, &[pointer])?;
    let value = module.value(Op::Bitcast, ty, &[value])?;
    Ok((integer, pointer, value))
}

/// Combines the element with a value; returns what it was before.
pub(in crate::spirv) fn update(
    module: &mut ModuleBuilder<'_>,
    access: AtomicAccess,
    op: AtomicUpdateOp,
    pointer: Word,
    value: Word,
) -> Emitted<Word> {
    let kind = Kind::Update(op);
    if access.scalar.is_complex() && op != AtomicUpdateOp::Add {
        let (status, detail) = (Status::SpirvUnsupportedAtomicDataType, access.scalar.spelling());
        return Err(VerifierError::new(status, module.location, detail).into());
    }
    part_by_part(module, access, pointer, Some(value), &mut |module, access, pointer, value| {
        let value = value.ok_or_else(|| Error::internal("there is no value to update with"))?;
        require(module, access, kind)?;
        let opcode = match (op, access.scalar.is_float()) {
            (AtomicUpdateOp::Add, false) => Op::AtomicIAdd,
            (AtomicUpdateOp::Max, false) => Op::AtomicSMax,
            (AtomicUpdateOp::Min, false) => Op::AtomicSMin,
            (AtomicUpdateOp::Add, true) => Op::AtomicFAddEXT,
            (AtomicUpdateOp::Max, true) => Op::AtomicFMaxEXT,
            (AtomicUpdateOp::Min, true) => Op::AtomicFMinEXT,
        };
        let ty = module.scalar_type(access.scalar)?;
        let [scope, semantics] = operands(module, access, kind);
        module.value(opcode, ty, &[pointer, scope, semantics, value])
    })
}

type PartAction<'f> =
    dyn FnMut(&mut ModuleBuilder<'_>, AtomicAccess, Word, Option<Word>) -> Emitted<Word> + 'f;

/// Complex elements are accessed part by part, so that only each part is atomic.
fn part_by_part(
    module: &mut ModuleBuilder<'_>,
    access: AtomicAccess,
    pointer: Word,
    value: Option<Word>,
    action: &mut PartAction<'_>,
) -> Emitted<Word> {
    if !access.scalar.is_complex() {
        return action(module, access, pointer, value);
    }
    let part = AtomicAccess { scalar: access.scalar.component(), ..access };
    let [re_pointer, im_pointer] = part_pointers(module, access, pointer)?;
    let [re, im] = match value {
        Some(value) => complex::parts(module, access.scalar, value)?.map(Some),
        None => [None, None],
    };
    let parts = [action(module, part, re_pointer, re)?, action(module, part, im_pointer, im)?];
    complex::from_parts(module, access.scalar, parts)
}

/// Pointers to the real and the imaginary part.
fn part_pointers(module: &mut ModuleBuilder<'_>, access: AtomicAccess, pointer: Word) -> Emitted<[Word; 2]> {
    let ty = module.element_pointer_type(access.scalar.component(), access.space)?;
    let [zero, one] = [0, 1].map(|part| module.i32_constant(part));
    let re = module.builder.in_bounds_access_chain(ty, None, pointer, [zero])?;
    let im = module.builder.in_bounds_access_chain(ty, None, pointer, [one])?;
    Ok([re, im])
}

/// Checks that the device offers an access.
fn require(module: &ModuleBuilder<'_>, access: AtomicAccess, kind: Kind) -> Emitted<()> {
    let local = access.space == AddressSpace::Local;
    let pick = |in_local, in_global| if local { in_local } else { in_global };
    let (add, min_max) = match access.scalar.carrier() {
        Carrier::I8 | Carrier::I16 => {
            let detail = access.scalar.spelling();
            let status = Status::SpirvUnsupportedAtomicDataType;
            return Err(VerifierError::new(status, module.location, detail).into());
        }
        Carrier::I64 => return module.require(SpirvFeature::Int64Atomics),
        Carrier::F16 => (
            pick(SpirvFeature::AtomicFloat16AddLocal, SpirvFeature::AtomicFloat16AddGlobal),
            pick(SpirvFeature::AtomicFloat16MinMaxLocal, SpirvFeature::AtomicFloat16MinMaxGlobal),
        ),
        Carrier::F32 => (
            pick(SpirvFeature::AtomicFloat32AddLocal, SpirvFeature::AtomicFloat32AddGlobal),
            pick(SpirvFeature::AtomicFloat32MinMaxLocal, SpirvFeature::AtomicFloat32MinMaxGlobal),
        ),
        Carrier::F64 => (
            pick(SpirvFeature::AtomicFloat64AddLocal, SpirvFeature::AtomicFloat64AddGlobal),
            pick(SpirvFeature::AtomicFloat64MinMaxLocal, SpirvFeature::AtomicFloat64MinMaxGlobal),
        ),
        Carrier::I32 | Carrier::Pair => return Ok(()),
    };
    match kind {
        Kind::Load | Kind::Store => Ok(()),
        Kind::Update(AtomicUpdateOp::Add) => module.require(add),
        Kind::Update(AtomicUpdateOp::Max | AtomicUpdateOp::Min) => module.require(min_max),
    }
}

/// Scope and semantics as ids. A load cannot release nor a store acquire (SPIR-V, 3.25 Memory
/// Semantics); what the text asks for beyond that is left out.
fn operands(module: &mut ModuleBuilder<'_>, access: AtomicAccess, kind: Kind) -> [Word; 2] {
    let semantics = match (access.semantics, kind) {
        (MemorySemantics::Relaxed, _)
        | (MemorySemantics::Release, Kind::Load)
        | (MemorySemantics::Acquire, Kind::Store) => 0,
        (MemorySemantics::Acquire, _) | (MemorySemantics::AcquireRelease, Kind::Load) => 0x2,
        (MemorySemantics::Release, _) | (MemorySemantics::AcquireRelease, Kind::Store) => 0x4,
        (MemorySemantics::AcquireRelease, Kind::Update(_)) => 0x8,
        (MemorySemantics::SequentiallyConsistent, _) => 0x10,
    };
    // The scopes are declared in the order of SPIR-V's numbers.
    [module.i32_constant(access.scope as u32), module.i32_constant(semantics)]
}
