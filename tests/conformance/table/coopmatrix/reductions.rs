//! Reductions along rows and columns.

use tiletc::ir::Scalar;

use super::super::launch::{Expected, Launch};
use super::super::number::{Number, unit};
use super::components::Packed;
use super::{USES, matrix, numbers};
use crate::numbers::{Random, gamma};

/// Along rows and columns. A sum of n numbers has n − 1 additions in some order, at most: γ(n − 1)·Σ|a|. In bf16
/// each is rounded to bf16 within a work-item; across the subgroup single precision is used, then rounded.
pub(super) fn reductions(ty: Scalar, size: i32) -> Vec<Launch> {
    let mut launches = Vec::new();
    let mut random = Random::new(ty as u64);
    let rows = size as usize;
    // Long columns for one type in a few.
    let wide = if ty as usize % 4 == 2 { 17 } else { 3 };
    for (turn, shape) in [(rows, 1), (rows, wide), (2 * rows, 2)].into_iter().enumerate() {
        let usage = USES[(turn + ty as usize) % 3];
        let entries = numbers(ty, shape, &mut random);
        let mut packed = Packed::new(size, shape, usage);
        packed.input("a", ty, &entries);
        let operations: &[(&'static str, &str)] = &[
            ("cooperative_matrix_reduce_add", "add"),
            ("cooperative_matrix_reduce_max", "max"),
            ("cooperative_matrix_reduce_min", "min"),
        ];
        for &(instruction, op) in operations.iter().filter(|(_, op)| !ty.is_complex() || *op == "add") {
            for (mode, result) in [("row", (shape.0, 1)), ("column", (1, shape.1))] {
                let line = |at: usize| -> Vec<Number> {
                    match mode {
                        "row" => (0..shape.1).map(|j| entries[at + j * shape.0]).collect(),
                        _ => (0..shape.0).map(|i| entries[i + at * shape.0]).collect(),
                    }
                };
                let after = (0..result.0 * result.1).map(|at| combined(ty, op, &line(at))).collect();
                packed.body +=
                    &format!("%{op}_{mode} = {instruction}.{mode} %a : {}\n", matrix(ty, result, usage));
                packed.output(&[instruction], &format!("{op}_{mode}"), ty, result, after);
            }
        }
        launches.push(packed.launch(format!("reductions of {ty} {shape:?} {usage}")));
    }
    launches
}

/// The sum, maximum or minimum of numbers.
pub fn combined(ty: Scalar, op: &str, line: &[Number]) -> Expected {
    let better = |a: Number, b: Number| {
        let (a_first, b_first) = match (a, b) {
            (Number::Int(a), Number::Int(b)) => (a > b, a < b),
            _ => (a.to_f64()[0] > b.to_f64()[0], a.to_f64()[0] < b.to_f64()[0]),
        };
        if if op == "max" { a_first } else { b_first } { a } else { b }
    };
    if op != "add" {
        let best = line.iter().copied().reduce(better);
        return Expected::exactly(best.unwrap_or(Number::small(ty, 0)));
    }
    let sum = line.iter().fold(Number::small(ty, 0), |sum, &entry| sum.plus(entry));
    let magnitude: f64 = line.iter().map(|entry| entry.size()).sum();
    Expected::Near(sum, gamma(line.len(), unit(ty)) * magnitude)
}
