use crate::status::Status;
/// Why a program has no SPIR-V form on the device.
#[derive(Debug, thiserror::Error)]
pub enum Error {}
impl Error {
    /// The status code of the failure.
    pub fn status(&self) -> Status {
        match *self {}
    }
}
/// A finished SPIR-V module.
#[derive(Clone, Debug, Default)]
pub struct Module {}
impl Module {
    /// The module as bytes in host order.
    pub fn assemble(&self) -> Vec<u8> {
        Vec::new()
    }
    /// The usual assembly text.
    pub fn disassemble(&self) -> String {
        String::new()
    }
    /// Core features (`large_register_file` = 1) the module was compiled for.
    pub fn core_features(&self) -> u32 {
        0
    }
}
