//! Brute-force check of barriers: after `insert-barrier` no two dependent instructions
//! follow each other without a barrier, and no fence can be taken away again.
//!
//! All ways through a function are written out, each loop run not at all, once and twice, and each side of
//! each branch taken; unlike the pass, which computes with sets of pending accesses.

use crate::directives::Case;
use crate::session::Session;
use std::collections::HashSet;
use tiletc::analysis::effects;
use tiletc::device::CoreInfo;
use tiletc::driver::Options;
use tiletc::ir::{
    AddressSpace, BinaryOp, Boundary, Constant, ConstantInst, Extent, FenceGlobal, FenceLocal, Func, Inst,
    Ir, MatrixUse, Op, Region, RegionKind, Value,
};

/// More ways than this are not looked at.
const MAX_WAYS: usize = 20_000;

/// The places in memory that an instruction reads and writes.
#[derive(Default)]
struct Accesses {
    reads: Vec<Value>,
    writes: Vec<Value>,
}

/// Checks every function of a program.
pub fn check(case: &Case) -> Result<(), String> {
    check_text(&case.name(), &case.text)
}

/// Checks programs that are put together at random.
pub fn check_generated() -> Result<(), String> {
    const PROGRAMS: u64 = 400;
    for seed in 0..PROGRAMS {
        let text = Generator { state: seed }.program();
        check_text("<generated>", text.as_bytes()).map_err(|message| format!("{message}\n{text}"))?;
    }
    Ok(())
}

/// Makes loops and branches, nested, of instructions on few tensors.
struct Generator {
    state: u64,
}

impl Generator {
    fn program(&mut self) -> String {
        let mut text = "func @f(%n: index, %x: f32, %p: index, %A: memref<f32x8>, %B: memref<f32x8>) {
            %c = less_than %n, %p : bool
            %C = alloca : memref<f32x8,local>
            %D = alloca : memref<f32x8,local>\n"
            .to_owned();
        // So many that the ways through them stay within bounds.
        let mut budget = 7;
        self.region(&mut text, 0, &mut budget);
        text + "}\n"
    }

    fn region(&mut self, text: &mut String, depth: usize, budget: &mut u64) {
        for _ in 0..=self.below(3) {
            if *budget == 0 {
                return;
            }
            *budget -= 1;
            match self.below(if depth < 2 { 8 } else { 5 }) {
                0..=3 => {
                    let (a, b) = (self.tensor(), self.tensor());
                    text.push_str(&format!("axpby %x, {a}, %x, {b}\n"));
                }
                4 => {
                    let (a, b, c) = (self.tensor(), self.tensor(), self.tensor());
                    text.push_str(&format!("hadamard %x, {a}, {b}, %x, {c}\n"));
                }
                5 | 6 => {
                    text.push_str(&format!("for %i{depth}=%n,%p {{\n"));
                    self.region(text, depth + 1, budget);
                    text.push_str("}\n");
                }
                _ => {
                    text.push_str("if %c {\n");
                    self.region(text, depth + 1, budget);
                    text.push_str("} else {\n");
                    self.region(text, depth + 1, budget);
                    text.push_str("}\n");
                }
            }
        }
    }

    fn tensor(&mut self) -> &'static str {
        match self.below(4) {
            0 => "%A",
            1 => "%B",
            2 => "%C",
            _ => "%D",
        }
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % bound
    }
}

