//! Grids of subgroups that share tiles (tile reference 2.7).
//!
//! The program names the tile of a work-group; what is left to decide is how many subgroups share it, and with which
//! register file. All tiles of a function are shared by one grid, each exactly (2.5.1).

use super::block::{Score, to_i32};
use super::blockwise::{Blockwise, covers};
use super::copies::Copied;
use super::fragments::Fragments;
use super::grid::{Grid, check_work_group_size};
use super::product::{ENGINE_STEP, ProductShape, div_ceil, round_up};
use super::product_types::ProductTypes;
use super::{Error, Overrides, RegisterFile, Schedule, with_register_file};
use crate::device::{CoreFeatures, CoreInfo};
use crate::ir::{
    AccumulatorBlock, AddressSpace, CoopmatrixMulAdd, Func, Gemm, IoClass, Ir, MatrixBackendKind, MatrixUse,
    Op, Precision, PrefetchDistance, ProductSchedule, ReduceMode, Scalar, Sync, Tile, TileDot, Transpose,
    Type, Value, VerifierError,
};
use crate::status::Status;

/// Stages of a loop that loads tiles where the program names none: two iterations hide the latency of memory.
const STAGES: i32 = 3;
/// Subgroups that hide each other's latencies; fewer of them share a tile only if it is too small.
const MIN_SUBGROUPS: i64 = 8;

/// Tiles of a function.
#[derive(Clone)]
pub(super) struct Tiles {
    /// Each type of a value, with the first value that has it.
    types: Vec<(Value, Tile)>,
    products: Vec<TileProduct>,
    fragments: Fragments,
    /// Types of the products of cooperative matrices, which those of fragments are.
    matrix_products: Vec<ProductTypes>,
    /// Factors that are made of accumulators in as many loops as the innermost products are in. Of those outside there are few.
    chained: Vec<Tile>,
    /// Questions about all entries of a tile.
    questions: usize,
    /// True if entries of rows are combined.
    reduces_rows: bool,
    /// Tiles besides the largest accumulators that are in registers at the same time, where products are chained in a loop.
    beside: Vec<Tile>,
    /// True if there are products of f32 that are not of tiles.
    has_others: bool,
    overrides: Overrides,
}

/// A product of tiles.
#[derive(Clone, Copy)]
pub(super) struct TileProduct {
    pub types: ProductTypes,
    pub sums: Tile,
    pub depth: i64,
    transposes_b: bool,
    /// True for factors that come from local memory.
    is_staged: [bool; 2],
    /// Copies to local memory beside it.
    copied: Copied,
    /// The arithmetic that the instruction names.
    precision: Option<Precision>,
}

/// The schedule of a function that has tiles; `None` for all others, and if subgroups take them in blocks.
pub(super) fn schedule(
    ir: &Ir,
    func: Func,
    (subgroup_size, work_group_size): (Option<i32>, Option<[i32; 2]>),
    overrides: Overrides,
    info: &CoreInfo,
) -> Result<Option<Schedule>, Error> {
    let mut tiles = Tiles::of(ir, func);
    if tiles.types.is_empty() {
        return Ok(None);
    }
    let overrides = tiles.pin(overrides);
    let location = ir[func].location;
    let size = subgroup_size.unwrap_or_else(|| tiles.subgroup_size(info));
    let device = |error| Error::Device { error, location };
    // With the smallest work-group, so that a size that the device lacks is what the message is about.
    check_work_group_size(info, size, [size, 1]).map_err(device)?;
    let grid = work_group_size
        .map_or(Grid::ONE, |group| Grid { rows: (group[0] / size).max(1), cols: group[1].max(1) });
    if Blockwise::chosen(ir, func, size.into(), grid).is_some() {
        return Ok(None);
    }
    tiles.check_rows(ir, size, grid)?;
    if let Some(group) = work_group_size {
        let info = with_register_file(info, overrides.register_file);
        check_work_group_size(&info, size, group).map_err(device)?;
        tiles.check_cover(ir, size, grid)?;
        tiles.fragments.check(ir, grid)?;
        return Ok(Some(Schedule { subgroup_size: size, grid, overrides }));
    }
    let best = tiles.best(size, info);
    // One subgroup always covers everything.
    let (mut schedule, rating) = best.unwrap_or_else(|| {
        let schedule = Schedule { subgroup_size: size, grid: Grid::ONE, overrides };
        (schedule, tiles.rate(&schedule, info))
    });
    tiles.fragments.check(ir, schedule.grid)?;
    if !rating.fits && !info.is_cpu() {
        return Err(tiles.too_large(ir, func, &schedule, info));
    }
    if overrides.register_file.is_some() {
        schedule.overrides.register_file = overrides.register_file;
    }
    Ok(Some(schedule))
}

