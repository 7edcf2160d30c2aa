//! Asks for the large register file where the small one does not hold the matrices of a function (lowering reference 1.18).

use super::context::Context;
use super::error::Error;
use crate::analysis::matrix_pressure;
use crate::device::{CoreFeatures, CoreInfo};
use crate::ir::{Func, Ir, RegisterFile};
use crate::schedule::Schedule;

pub(super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("register-file")?;
    let is_open = Schedule::overrides(ir, func).register_file.is_none();
    if !is_open || !info.has_large_register_file() || info.core_features() != CoreFeatures::default() {
        return Ok(());
    }
    let mut schedule = Schedule::of(ir, func)?;
    let pressure = matrix_pressure(ir, func, schedule.subgroup_size.into());
    let room = schedule.matrix_space(info);
    if pressure <= room || !module_fits(ir, context, info)? {
        return Ok(());
    }
    schedule.overrides.register_file = Some(RegisterFile::Large);
    schedule.write(ir, func);
    context.decide(ir, func, None, || {
        format!("256 registers, since matrices take {pressure} bytes at a time, of which 128 hold {room}")
    });
    Ok(())
}

/// Returns whether all functions may have the large register file, since a module is built with one size for all: their
/// work-groups fit, and none asks for the small one.
fn module_fits(ir: &Ir, context: &Context<'_>, info: &CoreInfo) -> Result<bool, Error> {
    if let Some(&fits) = context.fits_large_register_file.get() {
        return Ok(fits);
    }
    let mut fits = true;
    for func in context.functions() {
        let schedule = Schedule::of(ir, func)?;
        let is_small = schedule.overrides.register_file == Some(RegisterFile::Small);
        fits &= !is_small && schedule.fits_large_register_file(info);
    }
    Ok(*context.fits_large_register_file.get_or_init(|| fits))
}
