//! Schedules that a tuner may try.
//!
//! First come the sizes: register files, subgroup sizes and grids of subgroups. Then the chosen schedule is refined in one part at a time,
//! so that their number stays that of a search: k-step, prefetch distance, messages, register block.

use super::attributes::Attributes;
use super::blockwise::all_shapes;
use super::grid::{Grid, check_work_group_size, choose_grid};
use super::{
    Error, Overrides, ProductTarget, RegisterFile, Schedule, Shape, overrides, tiles, with_register_file,
};
use crate::analysis::Surfaces;
use crate::device::CoreInfo;
use crate::ir::{
    ForAttributes, Func, FunctionAttributes, Inst, IoClass, Ir, MatrixBackendKind, Op, OrderGroup,
    Orientation, Pipeline, ProductSchedule, TileOrderKind,
};

/// Extents of register blocks.
const EXTENTS: [i32; 4] = [8, 16, 32, 64];
/// Steps of products.
const STEPS: [i32; 5] = [4, 8, 16, 32, 64];
/// Steps that prefetches run ahead.
const DISTANCES: [i32; 5] = [0, 1, 2, 3, 4];
/// Share of the largest register file that the accumulators of a block may fill.
const SHARE: (i64, i64) = (5, 8);
/// Orders of tiles and groups besides what the compiler takes where a program leaves them open.
const ORDERS: [TileOrderKind; 3] = [TileOrderKind::LinearM, TileOrderKind::PanelM, TileOrderKind::Hilbert];
const GROUPS: [i32; 3] = [2, 8, 16];
/// Times as many subgroups as the chosen ones that may share tiles, and as few.
const SUBGROUPS: i64 = 2;

impl Schedule {
    /// The schedules that the device can run a function with, the chosen one first, then simpler ones first: what a tuner may try. What
    /// attributes pin stays as it is.
    ///
    /// # Errors
    /// As for [`Schedule::choose`].
    pub fn candidates(ir: &Ir, func: Func, info: &CoreInfo) -> Result<Vec<Schedule>, Error> {
        let first = Schedule::compiled(ir, func, info)?;
        let surfaces = Surfaces::new(ir, func, info.default_alignment());
        let search = Search { ir, func, info, first, given: Attributes::of(ir, func), surfaces: &surfaces };
        let mut candidates = vec![first];
        let mut others = search.sizes();
        others.extend(search.refinements());
        for candidate in others {
            let info = with_register_file(info, candidate.overrides.register_file);
            let group = candidate.grid.work_items(candidate.subgroup_size);
            let fits = check_work_group_size(&info, candidate.subgroup_size, group).is_ok()
                && overrides::check(ir, func, &surfaces, &candidate, &info).is_ok();
            if fits && !candidates.contains(&candidate) {
                candidates.push(candidate);
            }
        }
        Ok(candidates)
    }

    /// Sets of attributes that a tuner may try: none, which leaves all to the compiler, the orientations of tiles, the pipelines of loops
    /// over them on a matrix engine, the orders of tiles and groups that the function leaves open, and those of the [candidates](Schedule::candidates).
    ///
    /// # Errors
    /// As for [`Schedule::choose`].
    pub fn tried_attributes(ir: &Ir, func: Func, info: &CoreInfo) -> Result<Vec<FunctionAttributes>, Error> {
        let candidates = Schedule::candidates(ir, func, info)?;
        let is_open = ir[func].attributes.orientation.is_none() && tiles::has_products(ir, func);
        let orientations = [Orientation::AsWritten, Orientation::Transposed].into_iter().filter(|_| is_open);
        let oriented = orientations.map(|orientation| FunctionAttributes {
            orientation: Some(orientation),
            ..FunctionAttributes::default()
        });
        let pipelines = pipelines(ir, func, info)
            .into_iter()
            .map(|pipeline| FunctionAttributes { pipeline: Some(pipeline), ..FunctionAttributes::default() });
        let pinned = candidates.iter().map(Schedule::attributes);
        Ok([FunctionAttributes::default()]
            .into_iter()
            .chain(oriented)
            .chain(pipelines)
            .chain(orders(ir, func))
            .chain(pinned)
            .collect())
    }
}

/// Pipelines that loops over tiles may have instead of what the compiler chooses, if the matrix engine computes the products of one.
fn pipelines(ir: &Ir, func: Func, info: &CoreInfo) -> Vec<Pipeline> {
    let Ok(schedule) = Schedule::choose(ir, func, info) else { return Vec::new() };
    let is_open = |attributes: &ForAttributes| attributes.pipeline.is_none();
    if !has_loop_on_engine(ir, func, &schedule, info, is_open) || ir[func].attributes.pipeline.is_some() {
        return Vec::new();
    }
    let fetches = schedule.has_io(IoClass::Block2d, info);
    [Pipeline::Slm].into_iter().chain(fetches.then_some(Pipeline::Prefetch)).collect()
}

