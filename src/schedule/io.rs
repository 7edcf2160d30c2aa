//! Messages that matrices get to and from memory by (lowering reference 4.2 and 4.4): which there are.

use super::{Overrides, Schedule};
use crate::device::{Block2dIo, CoreInfo, SpirvFeature};
use crate::ir::IoClass;

impl Overrides {
    /// Returns whether no attribute rules messages of a class out.
    pub fn allows(&self, class: IoClass) -> bool {
        self.io_class.is_none_or(|best| class >= best)
    }
}

impl Schedule {
    /// Returns whether messages of a class may be used: the device has them for subgroups of this size.
    pub fn has_io(&self, class: IoClass, info: &CoreInfo) -> bool {
        match class {
            IoClass::Block2d => self.block_2d_io(info).is_some(),
            // A CPU's threads read consecutive elements as fast without.
            IoClass::Block1d => {
                self.overrides.allows(class)
                    && info.have(SpirvFeature::SubgroupBufferBlockIo)
                    && self.subgroup_size <= info.max_block_1d_lanes()
                    && !info.is_cpu()
            }
            IoClass::Lanes => true,
        }
    }

    /// The 2D block messages, if the device has them for subgroups of this size and no attribute rules them out.
    pub fn block_2d_io(&self, info: &CoreInfo) -> Option<&'static Block2dIo> {
        let io = info.block_2d_io().filter(|io| io.lanes == self.subgroup_size)?;
        self.overrides.allows(IoClass::Block2d).then_some(io)
    }
}
