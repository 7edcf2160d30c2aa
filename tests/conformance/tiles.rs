//! Tiles of ranges, views of tensors, null pointers, and the order of dependent collective instructions.

use crate::Case;
use crate::device::{Argument, Device, Kernels, Outcome, Stop, run};
use crate::numbers::expect_equal;
use tiletc::device::SpirvFeature;

pub fn cases() -> Vec<Case> {
    vec![
        Case::new("tiles::foreach_tile", foreach_tile),
        Case::new("tiles::views", views),
        Case::new("tiles::associated", associated),
        Case::new("tiles::order", order),
        Case::new("tiles::half_precision", half_precision),
    ]
}

/// Drivers build products in half precision in a few seconds, wherever entries are checked or masked.
fn half_precision(device: &Device) -> Outcome {
    device.require(SpirvFeature::Float16)?;
    if !device.has_geometry(32, [32, 1]) {
        return Err(Stop::Skip("no subgroups of 32".to_owned()));
    }
    for load in ["tile_load", "tile_load.t", "tile_load.wrap", "tile_load.t.wrap"] {
        for mask in ["", "mask (%i,%j) { %p = less_than_equal %i, %j : bool yield (%p) }"] {
            let text = format!(
                "func @product(%A: memref<f16x?x?>, %B: memref<f16x?x?>, %C: memref<f16x?x?>)
                         attributes{{subgroup_size=32, work_group_size=[32,1]}} {{
                     %o = constant 0 : index
                     %a = {load} %A[%o,%o] {mask} : tile<f16x96x7,matrix_a>
                     %b = tile_load %B[%o,%o] : tile<f16x7x5,matrix_b>
                     %c = tile_load.t %C[%o,%o] : tile<f16x96x5,matrix_acc>
                     %d = tile_dot %a, %b, %c : tile<f16x96x5,matrix_acc>
                     tile_store.t %d, %C[%o,%o]
                 }}"
            );
            device.build(&text, 2)?;
        }
    }
    Ok(())
}

/// Subgroup size of the kernels with tiles.
const WIDTH: usize = 16;

/// Each tile is met once, by all work-items of one subgroup, with its size.
fn foreach_tile(device: &Device) -> Outcome {
    if !device.has_geometry(WIDTH as i32, [32, 2]) {
        return Err(Stop::Skip(format!("no subgroups of {WIDTH}")));
    }
    /// Extent that every range lies in.
    const EXTENT: [usize; 3] = [100, 13, 7];
    let tiles: [&[usize]; 5] = [&[16], &[32], &[16, 5], &[32, 1], &[16, 3, 2]];
    let kernels = Kernels::new(tiles.iter().map(|tile| {
        let names = |prefix: &str| -> String {
            let names: Vec<String> = (0..tile.len()).map(|mode| format!("%{prefix}{mode}")).collect();
            names.join(",")
        };
        let parameters: String =
            (0..tile.len()).map(|mode| format!("%from{mode}: index, %to{mode}: index, ")).collect();
        let shape: String = EXTENT[..tile.len()].iter().map(|extent| format!("x{extent}")).collect();
        let sizes: Vec<String> = tile.iter().map(usize::to_string).collect();
        let mut volume = "%one = constant 1 : index\n".to_owned();
        let mut last = "%one".to_owned();
        for mode in 0..tile.len() {
            volume += &format!("%v{mode} = mul {last}, %t{mode} : index\n");
            last = format!("%v{mode}");
        }
        format!(
            "({parameters}%Met: memref<i32{shape}>, %Size: memref<i64{shape}>)
                    attributes{{subgroup_size={WIDTH}, work_group_size=[32,2]}} {{
                foreach_tile ({l})=({from}),({to}) as ({t})<=({sizes}) {{
                    %single = constant 1 : i32
                    %before = atomic_add %single, %Met[{l}] : i32
                    {volume}
                    %size = cast {last} : i64
                    store %size, %Size[{l}]
                }}
            }}",
            l = names("l"),
            t = names("t"),
            from = names("from"),
            to = names("to"),
            sizes = sizes.join(","),
        )
    }));
    let program = device.build(&kernels.text, 2)?;
    let ranges: [[(usize, usize); 3]; 4] = [
        [(0, 100), (0, 13), (0, 7)],
        [(3, 36), (2, 12), (1, 4)],
        [(0, 1), (12, 13), (6, 7)],
        [(5, 5), (3, 9), (0, 7)],
    ];
    for (n, tile) in tiles.into_iter().enumerate() {
        let extent = &EXTENT[..tile.len()];
        let length: usize = extent.iter().product();
        for range in &ranges {
            let met = device.memory(&vec![0i32; length])?;
            let sizes = device.memory(&vec![0i64; length])?;
            let bounds = range[..tile.len()].iter().flat_map(|&(from, to)| [from as i64, to as i64]);
            let mut arguments: Vec<Argument<'_>> = bounds.map(Argument::from).collect();
            arguments.extend([Argument::from(&met), Argument::from(&sizes)]);
            run(&program, kernels.name(n), [1, 1, 1], &arguments)?;
            let (mut expected_met, mut expected_sizes) = (vec![0; length], vec![0; length]);
            for at in 0..length {
                let (mut rest, mut size) = (at, 1);
                for ((extent, tile), &(from, to)) in extent.iter().zip(tile).zip(range) {
                    let index = rest % extent;
                    rest /= extent;
                    let is_start = (from..to).contains(&index) && (index - from) % tile == 0;
                    size *= if is_start { *tile.min(&(to - index)) } else { 0 };
                }
                if size > 0 {
                    expected_met[at] = WIDTH as i32;
                    expected_sizes[at] = size as i64;
                }
            }
            let what = format!("tiles {tile:?} of {range:?}");
            expect_equal(&format!("{what}: work-items"), &met, &expected_met)?;
            expect_equal(&format!("{what}: sizes"), &sizes, &expected_sizes)?;
        }
    }
    Ok(())
}

