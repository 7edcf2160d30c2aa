//! The order in which a program is lowered (lowering reference 1.2), as a table.

use super::context::{Context, Instrumentation};
use super::error::{Error, internal};
use super::manager::{
    ACCESS_CLASSES, Action, CHECK_IR, CONSTANT_PROPAGATION, DEAD_CODE_ELIMINATION, FOREACH_COPIES,
    GEMM_TILES, INSERT_BARRIER, INSERT_LIFETIME_STOP, LANE_PRODUCTS, LOWER_COOPMATRIX, LOWER_FOREACH,
    LOWER_LINALG, LOWER_SWIZZLE, LOWER_TILE, PRODUCT_SCHEDULE, Pass, SET_STACK_PTR, SPLIT_BARRIERS,
    TILE_BOUNDS, TILE_COMBINE, TILE_COPY, TILE_LAYOUT, TILE_ORDER, TILE_ORIENT, TILE_PADDING, TILE_PARTS,
    TILE_PIPELINE, TILE_REDUCTION, TILE_STAGES, WIDENED_LOADS, bounded,
};
use super::{legality, lowering_rules, parameters, register_file, static_bounds, warnings, work_group_size};
use crate::ir::{Func, Ir, Program, VerifierError, check_program, verify};
use std::time::Instant;

/// Condition for a stage to run.
#[derive(Clone, Copy, PartialEq)]
enum When {
    Always,
    /// At level 1 and up.
    Optimising,
}

/// A pass at its place in the pipeline.
struct Stage {
    pass: Pass,
    when: When,
}

const fn always(pass: Pass) -> Stage {
    Stage { pass, when: When::Always }
}

const fn optimising(pass: Pass) -> Stage {
    Stage { pass, when: When::Optimising }
}

