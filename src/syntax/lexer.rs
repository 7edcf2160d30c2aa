//! Tokens (language reference 1).

use super::error::{Error, is_part_of_word};
use super::number::{self, Kind};
use crate::diagnostics::{Location, Position, SourceId, is_similar};
use crate::ir::{AddressSpace, FieldKind, MatrixUse, Scalar, TABLE, Text, WITHOUT_TOKEN, attribute_names};
use std::sync::LazyLock;

/// A token without its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// `%name`
    Local(Name),
    /// `@name`
    Global(String),
    /// `$name`
    Definition(String),
    /// Integer constant.
    Int(i64),
    /// Floating constant.
    Float(f64),
    /// String constant, without quotes.
    String(Text),
    /// A reserved word, with its dot or exclamation mark if it has one.
    Word(&'static str),
    /// Punctuation.
    Punct(&'static str),
    /// End of the source.
    End,
    /// Text that is no token.
    Invalid,
}

/// A local identifier: named, or a number whose spelling does not matter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Name {
    Named(String),
    Number(i64),
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Name::Named(name) => write!(f, "%{name}"),
            Name::Number(number) => write!(f, "%{number}"),
        }
    }
}

/// As a message shows it: words in back quotes, classes of tokens by name.
impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Local(name) => write!(f, "`{name}`"),
            Token::Global(name) => write!(f, "`@{name}`"),
            Token::Definition(name) => write!(f, "`${name}`"),
            Token::Int(value) => write!(f, "`{value}`"),
            Token::Float(_) => f.write_str("a floating-point number"),
            Token::String(_) => f.write_str("a string"),
            Token::Word(word) | Token::Punct(word) => write!(f, "`{word}`"),
            Token::End => f.write_str("end of file"),
            Token::Invalid => f.write_str("no token"),
        }
    }
}

const STRUCTURE: &[&str] = &[
    "func",
    "attributes",
    "init",
    "as",
    "else",
    "offset",
    "strided",
    "swizzle",
    "bool",
    "memref",
    "group",
    "coopmatrix",
    "tile",
    "from",
    "mask",
    "other",
    "true",
    "false",
    "x",
    "!calc",
];

const PUNCTUATION: &[&str] =
    &["->", "<=", "=", ",", ":", "(", ")", "{", "}", "<", ">", "[", "]", "?", "^", "-", "+", "*", "/", "%"];

/// Every reserved word, longest first, so that the first match is the longest.
static WORDS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut words: Vec<&str> = Vec::new();
    words.extend(STRUCTURE);
    words.extend(attribute_names());
    words.extend(Scalar::ALL.iter().map(|scalar| scalar.spelling()));
    words.extend(AddressSpace::ALL.iter().map(|space| space.spelling()));
    words.extend(MatrixUse::ALL.iter().map(|usage| usage.spelling()));
    for info in TABLE {
        words.extend(info.mnemonics().iter().filter(|word| !WITHOUT_TOKEN.contains(word)));
        for field in info.fields {
            if let FieldKind::Modifier { words: modifiers, .. }
            | FieldKind::Boundaries { words: modifiers, .. } = field.kind
            {
                words.extend(modifiers.iter().filter(|word| !word.is_empty()));
            }
        }
    }
    words.sort_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
    words.dedup();
    words
});

/// Every reserved word, longest first.
pub fn reserved_words() -> &'static [&'static str] {
    &WORDS
}

/// The tokens of a text with their places; the last one is [`Token::End`], or [`Token::Invalid`] with the
/// error that it stands for. An error before it in the text comes first, so it is up to the parser to
/// report it.
pub(super) fn tokenize(source: SourceId, text: &[u8]) -> (Vec<(Token, Location)>, Option<Error>) {
    let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
    let mut lexer = Lexer { source, text, rest: text, position: Position { line: 1, column: 1 } };
    let mut tokens = Vec::new();
    if text.starts_with(b"\xef\xbb\xbf") {
        lexer.take(3);
    }
    loop {
        match lexer.next() {
            Ok((Token::End, place)) => {
                tokens.push((Token::End, place));
                return (tokens, None);
            }
            Ok(token) => tokens.push(token),
            Err(error) => {
                tokens.push((Token::Invalid, lexer.here()));
                return (tokens, Some(error));
            }
        }
    }
}

struct Lexer<'a> {
    source: SourceId,
    text: &'a [u8],
    rest: &'a [u8],
    position: Position,
}

impl<'a> Lexer<'a> {
    fn next(&mut self) -> Result<(Token, Location), Error> {
        self.skip_blanks();
        let begin = self.position;
        let Some(&first) = self.rest.first() else {
            return Ok((Token::End, self.since(begin)));
        };
        let token = match first {
            b'%' | b'@' | b'$' if self.name_length() > 0 => self.identifier(first)?,
            b'"' => self.string()?,
            b'0'..=b'9' | b'.' | b'+' | b'-' if number::scan(self.rest).is_some() => self.number()?,
            _ => self.word()?,
        };
        Ok((token, self.since(begin)))
    }

    fn since(&self, begin: Position) -> Location {
        Location { source: self.source, begin, end: self.position }
    }

    /// The place of a single byte.
    fn here(&self) -> Location {
        let begin = self.position;
        let end = Position { column: begin.column + 1, ..begin };
        Location { source: self.source, begin, end }
    }

