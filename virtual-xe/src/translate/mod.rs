//! From SPIR-V to a [`Program`]: once for each kernel and subgroup size.
//!
//! Every value is taken apart into numbers, each of which has a row; taking values apart and putting them
//! together therefore costs nothing. Functions are translated where they are called.
// Modules say the numbers here: no arithmetic on them is unchecked.
#![deny(clippy::arithmetic_side_effects)]

mod arithmetic;
mod asynchronous;
mod atomic;
mod constants;
mod control;
mod cooperative;
mod engine;
mod extended;
mod functions;
mod generic;
mod geometry;
mod globals;
mod graph;
mod group;
mod inputs;
mod instruction;
mod memory;
mod print;
mod selection;
mod source;
mod subgroup;
mod surface;
mod vectors;
mod work;
mod workgroup;

pub(crate) use globals::Globals;
pub(crate) use source::Source;

use crate::layout::{Part, Scalar};
use crate::program::{Origin, Program, Step};
use crate::report::Place;
use crate::rows::{Args, Compute, row_words};
use crate::{Error, Kernel};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Op, StorageClass};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Meaning of an id.
#[derive(Clone, Debug)]
enum Value {
    /// Numbers.
    Rows(Rc<[u32]>),
    /// A pointer to a built-in variable, or to a part of one, from so many bytes on.
    Input(Rc<[(Part, u32)]>, u64),
}

/// A program in the making.
struct Translator<'m, const S: usize> {
    source: &'m Source<'m>,
    /// The memory of the module's variables.
    globals: &'m mut Globals,
    program: Program<S>,
    /// The values of the module and of the functions that are being translated.
    values: HashMap<u32, Value>,
    /// Rows of constants by what they hold.
    constants: HashMap<(Scalar, u64), u32>,
    /// Content of rows of constants.
    known: HashMap<u32, u64>,
    /// The instruction that is being translated, in the program's origins.
    origin: u32,
    /// Functions that are being translated, outermost first.
    calls: Vec<u32>,
    /// The first step of the block that is being translated.
    block_start: u32,
    /// Place in the source, if the module tells it.
    place: Option<Place>,
}

/// Programs of more steps are refused; what calls copy would otherwise grow without bounds.
const MAX_STEPS: usize = 1 << 22;

/// Translates a kernel.
pub(crate) fn translate<const S: usize>(
    source: &Source<'_>,
    globals: &mut Globals,
    kernel: &Kernel,
    entry: u32,
) -> Result<Program<S>, Error> {
    let program = Program {
        name: kernel.name().to_owned(),
        blocks: Vec::new(),
        steps: Vec::new(),
        sources: Vec::new(),
        origins: Vec::new(),
        moves: Vec::new(),
        words: 0,
        scratch: 0,
        constants: Vec::new(),
        inputs: Vec::new(),
        globals: Vec::new(),
        parameters: Vec::new(),
        private_size: 0,
        local_size: 0,
        accesses: 0,
        exchanges: 0,
        has_barrier: false,
        is_ordered: false,
    };
    let mut translator = Translator {
        source,
        globals,
        program,
        values: HashMap::new(),
        constants: HashMap::new(),
        known: HashMap::new(),
        origin: 0,
        calls: Vec::new(),
        block_start: 0,
        place: None,
    };
    translator.kernel(entry)?;
    translator.finish()
}

