//! SPV_KHR_cooperative_matrix with Intel's additions, in any shape.

mod product;

pub use product::{COPY, Product, WORK, module};

use crate::Module;
use half::{bf16, f16};
use product::{expected, run, values};

#[test]
fn products_of_any_shape_are_exact() {
    for (seed, shape @ (m, n, k)) in
        (0..).zip([(8, 16, 16), (16, 16, 16), (1, 64, 32), (3, 5, 7), (32, 64, 16)])
    {
        let (a, b, c) = (values(m * k, seed), values(k * n, seed + 10), values(m * n, seed + 20));
        let product = Product {
            shape,
            side: "half",
            sum: "float",
            layouts: (0, 1),
            strides: (k + 3, k + 1),
            operands: "",
            epilogue: COPY,
        };
        for lanes in [8, 16, 32] {
            let given = run(
                &product,
                lanes,
                |_| {},
                (&a, &b, &c),
                f16::from_f64,
                f16::to_le_bytes,
                |value| value as f32,
                f32::to_le_bytes,
                f32::from_le_bytes,
            );
            let wanted: Vec<f32> = expected(shape, &a, &b, &c).iter().map(|&value| value as f32).collect();
            assert_eq!(given, wanted, "{shape:?} on {lanes} lanes");
        }
    }
}

#[test]
fn elements_can_be_reached_and_changed() {
    let shape @ (m, n, k) = (8, 16, 4);
    let (a, b, c) = (values(m * k, 1), values(k * n, 2), values(m * n, 3));
    let product = Product {
        shape,
        side: "float",
        sum: "float",
        layouts: (1, 0),
        strides: (m, n),
        operands: "",
        epilogue: WORK,
    };
    let given = run(
        &product,
        16,
        |_| {},
        (&a, &b, &c),
        |value| value as f32,
        f32::to_le_bytes,
        |value| value as f32,
        f32::to_le_bytes,
        f32::from_le_bytes,
    );
    // Two elements of each lane got two more; which ones is the implementation's affair.
    let wanted: Vec<f64> = expected(shape, &a, &b, &c).iter().map(|&value| 2.0 * (value - 2.0)).collect();
    let more: Vec<f64> =
        given.iter().zip(&wanted).map(|(&given, wanted)| f64::from(given) - wanted).collect();
    assert!(more.iter().all(|&more| more == 0.0 || more == 2.0), "{more:?}");
    assert_eq!(more.iter().filter(|&&more| more == 2.0).count(), 32);
}

#[test]
fn intel_packs_right_factors_and_holds_bfloat_in_integers() {
    let shape @ (m, n, k) = (8, 16, 32);
    let (a, b, c) = (values(m * k, 4), values(k * n, 5), values(m * n, 6));
    let product = Product {
        shape,
        side: "short",
        sum: "float",
        layouts: (0, 2),
        strides: (k, 2 * n),
        operands: "BFLOAT",
        epilogue: COPY,
    };
    let given = run(
        &product,
        16,
        |module| {
            // The assembler knows neither the operand nor the capability: numbers in their place.
            module.body = module.body.replace("BFLOAT", "!0x40");
            module.capabilities.push("!6437");
            module.extensions.push("SPV_INTEL_joint_matrix");
        },
        (&a, &b, &c),
        |value| bf16::from_f64(value).to_bits(),
        u16::to_le_bytes,
        |value| value as f32,
        f32::to_le_bytes,
        f32::from_le_bytes,
    );
    let wanted: Vec<f32> = expected(shape, &a, &b, &c).iter().map(|&value| value as f32).collect();
    assert_eq!(given, wanted);

    // Bytes: four rows in a word, with and without signs.
    let signed = "MatrixASignedComponentsKHR|MatrixBSignedComponentsKHR|MatrixCSignedComponentsKHR|MatrixResultSignedComponentsKHR";
    for (operands, add) in [(signed, 0.0), ("", 7.0)] {
        let shift = |values: &[f64]| values.iter().map(|value| value + add).collect::<Vec<f64>>();
        let (a, b, c) = (shift(&a), shift(&b), shift(&c));
        let product = Product {
            shape,
            side: "char",
            sum: "int",
            layouts: (0, 2),
            strides: (k, 4 * n),
            operands,
            epilogue: COPY,
        };
        let given = run(
            &product,
            16,
            |_| {},
            (&a, &b, &c),
            |value| value as i8,
            i8::to_le_bytes,
            |value| value as i32,
            i32::to_le_bytes,
            i32::from_le_bytes,
        );
        let wanted: Vec<i32> = expected(shape, &a, &b, &c).iter().map(|&value| value as i32).collect();
        assert_eq!(given, wanted);
    }
}

#[test]
fn matrices_need_a_device_that_has_them() {
    let product = Product {
        shape: (8, 16, 16),
        side: "half",
        sum: "float",
        layouts: (0, 0),
        strides: (16, 16),
        operands: "",
        epilogue: COPY,
    };
    let mut module = module(&product, 16);
    module.capabilities.retain(|&name| name != "Float64");
    module.types =
        module.types.lines().filter(|line| !line.contains("double")).collect::<Vec<_>>().join("\n");
    for device in ["pvc", "bmg", "lnl", "ptl", "dg2", "arl-h", "generic"] {
        assert!(module.refusal(device).is_none(), "{device}");
    }
    let refusal = module.refusal("tgl").unwrap().to_string();
    assert_eq!(refusal, "device tgl does not support capability CooperativeMatrixKHR");
    let wrong =
        Module { body: module.body.replace("%matrix_c %a %b %c", "%matrix_c %b %a %c"), ..module.clone() };
    let refusal = wrong.refusal("pvc").unwrap().to_string();
    assert!(refusal.contains("the shapes of the matrices do not fit together"), "{refusal}");
    let wrong = Module { body: module.body.replace("%a_p %layout_a", "%a_p %i2"), ..module };
    let refusal = wrong.refusal("pvc").unwrap().to_string();
    assert!(refusal.contains("only right factors are packed"), "{refusal}");
}
