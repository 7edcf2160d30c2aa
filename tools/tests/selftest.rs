//! `tiletc selftest`: devices that do what they claim pass, and each defect is found and named.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use serde_json::Value;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use virtual_xe::Defect;

#[path = "../../tests/skip/mod.rs"]
mod skip;
#[path = "common/tool.rs"]
mod tool;

use tool::{Outcome, run};

const TILETC: &str = env!("CARGO_BIN_EXE_tiletc");

fn selftest(arguments: &[&str]) -> Outcome {
    run(TILETC, &[&["selftest"], arguments].concat(), "")
}

fn document(outcome: &Outcome) -> Value {
    serde_json::from_str(outcome.text()).unwrap_or_else(|error| panic!("{error}: {}", outcome.text()))
}

/// The members of the document that say what was found of each class.
fn found(document: &Value) -> Vec<(&str, &str)> {
    let classes = document["classes"].as_array().unwrap().iter();
    classes.map(|class| (class["class"].as_str().unwrap(), class["found"].as_str().unwrap())).collect()
}

/// All classes of the device pass in full, and none is tested by modules that do not use it.
#[track_caller]
fn passes(device: &str, absent: &[&str]) {
    let outcome = selftest(&["--device", device, "--json"]).succeeded();
    let document = document(&outcome);
    for (class, found) in found(&document) {
        let expected = if absent.contains(&class) { "not claimed" } else { "works" };
        assert_eq!(found, expected, "{class} of {device}");
    }
    for class in document["classes"].as_array().unwrap() {
        assert_eq!(class["passed"], class["cases"], "{class}");
        assert_eq!(class["unused"], 0, "{class}");
        assert_eq!(class["failures"].as_array().map(Vec::len), Some(0), "{class}");
        assert!(class["advice"].is_null(), "{class}");
    }
}

#[test]
fn ponte_vecchio_passes() {
    passes("virtual:pvc", &["cooperative_matrix"]);
}

#[test]
fn battlemage_passes() {
    passes("virtual:bmg", &["cooperative_matrix"]);
}

const BLOCKS_2D: [&str; 5] =
    ["block2d", "block2d_transpose", "block2d_store", "block2d_transform", "block2d_prefetch"];

#[test]
fn alchemist_passes() {
    passes("virtual:dg2", &[&["cooperative_matrix", "tf32"], &BLOCKS_2D[..]].concat());
}

#[test]
fn arrow_lake_passes_through_cooperative_matrices() {
    let outcome =
        selftest(&["--device", "virtual:arl-h", "--class", "cooperative_matrix", "--json"]).succeeded();
    assert_eq!(found(&document(&outcome)), [("cooperative_matrix", "works")]);
    let outcome = selftest(&["--device", "virtual:arl-h", "--class", "matrix_engine", "--json"]).succeeded();
    let document = document(&outcome);
    assert_eq!(found(&document), [("matrix_engine", "not used")]);
    assert_eq!(document["avoided"], serde_json::json!(["subgroup_mma"]));
}

#[test]
fn a_device_of_opencl_passes_what_it_claims() {
    let arguments = ["--device", "opencl", "--class", "barrier", "--class", "graph", "--json"];
    let outcome = selftest(&arguments);
    let has_none = ["there is no device", "no driver", "libOpenCL", "cannot load"];
    if outcome.code != 0 && has_none.iter().any(|words| outcome.errors.contains(words)) {
        return skip::skip(outcome.errors);
    }
    let outcome = outcome.succeeded();
    let document = document(&outcome);
    // A driver need not record launches.
    let [barrier, ("graph", "works" | "not claimed")] = found(&document)[..] else { panic!("{document}") };
    assert_eq!(barrier, ("barrier", "works"));
    assert_eq!(document["device"], "opencl");
    assert_eq!(document["measurements"].as_array().map(Vec::len), Some(0));
}

/// Runs the tool with libraries from a folder of this name, which are links.
fn with_libraries(name: &str, libraries: &[(&str, &Path)], arguments: &[&str]) -> Outcome {
    let folder = tool::folder().join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    for (library, target) in libraries {
        symlink(target, folder.join(library)).unwrap();
    }
    let mut command = Command::new(TILETC);
    command.arg("selftest").args(arguments).env("LD_LIBRARY_PATH", folder).env("VIRTUAL_XE_DEVICE", "pvc");
    tool::outcome(&mut command, "")
}

