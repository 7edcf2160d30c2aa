//! Chains of products whose intermediates stay in registers (lowering reference 1.17).
//!
//! What the next product takes as its first factor, each subgroup computes for its own rows. What it takes as its second factor a
//! subgroup needs as a whole, and computes alone: a run of products that ends so takes all its rows before the blocks of the
//! next one.

use super::block::to_i32;
use super::product::{ProductShape, div_ceil, round_up};
use super::{Grid, Schedule, grid};
use crate::analysis::{ChainLink, Surfaces, chain_before};
use crate::device::CoreInfo;
use crate::ir::{
    AccumulatorBlock, ChainedFactor, Family, Func, Gemm, Inst, Ir, MatrixBackendKind, Op, ProductSchedule,
    Transpose,
};

/// Multiply-adds of each work-item of a subgroup that is alone in its work-group. With more of them too few threads are at work
/// unless there are very many work-groups.
const MAX_ALONE: i64 = 8192;
/// Instructions that take a column of A to registers, and its address; of one that 2D block messages read, one at most.
const COLUMN_INSTRUCTIONS: i64 = 4;
/// Bytes of an address.
const ADDRESS_BYTES: i64 = 8;
/// Bytes of a lane of a register.
const LANE_BYTES: i64 = 4;
/// Bytes of the least numbers that every work-item holds of what a subgroup broadcasts.
const MIN_BROADCAST_BYTES: i64 = 4;

/// A product of a chain.
#[derive(Clone, Copy, Debug)]
pub struct ChainProduct {
    /// The product by itself.
    pub shape: ProductShape,
    /// Columns of op(A), if they are known.
    pub depth: Option<i64>,
    /// The factor that the product before it makes.
    pub takes: Option<ChainedFactor>,
    /// Bytes of an element of A, if A is known to be a surface whose columns are read as they are.
    pub surface_bytes: Option<i64>,
}

impl ChainProduct {
    /// The products of a chain, the last of which has no link of its own; `None` if the factors of one have no type in common.
    pub fn all(ir: &Ir, surfaces: &Surfaces, links: &[ChainLink], last: &Gemm) -> Option<Vec<ChainProduct>> {
        let gemms = links.iter().map(|link| &link.gemm).chain([last]);
        let takes = [None].into_iter().chain(links.iter().map(|link| Some(link.makes)));
        gemms.zip(takes).map(|(gemm, takes)| ChainProduct::of(ir, surfaces, gemm, takes)).collect()
    }

    pub(super) fn of(
        ir: &Ir,
        surfaces: &Surfaces,
        op: &Gemm,
        takes: Option<ChainedFactor>,
    ) -> Option<ChainProduct> {
        let mode = usize::from(op.transpose_a == Transpose::N);
        let a = ir.ty(op.a).memref()?;
        let is_surface = op.transpose_a == Transpose::N && surfaces.answer(ir, op.a).is_known();
        let shape = ProductShape::of(ir, surfaces, op)?;
        let surface_bytes = is_surface.then(|| a.element.bytes());
        Some(ChainProduct { shape, depth: a.shape.get(mode)?.value(), takes, surface_bytes })
    }

    /// Bytes of the sums of a row.
    fn row_bytes(&self) -> Option<i64> {
        self.shape.extents[1]?.checked_mul(self.shape.types.accumulator.bytes())
    }

    /// Instructions that load A to the registers of a subgroup that computes all rows: a few for each column of a block of rows, unless 2D block
    /// messages read several columns at once.
    fn loads(&self, lanes: i64, info: &CoreInfo) -> Option<i64> {
        let is_loaded = self.takes != Some(ChainedFactor::First);
        let rows = self.shape.extents[0].filter(|_| is_loaded)?;
        let columns = div_ceil(rows, lanes).checked_mul(self.depth?)?;
        let in_blocks = info
            .block_2d_io()
            .is_some_and(|io| i64::from(io.lanes) == lanes && self.surface_bytes == Some(io.word_bytes));
        Some(if in_blocks { columns } else { columns.saturating_mul(COLUMN_INSTRUCTIONS) })
    }

