//! Reports of a run: a table in Markdown, and everything in JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::measurement::{Measurement, Run};

/// Program that the others are compared with.
const OURS: &str = "tiletc";

/// The tables.
pub fn markdown(run: &Run) -> String {
    let mut text = format!(
        "# Measurements\n\n{}, {} processors, {:.0} MiB of cache. Medians of {} runs; the spread is that of all runs about \
         the median.\n",
        run.device,
        run.processors,
        run.cache_bytes / f64::from(1 << 20),
        run.runs
    );
    text += "\n## The machine\n\n| what | | rate | spread |\n| --- | --- | --- | --- |\n";
    for found in run.of("roofline") {
        let rate = match found.name.as_str() {
            "stream triad" => format!("{:.1} GB/s", found.bandwidth()),
            _ => format!("{:.1} GFLOP/s", found.gflops()),
        };
        let _ =
            writeln!(text, "| {} | {} | {rate} | {} |", found.name, found.precision, percent(found.spread()));
    }
    let suites = [
        ("gemm", "Batches of products"),
        ("chain", "The fused chain"),
        ("tiles", "A product on tiles"),
        ("bf16", "Batches of products of bf16 on AMX"),
    ];
    for (suite, title) in suites {
        let all: Vec<&Measurement> = run.of(suite).collect();
        let mut programs: Vec<&str> = Vec::new();
        for found in &all {
            if !programs.contains(&found.program.as_str()) {
                programs.push(&found.program);
            }
        }
        if programs.is_empty() {
            continue;
        }
        let _ = write!(
            text,
            "\n## {title}\n\nGFLOP/s and the spread; of the others, also how many times faster tiletc is.\n\n"
        );
        let _ = writeln!(text, "| | | data | {} | of the roofline |", programs.join(" | "));
        let _ = writeln!(text, "| --- | --- | --- |{} --- |", " --- |".repeat(programs.len()));
        for ours in all.iter().filter(|found| found.program == OURS) {
            let cells = programs.iter().map(|program| {
                let found = all.iter().find(|found| found.program == *program && found.is_beside(ours));
                found.map_or_else(|| "-".to_owned(), |found| cell(found, ours))
            });
            let cells: Vec<String> = cells.collect();
            let bound =
                bound(run, ours).map_or_else(|| "-".to_owned(), |bound| percent(ours.gflops() / bound));
            let (name, precision, data) = (&ours.name, &ours.precision, &ours.data);
            let _ = writeln!(text, "| {name} | {precision} | {data} | {} | {bound} |", cells.join(" | "));
        }
    }
    for skipped in &run.skipped {
        let _ = writeln!(text, "\nSkipped: {skipped}.");
    }
    text +=
        "\n## Compile times\n\nText to SPIR-V for pvc.\n\n| program | time | spread |\n| --- | --- | --- |\n";
    for found in run.of("compile") {
        let _ = writeln!(text, "| {} | {:.2} ms | {} |", found.name, found.median, percent(found.spread()));
    }
    text
}

fn cell(found: &Measurement, ours: &Measurement) -> String {
    let mut text = format!("{:.1} ± {}", found.gflops(), percent(found.spread() / 2.0));
    if found.program != ours.program {
        let _ = write!(text, ", {:.2}×", found.median / ours.median);
    }
    if found.error > 1.0 {
        text += ", **wrong**";
    }
    text
}

/// The GFLOP/s that the roofline leaves a measurement with data beyond the cache; with data in the cache, the peak.
pub fn bound(run: &Run, found: &Measurement) -> Option<f64> {
    if !run.is_cpu {
        return None;
    }
    let (peak, bandwidth) = run.roofline(&found.precision)?;
    Some(if found.data == "beyond" { peak.min(bandwidth * found.intensity()) } else { peak })
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// Everything.
pub fn json(run: &Run) -> Value {
    let measurements = run.measurements.iter().map(|found| {
        json!({
            "suite": found.suite,
            "name": found.name,
            "type": found.precision,
            "data": found.data,
            "program": found.program,
            "median_ms": found.median,
            "least_ms": found.least,
            "most_ms": found.most,
            "flops": found.flops,
            "bytes": found.bytes,
            "error": found.error,
        })
    });
    json!({
        "device": run.device,
        "is_cpu": run.is_cpu,
        "processors": run.processors,
        "cache_bytes": run.cache_bytes,
        "runs": run.runs,
        "measurements": measurements.collect::<Vec<_>>(),
    })
}
