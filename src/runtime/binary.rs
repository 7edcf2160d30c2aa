//! A compiled module on its way to a driver.

use super::error::Error;
use super::spirv_check;
use crate::device::CoreFeatures;
use crate::driver::Module;
use crate::ir::Signature;
use std::sync::Arc;

/// Format of the bytes of a [`Binary`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum BundleFormat {
    /// A SPIR-V module as 32-bit words in host order.
    Spirv = 0,
    /// Native binary that a driver made of one.
    Native = 1,
}

impl BundleFormat {
    /// The format of a code, if there is one.
    pub fn from_code(code: i32) -> Option<BundleFormat> {
        [BundleFormat::Spirv, BundleFormat::Native].into_iter().find(|&format| format as i32 == code)
    }

    /// The name as in the C enumerator, without the prefix `tiletc_bundle_format_`.
    pub fn spelling(self) -> &'static str {
        match self {
            BundleFormat::Spirv => "spirv",
            BundleFormat::Native => "native",
        }
    }
}

/// A compiled module; the bytes are taken as they are and looked at when a driver is to build them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binary {
    format: BundleFormat,
    data: Vec<u8>,
    core_features: CoreFeatures,
    pins_register_file: bool,
    signatures: Arc<[Signature]>,
}

impl Binary {
    /// A module that was compiled for a device with these options.
    pub fn new(format: BundleFormat, data: Vec<u8>, core_features: CoreFeatures) -> Binary {
        Binary { format, data, core_features, pins_register_file: false, signatures: Arc::default() }
    }

    /// Format of the bytes.
    pub fn format(&self) -> BundleFormat {
        self.format
    }

    /// The bytes.
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// Device options the module was compiled for, which the driver must be told as well.
    pub fn core_features(&self) -> CoreFeatures {
        self.core_features
    }

    /// Arguments of the kernels; empty for bytes that came from elsewhere.
    pub fn signatures(&self) -> &Arc<[Signature]> {
        &self.signatures
    }

    /// Refuses bytes that would bring down a driver.
    ///
    /// # Errors
    /// If it is SPIR-V that is broken beyond doubt.
    pub fn check(&self) -> Result<(), Error> {
        match self.format {
            BundleFormat::Spirv => spirv_check::check(&self.data),
            // Only the driver knows its own format.
            BundleFormat::Native => Ok(()),
        }
    }

    /// Returns whether the driver must be asked for the larger register file.
    pub(super) fn needs_large_register_file(&self) -> bool {
        self.core_features.contains(CoreFeatures::LARGE_REGISTER_FILE)
    }

    /// The binary with the larger register file, if that can still be asked for.
    pub(super) fn with_large_register_file(&self) -> Option<Binary> {
        let is_open = self.format == BundleFormat::Spirv && !self.pins_register_file;
        let core_features = self.core_features.union(CoreFeatures::LARGE_REGISTER_FILE);
        (is_open && !self.needs_large_register_file()).then(|| Binary { core_features, ..self.clone() })
    }
}

impl From<&Module> for Binary {
    fn from(module: &Module) -> Binary {
        let pins_register_file = module.pins_register_file();
        Binary {
            pins_register_file,
            signatures: module.signatures().clone(),
            ..Binary::new(BundleFormat::Spirv, module.assemble(), module.core_features())
        }
    }
}
