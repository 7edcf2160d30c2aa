//! Schedule of a product in a subgroup.

use super::Schedule;
use super::block::{register_block, to_i32};
use super::folded::come_by_blocks;
use super::product_types::ProductTypes;
use crate::analysis::{Surfaces, constant_of};
use crate::device::CoreInfo;
use crate::ir::{AccumulatorBlock, Gemm, IoClass, Ir, MatrixBackendKind, ProductSchedule, Scalar, Transpose};

/// Columns of A and rows of B taken in one step by vector code, largest first.
const VECTOR_K_STEPS: [i32; 5] = [16, 8, 4, 2, 1];
/// The longest step on CPUs, where longer ones make more code and save nothing; on GPUs the longest one that always fits.
const SHORT_K_STEP: i32 = 8;
/// Entries of B that each work-item may hold as a whole.
const MAX_REPLICATED: i64 = 160;
/// Bytes of entries of B that each work-item may hold one by one.
const MAX_HELD_BYTES: i64 = 640;
/// Instructions along K of a step on the matrix engine: what a block message fetches at once.
pub(super) const ENGINE_STEP: i64 = 2;
/// Instructions along K whose factors are loaded at once, by two of the widest messages.
const LOAD_STEP: i64 = 4;
/// The same for tf32, of which Intel's compiler moves no load to where it is needed: what a message for B fetches.
const TF32_LOAD_STEP: i64 = 2;
/// Bytes of the registers of a thread on GPUs from pvc on.
const LARGE_SPACE: i64 = 8192;
/// Tiles of sums below each other and side by side.
const SUMS_OF_TILES: i64 = 2;

/// Properties of a product that its schedule depends on, beside the function's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProductShape {
    /// Component types.
    pub types: ProductTypes,
    /// Rows and columns of C, if they are known.
    pub extents: [Option<i64>; 2],
    /// The factors' transpositions.
    pub transposes: [Transpose; 2],
    /// True if each work-item reads entries of B alone that follow each other in memory: rows of Bᵀ of unknown length.
    pub holds_b: bool,
    /// True if what C was may count: β is no literal zero.
    pub reads_c: bool,
    /// True if a factor is not known to be a surface, so that its entries may come one by one.
    pub by_entries: bool,
    /// True if columns of a factor may be beyond its matrix, so that entries that come one by one are tested.
    pub is_checked: bool,
}

impl ProductShape {
    /// The shape of a gemm, as far as it is known; `None` if its factors have no type in common.
    pub fn of(ir: &Ir, surfaces: &Surfaces, op: &Gemm) -> Option<ProductShape> {
        let [a, b, c] = [op.a, op.b, op.c].map(|value| ir.ty(value).memref());
        let (a, b, c) = (a?, b?, c?);
        let types = ProductTypes::of(a.element, b.element, c.element)?;
        let extents = [0, 1].map(|mode: usize| c.shape.get(mode).and_then(|extent| extent.value()));
        let holds_b = op.transpose_b == Transpose::T && extents[1].is_none();
        let reads_c = !constant_of(ir, op.beta).is_some_and(|beta| beta.is(0));
        let transposes = [op.transpose_a, op.transpose_b];
        // No message transposes bytes for B.
        let transposes_bytes = transposes == [Transpose::N, Transpose::T] && b.element.bytes() == 1;
        let factors = [(op.a, op.transpose_a), (op.b, op.transpose_b)];
        let by_entries = transposes_bytes || !come_by_blocks(ir, surfaces, factors);
        let is_checked = extents[1].is_none();
        Some(ProductShape { types, extents, transposes, holds_b, reads_c, by_entries, is_checked })
    }

    /// Returns whether the work-items read elements of A alone that do not follow each other.
    fn gathers_a(self) -> bool {
        self.transposes == [Transpose::T, Transpose::N]
    }

    /// Returns whether each block of C needs entries of the factors again that come one by one. Where both are transposed they change
    /// places, and entries follow each other along K.
    pub(super) fn repeats_entries(self) -> bool {
        self.by_entries && self.transposes != [Transpose::T; 2]
    }
}

impl Schedule {
    /// Schedule of a product.
    pub fn product(&self, shape: ProductShape, info: &CoreInfo) -> ProductSchedule {
        let product = self.largest_product(shape, info);
        let on_engine = product.backend != MatrixBackendKind::Vector;
        let block = product.block.shared(
            shape.extents,
            [self.grid.rows, self.grid.cols],
            self.subgroup_size.into(),
            on_engine,
        );
        ProductSchedule { block, ..product }
    }

