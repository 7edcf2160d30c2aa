//! Loads and stores of every order, sizes, and parts of memrefs.

use crate::Case;
use crate::device::{Device, Outcome};
use crate::numbers::{Number, Random, expect_equal};

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for level in [0, 2] {
        cases.push(Case::new(format!("memory::orders::level{level}"), move |device| orders(device, level)));
        cases.push(Case::new(format!("memory::strides::level{level}"), move |device| strides(device, level)));
        cases.push(Case::new(format!("memory::sizes::level{level}"), move |device| sizes(device, level)));
        cases.push(Case::new(format!("memory::subviews::level{level}"), move |device| {
            subviews(device, level)
        }));
        cases.push(Case::new(format!("memory::local::level{level}"), move |device| local(device, level)));
        cases.push(Case::new(format!("memory::open_strides::level{level}"), move |device| {
            open_strides(device, level)
        }));
        cases.push(Case::new(format!("memory::local_rows::level{level}"), move |device| {
            local_rows(device, level)
        }));
    }
    cases.push(Case::new("memory::complex", complex));
    cases.push(Case::new("memory::parts_of_complex", parts_of_complex));
    cases
}

/// Complex numbers beside barriers, over which a driver's compiler crashed unless they were read where the program says.
fn complex(device: &Device) -> Outcome {
    f64::require(device)?;
    for size in [4, 8, 16, 32, 64] {
        for group in [[size, 1], [64, 1]].into_iter().filter(|&group| device.has_geometry(size, group)) {
            let attributes = format!("attributes{{subgroup_size={size}, work_group_size=[{},1]}}", group[0]);
            let text = format!(
                "func @sum(%A: memref<c32>) {attributes} {{
                     %a = load %A[] : c32
                     %one = constant [1.0,0.0] : c32
                     %b = alloca : memref<c32,local>
                     store %one, %b[]
                     axpby %a, %b, %one, %A
                     %c = alloca : memref<c32x3,local>
                     %o = constant 0 : index
                     %n = constant 3 : index
                     foreach (%i)=(%o),(%n) {{
                         store %one, %c[%i]
                     }}
                     sum %a, %c, %one, %b
                 }}
                 func @product(%A: memref<c64>, %B: memref<i32x5>) {attributes} {{
                     %a = load %A[] : c64
                     %s = alloca : memref<i32x2x15,local>
                     %t = alloca : memref<i32x2x15,local>
                     %o = constant 0 : index
                     %m = constant 2 : index
                     %n = constant 15 : index
                     %zero = constant 0 : i32
                     %three = constant 3 : i32
                     foreach (%i,%j)=(%o,%o),(%m,%n) {{
                         store %three, %s[%i,%j]
                     }}
                     hadamard %three, %s, %s, %zero, %t
                     %c = alloca : memref<c64,local>
                     %one = constant [1.0,0.0] : c64
                     store %one, %c[]
                     %minus = constant -1.0 : f64
                     axpby %minus, %c, %a, %A
                     %last = constant 11 : index
                     %x = load %t[%o,%last] : i32
                     store %x, %B[%o]
                     %nothing = constant [0.0,0.0] : c64
                     %y = mul %a, %nothing : c64
                 }}
                 func @parameter(%A: memref<bf16x33>, %s: c32) {attributes} {{
                     %o = constant 0 : index
                     %m = constant 33 : index
                     %n = constant 8 : index
                     %one = constant 1.0 : bf16
                     %zero = constant 0.0 : bf16
                     foreach (%i)=(%o),(%m) {{
                         store %one, %A[%i]
                     }}
                     %minus = neg %s : c32
                     %t = alloca : memref<bf16x33x8,local>
                     %u = alloca : memref<bf16x8,local>
                     foreach (%i,%j)=(%o,%o),(%m,%n) {{
                         store %one, %t[%i,%j]
                     }}
                     foreach (%i)=(%o),(%n) {{
                         store %one, %u[%i]
                     }}
                     gemv %zero, %t, %u, %one, %A
                     %never = less_than %m, %o : bool
                     %c = if %never -> (c32) {{
                         yield (%s)
                     }} else {{
                         %differs = not_equal %minus, %s : bool
                         if %differs {{
                         }} else {{
                             parallel {{
                                 %v = constant 1.0 : coopmatrix<bf16x64x4,matrix_acc>
                                 %w = cooperative_matrix_scale %zero, %v : coopmatrix<bf16x64x4,matrix_acc>
                                 cooperative_matrix_store.both_checked %w, %t[%o,%o]
                             }}
                         }}
                         yield (%minus)
                     }}
                 }}"
            );
            for level in [0, 2] {
                let a = device.memory(&[2f32, 0.0])?;
                device.run_text(&text, level, "sum", [1, 1, 1], &[(&a).into()])?;
                expect_equal("sum", &a, &[4.0, 0.0])?;
                let (a, b) = (device.memory(&[2f64, 0.0])?, device.memory(&[0i32; 5])?);
                device.run_text(&text, level, "product", [1, 1, 1], &[(&a).into(), (&b).into()])?;
                expect_equal("product", &a, &[3.0, 0.0])?;
                expect_equal("hadamard", &b, &[27, 0, 0, 0, 0])?;
                let a = device.memory(&[half::bf16::ZERO; 33])?;
                device.run_text(
                    &text,
                    level,
                    "parameter",
                    [1, 1, 1],
                    &[(&a).into(), num_complex::Complex::new(1f32, 0.0).into()],
                )?;
                expect_equal("parameter", &a, &[half::bf16::ONE; 33])?;
            }
        }
    }
    Ok(())
}

