//! Warnings in a form that can be kept with what was made of a program.
//!
//! A place of the text would be wrong for the same program in another text: comments and blanks may differ. So a warning
//! is kept with the number of its instruction, in the order of the text, where functions count as well.

use crate::diagnostics::{Diagnostic, Location};
use crate::ir::{Ir, Program};

/// Number of a warning that is about no instruction in particular.
const NOWHERE: u32 = u32::MAX;

/// The warnings about `program` as bytes that mean the same for every program of the same
/// [`fingerprint`](super::fingerprint).
pub fn encode_warnings(ir: &Ir, program: &Program, warnings: &[Diagnostic]) -> Vec<u8> {
    if warnings.is_empty() {
        return Vec::new();
    }
    let places = places(ir, program);
    let encoded = warnings.iter().flat_map(|Diagnostic { message, location }| {
        let number = places.iter().position(|place| place == location);
        let number = number.and_then(|number| u32::try_from(number).ok()).unwrap_or(NOWHERE);
        let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
        let text = message.bytes().take(usize::try_from(length).unwrap_or(usize::MAX));
        number.to_le_bytes().into_iter().chain(length.to_le_bytes()).chain(text).collect::<Vec<_>>()
    });
    encoded.collect()
}

/// The warnings that [`encode_warnings`] has made bytes of, for this program; `None` for other bytes.
pub fn decode_warnings(ir: &Ir, program: &Program, mut bytes: &[u8]) -> Option<Vec<Diagnostic>> {
    if bytes.is_empty() {
        return Some(Vec::new());
    }
    let places = places(ir, program);
    let mut warnings = Vec::new();
    while !bytes.is_empty() {
        let (number, rest) = bytes.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (text, rest) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
        let location = match u32::from_le_bytes(*number) {
            NOWHERE => Location::default(),
            number => *places.get(usize::try_from(number).ok()?)?,
        };
        warnings.push(Diagnostic::new(std::str::from_utf8(text).ok()?, location));
        bytes = rest;
    }
    Some(warnings)
}

/// The places of all functions and instructions.
fn places(ir: &Ir, program: &Program) -> Vec<Location> {
    let mut places = Vec::new();
    for &func in &program.functions {
        places.push(ir[func].location);
        ir.walk(ir[func].body, &mut |inst| places.push(ir[inst].location));
    }
    places
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{fingerprint, parse, warnings};
    use super::*;
    use crate::device::CoreInfo;
    use crate::diagnostics::Sources;
    use crate::driver::Options;

    const TEXT: &str = "func @f(%A: memref<f32x4x3>, %x: f32) {
    for %i=%a,%b {
        %t = alloca : memref<f32x4x3,strided<1,?>,local>
        axpby.n %x, %A, %x, %t
    }
}";

    fn text(comment: &str) -> String {
        let bounds = "%a = constant 0 : i32 %b = constant 9 : i32\n    for";
        format!("{comment}{}", TEXT.replace("for", bounds))
    }

    #[test]
    fn warnings_are_found_again_in_a_text_with_other_comments() {
        let (mut ir, mut sources) = (Ir::default(), Sources::new());
        let mut programs = ["", "; one line\n; and another\n"].map(|comment| {
            let text = text(comment);
            parse(&mut ir, sources.add("test", text.as_bytes()), text.as_bytes()).unwrap()
        });
        let (info, options) = (CoreInfo::from_name("pvc").unwrap(), Options::default());
        let [here, there] = &mut programs;
        assert_eq!(fingerprint(&ir, here, &info, &options), fingerprint(&ir, there, &info, &options));
        let mut found = warnings(&ir, here);
        found.push(Diagnostic::new("warning: about everything", Location::default()));
        let kept = encode_warnings(&ir, here, &found);
        assert_eq!(decode_warnings(&ir, here, &kept), Some(found));
        let again = decode_warnings(&ir, there, &kept).unwrap();
        assert_eq!(again.first(), warnings(&ir, there).first());
        assert_eq!(again.first().unwrap().location.begin.line, 6);
        assert_eq!(again.last().unwrap().location, Location::default());
    }

    #[test]
    fn other_bytes_are_no_warnings() {
        let mut ir = Ir::default();
        let text = text("");
        let program = parse(&mut ir, Sources::new().add("test", text.as_bytes()), text.as_bytes()).unwrap();
        let kept = encode_warnings(&ir, &program, &warnings(&ir, &program));
        assert_eq!(decode_warnings(&ir, &program, &[]), Some(Vec::new()));
        for length in 1..kept.len() {
            assert_eq!(decode_warnings(&ir, &program, kept.get(..length).unwrap()), None, "{length}");
        }
        let far = [99u32.to_le_bytes(), 0u32.to_le_bytes()].concat();
        assert_eq!(decode_warnings(&ir, &program, &far), None);
        let no_text = [NOWHERE.to_le_bytes(), 1u32.to_le_bytes()].concat();
        assert_eq!(decode_warnings(&ir, &program, &[no_text, vec![0xff]].concat()), None);
    }
}
