//! Tables of figures: text, Markdown, CSV.

use super::figures::Row;
use crate::table::table;
use std::fmt::Write as _;

/// Cell of a row.
type Cell = Box<dyn Fn(&Row) -> String>;

/// A column of the table for people, of that for programs, or of both.
struct Column {
    name: String,
    is_number: bool,
    shown: Option<Cell>,
    raw: Option<Cell>,
}

impl Column {
    /// A column of words, which are the same in both tables.
    fn words(name: &str, cell: impl Fn(&Row) -> String + Clone + 'static) -> Column {
        let (shown, raw): (Option<Cell>, Option<Cell>) = (Some(Box::new(cell.clone())), Some(Box::new(cell)));
        Column { name: name.to_owned(), is_number: false, shown, raw }
    }

    /// A column of the table for programs.
    fn number(name: &str, value: impl Fn(&Row) -> Option<f64> + 'static) -> Column {
        let raw = move |row: &Row| value(row).map(|number| number.to_string()).unwrap_or_default();
        Column { name: name.to_owned(), is_number: true, shown: None, raw: Some(Box::new(raw)) }
    }

    /// A column of the table for people.
    fn shown(name: &str, cell: impl Fn(&Row) -> Option<String> + 'static) -> Column {
        let shown = move |row: &Row| cell(row).unwrap_or_default();
        Column { name: name.to_owned(), is_number: true, shown: Some(Box::new(shown)), raw: None }
    }
}

/// The table for people. Columns in which no row has anything are left out.
pub fn text(rows: &[Row]) -> String {
    let (header, cells, numbers) = for_people(rows);
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    table(&header, cells, &numbers)
}

/// The same in Markdown.
pub fn markdown(rows: &[Row]) -> String {
    let (header, cells, numbers) = for_people(rows);
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = |place| if numbers.contains(&place) { "---:" } else { "---" }.to_owned();
    let rules: Vec<String> = (0..header.len()).map(rule).collect();
    let mut text = line(&header) + &line(&rules);
    cells.iter().for_each(|cells| text += &line(cells));
    text
}

/// All figures as comma-separated values, in seconds, operations and bytes.
pub fn csv(rows: &[Row]) -> String {
    let columns: Vec<(String, Cell)> =
        columns(rows).into_iter().filter_map(|column| Some((column.name, column.raw?))).collect();
    let line = |cells: Vec<String>| {
        let quoted = cells.into_iter().map(|cell| match cell.contains([',', '"', '\n']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell,
        });
        quoted.collect::<Vec<_>>().join(",") + "\n"
    };
    let mut text = line(columns.iter().map(|(name, _)| name.clone()).collect());
    for row in rows {
        text += &line(columns.iter().map(|(_, raw)| raw(row)).collect());
    }
    text
}

/// The names of the columns, the cells of each row, and the places of columns with numbers.
fn for_people(rows: &[Row]) -> (Vec<String>, Vec<Vec<String>>, Vec<usize>) {
    let (mut header, mut numbers) = (Vec::new(), Vec::new());
    let mut cells: Vec<Vec<String>> = rows.iter().map(|_| Vec::new()).collect();
    for Column { name, is_number, shown, .. } in columns(rows) {
        let Some(shown) = shown else { continue };
        let column: Vec<String> = rows.iter().map(shown).collect();
        if column.iter().all(String::is_empty) {
            continue;
        }
        if is_number {
            numbers.push(header.len());
        }
        header.push(name);
        for (cells, cell) in cells.iter_mut().zip(column) {
            cells.push(if cell.is_empty() { "-".to_owned() } else { cell });
        }
    }
    (header, cells, numbers)
}

