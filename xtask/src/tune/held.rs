//! Products, loops over tiles and chains that neither the grid nor the manual has.

use tiletc::diagnostics::SourceId;
use tiletc::driver;
use tiletc::ir::{Func, Ir, Program as Functions};

/// A program.
pub struct Program {
    /// Its name.
    pub name: String,
    /// Its text, with one function.
    pub text: String,
    /// True if it computes with numbers of 64 bits.
    pub is_wide: bool,
    /// Names of the parameters with the extents that are known, and whether there is one such matrix for each work-group.
    pub parameters: Vec<(&'static str, String, bool)>,
}

impl Program {
    /// Parses it, for [`driver::Kernel`].
    pub fn make(&self, ir: &mut Ir) -> Result<(Functions, Func), String> {
        let program = driver::parse(ir, SourceId::UNKNOWN, self.text.as_bytes());
        let program = program.map_err(|error| error.to_string())?;
        let func = program.functions.first().copied().ok_or("there is no function")?;
        Ok((program, func))
    }
}

/// All of them.
pub fn all() -> Vec<Program> {
    let mut programs = Vec::new();
    let mut add = |name: String, (text, parameters): Written| {
        let is_wide = text.contains("f64");
        programs.push(Program { name, text, is_wide, parameters });
    };
    for real in ["f32", "f64"] {
        for (transposes, extents) in VECTOR {
            let [m, n, k] = extents;
            add(format!("{real} {transposes} {m}x{n}x{k}"), product(transposes, extents, [real; 2]));
        }
        for (rows, cols) in CHAINS {
            add(format!("chain {real} {rows}x{cols}"), chain(real, rows, cols));
        }
    }
    for types @ [factor, sum] in [["bf16", "f32"], ["f16", "f32"], ["i8", "i32"]] {
        for (transposes, extents) in ENGINE {
            let [m, n, k] = extents;
            add(format!("{factor} {transposes} {m}x{n}x{k}"), product(transposes, extents, types));
        }
        add(format!("{factor} tiles 96x64x32"), tiles(factor, sum, [96, 64, 32]));
    }
    add("f32 tiles 64x48x16".to_owned(), tiles("f32", "f32", [64, 48, 16]));
    programs
}

/// A text and the parameters of its function.
type Written = (String, Vec<(&'static str, String, bool)>);

/// Transpositions, and rows and columns of C and columns of op(A), of products in vector code.
const VECTOR: [(&str, [u32; 3]); 13] = [
    ("n.n", [13, 13, 13]),
    ("n.n", [18, 18, 18]),
    ("n.n", [28, 28, 28]),
    ("n.n", [36, 36, 36]),
    ("n.n", [52, 52, 52]),
    ("n.n", [45, 9, 45]),
    ("n.n", [30, 6, 30]),
    ("n.n", [66, 9, 21]),
    ("n.n", [96, 12, 12]),
    ("t.n", [36, 36, 36]),
    ("n.t", [28, 28, 28]),
    ("n.t", [49, 7, 7]),
    ("t.t", [20, 20, 20]),
];

/// The same of products on engines.
const ENGINE: [(&str, [u32; 3]); 9] = [
    ("n.n", [20, 20, 32]),
    ("n.n", [40, 40, 40]),
    ("n.n", [56, 24, 40]),
    ("n.n", [80, 80, 80]),
    ("n.n", [33, 17, 50]),
    ("n.n", [96, 64, 160]),
    ("t.n", [48, 48, 48]),
    ("n.t", [40, 40, 40]),
    ("t.t", [32, 32, 32]),
];

/// Rows and columns of the chains' result.
const CHAINS: [(u32, u32); 3] = [(15, 9), (30, 9), (64, 12)];

fn product(transposes: &str, [m, n, k]: [u32; 3], [factor, sum]: [&str; 2]) -> Written {
    let shape = |is_transposed: bool, rows: u32, cols: u32| {
        if is_transposed { format!("{cols}x{rows}") } else { format!("{rows}x{cols}") }
    };
    let (a, b) = (shape(transposes.starts_with('t'), m, k), shape(transposes.ends_with('t'), k, n));
    let view = |name: &str, shape: &str| {
        let [rows, cols] = [0, 1].map(|mode| shape.split('x').nth(mode).unwrap_or_default());
        format!("  %{} = subview %{name}[0:{rows},0:{cols},%g]\n", name.to_lowercase())
    };
    let c = format!("{m}x{n}");
    let text = format!(
        "func @g(%A: memref<{factor}x{a}x?>, %B: memref<{factor}x{b}x?>, %C: memref<{sum}x{c}x?>) {{\n  \
         %g = group_id.x\n{}{}{}  gemm.{transposes} {}, %a, %b, {}, %c\n}}\n",
        view("A", &a),
        view("B", &b),
        view("C", &c),
        one(factor),
        one(sum),
    );
    (text, vec![("A", a, true), ("B", b, true), ("C", c, true)])
}

fn one(ty: &str) -> &'static str {
    if ty.starts_with('i') { "1" } else { "1.0" }
}

/// Q += K·P·A.
fn chain(real: &str, rows: u32, cols: u32) -> Written {
    let text = format!(
        "func @g(%K: memref<{real}x{rows}x{rows}>, %P: memref<{real}x{rows}x{cols}x?>, %A: memref<{real}x{cols}x{cols}x?>,
        %Q: memref<{real}x{rows}x{cols}x?>) {{
  %g = group_id.x
  %p = subview %P[0:{rows},0:{cols},%g]
  %a = subview %A[0:{cols},0:{cols},%g]
  %q = subview %Q[0:{rows},0:{cols},%g]
  %tmp = alloca : memref<{real}x{rows}x{cols},local>
  gemm.n.n 1.0, %K, %p, 0.0, %tmp
  gemm.n.n 1.0, %tmp, %a, 1.0, %q
}}
"
    );
    let of = |rows: u32, cols: u32| format!("{rows}x{cols}");
    let (tall, small) = (of(rows, cols), of(cols, cols));
    (
        text,
        vec![("K", of(rows, rows), false), ("P", tall.clone(), true), ("A", small, true), ("Q", tall, true)],
    )
}

/// A tile of a product of matrices of known size.
fn tiles(factor: &str, sum: &str, [m, n, k]: [u32; 3]) -> Written {
    let zero = if sum.starts_with('i') { "0" } else { "0.0" };
    let (rows, cols, depth) = (16 * m, 16 * n, 32 * k);
    let text = format!(
        "func @g(%A: memref<{factor}x{rows}x{depth}>, %B: memref<{factor}x{depth}x{cols}>, %C: memref<{sum}x{rows}x{cols}>) {{
  %gx = group_id.x  %gy = group_id.y
  %i = mul %gx, {m}  %j = mul %gy, {n}
  %sum = for %k=0,{depth},{k} init(%s={zero}) -> (tile<{sum}x{m}x{n},matrix_acc>) {{
    %a = tile_load %A[%i,%k] : {m} x {k}
    %b = tile_load %B[%k,%j] : {k} x {n}
    %t = tile_dot %a, %b, %s
    yield (%t)
  }}
  tile_store %sum, %C[%i,%j]
}}
"
    );
    let of = |rows: u32, cols: u32| format!("{rows}x{cols}");
    (text, vec![("A", of(rows, depth), false), ("B", of(depth, cols), false), ("C", of(rows, cols), false)])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tiletc::ir::Ir;

    #[test]
    fn the_programs_are_many_and_right() {
        let programs = super::all();
        assert!(programs.len() >= 50, "{}", programs.len());
        let names: BTreeSet<&str> = programs.iter().map(|program| program.name.as_str()).collect();
        assert_eq!(names.len(), programs.len());
        for program in &programs {
            let parsed = program.make(&mut Ir::default());
            assert!(parsed.is_ok(), "{}: {:?}\n{}", program.name, parsed.err(), program.text);
        }
    }
}
