//! The tables: families of instructions, each a list of rows that says which instruction, which types and
//! which operands there are, what they mean, and how far rounding may lead.
//!
//! A row becomes launches: a kernel, its arguments and what has to be in memory afterwards. The launches of a
//! test are built as one module, since drivers take longer to start building than to build.

mod atomics;
mod case_counts;
mod control;
mod coopmatrix;
mod features;
mod launch;
mod linalg;
mod memory;
mod number;
mod operations;
mod recipes;
mod scalars;
mod subgroup;
mod tensor;

pub use case_counts::{CASE_COUNTS, CaseCounts};

use tiletc::device::{CoreInfo, SpirvFeature};

use crate::Case;
use crate::device::Device;

/// The subgroup sizes that every row runs with.
const SUBGROUP_SIZES: [i32; 2] = [16, 32];

pub fn cases() -> Vec<Case> {
    let families = [
        linalg::cases(),
        coopmatrix::cases(),
        scalars::cases(),
        memory::cases(),
        control::cases(),
        recipes::cases(),
    ];
    families.into_iter().flatten().map(|case| case.within("tables")).collect()
}

/// The device with so few registers that the compiler chooses small blocks, which drivers build quickly.
fn small(device: &Device) -> CoreInfo {
    let sizes = device.info.subgroup_sizes();
    let mut info = CoreInfo::generic(512, device.info.max_work_group_size(sizes[0]), sizes);
    for &feature in SpirvFeature::ALL {
        info.set(feature, device.info.have(feature));
    }
    info
}
