//! The passes by name, and how one is run.

use super::context::Context;
use super::error::Error;
use super::{
    access_classes, constant_propagation, dead_code_elimination, dump_control_flow_graph, dump_def_use,
    dump_gcd, gemm_tiles, insert_barrier, insert_lifetime_stop, lane_products, lower_coopmatrix,
    lower_foreach, lower_linalg, product_schedule, set_stack_ptr, split_barriers, tile, widened_loads,
    work_group_size,
};
use crate::ir::{Func, Ir, Listing, Program, Text, check_function, check_program};

/// Looks at or changes a function.
pub(super) type Transform = fn(&mut Ir, Func, &Context<'_>) -> Result<(), Error>;

/// Tells about a function.
type Dump = fn(&Ir, Func, &Listing, &Context<'_>) -> Result<String, Error>;

/// Implementation of a pass.
#[derive(Clone, Copy)]
pub(super) enum Action {
    /// On one function after the other.
    Transform(Transform),
    /// Prints the program.
    DumpIr,
    /// Tells about one function after the other.
    Dump(Dump),
}

/// Notation in which dumps write a program; the printer of the language, which no pass knows.
#[derive(Clone, Copy)]
pub struct Notation {
    /// The whole program.
    pub print: fn(&Ir, &Program) -> Text,
    /// The words for the parts of a function.
    pub list: fn(&Ir, Func) -> Listing,
}

/// A pass.
#[derive(Clone, Copy)]
pub struct Pass {
    /// Its name in the tools and the API.
    pub name: &'static str,
    /// One line for the help.
    pub purpose: &'static str,
    /// True if it looks at the device.
    pub needs_device: bool,
    pub(super) action: Action,
}

/// Declares a pass.
const fn pass(name: &'static str, purpose: &'static str, action: Action) -> Pass {
    Pass { name, purpose, needs_device: false, action }
}

/// Declares a pass that looks at the device.
const fn for_device(name: &'static str, purpose: &'static str, action: Action) -> Pass {
    Pass { name, purpose, needs_device: true, action }
}

pub(super) const CHECK_IR: Pass = pass(
    "check-ir",
    "verifies structure and region rules",
    Action::Transform(|ir, func, _| Ok(check_function(ir, func)?)),
);
pub(super) const CONSTANT_PROPAGATION: Pass =
    pass("constant-propagation", "folds constants", Action::Transform(constant_propagation::run));
pub(super) const DEAD_CODE_ELIMINATION: Pass = pass(
    "dead-code-elimination",
    "removes unused instructions",
    Action::Transform(dead_code_elimination::run),
);
pub(super) const INSERT_BARRIER: Pass = pass(
    "insert-barrier",
    "inserts barriers between dependent collective instructions",
    Action::Transform(insert_barrier::run),
);
pub(super) const INSERT_LIFETIME_STOP: Pass = pass(
    "insert-lifetime-stop",
    "marks the last use of each alloca",
    Action::Transform(insert_lifetime_stop::run),
);
pub(super) const SET_STACK_PTR: Pass =
    pass("set-stack-ptr", "assigns local-memory offsets", Action::Transform(set_stack_ptr::run));
pub(super) const ACCESS_CLASSES: Pass = for_device(
    "access-classes",
    "chooses the messages by which matrices are loaded and stored",
    Action::Transform(access_classes::run),
);
pub(super) const WIDENED_LOADS: Pass = for_device(
    "widened-loads",
    "loads bytes that casts widen as these take them",
    Action::Transform(widened_loads::run),
);
pub(super) const GEMM_TILES: Pass = for_device(
    "gemm-tiles",
    "turns large products whose factors no messages bring into loops over tiles",
    Action::Transform(gemm_tiles::run),
);
pub(super) const LANE_PRODUCTS: Pass = for_device(
    "lane-products",
    "gives lanes whole products, or columns of them, where rows would leave lanes idle",
    Action::Transform(lane_products::run),
);
pub(super) const LOWER_COOPMATRIX: Pass = pass(
    "lower-coopmatrix",
    "turns cooperative_matrix_apply into arithmetic",
    Action::Transform(lower_coopmatrix::run),
);
pub(super) const LOWER_FOREACH: Pass = for_device(
    "lower-foreach",
    "turns foreach into parallel regions with loops",
    Action::Transform(lower_foreach::run),
);
pub(super) const LOWER_LINALG: Pass = for_device(
    "lower-linalg",
    "turns linear algebra into loops over cooperative matrices",
    Action::Transform(lower_linalg::run),
);
pub(super) const TILE_ORDER: Pass =
    pass("tile-order", "turns orders of tiles into arithmetic", Action::Transform(tile::order::run));
pub(super) const TILE_LAYOUT: Pass = pass(
    "tile-layout",
    "gives matrices types that say where they are contiguous",
    Action::Transform(tile::layout::run),
);
pub(super) const TILE_REDUCTION: Pass = pass(
    "tile-reduction",
    "turns loops along K into products of all of K, or of several iterations",
    Action::Transform(tile::reduction::run),
);
pub(super) const TILE_PADDING: Pass = for_device(
    "tile-padding",
    "gives tiles rows that fill the lanes of subgroups",
    Action::Transform(tile::padding::run),
);
pub(super) const TILE_PARTS: Pass = for_device(
    "tile-parts",
    "computes tiles that exceed the registers in parts, one after the other",
    Action::Transform(tile::parts::run),
);
pub(super) const TILE_ORIENT: Pass = for_device(
    "tile-orient",
    "chooses between products of tiles and their transposes",
    Action::Transform(tile::orient::run),
);
pub(super) const TILE_COMBINE: Pass = for_device(
    "tile-combine",
    "combines what subgroups have of rows and columns of tiles",
    Action::Transform(tile::combine::run),
);
pub(super) const TILE_STAGES: Pass = for_device(
    "tile-stages",
    "stages factors in local memory, of several iterations of a loop",
    Action::Transform(tile::stages::run),
);
pub(super) const FOREACH_COPIES: Pass = pass(
    "foreach-copies",
    "makes copies of loops over elements that only fill local memory",
    Action::Transform(tile::foreach_copies::run),
);
pub(super) const TILE_COPY: Pass = for_device(
    "tile-copy",
    "chooses how copies lie in local memory, and who copies",
    Action::Transform(tile::copy::run),
);
pub(super) const LOWER_SWIZZLE: Pass = pass(
    "lower-swizzle",
    "turns swizzles of local memory into arithmetic on positions",
    Action::Transform(tile::swizzle::run),
);
pub(super) const TILE_BOUNDS: Pass = for_device(
    "tile-bounds",
    "removes checks of tiles that stay inside",
    Action::Transform(tile::bounds::run),
);
pub(super) const TILE_PIPELINE: Pass = for_device(
    "tile-pipeline",
    "fetches tiles for later iterations of loops",
    Action::Transform(tile::pipeline::run),
);
pub(super) const PRODUCT_SCHEDULE: Pass = for_device(
    "product-schedule",
    "chooses how products are computed",
    Action::Transform(product_schedule::run),
);
pub(super) const SPLIT_BARRIERS: Pass = for_device(
    "split-barriers",
    "puts products between the halves of barriers",
    Action::Transform(split_barriers::run),
);
pub(super) const LOWER_TILE: Pass = for_device(
    "lower-tile",
    "turns tiles into cooperative matrices of the subgroups",
    Action::Transform(tile::lower::run),
);
pub(super) const WORK_GROUP_SIZE: Pass = for_device(
    "work-group-size",
    "chooses subgroup and work-group size",
    Action::Transform(work_group_size::run),
);
const DUMP_CONTROL_FLOW_GRAPH: Pass = pass(
    "dump-control-flow-graph",
    "prints what may follow what, for Graphviz",
    Action::Dump(dump_control_flow_graph::run),
);
const DUMP_DEF_USE: Pass =
    pass("dump-def-use", "prints each definition with its uses", Action::Dump(dump_def_use::run));
const DUMP_IR: Pass = pass("dump-ir", "prints the program", Action::DumpIr);
const DUMP_GCD: Pass = for_device(
    "dump-gcd",
    "prints known divisors of integers, offsets, shapes, and strides",
    Action::Dump(dump_gcd::run),
);

impl Pass {
    /// Every pass that users can name, in the order of API reference 3.7, which callers may count on.
    pub const ALL: &'static [Pass] = &[
        CHECK_IR,
        CONSTANT_PROPAGATION,
        DEAD_CODE_ELIMINATION,
        DUMP_CONTROL_FLOW_GRAPH,
        DUMP_DEF_USE,
        DUMP_IR,
        INSERT_BARRIER,
        INSERT_LIFETIME_STOP,
        SET_STACK_PTR,
        DUMP_GCD,
        LOWER_COOPMATRIX,
        LOWER_FOREACH,
        LOWER_LINALG,
        WORK_GROUP_SIZE,
        TILE_ORDER,
        TILE_LAYOUT,
        TILE_ORIENT,
        TILE_BOUNDS,
        TILE_PIPELINE,
        LOWER_TILE,
        ACCESS_CLASSES,
        TILE_REDUCTION,
        PRODUCT_SCHEDULE,
        LANE_PRODUCTS,
        TILE_COMBINE,
        TILE_COPY,
        TILE_STAGES,
        WIDENED_LOADS,
        FOREACH_COPIES,
        LOWER_SWIZZLE,
        GEMM_TILES,
        TILE_PARTS,
        SPLIT_BARRIERS,
        TILE_PADDING,
    ];

    /// The pass of a name.
    ///
    /// # Errors
    /// [`Error::UnknownPass`]
    pub fn named(name: &str) -> Result<&'static Pass, Error> {
        Pass::ALL.iter().find(|pass| pass.name == name).ok_or_else(|| Error::UnknownPass(name.to_owned()))
    }

    /// The names of all passes.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Pass::ALL.iter().map(|pass| pass.name)
    }
}

