//! The module under construction: types, constants and the current block.

use super::Options;
use super::capabilities;
use super::error::Error;
use super::id_map::{IdMap, IdSet};
use super::module::Module;
use super::remark::Remark;
use crate::device::{CoreFeatures, CoreInfo, SpirvFeature};
use crate::diagnostics::{Location, Position, SourceId};
use crate::ir::{AddressSpace, Carrier, Ir, Scalar, VerifierError};
use crate::status::Status;
use rspirv::dr::{Builder, InsertPoint, Instruction, Operand};
use rspirv::spirv::{
    self, AddressingModel, CooperativeMatrixUse, MemoryAccess, MemoryModel, Op, Scope, StorageClass, Word,
};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Result of translating.
pub(super) type Emitted<T> = Result<T, Error>;

pub(super) struct ModuleBuilder<'a> {
    pub builder: Builder,
    pub info: &'a CoreInfo,
    /// The label of the block that instructions go to.
    pub block: Word,
    /// Name of the function that is being translated.
    pub function: String,
    /// Place of the instruction that is being translated.
    pub location: Location,
    /// True if the module tells the names of values.
    pub keeps_names: bool,
    /// True if the module tells the lines of the source.
    keeps_lines: bool,
    /// The names of the sources of which a line was noted.
    files: HashMap<SourceId, Word>,
    /// The block in which a line was noted last, and that line.
    noted: Option<(Word, Location)>,
    /// Remarks, if they are wanted.
    pub remarks: Option<Vec<Remark>>,
    /// True if arithmetic takes its shortest form.
    pub unsafe_fp_math: bool,
    /// Ids that have their name, or none because many values share them.
    named: IdSet<Word>,
    types: IdMap<TypeKey, Word>,
    /// Constants by type and bits.
    constants: IdMap<(Word, u64), Word>,
    /// The index constants among the ids, for folding.
    known: IdMap<Word, i64>,
    /// The input variables of builtins.
    pub builtins: IdMap<u32, Word>,
    pub prologue: Prologue,
    /// The composites that the current block has made, by type and parts.
    composites: HashMap<(Word, Vec<Word>), Word>,
    /// The parts of composites that the current block knows.
    parts: IdMap<(Word, u32), Word>,
    opencl: Option<Word>,
    /// Instructions and components of matrices so far.
    size: usize,
}

/// The beginning of the function that is being translated, complete once all of the function is.
#[derive(Default)]
pub(super) struct Prologue {
    pub variables: Vec<Instruction>,
    /// Builtins that the function reads, by number.
    pub builtins: BTreeMap<u32, LoadedBuiltin>,
    /// Arrays in local memory.
    pub local_arrays: Vec<Word>,
}

/// A builtin: its variable, its content, and the instruction that loads it.
pub(super) struct LoadedBuiltin {
    pub variable: Word,
    pub content: Word,
    pub load: Instruction,
}

/// Instructions and components of matrices that a module may have. Time and memory grow with both, and a
/// short text can ask for any number of them.
const MAX_SIZE: usize = 1 << 21;

/// The parts of a type.
#[derive(Clone, PartialEq, Eq, Hash)]
enum TypeKey {
    Void,
    Bool,
    Int(u32),
    Float(u32),
    Vector(Word, u32),
    Pointer(u32, Word),
    Array(Word, Word),
    Function(Word, Vec<Word>),
}

