//! Random well-typed programs, made with the builder.

use crate::choices::Choices;
use crate::scope::{Mem, Num, Root, Scope, clip, exact_limit, integer_limit};
use tiletc::diagnostics::Location;
use tiletc::ir::{Builder, Built, Constant, Ir, Program, Scalar, Type};

/// Features that the generator may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Programs that may run and whose results depend neither on the order of operations nor on how work is
    /// shared: all indices are in bounds, no two work-items write different values to one place, and floats
    /// are integers so small that every sum and product of theirs is exact.
    Exact,
    /// The same, but that floats are any numbers and may be rounded.
    Rounded,
    /// Products of tiles by several work-groups, as exact.
    Tiles,
    /// Products of batches, a member for each of several work-groups, as exact.
    Batches,
    /// Anything that the rules of the language allow.
    Any,
}

impl Kind {
    pub const ALL: [Kind; 5] = [Kind::Exact, Kind::Rounded, Kind::Tiles, Kind::Batches, Kind::Any];

    /// So many programs of a number that each property gets: several work-groups take their time.
    pub fn programs(self, programs: u64) -> u64 {
        if self.is_product() { programs.div_ceil(3) } else { programs }
    }

    /// Returns whether the programs are products whose parameters go together.
    pub fn is_product(self) -> bool {
        matches!(self, Kind::Tiles | Kind::Batches)
    }
}

/// A parameter, and its argument when the program runs.
#[derive(Clone, Debug)]
pub enum Parameter {
    /// A number.
    Scalar(Scalar, i64),
    /// Memory.
    Memref(Mem),
    /// Memory behind a table, which no program that runs has.
    Group,
}

/// A program of one function named `f`.
pub struct Generated {
    pub ir: Ir,
    pub program: Program,
    pub parameters: Vec<Parameter>,
    /// Work-groups in each direction.
    pub groups: [usize; 3],
}

/// The generator.
pub struct Generator<'c> {
    pub choices: Choices<'c>,
    pub kind: Kind,
    pub roots: Vec<Root>,
    /// Sizes of this program's tensors.
    pub sizes: Vec<i64>,
    /// Loops around the current place.
    pub loops: usize,
    /// Regions around the current place.
    pub depth: usize,
    /// True if the current place is in an SPMD region.
    pub is_spmd: bool,
    /// Memory that the region around writes, so that nothing else in it may touch it.
    pub reserved: Option<usize>,
}

/// Sizes that blocks, remainders and single rows are made of.
const SIZES: &[i64] = &[4, 1, 2, 3, 5, 8, 15, 16, 17, 32, 33, 40];
/// Regions in each other, at most.
const MAX_DEPTH: usize = 4;

