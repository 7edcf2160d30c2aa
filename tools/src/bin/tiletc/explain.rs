//! `tiletc compile --explain`: how functions and products run on a device, as text and as JSON.

use serde_json::{Value, json};
use std::fmt::Write as _;
use tiletc::device::{Avoidance, Avoidances, CoreInfo};
use tiletc::driver::Decision;
use tiletc::ir::{MatrixBackendKind, MatrixUse, Scalar, Transpose};
use tiletc::schedule::{ExplainedProduct, Explanation, ProductTypes, Roofline};
use tiletc::spirv::{BankConflict, Banks, Expectation, Module, Remark};

/// The explanation for people.
pub fn text(
    (device, info): (&str, &CoreInfo),
    functions: &[Explanation],
    decisions: &[Decision],
    module: &Module,
) -> String {
    let mut text = String::new();
    for explanation in functions {
        let Explanation { function, schedule, register_file, products, roofline, tuned } = explanation;
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
        if let Some(source) = tuned {
            let _ = writeln!(text, "    attributes of the tuning table: {source}");
        }
        if info.avoided() != Avoidances::default() {
            let _ = writeln!(text, "    avoided for the driver: {}", info.avoided());
        }
        if let Some(Expectation { local_memory, multiply_add_share }) = module.expectation(function, info) {
            let share = multiply_add_share.map_or_else(String::new, |share| {
                format!(
                    ", multiply-adds take {:.0} % of the cycles of a thread's hot loop (estimate)",
                    100.0 * share
                )
            });
            let _ = writeln!(text, "    {local_memory} bytes of local memory{share}");
        }
        text += &banks(&module.banks(function).unwrap_or_default());
        if let Some(roofline) = roofline {
            let _ = writeln!(text, "    {}", time(roofline));
        }
        for product in products {
            describe(&mut text, product, register_file.registers());
        }
        for Decision { location, versions, text: decision, .. } in of(function, decisions) {
            let versions: Vec<&str> = versions.iter().map(|version| version.spelling()).collect();
            let versions = match versions.as_slice() {
                [] => String::new(),
                [version] => format!(", {version} version"),
                versions => format!(", {} versions", versions.join(" and ")),
            };
            let _ = writeln!(text, "    line {}{versions}: {decision}", line(location.begin.line));
        }
        for remark in module.remarks().iter().filter(|remark| remark.function == *function) {
            let Remark { component, extents: [rows, cols], io, count, .. } = remark;
            let _ = writeln!(
                text,
                "    line {}: {} {} {}x{rows}x{cols}, {count} times: {}, since {}",
                line(remark.location.begin.line),
                if remark.is_store { "store" } else { "load" },
                part(remark),
                component,
                io.class,
                io.reason
            );
        }
    }
    text
}

fn describe(text: &mut String, explained: &ExplainedProduct, registers: i32) {
    let ExplainedProduct { extents, types, product, step_bytes, step_work, .. } = explained;
    let [m, n, k] = extents.map(|extent| extent.map_or_else(|| "?".to_owned(), |extent| extent.to_string()));
    let _ = writeln!(
        text,
        "    line {}: {} {m}x{n}x{k}, {} and {}{}, accumulators in {}",
        line(explained.location.begin.line),
        mnemonic(explained),
        types.a,
        types.b,
        rounding(types, product.backend),
        types.accumulator
    );
    let steps: Vec<String> = product.k_steps.iter().map(ToString::to_string).collect();
    let longest = product.k_steps.first().copied().unwrap_or(1);
    let loads = if product.load_step < longest {
        format!(" in loads of {}", product.load_step)
    } else {
        String::new()
    };
    // Loops of tiles are prefetched, not their products.
    let ahead = match (product.prefetch_distance, explained.transposes) {
        (0, None) => String::new(),
        (0, Some(_)) => ", no prefetch".to_owned(),
        (steps, _) => format!(", prefetch {steps} steps ahead"),
    };
    let _ = writeln!(
        text,
        "        back end {}, register block {}x{}, k-steps {}{loads}{ahead}",
        product.backend.spelling(),
        product.block.rows,
        product.block.cols,
        steps.join(", "),
    );
    let [accumulators, operands] = explained.registers;
    let _ = writeln!(
        text,
        "        of {registers} registers {accumulators} hold accumulators; the factors that are loaded at once fill {operands}"
    );
    let _ = writeln!(text, "        a step loads {step_bytes} bytes for {step_work} multiply-adds");
}

/// The instruction of a product.
fn mnemonic(explained: &ExplainedProduct) -> String {
    match explained.transposes {
        Some(transposes) => format!("gemm.{}", transposes.map(transpose).join(".")),
        None => "tile_dot".to_owned(),
    }
}

/// The rounding of factors on the way to the engine, which computes with factors of f32 as tf32 only.
fn rounding(types: &ProductTypes, backend: MatrixBackendKind) -> &'static str {
    let is_tf32 = types.a == Scalar::F32 && backend == MatrixBackendKind::Dpas;
    if is_tf32 { " rounded to tf32" } else { "" }
}