    /// Multiply-adds of each work-item if one subgroup computes all rows.
    fn multiply_adds(&self, lanes: i64) -> Option<i64> {
        let [rows, cols] = self.shape.extents;
        div_ceil(rows?, lanes).checked_mul(cols?)?.checked_mul(self.depth?)
    }
}

/// Part of products that follow each other which a subgroup computes at a time.
#[derive(Clone, Copy)]
struct ShareOfRun {
    rows: i64,
    /// Bytes of registers that are left for the factors of a step.
    left: i64,
}

/// The most bytes that sums of a row take at a time: those of a product and of the one before it.
fn row_bytes(run: &[ChainProduct]) -> Option<i64> {
    let rows = run.iter().map(ChainProduct::row_bytes).collect::<Option<Vec<i64>>>()?;
    let pairs = rows.windows(2).filter_map(|pair| pair.iter().copied().reduce(i64::saturating_add));
    pairs.max().or(rows.first().copied())
}

/// The multiply-adds of each work-item if one subgroup computes all of it.
fn multiply_adds(chain: &[ChainProduct], lanes: i64) -> Option<i64> {
    chain.iter().try_fold(0i64, |sum, product| sum.checked_add(product.multiply_adds(lanes)?))
}

impl Schedule {
    /// Schedules of the products of a chain; `None` if a subgroup has no room for the sums, or would compute what another one
    /// does, too, without need.
    pub fn chain(&self, chain: &[ChainProduct], info: &CoreInfo) -> Option<Vec<ProductSchedule>> {
        let products: Vec<ProductSchedule> =
            chain.iter().map(|product| self.product(product.shape, info)).collect();
        let in_vector_code = products.iter().all(|product| product.backend == MatrixBackendKind::Vector);
        let (_, links) = chain.split_last()?;
        let is_empty = links.iter().any(|product| product.shape.extents[1] == Some(0));
        if self.grid.cols > 1 || !in_vector_code || is_empty {
            return None;
        }
        let lanes = i64::from(self.subgroup_size).max(1);
        let runs: Vec<&[ChainProduct]> =
            chain.chunk_by(|_, next| next.takes != Some(ChainedFactor::Second)).collect();
        let (run, before) = runs.split_last()?;
        if !(before.is_empty() || self.takes_seconds(chain, info) && self.may_repeat(before, run)) {
            return None;
        }
        let mut shares = Vec::new();
        let mut held = 0i64;
        for run in before {
            let share = self.rows_at_a_time(run, held, info)?;
            shares.extend(std::iter::repeat_n(share, run.len()));
            held = round_up(run.first()?.shape.extents[0]?, lanes).checked_mul(run.last()?.row_bytes()?)?;
        }
        let share = self.rows_of_block(run, held, info)?;
        shares.extend(std::iter::repeat_n(share, run.len()));
        let is_plain = before.is_empty();
        let all = products.into_iter().zip(chain).zip(shares).enumerate();
        all.map(|(place, ((product, link), share))| {
            if is_plain && place < links.len() {
                return Some(ProductSchedule { chained: link.takes, ..product });
            }
            let cols =
                link.shape.extents[1].and_then(|cols| i32::try_from(cols).ok()).filter(|&cols| cols > 0)?;
            let block = AccumulatorBlock { rows: to_i32(share.rows), cols };
            let product = ProductSchedule { block, chained: link.takes, ..product };
            if !is_plain {
                return Some(with_short_steps(product, link, share));
            }
            let grid = [self.grid.rows, self.grid.cols];
            let block = block.shared(link.shape.extents, grid, self.subgroup_size.into(), false);
            Some(ProductSchedule { block, ..product })
        })
        .collect()
    }

