//! Numbers of all precisions.

use crate::Session;
use half::f16;
use virtual_xe::Argument;

pub fn numbers(session: &Session) {
    const ITEMS: usize = 32;
    let input: Vec<f32> = (0..ITEMS).map(|i| (i as f32 - 9.0) * 0.3125 + 0.0625).collect();
    let (halves, doubles) = (session.room(ITEMS * 2), session.room(ITEMS * 8));
    let ints = session.room(ITEMS * 4);
    let arguments = [
        Argument::address(session.upload(&input, f32::to_le_bytes)),
        Argument::address(halves),
        Argument::address(doubles),
        Argument::address(ints),
    ];
    session.run([1, 1, 1], [ITEMS as u32, 1, 1], &arguments);
    let half = |x: f32| {
        let h = f64::from(f16::from_f32(x));
        let root = f64::from(f16::from_f64(h.abs().sqrt()));
        let above = f64::from(f16::from_f64(h * 1.5 + root));
        f16::from_f64(above / f64::from(f16::from_f64(h + 3.0)))
    };
    let expected: Vec<f16> = input.iter().map(|&x| half(x)).collect();
    assert_eq!(session.download(halves, ITEMS, f16::from_le_bytes), expected);
    for (&x, given) in input.iter().zip(session.download(doubles, ITEMS, f64::from_le_bytes)) {
        let d = f64::from(x);
        let (shifted, mut exponent) = (d + 0.1, 0);
        while shifted.abs() >= f64::powi(2.0, exponent) {
            exponent += 1;
        }
        while shifted.abs() < f64::powi(2.0, exponent - 1) {
            exponent -= 1;
        }
        let significand = shifted / f64::powi(2.0, exponent);
        let (part, whole) = ((d * 1.75).fract(), (d * 1.75).trunc());
        let expected = (-d * d).exp().min(0.9)
            + part
            + 10.0 * whole
            + 100.0 * significand
            + 1000.0 * f64::from(exponent);
        // Each of the five terms may be rounded differently, and the sum is below 4000.
        assert!((given - expected).abs() < 4000.0 * 5.0 * f64::EPSILON, "{x}: {given} is not {expected}");
    }
    let expected: Vec<i32> = (0..).zip(&input).map(|(i, &x)| integer(i, x)).collect();
    assert_eq!(session.download(ints, ITEMS, i32::from_le_bytes), expected);
}

fn integer(i: i32, x: f32) -> i32 {
    let waves = f64::from(x).sin() as f32 + f64::from(x).cos() as f32;
    let first = (x * 1e8).round_ties_even() as i32 ^ i32::from((x * 40.0) as u8) ^ (1024.0 * waves) as i32;
    let rounded = [x, -x, x / 7.0, 2.5].map(|x| x.ceil() as i32);
    let mut mixed = [0; 4];
    for (place, (mixed, rounded)) in mixed.iter_mut().zip(rounded).enumerate() {
        *mixed = rounded + if x < place as f32 { 2 } else { 1 };
    }
    let second = mixed[0] + 3 * mixed[1] + 5 * mixed[2] + 7 * mixed[3] + (3 * i + 1);
    let bits = i.rotate_left(5) + i.count_ones() as i32 + ((i + 7) >> 1) + (i + 1).leading_zeros() as i32;
    let high = ((u64::from((i as u32).wrapping_mul(77_777_777)) * 99) >> 32) as i32;
    let third =
        i32::from(mixed.iter().any(|&mixed| mixed > 3)) + x.to_bits() as i32 % 11 + high + ((i << 16) | 3);
    [second, bits, third].into_iter().fold(first, i32::wrapping_add)
}
