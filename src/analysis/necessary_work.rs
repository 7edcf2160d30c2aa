//! The work of a work-group that no code for its program can avoid: bytes to and from memory, and multiply-adds.

use super::constants::{constant_of, integer_of};
use super::effects::effects;
use crate::ir::{
    Access, AddressSpace, Axpby, Compare, CompareOp, Component, Constant, Cumsum, Definition, Family, Func,
    Ger, Grid, GridBuiltin, Hadamard, Inst, Ir, Op, Region, Scalar, SideEffect, Sum, Transpose, Value,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Work of a work-group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NecessaryWork {
    /// Bytes that come from or go to global memory: each place once in each direction, and none of what neighbouring work-groups
    /// read or write as well.
    pub bytes: u64,
    /// Multiply-adds by the types of both factors and of what they are added to.
    pub multiply_adds: BTreeMap<[Scalar; 3], u64>,
    /// Operations of linear algebra by the same types, of a branch that is decided at run time those of the side that has most.
    pub operations: BTreeMap<[Scalar; 3], u64>,
    /// True if the sides of such a branch have different numbers of operations.
    pub depends_on_branch: bool,
}

/// Source of the place of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    /// The counter of a loop.
    Counter(Value),
    /// The place of the work-group in the grid.
    Group(Component),
    /// A row or a column of tiles that a `tile_order` gives to the work-group.
    Tile(Value),
}

/// A place as the text names it: a memref or what it is a view of, and positions in it.
type Place = (Value, Vec<Result<i64, Value>>);

/// Bytes of an access, and what its place follows from.
#[derive(Clone, Debug)]
struct Part {
    bytes: u64,
    sources: BTreeSet<Source>,
}

#[derive(Default)]
struct Work {
    reads: HashMap<Place, Part>,
    writes: HashMap<Place, Part>,
    multiply_adds: BTreeMap<[Scalar; 3], u64>,
    operations: BTreeMap<[Scalar; 3], u64>,
    depends_on_branch: bool,
}

impl NecessaryWork {
    /// The work of a function that is not lowered yet. `None` if sizes or numbers of iterations are known at run time only, or if
    /// the text says what single subgroups do.
    pub fn of(ir: &Ir, func: Func) -> Option<NecessaryWork> {
        let mut walk = Walk { ir, loops: Vec::new(), sources: HashMap::new() };
        let Work { reads, writes, multiply_adds, operations, depends_on_branch } =
            walk.region(ir[func].body)?;
        let of_group = |part: &Part| -> BTreeSet<Source> {
            let is_counter = |source: &&Source| matches!(source, Source::Counter(_));
            part.sources.iter().filter(|source| !is_counter(source)).copied().collect()
        };
        let parts = || reads.values().chain(writes.values());
        let all: BTreeSet<Source> = parts().flat_map(of_group).collect();
        let own = parts().filter(|part| of_group(part) == all);
        let bytes = own.map(|part| part.bytes).fold(0, u64::saturating_add);
        Some(NecessaryWork { bytes, multiply_adds, operations, depends_on_branch })
    }

    /// Multiply-adds of all types together.
    pub fn all_multiply_adds(&self) -> u64 {
        all(&self.multiply_adds)
    }
}

fn all(counts: &BTreeMap<[Scalar; 3], u64>) -> u64 {
    counts.values().copied().fold(0, u64::saturating_add)
}

/// Operations of a multiplication of two numbers, and of the addition of the product to a third.
fn operations([a, b, _]: [Scalar; 3]) -> [u64; 2] {
    match (a.is_complex(), b.is_complex()) {
        (true, true) => [6, 2],
        (false, false) => [1, 1],
        _ => [2, 2],
    }
}

impl Work {
    /// Adds what an instruction does; a place that is written already comes from no memory.
    fn append(&mut self, next: Work) {
        let Work { reads, writes, multiply_adds, operations, depends_on_branch } = next;
        for (place, part) in reads {
            if !self.writes.contains_key(&place) {
                self.reads.entry(place).or_insert(part);
            }
        }
        writes.into_iter().for_each(|(place, part)| {
            self.writes.entry(place).or_insert(part);
        });
        self.depends_on_branch |= depends_on_branch;
        for (sums, counts) in [(&mut self.multiply_adds, multiply_adds), (&mut self.operations, operations)] {
            for (types, count) in counts {
                let sum = sums.entry(types).or_default();
                *sum = sum.saturating_add(count);
            }
        }
    }

