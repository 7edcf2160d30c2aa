//! Memory access, views and barriers (lowering reference 3.2, 3.4).

use super::error::Error;
use super::function::FunctionLowering;
use super::lower::lowerings;
use super::module_builder::Emitted;
use super::numbers::{alignment, packed};
use super::values::{Extent as GroupExtent, Group, Lowered, Memref};
use crate::device::SpirvFeature;
use crate::ir::{
    AddressSpace, Alloca, AsSurface, Associated, Barrier, BarrierArrive, BarrierWait, Expand, Extent,
    FenceGlobal, FenceLocal, Fuse, IsSurface, LifetimeStop, Load, MemrefCast, Scalar, Size, Store, Subview,
    Surface, Transpose, Type, Value, VerifierError,
};
use crate::status::Status;
use rspirv::dr::Operand;
use rspirv::spirv::{MemorySemantics, Op, Scope, StorageClass, Word};

lowerings! {
    Load: |op, f, site| f.load(op, site.ty()?);
    Store: |op, f, site| f.store(op);
    Associated: |op, f, site| f.associated(op);
    IsSurface: |op, f, site| f.is_surface(op);
    AsSurface: |op, f, site| f.values.get(op.of).cloned();
    MemrefCast: |op, f, site| f.memref_cast(op, site.ty()?);
    Size: |op, f, site| f.size(op);
    Subview: |op, f, site| f.subview(op, site.ty()?);
    Expand: |op, f, site| f.expand(op);
    Fuse: |op, f, site| f.fuse(op);
    Barrier: |op, f, site| f.barrier(op);
    BarrierArrive: |op, f, site| f.half_barrier(Op::ControlBarrierArriveINTEL);
    BarrierWait: |op, f, site| f.half_barrier(Op::ControlBarrierWaitINTEL);
    Alloca: |op, f, site| f.alloca(op, site.ty()?);
    // The place in local memory is given already.
    LifetimeStop: |op, f, site| Ok(());
}

impl FunctionLowering<'_, '_> {
    pub fn load(&mut self, op: &Load, ty: &Type) -> Emitted<Lowered> {
        if let Lowered::Group(group) = self.values.get(op.from)? {
            let group = group.clone();
            return self.load_member(&group, op, ty);
        }
        if let Some(value) = self.load_packed(op)? {
            return Ok(Lowered::Scalar(value));
        }
        let (pointer, scalar) = self.element(op.from, &op.indices)?;
        let ty = self.module.scalar_type(scalar)?;
        let alignment = alignment(scalar)?;
        // Instruction selection of Intel's CPU compiler (runtime 2026.2) crashes over vectors that its passes have loaded elsewhere.
        let value = if scalar.is_complex() && self.module.info.is_cpu() {
            self.module.load_volatile(ty, pointer, alignment)
        } else {
            self.module.load(ty, pointer, alignment)
        };
        Ok(Lowered::Scalar(value?))
    }

    /// A number that shares its byte.
    fn load_packed(&mut self, op: &Load) -> Emitted<Option<Word>> {
        let Some(ty) = self.ir.ty(op.from).memref().filter(|memref| memref.element.is_packed()) else {
            return Ok(None);
        };
        let (pointer, offset) = self.offset(op.from, &op.indices)?;
        let pointer_type = self.module.element_pointer_type(ty.element, ty.space)?;
        let from = packed::Address { pointer_type, pointer, first: offset, in_bounds: true };
        let nothing = self.module.index_constant(0);
        packed::load(self.module, ty.element, from, nothing, true).map(Some)
    }

    pub fn store(&mut self, op: &Store) -> Emitted<()> {
        let (pointer, scalar) = self.element(op.to, &op.indices)?;
        let value = self.values.scalar(op.value)?;
        self.module.store(pointer, value, alignment(scalar)?)
    }

    /// The address of an element.
    pub fn element(&mut self, memref: Value, indices: &[Value]) -> Emitted<(Word, Scalar)> {
        let Some(ty) = self.ir.ty(memref).memref() else {
            return Err(Error::UndefinedValue(self.values.location));
        };
        let (pointer, offset) = self.offset(memref, indices)?;
        let pointer_type = self.module.element_pointer_type(ty.element, ty.space)?;
        Ok((self.module.offset_pointer(pointer_type, pointer, offset)?, ty.element))
    }

    /// The pointer of a memref, and the distance of an element from it, in elements.
    fn offset(&mut self, memref: Value, indices: &[Value]) -> Emitted<(Word, Word)> {
        let Memref { pointer, stride, .. } = self.values.memref(memref)?.clone();
        let mut offset = self.module.index_constant(0);
        for (&index, &stride) in indices.iter().zip(&stride) {
            // The language does not check the types of indices; other integers are widened.
            let index = self.index_operand(index)?;
            let part = self.module.mul(index, stride)?;
            offset = self.module.add(offset, part)?;
        }
        Ok((pointer, offset))
    }