/// The same numbers through different views, in global and in local memory.
fn views(device: &Device) -> Outcome {
    // A is 24x5; its elements are their places.
    let (rows, cols) = (24, 5);
    let copy = |name: &str, view: &str, ty: &str, sizes: [&str; 3]| {
        let [a, b, c] = sizes;
        format!(
            "func @{name}(%A: memref<f32x24x5>, %D: memref<f32x?x?>, %n: index, %R: memref<f32x{a}x{b}x{c}>) {{
                %zero = constant 0 : index
                %a = constant {a} : index
                %b = constant {b} : index
                %c = constant {c} : index
                {view}
                foreach (%i,%j,%k)=(%zero,%zero,%zero),(%a,%b,%c) {{
                    %x = load %V[{ty}] : f32
                    store %x, %R[%i,%j,%k]
                }}
            }}\n"
        )
    };
    let local = "%one = constant 1.0 : f32
        %none = constant 0.0 : f32
        %L = alloca : memref<f32x24x5,local>
        axpby %one, %A, %none, %L\n";
    let cases: [(&str, String, &str, [usize; 3]); 8] = [
        ("expand_static", "%V = expand %A[0 -> 4 x 6] : memref<f32x4x6x5>".to_owned(), "%i,%j,%k", [4, 6, 5]),
        (
            "expand_dynamic",
            "%V = expand %A[0 -> %n x 6] : memref<f32x?x6x5,strided<1,?,24>>".to_owned(),
            "%i,%j,%k",
            [4, 6, 5],
        ),
        (
            "expand_dynamic_tensor",
            "%V = expand %D[0 -> 4 x %n] : memref<f32x4x?x?,strided<1,4,?>>".to_owned(),
            "%i,%j,%k",
            [4, 4, 5],
        ),
        (
            "expand_local",
            format!("{local}%V = expand %L[0 -> 4 x 6] : memref<f32x4x6x5,local>"),
            "%i,%j,%k",
            [4, 6, 5],
        ),
        ("fuse", "%V = fuse %A[0,1] : memref<f32x120>".to_owned(), "%i", [120, 1, 1]),
        ("fuse_dynamic", "%V = fuse %D[0,1] : memref<f32x?>".to_owned(), "%i", [120, 1, 1]),
        (
            "fuse_of_expand",
            "%E = expand %A[0 -> 2 x 3 x 4] : memref<f32x2x3x4x5>
             %V = fuse %E[1,3] : memref<f32x2x60,strided<1,2>>"
                .to_owned(),
            "%i,%j",
            [2, 60, 1],
        ),
        (
            "expand_of_part",
            "%S = subview %A[4:12,%n] : memref<f32x12>
             %V = expand %S[0 -> 3 x 4] : memref<f32x3x4>"
                .to_owned(),
            "%i,%j",
            [3, 4, 1],
        ),
    ];
    let text: String = cases
        .iter()
        .map(|(name, view, indices, sizes)| {
            copy(name, view, indices, sizes.map(|size| size.to_string()).each_ref().map(String::as_str))
        })
        .collect();
    let program = device.build(&text, 2)?;
    let places: Vec<f32> = (0..rows * cols).map(|place| place as f32).collect();
    let a = device.memory(&places)?;
    for (name, _, _, sizes) in cases {
        let length: usize = sizes.iter().product();
        let result = device.memory(&vec![-1.0f32; length])?;
        // One view splits the mode into 4 x 4, hence the tensor has 16 rows there.
        let d_rows = if name == "expand_dynamic_tensor" { 16 } else { rows };
        let size = |size: usize| Argument::from(size as i64);
        let arguments =
            [(&a).into(), (&a).into(), size(d_rows), size(cols), size(d_rows), size(4), (&result).into()];
        run(&program, name, [1, 1, 1], &arguments)?;
        // Views are packed as what they show; the part begins at row 4 of column 4.
        let start = if name == "expand_of_part" { 4 + 4 * rows } else { 0 };
        expect_equal(name, &result, &places[start..start + length])?;
    }
    Ok(())
}

