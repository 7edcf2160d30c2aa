//! Several operations in one kernel, each depending on those before. A missing barrier shows as a wrong
//! number; all numbers are small integers, so that results are exact.

use std::fmt::Write as _;

use crate::Case;
use crate::device::{Device, Outcome};
use crate::numbers::{Random, expect_equal};

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for level in [0, 2] {
        cases.push(Case::new(format!("sequences::local::level{level}"), move |d| powers(d, level, "local")));
        cases
            .push(Case::new(format!("sequences::global::level{level}"), move |d| powers(d, level, "global")));
        cases.push(Case::new(format!("sequences::loop::level{level}"), move |device| {
            in_a_loop(device, level)
        }));
    }
    for seed in 0..4 {
        let level = [0, 2][seed as usize % 2];
        cases.push(Case::new(format!("sequences::random::seed{seed}"), move |device| {
            at_random(device, level, seed)
        }));
    }
    cases
}

type Matrix = Vec<i32>;

/// C := α·op(A)·op(B) + β·C of square matrices.
fn gemm(n: usize, [ta, tb]: [bool; 2], alpha: i32, a: &Matrix, b: &Matrix, beta: i32, c: &Matrix) -> Matrix {
    let at = |m: &Matrix, t, i: usize, j: usize| if t { m[j + i * n] } else { m[i + j * n] };
    (0..n * n)
        .map(|place| {
            let (i, j) = (place % n, place / n);
            let sum =
                (0..n).fold(0i32, |sum, l| sum.wrapping_add(at(a, ta, i, l).wrapping_mul(at(b, tb, l, j))));
            alpha.wrapping_mul(sum).wrapping_add(beta.wrapping_mul(c[place]))
        })
        .collect()
}

/// Products that go to and fro between two buffers.
fn powers(device: &Device, level: i32, space: &str) -> Outcome {
    for (n, geometry) in [(17, (8, [64, 2])), (24, (16, [64, 1])), (33, (32, [64, 2]))] {
        if !device.has_geometry(geometry.0, geometry.1) {
            continue;
        }
        let buffers = match space {
            "local" => {
                format!("%x = alloca : memref<i32x{n}x{n},local>\n%y = alloca : memref<i32x{n}x{n},local>")
            }
            _ => format!(
                "%x = subview %X[0:{n},0:{n}] : memref<i32x{n}x{n}>\n%y = subview %Y[0:{n},0:{n}] : memref<i32x{n}x{n}>"
            ),
        };
        let (size, [x, y]) = geometry;
        let text = format!(
            "func @powers(%A: memref<i32x{n}x{n}>, %X: memref<i32x{n}x{n}>, %Y: memref<i32x{n}x{n}>,
                          %R: memref<i32x{n}x{n}>) attributes{{subgroup_size={size}, work_group_size=[{x},{y}]}} {{
                %one = constant 1 : i32
                %two = constant 2 : i32
                %zero = constant 0 : i32
                {buffers}
                gemm %one, %A, %A, %zero, %x
                gemm.t %one, %x, %A, %zero, %y
                gemm.n.t %two, %y, %A, %one, %x
                axpby.t %one, %x, %two, %y
                gemm %one, %x, %y, %zero, %R
                gemm.t.t %one, %y, %R, %one, %x
                axpby %one, %x, %one, %R
            }}"
        );
        let a: Matrix = (0..n * n).map(|i| (i * 7 % 5) as i32 - 2).collect();
        let none = vec![0; n * n];
        let mut x = gemm(n, [false, false], 1, &a, &a, 0, &none);
        let mut y = gemm(n, [true, false], 1, &x, &a, 0, &none);
        x = gemm(n, [false, true], 2, &y, &a, 1, &x);
        y = (0..n * n).map(|p| x[p / n + p % n * n].wrapping_add(y[p].wrapping_mul(2))).collect();
        let mut r = gemm(n, [false, false], 1, &x, &y, 0, &none);
        x = gemm(n, [true, true], 1, &y, &r, 1, &x);
        r = r.iter().zip(&x).map(|(r, x)| r.wrapping_add(*x)).collect();
        let input = device.memory(&a)?;
        let (bx, by, result) = (device.memory(&none)?, device.memory(&none)?, device.memory(&none)?);
        let arguments = [(&input).into(), (&bx).into(), (&by).into(), (&result).into()];
        device.run_text(&text, level, "powers", [1, 1, 1], &arguments)?;
        expect_equal(&text, &result, &r)?;
    }
    Ok(())
}

