//! `tiletc isa`: figures of final binaries, where the compiler is found, and errors.
//!
//! Shell scripts stand in for Intel's offline compiler, but where `TILETC_IGC` names the real one; without that its tests
//! are skipped.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../../tests/skip/mod.rs"]
mod skip;
#[path = "common/tool.rs"]
mod tool;

use serde_json::{Value, json};
use skip::skip;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use tool::{Outcome, outcome};

const TILETC: &str = env!("CARGO_BIN_EXE_tiletc");

/// A product for each work-group.
const PRODUCT: &str =
    "func @product(%A: memref<bf16x$n x$n x?>, %B: memref<bf16x$n x$n x?>, %C: memref<f32x$n x$n x?>) {
    %g = group_id.x : index
    %one = constant 1.0 : bf16
    %zero = constant 0.0 : f32
    %a = subview %A[0:$n,0:$n,%g] : memref<bf16x$n x$n>
    %b = subview %B[0:$n,0:$n,%g] : memref<bf16x$n x$n>
    %c = subview %C[0:$n,0:$n,%g] : memref<f32x$n x$n>
    gemm.n.n %one, %a, %b, %zero, %c
}
";

/// A loop with a multiply-add of the matrix engine, in a kernel whose name is to be put in.
const ASSEMBLY: &str = "//.kernel NAME
//.thread_config numGRF=256, numAcc=4, numSWSB=16
//.spill size 64
loop:
        load.slm.d32x16t.a32 (1|M0)  r20:2  [r6:1]
        dpas.8x8 (16|M0)  r40:f  r40:f  r10:bf  r20.0:bf
        mov (16|M0)  r60.0<1>:f  r40.0<1;1,0>:f
(W)     jmpi  loop
        store_block2d.ugm.d16.a64 (1|M0)  [r5:1]  r60:1
";

/// A folder of the test's own, with the program.
fn folder(test: &str) -> PathBuf {
    let folder = tool::folder().join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("product.ir"), format!("$n = 64\n{PRODUCT}")).unwrap();
    folder
}

/// A shell script in the place of ocloc.
fn script(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o700)).unwrap();
}

/// Commands that dump the assembly of a kernel.
fn dumps(kernel: &str) -> String {
    format!("echo \"{}\" > \"$IGC_DumpToCustomDir/dump.asm\"", ASSEMBLY.replace("NAME", kernel))
}

/// The tool in a folder, with no compiler in its environment.
fn isa(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(TILETC);
    command.arg("isa").args(arguments).current_dir(folder).env("PATH", folder.join("path"));
    command.env("XDG_CACHE_HOME", folder.join("no caches"));
    command.env_remove("TILETC_OCLOC").env_remove("TILETC_IGC");
    command
}

/// The tool with a script in the place of ocloc.
fn with_script(folder: &Path, text: &str, arguments: &[&str]) -> Outcome {
    script(&folder.join("ocloc"), text);
    outcome(isa(folder, arguments).env("TILETC_OCLOC", folder.join("ocloc")), "")
}

/// The cells of a table by the names of the columns.
fn cell<'a>(table: &'a str, row: usize, column: &str) -> &'a str {
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    // The title of the first column has three words.
    let place = lines[0].iter().position(|name| *name == column).unwrap() - 2;
    lines[row + 1][place]
}

#[test]
fn figures_are_shown_for_people_and_programs() {
    let folder = folder("figures");
    let two = format!("{}; {}", dumps("first"), dumps("second").replace("dump.asm", "other.asm"));
    let table = with_script(&folder, &two, &["product.ir", "-d", "pvc"]).succeeded();
    let table = table.text();
    assert!(table.starts_with("kernel on pvc  grf  simd  spill  "), "{table}");
    assert_eq!(table.lines().count(), 3);
    for row in [0, 1] {
        for (column, value) in [
            ("grf", "256"),
            ("spill", "64"),
            ("inst", "5"),
            ("dpas", "1"),
            ("store2d", "1"),
            ("slm", "1"),
            ("hot", "1/4"),
            ("floor", "67%"),
            ("B/clk", "16.0"),
            ("chain", "8"),
        ] {
            assert_eq!(cell(table, row, column), value, "{column}");
        }
    }
    let second = with_script(&folder, &two, &["product.ir", "-d", "bmg", "-k", "second"]).succeeded();
    assert_eq!(second.text().lines().count(), 2);
    assert_eq!((cell(second.text(), 0, "chain"), cell(second.text(), 0, "floor")), ("16", "80%"));

    let document = with_script(&folder, &two, &["product.ir", "--kernel", "first", "--json"]).succeeded();
    let document: Value = serde_json::from_str(document.text()).unwrap();
    assert_eq!((&document["device"], document["kernels"].as_array().unwrap().len()), (&json!("pvc"), 1));
    let kernel = &document["kernels"][0];
    for (name, value) in [
        ("name", json!("first")),
        ("grf_size", json!(256)),
        ("spill_bytes", json!(64)),
        ("instructions", json!(5)),
        ("dpas", json!(1)),
        ("moves", json!(1)),
        ("block_stores", json!(1)),
        ("local_messages", json!(1)),
        ("hottest_loop", json!({ "work": 1, "instructions": 4 })),
        ("bytes_per_cycle", json!(16.0)),
        ("chain_cycles", json!(8)),
        ("issue_cycles", Value::Null),
        ("roofline", Value::Null),
    ] {
        assert_eq!(kernel[name], value, "{name} in {kernel:#}");
    }
}

