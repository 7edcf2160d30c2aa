//! Chooses subgroup and work-group size (lowering reference 1.11).

use super::context::Context;
use super::error::Error;
use crate::ir::{Func, Ir};
use crate::schedule::Schedule;

pub(super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("work-group-size")?;
    let location = ir[func].location;
    info.validate().map_err(|error| Error::Target { error, location })?;
    Schedule::choose(ir, func, info)?.write(ir, func);
    Ok(())
}

/// Chooses the schedule of a compilation, whose sizes nobody else reads: subgroups may be narrower, or fewer.
pub(super) fn schedule(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("work-group-size")?;
    Schedule::compiled(ir, func, info)?.write(ir, func);
    Ok(())
}
