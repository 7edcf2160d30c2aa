//! Numeric literals (language reference 1.3, 1.4).

/// A numeric literal at the start of a text: its length and what it is.
pub(super) struct Literal {
    pub length: usize,
    pub kind: Kind,
}

pub(super) enum Kind {
    Integer,
    Decimal,
    Hexadecimal,
}

/// The longest numeric literal that `text` starts with.
pub(super) fn scan(text: &[u8]) -> Option<Literal> {
    let sign = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let body = text.get(sign..)?;
    if body.starts_with(b"0x")
        && let Some(length) = scan_float(body.get(2..)?, u8::is_ascii_hexdigit, b"pP")
    {
        return Some(Literal { length: sign + 2 + length, kind: Kind::Hexadecimal });
    }
    if let Some(length) = scan_float(body, u8::is_ascii_digit, b"eE") {
        return Some(Literal { length: sign + length, kind: Kind::Decimal });
    }
    match count(body, u8::is_ascii_digit) {
        0 => None,
        digits => Some(Literal { length: sign + digits, kind: Kind::Integer }),
    }
}

fn count(text: &[u8], of: fn(&u8) -> bool) -> usize {
    text.iter().take_while(|byte| of(byte)).count()
}

/// Length of a mantissa with a point, or digits with an exponent.
fn scan_float(text: &[u8], digit: fn(&u8) -> bool, exponent_letters: &[u8]) -> Option<usize> {
    let whole = count(text, digit);
    let mut length = whole;
    if text.get(length) == Some(&b'.') {
        let fraction = count(text.get(length + 1..)?, digit);
        if whole + fraction == 0 {
            return None;
        }
        length += 1 + fraction;
    } else if whole == 0 {
        return None;
    }
    let exponent = scan_exponent(text.get(length..)?, exponent_letters);
    if exponent == 0 && length == whole { None } else { Some(length + exponent) }
}

fn scan_exponent(text: &[u8], letters: &[u8]) -> usize {
    if !text.first().is_some_and(|byte| letters.contains(byte)) {
        return 0;
    }
    let sign = usize::from(matches!(text.get(1), Some(b'+' | b'-')));
    match count(text.get(1 + sign..).unwrap_or_default(), u8::is_ascii_digit) {
        0 => 0,
        digits => 1 + sign + digits,
    }
}

/// The integer; `None` beyond ±(2^63−1).
pub(super) fn integer(literal: &str) -> Option<i64> {
    literal.parse().ok().filter(|&value| value != i64::MIN)
}

/// The double nearest to a decimal literal; `None` if it overflows or underflows inexactly.
pub(super) fn decimal(literal: &str) -> Option<f64> {
    let value: f64 = literal.parse().ok()?;
    let fits = if value.is_subnormal() || value == 0.0 {
        // As many digits as the smallest number has.
        significant(literal) == significant(&format!("{value:.1074}"))
    } else {
        value.is_finite()
    };
    fits.then_some(value)
}

/// The digits of a decimal literal from the first to the last that is not 0, and the place of the point in
/// front of them; the latter is 0 for zero. `None` if the exponent is beyond reckoning.
fn significant(literal: &str) -> Option<(String, i64)> {
    let (mantissa, exponent) = literal.split_once(['e', 'E']).unwrap_or((literal, "0"));
    let mantissa = mantissa.trim_start_matches(['+', '-']);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let digits = all.trim_start_matches('0');
    if digits.is_empty() {
        return Some((String::new(), 0));
    }
    let zeros = i64::try_from(all.len() - digits.len()).ok()?;
    let point = i64::try_from(whole.len()).ok()?.checked_sub(zeros)?;
    let point = point.checked_add(exponent.parse().ok()?)?;
    Some((digits.trim_end_matches('0').to_owned(), point))
}

/// The double nearest to a hexadecimal literal; `None` if it overflows or underflows inexactly.
pub(super) fn hexadecimal(literal: &str) -> Option<f64> {
    let (negative, unsigned) = match literal.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, literal.strip_prefix('+').unwrap_or(literal)),
    };
    let digits = unsigned.strip_prefix("0x")?;
    let (mantissa, exponent) = digits.split_once(['p', 'P']).unwrap_or((digits, "0"));
    // An exponent beyond i64 is as good as the largest one: zero stays zero, anything else over- or
    // underflows.
    let exponent = exponent.parse().unwrap_or(if exponent.starts_with('-') { i64::MIN } else { i64::MAX });
    let magnitude = scale(mantissa, exponent)?;
    Some(if negative { -magnitude } else { magnitude })
}

