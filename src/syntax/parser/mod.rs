//! The parser: tokens to IR. It stops at the first error.

mod attributes;
mod bound;
mod definitions;
mod instructions;
mod literals;
mod scope;
mod types;

use self::bound::Definitions;
use self::scope::Scope;
use super::error::Error;
use super::lexer::{Name, Token, tokenize};
use crate::diagnostics::{Location, SourceId};
use crate::ir::{
    AttributeSet as _, FunctionAttributes, Ir, MAX_LEVELS, ParameterAttributes, Program, Region, Type, Value,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Parses `text`, which is known as `source`, into functions of `ir`.
///
/// # Errors
/// The first lexical, syntax or type error; nothing is left in `ir` then.
pub fn parse(ir: &mut Ir, source: SourceId, text: &[u8]) -> Result<Program, Error> {
    parse_with(ir, &[], source, text)
}

/// Parses like [`parse`], with definitions from outside, each a source such as `$n = 4`: they take the place of those
/// that the text has for the same names.
///
/// # Errors
/// Those of [`parse`], for the definitions, too; [`Error::UnusedDefinition`].
pub fn parse_with(
    ir: &mut Ir,
    definitions: &[(SourceId, &[u8])],
    source: SourceId,
    text: &[u8],
) -> Result<Program, Error> {
    let mut parser = Parser {
        ir,
        tokens: Vec::new(),
        lexical_error: None,
        next: 0,
        values: Scope::default(),
        definitions: Definitions::default(),
        given: BTreeMap::new(),
        functions: HashMap::new(),
        program: Program::default(),
        depth: 0,
        expansion: 0,
        current: None,
        literals: Vec::new(),
        open_tiles: HashSet::new(),
    };
    let outcome = definitions
        .iter()
        .try_for_each(|&(source, text)| {
            parser.read(source, text);
            parser.given_definition()
        })
        .and_then(|()| {
            parser.read(source, text);
            parser.program()
        })
        .and_then(|()| parser.all_given_are_used());
    let program = parser.program;
    match outcome {
        Ok(()) => Ok(program),
        Err(error) => {
            ir.remove(&program);
            Err(error)
        }
    }
}

struct Parser<'a> {
    ir: &'a mut Ir,
    tokens: Vec<(Token, Location)>,
    /// Error of the last token, if it is invalid.
    lexical_error: Option<Error>,
    next: usize,
    values: Scope<Name, Value>,
    definitions: Definitions,
    /// The names that are defined from outside, with the places of their definitions, and whether the text has them.
    given: BTreeMap<String, (Location, bool)>,
    functions: HashMap<String, Location>,
    program: Program,
    /// Regions and attribute lists around the current token.
    depth: usize,
    /// Size of what `$` names stood for in attributes so far.
    expansion: usize,
    /// The region that new instructions go to.
    current: Option<Region>,
    /// Constants that stand for the literals among the operands of the instruction that is being read.
    literals: Vec<Literal>,
    /// Tiles of which the text has the shape alone, and that no instruction has taken yet.
    open_tiles: HashSet<Value>,
}

