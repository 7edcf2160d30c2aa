//! Symbols that the libraries export, declarations of the headers, and the ABI.

use super::declarations::{Item, of_the_headers};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

type Names = BTreeSet<String>;

/// The library that cargo built together with this test, shared or static.
pub fn library(extension: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().join("libtiletc").with_extension(extension)
}

/// Output of the linker's own tool for a file.
fn run(command: &mut Command) -> String {
    let output = command.output().expect("nm and readelf come with the linker");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn readelf(arguments: &[&str], file: &Path) -> String {
    run(Command::new("readelf").args(arguments).arg(file))
}

/// The global symbols of the shared library.
fn exported() -> Names {
    let text = run(Command::new("nm").args(["-D", "--defined-only"]).arg(library("so")));
    text.lines().filter_map(|line| line.split_whitespace().last()).map(str::to_owned).collect()
}

/// The functions that the headers declare.
fn declared() -> Names {
    let functions = of_the_headers().into_iter().filter_map(|item| match item {
        Item::Function(name, _) => Some(name),
        _ => None,
    });
    functions.collect()
}

#[test]
fn exports_are_declared_and_declarations_are_exported() {
    assert_eq!(exported(), declared());
}

#[test]
fn each_incompatible_version_of_the_shared_library_has_its_name() {
    let text = readelf(&["-d"], &library("so"));
    let soname = text.split_once("soname: [").and_then(|(_, rest)| rest.split(']').next());
    // Each minor version before 1.0 may change the interface.
    let expected = match env!("CARGO_PKG_VERSION_MAJOR") {
        "0" => concat!("libtiletc.so.0.", env!("CARGO_PKG_VERSION_MINOR")),
        _ => concat!("libtiletc.so.", env!("CARGO_PKG_VERSION_MAJOR")),
    };
    assert_eq!(soname, Some(expected));
}

/// A static library also shows the names of Rust's own libraries, which nobody can hide: this one, and names that
/// begin with an underscore, which C leaves to implementations.
const OF_RUST: &str = "rust_eh_personality";

#[test]
fn the_static_library_offers_c_the_same_names() {
    let text = readelf(&["-s", "-W"], &library("a"));
    let names = text.lines().filter_map(|line| {
        // Number, value, size, type, binding, visibility, section, name
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_defined = |section: &str| section != "UND";
        match words.as_slice() {
            [_, _, _, _, "GLOBAL" | "WEAK", "DEFAULT", section, name] if is_defined(section) => Some(*name),
            _ => None,
        }
    });
    let names: Names =
        names.filter(|name| !name.starts_with('_') && *name != OF_RUST).map(str::to_owned).collect();
    assert_eq!(names, declared());
}

/// Functions that tinytc's interface has no counterpart of.
const BEYOND_TINYTC: [&str; 53] = [
    "tiletc_arg_kind_to_string",
    "tiletc_bench",
    "tiletc_bench_summarize",
    "tiletc_boundary_to_string",
    "tiletc_cl_check_args",
    "tiletc_cl_get_launch_plan",
    "tiletc_cl_kernel_create",
    "tiletc_cl_object_to_string",
    "tiletc_cl_prepare_launch",
    "tiletc_cl_release",
    "tiletc_cl_retain",
    "tiletc_cl_set_args",
    "tiletc_cl_submit",
    "tiletc_compiler_context_get_cache_counters",
    "tiletc_compiler_context_set_cache",
    "tiletc_compiler_context_set_keep_lines",
    "tiletc_compiler_context_set_keep_names",
    "tiletc_core_info_is_same_family",
    "tiletc_f8e4m3_type_get",
    "tiletc_f8e5m2_type_get",
    "tiletc_get_error_message",
    "tiletc_i4_type_get",
    "tiletc_launch_op_to_string",
    "tiletc_log_level_to_string",
    "tiletc_recipe_handler_create_with_callbacks",
    "tiletc_recipe_handler_get_user_data",
    "tiletc_set_log_callback",
    "tiletc_swizzled_type_get",
    "tiletc_tile_order_to_string",
    "tiletc_tile_type_get",
    "tiletc_tuner_add_config",
    "tiletc_tuner_compare",
    "tiletc_tuner_create",
    "tiletc_tuner_fail",
    "tiletc_tuner_find_case",
    "tiletc_tuner_finish",
    "tiletc_tuner_get_config",
    "tiletc_tuner_get_kernel_name",
    "tiletc_tuner_get_written_size",
    "tiletc_tuner_record",
    "tiletc_tuner_release",
    "tiletc_tuner_report",
    "tiletc_tuner_retain",
    "tiletc_tuner_set_key",
    "tiletc_tuning_load",
    "tiletc_tuning_load_from_memory",
    "tiletc_ze_check_args",
    "tiletc_ze_get_launch_plan",
    "tiletc_ze_kernel_bundle_destroy",
    "tiletc_ze_kernel_destroy",
    "tiletc_ze_prepare_launch",
    "tiletc_ze_set_args",
    "tiletc_ze_submit",
];

#[test]
fn only_names_of_the_abi_are_exported() {
    let abi: Names = include_str!("symbols.txt").lines().map(str::to_owned).collect();
    assert_eq!(abi.len(), 250);
    // Constructors of instructions that tinytc does not have follow from the declarations of these.
    let constructors: Names = tiletc::ffi::builder::prototypes().map(|prototype| prototype.name).collect();
    let others: Vec<String> =
        exported().difference(&abi).filter(|name| !constructors.contains(*name)).cloned().collect();
    assert_eq!(others, BEYOND_TINYTC);
}

/// Checks that macros are in capitals, since any other might be a name of a program's own.
#[test]
fn the_headers_define_macros_in_capitals_only() {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let mut number = 0;
    for folder in ["tiletc", "tinytc"] {
        for entry in std::fs::read_dir(include.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let directives = text.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
            for definition in directives.filter_map(|line| line.trim_start().strip_prefix("define ")) {
                let name = definition.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
                assert!(!name.contains(char::is_lowercase), "{}: {name}", path.display());
                number += 1;
            }
        }
    }
    assert!(number > 100, "{number} macros");
}
