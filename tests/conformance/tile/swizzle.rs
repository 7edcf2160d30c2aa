//! Local memory with a swizzle: every instruction that reads or writes it finds the elements where the others have put them.

use crate::device::{Device, Kernels, Outcome, run};
use crate::numbers::{Number, Random, expect_equal};
use crate::table::CASE_COUNTS;

/// Rows and columns of the matrix.
const SHAPE: [usize; 2] = [96, 7];

/// Numbers of swizzles that fit: groups that are no power of two, and that are.
const SWIZZLES: [[usize; 3]; 2] = [[3, 2, 8], [16, 1, 2]];

/// Positions of the matrices of 32 rows and 4 columns that subgroups load and store. Some reach beyond the end.
const BLOCKS: [[usize; 2]; 6] = [[0, 0], [32, 0], [64, 0], [0, 4], [32, 4], [64, 4]];

/// Accesses to the swizzled matrix %L, which bring %A to %C by way of it.
pub fn accesses<T: Number>(device: &Device) -> Outcome {
    T::require(device)?;
    let ty = T::NAME;
    let [rows, cols] = SHAPE;
    let each = |body: &str| format!("foreach (%i,%j)=(0,0),({rows},{cols}) {{ {body} }}");
    let store = each("%a = load %A[%i,%j]  store %a, %L[%i,%j]");
    let load = each("%b = load %L[%i,%j]  store %b, %C[%i,%j]");
    let narrow = format!(
        "foreach (%i,%j)=(0,0),({rows},{cols}) {{ %r = cast %i : i32  %c = cast %j : i32
            %b = load %L[%r,%c] : {ty}  store %b, %C[%i,%j] }}"
    );
    let blocks = |body: &str| {
        let body: String = (BLOCKS.iter())
            .map(|[x, y]| body.replace("$x", &x.to_string()).replace("$y", &y.to_string()))
            .collect();
        format!("parallel {{ {body} }}")
    };
    let (cols_beyond, rows_beyond) = (".cols_checked", ".rows_checked");
    let read = |usage: &str| {
        blocks(&format!(
            "%m$x_$y = cooperative_matrix_load.n{cols_beyond} %L[$x,$y] : coopmatrix<{ty}x32x4,{usage}>
             cooperative_matrix_store{cols_beyond} %m$x_$y, %C[$x,$y] "
        ))
    };
    // Transposed, 4 columns are the rows.
    let read_transposed = blocks(&format!(
        "%m$x_$y = cooperative_matrix_load.t{rows_beyond} %L[$x,$y] : coopmatrix<{ty}x4x32,matrix_acc>
         cooperative_matrix_store.t{rows_beyond} %m$x_$y, %C[$x,$y] "
    ));
    let write = blocks(&format!(
        "%m$x_$y = cooperative_matrix_load.n{cols_beyond} %A[$x,$y] : coopmatrix<{ty}x32x4,matrix_acc>
         cooperative_matrix_store{cols_beyond} %m$x_$y, %L[$x,$y] "
    ));
    let tile = format!("%t = tile_load %L[0,0] : tile<{ty}x{rows}x8,matrix_acc>  tile_store %t, %C[0,0]");
    let to_tile = format!("%t = tile_load %A[0,0] : tile<{ty}x{rows}x8,matrix_acc>  tile_store %t, %L[0,0]");
    let both = format!("{load}  tile_copy %A[0,0], %L  {load}");
    let forms = [
        format!("{store} {load}"),
        format!("{store} {narrow}"),
        format!("tile_copy %A[0,0], %L  {load}"),
        format!("{store} {}", read("matrix_acc")),
        format!("{store} {}", read("matrix_b")),
        format!("{store} {read_transposed}"),
        format!("{write} {load}"),
        // Without an access to elements, nobody could tell, and there would be no swizzle.
        format!("{store} {load} {tile}"),
        format!("{to_tile} {load}"),
        format!("{to_tile} {both}"),
    ];
    let kernels = Kernels::new(SWIZZLES.iter().flat_map(|[vec, per_phase, max_phase]| {
        forms.iter().map(move |form| {
            format!(
                "(%A: memref<{ty}x{rows}x{cols}>, %C: memref<{ty}x{rows}x{cols}>) {{
                    %L = alloca : memref<{ty}x{rows}x{cols},swizzle<{vec},{per_phase},{max_phase}>,local>
                    {form}
                }}"
            )
        })
    }));
    let program = device.build(&kernels.text, 2)?;
    let a: Vec<T> = Random::new(11).numbers(rows * cols);
    let memory = device.memory(&a)?;
    for (number, form) in SWIZZLES.iter().flat_map(|_| &forms).enumerate() {
        let c = device.memory(&vec![T::from_i64(99); rows * cols])?;
        run(&program, kernels.name(number), [1, 1, 1], &[(&memory).into(), (&c).into()])?;
        expect_equal(&format!("{form} of {ty}, kernel {number}"), &c, &a)?;
    }
    CASE_COUNTS.ran("alloca", 0.0);
    Ok(())
}

/// Two matrices of a tensor, which a view tells apart, and sums that many work-items add to.
pub fn views_and_atomics(device: &Device) -> Outcome {
    let [rows, cols] = SHAPE;
    let text = format!(
        "func @f(%A: memref<f32x{rows}x{cols}>, %n: index, %C: memref<f32x{rows}x{cols}>) {{
            %T = alloca : memref<f32x{rows}x{cols}x2,swizzle<3,2,8>,local>
            foreach (%i,%j,%k)=(0,0,0),({rows},{cols},2) {{ store 0.0, %T[%i,%j,%k] }}
            %L = subview %T[0:{rows},0:{cols},%n] : memref<f32x{rows}x{cols},swizzle<3,2,8>,local>
            foreach (%i,%j,%k)=(0,0,0),({rows},{cols},3) {{
                %a = load %A[%i,%j]
                %old = atomic_add.work_group.relaxed %a, %L[%i,%j] : f32
            }}
            foreach (%i,%j)=(0,0),({rows},{cols}) {{
                %b = load %T[%i,%j,%n]
                store %b, %C[%i,%j]
            }}
        }}"
    );
    let program = device.build(&text, 2)?;
    let a: Vec<f32> = (0..rows * cols).map(|at| at as f32).collect();
    let memory = device.memory(&a)?;
    for number in [0i64, 1] {
        let c = device.memory(&vec![99.0f32; rows * cols])?;
        run(&program, "f", [1, 1, 1], &[(&memory).into(), number.into(), (&c).into()])?;
        let expected: Vec<f32> = a.iter().map(|a| 3.0 * a).collect();
        expect_equal(&format!("matrix {number}"), &c, &expected)?;
    }
    CASE_COUNTS.ran("atomic_add", 0.0);
    Ok(())
}
