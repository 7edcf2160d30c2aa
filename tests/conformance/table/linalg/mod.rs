//! Linear algebra: out := α·Σ Π inputs + β·out, written as sums over named modes.

mod reference;
mod types;

use tiletc::ir::Scalar;

use super::launch::{Arg, Buffer, Launch, run_for};
use super::number::{Number, moderate, sample};
use super::tensor::{FORMS, Form, GCD, Tensor};
use super::{SUBGROUP_SIZES, small};
use crate::Case;
use crate::numbers::Random;
use reference::Reference;
pub use reference::{bound, factor, loss};
pub use types::Types;

/// An instruction: the modes of its output and inputs. `l` is summed over.
struct Row {
    instruction: &'static str,
    transpose: &'static str,
    output: &'static str,
    inputs: &'static [&'static str],
    /// The mode of a running sum: `l` goes up to the output's index there.
    running: Option<usize>,
}

const fn row(
    instruction: &'static str,
    transpose: &'static str,
    output: &'static str,
    inputs: &'static [&'static str],
) -> Row {
    Row { instruction, transpose, output, inputs, running: None }
}

const fn running(mode: usize, output: &'static str, inputs: &'static [&'static str]) -> Row {
    Row { instruction: "cumsum", transpose: "", output, inputs, running: Some(mode) }
}

const ROWS: [Row; 25] = [
    row("axpby", "", "", &[""]),
    row("axpby", "", "i", &["i"]),
    row("axpby", "", "ij", &["ij"]),
    row("axpby", ".t", "", &[""]),
    row("axpby", ".t", "i", &["i"]),
    row("axpby", ".t", "ij", &["ji"]),
    running(0, "i", &["l"]),
    running(0, "ij", &["lj"]),
    running(1, "ij", &["il"]),
    running(0, "ijk", &["ljk"]),
    running(1, "ijk", &["ilk"]),
    running(2, "ijk", &["ijl"]),
    row("sum", "", "", &["l"]),
    row("sum", ".t", "", &["l"]),
    row("sum", "", "i", &["il"]),
    row("sum", ".t", "i", &["li"]),
    row("gemv", "", "i", &["il", "l"]),
    row("gemv", ".t", "i", &["li", "l"]),
    row("ger", "", "ij", &["i", "j"]),
    row("hadamard", "", "i", &["i", "i"]),
    row("hadamard", "", "ij", &["ij", "ij"]),
    row("gemm", "", "ij", &["il", "lj"]),
    row("gemm", ".t", "ij", &["li", "lj"]),
    row("gemm", ".n.t", "ij", &["il", "jl"]),
    row("gemm", ".t.t", "ij", &["li", "jl"]),
];

/// i, j, k, l: every size in every mode, no two alike where it matters.
const SHAPES: [[usize; 4]; 12] = [
    [1, 1, 1, 1],
    [2, 1, 3, 101],
    [1, 2, 2, 15],
    [15, 16, 2, 17],
    [16, 15, 1, 2],
    [17, 31, 2, 16],
    [31, 17, 1, 33],
    [33, 2, 3, 1],
    [56, 9, 2, 9],
    [64, 16, 1, 31],
    [101, 33, 1, 2],
    [2, 101, 1, 64],
];

/// Nothing to sum, or nowhere to write, where only the run time knows.
const EMPTY: [[usize; 4]; 2] = [[5, 3, 2, 0], [2, 0, 3, 4]];

/// The same for tensors whose sizes have a common divisor.
const DIVISIBLE: [[usize; 4]; 3] = [[GCD, GCD, GCD, GCD], [64, GCD, GCD, 2 * GCD], [2 * GCD, 64, GCD, GCD]];

/// Shapes of little code, for the many combinations of types in gemm.
const FEW: [[usize; 4]; 6] =
    [[17, 2, 1, 2], [1, 2, 1, 15], [33, 1, 1, 2], [2, 15, 1, 1], [16, 1, 1, 31], [15, 2, 1, 3]];

/// Update of the output.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Update {
    /// β is an argument.
    Argument,
    /// β is the constant 0: what was there is not read, be it NaN.
    Overwrite,
    /// Atomic, β is the constant 0.
    AtomicOverwrite,
    /// Atomic, β is the constant 1.
    AtomicAdd,
}

const UPDATES: [Update; 4] =
    [Update::Argument, Update::AtomicAdd, Update::Overwrite, Update::AtomicOverwrite];