/// The grids of subgroups of a size that can share the tiles of a function and hold their shares, up to `most` times as many subgroups as
/// `chosen`, and down to as few; `None` for functions without tiles, and if subgroups take these in blocks.
pub(super) fn grids(ir: &Ir, func: Func, chosen: &Schedule, most: i64, info: &CoreInfo) -> Option<Vec<Grid>> {
    let mut tiles = Tiles::of(ir, func);
    if tiles.types.is_empty()
        || Blockwise::chosen(ir, func, chosen.subgroup_size.into(), chosen.grid).is_some()
    {
        return None;
    }
    tiles.overrides = chosen.overrides;
    let mut grids = tiles.grids(chosen.subgroup_size, info);
    let subgroups = chosen.grid.subgroups();
    grids.retain(|&grid| {
        let is_near = grid.subgroups() <= most * subgroups && subgroups <= most * grid.subgroups();
        is_near && tiles.rate(&Schedule { grid, ..*chosen }, info).fits
    });
    Some(grids)
}

/// Returns whether the function has products of tiles.
pub(super) fn has_products(ir: &Ir, func: Func) -> bool {
    !Tiles::of(ir, func).products.is_empty()
}

/// The choices that attributes pin, with the arithmetic that the function's products of tiles permit.
pub(super) fn with_precision(ir: &Ir, func: Func, overrides: Overrides) -> Overrides {
    Overrides { precision: Tiles::of(ir, func).precision(overrides.precision), ..overrides }
}

/// Returns whether subgroups of some grid can share the tiles of these types; the grid that attributes ask for, if they
/// do.
pub fn can_share(tiles: &[Tile], subgroup_size: i64, grid: Option<Grid>) -> bool {
    let grid = grid.unwrap_or(Grid::ONE);
    tiles.iter().all(|&tile| covers(tile, subgroup_size, grid))
}

/// Bytes along K of a product that an iteration of a loop over tiles has at most made of several: two of the widest rows of a block message.
const ITERATION_BYTES: i64 = 128;

impl Schedule {
    /// Iterations of a loop that loads tiles by which prefetches run ahead: for the stages that the loop names, or else as far as the
    /// function says. Without 2D block messages, and in vector code, nothing carries prefetches out, so that every number of stages is honoured by
    /// doing nothing.
    pub fn prefetch_iterations(&self, ir: &Ir, func: Func, stages: Option<i32>, info: &CoreInfo) -> i32 {
        let on_engine = |product: &TileProduct| product.runs_on_engine(&self.overrides, info);
        let has_messages = info.dpas_engine().is_some() && self.has_io(IoClass::Block2d, info);
        let is_even = self.blockwise(ir, func).is_none();
        if has_messages && is_even && Tiles::of(ir, func).products.iter().any(on_engine) {
            let of_function =
                self.overrides.prefetch_distance.map(|ahead| PrefetchDistance(ahead).stages().0);
            (stages.or(of_function).unwrap_or(STAGES) - 1).max(0)
        } else {
            0
        }
    }

    /// Iterations of a loop over tiles that it takes at once, a divisor of their number: what an iteration costs beside its product, a barrier
    /// and the addresses of prefetches, is small against a product of [`ITERATION_BYTES`] along K.
    pub fn iterations_at_once(&self, ir: &Ir, dot: &TileDot, iterations: i64, info: &CoreInfo) -> i64 {
        let Some(product) = TileProduct::of(ir, dot) else { return 1 };
        let step = product.step_of_engine(&self.overrides, info);
        if step.is_none() || self.overrides.k_step.is_some() {
            return 1;
        }
        // A loop of one iteration has nothing to fetch ahead.
        self.times(&product, product.depth, info, |count| iterations % count == 0 && 2 * count <= iterations)
    }

    /// Columns of A and rows of B that an iteration of a loop over tiles takes in the place of its own, if the loop ends where these do: whole
    /// instructions of an engine, and as many as for a loop whose end is known. In vector code the lanes of a subgroup load whole columns of
    /// B together, whose entries come one by one otherwise.
    pub fn open_step(&self, ir: &Ir, dot: &TileDot, info: &CoreInfo) -> Option<i64> {
        let product = TileProduct::of(ir, dot)?;
        if self.overrides.k_step.is_some() || info.is_cpu() {
            return None;
        }
        Some(match self.unit_along_k(&product, info) {
            UnitAlongK::Engine(instruction) => {
                let step = round_up(product.depth, instruction);
                step * self.times(&product, step, info, |_| true)
            }
            UnitAlongK::Lanes(lanes) => round_up(product.depth, lanes),
        })
    }

