//! The passes by name, and the order in which a program is lowered.

use super::error::Error;
use super::{
    constant_propagation, dead_code_elimination, dump_control_flow_graph, dump_def_use, dump_gcd,
    insert_barrier, insert_lifetime_stop, lower_coopmatrix, lower_foreach, lower_linalg, lowering_rules,
    parameters, set_stack_ptr, work_group_size,
};
use crate::ir::{Func, Ir, Listing, Program, Text, check_function, check_program};
use crate::target::CoreInfo;

/// What passes are told besides the program.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// The device, if there is one.
    pub info: Option<&'a CoreInfo>,
    /// Whether rewrites may ignore NaN, infinity and signed zero.
    pub unsafe_fp_math: bool,
    /// Whether constants are propagated and dead code is removed (level 1 and up).
    pub optimise: bool,
}

/// Looks at or changes a function.
type Plain = fn(&mut Ir, Func, &Settings<'_>) -> Result<(), Error>;
/// The same, for a device.
type ForDevice = fn(&mut Ir, Func, &CoreInfo) -> Result<(), Error>;

/// Tells about a function.
type Dump = fn(&Ir, Func, &Listing) -> String;
/// The same, for a device.
type DumpForDevice = fn(&Ir, Func, &Listing, &CoreInfo) -> Result<String, Error>;

/// How a pass is carried out.
#[derive(Clone, Copy)]
enum Action {
    Plain(Plain),
    ForDevice(ForDevice),
    /// Prints the program.
    DumpIr,
    /// Tells about a function.
    Dump(Dump),
    /// The same, for a device.
    DumpForDevice(DumpForDevice),
}

/// How dumps write a program; the printer of the language, which no pass knows.
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
    action: Action,
}

