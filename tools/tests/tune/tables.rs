//! `tiletc tune list`, `show`, `export`, `import` and `prune`.

use super::common::{Folder, Outcome};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// An entry of a table.
fn entry(function: &str, device: &str, config: Value, figure: Value) -> Value {
    let program = format!("{:0<32}", if function == "dot" { "0d07" } else { "beef" });
    let tiletc = env!("CARGO_PKG_VERSION");
    json!({ "program": program, "device": device, "tiletc": tiletc, "function": function, "config": config, "figure": figure })
}

fn measured(seconds: f64) -> Value {
    let interval = [seconds, seconds];
    json!({ "measured": { "seconds": seconds, "interval": interval, "on": "B580", "date": "2026-11-26" } })
}

fn estimated(cycles: f64) -> Value {
    json!({ "estimated": { "cycles": cycles } })
}

fn subgroup(size: u32) -> Value {
    json!({ "subgroup_size": size })
}

fn write(path: &Path, entries: &[Value]) {
    fs::write(path, json!({ "format": 1, "entries": entries }).to_string()).unwrap();
}

/// A folder with a table of two functions and two devices.
fn folder() -> Folder {
    let folder = Folder::new("");
    let failed = json!({ "failed": "too large" });
    write(
        &folder.table(),
        &[
            entry("dot", "xehpc", json!({}), measured(3e-6)),
            entry("dot", "xehpc", subgroup(32), measured(2e-6)),
            entry("dot", "xehpc", subgroup(16), estimated(9.0)),
            entry("dot", "xe2", subgroup(8), estimated(9.0)),
            entry("sum", "xehpc", subgroup(8), failed),
        ],
    );
    folder
}

fn entries(text: &str) -> Vec<Value> {
    let table: Value = serde_json::from_str(text).unwrap();
    table["entries"].as_array().unwrap().clone()
}

/// A command for the folder's table.
fn run(folder: &Folder, arguments: &[&str]) -> Outcome {
    folder.run("tune", arguments, Some(&folder.table()))
}

#[track_caller]
fn document(folder: &Folder, arguments: &[&str]) -> Value {
    let outcome = run(folder, &[arguments, &["--json"]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.errors);
    serde_json::from_str(&outcome.text).unwrap()
}

#[test]
fn a_list_has_a_line_for_each_function_and_device() {
    let folder = folder();
    let list = run(&folder, &["list"]).text;
    let lines: Vec<Vec<&str>> = list.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines.len(), 4, "{list}");
    let version = env!("CARGO_PKG_VERSION");
    let dot = ["@dot", "0d070000", "xehpc", version, "3", "2.000", "µs", "subgroup_size=32"];
    assert_eq!(lines[1], dot);
    assert!(lines[3].ends_with(&["none", "is", "usable"]), "{list}");
    let value = document(&folder, &["list"]);
    assert_eq!(value["functions"][0]["best"]["config"], subgroup(32));
    assert_eq!(
        (&value["functions"][1]["configs"], &value["functions"][2]["best"]),
        (&json!(1), &Value::Null)
    );
    write(&folder.table(), &[]);
    assert_eq!(run(&folder, &["list"]).text, "no entries\n");
}

#[test]
fn a_function_is_shown_with_the_best_first() {
    let folder = folder();
    for function in ["dot", "@dot", "0d07"] {
        let value = document(&folder, &["show", function]);
        let configs: Vec<&Value> =
            value["entries"].as_array().unwrap().iter().map(|it| &it["config"]).collect();
        assert_eq!(configs, [&subgroup(32), &json!({}), &subgroup(16), &subgroup(8)], "{function}");
    }
    let text = run(&folder, &["show", "dot"]).text;
    assert_eq!(text.lines().filter(|line| line.starts_with('*')).count(), 2, "{text}");
    assert!(text.contains("measured on B580, 2026-11-26"), "{text}");
}

#[test]
fn entries_are_exported() {
    let folder = folder();
    let export = |more: &[&str]| run(&folder, &[&["export", "-"], more].concat()).text;
    assert_eq!(entries(&export(&[])).len(), 5);
    let configs =
        |text: &str| -> Vec<Value> { entries(text).iter().map(|it| it["config"].clone()).collect() };
    assert_eq!(configs(&export(&["--best"])), [subgroup(32), subgroup(8)]);
    // The design, or a device of it.
    for device in ["xe2", "bmg"] {
        assert_eq!(configs(&export(&["--device", device])), [subgroup(8)]);
    }
    assert_eq!(document(&folder, &["export", "best.json", "--best", "--device", "pvc"])["exported"], 1);
    let written = fs::read_to_string(folder.path().join("best.json")).unwrap();
    assert_eq!(configs(&written), [subgroup(32)]);
}

