//! Summary of an argument after a run, for people.

use super::tensor::{self, Number, Tensor};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// So many numbers are shown in full.
const SMALL: usize = 64;

/// The summary of an argument before and after the run.
pub fn summary(name: &str, before: &Tensor, after: &Tensor) -> String {
    let change = if before == after { "unchanged" } else { "changed" };
    let mut kind = after.element.to_string();
    if !after.shape.is_empty() {
        kind = format!("{kind} {}", tensor::shown(&after.shape));
    }
    let mut text = format!("{name}: {kind}, {change}\n");
    // Only what was written is of interest, and what was read is known.
    if before != after {
        statistics(after, &mut text);
        let numbers: Vec<Number> = after.numbers().take(SMALL + 1).collect();
        if numbers.len() <= SMALL {
            list(&numbers, &after.shape, &mut text);
        }
    }
    text
}

fn statistics(tensor: &Tensor, text: &mut String) {
    let (mut least, mut greatest): (Option<Number>, Option<Number>) = (None, None);
    let (mut re_sum, mut im_sum, mut count, mut nans) = (0.0, 0.0, 0u64, 0u64);
    for number in tensor.numbers() {
        if number.is_nan() {
            nans += 1;
            continue;
        }
        let (re, im) = number.parts();
        (re_sum, im_sum, count) = (re_sum + re, im_sum + im, count + 1);
        let size = number.magnitude();
        if least.is_none_or(|least| size < least.magnitude()) {
            least = Some(number);
        }
        if greatest.is_none_or(|greatest| size > greatest.magnitude()) {
            greatest = Some(number);
        }
    }
    if let (Some(least), Some(greatest)) = (least, greatest) {
        // Rounded; it is to be read by people.
        #[allow(clippy::cast_precision_loss)]
        let (re, im) = (re_sum / count as f64, im_sum / count as f64);
        let (by, mean) = if tensor.element.is_complex() {
            (" by modulus", format!("{re:.6}{im:+.6}i"))
        } else {
            ("", format!("{re:.6}"))
        };
        let _ = write!(text, "    min{by} {least}  max{by} {greatest}  mean {mean}");
    } else {
        text.push_str("   ");
    }
    if nans > 0 {
        let _ = write!(text, "  nan {nans} times");
    }
    let digest = Sha256::digest(&tensor.bytes);
    let checksum: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let _ = writeln!(text, "  checksum {checksum}");
}

/// The numbers: a row of a matrix a line, matrix after matrix.
fn list(numbers: &[Number], shape: &[u64], text: &mut String) {
    let size = |mode: usize| shape.get(mode).map_or(1, |&size| usize::try_from(size).unwrap_or(1)).max(1);
    // A vector is shown in one line.
    let (rows, columns) = if shape.len() < 2 { (1, size(0)) } else { (size(0), size(1)) };
    let shown: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    let width = shown.iter().map(String::len).max().unwrap_or(0);
    for (place, matrix) in shown.chunks(rows * columns).enumerate() {
        if shape.len() > 2 {
            let mut rest = place;
            let mut indices = String::new();
            for mode in 2..shape.len() {
                let _ = write!(indices, ",{}", rest % size(mode));
                rest /= size(mode);
            }
            let _ = writeln!(text, "    [:,:{indices}]");
        }
        for row in 0..rows {
            let row: Vec<String> =
                matrix.iter().skip(row).step_by(rows).map(|number| format!("{number:>width$}")).collect();
            let _ = writeln!(text, "    {}", row.join(" "));
        }
    }
}
