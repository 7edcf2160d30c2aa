//! Functions: the calling convention (lowering reference 3.1), builtins, and the walk over regions.

use super::error::Error;
use super::matrix::{Form, MatrixBackend};
use super::module_builder::{Emitted, ModuleBuilder};
use super::values::{Extent as GroupExtent, Group, Lowered, Memref, Values};
use crate::analysis::Divisors;
use crate::device::SpirvFeature;
use crate::ir::{
    AddressSpace, Extent, Func, Inst, Ir, Op, ParameterAttributes, Region, Type, Value, VerifierError,
    for_each_instruction,
};
use crate::schedule::Schedule;
use crate::status::Status;
use rspirv::dr::Operand;
use rspirv::spirv::{
    BuiltIn, Decoration, ExecutionMode, ExecutionModel, FunctionControl, Op as SpirvOp, StorageClass, Word,
};
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// A function that is being lowered.
pub(super) struct FunctionLowering<'e, 'a> {
    pub module: &'e mut ModuleBuilder<'a>,
    pub ir: &'e Ir,
    pub values: Values,
    pub subgroup_size: i64,
    pub schedule: Schedule,
    /// The code for cooperative matrices.
    pub matrices: &'e dyn MatrixBackend,
    func: Func,
    /// Known divisors of numbers and extents, computed when first asked for.
    divisors: OnceCell<Divisors>,
    /// Contents of builtins, loaded at the start of the function.
    builtins: BTreeMap<u32, (BuiltIn, Word)>,
    /// The array in local memory that holds all allocations.
    pub local_memory: Option<Word>,
    /// The array in local memory that holds the scratch memory of all subgroups, once some code has asked for it.
    scratch: Option<Word>,
}

/// Divides the addresses of scratch memory, in bytes.
pub(super) const SCRATCH_ALIGNMENT: u32 = 64;

/// Translation of an instruction of one kind. Every kind implements it, in the file of its family; what a pass lowers
/// does not come here.
pub(super) trait Lower {
    /// Translates the instruction; returns its result if it has exactly one.
    fn lower(&self, f: &mut FunctionLowering<'_, '_>, site: &Site<'_>) -> Emitted<Option<Lowered>>;

    /// The builtins that it reads; those on matrices leave it to their back end.
    fn builtins(&self) -> &'static [BuiltIn] {
        &[]
    }
}

/// An instruction and the type of its first result.
pub(super) struct Site<'i> {
    pub inst: Inst,
    ty: Option<&'i Type>,
}

impl<'i> Site<'i> {
    /// The type of the result.
    pub fn ty(&self) -> Emitted<&'i Type> {
        self.ty.ok_or_else(|| Error::internal("it has no result"))
    }
}

/// Results of the translation of an instruction.
pub(super) trait Outcome {
    /// The result, if there is exactly one.
    fn result(self) -> Option<Lowered>;
}

impl Outcome for Lowered {
    fn result(self) -> Option<Lowered> {
        Some(self)
    }
}

impl Outcome for () {
    fn result(self) -> Option<Lowered> {
        None
    }
}

/// Implements [`Lower`] for instructions: their type, names for instruction, lowering and site, and the call that
/// translates, behind `reads` with the builtins.
macro_rules! lowerings {
    ($($ty:ty: |$op:ident, $f:ident, $site:ident| $outcome:expr $(, reads $builtins:expr)?;)*) => {$(
        impl $crate::spirv::function::Lower for $ty {
            #[allow(unused_variables, reason = "not every translation needs all of it")]
            fn lower(
                &self,
                $f: &mut $crate::spirv::function::FunctionLowering<'_, '_>,
                $site: &$crate::spirv::function::Site<'_>,
            ) -> $crate::spirv::module_builder::Emitted<Option<$crate::spirv::values::Lowered>> {
                let $op = self;
                $outcome.map($crate::spirv::function::Outcome::result)
            }

            $(
                #[allow(unused_variables, reason = "some read the same ones always")]
                fn builtins(&self) -> &'static [BuiltIn] {
                    let $op = self;
                    $builtins
                }
            )?
        }
    )*};
}
pub(super) use lowerings;

/// Calls [`Lower::lower`] of an instruction, whichever it is.
macro_rules! lower_each {
    (@op ($op:expr, $f:expr, $site:expr)) => { $op };
    (@call $inst:ident [Pass] $context:tt) => {{
        let _ = $inst;
        Err(Error::internal("it should have been lowered before translation"))
    }};
    (@call $inst:ident $stage:tt ($op:expr, $f:expr, $site:expr)) => { $inst.lower($f, $site) };
    ($context:tt $($name:ident $stage:tt)*) => {
        match lower_each!(@op $context) { $(Op::$name(op) => lower_each!(@call op $stage $context)),* }
    };
}

