//! Instructions: the regular ones by their templates, the others by a function each.

use super::super::error::Error;
use super::super::lexer::{Name, Token};
use super::super::template::{Piece, pieces};
use super::Parser;
use crate::diagnostics::Location;
use crate::ir::{
    Alloca, Constant, CoopmatrixApply, Expand, Extent, FieldKind, FieldValue, For, Foreach, ForeachTile, If,
    Info, Inst, Op, Parallel, Results, Subview, Syntax, TABLE, Type, Value, WITHOUT_TOKEN,
};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Declaration and index among the declaration's words of every mnemonic.
static MNEMONICS: LazyLock<HashMap<&'static str, (&'static Info, usize)>> = LazyLock::new(|| {
    let mut map = HashMap::new();
    for info in TABLE {
        for (i, word) in info.mnemonics().iter().enumerate() {
            if !WITHOUT_TOKEN.contains(word) {
                map.insert(*word, (info, i));
            }
        }
    }
    map
});

/// Names and the place of their list.
struct NameList {
    names: Vec<(Name, Location)>,
    place: Location,
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
            Token::Word(word) => MNEMONICS.get(word).copied(),
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
            Syntax::Own => self.own(info)?,
        };
        if let Some(results) = results {
            let values = self.ir[inst].results.to_vec();
            self.bind_all(results.names, results.place, &values)?;
        }
        Ok(())
    }

    // ---- regular instructions ----

    fn regular(&mut self, info: &Info, word: usize, template: &str) -> Result<Inst, Error> {
        let begin = self.place();
        self.advance();
        let mut fields: Vec<Option<FieldValue>> = vec![None; info.fields.len()];
        if let (Some(first), Some((_, FieldKind::Mnemonic(_)))) = (fields.first_mut(), info.fields.first()) {
            *first = Some(FieldValue::Word(word));
        }
        let mut results = Vec::new();
        let mut parts = pieces(template).filter(|piece| *piece != Piece::Blank).peekable();
        while let Some(part) = parts.next() {
            match part {
                Piece::Blank => {}
                Piece::Punct(text) => self.expect(text)?,
                Piece::Type => results.push(self.ty()?),
                Piece::Field(name) => {
                    let Some((index, kind)) = info.field(name) else { continue };
                    let close = match parts.peek() {
                        Some(Piece::Punct(text)) => text,
                        _ => "",
                    };
                    let value = self.field(kind, close)?;
                    if let Some(slot) = fields.get_mut(index) {
                        *slot = Some(value);
                    }
                }
            }
        }
        let fields: Option<Vec<FieldValue>> = fields.into_iter().collect();
        match fields.and_then(info.make) {
            Some(op) => self.create(op, &results, begin),
            // A template that forgets a field; a test of the templates excludes it.
            None => self.unexpected("a complete instruction"),
        }
    }

    fn create(&mut self, op: impl Into<Op>, results: &[Type], begin: Location) -> Result<Inst, Error> {
        let location = self.since(begin);
        let inst = self.ir.create(op, results, location)?;
        // At once, so that it is freed with its region should its own regions be refused.
        if let Some(region) = self.current {
            self.ir[region].insts.push(inst);
        }
        Ok(inst)
    }

    /// A field; a list ends before `close`.
    fn field(&mut self, kind: FieldKind, close: &str) -> Result<FieldValue, Error> {
        Ok(match kind {
            FieldKind::Modifier { words, default } => FieldValue::Word(self.modifier(words, default)?),
            FieldKind::Operand => FieldValue::Operand(self.value()?),
            FieldKind::Operands if self.is(close) => FieldValue::Operands(Vec::new()),
            FieldKind::Operands => FieldValue::Operands(self.values()?),
            FieldKind::Int => FieldValue::Int(self.printed_integer()?),
            FieldKind::Constant => FieldValue::Constant(self.literal()?),
            FieldKind::Dictionary => FieldValue::Dictionary(match self.peek() {
                Token::Punct("{") | Token::Definition(_) => Some(self.dictionary_or_definition()?),
                _ => None,
            }),
            FieldKind::Mnemonic(_) | FieldKind::Special => return self.unexpected("nothing more"),
        })
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

    fn literal(&mut self) -> Result<Constant, Error> {
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
        let Token::Float(value) = *self.peek() else { return self.unexpected("FLOATING_CONSTANT") };
        self.advance();
        Ok(value)
    }

    // ---- instructions with a syntax of their own ----

    fn own(&mut self, info: &Info) -> Result<Inst, Error> {
        let begin = self.place();
        self.advance();
        match info.spelling {
            "alloca" => self.alloca(begin),
            "subview" => self.subview(begin),
            "expand" => self.expand(begin),
            "for" => self.for_loop(begin),
            "if" => self.branch(begin),
            "parallel" => {
                let inst = self.create(Parallel {}, &[], begin)?;
                self.body_of(inst)
            }
            "foreach" => self.foreach(begin),
            "foreach_tile" => self.foreach_tile(begin),
            "cooperative_matrix_apply" => self.apply(begin),
            _ => self.unexpected("another instruction"),
        }
    }

    fn alloca(&mut self, begin: Location) -> Result<Inst, Error> {
        let FieldValue::Dictionary(attributes) = self.field(FieldKind::Dictionary, "")? else {
            return self.unexpected("a dictionary");
        };
        self.expect(":")?;
        let ty = self.ty()?;
        self.create(Alloca { attributes, stack_ptr: None }, &[ty], begin)
    }

    /// An integer, or a value pushed onto `values`.
    fn integer_or_value(&mut self, values: &mut Vec<Value>) -> Result<Extent, Error> {
        match self.peek() {
            Token::Local(_) => {
                values.push(self.value()?);
                Ok(Extent::Dynamic)
            }
            Token::Int(_) | Token::Definition(_) => self.integer().map(Extent::Static),
            _ => self.unexpected("LOCAL_IDENTIFIER, INTEGER_CONSTANT or DEF_IDENTIFIER"),
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
        self.expect(":")?;
        let ty = self.ty()?;
        self.create(view, &[ty], begin)
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
        self.expect(":")?;
        let ty = self.ty()?;
        self.create(Expand { of, mode, static_shape, sizes }, &[ty], begin)
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
            self.expect("->")?;
            self.expect("(")?;
            types = self.list(")", false, Self::ty)?;
        }
        let carried = self.since(carried_begin);
        let inst = self.create(For { from, to, step, init, attributes: None }, &types, begin)?;
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
            let dictionary = self.dictionary_or_definition()?;
            if let Op::For(data) = &mut self.ir[inst].op {
                data.attributes = Some(dictionary);
            }
        }
        Ok(inst)
    }

    fn carried_value(&mut self) -> Result<((Name, Location), Value), Error> {
        let name = self.local_name()?;
        self.expect("=")?;
        Ok((name, self.value()?))
    }

    fn branch(&mut self, begin: Location) -> Result<Inst, Error> {
        let condition = self.value()?;
        let mut types = Vec::new();
        if self.accept("->") {
            self.expect("(")?;
            types = self.list(")", true, Self::ty)?;
        }
        let inst = self.create(If { condition }, &types, begin)?;
        let regions = self.ir[inst].regions.clone();
        if let [then, otherwise] = regions.as_slice() {
            self.region(*then)?;
            if self.accept("else") {
                self.region(*otherwise)?;
            }
        }
        Ok(inst)
    }

    fn foreach(&mut self, begin: Location) -> Result<Inst, Error> {
        let names = self.name_list()?;
        self.expect("=")?;
        let (from, to) = self.bounds()?;
        let inst = self.create(Foreach { from, to }, &[], begin)?;
        self.body_with(inst, &[names])
    }

    fn foreach_tile(&mut self, begin: Location) -> Result<Inst, Error> {
        let offsets = self.name_list()?;
        self.expect("=")?;
        let (from, to) = self.bounds()?;
        self.expect("as")?;
        let sizes = self.name_list()?;
        self.expect("<=")?;
        self.expect("(")?;
        let tile_shape = self.list(")", false, Self::printed_integer)?;
        let inst = self.create(ForeachTile { from, to, tile_shape }, &[], begin)?;
        self.body_with(inst, &[offsets, sizes])
    }

    /// `(name, …)` and its place.
    fn name_list(&mut self) -> Result<NameList, Error> {
        self.expect("(")?;
        let begin = self.place();
        let names = self.list(")", false, Self::local_name)?;
        let place = names.last().map_or(begin, |(_, last)| begin.to(*last));
        Ok(NameList { names, place })
    }

    /// `(from, …),(to, …)`
    fn bounds(&mut self) -> Result<(Vec<Value>, Vec<Value>), Error> {
        self.expect("(")?;
        let from = self.list(")", false, Self::value)?;
        self.expect(",")?;
        self.expect("(")?;
        Ok((from, self.list(")", false, Self::value)?))
    }

    /// The body of an instruction whose parameters are named by equally long lists.
    fn body_with(&mut self, inst: Inst, lists: &[NameList]) -> Result<Inst, Error> {
        let Some(&region) = self.ir[inst].regions.first() else { return Ok(inst) };
        let parameters = self.ir[region].parameters.clone();
        self.values.open();
        let each = parameters.len() / lists.len().max(1);
        for (list, values) in lists.iter().zip(parameters.chunks(each.max(1))) {
            self.bind_all(list.names.clone(), list.place, values)?;
        }
        self.region(region)?;
        self.values.close();
        Ok(inst)
    }

    fn apply(&mut self, begin: Location) -> Result<Inst, Error> {
        self.expect("(")?;
        let mut names = vec![self.local_name()?];
        for _ in 1..3 {
            self.expect(",")?;
            names.push(self.local_name()?);
        }
        self.expect(")")?;
        self.expect("=")?;
        let matrix = self.value()?;
        self.expect("->")?;
        let ty = self.ty()?;
        let inst = self.create(CoopmatrixApply { matrix }, &[ty], begin)?;
        let lists: Vec<NameList> =
            names.into_iter().map(|name| NameList { place: name.1, names: vec![name] }).collect();
        self.body_with(inst, &lists)
    }

    /// The only region of an instruction.
    fn body_of(&mut self, inst: Inst) -> Result<Inst, Error> {
        if let Some(&region) = self.ir[inst].regions.first() {
            self.region(region)?;
        }
        Ok(inst)
    }
}
