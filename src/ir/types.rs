//! Types: bool, numbers, memrefs, groups, cooperative matrices and tiles (language reference 3).
//!
//! A type is a value: cheap to clone, compared by content, independent of any context.

use super::minifloat::Minifloat;
use std::fmt;
use std::sync::Arc;

/// A size, stride or offset: known now, or at run time (`?` in the text).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// Known when the program is compiled.
    Static(i64),
    /// Known when the kernel runs.
    Dynamic,
}

impl Extent {
    /// The number, if it is known.
    pub fn value(self) -> Option<i64> {
        match self {
            Extent::Static(value) => Some(value),
            Extent::Dynamic => None,
        }
    }

    /// True for `?`.
    pub fn is_dynamic(self) -> bool {
        self == Extent::Dynamic
    }

    /// Product; unknown if a factor is. Wraps, as all index arithmetic does.
    #[must_use]
    pub fn times(self, other: Extent) -> Extent {
        match (self, other) {
            (Extent::Static(a), Extent::Static(b)) => Extent::Static(a.wrapping_mul(b)),
            _ => Extent::Dynamic,
        }
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Extent::Static(value) => value.fmt(f),
            Extent::Dynamic => f.write_str("?"),
        }
    }
}

/// Declares a fieldless enumeration whose cases have a spelling in the language.
macro_rules! spelled {
    ($(#[$doc:meta])* $name:ident { $($(#[$case_doc:meta])* $case:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[$case_doc])* $case,)* }

        impl $name {
            /// Every case, in the order of declaration.
            pub const ALL: &'static [$name] = &[$($name::$case,)*];
            /// Their words.
            pub const SPELLINGS: &'static [&'static str] = &[$($text,)*];

            /// The word in the language.
            pub fn spelling(self) -> &'static str {
                match self { $($name::$case => $text,)* }
            }

            /// The case of a word.
            pub fn from_spelling(word: &str) -> Option<$name> {
                match word { $($text => Some($name::$case),)* _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.spelling())
            }
        }
    };
}
pub(crate) use spelled;

spelled! {
    /// A number type (language reference 3.1).
    Scalar {
        /// 8-bit integer.
        I8 = "i8",
        /// 16-bit integer.
        I16 = "i16",
        /// 32-bit integer.
        I32 = "i32",
        /// 64-bit integer.
        I64 = "i64",
        /// Integer for positions and sizes; 8 bytes, distinct from i64.
        Index = "index",
        /// 16-bit float with an 8-bit exponent.
        Bf16 = "bf16",
        /// IEEE half.
        F16 = "f16",
        /// IEEE single.
        F32 = "f32",
        /// IEEE double.
        F64 = "f64",
        /// Complex of two f32.
        C32 = "c32",
        /// Complex of two f64.
        C64 = "c64",
        /// 8-bit float with a 4-bit exponent and no infinity (OCP FP8 E4M3), which is only stored.
        F8e4m3 = "f8e4m3",
        /// 8-bit float with a 5-bit exponent, the upper byte of an IEEE half (OCP FP8 E5M2), which is only stored.
        F8e5m2 = "f8e5m2",
        /// 4-bit integer, two a byte in memory, which is only read.
        I4 = "i4",
    }
}

/// Type that holds a number in the modules of the back end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// Integer of 8 bits.
    I8,
    /// Integer of 16 bits.
    I16,
    /// Integer of 32 bits.
    I32,
    /// Integer of 64 bits.
    I64,
    /// IEEE half.
    F16,
    /// IEEE single.
    F32,
    /// IEEE double.
    F64,
    /// Two numbers of the component type.
    Pair,
}

impl Carrier {
    /// Bits of an integer; `None` if it is none.
    pub const fn integer_bits(self) -> Option<u32> {
        match self {
            Carrier::I8 => Some(8),
            Carrier::I16 => Some(16),
            Carrier::I32 => Some(32),
            Carrier::I64 => Some(64),
            Carrier::F16 | Carrier::F32 | Carrier::F64 | Carrier::Pair => None,
        }
    }
}

/// Kinds of numbers.
enum ScalarKind {
    Integer,
    Float,
    Complex,
}

impl Scalar {
    /// Size and alignment in bytes of a number by itself; [`Scalar::per_byte`] tells what memory holds.
    pub const fn bytes(self) -> i64 {
        match self {
            Scalar::I4 | Scalar::I8 | Scalar::F8e4m3 | Scalar::F8e5m2 => 1,
            Scalar::I16 | Scalar::Bf16 | Scalar::F16 => 2,
            Scalar::I32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::Index | Scalar::F64 | Scalar::C32 => 8,
            Scalar::C64 => 16,
        }
    }

