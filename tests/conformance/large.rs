//! Products whose factors no 2D block messages bring, so that they pass through local memory, and tiles that exceed the registers, which
//! are computed in parts. Entries are small integers, so that every result is exact; what is beside them is not a number.

use crate::Case;
use crate::batch::{entry, integers, letter, stored};
use crate::device::{Device, Outcome, run};
use crate::gemm::ENGINE;
use crate::numbers::{Number, Random};
use half::{bf16, f16};

/// Sizes M, N, K of products: the smallest that are staged, with a number of steps that is odd or even, and something left along K or not, and one in
/// parts on devices with few registers.
const SHAPES: [[usize; 3]; 3] = [[64, 128, 545], [192, 128, 512], [256, 256, 525]];
/// The same of short ones: a single iteration, with something left along K or not, and a few.
const SHORT: [[usize; 3]; 4] = [[64, 96, 72], [96, 64, 96], [64, 64, 64], [128, 128, 128]];
/// Elements between the columns, beyond those of a column: an odd number, so that columns are no rows of a surface.
const GAPS: [usize; 2] = [0, 1];
/// Values that C gets.
const OUTCOMES: [Becomes; 3] = [Becomes::Product, Becomes::Sum, Becomes::AtomicSum];

#[derive(Clone, Copy, PartialEq)]
enum Becomes {
    Product,
    Sum,
    AtomicSum,
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    products::<bf16, f32>(&mut cases, f64::NAN);
    products::<f16, f32>(&mut cases, f64::NAN);
    products::<i8, i32>(&mut cases, 99.0);
    cases.push(Case::new(format!("{ENGINE}large::tiles"), tiles));
    cases.push(Case::new(format!("{ENGINE}large::iterations"), iterations));
    cases.push(Case::new(format!("{ENGINE}large::parts::f32"), parts::<f32>));
    cases.push(Case::new(format!("{ENGINE}large::parts::bf16"), parts::<bf16>));
    cases
}

fn products<T: Number, C: Number>(cases: &mut Vec<Case>, beside: f64) {
    for (turn, transposed) in
        [[false, false], [true, true], [false, true], [true, false]].into_iter().enumerate()
    {
        let [ta, tb] = transposed.map(letter);
        let name = format!("{ENGINE}large::{}_{}::{ta}{tb}", T::NAME, C::NAME);
        cases.push(Case::new(name, move |device| {
            for shape in
                [SHAPES[turn % SHAPES.len()], SHORT[turn % SHORT.len()], SHORT[(turn + 1) % SHORT.len()]]
            {
                for (gap, turn) in GAPS.into_iter().zip([turn, turn + 1]) {
                    let becomes = OUTCOMES[turn % OUTCOMES.len()];
                    product::<T, C>(device, (shape, gap), transposed, becomes, beside)?;
                }
            }
            Ok(())
        }));
    }
}

/// A matrix with so much beside each column.
fn with_gap<T: Number>(entries: &[T], rows: usize, gap: usize, beside: f64) -> Vec<T> {
    let columns = entries.chunks(rows);
    columns.flat_map(|column| column.iter().copied().chain(vec![T::from_f64(beside); gap])).collect()
}

