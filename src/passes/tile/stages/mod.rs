//! Software pipelines of loops in their form in local memory (tile reference 2.8).
//!
//! What a loop copies to local memory gets as many buffers as the loop has stages, s. An iteration copies what the one s - 1 later reads,
//! into the buffer that the last one has read. As each of s iterations in a row has a buffer of its own, the body stands s times in the
//! loop, so that addresses are constants, and what is left stands behind it. Barriers are those of any access, which
//! `insert-barrier` finds: one an iteration. A loop that names this pipeline and copies nothing has its factors copied.

mod counted;
mod factors;
mod legality;
mod shorten;

use super::super::context::Context;
use super::super::emit::{Emit as _, Range, Unroll};
use super::super::error::{Error, internal};
use super::iteration::Iteration;
use crate::analysis::{Surfaces, constant_of, integer_of};
use crate::device::CoreInfo;
use crate::ir::{
    BinaryOp, Builder, CompareOp, Constant, Cursor, For, ForAttributes, Func, Inst, Ir, Memref, NumStages,
    Op, Pipeline, PrefetchDistance, Region, TileCopy, Type, Value, ValueMap, VerifierError,
};
use crate::schedule::Schedule;
use crate::status::Status;
use counted::Counted;
pub(in super::super) use factors::copy_factors;
pub(super) use factors::preferred;
use legality::{check_buffer, check_source, local_bytes, refuse};
use shorten::shorten;
use std::cmp::Reverse;

/// Stages where neither the loop nor the function names some: a buffer to read, and one to fill.
const STAGES: i64 = 2;

pub(in super::super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("tile-stages")?;
    let of_function = ir[func].attributes.pipeline;
    let mut loops = Vec::new();
    ir.walk(ir[func].body, &mut |inst| {
        if let Op::For(op) = &ir[inst].op {
            let of_function = of_function.filter(|&form| form != Pipeline::Slm || factors::is_sum(ir, inst));
            loops.push((inst, op.attributes.pipeline.or(of_function).unwrap_or(Pipeline::Auto)));
        }
    });
    // What lies in a loop with stages is copied, and by then has its own.
    loops.sort_by_cached_key(|&(inst, _)| Reverse(ir.loops_around(inst)));
    let schedule = Schedule::choose(ir, func, info).ok();
    for (inst, form) in loops {
        let is_asked = match form {
            Pipeline::Slm => true,
            Pipeline::Auto => has_stages_of_copies(ir, inst),
            Pipeline::Prefetch | Pipeline::None => continue,
        };
        let factors = if is_asked {
            ir[inst].regions.first().map_or_else(Vec::new, |&region| factors::all(ir, region))
        } else {
            schedule.as_ref().map_or_else(Vec::new, |schedule| preferred(ir, func, schedule, inst, info))
        };
        if !is_asked && factors.is_empty() {
            continue;
        }
        let columns = match &schedule {
            Some(schedule) if !is_asked => columns(ir, func, schedule, (inst, &factors), info),
            _ => None,
        };
        if let Some(columns) = columns
            && shorten(ir, inst, columns)?
        {
            context.decide(ir, func, Some(inst), || format!("iterations of {columns} along K"));
        }
        let mut staged = Staged::of(ir, func, inst, factors)?;
        if !is_asked {
            staged.reduce(ir, func, info);
            // What rounds of stages may leave would stand behind the loop, in each version of those around it.
            if ir.loops_around(inst) > 0 && factors::iterations(ir, &staged.op).is_none() {
                staged.stages = 1;
            }
        }
        // Addresses of what work-items copy in several rounds at once would take the registers that those of one leave.
        if !is_asked && schedule.as_ref().is_some_and(|schedule| schedule.block_2d_io(info).is_none()) {
            staged.unroll = Unroll::Never;
        }
        // The caches of a processor are its local memory: nothing is fetched ahead by a second buffer.
        if info.is_cpu() {
            staged.stages = 1;
        }
        staged.check_space(ir, func, info)?;
        let Staged { stages, copies, .. } = &staged;
        let (stages, copies) = (*stages, copies.len());
        context.decide(ir, func, Some(inst), || match stages {
            1 => format!("{copies} copies in local memory"),
            _ => format!(
                "{copies} copies in local memory, {stages} buffers of each, filled {} ahead",
                stages - 1
            ),
        });
        staged.replace(ir)?;
    }
    Ok(())
}

