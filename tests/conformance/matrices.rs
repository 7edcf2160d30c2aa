//! Cooperative matrices beyond loads, stores and products: components, arithmetic, reductions, atomics, casts.
//! The numbers have few bits, so that every result is exact.

use half::f16;
use tiletc::runtime::opencl::Argument;

use crate::Case;
use crate::device::{Device, Kernels, Outcome, run};
use crate::entries::Entry;
use crate::numbers::{Number, Random, expect_equal};

/// Rows and columns: as many rows as work-items or more, and fewer, with and without padding.
const SHAPES: [(usize, usize); 4] = [(32, 5), (64, 3), (8, 3), (2, 9)];
const SUBGROUP_SIZES: [usize; 2] = [16, 32];
/// Matrices that a kernel writes.
const RESULTS: usize = 15;

pub fn cases() -> Vec<Case> {
    vec![
        Case::new("matrices::f32", check::<f32>),
        Case::new("matrices::i32", check::<i32>),
        Case::new("matrices::casts::i8", casts::<i8>),
        Case::new("matrices::casts::f16", casts::<f16>),
    ]
}

/// Components of a work-item's share.
fn components(rows: usize, cols: usize, width: usize) -> usize {
    let height = rows.min(width);
    let side_by_side = width / height;
    cols.div_ceil(side_by_side) * (rows / height)
}

/// The work-item that holds an entry and the number of the component there (`spec/language.md` 3.4).
fn owner(rows: usize, cols: usize, width: usize, i: usize, j: usize) -> (usize, usize) {
    let height = rows.min(width);
    let side_by_side = width / height;
    let per_block = components(rows, cols, width) * height / rows;
    (i % height + height * (j % side_by_side), j / side_by_side + i / height * per_block)
}

fn kernel<T: Entry>(rows: usize, cols: usize, width: usize) -> String {
    let ty = T::NAME;
    let matrix = format!("coopmatrix<{ty}x{rows}x{cols},matrix_acc>");
    let tensor = format!("memref<{ty}x{rows}x{cols}>");
    let mut views = String::new();
    for n in 0..RESULTS {
        views += &format!("%t{n} = subview %R[0:{rows},0:{cols},{n}] : {tensor}\n");
    }
    let mut body = String::new();
    for (n, op) in ["add", "sub", "mul", "max", "min"].into_iter().enumerate() {
        body += &format!("%r{n} = {op} %a, %b : {matrix}\n");
    }
    body += &format!(
        "%r5 = neg %a : {matrix}
         %r6 = cooperative_matrix_construct %s : {matrix}
         %r7 = cooperative_matrix_apply (%i,%j,%v)=%a -> {matrix} {{
             %ten = constant 10 : i32
             %column = mul %j, %ten : i32
             %sum = add %i, %column : i32
             %place = cast %sum : {ty}
             %entry = add %v, %place : {ty}
             yield (%entry)
         }}
         %one = constant {one} : {ty}
         %hundred = constant {hundred} : {ty}
         %lane = subgroup_local_id : i32
         %id0 = cast %lane : {ty}
         %more0 = cast %a : {matrix}
         %ids0 = cast %a : {matrix}\n",
        one = T::literal([1.0, 0.0]),
        hundred = T::literal([100.0, 0.0]),
    );
    let count = components(rows, cols, width);
    for l in 0..count {
        let next = l + 1;
        body += &format!(
            "%x{l} = cooperative_matrix_extract %a[{l}] : {ty}
             %y{l} = add %x{l}, %one : {ty}
             %more{next} = cooperative_matrix_insert %y{l}, %more{l}[{l}] : {matrix}
             %ids{next} = cooperative_matrix_insert %id{l}, %ids{l}[{l}] : {matrix}
             %id{next} = add %id{l}, %hundred : {ty}\n"
        );
    }
    body += &format!(
        "%r8 = cast %more{count} : {matrix}
         %r9 = cast %ids{count} : {matrix}
         %r10 = cooperative_matrix_atomic_load %A[%zero,%zero] : {matrix}
         cooperative_matrix_prefetch 0, %A[%zero,%zero], {rows}, {cols}
         cooperative_matrix_atomic_store %a, %t11[%zero,%zero]
         %r13 = cooperative_matrix_atomic_add %a, %t12[%zero,%zero] : {matrix}
         %r14 = cooperative_matrix_scale %s, %a : {matrix}\n"
    );
    for n in (0..=10).chain([13, 14]) {
        body += &format!("cooperative_matrix_store %r{n}, %t{n}[%zero,%zero]\n");
    }
    if rows.is_multiple_of(width) {
        for (n, op) in ["add", "max", "min"].into_iter().enumerate() {
            body += &format!(
                "%row{n} = cooperative_matrix_reduce_{op}.row %a : coopmatrix<{ty}x{rows}x1,matrix_acc>
                 %column{n} = cooperative_matrix_reduce_{op}.column %a : coopmatrix<{ty}x1x{cols},matrix_acc>
                 %n{n} = constant {n} : index
                 cooperative_matrix_store %row{n}, %Rows[%zero,%n{n}]
                 cooperative_matrix_store %column{n}, %Columns[%n{n},%zero]\n"
            );
        }
    }
    format!(
        "(%s: {ty}, %A: {tensor}, %B: {tensor}, %R: memref<{ty}x{rows}x{cols}x{RESULTS}>,
                %Rows: memref<{ty}x{rows}x3>, %Columns: memref<{ty}x3x{cols}>)
                attributes{{subgroup_size={width}, work_group_size=[{width},1]}} {{
            %zero = constant 0 : index
            {views}
            parallel {{
                %a = cooperative_matrix_load %A[%zero,%zero] : {matrix}
                %b = cooperative_matrix_load %B[%zero,%zero] : {matrix}
                {body}
            }}
        }}"
    )
}

