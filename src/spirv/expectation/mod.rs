//! Facts about a kernel that its module tells before any driver has seen it: its shared local memory, and the share of
//! multiply-adds in what it issues.

mod banks;
mod code;
mod loops;
mod path;
mod vector;

pub use banks::{BankConflict, Banks};
pub use path::{KernelPath, LoopWork, Share};

use super::module::Module;
use crate::device::{CoreInfo, Family};
use rspirv::dr::{Block, Function, Instruction, Operand};
use rspirv::spirv::{ExecutionMode, Op, StorageClass, Word};

/// Facts about a kernel on a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expectation {
    /// Bytes of shared local memory of a work-group.
    pub local_memory: u64,
    /// Share of multiply-adds in the cycles of a hardware thread's hot loop, or of the whole without one, from 0 to 1: an estimate.
    /// They are those of the matrix engine, or of the vector engine in a kernel without products on an engine. `None` without
    /// any, and for families whose costs are not known.
    pub multiply_add_share: Option<f64>,
}

/// Cycles of a hardware thread by what it issues. They are fitted to what Intel's compiler makes of the products of
/// `tests/filetests/kernels`, as `cargo xtask isa` counts it (lowering reference 1.16).
#[derive(Default)]
struct Costs {
    /// An iteration of the loop.
    iteration: f64,
    /// A 2D block message with its coordinates.
    message: f64,
    /// One that transposes.
    transpose: f64,
    /// Either of them in a loop that transposes and has so few that their coordinates stay in registers, if that costs less.
    kept_message: Option<f64>,
    /// Putting the columns of a transposed B in order behind its message.
    transposed_b: f64,
    /// A 2D block message that stores.
    block_store: f64,
    /// The address of an element, and its load.
    address: f64,
    /// The same where a test decides whether there is an element.
    tested_address: f64,
    /// A component that is put into a vector, and one that is taken out.
    construct: f64,
    extract: f64,
    /// A component that is moved to its place among others, which came by other messages.
    insert: f64,
    /// Further cycles of a byte on the main path: one that is put beside others of its word, one that each lane loads for itself, and
    /// one that it loads if a test says that it is there.
    insert_byte: f64,
    byte_load: f64,
    tested_byte: f64,
    store: f64,
    /// A component that is converted to another type.
    convert: f64,
    /// An integer that becomes a float, or a byte that becomes one of 16 bits: bytes are spread over words first.
    from_integer: f64,
    /// The same behind a block message that transposes words, of which each lane takes the bytes apart.
    from_transposed: f64,
    /// A register of a factor that is rounded to tf32.
    round: f64,
    /// A load of a number that does not fill a word, by each lane, on its way to local memory.
    narrow_load: f64,
    /// A vector that is taken for one of other components.
    bitcast: f64,
    /// An operation on integers.
    arithmetic: f64,
    /// An operation on floating-point numbers, a comparison or a choice.
    entry: f64,
    /// The address of a message to local memory, whose messages take a constant besides.
    local_address: f64,
    /// An elementary function or a division.
    math: f64,
    /// A sum, maximum or minimum of a subgroup.
    reduction: f64,
    branch: f64,
}

impl Costs {
    fn of(family: Family) -> Option<Costs> {
        match family {
            Family::XeHpc => Some(Costs {
                message: 5.15,
                transpose: 4.3,
                kept_message: Some(2.0),
                transposed_b: 9.05,
                block_store: 19.6,
                address: 4.9,
                tested_address: 4.9,
                local_address: 1.9,
                insert: 0.85,
                insert_byte: 0.7,
                tested_byte: 4.4,
                store: 0.4,
                convert: 0.47,
                from_integer: 4.4,
                from_transposed: 6.6,
                narrow_load: 4.0,
                round: 1.0,
                arithmetic: 0.38,
                entry: 1.0,
                math: 4.0,
                reduction: 9.0,
                ..Costs::default()
            }),
            Family::Xe2 | Family::Xe3 => Some(Costs {
                iteration: 5.6,
                message: 1.95,
                transpose: 0.5,
                transposed_b: 8.55,
                block_store: 11.9,
                address: 2.1,
                tested_address: 2.1,
                local_address: 0.9,
                insert: 0.85,
                insert_byte: 1.2,
                byte_load: 0.4,
                tested_byte: 3.0,
                store: 12.1,
                convert: 0.22,
                from_integer: 3.3,
                from_transposed: 3.3,
                narrow_load: 2.2,
                round: 1.05,
                arithmetic: 0.4,
                entry: 1.0,
                math: 4.0,
                reduction: 9.0,
                branch: 0.5,
                ..Costs::default()
            }),
            Family::XeHpg => Some(Costs {
                iteration: 57.0,
                tested_address: 0.52,
                construct: 0.22,
                extract: 1.3,
                store: 1.5,
                convert: 4.5,
                narrow_load: 3.4,
                byte_load: 0.5,
                tested_byte: 2.3,
                bitcast: 1.7,
                ..Costs::default()
            }),
            Family::XeLp | Family::XeHpcVg | Family::XeLpg | Family::XeLpgPlus => None,
        }
    }

