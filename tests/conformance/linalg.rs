//! Linear algebra beyond real gemm and axpby: every operation, atomic or not, for real and complex numbers.
//!
//! The numbers have few bits, hence the host's results are exact in double precision. A result is a sum of n
//! products, a product with α, one with β and a sum. Complex products round twice where real ones round once.

use half::bf16;
use num_complex::Complex;
use tiletc::runtime::opencl::Argument;
use tiletc::target::SpirvFeature;

use crate::Case;
use crate::device::{Device, Kernels, Outcome, run};
use crate::entries::{Entry, plus, size, times};
use crate::numbers::{Random, gamma};

/// Subgroup size and work-group size.
type Geometry = Option<(i32, [i32; 2])>;

const FEW: Geometry = Some((8, [8, 1]));
const MANY: Geometry = Some((16, [32, 4]));
const ALPHA: [f64; 2] = [3.0, -1.0];
const BETA: [f64; 2] = [-2.0, 0.5];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Operation {
    Axpby,
    /// Of a vector to a scalar, or of rows to a vector; transposed or not.
    Sum(bool),
    Cumsum(usize),
    Gemv(bool),
    Ger,
    Hadamard,
    Gemm(bool, bool),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Beta {
    /// Of an atomic operation, which takes the constants 0 and 1 only.
    Atomic(f64),
    /// A constant.
    Zero,
    Argument,
}

#[derive(Clone, Debug)]
struct Problem {
    operation: Operation,
    /// The shape of the output.
    output: Vec<usize>,
    /// Number of terms in a sum, where the output does not tell.
    inner: usize,
    beta: Beta,
    /// Whether the sizes are known at compile time.
    fixed: bool,
    geometry: Geometry,
}

pub fn cases() -> Vec<Case> {
    macro_rules! cases {
        ($($a:ty, $c:ty;)*) => {
            vec![$(Case::new(format!("linalg::{}_{}", <$a>::NAME, <$c>::NAME), check::<$a, $c>)),*]
        };
    }
    cases! {
        i32, i32;
        f32, f32;
        f64, f64;
        bf16, f32;
        bf16, bf16;
        Complex<f32>, Complex<f32>;
        Complex<f64>, Complex<f64>;
    }
}

/// An operation, the sizes it runs with, and the geometries of the work-group.
type Shapes = (Operation, &'static [(&'static [usize], usize)], &'static [Geometry]);

fn problems() -> Vec<Problem> {
    use Operation::*;
    let (no, yes) = (false, true);
    let shapes: [Shapes; 17] = [
        (Axpby, &[(&[7, 5], 1)], &[None]),
        (Sum(no), &[(&[], 0), (&[], 1), (&[], 37), (&[], 1000)], &[FEW, MANY]),
        (Sum(no), &[(&[1], 1), (&[5], 0), (&[33], 19), (&[200], 3)], &[None]),
        (Sum(yes), &[(&[1], 7), (&[13], 70), (&[140], 2)], &[FEW, MANY]),
        (Cumsum(0), &[(&[0], 0), (&[1], 0), (&[8], 0), (&[101], 0)], &[FEW, MANY]),
        (Cumsum(0), &[(&[37, 11], 0), (&[1, 3], 0)], &[MANY]),
        (Cumsum(1), &[(&[37, 11], 0), (&[1, 3], 0)], &[None]),
        (Cumsum(0), &[(&[19, 3, 5], 0)], &[MANY]),
        (Cumsum(1), &[(&[19, 3, 5], 0)], &[None]),
        (Cumsum(2), &[(&[19, 3, 5], 0)], &[None]),
        (Gemv(no), &[(&[1], 1), (&[33], 19), (&[300], 5), (&[4], 0)], &[None]),
        (Gemv(yes), &[(&[1], 3), (&[19], 33)], &[None]),
        (Ger, &[(&[1, 1], 1), (&[17, 9], 1), (&[130, 3], 1), (&[0, 3], 1)], &[None]),
        (Hadamard, &[(&[1], 1), (&[300], 1)], &[None]),
        (Hadamard, &[(&[17, 9], 1)], &[None]),
        (Gemm(no, no), &[(&[17, 9], 5), (&[33, 1], 12)], &[MANY]),
        (Gemm(yes, yes), &[(&[17, 9], 5)], &[MANY]),
    ];
    let mut problems = Vec::new();
    for (operation, sizes, geometries) in shapes {
        for beta in [Beta::Argument, Beta::Zero, Beta::Atomic(0.0), Beta::Atomic(1.0)] {
            for &geometry in geometries {
                for &(output, inner) in sizes {
                    let output = output.to_vec();
                    problems.push(Problem { operation, output, inner, beta, fixed: false, geometry });
                }
            }
        }
        // The largest size once more, with all sizes known.
        if let (Some(&(output, inner)), Some(&geometry)) = (
            sizes.iter().max_by_key(|(output, inner)| output.iter().product::<usize>() * (inner + 1)),
            geometries.last(),
        ) {
            let output = output.to_vec();
            problems.push(Problem { operation, output, inner, beta: Beta::Argument, fixed: true, geometry });
        }
    }
    problems
}

