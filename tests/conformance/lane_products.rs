//! Products so small that a lane computes them, or columns of them. Entries are small integers, so that every result is exact.

use crate::Case;
use crate::batch::{entry, integers, letter, stored};
use crate::device::{Device, Memory, Outcome, run};
use crate::gemm::ENGINE;
use crate::numbers::{Number, Random};

/// Sizes M, N, K of which a lane computes all, of which it computes columns, and the first that are too large.
const SHAPES: [[usize; 3]; 14] = [
    [1, 1, 1],
    [3, 3, 3],
    [2, 6, 5],
    [6, 6, 6],
    [6, 1, 2],
    [1, 16, 1],
    [3, 9, 3],
    [4, 17, 4],
    [4, 9, 9],
    [8, 64, 8],
    [7, 49, 7],
    [7, 7, 7],
    [5, 33, 2],
    [9, 12, 3],
];

/// Work-groups along both directions of the grid: fewer and more than a subgroup has lanes, and some left over.
const GRIDS: [[usize; 2]; 4] = [[1, 1], [5, 3], [37, 1], [16, 2]];

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    batches::<f32, f32>(&mut cases);
    batches::<f64, f64>(&mut cases);
    batches::<i32, i32>(&mut cases);
    batches::<i64, i64>(&mut cases);
    batches::<f32, f64>(&mut cases);
    chains::<f32, f32>(&mut cases);
    chains::<f64, f64>(&mut cases);
    chains::<i32, i32>(&mut cases);
    chains::<f32, f64>(&mut cases);
    cases.push(Case::new("lane_products::loops", loops));
    cases.push(Case::new("lane_products::groups_and_branches", groups_and_branches));
    cases.push(Case::new("lane_products::atomic", atomic));
    cases
}

fn batches<T: Number, C: Number>(cases: &mut Vec<Case>) {
    for (ta, tb) in [(false, false), (true, true), (false, true), (true, false)] {
        let letters = format!("{}{}", letter(ta), letter(tb));
        let name = format!("{ENGINE}lane_products::{}_{}::{letters}", T::NAME, C::NAME);
        cases.push(Case::new(name, move |device| {
            for (turn, shape) in SHAPES.into_iter().enumerate() {
                batch::<T, C>(device, shape, [ta, tb], turn)?;
            }
            Ok(())
        }));
    }
}

/// C(:,:,x,y) := α·op(A(:,:,x,y))·op(B) + β·C(:,:,x,y), where all share B.
fn batch<T: Number, C: Number>(
    device: &Device,
    [m, n, k]: [usize; 3],
    [ta, tb]: [bool; 2],
    turn: usize,
) -> Outcome {
    T::require(device)?;
    C::require(device)?;
    let (ty, out) = (T::NAME, C::NAME);
    let [[a_rows, a_cols], [b_rows, b_cols]] = [stored(ta, [m, k]), stored(tb, [k, n])];
    let [x, y] = GRIDS[turn % GRIDS.len()];
    let (alpha, beta) = [(1.0, 1.0), (1.0, 0.0), (2.0, 1.0), (-1.0, 3.0), (1.0, 2.0)][turn % 5];
    let text = format!(
        "func @batch(%A: memref<{ty}x{a_rows}x{a_cols}x{x}x{y}>, %B: memref<{ty}x{b_rows}x{b_cols}>,
                     %C: memref<{out}x{m}x{n}x{x}x{y}>) {{
            %x = group_id.x : index
            %y = group_id.y : index
            %a = subview %A[0:{a_rows},0:{a_cols},%x,%y] : memref<{ty}x{a_rows}x{a_cols}>
            %c = subview %C[0:{m},0:{n},%x,%y] : memref<{out}x{m}x{n}>
            %alpha = constant {} : {ty}
            %beta = constant {} : {out}
            gemm.{}.{} %alpha, %a, %B, %beta, %c
        }}",
        T::literal(alpha),
        C::literal(beta),
        letter(ta),
        letter(tb)
    );
    let program = device.build(&text, 2)?;
    let mut random = Random::new((m + n + k) as u64);
    let a_values = integers::<T>(&mut random, m * k * x * y);
    let b_values = integers::<T>(&mut random, k * n);
    let before = integers::<C>(&mut random, m * n * x * y);
    let (a, b, c) = (device.memory(&a_values)?, device.memory(&b_values)?, device.memory(&before)?);
    run(&program, "batch", [x, y, 1], &[(&a).into(), (&b).into(), (&c).into()])?;
    for (at, &got) in c.iter().enumerate() {
        let (group, i, j) = (at / (m * n), at % m, at / m % n);
        let left = &a_values[group * m * k..(group + 1) * m * k];
        let terms = (0..k).map(|l| entry(left, a_rows, ta, i, l) * entry(&b_values, b_rows, tb, l, j));
        let expected = alpha * terms.sum::<f64>() + beta * before[at].to_f64();
        if got.to_f64() != expected {
            return Err(format!("{m}x{n}x{k}: C[{i},{j}] of group {group} is {got:?}, not {expected}").into());
        }
    }
    Ok(())
}

