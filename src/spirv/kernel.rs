//! Kernels: the calling convention (lowering reference 3.1), and local memory.

use super::error::Error;
use super::function::FunctionLowering;
use super::matrix::MatrixBackend;
use super::module_builder::{Emitted, ModuleBuilder};
use super::numbers::{complex, from_memory};
use super::values::{Extent as GroupExtent, Group, Lowered, Memref};
use crate::analysis::local_bytes;
use crate::device::SpirvFeature;
use crate::ir::{self, AddressSpace, Extent, Func, Ir, Op, ParameterAttributes, Region, Type, VerifierError};
use crate::schedule::Schedule;
use crate::status::Status;
use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, ExecutionMode, ExecutionModel, FunctionControl, StorageClass, Word};

/// Adds a function to the module as an entry point.
pub(super) fn translate(
    module: &mut ModuleBuilder<'_>,
    ir: &Ir,
    func: Func,
    matrices: &dyn MatrixBackend,
) -> Emitted<()> {
    let data = &ir[func];
    module.function = data.name.clone();
    module.location = data.location;
    let schedule = schedule(ir, func)?;
    let number = |value: i32| u32::try_from(value).map_err(|_| Error::internal(format!("a size of {value}")));
    let subgroup_size = number(schedule.subgroup_size)?;
    let [x, y] = schedule.grid.work_items(schedule.subgroup_size);
    let [x, y] = [number(x)?, number(y)?];
    module.require(SpirvFeature::SubgroupDispatch)?;

    let void = module.void_type();
    let parameters = ir[data.body].parameters.clone();
    let mut types = Vec::new();
    for &parameter in &parameters {
        module.location = ir[parameter].location;
        types.extend(argument_types(module, ir.ty(parameter))?);
    }
    module.location = data.location;
    check_limits(&data.name, types.len())
        .map_err(|what| Error::from(VerifierError::new(Status::OutOfRange, data.location, what)))?;
    let function_type = module.function_type(void, &types);
    let function = module.builder.begin_function(void, None, FunctionControl::NONE, function_type)?;
    module.name(function, &data.name);
    let mut arguments = Vec::new();
    for ty in types {
        arguments.push(module.builder.function_parameter(ty)?);
    }
    let mut lowering = FunctionLowering::new(module, ir, func, schedule);
    let mut arguments = arguments.into_iter();
    for (&parameter, attributes) in parameters.iter().zip(&data.parameter_attributes) {
        let lowered = lowering.parameter(ir.ty(parameter), &mut arguments)?;
        if let Lowered::Memref(memref) = &lowered {
            lowering.promise_alignment(memref.pointer, attributes);
        }
        lowering.name_parameter(parameter, &lowered);
        lowering.define(parameter, lowered);
    }
    let entry = lowering.module.builder.id();
    lowering.module.start_block(entry)?;
    // Over those Intel's CPU compiler crashes beside barriers; see `from_memory`. Part by part, since it fills 15 GB for one part of a
    // vector that lives across a barrier.
    for &parameter in &parameters {
        let complex = ir.ty(parameter).scalar().filter(|scalar| scalar.is_complex());
        if let Some(scalar) = complex.filter(|_| lowering.module.info.is_cpu()) {
            let value = lowering.values.scalar(parameter)?;
            let mut known = complex::parts(lowering.module, scalar, value)?;
            for part in &mut known {
                *part = from_memory(lowering.module, scalar.component(), *part)?;
            }
            let value = complex::from_parts(lowering.module, scalar, known)?;
            lowering.define(parameter, Lowered::Scalar(value));
        }
    }
    lowering.declare_local_memory(data.body)?;
    lowering.body(matrices, data.body)?;
    let module = lowering.module;
    let interface = module.end_function()?;
    module.builder.entry_point(ExecutionModel::Kernel, function, data.name.clone(), interface);
    module.builder.execution_mode(function, ExecutionMode::LocalSize, [x, y, 1]);
    module.builder.execution_mode(function, ExecutionMode::SubgroupSize, [subgroup_size]);
    Ok(())
}

/// Checks the universal limits of SPIR-V on functions; the encoding itself cannot hold longer names.
fn check_limits(name: &str, arguments: usize) -> Result<(), String> {
    const MAX_ARGUMENTS: usize = 255;
    const MAX_NAME_BYTES: usize = 65_535;
    if arguments > MAX_ARGUMENTS {
        return Err(format!("the kernel takes {arguments} arguments, of which there may be {MAX_ARGUMENTS}"));
    }
    if name.len() > MAX_NAME_BYTES {
        let length = name.len();
        return Err(format!("the name of the kernel has {length} bytes, of {MAX_NAME_BYTES} at most"));
    }
    Ok(())
}

/// The schedule, which the pass `work-group-size` has left.
fn schedule(ir: &Ir, func: Func) -> Emitted<Schedule> {
    Schedule::of(ir, func).map_err(|_| {
        let detail = "the function has no subgroup and work-group size";
        VerifierError::new(Status::InternalCompilerError, ir[func].location, detail).into()
    })
}

