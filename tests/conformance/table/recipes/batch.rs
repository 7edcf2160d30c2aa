//! Small batched products: all types, transposes and strides.

use tiletc::ir::{Scalar, Transpose};
use tiletc::recipe::{Batched, SmallGemmBatched};

use super::super::launch::{Buffer, Expected};
use super::super::number::Array;
use super::{Beta, Factors, compile, numbers};
use crate::Case;
use crate::device::{Device, Outcome};
use crate::numbers::Random;

const N: Transpose = Transpose::N;
const T: Transpose = Transpose::T;
const TRANSPOSES: [[Transpose; 2]; 4] = [[N, N], [N, T], [T, N], [T, T]];

/// M, N, K.
const SIZES: [[i64; 3]; 7] =
    [[7, 3, 5], [1, 1, 1], [33, 9, 17], [16, 16, 16], [31, 2, 1], [1, 17, 33], [56, 9, 13]];

/// Layout of the matrices of a batch.
#[derive(Clone, Copy, Debug)]
enum Gaps {
    /// One behind the other.
    Packed,
    /// With gaps between columns and between matrices.
    Wide,
    /// All at the same place.
    Shared,
}

/// A, B and C; a shared result would be written by all at once.
const GAPS: [[Gaps; 3]; 4] = [
    [Gaps::Wide, Gaps::Wide, Gaps::Wide],
    [Gaps::Packed, Gaps::Packed, Gaps::Packed],
    [Gaps::Shared, Gaps::Wide, Gaps::Packed],
    [Gaps::Wide, Gaps::Shared, Gaps::Wide],
];

const HOWMANY: usize = 5;

pub fn cases() -> Vec<Case> {
    let case = |number: Scalar| {
        Case::new(format!("small_gemm_batched::{number}"), move |device| all(device, number))
    };
    Scalar::computable().map(case).collect()
}

fn all(device: &Device, number: Scalar) -> Outcome {
    let mut turn = number as usize;
    for transposes in TRANSPOSES {
        for per_group in [1, 3] {
            let shape = shape(number, transposes, SIZES[turn % SIZES.len()], GAPS[turn % GAPS.len()]);
            run(device, SmallGemmBatched { per_group, ..shape })?;
            turn += 1;
        }
    }
    Ok(())
}

fn shape(
    number: Scalar,
    [transpose_a, transpose_b]: [Transpose; 2],
    [m, n, k]: [i64; 3],
    [a, b, c]: [Gaps; 3],
) -> SmallGemmBatched {
    let place = |transpose, rows: i64, columns: i64, gaps| {
        let (rows, columns) = if transpose == T { (columns, rows) } else { (rows, columns) };
        match gaps {
            Gaps::Packed => Batched { leading: rows, stride: rows * columns },
            Gaps::Wide => Batched { leading: rows + 3, stride: (rows + 3) * columns + 5 },
            Gaps::Shared => Batched { leading: rows + 1, stride: 0 },
        }
    };
    SmallGemmBatched {
        number,
        transpose_a,
        transpose_b,
        m,
        n,
        k,
        a: place(transpose_a, m, k, a),
        b: place(transpose_b, k, n, b),
        c: place(N, m, n, c),
        per_group: 1,
        side_by_side: 1,
    }
}

/// Position of entry (row, column) of opX(X_i).
fn position(place: Batched, transpose: Transpose, [row, column]: [usize; 2], i: usize) -> usize {
    let [row, column] = if transpose == T { [column, row] } else { [row, column] };
    row + column * place.leading as usize + i * place.stride as usize
}

fn run(device: &Device, shape: SmallGemmBatched) -> Outcome {
    let number = shape.number;
    let Some(compiled) = compile(device, shape.into(), number)? else { return Ok(()) };
    let [m, n, k] = [shape.m, shape.n, shape.k].map(|size| size as usize);
    let mut random = Random::new(shape.m as u64);
    let length = |place, transpose, [rows, columns]: [usize; 2]| {
        position(place, transpose, [rows - 1, columns - 1], HOWMANY - 1) + 1
    };
    let a = numbers(number, length(shape.a, shape.transpose_a, [m, k]), &mut random);
    let b = numbers(number, length(shape.b, shape.transpose_b, [k, n]), &mut random);
    for &beta in Beta::all(number) {
        let factors = Factors::new(number, beta, &mut random);
        let c = factors.before(length(shape.c, N, [m, n]), &mut random);
        let mut after = vec![Expected::Same; c.len()];
        for i in 0..HOWMANY {
            for (row, column) in (0..n).flat_map(|column| (0..m).map(move |row| (row, column))) {
                let entry =
                    |matrix: &Array, place, transpose, at| matrix.get(position(place, transpose, at, i));
                let products = (0..k).map(|l| {
                    let left = entry(&a, shape.a, shape.transpose_a, [row, l]);
                    (left, entry(&b, shape.b, shape.transpose_b, [l, column]))
                });
                let place = position(shape.c, N, [row, column], i);
                after[place] = factors.expected(products, c.get(place));
            }
        }
        let buffers =
            vec![Buffer::input(a.clone()), Buffer::input(b.clone()), Buffer::output(&["gemm"], c, after)];
        let [alpha, beta] = factors.bytes();
        let mut launch = shape.launch(HOWMANY as i64, &alpha, &beta, [(0, 0), (1, 0), (2, 0)])?;
        // So few products would not share work-groups, but any number of these will do.
        launch.groups = launch.groups.div_ceil(shape.per_group as u64);
        compiled.run(device, number, &launch, buffers)?;
    }
    Ok(())
}
