//! Arithmetic, comparisons, functions, casts and constants on numbers.

use half::bf16;
use tiletc::device::SpirvFeature;
use tiletc::ir::Scalar;

use super::SUBGROUP_SIZES;
use super::features::required;
use super::launch::{Arg, Buffer, Expected, Launch, run, run_for};
use super::number::{Array, Number, decode, encode, sample, smallest, width};
use super::operations::{ARITHMETIC, COMPARISONS, FUNCTIONS, Operation, expected, operands};
use crate::Case;
use crate::narrow::{self, Eight};
use crate::numbers::Random;

/// Numbers of elements.
const LENGTHS: [usize; 9] = [1, 2, 15, 16, 17, 31, 33, 64, 101];

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for size in SUBGROUP_SIZES {
        // Numbers that share bytes are only read, which `tile::four_bits` tries.
        for &ty in Scalar::ALL.iter().filter(|ty| !ty.is_packed()) {
            for (name, table) in
                [("arithmetic", &ARITHMETIC[..]), ("compare", &COMPARISONS[..]), ("math", &FUNCTIONS[..])]
            {
                if !ty.is_only_stored() && table.iter().any(|operation| (operation.result)(ty).is_some()) {
                    cases.push(Case::new(format!("scalars::{name}::{ty}::{size}"), move |device| {
                        run(device, operations(table, ty, size))
                    }));
                }
            }
            cases.push(Case::new(format!("scalars::cast::{ty}::{size}"), move |device| {
                run(device, casts(ty, size))
            }));
            cases.push(Case::new(format!("scalars::constant::{ty}::{size}"), move |device| {
                run(device, constants(ty, size))
            }));
        }
        cases.push(Case::new(format!("scalars::bool::{size}"), move |device| run(device, booleans(size))));
        for (ty, format) in [(Scalar::F8e4m3, narrow::E4M3), (Scalar::F8e5m2, narrow::E5M2)] {
            cases.push(Case::new(format!("scalars::{ty}_rounding::{size}"), move |device| {
                run(device, eight_bits(size, ty, format))
            }));
        }
        for native in [false, true] {
            let name = if native { "native" } else { "integer" };
            cases.push(Case::new(format!("scalars::bf16_rounding::{name}::{size}"), move |device| {
                let mut info = device.info.clone();
                if native {
                    device.require(SpirvFeature::Bfloat16Conversion)?;
                }
                info.set(SpirvFeature::Bfloat16Conversion, native);
                run_for(device, &info, 2, rounding_to_bf16(size, native))
            }));
        }
    }
    cases
}

/// A kernel that runs `body` for each of `n` elements, of which the parameters are memrefs.
fn elementwise(size: i32, parameters: &[String], body: &str) -> String {
    format!(
        "(%n: index, {}) attributes{{subgroup_size={size}, work_group_size=[{},1]}} {{
            %first = constant 0 : index
            foreach (%i)=(%first),(%n) {{
                {body}
            }}
        }}\n",
        parameters.join(", "),
        2 * size
    )
}

/// One kernel for all operations of a type, run for every length.
fn operations(table: &'static [Operation], ty: Scalar, size: i32) -> Vec<Launch> {
    let defined: Vec<&Operation> =
        table.iter().filter(|operation| (operation.result)(ty).is_some()).collect();
    let (mut parameters, mut body) = (Vec::new(), String::new());
    for operation in &defined {
        let Operation { instruction, .. } = operation;
        let result = (operation.result)(ty).unwrap_or(ty);
        for operand in ["a", "b"].iter().take(operation.operands) {
            parameters.push(format!("%{instruction}_{operand}: memref<{ty}x?>"));
            body += &format!("%{operand}_{instruction} = load %{instruction}_{operand}[%i] : {ty}\n");
        }
        parameters.push(format!("%{instruction}_r: memref<{result}x?>"));
        let b = if operation.operands == 2 { format!(", %b_{instruction}") } else { String::new() };
        if table.len() == COMPARISONS.len() {
            body += &format!(
                "%p_{instruction} = {instruction} %a_{instruction}{b} : bool
                 %r_{instruction} = if %p_{instruction} -> (i32) {{
                    %one = constant 1 : i32
                    yield (%one)
                 }} else {{
                    %none = constant 0 : i32
                    yield (%none)
                 }}\n"
            );
        } else {
            body += &format!("%r_{instruction} = {instruction} %a_{instruction}{b} : {result}\n");
        }
        body += &format!("store %r_{instruction}, %{instruction}_r[%i]\n");
    }
    let kernel = elementwise(size, &parameters, &body);
    let mut random = Random::new(ty as u64 + size as u64);
    let launch = |&length: &usize| {
        let (mut arguments, mut buffers) = (vec![Arg::Index(length)], Vec::new());
        for operation in &defined {
            let pairs: Vec<(Number, Number)> =
                (0..length).map(|_| operands(operation, ty, &mut random)).collect();
            let result = (operation.result)(ty).unwrap_or(ty);
            let mut inputs = vec![Array::of(ty, pairs.iter().map(|pair| pair.0))];
            if operation.operands == 2 {
                inputs.push(Array::of(ty, pairs.iter().map(|pair| pair.1)));
            }
            buffers.extend(inputs.into_iter().map(Buffer::input));
            let after = pairs.iter().map(|&(a, b)| expected(operation, ty, a, b)).collect();
            buffers.push(Buffer::results(&[operation.instruction], result, after));
        }
        for buffer in 0..buffers.len() {
            arguments.extend([Arg::Pointer(buffer, 0), Arg::Index(length)]);
        }
        Launch {
            name: format!("{ty}, {length} elements"),
            kernel: kernel.clone(),
            groups: [1, 1, 1],
            arguments,
            buffers,
            requires: required(&[ty], None),
        }
    };
    LENGTHS.iter().map(launch).collect()
}

