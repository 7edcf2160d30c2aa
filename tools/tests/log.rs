//! The log, dumps, and numbers about modules.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use serde_json::Value;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "common/tool.rs"]
mod tool;

use tool::{Outcome, folder, outcome, run};

const TILETC: &str = env!("CARGO_BIN_EXE_tiletc");
const KERNEL: &str = "func @scale(%x: memref<f32x64>) {
    %two = constant 2.0 : f32
    %zero = constant 0.0 : f32
    axpby %two, %x, %zero, %x
}
";

/// A folder for one test.
fn folder_of(test: &str) -> PathBuf {
    let folder = folder().join(test);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs a kernel with what a variable of the environment says; nobody else may have the folder.
fn run_with(folder: &Path, [name, value]: [&str; 2], kernel: &str, arguments: &[&str]) -> Outcome {
    std::fs::write(folder.join("log.ir"), kernel).unwrap();
    let mut command = Command::new(TILETC);
    command.args(arguments).current_dir(folder);
    for variable in ["TILETC_LOG", "TILETC_DUMP", "TILETC_CACHE_DIR"] {
        command.env_remove(variable);
    }
    outcome(command.env(name, value), "")
}

const RUN: [&str; 4] = ["run", "log.ir", "--arg", "x=iota"];

#[test]
fn levels_include_those_before() {
    let folder = &folder_of("levels");
    let silent = run_with(folder, ["TILETC_LOG", ""], KERNEL, &RUN);
    assert_eq!((silent.code, silent.errors.as_str()), (0, ""));
    for level in ["off", "error", "warn"] {
        assert_eq!(run_with(folder, ["TILETC_LOG", level], KERNEL, &RUN).errors, "", "{level}");
    }
    let info = run_with(folder, ["TILETC_LOG", "info"], KERNEL, &RUN);
    let words = [
        "tiletc info: parsed log.ir in ",
        "tiletc info: compiled scale in ",
        ", build options: none\n",
        "tiletc info: kernel scale: work-group of ",
        "tiletc info: driver built ",
        "tiletc info: driver: kernel scale: work-group of ",
        " bytes of local memory",
        ", 0 bytes spilled\n",
    ];
    for word in words {
        assert!(info.errors.contains(word), "{word:?} is not in {}", info.errors);
    }
    assert!(!info.errors.contains("tiletc debug"), "{}", info.errors);
    let debug = run_with(folder, ["TILETC_LOG", "DEBUG"], KERNEL, &RUN).errors;
    for word in ["tiletc info: parsed", "tiletc debug: lower-linalg took ", "tiletc debug: Schedule {"] {
        assert!(debug.contains(word), "{word:?} is not in {debug}");
    }
    let unknown = run_with(folder, ["TILETC_LOG", "loud"], KERNEL, &RUN).errors;
    assert_eq!(unknown, "tiletc warn: TILETC_LOG is `loud`; it may be off, error, warn, info or debug\n");
    let refused = run_with(folder, ["TILETC_LOG", "error"], "func ?", &RUN);
    assert!(refused.errors.contains("tiletc error: parsing log.ir failed after "), "{}", refused.errors);
}

#[test]
fn values_without_a_meaning_are_told_once() {
    let folder = &folder_of("values");
    std::fs::write(folder.join("log.ir"), KERNEL).unwrap();
    for (variable, value, expected) in [
        ("TILETC_TUNE", "yes", "off, on or lookup"),
        ("TILETC_CHECK_ARGUMENTS", "off", "0 or 1"),
        ("TILETC_CACHE_DIR", "log.ir", "a folder, or a name for one"),
        ("TILETC_CACHE_MAX_BYTES", "1GB", "a number of bytes"),
    ] {
        let told = |value: &str| {
            let mut command = Command::new(TILETC);
            command.args(RUN).current_dir(folder).env("TILETC_LOG", "warn");
            if variable != "TILETC_CACHE_DIR" {
                command.env("TILETC_CACHE_DIR", "cache");
            }
            let ran = outcome(command.env(variable, value), "");
            assert_eq!(ran.code, 0, "{}", ran.errors);
            ran.errors
        };
        let message = format!("tiletc warn: {variable} is `{value}`; it may be {expected}\n");
        assert_eq!(told(value), message);
        assert_eq!(told(""), "", "{variable}");
    }
}

#[test]
fn hits_of_the_cache_are_told() {
    let folder = &folder_of("hits");
    // Virtual devices have no native binaries to keep; a miss is all there is to tell.
    let cache = folder.join("cache");
    let _ = std::fs::remove_dir_all(&cache);
    std::fs::write(folder.join("log.ir"), KERNEL).unwrap();
    let mut command = Command::new(TILETC);
    command.args(RUN).current_dir(folder).env("TILETC_LOG", "info").env("TILETC_CACHE_DIR", &cache);
    let errors = outcome(&mut command, "").errors;
    assert!(errors.contains("tiletc info: cache miss\n"), "{errors}");
}

#[test]
fn texts_stages_and_modules_are_dumped() {
    let folder = &folder_of("dumps");
    let dump = folder.join("dump");
    let _ = std::fs::remove_dir_all(&dump);
    let ran = run_with(folder, ["TILETC_DUMP", "dump"], KERNEL, &RUN);
    assert_eq!((ran.code, ran.errors.as_str()), (0, ""));
    let index = std::fs::read_to_string(dump.join("index.txt")).unwrap();
    let files: Vec<(&str, &str)> = index.lines().map(|line| line.split_once('\t').unwrap()).collect();
    assert_eq!(files[0].1, "text of log.ir");
    assert_eq!(files[1].1, "program after original");
    let read = |file: &str| std::fs::read(dump.join(file)).unwrap();
    assert_eq!(read(files[0].0), KERNEL.as_bytes());
    let stages: Vec<&str> = files.iter().map(|(file, _)| *file).collect();
    let named =
        |end: &str| *stages.iter().find(|file| file.ends_with(end)).unwrap_or_else(|| panic!("{index}"));
    let lowered = String::from_utf8(read(named("-lower-linalg.ir"))).unwrap();
    assert!(lowered.contains("func @scale(") && !lowered.contains("axpby"), "{lowered}");
    assert_eq!(read(named("-module.spv"))[..4], 0x0723_0203_u32.to_ne_bytes());
    assert!(String::from_utf8(read(named("-module.spvasm"))).unwrap().contains("OpEntryPoint"));
    // What a stage leaves as it is, is not written again.
    assert!(!index.contains("check-legality"), "{index}");

    let wrong = "func @f(%A: memref<f32x4>) {
        %i = constant 4 : index
        %x = load %A[%i] : f32
        store %x, %A[%i]
    }";
    assert_eq!(
        run_with(folder, ["TILETC_DUMP", "dump"], wrong, &["run", "log.ir", "--arg", "zeros"]).code,
        1
    );
    let index = std::fs::read_to_string(dump.join("index.txt")).unwrap();
    assert!(index.contains("-error.txt\treason why there is no module"), "{index}");
    // A folder that cannot be made is nothing to fail for.
    std::fs::write(folder.join("no-folder"), "").unwrap();
    let ran = run_with(folder, ["TILETC_DUMP", "no-folder"], KERNEL, &RUN);
    assert_eq!(ran.code, 0);
    // But it is said, once.
    let reason = |errors: &str, prefix: &str| {
        let is_one_line = errors.lines().count() == 1;
        let is_reason = errors.starts_with(prefix) && errors.contains("-0001-text.ir to TILETC_DUMP=");
        assert!(is_one_line && is_reason && errors.contains("no-folder: "), "{errors}");
    };
    reason(&ran.errors, "warning: cannot write ");
    let json = [&RUN[..], &["--json"]].concat();
    let ran = run_with(folder, ["TILETC_DUMP", "no-folder"], KERNEL, &json);
    let document: Value = serde_json::from_str(ran.text()).unwrap();
    assert_eq!(document["diagnostics"][0]["severity"], "warning", "{document}");
    assert_eq!(document["diagnostics"].as_array().unwrap().len(), 1, "{document}");
    let mut command = Command::new(TILETC);
    command.args(RUN).current_dir(folder).env("TILETC_DUMP", "no-folder").env("TILETC_LOG", "warn");
    reason(&outcome(&mut command, "").errors, "tiletc warn: cannot write ");
}

