//! Attributes: constants attached to functions, parameters and instructions (`spec/language.md` 3.5).

use super::types::write_list;
use std::collections::BTreeMap;
use std::fmt;

/// A constant attached to a program part.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Attribute {
    /// Truth value.
    Boolean(bool),
    /// 64-bit integer; −2^63 prints as `?`.
    Integer(i64),
    /// Bytes between quotes.
    String(String),
    /// List.
    Array(Vec<Attribute>),
    /// Named attributes.
    Dictionary(Dictionary),
}

/// Attributes by name, sorted by the bytes of the name.
pub type Dictionary = BTreeMap<String, Attribute>;

/// The keys that are words of the language; every other key is printed in quotes.
pub const KEYWORDS: &[&str] =
    &["alignment", "shape_gcd", "stride_gcd", "unroll", "work_group_size", "subgroup_size"];

impl Attribute {
    /// The integer, if it is one.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Attribute::Integer(value) => Some(*value),
            _ => None,
        }
    }

    /// What it takes to keep it: attributes in it and bytes of its texts.
    pub fn size(&self) -> usize {
        1 + match self {
            Attribute::Boolean(_) | Attribute::Integer(_) => 0,
            Attribute::String(text) => text.len(),
            Attribute::Array(items) => items.iter().map(Attribute::size).sum(),
            Attribute::Dictionary(entries) => {
                entries.iter().map(|(key, value)| key.len() + value.size()).sum()
            }
        }
    }

    /// How deep lists and dictionaries lie in each other.
    pub fn depth(&self) -> usize {
        match self {
            Attribute::Boolean(_) | Attribute::Integer(_) | Attribute::String(_) => 0,
            Attribute::Array(items) => 1 + items.iter().map(Attribute::depth).max().unwrap_or(0),
            Attribute::Dictionary(entries) => 1 + entries.values().map(Attribute::depth).max().unwrap_or(0),
        }
    }
}

/// An integer as the language prints it: the dynamic mark as `?`.
pub(crate) struct Int(pub i64);

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == i64::MIN { f.write_str("?") } else { self.0.fmt(f) }
    }
}

/// A dictionary as the language prints it.
pub(crate) struct Braced<'a>(pub &'a Dictionary);

impl fmt::Display for Braced<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (i, (key, value)) in self.0.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            if KEYWORDS.contains(&key.as_str()) {
                write!(f, "{comma}{key}={value}")?;
            } else {
                write!(f, "{comma}\"{key}\"={value}")?;
            }
        }
        f.write_str("}")
    }
}

impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Attribute::Boolean(value) => value.fmt(f),
            Attribute::Integer(value) => Int(*value).fmt(f),
            Attribute::String(text) => write!(f, "\"{text}\""),
            Attribute::Array(items) => {
                f.write_str("[")?;
                write_list(f, items, ",")?;
                f.write_str("]")
            }
            Attribute::Dictionary(dictionary) => Braced(dictionary).fmt(f),
        }
    }
}
