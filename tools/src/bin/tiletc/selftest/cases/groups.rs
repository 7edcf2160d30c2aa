//! Work-groups: their numbers, barriers, local memory.

use super::{kernel, lanes};
use crate::selftest::case::{Buffer, Case, Evidence};
use crate::selftest::element::Element;
use tiletc::device::CoreInfo;

/// A number of a work-group: its name, the instruction, and what it is in the group of a number.
type Read = (&'static str, &'static str, fn(usize) -> usize);

/// Numbers of work-groups in three directions, and of subgroups and lanes.
pub fn numbers(info: &CoreInfo) -> Vec<Case> {
    let mut cases = Vec::new();
    for &lanes in info.subgroup_sizes() {
        let lanes = usize::try_from(lanes).unwrap_or(16);
        let items = 2 * lanes;
        let read: [Read; 3] = [
            ("group x", "group_id.x", |number| number % 2),
            ("group y", "group_id.y", |number| number / 2 % 3),
            ("group z", "group_id.z", |number| number / 6),
        ];
        for (name, instruction, own) in read {
            let all = 2 * 3 * 2;
            let body = format!(
                "%own = {instruction} : index
        %x = group_id.x : index
        %y = group_id.y : index
        %z = group_id.z : index
        %zz = mul %z, 3 : index
        %yz = add %zz, %y : index
        %yy = mul %yz, 2 : index
        %g = add %yy, %x : index
        %v = cast %own : i32
        store %v, %n[%i,%g]"
            );
            let after: Vec<f64> = (0..all * items).map(|place| own(place / items) as f64).collect();
            cases.push(Case {
                name: format!("{name}, subgroups of {lanes}"),
                text: kernel(&format!("%n: memref<i32x{items}x{all}>"), lanes, items, "", &body),
                groups: [2, 3, 2],
                arguments: vec![Buffer::output(Element::I32, &vec![-1.0; after.len()], &after).into()],
                evidence: Evidence::None,
            });
        }
        let told = [
            ("size of subgroups", "subgroup_size : i32", lanes, 0),
            ("number of subgroups", "num_subgroups.x : i32", 2, 0),
            ("lane", "subgroup_local_id : i32", 0, lanes),
        ];
        for (name, instruction, constant, modulus) in told {
            let body = format!("%own = {instruction}\n        store %own, %n[%i]");
            let number = |item: usize| item.checked_rem(modulus).unwrap_or(constant) as f64;
            let after: Vec<f64> = (0..items).map(number).collect();
            cases.push(Case {
                name: format!("{name}, subgroups of {lanes}"),
                text: kernel(&format!("%n: memref<i32x{items}>"), lanes, items, "", &body),
                groups: [1; 3],
                arguments: vec![Buffer::output(Element::I32, &vec![-1.0; items], &after).into()],
                evidence: Evidence::None,
            });
        }
    }
    cases
}

/// Every work-item takes what another one has written, so many places further on.
fn exchange(info: &CoreInfo, subgroups: usize, shift: usize, space: &str) -> Case {
    let lanes = lanes(info);
    let items = subgroups * lanes;
    let is_local = space == "local";
    let own = format!("%tmp = alloca : memref<i32x{items},local>");
    let other = format!("%tmp: memref<i32x{items}>, ");
    let body = format!(
        "%v = load %x[%i] : i32
        store %v, %tmp[%i]
        barrier.{space}
        %sum = add %i, {shift} : index
        %from = rem %sum, {items} : index
        %w = load %tmp[%from] : i32
        store %w, %y[%i]"
    );
    let parameters = format!(
        "{}%x: memref<i32x{items}>, %y: memref<i32x{items}>",
        if is_local { "" } else { other.as_str() }
    );
    let x: Vec<f64> = (1..=items).map(|number| number as f64).collect();
    let zeros = vec![0.0; items];
    let y: Vec<f64> = (0..items).map(|item| ((item + shift) % items + 1) as f64).collect();
    let mut arguments =
        vec![Buffer::input(Element::I32, &x).into(), Buffer::output(Element::I32, &zeros, &y).into()];
    if !is_local {
        arguments.insert(0, Buffer::output(Element::I32, &zeros, &x).into());
    }
    Case {
        name: format!("{space} memory, {subgroups} subgroups, {shift} places"),
        text: kernel(&parameters, lanes, items, if is_local { &own } else { "" }, &body),
        groups: [1; 3],
        arguments,
        evidence: Evidence::Instruction("OpControlBarrier"),
    }
}

