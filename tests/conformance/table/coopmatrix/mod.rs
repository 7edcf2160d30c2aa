//! Cooperative matrices of every type and use: memory access, components, arithmetic, reductions, products.

mod access;
mod atomics;
mod components;
mod products;
mod reductions;

use tiletc::ir::{MatrixUse, Scalar};

use super::SUBGROUP_SIZES;
use super::launch::{Launch, run};
use super::number::{Number, sample};
use super::tensor::Form;
use crate::Case;
use crate::numbers::Random;

pub use reductions::combined;

/// Rows are powers of two: fewer than work-items, as many, and more. Columns are anything.
const SHAPES: [(usize, usize); 12] = [
    (1, 1),
    (2, 15),
    (16, 2),
    (32, 1),
    (4, 17),
    (64, 1),
    (1, 33),
    (8, 2),
    (2, 31),
    (16, 1),
    (1, 64),
    (32, 2),
];

/// The same for kernels that are long already: no work-item has more than a few components.
const FEW: [(usize, usize); 6] = [(2, 15), (16, 1), (32, 1), (1, 17), (8, 2), (4, 4)];

const USES: [MatrixUse; 3] = [MatrixUse::A, MatrixUse::B, MatrixUse::Acc];

const FLAGS: [&str; 4] = ["", ".rows_checked", ".cols_checked", ".both_checked"];

/// Forms in which a tensor is passed.
const TENSORS: [Form; 4] = [Form::Static, Form::Dynamic, Form::Group, Form::View];

/// Its sizes, larger than all matrices.
const SIZES: [usize; 2] = [70, 67];

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for size in SUBGROUP_SIZES {
        for ty in Scalar::computable() {
            cases.push(Case::new(format!("coopmatrix::access::{ty}::{size}"), move |device| {
                run(device, access::moves(ty, size))
            }));
            cases.push(Case::new(format!("coopmatrix::components::{ty}::{size}"), move |device| {
                run(
                    device,
                    components::arithmetic(ty, size)
                        .into_iter()
                        .chain(components::components(ty, size))
                        .collect(),
                )
            }));
            cases.push(Case::new(format!("coopmatrix::reduce::{ty}::{size}"), move |device| {
                run(device, reductions::reductions(ty, size))
            }));
            // The language has no atomics for the others.
            if !matches!(ty, Scalar::I8 | Scalar::I16 | Scalar::Bf16) {
                cases.push(Case::new(format!("coopmatrix::atomic::{ty}::{size}"), move |device| {
                    run(device, atomics::atomics(ty, size))
                }));
            }
            cases.push(Case::new(format!("coopmatrix::mul_add::{ty}::{size}"), move |device| {
                run(device, products::products(ty, size))
            }));
        }
    }
    type Launches = fn(Scalar, i32) -> Vec<Launch>;
    let tf32: [(_, Launches); 4] = [
        ("access", access::moves),
        ("arithmetic", components::arithmetic),
        ("reduce", reductions::reductions),
        ("mul_add", products::products),
    ];
    for (name, launches) in tf32 {
        cases.push(Case::new(format!("coopmatrix::tf32::{name}"), move |device| {
            run(device, launches(Scalar::F32, 16).into_iter().map(permitting_tf32).collect())
        }));
    }
    cases
}

/// The same with factors as the matrix engine takes them in tf32, which holds the numbers of these tests exactly.
fn permitting_tf32(mut launch: Launch) -> Launch {
    launch.kernel = launch.kernel.replace(" attributes{", " attributes{precision=\"tf32\", ");
    launch
}

fn matrix(ty: Scalar, (rows, cols): (usize, usize), usage: MatrixUse) -> String {
    format!("coopmatrix<{ty}x{rows}x{cols},{usage}>")
}

/// A kernel of one subgroup; `body` is what each work-item does.
fn kernel(size: i32, parameters: &[String], prologue: &str, body: &str) -> String {
    format!(
        "({}) attributes{{subgroup_size={size}, work_group_size=[{size},1]}} {{
            {prologue}
            %zero = constant 0 : index
            parallel {{
                {body}
            }}
        }}\n",
        parameters.join(", ")
    )
}

fn numbers(ty: Scalar, (rows, cols): (usize, usize), random: &mut Random) -> Vec<Number> {
    (0..rows * cols).map(|_| sample(ty, random)).collect()
}
