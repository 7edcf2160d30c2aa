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
use crate::schedule::{MatrixCode, Schedule};

/// The back end for the code that the matrices of a function take.
pub(super) fn backend_for(ir: &Ir, func: Func, info: &CoreInfo) -> Box<dyn MatrixBackend> {
    let schedule = Schedule::of(ir, func).ok();
    match schedule.map_or(MatrixCode::Vector, |schedule| MatrixCode::of(ir, func, &schedule, info)) {
        MatrixCode::Dpas(engine) => Box::new(dpas::Dpas { engine }),
        MatrixCode::Joint(matrices) => Box::new(joint::Joint::new(matrices)),
        MatrixCode::Vector => Box::new(backend::Vector),
    }
}