/// Makes the program that the numbers decide on.
///
/// # Errors
/// The rule that a program breaks; none should.
pub fn generate(numbers: &[u32], kind: Kind) -> Built<Generated> {
    let mut generator = Generator {
        choices: Choices::new(numbers),
        kind,
        roots: Vec::new(),
        sizes: Vec::new(),
        loops: 0,
        depth: 0,
        is_spmd: false,
        reserved: None,
    };
    generator.sizes = (0..3).map(|_| generator.choices.of(SIZES)).collect();
    let mut ir = Ir::default();
    let product = (kind == Kind::Tiles).then(|| generator.product());
    let batch = (kind == Kind::Batches).then(|| generator.batch());
    let parameters = match (&product, &batch) {
        (Some(product), _) => generator.product_parameters(product),
        (_, Some(batch)) => generator.batch_parameters(batch),
        (None, None) => generator.parameters(),
    };
    let types: Vec<Type> = parameters.iter().map(|parameter| generator.parameter_type(parameter)).collect();
    let func = ir.create_function("f", &types, Location::default());
    let program = Program { functions: vec![func] };
    let attributes = match (&product, &batch) {
        (Some(product), _) => product.attributes(),
        (_, Some(batch)) => batch.attributes(),
        (None, None) => generator.attributes(),
    };
    ir[func].attributes = attributes;
    let mut scope = Scope::default();
    let mut parameters = parameters;
    let body = ir[func].body;
    for (number, (parameter, &value)) in parameters.iter_mut().zip(&ir[body].parameters.clone()).enumerate() {
        match parameter {
            Parameter::Scalar(scalar, argument) => {
                let bound = (*argument as f64).abs();
                scope.nums.push(Num { value, scalar: Some(*scalar), bound, below: None });
            }
            Parameter::Memref(mem) => {
                mem.value = value;
                scope.mems.push(mem.clone());
            }
            Parameter::Group => scope.groups.push(value),
        }
        if generator.choices.one_in(3) {
            ir[value].name = Some(format!("p{number}"));
        }
    }
    let mut builder = Builder::new(&mut ir, body, Location::default());
    let mut groups = [1; 3];
    if let Some(product) = product {
        groups = product.groups;
        generator.tiles(&mut builder, &mut scope, &product)?;
    } else if let Some(batch) = batch {
        groups = batch.groups;
        generator.products(&mut builder, &mut scope, &batch)?;
    } else {
        while !generator.choices.is_over() {
            generator.statement(&mut builder, &mut scope)?;
        }
        generator.show(&mut builder, &scope)?;
    }
    Ok(Generated { ir, program, parameters, groups })
}

