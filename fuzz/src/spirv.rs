//! SPIR-V → virtual-xe: decode, translate, and run with a budget.
//!
//! The word of a module's header that names the tool which wrote it says on which device and with which checks.

use crate::{Mutator, Target, instructions};
use std::num::NonZeroUsize;
use virtual_xe::{Argument, Checks, Device, Launch, Memory, Program, ReadyKernel, StorageClass, Type};

/// The target.
pub const TARGET: Target = Target {
    name: "spirv",
    run,
    mutator: Some(Mutator { change: instructions::change, cross: instructions::cross }),
};

/// Kernels of a module that are run.
const MAX_KERNELS: usize = 3;
/// Instructions that a subgroup executes at most.
const BUDGET: u64 = 1 << 12;
/// Bytes behind each pointer.
const MEMORY: u64 = 4096;
/// Bytes of the largest number or structure that is passed.
const MAX_BYTES: u64 = 1 << 16;

fn run(data: &[u8]) {
    let choice = data.get(8..12).and_then(|word| word.try_into().ok()).map_or(0, u32::from_le_bytes) as usize;
    let devices = Device::all();
    let Some(device) = devices.get(choice % devices.len()) else { return };
    match Program::build(device, data) {
        Ok(program) => {
            program
                .kernels()
                .iter()
                .take(MAX_KERNELS)
                .for_each(|kernel| launch(kernel, choice / devices.len()));
        }
        // Whoever is told must be told something.
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn launch(kernel: &ReadyKernel, choice: usize) {
    let memory = Memory::new();
    let description = kernel.description();
    let arguments: Option<Vec<Argument>> =
        description.parameters().iter().map(|parameter| argument(&memory, parameter)).collect();
    let Some(arguments) = arguments else { return };
    let launch = Launch {
        local_size: description.local_size().or(Some([2 * kernel.subgroup_size(), 1, 1])),
        budget: BUDGET,
        // One thread, so that the same input always does the same.
        threads: Some(NonZeroUsize::MIN),
        checks: if choice.is_multiple_of(2) { Checks::ALL } else { Checks::NONE },
        count: choice / 2 % 2 == 1,
        ..Launch::new([2, 1, 1])
    };
    match kernel.run(&memory, &launch, &arguments) {
        Ok(outcome) => outcome.reports.iter().for_each(|report| assert!(!report.to_string().is_empty())),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Memory for a pointer, a pattern for a number.
fn argument(memory: &Memory, parameter: &Type) -> Option<Argument> {
    match parameter {
        Type::Pointer(StorageClass::Workgroup, _) => Some(Argument::Local(256)),
        Type::Pointer(_, pointee) => {
            let address = memory.allocate(MEMORY, 128).ok()?;
            let content = if matches!(**pointee, Type::Pointer(..)) {
                memory.allocate(MEMORY, 128).ok()?.to_le_bytes().repeat(8)
            } else {
                (0..MEMORY / 2).map(|byte| (byte % 7) as u8).collect()
            };
            memory.write(address, &content).ok()?;
            Some(Argument::address(address))
        }
        value => {
            let size = value.size().filter(|&size| size <= MAX_BYTES)?;
            Some(Argument::Value((0..size).map(|byte| if byte % 8 == 0 { 3 } else { 0 }).collect()))
        }
    }
}
