//! foreach, for, if and hand-written barriers.

use std::fmt::Write as _;

use half::f16;

use crate::Case;
use crate::device::{Argument, Device, Kernels, Outcome, run};
use crate::numbers::{Number, expect_equal};
use tiletc::device::SpirvFeature;

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for level in [0, 2] {
        cases
            .push(Case::new(format!("control::foreach::level{level}"), move |device| foreach(device, level)));
        cases
            .push(Case::new(format!("control::for::i8::level{level}"), move |d| loops::<i8>(d, level, "i8")));
        cases.push(Case::new(format!("control::for::i16::level{level}"), move |d| {
            loops::<i16>(d, level, "i16")
        }));
        cases.push(Case::new(format!("control::for::i32::level{level}"), move |d| {
            loops::<i32>(d, level, "i32")
        }));
        cases.push(Case::new(format!("control::for::i64::level{level}"), move |d| {
            loops::<i64>(d, level, "i64")
        }));
        cases.push(Case::new(format!("control::for::index::level{level}"), move |d| {
            loops::<i64>(d, level, "index")
        }));
        cases.push(Case::new(format!("control::nested::level{level}"), move |device| nested(device, level)));
        cases.push(Case::new(format!("control::constant_for::level{level}"), move |d| {
            constant_loops(d, level)
        }));
        cases.push(Case::new(format!("control::if::level{level}"), move |device| branches(device, level)));
        cases.push(Case::new(format!("control::barrier::level{level}"), move |device| {
            barriers(device, level)
        }));
    }
    cases.push(Case::new("control::one_subgroup", one_subgroup));
    cases.push(Case::new("control::narrow_counters", narrow_counters));
    cases.push(Case::new("control::narrow_masks", narrow_masks));
    cases.push(Case::new("control::negative_behind_barrier", negative_behind_barrier));
    cases.push(Case::new("control::quotient_behind_barrier", quotient_behind_barrier));
    cases
}

