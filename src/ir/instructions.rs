//! The instructions, each declared once (`docs/decisions/0001-one-declaration-per-instruction.md`).
//!
//! A declaration gives the group, the name, the execution kind, the side effect, the fields (operands and
//! immediates; behind an operand in brackets what happens to its memory, behind `as` the name of the C
//! constructor's parameter if it is another one; attributes are a field, whose type `typed_attributes.rs`
//! declares), the results, the kinds of the regions and the syntax. `by Pass` stands behind what a pass
//! lowers, so that the back end does not know it, `by Either` behind what a pass lowers unless a matrix back end
//! keeps it. The documentation is that of the constructor in C and C++, too; words that share a declaration have
//! theirs in `fields.rs`.
//!
//! The struct, its case of [`Op`], the walks over operands, the parser and the printer of the regular form, the
//! reserved words, the C constructors and the calls of the rules and of the back end come from it. What a
//! declaration cannot say, its rules, is in `rules/`, one [`Rules`] implementation an instruction; a missing
//! one does not compile.

use super::access::MatrixIo;
use super::attributes::{AttributeError, Dictionary};
use super::constant::Constant;
use super::declare::{
    Access, Family, FieldInfo, Info, LoweredBy, Results, SideEffect, Syntax, access, argument, instructions,
    lowered_by,
};
use super::entities::{Ir, Value};
use super::execution::{Execution, RegionKind};
use super::fields::{
    Atomic, AtomicUpdateOp, BinaryOp, Checked, CompareOp, Component, CoopmatrixAtomicOp, CoopmatrixReduceOp,
    FenceGlobal, FenceLocal, Field, FieldValue, GridBuiltin, LocalSubgroupBuiltin, MathOp, MemoryScope,
    MemorySemantics, ReduceMode, ReducePart, StoreBoundary, StoreMode, SubgroupOp, TileReduceOp, Transpose,
    UnaryOp, UniformSubgroupBuiltin,
};
use super::product_schedule::ProductSchedule;
use super::rules::{Check, Known, Rules, VerifierError};
use super::typed_attributes::{
    AllocaAttributes, Boundaries, CoopmatrixLoadAttributes, ForAttributes, TileDotAttributes,
    TileOrderAttributes, TileOrderKind, check_names,
};
use super::types::{Extent, Type};

/// Instructions that the compiler inserts and prints, but that have no token in a source text
/// (language reference 5.14).
pub const WITHOUT_TOKEN: &[&str] = &["lifetime_stop"];