    /// Cycles of an instruction whose result has so many components, besides those of the engine.
    fn cycles(&self, inst: &Instruction, components: f64) -> f64 {
        match inst.class.opcode {
            Op::Subgroup2DBlockLoadINTEL
            | Op::Subgroup2DBlockLoadTransformINTEL
            | Op::Subgroup2DBlockPrefetchINTEL => self.message,
            Op::Subgroup2DBlockLoadTransposeINTEL => self.transpose,
            Op::Subgroup2DBlockStoreINTEL => self.block_store,
            Op::InBoundsPtrAccessChain => self.address,
            Op::PtrAccessChain => self.tested_address,
            Op::CompositeConstruct => self.construct * components,
            Op::CompositeExtract => self.extract,
            Op::CompositeInsert => self.insert,
            Op::Store => self.store,
            Op::FConvert => self.convert * components,
            Op::ConvertSToF => self.from_integer * components,
            Op::RoundFToTF32INTEL => self.round * components,
            Op::Bitcast => self.bitcast,
            Op::IAdd | Op::IMul | Op::UConvert => self.arithmetic,
            Op::BranchConditional => self.branch,
            Op::FAdd | Op::FSub | Op::FMul | Op::FNegate | Op::Select => self.entry,
            Op::FOrdEqual
            | Op::FOrdLessThan
            | Op::FOrdLessThanEqual
            | Op::FOrdGreaterThan
            | Op::FOrdGreaterThanEqual => self.entry,
            Op::ExtInst | Op::FDiv => self.math,
            Op::GroupFAdd | Op::GroupFMax | Op::GroupFMin => self.reduction,
            _ => 0.0,
        }
    }

    /// Cycles of an instruction whose result is a byte, or made of bytes, besides those of [`Costs::cycles`].
    fn byte(&self, op: Op) -> f64 {
        match op {
            Op::CompositeInsert => self.insert_byte,
            Op::Load => self.byte_load,
            Op::Phi => self.tested_byte,
            _ => 0.0,
        }
    }
}

/// Loads by 2D blocks in a loop without other messages, some of which transpose, whose coordinates Intel's compiler keeps in registers from
/// iteration to iteration.
const MAX_KEPT: f64 = 6.0;

/// The work of some blocks of a function.
#[derive(Clone, Copy, Default)]
struct Work {
    /// Columns of all dpas.
    columns: u64,
    /// Cycles of everything else but loads by 2D blocks.
    other: f64,
    /// Loads by 2D blocks, those of them that transpose, and the cycles of all.
    loads: f64,
    transposes: f64,
    load_cycles: f64,
    /// Other messages with coordinates or addresses: prefetches, and those to local memory.
    others: f64,
    /// Loads of numbers that do not fill a word, by each lane.
    narrow_loads: f64,
    /// Further cycles of bytes on the main path.
    bytes: f64,
}

impl Work {
    fn times(self, count: u64) -> Work {
        let Work { columns, other, loads, transposes, load_cycles, others, narrow_loads, bytes } = self;
        let times = count as f64;
        Work {
            columns: columns.saturating_mul(count),
            other: other * times,
            loads: loads * times,
            transposes: transposes * times,
            load_cycles: load_cycles * times,
            others: others * times,
            narrow_loads: narrow_loads * times,
            bytes: bytes * times,
        }
    }

