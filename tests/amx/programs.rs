//! The programs: products of the engine's types in all orders and sizes, chains of them, and matrices as such.

/// A program and an instruction that it comes to.
pub struct Program {
    pub name: &'static str,
    pub instruction: &'static str,
    pub text: fn() -> String,
}

const BF16: &str = "tdpbf16ps";
const I8: &str = "tdpbssd";

pub const PROGRAMS: &[Program] = &[
    Program { name: "bf16", instruction: BF16, text: || products("bf16", "f32") },
    Program { name: "bf16_sums_rounded", instruction: BF16, text: || products("bf16", "bf16") },
    Program { name: "i8", instruction: I8, text: || products("i8", "i32") },
    Program { name: "narrow", instruction: BF16, text: narrow },
    Program { name: "dynamic", instruction: BF16, text: dynamic },
    Program { name: "chain", instruction: BF16, text: chain },
    Program { name: "tiles", instruction: BF16, text: tiles },
    Program { name: "matrices", instruction: BF16, text: matrices },
];

/// Members of batches, in all transpositions, with and without what C was.
fn products(factor: &str, sum: &str) -> String {
    let mut text = String::new();
    for (m, n, k) in [(56, 9, 56), (33, 17, 70)] {
        for (a, a_shape) in [("n", (m, k)), ("t", (k, m))] {
            for (b, b_shape) in [("n", (k, n)), ("t", (n, k))] {
                let beta = i32::from(a == b);
                let member = |name: &str, ty: &str, (rows, cols): (i32, i32)| {
                    format!(
                        "%{name} = subview %{}[0:{rows},0:{cols},%g] : memref<{ty}x{rows}x{cols}>\n",
                        name.to_uppercase()
                    )
                };
                let point = if factor == "i8" { "" } else { ".0" };
                text += &format!(
                    "func @f{m}_{n}_{k}_{a}{b}{beta}(
                        %A: memref<{factor}x{}x{}x?>, %B: memref<{factor}x{}x{}x?>, %C: memref<{sum}x{m}x{n}x?>) {{
                        %one = constant 1{point} : {factor}
                        %beta = constant {beta}{point} : {factor}
                        %g = group_id.x : index
                        {}{}{}
                        gemm.{a}.{b} %one, %a, %b, %beta, %c
                    }}\n",
                    a_shape.0,
                    a_shape.1,
                    b_shape.0,
                    b_shape.1,
                    member("a", factor, a_shape),
                    member("b", factor, b_shape),
                    member("c", sum, (m, n)),
                );
            }
        }
    }
    text
}

/// Subgroups of other sizes than the widest register's.
fn narrow() -> String {
    let mut text = String::new();
    for size in [4, 8, 32, 64] {
        text += &format!(
            "func @f{size}(%A: memref<bf16x64x64>, %B: memref<bf16x64x24>, %C: memref<f32x64x24>)
                attributes{{subgroup_size={size}, work_group_size=[{},2]}} {{
                %one = constant 1.0 : bf16
                gemm.n.n %one, %A, %B, %one, %C
            }}\n",
            2 * size
        );
    }
    // Of four rows there are no tiles.
    text.replace("work_group_size=[8,2]", "work_group_size=[16,2]")
}

fn dynamic() -> String {
    "func @f(%alpha: bf16, %A: memref<bf16x?x?,strided<1,?>>, %B: memref<bf16x?x?,strided<1,?>>,
        %C: memref<f32x?x?,strided<1,?>>) {
        %one = constant 1.0 : bf16
        gemm.n.n %alpha, %A, %B, %one, %C
    }
    func @at(%A: memref<bf16x64x32>, %B: memref<bf16x32x64>, %C: memref<f32x64x64>) {
        %one = constant 1.0 : bf16
        gemm.atomic.n.n %one, %A, %B, %one, %C
    }"
    .to_owned()
}

fn chain() -> String {
    "func @f(%K: memref<bf16x56x56>, %P: memref<bf16x56x9x?>, %A: memref<bf16x9x9x?>, %Q: memref<f32x56x9x?>) {
        %g = group_id.x : index
        %p = subview %P[0:56,0:9,%g] : memref<bf16x56x9>
        %a = subview %A[0:9,0:9,%g] : memref<bf16x9x9>
        %q = subview %Q[0:56,0:9,%g] : memref<f32x56x9>
        %one = constant 1.0 : bf16
        %zero = constant 0.0 : bf16
        %t = alloca : memref<bf16x56x9,local>
        gemm.n.n %one, %K, %p, %zero, %t
        gemm.n.n %one, %t, %a, %one, %q
    }"
    .to_owned()
}

fn tiles() -> String {
    "func @f(%A: memref<bf16x?x?,strided<1,?>>, %B: memref<bf16x?x?,strided<1,?>>, %C: memref<f32x?x?,strided<1,?>>,
        %K: index) {
        %from = constant 0 : index
        %step = constant 64 : index
        %size = constant 32 : index
        %i = group_id.x : index
        %j = group_id.y : index
        %m = mul %i, %size : index
        %n = mul %j, %size : index
        %none = constant 0.0 : f32
        %zero = constant 0.0 : tile<f32x32x32,matrix_acc>
        %sum = for %k=%from,%K,%step init(%s=%zero) -> (tile<f32x32x32,matrix_acc>) {
            %a = tile_load %A[%m,%k] : tile<bf16x32x64,matrix_a>
            %b = tile_load %B[%k,%n] : tile<bf16x64x32,matrix_b>
            %t = tile_dot %a, %b, %s : tile<f32x32x32,matrix_acc>
            yield (%t)
        }
        %relu = tile_apply (%row,%col,%x)=(%sum) -> tile<f32x32x32,matrix_acc> {
            %y = max %x, %none : f32
            yield (%y)
        }
        tile_store %relu, %C[%m,%n]
    }"
    .to_owned()
}

/// Sums that loops and branches carry, whose entries are computed with, and which become a factor.
fn matrices() -> String {
    "func @f(%A: memref<bf16x64x64>, %B: memref<bf16x64x64>, %C: memref<f32x64x64>, %n: i32)
        attributes{subgroup_size=16, work_group_size=[16,1]} {
        parallel {
            %x = constant 0 : index
            %from = constant 0 : i32
            %none = constant 0 : i32
            %half = constant 0.5 : f32
            %a = cooperative_matrix_load %A[%x,%x] : coopmatrix<bf16x32x32,matrix_a>
            %b = cooperative_matrix_load %B[%x,%x] : coopmatrix<bf16x32x16,matrix_b>
            %c = cooperative_matrix_load %C[%x,%x] : coopmatrix<f32x32x16,matrix_acc>
            %d = for %i=%from,%n init(%s=%c) -> (coopmatrix<f32x32x16,matrix_acc>) {
                %t = cooperative_matrix_mul_add %a, %b, %s : coopmatrix<f32x32x16,matrix_acc>
                %u = cooperative_matrix_scale %half, %t : coopmatrix<f32x32x16,matrix_acc>
                yield (%u)
            }
            %some = greater_than %n, %none : bool
            %e = if %some -> (coopmatrix<f32x32x16,matrix_acc>) {
                %t = cooperative_matrix_mul_add %a, %b, %d : coopmatrix<f32x32x16,matrix_acc>
                yield (%t)
            } else {
                yield (%c)
            }
            %f = cooperative_matrix_apply (%i,%j,%v)=%e -> coopmatrix<f32x32x16,matrix_acc> {
                %w = mul %v, %half : f32
                yield (%w)
            }
            cooperative_matrix_store %f, %C[%x,%x]
        }
    }"
    .to_owned()
}
