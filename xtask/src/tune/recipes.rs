//! The kernels of recipes that are tuned.

use tiletc::device::{CoreInfo, SpirvFeature};
use tiletc::diagnostics::Location;
use tiletc::ir::{Func, Ir, Program, Scalar, Transpose};
use tiletc::recipe::{Batched, Recipe, Shape, SmallGemmBatched, TallAndSkinny, suggest_block_size};

/// Rows, columns and length of the sums of small products.
const SIZES: [i64; 22] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20, 24, 32, 40, 48, 56, 64];
/// Columns of the small factor of tall products, and its rows.
const COLUMNS: [i64; 6] = [8, 9, 16, 32, 48, 64];
/// Types of numbers.
const NUMBERS: [Scalar; 3] = [Scalar::F32, Scalar::F64, Scalar::Bf16];

/// A kernel of a recipe.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// Purpose of the recipe, as programs make it.
    pub shape: Shape,
    /// The same without a loop over the batch, of which nobody knows how often it runs: by this one configs are estimated.
    pub estimated: Shape,
    /// Place in [`Recipe::KERNELS`].
    pub place: usize,
}

impl Kernel {
    /// Its name for people.
    pub fn name(&self) -> String {
        let name = Recipe::KERNELS.get(self.place).copied().unwrap_or_default();
        match self.shape {
            Shape::SmallGemmBatched(SmallGemmBatched { number, m, n, k, .. }) => {
                format!("small_gemm_batched {number} {m}x{n}x{k} @{name}")
            }
            Shape::TallAndSkinny(TallAndSkinny { number, n, k, .. }) => {
                format!("tall_and_skinny {number} N={n} K={k} @{name}")
            }
        }
    }

    /// The function of a shape that the kernel is, alone in a program.
    pub fn function(&self, shape: Shape, ir: &mut Ir, info: &CoreInfo) -> Result<(Program, Func), String> {
        let program = shape.program(ir, Location::default(), info).map_err(|error| error.to_string())?;
        let func = program.functions.get(self.place).copied().ok_or("the recipe has no such kernel")?;
        Ok((Program { functions: vec![func] }, func))
    }
}

/// The kernels for a device: square products of dense matrices, and tall products of which only the small factor's size is known.
pub fn all(info: &CoreInfo) -> Vec<Kernel> {
    let has = |number: Scalar| number != Scalar::F64 || info.have(SpirvFeature::Float64);
    let mut shapes: Vec<[Shape; 2]> = Vec::new();
    for number in NUMBERS.into_iter().filter(|&number| has(number)) {
        for size in SIZES {
            let alone = square(number, size);
            shapes.push([alone.sharing(info).into(), alone.into()]);
        }
        if let Ok(block) = suggest_block_size(info) {
            shapes.extend(COLUMNS.map(|n| [TallAndSkinny::dynamic(number, n, n, block).into(); 2]));
        }
    }
    let kernels = shapes.into_iter().flat_map(|[shape, estimated]| {
        (0..Recipe::KERNELS.len()).map(move |place| Kernel { shape, estimated, place })
    });
    kernels.collect()
}

fn square(number: Scalar, size: i64) -> SmallGemmBatched {
    let dense = Batched { leading: size, stride: size * size };
    SmallGemmBatched {
        number,
        transpose_a: Transpose::N,
        transpose_b: Transpose::N,
        m: size,
        n: size,
        k: size,
        a: dense,
        b: dense,
        c: dense,
        per_group: 1,
        side_by_side: 1,
    }
}
