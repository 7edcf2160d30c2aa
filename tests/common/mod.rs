//! Code that suites share.

#[path = "../conformance/valid.rs"]
mod valid;

use tiletc::spirv::Module;

/// Ends the test if spirv-val refuses a module.
pub fn validate(module: &Module) {
    valid::validate(module).unwrap_or_else(|error| panic!("{error}\n{}", module.disassemble()));
}
