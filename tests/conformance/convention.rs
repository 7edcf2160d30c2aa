//! The calling convention: each row of the tables in API reference 8.2 and 8.3, and groups.

use std::fmt::Write as _;

use crate::Case;
use crate::device::{Argument, Device, Memory, Outcome, run};
use crate::numbers::expect_equal;

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        Case::new("convention::memrefs", memrefs),
        Case::new("convention::groups", groups),
        Case::new("convention::scalars", scalars),
        Case::new("convention::group_extents", group_extents),
        Case::new("convention::group_gemm", group_gemm),
        Case::new("convention::null", null),
    ];
    for offset in ["", ", offset: 0", ", offset: 5", ", offset: ?"] {
        for size in ["4", "?"] {
            let name = format!("convention::offset::{}::{size}", offset.trim_start_matches(", offset: "));
            cases.push(Case::new(name, move |device| group_offset(device, size, offset)));
        }
    }
    cases
}

/// Calls a kernel that notes every extent of its parameter, then that of the parameter behind it, so that a
/// surplus or missing argument shows. `arguments` are those of the parameter.
fn expect_sizes(
    device: &Device,
    ty: &str,
    prepare: &str,
    tensor: &str,
    arguments: &[Argument<'_>],
    sizes: &[i64],
) -> Outcome {
    let mut body = String::new();
    for i in 0..sizes.len() {
        let _ = writeln!(
            body,
            "%i{i} = constant {i} : index\n%s{i} = size %{tensor}[{i}] : index
             %v{i} = cast %s{i} : i64\nstore %v{i}, %R[%i{i}]"
        );
    }
    let n = sizes.len();
    let text = format!(
        "func @sizes(%p: {ty}, %sentinel: i64, %R: memref<i64x8>) {{
             {prepare}
             {body}
             %end = constant {n} : index
             store %sentinel, %R[%end]
         }}"
    );
    let results = device.memory(&[-1i64; 8])?;
    let mut all = arguments.to_vec();
    all.extend([Argument::from(4711i64), Argument::from(&results)]);
    device.run_text(&text, 2, "sizes", [1, 1, 1], &all)?;
    let mut expected = sizes.to_vec();
    expected.push(4711);
    expect_equal(ty, &results[..=n], &expected)
}

fn memrefs(device: &Device) -> Outcome {
    let memory = device.memory(&[0f64; 4])?;
    let pointer = || Argument::from(&memory);
    let with = |sizes: &[i64]| -> Vec<Argument<'_>> {
        [pointer()].into_iter().chain(sizes.iter().map(|&size| size.into())).collect()
    };
    for (ty, sizes, arguments) in [
        ("memref<f64>", &[][..], &[][..]),
        ("memref<f32x7x3>", &[7, 3], &[]),
        ("memref<f32x7x?>", &[7, 11], &[11]),
        ("memref<f32x?x3>", &[12, 3], &[12, 12]),
        ("memref<f32x?x3,strided<1,64>>", &[12, 3], &[12]),
        ("memref<f32x?x?>", &[12, 13], &[12, 13, 12]),
        ("memref<i16x?x5x?,strided<1,20,100>>", &[2, 5, 4], &[2, 4]),
        ("memref<f32x4x?x6>", &[4, 8, 6], &[8, 32]),
        ("memref<f32x4x?x6,strided<1,4,?>>", &[4, 8, 6], &[8, 32]),
    ] {
        expect_sizes(device, ty, "", "p", &with(arguments), sizes)?;
    }
    Ok(())
}

fn groups(device: &Device) -> Outcome {
    let memory = device.memory(&[0f32; 4])?;
    let pointers = device.memory(&[memory.address(); 9])?;
    let table = |first: i64| device.memory(&(first..first + 9).collect::<Vec<i64>>());
    let (shapes, strides) = (table(100)?, table(200)?);
    let p = || Argument::from(&pointers);
    let (n, s, t) = (Argument::from(9i64), Argument::from(&shapes), Argument::from(&strides));
    let o = Argument::from(0i64);
    for (ty, member, arguments, sizes) in [
        ("group<memref<f32x4x4>x8>", "memref<f32x4x4>", vec![p()], &[4, 4][..]),
        ("group<memref<f32x4x4>x?>", "memref<f32x4x4>", vec![p(), n], &[4, 4]),
        ("group<memref<f32x?>x?, offset: ?>", "memref<f32x?>", vec![p(), s, n, o], &[103]),
        ("group<memref<f32x8x?x9>x8>", "memref<f32x8x?x9>", vec![p(), s, t], &[8, 103, 9]),
        ("group<memref<f32x9>x5, offset: ?>", "memref<f32x9>", vec![p(), o], &[9]),
        ("group<memref<f32x9>x?, offset: 42>", "memref<f32x9>", vec![p(), n], &[9]),
    ] {
        let prepare = format!("%three = constant 3 : index\n%m = load %p[%three] : {member}");
        expect_sizes(device, ty, &prepare, "m", &arguments, sizes)?;
    }
    Ok(())
}