impl<'a> ModuleBuilder<'a> {
    pub fn new(info: &'a CoreInfo, options: Options) -> ModuleBuilder<'a> {
        let mut builder = Builder::new();
        // The newest version that the OpenCL CPU runtime advertises.
        builder.set_version(1, 4);
        builder.memory_model(AddressingModel::Physical64, MemoryModel::OpenCL);
        ModuleBuilder {
            builder,
            info,
            block: 0,
            function: String::new(),
            location: Location::default(),
            keeps_names: options.keep_names,
            keeps_lines: options.keep_lines,
            files: HashMap::new(),
            noted: None,
            remarks: options.remarks.then(Vec::new),
            unsafe_fp_math: options.unsafe_fp_math,
            named: IdSet::default(),
            types: IdMap::default(),
            constants: IdMap::default(),
            known: IdMap::default(),
            builtins: IdMap::default(),
            prologue: Prologue::default(),
            composites: HashMap::new(),
            parts: IdMap::default(),
            opencl: None,
            size: 0,
        }
    }

    pub fn finish(self, core_features: CoreFeatures, pins_register_file: bool) -> Module {
        let mut module = self.builder.module();
        capabilities::declare(&mut module);
        if let Some(header) = &mut module.header {
            // No registered generator number: 0 means unknown.
            header.generator = 0;
        }
        let remarks = self.remarks.unwrap_or_default();
        Module { module, core_features, pins_register_file, remarks, signatures: Arc::default() }
    }

    /// Names an id if names are kept. The first name counts, and constants have none: they are shared.
    pub fn name(&mut self, id: Word, name: &str) {
        if self.keeps_names && self.named.insert(id) {
            self.builder.name(id, name);
        }
    }

    /// Names a parameter of a kernel, of which messages that tell lines speak.
    pub fn name_parameter(&mut self, id: Word, name: &str) {
        if (self.keeps_names || self.keeps_lines) && self.named.insert(id) {
            self.builder.name(id, name);
        }
    }

    /// Notes the line of the source that the following instructions come from, if lines are kept and it has one.
    pub fn note_line(&mut self, ir: &Ir) {
        let Location { source, begin, .. } = self.location;
        if self.keeps_lines && begin.line != 0 {
            let builder = &mut self.builder;
            let name = || ir.source_name(source).unwrap_or("<unknown>");
            self.files.entry(source).or_insert_with(|| builder.string(name()));
        }
        self.say_line();
    }

    /// Says the line of the current instruction, if its source is known and this is news.
    fn say_line(&mut self) {
        let Location { source, begin: Position { line, column }, .. } = self.location;
        // A line is said for the rest of a block.
        let is_new = self.noted.replace((self.block, self.location)) != Some((self.block, self.location));
        if let Some(&file) = self.files.get(&source).filter(|_| line != 0 && is_new) {
            self.builder.line(file, line, column);
        }
    }

    /// Checks that the device has a feature.
    pub fn require(&self, feature: SpirvFeature) -> Emitted<()> {
        if self.info.have(feature) {
            return Ok(());
        }
        let function = self.function.clone();
        Err(Error::MissingFeature { feature, function, location: self.location })
    }

    pub fn not_implemented<T>(&self, what: impl Into<String>) -> Emitted<T> {
        Err(Error::NotImplemented { what: what.into(), location: self.location })
    }

    /// Takes note of instructions or components of matrices.
    ///
    /// # Errors
    /// If the module gets too large.
    pub fn grow(&mut self, by: usize) -> Emitted<()> {
        self.size = self.size.saturating_add(by);
        if self.size <= MAX_SIZE {
            return Ok(());
        }
        let detail = format!(
            "the lowered program is too large: more than {MAX_SIZE} SPIR-V instructions and matrix components"
        );
        Err(VerifierError::new(Status::OutOfRange, self.location, detail).into())
    }

    // ---- types ----

    /// The type of a key; `make` makes it under a given id, since the builder would look through all types
    /// and constants for an equal one if it were to choose the id.
    fn cached(&mut self, key: TypeKey, make: impl FnOnce(&mut Builder, Option<Word>) -> Word) -> Word {
        if let Some(&ty) = self.types.get(&key) {
            return ty;
        }
        let id = self.builder.id();
        let ty = make(&mut self.builder, Some(id));
        self.types.insert(key, ty);
        ty
    }

    pub fn void_type(&mut self) -> Word {
        self.cached(TypeKey::Void, Builder::type_void_id)
    }

    pub fn bool_type(&mut self) -> Word {
        self.cached(TypeKey::Bool, Builder::type_bool_id)
    }

    pub fn array_type(&mut self, element: Word, length: Word) -> Word {
        self.cached(TypeKey::Array(element, length), |builder, id| builder.type_array_id(id, element, length))
    }

    /// The type of a matrix that the work-items of a subgroup share (SPV_KHR_cooperative_matrix).
    pub fn cooperative_matrix_type(
        &mut self,
        component: Word,
        rows: u32,
        cols: u32,
        usage: CooperativeMatrixUse,
    ) -> Word {
        let [scope, rows, cols, usage] =
            [Scope::Subgroup as u32, rows, cols, usage as u32].map(|number| self.i32_constant(number));
        self.builder.type_cooperative_matrix_khr(component, scope, rows, cols, usage)
    }

    pub fn function_type(&mut self, returned: Word, parameters: &[Word]) -> Word {
        self.cached(TypeKey::Function(returned, parameters.to_vec()), |builder, id| {
            builder.type_function_id(id, returned, parameters.iter().copied())
        })
    }

    /// An integer type of one of the widths 8, 16, 32, 64.
    pub fn int_type(&mut self, width: u32) -> Word {
        // Kernels know no signed integer types.
        self.cached(TypeKey::Int(width), |builder, id| builder.type_int_id(id, width, 0))
    }

    pub fn i32_type(&mut self) -> Word {
        self.int_type(32)
    }

    pub fn index_type(&mut self) -> Word {
        self.int_type(64)
    }

    fn float_type(&mut self, width: u32) -> Word {
        self.cached(TypeKey::Float(width), |builder, id| builder.type_float_id(id, width, None))
    }

    pub fn scalar_type(&mut self, scalar: Scalar) -> Emitted<Word> {
        Ok(match scalar.carrier() {
            Carrier::I8 => self.int_type(8),
            Carrier::I16 => self.int_type(16),
            Carrier::I32 => self.int_type(32),
            Carrier::I64 => self.int_type(64),
            Carrier::F16 => {
                self.require(SpirvFeature::Float16)?;
                self.float_type(16)
            }
            Carrier::F32 => self.float_type(32),
            Carrier::F64 => {
                self.require(SpirvFeature::Float64)?;
                self.float_type(64)
            }
            Carrier::Pair => {
                let part = self.scalar_type(scalar.component())?;
                self.vector_type(part, 2)
            }
        })
    }

    pub fn vector_type(&mut self, component: Word, count: u32) -> Word {
        self.cached(TypeKey::Vector(component, count), |builder, id| {
            builder.type_vector_id(id, component, count)
        })
    }

    pub fn pointer_type(&mut self, class: StorageClass, pointee: Word) -> Word {
        self.cached(TypeKey::Pointer(class as u32, pointee), |builder, id| {
            builder.type_pointer(id, class, pointee)
        })
    }

    /// A pointer to elements of a memref.
    pub fn element_pointer_type(&mut self, scalar: Scalar, space: AddressSpace) -> Emitted<Word> {
        let element = self.scalar_type(if scalar.is_packed() { Scalar::I8 } else { scalar })?;
        Ok(self.pointer_type(storage_class(space), element))
    }

    // ---- constants ----

    /// Keeps a constant for the next time.
    fn remember(&mut self, ty: Word, bits: u64, id: Word) {
        self.constants.insert((ty, bits), id);
        self.named.insert(id);
    }

    pub fn bool_constant(&mut self, value: bool) -> Word {
        let ty = self.bool_type();
        if let Some(&id) = self.constants.get(&(ty, u64::from(value))) {
            return id;
        }
        let id = if value { self.builder.constant_true(ty) } else { self.builder.constant_false(ty) };
        self.remember(ty, u64::from(value), id);
        id
    }

    /// A constant of a number type of 64 bits, given by its bits.
    fn wide_constant(&mut self, ty: Word, bits: u64) -> Word {
        if let Some(&id) = self.constants.get(&(ty, bits)) {
            return id;
        }
        let id = self.builder.constant_bit64(ty, bits);
        self.remember(ty, bits, id);
        id
    }

    /// A constant of a number type of at most 32 bits, given by its bits.
    fn narrow_constant(&mut self, ty: Word, bits: u32) -> Word {
        if let Some(&id) = self.constants.get(&(ty, u64::from(bits))) {
            return id;
        }
        let id = self.builder.constant_bit32(ty, bits);
        self.remember(ty, u64::from(bits), id);
        id
    }

    pub fn i32_constant(&mut self, value: u32) -> Word {
        let ty = self.i32_type();
        self.narrow_constant(ty, value)
    }

    pub fn index_constant(&mut self, value: i64) -> Word {
        let (ty, bits) = (self.index_type(), value.cast_unsigned());
        if let Some(&id) = self.constants.get(&(ty, bits)) {
            return id;
        }
        let id = self.wide_constant(ty, bits);
        self.known.insert(id, value);
        id
    }

    /// An integer constant, cut to its type. The bits of the word behind a narrow type are zero, since our
    /// integer types are unsigned (SPIR-V, 2.2.1 Literal).
    pub fn int_constant(&mut self, scalar: Scalar, value: i64) -> Emitted<Word> {
        if scalar.bytes() == 8 {
            return Ok(self.index_constant(value));
        }
        let ty = self.scalar_type(scalar)?;
        let width =
            scalar.carrier().integer_bits().ok_or_else(|| Error::internal(format!("{value} as {scalar}")))?;
        let bits = value.cast_unsigned() & (u64::MAX >> (u64::BITS - width));
        let bits = u32::try_from(bits).map_err(|_| Error::internal(format!("{value} as {scalar}")))?;
        Ok(self.narrow_constant(ty, bits))
    }

    /// A floating constant, rounded to its type.
    pub fn float_constant(&mut self, scalar: Scalar, value: f64) -> Emitted<Word> {
        let ty = self.scalar_type(scalar)?;
        let bits = scalar.float_bits(value);
        let bits = bits.ok_or_else(|| Error::internal(format!("{value} as {scalar}")))?;
        // The bits of the word behind a narrow type are zero.
        Ok(match u32::try_from(bits) {
            Ok(bits) if scalar.bytes() <= 4 => self.narrow_constant(ty, bits),
            _ => self.wide_constant(ty, bits),
        })
    }

    /// A complex constant, its parts rounded to their type.
    pub fn complex_constant(&mut self, scalar: Scalar, re: f64, im: f64) -> Emitted<Word> {
        let ty = self.scalar_type(scalar)?;
        let part = scalar.component();
        let parts = [self.float_constant(part, re)?, self.float_constant(part, im)?];
        // The ids of the parts tell complex constants of one type apart.
        let [re, im] = parts.map(u64::from);
        if let Some(&id) = self.constants.get(&(ty, re << 32 | im)) {
            return Ok(id);
        }
        let id = self.builder.constant_composite(ty, parts);
        self.remember(ty, re << 32 | im, id);
        Ok(id)
    }

    /// The null pointer of a type.
    pub fn null(&mut self, ty: Word) -> Word {
        if let Some(&id) = self.constants.get(&(ty, 0)) {
            return id;
        }
        let id = self.builder.constant_null(ty);
        self.remember(ty, 0, id);
        id
    }

    /// The zero of a number type.
    pub fn zero(&mut self, scalar: Scalar) -> Emitted<Word> {
        if scalar.is_complex() {
            self.complex_constant(scalar, 0.0, 0.0)
        } else if scalar.is_float() {
            self.float_constant(scalar, 0.0)
        } else {
            self.int_constant(scalar, 0)
        }
    }

    // ---- instructions ----

    /// Appends an instruction with a result.
    pub fn value(&mut self, op: Op, ty: Word, operands: &[Word]) -> Emitted<Word> {
        let id = self.builder.id();
        self.value_under(id, op, ty, operands)
    }

    /// Appends an instruction whose result has an id already.
    pub fn value_under(&mut self, id: Word, op: Op, ty: Word, operands: &[Word]) -> Emitted<Word> {
        self.grow(1)?;
        let operands = operands.iter().map(|&operand| Operand::IdRef(operand)).collect();
        let inst = Instruction::new(op, Some(ty), Some(id), operands);
        self.builder.insert_into_block(InsertPoint::End, inst)?;
        Ok(id)
    }

    /// Appends an instruction without a result.
    pub fn effect(&mut self, op: Op, operands: Vec<Operand>) -> Emitted<()> {
        self.grow(1)?;
        self.builder.insert_into_block(InsertPoint::End, Instruction::new(op, None, None, operands))?;
        Ok(())
    }

    /// Appends an instruction with a result and operands of any kind.
    pub fn value_of(&mut self, op: Op, ty: Word, operands: Vec<Operand>) -> Emitted<Word> {
        self.grow(1)?;
        let id = self.builder.id();
        let inst = Instruction::new(op, Some(ty), Some(id), operands);
        self.builder.insert_into_block(InsertPoint::End, inst)?;
        Ok(id)
    }

    /// Appends a call of an OpenCL function.
    pub fn opencl(&mut self, function: spirv::OpenclStd100Op, ty: Word, operands: &[Word]) -> Emitted<Word> {
        self.grow(1)?;
        let set = match self.opencl {
            Some(set) => set,
            None => *self.opencl.insert(self.builder.ext_inst_import("OpenCL.std")),
        };
        let operands = operands.iter().map(|&operand| Operand::IdRef(operand));
        Ok(self.builder.ext_inst(ty, None, set, function as u32, operands)?)
    }

    /// Appends a composite of scalars, unless the block has it already.
    pub fn composite(&mut self, ty: Word, parts: &[Word]) -> Emitted<Word> {
        if let Some(&id) = self.composites.get(&(ty, parts.to_vec())) {
            return Ok(id);
        }
        let id = self.value(Op::CompositeConstruct, ty, parts)?;
        self.composites.insert((ty, parts.to_vec()), id);
        self.parts.extend((0..).zip(parts).map(|(index, &part)| ((id, index), part)));
        Ok(id)
    }

    /// Appends the scalar `index` of a composite, unless the block has it already.
    pub fn part(&mut self, ty: Word, composite: Word, index: u32) -> Emitted<Word> {
        if let Some(&id) = self.parts.get(&(composite, index)) {
            return Ok(id);
        }
        let operands = vec![Operand::IdRef(composite), Operand::LiteralBit32(index)];
        let id = self.value_of(Op::CompositeExtract, ty, operands)?;
        self.parts.insert((composite, index), id);
        Ok(id)
    }

    /// Appends a phi of values, each with the block that it comes from.
    pub fn phi(&mut self, ty: Word, incoming: impl IntoIterator<Item = (Word, Word)>) -> Emitted<Word> {
        self.grow(1)?;
        Ok(self.builder.phi(ty, None, incoming)?)
    }

    /// Starts a block under a label.
    pub fn start_block(&mut self, label: Word) -> Emitted<()> {
        self.builder.begin_block(Some(label))?;
        self.block = label;
        self.composites.clear();
        self.parts.clear();
        Ok(())
    }

    /// Starts a block under a label that goes on with the current instruction.
    pub fn continue_in_block(&mut self, label: Word) -> Emitted<()> {
        self.start_block(label)?;
        self.say_line();
        Ok(())
    }

    // ---- index arithmetic with folding ----

    /// The number, if an id is an index constant.
    pub fn known(&self, id: Word) -> Option<i64> {
        self.known.get(&id).copied()
    }

    pub fn add(&mut self, a: Word, b: Word) -> Emitted<Word> {
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => Ok(self.index_constant(a.wrapping_add(b))),
            (Some(0), _) => Ok(b),
            (_, Some(0)) => Ok(a),
            _ => {
                let ty = self.index_type();
                self.value(Op::IAdd, ty, &[a, b])
            }
        }
    }

