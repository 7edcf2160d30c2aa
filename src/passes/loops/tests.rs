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

/// Splits the first loop of a function at a number; the text of the function without what the tests start from and what
/// is dead.
fn split_at(text: &str, limit: i64) -> String {
    let mut ir = Ir::default();
    let source = Sources::new().add("test", text.as_bytes());
    let program = driver::parse(&mut ir, source, text.as_bytes()).unwrap();
    let body = ir[*program.functions.first().unwrap()].body;
    let inst = ir.insts(body).find(|&inst| matches!(ir[inst].op, Op::For(_))).unwrap();
    let limit = Builder::before(&mut ir, inst).unwrap().index(limit).unwrap();
    let rest = split(&mut ir, inst, limit).unwrap();
    verify(&ir, &program).unwrap();
    assert!(matches!(ir[rest].op, Op::For(_)));
    driver::run_pass("dead-code-elimination", &mut ir, &program, None, &Options::default()).unwrap();
    let printed = driver::print(&ir, &program).to_string();
    let (_, body) = printed.split_once(") {\n").unwrap();
    let is_given = |line: &&str| ["%x =", "%from =", "%to ="].iter().any(|start| line.starts_with(start));
    let shown: Vec<&str> =
        body.trim_end_matches("}\n").lines().map(str::trim).filter(|line| !is_given(line)).collect();
    shown.join("\n")
}

/// The text of a function that is split at 5.
fn becomes(text: &str, expected: &str) {
    let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    assert_eq!(split_at(text, 5), expected.join("\n"));
}

#[test]
fn a_loop_ends_at_a_limit_and_another_takes_what_is_left() {
    becomes(
        &constants(2, 9),
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
