//! Standard output of a command: text as it comes, or with `--json` one document at the end.

use super::{Failure, standard_output};
use serde_json::{Map, Value, json};
use tiletc::diagnostics::{Diagnostic, Location, Sources};
use tiletc::status::Status;

/// Standard output of a command.
pub struct Output {
    /// The document, unless text is wanted.
    document: Option<Document>,
}

#[derive(Default)]
struct Document {
    members: Map<String, Value>,
    diagnostics: Vec<Value>,
}

impl Output {
    /// Output of which nothing is written yet.
    pub fn new(is_json: bool) -> Output {
        Output { document: is_json.then(Document::default) }
    }

    /// True if there is to be nothing but the document.
    pub fn is_json(&self) -> bool {
        self.document.is_some()
    }

    /// Takes the members of an object into the document.
    pub fn add(&mut self, members: Value) {
        if let Some(document) = &mut self.document {
            document.add(members);
        }
    }

    /// Takes a warning into the document.
    pub fn diagnose(&mut self, diagnostic: Value) {
        if let Some(document) = &mut self.document {
            document.diagnostics.push(diagnostic);
        }
    }

    /// Writes the document, with how the command has ended.
    pub fn end(self, result: Result<(), Failure>) -> Result<(), Failure> {
        let Some(Document { mut members, mut diagnostics }) = self.document else { return result };
        let status = match &result {
            Ok(()) | Err(Failure::OutputClosed) => Status::Success,
            Err(Failure::Usage(status, message) | Failure::Failed(status, message)) => {
                diagnostics.push(error(message));
                *status
            }
            Err(Failure::Refused { status, diagnostics: own, .. }) => {
                diagnostics.extend_from_slice(own);
                *status
            }
        };
        members.insert("status".to_owned(), json!({ "code": status.code(), "text": status.phrase() }));
        members.insert("diagnostics".to_owned(), diagnostics.into());
        let written = standard_output::write(format!("{:#}\n", Value::Object(members)).as_bytes());
        result.and(written)
    }
}

impl Document {
    fn add(&mut self, members: Value) {
        if let Value::Object(members) = members {
            self.members.extend(members);
        }
    }
}

/// An error that is about no place.
fn error(message: &str) -> Value {
    about("error", &Sources::new(), &Diagnostic::new(message, Location::default()), &[])
}

/// A warning that is about no place.
pub fn warning(message: &str) -> Value {
    about("warning", &Sources::new(), &Diagnostic::new(message, Location::default()), &[])
}

/// A diagnostic with what it has to say about other places.
pub fn about(severity: &str, sources: &Sources, diagnostic: &Diagnostic, labels: &[Diagnostic]) -> Value {
    let object = |Diagnostic { message, location: Location { source, begin, end } }: &Diagnostic| {
        let known = |number: u32| (number > 0).then_some(number);
        json!({
            "message": message.trim_end(),
            "file": sources.name(*source),
            "line": known(begin.line),
            "column": known(begin.column),
            "end_line": known(end.line),
            "end_column": known(end.column),
        })
    };
    let mut value = object(diagnostic);
    if let Value::Object(members) = &mut value {
        members.insert("severity".to_owned(), severity.into());
        members.insert("labels".to_owned(), labels.iter().map(object).collect());
    }
    value
}