    pub fn sub(&mut self, a: Word, b: Word) -> Emitted<Word> {
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => Ok(self.index_constant(a.wrapping_sub(b))),
            (_, Some(0)) => Ok(a),
            _ => {
                let ty = self.index_type();
                self.value(Op::ISub, ty, &[a, b])
            }
        }
    }

    /// The low 32 bits of an index.
    pub fn narrowed(&mut self, a: Word) -> Emitted<Word> {
        match self.known(a).map(i32::try_from) {
            Some(Ok(known)) => Ok(self.i32_constant(known.cast_unsigned())),
            _ => {
                let ty = self.i32_type();
                self.value(Op::UConvert, ty, &[a])
            }
        }
    }

    pub fn mul(&mut self, a: Word, b: Word) -> Emitted<Word> {
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => Ok(self.index_constant(a.wrapping_mul(b))),
            (Some(0), _) | (_, Some(0)) => Ok(self.index_constant(0)),
            (Some(1), _) => Ok(b),
            (_, Some(1)) => Ok(a),
            _ => {
                let ty = self.index_type();
                self.value(Op::IMul, ty, &[a, b])
            }
        }
    }

    // ---- memory ----

    /// The pointer `offset` elements behind another.
    pub fn offset_pointer(&mut self, ty: Word, pointer: Word, offset: Word) -> Emitted<Word> {
        if self.known(offset) == Some(0) {
            return Ok(pointer);
        }
        self.grow(1)?;
        Ok(self.builder.in_bounds_ptr_access_chain(ty, None, pointer, offset, [])?)
    }

    /// [`ModuleBuilder::offset_pointer`], where the result may point outside of the memref unless `in_bounds`.
    pub fn shifted_pointer(
        &mut self,
        ty: Word,
        pointer: Word,
        offset: Word,
        in_bounds: bool,
    ) -> Emitted<Word> {
        if in_bounds || self.known(offset) == Some(0) {
            return self.offset_pointer(ty, pointer, offset);
        }
        self.grow(1)?;
        Ok(self.builder.ptr_access_chain(ty, None, pointer, offset, [])?)
    }

    pub fn load(&mut self, ty: Word, pointer: Word, alignment: u32) -> Emitted<Word> {
        self.load_as(ty, pointer, alignment, MemoryAccess::ALIGNED)
    }

    /// A load that gives what only the run of the program tells.
    pub fn load_volatile(&mut self, ty: Word, pointer: Word, alignment: u32) -> Emitted<Word> {
        self.load_as(ty, pointer, alignment, MemoryAccess::ALIGNED | MemoryAccess::VOLATILE)
    }

    fn load_as(&mut self, ty: Word, pointer: Word, alignment: u32, access: MemoryAccess) -> Emitted<Word> {
        self.grow(1)?;
        Ok(self.builder.load(ty, None, pointer, Some(access), [Operand::LiteralBit32(alignment)])?)
    }

    pub fn store(&mut self, pointer: Word, value: Word, alignment: u32) -> Emitted<()> {
        self.grow(1)?;
        let aligned = Operand::LiteralBit32(alignment);
        Ok(self.builder.store(pointer, value, Some(MemoryAccess::ALIGNED), [aligned])?)
    }

    /// Declares a variable outside of all functions.
    pub fn global_variable(&mut self, ty: Word, class: StorageClass) -> Word {
        let id = self.builder.id();
        let operands = vec![Operand::StorageClass(class)];
        let variable = Instruction::new(Op::Variable, Some(ty), Some(id), operands);
        self.builder.module_mut().types_global_values.push(variable);
        id
    }
}

pub(super) fn storage_class(space: AddressSpace) -> StorageClass {
    match space {
        AddressSpace::Global => StorageClass::CrossWorkgroup,
        AddressSpace::Local => StorageClass::Workgroup,
    }
}
