//! Kernels: what they are launched with.
// Modules say the numbers here: no arithmetic on them is unchecked.
#![deny(clippy::arithmetic_side_effects)]

use crate::types::Definitions;
use crate::{Error, Type};
use rspirv::dr::{self, Operand};
use rspirv::spirv::{ExecutionMode, Op};
use std::collections::{BTreeSet, HashSet};

/// The first version whose entry points list all variables they use.
const COMPLETE_INTERFACES: (u8, u8) = (1, 4);

/// An entry point of a module.
#[derive(Clone, Debug)]
pub struct Kernel {
    name: String,
    local_size: Option<[u32; 3]>,
    subgroup_size: Option<u32>,
    parameters: Vec<Type>,
    local_memory: u64,
}

impl Kernel {
    pub(crate) fn new(
        module: &dr::Module,
        definitions: &Definitions<'_>,
        name: &str,
        id: u32,
        interface: &HashSet<u32>,
    ) -> Result<Kernel, Error> {
        let entry = function(module, id)?;
        let types = entry.parameters.iter().filter_map(|parameter| parameter.result_type);
        let parameters = types.map(|ty| definitions.resolve(ty)).collect::<Result<_, _>>()?;
        let mut kernel = Kernel {
            name: name.to_owned(),
            local_size: None,
            subgroup_size: None,
            parameters,
            local_memory: 0,
        };
        kernel.read_modes(module, id);

        let version = module.header.as_ref().map_or((1, 0), dr::ModuleHeader::version);
        for variable in used_ids(module, id)? {
            let Some(ty) = definitions.local_variable(variable)? else { continue };
            if version >= COMPLETE_INTERFACES && !interface.contains(&variable) {
                return Err(Error::Interface { kernel: kernel.name, variable });
            }
            let total = ty.size().and_then(|size| kernel.local_memory.checked_add(size));
            kernel.local_memory = total.ok_or_else(|| Error::LocalMemory(name.to_owned()))?;
        }
        Ok(kernel)
    }

    fn read_modes(&mut self, module: &dr::Module, id: u32) {
        for mode in &module.execution_modes {
            let [Operand::IdRef(of), Operand::ExecutionMode(mode), numbers @ ..] = mode.operands.as_slice()
            else {
                continue;
            };
            match (mode, numbers) {
                _ if *of != id => {}
                (
                    ExecutionMode::LocalSize,
                    &[Operand::LiteralBit32(x), Operand::LiteralBit32(y), Operand::LiteralBit32(z)],
                ) => self.local_size = Some([x, y, z]),
                (ExecutionMode::SubgroupSize, &[Operand::LiteralBit32(size)]) => {
                    self.subgroup_size = Some(size);
                }
                _ => {}
            }
        }
    }

    /// The name of the entry point.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The work-group size, if the module fixes it.
    pub fn local_size(&self) -> Option<[u32; 3]> {
        self.local_size
    }

    /// The subgroup size, if the module fixes it.
    pub fn subgroup_size(&self) -> Option<u32> {
        self.subgroup_size
    }

    /// The types of the arguments, in order.
    pub fn parameters(&self) -> &[Type] {
        &self.parameters
    }

    /// Bytes of local memory that a work-group needs besides what arguments point to.
    pub fn local_memory(&self) -> u64 {
        self.local_memory
    }
}

fn function(module: &dr::Module, id: u32) -> Result<&dr::Function, Error> {
    let found = module.functions.iter().find(|function| function.def_id() == Some(id));
    found.ok_or(Error::Id { id, expected: "function" })
}

/// The ids that a function uses, and those it calls.
pub(crate) fn used_ids(module: &dr::Module, id: u32) -> Result<BTreeSet<u32>, Error> {
    let mut used = BTreeSet::new();
    let mut seen = HashSet::from([id]);
    let mut waiting = vec![id];
    while let Some(id) = waiting.pop() {
        for inst in function(module, id)?.all_inst_iter() {
            used.extend(inst.operands.iter().filter_map(Operand::id_ref_any));
            if let (Op::FunctionCall, Some(&Operand::IdRef(callee))) =
                (inst.class.opcode, inst.operands.first())
                && seen.insert(callee)
            {
                waiting.push(callee);
            }
        }
    }
    Ok(used)
}
