//! Launches that are recorded once and executed more than once.
//!
//! Each changes what the one before has left, so that a launch that is lost, or begins too early, changes the result.

use super::{kernel, lanes};
use crate::selftest::case::{Buffer, Case, Evidence};
use crate::selftest::element::Element;
use tiletc::device::CoreInfo;
use tiletc::runtime::Recording;

/// The launches of a case.
pub const RECORDING: Recording = Recording { launches: 5, executions: 2 };

/// The number, in 32 bits, that launches leave of one, each of which makes `after` of it.
fn repeated(number: usize, after: impl Fn(u32) -> u32) -> f64 {
    let launches = RECORDING.launches * RECORDING.executions;
    let number = u32::try_from(number).unwrap_or(0);
    f64::from((0..launches).fold(number, |number, _| after(number)).cast_signed())
}

/// Numbers of the own work-item, and of another one of the work-group.
pub fn all(info: &CoreInfo) -> Vec<Case> {
    let lanes = lanes(info);
    let mut cases = Vec::new();
    for groups in [1u32, 10, 1000] {
        let items = 2 * lanes;
        let all = items * groups as usize;
        let numbers = |after: &dyn Fn(usize) -> f64| (0..all).map(after).collect::<Vec<f64>>();
        let argument =
            |after: Vec<f64>| Buffer::output(Element::I32, &numbers(&|place| place as f64), &after).into();
        let parameters = format!("%x: memref<i32x{items}x{groups}>");
        let double = "%g = group_id.x : index
        %v = load %x[%i,%g] : i32
        %w = add %v, %v : i32
        %one = constant 1 : i32
        %y = add %w, %one : i32
        store %y, %x[%i,%g]";
        cases.push(Case {
            name: format!("own number, {groups} work-groups"),
            text: kernel(&parameters, lanes, items, "", double),
            groups: [groups, 1, 1],
            arguments: vec![argument(numbers(&|place| {
                repeated(place, |number| number.wrapping_mul(2).wrapping_add(1))
            }))],
            evidence: Evidence::None,
        });
    }
    cases
}
