//! Intel's offline GPU compiler takes the kernels of both recipes.

#[path = "../builds/igc.rs"]
mod builds;

use std::path::Path;

use tiletc::device::{CoreInfo, SpirvFeature};
use tiletc::diagnostics::Location;
use tiletc::driver::Options;
use tiletc::ir::{Extent, Ir, Scalar};
use tiletc::recipe::{Recipe, Shape, TallAndSkinny};

use super::skip::skip;
use super::{N, T, batch};

/// One of each kind of GPU that IGC of today compiles for.
const DEVICES: [&str; 5] = ["pvc", "bmg", "lnl", "ptl", "dg2"];

/// Compiles for a device to its instructions; says which kernels spill registers in every try.
fn spilling(script: &Path, shape: Shape, device: &str) -> Vec<String> {
    let info = CoreInfo::from_name(device).unwrap();
    let recipe = shape.compile(&mut Ir::default(), Location::default(), &info, &Options::default()).unwrap();
    let name: String = shape.to_string().chars().filter(char::is_ascii_alphanumeric).collect();
    let statistics = builds::statistics(script, &recipe.module, device, &name);
    let text = statistics.unwrap_or_else(|messages| panic!("{shape} for {device}: {messages}"));
    let mut spilling = Vec::new();
    for kernel in Recipe::KERNELS {
        let has = |line: &str, word: &str| line.split(' ').any(|found| found == word);
        let tries: Vec<&str> = text.lines().filter(|line| has(line, &format!("kernel={kernel}"))).collect();
        assert!(!tries.is_empty(), "{shape} for {device} without {kernel}:\n{text}");
        if !tries.iter().any(|line| has(line, "spill=0")) {
            spilling.push(kernel.to_owned());
        }
    }
    spilling
}

#[test]
fn the_offline_compiler_takes_the_kernels() {
    let Some(script) = builds::script() else {
        skip("TILETC_IGC does not name the script of Intel's offline compiler");
        return;
    };
    let mut found = Vec::new();
    for device in DEVICES {
        let has_doubles = CoreInfo::from_name(device).unwrap().have(SpirvFeature::Float64);
        let tall = |number| TallAndSkinny::dynamic(number, 32, 16, 128);
        let batch = |number| batch(number, [N, T], [56, 9, 56]).into();
        let known = TallAndSkinny { m: Extent::Static(1000), ..tall(Scalar::F32) };
        let mut shapes: Vec<(&str, Shape)> = vec![
            ("f32 tall", tall(Scalar::F32).into()),
            ("f32 tall with known rows", known.into()),
            ("f32 batch", batch(Scalar::F32)),
            ("bf16 batch", batch(Scalar::Bf16)),
        ];
        shapes.extend(has_doubles.then(|| ("f64 tall", tall(Scalar::F64).into())));
        for (name, shape) in shapes {
            let spilling = spilling(&script, shape, device);
            found.extend(spilling.iter().map(|kernel| format!("{device} {name}: {kernel}")));
        }
    }
    assert!(found.is_empty(), "these spill registers in every try: {found:?}");
}