#[test]
fn what_kernels_do_without_is_said() {
    let folder = &folder_of("avoided");
    std::fs::write(folder.join("log.ir"), KERNEL).unwrap();
    let messages = |avoided: &str| {
        let mut command = Command::new(TILETC);
        command.args(["compile", "log.ir", "-d", "pvc", "-o", "log.spv"]).current_dir(folder);
        outcome(command.env("TILETC_LOG", "info").env("TILETC_AVOID", avoided), "").errors
    };
    let line = "tiletc info: compiling without block2d_transpose, split_barrier\n";
    assert!(messages("split_barrier,block2d_transpose").contains(line));
    assert!(!messages("").contains("compiling without"));
}

#[test]
fn dumps_are_for_the_user_alone() {
    let folder = &folder_of("own-dumps");
    let dump = folder.join("dump");
    let _ = std::fs::remove_dir_all(&dump);
    let run = || assert_eq!(run_with(folder, ["TILETC_DUMP", "dump"], KERNEL, &RUN).code, 0);
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    run();
    assert_eq!(mode(&dump), 0o700);
    let files = || std::fs::read_dir(&dump).unwrap().map(|file| file.unwrap().path());
    assert!(files().count() > 3 && files().all(|file| mode(&file) == 0o600));

    // Neither another's file nor a folder that others can write to is used.
    let target = folder.join("target");
    std::fs::write(&target, "target").unwrap();
    std::fs::remove_file(dump.join("index.txt")).unwrap();
    std::os::unix::fs::symlink(&target, dump.join("index.txt")).unwrap();
    run();
    assert_eq!(std::fs::read(&target).unwrap(), b"target");
    let count = files().count();
    std::fs::set_permissions(&dump, Permissions::from_mode(0o777)).unwrap();
    run();
    assert_eq!(files().count(), count);
}

