//! Narrower subgroups for products in vector code, and fewer ones for small products and for chains.
//!
//! The rules for subgroup and work-group size are those of the reference, and what the pass `work-group-size` prints is
//! what its users know (lowering reference 1.11). They do not know of 2D block messages, which there are for 16
//! work-items only: where these read the first factors, two subgroups of 16 take a work-group's rows in fewer
//! instructions than one of 32. Nor do they know of chains in registers: loads and addresses of f64 take so many instructions
//! that subgroups which compute two blocks of rows from the same entries of B are worth twice as many registers.

use super::block::to_i32;
use super::blockwise::all_shapes;
use super::grid::{check_work_group_size, choose_grid};
use super::product::div_ceil;
use super::products::ProductTarget;
use super::roofline::Roofline;
use super::shape::{Shape, factors};
use super::{Blockwise, ChainProduct, Grid, Overrides, RegisterFile, Schedule, with_register_file};
use crate::analysis::{NecessaryWork, Surfaces};
use crate::device::CoreInfo;
use crate::ir::{
    AddressSpace, ChainedFactor, Func, Ir, Memref, Op, Region, RegionKind, Scalar, Surface, Transpose, Value,
};

/// Most blocks of rows that a subgroup takes one after the other.
const ROW_BLOCKS: u32 = 8;
/// Columns of a transposed B up to which one subgroup may take all rows of a product in f64.
const FEW_COLS: i64 = 8;
/// Cycles of multiply-adds for each one of bytes from the cache from which on what they are loaded by takes longest.
const BUSY: f64 = 0.7;
/// Columns up to which wide subgroups, which no 2D block messages serve, take products whose first factors these would not read anyway.
const WIDE_COLS: i64 = 9;
/// Multiply-adds of a work-group from which on there is enough for as many subgroups as the registers allow: those of 64³.
const SMALL_WORK: u64 = 1 << 18;

impl Schedule {
    /// The schedule with subgroups of 16 for the same work-group, or with fewer of them, if they suit the products of the
    /// function better. For sizes that no attribute asks for.
    pub(super) fn narrowed(self, ir: &Ir, func: Func, surfaces: &Surfaces, info: &CoreInfo) -> Schedule {
        if let Some(alone) = self.alone(ir, func, surfaces, info) {
            return alone;
        }
        let narrow = self.halved(ir, func, surfaces, info);
        let chosen = narrow.or_else(|| self.taller(ir, func, surfaces, info)).unwrap_or(self);
        let chosen = chosen.fewer(ir, func, surfaces, info).unwrap_or(chosen);
        chosen.doubled(ir, func, surfaces, info).unwrap_or(chosen)
    }

    /// The schedule with the large register file, if the function is nothing but a product in f64 whose multiply-adds take about as long
    /// as its bytes take from the cache, and a block of accumulators has more rows or columns then.
    fn doubled(self, ir: &Ir, func: Func, surfaces: &Surfaces, info: &CoreInfo) -> Option<Schedule> {
        let Overrides { register_file: None, register_block: None, .. } = self.overrides else { return None };
        let mut products = Vec::new();
        ir.walk(ir[func].body, &mut |inst| {
            products.extend(matches!(ir[inst].op, Op::Gemm(_) | Op::TileDot(_)).then_some(inst));
        });
        let [product] = products.as_slice() else { return None };
        let shapes = all_shapes(ir, func, surfaces);
        let in_f64 = |shape: &Shape| [shape.op1, shape.op2, shape.destination] == [Scalar::F64; 3];
        let roofline = Roofline::of(ir, func, info)?.in_cache();
        let is_busy = roofline.arithmetic >= BUSY * roofline.memory;
        if shapes.len() != 1 || !shapes.iter().all(in_f64) || !is_busy || !info.has_large_register_file() {
            return None;
        }
        let overrides = Overrides { register_file: Some(RegisterFile::Large), ..self.overrides };
        let large = with_register_file(info, overrides.register_file);
        let grid = choose_grid(&shapes, &large, self.subgroup_size);
        let doubled = Schedule { grid, overrides, ..self };
        let doubled = doubled.fewer(ir, func, surfaces, info).unwrap_or(doubled);
        let entries = |schedule: Schedule| {
            let block = ProductTarget::new(ir, func, surfaces, schedule, info).product(*product)?.block;
            Some(i64::from(block.rows) * i64::from(block.cols))
        };
        (doubled.fits_large_register_file(info) && entries(doubled)? > entries(self)?).then_some(doubled)
    }

