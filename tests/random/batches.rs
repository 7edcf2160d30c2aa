//! Products of batches, a member for each of several work-groups.

use crate::generate::{Generator, Parameter};
use crate::scope::{Mem, Scope};
use tiletc::ir::{
    Builder, Built, Component, For, ForAttributes, FunctionAttributes, Gemm, Grid, GridBuiltin, Scalar, Size,
    Slice, SubgroupSize, Transpose, Type, Value,
};

/// Products C := α·op(A)·op(B) + β·C and E := α·C·D + β·E for each member.
pub struct Batch {
    members: i64,
    /// Rows, columns and terms of C, and columns of E.
    sizes: [i64; 4],
    /// Types of the factors and of the results.
    types: [Scalar; 2],
    transposes: [Transpose; 2],
    /// True for A, B and D if all members have the same.
    shares: [bool; 3],
    /// True if there is a second product.
    has_second: bool,
    /// True if a work-group takes each member that is so many further on as there are work-groups.
    loops: bool,
    along: Component,
    subgroup_size: Option<i32>,
    /// Work-groups in each direction.
    pub groups: [usize; 3],
}

/// Rows and terms: those that a lane computes, and more.
const ROWS: &[i64] = &[3, 1, 2, 4, 5, 6, 7, 8, 9, 12, 16, 17];
const COLUMNS: &[i64] = &[3, 1, 2, 5, 6, 9, 16, 17, 33];
/// Members: less and more than subgroups have lanes.
const MEMBERS: &[i64] = &[3, 1, 16, 17, 20, 33];

impl Batch {
    pub fn attributes(&self) -> FunctionAttributes {
        FunctionAttributes {
            subgroup_size: self.subgroup_size.map(SubgroupSize),
            ..FunctionAttributes::default()
        }
    }
}

impl Generator<'_> {
    /// Sizes and types of a program.
    pub fn batch(&mut self) -> Batch {
        use Scalar::{Bf16, F16, F32, F64, I8, I32, I64};
        let members = self.choices.of(MEMBERS);
        let sizes = [
            self.choices.of(ROWS),
            self.choices.of(COLUMNS),
            self.choices.of(ROWS),
            self.choices.of(COLUMNS),
        ];
        let types = self.choices.of(&[
            [F32, F32],
            [F64, F64],
            [I32, I32],
            [F32, F64],
            [I64, I64],
            [Bf16, F32],
            [F16, F16],
            [I8, I32],
        ]);
        let loops = self.choices.one_in(3);
        let along = self.choices.of(&[Component::X, Component::X, Component::Y, Component::Z]);
        let count = if loops { self.choices.of(&[members, 1, 2, members + 3]) } else { members };
        let mut groups = [1; 3];
        let direction = Component::ALL.iter().position(|&component| component == along).unwrap_or(0);
        groups[direction] = count as usize;
        Batch {
            members,
            sizes,
            types,
            transposes: [(); 2].map(|()| self.choices.of(&[Transpose::N, Transpose::T])),
            shares: [(); 3].map(|()| self.choices.one_in(3)),
            has_second: self.choices.one_in(3),
            loops,
            along,
            subgroup_size: self.choices.of(&[None, None, None, Some(32)]),
            groups,
        }
    }

    /// A, B, C, D, E and a factor.
    pub fn batch_parameters(&mut self, batch: &Batch) -> Vec<Parameter> {
        let Batch { members, sizes: [m, n, k, l], types: [factor, sum], transposes, shares, .. } = *batch;
        let stored = |transpose, [rows, cols]: [i64; 2]| match transpose {
            Transpose::N => vec![rows, cols],
            Transpose::T => vec![cols, rows],
        };
        let (a, b) = (stored(transposes[0], [m, k]), stored(transposes[1], [k, n]));
        let shapes = [
            (factor, a, shares[0]),
            (factor, b, shares[1]),
            (sum, vec![m, n], false),
            (sum, vec![n, l], shares[2]),
            (sum, vec![m, l], false),
        ];
        let mut parameters = Vec::new();
        for (element, mut shape, is_shared) in shapes {
            shape.extend((!is_shared).then_some(members));
            parameters.push(Parameter::Memref(self.memory_of(element, shape)));
        }
        parameters.push(Parameter::Scalar(factor, self.choices.of(&[2i64, -1, 1])));
        parameters
    }

    /// The program: the members of a work-group, and the products of each.
    pub fn products(&mut self, b: &mut Builder<'_>, scope: &mut Scope, batch: &Batch) -> Built<()> {
        let own = |op| Grid { op, component: batch.along };
        let group = b.value(own(GridBuiltin::GroupId), Type::INDEX)?;
        if !batch.loops {
            return self.member_products(b, scope, batch, group);
        }
        let to = b.value(Size { of: scope.mems[2].value, mode: 2 }, Type::INDEX)?;
        let step = Some(b.value(own(GridBuiltin::NumGroups), Type::INDEX)?);
        let attributes = ForAttributes::default();
        b.for_loop(For { from: group, to, step, init: Vec::new(), attributes }, |b, member, _| {
            self.member_products(b, scope, batch, member)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    fn member_products(
        &mut self,
        b: &mut Builder<'_>,
        scope: &mut Scope,
        batch: &Batch,
        member: Value,
    ) -> Built<()> {
        let mut matrices = Vec::new();
        for mem in scope.mems.iter().take(5) {
            let mut slices: Vec<Slice> =
                mem.shape.iter().take(2).map(|&size| Slice::range(0, size)).collect();
            slices.extend((mem.shape.len() > 2).then(|| Slice::at(member)));
            let value = b.subview(mem.value, &slices)?;
            matrices.push(Mem { value, ..mem.clone() });
        }
        let [x, y, c, d, e] = matrices.as_slice() else { return Ok(()) };
        self.product_of(b, scope, [x, y, c], batch.transposes, batch.sizes[2])?;
        if batch.has_second {
            self.product_of(b, scope, [c, d, e], [Transpose::N; 2], batch.sizes[1])?;
        }
        Ok(())
    }

    fn product_of(
        &mut self,
        b: &mut Builder<'_>,
        scope: &Scope,
        [x, y, c]: [&Mem; 3],
        [transpose_a, transpose_b]: [Transpose; 2],
        terms: i64,
    ) -> Built<()> {
        let Some((atomic, alpha, beta)) = self.scalars(b, scope, [x, y, c], terms)? else { return Ok(()) };
        let (alpha, beta) = (alpha.value, beta.value);
        let (a, other, c) = (x.value, y.value, c.value);
        b.emit(Gemm { atomic, transpose_a, transpose_b, alpha, a, b: other, beta, c, schedule: None }, &[])?;
        Ok(())
    }
}