    /// Schedule of a product with the block that the registers hold, whatever its rows and columns.
    pub(super) fn largest_product(&self, shape: ProductShape, info: &CoreInfo) -> ProductSchedule {
        self.engine_product(shape, info)
            .or_else(|| self.joint_product(shape, info))
            .unwrap_or_else(|| self.vector_product(shape, info))
    }

    /// Tiles of SPV_KHR_cooperative_matrix. An engine with tiles of its own holds two by two sums and the factors of these;
    /// others keep half of the registers for sums.
    fn joint_product(&self, shape: ProductShape, info: &CoreInfo) -> Option<ProductSchedule> {
        let ProductTypes { a, b, accumulator } = shape.types;
        let engine =
            info.joint_matrix().filter(|engine| engine.takes_subgroups(self.subgroup_size.into()))?;
        let factor = engine.factor(a).filter(|_| a == b && engine.supports(a, accumulator))?;
        let (lanes, [rows, cols]) = (i64::from(self.subgroup_size), engine.largest_sums());
        let has_rows = shape.extents[0].is_none_or(|rows| rows >= engine.least_rows());
        if !has_rows || lanes % engine.least_rows() != 0 {
            return None;
        }
        let (rows, limit) = if engine.has_tile_registers() {
            (round_up(SUMS_OF_TILES * rows, lanes), SUMS_OF_TILES * cols)
        } else {
            // What is packed comes in the registers of the work-items first.
            let by_entries = shape.by_entries || factor.packed_cols().is_some();
            let shape = ProductShape { by_entries, ..shape };
            let (row_blocks, limit) = self.engine_limits(shape, engine.col_step(), info);
            let rows = round_up(row_blocks * rows, lanes);
            let space = i64::from(self.register_space(info));
            (rows, limit.min(space / 2 / (rows * accumulator.bytes())))
        };
        let share = shape.extents[1].map_or(limit, |cols| div_ceil(cols, i64::from(self.grid.cols)));
        let cols = round_up(share.clamp(1, limit), engine.col_step());
        let block = AccumulatorBlock { rows: to_i32(rows), cols: to_i32(cols) };
        let depth = factor.depth();
        let step = self.overridden_step(depth).unwrap_or(depth);
        let mut k_steps = vec![to_i32(step)];
        if step > depth {
            k_steps.push(to_i32(depth));
        }
        Some(ProductSchedule {
            backend: MatrixBackendKind::JointMatrix,
            block: self.overridden_block(block, engine.col_step()),
            load_step: to_i32(step),
            k_steps,
            prefetch_distance: 0,
            is_transposed: false,
            chained: None,
        })
    }

    fn vector_product(&self, shape: ProductShape, info: &CoreInfo) -> ProductSchedule {
        let block = if info.is_cpu() { self.cpu_block(shape, info) } else { self.gpu_block(shape, info) };
        let k_steps = match self.overridden_step(1) {
            Some(1) => vec![1],
            Some(step) => vec![to_i32(step), 1],
            None => VECTOR_K_STEPS.into_iter().filter(|&step| self.fits(step, shape, block, info)).collect(),
        };
        ProductSchedule {
            backend: MatrixBackendKind::Vector,
            block: self.overridden_block(block, 1),
            load_step: k_steps.first().copied().unwrap_or(1),
            k_steps,
            prefetch_distance: 0,
            is_transposed: false,
            chained: None,
        }
    }

    /// Bytes of registers for what is alive at a time, beside addresses and what the driver's compiler needs.
    pub(super) fn room(&self, info: &CoreInfo) -> i64 {
        i64::from(self.register_space(info)) * 5 / 8
    }

    /// Bytes of registers for numbers, where few of them have an address of their own.
    pub(super) fn room_beside_addresses(&self, info: &CoreInfo) -> i64 {
        i64::from(self.register_space(info)) * 15 / 16
    }

    /// The block with the most arithmetic for each load; with fewer columns if rows are left over and C is read: then
    /// each work-item holds the sums, what C was, and an address of each.
    fn gpu_block(&self, shape: ProductShape, info: &CoreInfo) -> AccumulatorBlock {
        const ADDRESS_BYTES: i64 = 8;
        let ProductTypes { a, b, accumulator } = shape.types;
        let block = register_block(
            a.bytes(),
            b.bytes(),
            accumulator.bytes(),
            accumulator.is_complex(),
            self.subgroup_size,
            self.register_space(info),
        );
        let block = self.whole_rows(shape, block, info);
        // Of rows that are known at run time only, most are in whole blocks.
        if !shape.reads_c || shape.extents[0].is_none() || !self.leaves_rows(shape) {
            return block;
        }
        let column = i64::from(block.rows) * (2 * accumulator.bytes() + ADDRESS_BYTES);
        let cols = (self.room(info) / column).clamp(1, i64::from(block.cols));
        AccumulatorBlock { cols: to_i32(cols), ..block }
    }

