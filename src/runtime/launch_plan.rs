//! Comparison of arguments by the program itself: what has to hold of their values for a launch that differs in nothing
//! else from one that [`arguments::check`] has accepted, and how many work-groups it needs.
//!
//! A plan is a list of steps for a machine with a stack of integers. It only accepts: whoever meets something else asks
//! again, and gets the message from there.

use super::arguments;
use crate::ir::{GridExpression, GridOp, LaunchGrid, Promise, Signature};

/// A step of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanStep {
    /// Pushes a number.
    Number(i64),
    /// Pushes the address or integer of an argument.
    Argument(usize),
    /// Replaces two integers by one.
    Apply(GridOp),
    /// Pops an address or integer, which as 64 bits without a sign is a multiple of a number.
    MultipleOf(u64),
    /// Pops an integer, which is this one.
    Is(i64),
    /// Pops the number of work-groups in a direction.
    Groups(usize),
    /// Stands alone: each launch has to ask.
    Ask,
}

impl PlanStep {
    /// Code and operand of the step in C.
    pub fn code(self) -> Option<(i32, i64)> {
        Some(match self {
            PlanStep::Number(number) => (0, number),
            PlanStep::Argument(place) => (1, i64::try_from(place).ok()?),
            PlanStep::Apply(GridOp::Add) => (2, 0),
            PlanStep::Apply(GridOp::Sub) => (3, 0),
            PlanStep::Apply(GridOp::Mul) => (4, 0),
            PlanStep::Apply(GridOp::Div) => (5, 0),
            PlanStep::Apply(GridOp::Cdiv) => (6, 0),
            PlanStep::Apply(GridOp::Min) => (7, 0),
            PlanStep::Apply(GridOp::Max) => (8, 0),
            PlanStep::MultipleOf(divisor) => (9, divisor.cast_signed()),
            PlanStep::Is(number) => (10, number),
            PlanStep::Groups(direction) => (11, i64::try_from(direction).ok()?),
            PlanStep::Ask => (12, 0),
        })
    }
}

/// The plan of a kernel whose signature is known, or of which only the number of arguments is compared.
pub fn launch_plan(signature: Option<&Signature>) -> Vec<PlanStep> {
    signature.map_or_else(Vec::new, |signature| steps(signature).unwrap_or_else(|| vec![PlanStep::Ask]))
}

/// The steps; `None` for what they cannot say: the layout of a matrix.
fn steps(signature: &Signature) -> Option<Vec<PlanStep>> {
    let mut steps = Vec::new();
    let mut first: usize = 0;
    for parameter in &signature.parameters {
        if parameter.open_layout.is_some() {
            return None;
        }
        let compared = parameter.contracts.iter().filter(|_| arguments::are_checked());
        for contract in compared {
            steps.push(PlanStep::Argument(first.checked_add(contract.argument)?));
            steps.push(match contract.promise {
                Promise::MultipleOf(divisor) => PlanStep::MultipleOf(divisor),
                Promise::Is(number) => PlanStep::Is(number),
                Promise::Surface(..) => return None,
            });
        }
        first = first.checked_add(parameter.arguments.len())?;
    }
    if let Some(LaunchGrid { sizes, .. }) = &signature.grid {
        for (direction, size) in sizes.iter().enumerate() {
            push(&mut steps, size);
            steps.push(PlanStep::Groups(direction));
        }
    }
    Some(steps)
}

/// Adds the steps that compute an expression.
fn push(steps: &mut Vec<PlanStep>, expression: &GridExpression<usize>) {
    match expression {
        GridExpression::Number(number) => steps.push(PlanStep::Number(*number)),
        GridExpression::Of(place) => steps.push(PlanStep::Argument(*place)),
        GridExpression::Binary(op, operands) => {
            operands.iter().for_each(|operand| push(steps, operand));
            steps.push(PlanStep::Apply(*op));
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::diagnostics::SourceId;
    use crate::driver;

    fn plan(function: &str) -> Vec<PlanStep> {
        let mut ir = crate::ir::Ir::default();
        let program = driver::parse(&mut ir, SourceId::UNKNOWN, function.as_bytes()).unwrap();
        launch_plan(ir.signatures(&program).first())
    }

    #[test]
    fn promises_come_before_the_grid() {
        use PlanStep::*;
        let found = plan(
            "func @f(%a: f32, %A: memref<f32x?x?,strided<1,?>>{alignment=64, shape_gcd=[4]}, %n: i64)
             attributes{grid=[cdiv(%n,64), %A[1]]} {\n}\n",
        );
        let promises = [Argument(1), MultipleOf(64), Argument(2), MultipleOf(4)];
        let x = [Argument(5), Number(64), Apply(GridOp::Cdiv), Groups(0)];
        let (y, z) = ([Argument(3), Groups(1)], [Number(1), Groups(2)]);
        assert_eq!(found, [promises.as_slice(), &x, &y, &z].concat());
        // One work-group does all there is to do.
        let single = [0, 1, 2].map(|direction| [Number(1), Groups(direction)]);
        assert_eq!(plan("func @f(%a: f32) {\n}\n"), single.concat());
        assert_eq!(launch_plan(None), []);
    }

    #[test]
    fn layouts_of_matrices_have_to_be_asked_for() {
        let open = "func @f(%A: memref<f32x?x?,strided<?,?>>) {\n    %t = tile_load %A[0,0] : tile<f32x16x16,matrix_acc>\n}\n";
        assert_eq!(plan(open), [PlanStep::Ask]);
        let surface = "func @f(%A: memref<f32x?x?,strided<1,?>>{surface=true}) {\n}\n";
        assert_eq!(plan(surface), [PlanStep::Ask]);
    }

    #[test]
    fn every_step_has_a_code_of_its_own() {
        use GridOp::*;
        let apply = [Add, Sub, Mul, Div, Cdiv, Min, Max].map(PlanStep::Apply);
        let others = [PlanStep::MultipleOf(u64::MAX), PlanStep::Is(-3), PlanStep::Groups(2), PlanStep::Ask];
        let all = [&[PlanStep::Number(-1), PlanStep::Argument(7)], apply.as_slice(), &others].concat();
        let codes: Vec<_> = all.iter().map(|step| step.code().unwrap()).collect();
        assert_eq!(codes.iter().map(|code| code.0).collect::<Vec<_>>(), (0..13).collect::<Vec<_>>());
        let values: Vec<_> = codes.iter().map(|code| code.1).collect();
        assert_eq!(values, [-1, 7, 0, 0, 0, 0, 0, 0, 0, -1, -3, 2, 0]);
    }
}
