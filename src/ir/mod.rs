//! The language as data: types, attributes, values, instructions, regions, functions, the builder, and
//! the verifier.
#![forbid(unsafe_code)]

mod access;
mod arena;
mod arguments;
mod attributes;
mod builder;
mod clone;
mod constant;
mod create;
mod cursor;
mod declare;
mod entities;
mod execution;
mod fields;
mod grid;
mod grid_attribute;
mod instructions;
mod listing;
mod minifloat;
mod product_schedule;
mod rules;
mod signature;
mod surface;
mod text;
mod typed_attributes;
mod types;
mod uses;

pub use access::{AccessClass, AccessReason, MatrixIo};
pub use arguments::ArgumentType;
pub(crate) use attributes::Int;
pub use attributes::{Attribute, AttributeError, Dictionary};
pub use builder::{Bound, Builder, Built, Slice};
pub use clone::{Moved, ValueMap};
pub use constant::Constant;
pub use create::LiteralError;
pub use cursor::{Cursor, Insts};
pub use declare::{Access, Family, FieldInfo, Info, LoweredBy, Results, SideEffect, Syntax};
pub use entities::{
    Definition, Entity, Func, FuncData, Inst, InstData, Ir, Program, Region, RegionData, Use, Value,
    ValueData,
};
pub use execution::{Execution, RegionKind};
pub use fields::*;
pub use grid::LaunchGrid;
pub use grid_attribute::{GridExpression, GridOp, GridSizes, SizeName};
pub use instructions::*;
pub use listing::Listing;
pub(crate) use minifloat::Minifloat;
pub use product_schedule::{AccumulatorBlock, ChainedFactor, MatrixBackendKind, ProductSchedule};
pub use rules::{VerifierError, check_function, check_program, check_type, verify};
pub use signature::{ExtentArgument, MatrixArguments, Parameter, Promise, Signature};
pub use surface::{PartialSurface, Surface};
pub use text::Text;
pub use typed_attributes::{
    AllocaAttributes, AttributeSet, AttributeType, Boundaries, Boundary, CoopmatrixLoadAttributes,
    ForAttributes, FunctionAttributes, IoClass, KStep, ModeDivisors, NumStages, OrderGroup, Orientation,
    ParameterAttributes, Pipeline, Precision, PrefetchDistance, RegisterBlock, RegisterFile, SubgroupSize,
    Sync, TileDotAttributes, TileLoadAttributes, TileOrderAttributes, TileOrderKind, UnitStride, Unroll,
    WorkGroupSize, attribute_names,
};
pub(crate) use types::write_list;
pub use types::{
    AddressSpace, Carrier, Coopmatrix, Extent, Group, MatrixUse, Memref, Scalar, Swizzle, Tile, Type,
    canonical_stride,
};

/// Nesting limit of regions, and of lists and dictionaries: far beyond what people write. Code that follows
/// them down, the passes and the back end too, stays within 1 MiB of stack even where nothing is optimised.
pub const MAX_LEVELS: usize = 64;
