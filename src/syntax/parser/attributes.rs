//! Attributes (language reference 3.5).

use super::super::error::Error;
use super::super::lexer::Token;
use super::Parser;
use crate::diagnostics::Location;
use crate::ir::{Attribute, AttributeError, Dictionary, GridOp, Text, VerifierError, attribute_names};
use crate::status::Status;

/// A dictionary and its place.
pub(super) struct Located {
    pub(super) dictionary: Dictionary,
    place: Location,
    /// The entries that stand there themselves, with their places.
    entries: Vec<(Text, Location)>,
}

impl Located {
    /// A dictionary that a `$` name stands for.
    pub(super) fn defined(dictionary: Dictionary, place: Location) -> Located {
        Located { dictionary, place, entries: Vec::new() }
    }

    /// Reads attributes; an error is about the place of the attribute.
    pub(super) fn read<T>(
        &self,
        read: impl FnOnce(Option<&Dictionary>) -> Result<T, AttributeError>,
    ) -> Result<T, Error> {
        read(Some(&self.dictionary)).map_err(|error| {
            let entry = self.entries.iter().find(|(key, _)| key.as_bytes() == error.key());
            Error::Attribute { location: entry.map_or(self.place, |(_, place)| *place), error }
        })
    }
}

impl Parser<'_> {
    pub(super) fn attribute(&mut self) -> Result<Attribute, Error> {
        let attribute = match self.peek().clone() {
            Token::Punct("[") => {
                self.advance();
                return self.nested(|parser| parser.list("]", true, Self::attribute)).map(Attribute::Array);
            }
            Token::Punct("{") => {
                return self.dictionary().map(|located| Attribute::Dictionary(located.dictionary));
            }
            Token::Definition(_) => return self.defined_attribute(),
            Token::Word(word @ ("true" | "false")) => Attribute::Boolean(word == "true"),
            Token::Int(_) | Token::Punct("?") => return self.printed_integer().map(Attribute::Integer),
            Token::String(text) => Attribute::String(text),
            Token::Local(_) => return self.expression().map(Attribute::String),
            Token::Word(word) if GridOp::from_spelling(word).is_some() => {
                return self.expression().map(Attribute::String);
            }
            _ => return self.unexpected("an attribute"),
        };
        self.advance();
        Ok(attribute)
    }

    /// An expression of arguments like `cdiv(%A[0],$rows)`, which is another spelling of the string of the same content.
    fn expression(&mut self) -> Result<Text, Error> {
        let (mut text, mut depth) = (String::new(), 0_usize);
        loop {
            match self.peek().clone() {
                Token::Local(name) => text.push_str(&name.to_string()),
                Token::Word(word) => text.push_str(word),
                Token::Punct(open @ ("(" | "[")) => {
                    depth += 1;
                    text.push_str(open);
                }
                Token::Punct(close @ (")" | "]")) if depth > 0 => {
                    depth -= 1;
                    text.push_str(close);
                }
                Token::Punct(",") if depth > 0 => text.push(','),
                Token::Int(number) if depth > 0 => text.push_str(&number.to_string()),
                Token::Definition(_) if depth > 0 => match self.defined_attribute()?.integer() {
                    Some(number) => {
                        text.push_str(&number.to_string());
                        continue;
                    }
                    None => return self.unexpected("a `$` name of an integer in front of it"),
                },
                _ => return self.unexpected("an expression of sizes and integers"),
            }
            self.advance();
            if depth == 0 && !matches!(self.peek(), Token::Punct("(" | "[")) {
                return Ok(Text::from(text.as_str()));
            }
        }
    }

    pub(super) fn dictionary_or_definition(&mut self) -> Result<Located, Error> {
        match self.peek() {
            Token::Definition(_) => self.defined_dictionary(),
            _ => self.dictionary(),
        }
    }

    fn dictionary(&mut self) -> Result<Located, Error> {
        let begin = self.place();
        self.expect("{")?;
        let list = self.nested(|parser| parser.list("}", true, Self::named_attribute))?;
        let place = self.since(begin);
        let entries = list.iter().map(|((key, _), place)| (key.clone(), *place)).collect();
        let distinct = Dictionary::of_distinct(list.into_iter().map(|(entry, _)| entry));
        let dictionary = distinct
            .map_err(|key| VerifierError::new(Status::IrDuplicateKeyInDictionary, place, key.to_string()))?;
        Ok(Located { dictionary, place, entries })
    }

    fn named_attribute(&mut self) -> Result<((Text, Attribute), Location), Error> {
        let begin = self.place();
        let key = match self.peek().clone() {
            Token::Word(word) if attribute_names().any(|name| name == word) => Text::from(word),
            Token::String(text) => text,
            _ => return self.unexpected("the name of an attribute, or a string"),
        };
        self.advance();
        self.expect("=")?;
        let attribute = self.attribute()?;
        Ok(((key, attribute), self.since(begin)))
    }
}
