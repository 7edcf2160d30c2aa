//! Chooses how products are computed, and writes it on their instructions (lowering reference 1.13 and 1.16). A product of matrices
//! that only a test at run time can tell about gets its versions here, since each has a schedule of its own.

use super::context::Context;
use super::error::Error;
use super::gemm_versions;
use crate::analysis::{Surfaces, chain_before};
use crate::device::CoreInfo;
use crate::ir::{Func, Inst, Ir, Op, ProductSchedule};
use crate::schedule::{Explanation, ProductTarget, Schedule};

pub(super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("product-schedule")?;
    choose(ir, func, info)?;
    if context.options.remarks {
        context.explain(Explanation::new(ir, func, Schedule::of(ir, func)?, info));
    }
    Ok(())
}

/// Chooses the schedules of the products that have none yet.
pub(super) fn choose(ir: &mut Ir, func: Func, info: &CoreInfo) -> Result<(), Error> {
    if open(ir, func).is_empty() {
        return Ok(());
    }
    let schedule = Schedule::of(ir, func)?;
    let surfaces = &Surfaces::new(ir, func, info.default_alignment());
    for (inst, product) in chains(ir, func, surfaces, schedule, info) {
        write(ir, inst, product);
    }
    for inst in open(ir, func) {
        gemm_versions::make(ir, inst, surfaces, &schedule, info)?;
    }
    let surfaces = &Surfaces::new(ir, func, info.default_alignment());
    let insts = open(ir, func);
    let chosen = ProductTarget::new(ir, func, surfaces, schedule, info).schedules(&insts);
    for (inst, product) in insts.into_iter().zip(chosen) {
        if let Some(product) = product {
            write(ir, inst, product);
        }
    }
    Ok(())
}

/// The products without a schedule, in the order of the text.
fn open(ir: &Ir, func: Func) -> Vec<Inst> {
    let mut found = Vec::new();
    ir.walk(ir[func].body, &mut |inst| {
        let schedule = if let Op::Gemm(op) = &ir[inst].op {
            &op.schedule
        } else if let Op::TileDot(op) = &ir[inst].op {
            &op.schedule
        } else {
            return;
        };
        found.extend(schedule.is_none().then_some(inst));
    });
    found
}

/// Products that are computed together with those that make factors of them, and these, each with its schedule.
fn chains(
    ir: &Ir,
    func: Func,
    surfaces: &Surfaces,
    schedule: Schedule,
    info: &CoreInfo,
) -> Vec<(Inst, ProductSchedule)> {
    let target = ProductTarget::new(ir, func, surfaces, schedule, info);
    let mut chained: Vec<(Inst, ProductSchedule)> = Vec::new();
    for inst in open(ir, func) {
        let Op::Gemm(op) = &ir[inst].op else { continue };
        let links = chain_before(ir, inst);
        // As many links as fit; what the first one reads is in memory.
        let products = (0..links.len())
            .filter_map(|first| links.get(first..))
            .find_map(|links| Some((links, target.chain(links, op)?)));
        if let Some((links, products)) = products {
            chained.extend(links.iter().map(|link| link.inst).chain([inst]).zip(products));
        }
    }
    chained
}

fn write(ir: &mut Ir, inst: Inst, product: ProductSchedule) {
    ir.update(inst, |op| {
        if let Op::Gemm(op) = op {
            op.schedule = Some(product);
        } else if let Op::TileDot(op) = op {
            op.schedule = Some(product);
        }
    });
}
