//! printf of OpenCL C. Its format is a constant, so that it is taken apart here; C's conversions are left to a library,
//! and those that only OpenCL C has, of vectors, are repeated for each component.

use super::Translator;
use crate::Error;
use crate::layout::{Part, Scalar};
use crate::program::{Kind, Numbers, Piece, Print, Step};
use rspirv::dr::Instruction;

/// Wider fields and longer fractions are refused: nobody reads them, and they take memory.
const MAX_DIGITS: usize = 3;

/// A conversion of a format.
#[derive(Debug, PartialEq, Eq)]
struct Conversion<'f> {
    /// Flags, width and precision.
    start: &'f str,
    /// Components, if it is one of vectors.
    vector: Option<usize>,
    /// Bits that the length stands for.
    bits: Option<u32>,
    letter: char,
}

impl<const S: usize> Translator<'_, S> {
    /// Prints what the format and the values after it say.
    pub(super) fn printf(&mut self, inst: &Instruction, ids: &[u32]) -> Result<(), Error> {
        let Some((&format, mut values)) = ids.split_first() else { return Err(self.unsupported(inst)) };
        let text = self.constant_text(format);
        let text = text.ok_or_else(|| self.refused(inst, "the format is no constant text".to_owned()))?;
        let mut pieces = Vec::new();
        let mut rest = text.as_str();
        while let Some((before, behind)) = rest.split_once('%') {
            pieces.push(Piece::Text(before.to_owned()));
            if let Some(behind) = behind.strip_prefix('%') {
                pieces.push(Piece::Text("%".to_owned()));
                rest = behind;
                continue;
            }
            let (conversion, behind) = conversion(behind)
                .ok_or_else(|| self.refused(inst, format!("conversion %{behind} is not known")))?;
            let Some((&value, others)) = values.split_first() else {
                return Err(self.refused(inst, format!("there is no value for %{}", conversion.letter)));
            };
            pieces.push(self.piece(inst, &conversion, value)?);
            (rest, values) = (behind, others);
        }
        pieces.push(Piece::Text(rest.to_owned()));
        self.emit(Step::Print(Box::new(Print { pieces })))?;
        if let (Some(id), Some(ty)) = (inst.result_id, inst.result_type) {
            // Printing succeeds.
            let zero = self.constant(self.scalar_type(ty)?, 0)?;
            self.define(id, [zero]);
        }
        Ok(())
    }

    fn piece(&mut self, inst: &Instruction, conversion: &Conversion<'_>, value: u32) -> Result<Piece, Error> {
        let &Conversion { start, vector, bits, letter } = conversion;
        if letter == 's' {
            let pointer = self.pointer(value)?;
            let access = self.access(pointer, vec![(Part { scalar: Scalar::I8, offset: 0 }, 0)], 1);
            return Ok(Piece::Words(format!("%{start}s"), Box::new(access)));
        }
        let (rows, scalar) = (self.rows(value)?.to_vec(), self.scalar_of(value)?);
        let own = bits.unwrap_or(u32::MAX).min(scalar.bits());
        let (kind, format) = match letter {
            'd' | 'i' => (Kind::Signed(own), format!("%{start}d")),
            'u' | 'o' | 'x' | 'X' => (Kind::Unsigned(own), format!("%{start}{letter}")),
            'p' => (Kind::Unsigned(64), format!("%#{start}x")),
            'c' => (Kind::Character, format!("%{start}c")),
            _ => (Kind::Float, format!("%{start}{letter}")),
        };
        if rows.len() != vector.unwrap_or(1) || scalar.is_float() != (kind == Kind::Float) {
            let components = vector.map_or_else(String::new, |count| format!("v{count}"));
            return Err(self.refused(inst, format!("the value for %{components}{letter} is of another type")));
        }
        Ok(Piece::Numbers(Numbers { format, rows, scalar, kind }))
    }

    /// The text at an address that is known, in the memory of the module's variables.
    fn constant_text(&self, id: u32) -> Option<String> {
        let address = *self.known.get(&self.scalar(id).ok()?)?;
        let mut variables = self.program.globals.iter();
        let (text, start) = variables.find_map(|text| {
            text.offset(address, 1).filter(|_| text.is_read_only).map(|start| (text, start))
        })?;
        let bytes = (start..text.size).map_while(|at| text.load::<u8>(at).filter(|&byte| byte != 0));
        Some(String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned())
    }
}

/// What stands behind a percent sign, and what follows it; `None` if it is no conversion of OpenCL C, or one of the
/// binary representation (`%a`).
fn conversion(text: &str) -> Option<(Conversion<'_>, &str)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let flags = text.bytes().take_while(|byte| b"-+ #0".contains(byte)).count();
    let width = digits(text.get(flags..)?);
    let mut end = flags.saturating_add(width);
    let mut fraction = 0;
    if text.get(end..)?.starts_with('.') {
        end = end.saturating_add(1);
        fraction = digits(text.get(end..)?);
        end = end.saturating_add(fraction);
    }
    if width > MAX_DIGITS || fraction > MAX_DIGITS {
        return None;
    }
    let (start, mut rest) = text.split_at_checked(end)?;
    let mut vector = None;
    if let Some(behind) = rest.strip_prefix('v') {
        let (count, behind) = behind.split_at_checked(digits(behind))?;
        vector = Some(count.parse().ok().filter(|count| [2, 3, 4, 8, 16].contains(count))?);
        rest = behind;
    }
    let mut bits = None;
    // `hl` is for vectors of 32 bits.
    for (length, size) in [("hh", 8), ("hl", 32), ("h", 16), ("l", 64)] {
        if let Some(behind) = rest.strip_prefix(length) {
            (bits, rest) = (Some(size), behind);
            break;
        }
    }
    let letter = rest.chars().next().filter(|letter| "diuoxXfFeEgGcsp".contains(*letter))?;
    Some((Conversion { start, vector, bits, letter }, rest.get(1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_are_taken_apart() {
        let parsed =
            |text| conversion(text).map(|(it, rest)| (it.start, it.vector, it.bits, it.letter, rest));
        assert_eq!(parsed("d\n"), Some(("", None, None, 'd', "\n")));
        assert_eq!(parsed("-+8.3f "), Some(("-+8.3", None, None, 'f', " ")));
        assert_eq!(parsed("#v16hhx"), Some(("#", Some(16), Some(8), 'x', "")));
        assert_eq!(parsed(".2v4hlf,"), Some((".2", Some(4), Some(32), 'f', ",")));
        assert_eq!(parsed("ld"), Some(("", None, Some(64), 'd', "")));
        for wrong in ["", "lld", "*d", "v5d", "n", "a", "10000d", ".10000f", "é"] {
            assert_eq!(parsed(wrong), None, "{wrong}");
        }
    }
}
