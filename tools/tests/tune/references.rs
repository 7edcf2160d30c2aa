//! `--reference`: results are compared with what is expected, within rounding errors.

use super::common::{Folder, Outcome, PRODUCT, arguments, product};
use std::fs;

/// Writes an array in column-major order as a file of NumPy's.
fn write(folder: &Folder, name: &str, ty: &str, shape: &str, bytes: &[u8]) {
    let header = format!("{{'descr': '{ty}', 'fortran_order': True, 'shape': ({shape}), }}\n");
    let length = u16::try_from(header.len()).unwrap().to_le_bytes();
    let file = [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), bytes].concat();
    fs::write(folder.path().join(name), file).unwrap();
}

fn write_f32(folder: &Folder, name: &str, shape: &str, numbers: &[f64]) {
    let bytes: Vec<u8> = numbers.iter().flat_map(|&number| (number as f32).to_le_bytes()).collect();
    write(folder, name, "<f4", shape, &bytes);
}

/// Numbers that no product of them is exact for, from -1 to 1.
fn numbers(count: u32, seed: u32) -> Vec<f64> {
    let number = |place: u32| f64::from((f64::from(place * 37 + seed).sin()) as f32);
    (0..count).map(number).collect()
}

/// A product of 48 × 32 numbers, each of 64 multiply-adds, whose factors lie in files; the result is in `c.npy`, with one number
/// moved by a share of the largest.
fn exact(share: f64) -> (Folder, Vec<String>) {
    let [m, n, k] = [48, 32, 64];
    let (text, _) = product("f32", "f32", [m, n, k]);
    let folder = Folder::new(&text);
    let (a, b) = (numbers((m * k) as u32, 1), numbers((k * n) as u32, 2));
    let sum = |place: usize| (0..k).map(|l| a[place % m + m * l] * b[l + k * (place / m)]).sum();
    let mut c: Vec<f64> = (0..m * n).map(sum).collect();
    let largest = c.iter().map(|number: &f64| number.abs()).fold(0.0, f64::max);
    c[5] += share * largest;
    for (name, numbers, rows, cols) in [("a", &a, m, k), ("b", &b, k, n), ("c", &c, m, n)] {
        write_f32(&folder, &format!("{name}.npy"), &format!("{rows}, {cols}, 1"), numbers);
    }
    let given = ["A=a.npy", "B=b.npy", "C=zeros:48x32x1"].map(str::to_owned);
    (folder, given.into_iter().flat_map(|value| ["--arg".to_owned(), value]).collect())
}

fn tune(folder: &Folder, given: &[String], more: &[&str]) -> Outcome {
    folder.tune(&[&["--model", "--all", "--table", "tuning.json"], more].concat(), given)
}

#[test]
fn results_agree_with_a_reference_within_rounding_errors() {
    // (64 + 3) roundings of f32 in the sum, two of the result, and one for each number of the arguments by those of the result.
    let bound = (69.0 + (48.0 * 64.0 + 64.0 * 32.0) / (48.0 * 32.0) + 1.0) / f64::from(1 << 24);
    let agrees = |share: f64, more: &[&str]| {
        let (folder, given) = exact(share);
        let outcome = tune(&folder, &given, &[&["--reference", "C=c.npy"], more].concat());
        (outcome, folder.table().exists())
    };
    let (found, is_kept) = agrees(0.0, &[]);
    assert_eq!(found.code, 0, "{}", found.errors);
    assert!(is_kept && !found.text.contains("wrong result"), "{}", found.text);
    let (found, _) = agrees(0.8 * bound, &[]);
    assert!(found.code == 0 && !found.text.contains("wrong result"), "{}", found.text);

    let (wrong, is_kept) = agrees(2.0 * bound, &[]);
    assert_eq!((wrong.code, wrong.text.as_str(), is_kept), (1, "", false), "{}", wrong.errors);
    for part in
        ["no config agrees with the reference; the nearest result: number 5 of %C", "4.4e-6 is allowed"]
    {
        assert!(wrong.errors.contains(part), "{part}: {}", wrong.errors);
    }
    let (tolerated, is_kept) = agrees(2.0 * bound, &["--tolerance", "1e-5"]);
    assert!(tolerated.code == 0 && is_kept, "{}", tolerated.errors);
    let (strict, _) = agrees(0.0, &["--tolerance", "0"]);
    assert!(strict.code == 1 && strict.errors.contains("where 0.0e0 is allowed"), "{}", strict.errors);
}

#[test]
fn sums_without_products_may_round_too() {
    let text = "func @sum(%X: memref<f32x256x3>, %S: memref<f32x3>) {
    %group = group_id.x : index
    %x = subview %X[0:256,%group] : memref<f32x256>
    %s = subview %S[%group] : memref<f32>
    sum.n 1.0, %x, 0.0, %s
}";
    let folder = Folder::new(text);
    let x = numbers(768, 1);
    let mut s: Vec<f64> = x.chunks(256).map(|column| column.iter().sum()).collect();
    write_f32(&folder, "x.npy", "256, 3", &x);
    let given = ["--arg", "x.npy", "--arg", "zeros"].map(str::to_owned);
    for (share, code) in [(0.0, 0), (200.0, 0), (400.0, 1)] {
        s[1] += share / f64::from(1 << 24) * s.iter().copied().map(f64::abs).fold(0.0, f64::max);
        write_f32(&folder, "s.npy", "3,", &s);
        let found = tune(&folder, &given, &["--groups", "3", "--reference", "S=s.npy"]);
        assert_eq!(found.code, code, "{share}: {}{}", found.text, found.errors);
    }
}

