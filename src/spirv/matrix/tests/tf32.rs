//! Factors of type f32 on the matrix engine: rounded to tf32 by the module, whatever the engine does with lower bits.

use super::{parse, run, valid};
use crate::device::{CoreInfo, SpirvFeature};
use crate::driver::{self, Options};
use crate::spirv::Module;

/// The module of a program for a device that has an instruction for the rounding, or has none.
fn compile(text: &str, has_rounding: bool) -> Module {
    let (mut ir, program) = parse(text);
    let mut info = CoreInfo::from_name("pvc").unwrap();
    assert!(info.have(SpirvFeature::Tf32Rounding));
    info.set(SpirvFeature::Tf32Rounding, has_rounding);
    valid(driver::compile(&mut ir, &program, &info, &Options::default()).unwrap())
}

#[test]
fn factors_are_rounded_to_nearest_even() {
    let text = "func @f(%A: memref<f32x16x8>, %B: memref<f32x8x8>, %C: memref<f32x16x8>)
        attributes{subgroup_size=16, work_group_size=[16,1], precision=\"tf32\"} {
        %o = constant 0 : index
        parallel {
            %a = cooperative_matrix_load %A[%o,%o] : coopmatrix<f32x16x8,matrix_a>
            %b = cooperative_matrix_load %B[%o,%o] : coopmatrix<f32x8x8,matrix_b>
            %c = constant 0.0 : coopmatrix<f32x16x8,matrix_acc>
            %d = cooperative_matrix_mul_add %a, %b, %c : coopmatrix<f32x16x8,matrix_acc>
            cooperative_matrix_store %d, %C[%o,%o]
        }
    }";
    let ulp = 1.0 / 1024.0;
    let table: [(f32, f32); 16] = [
        (1.0, 1.0),
        (1.0 + ulp, 1.0 + ulp),
        // Half a unit goes to the even neighbour, more than that up, less down.
        (1.0 + ulp / 2.0, 1.0),
        (1.0 + ulp * 1.5, 1.0 + 2.0 * ulp),
        (1.0 + ulp * 0.5625, 1.0 + ulp),
        (1.0 + ulp * 0.4375, 1.0),
        (-1.0 - ulp * 1.5, -1.0 - 2.0 * ulp),
        (-1.0 - ulp * 0.75, -1.0 - ulp),
        (1.999_999_9, 2.0),
        (0.0, 0.0),
        (f32::from_bits(1), 0.0),
        (f32::MIN_POSITIVE, f32::MIN_POSITIVE),
        (f32::MAX, f32::INFINITY),
        (f32::INFINITY, f32::INFINITY),
        (f32::NEG_INFINITY, f32::NEG_INFINITY),
        // All that tells it from infinity are bits that the engine may drop.
        (f32::from_bits(0x7f80_0001), f32::NAN),
    ];
    let mut a = vec![0.0; 16 * 8];
    table.iter().enumerate().for_each(|(row, &(given, _))| a[row] = given);
    let mut b = vec![0.0; 8 * 8];
    b[0] = 1.0;
    for has_rounding in [true, false] {
        let module = compile(text, has_rounding);
        assert_eq!(module.disassemble().contains("OpRoundFToTF32INTEL"), has_rounding);
        let results = run(&module, &[a.clone(), b.clone(), vec![0.0; 16 * 8]], |arrays| arrays.to_vec());
        for (row, &(given, expected)) in table.iter().enumerate() {
            let found = results[2][row];
            let is_same = found == expected || (found.is_nan() && expected.is_nan());
            assert!(is_same, "{given:e} became {found:e}, not {expected:e}; {has_rounding}");
        }
    }
}

/// A factor that a loop uses again and again is rounded once, in front of it.
#[test]
fn factors_are_rounded_where_they_are_loaded() {
    let text = "func @f(%A: memref<f32x16x8>, %B: memref<f32x8x?>, %C: memref<f32x16x8>, %n: index)
        attributes{subgroup_size=16, work_group_size=[16,1], precision=\"tf32\"} {
        %o = constant 0 : index
        %s = constant 8 : index
        parallel {
            %a = cooperative_matrix_load %A[%o,%o] : coopmatrix<f32x16x8,matrix_a>
            %c = constant 0.0 : coopmatrix<f32x16x8,matrix_acc>
            %t = for %k=%o,%n,%s init(%i=%c) -> (coopmatrix<f32x16x8,matrix_acc>) {
                %b = cooperative_matrix_load %B[%o,%k] : coopmatrix<f32x8x8,matrix_b>
                %d = cooperative_matrix_mul_add %a, %b, %i : coopmatrix<f32x16x8,matrix_acc>
                %e = cooperative_matrix_mul_add %a, %b, %d : coopmatrix<f32x16x8,matrix_acc>
                yield (%e)
            }
            cooperative_matrix_store %t, %C[%o,%o]
        }
    }";
    let text = compile(text, true).disassemble();
    let (before, within) = text.split_once("OpLoopMerge").unwrap();
    let roundings = |text: &str| text.matches("OpRoundFToTF32INTEL").count();
    assert_eq!((roundings(before), roundings(within)), (1, 1), "{text}");
    assert_eq!(text.matches("OpSubgroupMatrixMultiplyAccumulateINTEL").count(), 2, "{text}");
}
