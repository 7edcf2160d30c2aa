//! Texts that are much to read.

use super::{Case, TOO_MUCH, counted, filled, repeated};
use crate::Expected::{Anything, Module, Report};

pub fn all() -> Vec<Case> {
    [tokens(), constants(), definitions()].concat()
}

fn tokens() -> Vec<Case> {
    vec![
        ("one_line", |most| repeated(most, "func @f(){", "barrier ", "}"), Module),
        ("smallest_tokens", |most| repeated(most, "func @f(", ",", ""), Report("expected a value (`%…`)")),
        ("no_tokens", |most| repeated(most, "func @f(){", "?", ""), Report("found `?`")),
        ("calculator", |most| repeated(most, "$a=!calc(1 ", "1 + ", ")func @f(){}"), Module),
        (
            "deep_calculator",
            |most| format!("$a=!calc({}{})func @f(){{}}", "1 ".repeat(most / 3), "+ ".repeat(most / 7)),
            Report("an operator is missing"),
        ),
        ("powers", |most| repeated(most, "$a=!calc(3 ", "9223372036854775807 ^ ", ")func @f(){}"), Module),
        ("minuses", |most| repeated(most, "$a=!calc(", "-", ")func @f(){}"), Report("needs two numbers")),
        ("array", |most| repeated(most, "func @f() attributes{\"a\"=[1", ",1", "]}{}"), Module),
        ("dictionaries", |most| repeated(most, "func @f() attributes{\"a\"=[1", ",{}", "]}{}"), Module),
        (
            "keys",
            |most| filled(most, "func @f() attributes{\"a\"=1", |i| format!(",\"{i}\"=1"), "}{}"),
            Module,
        ),
        (
            "slices",
            |most| repeated(most, "func @f(%a:memref<f32>){%b=subview %a[0", ",0", "]:memref<f32>}"),
            Report("wrong number of indices"),
        ),
        (
            "modes",
            |most| repeated(most, "func @f(%a:memref<f32", "x1", ">){}"),
            Report("of which there may be 64"),
        ),
    ]
}

fn constants() -> Vec<Case> {
    vec![
        (
            "integer_digits",
            |most| repeated(most, "$a=", "9", "\nfunc @f(){}"),
            Report("does not fit into 64 bits"),
        ),
        ("fraction_digits", |most| repeated(most, "$a=0.", "9", "\nfunc @f(){}"), Module),
        ("small_fraction", |most| repeated(most, "$a=0.", "0", "1\nfunc @f(){}"), Report("out of the range")),
        ("hexadecimal_digits", |most| repeated(most, "$a=0x", "f", ".p-3999900\nfunc @f(){}"), Anything),
        ("exponent_digits", |most| repeated(most, "$a=1e", "9", "\nfunc @f(){}"), Report("out of the range")),
        (
            "floats",
            |most| filled(most, "func @f(){", |i| format!("%{i}=constant 1.{i}e-30{}:f64\n", i % 8), "}"),
            Module,
        ),
        (
            "integers",
            |most| {
                let store = |i| format!("%{i}=constant {i}:i64\nstore %{i},%a[]\n");
                filled(most, "func @f(%a:memref<i64>){", store, "}")
            },
            Module,
        ),
    ]
}

fn definitions() -> Vec<Case> {
    vec![
        // Each name stands for two of the one before.
        (
            "doubled_names",
            |_| counted(1_000, "$0=[1]\n", |i| format!("${}=[${i},${i}]\n", i + 1), "func @f(){}").0,
            TOO_MUCH,
        ),
        (
            "nested_names",
            |most| filled(most, "$0=[1]\n", |i| format!("${}=[${i}]\n", i + 1), "func @f(){}"),
            Report("more than 64 levels of nesting"),
        ),
        (
            "copied_names",
            |most| {
                let head = format!("$s=\"{}\"\n", "s".repeat(most / 2));
                filled(most, &head, |i| format!("$t{i}=$s\n"), "func @f(){}")
            },
            Module,
        ),
        (
            "copied_texts",
            |most| {
                let head = format!("$s=\"{}\"\n$a=[$s", "s".repeat(most / 2));
                filled(most, &head, |_| ",$s".to_owned(), "]func @f(){}")
            },
            TOO_MUCH,
        ),
        (
            "copied_types",
            |most| {
                let head = format!("$t=memref<f32{}>\n", "x1".repeat(64));
                filled(most, &head, |i| format!("func @{i}(%a:$t,%b:$t){{}}\n"), "")
            },
            Module,
        ),
    ]
}
