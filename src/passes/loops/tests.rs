#![allow(clippy::unwrap_used)]

use super::*;
use crate::diagnostics::Sources;
use crate::driver::{self, Options};
use crate::ir::verify;

/// A loop that adds elements up, from `from` to `to`, and stores the sum.
fn sum([from, to]: [&str; 2]) -> String {
    format!(
        "func @f(%A: memref<f32x100>, %m: i32, %n: i32) {{
            %x = constant 0.0 : f32
            %from = {from}
            %to = {to}
            %sum = for %i=%from,%to init(%s=%x) -> (f32) {{
                %a = load %A[%i] : f32
                %t = add %s, %a : f32
                yield (%t)
            }}
            store %sum, %A[%from]
        }}"
    )
}

const UNKNOWN: [&str; 2] = ["cast %m : index", "cast %n : index"];

fn constants(from: i64, to: i64) -> String {
    sum([&format!("constant {from} : index"), &format!("constant {to} : index")])
}

/// Applies `change` to the first loop of a function; what became of it, and the text of the function without what
/// the tests start from and what is dead.
fn changed(text: &str, change: impl FnOnce(&mut Ir, Inst) -> Result<Outcome, Error>) -> (Outcome, String) {
    let mut ir = Ir::default();
    let source = Sources::new().add("test", text.as_bytes());
    let program = driver::parse(&mut ir, source, text.as_bytes()).unwrap();
    let body = ir[*program.functions.first().unwrap()].body;
    let inst = ir.insts(body).find(|&inst| matches!(ir[inst].op, Op::For(_))).unwrap();
    let outcome = change(&mut ir, inst).unwrap();
    verify(&ir, &program).unwrap();
    if let Outcome::Replaced(Some(rest)) = outcome {
        assert!(matches!(ir[rest].op, Op::For(_)));
    }
    driver::run_pass("dead-code-elimination", &mut ir, &program, None, &Options::default()).unwrap();
    let printed = driver::print(&ir, &program).to_string();
    let (_, body) = printed.split_once(") {\n").unwrap();
    let is_given = |line: &&str| ["%x =", "%from =", "%to ="].iter().any(|start| line.starts_with(start));
    let shown: Vec<&str> =
        body.trim_end_matches("}\n").lines().map(str::trim).filter(|line| !is_given(line)).collect();
    (outcome, shown.join("\n"))
}

/// Rotates a loop at the second instruction of its body.
fn rotate_at_second(ir: &mut Ir, inst: Inst) -> Result<Outcome, Error> {
    let body = *ir[inst].regions.first().unwrap();
    let second = ir.insts(body).nth(1).unwrap();
    rotate(ir, inst, second)
}

