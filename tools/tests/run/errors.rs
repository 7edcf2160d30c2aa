//! Every way to get it wrong, with exit code and message.

use crate::files;
use crate::{FUSED, Skip, path, program, run};
use std::time::{Duration, Instant};

crate::tests! {
    wrong_options_end_with_2,
    wrong_arguments_are_explained,
    wrong_files_are_explained,
    headers_of_files_are_limited,
    arguments_larger_than_memory_are_refused,
    wrong_programs_are_shown,
    results_that_cannot_be_kept,
}

fn wrong_options_end_with_2() -> Result<(), Skip> {
    for (arguments, words) in [
        (&["--device", "nonsense"][..], &["virtual:NAME, opencl[:N] or level_zero[:N]"][..]),
        (&["--device", "virtual"], &["virtual:NAME"]),
        (
            &["--device", "virtual:nonsense"],
            &["there is no device virtual:nonsense", "virtual:pvc", "Error (2): "],
        ),
        (&["--device", "opencl:one"], &["`one` is no number"]),
        (&["--groups", "1,2,3,4"], &["one to three numbers"]),
        (&["--groups", "-1"], &[]),
        (&["--groups", "many"], &["one to three numbers"]),
        (&["--arg", "x="], &["NAME=VALUE"]),
        (&["--arg", "=1"], &["NAME=VALUE"]),
        (&["--save", "Q"], &["NAME=FILE.npy"]),
        (&["--save", "Q=q.txt"], &["NAME=FILE.npy"]),
        (&["--check", "nonsense"], &["races, bounds and init"]),
        (&["--check", "races,none"], &["races, bounds and init"]),
        (&["--device", "opencl", "--check", "all"], &["only virtual devices check and count", "Error (2): "]),
        (&["--device", "opencl", "--count"], &["only virtual devices check and count", "Error (2): "]),
        (
            &["--device", "level_zero:1", "--check", "races"],
            &["only virtual devices check and count; level_zero:1 does not", "Error (2): "],
        ),
        (&["--device", "level_zero", "--count"], &["only virtual devices check and count", "Error (2): "]),
        (&["-d", "pvc"], &["virtual:NAME, opencl[:N] or level_zero[:N]"]),
        (&["--budget", "0"], &["--budget"]),
        (&["--launch-budget", "0"], &["--launch-budget"]),
        (
            &["--device", "opencl", "--launch-budget", "9"],
            &["only virtual devices have a budget", "Error (2): "],
        ),
        (&["--device", "opencl", "--budget", "9"], &["only virtual devices have a budget", "Error (2): "]),
    ] {
        run(&[&[FUSED], arguments].concat()).failed(2, words);
    }
    Ok(())
}

fn wrong_arguments_are_explained() -> Result<(), Skip> {
    let text = "func @f(%a: i8, %x: f32, %A: memref<f32x4x?>, %B: memref<f32x4>, %G: group<memref<f32x2>x?, offset: ?>,
                        %H: group<memref<f32x2>x3, offset: 4>) { }";
    let name = program("wrong.ir", text);
    let good = ["a=1", "x=1", "A=zeros:4x5", "B=zeros", "G=zeros:2x3,offset=0", "H=zeros"];
    let all = |values: &[&str]| {
        let arguments: Vec<&str> = values.iter().flat_map(|value| ["--arg", *value]).collect();
        run(&[&[name], arguments.as_slice()].concat())
    };
    all(&good).succeeded();
    // One of them replaced by a wrong one.
    for (value, words) in [
        ("a=128", &["%a : i8: `128` is no i8"][..]),
        ("a=1.5", &["`1.5` is no i8"]),
        ("a=zeros", &["`zeros` is no i8"]),
        ("x=one", &["%x : f32: `one` is no f32"]),
        ("x=1+2i", &["`1+2i` is no f32"]),
        ("A=zeros", &["%A : memref<f32x4x?>: the type leaves sizes open", "2 sizes, 4x?"]),
        ("A=zeros:5x4", &["the shape 5x4 does not fit; it takes 2 sizes, 4x?"]),
        ("A=zeros:4", &["the shape 4 does not fit"]),
        ("A=zeros:4x-1", &["`4x-1` is no shape"]),
        ("A=zeros:", &["`` is no shape"]),
        ("A=zeros:4x9223372036854775807", &["beyond all memory"]),
        ("A=ones:4x5", &["`ones` fills no memory; use zeros, iota, random"]),
        ("A=random(x):4x5", &["`x` is no seed"]),
        ("A=random(-1):4x5", &["`-1` is no seed"]),
        ("B=zeros,offset=1", &["only groups have an offset"]),
        ("B=zeros,offset=x", &["`x` is no offset"]),
        ("G=zeros:2x3", &["the type leaves the offset open"]),
        ("G=zeros,offset=0", &["the type leaves sizes open", "the last of them the number of members"]),
        ("H=zeros:2x4", &["the shape 2x4 does not fit"]),
        ("H=zeros,offset=5", &["an offset of 5 does not fit"]),
        ("C=zeros", &["there is no parameter %C; the kernel has %a, %x, %A, %B, %G, %H"]),
    ] {
        let replaced = value.split('=').next().unwrap();
        let values: Vec<&str> = good
            .iter()
            .copied()
            .filter(|good| !good.starts_with(&format!("{replaced}=")))
            .chain([value])
            .collect();
        all(&values).failed(2, &[words, &["Error (13): "]].concat());
    }
    all(&good[..4])
        .failed(2, &["need a value", "    %G : group<memref<f32x2>x?, offset: ?>\n", "%H", "Error (13): "]);
    all(&[&good[..], &["B=iota"]].concat()).failed(2, &["%B is given twice", "Error (13): "]);
    all(&[&good[..], &["7"]].concat()).failed(2, &["there is no parameter left for `7`", "Error (13): "]);
    let negative = program("negative.ir", "func @f(%A: memref<f32x4,strided<-1>>) { }");
    let outcome = run(&[negative, "--arg", "zeros"]);
    assert!(outcome.code == 1, "{}", outcome.errors);
    Ok(())
}

