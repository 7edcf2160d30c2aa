//! Compile times of the kernels of the examples: `cargo bench --bench compile`.
//!
//! Medians of 20 runs, after one that is not counted. The whole way from text to SPIR-V bytes is compared
//! with its parts, and with what the OpenCL driver then takes to build the same module, if there is one. It ends with a
//! failure if the chain in f32 takes 2 ms or more, or a large product 5 ms.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::process::ExitCode;
use std::time::{Duration, Instant};
use tiletc::device::CoreInfo;
use tiletc::diagnostics::Sources;
use tiletc::driver::{self, Options};
use tiletc::ir::Ir;
use tiletc::runtime::opencl::{DeviceKind, Session};
use tiletc::runtime::{Binary, Device as _, Session as _};

const RUNS: usize = 20;

const CHAIN: &str = include_str!("../cpp-examples/matrix_chain/fused_kernel.ir");
const CHAIN_F64: &str = include_str!("../cpp-examples/matrix_chain/fused_kernel_f64.ir");
const VOLUME: &str = include_str!("../cpp-examples/dg_volume/volume.ir");
const ATTENTION: &str = include_str!("../cpp-examples/flash_attention/flash_attention.ir");

const LARGE: &str = "
func @large(%A: memref<$real x 4096x4096>, %B: memref<$real x 4096x4096>, %C: memref<f32x4096x4096>) {
    %one = constant 1.0 : $real
    %zero = constant 0.0 : f32
    gemm %one, %A, %B, %zero, %C
}
";

/// Compile times on a machine of two cores, in milliseconds, that must not be reached.
const BARS: [(&str, u64); 3] =
    [("matrix chain, f32", 2), ("large product, f32", 5), ("large product, f16", 5)];

/// Name, definitions that stand in front of the text, and text of each kernel.
const KERNELS: [(&str, &str, &str); 8] = [
    ("matrix chain, f32", "", CHAIN),
    ("matrix chain, f64", "", CHAIN_F64),
    ("large product, f32", "$real = f32", LARGE),
    ("large product, f16", "$real = f16", LARGE),
    ("volume kernel, N = 6, f32", "$real = f32 $basis = 56", VOLUME),
    ("volume kernel, N = 6, f64", "$real = f64 $basis = 56", VOLUME),
    ("flash attention, D = 64", "$elem = f32 $dim = 64 $causal = false", ATTENTION),
    ("flash attention, D = 128", "$elem = f32 $dim = 128 $causal = false", ATTENTION),
];

fn main() -> ExitCode {
    let mut outcome = ExitCode::SUCCESS;
    let session = Session::open(DeviceKind::Any);
    for (name, definitions, text) in KERNELS {
        let text = &format!("{definitions} {text}");
        let pvc = CoreInfo::from_name("pvc").unwrap();
        let size = compile(text, &pvc).data().len();
        let parse = median(|| {
            let mut ir = Ir::default();
            let source = Sources::new().add("kernel", text.as_bytes());
            driver::parse(&mut ir, source, text.as_bytes()).unwrap();
        });
        let mut ir = Ir::default();
        let source = Sources::new().add("kernel", text.as_bytes());
        let program = driver::parse(&mut ir, source, text.as_bytes()).unwrap();
        // Kept beside the program until it is compiled, for the report of a mistake of the compiler.
        let copy = median(|| {
            let copy = ir.copy(&program);
            ir.remove(&copy);
        });
        let whole = median(|| {
            compile(text, &pvc);
        });
        println!(
            "{name} for pvc: parse {parse:.2?}, copy {copy:.2?}, text to SPIR-V {whole:.2?}, {size} bytes"
        );
        if let Some((_, bar)) = BARS.iter().find(|bar| bar.0 == name)
            && whole >= Duration::from_millis(*bar)
        {
            println!("{name}: {whole:.2?}, where less than {bar} ms are wanted");
            outcome = ExitCode::FAILURE;
        }
        match &session {
            Ok(session) => compare_with_driver(session, name, text),
            Err(error) => println!("SKIPPED: the driver's build ({error})"),
        }
    }
    outcome
}

fn compare_with_driver(session: &Session, name: &str, text: &str) {
    let info = &session.core_info().unwrap();
    let whole = median(|| {
        compile(text, info);
    });
    let binary = compile(text, info);
    let build = median(|| {
        session.build(&binary).unwrap();
    });
    let ratio = build.as_secs_f64() / whole.as_secs_f64();
    println!(
        "{name} for {}: text to SPIR-V {whole:.2?}, the driver's build {build:.2?}, {ratio:.0} times as long",
        session.device_name().unwrap()
    );
}

fn compile(text: &str, info: &CoreInfo) -> Binary {
    let mut ir = Ir::default();
    let source = Sources::new().add("kernel", text.as_bytes());
    let program = driver::parse(&mut ir, source, text.as_bytes()).unwrap();
    let module = driver::compile(&mut ir, &program, info, &Options::default()).unwrap();
    Binary::from(&module)
}

fn median(mut run: impl FnMut()) -> Duration {
    run();
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort();
    times.get(RUNS / 2).copied().unwrap_or_default()
}