/// Numbers of every type between pointers.
fn scalars(device: &Device) -> Outcome {
    let text = "func @scalars(%a: i8, %R: memref<i64x5>, %b: i16, %c: i32, %d: i64, %e: index, %f: f32,
                              %F: memref<f64x2>, %g: f64) {
        %i0 = constant 0 : index
        %i1 = constant 1 : index
        %i2 = constant 2 : index
        %i3 = constant 3 : index
        %i4 = constant 4 : index
        %a1 = cast %a : i64
        %b1 = cast %b : i64
        %c1 = cast %c : i64
        %e1 = cast %e : i64
        %f1 = cast %f : f64
        store %a1, %R[%i0]
        store %b1, %R[%i1]
        store %c1, %R[%i2]
        store %d, %R[%i3]
        store %e1, %R[%i4]
        store %f1, %F[%i0]
        store %g, %F[%i1]
    }";
    device.require(tiletc::device::SpirvFeature::Float64)?;
    let (r, f) = (device.memory(&[0i64; 5])?, device.memory(&[0f64; 2])?);
    let arguments = [
        (-100i8).into(),
        (&r).into(),
        (-30_000i16).into(),
        (-2_000_000_000i32).into(),
        (i64::MIN + 3).into(),
        (1i64 << 40).into(),
        0.1f32.into(),
        (&f).into(),
        0.1f64.into(),
    ];
    device.run_text(text, 2, "scalars", [1, 1, 1], &arguments)?;
    expect_equal("integers", &r, &[-100, -30_000, -2_000_000_000, i64::MIN + 3, 1 << 40])?;
    expect_equal("floats", &f, &[f64::from(0.1f32), 0.1])
}

/// The offset of a group moves every pointer by that many elements; the index is left alone.
fn group_offset(device: &Device, size: &str, offset: &str) -> Outcome {
    let text = format!(
        "func @gather(%G: group<memref<i32x3>x{size}{offset}>, %R: memref<i32x3x4>) {{
            %e = group_id.x : index
            %zero = constant 0 : index
            %three = constant 3 : index
            %m = load %G[%e] : memref<i32x3>
            foreach (%i)=(%zero),(%three) {{
                %v = load %m[%i] : i32
                store %v, %R[%i,%e]
            }}
        }}"
    );
    let members: Vec<Memory<i32>> = (0..4)
        .map(|member| device.memory(&(0..16).map(|i| 100 * member + i).collect::<Vec<i32>>()))
        .collect::<Outcome<_>>()?;
    let pointers = device.memory(&members.iter().map(Memory::address).collect::<Vec<u64>>())?;
    let program = device.build(&text, 2)?;
    for shift in [0, 5, 13] {
        let fixed = offset.rsplit(' ').next().and_then(|text| text.parse::<i32>().ok());
        let expected_shift = if offset.ends_with('?') { shift } else { fixed.unwrap_or(0) };
        let results = device.memory(&[-1i32; 12])?;
        let mut arguments = vec![Argument::from(&pointers)];
        if size == "?" {
            arguments.push(4i64.into());
        }
        if offset.ends_with('?') {
            arguments.push(i64::from(shift).into());
        }
        arguments.push((&results).into());
        run(&program, "gather", [4, 1, 1], &arguments)?;
        let expected: Vec<i32> = (0..12).map(|n| 100 * (n / 3) + n % 3 + expected_shift).collect();
        expect_equal(&text, &results, &expected)?;
    }
    Ok(())
}

