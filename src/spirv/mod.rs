//! IR to SPIR-V (lowering reference 3).
//!
//! Lowering is one instruction at a time and optimises nothing but index arithmetic on constants; what
//! can be done in the IR is done by a pass.
#![forbid(unsafe_code)]

mod arithmetic;
mod atomic;
mod bfloat;
mod capabilities;
mod complex;
mod complex_division;
mod control;
mod error;
mod function;
mod integer;
mod math;
mod matrix;
mod memory;
mod module;
mod module_builder;
mod names;
mod subgroup;
mod values;

pub use error::Error;
pub use module::Module;

use crate::device::CoreInfo;
use crate::ir::{Func, Ir, Program};
use matrix::MatrixBackend;
use module_builder::ModuleBuilder;
use std::collections::HashSet;

/// How a program is translated.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Keep the names of values and functions.
    pub keep_names: bool,
    /// Take the shortest form of arithmetic, whatever becomes of infinities and of numbers near the limits.
    pub unsafe_fp_math: bool,
}

/// Translates a lowered program for a device; every function becomes an entry point.
///
/// # Errors
/// [`Error`]: the program has no SPIR-V form, or needs a feature that the device lacks.
pub fn translate(ir: &Ir, program: &Program, info: &CoreInfo, options: Options) -> Result<Module, Error> {
    translate_with(ir, program, info, options, &matrix::backend_for)
}

/// The same with the matrix back ends that `backend_for` makes, one for each function.
fn translate_with(
    ir: &Ir,
    program: &Program,
    info: &CoreInfo,
    options: Options,
    backend_for: &dyn Fn(&Ir, Func, &CoreInfo) -> Box<dyn MatrixBackend>,
) -> Result<Module, Error> {
    let mut module = ModuleBuilder::new(info, options);
    let mut names = HashSet::new();
    for &func in &program.functions {
        if !names.insert(ir[func].name.as_str()) {
            return Err(Error::DuplicateFunction {
                name: ir[func].name.clone(),
                location: ir[func].location,
            });
        }
        function::translate(&mut module, ir, func, &*backend_for(ir, func, info))?;
    }
    Ok(module.finish(info.core_features()))
}
