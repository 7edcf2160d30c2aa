//! Errors of refused texts (language reference 7.2).

use crate::diagnostics::{Diagnostic, Location};
use crate::ir::{AttributeError, VerifierError};
use crate::status::Status;

/// The first error of a text.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A byte that starts no token.
    #[error("{}{}", unknown(text), did_you_mean(similar.map(|word| format!("`{word}`")).as_deref()))]
    UnknownToken {
        /// The character, or the word that it is part of.
        text: String,
        /// A word of the language that is nearly the same, or that the text begins with.
        similar: Option<&'static str>,
        /// Its first byte.
        location: Location,
    },
    /// A string without its closing quote.
    #[error("the string is not closed")]
    UnclosedString(Location),
    /// An integer beyond ±(2^63−1).
    #[error("integer does not fit into 64 bits")]
    IntegerOverflow(Location),
    /// A floating constant that overflows or loses digits to underflow.
    #[error("floating constant is out of the range of a double")]
    FloatOutOfRange(Location),
    /// A token that cannot stand where it stands.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// Tokens that could have stood there.
        expected: String,
        /// Token that stands there.
        found: String,
        /// Place.
        location: Location,
    },
    /// A name that is visible already.
    #[error("{name} is already in use")]
    NameInUse {
        /// The name with its sigil.
        name: String,
        /// Place of the second use.
        location: Location,
        /// Place of the first use.
        first: Location,
    },
    /// A name that is not visible.
    #[error("{name} is not defined here{}", did_you_mean(similar.as_deref()))]
    Undefined {
        /// The name with its sigil.
        name: String,
        /// A name with its sigil that is visible and nearly the same.
        similar: Option<String>,
        /// Place.
        location: Location,
    },
    /// A definition from outside of a `$` name that the text does not have.
    #[error("the program has no {name}{}", did_you_mean(similar.as_deref()))]
    UnusedDefinition {
        /// The name with its sigil.
        name: String,
        /// A name with its sigil that the text has and is nearly the same.
        similar: Option<String>,
        /// Place of the definition.
        location: Location,
    },
    /// A `$` name bound to something else than what is needed.
    #[error("{name} is {found}, but {expected} is needed here")]
    WrongDefinition {
        /// The name with its sigil.
        name: String,
        /// Kind of thing it is bound to.
        found: &'static str,
        /// Kind of thing that is needed.
        expected: &'static str,
        /// Place.
        location: Location,
    },
    /// A calculator expression without a result.
    #[error("{message}")]
    Calculator {
        /// Description of the problem.
        message: &'static str,
        /// Place.
        location: Location,
    },
    /// More or fewer names than results or bounds.
    #[error("wrong number of names: {names} instead of {values}")]
    NameCount {
        /// Names that are given.
        names: usize,
        /// Values that are to be named.
        values: usize,
        /// The list of names.
        location: Location,
    },
    /// Regions in regions beyond what the parser follows.
    #[error("more than {limit} levels of nesting")]
    NestingTooDeep {
        /// The limit.
        limit: usize,
        /// Place where it is passed.
        location: Location,
    },
    /// An attribute that what it stands at does not have, or that is malformed.
    #[error("{error}")]
    Attribute {
        /// The attribute and what is wrong with it.
        error: AttributeError,
        /// Place of the attribute, or of the `$` name that brings it.
        location: Location,
    },
    /// A broken rule of the language.
    #[error(transparent)]
    Rule(#[from] VerifierError),
}

/// Description of a text that is no token.
fn unknown(text: &str) -> String {
    match text {
        "%" | "@" | "$" => format!("`{text}` without a name; a name follows without a blank"),
        _ if text.starts_with(is_part_of_word) => format!("unknown word `{text}`"),
        _ => format!("unknown character `{text}`"),
    }
}

/// Returns whether a character can be part of a word.
pub(super) fn is_part_of_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '!')
}

fn did_you_mean(similar: Option<&str>) -> String {
    similar.map_or(String::new(), |name| format!("; did you mean {name}?"))
}

impl Error {
    /// The status of the failure: `parse_error` for all but malformed attributes (language reference 3.5).
    pub fn status(&self) -> Status {
        match self {
            Error::Rule(error) if error.status == Status::IrDuplicateKeyInDictionary => error.status,
            Error::Attribute { error: AttributeError::Malformed { status, .. }, .. } => *status,
            _ => Status::ParseError,
        }
    }

    /// The error and its notes.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let main = |location: &Location| Diagnostic::new(self.to_string(), *location);
        match self {
            Error::UnknownToken { location, .. }
            | Error::UnclosedString(location)
            | Error::IntegerOverflow(location)
            | Error::FloatOutOfRange(location)
            | Error::Unexpected { location, .. }
            | Error::Undefined { location, .. }
            | Error::UnusedDefinition { location, .. }
            | Error::WrongDefinition { location, .. }
            | Error::Calculator { location, .. }
            | Error::NameCount { location, .. }
            | Error::Attribute { location, .. }
            | Error::NestingTooDeep { location, .. } => vec![main(location)],
            Error::NameInUse { name, location, first } => {
                vec![main(location), Diagnostic::new(format!("{name} is first defined here"), *first)]
            }
            Error::Rule(error) => error.diagnostics(),
        }
    }
}
