//! Rows and columns of tiles combined, and spread over tiles again. Entries are small integers, so that every result is exact.

use crate::device::{Argument, Device, Outcome, run};
use crate::numbers::{Number, Random, expect_equal};
use crate::table::CASE_COUNTS;
use half::{bf16, f16};

/// Grids of subgroups, as attributes of a function; the compiler chooses the first one.
const GRIDS: [(&str, i32, [i32; 2]); 5] = [
    ("", 16, [16, 1]),
    ("attributes{subgroup_size=16, work_group_size=[16,1]}", 16, [16, 1]),
    ("attributes{subgroup_size=16, work_group_size=[32,2]}", 16, [32, 2]),
    ("attributes{subgroup_size=16, work_group_size=[64,1]}", 16, [64, 1]),
    ("attributes{subgroup_size=16, work_group_size=[16,4]}", 16, [16, 4]),
];

/// Reductions of tiles of several shapes, shared in several ways, as written and computed transposed.
pub fn reductions(device: &Device) -> Outcome {
    all::<f32>(device, &[[64, 8]], &GRIDS)?;
    all::<f32>(device, &[[64, 1], [1, 24], [192, 4]], &GRIDS[2..3])?;
    all::<i8>(device, &[[64, 12]], &GRIDS[..1])?;
    if f64::require(device).is_ok() {
        all::<f64>(device, &[[64, 4]], &GRIDS[2..3])?;
    }
    if f16::require(device).is_ok() {
        all::<f16>(device, &[[64, 4]], &GRIDS[2..3])?;
    }
    all::<bf16>(device, &[[64, 4]], &GRIDS[2..3])
}

fn all<T: Number>(device: &Device, shapes: &[[usize; 2]], grids: &[(&str, i32, [i32; 2])]) -> Outcome {
    for (&shape, &(attributes, subgroup, group)) in
        shapes.iter().flat_map(|it| grids.iter().map(move |grid| (it, grid)))
    {
        if device.has_geometry(subgroup, group) {
            reduced::<T>(device, ("tile_reduce_add", false), shape, false, attributes)?;
            reduced::<T>(device, ("tile_reduce_max", true), shape, true, attributes)?;
        }
    }
    Ok(())
}

