//! `tiletc compile --native`: what Intel's offline compiler is asked for and what becomes of its answer.
//!
//! The script that `TILETC_IGC` names runs the real one; without it that test is skipped.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::print_stderr)]

#[path = "../../tests/skip/mod.rs"]
mod skip;

use skip::skip;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const TILETC: &str = env!("CARGO_BIN_EXE_tiletc");
const KERNEL: &str = "cpp-examples/matrix_chain/fused_kernel.ir";

/// A folder of the test's own.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("native").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A shell script in the place of ocloc.
fn script(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("ocloc");
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).unwrap();
    path
}

/// Compiles the matrix chain for pvc to a native binary on standard output.
fn compile(ocloc: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(TILETC);
    command.args(["compile", KERNEL, "--native", "pvc"]).args(arguments).env("TILETC_OCLOC", ocloc);
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).output().unwrap()
}

/// The module that goes to ocloc.
fn module(arguments: &[&str]) -> Vec<u8> {
    let mut command = Command::new(TILETC);
    command
        .args(["compile", KERNEL, "-d", "pvc"])
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let output = command.output().unwrap();
    assert!(output.status.success());
    output.stdout
}

/// Fails unless the tool ended with the code, wrote no binary, and said all these words.
#[track_caller]
fn failed(output: &Output, code: i32, words: &[&str]) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(code), b"".as_slice()), "{errors}");
    for word in words {
        assert!(errors.contains(word), "{word:?} is not in {errors}");
    }
}

/// Writes its arguments, a line each, and hands out the module as the binary.
const ECHO: &str = r#"
here=$(dirname "$0")
printf '%s\n' "$@" > "$here/arguments"
while [ $# -gt 0 ]; do
    case $1 in
        -file) source=$2 ;;
        -output) name=$2 ;;
        -out_dir) folder=$2 ;;
    esac
    shift
done
cp "$source" "$folder/$name.bin"
echo "Build succeeded."
echo "warning: of no interest" >&2"#;

#[test]
fn ocloc_is_told_what_to_make() {
    let folder = folder("arguments");
    let ocloc = script(&folder, ECHO);
    let mut folders = Vec::new();
    for (features, options) in
        [(&[][..], ""), (&["-F", "large-register-file"], "-options\n-cl-intel-256-GRF-per-thread\n")]
    {
        let output = compile(&ocloc, features);
        assert!(output.status.success());
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert!(output.stdout == module(features));
        let arguments = std::fs::read_to_string(folder.join("arguments")).unwrap();
        let place = arguments.split('\n').nth(10).unwrap().to_owned();
        let expected = format!(
            "compile\n-spirv_input\n-device\npvc\n-file\n{place}/kernel.spv\n-output\nkernel\n\
             -output_no_suffix\n-out_dir\n{place}\n{options}"
        );
        assert_eq!(arguments, expected);
        folders.push(place);
    }
    // Each run has a folder of its own and leaves nothing behind.
    assert_ne!(folders[0], folders[1]);
    assert!(folders.iter().all(|folder| !Path::new(folder).exists()), "{folders:?}");

    let file = folder.join("kernel.bin");
    let output = compile(&ocloc, &["-o", file.to_str().unwrap()]);
    assert!(output.status.success() && output.stdout.is_empty());
    assert!(std::fs::read(file).unwrap() == module(&[]));
}

#[test]
fn ocloc_is_found_on_the_path() {
    let folder = folder("path");
    script(&folder, ECHO);
    let path = [folder.clone().into_os_string(), std::env::var_os("PATH").unwrap()].join(":".as_ref());
    let mut command = Command::new(TILETC);
    command.args([KERNEL, "--native", "bmg"]).env("PATH", path);
    command.env_remove("TILETC_OCLOC").env_remove("TILETC_IGC").env("XDG_CACHE_HOME", &folder);
    let output = command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).output().unwrap();
    assert!(output.status.success() && !output.stdout.is_empty());
    assert!(std::fs::read_to_string(folder.join("arguments")).unwrap().contains("\nbmg\n"));
}

#[test]
fn failures_are_explained() {
    let folder = folder("failures");
    let missing = folder.join("no-such-ocloc");
    failed(&compile(&missing, &[]), 1, &["no-such-ocloc", "which TILETC_OCLOC names", "Error (4): "]);
    let no_program = folder.join("text");
    std::fs::write(&no_program, "text").unwrap();
    failed(&compile(&no_program, &[]), 1, &["cannot run `", "text`: ", "Error (4): "]);
    let refuses = script(&folder, "echo told; echo complained >&2; exit 223");
    failed(
        &compile(&refuses, &[]),
        1,
        &["told", "complained", "ocloc failed for `pvc`", "223", "Error (4): "],
    );
    for nothing in ["exit 0", "while [ \"$1\" != -out_dir ]; do shift; done; : > \"$2/kernel.bin\""] {
        let silent = script(&folder, nothing);
        failed(&compile(&silent, &[]), 1, &["ocloc wrote no binary for `pvc`", "Error (4): "]);
    }
    for arguments in [&["-d", "bmg"][..], &["-S"]] {
        failed(&compile(&missing, arguments), 2, &["--native"]);
    }
    let unknown = Command::new(TILETC).args([KERNEL, "--native", "nonsense"]).output().unwrap();
    failed(&unknown, 2, &["unknown device `nonsense`", "Error (2): "]);
}

#[test]
fn the_real_ocloc_makes_binaries_of_our_modules() {
    let Some(igc) = std::env::var_os("TILETC_IGC").filter(|script| Path::new(script).exists()) else {
        skip("TILETC_IGC does not name the script of Intel's offline compiler");
        return;
    };
    let folder = folder("real");
    let ocloc = script(&folder, &format!("exec '{}' ocloc \"$@\"", igc.to_string_lossy()));
    for (features, registers) in [(&[][..], "128"), (&["-F", "large-register-file"], "256")] {
        let output = compile(&ocloc, features);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let binary = output.stdout;
        // An ELF file for Intel's GPUs, in which the driver reads what the kernel needs.
        assert_eq!((&binary[..4], &binary[18..20]), (b"\x7fELF".as_slice(), [205, 0].as_slice()));
        let text = String::from_utf8_lossy(&binary);
        let count = text.split("grf_count:").nth(1).and_then(|rest| rest.split_whitespace().next());
        assert_eq!(count, Some(registers));
        assert!(text.contains("fused_kernel"));
    }
}
