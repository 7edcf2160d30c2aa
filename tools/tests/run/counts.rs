//! `--count`: what a kernel did, and what its time is bound by.

use crate::{FUSED, Skip, program, run};

crate::tests! {
    bytes_and_operations_are_counted,
    local_memory_and_barriers_are_counted,
    cache_lines_are_counted,
    bank_conflicts_are_counted,
    lines_of_chains_are_told_apart,
    loads_under_conditions_have_their_line,
    numbers_do_not_depend_on_threads,
    the_binding_limit_is_named,
    devices_without_numbers_say_so,
}

/// The counter behind a label: the first number, or the second, as for work-items.
#[track_caller]
fn counter(text: &str, label: &str, place: usize) -> u64 {
    let line = text.lines().find(|line| line.trim_start().starts_with(label));
    let line = line.unwrap_or_else(|| panic!("no {label} in {text}"));
    let numbers = line.trim_start()[label.len()..].split(|character: char| !character.is_ascii_digit());
    numbers.filter(|number| !number.is_empty()).nth(place).unwrap().parse().unwrap()
}

const AXPBY: &str = "func @f(%a: f32, %X: memref<f32x64x?>, %Y: memref<f32x64x?>)
    attributes{subgroup_size=16, work_group_size=[64,1]} {
    %g = group_id.x : index
    %x = subview %X[0:64,%g] : memref<f32x64>
    %y = subview %Y[0:64,%g] : memref<f32x64>
    %zero = constant 0.0 : f32
    axpby.n %a, %x, %zero, %y
}";

fn bytes_and_operations_are_counted() -> Result<(), Skip> {
    let arguments = ["--groups", "3", "--arg", "2", "--arg", "iota:64x3", "--arg", "zeros:64x3", "--count"];
    let outcome = run(&[&[program("count.ir", AXPBY)], &arguments[..]].concat()).succeeded();
    let text = outcome.text();
    // Y is only written: zero times what was there is not read.
    assert_eq!(counter(text, "global memory:", 0), 3 * 64 * 4, "{text}");
    assert_eq!(counter(text, "global memory:", 1), 3 * 64 * 4, "{text}");
    assert_eq!(counter(text, "in different cache lines:", 0), 3 * 64 * 4, "{text}");
    assert_eq!(counter(text, "in different cache lines:", 1), 3 * 64 * 4, "{text}");
    assert_eq!(counter(text, "local memory:", 0), 0, "{text}");
    // One multiplication a number at least.
    assert!(counter(text, "f32 operations:", 0) >= 3 * 64, "{text}");
    for class in ["load", "store"] {
        assert_eq!(counter(text, class, 1), 3 * 64, "{text}");
        assert_eq!(counter(text, class, 0), 3 * 4, "{text}");
    }
    Ok(())
}

/// Reads a matrix along its rows, of which each lane has one, and along its columns.
const STRIDED: &str = "func @f(%A: memref<f32x16x64>, %B: memref<f32x64x16>)
    attributes{subgroup_size=16, work_group_size=[16,1]} {
    parallel {
        %lane = subgroup_local_id : i32
        %i = cast %lane : index
        %lb = constant 0 : index
        %step = constant 1 : index
        %ub = constant 64 : index
        for %j=%lb,%ub,%step {
            %a = load %A[%i,%j] : f32
            store %a, %B[%j,%i]
        }
    }
}";

/// The numbers of a row of the table of cache lines.
fn row(text: &str, name: &str) -> Vec<f64> {
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix(name));
    let line = line.unwrap_or_else(|| panic!("no {name} in {text}"));
    line.split_whitespace().map(|number| number.parse().unwrap()).collect()
}

fn cache_lines_are_counted() -> Result<(), Skip> {
    let name = program("count-lines.ir", STRIDED);
    let outcome = run(&[name, "--arg", "iota", "--arg", "zeros", "--count"]).succeeded();
    let text = outcome.text();
    // Column by column: 64 bytes a load, each a cache line of its own.
    assert_eq!(row(text, "10 load"), [64.0, 64.0, 64.0, 1.0, 64.0, 1.0], "{text}");
    // Row by row: each lane of each store has another line, but there are only as many as memory has.
    assert_eq!(row(text, "11 store"), [64.0, 1024.0, 64.0, 16.0, 64.0, 16.0], "{text}");
    assert_eq!(row(text, "all"), [128.0, 1088.0, 128.0, 8.5, 128.0, 8.5], "{text}");
    assert_eq!(counter(text, "compulsory for its work-groups:", 0), 4096, "{text}");
    assert_eq!(counter(text, "compulsory for its work-groups:", 1), 4096, "{text}");
    assert!(text.contains("moved as often as compulsory: 1.00\n"), "{text}");
    // Every work-group reads all of K, which is compulsory for each: bytes that are read twice within one are not.
    let fused = run(&FUSED_ARGUMENTS).succeeded();
    let each = (56 * 56 + 9 * 9 + 2 * 56 * 9) * 4;
    let table = 8;
    assert_eq!(
        counter(fused.text(), "compulsory for its work-groups:", 0),
        70 * (each + table),
        "{}",
        fused.text()
    );
    assert_eq!(
        counter(fused.text(), "compulsory for its work-groups:", 1),
        70 * 56 * 9 * 4,
        "{}",
        fused.text()
    );
    // Copying has no work for an engine; the chain has some.
    assert!(!text.contains("share of the peak"), "{text}");
    assert!(fused.text().contains("share of the peak of the vector engine: at most "), "{}", fused.text());
    Ok(())
}

