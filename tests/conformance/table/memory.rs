//! Memory: loads and stores through every form of tensor, views, sizes, local memory, atomic access.

use tiletc::ir::Scalar;

use super::features::required;
use super::launch::{Arg, Buffer, Expected, Launch, run};
use super::number::{Array, Number, sample};
use super::tensor::{FORMS, Form, GCD, Tensor};
use super::{SUBGROUP_SIZES, atomics};
use crate::Case;
use crate::numbers::Random;

/// Shapes of tensors of every order.
const SHAPES: [&[usize]; 12] = [
    &[],
    &[1],
    &[2],
    &[15],
    &[16, 17],
    &[31, 2],
    &[33, 1, 2],
    &[56, 9],
    &[64, 1],
    &[101],
    &[17, 3, 5],
    &[2, 33],
];
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for size in SUBGROUP_SIZES {
        for &ty in Scalar::ALL.iter().filter(|ty| !ty.is_packed()) {
            cases.push(Case::new(format!("memory::{ty}::{size}"), move |device| {
                let mut launches = copies(ty, size);
                launches.extend(views(ty, size));
                launches.extend(local(ty, size));
                launches.extend(pointers(ty, size));
                run(device, launches)
            }));
            // The language has no atomics for the others.
            if !ty.is_only_stored() && !matches!(ty, Scalar::I8 | Scalar::I16 | Scalar::Bf16) {
                cases.push(Case::new(format!("memory::atomic::{ty}::{size}"), move |device| {
                    run(device, atomics::launches(ty, size))
                }));
            }
        }
    }
    cases
}

/// A kernel with work-groups of two subgroups.
pub fn kernel(size: i32, parameters: &[String], body: &str) -> String {
    format!(
        "({}) attributes{{subgroup_size={size}, work_group_size=[{},1]}} {{
            %zero = constant 0 : index
            {body}
        }}\n",
        parameters.join(", "),
        2 * size
    )
}

/// Instructions that run `body` for every element of a tensor, at `at`.
fn for_each(tensor: &str, order: usize, body: impl Fn(&str) -> String) -> String {
    if order == 0 {
        return body("");
    }
    let list =
        |name: &str| (0..order).map(|mode| format!("%{name}{mode}_{tensor}")).collect::<Vec<_>>().join(",");
    let mut text = String::new();
    for mode in 0..order {
        text += &format!("%n{mode}_{tensor} = size %{tensor}[{mode}] : index\n");
    }
    let from = vec!["%zero"; order].join(",");
    let body = body(&list("i"));
    text + &format!("foreach ({})=({from}),({}) {{\n{body}}}\n", list("i"), list("n"))
}

/// From one tensor to another of the same shape, in every order and form; sizes are asked for at run time.
fn copies(ty: Scalar, size: i32) -> Vec<Launch> {
    let mut launches = Vec::new();
    let mut random = Random::new(ty as u64);
    for (turn, shape) in SHAPES.iter().enumerate() {
        for half in 0..2 {
            let form = FORMS[(turn + ty as usize + 3 * half + size as usize / 16) % FORMS.len()];
            let shape: Vec<usize> = match form {
                Form::Gcd => shape.iter().map(|size| size.div_ceil(GCD).min(2) * GCD).collect(),
                _ => shape.to_vec(),
            };
            let (from, to) = (Tensor::new("A", ty, &shape, form), Tensor::new("C", ty, &shape, form));
            let (a, c) = (from.fill(|| sample(ty, &mut random)), to.fill(|| sample(ty, &mut random)));
            let mut after = vec![Expected::Same; to.length];
            for indices in to.indices() {
                after[to.place(&indices)] = Expected::exactly(a.get(from.place(&indices)));
            }
            let body = from.prologue()
                + &to.prologue()
                + &for_each("C", shape.len(), |at| {
                    format!("%v = load %A[{at}] : {ty}\nstore %v, %C[{at}]\n")
                });
            let mut of = vec!["load", "store"];
            if !shape.is_empty() {
                of.extend(["size", "foreach"]);
            }
            if form == Form::View {
                of.push("subview");
            }
            let mut arguments = from.arguments(0);
            arguments.extend(to.arguments(1));
            launches.push(Launch {
                name: format!("{ty} {shape:?} {form:?}"),
                kernel: kernel(size, &[from.parameter(), to.parameter()], &body),
                groups: [1, 1, 1],
                arguments,
                buffers: vec![Buffer::input(a), Buffer::output(&of, c, after)],
                requires: required(&[ty], None),
            });
        }
    }
    launches
}

