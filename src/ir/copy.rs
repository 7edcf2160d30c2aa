//! Copies of whole programs.

use std::collections::HashMap;

use super::entities::{Definition, Func, Inst, Ir, Program, Region, Value};

/// A copy in the making.
struct Copy<'a> {
    ir: &'a mut Ir,
    /// The copy of each value.
    values: HashMap<Value, Value>,
    insts: Vec<Inst>,
}

impl Ir {
    /// Makes a copy of a program that shares nothing with it, down to names and places.
    pub fn copy(&mut self, program: &Program) -> Program {
        let functions = program.functions.iter().map(|&func| self.copy_function(func)).collect();
        Program { functions }
    }

    fn copy_function(&mut self, func: Func) -> Func {
        let mut data = self[func].clone();
        let mut copy = Copy { ir: self, values: HashMap::new(), insts: Vec::new() };
        data.body = copy.region(data.body);
        copy.replace_operands();
        Func(self.funcs.insert(data))
    }
}

impl Copy<'_> {
    fn region(&mut self, region: Region) -> Region {
        let mut data = self.ir[region].clone();
        let insts = std::mem::take(&mut data.insts);
        let parameters = std::mem::take(&mut data.parameters);
        let copy = Region(self.ir.regions.insert(data));
        for value in parameters {
            let value = self.value(value, Definition::Parameter(copy));
            self.ir[copy].parameters.push(value);
        }
        for inst in insts {
            let inst = self.inst(inst);
            self.ir[copy].insts.push(inst);
        }
        copy
    }

    fn inst(&mut self, inst: Inst) -> Inst {
        let mut data = self.ir[inst].clone();
        let results = std::mem::take(&mut data.results);
        let regions = std::mem::take(&mut data.regions);
        let copy = Inst(self.ir.insts.insert(data));
        self.insts.push(copy);
        for value in results {
            let value = self.value(value, Definition::Result(copy));
            self.ir[copy].results.push(value);
        }
        for region in regions {
            let region = self.region(region);
            self.ir[copy].regions.push(region);
        }
        copy
    }

    fn value(&mut self, value: Value, definition: Definition) -> Value {
        let mut data = self.ir[value].clone();
        data.definition = definition;
        let copy = Value(self.ir.values.insert(data));
        self.values.insert(value, copy);
        copy
    }

    /// Comes last, because a program that nobody has verified may use what it defines later. A value that is
    /// none of the function's stays the one it is.
    fn replace_operands(&mut self) {
        for &inst in &self.insts {
            self.ir[inst].op.visit_operands_mut(&mut |value| {
                if let Some(&copy) = self.values.get(value) {
                    *value = copy;
                }
            });
        }
    }
}