#[test]
fn the_compiler_gets_what_the_command_line_says() {
    let folder = folder("arguments");
    let tells = format!("echo \"$*\" > arguments; {}", dumps("product"));
    let told = |arguments: &[&str]| {
        with_script(&folder, &tells, arguments).succeeded();
        fs::read_to_string(folder.join("arguments")).unwrap()
    };
    let plain = told(&["product.ir", "-d", "bmg"]);
    assert!(plain.starts_with("compile -spirv_input -device bmg -file "), "{plain}");
    assert!(!plain.contains("-options"), "{plain}");
    // What follows the two dashes comes last.
    let more = told(&["product.ir", "-D", "n=32", "--", "-internal_options", "-x"]);
    assert!(more.ends_with(" -internal_options -x\n"), "{more}");
    let module = ["compile", "product.ir", "-o", "product.spv"];
    outcome(Command::new(TILETC).args(module).current_dir(&folder), "").succeeded();
    for file in ["product.ir", "product.spv"] {
        for features in [&["--large-register-file"][..], &["-F", "large-register-file"]] {
            let larger = told(&[&[file], features].concat());
            assert!(larger.contains(" -options -cl-intel-256-GRF-per-thread"), "{file}: {larger}");
        }
    }
    let standard = format!("[ \"$(cat)\" = \"\" ]; {}", dumps("product"));
    script(&folder.join("ocloc"), &standard);
    let mut piped = isa(&folder, &[]);
    piped.env("TILETC_OCLOC", folder.join("ocloc"));
    assert!(outcome(&mut piped, &format!("$n = 64\n{PRODUCT}")).succeeded().text().contains("\nproduct "));
}

/// The compiler in a folder of caches, as `--fetch` leaves it there: the loader of programs runs it.
fn fetched(caches: &Path, kernel: &str) {
    let place = caches.join("tiletc/igc");
    let loader = place.join("root/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2");
    script(&loader, &format!("case $3 in */root/usr/bin/ocloc-1) {} ;; esac", dumps(kernel)));
    script(&place.join("root/usr/bin/ocloc-1"), "exit 1");
    fs::write(place.join("stamp"), "sid: intel-ocloc intel-opencl-icd libze1\n").unwrap();
    fs::write(place.join("versions"), "intel-ocloc_1_amd64\nlibze1_1_amd64\n").unwrap();
}

