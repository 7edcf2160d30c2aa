//! Element types as the device sees them: a size and the type sums are kept in.

/// Type of a number in memory or registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ElementType {
    /// 8-bit integer.
    I8,
    /// 16-bit integer.
    I16,
    /// 32-bit integer.
    I32,
    /// 64-bit integer.
    I64,
    /// Integer of the address width, 64 bits.
    Index,
    /// Upper half of an f32.
    Bf16,
    /// IEEE half precision.
    F16,
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// Complex number of two f32.
    C32,
    /// Complex number of two f64.
    C64,
}

impl ElementType {
    /// Size in bytes.
    pub const fn size(self) -> i32 {
        match self {
            ElementType::I8 => 1,
            ElementType::I16 | ElementType::Bf16 | ElementType::F16 => 2,
            ElementType::I32 | ElementType::F32 => 4,
            ElementType::I64 | ElementType::Index | ElementType::F64 | ElementType::C32 => 8,
            ElementType::C64 => 16,
        }
    }

    /// Whether a number has an imaginary part.
    pub const fn is_complex(self) -> bool {
        matches!(self, ElementType::C32 | ElementType::C64)
    }

    /// The type in which products that end up in this type are summed.
    #[must_use]
    pub const fn accumulator(self) -> ElementType {
        match self {
            ElementType::I8 => ElementType::I32,
            ElementType::Bf16 | ElementType::F16 => ElementType::F32,
            other => other,
        }
    }
}
