//! Tables on standard output and standard error.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

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