fn bank_conflicts_are_counted() -> Result<(), Skip> {
    // Each lane reads a column of its own, of which all begin in the same bank unless they are padded by a number.
    for (stride, conflicts) in [(16, 16.0), (17, 1.0), (18, 2.0)] {
        let name = program("count-banks.ir", include_str!("../common/transposition.ir"));
        let define = format!("stride={stride}");
        let outcome = run(&[name, "-D", &define, "--arg", "iota", "--arg", "zeros", "--count"]).succeeded();
        let text = outcome.text();
        let table = text.split_once("cycles of banks, line").map(|(_, table)| table);
        let table = table.unwrap_or_else(|| panic!("no banks in {text}"));
        assert_eq!(row(table, "9 store"), [16.0, 16.0, 16.0, 1.0], "{text}");
        assert_eq!(row(table, "15 load"), [16.0, 16.0 * conflicts, 16.0, conflicts], "{text}");
        let cycles = 16.0 + 16.0 * conflicts;
        assert_eq!(
            row(table, "all"),
            [32.0, cycles, 32.0, f64::round(100.0 * cycles / 32.0) / 100.0],
            "{text}"
        );
    }
    Ok(())
}

/// A product of a product, in lines 3 and 4.
const CHAIN: &str =
    "$t = memref<f32x56x9> func @chain(%K: memref<f32x56x56>, %P: $t, %A: memref<f32x9x9>, %Q: $t, %C: $t) {
    %one = constant 1.0 : f32 %zero = constant 0.0 : f32 BETWEEN
    gemm.n.n %one, %K, %P, %zero, %t
    gemm.n.n %one, %t, %A, %one, %Q
}";

fn lines_of_chains_are_told_apart() -> Result<(), Skip> {
    // Cache lines of K, of A, and of each of the others.
    let (k, a, other) = (196.0, 6.0, 32.0);
    let kept = program("count-chain.ir", &CHAIN.replace("BETWEEN", "%t = alloca : memref<f32x56x9,local>"));
    let stored = program("count-stored.ir", &CHAIN.replace("BETWEEN", "").replace("%t", "%C"));
    for device in ["virtual:pvc", "virtual:bmg", "virtual:dg2", "virtual:tgl"] {
        for (name, second) in [(kept, a + other), (stored, a + 2.0 * other)] {
            let arguments = [name, "--device", device, "--count"];
            let fills = ["--arg", "random"].repeat(5);
            let outcome = run(&[&arguments[..], &fills].concat()).succeeded();
            let (text, compulsory) = (outcome.text(), 4);
            assert_eq!(row(text, "3 load")[compulsory], k + other, "{device} {name}: {text}");
            assert_eq!(row(text, "4 load")[compulsory], second, "{device} {name}: {text}");
            assert_eq!(row(text, "4 store")[compulsory], other, "{device} {name}: {text}");
            assert_eq!(text.contains("3 store"), name == stored, "{device} {name}: {text}");
            assert!(!text.contains("? load") && !text.contains("? store"), "{device} {name}: {text}");
        }
    }
    // What a product of tiles loads on the way is what the loads name.
    let tiles = "$s = tile<f32x16x16,matrix_acc> $t = memref<f32x16x16>
    func @tiles(%A: memref<f32x?x?>, %B: $t, %C: $t) {
        %o = constant 0 : index %z = constant 0.0 : $s
        %a = tile_load %A[%o,%o] : tile<f32x16x16,matrix_a>
        %b = tile_load %B[%o,%o] : tile<f32x16x16,matrix_b>
        %c = tile_dot %a, %b, %z : $s
        tile_store %c, %C[%o,%o]
    }";
    let name = program("count-tiles.ir", tiles);
    for device in ["virtual:pvc", "virtual:dg2"] {
        let fills = ["--arg", "random:16x16", "--arg", "random", "--arg", "zeros"];
        let outcome = run(&[&[name, "--device", device, "--count"], &fills[..]].concat()).succeeded();
        let text = outcome.text();
        for site in ["4 load", "5 load", "7 store", "all"] {
            assert_eq!(row(text, site)[4], if site == "all" { 48.0 } else { 16.0 }, "{device}: {text}");
        }
        assert!(!text.contains("6 load") && !text.contains('?'), "{device}: {text}");
    }
    Ok(())
}

