//! Kernels that other compilers translate: OpenCL C by clang with the LLVM/SPIR-V translator, and by Intel's ocloc.
//!
//! `kernels/` has the sources and what Debian's clang 14 with llvm-spirv 14 made of them (`-cl-std=CL2.0
//! -target spir64 -O1`, or `CL1.2`, disassembled by spirv-dis), so that there is always something to run. Where both
//! programs are installed, the sources are compiled anew as well, and where `TILETC_IGC` names a script that runs ocloc,
//! by that.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation
)]

mod groups;
mod memory;
mod numbers;
mod pointers;
mod work;

use libtest_mimic::{Arguments, Completion, Trial};
use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};
use virtual_xe::{Argument, Device, Launch, Memory, Program};

/// Runs a kernel and compares what it computes with what the host does.
type Check = fn(&Session);

const KERNELS: [(&str, Check); 15] = [
    ("choices", work::choices),
    ("counting", groups::counting),
    ("histogram", work::histogram),
    ("lookup", memory::lookup),
    ("matmul", work::matmul),
    ("numbers", numbers::numbers),
    ("pointers", pointers::pointers),
    ("printing", groups::printing),
    ("programs", groups::programs),
    ("reduction", work::reduction),
    ("staging", groups::staging),
    ("structures", pointers::structures),
    ("subgroups", work::subgroups),
    ("tickets", groups::tickets),
    ("vectors", memory::vectors),
];

/// A built module of one kernel, and memory.
struct Session {
    program: Program,
    memory: Memory,
}

impl Session {
    fn build(module: &[u8]) -> Session {
        let device = Device::named("pvc").unwrap();
        let program = Program::build(device, module).unwrap_or_else(|error| panic!("{error}"));
        Session { program, memory: Memory::new() }
    }

    fn upload<const N: usize, T: Copy>(&self, values: &[T], bytes: impl Fn(T) -> [u8; N]) -> u64 {
        let bytes: Vec<u8> = values.iter().flat_map(|&value| bytes(value)).collect();
        let address = self.memory.allocate(bytes.len() as u64, 128).unwrap();
        self.memory.write(address, &bytes).unwrap();
        address
    }

    fn room(&self, bytes: usize) -> u64 {
        self.upload(&vec![0u8; bytes], u8::to_le_bytes)
    }

    fn download<const N: usize, T>(
        &self,
        address: u64,
        count: usize,
        value: impl Fn([u8; N]) -> T,
    ) -> Vec<T> {
        let mut bytes = vec![0; count * N];
        self.memory.read(address, &mut bytes).unwrap();
        bytes.as_chunks::<N>().0.iter().map(|&bytes| value(bytes)).collect()
    }

    /// Runs the kernel and expects nothing to be reported; returns what it prints.
    fn run(&self, groups: [u32; 3], local: [u32; 3], arguments: &[Argument]) -> String {
        self.launch(&Launch { local_size: Some(local), ..Launch::new(groups) }, arguments)
    }

    fn launch(&self, launch: &Launch, arguments: &[Argument]) -> String {
        let [kernel] = self.program.kernels() else { panic!("{} kernels", self.program.kernels().len()) };
        let outcome = kernel.run(&self.memory, launch, arguments).unwrap();
        let reports: Vec<String> = outcome.reports.iter().map(ToString::to_string).collect();
        assert!(reports.is_empty(), "{}", reports.join("\n"));
        outcome.printed
    }
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/foreign/kernels")
}

/// The module that is kept of a kernel.
fn kept(name: &str) -> Vec<u8> {
    let text = std::fs::read_to_string(directory().join(name).with_extension("spvasm")).unwrap();
    let module = assembler::create(Some(TargetEnv::Universal_1_4)).assemble(&text, Default::default());
    let module = module.unwrap();
    let words: &[u32] = module.as_ref();
    words.iter().copied().flat_map(u32::to_le_bytes).collect()
}

/// The language of a kernel: functions for atomics without a scope are what OpenCL C 1.2 has.
fn standard(name: &str) -> &'static str {
    if name == "counting" { "-cl-std=CL1.2" } else { "-cl-std=CL2.0" }
}

/// Checks that a program does what it is there for; says why not.
fn succeeded(program: &str, output: std::io::Result<Output>) -> Result<(), String> {
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    let messages = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    if output.status.success() { Ok(()) } else { Err(format!("{program}: {}", messages.concat())) }
}

/// A kernel compiled anew at a level of optimisation, or why that cannot be done here.
fn by_clang(name: &str, level: &str) -> Result<Vec<u8>, String> {
    let works = |program: &str| Command::new(program).arg("--version").output().is_ok();
    let translators = ["llvm-spirv", "llvm-spirv-14", "llvm-spirv-15", "llvm-spirv-19"];
    let translator =
        translators.into_iter().find(|program| works(program)).ok_or("there is no llvm-spirv")?;
    if !works("clang") {
        return Err("there is no clang".to_owned());
    }
    let folder = tempfile::tempdir().unwrap();
    let bitcode = folder.path().join(name).with_extension("bc");
    let module = bitcode.with_extension("spv");
    let mut clang = Command::new("clang");
    clang.args([standard(name), "-target", "spir64", level, "-emit-llvm", "-c"]);
    clang.args(["-Xclang", "-finclude-default-header", "-o"]).arg(&bitcode);
    succeeded("clang", clang.arg(directory().join(name).with_extension("cl")).output())?;
    succeeded(translator, Command::new(translator).arg(&bitcode).arg("-o").arg(&module).output())?;
    Ok(std::fs::read(&module).unwrap())
}

/// The same by Intel's offline compiler.
fn by_ocloc(name: &str) -> Result<Vec<u8>, String> {
    let script = std::env::var_os("TILETC_IGC").filter(|script| Path::new(script).exists());
    let script = script.ok_or("TILETC_IGC does not name the script of Intel's offline compiler")?;
    let folder = tempfile::tempdir().unwrap();
    let mut ocloc = Command::new(script);
    ocloc.args(["ocloc", "compile", "-device", "pvc", "-spv_only", "-options", standard(name), "-file"]);
    ocloc.arg(directory().join(name).with_extension("cl")).arg("-out_dir").arg(folder.path());
    succeeded("ocloc", ocloc.output())?;
    Ok(std::fs::read(folder.path().join(format!("{name}_pvc.spv"))).unwrap())
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for (name, check) in KERNELS {
        trials.push(Trial::test(format!("kept::{name}"), move || {
            check(&Session::build(&kept(name)));
            Ok(())
        }));
        let mut compiled = |way: String, compile: Box<dyn Fn() -> Result<Vec<u8>, String> + Send>| {
            trials.push(Trial::ignorable_test(format!("{way}::{name}"), move || match compile() {
                Ok(module) => {
                    check(&Session::build(&module));
                    Ok(Completion::Completed)
                }
                Err(reason) => Ok(Completion::ignored_with(format!("SKIPPED: {reason}"))),
            }));
        };
        for level in ["-O0", "-O1", "-O2"] {
            compiled(format!("clang{level}"), Box::new(move || by_clang(name, level)));
        }
        compiled("ocloc".to_owned(), Box::new(move || by_ocloc(name)));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}
