//! Modules and what they ask of a device.
// Modules say the numbers here: no arithmetic on them is unchecked.
#![deny(clippy::arithmetic_side_effects)]

use crate::framing::{self, Extras};
use crate::types::Definitions;
use crate::{Error, Kernel};
use rspirv::dr::{self, Operand};
use rspirv::spirv::{AddressingModel, Capability, ExecutionModel, MemoryModel};
use std::collections::HashSet;
use std::sync::Arc;

/// A SPIR-V module.
#[derive(Clone, Debug)]
pub struct Module {
    version: (u8, u8),
    capabilities: Vec<Capability>,
    kernels: Vec<Kernel>,
    /// The functions of the kernels.
    entries: Vec<u32>,
    inner: Arc<dr::Module>,
    extras: Arc<Extras>,
}

impl Module {
    /// Reads a module from its bytes, in little-endian words.
    ///
    /// # Errors
    /// If it is malformed, or beyond what the device offers. This is no validation: instructions are read
    /// but not judged.
    pub fn parse(bytes: &[u8]) -> Result<Module, Error> {
        let (words, extras) = framing::read(bytes)?;
        let module = dr::load_words(words)?;
        let version = module.header.as_ref().map_or((1, 0), dr::ModuleHeader::version);
        let capabilities = module.capabilities.iter().flat_map(|inst| &inst.operands);
        let capabilities = capabilities.filter_map(|operand| match operand {
            Operand::Capability(capability) => Some(*capability),
            _ => None,
        });
        let capabilities = capabilities.collect();
        let definitions = Definitions::new(&module);
        let (mut kernels, mut entries) = (Vec::new(), Vec::new());
        let mut names = HashSet::new();
        for entry in &module.entry_points {
            let [
                Operand::ExecutionModel(model),
                Operand::IdRef(function),
                Operand::LiteralString(name),
                interface @ ..,
            ] = entry.operands.as_slice()
            else {
                continue;
            };
            if *model != ExecutionModel::Kernel {
                continue;
            }
            if !names.insert(name) {
                return Err(Error::DuplicateKernel(name.clone()));
            }
            let interface: HashSet<u32> = interface.iter().filter_map(Operand::id_ref_any).collect();
            kernels.push(Kernel::new(&module, &definitions, name, *function, &interface)?);
            entries.push(*function);
        }
        let (inner, extras) = (Arc::new(module), Arc::new(extras));
        Ok(Module { version, capabilities, kernels, entries, inner, extras })
    }

    /// Major and minor version of SPIR-V.
    pub fn version(&self) -> (u8, u8) {
        self.version
    }

    /// Capabilities that the device must have, in the order of declaration.
    pub fn capabilities(&self) -> &[Capability] {
        &self.capabilities
    }

    /// The kernels, in the order of their entry points.
    pub fn kernels(&self) -> &[Kernel] {
        &self.kernels
    }

    /// Returns whether the memory model is declared, and is the one that kernels have on a GPU.
    pub(crate) fn is_physical64(&self) -> bool {
        let model = self.inner.memory_model.as_ref().map(|inst| inst.operands.as_slice());
        let expected = [
            Operand::AddressingModel(AddressingModel::Physical64),
            Operand::MemoryModel(MemoryModel::OpenCL),
        ];
        model == Some(expected.as_slice())
    }

    pub(crate) fn inner(&self) -> &dr::Module {
        &self.inner
    }

    /// Instructions that the reader does not know.
    pub(crate) fn extras(&self) -> &Extras {
        &self.extras
    }

    pub(crate) fn entries(&self) -> &[u32] {
        &self.entries
    }

    /// The kernel of a name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.name() == name)
    }
}
