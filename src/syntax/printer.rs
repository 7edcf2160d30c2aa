//! The canonical text of a program (language reference 6).

use super::names::Names;
use super::template::{Element, elements};
use crate::ir::{
    AttributeSet, Boundary, Extent, FieldKind, FieldValue, Func, Inst, Int, Ir, Listing, Op, Program, Region,
    Results, Subview, Syntax, Text, TileLoadAttributes, Value, write_list,
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
    /// True if regions are printed, not only hinted at.
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
            if let Some(attributes) = data.parameter_attributes.get(i) {
                self.attributes(" ", attributes);
            }
        }
        self.out.push_str(")");
        self.attributes(" attributes", &data.attributes);
        self.region(data.body)?;
        self.out.push_str("\n");
        Ok(())
    }

    /// Attributes behind a word, if there are some.
    fn attributes(&mut self, word: &str, attributes: &impl AttributeSet) {
        if let Some(dictionary) = attributes.dictionary() {
            self.out.push_str(word);
            dictionary.print(self.out);
        }
    }

    fn region(&mut self, region: Region) -> Result {
        if !self.whole_regions {
            self.out.push_str(" {...}");
            return Ok(());
        }
        self.out.push_str(" {\n");
        self.indent += 1;
        for inst in self.ir.insts(region) {
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
            Syntax::Custom => self.custom(inst),
        }
    }

    // ---- regular instructions ----

    fn regular(&mut self, inst: Inst, template: &str, fields: &[FieldValue]) -> Result {
        let ir = self.ir;
        let data = &ir[inst];
        let info = data.op.info();
        let mut regions = data.regions.iter().copied().peekable();
        let lists =
            elements(template).filter(|element| matches!(element, Element::Name | Element::Names)).count();
        let parameters = data.regions.first().map_or(&[][..], |&region| &ir[region].parameters);
        let mut names = parameters.chunks((parameters.len() / lists.max(1)).max(1));
        let mut in_brackets = false;
        let mut parts = elements(template);
        while let Some(part) = parts.next() {
            match part {
                Element::Blank => self.out.push_str(" "),
                Element::EndOptional => {}
                Element::Optional => {
                    let inside = parts.clone().take_while(|part| *part != Element::EndOptional);
                    if !self.is_present(inst, inside, fields, regions.peek().copied()) {
                        parts.by_ref().take_while(|part| *part != Element::EndOptional).for_each(drop);
                    }
                }
                Element::Punct(text) => {
                    in_brackets = (in_brackets || text == "[") && text != "]";
                    self.out.push_str(text);
                }
                Element::Type | Element::Types => {
                    write_list(self.out, data.results.iter().map(|&result| ir.ty(result)), ",")?;
                }
                Element::Name | Element::Names => self.names(names.next().unwrap_or_default(), ",")?,
                Element::Region => {
                    if let Some(region) = regions.next() {
                        self.region(region)?;
                    }
                }
                Element::Field(name) | Element::List(name) => {
                    let Some((index, kind)) = info.field(name) else { continue };
                    let Some(value) = fields.get(index) else { continue };
                    let later: Vec<_> = info
                        .fields
                        .iter()
                        .zip(fields)
                        .skip(index + 1)
                        .filter(|(other, _)| other.kind == kind)
                        .map(|(_, value)| value)
                        .collect();
                    let separator = if in_brackets || part == Element::List(name) { "," } else { ", " };
                    if let (FieldKind::Comment, FieldValue::Note(Some(value))) = (kind, value) {
                        write!(self.out, " ; {name}: {value}")?;
                    }
                    match (part, value) {
                        (Element::List(_), FieldValue::Boundaries(boundaries)) => {
                            let boundary = Some(*boundaries);
                            self.attributes("", &TileLoadAttributes { boundary, ..Default::default() });
                        }
                        _ => self.field(kind, value, &later, separator)?,
                    }
                }
            }
        }
        Ok(())
    }

    /// Something of an optional part is there: a dictionary, an operand, types of results, or instructions of the next
    /// region.
    fn is_present<'p>(
        &self,
        inst: Inst,
        mut inside: impl Iterator<Item = Element<'p>>,
        fields: &[FieldValue],
        next_region: Option<Region>,
    ) -> bool {
        let data = &self.ir[inst];
        inside.any(|part| match part {
            Element::Field(name) | Element::List(name) => {
                match data.op.info().field(name).and_then(|(index, _)| fields.get(index)) {
                    Some(FieldValue::Attributes(Some(_)) | FieldValue::OptionalOperand(Some(_))) => true,
                    Some(FieldValue::Boundaries(boundaries)) => boundaries.uniform().is_none(),
                    _ => false,
                }
            }
            Element::Types => !data.results.is_empty(),
            Element::Region => next_region.is_some_and(|region| self.ir.last_inst(region).is_some()),
            _ => false,
        })
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
            (_, FieldValue::Operand(value) | FieldValue::OptionalOperand(Some(value))) => {
                let name = self.name(*value);
                self.out.push_str(&name);
                Ok(())
            }
            (_, FieldValue::Operands(values)) => self.names(values, separator),
            (_, FieldValue::Int(value)) => write!(self.out, "{}", Int(*value)),
            (_, FieldValue::Ints(values)) => {
                write_list(self.out, values.iter().map(|&value| Int(value)), separator)
            }
            (_, FieldValue::Attributes(Some(attributes))) => {
                attributes.print(self.out);
                Ok(())
            }
            (FieldKind::Boundaries { words, .. }, FieldValue::Boundaries(boundaries)) => {
                let word = boundaries.uniform().filter(|&boundary| boundary != Boundary::default());
                self.out
                    .push_str(word.and_then(|word| words.get(word as usize)).copied().unwrap_or_default());
                Ok(())
            }
            (_, FieldValue::Constant(value)) => write!(self.out, "{value}"),
            _ => Ok(()),
        }
    }

    // ---- instructions that templates do not cover ----

    fn custom(&mut self, inst: Inst) -> Result {
        let ir = self.ir;
        let data = &ir[inst];
        match &data.op {
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
                self.attributes(" attributes", &data.attributes);
                Ok(())
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
            _ => Ok(()),
        }
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