#[test]
fn the_reference_and_not_the_first_config_decides() {
    // The result tells the size of the subgroup. Attributes leave so few configs that all are tried.
    let text =
        "func @size(%A: memref<f32x32x32>, %B: memref<f32x32x32>, %C: memref<f32x32x32>, %R: memref<i32x1>)
    attributes{k_step=16, register_block=[16,16]} {
    %size = subgroup_size : i32
    store %size, %R[0]
    gemm.n.n 1.0, %A, %B, 0.0, %C
}";
    let given = ["--arg", "random", "--arg", "random", "--arg", "zeros", "--arg", "zeros"].map(str::to_owned);
    for [size, other] in [[16, 32], [32, 16]] {
        let folder = Folder::new(text);
        write(&folder, "r.npy", "<i4", "1,", &i32::to_le_bytes(size));
        let found = tune(&folder, &given, &["--groups", "1", "--reference", "R=r.npy"]);
        assert_eq!(found.code, 0, "{}", found.errors);
        let wrong = format!("wrong result: number 0 of %R is {other}, the reference has {size}: ");
        assert!(found.text.contains(&wrong), "{}", found.text);
        // The compiler's own choice is 16.
        let best = found.text.lines().find(|line| line.starts_with("attributes{"));
        let is_wide = best.is_some_and(|best| best.contains("subgroup_size=32"));
        assert_eq!(is_wide, size == 32, "{}", found.text);
    }
}

#[test]
fn configs_may_differ_from_each_other_within_rounding_errors() {
    // A number near 2^24 tells the size of the subgroup in its last digits.
    let folder = |extent: usize| {
        let [a, b, c] = ["A", "B", "C"].map(|name| format!("%{name}: memref<f32x{extent}x{extent}>"));
        Folder::new(&format!(
            "func @size({a}, {b}, {c}, %R: memref<f32x1>) attributes{{k_step=16, register_block=[16,16]}} {{
    %size = subgroup_size : i32
    %number = cast %size : f32
    %scaled = mul %number, 64.0
    %sum = add 16777216.0, %scaled
    store %sum, %R[0]
    gemm.n.n 1.0, %A, %B, 0.0, %C
}}"
        ))
    };
    let given = ["--arg", "random", "--arg", "random", "--arg", "zeros", "--arg", "zeros"].map(str::to_owned);
    let look = |folder: &Folder, more: &[&str], is_wrong: bool| {
        let found = tune(folder, &given, &[&["--groups", "1"], more].concat());
        let message = "wrong result: number 0 of %R is ";
        assert_eq!(found.text.contains(message), is_wrong, "{more:?}: {}{}", found.text, found.errors);
        assert_eq!(found.code, 0, "{}", found.errors);
    };
    // That it differs has a reason in 32³ multiply-adds, but not in 4³.
    let large = folder(32);
    write_f32(&large, "r.npy", "1,", &[16_777_216.0 + 64.0 * 16.0]);
    look(&large, &[], false);
    look(&large, &["--tolerance", "0"], true);
    look(&large, &["--reference", "R=r.npy"], false);
    look(&folder(4), &[], true);
}

#[test]
fn references_that_fit_nothing_are_refused() {
    let folder = Folder::new(PRODUCT);
    write_f32(&folder, "q.npy", "24, 9, 2", &[0.0; 24 * 9 * 2]);
    write_f32(&folder, "small.npy", "24, 9", &[0.0; 24 * 9]);
    write(&folder, "long.npy", "<f8", "24, 9, 2", &[0; 8 * 24 * 9 * 2]);
    fs::write(folder.path().join("text.npy"), "text").unwrap();
    let refused = |references: &[&str], code: i32, message: &str| {
        let options: Vec<&str> = references.iter().flat_map(|reference| ["--reference", reference]).collect();
        let outcome = tune(&folder, &arguments(24, 2), &options);
        assert_eq!(outcome.code, code, "{references:?}: {}", outcome.errors);
        assert!(outcome.errors.contains(message), "{references:?}: {}", outcome.errors);
        assert!(outcome.text.is_empty() && !folder.table().exists(), "{references:?}");
    };
    refused(&["Q=small.npy"], 2, "`small.npy` has the shape 24x9, but %Q is given 24x9x2");
    refused(&["Q=long.npy"], 2, "`long.npy` holds `<f8`, but f32 needs `f4`");
    refused(
        &["R=q.npy"],
        2,
        "there is no parameter %R that a reference could be for; the kernel has %P, %A, %Q",
    );
    refused(&["Q=q.npy", "%Q=q.npy"], 2, "there are two references for %Q");
    refused(&["Q=q.txt"], 2, "a reference is NAME=FILE.npy");
    refused(&["q.npy"], 2, "a reference is NAME=FILE.npy");
    refused(&["Q=text.npy"], 1, "cannot read `text.npy`");
    refused(&["Q=missing.npy"], 1, "cannot read `missing.npy`");
    let scalar = Folder::new("func @f(%a: f32, %X: memref<f32x4>) { store %a, %X[0] }");
    write_f32(&scalar, "a.npy", "4,", &[0.0; 4]);
    let given = ["--arg", "a=1.0", "--arg", "X=zeros"].map(str::to_owned);
    let outcome = tune(&scalar, &given, &["--groups", "1", "--reference", "a=a.npy"]);
    assert!(outcome.code == 2 && outcome.errors.contains("%a is a number"), "{}", outcome.errors);
}
