//! Products of factors whose columns are no rows of a surface, but several of them together are one, as members of batches and views
//! with something else below. Entries are small integers, so that every result is exact; what is beside them is not a number.

use crate::Case;
use crate::batch::{entry, integers};
use crate::device::{Device, Outcome, run};
use crate::gemm::ENGINE;
use crate::numbers::{Number, Random};
use half::{bf16, f16};

/// Sizes M, N, K, and the elements from column to column of A and of B.
const SHAPES: [([usize; 3], [usize; 2]); 12] = [
    ([24, 24, 24], [24, 24]),
    ([36, 17, 44], [36, 44]),
    ([50, 9, 100], [50, 100]),
    ([100, 33, 20], [100, 20]),
    ([64, 32, 48], [64, 48]),
    ([16, 1, 36], [20, 36]),
    ([30, 12, 42], [36, 44]),
    ([20, 3, 18], [24, 20]),
    ([33, 40, 68], [36, 68]),
    ([1, 5, 100], [100, 100]),
    ([68, 70, 36], [68, 36]),
    ([20, 100, 68], [20, 68]),
];
/// Members of a batch that share a surface, and one left over.
const MEMBERS: usize = 3;

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    of_types::<bf16, f32>(&mut cases, f64::NAN);
    of_types::<f16, f16>(&mut cases, f64::NAN);
    of_types::<f32, f32>(&mut cases, f64::NAN);
    of_types::<i8, i32>(&mut cases, 99.0);
    cases
}

fn of_types<T: Number, C: Number>(cases: &mut Vec<Case>, beside: f64) {
    for transposed in [false, true] {
        let letters = if transposed { "nt" } else { "nn" };
        let name = format!("{ENGINE}folded::{}_{}::{letters}", T::NAME, C::NAME);
        cases.push(Case::new(name, move |device| {
            SHAPES.into_iter().try_for_each(|shape| product::<T, C>(device, shape, transposed, beside))
        }));
    }
}

/// Members of which columns are so far apart, with something else behind each column and around all members.
fn matrices<T: Number>(entries: &[T], [rows, cols]: [usize; 2], pitch: usize, beside: f64) -> Vec<T> {
    let mut all = vec![T::from_f64(beside); pitch * cols * MEMBERS];
    for (column, entries) in all.chunks_mut(pitch).zip(entries.chunks(rows)) {
        column[..rows].copy_from_slice(entries);
    }
    all
}

/// C(:,:,g) := A(:,:,g)·op(B(:,:,g)).
fn product<T: Number, C: Number>(
    device: &Device,
    ([m, n, k], [pitch_a, pitch_b]): ([usize; 3], [usize; 2]),
    transposed: bool,
    beside: f64,
) -> Outcome {
    T::require(device)?;
    C::require(device)?;
    let (ty, out, letter) = (T::NAME, C::NAME, if transposed { "t" } else { "n" });
    let [b_rows, b_cols] = if transposed { [n, k] } else { [k, n] };
    let pitch_b = if transposed { n.next_multiple_of(2) } else { pitch_b };
    let (one, zero) = (T::literal(1.0), C::literal(0.0));
    let text = format!(
        "func @folded(%A: memref<{ty}x{pitch_a}x{k}x?>, %B: memref<{ty}x{pitch_b}x{b_cols}x?>,
                      %C: memref<{out}x{m}x{n}x?>) {{
            %g = group_id.x : index
            %a = subview %A[0:{m},0:{k},%g] : memref<{ty}x{m}x{k},strided<1,{pitch_a}>>
            %b = subview %B[0:{b_rows},0:{b_cols},%g] : memref<{ty}x{b_rows}x{b_cols},strided<1,{pitch_b}>>
            %c = subview %C[0:{m},0:{n},%g] : memref<{out}x{m}x{n}>
            %one = constant {one} : {ty}
            %zero = constant {zero} : {out}
            gemm.n.{letter} %one, %a, %b, %zero, %c
        }}"
    );
    let program = device.build(&text, 2)?;
    let mut random = Random::new((m + n + k) as u64);
    let (a, b) = (integers::<T>(&mut random, m * k * MEMBERS), integers::<T>(&mut random, k * n * MEMBERS));
    let of_a = device.memory(&matrices(&a, [m, k], pitch_a, beside))?;
    let of_b = device.memory(&matrices(&b, [b_rows, b_cols], pitch_b, beside))?;
    let c = device.memory(&vec![C::from_f64(7.0); m * n * MEMBERS])?;
    let members = MEMBERS as i64;
    let arguments =
        [(&of_a).into(), members.into(), (&of_b).into(), members.into(), (&c).into(), members.into()];
    run(&program, "folded", [MEMBERS, 1, 1], &arguments)?;
    for (at, &got) in c.iter().enumerate() {
        let (g, i, j) = (at / (m * n), at % m, at / m % n);
        let (a, b) = (&a[g * m * k..(g + 1) * m * k], &b[g * k * n..(g + 1) * k * n]);
        let expected: f64 =
            (0..k).map(|l| entry(a, m, false, i, l) * entry(b, b_rows, transposed, l, j)).sum();
        if got.to_f64() != expected {
            return Err(format!("{m}x{n}x{k}: C[{i},{j},{g}] is {got:?}, not {expected}").into());
        }
    }
    Ok(())
}
