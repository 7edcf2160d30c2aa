//! The instructions, each declared once (`docs/decisions/0001-one-declaration-per-instruction.md`).
//!
//! A declaration gives the group, the name, the execution kind, the side effect, the fields (operands and
//! immediates; behind an operand in brackets what happens to its memory, behind a dictionary in braces the attributes
//! with a meaning and their types), the results, the kinds of the regions
//! and the syntax. The struct, its case of [`Op`], the walks over operands, the
//! parser and the printer of the regular form, and the reserved words all come from it. What a
//! declaration cannot say, its rules, is in `rules/`, one [`Rules`] implementation an instruction; a
//! missing one does not compile.

use super::attributes::Dictionary;
use super::constant::Constant;
use super::declare::{Access, Family, Info, Results, SideEffect, Syntax, access, instructions};
use super::entities::{Ir, Value};
use super::execution::{Execution, RegionKind};
use super::fields::{
    Atomic, AtomicUpdateOp, BinaryOp, Checked, CompareOp, Component, CoopmatrixAtomicOp, CoopmatrixReduceOp,
    FenceGlobal, FenceLocal, Field, FieldValue, GridBuiltin, LocalSubgroupBuiltin, MathOp, MemoryScope,
    MemorySemantics, ReduceMode, SubgroupOp, Transpose, UnaryOp, UniformSubgroupBuiltin,
};
use super::rules::{Check, Rules, VerifierError};
use super::typed_attributes::{Unroll, read};
use super::types::{Extent, Type};
use crate::status::Status;

/// Instructions that the compiler inserts and prints, but that have no token in a source text
/// (language reference 5.14).
pub const WITHOUT_TOKEN: &[&str] = &["lifetime_stop"];