/// mantissa · 2^exponent, rounded to nearest, ties to even.
fn scale(mantissa: &str, exponent: i64) -> Option<f64> {
    const KEPT_BITS: u32 = 120;
    let mut bits: u128 = 0;
    let mut sticky = false;
    let mut shift: i64 = 0;
    let mut behind_point = false;
    for digit in mantissa.chars() {
        let Some(digit) = digit.to_digit(16) else {
            behind_point = true;
            continue;
        };
        if bits >> KEPT_BITS == 0 {
            bits = bits << 4 | u128::from(digit);
            shift -= if behind_point { 4 } else { 0 };
        } else {
            sticky |= digit != 0;
            shift += if behind_point { 0 } else { 4 };
        }
    }
    if bits == 0 {
        return Some(0.0);
    }
    let width = i64::from(u128::BITS - bits.leading_zeros());
    let lowest = exponent.saturating_add(shift);
    // Exponent of the leading bit decides how many bits a double can keep.
    let top = lowest.saturating_add(width - 1);
    if top > 1023 {
        return None;
    }
    let keep = if top >= -1022 { 53 } else { 53 - (-1022 - top) };
    let drop = width - keep;
    let subnormal = keep < 53;
    if keep < 0 {
        return None;
    }
    let (mut kept, exact) = if drop <= 0 {
        (bits << u32::try_from(-drop).ok()?, !sticky)
    } else {
        let drop = u32::try_from(drop).ok()?;
        let half = 1u128 << (drop - 1);
        let rest = bits & ((half << 1) - 1);
        let kept = bits.checked_shr(drop).unwrap_or(0);
        let up = rest > half || (rest == half && (sticky || kept & 1 == 1));
        (kept + u128::from(up), rest == 0 && !sticky)
    };
    if subnormal && !exact {
        return None;
    }
    let mut lsb = top - keep + 1;
    if kept >> 53 != 0 {
        kept >>= 1;
        lsb += 1;
    }
    // The kept bits fit a double exactly, so both steps are exact; two steps since 2^-1074 · 2^52
    // alone is within range while a single power of two might not be.
    #[allow(clippy::cast_precision_loss)]
    let value = (kept as f64) * power_of_two(lsb / 2) * power_of_two(lsb - lsb / 2);
    value.is_finite().then_some(value)
}

fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(u64::try_from(exponent + 1023).unwrap_or(0) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scans_the_longest_literal() {
        let cases = [
            ("1", 1),
            ("-12x", 3),
            ("1.", 2),
            (".5,", 2),
            ("1e5", 3),
            ("1e", 1),
            ("1e+", 1),
            ("0x10", 1),
            ("0x8.", 4),
            ("0x.8", 4),
            ("0xAp-1", 6),
            ("0x1p", 1),
            ("0x1.8p1", 7),
            ("+016}", 4),
            ("0x8x", 1),
            ("1.5e-3)", 6),
        ];
        for (text, length) in cases {
            assert_eq!(scan(text.as_bytes()).map(|literal| literal.length), Some(length), "{text}");
        }
        for text in ["", "-", ".", "x", "-x", ".n"] {
            assert!(scan(text.as_bytes()).is_none(), "{text}");
        }
    }

    #[test]
    fn converts_like_strtod() {
        for text in ["1e400", "1e-310", "4.9e-324", "-1e400"] {
            assert_eq!(decimal(text), None, "{text}");
        }
        assert_eq!(decimal("0e999"), Some(0.0));
        assert_eq!(decimal("-0.0e-99999999999999999999").map(f64::to_bits), Some((-0.0f64).to_bits()));
        // Subnormal numbers are fine if every digit is given.
        let exact = |value: f64| format!("{value:.1074}");
        for value in [f64::from_bits(1), f64::from_bits(0x000f_ffff_ffff_ffff), -f64::from_bits(3)] {
            let text = exact(value);
            assert_eq!(decimal(&text), Some(value), "{text}");
            assert_eq!(decimal(&format!("{text}1")), None, "{text}");
            let digits = text.replace("-", "").replace("0.", "");
            let sign = if value < 0.0 { "-" } else { "+" };
            assert_eq!(decimal(&format!("{sign}{digits}E-1074")), Some(value), "{text}");
        }
        assert_eq!(decimal("1e-99999999999999999999"), None);
        assert_eq!(decimal(".5"), Some(0.5));
        assert_eq!(decimal("1."), Some(1.0));
        let hex = [
            ("0x1p-1074", f64::from_bits(1)),
            ("0x1.8p-3", 0.1875),
            ("0x.8", 0.5),
            ("-0x8.", -8.0),
            ("0x1.999999999999ap-4", 0.1),
            ("0x1.fffffffffffffp+1023", f64::MAX),
            ("0x0p+0", 0.0),
            ("0x1.00000000000008p0", 1.0),
            ("0x1.00000000000018p0", 1.0 + 2.0 * f64::EPSILON),
            ("0x1.000000000000081p0", 1.0 + f64::EPSILON),
            ("0x0.0000000000001p-1022", f64::from_bits(1)),
            ("0x0p99999999999999999999", 0.0),
            ("0x1p1023", 2f64.powi(1023)),
            ("0x1p-1022", f64::MIN_POSITIVE),
        ];
        for (text, value) in hex {
            assert_eq!(hexadecimal(text), Some(value), "{text}");
        }
        for text in
            ["0x1p1024", "0x1p-1075", "0x1.8p-1074", "0x1.fffffffffffff8p1023", "0x1p99999999999999999999"]
        {
            assert_eq!(hexadecimal(text), None, "{text}");
        }
    }
}
