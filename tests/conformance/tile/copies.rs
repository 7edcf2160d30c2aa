//! Copies to local memory: every boundary, number types that are widened on the way, and loops over elements that are copies.

use super::memory::COPY;
use crate::device::{Argument, Device, Kernels, Outcome, run};
use crate::numbers::{Number, Random, expect_equal};
use crate::table::CASE_COUNTS;

/// Copies to local memory with every boundary, as a matrix and in panels of 8 rows, as it lies and transposed.
pub fn boundaries(device: &Device) -> Outcome {
    let boundaries = [".zero", ".wrap", " {boundary=[\"wrap\",\"zero\"]}"];
    let shapes = [("24x5", "%L[%i,%j]"), ("8x5x3", "%L[%r,%j,%p]")];
    let all: Vec<(usize, bool, usize)> = (0..boundaries.len())
        .flat_map(|boundary| (0..shapes.len()).map(move |shape| (boundary, shape)))
        .flat_map(|(boundary, shape)| [false, true].map(|transposed| (boundary, transposed, shape)))
        .collect();
    let kernels = Kernels::new(all.iter().map(|&(boundary, transposed, shape)| {
        let (shape, element) = shapes[shape];
        let boundary = boundaries[boundary];
        let (boundary, attributes) = if boundary.starts_with('.') { (boundary, "") } else { ("", boundary) };
        let transpose = if transposed { ".t" } else { "" };
        format!(
            "(%A: memref<f32x?x?>, %x: index, %y: index, %C: memref<f32x24x5>) {{
                %L = alloca : memref<f32x{shape},local>
                tile_copy{transpose}{boundary} %A[%x,%y], %L {attributes}
                foreach (%i,%j)=(0,0),(24,5) {{
                    %r = rem %i, 8
                    %p = div %i, 8
                    %e = load {element}
                    store %e, %C[%i,%j]
                }}
            }}"
        )
    }));
    let program = device.build(&kernels.text, 2)?;
    for [rows, cols, x, y] in COPY {
        let a: Vec<f32> = (1..=rows * cols).map(|number| number as f32).collect();
        let a = device.memory(&a)?;
        for (number, &(boundary, transposed, _)) in all.iter().enumerate() {
            let c = device.memory(&[99.0f32; 120])?;
            let arguments =
                [(&a).into(), rows.into(), cols.into(), rows.into(), x.into(), y.into(), (&c).into()];
            run(&program, kernels.name(number), [1, 1, 1], &arguments)?;
            let wraps = [[false, false], [true, true], [true, false]][boundary];
            let expected: Vec<f32> = (0..120)
                .map(|at| {
                    let index = |wraps: bool, at: i64, size: i64| match wraps {
                        true => Some(at.rem_euclid(size)),
                        false => Some(at).filter(|at| (0..size).contains(at)),
                    };
                    let (i, j) = (at % 24, at / 24);
                    let (first, second) = if transposed { (j, i) } else { (i, j) };
                    let row = index(wraps[0], x + first, rows);
                    let col = index(wraps[1], y + second, cols);
                    row.zip(col).map_or(0.0, |(row, col)| a[(row + col * rows) as usize])
                })
                .collect();
            let what = format!("copy {number} of {rows}x{cols} at {x},{y}");
            expect_equal(&what, &c, &expected)?;
        }
    }
    CASE_COUNTS.ran("tile_copy", 0.0);
    Ok(())
}

/// Rows and columns of what is copied, which subgroups of 8, 16 and 32 share by columns.
const SHARED: [usize; 2] = [64, 6];

/// Rows and columns of the matrix that is copied from.
const SOURCE: [i64; 2] = [75, 70];

/// Positions there, of which only the first one leaves everything inside.
const POSITIONS: [[i64; 2]; 3] = [[7, 3], [20, 66], [74, 80]];

/// Subgroup and work-group sizes, some of which leave subgroups without a part, and some that have several.
const GEOMETRIES: [(i32, [i32; 2]); 4] = [(8, [24, 1]), (16, [16, 3]), (16, [64, 8]), (32, [32, 1])];