/// A matrix of which the last rows and columns are loaded and stored under conditions.
fn loads_under_conditions_have_their_line() -> Result<(), Skip> {
    let text = "func @f(%A: memref<f32x?x?>, %B: memref<f32x?x?>, %C: memref<f32x?x?>) {
        %one = constant 1.0 : f32
        gemm.n.n %one, %A, %B, %one, %C
    }";
    let name = program("count-conditions.ir", text);
    for device in ["virtual:pvc", "virtual:tgl"] {
        let fills = ["--arg", "random:19x7", "--arg", "random:7x5", "--arg", "random:19x5"];
        let outcome = run(&[&[name, "--device", device, "--count"], &fills[..]].concat()).succeeded();
        let text = outcome.text();
        let [loads, stores, all] = ["3 load", "3 store", "all"].map(|site| row(text, site)[0]);
        assert!(loads > 0.0 && stores > 0.0 && loads + stores == all, "{device}: {text}");
    }
    Ok(())
}

const LOCAL: &str = "func @f(%A: memref<f32x64>) attributes{subgroup_size=16, work_group_size=[64,1]} {
    %s = alloca : memref<f32x64,local>
    %one = constant 1.0 : f32
    %zero = constant 0.0 : f32
    axpby.n %one, %A, %zero, %s
    axpby.n %one, %s, %zero, %A
}";

fn local_memory_and_barriers_are_counted() -> Result<(), Skip> {
    let outcome = run(&[program("count-local.ir", LOCAL), "--arg", "iota", "--count"]).succeeded();
    let text = outcome.text();
    assert_eq!(counter(text, "local memory:", 0), 256, "{text}");
    assert_eq!(counter(text, "local memory:", 1), 256, "{text}");
    // Of four subgroups.
    assert_eq!(counter(text, "barrier", 0) % 4, 0, "{text}");
    assert!(counter(text, "barrier", 0) >= 4, "{text}");
    Ok(())
}

/// The arguments of the fused kernel.
const FUSED_ARGUMENTS: [&str; 12] = [
    FUSED,
    "--groups",
    "70",
    "--arg",
    "K=random",
    "--arg",
    "P=random:56x9x70",
    "--arg",
    "A=random:9x9x70",
    "--arg",
    "Q=zeros:56x9x70",
    "--count",
];

fn numbers_do_not_depend_on_threads() -> Result<(), Skip> {
    let once = run(&FUSED_ARGUMENTS).succeeded();
    let again = run(&FUSED_ARGUMENTS).succeeded();
    // Where memory lies differs from run to run, but it starts at a multiple of a cache line.
    assert_eq!(once.text(), again.text());
    Ok(())
}

fn the_binding_limit_is_named() -> Result<(), Skip> {
    let outcome = run(&FUSED_ARGUMENTS).succeeded();
    let text = outcome.text();
    for word in [
        "roofline estimate for pvc (one stack of a Data Center GPU Max 1550): at least ",
        "bound by ",
        "at 1638.4 GB/s",
        "f32 arithmetic",
        "local memory",
        "An estimate from published peak numbers",
    ] {
        assert!(text.contains(word), "{word:?} is not in {text}");
    }
    assert!(!text.contains("cores have work"), "{text}");
    // The same work is bound by something else where arithmetic is slow: double precision on a B580.
    let text = std::fs::read_to_string(FUSED).unwrap().replace("f32", "f64");
    let arguments =
        [&[program("count-f64.ir", &text), "--device", "virtual:bmg"], &FUSED_ARGUMENTS[1..]].concat();
    let outcome = run(&arguments).succeeded();
    assert!(outcome.text().contains("for bmg (Arc B580): at least "), "{}", outcome.text());
    assert!(outcome.text().contains("bound by f64 arithmetic\n"), "{}", outcome.text());
    let local =
        run(&[program("count-peak.ir", LOCAL), "--device", "virtual:bmg", "--arg", "iota", "--count"])
            .succeeded();
    assert!(local.text().contains("no peak published"), "{}", local.text());
    let few = run(&[program("count-few.ir", LOCAL), "--arg", "iota", "--count"]).succeeded();
    assert!(few.text().contains("1 of 64 cores have work"), "{}", few.text());
    Ok(())
}

fn devices_without_numbers_say_so() -> Result<(), Skip> {
    let name = program("count-generic.ir", LOCAL);
    let outcome = run(&[name, "--device", "virtual:generic", "--arg", "iota", "--count"]).succeeded();
    assert!(
        outcome.text().contains("no roofline: there are no peak numbers of generic"),
        "{}",
        outcome.text()
    );
    let empty = program("count-empty.ir", "func @f() { }");
    let outcome = run(&[empty, "--count"]).succeeded();
    assert!(outcome.text().contains("no roofline: nothing was done"), "{}", outcome.text());
    Ok(())
}
