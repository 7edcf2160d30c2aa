//! Products whose sizes and layouts only the launch knows, so that kernels choose among variants of their code.

use crate::selftest::case::{Argument, Buffer, Case, Evidence};
use crate::selftest::element::{Element, integers};
use tiletc::device::{CoreInfo, SpirvFeature};

/// Products of many sizes and strides.
pub fn all(info: &CoreInfo) -> Vec<Case> {
    let types = [
        (Element::F32, Element::F32),
        (Element::F64, Element::F64),
        (Element::F16, Element::F32),
        (Element::Bf16, Element::F32),
        (Element::I8, Element::I32),
    ];
    let has = |element| match element {
        Element::F64 => info.have(SpirvFeature::Float64),
        Element::F16 => info.have(SpirvFeature::Float16),
        _ => true,
    };
    let mut cases = Vec::new();
    for (ab, cd) in types.into_iter().filter(|&(ab, _)| has(ab)) {
        for (m, n, k) in [(1, 1, 1), (5, 3, 7), (16, 8, 16), (33, 9, 20)] {
            // Rows that 2D block messages take, and such that they do not.
            for ld in [64, 37] {
                cases.push(product(ab, cd, (m, n, k), ld));
            }
        }
    }
    cases
}

fn product(ab: Element, cd: Element, (m, n, k): (usize, usize, usize), ld: usize) -> Case {
    let (of_ab, of_cd) = (ab.spelling(), cd.spelling());
    let matrix = |ty: &str| format!("memref<{ty}x?x?,strided<1,?>>");
    let one = |element: Element| {
        format!("{} : {}", if element.is_float() { "1.0" } else { "1" }, element.spelling())
    };
    let (alpha, beta) = (one(ab), one(cd));
    let text = format!(
        "func @main(%A: {a}, %B: {a}, %C: {c}) {{
    %alpha = constant {alpha}
    %beta = constant {beta}
    gemm %alpha, %A, %B, %beta, %C
}}
",
        a = matrix(of_ab),
        c = matrix(of_cd),
    );
    let (a, b, c) = (integers(ld * k, 4, 1), integers(ld * n, 4, 2), integers(ld * n, 4, 3));
    let at =
        |matrix: &[f64], row: usize, column: usize| matrix.get(row + column * ld).copied().unwrap_or(0.0);
    let mut after = c.clone();
    for (place, number) in after.iter_mut().enumerate().filter(|(place, _)| place % ld < m) {
        let (row, column) = (place % ld, place / ld);
        *number += (0..k).map(|l| at(&a, row, l) * at(&b, l, column)).sum::<f64>();
    }
    let mut arguments = Vec::new();
    let sizes = [(m, k), (k, n), (m, n)];
    let buffers = [Buffer::input(ab, &a), Buffer::input(ab, &b), Buffer::output(cd, &c, &after)];
    for (buffer, (rows, columns)) in buffers.into_iter().zip(sizes) {
        arguments.push(Argument::Memory(buffer));
        for number in [rows, columns, ld] {
            arguments.push(Argument::index(i64::try_from(number).unwrap_or(0)));
        }
    }
    Case {
        name: format!("{of_ab} to {of_cd}, {m}x{n}x{k}, {ld} rows apart"),
        text,
        groups: [1; 3],
        arguments,
        evidence: Evidence::None,
    }
}