/// Sizes r, m, k, n, p of Q := R·((K·P)·A) + β·Q, where K·P is m×n: a column for each lane and for some of them, and the first that are
/// too large for that.
const CHAINS: [[usize; 5]; 8] = [
    [4, 3, 4, 9, 9],
    [4, 4, 9, 9, 16],
    [1, 1, 1, 2, 3],
    [8, 8, 3, 9, 16],
    [2, 5, 7, 6, 11],
    [4, 3, 4, 9, 17],
    [4, 3, 4, 10, 9],
    [9, 3, 4, 9, 16],
];

fn chains<T: Number, C: Number>(cases: &mut Vec<Case>) {
    let name = format!("{ENGINE}lane_products::chains_{}_{}", T::NAME, C::NAME);
    cases.push(Case::new(name, |device| {
        for (turn, shape) in CHAINS.into_iter().enumerate() {
            chain::<T, C>(device, shape, turn, false)?;
            chain::<T, C>(device, shape, turn, true)?;
        }
        Ok(())
    }));
}

/// Chains of products whose intermediates no memory has: of two, T·A, and of three, R·(T·A), where T = α·K·P.
fn chain<T: Number, C: Number>(
    device: &Device,
    [r, m, k, n, p]: [usize; 5],
    turn: usize,
    is_long: bool,
) -> Outcome {
    const MEMBERS: usize = 5;
    T::require(device)?;
    C::require(device)?;
    let (ty, out) = (T::NAME, C::NAME);
    let (alpha, beta) = [(1.0, 1.0), (2.0, 0.0), (-1.0, 3.0)][turn % 3];
    let (rows, last) = match is_long {
        true => (
            r,
            format!(
                "%two = alloca : memref<{ty}x{m}x{p},local>
            gemm %one, %tmp, %A, %zero, %two
            gemm %one, %R, %two, %beta, %q"
            ),
        ),
        false => (m, "gemm %one, %tmp, %A, %beta, %q".to_owned()),
    };
    let text = format!(
        "func @chain(%R: memref<{ty}x{r}x{m}>, %K: memref<{ty}x{m}x{k}>, %P: memref<{ty}x{k}x{n}x{MEMBERS}>,
                     %A: memref<{ty}x{n}x{p}>, %Q: memref<{out}x{rows}x{p}x{MEMBERS}>) {{
            %g = group_id.x : index
            %p = subview %P[0:{k},0:{n},%g] : memref<{ty}x{k}x{n}>
            %q = subview %Q[0:{rows},0:{p},%g] : memref<{out}x{rows}x{p}>
            %alpha = constant {} : {ty}
            %one = constant {} : {ty}
            %zero = constant {} : {ty}
            %beta = constant {} : {out}
            %tmp = alloca : memref<{ty}x{m}x{n},local>
            gemm %alpha, %K, %p, %zero, %tmp
            {last}
        }}",
        T::literal(alpha),
        T::literal(1.0),
        T::literal(0.0),
        C::literal(beta)
    );
    let program = device.build(&text, 2)?;
    let mut random = Random::new((r + m + n) as u64);
    let [r_values, k_values, p_values, a_values] =
        [r * m, m * k, k * n * MEMBERS, n * p].map(|count| integers::<T>(&mut random, count));
    let before = integers::<C>(&mut random, rows * p * MEMBERS);
    let [left, first, second, third] =
        [&r_values, &k_values, &p_values, &a_values].map(|values| device.memory(values));
    let (left, first, second, third, q) = (left?, first?, second?, third?, device.memory(&before)?);
    let arguments = [(&left).into(), (&first).into(), (&second).into(), (&third).into(), (&q).into()];
    run(&program, "chain", [MEMBERS, 1, 1], &arguments)?;
    let of = |values: &[T]| values.iter().map(|value| value.to_f64()).collect::<Vec<f64>>();
    for group in 0..MEMBERS {
        let made = product(&of(&k_values), &of(&p_values[group * k * n..(group + 1) * k * n]), [m, n, k]);
        let made = product(&made, &of(&a_values), [m, p, n]);
        let made = if is_long { product(&of(&r_values), &made, [r, p, m]) } else { made };
        for (at, value) in made.into_iter().enumerate() {
            let at = group * rows * p + at;
            let (got, expected) = (q[at].to_f64(), alpha * value + beta * before[at].to_f64());
            if got != expected {
                let (i, j) = (at % rows, at / rows % p);
                return Err(format!(
                    "{r}x{m}x{k}x{n}x{p}: Q[{i},{j}] of group {group} is {got}, not {expected}"
                )
                .into());
            }
        }
    }
    Ok(())
}

/// A product of matrices of m×k and k×n numbers.
fn product(a: &[f64], b: &[f64], [m, n, k]: [usize; 3]) -> Vec<f64> {
    let entry = |at: usize| (0..k).map(|l| a[at % m + m * l] * b[l + k * (at / m)]).sum();
    (0..m * n).map(entry).collect()
}