fn check<T: Entry>(device: &Device) -> Outcome {
    let sizes = SUBGROUP_SIZES.into_iter().filter(|&size| device.has_geometry(size as i32, [size as i32, 1]));
    let problems: Vec<(usize, usize, usize)> =
        sizes.flat_map(|width| SHAPES.map(|(rows, cols)| (rows, cols, width))).collect();
    let kernels = Kernels::new(problems.iter().map(|&(rows, cols, width)| kernel::<T>(rows, cols, width)));
    let program = device.build(&kernels.text, 2)?;
    let mut random = Random::new(9);
    let number = |value: f64| T::from_parts([value, 0.0]);
    for (n, &(rows, cols, width)) in problems.iter().enumerate() {
        let length = rows * cols;
        let mut numbers =
            |length: usize| -> Vec<T> { (0..length).map(|_| T::few_bits(&mut random)).collect() };
        let [a, b] = [device.memory(&numbers(length))?, device.memory(&numbers(length))?];
        let old = numbers(length * RESULTS);
        let results = device.memory(&old)?;
        let row_results = device.memory(&vec![number(0.0); rows * 3])?;
        let column_results = device.memory(&vec![number(0.0); cols * 3])?;
        run(
            &program,
            kernels.name(n),
            [1, 1, 1],
            &[
                number(3.0).into(),
                Argument::from(&a),
                (&b).into(),
                (&results).into(),
                (&row_results).into(),
                (&column_results).into(),
            ],
        )?;
        let real = |value: T| value.parts()[0];
        let expected: Vec<T> = (0..RESULTS)
            .flat_map(|result| (0..length).map(move |at| (result, at)))
            .map(|(result, at)| {
                let (x, y, i, j) = (real(a[at]), real(b[at]), at % rows, at / rows);
                let before = real(old[12 * length + at]);
                let (lane, component) = owner(rows, cols, width, i, j);
                number(match result {
                    0 => x + y,
                    1 => x - y,
                    2 => x * y,
                    3 => x.max(y),
                    4 => x.min(y),
                    5 => -x,
                    6 => 3.0,
                    7 => x + (i + 10 * j) as f64,
                    8 => x + 1.0,
                    9 => (lane + 100 * component) as f64,
                    10 | 11 => x,
                    12 => before + x,
                    13 => before,
                    _ => 3.0 * x,
                })
            })
            .collect();
        let what = format!("{}x{rows}x{cols} on {width}", T::NAME);
        expect_equal(&what, &results, &expected)?;
        if !rows.is_multiple_of(width) {
            continue;
        }
        type Fold = fn(f64, f64) -> f64;
        let folds: [Fold; 3] = [|x, y| x + y, f64::max, f64::min];
        let entry = |i: usize, j: usize| real(a[i + j * rows]);
        for (n, fold) in folds.into_iter().enumerate() {
            let along_row = |i: usize| (1..cols).map(|j| entry(i, j)).fold(entry(i, 0), fold);
            let along_column = |j: usize| (1..rows).map(|i| entry(i, j)).fold(entry(0, j), fold);
            let expected: Vec<T> = (0..rows).map(|i| number(along_row(i))).collect();
            expect_equal(&format!("{what}, rows"), &row_results[n * rows..(n + 1) * rows], &expected)?;
            let expected: Vec<T> = (0..cols).map(|j| number(along_column(j))).collect();
            let got: Vec<T> = (0..cols).map(|j| column_results[n + 3 * j]).collect();
            expect_equal(&format!("{what}, columns"), &got, &expected)?;
        }
    }
    Ok(())
}

/// From an accumulator to each use: narrow entries of many rows lie in another order there.
fn casts<T: Number>(device: &Device) -> Outcome {
    T::require(device)?;
    let mut problems = Vec::new();
    for width in [8, 16].into_iter().filter(|&size| device.has_geometry(size, [size, 1])) {
        for (rows, cols) in [(64, 5), (32, 16), (16, 3), (4, 9)] {
            for usage in ["matrix_a", "matrix_b", "matrix_acc"] {
                problems.push((rows, cols, width, usage));
            }
        }
    }
    let ty = T::NAME;
    let kernels = Kernels::new(problems.iter().map(|&(rows, cols, width, usage)| {
        format!(
            "(%A: memref<{ty}x{rows}x{cols}>, %B: memref<{ty}x{rows}x{cols}>)
                    attributes{{subgroup_size={width}, work_group_size=[{width},1]}} {{
                %zero = constant 0 : index
                parallel {{
                    %a = cooperative_matrix_load %A[%zero,%zero] : coopmatrix<{ty}x{rows}x{cols},matrix_acc>
                    %b = cast %a : coopmatrix<{ty}x{rows}x{cols},{usage}>
                    cooperative_matrix_store %b, %B[%zero,%zero]
                }}
            }}"
        )
    }));
    let program = device.build(&kernels.text, 2)?;
    let mut random = Random::new(10);
    for (n, &(rows, cols, width, usage)) in problems.iter().enumerate() {
        let a = device.memory(&random.numbers::<T>(rows * cols))?;
        let b = device.memory(&vec![T::from_f64(0.0); rows * cols])?;
        run(&program, kernels.name(n), [1, 1, 1], &[(&a).into(), (&b).into()])?;
        expect_equal(&format!("{ty}x{rows}x{cols} on {width} as {usage}"), &b, &a)?;
    }
    Ok(())
}
