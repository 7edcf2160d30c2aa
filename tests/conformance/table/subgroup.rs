//! Places in the grid and in the work-group, and what work-items of a subgroup tell each other.

use tiletc::ir::Scalar;

use super::coopmatrix::combined;
use super::features::required;
use super::launch::{Arg, Buffer, Expected, Launch};
use super::number::{Array, Number, sample};
use crate::numbers::Random;

/// Every work-item of a grid notes what it knows of its place (language reference 4).
pub fn grid(size: i32) -> Vec<Launch> {
    type Place = (&'static str, &'static str, fn([usize; 3], [usize; 2], usize, usize, usize) -> usize);
    // Of the grid's extent, the subgroups in x and y, the number of the group, that of the subgroup, the lane.
    let table: [Place; 13] = [
        ("group_id", ".x", |n, _, group, _, _| group % n[0]),
        ("group_id", ".y", |n, _, group, _, _| group / n[0] % n[1]),
        ("group_id", ".z", |n, _, group, _, _| group / n[0] / n[1]),
        ("num_groups", ".x", |n, _, _, _, _| n[0]),
        ("num_groups", ".y", |n, _, _, _, _| n[1]),
        ("num_groups", ".z", |n, _, _, _, _| n[2]),
        ("num_subgroups", ".x", |_, s, _, _, _| s[0]),
        ("num_subgroups", ".y", |_, s, _, _, _| s[1]),
        ("num_subgroups", ".z", |_, _, _, _, _| 1),
        ("subgroup_id", ".x", |_, s, _, subgroup, _| subgroup % s[0]),
        ("subgroup_id", ".y", |_, s, _, subgroup, _| subgroup / s[0]),
        ("subgroup_id", ".z", |_, _, _, _, _| 0),
        ("subgroup_linear_id", "", |_, _, _, subgroup, _| subgroup),
    ];
    let table = table.into_iter().chain([
        ("subgroup_local_id", "", (|_, _, _, _, lane| lane) as fn(_, _, _, _, _) -> usize),
        ("subgroup_size", "", |_, _, _, _, _| 0),
    ]);
    let table: Vec<Place> = table.collect();
    let mut launches = Vec::new();
    for [x, y] in [[1, 1], [2, 1], [1, 4], [2, 3]] {
        let items = x * y * size as usize;
        let (mut parameters, mut body) = (String::new(), String::new());
        for (n, (instruction, component, _)) in table.iter().enumerate() {
            let index = matches!(*instruction, "group_id" | "num_groups");
            let ty = if index { "index" } else { "i32" };
            parameters += &format!(", %R{n}: memref<{ty}x{items}x?>");
            body += &format!(
                "%v{n} = {instruction}{component} : {ty}
                 store %v{n}, %R{n}[%at,%group]\n"
            );
        }
        let kernel = format!(
            "(%width: i32{parameters}) attributes{{subgroup_size={size}, work_group_size=[{},{y}]}} {{
                %gx = group_id.x : index
                %gy = group_id.y : index
                %gz = group_id.z : index
                %nx = num_groups.x : index
                %ny = num_groups.y : index
                %zy = mul %gz, %ny : index
                %row = add %zy, %gy : index
                %start = mul %row, %nx : index
                %group = add %start, %gx : index
                parallel {{
                    %subgroup = subgroup_linear_id : i32
                    %lane = subgroup_local_id : i32
                    %first = mul %subgroup, %width : i32
                    %item = add %first, %lane : i32
                    %at = cast %item : index
                    {body}
                }}
            }}\n",
            x * size as usize
        );
        for n in [[1, 1, 1], [5, 3, 2], [1, 2, 7], [17, 1, 1]] {
            let groups: usize = n.iter().product();
            let mut arguments = vec![Arg::Number(Scalar::I32, Number::Int(size.into()))];
            let mut buffers = Vec::new();
            for (buffer, (instruction, _, value)) in table.iter().enumerate() {
                let index = matches!(*instruction, "group_id" | "num_groups");
                let expected = |place: usize| {
                    let (item, group) = (place % items, place / items);
                    let (subgroup, lane) = (item / size as usize, item % size as usize);
                    let value = match *instruction {
                        "subgroup_size" => size as usize,
                        _ => value(n, [x, y], group, subgroup, lane),
                    };
                    Expected::exactly(Number::Int(value as i64))
                };
                let after = (0..items * groups).map(expected).collect();
                let ty = if index { Scalar::Index } else { Scalar::I32 };
                buffers.push(Buffer::results(&[instruction], ty, after));
                arguments.extend([Arg::Pointer(buffer, 0), Arg::Index(groups)]);
            }
            launches.push(Launch {
                name: format!("{n:?} groups of {x}x{y} subgroups"),
                kernel: kernel.clone(),
                groups: n,
                arguments,
                buffers,
                requires: Vec::new(),
            });
        }
    }
    launches
}

