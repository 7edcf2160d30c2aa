//! Loops that end before their counter says so, and reductions to more than one column. Entries are small integers.

use crate::device::{Device, Outcome, run};
use crate::numbers::{Random, expect_equal};
use crate::table::CASE_COUNTS;

/// Grids of subgroups, as attributes of a function; the compiler chooses the first one.
const GRIDS: [(&str, i32, [i32; 2]); 3] = [
    ("", 16, [16, 1]),
    ("attributes{subgroup_size=16, work_group_size=[16,1]}", 16, [16, 1]),
    ("attributes{subgroup_size=16, work_group_size=[32,2]}", 16, [32, 2]),
];

/// Rows and columns of a block, and number of blocks.
const BLOCK: [usize; 3] = [64, 16, 10];
/// Columns of all blocks, of which the last one is not whole: it must not be added either if the loop has ended before.
const COLUMNS: usize = 155;

/// Blocks are added up to the first one with a large entry, which is not; then four columns are made of sixteen, and half of the rows.
pub fn ends(device: &Device) -> Outcome {
    let [rows, cols, blocks] = BLOCK;
    for (attributes, subgroup, group) in GRIDS {
        if !device.has_geometry(subgroup, group) {
            continue;
        }
        let text = format!(
            "$block = tile<f32x{rows}x{cols},matrix_acc>
            func @f(%X: memref<f32x{rows}x?>, %Y: memref<f32x{rows}x{cols}>, %C: memref<f32x{rows}x4>,
                    %R: memref<f32x32x{cols}>, %N: memref<index>) {attributes} {{
                %columns = size %X[1]
                %sum, %at = for %j=0,%columns,{cols} init(%s=0.0, %before=0) -> ($block, index) {{
                    %x = tile_load %X[0,%j] : {rows} x {cols}
                    %is_large = greater_than %x, 5.0
                    %any = tile_any %is_large
                    break_if %any
                    %next = add %s, %x
                    %after = add %j, {cols}
                    yield (%next, %after)
                }}
                tile_store %sum, %Y[0,0]
                %four = tile_reduce_add.row %sum : tile<f32x{rows}x4,matrix_acc>
                tile_store %four, %C[0,0]
                %half = tile_reduce_max.column %sum : tile<f32x32x{cols},matrix_acc>
                tile_store %half, %R[0,0]
                parallel {{ store %at, %N[] }}
            }}"
        );
        let program = device.build(&text, 2)?;
        for large in [None, Some(0), Some(3), Some(blocks - 1)] {
            let mut random = Random::new(3);
            let mut x: Vec<f32> = (0..rows * COLUMNS).map(|_| random.below(9) as f32 - 4.0).collect();
            if let Some(block) = large {
                x[block * rows * cols + 17 + 5 * rows] = 6.0;
            }
            let taken = large.unwrap_or(blocks);
            let mut y = vec![0.0; rows * cols];
            for block in x.chunks(rows * cols).take(taken) {
                y.iter_mut().zip(block).for_each(|(y, x)| *y += x);
            }
            let four: Vec<f32> =
                (0..rows * 4).map(|at| (0..cols / 4).map(|part| y[at + part * rows * 4]).sum()).collect();
            let half: Vec<f32> = (0..cols)
                .flat_map(|j| (0..32).map(move |i| i + j * rows))
                .map(|at| y[at].max(y[at + 32]))
                .collect();
            let (input, sum) = (device.memory(&x)?, device.memory(&vec![f32::NAN; y.len()])?);
            let (columns, halves) =
                (device.memory(&vec![f32::NAN; four.len()])?, device.memory(&vec![f32::NAN; half.len()])?);
            let number = device.memory(&[-1i64])?;
            let arguments = [
                (&input).into(),
                (COLUMNS as i64).into(),
                (&sum).into(),
                (&columns).into(),
                (&halves).into(),
                (&number).into(),
            ];
            run(&program, "f", [1, 1, 1], &arguments)?;
            for name in ["break_if", "tile_any", "tile_reduce_add", "tile_reduce_max"] {
                CASE_COUNTS.ran(name, 0.0);
            }
            let what = format!("{attributes} {large:?}");
            expect_equal(&what, &number, &[(taken * cols) as i64])?;
            expect_equal(&what, &sum, &y)?;
            expect_equal(&what, &columns, &four)?;
            expect_equal(&what, &halves, &half)?;
        }
    }
    Ok(())
}

/// A product whose last step is not whole, and which ends before it, at once or not at all.
pub fn products(device: &Device) -> Outcome {
    const DEPTH: usize = 40;
    for (attributes, subgroup, group) in GRIDS {
        if !device.has_geometry(subgroup, group) {
            continue;
        }
        let text = format!(
            "func @f(%A: memref<f32x64x?>, %B: memref<f32x?x16>, %C: memref<f32x64x16>, %end: index) {attributes} {{
                %depth = size %A[1]
                %sums = for %k=0,%depth,16 init(%s=0.0) -> (tile<f32x64x16,matrix_acc>) {{
                    %is_enough = equal %k, %end
                    break_if %is_enough
                    %a = tile_load %A[0,%k] : 64 x 16
                    %b = tile_load %B[%k,0] : 16 x 16
                    %next = tile_dot %a, %b, %s
                    yield (%next)
                }}
                tile_store %sums, %C[0,0]
            }}"
        );
        let program = device.build(&text, 2)?;
        let mut random = Random::new(9);
        let mut numbers =
            |count: usize| (0..count).map(|_| random.below(7) as f32 - 3.0).collect::<Vec<f32>>();
        let (a, b) = (numbers(64 * DEPTH), numbers(DEPTH * 16));
        let (a_memory, b_memory) = (device.memory(&a)?, device.memory(&b)?);
        for (end, depth) in [(0i64, 0), (16, 16), (32, 32), (5, DEPTH)] {
            let product =
                |at: usize| (0..depth).map(|k| a[at % 64 + 64 * k] * b[k + DEPTH * (at / 64)]).sum();
            let expected: Vec<f32> = (0..64 * 16).map(product).collect();
            let c = device.memory(&vec![f32::NAN; 64 * 16])?;
            let depth = DEPTH as i64;
            let arguments = [
                (&a_memory).into(),
                depth.into(),
                (&b_memory).into(),
                depth.into(),
                depth.into(),
                (&c).into(),
                end.into(),
            ];
            run(&program, "f", [1, 1, 1], &arguments)?;
            expect_equal(&format!("{attributes} {end}"), &c, &expected)?;
        }
    }
    Ok(())
}

