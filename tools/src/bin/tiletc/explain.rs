//! `tiletc compile --explain`: how functions and products run on a device, as text and as JSON.

use std::fmt::{Display, Write as _};
use tiletc::ir::{MatrixUse, Transpose};
use tiletc::schedule::{ExplainedProduct, Explanation};
use tiletc::spirv::Remark;

/// The explanation for people.
pub fn text(device: &str, functions: &[Explanation], remarks: &[Remark]) -> String {
    let mut text = String::new();
    for explanation in functions {
        let Explanation { function, schedule, register_file, products } = explanation;
        let [x, y] = schedule.grid.work_items(schedule.subgroup_size);
        let _ = writeln!(text, "@{function} on {device}");
        let _ = writeln!(
            text,
            "    subgroups of {}, work-groups of {x}x{y} ({}x{} subgroups), {} registers",
            schedule.subgroup_size,
            schedule.grid.rows,
            schedule.grid.cols,
            register_file.registers()
        );
        for product in products {
            describe(&mut text, product, register_file.registers());
        }
        for remark in remarks.iter().filter(|remark| remark.function == *function) {
            let Remark { component, extents: [rows, cols], form, reason, count, .. } = remark;
            let _ = write!(
                text,
                "    line {}: {} {} {}x{rows}x{cols}, {count} times: {}",
                line(remark.location.begin.line),
                if remark.is_store { "store" } else { "load" },
                part(remark),
                component,
                form.spelling()
            );
            let _ =
                writeln!(text, "{}", reason.map(|reason| format!(", since {reason}")).unwrap_or_default());
        }
    }
    text
}

fn describe(text: &mut String, explained: &ExplainedProduct, registers: i32) {
    let ExplainedProduct { extents, transposes, types, product, step_bytes, step_work, .. } = explained;
    let [m, n, k] = extents.map(|extent| extent.map_or_else(|| "?".to_owned(), |extent| extent.to_string()));
    let transposes = transposes.map(transpose).join(".");
    let _ = writeln!(
        text,
        "    line {}: gemm.{transposes} {m}x{n}x{k}, {} and {}, sums in {}",
        line(explained.location.begin.line),
        types.a,
        types.b,
        types.accumulator
    );
    let steps: Vec<String> = product.k_steps.iter().map(ToString::to_string).collect();
    let ahead = match product.prefetch_distance {
        0 => "no prefetch".to_owned(),
        steps => format!("prefetch {steps} steps ahead"),
    };
    let _ = writeln!(
        text,
        "        back end {}, register block {}x{}, k-steps {}, {ahead}",
        product.backend.spelling(),
        product.block.rows,
        product.block.cols,
        steps.join(", "),
    );
    let [accumulators, operands] = explained.registers;
    let _ = writeln!(
        text,
        "        of {registers} registers {accumulators} hold accumulators; the factors of a whole step would fill {operands}"
    );
    let _ = writeln!(text, "        a step loads {step_bytes} bytes for {step_work} multiply-adds");
}

/// The explanation for programs.
pub fn json(device: &str, functions: &[Explanation], remarks: &[Remark]) -> String {
    let functions = functions.iter().map(|explanation| {
        let Explanation { function, schedule, register_file, products } = explanation;
        let [x, y] = schedule.grid.work_items(schedule.subgroup_size);
        let own = remarks.iter().filter(|remark| remark.function == *function);
        object(&[
            ("function", string(function)),
            ("subgroup_size", schedule.subgroup_size.to_string()),
            ("work_group_size", array([x, y])),
            ("grf_size", register_file.registers().to_string()),
            ("products", array(products.iter().map(product_json))),
            ("accesses", array(own.map(remark_json))),
        ])
    });
    object(&[("device", string(device)), ("functions", array(functions))]) + "\n"
}

fn product_json(explained: &ExplainedProduct) -> String {
    let ExplainedProduct { extents, transposes, types, product, registers, step_bytes, step_work, .. } =
        explained;
    let extents = extents.map(|extent| extent.map_or_else(|| "null".to_owned(), |extent| extent.to_string()));
    object(&[
        ("line", explained.location.begin.line.to_string()),
        ("extents", array(extents)),
        ("transposes", array(transposes.map(|letter| string(transpose(letter))))),
        ("types", array([types.a, types.b, types.accumulator].map(string))),
        ("backend", string(product.backend.spelling())),
        ("register_block", array([product.block.rows, product.block.cols])),
        ("k_steps", array(&product.k_steps)),
        ("prefetch_distance", product.prefetch_distance.to_string()),
        ("accumulator_registers", registers[0].to_string()),
        ("factor_registers", registers[1].to_string()),
        ("step_bytes", step_bytes.to_string()),
        ("step_multiply_adds", step_work.to_string()),
    ])
}

fn remark_json(remark: &Remark) -> String {
    object(&[
        ("line", remark.location.begin.line.to_string()),
        ("access", string(if remark.is_store { "store" } else { "load" })),
        ("matrix", string(part(remark))),
        ("type", string(remark.component)),
        ("extents", array(remark.extents)),
        ("form", string(remark.form.spelling())),
        ("reason", remark.reason.map_or_else(|| "null".to_owned(), string)),
        ("count", remark.count.to_string()),
    ])
}

/// The line of an instruction, if it has one.
fn line(line: u32) -> String {
    if line == 0 { "?".to_owned() } else { line.to_string() }
}

/// The part that a matrix plays, with a T if it lies transposed.
fn part(remark: &Remark) -> String {
    let name = match remark.usage {
        MatrixUse::A => "A",
        MatrixUse::B => "B",
        MatrixUse::Acc => "C",
    };
    format!("{name}{}", if remark.transpose == Transpose::T { "ᵀ" } else { "" })
}

fn transpose(transpose: Transpose) -> &'static str {
    if transpose == Transpose::T { "t" } else { "n" }
}

fn object(members: &[(&str, String)]) -> String {
    let members: Vec<String> = members.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
    format!("{{{}}}", members.join(", "))
}

fn array<T: Display>(values: impl IntoIterator<Item = T>) -> String {
    let values: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    format!("[{}]", values.join(", "))
}

/// A string of JSON; names hold no control characters but what escapes as `\u`.
fn string(text: impl Display) -> String {
    let mut quoted = String::from("\"");
    for character in text.to_string().chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            control if control.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(control));
            }
            other => quoted.push(other),
        }
    }
    quoted + "\""
}
