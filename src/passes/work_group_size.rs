//! Chooses subgroup and work-group size (lowering reference 1.11).

use super::context::Context;
use super::error::Error;
use crate::ir::{Func, Ir};
use crate::schedule::Schedule;

pub(super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("work-group-size")?;
    let location = ir[func].location;
    info.validate().map_err(|error| Error::Target { error, location })?;
    if !Schedule::has_sizes(ir, func) {
        context.sizes_are_chosen(func);
    }
    Schedule::choose(ir, func, info)?.write(ir, func);
    Ok(())
}

/// Narrows the subgroups of a function whose sizes the pass `work-group-size` chose in the same pipeline, or takes fewer. What it
/// printed, and a program that is read again, stays as it is.
pub(super) fn narrow(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("narrow-subgroups")?;
    if context.has_chosen_sizes(func) {
        Schedule::of(ir, func)?.narrowed(ir, func, info).write(ir, func);
    }
    Ok(())
}
