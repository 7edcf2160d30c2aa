//! An engine that no device has: whoever counts on the numbers of the others, here or in virtual-xe, computes something else.

use super::{parse, run_on, valid};
use crate::device::{CoreInfo, MatrixEngine};
use crate::driver::{self, Options};
use half::bf16;
use virtual_xe::Device;

fn info() -> CoreInfo {
    CoreInfo::from_name("pvc").unwrap().with_matrix_engine(MatrixEngine::SIXTEEN_COLUMNS)
}

/// Numbers of a type in words, and the numbers that they are.
fn numbers(ty: &str, count: usize, seed: i32) -> (Vec<i32>, Vec<f32>) {
    let numbers: Vec<f32> = super::integers(count, seed).into_iter().map(|number| number as f32).collect();
    let words = if ty == "f32" {
        numbers.iter().map(|number| number.to_bits() as i32).collect()
    } else {
        let bits: Vec<i32> = numbers.iter().map(|&number| bf16::from_f32(number).to_bits().into()).collect();
        bits.chunks(2).map(|pair| pair[0] | pair.get(1).unwrap_or(&0) << 16).collect()
    };
    (words, numbers)
}

/// Compiles and runs `C = A·B`, or `C = A·Bᵀ`, of 64 rows and 64 columns of A; returns columns of the sums of the
/// instructions.
fn check(text: &str, ty: &str, cols: usize, transposes_b: bool) -> Vec<u32> {
    let (mut ir, program) = parse(text);
    let module = valid(driver::compile(&mut ir, &program, &info(), &Options::default()).unwrap());
    let ((a, of_a), (b, of_b)) = (numbers(ty, 64 * 64, 1), numbers(ty, 64 * cols, 2));
    let device = Device::named("pvc").unwrap().clone().with_engine_rows(&[1, 2, 4, 8, 16]);
    let results = run_on(Box::leak(Box::new(device)), &module, &[a, b, vec![-1; 64 * cols]], <[_]>::to_vec);
    for (m, n) in (0..cols).flat_map(|n| (0..64).map(move |m| (m, n))) {
        let of_b = |k: usize| of_b[if transposes_b { n + cols * k } else { k + 64 * n }];
        let expected: f32 = (0..64).map(|k| of_a[m + 64 * k] * of_b(k)).sum();
        assert_eq!(f32::from_bits(results[2][m + 64 * n] as u32), expected, "row {m}, column {n}\n{text}");
    }
    let text = module.disassemble();
    let ty = |line: &str| line.split_whitespace().nth(3).unwrap().to_owned();
    let products =
        text.lines().filter(|line| line.contains("OpSubgroupMatrixMultiplyAccumulateINTEL")).map(ty);
    let cols = |ty: String| {
        let vector = text.lines().find_map(|line| line.split_once(&format!("{ty} = OpTypeVector ")));
        vector.map_or(1, |(_, vector)| vector.split_whitespace().nth(1).unwrap().parse().unwrap())
    };
    products.map(cols).collect()
}

fn gemm(ty: &str, cols: usize, transposes_b: bool, attributes: &str) -> String {
    let (b, mode) = if transposes_b { (format!("{cols}x64"), "t") } else { (format!("64x{cols}"), "n") };
    format!(
        "func @gemm(%A: memref<{ty}x64x64>, %B: memref<{ty}x{b}>, %C: memref<f32x64x{cols}>) {attributes} {{
            %one = constant 1.0 : {ty}
            %zero = constant 0.0 : f32
            gemm.n.{mode} %one, %A, %B, %zero, %C
        }}"
    )
}

#[test]
fn products_take_as_many_columns_as_the_engine_does() {
    for (ty, attributes) in [("bf16", ""), ("f32", "attributes{precision=\"tf32\"}")] {
        for transposes_b in [false, true] {
            for (n, expected) in [(64, &[16][..]), (40, &[8, 16]), (28, &[4, 8, 16])] {
                let mut cols = check(&gemm(ty, n, transposes_b, attributes), ty, n, transposes_b);
                cols.sort_unstable();
                cols.dedup();
                assert_eq!(cols, expected, "{ty} {n} {transposes_b}");
            }
        }
    }
}

#[test]
fn products_of_tiles_take_as_many_columns_as_the_engine_does() {
    let text = "func @tiles(%A: memref<bf16x64x64>, %B: memref<bf16x64x64>, %C: memref<f32x64x64>) {
        %from = constant 0 : index
        %to = constant 64 : index
        %step = constant 32 : index
        %zero = constant 0.0 : tile<f32x64x64,matrix_acc>
        %sum = for %k=%from,%to,%step init(%s=%zero) -> (tile<f32x64x64,matrix_acc>) {
            %a = tile_load %A[%from,%k] : tile<bf16x64x32,matrix_a>
            %b = tile_load %B[%k,%from] : tile<bf16x32x64,matrix_b>
            %t = tile_dot %a, %b, %s : tile<f32x64x64,matrix_acc>
            yield (%t)
        }
        tile_store %sum, %C[%from,%from]
    }";
    let cols = check(text, "bf16", 64, false);
    assert!(!cols.is_empty() && cols.iter().all(|&cols| cols == 16), "{cols:?}");
}

#[test]
fn blocks_have_as_many_columns_as_instructions() {
    let text = gemm("bf16", 64, false, "attributes{subgroup_size=16, register_block=[16,24]}");
    let block = |info: &CoreInfo| {
        let (mut ir, program) = parse(&text);
        let options = Options { remarks: true, ..Options::default() };
        let mut instrumentation = driver::Instrumentation::none();
        driver::compile_instrumented(&mut ir, &program, info, &options, &mut instrumentation).unwrap();
        instrumentation.explanations[0].products[0].product.block.cols
    };
    assert_eq!((block(&info()), block(&CoreInfo::from_name("pvc").unwrap())), (32, 24));
}
