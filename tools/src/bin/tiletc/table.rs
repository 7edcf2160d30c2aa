//! Tables on standard output and standard error.

use super::common::{Failure, Output, write_output};
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use serde_json::Value;

/// A table without lines: a header, then the rows, whose cells may have several lines. `numbers` are the places of the
/// columns that are aligned at the right.
pub fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>, numbers: &[usize]) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(header.iter().copied()).add_rows(rows);
    for (place, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if numbers.contains(&place) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt() + "\n"
}

/// Writes text, or with `--json` takes the members of an object into the document.
pub fn show(output: &mut Output, text: &str, members: Value) -> Result<(), Failure> {
    if output.is_json() {
        output.add(members);
        return Ok(());
    }
    write_output(text.as_bytes())
}
