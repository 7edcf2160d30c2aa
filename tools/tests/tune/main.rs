//! `tiletc tune`: configs are tried, judged and kept. What needs an OpenCL device is skipped without one.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;
mod constraints;
#[path = "../common/fake.rs"]
mod fake;
mod interruption;
mod references;
mod refusals;
#[path = "../../../tests/skip/mod.rs"]
mod skip;
mod tables;

use common::{Folder, Outcome, PRODUCT, arguments, product};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use tiletc::runtime::opencl;

#[test]
fn estimates_are_kept_and_obeyed() {
    let folder = Folder::new(PRODUCT);
    let found = folder.tune(&["--table", "tuning.json", "--json", "--model"], &arguments(24, 2));
    assert_eq!(found.code, 0, "{}", found.errors);
    let value: Value = serde_json::from_str(&found.text).unwrap();
    assert_eq!((&value["kind"], &value["function"]), (&"estimated".into(), &"product".into()));
    let configs = value["configs"].as_array().unwrap();
    let cycles = |config: &Value| config["figure"]["estimated"]["cycles"].as_f64();
    let usable: Vec<f64> = configs.iter().filter_map(cycles).collect();
    assert!(usable.len() > 4 && usable.len() < configs.len(), "{usable:?}");
    // Those as good as the best come in the order in which they were tried, the compiler's choice first.
    let best = usable.iter().copied().fold(f64::INFINITY, f64::min);
    let as_good = usable.iter().take_while(|cycles| **cycles <= 1.01 * best).count();
    assert!(as_good > 0 && usable[as_good..].is_sorted(), "{usable:?}");
    assert!(usable[as_good..].iter().all(|cycles| *cycles > 1.01 * best), "{usable:?}");
    assert_eq!(configs[0]["config"], json!({}));
    assert!(found.errors.is_empty() || found.errors.contains("busy machine"), "{}", found.errors);

    // The table's attributes are those that the kernel is compiled with, unless it has its own.
    let table = folder.table();
    let mut kept: Value = serde_json::from_str(&fs::read_to_string(&table).unwrap()).unwrap();
    let entries = kept["entries"].as_array_mut().unwrap();
    let launch = "P=24x9x2 A=9x9x2 Q=24x9x2 in memory";
    assert!(entries.iter().all(|entry| entry["launch"] == launch), "{entries:?}");
    let other = entries.iter_mut().find(|entry| entry["config"]["subgroup_size"] == 32).unwrap();
    other["figure"]["estimated"]["cycles"] = 1.0.into();
    fs::write(&table, kept.to_string()).unwrap();
    let explain = |text: &str, table: Option<&Path>| {
        fs::write(folder.path().join("other.ir"), text).unwrap();
        folder.run("compile", &["other.ir", "-d", "pvc", "--explain"], table).text
    };
    // The launch fixes what types leave open; the kernel that was tuned is the one for packed members.
    let ran = folder.run("compile", &["kernel.ir", "-d", "pvc", "--explain"], Some(&table)).text;
    assert!(ran.contains("attributes of the tuning table: estimated"), "{ran}");
    assert!(ran.contains("subgroups of 32"), "{ran}");
    // What a table says of the kernel changes nothing of what is tried.
    let given = arguments(24, 2);
    let given = given.iter().map(String::as_str);
    let again: Vec<&str> = ["kernel.ir", "--json", "--model"].into_iter().chain(given).collect();
    fs::copy(&table, folder.path().join("forged.json")).unwrap();
    let again = folder.run("tune", &again, Some(&folder.path().join("forged.json")));
    let again: Value = serde_json::from_str(&again.text).unwrap();
    assert_eq!(again["configs"], value["configs"]);
    let own = PRODUCT.replace("x?>) {", "x?>) attributes{subgroup_size=16} {");
    assert!(!explain(&own, Some(&table)).contains("tuning table"));
    assert!(!explain(PRODUCT, None).contains("tuning table"));
}

#[test]
fn no_attribute_asks_for_a_member_a_lane() {
    let (text, given) = product("f64", "f64", [4, 4, 4]);
    let given: Vec<String> = given.iter().map(|argument| argument.replace("x1", "x64")).collect();
    let folder = Folder::new(&text);
    let found = folder.tune(&["--json", "--hot", "--model", "--table", "tuning.json"], &given);
    let value: Value = serde_json::from_str(&found.text).unwrap();
    let cycles = |place: usize| value["configs"][place]["figure"]["estimated"]["cycles"].as_f64().unwrap();
    assert_eq!(value["configs"][0]["config"], json!({}));
    assert!(cycles(0) < cycles(1), "{value}");
    // The table leaves the kernel as it is.
    let explain =
        |table: Option<&Path>| folder.run("compile", &["kernel.ir", "-d", "pvc", "--explain"], table).text;
    assert_eq!(explain(Some(&folder.table())), explain(None));
}