/// Columns of A and rows of B that an iteration of a loop takes at most if it stages what instructions load.
fn columns(
    ir: &Ir,
    func: Func,
    schedule: &Schedule,
    (inst, loads): (Inst, &[Inst]),
    info: &CoreInfo,
) -> Option<i64> {
    let &region = ir[inst].regions.first()?;
    let on_engine = |inner: Inst| {
        let Op::TileDot(dot) = &ir[inner].op else { return true };
        schedule.panel_depth(ir, dot, info).is_some()
    };
    let surfaces = Surfaces::new(ir, func, info.default_alignment());
    let all_on_engine = ir.insts(region).all(on_engine);
    all_on_engine.then(|| schedule.staged_columns(ir, loads, &surfaces, info))?
}

/// Returns whether a loop names a number of stages, and copies what they are of.
fn has_stages_of_copies(ir: &Ir, inst: Inst) -> bool {
    let (Op::For(op), Some(&region)) = (&ir[inst].op, ir[inst].regions.first()) else { return false };
    let has_copies = ir.insts(region).any(|inner| matches!(ir[inner].op, Op::TileCopy(_)));
    op.attributes.num_stages.is_some() && has_copies
}

/// A loop that stages what it reads in local memory.
struct Staged {
    inst: Inst,
    op: For,
    region: Region,
    stages: i64,
    copies: Vec<(Inst, TileCopy)>,
    unroll: Unroll,
}

impl Staged {
    /// The loop, with copies for factors if it has none.
    fn of(ir: &mut Ir, func: Func, inst: Inst, factors: Vec<Inst>) -> Result<Staged, Error> {
        let location = ir[inst].location;
        let (Op::For(op), Some(&region)) = (ir[inst].op.clone(), ir[inst].regions.first()) else {
            return Err(internal(location, "no loop"));
        };
        let of_function = ir[func].attributes.prefetch_distance.map(PrefetchDistance::stages);
        let named = op.attributes.num_stages.or(of_function);
        let stages = named.map_or(STAGES, |NumStages(stages)| i64::from(stages)).max(1);
        if ir.ends_early(inst) {
            return refuse(ir, inst, "pipeline \"slm\", but the loop may end early".to_owned());
        }
        if !ir.insts(region).any(|inner| matches!(ir[inner].op, Op::TileCopy(_))) {
            copy_factors(ir, func, factors)?;
        }
        let mut copies = Vec::new();
        for inner in ir.insts(region) {
            if let Op::TileCopy(copy) = &ir[inner].op {
                copies.push((inner, copy.clone()));
            }
        }
        if copies.is_empty() {
            let detail =
                "pipeline \"slm\", but the loop has no `tile_copy` and loads no factor of global memory";
            return refuse(ir, inst, detail.to_owned());
        }
        let iteration = Iteration::new(ir, region);
        for (inner, copy) in &copies {
            if !iteration.is_known(copy.from) || ![copy.x, copy.y].iter().all(|&at| iteration.is_known(at)) {
                let detail = "pipeline \"slm\", but what is copied does not follow from the loop's counter";
                return refuse(ir, *inner, detail.to_owned());
            }
            check_buffer(ir, inst, *inner, copy)?;
        }
        check_source(ir, inst)?;
        Ok(Staged { inst, op, region, stages, copies, unroll: Unroll::Default })
    }

    /// Bytes of the buffers of a stage, and of all other local memory.
    fn bytes(&self, ir: &Ir, func: Func) -> [i64; 2] {
        let bytes = |copy: &TileCopy| ir.ty(copy.to).memref().and_then(Memref::size_in_bytes).unwrap_or(0);
        let each: i64 = self.copies.iter().map(|(_, copy)| bytes(copy)).sum();
        [each, local_bytes(ir, func).saturating_sub(each)]
    }

    /// Stages that local memory has room for.
    fn most(&self, ir: &Ir, func: Func, room: i64) -> i64 {
        let [each, others] = self.bytes(ir, func);
        (room - others).max(0) / each.max(1)
    }

    /// Takes no more stages than there is room for.
    fn reduce(&mut self, ir: &Ir, func: Func, info: &CoreInfo) {
        if let Some(room) = info.local_memory_size() {
            self.stages = self.stages.min(STAGES).min(self.most(ir, func, room)).max(1);
        }
    }

