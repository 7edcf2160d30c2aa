//! Instructions, one after the other.

use super::matrices::{Matrix, Position};
use super::number::Number;
use super::tensors::View;
use super::{Datum, Reference, Run};
use tiletc::ir::{
    BinaryOp, CompareOp, Coopmatrix, CoopmatrixReduceOp, GridBuiltin, Inst, Op, Region, Tile, TileReduceOp,
    Type, Value,
};

impl Reference<'_> {
    /// Gives the parameters of a region their values.
    pub fn bind(&mut self, region: Region, data: impl IntoIterator<Item = Datum>) {
        for (&value, datum) in self.ir[region].parameters.iter().zip(data) {
            self.values.insert(value, datum);
        }
    }

    /// Runs a region that yields a number.
    pub fn number_of(&mut self, region: Region) -> Run<Number> {
        match self.region(region)?.first() {
            Some(Datum::Number(number)) => Ok(*number),
            _ => Err("a region without results"),
        }
    }

    /// Runs a region; returns what it yields.
    pub fn region(&mut self, region: Region) -> Run<Vec<Datum>> {
        let ir = self.ir;
        for inst in ir.insts(region) {
            self.step()?;
            if let Op::Yield(op) = &ir[inst].op {
                return self.data(&op.values);
            }
            self.inst(inst)?;
            if self.leaves_loop {
                break;
            }
        }
        Ok(Vec::new())
    }

    fn datum(&self, value: Value) -> Run<&Datum> {
        self.values.get(&value).ok_or("a value that has none")
    }

    pub fn data(&self, values: &[Value]) -> Run<Vec<Datum>> {
        values.iter().map(|&value| self.datum(value).cloned()).collect()
    }

    pub fn number(&self, value: Value) -> Run<Number> {
        match self.datum(value)? {
            Datum::Number(number) => Ok(*number),
            _ => Err("no number"),
        }
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

    pub fn matrix(&self, value: Value) -> Run<Matrix> {
        match self.datum(value)? {
            Datum::Matrix(matrix) => Ok(matrix.clone()),
            _ => Err("no matrix"),
        }
    }

    fn coopmatrix(&self, inst: Inst) -> Run<Coopmatrix> {
        self.result_type(inst).and_then(matrix_type).ok_or("no matrix")
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
            Op::BreakIf(op) => {
                let Number::Bool(condition) = self.number(op.condition)? else {
                    return Err("the end of a loop that depends on roundings");
                };
                self.leaves_loop = condition;
                return Ok(());
            }
            Op::TileOrder(order) => return self.tile_order(inst, order),
            Op::TileStore(store) => return self.store_tile(inst, store),
            Op::TileCopy(copy) => return self.copy_tile(copy),
            Op::TilePrefetch(_) => return Ok(()),
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
                (Datum::Matrix(a), Datum::Matrix(b)) => {
                    return a.combine(binary.op, b, self.coopmatrix(inst)?).map(Datum::Matrix);
                }
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
            Op::Compare(compare) => match (self.datum(compare.a)?, self.datum(compare.b)?) {
                (Datum::Matrix(a), Datum::Matrix(b)) => {
                    return a.compare(compare.op, b, self.coopmatrix(inst)?).map(Datum::Matrix);
                }
                _ => self.number(compare.a)?.compare(compare.op, self.number(compare.b)?),
            },
            Op::Select(select) if matches!(self.datum(select.condition)?, Datum::Matrix(_)) => {
                let [a, b] = [self.matrix(select.a)?, self.matrix(select.b)?];
                let condition = self.matrix(select.condition)?;
                return condition.select(&a, &b, self.coopmatrix(inst)?).map(Datum::Matrix);
            }
            Op::Math(math) => self.number(math.a)?.function(math.op, to.ok_or("no number type")?),
            Op::Load(load) => {
                let (view, mut indices) = (self.view(load.from)?, self.ints(&load.indices)?);
                if self.clamps {
                    indices.iter_mut().zip(&view.shape).for_each(|(at, size)| *at = (*at).clamp(0, size - 1));
                }
                self.get(&view, &indices)?
            }
            Op::Size(size) => {
                let view = self.view(size.of)?;
                let mode = usize::try_from(size.mode).unwrap_or(usize::MAX);
                Number::Int(*view.shape.get(mode).ok_or("a mode that is not there")?)
            }
            Op::Select(select) => match self.number(select.condition)? {
                Number::Bool(condition) => self.number(if condition { select.a } else { select.b })?,
                _ => to.map_or(Number::Unknown, Number::unknown),
            },
            Op::Grid(grid) => {
                let place = grid.component as usize;
                let of = if grid.op == GridBuiltin::GroupId { &self.group } else { &self.groups };
                Number::Int(*of.get(place).ok_or("a direction that is not there")?)
            }
            Op::TileAny(any) => {
                let zero = Number::Int(0);
                let entries = self.matrix(any.tile)?.entries;
                let is_set = entries.into_iter().map(|entry| entry.compare(CompareOp::GreaterThan, zero));
                is_set.fold(Number::Bool(false), |any, entry| match (any, entry) {
                    (Number::Bool(any), Number::Bool(entry)) => Number::Bool(any || entry),
                    _ => Number::Unknown,
                })
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
        Ok(match self.result_type(inst).and_then(matrix_type) {
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
            Op::CoopmatrixScale(scale) => self.scaled(scale.scalar, scale.matrix, ty),
            Op::TileScale(scale) => self.scaled(scale.scalar, scale.tile, ty),
            Op::TileLoad(load) => self.load_tile(inst, load, ty),
            Op::TileDot(dot) => {
                let (a, b, c) = (self.matrix(dot.a)?, self.matrix(dot.b)?, self.matrix(dot.c)?);
                a.product(&b, &c, ty)
            }
            Op::TileApply(apply) => self.apply_tiles(inst, apply, ty),
            Op::TileFragment(fragment) => self.fragment(fragment, ty),
            Op::TileWithFragment(fragment) => self.with_fragment(fragment),
            Op::CoopmatrixMulAdd(product) => {
                let (a, b, c) = (self.matrix(product.a)?, self.matrix(product.b)?, self.matrix(product.c)?);
                a.product(&b, &c, ty)
            }
            Op::CoopmatrixApply(apply) => {
                let matrix = self.matrix(apply.matrix)?;
                self.apply(inst, &matrix, ty)
            }
            Op::TileReduce(reduce) => {
                let op = match reduce.op {
                    TileReduceOp::Add => CoopmatrixReduceOp::Add,
                    TileReduceOp::Max => CoopmatrixReduceOp::Max,
                    TileReduceOp::Min => CoopmatrixReduceOp::Min,
                };
                self.matrix(reduce.tile)?.reduce(op, reduce.mode, ty)
            }
            Op::TileTranspose(transpose) => {
                let from = self.matrix(transpose.tile)?;
                Matrix::new(ty, |row, col| Ok(from.at(col, row)))
            }
            Op::CoopmatrixReduce(reduce) => self.matrix(reduce.matrix)?.reduce(reduce.op, reduce.mode, ty),
            _ => Err("an instruction of which the reference knows nothing"),
        }
    }

    fn scaled(&self, scalar: Value, matrix: Value, ty: Coopmatrix) -> Run<Matrix> {
        let scalar = self.number(scalar)?;
        let product = |entry: Number| scalar.binary(BinaryOp::Mul, entry, Some(ty.component));
        Ok(self.matrix(matrix)?.map(ty.component, product))
    }
}

/// The type of a cooperative matrix, or of one that holds the entries of a tile.
fn matrix_type(ty: &Type) -> Option<Coopmatrix> {
    match *ty {
        Type::Tile(Tile { component, rows, cols, usage }) => {
            Some(Coopmatrix { component, rows, cols, usage })
        }
        _ => ty.coopmatrix(),
    }
}
