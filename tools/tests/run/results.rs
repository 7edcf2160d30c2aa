//! Results: right ones, as files and as summaries, on every device.

use crate::files;
use crate::{FUSED, Skip, TILETC, path, program, run, summary, tool};
use std::os::unix::fs::MetadataExt as _;
use std::process::Command;

crate::tests! {
    the_fused_chain_is_right,
    every_virtual_device_gives_the_same,
    opencl_gives_the_same,
    opencl_takes_kernels_from_the_cache,
    summaries_tell_what_changed,
    complex_numbers_and_nan_are_summarised,
    matrices_of_tensors_are_shown_one_by_one,
    the_program_may_come_from_standard_input,
    work_groups_run_in_all_directions,
    one_kernel_of_many_is_run,
}

const ELEMENTS: usize = 5;

/// The arguments of the fused kernel, and where its result goes.
pub fn fused<'a>(device: &'a str, save: &'a str) -> Vec<&'a str> {
    vec![
        FUSED,
        "--device",
        device,
        "--groups",
        "5",
        "--arg",
        "K=fused-k.npy",
        "--arg",
        "P=fused-p.npy",
        "--arg",
        "A=fused-a.npy",
        "--arg",
        "Q=fused-q.npy",
        "--save",
        save,
    ]
}

/// Writes the input of the fused kernel and computes its result. All numbers are exact.
pub fn reference() -> Vec<f32> {
    let numbers = |count: usize, seed: usize| -> Vec<f32> {
        (0..count).map(|place| ((place * 7 + seed * 13) % 9) as f32 - 4.0).collect()
    };
    let (k, p) = (numbers(56 * 56, 1), numbers(56 * 9 * ELEMENTS, 2));
    let (a, q) = (numbers(81 * ELEMENTS, 3), numbers(56 * 9 * ELEMENTS, 4));
    for (name, shape, numbers) in
        [("k", "56, 56", &k), ("p", "56, 9, 5", &p), ("a", "9, 9, 5", &a), ("q", "56, 9, 5", &q)]
    {
        let data = files::bytes(numbers, |number| number.to_le_bytes());
        // Tests run side by side; no other must see half a file.
        let whole = path(&format!("fused-{name}.npy"));
        let part = whole.with_extension(format!("{:?}.part", std::thread::current().id()));
        files::write(&part, "<f4", true, shape, &data);
        std::fs::rename(part, whole).unwrap();
    }
    let mut expected = q;
    for e in 0..ELEMENTS {
        for (i, j) in (0..9).flat_map(|j| (0..56).map(move |i| (i, j))) {
            for l in 0..9 {
                let product: f32 = (0..56).map(|m| k[i + 56 * m] * p[504 * e + m + 56 * l]).sum();
                expected[504 * e + i + 56 * j] += product * a[81 * e + l + 9 * j];
            }
        }
    }
    expected
}

fn the_fused_chain_is_right() -> Result<(), Skip> {
    let expected = reference();
    let outcome = run(&fused("virtual:pvc", "Q=fused-out.npy")).succeeded();
    assert_eq!(files::floats(&path("fused-out.npy")), expected);
    for name in ["K: f32 56x56", "P: f32 56x9x5", "A: f32 9x9x5"] {
        assert!(outcome.text().contains(&format!("{name}, unchanged\n")), "{}", outcome.text());
    }
    assert!(summary(&outcome, "Q").contains("checksum"), "{}", outcome.text());
    Ok(())
}

fn every_virtual_device_gives_the_same() -> Result<(), Skip> {
    let expected = reference();
    for device in ["bmg", "lnl", "ptl", "dg2", "arl-h", "tgl", "generic"] {
        let save = format!("fused-{device}.npy");
        run(&fused(&format!("virtual:{device}"), &format!("Q={save}"))).succeeded();
        assert_eq!(files::floats(&path(&save)), expected, "{device}");
    }
    Ok(())
}

