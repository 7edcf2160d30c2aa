//! Fields of instructions: operands and immediates.
//!
//! Every field type describes itself to the parser and the printer through [`Field`], so that the
//! declaration of an instruction (`instructions.rs`) is all they need.

use super::access::MatrixIo;
use super::attributes::{AttributeError, Dictionary};
use super::constant::Constant;
use super::entities::Value;
use super::product_schedule::ProductSchedule;
use super::typed_attributes::{AttributeSet, Boundaries, TileLoadAttributes, TileOrderKind};
use super::types::{Extent, MatrixUse, spelled};
use std::fmt;

/// The kind of a field: how it is written in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// The instruction's own name, for families that share a declaration.
    Mnemonic(&'static [&'static str]),
    /// One of several dotted words; the default is left out, without one a word is mandatory.
    Modifier {
        /// The words, by index; the default may be the empty word.
        words: &'static [&'static str],
        /// Index of the word that is implied.
        default: Option<usize>,
    },
    /// A value.
    Operand,
    /// A value that may be absent, in an optional part of a template.
    OptionalOperand,
    /// Values separated by commas.
    Operands,
    /// An integer or a `$` name, of which so many bits are kept.
    Int {
        /// 32 or 64.
        bits: u32,
    },
    /// A literal of the `constant` instruction.
    Constant,
    /// Attributes in braces, which may be absent.
    Attributes {
        /// Names of the attributes.
        names: &'static [&'static str],
    },
    /// A word for both modes of a memref, or an attribute with one for each.
    Boundaries {
        /// The words, by index.
        words: &'static [&'static str],
        /// Name of the attribute.
        names: &'static [&'static str],
    },
    /// Integers separated by commas.
    Ints,
    /// Printed as a comment behind the instruction, with the name of the field, and not read back.
    Comment,
    /// Sizes or offsets, some of them dynamic; only written by an instruction's own syntax function.
    Extents,
}

/// The content of a field, without its static type.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue {
    /// Index into the words of a mnemonic or modifier.
    Word(usize),
    /// A value.
    Operand(Value),
    /// Values.
    Operands(Vec<Value>),
    /// An optional value.
    OptionalOperand(Option<Value>),
    /// An integer.
    Int(i64),
    /// A note of a pass, once it has made one.
    Note(Option<Note>),
    /// Integers.
    Ints(Vec<i64>),
    /// Sizes or offsets, some of them dynamic.
    Extents(Vec<Extent>),
    /// A literal.
    Constant(Constant),
    /// Attributes, if there are braces.
    Attributes(Option<Dictionary>),
    /// Boundaries of both modes.
    Boundaries(Boundaries),
}

/// A note of a pass on an instruction.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// A number.
    Int(i64),
    /// Messages of an access.
    Io(MatrixIo),
    /// Schedule of a product.
    Product(ProductSchedule),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Int(number) => number.fmt(f),
            Note::Io(io) => io.fmt(f),
            Note::Product(schedule) => schedule.fmt(f),
        }
    }
}