/// Parts that a driver lost in work-groups of one subgroup: all lanes of a `foreach` but the first and the mask of an atomic update, where
/// the id of the subgroup was asked for; the mask of the last rows, where the same lane was asked for several times.
fn one_subgroup(device: &Device) -> Outcome {
    if !device.has_geometry(16, [16, 1]) {
        return Ok(());
    }
    let text = "func @lanes(%x: memref<i32x64>, %y: memref<i32x16x16>)
            attributes{subgroup_size=16, work_group_size=[16,1]} {
        %t = alloca : memref<i32x16x16,local>
        %zero = constant 0 : index
        %m = constant 16 : index
        %n = constant 64 : index
        %two = constant 2 : i32
        foreach (%i)=(%zero),(%n) {
            store %two, %x[%i]
        }
        foreach (%i,%j)=(%zero,%zero),(%m,%m) {
            store %two, %t[%i,%j]
        }
        foreach_tile (%i,%j)=(%zero,%zero),(%m,%m) as (%p,%q)<=(32,3) {
            %a = cooperative_matrix_load.both_checked %t[%i,%j] : coopmatrix<i32x32x3,matrix_acc>
            cooperative_matrix_store.both_checked %a, %y[%i,%j]
        }
    }
    func @mask(%x: memref<i32x33>, %S: memref<i32x33x4x4>, %A: memref<i32x33x4x4>)
            attributes{subgroup_size=16, work_group_size=[16,1]} {
        %zero = constant 0 : index
        %rows = constant 33 : index
        %four = constant 4 : index
        %one = constant 1 : i32
        foreach (%i)=(%zero),(%rows) {
            store %one, %x[%i]
        }
        foreach (%i,%j,%k)=(%zero,%zero,%zero),(%rows,%four,%four) {
            store %one, %A[%i,%j,%k]
        }
        cumsum.atomic %one, %S, 1, %one, %A
    }
    func @rows(%p: memref<i64x17x4x4>, %x: memref<i32x4>, %y: memref<i64x17>, %z: memref<i32>)
            attributes{subgroup_size=16, work_group_size=[16,1]} {
        %zero = constant 0 : index
        %four = constant 4 : index
        %rows = constant 17 : index
        %two = constant 2 : i32
        %one = constant 1 : i64
        %t = alloca : memref<i32,local>
        store %two, %t[]
        axpby %two, %t, %two, %z
        foreach (%i,%j,%k)=(%zero,%zero,%zero),(%rows,%four,%four) {
            %twice = add %k, %k : index
            %n = cast %twice : i64
            store %n, %p[%i,%j,%k]
        }
        %A = alloca : memref<i64x17x4,local>
        foreach (%i,%j)=(%zero,%zero),(%rows,%four) {
            store %one, %A[%i,%j]
        }
        gemv %one, %A, %x, %one, %y
    }
    func @columns(%p: memref<c32x5x5>, %x: memref<c32x4>, %q: memref<c32>)
            attributes{subgroup_size=16, work_group_size=[16,1]} {
        %o = constant 0 : index
        %four = constant 4 : index
        %five = constant 5 : index
        %zero = constant [0.0,0.0] : c32
        %one = constant [1.0,0.0] : c32
        %s = load %q[] : c32
        foreach (%i,%j)=(%o,%o),(%five,%five) {
            store %one, %p[%i,%j]
        }
        %A = alloca : memref<c32x4x5,local>
        foreach (%i,%j)=(%o,%o),(%four,%five) {
            store %one, %A[%i,%j]
        }
        sum.atomic %s, %A, %zero, %x
    }";
    for level in [0, 2] {
        let (x, y) = (device.memory(&[0i32; 64])?, device.memory(&[0i32; 256])?);
        device.run_text(text, level, "lanes", [1, 1, 1], &[(&x).into(), (&y).into()])?;
        expect_equal("x", &x, &[2; 64])?;
        expect_equal("y", &y, &[2; 256])?;
        let x = device.memory(&[0i32; 33])?;
        let (s, a) = (device.memory(&[1i32; 528])?, device.memory(&[0i32; 528])?);
        device.run_text(text, level, "mask", [1, 1, 1], &[(&x).into(), (&s).into(), (&a).into()])?;
        let sums: Vec<i32> = (0..528).map(|at| 2 + at / 33 % 4).collect();
        expect_equal("A", &a, &sums)?;
        let (x, z, p) =
            (device.memory(&[3i32; 4])?, device.memory(&[1i32])?, device.memory(&[0i64; 17 * 16])?);
        // Longer than the kernel knows.
        let y = device.memory(&[1i64; 64])?;
        let arguments = [(&p).into(), (&x).into(), (&y).into(), (&z).into()];
        device.run_text(text, level, "rows", [1, 1, 1], &arguments)?;
        let sums: Vec<i64> = (0..64).map(|row| if row < 17 { 13 } else { 1 }).collect();
        expect_equal("y", &y, &sums)?;
        expect_equal("z", &z, &[6])?;
        let (p, x) = (device.memory(&[0f32; 50])?, device.memory(&[1f32; 32])?);
        let q = device.memory(&[2f32, 0.0])?;
        device.run_text(text, level, "columns", [1, 1, 1], &[(&p).into(), (&x).into(), (&q).into()])?;
        let sums: Vec<f32> = (0..32).map(|at| if at >= 8 { 1.0 } else { [10.0, 0.0][at % 2] }).collect();
        expect_equal("x", &x, &sums)?;
    }
    Ok(())
}

/// A range whose loops a driver takes half a minute to unroll, if it may.
fn narrow_counters(device: &Device) -> Outcome {
    f16::require(device)?;
    let text = "func @fill(%A: memref<f16x33x33x17>) attributes{subgroup_size=16, work_group_size=[16,1]} {
        %from = constant 0 : i16
        %rows = constant 33 : i16
        %pages = constant 17 : i16
        %three = constant 3.0 : f16
        foreach (%i,%j,%k)=(%from,%from,%from),(%rows,%rows,%pages) {
            %x = cast %i : index
            %y = cast %j : index
            %z = cast %k : index
            store %three, %A[%x,%y,%z]
        }
    }";
    let elements = 33 * 33 * 17;
    let a = device.memory(&vec![f16::ZERO; elements])?;
    device.run_text(text, 2, "fill", [1, 1, 1], &[(&a).into()])?;
    expect_equal("A", &a, &vec![f16::from_f32(3.0); elements])
}