/// Dependences from one trip of a loop to the next.
fn in_a_loop(device: &Device, level: i32) -> Outcome {
    let text = "func @loop(%A: memref<i32x20x20>, %R: memref<i32x20x20>, %n: i32) {
        %one = constant 1 : i32
        %zero = constant 0 : i32
        %x = alloca : memref<i32x20x20,local>
        %y = alloca : memref<i32x20x20,local>
        axpby %one, %A, %zero, %x
        for %i=%zero,%n {
            gemm %one, %x, %A, %zero, %y
            axpby.t %one, %y, %one, %x
        }
        axpby %one, %x, %zero, %R
    }";
    let a: Matrix = (0..400).map(|i| i * 7 % 5 - 2).collect();
    for trips in [0, 1, 6] {
        let mut x = a.clone();
        for _ in 0..trips {
            let y = gemm(20, [false, false], 1, &x, &a, 0, &x);
            x = (0..400).map(|p| y[p / 20 + p % 20 * 20].wrapping_add(x[p])).collect();
        }
        let (input, result) = (device.memory(&a)?, device.memory(&vec![0; 400])?);
        device.run_text(
            text,
            level,
            "loop",
            [1, 1, 1],
            &[(&input).into(), (&result).into(), trips.into()],
        )?;
        expect_equal(&format!("{trips} trips"), &result, &x)?;
    }
    Ok(())
}

/// Eight operations on six matrices, half of them local, in an order that a fixed seed brings.
fn at_random(device: &Device, level: i32, seed: u64) -> Outcome {
    const N: usize = 11;
    let mut random = Random::new(seed);
    let mut matrices: Vec<Matrix> =
        (0..6).map(|m| (0..N * N).map(|i| ((i * (m + 3)) % 7) as i32 - 3).collect()).collect();
    let inputs: Vec<_> = matrices.iter().map(|m| device.memory(m)).collect::<Result<_, _>>()?;
    let mut body = String::new();
    let parameters: Vec<String> = (0..6).map(|m| format!("%g{m}: memref<i32x{N}x{N}>")).collect();
    // The local ones start as copies, and are copied back.
    let name = |m: usize| if m < 3 { format!("%l{m}") } else { format!("%g{m}") };
    for m in 0..3 {
        let _ = writeln!(body, "%l{m} = alloca : memref<i32x{N}x{N},local>\naxpby %c1, %g{m}, %c0, %l{m}");
    }
    for _ in 0..8 {
        let (a, b) = (random.below(6), random.below(6));
        let c = (0..6).cycle().skip(random.below(6)).find(|c| *c != a && *c != b).unwrap_or_default();
        let t = [random.below(2) == 0, random.below(2) == 0];
        let (alpha, beta) = (1 + random.below(2) as i32, random.below(3) as i32);
        let letters = t.map(|t| if t { "t" } else { "n" });
        if random.below(3) == 0 {
            let _ = writeln!(body, "axpby.{} %c{alpha}, {}, %c{beta}, {}", letters[0], name(a), name(c));
            matrices[c] = (0..N * N)
                .map(|p| {
                    let from = if t[0] { p / N + p % N * N } else { p };
                    alpha.wrapping_mul(matrices[a][from]).wrapping_add(beta.wrapping_mul(matrices[c][p]))
                })
                .collect();
        } else {
            let [x, y] = letters;
            let _ = writeln!(body, "gemm.{x}.{y} %c{alpha}, {}, {}, %c{beta}, {}", name(a), name(b), name(c));
            matrices[c] = gemm(N, t, alpha, &matrices[a], &matrices[b], beta, &matrices[c]);
        }
    }
    for m in 0..3 {
        let _ = writeln!(body, "axpby %c1, %l{m}, %c0, %g{m}");
    }
    let text = format!(
        "func @sequence({}) attributes{{subgroup_size=8, work_group_size=[32,4]}} {{
             %c0 = constant 0 : i32\n%c1 = constant 1 : i32\n%c2 = constant 2 : i32\n{body}
         }}",
        parameters.join(", ")
    );
    if !device.has_geometry(8, [32, 4]) {
        return Err(crate::device::Stop::Skip("no subgroups of 8".to_owned()));
    }
    let arguments: Vec<_> = inputs.iter().map(Into::into).collect();
    device.run_text(&text, level, "sequence", [1, 1, 1], &arguments)?;
    for (m, (got, expected)) in inputs.iter().zip(&matrices).enumerate() {
        expect_equal(&format!("matrix {m}\n{text}"), got, expected)?;
    }
    Ok(())
}