impl Parser<'_> {
    // ---- tokens ----

    /// Turns to a text.
    fn read(&mut self, source: SourceId, text: &[u8]) {
        (self.tokens, self.lexical_error) = tokenize(source, text);
        self.next = 0;
    }

    fn peek(&self) -> &Token {
        self.tokens.get(self.next).map_or(&Token::End, |(token, _)| token)
    }

    /// The place of the next token.
    fn place(&self) -> Location {
        self.tokens.get(self.next).or(self.tokens.last()).map(|(_, place)| *place).unwrap_or_default()
    }

    /// From `begin` to the last token taken.
    fn since(&self, begin: Location) -> Location {
        let last = self.next.checked_sub(1).and_then(|last| self.tokens.get(last));
        last.map_or(begin, |(_, place)| begin.to(*place))
    }

    fn advance(&mut self) {
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
        }
    }

    fn unexpected<T>(&self, expected: impl Into<String>) -> Result<T, Error> {
        if let (Token::Invalid, Some(error)) = (self.peek(), &self.lexical_error) {
            return Err(error.clone());
        }
        let found = self.torn_word().unwrap_or_else(|| self.peek().to_string());
        Err(Error::Unexpected { expected: expected.into(), found, location: self.place() })
    }

    /// Description of a word whose start is the next token and whose rest is none, as `not` of `nothing`.
    fn torn_word(&self) -> Option<String> {
        let (token, place) = self.tokens.get(self.next)?;
        let (behind, rest) = self.tokens.get(self.next + 1)?;
        match (&self.lexical_error, token, behind) {
            (Some(Error::UnknownToken { text, .. }), Token::Word(_), Token::Invalid)
                if rest.begin == place.end =>
            {
                Some(format!("the unknown word `{text}`"))
            }
            _ => None,
        }
    }

    fn is(&self, text: &str) -> bool {
        matches!(self.peek(), Token::Punct(word) | Token::Word(word) if *word == text)
    }

    /// Takes a word or punctuation if it is next.
    fn accept(&mut self, text: &str) -> bool {
        let found = self.is(text);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, text: &str) -> Result<(), Error> {
        if self.accept(text) { Ok(()) } else { self.unexpected(format!("`{text}`")) }
    }

    /// `item, item, … close`, possibly empty if `may_be_empty`.
    fn list<T>(
        &mut self,
        close: &str,
        may_be_empty: bool,
        item: fn(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let items = self.items(close, may_be_empty, item)?;
        self.expect(close)?;
        Ok(items)
    }

    /// The same, but `close` remains the next token.
    fn items<T>(
        &mut self,
        close: &str,
        may_be_empty: bool,
        item: fn(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let mut items = Vec::new();
        if may_be_empty && self.is(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.is(close) {
                return Ok(items);
            }
            if !self.accept(",") {
                return self.unexpected(format!("`,` or `{close}`"));
            }
        }
    }

    /// Guards the stack: runs `f` one level deeper.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if self.depth == MAX_LEVELS {
            return Err(Error::NestingTooDeep { limit: MAX_LEVELS, location: self.place() });
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    // ---- names ----

    fn local_name(&mut self) -> Result<(Name, Location), Error> {
        let place = self.place();
        match self.peek().clone() {
            Token::Local(name) => {
                self.advance();
                Ok((name, place))
            }
            _ => self.unexpected("a value (`%…`)"),
        }
    }

    /// An operand: a name, or a literal.
    fn value(&mut self) -> Result<Value, Error> {
        if !matches!(self.peek(), Token::Local(_)) && self.begins_literal() {
            return self.literal_operand();
        }
        let (name, location) = self.local_name()?;
        match self.values.get(&name) {
            Some((value, _)) => Ok(*value),
            None => {
                let name = name.to_string();
                let similar = self.values.similar(&name, ToString::to_string);
                Err(Error::Undefined { name, similar, location })
            }
        }
    }

    /// Makes a value visible under a name; `used_at` is the place an error points at.
    fn bind(&mut self, name: Name, place: Location, used_at: Location, value: Value) -> Result<(), Error> {
        if let Some((_, first)) = self.values.get(&name) {
            return Err(Error::NameInUse { name: name.to_string(), location: used_at, first: *first });
        }
        let data = &mut self.ir[value];
        match &name {
            Name::Named(text) => data.name = Some(text.clone()),
            Name::Number(number) => data.number = Some(*number),
        }
        data.location = place;
        self.values.insert(name, value, place);
        Ok(())
    }

    /// Makes values visible; their number must be that of the names.
    fn bind_all(
        &mut self,
        names: Vec<(Name, Location)>,
        list: Location,
        values: &[Value],
    ) -> Result<(), Error> {
        if names.len() != values.len() {
            return Err(Error::NameCount { names: names.len(), values: values.len(), location: list });
        }
        for ((name, _), &value) in names.into_iter().zip(values) {
            self.bind(name, list, list, value)?;
        }
        Ok(())
    }

    // ---- program ----

    fn program(&mut self) -> Result<(), Error> {
        loop {
            match self.peek() {
                // Definitions alone are a program, nothing at all is none (language reference 2).
                Token::End if self.next > 0 => return Ok(()),
                Token::Definition(_) => self.definition()?,
                Token::Word("func") => self.function()?,
                _ => return self.unexpected("`func` or a definition, as in `$n = 4`"),
            }
        }
    }

    fn function(&mut self) -> Result<(), Error> {
        let begin = self.place();
        self.expect("func")?;
        let Token::Global(name) = self.peek().clone() else {
            return self.unexpected("a name of a function (`@…`)");
        };
        self.advance();
        self.expect("(")?;
        // A stray comma is accepted before the first parameter, but not instead of it (language reference 2).
        let stray_comma = self.accept(",");
        let parameters = self.list(")", !stray_comma, Self::parameter)?;
        let location = self.since(begin);
        if let Some(first) = self.functions.get(&name) {
            return Err(Error::NameInUse { name: format!("@{name}"), location, first: *first });
        }
        self.functions.insert(name.clone(), location);

        let types: Vec<Type> = parameters.iter().map(|parameter| parameter.ty.clone()).collect();
        let func = self.ir.create_function(&name, &types, location);
        self.program.functions.push(func);
        let body = self.ir[func].body;
        self.ir[func].parameter_attributes =
            parameters.iter().map(|parameter| parameter.attributes.clone()).collect();
        self.values.open();
        for (parameter, value) in parameters.into_iter().zip(self.ir[body].parameters.clone()) {
            self.bind(parameter.name, parameter.place, parameter.place, value)?;
        }
        if self.accept("attributes") {
            let given = self.dictionary_or_definition()?;
            self.ir[func].attributes = given.read(FunctionAttributes::of)?;
            given.read(|_| self.ir.check_grid(func))?;
        }
        self.region(body)?;
        self.values.close();
        Ok(())
    }

    fn parameter(&mut self) -> Result<Parameter, Error> {
        let (name, place) = self.local_name()?;
        self.expect(":")?;
        let ty = self.ty()?;
        let attributes = match self.peek() {
            Token::Punct("{") | Token::Definition(_) => {
                self.dictionary_or_definition()?.read(ParameterAttributes::of)?
            }
            _ => ParameterAttributes::default(),
        };
        Ok(Parameter { name, place, ty, attributes })
    }

    /// `{ … }` into a region whose parameters are bound already.
    fn region(&mut self, region: Region) -> Result<(), Error> {
        self.nested(|parser| {
            parser.expect("{")?;
            let around = parser.current.replace(region);
            parser.values.open();
            parser.definitions.open();
            while !parser.accept("}") {
                match parser.peek() {
                    Token::Definition(_) => parser.definition()?,
                    Token::End => return parser.unexpected("an instruction or `}`"),
                    _ => parser.instruction()?,
                }
            }
            parser.definitions.close();
            parser.values.close();
            parser.current = around;
            Ok(())
        })
    }
}

/// A literal in place of an operand.
struct Literal {
    /// The constant, whose type is not known before the instruction.
    value: Value,
    /// As a message shows it.
    shown: String,
    place: Location,
}

struct Parameter {
    name: Name,
    place: Location,
    ty: Type,
    attributes: ParameterAttributes,
}
