//! Cooperative matrices and the back ends that compute with them.
//!
//! `lower` looks up the operands of an instruction and hands them to the [`MatrixBackend`] of the function, which
//! alone knows how a matrix lies in registers. [`backend_for`] chooses it.

mod access;
mod backend;
mod lower;
mod predicate;
#[cfg(test)]
mod tests;
mod vector;

pub(super) use backend::{MatrixBackend, MatrixValue};

use crate::device::{CoreInfo, MatrixBackendKind};

/// The back end for the matrices of a function on a device.
pub(super) fn backend_for(info: &CoreInfo) -> Box<dyn MatrixBackend> {
    match info.matrix_backend() {
        MatrixBackendKind::Vector => Box::new(vector::Vector),
    }
}
