//! Code that suites share.

use spirv_tools::TargetEnv;
use spirv_tools::val::{self, Validator as _};
use tiletc::spirv::Module;

/// Ends the test if spirv-val refuses a module.
pub fn validate(module: &Module) {
    let outcome = val::create(Some(TargetEnv::Universal_1_4)).validate(module.words(), None);
    outcome.unwrap_or_else(|error| panic!("{error}\n{}", module.disassemble()));
}
