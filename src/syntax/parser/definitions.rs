//! The preprocessor: `$` names for constants, types and attributes (language reference 1.8).

use super::super::error::Error;
use super::super::lexer::Token;
use super::Parser;
use super::attributes::Located;
use super::bound::{Bound, Defined};
use crate::diagnostics::Location;
use crate::ir::{Attribute, Constant, MAX_LEVELS, Type, VerifierError};
use crate::status::Status;
use std::sync::Arc;

/// Limit for the expansion of `$` names in all attributes of a text, counted as [`Attribute::size`] does. A name for
/// two of another name, and so on, would double it with every line.
const MAX_EXPANSION: usize = 1 << 20;

impl Parser<'_> {
    /// `$name = right-hand side`, which has no effect if the name is given from outside, and with a colon, which says that the value
    /// is a default, if it has been defined.
    pub(super) fn definition(&mut self) -> Result<(), Error> {
        let (name, bound, location, is_default) = self.named_bound()?;
        if let Some((_, is_used)) = self.given.get_mut(&name) {
            *is_used = true;
            return Ok(());
        }
        if is_default && self.definitions.get(&name).is_some() {
            return Ok(());
        }
        self.define(name, bound, location)
    }

    /// A definition from outside, which is all of its text.
    pub(super) fn given_definition(&mut self) -> Result<(), Error> {
        let (name, bound, location, _) = self.named_bound()?;
        if *self.peek() != Token::End {
            return self.unexpected("nothing more");
        }
        self.given.insert(name.clone(), (location, false));
        self.define(name, bound, location)
    }

    /// A misspelt name would otherwise leave things as they are without a word.
    pub(super) fn all_given_are_used(&self) -> Result<(), Error> {
        let unused = self.given.iter().find(|(_, (_, is_used))| !is_used);
        unused.map_or(Ok(()), |(name, (location, _))| {
            let name = format!("${name}");
            let similar = self.definitions.similar(&name, |other| format!("${other}"));
            Err(Error::UnusedDefinition { name, similar, location: *location })
        })
    }

    /// The name, its value, their place, and whether the value is a default.
    fn named_bound(&mut self) -> Result<(String, Bound, Location, bool), Error> {
        let begin = self.place();
        let Token::Definition(name) = self.peek().clone() else {
            return self.unexpected("a definition (`$…`)");
        };
        self.advance();
        let is_default = self.accept(":");
        if !is_default && !self.accept("=") {
            return self.unexpected("`=` or `:`");
        }
        let bound = self.definition_value()?;
        Ok((name, bound, self.since(begin), is_default))
    }

    fn define(&mut self, name: String, bound: Bound, location: Location) -> Result<(), Error> {
        if let Some((_, first)) = self.definitions.get(&name) {
            return Err(Error::NameInUse { name: format!("${name}"), location, first: *first });
        }
        self.definitions.insert(name, bound, location);
        Ok(())
    }

    fn definition_value(&mut self) -> Result<Bound, Error> {
        let bound = match self.peek().clone() {
            Token::Word(word @ ("true" | "false")) => Bound::Boolean(word == "true"),
            Token::Float(value) => Bound::Float(value),
            Token::Int(value) => Bound::Integer(value),
            Token::String(text) => Bound::String(text.into()),
            Token::Punct("[" | "{") => {
                let attribute = self.attribute()?;
                let (size, depth) = (attribute.size(), attribute.depth());
                return Ok(Bound::Attribute(Arc::new(Defined { attribute, size, depth })));
            }
            Token::Definition(_) => return self.bound(),
            Token::Word("!calc") => return self.calculator().map(Bound::Integer),
            _ => return self.ty().map(Bound::Type),
        };
        self.advance();
        Ok(bound)
    }

    /// Parses the definition of the next `$` name.
    fn bound(&mut self) -> Result<Bound, Error> {
        let location = self.place();
        let Token::Definition(name) = self.peek().clone() else {
            return self.unexpected("a definition (`$…`)");
        };
        self.advance();
        if let Some((_, is_used)) = self.given.get_mut(&name) {
            *is_used = true;
        }
        match self.definitions.get(&name) {
            Some((bound, _)) => Ok(bound.clone()),
            None => {
                let name = format!("${name}");
                let similar = self.definitions.similar(&name, |other| format!("${other}"));
                Err(Error::Undefined { name, similar, location })
            }
        }
    }

    /// The next `$` name as what `pick` takes.
    fn bound_to<T>(&mut self, expected: &'static str, pick: fn(Bound) -> Option<T>) -> Result<T, Error> {
        let location = self.place();
        let name = self.peek().to_string().trim_matches('`').to_owned();
        let bound = self.bound()?;
        let found = bound.kind();
        pick(bound).ok_or(Error::WrongDefinition { name, found, expected, location })
    }

    /// Returns whether a `$` name that is visible stands for an integer.
    pub(super) fn stands_for_integer(&self, name: &String) -> bool {
        matches!(self.definitions.get(name), Some((Bound::Integer(_), _)))
    }

    pub(super) fn defined_type(&mut self) -> Result<Type, Error> {
        self.bound_to("a type", |bound| if let Bound::Type(ty) = bound { Some(ty) } else { None })
    }

    pub(super) fn defined_constant(&mut self) -> Result<Constant, Error> {
        self.bound_to("a boolean, integer or float", |bound| match bound {
            Bound::Boolean(value) => Some(Constant::Bool(value)),
            Bound::Integer(value) => Some(Constant::Int(value)),
            Bound::Float(value) => Some(Constant::Float(value)),
            _ => None,
        })
    }

    pub(super) fn defined_attribute(&mut self) -> Result<Attribute, Error> {
        let location = self.place();
        let bound = self.bound_to("a boolean, integer, string or attribute", |bound| match bound {
            Bound::Float(_) | Bound::Type(_) => None,
            other => Some(other),
        })?;
        Ok(match bound {
            Bound::Boolean(value) => Attribute::Boolean(value),
            Bound::Integer(value) => Attribute::Integer(value),
            Bound::String(text) => {
                self.expand_name(text.as_bytes().len(), 0, location)?;
                Attribute::String(text.as_ref().to_owned())
            }
            Bound::Attribute(defined) => {
                self.expand_name(defined.size, defined.depth, location)?;
                defined.attribute.clone()
            }
            Bound::Float(_) | Bound::Type(_) => return self.unexpected("an attribute"),
        })
    }

    pub(super) fn defined_dictionary(&mut self) -> Result<Located, Error> {
        let location = self.place();
        let defined = self.bound_to("a dictionary", |bound| match bound {
            Bound::Attribute(defined) if matches!(defined.attribute, Attribute::Dictionary(_)) => {
                Some(defined)
            }
            _ => None,
        })?;
        self.expand_name(defined.size, defined.depth, location)?;
        match &defined.attribute {
            Attribute::Dictionary(dictionary) => Ok(Located::defined(dictionary.clone(), location)),
            _ => self.unexpected("a dictionary"),
        }
    }

    /// Takes note of what a `$` name stands for in an attribute.
    fn expand_name(&mut self, size: usize, depth: usize, location: Location) -> Result<(), Error> {
        if self.depth + depth > MAX_LEVELS {
            return Err(Error::NestingTooDeep { limit: MAX_LEVELS, location });
        }
        self.expansion = self.expansion.saturating_add(size);
        if self.expansion > MAX_EXPANSION {
            let detail = format!("the `$` names stand for attributes of size {MAX_EXPANSION} and more");
            return Err(VerifierError::new(Status::OutOfRange, location, detail).into());
        }
        Ok(())
    }

    /// An integer constant or a `$` name for one.
    pub(super) fn integer(&mut self) -> Result<i64, Error> {
        match *self.peek() {
            Token::Int(value) => {
                self.advance();
                Ok(value)
            }
            Token::Definition(_) => self.bound_to("an integer", |bound| {
                if let Bound::Integer(value) = bound { Some(value) } else { None }
            }),
            _ => self.unexpected("an integer or a definition (`$…`)"),
        }
    }

    /// An integer as it is printed: −2^63, which no literal spells, is `?` (language reference 6.2).
    pub(super) fn printed_integer(&mut self) -> Result<i64, Error> {
        if self.accept("?") { Ok(i64::MIN) } else { self.integer() }
    }

    /// `!calc( … )` in reverse Polish notation; overflow wraps.
    fn calculator(&mut self) -> Result<i64, Error> {
        self.advance();
        self.expect("(")?;
        let mut stack: Vec<(i64, Location)> = Vec::new();
        loop {
            let location = self.place();
            let fail = |message, location| Err(Error::Calculator { message, location });
            match self.peek().clone() {
                Token::Int(_) | Token::Definition(_) => {
                    stack.push((self.integer()?, location));
                }
                Token::Punct(operator @ ("+" | "-" | "*" | "/" | "%" | "^"))
                | Token::Word(operator @ ("min" | "max")) => {
                    let (Some((b, place)), Some((a, first))) = (stack.pop(), stack.pop()) else {
                        return fail("the operator needs two numbers before it", location);
                    };
                    match calculate(operator, a, b) {
                        Ok(result) => stack.push((result, first.to(location))),
                        Err(message) => return fail(message, place),
                    }
                    self.advance();
                }
                Token::Punct(")") => {
                    self.advance();
                    return match stack.as_slice() {
                        &[(result, _)] => Ok(result),
                        [] => fail("the expression is empty", location),
                        _ => fail("an operator is missing: more than one number is left", location),
                    };
                }
                _ => return self.unexpected("a number, an operator or `)`"),
            }
        }
    }
}

fn calculate(operator: &str, a: i64, b: i64) -> Result<i64, &'static str> {
    Ok(match operator {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" | "%" if b == 0 => return Err("division by zero"),
        "/" => a.wrapping_div(b),
        "%" => a.wrapping_rem(b),
        "min" => a.min(b),
        "max" => a.max(b),
        _ if b < 0 => return Err("negative exponent"),
        _ => power(a, b),
    })
}

/// a^b for b ≥ 0, wrapping.
fn power(mut a: i64, mut b: i64) -> i64 {
    let mut result = 1i64;
    while b > 0 {
        if b & 1 == 1 {
            result = result.wrapping_mul(a);
        }
        a = a.wrapping_mul(a);
        b >>= 1;
    }
    result
}
