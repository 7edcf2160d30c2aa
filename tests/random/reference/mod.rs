//! Reference implementation by the specification alone: no pass, no back end, no device.
//!
//! The reference walks the program as it was made, in the order in which it is written; programs that may run do not
//! depend on any other. Integers are exact. A floating number is a [`ball::Ball`]: the doubles that the host computed, and a
//! radius within which every device has to stay. The radius is derived, operation by operation (running error analysis),
//! from
//!
//! - what the radii of the operands do to the result, with u the unit roundoff of the operation's type;
//! - one rounding, u·|result|, where IEEE 754 wants the result rounded correctly, and as many as OpenCL allows a
//!   quotient or an elementary function; a compiler that contracts a·b + c, or keeps more digits, rounds less;
//! - for sums of n products, whose order is open, γ(n + 1)·Σ|x||y| ([`sum`]);
//! - the smallest normal number where a result is so small, since devices may take it for zero;
//! - the same with the unit roundoff of doubles for the host's own arithmetic.
//!
//! No rounding is counted where operands are exact and so is the result, so that programs of small integers have
//! radius 0. A result that may be beyond the largest number of its type is unknown, as are the native functions.
//! What depends on unknown numbers, or on a comparison of numbers whose balls touch, is unknown too; a program that
//! branches on it is given up.

mod ball;
mod control;
mod interpret;
mod matrices;
mod number;
mod sum;
mod tensors;
mod tiles;
mod views;

pub use ball::Ball;
pub use number::Number;

use crate::generate::{Generated, Parameter};
use matrices::Matrix;
use std::collections::HashMap;
use tensors::{View, every};
use tiletc::ir::{FunctionAttributes, Ir, SubgroupSize, Value, WorkGroupSize};

/// The most elements and instructions that are worth the time.
const MAX_STEPS: u64 = 2_000_000;

/// Result of a step, or the reason why a program is given up.
pub type Run<T> = Result<T, &'static str>;

/// Meaning of a value.
#[derive(Clone, Debug)]
pub enum Datum {
    Number(Number),
    View(View),
    Matrix(Matrix),
}

impl From<Number> for Datum {
    fn from(number: Number) -> Datum {
        Datum::Number(number)
    }
}

/// A run of a program.
pub struct Reference<'p> {
    ir: &'p Ir,
    values: HashMap<Value, Datum>,
    memories: Vec<Vec<Number>>,
    steps: u64,
    /// Work-groups in each direction, and the one that runs.
    groups: [i64; 3],
    group: [i64; 3],
    /// Subgroups of a work-group in each direction, as attributes say, and the one that runs.
    subgroups: [i64; 2],
    subgroup: [i64; 2],
    /// True in regions whose loads take the nearest element of what is outside.
    clamps: bool,
    /// True from where a loop is left early until it is.
    leaves_loop: bool,
}

/// Computes the memory of a program's parameters, given the bytes that lie there before and its numbers.
///
/// # Errors
/// Why the program is given up.
pub fn run(
    made: &Generated,
    initial: &[Vec<u8>],
    number: impl Fn(&Parameter) -> Number,
) -> Run<Vec<Vec<Number>>> {
    let body = made.ir[made.program.functions[0]].body;
    let groups = made.groups.map(|groups| i64::try_from(groups).unwrap_or(0));
    let mut reference = Reference {
        ir: &made.ir,
        values: HashMap::new(),
        memories: Vec::new(),
        steps: 0,
        groups,
        group: [0; 3],
        subgroups: subgroups(&made.ir[made.program.functions[0]].attributes),
        subgroup: [0; 2],
        clamps: false,
        leaves_loop: false,
    };
    for (parameter, &value) in made.parameters.iter().zip(&made.ir[body].parameters) {
        let datum = match parameter {
            Parameter::Memref(mem) => {
                let memory = reference.memories.len();
                let bytes = initial.get(memory).ok_or("memory without content")?;
                reference.memories.push(Number::decode(mem.element(), bytes));
                let (shape, stride) = (mem.shape.clone(), mem.stride.clone());
                Datum::View(View { memory, element: mem.element(), offset: 0, shape, stride })
            }
            Parameter::Scalar(..) => Datum::Number(number(parameter)),
            Parameter::Group => return Err("a group"),
        };
        reference.values.insert(value, datum);
    }
    let parameters = reference.memories.len();
    for group in every(&[0; 3], &groups, &[1; 3]) {
        reference.group = group.try_into().map_err(|_| "no work-group")?;
        reference.region(body)?;
        reference.memories.truncate(parameters);
    }
    Ok(reference.memories)
}

/// Subgroups along the rows and columns of tiles.
fn subgroups(attributes: &FunctionAttributes) -> [i64; 2] {
    let (size, group) = (&attributes.subgroup_size, &attributes.work_group_size);
    let sizes = size.as_ref().zip(group.as_ref());
    sizes.map_or([1; 2], |(SubgroupSize(size), WorkGroupSize([x, y]))| [i64::from(x / size), (*y).into()])
}

impl Reference<'_> {
    /// Counts a step.
    fn step(&mut self) -> Run<()> {
        self.steps += 1;
        if self.steps > MAX_STEPS { Err("too many steps") } else { Ok(()) }
    }
}