const INSTRUCTIONS: [&str; 7] = ["axpby", "cumsum", "sum", "gemv", "ger", "hadamard", "gemm"];

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for size in SUBGROUP_SIZES {
        for instruction in INSTRUCTIONS {
            for ty in Scalar::computable() {
                cases.push(Case::new(format!("linalg::{instruction}::{ty}::{size}"), move |device| {
                    // Blocks as large as the registers allow take the driver long; two types shall do.
                    let large = instruction != "gemm" || matches!(ty, Scalar::I32 | Scalar::F32);
                    let info = if large { device.info.clone() } else { small(device) };
                    run_for(device, &info, 2, uniform(instruction, ty, size))
                }));
            }
            cases.push(Case::new(format!("linalg::{instruction}::mixed::{size}"), move |device| {
                run_for(device, &small(device), 2, mixed(instruction, size))
            }));
        }
    }
    cases
}

/// Every form of an instruction with operands of one type.
fn uniform(instruction: &str, ty: Scalar, size: i32) -> Vec<Launch> {
    let mut launches = Vec::new();
    let mut turn = ty as usize + size as usize / 16;
    for row in ROWS.iter().filter(|row| row.instruction == instruction) {
        let types = Types::uniform(ty, row.inputs.len());
        // Of the updates that read the output and those that do not, in turns.
        let read = turn / 2 % 2;
        let mut updates = vec![
            [Update::Argument, Update::Overwrite][read],
            [Update::AtomicOverwrite, Update::AtomicAdd][read],
        ];
        if row.transpose == ".t" && row.inputs.iter().all(|modes| modes.len() < 2) {
            // Nothing to transpose: no other code.
            updates.truncate(1);
        }
        if row.output.len() > 2 {
            // More modes are more loops around the same code.
            updates.swap_remove(turn % 2);
        }
        for update in updates {
            turn += 1;
            push(&mut launches, row, &types, update, form(instruction, ty, turn), size, turn);
        }
    }
    launches
}

/// The forms take turns. What gemm is built from for sizes known at run time is large, more so for complex
/// numbers, hence there they are rarer.
fn form(instruction: &str, ty: Scalar, turn: usize) -> Form {
    let known = [Form::Static, Form::Strided];
    match instruction {
        "gemm" if ty == Scalar::C64 && !turn.is_multiple_of(9) => known[turn % 2],
        "gemm" if !turn.is_multiple_of(3) => known[turn % 2],
        "gemm" => FORMS[turn / 3 % FORMS.len()],
        _ => FORMS[turn % FORMS.len()],
    }
}

/// Every combination of different types; rows, updates and forms take turns. For gemm each combination runs with
/// both subgroup sizes; for the others, which only differ in how they find the factors, with one.
fn mixed(instruction: &str, size: i32) -> Vec<Launch> {
    let rows: Vec<&Row> = ROWS.iter().filter(|row| row.instruction == instruction).collect();
    let mut launches = Vec::new();
    let half = size as usize / 16 - 1;
    for (turn, types) in Types::all(rows[0].inputs.len()).iter().enumerate() {
        if types.is_uniform() || (instruction != "gemm" && types.inputs.len() == 2 && turn % 2 != half) {
            continue;
        }
        let (row, update) = (rows[(turn / 2 + half) % rows.len()], UPDATES[turn / 3 % 4]);
        // Kernels that know their sizes are shorter, and the types are what matters here.
        let known = [Form::Static, Form::Strided][turn % 2];
        if instruction == "gemm" && (turn % 10 != 0 || types.output.is_complex()) {
            launches.push(launch(row, types, update, known, size, FEW[turn % FEW.len()]));
        } else {
            let form = if turn % 5 == 0 { FORMS[turn / 5 % FORMS.len()] } else { known };
            push(&mut launches, row, types, update, form, size, turn);
        }
    }
    launches
}

/// The launches of a configuration: one for each shape, where the kernel does not know it, else for one.
fn push(
    launches: &mut Vec<Launch>,
    row: &Row,
    types: &Types,
    update: Update,
    form: Form,
    size: i32,
    turn: usize,
) {
    let shapes: Vec<[usize; 4]> = match form {
        Form::Static | Form::Strided => vec![SHAPES[turn % SHAPES.len()]],
        Form::Gcd => DIVISIBLE.to_vec(),
        // Half of the shapes; those next to each other have little in common.
        _ => SHAPES.iter().copied().skip(turn % 2).step_by(2).chain(EMPTY).collect(),
    };
    for shape in shapes {
        launches.push(launch(row, types, update, form, size, shape));
    }
}

