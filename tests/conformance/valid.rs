//! Validation of modules.

use spirv_tools::TargetEnv;
use spirv_tools::val::{self, Validator as _};
use tiletc::spirv::Module;

/// Checks a module with spirv-val; an error holds what it says.
pub fn validate(module: &Module) -> Result<(), String> {
    let outcome = val::create(Some(TargetEnv::Universal_1_4)).validate(module.words(), None);
    outcome.map_err(|error| error.to_string())
}
