//! A module, indexed by what translation asks of it.

use crate::framing::Extras;
use crate::layout::{Kind, Types};
use crate::types::Definitions;
use crate::{Device, Error, Module};
use rspirv::dr::{self, Instruction, Operand};
use rspirv::spirv::{BuiltIn, Decoration, Op, SourceLanguage};
use std::collections::HashMap;

/// A module with the tables that translation needs.
pub(crate) struct Source<'m> {
    pub device: &'static Device,
    pub extras: &'m Extras,
    pub module: &'m dr::Module,
    pub types: Types,
    functions: HashMap<u32, &'m dr::Function>,
    names: HashMap<u32, &'m str>,
    strings: HashMap<u32, &'m str>,
    decorations: HashMap<u32, Vec<&'m [Operand]>>,
    imports: HashMap<u32, &'m str>,
    /// The types of all values.
    value_types: HashMap<u32, u32>,
    /// The instructions that have a result.
    definitions: HashMap<u32, &'m Instruction>,
}

impl<'m> Source<'m> {
    /// The tables for kernels with subgroups of so many lanes.
    pub fn new(module: &'m Module, device: &'static Device, lanes: u32) -> Result<Source<'m>, Error> {
        let (extras, module) = (module.extras(), module.inner());
        let definitions = Definitions::new(module);
        let types = Types::new(module, &definitions, lanes)?;
        let functions =
            module.functions.iter().filter_map(|function| Some((function.def_id()?, function))).collect();
        let mut names = HashMap::new();
        for inst in &module.debug_names {
            if let (Op::Name, [Operand::IdRef(id), Operand::LiteralString(name)]) =
                (inst.class.opcode, inst.operands.as_slice())
            {
                names.insert(*id, name.as_str());
            }
        }
        let mut decorations: HashMap<u32, Vec<&[Operand]>> = HashMap::new();
        for inst in &module.annotations {
            if let (Op::Decorate, [Operand::IdRef(id), rest @ ..]) =
                (inst.class.opcode, inst.operands.as_slice())
            {
                decorations.entry(*id).or_default().push(rest);
            }
        }
        let imports = module
            .ext_inst_imports
            .iter()
            .filter_map(|inst| match (inst.result_id, inst.operands.as_slice()) {
                (Some(id), [Operand::LiteralString(name)]) => Some((id, name.as_str())),
                _ => None,
            })
            .collect();
        let strings = module
            .debug_string_source
            .iter()
            .filter_map(|inst| match (inst.class.opcode, inst.result_id, inst.operands.as_slice()) {
                (Op::String, Some(id), [Operand::LiteralString(text)]) => Some((id, text.as_str())),
                _ => None,
            })
            .collect();
        let definitions = module.all_inst_iter().filter_map(|inst| Some((inst.result_id?, inst))).collect();
        let instructions = module.all_inst_iter();
        let value_types =
            instructions.filter_map(|inst| Some((inst.result_id?, inst.result_type?))).collect();
        let mut source = Source {
            device,
            extras,
            module,
            types,
            functions,
            names,
            strings,
            decorations,
            imports,
            value_types,
            definitions,
        };
        source.spread_groups();
        Ok(source)
    }

    /// Gives the members of decoration groups the decorations of the group.
    fn spread_groups(&mut self) {
        for inst in &self.module.annotations {
            if let (Op::GroupDecorate, [Operand::IdRef(group), members @ ..]) =
                (inst.class.opcode, inst.operands.as_slice())
            {
                let shared = self.decorations.get(group).cloned().unwrap_or_default();
                for member in members.iter().filter_map(Operand::id_ref_any) {
                    self.decorations.entry(member).or_default().extend(shared.iter().copied());
                }
            }
        }
    }

    /// Returns whether it was OpenCL C before 2.0, whose atomic functions have no scopes.
    pub fn is_before_scopes(&self) -> bool {
        const SCOPES: u32 = 200_000;
        self.module.debug_string_source.iter().any(|inst| {
            matches!(inst.operands.as_slice(), [
                Operand::SourceLanguage(SourceLanguage::OpenCL_C),
                Operand::LiteralBit32(version),
                ..
            ] if inst.class.opcode == Op::Source && *version < SCOPES)
        })
    }

    pub fn function(&self, id: u32) -> Result<&'m dr::Function, Error> {
        self.functions.get(&id).copied().ok_or(Error::Id { id, expected: "function" })
    }

    pub fn name(&self, id: u32) -> Option<&'m str> {
        self.names.get(&id).copied().filter(|name| !name.is_empty())
    }

    /// Text of an `OpString`.
    pub fn string(&self, id: u32) -> Option<&'m str> {
        self.strings.get(&id).copied()
    }

    /// Names the memory that an instruction accesses: what its pointer is computed from, as far as the module names it.
    pub fn tensor(&self, inst: &Instruction) -> Option<String> {
        /// Instructions that are followed back at most.
        const LENGTH: usize = 256;
        let is_pointer = |id: &u32| {
            let kind = self.type_of(*id).and_then(|ty| self.types.kind(ty).ok());
            matches!(kind, Some(Kind::Pointer(..)))
        };
        let mut pointer = inst.operands.iter().filter_map(Operand::id_ref_any).find(is_pointer)?;
        let (mut name, mut is_member) = (None, false);
        for _ in 0..LENGTH {
            name = self.name(pointer).or(name);
            let Some(definition) = self.definitions.get(&pointer) else { break };
            match definition.class.opcode {
                Op::PtrAccessChain
                | Op::InBoundsPtrAccessChain
                | Op::AccessChain
                | Op::InBoundsAccessChain
                | Op::Bitcast
                | Op::CopyObject
                | Op::PtrCastToGeneric
                | Op::GenericCastToPtr
                | Op::GenericCastToPtrExplicit
                | Op::ConvertPtrToU
                | Op::ConvertUToPtr => {}
                // A pointer that lies in memory.
                Op::Load => (name, is_member) = (None, true),
                _ => break,
            }
            let Some(next) = definition.operands.first().and_then(Operand::id_ref_any) else { break };
            pointer = next;
        }
        let name = name?;
        Some(if is_member { format!("a member of %{name}") } else { format!("%{name}") })
    }

    /// The name of an id as messages show it.
    pub fn shown(&self, id: u32) -> String {
        self.name(id).map_or_else(|| format!("%{id}"), |name| format!("%{name}"))
    }

    pub fn import(&self, id: u32) -> Option<&'m str> {
        self.imports.get(&id).copied()
    }

    /// The operands of a decoration, if the id has it.
    pub fn decoration(&self, id: u32, decoration: Decoration) -> Option<&'m [Operand]> {
        let of_id = self.decorations.get(&id)?;
        of_id.iter().find_map(|operands| match operands {
            [Operand::Decoration(found), rest @ ..] if *found == decoration => Some(rest),
            _ => None,
        })
    }

    pub fn builtin(&self, id: u32) -> Option<BuiltIn> {
        match self.decoration(id, Decoration::BuiltIn)? {
            [Operand::BuiltIn(builtin)] => Some(*builtin),
            _ => None,
        }
    }

    /// The type of a value.
    pub fn type_of(&self, id: u32) -> Option<u32> {
        self.value_types.get(&id).copied()
    }
}
