//! Loads and stores of tiles: boundaries, masks and positions.

use super::product::loaded;
use crate::device::{Argument, Device, Kernels, Outcome, run};
use crate::numbers::expect_equal;

/// Size of the matrix that tiles of 16x16 are copied from, and the first row and column of the tile.
pub const COPY: [[i64; 4]; 5] =
    [[16, 16, 0, 0], [20, 9, 7, 3], [1, 1, 0, 0], [5, 40, -4, -9], [9, 3, 40, -50]];

/// Copies of a tile with every boundary.
pub fn plain_loads(device: &Device) -> Outcome {
    let loads = [
        ".zero",
        ".wrap",
        " other %seven",
        " {boundary=[\"wrap\",\"zero\"]}",
        " other %seven {boundary=[\"zero\",\"wrap\"]}",
    ];
    let kernels = Kernels::new(loads.iter().map(|how| {
        format!(
            "(%A: memref<f32x?x?>, %x: index, %y: index, %C: memref<f32x16x16>) {{
                %zero = constant 0 : index
                %seven = constant 7.0 : f32
                %t = tile_load{} : tile<f32x16x16,matrix_acc>
                tile_store %t, %C[%zero,%zero]
            }}",
            loaded(how, "%A", "[%x,%y]")
        )
    }));
    let program = device.build(&kernels.text, 2)?;
    for [rows, cols, x, y] in COPY {
        let a: Vec<f32> = (1..=rows * cols).map(|number| number as f32).collect();
        let a = device.memory(&a)?;
        for number in 0..loads.len() {
            let c = device.memory(&[99.0f32; 256])?;
            let arguments =
                [(&a).into(), rows.into(), cols.into(), rows.into(), x.into(), y.into(), (&c).into()];
            run(&program, kernels.name(number), [1, 1, 1], &arguments)?;
            let wraps = [[false, false], [true, true], [false, false], [true, false], [false, true]][number];
            let other = if loads[number].contains("other") { 7.0 } else { 0.0 };
            let expected: Vec<f32> = (0..256)
                .map(|at| {
                    let index = |wraps: bool, at: i64, size: i64| match wraps {
                        true => Some(at.rem_euclid(size)),
                        false => Some(at).filter(|at| (0..size).contains(at)),
                    };
                    let row = index(wraps[0], x + at % 16, rows);
                    let col = index(wraps[1], y + at / 16, cols);
                    row.zip(col).map_or(other, |(row, col)| a[(row + col * rows) as usize])
                })
                .collect();
            let what = format!("{} of {rows}x{cols} at {x},{y}", loads[number]);
            expect_equal(&what, &c, &expected)?;
        }
    }
    Ok(())
}