/// Returns whether the matrix engine computes products of a loop with such attributes.
fn has_loop_on_engine(
    ir: &Ir,
    func: Func,
    schedule: &Schedule,
    info: &CoreInfo,
    is_wanted: impl Fn(&ForAttributes) -> bool,
) -> bool {
    let is_on_engine = |inst: Inst| {
        let Op::TileDot(dot) = &ir[inst].op else { return false };
        schedule.panel_depth(ir, dot, info).is_some()
    };
    let mut has_loop = false;
    ir.walk(ir[func].body, &mut |inst| {
        let (Op::For(op), Some(&region)) = (&ir[inst].op, ir[inst].regions.first()) else { return };
        has_loop |= is_wanted(&op.attributes) && ir.insts(region).any(is_on_engine);
    });
    has_loop
}

/// Orders of tiles, where a `tile_order` leaves them open, and groups where it and the function name none: one at a time.
fn orders(ir: &Ir, func: Func) -> Vec<FunctionAttributes> {
    let attributes = &ir[func].attributes;
    let (mut has_open_order, mut has_open_group) = (false, false);
    ir.walk(ir[func].body, &mut |inst| {
        let Op::TileOrder(op) = &ir[inst].op else { return };
        has_open_order |= op.order == TileOrderKind::Any && attributes.order.is_none();
        has_open_group |= op.attributes.group.is_none() && attributes.group.is_none();
    });
    let orders = ORDERS.iter().filter(|_| has_open_order);
    let orders =
        orders.map(|&order| FunctionAttributes { order: Some(order), ..FunctionAttributes::default() });
    let groups = GROUPS.iter().filter(|_| has_open_group);
    let groups = groups
        .map(|&group| FunctionAttributes { group: Some(OrderGroup(group)), ..FunctionAttributes::default() });
    orders.chain(groups).collect()
}

/// A function whose schedules are looked for.
struct Search<'a> {
    ir: &'a Ir,
    func: Func,
    info: &'a CoreInfo,
    /// The chosen schedule.
    first: Schedule,
    /// The attributes of the function.
    given: Attributes,
    surfaces: &'a Surfaces,
}

