//! What work-items exchange: atomic updates, and combinations over a subgroup.

use half::bf16;
use num_complex::Complex;
use tiletc::runtime::opencl::Argument;

use crate::Case;
use crate::device::{Device, Kernels, Outcome, Stop, run};
use crate::entries::{Entry, close, plus, require, size};
use crate::numbers::{Random, expect_equal, gamma};

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        Case::new("exchange::atomic::i32", atomic::<i32>),
        Case::new("exchange::atomic::i64", atomic::<i64>),
        Case::new("exchange::atomic::f32", atomic::<f32>),
        Case::new("exchange::atomic::f64", atomic::<f64>),
    ];
    macro_rules! subgroup {
        ($($ty:ty)*) => {
            $(cases.push(Case::new(format!("exchange::subgroup::{}", <$ty>::NAME), subgroup::<$ty>));)*
        };
    }
    subgroup! { i32 i64 f32 f64 bf16 Complex<f32> }
    cases
}

/// Every work-item of several work-groups updates the same elements, in global and in local memory.
fn atomic<T: Entry>(device: &Device) -> Outcome {
    require::<T>(device)?;
    let ty = T::NAME;
    let (groups, [x, y]) = (3, [32, 2]);
    if !device.has_geometry(16, [x, y]) {
        return Err(Stop::Skip("no subgroups of 16".to_owned()));
    }
    let items = (x * y) as usize;
    let update = |memory: &str, scope: &str| -> String {
        let updates = ["add", "max", "min"].map(|op| {
            let value = if op == "add" { "%one" } else { "%x" };
            format!(
                "%{op}_{memory} = atomic_{op}{scope} {value}, %{memory}[%{op}] : {ty}
                 store %{op}_{memory}, %old_{memory}[%at,%{op}]\n"
            )
        });
        updates.concat()
    };
    let text = format!(
        "func @f(%X: memref<{ty}x{total}>, %G: memref<{ty}x3>, %old_G: memref<{ty}x{total}x3>,
                %old_L: memref<{ty}x{total}x3>, %final_L: memref<{ty}x3x{groups}>)
                attributes{{subgroup_size=16, work_group_size=[{x},{y}]}} {{
            %add = constant 0 : index
            %max = constant 1 : index
            %min = constant 2 : index
            %three = constant 3 : index
            %items = constant {items} : index
            %group = group_id.x : index
            %one = constant {one} : {ty}
            %zero = constant {zero} : {ty}
            %L = alloca : memref<{ty}x3,local>
            foreach (%i)=(%add),(%three) {{
                store %zero, %L[%i]
            }}
            parallel {{
                %subgroup = subgroup_linear_id : i32
                %size = subgroup_size : i32
                %lane = subgroup_local_id : i32
                %first = mul %subgroup, %size : i32
                %item = add %first, %lane : i32
                %place = cast %item : index
                %start = mul %group, %items : index
                %at = add %start, %place : index
                %x = load %X[%at] : {ty}
                {global}
                {local}
            }}
            foreach (%i)=(%add),(%three) {{
                %x = load %L[%i] : {ty}
                store %x, %final_L[%i,%group]
            }}
        }}",
        total = groups * items,
        one = T::literal([1.0, 0.0]),
        zero = T::literal([0.0, 0.0]),
        global = update("G", ".device"),
        local = update("L", ""),
    );
    let total = groups * items;
    let number = |value: f64| T::from_parts([value, 0.0]);
    let mut random = Random::new(6);
    let values: Vec<T> = (0..total).map(|_| T::few_bits(&mut random)).collect();
    let x = device.memory(&values)?;
    let global = device.memory(&[number(0.0); 3])?;
    let [old_global, old_local] =
        [device.memory(&vec![number(-9.0); 3 * total])?, device.memory(&vec![number(-9.0); 3 * total])?];
    let final_local = device.memory(&vec![number(-9.0); 3 * groups])?;
    device.run_text(
        &text,
        2,
        "f",
        [groups, 1, 1],
        &[(&x).into(), (&global).into(), (&old_global).into(), (&old_local).into(), (&final_local).into()],
    )?;
    let real = |value: &T| value.parts()[0];
    let check = |what: &str, values: &[T], olds: [&[T]; 3], results: &[T]| -> Outcome {
        let values: Vec<f64> = values.iter().map(real).collect();
        let max = values.iter().copied().fold(0.0, f64::max);
        let min = values.iter().copied().fold(0.0, f64::min);
        let results: Vec<f64> = results.iter().map(real).collect();
        expect_equal(what, &results, &[values.len() as f64, max, min])?;
        // Each work-item met another count.
        let mut counts: Vec<f64> = olds[0].iter().map(real).collect();
        counts.sort_by(f64::total_cmp);
        let expected: Vec<f64> = (0..values.len()).map(|n| n as f64).collect();
        expect_equal(&format!("{what}, counts"), &counts, &expected)?;
        // What was there was put there, and somebody was the first.
        for (old, sign) in olds[1..].iter().zip([1.0, -1.0]) {
            let old: Vec<f64> = old.iter().map(real).collect();
            if !old.contains(&0.0) {
                return Err(format!("{what}: nobody found the first value").into());
            }
            if let Some(old) =
                old.iter().find(|&&old| old != 0.0 && (!values.contains(&old) || old * sign < 0.0))
            {
                return Err(format!("{what}: {old} was never there").into());
            }
        }
        Ok(())
    };
    let columns = |olds: &[T], from: usize, to: usize| -> [Vec<T>; 3] {
        [0, 1, 2].map(|column| olds[column * total + from..column * total + to].to_vec())
    };
    let olds = columns(&old_global, 0, total);
    check(&format!("global {ty}"), &values, olds.each_ref().map(Vec::as_slice), &global)?;
    for group in 0..groups {
        let (from, to) = (group * items, (group + 1) * items);
        let olds = columns(&old_local, from, to);
        let results = &final_local[3 * group..3 * group + 3];
        check(&format!("local {ty}"), &values[from..to], olds.each_ref().map(Vec::as_slice), results)?;
    }
    Ok(())
}