/// One part of a complex number that lives across a barrier, which a driver's compiler filled 15 GB for.
fn parts_of_complex(device: &Device) -> Outcome {
    f64::require(device)?;
    device.require_subgroup(16)?;
    let text = "
        func @sum(%A: memref<bf16x3x15x4,strided<1,3,54>>, %z: c64) attributes{subgroup_size=16, work_group_size=[16,1]} {
            %o = constant 0 : i16
            %l = constant 3 : i16
            %m = constant 15 : i16
            %n = constant 4 : i16
            %t = alloca : memref<bf16x3x15x4,local>
            foreach (%i,%j,%k)=(%o,%o,%o),(%l,%m,%n) {
                %x = cast %i : index
                %y = cast %j : index
                %w = cast %k : index
                %number = cast %w : bf16
                store %number, %t[%x,%y,%w]
            }
            %zero = constant 0.0 : bf16
            %one = constant 1.0 : bf16
            cumsum %one, %t, 0, %zero, %A
            foreach (%i,%j,%k)=(%o,%o,%o),(%l,%m,%n) {
                %x = cast %i : index
                %y = cast %j : index
                %w = cast %k : index
                %number = cast %w : bf16
                store %number, %A[%x,%y,%w]
            }
            %s = add %z, %z : c64
            %e = exp %s : c64
        }
        func @square(%R: memref<f64x2>, %z: c64) attributes{subgroup_size=16, work_group_size=[16,1]} {
            %t = alloca : memref<f64x4x16,local>
            %o = constant 0 : index
            %l = constant 1 : index
            %m = constant 4 : index
            %n = constant 16 : index
            %half = constant 0.5 : f64
            foreach (%i,%j)=(%o,%o),(%m,%n) {
                store %half, %t[%i,%j]
            }
            %v = alloca : memref<f64x4,local>
            foreach (%i)=(%o),(%m) {
                store %half, %v[%i]
            }
            %r = subview %R[1] : memref<f64>
            %unit = constant 1.0 : f64
            sum.atomic.t %half, %v, %unit, %r
            %one = constant [1.0,0.0] : c64
            %a,%b = for %i=%l,%o init(%x=%z,%y=%one) -> (c64,c64) {
                yield (%x,%z)
            }
            %part = re %a : f64
            %square = mul %part, %part : f64
            store %square, %t[%l,%o]
            store %part, %R[%o]
        }
        func @exponential(%A: memref<bf16x3x15x4,strided<1,3,54>>, %M: memref<f64x3x3>, %C: memref<c32x3x3>, %z: c64) attributes{subgroup_size=16, work_group_size=[16,1]} {
            %o = constant 0 : i16
            %l = constant 3 : i16
            %m = constant 15 : i16
            %n = constant 4 : i16
            %one = constant 1.0 : bf16
            %zero = constant 0.0 : bf16
            %t = alloca : memref<bf16x3x15x4,local>
            foreach (%i,%j,%k)=(%o,%o,%o),(%l,%m,%n) {
                %x = cast %i : index
                %y = cast %j : index
                %w = cast %k : index
                store %one, %t[%x,%y,%w]
            }
            cumsum %one, %t, 0, %zero, %A
            %begin = constant 0 : index
            %end = constant 3 : index
            foreach_tile (%i,%j)=(%begin,%begin),(%end,%end) as (%p,%q)<=(32,3) {
                %a = cooperative_matrix_load.both_checked %M[%i,%j] : coopmatrix<f64x32x3,matrix_acc>
                %b = neg %a : coopmatrix<f64x32x3,matrix_acc>
                cooperative_matrix_store.both_checked %b, %M[%i,%j]
            }
            foreach (%i,%j,%k)=(%o,%o,%o),(%l,%m,%n) {
                %x = cast %i : index
                %y = cast %j : index
                %w = cast %k : index
                %number = cast %x : bf16
                store %number, %A[%x,%y,%w]
            }
            %s = add %z, %z : c64
            %e = native_exp %s : c64
            parallel {
                %two = constant [2.0,0.0] : coopmatrix<c32x64x2,matrix_acc>
                %minus = neg %two : coopmatrix<c32x64x2,matrix_acc>
                %lane = constant 0 : i32
                %first = subgroup_broadcast %z, %lane : c64
                cooperative_matrix_store.both_checked %minus, %C[%begin,%begin]
            }
            %c = cast %end : c32
        }";
    let z = num_complex::Complex::new(3f64, 0.5);
    for level in [0, 2] {
        let a = device.memory(&[half::bf16::ZERO; 216])?;
        device.run_text(text, level, "sum", [1, 1, 1], &[(&a).into(), z.into()])?;
        let number = |at: usize| half::bf16::from_f32(if at % 54 < 45 { (at / 54) as f32 } else { 0.0 });
        let expected: Vec<half::bf16> = (0..216).map(number).collect();
        expect_equal("sum", &a, &expected)?;
        let r = device.memory(&[0f64, 1.0])?;
        device.run_text(text, level, "square", [1, 1, 1], &[(&r).into(), z.into()])?;
        expect_equal("square", &r, &[3.0, 2.0])?;
        let a = device.memory(&[half::bf16::ZERO; 216])?;
        let (m, c) = (device.memory(&[1f64; 9])?, device.memory(&[num_complex::Complex::new(1f32, 0.0); 9])?);
        device.run_text(
            text,
            level,
            "exponential",
            [1, 1, 1],
            &[(&a).into(), (&m).into(), (&c).into(), z.into()],
        )?;
        let number = |at: usize| half::bf16::from_f32(if at % 54 < 45 { (at % 3) as f32 } else { 0.0 });
        let expected: Vec<half::bf16> = (0..216).map(number).collect();
        expect_equal("exponential", &a, &expected)?;
        expect_equal("exponential", &m, &[-1f64; 9])?;
        let minus = num_complex::Complex::new(-2f32, 0.0);
        let kept = num_complex::Complex::new(1f32, 0.0);
        expect_equal("exponential", &c, &[[minus; 6].as_slice(), &[kept; 3]].concat())?;
    }
    Ok(())
}

