//! Intel's extensions, instruction by instruction, and what devices refuse.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss
)]

mod cooperative;
mod counts;
mod engine;
mod functions;
mod math;
mod refusals;
mod surface;
mod work;

use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler as _};
use virtual_xe::{Argument, Counters, Device, Error, Launch, Memory, Program};

/// A module of one kernel `k` in assembly.
#[derive(Clone, Default)]
struct Module {
    capabilities: Vec<&'static str>,
    extensions: Vec<&'static str>,
    subgroup: u32,
    /// Work-items of a work-group; those of a subgroup if zero.
    items: u32,
    /// Types and constants behind those of [`Module::text`].
    types: String,
    parameters: Vec<&'static str>,
    body: String,
}

impl Module {
    /// `p0`, `p1`… are the parameters, `lane` is the lane.
    fn text(&self) -> String {
        let Module { subgroup, types, body, .. } = self;
        let items = if self.items == 0 { *subgroup } else { self.items };
        let capabilities: String =
            self.capabilities.iter().map(|name| format!("OpCapability {name}\n")).collect();
        let extensions: String =
            self.extensions.iter().map(|name| format!("OpExtension \"{name}\"\n")).collect();
        let signature: String = self.parameters.iter().map(|ty| format!(" %{ty}")).collect();
        let parameters: String = (0..)
            .zip(&self.parameters)
            .map(|(place, ty): (u32, _)| format!("%p{place} = OpFunctionParameter %{ty}\n"))
            .collect();
        format!(
            "OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpCapability Int16
OpCapability Int8
OpCapability SubgroupDispatch
{capabilities}{extensions}%std = OpExtInstImport \"OpenCL.std\"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k \"k\" %lane_variable
OpExecutionMode %k LocalSize {items} 1 1
OpExecutionMode %k SubgroupSize {subgroup}
OpName %k \"k\"
OpDecorate %lane_variable BuiltIn SubgroupLocalInvocationId
%void = OpTypeVoid
%bool = OpTypeBool
%char = OpTypeInt 8 0
%short = OpTypeInt 16 0
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%float = OpTypeFloat 32
%int2 = OpTypeVector %int 2
%ptr_char = OpTypePointer CrossWorkgroup %char
%ptr_short = OpTypePointer CrossWorkgroup %short
%ptr_int = OpTypePointer CrossWorkgroup %int
%ptr_long = OpTypePointer CrossWorkgroup %long
%ptr_float = OpTypePointer CrossWorkgroup %float
%ptr_input = OpTypePointer Input %int
%lane_variable = OpVariable %ptr_input Input
%i0 = OpConstant %int 0
%i1 = OpConstant %int 1
%i2 = OpConstant %int 2
%i3 = OpConstant %int 3
%i4 = OpConstant %int 4
%i8 = OpConstant %int 8
%i16 = OpConstant %int 16
%i32 = OpConstant %int 32
%i64 = OpConstant %int 64
{types}
%signature = OpTypeFunction %void{signature}
%k = OpFunction %void None %signature
{parameters}%entry = OpLabel
%lane = OpLoad %int %lane_variable
{body}
OpReturn
OpFunctionEnd
"
        )
    }

    fn bytes(&self) -> Vec<u8> {
        assemble(&self.text())
    }

    /// The error of building it for a device.
    fn refusal(&self, device: &str) -> Option<Error> {
        Program::build(Device::named(device).unwrap(), &self.bytes()).err()
    }

    /// Runs one work-group on the generic device; returns what is reported.
    fn run(&self, memory: &Memory, arguments: &[Argument]) -> Vec<String> {
        self.run_on("generic", memory, arguments)
    }

    fn run_on(&self, device: &str, memory: &Memory, arguments: &[Argument]) -> Vec<String> {
        run_text(&self.text(), device, memory, arguments)
    }

    /// Runs one work-group, of which nothing may be reported; returns what it did.
    fn counters(&self, memory: &Memory, arguments: &[Argument]) -> Counters {
        count_text(&self.text(), memory, arguments)
    }
}

fn assemble(text: &str) -> Vec<u8> {
    let module = assembler::create(Some(TargetEnv::Universal_1_4)).assemble(text, Default::default());
    let module = module.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let words: &[u32] = module.as_ref();
    words.iter().copied().flat_map(u32::to_le_bytes).collect()
}

/// Runs one work-group of a module in assembly; returns what is reported.
fn run_text(text: &str, device: &str, memory: &Memory, arguments: &[Argument]) -> Vec<String> {
    let program = Program::build(Device::named(device).unwrap(), &assemble(text));
    let program = program.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let outcome = program.kernels()[0].run(memory, &Launch::new([1, 1, 1]), arguments).unwrap();
    outcome.reports.iter().map(ToString::to_string).collect()
}

/// Runs one work-group of a module in assembly, of which nothing may be reported; returns what it did.
fn count_text(text: &str, memory: &Memory, arguments: &[Argument]) -> Counters {
    let program = Program::build(Device::named("pvc").unwrap(), &assemble(text));
    let program = program.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let launch = Launch { count: true, ..Launch::new([1, 1, 1]) };
    let outcome = program.kernels()[0].run(memory, &launch, arguments).unwrap();
    assert_eq!(outcome.reports, []);
    outcome.counters.unwrap()
}

fn upload<const N: usize, T: Copy>(memory: &Memory, values: &[T], bytes: impl Fn(T) -> [u8; N]) -> u64 {
    let bytes: Vec<u8> = values.iter().flat_map(|&value| bytes(value)).collect();
    let address = memory.allocate(bytes.len() as u64, 128).unwrap();
    memory.write(address, &bytes).unwrap();
    address
}

fn download<const N: usize, T>(
    memory: &Memory,
    address: u64,
    count: usize,
    value: impl Fn([u8; N]) -> T,
) -> Vec<T> {
    let mut bytes = vec![0; count * N];
    memory.read(address, &mut bytes).unwrap();
    bytes.as_chunks::<N>().0.iter().map(|&bytes| value(bytes)).collect()
}

/// Numbers that look like any.
fn random(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 24
    }
}