    /// Numbers that share a byte of memory, the first in its lowest bits.
    pub const fn per_byte(self) -> i64 {
        match self {
            Scalar::I4 => 2,
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Index => 1,
            Scalar::F8e4m3 | Scalar::F8e5m2 | Scalar::Bf16 | Scalar::F16 | Scalar::F32 | Scalar::F64 => 1,
            Scalar::C32 | Scalar::C64 => 1,
        }
    }

    /// True for a type whose numbers share bytes, so that they are read and not written.
    pub const fn is_packed(self) -> bool {
        self.per_byte() > 1
    }

    /// Bytes of memory that so many numbers fill; `None` if that is no 64-bit number.
    pub const fn bytes_of(self, elements: i64) -> Option<i64> {
        match elements.checked_mul(self.bytes()) {
            // `div_ceil` of signed integers is not stable.
            Some(bytes) => Some(bytes / self.per_byte() + bytes % self.per_byte()),
            None => None,
        }
    }

    /// The type that holds a number of this type in a module (lowering reference 3.3).
    pub const fn carrier(self) -> Carrier {
        match self {
            Scalar::I8 | Scalar::F8e4m3 | Scalar::F8e5m2 => Carrier::I8,
            // GPUs convert a number of 16 bits as it is, one of 8 bits by way of that.
            Scalar::I4 | Scalar::I16 | Scalar::Bf16 => Carrier::I16,
            Scalar::I32 => Carrier::I32,
            Scalar::I64 | Scalar::Index => Carrier::I64,
            Scalar::F16 => Carrier::F16,
            Scalar::F32 => Carrier::F32,
            Scalar::F64 => Carrier::F64,
            Scalar::C32 | Scalar::C64 => Carrier::Pair,
        }
    }

