//! The arena of everything in the language: values, instructions, regions and functions.
//!
//! Entities are numbers into an [`Ir`]; a region owns its instructions, an instruction its results and
//! regions, a function its body. An [`Ir`] may hold many programs.

use super::arena::Arena;
use super::execution::{Execution, RegionKind};
use super::instructions::Op;
use super::typed_attributes::{FunctionAttributes, ParameterAttributes};
use super::types::Type;
use crate::diagnostics::{Location, SourceId};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::ops::{Index, IndexMut};

/// Common interface of all entities.
pub trait Entity: Copy + Eq + std::hash::Hash {
    /// Tells the entity from others that had the same number before they were freed; `None` once it is
    /// freed itself.
    fn generation(self, ir: &Ir) -> Option<u32>;
}

/// Declares an entity: a number that names a slot of an arena.
macro_rules! entity {
    ($(#[$doc:meta])* $name:ident, $data:ident, $arena:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(super) u32);

        impl Index<$name> for Ir {
            type Output = $data;
            fn index(&self, entity: $name) -> &$data {
                self.$arena.get(entity.0)
            }
        }

        impl Entity for $name {
            fn generation(self, ir: &Ir) -> Option<u32> {
                ir.$arena.generation(self.0)
            }
        }
    };
}

/// Lets others change what is known of an entity. Instructions and regions change through methods of [`Ir`]
/// only, which keep the lists of uses and the order of instructions up to date.
macro_rules! mutable {
    ($name:ident, $data:ident, $arena:ident) => {
        impl IndexMut<$name> for Ir {
            fn index_mut(&mut self, entity: $name) -> &mut $data {
                self.$arena.get_mut(entity.0)
            }
        }
    };
}

entity! {
    /// A result of an instruction or a parameter of a region.
    Value, ValueData, values
}
mutable! { Value, ValueData, values }
entity! {
    /// An instruction.
    Inst, InstData, insts
}
entity! {
    /// A list of instructions with parameters.
    Region, RegionData, regions
}
entity! {
    /// A function, that is, a kernel.
    Func, FuncData, funcs
}
mutable! { Func, FuncData, funcs }

/// Origin of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definition {
    /// A result of an instruction.
    Result(Inst),
    /// A parameter of a region.
    Parameter(Region),
}

/// An operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// The instruction.
    pub user: Inst,
    /// The number of the operand, in the order of declaration.
    pub(super) operand: u32,
}

/// The operands that a value is, in no particular order.
pub(super) type Uses = SmallVec<[Use; 2]>;

/// The place of each operand among the uses of its value.
pub(super) type Slots = SmallVec<[u32; 4]>;

/// Data of a value.
#[derive(Clone, Debug)]
pub struct ValueData {
    /// Its type.
    pub ty: Type,
    /// Its name without `%`; `None` for a numbered value.
    pub name: Option<String>,
    /// The number that a text gave it instead of a name; for messages, printing counts anew.
    pub number: Option<i64>,
    /// The place of the name.
    pub location: Location,
    /// Origin.
    pub definition: Definition,
    /// The operands that it is.
    pub(super) uses: Uses,
}

impl ValueData {
    /// A value without a name.
    pub(super) fn new(ty: Type, location: Location, definition: Definition) -> ValueData {
        ValueData { ty, name: None, number: None, location, definition, uses: Uses::new() }
    }
}

/// Data of an instruction.
#[derive(Clone, Debug)]
pub struct InstData {
    /// Kind, operands and immediates.
    pub op: Op,
    /// Its results.
    pub results: SmallVec<[Value; 1]>,
    /// Its regions, as many as declared.
    pub regions: SmallVec<[Region; 2]>,
    /// Its place in the text.
    pub location: Location,
    /// The place of each operand among the uses of its value.
    pub(super) slots: Slots,
    /// The region that it is in.
    pub(super) parent: Option<Region>,
    /// Its neighbours there.
    pub(super) previous: Option<Inst>,
    pub(super) next: Option<Inst>,
}

