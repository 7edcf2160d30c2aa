//! The kernels of the grid: products as programs that solve differential equations or run small networks have them.

/// A kernel of the grid.
pub struct Shape {
    /// Its family and what tells it apart there, such as `chain f32 order 6`.
    pub name: String,
    /// The program.
    pub text: String,
    /// True if it computes with numbers of 64 bits.
    pub is_wide: bool,
}

/// Basis functions of a tetrahedron for the orders 2 to 8, and those of its faces.
const ORDERS: [(u32, u32, u32); 7] =
    [(2, 4, 3), (3, 10, 6), (4, 20, 10), (5, 35, 15), (6, 56, 21), (7, 84, 28), (8, 120, 36)];

/// Quantities of the elastic wave equation.
const QUANTITIES: u32 = 9;

/// A product of a batch, each matrix a member of a packed batch unless it says otherwise.
struct Product {
    transposes: [bool; 2],
    /// Rows and columns of C, columns of op(A).
    extents: [u32; 3],
    /// Types of the factors and of C.
    types: [&'static str; 2],
    /// Rows that a column of each matrix takes in memory.
    pitch: Option<u32>,
    /// Row and column at which the matrices begin in what is larger by as much.
    start: [u32; 2],
}

impl Product {
    fn new(transposes: &str, extents: [u32; 3], types: [&'static str; 2]) -> Product {
        let transposes = [transposes.starts_with('t'), transposes.ends_with('t')];
        Product { transposes, extents, types, pitch: None, start: [0, 0] }
    }

    fn text(&self) -> String {
        let [m, n, k] = self.extents;
        let [factor, sum] = self.types;
        let shape = |is_transposed: bool, rows: u32, cols: u32| {
            if is_transposed { [cols, rows] } else { [rows, cols] }
        };
        let [a, b] = [shape(self.transposes[0], m, k), shape(self.transposes[1], k, n)];
        let matrices = [("A", factor, a), ("B", factor, b), ("C", sum, [m, n])];
        let (mut parameters, mut views) = (Vec::new(), String::new());
        let [row, col] = self.start;
        for (name, ty, [rows, cols]) in matrices {
            let height = self.pitch.map_or(rows + row, |pitch| rows + pitch - self.extents[0].min(pitch));
            let width = cols + col;
            parameters.push(format!("%{name}: memref<{ty}x{height}x{width}x?>"));
            let lower = name.to_lowercase();
            views += &format!(
                "  %{lower} = subview %{name}[{row}:{rows},{col}:{cols},%g] : memref<{ty}x{rows}x{cols},strided<1,{height}>>\n"
            );
        }
        let one = constant(factor, 1);
        let zero = constant(sum, 0);
        let letter = |is_transposed: bool| if is_transposed { 't' } else { 'n' };
        let [ta, tb] = self.transposes.map(letter);
        format!(
            "func @g({}) {{\n  %g = group_id.x : index\n{views}  %one = {one}\n  %zero = {zero}\n  \
             gemm.{ta}.{tb} %one, %a, %b, %zero, %c\n}}\n",
            parameters.join(", ")
        )
    }
}

fn constant(ty: &str, value: u32) -> String {
    if ty.starts_with('i') {
        format!("constant {value} : {ty}")
    } else {
        format!("constant {value}.0 : {ty}")
    }
}

/// All of them.
pub fn all() -> Vec<Shape> {
    let mut shapes = Vec::new();
    let mut add = |name: String, text: String| {
        let is_wide = text.contains("f64");
        shapes.push(Shape { name, text, is_wide });
    };
    let mut product = |name: String, product: &Product| {
        let [m, n, k] = product.extents;
        let letter = |is_transposed: bool| if is_transposed { 't' } else { 'n' };
        let [a, b] = product.transposes.map(letter);
        add(format!("{name} {} {m}x{n}x{k} {a}.{b}", product.types[0]), product.text());
    };
    let reals = [["f32"; 2], ["f64"; 2]];
    let engine = [["bf16", "f32"], ["f16", "f32"], ["i8", "i32"]];
    for types in reals {
        for (order, basis, _) in ORDERS {
            product(
                format!("derivative order {order}"),
                &Product::new("nn", [basis, QUANTITIES, basis], types),
            );
            product(
                format!("star order {order}"),
                &Product::new("nn", [basis, QUANTITIES, QUANTITIES], types),
            );
        }
        for n in 3..=8 {
            product(format!("spectral first n={n}"), &Product::new("nn", [n, n * n, n], types));
            product(format!("spectral last n={n}"), &Product::new("nt", [n * n, n, n], types));
        }
        for n in 3..=12 {
            product("block-sparse".to_owned(), &Product::new("nn", [n, n, n], types));
        }
        for n in [5, 9] {
            product("block-sparse".to_owned(), &Product::new("nt", [n, n, n], types));
        }
        for n in [24, 40, 48, 100] {
            product("cube".to_owned(), &Product::new("nn", [n, n, n], types));
        }
        for transposes in ["tn", "nt", "tt"] {
            for n in [24, 40] {
                product("cube".to_owned(), &Product::new(transposes, [n, n, n], types));
            }
        }
        for (n, k) in [(9, 9), (16, 16), (32, 32), (20, 9)] {
            product("tall".to_owned(), &Product::new("nn", [256, n, k], types));
        }
        product(
            "odd pitch".to_owned(),
            &Product { pitch: Some(35), ..Product::new("nn", [33, 33, 33], types) },
        );
        product(
            "odd pitch".to_owned(),
            &Product { pitch: Some(57), ..Product::new("nn", [56, 9, 56], types) },
        );
        product("sub-view".to_owned(), &Product { start: [3, 5], ..Product::new("nn", [24, 24, 24], types) });
        product("convolution".to_owned(), &Product::new("nn", [56, 64, 144], types));
    }
    for types in engine {
        for n in [16, 24, 32, 48, 64, 100, 128] {
            product("cube".to_owned(), &Product::new("nn", [n, n, n], types));
        }
        for transposes in ["tn", "nt", "tt"] {
            for n in [24, 64] {
                product("cube".to_owned(), &Product::new(transposes, [n, n, n], types));
            }
        }
        product(
            "odd pitch".to_owned(),
            &Product { pitch: Some(57), ..Product::new("nn", [56, 56, 56], types) },
        );
        product("sub-view".to_owned(), &Product { start: [3, 5], ..Product::new("nn", [24, 24, 24], types) });
        product("sub-view".to_owned(), &Product { start: [3, 5], ..Product::new("nn", [64, 64, 64], types) });
        product("odd depth".to_owned(), &Product::new("nn", [64, 64, 100], types));
        product("odd depth".to_owned(), &Product::new("nn", [64, 64, 48], types));
        product("convolution".to_owned(), &Product::new("nn", [64, 64, 576], types));
        product("narrow".to_owned(), &Product::new("nn", [56, 9, 56], types));
        product("tall".to_owned(), &Product::new("nn", [256, 16, 16], types));
        product("tall".to_owned(), &Product::new("nn", [256, 32, 32], types));
    }
    for real in ["f32", "f64"] {
        for (order, basis, face) in ORDERS {
            add(format!("chain {real} order {order}"), chain(real, basis));
            add(format!("flux {real} order {order}"), flux(real, basis, face));
        }
    }
    for (factor, sum) in [("bf16", "f32"), ("i8", "i32")] {
        for transposes in ["n.n", "n.t", "t.n", "t.t"] {
            add(format!("large {factor} 256x256 {transposes}"), large(transposes, factor, sum));
        }
    }
    shapes
}

/// Q += K·P·A.
fn chain(real: &str, basis: u32) -> String {
    let q = QUANTITIES;
    format!(
        "func @g(%K: memref<{real}x{basis}x{basis}>, %P: memref<{real}x{basis}x{q}x?>, %A: memref<{real}x{q}x{q}x?>,
        %Q: memref<{real}x{basis}x{q}x?>) {{
  %g = group_id.x : index
  %p = subview %P[0:{basis},0:{q},%g] : memref<{real}x{basis}x{q}>
  %a = subview %A[0:{q},0:{q},%g] : memref<{real}x{q}x{q}>
  %q = subview %Q[0:{basis},0:{q},%g] : memref<{real}x{basis}x{q}>
  %tmp = alloca : memref<{real}x{basis}x{q},local>
  %zero = constant 0.0 : {real}
  %one = constant 1.0 : {real}
  gemm.n.n %one, %K, %p, %zero, %tmp
  gemm.n.n %one, %tmp, %a, %one, %q
}}
"
    )
}

/// Q += R·((F·I)·A).
fn flux(real: &str, basis: u32, face: u32) -> String {
    let q = QUANTITIES;
    format!(
        "func @g(%R: memref<{real}x{basis}x{face}>, %F: memref<{real}x{face}x{basis}>, %I: memref<{real}x{basis}x{q}x?>,
        %A: memref<{real}x{q}x{q}x?>, %Q: memref<{real}x{basis}x{q}x?>) {{
  %g = group_id.x : index
  %i = subview %I[0:{basis},0:{q},%g] : memref<{real}x{basis}x{q}>
  %a = subview %A[0:{q},0:{q},%g] : memref<{real}x{q}x{q}>
  %q = subview %Q[0:{basis},0:{q},%g] : memref<{real}x{basis}x{q}>
  %s = alloca : memref<{real}x{face}x{q},local>
  %t = alloca : memref<{real}x{face}x{q},local>
  %zero = constant 0.0 : {real}
  %one = constant 1.0 : {real}
  gemm.n.n %one, %F, %i, %zero, %s
  gemm.n.n %one, %s, %a, %zero, %t
  gemm.n.n %one, %R, %t, %one, %q
}}
"
    )
}

