//! The recipes: their programs, how their kernels are launched, and what Intel's offline compiler makes of them.
//! That they compute the right numbers is tested with the other kernels, in `tests/conformance`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr)]

#[path = "../common/mod.rs"]
mod common;
mod igc;
mod launch;
mod program;
#[path = "../skip/mod.rs"]
mod skip;

use common::validate;
use tiletc::device::CoreInfo;
use tiletc::ir::{Scalar, Transpose};
use tiletc::recipe::{Batched, SmallGemmBatched};

const N: Transpose = Transpose::N;
const T: Transpose = Transpose::T;
const TRANSPOSES: [[Transpose; 2]; 4] = [[N, N], [N, T], [T, N], [T, T]];

fn pvc() -> CoreInfo {
    CoreInfo::from_name("pvc").unwrap()
}

/// A batch with gaps between columns and between matrices.
fn batch(
    number: Scalar,
    [transpose_a, transpose_b]: [Transpose; 2],
    [m, n, k]: [i64; 3],
) -> SmallGemmBatched {
    let place = |transpose, rows, columns| {
        let (rows, columns) = if transpose == T { (columns, rows) } else { (rows, columns) };
        Batched { leading: rows + 3, stride: (rows + 3) * columns + 5 }
    };
    let (a, b, c) = (place(transpose_a, m, k), place(transpose_b, k, n), place(N, m, n));
    SmallGemmBatched { number, transpose_a, transpose_b, m, n, k, a, b, c, per_group: 1, side_by_side: 1 }
}