/// A product of `i8` from local memory whose masks of rows equal those of the `foreach` that filled it, in several subgroups; a driver's
/// compiler crashed.
fn narrow_masks(device: &Device) -> Outcome {
    for (size, shape) in [(16, [16, 4]), (32, [32, 2])] {
        if !device.has_geometry(size, shape) {
            continue;
        }
        let [x, y] = shape;
        let text = format!(
            "func @product(%C: memref<i8x15x15>) attributes{{subgroup_size={size}, work_group_size=[{x},{y}]}} {{
                %A = alloca : memref<i8x8x15,local>
                %B = alloca : memref<i8x8x15,local>
                %zero = constant 0 : i8
                %two = constant 2 : i8
                %three = constant 3 : i8
                %from = constant 0 : index
                %rows = constant 8 : index
                %cols = constant 15 : index
                foreach (%i,%j)=(%from,%from),(%rows,%cols) {{
                    store %three, %A[%i,%j]
                    store %two, %B[%i,%j]
                }}
                gemm.t %two, %A, %B, %zero, %C
            }}"
        );
        let c = device.memory(&[1i8; 225])?;
        device.run_text(&text, 2, "product", [1, 1, 1], &[(&c).into()])?;
        expect_equal("C", &c, &[96; 225])?;
    }
    Ok(())
}

/// Negatives that a barrier separates from their store; in all subgroups but the last a driver's compiler made them of the last one's
/// numbers.
fn negative_behind_barrier(device: &Device) -> Outcome {
    if !device.has_geometry(16, [32, 1]) {
        return Ok(());
    }
    let text = "func @f(%A: memref<f32x32x16>, %B: memref<f32x16x5>, %C: memref<f32x32x5>)
            attributes{subgroup_size=16, work_group_size=[32,1]} {
        %i, %j = tile_order.linear_n 1, 2
        %col = mul %j, 4
        %sum = for %k=0,16,8 init(%s=0.0) -> (tile<f32x32x4,matrix_acc>) {
            %a = tile_load %A[0,%k] : 32 x 8
            %b = tile_load %B[%k,%col] : 8 x 4
            %t = tile_dot %a, %b, %s
            yield (%t)
        }
        %c = tile_load %C[0,%col] : 32 x 4
        %all = add %sum, %c
        %odd = for %l=0,3 init(%x=%all) {
            %n = neg %x
            yield (%n)
        }
        tile_store %odd, %C[0,%col] mask (%r,%q) {
            %there = less_than %r, 31
            yield (%there)
        }
    }";
    let rows: Vec<f32> = (0..32u8).map(f32::from).collect();
    let (a, b) = (device.memory(&rows.repeat(16))?, device.memory(&[1f32; 80])?);
    for level in [0, 2] {
        let c = device.memory(&[0f32; 160])?;
        device.run_text(text, level, "f", [1, 2, 1], &[(&a).into(), (&b).into(), (&c).into()])?;
        let sums: Vec<f32> = rows.iter().map(|&row| if row < 31.0 { -16.0 * row } else { 0.0 }).collect();
        expect_equal("C", &c, &sums.repeat(5))?;
    }
    Ok(())
}

/// A quotient that a driver's compiler took for -1, and crashed over where it made it again behind a barrier.
fn quotient_behind_barrier(device: &Device) -> Outcome {
    device.require(SpirvFeature::Float64)?;
    if !device.has_geometry(16, [16, 1]) {
        return Ok(());
    }
    let text = "func @f(%A: memref<f64x15x15>, %x: memref<f64x40>)
            attributes{subgroup_size=16, work_group_size=[16,1]} {
        %a = load %x[0]
        %b = log %a
        %n = neg %b
        %q = div %b, %n
        parallel {
            %z = constant 1.0 : coopmatrix<f64x64x2,matrix_acc>
            cooperative_matrix_store.both_checked %z, %A[0,0]
        }
        store %q, %A[0,0]
    }";
    let x = device.memory(&[3f64; 40])?;
    for level in [0, 2] {
        let a = device.memory(&[0f64; 225])?;
        device.run_text(text, level, "f", [1, 1, 1], &[(&a).into(), (&x).into()])?;
        let entry = |at| if at == 0 { -1.0 } else { f64::from(at < 30) };
        expect_equal("A", &a, &(0..225).map(entry).collect::<Vec<f64>>())?;
    }
    Ok(())
}

