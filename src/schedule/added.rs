//! Instructions that the driver's compiler adds to those of a module.

use super::Schedule;
use crate::analysis::matrix_pressure;
use crate::device::{CoreInfo, Family};
use crate::ir::{Func, Ir};

/// Times the instructions of a lowered function that the driver's compiler makes of them: it moves what it has no registers for where it can
/// be, and splits what subgroups of 32 do on Ponte Vecchio, by measure of the grid's products.
// An estimate needs no exact number.
#[allow(clippy::cast_precision_loss)]
pub fn added_instructions(ir: &Ir, func: Func, info: &CoreInfo) -> f64 {
    /// Share of the registers from which on matrices leave others too few, and what each further share adds.
    const SCARCE: (f64, f64) = (0.3, 0.2);
    /// Factor of the widest subgroups there.
    const WIDE: (i32, f64) = (32, 1.1);
    let Ok(schedule) = Schedule::of(ir, func) else { return 1.0 };
    let bytes = matrix_pressure(ir, func, schedule.subgroup_size.into()) as f64;
    let share = bytes / f64::from(schedule.register_space(info).max(1));
    let split =
        if schedule.subgroup_size >= WIDE.0 && info.family() == Some(Family::XeHpc) { WIDE.1 } else { 1.0 };
    split * (1.0 + SCARCE.1 * (share - SCARCE.0).max(0.0))
}