/// One element of tensors of order 0 to 4 goes to its mirror image.
fn orders(device: &Device, level: i32) -> Outcome {
    let text = "func @mirror(%a: memref<f32>, %b: memref<f32x7>, %c: memref<f32x7x5>, %d: memref<f32x7x5x3>,
                             %e: memref<f32x7x5x3x2>, %A: memref<f32>, %B: memref<f32x7>, %C: memref<f32x7x5>,
                             %D: memref<f32x7x5x3>, %E: memref<f32x7x5x3x2>) {
        %zero = constant 0 : index
        %one = constant 1 : index
        %two = constant 2 : index
        %four = constant 4 : index
        %six = constant 6 : index
        %seven = constant 7 : index
        %five = constant 5 : index
        %three = constant 3 : index
        %x = load %a[] : f32
        store %x, %A[]
        foreach (%i,%j,%k)=(%zero,%zero,%zero),(%seven,%five,%three) {
            %p = sub %six, %i : index
            %q = sub %four, %j : index
            %r = sub %two, %k : index
            %v = load %d[%i,%j,%k] : f32
            store %v, %D[%p,%q,%r]
            for %l=%zero,%two {
                %s = sub %one, %l : index
                %w = load %e[%i,%j,%k,%l] : f32
                store %w, %E[%p,%q,%r,%s]
            }
        }
        foreach (%i,%j)=(%zero,%zero),(%seven,%five) {
            %p = sub %six, %i : index
            %q = sub %four, %j : index
            %v = load %c[%i,%j] : f32
            store %v, %C[%p,%q]
        }
        foreach (%i)=(%zero),(%seven) {
            %p = sub %six, %i : index
            %v = load %b[%i] : f32
            store %v, %B[%p]
        }
    }";
    let mut random = Random::new(1);
    let lengths = [1, 7, 35, 105, 210];
    let inputs: Vec<_> =
        lengths.iter().map(|&n| device.memory(&random.numbers::<f32>(n))).collect::<Result<_, _>>()?;
    let outputs: Vec<_> = lengths.iter().map(|&n| device.memory(&vec![9f32; n])).collect::<Result<_, _>>()?;
    let arguments: Vec<_> = inputs.iter().chain(&outputs).map(Into::into).collect();
    device.run_text(text, level, "mirror", [1, 1, 1], &arguments)?;
    for (input, output) in inputs.iter().zip(&outputs) {
        // A packed tensor mirrored in every mode is the reverse.
        let expected: Vec<f32> = input.iter().rev().copied().collect();
        expect_equal(&format!("{} elements", input.len()), output, &expected)?;
    }
    Ok(())
}