/// A range of `foreach` and the types of its modes.
struct Range {
    bounds: Vec<(i64, i64)>,
    types: Vec<&'static str>,
    geometry: Option<(i32, [i32; 2])>,
}

/// Every point of a range is visited once, and no other.
fn foreach(device: &Device, level: i32) -> Outcome {
    let mut ranges = Vec::new();
    let mut push = |bounds: &[(i64, i64)], types: &[&'static str]| {
        for geometry in
            [None, Some((4, [8, 2])), Some((16, [16, 1])), Some((32, [64, 4])), Some((64, [64, 1]))]
        {
            ranges.push(Range { bounds: bounds.to_vec(), types: types.to_vec(), geometry });
        }
    };
    for bounds in [(0, 1), (0, 64), (0, 200), (3, 3), (5, 2), (-7, 90), (100, 127), (-128, 127)] {
        for ty in ["i8", "i16", "i32", "i64", "index"] {
            // 200 is no i8.
            if ty != "i8" || bounds.1 < 128 {
                push(&[bounds], &[ty]);
            }
        }
    }
    push(&[(0, 1), (0, 1)], &["index", "index"]);
    push(&[(-9, 40), (2, 25)], &["i32", "i8"]);
    push(&[(1, 33), (-3, 30)], &["i8", "i64"]);
    push(&[(0, 16), (5, 5)], &["i16", "index"]);
    push(&[(7, 7), (0, 16)], &["i16", "index"]);
    push(&[(0, 64), (0, 3)], &["i32", "i32"]);
    push(&[(-2, 19), (1, 6), (0, 4)], &["index", "i16", "i8"]);
    push(&[(0, 5), (0, 9), (3, 3)], &["i32", "i32", "i32"]);
    push(&[(4, 37), (-1, 1), (2, 9)], &["i8", "i32", "index"]);
    push(&[(1, 6), (2, 5), (-2, 2), (0, 3)], &["i32", "i16", "index", "i8"]);
    ranges.retain(|range| range.geometry.is_none_or(|(size, group)| device.has_geometry(size, group)));

    let texts: Vec<String> = ranges.iter().map(foreach_text).collect();
    let kernels = Kernels::new(texts.iter().cloned());
    let program = device.build(&kernels.text, level)?;
    for (i, range) in ranges.iter().enumerate() {
        let extents = extents(range.bounds.len());
        let mut expected = vec![0i64; extents.iter().product::<i64>() as usize];
        let results = device.memory(&expected)?;
        visit(&range.bounds, &mut Vec::new(), &mut |point| {
            let (mut place, mut distance, mut value) = (0, 1, 1);
            for ((&at, extent), weight) in point.iter().zip(&extents).zip(WEIGHTS) {
                place += (at + extent / 2) * distance;
                distance *= extent;
                value += weight * at;
            }
            expected[place as usize] = value;
        });
        let mut arguments: Vec<Argument<'_>> = vec![(&results).into()];
        for (&(from, to), ty) in range.bounds.iter().zip(&range.types) {
            arguments.extend([from, to].map(|bound| match *ty {
                "i8" => Argument::from(bound as i8),
                "i16" => Argument::from(bound as i16),
                "i32" => Argument::from(bound as i32),
                _ => Argument::from(bound),
            }));
        }
        run(&program, kernels.name(i), [1, 1, 1], &arguments)?;
        expect_equal(&texts[i], &results, &expected)?;
    }
    Ok(())
}

const WEIGHTS: [i64; 4] = [7, 1000, 100_000, 10_000_000];

/// Sizes of the result tensor; its middle is the origin.
fn extents(order: usize) -> Vec<i64> {
    match order {
        1 => vec![512],
        2 => vec![100, 100],
        _ => vec![80, 24, 24, 8][..order].to_vec(),
    }
}

/// Calls `at` with every point.
fn visit(bounds: &[(i64, i64)], point: &mut Vec<i64>, at: &mut dyn FnMut(&[i64])) {
    match bounds.get(point.len()) {
        None => at(point),
        Some(&(from, to)) => {
            for position in from..to {
                point.push(position);
                visit(bounds, point, at);
                point.pop();
            }
        }
    }
}

