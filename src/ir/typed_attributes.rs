//! Attributes with a meaning and their types (language reference 3.5). Those of functions and parameters are declared
//! here, those of instructions with these (`instructions.rs`).

use super::attributes::{Attribute, Dictionary};
use super::fields::Boundary;
use super::types::spelled;
use crate::status::Status;
use std::marker::PhantomData;

/// The type of an attribute.
pub trait AttributeType: Sized {
    /// The content of an attribute; status and message if it has none of this type.
    ///
    /// # Errors
    /// The attribute is of another kind, or out of range.
    fn read(name: &str, attribute: &Attribute) -> Result<Self, (Status, String)>;

    /// The attribute with this content.
    fn attribute(&self) -> Attribute;
}

/// The name of an attribute and its type.
#[derive(Debug)]
pub struct Key<T> {
    name: &'static str,
    ty: PhantomData<T>,
}

impl<T: AttributeType> Key<T> {
    const fn new(name: &'static str) -> Key<T> {
        Key { name, ty: PhantomData }
    }

    /// The name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The content, if it is given.
    ///
    /// # Errors
    /// Status and message if the attribute is not of its type.
    pub fn read(&self, attributes: Option<&Dictionary>) -> Result<Option<T>, (Status, String)> {
        read(attributes, self.name)
    }

    /// Adds the attribute, or replaces it.
    pub fn write(&self, attributes: &mut Dictionary, content: &T) {
        attributes.insert(self.name, content.attribute());
    }
}

