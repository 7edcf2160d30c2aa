//! `tiletc compile --explain`: text and JSON.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use serde_json::{Value, json};
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

/// A product of row-major matrices.
const TILES: &str = "$acc = tile<f32x256x256,matrix_acc> func @tiles(%A: memref<bf16x?x?>, %B: memref<bf16x?x?>, %C: memref<f32x?x?>, %m: index, %n: index) {
    %o = constant 0 : index %s = constant 64 : index %K = size %A[0] : index %z = constant 0.0 : $acc
    %t = constant 256 : index %i = mul %m, %t : index %j = mul %n, %t : index
    %sum = for %k=%o,%K,%s init(%c=%z) -> ($acc) {
        %a = tile_load.t %A[%k,%i] : tile<bf16x256x64,matrix_a>
        %b = tile_load.t %B[%j,%k] : tile<bf16x64x256,matrix_b>
        %d = tile_dot %a, %b, %c : $acc
        yield (%d)
    } attributes{num_stages=3}
    tile_store.t %sum, %C[%j,%i]
}
";

/// The explanation of a program on a device.
fn explain(program: &str, arguments: &[&str]) -> String {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_tiletc"));
    tool.args(["compile", "--explain"]).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut tool = tool.spawn().unwrap();
    tool.stdin.take().unwrap().write_all(program.as_bytes()).unwrap();
    let output = tool.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// Sums that 128 registers do not hold, by hand.
const MANY_SUMS: &str = include_str!("../../tests/filetests/kernels/cooperative_matrix_many_sums.ir");

#[test]
fn what_is_avoided_is_said() {
    let explained = |list: &str, arguments: &[&str]| {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_tiletc"));
        tool.args(["compile", "--explain", "-d", "pvc"]).args(arguments).env("TILETC_AVOID", list);
        let mut tool = tool
            .env("TILETC_LOG", "warn")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        tool.stdin.take().unwrap().write_all(PRODUCTS.as_bytes()).unwrap();
        let output = tool.wait_with_output().unwrap();
        assert!(output.status.success());
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap())
    };
    let [text, log] = explained("split_barrier, block2d_transform", &[]);
    assert!(text.contains("    avoided for the driver: block2d_transform, split_barrier\n"), "{text}");
    assert!(text.contains("since such messages are avoided on this device"), "{text}");
    assert_eq!(log, "");
    let [text, _] = explained("block2d", &["--json"]);
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["avoided"], json!(["block2d"]));
    let [text, log] = explained("block2d,blocks", &[]);
    assert!(text.contains("    avoided for the driver: block2d\n"), "{text}");
    assert!(
        log.contains("TILETC_AVOID names `blocks`, which is no class; there are matrix_engine, "),
        "{log}"
    );
}

/// A product staged in local memory, from where factors B come by block messages, or by lanes where these are avoided.
const STAGED: &str = "func @staged(%A: memref<f16x64x512>, %B: memref<f16x512x64>, %C: memref<f32x64x64>) {
    %sum = for %k=0,512,16 init(%s=0.0) -> (tile<f32x64x64,matrix_acc>) {
        %a = tile_load %A[0,%k] : 64 x 16
        %b = tile_load %B[%k,0] : 16 x 64
        %t = tile_dot %a, %b, %s
        yield (%t)
    } attributes{pipeline=\"slm\"}
    tile_store %sum, %C[0,0]
}";

#[test]
fn panels_of_b_need_block_messages() {
    for (avoided, in_panels) in [("", true), ("block1d", false)] {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_tiletc"));
        tool.args(["compile", "--explain", "-d", "dg2"]).env("TILETC_AVOID", avoided);
        let mut tool = tool.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        tool.stdin.take().unwrap().write_all(STAGED.as_bytes()).unwrap();
        let output = tool.wait_with_output().unwrap();
        assert!(output.status.success(), "{avoided}");
        let text = String::from_utf8(output.stdout).unwrap();
        let is_of_b = |line: &str| line.contains("load B ") && line.contains("panels");
        assert_eq!(text.lines().any(is_of_b), in_panels, "{text}");
        assert!(text.lines().any(|line| line.contains("load A") && line.contains("panels")), "{text}");
    }
}

