//! The beginning of functions: variables, and builtins, which are loaded there once some code has asked for them.

use super::error::Error;
use super::module_builder::{Emitted, LoadedBuiltin, ModuleBuilder, Prologue};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{BuiltIn, Decoration, MemoryAccess, Op, StorageClass, Word};

impl ModuleBuilder<'_> {
    /// Declares a variable of the function.
    pub fn function_variable(&mut self, content: Word) -> Emitted<Word> {
        self.grow(1)?;
        let ty = self.pointer_type(StorageClass::Function, content);
        let id = self.builder.id();
        let operands = vec![Operand::StorageClass(StorageClass::Function)];
        self.prologue.variables.push(Instruction::new(Op::Variable, Some(ty), Some(id), operands));
        Ok(id)
    }

    /// So many bytes of local memory.
    pub fn local_array(&mut self, size: u32, alignment: u32) -> Word {
        let byte = self.int_type(8);
        let length = self.i32_constant(size);
        let array = self.array_type(byte, length);
        let ty = self.pointer_type(StorageClass::Workgroup, array);
        let variable = self.global_variable(ty, StorageClass::Workgroup);
        self.builder.decorate(variable, Decoration::Alignment, [Operand::LiteralBit32(alignment)]);
        self.prologue.local_arrays.push(variable);
        variable
    }

    /// The content of a builtin.
    pub fn builtin(&mut self, builtin: BuiltIn) -> Emitted<Word> {
        let number = builtin as u32;
        if let Some(loaded) = self.prologue.builtins.get(&number) {
            return Ok(loaded.content);
        }
        let (content_type, alignment) = match builtin {
            BuiltIn::WorkgroupId | BuiltIn::NumWorkgroups => {
                let index = self.index_type();
                // Aligned like a vector of four.
                (self.vector_type(index, 3), 32)
            }
            _ => (self.i32_type(), 4),
        };
        let variable = match self.builtins.get(&number) {
            Some(&variable) => variable,
            None => {
                let ty = self.pointer_type(StorageClass::Input, content_type);
                let variable = self.global_variable(ty, StorageClass::Input);
                self.builder.decorate(variable, Decoration::BuiltIn, [Operand::BuiltIn(builtin)]);
                self.builder.decorate(variable, Decoration::Constant, []);
                self.builtins.insert(number, variable);
                variable
            }
        };
        self.grow(1)?;
        let content = self.builder.id();
        let aligned = Operand::MemoryAccess(MemoryAccess::ALIGNED);
        let operands = vec![Operand::IdRef(variable), aligned, Operand::LiteralBit32(alignment)];
        let load = Instruction::new(Op::Load, Some(content_type), Some(content), operands);
        self.prologue.builtins.insert(number, LoadedBuiltin { variable, content, load });
        Ok(content)
    }

    /// Ends the function; returns the variables outside of it that it takes.
    pub fn end_function(&mut self) -> Emitted<Vec<Word>> {
        self.builder.ret()?;
        let Prologue { variables, builtins, local_arrays } = std::mem::take(&mut self.prologue);
        let function = self.builder.module_mut().functions.last_mut();
        let block = function.and_then(|function| function.blocks.first_mut());
        let block = block.ok_or_else(|| Error::internal("a function without a block"))?;
        let (interface, loads): (Vec<Word>, Vec<Instruction>) =
            builtins.into_values().map(|LoadedBuiltin { variable, load, .. }| (variable, load)).unzip();
        // Variables come first in the first block (SPIR-V, 2.16.1).
        block.instructions.splice(0..0, variables.into_iter().rev().chain(loads));
        self.builder.end_function()?;
        Ok(interface.into_iter().chain(local_arrays).collect())
    }
}