    /// Error for text that starts no token. Of a word all is shown, also what is a token before the text (`div` of
    /// `divide`); of other text its first character.
    fn unknown(&self) -> Error {
        const MAX_BYTES: usize = 40;
        let location = self.here();
        let in_word = |byte: &&u8| is_part_of_word(char::from(**byte));
        let behind = self.rest.iter().take(MAX_BYTES).take_while(in_word).count();
        if behind == 0 {
            let shown = self.rest.get(..self.rest.len().min(4)).unwrap_or_default();
            let text = String::from_utf8_lossy(shown).chars().take(1).collect();
            return Error::UnknownToken { text, similar: None, location };
        }
        let place = self.text.len() - self.rest.len();
        let before = self.text.get(..place).unwrap_or_default();
        let mut start = place - before.iter().rev().take(MAX_BYTES).take_while(in_word).count();
        // What belongs to a name is no part of the word.
        if before.get(..start).is_some_and(|before| before.ends_with(b"%") || before.ends_with(b"@")) {
            start = place;
        }
        let word = self.text.get(start..place + behind).unwrap_or_default();
        let text = String::from_utf8_lossy(word).into_owned();
        let lower = text.to_ascii_lowercase();
        let is_start = |known: &&&str| start < place && known.len() > 1 && text.starts_with(**known);
        let is_near = |known: &&&str| lower == **known || is_similar(&text, known);
        let similar = WORDS.iter().find(is_near).or_else(|| WORDS.iter().find(is_start)).copied();
        Error::UnknownToken { text, similar, location }
    }

    fn take(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, &[]));
        self.rest = rest;
        for &byte in taken {
            if byte == b'\n' {
                self.position.line = self.position.line.saturating_add(1);
                self.position.column = 1;
            } else {
                self.position.column = self.position.column.saturating_add(1);
            }
        }
        taken
    }

    /// For names and numbers, which are ASCII.
    fn take_text(&mut self, length: usize) -> String {
        String::from_utf8_lossy(self.take(length)).into_owned()
    }

    fn skip_blanks(&mut self) {
        while let Some(&byte) = self.rest.first() {
            match byte {
                b' ' | b'\t' | b'\x0b' | b'\r' | b'\n' => self.take(1),
                b';' => self.take(self.rest.iter().take_while(|&&byte| byte != b'\n').count()),
                _ => return,
            };
        }
    }

    /// Length of the name behind a sigil: digits, or a letter followed by letters, digits and `_`.
    fn name_length(&self) -> usize {
        let name = self.rest.get(1..).unwrap_or_default();
        match name.first() {
            Some(byte) if byte.is_ascii_digit() => name.iter().take_while(|b| b.is_ascii_digit()).count(),
            Some(byte) if byte.is_ascii_alphabetic() => {
                name.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count()
            }
            _ => 0,
        }
    }

    fn identifier(&mut self, sigil: u8) -> Result<Token, Error> {
        let begin = self.position;
        let length = self.name_length();
        self.take(1);
        let name = self.take_text(length);
        Ok(match sigil {
            b'@' => Token::Global(name),
            b'$' => Token::Definition(name),
            _ if name.starts_with(|c: char| c.is_ascii_digit()) => {
                let number = number::integer(&name).ok_or(Error::IntegerOverflow(self.since(begin)))?;
                Token::Local(Name::Number(number))
            }
            _ => Token::Local(Name::Named(name)),
        })
    }

    fn string(&mut self) -> Result<Token, Error> {
        let here = self.here();
        let content = self.rest.get(1..).unwrap_or_default();
        let length = content.iter().position(|&byte| byte == b'"').ok_or(Error::UnclosedString(here))?;
        self.take(1);
        let text = Text::from(self.take(length));
        self.take(1);
        Ok(Token::String(text))
    }

    fn number(&mut self) -> Result<Token, Error> {
        let begin = self.position;
        let Some(literal) = number::scan(self.rest) else { return Err(self.unknown()) };
        let text = self.take_text(literal.length);
        let place = self.since(begin);
        match literal.kind {
            Kind::Integer => number::integer(&text).map(Token::Int).ok_or(Error::IntegerOverflow(place)),
            Kind::Decimal => number::decimal(&text).map(Token::Float).ok_or(Error::FloatOutOfRange(place)),
            Kind::Hexadecimal => {
                number::hexadecimal(&text).map(Token::Float).ok_or(Error::FloatOutOfRange(place))
            }
        }
    }

    fn word(&mut self) -> Result<Token, Error> {
        const NAMED_FLOATS: &[(&str, f64)] = &[
            ("inf", f64::INFINITY),
            ("+inf", f64::INFINITY),
            ("-inf", f64::NEG_INFINITY),
            ("nan", f64::NAN),
            ("+nan", f64::NAN),
            ("-nan", -f64::NAN),
        ];
        if let Some((text, value)) =
            NAMED_FLOATS.iter().find(|(text, _)| self.rest.starts_with(text.as_bytes()))
        {
            self.take(text.len());
            return Ok(Token::Float(*value));
        }
        let starts = |word: &&&str| self.rest.starts_with(word.as_bytes());
        if let Some(&word) = WORDS.iter().find(starts) {
            self.take(word.len());
            return Ok(Token::Word(word));
        }
        if let Some(&punct) = PUNCTUATION.iter().find(starts) {
            self.take(punct.len());
            return Ok(Token::Punct(punct));
        }
        Err(self.unknown())
    }
}