    /// The block with all columns of the product, if only one subgroup has them and the registers hold as many with the
    /// rows that it has: A is read once then.
    fn whole_rows(&self, shape: ProductShape, block: AccumulatorBlock, info: &CoreInfo) -> AccumulatorBlock {
        let [Some(rows), Some(cols)] = shape.extents else { return block };
        let lanes = i64::from(self.subgroup_size).max(1);
        let rows = round_up(div_ceil(rows, i64::from(self.grid.rows).max(1)).max(1), lanes);
        let ProductTypes { accumulator, .. } = shape.types;
        let column = rows * accumulator.bytes() * if accumulator.is_complex() { 2 } else { 1 };
        let is_wider = self.grid.cols == 1 && rows < i64::from(block.rows) && cols > i64::from(block.cols);
        match column.checked_mul(cols).filter(|&bytes| is_wider && bytes <= self.accumulator_space(info)) {
            Some(_) => AccumulatorBlock { rows: to_i32(rows), cols: to_i32(cols) },
            None => block,
        }
    }

    /// Bytes of registers for the accumulators of vector code, the rest of which holds factors and addresses.
    fn accumulator_space(&self, info: &CoreInfo) -> i64 {
        i64::from(self.register_space(info)) / 2
    }

    /// Returns whether there may be rows that do not fill a subgroup.
    fn leaves_rows(&self, shape: ProductShape) -> bool {
        let lanes = i64::from(self.subgroup_size).max(1);
        shape.extents[0].is_none_or(|rows| rows % lanes != 0)
    }

    /// Returns whether the registers hold what a step takes. Rows that are gathered take addresses, too.
    fn fits(&self, step: i32, shape: ProductShape, block: AccumulatorBlock, info: &CoreInfo) -> bool {
        // Entries of eight bytes that are held one by one take a register each.
        let held = i64::from(step) * i64::from(block.cols) * shape.types.b.bytes();
        if shape.holds_b && shape.types.b.bytes() > 4 && held > MAX_HELD_BYTES && step > 1 && !info.is_cpu() {
            return false;
        }
        if step <= SHORT_K_STEP || info.is_cpu() {
            return step <= SHORT_K_STEP;
        }
        let ProductTypes { a, b, accumulator } = shape.types;
        let (step, lanes) = (i64::from(step), i64::from(self.subgroup_size).max(1));
        let rows = i64::from(block.rows).min(lanes);
        let share = shape.extents[1].map(|cols| div_ceil(cols.max(0), i64::from(self.grid.cols).max(1)));
        let cols = share.unwrap_or(i64::MAX).min(i64::from(block.cols));
        let bytes = rows * cols * accumulator.bytes() + step * (rows * a.bytes() + cols * b.bytes());
        let has_addresses = shape.gathers_a() || self.leaves_rows(shape);
        let is_held = step % lanes == 0 || step * cols <= MAX_REPLICATED;
        is_held && (!has_addresses || bytes <= self.room(info))
    }

    /// Three quarters of the registers hold accumulators, and half of them where masks of rows take some. Four registers of a
    /// column of A feed as many multiply-adds from one entry of B, which hides how long each takes; fewer rows leave room for more
    /// columns. Rows that are gathered take most of the time: a single register of them feeds as many columns as there is room for.
    fn cpu_block(&self, shape: ProductShape, info: &CoreInfo) -> AccumulatorBlock {
        let (accumulator, [rows, cols]) = (shape.types.accumulator, shape.extents);
        let (lanes, space) = (i64::from(self.subgroup_size).max(1), i64::from(info.register_space()));
        let bytes = accumulator.bytes();
        let most = if shape.gathers_a() { lanes } else { (space / 8 / bytes).max(1) };
        let room = if shape.gathers_a() || !self.leaves_rows(shape) { space * 3 / 4 } else { space / 2 };
        let rows = round_up(rows.unwrap_or(most).clamp(1, most), lanes);
        // The product of complex numbers needs a second accumulator.
        let of_column = rows * bytes * if accumulator.is_complex() { 2 } else { 1 };
        // A column takes a register, however few its rows; AVX-512 has 32 of them.
        let limit = (room / of_column.max(space / 32)).max(1);
        // All blocks are of one width, but for the last one.
        let share = cols.map_or(limit, |cols| div_ceil(cols.max(1), div_ceil(cols.max(1), limit)));
        AccumulatorBlock { rows: to_i32(rows), cols: to_i32(share) }
    }

