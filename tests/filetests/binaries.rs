//! The table of the manual that says what Intel's offline compiler makes of the kernels.

use crate::directives::{Case, Devices};
use crate::igc::{self, field};
use crate::session::Session;
use libtest_mimic::Trial;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tiletc::device::CoreInfo;
use tiletc::driver::Options;
use tiletc::ir::Func;
use tiletc::schedule::Roofline;

/// The page, below the project's folder.
const PAGE: &str = "docs/src/compiler/binaries.md";
const DEVICES: [&str; 5] = ["pvc", "bmg", "lnl", "ptl", "dg2"];
/// Begins of the names of kernels that are in the table.
const KERNELS: [&str; 6] =
    ["gemm_large", "gemm_batched", "gemm_shared", "gemm_tiny", "gemm_first_mode", "fused_kernel"];

/// The test of the table, which is written anew if `blesses`.
pub fn trial(cases: &[Arc<Case>], blesses: bool) -> Trial {
    let is_listed = |case: &&Arc<Case>| {
        let is_kernel = case.path.parent().is_some_and(|folder| folder.ends_with("kernels"));
        is_kernel && KERNELS.iter().any(|kernels| stem(case).starts_with(kernels))
    };
    let cases: Vec<Arc<Case>> = cases.iter().filter(is_listed).cloned().collect();
    let is_ignored = igc::script().is_none();
    let test = move || check(&cases, blesses).map_err(Into::into);
    Trial::test("the manual's table of final binaries", test).with_ignored_flag(is_ignored)
}

fn stem(case: &Case) -> String {
    case.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn check(cases: &[Arc<Case>], blesses: bool) -> Result<(), String> {
    let script = igc::script().ok_or("SKIPPED: TILETC_IGC does not name the script")?;
    let mut expected = String::new();
    for case in cases {
        expected += &rows(case, &script)?;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = fs::read_to_string(&path).map_err(|error| format!("cannot read {PAGE}: {error}"))?;
    let (before, table) = page.split_once("| --- |").ok_or(format!("{PAGE} has no table"))?;
    let (rule, table) = table.split_once('\n').ok_or(format!("{PAGE} has no table"))?;
    let found: String =
        table.lines().take_while(|line| line.starts_with('|')).map(|row| format!("{row}\n")).collect();
    if found == expected {
        return Ok(());
    }
    if blesses {
        let behind = table.strip_prefix(&found).unwrap_or_default();
        let page = format!("{before}| --- |{rule}\n{expected}{behind}");
        return fs::write(&path, page).map_err(|error| format!("cannot write {PAGE}: {error}"));
    }
    let differs = expected.lines().filter(|row| !found.contains(row)).collect::<Vec<_>>().join("\n");
    Err(format!(
        "{PAGE} lacks\n{differs}\nif that is right, `cargo test --test filetests -- --bless manual` writes it"
    ))
}

/// A row for each kernel of a program.
fn rows(case: &Case, script: &Path) -> Result<String, String> {
    let mut names: Vec<String> = Vec::new();
    let mut columns: Vec<Vec<(String, String)>> = Vec::new();
    for device in DEVICES {
        let Some(info) = CoreInfo::from_name(device) else { return Err(format!("no device {device}")) };
        if matches!(case.devices, Devices::With(feature) if !info.have(feature)) {
            columns.push(Vec::new());
            continue;
        }
        let mut session = Session::parse(&case.name(), &case.text).map_err(|refusal| refusal.to_string())?;
        let ir = session.ir();
        let of = |func: Func| Some((ir[func].name.clone(), Roofline::of(ir, func, &info)?));
        let rooflines: BTreeMap<String, Roofline> = session.functions().filter_map(of).collect();
        let module = session.compile(&info, &Options::default()).map_err(|refusal| refusal.to_string())?;
        let statistics = igc::statistics(script, &module, device, &stem(case))?;
        let cell = |(kernel, line): (String, &str)| {
            let cell = cell(line, rooflines.get(&kernel));
            (kernel, cell)
        };
        columns.push(igc::last_tries(&statistics).into_iter().map(cell).collect());
    }
    names.extend(columns.iter().flatten().map(|(kernel, _)| kernel.clone()));
    names.sort();
    names.dedup();
    let row = |name: &String| {
        let of = |cells: &Vec<(String, String)>| {
            cells.iter().find(|(kernel, _)| kernel == name).map_or("–".to_owned(), |(_, cell)| cell.clone())
        };
        let cells: Vec<String> = columns.iter().map(of).collect();
        let name = if names.len() > 1 { format!("{} `@{name}`", stem(case)) } else { stem(case) };
        format!("| {name} | {} |\n", cells.join(" | "))
    };
    Ok(names.iter().map(row).collect())
}

/// The cell of the table for a kernel and a device.
fn cell(line: &str, roofline: Option<&Roofline>) -> String {
    let of = |key: &str| field(line, key).unwrap_or_default();
    let spills = if of("spill") == "0" { String::new() } else { format!(", spills {} B", of("spill")) };
    let engine = if of("dpas") == "0" { "mad" } else { "dpas" };
    let issue = of("issue").parse::<f64>().ok();
    let shares = roofline.zip(issue).map_or("-".to_owned(), |(roofline, issue)| {
        let memory = Roofline { issue, ..*roofline };
        format!("{:.0}/{:.0}", 100.0 * memory.share(), 100.0 * memory.in_cache().share())
    });
    format!(
        "{} %, {}/{} {engine}, {}, {}, {shares}{spills}",
        of("floor"),
        of("inst"),
        of(engine),
        of("B/clk"),
        of("chain")
    )
}