/// Members of different sizes and strides.
fn group_extents(device: &Device) -> Outcome {
    let text = "func @sum(%G: group<memref<f32x?x?,strided<1,?>>x?, offset: 2>, %R: memref<f32x?>) {
        %e = group_id.x : index
        %m = load %G[%e] : memref<f32x?x?,strided<1,?>>
        %zero = constant 0 : index
        %rows = size %m[0] : index
        %cols = size %m[1] : index
        %none = constant 0.0 : f32
        %sum = for %j=%zero,%cols init(%s=%none) -> (f32) {
            %t = for %i=%zero,%rows init(%t=%s) -> (f32) {
                %v = load %m[%i,%j] : f32
                %u = add %t, %v : f32
                yield (%u)
            }
            yield (%t)
        }
        store %sum, %R[%e]
    }";
    let sizes = [(3i64, 4i64, 5i64), (1, 1, 9), (7, 2, 7), (0, 5, 3), (4, 0, 4)];
    // Small integers, so that sums are exact.
    let members: Vec<Memory<f32>> = (0..5)
        .map(|e| device.memory(&(0..60).map(|i| (i * (e + 1) % 17) as f32).collect::<Vec<_>>()))
        .collect::<Outcome<_>>()?;
    let pointers = device.memory(&members.iter().map(Memory::address).collect::<Vec<u64>>())?;
    let rows = device.memory(&sizes.map(|(rows, ..)| rows))?;
    let cols = device.memory(&sizes.map(|(_, cols, _)| cols))?;
    let leading = device.memory(&sizes.map(|(.., leading)| leading))?;
    let results = device.memory(&[-1f32; 5])?;
    let arguments = [
        (&pointers).into(),
        (&rows).into(),
        (&cols).into(),
        (&leading).into(),
        5i64.into(),
        (&results).into(),
        5i64.into(),
    ];
    device.run_text(text, 2, "sum", [5, 1, 1], &arguments)?;
    let mut expected = Vec::new();
    for (member, (rows, cols, leading)) in members.iter().zip(sizes) {
        let places = (0..cols).flat_map(|j| (0..rows).map(move |i| 2 + i + j * leading));
        expected.push(places.map(|place| member[place as usize]).sum::<f32>());
    }
    expect_equal("sums", &results, &expected)
}

/// gemm straight on members of groups, with tables of sizes.
fn group_gemm(device: &Device) -> Outcome {
    let text = "func @product(%A: group<memref<i32x?x3,strided<1,?>>x?>, %B: group<memref<i32x3x2>x6>,
                              %C: group<memref<i32x?x2,strided<1,8>>x?, offset: ?>) {
        %e = group_id.y : index
        %a = load %A[%e] : memref<i32x?x3,strided<1,?>>
        %b = load %B[%e] : memref<i32x3x2>
        %c = load %C[%e] : memref<i32x?x2,strided<1,8>>
        %two = constant 2 : i32
        %one = constant 1 : i32
        gemm %two, %a, %b, %one, %c
    }";
    let member =
        |e: i32, factor: i32| -> Vec<i32> { (0..40).map(|i| (i * factor + 7 * e) % 23 - 11).collect() };
    let members = |factor: i32| -> Outcome<Vec<Memory<i32>>> {
        (0..6).map(|e| device.memory(&member(e, factor))).collect()
    };
    let (a, b, c) = (members(3)?, members(5)?, members(1)?);
    let addresses =
        |members: &[Memory<i32>]| device.memory(&members.iter().map(Memory::address).collect::<Vec<u64>>());
    let (pa, pb, pc) = (addresses(&a)?, addresses(&b)?, addresses(&c)?);
    let rows = device.memory(&[1i64, 2, 3, 5, 7, 8])?;
    let leading = device.memory(&[1i64, 9, 3, 6, 10, 8])?;
    let arguments = [
        (&pa).into(),
        (&rows).into(),
        (&leading).into(),
        6i64.into(),
        (&pb).into(),
        (&pc).into(),
        (&rows).into(),
        6i64.into(),
        4i64.into(),
    ];
    device.run_text(text, 2, "product", [1, 6, 1], &arguments)?;
    for e in 0..6 {
        let mut expected = member(e as i32, 1);
        for (i, j) in (0..rows[e] as usize).flat_map(|i| [(i, 0), (i, 1)]) {
            let sum: i32 = (0..3).map(|l| a[e][i + l * leading[e] as usize] * b[e][l + 3 * j]).sum();
            expected[4 + i + 8 * j] += 2 * sum;
        }
        expect_equal(&format!("member {e}"), &c[e], &expected)?;
    }
    Ok(())
}

/// A null pointer is fine as long as nobody follows it.
fn null(device: &Device) -> Outcome {
    let text = "func @null(%a: memref<f32x?>, %g: group<memref<f32x?>x?>, %use: i32, %R: memref<i64>) {
        %zero = constant 0 : i32
        %first = constant 0 : index
        %n = size %a[0] : index
        %m = cast %n : i64
        store %m, %R[]
        %follow = not_equal %use, %zero : bool
        if %follow {
            %b = load %g[%first] : memref<f32x?>
            %v = load %b[%first] : f32
            store %v, %a[%first]
        }
    }";
    let results = device.memory(&[0i64])?;
    let null = Argument::null;
    let arguments = [null(), 17i64.into(), null(), null(), 3i64.into(), 0i32.into(), (&results).into()];
    device.run_text(text, 2, "null", [1, 1, 1], &arguments)?;
    expect_equal("size", &results, &[17])
}
