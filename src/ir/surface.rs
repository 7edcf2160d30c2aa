//! Matrices in memory as surfaces of the 2D block messages: what `is_surface` tests (lowering reference 4.4).

use super::types::Scalar;

/// Extents of a matrix as a surface, whose rows are the matrix's columns.
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
    /// Alignment of the first element, and the smallest width and pitch, in bytes.
    pub const MIN_BYTES: i64 = 64;
    /// Largest width and pitch in bytes, and largest height.
    pub const MAX_EXTENT: i64 = 1 << 24;
    /// The pitch is a multiple of so many bytes.
    pub const PITCH_BYTES: i64 = 16;
    /// The width and the first coordinate are multiples of so many bytes.
    pub const UNIT_BYTES: i64 = 4;

    /// Returns whether messages move elements of this type as they are; wider ones come in parts.
    pub fn takes_element(element: Scalar) -> bool {
        const LARGEST: i64 = 4;
        element.bytes() <= LARGEST && !element.is_complex() && !element.is_packed()
    }

    /// Returns whether the messages take a surface of these extents.
    pub fn is_legal(self) -> bool {
        let Surface { width, height, pitch } = self;
        PartialSurface { width: Some(width), height: Some(height), pitch: Some(pitch) }.may_be_legal()
    }
}

/// Extents of a matrix as far as they are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartialSurface {
    /// Bytes of a row.
    pub width: Option<i64>,
    /// Rows.
    pub height: Option<i64>,
    /// Bytes from a row to the next.
    pub pitch: Option<i64>,
}

impl PartialSurface {
    /// Returns whether no extent that is known breaks a rule.
    pub fn may_be_legal(self) -> bool {
        let PartialSurface { width, height, pitch } = self;
        let bytes = Surface::MIN_BYTES..=Surface::MAX_EXTENT;
        width.is_none_or(|width| bytes.contains(&width) && width % Surface::UNIT_BYTES == 0)
            && pitch.is_none_or(|pitch| bytes.contains(&pitch) && pitch % Surface::PITCH_BYTES == 0)
            && height.is_none_or(|height| (1..=Surface::MAX_EXTENT).contains(&height))
            && pitch.zip(width).is_none_or(|(pitch, width)| pitch >= width)
    }

    /// The surface, if all extents are known.
    pub fn whole(self) -> Option<Surface> {
        Some(Surface { width: self.width?, height: self.height?, pitch: self.pitch? })
    }
}