    /// The type of C++ in which an argument is given, without namespaces.
    pub const fn cpp_name(self) -> &'static str {
        match self {
            Scalar::I8 => "int8",
            Scalar::I16 => "int16",
            Scalar::I32 => "int32",
            Scalar::I64 | Scalar::Index => "int64",
            Scalar::I4 | Scalar::F8e4m3 | Scalar::F8e5m2 => "uint8",
            Scalar::Bf16 => "bfloat16",
            Scalar::F16 => "half",
            Scalar::F32 => "float",
            Scalar::F64 => "double",
            Scalar::C32 => "complex<float>",
            Scalar::C64 => "complex<double>",
        }
    }

    const fn kind(self) -> ScalarKind {
        match self {
            Scalar::I4 | Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Index => {
                ScalarKind::Integer
            }
            Scalar::F8e4m3 | Scalar::F8e5m2 | Scalar::Bf16 | Scalar::F16 | Scalar::F32 | Scalar::F64 => {
                ScalarKind::Float
            }
            Scalar::C32 | Scalar::C64 => ScalarKind::Complex,
        }
    }

    /// i8 … index.
    pub const fn is_integer(self) -> bool {
        matches!(self.kind(), ScalarKind::Integer)
    }

    /// bf16 … f64, f8e4m3 and f8e5m2.
    pub const fn is_float(self) -> bool {
        matches!(self.kind(), ScalarKind::Float)
    }

    /// c32 or c64.
    pub const fn is_complex(self) -> bool {
        matches!(self.kind(), ScalarKind::Complex)
    }

    /// True for a type whose numbers are stored and converted, but not computed with (language reference 3.1).
    pub const fn is_only_stored(self) -> bool {
        match self {
            Scalar::I4 | Scalar::F8e4m3 | Scalar::F8e5m2 => true,
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Index => false,
            Scalar::Bf16 | Scalar::F16 | Scalar::F32 | Scalar::F64 | Scalar::C32 | Scalar::C64 => false,
        }
    }

    /// The types that may be computed with, in the order of declaration.
    pub fn computable() -> impl Iterator<Item = Scalar> {
        Scalar::ALL.iter().copied().filter(|scalar| !scalar.is_only_stored())
    }

    /// The type of the real part; the type itself if it is not complex.
    #[must_use]
    pub const fn component(self) -> Scalar {
        match self {
            Scalar::C32 => Scalar::F32,
            Scalar::C64 => Scalar::F64,
            Scalar::I4 | Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Index => self,
            Scalar::F8e4m3 | Scalar::F8e5m2 | Scalar::Bf16 | Scalar::F16 | Scalar::F32 | Scalar::F64 => self,
        }
    }

    /// Returns whether values of `self` may stand where `to` is computed with (language reference 3.1).
    pub fn promotable_to(self, to: Scalar) -> bool {
        let (from_part, to_part) = (self.component(), to.component());
        self == to
            || (!self.is_only_stored()
                && !to.is_only_stored()
                && (from_part.is_integer() || !to_part.is_integer())
                && (from_part.bytes() < to_part.bytes() || from_part == to_part)
                && (!self.is_complex() || to.is_complex()))
    }

    /// Returns whether copies and casts to `to` lose nothing that promotion keeps: numbers that are only stored are promoted to no type,
    /// but each floating type that is computed with has them all, and each integer type those that are integers.
    pub fn widens_to(self, to: Scalar) -> bool {
        let is_integer = to.is_integer() && self.is_integer();
        self.promotable_to(to)
            || self.is_only_stored() && !to.is_only_stored() && (to.is_float() || is_integer)
    }

    /// The wider of two types if one is promotable to the other.
    pub fn promote(self, other: Scalar) -> Option<Scalar> {
        if self.promotable_to(other) {
            Some(other)
        } else if other.promotable_to(self) {
            Some(self)
        } else {
            None
        }
    }

    /// An integer cut to this type: its low bits, sign-extended.
    pub const fn wrap(self, value: i64) -> i64 {
        let unused = 64 - 8 * self.bytes() / self.per_byte();
        (value << unused) >> unused
    }

    /// The value of this floating type that is nearest to a number, ties to even.
    pub fn round(self, value: f64) -> f64 {
        // Rounding is what a narrower type means.
        #[allow(clippy::cast_possible_truncation)]
        match self {
            Scalar::F8e4m3 => Minifloat::E4M3.value(Minifloat::E4M3.bits(value)),
            Scalar::F8e5m2 => Minifloat::E5M2.value(Minifloat::E5M2.bits(value)),
            Scalar::Bf16 => half::bf16::from_f32(round_to_odd(value)).to_f64(),
            Scalar::F16 => half::f16::from_f32(round_to_odd(value)).to_f64(),
            Scalar::F32 | Scalar::C32 => f64::from(value as f32),
            Scalar::F64 | Scalar::C64 => value,
            Scalar::I4 | Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Index => value,
        }
    }

    /// The bits of a number of this floating type, rounded to it; `None` if it is no floating type.
    pub fn float_bits(self, value: f64) -> Option<u64> {
        let value = self.round(value);
        // The value has been rounded to the type.
        #[allow(clippy::cast_possible_truncation)]
        match self {
            Scalar::F8e4m3 => Some(Minifloat::E4M3.bits(value).into()),
            Scalar::F8e5m2 => Some(Minifloat::E5M2.bits(value).into()),
            Scalar::Bf16 => Some(half::bf16::from_f64(value).to_bits().into()),
            Scalar::F16 => Some(half::f16::from_f64(value).to_bits().into()),
            Scalar::F32 => Some((value as f32).to_bits().into()),
            Scalar::F64 => Some(value.to_bits()),
            Scalar::I4 | Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Index => None,
            Scalar::C32 | Scalar::C64 => None,
        }
    }

    /// The number of this floating type with these bits, of which the low ones count; `None` if it is no floating type.
    pub fn float_value(self, bits: u64) -> Option<f64> {
        // The bits of the type are the low ones.
        #[allow(clippy::cast_possible_truncation)]
        match self {
            Scalar::F8e4m3 => Some(Minifloat::E4M3.value(bits as u8)),
            Scalar::F8e5m2 => Some(Minifloat::E5M2.value(bits as u8)),
            Scalar::Bf16 => Some(half::bf16::from_bits(bits as u16).to_f64()),
            Scalar::F16 => Some(half::f16::from_bits(bits as u16).to_f64()),
            Scalar::F32 => Some(f32::from_bits(bits as u32).into()),
            Scalar::F64 => Some(f64::from_bits(bits)),
            Scalar::I4 | Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Index => None,
            Scalar::C32 | Scalar::C64 => None,
        }
    }

    /// The type in which sums of products of this type are formed (lowering reference 1.11).
    #[must_use]
    pub const fn accumulator(self) -> Scalar {
        match self {
            Scalar::I4 | Scalar::I8 => Scalar::I32,
            Scalar::F8e4m3 | Scalar::F8e5m2 | Scalar::F16 | Scalar::Bf16 => Scalar::F32,
            Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Index => self,
            Scalar::F32 | Scalar::F64 | Scalar::C32 | Scalar::C64 => self,
        }
    }

    /// The type in which devices compute with numbers of this type; another one if it is only stored
    /// (lowering reference 3.4).
    #[must_use]
    pub const fn computed_in(self) -> Scalar {
        match self {
            Scalar::F8e4m3 | Scalar::F8e5m2 | Scalar::Bf16 => Scalar::F32,
            Scalar::I4 => Scalar::I16,
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Index => self,
            Scalar::F16 | Scalar::F32 | Scalar::F64 | Scalar::C32 | Scalar::C64 => self,
        }
    }

    /// The type in which a sum of numbers of this type that goes to `output` is formed: at least as wide as the output,
    /// so that sums for a wide output have its precision.
    #[must_use]
    pub fn sum_type(self, output: Scalar) -> Scalar {
        self.accumulator().promote(output.accumulator()).unwrap_or(output.accumulator())
    }
}