fn associated(device: &Device) -> Outcome {
    let text = "func @f(%A: memref<f32x4>, %G: group<memref<f32x4>x?>, %R: memref<i32x2>) {
        %a = associated %A : bool
        %b = associated %G : bool
        %yes = constant 1 : i32
        %no = constant 0 : i32
        %zero = constant 0 : index
        %one = constant 1 : index
        %x = if %a -> (i32) { yield (%yes) } else { yield (%no) }
        %y = if %b -> (i32) { yield (%yes) } else { yield (%no) }
        foreach (%i)=(%zero),(%one) {
            store %x, %R[%zero]
            store %y, %R[%one]
        }
    }";
    let program = device.build(text, 2)?;
    let memory = device.memory(&[0i64; 4])?;
    for set in 0..4 {
        let pointer = |bit: i32| if set & bit != 0 { Argument::from(&memory) } else { Argument::null() };
        let result = device.memory(&[-1i32; 2])?;
        run(&program, "f", [1, 1, 1], &[pointer(1), pointer(2), 4i64.into(), (&result).into()])?;
        expect_equal(&format!("pointers {set:02b}"), &result, &[set & 1, set >> 1])?;
    }
    Ok(())
}

/// Each work-item reads what another one has written, or writes what another one has read, just before:
/// without barriers in between these kernels give other numbers.
fn order(device: &Device) -> Outcome {
    const N: usize = 48;
    if !device.has_geometry(16, [64, 2]) {
        return Err(Stop::Skip("no subgroups of 16".to_owned()));
    }
    let kernel = |name: &str, body: &str| {
        format!(
            "func @{name}(%A: memref<i32x{N}x{N}>, %B: memref<i32x{N}x{N}>, %C: memref<i32x{N}x{N}>)
                    attributes{{subgroup_size=16, work_group_size=[64,2]}} {{
                %zero = constant 0 : index
                %last = constant {} : index
                %n = constant {N} : index
                %none = constant 0 : i32
                %one = constant 1 : i32
                {body}
            }}\n",
            N - 1
        )
    };
    let each = |body: &str| format!("foreach (%i,%j)=(%zero,%zero),(%n,%n) {{\n{body}\n}}\n");
    // Writes to `to` what is at the opposite place of `from`, plus 1.
    let turn = |from: &str, to: &str| {
        each(&format!(
            "%r = sub %last, %i : index
             %s = sub %last, %j : index
             %x = load {from}[%r,%s] : i32
             %y = add %x, %one : i32
             store %y, {to}[%i,%j]"
        ))
    };
    let local = |name: &str| format!("{name} = alloca : memref<i32x{N}x{N},local>\n");
    let text = [
        kernel("foreach_local", &(local("%L") + &turn("%A", "%L") + &turn("%L", "%C"))),
        kernel("foreach_global", &(turn("%A", "%B") + &turn("%B", "%C"))),
        kernel("gemm_local", &(local("%L") + "gemm %one, %A, %B, %none, %L\n" + &turn("%L", "%C"))),
        kernel("gemm_global", &("gemm %one, %A, %A, %none, %B\n".to_owned() + &turn("%B", "%C"))),
        kernel("write_after_read", &(turn("%A", "%C") + &each("store %none, %A[%i,%j]"))),
        kernel("into_gemm", &(turn("%A", "%B") + "gemm %one, %B, %B, %none, %C\n")),
        // Each round reads what the one before has written, and overwrites what that has read.
        kernel(
            "rounds",
            &format!(
                "{}axpby %one, %A, %none, %C
                for %k=%zero,%last {{
                    {}{}
                }}",
                local("%L"),
                turn("%C", "%L"),
                turn("%L", "%C")
            ),
        ),
        // One row per work-item, written by others.
        kernel(
            "into_parallel",
            &(local("%L")
                + &turn("%A", "%L")
                + &format!(
                    "parallel {{
                        %group = subgroup_linear_id : i32
                        %lane = subgroup_local_id : i32
                        %size = subgroup_size : i32
                        %start = mul %group, %size : i32
                        %item = add %start, %lane : i32
                        %i = cast %item : index
                        %inside = less_than %i, %n : bool
                        if %inside {{
                            for %j=%zero,%n {{
                                {}
                            }}
                        }}
                    }}\n{}",
                    "%r = sub %last, %i : index
                     %x = load %L[%r,%j] : i32
                     store %x, %B[%i,%j]",
                    turn("%B", "%C")
                )),
        ),
    ]
    .concat();
    // At level 0 nothing is moved or merged.
    for level in [0, 2] {
        let program = device.build(&text, level)?;
        let a: Vec<i32> = (0..N * N).map(|place| (place * 7 % 1013) as i32).collect();
        let b: Vec<i32> = (0..N * N).map(|place| (place * 5 % 509) as i32).collect();
        let turned = |m: &[i32]| -> Vec<i32> { m.iter().rev().map(|x| x + 1).collect() };
        let product = |x: &[i32], y: &[i32]| -> Vec<i32> {
            let entry = |at: usize| (0..N).map(|l| x[at % N + l * N] * y[l + at / N * N]).sum();
            (0..N * N).map(entry).collect()
        };
        let twice: Vec<i32> = a.iter().map(|x| x + 2).collect();
        let rounds: Vec<i32> = a.iter().map(|x| x + 2 * (N as i32 - 1)).collect();
        let flipped: Vec<i32> = (0..N * N).map(|at| turned(&a)[N - 1 - at % N + at / N * N]).collect();
        let expected: [(&str, Vec<i32>); 8] = [
            ("foreach_local", twice.clone()),
            ("foreach_global", twice),
            ("gemm_local", turned(&product(&a, &b))),
            ("gemm_global", turned(&product(&a, &a))),
            ("write_after_read", turned(&a)),
            ("into_gemm", product(&turned(&a), &turned(&a))),
            ("rounds", rounds),
            ("into_parallel", turned(&flipped)),
        ];
        for (name, expected) in expected {
            let memories = [device.memory(&a)?, device.memory(&b)?, device.memory(&vec![-1i32; N * N])?];
            run(&program, name, [1, 1, 1], &memories.each_ref().map(Argument::from))?;
            expect_equal(&format!("{name} at level {level}"), &memories[2], &expected)?;
        }
    }
    Ok(())
}
