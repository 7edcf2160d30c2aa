//! The instructions of kernels.

use super::Kernel;
use rspirv::dr::{InsertPoint, Instruction, Operand};
use rspirv::spirv::{MemoryAccess, MemorySemantics, Op, Scope, StorageClass, Word};

impl Kernel {
    /// Emits any instruction.
    pub fn emit(&mut self, op: Op, ty: Option<Word>, operands: impl IntoIterator<Item = Operand>) -> Word {
        let id = ty.map(|_| self.b.id());
        let inst = Instruction::new(op, ty, id, operands.into_iter().collect());
        self.b.insert_into_block(InsertPoint::End, inst).unwrap();
        id.unwrap_or(0)
    }

    /// Emits an instruction of numbers.
    pub fn compute(&mut self, op: Op, operands: &[Word]) -> Word {
        let operands: Vec<Operand> = operands.iter().map(|&id| Operand::IdRef(id)).collect();
        self.emit(op, Some(self.int), operands)
    }

    pub fn number(&mut self, value: i32) -> Word {
        self.b.constant_bit32(self.int, value.cast_unsigned())
    }

    /// The pointer so many numbers on.
    pub fn index(&mut self, pointer: Word, index: Word) -> Word {
        let class = match pointer {
            _ if pointer == self.local => StorageClass::Workgroup,
            _ if pointer == self.table => StorageClass::UniformConstant,
            _ => StorageClass::CrossWorkgroup,
        };
        let ty = self.b.type_pointer(None, class, self.int);
        self.b.in_bounds_ptr_access_chain(ty, None, pointer, index, []).unwrap()
    }

    pub fn at(&mut self, pointer: Word, index: i32) -> Word {
        let index = self.number(index);
        self.index(pointer, index)
    }

    pub fn load(&mut self, pointer: Word) -> Word {
        self.load_aligned(pointer, 4)
    }

    pub fn load_aligned(&mut self, pointer: Word, alignment: u32) -> Word {
        let alignment = [Operand::LiteralBit32(alignment)];
        self.b.load(self.int, None, pointer, Some(MemoryAccess::ALIGNED), alignment).unwrap()
    }

    pub fn store(&mut self, pointer: Word, value: Word) {
        self.store_aligned(pointer, value, 4);
    }

    pub fn store_aligned(&mut self, pointer: Word, value: Word, alignment: u32) {
        let alignment = [Operand::LiteralBit32(alignment)];
        self.b.store(pointer, value, Some(MemoryAccess::ALIGNED), alignment).unwrap();
    }

    pub fn scope(&mut self, scope: Scope) -> Operand {
        Operand::IdScope(self.number(scope as i32))
    }

    pub fn semantics(&mut self, semantics: MemorySemantics) -> Operand {
        Operand::IdMemorySemantics(self.number(semantics.bits() as i32))
    }

    /// An atomic instruction with at most one operand.
    pub fn atomic(
        &mut self,
        op: Op,
        pointer: Word,
        scope: Scope,
        semantics: MemorySemantics,
        value: Option<Word>,
    ) -> Word {
        let operands = [Operand::IdRef(pointer), self.scope(scope), self.semantics(semantics)];
        let operands = operands.into_iter().chain(value.map(Operand::IdRef));
        let ty = (op != Op::AtomicStore).then_some(self.int);
        self.emit(op, ty, operands)
    }

    /// A barrier of the work-group or the subgroup for these kinds of memory.
    pub fn barrier(&mut self, op: Op, execution: Scope, memory: MemorySemantics) {
        let semantics = memory | MemorySemantics::SEQUENTIALLY_CONSISTENT;
        let operands = [self.scope(execution), self.scope(execution), self.semantics(semantics)];
        self.emit(op, None, operands);
    }

    pub fn global_barrier(&mut self) {
        self.barrier(Op::ControlBarrier, Scope::Workgroup, MemorySemantics::CROSS_WORKGROUP_MEMORY);
    }

    pub fn local_barrier(&mut self) {
        self.barrier(Op::ControlBarrier, Scope::Workgroup, MemorySemantics::WORKGROUP_MEMORY);
    }

    pub fn compare(&mut self, op: Op, a: Word, b: Word) -> Word {
        self.emit(op, Some(self.bool), [Operand::IdRef(a), Operand::IdRef(b)])
    }

    /// Code for lanes for which a condition holds.
    pub fn when(&mut self, condition: Word, body: impl FnOnce(&mut Kernel)) {
        let (yes, behind) = (self.b.id(), self.b.id());
        self.b.branch_conditional(condition, yes, behind, []).unwrap();
        self.b.begin_block(Some(yes)).unwrap();
        body(self);
        if self.b.selected_block().is_some() {
            self.b.branch(behind).unwrap();
        }
        self.b.begin_block(Some(behind)).unwrap();
    }

    /// Code for one lane of each subgroup.
    pub fn when_lane(&mut self, lane: i32, body: impl FnOnce(&mut Kernel)) {
        let lane = self.number(lane);
        let condition = self.compare(Op::IEqual, self.lane, lane);
        self.when(condition, body);
    }

    /// Code for one work-item.
    pub fn when_item(&mut self, item: i32, body: impl FnOnce(&mut Kernel)) {
        let item = self.number(item);
        let condition = self.compare(Op::IEqual, self.item, item);
        self.when(condition, body);
    }
}
