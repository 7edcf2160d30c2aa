//! Numbers of 4 bits, two a byte: one by one, through views and groups, and as factors of products.

use super::product::Run;
use crate::device::{Argument, Device, Kernels, Outcome, run};
use crate::numbers::{Number, expect_equal};
use half::f16;

/// Each number is read where it lies, through a subview and as a member of a group, and cast to integers and floats.
pub fn numbers(device: &Device) -> Outcome {
    let text = "
        func @numbers(%A: memref<i4x16x3>, %X: memref<i8x16x3>, %Y: memref<f32x16x3>) {
            foreach (%i,%j)=(0,0),(16,3) {
                %a = load %A[%i,%j]
                %x = cast %a : i8
                %y = cast %a : f32
                store %x, %X[%i,%j]
                store %y, %Y[%i,%j]
            }
        }
        func @tile(%A: memref<i4x64x64>{alignment=128, surface=true}, %X: memref<i8x64x64>) {
            tile_prefetch 0, %A[0,0], 64, 64
            %a = tile_load %A[0,0] : tile<i4x64x64,matrix_acc>
            %x = cast %a : tile<i8x64x64,matrix_acc>
            tile_store %x, %X[0,0]
        }
        func @masked(%A: memref<i4x64x64>{alignment=128, surface=true}, %X: memref<i8x64x64>) {
            %a = tile_load %A[2,0] mask (%i,%j) {
                %is_there = less_than %i, 9
                yield (%is_there)
            } : tile<i4x64x64,matrix_acc>
            %x = cast %a : tile<i8x64x64,matrix_acc>
            tile_store %x, %X[0,0]
        }
        func @views(%A: group<memref<i4x?x?,strided<1,?>>x?, offset: ?>, %X: memref<i32x6x2>) {
            %first = load %A[0]
            %rows = subview %first[0:14,1:2] : memref<i4x14x2,strided<1,?>>
            %view = subview %rows[4:6,0:2] : memref<i4x6x2,strided<1,?>>
            foreach (%i,%j)=(0,0),(6,2) {
                %a = load %view[%i,%j]
                %x = cast %a : i32
                store %x, %X[%i,%j]
            }
        }";
    let all: Vec<i8> = (0..48).map(|place| (place * 5 % 16) as i8 - 8).collect();
    let (a, x, y) = (
        device.memory(&packed(&all, 16, 16))?,
        device.memory(&[99_i8; 48])?,
        device.memory(&[f32::NAN; 48])?,
    );
    let program = device.build(text, 2)?;
    run(&program, "numbers", [1, 1, 1], &[(&a).into(), (&x).into(), (&y).into()])?;
    expect_equal("i4 as i8", &x, &all)?;
    expect_equal("i4 as f32", &y, &all.iter().map(|&number| number.into()).collect::<Vec<f32>>())?;

    let square: Vec<i8> = (0..4096).map(|place| (place % 13) as i8 - 6).collect();
    let (a, x) = (device.memory(&packed(&square, 64, 64))?, device.memory(&[99_i8; 4096])?);
    run(&program, "tile", [1, 1, 1], &[(&a).into(), (&x).into()])?;
    expect_equal("a tile of i4", &x, &square)?;
    run(&program, "masked", [1, 1, 1], &[(&a).into(), (&x).into()])?;
    let is_there = |place: usize| place % 64 + 2 < 9;
    let rows = (0..4096).map(|place| if is_there(place) { square[place + 2] } else { 0 });
    expect_equal("a tile of i4 with a mask", &x, &rows.collect::<Vec<i8>>())?;

    // The member is behind an offset of 16 numbers, which are 8 bytes.
    let behind: Vec<u8> = [vec![0x77; 8], packed(&all, 16, 16)].concat();
    let memory = device.memory(&behind)?;
    let (members, extents) =
        (device.memory(&[memory.address()])?, [16_i64, 3, 16].map(|extent| device.memory(&[extent])));
    let [rows, cols, pitch] = extents;
    let (rows, cols, pitch, x) = (rows?, cols?, pitch?, device.memory(&[99_i32; 12])?);
    let extents = [&rows, &cols, &pitch].map(Argument::from);
    let arguments =
        [vec![(&members).into()], extents.to_vec(), vec![1_i64.into(), 16_i64.into(), (&x).into()]].concat();
    run(&program, "views", [1, 1, 1], &arguments)?;
    let expected = (0..12).map(|place| all[4 + place % 6 + 16 * (1 + place / 6)].into());
    expect_equal("a view of i4", &x, &expected.collect::<Vec<i32>>())
}

/// Sizes that tiles take, odd ones, and a single element.
const SIZES: [[usize; 3]; 3] = [[64, 64, 96], [33, 17, 41], [1, 1, 1]];

/// A product of which one factor is stored in 4 bits.
#[derive(Clone, Copy, Debug)]
struct Form {
    /// True for factor A.
    is_a: bool,
    /// True if that is stored as its transposition, whose columns begin at words.
    transposed: bool,
    pipeline: &'static str,
}