/// Reductions, scans and broadcasts of two subgroups.
fn subgroup<T: Entry>(device: &Device) -> Outcome {
    require::<T>(device)?;
    let ty = T::NAME;
    let kinds: &[&str] = if T::COMPLEX { &["add"] } else { &["add", "max", "min"] };
    let sizes: Vec<i32> =
        [8, 16, 32].into_iter().filter(|&size| device.has_geometry(size, [2 * size, 1])).collect();
    let kernels = Kernels::new(sizes.iter().map(|&size| {
        let mut body = format!(
            "%five = constant 5 : i32\n%c0 = constant 0 : index
             %b = subgroup_broadcast %x, %five : {ty}\nstore %b, %R[%at,%c0]\n"
        );
        for (n, kind) in kinds.iter().enumerate() {
            for (m, form) in ["exclusive_scan", "inclusive_scan", "reduce"].into_iter().enumerate() {
                let column = 1 + 3 * n + m;
                body += &format!(
                    "%c{column} = constant {column} : index
                     %v{column} = subgroup_{form}_{kind} %x : {ty}
                     store %v{column}, %R[%at,%c{column}]\n"
                );
            }
        }
        format!(
            "(%X: memref<{ty}x{count}>, %R: memref<{ty}x{count}x10>)
                    attributes{{subgroup_size={size}, work_group_size=[{count},1]}} {{
                parallel {{
                    %subgroup = subgroup_linear_id : i32
                    %size = subgroup_size : i32
                    %lane = subgroup_local_id : i32
                    %first = mul %subgroup, %size : i32
                    %item = add %first, %lane : i32
                    %at = cast %item : index
                    %x = load %X[%at] : {ty}
                    {body}
                }}
            }}",
            count = 2 * size
        )
    }));
    let program = device.build(&kernels.text, 2)?;
    let mut random = Random::new(8);
    for (n, width) in sizes.into_iter().enumerate() {
        let (width, count) = (width as usize, 2 * width as usize);
        let values: Vec<T> = (0..count).map(|_| T::few_bits(&mut random)).collect();
        let x = device.memory(&values)?;
        let results = device.memory(&vec![T::from_parts([0.0; 2]); count * 10])?;
        run(&program, kernels.name(n), [1, 1, 1], &[Argument::from(&x), (&results).into()])?;
        for at in 0..count {
            let (first, lane) = (at / width * width, at % width);
            let terms = &values[first..first + width];
            let got = |column: usize| results[at + column * count].parts();
            let what = format!("lane {lane} of {width} of {ty}");
            expect_equal(&format!("{what}, broadcast"), &got(0), &terms[5].parts())?;
            for (m, terms) in [&terms[..lane], &terms[..=lane], terms].into_iter().enumerate() {
                let parts = || terms.iter().map(|term| term.parts());
                // The sums are exact but in bf16.
                let bound = match ty {
                    "bf16" => gamma(width, T::UNIT) * parts().map(size).sum::<f64>(),
                    _ => 0.0,
                };
                let sum = parts().fold([0.0; 2], plus);
                for (got, sum) in got(1 + m).into_iter().zip(sum) {
                    close(&format!("{what}, sum {m}"), got, sum, bound)?;
                }
                if T::COMPLEX {
                    continue;
                }
                let reals = || parts().map(|[re, _]| re);
                let (lowest, highest) = match ty {
                    "i32" => (f64::from(i32::MIN), f64::from(i32::MAX)),
                    "i64" => (i64::MIN as f64, i64::MAX as f64),
                    _ => (f64::NEG_INFINITY, f64::INFINITY),
                };
                close(&format!("{what}, maximum {m}"), got(4 + m)[0], reals().fold(lowest, f64::max), 0.0)?;
                close(&format!("{what}, minimum {m}"), got(7 + m)[0], reals().fold(highest, f64::min), 0.0)?;
            }
        }
    }
    Ok(())
}