    /// The share of the last run of a chain, beside what it takes second factors from.
    fn rows_of_block(&self, run: &[ChainProduct], held: i64, info: &CoreInfo) -> Option<ShareOfRun> {
        let last = run.last()?;
        let lanes = i64::from(self.subgroup_size).max(1);
        let sums = row_bytes(run)?;
        let fits = |blocks: i64| {
            let bytes = sums.checked_mul(lanes)?.checked_mul(blocks)?.checked_add(held)?;
            Some(bytes <= self.room(info))
        };
        // As many rows as give each subgroup some of them once.
        let subgroups = i64::from(self.grid.rows).max(1);
        let blocks = last.shape.extents[0].map_or(1, |rows| div_ceil(rows, lanes.saturating_mul(subgroups)));
        let blocks = if held == 0 && blocks == 2 && fits(2) == Some(true) { 2 } else { 1 };
        if !fits(blocks)? {
            return None;
        }
        let rows = blocks * lanes;
        if held == 0 {
            return Some(ShareOfRun { rows, left: 0 });
        }
        // What C was is there beside the sums in the end, with addresses where rows are left over.
        let old = if last.shape.reads_c { last.row_bytes()?.checked_mul(rows)? } else { 0 };
        let has_addresses = last.shape.reads_c && last.shape.extents[0].is_none_or(|all| all % lanes != 0);
        let addresses =
            if has_addresses { rows.checked_mul(ADDRESS_BYTES * last.shape.extents[1]?)? } else { 0 };
        let taken = sums.checked_mul(rows)?.checked_add(old)?.checked_add(held)?;
        let left = self.room(info) - taken;
        (taken.checked_add(addresses)? <= self.matrix_space(info)).then_some(ShareOfRun { rows, left })
    }

    /// Returns whether products can take second factors out of registers: GPUs broadcast an element for nothing, and there are numbers
    /// of all extents.
    fn takes_seconds(&self, chain: &[ChainProduct], info: &CoreInfo) -> bool {
        let is_known = |product: &ChainProduct| {
            product.takes != Some(ChainedFactor::Second)
                || product.shape.types.b.bytes() >= MIN_BROADCAST_BYTES
                    && product.depth.is_some_and(|depth| depth > 0)
        };
        !info.is_cpu() && chain.iter().all(is_known)
    }

    /// Returns whether it is cheap that each subgroup computes the runs before the last one by itself: that takes no more than the last
    /// one in all.
    fn may_repeat(&self, before: &[&[ChainProduct]], last: &[ChainProduct]) -> bool {
        let (lanes, others) = (i64::from(self.subgroup_size).max(1), i64::from(self.grid.rows) - 1);
        if others <= 0 {
            return true;
        }
        let repeated = before.iter().try_fold(0i64, |sum, run| sum.checked_add(multiply_adds(run, lanes)?));
        let repeated = repeated.and_then(|all| all.checked_mul(others));
        repeated.zip(multiply_adds(last, lanes)).is_some_and(|(repeated, last)| repeated <= last)
    }

    /// The share of a run that a subgroup computes as a whole, beside what it holds: all rows at a time, or as many as it has
    /// work-items.
    fn rows_at_a_time(&self, run: &[ChainProduct], held: i64, info: &CoreInfo) -> Option<ShareOfRun> {
        let lanes = i64::from(self.subgroup_size).max(1);
        let all = round_up(run.first()?.shape.extents[0].filter(|&rows| rows > 0)?, lanes);
        let (sums, result) = (row_bytes(run)?, run.last()?.row_bytes()?);
        let widest = run.iter().filter_map(ChainProduct::row_bytes).max()?;
        // Beside the sums of some rows are the results for the others.
        let share = |rows: i64| {
            let others = result.checked_mul(all - rows)?.checked_add(held)?;
            let fits = sums.checked_mul(rows)?.checked_add(others)? <= self.room(info);
            let space = i64::from(self.register_space(info)) * 3 / 4;
            fits.then_some(ShareOfRun { rows, left: space - others - widest * rows })
        };
        share(all).or_else(|| share(lanes))
    }