fn reduced<T: Number>(
    device: &Device,
    (name, is_max): (&'static str, bool),
    [rows, cols]: [usize; 2],
    transpose: bool,
    attributes: &str,
) -> Outcome {
    let (t, shape) = if transpose { (".t", [cols, rows]) } else { ("", [rows, cols]) };
    let (ty, [first, second]) = (T::NAME, shape);
    let text = format!(
        "func @f(%X: memref<{ty}x{first}x{second}>, %R: memref<{ty}x{rows}x1>, %C: memref<{ty}x1x{cols}>,
                 %S: memref<{ty}x2x1>, %Y: memref<{ty}x{first}x{second}>) {attributes} {{
            %x = tile_load{t} %X[0,0] : {rows} x {cols}
            %r = {name}.row %x
            %c = {name}.column %x
            %s = {name}.column %r
            %u = {name}.row %c
            tile_store %r, %R[0,0]
            tile_store %c, %C[0,0]
            tile_store %s, %S[0,0]
            tile_store %u, %S[1,0]
            %y = sub %x, %r
            %z = add %c, %y
            %w = tile_apply (%i,%j,%v,%a,%b,%d)=(%z,%r,%c,%s) -> tile<{ty}x{rows}x{cols},matrix_acc> {{
                %e = add %v, %a
                %f = sub %e, %b
                %g = sub %f, %d
                yield (%g)
            }}
            tile_store{t} %w, %Y[0,0]
        }}"
    );
    let mut random = Random::new(11);
    // Sums of more would not be exact in half precision.
    let entries: Vec<f64> = (0..rows * cols)
        .map(|_| if random.below(4) == 0 { random.below(3) as f64 - 1.0 } else { 0.0 })
        .collect();
    let at = |i: usize, j: usize| entries[if transpose { j + cols * i } else { i + rows * j }];
    let combine = |of: &mut dyn Iterator<Item = f64>| {
        of.reduce(|a, b| if is_max { a.max(b) } else { a + b }).unwrap_or_default()
    };
    let r: Vec<f64> = (0..rows).map(|i| combine(&mut (0..cols).map(|j| at(i, j)))).collect();
    let c: Vec<f64> = (0..cols).map(|j| combine(&mut (0..rows).map(|i| at(i, j)))).collect();
    let s = combine(&mut r.iter().copied());
    let y: Vec<f64> = entries.iter().map(|x| x - s).collect();
    let numbers = |of: &[f64]| -> Vec<T> { of.iter().map(|&x| T::from_f64(x)).collect() };
    let x = device.memory(&numbers(&entries))?;
    let out = |count: usize| device.memory(&vec![T::from_f64(77.0); count]);
    let (row_out, col_out, sum_out, y_out) = (out(rows)?, out(cols)?, out(2)?, out(rows * cols)?);
    let arguments: [Argument<'_>; 5] =
        [(&x).into(), (&row_out).into(), (&col_out).into(), (&sum_out).into(), (&y_out).into()];
    let program = device.build(&text, 2)?;
    run(&program, "f", [1, 1, 1], &arguments)?;
    CASE_COUNTS.ran(name, 0.0);
    let what = format!("{ty} {rows}x{cols}{t} {name} {attributes}");
    expect_equal(&format!("{what}: rows"), &row_out, &numbers(&r))?;
    expect_equal(&format!("{what}: columns"), &col_out, &numbers(&c))?;
    expect_equal(&format!("{what}: all"), &sum_out, &numbers(&[s, s]))?;
    expect_equal(&format!("{what}: spread"), &y_out, &numbers(&y))
}

/// Rows and columns of a tile, and the columns that are left of them.
const PARTIAL: [([usize; 2], usize); 5] =
    [([64, 48], 16), ([64, 64], 32), ([64, 24], 8), ([64, 8], 4), ([64, 16], 1)];

/// Reductions that leave several columns, of which a subgroup may have fewer to combine.
pub fn partial(device: &Device) -> Outcome {
    for (attributes, subgroup, group) in GRIDS {
        for ([rows, cols], left) in PARTIAL {
            let is_even = cols % (group[1] as usize) == 0 && left % (group[1] as usize) == 0 || left == 1;
            if !device.has_geometry(subgroup, group) || !is_even {
                continue;
            }
            let text = format!(
                "func @f(%X: memref<i32x{rows}x{cols}>, %R: memref<i32x{rows}x{left}>) {attributes} {{
                    %x = tile_load %X[0,0] : {rows} x {cols}
                    %r = tile_reduce_add.row %x : tile<i32x{rows}x{left},matrix_acc>
                    tile_store %r, %R[0,0]
                }}"
            );
            let mut random = Random::new(23);
            let x: Vec<i32> = (0..rows * cols).map(|_| random.below(90) as i32 - 45).collect();
            let of_row = |i: usize, j: usize| (j..cols).step_by(left).map(|k| x[i + rows * k]).sum::<i32>();
            let expected: Vec<i32> = (0..rows * left).map(|at| of_row(at % rows, at / rows)).collect();
            let (memory, r) = (device.memory(&x)?, device.memory(&vec![77i32; rows * left])?);
            let program = device.build(&text, 2)?;
            run(&program, "f", [1, 1, 1], &[(&memory).into(), (&r).into()])?;
            CASE_COUNTS.ran("tile_reduce_add", 0.0);
            expect_equal(&format!("{rows}x{cols} to {left} {attributes}"), &r, &expected)?;
        }
    }
    Ok(())
}

