//! The cases of each class, made for a device.
//!
//! Numbers are small integers, or fractions of powers of two where it is about rounding, so that every order of
//! summation gives the same bits and those of the device are compared with what the host computes.

pub mod atomics;
pub mod blocks;
pub mod graphs;
pub mod groups;
pub mod numbers;
pub mod offsets;
pub mod products;
pub mod subgroups;
pub mod variants;

use tiletc::device::CoreInfo;

/// Bytes from which on every memory of a case starts.
pub const ALIGNMENT: usize = 128;

/// The size of subgroups in cases that it means nothing to: that of the matrix engine, or else the usual one.
pub fn lanes(info: &CoreInfo) -> usize {
    let sizes = info.subgroup_sizes();
    let engine = info.dpas_engine().map(|engine| engine.subgroup_size());
    let usual = sizes.iter().copied().find(|&size| size == 16).or(sizes.first().copied());
    engine.or(usual).and_then(|size| usize::try_from(size).ok()).unwrap_or(16)
}

/// A kernel in whose work-groups every work-item does the same with its number `%i`, from 0 on, as `index`.
fn kernel(parameters: &str, lanes: usize, items: usize, before: &str, body: &str) -> String {
    format!(
        "func @main({parameters}) attributes{{subgroup_size={lanes}, work_group_size=[{items},1]}} {{
    {before}
    parallel {{
        %subgroup = subgroup_linear_id : i32
        %lane = subgroup_local_id : i32
        %width = constant {lanes} : i32
        %first = mul %subgroup, %width : i32
        %number = add %first, %lane : i32
        %i = cast %number : index
        {body}
    }}
}}
"
    )
}
