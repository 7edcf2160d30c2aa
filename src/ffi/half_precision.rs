//! Conversion of 16-bit floating-point numbers, passed as their bits (API reference 3.3).
//!
//! Numbers are rounded by the `half` crate, with integers only: the processor's own conversion would trap
//! in a program that asks for traps, and an entry through `call` costs more than the work. NaNs are converted here because programs rely on their bits:
//! the payload moves with the mantissa and no quiet bit is set, whereas `half` (like the hardware)
//! quietens.

use half::{bf16, f16};

/// Mantissa bits that single precision has and half precision does not.
const F16_SHIFT: u32 = 13;
/// Mantissa bits that single precision has and bfloat16 does not.
const BF16_SHIFT: u32 = 16;

const F32_MANTISSA: u32 = 0x007f_ffff;
const F32_INFINITY: u32 = 0x7f80_0000;
const F16_INFINITY: u16 = 0x7c00;
const F16_MANTISSA: u16 = 0x03ff;
const BF16_INFINITY: u16 = 0x7f80;
const SIGN: u16 = 0x8000;

/// Sign bit of a 32-bit pattern in a 16-bit pattern.
fn sign(bits: u32) -> u16 {
    if bits >> 31 == 1 { SIGN } else { 0 }
}

/// The payload without its last `shift` bits; a payload that would vanish becomes 1, since a NaN with
/// payload 0 would be infinity.
fn payload(bits: u32, shift: u32) -> u16 {
    u16::try_from((bits & F32_MANTISSA) >> shift).unwrap_or(0).max(1)
}

/// Looks at the bits, since comparing a signalling NaN may trap.
fn is_nan(bits: u32) -> bool {
    bits & !(1 << 31) > F32_INFINITY
}

/// Rounds to bfloat16, to nearest, ties to even.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_f32_to_bf16_as_ui16(x: f32) -> u16 {
    if is_nan(x.to_bits()) {
        return sign(x.to_bits()) | BF16_INFINITY | payload(x.to_bits(), BF16_SHIFT);
    }
    bf16::from_f32_const(x).to_bits()
}

/// Widens a bfloat16 number; exact.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_bf16_as_ui16_to_f32(x: u16) -> f32 {
    f32::from_bits(u32::from(x) << BF16_SHIFT)
}

/// Rounds to half precision, to nearest, ties to even.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_f32_to_f16_as_ui16(x: f32) -> u16 {
    if is_nan(x.to_bits()) {
        return sign(x.to_bits()) | F16_INFINITY | payload(x.to_bits(), F16_SHIFT);
    }
    f16::from_f32_const(x).to_bits()
}

/// Widens a half-precision number; exact.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_f16_as_ui16_to_f32(x: u16) -> f32 {
    let number = f16::from_bits(x);
    if !number.is_nan() {
        return number.to_f32_const();
    }
    let payload = u32::from(x & F16_MANTISSA) << F16_SHIFT;
    f32::from_bits(u32::from(x & SIGN) << 16 | F32_INFINITY | payload)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_as_specified() {
        for (f32_bits, f16_bits, bf16_bits) in [
            (0x3dcc_cccd, 0x2e66, 0x3dcd),
            (0x4049_0fdb, 0x4248, 0x4049),
            (0x477f_efff, 0x7bff, 0x4780),
            (0x477f_f000, 0x7c00, 0x4780),
            (0x7f80_0001, 0x7c01, 0x7f81),
            (0xff80_0000, 0xfc00, 0xff80),
            (0x387f_ffff, 0x0400, 0x3880),
            (0x3420_0001, 0x0003, 0x3420),
            (0x3300_0001, 0x0001, 0x3300),
            (0x3340_0000, 0x0001, 0x3340),
            (0x8000_0000, 0x8000, 0x8000),
        ] {
            let x = f32::from_bits(f32_bits);
            assert_eq!(tiletc_f32_to_f16_as_ui16(x), f16_bits, "{f32_bits:08x}");
            assert_eq!(tiletc_f32_to_bf16_as_ui16(x), bf16_bits, "{f32_bits:08x}");
        }
    }

    #[test]
    fn widens_as_specified() {
        for (f16_bits, f32_bits) in [
            (0x3555, 0x3eaa_a000),
            (0x0002, 0x3400_0000),
            (0x83ff, 0xb87f_c000),
            (0x7c02, 0x7f80_4000),
            (0x8000, 0x8000_0000),
        ] {
            assert_eq!(tiletc_f16_as_ui16_to_f32(f16_bits).to_bits(), f32_bits);
        }
        for (bf16_bits, f32_bits) in [(0x0001, 0x0001_0000), (0x7f81, 0x7f81_0000)] {
            assert_eq!(tiletc_bf16_as_ui16_to_f32(bf16_bits).to_bits(), f32_bits);
        }
    }

    #[test]
    fn every_16_bit_number_survives_the_way_through_single_precision() {
        for bits in 0..=u16::MAX {
            assert_eq!(tiletc_f32_to_f16_as_ui16(tiletc_f16_as_ui16_to_f32(bits)), bits);
            assert_eq!(tiletc_f32_to_bf16_as_ui16(tiletc_bf16_as_ui16_to_f32(bits)), bits);
        }
    }

    /// Between two neighbours the midpoint goes to the even one and everything else to the nearer one.
    #[test]
    fn rounds_to_nearest_even_everywhere() {
        for bits in 0..F16_INFINITY - 1 {
            let (low, high) = (tiletc_f16_as_ui16_to_f32(bits), tiletc_f16_as_ui16_to_f32(bits + 1));
            let middle = low + (high - low) / 2.0;
            assert_eq!(tiletc_f32_to_f16_as_ui16(middle), bits + bits % 2);
            assert_eq!(tiletc_f32_to_f16_as_ui16(middle.next_down()), bits);
            assert_eq!(tiletc_f32_to_f16_as_ui16(middle.next_up()), bits + 1);
        }
    }
}