/// Strides given in the type and as arguments; what lies between the elements stays.
fn strides(device: &Device, level: i32) -> Outcome {
    let text =
        "func @strides(%a: memref<i32x4x3x2,strided<2,11,50>>, %b: memref<i32x?x3x?,strided<?,10,?>>) {
        %zero = constant 0 : index
        %four = constant 4 : index
        %three = constant 3 : index
        %two = constant 2 : index
        foreach (%i,%j,%k)=(%zero,%zero,%zero),(%four,%three,%two) {
            %v = load %a[%i,%j,%k] : i32
            store %v, %b[%i,%j,%k]
        }
    }";
    let from: Vec<i32> = (0..100).collect();
    let a = device.memory(&from)?;
    let b = device.memory(&[-1i32; 100])?;
    // Sizes 4 and 2, strides 3, 10 and 40.
    let arguments = [(&a).into(), (&b).into(), 4i64.into(), 2i64.into(), 3i64.into(), 40i64.into()];
    device.run_text(text, level, "strides", [1, 1, 1], &arguments)?;
    let mut expected = vec![-1i32; 100];
    for (i, j, k) in (0..24).map(|n| (n % 4, n / 4 % 3, n / 12)) {
        expected[3 * i + 10 * j + 40 * k] = from[2 * i + 11 * j + 50 * k];
    }
    expect_equal("elements", &b, &expected)
}

