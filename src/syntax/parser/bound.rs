//! Definitions that `$` names are bound to.

use super::scope::Scope;
use crate::ir::{Attribute, Text, Type};
use std::sync::Arc;

/// Definition that a `$` name is bound to.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    Boolean(bool),
    Integer(i64),
    Float(f64),
    String(Arc<Text>),
    Type(Type),
    Attribute(Arc<Defined>),
}

/// An attribute behind a `$` name, and how much of it there is.
#[derive(Debug)]
pub(super) struct Defined {
    pub(super) attribute: Attribute,
    pub(super) size: usize,
    pub(super) depth: usize,
}

impl Bound {
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Bound::Boolean(_) => "a boolean",
            Bound::Integer(_) => "an integer",
            Bound::Float(_) => "a float",
            Bound::String(_) => "a string",
            Bound::Type(_) => "a type",
            Bound::Attribute(_) => "an attribute",
        }
    }
}

pub(super) type Definitions = Scope<String, Bound>;