#[test]
fn registers_that_lowering_asks_for_are_shown() {
    let text = explain(MANY_SUMS, &["-d", "pvc"]);
    assert!(text.contains("(1x1 subgroups), 256 registers\n"), "{text}");
    let reason = "256 registers, since matrices take 11264 bytes at a time, of which 128 hold 7168\n";
    assert!(text.contains(reason), "{text}");
    let json: Value = serde_json::from_str(&explain(MANY_SUMS, &["-d", "pvc", "--json"])).unwrap();
    assert_eq!(json["functions"][0]["grf_size"], 256, "{json}");

    let pinned = MANY_SUMS.replace("subgroup_size=16,", "subgroup_size=16, grf_size=128,");
    assert_ne!(pinned, MANY_SUMS);
    let text = explain(&pinned, &["-d", "pvc"]);
    assert!(text.contains("(1x1 subgroups), 128 registers\n") && !text.contains("256"), "{text}");
    // Of 256 registers there are for half as many threads: this work-group would not fit.
    let wide = MANY_SUMS.replace("work_group_size=[16,1]", "work_group_size=[1024,1]");
    assert_ne!(wide, MANY_SUMS);
    let text = explain(&wide, &["-d", "pvc"]);
    assert!(text.contains("(64x1 subgroups), 128 registers\n") && !text.contains("256"), "{text}");
    // A module is built with one size of registers for all.
    let others = [
        ("work_group_size=[1024,1], subgroup_size=16", "128"),
        ("work_group_size=[16,1], subgroup_size=16, grf_size=128", "128"),
        ("work_group_size=[16,1], subgroup_size=16", "256"),
    ];
    for (attributes, registers) in others {
        let text =
            explain(&format!("{MANY_SUMS}\nfunc @b() attributes{{{attributes}}} {{ }}\n"), &["-d", "pvc"]);
        assert!(text.contains(&format!("(1x1 subgroups), {registers} registers\n")), "{attributes}: {text}");
    }
    // Half as many.
    let fewer = MANY_SUMS.replace("x64,", "x32,");
    let text = explain(&fewer, &["-d", "pvc"]);
    assert!(text.contains("(1x1 subgroups), 128 registers\n") && !text.contains("256"), "{text}");
}