/// Sizes of memrefs, of views and of groups, known and unknown.
fn sizes(device: &Device, level: i32) -> Outcome {
    let text = "func @sizes(%a: memref<f32x4x?x6>, %g: group<memref<f32x?x3>x?>, %h: group<memref<f32>x9>,
                            %n: index, %R: memref<i64x9>) {
        %zero = constant 0 : index
        %s0 = size %a[0] : index
        %s1 = size %a[1] : index
        %s2 = size %a[2] : index
        %s3 = size %g[0] : index
        %s4 = size %h[0] : index
        %v = subview %a[1:2,%n:%n,3] : memref<f32x2x?,strided<1,4>>
        %s5 = size %v[1] : index
        %s6 = size %v[0] : index
        %m = load %g[%n] : memref<f32x?x3>
        %s7 = size %m[0] : index
        %s8 = size %m[1] : index
        STORES
    }";
    let stores: String = (0..9)
        .map(|i| format!("%i{i} = constant {i} : index %v{i} = cast %s{i} : i64 store %v{i}, %R[%i{i}]\n"))
        .collect();
    let text = text.replace("STORES", &stores);
    let (a, r) = (device.memory(&[0f32; 8])?, device.memory(&[-1i64; 9])?);
    let pointers = device.memory(&[a.address(); 4])?;
    let rows = device.memory(&[10i64, 20, 30, 40])?;
    let arguments = [
        (&a).into(),
        5i64.into(),
        20i64.into(),
        (&pointers).into(),
        (&rows).into(),
        (&rows).into(),
        4i64.into(),
        (&pointers).into(),
        2i64.into(),
        (&r).into(),
    ];
    device.run_text(&text, level, "sizes", [1, 1, 1], &arguments)?;
    expect_equal("sizes", &r, &[4, 5, 6, 4, 9, 2, 2, 30, 3])
}

/// Offsets and sizes known and unknown, dropped modes, views of views.
fn subviews(device: &Device, level: i32) -> Outcome {
    let text = "func @subviews(%a: memref<i32x8x6x5>, %x: index, %y: index, %n: index, %R: memref<i32x?>) {
        %i0 = constant 0 : index
        %i1 = constant 1 : index
        %i2 = constant 2 : index
        %i3 = constant 3 : index
        %i4 = constant 4 : index
        %i5 = constant 5 : index
        %i6 = constant 6 : index
        %p = subview %a[2:4,1:3,2:2] : memref<i32x4x3x2,strided<1,8,48>>
        %p0 = load %p[%i3,%i2,%i1] : i32
        store %p0, %R[%i0]
        %q = subview %a[%x:%n,3,%y:2] : memref<i32x?x2,strided<1,48>>
        %q0 = load %q[%i1,%i1] : i32
        store %q0, %R[%i1]
        %r = subview %a[1,%y:%n,%x] : memref<i32x?,strided<8>>
        %r0 = load %r[%i2] : i32
        store %r0, %R[%i2]
        %s = subview %a[%x,%y,3] : memref<i32>
        %s0 = load %s[] : i32
        store %s0, %R[%i3]
        %t = subview %p[1:2,%y,0:2] : memref<i32x2x2,strided<1,48>>
        %u = subview %t[%i1,0:%n] : memref<i32x?,strided<48>>
        %u0 = load %u[%i1] : i32
        store %u0, %R[%i4]
        %w = subview %a[0:8,0:6,4:0] : memref<i32x8x6>
        %w0 = load %w[%i5,%i4] : i32
        store %w0, %R[%i5]
        %z = subview %a[0:8,%x:%n,%y] : memref<i32x8x?>
        %minus = constant -1 : i32
        store %minus, %z[%i6,%i1]
    }";
    let values: Vec<i32> = (0..240).collect();
    let at = |i: usize, j: usize, k: usize| (i + 8 * j + 48 * k) as i32;
    let (a, r) = (device.memory(&values)?, device.memory(&[-9i32; 6])?);
    let arguments = [(&a).into(), 2i64.into(), 1i64.into(), 3i64.into(), (&r).into(), 6i64.into()];
    device.run_text(text, level, "subviews", [1, 1, 1], &arguments)?;
    let expected = [at(5, 3, 3), at(3, 3, 2), at(1, 3, 2), at(2, 1, 3), at(4, 2, 3), at(5, 4, 4)];
    expect_equal("elements", &r, &expected)?;
    let mut changed = values;
    changed[at(6, 3, 1) as usize] = -1;
    expect_equal("the tensor", &a, &changed)
}