    /// The schedule with fewer subgroups, each of which takes all columns of up to [`ROW_BLOCKS`] blocks of rows, for functions that are
    /// nothing but small products in f32, or one in f64. What a subgroup issues once, addresses and the entries of B that all lanes share,
    /// is much of the code of a small product, and the fewer lanes, the fewer have no rows; other work-groups keep the device busy. Products
    /// in f64 issue twice as many multiply-adds between, so that chains of them, and those with many entries of a transposed B, gain less
    /// from it than they lose.
    ///
    /// Where no 2D block messages read first factors anyway, and B has few columns and is not transposed, subgroups stay wide if that leaves no
    /// more lanes idle, and each has one block of a chain, if masks for the rest of the rows would cost more than rows that are computed twice.
    fn fewer(self, ir: &Ir, func: Func, surfaces: &Surfaces, info: &CoreInfo) -> Option<Schedule> {
        let narrow =
            info.block_2d_io().map(|io| io.lanes).filter(|size| info.subgroup_sizes().contains(size))?;
        let products = factors(ir, func);
        let transposes_b =
            products.iter().any(|[_, b]| b.is_some_and(|(_, transpose)| transpose == Transpose::T));
        let gains = |shape: &Shape| {
            let is_in = |scalar| [shape.op1, shape.op2, shape.destination] == [scalar; 3];
            let has_few_entries = !transposes_b || shape.cols.is_some_and(|cols| cols <= FEW_COLS);
            shape.is_gemm
                && (is_in(Scalar::F32) || is_in(Scalar::F64) && products.len() == 1 && has_few_entries)
        };
        let engine = info.matrix_engine().map(|&engine| self.overrides.with_precision(engine));
        let shapes = all_shapes(ir, func, surfaces);
        let is_on_engine = engine.is_some_and(|engine| {
            shapes.iter().any(|shape| engine.supports_gemm(shape.op1, shape.op2, shape.destination))
        });
        let mut has_other_code = false;
        ir.walk(ir[func].body, &mut |inst| {
            let is_code =
                |&region: &Region| ir[region].kind == RegionKind::Spmd && ir.last_inst(region).is_some();
            has_other_code |= ir[inst].regions.iter().any(is_code);
        });
        let work = NecessaryWork::of(ir, func)?.all_multiply_adds();
        if is_on_engine || has_other_code || !shapes.iter().all(gains) || work >= SMALL_WORK {
            return None;
        }
        let rows = u32::try_from(shapes.iter().filter_map(|shape| shape.rows).max()?).ok()?;
        let is_read = |&[a, _]: &[Option<(Value, Transpose)>; 2]| {
            a.is_some_and(|(a, _)| surfaces.answer(ir, a).is_known())
        };
        let has_few_cols = shapes.iter().all(|shape| shape.cols.is_some_and(|cols| cols <= WIDE_COLS));
        let reads_by_lanes = has_few_cols && !transposes_b && !products.iter().any(is_read);
        let (lanes, subgroups) = if reads_by_lanes {
            self.lanes_and_subgroups(narrow, rows, products.len() > 1)?
        } else {
            (narrow, subgroups_of_blocks(rows.div_ceil(u32::try_from(narrow).ok()?)))
        };
        let grid = Grid { rows: i32::try_from(subgroups).ok()?, cols: 1 };
        let fits = check_work_group_size(info, lanes, grid.work_items(lanes)).is_ok();
        let fewer = Schedule { subgroup_size: lanes, grid, ..self };
        let is_in_blocks = self.blockwise(ir, func).is_some() == fewer.blockwise(ir, func).is_some();
        (fits && is_in_blocks).then_some(fewer)
    }