impl<const S: usize> Translator<'_, S> {
    /// Room for a scratch row, and the places where lanes meet.
    fn finish(mut self) -> Result<Program<S>, Error> {
        self.program.scratch = self.program.words;
        self.grow(row_words::<S>(8))?;
        let successors: Vec<Vec<usize>> = self
            .program
            .blocks
            .iter()
            .map(|block| block.end.edges().into_iter().map(|edge| edge.target as usize).collect())
            .collect();
        let reconvergences = graph::post_dominators(&successors);
        for (block, reconvergence) in self.program.blocks.iter_mut().zip(reconvergences) {
            block.reconvergence = reconvergence;
        }
        Ok(self.program)
    }

    fn grow(&mut self, words: usize) -> Result<u32, Error> {
        // A file of 128 MiB for each subgroup.
        const MAX_WORDS: u32 = 1 << 24;
        let at = self.program.words;
        let words = u32::try_from(words).ok().and_then(|words| at.checked_add(words));
        let words = words.filter(|&words| words <= MAX_WORDS);
        self.program.words = words.ok_or(Error::Unsupported("kernels of so many values"))?;
        Ok(at)
    }

    /// A new row.
    fn row(&mut self, scalar: Scalar) -> Result<u32, Error> {
        self.grow(row_words::<S>(scalar.bytes() as usize))
    }

    fn emit(&mut self, step: Step<S>) -> Result<(), Error> {
        if self.program.steps.len() >= MAX_STEPS {
            return Err(Error::Unsupported("kernels of so many instructions"));
        }
        self.program.steps.push(step);
        self.program.sources.push(self.origin);
        Ok(())
    }

    /// Emits a computation into a new row.
    fn compute(&mut self, scalar: Scalar, run: Compute<S>, operands: &[u32]) -> Result<u32, Error> {
        self.compute_with(scalar, run, operands, 0)
    }

    fn compute_with(
        &mut self,
        scalar: Scalar,
        run: Compute<S>,
        operands: &[u32],
        immediate: u64,
    ) -> Result<u32, Error> {
        let dst = self.row(scalar)?;
        let operand = |place: usize| operands.get(place).copied().unwrap_or(0);
        let args = Args { dst, a: operand(0), b: operand(1), c: operand(2), immediate };
        self.emit(Step::Compute { run, args, bytes: scalar.bytes() })?;
        Ok(dst)
    }

    /// The row of a constant.
    fn constant(&mut self, scalar: Scalar, bits: u64) -> Result<u32, Error> {
        let bits = bits & scalar.mask();
        if let Some(&row) = self.constants.get(&(scalar, bits)) {
            return Ok(row);
        }
        let row = self.row(scalar)?;
        self.constants.insert((scalar, bits), row);
        self.known.insert(row, bits);
        self.program.constants.push((row, scalar, bits));
        Ok(row)
    }

    /// The rows of a value.
    fn rows(&self, id: u32) -> Result<Rc<[u32]>, Error> {
        match self.values.get(&id) {
            Some(Value::Rows(rows)) => Ok(rows.clone()),
            Some(Value::Input(..)) => Err(Error::Unsupported("addresses of built-in variables as values")),
            None => Err(Error::Id { id, expected: "value" }),
        }
    }

    /// The row of a scalar value.
    fn scalar(&self, id: u32) -> Result<u32, Error> {
        match *self.rows(id)? {
            [row] => Ok(row),
            _ => Err(Error::Id { id, expected: "scalar value" }),
        }
    }

    /// The number behind a constant.
    fn number(&self, id: u32) -> Result<u64, Error> {
        let row = self.scalar(id)?;
        self.known.get(&row).copied().ok_or(Error::Id { id, expected: "constant" })
    }

    fn define(&mut self, id: u32, rows: impl Into<Rc<[u32]>>) {
        self.values.insert(id, Value::Rows(rows.into()));
    }

    /// The type of a value.
    fn type_of(&self, id: u32) -> Result<u32, Error> {
        self.source.type_of(id).ok_or(Error::Id { id, expected: "value" })
    }

    /// Type of the numbers of a value.
    fn scalar_of(&self, id: u32) -> Result<Scalar, Error> {
        self.source.types.scalar(self.type_of(id)?)
    }

    fn unsupported(&self, inst: &Instruction) -> Error {
        let function = self.calls.last().map_or_else(String::new, |&id| self.source.shown(id));
        Error::Instruction { name: name(inst), function }
    }

    /// The error for an instruction whose operands the device does not take.
    fn refused(&self, inst: &Instruction, reason: String) -> Error {
        let function = self.calls.last().map_or_else(String::new, |&id| self.source.shown(id));
        Error::Operands { name: name(inst), function, reason }
    }

    /// Type of the numbers of a type.
    fn scalar_type(&self, ty: u32) -> Result<Scalar, Error> {
        self.source.types.scalar(ty)
    }

    /// The storage class that a pointer points into.
    fn class_of(&self, pointer: u32) -> Result<StorageClass, Error> {
        let ty = self.type_of(pointer)?;
        match self.source.types.kind(ty)? {
            crate::layout::Kind::Pointer(class, _) => Ok(*class),
            _ => Err(Error::Id { id: pointer, expected: "pointer" }),
        }
    }

    /// The type that a pointer points to.
    fn pointee_of(&self, pointer: u32) -> Result<u32, Error> {
        let ty = self.type_of(pointer)?;
        match self.source.types.kind(ty)? {
            crate::layout::Kind::Pointer(_, pointee) => Ok(*pointee),
            _ => Err(Error::Id { id: pointer, expected: "pointer" }),
        }
    }

    /// Notes the instruction that the following steps come from.
    fn at(&mut self, function: u32, inst: &Instruction, index: u32) {
        let mut instruction = format!("Op{:?}", inst.class.opcode);
        if let (Op::ExtInst, [_, Operand::LiteralExtInstInteger(number), ..]) =
            (inst.class.opcode, inst.operands.as_slice())
            && let Some(name) = extended::name(*number)
        {
            instruction += &format!(" {name}");
        }
        if let Some(id) = inst.result_id {
            instruction += &format!(" {}", self.source.shown(id));
        }
        let name = self.source.name(function).map(str::to_owned);
        let is_entry = self.calls.len() <= 1;
        let function =
            name.unwrap_or_else(|| if is_entry { self.program.name.clone() } else { format!("%{function}") });
        self.origin = u32::try_from(self.program.origins.len()).unwrap_or(u32::MAX);
        match (inst.class.opcode, inst.operands.as_slice()) {
            (
                Op::Line,
                [Operand::IdRef(file), Operand::LiteralBit32(line), Operand::LiteralBit32(column)],
            ) => {
                let file = Arc::from(self.source.string(*file).unwrap_or_default());
                self.place =
                    Some(Place { file, line: *line, column: *column }).filter(|place| place.line != 0);
            }
            (Op::NoLine, _) => self.place = None,
            _ => {}
        }
        let (work, place, tensor) = (self.work(inst), self.place.clone(), self.source.tensor(inst));
        self.program.origins.push(Origin { function, instruction, index, place, tensor, work });
    }
}

/// The opcode, or the name of the extended instruction.
fn name(inst: &Instruction) -> String {
    match (inst.class.opcode, inst.operands.as_slice()) {
        (Op::ExtInst, [_, Operand::LiteralExtInstInteger(number), ..]) => {
            extended::name(*number).unwrap_or_else(|| format!("OpExtInst {number}"))
        }
        (opcode, _) => format!("Op{opcode:?}"),
    }
}