#[test]
fn the_choice_and_its_reasons_are_shown() {
    let text = explain(PRODUCTS, &["-d", "pvc"]);
    for part in [
        "@large on pvc\n    subgroups of 16, work-groups of 128x4 (8x4 subgroups), 256 registers\n",
        "    line 4: gemm.n.n 256x256x4096, bf16 and bf16, accumulators in f32\n",
        "back end dpas, register block 32x64, k-steps 64, prefetch 2 steps ahead\n",
        "of 256 registers 128 hold accumulators; the factors that are loaded at once fill 192\n",
        "a step loads 12288 bytes for 131072 multiply-adds\n",
        "load A bf16x32x64, 1 times: block_2d_transform, since its type says so\n",
        "lanes, since shape or stride are known at run time only\n",
        "@vector on pvc\n    subgroups of 16, ",
        " registers\n    0 bytes of local memory, multiply-adds take ",
        "gemm.n.t ?x9x9, f32 and f32, accumulators in f32\n",
        "back end vector, ",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    // Without 2D blocks, and in narrower registers.
    let text = explain(PRODUCTS, &["-d", "dg2"]);
    assert!(text.contains("@large on dg2\n    subgroups of 8, "), "{text}");
    assert!(text.contains("since the device has no 2D block messages for this subgroup size\n"), "{text}");
}

#[test]
fn programs_can_read_it() {
    let value: Value = serde_json::from_str(&explain(PRODUCTS, &["-d", "pvc", "--json"])).unwrap();
    assert_eq!(value["device"], "pvc");
    let large = &value["functions"][0];
    for (name, expected) in [
        ("function", json!("large")),
        ("subgroup_size", json!(16)),
        ("work_group_size", json!([128, 4])),
        ("grf_size", json!(256)),
    ] {
        assert_eq!(large[name], expected);
    }
    let product = &large["products"][0];
    for (name, expected) in [
        ("line", json!(4)),
        ("extents", json!([256, 256, 4096])),
        ("instruction", json!("gemm.n.n")),
        ("types", json!(["bf16", "bf16", "f32"])),
        ("backend", json!("dpas")),
        ("register_block", json!([32, 64])),
        ("k_steps", json!([64])),
        ("prefetch_distance", json!(2)),
    ] {
        assert_eq!(product[name], expected);
    }
    assert_eq!(value["functions"][2]["products"][0]["extents"], json!([null, 9, 9]));
    let access = &large["accesses"][0];
    assert_eq!((&access["form"], &access["count"]), (&json!("block_2d"), &json!(1)), "{access}");
    assert_eq!(access["reason"], "its type says so");
    let accesses = value["functions"][1]["accesses"].as_array().unwrap();
    let is_known = |access: &Value| access["reason"] != "shape or stride are known at run time only";
    assert!(!accesses.iter().all(is_known), "{value}");
}

/// Lines of the first and of the second product of a chain.
#[test]
fn products_of_a_chain_have_their_own_loads() {
    let text =
        "$t = memref<f32x64x9> func @chain(%A: memref<f32x64x64>, %B: $t, %D: memref<f32x9x9>, %C: $t) {
        %one = constant 1.0 : f32 %zero = constant 0.0 : f32 %t = alloca : memref<f32x64x9,local>
        gemm.n.n %one, %A, %B, %zero, %t
        gemm.n.n %one, %t, %D, %one, %C
    }";
    for device in ["pvc", "dg2"] {
        let value: Value = serde_json::from_str(&explain(text, &["-d", device, "--json"])).unwrap();
        let accesses = value["functions"][0]["accesses"].as_array().unwrap();
        let mut found: Vec<(u64, &str)> = accesses
            .iter()
            .map(|it| (it["line"].as_u64().unwrap(), it["matrix"].as_str().unwrap()))
            .collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, [(3, "A"), (3, "B"), (4, "B"), (4, "C")], "{device}: {value}");
    }
}

#[test]
fn decisions_name_their_version_if_others_differ() {
    let prefetches = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.contains("prefetch")).map(|line| line.trim().to_owned()).collect()
    };
    // Stages as many as the loop of the last iterations has by itself.
    let strided = TILES.replace("bf16x?x?>", "bf16x?x?,strided<?,?>>");
    for program in [TILES, &strided] {
        let lines = prefetches(&explain(program, &["-d", "pvc"]));
        assert_eq!(
            lines,
            ["line 4: prefetch 2 iterations ahead, of 2 tiles, a split barrier in each iteration"]
        );
    }
    let longer = strided.replace("num_stages=3", "num_stages=4");
    let expected = [
        "line 4, fast and general versions: prefetch 3 iterations ahead, of 2 tiles, a split barrier in each iteration",
        "line 4, edge version: prefetch 2 iterations ahead, of 2 tiles, a split barrier in each iteration",
    ];
    assert_eq!(prefetches(&explain(&longer, &["-d", "pvc"])), expected);
    let value: Value = serde_json::from_str(&explain(&longer, &["-d", "pvc", "--json"])).unwrap();
    let decisions = value["functions"][0]["decisions"].as_array().unwrap();
    let versions: Vec<&Value> =
        decisions.iter().filter(|it| it["line"] == 4).map(|it| &it["versions"]).collect();
    assert_eq!(versions, [&json!(["fast", "general"]), &json!(["edge"])], "{value}");
    assert!(decisions.iter().any(|it| it["versions"] == json!([])), "{value}");
    // Two loops are two, though they decide alike.
    let body = TILES.split_once('{').unwrap().1.trim_end().trim_end_matches('}');
    let twice = TILES.trim_end().trim_end_matches('}').to_owned() + &renamed(body) + "}\n";
    let lines = prefetches(&explain(&twice, &["-d", "pvc"]));
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("line 4: ") && lines[1].starts_with("line 14: "), "{lines:?}");
}