    /// Columns of A and rows of B that a product takes in the place of more, if both factors end there: in whole steps of an engine, or of
    /// what lanes hold of B, where these are no more than before.
    pub fn trimmed_depth(
        &self,
        ir: &Ir,
        dot: &TileDot,
        [depth, end]: [i64; 2],
        info: &CoreInfo,
    ) -> Option<i64> {
        let product = TileProduct::of(ir, dot).filter(|_| !info.is_cpu())?;
        let (steps, otherwise) = match self.unit_along_k(&product, info) {
            UnitAlongK::Engine(instruction) => (round_up(end, ENGINE_STEP * instruction), depth),
            UnitAlongK::Lanes(lanes) => (round_up(end, lanes), end),
        };
        Some(if steps <= depth { steps } else { otherwise })
    }

    fn unit_along_k(&self, product: &TileProduct, info: &CoreInfo) -> UnitAlongK {
        let ProductTypes { a, b, accumulator } = product.types;
        let engine = info.dpas_engine().map(|&engine| self.overrides.with_precision(engine));
        let step = engine.and_then(|engine| engine.step_k(a, b, accumulator));
        step.map_or(UnitAlongK::Lanes(self.subgroup_size.into()), UnitAlongK::Engine)
    }

    /// Times a step along K that an engine takes at once, where block messages feed it: a power of two for which a condition holds.
    fn times(
        &self,
        product: &TileProduct,
        step: i64,
        info: &CoreInfo,
        is_possible: impl Fn(i64) -> bool,
    ) -> i64 {
        if !self.has_io(IoClass::Block2d, info) {
            return 1;
        }
        let bytes = step * product.types.a.bytes().max(product.types.b.bytes());
        let fits = |times: &i64| bytes.saturating_mul(*times) <= ITERATION_BYTES && is_possible(*times);
        std::iter::successors(Some(1), |times| Some(2 * times)).take_while(fits).last().unwrap_or(1)
    }

    /// The barrier that keeps the subgroups of a work-group together in a loop whose loads are fetched ahead, unless the
    /// program says: where several share a factor, they find it in the cache if none runs ahead (tile reference 2.8).
    pub fn sync(&self, named: Sync, prefetch_iterations: i32) -> Sync {
        let subgroups = i64::from(self.grid.rows) * i64::from(self.grid.cols);
        match named {
            Sync::Auto if prefetch_iterations > 0 && subgroups >= MIN_SUBGROUPS => Sync::Split,
            Sync::Auto => Sync::None,
            named => named,
        }
    }

    /// Rows and columns of a tile that a subgroup holds.
    pub fn share_of(&self, tile: Tile) -> [i64; 2] {
        self.grid.share_of(tile)
    }

    /// Schedule of a product of tiles of which all subgroups have as much.
    pub(super) fn shared_product(&self, product: &TileProduct, info: &CoreInfo) -> ProductSchedule {
        let share @ [rows, cols] = self.share_of(product.sums);
        let shape = ProductShape {
            types: product.types,
            extents: share.map(Some),
            transposes: [Transpose::N; 2],
            holds_b: false,
            reads_c: false,
            by_entries: false,
            is_checked: false,
        };
        let schedule = self.product(shape, info);
        let is_vector = schedule.backend == MatrixBackendKind::Vector;
        // What is copied while the product is computed is in registers, too, until it is stored.
        let in_flight = div_ceil(product.copied.bytes, self.grid.subgroups()).min(self.most_in_flight(info));
        let beside = rows * cols * product.types.accumulator.bytes() + in_flight;
        let least = if is_vector { 1 } else { schedule.k_steps.last().copied().unwrap_or(1) };
        let fits = |step: i64| {
            // By block messages a factor comes in parts, and a vector product takes entries as it needs them.
            let is_whole = !is_vector && !self.has_io(IoClass::Block2d, info);
            if info.is_cpu() || in_flight == 0 && !is_whole {
                true
            } else if is_vector {
                beside + product.factor_bytes(share, step) <= self.room_beside_addresses(info)
            } else {
                // What lies in panels comes one of them at a time.
                let steps = product.is_staged.map(|is| if is { step.min(least.into()) } else { step });
                beside + product.bytes_of_factors(share, steps) <= self.matrix_space(info)
            }
        };
        let mut steps = schedule.k_steps.iter().copied();
        let is_named = self.overrides.k_step.is_some();
        // Where both factors come from panels, nothing is loaded for several of them.
        let is_by_panels = !is_vector && product.is_staged == [true; 2];
        let is_taken = |&step: &i32| step == least || !is_by_panels && (is_named || fits(step.into()));
        let step = steps.find(is_taken).unwrap_or(least);
        let mut k_steps = vec![step, least];
        k_steps.dedup();
        let block = AccumulatorBlock { rows: to_i32(rows), cols: to_i32(cols) };
        ProductSchedule { block, k_steps, load_step: step, prefetch_distance: 0, ..schedule }
    }
}

