//! Control flow.

use tiletc::ir::Scalar;

use super::coopmatrix::combined;
use super::features::required;
use super::launch::{Arg, Buffer, Expected, Launch, run};
use super::number::{Array, Number, sample};
use super::{SUBGROUP_SIZES, subgroup};
use crate::Case;
use crate::numbers::Random;

const INTEGERS: [Scalar; 5] = [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64, Scalar::Index];

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for size in SUBGROUP_SIZES {
        for ty in Scalar::computable() {
            cases.push(Case::new(format!("control::carried::{ty}::{size}"), move |device| {
                run(device, carried(ty, size))
            }));
            cases.push(Case::new(format!("control::subgroup::{ty}::{size}"), move |device| {
                run(device, subgroup::exchanges(ty, size))
            }));
        }
        cases.push(Case::new(format!("control::ranges::{size}"), move |device| {
            run(device, INTEGERS.into_iter().flat_map(|ty| ranges(ty, size)).collect())
        }));
        cases.push(Case::new(format!("control::grid::{size}"), move |device| {
            run(device, subgroup::grid(size))
        }));
    }
    cases
}

/// Values of every type that loops and branches carry: a for each round that is not left out, added up in order.
/// Each addition of n is rounded: γ(n)·Σ|a|, and what is added is a multiple of the unit, hence γ is generous.
fn carried(ty: Scalar, size: i32) -> Vec<Launch> {
    let mut random = Random::new(ty as u64);
    let kernel = format!(
        "(%from: i32, %to: i32, %step: i32, %A: memref<{ty}x?>, %C: memref<{ty}x2>)
            attributes{{subgroup_size={size}}} {{
            %zero = constant 0 : index
            %one = constant 1 : index
            %first = load %A[%zero] : {ty}
            %odd = constant 1 : i32
            %none = constant 0 : i32
            %sum,%last = for %i=%from,%to,%step init(%s=%first,%l=%first) -> ({ty},{ty}) {{
                %bit = and %i, %odd : i32
                %is_odd = not_equal %bit, %none : bool
                %place = cast %i : index
                %next,%kept = if %is_odd -> ({ty},{ty}) {{
                    %v = load %A[%place] : {ty}
                    %t = add %s, %v : {ty}
                    yield (%t,%v)
                }} else {{
                    yield (%s,%l)
                }}
                yield (%next,%kept)
            }}
            store %sum, %C[%zero]
            store %last, %C[%one]
        }}\n"
    );
    [(0, 0, 1), (0, 1, 1), (1, 17, 1), (2, 31, 3), (5, 2, 1), (0, 33, 2), (0, 101, 5)]
        .into_iter()
        .map(|(from, to, step): (usize, usize, usize)| {
            let numbers: Vec<Number> = (0..101).map(|_| sample(ty, &mut random)).collect();
            let (mut terms, mut last) = (vec![numbers[0]], numbers[0]);
            for place in (from..to).step_by(step).filter(|place| place % 2 == 1) {
                terms.push(numbers[place]);
                last = numbers[place];
            }
            let number = |value: usize| Arg::Number(Scalar::I32, Number::Int(value as i64));
            Launch {
                name: format!("{ty}, {from} to {to} by {step}"),
                kernel: kernel.clone(),
                groups: [1, 1, 1],
                arguments: vec![
                    number(from),
                    number(to),
                    number(step),
                    Arg::Pointer(0, 0),
                    Arg::Index(numbers.len()),
                    Arg::Pointer(1, 0),
                ],
                buffers: vec![
                    Buffer::input(Array::of(ty, numbers)),
                    Buffer::results(
                        &["for", "if", "yield"],
                        ty,
                        vec![combined(ty, "add", &terms), Expected::exactly(last)],
                    ),
                ],
                requires: required(&[ty], None),
            }
        })
        .collect()
}