/// The shares of the roofline and the cycles that they come from.
fn time(roofline: &Roofline) -> String {
    let Roofline { issue, memory, arithmetic } = roofline;
    let cache = roofline.in_cache();
    let place = |it: &Roofline, name: &str| {
        format!("{:.0} % with data in {name}, bound by {}", 100.0 * it.share(), it.bound().spelling())
    };
    format!(
        "roofline: {}; {} (estimate)\n    cycles of a vector engine: {issue:.0} to issue, {arithmetic:.0} for multiply-adds, \
         {memory:.0} for bytes from memory, {:.0} from the cache",
        place(roofline, "memory"),
        place(&cache, "the cache"),
        cache.memory
    )
}

/// A roofline for programs.
pub fn roofline_json(roofline: &Roofline) -> Value {
    let place =
        |it: &Roofline| json!({ "cycles": it.memory, "share": it.share(), "bound": it.bound().spelling() });
    json!({
        "issue_cycles": roofline.issue,
        "arithmetic_cycles": roofline.arithmetic,
        "memory": place(roofline),
        "cache": place(&roofline.in_cache()),
    })
}

/// The accesses of lanes to local memory and where they meet in banks; nothing if there are none.
fn banks(Banks { known, unknown, conflicts }: &Banks) -> String {
    let mut text = String::new();
    if known + unknown > 0 {
        let none = if conflicts.is_empty() { "no " } else { "" };
        let of_unknown = if *unknown > 0 { format!(", {unknown} not known") } else { String::new() };
        let all = known + unknown;
        let _ =
            writeln!(text, "    accesses of lanes to local memory: {all}, {none}bank conflicts{of_unknown}");
    }
    for BankConflict { line: at, is_store, cycles, least } in conflicts {
        let what = if *is_store { "store" } else { "load" };
        let _ = writeln!(
            text,
            "    line {}: {what} takes {cycles} cycles of the banks of local memory, {least} without conflicts",
            line(*at)
        );
    }
    text
}

/// The decisions about a function.
fn of<'a>(function: &'a str, decisions: &'a [Decision]) -> impl Iterator<Item = &'a Decision> {
    decisions.iter().filter(move |decision| decision.function == function)
}

/// The explanation for programs.
pub fn json(
    (device, info): (&str, &CoreInfo),
    functions: &[Explanation],
    decisions: &[Decision],
    module: &Module,
) -> Value {
    let functions: Vec<Value> = functions
        .iter()
        .map(|explanation| {
            let Explanation { function, schedule, register_file, products, roofline, tuned } = explanation;
            let expectation = module.expectation(function, info);
            let own = module.remarks().iter().filter(|remark| remark.function == *function);
            let conflict = |it: &BankConflict| {
                let access = if it.is_store { "store" } else { "load" };
                json!({ "line": it.line, "access": access, "cycles": it.cycles, "least": it.least })
            };
            let banks = module.banks(function).unwrap_or_default();
            let decision = |it: &Decision| {
                let versions = it.versions.iter().map(|version| version.spelling()).collect::<Vec<_>>();
                json!({ "line": it.location.begin.line, "versions": versions, "text": it.text })
            };
            json!({
                "function": function,
                "subgroup_size": schedule.subgroup_size,
                "work_group_size": schedule.grid.work_items(schedule.subgroup_size),
                "grf_size": register_file.registers(),
                "local_memory": expectation.map(|it| it.local_memory),
                "local_accesses": { "known": banks.known, "unknown": banks.unknown },
                "bank_conflicts": banks.conflicts.iter().map(conflict).collect::<Vec<_>>(),
                "multiply_add_share": expectation.and_then(|it| it.multiply_add_share),
                "tuned": tuned,
                "roofline": roofline.as_ref().map(roofline_json),
                "products": products.iter().map(product_json).collect::<Vec<_>>(),
                "decisions": of(function, decisions).map(decision).collect::<Vec<_>>(),
                "accesses": own.map(remark_json).collect::<Vec<_>>(),
            })
        })
        .collect();
    let avoided: Vec<&str> = info.avoided().iter().map(Avoidance::spelling).collect();
    json!({ "device": device, "avoided": avoided, "functions": functions })
}

fn product_json(explained: &ExplainedProduct) -> Value {
    let ExplainedProduct { extents, types, product, registers, step_bytes, step_work, .. } = explained;
    json!({
        "line": explained.location.begin.line,
        "extents": extents,
        "instruction": mnemonic(explained),
        "types": names(types),
        "backend": product.backend.spelling(),
        "register_block": [product.block.rows, product.block.cols],
        "k_steps": product.k_steps,
        "load_step": product.load_step,
        "prefetch_distance": product.prefetch_distance,
        "accumulator_registers": registers[0],
        "factor_registers": registers[1],
        "step_bytes": step_bytes,
        "step_multiply_adds": step_work,
    })
}

fn names(types: &ProductTypes) -> [String; 3] {
    [types.a, types.b, types.accumulator].map(|scalar| scalar.to_string())
}

fn remark_json(remark: &Remark) -> Value {
    json!({
        "line": remark.location.begin.line,
        "access": if remark.is_store { "store" } else { "load" },
        "matrix": part(remark),
        "type": remark.component.to_string(),
        "extents": remark.extents,
        "form": remark.io.class.spelling(),
        "reason": remark.io.reason.spelling(),
        "count": remark.count,
    })
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