impl Tiles {
    pub(super) fn of(ir: &Ir, func: Func) -> Tiles {
        let (types, products, matrix_products) = (Vec::new(), Vec::new(), Vec::new());
        let (beside, overrides) = (Vec::new(), Overrides::default());
        let mut tiles = Tiles {
            types,
            products,
            fragments: Fragments::of(ir, func),
            matrix_products,
            chained: Vec::new(),
            questions: 0,
            reduces_rows: false,
            beside,
            has_others: false,
            overrides,
        };
        let is_f32 = |value: Value| {
            let ty = ir.ty(value);
            ty.memref().map(|memref| memref.element).or(ty.component()) == Some(Scalar::F32)
        };
        let (mut chained, mut innermost) = (Vec::new(), 0);
        ir.walk(ir[func].body, &mut |inst| {
            for &result in &ir[inst].results {
                if let Type::Tile(tile) = *ir.ty(result)
                    && tiles.types.iter().all(|&(_, other)| other != tile)
                {
                    tiles.types.push((result, tile));
                }
                if let (Op::Cast(cast), Some(factor)) = (&ir[inst].op, ir.ty(result).tile())
                    && ir.ty(cast.a).tile().is_some_and(|tile| tile.usage != factor.usage)
                {
                    chained.push((ir.loops_around(inst), factor));
                }
            }
            tiles.questions += usize::from(matches!(ir[inst].op, Op::TileAny(_)));
            tiles.reduces_rows |=
                matches!(&ir[inst].op, Op::TileReduce(reduce) if reduce.mode == ReduceMode::Row);
            if let Op::TileDot(op) = &ir[inst].op {
                tiles.products.extend(TileProduct::of(ir, op));
                innermost = innermost.max(ir.loops_around(inst));
            } else if let Op::Gemm(Gemm { a, .. }) | Op::CoopmatrixMulAdd(CoopmatrixMulAdd { a, .. }) =
                &ir[inst].op
            {
                tiles.has_others |= is_f32(*a);
            }
            if let Op::CoopmatrixMulAdd(op) = &ir[inst].op {
                tiles.matrix_products.extend(ProductTypes::of_matrices(ir, op));
            }
        });
        if !chained.is_empty() {
            tiles.beside = tiles_beside(ir, func, tiles.sums());
        }
        chained.retain(|&(loops, _)| loops >= innermost);
        tiles.chained = chained.into_iter().map(|(_, factor)| factor).collect();
        tiles
    }

    /// Takes over the choices that attributes pin, and returns them with the arithmetic of the products.
    pub(super) fn pin(&mut self, overrides: Overrides) -> Overrides {
        self.overrides = Overrides { precision: self.precision(overrides.precision), ..overrides };
        self.overrides
    }

    /// The best schedule for subgroups of a size on any register file that attributes leave open.
    fn best(&self, size: i32, info: &CoreInfo) -> Option<(Schedule, Rating)> {
        let overrides = self.overrides;
        let files = match overrides.register_file {
            Some(file) => vec![Some(file)],
            None if info.has_large_register_file() && info.core_features() == CoreFeatures::default() => {
                RegisterFile::ALL.map(Some).to_vec()
            }
            None => vec![None],
        };
        let mut best: Option<(Schedule, Rating)> = None;
        for file in files {
            let info = with_register_file(info, file);
            for grid in self.grids(size, &info) {
                let register_file = file.filter(|&file| file == RegisterFile::Large);
                let overrides = Overrides { register_file, ..overrides };
                let schedule = Schedule { subgroup_size: size, grid, overrides };
                let rating = self.rate(&schedule, &info);
                if best.as_ref().is_none_or(|(_, best)| rating.beats(best)) {
                    best = Some((schedule, rating));
                }
            }
        }
        best
    }

    /// The best schedule for subgroups of a size, if registers have room for what it holds.
    pub(super) fn fitting(&self, size: i32, info: &CoreInfo) -> Option<Schedule> {
        self.best(size, info).filter(|(_, rating)| rating.fits).map(|(schedule, _)| schedule)
    }