/// The f32 from which rounding once more to a half-width type gives what rounding `value` itself gives:
/// an inexact result keeps its last bit set, so that it is never mistaken for a tie (Boldo and
/// Melquiond, "When double rounding is odd", 2005).
fn round_to_odd(value: f64) -> f32 {
    // Rounding is wanted; what it does wrong is mended below.
    #[allow(clippy::cast_possible_truncation)]
    let nearest = value as f32;
    if f64::from(nearest) == value || !nearest.is_finite() || value.is_nan() {
        return nearest;
    }
    let bits = nearest.to_bits();
    // Numbers of one sign are ordered like their bits.
    let toward_zero = if f64::from(nearest).abs() > value.abs() { bits - 1 } else { bits };
    f32::from_bits(toward_zero | 1)
}

spelled! {
    /// Address space of a memref.
    AddressSpace {
        /// Memory of the device, visible to all work-groups.
        Global = "global",
        /// Shared local memory (SLM) of a work-group.
        Local = "local",
    }
}

spelled! {
    /// Role of a cooperative matrix in a matrix product.
    MatrixUse {
        /// Left factor.
        A = "matrix_a",
        /// Right factor.
        B = "matrix_b",
        /// Sum and result.
        Acc = "matrix_acc",
    }
}

/// Exchange of elements within the columns of a matrix in local memory, so that lanes that read a row meet in few banks
/// (language reference 3.2): element (i, j) is where (((i / vec) ⊕ ((j / per_phase) mod max_phase))·vec + i mod vec, j) would be
/// without it. The names are those of Triton's swizzled shared layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swizzle {
    /// Elements of a column that stay side by side.
    pub vec: i64,
    /// Columns that follow each other and have their elements in the same order.
    pub per_phase: i64,
    /// Number of orders, a power of two.
    pub max_phase: i64,
}

impl fmt::Display for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "swizzle<{},{},{}>", self.vec, self.per_phase, self.max_phase)
    }
}

/// A view of memory: element type, shape, stride (both in elements) and address space.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Memref {
    /// Element type.
    pub element: Scalar,
    /// Extent of each mode.
    pub shape: Vec<Extent>,
    /// Distance of neighbours in each mode, in elements.
    pub stride: Vec<Extent>,
    /// Exchange of elements along the first mode.
    pub swizzle: Option<Swizzle>,
    /// Address space.
    pub space: AddressSpace,
}

impl Memref {
    /// A memref with the canonical (packed, column-major) stride.
    pub fn packed(element: Scalar, shape: Vec<Extent>, space: AddressSpace) -> Memref {
        let stride = canonical_stride(&shape);
        Memref { element, shape, stride, swizzle: None, space }
    }

    /// Number of modes.
    pub fn order(&self) -> usize {
        self.shape.len()
    }

    /// The strides of an allocation, where a dynamic one follows from the mode before as if that were packed;
    /// `None` if a size is dynamic.
    pub fn allocated_strides(&self) -> Option<Vec<Extent>> {
        let mut next = Extent::Static(1);
        let strides = self.shape.iter().zip(&self.stride).map(|(size, stride)| {
            let stride = if stride.is_dynamic() { next } else { *stride };
            next = stride.times(*size);
            (!size.is_dynamic()).then_some(stride)
        });
        strides.collect()
    }