/// Instructions with other names for the values that they define.
fn renamed(body: &str) -> String {
    let mut text = body.to_owned();
    for name in ["o", "s", "K", "z", "t", "i", "j", "sum", "k", "c", "a", "b", "d"] {
        for end in [" ", ",", ")", "]", "[", "="] {
            text = text.replace(&format!("%{name}{end}"), &format!("%{name}2{end}"));
        }
    }
    text
}

/// Tiles that subgroups take in blocks are explained as a gemm is, not as if they were shared evenly.
#[test]
fn blocks_of_tiles_are_those_of_a_gemm() {
    let text = |[m, n, k]: [usize; 3]| {
        format!(
            "func @f(%A: memref<bf16x{m}x{k}>, %B: memref<bf16x{k}x{n}>, %C: memref<f32x{m}x{n}>) {{
                %o = constant 0 : index
                %z = constant 0.0 : tile<f32x{m}x{n},matrix_acc>
                %a = tile_load %A[%o,%o] : tile<bf16x{m}x{k},matrix_a>
                %b = tile_load %B[%o,%o] : tile<bf16x{k}x{n},matrix_b>
                %d = tile_dot %a, %b, %z : tile<f32x{m}x{n},matrix_acc>
                tile_store %d, %C[%o,%o]
            }}"
        )
    };
    for (size, share) in [
        ([64, 64, 64], "register block 32x32, k-steps 16\n"),
        ([40, 9, 32], "register block 32x9, k-steps 32\n"),
    ] {
        let text = explain(&text(size), &["-d", "pvc"]);
        assert!(text.contains(share), "{share:?} is not in\n{text}");
    }
}