fn check_text(name: &str, text: &[u8]) -> Result<(), String> {
    let mut session = Session::parse(name, text).map_err(|refusal| refusal.to_string())?;
    let info = CoreInfo::from_name("pvc").ok_or("no such device")?;
    let pass = |session: &mut Session, name: &str| {
        session.run_pass(name, &info, &Options::default()).map_err(|refusal| refusal.to_string())
    };
    pass(&mut session, "insert-lifetime-stop")?;
    pass(&mut session, "set-stack-ptr")?;
    let by_hand: HashSet<Inst> = session.functions().flat_map(|func| barriers(session.ir(), func)).collect();
    pass(&mut session, "insert-barrier")?;
    let ir = session.ir();
    for func in session.functions() {
        let function = Function::new(ir, func)?;
        if let Some((first, second)) = function.race(None) {
            return Err(format!("@{}: nothing between {first:?} and {second:?}", ir[func].name));
        }
        for barrier in barriers(ir, func).into_iter().filter(|barrier| !by_hand.contains(barrier)) {
            for space in SPACES.into_iter().filter(|&space| fences(&ir[barrier].op, space)) {
                if function.race(Some((barrier, space))).is_none() {
                    let name = &ir[func].name;
                    return Err(format!(
                        "@{name}: {barrier:?} need not fence {space:?} memory\n{}",
                        session.print()
                    ));
                }
            }
        }
    }
    Ok(())
}

const SPACES: [AddressSpace; 2] = [AddressSpace::Global, AddressSpace::Local];

fn fences(op: &Op, space: AddressSpace) -> bool {
    match (op, space) {
        (Op::Barrier(barrier), AddressSpace::Global) => barrier.global == FenceGlobal::Yes,
        (Op::Barrier(barrier), AddressSpace::Local) => barrier.local == FenceLocal::Yes,
        _ => false,
    }
}

/// The barriers outside of SPMD regions.
fn barriers(ir: &Ir, func: Func) -> Vec<Inst> {
    fn collect(ir: &Ir, region: Region, into: &mut Vec<Inst>) {
        for inst in ir.insts(region) {
            if matches!(ir[inst].op, Op::Barrier(_)) {
                into.push(inst);
            }
            ir[inst]
                .regions
                .iter()
                .filter(|&&r| ir[r].kind != RegionKind::Spmd)
                .for_each(|&r| collect(ir, r, into));
        }
    }
    let mut found = Vec::new();
    collect(ir, ir[func].body, &mut found);
    found
}

/// An instruction on a way, with the counters of the loops around it, as far as they are known.
#[derive(Clone)]
struct Step {
    inst: Inst,
    counters: Vec<(Value, i64)>,
}

/// A function and all ways through it.
struct Function<'a> {
    ir: &'a Ir,
    ways: Vec<Vec<Step>>,
}

impl Function<'_> {
    fn new(ir: &Ir, func: Func) -> Result<Function<'_>, String> {
        let body = ir[func].body;
        let name = &ir[func].name;
        let ways = ways(ir, body).ok_or_else(|| format!("@{name} has more than {MAX_WAYS} ways"))?;
        Ok(Function { ir, ways })
    }

    /// Two dependent instructions with no fence between them, where one fence of one barrier is not there.
    fn race(&self, without: Option<(Inst, AddressSpace)>) -> Option<(Inst, Inst)> {
        self.ways
            .iter()
            .find_map(|way| SPACES.into_iter().find_map(|space| self.race_on(way, space, without)))
    }

    fn race_on(
        &self,
        way: &[Step],
        space: AddressSpace,
        without: Option<(Inst, AddressSpace)>,
    ) -> Option<(Inst, Inst)> {
        let mut since: Vec<(&Step, Accesses)> = Vec::new();
        for step in way {
            let inst = step.inst;
            if fences(&self.ir[inst].op, space) && without != Some((inst, space)) {
                since.clear();
            }
            let now = self.accesses(inst, space);
            let is_close = without.is_none();
            if let Some((before, _)) =
                since.iter().find(|(other, before)| self.depends((step, &now), (other, before), is_close))
            {
                return Some((before.inst, inst));
            }
            if !now.reads.is_empty() || !now.writes.is_empty() {
                since.push((step, now));
            }
        }
        None
    }

    fn depends(
        &self,
        (step, now): (&Step, &Accesses),
        (other, before): (&Step, &Accesses),
        is_close: bool,
    ) -> bool {
        let meets = |a, b| {
            // A barrier is not too many between parts that only a closer look tells apart.
            overlap(self.ir, a, b)
                && (!is_close || !are_apart(self.ir, (a, &step.counters), (b, &other.counters)))
        };
        let meet = |a: &[Value], b: &[Value]| a.iter().any(|&a| b.iter().any(|&b| meets(a, b)));
        let is_own = is_close
            && step.counters == other.counters
            && sums(self.ir, other.inst, true)
                .is_some_and(|own| sums(self.ir, step.inst, false) == Some(own));
        meet(&now.reads, &before.writes)
            || (!is_own && meet(&now.writes, &before.reads))
            || meet(&now.writes, &before.writes)
    }

    /// Accesses of an instruction to a space, the SPMD regions it has included.
    fn accesses(&self, inst: Inst, space: AddressSpace) -> Accesses {
        let ir = self.ir;
        let mut all = Accesses::default();
        let mut add = |inst: Inst| {
            let lives = |value: &Value| ir.ty(*value).memref().is_some_and(|memref| memref.space == space);
            let effects = effects(ir, &ir[inst].op);
            all.reads.extend(effects.reads.into_iter().filter(lives));
            all.writes.extend(effects.writes.into_iter().filter(lives));
        };
        add(inst);
        for &region in ir[inst].regions.iter().filter(|&&region| ir[region].kind == RegionKind::Spmd) {
            ir.walk(region, &mut add);
        }
        all
    }
}