#[test]
fn the_compiler_is_found_in_order() {
    let folder = folder("order");
    script(&folder.join("named/it"), &dumps("named"));
    script(&folder.join("named/igc"), &dumps("igc_$1"));
    script(&folder.join("with ocloc/ocloc"), &dumps("on_path"));
    fetched(&folder.join("caches"), "fetched");
    fetched(&folder.join("home/.cache"), "fetched_at_home");
    let all = [
        ("TILETC_OCLOC", "named/it", "named"),
        ("TILETC_IGC", "named/igc", "igc_ocloc"),
        ("XDG_CACHE_HOME", "caches", "fetched"),
        ("PATH", "with ocloc", "on_path"),
    ];
    for first in 0..all.len() {
        let mut command = isa(&folder, &["product.ir"]);
        command.envs(all[first..].iter().map(|(name, value, _)| (name, folder.join(value))));
        let found = outcome(&mut command, "").succeeded();
        assert!(found.text().contains(&format!("\n{} ", all[first].2)), "{first}: {}", found.text());
    }
    let mut command = isa(&folder, &["product.ir"]);
    command.env_remove("XDG_CACHE_HOME").env("HOME", folder.join("home"));
    assert!(outcome(&mut command, "").succeeded().text().contains("\nfetched_at_home "));
    // Empty variables name nothing, and what was made of other packages is not taken.
    fs::write(folder.join("caches/tiletc/igc/stamp"), "other\n").unwrap();
    let mut command = isa(&folder, &["product.ir"]);
    command.env("TILETC_OCLOC", "").env("TILETC_IGC", "").env("XDG_CACHE_HOME", folder.join("caches"));
    let ways = ["TILETC_IGC", "`tiletc isa --fetch`", "`ocloc` on the path", "Error (4): "];
    outcome(&mut command, "").failed(1, &ways);
    // `--native` looks in the same places.
    let mut command = Command::new(TILETC);
    command.args(["product.ir", "--native", "pvc"]).current_dir(&folder).env("PATH", "/nowhere");
    command.env("XDG_CACHE_HOME", "/nowhere").env_remove("TILETC_OCLOC").env_remove("TILETC_IGC");
    outcome(&mut command, "").failed(1, &ways);
    let native = "while [ \"$1\" != -out_dir ]; do shift; done; echo binary > \"$2/kernel.bin\"";
    script(&folder.join("caches/tiletc/igc/root/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"), native);
    fs::write(folder.join("caches/tiletc/igc/stamp"), "sid: intel-ocloc intel-opencl-icd libze1\n").unwrap();
    let ran = outcome(command.env("XDG_CACHE_HOME", folder.join("caches")), "").succeeded();
    assert_eq!(ran.text(), "binary\n");
}

#[test]
fn what_is_fetched_is_not_fetched_again() {
    let folder = folder("fetch");
    let caches = folder.join("caches");
    fetched(&caches, "fetched");
    let there = outcome(isa(&folder, &["--fetch"]).env("XDG_CACHE_HOME", &caches), "").succeeded();
    let place = caches.join("tiletc/igc");
    let expected = format!(
        "Intel's offline compiler is in {}:\n    intel-ocloc_1_amd64\n    libze1_1_amd64\n",
        place.display()
    );
    assert_eq!(there.text(), expected);
    let there = outcome(isa(&folder, &["--fetch", "--json"]).env("XDG_CACHE_HOME", &caches), "").succeeded();
    let document: Value = serde_json::from_str(there.text()).unwrap();
    assert_eq!(document["folder"], json!(place));
    assert_eq!(document["packages"], json!(["intel-ocloc_1_amd64", "libze1_1_amd64"]));
    // Without apt nothing can be fetched, and nothing is left behind.
    let words = ["cannot fetch Intel's offline compiler: this machine ", "Error (4): "];
    outcome(&mut isa(&folder, &["--fetch"]), "").failed(1, &words);
    assert!(!folder.join("no caches").exists());
    let homeless = |command: &mut Command| outcome(command.env("XDG_CACHE_HOME", "x").env("HOME", ""), "");
    homeless(&mut isa(&folder, &["--fetch"])).failed(2, &["neither XDG_CACHE_HOME nor HOME"]);
    outcome(&mut isa(&folder, &["--fetch", "product.ir"]), "").failed(2, &["cannot be used with"]);
}