fn kernel() -> PathBuf {
    let path = folder().join("stats.ir");
    std::fs::write(&path, KERNEL).unwrap();
    path
}

#[test]
fn modules_have_statistics() {
    let path = kernel();
    let path = path.to_str().unwrap();
    let text = run(TILETC, &["compile", path, "--stats", "-d", "bmg"], "").succeeded();
    let lines: Vec<&str> = text.text().lines().collect();
    assert!(lines[0].starts_with("kernel on bmg") && lines[1].starts_with("scale "), "{lines:?}");
    assert!(lines[2].starts_with("module: ") && lines[2].contains(" bytes, "), "{lines:?}");

    let json = run(TILETC, &["compile", path, "--stats", "--json"], "").succeeded();
    let json: Value = serde_json::from_str(json.text()).unwrap();
    assert_eq!((&json["device"], &json["kernels"][0]["name"]), (&"pvc".into(), &"scale".into()));
    let bytes = run(TILETC, &["compile", path], "").succeeded().output.len();
    assert_eq!(json["module"]["bytes"], bytes);
    let [x, y] = [0, 1].map(|mode| json["kernels"][0]["work_group_size"][mode].as_i64().unwrap());
    assert!(x * y >= json["kernels"][0]["subgroup_size"].as_i64().unwrap(), "{json}");
}

#[test]
fn all_tables_come_as_json() {
    let path = kernel();
    let path = path.to_str().unwrap();
    let timed = run(TILETC, &["compile", path, "-S", "--time-passes", "--json"], "").succeeded();
    let times: Value = serde_json::from_str(timed.text()).unwrap();
    assert!(times["times"].as_array().unwrap().iter().any(|row| row["name"] == "lower-linalg"), "{times}");
    let counted = run(TILETC, &["run", path, "--arg", "x=iota", "--count", "--json"], "").succeeded();
    let counters: Value = serde_json::from_str(counted.text()).unwrap();
    assert_eq!(counters["global_bytes"]["written"], 256, "{counters}");
}

#[test]
fn lines_can_be_left_out() {
    let path = kernel();
    let path = path.to_str().unwrap();
    let with = run(TILETC, &["compile", path, "-S"], "").succeeded();
    assert!(with.text().contains("OpLine") && with.text().contains("OpName"), "{}", with.text());
    assert!(with.text().contains("stats.ir\""), "{}", with.text());
    let without = run(TILETC, &["compile", path, "-S", "--no-lines"], "").succeeded();
    assert!(!without.text().contains("OpLine") && !without.text().contains("OpName"), "{}", without.text());
}