/// Place of the sums that an instruction loads or stores: lanes write again what they have read themselves.
fn sums(ir: &Ir, inst: Inst, is_load: bool) -> Option<(String, Value, Vec<String>)> {
    let (tile, memref, transpose, at) = match &ir[inst].op {
        Op::TileLoad(op) if is_load && !op.boundary.0.contains(&Boundary::Wrap) => {
            (*ir[inst].results.first()?, op.from, op.transpose, [op.x, op.y])
        }
        Op::TileStore(op) if !is_load => (op.value, op.to, op.transpose, [op.x, op.y]),
        _ => return None,
    };
    let place = |value: Value| match ir.defining_op(value) {
        Some(Op::ConstantInst(ConstantInst { value })) => value.to_string(),
        _ => format!("{value:?}"),
    };
    let at = at.map(place).into_iter().chain([transpose.to_string()]).collect();
    ir.ty(tile).tile().filter(|tile| tile.usage == MatrixUse::Acc)?;
    Some((ir.ty(tile).to_string(), memref, at))
}

/// The instructions met on each way through a region; `None` if there are too many ways.
fn ways(ir: &Ir, region: Region) -> Option<Vec<Vec<Step>>> {
    let mut all = vec![Vec::new()];
    for inst in ir.insts(region) {
        let inner: Vec<Vec<Vec<Step>>> = ir[inst]
            .regions
            .iter()
            .filter(|&&region| ir[region].kind != RegionKind::Spmd)
            .map(|&region| ways(ir, region))
            .collect::<Option<_>>()?;
        let through = match &ir[inst].op {
            Op::For(_) => inner.into_iter().flat_map(|body| rounds(ir, inst, &body)).collect(),
            _ if inner.is_empty() => vec![Vec::new()],
            _ => inner.concat(),
        };
        if all.len() * through.len() > MAX_WAYS {
            return None;
        }
        all = all
            .iter()
            .flat_map(|way| {
                let step = Step { inst, counters: Vec::new() };
                through.iter().map(move |next| [way, [step.clone()].as_slice(), next].concat())
            })
            .collect();
    }
    Some(all)
}

/// No round, one round, and two rounds of a loop.
fn rounds(ir: &Ir, turns: Inst, body: &[Vec<Step>]) -> Vec<Vec<Step>> {
    let round = |way: &Vec<Step>, number: i64| -> Vec<Step> {
        let counter = counter(ir, turns, number);
        let with_counter = |step: &Step| Step {
            counters: step.counters.iter().copied().chain(counter).collect(),
            ..step.clone()
        };
        way.iter().map(with_counter).collect()
    };
    let once = body.iter().map(|way| round(way, 0));
    let twice = body.iter().flat_map(|first| body.iter().map(move |second| (first, second)));
    let twice = twice.map(|(first, second)| [round(first, 0), round(second, 1)].concat());
    [Vec::new()].into_iter().chain(once).chain(twice).collect()
}

