//! Modules: SPIR-V built for a device.

use crate::abi::{Chain, In};
use crate::device::Device;
use crate::native;
use crate::runtime::runtime;
use crate::specialization::{Constants, specialize};
use crate::status::{Failure, Outcome, refuse, require};
use level_zero_sys::*;
use std::ffi::{CString, c_char, c_void};
use std::sync::Arc;
use virtual_xe::{Program, ReadyKernel};

/// A module.
pub struct Module {
    device: Arc<Device>,
    program: Program,
    names: Vec<CString>,
    /// As the device gets it, with all constants as they were asked for.
    spirv: Vec<u8>,
    /// The register file that was asked for. It only decides about spills that are reported.
    has_large_register_file: bool,
}

/// Options by which a caller asks for the larger register file: Level Zero's and OpenCL's.
const LARGE_REGISTER_FILE: [&str; 2] = ["-ze-opt-large-register-file", "-cl-intel-256-GRF-per-thread"];
objects!(Module);

/// Log of a build: nothing, or why it failed.
pub struct BuildLog {
    pub(crate) text: CString,
}
objects!(BuildLog);

impl Module {
    fn build(device: Arc<Device>, spirv: Vec<u8>, has_large_register_file: bool) -> Outcome<Module> {
        let program = Program::build(device.model(), &spirv)
            .map_err(|error| Failure::new(ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, error))?;
        let names = program.kernels().iter().map(|kernel| CString::new(kernel.description().name()));
        let names = names.collect::<Result<_, _>>();
        let names = names.map_err(|error| Failure::new(ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, error))?;
        Ok(Module { device, program, names, spirv, has_large_register_file })
    }

    /// Builds what a caller hands in.
    pub(crate) fn create(device: Arc<Device>, desc: &ze_module_desc_t) -> Outcome<Module> {
        let bytes = |pointer: *const u8, size: usize| {
            require(!pointer.is_null(), ZE_RESULT_ERROR_INVALID_NULL_POINTER)?;
            require(size != 0, ZE_RESULT_ERROR_INVALID_SIZE)?;
            In::from(pointer).slice(size)
        };
        match desc.format {
            ZE_MODULE_FORMAT_IL_SPIRV => {
                let program = Chain::new(desc.pNext)
                    .find::<ze_module_program_exp_desc_t>(ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC);
                let (spirv, constants) = match program {
                    None => (bytes(desc.pInputModule, desc.inputSize)?, desc.pConstants),
                    Some(program) => {
                        let first = |pointer: *const *const u8| In::from(pointer).get().copied();
                        require(program.count != 0, ZE_RESULT_ERROR_INVALID_SIZE)?;
                        // Nothing is linked.
                        require(program.count == 1, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)?;
                        let size = *In::from(program.inputSizes).get()?;
                        let constants = match program.pConstants.is_null() {
                            true => desc.pConstants,
                            false => *In::from(program.pConstants.cast_const()).get()?,
                        };
                        (bytes(first(program.pInputModules.cast_const())?, size)?, constants)
                    }
                };
                let mut spirv = spirv.to_vec();
                if let Ok(constants) = In::from(constants).get() {
                    specialize(&mut spirv, &read_constants(constants)?);
                }
                let flags = In::from(desc.pBuildFlags).text().unwrap_or_default();
                let is_large = flags.split_whitespace().any(|flag| LARGE_REGISTER_FILE.contains(&flag));
                Module::build(device, spirv, is_large)
            }
            ZE_MODULE_FORMAT_NATIVE => {
                let binary = native::unpack(bytes(desc.pInputModule, desc.inputSize)?);
                let native::Binary { device: name, has_large_register_file, spirv } =
                    binary.ok_or_else(|| {
                        Failure::new(ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, "no binary of virtual-xe")
                    })?;
                if name != device.model().name().as_bytes() {
                    let message = format!("the binary is not for device {}", device.model().name());
                    return Err(Failure::new(ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, message));
                }
                Module::build(device, spirv.to_vec(), has_large_register_file)
            }
            _ => refuse(ZE_RESULT_ERROR_INVALID_ENUMERATION),
        }
    }

    pub(crate) fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// The kernel of a number.
    pub(crate) fn kernel(&self, number: usize) -> Option<&ReadyKernel> {
        self.program.kernels().get(number)
    }

    /// The number of the kernel of a name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.program.kernels().iter().position(|kernel| kernel.description().name() == name)
    }

    pub(crate) fn names(&self) -> &[CString] {
        &self.names
    }

    /// From which it can be built again.
    pub(crate) fn binary(&self) -> Vec<u8> {
        native::pack(&native::Binary {
            device: self.device.model().name().as_bytes(),
            has_large_register_file: self.has_large_register_file,
            spirv: &self.spirv,
        })
    }

    /// Bytes that each kernel says it spills.
    pub(crate) fn spill(&self) -> Outcome<u32> {
        Ok(if self.has_large_register_file { 0 } else { runtime()?.spill })
    }
}

/// The bytes of each constant, eight at most, by its number; how many of them count is up to its type.
fn read_constants(constants: &ze_module_constants_t) -> Outcome<Constants<'_>> {
    let count = constants.numConstants as usize;
    let ids = In::from(constants.pConstantIds).slice(count)?;
    let values: &[*const c_void] = In::from(constants.pConstantValues.cast_const()).slice(count)?;
    Ok(ids.iter().copied().zip(values.iter().map(|&value| In::from(value.cast::<u8>()))).collect())
}

impl BuildLog {
    pub(crate) fn new(text: &str) -> BuildLog {
        BuildLog { text: CString::new(text.replace('\0', " ")).unwrap_or_default() }
    }

    /// Text of the log, and a zero.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.text.as_bytes_with_nul()
    }
}

/// The address of a name, good as long as the module.
pub(crate) fn address(name: &CString) -> *const c_char {
    name.as_ptr()
}
