//! Attributes (language reference 3.5).

use super::super::error::Error;
use super::super::lexer::Token;
use super::Parser;
use crate::diagnostics::Location;
use crate::ir::{Attribute, AttributeError, Dictionary, Text, VerifierError, attribute_names};
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
            _ => return self.unexpected("an attribute"),
        };
        self.advance();
        Ok(attribute)
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