    fn index_operand(&mut self, value: Value) -> Emitted<Word> {
        let word = self.values.scalar(value)?;
        match self.ir.ty(value).scalar() {
            Some(scalar) if scalar.is_integer() && scalar.bytes() == 8 => Ok(word),
            Some(scalar) if scalar.is_integer() => {
                let index = self.module.index_type();
                self.module.value(Op::SConvert, index, &[word])
            }
            _ => {
                let detail = self.ir.describe(value);
                let error = VerifierError::new(Status::IrExpectedIndex, self.values.location, detail);
                Err(error.about(self.ir, &[value]).into())
            }
        }
    }

    /// `pointer[i] + offset`, with the extents of member i.
    fn load_member(&mut self, group: &Group, op: &Load, ty: &Type) -> Emitted<Lowered> {
        let (Some(memref), Some(&index)) = (ty.memref(), op.indices.first()) else {
            return Err(Error::UndefinedValue(self.values.location));
        };
        let index = self.index_operand(index)?;
        let module = &mut *self.module;
        let pointer_type = module.element_pointer_type(memref.element, memref.space)?;
        let slot_type = module.pointer_type(StorageClass::CrossWorkgroup, pointer_type);
        let slot = module.offset_pointer(slot_type, group.pointers, index)?;
        let pointer = module.load(pointer_type, slot, alignment(Scalar::Index)?)?;
        let offset = packed::pointer_distance(module, memref.element, group.offset)?;
        let pointer = module.offset_pointer(pointer_type, pointer, offset)?;
        let mut extents = |extents: &[GroupExtent]| -> Emitted<Vec<Word>> {
            let index_type = module.index_type();
            let table_type = module.pointer_type(StorageClass::CrossWorkgroup, index_type);
            extents
                .iter()
                .map(|extent| match *extent {
                    GroupExtent::Same(word) => Ok(word),
                    GroupExtent::Table(table) => {
                        let slot = module.offset_pointer(table_type, table, index)?;
                        module.load(index_type, slot, alignment(Scalar::Index)?)
                    }
                })
                .collect()
        };
        let shape = extents(&group.shape)?;
        Ok(Lowered::Memref(Memref { pointer, shape, stride: extents(&group.stride)? }))
    }

    /// The extents that the new type fixes become constants.
    pub fn memref_cast(&mut self, op: &MemrefCast, ty: &Type) -> Emitted<Lowered> {
        let Some(ty) = ty.memref() else { return Err(Error::UndefinedValue(self.values.location)) };
        let Memref { pointer, mut shape, mut stride } = self.values.memref(op.of)?.clone();
        if op.transpose == Transpose::T {
            shape.reverse();
            stride.reverse();
        }
        for (word, extent) in shape.iter_mut().zip(&ty.shape).chain(stride.iter_mut().zip(&ty.stride)) {
            if let Some(value) = extent.value() {
                *word = self.module.index_constant(value);
            }
        }
        Ok(Lowered::Memref(Memref { pointer, shape, stride }))
    }

    pub fn size(&mut self, op: &Size) -> Emitted<Lowered> {
        let size = match self.values.get(op.of)? {
            Lowered::Memref(memref) => {
                usize::try_from(op.mode).ok().and_then(|mode| memref.shape.get(mode).copied())
            }
            Lowered::Group(group) => Some(group.size),
            _ => None,
        };
        size.map(Lowered::Scalar).ok_or(Error::UndefinedValue(self.values.location))
    }

    pub fn subview(&mut self, op: &Subview, ty: &Type) -> Emitted<Lowered> {
        let Some(ty) = ty.memref() else { return Err(Error::UndefinedValue(self.values.location)) };
        let source = self.values.memref(op.of)?.clone();
        let (mut offsets, mut sizes) = (op.offsets.iter(), op.sizes.iter());
        let mut offset = self.module.index_constant(0);
        let (mut shape, mut stride) = (Vec::new(), Vec::new());
        for ((&static_offset, &static_size), &step) in
            op.static_offsets.iter().zip(&op.static_sizes).zip(&source.stride)
        {
            let start = self.extent(static_offset, &mut offsets)?;
            let part = self.module.mul(start, step)?;
            offset = self.module.add(offset, part)?;
            // The integer 0 drops the mode.
            if static_size != Extent::Static(0) {
                shape.push(self.extent(static_size, &mut sizes)?);
                stride.push(step);
            }
        }
        let pointer_type = self.module.element_pointer_type(ty.element, ty.space)?;
        let offset = packed::pointer_distance(self.module, ty.element, offset)?;
        let pointer = self.module.offset_pointer(pointer_type, source.pointer, offset)?;
        Ok(Lowered::Memref(Memref { pointer, shape, stride }))
    }