impl Generator<'_> {
    /// Returns whether all arithmetic has to be exact.
    pub fn is_exact(&self) -> bool {
        self.kind == Kind::Exact || self.kind.is_product()
    }

    /// Returns whether the program may run.
    pub fn runs(&self) -> bool {
        self.kind != Kind::Any
    }

    /// A number type; where floats are to be rounded, mostly one of these.
    pub fn scalar(&mut self) -> Scalar {
        use Scalar::{Bf16, C32, C64, F16, F32, F64, I8, I16, I32, I64, Index};
        match self.kind {
            Kind::Rounded => {
                let all = [F32, F16, F64, Bf16, C32, C64];
                if self.choices.one_in(5) {
                    self.choices.of(&[I32, Index, I8, I16, I64])
                } else {
                    self.choices.of(&all)
                }
            }
            _ => self.choices.of(&[I32, F32, Index, I8, I16, I64, F16, Bf16, F64, C32, C64]),
        }
    }

    pub fn size(&mut self) -> i64 {
        let sizes = self.sizes.clone();
        self.choices.of(&sizes)
    }

    /// Appends one statement, or a few.
    pub fn statement(&mut self, b: &mut Builder<'_>, scope: &mut Scope) -> Built<()> {
        let has_room = self.depth < MAX_DEPTH;
        let is_collective = !self.is_spmd;
        match self.choices.below(20) {
            2 => self.store(b, scope),
            3..=5 if is_collective => self.linear_algebra(b, scope),
            6 if is_collective => self.alloca(b, scope),
            7 | 8 if is_collective && has_room => self.foreach(b, scope),
            9 if has_room => self.branch(b, scope),
            10 if has_room => self.for_loop(b, scope),
            11 => self.view(b, scope),
            12 | 13 if is_collective && has_room => self.parallel(b, scope),
            14 if is_collective && has_room => self.foreach_tile(b, scope),
            15 | 16 if !self.runs() => self.anything(b, scope),
            // What only an SPMD region may have takes the turns of what is collective.
            3..=8 | 12..=14 if self.is_spmd && !self.runs() => self.anything(b, scope),
            1 => self.load(b, scope).map(drop),
            _ => self.arithmetic(b, scope),
        }
    }

    /// A few statements in a region within the current one.
    pub fn block(&mut self, b: &mut Builder<'_>, scope: &mut Scope) -> Built<()> {
        self.depth += 1;
        for _ in 0..self.choices.below(4) {
            self.statement(b, scope)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// A literal.
    pub fn constant(&mut self, b: &mut Builder<'_>, scalar: Scalar) -> Built<Num> {
        let number = self.choices.of(&[1i64, 0, 2, -1, 3, -2]);
        self.literal(b, scalar, number)
    }

    /// A literal of a known value.
    pub fn literal(&mut self, b: &mut Builder<'_>, scalar: Scalar, number: i64) -> Built<Num> {
        let float = number as f64;
        let strange = [float, f64::INFINITY, f64::NAN, -0.0, 0.1, f64::MAX, 5e-324];
        let (float, im) = match self.kind {
            Kind::Exact | Kind::Tiles | Kind::Batches => (float, 0.0),
            Kind::Rounded if scalar.is_integer() => (float, 0.0),
            Kind::Rounded => self.choices.of(&[(float, 0.0), (float / 3.0, float * 0.7), (float * 0.3, 0.1)]),
            Kind::Any => {
                let float = self.choices.of(&strange);
                (float, -float)
            }
        };
        let constant = if scalar.is_complex() {
            Constant::Complex(float, im)
        } else if scalar.is_float() {
            Constant::Float(float)
        } else {
            Constant::Int(number)
        };
        let value = b.constant(constant, scalar)?;
        Ok(Num { value, scalar: Some(scalar), bound: float.abs().max(im.abs()), below: None })
    }

    /// An index that is known.
    pub fn index(&mut self, b: &mut Builder<'_>, number: i64) -> Built<Num> {
        let value = b.constant(Constant::Int(number), Scalar::Index)?;
        Ok(Num { value, scalar: Some(Scalar::Index), bound: number as f64, below: Some(number + 1) })
    }

    /// A position in a mode of this size.
    pub fn position(&mut self, b: &mut Builder<'_>, scope: &Scope, size: i64) -> Built<Num> {
        let fits: Vec<&Num> =
            scope.nums.iter().rev().filter(|num| num.below.is_some_and(|below| below <= size)).collect();
        if !fits.is_empty() && !self.choices.one_in(3) {
            return Ok(self.choices.of(&fits).clone());
        }
        let number = self.choices.below(usize::try_from(size).unwrap_or(1)) as i64;
        self.index(b, number)
    }

    /// A number of a type, the latest if in doubt.
    pub fn num(&mut self, b: &mut Builder<'_>, scope: &Scope, scalar: Scalar) -> Built<Num> {
        let fits: Vec<&Num> = scope.nums.iter().rev().filter(|num| num.scalar == Some(scalar)).collect();
        if fits.is_empty() || self.choices.one_in(4) {
            return self.constant(b, scalar);
        }
        Ok(self.choices.of(&fits).clone())
    }

    /// Returns whether memory may be read here.
    pub fn may_read(&self, mem: &Mem) -> bool {
        !mem.is_empty() && (!self.runs() || self.reserved != Some(mem.root))
    }

    /// Returns whether memory may be written here. In loops, the bounds of floats would grow with each turn.
    pub fn may_write(&self, mem: &Mem) -> bool {
        self.may_read(mem) && (!self.is_exact() || self.loops == 0 || mem.element().is_integer())
    }

    /// Takes note of values that were written; false if they would be too large to stay exact.
    pub fn write(&mut self, mem: &Mem, bound: f64) -> bool {
        let element = mem.element();
        if self.is_exact() && bound > exact_limit(element) {
            return false;
        }
        let bound = clip(element, bound);
        let root = &mut self.roots[mem.root];
        root.bound = root.bound.max(if bound.is_nan() { f64::INFINITY } else { bound });
        true
    }

    /// The bound of what is in memory. What other turns of a loop write is not known yet.
    pub fn bound(&self, mem: &Mem) -> f64 {
        match mem.element() {
            element if element.is_integer() => integer_limit(element),
            _ if self.loops > 0 && !self.is_exact() => f64::INFINITY,
            _ => self.roots[mem.root].bound,
        }
    }
}