/// Loops of every integer type: how often each point of a range is met, by `for`, `foreach` and `foreach_tile`.
fn ranges(ty: Scalar, size: i32) -> Vec<Launch> {
    const ROWS: usize = 128;
    const COLS: usize = 8;
    let count = |at: &str| {
        format!(
            "%before = atomic_add %single, %Met[{at}] : i32
             %met = add %before, %single : i32\n"
        )
    };
    let places = "%p = cast %i : index\n%q = cast %j : index\n";
    let bodies: [(&'static str, String); 3] = [
        (
            "for",
            format!(
                "for %j=%c,%d {{
                    for %i=%a,%b {{
                        {places}
                        %old = load %Met[%p,%q] : i32
                        %met = add %old, %single : i32
                        store %met, %Met[%p,%q]
                    }}
                 }}"
            ),
        ),
        ("foreach", format!("foreach (%i,%j)=(%a,%c),(%b,%d) {{\n{places}{}}}", count("%p,%q"))),
        (
            "foreach_tile",
            // Every work-item of the subgroup counts its tile, at its first element.
            format!(
                "foreach_tile (%i,%j)=(%a,%c),(%b,%d) as (%m,%n)<=({size},3) {{
                    {places}
                    %mn = mul %m, %n : {ty}
                    %area = cast %mn : i32
                    %before = atomic_add %area, %Met[%p,%q] : i32
                 }}"
            ),
        ),
    ];
    let mut launches = Vec::new();
    for (instruction, body) in bodies {
        // A loop that every work-item runs is left to a single one.
        let group = if instruction == "for" { [size, 1] } else { [2 * size, 2] };
        let body = match instruction {
            "for" => format!(
                "parallel {{
                    %lane = subgroup_local_id : i32
                    %none = constant 0 : i32
                    %is_first = equal %lane, %none : bool
                    if %is_first {{
                        {body}
                    }}
                 }}"
            ),
            _ => body,
        };
        let kernel = format!(
            "(%a: {ty}, %b: {ty}, %c: {ty}, %d: {ty}, %Met: memref<i32x{ROWS}x{COLS}>)
                attributes{{subgroup_size={size}, work_group_size=[{},{}]}} {{
                %single = constant 1 : i32
                {body}
            }}\n",
            group[0], group[1]
        );
        for [a, b, c, d] in [
            [0, 1, 0, 1],
            [0, 2, 1, 7],
            [1, 16, 0, 8],
            [0, 16, 2, 3],
            [3, 20, 0, 5],
            [0, 31, 1, 2],
            [0, 33, 0, 3],
            [10, 74, 2, 7],
            [0, 101, 4, 8],
            [5, 5, 0, 8],
            [7, 3, 2, 4],
        ] {
            let mut after = vec![Expected::exactly(Number::Int(0)); ROWS * COLS];
            for (i, j) in (c..d).flat_map(|j| (a..b).map(move |i| (i, j))) {
                let met = match instruction {
                    "foreach_tile" => {
                        let is_start = (i - a) % size as usize == 0 && (j - c) % 3 == 0;
                        let area = (size as usize).min(b - i) * 3.min(d - j);
                        // The product is formed in the type of the range.
                        if is_start { ty.wrap(area as i64) * i64::from(size) } else { 0 }
                    }
                    _ => 1,
                };
                after[i + j * ROWS] = Expected::exactly(Number::Int(met));
            }
            let bound = |value: usize| Arg::Number(ty, Number::Int(value as i64));
            launches.push(Launch {
                name: format!("{instruction} of {ty}, {a} to {b}, {c} to {d}"),
                kernel: kernel.clone(),
                groups: [1, 1, 1],
                arguments: vec![bound(a), bound(b), bound(c), bound(d), Arg::Pointer(0, 0)],
                buffers: vec![Buffer::output(&[instruction], Array::new(Scalar::I32, ROWS * COLS), after)],
                requires: Vec::new(),
            });
        }
    }
    launches
}
