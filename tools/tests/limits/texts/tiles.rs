//! Tiles, loops over them, and products of sizes that are known at run time only.

use super::{Case, TOO_MUCH};
use crate::Expected::{Anything, Module, Report};

pub fn all() -> Vec<Case> {
    [sizes(), versions()].concat()
}

/// A product of a tile of `rows`×`depth` and one of `depth`×`cols`.
fn product(rows: i64, cols: i64, depth: i64) -> String {
    let (a, b) = (format!("tile<f32x{rows}x{depth},matrix_a>"), format!("tile<f32x{depth}x{cols},matrix_b>"));
    let c = format!("tile<f32x{rows}x{cols},matrix_acc>");
    format!(
        "func @f(%A:memref<f32x?x?>,%i:index){{%c=constant 0.0:{c}\n%a=tile_load %A[%i,%i]:{a}\n\
         %b=tile_load %A[%i,%i]:{b}\n%d=tile_dot %a,%b,%c:{c}\ntile_store %d,%A[%i,%i]}}"
    )
}

fn sizes() -> Vec<Case> {
    vec![
        (
            "deep_tile",
            |_| product(16, 16, 8_000_000_000),
            Report("elements, of which a tile may have 1048576"),
        ),
        ("deep_tile_of_127_bits", |_| product(16, 16, i64::MAX), TOO_MUCH),
        ("wide_tile", |_| product(16, i64::MAX, 16), TOO_MUCH),
        ("tall_tile", |_| product(i64::MAX, 16, 16), TOO_MUCH),
        ("deepest_tile", |_| product(16, 16, 1 << 16), Module),
        ("widest_tile", |_| product(16, 1 << 16, 16), Report("tile exceeds the registers")),
        ("odd_tile", |_| product(16, 17, 65_521), Anything),
        (
            "held_tile",
            |_| {
                "func @f(%A:memref<f32x?x?>,%i:index,%x:f32){%c=constant 0.0:tile<f32x16x16,matrix_acc>\n\
                 %l=tile_load %A[%i,%i]:tile<f32x16x65536,matrix_a>\n\
                 %a=tile_scale %x,%l:tile<f32x16x65536,matrix_a>\n\
                 %b=tile_load %A[%i,%i]:tile<f32x65536x16,matrix_b>\n\
                 %d=tile_dot %a,%b,%c:tile<f32x16x16,matrix_acc>\ntile_store %d,%A[%i,%i]}"
                    .into()
            },
            Anything,
        ),
        (
            "prefetched_tile",
            |_| {
                format!("func @f(%A:memref<f32x?x?>,%i:index){{tile_prefetch 0,%A[%i,%i],{0},{0}}}", i32::MAX)
            },
            Anything,
        ),
    ]
}

fn versions() -> Vec<Case> {
    vec![
        ("nested_loops", |_| nested_loops(16), Module),
        ("many_nested_loops", |_| nested_loops(60), Anything),
        (
            "dynamic_products",
            |_| {
                let ty = "memref<f32x?x?>";
                let products = "gemm %x,%A,%B,%x,%C\n".repeat(200);
                format!("func @f(%x:f32,%A:{ty},%B:{ty},%C:{ty}){{{products}}}")
            },
            Module,
        ),
    ]
}

/// Loops within each other, each of which adds a product whose factors its counter moves along.
fn nested_loops(levels: usize) -> String {
    let tile = |usage: &str| format!("tile<f32x32x32,matrix_{usage}>");
    let (a, b, c) = (tile("a"), tile("b"), tile("acc"));
    let level = |i: usize| {
        format!(
            "for %i{i}=%o,%n,%s{{%a{i}=tile_load %A[%o,%i{i}]:{a}\n%b{i}=tile_load %B[%i{i},%o]:{b}\n\
             %d{i}=tile_dot %a{i},%b{i},%z:{c}\ntile_store %d{i},%C[%o,%i{i}]\n"
        )
    };
    let loops: String = (0..levels).map(level).collect();
    let ty = "memref<f32x?x?>";
    format!(
        "func @f(%A:{ty},%B:{ty},%C:{ty},%n:index){{%o=constant 0:index\n%s=constant 32:index\n\
         %z=constant 0.0:{c}\n{loops}{}}}",
        "}".repeat(levels)
    )
}