    fn plus(self, more: Work) -> Work {
        Work {
            columns: self.columns + more.columns,
            other: self.other + more.other,
            loads: self.loads + more.loads,
            transposes: self.transposes + more.transposes,
            load_cycles: self.load_cycles + more.load_cycles,
            others: self.others + more.others,
            narrow_loads: self.narrow_loads + more.narrow_loads,
            bytes: self.bytes + more.bytes,
        }
    }

    /// Cycles of everything but multiply-adds.
    fn cycles(self) -> f64 {
        self.other + self.load_cycles
    }

    /// The same in an iteration of a loop.
    fn cycles_in_loop(self, costs: &Costs) -> f64 {
        let is_kept = self.transposes > 0.0 && self.loads <= MAX_KEPT && self.others == 0.0;
        match costs.kept_message.filter(|_| is_kept) {
            Some(cost) => self.other + self.loads * cost,
            // What goes to local memory is not put together from other loads.
            None if self.others > 0.0 => self.cycles() + self.narrow_loads * costs.narrow_load,
            None => self.cycles(),
        }
    }
}

/// A loop whose iterations stay some.
struct Loop {
    /// The block behind it, and the one behind the loop around it.
    end: Word,
    around: Option<Word>,
    /// The work of an iteration.
    work: Work,
    /// True if drivers may put several iterations into one.
    may_unroll: bool,
}

impl Loop {
    /// A measure of how often drivers repeat the body, more often the shorter it is; 0 if they may not.
    fn copies(&self, costs: &Costs) -> f64 {
        if self.may_unroll { 1.0 / self.work.cycles_in_loop(costs).max(1.0) } else { 0.0 }
    }
}

impl Module {
    /// Expectation of a kernel; `None` if the module has none of this name.
    pub fn expectation(&self, kernel: &str, info: &CoreInfo) -> Option<Expectation> {
        let entry_point = self.entry_point(kernel)?;
        let function = self.function(entry_point)?;
        let interface = entry_point.operands.iter().skip(3).filter_map(reference);
        let local_memory = interface.filter_map(|variable| self.local_bytes(variable)).sum();
        let multiply_add_share = info.family().and_then(|family| {
            let column = info.matrix_engine().map_or(1.0, |engine| engine.column_cycles() as f64);
            let of_engine = Costs::of(family).and_then(|costs| self.engine_share(function, &costs, column));
            of_engine.or_else(|| self.vector_share(function, info, &vector::Costs::of(family)?))
        });
        Some(Expectation { local_memory, multiply_add_share })
    }

    /// The accesses of a kernel to local memory and their bank conflicts; `None` if the module has no kernel of this name with a subgroup
    /// size.
    pub fn banks(&self, kernel: &str) -> Option<Banks> {
        let function = self.function(self.entry_point(kernel)?)?;
        let code = code::Code::new(&self.module, function, self.subgroup_size(function)?);
        Some(banks::of(&code, function))
    }

    fn entry_point(&self, kernel: &str) -> Option<&Instruction> {
        let is_named = |inst: &&Instruction| matches!(inst.operands.get(2), Some(Operand::LiteralString(name)) if name == kernel);
        self.module.entry_points.iter().find(is_named)
    }

    /// The function of an entry point.
    fn function(&self, entry_point: &Instruction) -> Option<&Function> {
        let id = reference(entry_point.operands.get(1)?)?;
        let is_its = |function: &&Function| function.def.as_ref().and_then(|def| def.result_id) == Some(id);
        self.module.functions.iter().find(is_its)
    }

    /// The operands of an execution mode of a function.
    fn execution_mode(&self, function: &Function, mode: ExecutionMode) -> Option<Vec<u64>> {
        let id = function.def.as_ref()?.result_id?;
        self.module.execution_modes.iter().find_map(|inst| match inst.operands.as_slice() {
            [Operand::IdRef(of), Operand::ExecutionMode(found), numbers @ ..]
                if *of == id && *found == mode =>
            {
                let number = |operand: &Operand| match operand {
                    Operand::LiteralBit32(number) => Some(u64::from(*number)),
                    _ => None,
                };
                numbers.iter().map(number).collect()
            }
            _ => None,
        })
    }

