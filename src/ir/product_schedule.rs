//! The schedule of a product in the subgroups of a work-group (lowering reference 1.13 and 1.16).

use super::types::spelled;
use std::fmt;

spelled! {
    /// The code that a device gets for cooperative matrices (lowering reference 4.5). Every kind has an implementation
    /// in `spirv`, and passes ask here what they may assume of it.
    MatrixBackendKind {
        /// Scalars in the registers of each work-item, for every device.
        Vector = "vector",
        /// Fragments that the XMX engine multiplies by DPAS.
        Dpas = "dpas",
        /// Tiles of SPV_KHR_cooperative_matrix, for engines that no other instruction reaches.
        JointMatrix = "joint_matrix",
    }
}

/// Part of a product that one subgroup keeps in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AccumulatorBlock {
    /// Rows, a multiple of the subgroup size.
    pub rows: i32,
    /// Columns, at least 1.
    pub cols: i32,
}

/// Place of what one product of a chain makes in the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChainedFactor {
    /// A, of which a subgroup needs the rows that it computes.
    First,
    /// B, of which a subgroup needs all rows.
    Second,
}

/// Schedule of a product in a subgroup, which the pass `product-schedule` chooses and lowering obeys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductSchedule {
    /// Back end that computes it.
    pub backend: MatrixBackendKind,
    /// Accumulators of a subgroup.
    pub block: AccumulatorBlock,
    /// Columns of A and rows of B taken in one step, largest first; the loop over what is left after one takes the
    /// next.
    pub k_steps: Vec<i32>,
    /// Columns of A and rows of B that are loaded at once: longer steps load their factors one part after the other.
    pub load_step: i32,
    /// Steps that prefetches run ahead of the loads; 0 for none.
    pub prefetch_distance: i32,
    /// True if the transpose of C is computed.
    pub is_transposed: bool,
    /// The factor that a product makes which is computed with it, in registers.
    pub chained: Option<ChainedFactor>,
}

impl ProductSchedule {
    /// The steps along K, largest first. Of a large product that is a single step Intel's compiler would load all before it computes
    /// anything; iterations stay apart.
    pub fn steps(&self, depth: Option<i64>) -> &[i32] {
        match self.k_steps.as_slice() {
            [step, rest @ ..]
                if self.prefetch_distance > 0 && !rest.is_empty() && depth == Some((*step).into()) =>
            {
                rest
            }
            steps => steps,
        }
    }

    /// The steps that there are, if the columns of A are known. On an engine what is left takes a step that is padded.
    pub fn steps_of(&self, depth: Option<i64>) -> Vec<i32> {
        let mut steps = self.steps(depth).to_vec();
        let (least, Some(mut left)) = (steps.last().copied(), depth) else { return steps };
        steps.retain(|&step| {
            let has_step = left >= step.into();
            left %= i64::from(step.max(1));
            has_step
        });
        if left > 0 && steps.last().copied() != least {
            steps.extend(least);
        }
        steps
    }
}

impl fmt::Display for ProductSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ProductSchedule { backend, block: AccumulatorBlock { rows, cols }, .. } = self;
        let steps: Vec<String> = self.k_steps.iter().map(ToString::to_string).collect();
        write!(f, "{backend}, register block {rows}x{cols}, k-steps {}", steps.join(" "))?;
        if self.k_steps.first().is_some_and(|&step| self.load_step < step) {
            write!(f, " in loads of {}", self.load_step)?;
        }
        if self.prefetch_distance > 0 {
            write!(f, ", prefetch {} steps ahead", self.prefetch_distance)?;
        }
        f.write_str(if self.is_transposed { ", transposed" } else { "" })?;
        f.write_str(match self.chained {
            None => "",
            Some(ChainedFactor::First) => ", chained",
            Some(ChainedFactor::Second) => ", chained by its second factor",
        })
    }
}
