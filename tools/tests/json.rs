//! `--json`: standard output is one document, whatever the command is and however it ends.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use serde_json::{Value, json};
use std::os::unix::fs::symlink;
use std::process::Command;

#[path = "common/tool.rs"]
mod tool;

use tool::{Outcome, folder, outcome, run};

const TILETC: &str = env!("CARGO_BIN_EXE_tiletc");

/// Programs by the names of their files.
const PROGRAMS: [(&str, &str); 7] = [
    (
        "good.ir",
        "func @f(%A: memref<f32x4>, %n: i32) {
    %a = constant 2.0 : f32
    %z = constant 0.0 : f32
    axpby %a, %A, %z, %A
}
",
    ),
    ("syntax.ir", "func @f() {\n    nonsense\n}\n"),
    ("types.ir", "func @f(%a: f32, %b: f64) {\n    %c = add %a, %b : f32\n}\n"),
    (
        "bounds.ir",
        "func @f(%A: memref<f32x4>) {
    %i = constant 4 : index
    %x = load %A[%i] : f32
    store %x, %A[%i]
}
",
    ),
    (
        "warned.ir",
        "func @f(%A: memref<f32x4x3>, %x: f32) {
    %t = alloca : memref<f32x4x3,strided<1,?>,local>
    %z = constant 0.0 : f32
    axpby %x, %A, %z, %t
    axpby %x, %t, %x, %A
}
",
    ),
    (
        "behind.ir",
        "func @f(%A: memref<f32x?>, %n: index) {
    %x = constant 1.0 : f32
    store %x, %A[%n]
}
",
    ),
    (
        "numbers.ir",
        "func @f(%x: c32, %y: f32, %A: memref<c32x2>, %B: memref<f32x2>, %C: memref<f32x99>) {
    %i = constant 1 : index
    %z = constant 0.0 : f32
    store %x, %A[%i]
    store %y, %B[%i]
    axpby %y, %C, %z, %C
}
",
    ),
];

fn write_programs() {
    for (name, text) in PROGRAMS {
        let whole = folder().join(name);
        // Tests run side by side; no other must see half a file.
        let part = whole.with_extension(format!("{:?}.part", std::thread::current().id()));
        std::fs::write(&part, text).unwrap();
        std::fs::rename(part, whole).unwrap();
    }
}

/// The document that is all of standard output, with what every document has.
#[track_caller]
fn document(outcome: &Outcome) -> Value {
    let document: Value = serde_json::from_str(outcome.text())
        .unwrap_or_else(|error| panic!("{error} in {:?}; {}", outcome.text(), outcome.errors));
    let diagnostics = document["diagnostics"].as_array().unwrap_or_else(|| panic!("{document:#}"));
    let has_error = diagnostics.iter().any(|diagnostic| diagnostic["severity"] == "error");
    assert_eq!(has_error, outcome.code != 0, "{document:#}");
    assert_eq!(document["status"]["code"] == 0, outcome.code == 0, "{document:#}");
    assert!(document["status"]["text"].is_string(), "{document:#}");
    for diagnostic in diagnostics {
        assert!(["error", "warning"].contains(&diagnostic["severity"].as_str().unwrap()), "{diagnostic:#}");
        for message in diagnostic["labels"].as_array().unwrap().iter().chain([diagnostic]) {
            assert!(!message["message"].as_str().unwrap().is_empty(), "{diagnostic:#}");
            for place in ["file", "line", "column", "end_line", "end_column"] {
                assert!(message.get(place).is_some(), "{place} is missing in {diagnostic:#}");
            }
        }
    }
    document
}

/// A command with its exit code, and words in the message of the first diagnostic.
type Case = (&'static [&'static str], i32, &'static str, Place);

