//! Products of matrices of 8 bits, which the matrix engine takes as halves.

use super::product::Run;
use crate::device::{Argument, Device, Kernels, Outcome, run};
use crate::narrow::{E4M3, E5M2, Eight};
use crate::numbers::{Number, expect_equal};
use half::f16;

/// Products of matrices of 8 bits, which become halves in local memory before a work-group holds them.
pub fn by_element(device: &Device) -> Outcome {
    f16::require(device)?;
    for (ty, format) in [("f8e4m3", E4M3), ("f8e5m2", E5M2)] {
        let text = format!(
            "func @product(%A: memref<{ty}x32x32>, %B: memref<{ty}x32x32>, %C: memref<f32x32x32>) {{
                %a = alloca : memref<f16x32x32,local>
                %b = alloca : memref<f16x32x32,local>
                foreach (%i,%j)=(0,0),(32,32) {{
                    %x = load %A[%i,%j]
                    %y = load %B[%i,%j]
                    %u = cast %x : f16
                    %v = cast %y : f16
                    store %u, %a[%i,%j]
                    store %v, %b[%i,%j]
                }}
                %m = tile_load %a[0,0] : tile<f16x32x32,matrix_a>
                %n = tile_load %b[0,0] : tile<f16x32x32,matrix_b>
                %zero = constant 0.0 : tile<f32x32x32,matrix_acc>
                %c = tile_dot %m, %n, %zero
                tile_store %c, %C[0,0]
            }}"
        );
        let numbers: [Vec<f64>; 2] =
            [7, 5].map(|modulus| (0..1024).map(|place| f64::from(place % modulus - 3)).collect());
        let [a, b] = numbers.each_ref().map(|numbers| {
            let bits: Vec<i8> = numbers.iter().map(|&x| format.bits(x).cast_signed()).collect();
            device.memory(&bits)
        });
        let (a, b, c) = (a?, b?, device.memory(&[f32::NAN; 1024])?);
        device.run_text(&text, 2, "product", [1, 1, 1], &[(&a).into(), (&b).into(), (&c).into()])?;
        let entry = |place: usize| {
            (0..32).map(|k| numbers[0][place % 32 + 32 * k] * numbers[1][k + place / 32 * 32]).sum::<f64>()
                as f32
        };
        expect_equal(ty, &c, &(0..1024).map(entry).collect::<Vec<_>>())?;
    }
    Ok(())
}

/// Sizes that blocks take, odd ones, and a single element.
const SIZES: [[usize; 3]; 3] = [[64, 64, 96], [33, 17, 41], [1, 1, 1]];

/// Products of tiles of 8 bits, which become halves where each subgroup loads its share or on the way to local memory, and results that are
/// rounded to 8 bits.
pub fn tiles(device: &Device) -> Outcome {
    f16::require(device)?;
    for (ty, format) in [("f8e4m3", E4M3), ("f8e5m2", E5M2)] {
        let forms = [(false, "none"), (false, "slm"), (true, "auto")];
        let kernels = Kernels::new(forms.map(|form| kernel(ty, form)));
        let program = device.build(&kernels.text, 2)?;
        for (number, (transposed, pipeline)) in forms.into_iter().enumerate() {
            for size in SIZES {
                let run = |groups, arguments: &[Argument<'_>]| {
                    run(&program, kernels.name(number), [groups, 1, 1], arguments)
                };
                let what = format!("{ty}, B transposed: {transposed}, {pipeline}, {size:?}");
                check(device, format, &run, transposed, size, &what)?;
            }
        }
    }
    Ok(())
}

/// C and Q <- A·B without its name, Q in 8 bits.
fn kernel(ty: &str, (transposed, pipeline): (bool, &str)) -> String {
    let (transpose, at) = if transposed { (".t", "%n,%k") } else { ("", "%k,%n") };
    format!(
        "(%A: memref<{ty}x?x?>, %B: memref<{ty}x?x?>, %C: memref<f32x?x?>, %Q: memref<{ty}x?x?>) {{
            %M = size %C[0]  %N = size %C[1]  %K = size %A[1]
            %rows = cdiv %M, 32  %cols = cdiv %N, 16
            %i, %j = tile_order.grouped %rows, %cols
            %m = mul %i, 32  %n = mul %j, 16
            %sum = for %k=0,%K,32 init(%s=0.0) -> (tile<f32x32x16,matrix_acc>) {{
                %a8 = tile_load %A[%m,%k] : tile<{ty}x32x32,matrix_a>
                %b8 = tile_load{transpose} %B[{at}] : tile<{ty}x32x16,matrix_b>
                %a = cast %a8 : tile<f16x32x32,matrix_a>
                %b = cast %b8 : tile<f16x32x16,matrix_b>
                %t = tile_dot %a, %b, %s
                yield (%t)
            }} attributes{{pipeline=\"{pipeline}\"}}
            %q = cast %sum : tile<{ty}x32x16,matrix_acc>
            tile_store %sum, %C[%m,%n]
            tile_store %q, %Q[%m,%n]
        }}"
    )
}

fn check(
    device: &Device,
    format: Eight,
    run: &Run<'_>,
    transposed: bool,
    [m, n, k]: [usize; 3],
    what: &str,
) -> Outcome {
    let digits = |count: usize, modulus: usize| -> Vec<f64> {
        (0..count).map(|place| (place % modulus) as f64 - 2.0).collect()
    };
    let bits = |numbers: &[f64]| -> Vec<i8> {
        numbers.iter().map(|&number| format.bits(number).cast_signed()).collect()
    };
    let (a, b) = (digits(m * k, 7), digits(k * n, 5));
    let b_at = |l: usize, j: usize| if transposed { b[j + n * l] } else { b[l + k * j] };
    let sum = |place: usize| -> f64 { (0..k).map(|l| a[place % m + m * l] * b_at(l, place / m)).sum() };
    let sums: Vec<f64> = (0..m * n).map(sum).collect();
    let (memory_a, memory_b) = (device.memory(&bits(&a))?, device.memory(&bits(&b))?);
    let (c, q) = (device.memory(&vec![f32::NAN; m * n])?, device.memory(&vec![0x55_i8; m * n])?);
    let memories = [Argument::from(&memory_a), (&memory_b).into(), (&c).into(), (&q).into()];
    let sizes = [[m, k], if transposed { [n, k] } else { [k, n] }, [m, n], [m, n]];
    let mut arguments = Vec::new();
    for (memory, [rows, cols]) in memories.into_iter().zip(sizes) {
        arguments.push(memory);
        // Columns follow each other.
        arguments.extend([rows, cols, rows].map(|number| Argument::from(number as i64)));
    }
    run(m.div_ceil(32) * n.div_ceil(16), &arguments)?;
    expect_equal(what, &c, &sums.iter().map(|&sum| sum as f32).collect::<Vec<_>>())?;
    expect_equal(what, &q, &bits(&sums))
}