/// Local memory of every order, reused when it is no longer needed.
fn local(device: &Device, level: i32) -> Outcome {
    let text = "func @local(%a: memref<i16x33x5>, %R: memref<i16x5x33>, %S: memref<f64>) {
        %zero = constant 0 : index
        %rows = constant 33 : index
        %cols = constant 5 : index
        %one = alloca : memref<f64,local>
        %x = constant 2.5 : f64
        store %x, %one[]
        %first = alloca {alignment=64} : memref<i16x33x5,strided<1,35>,local>
        foreach (%i,%j)=(%zero,%zero),(%rows,%cols) {
            %v = load %a[%i,%j] : i16
            store %v, %first[%i,%j]
        }
        %second = alloca : memref<i16x5x33,local>
        foreach (%i,%j)=(%zero,%zero),(%cols,%rows) {
            %v = load %first[%j,%i] : i16
            store %v, %second[%i,%j]
        }
        %third = alloca : memref<i16x5x33,local>
        foreach (%j,%i)=(%zero,%zero),(%rows,%cols) {
            %v = load %second[%i,%j] : i16
            %w = add %v, %v : i16
            store %w, %third[%i,%j]
        }
        foreach (%i,%j)=(%zero,%zero),(%cols,%rows) {
            %v = load %third[%i,%j] : i16
            store %v, %R[%i,%j]
        }
        %y = load %one[] : f64
        store %y, %S[]
    }";
    <f64 as Number>::require(device)?;
    let values: Vec<i16> = (0..165).collect();
    let (a, r, s) = (device.memory(&values)?, device.memory(&[-1i16; 165])?, device.memory(&[0f64])?);
    device.run_text(text, level, "local", [1, 1, 1], &[(&a).into(), (&r).into(), (&s).into()])?;
    let expected: Vec<i16> = (0..165).map(|n| 2 * values[n / 5 + 33 * (n % 5)]).collect();
    expect_equal("transposed", &r, &expected)?;
    expect_equal("scalar", &s, &[2.5])
}

/// Local memory whose type leaves strides open is packed.
fn open_strides(device: &Device, level: i32) -> Outcome {
    let text = "func @f(%A: memref<i32x5x7x3>, %R: memref<i32x3x5>) {
        %one = constant 1 : i32
        %zero = constant 0 : i32
        %a = alloca : memref<i32x5x7,strided<1,?>,local>
        %b = alloca : memref<i32x3x5,strided<2,?>,local>
        %first = subview %A[0:5,0:7,1] : memref<i32x5x7>
        axpby %one, %first, %zero, %a
        %t = subview %a[0:5,2:3] : memref<i32x5x3,strided<1,?>,local>
        axpby.t %one, %t, %zero, %b
        axpby %one, %b, %zero, %R
    }";
    let numbers: Vec<i32> = (0..5 * 7 * 3).collect();
    let (a, results) = (device.memory(&numbers)?, device.memory(&[-1i32; 15])?);
    device.run_text(text, level, "f", [1, 1, 1], &[(&a).into(), (&results).into()])?;
    let expected: Vec<i32> = (0..15).map(|i| 35 + (i / 3) + 5 * (2 + i % 3)).collect();
    expect_equal("open strides", &results, &expected)
}

/// Local memory whose rows are contiguous, beside global memory whose columns are.
fn local_rows(device: &Device, level: i32) -> Outcome {
    for (rows, cols, pitch) in [(20, 9, 9), (35, 5, 7), (1, 3, 3), (48, 16, 17)] {
        let text = format!(
            "func @f(%A: memref<f32x{rows}x{cols}>, %R: memref<f32x{rows}x{cols}>) {{
                 %l = alloca : memref<f32x{rows}x{cols},strided<{pitch},1>,local>
                 axpby 2.0, %A, 0.0, %l
                 axpby 1.0, %A, 1.0, %l
                 axpby 1.0, %l, 0.5, %R
             }}"
        );
        let numbers: Vec<f32> = (0u8..=255).cycle().take(rows * cols).map(f32::from).collect();
        let (a, results) = (device.memory(&numbers)?, device.memory(&vec![4f32; rows * cols])?);
        device.run_text(&text, level, "f", [1, 1, 1], &[(&a).into(), (&results).into()])?;
        let expected: Vec<f32> = numbers.iter().map(|number| 3.0 * number + 2.0).collect();
        expect_equal(&format!("{rows}x{cols}"), &results, &expected)?;
    }
    Ok(())
}