/// C := 2·op(A)·op(B), or that added to C.
fn product<T: Number, C: Number>(
    device: &Device,
    ([m, n, k], gap): ([usize; 3], usize),
    [ta, tb]: [bool; 2],
    becomes: Becomes,
    beside: f64,
) -> Outcome {
    T::require(device)?;
    C::require(device)?;
    let (ty, out) = (T::NAME, C::NAME);
    let [[a_rows, a_cols], [b_rows, b_cols]] = [stored(ta, [m, k]), stored(tb, [k, n])];
    let (alpha, beta) = (T::literal(2.0), C::literal(if becomes == Becomes::Product { 0.0 } else { 1.0 }));
    let atomic = if becomes == Becomes::AtomicSum { ".atomic" } else { "" };
    let text = format!(
        "func @large(%A: memref<{ty}x{a_rows}x{a_cols},strided<1,{}>>, %B: memref<{ty}x{b_rows}x{b_cols},strided<1,{}>>,
                     %C: memref<{out}x{m}x{n}>) {{
            %alpha = constant {alpha} : {ty}
            %beta = constant {beta} : {out}
            gemm{atomic}.{}.{} %alpha, %A, %B, %beta, %C
        }}",
        a_rows + gap,
        b_rows + gap,
        letter(ta),
        letter(tb)
    );
    let program = device.build(&text, 2)?;
    let mut random = Random::new((m + n + k + gap) as u64);
    let (a, b) = (integers::<T>(&mut random, m * k), integers::<T>(&mut random, k * n));
    let before = integers::<C>(&mut random, m * n);
    let of_a = device.memory(&with_gap(&a, a_rows, gap, beside))?;
    let of_b = device.memory(&with_gap(&b, b_rows, gap, beside))?;
    let c = device.memory(&before)?;
    run(&program, "large", [1, 1, 1], &[(&of_a).into(), (&of_b).into(), (&c).into()])?;
    let row_of = |i: usize| (0..k).map(|l| entry(&a, a_rows, ta, i, l)).collect::<Vec<f64>>();
    let column_of = |j: usize| (0..k).map(|l| entry(&b, b_rows, tb, l, j)).collect::<Vec<f64>>();
    let columns: Vec<Vec<f64>> = (0..n).map(column_of).collect();
    for (i, row) in (0..m).map(|i| (i, row_of(i))) {
        for (j, column) in columns.iter().enumerate() {
            let at = i + m * j;
            let sum: f64 = row.iter().zip(column).map(|(a, b)| 2.0 * a * b).sum();
            let expected = if becomes == Becomes::Product { sum } else { sum + before[at].to_f64() };
            if c[at].to_f64() != expected {
                return Err(format!("{m}x{n}x{k}: C[{i},{j}] is {:?}, not {expected}", c[at]).into());
            }
        }
    }
    Ok(())
}

/// Products of tiles that span all of K, in bytes and with an odd distance of columns, added to what C holds: where the engine's own lanes are not those
/// that read C, what they write is ordered behind that.
fn tiles(device: &Device) -> Outcome {
    i8::require(device)?;
    for ([m, n, k], transposes_b, gap) in
        [([64, 96, 96], true, 0), ([128, 64, 128], true, 0), ([96, 64, 160], false, 1)]
    {
        let [b_rows, b_cols] = stored(transposes_b, [k, n]);
        let text = format!(
            "func @tiles(%A: memref<i8x{m}x{k},strided<1,{}>>, %B: memref<i8x{b_rows}x{b_cols},strided<1,{}>>, %C: memref<i32x{m}x{n}>) {{
                %c = tile_load %C[0,0] : tile<i32x{m}x{n},matrix_acc>
                %a = tile_load %A[0,0] : tile<i8x{m}x{k},matrix_a>
                %b = tile_load{} %B[0,0] : tile<i8x{k}x{n},matrix_b>
                %d = tile_dot %a, %b, %c : tile<i32x{m}x{n},matrix_acc>
                tile_store %d, %C[0,0]
            }}",
            m + gap,
            b_rows + gap,
            if transposes_b { ".t" } else { "" }
        );
        let program = device.build(&text, 2)?;
        let mut random = Random::new((m + n + k) as u64);
        let (a, b) = (integers::<i8>(&mut random, m * k), integers::<i8>(&mut random, k * n));
        let of_a = device.memory(&with_gap(&a, m, gap, 99.0))?;
        let of_b = device.memory(&with_gap(&b, b_rows, gap, 99.0))?;
        let c = device.memory(&vec![99_i32; m * n])?;
        run(&program, "tiles", [1, 1, 1], &[(&of_a).into(), (&of_b).into(), (&c).into()])?;
        for (i, j) in (0..n).flat_map(|j| (0..m).map(move |i| (i, j))) {
            let product = |l| entry(&a, m, false, i, l) * entry(&b, b_rows, transposes_b, l, j);
            let expected: f64 = 99.0 + (0..k).map(product).sum::<f64>();
            if c[i + m * j].to_f64() != expected {
                return Err(format!("{m}x{n}x{k}: C[{i},{j}] is {:?}, not {expected}", c[i + m * j]).into());
            }
        }
    }
    Ok(())
}

