//! gemm beyond its tables: sizes of which some are known, parts, factors, geometries and levels.

use crate::Case;
use crate::numbers::{Number, Random};
use crate::problem::{Factor, Leading, Problem, ScalarType, check};
use half::{bf16, f16};

const TRANSPOSES: [[bool; 2]; 4] = [[false, false], [false, true], [true, false], [true, true]];

/// Odd sizes, ones, remainders of every tile, and more than a tile.
const SHAPES: [(usize, usize, usize); 12] = [
    (1, 1, 1),
    (1, 7, 3),
    (5, 1, 9),
    (17, 19, 23),
    (33, 2, 31),
    (3, 40, 12),
    (56, 9, 9),
    (56, 9, 56),
    (64, 64, 64),
    (128, 5, 33),
    (65, 33, 17),
    (100, 101, 5),
];

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    dynamic::<f32>(&mut cases, &[1, 3, 5, 6, 7]);
    factors(&mut cases);
    geometries::<f32>(&mut cases, &[4, 8, 64]);
    single_columns::<f32>(&mut cases);
    single_columns::<f64>(&mut cases);
    levels(&mut cases);
    at_random(&mut cases);
    engine::<bf16, f32, f32>(&mut cases, "");
    engine::<f16, f32, f32>(&mut cases, "");
    engine::<f16, f16, f32>(&mut cases, "");
    engine::<bf16, bf16, f32>(&mut cases, "");
    engine::<i8, i32, i32>(&mut cases, "");
    engine::<f32, f32, f32>(&mut cases, "");
    engine::<f32, f32, f32>(&mut cases, TF32);
    engine::<f64, f64, f64>(&mut cases, "");
    cases
}

/// Prefix of the tests of products for matrix engines; GPUs that differ in their engines run these alone.
pub const ENGINE: &str = "gemm::engine::";

/// Returns whether a test has factors that only some engines take, or none.
pub fn is_of_wide_types(name: &str) -> bool {
    ["::f32_f32", "::f64_f64"].iter().any(|types| name.contains(types))
}

/// Suffix of the names of the tests that permit tf32.
const TF32: &str = "_tf32";

/// Products of types that matrix engines compute, and of those that block messages move: blocks that divide, remainders along every mode, large products,
/// column distances that block messages take and others, sizes known at run time only, misaligned parts.
fn engine<T: Number, C: Number, W: Number>(cases: &mut Vec<Case>, precision: &str) {
    /// Rows and columns that are multiples of nothing, of 8, of a register block; columns that one subgroup takes all of; steps along K that
    /// divide and do not.
    const SHAPES: [(usize, usize, usize); 11] = [
        (32, 32, 32),
        (64, 64, 64),
        (56, 9, 56),
        (33, 17, 40),
        (64, 15, 100),
        (16, 1, 32),
        (130, 5, 47),
        (128, 128, 192),
        (160, 136, 70),
        (40, 40, 64),
        (88, 48, 64),
    ];
    for (number, transposed) in TRANSPOSES.into_iter().enumerate() {
        let letters: String = transposed.map(|is| if is { 't' } else { 'n' }).into_iter().collect();
        let name = format!("{ENGINE}{}_{}{precision}::{letters}", T::NAME, C::NAME);
        let tf32 = precision == TF32;
        cases.push(Case::new(name, move |device| {
            let mut problems = Vec::new();
            for (place, (m, n, k)) in SHAPES.into_iter().enumerate() {
                let problem = Problem { transposed, tf32, ..Problem::new(m, n, k) };
                let beta = [Factor::Literal(0.0), Factor::Argument(1.0)][(place + number) % 2];
                problems.push(Problem { beta, ..problem });
                if m > 100 && n > 100 {
                    continue;
                }
                if matches!(C::NAME, "f32" | "i32") && place % 3 == 2 {
                    problems.push(Problem { atomic: true, beta: Factor::Literal(1.0), ..problem });
                }
                problems.push(match (place + number) % 4 {
                    // A pitch that is a multiple of 16 bytes for most of the types, and one that is odd.
                    0 => Problem { leading: Leading::Static(64 - m % 64), ..problem },
                    1 => Problem { leading: Leading::Static(5), ..problem },
                    2 => Problem { parts: true, ..problem },
                    _ => Problem { dynamic: [true; 3], leading: Leading::Dynamic(3), beta, ..problem },
                });
            }
            check::<T, T, C, W>(device, 2, [ScalarType::of::<T>(); 2], &problems)
        }));
    }
}

/// Every set of sizes known at run time only, as far as 0 and 1; leading dimensions; parts of memrefs.
fn dynamic<T: Number>(cases: &mut Vec<Case>, sets: &[usize]) {
    for &set in sets {
        let dynamic = [set & 1 != 0, set & 2 != 0, set & 4 != 0];
        let letters: String = "mnk".chars().zip(dynamic).filter(|&(_, is)| is).map(|(c, _)| c).collect();
        cases.push(Case::new(format!("gemm::dynamic::{}::{letters}_", T::NAME), move |device| {
            let mut problems = Vec::new();
            let leading = [Leading::Packed, Leading::Static(5), Leading::Dynamic(3)];
            for (i, (m, n, k)) in [(17, 19, 23), (33, 8, 1), (40, 33, 9)].into_iter().enumerate() {
                let problem = Problem {
                    dynamic,
                    transposed: TRANSPOSES[(i + set) % 4],
                    leading: leading[i],
                    beta: Factor::Argument(2.0),
                    parts: i == 2 && set % 2 == 1,
                    ..Problem::new(m, n, k)
                };
                problems.push(problem);
                for (mode, dynamic) in dynamic.into_iter().enumerate() {
                    // What is known at run time only may be anything; an empty mode is nothing to compute.
                    let sizes: &[usize] = match dynamic {
                        true => &[0, 1, 70],
                        false if i == 0 => &[0],
                        false => &[],
                    };
                    for &size in sizes {
                        let mut problem = problem;
                        problem.sizes[mode] = size;
                        problems.push(problem);
                    }
                }
            }
            check::<T, T, T, T>(device, 2, [ScalarType::of::<T>(); 2], &problems)
        }));
    }
}