    /// Bytes of an allocation, from the first to past the last element; `None` if a size is dynamic.
    ///
    /// The widest mode counts, padding behind its last element included, or else the distance to the last
    /// element, so that every explicit stride is covered (lowering reference 1.5).
    pub fn size_in_bytes(&self) -> Option<i64> {
        let mut elements = 1i64;
        let mut span = 1i64;
        for (size, stride) in self.shape.iter().zip(self.allocated_strides()?) {
            let (size, stride) = (size.value()?, stride.value()?);
            elements = elements.max(size.checked_mul(stride)?);
            span = span.checked_add((size - 1).max(0).checked_mul(stride)?)?;
        }
        self.element.bytes_of(elements.max(span))
    }
}

/// The stride of a packed tensor; everything behind a dynamic size is dynamic.
pub fn canonical_stride(shape: &[Extent]) -> Vec<Extent> {
    shape
        .iter()
        .scan(Extent::Static(1), |next, size| {
            let stride = *next;
            *next = next.times(*size);
            Some(stride)
        })
        .collect()
}

/// Unrelated pointers, each seen as a memref of one type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    /// Type of the members.
    pub member: Arc<Memref>,
    /// Number of members.
    pub size: Extent,
    /// Elements by which every pointer is moved.
    pub offset: Extent,
}

/// A matrix spread over the work-items of a subgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Coopmatrix {
    /// Component type.
    pub component: Scalar,
    /// Number of rows, a power of two.
    pub rows: i64,
    /// Number of columns.
    pub cols: i64,
    /// Role in a matrix product.
    pub usage: MatrixUse,
}

/// A matrix spread over the subgroups of a work-group (tile reference 2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tile {
    /// Component type.
    pub component: Scalar,
    /// Number of rows.
    pub rows: i64,
    /// Number of columns.
    pub cols: i64,
    /// Role in a matrix product.
    pub usage: MatrixUse,
}

impl Tile {
    /// Elements that a tile may have: no work-group holds more in registers, and what a product does along K grows with
    /// them.
    pub const MAX_ELEMENTS: i64 = 1 << 20;

    /// Size of a mode that spans the matrix in memory, of the tiles that linear algebra is lowered to.
    pub const WHOLE: i64 = 0;

    /// Returns whether a mode spans the matrix in memory.
    pub fn is_whole(self) -> bool {
        self.rows == Tile::WHOLE || self.cols == Tile::WHOLE
    }

    /// The transpose, in the role that it has in the transposed product.
    #[must_use]
    pub fn transposed(self) -> Tile {
        let usage = match self.usage {
            MatrixUse::A => MatrixUse::B,
            MatrixUse::B => MatrixUse::A,
            MatrixUse::Acc => MatrixUse::Acc,
        };
        Tile { component: self.component, rows: self.cols, cols: self.rows, usage }
    }

    /// The accumulator that two accumulators make entry by entry, where a single row or column stands for as many as the other
    /// one has; `None` if they do not fit together.
    pub fn broadcast(self, other: Tile) -> Option<Tile> {
        if self == other {
            return Some(self);
        }
        let extent = |own: i64, other: i64| match (own, other) {
            _ if own == other => Some(own),
            (1, size) | (size, 1) => Some(size),
            _ => None,
        };
        let is_accumulator = [self, other].iter().all(|tile| tile.usage == MatrixUse::Acc);
        let (rows, cols) = (extent(self.rows, other.rows)?, extent(self.cols, other.cols)?);
        (is_accumulator && self.component == other.component).then_some(Tile { rows, cols, ..self })
    }
}

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Truth value; not a number.
    Bool,
    /// Number.
    Scalar(Scalar),
    /// View of memory.
    Memref(Arc<Memref>),
    /// Collection of memrefs.
    Group(Arc<Group>),
    /// Matrix held by a subgroup.
    Coopmatrix(Coopmatrix),
    /// Matrix held by a work-group.
    Tile(Tile),
}

impl Type {
    /// The `index` type.
    pub const INDEX: Type = Type::Scalar(Scalar::Index);
    /// The `i32` type.
    pub const I32: Type = Type::Scalar(Scalar::I32);

    /// The number type, if it is one.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Type::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// The memref, if it is one.
    pub fn memref(&self) -> Option<&Memref> {
        match self {
            Type::Memref(memref) => Some(memref),
            _ => None,
        }
    }

    /// The cooperative matrix, if it is one.
    pub fn coopmatrix(&self) -> Option<Coopmatrix> {
        match self {
            Type::Coopmatrix(matrix) => Some(*matrix),
            _ => None,
        }
    }