/// A vector seen as a matrix, and a matrix as a vector and as its transpose: memory stays as it is, indices differ.
fn views(ty: Scalar, size: i32) -> Vec<Launch> {
    let mut launches = Vec::new();
    let mut random = Random::new(ty as u64);
    for (turn, (rows, cols)) in
        [(1, 1), (2, 15), (16, 2), (17, 31), (33, 1), (56, 9), (2, 101)].into_iter().enumerate()
    {
        let length = rows * cols;
        let mut numbers = || Array::of(ty, (0..length).map(|_| sample(ty, &mut random)));
        let dynamic = (turn + size as usize / 16).is_multiple_of(2);
        let (view, vector, matrix) = match dynamic {
            true => ("0 -> %r x %c".to_owned(), "x?".to_owned(), "x?x?".to_owned()),
            false => (format!("0 -> {rows} x {cols}"), format!("x{length}"), format!("x{rows}x{cols}")),
        };
        let sizes = |sizes: &[usize]| -> Vec<Arg> {
            sizes.iter().filter(|_| dynamic).map(|&size| Arg::Index(size)).collect()
        };
        // The elements in turned order: the view must tell rows from columns.
        let expand = format!(
            "%E = expand %A[{view}] : memref<{ty}{matrix}>
             {}",
            for_each("C", 2, |at| format!("%v = load %E[{at}] : {ty}\nstore %v, %C[{at}]\n"))
        );
        let fuse = format!(
            "%F = fuse %A[0,1] : memref<{ty}{vector}>
             {}",
            for_each("F", 1, |at| format!("%v = load %F[{at}] : {ty}\nstore %v, %C[{at}]\n"))
        );
        let turned = if dynamic { "x?x?".to_owned() } else { format!("x{cols}x{rows}") };
        let strides = if dynamic { "?".to_owned() } else { rows.to_string() };
        let cast = format!(
            "%T = memref_cast.t %A : memref<{ty}{turned},strided<{strides},1>>
             {}",
            for_each("C", 2, |at| format!("%v = load %T[{at}] : {ty}\nstore %v, %C[{at}]\n"))
        );
        let (whole, ld, turned_ld) = ([length], [rows, cols, rows], [cols, rows, cols]);
        for (instruction, body, from, to) in [
            ("expand", expand, (&vector, &whole[..]), (&matrix, &ld[..])),
            ("fuse", fuse, (&matrix, &ld[..]), (&vector, &whole[..])),
            ("memref_cast", cast, (&matrix, &ld[..]), (&turned, &turned_ld[..])),
        ] {
            let parameters = [
                format!("%A: memref<{ty}{}>, %C: memref<{ty}{}>", from.0, to.0),
                "%r: index, %c: index".to_owned(),
            ];
            let mut arguments = vec![Arg::Pointer(0, 0)];
            arguments.extend(sizes(from.1));
            arguments.push(Arg::Pointer(1, 0));
            arguments.extend(sizes(to.1));
            arguments.extend([Arg::Index(rows), Arg::Index(cols)]);
            let a = numbers();
            let from_place = |place: usize| match instruction {
                "memref_cast" => place / cols + place % cols * rows,
                _ => place,
            };
            let after = (0..length).map(|place| Expected::exactly(a.get(from_place(place)))).collect();
            launches.push(Launch {
                name: format!("{instruction} of {ty} {rows}x{cols}"),
                kernel: kernel(size, &parameters, &body),
                groups: [1, 1, 1],
                arguments,
                buffers: vec![Buffer::input(a), Buffer::results(&[instruction], ty, after)],
                requires: required(&[ty], None),
            });
        }
    }
    launches
}