    /// Refuses more buffers than local memory has room for.
    fn check_space(&self, ir: &Ir, func: Func, info: &CoreInfo) -> Result<(), Error> {
        let Some(room) = info.local_memory_size() else { return Ok(()) };
        let [each, others] = self.bytes(ir, func);
        let all = each.saturating_mul(self.stages).saturating_add(others);
        if all <= room {
            return Ok(());
        }
        let most = self.most(ir, func, room);
        let detail = format!(
            "{} stages take {all} bytes, the device has {room}; {}",
            self.stages,
            match most {
                0 => "not even one stage fits".to_owned(),
                1 => "at most 1 stage fits".to_owned(),
                most => format!("at most {most} stages fit"),
            }
        );
        Err(VerifierError::new(Status::IrTileSlmExceeded, ir[self.inst].location, detail).into())
    }

    /// Puts a loop with stages in the place of the loop.
    fn replace(self, ir: &mut Ir) -> Result<(), Error> {
        let inst = self.inst;
        self.hoist_buffers(ir);
        if self.stages == 1 {
            ir.update(inst, |op| {
                if let Op::For(op) = op {
                    op.attributes = ForAttributes::default();
                }
            });
            return Ok(());
        }
        let buffers = self.buffers(ir)?;
        let results = ir[inst].results.clone();
        let types: Vec<Type> = results.iter().map(|&result| ir.ty(result).clone()).collect();
        let builder = &mut Builder::before(ir, inst)?;
        let counted = Counted::new(builder, &self.op, self.stages)?;
        let zero = counted.number(builder, 0)?;
        let runs = builder.compare(CompareOp::GreaterThan, counted.iterations, zero)?;
        let new = match integer_of(builder.ir, counted.iterations) {
            Some(1..) => self.pipelined(builder, &counted, &buffers)?,
            _ => builder.branch::<Error>(
                runs,
                &types,
                |builder| self.pipelined(builder, &counted, &buffers),
                |_| Ok(self.op.init.clone()),
            )?,
        };
        results.iter().zip(new).for_each(|(&result, new)| ir.replace_all_uses(result, new));
        ir.erase(inst);
        Ok(())
    }

    /// Moves buffers that are allocated in each iteration in front of all tile code around the loop: they are there for all of them.
    fn hoist_buffers(&self, ir: &mut Ir) {
        let Some(first) = ir.parent(self.inst).and_then(|region| ir.insts(region).next()) else { return };
        for place in self.copies.iter().filter_map(|(_, copy)| ir.defining_inst(copy.to)).collect::<Vec<_>>()
        {
            if ir.is_within(place, self.inst)
                && let Some(front) = Cursor::before(ir, first)
            {
                ir.move_inst(place, front);
            }
        }
    }

    /// The buffers of each copy: the program's own, and others like it.
    fn buffers(&self, ir: &mut Ir) -> Result<Vec<Vec<Value>>, Error> {
        let mut all = Vec::new();
        for (inner, copy) in &self.copies {
            let place =
                ir.defining_inst(copy.to).ok_or_else(|| internal(ir[*inner].location, "no allocation"))?;
            let (op, ty) = (ir[place].op.clone(), ir.ty(copy.to).clone());
            let builder = &mut Builder::after(ir, place)?;
            let mut own = vec![copy.to];
            for _ in 1..self.stages {
                own.push(builder.value(op.clone(), ty.clone())?);
            }
            all.push(own);
        }
        Ok(all)
    }

    /// The first copies, the loop, and the iterations that are left: those that no round of s takes, and the last s - 1, which have
    /// nothing to copy ahead, unless rounds are known to take all.
    fn pipelined(
        &self,
        builder: &mut Builder<'_>,
        counted: &Counted,
        buffers: &[Vec<Value>],
    ) -> Result<Vec<Value>, Error> {
        let Counted { step, whole_end, left, .. } = *counted;
        let ahead = self.stages - 1;
        for stage in 0..ahead {
            let at = counted.clamped(builder, self.op.from, stage)?;
            self.copy(builder, at, stage, buffers)?;
        }
        let rounds = counted.number(builder, self.stages)?;
        let stride = builder.binary(BinaryOp::Mul, step, rounds)?;
        let range = Range { from: self.op.from, to: whole_end, step: stride, unroll: self.unroll };
        let mut carried = builder.loop_over(range, self.op.init.clone(), |builder, counter, carried| {
            let mut carried = carried.to_vec();
            for stage in 0..self.stages {
                let own = counted.later(builder, counter, stage)?;
                // Where whole rounds are all, the last ones have nothing to copy ahead.
                let later = if integer_of(builder.ir, left) == Some(0) {
                    counted.clamped(builder, own, ahead)?
                } else {
                    counted.later(builder, own, ahead)?
                };
                self.copy(builder, later, stage + ahead, buffers)?;
                carried = self.body(builder, own, stage, &carried, buffers)?;
            }
            Ok(carried)
        })?;
        for stage in 0..2 * ahead {
            if stage < ahead {
                let number = counted.number(builder, stage + ahead)?;
                let is_left = builder.compare(CompareOp::GreaterThan, left, number)?;
                builder.when(is_left, |builder| {
                    let later = counted.clamped(builder, whole_end, stage + ahead)?;
                    self.copy(builder, later, stage + ahead, buffers)
                })?;
            }
            let number = counted.number(builder, stage)?;
            let is_left = builder.compare(CompareOp::GreaterThan, left, number)?;
            let types: Vec<Type> = carried.iter().map(|&value| builder.ir.ty(value).clone()).collect();
            let before = carried.clone();
            let own = counted.later(builder, whole_end, stage)?;
            let body = |builder: &mut Builder<'_>| self.body(builder, own, stage, &before, buffers);
            carried = match constant_of(builder.ir, is_left) {
                Some(Constant::Bool(true)) => body(builder)?,
                Some(Constant::Bool(false)) => before,
                _ => builder.branch::<Error>(is_left, &types, body, |_| Ok(before.clone()))?,
            };
        }
        Ok(carried)
    }

