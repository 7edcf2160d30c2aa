//! Cooperative matrices and subgroups.

use crate::generate::Generator;
use crate::scope::{Mat, Mem, Num, Scope, exact_limit, product_factor};
use tiletc::ir::{
    Binary, BinaryOp, Builder, Built, Cast, Checked, Constant, Coopmatrix, CoopmatrixApply,
    CoopmatrixConstruct, CoopmatrixLoad, CoopmatrixMulAdd, CoopmatrixReduce, CoopmatrixReduceOp,
    CoopmatrixScale, CoopmatrixStore, ForeachTile, MatrixUse, Parallel, ReduceMode, Scalar, Subgroup,
    SubgroupBroadcast, SubgroupOp, Transpose, Type, Unary, UnaryOp, Value, Yield,
};

/// Rows that are whole subgroups, whatever their size is here.
const ROWS: &[i64] = &[32, 64];
/// Work-items of the smallest subgroups: what lane 4 of them has, no specification says.
const LANES: usize = 4;

impl Generator<'_> {
    /// A region that every subgroup runs, all of them doing the same.
    pub fn parallel(&mut self, b: &mut Builder<'_>, scope: &mut Scope) -> Built<()> {
        let Some(target) = self.matrix_memory(scope) else { return Ok(()) };
        let around = (std::mem::replace(&mut self.is_spmd, true), self.reserved.replace(target.root));
        let inst = b.emit(Parallel {}, &[])?;
        let region = b.ir[inst].regions[0];
        let inner = &mut b.inside(region);
        let mut inside = scope.clone();
        self.block(inner, &mut inside)?;
        let (x, y) = (self.index(inner, 0)?.value, self.index(inner, 0)?.value);
        self.matrix_work(inner, &mut inside, &target, [x, y])?;
        (self.is_spmd, self.reserved) = around;
        Ok(())
    }

    /// Tiles of memory, each written by one subgroup.
    pub fn foreach_tile(&mut self, b: &mut Builder<'_>, scope: &mut Scope) -> Built<()> {
        let Some(target) = self.matrix_memory(scope) else { return Ok(()) };
        let around = (std::mem::replace(&mut self.is_spmd, true), self.reserved.replace(target.root));
        let tile_shape = vec![32, self.choices.of(&[8i64, 1, 3])];
        let zero = self.index(b, 0)?.value;
        let mut to = Vec::new();
        for &size in &target.shape {
            to.push(self.index(b, size)?.value);
        }
        let tile = ForeachTile { from: vec![zero; 2], to, tile_shape: tile_shape.clone() };
        let inst = b.emit(tile, &[])?;
        let region = b.ir[inst].regions[0];
        let variables = b.ir[region].parameters.clone();
        let inner = &mut b.inside(region);
        let mut inside = scope.clone();
        let component = target.element();
        let ty = Coopmatrix { component, rows: 32, cols: tile_shape[1], usage: MatrixUse::Acc };
        let at = [variables[0], variables[1]];
        self.own_tile(inner, &mut inside, &target, ty, at)?;
        (self.is_spmd, self.reserved) = around;
        Ok(())
    }

    fn matrix_memory(&mut self, scope: &Scope) -> Option<Mem> {
        let fits: Vec<Mem> = scope
            .mems
            .iter()
            .rev()
            .filter(|mem| self.may_write(mem) && mem.shape.len() == 2)
            .cloned()
            .collect();
        if fits.is_empty() { None } else { Some(self.choices.of(&fits)) }
    }

    /// Reads the tile that is this subgroup's, changes it and writes it back.
    fn own_tile(
        &mut self,
        b: &mut Builder<'_>,
        scope: &mut Scope,
        target: &Mem,
        ty: Coopmatrix,
        [x, y]: [Value; 2],
    ) -> Built<()> {
        let (transpose, checked) = (Transpose::N, Checked::Both);
        let load = CoopmatrixLoad {
            transpose,
            checked,
            from: target.value,
            x,
            y,
            attributes: Default::default(),
            io: None,
        };
        let value = b.value(load, ty)?;
        let mut result = Mat { value, ty, bound: self.bound(target) };
        for _ in 0..self.choices.below(3) {
            result = self.elementwise(b, scope, &result)?;
        }
        self.write_matrix(b, target, &result, [x, y])
    }

    fn write_matrix(&mut self, b: &mut Builder<'_>, to: &Mem, mat: &Mat, [x, y]: [Value; 2]) -> Built<()> {
        if self.write(to, mat.bound) {
            let (transpose, checked) = (Transpose::N, Checked::Both);
            b.emit(
                CoopmatrixStore { transpose, checked, value: mat.value, to: to.value, x, y, io: None },
                &[],
            )?;
        }
        Ok(())
    }

    /// Matrices made, combined, and the last of the target's type written to it.
    fn matrix_work(
        &mut self,
        b: &mut Builder<'_>,
        scope: &mut Scope,
        target: &Mem,
        at: [Value; 2],
    ) -> Built<()> {
        let component = target.element();
        let cols = self.choices.of(&[4i64, 1, 2, 7, 16]);
        let rows = self.choices.of(ROWS);
        // Without optimisation, drivers take more than linear time for what a lane has of a matrix.
        let rows = if cols * component.bytes() > 128 { ROWS[0] } else { rows };
        let ty = Coopmatrix { component, rows, cols, usage: MatrixUse::Acc };
        let mut result = self.matrix(b, scope, ty)?;
        for _ in 0..1 + self.choices.below(4) {
            result = match self.choices.below(6) {
                0 | 1 => self.mul_add(b, scope, &result)?,
                2 => self.apply(b, scope, &result)?,
                _ => self.elementwise(b, scope, &result)?,
            };
            if self.choices.one_in(4) {
                self.uniform(b, scope)?;
            }
        }
        if self.choices.one_in(4) {
            result = self.reduce(b, &result)?;
        }
        scope.mats.push(result.clone());
        self.write_matrix(b, target, &result, at)
    }

    /// A matrix of a type: read, constant, or from a scalar.
    fn matrix(&mut self, b: &mut Builder<'_>, scope: &mut Scope, ty: Coopmatrix) -> Built<Mat> {
        let fits: Vec<Mem> = scope
            .mems
            .iter()
            .rev()
            .filter(|mem| self.may_read(mem) && mem.shape.len() == 2 && mem.element() == ty.component)
            .cloned()
            .collect();
        match self.choices.below(3) {
            0 if !fits.is_empty() => {
                let from = self.choices.of(&fits);
                let transpose = self.choices.of(&[Transpose::N, Transpose::T]);
                let (x, y) = (self.index(b, 0)?, self.position(b, scope, from.shape[1])?);
                let (x, y) = (x.value, y.value);
                let load = CoopmatrixLoad {
                    transpose,
                    checked: Checked::Both,
                    from: from.value,
                    x,
                    y,
                    attributes: Default::default(),
                    io: None,
                };
                Ok(Mat { value: b.value(load, ty)?, ty, bound: self.bound(&from) })
            }
            1 => {
                let num = self.num(b, scope, ty.component)?;
                let value = b.value(CoopmatrixConstruct { value: num.value }, ty)?;
                Ok(Mat { value, ty, bound: num.bound })
            }
            _ => {
                let number = self.choices.of(&[2i64, 0, 1, -1]);
                let constant = match (ty.component.is_complex(), ty.component.is_float()) {
                    (true, _) => Constant::Complex(number as f64, 0.0),
                    (_, true) => Constant::Float(number as f64),
                    _ => Constant::Int(number),
                };
                Ok(Mat { value: b.constant(constant, ty)?, ty, bound: number.abs() as f64 })
            }
        }
    }

    /// The matrix itself, where what is asked for would not be exact.
    fn if_exact(&mut self, mat: &Mat, bound: f64, make: impl FnOnce() -> Built<Value>) -> Built<Mat> {
        if self.is_exact() && (bound.is_nan() || bound > exact_limit(mat.ty.component)) {
            return Ok(mat.clone());
        }
        Ok(Mat { value: make()?, ty: mat.ty, bound })
    }

    fn elementwise(&mut self, b: &mut Builder<'_>, scope: &mut Scope, mat: &Mat) -> Built<Mat> {
        let component = mat.ty.component;
        let factor = product_factor(component);
        match self.choices.below(4) {
            0 => {
                let other = self.matrix(b, scope, mat.ty)?;
                let ops = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Min, BinaryOp::Max];
                let op = self.choices.of(&ops[..if component.is_complex() { 3 } else { 5 }]);
                let bound = match op {
                    BinaryOp::Mul => factor * mat.bound * other.bound,
                    _ => mat.bound + other.bound,
                };
                let ty = mat.ty;
                self.if_exact(mat, bound, || b.value(Binary { op, a: mat.value, b: other.value }, ty))
            }
            1 => {
                let scalar = self.num(b, scope, component)?;
                let bound = factor * mat.bound * scalar.bound;
                let scale = CoopmatrixScale { scalar: scalar.value, matrix: mat.value };
                self.if_exact(mat, bound, || b.value(scale, mat.ty))
            }
            2 => {
                let value = b.value(Unary { op: UnaryOp::Neg, a: mat.value }, mat.ty)?;
                Ok(Mat { value, ..mat.clone() })
            }
            _ => {
                // To a wider type and back.
                let wide = match component {
                    Scalar::I8 => Scalar::I16,
                    Scalar::F16 | Scalar::Bf16 => Scalar::F32,
                    Scalar::I32 => Scalar::I64,
                    Scalar::F32 => Scalar::F64,
                    other => other,
                };
                let ty = Coopmatrix { component: wide, ..mat.ty };
                let value = b.value(Cast { a: mat.value }, ty)?;
                Ok(Mat { value: b.value(Cast { a: value }, mat.ty)?, ..mat.clone() })
            }
        }
    }

    fn mul_add(&mut self, b: &mut Builder<'_>, scope: &mut Scope, c: &Mat) -> Built<Mat> {
        let k = self.choices.of(&[4i64, 1, 2, 8]);
        let (component, rows, cols) = (c.ty.component, c.ty.rows, c.ty.cols);
        let x = self.matrix(b, scope, Coopmatrix { component, rows, cols: k, usage: MatrixUse::A })?;
        let y = self.matrix(b, scope, Coopmatrix { component, rows: k, cols, usage: MatrixUse::B })?;
        let bound = product_factor(component) * k as f64 * x.bound * y.bound + c.bound;
        let product = CoopmatrixMulAdd { a: x.value, b: y.value, c: c.value };
        self.if_exact(c, bound, || b.value(product, c.ty))
    }

    fn apply(&mut self, b: &mut Builder<'_>, scope: &mut Scope, mat: &Mat) -> Built<Mat> {
        let inst = b.emit(CoopmatrixApply { matrix: mat.value }, &[mat.ty.into()])?;
        let region = b.ir[inst].regions[0];
        let parameters = b.ir[region].parameters.clone();
        let mut inside = scope.clone();
        let (scalar, bound) = (Some(Scalar::I32), 64.0);
        for &value in &parameters[..2] {
            inside.nums.push(Num { value, scalar, bound, below: None });
        }
        let (scalar, bound) = (Some(mat.ty.component), mat.bound);
        inside.nums.push(Num { value: parameters[2], scalar, bound, below: None });
        let inner = &mut b.inside(region);
        for _ in 0..self.choices.below(3) {
            self.arithmetic(inner, &mut inside)?;
        }
        let new = self.latest_as(inner, &inside, mat.ty.component)?;
        inner.emit(Yield { values: vec![new.value] }, &[])?;
        Ok(Mat { value: b.ir[inst].results[0], ty: mat.ty, bound: new.bound })
    }

    /// Rows or columns combined. The result is a row or a column of the same use.
    fn reduce(&mut self, b: &mut Builder<'_>, mat: &Mat) -> Built<Mat> {
        let ops = [CoopmatrixReduceOp::Add, CoopmatrixReduceOp::Max, CoopmatrixReduceOp::Min];
        let op = self.choices.of(&ops[..if mat.ty.component.is_complex() { 1 } else { 3 }]);
        let mode = self.choices.of(&[ReduceMode::Row, ReduceMode::Column]);
        let (ty, terms) = match mode {
            ReduceMode::Row => (Coopmatrix { cols: 1, ..mat.ty }, mat.ty.cols),
            ReduceMode::Column => (Coopmatrix { rows: 1, ..mat.ty }, mat.ty.rows),
        };
        let bound = terms as f64 * mat.bound;
        let reduced =
            self.if_exact(mat, bound, || b.value(CoopmatrixReduce { op, mode, matrix: mat.value }, ty))?;
        Ok(if reduced.value == mat.value { reduced } else { Mat { ty, ..reduced } })
    }

    /// A subgroup operation whose result is the same whatever the size of the subgroup.
    fn uniform(&mut self, b: &mut Builder<'_>, scope: &mut Scope) -> Built<()> {
        let known: Vec<Num> = scope.nums.iter().rev().filter(|num| num.scalar.is_some()).cloned().collect();
        let num = match known.as_slice() {
            [] => self.constant(b, Scalar::I32)?,
            known => self.choices.of(known),
        };
        let scalar = num.scalar.unwrap_or(Scalar::I32);
        let value = if scalar.is_complex() || self.choices.one_in(2) {
            let lane = self.choices.below(LANES) as i64;
            let lane = b.constant(Constant::Int(lane), Type::I32)?;
            b.value(SubgroupBroadcast { a: num.value, lane }, scalar)?
        } else {
            let ops = [
                SubgroupOp::ReduceMax,
                SubgroupOp::ReduceMin,
                SubgroupOp::InclusiveScanMax,
                SubgroupOp::InclusiveScanMin,
            ];
            b.value(Subgroup { op: self.choices.of(&ops), a: num.value }, scalar)?
        };
        scope.nums.push(Num { value, ..num });
        Ok(())
    }
}
