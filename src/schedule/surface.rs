//! Demands of the 2D block messages on a memref (lowering reference 4.4).

use crate::ir::{AddressSpace, AsSurface, Extent, Memref, Scalar};

/// Extents of a memref as a surface whose rows are the memref's columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surface {
    /// Bytes of a row.
    pub width: i64,
    /// Rows.
    pub height: i64,
    /// Bytes from a row to the next.
    pub pitch: i64,
}

impl Surface {
    /// Work-items of a subgroup that the messages are defined for.
    pub const LANES: i32 = 16;
    /// Alignment of the first element, and the smallest width and pitch, in bytes.
    pub const MIN_BYTES: i64 = 64;
    /// Largest width and pitch in bytes, and largest height.
    pub const MAX_EXTENT: i64 = AsSurface::MAX_EXTENT;
    /// The pitch is a multiple of so many bytes.
    pub const PITCH_BYTES: i64 = 16;
    /// The width and the first coordinate are multiples of so many bytes.
    pub const UNIT_BYTES: i64 = 4;

    /// True if messages move elements of this type.
    pub fn takes_element(element: Scalar) -> bool {
        const LARGEST: i64 = 4;
        element.bytes() <= LARGEST && !element.is_complex()
    }

    /// True if the messages take a surface of these extents.
    pub fn is_legal(self) -> bool {
        let Surface { width, height, pitch } = self;
        let bytes = Surface::MIN_BYTES..=Surface::MAX_EXTENT;
        bytes.contains(&width)
            && bytes.contains(&pitch)
            && (1..=Surface::MAX_EXTENT).contains(&height)
            && pitch >= width
            && width % Surface::UNIT_BYTES == 0
            && pitch % Surface::PITCH_BYTES == 0
    }

    /// True if the type of a memref alone says that it is a surface, but for the alignment of its first element.
    pub fn takes(memref: &Memref) -> bool {
        let bytes = memref.element.bytes();
        let number = |extent: &Extent, scale: i64| extent.value().map(|value| value.saturating_mul(scale));
        let ([rows, cols], [down, right]) = (memref.shape.as_slice(), memref.stride.as_slice()) else {
            return false;
        };
        let extents = (number(rows, bytes), number(cols, 1), number(right, bytes));
        let (Some(width), Some(height), Some(pitch)) = extents else { return false };
        memref.space == AddressSpace::Global
            && down.value() == Some(1)
            && Surface { width, height, pitch }.is_legal()
    }
}
