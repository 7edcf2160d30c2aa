//! A gemm as a kernel, its operands, and the check of what it wrote.

use std::fmt::Write as _;

use crate::device::{Argument, Device, Kernels, Memory, Outcome, Stop, run};
use crate::numbers::{Exact, Number, Random, gamma};

/// Width of the margin around a matrix in its buffer, which must stay as it is.
const MARGIN: usize = 3;

/// Form in which the distance of a matrix' columns is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Leading {
    /// Not at all: columns follow each other.
    Packed,
    /// In the type, with that many elements between columns.
    Static(usize),
    /// As an argument, with that many elements between columns.
    Dynamic(usize),
}

/// α or β.
#[derive(Clone, Copy, Debug)]
pub enum Factor {
    /// A constant.
    Literal(f64),
    /// An argument.
    Argument(f64),
}

impl Factor {
    pub fn value(self) -> f64 {
        match self {
            Factor::Literal(value) | Factor::Argument(value) => value,
        }
    }
}

/// C := α·op(A)·op(B) + β·C
#[derive(Clone, Copy, Debug)]
pub struct Problem {
    /// M, N, K.
    pub sizes: [usize; 3],
    /// Flags of the sizes that are known at run time only.
    pub dynamic: [bool; 3],
    /// Of A and of B.
    pub transposed: [bool; 2],
    pub leading: Leading,
    pub alpha: Factor,
    pub beta: Factor,
    /// True if the operands are parts of larger memrefs, at offsets known at run time.
    pub parts: bool,
    /// True if C holds NaN before.
    pub garbage: bool,
    /// Subgroup size and work-group size.
    pub geometry: Option<(i32, [i32; 2])>,
    /// True if factors may be rounded to tf32.
    pub tf32: bool,
    /// True if C is updated atomically.
    pub atomic: bool,
}

/// Relative error of a factor that is rounded to the nearest of tf32.
const TF32_UNIT: f64 = 1.0 / 2048.0;

impl Problem {
    pub fn new(m: usize, n: usize, k: usize) -> Problem {
        Problem {
            sizes: [m, n, k],
            dynamic: [false; 3],
            transposed: [false; 2],
            leading: Leading::Packed,
            alpha: Factor::Literal(1.0),
            beta: Factor::Literal(0.0),
            parts: false,
            garbage: false,
            geometry: None,
            tf32: false,
            atomic: false,
        }
    }

    /// The kernel without its name; the last parameters are the types of α and β.
    fn text<A: Number, B: Number, C: Number>(&self, [alpha, beta]: [ScalarType; 2]) -> String {
        let [a, b, c] = self.shapes();
        let mut parameters = vec![
            format!("%A: {}", self.memref::<A>(a)),
            format!("%B: {}", self.memref::<B>(b)),
            format!("%C: {}", self.memref::<C>(c)),
        ];
        let mut body = String::new();
        for (name, factor, ty) in [("alpha", self.alpha, alpha), ("beta", self.beta, beta)] {
            match factor {
                Factor::Argument(_) => parameters.push(format!("%{name}: {}", ty.name)),
                Factor::Literal(value) => {
                    let _ = writeln!(body, "    %{name} = constant {} : {}", (ty.literal)(value), ty.name);
                }
            }
        }
        let mut operands = ["%A", "%B", "%C"];
        if self.parts {
            for name in ["x", "y"] {
                parameters.push(format!("%{name}: index"));
            }
            for (mode, name) in ["m", "n", "k"].into_iter().enumerate() {
                if self.dynamic[mode] {
                    parameters.push(format!("%{name}: index"));
                }
            }
            for (whole, part, shape, element) in
                [("%A", "%a", a, A::NAME), ("%B", "%b", b, B::NAME), ("%C", "%c", c, C::NAME)]
            {
                let [rows, cols] = shape.map(|mode| self.extent(mode));
                let [r, s] = shape.map(|mode| match self.dynamic[mode] {
                    true => ["%m", "%n", "%k"][mode].to_owned(),
                    false => self.sizes[mode].to_string(),
                });
                let _ = writeln!(
                    body,
                    "    {part} = subview {whole}[%x:{r},%y:{s}] : memref<{element}x{rows}x{cols},strided<1,?>>"
                );
            }
            operands = ["%a", "%b", "%c"];
        }
        let [ta, tb] = self.transposed.map(|transposed| if transposed { 't' } else { 'n' });
        let [x, y, z] = operands;
        let atomic = if self.atomic { ".atomic" } else { "" };
        let _ = writeln!(body, "    gemm{atomic}.{ta}.{tb} %alpha, {x}, {y}, %beta, {z}");
        let geometry =
            self.geometry.map(|(size, [x, y])| format!("subgroup_size={size}, work_group_size=[{x},{y}]"));
        let precision = self.tf32.then(|| "precision=\"tf32\"".to_owned());
        let all: Vec<String> = geometry.into_iter().chain(precision).collect();
        let attributes =
            if all.is_empty() { String::new() } else { format!(" attributes{{{}}}", all.join(", ")) };
        format!("({}){attributes} {{\n{body}}}\n", parameters.join(", "))
    }

