//! Branches and phis.

use super::Translator;
use crate::Error;
use crate::layout::Scalar;
use crate::program::{Edge, End, Move};
use rspirv::dr::{self, Instruction, Operand};
use rspirv::spirv::Op;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// A function that is being translated.
#[derive(Default)]
pub(super) struct Frame {
    /// Numbers of blocks by label.
    pub blocks: HashMap<u32, usize>,
    /// The phis of blocks by label.
    phis: HashMap<u32, Vec<Phi>>,
    /// Blocks whose edges wait for the phis of their targets.
    pub pending: Vec<Pending>,
    pub returns: Vec<Return>,
}

/// A block that returns, with what it returns.
pub(super) type Return = (usize, Option<Rc<[u32]>>);

struct Phi {
    rows: Rc<[u32]>,
    scalars: Vec<Scalar>,
    /// Label of the block that control comes from, and the value then.
    sources: Vec<(u32, u32)>,
}

/// A block without its end.
pub(super) struct Pending {
    pub block: usize,
    pub label: u32,
    pub template: Template,
}

/// The end of a block, with labels instead of edges.
pub(super) enum Template {
    Jump(u32),
    Branch { condition: u32, yes: u32, no: u32 },
    Switch { selector: u32, scalar: Scalar, cases: Vec<(u64, u32)>, default: u32 },
    Return(Option<Rc<[u32]>>),
    Unreachable,
}