    /// Lanes and number of the fewer subgroups for so many rows of products whose first factors come to each lane by itself.
    fn lanes_and_subgroups(self, narrow: i32, rows: u32, is_chain: bool) -> Option<(i32, u32)> {
        let idle = |lanes: i32| Some(rows.next_multiple_of(u32::try_from(lanes.max(1)).ok()?) - rows);
        let is_wide = idle(self.subgroup_size) == idle(narrow);
        let lanes = if is_wide { self.subgroup_size } else { narrow };
        let blocks = rows.div_ceil(u32::try_from(lanes).ok()?);
        // A subgroup that has one block alone reads rows of the one before instead of checking its own.
        let leaves_few = blocks > 2 && idle(lanes)? > u32::try_from(lanes / 2).ok()?;
        let has_one_each = is_chain && (is_wide || leaves_few);
        Some((lanes, if has_one_each { blocks } else { subgroups_of_blocks(blocks) }))
    }

    /// The schedule with twice as many subgroups of half the size, if 2D block messages read the first factors then.
    fn halved(self, ir: &Ir, func: Func, surfaces: &Surfaces, info: &CoreInfo) -> Option<Schedule> {
        let io = info.block_2d_io().filter(|io| self.subgroup_size == 2 * io.lanes)?;
        let grid = Grid { rows: self.grid.rows.saturating_mul(2), ..self.grid };
        let narrow = Schedule { subgroup_size: io.lanes, grid, ..self };
        let fits = check_work_group_size(info, io.lanes, grid.work_items(io.lanes)).is_ok();
        let is_shared = Blockwise::of(ir, func).is_some() && self.blockwise(ir, func).is_none();
        let products = if is_shared { Vec::new() } else { factors(ir, func) };
        let first: Vec<_> = products.iter().filter_map(|&[a, _]| a).collect();
        let is_in =
            |value: Value, space| ir.ty(value).memref().is_some_and(|memref: &Memref| memref.space == space);
        let by_blocks = |&(value, transpose): &(Value, Transpose)| {
            let is_read = |memref: &Memref| {
                memref.element.bytes() == io.word_bytes && Surface::takes_element(memref.element)
            };
            transpose == Transpose::N
                && ir.ty(value).memref().is_some_and(is_read)
                && (is_in(value, AddressSpace::Local) || surfaces.answer(ir, value).is_known())
        };
        let are_global = first.iter().any(|&(value, _)| is_in(value, AddressSpace::Global));
        let has_messages = narrow.block_2d_io(info).is_some();
        (fits && has_messages && are_global && first.iter().all(by_blocks)).then_some(narrow)
    }

    /// The schedule with fewer subgroups, each of which takes two blocks of as many rows as it has lanes, if the function is a chain of two
    /// products in f64 that stays in registers so: one for every two blocks, or half as many where these are too many.
    fn taller(self, ir: &Ir, func: Func, surfaces: &Surfaces, info: &CoreInfo) -> Option<Schedule> {
        let mut gemms = Vec::new();
        ir.walk(ir[func].body, &mut |inst| {
            if let Op::Gemm(op) = &ir[inst].op {
                gemms.push(op.clone());
            }
        });
        let [first, second] = gemms.as_slice() else { return None };
        let is_chain = first.c == second.a && matches!(ir.defining_op(first.c), Some(Op::Alloca(_)));
        let first = ChainProduct::of(ir, surfaces, first, None)?;
        let second = ChainProduct::of(ir, surfaces, second, Some(ChainedFactor::First))?;
        let in_f64 = [first, second].iter().all(|link| link.shape.types.accumulator == Scalar::F64);
        let has_registers =
            info.has_large_register_file() && self.overrides.register_file != Some(RegisterFile::Small);
        if !is_chain || !in_f64 || !has_registers {
            return None;
        }
        let size = self.subgroup_size;
        let blocks = to_i32(div_ceil(second.shape.extents[0]?, size.into()));
        let halved = [blocks, self.grid.rows].into_iter().filter(|rows| rows % 2 == 0).map(|rows| rows / 2);
        halved.map(|rows| Schedule { grid: Grid { rows, ..self.grid }, ..self }).find(|tall| {
            let fits = check_work_group_size(info, size, tall.grid.work_items(size)).is_ok();
            let products = tall.chain(&[first, second], info).filter(|_| fits);
            products.is_some_and(|products| products.last().is_some_and(|last| last.block.rows == 2 * size))
        })
    }
}

/// Subgroups for so many blocks of rows, up to [`ROW_BLOCKS`] each.
fn subgroups_of_blocks(blocks: u32) -> u32 {
    blocks.div_ceil(ROW_BLOCKS).next_power_of_two()
}