/// Declares the attributes of a part of a program: constant, name, type.
macro_rules! declare {
    ($(#[$doc:meta])* $part:ident { $($(#[$key_doc:meta])* $key:ident $name:literal: $ty:ty;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $part;

        impl $part {
            $($(#[$key_doc])* pub const $key: Key<$ty> = Key::new($name);)*

            /// All names.
            pub const NAMES: &'static [&'static str] = &[$($name),*];
        }
    };
}

declare! {
    /// Attributes of functions.
    FunctionAttribute {
        /// Work-items of a subgroup.
        SUBGROUP_SIZE "subgroup_size": SubgroupSize;
        /// Work-items of a work-group in x and y.
        WORK_GROUP_SIZE "work_group_size": WorkGroupSize;
        /// Rows and columns of the accumulators of a subgroup in a `gemm`.
        REGISTER_BLOCK "register_block": RegisterBlock;
        /// Columns of A and rows of B that a `gemm` takes in one step.
        K_STEP "k_step": KStep;
        /// Steps that prefetches of a `gemm` run ahead.
        PREFETCH_DISTANCE "prefetch_distance": PrefetchDistance;
        /// Registers of a hardware thread.
        GRF_SIZE "grf_size": GrfSize;
        /// The best messages that matrices may be loaded and stored by.
        IO_CLASS "io_class": IoClass;
        /// The side from which products of tiles are computed.
        ORIENTATION "orientation": Orientation;
        /// Arithmetic of the products whose factors are of type f32.
        PRECISION "precision": Precision;
    }
}

declare! {
    /// Attributes of parameters of memref or group type.
    ParameterAttribute {
        /// Bytes that the base pointer is a multiple of.
        ALIGNMENT "alignment": i64;
        /// ModeDivisors of the sizes, one for each mode.
        SHAPE_GCD "shape_gcd": ModeDivisors;
        /// ModeDivisors of the strides, one for each mode.
        STRIDE_GCD "stride_gcd": ModeDivisors;
        /// The mode of a matrix along which elements are contiguous.
        UNIT_STRIDE "unit_stride": UnitStride;
        /// True if 2D block messages take a matrix: its address, sizes and strides.
        SURFACE "surface": bool;
    }
}

/// Reads an attribute that may be absent.
pub(super) fn read<T: AttributeType>(
    attributes: Option<&Dictionary>,
    name: &str,
) -> Result<Option<T>, (Status, String)> {
    attributes.and_then(|attributes| attributes.get(name)).map(|found| T::read(name, found)).transpose()
}

impl AttributeType for i64 {
    fn read(name: &str, attribute: &Attribute) -> Result<i64, (Status, String)> {
        let wrong = || format!("{name} is {}, {attribute}", attribute.kind());
        attribute.integer().ok_or_else(|| (Status::IrExpectedIntegerAttribute, wrong()))
    }

    fn attribute(&self) -> Attribute {
        Attribute::Integer(*self)
    }
}

impl AttributeType for bool {
    fn read(name: &str, attribute: &Attribute) -> Result<bool, (Status, String)> {
        let Attribute::Boolean(content) = attribute else {
            let detail = format!("{name} is {}, {attribute}; write true or false", attribute.kind());
            return Err((Status::IrExpectedBooleanAttribute, detail));
        };
        Ok(*content)
    }

    fn attribute(&self) -> Attribute {
        Attribute::Boolean(*self)
    }
}

/// Largest part of a schedule that an attribute may ask for: more than any register file or loop has use for.
const MAX_PIN: i64 = 4096;

/// An integer of 32 bits, since no device has sizes beyond; `entry` tells a part of a list.
fn number(
    (name, entry): (&str, &str),
    attribute: &Attribute,
    status: Status,
    fits: fn(i64) -> bool,
) -> Result<i32, (Status, String)> {
    let value = i64::read(&format!("{entry}{name}"), attribute)?;
    let number = i32::try_from(value).ok().filter(|_| fits(value));
    number.ok_or_else(|| (status, format!("{name} is {value}")))
}

/// Two integers of 32 bits.
fn pair(
    name: &str,
    attribute: &Attribute,
    status: Status,
    fits: fn(i64) -> bool,
) -> Result<[i32; 2], (Status, String)> {
    let Attribute::Array(items) = attribute else {
        let detail = format!("{name} is {}, {attribute}; write [x,y]", attribute.kind());
        return Err((Status::IrExpectedArrayAttribute, detail));
    };
    let [x, y] = items.as_slice() else {
        let detail = format!("{name} has {} entries instead of 2", items.len());
        return Err((Status::IrUnexpectedArrayAttributeSize, detail));
    };
    let entry = |item| number((name, "an entry of "), item, status, fits);
    Ok([entry(x)?, entry(y)?])
}

/// Declares types that are one or two integers: status if they are out of range, and the range.
macro_rules! integers {
    (@read i32, $name:expr, $attribute:expr, $status:expr, $fits:expr) => {
        number(($name, ""), $attribute, $status, $fits)
    };
    (@read [i32; 2], $name:expr, $attribute:expr, $status:expr, $fits:expr) => {
        pair($name, $attribute, $status, $fits)
    };
    (@attribute i32, $content:expr) => {
        Attribute::Integer($content.into())
    };
    (@attribute [i32; 2], $content:expr) => {
        Attribute::Array($content.map(|number| Attribute::Integer(number.into())).to_vec())
    };
    ($($(#[$doc:meta])* $ty:ident($content:tt) $status:ident $fits:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $ty(pub $content);

        impl AttributeType for $ty {
            fn read(name: &str, attribute: &Attribute) -> Result<$ty, (Status, String)> {
                integers!(@read $content, name, attribute, Status::$status, $fits).map($ty)
            }

            fn attribute(&self) -> Attribute {
                integers!(@attribute $content, self.0)
            }
        }
    )*};
}

integers! {
    /// Work-items of a subgroup, of which the device decides whether it supports them.
    SubgroupSize(i32) UnsupportedSubgroupSize |_| true;
    /// Work-items of a work-group in x and y, of which the device decides whether it supports them.
    WorkGroupSize([i32; 2]) UnsupportedWorkGroupSize |_| true;
    /// Rows and columns of accumulators.
    RegisterBlock([i32; 2]) OutOfRange |size| (1..=MAX_PIN).contains(&size);
    /// Size of a step.
    KStep(i32) OutOfRange |size| (1..=MAX_PIN).contains(&size);
    /// Number of steps.
    PrefetchDistance(i32) OutOfRange |steps| (0..=MAX_PIN).contains(&steps);
    /// A mode of a matrix.
    UnitStride(i32) OutOfRange |mode| (0..2).contains(&mode);
}

/// Registers of a hardware thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrfSize(pub i32);

impl GrfSize {
    /// The sizes that there are.
    pub const ALL: [GrfSize; 2] = [GrfSize(128), GrfSize(256)];
}

impl AttributeType for GrfSize {
    fn read(name: &str, attribute: &Attribute) -> Result<GrfSize, (Status, String)> {
        let in_range = |size| (1..=MAX_PIN).contains(&size);
        let size = GrfSize(number((name, ""), attribute, Status::OutOfRange, in_range)?);
        if GrfSize::ALL.contains(&size) {
            return Ok(size);
        }
        Err((Status::OutOfRange, format!("{name} is {}; write 128 or 256", size.0)))
    }

    fn attribute(&self) -> Attribute {
        Attribute::Integer(self.0.into())
    }
}

integers! {
    /// Steps of a loop that are in flight, the one in use included.
    NumStages(i32) OutOfRange |stages| (1..=MAX_STAGES).contains(&stages);
    /// Tiles of a group, or of the side of a block, in an order of tiles.
    OrderGroup(i32) OutOfRange |tiles| (1..=MAX_PIN).contains(&tiles);
}

/// Largest number of stages that a loop may ask for: no cache holds more.
const MAX_STAGES: i64 = 64;

/// Declares attributes that are one of several words.
macro_rules! words {
    ($($(#[$doc:meta])* $ty:ident { $($(#[$case_doc:meta])* $case:ident = $text:literal,)* })*) => {$(
        spelled! { $(#[$doc])* $ty { $($(#[$case_doc])* $case = $text,)* } }

        impl AttributeType for $ty {
            fn read(name: &str, attribute: &Attribute) -> Result<$ty, (Status, String)> {
                let Attribute::String(text) = attribute else {
                    let detail = format!("{name} is {}, {attribute}", attribute.kind());
                    return Err((Status::IrExpectedStringAttribute, detail));
                };
                let word = text.to_string();
                <$ty>::from_spelling(&word).ok_or_else(|| {
                    let words: Vec<String> = [$($text),*].iter().map(|word| format!("\"{word}\"")).collect();
                    (Status::OutOfRange, format!("{name} is \"{word}\"; write {}", words.join(" or ")))
                })
            }

            fn attribute(&self) -> Attribute {
                Attribute::String(self.spelling().into())
            }
        }
    )*};
}

words! {
    /// Messages that matrices are loaded and stored by, best first.
    IoClass {
        /// Two-dimensional blocks of a surface.
        Block2d = "block_2d",
        /// Blocks of contiguous elements.
        Block1d = "block_1d",
        /// An address for each work-item and entry.
        Lanes = "lanes",
    }
    /// The side from which a product is computed.
    Orientation {
        /// As D = A·B + C.
        AsWritten = "as_written",
        /// As Dᵀ = Bᵀ·Aᵀ + Cᵀ.
        Transposed = "transposed",
    }
    /// Arithmetic of products.
    Precision {
        /// That of the types.
        Ieee = "ieee",
        /// Factors of type f32 may be rounded to the 19 bits of tf32.
        Tf32 = "tf32",
        /// Factors of type f32 as sums of three bf16 numbers.
        Bf16x3 = "bf16x3",
    }
    /// Kind of software pipeline of a loop.
    Pipeline {
        /// The compiler decides.
        Auto = "auto",
        /// Prefetches to the cache.
        Prefetch = "prefetch",
        /// Copies in shared local memory.
        Slm = "slm",
        /// None.
        None = "none",
    }
    /// Synchronization that keeps the subgroups in the same step of a loop.
    Sync {
        /// The compiler decides.
        Auto = "auto",
        /// None.
        None = "none",
        /// A split barrier.
        Split = "split",
        /// A barrier.
        Full = "full",
    }
}

/// Boundaries of the two modes of a memref.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boundaries(pub [Boundary; 2]);

impl AttributeType for Boundaries {
    fn read(name: &str, attribute: &Attribute) -> Result<Boundaries, (Status, String)> {
        let Attribute::Array(items) = attribute else {
            let detail = format!("{name} is {}, {attribute}; a list has one entry a mode", attribute.kind());
            return Err((Status::IrExpectedArrayAttribute, detail));
        };
        let [first, second] = items.as_slice() else {
            let detail = format!("{name} needs 2 entries, one a mode, and has {}", items.len());
            return Err((Status::IrUnexpectedArrayAttributeSize, detail));
        };
        let entry = |item: &Attribute| {
            let Attribute::String(text) = item else {
                let detail = format!("an entry of {name} is {}, {item}", item.kind());
                return Err((Status::IrExpectedStringAttribute, detail));
            };
            let word = text.to_string();
            Boundary::from_spelling(&format!(".{word}")).ok_or_else(|| {
                let detail = format!("{name} has \"{word}\"; write \"zero\", \"wrap\" or \"unchecked\"");
                (Status::OutOfRange, detail)
            })
        };
        Ok(Boundaries([entry(first)?, entry(second)?]))
    }

    fn attribute(&self) -> Attribute {
        let word = |boundary: Boundary| boundary.spelling().trim_start_matches('.').into();
        Attribute::Array(self.0.map(|boundary| Attribute::String(word(boundary))).to_vec())
    }
}

/// ModeDivisors of sizes or strides, one for each mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModeDivisors(pub Vec<i64>);

impl AttributeType for ModeDivisors {
    fn read(name: &str, attribute: &Attribute) -> Result<ModeDivisors, (Status, String)> {
        let Attribute::Array(items) = attribute else {
            let detail = format!("{name} is {}, {attribute}; a list has one entry a mode", attribute.kind());
            return Err((Status::IrExpectedArrayAttribute, detail));
        };
        let entry = |item: &Attribute| {
            let divisor = i64::read(&format!("an entry of {name}"), item)?;
            let refusal =
                || (Status::OutOfRange, format!("an entry of {name} is {divisor}, where 1 is the least"));
            Some(divisor).filter(|&divisor| divisor > 0).ok_or_else(refusal)
        };
        items.iter().map(entry).collect::<Result<_, _>>().map(ModeDivisors)
    }

    fn attribute(&self) -> Attribute {
        Attribute::Array(self.0.iter().map(|&divisor| Attribute::Integer(divisor)).collect())
    }
}

/// Request to a driver about the turns of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unroll {
    /// It should unroll the loop.
    Full,
    /// It should leave the loop as it is.
    Never,
    /// It should make so many turns one.
    By(u32),
}

impl AttributeType for Unroll {
    fn attribute(&self) -> Attribute {
        match *self {
            Unroll::Full => Attribute::Boolean(true),
            Unroll::Never => Attribute::Boolean(false),
            Unroll::By(count) => Attribute::Integer(count.into()),
        }
    }

    fn read(name: &str, attribute: &Attribute) -> Result<Unroll, (Status, String)> {
        match attribute {
            Attribute::Boolean(true) => Ok(Unroll::Full),
            Attribute::Boolean(false) => Ok(Unroll::Never),
            Attribute::Integer(count) => {
                u32::try_from(*count).ok().filter(|&count| count > 0).map(Unroll::By).ok_or_else(|| {
                    let most = u32::MAX;
                    let detail = format!("{name} is {count}; a loop is unrolled by 1 to {most} turns");
                    (Status::OutOfRange, detail)
                })
            }
            Attribute::String(_) | Attribute::Array(_) | Attribute::Dictionary(_) => {
                let kind = attribute.kind();
                let detail = format!("{name} is {kind}, {attribute}; true, false or a number is needed");
                Err((Status::IrExpectedBooleanAttribute, detail))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::attributes::KEYWORDS;
    use super::super::instructions::TABLE;
    use super::*;

    #[test]
    fn words_of_the_language_are_declared_attributes() {
        let of_instructions = TABLE.iter().flat_map(|info| info.attributes);
        let declared: Vec<&str> = FunctionAttribute::NAMES
            .iter()
            .chain(ParameterAttribute::NAMES)
            .chain(of_instructions)
            .copied()
            .collect();
        let others: Vec<_> = KEYWORDS.iter().filter(|word| !declared.contains(word)).collect();
        assert!(others.is_empty(), "{others:?}");
    }

    #[test]
    fn contents_are_read_as_they_are_written() {
        fn check<T: AttributeType + PartialEq + std::fmt::Debug>(key: &Key<T>, content: T) {
            let mut attributes = Dictionary::new();
            assert_eq!(key.read(Some(&attributes)), Ok(None));
            key.write(&mut attributes, &content);
            assert_eq!(key.read(Some(&attributes)), Ok(Some(content)));
        }
        check(&FunctionAttribute::SUBGROUP_SIZE, SubgroupSize(16));
        check(&FunctionAttribute::WORK_GROUP_SIZE, WorkGroupSize([64, 2]));
        check(&FunctionAttribute::REGISTER_BLOCK, RegisterBlock([32, 8]));
        check(&FunctionAttribute::K_STEP, KStep(4096));
        check(&FunctionAttribute::PREFETCH_DISTANCE, PrefetchDistance(0));
        check(&FunctionAttribute::GRF_SIZE, GrfSize(256));
        check(&FunctionAttribute::IO_CLASS, IoClass::Lanes);
        check(&FunctionAttribute::ORIENTATION, Orientation::Transposed);
        check(&FunctionAttribute::PRECISION, Precision::Tf32);
        check(&ParameterAttribute::ALIGNMENT, 64);
        check(&ParameterAttribute::SHAPE_GCD, ModeDivisors(vec![1, 4]));
        check(&ParameterAttribute::UNIT_STRIDE, UnitStride(1));
        check(&ParameterAttribute::SURFACE, true);
        for unroll in [Unroll::Full, Unroll::Never, Unroll::By(4)] {
            check(&Key::new("unroll"), unroll);
        }
    }
}