/// Calls [`Lower::builtins`] of an instruction, whichever it is.
macro_rules! builtins_of_each {
    (@op ($op:expr)) => { $op };
    (@call $inst:ident [Pass]) => {{
        let _ = $inst;
        &[][..]
    }};
    (@call $inst:ident $stage:tt) => { $inst.builtins() };
    ($context:tt $($name:ident $stage:tt)*) => {
        match builtins_of_each!(@op $context) { $(Op::$name(op) => builtins_of_each!(@call op $stage)),* }
    };
}

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
    let mut lowering = FunctionLowering {
        module,
        ir,
        values: Values::default(),
        subgroup_size: i64::from(subgroup_size),
        schedule,
        matrices,
        func,
        divisors: OnceCell::new(),
        builtins: BTreeMap::new(),
        local_memory: None,
        scratch: None,
    };
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
    lowering.load_builtins(data.body)?;
    lowering.declare_local_memory(data.body)?;
    lowering.body(data.body)?;
    let interface = lowering.interface();
    let module = lowering.module;
    module.builder.ret()?;
    module.builder.end_function()?;
    module.builder.entry_point(ExecutionModel::Kernel, function, data.name.clone(), interface);
    module.builder.execution_mode(function, ExecutionMode::LocalSize, [x, y, 1]);
    module.builder.execution_mode(function, ExecutionMode::SubgroupSize, [subgroup_size]);
    Ok(())
}

