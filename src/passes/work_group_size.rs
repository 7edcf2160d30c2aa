//! Chooses subgroup and work-group size (lowering reference 1.11).

use super::context::Context;
use super::error::Error;
use crate::ir::{Func, Ir};
use crate::schedule::Schedule;

pub(super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("work-group-size")?;
    let location = ir[func].location;
    info.validate().map_err(|error| Error::Target { error, location })?;
    if context.options.tf32 {
        Schedule::permit_tf32(ir, func)?;
    }
    Schedule::choose(ir, func, info)?.write(ir, func);
    Ok(())
}