#[test]
fn the_first_device_of_level_zero_is_tested_in_processes_of_its_own() {
    let driver = std::env::current_exe().unwrap().with_file_name("libvirtual_xe_level_zero.so");
    if !driver.exists() {
        return skip::skip("virtual-xe's driver has not been built");
    }
    let classes = ["tf32", "large_offset", "graph"];
    let arguments = [&classes.map(|class| ["--class", class]).concat()[..], &["--json"]].concat();
    let outcome = with_libraries("level-zero", &[("libze_loader.so.1", &driver)], &arguments).succeeded();
    let document = document(&outcome);
    assert_eq!(document["device"], "level_zero");
    assert!(document["driver"].as_str().unwrap().starts_with("Level Zero "));
    assert_eq!(found(&document), classes.map(|class| (class, "works")));
}

#[test]
fn a_machine_without_devices_is_told_of_virtual_ones() {
    let nothing = Path::new("/dev/null");
    let names = ["libOpenCL.so.1", "libOpenCL.so", "libze_loader.so.1", "libze_loader.so"];
    let libraries = names.map(|name| (name, nothing));
    with_libraries("none", &libraries, &[]).failed(2, &["there is no device", "--device virtual:pvc"]);
    let named = with_libraries("opencl", &libraries, &["--device", "opencl"]);
    named.failed(1, &["libOpenCL"]);
}

/// The class that each defect shows in.
const DEFECTS: [(Defect, &str); 26] = [
    (Defect::MissingBlock2d, "block2d"),
    (Defect::MissingFloatAtomics, "atomic_float"),
    (Defect::Block2dRepeatsEdge, "block2d"),
    (Defect::Block2dExchangesBlocks, "block2d_transform"),
    (Defect::TransposeAsWritten, "block2d_transpose"),
    (Defect::TransformExchangesPairs, "block2d_transform"),
    (Defect::Block2dStoreUnclipped, "block2d_store"),
    (Defect::PrefetchRefused, "block2d_prefetch"),
    (Defect::Block1dMisplaced, "block1d"),
    (Defect::BarrierIgnored, "barrier"),
    (Defect::SplitBarrierIgnored, "split_barrier"),
    (Defect::EngineRowsExchanged, "matrix_engine"),
    (Defect::EngineRepeatsFour, "matrix_engine"),
    (Defect::EngineBytesUnsigned, "matrix_engine"),
    (Defect::EngineSumsNarrow, "matrix_engine"),
    (Defect::Tf32Truncated, "tf32"),
    (Defect::Bf16Truncated, "bf16_conversion"),
    (Defect::LocalMemoryWraps, "local_memory"),
    (Defect::AtomicUpdateLost, "atomic"),
    (Defect::Offsets32, "large_offset"),
    (Defect::ReduceLosesLane, "subgroup"),
    (Defect::BroadcastFromNext, "subgroup"),
    (Defect::SubgroupSizeIgnored, "groups"),
    (Defect::GroupIdFlat, "groups"),
    (Defect::LargeRegisterFileRefused, "large_register_file"),
    (Defect::ReplayLost, "graph"),
];

/// Classes that the compiler can be told to do without, and the words for that.
const AVOIDABLE: [(&str, &str); 11] = [
    ("block1d", "block1d"),
    ("block2d", "block2d"),
    ("block2d_transpose", "block2d_transpose"),
    ("block2d_transform", "block2d_transform"),
    ("block2d_store", "block2d_store"),
    ("block2d_prefetch", "block2d_prefetch"),
    ("split_barrier", "split_barrier"),
    ("matrix_engine", "matrix_engine"),
    ("tf32", "tf32_rounding"),
    ("bf16_conversion", "bfloat16_conversion"),
    ("large_register_file", "large_register_file"),
];

/// Nothing that kernels still do fails once they are told to do without the class.
fn avoided(defect: Defect, class: &str, avoidance: &str) {
    let mut tool = std::process::Command::new(TILETC);
    tool.args(["selftest", "--device", "virtual:pvc", "--defect", defect.name(), "--class", class]);
    let output = tool.env("TILETC_AVOID", avoidance).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{defect:?} without {avoidance}: {text}");
    let line = text.lines().find(|line| line.starts_with(&format!("{class} "))).unwrap();
    assert!(line.contains(" not used "), "{defect:?} without {avoidance}: {text}");
}