    /// The tiles with the rows and columns of a part of the accumulators.
    pub(super) fn in_parts(&self, change: impl Fn(Tile) -> Tile) -> Tiles {
        let types = self.types.iter().map(|&(value, tile)| (value, change(tile))).collect();
        let products =
            self.products.iter().map(|product| TileProduct { sums: change(product.sums), ..*product });
        Tiles { types, products: products.collect(), ..self.clone() }
    }

    /// Returns whether the subgroups of some grid share all tiles evenly.
    pub(super) fn are_shared(&self, size: i32) -> bool {
        self.types.iter().all(|&(_, tile)| covers(tile, size.into(), Grid::ONE))
    }

    /// The arithmetic of the function's products of f32, of which `given` is what its attribute says. Factors lie in registers
    /// as it wants them, so that it is tf32 only if all of them permit that.
    fn precision(&self, given: Option<Precision>) -> Option<Precision> {
        let mut products = self.products.iter().filter(|product| product.types.a == Scalar::F32).peekable();
        if products.peek().is_none() {
            return given;
        }
        let permits = |product: &TileProduct| product.precision.or(given) == Some(Precision::Tf32);
        if products.all(permits) && (given == Some(Precision::Tf32) || !self.has_others) {
            return Some(Precision::Tf32);
        }
        given.map(|_| Precision::Ieee)
    }

    pub(super) fn subgroup_size(&self, info: &CoreInfo) -> i32 {
        let on_engine = |product: &TileProduct| product.runs_on_engine(&self.overrides, info);
        if let Some(engine) = info.matrix_engine()
            && (self.products.iter().any(on_engine)
                || (self.matrix_products.iter())
                    .any(|types| engine.supports_gemm(types.a, types.b, types.accumulator)))
        {
            return engine.subgroup_size();
        }
        let mut sizes: Vec<i32> = info.subgroup_sizes().iter().copied().filter(|&size| size > 0).collect();
        sizes.sort_unstable();
        let divides =
            |&size: &i32| self.types.iter().all(|&(_, tile)| covers(tile, i64::from(size), Grid::ONE));
        let preferred = info.preferred_lanes();
        let upto = sizes.iter().copied().filter(|&size| size <= preferred).rfind(divides);
        let beyond = sizes.iter().copied().filter(|&size| size > preferred).find(divides);
        upto.or(beyond).or(sizes.first().copied()).unwrap_or(1)
    }

    fn check_rows(&self, ir: &Ir, subgroup_size: i32, grid: Grid) -> Result<(), Error> {
        // What is left over may have a row for each row of subgroups.
        let covered = |tile: Tile| [Grid::ONE, grid].map(|grid| covers(tile, subgroup_size.into(), grid));
        let wrong = |&&(_, tile): &&(Value, Tile)| covered(tile) == [false; 2];
        let Some(&(value, tile)) = self.types.iter().find(wrong) else { return Ok(()) };
        let detail =
            format!("{}, whose {} rows are no multiple of {subgroup_size}", ir.describe(value), tile.rows);
        let status = Status::IrTileRowsNotMultipleOfSgs;
        Err(VerifierError::new(status, ir[value].location, detail).into())
    }

    /// Every tile is shared exactly; what is left over would be nobody's.
    fn check_cover(&self, ir: &Ir, size: i32, grid: Grid) -> Result<(), Error> {
        let wrong = |&&(_, tile): &&(Value, Tile)| !covers(tile, size.into(), grid);
        let Some(&(value, tile)) = self.types.iter().find(wrong) else { return Ok(()) };
        let others: Vec<String> = self
            .exact_grids(size, grid.subgroups())
            .into_iter()
            .rev()
            .take(3)
            .map(|grid| format!("[{},{}]", grid.rows.saturating_mul(size), grid.cols))
            .collect();
        let Tile { rows, cols, .. } = tile;
        let advice = match others.as_slice() {
            [] => "no grid of as many or fewer shares all tiles".to_owned(),
            others => format!("work_group_size {} can", others.join(" or ")),
        };
        let detail = format!(
            "{}: {rows}x{cols} cannot be shared by {}x{} subgroups of {size}; {advice}",
            ir.describe(value),
            grid.rows,
            grid.cols,
        );
        Err(VerifierError::new(Status::IrTileUncovered, ir[value].location, detail).into())
    }

