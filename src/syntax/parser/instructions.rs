//! Instructions: the regular ones by their templates, three by a function each.

use super::super::error::Error;
use super::super::lexer::{Name, Token};
use super::super::template::{Element, elements};
use super::Parser;
use super::attributes::Located;
use crate::diagnostics::Location;
use crate::ir::{
    Boundaries, Boundary, Constant, Cursor, Expand, Extent, FieldKind, FieldValue, For, ForAttributes, Info,
    Inst, Op, Region, Results, Subview, Syntax, Type, Value, WITHOUT_TOKEN,
};

/// Returns whether a part of a template is attributes in braces.
fn has_braces(part: Element<'_>, kind: FieldKind) -> bool {
    match part {
        Element::Field(_) => matches!(kind, FieldKind::Attributes { .. }),
        Element::List(_) => matches!(kind, FieldKind::Boundaries { .. }),
        _ => false,
    }
}

/// Names and the place of their list.
struct NameList {
    names: Vec<(Name, Location)>,
    place: Location,
}

/// The parts of a regular instruction that were read so far.
#[derive(Default)]
struct Found {
    fields: Vec<Option<FieldValue>>,
    attributes: Option<Located>,
    types: Vec<Type>,
    names: Vec<NameList>,
    inst: Option<Inst>,
    /// The place of the instruction, if it is known before its end.
    place: Option<Location>,
    /// Rows and columns that stand for the type of a tile.
    shape: Option<[i64; 2]>,
}

impl Found {
    fn set(&mut self, index: usize, value: FieldValue) {
        if let Some(slot) = self.fields.get_mut(index) {
            *slot = Some(value);
        }
    }

    /// Notes that an optional part of the text is not there.
    fn leave_out(&mut self, info: &Info, part: Element<'_>) {
        let Element::Field(name) = part else { return };
        match info.field(name) {
            Some((index, FieldKind::Attributes { .. })) => self.set(index, FieldValue::Attributes(None)),
            Some((index, FieldKind::OptionalOperand)) => self.set(index, FieldValue::OptionalOperand(None)),
            _ => {}
        }
    }
}

