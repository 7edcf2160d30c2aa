#![allow(clippy::unwrap_used)]

use super::{Finding, find};
use crate::diagnostics::SourceId;
use crate::driver;
use crate::ir::Ir;

/// Message of each finding, behind `if ` if the instruction need not be carried out.
fn findings(body: &str) -> Vec<String> {
    let text = format!(
        "func @f(%x: f32, %A: memref<f32x8x?>, %n: index, %G: group<memref<f32x4>x?>) {{
            %zero = constant 0 : index
            %seven = constant 7 : index
            %eight = constant 8 : index
            {body}
        }}"
    );
    let mut ir = Ir::default();
    let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
    let found = find(&ir, *program.functions.first().unwrap());
    let shown = |Finding { error, is_conditional }: Finding| {
        let message = error.to_string();
        let (_, detail) = message.split_once(" (").unwrap();
        let detail = detail.split_once(';').unwrap().0.to_owned();
        if is_conditional { format!("if {detail}") } else { detail }
    };
    found.into_iter().map(shown).collect()
}

#[test]
fn what_is_in_bounds_or_not_known_is_left_alone() {
    for body in [
        "store %x, %A[%seven,%eight]",
        "store %x, %A[%n,%n]",
        "%m = load %G[%eight] : memref<f32x4>",
        "%v = subview %A[4:4,%n] : memref<f32x4>",
        "%v = subview %A[0:8,100] : memref<f32x8>",
        "%v = subview %A[%n:8,0:%n] : memref<f32x8x?>",
        "%v = subview %A[8:%n,0] : memref<f32x?>",
        "%v = expand %A[0->2 x %n] : memref<f32x2x?x?>",
        "%i = mul %n, %eight : index store %x, %A[%i,%zero]",
    ] {
        assert_eq!(findings(body), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn what_leaves_the_tensor_is_found_in_order() {
    let body = "store %x, %A[%seven,%zero]
        store %x, %A[%eight,%zero]
        %i = sub %seven, %eight : index
        %y = load %A[%zero,%i] : f32
        %v = subview %A[5:4,0] : memref<f32x4>
        %w = subview %A[%n:9,0] : memref<f32x9>
        %u = subview %A[9:%n,0] : memref<f32x?>
        %s = subview %A[0:8,%i] : memref<f32x8>";
    assert_eq!(
        findings(body),
        [
            "index 8 of mode 0",
            "index -1 of mode 1",
            "slice 5:4 of mode 0 ends at 9, the mode at 8",
            "a slice of mode 0 has size 9, the mode at 8",
            "a slice of mode 0 starts at 9, the mode at 8",
            "offset -1 of mode 1",
        ]
    );
}

#[test]
fn what_need_not_be_carried_out_is_conditional() {
    let store = "store %x, %A[%eight,%zero]";
    let cases = [
        (format!("%c = less_than %n, %eight : bool if %c {{ {store} }}"), "if index 8 of mode 0"),
        (format!("%c = less_than %n, %eight : bool if %c {{ }} else {{ {store} }}"), "if index 8 of mode 0"),
        (format!("for %k=%zero,%n {{ {store} }}"), "if index 8 of mode 0"),
        (format!("for %k=%zero,%eight {{ {store} }}"), "index 8 of mode 0"),
        (format!("for %k=%eight,%eight {{ {store} }}"), ""),
        (format!("%c = constant true : bool if %c {{ {store} }} else {{ {store} }}"), "index 8 of mode 0"),
        (format!("%c = constant false : bool if %c {{ {store} }}"), ""),
        (format!("parallel {{ {store} }}"), "index 8 of mode 0"),
        (format!("foreach (%k)=(%zero),(%eight) {{ {store} }}"), "index 8 of mode 0"),
        (format!("foreach (%k)=(%zero),(%n) {{ {store} }}"), "if index 8 of mode 0"),
    ];
    for (body, expected) in cases {
        let expected: Vec<&str> = if expected.is_empty() { Vec::new() } else { vec![expected] };
        assert_eq!(findings(&body), expected, "{body}");
    }
}