/// Data of a region.
#[derive(Clone, Debug)]
pub struct RegionData {
    /// Executor of its instructions.
    pub kind: RegionKind,
    /// Values that are defined on entry.
    pub parameters: Vec<Value>,
    /// The instruction that it belongs to; bodies of functions have none.
    pub(super) owner: Option<Inst>,
    /// The ends of the list of its instructions.
    pub(super) first: Option<Inst>,
    pub(super) last: Option<Inst>,
}

/// Data of a function.
#[derive(Clone, Debug)]
pub struct FuncData {
    /// Its name without `@`.
    pub name: String,
    /// Its body, whose parameters are those of the function.
    pub body: Region,
    /// Its attributes.
    pub attributes: FunctionAttributes,
    /// The attributes of each parameter.
    pub parameter_attributes: Vec<ParameterAttributes>,
    /// The place of its header.
    pub location: Location,
}

/// The functions of one source, in order.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The functions.
    pub functions: Vec<Func>,
}

/// The arena; see the module.
#[derive(Debug, Default)]
pub struct Ir {
    pub(super) values: Arena<ValueData>,
    pub(super) insts: Arena<InstData>,
    pub(super) regions: Arena<RegionData>,
    pub(super) funcs: Arena<FuncData>,
    /// Number of entities there may be at a time.
    pub(super) max_entities: Option<usize>,
    /// Names of the sources that locations refer to, as far as they are known.
    source_names: BTreeMap<SourceId, String>,
}

impl Ir {
    /// Names a source, for the modules that tell the lines of the text.
    pub fn name_source(&mut self, source: SourceId, name: impl Into<String>) {
        self.source_names.insert(source, name.into());
    }

    /// The name of a source, if it has one.
    pub fn source_name(&self, source: SourceId) -> Option<&str> {
        self.source_names.get(&source).map(String::as_str)
    }
}

impl Ir {
    pub(super) fn create_unchecked(&mut self, op: Op, results: &[Type], location: Location) -> Inst {
        let parameters = op.region_parameters(self);
        let kinds = op.info().regions;
        let inst = self.insert_inst(op, location);
        for ty in results {
            self.add_result(inst, ValueData::new(ty.clone(), location, Definition::Result(inst)));
        }
        for (i, &kind) in kinds.iter().enumerate() {
            let region = self.insert_region(kind, Some(inst));
            for ty in parameters.iter().filter(|_| i == 0) {
                self.add_parameter(
                    region,
                    ValueData::new(ty.clone(), location, Definition::Parameter(region)),
                );
            }
        }
        self.link(inst);
        inst
    }

    /// Takes up an instruction that has neither results nor regions, nor uses its operands yet.
    pub(super) fn insert_inst(&mut self, op: Op, location: Location) -> Inst {
        Inst(self.insts.insert(InstData {
            op,
            results: SmallVec::new(),
            regions: SmallVec::new(),
            location,
            slots: Slots::new(),
            parent: None,
            previous: None,
            next: None,
        }))
    }

    /// Takes up an empty region, the next one of its owner.
    pub(super) fn insert_region(&mut self, kind: RegionKind, owner: Option<Inst>) -> Region {
        let data = RegionData { kind, parameters: Vec::new(), owner, first: None, last: None };
        let region = Region(self.regions.insert(data));
        if let Some(owner) = owner {
            self.insts.get_mut(owner.0).regions.push(region);
        }
        region
    }

    pub(super) fn add_result(&mut self, inst: Inst, data: ValueData) -> Value {
        let value = Value(self.values.insert(data));
        self.insts.get_mut(inst.0).results.push(value);
        value
    }

    pub(super) fn add_parameter(&mut self, region: Region, data: ValueData) -> Value {
        let value = Value(self.values.insert(data));
        self.regions.get_mut(region.0).parameters.push(value);
        value
    }

    /// Exchanges two parameters of a region, names and uses included; nothing happens if one is not there.
    pub fn swap_parameters(&mut self, region: Region, a: usize, b: usize) {
        let parameters = &mut self.regions.get_mut(region.0).parameters;
        if a.max(b) < parameters.len() {
            parameters.swap(a, b);
        }
    }