/// File, line and column; none where they are empty and 0.
type Place = (&'static str, u32, u32);

/// Each command with each way to end.
const OUTCOMES: &[Case] = &[
    (&["compile", "good.ir", "-o", "json.spv"], 0, "", ("", 0, 0)),
    (&["compile", "good.ir", "-S"], 0, "", ("", 0, 0)),
    (&["good.ir", "-S", "--time-passes"], 0, "", ("", 0, 0)),
    (&["compile", "good.ir", "-S", "--print-after=all", "--verify-each"], 0, "", ("", 0, 0)),
    (&["compile", "good.ir", "--build-options"], 0, "", ("", 0, 0)),
    (&["compile", "good.ir", "--explain"], 0, "", ("", 0, 0)),
    (&["compile", "good.ir", "--explain", "-o", "json-explain"], 0, "", ("", 0, 0)),
    (&["compile", "good.ir", "--stats", "--time-passes"], 0, "", ("", 0, 0)),
    (&["compile", "warned.ir", "--stats"], 0, "local memory is allocated packed", ("warned.ir", 2, 10)),
    (&["compile", "good.ir"], 2, "use -o OUT", ("", 0, 0)),
    (&["compile", "syntax.ir", "--stats"], 1, "nonsense", ("syntax.ir", 2, 5)),
    (&["types.ir", "--explain"], 1, "operand type must match", ("types.ir", 2, 10)),
    (&["compile", "bounds.ir", "--stats"], 1, "", ("bounds.ir", 3, 10)),
    (&["compile", "good.ir", "-S", "-D", "n"], 1, "expected `=`", ("-D", 1, 3)),
    (&["compile", "no/such.ir", "-S"], 1, "cannot read `no/such.ir`", ("", 0, 0)),
    (&["compile", "good.ir", "-o", "no/such.spv"], 1, "cannot write `no/such.spv`", ("", 0, 0)),
    (&["compile", "good.ir", "-S", "-d", "nonsense"], 2, "unknown device `nonsense`", ("", 0, 0)),
    (&["compile", "good.ir", "-S", "--print-after=inliner"], 2, "no pass of the pipeline", ("", 0, 0)),
    (&["compile", "good.ir", "--native", "pvc", "-o", "json.bin"], 1, "no `no/ocloc`", ("", 0, 0)),
    (&["compile", "--nonsense"], 2, "unexpected argument '--nonsense'", ("", 0, 0)),
    (&["compile", "good.ir", "--stats", "--explain"], 2, "cannot be used with", ("", 0, 0)),
    (&["compile", "good.ir", "--json=yes"], 2, "unexpected value 'yes' for '--json'", ("", 0, 0)),
    (&["compile", "-O", "fast"], 2, "a level is an integer", ("", 0, 0)),
    (&["compile", "-d"], 2, "a value is required", ("", 0, 0)),
    (&["compile", "--help"], 0, "", ("", 0, 0)),
    (&["--version"], 0, "", ("", 0, 0)),
    (&["run", "good.ir", "--arg", "iota", "--arg", "1"], 0, "", ("", 0, 0)),
    (&["run", "good.ir", "--arg", "iota", "--arg", "1", "--count"], 0, "", ("", 0, 0)),
    (&["run", "good.ir", "--arg", "iota", "--arg", "1", "--count", "--time-passes"], 0, "", ("", 0, 0)),
    (&["run", "good.ir", "--arg", "iota", "--arg", "1", "--save", "A=json.npy"], 0, "", ("", 0, 0)),
    (
        &["run", "warned.ir", "--arg", "iota", "--arg", "1"],
        0,
        "local memory is allocated packed",
        ("warned.ir", 2, 10),
    ),
    (
        &["run", "behind.ir", "--arg", "zeros:4", "--arg", "4"],
        1,
        "access out of bounds: %A[4]",
        ("behind.ir", 3, 5),
    ),
    (&["run", "syntax.ir", "--count"], 1, "nonsense", ("syntax.ir", 2, 5)),
    (&["run", "bounds.ir", "--arg", "zeros"], 1, "", ("bounds.ir", 3, 10)),
    (&["run", "no/such.ir"], 1, "cannot read `no/such.ir`", ("", 0, 0)),
    (&["run", "good.ir"], 2, "need a value", ("", 0, 0)),
    (&["run", "good.ir", "--arg", "iota", "--arg", "many"], 2, "`many` is no i32", ("", 0, 0)),
    (&["run", "good.ir", "--kernel", "g"], 2, "there is no kernel g", ("", 0, 0)),
    (&["run", "good.ir", "--device", "virtual:nonsense"], 2, "no device virtual:nonsense", ("", 0, 0)),
    (&["run", "good.ir", "--device", "opencl", "--count"], 2, "only virtual devices", ("", 0, 0)),
    (&["run", "good.ir", "--device", "opencl:999"], 2, "", ("", 0, 0)),
    (
        &["run", "good.ir", "--arg", "iota", "--arg", "1", "--save", "A=no/such.npy"],
        1,
        "cannot write `no/such.npy`",
        ("", 0, 0),
    ),
    (&["run", "--groups", "many"], 2, "one to three numbers", ("", 0, 0)),
    (&["run", "-h"], 0, "", ("", 0, 0)),
    (&["isa", "good.ir"], 1, "no `no/ocloc`", ("", 0, 0)),
    (&["isa", "good.ir", "-d", "nonsense"], 2, "unknown device `nonsense`", ("", 0, 0)),
    (&["isa", "syntax.ir"], 1, "nonsense", ("syntax.ir", 2, 5)),
    (&["isa", "no/such.spv"], 1, "cannot read `no/such.spv`", ("", 0, 0)),
    (&["isa", "good.ir", "--fetch"], 2, "cannot be used with", ("", 0, 0)),
    (&["isa", "--help"], 0, "", ("", 0, 0)),
    (&["info"], 0, "", ("", 0, 0)),
    (&["info", "good.ir"], 0, "", ("", 0, 0)),
    (&["info", "syntax.ir"], 1, "nonsense", ("syntax.ir", 2, 5)),
    (&["info", "no/such.ir"], 1, "cannot read `no/such.ir`", ("", 0, 0)),
    (&["info", "good.ir", "-d", "nonsense"], 2, "unknown device `nonsense`", ("", 0, 0)),
    (&["info", "-d", "pvc"], 2, "FILE", ("", 0, 0)),
    (&["info", "--help"], 0, "", ("", 0, 0)),
];

#[test]
fn every_command_writes_one_document_however_it_ends() {
    write_programs();
    for &(arguments, code, words, (file, line, column)) in OUTCOMES {
        let (command, rest) = arguments.split_at(usize::from(!arguments[0].ends_with(".ir")));
        // Wherever it stands.
        for arguments in [[command, &["--json"], rest].concat(), [command, rest, &["--json"]].concat()] {
            let mut command = Command::new(TILETC);
            command.args(&arguments).current_dir(folder()).env("TILETC_OCLOC", "no/ocloc");
            let ran = outcome(&mut command, "");
            let document = document(&ran);
            // `opencl:999` is no usage error without a driver.
            assert!(ran.code == code || arguments.contains(&"opencl:999"), "{arguments:?}: {}", ran.errors);
            let first = &document["diagnostics"][0];
            assert_eq!(first.is_null(), code == 0 && words.is_empty(), "{arguments:?}: {document:#}");
            if first.is_null() {
                continue;
            }
            let message = first["message"].as_str().unwrap();
            assert!(message.contains(words), "{arguments:?}: {message}");
            let place = [&first["file"], &first["line"], &first["column"]];
            let known = |number: u32| if number > 0 { json!(number) } else { Value::Null };
            let file = if file.is_empty() { Value::Null } else { json!(file) };
            assert_eq!(place, [&file, &known(line), &known(column)], "{arguments:?}: {first:#}");
            // People read the same.
            assert!(ran.errors.contains(words), "{arguments:?}: {}", ran.errors);
        }
    }
}

/// The document of a command that succeeds.
#[track_caller]
fn succeeded(arguments: &[&str]) -> Value {
    write_programs();
    let ran = run(TILETC, &[arguments, &["--json"]].concat(), "");
    assert_eq!(ran.code, 0, "{}", ran.errors);
    document(&ran)
}

#[test]
fn the_document_has_what_is_asked_for() {
    let document = succeeded(&["compile", "good.ir", "--stats", "--time-passes"]);
    assert!(document["times"].as_array().unwrap().iter().any(|row| row["name"] == "spirv"), "{document:#}");
    assert!(document["module"]["bytes"].is_u64() && document["device"] == "pvc", "{document:#}");
    let assembly = succeeded(&["compile", "good.ir", "-S"]);
    assert!(assembly["assembly"].as_str().unwrap().contains("OpEntryPoint"), "{assembly:#}");
    assert_eq!(succeeded(&["compile", "good.ir", "--build-options"])["build_options"], "");
    assert!(succeeded(&["compile", "--help"])["text"].as_str().unwrap().contains("--explain"));

    // What goes to a file is not in the document, and is what it would be without one.
    let document = succeeded(&["compile", "good.ir", "-o", "document.spv", "-d", "bmg"]);
    let status = json!({ "code": 0, "text": "success" });
    assert_eq!(document, json!({ "device": "bmg", "diagnostics": [], "status": status }));
    let module = run(TILETC, &["compile", "good.ir", "-d", "bmg"], "").succeeded().output;
    assert_eq!(std::fs::read(folder().join("document.spv")).unwrap(), module);
    succeeded(&["compile", "good.ir", "--explain", "-o", "document.json"]);
    let file = std::fs::read_to_string(folder().join("document.json")).unwrap();
    let file: Value = serde_json::from_str(&file).unwrap();
    assert_eq!(file["functions"][0]["function"], "f");
}

#[test]
fn results_of_a_run_are_numbers() {
    let run = ["run", "numbers.ir", "--arg", "x=3-4i", "--arg", "y=nan", "--arg", "zeros", "--arg", "zeros"];
    let document = succeeded(&[&run[..], &["--arg", "iota", "--count"]].concat());
    let [a, b, c] = [0, 1, 2].map(|place: usize| &document["arguments"][place]);
    assert_eq!((&document["device"], &document["kernel"]), (&json!("virtual:pvc"), &json!("f")));
    assert_eq!((&a["name"], &a["type"], &a["shape"]), (&json!("A"), &json!("c32"), &json!([2])));
    assert_eq!(
        (&a["changed"], &a["max"], &a["mean"]),
        (&json!(true), &json!([3.0, -4.0]), &json!([1.5, -2.0]))
    );
    assert_eq!(a["numbers"], json!([[0.0, 0.0], [3.0, -4.0]]));
    // JSON has no number for it.
    assert_eq!((&b["numbers"], &b["nans"]), (&json!([0.0, "NaN"]), &json!(1)));
    assert!(c.get("numbers").is_none() && c["min"].is_null() && c["nans"] == 99, "{c:#}");
    assert!(document["global_bytes"]["written"].is_u64(), "{document:#}");
}

#[test]
fn errors_have_labels_at_other_places() {
    write_programs();
    let ran = run(TILETC, &["compile", "types.ir", "--stats", "--json"], "");
    let error = &document(&ran)["diagnostics"][0];
    assert_eq!((&error["end_line"], &error["end_column"]), (&json!(2), &json!(26)), "{error:#}");
    let label = &error["labels"][0];
    assert_eq!((&label["file"], &label["line"]), (&json!("types.ir"), &json!(1)), "{error:#}");
    assert!(label["message"].is_string(), "{error:#}");
}

#[test]
fn links_and_tools_without_the_option_are_as_before() {
    write_programs();
    let link = folder().join("tinytc");
    let _ = std::fs::remove_file(&link);
    symlink(TILETC, &link).unwrap();
    let ran = run(&link, &["--nonsense", "--json"], "");
    assert_eq!(ran.code, 255);
    document(&ran);
    run(env!("CARGO_BIN_EXE_tiletc-opt"), &["--json"], "").failed(2, &["unexpected argument '--json'"]);
    // It is the program's name here.
    run(TILETC, &["compile", "-S", "--", "--json"], "").failed(1, &["cannot read `--json`"]);
}
