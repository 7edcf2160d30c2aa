//! Cooperative matrices and the back ends that compute with them.

mod access;
mod components;
mod vector;
mod window;

pub(super) use access::{atomic_load, atomic_store, atomic_update, load, store};
pub(super) use components::{construct, extract, insert, scale};
pub(super) use vector::{mul_add, reduce};

use super::emitter::Emitted;
use super::error::Error;
use super::function::Translation;
use crate::ir::{Coopmatrix, Type};

fn coopmatrix(t: &Translation<'_, '_>, ty: &Type) -> Emitted<Coopmatrix> {
    ty.coopmatrix().ok_or(Error::UndefinedValue(t.values.location))
}
