//! Atomic access to numbers in global and in local memory.

use tiletc::ir::Scalar;

use super::coopmatrix::combined;
use super::features::{Atomic, required};
use super::launch::{Arg, Buffer, Expected, Launch};
use super::memory::kernel;
use super::number::{Array, Number};

const SCOPES: [&str; 4] = [".cross_device", ".device", "", ".subgroup"];

const SEMANTICS: [&str; 5] = ["", ".acquire", ".release", ".acquire_release", ".sequentially_consistent"];

/// All work-items that the scope includes access the same elements, each with a scope and semantics of its own; loads, and
/// stores of the same value, may be done by all. Sums are of small integers, so that no order rounds.
pub fn launches(ty: Scalar, size: i32) -> Vec<Launch> {
    let table: [(&'static str, Atomic); 5] = [
        ("atomic_load", Atomic::Move),
        ("atomic_store", Atomic::Move),
        ("atomic_add", Atomic::Add),
        ("atomic_max", Atomic::MinMax),
        ("atomic_min", Atomic::MinMax),
    ];
    let mut launches = Vec::new();
    let mut turn = ty as usize;
    for (instruction, kind) in table {
        // Complex numbers have no order.
        if kind == Atomic::MinMax && ty.is_complex() {
            continue;
        }
        for is_local in [false, true] {
            turn += 1;
            // All scopes with all semantics would be long kernels.
            let modifiers = (0..5).map(|n| (SCOPES[(n + turn) % 4], SEMANTICS[n])).collect();
            launches.push(atomic(ty, size, (instruction, kind), is_local, modifiers));
        }
    }
    launches
}

fn atomic(
    ty: Scalar,
    size: i32,
    (instruction, kind): (&'static str, Atomic),
    is_local: bool,
    modifiers: Vec<(&str, &str)>,
) -> Launch {
    let items = 2 * size as usize;
    let (groups, count) = (if is_local { 1 } else { 3 }, modifiers.len());
    // The work-items that may update an element together, counted from the first.
    let among = |scope: &str| match scope {
        ".subgroup" => size as usize,
        "" => items,
        _ => items * groups,
    };
    let number = |value: usize| Number::small(ty, value as i64);
    let values: Vec<Number> = (0..items).map(|item| number(item % 7)).collect();
    // Local memory is filled from and written to global memory.
    let target = if is_local { "L" } else { "C" };
    let copy = |from: &str, to: &str| {
        format!(
            "foreach (%i)=(%zero),(%count) {{
                %v = load %{from}[%i] : {ty}
                store %v, %{to}[%i]
             }}\n"
        )
    };
    let mut body = format!("%count = constant {count} : index\n");
    if is_local {
        body += &format!("%L = alloca : memref<{ty}x{count},local>\n{}", copy("C", "L"));
    }
    body += &format!(
        "parallel {{
            %subgroup = subgroup_linear_id : i32
            %width = subgroup_size : i32
            %lane = subgroup_local_id : i32
            %first = mul %subgroup, %width : i32
            %item = add %first, %lane : i32
            %at = cast %item : index
            %group = group_id.x : index
            %items = constant {items} : index
            %before = mul %group, %items : index
            %row = add %before, %at : index
            %x = load %X[%at] : {ty}\n"
    );
    for (place, (scope, semantics)) in modifiers.iter().enumerate() {
        let modifier = format!("{scope}{semantics}");
        body += &format!("%i{place} = constant {place} : index\n");
        body += &match instruction {
            "atomic_load" => format!(
                "%o{place} = atomic_load{modifier} %{target}[%i{place}] : {ty}
                 store %o{place}, %O[%row,%i{place}]\n"
            ),
            // Every work-item stores the same.
            "atomic_store" => format!(
                "%s{place} = load %S[%i{place}] : {ty}
                 atomic_store{modifier} %s{place}, %{target}[%i{place}]\n"
            ),
            _ => format!(
                "%n{place} = constant {} : index
                 %c{place} = less_than %row, %n{place} : bool
                 if %c{place} {{
                     %o{place} = {instruction}{modifier} %x, %{target}[%i{place}] : {ty}
                     store %o{place}, %O[%row,%i{place}]
                 }}\n",
                among(scope)
            ),
        };
    }
    body += "}\n";
    if is_local {
        body += &copy("L", "C");
    }
    let before: Vec<Number> = (0..count).map(|place| number(place % 5 + 1)).collect();
    let stored: Vec<Number> = (0..count).map(|place| number(place + 20)).collect();
    // What an update returns depends on the order of the work-items.
    let unknown = if instruction == "atomic_store" { Expected::Same } else { Expected::Anything };
    let (mut after, mut old) = (Vec::new(), vec![unknown; items * groups * count]);
    for (place, &was) in before.iter().enumerate() {
        let updates = values.iter().copied().cycle().take(among(modifiers[place].0));
        let all: Vec<Number> = [was].into_iter().chain(updates).collect();
        after.push(match instruction.rsplit('_').next() {
            Some("load") => Expected::Same,
            Some("store") => Expected::exactly(stored[place]),
            Some("add") => Expected::exactly(all.into_iter().fold(number(0), |sum, value| sum.plus(value))),
            Some(op) => combined(ty, op, &all),
            None => Expected::Anything,
        });
        if instruction == "atomic_load" {
            for item in 0..items * groups {
                old[item + place * items * groups] = Expected::exactly(was);
            }
        }
    }
    let parameters = [
        format!("%X: memref<{ty}x{items}>, %C: memref<{ty}x{count}>, %S: memref<{ty}x{count}>"),
        format!("%O: memref<{ty}x{}x{count}>", items * groups),
    ];
    Launch {
        name: format!("{ty} in {} memory", if is_local { "local" } else { "global" }),
        kernel: kernel(size, &parameters, &body),
        groups: [groups, 1, 1],
        arguments: (0..4).map(|buffer| Arg::Pointer(buffer, 0)).collect(),
        buffers: vec![
            Buffer::input(Array::of(ty, values)),
            Buffer::output(&[instruction], Array::of(ty, before), after),
            Buffer::input(Array::of(ty, stored)),
            Buffer::output(&[], Array::new(ty, items * groups * count), old),
        ],
        requires: required(&[ty], Some((ty, kind, is_local))),
    }
}