fn foreach_text(range: &Range) -> String {
    let extents = extents(range.bounds.len());
    let shape: String = extents.iter().map(|extent| format!("x{extent}")).collect();
    let modes = 0..range.bounds.len();
    let list = |prefix: &str| modes.clone().map(|i| format!("%{prefix}{i}")).collect::<Vec<_>>().join(",");
    let mut parameters = format!("%R: memref<i64{shape}>");
    let (mut shifts, mut body) = (String::new(), String::new());
    for (i, ty) in range.types.iter().enumerate() {
        let _ = write!(parameters, ", %f{i}: {ty}, %t{i}: {ty}");
        let _ = writeln!(
            shifts,
            "%s{i} = constant {} : index\n%w{i} = constant {} : i64",
            extents[i] / 2,
            WEIGHTS[i]
        );
        let _ = writeln!(
            body,
            "%x{i} = cast %l{i} : index\n%p{i} = add %x{i}, %s{i} : index
             %y{i} = cast %l{i} : i64\n%z{i} = mul %y{i}, %w{i} : i64\n%v{} = add %v{i}, %z{i} : i64",
            i + 1
        );
    }
    let n = range.bounds.len();
    let attributes = range.geometry.map_or(String::new(), |(size, [x, y])| {
        format!("attributes{{subgroup_size={size}, work_group_size=[{x},{y}]}}")
    });
    // What is there is added, so that a second visit shows.
    format!(
        "({parameters}) {attributes} {{
             {shifts}
             foreach ({})=({}),({}) {{
                 %v0 = constant 1 : i64
                 {body}
                 %there = load %R[{}] : i64
                 %sum = add %there, %v{n} : i64
                 store %sum, %R[{}]
             }}
         }}\n",
        list("l"),
        list("f"),
        list("t"),
        list("p"),
        list("p"),
    )
}

/// Sums over a loop with bounds and step known at run time only; three carried values, one a bool.
fn loops<T: Number>(device: &Device, level: i32, ty: &str) -> Outcome {
    let text = format!(
        "func @loop(%from: {ty}, %to: {ty}, %step: {ty}, %R: memref<i64x4>) {{
             %zero = constant 0 : i64
             %one = constant 1 : i64
             %no = constant false : bool
             %sum,%trips,%odd = for %l=%from,%to,%step
                     init(%s=%zero,%n=%zero,%p=%no) -> (i64,i64,bool) {{
                 %x = cast %l : i64
                 %s1 = add %s, %x : i64
                 %n1 = add %n, %one : i64
                 %p1 = not %p : bool
                 yield (%s1,%n1,%p1)
             }}
             %last = for %l=%from,%to init(%previous=%zero) -> (i64) {{
                 %x = cast %l : i64
                 yield (%x)
             }}
             %parity = if %odd -> (i64) {{ yield (%one) }} else {{ yield (%zero) }}
             %i0 = constant 0 : index
             %i1 = constant 1 : index
             %i2 = constant 2 : index
             %i3 = constant 3 : index
             store %sum, %R[%i0]
             store %trips, %R[%i1]
             store %parity, %R[%i2]
             store %last, %R[%i3]
         }}"
    );
    let program = device.build(&text, level)?;
    for (from, to, step) in
        [(0, 10, 1), (-5, 7, 3), (3, 3, 1), (9, 2, 4), (-100, 100, 7), (-128, -120, 1), (0, 1, 50)]
    {
        let trips = (from..to).step_by(step as usize).count() as i64;
        let sum: i64 = (from..to).step_by(step as usize).sum();
        let last = if from < to { to - 1 } else { 0 };
        let results = device.memory(&[-1i64; 4])?;
        let bound = |value: i64| -> Argument<'static> { T::from_i64(value).into() };
        run(&program, "loop", [1, 1, 1], &[bound(from), bound(to), bound(step), (&results).into()])?;
        expect_equal(&format!("{from}..{to} by {step}"), &results, &[sum, trips, trips % 2, last])?;
    }
    Ok(())
}

