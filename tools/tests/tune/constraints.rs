//! `--where`: what it excludes, and what is no constraint.

use super::common::{Folder, Outcome, PRODUCT, arguments};
use serde_json::{Value, json};
use std::fs;

/// Tunes the product without its own rows for the values of `-D`.
fn tune(folder: &Folder, more: &[&str]) -> Outcome {
    folder.tune(&[&["--model", "--table", "tuning.json"], more].concat(), &arguments(24, 2))
}

fn configs(folder: &Folder, more: &[&str]) -> Vec<Value> {
    let outcome = tune(folder, &[more, &["--json"]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.errors);
    let value: Value = serde_json::from_str(&outcome.text).unwrap();
    value["configs"].as_array().unwrap().clone()
}

fn is_excluded(config: &Value) -> bool {
    config["figure"]["failed"].as_str().is_some_and(|reason| reason.starts_with("excluded by --where "))
}

#[test]
fn constraints_exclude_configs() {
    let folder = Folder::new(PRODUCT);
    let all = configs(&folder, &[]);
    fs::remove_file(folder.table()).unwrap();
    let wide = ["--where", "subgroup_size >= 16 && work_group_size_0*work_group_size_1 < 128"];
    let found = configs(&folder, &wide);
    let holds = |config: &Value| {
        let [size, x, y] = ["/subgroup_size", "/work_group_size/0", "/work_group_size/1"]
            .map(|path| config["config"].pointer(path).and_then(Value::as_i64));
        size.zip(x).zip(y).is_some_and(|((size, x), y)| size >= 16 && x * y < 128)
    };
    assert!(!found.is_empty() && found.iter().all(holds), "{found:?}");
    assert_eq!(found.len(), all.iter().filter(|config| holds(config)).count());
    // What is excluded is kept nowhere, even if it is shown.
    let shown = configs(&folder, &[&wide[..], &["--all"]].concat());
    assert_eq!(shown.len(), all.len());
    assert_eq!(shown.iter().filter(|config| is_excluded(config)).count(), all.len() - found.len());
    let table = fs::read_to_string(folder.table()).unwrap();
    assert!(!table.contains("excluded") && table.contains("subgroup_size"), "{table}");
    // The compiler's own choice has no attributes.
    let own = shown.iter().find(|config| config["config"] == json!({})).unwrap();
    assert!(own["figure"]["failed"].as_str().unwrap().ends_with("the config has no subgroup_size"), "{own}");
    let text = tune(&folder, &wide).text;
    assert!(text.contains(&format!(" of {} configs are usable", found.len())), "{text}");
    // One after the other, and text.
    let none = configs(&folder, &["--where", "subgroup_size == 16", "--where", "work_group_size_1 == 1"]);
    assert!(
        none.iter().all(|it| it["config"]["subgroup_size"] == 16 && it["config"]["work_group_size"][1] == 1)
    );
}

#[test]
fn constraints_exclude_definitions() {
    // With 9 rows, the arguments do not fit, and with a type for a number, nothing does.
    let folder = Folder::new(PRODUCT);
    for all in [&[][..], &["--all"]] {
        let found = configs(&folder, &[&["-D", "ROWS=9,24,f32", "--where", "ROWS == 24"], all].concat());
        assert!(found.iter().all(|config| config["definitions"]["ROWS"] == "24"), "{found:?}");
    }
    let both = tune(&folder, &["-D", "ROWS=24", "--where", "ROWS >= subgroup_size", "--all"]).text;
    assert!(
        both.contains("subgroup_size=16") && both.contains("excluded by --where ROWS >= subgroup_size"),
        "{both}"
    );
}

#[test]
fn what_is_no_constraint_is_said() {
    let folder = Folder::new(PRODUCT);
    let refused = |constraint: &str, message: &str| {
        let outcome = tune(&folder, &["-D", "ROWS=24", "--where", constraint]);
        assert_eq!(outcome.code, 2, "{constraint}: {}", outcome.errors);
        assert!(outcome.errors.contains(message), "{constraint}: {}", outcome.errors);
        assert!(outcome.text.is_empty() && !folder.table().exists(), "{constraint}");
    };
    refused("ROWS *", "`ROWS *` is no expression");
    refused("(ROWS == 24", "is no expression");
    refused("ROWS = 24", "`ROWS = 24` assigns; a comparison for equality is written ==");
    refused("k_step +", "`k_step +` is no expression");
    refused("ROWS + 1", "`ROWS + 1` is no comparison");
    refused("subgroup_size", "`subgroup_size` is no comparison");
    refused("", "is no comparison");
    refused("ROWS / 0 > 1", "--where ROWS / 0 > 1 has no value");
    refused("size(ROWS) > 1", "`size(ROWS) > 1` is no expression");
    refused("ROWS < \"a\"", "has no value");
    refused(
        "COLS == 9",
        "there is no COLS, which --where COLS == 9 names; there are the names that -D gives and attributes: ROWS, subgroup_size",
    );
    refused("ROWS < 24", "no config is left to try: --where excludes all of them");
    refused("subgroup_size == 7", "no config is left to try");
    refused(&"(".repeat(2000), "a constraint has 1000 characters at most");
}
