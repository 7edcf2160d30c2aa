//! Instructions, one after the other.

use super::matrices::{Matrix, Position};
use super::number::Number;
use super::tensors::View;
use super::{Datum, Reference, Run};
use tiletc::ir::{BinaryOp, Coopmatrix, Inst, Op, Region, Type, Value};

impl Reference<'_> {
    /// Gives the parameters of a region their values.
    pub fn bind(&mut self, region: Region, numbers: &[Number]) {
        for (&value, &number) in self.ir[region].parameters.iter().zip(numbers) {
            self.values.insert(value, Datum::Number(number));
        }
    }

    /// Runs a region; returns what it yields.
    pub fn region(&mut self, region: Region) -> Run<Vec<Number>> {
        let ir = self.ir;
        for inst in ir.insts(region) {
            self.step()?;
            if let Op::Yield(op) = &ir[inst].op {
                return op.values.iter().map(|&value| self.number(value)).collect();
            }
            self.inst(inst)?;
        }
        Ok(Vec::new())
    }

    fn datum(&self, value: Value) -> Run<&Datum> {
        self.values.get(&value).ok_or("a value that has none")
    }

    pub fn number(&self, value: Value) -> Run<Number> {
        match self.datum(value)? {
            Datum::Number(number) => Ok(*number),
            _ => Err("no number"),
        }
    }

    pub fn numbers(&self, values: &[Value]) -> Run<Vec<Number>> {
        values.iter().map(|&value| self.number(value)).collect()
    }

    pub fn int(&self, value: Value) -> Run<i64> {
        match self.number(value)? {
            Number::Int(number) => Ok(number),
            _ => Err("a position that depends on roundings"),
        }
    }

    pub fn ints(&self, values: &[Value]) -> Run<Vec<i64>> {
        values.iter().map(|&value| self.int(value)).collect()
    }

    pub fn view(&self, value: Value) -> Run<View> {
        match self.datum(value)? {
            Datum::View(view) => Ok(view.clone()),
            _ => Err("no memory"),
        }
    }

    fn matrix(&self, value: Value) -> Run<Matrix> {
        match self.datum(value)? {
            Datum::Matrix(matrix) => Ok(matrix.clone()),
            _ => Err("no matrix"),
        }
    }

    fn coopmatrix(&self, inst: Inst) -> Run<Coopmatrix> {
        self.result_type(inst).and_then(Type::coopmatrix).ok_or("no matrix")
    }

    pub fn result_type(&self, inst: Inst) -> Option<&Type> {
        self.ir[inst].results.first().map(|&value| self.ir.ty(value))
    }

    fn inst(&mut self, inst: Inst) -> Run<()> {
        let ir = self.ir;
        let op = &ir[inst].op;
        match op {
            Op::For(_) | Op::If(_) | Op::Foreach(_) | Op::ForeachTile(_) | Op::Parallel(_) => {
                return self.control(inst, op);
            }
            Op::Store(store) => {
                let (view, indices) = (self.view(store.to)?, self.ints(&store.indices)?);
                return self.set(&view, &indices, self.number(store.value)?);
            }
            Op::CoopmatrixStore(store) => {
                let (view, matrix) = (self.view(store.to)?, self.matrix(store.value)?);
                let (x, y) = (self.int(store.x)?, self.int(store.y)?);
                let to = Position { view: &view, transpose: store.transpose, x, y };
                return self.store_matrix(&matrix, &to);
            }
            Op::Axpby(_)
            | Op::Cumsum(_)
            | Op::Sum(_)
            | Op::Gemv(_)
            | Op::Ger(_)
            | Op::Hadamard(_)
            | Op::Gemm(_) => return self.linear_algebra(op),
            _ => {}
        }
        let datum = self.result(inst, op)?;
        if let Some(&value) = ir[inst].results.first() {
            self.values.insert(value, datum);
        }
        Ok(())
    }

    /// The result of an instruction that has one and changes no memory.
    fn result(&mut self, inst: Inst, op: &Op) -> Run<Datum> {
        let to = self.result_type(inst).and_then(Type::component);
        let number = match op {
            Op::ConstantInst(constant) => Number::literal(constant.value, to),
            Op::Cast(cast) => {
                let to = to.ok_or("no number type")?;
                return Ok(match self.datum(cast.a)? {
                    Datum::Matrix(matrix) => Datum::Matrix(matrix.map(to, |entry| entry.cast(to))),
                    _ => Datum::Number(self.number(cast.a)?.cast(to)),
                });
            }
            Op::Binary(binary) => match (self.datum(binary.a)?, self.datum(binary.b)?) {
                (Datum::Matrix(a), Datum::Matrix(b)) => return Ok(Datum::Matrix(a.combine(binary.op, b))),
                _ => self.number(binary.a)?.binary(binary.op, self.number(binary.b)?, to),
            },
            Op::Unary(unary) => {
                let scalar = self.ir.ty(unary.a).component();
                match self.datum(unary.a)? {
                    Datum::Matrix(matrix) => {
                        let component = to.unwrap_or(matrix.component);
                        let entry = |entry: Number| entry.unary(unary.op, scalar);
                        return Ok(Datum::Matrix(matrix.map(component, entry)));
                    }
                    _ => self.number(unary.a)?.unary(unary.op, scalar),
                }
            }
            Op::Compare(compare) => self.number(compare.a)?.compare(compare.op, self.number(compare.b)?),
            Op::Math(math) => self.number(math.a)?.function(math.op, to.ok_or("no number type")?),
            Op::Load(load) => {
                let (view, indices) = (self.view(load.from)?, self.ints(&load.indices)?);
                self.get(&view, &indices)?
            }
            Op::Size(size) => {
                let view = self.view(size.of)?;
                let mode = usize::try_from(size.mode).unwrap_or(usize::MAX);
                Number::Int(*view.shape.get(mode).ok_or("a mode that is not there")?)
            }
            // All work-items have the same value.
            Op::SubgroupBroadcast(broadcast) => self.number(broadcast.a)?,
            Op::Subgroup(subgroup) => self.number(subgroup.a)?,
            Op::Subview(_) | Op::Expand(_) | Op::Fuse(_) | Op::Alloca(_) => {
                return self.new_view(inst, op).map(Datum::View);
            }
            _ => return self.new_matrix(inst, op).map(Datum::Matrix),
        };
        // A constant may be a matrix.
        Ok(match self.result_type(inst).and_then(Type::coopmatrix) {
            Some(ty) => Datum::Matrix(Matrix::new(ty, |_, _| Ok(number))?),
            None => Datum::Number(number),
        })
    }

    fn new_matrix(&mut self, inst: Inst, op: &Op) -> Run<Matrix> {
        let ty = self.coopmatrix(inst)?;
        match op {
            Op::CoopmatrixLoad(load) => {
                let view = self.view(load.from)?;
                let (x, y) = (self.int(load.x)?, self.int(load.y)?);
                self.load_matrix(&Position { view: &view, transpose: load.transpose, x, y }, ty)
            }
            Op::CoopmatrixConstruct(construct) => {
                let number = self.number(construct.value)?;
                Matrix::new(ty, |_, _| Ok(number))
            }
            Op::CoopmatrixScale(scale) => {
                let scalar = self.number(scale.scalar)?;
                let product = |entry: Number| scalar.binary(BinaryOp::Mul, entry, Some(ty.component));
                Ok(self.matrix(scale.matrix)?.map(ty.component, product))
            }
            Op::CoopmatrixMulAdd(product) => {
                let (a, b, c) = (self.matrix(product.a)?, self.matrix(product.b)?, self.matrix(product.c)?);
                a.product(&b, &c, ty)
            }
            Op::CoopmatrixApply(apply) => {
                let matrix = self.matrix(apply.matrix)?;
                self.apply(inst, &matrix, ty)
            }
            Op::CoopmatrixReduce(reduce) => self.matrix(reduce.matrix)?.reduce(reduce.op, reduce.mode, ty),
            _ => Err("an instruction of which the reference knows nothing"),
        }
    }
}
