//! Orders of tiles, choices, and what the lowering of tiles asks of matrices in memory.

use super::ORDERS;
use super::product::OVER_LAUNCH;
use crate::device::{Device, Kernels, Outcome, run};
use crate::numbers::{Number, expect_equal};
use crate::table::CASE_COUNTS;
use half::{bf16, f16};

/// The tile of a work-group as the manual defines it (tile reference 2.4.1).
pub fn tile_of(order: &str, g: usize, [rows, cols]: [usize; 2], p: usize) -> [usize; 2] {
    if p >= rows * cols {
        return [rows, cols];
    }
    let grouped = |rows: usize, cols: usize, serpentine: bool| {
        let i = p / (g * cols);
        let h = g.min(rows - g * i);
        let r = p % (g * cols);
        let n = if serpentine && i % 2 == 1 { cols - 1 - r / h } else { r / h };
        [g * i + r % h, n]
    };
    match order {
        "linear_n" => [p / cols, p % cols],
        "linear_m" => [p % rows, p / rows],
        "diagonal" => [p / cols, (p % cols + p / cols) % cols],
        "grouped" => grouped(rows, cols, false),
        "panel_m" => grouped(rows, cols, true),
        "panel_n" => {
            let [n, m] = grouped(cols, rows, true);
            [m, n]
        }
        _ => {
            let i = p / (g * cols);
            let h = g.min(rows - g * i);
            let r = p % (g * cols);
            let j = r / (h * g);
            let s = r % (h * g);
            let w = g.min(cols - g * j);
            let [m, n] = match (h == g && w == g, order) {
                (false, _) => [s % h, s / h],
                (true, "morton") => {
                    let bits =
                        |odd: usize| (0..4).map(|bit| (s >> (2 * bit + odd) & 1) << bit).sum::<usize>();
                    [bits(1), bits(0)]
                }
                // Which of the curves of Hilbert it is, the manual leaves open.
                (true, _) => return [usize::MAX; 2],
            };
            [g * i + m, g * j + n]
        }
    }
}

/// Every order meets every tile once, in the order that the manual says, and nothing beyond.
pub fn order_is_as_specified(device: &Device) -> Outcome {
    let groups = [1, 2, 4, 8];
    let forms: Vec<(&str, usize)> =
        ORDERS.iter().flat_map(|&order| groups.map(|group| (order, group))).collect();
    let forms: Vec<(&str, usize)> = forms
        .into_iter()
        .filter(|&(order, group)| match order {
            "morton" | "hilbert" => group > 1,
            _ => !matches!(order, "linear_n" | "linear_m" | "diagonal") || group == 1,
        })
        .collect();
    let kernels = Kernels::new(forms.iter().map(|(order, group)| {
        let attributes = match *order {
            "linear_n" | "linear_m" | "diagonal" => String::new(),
            _ => format!("{{group={group}}}"),
        };
        format!(
            "(%nm: index, %nn: index, %count: index, %P: memref<i64x2x?>) {{
                %zero = constant 0 : index
                %one = constant 1 : index
                foreach (%p)=(%zero),(%count) {{
                    %m, %n = tile_order.{order} %nm, %nn from %p {attributes} -> (index, index)
                    %x = cast %m : i64
                    %y = cast %n : i64
                    store %x, %P[%zero,%p]
                    store %y, %P[%one,%p]
                }}
            }}"
        )
    }));
    let program = device.build(&kernels.text, 2)?;
    for [rows, cols] in [[1, 1], [1, 9], [9, 1], [3, 5], [8, 8], [17, 10], [33, 2], [5, 33]] {
        let count = rows * cols + OVER_LAUNCH;
        for (number, &(order, group)) in forms.iter().enumerate() {
            let places = device.memory(&vec![-1i64; 2 * count])?;
            let [nm, nn, length] = [rows, cols, count].map(|size| size as i64);
            let arguments = [nm.into(), nn.into(), length.into(), (&places).into(), length.into()];
            run(&program, kernels.name(number), [1, 1, 1], &arguments)?;
            let mut met = vec![false; rows * cols];
            for (p, got) in places.chunks(2).enumerate() {
                let got = [got[0] as usize, got[1] as usize];
                let expected = tile_of(order, group, [rows, cols], p);
                if expected != [usize::MAX; 2] && got != expected {
                    let place = format!("{order} {group} of {rows}x{cols}");
                    return Err(format!("{place}: tile {p} is {got:?}, not {expected:?}").into());
                }
                if p < rows * cols {
                    let is_new = got[0] < rows
                        && got[1] < cols
                        && !std::mem::replace(&mut met[got[0] + rows * got[1]], true);
                    if !is_new {
                        return Err(format!("{order} {group} of {rows}x{cols}: {got:?} at {p}").into());
                    }
                }
            }
        }
    }
    CASE_COUNTS.ran("tile_order", 0.0);
    Ok(())
}