#[test]
fn tables_are_imported() {
    let folder = Folder::new("");
    let other = |name: &str, entries: &[Value]| write(&folder.path().join(name), entries);
    let old = entry("dot", "xehpc", subgroup(32), measured(2e-6));
    other("a.json", &[old.clone(), entry("dot", "xehpc", subgroup(16), estimated(9.0))]);
    // No estimate replaces what was measured.
    let estimate = entry("dot", "xehpc", subgroup(32), estimated(1.0));
    other("b.json", &[estimate, entry("sum", "xe2", subgroup(8), estimated(1.0))]);
    let value = document(&folder, &["import", "a.json"]);
    assert_eq!((&value["imported"], &value["new"]), (&json!(2), &json!(2)));
    let value = document(&folder, &["import", "b.json", "a.json"]);
    assert_eq!((&value["imported"], &value["new"]), (&json!(3), &json!(1)));
    let kept = entries(&fs::read_to_string(folder.table()).unwrap());
    assert_eq!((kept.len(), &kept[0]), (3, &old));
}

#[test]
fn what_is_of_no_use_is_pruned() {
    let folder = folder();
    assert_eq!(document(&folder, &["prune"])["removed"], 1);
    assert_eq!(entries(&fs::read_to_string(folder.table()).unwrap()).len(), 4);
    assert_eq!(run(&folder, &["prune"]).text, "0 entries removed\n");
}

#[test]
fn what_cannot_be_done_with_a_table_is_said() {
    let folder = folder();
    fs::write(folder.path().join("text.json"), "no table").unwrap();
    let before = fs::read_to_string(folder.table()).unwrap();
    let refused = |arguments: &[&str], table: Option<&Path>, code: i32, message: &str| {
        let outcome = folder.run("tune", arguments, table);
        assert_eq!(outcome.code, code, "{arguments:?}: {}", outcome.errors);
        assert!(outcome.errors.contains(message), "{arguments:?}: {}", outcome.errors);
        assert!(outcome.text.is_empty(), "{}", outcome.text);
    };
    let own = folder.table();
    let commands: [&[&str]; 5] =
        [&["list"], &["show", "dot"], &["export", "-"], &["import", "text.json"], &["prune"]];
    for command in commands {
        refused(command, None, 2, "which table? Name it with --table");
        let is_import = command[0] == "import";
        let malformed = folder.path().join("text.json");
        refused(command, Some(&malformed), 1, "text.json`: no tuning table");
        if !is_import {
            refused(command, Some(&folder.path().join("missing.json")), 1, "missing.json`");
        }
    }
    refused(&["show", "dots"], Some(&own), 2, "there is no function dots in the table, which has @dot, @sum");
    refused(&["show", ""], Some(&own), 2, "there is no function");
    refused(
        &["export", "-", "--device", "dg2"],
        Some(&own),
        2,
        "the device dg2 in the table, which has xehpc, xe2",
    );
    refused(&["export", "tuning.json"], Some(&own), 2, "`tuning.json` is the table itself");
    refused(&["export", "none/t.json"], Some(&own), 1, "cannot write `none/t.json`");
    refused(&["import", "missing.json"], Some(&own), 1, "cannot read `missing.json`");
    refused(&["import", "text.json"], Some(&own), 1, "`text.json`: no tuning table");
    refused(&["kernel.ir", "list"], Some(&own), 2, "list");
    refused(&["list", "--all"], Some(&own), 2, "--all");
    let piped = folder.run("tune", &["export", "-", "--json"], Some(&own));
    assert!(piped.code == 2 && piped.errors.contains("leave --json out"), "{}", piped.errors);
    assert_eq!(fs::read_to_string(own).unwrap(), before);
    let is_left = |name: &str| folder.path().join(name).exists();
    assert!(!is_left("missing.json") && !is_left("missing.json.lock") && !is_left("tuning.json.lock"));
}

#[test]
fn writers_that_are_killed_lose_nothing() {
    let folder = folder();
    let own = entries(&fs::read_to_string(folder.table()).unwrap());
    let many: Vec<Value> =
        (0..3000).map(|time| entry("many", "xe2", subgroup(time), estimated(1.0))).collect();
    write(&folder.path().join("many.json"), &many);
    let import = |file: &str| -> Child {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_tiletc"));
        tool.args(["tune", "import", file, "--table", "tuning.json"]).current_dir(folder.path());
        tool.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    // Reading the many, waiting for the lock and writing them take some hundred milliseconds, in which each is killed at another moment.
    let (mut writers, mut killed) = (Vec::new(), 0);
    for place in 0..8u32 {
        let name = format!("{place}.json");
        write(&folder.path().join(&name), &[entry(&name, "xe2", subgroup(4000 + place), estimated(9.0))]);
        let mut victim = import("many.json");
        writers.push(import(&name));
        std::thread::sleep(Duration::from_millis(50 * u64::from(place)));
        victim.kill().unwrap();
        killed += i32::from(!victim.wait().unwrap().success());
    }
    assert!(writers.into_iter().all(|mut writer| writer.wait().unwrap().success()));
    assert!(killed > 0);
    let kept = entries(&fs::read_to_string(folder.table()).unwrap());
    assert!(own.iter().all(|entry| kept.contains(entry)));
    for place in 0..8u32 {
        let is_own = |entry: &&Value| entry["function"] == format!("{place}.json");
        assert_eq!(kept.iter().filter(is_own).count(), 1, "{place}");
    }
    // It is added whole or not at all.
    assert!([0, 3000].contains(&kept.iter().filter(|entry| entry["function"] == "many").count()));
}