    /// The block keeps half of the registers for accumulators and leaves an eighth for addresses; what is left
    /// between holds the operands of a step.
    fn engine_product(&self, shape: ProductShape, info: &CoreInfo) -> Option<ProductSchedule> {
        let ProductTypes { a, b, accumulator } = shape.types;
        let cols = shape.extents[1];
        let engine = self.engine(info)?;
        let depth = engine.step_k(a, b, accumulator)?;
        let space = i64::from(self.register_space(info));
        let (row_blocks, limit) = self.engine_limits(shape, engine.max_cols(), info);
        let rows = row_blocks * i64::from(self.subgroup_size);
        let limit = limit.min(space / 2 / (rows * accumulator.bytes()));
        let share = cols.map_or(limit, |cols| div_ceil(cols, i64::from(self.grid.cols)));
        let cols = round_up(share.clamp(1, limit), engine.max_cols());
        let block = AccumulatorBlock { rows: to_i32(rows), cols: to_i32(cols) };
        let block = self.overridden_block(block, engine.max_cols());

        let (rows, cols) = (i64::from(block.rows), i64::from(block.cols));
        let operands = self.matrix_space(info) - rows * cols * accumulator.bytes();
        let fits = |step: &i64| step * (rows * a.bytes() + cols * b.bytes()) <= operands;
        // Addresses of entries that come one by one take the registers that a longer step would need.
        let is_short = shape.repeats_entries() && a.bytes() > 1 && space <= LARGE_SPACE;
        let longest = if is_short { depth } else { ENGINE_STEP * depth };
        let step = [longest, depth].into_iter().find(fits).unwrap_or(depth);
        let step = self.overridden_step(depth).unwrap_or(step);
        let mut k_steps = vec![to_i32(step)];
        if step > depth {
            k_steps.push(to_i32(depth));
        }
        Some(ProductSchedule {
            backend: MatrixBackendKind::Dpas,
            block,
            k_steps,
            load_step: to_i32(depth * if a == Scalar::F32 { TF32_LOAD_STEP } else { LOAD_STEP }),
            prefetch_distance: self.overrides.prefetch_distance.unwrap_or(0),
            is_transposed: false,
            chained: None,
        })
    }

    /// Row blocks of a subgroup and columns that it holds at most, of which an instruction takes `cols`. An entry that comes
    /// alone takes an address and a register of its own until the words of a fragment are put together, and bytes come in
    /// the longest steps.
    fn engine_limits(&self, shape: ProductShape, cols: i64, info: &CoreInfo) -> (i64, i64) {
        let space = i64::from(self.register_space(info));
        let bytes = shape.types.a.bytes();
        let has_blocks = self.has_io(IoClass::Block2d, info);
        let by_entries = shape.by_entries || !has_blocks && (bytes == 1 || shape.is_checked);
        match bytes {
            _ if !by_entries => (2, i64::MAX),
            1 if shape.is_checked => (1, cols),
            1 if space > LARGE_SPACE => (2, 4 * cols),
            1 => (1, 2 * cols),
            2 if space < LARGE_SPACE && shape.is_checked => (1, 2 * cols),
            _ => (2, i64::MAX),
        }
    }

    /// The step along K that an attribute asks for, as a power of two, which rows of B must be, and no less than `depth`, which is one.
    fn overridden_step(&self, depth: i64) -> Option<i64> {
        let step = u32::try_from(self.overrides.k_step?).ok()?.checked_next_power_of_two()?;
        Some(i64::from(step).max(depth))
    }

    /// The block that an attribute asks for, in whole subgroups and multiples of `cols`, or the given one.
    fn overridden_block(&self, block: AccumulatorBlock, cols: i64) -> AccumulatorBlock {
        let round_up = |value: i32, to: i64| to_i32(round_up(value.into(), to));
        self.overrides.register_block.map_or(block, |(rows, columns)| AccumulatorBlock {
            rows: round_up(rows, self.subgroup_size.into()),
            cols: round_up(columns, cols),
        })
    }
}

/// The smallest multiple of `to` that is not less.
pub(super) fn round_up(value: i64, to: i64) -> i64 {
    div_ceil(value, to).saturating_mul(to)
}

pub(super) fn div_ceil(value: i64, by: i64) -> i64 {
    value / by + i64::from(value % by > 0)
}