/// Bytes of local memory that the allocations of a function take.
pub(super) fn local_bytes(ir: &Ir, body: Region) -> i64 {
    let mut size: i64 = 0;
    ir.walk(body, &mut |inst| {
        if let (Op::Alloca(alloca), Some(&result)) = (&ir[inst].op, ir[inst].results.first())
            && let Some(bytes) = ir.ty(result).memref().and_then(crate::ir::Memref::size_in_bytes)
        {
            size = size.max(alloca.stack_ptr.unwrap_or(0).saturating_add(bytes));
        }
    });
    size
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
    // ---- parameters ----

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

    // ---- builtins ----

    /// Loads the builtins that the function uses.
    fn load_builtins(&mut self, body: Region) -> Emitted<()> {
        let mut needed = BTreeMap::new();
        self.ir.walk(body, &mut |inst| {
            let of_matrices = self.matrices.builtins(self, inst);
            let of_others = for_each_instruction!(builtins_of_each(&self.ir[inst].op));
            for &builtin in of_others.iter().chain(of_matrices) {
                needed.insert(builtin as u32, builtin);
            }
        });
        if self.needs_scratch_places() {
            needed.insert(BuiltIn::SubgroupId as u32, BuiltIn::SubgroupId);
        }
        for builtin in needed.into_values() {
            let (variable, content) = self.module.builtin(builtin);
            // A vector of three 64-bit numbers is aligned like one of four.
            let alignment = if content == self.module.i32_type() { 4 } else { 32 };
            let id = self.module.load(content, variable, alignment)?;
            self.builtins.insert(builtin as u32, (builtin, id));
        }
        Ok(())
    }

    pub fn builtin(&self, builtin: BuiltIn) -> Emitted<Word> {
        let loaded = self.builtins.get(&(builtin as u32));
        loaded.map(|&(_, id)| id).ok_or_else(|| Error::internal(format!("{builtin:?} has not been loaded")))
    }

    // ---- analysis ----

    /// Known divisors of the numbers and extents of the function.
    pub fn divisors(&self) -> &Divisors {
        let alignment = i64::from(self.module.info.default_alignment());
        self.divisors.get_or_init(|| Divisors::new(self.ir, self.func, alignment))
    }

    fn interface(&mut self) -> Vec<Word> {
        let loaded = self.builtins.values();
        let mut interface: Vec<Word> = loaded.map(|&(builtin, _)| self.module.builtin(builtin).0).collect();
        interface.extend(self.local_memory.into_iter().chain(self.scratch));
        interface
    }

    /// One byte array for all allocations (lowering reference 3.3).
    fn declare_local_memory(&mut self, body: Region) -> Emitted<()> {
        let mut unplaced = None;
        let mut alignment = i64::from(self.module.info.default_alignment());
        self.ir.walk(body, &mut |inst| {
            if let Op::Alloca(alloca) = &self.ir[inst].op {
                if alloca.stack_ptr.is_none() {
                    unplaced = Some(inst);
                }
                alignment = alignment.max(alloca.attributes.alignment.unwrap_or(0));
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
            let detail = format!("{size} bytes of local memory, of which there are {available}");
            return Err(VerifierError::new(Status::OutOfRange, self.module.location, detail).into());
        };
        if size > 0 {
            let alignment = u32::try_from(alignment)
                .map_err(|_| Error::internal(format!("local memory aligned to {alignment} bytes")))?;
            self.local_memory = Some(self.local_array(size, alignment));
        }
        Ok(())
    }

    /// So many bytes of local memory.
    fn local_array(&mut self, size: u32, alignment: u32) -> Word {
        let module = &mut *self.module;
        let byte = module.int_type(8);
        let length = module.i32_constant(size);
        let array = module.array_type(byte, length);
        let ty = module.pointer_type(StorageClass::Workgroup, array);
        let variable = module.global_variable(ty, StorageClass::Workgroup);
        module.builder.decorate(variable, Decoration::Alignment, [Operand::LiteralBit32(alignment)]);
        variable
    }

    /// Returns whether subgroups need memory of their own, of which each looks for its place.
    fn needs_scratch_places(&self) -> bool {
        self.matrices.scratch_bytes() > 0 && self.schedule.grid.subgroups() > 1
    }

    /// The address of the subgroup's scratch memory, in bytes, of which the code for cooperative matrices has asked for some.
    pub fn scratch(&mut self) -> Emitted<Word> {
        let (bytes, subgroups) = (self.matrices.scratch_bytes(), self.schedule.grid.subgroups());
        let number = |number: i64| {
            u32::try_from(number).map_err(|_| Error::internal(format!("{number} bytes of local memory")))
        };
        let own = number(bytes)?;
        let array = match self.scratch {
            Some(array) => array,
            None => {
                let all = number(bytes.saturating_mul(subgroups))?;
                let array = self.local_array(all, SCRATCH_ALIGNMENT);
                *self.scratch.insert(array)
            }
        };
        let start = if self.needs_scratch_places() {
            let subgroup = self.builtin(BuiltIn::SubgroupId)?;
            let (narrow, own) = (self.module.i32_type(), self.module.i32_constant(own));
            self.module.value(SpirvOp::IMul, narrow, &[subgroup, own])?
        } else {
            self.module.i32_constant(0)
        };
        let byte = self.module.int_type(8);
        let pointer = self.module.pointer_type(StorageClass::Workgroup, byte);
        Ok(self.module.builder.in_bounds_access_chain(pointer, None, array, [start])?)
    }

    // ---- regions ----

    /// Translates a region that has nobody to yield to.
    pub fn body(&mut self, region: Region) -> Emitted<()> {
        let is_yield = |inst: &Inst| matches!(self.ir[*inst].op, Op::Yield(_));
        if let Some(inst) = self.ir.insts(region).find(is_yield) {
            return Err(VerifierError::new(Status::IrUnexpectedYield, self.ir[inst].location, "").into());
        }
        self.region(region).map(|_| ())
    }

    /// Translates a region; returns what it yields. Code that follows comes from the instruction with the region.
    pub fn region(&mut self, region: Region) -> Emitted<Vec<Lowered>> {
        let (own, mut yielded) = (self.module.location, Vec::new());
        for inst in self.ir.insts(region) {
            let data = &self.ir[inst];
            self.values.location = data.location;
            self.module.location = data.location;
            self.module.note_line(self.ir);
            if let Op::Yield(end) = &data.op {
                yielded = end.values.iter().map(|&value| self.copy(value)).collect::<Result<_, _>>()?;
            } else if let Some(lowered) = self
                .instruction(inst)
                .map_err(|error| error.in_instruction(data.op.mnemonic(), data.location))?
                && let Some(&result) = data.results.first()
            {
                self.module.grow(lowered.ids().len())?;
                let lowered = match lowered {
                    Lowered::Matrix(matrix) if self.is_factor(result) => {
                        Lowered::Matrix(self.matrices.as_factor(self, matrix)?)
                    }
                    lowered => lowered,
                };
                self.define(result, lowered);
            }
        }
        (self.values.location, self.module.location) = (own, own);
        Ok(yielded)
    }

    /// Returns whether a product takes a matrix as a factor.
    fn is_factor(&self, value: Value) -> bool {
        let takes = |op: &Op| matches!(op, Op::CoopmatrixMulAdd(op) if [op.a, op.b].contains(&value));
        self.ir.uses(value).iter().any(|found| takes(&self.ir[found.user].op))
    }

    /// Translates an instruction; returns its result if it has exactly one. Loops and branches note
    /// their results themselves.
    fn instruction(&mut self, inst: Inst) -> Emitted<Option<Lowered>> {
        let data = &self.ir[inst];
        let site = Site { inst, ty: data.results.first().map(|&result| self.ir.ty(result)) };
        for_each_instruction!(lower_each(&data.op, self, &site))
    }

    // ---- values ----

    /// A copy of the counterpart of a value.
    pub fn copy(&mut self, value: Value) -> Emitted<Lowered> {
        let lowered = self.values.get(value)?;
        self.module.grow(lowered.ids().len())?;
        Ok(lowered.clone())
    }

    /// Values with their matrices in a form.
    pub fn in_form(&mut self, values: Vec<Lowered>, form: Form) -> Emitted<Vec<Lowered>> {
        let mut converted = Vec::with_capacity(values.len());
        for value in values {
            converted.push(match value {
                Lowered::Matrix(matrix) => Lowered::Matrix(self.matrices.to_form(self, &matrix, form)?),
                lowered => lowered,
            });
        }
        Ok(converted)
    }

    pub fn insert_results(&mut self, results: &[Value], lowered: Vec<Lowered>) {
        for (&result, lowered) in results.iter().zip(lowered) {
            self.define(result, lowered);
        }
    }
}