#[test]
fn decisions_about_tiles_are_shown() {
    let text = explain(TILES, &["-d", "pvc"]);
    for part in [
        "    subgroups of 16, work-groups of 128x4 (8x4 subgroups), 256 registers\n",
        "    line 7: tile_dot 256x256x64, bf16 and bf16, accumulators in f32\n        \
         back end dpas, register block 32x64, k-steps 32\n        \
         of 256 registers 128 hold accumulators; the factors that are loaded at once fill 96\n",
        "    line 7: computed transposed, as memory suits the engine better so\n",
        "    line 5: tile_load: 2D block messages if a test at run time says that they take the memref\n",
        "    line 4: prefetch 2 iterations ahead, of 2 tiles, a split barrier in each iteration\n",
        "    0 bytes of local memory, multiply-adds take 88 % of the cycles of a thread's hot loop (estimate)\n",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    let text = explain(&TILES.replace("256", "128"), &["-d", "dg2"]);
    assert!(text.contains("line 5: tile_copy: checks only in tiles at the edge\n"), "{text}");
    assert!(text.contains("line 4: 2 copies in local memory, 2 buffers of each, filled 1 ahead\n"), "{text}");
    assert_eq!(text.matches("line 5: tile_copy: ").count(), 1, "stages say the same:\n{text}");
    let text = explain(&TILES.replace("256", "100"), &["-d", "dg2"]);
    assert!(text.contains("line 5: tile_load: checks only in tiles at the edge\n"), "{text}");
    assert!(text.contains("line 4: no tile is prefetched\n"), "{text}");
    let value: Value = serde_json::from_str(&explain(TILES, &["-d", "pvc", "--json"])).unwrap();
    let function = &value["functions"][0];
    assert_eq!(function["products"][0]["register_block"], json!([32, 64]));
    assert_eq!(function["local_memory"], 0);
    assert_eq!(function["roofline"], Value::Null);
    assert!((function["multiply_add_share"].as_f64().unwrap() - 0.88).abs() < 0.02, "{value}");
    let written =
        TILES.replacen("%n: index) {", "%n: index) attributes{\"orientation\"=\"as_written\"} {", 1);
    let written = explain(&written, &["-d", "pvc"]);
    assert!(!written.contains("computed transposed"), "{written}");
    let floats = "func @g(%A: memref<f32x64x64>, %B: memref<f32x64x64>, %C: memref<f32x64x64>, %a: f32) {
        gemm.n.n %a, %A, %B, %a, %C
    }";
    let permitted = explain(floats, &["-d", "pvc", "-f", "tf32"]);
    assert!(
        permitted.contains("gemm.n.n 64x64x64, f32 and f32 rounded to tf32, accumulators in f32\n"),
        "{permitted}"
    );
    for flags in
        [&["-d", "pvc"][..], &["-d", "pvc", "-f", "tf32", "-f", "no-tf32"], &["-d", "dg2", "-f", "tf32"]]
    {
        let text = explain(floats, flags);
        assert!(text.contains("gemm.n.n 64x64x64, f32 and f32, accumulators in f32\n"), "{text}");
    }
    let local = "func @local(%A: memref<f32x64>, %a: f32) {
        %t = alloca : memref<f32x64,local>
        axpby.n %a, %A, %a, %t
        axpby.n %a, %t, %a, %A
    }";
    let text = explain(local, &["-d", "pvc"]);
    assert!(text.contains("256 bytes of local memory, multiply-adds take "), "{text}");
    assert!(function["decisions"].as_array().unwrap().iter().any(|it| it["line"] == 4), "{value}");
}

#[test]
fn the_roofline_of_a_work_group() {
    let star = "func @star(%A: memref<f32x9x9>, %P: memref<f32x56x9x?>, %Q: memref<f32x56x9x?>) {
        %g = group_id.x : index
        %one = constant 1.0 : f32
        %p = subview %P[0:56,0:9,%g] : memref<f32x56x9>
        %q = subview %Q[0:56,0:9,%g] : memref<f32x56x9>
        gemm.n.n %one, %p, %A, %one, %q
    }";
    // P and Q once, and Q again when it is written; all work-groups share A. Two bytes a cycle, and 16 multiply-adds.
    let bytes = 3.0 * 56.0 * 9.0 * 4.0;
    let value: Value = serde_json::from_str(&explain(star, &["-d", "pvc", "--json"])).unwrap();
    let roofline = &value["functions"][0]["roofline"];
    let number = |value: &Value| value.as_f64().unwrap();
    assert_eq!(number(&roofline["memory"]["cycles"]), bytes / 2.0, "{roofline}");
    assert_eq!(number(&roofline["cache"]["cycles"]), bytes / 8.0, "{roofline}");
    assert_eq!(number(&roofline["arithmetic_cycles"]), 56.0 * 9.0 * 9.0 / 16.0, "{roofline}");
    assert_eq!((&roofline["memory"]["bound"], number(&roofline["memory"]["share"])), (&json!("memory"), 1.0));
    // A product with 56 rows of B for the same bytes takes longer than they do, and longer than its multiply-adds alone.
    let deep = star.replace("%A: memref<f32x9x9>", "%A: memref<f32x56x56>").replace("%p, %A,", "%A, %p,");
    let value: Value = serde_json::from_str(&explain(&deep, &["-d", "pvc", "--json"])).unwrap();
    let roofline = &value["functions"][0]["roofline"];
    let (issue, share) = (number(&roofline["issue_cycles"]), number(&roofline["cache"]["share"]));
    let arithmetic = 56.0 * 9.0 * 56.0 / 16.0;
    assert!(issue > arithmetic && (share - arithmetic / issue).abs() < 1e-9, "{roofline}");
    assert_eq!(roofline["cache"]["bound"], "issue");

    let text = explain(&deep, &["-d", "pvc"]);
    let line = "    roofline: 100 % with data in memory, bound by memory; ";
    assert!(
        text.contains(line) && text.contains(" with data in the cache, bound by issue (estimate)\n"),
        "{text}"
    );
    // What a device's memory brings is not known, nor what single subgroups do.
    assert!(!explain(star, &["-d", "tgl"]).contains("roofline"));
    let single = star.replace("gemm.n.n %one, %p, %A, %one, %q", "parallel { store %one, %q[%g,%g] }");
    assert!(!explain(&single, &["-d", "pvc"]).contains("roofline"));
}

