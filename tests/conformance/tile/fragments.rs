//! Tiles that programs open: blocks of a subgroup's share as cooperative matrices. Entries are small integers.

use crate::device::{Device, Outcome, run};
use crate::numbers::{Number, Random, expect_equal};
use crate::table::CASE_COUNTS;

/// Subgroup size and work-group size: each subgroup has 32x16 of a tile of 64x32.
const GRID: (i32, [i32; 2]) = (16, [32, 2]);

/// Columns of A and rows of B of an iteration.
const STEP: usize = 32;

/// Products written as with a fine-grained programming model: factors are copied to local memory, and each subgroup multiplies
/// matrices that it takes from there, whose sums it keeps in fragments of a tile.
pub fn products<A: Number, C: Number>(device: &Device) -> Outcome {
    let (size, group) = GRID;
    if !device.has_geometry(size, group) {
        return Ok(());
    }
    A::require(device)?;
    // Rows of B that an instruction of a matrix engine takes. Without one, Intel's CPU compiler takes 15 s for the multiply-adds of 32.
    let depth = if device.is_cpu_without_engine() { 8 } else { 32 / size_of::<A>() };
    // The whole share, and parts of it either way.
    for shape in [[32, 16], [16, 16], [32, 8], [16, 8]] {
        for stages in ["", "attributes{num_stages=2, pipeline=\"slm\"}"] {
            let program = device.build(&kernel::<A, C>(shape, depth, stages), 2)?;
            for [m, n, k] in [[64, 32, 32], [130, 37, 100], [1, 1, 0]] {
                let mut random = Random::new(11);
                let mut numbers = |count: usize| {
                    (0..count.max(1)).map(|_| random.below(5) as f64 - 2.0).collect::<Vec<f64>>()
                };
                let (left, right) = (numbers(m * k), numbers(k * n));
                let product =
                    |at: usize| (0..k).map(|l| left[at % m + m * l] * right[l + k * (at / m)]).sum();
                let expected: Vec<C> = (0..m * n).map(product).map(C::from_f64).collect();
                let of = |values: &[f64]| values.iter().copied().map(A::from_f64).collect::<Vec<A>>();
                let (a, b) = (device.memory(&of(&left))?, device.memory(&of(&right))?);
                let c = device.memory(&vec![C::from_f64(77.0); m * n])?;
                let groups = [m.div_ceil(64) * n.div_ceil(32), 1, 1];
                let what = format!("blocks {shape:?}, {m}x{n}x{k} {stages}");
                let [m, n, k] = [m, n, k].map(|size| (size as i64).into());
                let arguments = [(&a).into(), m, k, m, (&b).into(), k, n, k, (&c).into(), m, n, m];
                run(&program, "f", groups, &arguments)?;
                for name in ["tile_fragment", "tile_with_fragment", "parallel"] {
                    CASE_COUNTS.ran(name, 0.0);
                }
                expect_equal(&what, &c, &expected)?;
            }
        }
    }
    Ok(())
}

/// Factors whose blocks are computed on their own, and sums of which each subgroup stores what it has.
pub fn factors(device: &Device) -> Outcome {
    let (size, group @ [rows, cols]) = GRID;
    if !device.has_geometry(size, group) {
        return Ok(());
    }
    let program = device.build(
        &format!(
            "func @f(%A: memref<f32x32x16>, %B: memref<f32x16x16>, %C: memref<f32x32x16>)
                    attributes{{subgroup_size={size}, work_group_size=[{rows},{cols}]}} {{
                %a = tile_load %A[0,0] : tile<f32x32x16,matrix_a>
                %b = tile_load %B[0,0] : tile<f32x16x16,matrix_b>
                %left = parallel -> (tile<f32x32x16,matrix_a>) {{
                    %f = tile_fragment %a[0,1] : coopmatrix<f32x16x8,matrix_a>
                    %g = neg %f : coopmatrix<f32x16x8,matrix_a>
                    %t = tile_with_fragment %g, %a[0,1]
                    yield (%t)
                }}
                %right = parallel -> (tile<f32x16x16,matrix_b>) {{
                    %f = tile_fragment %b[0,0] : coopmatrix<f32x8x8,matrix_b>
                    %g = neg %f : coopmatrix<f32x8x8,matrix_b>
                    %t = tile_with_fragment %g, %b[0,0]
                    yield (%t)
                }}
                %c = tile_dot %left, %right, 0.0 : tile<f32x32x16,matrix_acc>
                parallel {{
                    %x = subgroup_id.x : i32  %xi = cast %x : index  %row = mul %xi, 16
                    %y = subgroup_id.y : i32  %yi = cast %y : index  %col = mul %yi, 8
                    %f = tile_fragment %c[0,0] : coopmatrix<f32x16x8,matrix_acc>
                    cooperative_matrix_store %f, %C[%row,%col]
                }}
            }}"
        ),
        2,
    )?;
    let mut random = Random::new(5);
    let mut numbers = |count: usize| (0..count).map(|_| random.below(7) as f32 - 3.0).collect::<Vec<f32>>();
    let (a, b) = (numbers(32 * 16), numbers(16 * 16));
    // Of A the second half of the columns, of B the first half of the rows has the other sign.
    let product = |at: usize| (0..16).map(|k| -a[at % 32 + 32 * k] * b[k + 16 * (at / 32)]).sum();
    let expected: Vec<f32> = (0..32 * 16).map(product).collect();
    let (left, right) = (device.memory(&a)?, device.memory(&b)?);
    let c = device.memory(&vec![f32::NAN; 32 * 16])?;
    run(&program, "f", [1, 1, 1], &[(&left).into(), (&right).into(), (&c).into()])?;
    expect_equal("factors in fragments", &c, &expected)
}