#[test]
fn errors_say_what_to_do() {
    let folder = folder("errors");
    let good = dumps("product");
    let failed = |text: &str, arguments: &[&str], code: i32, words: &[&str]| {
        with_script(&folder, text, arguments).failed(code, words);
    };
    failed(
        &good,
        &["product.ir", "-k", "other"],
        2,
        &["there is no kernel other; there are product", "Error (2): "],
    );
    failed(&good, &["product.ir", "-d", "nonsense"], 2, &["unknown device `nonsense`", "Error (2): "]);
    failed(&good, &["missing.ir"], 1, &["cannot read `missing.ir`"]);
    failed(&good, &["missing.spv"], 1, &["cannot read `missing.spv`"]);
    fs::write(folder.join("wrong.ir"), "func @f() {\n    nonsense\n}\n").unwrap();
    failed(&good, &["wrong.ir"], 1, &["wrong.ir:2.5", "nonsense", "Error (10): "]);
    fs::write(folder.join("module.spv"), "no module").unwrap();
    failed(&good, &["module.spv", "-D", "n=3"], 2, &["`module.spv` is a module, which -D cannot change"]);
    let refuses = "echo told; echo complained >&2; exit 223";
    let words = ["told\ncomplained\nocloc failed for `unheard-of`", "223", "Error (4): "];
    let module = ["compile", "product.ir", "-o", "module.spv"];
    outcome(Command::new(TILETC).args(module).current_dir(&folder), "").succeeded();
    failed(refuses, &["module.spv", "-d", "unheard-of"], 1, &words);
    let module = fs::read(folder.join("module.spv")).unwrap();
    let cut_off = "cannot read `cut.spv`: the SPIR-V module in it is cut off or damaged";
    let no_module = "cannot read `cut.spv`: it is no SPIR-V module, ";
    for (bytes, message) in [
        (module.get(..module.len() - 4).unwrap(), cut_off),
        (&module[..module.len() - 3], cut_off),
        (&module[..16], cut_off),
        (&[&module[..20], &[0; 8]].concat(), cut_off),
        (&module[4..], no_module),
        (b"func @f() {\n}\n", no_module),
        (b"", no_module),
    ] {
        fs::write(folder.join("cut.spv"), bytes).unwrap();
        failed(&good, &["cut.spv"], 1, &[message, "Error (9): "]);
    }
    failed("exit 0", &["product.ir"], 1, &["ocloc told of no kernel"]);

    // Not a word is written to a folder that has files.
    let kept = folder.join("kept");
    with_script(&folder, &good, &["product.ir", "--asm", "kept"]).succeeded();
    assert!(fs::read_to_string(kept.join("dump.asm")).unwrap().starts_with("//.kernel product"));
    let called = folder.join("called");
    let tells = format!("echo > '{}'", called.display());
    failed(
        &tells,
        &["product.ir", "--asm", "kept"],
        2,
        &["kept is not empty; --asm names a folder of its own"],
    );
    assert!(!called.exists());
    failed(&good, &["product.ir", "--asm", "product.ir"], 1, &["cannot make product.ir", "Error ("]);
    for (variable, words) in
        [("TILETC_OCLOC", "which TILETC_OCLOC names"), ("TILETC_IGC", "which TILETC_IGC names")]
    {
        let mut command = isa(&folder, &["product.ir"]);
        outcome(command.env(variable, "no/such"), "").failed(1, &["there is no `no/such`", words]);
    }
}

#[test]
fn figures_of_the_real_compiler() {
    let Some(igc) = std::env::var_os("TILETC_IGC").filter(|script| Path::new(script).exists()) else {
        skip("TILETC_IGC does not name the script of Intel's offline compiler");
        return;
    };
    let folder = folder("real");
    let run = |arguments: &[&str]| {
        let mut command = isa(&folder, arguments);
        outcome(command.env("TILETC_IGC", &igc).env("PATH", std::env::var_os("PATH").unwrap()), "")
    };
    let floor =
        |outcome: &Outcome| cell(outcome.text(), 0, "floor").trim_end_matches('%').parse::<f64>().unwrap();
    let pvc = run(&["product.ir", "-d", "pvc", "--asm", "asm"]).succeeded();
    let bmg = run(&["product.ir", "-d", "bmg"]).succeeded();
    for (outcome, chain) in [(&pvc, "64"), (&bmg, "128")] {
        let table = outcome.text();
        let columns = ["grf", "simd", "spill", "dpas", "load2d", "chain", "share"];
        let found = columns.map(|column| cell(table, 0, column));
        assert_eq!(found, ["128", "16", "0", "8", "2", chain, "100%/100%"], "{table}");
        assert!((75.0..100.0).contains(&floor(outcome)), "{table}");
    }
    // A dpas takes twice as long on bmg.
    assert!(floor(&bmg) > floor(&pvc));
    let kept = fs::read_dir(folder.join("asm")).unwrap().map(|entry| entry.unwrap().path());
    assert!(kept.into_iter().any(|path| path.extension().is_some_and(|it| it == "asm")));

    // The same from a module, of which nobody knows what it must do.
    let module = ["compile", "product.ir", "-d", "pvc", "-o", "product.spv"];
    outcome(Command::new(TILETC).args(module).current_dir(&folder), "").succeeded();
    let of_module = run(&["product.spv", "--json", "-F", "large-register-file"]).succeeded();
    let document: Value = serde_json::from_str(of_module.text()).unwrap();
    let kernel = &document["kernels"][0];
    assert_eq!((&kernel["dpas"], &kernel["grf_size"]), (&json!(8), &json!(256)), "{kernel:#}");
    assert!(kernel["issue_cycles"].as_f64().unwrap() > 1000.0 && kernel["roofline"].is_null(), "{kernel:#}");

    fs::write(folder.join("broken.spv"), "no module").unwrap();
    run(&["broken.spv"]).failed(1, &["cannot read `broken.spv`: it is no SPIR-V module", "Error (9): "]);
}