/// The counter of a loop in a round, where it is the same whenever the loop is run.
fn counter(ir: &Ir, turns: Inst, round: i64) -> Option<(Value, i64)> {
    let Op::For(op) = &ir[turns].op else { return None };
    let counter = *ir[*ir[turns].regions.first()?].parameters.first()?;
    let step = op.step.map_or(Some(1), |step| made_up(ir, step, &[]))?;
    Some((counter, made_up(ir, op.from, &[])? + round * step))
}

/// Returns whether two memrefs may share memory: views of one, or allocations that share bytes.
fn overlap(ir: &Ir, a: Value, b: Value) -> bool {
    let (a, b) = (root(ir, a), root(ir, b));
    let bytes = |value| match (ir.defining_op(value), ir.ty(value).memref()) {
        (Some(Op::Alloca(alloca)), Some(memref)) => {
            alloca.stack_ptr.zip(memref.size_in_bytes()).map(|(start, size)| start..start + size)
        }
        _ => None,
    };
    a == b || bytes(a).zip(bytes(b)).is_some_and(|(a, b)| a.start < b.end && b.start < a.end)
}

fn root(ir: &Ir, value: Value) -> Value {
    viewed(ir, value).map_or(value, |of| root(ir, of))
}

/// Returns whether two memrefs are parts of one tensor that lie apart along its last mode, whose stride is larger than all
/// that the other modes span. Numbers that are known when the program runs only are made up, for one run of it.
fn are_apart(ir: &Ir, a: (Value, &[(Value, i64)]), b: (Value, &[(Value, i64)])) -> bool {
    let part = |(value, counters): (Value, &[(Value, i64)])| {
        let mut view = value;
        while let Some(of) = viewed(ir, view).filter(|&of| viewed(ir, of).is_some()) {
            view = of;
        }
        let Some(Op::Subview(op)) = ir.defining_op(view) else { return None };
        let memref = ir.ty(op.of).memref()?;
        let known =
            |extents: &[Extent]| extents.iter().map(|extent| extent.value()).collect::<Option<Vec<_>>>();
        let strides = known(&memref.stride)?;
        let (_, inner) = memref.shape.split_last()?;
        let shape = known(inner)?;
        let span: i64 = shape.iter().zip(&strides).map(|(size, stride)| (size - 1) * stride).sum();
        let offset = match op.static_offsets.last()?.value() {
            Some(offset) => offset,
            None => made_up(ir, *op.offsets.last()?, counters)?,
        };
        let size = op.static_sizes.last()?.value()?.max(1);
        (*strides.last()? > span).then_some((op.of, offset, offset + size))
    };
    matches!((part(a), part(b)), (Some((of, start, end)), Some((other, first, last)))
        if of == other && (end <= first || last <= start))
}

fn viewed(ir: &Ir, value: Value) -> Option<Value> {
    let base = match ir.defining_op(value)? {
        Op::Subview(view) => view.of,
        Op::Expand(view) => view.of,
        Op::Fuse(view) => view.of,
        _ => return None,
    };
    Some(base)
}

/// The content of a number, where it is the same throughout the function but for the counters.
fn made_up(ir: &Ir, value: Value, counters: &[(Value, i64)]) -> Option<i64> {
    if let Some(&(_, number)) = counters.iter().find(|(counter, _)| *counter == value) {
        return Some(number);
    }
    match ir.defining_op(value) {
        Some(Op::ConstantInst(ConstantInst { value: Constant::Int(number) })) => Some(*number),
        Some(Op::Grid(_)) => Some(1_000_003),
        Some(Op::Binary(op)) => {
            let (a, b) = (made_up(ir, op.a, counters)?, made_up(ir, op.b, counters)?);
            match op.op {
                BinaryOp::Add => Some(a + b),
                BinaryOp::Sub => Some(a - b),
                BinaryOp::Mul => Some(a * b),
                _ => None,
            }
        }
        _ => None,
    }
}