    fn subgroup_size(&self, function: &Function) -> Option<u64> {
        self.execution_mode(function, ExecutionMode::SubgroupSize)?.first().copied()
    }

    /// Bytes of a variable in local memory, an array of bytes.
    fn local_bytes(&self, variable: Word) -> Option<u64> {
        let found = |id: Word| self.module.types_global_values.iter().find(|inst| inst.result_id == Some(id));
        let pointer = found(found(variable)?.result_type?)?;
        let (class, pointee) = (pointer.operands.first()?, reference(pointer.operands.get(1)?)?);
        if *class != Operand::StorageClass(StorageClass::Workgroup) {
            return None;
        }
        match found(reference(found(pointee)?.operands.get(1)?)?)?.operands.first()? {
            Operand::LiteralBit32(length) => Some(u64::from(*length)),
            Operand::LiteralBit64(length) => Some(*length),
            _ => None,
        }
    }

    fn vector_share(&self, function: &Function, info: &CoreInfo, costs: &vector::Costs) -> Option<f64> {
        let lanes = self.subgroup_size(function)?;
        let register = u64::try_from(info.register_bytes()).ok().filter(|&bytes| bytes > 0)?;
        vector::share(&code::Code::new(&self.module, function, lanes), function, costs, register)
    }

    /// The engine's share of the innermost loop that has most of its work, or of all if no loop has any; of several the one that drivers unroll most, and
    /// the last of those that they may not, but for one that does the rest of another's steps. Short loops in another one are unrolled.
    fn engine_share(&self, function: &Function, costs: &Costs, column: f64) -> Option<f64> {
        let code = code::Code::new(&self.module, function, self.subgroup_size(function)?);
        let mut loops: Vec<Loop> = Vec::new();
        let mut all = Work::default();
        // Blocks come in the order of the text, so that a loop has those from its head to where it is left. Behind the end of each
        // stands how often it is in the loop around it, if it is unrolled there.
        let mut around: Vec<(Word, Option<u64>)> = Vec::new();
        for block in &function.blocks {
            let label = block.label.as_ref().and_then(|label| label.result_id);
            while around.last().is_some_and(|&(end, _)| Some(end) == label) {
                around.pop();
            }
            let head = block.instructions.iter().find(|inst| inst.class.opcode == Op::LoopMerge);
            if let Some((head, end)) = head.and_then(|head| Some((head, reference(head.operands.first()?)?)))
            {
                let copies = loops::unrolled(&code, block, head).filter(|_| !around.is_empty());
                let outer = around.last().map(|&(end, _)| end);
                around.push((end, copies));
                if copies.is_none() {
                    let work = Work { other: costs.iteration, ..Work::default() };
                    loops.push(Loop { end, around: outer, work, may_unroll: loops::may_unroll(head) });
                }
            }
            let rolled = around.iter().rposition(|(_, copies)| copies.is_none());
            let inner = around.iter().skip(rolled.map_or(0, |place| place + 1));
            let copies = inner.filter_map(|&(_, copies)| copies).fold(1, u64::saturating_mul);
            let work = self.work(block, &code, costs).times(copies);
            let own = rolled.and_then(|place| around.get(place));
            let own = own.and_then(|&(end, _)| loops.iter_mut().find(|other| other.end == end));
            for sum in own.map(|own| &mut own.work).into_iter().chain([&mut all]) {
                *sum = sum.plus(work);
            }
        }
        // What follows a loop in the same one around them is the rest of its steps; of versions of the code the last one is meant.
        let hot = loops.iter().reduce(|best, other| {
            let order = other.work.columns.cmp(&best.work.columns);
            let order = order.then(other.copies(costs).total_cmp(&best.copies(costs)));
            let is_rest = other.around.is_some() && other.around == best.around;
            if order.is_gt() || order.is_eq() && !is_rest { other } else { best }
        });
        let hot = hot.map(|hot| hot.work);
        let (columns, other) = match hot.filter(|work| work.columns > 0) {
            Some(hot) => (hot.columns, hot.cycles_in_loop(costs)),
            None => (all.columns, all.cycles()),
        };
        let engine = columns as f64 * column;
        (engine > 0.0).then(|| engine / (engine + other))
    }

