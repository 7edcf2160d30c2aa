//! The canonical text of a program (`spec/language.md` 6).

use super::names::Names;
use super::template::{Piece, pieces};
use crate::ir::attributes::Int;
use crate::ir::{
    Extent, FieldKind, FieldValue, Func, Inst, Ir, Listing, Op, Program, Region, Results, Subview, Syntax,
    Text, Value, write_list,
};
use std::collections::HashMap;
use std::fmt::{Result, Write as _};

/// The canonical text; it parses back to the same program.
pub fn print(ir: &Ir, program: &Program) -> Text {
    let mut out = Text::default();
    for &func in &program.functions {
        let mut printer = Printer::new(ir, func, &mut out);
        // Writing to a string cannot fail.
        let _ = printer.function(func);
    }
    out
}

/// The names and the instructions of a function, where `{...}` stands for a region.
pub fn list(ir: &Ir, func: Func) -> Listing {
    let body = ir[func].body;
    let mut out = Text::default();
    let mut printer = Printer { whole_regions: false, ..Printer::new(ir, func, &mut out) };
    let mut names: HashMap<Value, String> =
        ir[body].parameters.iter().map(|&value| (value, printer.name(value))).collect();
    let mut instructions = HashMap::new();
    ir.walk(body, &mut |inst| {
        let regions = ir[inst].regions.iter().flat_map(|&region| &ir[region].parameters);
        for &value in ir[inst].results.iter().chain(regions) {
            names.insert(value, printer.name(value));
        }
        // Writing to a string cannot fail.
        let _ = printer.instruction(inst);
        instructions.insert(inst, std::mem::take(printer.out).to_string());
    });
    Listing::new(names, instructions)
}

struct Printer<'a> {
    ir: &'a Ir,
    names: Names,
    out: &'a mut Text,
    indent: usize,
    /// Whether regions are printed, or only hinted at.
    whole_regions: bool,
}

