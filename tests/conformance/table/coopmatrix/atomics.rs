//! Atomic loads, stores and updates, entry by entry.

use tiletc::ir::Scalar;

use super::super::features::{Atomic, required};
use super::super::launch::{Arg, Buffer, Expected, Launch};
use super::super::number::{Array, Number, sample};
use super::super::tensor::Tensor;
use super::access::{MatrixAccess, positions};
use super::{FEW, FLAGS, SIZES, TENSORS, USES, combined, kernel, matrix, numbers};
use crate::numbers::Random;

const SCOPES: [&str; 4] = ["", ".cross_device", ".device", ".subgroup"];

const SEMANTICS: [&str; 5] = ["", ".acquire", ".release", ".acquire_release", ".sequentially_consistent"];

/// Atomic loads, stores and updates of every entry; scopes and semantics take turns.
pub(super) fn atomics(ty: Scalar, size: i32) -> Vec<Launch> {
    let table: [(&'static str, Atomic); 5] = [
        ("cooperative_matrix_atomic_load", Atomic::Move),
        ("cooperative_matrix_atomic_store", Atomic::Move),
        ("cooperative_matrix_atomic_add", Atomic::Add),
        ("cooperative_matrix_atomic_max", Atomic::MinMax),
        ("cooperative_matrix_atomic_min", Atomic::MinMax),
    ];
    let mut launches = Vec::new();
    let mut turn = ty as usize + size as usize / 16;
    for (instruction, kind) in table {
        // Complex numbers have no order.
        if kind == Atomic::MinMax && ty.is_complex() {
            continue;
        }
        for transposed in [false, true] {
            for (place, flag) in FLAGS.into_iter().enumerate() {
                turn += 1;
                // Every entry is an instruction of its own; the two subgroup sizes share the flags.
                if (place + usize::from(transposed) + size as usize / 16).is_multiple_of(2) {
                    continue;
                }
                let shape = FEW[turn % FEW.len()];
                let order = format!("{}{}", SCOPES[turn % 4], SEMANTICS[turn % 5]);
                for at in positions(flag, transposed, shape).into_iter().step_by(2) {
                    let modifiers = (transposed, flag, order.as_str());
                    launches.push(atomic(ty, size, (instruction, kind), modifiers, shape, at, turn));
                }
            }
        }
    }
    launches
}

fn atomic(
    ty: Scalar,
    size: i32,
    (instruction, kind): (&'static str, Atomic),
    (transposed, flag, order): (bool, &str, &str),
    shape: (usize, usize),
    at: (i64, i64),
    turn: usize,
) -> Launch {
    let (rows, cols) = shape;
    let mut random = Random::new((rows * 100 + cols) as u64);
    let tensor = Tensor::new("C", ty, &SIZES, TENSORS[turn % TENSORS.len()]);
    let before = tensor.fill(|| sample(ty, &mut random));
    let entries = numbers(ty, shape, &mut random);
    let access = MatrixAccess { tensor: &tensor, transposed, at };
    let mut after = vec![Expected::Same; tensor.length];
    // What the instruction returns: the entries as they were.
    let mut old = vec![Expected::Anything; rows * cols];
    for (i, j) in (0..rows * cols).map(|place| (place % rows, place / rows)) {
        let place = access.place(i, j);
        let (entry, was) = (entries[i + j * rows], place.map(|place| before.get(place)));
        let reads = instruction.ends_with("load");
        old[i + j * rows] = match was {
            Some(was) => Expected::exactly(was),
            None if reads => Expected::exactly(Number::small(ty, 0)),
            None => Expected::Anything,
        };
        if let (Some(place), Some(was), false) = (place, was, reads) {
            after[place] = match instruction.rsplit('_').next() {
                Some("store") => Expected::exactly(entry),
                Some(op) => combined(ty, op, &[was, entry]),
                None => Expected::Anything,
            };
        }
    }
    let modifiers = format!("{}{flag}{order}", if transposed { ".t" } else { "" });
    let m = matrix(ty, shape, USES[turn % 3]);
    let body = match instruction.rsplit('_').next() {
        Some("load") => format!("%old = {instruction}{modifiers} %C[%x,%y] : {m}\n"),
        Some("store") => format!("%old = cast %m : {m}\n{instruction}{modifiers} %m, %C[%x,%y]\n"),
        _ => format!("%old = {instruction}{modifiers} %m, %C[%x,%y] : {m}\n"),
    };
    if instruction.ends_with("store") {
        old = entries.iter().copied().map(Expected::exactly).collect();
    }
    let body = format!(
        "%m = cooperative_matrix_load %M[%zero,%zero] : {m}
         {body}
         cooperative_matrix_store %old, %O[%zero,%zero]"
    );
    let packed = format!("memref<{ty}x{rows}x{cols}>");
    let parameters = [tensor.parameter(), format!("%M: {packed}, %O: {packed}, %x: index, %y: index")];
    let index = |value: i64| Arg::Number(Scalar::Index, Number::Int(value));
    let mut arguments = tensor.arguments(0);
    arguments.extend([Arg::Pointer(1, 0), Arg::Pointer(2, 0), index(at.0), index(at.1)]);
    Launch {
        name: format!("{ty}; {rows}x{cols}{modifiers}"),
        kernel: kernel(size, &parameters, &tensor.prologue(), &body),
        groups: [1, 1, 1],
        arguments,
        buffers: vec![
            Buffer::output(&[instruction], before, after),
            Buffer::input(Array::of(ty, entries)),
            Buffer { of: Vec::new(), ..Buffer::results(&[], ty, old) },
        ],
        requires: required(&[ty], Some((ty, kind, false))),
    }
}
