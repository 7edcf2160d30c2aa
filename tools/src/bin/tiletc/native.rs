//! Native binaries by Intel's offline compiler, `ocloc`, which is a program of its own.

use super::common::Failure;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Output};
use tiletc::device::CoreFeatures;
use tiletc::runtime::Binary;
use tiletc::status::Status;

/// Names the offline compiler if it is not `ocloc` on the path.
const VARIABLE: &str = "TILETC_OCLOC";

/// The native binary of a SPIR-V module for a device, as drivers take it.
pub fn compile(module: &Binary, device: &str) -> Result<Vec<u8>, Failure> {
    let folder = tempfile::tempdir().map_err(|error| failed(format!("no temporary folder: {error}")))?;
    let source = folder.path().join("kernel.spv");
    std::fs::write(&source, module.data())
        .map_err(|error| failed(format!("cannot write `{}`: {error}", source.display())))?;
    let output = run(&source, folder.path(), device, module.core_features())?;
    let told = [output.stdout, output.stderr].concat();
    let told = String::from_utf8_lossy(&told);
    let told = told.trim_end();
    if !output.status.success() {
        return Err(failed(format!("{told}\nocloc failed for `{device}` ({})", output.status)));
    }
    match std::fs::read(folder.path().join("kernel.bin")) {
        Ok(binary) if !binary.is_empty() => Ok(binary),
        _ => Err(failed(format!("{told}\nocloc wrote no binary for `{device}`"))),
    }
}

fn run(source: &Path, folder: &Path, device: &str, features: CoreFeatures) -> Result<Output, Failure> {
    let program = std::env::var_os(VARIABLE).unwrap_or_else(|| OsString::from("ocloc"));
    let mut command = Command::new(&program);
    command.args(["compile", "-spirv_input", "-device", device, "-file"]).arg(source);
    command.args(["-output", "kernel", "-output_no_suffix", "-out_dir"]).arg(folder);
    if let Some(options) = features.build_options().and_then(|options| options.to_str().ok()) {
        command.args(["-options", options]);
    }
    command.output().map_err(|error| {
        let program = program.to_string_lossy();
        failed(match error.kind() {
            ErrorKind::NotFound => format!(
                "a native binary needs Intel's offline compiler, and there is no `{program}`; install ocloc, or \
                 let {VARIABLE} name it"
            ),
            _ => format!("cannot run `{program}`: {error}"),
        })
    })
}

fn failed(message: String) -> Failure {
    Failure::Failed(Status::RuntimeError, message.trim_start().to_owned())
}