/// The types of the kernel arguments that a parameter becomes.
fn argument_types(module: &mut ModuleBuilder<'_>, ty: &Type) -> Emitted<Vec<Word>> {
    let index = module.index_type();
    let dynamic = |extents: &[Extent]| extents.iter().filter(|extent| extent.is_dynamic()).count();
    Ok(match ty {
        Type::Scalar(scalar) => vec![module.scalar_type(*scalar)?],
        Type::Memref(memref) => {
            if memref.space == AddressSpace::Local {
                return module.not_implemented("a parameter in local memory");
            }
            let mut types = vec![module.element_pointer_type(memref.element, memref.space)?];
            types.extend(vec![index; dynamic(&memref.shape) + dynamic(&memref.stride)]);
            types
        }
        Type::Group(group) => {
            let member = module.element_pointer_type(group.member.element, group.member.space)?;
            let mut types = vec![module.pointer_type(StorageClass::CrossWorkgroup, member)];
            let table = module.pointer_type(StorageClass::CrossWorkgroup, index);
            types.extend(vec![table; dynamic(&group.member.shape) + dynamic(&group.member.stride)]);
            types.extend(vec![index; dynamic(&[group.size, group.offset])]);
            types
        }
        Type::Bool | Type::Coopmatrix(_) | Type::Tile(_) => {
            return module.not_implemented(format!("a parameter of type {ty}"));
        }
    })
}

impl FunctionLowering<'_, '_> {
    fn parameter(&mut self, ty: &Type, arguments: &mut impl Iterator<Item = Word>) -> Emitted<Lowered> {
        let mut next = || arguments.next().ok_or_else(|| Error::internal("a kernel argument is missing"));
        let module = &mut *self.module;
        Ok(match ty {
            Type::Memref(memref) => {
                let pointer = next()?;
                let mut extents = |extents: &[Extent]| -> Emitted<Vec<Word>> {
                    extents
                        .iter()
                        .map(|extent| match extent {
                            Extent::Static(value) => Ok(module.index_constant(*value)),
                            Extent::Dynamic => next(),
                        })
                        .collect()
                };
                let shape = extents(&memref.shape)?;
                Lowered::Memref(Memref { pointer, shape, stride: extents(&memref.stride)? })
            }
            Type::Group(group) => {
                let pointers = next()?;
                let mut extents = |extents: &[Extent]| -> Emitted<Vec<GroupExtent>> {
                    extents
                        .iter()
                        .map(|extent| match extent {
                            Extent::Static(value) => Ok(GroupExtent::Same(module.index_constant(*value))),
                            Extent::Dynamic => next().map(GroupExtent::Table),
                        })
                        .collect()
                };
                let shape = extents(&group.member.shape)?;
                let stride = extents(&group.member.stride)?;
                let mut extent = |extent: Extent| match extent {
                    Extent::Static(value) => Ok(module.index_constant(value)),
                    Extent::Dynamic => next(),
                };
                let size = extent(group.size)?;
                Lowered::Group(Group { pointers, shape, stride, size, offset: extent(group.offset)? })
            }
            Type::Scalar(_) | Type::Bool | Type::Coopmatrix(_) | Type::Tile(_) => Lowered::Scalar(next()?),
        })
    }

    /// Passes on what an attribute promises of the address of a parameter. The addresses of a group are in
    /// memory, where no decoration reaches.
    fn promise_alignment(&mut self, pointer: Word, attributes: &ParameterAttributes) {
        /// More than any memory is aligned to; drivers do not take any power of two.
        const MAX_ALIGNMENT: i64 = 1 << 20;
        let promised = attributes.alignment.unwrap_or(0);
        // Of a multiple of 48 bytes a driver can use that it is one of 16.
        let alignment = (promised & promised.wrapping_neg()).clamp(0, MAX_ALIGNMENT);
        if let Some(alignment) = u32::try_from(alignment).ok().filter(|&alignment| alignment > 0) {
            let operands = [Operand::LiteralBit32(alignment)];
            self.module.builder.decorate(pointer, Decoration::Alignment, operands);
        }
    }

    /// One byte array for all allocations (lowering reference 3.3).
    fn declare_local_memory(&mut self, body: Region) -> Emitted<()> {
        let mut unplaced = None;
        let mut largest = (0, self.module.location);
        let mut alignment = i64::from(self.module.info.default_alignment());
        self.ir.walk(body, &mut |inst| {
            if let Op::Alloca(alloca) = &self.ir[inst].op {
                if alloca.stack_ptr.is_none() {
                    unplaced = Some(inst);
                }
                let memref = self.ir[inst].results.first().and_then(|&result| self.ir.ty(result).memref());
                let bytes = memref.and_then(ir::Memref::size_in_bytes).unwrap_or(0);
                if bytes > largest.0 {
                    largest = (bytes, self.ir[inst].location);
                }
                if let Some(wanted) = alloca.attributes.alignment {
                    alignment = alignment.max(wanted);
                }
            }
        });
        if let Some(inst) = unplaced {
            let data = &self.ir[inst];
            let error = Error::internal("it has no place in local memory");
            return Err(error.in_instruction(data.op.mnemonic(), data.location));
        }
        let size = local_bytes(self.ir, body);
        let available = self.module.info.local_memory_size().unwrap_or(i64::MAX);
        let Some(size) = u32::try_from(size).ok().filter(|&size| i64::from(size) <= available) else {
            let available = available.min(i64::from(u32::MAX));
            let (bytes, location) = largest;
            let detail = format!(
                "{size} bytes of local memory, of which there are {available}; this allocation, the largest, takes {bytes}"
            );
            return Err(VerifierError::new(Status::OutOfRange, location, detail).into());
        };
        if size > 0 {
            let alignment = u32::try_from(alignment)
                .map_err(|_| Error::internal(format!("local memory aligned to {alignment} bytes")))?;
            self.local_memory = Some(self.module.local_array(size, alignment));
        }
        Ok(())
    }
}