fn columns(rows: &[Row]) -> Vec<Column> {
    // Numbers of bytes, registers and samples are small.
    #[allow(clippy::cast_precision_loss)]
    let real = |number: u64| number as f64;
    let time = |name: &str, value: fn(&Row) -> Option<f64>| {
        [Column::shown(name, move |row| value(row).map(duration)), Column::number(name, value)]
    };
    let giga = |name: &str, of_programs: &str, value: fn(&Row) -> Option<f64>| {
        let shown = move |row: &Row| value(row).map(|rate| digits(rate / 1e9));
        [Column::shown(name, shown), Column::number(of_programs, value)]
    };
    let count = |name: &str, of_programs: &str, value: fn(&Row) -> Option<u64>| {
        let shown = move |row: &Row| value(row).map(|count| count.to_string());
        [Column::shown(name, shown), Column::number(of_programs, move |row| value(row).map(real))]
    };
    let mut columns = vec![
        Column::words("program", |row| row.program.clone()),
        Column::words("kernel", |row| row.kernel.clone()),
    ];
    let mut names: Vec<&String> = Vec::new();
    for (name, _) in rows.iter().flat_map(|row| &row.definitions) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for name in names {
        let known = name.clone();
        let value = move |row: &Row| {
            let found = row.definitions.iter().find(|(name, _)| *name == known);
            found.map(|(_, value)| value.clone()).unwrap_or_default()
        };
        columns.push(Column { is_number: true, ..Column::words(name, value) });
    }
    columns.push(Column::words("device", |row| row.device.clone()));
    columns.push(Column::words("caches", |row| row.mode.to_string()));
    columns.extend(time("median", |row| Some(row.measurement.times.median)));
    let precision =
        |row: &Row| row.measurement.times.precision().map(|share| format!("{:.1} %", 100.0 * share));
    columns.push(Column::shown("95 % ±", precision));
    columns.push(Column::number("lower", |row| row.measurement.times.interval.map(|(lower, _)| lower)));
    columns.push(Column::number("upper", |row| row.measurement.times.interval.map(|(_, upper)| upper)));
    columns.extend(time("min", |row| Some(row.measurement.times.min)));
    columns.extend(time("MAD", |row| Some(row.measurement.times.deviation)));
    columns.extend(count("samples", "samples", |row| u64::try_from(row.measurement.times.samples).ok()));
    columns.extend(time("latency", |row| Some(row.measurement.latency)));
    columns.extend(giga("GFLOP/s", "operations_per_second", Row::rate));
    columns.extend(giga("GB/s", "bytes_per_second", |row| Some(row.bandwidth())));
    columns.push(Column::shown("roofline", |row| Some(format!("{:.1} %", 100.0 * row.roofline()?))));
    columns.push(Column::number("roofline", Row::roofline));
    columns.extend(count("spilled", "spilled_bytes", |row| row.report.as_ref()?.spilled_bytes));
    columns.extend(count("registers", "registers", |row| row.report.as_ref()?.registers));
    columns.extend(count("local", "local_bytes", |row| Some(row.report.as_ref()?.local_bytes)));
    let other = |row: &Row| row.against.as_ref().map(|against| against.program.clone()).unwrap_or_default();
    columns.push(Column::words("against", other));
    columns.extend(time("its median", |row| Some(row.against.as_ref()?.measurement.times.median)));
    let ratio = |row: &Row| Some(row.against.as_ref()?.ratio(&row.measurement.times));
    let shown = move |row: &Row| {
        let (ratio, ends) = ratio(row)?;
        let ends = ends.map(|(lower, upper)| format!(" ({} to {})", digits(lower), digits(upper)));
        Some(digits(ratio) + &ends.unwrap_or_default())
    };
    columns.push(Column::shown("ratio", shown));
    columns.push(Column::number("ratio", move |row| Some(ratio(row)?.0)));
    columns.push(Column::number("ratio_lower", move |row| Some(ratio(row)?.1?.0)));
    columns.push(Column::number("ratio_upper", move |row| Some(ratio(row)?.1?.1)));
    columns.push(Column::words("notes", |row| row.all_notes().join("; ")));
    columns
}

/// Seconds with four digits and a unit.
pub fn duration(seconds: f64) -> String {
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")];
    let (scale, unit) = units.into_iter().find(|(scale, _)| seconds >= *scale).unwrap_or((1e-9, "ns"));
    let mut text = digits(seconds / scale);
    let _ = write!(text, " {unit}");
    text
}

/// A number with four digits.
pub fn digits(number: f64) -> String {
    match number {
        _ if number >= 1000.0 => format!("{number:.0}"),
        _ if number >= 100.0 => format!("{number:.1}"),
        _ if number >= 10.0 => format!("{number:.2}"),
        _ => format!("{number:.3}"),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::figures::tests::row;
    use super::super::work::Work;
    use super::*;

    #[test]
    fn times_have_four_digits() {
        let shown = [1234.5, 1.0, 0.012_345, 1.5e-6, 2e-9].map(duration);
        assert_eq!(shown, ["1234 s", "1.000 s", "12.35 ms", "1.500 µs", "2.000 ns"]);
    }

    #[test]
    fn tables_quote_what_would_break_them() {
        let rows = [row(1e-3, Work::known(5e8, 1e9), None)];
        let markdown = markdown(&rows);
        let lines: Vec<&str> = markdown.lines().collect();
        let cells = |line: &str| line.replace("\\|", "").matches('|').count();
        assert_eq!(lines.len(), 3);
        let [header, others @ ..] = lines.as_slice() else { unreachable!() };
        assert!(others.iter().all(|line| cells(line) == cells(header)), "{markdown}");
        assert!(markdown.contains("a \\| b") && markdown.contains("| 990.6 |"), "{markdown}");
        // What the driver does not say has no column.
        assert!(!markdown.contains("registers") && !markdown.contains("against"), "{markdown}");
        let csv = csv(&rows);
        assert!(csv.contains("\"a,b.ir\",f,32,opencl,cold,0.0010095,"), "{csv}");
        assert!(
            csv.starts_with("program,kernel,BM,device,caches,median,lower,upper,min,MAD,samples,latency,")
        );
    }
}
