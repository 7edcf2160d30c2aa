//! Attributes (language reference 3.5).

use super::super::error::Error;
use super::super::lexer::Token;
use super::Parser;
use crate::ir::attributes::KEYWORDS;
use crate::ir::{Attribute, Dictionary, Text, VerifierError};
use crate::status::Status;

impl Parser<'_> {
    pub(super) fn attribute(&mut self) -> Result<Attribute, Error> {
        let attribute = match self.peek().clone() {
            Token::Punct("[") => {
                self.advance();
                return self.nested(|parser| parser.list("]", true, Self::attribute)).map(Attribute::Array);
            }
            Token::Punct("{") => return self.dictionary().map(Attribute::Dictionary),
            Token::Definition(_) => return self.defined_attribute(),
            Token::Word(word @ ("true" | "false")) => Attribute::Boolean(word == "true"),
            Token::Int(_) | Token::Punct("?") => return self.printed_integer().map(Attribute::Integer),
            Token::String(text) => Attribute::String(text),
            _ => return self.unexpected("an attribute"),
        };
        self.advance();
        Ok(attribute)
    }

    pub(super) fn dictionary_or_definition(&mut self) -> Result<Dictionary, Error> {
        match self.peek() {
            Token::Definition(_) => self.defined_dictionary(),
            _ => self.dictionary(),
        }
    }

    fn dictionary(&mut self) -> Result<Dictionary, Error> {
        let begin = self.place();
        self.expect("{")?;
        let entries = self.nested(|parser| parser.list("}", true, Self::named_attribute))?;
        Dictionary::of_distinct(entries).map_err(|key| {
            let status = Status::IrDuplicateKeyInDictionary;
            VerifierError::new(status, self.since(begin), key.to_string()).into()
        })
    }

    fn named_attribute(&mut self) -> Result<(Text, Attribute), Error> {
        let key = match self.peek().clone() {
            Token::Word(word) if KEYWORDS.contains(&word) => Text::from(word),
            Token::String(text) => text,
            _ => return self.unexpected("the name of an attribute, or a string"),
        };
        self.advance();
        self.expect("=")?;
        Ok((key, self.attribute()?))
    }
}
