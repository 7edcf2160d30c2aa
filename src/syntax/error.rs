//! Why a text is refused (language reference 7.2).

use crate::diagnostics::{Diagnostic, Location};
use crate::ir::VerifierError;
use crate::status::Status;

/// The first error of a text.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A byte that starts no token.
    #[error("unknown token `{text}`")]
    UnknownToken {
        /// The byte, or the word that it starts.
        text: String,
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
        /// What could have stood there.
        expected: String,
        /// What stands there.
        found: String,
        /// Where.
        location: Location,
    },
    /// A name that is visible already.
    #[error("{name} is already in use")]
    NameInUse {
        /// The name with its sigil.
        name: String,
        /// Where it is used again.
        location: Location,
        /// Where it was used first.
        first: Location,
    },
    /// A name that is not visible.
    #[error("{name} is not defined here{}", did_you_mean(similar.as_deref()))]
    Undefined {
        /// The name with its sigil.
        name: String,
        /// A name with its sigil that is visible and nearly the same.
        similar: Option<String>,
        /// Where.
        location: Location,
    },
    /// A `$` name bound to something else than what is needed.
    #[error("{name} is {found}, but {expected} is needed here")]
    WrongDefinition {
        /// The name with its sigil.
        name: String,
        /// What it is bound to.
        found: &'static str,
        /// What is needed.
        expected: &'static str,
        /// Where.
        location: Location,
    },
    /// A calculator expression without a result.
    #[error("{message}")]
    Calculator {
        /// What is wrong with it.
        message: &'static str,
        /// Where.
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
        /// Where it is passed.
        location: Location,
    },
    /// A broken rule of the language.
    #[error(transparent)]
    Rule(#[from] VerifierError),
}

fn did_you_mean(similar: Option<&str>) -> String {
    similar.map_or(String::new(), |name| format!("; did you mean {name}?"))
}

impl Error {
    /// The status of the failure: `parse_error` for all but repeated keys (language reference 3.5).
    pub fn status(&self) -> Status {
        match self {
            Error::Rule(error) if error.status == Status::IrDuplicateKeyInDictionary => error.status,
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
            | Error::WrongDefinition { location, .. }
            | Error::Calculator { location, .. }
            | Error::NameCount { location, .. }
            | Error::NestingTooDeep { location, .. } => vec![main(location)],
            Error::NameInUse { name, location, first } => {
                vec![main(location), Diagnostic::new(format!("{name} is first defined here"), *first)]
            }
            Error::Rule(error) => error.diagnostics(),
        }
    }
}
