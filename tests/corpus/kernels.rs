//! The kernels of the corpus: linear algebra over types, transposes and shapes, products of cooperative matrices,
//! and the programs of the filetests that have a compiled form.

use std::fs;
use std::path::Path;

/// Name and text of every kernel.
pub fn all() -> Vec<(String, String)> {
    let mut kernels = Vec::new();
    products(&mut kernels);
    vectors(&mut kernels);
    maps(&mut kernels);
    cooperative_matrices(&mut kernels);
    for folder in ["cpp-examples/matrix_chain", "tests/filetests/kernels", "tests/filetests/language"] {
        files(folder, &mut kernels);
    }
    kernels
}

type Kernels = Vec<(String, String)>;

/// Element types with, for each, the type of the sums.
const NUMBERS: [(&str, &str); 8] = [
    ("f16", "f16"),
    ("f16", "f32"),
    ("bf16", "f32"),
    ("f32", "f32"),
    ("f64", "f64"),
    ("i8", "i32"),
    ("i32", "i32"),
    ("c32", "c32"),
];

/// Rows, columns and inner extent of a product.
const SHAPES: [[&str; 3]; 5] =
    [["8", "8", "8"], ["32", "32", "32"], ["56", "9", "56"], ["33", "17", "5"], ["?", "?", "?"]];

fn products(kernels: &mut Kernels) {
    for (element, sum) in NUMBERS {
        for [m, n, k] in SHAPES {
            for (ta, tb) in [("n", "n"), ("n", "t"), ("t", "n"), ("t", "t")] {
                let a = if ta == "n" { format!("{m}x{k}") } else { format!("{k}x{m}") };
                let b = if tb == "n" { format!("{k}x{n}") } else { format!("{n}x{k}") };
                let text = format!(
                    "func @f(%alpha: {sum}, %beta: {sum}, %A: memref<{element}x{a}>, %B: memref<{element}x{b}>, \
                     %C: memref<{sum}x{m}x{n}>) {{\n    gemm.{ta}.{tb} %alpha, %A, %B, %beta, %C\n}}\n"
                );
                let shape = format!("{m}x{n}x{k}").replace('?', "d");
                kernels.push((format!("gemm_{ta}{tb}_{element}_{sum}_{shape}"), text));
            }
        }
    }
}

fn vectors(kernels: &mut Kernels) {
    for (element, _) in NUMBERS.iter().filter(|(element, sum)| element == sum) {
        for (m, n) in [("16", "16"), ("100", "37"), ("?", "?")] {
            let scalars = format!("%alpha: {element}, %beta: {element}");
            let shape = format!("{m}x{n}").replace('?', "d");
            let bodies = [
                (
                    "gemv",
                    format!(
                        "%A: memref<{element}x{m}x{n}>, %b: memref<{element}x{n}>, %c: memref<{element}x{m}>"
                    ),
                    "gemv %alpha, %A, %b, %beta, %c",
                ),
                (
                    "gemv_t",
                    format!(
                        "%A: memref<{element}x{n}x{m}>, %b: memref<{element}x{n}>, %c: memref<{element}x{m}>"
                    ),
                    "gemv.t %alpha, %A, %b, %beta, %c",
                ),
                (
                    "ger",
                    format!(
                        "%a: memref<{element}x{m}>, %b: memref<{element}x{n}>, %C: memref<{element}x{m}x{n}>"
                    ),
                    "ger %alpha, %a, %b, %beta, %C",
                ),
                (
                    "sum",
                    format!("%A: memref<{element}x{m}x{n}>, %b: memref<{element}x{m}>"),
                    "sum %alpha, %A, %beta, %b",
                ),
                (
                    "sum_t",
                    format!("%A: memref<{element}x{n}x{m}>, %b: memref<{element}x{m}>"),
                    "sum.t %alpha, %A, %beta, %b",
                ),
            ];
            for (name, parameters, body) in bodies {
                let text = format!("func @f({scalars}, {parameters}) {{\n    {body}\n}}\n");
                kernels.push((format!("{name}_{element}_{shape}"), text));
            }
        }
    }
}

fn maps(kernels: &mut Kernels) {
    for (element, _) in NUMBERS.iter().filter(|(element, sum)| element == sum) {
        for (m, n) in [("64", "9"), ("?", "?")] {
            let shape = format!("{m}x{n}").replace('?', "d");
            let parameters = format!(
                "%alpha: {element}, %beta: {element}, %A: memref<{element}x{m}x{n}>, %B: memref<{element}x{m}x{n}>, \
                 %C: memref<{element}x{m}x{n}>"
            );
            for (name, body) in [
                ("axpby", "axpby %alpha, %A, %beta, %B"),
                ("hadamard", "hadamard %alpha, %A, %B, %beta, %C"),
                ("cumsum_0", "cumsum %alpha, %A, 0, %beta, %B"),
                ("cumsum_1", "cumsum %alpha, %A, 1, %beta, %B"),
                ("axpby_atomic", "axpby.atomic %alpha, %A, %beta, %B"),
            ] {
                let text = format!("func @f({parameters}) {{\n    {body}\n}}\n");
                kernels.push((format!("{name}_{element}_{shape}"), text));
            }
        }
    }
}

fn cooperative_matrices(kernels: &mut Kernels) {
    for (element, sum) in NUMBERS {
        for (rows, cols, depth) in [(16, 8, 8), (32, 16, 16)] {
            for checked in ["", ".both_checked"] {
                let (a, b, c) = (
                    format!("coopmatrix<{element}x{rows}x{depth},matrix_a>"),
                    format!("coopmatrix<{element}x{depth}x{cols},matrix_b>"),
                    format!("coopmatrix<{sum}x{rows}x{cols},matrix_acc>"),
                );
                let text = format!(
                    "func @f(%A: memref<{element}x?x?>, %B: memref<{element}x?x?>, %C: memref<{sum}x?x?>) \
                     attributes{{subgroup_size=16}} {{\n    parallel {{\n        %z = constant 0 : index\n        \
                     %k = constant {depth} : index\n        %n = size %A[1] : index\n        %0 = cooperative_matrix_load\
                     {checked} %C[%z,%z] : {c}\n        %r = for %i=%z,%n,%k init(%acc=%0) -> ({c}) {{\n            \
                     %a = cooperative_matrix_load{checked} %A[%z,%i] : {a}\n            %b = cooperative_matrix_load.t\
                     {checked} %B[%z,%i] : {b}\n            %d = cooperative_matrix_mul_add %a, %b, %acc : {c}\n            \
                     yield (%d)\n        }}\n        cooperative_matrix_store{checked} %r, %C[%z,%z]\n    }}\n}}\n"
                );
                kernels.push((format!("coopmatrix_{element}_{sum}_{rows}x{cols}x{depth}{checked}"), text));
            }
        }
    }
}

/// The programs of a folder.
fn files(folder: &str, kernels: &mut Kernels) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|kind| kind == "ir"));
    paths.sort();
    for path in paths {
        let parts = [path.parent().unwrap().file_name(), path.file_stem()];
        let name = parts.map(|part| part.unwrap().to_string_lossy()).join("/");
        // Texts with other bytes than UTF-8 are about the lexer.
        if let Ok(text) = String::from_utf8(fs::read(&path).unwrap()) {
            kernels.push((name, text));
        }
    }
}