    /// Copies what an iteration reads into the buffers of a stage.
    fn copy(
        &self,
        builder: &mut Builder<'_>,
        counter: Value,
        stage: i64,
        buffers: &[Vec<Value>],
    ) -> Result<(), Error> {
        let mut values = self.values(builder.ir, counter, &[])?;
        let positions = self.copies.iter().flat_map(|(_, copy)| [copy.x, copy.y]);
        let arithmetic = Iteration::new(builder.ir, self.region).arithmetic_of(builder.ir, positions);
        builder.ir.copy_insts(&arithmetic, builder.cursor, &mut values)?;
        for ((inst, copy), own) in self.copies.iter().zip(buffers) {
            let to = buffer(own, stage).ok_or_else(|| internal(builder.location, "no buffer"))?;
            let [x, y] = [copy.x, copy.y].map(|value| values.get(&value).copied().unwrap_or(value));
            let location = builder.ir[*inst].location;
            let copy = TileCopy { x, y, to, ..copy.clone() };
            builder.at_location(location, |builder| builder.emit(copy, &[]).map(drop))?;
        }
        Ok(())
    }

    /// Builds the rest of an iteration, which reads the buffers of a stage; returns what it yields.
    fn body(
        &self,
        builder: &mut Builder<'_>,
        counter: Value,
        stage: i64,
        carried: &[Value],
        buffers: &[Vec<Value>],
    ) -> Result<Vec<Value>, Error> {
        let mut values = self.values(builder.ir, counter, carried)?;
        for ((_, copy), own) in self.copies.iter().zip(buffers) {
            let to = buffer(own, stage).ok_or_else(|| internal(builder.location, "no buffer"))?;
            values.insert(copy.to, to);
        }
        let yielded = builder.ir.yielded(self.region).to_vec();
        let is_kept = |inst: &Inst| !matches!(builder.ir[*inst].op, Op::TileCopy(_) | Op::Yield(_));
        let insts: Vec<Inst> = builder.ir.insts(self.region).filter(is_kept).collect();
        builder.ir.copy_insts(&insts, builder.cursor, &mut values)?;
        // Messages are about tiles that are loaded.
        let is_loaded = |inst: &&Inst| matches!(builder.ir[**inst].op, Op::TileLoad(_));
        let loads = insts.iter().filter(is_loaded).flat_map(|&inst| builder.ir[inst].results.clone());
        for result in loads.collect::<Vec<_>>() {
            if let Some(&copy) = values.get(&result) {
                builder.ir[copy].name = builder.ir[result].name.clone();
            }
        }
        Ok(yielded.into_iter().map(|value| values.get(&value).copied().unwrap_or(value)).collect())
    }

    /// The values that stand for the parameters of the body.
    fn values(&self, ir: &Ir, counter: Value, carried: &[Value]) -> Result<ValueMap, Error> {
        let parameters = &ir[self.region].parameters;
        let Some((&first, others)) = parameters.split_first() else {
            return Err(internal(ir[self.inst].location, "a loop without a counter"));
        };
        let others = others.iter().copied().zip(carried.iter().copied());
        Ok(others.chain([(first, counter)]).collect())
    }
}

fn buffer(buffers: &[Value], stage: i64) -> Option<Value> {
    buffers.get(usize::try_from(stage).ok()? % buffers.len().max(1)).copied()
}