fn wrong_files_are_explained() -> Result<(), Skip> {
    let name = program("files.ir", "func @f(%A: memref<f32x2x2>) { }");
    let with = |file: &str| run(&[name, "--arg", file]);
    with("no/such.npy").failed(1, &["cannot read `no/such.npy`: ", "Error (9): "]);
    std::fs::write(path("text.npy"), "no array at all").unwrap();
    with("text.npy").failed(1, &["cannot read `text.npy`: ", "Error (9): "]);
    files::write(&path("short.npy"), "<f4", true, "2, 2", &[0; 15]);
    with("short.npy").failed(1, &["cannot read `short.npy`: it ends after 15 of 16 bytes", "Error (9): "]);
    files::write(&path("huge.npy"), "<f4", true, "4611686018427387904, 2", &[]);
    with("huge.npy").failed(1, &["cannot read `huge.npy`: ", "Error (9): "]);
    files::write(&path("double.npy"), "<f8", true, "2, 2", &[0; 32]);
    with("double.npy").failed(2, &["holds `<f8`, but f32 needs `f4`", ".astype('f4')", "Error (13): "]);
    files::write(&path("objects.npy"), "|O", true, "2, 2", &[0; 32]);
    with("objects.npy").failed(2, &["`objects.npy`", "Error ("]);
    files::write(&path("shape.npy"), "<f4", true, "4, ", &[0; 16]);
    with("shape.npy").failed(2, &["the shape 4 does not fit; it takes 2 sizes, 2x2", "Error (13): "]);
    files::write(&path("single.npy"), "<f4", true, "", &[0; 4]);
    with("single.npy").failed(2, &["the shape of a single number does not fit", "Error (13): "]);
    let bf16 = program("bf16.ir", "func @f(%A: memref<bf16x2x2>) { }");
    run(&[bf16, "--arg", "shape.npy"]).failed(2, &["bf16 needs `u2`, the bits of bf16", "Error (13): "]);
    Ok(())
}

/// A file of these bytes behind the magic.
fn raw(name: &str, parts: &[&[u8]]) {
    std::fs::write(path(name), [&[b"\x93NUMPY".as_slice()], parts].concat().concat()).unwrap();
}