/// A type that may be a field of an instruction.
pub trait Field: Sized {
    /// Written form.
    const KIND: FieldKind;
    /// Documentation of the words of a mnemonic, lines each.
    const WORD_DOCS: &'static [&'static [&'static str]] = &[];
    /// The content.
    fn get(&self) -> FieldValue;
    /// The field with a content; `None` if the content is of another kind, or attributes that are refused.
    fn from_value(value: FieldValue) -> Option<Self>;
    /// Replaces attributes, or what can be said by them; `None` for a field that has none.
    fn set_attributes(&mut self, _attributes: Option<&Dictionary>) -> Option<Result<(), AttributeError>> {
        None
    }
    /// Calls `f` with each operand.
    fn visit(&self, _f: &mut dyn FnMut(Value)) {}
    /// Calls `f` with each operand for replacement.
    fn visit_mut(&mut self, _f: &mut dyn FnMut(&mut Value)) {}
}

impl Field for Value {
    const KIND: FieldKind = FieldKind::Operand;
    fn get(&self) -> FieldValue {
        FieldValue::Operand(*self)
    }
    fn from_value(value: FieldValue) -> Option<Self> {
        if let FieldValue::Operand(v) = value { Some(v) } else { None }
    }
    fn visit(&self, f: &mut dyn FnMut(Value)) {
        f(*self);
    }
    fn visit_mut(&mut self, f: &mut dyn FnMut(&mut Value)) {
        f(self);
    }
}

impl Field for Vec<Value> {
    const KIND: FieldKind = FieldKind::Operands;
    fn get(&self) -> FieldValue {
        FieldValue::Operands(self.clone())
    }
    fn from_value(value: FieldValue) -> Option<Self> {
        if let FieldValue::Operands(v) = value { Some(v) } else { None }
    }
    fn visit(&self, f: &mut dyn FnMut(Value)) {
        self.iter().copied().for_each(f);
    }
    fn visit_mut(&mut self, f: &mut dyn FnMut(&mut Value)) {
        self.iter_mut().for_each(f);
    }
}

impl Field for Option<Value> {
    const KIND: FieldKind = FieldKind::OptionalOperand;
    fn get(&self) -> FieldValue {
        FieldValue::OptionalOperand(*self)
    }
    fn from_value(value: FieldValue) -> Option<Self> {
        if let FieldValue::OptionalOperand(v) = value { Some(v) } else { None }
    }
    fn visit(&self, f: &mut dyn FnMut(Value)) {
        self.iter().copied().for_each(f);
    }
    fn visit_mut(&mut self, f: &mut dyn FnMut(&mut Value)) {
        self.iter_mut().for_each(f);
    }
}

/// Implements [`Field`] for a plain content.
macro_rules! plain_field {
    ($($ty:ty => $case:ident, $kind:expr;)*) => {$(
        impl Field for $ty {
            const KIND: FieldKind = $kind;
            fn get(&self) -> FieldValue {
                FieldValue::$case(self.clone())
            }
            fn from_value(value: FieldValue) -> Option<Self> {
                if let FieldValue::$case(content) = value { Some(content) } else { None }
            }
        }
    )*};
}

plain_field! {
    i64 => Int, FieldKind::Int { bits: 64 };
    Vec<i64> => Ints, FieldKind::Ints;
    Vec<Extent> => Extents, FieldKind::Extents;
    Constant => Constant, FieldKind::Constant;
}

impl<T: AttributeSet> Field for T {
    const KIND: FieldKind = FieldKind::Attributes { names: T::NAMES };
    fn get(&self) -> FieldValue {
        FieldValue::Attributes(self.dictionary())
    }
    fn from_value(value: FieldValue) -> Option<T> {
        if let FieldValue::Attributes(attributes) = value { T::of(attributes.as_ref()).ok() } else { None }
    }
    fn set_attributes(&mut self, attributes: Option<&Dictionary>) -> Option<Result<(), AttributeError>> {
        Some(T::of(attributes).map(|attributes| *self = attributes))
    }
}

/// Written as a word if both are the same, else as an attribute.
impl Field for Boundaries {
    const KIND: FieldKind = FieldKind::Boundaries {
        words: &[".zero", ".wrap", ".unchecked", ".undefined"],
        names: TileLoadAttributes::NAMES,
    };
    fn get(&self) -> FieldValue {
        FieldValue::Boundaries(*self)
    }
    fn from_value(value: FieldValue) -> Option<Boundaries> {
        if let FieldValue::Boundaries(content) = value { Some(content) } else { None }
    }
    fn set_attributes(&mut self, attributes: Option<&Dictionary>) -> Option<Result<(), AttributeError>> {
        let read = TileLoadAttributes::of(attributes);
        Some(read.map(|attributes| *self = attributes.boundary.unwrap_or(*self)))
    }
}

/// Implements [`Field`] for an optional note.
macro_rules! note_field {
    ($($ty:ty => $case:ident;)*) => {$(
        impl Field for Option<$ty> {
            const KIND: FieldKind = FieldKind::Comment;
            fn get(&self) -> FieldValue {
                FieldValue::Note(self.clone().map(Note::$case))
            }
            fn from_value(value: FieldValue) -> Option<Self> {
                match value {
                    FieldValue::Note(None) => Some(None),
                    FieldValue::Note(Some(Note::$case(content))) => Some(Some(content)),
                    _ => None,
                }
            }
        }
    )*};
}

note_field! {
    i64 => Int;
    MatrixIo => Io;
    ProductSchedule => Product;
}

/// An integer of which the language keeps the low 32 bits only.
impl Field for i32 {
    const KIND: FieldKind = FieldKind::Int { bits: 32 };
    fn get(&self) -> FieldValue {
        FieldValue::Int(i64::from(*self))
    }
    // That is what keeping them means.
    #[allow(clippy::cast_possible_truncation)]
    fn from_value(value: FieldValue) -> Option<Self> {
        if let FieldValue::Int(content) = value { Some(content as i32) } else { None }
    }
}

/// Implements [`Field`] for a spelled enumeration.
macro_rules! word_field {
    ($name:ident, $kind:expr $(, $docs:expr)?) => {
        impl Field for $name {
            const KIND: FieldKind = $kind;
            $(const WORD_DOCS: &'static [&'static [&'static str]] = $docs;)?
            fn get(&self) -> FieldValue {
                FieldValue::Word(*self as usize)
            }
            fn from_value(value: FieldValue) -> Option<Self> {
                if let FieldValue::Word(word) = value { $name::ALL.get(word).copied() } else { None }
            }
        }
    };
}

/// Declares a modifier, a spelled enumeration that is a field, and the case that a text may leave out.
macro_rules! modifier {
    ($(#[$doc:meta])* $name:ident, mandatory; $($(#[$case_doc:meta])* $case:ident = $text:literal,)*) => {
        spelled! { $(#[$doc])* $name { $($(#[$case_doc])* $case = $text,)* } }
        word_field!($name, FieldKind::Modifier { words: &[$($text,)*], default: None });
    };
    ($(#[$doc:meta])* $name:ident, default $default:ident;
     $($(#[$case_doc:meta])* $case:ident = $text:literal,)*) => {
        spelled! { $(#[$doc])* $name { $($(#[$case_doc])* $case = $text,)* } }
        word_field!(
            $name,
            FieldKind::Modifier { words: &[$($text,)*], default: Some($name::$default as usize) }
        );

        /// Meaning of a text that leaves the modifier out.
        impl Default for $name {
            fn default() -> $name {
                $name::$default
            }
        }
    };
}

/// Declares the mnemonics of a family of instructions. The documentation of each is that of its C constructor.
macro_rules! family {
    ($(#[$doc:meta])* $name:ident; $($(#[doc = $case_doc:literal])+ $case:ident = $text:literal,)*) => {
        spelled! { $(#[$doc])* $name { $($(#[doc = $case_doc])+ $case = $text,)* } }
        word_field!($name, FieldKind::Mnemonic(&[$($text,)*]), &[$(&[$($case_doc),+]),*]);
    };
}

modifier! {
    /// Atomicity of the update of a linear algebra operation's output.
    Atomic, default No;
    /// Plain loads and stores.
    No = "",
    /// One atomic operation per element.
    Yes = ".atomic",
}

modifier! {
    /// Transposition of a matrix operand.
    Transpose, default N;
    /// As is.
    N = ".n",
    /// Transposed.
    T = ".t",
}

impl Transpose {
    /// The mode of a matrix in memory that is along K of a product, where a factor is loaded from there; `None` for accumulators.
    pub fn mode_along_k(self, usage: MatrixUse) -> Option<usize> {
        match (usage, self) {
            (MatrixUse::A, Transpose::N) | (MatrixUse::B, Transpose::T) => Some(1),
            (MatrixUse::A, Transpose::T) | (MatrixUse::B, Transpose::N) => Some(0),
            (MatrixUse::Acc, _) => None,
        }
    }

    /// The transposition of the transpose.
    pub fn other(self) -> Transpose {
        match self {
            Transpose::N => Transpose::T,
            Transpose::T => Transpose::N,
        }
    }
}

modifier! {
    /// A dimension of the grid or work-group.
    Component, mandatory;
    /// First.
    X = ".x",
    /// Second.
    Y = ".y",
    /// Third.
    Z = ".z",
}

modifier! {
    /// Ordering of accesses to global memory by a barrier.
    FenceGlobal, default No;
    /// It does not.
    No = "",
    /// It does.
    Yes = ".global",
}

modifier! {
    /// Ordering of accesses to local memory by a barrier.
    FenceLocal, default No;
    /// It does not.
    No = "",
    /// It does.
    Yes = ".local",
}

modifier! {
    /// Bounds that a cooperative matrix access checks.
    Checked, default None;
    /// None; everything must be in bounds.
    None = "",
    /// Rows of the cooperative matrix.
    Rows = ".rows_checked",
    /// Columns of the cooperative matrix.
    Cols = ".cols_checked",
    /// Rows and columns.
    Both = ".both_checked",
}

impl Checked {
    /// The flag that checks the given directions.
    pub fn new(rows: bool, cols: bool) -> Checked {
        match (rows, cols) {
            (false, false) => Checked::None,
            (true, false) => Checked::Rows,
            (false, true) => Checked::Cols,
            (true, true) => Checked::Both,
        }
    }

    /// Returns whether rows are checked.
    pub fn rows(self) -> bool {
        matches!(self, Checked::Rows | Checked::Both)
    }

    /// Returns whether columns are checked.
    pub fn cols(self) -> bool {
        matches!(self, Checked::Cols | Checked::Both)
    }
}

modifier! {
    /// Bounds checks of a tile store.
    StoreBoundary, default Checked;
    /// Nothing is written outside of the memref.
    Checked = "",
    /// There must be nothing outside.
    Unchecked = ".unchecked",
}

modifier! {
    /// Effect of a tile store on what is in memory.
    StoreMode, default Overwrite;
    /// It is overwritten.
    Overwrite = "",
    /// The tile is added to it atomically.
    AtomicAdd = ".atomic_add",
}

word_field!(TileOrderKind, FieldKind::Modifier { words: TileOrderKind::SPELLINGS, default: None });

modifier! {
    /// Scope of an atomic operation, numbered as in SPIR-V.
    MemoryScope, default WorkGroup;
    /// Everything that shares the memory.
    CrossDevice = ".cross_device",
    /// The device.
    Device = ".device",
    /// The work-group.
    WorkGroup = ".work_group",
    /// The subgroup.
    Subgroup = ".subgroup",
}

modifier! {
    /// Memory order of an atomic operation.
    MemorySemantics, default Relaxed;
    /// Nothing but itself.
    Relaxed = ".relaxed",
    /// Later accesses stay behind it.
    Acquire = ".acquire",
    /// Earlier accesses stay before it.
    Release = ".release",
    /// Both.
    AcquireRelease = ".acquire_release",
    /// Both, in one order for all.
    SequentiallyConsistent = ".sequentially_consistent",
}

modifier! {
    /// Direction in which a cooperative matrix or a tile is reduced.
    ReduceMode, mandatory;
    /// Along each row, to one column.
    Row = ".row",
    /// Along each column, to one row.
    Column = ".column",
}

impl ReduceMode {
    /// Rows and columns of what a matrix is reduced to.
    pub fn shape(self, [rows, cols]: [i64; 2]) -> [i64; 2] {
        match self {
            ReduceMode::Row => [rows, 1],
            ReduceMode::Column => [1, cols],
        }
    }

    /// The direction for the transpose of a matrix.
    pub fn transposed(self) -> ReduceMode {
        match self {
            ReduceMode::Row => ReduceMode::Column,
            ReduceMode::Column => ReduceMode::Row,
        }
    }
}

modifier! {
    /// Part of a tile that is reduced at a time.
    ReducePart, default Whole;
    /// All of it.
    Whole = "",
    /// The share of each subgroup by itself.
    Share = ".share",
}

family! {
    /// Binary arithmetic (language reference 5.3).
    BinaryOp;
    /// a + b.
    Add = "add",
    /// a - b.
    Sub = "sub",
    /// a · b.
    Mul = "mul",
    /// a / b; integers truncate toward zero.
    Div = "div",
    /// Remainder of a / b with the sign of a.
    Rem = "rem",
    /// a / b of integers, rounded up.
    Cdiv = "cdiv",
    /// a shifted left by b bits.
    Shl = "shl",
    /// a shifted right by b bits, filled with its sign.
    Shr = "shr",
    /// Bit-wise or logical and.
    And = "and",
    /// Bit-wise or logical or.
    Or = "or",
    /// Bit-wise or logical exclusive or.
    Xor = "xor",
    /// The smaller of a and b; the other one if exactly one is NaN.
    Min = "min",
    /// The larger of a and b; the other one if exactly one is NaN.
    Max = "max",
}

impl BinaryOp {
    /// Returns whether integers have no result if b is zero.
    pub fn is_division(self) -> bool {
        matches!(self, BinaryOp::Div | BinaryOp::Rem | BinaryOp::Cdiv)
    }
}

family! {
    /// Unary arithmetic (language reference 5.4).
    UnaryOp;
    /// Magnitude; real if a is complex.
    Abs = "abs",
    /// -a.
    Neg = "neg",
    /// Bit-wise or logical complement.
    Not = "not",
    /// Complex conjugate.
    Conj = "conj",
    /// Imaginary part.
    Im = "im",
    /// Real part.
    Re = "re",
}

family! {
    /// Elementary functions (language reference 5.6); the native forms are as accurate as the device is.
    MathOp;
    /// Cosine.
    Cos = "cos",
    /// Sine.
    Sin = "sin",
    /// e to the power of a.
    Exp = "exp",
    /// 2 to the power of a.
    Exp2 = "exp2",
    /// Natural logarithm.
    Log = "log",
    /// Logarithm to base 2.
    Log2 = "log2",
    /// Square root.
    Sqrt = "sqrt",
    /// Reciprocal of the square root.
    Rsqrt = "rsqrt",
    /// Hyperbolic tangent.
    Tanh = "tanh",
    /// Error function.
    Erf = "erf",
    /// Cosine, as accurate as the device makes it.
    NativeCos = "native_cos",
    /// Sine, as accurate as the device makes it.
    NativeSin = "native_sin",
    /// e to the power of a, as accurate as the device makes it.
    NativeExp = "native_exp",
    /// 2 to the power of a, as accurate as the device makes it.
    NativeExp2 = "native_exp2",
    /// Natural logarithm, as accurate as the device makes it.
    NativeLog = "native_log",
    /// Logarithm to base 2, as accurate as the device makes it.
    NativeLog2 = "native_log2",
}

family! {
    /// Atomic update of an element (language reference 5.8).
    AtomicUpdateOp;
    /// Adds a value to an element atomically; the result is the element before.
    Add = "atomic_add",
    /// Keeps the larger of an element and a value atomically; the result is the element before.
    Max = "atomic_max",
    /// Keeps the smaller of an element and a value atomically; the result is the element before.
    Min = "atomic_min",
}

family! {
    /// Combination of the values of a subgroup (language reference 5.15).
    SubgroupOp;
    /// Sum of the work-items before.
    ExclusiveScanAdd = "subgroup_exclusive_scan_add",
    /// Largest value of the work-items before.
    ExclusiveScanMax = "subgroup_exclusive_scan_max",
    /// Smallest value of the work-items before.
    ExclusiveScanMin = "subgroup_exclusive_scan_min",
    /// Sum up to and with the work-item.
    InclusiveScanAdd = "subgroup_inclusive_scan_add",
    /// Largest value up to and with the work-item.
    InclusiveScanMax = "subgroup_inclusive_scan_max",
    /// Smallest value up to and with the work-item.
    InclusiveScanMin = "subgroup_inclusive_scan_min",
    /// Sum of all work-items of the subgroup.
    ReduceAdd = "subgroup_reduce_add",
    /// Largest value of all work-items of the subgroup.
    ReduceMax = "subgroup_reduce_max",
    /// Smallest value of all work-items of the subgroup.
    ReduceMin = "subgroup_reduce_min",
}

family! {
    /// Atomic update of a matrix in memory, entry by entry (language reference 5.16).
    CoopmatrixAtomicOp;
    /// Adds the entries of a matrix to memory atomically; the result holds the entries
    /// before.
    Add = "cooperative_matrix_atomic_add",
    /// Keeps the larger entries of a matrix and of memory atomically; the result holds the entries
    /// before.
    Max = "cooperative_matrix_atomic_max",
    /// Keeps the smaller entries of a matrix and of memory atomically; the result holds the entries
    /// before.
    Min = "cooperative_matrix_atomic_min",
}

family! {
    /// Reduction of a cooperative matrix (language reference 5.16).
    CoopmatrixReduceOp;
    /// Sums along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a matrix.
    Add = "cooperative_matrix_reduce_add",
    /// Largest entries along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a matrix.
    Max = "cooperative_matrix_reduce_max",
    /// Smallest entries along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a matrix.
    Min = "cooperative_matrix_reduce_min",
}

family! {
    /// Reduction of a tile (tile reference 2.4.3).
    TileReduceOp;
    /// Sums along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a tile.
    Add = "tile_reduce_add",
    /// Largest entries along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a tile.
    Max = "tile_reduce_max",
    /// Smallest entries along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a tile.
    Min = "tile_reduce_min",
}

impl TileReduceOp {
    /// The operation on two entries.
    pub fn pair(self) -> BinaryOp {
        match self {
            TileReduceOp::Add => BinaryOp::Add,
            TileReduceOp::Max => BinaryOp::Max,
            TileReduceOp::Min => BinaryOp::Min,
        }
    }
}

family! {
    /// Comparison (language reference 5.5).
    CompareOp;
    /// Tests whether a = b; the result is a boolean.
    Equal = "equal",
    /// Tests whether a ≠ b; the result is a boolean.
    NotEqual = "not_equal",
    /// Tests whether a > b; the result is a boolean.
    GreaterThan = "greater_than",
    /// Tests whether a ≥ b; the result is a boolean.
    GreaterThanEqual = "greater_than_equal",
    /// Tests whether a < b; the result is a boolean.
    LessThan = "less_than",
    /// Tests whether a ≤ b; the result is a boolean.
    LessThanEqual = "less_than_equal",
}

family! {
    /// Place in the grid (language reference 5.7).
    GridBuiltin;
    /// The place of the work-group in the grid; an index.
    GroupId = "group_id",
    /// The extent of the grid in work-groups; an index.
    NumGroups = "num_groups",
}

family! {
    /// Builtins that are the same for all work-items of a work-group.
    UniformSubgroupBuiltin;
    /// The number of work-items of a subgroup; an i32.
    SubgroupSize = "subgroup_size",
}

family! {
    /// Builtins that differ between the subgroups or work-items of a work-group.
    LocalSubgroupBuiltin;
    /// The number of the subgroup in the work-group, x fastest; an i32.
    SubgroupLinearId = "subgroup_linear_id",
    /// The place of the work-item in its subgroup; an i32.
    SubgroupLocalId = "subgroup_local_id",
}