fn launch(row: &Row, types: &Types, update: Update, form: Form, size: i32, shape: [usize; 4]) -> Launch {
    // The language has no atomics for these.
    let update = match types.output {
        Scalar::I8 | Scalar::I16 | Scalar::Bf16 if update != Update::Overwrite => Update::Argument,
        _ => update,
    };
    let extent = |mode: char| match mode {
        // A running sum is as long as the output's mode.
        'l' if row.running.is_some() => shape[row.running.unwrap_or(0)],
        'i' => shape[0],
        'j' => shape[1],
        'k' => shape[2],
        _ => shape[3],
    };
    let sizes = |modes: &str| modes.chars().map(extent).collect::<Vec<_>>();
    let output = Tensor::new("C", types.output, &sizes(row.output), form);
    let inputs: Vec<Tensor> = row
        .inputs
        .iter()
        .zip(&types.inputs)
        .zip(["A", "B"])
        .map(|((modes, &ty), name)| Tensor::new(name, ty, &sizes(modes), form))
        .collect();

    let seed = shape.iter().fold(size as usize, |seed, size| seed * 103 + size);
    let mut random = Random::new(seed as u64);
    let alpha = factor(types.alpha, 3.0, &mut random);
    let beta = match update {
        Update::Argument => factor(types.beta, -2.0, &mut random),
        Update::Overwrite | Update::AtomicOverwrite => Number::small(types.output, 0),
        Update::AtomicAdd => Number::small(types.output, 1),
    };
    let arrays: Vec<_> =
        inputs.iter().map(|tensor| tensor.fill(|| moderate(tensor.ty, types.sums(), &mut random))).collect();
    let overwrites = matches!(update, Update::Overwrite | Update::AtomicOverwrite);
    let before = output.fill(|| match overwrites && !types.output.is_integer() {
        true => Number::complex([f64::NAN; 2]),
        false => sample(types.output, &mut random),
    });
    let kept = if overwrites { None } else { Some(beta) };
    let after = Reference { row, types, output: &output, alpha, beta: kept, before: &before }
        .expectations(&inputs, &arrays);

    let (ty, alpha_type) = (types.output, types.alpha);
    let (mut parameters, mut body) = (vec![format!("%alpha: {alpha_type}")], String::new());
    let mut arguments = vec![Arg::Number(alpha_type, alpha)];
    let tensors: Vec<&Tensor> = inputs.iter().chain([&output]).collect();
    for (buffer, tensor) in tensors.iter().enumerate() {
        parameters.push(tensor.parameter());
        body += &tensor.prologue();
        arguments.extend(tensor.arguments(buffer));
    }
    if update == Update::Argument {
        parameters.push(format!("%beta: {}", types.beta));
        arguments.push(Arg::Number(types.beta, beta));
    } else {
        body += &format!("%beta = constant {} : {ty}\n", beta.literal(ty));
    }
    let atomic = matches!(update, Update::AtomicOverwrite | Update::AtomicAdd);
    let operands: Vec<String> = inputs.iter().map(|tensor| format!("%{}", tensor.name)).collect();
    let mode = row.running.map_or(String::new(), |mode| format!(", {mode}"));
    let Row { instruction, transpose, .. } = row;
    let suffix = format!("{}{transpose}", if atomic { ".atomic" } else { "" });
    body += &format!("{instruction}{suffix} %alpha, {}{mode}, %beta, %C\n", operands.join(", "));
    let y = 1 + size / 32;
    let kernel = format!(
        "({}) attributes{{subgroup_size={size}, work_group_size=[{},{y}]}} {{\n{body}}}\n",
        parameters.join(", "),
        2 * size
    );
    let mut buffers: Vec<Buffer> = arrays.into_iter().map(Buffer::input).collect();
    buffers.push(Buffer::output(&[instruction], before, after));
    let from: Vec<&str> = types.inputs.iter().map(|ty| ty.spelling()).collect();
    let name = format!("{} to {ty}{suffix}; {form:?} {shape:?} on {size}", from.join(" and "));
    Launch { name, kernel, groups: [1, 1, 1], arguments, buffers, requires: types.requires(update) }
}
