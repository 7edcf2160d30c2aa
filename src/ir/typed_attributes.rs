//! The attributes that parts of a program have and their types (language reference 3.5).
//!
//! They are read once, when the part is made; whoever looks at them later finds their contents.

use super::attributes::{Attribute, AttributeError, Dictionary};
use super::grid_attribute::GridSizes;
use super::types::spelled;
use crate::diagnostics::is_similar;
use crate::status::Status;

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

/// The attributes of a part of a program.
pub trait AttributeSet: Clone + Default {
    /// The part in words.
    const PART: &'static str;
    /// Names of the attributes.
    const NAMES: &'static [&'static str];

    /// The attributes in a dictionary; none without one.
    ///
    /// # Errors
    /// The dictionary has an attribute that the part does not have, or one that is malformed.
    fn of(dictionary: Option<&Dictionary>) -> Result<Self, AttributeError>;

    /// The attributes as they are printed; `None` if nothing is.
    fn dictionary(&self) -> Option<Dictionary>;

    /// Checks contents that were written by hand.
    ///
    /// # Errors
    /// An attribute that no text could say.
    fn check(&self) -> Result<(), AttributeError> {
        Self::of(self.dictionary().as_ref()).map(drop)
    }
}

/// Declares the attributes of parts of a program, by name and type.
macro_rules! attributes {
    ($($(#[$doc:meta])* $set:ident of $part:literal { $($(#[$key_doc:meta])* $key:ident: $ty:ty,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, Default, PartialEq)]
            pub struct $set {
                $($(#[$key_doc])* pub $key: Option<$ty>,)*
                /// True if braces with nothing between them are printed.
                pub has_braces: bool,
            }

            impl AttributeSet for $set {
                const PART: &'static str = $part;
                const NAMES: &'static [&'static str] = &[$(stringify!($key)),*];

                fn of(dictionary: Option<&Dictionary>) -> Result<$set, AttributeError> {
                    let Some(dictionary) = dictionary else { return Ok($set::default()) };
                    check_names(dictionary, Self::PART, Self::NAMES)?;
                    let has_braces = dictionary.iter().next().is_none();
                    Ok($set { $($key: read(dictionary, stringify!($key))?,)* has_braces })
                }

                fn dictionary(&self) -> Option<Dictionary> {
                    let entries = [$((stringify!($key), self.$key.as_ref().map(AttributeType::attribute))),*];
                    let given: Dictionary =
                        entries.into_iter().filter_map(|(name, content)| Some((name, content?))).collect();
                    (self.has_braces || given.iter().next().is_some()).then_some(given)
                }
            }
        )*

        /// Names of all attributes, which are words of the language.
        pub fn attribute_names() -> impl Iterator<Item = &'static str> {
            [$($set::NAMES),*].into_iter().flatten().copied()
        }
    };
}

attributes! {
    /// Attributes of functions.
    FunctionAttributes of "a function" {
        /// Work-items of a subgroup.
        subgroup_size: SubgroupSize,
        /// Work-items of a work-group in x and y.
        work_group_size: WorkGroupSize,
        /// Rows and columns of the accumulators of a subgroup in a `gemm`.
        register_block: RegisterBlock,
        /// Columns of A and rows of B that a `gemm` takes in one step.
        k_step: KStep,
        /// Steps of a `gemm`, and iterations of loops over tiles that name no stages, that prefetches run ahead.
        prefetch_distance: PrefetchDistance,
        /// Registers of a hardware thread.
        grf_size: RegisterFile,
        /// The best messages that matrices may be loaded and stored by.
        io_class: IoClass,
        /// The side from which products of tiles are computed.
        orientation: Orientation,
        /// Kind of software pipeline of loops over tiles that name none.
        pipeline: Pipeline,
        /// Order of the tiles of each `tile_order` that leaves it open.
        order: TileOrderKind,
        /// Tiles of a group, or of the side of a block, of each `tile_order` that names none.
        group: OrderGroup,
        /// Arithmetic of the products whose factors are of type f32.
        precision: Precision,
        /// Work-groups of a launch.
        grid: GridSizes,
    }

    /// Attributes of parameters, which mean something for those of memref or group type.
    ParameterAttributes of "a parameter" {
        /// Bytes that the base pointer is a multiple of.
        alignment: i64,
        /// Divisors of the sizes, one for each mode.
        shape_gcd: ModeDivisors,
        /// Divisors of the strides, one for each mode.
        stride_gcd: ModeDivisors,
        /// The mode of a matrix along which elements are contiguous.
        unit_stride: UnitStride,
        /// True if 2D block messages take a matrix: its address, sizes and strides.
        surface: bool,
    }

    /// Attributes of `alloca`.
    AllocaAttributes of "`alloca`" {
        /// Bytes that the address is a multiple of.
        alignment: i64,
    }

    /// Attributes of `for`.
    ForAttributes of "`for`" {
        /// Request to the driver.
        unroll: Unroll,
        /// Iterations over tiles that are under way.
        num_stages: NumStages,
        /// Kind of software pipeline.
        pipeline: Pipeline,
        /// Synchronization of subgroups.
        sync: Sync,
    }

    /// Attributes of `cooperative_matrix_load`.
    CoopmatrixLoadAttributes of "`cooperative_matrix_load`" {
        /// True if nothing depends on entries in rows of a `matrix_a`, or in columns of a `matrix_b`, beyond the end of the memref, which is not
        /// empty, and the position is not negative.
        undefined_outside: bool,
    }

    /// Attributes of `tile_order`.
    TileOrderAttributes of "`tile_order`" {
        /// Tiles of a group, or of the side of a block.
        group: OrderGroup,
    }

    /// Attributes of `tile_load`, which are another spelling of its boundary.
    TileLoadAttributes of "`tile_load`" {
        /// Boundary of each mode.
        boundary: Boundaries,
    }

    /// Attributes of `tile_dot`.
    TileDotAttributes of "`tile_dot`" {
        /// Arithmetic of the product.
        precision: Precision,
    }
}

/// Checks that a part has all attributes of a dictionary.
pub(super) fn check_names(dictionary: &Dictionary, part: &str, names: &[&str]) -> Result<(), AttributeError> {
    let Some((key, _)) = dictionary.iter().find(|(key, _)| !names.iter().any(|name| *key == name)) else {
        return Ok(());
    };
    let text = key.to_string();
    let hint = match (names.iter().find(|name| is_similar(&text, name)), names) {
        (Some(name), _) => format!("did you mean `{name}`?"),
        (None, []) => "it has none".to_owned(),
        (None, _) => format!("it has {}", names.join(", ")),
    };
    Err(AttributeError::Unknown { key: key.clone(), part: part.to_owned(), hint })
}

fn read<T: AttributeType>(dictionary: &Dictionary, key: &'static str) -> Result<Option<T>, AttributeError> {
    let content = dictionary.get(key).map(|attribute| T::read(key, attribute)).transpose();
    content.map_err(|(status, detail)| AttributeError::Malformed { key, status, detail })
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegisterFile {
    /// 128 registers.
    Small,
    /// 256 registers, with half as many threads.
    Large,
}

impl RegisterFile {
    /// The sizes that there are.
    pub const ALL: [RegisterFile; 2] = [RegisterFile::Small, RegisterFile::Large];

    /// The number of registers.
    pub fn registers(self) -> i32 {
        match self {
            RegisterFile::Small => 128,
            RegisterFile::Large => 256,
        }
    }
}

impl AttributeType for RegisterFile {
    fn read(name: &str, attribute: &Attribute) -> Result<RegisterFile, (Status, String)> {
        let registers = i64::read(name, attribute)?;
        let file = RegisterFile::ALL.into_iter().find(|file| i64::from(file.registers()) == registers);
        file.ok_or_else(|| (Status::OutOfRange, format!("{name} is {registers}; write 128 or 256")))
    }

    fn attribute(&self) -> Attribute {
        Attribute::Integer(self.registers().into())
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

impl PrefetchDistance {
    /// Stages of a loop that prefetches this far ahead, or as far as a loop may ask for.
    pub fn stages(self) -> NumStages {
        let stages = (i64::from(self.0) + 1).min(MAX_STAGES);
        NumStages(i32::try_from(stages).unwrap_or(1))
    }
}

/// The case of the word that an attribute is, of those that there are.
fn case<T: Copy>(name: &str, attribute: &Attribute, cases: &[(&str, T)]) -> Result<T, (Status, String)> {
    let Attribute::String(text) = attribute else {
        let detail = format!("{name} is {}, {attribute}", attribute.kind());
        return Err((Status::IrExpectedStringAttribute, detail));
    };
    let word = text.to_string();
    cases.iter().find(|(text, _)| *text == word).map(|(_, case)| *case).ok_or_else(|| {
        let words: Vec<String> = cases.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        (Status::OutOfRange, format!("{name} is \"{word}\"; write {}", words.join(" or ")))
    })
}

/// Declares attributes that are one of several words.
macro_rules! words {
    ($($(#[$doc:meta])* $ty:ident { $($(#[$case_doc:meta])* $case:ident = $text:literal,)* })*) => {$(
        spelled! { $(#[$doc])* $ty { $($(#[$case_doc])* $case = $text,)* } }

        impl AttributeType for $ty {
            fn read(name: &str, attribute: &Attribute) -> Result<$ty, (Status, String)> {
                case(name, attribute, &[$(($text, $ty::$case)),*])
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
    /// Value of what a tile load finds outside the memref (tile reference 2.4.2).
    Boundary {
        /// 0, or another number that the load names.
        Zero = "zero",
        /// The element at the coordinates modulo the sizes.
        Wrap = "wrap",
        /// Undefined; there must be nothing outside.
        Unchecked = "unchecked",
        /// Undefined, whatever is there; the mode is not empty.
        Undefined = "undefined",
    }
}

spelled! {
    /// Order in which work-groups take the tiles of a matrix (tile reference 2.4.1).
    TileOrderKind {
        /// Row after row.
        LinearN = ".linear_n",
        /// Column after column.
        LinearM = ".linear_m",
        /// Column after column within groups of rows.
        Grouped = ".grouped",
        /// The same, in every other group from the last column to the first.
        PanelM = ".panel_m",
        /// The same for groups of columns.
        PanelN = ".panel_n",
        /// Along a z-curve within blocks.
        Morton = ".morton",
        /// Along a Hilbert curve within blocks.
        Hilbert = ".hilbert",
        /// Row after row, each begun one column later.
        Diagonal = ".diagonal",
        /// That of the function's attribute, or else column after column within groups of rows.
        Any = ".any",
    }
}

impl TileOrderKind {
    /// The modifier without its point.
    pub fn word(self) -> &'static str {
        self.spelling().trim_start_matches('.')
    }
}

/// The words are those of the instruction.
impl AttributeType for TileOrderKind {
    fn read(name: &str, attribute: &Attribute) -> Result<TileOrderKind, (Status, String)> {
        let cases: Vec<(&str, TileOrderKind)> =
            TileOrderKind::ALL.iter().map(|&order| (order.word(), order)).collect();
        case(name, attribute, &cases)
    }

    fn attribute(&self) -> Attribute {
        Attribute::String(self.word().into())
    }
}

/// Meaning of a text that leaves the boundary out.
impl Default for Boundary {
    fn default() -> Boundary {
        Boundary::Zero
    }
}

/// Boundaries of the two modes of a memref.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Boundaries(pub [Boundary; 2]);

impl Boundaries {
    /// The boundary of both modes, if it is the same.
    pub fn uniform(self) -> Option<Boundary> {
        let Boundaries([first, second]) = self;
        (first == second).then_some(first)
    }
}

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
        let entry = |item| Boundary::read(&format!("an entry of {name}"), item);
        Ok(Boundaries([entry(first)?, entry(second)?]))
    }

    fn attribute(&self) -> Attribute {
        Attribute::Array(self.0.map(|boundary| boundary.attribute()).to_vec())
    }
}

impl AttributeType for GridSizes {
    fn read(name: &str, attribute: &Attribute) -> Result<GridSizes, (Status, String)> {
        GridSizes::read(name, attribute)
    }

    fn attribute(&self) -> Attribute {
        GridSizes::attribute(self)
    }
}

/// Divisors of sizes or strides, one for each mode.
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

/// Request to a driver about the iterations of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unroll {
    /// It should unroll the loop.
    Full,
    /// It should leave the loop as it is.
    Never,
    /// It should make so many iterations one.
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
                    let detail = format!("{name} is {count}; a loop is unrolled by 1 to {most} iterations");
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
    use super::super::grid_attribute::GridExpression;
    use super::*;

    #[test]
    fn contents_are_read_as_they_are_written() {
        fn check<T: AttributeSet + PartialEq + std::fmt::Debug>(attributes: T) {
            assert_eq!(T::of(attributes.dictionary().as_ref()), Ok(attributes));
        }
        check(FunctionAttributes::default());
        check(FunctionAttributes {
            subgroup_size: Some(SubgroupSize(16)),
            work_group_size: Some(WorkGroupSize([64, 2])),
            register_block: Some(RegisterBlock([32, 8])),
            k_step: Some(KStep(4096)),
            prefetch_distance: Some(PrefetchDistance(0)),
            grf_size: Some(RegisterFile::Large),
            io_class: Some(IoClass::Lanes),
            orientation: Some(Orientation::Transposed),
            pipeline: Some(Pipeline::Slm),
            order: Some(TileOrderKind::PanelM),
            group: Some(OrderGroup(8)),
            precision: Some(Precision::Tf32),
            grid: Some(GridSizes(vec![GridExpression::Number(3)])),
            has_braces: false,
        });
        check(ParameterAttributes {
            alignment: Some(64),
            shape_gcd: Some(ModeDivisors(vec![1, 4])),
            stride_gcd: Some(ModeDivisors(Vec::new())),
            unit_stride: Some(UnitStride(1)),
            surface: Some(true),
            has_braces: false,
        });
        for unroll in [Unroll::Full, Unroll::Never, Unroll::By(4)] {
            let (num_stages, pipeline, sync) = (Some(NumStages(3)), Some(Pipeline::None), Some(Sync::Split));
            check(ForAttributes { unroll: Some(unroll), num_stages, pipeline, sync, has_braces: false });
        }
        let modes = [Boundary::Wrap, Boundary::Unchecked];
        check(TileLoadAttributes { boundary: Some(Boundaries(modes)), has_braces: false });
        check(AllocaAttributes { alignment: None, has_braces: true });
    }

    #[test]
    fn contents_out_of_range_are_found() {
        let attributes = FunctionAttributes { k_step: Some(KStep(0)), ..FunctionAttributes::default() };
        let (key, detail) = ("k_step", "k_step is 0".to_owned());
        assert_eq!(
            attributes.check(),
            Err(AttributeError::Malformed { key, status: Status::OutOfRange, detail })
        );
    }

    #[test]
    fn unknown_names_are_refused_with_the_one_that_is_meant() {
        let hint = |name: &str, names: &[&str]| {
            let dictionary = Dictionary::from([(name, Attribute::Boolean(true))]);
            check_names(&dictionary, "a part", names).map_err(|error| error.to_string())
        };
        let names = FunctionAttributes::NAMES;
        assert_eq!(hint("k_step", names), Ok(()));
        let refused = |detail: &str| Err(format!("unknown attribute {detail}"));
        assert_eq!(hint("k_stepp", names), refused("`k_stepp` of a part; did you mean `k_step`?"));
        assert_eq!(hint("unroll", &["alignment"]), refused("`unroll` of a part; it has alignment"));
        assert_eq!(hint("unroll", &[]), refused("`unroll` of a part; it has none"));
    }
}