impl Parser<'_> {
    pub(super) fn instruction(&mut self) -> Result<(), Error> {
        let begin = self.place();
        let mut results = None;
        if matches!(self.peek(), Token::Local(_)) {
            let mut names = vec![self.local_name()?];
            while self.accept(",") {
                names.push(self.local_name()?);
            }
            results = Some(NameList { names, place: self.since(begin) });
            if !self.accept("=") {
                return self.unexpected("`,` or `=`");
            }
        }
        let mnemonic = match self.peek() {
            Token::Word(word) => Info::of_mnemonic(word).filter(|_| !WITHOUT_TOKEN.contains(word)),
            _ => None,
        };
        let Some((info, word)) = mnemonic else { return self.unexpected("an instruction") };
        match (info.results, &results) {
            (Results::None, Some(_)) => return self.unexpected("an instruction with a result"),
            (Results::One, None) => {
                let word = info.mnemonics().get(word).copied().unwrap_or_default();
                return self.unexpected(format!("a name for the result, as in `%r = {word}`"));
            }
            _ => {}
        }
        let inst = match info.syntax {
            Syntax::Regular(template) => self.regular(info, word, template)?,
            Syntax::Custom => self.custom(info)?,
        };
        if let Some(results) = results {
            let values = self.ir[inst].results.to_vec();
            self.bind_all(results.names, results.place, &values)?;
        }
        Ok(())
    }

    // ---- regular instructions ----

    fn regular(&mut self, info: &'static Info, word: usize, template: &'static str) -> Result<Inst, Error> {
        let begin = self.place();
        self.advance();
        let mut found = Found { fields: vec![None; info.fields.len()], ..Found::default() };
        if let (Some(first), Some(FieldKind::Mnemonic(_))) =
            (found.fields.first_mut(), info.fields.first().map(|field| field.kind))
        {
            *first = Some(FieldValue::Word(word));
        }
        let mut parts = elements(template).filter(|element| *element != Element::Blank).peekable();
        let mut regions = 0;
        let mut ahead = None;
        while let Some(part) = parts.next() {
            let close = match parts.peek() {
                Some(Element::Punct(text)) => text,
                _ => "",
            };
            match part {
                Element::Blank | Element::EndOptional => {}
                Element::Optional => {
                    if !parts.peek().is_some_and(|first| self.begins(info, *first)) {
                        let absent = parts.by_ref().take_while(|part| *part != Element::EndOptional);
                        absent.for_each(|part| found.leave_out(info, part));
                    }
                }
                // The type may follow from the operands.
                Element::Punct(":")
                    if parts.peek() == Some(&Element::Type) && self.is_behind_instruction() =>
                {
                    parts.next();
                }
                Element::Punct(text) => self.expect(text)?,
                Element::Type if self.begins_shape() => found.shape = Some(self.shape()?),
                Element::Type => found.types.push(self.ty()?),
                Element::Types => {
                    found.types = self.items(close, true, Self::ty)?;
                }
                Element::Name => {
                    let name = self.local_name()?;
                    found.names.push(NameList { place: name.1, names: vec![name] });
                }
                Element::Names => {
                    let begin = self.place();
                    let names = self.items(close, false, Self::local_name)?;
                    found.names.push(NameList { names, place: self.since(begin) });
                }
                Element::Field(name) | Element::List(name) => {
                    let Some((index, kind)) = info.field(name) else { continue };
                    if has_braces(part, kind) {
                        found.attributes = Some(self.dictionary_or_definition()?);
                        found.leave_out(info, part);
                        continue;
                    }
                    let value = match part {
                        Element::List(_) => self.list_field(kind, close)?,
                        _ => self.field(kind, close)?,
                    };
                    found.set(index, value);
                }
                Element::Region if found.types.is_empty() && info.results == Results::One => {
                    ahead = Some((self.next, std::mem::take(&mut found.names)));
                    found.place = Some(self.since(begin));
                    self.skip_region()?;
                }
                Element::Region => {
                    let inst = self.created(&mut found, info, begin)?;
                    let region = self.ir[inst].regions.get(regions).copied();
                    regions += 1;
                    if let Some(region) = region {
                        self.named_region(region, std::mem::take(&mut found.names))?;
                    }
                }
            }
        }
        let inst = self.created(&mut found, info, begin)?;
        if let (Some((region_begin, names)), Some(&region)) = (ahead, self.ir[inst].regions.get(regions)) {
            let end = std::mem::replace(&mut self.next, region_begin);
            self.named_region(region, names)?;
            self.next = end;
        }
        Ok(inst)
    }

    /// Passes over a region that stands in front of the type of the result, without which there is no instruction that
    /// could own it.
    fn skip_region(&mut self) -> Result<(), Error> {
        let mut depth = 0_usize;
        loop {
            if self.is("{") {
                depth += 1;
            } else if self.is("}") {
                depth = depth.saturating_sub(1);
            } else if depth == 0 {
                return self.expect("{");
            } else if matches!(self.peek(), Token::End | Token::Invalid) {
                return self.unexpected("an instruction or `}`");
            }
            self.advance();
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// The next token begins an optional part that begins with `first`.
    fn begins(&self, info: &Info, first: Element<'_>) -> bool {
        match first {
            Element::Punct(text) => self.is(text),
            Element::Field(name) | Element::List(name) => {
                info.field(name).is_some_and(|(_, kind)| has_braces(first, kind))
                    && matches!(self.peek(), Token::Punct("{") | Token::Definition(_))
            }
            _ => false,
        }
    }

    /// The instruction, which is made once its fields and types are known.
    fn created(&mut self, found: &mut Found, info: &Info, begin: Location) -> Result<Inst, Error> {
        if let Some(inst) = found.inst {
            return Ok(inst);
        }
        let fields: Option<Vec<FieldValue>> = std::mem::take(&mut found.fields).into_iter().collect();
        let inst = match fields.and_then(info.make) {
            Some(mut op) => {
                if let Some(attributes) = found.attributes.take() {
                    attributes.read(|attributes| op.set_attributes(attributes))?;
                }
                let place = found.place.unwrap_or_else(|| self.since(begin));
                if let Some(shape) = found.shape {
                    found.types.push(self.tile_of_shape(&op, shape)?);
                }
                let inst = self.create(op, &found.types, place)?;
                if found.shape.is_some() {
                    self.open_tiles.extend(self.ir[inst].results.first());
                }
                inst
            }
            // A template that forgets a field; a test of the templates excludes it.
            None => return self.unexpected("a complete instruction"),
        };
        found.inst = Some(inst);
        Ok(inst)
    }

    /// Makes an instruction; result types that are not given follow from the operands.
    fn create(&mut self, op: impl Into<Op>, results: &[Type], location: Location) -> Result<Inst, Error> {
        let op = op.into();
        self.type_literals(&op, results)?;
        self.settle_uses(&op);
        let following = if results.is_empty() { op.result_types(self.ir) } else { None };
        if op.info().results == Results::One && results.is_empty() && following.is_none() {
            return self.unexpected("`:`");
        }
        self.insert(op, following.as_deref().unwrap_or(results), location)
    }

    /// Makes an instruction at the end of the current region.
    pub(super) fn insert(
        &mut self,
        op: impl Into<Op>,
        results: &[Type],
        location: Location,
    ) -> Result<Inst, Error> {
        let inst = self.ir.create(op, results, location)?;
        // At once, so that it is freed with its region should its own regions be refused.
        if let Some(region) = self.current {
            self.ir.insert(inst, Cursor::at_end(region));
        }
        Ok(inst)
    }

    /// A field; a list ends before `close`.
    fn field(&mut self, kind: FieldKind, close: &str) -> Result<FieldValue, Error> {
        Ok(match kind {
            FieldKind::Modifier { words, default } => FieldValue::Word(self.modifier(words, default)?),
            FieldKind::Operand => FieldValue::Operand(self.value()?),
            FieldKind::OptionalOperand => FieldValue::OptionalOperand(Some(self.value()?)),
            FieldKind::Operands if self.is(close) => FieldValue::Operands(Vec::new()),
            FieldKind::Operands => FieldValue::Operands(self.values()?),
            FieldKind::Int { .. } => FieldValue::Int(self.printed_integer()?),
            FieldKind::Constant => FieldValue::Constant(self.literal()?),
            FieldKind::Boundaries { words, .. } => {
                let word = self.modifier(words, Some(Boundary::default() as usize))?;
                let boundary = Boundary::ALL.get(word).copied().unwrap_or_default();
                FieldValue::Boundaries(Boundaries([boundary; 2]))
            }
            FieldKind::Comment => FieldValue::Note(None),
            FieldKind::Mnemonic(_) | FieldKind::Attributes { .. } | FieldKind::Ints | FieldKind::Extents => {
                return self.unexpected("nothing more");
            }
        })
    }

    /// A field that is a list with at least one item, which ends before `close`.
    fn list_field(&mut self, kind: FieldKind, close: &str) -> Result<FieldValue, Error> {
        match kind {
            FieldKind::Operands => Ok(FieldValue::Operands(self.items(close, false, Self::value)?)),
            FieldKind::Ints => Ok(FieldValue::Ints(self.items(close, false, Self::printed_integer)?)),
            _ => self.field(kind, close),
        }
    }

    fn modifier(&mut self, words: &[&'static str], default: Option<usize>) -> Result<usize, Error> {
        let found = match self.peek() {
            Token::Word(word) => words.iter().position(|candidate| candidate == word),
            _ => None,
        };
        match (found, default) {
            (Some(index), _) => {
                self.advance();
                Ok(index)
            }
            (None, Some(default)) => Ok(default),
            (None, None) => {
                let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                self.unexpected(words.join(" or "))
            }
        }
    }

    fn values(&mut self) -> Result<Vec<Value>, Error> {
        let mut values = vec![self.value()?];
        while self.accept(",") {
            values.push(self.value()?);
        }
        Ok(values)
    }

    pub(super) fn literal(&mut self) -> Result<Constant, Error> {
        let literal = match *self.peek() {
            Token::Word(word @ ("true" | "false")) => Constant::Bool(word == "true"),
            Token::Int(_) | Token::Punct("?") => return self.printed_integer().map(Constant::Int),
            Token::Float(value) => Constant::Float(value),
            Token::Definition(_) => return self.defined_constant(),
            Token::Punct("[") => {
                self.advance();
                let re = self.float()?;
                self.expect(",")?;
                let im = self.float()?;
                self.expect("]")?;
                return Ok(Constant::Complex(re, im));
            }
            _ => return self.unexpected("a constant"),
        };
        self.advance();
        Ok(literal)
    }

    fn float(&mut self) -> Result<f64, Error> {
        let Token::Float(value) = *self.peek() else { return self.unexpected("a floating-point number") };
        self.advance();
        Ok(value)
    }

    // ---- instructions that templates do not cover ----

    fn custom(&mut self, info: &Info) -> Result<Inst, Error> {
        let begin = self.place();
        self.advance();
        match info.spelling {
            "subview" => self.subview(begin),
            "expand" => self.expand(begin),
            "for" => self.for_loop(begin),
            _ => self.unexpected("another instruction"),
        }
    }

    /// An integer, or a value pushed onto `values`.
    fn integer_or_value(&mut self, values: &mut Vec<Value>) -> Result<Extent, Error> {
        match self.peek() {
            Token::Local(_) => {
                values.push(self.value()?);
                Ok(Extent::Dynamic)
            }
            Token::Int(_) | Token::Definition(_) => self.integer().map(Extent::Static),
            _ => self.unexpected("a value (`%…`), an integer or a definition (`$…`)"),
        }
    }

    fn subview(&mut self, begin: Location) -> Result<Inst, Error> {
        let of = self.value()?;
        self.expect("[")?;
        let mut view = Subview {
            of,
            static_offsets: Vec::new(),
            static_sizes: Vec::new(),
            offsets: Vec::new(),
            sizes: Vec::new(),
        };
        if !self.accept("]") {
            loop {
                let offset = self.integer_or_value(&mut view.offsets)?;
                view.static_offsets.push(offset);
                let size = if self.accept(":") {
                    self.integer_or_value(&mut view.sizes)?
                } else {
                    Extent::Static(0)
                };
                view.static_sizes.push(size);
                if self.accept("]") {
                    break;
                }
                if !self.accept(",") {
                    return self.unexpected("`:`, `,` or `]`");
                }
            }
        }
        let types = self.type_of_view()?;
        self.create(view, &types, self.since(begin))
    }

    fn expand(&mut self, begin: Location) -> Result<Inst, Error> {
        let of = self.value()?;
        self.expect("[")?;
        let mode = self.integer()?;
        self.expect("->")?;
        let mut sizes = Vec::new();
        let mut static_shape = vec![self.integer_or_value(&mut sizes)?];
        self.expect("x")?;
        static_shape.push(self.integer_or_value(&mut sizes)?);
        while self.accept("x") {
            static_shape.push(self.integer_or_value(&mut sizes)?);
        }
        if !self.accept("]") {
            return self.unexpected("`x` or `]`");
        }
        let types = self.type_of_view()?;
        self.create(Expand { of, mode, static_shape, sizes }, &types, self.since(begin))
    }

    /// The type of a view, which may follow from the operands.
    fn type_of_view(&mut self) -> Result<Vec<Type>, Error> {
        if self.accept(":") { Ok(vec![self.ty()?]) } else { Ok(Vec::new()) }
    }

    fn for_loop(&mut self, begin: Location) -> Result<Inst, Error> {
        let variable = self.local_name()?;
        self.expect("=")?;
        let from = self.value()?;
        self.expect(",")?;
        let to = self.value()?;
        let step = if self.accept(",") { Some(self.value()?) } else { None };
        let carried_begin = self.place();
        let (mut names, mut init, mut types) = (Vec::new(), Vec::new(), Vec::new());
        if self.accept("init") {
            self.expect("(")?;
            for (name, value) in self.list(")", false, Self::carried_value)? {
                names.push(name);
                init.push(value);
            }
            if self.accept("->") {
                self.expect("(")?;
                types = self.list(")", false, Self::ty)?;
            }
        }
        let carried = self.since(carried_begin);
        let attributes = ForAttributes::default();
        let inst = self.create(For { from, to, step, init, attributes }, &types, self.since(begin))?;
        let Some(&region) = self.ir[inst].regions.first() else { return Ok(inst) };
        let parameters = self.ir[region].parameters.clone();
        self.values.open();
        let places = std::iter::once(variable.1).chain(std::iter::repeat(carried));
        for (((name, _), place), value) in std::iter::once(variable).chain(names).zip(places).zip(parameters)
        {
            self.bind(name, place, place, value)?;
        }
        self.region(region)?;
        self.values.close();
        if self.accept("attributes") {
            let located = self.dictionary_or_definition()?;
            located.read(|attributes| self.ir.update(inst, |op| op.set_attributes(attributes)))?;
        }
        Ok(inst)
    }

    fn carried_value(&mut self) -> Result<((Name, Location), Value), Error> {
        let name = self.local_name()?;
        self.expect("=")?;
        Ok((name, self.value()?))
    }

    /// A region whose parameters are named by equally long lists.
    fn named_region(&mut self, region: Region, lists: Vec<NameList>) -> Result<(), Error> {
        let parameters = self.ir[region].parameters.clone();
        self.values.open();
        let each = parameters.len() / lists.len().max(1);
        for (list, values) in lists.into_iter().zip(parameters.chunks(each.max(1))) {
            self.bind_all(list.names, list.place, values)?;
        }
        self.region(region)?;
        self.values.close();
        Ok(())
    }
}
