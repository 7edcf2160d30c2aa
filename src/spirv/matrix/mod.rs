//! Cooperative matrices and the back ends that compute with them.
//!
//! The [`MatrixBackend`] of a function alone knows how a matrix lies in registers. [`backend_for`] chooses it.

mod access;
mod backend;
mod dpas;
mod joint;
mod predicate;
mod surface;
#[cfg(test)]
mod tests;
mod vector;

pub(super) use access::{MatrixAccess, Prefetch};
pub(super) use backend::MatrixBackend;

use crate::device::CoreInfo;
use crate::ir::{Func, Ir};
use crate::schedule::Schedule;

/// The back end for the matrices of a function on a device.
pub(super) fn backend_for(ir: &Ir, func: Func, info: &CoreInfo) -> Box<dyn MatrixBackend> {
    // The engine works with one subgroup size; others compute the same types in vector code.
    let engine = Schedule::of(ir, func).ok().and_then(|schedule| schedule.engine(info));
    if let Some(dpas) = engine.and_then(|engine| dpas::Dpas::new(ir, func, engine)) {
        return Box::new(dpas);
    }
    match joint::Joint::new(ir, func, info) {
        Some(joint) => Box::new(joint),
        None => Box::new(backend::Vector),
    }
}
