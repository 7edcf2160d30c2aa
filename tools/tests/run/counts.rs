//! `--count`: what a kernel did, and what its time is bound by.

use crate::{FUSED, Skip, program, run};

crate::tests! {
    bytes_and_operations_are_counted,
    local_memory_and_barriers_are_counted,
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
    assert!(outcome.text().contains("no peak published"), "{}", outcome.text());
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