impl<const S: usize> Translator<'_, S> {
    /// The rows of a block's phis.
    pub(super) fn phis(&mut self, label: u32, block: &dr::Block, frame: &mut Frame) -> Result<(), Error> {
        for inst in block.instructions.iter().filter(|inst| inst.class.opcode == Op::Phi) {
            let (Some(id), Some(ty)) = (inst.result_id, inst.result_type) else { continue };
            let scalars = self.scalars(ty)?;
            let rows: Rc<[u32]> =
                scalars.iter().map(|&scalar| self.row(scalar)).collect::<Result<_, Error>>()?;
            self.define(id, rows.clone());
            let ids: Vec<u32> = inst.operands.iter().filter_map(Operand::id_ref_any).collect();
            let sources = ids.as_chunks::<2>().0.iter().map(|&[value, from]| (from, value)).collect();
            frame.phis.entry(label).or_default().push(Phi { rows, scalars, sources });
        }
        Ok(())
    }

    /// The end that an instruction makes of a block, if it is one.
    pub(super) fn terminator(&mut self, inst: &Instruction) -> Result<Option<Template>, Error> {
        Ok(Some(match (inst.class.opcode, inst.operands.as_slice()) {
            (Op::Branch, [Operand::IdRef(target)]) => Template::Jump(*target),
            (
                Op::BranchConditional,
                [Operand::IdRef(condition), Operand::IdRef(yes), Operand::IdRef(no), ..],
            ) => Template::Branch { condition: self.scalar(*condition)?, yes: *yes, no: *no },
            (Op::Switch, [Operand::IdRef(selector), Operand::IdRef(default), cases @ ..]) => {
                let scalar = self.scalar_of(*selector)?;
                let cases = cases.as_chunks::<2>().0.iter().filter_map(|case| match case {
                    [Operand::LiteralBit32(value), Operand::IdRef(label)] => {
                        Some((u64::from(*value), *label))
                    }
                    [Operand::LiteralBit64(value), Operand::IdRef(label)] => Some((*value, *label)),
                    _ => None,
                });
                // Narrow literals may be extended by their sign.
                let mask = scalar.mask();
                let cases = cases.map(|(value, label)| (value & mask, label)).collect();
                Template::Switch { selector: self.scalar(*selector)?, scalar, cases, default: *default }
            }
            (Op::Return, _) => Template::Return(None),
            (Op::ReturnValue, [Operand::IdRef(value)]) => Template::Return(Some(self.rows(*value)?)),
            (Op::Unreachable, _) => Template::Unreachable,
            _ => return Ok(None),
        }))
    }

    /// Gives the blocks of a function their ends.
    pub(super) fn resolve(&mut self, frame: &Frame) -> Result<(), Error> {
        for Pending { block, label, template } in &frame.pending {
            let end = match template {
                Template::Jump(target) => End::Jump(self.edge(frame, *label, *target)?),
                Template::Branch { condition, yes, no } => End::Branch {
                    condition: *condition,
                    yes: self.edge(frame, *label, *yes)?,
                    no: self.edge(frame, *label, *no)?,
                },
                Template::Switch { selector, scalar, cases, default } => {
                    let mut edges = Vec::new();
                    for (value, target) in cases {
                        edges.push((*value, self.edge(frame, *label, *target)?));
                    }
                    let default = self.edge(frame, *label, *default)?;
                    End::Switch { selector: *selector, scalar: *scalar, cases: edges, default }
                }
                Template::Return(_) => End::Return,
                Template::Unreachable => End::Unreachable,
            };
            self.end_block(*block, end);
        }
        Ok(())
    }

    fn edge(&mut self, frame: &Frame, from: u32, to: u32) -> Result<Edge, Error> {
        let missing = Error::Id { id: to, expected: "block" };
        let target = frame.blocks.get(&to).and_then(|&block| u32::try_from(block).ok()).ok_or(missing)?;
        let mut moves = Vec::new();
        for phi in frame.phis.get(&to).into_iter().flatten() {
            let source = phi.sources.iter().find(|(label, _)| *label == from);
            let missing = Error::Id { id: from, expected: "block that all phis behind it name" };
            let (_, value) = source.ok_or(missing)?;
            let value = self.rows(*value)?;
            for ((&dst, &src), scalar) in phi.rows.iter().zip(value.iter()).zip(&phi.scalars) {
                moves.push((dst, src, scalar.bytes()));
            }
        }
        Ok(Edge { target, moves: self.moves(moves)? })
    }

    /// Puts copies that happen at once into an order in which they may happen one after the other.
    pub(super) fn moves(&mut self, mut waiting: Vec<(u32, u32, u32)>) -> Result<Range<u32>, Error> {
        let start = self.program.moves.len() as u32;
        waiting.retain(|(dst, src, _)| dst != src);
        let mut readers: HashMap<u32, u32> = HashMap::new();
        let mut by_dst: HashMap<u32, (u32, u32)> = HashMap::new();
        for &(dst, src, bytes) in &waiting {
            let count = readers.entry(src).or_default();
            *count = count.saturating_add(1);
            by_dst.insert(dst, (src, bytes));
        }
        let order: Vec<u32> = waiting.iter().map(|&(dst, ..)| dst).collect();
        let is_read =
            |readers: &HashMap<u32, u32>, row: u32| readers.get(&row).is_some_and(|&count| count > 0);
        let mut ready: Vec<u32> = order.iter().copied().filter(|&dst| !is_read(&readers, dst)).collect();
        let mut left = order.into_iter();
        loop {
            while let Some(dst) = ready.pop() {
                let Some((src, bytes)) = by_dst.remove(&dst) else { continue };
                self.program.moves.push(Move { dst, src, bytes });
                if let Some(count) = readers.get_mut(&src) {
                    *count = count.saturating_sub(1);
                    if *count == 0 && by_dst.contains_key(&src) {
                        ready.push(src);
                    }
                }
            }
            // What is left goes in circles: a copy of one row breaks one up.
            let Some(dst) = left.find(|dst| by_dst.contains_key(dst)) else { break };
            let Some(&(_, bytes)) = by_dst.get(&dst) else { break };
            let spare = self.row(Scalar::I64)?;
            self.program.moves.push(Move { dst: spare, src: dst, bytes });
            for (src, _) in by_dst.values_mut().filter(|(src, _)| *src == dst) {
                *src = spare;
            }
            readers.insert(dst, 0);
            readers.insert(spare, 1);
            ready.push(dst);
        }
        Ok(start..self.program.moves.len() as u32)
    }
}
