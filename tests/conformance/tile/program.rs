//! Tiles in loops and branches, and next to other instructions.

use crate::device::{Device, Outcome, Stop, run};
use crate::numbers::{Random, expect_equal};
use crate::table::CASE_COUNTS;

/// Branches with tiles as results, loops in loops, and values besides tiles that loops carry.
pub fn control(device: &Device) -> Outcome {
    let tile = "tile<i32x16x16,matrix_acc>";
    let text = format!(
        "func @control(%A: memref<i32x16x?>, %flag: i32, %n: index, %C: memref<i32x16x16>) {{
            %no = constant 0 : i32
            %b = not_equal %flag, %no : bool
            %zero = constant 0 : index
            %one = constant 1 : index
            %width = constant 16 : index
            %none = constant 0 : {tile}
            %first = tile_load %A[%zero,%zero] : {tile}
            %s, %start = if %b -> ({tile}, index) {{
                %t = add %first, %first : {tile}
                yield (%t, %one)
            }} else {{
                yield (%none, %zero)
            }}
            %r, %last = for %i=%zero,%n init(%d=%s, %at=%start) -> ({tile}, index) {{
                %inner = for %k=%zero,%i init(%e=%d) -> ({tile}) {{
                    %x = mul %k, %width : index
                    %a = tile_load %A[%zero,%x] : {tile}
                    %f = add %e, %a : {tile}
                    yield (%f)
                }}
                %g = if %b -> ({tile}) {{
                    %x = tile_load %A[%zero,%at] : {tile}
                    %h = sub %inner, %x : {tile}
                    yield (%h)
                }} else {{
                    yield (%inner)
                }}
                %next = add %at, %one : index
                yield (%g, %next)
            }}
            %minus = neg %r : {tile}
            tile_store %minus, %C[%zero,%zero]
        }}"
    );
    let program = device.build(&text, 2)?;
    let cols = 37;
    let a: Vec<i32> = (0..16 * cols).map(|number| (number * 7 % 101) as i32).collect();
    let a = device.memory(&a)?;
    for (b, n) in [(true, 4), (false, 4), (true, 0), (false, 1)] {
        let c = device.memory(&[77i32; 256])?;
        let arguments =
            [(&a).into(), (cols as i64).into(), i32::from(b).into(), (n as i64).into(), (&c).into()];
        run(&program, "control", [1, 1, 1], &arguments)?;
        let entry = |i: usize, j: usize| if j < cols { a[i + 16 * j] } else { 0 };
        let expected: Vec<i32> = (0..256)
            .map(|at| {
                let (i, j) = (at % 16, at / 16);
                let mut sum = if b { 2 * entry(i, j) } else { 0 };
                for turn in 0..n {
                    sum += (0..turn).map(|k| entry(i, 16 * k + j)).sum::<i32>();
                    sum -= if b { entry(i, 1 + turn + j) } else { 0 };
                }
                -sum
            })
            .collect();
        expect_equal(&format!("b = {b}, n = {n}"), &c, &expected)?;
    }
    Ok(())
}

/// Tiles next to a `gemm` and a `parallel` region: they exchange local memory.
pub fn neighbours(device: &Device) -> Outcome {
    let text = "func @neighbours(%A: memref<f32x32x16>, %B: memref<f32x16x16>, %C: memref<f32x32x16>) {
            %zero = constant 0 : index
            %one = constant 1.0 : f32
            %none = constant 0.0 : f32
            %l = alloca : memref<f32x32x16,local>
            %m = alloca : memref<f32x32x16,local>
            gemm %one, %A, %B, %none, %l
            %a = tile_load %l[%zero,%zero] : tile<f32x32x16,matrix_a>
            %b = tile_load %B[%zero,%zero] : tile<f32x16x16,matrix_b>
            %c = constant 0.0 : tile<f32x32x16,matrix_acc>
            %d = tile_dot %a, %b, %c : tile<f32x32x16,matrix_acc>
            tile_store %d, %m[%zero,%zero]
            %cols = constant 16 : index
            %rows = constant 32 : index
            foreach (%i,%j)=(%zero,%zero),(%rows,%cols) {
                %x = load %m[%i,%j] : f32
                %y = add %x, %one : f32
                store %y, %m[%i,%j]
            }
            %e = tile_load %m[%zero,%zero] : tile<f32x32x16,matrix_acc>
            tile_store %e, %C[%zero,%zero]
            tile_prefetch 0, %A[%zero,%zero], 32, 16
            gemm %one, %m, %B, %one, %C
        }";
    let program = device.build(text, 2)?;
    let mut random = Random::new(3);
    let mut small = |count: usize| -> Vec<f32> { (0..count).map(|_| random.below(3) as f32 - 1.0).collect() };
    let (a, b) = (device.memory(&small(512))?, device.memory(&small(256))?);
    let c = device.memory(&[f32::NAN; 512])?;
    run(&program, "neighbours", [1, 1, 1], &[(&a).into(), (&b).into(), (&c).into()])?;
    let times_b = |x: &[f32]| -> Vec<f32> {
        (0..512).map(|at| (0..16).map(|l| x[at % 32 + 32 * l] * b[l + 16 * (at / 32)]).sum()).collect()
    };
    let m: Vec<f32> = times_b(&times_b(&a)).iter().map(|x| x + 1.0).collect();
    let expected: Vec<f32> = times_b(&m).iter().zip(&m).map(|(x, y)| x + y).collect();
    CASE_COUNTS.ran("tile_prefetch", 0.0);
    expect_equal("C", &c, &expected)
}

/// Entries of a matrix of a subgroup from those of two others, and their places.
pub fn map(device: &Device) -> Outcome {
    let text = "func @map(%A: memref<f32x16x8>, %B: memref<i32x16x8>, %C: memref<f32x16x8>)
                    attributes{subgroup_size=16, work_group_size=[16,1]} {
            parallel {
                %zero = constant 0 : index
                %a = cooperative_matrix_load %A[%zero,%zero] : coopmatrix<f32x16x8,matrix_acc>
                %b = cooperative_matrix_load %B[%zero,%zero] : coopmatrix<i32x16x8,matrix_acc>
                %c = cooperative_matrix_map (%i,%j,%x,%y)=(%a,%b) -> coopmatrix<f32x16x8,matrix_acc> {
                    %hundred = constant 100 : i32
                    %far = mul %j, %hundred : i32
                    %place = add %i, %far : i32
                    %t = add %place, %y : i32
                    %s = cast %t : f32
                    %r = add %s, %x : f32
                    yield (%r)
                }
                cooperative_matrix_store %c, %C[%zero,%zero]
            }
        }";
    if !device.has_geometry(16, [16, 1]) {
        return Err(Stop::Skip("no subgroups of 16".to_owned()));
    }
    let a: Vec<f32> = (0..128).map(|number| number as f32).collect();
    let b: Vec<i32> = (0..128).map(|number| 3 * number).collect();
    let expected: Vec<f32> =
        (0..128).map(|at| a[at] + (b[at] + (at % 16 + 100 * (at / 16)) as i32) as f32).collect();
    let (a, b, c) = (device.memory(&a)?, device.memory(&b)?, device.memory(&[f32::NAN; 128])?);
    device.run_text(text, 2, "map", [1, 1, 1], &[(&a).into(), (&b).into(), (&c).into()])?;
    CASE_COUNTS.ran("cooperative_matrix_map", 0.0);
    expect_equal("C", &c, &expected)
}