fn lines(text: &str) -> String {
    text.trim().lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

/// The same, and the text is the expected one.
fn becomes(
    text: &str,
    change: impl FnOnce(&mut Ir, Inst) -> Result<Outcome, Error>,
    expected: &str,
) -> Outcome {
    let (outcome, text) = changed(text, change);
    assert_eq!(text, lines(expected));
    outcome
}

/// Splits a loop at a number.
fn split_at(ir: &mut Ir, inst: Inst, limit: i64) -> Result<Outcome, Error> {
    let limit = Builder::before(ir, inst)?.index(limit)?;
    split(ir, inst, limit).map(|rest| Outcome::Replaced(Some(rest)))
}

#[test]
fn a_loop_ends_at_a_limit_and_another_takes_what_is_left() {
    becomes(
        &constants(2, 9),
        |ir, inst| split_at(ir, inst, 5),
        "
        %0 = constant 5 : index
        %1 = constant 5 : index
        %sum = for %i=%from,%0 init(%s=%x) -> (f32) {
            %a = load %A[%i] : f32
            %t = add %s, %a : f32
            yield (%t)
        }
        %2 = for %i=%1,%to init(%s=%sum) -> (f32) {
            %3 = load %A[%i] : f32
            %4 = add %s, %3 : f32
            yield (%4)
        }
        store %2, %A[%from]
",
    );
    becomes(
        &sum(UNKNOWN),
        |ir, inst| split_at(ir, inst, 5),
        "
        %0 = constant 5 : index
        %1 = min %to, %0 : index
        %2 = constant 0 : index
        %3 = sub %1, %from : index
        %4 = max %3, %2 : index
        %5 = add %from, %4 : index
        %sum = for %i=%from,%1 init(%s=%x) -> (f32) {
            %a = load %A[%i] : f32
            %t = add %s, %a : f32
            yield (%t)
        }
        %6 = for %i=%5,%to init(%s=%sum) -> (f32) {
            %7 = load %A[%i] : f32
            %8 = add %s, %7 : f32
            yield (%8)
        }
        store %6, %A[%from]
",
    );
}

#[test]
fn the_first_turn_comes_before_the_loop() {
    let outcome = becomes(
        &constants(2, 9),
        |ir, inst| peel(ir, inst, Turn::First),
        "
        %0 = load %A[%from] : f32
        %1 = add %x, %0 : f32
        %2 = constant 3 : index
        %3 = constant 1 : index
        %6 = for %4=%2,%to,%3 init(%5=%1) -> (f32) {
            %7 = load %A[%4] : f32
            %8 = add %5, %7 : f32
            yield (%8)
        }
        store %6, %A[%from]
",
    );
    assert!(matches!(outcome, Outcome::Replaced(Some(_))));
    let outcome = becomes(
        &sum(UNKNOWN),
        |ir, inst| peel(ir, inst, Turn::First),
        "
        %0 = less_than %from, %to : bool
        %1 = if %0 -> (f32) {
            %2 = load %A[%from] : f32
            %3 = add %x, %2 : f32
            %4 = constant 1 : index
            %5 = add %from, %4 : index
            %6 = constant 1 : index
            %9 = for %7=%5,%to,%6 init(%8=%3) -> (f32) {
                %10 = load %A[%7] : f32
                %11 = add %8, %10 : f32
                yield (%11)
            }
            yield (%9)
        } else {
            yield (%x)
        }
        store %1, %A[%from]
",
    );
    assert!(matches!(outcome, Outcome::Replaced(Some(_))));
    let outcome = becomes(
        &constants(3, 4),
        |ir, inst| peel(ir, inst, Turn::First),
        "
        %0 = load %A[%from] : f32
        %1 = add %x, %0 : f32
        store %1, %A[%from]
",
    );
    assert!(matches!(outcome, Outcome::Replaced(None)));
    let outcome = becomes(
        &constants(3, 3),
        |ir, inst| peel(ir, inst, Turn::First),
        "
        store %x, %A[%from]
",
    );
    assert!(matches!(outcome, Outcome::Replaced(None)));
}

#[test]
fn the_last_turn_comes_after_the_loop() {
    let outcome = becomes(
        &constants(2, 9),
        |ir, inst| peel(ir, inst, Turn::Last),
        "
        %0 = constant 8 : index
        %1 = constant 1 : index
        %4 = for %2=%from,%0,%1 init(%3=%x) -> (f32) {
            %5 = load %A[%2] : f32
            %6 = add %3, %5 : f32
            yield (%6)
        }
        %7 = load %A[%0] : f32
        %8 = add %4, %7 : f32
        store %8, %A[%from]
",
    );
    assert!(matches!(outcome, Outcome::Replaced(Some(_))));
    let outcome = becomes(
        &sum(UNKNOWN),
        |ir, inst| peel(ir, inst, Turn::Last),
        "
        %0 = less_than %from, %to : bool
        %1 = if %0 -> (f32) {
            %2 = sub %to, %from : index
            %3 = constant 1 : index
            %4 = sub %2, %3 : index
            %5 = add %from, %4 : index
            %6 = constant 1 : index
            %9 = for %7=%from,%5,%6 init(%8=%x) -> (f32) {
                %10 = load %A[%7] : f32
                %11 = add %8, %10 : f32
                yield (%11)
            }
            %12 = load %A[%5] : f32
            %13 = add %9, %12 : f32
            yield (%13)
        } else {
            yield (%x)
        }
        store %1, %A[%from]
",
    );
    assert!(matches!(outcome, Outcome::Replaced(Some(_))));
    let outcome = becomes(
        &constants(3, 4),
        |ir, inst| peel(ir, inst, Turn::Last),
        "
        %0 = constant 3 : index
        %1 = load %A[%0] : f32
        %2 = add %x, %1 : f32
        store %2, %A[%from]
",
    );
    assert!(matches!(outcome, Outcome::Replaced(None)));
    let outcome = becomes(
        &constants(3, 3),
        |ir, inst| peel(ir, inst, Turn::Last),
        "
        store %x, %A[%from]
",
    );
    assert!(matches!(outcome, Outcome::Replaced(None)));
}

#[test]
fn several_turns_become_one() {
    let outcome = becomes(
        &constants(2, 9),
        |ir, inst| unroll(ir, inst, 3),
        "
        %0 = constant 8 : index
        %1 = constant 3 : index
        %4 = for %2=%from,%0,%1 init(%3=%x) -> (f32) {
            %5 = load %A[%2] : f32
            %6 = add %3, %5 : f32
            %7 = constant 1 : index
            %8 = add %2, %7 : index
            %9 = load %A[%8] : f32
            %10 = add %6, %9 : f32
            %11 = constant 2 : index
            %12 = add %2, %11 : index
            %13 = load %A[%12] : f32
            %14 = add %10, %13 : f32
            yield (%14)
        }
        %15 = load %A[%0] : f32
        %16 = add %4, %15 : f32
        store %16, %A[%from]
",
    );
    assert!(matches!(outcome, Outcome::Replaced(Some(_))));
    let outcome = becomes(
        &sum(UNKNOWN),
        |ir, inst| unroll(ir, inst, 3),
        "
        %0 = less_than %from, %to : bool
        %1 = if %0 -> (f32) {
            %2 = sub %to, %from : index
            %3 = constant 3 : index
            %4 = div %2, %3 : index
            %5 = constant 3 : index
            %6 = mul %4, %5 : index
            %7 = add %from, %6 : index
            %8 = constant 3 : index
            %11 = for %9=%from,%7,%8 init(%10=%x) -> (f32) {
                %12 = load %A[%9] : f32
                %13 = add %10, %12 : f32
                %14 = constant 1 : index
                %15 = add %9, %14 : index
                %16 = load %A[%15] : f32
                %17 = add %13, %16 : f32
                %18 = constant 2 : index
                %19 = add %9, %18 : index
                %20 = load %A[%19] : f32
                %21 = add %17, %20 : f32
                yield (%21)
            }
            %22 = constant 1 : index
            %25 = for %23=%7,%to,%22 init(%24=%11) -> (f32) {
                %26 = load %A[%23] : f32
                %27 = add %24, %26 : f32
                yield (%27)
            }
            yield (%25)
        } else {
            yield (%x)
        }
        store %1, %A[%from]
",
    );
    assert!(matches!(outcome, Outcome::Replaced(Some(_))));
    let outcome = becomes(
        &constants(3, 4),
        |ir, inst| unroll(ir, inst, 3),
        "
        %0 = constant 3 : index
        %1 = load %A[%0] : f32
        %2 = add %x, %1 : f32
        store %2, %A[%from]
",
    );
    assert!(matches!(outcome, Outcome::Replaced(None)));
    let outcome = becomes(
        &constants(3, 3),
        |ir, inst| unroll(ir, inst, 3),
        "
        store %x, %A[%from]
",
    );
    assert!(matches!(outcome, Outcome::Replaced(None)));
}

#[test]
fn the_head_of_the_body_moves_to_the_turn_before() {
    let outcome = becomes(
        &constants(2, 9),
        rotate_at_second,
        "
        %0 = constant 8 : index
        %1 = load %A[%from] : f32
        %2 = constant 1 : index
        %6,%7 = for %3=%from,%0,%2 init(%4=%x,%5=%1) -> (f32,f32) {
            %8 = add %4, %5 : f32
            %9 = constant 1 : index
            %10 = add %3, %9 : index
            %11 = load %A[%10] : f32
            yield (%8, %11)
        }
        %12 = add %6, %7 : f32
        store %12, %A[%from]
",
    );
    assert!(matches!(outcome, Outcome::Replaced(Some(_))));
    let outcome = becomes(
        &sum(UNKNOWN),
        rotate_at_second,
        "
        %0 = less_than %from, %to : bool
        %1 = if %0 -> (f32) {
            %2 = sub %to, %from : index
            %3 = constant 1 : index
            %4 = sub %2, %3 : index
            %5 = add %from, %4 : index
            %6 = load %A[%from] : f32
            %7 = constant 1 : index
            %11,%12 = for %8=%from,%5,%7 init(%9=%x,%10=%6) -> (f32,f32) {
                %13 = add %9, %10 : f32
                %14 = constant 1 : index
                %15 = add %8, %14 : index
                %16 = load %A[%15] : f32
                yield (%13, %16)
            }
            %17 = add %11, %12 : f32
            yield (%17)
        } else {
            yield (%x)
        }
        store %1, %A[%from]
",
    );
    assert!(matches!(outcome, Outcome::Replaced(Some(_))));
    let outcome = becomes(
        &constants(3, 4),
        rotate_at_second,
        "
        %0 = load %A[%from] : f32
        %1 = add %x, %0 : f32
        store %1, %A[%from]
",
    );
    assert!(matches!(outcome, Outcome::Replaced(None)));
    let outcome = becomes(
        &constants(3, 3),
        rotate_at_second,
        "
        store %x, %A[%from]
",
    );
    assert!(matches!(outcome, Outcome::Replaced(None)));
}

#[test]
fn what_cannot_be_counted_or_carried_stays() {
    let peeled = |text: &str| changed(text, |ir, inst| peel(ir, inst, Turn::Last)).0;
    assert_ne!(peeled(&constants(0, 9)), Outcome::Unchanged);
    let with_step = |step: &str| {
        format!(
            "func @f(%m: index, %n: index) {{
                %from = constant 0 : index
                %to = constant 9 : index
                %step = {step}
                for %i=%from,%to,%step {{ barrier.local }}
            }}"
        )
    };
    assert_ne!(peeled(&with_step("constant 2 : index")), Outcome::Unchanged);
    assert_eq!(peeled(&with_step("constant 0 : index")), Outcome::Unchanged);
    assert_eq!(peeled(&with_step("add %m, %n : index")), Outcome::Unchanged);
    // Nothing is known of the distance of two numbers.
    let far = "func @f(%m: index, %n: index) { for %i=%m,%n { barrier.local } }";
    assert_eq!(peeled(far), Outcome::Unchanged);
    // A view cannot be carried to the next turn.
    let view = "func @f(%A: memref<f32x8x8>) {
        %from = constant 0 : index
        %to = constant 8 : index
        %x = constant 1.0 : f32
        for %i=%from,%to {
            %v = subview %A[0:8,%i] : memref<f32x8>
            store %x, %v[%i]
        }
    }";
    assert_eq!(changed(view, rotate_at_second).0, Outcome::Unchanged);
}
