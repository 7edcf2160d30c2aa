//! Validation of modules.

#[cfg(not(fuzzing))]
#[path = "../../tests/conformance/valid.rs"]
mod spirv_val;

#[cfg(not(fuzzing))]
pub use spirv_val::validate;

/// Validates a module as far as there is time while fuzzing: it can be read and uses no id that it does not define, and virtual-xe
/// knows what its kernels are launched with.
#[cfg(fuzzing)]
pub fn validate(module: &tiletc::spirv::Module) -> Result<(), String> {
    use tiletc::runtime::{Binary, BundleFormat};
    let binary = Binary::new(BundleFormat::Spirv, module.assemble(), module.core_features());
    binary.check().map_err(|error| error.to_string())?;
    virtual_xe::Module::parse(binary.data()).map(drop).map_err(|error| error.to_string())
}