/// Through local memory and back in reverse order: every work-item reads what another one has written before the
/// barrier, once with explicit barriers and once with those that the compiler inserts.
fn local(ty: Scalar, size: i32) -> Vec<Launch> {
    let mut random = Random::new(ty as u64);
    let items = 2 * size as usize;
    let mut numbers =
        |length: usize| -> Vec<Number> { (0..length).map(|_| sample(ty, &mut random)).collect() };
    let reversed = |numbers: &[Number]| numbers.iter().rev().copied().map(Expected::exactly).collect();
    let mut launches = Vec::new();
    for fence in ["", ".local", ".global.local"] {
        let entries = numbers(items);
        // Without a fence only the work-items wait; what they write is visible by another barrier.
        let barrier = if fence.is_empty() { "barrier\nbarrier.local" } else { &format!("barrier{fence}") };
        let body = format!(
            "%L = alloca {{alignment=64}} : memref<{ty}x{items},local>
             %last = constant {} : i32
             parallel {{
                %subgroup = subgroup_linear_id : i32
                %width = subgroup_size : i32
                %lane = subgroup_local_id : i32
                %first = mul %subgroup, %width : i32
                %item = add %first, %lane : i32
                %at = cast %item : index
                %opposite = sub %last, %item : i32
                %there = cast %opposite : index
                %v = load %A[%at] : {ty}
                store %v, %L[%at]
                {barrier}
                %w = load %L[%there] : {ty}
                store %w, %C[%at]
             }}\n",
            items - 1
        );
        let of =
            ["alloca", "barrier", "parallel", "subgroup_linear_id", "subgroup_size", "subgroup_local_id"];
        let after = reversed(&entries);
        let memref = format!("memref<{ty}x{items}>");
        launches.push(Launch {
            name: format!("{ty}, barrier{fence}"),
            kernel: kernel(size, &[format!("%A: {memref}, %C: {memref}")], &body),
            groups: [1, 1, 1],
            arguments: vec![Arg::Pointer(0, 0), Arg::Pointer(1, 0)],
            buffers: vec![Buffer::input(Array::of(ty, entries)), Buffer::results(&of, ty, after)],
            requires: required(&[ty], None),
        });
    }
    for length in [1, 2, 15, 17, 33, 101] {
        let entries = numbers(length);
        let body = format!(
            "%L = alloca : memref<{ty}x{length},strided<2>,local>
             %n = constant {length} : index
             %last = constant {} : index
             foreach (%i)=(%zero),(%n) {{
                %v = load %A[%i] : {ty}
                store %v, %L[%i]
             }}
             foreach (%i)=(%zero),(%n) {{
                %j = sub %last, %i : index
                %v = load %L[%j] : {ty}
                store %v, %C[%i]
             }}\n",
            length - 1
        );
        let after = reversed(&entries);
        let memref = format!("memref<{ty}x{length}>");
        launches.push(Launch {
            name: format!("{ty}, {length} elements in local memory"),
            kernel: kernel(size, &[format!("%A: {memref}, %C: {memref}")], &body),
            groups: [1, 1, 1],
            arguments: vec![Arg::Pointer(0, 0), Arg::Pointer(1, 0)],
            buffers: vec![Buffer::input(Array::of(ty, entries)), Buffer::results(&["alloca"], ty, after)],
            requires: required(&[ty], None),
        });
    }
    launches
}

/// Tests of whether there is a tensor or a group, and of the number of members.
fn pointers(ty: Scalar, size: i32) -> Vec<Launch> {
    let body = "%p = associated %A : bool
         %q = associated %G : bool
         %yes = constant 1 : i64
         %no = constant 0 : i64
         %x = if %p -> (i64) { yield (%yes) } else { yield (%no) }
         %y = if %q -> (i64) { yield (%yes) } else { yield (%no) }
         %members = size %G[0] : index
         %z = cast %members : i64
         %one = constant 1 : index
         %two = constant 2 : index
         store %x, %R[%zero]
         store %y, %R[%one]
         store %z, %R[%two]\n";
    let parameters = [
        format!("%A: memref<{ty}x2>, %G: group<memref<{ty}x?>x?, offset: 3>"),
        "%R: memref<i64x3>".to_owned(),
    ];
    (0..4)
        .map(|set| {
            let a = if set & 1 != 0 { Arg::Pointer(0, 0) } else { Arg::Null };
            let g = if set & 2 != 0 { Arg::Pointers(vec![None; 5]) } else { Arg::Null };
            let numbers = [set & 1, set >> 1, 5].map(|value| Expected::exactly(Number::Int(value)));
            Launch {
                name: format!("{ty}, pointers {set:02b}"),
                kernel: kernel(size, &parameters, body),
                groups: [1, 1, 1],
                arguments: vec![a, g, Arg::Indices(vec![0; 5]), Arg::Index(5), Arg::Pointer(1, 0)],
                buffers: vec![
                    Buffer::input(Array::new(ty, 2)),
                    Buffer::results(&["associated", "size", "if"], Scalar::I64, numbers.to_vec()),
                ],
                requires: required(&[ty], None),
            }
        })
        .collect()
}