/// The place of an element of a packed tensor.
fn place(shape: &[usize], indices: &[usize]) -> usize {
    shape.iter().zip(indices).rev().fold(0, |place, (size, index)| place * size + index)
}

fn flip<T>(transposed: bool, [a, b]: [T; 2]) -> Vec<T> {
    if transposed { vec![b, a] } else { vec![a, b] }
}

impl Problem {
    /// The shapes of the inputs.
    fn inputs(&self) -> Vec<Vec<usize>> {
        let inner = self.inner;
        match (self.operation, self.output.as_slice()) {
            (Operation::Axpby | Operation::Cumsum(_), output) => vec![output.to_vec()],
            (Operation::Sum(_), []) => vec![vec![inner]],
            (Operation::Sum(t), &[m, ..]) => vec![flip(t, [m, inner])],
            (Operation::Gemv(t), &[m, ..]) => vec![flip(t, [m, inner]), vec![inner]],
            (Operation::Ger, &[m, n, ..]) => vec![vec![m], vec![n]],
            (Operation::Gemm(ta, tb), &[m, n, ..]) => vec![flip(ta, [m, inner]), flip(tb, [inner, n])],
            (_, output) => vec![output.to_vec(), output.to_vec()],
        }
    }

    /// The places in the inputs of the terms that make up an element of the output.
    fn terms(&self, indices: &[usize]) -> Vec<Vec<usize>> {
        let inputs = self.inputs();
        let term = |places: &[Vec<usize>]| -> Vec<usize> {
            inputs.iter().zip(places).map(|(shape, indices)| place(shape, indices)).collect()
        };
        match (self.operation, indices) {
            (Operation::Axpby, _) => vec![term(&[indices.to_vec()])],
            (Operation::Cumsum(mode), _) => (0..=indices[mode])
                .map(|l| {
                    let mut indices = indices.to_vec();
                    indices[mode] = l;
                    term(&[indices])
                })
                .collect(),
            (Operation::Sum(_), []) => (0..self.inner).map(|l| vec![l]).collect(),
            (Operation::Sum(t), &[i, ..]) => (0..self.inner).map(|l| term(&[flip(t, [i, l])])).collect(),
            (Operation::Gemv(t), &[i, ..]) => {
                (0..self.inner).map(|l| term(&[flip(t, [i, l]), vec![l]])).collect()
            }
            (Operation::Ger, &[i, j, ..]) => vec![vec![i, j]],
            (Operation::Gemm(ta, tb), &[i, j, ..]) => {
                (0..self.inner).map(|l| term(&[flip(ta, [i, l]), flip(tb, [l, j])])).collect()
            }
            _ => vec![term(&[indices.to_vec(), indices.to_vec()])],
        }
    }

