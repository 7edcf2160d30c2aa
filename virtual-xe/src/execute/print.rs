//! Output of kernels.

use super::Environment;
use crate::layout::Scalar;
use crate::program::{Access, Kind, Numbers, Piece, Print};
use crate::rows::Rows;
use half::{bf16, f16};
use std::collections::BTreeMap;

/// Bytes of output that are kept of a launch; what comes behind is lost, as on a device, whose buffer has an end, too.
pub(crate) const MAX_PRINTED: usize = 4 << 20;

/// What work-groups have printed.
#[derive(Debug, Default)]
pub(crate) struct Printed {
    /// By the place of the work-group, the last coordinate first, which is their order.
    texts: BTreeMap<[u32; 3], String>,
    bytes: usize,
}

impl Printed {
    /// A thread executes its work-groups in their order, so that behind its first [`MAX_PRINTED`] bytes is nothing that
    /// could be among the first of all.
    fn add(&mut self, [x, y, z]: [u32; 3], text: &str) {
        if self.bytes < MAX_PRINTED {
            self.bytes += text.len();
            self.texts.entry([z, y, x]).or_default().push_str(text);
        }
    }

    pub fn merge(&mut self, other: Printed) {
        self.texts.extend(other.texts);
    }

    /// Work-group after work-group.
    pub fn finish(self) -> String {
        let mut all: String = self.texts.into_values().collect();
        let end = (0..=MAX_PRINTED.min(all.len())).rev().find(|&end| all.is_char_boundary(end));
        all.truncate(end.unwrap_or(0));
        all
    }
}

impl<const S: usize> Environment<'_, S> {
    /// Prints, one lane after the other.
    pub fn print(&mut self, rows: &Rows<S>, print: &Print, mask: u32) {
        for lane in (0..S).filter(|lane| mask >> lane & 1 == 1) {
            let mut text = String::new();
            for piece in &print.pieces {
                match piece {
                    Piece::Text(piece) => text.push_str(piece),
                    Piece::Numbers(numbers) => text.push_str(&numbers.text(rows, lane)),
                    Piece::Words(format, access) => {
                        let words = self.words(access, rows.lane(access.pointer, lane), lane as u32);
                        text.push_str(&formatted(format, words));
                    }
                }
            }
            self.printed.add(self.group, &text);
        }
    }

    /// The text at an address, up to its zero.
    fn words(&mut self, access: &Access, address: u64, lane: u32) -> String {
        let mut bytes = Vec::new();
        while bytes.len() < MAX_PRINTED {
            let at = address.wrapping_add(bytes.len() as u64);
            match self.load_lane::<u8>(access, at, lane) {
                Some(byte) if byte != 0 => bytes.push(byte),
                _ => break,
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Numbers {
    fn text<const S: usize>(&self, rows: &Rows<S>, lane: usize) -> String {
        let number = |&row: &u32| {
            let bits = rows.bits(row, self.scalar.bytes(), lane);
            match self.kind {
                Kind::Signed(width) => {
                    let unused = 64 - width.clamp(1, 64);
                    formatted(&self.format, (bits << unused) as i64 >> unused)
                }
                Kind::Unsigned(width) => {
                    let unused = 64 - width.clamp(1, 64);
                    formatted(&self.format, bits << unused >> unused)
                }
                Kind::Character => formatted(&self.format, char::from(bits as u8)),
                Kind::Float => formatted(
                    &self.format,
                    match self.scalar {
                        Scalar::F16 => f16::from_bits(bits as u16).to_f64(),
                        Scalar::Bf16 => bf16::from_bits(bits as u16).to_f64(),
                        Scalar::F32 => f32::from_bits(bits as u32).into(),
                        _ => f64::from_bits(bits),
                    },
                ),
            }
        };
        self.rows.iter().map(number).collect::<Vec<String>>().join(",")
    }
}

/// A value by a conversion of C; nothing if it does not go with it, which is found out when formats are read.
fn formatted(format: &str, value: impl sprintf::Printf) -> String {
    sprintf::vsprintf(format, &[&value]).unwrap_or_default()
}
