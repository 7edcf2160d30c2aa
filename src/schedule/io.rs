//! Messages that matrices get to and from memory by (lowering reference 4.2 and 4.4): which there are, and which of them
//! a matrix can take.

use super::surface::Surface;
use super::{Pinned, Schedule};
use crate::device::{CoreInfo, SpirvFeature};
use crate::ir::{AddressSpace, IoClass, Memref};

/// A matrix in memory, as far as it is known when a function is lowered. Numbers count elements.
#[derive(Clone, Copy, Debug)]
pub struct MatrixInMemory<'a> {
    /// The memref's type.
    pub memref: &'a Memref,
    /// Extents of the memref.
    pub shape: [Option<i64>; 2],
    /// Distances of neighbours along both modes.
    pub stride: [Option<i64>; 2],
    /// Divides the position along the first mode.
    pub first_divisor: i64,
}

impl MatrixInMemory<'_> {
    /// Returns whether the first row lies where messages may begin.
    pub fn begins_at_unit(&self) -> bool {
        self.first_divisor.saturating_mul(self.memref.element.bytes()) % Surface::UNIT_BYTES == 0
    }
}

impl Pinned {
    /// Returns whether no attribute rules messages of a class out.
    pub fn allows(&self, class: IoClass) -> bool {
        self.io_class.is_none_or(|best| class >= best)
    }
}

impl Schedule {
    /// Returns whether messages of a class may be used: the device has them for subgroups of this size.
    pub fn has_io(&self, class: IoClass, info: &CoreInfo) -> bool {
        self.pinned.allows(class)
            && match class {
                IoClass::Block2d => {
                    info.have(SpirvFeature::Block2dIo) && self.subgroup_size == Surface::LANES
                }
                // A CPU's threads read consecutive elements as fast without.
                IoClass::Block1d => info.have(SpirvFeature::SubgroupBufferBlockIo) && !info.is_cpu(),
                IoClass::Lanes => true,
            }
    }

    /// The surface that a matrix lies in, but for the alignment of the memref's first element.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn surface(&self, matrix: &MatrixInMemory<'_>, info: &CoreInfo) -> Result<Surface, &'static str> {
        let rule = |holds: bool, reason| if holds { Ok(()) } else { Err(reason) };
        rule(self.pinned.allows(IoClass::Block2d), "the attribute io_class rules 2D block messages out")?;
        let has_messages = self.has_io(IoClass::Block2d, info);
        rule(has_messages, "the device has no 2D block messages for this subgroup size")?;
        let MatrixInMemory { memref, shape, stride, .. } = *matrix;
        rule(memref.space == AddressSpace::Global, "the memory is local")?;
        rule(stride[0] == Some(1), "the first stride is not known to be 1")?;
        let (Some(width), Some(height), Some(pitch)) = (shape[0], shape[1], stride[1]) else {
            return Err("shape or stride are known at run time only");
        };
        let [width, pitch] = [width, pitch].map(|extent| extent.saturating_mul(memref.element.bytes()));
        let surface = Surface { width, height, pitch };
        rule(surface.is_legal(), "width, height or pitch are not those of a surface")?;
        rule(matrix.begins_at_unit(), "the first row is not known to lie at a multiple of 4 bytes")?;
        Ok(surface)
    }
}
