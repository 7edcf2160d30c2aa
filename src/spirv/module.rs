//! A finished module.

use crate::target::CoreFeatures;
use rspirv::binary::{Assemble, Disassemble};
use rspirv::dr;

/// A finished SPIR-V module.
#[derive(Clone, Debug)]
pub struct Module {
    pub(super) module: dr::Module,
    pub(super) core_features: CoreFeatures,
}

impl Module {
    /// The module as words.
    pub fn words(&self) -> Vec<u32> {
        self.module.assemble()
    }

    /// The module as bytes, words in the order of this machine.
    pub fn assemble(&self) -> Vec<u8> {
        self.words().into_iter().flat_map(u32::to_ne_bytes).collect()
    }

    /// The usual assembly text.
    pub fn disassemble(&self) -> String {
        let mut text = self.module.disassemble();
        text.push('\n');
        text
    }

    /// The core features the module was compiled for.
    pub fn core_features(&self) -> CoreFeatures {
        self.core_features
    }
}