/// Loads and stores of which a mask leaves entries out.
pub fn masks(device: &Device) -> Outcome {
    let bounds = "{ %p = less_than %i, %m : bool
                    %q = greater_than %n, %j : bool
                    %r = and %p, %q : bool
                    yield (%r) }";
    let board = "{ %s = add %i, %j : index
                   %odd = and %s, %one : index
                   %r = equal %odd, %zero : bool
                   yield (%r) }";
    let rows = "{ %p = less_than %i, %m : bool
                  yield (%p) }";
    let forms: [(&str, &str, &str, &str); 8] = [
        ("", bounds, "", ""),
        ("", "", "", bounds),
        (" other %seven", bounds, "", board),
        ("", board, "", rows),
        (".wrap", rows, "", ""),
        (".unchecked", bounds, ".unchecked", bounds),
        (" other %seven", board, ".unchecked", rows),
        (".wrap", board, "", board),
    ];
    let masked = |mask: &str| if mask.is_empty() { String::new() } else { format!("mask (%i,%j) {mask}") };
    let kernels = Kernels::new(forms.iter().map(|(load, load_mask, store, store_mask)| {
        format!(
            "(%A: memref<f32x?x?>, %m: index, %n: index, %C: memref<f32x?x?>) {{
                %zero = constant 0 : index
                %one = constant 1 : index
                %seven = constant 7.0 : f32
                %t = tile_load{} {} : tile<f32x16x16,matrix_acc>
                tile_store{store} %t, %C[%zero,%zero] {}
            }}",
            loaded(load, "%A", "[%zero,%zero]"),
            masked(load_mask),
            masked(store_mask)
        )
    }));
    let program = device.build(&kernels.text, 2)?;
    let holds = |mask: &str, i: i64, j: i64, m: i64, n: i64| match mask {
        _ if mask == bounds => i < m && j < n,
        _ if mask == board => (i + j) % 2 == 0,
        _ if mask == rows => i < m,
        _ => true,
    };
    // In the last one the mask alone keeps unchecked accesses inside.
    for [rows, cols, m, n] in
        [[16, 16, 5, 7], [9, 20, 16, 3], [20, 16, 0, 16], [5, 6, 40, 40], [16, 16, -1, 4]]
    {
        let a: Vec<f32> = (1..=rows * cols).map(|number| number as f32).collect();
        let a = device.memory(&a)?;
        for (number, (load, load_mask, store, store_mask)) in forms.iter().enumerate() {
            let inside = |i: i64, j: i64| i < rows && j < cols;
            let leaves = (0..256).any(|at| {
                let (i, j) = (at % 16, at / 16);
                !inside(i, j)
                    && (*load == ".unchecked" && holds(load_mask, i, j, m, n)
                        || *store == ".unchecked" && holds(store_mask, i, j, m, n))
            });
            if leaves {
                continue;
            }
            let c = device.memory(&vec![99.0f32; (rows * cols) as usize])?;
            let arguments = [
                (&a).into(),
                rows.into(),
                cols.into(),
                rows.into(),
                m.into(),
                n.into(),
                (&c).into(),
                rows.into(),
                cols.into(),
                rows.into(),
            ];
            run(&program, kernels.name(number), [1, 1, 1], &arguments)?;
            let other = if load.contains("other") { 7.0 } else { 0.0 };
            let expected: Vec<f32> = (0..rows * cols)
                .map(|at| {
                    let (i, j) = (at % rows, at / rows);
                    if i >= 16 || j >= 16 || !holds(store_mask, i, j, m, n) {
                        99.0
                    } else if holds(load_mask, i, j, m, n) {
                        a[at as usize]
                    } else {
                        other
                    }
                })
                .collect();
            let what = format!("form {number} of {rows}x{cols}, {m},{n}");
            expect_equal(&what, &c, &expected)?;
        }
    }
    Ok(())
}

/// Positions in a loop that follow from its counter and from what it carries or loads.
pub fn positions(device: &Device) -> Outcome {
    let tile = "tile<i32x16x16,matrix_acc>";
    let kernels = Kernels::new(["%off", "%k", "%from"].map(|row| {
        format!(
            "(%A: memref<i32x32x?>, %I: memref<indexx4>, %C: memref<i32x16x16>) {{
                %zero = constant 0 : index
                %four = constant 4 : index
                %none = constant 0 : {tile}
                %s, %last = for %k=%zero,%four init(%d=%none, %off=%zero) -> ({tile}, index) {{
                    %from = load %I[%k] : index
                    %at = add %off, %from : index
                    %col = add %k, %at : index
                    %a = tile_load %A[{row},%col] : {tile}
                    %e = add %d, %a : {tile}
                    %three = constant 3 : index
                    %next = add %off, %three : index
                    yield (%e, %next)
                }}
                tile_store %s, %C[%zero,%zero]
            }}"
        )
    }));
    let program = device.build(&kernels.text, 2)?;
    let cols = 35;
    let a: Vec<i32> = (0..32 * cols as i32).map(|number| number * 7 % 101).collect();
    let from = [5i64, 0, 20, 2];
    let (a, i) = (device.memory(&a)?, device.memory(&from)?);
    for number in 0..3 {
        let c = device.memory(&[77i32; 256])?;
        run(
            &program,
            kernels.name(number),
            [1, 1, 1],
            &[(&a).into(), (cols as i64).into(), (&i).into(), (&c).into()],
        )?;
        let entry = |row: usize, col: usize| if row < 32 && col < cols { a[row + 32 * col] } else { 0 };
        let turn = |k: usize, at: usize| {
            let row = [3 * k, k, from[k] as usize][number];
            entry(row + at % 16, 3 * k + from[k] as usize + k + at / 16)
        };
        let expected: Vec<i32> = (0..256).map(|at| (0..4).map(|k| turn(k, at)).sum()).collect();
        expect_equal(&format!("form {number}"), &c, &expected)?;
    }
    Ok(())
}

