//! Functions: parameters of kernels, blocks in order, and calls, which copy the function.

use super::control::{Frame, Pending, Return, Template};
use super::graph::reverse_postorder;
use super::{Translator, Value};
use crate::Error;
use crate::layout::{Kind, Part, Scalar};
use crate::program::{Block, Edge, End, PRIVATE_BASE, Parameter};
use rspirv::dr::{self, Instruction, Operand};
use rspirv::spirv::{Decoration, FunctionParameterAttribute, Op, StorageClass};
use std::collections::HashMap;
use std::rc::Rc;

impl<const S: usize> Translator<'_, S> {
    /// Translates the entry point.
    pub(super) fn kernel(&mut self, entry: u32) -> Result<(), Error> {
        let function = self.source.function(entry)?;
        // What built-in variables take is computed before anything else.
        let start = self.open_block();
        self.globals(entry)?;
        self.close_block();
        let no_moves = self.moves(Vec::new())?;
        self.end_block(start, End::Jump(Edge { target: self.program.blocks.len() as u32, moves: no_moves }));
        for parameter in &function.parameters {
            let (Some(id), Some(ty)) = (parameter.result_id, parameter.result_type) else { continue };
            self.parameter(id, ty)?;
        }
        let returns = self.body(entry, function)?;
        for (block, _) in returns {
            self.end_block(block, End::Return);
        }
        Ok(())
    }

    fn parameter(&mut self, id: u32, ty: u32) -> Result<(), Error> {
        let (by_value, parameter) = match *self.source.types.kind(ty)? {
            Kind::Pointer(StorageClass::Workgroup, _) => {
                let row = self.row(Scalar::I64)?;
                self.program.parameters.push(Parameter::Local { row });
                self.define(id, [row]);
                return Ok(());
            }
            Kind::Pointer(StorageClass::Function, pointee) => (self.is_by_value(id), pointee),
            _ => (false, ty),
        };
        let size = self.source.types.size(parameter)?;
        if by_value {
            let offset = self.private_memory(id, parameter)?;
            self.program.parameters.push(Parameter::InMemory { size, offset });
            let row = self.constant(Scalar::I64, PRIVATE_BASE | offset)?;
            self.define(id, [row]);
            return Ok(());
        }
        let mut parts: Vec<(Part, u32)> = Vec::new();
        for part in self.source.types.parts(ty)? {
            parts.push((part, self.row(part.scalar)?));
        }
        let rows: Rc<[u32]> = parts.iter().map(|&(_, row)| row).collect();
        self.program.parameters.push(Parameter::Value { size: self.source.types.size(ty)?, parts });
        self.define(id, rows);
        Ok(())
    }

    /// Returns whether a pointer stands for a structure that is handed over as a whole.
    fn is_by_value(&self, id: u32) -> bool {
        let attribute = self.source.decoration(id, Decoration::FuncParamAttr);
        let by_value = Operand::FunctionParameterAttribute(FunctionParameterAttribute::ByVal);
        attribute.is_some_and(|operands| operands.contains(&by_value))
    }

    /// Translates the blocks of a function; returns the blocks that return, with what they return.
    pub(super) fn body(&mut self, id: u32, function: &dr::Function) -> Result<Vec<Return>, Error> {
        if self.calls.contains(&id) {
            return Err(Error::Recursion(self.source.shown(id)));
        }
        if function.blocks.is_empty() {
            let name = format!("a call of the missing function {}", self.source.shown(id));
            let caller = self.calls.last().map_or_else(String::new, |&id| self.source.shown(id));
            return Err(Error::Instruction { name, function: caller });
        }
        self.calls.push(id);
        let mut frame = Frame::default();
        let labels: HashMap<u32, usize> = function
            .blocks
            .iter()
            .enumerate()
            .filter_map(|(place, block)| Some((block.label_id()?, place)))
            .collect();
        let mut starts = Vec::new();
        let mut index = 0u32;
        for block in &function.blocks {
            starts.push(index.saturating_add(1));
            let length = u32::try_from(block.instructions.len()).unwrap_or(u32::MAX);
            index = length.saturating_add(index).saturating_add(1);
        }
        let order = reverse_postorder(function.blocks.len(), |place| {
            let end = function.blocks.get(place).and_then(|block| block.instructions.last());
            let targets = end.map(targets).unwrap_or_default();
            targets.into_iter().filter_map(|label| labels.get(&label).copied()).collect()
        });
        for place in order {
            let (Some(block), Some(&start)) = (function.blocks.get(place), starts.get(place)) else {
                continue;
            };
            let label = block.label_id().unwrap_or(0);
            let number = self.open_block();
            frame.blocks.insert(label, number);
            self.phis(label, block, &mut frame)?;
            // A line is said for the rest of a block.
            self.place = None;
            for (index, inst) in (start..).zip(&block.instructions) {
                self.at(id, inst, index);
                if let Some(template) = self.terminator(inst)? {
                    let block = self.close_block();
                    match template {
                        Template::Return(value) => frame.returns.push((block, value)),
                        template => frame.pending.push(Pending { block, label, template }),
                    }
                    break;
                }
                self.instruction(inst)?;
            }
        }
        self.resolve(&frame)?;
        self.calls.pop();
        Ok(frame.returns)
    }

    /// Copies the called function to the place of the call.
    pub(super) fn call(&mut self, inst: &Instruction) -> Result<(), Error> {
        let mut ids = inst.operands.iter().filter_map(Operand::id_ref_any);
        let callee = ids.next().unwrap_or(0);
        let function = self.source.function(callee)?;
        let arguments: Vec<u32> = ids.collect();
        if function.blocks.is_empty() {
            return self.builtin_call(inst, callee, &arguments);
        }
        let values = arguments
            .iter()
            .map(|id| self.values.get(id).cloned().ok_or(Error::Id { id: *id, expected: "value" }))
            .collect::<Result<Vec<Value>, Error>>()?;
        for (parameter, value) in function.parameters.iter().zip(values) {
            if let Some(id) = parameter.result_id {
                self.values.insert(id, value);
            }
        }
        let result: Rc<[u32]> = match self.source.types.kind(inst.result_type.unwrap_or(0))? {
            Kind::Void => Rc::default(),
            _ => {
                let scalars = self.scalars(inst.result_type.unwrap_or(0))?;
                scalars.into_iter().map(|scalar| self.row(scalar)).collect::<Result<_, _>>()?
            }
        };
        let scalars = match inst.result_type {
            Some(ty) if !result.is_empty() => self.scalars(ty)?,
            _ => Vec::new(),
        };
        let origin = self.origin;
        let caller = self.close_block();
        let entered = self.program.blocks.len() as u32;
        let no_moves = self.moves(Vec::new())?;
        self.end_block(caller, End::Jump(Edge { target: entered, moves: no_moves }));
        let returns = self.body(callee, function)?;
        self.origin = origin;
        let behind = self.open_block() as u32;
        for (block, value) in returns {
            let value = value.unwrap_or_default();
            let moves = result.iter().zip(value.iter()).zip(&scalars);
            let moves = moves.map(|((&dst, &src), scalar)| (dst, src, scalar.bytes())).collect();
            let moves = self.moves(moves)?;
            self.end_block(block, End::Jump(Edge { target: behind, moves }));
        }
        if let Some(id) = inst.result_id
            && !result.is_empty()
        {
            self.define(id, result);
        }
        Ok(())
    }

    /// A function that the driver brings along.
    fn builtin_call(&mut self, inst: &Instruction, callee: u32, _arguments: &[u32]) -> Result<(), Error> {
        let _ = inst;
        let function = self.calls.last().map_or_else(String::new, |&id| self.source.shown(id));
        Err(Error::Instruction { name: format!("a call of {}", self.source.shown(callee)), function })
    }

    /// Starts a block; returns its number.
    fn open_block(&mut self) -> usize {
        let start = self.program.steps.len() as u32;
        self.block_start = start;
        let number = self.program.blocks.len();
        self.program.blocks.push(Block {
            steps: start..start,
            end: End::Unreachable,
            source: self.origin,
            reconvergence: None,
        });
        number
    }

    /// Ends the block that was opened last; returns its number.
    fn close_block(&mut self) -> usize {
        let end = self.program.steps.len() as u32;
        let origin = self.origin;
        if let Some(block) = self.program.blocks.last_mut() {
            block.steps = self.block_start..end;
            block.source = origin;
        }
        self.program.blocks.len().saturating_sub(1)
    }

    pub(super) fn end_block(&mut self, block: usize, end: End) {
        if let Some(block) = self.program.blocks.get_mut(block) {
            block.end = end;
        }
    }
}

/// The labels that a terminator jumps to.
fn targets(inst: &Instruction) -> Vec<u32> {
    let ids = |operands: &[Operand]| operands.iter().filter_map(Operand::id_ref_any).collect();
    match (inst.class.opcode, inst.operands.as_slice()) {
        (Op::Branch, operands) => ids(operands),
        (Op::BranchConditional | Op::Switch, [_, operands @ ..]) => ids(operands),
        _ => Vec::new(),
    }
}