/// A part of 256×256 of a product of 4096³.
fn large(transposes: &str, factor: &str, sum: &str) -> String {
    let view = |is_transposed: bool, offsets: [&str; 2], sizes: [u32; 2]| {
        let swap = |[a, b]: [String; 2]| if is_transposed { [b, a] } else { [a, b] };
        let [x, y] = swap([format!("{}:{}", offsets[0], sizes[0]), format!("{}:{}", offsets[1], sizes[1])]);
        let [m, n] = swap(sizes.map(|size| size.to_string()));
        (format!("[{x},{y}]"), format!("{m}x{n}"))
    };
    let [is_a, is_b] = [transposes.starts_with('t'), transposes.ends_with('t')];
    let ((a, a_shape), (b, b_shape)) =
        (view(is_a, ["%m", "0"], [256, 4096]), view(is_b, ["0", "%n"], [4096, 256]));
    let (one, zero) = (constant(factor, 1), constant(sum, 0));
    format!(
        "func @g(%A: memref<{factor}x4096x4096>, %B: memref<{factor}x4096x4096>, %C: memref<{sum}x4096x4096>) {{
  %gx = group_id.x : index
  %gy = group_id.y : index
  %t = constant 256 : index
  %m = mul %gx, %t : index
  %n = mul %gy, %t : index
  %a = subview %A{a} : memref<{factor}x{a_shape},strided<1,4096>>
  %b = subview %B{b} : memref<{factor}x{b_shape},strided<1,4096>>
  %c = subview %C[%m:256,%n:256] : memref<{sum}x256x256,strided<1,4096>>
  %one = {one}
  %zero = {zero}
  gemm.{transposes} %one, %a, %b, %zero, %c
}}
"
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tiletc::diagnostics::Sources;
    use tiletc::driver;
    use tiletc::ir::Ir;

    #[test]
    fn the_grid_is_large_and_its_programs_are_right() {
        let shapes = super::all();
        assert!(shapes.len() >= 200, "{}", shapes.len());
        let names: BTreeSet<&str> = shapes.iter().map(|shape| shape.name.as_str()).collect();
        assert_eq!(names.len(), shapes.len());
        for shape in &shapes {
            let (mut ir, mut sources) = (Ir::default(), Sources::new());
            let source = sources.add(&shape.name, shape.text.as_bytes());
            let parsed = driver::parse(&mut ir, source, shape.text.as_bytes());
            assert!(parsed.is_ok(), "{}: {:?}\n{}", shape.name, parsed.err(), shape.text);
        }
    }
}
