//! Code for AMX, built by Intel's OpenCL CPU runtime for a processor that has it, whatever the processor at hand.
//!
//! The runtime ends the process on tiles that it does not take, so that each program is built in one of its own. What it makes is
//! not run here; the same modules are, by virtual-xe, in the conformance suite. On a processor with AMX that suite runs them on
//! the engine.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

#[path = "../common/mod.rs"]
mod common;
mod programs;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use programs::{PROGRAMS, Program};
use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use tiletc::device::{CoreInfo, SpirvFeature};
use tiletc::diagnostics::SourceId;
use tiletc::driver::{self, Options};
use tiletc::ir::Ir;
use tiletc::runtime::opencl::{DeviceKind, Session};
use tiletc::runtime::{Binary, Device as _};
use tiletc::spirv::Module;

/// The program to build, in the environment of the process that does.
const ROLE: &str = "TILETC_AMX_PROGRAM";
/// Exit code of such a process if there is no runtime.
const NO_DRIVER: u8 = 3;
/// The runtime's own settings: the processor to build for, and files for assembly.
const TARGET: (&str, &str) = ("CL_CONFIG_CPU_TARGET_ARCH", "sapphirerapids");
const DUMP: (&str, &str) = ("CL_CONFIG_DUMP_ASM", "True");
const DUMP_PREFIX: &str = "CL_CONFIG_DUMP_FILE_NAME_PREFIX";

fn main() -> ExitCode {
    if let Ok(name) = env::var(ROLE) {
        return build(&name);
    }
    let trials = PROGRAMS
        .iter()
        .map(|program| Trial::ignorable_test(program.name, || judge(program).map_err(Failed::from)));
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

/// Builds a program in a process of its own and looks for the engine's instructions in what comes of it.
fn judge(program: &Program) -> Result<Completion, String> {
    let module = compile(program);
    let products = module.disassemble().matches("OpCooperativeMatrixMulAddKHR").count();
    if products == 0 {
        return Err(format!("no product of tiles:\n{}", module.disassemble()));
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let output = Command::new(env::current_exe().unwrap())
        .envs([TARGET, DUMP])
        .env(DUMP_PREFIX, folder.path().join("kernel"))
        .env(ROLE, program.name)
        .output()
        .map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    if output.status.code() == Some(NO_DRIVER.into()) {
        return Ok(Completion::ignored_with(format!("SKIPPED: {}", said.trim())));
    }
    if !output.status.success() {
        return Err(format!("{}\n{said}\n{}", output.status, module.disassemble()));
    }
    let multiplies = count(folder.path(), program.instruction)?;
    if multiplies == 0 {
        return Err(format!("no {} in the code for {products} products", program.instruction));
    }
    Ok(Completion::Completed)
}

/// The number of times that a word occurs in the files of a folder.
fn count(folder: &Path, word: &str) -> Result<usize, String> {
    let mut number = 0;
    for entry in fs::read_dir(folder).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        let text = fs::read(&path).map_err(|error| error.to_string())?;
        number += String::from_utf8_lossy(&text).matches(word).count();
    }
    Ok(number)
}

fn compile(program: &Program) -> Module {
    let mut info = CoreInfo::cpu(2048, 8192, &[4, 8, 16, 32, 64]);
    for &feature in SpirvFeature::ALL.iter().take(SpirvFeature::STANDARD_COUNT) {
        info.set(feature, feature != SpirvFeature::Bfloat16Conversion);
    }
    info.set(SpirvFeature::CooperativeMatrix, true);
    let text = (program.text)();
    let mut ir = Ir::default();
    let parsed = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes());
    let parsed = parsed.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let module = driver::compile(&mut ir, &parsed, &info, &Options::default());
    let module = module.unwrap_or_else(|error| panic!("{error}\n{text}"));
    common::validate(&module);
    module
}

/// The process that builds one program.
fn build(name: &str) -> ExitCode {
    let session = match Session::open(DeviceKind::Cpu) {
        Ok(session) => session,
        Err(error) => {
            println!("{error}");
            return NO_DRIVER.into();
        }
    };
    let program = PROGRAMS.iter().find(|program| program.name == name).unwrap();
    match session.build(&Binary::from(&compile(program))) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{error}\n{}", error.build_log().unwrap_or_default());
            ExitCode::FAILURE
        }
    }
}