    /// Takes up the other side of a branch, of which one is taken.
    fn join(&mut self, other: Work) {
        self.reads.extend(other.reads);
        self.writes.extend(other.writes);
        for (types, count) in other.multiply_adds {
            let most = self.multiply_adds.entry(types).or_default();
            *most = count.max(*most);
        }
        self.depends_on_branch |= other.depends_on_branch;
        if all(&other.operations) > all(&self.operations) {
            self.operations = other.operations;
        }
    }
}

struct Walk<'a> {
    ir: &'a Ir,
    /// Counters of the loops around, and the iterations of each.
    loops: Vec<(Value, u64)>,
    sources: HashMap<Value, BTreeSet<Source>>,
}

impl Walk<'_> {
    fn region(&mut self, region: Region) -> Option<Work> {
        let mut work = Work::default();
        for inst in self.ir.insts(region) {
            work.append(self.inst(inst)?);
        }
        Some(work)
    }

    fn inst(&mut self, inst: Inst) -> Option<Work> {
        self.define(inst);
        let ir = self.ir;
        let (op, regions) = (&ir[inst].op, &ir[inst].regions);
        if let Op::For(op) = op {
            if ir.ends_early(inst) {
                return None;
            }
            let step = op.step.map_or(Some(1), |step| integer_of(ir, step))?;
            self.body(*regions.first()?, &[op.from], &[op.to], step)
        } else if let Op::Foreach(op) = op {
            self.body(*regions.first()?, &op.from, &op.to, 1)
        } else if let Op::If(branch) = op {
            let (mut work, mut counts) = (Work::default(), [0; 2]);
            let other = holds(ir, branch.condition).map(usize::from);
            for ((place, &side), count) in regions.iter().enumerate().zip(&mut counts) {
                if other != Some(place) {
                    let side = self.region(side)?;
                    *count = all(&side.operations);
                    work.join(side);
                }
            }
            let [first, second] = counts;
            work.depends_on_branch |= other.is_none() && first != second;
            Some(work)
        } else if matches!(op.info().side_effect, SideEffect::Regions | SideEffect::Loop) {
            // How many subgroups or work-items run it is not known here.
            let mut has_effects = false;
            ir.walk_inst(inst, &mut |inner| {
                let effects = effects(ir, &ir[inner].op);
                has_effects |= !effects.reads.is_empty() || !effects.writes.is_empty();
            });
            (!has_effects).then(Work::default)
        } else {
            let mut work = Work::default();
            self.products(inst, &mut work)?;
            self.other_operations(inst, &mut work);
            self.accesses(inst, &mut work)?;
            Some(work)
        }
    }

    /// A loop over a range in each mode.
    fn body(&mut self, body: Region, from: &[Value], to: &[Value], step: i64) -> Option<Work> {
        let ir = self.ir;
        let outside = self.loops.len();
        for ((&counter, &from), &to) in ir[body].parameters.iter().zip(from).zip(to) {
            let length = integer_of(ir, to)?.checked_sub(integer_of(ir, from)?)?.max(0);
            let iterations =
                u64::try_from(length).ok()?.div_ceil(u64::try_from(step).ok().filter(|&step| step > 0)?);
            self.loops.push((counter, iterations));
        }
        let work = self.region(body);
        self.loops.truncate(outside);
        work
    }

    fn iterations(&self) -> u64 {
        self.loops.iter().map(|(_, iterations)| *iterations).fold(1, u64::saturating_mul)
    }

    /// Adds the multiply-adds of a product in all iterations, none of other instructions; `None` if they are not known.
    fn products(&self, inst: Inst, work: &mut Work) -> Option<()> {
        let ir = self.ir;
        let memref = |value: Value| ir.ty(value).memref();
        let extent = |value: Value, mode: usize| memref(value)?.shape.get(mode)?.value();
        let elements = |values: [Value; 3]| -> Option<[Scalar; 3]> {
            let [a, b, c] = values.map(|value| memref(value).map(|memref| memref.element));
            Some([a?, b?, c?])
        };
        let (types, extents) = if let Op::Gemm(op) = &ir[inst].op {
            let depth = extent(op.a, usize::from(op.transpose_a == Transpose::N));
            (elements([op.a, op.b, op.c])?, [extent(op.c, 0), extent(op.c, 1), depth])
        } else if let Op::Gemv(op) = &ir[inst].op {
            (elements([op.a, op.b, op.c])?, [extent(op.c, 0), extent(op.b, 0), Some(1)])
        } else if let Op::TileDot(op) = &ir[inst].op {
            let (a, b, c) = (ir.ty(op.a).tile()?, ir.ty(op.b).tile()?, ir.ty(op.c).tile()?);
            ([a.component, b.component, c.component], [c.rows, c.cols, a.cols].map(Some))
        } else {
            return Some(());
        };
        let mut count = self.iterations();
        for extent in extents {
            count = count.saturating_mul(u64::try_from(extent?).ok()?);
        }
        work.multiply_adds.insert(types, count);
        let [multiplication, addition] = operations(types);
        work.operations.insert(types, count.saturating_mul(multiplication + addition));
        Some(())
    }

    /// Adds the operations of linear algebra that is no product, where its size is known.
    fn other_operations(&self, inst: Inst, work: &mut Work) {
        let ir = self.ir;
        let is = |value: Value, number| constant_of(ir, value).is_some_and(|constant| constant.is(number));
        let scalar = |value: Value| ir.ty(value).memref().map(|it| it.element).or(ir.ty(value).component());
        let found = if let Op::Ger(Ger { a, b, beta, c, .. }) | Op::Hadamard(Hadamard { a, b, beta, c, .. }) =
            &ir[inst].op
        {
            Some(([*a, *b, *c], *c, [true, !is(*beta, 0)]))
        } else if let Op::Axpby(Axpby { alpha, a, beta, b, .. }) = &ir[inst].op {
            Some(([*alpha, *a, *b], *b, [!is(*alpha, 1), !is(*beta, 0)]))
        } else if let Op::Sum(Sum { a, b, .. }) | Op::Cumsum(Cumsum { a, b, .. }) = &ir[inst].op {
            Some(([*a, *a, *b], *a, [false, true]))
        } else {
            None
        };
        let entries = |value: Value| {
            let memref = ir.ty(value).memref()?;
            let mut extents = memref.shape.iter().map(|extent| u64::try_from(extent.value()?).ok());
            extents.try_fold(self.iterations(), |entries, extent| Some(entries.saturating_mul(extent?)))
        };
        let Some(([a, b, c], of, does)) = found else { return };
        let (Some(a), Some(b), Some(c), Some(entries)) = (scalar(a), scalar(b), scalar(c), entries(of))
        else {
            return;
        };
        let each = operations([a, b, c]).into_iter().zip(does).map(|(count, does)| count * u64::from(does));
        work.operations.insert([a, b, c], entries.saturating_mul(each.sum()));
    }

    /// The accesses of an instruction to global memory.
    fn accesses(&self, inst: Inst, work: &mut Work) -> Option<()> {
        let ir = self.ir;
        let op = &ir[inst].op;
        let (mut found, mut before, mut keeps) = (Vec::new(), None, true);
        op.visit_accesses(&mut |value, access| {
            let memref = ir.ty(value).memref().filter(|memref| memref.space == AddressSpace::Global);
            if memref.is_some() && !matches!(access, Access::Value | Access::Alias) {
                found.push((value, access));
                // β stands before the operand that it is a factor of.
                let beta = before.filter(|_| op.info().side_effect == SideEffect::Memory);
                keeps = beta.and_then(|beta| constant_of(ir, beta)).is_none_or(|beta| !beta.is(0));
            }
            before = Some(value);
        });
        for (value, access) in found {
            let (indices, bytes) = self.extent(inst, value)?;
            let mut sources = self.sources_of(value);
            indices.iter().for_each(|&index| sources.extend(self.sources_of(index)));
            let own = self.loops.iter().filter(|(counter, _)| sources.contains(&Source::Counter(*counter)));
            let bytes = own.map(|(_, iterations)| *iterations).fold(bytes, u64::saturating_mul);
            let (place, part) = (self.place(value, &indices), Part { bytes, sources });
            if access == Access::Read || access == Access::ReadWrite && keeps {
                work.reads.insert(place.clone(), part.clone());
            }
            if access != Access::Read {
                work.writes.insert(place, part);
            }
        }
        Some(())
    }

    /// The indices of an access, and the bytes that it moves at once.
    fn extent(&self, inst: Inst, value: Value) -> Option<(Vec<Value>, u64)> {
        let ir = self.ir;
        let memref = ir.ty(value).memref()?;
        let whole = || {
            let mut extents = memref.shape.iter().map(|extent| extent.value());
            extents.try_fold(1_i64, |elements, extent| elements.checked_mul(extent?))
        };
        let of_tile = |tile: Value| {
            let tile = ir.ty(tile).tile()?;
            let entries = tile.rows.checked_mul(tile.cols)?;
            Some(whole().map_or(entries, |all| all.min(entries)))
        };
        let op = &ir[inst].op;
        let (indices, elements) = if let Op::TileLoad(op) = op {
            (vec![op.x, op.y], of_tile(*ir[inst].results.first()?)?)
        } else if let Op::TileStore(op) = op {
            (vec![op.x, op.y], of_tile(op.value)?)
        } else if let Op::TileCopy(op) = op {
            let to = ir.ty(op.to).memref()?;
            let entries = to.size_in_bytes()?.checked_div(to.element.bytes())?;
            (vec![op.x, op.y], whole().map_or(entries, |all| all.min(entries)))
        } else if op.info().family == Family::LinearAlgebra {
            (vec![], whole()?)
        } else if op.info().family == Family::Memory {
            // The operands behind the memref are the indices of an element.
            let mut operands = Vec::new();
            op.visit_operands(&mut |operand| operands.push(operand));
            (operands.into_iter().skip_while(|&operand| operand != value).skip(1).collect(), 1)
        } else {
            // Single subgroups access cooperative matrices.
            return None;
        };
        Some((indices, u64::try_from(memref.element.bytes_of(elements)?).ok()?))
    }

    /// The memory that a memref is, and the position of an access in it as far as views of the text tell it.
    fn place(&self, memref: Value, indices: &[Value]) -> Place {
        let ir = self.ir;
        let position = |value: &Value| integer_of(ir, *value).ok_or(*value);
        let mut positions: Vec<_> = indices.iter().map(position).collect();
        let mut base = memref;
        while let Some(op) = ir.defining_op(base) {
            if let Op::Subview(view) = op {
                let mut dynamic = view.offsets.iter();
                for offset in &view.static_offsets {
                    let next = offset.value().map(Ok).or_else(|| dynamic.next().map(position));
                    positions.extend(next);
                }
                base = view.of;
            } else if let Op::MemrefCast(cast) = op {
                base = cast.of;
            } else if let Op::AsSurface(surface) = op {
                base = surface.of;
            } else {
                break;
            }
        }
        (base, positions)
    }

    /// Notes what the results of an instruction follow from.
    fn define(&mut self, inst: Inst) {
        let data = &self.ir[inst];
        let mut operands = BTreeSet::new();
        data.op.visit_operands(&mut |operand| operands.extend(self.sources_of(operand)));
        for &result in &data.results {
            let sources = if let Op::Grid(Grid { op: GridBuiltin::GroupId, component }) = &data.op {
                BTreeSet::from([Source::Group(*component)])
            } else if let Op::TileOrder(_) = &data.op {
                BTreeSet::from([Source::Tile(result)])
            } else {
                operands.clone()
            };
            self.sources.insert(result, sources);
        }
    }

    /// Counters and coordinates that a value follows from.
    fn sources_of(&self, value: Value) -> BTreeSet<Source> {
        let Definition::Parameter(region) = self.ir[value].definition else {
            return self.sources.get(&value).cloned().unwrap_or_default();
        };
        let is_counter = |value: Value| self.loops.iter().any(|&(counter, _)| counter == value);
        // What a loop carries on follows from its counters.
        let first = self.ir[region].parameters.first().copied();
        let counter = Some(value).filter(|&value| is_counter(value));
        counter.or(first.filter(|&first| is_counter(first))).map(Source::Counter).into_iter().collect()
    }
}