/// A transposition by way of local memory, whose columns are `$stride` numbers apart.
const TRANSPOSITION: &str = include_str!("common/transposition.ir");

/// Lanes that read a row of local memory meet in banks unless columns are padded; the virtual device counts the same.
#[test]
fn bank_conflicts_of_local_memory_are_told() {
    for (stride, cycles) in [(16, 16), (17, 1), (18, 2), (24, 8)] {
        let define = format!("stride={stride}");
        for device in ["pvc", "dg2"] {
            let text = explain(TRANSPOSITION, &["-d", device, "-D", &define]);
            let line = format!(
                "    line 15: load takes {cycles} cycles of the banks of local memory, 1 without conflicts\n"
            );
            assert_eq!(text.contains(&line), cycles > 1, "{device}, {stride}: {text}");
            let none = text.contains("    accesses of lanes to local memory: 2, no bank conflicts\n");
            assert_eq!(none, cycles == 1, "{device}, {stride}: {text}");
        }
        let value: Value =
            serde_json::from_str(&explain(TRANSPOSITION, &["-d", "pvc", "-D", &define, "--json"])).unwrap();
        let function = &value["functions"][0];
        assert_eq!(function["local_accesses"], json!({ "known": 2, "unknown": 0 }), "{value}");
        let conflict = json!({ "line": 15, "access": "load", "cycles": cycles, "least": 1 });
        let expected = if cycles > 1 { json!([conflict]) } else { json!([]) };
        assert_eq!(function["bank_conflicts"], expected, "{value}");

        let mut tool = Command::new(env!("CARGO_BIN_EXE_tiletc"));
        tool.args([
            "run",
            concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/transposition.ir"),
            "-D",
            &define,
        ]);
        tool.args(["--count", "--json", "--arg", "iota", "--arg", "zeros"]);
        let counted: Value = serde_json::from_slice(&tool.output().unwrap().stdout).unwrap();
        let counters = counted["local_accesses"].as_array();
        let load = counters.and_then(|sites| sites.iter().find(|site| site["is_store"] == false)).unwrap();
        assert_eq!(load["bank_cycles"], json!(16 * cycles), "{stride}: {counted}");
        assert_eq!(load["least_bank_cycles"], json!(16), "{stride}: {counted}");
    }
    // Only memory knows the column that a lane reads.
    let gathered = TRANSPOSITION.replace("%B: memref", "%I: memref<i32x16>, %B: memref");
    let gathered =
        gathered.replace("%a = load %t[%j,%i]", "%x = load %I[%i] %y = cast %x : index %a = load %t[%j,%y]");
    let text = explain(&gathered, &["-d", "pvc"]);
    let line = "    accesses of lanes to local memory: 2, no bank conflicts, 1 not known\n";
    assert!(text.contains(line), "{text}");
    // A kernel without local memory says nothing of banks.
    assert!(!explain(MANY_SUMS, &["-d", "pvc"]).contains("bank"));
}
