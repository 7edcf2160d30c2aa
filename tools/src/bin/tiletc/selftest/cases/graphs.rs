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

/// The number that all launches together leave of one, in 32 bits: each doubles and adds one.
fn after(number: u32) -> u32 {
    let launches = RECORDING.launches * RECORDING.executions;
    (0..launches).fold(number, |number, _| number.wrapping_mul(2).wrapping_add(1))
}

/// Launches of one work-group, of a few and of many, in which each work-item changes a number of its own.
pub fn all(info: &CoreInfo) -> Vec<Case> {
    let items = 2 * lanes(info);
    let body = "%g = group_id.x : index
        %v = load %x[%i,%g] : i32
        %w = add %v, %v : i32
        %one = constant 1 : i32
        %y = add %w, %one : i32
        store %y, %x[%i,%g]";
    let case = |groups: u32| {
        let numbers = 0..groups * u32::try_from(items).unwrap_or(0);
        let before: Vec<f64> = numbers.clone().map(f64::from).collect();
        let after: Vec<f64> = numbers.map(|number| f64::from(after(number).cast_signed())).collect();
        Case {
            name: format!("{groups} work-groups"),
            text: kernel(&format!("%x: memref<i32x{items}x{groups}>"), lanes(info), items, "", body),
            groups: [groups, 1, 1],
            arguments: vec![Buffer::output(Element::I32, &before, &after).into()],
            evidence: Evidence::None,
        }
    };
    [1, 10, 1000].map(case).into()
}
