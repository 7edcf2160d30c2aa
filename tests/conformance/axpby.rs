//! axpby: orders, transposes, types, sizes and factors.

use half::f16;
use tiletc::runtime::opencl::Argument;

use crate::Case;
use crate::device::{Device, Kernels, Outcome, run};
use crate::numbers::{Exact, Number, Random, gamma};

/// B := α·op(A) + β·B with tensors of up to two modes.
#[derive(Clone, Copy, Debug)]
struct Problem {
    /// The sizes of B.
    sizes: &'static [usize],
    dynamic: bool,
    transposed: bool,
    /// Elements between the columns of B.
    gap: usize,
    /// None for an argument.
    literal_beta: Option<f64>,
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    macro_rules! case {
        ($($alpha:ty, $a:ty, $beta:ty, $b:ty;)*) => {
            $({
                let names = [<$alpha>::NAME, <$a>::NAME, <$beta>::NAME, <$b>::NAME].join("_");
                cases.push(Case::new(format!("axpby::{names}"), |device| {
                    check::<$alpha, $a, $beta, $b>(device)
                }));
            })*
        };
    }
    case! {
        i8, i8, i8, i8;
        i16, i16, i16, i16;
        i32, i32, i32, i32;
        i64, i64, i64, i64;
        f16, f16, f16, f16;
        f32, f32, f32, f32;
        f64, f64, f64, f64;
        i8, i16, i8, i64;
        i8, f16, i8, f32;
        f32, f32, i32, f64;
        f16, f32, f16, f32;
        i16, i16, f32, f64;
    }
    cases
}

fn problems() -> Vec<Problem> {
    let shapes: [&[usize]; 6] = [&[], &[1], &[200], &[5, 7], &[33, 40], &[130, 3]];
    let mut problems = Vec::new();
    for sizes in shapes {
        for dynamic in [false, true] {
            let problem = Problem { sizes, dynamic, transposed: false, gap: 0, literal_beta: None };
            problems.push(problem);
            problems.push(Problem { literal_beta: Some(0.0), ..problem });
            problems.push(Problem { literal_beta: Some(1.0), transposed: true, ..problem });
            if sizes.len() == 2 {
                problems.push(Problem { transposed: true, gap: 3, ..problem });
            }
        }
    }
    for sizes in [&[0][..], &[0, 4], &[4, 0]] {
        problems.push(Problem { sizes, dynamic: true, transposed: false, gap: 0, literal_beta: None });
    }
    problems
}

impl Problem {
    fn text<S: Number, A: Number, T: Number, B: Number>(&self) -> String {
        let mut reversed: Vec<usize> = self.sizes.to_vec();
        if self.transposed {
            reversed.reverse();
        }
        let shape = |sizes: &[usize]| -> String {
            let size = |size: &usize| if self.dynamic { "x?".to_owned() } else { format!("x{size}") };
            sizes.iter().map(size).collect()
        };
        let stride = match (self.gap, self.sizes) {
            (1.., [rows, _]) => format!(",strided<1,{}>", rows + self.gap),
            _ => String::new(),
        };
        let mut parameters = format!(
            "%a: {}, %A: memref<{}{}>, %B: memref<{}{}{stride}>",
            S::NAME,
            A::NAME,
            shape(&reversed),
            B::NAME,
            shape(self.sizes)
        );
        let mut body = String::new();
        match self.literal_beta {
            None => parameters += &format!(", %b: {}", T::NAME),
            Some(value) => body = format!("    %b = constant {} : {}\n", T::literal(value), T::NAME),
        }
        let t = if self.transposed { ".t" } else { "" };
        format!("({parameters}) {{\n{body}    axpby{t} %a, %A, %b, %B\n}}\n")
    }

    /// Rows and columns of B.
    fn extents(&self) -> [usize; 2] {
        match *self.sizes {
            [] => [1, 1],
            [rows] => [rows, 1],
            [rows, cols, ..] => [rows, cols],
        }
    }
}

/// Each element is made of two products and a sum, each rounded: γ(3)·(|α·a| + |β·b|).
fn check<S: Number, A: Number, T: Number, B: Number>(device: &Device) -> Outcome {
    A::require(device)?;
    S::require(device)?;
    T::require(device)?;
    B::require(device)?;
    let problems = problems();
    let texts: Vec<String> = problems.iter().map(Problem::text::<S, A, T, B>).collect();
    let kernels = Kernels::new(texts.iter().cloned());
    let program = device.build(&kernels.text, if B::UNIT == 0.0 { 0 } else { 2 })?;
    let mut random = Random::new(7);
    for (i, problem) in problems.iter().enumerate() {
        let [rows, cols] = problem.extents();
        let leading = rows + problem.gap;
        let a = device.memory(&random.numbers::<A>(rows * cols))?;
        let mut before = random.numbers::<B>(leading * cols + 1);
        if problem.literal_beta == Some(0.0) && B::UNIT != 0.0 {
            before.fill(B::from_f64(f64::NAN));
        }
        let b = device.memory(&before)?;
        let (alpha, beta) = (S::from_f64(3.0), problem.literal_beta.unwrap_or(-2.0));
        let size = |size: usize| Argument::from(size as i64);
        let (rows_a, cols_a) = if problem.transposed { (cols, rows) } else { (rows, cols) };
        let mut arguments: Vec<Argument<'_>> = vec![alpha.into(), (&a).into()];
        let order = problem.sizes.len();
        let sizes = |arguments: &mut Vec<Argument<'_>>, rows, cols, gap| {
            if problem.dynamic && order >= 1 {
                arguments.push(size(rows));
            }
            if problem.dynamic && order == 2 {
                arguments.push(size(cols));
                // A stride that the type gives is no argument.
                if gap == 0 {
                    arguments.push(size(rows));
                }
            }
        };
        match order {
            2 => sizes(&mut arguments, rows_a, cols_a, 0),
            _ => sizes(&mut arguments, rows, cols, 0),
        }
        arguments.push((&b).into());
        sizes(&mut arguments, rows, cols, problem.gap);
        if problem.literal_beta.is_none() {
            arguments.push(T::from_f64(beta).into());
        }
        run(&program, kernels.name(i), [1, 1, 1], &arguments)?;

        for (place, (&got, &old)) in b.iter().zip(&before).enumerate() {
            let (row, col) = (place % leading.max(1), place / leading.max(1));
            if row >= rows || col >= cols {
                if got != old && !old.to_f64().is_nan() {
                    return Err(
                        format!("the element at {place} outside of B has changed\n{}", texts[i]).into()
                    );
                }
                continue;
            }
            let input =
                if problem.transposed && order == 2 { a[col + row * cols] } else { a[row + col * rows] };
            let exact = |value: f64| B::Exact::of(B::from_f64(value));
            let mut expected = exact(3.0).times(B::Exact::of(input));
            let mut magnitude = 3.0 * input.to_f64().abs();
            if beta != 0.0 {
                expected = expected.plus(exact(beta).times(B::Exact::of(old)));
                magnitude += (beta * old.to_f64()).abs();
            }
            let bound = gamma(3, B::UNIT) * magnitude + 3.0 * B::TINY;
            if !got.agrees(expected, bound) {
                return Err(
                    format!("B[{row},{col}] is {got:?}, not {expected:?} ± {bound:e}\n{}", texts[i]).into()
                );
            }
        }
    }
    Ok(())
}
