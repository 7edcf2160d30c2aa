//! Cooperative matrices and the back ends that compute with them.

mod access;
mod components;
mod vector;
mod window;

pub(super) use access::{atomic_load, atomic_store, atomic_update, load, store};
pub(super) use components::{construct, extract, insert, scale};
pub(super) use vector::{mul_add, reduce};
pub(super) use window::fill_padding;

use super::error::Error;
use super::function::FunctionLowering;
use super::module_builder::Emitted;
use crate::analysis::Layout;
use crate::ir::{Coopmatrix, Type, Violation};
use crate::status::Status;

/// How a matrix is spread over the subgroup.
pub(super) fn layout(t: &FunctionLowering<'_, '_>, matrix: Coopmatrix) -> Emitted<Layout> {
    Layout::new(matrix, t.subgroup_size).ok_or_else(|| {
        let detail = format!("{} takes too many registers", Type::Coopmatrix(matrix));
        Violation::new(Status::IrUnsupportedCoopmatrixShape, t.values.location, detail).into()
    })
}

fn coopmatrix(t: &FunctionLowering<'_, '_>, ty: &Type) -> Emitted<Coopmatrix> {
    ty.coopmatrix().ok_or(Error::UndefinedValue(t.values.location))
}