#[test]
fn each_defect_is_found_and_named() {
    for defect in Defect::ALL {
        assert!(DEFECTS.iter().any(|(tested, _)| tested == defect), "{defect:?} has no class");
    }
    for (defect, class) in DEFECTS {
        let outcome =
            selftest(&["--device", "virtual:pvc", "--defect", defect.name(), "--class", class, "--json"]);
        assert_eq!(outcome.code, 1, "{defect:?}: {}", outcome.errors);
        assert!(outcome.errors.contains(&format!("{class} fails")), "{defect:?}: {}", outcome.errors);
        let document = document(&outcome);
        assert_eq!(found(&document), [(class, "fails")], "{defect:?}");
        let advice = document["classes"][0]["advice"].as_str().unwrap();
        match AVOIDABLE.iter().find(|(avoidable, _)| *avoidable == class) {
            Some((_, avoidance)) => {
                assert_eq!(advice, format!("set TILETC_AVOID={avoidance}"), "{defect:?}");
                avoided(defect, class, avoidance);
            }
            None => assert!(advice.contains("renew the driver"), "{defect:?}: {advice}"),
        }
        let failure = &document["classes"][0]["failures"][0];
        assert!(failure["case"].is_string() && failure["reason"].is_string(), "{failure}");
    }
}

#[test]
fn a_whole_run_names_the_class_of_a_defect() {
    // A third of them, for the time that it takes.
    for (defect, class) in DEFECTS.into_iter().step_by(3) {
        let outcome = selftest(&["--device", "virtual:pvc", "--defect", defect.name()]);
        assert_eq!(outcome.code, 1, "{defect:?}: {}", outcome.errors);
        let (named, _) = outcome.errors.split_once(" fail").unwrap();
        assert!(named.split(", ").any(|named| named == class), "{defect:?}: {}", outcome.errors);
    }
}

#[test]
fn classes_that_fail_with_another_one_say_so() {
    let arguments = ["matrix_engine", "tf32", "block2d_store"].map(|class| ["--class", class]).concat();
    let device = ["--device", "virtual:pvc", "--defect", "engine-rows-exchanged"];
    let outcome = selftest(&[&device[..], &arguments].concat());
    assert_eq!(outcome.code, 1);
    let message = "matrix_engine fails, and with that tf32; set TILETC_AVOID=matrix_engine\n";
    assert!(outcome.errors.starts_with(message), "{}", outcome.errors);
    let text = outcome.text();
    assert!(text.contains("\ntf32 fails: first see to matrix_engine, which it uses\n"), "{text}");
    assert!(text.contains("\nmatrix_engine fails: set TILETC_AVOID=matrix_engine\n"), "{text}");
    assert!(text.contains("more; -v shows all\n"), "{text}");
    assert!(!text.contains("block2d_store fails"), "{text}");
    let outcome = selftest(&[&device[..], &arguments, &["-v"]].concat());
    assert!(!outcome.text().contains("-v shows all"), "{}", outcome.text());
}

#[test]
fn the_document_describes_device_and_classes() {
    let outcome = selftest(&["--device", "virtual:pvc", "--class", "bf16_conversion", "--json"]).succeeded();
    let document = document(&outcome);
    assert_eq!(document["device"], "virtual:pvc");
    assert_eq!(document["name"], "pvc");
    assert!(document["driver"].as_str().unwrap().starts_with("virtual-xe "));
    assert!(document["version"].as_str().unwrap().starts_with(env!("CARGO_PKG_VERSION")));
    assert!(document["seconds"].is_number());
    assert!(document["features"].as_array().unwrap().contains(&"subgroup_mma".into()));
    let class = &document["classes"][0];
    assert_eq!(class["class"], "bf16_conversion");
    assert_eq!(class["claimed"], true);
    assert_eq!(class["cases"], 4);
    assert_eq!(document["status"]["code"], 0);
}

#[test]
fn the_list_has_at_least_three_hundred_cases() {
    let outcome = selftest(&["--device", "virtual:pvc", "--list", "--json"]).succeeded();
    let document = document(&outcome);
    let classes = document["classes"].as_array().unwrap();
    let mut names = std::collections::HashSet::new();
    for class in classes {
        for case in class["cases"].as_array().unwrap() {
            assert!(names.insert((class["class"].to_string(), case.to_string())), "{case} is there twice");
        }
    }
    assert!(names.len() >= 300, "{} cases", names.len());
    let outcome = selftest(&["--device", "virtual:pvc", "--list"]).succeeded();
    assert!(outcome.text().starts_with("class"), "{}", outcome.text());
}

#[test]
fn command_lines_that_make_no_sense_are_refused() {
    let refused = |arguments: &[&str], word: &str| selftest(arguments).failed(2, &[word]);
    refused(&["--device", "cuda"], "a device is virtual:NAME");
    refused(&["--device", "virtual:pvd"], "there is no device virtual:pvd");
    refused(&["--device", "virtual:pvc", "--class", "dpas"], "the classes are numbers");
    refused(&["--device", "virtual:pvc", "--defect", "none"], "the defects are");
    refused(&["--device", "opencl", "--defect", "tf32-truncated"], "only virtual devices have defects");
    refused(&["--device", "opencl:x"], "is no number of a device");
}