/// Result of a cast (language reference 5.2).
fn converted(from: Scalar, to: Scalar, number: Number) -> Expected {
    if to.is_integer() {
        // Towards zero; the operands are within the range.
        return Expected::exactly(match number {
            Number::Int(_) => number,
            _ => Number::Int(number.to_f64()[0].trunc() as i64),
        });
    }
    // To bf16 and floats of 8 bits by way of f32, which rounds integers of many digits once more; what `as` does.
    let nearest = match (number, to) {
        (Number::Int(value), _) if to.component().bytes() <= 4 => Number::real((value as f32).into()),
        (Number::Int(value), _) => Number::real(value as f64),
        (_, Scalar::Bf16 | Scalar::F8e4m3 | Scalar::F8e5m2) => {
            Number::real((number.to_f64()[0] as f32).into())
        }
        _ => number,
    };
    let nearest = decode(to, &encode(to, nearest));
    // Numbers too small to be normal may be flushed to zero, on the way or at its end.
    let small = nearest.to_f64().iter().any(|part| part.abs() < smallest(to).max(smallest(from)));
    Expected::Near(nearest, if small { smallest(to).max(smallest(from)) } else { 0.0 })
}

fn casts(from: Scalar, size: i32) -> Vec<Launch> {
    let is_target = |to: &Scalar| !to.is_packed() && (to.is_complex() || !from.is_complex());
    let targets: Vec<Scalar> = Scalar::ALL.iter().copied().filter(is_target).collect();
    let mut launches = Vec::new();
    for &to in &targets {
        let parameters = [format!("%A: memref<{from}x?>"), format!("%R: memref<{to}x?>")];
        let body = format!(
            "%a = load %A[%i] : {from}
             %r = cast %a : {to}
             store %r, %R[%i]"
        );
        let mut random = Random::new(from as u64 * 16 + to as u64);
        for length in LENGTHS {
            let number = |random: &mut Random| {
                let number = sample(from, random);
                if from.is_integer() || !to.is_integer() {
                    return number;
                }
                // As large as both types allow.
                let largest = 2f64.powi(8 * to.bytes() as i32 - 2).min(30000.0);
                decode(from, &encode(from, number.times(Number::real(largest))))
            };
            let numbers: Vec<Number> = (0..length).map(|_| number(&mut random)).collect();
            let after = numbers.iter().map(|&number| converted(from, to, number)).collect();
            launches.push(Launch {
                name: format!("{from} to {to}, {length} elements"),
                kernel: elementwise(size, &parameters, &body),
                groups: [1, 1, 1],
                arguments: vec![
                    Arg::Index(length),
                    Arg::Pointer(0, 0),
                    Arg::Index(length),
                    Arg::Pointer(1, 0),
                    Arg::Index(length),
                ],
                buffers: vec![Buffer::input(Array::of(from, numbers)), Buffer::results(&["cast"], to, after)],
                requires: required(&[from, to], None),
            });
        }
    }
    launches
}

/// Literals, some of them the special values of the floating types.
fn constants(ty: Scalar, size: i32) -> Vec<Launch> {
    let mut random = Random::new(ty as u64);
    let mut numbers: Vec<Number> =
        (0..12).map(|_| sample(ty, &mut random)).filter(|number| number.to_i64() != i64::MIN).collect();
    if !ty.is_integer() {
        for special in [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1.0] {
            numbers.push(Number::complex([special, if ty.is_complex() { -special } else { 0.0 }]));
        }
    }
    let mut body = format!("(%R: memref<{ty}x{}>) attributes{{subgroup_size={size}}} {{\n", numbers.len());
    for (place, number) in numbers.iter().enumerate() {
        body += &format!(
            "%c{place} = constant {} : {ty}\n%i{place} = constant {place} : index\nstore %c{place}, %R[%i{place}]\n",
            number.literal(ty)
        );
    }
    // Not all types have an infinity.
    let after =
        numbers.into_iter().map(|number| Expected::exactly(decode(ty, &encode(ty, number)))).collect();
    vec![Launch {
        name: format!("constants of {ty}"),
        kernel: body + "}\n",
        groups: [1, 1, 1],
        arguments: vec![Arg::Pointer(0, 0)],
        buffers: vec![Buffer::results(&["constant"], ty, after)],
        requires: required(&[ty], None),
    }]
}

