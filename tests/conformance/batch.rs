//! Packed batches of small products, and chains of them. Entries are small integers, so that every result is exact.

use crate::Case;
use crate::device::{Device, Outcome, run};
use crate::gemm::ENGINE;
use crate::numbers::{Number, Random};
use half::{bf16, f16};

/// Sizes M, N, K whose matrices are multiples of 64 bytes, of less, and of a single element.
const SHAPES: [[usize; 3]; 6] = [[56, 9, 56], [56, 9, 9], [32, 24, 16], [40, 12, 20], [48, 3, 33], [8, 8, 8]];
/// Members of a batch that share a surface, and one left over.
const MEMBERS: usize = 5;

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    batches::<f32, f32>(&mut cases);
    batches::<f64, f64>(&mut cases);
    batches::<bf16, f32>(&mut cases);
    batches::<f16, f16>(&mut cases);
    batches::<i8, i32>(&mut cases);
    chains::<f32>(&mut cases);
    chains::<f64>(&mut cases);
    chains::<i32>(&mut cases);
    chains::<bf16>(&mut cases);
    cases
}

/// -1, 0 or 1 in every entry: sums are exact in every type.
pub fn integers<T: Number>(random: &mut Random, count: usize) -> Vec<T> {
    (0..count).map(|_| T::from_f64(random.below(3) as f64 - 1.0)).collect()
}

/// An entry of op(X), where X has `rows` rows in memory.
pub fn entry<T: Number>(x: &[T], rows: usize, transposed: bool, i: usize, j: usize) -> f64 {
    if transposed { x[j + rows * i].to_f64() } else { x[i + rows * j].to_f64() }
}

/// Rows and columns in memory of a matrix X of which op(X) has these.
pub fn stored(transposed: bool, [rows, cols]: [usize; 2]) -> [usize; 2] {
    if transposed { [cols, rows] } else { [rows, cols] }
}

pub fn letter(transposed: bool) -> char {
    if transposed { 't' } else { 'n' }
}

fn batches<T: Number, C: Number>(cases: &mut Vec<Case>) {
    for (ta, tb) in [(false, false), (true, true), (false, true), (true, false)] {
        let name = format!("{ENGINE}batch::{}_{}::{}{}", T::NAME, C::NAME, letter(ta), letter(tb));
        cases.push(Case::new(name, move |device| {
            for (turn, shape) in SHAPES.into_iter().enumerate() {
                batch::<T, C>(device, shape, [ta, tb], turn % 2 == 1)?;
            }
            Ok(())
        }));
    }
}

/// C(:,:,g) := op(A(:,:,g))·op(B(:,:,g)), or that added to C.
fn batch<T: Number, C: Number>(
    device: &Device,
    [m, n, k]: [usize; 3],
    [ta, tb]: [bool; 2],
    adds: bool,
) -> Outcome {
    T::require(device)?;
    C::require(device)?;
    let (ty, out) = (T::NAME, C::NAME);
    let [[a_rows, a_cols], [b_rows, b_cols]] = [stored(ta, [m, k]), stored(tb, [k, n])];
    let (alpha, beta) = (T::literal(1.0), C::literal(if adds { 1.0 } else { 0.0 }));
    let text = format!(
        "func @batch(%A: memref<{ty}x{a_rows}x{a_cols}x?>, %B: memref<{ty}x{b_rows}x{b_cols}x?>,
                     %C: memref<{out}x{m}x{n}x?>) {{
            %g = group_id.x : index
            %a = subview %A[0:{a_rows},0:{a_cols},%g] : memref<{ty}x{a_rows}x{a_cols}>
            %b = subview %B[0:{b_rows},0:{b_cols},%g] : memref<{ty}x{b_rows}x{b_cols}>
            %c = subview %C[0:{m},0:{n},%g] : memref<{out}x{m}x{n}>
            %alpha = constant {alpha} : {ty}
            %beta = constant {beta} : {out}
            gemm.{}.{} %alpha, %a, %b, %beta, %c
        }}",
        letter(ta),
        letter(tb)
    );
    let program = device.build(&text, 2)?;
    let mut random = Random::new((m + n + k) as u64);
    let a = device.memory(&integers::<T>(&mut random, m * k * MEMBERS))?;
    let b = device.memory(&integers::<T>(&mut random, k * n * MEMBERS))?;
    let before = integers::<C>(&mut random, m * n * MEMBERS);
    let c = device.memory(&before)?;
    let members = MEMBERS as i64;
    let arguments = [(&a).into(), members.into(), (&b).into(), members.into(), (&c).into(), members.into()];
    run(&program, "batch", [MEMBERS, 1, 1], &arguments)?;
    for (at, &got) in c.iter().enumerate() {
        let (g, i, j) = (at / (m * n), at % m, at / m % n);
        let (a, b) = (&a[g * m * k..(g + 1) * m * k], &b[g * k * n..(g + 1) * k * n]);
        let sum: f64 = (0..k).map(|l| entry(a, a_rows, ta, i, l) * entry(b, b_rows, tb, l, j)).sum();
        let expected = sum + if adds { before[at].to_f64() } else { 0.0 };
        if got.to_f64() != expected {
            return Err(format!("{m}x{n}x{k}: C[{i},{j},{g}] is {got:?}, not {expected}").into());
        }
    }
    Ok(())
}

/// Sizes of C := op(A)·op(B)·op(D): rows, the sum of the first product, columns between, columns.
const CHAINS: [[usize; 4]; 7] = [
    [56, 56, 9, 9],
    [33, 5, 7, 3],
    [8, 1, 1, 1],
    [64, 24, 16, 5],
    [100, 3, 12, 2],
    [16, 40, 31, 20],
    [72, 7, 40, 40],
];