/// Runs a pass on every function in order; `notation` writes the dumps.
///
/// # Errors
/// What the pass finds; [`Error::NeedsDevice`] if it needs a device and there is none.
pub fn run(
    pass: &Pass,
    ir: &mut Ir,
    program: &Program,
    context: &Context<'_>,
    notation: Notation,
) -> Result<Text, Error> {
    if pass.needs_device {
        context.device(pass.name)?;
    }
    let mut functions = program.functions.iter();
    match pass.action {
        Action::Transform(transform) => {
            check_program(ir, program)?;
            bounded(ir, |ir| functions.try_for_each(|&func| transform(ir, func, context)))
                .map_err(|error| error.in_pass(pass.name))?;
            Ok(Text::default())
        }
        Action::DumpIr => Ok((notation.print)(ir, program)),
        Action::Dump(dump) => {
            let dumps = functions.map(|&func| dump(ir, func, &(notation.list)(ir, func), context));
            Ok(dumps.collect::<Result<String, Error>>()?.into())
        }
    }
}

/// Instructions, values and regions that passes may add to a program, some hundred bytes each. Linear algebra and
/// `cooperative_matrix_apply` become hundreds of instructions each, so that a short text could fill any memory.
const MAX_GROWTH: usize = 1 << 20;

/// Runs passes that may add [`MAX_GROWTH`] entities.
pub(super) fn bounded<T>(ir: &mut Ir, passes: impl FnOnce(&mut Ir) -> Result<T, Error>) -> Result<T, Error> {
    ir.limit_growth(Some(MAX_GROWTH));
    let result = passes(ir);
    ir.limit_growth(None);
    result
}
