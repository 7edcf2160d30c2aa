//! Chooses the messages by which cooperative matrices get to and from memory (lowering reference 4.2 and 4.4). Hints that no
//! message carries out go.

use super::context::Context;
use super::error::Error;
use crate::analysis::Surfaces;
use crate::ir::{CoopmatrixLoad, CoopmatrixPrefetch, CoopmatrixStore, Func, Inst, Ir, MatrixIo, Op};
use crate::schedule::{AccessTarget, MatrixCode, MatrixInMemory, Schedule};

/// Caches between the core and memory, which a message fetches into all of.
const CACHE_LEVELS: i32 = 2;

pub(super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("access-classes")?;
    let mut accesses: Vec<Inst> = Vec::new();
    ir.walk(ir[func].body, &mut |inst| accesses.extend(is_access(ir, inst).then_some(inst)));
    if accesses.is_empty() {
        return Ok(());
    }
    let schedule = &Schedule::of(ir, func)?;
    let surfaces = &Surfaces::new(ir, func, info.default_alignment());
    let code = &MatrixCode::of(ir, func, schedule, info);
    let target = AccessTarget { ir, surfaces, schedule, code, info };
    let chosen: Vec<Option<MatrixIo>> = accesses.iter().map(|&inst| choose(&target, inst)).collect();
    for (inst, chosen) in accesses.into_iter().zip(chosen) {
        if chosen.is_none() {
            ir.erase(inst);
            continue;
        }
        ir.update(inst, |op| {
            if let Op::CoopmatrixLoad(CoopmatrixLoad { io, .. })
            | Op::CoopmatrixStore(CoopmatrixStore { io, .. })
            | Op::CoopmatrixPrefetch(CoopmatrixPrefetch { io, .. }) = op
            {
                *io = chosen;
            }
        });
    }
    Ok(())
}

fn is_access(ir: &Ir, inst: Inst) -> bool {
    matches!(ir[inst].op, Op::CoopmatrixLoad(_) | Op::CoopmatrixStore(_) | Op::CoopmatrixPrefetch(_))
}

/// The messages of an access; `None` for a hint that none carries out.
fn choose(target: &AccessTarget<'_>, inst: Inst) -> Option<MatrixIo> {
    let ir = target.ir;
    match &ir[inst].op {
        Op::CoopmatrixLoad(_) => target.load_of(*ir[inst].results.first()?),
        Op::CoopmatrixStore(op) => {
            let matrix = ir.ty(op.value).coopmatrix()?;
            let (memref, at, transpose, checked) = (op.to, [op.x, op.y], op.transpose, op.checked);
            let is_copied = false;
            Some(
                target.store(&MatrixInMemory { matrix, memref, at, transpose, checked, is_copied }, op.value),
            )
        }
        Op::CoopmatrixPrefetch(op) => {
            let has_cache = (0..CACHE_LEVELS).contains(&op.level);
            target.prefetch(op.of, op.x).filter(|_| has_cache)
        }
        _ => None,
    }
}