/// A number of each type, or a boolean, chosen by a condition.
pub fn select(device: &Device) -> Outcome {
    fn check<T: Number>(device: &Device) -> Outcome {
        if T::require(device).is_err() {
            return Ok(());
        }
        let ty = T::NAME;
        let text = format!(
            "func @select(%n: i32, %A: memref<{ty}x8>, %B: memref<{ty}x8>, %C: memref<{ty}x8>) {{
                %zero = constant 0 : index
                %end = constant 8 : index
                foreach (%i)=(%zero),(%end) {{
                    %j = cast %i : i32
                    %less = less_than %j, %n : bool
                    %more = greater_than %j, %n : bool
                    %either = select %less, %less, %more : bool
                    %a = load %A[%i] : {ty}
                    %b = load %B[%i] : {ty}
                    %c = select %either, %a, %b : {ty}
                    store %c, %C[%i]
                }}
            }}"
        );
        let values: Vec<T> = (0..8).map(|number| T::from_f64(f64::from(number))).collect();
        let others: Vec<T> = (0..8).map(|number| T::from_f64(f64::from(-number))).collect();
        let (a, b) = (device.memory(&values)?, device.memory(&others)?);
        let c = device.memory(&[T::from_f64(77.0); 8])?;
        device.run_text(
            &text,
            2,
            "select",
            [1, 1, 1],
            &[5i32.into(), (&a).into(), (&b).into(), (&c).into()],
        )?;
        let expected: Vec<T> = (0..8).map(|at| if at == 5 { others[at] } else { values[at] }).collect();
        expect_equal(ty, &c, &expected)
    }
    check::<i8>(device)?;
    check::<i16>(device)?;
    check::<i32>(device)?;
    check::<i64>(device)?;
    check::<f16>(device)?;
    check::<bf16>(device)?;
    check::<f32>(device)?;
    check::<f64>(device)?;
    CASE_COUNTS.ran("select", 0.0);
    Ok(())
}

/// Tests of matrices for 2D block messages, which look at sizes and strides: a base of 64 bytes, 64 bytes and more in a
/// column, and columns a multiple of 16 bytes apart.
pub fn surfaces(device: &Device) -> Outcome {
    let text = "func @surfaces(%A: memref<f32x?x?,strided<1,?>>, %x: index, %R: memref<i32x1>) {
            %zero = constant 0 : index
            %one = constant 1 : index
            %M = size %A[0] : index
            %N = size %A[1] : index
            %m = sub %M, %x : index
            %a = subview %A[%x:%m,%zero:%N] : memref<f32x?x?,strided<1,?>>
            %is = is_surface %a : bool
            parallel {
                if %is {
                    %b = as_surface %a : memref<f32x?x?,strided<1,?>>
                    %yes = constant 1 : i32
                    store %yes, %R[%zero]
                }
            }
        }";
    let program = device.build(text, 2)?;
    let a = device.memory(&[0.0f32; 64 * 4])?;
    let cases = [
        ([32_i64, 4, 32, 0], 1),
        ([16, 4, 16, 0], 1),
        ([15, 4, 16, 0], 0),
        ([32, 4, 33, 0], 0),
        ([48, 4, 48, 16], 1),
        ([48, 4, 48, 4], 0),
    ];
    for ([rows, cols, pitch, x], expected) in cases {
        let r = device.memory(&[0i32])?;
        let arguments = [(&a).into(), rows.into(), cols.into(), pitch.into(), x.into(), (&r).into()];
        run(&program, "surfaces", [1, 1, 1], &arguments)?;
        expect_equal(&format!("{rows}x{cols} by {pitch} from {x}"), &r, &[expected])?;
    }
    CASE_COUNTS.ran("is_surface", 0.0);
    CASE_COUNTS.ran("as_surface", 0.0);
    Ok(())
}
