//! The instructions, each declared once (`docs/decisions/0001-one-declaration-per-instruction.md`).
//!
//! A declaration gives the name, the execution kind, the fields (operands and immediates), the results,
//! the kinds of the regions and the syntax. The struct, its case of [`Op`], the walks over operands, the
//! parser and the printer of the regular form, and the reserved words all come from it. What a
//! declaration cannot say, its rules, is in `rules/`, one [`Rules`] implementation an instruction; a
//! missing one does not compile.

use super::attributes::Dictionary;
use super::constant::Constant;
use super::declare::{Execution, Info, RegionKind, Results, Syntax, instructions};
use super::entities::{Ir, Value};
use super::fields::{
    Atomic, BinaryOp, Checked, CompareOp, Component, FenceGlobal, FenceLocal, Field, FieldValue, GridBuiltin,
    LocalSubgroupBuiltin, Transpose, UnaryOp, UniformSubgroupBuiltin,
};
use super::rules::{Check, Rules, Violation};
use super::types::{Extent, Type};

/// Instructions that the compiler inserts and prints, but that have no token in a source text
/// (`spec/language.md` 5.14).
pub const WITHOUT_TOKEN: &[&str] = &["lifetime_stop"];

instructions! {
    // ---- constants and arithmetic ----

    /// A literal; every entry of a cooperative matrix.
    ConstantInst "constant" Mixed (value: Constant) -> One [] Regular(" {value} : {type}");
    /// Conversion between number types.
    Cast "cast" Mixed (a: Value) -> One [] Regular(" {a} : {type}");
    /// Arithmetic on two values of one type.
    Binary "" Mixed (op: BinaryOp, a: Value, b: Value) -> One [] Regular(" {a}, {b} : {type}");
    /// Arithmetic on one value.
    Unary "" Mixed (op: UnaryOp, a: Value) -> One [] Regular(" {a} : {type}");
    /// Comparison of two numbers.
    Compare "" Mixed (op: CompareOp, a: Value, b: Value) -> One [] Regular(" {a}, {b} : {type}");

    // ---- places in the grid and the work-group ----

    /// Place of the work-group in the grid, or the grid's extent.
    Grid "" Mixed (op: GridBuiltin, component: Component) -> One [] Regular("{component} : {type}");
    /// Subgroups of the work-group in a direction.
    NumSubgroups "num_subgroups" Mixed (component: Component) -> One [] Regular("{component} : {type}");
    /// Place of the subgroup in the work-group.
    SubgroupId "subgroup_id" Spmd (component: Component) -> One [] Regular("{component} : {type}");
    /// The same number in all subgroups.
    UniformSubgroup "" Mixed (op: UniformSubgroupBuiltin) -> One [] Regular(" : {type}");
    /// A number that tells subgroups or work-items apart.
    LocalSubgroup "" Spmd (op: LocalSubgroupBuiltin) -> One [] Regular(" : {type}");

    // ---- memory ----

    /// Element of a memref, or member of a group.
    Load "load" Mixed (from: Value, indices: Vec<Value>) -> One [] Regular(" {from}[{indices}] : {type}");
    /// Writes an element of a memref.
    Store "store" Mixed (value: Value, to: Value, indices: Vec<Value>) -> None []
        Regular(" {value}, {to}[{indices}]");
    /// Size of a mode of a memref, or number of members of a group.
    Size "size" Mixed (of: Value, mode: i64) -> One [] Regular(" {of}[{mode}] : {type}");
    /// Part of a memref. A dynamic entry of the extents takes the next of the values.
    Subview "subview" Mixed (
        of: Value,
        static_offsets: Vec<Extent>,
        static_sizes: Vec<Extent>,
        offsets: Vec<Value>,
        sizes: Vec<Value>,
    ) -> One [] Own;
    /// Every work-item of the work-group waits for the others.
    Barrier "barrier" Mixed (global: FenceGlobal, local: FenceLocal) -> None []
        Regular("{global}{local}");
    /// Work-group local memory; `stack_ptr` is its byte offset once it is placed.
    Alloca "alloca" Collective (attributes: Option<Dictionary>, stack_ptr: Option<i64>) -> One [] Own;
    /// The point after which an allocation is dead.
    LifetimeStop "lifetime_stop" Collective (of: Value) -> None [] Regular(" {of}");

    // ---- control flow ----

    /// Counted loop with loop-carried values.
    For "for" Mixed (
        from: Value,
        to: Value,
        step: Option<Value>,
        init: Vec<Value>,
        attributes: Option<Dictionary>,
    ) -> Many [Mixed] Own;
    /// Branch with results.
    If "if" Mixed (condition: Value) -> Many [Mixed, Mixed] Own;
    /// Ends a region that returns values.
    Yield "yield" Mixed (values: Vec<Value>) -> None [] Regular(" ({values})");
    /// Every work-item of the work-group runs the body.
    Parallel "parallel" Collective () -> None [Spmd] Own;
    /// Runs the body for each point of a range, spread over the work-items.
    Foreach "foreach" Collective (from: Vec<Value>, to: Vec<Value>) -> None [Spmd] Own;

    // ---- linear algebra ----

    /// B := α·op(A) + β·B
    Axpby "axpby" Collective (
        atomic: Atomic, transpose: Transpose, alpha: Value, a: Value, beta: Value, b: Value,
    ) -> None [] Regular("{atomic}{transpose} {alpha}, {a}, {beta}, {b}");
    /// C := α·opA(A)·opB(B) + β·C
    Gemm "gemm" Collective (
        atomic: Atomic, transpose_a: Transpose, transpose_b: Transpose,
        alpha: Value, a: Value, b: Value, beta: Value, c: Value,
    ) -> None [] Regular("{atomic}{transpose_a}{transpose_b} {alpha}, {a}, {b}, {beta}, {c}");

    // ---- cooperative matrices ----

    /// Reads a matrix of the subgroup from memory; entries that fail a check are 0.
    CoopmatrixLoad "cooperative_matrix_load" Spmd (
        transpose: Transpose, checked: Checked, from: Value, x: Value, y: Value,
    ) -> One [] Regular("{transpose}{checked} {from}[{x},{y}] : {type}");
    /// Writes a matrix of the subgroup to memory; entries that fail a check are skipped.
    CoopmatrixStore "cooperative_matrix_store" Spmd (
        transpose: Transpose, checked: Checked, value: Value, to: Value, x: Value, y: Value,
    ) -> None [] Regular("{transpose}{checked} {value}, {to}[{x},{y}]");
    /// a·b + c
    CoopmatrixMulAdd "cooperative_matrix_mul_add" Spmd (a: Value, b: Value, c: Value) -> One []
        Regular(" {a}, {b}, {c} : {type}");
    /// Every entry times a scalar.
    CoopmatrixScale "cooperative_matrix_scale" Spmd (scalar: Value, matrix: Value) -> One []
        Regular(" {scalar}, {matrix} : {type}");
}