fn chains<T: Number>(cases: &mut Vec<Case>) {
    for (number, transposed) in [[false; 3], [true, false, true], [false, true, true]].into_iter().enumerate()
    {
        let letters: String = transposed.map(letter).into_iter().collect();
        cases.push(Case::new(format!("batch::chain::{}::{letters}", T::NAME), move |device| {
            for (turn, sizes) in CHAINS.into_iter().enumerate() {
                chain::<T>(device, sizes, transposed, turn + number)?;
            }
            Ok(())
        }));
    }
}

/// C(:,:,g) := ±op(A)·op(B(:,:,g))·op(D(:,:,g)) + β·C(:,:,g), through local memory as the language sees it. Some of the
/// kernels read the intermediate again or have other local memory, so that it must be there.
fn chain<T: Number>(
    device: &Device,
    [m, k, n, p]: [usize; 4],
    [ta, tb, td]: [bool; 3],
    form: usize,
) -> Outcome {
    T::require(device)?;
    let ty = T::NAME;
    let shape = |rows, cols, transposed| if transposed { [cols, rows] } else { [rows, cols] };
    let ([ar, ac], [br, bc], [dr, dc]) = (shape(m, k, ta), shape(k, n, tb), shape(n, p, td));
    let beta = (form % 2) as f64;
    let [zero, one, minus_one, beta_literal] = [0.0, 1.0, -1.0, beta].map(T::literal);
    let again = if form % 3 == 1 { "axpby.n %one, %tmp, %zero, %T" } else { "" };
    let elsewhere = if form % 3 == 2 { "axpby.n %one, %c, %zero, %other" } else { "" };
    let text = format!(
        "func @chain(%A: memref<{ty}x{ar}x{ac}>, %B: memref<{ty}x{br}x{bc}x?>, %D: memref<{ty}x{dr}x{dc}x?>,
                     %C: memref<{ty}x{m}x{p}x?>, %T: memref<{ty}x{m}x{n}>) {{
            %g = group_id.x : index
            %b = subview %B[0:{br},0:{bc},%g] : memref<{ty}x{br}x{bc}>
            %d = subview %D[0:{dr},0:{dc},%g] : memref<{ty}x{dr}x{dc}>
            %c = subview %C[0:{m},0:{p},%g] : memref<{ty}x{m}x{p}>
            %tmp = alloca : memref<{ty}x{m}x{n},local>
            %other = alloca : memref<{ty}x{m}x{p},local>
            %zero = constant {zero} : {ty}
            %one = constant {one} : {ty}
            %minus_one = constant {minus_one} : {ty}
            %beta = constant {beta_literal} : {ty}
            {elsewhere}
            gemm.{}.{} %one, %A, %b, %zero, %tmp
            gemm.n.{} %minus_one, %tmp, %d, %beta, %c
            {again}
        }}",
        letter(ta),
        letter(tb),
        letter(td)
    );
    let program = device.build(&text, 2)?;
    let mut random = Random::new((m + n + k + p) as u64);
    let a = device.memory(&integers::<T>(&mut random, m * k))?;
    // Few entries that are not 0, so that the sums of sums stay exact in narrow types.
    let b = sparse::<T>(&mut random, k * n * 2);
    let d = sparse::<T>(&mut random, n * p * 2);
    let (b, d) = (device.memory(&b)?, device.memory(&d)?);
    let before = integers::<T>(&mut random, m * p * 2);
    let c = device.memory(&before)?;
    let t = device.memory(&vec![T::from_f64(0.0); m * n])?;
    // A single group where the intermediate is kept, since all would write it.
    let members: usize = if again.is_empty() { 2 } else { 1 };
    let extent = members as i64;
    let arguments = [
        (&a).into(),
        (&b).into(),
        extent.into(),
        (&d).into(),
        extent.into(),
        (&c).into(),
        extent.into(),
        (&t).into(),
    ];
    run(&program, "chain", [members, 1, 1], &arguments)?;
    for g in 0..members {
        let (b, d) = (&b[g * k * n..(g + 1) * k * n], &d[g * n * p..(g + 1) * n * p]);
        let tmp: Vec<f64> = (0..m * n)
            .map(|at| (0..k).map(|l| entry(&a, ar, ta, at % m, l) * entry(b, br, tb, l, at / m)).sum())
            .collect();
        for (i, j) in (0..m * p).map(|at| (at % m, at / m)) {
            let at = g * m * p + i + m * j;
            let sum: f64 = (0..n).map(|l| tmp[i + m * l] * entry(d, dr, td, l, j)).sum();
            let expected = beta * before[at].to_f64() - sum;
            if c[at].to_f64() != expected {
                return Err(format!("{m}x{k}x{n}x{p}: C[{i},{j},{g}] is {:?}, not {expected}", c[at]).into());
            }
        }
        if !again.is_empty() && (0..m * n).any(|at| t[at].to_f64() != tmp[at]) {
            return Err(format!("{m}x{k}x{n}x{p}: the intermediate is not what was read again").into());
        }
    }
    Ok(())
}

/// ±1 in about one of four entries, else 0.
fn sparse<T: Number>(random: &mut Random, count: usize) -> Vec<T> {
    let value = |number: usize| match number {
        0 => 1.0,
        1 => -1.0,
        _ => 0.0,
    };
    (0..count).map(|_| T::from_f64(value(random.below(8)))).collect()
}
