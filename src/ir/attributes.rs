//! Attributes: constants attached to functions, parameters and instructions (language reference 3.5).

use super::text::Text;
use crate::status::Status;
use std::collections::BTreeMap;
use std::fmt;

/// A constant attached to a program part.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Attribute {
    /// Truth value.
    Boolean(bool),
    /// 64-bit integer; −2^63 prints as `?`.
    Integer(i64),
    /// Bytes between quotes; the text form has no way to write a quote among them.
    String(Text),
    /// List.
    Array(Vec<Attribute>),
    /// Named attributes.
    Dictionary(Dictionary),
}

/// Attributes by name, sorted by the bytes of the name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dictionary(BTreeMap<Text, Attribute>);

/// Reason why a dictionary holds no attributes of a part of a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AttributeError {
    /// An attribute that the part does not have.
    #[error("unknown attribute `{key}` of {part}; {hint}")]
    Unknown {
        /// Name of the attribute.
        key: Text,
        /// The part in words.
        part: String,
        /// Name that is probably meant, or those that there are.
        hint: String,
    },
    /// An attribute of another kind than its type, or out of range.
    #[error("{} ({detail})", status.phrase())]
    Malformed {
        /// Name of the attribute.
        key: &'static str,
        /// Kind of failure.
        status: Status,
        /// The attribute and what is wrong with it.
        detail: String,
    },
}

impl AttributeError {
    /// The status for who built the part.
    pub fn status(&self) -> Status {
        match self {
            AttributeError::Unknown { .. } => Status::InvalidArguments,
            AttributeError::Malformed { status, .. } => *status,
        }
    }

    /// The name of the attribute.
    pub fn key(&self) -> &[u8] {
        match self {
            AttributeError::Unknown { key, .. } => key.as_bytes(),
            AttributeError::Malformed { key, .. } => key.as_bytes(),
        }
    }
}

impl Attribute {
    /// The integer, if it is one.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Attribute::Integer(value) => Some(*value),
            _ => None,
        }
    }

    /// Size that it takes to keep it: attributes in it and bytes of its texts.
    pub fn size(&self) -> usize {
        1 + match self {
            Attribute::Boolean(_) | Attribute::Integer(_) => 0,
            Attribute::String(text) => text.as_bytes().len(),
            Attribute::Array(items) => items.iter().map(Attribute::size).sum(),
            Attribute::Dictionary(entries) => {
                entries.iter().map(|(key, value)| key.as_bytes().len() + value.size()).sum()
            }
        }
    }

    /// Nesting depth of lists and dictionaries.
    pub fn depth(&self) -> usize {
        match self {
            Attribute::Boolean(_) | Attribute::Integer(_) | Attribute::String(_) => 0,
            Attribute::Array(items) => 1 + items.iter().map(Attribute::depth).max().unwrap_or(0),
            Attribute::Dictionary(entries) => {
                1 + entries.iter().map(|(_, value)| value.depth()).max().unwrap_or(0)
            }
        }
    }

    /// Names the kind as a message says it.
    pub fn kind(&self) -> &'static str {
        match self {
            Attribute::Boolean(_) => "a boolean",
            Attribute::Integer(_) => "an integer",
            Attribute::String(_) => "a string",
            Attribute::Array(_) => "an array",
            Attribute::Dictionary(_) => "a dictionary",
        }
    }

    /// Appends what the language prints.
    pub(crate) fn print(&self, out: &mut Text) {
        match self {
            Attribute::Boolean(value) => out.push_str(if *value { "true" } else { "false" }),
            Attribute::Integer(value) => out.push_str(&Int(*value).to_string()),
            Attribute::String(text) => quote(text, out),
            Attribute::Array(items) => {
                out.push_str("[");
                for (i, item) in items.iter().enumerate() {
                    out.push_str(if i > 0 { "," } else { "" });
                    item.print(out);
                }
                out.push_str("]");
            }
            Attribute::Dictionary(dictionary) => dictionary.print(out),
        }
    }
}

fn quote(text: &Text, out: &mut Text) {
    out.push_str("\"");
    out.push_bytes(text.as_bytes());
    out.push_str("\"");
}

impl Dictionary {
    /// No attributes.
    pub fn new() -> Dictionary {
        Dictionary::default()
    }

    /// The attribute of a name.
    pub fn get(&self, name: &str) -> Option<&Attribute> {
        self.0.get(name.as_bytes())
    }

    /// Adds an attribute and returns the one that had the name before.
    pub fn insert(&mut self, name: impl Into<Text>, attribute: Attribute) -> Option<Attribute> {
        self.0.insert(name.into(), attribute)
    }

    /// The attributes of a list in which every name must be another one.
    ///
    /// # Errors
    /// The name that is given twice.
    pub fn of_distinct(entries: impl IntoIterator<Item = (Text, Attribute)>) -> Result<Dictionary, Text> {
        let mut dictionary = Dictionary::new();
        for (name, attribute) in entries {
            if dictionary.0.contains_key(&name) {
                return Err(name);
            }
            dictionary.insert(name, attribute);
        }
        Ok(dictionary)
    }

    /// Names and attributes in order.
    pub fn iter(&self) -> impl Iterator<Item = (&Text, &Attribute)> {
        self.0.iter()
    }

    /// Appends what the language prints; names of attributes stand bare.
    pub(crate) fn print(&self, out: &mut Text) {
        out.push_str("{");
        for (i, (key, value)) in self.iter().enumerate() {
            out.push_str(if i > 0 { ", " } else { "" });
            if key
                .as_bytes()
                .iter()
                .all(|&byte| byte.is_ascii_lowercase() || matches!(byte, b'0'..=b'9' | b'_'))
            {
                out.push_bytes(key.as_bytes());
            } else {
                quote(key, out);
            }
            out.push_str("=");
            value.print(out);
        }
        out.push_str("}");
    }
}

impl<K: Into<Text>, const N: usize> From<[(K, Attribute); N]> for Dictionary {
    fn from(entries: [(K, Attribute); N]) -> Dictionary {
        entries.into_iter().collect()
    }
}

impl<K: Into<Text>> FromIterator<(K, Attribute)> for Dictionary {
    fn from_iter<I: IntoIterator<Item = (K, Attribute)>>(entries: I) -> Dictionary {
        Dictionary(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }
}

/// An integer as the language prints it: the dynamic mark as `?`.
pub(crate) struct Int(pub i64);

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == i64::MIN { f.write_str("?") } else { self.0.fmt(f) }
    }
}

/// As the language prints it; what is no UTF-8 is replaced.
impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Text::default();
        self.print(&mut text);
        text.fmt(f)
    }
}
