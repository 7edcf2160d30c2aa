//! Tall and skinny products: all types, last blocks of any size, everything known or not.

use tiletc::ir::{Extent, Scalar};
use tiletc::recipe::{Operand, TallAndSkinny};

use super::super::launch::{Buffer, Expected};
use super::{Beta, Factors, compile, numbers};
use crate::Case;
use crate::device::{Device, Outcome};
use crate::numbers::Random;

const BLOCK: usize = 32;
/// Less than a block, one, a bit more, some full ones, a last one that is not.
const ROWS: [usize; 7] = [1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 101, 0];

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for number in Scalar::computable() {
        cases.push(Case::new(format!("tall_and_skinny::{number}"), move |device| dynamic(device, number)));
    }
    cases.push(Case::new("tall_and_skinny::specialised", specialised));
    cases.push(Case::new("tall_and_skinny::aligned", aligned));
    cases.push(Case::new("tall_and_skinny::blocks", blocks));
    cases
}

/// Columns of B and length of the sums, small enough for one subgroup and not.
const SIZES: [[i64; 2]; 3] = [[9, 13], [40, 3], [1, 17]];

fn dynamic(device: &Device, number: Scalar) -> Outcome {
    for turn in 0..2 {
        let [n, k] = SIZES[(number as usize + turn) % SIZES.len()];
        let shape = TallAndSkinny::dynamic(number, n, k, BLOCK as i32);
        run(device, shape, &ROWS, Beta::all(number), 0)?;
    }
    Ok(())
}

/// Each of M, ldA, ldB and ldC known or not; the leading dimensions have gaps.
fn specialised(device: &Device) -> Outcome {
    for known in 0..16 {
        let m = ROWS[known % 6];
        let extent = |bit: usize, size| match known >> bit & 1 {
            0 => Extent::Dynamic,
            _ => Extent::Static(size as i64),
        };
        let [lead_a, lead_b, lead_c] = leading(m, 5);
        let operand = |bit, size| Operand { leading: extent(bit, size), alignment: None };
        let shape = TallAndSkinny {
            m: extent(0, m),
            a: operand(1, lead_a),
            b: operand(2, lead_b),
            c: operand(3, lead_c),
            ..TallAndSkinny::dynamic(Scalar::F32, 3, 5, BLOCK as i32)
        };
        run(device, shape, &[m], &[Beta::Any, Beta::Zero], 0)?;
    }
    Ok(())
}

/// Matrices that are not aligned to more than their numbers.
fn aligned(device: &Device) -> Outcome {
    let operand = Operand { leading: Extent::Dynamic, alignment: Some(4) };
    let shape = TallAndSkinny {
        a: operand,
        b: operand,
        c: operand,
        ..TallAndSkinny::dynamic(Scalar::F32, 16, 16, BLOCK as i32)
    };
    run(device, shape, &[70], &[Beta::Any, Beta::Zero], 1)
}

/// Any number of rows may make a block, be it no multiple of a subgroup.
fn blocks(device: &Device) -> Outcome {
    for block in [1, 7, 48, 128, 1000] {
        let shape = TallAndSkinny::dynamic(Scalar::F32, 9, 4, block);
        run(device, shape, &[1, 130], &[Beta::Any], 0)?;
        let known = TallAndSkinny { m: Extent::Static(130), ..shape };
        run(device, known, &[130], &[Beta::Zero], 0)?;
    }
    Ok(())
}

/// Leading dimensions of A, B and C.
fn leading(m: usize, k: usize) -> [usize; 3] {
    [m + 3, k + 1, m + 2]
}

/// Runs the product with so many rows, the matrices `offset` numbers behind what memory is aligned to.
fn run(device: &Device, shape: TallAndSkinny, rows: &[usize], betas: &[Beta], offset: usize) -> Outcome {
    let number = shape.number;
    let Some(compiled) = compile(device, shape.into(), number)? else { return Ok(()) };
    let [n, k] = [shape.n, shape.k].map(|size| size as usize);
    for &m in rows {
        let mut random = Random::new(m as u64);
        let [lead_a, lead_b, lead_c] = leading(m, k);
        let length = |leading: usize, columns: usize| offset + leading * columns;
        let a = numbers(number, length(lead_a, k), &mut random);
        let b = numbers(number, length(lead_b, n), &mut random);
        for &beta in betas {
            let factors = Factors::new(number, beta, &mut random);
            let c = factors.before(length(lead_c, n), &mut random);
            let mut after = vec![Expected::Same; c.len()];
            for (row, column) in (0..n).flat_map(|column| (0..m).map(move |row| (row, column))) {
                let products =
                    (0..k).map(|l| (a.get(offset + row + l * lead_a), b.get(offset + l + column * lead_b)));
                let place = offset + row + column * lead_c;
                after[place] = factors.expected(products, c.get(place));
            }
            let buffers =
                vec![Buffer::input(a.clone()), Buffer::input(b.clone()), Buffer::output(&["gemm"], c, after)];
            let [alpha, beta] = factors.bytes();
            let matrices = [((0, offset), lead_a), ((1, offset), lead_b), ((2, offset), lead_c)];
            let matrices = matrices.map(|(memory, leading)| (memory, leading as i64));
            let launch = shape.launch(m as i64, &alpha, &beta, matrices)?;
            compiled.run(device, number, &launch, buffers)?;
        }
    }
    Ok(())
}