/// Rows that wrap have an effect if another store takes them, with a mask or without.
pub fn rows_of_two_stores(device: &Device) -> Outcome {
    let mask = "mask (%i,%j) { %r = less_than_equal %i, %m : bool
                               yield (%r) }";
    let kernels = Kernels::new(["", mask].map(|mask| {
        format!(
            "(%A: memref<f32x?x?>, %B: memref<f32x16x16>, %S: memref<f32x?x?>, %C: memref<f32x16x16>) {{
                %zero = constant 0 : index
                %m = constant 16 : index
                %none = constant 0.0 : tile<f32x16x16,matrix_acc>
                %a = tile_load %A[%m,%zero] {{boundary=[\"wrap\",\"zero\"]}} : tile<f32x16x16,matrix_a>
                %b = tile_load %B[%zero,%zero] : tile<f32x16x16,matrix_b>
                %d = tile_dot %a, %b, %none : tile<f32x16x16,matrix_acc>
                tile_store %d, %S[%m,%zero]
                tile_store %d, %C[%zero,%zero] {mask}
            }}"
        )
    }));
    let program = device.build(&kernels.text, 2)?;
    let a: Vec<f32> = (0..320).map(|number| (number % 7) as f32 - 3.0).collect();
    let b: Vec<f32> = (0..256).map(|number| (number % 5) as f32 - 2.0).collect();
    let entry = |i: usize, j: usize| (0..16).map(|l| a[i % 20 + 20 * l] * b[l + 16 * j]).sum::<f32>();
    let all: Vec<f32> = (0..256).map(|at| entry(16 + at % 16, at / 16)).collect();
    let some: Vec<f32> =
        (0..320).map(|at| if at % 20 < 16 { 77.0 } else { entry(at % 20, at / 20) }).collect();
    let (a, b) = (device.memory(&a)?, device.memory(&b)?);
    let size = || [20i64, 16, 20].map(Argument::from);
    for number in 0..2 {
        let (s, c) = (device.memory(&[77.0f32; 320])?, device.memory(&[77.0f32; 256])?);
        let mut arguments = vec![Argument::from(&a)];
        arguments.extend(size());
        arguments.extend([Argument::from(&b), (&s).into()]);
        arguments.extend(size());
        arguments.push((&c).into());
        run(&program, kernels.name(number), [1, 1, 1], &arguments)?;
        expect_equal("all rows", &c, &all)?;
        expect_equal("rows that are there", &s, &some)?;
    }
    Ok(())
}

/// Columns more than 2³¹ elements apart. The memory is that of one column: the matrix begins so many columns in front of it
/// and ends with it.
pub fn huge_strides(device: &Device) -> Outcome {
    let kernels = Kernels::new(["", ".t"].map(|t| {
        format!(
            "(%A: memref<f32x?x?,strided<1,?>>, %y: index, %C: memref<f32x?x?,strided<1,?>>) {{
                %zero = constant 0 : index
                %one = constant 1 : index
                %rows = size %A[0] : index
                %back = neg %y : index
                %cols = add %y, %one : index
                %a = subview %A[%zero:%rows,%back:%cols] : memref<f32x?x?,strided<1,?>>
                %c = subview %C[%zero:%rows,%back:%cols] : memref<f32x?x?,strided<1,?>>
                %t = tile_load{t} %a[%zero,%y] : tile<f32x32x32,matrix_acc>
                %s = add %t, %t : tile<f32x32x32,matrix_acc>
                tile_store{t} %s, %c[%zero,%y]
            }}"
        )
    }));
    let program = device.build(&kernels.text, 2)?;
    for (rows, pitch, y) in [(32, (1_i64 << 31) + 64, 1), (29, (1 << 31) + 1, 3), (16, (1 << 34) + 4, 2)] {
        let a: Vec<f32> = (1..=32).map(|number| number as f32).collect();
        let a = device.memory(&a)?;
        for number in 0..2 {
            let c = device.memory(&[99.0f32; 32])?;
            let size = [rows, 1, pitch].map(Argument::from);
            let mut arguments = vec![Argument::from(&a)];
            arguments.extend([rows, 1, pitch, y].map(Argument::from));
            arguments.push((&c).into());
            arguments.extend(size);
            run(&program, kernels.name(number), [1, 1, 1], &arguments)?;
            let expected: Vec<f32> =
                (0..32).map(|row| if row < rows as usize { 2.0 * a[row] } else { 99.0 }).collect();
            expect_equal(&format!("{rows} rows, {pitch} apart, from {y}"), &c, &expected)?;
        }
    }
    Ok(())
}