    /// The modes of one mode: strides build up by products.
    pub fn expand(&mut self, op: &Expand) -> Emitted<Lowered> {
        let source = self.values.memref(op.of)?.clone();
        let mode = usize::try_from(op.mode).ok().filter(|&mode| mode < source.shape.len());
        let mode = mode.ok_or_else(|| Error::internal(format!("there is no mode {}", op.mode)))?;
        let mut sizes = op.sizes.iter();
        let (mut shape, mut stride) = (Vec::new(), Vec::new());
        for (i, (&size, &step)) in source.shape.iter().zip(&source.stride).enumerate() {
            if i != mode {
                shape.push(size);
                stride.push(step);
                continue;
            }
            let mut step = step;
            for &extent in &op.static_shape {
                let size = self.extent(extent, &mut sizes)?;
                shape.push(size);
                stride.push(step);
                step = self.module.mul(step, size)?;
            }
        }
        Ok(Lowered::Memref(Memref { pointer: source.pointer, shape, stride }))
    }

    /// Several modes as one: the product of their sizes, the stride of the first.
    pub fn fuse(&mut self, op: &Fuse) -> Emitted<Lowered> {
        let source = self.values.memref(op.of)?.clone();
        let (mut shape, mut stride): (Vec<Word>, Vec<Word>) = (Vec::new(), Vec::new());
        for (i, (&size, &step)) in (0i64..).zip(source.shape.iter().zip(&source.stride)) {
            match shape.last_mut() {
                Some(fused) if i > op.first && i <= op.last => *fused = self.module.mul(*fused, size)?,
                _ => {
                    shape.push(size);
                    stride.push(step);
                }
            }
        }
        Ok(Lowered::Memref(Memref { pointer: source.pointer, shape, stride }))
    }

    /// True at run time if the base pointer is not null.
    pub fn associated(&mut self, op: &Associated) -> Emitted<Lowered> {
        let pointer = match self.values.get(op.of)? {
            Lowered::Memref(memref) => memref.pointer,
            Lowered::Group(group) => group.pointers,
            _ => return Err(Error::UndefinedValue(self.values.location)),
        };
        // Local memory is always there, and its first byte may well have address 0.
        if self.ir.ty(op.of).memref().is_some_and(|memref| memref.space == AddressSpace::Local) {
            return Ok(Lowered::Scalar(self.module.bool_constant(true)));
        }
        let boolean = self.module.bool_type();
        let ty = self.pointer_type_of(op.of)?;
        let null = self.module.null(ty);
        Ok(Lowered::Scalar(self.module.value(Op::PtrNotEqual, boolean, &[pointer, null])?))
    }

    /// The demands of the 2D block messages on a matrix, all of which must hold (lowering reference 4.4).
    pub fn is_surface(&mut self, op: &IsSurface) -> Emitted<Lowered> {
        let Some(memref) = self.ir.ty(op.of).memref() else {
            return Err(Error::UndefinedValue(self.values.location));
        };
        let Memref { pointer, shape, stride } = self.values.memref(op.of)?.clone();
        let (&[width, height], &[down, pitch]) = (shape.as_slice(), stride.as_slice()) else {
            return Err(Error::internal(format!("{memref} does not have two modes")));
        };
        let m = &mut *self.module;
        let (index, boolean) = (m.index_type(), m.bool_type());
        let bytes = m.index_constant(memref.element.bytes());
        let (width, pitch) = (m.mul(width, bytes)?, m.mul(pitch, bytes)?);
        let address = m.value(Op::ConvertPtrToU, index, &[pointer])?;
        let one = m.index_constant(1);
        let mut tests = vec![(Op::IEqual, down, one), (Op::SGreaterThanEqual, height, one)];
        tests.push((Op::SGreaterThanEqual, pitch, width));
        let [least, most] = [Surface::MIN_BYTES, Surface::MAX_EXTENT].map(|number| m.index_constant(number));
        tests.push((Op::SGreaterThanEqual, width, least));
        tests.extend([height, pitch].map(|extent| (Op::SLessThanEqual, extent, most)));
        let zero = m.index_constant(0);
        let units =
            [(address, Surface::MIN_BYTES), (width, Surface::UNIT_BYTES), (pitch, Surface::PITCH_BYTES)];
        for (extent, unit) in units {
            let mask = m.index_constant(unit - 1);
            let rest = m.value(Op::BitwiseAnd, index, &[extent, mask])?;
            tests.push((Op::IEqual, rest, zero));
        }
        let mut holds = m.bool_constant(true);
        for (test, a, b) in tests {
            let result = m.value(test, boolean, &[a, b])?;
            holds = m.value(Op::LogicalAnd, boolean, &[holds, result])?;
        }
        Ok(Lowered::Scalar(holds))
    }