/// Largest and smallest entries of columns in a loop, whose memory for what subgroups exchange is written in every iteration.
pub fn in_loops(device: &Device) -> Outcome {
    const COLS: usize = 45;
    for (attributes, subgroup, group) in GRIDS {
        if !device.has_geometry(subgroup, group) {
            continue;
        }
        let text = format!(
            "func @f(%X: memref<f32x64x?>, %Y: memref<f32x2x4>) {attributes} {{
                %cols = size %X[1]
                %top, %low = for %j=0,%cols,4 init(%t=-100.0, %l=100.0)
                        -> (tile<f32x1x4,matrix_acc>, tile<f32x1x4,matrix_acc>) {{
                    %x = tile_load %X[0,%j] : 64 x 4
                    %largest = tile_reduce_max.column %x
                    %rest = sub %x, %largest
                    %smallest = tile_reduce_min.column %rest
                    %t1 = max %t, %largest
                    %l1 = min %l, %smallest
                    yield (%t1, %l1)
                }}
                tile_store %top, %Y[0,0]
                tile_store %low, %Y[1,0]
            }}"
        );
        let mut random = Random::new(5);
        let x: Vec<f32> = (0..64 * COLS).map(|_| random.below(90) as f32 - 45.0).collect();
        let mut expected = [-100.0, 100.0].repeat(4);
        for j in 0..COLS.next_multiple_of(4) {
            let column: Vec<f32> = (0..64).map(|i| x.get(i + 64 * j).copied().unwrap_or_default()).collect();
            let largest = column.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let smallest = column.iter().map(|x| x - largest).fold(f32::INFINITY, f32::min);
            expected[2 * (j % 4)] = largest.max(expected[2 * (j % 4)]);
            expected[2 * (j % 4) + 1] = smallest.min(expected[2 * (j % 4) + 1]);
        }
        let (x, y) = (device.memory(&x)?, device.memory(&[f32::NAN; 8])?);
        let program = device.build(&text, 2)?;
        run(&program, "f", [1, 1, 1], &[(&x).into(), (COLS as i64).into(), (&y).into()])?;
        CASE_COUNTS.ran("tile_reduce_min", 0.0);
        expect_equal(attributes, &y, &expected)?;
    }
    Ok(())
}

/// Elementary functions, comparisons and choices of whole tiles.
pub fn entries(device: &Device) -> Outcome {
    let text = "func @f(%X: memref<f32x32x4>, %Y: memref<f32x32x4>, %B: memref<i8x32x4>) {
            %x = tile_load %X[0,0] : 32 x 4
            %least = tile_reduce_min.column %x
            %is_least = equal %x, %least
            %is_large = greater_than %x, 2.0
            %either = or %is_least, %is_large
            %root = sqrt %x
            %power = exp2 %x
            %y = select %either, %root, %power
            tile_store %y, %Y[0,0]
            tile_store %either, %B[0,0]
        }";
    let x: Vec<f32> = (0..128).map(|at| [0.0, 4.0, 9.0, 1.0, 2.0, 16.0, 1.0, 1.0][at * 5 % 8]).collect();
    let least: Vec<f32> =
        x.chunks(32).map(|column| column.iter().copied().fold(f32::MAX, f32::min)).collect();
    let either: Vec<i8> =
        x.iter().enumerate().map(|(at, &x)| i8::from(x == least[at / 32] || x > 2.0)).collect();
    let y: Vec<f32> =
        x.iter().zip(&either).map(|(&x, &either)| if either == 1 { x.sqrt() } else { x.exp2() }).collect();
    let (input, out) = (device.memory(&x)?, device.memory(&[f32::NAN; 128])?);
    let bits = device.memory(&[77i8; 128])?;
    device.run_text(text, 2, "f", [1, 1, 1], &[(&input).into(), (&out).into(), (&bits).into()])?;
    expect_equal("condition", &bits, &either)?;
    expect_equal("choice", &out, &y)
}

/// Products whose factors are the accumulators of others: (A·B)·C and C·(A·B), in registers and by way of local memory.
pub fn chained(device: &Device) -> Outcome {
    chain::<f32, f32>(device, &[GRIDS[0], GRIDS[2]])?;
    chain::<bf16, f32>(device, &[GRIDS[0], GRIDS[4]])?;
    chain::<i8, i32>(device, &[GRIDS[2]])?;
    f16::require(device).map_or(Ok(()), |()| chain::<f16, f32>(device, &[GRIDS[0]]))
}

/// Rows and columns of all matrices.
const SIDE: usize = 32;

