//! Arithmetic and conversions.

use super::{kernel, lanes};
use crate::selftest::case::{Buffer, Case, Evidence};
use crate::selftest::element::{Element, integers};
use tiletc::device::{CoreInfo, SpirvFeature};

/// Numbers of a buffer: as many as two subgroups have lanes.
fn count(info: &CoreInfo) -> usize {
    2 * lanes(info)
}

/// Operations on each type that the device has.
pub fn arithmetic(info: &CoreInfo) -> Vec<Case> {
    type Operation = (&'static str, fn(f64, f64) -> f64);
    const OPERATIONS: &[Operation] =
        &[("add", |a, b| a + b), ("sub", |a, b| a - b), ("mul", |a, b| a * b), ("max", f64::max)];
    let all =
        [Element::I8, Element::I32, Element::I64, Element::Bf16, Element::F16, Element::F32, Element::F64];
    let has = |element| match element {
        Element::F16 => info.have(SpirvFeature::Float16),
        Element::F64 => info.have(SpirvFeature::Float64),
        _ => true,
    };
    let mut cases = Vec::new();
    for element in all.into_iter().filter(|&element| has(element)) {
        for &(name, run) in OPERATIONS {
            let ty = element.spelling();
            let count = count(info);
            let (a, b) = (integers(count, 8, 1), integers(count, 8, 2));
            let result: Vec<f64> = a.iter().zip(&b).map(|(&a, &b)| run(a, b)).collect();
            let memory = format!("memref<{ty}x{count}>");
            let body = format!(
                "%a = load %A[%i] : {ty}
        %b = load %B[%i] : {ty}
        %c = {name} %a, %b : {ty}
        store %c, %C[%i]"
            );
            cases.push(Case {
                name: format!("{name} {ty}"),
                text: kernel(
                    &format!("%A: {memory}, %B: {memory}, %C: {memory}"),
                    lanes(info),
                    count,
                    "",
                    &body,
                ),
                groups: [1; 3],
                arguments: vec![
                    Buffer::input(element, &a).into(),
                    Buffer::input(element, &b).into(),
                    Buffer::output(element, &vec![0.0; count], &result).into(),
                ],
                evidence: Evidence::None,
            });
        }
    }
    cases
}

/// Conversions to bf16: to the nearest, ties to even.
pub fn bf16(info: &CoreInfo) -> Vec<Case> {
    let count = count(info);
    // A number of 8 bits, and what is added to it, in units of its last place.
    let parts = [("exact", 0.0), ("down", 0.25), ("tie", 0.5), ("up", 0.75)];
    let mut cases = Vec::new();
    for (name, part) in parts {
        let numbers: Vec<f64> = (0..count)
            .map(|place| {
                let sign = if place % 2 == 0 { 1.0 } else { -1.0 };
                sign * (1.0 + (place as f64 + part) / 128.0)
            })
            .collect();
        let text = |from: &str, to: &str| {
            let parameters = format!("%A: memref<{from}x{count}>, %B: memref<{to}x{count}>");
            let body =
                format!("%a = load %A[%i] : {from}\n        %b = cast %a : {to}\n        store %b, %B[%i]");
            kernel(&parameters, lanes(info), count, "", &body)
        };
        let zeros = vec![0.0; count];
        cases.push(Case {
            name: format!("f32 to bf16, {name}"),
            text: text("f32", "bf16"),
            groups: [1; 3],
            arguments: vec![
                Buffer::input(Element::F32, &numbers).into(),
                Buffer::output(Element::Bf16, &zeros, &numbers).into(),
            ],
            evidence: Evidence::Instruction("OpConvertFToBF16INTEL"),
        });
    }
    cases
}
