//! Summary of an argument after a run, as text and as JSON.

use crate::launch::{Number, Tensor, shown_shape};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// So many numbers are shown in full.
const SMALL: usize = 64;

/// Summary of an argument.
pub struct Summary<'a> {
    name: &'a str,
    after: &'a Tensor,
    /// Numbers in it if it was written; only that is of interest, and what was read is known.
    written: Option<Statistics>,
}

/// Numbers in numbers.
struct Statistics {
    /// The least and the greatest one, and real and imaginary part of the mean, if there is a number.
    range: Option<([Number; 2], [f64; 2])>,
    nans: u64,
    checksum: String,
    /// The numbers, if they are few.
    numbers: Option<Vec<Number>>,
}

impl<'a> Summary<'a> {
    /// The summary of an argument before and after the run.
    pub fn new(name: &'a str, before: &Tensor, after: &'a Tensor) -> Summary<'a> {
        Summary { name, after, written: (before != after).then(|| Statistics::new(after)) }
    }

    /// The summary for people.
    pub fn text(&self) -> String {
        let Summary { name, after, written } = self;
        let change = if written.is_some() { "changed" } else { "unchanged" };
        let mut kind = after.element.to_string();
        if !after.shape.is_empty() {
            kind = format!("{kind} {}", shown_shape(&after.shape));
        }
        let mut text = format!("{name}: {kind}, {change}\n");
        let Some(Statistics { range, nans, checksum, numbers }) = written else { return text };
        if let Some(([least, greatest], [re, im])) = range {
            let (by, mean) = if after.element.is_complex() {
                (" by modulus", format!("{re:.6}{im:+.6}i"))
            } else {
                ("", format!("{re:.6}"))
            };
            let _ = write!(text, "    min{by} {least}  max{by} {greatest}  mean {mean}");
        } else {
            text.push_str("   ");
        }
        if *nans > 0 {
            let _ = write!(text, "  nan {nans} times");
        }
        let _ = writeln!(text, "  checksum {checksum}");
        if let Some(numbers) = numbers {
            list(numbers, &after.shape, &mut text);
        }
        text
    }

    /// The same for programs; numbers in column-major order.
    pub fn json(&self) -> Value {
        let Summary { name, after, written } = self;
        let mut object = json!({
            "name": name,
            "type": after.element.to_string(),
            "shape": after.shape,
            "changed": written.is_some(),
        });
        if let (Some(written), Value::Object(members)) = (written, &mut object) {
            let Statistics { range, nans, checksum, numbers } = written;
            let mean =
                |[re, im]: [f64; 2]| if after.element.is_complex() { json!([re, im]) } else { json!(re) };
            members.extend([
                ("min".to_owned(), range.map(|([least, _], _)| least.json()).into()),
                ("max".to_owned(), range.map(|([_, greatest], _)| greatest.json()).into()),
                ("mean".to_owned(), range.map(|(_, parts)| mean(parts)).into()),
                ("nans".to_owned(), json!(nans)),
                ("checksum".to_owned(), json!(checksum)),
            ]);
            if let Some(numbers) = numbers {
                members.insert("numbers".to_owned(), numbers.iter().map(|number| number.json()).collect());
            }
        }
        object
    }
}

impl Statistics {
    fn new(tensor: &Tensor) -> Statistics {
        let mut range: Option<[Number; 2]> = None;
        let (mut re_sum, mut im_sum, mut count, mut nans) = (0.0, 0.0, 0u64, 0u64);
        for number in tensor.numbers() {
            if number.is_nan() {
                nans += 1;
                continue;
            }
            let (re, im) = number.parts();
            (re_sum, im_sum, count) = (re_sum + re, im_sum + im, count + 1);
            let size = number.magnitude();
            let [least, greatest] = range.get_or_insert([number; 2]);
            if size < least.magnitude() {
                *least = number;
            }
            if size > greatest.magnitude() {
                *greatest = number;
            }
        }
        // Rounded; it is to be read by people.
        #[allow(clippy::cast_precision_loss)]
        let mean = [re_sum, im_sum].map(|sum| sum / count as f64);
        let digest = Sha256::digest(&tensor.bytes);
        let numbers: Vec<Number> = tensor.numbers().take(SMALL + 1).collect();
        Statistics {
            range: range.map(|range| (range, mean)),
            nans,
            checksum: digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect(),
            numbers: (numbers.len() <= SMALL).then_some(numbers),
        }
    }
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