impl Search<'_> {
    /// Other register files, subgroup sizes and grids.
    fn sizes(&self) -> Vec<Schedule> {
        let Search { given: Attributes { subgroup_size, overrides, .. }, first, info, .. } = self;
        let shapes = all_shapes(self.ir, self.func, self.surfaces);
        let files: &[Option<RegisterFile>] = match overrides.register_file {
            None if info.has_large_register_file() => &RegisterFile::ALL.map(Some),
            given => &[given],
        };
        let mut found = Vec::new();
        for &file in files {
            let info = with_register_file(info, file);
            let plain = Overrides { register_file: file, ..*overrides };
            for &size in
                info.subgroup_sizes().iter().filter(|&&size| subgroup_size.is_none_or(|it| it == size))
            {
                let is_first = size == first.subgroup_size && file == first.overrides.register_file;
                let grids = self.grids(size, file, &shapes, &info);
                for overrides in is_first.then_some(first.overrides).into_iter().chain([plain]) {
                    let schedules =
                        grids.iter().map(|&grid| Schedule { subgroup_size: size, grid, overrides });
                    found.extend(schedules);
                }
            }
        }
        found
    }

    /// Grids of subgroups of a size: the given one, those that share tiles, or that of the rules and those with half as many.
    fn grids(&self, size: i32, file: Option<RegisterFile>, shapes: &[Shape], info: &CoreInfo) -> Vec<Grid> {
        if let Some([x, y]) = self.given.work_group_size {
            let fits = size > 0 && x % size == 0;
            return fits.then(|| Grid { rows: (x / size).max(1), cols: y.max(1) }).into_iter().collect();
        }
        let overrides = Overrides { register_file: file, ..self.first.overrides };
        let like = Schedule { subgroup_size: size, grid: self.first.grid, overrides };
        if let Some(grids) = tiles::grids(self.ir, self.func, &like, SUBGROUPS, info) {
            return grids;
        }
        let Grid { rows, cols } = choose_grid(shapes, info, size);
        let fewer: &[(i32, i32)] = match self.runs_on_engine() {
            // Vector code in its place is for the smallest products.
            true if size != self.first.subgroup_size => &[(1, 1)],
            true | false => &[(1, 1), (1, 2), (2, 1), (2, 2)],
        };
        let fewer = fewer.iter();
        fewer.map(|(by, cols_by)| Grid { rows: (rows / by).max(1), cols: (cols / cols_by).max(1) }).collect()
    }

    /// The chosen schedule with another part each. Blocks are as large as products have use for.
    fn refinements(&self) -> Vec<Schedule> {
        let Search { first, given: Attributes { overrides: given, .. }, info, .. } = self;
        let shapes = all_shapes(self.ir, self.func, self.surfaces);
        let products = || shapes.iter().filter(|shape| shape.is_gemm);
        let largest = |extent: fn(&Shape) -> Option<i64>| {
            products().map(|shape| extent(shape).unwrap_or(i64::MAX)).max().unwrap_or(0)
        };
        let (rows, cols) = (largest(|shape| shape.rows), largest(|shape| shape.cols));
        let chosen = first.overrides;
        let has_products = rows > 0 || tiles::has_products(self.ir, self.func);
        let steps = STEPS.iter().filter(|_| given.k_step.is_none() && has_products);
        let steps = steps.map(|&step| Overrides { k_step: Some(step), ..chosen });
        let distances = DISTANCES.iter().filter(|_| given.prefetch_distance.is_none() && self.prefetches());
        let distances = distances.filter(|&&steps| chosen.prefetch_distance != Some(steps));
        let distances = distances.map(|&steps| Overrides { prefetch_distance: Some(steps), ..chosen });
        let [has_2d, has_1d] = [IoClass::Block2d, IoClass::Block1d].map(|class| first.has_io(class, info));
        let classes = [(IoClass::Block1d, has_2d && has_1d), (IoClass::Lanes, has_2d || has_1d)];
        let classes = classes.into_iter().filter(|&(_, has_better)| given.io_class.is_none() && has_better);
        let classes = classes.map(|(class, _)| Overrides { io_class: Some(class), ..chosen });
        let blocks = EXTENTS.iter().flat_map(|rows| EXTENTS.iter().map(move |cols| (*rows, *cols)));
        let is_of_use = |&(high, wide): &(i32, i32)| {
            given.register_block.is_none() && i64::from(high) / 2 < rows && i64::from(wide) / 2 < cols
        };
        let space = i64::from(with_register_file(info, Some(RegisterFile::Large)).register_space());
        let bytes = products().map(|shape| shape.destination.accumulator().bytes()).max().unwrap_or(1);
        let fits = |&(high, wide): &(i32, i32)| {
            let rows = i64::from(high).max(first.subgroup_size.into());
            rows * i64::from(wide) * bytes <= space * SHARE.0 / SHARE.1
        };
        let blocks = blocks.filter(is_of_use).filter(fits);
        let blocks = blocks.map(|block| Overrides { register_block: Some(block), ..chosen });
        let all = steps.chain(distances).chain(classes).chain(blocks);
        all.map(|overrides| Schedule { overrides, ..*first }).collect()
    }

    /// Returns whether a product runs on an engine, which takes subgroups of one size.
    fn runs_on_engine(&self) -> bool {
        self.has_product(self.first, |product| product.backend == MatrixBackendKind::Dpas)
    }

    /// Returns whether something could be fetched ahead: the factors of a product on an engine that block messages feed, in blocks of
    /// subgroups, or what a loop over tiles loads that names no stages.
    fn prefetches(&self) -> bool {
        let Search { ir, func, first, info, .. } = self;
        let is_open = |attributes: &ForAttributes| attributes.num_stages.is_none();
        if has_loop_on_engine(ir, *func, first, info, is_open) {
            return true;
        }
        if !first.has_io(IoClass::Block2d, info) {
            return false;
        }
        let ahead = Overrides { prefetch_distance: Some(1), ..first.overrides };
        let ahead = Schedule { overrides: ahead, ..*first };
        self.has_product(ahead, |product| product.prefetch_distance > 0)
    }

    /// Returns whether some product has a schedule of a kind if the function has this one.
    fn has_product(&self, schedule: Schedule, is_wanted: impl Fn(&ProductSchedule) -> bool) -> bool {
        let Search { ir, func, info, surfaces, .. } = self;
        let target = ProductTarget::new(ir, *func, surfaces, schedule, info);
        let mut found = false;
        ir.walk(ir[*func].body, &mut |inst| {
            let is_product = matches!(ir[inst].op, Op::Gemm(_) | Op::TileDot(_));
            found |= is_product && target.product(inst).is_some_and(|product| is_wanted(&product));
        });
        found
    }
}