/// Loops in loops, with a branch inside, and swapped carried values.
fn nested(device: &Device, level: i32) -> Outcome {
    let text = "func @nested(%n: i32, %m: i32, %R: memref<i32x2>) {
        %zero = constant 0 : i32
        %one = constant 1 : i32
        %two = constant 2 : i32
        %a,%b = for %i=%zero,%n init(%a=%zero,%b=%one) -> (i32,i32) {
            %s = for %j=%i,%m,%two init(%s=%a) -> (i32) {
                %p = mul %i, %j : i32
                %big = greater_than %p, %b : bool
                %t = if %big -> (i32) {
                    %t = add %s, %p : i32
                    yield (%t)
                } else {
                    %t = for %k=%zero,%j init(%t=%s) -> (i32) {
                        %u = add %t, %k : i32
                        yield (%u)
                    }
                    yield (%t)
                }
                yield (%t)
            }
            yield (%b, %s)
        } attributes{unroll=2}
        %i0 = constant 0 : index
        %i1 = constant 1 : index
        store %a, %R[%i0]
        store %b, %R[%i1]
    }";
    let program = device.build(text, level)?;
    for (n, m) in [(0, 5), (1, 5), (4, 9), (7, 7), (6, 20)] {
        let (mut a, mut b) = (0i32, 1i32);
        for i in 0..n {
            let mut s = a;
            for j in (i..m).step_by(2) {
                s = if i * j > b { s + i * j } else { (0..j).fold(s, |t, k| t + k) };
            }
            (a, b) = (b, s);
        }
        let results = device.memory(&[-1i32; 2])?;
        run(&program, "nested", [1, 1, 1], &[n.into(), m.into(), (&results).into()])?;
        expect_equal(&format!("{n}, {m}"), &results, &[a, b])?;
    }
    Ok(())
}

/// Loops whose trip counts the compiler knows, with every way of unrolling.
fn constant_loops(device: &Device, level: i32) -> Outcome {
    let mut text = String::from("func @constant(%x: f32, %R: memref<f32x?>) {\n");
    let mut expected = Vec::new();
    for (from, to, step) in [(0i32, 8i32, 1i32), (0, 0, 1), (5, 3, 1), (2, 3, 1), (-4, 9, 5), (0, 33, 2)] {
        for unroll in ["", "attributes{unroll=true}", "attributes{unroll=false}", "attributes{unroll=3}"] {
            let n = expected.len();
            let _ = writeln!(
                text,
                "%f{n} = constant {from} : i32\n%t{n} = constant {to} : i32\n%s{n} = constant {step} : i32
                 %r{n} = for %l{n}=%f{n},%t{n},%s{n} init(%a{n}=%x) -> (f32) {{
                     %c = cast %l{n} : f32
                     %d = add %a{n}, %c : f32
                     yield (%d)
                 }} {unroll}
                 %i{n} = constant {n} : index\nstore %r{n}, %R[%i{n}]"
            );
            expected.push((from..to).step_by(step as usize).fold(0.5, |sum, l| sum + l as f32));
        }
    }
    text += "}";
    let results = device.memory(&vec![-1f32; expected.len()])?;
    let arguments = [0.5f32.into(), (&results).into(), (expected.len() as i64).into()];
    device.run_text(&text, level, "constant", [1, 1, 1], &arguments)?;
    expect_equal("loops", &results, &expected)
}

