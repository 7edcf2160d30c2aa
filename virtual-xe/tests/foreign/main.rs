//! Kernels that other compilers translate: OpenCL C by clang and the LLVM/SPIR-V translator.
//!
//! `kernels/` has the sources and what Debian's clang 14 with llvm-spirv 14 made of them (`-cl-std=CL2.0
//! -target spir64 -O1`, or `CL1.2`, disassembled by spirv-dis), so that there is always something to run. Where both
//! programs are installed, the sources are compiled anew as well.
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

use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler as _};
use std::path::{Path, PathBuf};
use std::process::Command;
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

#[test]
fn kept_modules_compute_what_the_host_does() {
    for (name, check) in KERNELS {
        println!("{name}");
        let text = std::fs::read_to_string(directory().join(name).with_extension("spvasm")).unwrap();
        let module = assembler::create(Some(TargetEnv::Universal_1_4)).assemble(&text, Default::default());
        let module = module.unwrap();
        let words: &[u32] = module.as_ref();
        let bytes: Vec<u8> = words.iter().copied().flat_map(u32::to_le_bytes).collect();
        check(&Session::build(&bytes));
    }
}

#[test]
fn freshly_compiled_modules_compute_what_the_host_does() {
    let works = |program: &str| Command::new(program).arg("--version").output().is_ok();
    let translators = ["llvm-spirv", "llvm-spirv-14", "llvm-spirv-15", "llvm-spirv-19"];
    let Some(translator) = translators.into_iter().find(|program| works(program)) else {
        println!("SKIPPED: there is no llvm-spirv");
        return;
    };
    if !works("clang") {
        println!("SKIPPED: there is no clang");
        return;
    }
    let directory_of_results = tempfile::tempdir().unwrap();
    for (name, check) in KERNELS {
        for level in ["-O0", "-O1", "-O2"] {
            println!("{name} {level}");
            let bitcode = directory_of_results.path().join(name).with_extension("bc");
            let module = bitcode.with_extension("spv");
            let mut clang = Command::new("clang");
            // Functions without a scope are what OpenCL C 1.2 has.
            let standard = if name == "counting" { "-cl-std=CL1.2" } else { "-cl-std=CL2.0" };
            clang.args([standard, "-target", "spir64", level, "-emit-llvm", "-c"]);
            clang.args(["-Xclang", "-finclude-default-header", "-o"]).arg(&bitcode);
            let compiled = clang.arg(directory().join(name).with_extension("cl")).output().unwrap();
            if !compiled.status.success() {
                let reason = String::from_utf8_lossy(&compiled.stderr).into_owned();
                println!("SKIPPED: clang does not compile {name}: {reason}");
                continue;
            }
            let translated = Command::new(translator).arg(&bitcode).arg("-o").arg(&module).output().unwrap();
            if !translated.status.success() {
                let reason = String::from_utf8_lossy(&translated.stderr).into_owned();
                println!("SKIPPED: {translator} does not translate {name}: {reason}");
                continue;
            }
            check(&Session::build(&std::fs::read(&module).unwrap()));
        }
    }
}