/// Columns of A and rows of B for which a loop in iterations of 64 has to add up all that its last iteration reaches, wherever the loop ends: where the
/// factors come element by element, the compiler takes fewer at a time.
fn iterations(device: &Device) -> Outcome {
    bf16::require(device)?;
    let [m, n, k, step] = [64, 128, 200, 64];
    let text = format!(
        "func @iterations(%A: memref<bf16x{m}x{k},strided<1,{}>>, %B: memref<i8x{k}x{n},strided<1,{}>>,
                          %C: memref<f32x{m}x{n}>, %end: index) {{
            %sum = for %k=0,%end,{step} init(%acc=0.0) -> (tile<f32x{m}x{n},matrix_acc>) {{
                %a = tile_load.zero %A[0,%k] : {m}x{step}
                %bytes = tile_load.zero %B[%k,0] : tile<i8x{step}x{n},matrix_b>
                %b = cast %bytes : tile<bf16x{step}x{n},matrix_b>
                %next = tile_dot %a, %b, %acc
                yield (%next)
            }}
            tile_store %sum, %C[0,0]
        }}",
        m + 1,
        k + 1
    );
    let program = device.build(&text, 2)?;
    let mut random = Random::new(9);
    let (a, b) = (integers::<bf16>(&mut random, m * k), integers::<i8>(&mut random, k * n));
    let of_a = device.memory(&with_gap(&a, m, 1, f64::NAN))?;
    let of_b = device.memory(&with_gap(&b, k, 1, 99.0))?;
    for end in [-5, 0, 1, 64, 90, 129, 200_i64] {
        let c = device.memory(&vec![7.0f32; m * n])?;
        run(&program, "iterations", [1, 1, 1], &[(&of_a).into(), (&of_b).into(), (&c).into(), end.into()])?;
        let reached = k.min(usize::try_from(end).unwrap_or(0).next_multiple_of(step));
        for (at, &got) in c.iter().enumerate() {
            let (i, j) = (at % m, at / m);
            let expected: f64 =
                (0..reached).map(|l| entry(&a, m, false, i, l) * entry(&b, k, false, l, j)).sum();
            if f64::from(got) != expected {
                return Err(format!("up to {end}: C[{i},{j}] is {got:?}, not {expected}").into());
            }
        }
    }
    Ok(())
}

/// Accumulators of which no device has room for all at once, beyond whose rows and columns the matrices end, and what is made of each with
/// its row and column.
fn parts<T: Number>(device: &Device) -> Outcome {
    T::require(device)?;
    let ([m, n, k], [tile_rows, tile_cols]) = ([500, 505, 33], [512, 512]);
    let ty = T::NAME;
    let text = format!(
        "func @parts(%A: memref<{ty}x?x?>, %B: memref<{ty}x?x?>, %C: memref<f32x?x?>) {{
            %depth = size %A[1]
            %sum = for %k=0,%depth,16 init(%acc=0.0) -> (tile<f32x{tile_rows}x{tile_cols},matrix_acc>) {{
                %a = tile_load.zero %A[0,%k] : {tile_rows}x16
                %b = tile_load.t.zero %B[0,%k] : 16x{tile_cols}
                %next = tile_dot %a, %b, %acc
                yield (%next)
            }} attributes{{num_stages=2, pipeline=\"prefetch\"}}
            %old = tile_load.zero %C[0,0] : tile<f32x{tile_rows}x{tile_cols},matrix_acc>
            %out = tile_apply (%i,%j,%v,%o)=(%sum,%old) -> tile<f32x{tile_rows}x{tile_cols},matrix_acc> {{
                %two = mul %j, 2
                %place = add %i, %two
                %number = cast %place : f32
                %shifted = add %v, %number
                %w = add %shifted, %o
                yield (%w)
            }}
            tile_store %out, %C[0,0]
        }}"
    );
    let program = device.build(&text, 2)?;
    let mut random = Random::new(5);
    let (a, b) = (integers::<T>(&mut random, m * k), integers::<T>(&mut random, n * k));
    let before = integers::<f32>(&mut random, m * n);
    let (of_a, of_b, c) = (device.memory(&a)?, device.memory(&b)?, device.memory(&before)?);
    let [m_size, n_size, k_size] = [m, n, k].map(|size| size as i64);
    let arguments = [
        (&of_a).into(),
        m_size.into(),
        k_size.into(),
        m_size.into(),
        (&of_b).into(),
        n_size.into(),
        k_size.into(),
        n_size.into(),
        (&c).into(),
        m_size.into(),
        n_size.into(),
        m_size.into(),
    ];
    run(&program, "parts", [1, 1, 1], &arguments)?;
    for (at, &got) in c.iter().enumerate() {
        let (i, j) = (at % m, at / m);
        let sum: f64 = (0..k).map(|l| entry(&a, m, false, i, l) * entry(&b, n, true, l, j)).sum();
        let expected = sum + (i + 2 * j) as f64 + f64::from(before[at]);
        if f64::from(got) != expected {
            return Err(format!("C[{i},{j}] is {got:?}, not {expected}").into());
        }
    }
    Ok(())
}