/// The value of a condition on constants.
fn holds(ir: &Ir, condition: Value) -> Option<bool> {
    if let Some(Constant::Bool(holds)) = constant_of(ir, condition) {
        return Some(holds);
    }
    let Some(Op::Compare(Compare { op, a, b })) = ir.defining_op(condition) else { return None };
    let (a, b) = (integer_of(ir, *a)?, integer_of(ir, *b)?);
    Some(match op {
        CompareOp::Equal => a == b,
        CompareOp::NotEqual => a != b,
        CompareOp::LessThan => a < b,
        CompareOp::LessThanEqual => a <= b,
        CompareOp::GreaterThan => a > b,
        CompareOp::GreaterThanEqual => a >= b,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::NecessaryWork;
    use crate::diagnostics::Sources;
    use crate::driver;
    use crate::ir::{Ir, Scalar};

    /// Work of a function; `None` if it is not known.
    fn found(parameters: &str, body: &str) -> Option<NecessaryWork> {
        let (mut ir, mut sources) = (Ir::default(), Sources::new());
        let text = format!(
            "func @f({parameters}) {{
                %g = group_id.x : index
                %h = group_id.y : index
                %c0 = constant 0 : index
                %c4 = constant 4 : index
                %c64 = constant 64 : index
                %zero = constant 0.0 : f32
                %one = constant 1.0 : f32
                {body}
            }}"
        );
        let source = sources.add("f", text.as_bytes());
        let program = driver::parse(&mut ir, source, text.as_bytes()).unwrap();
        NecessaryWork::of(&ir, *program.functions.first().unwrap())
    }

    /// Bytes and multiply-adds of a function; `None` if they are not known.
    fn work(parameters: &str, body: &str) -> Option<(u64, u64)> {
        let work = found(parameters, body)?;
        Some((work.bytes, work.multiply_adds.values().sum()))
    }

    /// Operations of a function, with whether they depend on a branch.
    fn operations(parameters: &str, body: &str) -> (u64, bool) {
        let work = found(parameters, body).unwrap();
        (work.operations.values().sum(), work.depends_on_branch)
    }

    #[test]
    fn linear_algebra_has_operations() {
        let of = |element: &str, body: &str| {
            let parameters = format!(
                "%A: memref<{element}x8x4>, %B: memref<{element}x8x4>, %x: memref<{element}x8>, \
                 %y: memref<{element}x4>, %a: {element}"
            );
            operations(&parameters, body).0
        };
        for (element, [multiplication, addition]) in [("f32", [1, 1]), ("c32", [6, 2]), ("i32", [1, 1])] {
            let both = multiplication + addition;
            assert_eq!(of(element, "ger %a, %x, %y, %a, %A"), 32 * both);
            assert_eq!(of(element, "hadamard %a, %A, %A, %a, %B"), 32 * both);
            assert_eq!(of(element, "axpby.t %a, %x, %a, %x"), 8 * both);
            assert_eq!(of(element, "sum.n %a, %A, %a, %x"), 32 * addition);
            assert_eq!(of(element, "cumsum %a, %A, 1, %a, %B"), 32 * addition);
            assert_eq!(of(element, "gemv.n %a, %A, %y, %a, %x"), 32 * both);
            let each = "for %i=%c0,%c64 { hadamard %a, %x, %x, %a, %x }";
            assert_eq!(of(element, each), 64 * 8 * both);
        }
        for (a, b, expected) in [
            (Scalar::F32, Scalar::F32, [1, 1]),
            (Scalar::F32, Scalar::C32, [2, 2]),
            (Scalar::C32, Scalar::C32, [6, 2]),
        ] {
            assert_eq!(super::operations([a, b, Scalar::C32]), expected);
        }
        // With β = 0 nothing is added, and α = 1 is no factor.
        assert_eq!(of("f32", "ger %a, %x, %y, %zero, %A"), 32);
        assert_eq!(of("f32", "axpby.n %one, %A, %a, %B"), 32);
        assert_eq!(of("f32", "axpby.n %one, %A, %zero, %B"), 0);
    }

    #[test]
    fn operations_are_those_of_one_side_of_a_branch() {
        let parameters = "%A: memref<f32x8x8>, %x: memref<f64x8>, %y: memref<f32x8>";
        let (long, short) = ("gemm.n.n %one, %A, %A, %one, %A", "axpby.n 2.0, %x, 1.0, %x");
        let branch = |condition: &str, sides: [&str; 2]| {
            let [yes, no] = sides;
            let body = format!("%t = {condition} : bool if %t {{ {yes} }} else {{ {no} }}");
            operations(parameters, &body)
        };
        let unknown = "less_than %g, %c4";
        assert_eq!(branch(unknown, [long, short]), (1024, true));
        assert_eq!(branch(unknown, [short, long]), (1024, true));
        assert_eq!(branch(unknown, [short, short]), (16, false));
        assert_eq!(branch("less_than %c4, %c0", [long, short]), (16, false));
        let alone = format!("%t = {unknown} : bool if %t {{ {long} }}");
        assert_eq!(operations(parameters, &alone), (1024, true));
        assert_eq!(operations(parameters, long), (1024, false));
    }

    #[test]
    fn a_batch_shares_its_operator() {
        let parameters = "%K: memref<f32x8x8>, %P: memref<f32x8x4x?>, %Q: memref<f32x8x4x?>";
        let views =
            "%p = subview %P[0:8,0:4,%g] : memref<f32x8x4> %q = subview %Q[0:8,0:4,%g] : memref<f32x8x4>";
        let product = |beta: &str| format!("{views} gemm %one, %K, %p, {beta}, %q");
        assert_eq!(work(parameters, &product("%one")), Some((3 * 128, 256)));
        assert_eq!(work(parameters, &product("%zero")), Some((2 * 128, 256)));
        // Written twice and read between: once from memory, once to it.
        let twice = product("%zero") + " gemm %one, %K, %p, %one, %q";
        assert_eq!(work(parameters, &twice), Some((2 * 128, 512)));
    }

    #[test]
    fn panels_that_neighbours_read_count_for_nothing() {
        let parameters = "%A: memref<f32x64x64>, %B: memref<f32x64x64>, %C: memref<f32x64x64>";
        let load = |x: &str, y: &str, from: &str, kind: &str| {
            format!("tile_load {from}[{x},{y}] : tile<f32x4x4,{kind}>")
        };
        let (a, b) = (load("%g", "%k", "%A", "matrix_a"), load("%k", "%h", "%B", "matrix_b"));
        let body = format!(
            "%z = constant 0.0 : tile<f32x4x4,matrix_acc>
             %s = for %k=%c0,%c64,%c4 init(%acc=%z) -> (tile<f32x4x4,matrix_acc>) {{
                %a = {a}
                %b = {b}
                %n = tile_dot %a, %b, %acc : tile<f32x4x4,matrix_acc>
                yield (%n)
             }}
             tile_store %s, %C[%g,%h]"
        );
        assert_eq!(work(parameters, &body), Some((64, 4 * 4 * 64)));
        // In a grid of one direction no neighbour shares A.
        let body = body.replace("%h", "%c0");
        assert_eq!(work(parameters, &body), Some((64 + 4 * 64 * 4, 4 * 4 * 64)));
    }

    #[test]
    fn the_longer_side_of_a_branch_counts() {
        let store = "store %one, %v[%c0,%g]";
        let body = format!(
            "%t = less_than %g, %c4 : bool if %t {{ {store} }} else {{ {store} store %one, %v[%c4,%g] }}"
        );
        assert_eq!(work("%v: memref<f32x64x?>", &body), Some((8, 0)));
        // Of a branch on constants, the side that is taken
        let known = body.replace("less_than %g, %c4", "less_than %c0, %c4");
        assert_eq!(work("%v: memref<f32x64x?>", &known), Some((4, 0)));
        let early = "for %i=%c0,%c64 { %t = less_than %g, %c4 break_if %t store %one, %v[%i,%g] }";
        assert_eq!(work("%v: memref<f32x64x?>", early), None);
        let each = "foreach (%i)=(%c0),(%c64) { %x = load %v[%i,%g] : f32 store %x, %v[%i,%g] }";
        assert_eq!(work("%v: memref<f32x64x?>", each), Some((2 * 4 * 64, 0)));
        assert_eq!(work("%v: memref<f32x64x?>", "parallel { store %one, %v[%c0,%g] }"), None);
        assert_eq!(work("%v: memref<f32x?>, %w: memref<f32>", "sum.n %one, %v, %zero, %w"), None);
        assert_eq!(work("%v: memref<f32x64x?>, %n: index", &each.replace("%c64", "%n")), None);
    }
}
