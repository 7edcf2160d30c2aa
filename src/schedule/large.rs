//! Large products on a matrix engine (lowering reference 1.16).
//!
//! Products in the large register file. A block in the small one needs a byte from memory for too few operations: with 32×64
//! accumulators in the large one, a work-group of 256×256 reads 24 bytes in a cycle of the engine where 32×32 need 32. And where
//! factors are put together from folded columns, they take more instructions than the multiply-adds, so that even smaller products
//! gain from blocks that use them more often.

use super::block::to_i32;
use super::blockwise::all_shapes;
use super::grid::{choose_grid, choose_grid_of};
use super::panels::TRANSPOSED_BYTES;
use super::product::ProductShape;
use super::shape::Shape;
use super::{Overrides, RegisterFile, Schedule, tiles, with_register_file};
use crate::analysis::Surfaces;
use crate::device::CoreInfo;
use crate::ir::{AccumulatorBlock, Func, Gemm, IoClass, Ir, Op, Transpose};

/// Rows and columns from which on a product is large: several blocks in either direction.
const MIN_EXTENT: i64 = 128;
/// Row blocks of a subgroup, whose sums fill half of the registers.
const ROW_BLOCKS: i64 = 2;
/// Row blocks of a subgroup that transposes B: fewer columns cost fewer moves.
const TALL_ROW_BLOCKS: i64 = 4;
/// The same where two numbers share a word, so that block messages leave them to be moved.
///
/// Such a subgroup takes a step of one instruction and fetches nothing ahead: the driver's compiler then keeps the coordinates of all messages in
/// registers and adds to them, where those of longer steps or of prefetches are put together each time (54 instructions for 16 multiply-adds,
/// against 75 with prefetches). The four threads of an engine have 660 cycles of work in an iteration, about what the cache takes to answer.
const NARROW_ROW_BLOCKS: i64 = 8;
/// Most columns of a block in the small register file.
const SMALL_COLS: i32 = 32;
/// Bytes of a sum.
const SUM_BYTES: i64 = 4;
/// Block messages that fetch a row of a factor for one step. Longer steps pay for the coordinates of the messages less
/// often.
const STEP_MESSAGES: i64 = 2;
/// Steps from the prefetch of a line to its load: the latency of memory over the time of a step.
const PREFETCH_DISTANCE: i32 = 2;

/// The schedule of a function whose products are all large ones for the engine, unless attributes say otherwise.
pub(super) fn schedule(
    shapes: &[Shape],
    subgroup_size: Option<i32>,
    overrides: Overrides,
    info: &CoreInfo,
) -> Option<Schedule> {
    let (io, lanes) = (info.block_2d_io()?, info.dpas_engine()?.subgroup_size());
    let engine = overrides.engine(lanes.into(), info)?;
    let is_large = |shape: &Shape| {
        let extents =
            [shape.rows, shape.cols].map(|extent| extent.is_some_and(|extent| extent >= MIN_EXTENT));
        let on_engine = engine.supports_gemm(shape.op1, shape.op2, shape.destination.accumulator());
        shape.is_gemm && shape.surfaces.is_some() && on_engine && extents == [true, true]
    };
    let is_pinned = subgroup_size.is_some_and(|size| size != lanes)
        || overrides.register_file == Some(RegisterFile::Small)
        || overrides.register_block.is_some();
    if is_pinned || shapes.is_empty() || !shapes.iter().all(is_large) {
        return None;
    }
    let large = with_register_file(info, Some(RegisterFile::Large));
    let transposes_b = |shape: &Shape| shape.surfaces.is_some_and(|surfaces| surfaces.transposes_b);
    let bytes = shapes.iter().map(|shape| shape.op1.bytes()).max()?;
    let longest = to_i32(STEP_MESSAGES * io.max_row_bytes / bytes);
    let (row_blocks, step, distance) = match shapes.iter().find(|shape| transposes_b(shape)) {
        Some(Shape { op1, op2, destination, .. }) if bytes < TRANSPOSED_BYTES => {
            let depth = engine.step_k(*op1, *op2, destination.accumulator())?;
            (NARROW_ROW_BLOCKS, to_i32(depth), 0)
        }
        Some(_) => (TALL_ROW_BLOCKS, longest, PREFETCH_DISTANCE),
        None => (ROW_BLOCKS, longest, PREFETCH_DISTANCE),
    };
    let rows = row_blocks * i64::from(lanes);
    let cols = i64::from(large.register_space()) / 2 / (rows * SUM_BYTES);
    let block = AccumulatorBlock { rows: to_i32(rows), cols: to_i32(cols) };
    Some(Schedule {
        subgroup_size: lanes,
        grid: choose_grid_of(shapes, block, &large, lanes),
        overrides: Overrides {
            register_block: Some((block.rows, block.cols)),
            k_step: overrides.k_step.or(Some(step)),
            prefetch_distance: overrides.prefetch_distance.or(Some(distance)),
            register_file: Some(RegisterFile::Large),
            ..overrides
        },
    })
}

