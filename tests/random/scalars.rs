//! Numbers: arithmetic, comparisons, casts, loads and stores.

use crate::generate::Generator;
use crate::scope::{Mem, Num, Scope, clip, exact_limit, integer_limit, product_factor};
use tiletc::ir::{
    Binary, BinaryOp, Builder, Built, Cast, Compare, CompareOp, Load, Math, MathOp, Scalar, Store, Type,
    Unary, UnaryOp, Value,
};

impl Generator<'_> {
    /// A computation on the numbers at hand.
    pub fn arithmetic(&mut self, b: &mut Builder<'_>, scope: &mut Scope) -> Built<()> {
        let scalar = match scope.nums.iter().rev().find_map(|num| num.scalar) {
            Some(latest) if !self.choices.one_in(3) => latest,
            _ => self.scalar(),
        };
        let a = self.num(b, scope, scalar)?;
        let new = match self.choices.below(8) {
            0..4 => self.binary(b, scope, scalar, &a)?,
            4 => self.unary(b, scalar, &a)?,
            5 => Some(self.compare(b, scope, scalar, &a)?),
            6 => {
                let to = self.scalar();
                self.cast(b, &a, to)?
            }
            _ if scalar.is_integer() || self.is_exact() => self.logic(b, scope)?,
            _ => self.math(b, scalar, &a)?,
        };
        scope.nums.extend(new);
        Ok(())
    }

    fn binary(&mut self, b: &mut Builder<'_>, scope: &Scope, scalar: Scalar, x: &Num) -> Built<Option<Num>> {
        use BinaryOp::{Add, And, Div, Max, Min, Mul, Or, Rem, Shl, Shr, Sub, Xor};
        let op = match (scalar.is_complex(), scalar.is_integer()) {
            (true, _) => self.choices.of(&[Add, Mul, Sub, Div]),
            (_, true) => self.choices.of(&[Add, Mul, Sub, Min, Max, And, Or, Xor, Div, Rem, Shl, Shr]),
            _ => self.choices.of(&[Add, Mul, Sub, Min, Max, Div, Rem]),
        };
        if self.is_exact() && !scalar.is_integer() && matches!(op, Div | Rem) {
            return Ok(None);
        }
        let y = match op {
            // Zero, and the smallest number by -1, have no quotient; wide shifts have no value.
            Div | Rem if scalar.is_integer() => self.positive(b, scalar, &[3, 1, 2, 7])?,
            Shl | Shr => self.positive(b, scalar, &[1, 0, 3, 7])?,
            _ => self.num(b, scope, scalar)?,
        };
        let bound = match op {
            Add | Sub => x.bound + y.bound,
            Mul => x.bound * y.bound * product_factor(scalar),
            Min | Max => x.bound.max(y.bound),
            _ => integer_limit(scalar),
        };
        if self.is_exact() && (bound.is_nan() || bound > exact_limit(scalar)) {
            return Ok(None);
        }
        let value = b.value(Binary { op, a: x.value, b: y.value }, scalar)?;
        Ok(Some(Num { value, scalar: Some(scalar), bound: clip(scalar, bound), below: None }))
    }

    fn positive(&mut self, b: &mut Builder<'_>, scalar: Scalar, numbers: &[i64]) -> Built<Num> {
        let number = self.choices.of(numbers);
        self.literal(b, scalar, number)
    }

    fn unary(&mut self, b: &mut Builder<'_>, scalar: Scalar, x: &Num) -> Built<Option<Num>> {
        use UnaryOp::{Abs, Conj, Im, Neg, Not, Re};
        let op = match (scalar.is_complex(), scalar.is_integer()) {
            // The magnitude of a complex number is rounded.
            (true, _) if self.is_exact() => self.choices.of(&[Neg, Conj, Re, Im]),
            (true, _) => self.choices.of(&[Neg, Conj, Re, Im, Abs]),
            (_, true) => self.choices.of(&[Neg, Abs, Not]),
            _ => self.choices.of(&[Neg, Abs]),
        };
        let to = if matches!(op, Re | Im | Abs) { scalar.component() } else { scalar };
        let value = b.value(Unary { op, a: x.value }, to)?;
        Ok(Some(Num {
            value,
            scalar: Some(to),
            bound: clip(to, x.bound + 1.0).min(exact_limit(to)),
            below: None,
        }))
    }

    pub fn compare(&mut self, b: &mut Builder<'_>, scope: &Scope, scalar: Scalar, x: &Num) -> Built<Num> {
        use CompareOp::{Equal, GreaterThan, GreaterThanEqual, LessThan, LessThanEqual, NotEqual};
        let op = if scalar.is_complex() {
            self.choices.of(&[Equal, NotEqual])
        } else {
            self.choices.of(&[LessThan, Equal, NotEqual, GreaterThan, GreaterThanEqual, LessThanEqual])
        };
        let y = self.num(b, scope, scalar)?;
        let value = b.value(Compare { op, a: x.value, b: y.value }, Type::Bool)?;
        Ok(Num { value, scalar: None, bound: 1.0, below: None })
    }

    /// Logic on two truth values.
    fn logic(&mut self, b: &mut Builder<'_>, scope: &Scope) -> Built<Option<Num>> {
        let bools: Vec<Value> =
            scope.nums.iter().rev().filter(|num| num.scalar.is_none()).map(|num| num.value).collect();
        if bools.is_empty() {
            return Ok(None);
        }
        let (x, y) = (self.choices.of(&bools), self.choices.of(&bools));
        let value = if self.choices.one_in(4) {
            b.value(Unary { op: UnaryOp::Not, a: x }, Type::Bool)?
        } else {
            let op = self.choices.of(&[BinaryOp::And, BinaryOp::Or, BinaryOp::Xor]);
            b.value(Binary { op, a: x, b: y }, Type::Bool)?
        };
        Ok(Some(Num { value, scalar: None, bound: 1.0, below: None }))
    }

    /// A cast, if there is one between the types whose result is exact.
    pub fn cast(&mut self, b: &mut Builder<'_>, x: &Num, to: Scalar) -> Built<Option<Num>> {
        let Some(from) = x.scalar else { return Ok(None) };
        if from.is_complex() && !to.is_complex() {
            return Ok(None);
        }
        // Beyond the range of an integer type a float has no integer.
        let fits = if to.is_integer() {
            from.is_integer() || x.bound < integer_limit(to)
        } else {
            x.bound <= exact_limit(to)
        };
        if self.is_exact() && !fits || self.runs() && to.is_integer() && !fits {
            return Ok(None);
        }
        let value = b.value(Cast { a: x.value }, to)?;
        let below = x.below.filter(|_| to == Scalar::Index);
        Ok(Some(Num { value, scalar: Some(to), bound: clip(to, x.bound), below }))
    }

    fn math(&mut self, b: &mut Builder<'_>, scalar: Scalar, x: &Num) -> Built<Option<Num>> {
        let op = if scalar.is_complex() {
            self.choices.of(&[MathOp::Exp, MathOp::Exp2, MathOp::NativeExp, MathOp::NativeExp2])
        } else {
            self.choices.of(MathOp::ALL)
        };
        let value = b.value(Math { op, a: x.value }, scalar)?;
        Ok(Some(Num { value, scalar: Some(scalar), bound: f64::INFINITY, below: None }))
    }

    /// Reads an element of memory.
    pub fn load(&mut self, b: &mut Builder<'_>, scope: &mut Scope) -> Built<()> {
        let fits: Vec<Mem> = scope.mems.iter().rev().filter(|mem| self.may_read(mem)).cloned().collect();
        if fits.is_empty() {
            return Ok(());
        }
        let mem = self.choices.of(&fits);
        let indices = self.positions(b, scope, &mem)?;
        let num = self.load_at(b, &mem, indices)?;
        scope.nums.push(num);
        Ok(())
    }

    pub fn load_at(&mut self, b: &mut Builder<'_>, mem: &Mem, indices: Vec<Value>) -> Built<Num> {
        let value = b.value(Load { from: mem.value, indices }, mem.element())?;
        Ok(Num { value, scalar: Some(mem.element()), bound: self.bound(mem), below: None })
    }

    pub fn positions(&mut self, b: &mut Builder<'_>, scope: &Scope, mem: &Mem) -> Built<Vec<Value>> {
        mem.shape.iter().map(|&size| Ok(self.position(b, scope, size)?.value)).collect()
    }

    /// Writes an element of memory. In SPMD regions of programs that run, work-items would write to the same
    /// place.
    pub fn store(&mut self, b: &mut Builder<'_>, scope: &mut Scope) -> Built<()> {
        if self.runs() && self.is_spmd {
            return Ok(());
        }
        let fits: Vec<Mem> = scope.mems.iter().rev().filter(|mem| self.may_write(mem)).cloned().collect();
        if fits.is_empty() {
            return Ok(());
        }
        let mem = self.choices.of(&fits);
        let indices = self.positions(b, scope, &mem)?;
        let value = self.latest_as(b, scope, mem.element())?;
        if self.write(&mem, value.bound) {
            b.emit(Store { value: value.value, to: mem.value, indices }, &[])?;
        }
        Ok(())
    }

    /// Writes the latest numbers to memory, each to a place of its own, so that nothing goes unseen.
    pub fn show(&mut self, b: &mut Builder<'_>, scope: &Scope) -> Built<()> {
        const MOST: usize = 8;
        let latest = scope.nums.iter().rev().filter(|num| num.below.is_none()).take(MOST);
        for (number, num) in (0i64..).zip(latest) {
            let fits = |mem: &&Mem| {
                mem.shape.first().is_some_and(|&size| size > number)
                    && self.may_write(mem)
                    && num.scalar.is_none_or(|scalar| mem.element() == scalar || scalar.is_integer())
            };
            let Some(mem) = scope.mems.iter().find(fits).cloned() else { continue };
            let shown = match num.scalar {
                Some(_) => self.cast(b, num, mem.element())?,
                None => {
                    let [one, two] = [1, 2].map(|number| self.literal(b, mem.element(), number));
                    Some(self.chosen(b, num, &one?, &two?)?)
                }
            };
            let Some(shown) = shown.filter(|shown| self.write(&mem, shown.bound)) else { continue };
            let mut indices = vec![self.index(b, number)?.value];
            for _ in 1..mem.shape.len() {
                indices.push(self.index(b, 0)?.value);
            }
            b.emit(Store { value: shown.value, to: mem.value, indices }, &[])?;
        }
        Ok(())
    }

    /// One of two numbers.
    fn chosen(&mut self, b: &mut Builder<'_>, condition: &Num, x: &Num, y: &Num) -> Built<Num> {
        let types: Vec<Type> = x.scalar.map(Type::Scalar).into_iter().collect();
        let side = |num: &Num| {
            let value = num.value;
            move |_: &mut Builder<'_>| -> Built<Vec<Value>> { Ok(vec![value]) }
        };
        let values = b.branch(condition.value, &types, side(x), side(y))?;
        Ok(Num { value: values[0], bound: x.bound.max(y.bound), ..x.clone() })
    }

    /// The latest number, cast to a type; another number of that type if that cannot be.
    pub fn latest_as(&mut self, b: &mut Builder<'_>, scope: &Scope, to: Scalar) -> Built<Num> {
        let latest = scope.nums.iter().rev().find(|num| num.scalar.is_some()).cloned();
        match latest {
            Some(latest) if latest.scalar == Some(to) => Ok(latest),
            Some(latest) => match self.cast(b, &latest, to)? {
                Some(num) => Ok(num),
                None => self.num(b, scope, to),
            },
            None => self.constant(b, to),
        }
    }
}