    /// The type of the pointer of a memref or group.
    fn pointer_type_of(&mut self, value: Value) -> Emitted<Word> {
        let (memref, is_group) = match self.ir.ty(value) {
            Type::Memref(memref) => (memref, false),
            Type::Group(group) => (&group.member, true),
            _ => return Err(Error::UndefinedValue(self.values.location)),
        };
        let pointer = self.module.element_pointer_type(memref.element, memref.space)?;
        Ok(if is_group { self.module.pointer_type(StorageClass::CrossWorkgroup, pointer) } else { pointer })
    }

    /// A number, or the next of the values.
    fn extent(&mut self, extent: Extent, values: &mut std::slice::Iter<'_, Value>) -> Emitted<Word> {
        match extent {
            Extent::Static(value) => Ok(self.module.index_constant(value)),
            Extent::Dynamic => match values.next() {
                Some(&value) => self.values.scalar(value),
                None => Err(Error::UndefinedValue(self.values.location)),
            },
        }
    }

    pub fn alloca(&mut self, op: &Alloca, ty: &Type) -> Emitted<Lowered> {
        let (Some(memref), Some(array), Some(start)) = (ty.memref(), self.local_memory, op.stack_ptr) else {
            return Err(Error::UndefinedValue(self.values.location));
        };
        let module = &mut *self.module;
        let byte = module.int_type(8);
        let byte_pointer = module.pointer_type(StorageClass::Workgroup, byte);
        let start = u32::try_from(start).map_err(|_| Error::internal(format!("its place is {start}")))?;
        let start = module.i32_constant(start);
        let pointer = module.builder.in_bounds_access_chain(byte_pointer, None, array, [start])?;
        let pointer_type = module.element_pointer_type(memref.element, memref.space)?;
        let pointer = if pointer_type == byte_pointer {
            pointer
        } else {
            module.value(Op::Bitcast, pointer_type, &[pointer])?
        };
        let Some(packed) = memref.allocated_strides() else {
            return Err(Error::internal(format!("{ty} has a stride that is not known")));
        };
        let mut constants = |extents: &[Extent]| -> Emitted<Vec<Word>> {
            let number = |extent: &Extent| extent.value().map(|value| module.index_constant(value));
            let numbers: Option<Vec<Word>> = extents.iter().map(number).collect();
            numbers.ok_or_else(|| Error::internal(format!("{ty} has a size that is not known")))
        };
        let shape = constants(&memref.shape)?;
        Ok(Lowered::Memref(Memref { pointer, shape, stride: constants(&packed)? }))
    }

    /// All accesses to the fenced spaces are ordered (lowering reference 3.4).
    pub fn barrier(&mut self, op: &Barrier) -> Emitted<()> {
        let mut semantics = MemorySemantics::RELAXED;
        if op.global == FenceGlobal::Yes {
            semantics |= MemorySemantics::SEQUENTIALLY_CONSISTENT | MemorySemantics::CROSS_WORKGROUP_MEMORY;
        }
        if op.local == FenceLocal::Yes {
            semantics |= MemorySemantics::SEQUENTIALLY_CONSISTENT | MemorySemantics::WORKGROUP_MEMORY;
        }
        let scope = self.module.i32_constant(Scope::Workgroup as u32);
        let semantics = self.module.i32_constant(semantics.bits());
        Ok(self.module.builder.control_barrier(scope, scope, semantics)?)
    }

    /// Half of a barrier, which orders accesses to local memory; where the device has no halves, all of it stands for the first
    /// (SPV_INTEL_split_barrier).
    fn half_barrier(&mut self, half: Op) -> Emitted<()> {
        if self.module.info.have(SpirvFeature::SplitBarrier) {
            let scope = self.module.i32_constant(Scope::Workgroup as u32);
            let order = match half {
                _ if self.local_memory.is_none() => MemorySemantics::RELAXED,
                Op::ControlBarrierArriveINTEL => MemorySemantics::RELEASE | MemorySemantics::WORKGROUP_MEMORY,
                _ => MemorySemantics::ACQUIRE | MemorySemantics::WORKGROUP_MEMORY,
            };
            let semantics = self.module.i32_constant(order.bits());
            return self.module.effect(half, [scope, scope, semantics].map(Operand::IdRef).to_vec());
        }
        match half {
            Op::ControlBarrierArriveINTEL => {
                let local = if self.local_memory.is_some() { FenceLocal::Yes } else { FenceLocal::No };
                self.barrier(&Barrier { global: FenceGlobal::No, local })
            }
            _ => Ok(()),
        }
    }
}