/// Barriers with fences of either memory.
pub fn barriers(info: &CoreInfo) -> Vec<Case> {
    let lanes = lanes(info);
    let mut cases = Vec::new();
    for space in ["local", "global"] {
        for (subgroups, shift) in [(2, lanes), (4, lanes + 1), (4, 2 * lanes), (8, 7 * lanes)] {
            cases.push(exchange(info, subgroups, shift, space));
        }
    }
    cases
}

/// Halves of barriers, between which all work-items have added something.
pub fn split_barriers(info: &CoreInfo) -> Vec<Case> {
    let lanes = lanes(info);
    let mut cases = Vec::new();
    for (subgroups, rounds) in [(2, 1), (4, 1), (8, 1), (4, 3)] {
        let items = subgroups * lanes;
        let body = format!(
            "atomic_store.work_group 0, %c[0]
        barrier.local
        for %k=0,{rounds} {{
            %old = atomic_add %number, %c[0] : i32
            barrier_arrive
            barrier_wait
            %v = atomic_load.work_group %c[0] : i32
            store %v, %y[%i,%k]
            barrier_arrive
            barrier_wait
        }}"
        );
        let each = items * (items - 1) / 2;
        let y: Vec<f64> = (0..rounds * items).map(|place| ((place / items + 1) * each) as f64).collect();
        cases.push(Case {
            name: format!("{subgroups} subgroups, {rounds} rounds"),
            text: kernel(
                &format!("%y: memref<i32x{items}x{rounds}>"),
                lanes,
                items,
                "%c = alloca : memref<i32x1,local>",
                &body,
            ),
            groups: [1; 3],
            arguments: vec![Buffer::output(Element::I32, &vec![-1.0; rounds * items], &y).into()],
            evidence: Evidence::Instruction("OpControlBarrierWaitINTEL"),
        });
    }
    cases
}

/// Local memory of several sizes, that of each work-group its own.
pub fn local_memory(info: &CoreInfo) -> Vec<Case> {
    let lanes = lanes(info);
    let most = info.local_memory_size().unwrap_or(CoreInfo::MIN_LOCAL_MEMORY);
    let sizes = [256, 1024, 4096, 16 * 1024, 32 * 1024, 64 * 1024, 128 * 1024];
    let mut cases = Vec::new();
    for bytes in sizes.into_iter().filter(|&bytes| bytes <= most) {
        let count = usize::try_from(bytes / 4).unwrap_or(64);
        for subgroups in [1, 2].into_iter().filter(|subgroups| 4 * subgroups * lanes <= count) {
            cases.push(quarters(bytes, count, subgroups, lanes));
        }
    }
    cases
}

/// Work-items write a number into each quarter of the memory, and read what others have written there.
fn quarters(bytes: i64, count: usize, subgroups: usize, lanes: usize) -> Case {
    let (items, quarter) = (subgroups * lanes, count / 4);
    let body = format!(
        "%g = group_id.x : index
        %base = mul %g, 1000 : index
        %back = sub {}, %i : index
        for %k=0,4 {{
            %q = mul %k, {quarter} : index
            %to = add %q, %i : index
            %ten = mul %k, 100 : index
            %sum = add %base, %ten : index
            %own = add %sum, %i : index
            %v = cast %own : i32
            store %v, %tmp[%to]
        }}
        barrier.local
        for %k=0,4 {{
            %q = mul %k, {quarter} : index
            %from = add %q, %back : index
            %v = load %tmp[%from] : i32
            store %v, %y[%i,%k,%g]
        }}",
        items - 1
    );
    let groups = 3usize;
    let number = |place: usize| {
        let (item, k, group) = (place % items, place / items % 4, place / items / 4);
        (1000 * group + 100 * k + items - 1 - item) as f64
    };
    let y: Vec<f64> = (0..4 * groups * items).map(number).collect();
    Case {
        name: format!("{bytes} bytes, {subgroups} subgroups"),
        text: kernel(
            &format!("%y: memref<i32x{items}x4x{groups}>"),
            lanes,
            items,
            &format!("%tmp = alloca : memref<i32x{count},local>"),
            &body,
        ),
        groups: [3, 1, 1],
        arguments: vec![Buffer::output(Element::I32, &vec![0.0; y.len()], &y).into()],
        evidence: Evidence::None,
    }
}
