//! Atomic access.

use super::{kernel, lanes};
use crate::selftest::case::{Buffer, Case, Evidence};
use crate::selftest::element::{Element, integers as some};
use tiletc::device::{CoreInfo, SpirvFeature};

/// Memory in which the number lies that all update.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Space {
    Global,
    Local,
}

/// An update of one number by all work-items of two work-groups.
fn update(info: &CoreInfo, how: &str, element: Element, space: Space) -> Case {
    let lanes = lanes(info);
    let (items, ty) = (2 * lanes, element.spelling());
    let combine = match how {
        "add" => |a: f64, b: f64| a + b,
        "min" => f64::min,
        _ => f64::max,
    };
    // The last lane has what counts, so that its update is missed.
    let mut x = some(2 * items, 100, 5);
    for group in x.chunks_mut(lanes) {
        let special = if how == "min" { -200.0 } else { 200.0 };
        if let Some(last) = group.last_mut() {
            *last = special;
        }
    }
    let of = |numbers: &[f64]| numbers.iter().copied().fold(0.0, combine);
    let load = format!("%g = group_id.x : index\n        %v = load %x[%i,%g] : {ty}\n        ");
    let (before, body, after) = match space {
        Space::Global => {
            let body = format!("%old = atomic_{how}.device %v, %s[0] : {ty}");
            (String::new(), body, vec![of(&x), 0.0])
        }
        Space::Local => {
            let body = format!(
                "%zero = constant {} : {ty}
        %is_first = equal %number, 0 : bool
        if %is_first {{
            store %zero, %c[0]
        }}
        barrier.local
        %old = atomic_{how} %v, %c[0] : {ty}
        barrier.local
        %w = load %c[0] : {ty}
        if %is_first {{
            store %w, %s[%g]
        }}",
                if element.is_float() { "0.0" } else { "0" }
            );
            (format!("%c = alloca : memref<{ty}x1,local>"), body, x.chunks(items).map(of).collect())
        }
    };
    let place = if space == Space::Local { "local" } else { "global" };
    Case {
        name: format!("{how} {ty} in {place} memory"),
        text: kernel(
            &format!("%x: memref<{ty}x{items}x2>, %s: memref<{ty}x2>"),
            lanes,
            items,
            &before,
            &(load + &body),
        ),
        groups: [2, 1, 1],
        arguments: vec![
            Buffer::input(element, &x).into(),
            Buffer::output(element, &[0.0, 0.0], &after).into(),
        ],
        evidence: Evidence::None,
    }
}

/// Updates, loads and stores of integers.
fn updates_and_accesses(info: &CoreInfo, element: Element) -> Vec<Case> {
    let mut cases = Vec::new();
    for how in ["add", "min", "max"] {
        for space in [Space::Global, Space::Local] {
            cases.push(update(info, how, element, space));
        }
    }
    let (lanes, ty) = (lanes(info), element.spelling());
    let x = some(lanes, 100, 9);
    let memory = format!("memref<{ty}x{lanes}>");
    for scope in ["work_group", "device"] {
        let body = format!(
            "%v = atomic_load.{scope} %x[%i] : {ty}
        atomic_store.{scope} %v, %y[%i]"
        );
        cases.push(Case {
            name: format!("load and store {ty}, scope {scope}"),
            text: kernel(&format!("%x: {memory}, %y: {memory}"), lanes, lanes, "", &body),
            groups: [1; 3],
            arguments: vec![
                Buffer::input(element, &x).into(),
                Buffer::output(element, &vec![0.0; lanes], &x).into(),
            ],
            evidence: Evidence::None,
        });
    }
    cases
}

/// Atomics of integers.
pub fn integers(info: &CoreInfo) -> Vec<Case> {
    let mut cases = updates_and_accesses(info, Element::I32);
    if info.have(SpirvFeature::Int64Atomics) {
        cases.extend(updates_and_accesses(info, Element::I64));
    }
    cases
}

/// Atomic sums and extremes of floating-point numbers, as far as the device has them.
pub fn floats(info: &CoreInfo) -> Vec<Case> {
    use SpirvFeature as F;
    let updates = [
        ("add", Element::F32, Space::Global, F::AtomicFloat32AddGlobal),
        ("add", Element::F32, Space::Local, F::AtomicFloat32AddLocal),
        ("min", Element::F32, Space::Global, F::AtomicFloat32MinMaxGlobal),
        ("max", Element::F32, Space::Global, F::AtomicFloat32MinMaxGlobal),
        ("min", Element::F32, Space::Local, F::AtomicFloat32MinMaxLocal),
        ("max", Element::F32, Space::Local, F::AtomicFloat32MinMaxLocal),
        ("add", Element::F64, Space::Global, F::AtomicFloat64AddGlobal),
        ("add", Element::F64, Space::Local, F::AtomicFloat64AddLocal),
        ("max", Element::F64, Space::Global, F::AtomicFloat64MinMaxGlobal),
        ("max", Element::F64, Space::Local, F::AtomicFloat64MinMaxLocal),
        ("min", Element::F16, Space::Global, F::AtomicFloat16MinMaxGlobal),
        ("max", Element::F16, Space::Local, F::AtomicFloat16MinMaxLocal),
    ];
    let has = |element| match element {
        Element::F64 => info.have(F::Float64),
        Element::F16 => info.have(F::Float16),
        _ => true,
    };
    let there = updates.into_iter().filter(|&(_, element, _, feature)| has(element) && info.have(feature));
    there.map(|(how, element, space, _)| update(info, how, element, space)).collect()
}