/// Work-groups take each product as many further on as there are work-groups.
fn loops(device: &Device) -> Outcome {
    const MEMBERS: usize = 50;
    let text = "func @all(%A: memref<f32x2x2x?>, %C: memref<f32x2x2x?>) {
        %g = group_id.x : index
        %groups = num_groups.x : index
        %members = size %C[2] : index
        %one = constant 1.0 : f32
        for %i = %g, %members, %groups {
            %a = subview %A[0:2,0:2,%i] : memref<f32x2x2>
            %c = subview %C[0:2,0:2,%i] : memref<f32x2x2>
            gemm %one, %a, %a, %one, %c
        }
    }";
    let program = device.build(text, 2)?;
    let values = integers::<f32>(&mut Random::new(1), 4 * MEMBERS);
    let members = MEMBERS as i64;
    for groups in [1, 7, 16, 23, 50, 64] {
        let (a, c) = (device.memory(&values)?, device.memory(&vec![1.0_f32; 4 * MEMBERS])?);
        run(&program, "all", [groups, 1, 1], &[(&a).into(), members.into(), (&c).into(), members.into()])?;
        for (at, &got) in c.iter().enumerate() {
            let own = &values[at / 4 * 4..at / 4 * 4 + 4];
            let expected =
                1.0 + own[at % 2] * own[at % 4 / 2 * 2] + own[at % 2 + 2] * own[at % 4 / 2 * 2 + 1];
            if got != expected {
                return Err(format!("entry {at} with {groups} groups is {got}, not {expected}").into());
            }
        }
    }
    Ok(())
}

/// Matrices by pointers of their own, and a product that only some of the work-groups have.
fn groups_and_branches(device: &Device) -> Outcome {
    const MEMBERS: usize = 21;
    let text = "func @some(%A: group<memref<f32x3x3>x?>, %C: memref<f32x3x3x?>) {
        %g = group_id.x : index
        %a = load %A[%g] : memref<f32x3x3>
        %c = subview %C[0:3,0:3,%g] : memref<f32x3x3>
        %one = constant 1.0 : f32
        %zero = constant 0.0 : f32
        %two = constant 2 : index
        %rest = rem %g, %two : index
        %origin = constant 0 : index
        %is_even = equal %rest, %origin : bool
        if %is_even {
            gemm %one, %a, %a, %zero, %c
        } else {
            store %one, %c[%origin,%origin]
        }
    }";
    let program = device.build(text, 2)?;
    let values = integers::<f32>(&mut Random::new(2), 9 * MEMBERS);
    let matrices =
        values.chunks(9).map(|matrix| device.memory(matrix)).collect::<Outcome<Vec<Memory<f32>>>>()?;
    let pointers: Vec<u64> = matrices.iter().map(Memory::address).collect();
    let pointers = device.memory(&pointers)?;
    let c = device.memory(&vec![7.0_f32; 9 * MEMBERS])?;
    let members = MEMBERS as i64;
    let arguments = [(&pointers).into(), members.into(), (&c).into(), members.into()];
    run(&program, "some", [MEMBERS, 1, 1], &arguments)?;
    for (at, &got) in c.iter().enumerate() {
        let (member, i, j) = (at / 9, at % 3, at / 3 % 3);
        let own = &values[9 * member..9 * member + 9];
        let expected = match (member % 2, at % 9) {
            (0, _) => (0..3).map(|l| own[i + 3 * l] * own[l + 3 * j]).sum(),
            (_, 0) => 1.0,
            _ => 7.0,
        };
        if got != expected {
            return Err(format!("C[{i},{j}] of member {member} is {got}, not {expected}").into());
        }
    }
    Ok(())
}

/// All work-groups add to the same matrix.
fn atomic(device: &Device) -> Outcome {
    const MEMBERS: usize = 40;
    let text = "func @sum(%A: memref<i32x3x2x?>, %C: memref<i32x3x3>) {
        %g = group_id.x : index
        %a = subview %A[0:3,0:2,%g] : memref<i32x3x2>
        %one = constant 1 : i32
        gemm.atomic.n.t %one, %a, %a, %one, %C
    }";
    let program = device.build(text, 2)?;
    let values = integers::<i32>(&mut Random::new(3), 6 * MEMBERS);
    let (a, c) = (device.memory(&values)?, device.memory(&[5_i32; 9])?);
    run(&program, "sum", [MEMBERS, 1, 1], &[(&a).into(), (MEMBERS as i64).into(), (&c).into()])?;
    for (at, &got) in c.iter().enumerate() {
        let (i, j) = (at % 3, at / 3);
        let terms = values.chunks(6).map(|own| own[i] * own[j] + own[i + 3] * own[j + 3]);
        let expected = 5 + terms.sum::<i32>();
        if got != expected {
            return Err(format!("C[{i},{j}] is {got}, not {expected}").into());
        }
    }
    Ok(())
}