    /// From now on, at most so many entities of all kinds more than now may exist at a time; `None` lifts the limit.
    pub fn limit_growth(&mut self, more: Option<usize>) {
        self.max_entities = more.map(|more| self.entity_count().saturating_add(more));
    }

    /// Makes a function with an empty body and one parameter for each type.
    pub fn create_function(&mut self, name: &str, parameters: &[Type], location: Location) -> Func {
        let body = self.insert_region(RegionKind::Collective, None);
        for ty in parameters {
            self.add_parameter(body, ValueData::new(ty.clone(), location, Definition::Parameter(body)));
        }
        Func(self.funcs.insert(FuncData {
            name: name.to_owned(),
            body,
            attributes: FunctionAttributes::default(),
            parameter_attributes: vec![ParameterAttributes::default(); parameters.len()],
            location,
        }))
    }

    /// Names a value in the printed text; the printer changes names that would not read back. The empty
    /// name makes it a number again.
    pub fn set_name(&mut self, value: Value, name: &str) {
        self[value].name = (!name.is_empty()).then(|| name.to_owned());
    }

    /// Frees the functions of a program that nobody holds any more.
    pub fn remove(&mut self, program: &Program) {
        for &func in &program.functions {
            if let Some(data) = self.funcs.remove(func.0) {
                self.remove_region(data.body);
            }
        }
    }

    fn remove_region(&mut self, region: Region) {
        // Last to first, so that definitions outlive their uses.
        while let Some(last) = self[region].last {
            self.erase(last);
        }
        let parameters = self.regions.remove(region.0).map(|data| data.parameters);
        for value in parameters.into_iter().flatten() {
            self.values.remove(value.0);
        }
    }

    /// Takes an instruction out of its region, if it is in one, and frees it and all it owns.
    pub fn erase(&mut self, inst: Inst) {
        self.detach(inst);
        self.unlink(inst);
        let Some(data) = self.insts.remove(inst.0) else { return };
        for region in data.regions {
            self.remove_region(region);
        }
        for value in data.results {
            self.values.remove(value.0);
        }
    }

    /// The type of a value.
    pub fn ty(&self, value: Value) -> &Type {
        &self[value].ty
    }

    /// The instruction that a value is a result of.
    pub fn defining_inst(&self, value: Value) -> Option<Inst> {
        match self[value].definition {
            Definition::Result(inst) => Some(inst),
            Definition::Parameter(_) => None,
        }
    }

    /// The instruction's kind, operands and immediates that define a value.
    pub fn defining_op(&self, value: Value) -> Option<&Op> {
        self.defining_inst(value).map(|inst| &self[inst].op)
    }

    /// Nesting depth of the regions of an instruction; 0 if it has none.
    pub fn height(&self, inst: Inst) -> usize {
        let of_region = |&region: &Region| self.insts(region).map(|inner| self.height(inner)).max();
        self[inst].regions.iter().map(|region| 1 + of_region(region).unwrap_or(0)).max().unwrap_or(0)
    }

    /// The number of entities of all kinds, to see that nothing is left behind.
    pub fn entity_count(&self) -> usize {
        self.values.live() + self.insts.live() + self.regions.live() + self.funcs.live()
    }

    /// Level at which an instruction is carried out.
    pub fn execution(&self, inst: Inst) -> Execution {
        self[inst].op.info().execution
    }

    /// Calls `f` with every instruction of a region and of the regions in it, in text order.
    pub fn walk(&self, region: Region, f: &mut dyn FnMut(Inst)) {
        self.insts(region).for_each(|inst| self.walk_inst(inst, f));
    }

    /// Calls `f` with an instruction and those in its regions, in text order.
    pub fn walk_inst(&self, inst: Inst, f: &mut dyn FnMut(Inst)) {
        f(inst);
        self[inst].regions.iter().for_each(|&inner| self.walk(inner, f));
    }
}
