//! Products of matrices of all types that may be multiplied and added.

use tiletc::ir::{MatrixUse, Scalar};

use super::super::features::required;
use super::super::launch::{Arg, Buffer, Expected, Launch};
use super::super::number::{Array, Number, moderate, underflow, unit};
use super::{kernel, matrix};
use crate::numbers::{Random, gamma};

/// a·b + c for every combination of types whose first is `a`'s; the result's type is c's or a wider one. K products
/// are added with one rounding each, two for complex numbers, or two for bf16, whose products are rounded on their
/// own.
pub(super) fn products(a: Scalar, size: i32) -> Vec<Launch> {
    let mut launches = Vec::new();
    let mut turn = size as usize / 16;
    for b in Scalar::computable() {
        let Some(common) = a.promote(b) else { continue };
        for &c in Scalar::ALL.iter().filter(|&&c| common.promotable_to(c)) {
            turn += 1;
            // All combinations of types run in gemm with both subgroup sizes; here they share them.
            if a != c && turn.is_multiple_of(2) {
                continue;
            }
            // Towards c's own type, or a wider one.
            let wider: Vec<Scalar> = Scalar::ALL.iter().copied().filter(|&d| c.promotable_to(d)).collect();
            let d = if (turn / 2).is_multiple_of(2) { c } else { wider[turn / 4 % wider.len()] };
            // The code grows with the number of products.
            let depth = if turn.is_multiple_of(16) && !c.is_complex() { 16 } else { [1, 2, 4][turn % 3] };
            let cols = if c.is_complex() { 1 + turn % 2 } else { 1 + turn % 3 };
            let rows = size as usize * if turn.is_multiple_of(5) { 2 } else { 1 };
            launches.push(product([a, b, c, d], size, (rows, cols, depth)));
        }
    }
    launches
}

fn product([a, b, c, d]: [Scalar; 4], size: i32, (rows, cols, depth): (usize, usize, usize)) -> Launch {
    let mut random = Random::new((a as u64 * 11 + b as u64) * 11 + c as u64);
    let mut numbers =
        |ty, length: usize| (0..length).map(|_| moderate(ty, c, &mut random)).collect::<Vec<Number>>();
    let (x, y, z) = (numbers(a, rows * depth), numbers(b, depth * cols), numbers(c, rows * cols));
    let per_term = match c {
        _ if c.is_complex() => 2,
        Scalar::Bf16 => 2,
        _ => 1,
    };
    let entry = |place: usize| {
        let (i, j) = (place % rows, place / rows);
        let (mut sum, mut magnitude) = (z[place], z[place].size());
        for l in 0..depth {
            let (p, q) = (x[i + l * rows].promoted(c), y[l + j * depth].promoted(c));
            sum = sum.plus(p.times(q));
            magnitude += p.size() * q.size();
        }
        // An integer is promoted as what it has become in c's type.
        if let Number::Int(value) = sum {
            sum = Number::Int(c.wrap(value));
        }
        // Near zero each rounding loses half the smallest number of the type at most.
        let loss = (per_term * depth) as f64 * underflow(c);
        Expected::Near(sum.promoted(d), gamma(per_term * depth, unit(c)) * magnitude + loss)
    };
    let after = (0..rows * cols).map(entry).collect();
    let body = format!(
        "%a = cooperative_matrix_load %A[%zero,%zero] : {}
         %b = cooperative_matrix_load %B[%zero,%zero] : {}
         %c = cooperative_matrix_load %C[%zero,%zero] : {}
         %d = cooperative_matrix_mul_add %a, %b, %c : {}
         cooperative_matrix_store %d, %D[%zero,%zero]",
        matrix(a, (rows, depth), MatrixUse::A),
        matrix(b, (depth, cols), MatrixUse::B),
        matrix(c, (rows, cols), MatrixUse::Acc),
        matrix(d, (rows, cols), MatrixUse::Acc)
    );
    let parameters = [
        format!("%A: memref<{a}x{rows}x{depth}>, %B: memref<{b}x{depth}x{cols}>"),
        format!("%C: memref<{c}x{rows}x{cols}>, %D: memref<{d}x{rows}x{cols}>"),
    ];
    Launch {
        name: format!("{a}, {b}, {c} to {d}, {rows}x{cols}x{depth}"),
        kernel: kernel(size, &parameters, "", &body),
        groups: [1, 1, 1],
        arguments: (0..4).map(|buffer| Arg::Pointer(buffer, 0)).collect(),
        buffers: vec![
            Buffer::input(Array::of(a, x)),
            Buffer::input(Array::of(b, y)),
            Buffer::input(Array::of(c, z)),
            Buffer::results(&["cooperative_matrix_mul_add"], d, after),
        ],
        requires: required(&[a, b, c, d], None),
    }
}