impl Schedule {
    /// The schedule with the large register file, if all that a function computes are products on a matrix engine whose factors
    /// 2D blocks reach with several columns in a row of a surface, in blocks with more columns than the small one holds, or whose factors
    /// come one by one, in larger blocks: each block needs them again. For sizes that no attribute asks for.
    ///
    /// Where both factors are transposed, so is C, whose stores have no room beside such blocks.
    pub(super) fn enlarged(
        &self,
        ir: &Ir,
        func: Func,
        surfaces: &Surfaces,
        info: &CoreInfo,
    ) -> Option<Schedule> {
        let Overrides { register_file: None, register_block: None, .. } = self.overrides else { return None };
        let mut products = Vec::new();
        ir.walk(ir[func].body, &mut |inst| {
            if let Op::Gemm(op) = &ir[inst].op {
                products.push(op);
            }
        });
        let shapes = all_shapes(ir, func, surfaces);
        let engine = self.engine(info)?;
        let is_on_engine = |shape: &Shape| {
            shape.is_gemm && engine.supports_gemm(shape.op1, shape.op2, shape.destination.accumulator())
        };
        let is_folded = |op: &Gemm| {
            let is_transposed = [op.transpose_a, op.transpose_b] == [Transpose::T; 2];
            !is_transposed && [op.a, op.b].into_iter().any(|factor| surfaces.folded(ir, factor).is_some())
        };
        let comes_one_by_one = |op: &Gemm| {
            let shape = ProductShape::of(ir, surfaces, op);
            let is_testable = |factor| surfaces.answer(ir, factor).is_testable();
            let is_small = |extents: [Option<i64>; 2]| match extents {
                [Some(rows), Some(cols)] => rows.min(cols) < MIN_EXTENT,
                [None, _] | [_, None] => false,
            };
            shape.is_some_and(|shape| shape.repeats_entries() && is_small(shape.extents))
                && ![op.a, op.b].into_iter().any(is_testable)
        };
        let are_suited = products.iter().copied().all(|op| is_folded(op) || comes_one_by_one(op));
        let has_blocks = self.has_io(IoClass::Block2d, info) && info.has_large_register_file();
        let has_others = tiles::has_products(ir, func) || !shapes.iter().all(is_on_engine);
        if products.is_empty() || has_others || !are_suited || !has_blocks {
            return None;
        }
        let large = with_register_file(info, Some(RegisterFile::Large));
        let grid = choose_grid(&shapes, &large, self.subgroup_size);
        let overrides = Overrides { register_file: Some(RegisterFile::Large), ..self.overrides };
        let enlarged = Schedule { grid, overrides, ..*self };
        let has_use = |op: &Gemm| {
            let shape = ProductShape::of(ir, surfaces, op)?;
            let [small, large] = [self, &enlarged].map(|schedule| schedule.product(shape, info).block);
            let bytes = |block: AccumulatorBlock| i64::from(block.rows) * i64::from(block.cols) * SUM_BYTES;
            // Sums that fill half of the small one leave too little of it.
            let fills_half = bytes(large) >= i64::from(self.register_space(info)) / 2;
            let is_larger = comes_one_by_one(op) && (fills_half || bytes(large) > bytes(small));
            Some(large.cols > small.cols.max(SMALL_COLS) || is_larger)
        };
        let fits = enlarged.fits_large_register_file(info);
        (fits && products.into_iter().all(|op| has_use(op) == Some(true))).then_some(enlarged)
    }
}
