//! Offsets beyond 32 bits.
//!
//! No memory is that large: the kernel is told an address as far before the memory as the offset is large, in a table of
//! pointers, which may hold anything.

use super::{kernel, lanes};
use crate::selftest::case::{Argument, Buffer, Case, Evidence};
use crate::selftest::element::Element;
use tiletc::device::CoreInfo;

/// Columns before the one that is there.
const OFFSETS: [u32; 6] = [25, 27, 28, 30, 33, 36];

/// Loads and stores at large offsets.
pub fn all(info: &CoreInfo) -> Vec<Case> {
    let lanes = lanes(info);
    let mut cases = Vec::new();
    for (place, bits) in OFFSETS.into_iter().enumerate() {
        for element in [Element::F32, Element::I64] {
            let ty = element.spelling();
            let column = (1u64 << bits) + place as u64;
            let body = format!(
                "%v = load %x[%i,%column] : {ty}
        %w = add %v, %v : {ty}
        store %w, %x[%i,%column]"
            );
            let parameters = format!("%g: group<memref<{ty}x{lanes}x{}>x1>, %column: index", column + 1);
            let before: Vec<f64> = (1..=lanes).map(|number| number as f64).collect();
            let after: Vec<f64> = before.iter().map(|number| 2.0 * number).collect();
            let load = format!("%x = load %g[0] : memref<{ty}x{lanes}x{}>", column + 1);
            let shift = column * (lanes * element.bytes()) as u64;
            cases.push(Case {
                name: format!("{ty}, column 2^{bits} + {place}"),
                text: kernel(&parameters, lanes, lanes, &load, &body),
                groups: [1; 3],
                arguments: vec![
                    Argument::Shifted(Buffer::output(element, &before, &after), shift),
                    Argument::index(i64::try_from(column).unwrap_or(0)),
                ],
                evidence: Evidence::None,
            });
        }
    }
    cases
}