    fn text<A: Entry, C: Entry>(&self) -> String {
        let memref = |ty: &str, shape: &[usize]| {
            let size = |size: &usize| if self.fixed { format!("x{size}") } else { "x?".to_owned() };
            format!("memref<{ty}{}>", shape.iter().map(size).collect::<String>())
        };
        let inputs: Vec<String> = self.inputs().iter().map(|shape| memref(A::NAME, shape)).collect();
        let mut parameters = format!("%alpha: {}, %beta: {}", A::NAME, C::NAME);
        for (name, input) in ["%A", "%B"].into_iter().zip(&inputs) {
            parameters += &format!(", {name}: {input}");
        }
        parameters += &format!(", %C: {}", memref(C::NAME, &self.output));
        let (mut atomic, mut constant, mut beta) = ("", String::new(), "%beta");
        if let Beta::Atomic(_) | Beta::Zero = self.beta {
            constant = format!("%constant = constant {} : {}", C::literal(self.beta_parts()), C::NAME);
            beta = "%constant";
        }
        if let Beta::Atomic(_) = self.beta {
            atomic = ".atomic";
        }
        let t = |transposed| if transposed { ".t" } else { ".n" };
        let (name, flags) = match self.operation {
            Operation::Axpby => ("axpby", String::new()),
            Operation::Sum(transposed) => ("sum", t(transposed).to_owned()),
            Operation::Cumsum(_) => ("cumsum", String::new()),
            Operation::Gemv(transposed) => ("gemv", t(transposed).to_owned()),
            Operation::Ger => ("ger", String::new()),
            Operation::Hadamard => ("hadamard", String::new()),
            Operation::Gemm(ta, tb) => ("gemm", t(ta).to_owned() + t(tb)),
        };
        let operands = match self.operation {
            Operation::Cumsum(mode) => format!("%A, {mode}"),
            _ if inputs.len() == 1 => "%A".to_owned(),
            _ => "%A, %B".to_owned(),
        };
        let attributes = self.geometry.map_or(String::new(), |(size, [x, y])| {
            format!(" attributes{{subgroup_size={size}, work_group_size=[{x},{y}]}}")
        });
        format!(
            "({parameters}){attributes} {{\n    {constant}\n    {name}{atomic}{flags} %alpha, {operands}, {beta}, %C\n}}\n"
        )
    }

    fn beta_parts(&self) -> [f64; 2] {
        match self.beta {
            Beta::Atomic(value) => [value, 0.0],
            Beta::Zero => [0.0, 0.0],
            Beta::Argument => BETA,
        }
    }

    /// The sizes and strides that follow the address of a tensor.
    fn sizes(&self, shape: &[usize]) -> Vec<Argument<'static>> {
        if self.fixed {
            return Vec::new();
        }
        let strides = shape.iter().scan(1, |stride, size| {
            *stride *= size;
            Some(*stride)
        });
        let strides = strides.take(shape.len().saturating_sub(1));
        shape.iter().copied().chain(strides).map(|size| Argument::from(size as i64)).collect()
    }
}