/// Copies that subgroups share, as an instruction and as a loop over elements, as the source lies and transposed.
pub fn shared<T: Number, U: Number>(device: &Device) -> Outcome {
    T::require(device)?;
    U::require(device)?;
    let (from, to) = (T::NAME, U::NAME);
    let [rows, cols] = SHARED;
    let [source_rows, source_cols] = SOURCE;
    let value = if from == to { "%a" } else { "%b" };
    let cast = if from == to { String::new() } else { format!("%b = cast %a : {to}") };
    let element = |row: &str, col: &str| {
        format!(
            "foreach (%i,%j)=(0,0),({rows},{cols}) {{
                %r = add %{row}, %x  %c = add %y, %{col}
                %a = load %A[%r,%c]
                {cast}
                store {value}, %L[%i,%j]
            }}"
        )
    };
    let guarded = |row: &str, col: &str| {
        let load = "%a = load %A[%r,%c]";
        let zero = T::literal(0.0);
        element(row, col).replace(
            load,
            &format!(
                "%p = less_than %r, %m : bool  %q = greater_than %n, %c : bool  %inside = and %p, %q : bool
                %a = if %inside -> ({from}) {{ {load}  yield (%a) }} else {{ yield ({zero}) }}"
            ),
        )
    };
    let forms = [
        ("tile_copy %A[%x,%y], %L".to_owned(), false, true),
        ("tile_copy.unchecked %A[%x,%y], %L".to_owned(), false, false),
        ("tile_copy.t %A[%x,%y], %L".to_owned(), true, true),
        ("tile_copy.t.unchecked %A[%x,%y], %L".to_owned(), true, false),
        (element("i", "j"), false, false),
        (element("j", "i"), true, false),
        (guarded("i", "j"), false, true),
        (guarded("j", "i"), true, true),
    ];
    let geometries: Vec<_> =
        GEOMETRIES.iter().filter(|&&(size, work_group)| device.has_geometry(size, work_group)).collect();
    let kernels = Kernels::new(geometries.iter().flat_map(|(size, [x, y])| {
        forms.iter().map(move |(form, ..)| {
            format!(
                "(%A: memref<{from}x?x?>, %x: index, %y: index, %C: memref<{to}x{rows}x{cols}>)
                    attributes{{subgroup_size={size}, work_group_size=[{x},{y}]}} {{
                    %L = alloca : memref<{to}x{rows}x{cols},local>
                    %m = size %A[0]  %n = size %A[1]
                    {form}
                    foreach (%i,%j)=(0,0),({rows},{cols}) {{
                        %e = load %L[%i,%j]
                        store %e, %C[%i,%j]
                    }}
                }}"
            )
        })
    }));
    let program = device.build(&kernels.text, 2)?;
    let a: Vec<T> = Random::new(7).numbers((source_rows * source_cols) as usize);
    let memory = device.memory(&a)?;
    for (number, (form, transposed, is_checked)) in geometries.iter().flat_map(|_| &forms).enumerate() {
        let (inside, beyond) = POSITIONS.split_at(1);
        for &[x, y] in inside.iter().chain(beyond.iter().filter(|_| *is_checked)) {
            let c = device.memory(&vec![U::from_i64(99); rows * cols])?;
            let sizes = [source_rows, source_cols, source_rows, x, y].map(Argument::from);
            let [rows_argument, cols_argument, pitch, row, col] = sizes;
            let arguments = [(&memory).into(), rows_argument, cols_argument, pitch, row, col, (&c).into()];
            run(&program, kernels.name(number), [1, 1, 1], &arguments)?;
            let expected: Vec<U> = (0..rows * cols)
                .map(|at| {
                    let (i, j) = ((at % rows) as i64, (at / rows) as i64);
                    let (row, col) = if *transposed { (x + j, y + i) } else { (x + i, y + j) };
                    let is_there = row < source_rows && col < source_cols;
                    U::from_f64(if is_there { a[(row + col * source_rows) as usize].to_f64() } else { 0.0 })
                })
                .collect();
            let what = format!("{form} of {from} to {to} at {x},{y}, kernel {number}");
            expect_equal(&what, &c, &expected)?;
        }
    }
    CASE_COUNTS.ran("tile_copy", 0.0);
    Ok(())
}