fn opencl_gives_the_same() -> Result<(), Skip> {
    let expected = reference();
    let outcome = run(&fused("opencl", "Q=fused-opencl.npy"));
    if outcome.code == 1 && outcome.errors.contains("Error (18)") {
        return Err(Skip(outcome.errors));
    }
    let outcome = outcome.succeeded();
    assert_eq!(files::floats(&path("fused-opencl.npy")), expected);
    let other = run(&fused("virtual:pvc", "Q=fused-virtual.npy")).succeeded();
    assert_eq!(outcome.text(), other.text());
    run(&fused("opencl:0", "Q=fused-opencl.npy")).succeeded();
    run(&fused("opencl:999", "Q=fused-opencl.npy"))
        .failed(2, &["no OpenCL device of this number", "Error (2): "]);
    Ok(())
}

/// The folder that the environment names is the tool's as well.
fn opencl_takes_kernels_from_the_cache() -> Result<(), Skip> {
    let (expected, cache) = (reference(), path("kernel-cache"));
    let _ = std::fs::remove_dir_all(&cache);
    let on_opencl = |save: &str| {
        let arguments = [&["run"], &fused("opencl", save)[..]].concat();
        let mut command = Command::new(TILETC);
        command.args(arguments).current_dir(tool::folder()).env("TILETC_CACHE_DIR", &cache);
        tool::outcome(&mut command, "")
    };
    let first = on_opencl("Q=cache-first.npy");
    if first.code == 1 && first.errors.contains("Error (18)") {
        return Err(Skip(first.errors));
    }
    let first = first.succeeded();
    let entries = || std::fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().path());
    let written = |path| std::fs::metadata(path).unwrap().ino();
    let before: Vec<u64> = entries().map(written).collect();
    assert_eq!(before.len(), 1);
    assert_eq!(on_opencl("Q=cache-second.npy").succeeded().text(), first.text());
    assert_eq!(entries().map(written).collect::<Vec<u64>>(), before, "the entry has been written again");
    assert_eq!(files::floats(&path("cache-second.npy")), expected);
    Ok(())
}

fn summaries_tell_what_changed() -> Result<(), Skip> {
    let name = program(
        "summary.ir",
        "func @f(%A: memref<i32x3>, %B: memref<i32x3>) {
        %i = constant 1 : index
        %x = constant -7 : i32
        store %x, %A[%i]
    }",
    );
    let outcome = run(&[name, "--arg", "iota", "--arg", "iota"]).succeeded();
    // The checksum is the start of the SHA-256 of the twelve bytes.
    let expected =
        "A: i32 3, changed\n    min -7  max 2  mean -1.666667  checksum a7ee600b8cb9c403\n     0 -7  2\n";
    assert_eq!(summary(&outcome, "A"), expected);
    assert_eq!(summary(&outcome, "B"), "B: i32 3, unchanged\n");
    Ok(())
}

fn complex_numbers_and_nan_are_summarised() -> Result<(), Skip> {
    let name = program(
        "complex.ir",
        "func @f(%x: c32, %y: f32, %A: memref<c32x2>, %B: memref<f32x2>) {
        %i = constant 1 : index
        store %x, %A[%i]
        store %y, %B[%i]
    }",
    );
    let arguments = ["--arg", "x=3-4i", "--arg", "y=nan", "--arg", "A=zeros", "--arg", "B=zeros"];
    let outcome = run(&[&[name], &arguments[..]].concat()).succeeded();
    let text = summary(&outcome, "A");
    assert!(
        text.contains("min by modulus 0.0+0.0i  max by modulus 3.0-4.0i  mean 1.500000-2.000000i"),
        "{text}"
    );
    let text = summary(&outcome, "B");
    assert!(text.contains("min 0.0  max 0.0  mean 0.000000  nan 1 times"), "{text}");
    assert!(text.ends_with("\n    0.0 NaN\n"), "{text}");
    Ok(())
}