/// The logical operations on all pairs of truth values.
fn booleans(size: i32) -> Vec<Launch> {
    type Logical = (&'static str, fn(bool, bool) -> bool);
    let table: [Logical; 4] =
        [("and", |a, b| a & b), ("or", |a, b| a | b), ("xor", |a, b| a ^ b), ("not", |a, _| !a)];
    table
        .into_iter()
        .map(|(instruction, logical)| {
            let b = if instruction == "not" { "" } else { ", %b" };
            let parameters = ["A", "B", "R"].map(|name| format!("%{name}: memref<i32x?>"));
            let body = format!(
                "%none = constant 0 : i32
                 %one = constant 1 : i32
                 %x = load %A[%i] : i32
                 %y = load %B[%i] : i32
                 %a = not_equal %x, %none : bool
                 %b = not_equal %y, %none : bool
                 %p = {instruction} %a{b} : bool
                 %r = if %p -> (i32) {{ yield (%one) }} else {{ yield (%none) }}
                 store %r, %R[%i]"
            );
            let truths: Vec<(bool, bool)> = (0..33).map(|i| (i % 2 == 1, i / 2 % 2 == 1)).collect();
            let ints = |of: fn(&(bool, bool)) -> bool| {
                Array::of(Scalar::I32, truths.iter().map(|pair| Number::Int(of(pair).into())))
            };
            let after =
                truths.iter().map(|&(a, b)| Expected::exactly(Number::Int(logical(a, b).into()))).collect();
            let mut arguments = vec![Arg::Index(truths.len())];
            for buffer in 0..3 {
                arguments.extend([Arg::Pointer(buffer, 0), Arg::Index(truths.len())]);
            }
            Launch {
                name: format!("{instruction} of bool"),
                kernel: elementwise(size, &parameters, &body),
                groups: [1, 1, 1],
                arguments,
                buffers: vec![
                    Buffer::input(ints(|pair| pair.0)),
                    Buffer::input(ints(|pair| pair.1)),
                    Buffer::results(&[instruction], Scalar::I32, after),
                ],
                requires: Vec::new(),
            }
        })
        .collect()
}

/// From f32 to bf16, bit by bit: ties, carries into the exponent, infinities, subnormal numbers and NaN. Without a
/// conversion of its own a device computes with the bits, and NaN keeps its upper ones.
fn rounding_to_bf16(size: i32, native: bool) -> Vec<Launch> {
    let mut words: Vec<u32> = vec![0, 1, 0x7fff, 0x8000, 0x8001, 0x1_7fff, 0x1_8000, 0x1_8001, 0x7f_8000];
    words.extend([0x7f7f_7fff, 0x7f7f_8000, 0x7f7f_ffff, 0x7f80_0000, 0x7f80_0001, 0x7fc0_0000, 0x7fff_ffff]);
    let mut random = Random::new(16);
    for _ in 0..500 {
        let word = random.next() as u32;
        // As it comes, a tie, and just next to one.
        words.extend([word, word & 0xffff_0000 | 0x8000, word | 0x7fff, word & 0xffff_0000 | 0x8001]);
    }
    let negative: Vec<u32> = words.iter().map(|word| word ^ 0x8000_0000).collect();
    words.extend(negative);
    if native {
        // Whether the device's own conversion keeps subnormal numbers is its own affair.
        words.retain(|&word| f32::from_bits(word).is_normal() || word << 1 == 0 || word << 1 == 0xff00_0000);
    }
    let after = words
        .iter()
        .map(|&word| {
            let value = f32::from_bits(word);
            let bits =
                if value.is_nan() { (word >> 16) as u16 | 0x40 } else { bf16::from_f32(value).to_bits() };
            Expected::Bits(bits.into())
        })
        .collect();
    let length = words.len();
    let before = Array { ty: Scalar::F32, bytes: words.iter().flat_map(|word| word.to_le_bytes()).collect() };
    let parameters = ["%A: memref<f32x?>".to_owned(), "%R: memref<bf16x?>".to_owned()];
    let body = "%a = load %A[%i] : f32
        %r = cast %a : bf16
        store %r, %R[%i]";
    vec![Launch {
        name: "rounding to bf16".to_owned(),
        kernel: elementwise(size, &parameters, body),
        groups: [1, 1, 1],
        arguments: vec![
            Arg::Index(length),
            Arg::Pointer(0, 0),
            Arg::Index(length),
            Arg::Pointer(1, 0),
            Arg::Index(length),
        ],
        buffers: vec![Buffer::input(before), Buffer::results(&["cast"], Scalar::Bf16, after)],
        requires: Vec::new(),
    }]
}

/// From and to a floating type of 8 bits, bit by bit.
fn eight_bits(size: i32, ty: Scalar, format: Eight) -> Vec<Launch> {
    let mut launches = vec![rounding_to_eight_bits(size, ty, format)];
    // All numbers of half precision, of which f8e5m2 is the upper byte.
    let halves = Array {
        ty: Scalar::F16,
        bytes: (0..=u16::MAX).step_by(if size == 16 { 1 } else { 17 }).flat_map(u16::to_le_bytes).collect(),
    };
    launches.push(cast_of_all(size, halves, ty));
    // Each number becomes itself, and again itself.
    let all = Array { ty, bytes: (0..=u8::MAX).collect() };
    for wide in [Scalar::Bf16, Scalar::F16, Scalar::F32, Scalar::F64] {
        let numbers = Array::of(wide, (0..all.len()).map(|place| all.get(place)));
        launches.extend([cast_of_all(size, all.clone(), wide), cast_of_all(size, numbers, ty)]);
    }
    launches
}

/// A cast of all numbers, bit by bit, but for NaN, of which there are many.
fn cast_of_all(size: i32, before: Array, to: Scalar) -> Launch {
    let after = (0..before.len()).map(|place| {
        let number = before.get(place);
        if number.to_f64()[0].is_nan() {
            return Expected::exactly(number);
        }
        let (mut bits, bytes) = ([0; 8], width(to));
        bits[..bytes].copy_from_slice(&encode(to, number));
        // Zero has a sign, which is lost on numbers.
        bits[bytes - 1] |= before.raw(place)[width(before.ty) - 1] & 0x80;
        Expected::Bits(u64::from_le_bytes(bits))
    });
    let after = Buffer::results(&["cast"], to, after.collect());
    cast(size, before, after)
}

/// From f32 to a type of 8 bits: every tie and its neighbours, what is beyond the largest number, infinities, subnormal
/// numbers and NaN.
fn rounding_to_eight_bits(size: i32, ty: Scalar, format: Eight) -> Launch {
    let mut words: Vec<u32> = vec![0, 1, 0x7f_ffff, 0x80_0000];
    words.extend([0x7f7f_ffff, 0x7f80_0000, 0x7f80_0001, 0x7fc0_0000, 0x7fff_ffff]);
    let mut magnitudes = format.magnitudes();
    magnitudes.extend([480.0, 512.0, 1e6]);
    for pair in magnitudes.windows(2) {
        let tie = ((pair[0] + pair[1]) / 2.0) as f32;
        let number = pair[0] as f32;
        words.extend([number, tie, number.next_up(), tie.next_up(), tie.next_down()].map(f32::to_bits));
    }
    let mut random = Random::new(8);
    words.extend((0..500).map(|_| random.next() as u32 & 0x7fff_ffff));
    // Most of all f32 are beyond the type or nothing in it.
    words.extend((0..500).map(|_| 0x3700_0000 + random.next() as u32 % 0x1100_0000));
    let negative: Vec<u32> = words.iter().map(|word| word ^ 0x8000_0000).collect();
    words.extend(negative);
    let after =
        words.iter().map(|&word| Expected::Bits(format.bits(f32::from_bits(word).into()).into())).collect();
    let before = Array { ty: Scalar::F32, bytes: words.iter().flat_map(|word| word.to_le_bytes()).collect() };
    cast(size, before, Buffer::results(&["cast"], ty, after))
}

/// A cast of each element.
fn cast(size: i32, before: Array, after: Buffer) -> Launch {
    let (from, to, length) = (before.ty, after.before.ty, before.len());
    let parameters = [format!("%A: memref<{from}x?>"), format!("%R: memref<{to}x?>")];
    let body = format!("%a = load %A[%i] : {from}\n%r = cast %a : {to}\nstore %r, %R[%i]");
    Launch {
        name: format!("{from} to {to}, bit by bit"),
        kernel: elementwise(size, &parameters, &body),
        groups: [1, 1, 1],
        arguments: vec![
            Arg::Index(length),
            Arg::Pointer(0, 0),
            Arg::Index(length),
            Arg::Pointer(1, 0),
            Arg::Index(length),
        ],
        buffers: vec![Buffer::input(before), after],
        requires: required(&[from, to], None),
    }
}
