//! Instructions, one after the other.

use super::matrices::{Matrix, Position};
use super::number::Number;
use super::tensors::{Update, View, every};
use super::{Datum, Reference, Run};
use tiletc::ir::{BinaryOp, Coopmatrix, Extent, For, Inst, Op, Region, Subview, Transpose, Type, Value};

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
        for &inst in &ir[region].insts {
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

    fn number(&self, value: Value) -> Run<Number> {
        match self.datum(value)? {
            Datum::Number(number) => Ok(*number),
            _ => Err("no number"),
        }
    }

    fn numbers(&self, values: &[Value]) -> Run<Vec<Number>> {
        values.iter().map(|&value| self.number(value)).collect()
    }

    fn int(&self, value: Value) -> Run<i64> {
        match self.number(value)? {
            Number::Int(number) => Ok(number),
            _ => Err("a position that depends on roundings"),
        }
    }

    fn ints(&self, values: &[Value]) -> Run<Vec<i64>> {
        values.iter().map(|&value| self.int(value)).collect()
    }

    fn view(&self, value: Value) -> Run<View> {
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

    fn result_type(&self, inst: Inst) -> Option<&Type> {
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

    fn new_view(&mut self, inst: Inst, op: &Op) -> Run<View> {
        match op {
            Op::Subview(subview) => self.subview(subview),
            Op::Expand(expand) => {
                let mut view = self.view(expand.of)?;
                let mut sizes = self.ints(&expand.sizes)?.into_iter();
                let mode = usize::try_from(expand.mode).map_err(|_| "a mode that is not there")?;
                let shape: Vec<i64> =
                    expand.static_shape.iter().map(|&size| known(size, &mut sizes)).collect::<Run<_>>()?;
                let mut step = view.stride[mode];
                let mut stride = Vec::new();
                for size in &shape {
                    stride.push(step);
                    step *= size;
                }
                view.shape.splice(mode..=mode, shape);
                view.stride.splice(mode..=mode, stride);
                Ok(view)
            }
            Op::Fuse(fuse) => {
                let mut view = self.view(fuse.of)?;
                let modes = [fuse.first, fuse.last].map(|mode| usize::try_from(mode).unwrap_or(usize::MAX));
                let size =
                    view.shape.get(modes[0]..=modes[1]).ok_or("modes that are not there")?.iter().product();
                view.shape.splice(modes[0]..=modes[1], [size]);
                view.stride.drain(modes[0] + 1..=modes[1]);
                Ok(view)
            }
            _ => {
                let ty = self.result_type(inst).and_then(Type::memref).ok_or("no memory")?;
                let element = ty.element;
                let all = |extents: &[Extent]| -> Option<Vec<i64>> {
                    extents.iter().map(|extent| extent.value()).collect()
                };
                let (shape, stride) = all(&ty.shape).zip(all(&ty.stride)).ok_or("memory of no size")?;
                let last: i64 = shape.iter().zip(&stride).map(|(size, stride)| (size - 1) * stride).sum();
                self.memories.push(vec![Number::unknown(element); usize::try_from(last + 1).unwrap_or(0)]);
                Ok(View { memory: self.memories.len() - 1, element, offset: 0, shape, stride })
            }
        }
    }

    fn subview(&mut self, subview: &Subview) -> Run<View> {
        let view = self.view(subview.of)?;
        let mut offsets = self.ints(&subview.offsets)?.into_iter();
        let mut sizes = self.ints(&subview.sizes)?.into_iter();
        let mut part = View { shape: Vec::new(), stride: Vec::new(), ..view.clone() };
        let extents = subview.static_offsets.iter().zip(&subview.static_sizes);
        for ((&offset, &size), &stride) in extents.zip(&view.stride) {
            part.offset += known(offset, &mut offsets)? * stride;
            // A size of 0 drops the mode.
            if size != Extent::Static(0) {
                part.shape.push(known(size, &mut sizes)?);
                part.stride.push(stride);
            }
        }
        Ok(part)
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

    fn control(&mut self, inst: Inst, op: &Op) -> Run<()> {
        let ir = self.ir;
        let regions = &ir[inst].regions;
        let results = match op {
            Op::For(head) => self.for_loop(head, regions[0])?,
            Op::If(branch) => {
                let Number::Bool(condition) = self.number(branch.condition)? else {
                    return Err("a branch that depends on roundings");
                };
                match (condition, regions.get(1)) {
                    (true, _) => self.region(regions[0])?,
                    (false, Some(&region)) => self.region(region)?,
                    (false, None) => Vec::new(),
                }
            }
            Op::Foreach(head) => {
                let (from, to) = (self.ints(&head.from)?, self.ints(&head.to)?);
                for indices in every(&from, &to, &vec![1; from.len()]) {
                    self.bind(regions[0], &indices.into_iter().map(Number::Int).collect::<Vec<_>>());
                    self.region(regions[0])?;
                }
                return Ok(());
            }
            Op::ForeachTile(head) => {
                let (from, to) = (self.ints(&head.from)?, self.ints(&head.to)?);
                for start in every(&from, &to, &head.tile_shape) {
                    let sizes = start.iter().zip(&to).zip(&head.tile_shape);
                    let sizes: Vec<i64> = sizes.map(|((start, to), size)| *size.min(&(to - start))).collect();
                    self.bind(
                        regions[0],
                        &start.into_iter().chain(sizes).map(Number::Int).collect::<Vec<_>>(),
                    );
                    self.region(regions[0])?;
                }
                return Ok(());
            }
            // All subgroups do the same.
            _ => self.region(regions[0])?,
        };
        for (&value, number) in ir[inst].results.iter().zip(results) {
            self.values.insert(value, Datum::Number(number));
        }
        Ok(())
    }

    fn for_loop(&mut self, head: &For, body: Region) -> Run<Vec<Number>> {
        let (mut at, to) = (self.int(head.from)?, self.int(head.to)?);
        let step = head.step.map_or(Ok(1), |step| self.int(step))?;
        let mut carried = self.numbers(&head.init)?;
        while at < to {
            self.step()?;
            let numbers: Vec<Number> = std::iter::once(Number::Int(at)).chain(carried).collect();
            self.bind(body, &numbers);
            carried = self.region(body)?;
            at += step;
        }
        Ok(carried)
    }

    fn update(&self, [alpha, beta, output]: [Value; 3]) -> Run<Update> {
        Ok(Update { alpha: self.number(alpha)?, beta: self.number(beta)?, output: self.view(output)? })
    }

    fn linear_algebra(&mut self, op: &Op) -> Run<()> {
        match op {
            Op::Axpby(op) => {
                let (update, a) = (self.update([op.alpha, op.beta, op.b])?, self.view(op.a)?);
                self.axpby(&update, op.transpose, &a)
            }
            Op::Cumsum(op) => {
                let (update, a) = (self.update([op.alpha, op.beta, op.b])?, self.view(op.a)?);
                self.cumsum(&update, &a, op.mode)
            }
            Op::Sum(op) => {
                let (update, a) = (self.update([op.alpha, op.beta, op.b])?, self.view(op.a)?);
                self.row_sums(&update, op.transpose, &a)
            }
            Op::Gemv(op) => {
                let update = self.update([op.alpha, op.beta, op.c])?;
                let (a, b) = (self.view(op.a)?, self.view(op.b)?);
                self.product(&update, (op.transpose, &a), (Transpose::N, &b))
            }
            Op::Gemm(op) => {
                let update = self.update([op.alpha, op.beta, op.c])?;
                let (a, b) = (self.view(op.a)?, self.view(op.b)?);
                self.product(&update, (op.transpose_a, &a), (op.transpose_b, &b))
            }
            Op::Ger(op) => {
                let update = self.update([op.alpha, op.beta, op.c])?;
                let (a, b) = (self.view(op.a)?, self.view(op.b)?);
                self.products(&update, &a, &b, |indices| (indices[..1].to_vec(), indices[1..].to_vec()))
            }
            Op::Hadamard(op) => {
                let update = self.update([op.alpha, op.beta, op.c])?;
                let (a, b) = (self.view(op.a)?, self.view(op.b)?);
                self.products(&update, &a, &b, |indices| (indices.to_vec(), indices.to_vec()))
            }
            _ => Err("no linear algebra"),
        }
    }
}

/// A number that is known before, or the next of those that are not.
fn known(extent: Extent, rest: &mut impl Iterator<Item = i64>) -> Run<i64> {
    extent.value().or_else(|| rest.next()).ok_or("too few sizes")
}