impl Pass {
    /// Every pass, in the order of `spec/api.md` 3.7, which callers may count on.
    pub const ALL: &'static [Pass] = &[
        plain("check-ir", "verifies structure and region rules", |ir, func, _| Ok(check_function(ir, func)?)),
        plain("constant-propagation", "folds constants", constant_propagation::run),
        plain("dead-code-elimination", "removes unused instructions", dead_code_elimination::run),
        Pass {
            name: "dump-control-flow-graph",
            purpose: "prints what may follow what, for Graphviz",
            action: Action::Dump(dump_control_flow_graph::run),
        },
        Pass {
            name: "dump-def-use",
            purpose: "prints each definition with its uses",
            action: Action::Dump(dump_def_use::run),
        },
        Pass { name: "dump-ir", purpose: "prints the program", action: Action::DumpIr },
        plain(
            "insert-barrier",
            "inserts barriers between dependent collective instructions",
            insert_barrier::run,
        ),
        plain("insert-lifetime-stop", "marks the last use of each alloca", insert_lifetime_stop::run),
        plain("set-stack-ptr", "assigns local-memory offsets", set_stack_ptr::run),
        Pass {
            name: "dump-gcd",
            purpose: "prints known divisors of integers, offsets, shapes, and strides",
            action: Action::DumpForDevice(dump_gcd::run),
        },
        plain("lower-coopmatrix", "turns cooperative_matrix_apply into arithmetic", lower_coopmatrix::run),
        for_device("lower-foreach", "turns foreach into parallel regions with loops", lower_foreach::run),
        for_device(
            "lower-linalg",
            "turns linear algebra into loops over cooperative matrices",
            lower_linalg::run,
        ),
        for_device("work-group-size", "chooses subgroup and work-group size", work_group_size::run),
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

const fn plain(name: &'static str, purpose: &'static str, run: Plain) -> Pass {
    Pass { name, purpose, action: Action::Plain(run) }
}

const fn for_device(name: &'static str, purpose: &'static str, run: ForDevice) -> Pass {
    Pass { name, purpose, action: Action::ForDevice(run) }
}

/// Runs a pass on every function in order; `notation` writes the dumps.
///
/// # Errors
/// What the pass finds; [`Error::NeedsDevice`] if it needs a device and there is none.
pub fn run(
    pass: &Pass,
    ir: &mut Ir,
    program: &Program,
    settings: &Settings<'_>,
    notation: Notation,
) -> Result<Text, Error> {
    let info = || settings.info.ok_or(Error::NeedsDevice(pass.name));
    let functions = program.functions.iter();
    match pass.action {
        Action::Plain(action) => {
            check_program(ir, program)?;
            bounded(ir, |ir| functions.copied().try_for_each(|func| action(ir, func, settings)))?;
        }
        Action::ForDevice(action) => {
            let info = info()?;
            check_program(ir, program)?;
            bounded(ir, |ir| functions.copied().try_for_each(|func| action(ir, func, info)))?;
        }
        Action::DumpIr => return Ok((notation.print)(ir, program)),
        Action::Dump(dump) => {
            let dumps = functions.map(|&func| dump(ir, func, &(notation.list)(ir, func)));
            return Ok(dumps.collect::<String>().into());
        }
        Action::DumpForDevice(dump) => {
            let info = info()?;
            let dumps = functions.map(|&func| dump(ir, func, &(notation.list)(ir, func), info));
            return Ok(dumps.collect::<Result<String, Error>>()?.into());
        }
    }
    Ok(Text::default())
}

/// Instructions that passes may add to a program. Linear algebra and `cooperative_matrix_apply` become
/// hundreds of instructions each, so that a short text could fill any memory.
const MOST_GROWTH: usize = 1 << 19;

/// Runs passes that may add [`MOST_GROWTH`] instructions.
fn bounded<T>(ir: &mut Ir, passes: impl FnOnce(&mut Ir) -> Result<T, Error>) -> Result<T, Error> {
    ir.limit_growth(Some(MOST_GROWTH));
    let result = passes(ir);
    ir.limit_growth(None);
    result
}

/// Lowers a program to what has a SPIR-V counterpart (`spec/lowering.md` 1.2). A program that is lowered
/// already stays as it is.
///
/// # Errors
/// What the passes find.
pub fn lower(ir: &mut Ir, program: &Program, settings: &Settings<'_>, info: &CoreInfo) -> Result<(), Error> {
    bounded(ir, |ir| pipeline(ir, program, settings, info))
}

fn pipeline(ir: &mut Ir, program: &Program, settings: &Settings<'_>, info: &CoreInfo) -> Result<(), Error> {
    check_program(ir, program)?;
    let mut each = |pass: &mut dyn FnMut(&mut Ir, Func) -> Result<(), Error>| {
        program.functions.iter().try_for_each(|&func| pass(ir, func))
    };
    let cleanup = |ir: &mut Ir, func| {
        if settings.optimise {
            constant_propagation::run(ir, func, settings)?;
            dead_code_elimination::run(ir, func, settings)?;
        }
        Ok(())
    };
    each(&mut |ir, func| {
        info.validate().map_err(|error| Error::Target { error, location: ir[func].location })
    })?;
    each(&mut |ir, func| Ok(check_function(ir, func)?))?;
    each(&mut |ir, func| parameters::check(ir, func))?;
    each(&mut |ir, func| lowering_rules::check(ir, func))?;
    each(&mut |ir, func| cleanup(ir, func))?;
    each(&mut |ir, func| insert_lifetime_stop::run(ir, func, settings))?;
    each(&mut |ir, func| set_stack_ptr::run(ir, func, settings))?;
    each(&mut |ir, func| insert_barrier::run(ir, func, settings))?;
    each(&mut |ir, func| work_group_size::run(ir, func, info))?;
    each(&mut |ir, func| lower_linalg::run(ir, func, info))?;
    each(&mut |ir, func| set_stack_ptr::run(ir, func, settings))?;
    // Local memory of the lowering itself, as for the sum of a vector, may lie where other memory does.
    each(&mut |ir, func| insert_barrier::run(ir, func, settings))?;
    each(&mut |ir, func| lower_foreach::run(ir, func, info))?;
    each(&mut |ir, func| lower_coopmatrix::run(ir, func, settings))?;
    each(&mut |ir, func| cleanup(ir, func))?;
    each(&mut |ir, func| Ok(check_function(ir, func)?))
}
