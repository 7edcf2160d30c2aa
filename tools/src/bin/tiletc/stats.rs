//! `tiletc compile --stats`: kernels and module in numbers, as text and as JSON.

use serde_json::{Value, json};
use std::fmt::Write as _;
use tiletc::driver::{KernelStatistics, Module};

/// The numbers for people.
pub fn text(device: &str, kernels: &[KernelStatistics], module: &Module) -> String {
    let mut text = format!(
        "{:<24}{:>14}{:>12}{:>16}{:>16}\n",
        format!("kernel on {device}"),
        "work-group",
        "subgroup",
        "local memory",
        "instructions"
    );
    for KernelStatistics { name, work_group: [x, y], subgroup_size, local_bytes, instructions } in kernels {
        let group = format!("{x}x{y}");
        let _ = writeln!(text, "{name:<24}{group:>14}{subgroup_size:>12}{local_bytes:>16}{instructions:>16}");
    }
    let _ = writeln!(
        text,
        "module: {} bytes, {} instructions, build options: {}",
        module.assemble().len(),
        module.instruction_count(),
        build_options(module).unwrap_or_else(|| "none".to_owned())
    );
    text
}

/// The same for programs.
pub fn json(device: &str, kernels: &[KernelStatistics], module: &Module) -> Value {
    let kernel = |kernel: &KernelStatistics| {
        json!({
            "name": kernel.name,
            "work_group_size": kernel.work_group,
            "subgroup_size": kernel.subgroup_size,
            "local_bytes": kernel.local_bytes,
            "instructions": kernel.instructions,
        })
    };
    let kernels: Vec<_> = kernels.iter().map(kernel).collect();
    json!({
        "device": device,
        "kernels": kernels,
        "module": {
            "bytes": module.assemble().len(),
            "instructions": module.instruction_count(),
            "build_options": build_options(module),
        },
    })
}

fn build_options(module: &Module) -> Option<String> {
    module.core_features().build_options().map(|options| options.to_string_lossy().into_owned())
}