fn chain<T: Number, S: Number>(device: &Device, grids: &[(&str, i32, [i32; 2])]) -> Outcome {
    let (ty, sum) = (T::NAME, S::NAME);
    let (zero, square) = (S::literal(0.0), format!("{SIDE} x {SIDE}"));
    for &(attributes, subgroup, group) in grids {
        if !device.has_geometry(subgroup, group) {
            continue;
        }
        for (first, second, usage) in [("%p", "%c", "a"), ("%c", "%p", "b")] {
            let memref = format!("memref<{ty}x{SIDE}x{SIDE}>");
            let acc = format!("tile<{sum}x{SIDE}x{SIDE},matrix_acc>");
            let text = format!(
                "func @f(%A: {memref}, %B: {memref}, %C: {memref}, %D: memref<{sum}x{SIDE}x{SIDE}>) {attributes} {{
                    %a = tile_load %A[0,0] : {square}
                    %b = tile_load %B[0,0] : {square}
                    %s = tile_dot %a, %b, {zero} : {acc}
                    %d = for %i=0,2,1 init(%e={zero}) -> ({acc}) {{
                        %p = cast %s : tile<{ty}x{SIDE}x{SIDE},matrix_{usage}>
                        %c = tile_load %C[0,0] : {square}
                        %f = tile_dot {first}, {second}, %e
                        yield (%f)
                    }}
                    tile_store %d, %D[0,0]
                }}"
            );
            let mut random = Random::new(3);
            // Few entries that are not 0, so that no factor is rounded.
            let mut entries = |often: usize| -> Vec<f64> {
                let entry = |_| if random.below(often) == 0 { random.below(3) as f64 - 1.0 } else { 0.0 };
                (0..SIDE * SIDE).map(entry).collect()
            };
            let (a, b, c) = (entries(4), entries(8), entries(4));
            let product = |x: &[f64], y: &[f64]| -> Vec<f64> {
                let entry = |at: usize| {
                    let (i, j) = (at % SIDE, at / SIDE);
                    (0..SIDE).map(|k| x[i + SIDE * k] * y[k + SIDE * j]).sum()
                };
                (0..SIDE * SIDE).map(entry).collect()
            };
            let inner = product(&a, &b);
            let once = if usage == "a" { product(&inner, &c) } else { product(&c, &inner) };
            let expected: Vec<S> = once.iter().map(|x| S::from_f64(2.0 * x)).collect();
            let input = |of: &[f64]| device.memory(&of.iter().map(|&x| T::from_f64(x)).collect::<Vec<T>>());
            let (a, b, c) = (input(&a)?, input(&b)?, input(&c)?);
            let d = device.memory(&[S::from_f64(77.0); SIDE * SIDE])?;
            let program = device.build(&text, 2)?;
            run(&program, "f", [1, 1, 1], &[(&a).into(), (&b).into(), (&c).into(), (&d).into()])?;
            expect_equal(&format!("{ty} matrix_{usage} {attributes}"), &d, &expected)?;
        }
    }
    Ok(())
}

/// Results computed of tiles of a single row whose columns, or whose rows in blocks, are in several matrices.
pub fn single_rows(device: &Device) -> Outcome {
    const DEPTH: usize = 24;
    for (rows, cols) in [(1, 9), (48, 1), (1, 1)] {
        let text = format!(
            "func @f(%A: memref<f32x{rows}x{DEPTH}>, %B: memref<f32x{DEPTH}x{cols}>, %C: memref<f32x{rows}x{cols}>) {{
                %a = tile_load %A[0,0] : tile<f32x{rows}x{DEPTH},matrix_a>
                %b = tile_load %B[0,0] : tile<f32x{DEPTH}x{cols},matrix_b>
                %x = neg %a
                %y = add %b, %b
                %z = tile_apply (%i,%j,%v)=(%y) -> tile<f32x{DEPTH}x{cols},matrix_b> {{
                    %w = add %v, 1.0
                    yield (%w)
                }}
                %c = tile_dot %x, %z, 0.0 : tile<f32x{rows}x{cols},matrix_acc>
                %d = max %c, -1000.0
                %e = exp2 %d
                %is_small = less_than %d, -20.0
                %f = select %is_small, %d, %e
                tile_store %f, %C[0,0]
            }}"
        );
        let a: Vec<f32> = (0..rows * DEPTH).map(|at| (at % 5) as f32).collect();
        let b: Vec<f32> = (0..DEPTH * cols).map(|at| (at % 7) as f32).collect();
        let entry = |at: usize| {
            let (i, j) = (at % rows, at / rows);
            let sum: f32 = (0..DEPTH).map(|k| -a[i + rows * k] * (2.0 * b[k + DEPTH * j] + 1.0)).sum();
            if sum < -20.0 { sum } else { sum.exp2() }
        };
        let expected: Vec<f32> = (0..rows * cols).map(entry).collect();
        let (a, b) = (device.memory(&a)?, device.memory(&b)?);
        let c = device.memory(&vec![f32::NAN; rows * cols])?;
        device.run_text(&text, 2, "f", [1, 1, 1], &[(&a).into(), (&b).into(), (&c).into()])?;
        expect_equal(&format!("{rows}x{cols}"), &c, &expected)?;
    }
    Ok(())
}