/// Every α with every β, as constants and as arguments. A constant zero β does not read C.
fn factors(cases: &mut Vec<Case>) {
    fn case<T: Number>(cases: &mut Vec<Case>, values: &'static [f64]) {
        cases.push(Case::new(format!("gemm::factors::{}", T::NAME), move |device| {
            let mut problems = Vec::new();
            for &alpha in values {
                for &beta in values {
                    for argument in [false, true] {
                        let factor = |value| match argument {
                            true => Factor::Argument(value),
                            false => Factor::Literal(value),
                        };
                        problems.push(Problem {
                            alpha: factor(alpha),
                            beta: factor(beta),
                            garbage: beta == 0.0 && !argument && T::UNIT != 0.0,
                            ..Problem::new(19, 7, 5)
                        });
                    }
                }
            }
            check::<T, T, T, T>(device, 2, [ScalarType::of::<T>(); 2], &problems)
        }));
    }
    case::<f32>(cases, &[0.0, 1.0, -1.0, 0.5]);
    case::<i32>(cases, &[0.0, 1.0, -1.0, 3.0]);
}

/// Subgroup and work-group sizes that the compiler would not choose.
fn geometries<T: Number>(cases: &mut Vec<Case>, sizes: &[i32]) {
    for &size in sizes {
        cases.push(Case::new(format!("gemm::geometry::{}::subgroup{size}", T::NAME), move |device| {
            let groups = [[size, 1], [size, 2], [192, 1], [64, 4]];
            let mut problems = Vec::new();
            for (i, group) in groups.into_iter().enumerate() {
                let problem = Problem {
                    geometry: Some((size, group)),
                    transposed: TRANSPOSES[i % 4],
                    ..Problem::new(17, 19, 23)
                };
                problems.push(problem);
                problems.push(Problem { sizes: [130, 20, 6], ..problem });
                if i == 3 {
                    let dynamic = Problem { dynamic: [true; 3], beta: Factor::Literal(1.0), ..problem };
                    problems.extend([dynamic, Problem { sizes: [130, 20, 6], ..dynamic }]);
                }
            }
            check::<T, T, T, T>(device, 2, [ScalarType::of::<T>(); 2], &problems)
        }));
    }
}

/// Products with a vector of a length known at run time, whose rows leave blocks of several components over, the last of them in part.
fn single_columns<T: Number>(cases: &mut Vec<Case>) {
    cases.push(Case::new(format!("gemm::single_columns::{}", T::NAME), move |device| {
        let problem = |m, k| Problem { dynamic: [false, false, true], ..Problem::new(m, 1, k) };
        let mut problems: Vec<Problem> =
            [47, 55, 63, 95, 127].into_iter().map(|m| problem(m, 4 + m % 3)).collect();
        if device.has_geometry(8, [8, 1]) {
            let geometry = Some((8, [8, 1]));
            problems.extend([45, 47].map(|m| Problem { geometry, ..problem(m, 12) }));
        }
        check::<T, T, T, T>(device, 2, [ScalarType::of::<T>(); 2], &problems)
    }));
}

/// The same numbers at every optimisation level.
fn levels(cases: &mut Vec<Case>) {
    for level in [0, 1] {
        cases.push(Case::new(format!("gemm::levels::level{level}"), move |device| {
            let mut problems: Vec<Problem> = SHAPES
                .iter()
                .skip(level as usize)
                .step_by(2)
                .map(|&(m, n, k)| Problem { dynamic: [m > 50; 3], ..Problem::new(m, n, k) })
                .collect();
            for (problem, transposed) in problems.iter_mut().zip(TRANSPOSES.into_iter().cycle()) {
                problem.transposed = transposed;
            }
            check::<f32, f32, f32, f32>(device, level, [ScalarType::of::<f32>(); 2], &problems)
        }));
    }
}

/// Cases that a fixed seed gives.
fn at_random(cases: &mut Vec<Case>) {
    fn problems(seed: u64) -> Vec<Problem> {
        let mut random = Random::new(seed);
        let factor = |random: &mut Random| {
            let value = random.below(7) as f64 - 3.0;
            if random.below(2) == 0 { Factor::Literal(value) } else { Factor::Argument(value) }
        };
        (0..6)
            .map(|_| Problem {
                dynamic: [(); 3].map(|()| random.below(2) == 0),
                transposed: [(); 2].map(|()| random.below(2) == 0),
                leading: [
                    Leading::Packed,
                    Leading::Static(random.below(9)),
                    Leading::Dynamic(random.below(9)),
                ][random.below(3)],
                alpha: factor(&mut random),
                beta: factor(&mut random),
                parts: random.below(3) == 0,
                ..Problem::new(1 + random.below(70), 1 + random.below(40), 1 + random.below(50))
            })
            .collect()
    }
    cases.push(Case::new("gemm::random::f32", |device| {
        check::<f32, f32, f32, f32>(device, 2, [ScalarType::of::<f32>(); 2], &problems(1))
    }));
    cases.push(Case::new("gemm::random::f64", |device| {
        check::<f64, f64, f64, f64>(device, 2, [ScalarType::of::<f64>(); 2], &problems(2))
    }));
    cases.push(Case::new("gemm::random::i32", |device| {
        check::<i32, i32, i32, i32>(device, 1, [ScalarType::of::<i32>(); 2], &problems(3))
    }));
}
