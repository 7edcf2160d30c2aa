//! Instructions whose results depend on the device, or on who runs them. They are compiled, not run.

use crate::generate::Generator;
use crate::scope::{Mem, Num, Root, Scope};
use tiletc::ir::{
    Associated, AtomicLoad, AtomicStore, AtomicUpdate, AtomicUpdateOp, Barrier, Builder, Built, Checked,
    Component, Constant, Coopmatrix, CoopmatrixAtomicLoad, CoopmatrixAtomicOp, CoopmatrixAtomicStore,
    CoopmatrixAtomicUpdate, CoopmatrixExtract, CoopmatrixInsert, CoopmatrixPrefetch, CoopmatrixSlice,
    FenceGlobal, FenceLocal, Grid, GridBuiltin, Load, LocalSubgroup, LocalSubgroupBuiltin, MatrixUse,
    MemoryScope, MemorySemantics, NumSubgroups, Scalar, Size, Subgroup, SubgroupId, SubgroupOp, Transpose,
    Type, UniformSubgroup, UniformSubgroupBuiltin,
};

impl Generator<'_> {
    /// One of them.
    pub fn anything(&mut self, b: &mut Builder<'_>, scope: &mut Scope) -> Built<()> {
        let component = self.choices.of(&[Component::X, Component::Y, Component::Z]);
        let (value, scalar) = match self.choices.below(16) {
            0 => {
                let op = self.choices.of(&[GridBuiltin::GroupId, GridBuiltin::NumGroups]);
                (b.value(Grid { op, component }, Type::INDEX)?, Scalar::Index)
            }
            1 => (b.value(NumSubgroups { component }, Type::I32)?, Scalar::I32),
            2 => {
                let op = UniformSubgroupBuiltin::SubgroupSize;
                (b.value(UniformSubgroup { op }, Type::I32)?, Scalar::I32)
            }
            3 => {
                let global = self.choices.of(&[FenceGlobal::No, FenceGlobal::Yes]);
                let local = self.choices.of(&[FenceLocal::No, FenceLocal::Yes]);
                b.emit(Barrier { global, local }, &[])?;
                return Ok(());
            }
            4 if self.is_spmd => (b.value(SubgroupId { component }, Type::I32)?, Scalar::I32),
            5 if self.is_spmd => {
                let ops = [LocalSubgroupBuiltin::SubgroupLocalId, LocalSubgroupBuiltin::SubgroupLinearId];
                (b.value(LocalSubgroup { op: self.choices.of(&ops) }, Type::I32)?, Scalar::I32)
            }
            6 | 7 if self.is_spmd => {
                let adds =
                    [SubgroupOp::ReduceAdd, SubgroupOp::ExclusiveScanAdd, SubgroupOp::InclusiveScanAdd];
                let op = self.choices.of(SubgroupOp::ALL);
                // Complex numbers have no order.
                let scalar = self.scalar();
                let scalar = if adds.contains(&op) { scalar } else { scalar.component() };
                let a = self.num(b, scope, scalar)?.value;
                (b.value(Subgroup { op, a }, scalar)?, scalar)
            }
            8..12 if self.is_spmd => return self.any_matrix(b, scope),
            12..14 if !scope.groups.is_empty() => return self.member(b, scope),
            _ => return self.any_memory(b, scope),
        };
        scope.nums.push(Num { value, scalar: Some(scalar), bound: f64::INFINITY, below: None });
        Ok(())
    }

    /// A member of a group, which is memory of its own.
    fn member(&mut self, b: &mut Builder<'_>, scope: &mut Scope) -> Built<()> {
        let from = self.choices.of(&scope.groups);
        let Type::Group(group) = b.ir.ty(from).clone() else { return Ok(()) };
        let indices = vec![self.position(b, scope, 3)?.value];
        let value = b.value(Load { from, indices }, Type::Memref(group.member.clone()))?;
        self.roots.push(Root { bound: f64::INFINITY });
        let (shape, stride, root) = (vec![4, 5], vec![1, 4], self.roots.len() - 1);
        scope.mems.push(Mem { value, ty: (*group.member).clone(), shape, stride, root });
        Ok(())
    }

    fn any_memory(&mut self, b: &mut Builder<'_>, scope: &mut Scope) -> Built<()> {
        let Some(mem) = self.some_memory(scope, |_| true) else { return Ok(()) };
        let memory_scope = self.choices.of(MemoryScope::ALL);
        let semantics = self.choices.of(MemorySemantics::ALL);
        let element = mem.element();
        let indices = self.positions(b, scope, &mem)?;
        let (value, scalar) = match self.choices.below(5) {
            0 => (b.value(Associated { of: mem.value }, Type::Bool)?, None),
            1 if !mem.shape.is_empty() => {
                let mode = self.choices.below(mem.shape.len()) as i64;
                (b.value(Size { of: mem.value, mode }, Type::INDEX)?, Some(Scalar::Index))
            }
            2 => {
                let from = mem.value;
                let load = AtomicLoad { scope: memory_scope, semantics, from, indices };
                (b.value(load, element)?, Some(element))
            }
            3 => {
                let value = self.num(b, scope, element)?.value;
                let to = mem.value;
                b.emit(AtomicStore { scope: memory_scope, semantics, value, to, indices }, &[])?;
                return Ok(());
            }
            _ => {
                let op = self.choices.of(AtomicUpdateOp::ALL);
                let (value, to) = (self.num(b, scope, element)?.value, mem.value);
                let update = AtomicUpdate { op, scope: memory_scope, semantics, value, to, indices };
                (b.value(update, element)?, Some(element))
            }
        };
        scope.nums.push(Num { value, scalar, bound: f64::INFINITY, below: None });
        Ok(())
    }

    fn some_memory(&mut self, scope: &Scope, fits: impl Fn(&Mem) -> bool) -> Option<Mem> {
        let fits: Vec<Mem> =
            scope.mems.iter().rev().filter(|mem| fits(mem) && !mem.is_empty()).cloned().collect();
        if fits.is_empty() { None } else { Some(self.choices.of(&fits)) }
    }

    fn any_matrix(&mut self, b: &mut Builder<'_>, scope: &mut Scope) -> Built<()> {
        let Some(mem) = self.some_memory(scope, |mem| mem.shape.len() == 2) else { return Ok(()) };
        let usage = self.choices.of(&[MatrixUse::Acc, MatrixUse::A, MatrixUse::B]);
        let component = mem.element();
        let (rows, cols) = (self.choices.of(&[16i64, 1, 2, 4, 8, 32]), self.choices.of(&[4i64, 0, 1, 5, 16]));
        let ty = Coopmatrix { component, rows, cols, usage };
        let constant = match (component.is_complex(), component.is_float()) {
            (true, _) => Constant::Complex(1.0, -1.0),
            (_, true) => Constant::Float(1.0),
            _ => Constant::Int(1),
        };
        let matrix = b.constant(constant, ty)?;
        let (x, y) = (self.position(b, scope, 2)?.value, self.position(b, scope, 2)?.value);
        let transpose = self.choices.of(&[Transpose::N, Transpose::T]);
        let checked = self.choices.of(Checked::ALL);
        let (scope, semantics) = (self.choices.of(MemoryScope::ALL), self.choices.of(MemorySemantics::ALL));
        let (value, to, from) = (matrix, mem.value, mem.value);
        match self.choices.below(5) {
            0 => {
                let load = CoopmatrixAtomicLoad { transpose, checked, scope, semantics, from, x, y };
                b.value(load, ty)?;
            }
            1 => {
                let store = CoopmatrixAtomicStore { transpose, checked, scope, semantics, value, to, x, y };
                b.emit(store, &[])?;
            }
            2 => {
                let op = self.choices.of(CoopmatrixAtomicOp::ALL);
                let update =
                    CoopmatrixAtomicUpdate { op, transpose, checked, scope, semantics, value, to, x, y };
                b.value(update, ty)?;
            }
            3 => {
                let level = self.choices.of(&[0, 1, 2]);
                let [rows, cols] = [rows, cols.max(1)].map(|size| i32::try_from(size).unwrap_or(i32::MAX));
                b.emit(CoopmatrixPrefetch { level, of: mem.value, x, y, rows, cols, io: None }, &[])?;
            }
            _ => {
                let value = b.value(CoopmatrixExtract { matrix, index: 0 }, component)?;
                b.value(CoopmatrixInsert { value, matrix, index: 0 }, ty)?;
                b.value(CoopmatrixSlice { matrix, row: 0, col: 0 }, ty)?;
            }
        }
        Ok(())
    }
}
