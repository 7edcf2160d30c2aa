//! Loads, stores and prefetches at every kind of position.

use tiletc::ir::{MatrixUse, Scalar};

use super::super::features::required;
use super::super::launch::{Arg, Buffer, Expected, Launch};
use super::super::number::{Number, sample};
use super::super::tensor::{Form, Tensor};
use super::{FLAGS, SHAPES, SIZES, TENSORS, USES, kernel, matrix};
use crate::numbers::Random;

/// Position of a matrix in a tensor: `at` is its position, and `place` tells of its entries which element they are, if
/// they are checked and there.
pub(super) struct MatrixAccess<'a> {
    pub(super) tensor: &'a Tensor,
    pub(super) transposed: bool,
    pub(super) at: (i64, i64),
}

impl MatrixAccess<'_> {
    pub(super) fn place(&self, i: usize, j: usize) -> Option<usize> {
        let (i, j) = if self.transposed { (j, i) } else { (i, j) };
        let [row, col] = [self.at.0 + i as i64, self.at.1 + j as i64];
        let inside = |index: i64, size: usize| (0..size as i64).contains(&index);
        (inside(row, SIZES[0]) && inside(col, SIZES[1]))
            .then(|| self.tensor.place(&[row as usize, col as usize]))
    }
}

/// Inside; and where rows or columns are checked, partly or all outside.
pub(super) fn positions(flag: &str, transposed: bool, (rows, cols): (usize, usize)) -> Vec<(i64, i64)> {
    let (rows, cols) = (rows as i64, cols as i64);
    let (row_end, col_end) = match transposed {
        true => (SIZES[1] as i64, SIZES[0] as i64),
        false => (SIZES[0] as i64, SIZES[1] as i64),
    };
    let mut positions = vec![(1, 2)];
    let checks = |word: &str| flag.contains(word) || flag.contains("both");
    if checks("rows") {
        positions.extend([
            (-1, 1),
            (-rows - 3, 1),
            (row_end - 1, 1),
            (row_end - rows / 2, 0),
            (row_end + 40, 1),
        ]);
    }
    if checks("cols") {
        positions.extend([
            (2, -1),
            (2, -cols - 3),
            (2, col_end - 1),
            (0, col_end - cols / 2),
            (2, col_end + 40),
        ]);
    }
    if flag.contains("both") {
        positions.extend([(-1, col_end - 1), (row_end - 1, -1)]);
    }
    let turn = |(x, y)| if transposed { (y, x) } else { (x, y) };
    positions.into_iter().map(turn).collect()
}

/// Loads, with zeros for entries that fail a check, and stores, which leave everything else alone.
pub(super) fn moves(ty: Scalar, size: i32) -> Vec<Launch> {
    let mut launches = Vec::new();
    let mut turn = ty as usize + size as usize / 16;
    for usage in USES {
        for transposed in [false, true] {
            for (place, flag) in FLAGS.into_iter().enumerate() {
                turn += 1;
                // The code hardly depends on the subgroup size; the two share what there is.
                if (place + usize::from(transposed) + size as usize / 16).is_multiple_of(2) {
                    continue;
                }
                let (shape, form) = (SHAPES[turn % SHAPES.len()], TENSORS[turn % TENSORS.len()]);
                for at in positions(flag, transposed, shape) {
                    launches.push(access_at(ty, size, usage, transposed, flag, shape, form, at));
                }
            }
        }
    }
    launches
}

#[allow(clippy::too_many_arguments)]
fn access_at(
    ty: Scalar,
    size: i32,
    usage: MatrixUse,
    transposed: bool,
    flag: &str,
    shape: (usize, usize),
    form: Form,
    at: (i64, i64),
) -> Launch {
    let (rows, cols) = shape;
    let mut random = Random::new((rows * 100 + cols) as u64);
    let from = Tensor::new("A", ty, &SIZES, form);
    let to = Tensor::new("C", ty, &SIZES, form);
    let (before_a, before_c) = (from.fill(|| sample(ty, &mut random)), to.fill(|| sample(ty, &mut random)));
    let mut loaded = vec![Expected::Same; rows * cols];
    let mut stored = vec![Expected::Same; to.length];
    let access = |tensor| MatrixAccess { tensor, transposed, at };
    for (i, j) in (0..rows * cols).map(|place| (place % rows, place / rows)) {
        let value = access(&from).place(i, j).map(|place| before_a.get(place));
        loaded[i + j * rows] = Expected::exactly(value.unwrap_or(Number::small(ty, 0)));
        if let (Some(place), Some(value)) = (access(&to).place(i, j), value) {
            stored[place] = Expected::exactly(value);
        }
    }
    let t = if transposed { ".t" } else { "" };
    let body = format!(
        "%m = cooperative_matrix_load{t}{flag} %A[%x,%y] : {}
         cooperative_matrix_store %m, %B[%zero,%zero]
         cooperative_matrix_prefetch {}, %A[%x,%y], {rows}, {cols}
         cooperative_matrix_store{t}{flag} %m, %C[%x,%y]",
        matrix(ty, shape, usage),
        rows % 2
    );
    let parameters =
        [from.parameter(), to.parameter(), format!("%B: memref<{ty}x{rows}x{cols}>, %x: index, %y: index")];
    let mut arguments = from.arguments(0);
    arguments.extend(to.arguments(1));
    let index = |value: i64| Arg::Number(Scalar::Index, Number::Int(value));
    arguments.extend([Arg::Pointer(2, 0), index(at.0), index(at.1)]);
    Launch {
        name: format!("{ty} {rows}x{cols} {usage}{t}{flag} {form:?}"),
        kernel: kernel(size, &parameters, &(from.prologue() + &to.prologue()), &body),
        groups: [1, 1, 1],
        arguments,
        buffers: vec![
            Buffer::input(before_a),
            Buffer::output(&["cooperative_matrix_store"], before_c, stored),
            Buffer::results(&["cooperative_matrix_load", "cooperative_matrix_prefetch"], ty, loaded),
        ],
        requires: required(&[ty], None),
    }
}