    /// The grids that the device has room for, fewest subgroups first.
    fn grids(&self, size: i32, info: &CoreInfo) -> Vec<Grid> {
        self.exact_grids(size, i64::from(info.max_work_group_size(size) / size.max(1)))
    }

    /// The grids of up to `most` subgroups that share every tile exactly, fewest subgroups first.
    fn exact_grids(&self, size: i32, most: i64) -> Vec<Grid> {
        let most = to_i32(most.clamp(1, Tile::MAX_ELEMENTS));
        // Subgroups that have the same entries of the largest accumulators, or of a product, would be of no use.
        let divided: Vec<Tile> =
            self.products.iter().map(|product| product.sums).chain(self.sums()).collect();
        let divides = |tile: &Tile, grid: &Grid| {
            let lanes = i64::from(size).saturating_mul(grid.rows.into()).max(1);
            (grid.rows == 1 || tile.rows % lanes == 0) && tile.cols % i64::from(grid.cols) == 0
        };
        let fits = |grid: &Grid| {
            self.types.iter().all(|&(_, tile)| covers(tile, size.into(), *grid))
                && divided.iter().all(|tile| divides(tile, grid))
                && self.fragments.fit(*grid)
        };
        let rows: Vec<i32> = (1..=most).filter(|&rows| fits(&Grid { rows, cols: 1 })).collect();
        let cols: Vec<i32> = (1..=most).filter(|&cols| fits(&Grid { rows: 1, cols })).collect();
        let mut grids: Vec<Grid> = rows
            .iter()
            .flat_map(|&rows| {
                let fitting = cols
                    .iter()
                    .take_while(move |&&cols| i64::from(rows) * i64::from(cols) <= i64::from(most));
                fitting.map(move |&cols| Grid { rows, cols })
            })
            .collect();
        grids.sort_by_key(|grid| (grid.subgroups(), grid.rows));
        grids
    }

    /// The tile with the most sums.
    fn sums(&self) -> Option<Tile> {
        let sums = self.types.iter().map(|&(_, tile)| tile).filter(|tile| tile.usage == MatrixUse::Acc);
        sums.max_by_key(|tile| tile.rows * tile.cols * tile.component.bytes())
    }

    /// The product with the most accumulators.
    fn largest_product(&self) -> Option<&TileProduct> {
        self.products.iter().max_by_key(|product| product.sums.rows * product.sums.cols)
    }

    /// Factors made of accumulators, and answers to questions, that subgroups hand to each other through local memory.
    fn exchanges(&self, grid: Grid) -> usize {
        let is_exchanged = |tile: &&Tile| match tile.usage {
            MatrixUse::A => grid.cols > 1,
            MatrixUse::B => grid.rows > 1,
            MatrixUse::Acc => false,
        };
        let answers = if grid == Grid::ONE { 0 } else { self.questions };
        self.chained.iter().filter(is_exchanged).count() + answers
    }