    /// The modes, of M, N and K, that make up A, B and C.
    fn shapes(&self) -> [[usize; 2]; 3] {
        let flip =
            |transposed, [rows, cols]: [usize; 2]| if transposed { [cols, rows] } else { [rows, cols] };
        [flip(self.transposed[0], [0, 2]), flip(self.transposed[1], [2, 1]), [0, 1]]
    }

    fn extent(&self, mode: usize) -> String {
        if self.dynamic[mode] { "?".to_owned() } else { self.sizes[mode].to_string() }
    }

    fn memref<T: Number>(&self, [rows, cols]: [usize; 2]) -> String {
        if self.parts {
            return format!("memref<{}x?x?>", T::NAME);
        }
        let leading = match self.leading {
            Leading::Packed => String::new(),
            Leading::Static(gap) => format!(",strided<1,{}>", self.sizes[rows] + gap),
            Leading::Dynamic(_) => ",strided<1,?>".to_owned(),
        };
        format!("memref<{}x{}x{}{leading}>", T::NAME, self.extent(rows), self.extent(cols))
    }

    /// Number of elements from one column to the next.
    fn leading_dimension(&self, rows: usize) -> usize {
        let gap = match self.leading {
            _ if self.parts => 2 * MARGIN,
            Leading::Packed => 0,
            Leading::Static(gap) | Leading::Dynamic(gap) => gap,
        };
        self.sizes[rows] + gap
    }

    /// The arguments of an operand.
    fn arguments<'a, T: Number>(&self, memory: &'a Memory<T>, [rows, cols]: [usize; 2]) -> Vec<Argument<'a>> {
        let leading = self.leading_dimension(rows);
        let mut arguments = vec![Argument::from(memory)];
        let mut push = |value: usize| arguments.push((value as i64).into());
        if self.parts {
            push(leading);
            push(self.sizes[cols] + 2 * MARGIN);
            push(leading);
            return arguments;
        }
        for mode in [rows, cols] {
            if self.dynamic[mode] {
                push(self.sizes[mode]);
            }
        }
        if matches!(self.leading, Leading::Dynamic(_))
            || (self.leading == Leading::Packed && self.dynamic[rows])
        {
            push(leading);
        }
        arguments
    }

    /// Place of element (i, j) of an operand.
    fn place(&self, rows: usize, i: usize, j: usize) -> usize {
        let leading = self.leading_dimension(rows);
        let start = if self.parts { MARGIN + (MARGIN + 1) * leading } else { 0 };
        start + i + j * leading
    }

    fn buffer_length(&self, [rows, cols]: [usize; 2]) -> usize {
        let columns = self.sizes[cols] + if self.parts { 2 * MARGIN } else { 0 };
        self.leading_dimension(rows) * columns + MARGIN
    }
}

/// The type of α or β.
#[derive(Clone, Copy)]
pub struct ScalarType {
    name: &'static str,
    literal: fn(f64) -> String,
    argument: fn(f64) -> Argument<'static>,
}

impl ScalarType {
    pub fn of<T: Number>() -> ScalarType {
        ScalarType { name: T::NAME, literal: T::literal, argument: |value| T::from_f64(value).into() }
    }
}

