//! `tiletc compile --explain`: text and JSON.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::io::Write as _;
use std::process::{Command, Stdio};

const PRODUCTS: &str =
    "func @large(%A: memref<bf16x256x4096>, %B: memref<bf16x4096x256>, %C: memref<f32x256x256>) {
    %one = constant 1.0 : bf16
    %zero = constant 0.0 : f32
    gemm.n.n %one, %A, %B, %zero, %C
}
func @unaligned(%A: memref<bf16x64x64,strided<1,?>>, %B: memref<bf16x64x64>, %C: memref<f32x64x64>) {
    %one = constant 1.0 : bf16
    %zero = constant 0.0 : f32
    gemm.n.n %one, %A, %B, %zero, %C
}
func @vector(%A: memref<f32x?x9>, %B: memref<f32x9x9>, %C: memref<f32x?x9>) {
    %one = constant 1.0 : f32
    gemm.n.t %one, %A, %B, %one, %C
}
";

/// The explanation of the products on a device.
fn explain(arguments: &[&str]) -> String {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_tiletc"));
    tool.args(["compile", "--explain"]).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut tool = tool.spawn().unwrap();
    tool.stdin.take().unwrap().write_all(PRODUCTS.as_bytes()).unwrap();
    let output = tool.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_choice_and_its_reasons_are_shown() {
    let text = explain(&["-d", "pvc"]);
    for part in [
        "@large on pvc\n    subgroups of 16, work-groups of 128x4 (8x4 subgroups), 256 registers\n",
        "    line 4: gemm.n.n 256x256x4096, bf16 and bf16, sums in f32\n",
        "back end dpas, register block 32x64, k-steps 64, 16, prefetch 2 steps ahead\n",
        "of 256 registers 128 hold accumulators; the factors of a whole step would fill 192\n",
        "a step loads 12288 bytes for 131072 multiply-adds\n",
        "load A bf16x32x64, 1 times: 2D block, transform\n",
        "per lane, since shape or stride are known at run time only\n",
        "@vector on pvc\n    subgroups of 16, ",
        "gemm.n.t ?x9x9, f32 and f32, sums in f32\n",
        "back end vector, ",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    // Without 2D blocks, and in narrower registers.
    let text = explain(&["-d", "dg2"]);
    assert!(text.contains("@large on dg2\n    subgroups of 8, "), "{text}");
    assert!(text.contains("since the device has no 2D block messages for this subgroup size\n"), "{text}");
}

#[test]
fn programs_can_read_it() {
    let text = explain(&["-d", "pvc", "--json"]);
    for part in [
        "{\"device\": \"pvc\", \"functions\": [{\"function\": \"large\", \"subgroup_size\": 16, \
         \"work_group_size\": [128, 4], \"grf_size\": 256, \"products\": [{\"line\": 4, \
         \"extents\": [256, 256, 4096], \"transposes\": [\"n\", \"n\"], \"types\": [\"bf16\", \"bf16\", \"f32\"], \
         \"backend\": \"dpas\", \"register_block\": [32, 64], \"k_steps\": [64, 16], \"prefetch_distance\": 2, ",
        "\"extents\": [null, 9, 9]",
        "\"form\": \"2D block, transform\", \"reason\": null, \"count\": 1}",
        "\"reason\": \"shape or stride are known at run time only\"",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    // Brackets close in the order in which they open.
    let mut open = Vec::new();
    let mut in_string = false;
    for character in text.chars() {
        match character {
            '"' => in_string = !in_string,
            '{' | '[' if !in_string => open.push(character),
            '}' if !in_string => assert_eq!(open.pop(), Some('{')),
            ']' if !in_string => assert_eq!(open.pop(), Some('[')),
            _ => {}
        }
    }
    assert!(open.is_empty() && !in_string);
}
