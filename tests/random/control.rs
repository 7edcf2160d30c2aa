//! Branches, loops, and work that is shared out.

use crate::generate::Generator;
use crate::scope::{Mem, Num, Root, Scope};
use tiletc::ir::{
    AddressSpace, Alloca, AllocaAttributes, Builder, Built, Cast, Extent, For, ForAttributes, Foreach, If,
    Memref, Region, Scalar, Size, Store, Type, Unroll, Value, Yield,
};

impl Generator<'_> {
    /// A branch, with results or without.
    pub fn branch(&mut self, b: &mut Builder<'_>, scope: &mut Scope) -> Built<()> {
        let known = scope.nums.iter().rev().find(|num| num.scalar.is_none()).cloned();
        let condition = match known {
            Some(condition) if !self.choices.one_in(4) => condition,
            _ => {
                let scalar = self.scalar();
                let x = self.num(b, scope, scalar)?;
                self.compare(b, scope, scalar, &x)?
            }
        };
        let results: Vec<Scalar> = (0..self.choices.below(3)).map(|_| self.scalar()).collect();
        let types: Vec<Type> = results.iter().map(|&scalar| scalar.into()).collect();
        let inst = b.emit(If { condition: condition.value }, &types)?;
        let sides: Vec<Region> = b.ir[inst].regions.to_vec();
        let mut bounds = vec![0.0f64; results.len()];
        for (number, region) in sides.into_iter().enumerate() {
            if number == 1 && results.is_empty() && self.choices.one_in(2) {
                continue;
            }
            let inner = &mut b.inside(region);
            let mut inside = scope.clone();
            self.block(inner, &mut inside)?;
            let mut values = Vec::new();
            for (&scalar, bound) in results.iter().zip(&mut bounds) {
                let num = self.num(inner, &inside, scalar)?;
                *bound = bound.max(num.bound);
                values.push(num.value);
            }
            if !results.is_empty() {
                inner.emit(Yield { values }, &[])?;
            }
        }
        let values = b.ir[inst].results.to_vec();
        for ((value, scalar), bound) in values.into_iter().zip(results).zip(bounds) {
            scope.nums.push(Num { value, scalar: Some(scalar), bound, below: None });
        }
        Ok(())
    }

    /// A loop of a few turns.
    pub fn for_loop(&mut self, b: &mut Builder<'_>, scope: &mut Scope) -> Built<()> {
        let counter = self.choices.of(&[Scalar::Index, Scalar::I32, Scalar::I8, Scalar::I16, Scalar::I64]);
        let from = self.choices.of(&[0i64, 1, 3]);
        let to = self.choices.of(&[2i64, 0, 1, 3, 4]);
        let step = self.choices.of(&[None, Some(1i64), Some(2), Some(3)]);
        // The counter would pass the largest value of its type behind the last turn.
        let last = i64::MAX >> (64 - 8 * counter.bytes());
        let (from, to, step, bound) = if self.choices.one_in(6) {
            let step =
                self.choices.of(&[Some(2), Some(3), Some(last), Some(last - 1), Some(0), Some(-1), None]);
            (last - from, last, step, crate::scope::integer_limit(counter))
        } else {
            (from, to, step, 4.0)
        };
        let carried: Vec<Scalar> = (0..self.choices.below(3)).map(|_| self.carried_type()).collect();
        let mut literal = |number| Ok(self.literal(b, counter, number)?.value);
        let (from_value, to_value) = (literal(from)?, literal(to)?);
        let step = step.map(literal).transpose()?;
        let mut init = Vec::new();
        for &scalar in &carried {
            init.push(self.num(b, scope, scalar)?.value);
        }
        let unrolls = [None, None, Some(Unroll::Full), Some(Unroll::Never), Some(Unroll::By(2))];
        let attributes = ForAttributes { unroll: self.choices.of(&unrolls), ..ForAttributes::default() };
        let head = For { from: from_value, to: to_value, step, init, attributes };
        self.loops += 1;
        let results = b.for_loop(head, |inner, variable, values| {
            let mut inside = scope.clone();
            let below = (counter == Scalar::Index).then_some(to);
            inside.nums.push(Num { value: variable, scalar: Some(counter), bound, below });
            inside.nums.extend(unbounded(values, &carried));
            self.block(inner, &mut inside)?;
            carried.iter().map(|&scalar| Ok(self.num(inner, &inside, scalar)?.value)).collect::<Built<_>>()
        })?;
        self.loops -= 1;
        scope.nums.extend(unbounded(&results, &carried));
        Ok(())
    }

    /// Floats would grow with each turn.
    fn carried_type(&mut self) -> Scalar {
        let scalar = self.scalar();
        if self.is_exact() && !scalar.is_integer() { Scalar::I32 } else { scalar }
    }

    /// Local memory, all of it written at once.
    pub fn alloca(&mut self, b: &mut Builder<'_>, scope: &mut Scope) -> Built<()> {
        let element = self.scalar();
        let shape: Vec<i64> = (0..self.choices.of(&[2usize, 1, 0, 3])).map(|_| self.size()).collect();
        let mem = self.local_memory(b, scope, element, &shape)?;
        scope.mems.extend(mem);
        Ok(())
    }

    /// Local memory of a shape; none if that takes more than the smallest device has left.
    pub fn local_memory(
        &mut self,
        b: &mut Builder<'_>,
        scope: &Scope,
        element: Scalar,
        shape: &[i64],
    ) -> Built<Option<Mem>> {
        const MAX_ELEMENTS: i64 = 1024;
        if shape.iter().product::<i64>() > MAX_ELEMENTS {
            return Ok(None);
        }
        let extents = shape.iter().map(|&size| Extent::Static(size)).collect();
        let ty = Memref::packed(element, extents, AddressSpace::Local);
        let alignment = self.choices.one_in(4).then_some(64);
        let attributes = AllocaAttributes { alignment, ..AllocaAttributes::default() };
        let value = b.value(Alloca { attributes, stack_ptr: None }, ty.clone())?;
        let stride = ty.stride.iter().filter_map(|extent| extent.value()).collect();
        self.roots.push(Root { bound: 0.0 });
        let mem = Mem { value, ty, shape: shape.to_vec(), stride, root: self.roots.len() - 1 };
        let initial = self.constant(b, element)?;
        self.write(&mem, initial.bound);
        if shape.is_empty() {
            b.emit(Store { value: initial.value, to: mem.value, indices: vec![] }, &[])?;
        } else {
            self.for_each(b, scope, &mem, |_, _, _| Ok(initial.clone()))?;
        }
        Ok(Some(mem))
    }

    /// Computes every element of memory from others.
    pub fn foreach(&mut self, b: &mut Builder<'_>, scope: &mut Scope) -> Built<()> {
        let fits: Vec<Mem> = scope
            .mems
            .iter()
            .rev()
            .filter(|mem| self.may_write(mem) && !mem.shape.is_empty())
            .cloned()
            .collect();
        if fits.is_empty() {
            return Ok(());
        }
        let mem = self.choices.of(&fits);
        let around = self.reserved.replace(mem.root);
        self.for_each(b, scope, &mem, |generator, inner, inside| {
            generator.block(inner, inside)?;
            generator.latest_as(inner, inside, mem.element())
        })?;
        self.reserved = around;
        Ok(())
    }

    /// A `foreach` over the elements of memory that stores what `body` returns.
    fn for_each(
        &mut self,
        b: &mut Builder<'_>,
        scope: &Scope,
        mem: &Mem,
        body: impl FnOnce(&mut Self, &mut Builder<'_>, &mut Scope) -> Built<Num>,
    ) -> Built<()> {
        let counter = self.choices.of(&[Scalar::Index, Scalar::Index, Scalar::I32, Scalar::I16]);
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for (mode, &size) in mem.shape.iter().enumerate() {
            from.push(self.literal(b, counter, 0)?.value);
            let from_size = counter == Scalar::Index && self.choices.one_in(3);
            to.push(if from_size {
                b.value(Size { of: mem.value, mode: mode as i64 }, Type::INDEX)?
            } else {
                self.literal(b, counter, size)?.value
            });
        }
        let inst = b.emit(Foreach { from, to }, &[])?;
        let region = b.ir[inst].regions[0];
        let variables = b.ir[region].parameters.clone();
        let inner = &mut b.inside(region);
        let mut inside = scope.clone();
        let mut own: Vec<Value> = Vec::new();
        for (&variable, &size) in variables.iter().zip(&mem.shape) {
            let index = match counter {
                Scalar::Index => variable,
                _ => inner.value(Cast { a: variable }, Type::INDEX)?,
            };
            let (scalar, bound) = (Some(Scalar::Index), size as f64);
            inside.nums.push(Num { value: index, scalar, bound, below: Some(size) });
            own.push(index);
        }
        let around = std::mem::replace(&mut self.is_spmd, true);
        // Its own element may be read, unless this is what gives it a value: nobody else writes it.
        if self.reserved == Some(mem.root) && self.choices.one_in(3) {
            let old = self.load_at(inner, mem, own.clone())?;
            inside.nums.push(old);
        }
        let new = body(self, inner, &mut inside)?;
        if self.write(mem, new.bound) {
            inner.emit(Store { value: new.value, to: mem.value, indices: own }, &[])?;
        }
        self.is_spmd = around;
        Ok(())
    }
}

/// Values of which nothing is known but their types.
fn unbounded<'a>(values: &'a [Value], scalars: &'a [Scalar]) -> impl Iterator<Item = Num> + use<'a> {
    values.iter().zip(scalars).map(|(&value, &scalar)| {
        let bound = if scalar.is_integer() { crate::scope::integer_limit(scalar) } else { f64::INFINITY };
        Num { value, scalar: Some(scalar), bound, below: None }
    })
}