/// Products of tiles of 4 bits, where each subgroup loads its share and on the way to local memory.
pub fn tiles(device: &Device) -> Outcome {
    f16::require(device)?;
    let form = |is_a, transposed, pipeline| Form { is_a, transposed, pipeline };
    let forms = [
        form(true, false, "none"),
        form(true, false, "slm"),
        form(true, true, "none"),
        form(true, true, "slm"),
        form(false, false, "none"),
        form(false, true, "none"),
        form(false, true, "auto"),
    ];
    let kernels = Kernels::new(forms.map(kernel));
    let program = device.build(&kernels.text, 2)?;
    for (number, form) in forms.into_iter().enumerate() {
        for size in SIZES {
            let run = |groups, arguments: &[Argument<'_>]| {
                run(&program, kernels.name(number), [groups, 1, 1], arguments)
            };
            check(device, &run, form, size)?;
        }
    }
    Ok(())
}

/// C <- A·B without its name.
fn kernel(Form { is_a, transposed, pipeline }: Form) -> String {
    let promise = if transposed { "{stride_gcd=[1,8]}" } else { "" };
    let bits = format!("memref<i4x?x?,strided<1,?>>{promise}");
    let halves = "memref<f16x?x?>".to_owned();
    let ((a, b), (of_a, of_b)) =
        if is_a { ((bits, halves), ("i4", "f16")) } else { ((halves, bits), ("f16", "i4")) };
    let load_a = if is_a && transposed { "tile_load.t %A[%k,%m]" } else { "tile_load %A[%m,%k]" };
    let load_b = if !is_a && transposed { "tile_load.t %B[%n,%k]" } else { "tile_load %B[%k,%n]" };
    format!(
        "(%A: {a}, %B: {b}, %C: memref<f32x?x?>, %K: index) {{
            %M = size %C[0]  %N = size %C[1]
            %rows = cdiv %M, 32  %cols = cdiv %N, 16
            %i, %j = tile_order.grouped %rows, %cols
            %m = mul %i, 32  %n = mul %j, 16
            %sum = for %k=0,%K,32 init(%s=0.0) -> (tile<f32x32x16,matrix_acc>) {{
                %given_a = {load_a} : tile<{of_a}x32x32,matrix_a>
                %given_b = {load_b} : tile<{of_b}x32x16,matrix_b>
                %a = cast %given_a : tile<f16x32x32,matrix_a>
                %b = cast %given_b : tile<f16x32x16,matrix_b>
                %t = tile_dot %a, %b, %s
                yield (%t)
            }} attributes{{pipeline=\"{pipeline}\"}}
            tile_store %sum, %C[%m,%n]
        }}"
    )
}

fn check(device: &Device, run: &Run<'_>, form: Form, [m, n, k]: [usize; 3]) -> Outcome {
    // All numbers of 4 bits, and halves of seven values.
    let digits = |count: usize, modulus: usize| -> Vec<i8> {
        (0..count).map(|place| (place * 5 % modulus) as i8 - modulus as i8 / 2).collect()
    };
    let shape = if form.is_a { [m, k] } else { [k, n] };
    let [rows, cols] = if form.transposed { [shape[1], shape[0]] } else { shape };
    let (stored, other) = (digits(rows * cols, 16), digits(if form.is_a { k * n } else { m * k }, 7));
    let number = |i: usize, j: usize| {
        i32::from(if form.transposed { stored[j + rows * i] } else { stored[i + rows * j] })
    };
    let half = |i: usize, j: usize| i32::from(other[i + if form.is_a { k } else { m } * j]);
    let product = |i, l, j| if form.is_a { number(i, l) * half(l, j) } else { half(i, l) * number(l, j) };
    let sums = (0..m * n).map(|place| (0..k).map(|l| product(place % m, l, place / m)).sum::<i32>() as f32);

    let pitch = rows.next_multiple_of(if form.transposed { 8 } else { 2 });
    let halves: Vec<f16> = other.iter().map(|&number| f16::from(number)).collect();
    let (bytes, halves) = (device.memory(&packed(&stored, rows, pitch))?, device.memory(&halves)?);
    let c = device.memory(&vec![f32::NAN; m * n])?;
    let extents = |memory, extents: [usize; 3]| {
        let extents = extents.map(|number| Argument::from(number as i64));
        [vec![memory], extents.to_vec()].concat()
    };
    let of_bits = extents((&bytes).into(), [rows, cols, pitch]);
    let of_halves = extents((&halves).into(), if form.is_a { [k, n, k] } else { [m, k, m] });
    let factors = if form.is_a { [of_bits, of_halves] } else { [of_halves, of_bits] };
    let arguments =
        [factors.concat(), extents((&c).into(), [m, n, m]), vec![Argument::from(k as i64)]].concat();
    run(m.div_ceil(32) * n.div_ceil(16), &arguments)?;
    expect_equal(&format!("{form:?}, {:?}", [m, n, k]), &c, &sums.collect::<Vec<_>>())
}

/// The numbers of a matrix two a byte, of which columns are so many apart.
fn packed(numbers: &[i8], rows: usize, pitch: usize) -> Vec<u8> {
    let mut bytes = vec![0; (pitch * numbers.len().div_ceil(rows)).div_ceil(2)];
    for (place, &number) in numbers.iter().enumerate() {
        let element = place % rows + place / rows * pitch;
        bytes[element / 2] |= (number as u8 & 15) << (4 * (element % 2));
    }
    bytes
}