    fn work(&self, block: &Block, code: &code::Code<'_>, costs: &Costs) -> Work {
        let (mut work, mut after_transposed, mut last) = (Work::default(), false, None);
        for inst in &block.instructions {
            let (component, components) = self.components(inst.result_type);
            let cycles = costs.cycles(inst, components as f64);
            if self.bits(component) == Some((Op::TypeInt, 8)) {
                work.bytes += costs.byte(inst.class.opcode);
            }
            match inst.class.opcode {
                Op::SubgroupMatrixMultiplyAccumulateINTEL => work.columns += components,
                Op::Subgroup2DBlockLoadINTEL
                | Op::Subgroup2DBlockLoadTransformINTEL
                | Op::Subgroup2DBlockLoadTransposeINTEL => {
                    after_transposed = inst.class.opcode == Op::Subgroup2DBlockLoadTransposeINTEL;
                    work.loads += 1.0;
                    work.transposes += f64::from(after_transposed);
                    work.load_cycles += cycles;
                    continue;
                }
                Op::Subgroup2DBlockPrefetchINTEL => {
                    after_transposed = false;
                    work.others += 1.0;
                }
                _ => {}
            }
            // Behind such a message only fragments of B are taken for others than they were read as.
            work.other += match inst.class.opcode {
                Op::Bitcast if after_transposed => costs.transposed_b,
                Op::InBoundsPtrAccessChain if self.is_local(inst) => {
                    work.others += 1.0;
                    costs.local_address
                }
                // A place behind one that may not be there is behind a test.
                Op::InBoundsPtrAccessChain if code.is_from(inst, Op::PtrAccessChain) => costs.tested_address,
                // One of two distances, in 64 bits.
                Op::Select if self.bits(inst.result_type) == Some((Op::TypeInt, 64)) => costs.arithmetic,
                Op::SConvert if self.bits(inst.result_type) == Some((Op::TypeInt, 16)) => costs.from_integer,
                Op::ConvertSToF if work.transposes > 0.0 => costs.from_transposed * components as f64,
                Op::Load if self.bits(inst.result_type).is_some_and(|(_, bits)| bits < 32) => {
                    let address = code.operand(inst, 0).map(|pointer| code.address(pointer));
                    work.narrow_loads += f64::from(!is_other_half(last.as_ref(), address.as_ref()));
                    last = address;
                    cycles
                }
                _ => cycles,
            };
        }
        work
    }

    /// The declaration of a type.
    fn declaration(&self, ty: Option<Word>) -> Option<&Instruction> {
        self.module.types_global_values.iter().find(|inst| ty.is_some() && inst.result_id == ty)
    }

    /// Returns whether the result of an instruction points to local memory.
    fn is_local(&self, inst: &Instruction) -> bool {
        let class = self.declaration(inst.result_type).and_then(|pointer| pointer.operands.first());
        class == Some(&Operand::StorageClass(StorageClass::Workgroup))
    }

    /// The type of a number, and its bits.
    fn bits(&self, ty: Option<Word>) -> Option<(Op, u32)> {
        let ty = self.declaration(ty)?;
        match ty.operands.first() {
            Some(Operand::LiteralBit32(bits)) if matches!(ty.class.opcode, Op::TypeInt | Op::TypeFloat) => {
                Some((ty.class.opcode, *bits))
            }
            _ => None,
        }
    }

    /// Type and number of the components of a vector; those of any other type are one of it.
    fn components(&self, ty: Option<Word>) -> (Option<Word>, u64) {
        let vector = self.declaration(ty).filter(|inst| inst.class.opcode == Op::TypeVector);
        match vector.map(|inst| inst.operands.as_slice()) {
            Some([Operand::IdRef(component), Operand::LiteralBit32(length)]) => {
                (Some(*component), u64::from(*length))
            }
            _ => (ty, 1),
        }
    }
}

/// Returns whether an address is that of the second half of a word whose first half was loaded last: one message brings both.
fn is_other_half(last: Option<&code::Address>, address: Option<&code::Address>) -> bool {
    let (Some((terms, last)), Some((own, offset))) = (last, address) else { return false };
    terms == own && offset.wrapping_sub(*last) == 2
}

fn reference(operand: &Operand) -> Option<Word> {
    match operand {
        Operand::IdRef(id) => Some(*id),
        _ => None,
    }
}