/// The kernel, with fragments of this shape.
fn kernel<A: Number, C: Number>([r, c]: [usize; 2], depth: usize, stages: &str) -> String {
    let (size, [rows, cols]) = GRID;
    let sum = format!("coopmatrix<{}x{r}x{c},matrix_acc>", C::NAME);
    let (mut products, mut last) = (String::new(), "%s".to_owned());
    for (p, q) in (0..32 / r).flat_map(|p| (0..16 / c).map(move |q| (p, q))) {
        let (row, col, at) = (p * r, q * c, format!("{p}{q}"));
        let product = format!(
            "%row{at} = add %row, {row}  %col{at} = add %col, {col}
            %c{at} = tile_fragment %s[{p},{q}] : {sum}
            %d{at} = for %l=0,{STEP},{depth} init(%e=%c{at}) -> ({sum}) {{
                %a = cooperative_matrix_load %As[%row{at},%l] : coopmatrix<{a}x{r}x{depth},matrix_a>
                %b = cooperative_matrix_load %Bs[%l,%col{at}] : coopmatrix<{a}x{depth}x{c},matrix_b>
                %f = cooperative_matrix_mul_add %a, %b, %e : {sum}
                yield (%f)
            }}
            %t{at} = tile_with_fragment %d{at}, {last}[{p},{q}]
            ",
            a = A::NAME
        );
        products += &product;
        last = format!("%t{at}");
    }
    // An engine has panels in the place of either.
    let swizzle = if stages.is_empty() { "" } else { "swizzle<8,1,4>," };
    format!(
        "$a = {a}  $sums = tile<{c}x64x32,matrix_acc>
        func @f(%A: memref<$a x ? x ?>, %B: memref<$a x ? x ?>, %C: memref<{c}x?x?>)
                attributes{{subgroup_size={size}, work_group_size=[{rows},{cols}]}} {{
            %As = alloca : memref<$a x 64 x {STEP},{swizzle}local>
            %Bs = alloca : memref<$a x {STEP} x 32,{swizzle}local>
            %rows = size %C[0]  %cols = size %C[1]  %depth = size %A[1]
            %row_tiles = cdiv %rows, 64  %col_tiles = cdiv %cols, 32
            %ti, %tj = tile_order.linear_n %row_tiles, %col_tiles
            %i = mul %ti, 64  %j = mul %tj, 32
            %zero = constant {zero} : $sums
            %sum = for %k=0,%depth,{STEP} init(%s=%zero) -> ($sums) {{
                tile_copy %A[%i,%k], %As
                tile_copy %B[%k,%j], %Bs
                %next = parallel -> ($sums) {{
                    %x = subgroup_id.x : i32  %xi = cast %x : index  %row = mul %xi, 32
                    %y = subgroup_id.y : i32  %yi = cast %y : index  %col = mul %yi, 16
                    {products}yield ({last})
                }}
                yield (%next)
            }} {stages}
            tile_store %sum, %C[%i,%j]
        }}",
        a = A::NAME,
        c = C::NAME,
        zero = C::literal(0.0)
    )
}