    /// The tile, if it is one.
    pub fn tile(&self) -> Option<Tile> {
        match self {
            Type::Tile(tile) => Some(*tile),
            _ => None,
        }
    }

    /// The number type, or the component type of a cooperative matrix or a tile.
    pub fn component(&self) -> Option<Scalar> {
        match self {
            Type::Scalar(scalar) => Some(*scalar),
            Type::Coopmatrix(matrix) => Some(matrix.component),
            Type::Tile(tile) => Some(tile.component),
            Type::Bool | Type::Memref(_) | Type::Group(_) => None,
        }
    }
}

impl From<Scalar> for Type {
    fn from(scalar: Scalar) -> Type {
        Type::Scalar(scalar)
    }
}

impl From<Memref> for Type {
    fn from(memref: Memref) -> Type {
        Type::Memref(Arc::new(memref))
    }
}

impl From<Group> for Type {
    fn from(group: Group) -> Type {
        Type::Group(Arc::new(group))
    }
}

impl From<Coopmatrix> for Type {
    fn from(matrix: Coopmatrix) -> Type {
        Type::Coopmatrix(matrix)
    }
}

impl From<Tile> for Type {
    fn from(tile: Tile) -> Type {
        Type::Tile(tile)
    }
}

/// Writes items with a separator between them.
pub(crate) fn write_list<T: fmt::Display>(
    f: &mut impl fmt::Write,
    items: impl IntoIterator<Item = T>,
    separator: &str,
) -> fmt::Result {
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            f.write_str(separator)?;
        }
        write!(f, "{item}")?;
    }
    Ok(())
}

impl fmt::Display for Memref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "memref<{}", self.element)?;
        for size in &self.shape {
            write!(f, "x{size}")?;
        }
        if self.stride != canonical_stride(&self.shape) {
            f.write_str(",strided<")?;
            write_list(f, &self.stride, ",")?;
            f.write_str(">")?;
        }
        if let Some(swizzle) = self.swizzle {
            write!(f, ",{swizzle}")?;
        }
        if self.space == AddressSpace::Local {
            f.write_str(",local")?;
        }
        f.write_str(">")
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bool => f.write_str("bool"),
            Type::Scalar(scalar) => scalar.fmt(f),
            Type::Memref(memref) => memref.fmt(f),
            Type::Group(group) => {
                write!(f, "group<{}x{}", group.member, group.size)?;
                if group.offset != Extent::Static(0) {
                    write!(f, ", offset: {}", group.offset)?;
                }
                f.write_str(">")
            }
            Type::Coopmatrix(m) => {
                write!(f, "coopmatrix<{}x{}x{},{}>", m.component, m.rows, m.cols, m.usage)
            }
            Type::Tile(t) => write!(f, "tile<{}x{}x{},{}>", t.component, t.rows, t.cols, t.usage),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Scalar::*;
    use super::*;

    #[test]
    fn promotion_table() {
        let rows: [(Scalar, &[Scalar]); 13] = [
            (I8, &[I8, I16, I32, I64, Index, Bf16, F16, F32, F64, C32, C64]),
            (I16, &[I16, I32, I64, Index, F32, F64, C32, C64]),
            (I32, &[I32, I64, Index, F64, C64]),
            (I64, &[I64]),
            (Index, &[Index]),
            (Bf16, &[Bf16, F32, F64, C32, C64]),
            (F16, &[F16, F32, F64, C32, C64]),
            (F32, &[F32, F64, C32, C64]),
            (F64, &[F64, C64]),
            (C32, &[C32, C64]),
            (C64, &[C64]),
            (F8e4m3, &[F8e4m3]),
            (F8e5m2, &[F8e5m2]),
        ];
        for (from, to) in rows {
            for &scalar in Scalar::ALL {
                assert_eq!(from.promotable_to(scalar), to.contains(&scalar), "{from} to {scalar}");
            }
        }
    }

    #[test]
    fn canonical_strides() {
        let stride = |shape: &[i64]| {
            let shape: Vec<_> =
                shape.iter().map(|&s| if s < 0 { Extent::Dynamic } else { Extent::Static(s) }).collect();
            canonical_stride(&shape).iter().map(Extent::to_string).collect::<Vec<_>>().join(",")
        };
        assert_eq!(stride(&[4, 6, 2]), "1,4,24");
        assert_eq!(stride(&[4, -1, 2, 3]), "1,4,?,?");
        assert_eq!(stride(&[-1]), "1");
        assert_eq!(stride(&[-1, 6]), "1,?");
        assert_eq!(stride(&[]), "");
    }
}