    fn rate(&self, schedule: &Schedule, info: &CoreInfo) -> Rating {
        let exchanges = self.exchanges(schedule.grid);
        let space = i64::from(schedule.register_space(info));
        let Some(sums) = self.sums() else {
            let subgroups = schedule.grid.subgroups();
            return Rating {
                fits: true,
                overflow: 0,
                exchanges,
                holds_step: true,
                is_shared: true,
                score: Score::of(subgroups, 1),
                tie: 0,
            };
        };
        let [rows, cols] = schedule.share_of(sums);
        let bytes = |tile: &Tile| {
            let [rows, cols] = schedule.share_of(*tile);
            rows * cols * tile.component.bytes()
        };
        let held = bytes(&sums);
        let product = self.largest_product();
        if info.is_cpu() && product.is_none() {
            // Subgroups follow each other in a thread. Side by side along what is not reduced they hand each other nothing, and the more there
            // are, the less is held at a time.
            let Grid { rows: above, cols: beside } = schedule.grid;
            let (reduced, share) = if self.reduces_rows { (beside, rows) } else { (above, cols) };
            return Rating {
                fits: true,
                overflow: (held - space / 2).max(0),
                exchanges,
                holds_step: true,
                is_shared: true,
                score: Score::of(1, 1),
                tie: -i64::from(reduced).saturating_mul(Tile::MAX_ELEMENTS).saturating_add(share),
            };
        }
        if info.is_cpu() {
            // A column of A in four registers feeds as many multiply-adds from one entry of B.
            let column = space / 8 / sums.component.bytes();
            let excess = (held - space / 2).max(0) + (rows - column).max(0).saturating_mul(space);
            return Rating {
                fits: true,
                overflow: excess,
                exchanges,
                holds_step: true,
                is_shared: true,
                score: Score::of(rows, cols),
                tie: 0,
            };
        }
        let room = schedule.matrix_space(info);
        let beside: i64 = self.beside.iter().map(bytes).sum();
        let with_step = |step: &dyn Fn(&TileProduct) -> i64| {
            held + product.map_or(0, |product| product.factor_bytes([rows, cols], step(product)))
        };
        let smallest = |product: &TileProduct| product.smallest_step(&self.overrides, info);
        let fits = held <= space / 2 && with_step(&smallest) <= room;
        // What is too much spills, but nothing need be refused for it. Of chained products a factor is among what is beside; the other
        // one comes by a message at a time, if there are messages, and in vector code as it is needed.
        let is_chained_well = || {
            let on_engine = product.is_some_and(|product| product.runs_on_engine(&self.overrides, info));
            match info.block_2d_io() {
                _ if !on_engine => held + beside <= schedule.room(info),
                Some(block) => held + beside + block.max_row_bytes * block.max_height <= room,
                None => with_step(&|product| ENGINE_STEP * smallest(product)) + beside <= room,
            }
        };
        let is_enough = fits && (self.beside.is_empty() || is_chained_well());
        // In vector code a row of B has a lane, so that a step has as many of them.
        let lanes = i64::from(schedule.subgroup_size);
        let step = |product: &TileProduct| smallest(product).max(product.depth.min(lanes));
        // Conversions of what is copied take the registers that more rows of A would.
        let are_widened = self.products.iter().any(|product| product.copied.are_widened);
        let prefers_rows = product.is_some_and(|product| {
            product.transposes_b || product.is_staged == [false, true] && !are_widened
        });
        Rating {
            fits,
            overflow: if is_enough { 0 } else { held + beside },
            exchanges,
            holds_step: with_step(&step) <= room,
            is_shared: schedule.grid.subgroups() >= MIN_SUBGROUPS,
            score: Score::of(rows, cols),
            // A long side along the columns costs fewer messages, unless each column of B costs moves, or messages of its own from local memory.
            tie: if prefers_rows { rows } else { cols },
        }
    }

    fn too_large(&self, ir: &Ir, func: Func, schedule: &Schedule, info: &CoreInfo) -> Error {
        let sums = self.sums();
        let value = self.types.iter().find(|&&(_, tile)| Some(tile) == sums).map(|&(value, _)| value);
        let share @ [rows, cols] = sums.map_or([0; 2], |tile| schedule.share_of(tile));
        let held = sums.map_or(0, |tile| rows * cols * tile.component.bytes());
        let Grid { rows: grid_rows, cols: grid_cols } = schedule.grid;
        let space = schedule.register_space(info);
        let what = format!(
            "{rows}x{cols} accumulators in each of {grid_rows}x{grid_cols} subgroups take {held} bytes"
        );
        let step =
            self.largest_product().map(|product| (product, product.smallest_step(&self.overrides, info)));
        let detail = match step.filter(|_| held <= i64::from(space) / 2) {
            Some((product, step)) => format!(
                "{what} and their factors, {step} along K at a time, {}; only {} of {space} bytes of registers are for \
                 matrices; use smaller tiles",
                product.factor_bytes(share, step),
                schedule.matrix_space(info)
            ),
            None => format!("{what}, more than half of {space} bytes of registers; use smaller tiles"),
        };
        let location = value.map_or(ir[func].location, |value| ir[value].location);
        VerifierError::new(Status::IrTileRegistersExceeded, location, detail).into()
    }
}

impl TileProduct {
    pub fn of(ir: &Ir, op: &TileDot) -> Option<TileProduct> {
        let [a, b, c] = [op.a, op.b, op.c].map(|value| ir.ty(value).tile());
        let (a, b, c) = (a?, b?, c?);
        let loads = [op.a, op.b].map(|factor| {
            let Some(Op::TileLoad(load)) = ir.defining_op(factor) else { return None };
            Some(load)
        });
        let is_staged = loads.map(|load| {
            let memref = load.and_then(|load| ir.ty(load.from).memref());
            memref.is_some_and(|memref| memref.space == AddressSpace::Local)
        });
        let transposes_b = loads[1].is_some_and(|load| load.transpose == Transpose::T);
        let types = ProductTypes { a: a.component, b: b.component, accumulator: c.component };
        let precision = op.attributes.precision;
        let copied = Copied::beside(ir, op);
        Some(TileProduct { types, sums: c, depth: a.cols, transposes_b, is_staged, copied, precision })
    }