/// Tiles that are turned, as they are and with another one of their shape.
pub fn transposed(device: &Device) -> Outcome {
    for (attributes, subgroup, group) in GRIDS {
        if !device.has_geometry(subgroup, group) {
            continue;
        }
        let text = format!(
            "func @f(%X: memref<i32x32x64>, %Y: memref<i32x64x32>, %Z: memref<i32x32x64>) {attributes} {{
                %x = tile_load %X[0,0] : 32 x 64
                %t = tile_transpose %x
                %y = tile_load %Y[0,0] : 64 x 32
                %s = sub %t, %y
                tile_store %s, %Y[0,0]
                %u = tile_transpose %s
                tile_store %u, %Z[0,0]
            }}"
        );
        let mut random = Random::new(7);
        let x: Vec<i32> = (0..2048).map(|_| random.below(99) as i32).collect();
        let y: Vec<i32> = (0..2048).map(|at| x[at / 64 + 32 * (at % 64)] - at as i32).collect();
        let z: Vec<i32> = (0..2048).map(|at| y[at / 32 + 64 * (at % 32)]).collect();
        let (input, turned) = (device.memory(&x)?, device.memory(&(0..2048).collect::<Vec<i32>>())?);
        let back = device.memory(&[-1i32; 2048])?;
        let arguments = [(&input).into(), (&turned).into(), (&back).into()];
        device.run_text(&text, 2, "f", [1, 1, 1], &arguments)?;
        CASE_COUNTS.ran("tile_transpose", 0.0);
        expect_equal(attributes, &turned, &y)?;
        expect_equal(attributes, &back, &z)?;
    }
    Ok(())
}

/// Scalar loops, one in another: the inner one is left, and the outer one goes on. The counter of one of them reaches the largest
/// number of its type; each work-item leaves the last one for itself.
pub fn scalars(device: &Device) -> Outcome {
    let text = "func @f(%limit: i32, %to: i8, %step: i8, %Y: memref<i32x3>, %L: memref<i32x16>)
            attributes{subgroup_size=16, work_group_size=[16,1]} {
        %all = for %i=0,5 init(%a=0) -> (i32) {
            %inner, %n = for %j=0,100 init(%b=%a, %m=0) -> (i32, i32) {
                %is_over = greater_than_equal %m, %limit
                break_if %is_over
                %b1 = add %b, 3
                %m1 = add %m, 1
                yield (%b1, %m1)
            }
            %is_far = greater_than %inner, 40
            break_if %is_far
            %next = add %inner, 1
            yield (%next)
        }
        %counted, %last = for %k=100,%to,%step init(%c=0, %l=-1) -> (i32, i8) {
            %is_end = equal %k, 120
            break_if %is_end
            %c1 = add %c, 1
            yield (%c1, %k)
        }
        %wide = cast %last : i32
        parallel {
            store %all, %Y[0]
            store %counted, %Y[1]
            store %wide, %Y[2]
            %lane = subgroup_local_id
            %mine = for %t=0,20 init(%d=0) -> (i32) {
                %is_mine = greater_than %d, %lane
                break_if %is_mine
                %d1 = add %d, 2
                yield (%d1)
            }
            %at = cast %lane : index
            store %mine, %L[%at]
        }
    }";
    if !device.has_geometry(16, [16, 1]) {
        return Ok(());
    }
    for level in [0, 2] {
        let program = device.build(text, level)?;
        for (limit, to, step) in [(7, 127i8, 10i8), (7, 127, 9), (0, 127, 27), (200, 90, 1), (4, 101, 127)] {
            let mut all = 0;
            for _ in 0..5 {
                let inner = all + 3 * limit.min(100);
                if inner > 40 {
                    break;
                }
                all = inner + 1;
            }
            let (mut counted, mut last, mut counter) = (0, -1, 100);
            while counter < i32::from(to) && counter != 120 {
                (counted, last) = (counted + 1, counter);
                counter += i32::from(step);
            }
            let (y, lanes) = (device.memory(&[0i32; 3])?, device.memory(&[-1i32; 16])?);
            let arguments = [limit.into(), to.into(), step.into(), (&y).into(), (&lanes).into()];
            run(&program, "f", [1, 1, 1], &arguments)?;
            expect_equal(&format!("{limit} {to} {step}"), &y, &[all, counted, last])?;
            let expected: Vec<i32> = (0..16).map(|lane| 2 * (lane / 2 + 1)).collect();
            expect_equal("lanes", &lanes, &expected)?;
        }
    }
    Ok(())
}