fn headers_of_files_are_limited() -> Result<(), Skip> {
    let name = program("headers.ir", "func @f(%A: memref<f32x2x2>) { }");
    let with = |file: &str| run(&[name, "--arg", file]);
    for (kind, brackets) in
        [("round", "(".repeat(99)), ("square", "[".repeat(99)), ("curly", "{[(".repeat(33))]
    {
        let file = format!("nested-{kind}.npy");
        raw(&file, &[&[1, 0, 99, 0], brackets.as_bytes()]);
        with(&file).failed(
            1,
            &[&format!("cannot read `{file}`: its header has 99 opening brackets"), "Error (9): "],
        );
    }
    // As many as are let through take no time, as long as a header may be.
    let open = format!("{{[('{}'", "x".repeat(65531));
    raw("three.npy", &[&[2, 0], &65536u32.to_le_bytes(), open.as_bytes()]);
    let start = Instant::now();
    with("three.npy").failed(1, &["cannot read `three.npy`: ", "Error (9): "]);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    let beyond = "its shape is beyond all memory, or has sizes that are no whole numbers";
    for shape in [
        "18446744073709551615, 2",
        "0, 4294967296, 4294967296",
        "9223372036854775807 + 1, 1 + 1",
        "36893488147419103232,",
        "0xffffffffffff, 1_0",
        "2.0, -2",
    ] {
        files::write(&path("beyond.npy"), "<f4", true, shape, &[]);
        with("beyond.npy").failed(1, &[&format!("cannot read `beyond.npy`: {beyond}"), "Error (9): "]);
    }
    files::write(&path("modes.npy"), "<f4", true, &"1, ".repeat(65), &[0; 4]);
    with("modes.npy")
        .failed(1, &["cannot read `modes.npy`: its header has 65 numbers", "64 sizes", "Error (9): "]);
    raw("long.npy", &[&[2, 0], &u32::MAX.to_le_bytes(), b"{'descr': "]);
    let words =
        ["cannot read `long.npy`: its header is 4294967295 bytes long", "65536 at most", "Error (9): "];
    with("long.npy").failed(1, &words);
    raw("cut.npy", &[&[2, 0], &1000u32.to_le_bytes(), b"{'descr': "]);
    with("cut.npy").failed(1, &["cannot read `cut.npy`: it ends within its header", "Error (9): "]);
    raw("start.npy", &[&[1]]);
    with("start.npy").failed(1, &["it ends within its header", "Error (9): "]);
    with("text.npy").failed(1, &["cannot read `text.npy`: ", "Error (9): "]);
    // All versions are read.
    let header = b"{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }\n";
    let length = header.len() as u8;
    raw("first.npy", &[&[1, 0, length, 0], header, &[0; 16]]);
    raw("second.npy", &[&[2, 0, length, 0, 0, 0], header, &[0; 16]]);
    raw("third.npy", &[&[3, 0, length, 0, 0, 0], header, &[0; 16]]);
    for file in ["first.npy", "second.npy", "third.npy"] {
        with(file).succeeded();
    }
    Ok(())
}

fn arguments_larger_than_memory_are_refused() -> Result<(), Skip> {
    let name = program("large.ir", "func @f(%A: memref<f32x?x1>) { }");
    let words = [
        "%A : memref<f32x?x1>: 1000000000000x1 numbers of 4 bytes take 14.6 TiB",
        "are free",
        "Error (13): ",
    ];
    for fill in ["zeros", "iota", "random"] {
        run(&[name, "--arg", &format!("{fill}:1000000000000x1")]).failed(2, &words);
    }
    // Gaps, what lies before members, and members without numbers take memory, too.
    let name = program("gaps.ir", "func @f(%A: memref<f32x2,strided<1000000000000>>) { }");
    run(&[name, "--arg", "zeros"]).failed(2, &["2 numbers of 4 bytes take 14.6 TiB", "are free"]);
    let name = program("members-many.ir", "func @f(%A: group<memref<f32x0>x?>) { }");
    run(&[name, "--arg", "zeros:0x1000000000000"]).failed(2, &["0x1000000000000 numbers", "are free"]);
    let name = program("before.ir", "func @f(%A: group<memref<f32x2>x3, offset: ?>) { }");
    run(&[name, "--arg", "zeros,offset=1000000000000"]).failed(2, &["2x3 numbers of 4 bytes", "are free"]);
    Ok(())
}

fn wrong_programs_are_shown() -> Result<(), Skip> {
    run(&["no/such.ir"]).failed(1, &["cannot read `no/such.ir`: ", "Error (9): "]);
    let name = program("syntax.ir", "func @f() {\n    nonsense\n}\n");
    run(&[name]).failed(1, &["syntax.ir:2.", "nonsense", "Error (10): "]);
    run(&[program("empty.ir", "")]).failed(1, &["Error ("]);
    let name = program("bool.ir", "func @f(%b: bool) { }");
    let outcome = run(&[name, "--arg", "1"]);
    assert!(outcome.code == 2 && !outcome.errors.is_empty(), "{}", outcome.errors);
    // Xe-LP has no double precision.
    let text = "func @f(%x: f64, %A: memref<f64>) { store %x, %A[] }";
    let arguments = [program("double.ir", text), "--device", "virtual:tgl", "--arg", "1", "--arg", "zeros"];
    let outcome = run(&arguments);
    assert_eq!(outcome.code, 1, "{}", outcome.errors);
    assert!(outcome.errors.contains("float64"), "{}", outcome.errors);
    Ok(())
}

fn results_that_cannot_be_kept() -> Result<(), Skip> {
    let name = program("save.ir", "func @f(%a: i32, %A: memref<f32x2x2>) { }");
    let save = |to: &str| run(&[name, "--arg", "1", "--arg", "zeros", "--save", to]);
    save("B=b.npy").failed(2, &["there is no parameter %B to save", "Error (13): "]);
    save("a=a.npy").failed(2, &["%a is a number; there is nothing to save", "Error (13): "]);
    save("A=no/such.npy").failed(1, &["cannot write `no/such.npy`: ", "Error (9): "]);
    Ok(())
}