/// Branches with and without results, nested, on conditions known and unknown.
fn branches(device: &Device, level: i32) -> Outcome {
    let text = "func @branches(%a: i32, %b: i32, %f: f64, %R: memref<i32x8>, %F: memref<f64x2>) {
        %i0 = constant 0 : index
        %i1 = constant 1 : index
        %i2 = constant 2 : index
        %i3 = constant 3 : index
        %i4 = constant 4 : index
        %i5 = constant 5 : index
        %yes = constant true : bool
        %no = constant false : bool
        %less = less_than %a, %b : bool
        if %less { store %a, %R[%i0] }
        if %less { store %a, %R[%i1] } else { store %b, %R[%i1] }
        if %less { } else { store %b, %R[%i2] }
        if %yes { store %a, %R[%i3] } else { store %b, %R[%i3] }
        if %no { store %a, %R[%i4] } else { if %less { store %b, %R[%i4] } else { store %a, %R[%i4] } }
        %x,%y,%p = if %less -> (i32,f64,bool) {
            %d = sub %b, %a : i32
            yield (%d,%f,%no)
        } else {
            %d = sub %a, %b : i32
            %g,%q = if %yes -> (f64,bool) {
                %n = neg %f : f64
                yield (%n,%yes)
            } else {
                yield (%f,%no)
            }
            yield (%d,%g,%q)
        }
        store %x, %R[%i5]
        store %y, %F[%i0]
        %z = if %p -> (f64) { yield (%y) } else { %h = add %y, %y : f64 yield (%h) }
        store %z, %F[%i1]
    }";
    <f64 as Number>::require(device)?;
    let program = device.build(text, level)?;
    for (a, b) in [(3i32, 8i32), (8, 3), (-4, -4)] {
        let less = a < b;
        let (r, f) = (device.memory(&[99i32; 8])?, device.memory(&[0.0f64; 2])?);
        run(&program, "branches", [1, 1, 1], &[a.into(), b.into(), 1.5f64.into(), (&r).into(), (&f).into()])?;
        let expected = [
            if less { a } else { 99 },
            a.min(b),
            if less { 99 } else { b },
            a,
            a.max(b),
            (a - b).abs(),
            99,
            99,
        ];
        expect_equal(&format!("{a}, {b}"), &r, &expected)?;
        expect_equal(&format!("{a}, {b}"), &f, &if less { [1.5, 3.0] } else { [-1.5, -1.5] })?;
    }
    Ok(())
}

/// Work-items pass numbers round in local and in global memory, with barriers written by hand.
fn barriers(device: &Device, level: i32) -> Outcome {
    for (size, [x, y]) in [(4, [4, 1]), (8, [32, 2]), (16, [64, 4]), (32, [128, 1]), (64, [128, 2])] {
        if !device.has_geometry(size, [x, y]) {
            continue;
        }
        let items = i64::from(x * y);
        let text = format!(
            "func @round(%G: memref<i32x{items}x?>, %R: memref<i32x{items}x?>, %rounds: i32)
                    attributes{{subgroup_size={size}, work_group_size=[{x},{y}]}} {{
                %L = alloca : memref<i32x{items},local>
                %group = group_id.x : index
                %zero = constant 0 : i32
                %one = constant 1 : i32
                %n = constant {items} : i32
                %g = subview %G[0:{items},%group] : memref<i32x{items}>
                parallel {{
                    %id = subgroup_linear_id : i32
                    %size = subgroup_size : i32
                    %lane = subgroup_local_id : i32
                    %start = mul %id, %size : i32
                    %item = add %start, %lane : i32
                    %next = add %item, %one : i32
                    %wrapped = rem %next, %n : i32
                    %me = cast %item : index
                    %other = cast %wrapped : index
                    %gi = cast %group : i32
                    %first = add %item, %gi : i32
                    %last = for %round=%zero,%rounds init(%v=%first) -> (i32) {{
                        store %v, %L[%me]
                        barrier.local
                        %a = load %L[%other] : i32
                        barrier.local
                        %b = add %a, %round : i32
                        store %b, %g[%me]
                        barrier.global
                        %c = load %g[%other] : i32
                        barrier.global
                        yield (%c)
                    }}
                    store %last, %R[%me,%group]
                }}
            }}"
        );
        let (groups, rounds) = (5, 9);
        let length = (items * groups) as usize;
        let (g, r) = (device.memory(&vec![0i32; length])?, device.memory(&vec![-1i32; length])?);
        let arguments = [(&g).into(), groups.into(), (&r).into(), groups.into(), (rounds as i32).into()];
        device.run_text(&text, level, "round", [groups as usize, 1, 1], &arguments)?;
        let mut expected = Vec::new();
        for group in 0..groups {
            for item in 0..items {
                let passed = (item + 2 * rounds) % items;
                expected.push((passed + group + rounds * (rounds - 1) / 2) as i32);
            }
        }
        expect_equal(&format!("subgroups of {size} in {x}x{y}"), &r, &expected)?;
    }
    Ok(())
}