/// Scans, reductions and broadcasts. A sum of n numbers, in any order, is within γ(n)·Σ|a|.
pub fn exchanges(ty: Scalar, size: i32) -> Vec<Launch> {
    let mut random = Random::new(ty as u64);
    let width = size as usize;
    let mut launches = Vec::new();
    for subgroups in [1, 2, 5] {
        let items = subgroups * width;
        let numbers: Vec<Number> = (0..items).map(|_| sample(ty, &mut random)).collect();
        let mut instructions: Vec<(&'static str, &str, &str)> = vec![
            ("subgroup_exclusive_scan_add", "exclusive", "add"),
            ("subgroup_inclusive_scan_add", "inclusive", "add"),
            ("subgroup_reduce_add", "all", "add"),
        ];
        if !ty.is_complex() {
            instructions.extend([
                ("subgroup_exclusive_scan_max", "exclusive", "max"),
                ("subgroup_exclusive_scan_min", "exclusive", "min"),
                ("subgroup_inclusive_scan_max", "inclusive", "max"),
                ("subgroup_inclusive_scan_min", "inclusive", "min"),
                ("subgroup_reduce_max", "all", "max"),
                ("subgroup_reduce_min", "all", "min"),
            ]);
        }
        instructions.push(("subgroup_broadcast", "", ""));
        let source = 2 * width / 3;
        let (mut parameters, mut body) = (format!("%A: memref<{ty}x{items}>, %from: i32"), String::new());
        let mut arguments = vec![Arg::Pointer(0, 0), Arg::Number(Scalar::I32, Number::Int(source as i64))];
        let mut buffers = vec![Buffer::input(Array::of(ty, numbers.iter().copied()))];
        for &(instruction, part, op) in &instructions {
            let operands = if part.is_empty() { "%a, %from" } else { "%a" };
            parameters += &format!(", %{instruction}_: memref<{ty}x{items}>");
            body += &format!(
                "%{instruction} = {instruction} {operands} : {ty}
                 store %{instruction}, %{instruction}_[%at]\n"
            );
            let expected = |item: usize| {
                let (start, lane) = (item / width * width, item % width);
                match part {
                    "" => Expected::exactly(numbers[start + source]),
                    "exclusive" if lane == 0 => Expected::exactly(identity(ty, op)),
                    "exclusive" => combined(ty, op, &numbers[start..item]),
                    "inclusive" => combined(ty, op, &numbers[start..=item]),
                    _ => combined(ty, op, &numbers[start..start + width]),
                }
            };
            arguments.push(Arg::Pointer(buffers.len(), 0));
            buffers.push(Buffer::results(&[instruction], ty, (0..items).map(expected).collect()));
        }
        let kernel = format!(
            "({parameters}) attributes{{subgroup_size={size}, work_group_size=[{items},1]}} {{
                parallel {{
                    %subgroup = subgroup_linear_id : i32
                    %width = subgroup_size : i32
                    %lane = subgroup_local_id : i32
                    %first = mul %subgroup, %width : i32
                    %item = add %first, %lane : i32
                    %at = cast %item : index
                    %a = load %A[%at] : {ty}
                    {body}
                }}
            }}\n"
        );
        launches.push(Launch {
            name: format!("{ty}, {subgroups} subgroups"),
            kernel,
            groups: [1, 1, 1],
            arguments,
            buffers,
            requires: required(&[ty], None),
        });
    }
    launches
}

/// Neutral element of an operation.
fn identity(ty: Scalar, op: &str) -> Number {
    if ty.is_integer() {
        let largest = i64::MAX >> (64 - 8 * ty.bytes());
        return Number::Int(match op {
            "add" => 0,
            "max" => -largest - 1,
            _ => largest,
        });
    }
    Number::real(match op {
        "add" => 0.0,
        "max" => f64::NEG_INFINITY,
        _ => f64::INFINITY,
    })
}
