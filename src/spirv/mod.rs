//! IR to SPIR-V (lowering reference 3).
//!
//! Files are in layers, of which none knows those above: the module under construction (`module_builder`), numbers one at
//! a time (`numbers`), values and the state of a function (`function`), cooperative matrices (`matrix`), the walk over
//! regions (`lower`), the families of instructions, one a file, and kernels (`kernel`).
//!
//! Lowering is one instruction at a time and optimises nothing but index arithmetic on constants; what
//! can be done in the IR is done by a pass.
#![forbid(unsafe_code)]

mod arithmetic;
mod atomic;
mod builtin;
mod capabilities;
mod control;
mod coopmatrix;
mod error;
mod expectation;
mod function;
mod id_map;
mod kernel;
mod lower;
mod math;
mod matrix;
mod memory;
mod module;
mod module_builder;
mod names;
mod numbers;
mod options;
mod prologue;
mod remark;
mod subgroup;
mod values;

pub use error::Error;
pub use expectation::{BankConflict, Banks, Expectation, KernelPath, LoopWork, Share};
pub use module::Module;
pub use options::Options;
pub use remark::Remark;

use crate::device::{CoreFeatures, CoreInfo};
use crate::ir::{Func, Ir, Program, RegisterFile};
use matrix::MatrixBackend;
use module_builder::ModuleBuilder;
use std::collections::HashSet;

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
    let mut core_features = info.core_features();
    let mut pins_register_file = false;
    for &func in &program.functions {
        if !names.insert(ir[func].name.as_str()) {
            return Err(Error::DuplicateFunction {
                name: ir[func].name.clone(),
                location: ir[func].location,
            });
        }
        kernel::translate(&mut module, ir, func, &*backend_for(ir, func, info))?;
        let register_file = ir[func].attributes.grf_size;
        pins_register_file |= register_file.is_some();
        if register_file == Some(RegisterFile::Large) {
            core_features = core_features.union(CoreFeatures::LARGE_REGISTER_FILE);
        }
    }
    Ok(module.finish(core_features, pins_register_file))
}
