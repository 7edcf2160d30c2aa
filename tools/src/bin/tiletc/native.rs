//! Native binaries by Intel's offline compiler, `ocloc`, which is a program of its own.

use super::common::Failure;
use tiletc::runtime::Binary;
use tiletc::status::Status;
use tiletc_isa::{Call, Error, Ocloc};

/// The native binary of a SPIR-V module for a device, as drivers take it.
pub fn compile(module: &Binary, device: &str) -> Result<Vec<u8>, Failure> {
    let call = Call { module: module.data(), features: module.core_features(), device, ..Call::default() };
    Ocloc::find().and_then(|ocloc| ocloc.compile(&call)).map_err(failure)
}

/// A failure of the offline compiler.
pub fn failure(error: Error) -> Failure {
    let status = match &error {
        Error::NotEmpty(_) => return Failure::usage(error.to_string()),
        Error::File { .. } => Status::FileIoError,
        Error::NoCompiler
        | Error::NoProgram { .. }
        | Error::CannotRun { .. }
        | Error::Refused { .. }
        | Error::NoBinary { .. }
        | Error::NoMirror(_)
        | Error::Command { .. } => Status::RuntimeError,
    };
    Failure::Failed(status, error.to_string())
}