instructions! {
    Arithmetic {
        /// A literal; every entry of a cooperative matrix.
        ConstantInst "constant" Mixed Pure (value: Constant) -> One [] Regular(" {value} : {type}");
        /// Conversion between number types.
        Cast "cast" Mixed Pure (a: Value) -> One [] Regular(" {a} : {type}");
        /// Arithmetic on two values of one type.
        Binary "" Mixed Pure (op: BinaryOp, a: Value, b: Value) -> One [] Regular(" {a}, {b} : {type}");
        /// Arithmetic on one value.
        Unary "" Mixed Pure (op: UnaryOp, a: Value) -> One [] Regular(" {a} : {type}");
        /// Comparison of two numbers.
        Compare "" Mixed Pure (op: CompareOp, a: Value, b: Value) -> One [] Regular(" {a}, {b} : {type}");
        /// Elementary function of a number.
        Math "" Mixed Pure (op: MathOp, a: Value) -> One [] Regular(" {a} : {type}");
    }

    Builtin {
        /// Place of the work-group in the grid, or the grid's extent.
        Grid "" Mixed Pure (op: GridBuiltin, component: Component) -> One [] Regular("{component} : {type}");
        /// Subgroups of the work-group in a direction.
        NumSubgroups "num_subgroups" Mixed Pure (component: Component) -> One []
            Regular("{component} : {type}");
        /// Place of the subgroup in the work-group.
        SubgroupId "subgroup_id" Spmd Pure (component: Component) -> One [] Regular("{component} : {type}");
        /// The same number in all subgroups.
        UniformSubgroup "" Mixed Pure (op: UniformSubgroupBuiltin) -> One [] Regular(" : {type}");
        /// A number that tells subgroups or work-items apart.
        LocalSubgroup "" Spmd Pure (op: LocalSubgroupBuiltin) -> One [] Regular(" : {type}");
    }

    Memory {
        /// Element of a memref, or member of a group.
        Load "load" Mixed Memory (from: Value [Read], indices: Vec<Value>) -> One []
            Regular(" {from}[{indices}] : {type}");
        /// Writes an element of a memref.
        Store "store" Mixed Memory (value: Value, to: Value [Write], indices: Vec<Value>) -> None []
            Regular(" {value}, {to}[{indices}]");
        /// Atomic [`Load`].
        AtomicLoad "atomic_load" Mixed AtomicMemory (
            scope: MemoryScope, semantics: MemorySemantics, from: Value [Read], indices: Vec<Value>,
        ) -> One [] Regular("{scope}{semantics} {from}[{indices}] : {type}");
        /// Atomic [`Store`].
        AtomicStore "atomic_store" Mixed AtomicMemory (
            scope: MemoryScope, semantics: MemorySemantics,
            value: Value, to: Value [Write], indices: Vec<Value>,
        ) -> None [] Regular("{scope}{semantics} {value}, {to}[{indices}]");
        /// Combines an element with a value in one step; the result is the element before.
        AtomicUpdate "" Mixed AtomicMemory (
            op: AtomicUpdateOp, scope: MemoryScope, semantics: MemorySemantics,
            value: Value, to: Value [ReadWrite], indices: Vec<Value>,
        ) -> One [] Regular("{scope}{semantics} {value}, {to}[{indices}] : {type}");
        /// Tests whether the base pointer of a memref or group is not null.
        Associated "associated" Mixed Pure (of: Value) -> One [] Regular(" {of} : {type}");
        /// Size of a mode of a memref, or number of members of a group.
        Size "size" Mixed Pure (of: Value, mode: i64) -> One [] Regular(" {of}[{mode}] : {type}");
        /// Part of a memref. A dynamic entry of the extents takes the next of the values.
        Subview "subview" Mixed Pure (
            of: Value [Alias],
            static_offsets: Vec<Extent>,
            static_sizes: Vec<Extent>,
            offsets: Vec<Value>,
            sizes: Vec<Value>,
        ) -> One [] Custom;
        /// One mode seen as several. A dynamic entry of the shape takes the next of the sizes.
        Expand "expand" Mixed Pure (
            of: Value [Alias], mode: i64, static_shape: Vec<Extent>, sizes: Vec<Value>,
        ) -> One [] Custom;
        /// The modes `first` to `last` seen as one.
        Fuse "fuse" Mixed Pure (of: Value [Alias], first: i64, last: i64) -> One []
            Regular(" {of}[{first},{last}] : {type}");
        /// Every work-item of the work-group waits for the others.
        Barrier "barrier" Mixed Synchronization (global: FenceGlobal, local: FenceLocal) -> None []
            Regular("{global}{local}");
        /// Work-group local memory; `stack_ptr` is its byte offset once it is placed.
        Alloca "alloca" Collective Allocation (
            attributes: Option<Dictionary> { alignment: i64 }, stack_ptr: Option<i64>,
        ) -> One [] Regular("{? {attributes}?} : {type}{stack_ptr}");
        /// The point after which an allocation is dead.
        LifetimeStop "lifetime_stop" Collective Deallocation (of: Value) -> None [] Regular(" {of}");
    }

    ControlFlow {
        /// Counted loop with loop-carried values.
        For "for" Mixed Loop (
            from: Value,
            to: Value,
            step: Option<Value>,
            init: Vec<Value>,
            attributes: Option<Dictionary> { unroll: Unroll },
        ) -> Many [Mixed] Custom;
        /// Branch with results.
        If "if" Mixed Regions (condition: Value) -> Many [Mixed, Mixed]
            Regular(" {condition}{? -> ({types})?}{region}{? else{region}?}");
        /// Ends a region that returns values.
        Yield "yield" Mixed Terminator (values: Vec<Value>) -> None [] Regular(" ({values})");
        /// Every work-item of the work-group runs the body.
        Parallel "parallel" Collective Regions () -> None [Spmd] Regular("{region}");
        /// Runs the body for each point of a range, spread over the work-items.
        Foreach "foreach" Collective Loop (from: Vec<Value>, to: Vec<Value>) -> None [Spmd]
            Regular(" ({names})=({from+}),({to+}){region}");
        /// Runs the body for each tile of a range, each by one subgroup.
        ForeachTile "foreach_tile" Collective Loop (
            from: Vec<Value>, to: Vec<Value>, tile_shape: Vec<i64>,
        ) -> None [Spmd] Regular(" ({names})=({from+}),({to+}) as ({names})<=({tile_shape+}){region}");
    }

    Subgroup {
        /// The value of one work-item in all of its subgroup.
        SubgroupBroadcast "subgroup_broadcast" Spmd Pure (a: Value, lane: Value) -> One []
            Regular(" {a}, {lane} : {type}");
        /// Combination of the values of a subgroup.
        Subgroup "" Spmd Pure (op: SubgroupOp, a: Value) -> One [] Regular(" {a} : {type}");
    }

    LinearAlgebra {
        /// B := α·op(A) + β·B
        Axpby "axpby" Collective Memory (
            atomic: Atomic, transpose: Transpose,
            alpha: Value, a: Value [Read], beta: Value, b: Value [ReadWrite],
        ) -> None [] Regular("{atomic}{transpose} {alpha}, {a}, {beta}, {b}");
        /// B := α·(running sums of A along a mode) + β·B
        Cumsum "cumsum" Collective Memory (
            atomic: Atomic, alpha: Value, a: Value [Read], mode: i64, beta: Value, b: Value [ReadWrite],
        ) -> None [] Regular("{atomic} {alpha}, {a}, {mode}, {beta}, {b}");
        /// B := α·(sums of the rows of op(A), or the sum of a vector) + β·B
        Sum "sum" Collective Memory (
            atomic: Atomic, transpose: Transpose,
            alpha: Value, a: Value [Read], beta: Value, b: Value [ReadWrite],
        ) -> None [] Regular("{atomic}{transpose} {alpha}, {a}, {beta}, {b}");
        /// c := α·op(A)·b + β·c
        Gemv "gemv" Collective Memory (
            atomic: Atomic, transpose: Transpose,
            alpha: Value, a: Value [Read], b: Value [Read], beta: Value, c: Value [ReadWrite],
        ) -> None [] Regular("{atomic}{transpose} {alpha}, {a}, {b}, {beta}, {c}");
        /// C := α·a·bᵀ + β·C
        Ger "ger" Collective Memory (
            atomic: Atomic, alpha: Value, a: Value [Read], b: Value [Read], beta: Value, c: Value [ReadWrite],
        ) -> None [] Regular("{atomic} {alpha}, {a}, {b}, {beta}, {c}");
        /// C := α·A∘B + β·C, entry by entry
        Hadamard "hadamard" Collective Memory (
            atomic: Atomic, alpha: Value, a: Value [Read], b: Value [Read], beta: Value, c: Value [ReadWrite],
        ) -> None [] Regular("{atomic} {alpha}, {a}, {b}, {beta}, {c}");
        /// C := α·opA(A)·opB(B) + β·C
        Gemm "gemm" Collective Memory (
            atomic: Atomic, transpose_a: Transpose, transpose_b: Transpose,
            alpha: Value, a: Value [Read], b: Value [Read], beta: Value, c: Value [ReadWrite],
        ) -> None [] Regular("{atomic}{transpose_a}{transpose_b} {alpha}, {a}, {b}, {beta}, {c}");
    }

    CooperativeMatrix {
        /// Reads a matrix of the subgroup from memory; entries that fail a check are 0.
        CoopmatrixLoad "cooperative_matrix_load" Spmd Memory (
            transpose: Transpose, checked: Checked, from: Value [Read], x: Value, y: Value,
        ) -> One [] Regular("{transpose}{checked} {from}[{x},{y}] : {type}");
        /// Writes a matrix of the subgroup to memory; entries that fail a check are skipped.
        CoopmatrixStore "cooperative_matrix_store" Spmd Memory (
            transpose: Transpose, checked: Checked, value: Value, to: Value [Write], x: Value, y: Value,
        ) -> None [] Regular("{transpose}{checked} {value}, {to}[{x},{y}]");
        /// a·b + c
        CoopmatrixMulAdd "cooperative_matrix_mul_add" Spmd Pure (a: Value, b: Value, c: Value) -> One []
            Regular(" {a}, {b}, {c} : {type}");
        /// Every entry times a scalar.
        CoopmatrixScale "cooperative_matrix_scale" Spmd Pure (scalar: Value, matrix: Value) -> One []
            Regular(" {scalar}, {matrix} : {type}");
        /// A matrix with a scalar in every entry.
        CoopmatrixConstruct "cooperative_matrix_construct" Spmd Pure (value: Value) -> One []
            Regular(" {value} : {type}");
        /// A component of the work-item's share.
        CoopmatrixExtract "cooperative_matrix_extract" Spmd Pure (matrix: Value, index: i64) -> One []
            Regular(" {matrix}[{index}] : {type}");
        /// The matrix with one component of the work-item's share replaced.
        CoopmatrixInsert "cooperative_matrix_insert" Spmd Pure (
            value: Value, matrix: Value, index: i64,
        ) -> One []
            Regular(" {value}, {matrix}[{index}] : {type}");
        /// Computes every entry from its row, its column and its value.
        CoopmatrixApply "cooperative_matrix_apply" Spmd Regions (matrix: Value) -> One [Spmd]
            Regular(" ({name},{name},{name})={matrix} -> {type}{region}");
        /// [`CoopmatrixLoad`] with an atomic access for each entry.
        CoopmatrixAtomicLoad "cooperative_matrix_atomic_load" Spmd AtomicMemory (
            transpose: Transpose, checked: Checked, scope: MemoryScope, semantics: MemorySemantics,
            from: Value [Read], x: Value, y: Value,
        ) -> One [] Regular("{transpose}{checked}{scope}{semantics} {from}[{x},{y}] : {type}");
        /// [`CoopmatrixStore`] with an atomic access for each entry.
        CoopmatrixAtomicStore "cooperative_matrix_atomic_store" Spmd AtomicMemory (
            transpose: Transpose, checked: Checked, scope: MemoryScope, semantics: MemorySemantics,
            value: Value, to: Value [Write], x: Value, y: Value,
        ) -> None [] Regular("{transpose}{checked}{scope}{semantics} {value}, {to}[{x},{y}]");
        /// [`AtomicUpdate`] of each entry; the result holds the entries before.
        CoopmatrixAtomicUpdate "" Spmd AtomicMemory (
            op: CoopmatrixAtomicOp, transpose: Transpose, checked: Checked, scope: MemoryScope,
            semantics: MemorySemantics, value: Value, to: Value [ReadWrite], x: Value, y: Value,
        ) -> One [] Regular("{transpose}{checked}{scope}{semantics} {value}, {to}[{x},{y}] : {type}");
        /// Combines the entries along rows or columns.
        CoopmatrixReduce "" Spmd Pure (op: CoopmatrixReduceOp, mode: ReduceMode, matrix: Value) -> One []
            Regular("{mode} {matrix} : {type}");
        /// A hint to bring part of a matrix in memory into a cache; level 0 is nearest to the core.
        /// Its numbers are kept to 32 bits.
        CoopmatrixPrefetch "cooperative_matrix_prefetch" Spmd Hint (
            level: i32, of: Value, x: Value, y: Value, rows: i32, cols: i32,
        ) -> None [] Regular(" {level}, {of}[{x},{y}], {rows}, {cols}");
    }
}
