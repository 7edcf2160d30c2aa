//! Asks for the large register file where the small one does not hold the matrices of a function (lowering reference 1.18).

use super::context::Context;
use super::error::Error;
use crate::analysis::matrix_pressure;
use crate::device::CoreFeatures;
use crate::ir::{Func, Ir};
use crate::schedule::{RegisterFile, Schedule};

pub(super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("register-file")?;
    let is_open = Schedule::pinned(ir, func)?.register_file.is_none();
    if !is_open || !info.has_large_register_file() || info.core_features() != CoreFeatures::default() {
        return Ok(());
    }
    let mut schedule = Schedule::of(ir, func)?;
    let pressure = matrix_pressure(ir, func, schedule.subgroup_size.into());
    let room = schedule.matrix_space(info);
    if pressure <= room || !schedule.fits_large_register_file(info) {
        return Ok(());
    }
    schedule.pinned.register_file = Some(RegisterFile::Large);
    schedule.write(ir, func);
    context.decide(ir, func, ir[func].location, || {
        format!("256 registers, since matrices take {pressure} bytes at a time, of which 128 hold {room}")
    });
    Ok(())
}