instructions! {
    Arithmetic {
        /// A literal; every entry of a cooperative matrix.
        ConstantInst "constant" Mixed Pure (value: Constant) -> One [] Regular(" {value} : {type}");
        /// Conversion between number types, or of a cooperative matrix.
        Cast "cast" Mixed Pure (a: Value) -> One [] Regular(" {a} : {type}");
        /// Arithmetic on two values of one type.
        Binary "" Mixed Pure (op: BinaryOp, a: Value, b: Value) -> One [] Regular(" {a}, {b} : {type}");
        /// Arithmetic on one value.
        Unary "" Mixed Pure (op: UnaryOp, a: Value) -> One [] Regular(" {a} : {type}");
        /// Comparison of two numbers, or of the entries of two tiles, whose result is a tile of i8, 1 where it holds and 0
        /// elsewhere.
        Compare "" Mixed Pure (op: CompareOp, a: Value, b: Value) -> One [] Regular(" {a}, {b} : {type}");
        /// Elementary function of a number, or of every entry of a tile.
        Math "" Mixed Pure (op: MathOp, a: Value) -> One [] Regular(" {a} : {type}");
        /// a if the condition, a boolean, holds, b otherwise; booleans or numbers of one type. For tiles the condition is a
        /// tile of i8, which holds where it is not 0.
        Select "select" Mixed Pure (condition: Value, a: Value, b: Value) -> One []
            Regular(" {condition}, {a}, {b} : {type}");
    }

    Builtin {
        /// Place of the work-group in the grid, or the grid's extent.
        Grid "" Mixed Pure (
            op: GridBuiltin, component: Component as mode,
        ) -> One [] Regular("{component} : {type}");
        /// The number of subgroups of the work-group in a direction; an i32.
        NumSubgroups "num_subgroups" Mixed Pure (component: Component as mode) -> One []
            Regular("{component} : {type}");
        /// The place of the subgroup in the work-group; an i32.
        SubgroupId "subgroup_id" Spmd Pure (
            component: Component as mode,
        ) -> One [] Regular("{component} : {type}");
        /// The same number in all subgroups.
        UniformSubgroup "" Mixed Pure (op: UniformSubgroupBuiltin) -> One [] Regular(" : {type}");
        /// A number that tells subgroups or work-items apart.
        LocalSubgroup "" Spmd Pure (op: LocalSubgroupBuiltin) -> One [] Regular(" : {type}");
    }

    Memory {
        /// An element of a memref, for which there is an index for each mode, or a member of a group, for
        /// which there is one.
        Load "load" Mixed Memory (from: Value [Read] as operand, indices: Vec<Value> as index_list) -> One []
            Regular(" {from}[{indices}] : {type}");
        /// Writes an element of a memref; there is an index for each mode.
        Store "store" Mixed Memory (
            value: Value as val, to: Value [Write] as operand, indices: Vec<Value> as index_list,
        ) -> None [] Regular(" {value}, {to}[{indices}]");
        /// The same as a load, atomically.
        AtomicLoad "atomic_load" Mixed AtomicMemory (
            scope: MemoryScope, semantics: MemorySemantics, from: Value [Read] as operand,
            indices: Vec<Value> as index_list,
        ) -> One [] Regular("{scope}{semantics} {from}[{indices}] : {type}");
        /// The same as a store, atomically.
        AtomicStore "atomic_store" Mixed AtomicMemory (
            scope: MemoryScope, semantics: MemorySemantics,
            value: Value as val, to: Value [Write] as operand, indices: Vec<Value> as index_list,
        ) -> None [] Regular("{scope}{semantics} {value}, {to}[{indices}]");
        /// Combines an element with a value in one step; the result is the element before.
        AtomicUpdate "" Mixed AtomicMemory (
            op: AtomicUpdateOp, scope: MemoryScope, semantics: MemorySemantics,
            value: Value as val, to: Value [ReadWrite] as operand, indices: Vec<Value> as index_list,
        ) -> One [] Regular("{scope}{semantics} {value}, {to}[{indices}] : {type}");
        /// Tests whether the base pointer of a memref or group is not null; the result is a boolean.
        Associated "associated" Mixed Pure (of: Value as operand) -> One [] Regular(" {of} : {type}");
        /// Tests whether 2D block messages take a matrix in memory: address, sizes and strides; the result is a
        /// boolean.
        IsSurface "is_surface" Mixed Pure (of: Value as operand) -> One [] Regular(" {of} : {type}");
        /// The same matrix, which is known to pass is_surface.
        AsSurface "as_surface" Mixed Pure (of: Value [Alias] as operand) -> One [] Regular(" {of} : {type}");
        /// The same memory as a memref of another type: sizes and strides that only one of the types fixes are known to
        /// have the values of the other one. With .t, the modes of a matrix change places.
        MemrefCast "memref_cast" Mixed Pure (transpose: Transpose as t, of: Value [Alias] as operand) -> One []
            Regular("{transpose} {of} : {type}");
        /// The size of a mode of a memref, counted from 0, or for mode 0 the number of members of a group; an
        /// index.
        Size "size" Mixed Pure (of: Value as operand, mode: i64) -> One [] Regular(" {of}[{mode}] : {type}");
        /// Part of a memref: an offset and a size for each mode, whose stride stays. Entries of the static
        /// offsets and sizes that are TILETC_DYNAMIC take the next of the offsets and sizes, an index; a
        /// static size of 0 drops the mode.
        Subview "subview" Mixed Pure (
            of: Value [Alias] as operand,
            static_offsets: Vec<Extent>,
            static_sizes: Vec<Extent>,
            offsets: Vec<Value>,
            sizes: Vec<Value>,
        ) -> One [] Custom;
        /// Splits a mode of a memref, counted from 0, into two or more, whose sizes are the static shape, the
        /// first one fastest; the size of the mode is their product. Entries that are TILETC_DYNAMIC take the
        /// next of the shape, an index.
        Expand "expand" Mixed Pure (
            of: Value [Alias] as operand, mode: i64 as expanded_mode,
            static_shape: Vec<Extent> as static_expand_shape, sizes: Vec<Value> as expand_shape,
        ) -> One [] Custom;
        /// Joins the modes from ... to of a memref, counted from 0 and both included, into one, whose size is
        /// the product of theirs. They must be contiguous in memory.
        Fuse "fuse" Mixed Pure (of: Value [Alias] as operand, first: i64 as from, last: i64 as to) -> One []
            Regular(" {of}[{first},{last}] : {type}");
        /// Waits until all work-items of the work-group are here, and orders accesses to the address spaces
        /// given, a set of tiletc_address_space_t bits.
        Barrier "barrier" Mixed Synchronization (
            global: FenceGlobal as fence_flags, local: FenceLocal as fence_flags,
        ) -> None [] Regular("{global}{local}");
        /// Tells the others of the work-group that a work-item is here, and goes on: the first half of a barrier that
        /// orders accesses to local memory.
        BarrierArrive "barrier_arrive" Mixed Synchronization () -> None [] Regular("");
        /// Waits until all work-items of the work-group have come to barrier_arrive: the second half.
        BarrierWait "barrier_wait" Mixed Synchronization () -> None [] Regular("");
        /// Shared local memory of the work-group; the result is a memref of static shape in the local address
        /// space.
        Alloca "alloca" Collective Allocation (
            attributes: AllocaAttributes, stack_ptr: Option<i64>,
        ) -> One [] Regular("{? {attributes}?} : {type}{stack_ptr}");
        /// The point after which an allocation is dead.
        LifetimeStop "lifetime_stop" Collective Deallocation (
            of: Value as object,
        ) -> None [] Regular(" {of}");
    }

    ControlFlow {
        /// A counted loop over [from, to), three integers of one type; step may be NULL, which stands for 1.
        /// Each result is a boolean, a number, a cooperative matrix or a tile, and has an initial value of its type.
        /// The parameters of the region are the loop variable, of the type of from, and one for each result;
        /// it ends with a yield of the next values.
        For "for" Mixed Loop (
            from: Value,
            to: Value,
            step: Option<Value>,
            init: Vec<Value> as iter_init,
            attributes: ForAttributes,
        ) -> Many [Mixed] Custom;
        /// A branch on a boolean. Region 0 is taken if it holds, region 1 otherwise. Each result is a
        /// boolean, a number, a cooperative matrix or a tile; if there are any, both regions end with a
        /// yield of them.
        If "if" Mixed Regions (condition: Value) -> Many [Mixed, Mixed]
            Regular(" {condition}{? -> ({types})?}{region}{? else{region}?}");
        /// Ends a region that returns values.
        Yield "yield" Mixed Terminator (values: Vec<Value> as yielded_vals) -> None [] Regular(" ({values})");
        /// Leaves the loop whose body it stands in if a boolean holds, which in collective code must be the same for the
        /// work-group. The results of the loop are then what it carried when the iteration began.
        BreakIf "break_if" Mixed Exit (condition: Value) -> None [] Regular(" {condition}");
        /// Runs its region by every work-item of the work-group. Each result is a tile, of which every subgroup yields its own
        /// share at the end of the region.
        Parallel "parallel" Collective Regions () -> Many [Spmd] Regular("{? -> ({types})?}{region}");
        /// Runs its region for each point of a range, spread over the work-items. In each mode from and to
        /// are integers of one type. The parameters of the region are the point.
        Foreach "foreach" Collective Loop (from: Vec<Value>, to: Vec<Value>) -> None [Spmd]
            Regular(" ({names})=({from+}),({to+}){region}") by Pass;
        /// Runs its region for each tile of a range, each by one subgroup. In each mode from and to are
        /// integers of one type, and there is a largest size. The parameters of the region are the first
        /// point of the tile and its sizes.
        ForeachTile "foreach_tile" Collective Loop (
            from: Vec<Value>, to: Vec<Value>, tile_shape: Vec<i64>,
        ) -> None [Spmd]
            Regular(" ({names})=({from+}),({to+}) as ({names})<=({tile_shape+}){region}") by Pass;
    }

    Subgroup {
        /// The value of the work-item idx, an i32, in all of its subgroup.
        SubgroupBroadcast "subgroup_broadcast" Spmd Pure (a: Value, lane: Value as idx) -> One []
            Regular(" {a}, {lane} : {type}");
        /// Combination of the values of a subgroup.
        Subgroup "" Spmd Pure (op: SubgroupOp, a: Value) -> One [] Regular(" {a} : {type}");
    }

    LinearAlgebra {
        /// B := alpha·op(A) + beta·B. op(A) and B are two scalars, two vectors of N elements or two M x N
        /// matrices; tA only matters for matrices.
        Axpby "axpby" Collective Memory (
            atomic: Atomic, transpose: Transpose as tA,
            alpha: Value, a: Value [Read] as A, beta: Value, b: Value [ReadWrite] as B,
        ) -> None [] Regular("{atomic}{transpose} {alpha}, {a}, {beta}, {b}") by Pass;
        /// B := alpha·(running sums of A along a mode, counted from 0) + beta·B. A and B have the same shape,
        /// of order 1 or more.
        Cumsum "cumsum" Collective Memory (
            atomic: Atomic, alpha: Value, a: Value [Read] as A, mode: i64, beta: Value,
            b: Value [ReadWrite] as B,
        ) -> None [] Regular("{atomic} {alpha}, {a}, {mode}, {beta}, {b}") by Pass;
        /// B := alpha·(sums of the rows of op(A), or the sum of a vector) + beta·B. op(A) is M x N and B has
        /// M elements, or A has N elements and B is a memref of order 0.
        Sum "sum" Collective Memory (
            atomic: Atomic, transpose: Transpose as tA,
            alpha: Value, a: Value [Read] as A, beta: Value, b: Value [ReadWrite] as B,
        ) -> None [] Regular("{atomic}{transpose} {alpha}, {a}, {beta}, {b}") by Pass;
        /// C := alpha·op(A)·B + beta·C. op(A) is M x N, the vector B has N elements, the vector C has M.
        Gemv "gemv" Collective Memory (
            atomic: Atomic, transpose: Transpose as tA,
            alpha: Value, a: Value [Read] as A, b: Value [Read] as B, beta: Value, c: Value [ReadWrite] as C,
        ) -> None [] Regular("{atomic}{transpose} {alpha}, {a}, {b}, {beta}, {c}") by Pass;
        /// C := alpha·A·B^T + beta·C. The vector A has M elements, the vector B has N, C is M x N.
        Ger "ger" Collective Memory (
            atomic: Atomic, alpha: Value, a: Value [Read] as A, b: Value [Read] as B, beta: Value,
            c: Value [ReadWrite] as C,
        ) -> None [] Regular("{atomic} {alpha}, {a}, {b}, {beta}, {c}") by Pass;
        /// C := alpha·A∘B + beta·C, entry by entry. A, B and C are vectors of N elements or M x N matrices.
        Hadamard "hadamard" Collective Memory (
            atomic: Atomic, alpha: Value, a: Value [Read] as A, b: Value [Read] as B, beta: Value,
            c: Value [ReadWrite] as C,
        ) -> None [] Regular("{atomic} {alpha}, {a}, {b}, {beta}, {c}") by Pass;
        /// C := alpha·op(A)·op(B) + beta·C. op(A) is M x K, op(B) is K x N, C is M x N.
        Gemm "gemm" Collective Memory (
            atomic: Atomic, transpose_a: Transpose as tA, transpose_b: Transpose as tB,
            alpha: Value, a: Value [Read] as A, b: Value [Read] as B, beta: Value, c: Value [ReadWrite] as C,
            schedule: Option<ProductSchedule>,
        ) -> None []
            Regular("{atomic}{transpose_a}{transpose_b} {alpha}, {a}, {b}, {beta}, {c}{schedule}") by Pass;
    }

    CooperativeMatrix {
        /// Reads a matrix from a matrix in memory. Entry (i, j) is at (pos0 + i, pos1 + j) of the operand, or
        /// with a transpose at (pos0 + j, pos1 + i); entries that fail a check are 0.
        CoopmatrixLoad "cooperative_matrix_load" Spmd Memory (
            transpose: Transpose as t, checked: Checked, from: Value [Read] as operand, x: Value as pos0,
            y: Value as pos1, attributes: CoopmatrixLoadAttributes, io: Option<MatrixIo>,
        ) -> One [] Regular("{transpose}{checked} {from}[{x},{y}]{? {attributes}?} : {type}{io}");
        /// Writes a matrix to a matrix in memory, with every entry where a load takes it from; entries that
        /// fail a check are skipped.
        CoopmatrixStore "cooperative_matrix_store" Spmd Memory (
            transpose: Transpose as t, checked: Checked, value: Value as val, to: Value [Write] as operand,
            x: Value as pos0, y: Value as pos1, io: Option<MatrixIo>,
        ) -> None [] Regular("{transpose}{checked} {value}, {to}[{x},{y}]{io}");
        /// a·b + c. a is an M x K matrix_a, b a K x N matrix_b, c and the result are M x N of matrix_acc.
        CoopmatrixMulAdd "cooperative_matrix_mul_add" Spmd Pure (a: Value, b: Value, c: Value) -> One []
            Regular(" {a}, {b}, {c} : {type}");
        /// The number a, of the component type, times every entry of the matrix b; the result has the type of
        /// b.
        CoopmatrixScale "cooperative_matrix_scale" Spmd Pure (
            scalar: Value as a, matrix: Value as b,
        ) -> One [] Regular(" {scalar}, {matrix} : {type}");
        /// A matrix with a number, of its component type, in every entry.
        CoopmatrixConstruct "cooperative_matrix_construct" Spmd Pure (value: Value as number) -> One []
            Regular(" {value} : {type}");
        /// A component of the work-item's share of a matrix, counted from 0.
        CoopmatrixExtract "cooperative_matrix_extract" Spmd Pure (matrix: Value as mat, index: i64) -> One []
            Regular(" {matrix}[{index}] : {type}");
        /// The matrix with one component of the work-item's share, counted from 0, replaced.
        CoopmatrixInsert "cooperative_matrix_insert" Spmd Pure (
            value: Value as val, matrix: Value as mat, index: i64,
        ) -> One []
            Regular(" {value}, {matrix}[{index}] : {type}");
        /// The part of a matrix that begins at a row and a column, counted from 0, with as many rows and columns as
        /// the type of the result has.
        CoopmatrixSlice "cooperative_matrix_slice" Spmd Pure (matrix: Value as mat, row: i64, col: i64) -> One []
            Regular(" {matrix}[{row},{col}] : {type}");
        /// Computes every entry: the parameters of the region are row and column, of type i32, and the entry,
        /// and it yields the new entry.
        CoopmatrixApply "cooperative_matrix_apply" Spmd Regions (matrix: Value as a) -> One [Spmd]
            Regular(" ({name},{name},{name})={matrix} -> {type}{region}") by Either;
        /// The same as a load, with an atomic access for each entry.
        CoopmatrixAtomicLoad "cooperative_matrix_atomic_load" Spmd AtomicMemory (
            transpose: Transpose as t, checked: Checked, scope: MemoryScope, semantics: MemorySemantics,
            from: Value [Read] as operand, x: Value as pos0, y: Value as pos1,
        ) -> One [] Regular("{transpose}{checked}{scope}{semantics} {from}[{x},{y}] : {type}");
        /// The same as a store, with an atomic access for each entry.
        CoopmatrixAtomicStore "cooperative_matrix_atomic_store" Spmd AtomicMemory (
            transpose: Transpose as t, checked: Checked, scope: MemoryScope, semantics: MemorySemantics,
            value: Value as val, to: Value [Write] as operand, x: Value as pos0, y: Value as pos1,
        ) -> None [] Regular("{transpose}{checked}{scope}{semantics} {value}, {to}[{x},{y}]");
        /// [`AtomicUpdate`] of each entry; the result holds the entries before.
        CoopmatrixAtomicUpdate "" Spmd AtomicMemory (
            op: CoopmatrixAtomicOp, transpose: Transpose as t, checked: Checked, scope: MemoryScope,
            semantics: MemorySemantics, value: Value as val, to: Value [ReadWrite] as operand,
            x: Value as pos0, y: Value as pos1,
        ) -> One [] Regular("{transpose}{checked}{scope}{semantics} {value}, {to}[{x},{y}] : {type}");
        /// Combines the entries along rows or columns.
        CoopmatrixReduce "" Spmd Pure (op: CoopmatrixReduceOp, mode: ReduceMode, matrix: Value as a) -> One []
            Regular("{mode} {matrix} : {type}");
        /// A hint to bring rows x cols entries of a matrix in memory into a cache; level 0 is nearest to the
        /// core.
        CoopmatrixPrefetch "cooperative_matrix_prefetch" Spmd Hint (
            level: i32 as cache_level, of: Value as operand, x: Value as pos0, y: Value as pos1, rows: i32,
            cols: i32, io: Option<MatrixIo>,
        ) -> None [] Regular(" {level}, {of}[{x},{y}], {rows}, {cols}{io}");
        /// Computes every entry from the entries of matrices of one use, whose shape is that of the result, a row or a
        /// column of it, or a single entry: the parameters of the region
        /// are row and column, of type i32, and the entry of each matrix, and it yields the entry of the result.
        CoopmatrixMap "cooperative_matrix_map" Spmd Regions (matrices: Vec<Value>) -> One [Spmd]
            Regular(" ({names})=({matrices+}) -> {type}{region}") by Pass;
    }

    Tile {
        /// The tile of a matrix of rows x cols tiles, two indices, that a work-group takes: a bijection
        /// from [0, rows·cols), and (rows, cols) beyond. The results are the indices of its row and column. The
        /// number of the work-group is linear if there is one, or else group_id.x + num_groups.x·group_id.y.
        TileOrder "tile_order" Mixed Pure (
            order: TileOrderKind, rows: Value as num_rows, cols: Value as num_cols, linear: Option<Value>,
            attributes: TileOrderAttributes,
        ) -> Many [] Regular("{order} {rows}, {cols}{? from {linear}?}{? {attributes}?}{? -> ({types})?}") by Pass;
        /// Reads a tile from a matrix in memory. Entry (i, j) is at (pos0 + i, pos1 + j) of the operand, or with a
        /// transpose at (pos0 + j, pos1 + i). Entries outside are what the boundary says; of those, and of those
        /// for which the region, the mask, does not yield true, no memory is touched, and they are other, or 0
        /// without it. The parameters of the region are the row and the column of the operand.
        TileLoad "tile_load" Collective Memory (
            transpose: Transpose as t, boundary: Boundaries, from: Value [Read] as operand, x: Value as pos0,
            y: Value as pos1, other: Option<Value>,
        ) -> One [Spmd]
            Regular("{transpose}{boundary} {from}[{x},{y}]{? other {other}?}{? mask ({name},{name}){region}?}{? {boundary+}?} : {type}")
            by Pass;
        /// Writes a tile to a matrix in memory, with every entry where a load takes it from. Entries outside, and
        /// those for which the region, the mask, does not yield true, are not written.
        TileStore "tile_store" Collective Memory (
            mode: StoreMode as atomic_add, transpose: Transpose as t, boundary: StoreBoundary as unchecked,
            value: Value as val,
            to: Value [Write] as operand, x: Value as pos0, y: Value as pos1,
        ) -> None [Spmd]
            Regular("{mode}{transpose}{boundary} {value}, {to}[{x},{y}]{? mask ({name},{name}){region}?}") by Pass;
        /// Copies a part of a matrix in global memory, as large as a matrix in local memory, into the latter, for all of the work-group.
        /// Entry (i, j) of the copy is at (pos0 + i, pos1 + j) of the operand, or with a transpose at (pos0 + j, pos1 + i). What is
        /// outside of the operand is copied as the boundary says. Numbers are promoted to those of the copy. A copy of order 3 is of panels: (i, j) is at (i mod d, j, i/d) there,
        /// for d the size of its first mode.
        TileCopy "tile_copy" Collective Memory (
            transpose: Transpose as t, boundary: Boundaries, from: Value [Read] as operand, x: Value as pos0,
            y: Value as pos1, to: Value [Write] as copy,
        ) -> None [] Regular("{transpose}{boundary} {from}[{x},{y}], {to}{? {boundary+}?}") by Pass;
        /// A hint to bring rows x cols entries of a matrix in memory into a cache; level 0 is nearest to the
        /// core.
        TilePrefetch "tile_prefetch" Collective Hint (
            level: i32 as cache_level, of: Value as operand, x: Value as pos0, y: Value as pos1, rows: i32,
            cols: i32,
        ) -> None [] Regular(" {level}, {of}[{x},{y}], {rows}, {cols}") by Pass;
        /// a·b + c. a is an M x K matrix_a, b a K x N matrix_b, c and the result are M x N of matrix_acc.
        TileDot "tile_dot" Collective Pure (
            a: Value, b: Value, c: Value, attributes: TileDotAttributes, schedule: Option<ProductSchedule>,
        ) -> One [] Regular(" {a}, {b}, {c}{? {attributes}?} : {type}{schedule}") by Pass;
        /// Computes every entry from the entries of tiles of one use, whose shape is that of the result, a row or a column
        /// of it, or a single entry: the parameters of the region are row and column, of type i32, and the entry of each
        /// tile, and it yields the entry of the result.
        TileApply "tile_apply" Collective Regions (tiles: Vec<Value>) -> One [Spmd]
            Regular(" ({names})=({tiles+}) -> {type}{region}") by Pass;
        /// The number a, of the component type, times every entry of the tile b; the result has the type of b.
        TileScale "tile_scale" Collective Pure (scalar: Value as a, tile: Value as b) -> One []
            Regular(" {scalar}, {tile} : {type}") by Pass;
        /// Combines the entries along rows or columns into the last of them, or into as many columns or rows as the result has, a
        /// power of two W: entry (i, j) combines those at (i, j), (i, j + W), (i, j + 2W), …. With .share each subgroup combines
        /// its own, and the result has that of the first column or row of subgroups in front of that of the second, and so on.
        TileReduce "" Collective Pure (
            op: TileReduceOp, mode: ReduceMode, part: ReducePart as share, tile: Value as a,
        ) -> One [] Regular("{mode}{part} {tile} : {type}") by Pass;
        /// The tile with rows and columns exchanged: R x C of matrix_acc becomes C x R.
        TileTranspose "tile_transpose" Collective Pure (tile: Value as a) -> One []
            Regular(" {tile} : {type}") by Pass;
        /// A block of the subgroup's own share of a tile: the cooperative matrix, of r x c, in row row and column col of the r x c blocks
        /// of the share. All blocks of tiles of one size and use have one shape.
        TileFragment "tile_fragment" Spmd Pure (tile: Value as a, row: i64, col: i64) -> One []
            Regular(" {tile}[{row},{col}] : {type}") by Pass;
        /// The tile a with a block of the subgroup's own share replaced by the cooperative matrix fragment; it has the type of a.
        TileWithFragment "tile_with_fragment" Spmd Pure (
            fragment: Value, tile: Value as a, row: i64, col: i64,
        ) -> One [] Regular(" {fragment}, {tile}[{row},{col}] : {type}") by Pass;
        /// Returns whether an entry of a tile of integers is greater than 0, as the 1 of comparisons is.
        TileAny "tile_any" Collective Pure (tile: Value as a) -> One [] Regular(" {tile} : {type}") by Pass;
    }
}
