//! Copies of instructions with all that they own, within an arena or into another one.

use super::cursor::Cursor;
use super::entities::{Definition, Func, Inst, Ir, Program, Region, Value, ValueData};
use super::rules::VerifierError;
use std::collections::HashMap;

/// Substitutes for values in copies: the copies of what was copied, and what the caller put in.
pub type ValueMap = HashMap<Value, Value>;

/// Entities that [`Ir::adopt`] took over: old and new numbers.
#[derive(Debug, Default)]
pub struct Moved {
    /// The instructions.
    pub insts: Vec<(Inst, Inst)>,
    /// The regions.
    pub regions: Vec<(Region, Region)>,
}

/// Names of the results of copies.
#[derive(Clone, Copy, PartialEq)]
enum Names {
    Kept,
    /// Left to those of the original.
    Dropped,
}

/// A copy in the making.
struct Cloner<'a> {
    /// Arena of the originals, if it is not that of the copies.
    from: Option<&'a Ir>,
    to: &'a mut Ir,
    values: &'a mut ValueMap,
    names: Names,
    moved: Moved,
}

impl Ir {
    /// Makes a copy of a program that shares nothing with it, down to names and places.
    pub fn copy(&mut self, program: &Program) -> Program {
        let functions = program.functions.iter().map(|&func| self.copy_function(func)).collect();
        Program { functions }
    }

    fn copy_function(&mut self, func: Func) -> Func {
        let mut data = self[func].clone();
        let mut values = ValueMap::new();
        let mut cloner = Cloner::new(None, self, &mut values, Names::Kept);
        data.body = cloner.region(data.body, None);
        cloner.finish();
        Func(self.funcs.insert(data))
    }

    /// Puts copies of instructions at a place. Operands that are in `values`, or that were copied into it, become
    /// what stands for them.
    ///
    /// # Errors
    /// [`crate::status::Status::OutOfRange`] beyond the limit of [`Ir::limit_growth`].
    pub fn copy_insts(
        &mut self,
        insts: &[Inst],
        at: Cursor,
        values: &mut ValueMap,
    ) -> Result<(), VerifierError> {
        let mut cloner = Cloner::new(None, self, values, Names::Dropped);
        let outcome = insts.iter().try_for_each(|&inst| {
            let mut count = 1 + cloner.to[inst].results.len();
            let regions = &cloner.to[inst].regions;
            let of_inner = |inner: Inst| 1 + cloner.to[inner].results.len() + cloner.to[inner].regions.len();
            regions.iter().for_each(|&region| cloner.to.walk(region, &mut |inner| count += of_inner(inner)));
            cloner.to.check_growth(count, cloner.to[inst].location)?;
            let copy = cloner.inst(inst);
            cloner.to.insert(copy, at);
            Ok(())
        });
        cloner.finish();
        outcome
    }

    /// Takes over an instruction that uses nothing but what it defines itself from another arena.
    pub fn adopt(&mut self, from: &Ir, inst: Inst) -> Moved {
        let mut values = ValueMap::new();
        let mut cloner = Cloner::new(Some(from), self, &mut values, Names::Kept);
        cloner.inst(inst);
        cloner.finish()
    }
}

impl<'a> Cloner<'a> {
    fn new(from: Option<&'a Ir>, to: &'a mut Ir, values: &'a mut ValueMap, names: Names) -> Cloner<'a> {
        Cloner { from, to, values, names, moved: Moved::default() }
    }

    fn source(&self) -> &Ir {
        self.from.unwrap_or(self.to)
    }

    fn region(&mut self, region: Region, owner: Option<Inst>) -> Region {
        let data = self.source()[region].clone();
        let copy = self.to.insert_region(data.kind, owner);
        self.moved.regions.push((region, copy));
        for value in data.parameters {
            let data = self.value(value, Definition::Parameter(copy), Names::Kept);
            let parameter = self.to.add_parameter(copy, data);
            self.values.insert(value, parameter);
        }
        let mut next = data.first;
        while let Some(inst) = next {
            let inner = self.inst(inst);
            self.to.insert(inner, Cursor::at_end(copy));
            next = self.source().next_inst(inst);
        }
        copy
    }

    fn inst(&mut self, inst: Inst) -> Inst {
        let data = self.source()[inst].clone();
        let copy = self.to.insert_inst(data.op, data.location);
        self.moved.insts.push((inst, copy));
        for value in data.results {
            let data = self.value(value, Definition::Result(copy), self.names);
            let result = self.to.add_result(copy, data);
            self.values.insert(value, result);
        }
        for region in data.regions {
            self.region(region, Some(copy));
        }
        copy
    }

    fn value(&self, value: Value, definition: Definition, names: Names) -> ValueData {
        let data = &self.source()[value];
        let mut copy = ValueData::new(data.ty.clone(), data.location, definition);
        if names == Names::Kept {
            (copy.name, copy.number) = (data.name.clone(), data.number);
        }
        copy
    }

    /// Sets the operands of the copies. It comes last, because a program that nobody has verified may use what it
    /// defines later. What is neither copied nor replaced stays the value it is.
    fn finish(self) -> Moved {
        for &(_, inst) in &self.moved.insts {
            self.to.insts.get_mut(inst.0).op.visit_operands_mut(&mut |value| {
                if let Some(&copy) = self.values.get(value) {
                    *value = copy;
                }
            });
            self.to.link(inst);
        }
        self.moved
    }
}