fn matrices_of_tensors_are_shown_one_by_one() -> Result<(), Skip> {
    let name = program(
        "tensor.ir",
        "func @f(%x: i32, %A: memref<i32x2x1x2x2>) {
        %i = constant 0 : index
        store %x, %A[%i,%i,%i,%i]
    }",
    );
    let outcome = run(&[name, "--arg", "9", "--arg", "iota"]).succeeded();
    let shown = "    [:,:,0,0]\n    9\n    1\n    [:,:,1,0]\n    2\n    3\n    [:,:,0,1]\n    4\n    5\n    [:,:,1,1]\n    6\n    7\n";
    assert!(summary(&outcome, "A").ends_with(shown), "{}", outcome.text());
    Ok(())
}

fn the_program_may_come_from_standard_input() -> Result<(), Skip> {
    let text = "func @f(%A: memref<i32>) { %x = constant 4 : i32 store %x, %A[] }";
    let outcome = tool::run(TILETC, &["run", "--arg", "zeros"], text).succeeded();
    assert!(summary(&outcome, "A").ends_with("\n    4\n"), "{}", outcome.text());
    Ok(())
}

fn work_groups_run_in_all_directions() -> Result<(), Skip> {
    let text = "func @f(%A: memref<i32x2x3x2>) attributes{grid=[]} {
        %x = group_id.x : index
        %y = group_id.y : index
        %z = group_id.z : index
        %one = constant 1 : i32
        store %one, %A[%x,%y,%z]
    }";
    let name = program("grid.ir", text);
    for (groups, sum) in [("1", "0.083333"), ("2", "0.166667"), ("2,3", "0.500000"), ("2,3,2", "1.000000")] {
        let outcome = run(&[name, "--groups", groups, "--arg", "zeros"]).succeeded();
        assert!(summary(&outcome, "A").contains(&format!("mean {sum}")), "{groups}: {}", outcome.text());
    }
    // No work-groups, nothing to do.
    let outcome = run(&[name, "--groups", "2,0,2", "--arg", "zeros"]).succeeded();
    assert_eq!(outcome.text(), "A: i32 2x3x2, unchanged\n");
    run(&[name, "--arg", "zeros"]).failed(1, &["nothing tells how many work-groups", "Error (8193): "]);

    // Without the attribute the program tells how many there are.
    let name = program("own-grid.ir", &text.replace(" attributes{grid=[]}", ""));
    for arguments in [&[name, "--arg", "zeros"][..], &[name, "--groups", "2,3,2", "--arg", "zeros"]] {
        let outcome = run(arguments).succeeded();
        assert!(summary(&outcome, "A").contains("mean 1.000000"), "{}", outcome.text());
    }
    let fewer = "2 × 2 × 2 work-groups, where the arguments need 2 × 3 × 2 (grid=[2,3,2])";
    run(&[name, "--groups", "2,2,2", "--arg", "zeros"]).failed(1, &[fewer, "Error (8193): "]);
    let many = program("many-groups.ir", "func @f(%n: i64) attributes{grid=[%n]} {\n}\n");
    run(&[many, "--arg", "4294967296"])
        .failed(1, &["4294967296 × 1 × 1 work-groups are more", "Error (3): "]);
    Ok(())
}

fn one_kernel_of_many_is_run() -> Result<(), Skip> {
    let kernel = |name: &str, x: i32| {
        format!("func @{name}(%A: memref<i32>) {{ %x = constant {x} : i32 store %x, %A[] }}\n")
    };
    let name = program("many.ir", &(kernel("one", 1) + &kernel("two", 2)));
    for (kernel, shown) in [("one", "\n    1\n"), ("two", "\n    2\n")] {
        let outcome = run(&[name, "--kernel", kernel, "--arg", "zeros"]).succeeded();
        assert!(outcome.text().ends_with(shown), "{}", outcome.text());
    }
    run(&[name, "--arg", "zeros"]).failed(2, &["--kernel", "one, two", "Error (2): "]);
    run(&[name, "--kernel", "three"])
        .failed(2, &["there is no kernel three; there are one, two", "Error (13): "]);
    Ok(())
}