impl<'a> Printer<'a> {
    /// A printer that knows the names of the values of a function.
    fn new(ir: &'a Ir, func: Func, out: &'a mut Text) -> Printer<'a> {
        Printer { ir, names: Names::new(ir, func), out, indent: 0, whole_regions: true }
    }

    // ---- names ----

    fn name(&self, value: Value) -> String {
        self.names.of(value)
    }

    fn names(&mut self, values: &[Value], separator: &str) -> Result {
        let names: Vec<String> = values.iter().map(|&value| self.name(value)).collect();
        write_list(self.out, names, separator)
    }

    // ---- program structure ----

    fn function(&mut self, func: Func) -> Result {
        let data = &self.ir[func];
        let head = format!("func @{}(", data.name);
        self.out.push_str(&head);
        let parameters = &self.ir[data.body].parameters;
        for (i, &value) in parameters.iter().enumerate() {
            if i > 0 {
                write!(self.out, ",\n{:width$}", "", width = head.chars().count())?;
            }
            let name = self.name(value);
            write!(self.out, "{name}: {}", self.ir.ty(value))?;
            if let Some(Some(dictionary)) = data.parameter_attributes.get(i) {
                self.out.push_str(" ");
                dictionary.print(self.out);
            }
        }
        self.out.push_str(")");
        if let Some(attributes) = &data.attributes {
            self.out.push_str(" attributes");
            attributes.print(self.out);
        }
        self.region(data.body)?;
        self.out.push_str("\n");
        Ok(())
    }

    fn region(&mut self, region: Region) -> Result {
        if !self.whole_regions {
            self.out.push_str(" {...}");
            return Ok(());
        }
        self.out.push_str(" {\n");
        self.indent += 1;
        for &inst in &self.ir[region].insts {
            write!(self.out, "{:width$}", "", width = 4 * self.indent)?;
            self.instruction(inst)?;
            self.out.push_str("\n");
        }
        self.indent -= 1;
        write!(self.out, "{:width$}}}", "", width = 4 * self.indent)
    }

    fn instruction(&mut self, inst: Inst) -> Result {
        let data = &self.ir[inst];
        let info = data.op.info();
        let unnamed_many = info.results == Results::Many && data.results.is_empty();
        if info.results != Results::None && !unnamed_many {
            self.names(&data.results, ",")?;
            self.out.push_str(" = ");
        }
        let fields = data.op.fields();
        self.out.push_str(data.op.mnemonic());
        match info.syntax {
            Syntax::Regular(template) => self.regular(inst, template, &fields),
            Syntax::Own => self.own(inst),
        }
    }

    // ---- regular instructions ----

    fn regular(&mut self, inst: Inst, template: &str, fields: &[FieldValue]) -> Result {
        let info = self.ir[inst].op.info();
        let mut in_brackets = false;
        for piece in pieces(template) {
            match piece {
                Piece::Blank => self.out.push_str(" "),
                Piece::Punct(text) => {
                    in_brackets = (in_brackets || text == "[") && text != "]";
                    self.out.push_str(text);
                }
                Piece::Type => {
                    let result = self.ir[inst].results.first();
                    if let Some(&result) = result {
                        write!(self.out, "{}", self.ir.ty(result))?;
                    }
                }
                Piece::Field(name) => {
                    let Some((index, kind)) = info.field(name) else { continue };
                    let Some(value) = fields.get(index) else { continue };
                    let later: Vec<_> = info
                        .fields
                        .iter()
                        .zip(fields)
                        .skip(index + 1)
                        .filter(|((_, other), _)| *other == kind)
                        .map(|(_, value)| value)
                        .collect();
                    self.field(kind, value, &later, if in_brackets { "," } else { ", " })?;
                }
            }
        }
        Ok(())
    }

    /// `later` are the fields of the same kind behind this one.
    fn field(
        &mut self,
        kind: FieldKind,
        value: &FieldValue,
        later: &[&FieldValue],
        separator: &str,
    ) -> Result {
        match (kind, value) {
            (FieldKind::Modifier { words, default }, FieldValue::Word(word)) => {
                // A default is spelled out before a word of the same kind, as in `gemm.n.t`.
                let followed =
                    later.iter().any(|other| **other != FieldValue::Word(default.unwrap_or(*word)));
                if Some(*word) != default || followed {
                    self.out.push_str(words.get(*word).copied().unwrap_or_default());
                }
                Ok(())
            }
            (_, FieldValue::Operand(value)) => {
                let name = self.name(*value);
                self.out.push_str(&name);
                Ok(())
            }
            (_, FieldValue::Operands(values)) => self.names(values, separator),
            (_, FieldValue::Int(value)) => write!(self.out, "{}", Int(*value)),
            (_, FieldValue::Constant(value)) => write!(self.out, "{value}"),
            _ => Ok(()),
        }
    }

    // ---- instructions with a syntax of their own ----

    fn own(&mut self, inst: Inst) -> Result {
        let ir = self.ir;
        let data = &ir[inst];
        match &data.op {
            Op::Alloca(alloca) => {
                if let Some(attributes) = &alloca.attributes {
                    self.out.push_str(" ");
                    attributes.print(self.out);
                }
                self.result_type(inst)?;
                if let Some(offset) = alloca.stack_ptr {
                    write!(self.out, " ; stack_ptr: {offset}")?;
                }
                Ok(())
            }
            Op::Subview(view) => {
                self.subview(view)?;
                self.result_type(inst)
            }
            Op::For(data) => {
                let Some(&region) = ir[inst].regions.first() else { return Ok(()) };
                let [variable, carried @ ..] = ir[region].parameters.as_slice() else { return Ok(()) };
                let bounds: Vec<Value> = [data.from, data.to].into_iter().chain(data.step).collect();
                let variable = self.name(*variable);
                write!(self.out, " {variable}=")?;
                self.names(&bounds, ",")?;
                if !carried.is_empty() {
                    let pairs: Vec<String> = carried
                        .iter()
                        .zip(&data.init)
                        .map(|(&name, &init)| format!("{}={}", self.name(name), self.name(init)))
                        .collect();
                    self.out.push_str(" init(");
                    write_list(self.out, pairs, ",")?;
                    self.out.push_str(")");
                    self.result_types(inst)?;
                }
                self.region(region)?;
                if let Some(attributes) = &data.attributes {
                    self.out.push_str(" attributes");
                    attributes.print(self.out);
                }
                Ok(())
            }
            Op::If(data) => {
                let condition = self.name(data.condition);
                write!(self.out, " {condition}")?;
                if !ir[inst].results.is_empty() {
                    self.result_types(inst)?;
                }
                let [then, otherwise] = ir[inst].regions.as_slice() else { return Ok(()) };
                self.region(*then)?;
                if !ir[*otherwise].insts.is_empty() {
                    self.out.push_str(" else");
                    self.region(*otherwise)?;
                }
                Ok(())
            }
            Op::Foreach(data) => {
                let Some(&region) = ir[inst].regions.first() else { return Ok(()) };
                self.bounds(&ir[region].parameters, &data.from, &data.to)?;
                self.region(region)
            }
            Op::ForeachTile(data) => {
                let Some(&region) = ir[inst].regions.first() else { return Ok(()) };
                let parameters = &ir[region].parameters;
                let (offsets, sizes) =
                    parameters.split_at_checked(data.from.len()).unwrap_or((parameters, &[]));
                self.bounds(offsets, &data.from, &data.to)?;
                self.out.push_str(" as (");
                self.names(sizes, ",")?;
                self.out.push_str(")<=(");
                write_list(self.out, data.tile_shape.iter().map(|&size| Int(size)), ",")?;
                self.out.push_str(")");
                self.region(region)
            }
            Op::CoopmatrixApply(data) => {
                let Some(&region) = ir[inst].regions.first() else { return Ok(()) };
                self.out.push_str(" (");
                self.names(&ir[region].parameters, ",")?;
                let matrix = self.name(data.matrix);
                write!(self.out, ")={matrix} -> {}", ir.ty(data.matrix))?;
                self.region(region)
            }
            Op::Expand(data) => {
                let mut sizes = data.sizes.iter();
                let shape: Vec<String> = data
                    .static_shape
                    .iter()
                    .map(|&extent| self.extent_or_value(extent, &mut sizes))
                    .collect();
                let of = self.name(data.of);
                write!(self.out, " {of}[{}->{}]", data.mode, shape.join(" x "))?;
                self.result_type(inst)
            }
            // What is left has regions and nothing else.
            _ => data.regions.iter().try_for_each(|&region| self.region(region)),
        }
    }

    /// ` (names)=(from),(to)`
    fn bounds(&mut self, names: &[Value], from: &[Value], to: &[Value]) -> Result {
        for (text, values) in [(" (", names), (")=(", from), ("),(", to)] {
            self.out.push_str(text);
            self.names(values, ",")?;
        }
        self.out.push_str(")");
        Ok(())
    }

    fn result_type(&mut self, inst: Inst) -> Result {
        match self.ir[inst].results.first() {
            Some(&result) => write!(self.out, " : {}", self.ir.ty(result)),
            None => Ok(()),
        }
    }

    /// ` -> (type,type)`
    fn result_types(&mut self, inst: Inst) -> Result {
        self.out.push_str(" -> (");
        write_list(self.out, self.ir[inst].results.iter().map(|&value| self.ir.ty(value)), ",")?;
        self.out.push_str(")");
        Ok(())
    }

    fn subview(&mut self, view: &Subview) -> Result {
        let (mut offsets, mut sizes) = (view.offsets.iter(), view.sizes.iter());
        let mut slices = Vec::new();
        for (offset, size) in view.static_offsets.iter().zip(&view.static_sizes) {
            let mut slice = self.extent_or_value(*offset, &mut offsets);
            if *size != Extent::Static(0) {
                slice = format!("{slice}:{}", self.extent_or_value(*size, &mut sizes));
            }
            slices.push(slice);
        }
        let of = self.name(view.of);
        write!(self.out, " {of}[{}]", slices.join(","))
    }

    fn extent_or_value(&self, extent: Extent, values: &mut std::slice::Iter<'_, Value>) -> String {
        match (extent, extent.is_dynamic().then(|| values.next()).flatten()) {
            (_, Some(&value)) => self.name(value),
            (extent, None) => extent.to_string(),
        }
    }
}