    /// The schedule with a single subgroup, if the function is nothing but chains of products of which some need whole matrices: several
    /// would compute these several times. Its size is the one that takes the fewest instructions, each as many as it has lanes.
    pub(super) fn alone(
        &self,
        ir: &Ir,
        func: Func,
        surfaces: &Surfaces,
        info: &CoreInfo,
    ) -> Option<Schedule> {
        let chains = chains_of(ir, func, surfaces)?;
        let is_whole = |chain: &Vec<ChainProduct>| {
            chain.iter().any(|product| product.takes == Some(ChainedFactor::Second))
        };
        if !chains.iter().any(is_whole) {
            return None;
        }
        let shapes = super::shape::shapes(ir, func, surfaces);
        let sizes = grid::candidate_sizes(&shapes, info).into_iter().filter_map(|subgroup_size| {
            let schedule = Schedule { subgroup_size, grid: Grid::ONE, ..*self };
            let lanes = i64::from(subgroup_size).max(1);
            let work =
                chains.iter().try_fold(0i64, |sum, chain| sum.checked_add(multiply_adds(chain, lanes)?))?;
            let fits = chains.iter().all(|chain| schedule.chain(chain, info).is_some());
            // The instructions in units of what a lane of one does.
            let loads = chains.iter().flatten().filter_map(|product| product.loads(lanes, info));
            let loads = loads.fold(0, i64::saturating_add);
            let width = (info.register_bytes() / LANE_BYTES).max(1);
            let cost = work.saturating_mul(lanes).saturating_add(loads.saturating_mul(width));
            (fits && work <= MAX_ALONE).then_some((cost, schedule))
        });
        // Of two that are as good, the one with fewer instructions.
        sizes.min_by_key(|&(cost, schedule)| (cost, -schedule.subgroup_size)).map(|(_, schedule)| schedule)
    }
}

/// A product with the steps for whose factors there is room.
fn with_short_steps(product: ProductSchedule, link: &ChainProduct, share: ShareOfRun) -> ProductSchedule {
    let types = link.shape.types;
    let [rows, cols] = [product.block.rows, product.block.cols].map(i64::from);
    let a = if link.takes == Some(ChainedFactor::First) { 0 } else { rows * types.a.bytes() };
    let b = if link.takes == Some(ChainedFactor::Second) { 0 } else { cols * types.b.bytes() };
    let mut k_steps = product.k_steps.clone();
    k_steps.retain(|&step| step == 1 || i64::from(step) * (a + b) <= share.left);
    let load_step = k_steps.first().copied().unwrap_or(1);
    ProductSchedule { k_steps, load_step, ..product }
}

/// The chains of a function that has nothing else to share among subgroups.
fn chains_of(ir: &Ir, func: Func, surfaces: &Surfaces) -> Option<Vec<Vec<ChainProduct>>> {
    let (mut gemms, mut is_shared): (Vec<Inst>, bool) = (Vec::new(), false);
    ir.walk(ir[func].body, &mut |inst| {
        let op = &ir[inst].op;
        if matches!(op, Op::Gemm(_)) {
            gemms.push(inst);
        } else {
            is_shared |= matches!(op, Op::Foreach(_) | Op::ForeachTile(_) | Op::Parallel(_))
                || matches!(op.info().family, Family::LinearAlgebra | Family::Tile);
        }
    });
    let mut chains = Vec::new();
    let mut found = 0;
    for &inst in &gemms {
        let links = chain_before(ir, inst);
        if let Op::Gemm(last) = &ir[inst].op
            && !links.is_empty()
        {
            found += links.len() + 1;
            chains.push(ChainProduct::all(ir, surfaces, &links, last)?);
        }
    }
    (!is_shared && found == gemms.len()).then_some(chains)
}