/// Compiles the problems as one program, runs each and checks all of C's buffer.
///
/// `W` is the type in which the sums are formed. One element of C is the result of K fused multiply-adds,
/// products with α and β and an addition, hence its error is at most γ(K + 3)·(|α|·Σ|a·b| + |β·c|), to which the
/// rounding to C's type comes.
pub fn check<A: Number, B: Number, C: Number, W: Number>(
    device: &Device,
    level: i32,
    scalars: [ScalarType; 2],
    problems: &[Problem],
) -> Outcome {
    A::require(device)?;
    C::require(device)?;
    W::require(device)?;
    let problems: Vec<&Problem> = problems
        .iter()
        .filter(|problem| problem.geometry.is_none_or(|(size, group)| device.has_geometry(size, group)))
        .collect();
    if problems.is_empty() {
        return Err(Stop::Skip("the device has no such subgroups".to_owned()));
    }
    let texts: Vec<String> = problems.iter().map(|problem| problem.text::<A, B, C>(scalars)).collect();
    let kernels = Kernels::new(texts.iter().cloned());
    let program = device.build(&kernels.text, level)?;
    let mut random = Random::new(problems.len() as u64);
    for (i, (problem, text)) in problems.iter().zip(&texts).enumerate() {
        let [shape_a, shape_b, shape_c] = problem.shapes();
        let a = device.memory(&random.numbers::<A>(problem.buffer_length(shape_a)))?;
        let b = device.memory(&random.numbers::<B>(problem.buffer_length(shape_b)))?;
        let mut before = random.numbers::<C>(problem.buffer_length(shape_c));
        if problem.garbage {
            before.fill(C::from_f64(f64::NAN));
        }
        let c = device.memory(&before)?;

        let mut arguments = problem.arguments(&a, shape_a);
        arguments.extend(problem.arguments(&b, shape_b));
        arguments.extend(problem.arguments(&c, shape_c));
        for (factor, ty) in [problem.alpha, problem.beta].into_iter().zip(scalars) {
            if let Factor::Argument(value) = factor {
                arguments.push((ty.argument)(value));
            }
        }
        if problem.parts {
            arguments.extend([Argument::from(MARGIN as i64), Argument::from(MARGIN as i64 + 1)]);
            for mode in 0..3 {
                if problem.dynamic[mode] {
                    arguments.push((problem.sizes[mode] as i64).into());
                }
            }
        }
        run(&program, kernels.name(i), [1, 1, 1], &arguments)?;
        compare::<A, B, C, W>(problem, &a, &b, &before, &c).map_err(|error| format!("{error}\n{text}"))?;
    }
    Ok(())
}

fn compare<A: Number, B: Number, C: Number, W: Number>(
    problem: &Problem,
    a: &[A],
    b: &[B],
    before: &[C],
    c: &[C],
) -> Result<(), String> {
    let [m, n, k] = problem.sizes;
    let [[rows_a, _], [rows_b, _], [rows_c, _]] = problem.shapes();
    let (alpha, beta) = (problem.alpha.value(), problem.beta.value());
    let exact = |value: f64| C::Exact::of(value);
    let mut expected: Vec<Option<(C::Exact, f64)>> = vec![None; c.len()];
    for j in 0..n {
        for i in 0..m {
            let (mut sum, mut size) = (exact(0.0), 0.0);
            for l in 0..k {
                let (x, y) = if problem.transposed[0] { (l, i) } else { (i, l) };
                let left = a[problem.place(rows_a, x, y)];
                let (x, y) = if problem.transposed[1] { (j, l) } else { (l, j) };
                let right = b[problem.place(rows_b, x, y)];
                sum = sum.plus(C::Exact::of(left).times(C::Exact::of(right)));
                size += (left.to_f64() * right.to_f64()).abs();
            }
            let place = problem.place(rows_c, i, j);
            let mut result = exact(alpha).times(sum);
            size *= alpha.abs();
            // A zero β that is an argument multiplies what is there; none of that is NaN.
            if beta != 0.0 {
                result = result.plus(exact(beta).times(C::Exact::of(before[place])));
                size += (beta * before[place].to_f64()).abs();
            }
            let factors = if problem.tf32 { gamma(2, TF32_UNIT) } else { 0.0 };
            let bound = (gamma(k + 3, W::UNIT) + factors) * size;
            let rounding = if C::UNIT > W::UNIT { C::UNIT * (size + bound) + C::TINY } else { 0.0 };
            expected[place] = Some((result, bound + rounding));
        }
    }
    for (place, ((&got, &old), expected)) in c.iter().zip(before).zip(expected).enumerate() {
        match expected {
            Some((exact, bound)) if !got.agrees(exact, bound) => {
                return Err(format!("C at {place} is {got:?}, not {exact:?} ± {bound:e}; {problem:?}"));
            }
            None if got != old && !problem.garbage => {
                return Err(format!("the element at {place} outside of C has changed; {problem:?}"));
            }
            _ => {}
        }
    }
    Ok(())
}