    /// Columns of A and rows of B that an instruction of the engine takes; `None` if it does not compute the product.
    pub fn step_of_engine(&self, overrides: &Overrides, info: &CoreInfo) -> Option<i64> {
        let ProductTypes { a, b, accumulator } = self.types;
        let step = overrides.with_precision(*info.dpas_engine()?).step_k(a, b, accumulator)?;
        (self.depth % step == 0).then_some(step)
    }

    fn runs_on_engine(&self, overrides: &Overrides, info: &CoreInfo) -> bool {
        match info.dpas_engine() {
            Some(_) => self.step_of_engine(overrides, info).is_some(),
            None => info.matrix_engine().is_some_and(|engine| {
                engine.supports_gemm(self.types.a, self.types.b, self.types.accumulator)
            }),
        }
    }

    /// Bytes of the columns of A and rows of B of a step, for this share of the accumulators.
    fn factor_bytes(&self, share: [i64; 2], step: i64) -> i64 {
        self.bytes_of_factors(share, [step; 2])
    }

    /// Bytes of so many columns of A and rows of B, for this share of the accumulators.
    fn bytes_of_factors(&self, [rows, cols]: [i64; 2], [of_a, of_b]: [i64; 2]) -> i64 {
        let a = of_a.saturating_mul(rows * self.types.a.bytes());
        a.saturating_add(of_b.saturating_mul(cols * self.types.b.bytes()))
    }

    /// Columns of A and rows of B that are in registers at least.
    fn smallest_step(&self, overrides: &Overrides, info: &CoreInfo) -> i64 {
        self.step_of_engine(overrides, info).unwrap_or(1)
    }
}

/// Columns of A and rows of B that are computed together.
#[derive(Clone, Copy)]
enum UnitAlongK {
    /// Those of an instruction of the engine.
    Engine(i64),
    /// Those of which the lanes of a subgroup hold B, a row each.
    Lanes(i64),
}

/// Tiles that are in registers besides the largest accumulators while a loop runs, of the loop with the most: what it carries, what
/// it takes from outside, and the accumulators that become factors in it, but not in a loop of its own.
fn tiles_beside(ir: &Ir, func: Func, largest: Option<Tile>) -> Vec<Tile> {
    let mut most: (i64, Vec<Tile>) = (0, Vec::new());
    ir.walk(ir[func].body, &mut |inst| {
        let Op::For(op) = &ir[inst].op else { return };
        let mut values = op.init.clone();
        ir.walk_inst(inst, &mut |inner| {
            ir[inner].op.visit_operands(&mut |value| {
                let is_outside = ir.defining_inst(value).is_some_and(|it| !ir.is_within(it, inst));
                values.extend(Some(value).filter(|_| is_outside));
            });
            let is_own = ir.parent(inner).and_then(|region| ir.owner(region)) == Some(inst);
            if let (Op::Cast(cast), true) = (&ir[inner].op, is_own)
                && let Some(&result) = ir[inner].results.first()
                && ir.ty(cast.a).tile().map(|tile| tile.usage) != ir.ty(result).tile().map(|tile| tile.usage)
            {
                values.push(cast.a);
            }
        });
        values.sort_unstable();
        values.dedup();
        let mut tiles: Vec<Tile> = values.into_iter().filter_map(|value| ir.ty(value).tile()).collect();
        if let Some(place) = tiles.iter().position(|&tile| Some(tile) == largest) {
            tiles.swap_remove(place);
        }
        let bytes = tiles.iter().map(|tile| tile.rows * tile.cols * tile.component.bytes()).sum();
        if bytes > most.0 {
            most = (bytes, tiles);
        }
    });
    most.1
}

/// Quality of a grid.
struct Rating {
    fits: bool,
    /// Bytes beyond what fits.
    overflow: i64,
    /// Factors and answers that subgroups hand to each other.
    exchanges: usize,
    /// True if there is room for what a good step takes.
    holds_step: bool,
    /// True if enough subgroups work at a time.
    is_shared: bool,
    /// Arithmetic for each element loaded.
    score: Score,
    tie: i64,
}

impl Rating {
    fn beats(&self, other: &Rating) -> bool {
        if self.overflow != other.overflow {
            return self.overflow < other.overflow;
        }
        if self.exchanges != other.exchanges {
            return self.exchanges < other.exchanges;
        }
        if self.holds_step != other.holds_step {
            return self.holds_step;
        }
        if self.is_shared != other.is_shared {
            return self.is_shared;
        }
        self.score.beats(other.score) || (!other.score.beats(self.score) && self.tie > other.tie)
    }
}