fn check<A: Entry, C: Entry>(device: &Device) -> Outcome {
    if C::NAME == "f64" || C::NAME == "c64" {
        device.require(SpirvFeature::Float64)?;
    }
    let mut problems = problems();
    // All types take the same ways, and building kernels is slow: single precision stands for most of them.
    problems.retain(|problem| match (A::NAME, C::NAME) {
        ("f32", _) => problem.beta != Beta::Zero || !matches!(problem.operation, Operation::Gemm(..)),
        _ if problem.geometry == FEW || problem.fixed => false,
        (_, "c64") => {
            problem.beta == Beta::Argument
                && matches!(problem.operation, Operation::Gemm(..) | Operation::Axpby)
        }
        // There are no atomics for bf16.
        ("bf16", _) => problem.beta == Beta::Argument,
        // Atomic stores of f64 do not link on the Intel CPU driver.
        (_, "f64") => matches!(problem.beta, Beta::Argument | Beta::Atomic(1.0)),
        _ => {
            matches!(problem.beta, Beta::Argument | Beta::Atomic(1.0))
                || problem.operation == Operation::Axpby
        }
    });
    problems.retain(|problem| problem.geometry.is_none_or(|(size, group)| device.has_geometry(size, group)));
    let texts: Vec<String> = problems.iter().map(Problem::text::<A, C>).collect();
    let kernels = Kernels::new(texts.iter().cloned());
    let program = device.build(&kernels.text, 2)?;
    let mut random = Random::new(11);
    for (i, (problem, text)) in problems.iter().zip(&texts).enumerate() {
        let mut numbers =
            |length: usize| -> Vec<A> { (0..length).map(|_| A::few_bits(&mut random)).collect() };
        let shapes = problem.inputs();
        let inputs = shapes
            .iter()
            .map(|shape| device.memory(&numbers(shape.iter().product())))
            .collect::<Outcome<Vec<_>>>()?;
        let length: usize = problem.output.iter().product();
        let mut before: Vec<C> = (0..length + 2).map(|_| C::few_bits(&mut random)).collect();
        let (alpha, beta) = (A::from_parts(ALPHA), C::from_parts(problem.beta_parts()).parts());
        if beta == [0.0, 0.0] && C::UNIT != 0.0 {
            // A constant zero β does not read what is there.
            before[..length].fill(C::from_parts([f64::NAN; 2]));
        }
        let output = device.memory(&before)?;
        let mut arguments = vec![alpha.into(), C::from_parts(BETA).into()];
        for (shape, input) in shapes.iter().zip(&inputs) {
            arguments.push(input.into());
            arguments.extend(problem.sizes(shape));
        }
        arguments.push((&output).into());
        arguments.extend(problem.sizes(&problem.output));
        run(&program, kernels.name(i), [1, 1, 1], &arguments)?;

        if output[length..] != before[length..] {
            return Err(format!("what is behind the output has changed\n{problem:?}\n{text}").into());
        }
        for at in 0..length {
            let mut rest = at;
            let indices: Vec<usize> = problem
                .output
                .iter()
                .map(|size| {
                    let index = rest % size;
                    rest /= size;
                    index
                })
                .collect();
            let (mut sum, mut magnitude) = ([0.0; 2], 0.0);
            let terms = problem.terms(&indices);
            for places in &terms {
                let factors = inputs.iter().zip(places).map(|(input, &place)| input[place].parts());
                let term = factors.fold([1.0, 0.0], times);
                let factors = inputs.iter().zip(places).map(|(input, &place)| input[place].parts());
                magnitude += factors.map(size).product::<f64>();
                sum = plus(sum, term);
            }
            let (mut expected, mut magnitude) = (times(alpha.parts(), sum), magnitude * size(alpha.parts()));
            if beta != [0.0, 0.0] {
                expected = plus(expected, times(beta, before[at].parts()));
                magnitude += size(beta) * size(before[at].parts());
            }
            let got = output[at].parts();
            let bound = magnitude * roundings::<C>(terms.len());
            let [re, im] = [got[0] - expected[0], got[1] - expected[1]].map(f64::abs);
            // Written so that NaN fails.
            if !(re <= bound && im <= bound) {
                let message = format!("{indices:?} is {got:?}, not {expected:?} ± {bound:e}");
                return Err(format!("{message}\n{problem:?}\n{text}").into());
            }
        }
    }
    Ok(())
}

/// The relative error of a sum of that many products that is scaled and added to another product. For bf16
/// the sum is formed in single precision; it, its product with α, the one with β and their sum are rounded.
fn roundings<C: Entry>(terms: usize) -> f64 {
    match C::NAME {
        "bf16" => {
            let sum = gamma(terms + 1, f32::UNIT);
            sum + gamma(4, C::UNIT) * (1.0 + sum)
        }
        _ if C::COMPLEX => gamma(2 * terms + 6, C::UNIT),
        _ => gamma(terms + 3, C::UNIT),
    }
}