#[test]
fn processes_share_a_table() {
    let folder = Folder::new(PRODUCT);
    let start = |rows: usize| {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_tiletc"));
        tool.args(["tune", "kernel.ir", "--model", "--table", "tuning.json", "-D", &format!("ROWS={rows}")]);
        tool.args(arguments(rows, 1)).current_dir(folder.path());
        (rows, tool.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    };
    let mut processes: Vec<_> = (1..=8).map(|place| start(8 * place)).collect();
    // Wherever these are, they take nobody's entries along.
    for (place, (_, process)) in processes.iter_mut().enumerate().filter(|(place, _)| place % 3 == 0) {
        std::thread::sleep(Duration::from_millis(10 * place as u64));
        process.kill().unwrap();
    }
    let ended = processes.into_iter().map(|(rows, mut process)| (rows, process.wait().unwrap().success()));
    let complete: Vec<usize> = ended.filter_map(|(rows, is_well)| is_well.then_some(rows)).collect();
    assert!(complete.len() >= 5, "{complete:?}");
    let kept: Value = serde_json::from_str(&fs::read_to_string(folder.table()).unwrap()).unwrap();
    let entries = kept["entries"].as_array().unwrap();
    for rows in complete.iter().map(usize::to_string) {
        let own = entries.iter().filter(|entry| entry["definitions"]["ROWS"].as_str() == Some(rows.as_str()));
        assert!(own.count() > 4, "nothing of {rows} rows is kept");
    }
}

#[test]
fn results_are_shown_though_they_cannot_be_kept() {
    let folder = Folder::new(PRODUCT);
    fs::write(folder.path().join("file"), "").unwrap();
    let foreign = r#"{"format": 99, "entries": []}"#;
    fs::write(folder.path().join("foreign.json"), foreign).unwrap();
    let is_shown = |outcome: &Outcome, message: &str| {
        assert!(
            outcome.text.contains("estimated on ") && outcome.text.contains("kept nowhere"),
            "{}",
            outcome.text
        );
        assert_eq!(outcome.code, 1, "{}", outcome.errors);
        assert!(outcome.errors.contains(message), "{}", outcome.errors);
    };
    let tune = |table: &str| folder.tune(&["--model", "--table", table], &arguments(24, 1));
    is_shown(&tune("file/tuning.json"), "`file/tuning.json`");
    is_shown(&tune("foreign.json"), "99");
    assert_eq!(fs::read_to_string(folder.path().join("foreign.json")).unwrap(), foreign);
    // Where a file may grow by nothing, writing fails as on a full disk.
    let mut shell = Command::new("sh");
    shell.args(["-c", r#"trap "" XFSZ; ulimit -f 0; exec "$@""#, "sh", env!("CARGO_BIN_EXE_tiletc")]);
    shell.args(["tune", "kernel.ir", "--model", "--table", "tuning.json"]).args(arguments(24, 1));
    let output = shell.current_dir(folder.path()).output().unwrap();
    let [text, errors] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    is_shown(&Outcome { code: output.status.code().unwrap(), text, errors }, "cannot write `tuning.json`");
    assert!(!folder.table().exists());
}

#[test]
fn configs_have_an_order_without_hardware() {
    let (text, given) = product("f32", "f32", [40, 40, 40]);
    let folder = Folder::new(&text.replace("gemm.n.n", "gemm.t.n"));
    let found = folder.tune(&["--json", "--hot", "--model"], &given);
    let value: Value = serde_json::from_str(&found.text).unwrap();
    let configs = value["configs"].as_array().unwrap();
    let cycles: Vec<f64> =
        configs.iter().filter_map(|config| config["figure"]["estimated"]["cycles"].as_f64()).collect();
    assert!(cycles.len() >= 20 && cycles.is_sorted_by(|a, b| a < b), "{cycles:?}");
}

#[test]
fn names_of_the_program_are_tried() {
    let folder = Folder::new(PRODUCT);
    let found = folder.tune(&["-D", "ROWS=24", "--all", "--model"], &arguments(24, 2));
    assert_eq!(found.code, 0, "{}", found.errors);
    assert!(found.text.contains("the same module as a config before"), "{}", found.text);
    assert!(found.text.contains("\n-D ROWS=24\n") && found.text.contains("kept nowhere"), "{}", found.text);
}

#[test]
fn wrong_configs_are_excluded() {
    // The result tells the size of the subgroup. Attributes leave so few configs that all are tried.
    let folder = Folder::new(
        "func @size(%A: memref<f32x32x32>, %B: memref<f32x32x32>, %C: memref<f32x32x32>, %R: memref<i32x1>)
    attributes{k_step=16, register_block=[16,16]} {
    %size = subgroup_size : i32
    store %size, %R[0]
    gemm.n.n 1.0, %A, %B, 0.0, %C
}",
    );
    let given = ["--arg", "random", "--arg", "random", "--arg", "zeros", "--arg", "zeros"].map(str::to_owned);
    let found = folder.tune(&["--all", "--groups", "1", "--model"], &given);
    assert_eq!(found.code, 0, "{}", found.errors);
    assert!(found.text.contains("wrong result: number 0 of %R is "), "{}", found.text);
    let tolerant = folder.tune(&["--all", "--groups", "1", "--model", "--tolerance", "2"], &given);
    assert!(!tolerant.text.contains("wrong result"), "{}", tolerant.text);
}

/// A product of tiles of $B rows and columns, in an order that is left open.
const TILES: &str = "$B = 16
func @product(%A: memref<f32x128x32>, %B: memref<f32x32x128>, %C: memref<f32x128x128>) {
    %tiles = cdiv 128, $B : index
    %ti, %tj = tile_order.any %tiles, %tiles
    %i = mul %ti, $B
    %j = mul %tj, $B
    %a = tile_load %A[%i,0] : $B x 32
    %b = tile_load %B[0,%j] : 32 x $B
    %c = tile_dot %a, %b, 0.0 : tile<f32x$B x $B,matrix_acc>
    tile_store %c, %C[%i,%j]
}";

#[test]
fn tiles_that_leave_cores_idle_are_estimated_to_take_longer() {
    let folder = Folder::new(TILES);
    let given = ["A=random", "B=random", "C=zeros"].map(|given| format!("--arg={given}"));
    let found = folder.tune(&["--json", "--hot", "--model", "--all", "-D", "B=16,64"], &given);
    let value: Value = serde_json::from_str(&found.text).unwrap();
    let configs = value["configs"].as_array().unwrap();
    let cycles = |size: &str| {
        let of_size = configs.iter().filter(|it| it["definitions"]["B"] == size);
        let cycles = of_size.filter_map(|it| it["figure"]["estimated"]["cycles"].as_f64());
        cycles.fold(f64::INFINITY, f64::min)
    };
    // Four tiles on 64 cores take longer than 64, though they load a fourth of the bytes.
    assert!(cycles("64") > 1.5 * cycles("16"), "{} {}", cycles("64"), cycles("16"));
    // Without a clock nobody knows what an order is worth.
    let is_ordered = |it: &&Value| it["config"]["order"].is_string() || it["config"]["group"].is_number();
    let ordered: Vec<&Value> = configs.iter().filter(is_ordered).collect();
    assert_eq!(ordered.len(), 2 * 6);
    assert!(
        ordered.iter().all(|it| it["figure"]["failed"].as_str().is_some_and(|why| why.contains("clock")))
    );
}

/// The configs that a constraint leaves, tuned on OpenCL's processor; none without one.
fn timed(text: &str, constraint: &str, given: &[String]) -> Option<Vec<Value>> {
    if let Err(error) = opencl::devices() {
        skip::skip(error);
        return None;
    }
    let options = ["-d", "opencl", "--budget", "0.2", "--json", "--tolerance", "1e-3", "--where", constraint];
    let found = Folder::new(text).tune(&options, given);
    assert_eq!(found.code, 0, "{}", found.errors);
    let value: Value = serde_json::from_str(&found.text).unwrap();
    Some(value["configs"].as_array().unwrap().clone())
}

fn is_measured(config: &&Value) -> bool {
    config["figure"]["measured"].is_object()
}

#[test]
fn steps_are_timed_in_the_best_size_of_subgroups() {
    let Some(configs) = timed(PRODUCT, "subgroup_size == 32", &arguments(24, 64)) else { return };
    assert!(configs.iter().all(|it| it["config"]["subgroup_size"] == 32), "{configs:?}");
    // The compiler's choice are subgroups of 16, so that these steps are none of its refinements.
    let steps: Vec<&Value> = configs.iter().filter(is_measured).map(|it| &it["config"]["k_step"]).collect();
    assert!(steps.iter().any(|it| it.is_number()) && steps.iter().any(|it| it.is_null()), "{configs:?}");
}

#[test]
fn steps_are_timed_though_constraints_leave_nothing_else() {
    let Some(configs) = timed(PRODUCT, "k_step == 8", &arguments(24, 64)) else { return };
    assert!(configs.iter().all(|it| it["config"]["k_step"] == 8), "{configs:?}");
    assert!(configs.first().is_some_and(|it| is_measured(&it)), "{configs:?}");
}

/// Each definition with the compiler's choice, and then the best ones with subgroups of all sizes.
#[test]
fn definitions_come_first_and_then_sizes_of_subgroups_in_turns() {
    let text = TILES.replace("tile_order.any", "tile_order.linear_n");
    let given = ["A=random", "B=random", "C=zeros", "-DB=8,16"].map(|given| match given {
        "-DB=8,16" => given.to_owned(),
        given => format!("--arg={given}"),
    });
    let Some(configs) = timed(&text, "true", &given) else { return };
    let measured: Vec<&Value> = configs.iter().filter(is_measured).collect();
    let choices = measured.iter().filter(|it| it["config"] == json!({}));
    let mut choices: Vec<&str> = choices.filter_map(|it| it["definitions"]["B"].as_str()).collect();
    choices.sort_unstable();
    assert_eq!(choices, ["16", "8"]);
    let sizes = measured.iter().filter_map(|it| it["config"]["subgroup_size"].as_i64());
    let sizes: BTreeSet<i64> = sizes.collect();
    assert!(sizes.len() >= 4, "{sizes:?}");
}

#[test]
fn orders_of_tiles_are_timed() {
    let given = ["A=random", "B=random", "C=zeros"].map(|given| format!("--arg={given}"));
    let constraint = "order == \"hilbert\" || order == \"panel_m\"";
    let Some(configs) = timed(TILES, constraint, &given) else { return };
    let measured: Vec<&Value> = configs.iter().filter(is_measured).collect();
    assert!(
        !measured.is_empty() && measured.iter().all(|it| it["config"]["order"].is_string()),
        "{configs:?}"
    );
}

#[test]
fn configs_are_timed() {
    if let Err(error) = opencl::devices() {
        return skip::skip(error);
    }
    let folder = Folder::new(PRODUCT);
    let before = Command::new("date").args(["-u", "+%F"]).output().unwrap();
    let options = ["-d", "opencl", "--budget", "0.2", "--where", "subgroup_size >= 32", "--json"];
    let found = folder.tune(&options, &arguments(24, 64));
    assert_eq!(found.code, 0, "{}", found.errors);
    let value: Value = serde_json::from_str(&found.text).unwrap();
    assert_eq!(value["kind"], "measured", "{value}");
    let measured = &value["configs"][0]["figure"]["measured"];
    // The device and its driver.
    let on = measured["on"].as_str().unwrap();
    assert!(on.split_once(", ").is_some_and(|(_, driver)| driver.contains('.')), "{on}");
    assert_eq!(value["on"], on);
    let seconds = measured["seconds"].as_f64().unwrap();
    assert!(seconds > 1e-7 && seconds < 1.0, "{measured}");
    let today = Command::new("date").args(["-u", "+%F"]).output().unwrap();
    let date = measured["date"].as_str().unwrap();
    // Unless midnight lies between.
    assert!([before.stdout, today.stdout].contains(&format!("{date}\n").into_bytes()), "{date}");
}

#[test]
fn the_first_choice_of_the_model_is_near_the_best_by_instructions() {
    if std::env::var_os("TILETC_IGC").is_none() {
        return skip::skip("TILETC_IGC does not name the script of Intel's offline compiler");
    }
    for (number, sum, extents) in [("f32", "f32", [32, 32, 32]), ("bf16", "f32", [64, 64, 64])] {
        let (text, given) = product(number, sum, extents);
        let folder = Folder::new(&text);
        let configs = |more: &[&str]| -> Vec<(Value, f64)> {
            let found = folder.tune(&[&["--hot", "--json"], more].concat(), &given);
            let value: Value = serde_json::from_str(&found.text).unwrap();
            assert_eq!(value["kind"], "estimated");
            let cycles = |config: &Value| config["figure"]["estimated"]["cycles"].as_f64();
            let configs = value["configs"].as_array().unwrap().iter();
            configs.filter_map(|config| Some((config["config"].clone(), cycles(config)?))).collect()
        };
        let (model, counted) = (configs(&["--model"]), configs(&[]));
        let best = counted.iter().map(|(_, cycles)| *cycles).fold(f64::INFINITY, f64::min);
        let (_, first) = counted.iter().find(|(config, _)| *config == model[0].0).unwrap();
        assert!(*first <= 1.05 * best, "{number} {extents:?}: {first} cycles, {best} by another config");
        // The counts are another source than the model.
        assert_ne!(model[0].1, *first);
    }
}