/// A stage that is part of the pipeline only.
const fn own(
    name: &'static str,
    purpose: &'static str,
    run: fn(&mut Ir, Func, &Context<'_>) -> Result<(), Error>,
) -> Stage {
    always(Pass { name, purpose, needs_device: false, action: Action::Transform(run) })
}

/// The stages, each of which runs on all functions before the next.
static PIPELINE: &[Stage] = &[
    own("check-device", "checks that the device can be compiled for", |ir, func, context| {
        let device = context.device("check-device")?;
        device.validate().map_err(|error| Error::Target { error, location: ir[func].location })
    }),
    always(CHECK_IR),
    own("check-warnings", "reports what is accepted, but may not be what was meant", |ir, func, context| {
        warnings::warn(ir, func, context);
        Ok(())
    }),
    own("check-parameters", "checks what kernels demand of parameters", |ir, func, _| {
        parameters::check(ir, func)
    }),
    own("check-lowering-rules", "checks what parser and verifier leave to lowering", |ir, func, _| {
        lowering_rules::check(ir, func)
    }),
    own("check-bounds", "checks what constants and static shapes tell about accesses", |ir, func, _| {
        static_bounds::check(ir, func)
    }),
    always(TILE_ORDER),
    always(TILE_LAYOUT),
    optimising(CONSTANT_PROPAGATION),
    optimising(DEAD_CODE_ELIMINATION),
    always(GEMM_TILES),
    always(TILE_PADDING),
    always(TILE_REDUCTION),
    always(TILE_PARTS),
    always(FOREACH_COPIES),
    always(TILE_STAGES),
    always(LANE_PRODUCTS),
    always(INSERT_LIFETIME_STOP),
    always(SET_STACK_PTR),
    always(INSERT_BARRIER),
    always(TILE_ORIENT),
    own(
        "work-group-size",
        "chooses subgroup and work-group size, and the register file",
        work_group_size::schedule,
    ),
    always(TILE_COMBINE),
    always(TILE_COPY),
    always(TILE_BOUNDS),
    always(TILE_PIPELINE),
    always(PRODUCT_SCHEDULE),
    always(LOWER_LINALG),
    always(SET_STACK_PTR),
    // Local memory of the lowering itself, as for the sum of a vector, may lie where other memory does.
    always(INSERT_BARRIER),
    always(LOWER_FOREACH),
    always(LOWER_TILE),
    always(LOWER_SWIZZLE),
    always(LOWER_COOPMATRIX),
    optimising(CONSTANT_PROPAGATION),
    // Matrices take the code that products ask for, of which none goes from here on.
    optimising(DEAD_CODE_ELIMINATION),
    always(WIDENED_LOADS),
    always(ACCESS_CLASSES),
    optimising(DEAD_CODE_ELIMINATION),
    optimising(SPLIT_BARRIERS),
    own("register-file", "asks for as many registers as matrices take", register_file::run),
    always(CHECK_IR),
    own("check-legality", "checks that all that is left has a SPIR-V counterpart", |ir, func, _| {
        legality::check(ir, func)
    }),
];

/// Name and purpose of each stage, in order.
pub fn stages() -> impl Iterator<Item = (&'static str, &'static str)> {
    PIPELINE.iter().map(|stage| (stage.pass.name, stage.pass.purpose))
}

/// Lowers a program to what has a SPIR-V counterpart. A program that is lowered already stays as it is.
///
/// # Errors
/// What the passes find; an internal error that names the pass if the program breaks a rule of the language
/// after it, and the instrumentation asks for that.
pub fn lower(
    ir: &mut Ir,
    program: &Program,
    context: &Context<'_>,
    instrumentation: &mut Instrumentation<'_>,
) -> Result<(), Error> {
    run(PIPELINE, ir, program, context, instrumentation)
}

/// Runs the stages that the level asks for.
fn run(
    stages: &[Stage],
    ir: &mut Ir,
    program: &Program,
    context: &Context<'_>,
    instrumentation: &mut Instrumentation<'_>,
) -> Result<(), Error> {
    check_program(ir, program)?;
    context.enter(program);
    bounded(ir, |ir| {
        let stages = stages.iter().filter(|stage| stage.when == When::Always || context.options.optimises());
        for Stage { pass, .. } in stages {
            let Action::Transform(transform) = pass.action else { continue };
            let start = Instant::now();
            let mut functions = program.functions.iter();
            functions
                .try_for_each(|&func| transform(ir, func, context))
                .map_err(|error| error.in_pass(pass.name))?;
            let duration = start.elapsed();
            if let Some(observer) = &mut instrumentation.observer {
                observer.pass_ended(pass.name, duration, ir, program);
            }
            // What the checks at the front refuse is the user's mistake, not that of a pass.
            if instrumentation.verify_each && !pass.name.starts_with("check-") {
                verify(ir, program).map_err(|error| after_pass(pass.name, error))?;
            }
        }
        Ok(())
    })
}

fn after_pass(pass: &'static str, error: VerifierError) -> Error {
    internal(error.location, format!("the program it leaves breaks a rule: {error}")).in_pass(pass)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use crate::device::CoreInfo;
    use crate::diagnostics::Sources;
    use crate::driver::{self, Options};
    use crate::ir::{Op, SubgroupSize, WorkGroupSize};
    use crate::status::Status;
    use std::time::Duration;

    /// The passes in the order in which they ended.
    struct Names(Vec<&'static str>);

    impl super::super::Observer for Names {
        fn pass_ended(&mut self, pass: &'static str, _: Duration, _: &Ir, _: &Program) {
            self.0.push(pass);
        }
    }

    fn program(ir: &mut Ir) -> Program {
        let text = b"func @f(%A: memref<f32x8x8>) { %a = constant 1.0 : f32 axpby %a, %A, %a, %A }";
        driver::parse(ir, Sources::new().add("test", text), text).unwrap()
    }

    #[test]
    fn observers_hear_of_each_stage_of_the_level() {
        let device = CoreInfo::from_name("pvc").unwrap();
        for level in [0, 2] {
            let mut ir = Ir::default();
            let program = program(&mut ir);
            let mut names = Names(Vec::new());
            let mut instrumentation =
                Instrumentation { observer: Some(&mut names), verify_each: true, ..Instrumentation::none() };
            let options = Options { level, ..Options::default() };
            driver::compile_instrumented(&mut ir, &program, &device, &options, &mut instrumentation).unwrap();
            let expected: Vec<&str> = (PIPELINE.iter())
                .filter(|stage| level > 0 || stage.when == When::Always)
                .map(|stage| stage.pass.name)
                .chain(["spirv"])
                .collect();
            assert_eq!(names.0, expected);
        }
    }

    /// Makes `axpby` a sum of a matrix times a matrix, as a pass would that replaces the wrong operand.
    fn break_a_rule(ir: &mut Ir, func: Func, _: &Context<'_>) -> Result<(), Error> {
        let inst = ir.last_inst(ir[func].body).unwrap();
        ir.update(inst, |op| {
            let Op::Axpby(op) = op else { panic!("no axpby") };
            op.alpha = op.a;
        });
        Ok(())
    }

    #[test]
    fn a_rule_that_a_pass_breaks_is_an_internal_error_that_names_the_pass() {
        let breaking = own("swap-operands", "breaks a rule", break_a_rule);
        let stages = [always(CHECK_IR), always(INSERT_LIFETIME_STOP), breaking, always(SET_STACK_PTR)];
        let device = CoreInfo::from_name("pvc").unwrap();
        let run_with = |verify_each| {
            let mut ir = Ir::default();
            let program = program(&mut ir);
            let mut names = Names(Vec::new());
            let mut instrumentation =
                Instrumentation { observer: Some(&mut names), verify_each, ..Instrumentation::none() };
            let options = Options { level: 1, ..Options::default() };
            let context = Context::new(options, Some(&device));
            let result = run(&stages, &mut ir, &program, &context, &mut instrumentation);
            assert!(verify(&ir, &program).is_err(), "nothing is broken");
            (result, names.0)
        };

        assert!(Instrumentation::none().verify_each || cfg!(not(debug_assertions)), "not unless asked for");
        let (result, names) = run_with(true);
        let Err(error) = result else { panic!("not noticed") };
        assert_eq!(error.status(), Status::InternalCompilerError);
        let expected = "internal compiler error in swap-operands: the program it leaves breaks a rule: ";
        assert!(error.to_string().starts_with(expected), "{error}");
        assert_eq!(names, ["check-ir", "insert-lifetime-stop", "swap-operands"]);

        // The test would say nothing about the verifier if a later pass noticed by itself.
        let (result, names) = run_with(false);
        assert!(result.is_ok(), "{result:?}");
        assert_eq!(names.len(), stages.len());
    }

    #[test]
    fn what_has_no_counterpart_is_left_to_no_back_end() {
        let mut ir = Ir::default();
        let program = program(&mut ir);
        let func = program.functions[0];
        ir[func].attributes.subgroup_size = Some(SubgroupSize(16));
        ir[func].attributes.work_group_size = Some(WorkGroupSize([16, 1]));
        let error = legality::check(&ir, func).unwrap_err();
        assert_eq!(error.status(), Status::InternalCompilerError);
        assert_eq!(error.to_string(), "internal compiler error at `axpby`: it is left after lowering");
    }
}
