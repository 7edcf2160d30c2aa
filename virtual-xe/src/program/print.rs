//! Output of kernels: the printf of OpenCL C.

use super::Access;
use crate::layout::Scalar;

/// A call of printf.
pub(crate) struct Print {
    pub pieces: Vec<Piece>,
}

/// Parts that are printed one after the other.
pub(crate) enum Piece {
    Text(String),
    Numbers(Numbers),
    /// A text in memory, up to its zero, by a conversion.
    Words(String, Box<Access>),
}

/// The components of a vector, with commas between them, or a number.
pub(crate) struct Numbers {
    /// A conversion of C without a length.
    pub format: String,
    pub rows: Vec<u32>,
    pub scalar: Scalar,
    pub kind: Kind,
}

/// Type that a number is converted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An integer of so many bits, the rest of which do not count.
    Signed(u32),
    Unsigned(u32),
    Float,
    Character,
}
