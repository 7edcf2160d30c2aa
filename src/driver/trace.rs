//! Log and files of a compilation.

use super::dump::Dump;
use super::{Error, Module, Options};
use crate::device::CoreInfo;
use crate::ir::{Func, Ir, Op, Program};
use crate::passes::{Instrumentation, Observer};
use crate::schedule::Schedule;
use crate::syntax;
use log::Level;
use std::time::{Duration, Instant};

/// A compilation that is watched, for whoever else watches it, too.
pub(super) struct Trace<'a> {
    observer: Option<&'a mut dyn Observer>,
    dump: Option<Dump>,
    /// The program as it was written last.
    last: String,
    stages: usize,
    start: Instant,
}

impl<'a> Trace<'a> {
    /// Begins to watch. `observer` is told the same.
    pub fn begin(
        ir: &Ir,
        program: &Program,
        info: &CoreInfo,
        options: &Options,
        observer: Option<&'a mut dyn Observer>,
    ) -> Trace<'a> {
        let mut trace =
            Trace { observer, dump: Dump::begin(), last: String::new(), stages: 0, start: Instant::now() };
        log::debug!("compiling {} for {info:?} with {options:?}", names(ir, program));
        if info.avoided().iter().next().is_some() {
            log::info!("compiling without {}", info.avoided());
        }
        trace.write_stage("original", ir, program);
        trace
    }

    fn write_stage(&mut self, pass: &str, ir: &Ir, program: &Program) {
        let Some(dump) = &self.dump else { return };
        let text = syntax::print(ir, program).to_string();
        let number = self.stages;
        self.stages = number.saturating_add(1);
        // What a stage leaves as it is need not be written again.
        if text != self.last {
            dump.write(
                &format!("{number:02}-{pass}.ir"),
                text.as_bytes(),
                format_args!("program after {pass}"),
            );
            self.last = text;
        }
    }

    /// Tells what has become of the program.
    pub fn end(&mut self, ir: &Ir, program: &Program, result: &Result<Module, Error>) {
        let duration = milliseconds(self.start.elapsed());
        match result {
            Ok(module) => {
                let bytes = module.assemble();
                if log::log_enabled!(Level::Info) {
                    let options = module.core_features().build_options();
                    let options = options.map_or_else(|| "none".into(), |options| options.to_string_lossy());
                    log::info!(
                        "compiled {} in {duration}: module of {} bytes, build options: {options}",
                        names(ir, program),
                        bytes.len(),
                    );
                    describe_kernels(ir, program);
                }
                if let Some(dump) = &self.dump {
                    let kernels = names(ir, program);
                    dump.write("module.spv", &bytes, format_args!("module of {kernels}"));
                    let text = module.disassemble();
                    dump.write(
                        "module.spvasm",
                        text.as_bytes(),
                        format_args!("module of {kernels}, disassembled"),
                    );
                }
            }
            Err(error) => {
                log::error!("compiling {} failed after {duration}: {error}", names(ir, program));
                if let Some(dump) = &self.dump {
                    dump.write("error.txt", format!("{error}\n").as_bytes(), "reason why there is no module");
                }
            }
        }
    }
}

impl Observer for Trace<'_> {
    fn pass_ended(&mut self, pass: &'static str, duration: Duration, ir: &Ir, program: &Program) {
        log::debug!("{pass} took {}", milliseconds(duration));
        self.write_stage(pass, ir, program);
        if let Some(observer) = &mut self.observer {
            observer.pass_ended(pass, duration, ir, program);
        }
    }
}

/// Lets something work that is watched.
pub(super) fn watched(
    ir: &mut Ir,
    program: &Program,
    info: &CoreInfo,
    options: &Options,
    instrumentation: &mut Instrumentation<'_>,
    work: impl FnOnce(&mut Ir, &mut Instrumentation<'_>) -> Result<Module, Error>,
) -> Result<Module, Error> {
    let observer: Option<&mut dyn Observer> = match &mut instrumentation.observer {
        Some(observer) => Some(&mut **observer),
        None => None,
    };
    let mut trace = Trace::begin(ir, program, info, options, observer);
    let (verify_each, observer) = (instrumentation.verify_each, Some(&mut trace as &mut dyn Observer));
    let mut inner = Instrumentation { verify_each, observer, ..Instrumentation::default() };
    let result = work(ir, &mut inner);
    instrumentation.warnings.append(&mut inner.warnings);
    instrumentation.decisions.append(&mut inner.decisions);
    instrumentation.explanations.append(&mut inner.explanations);
    trace.end(ir, program, &result);
    result
}

/// Tells the schedule of each kernel, and the local memory that it has.
fn describe_kernels(ir: &Ir, program: &Program) {
    for kernel in statistics(ir, program) {
        let KernelStatistics { name, work_group: [x, y], subgroup_size, local_bytes, instructions } = kernel;
        log::info!(
            "kernel {name}: work-group of {x} x {y}, subgroups of {subgroup_size}, {local_bytes} bytes of local \
             memory, {instructions} instructions before translation"
        );
    }
    for schedule in program.functions.iter().filter_map(|&func| Schedule::of(ir, func).ok()) {
        log::debug!("{schedule:?}");
    }
}

/// A compiled kernel in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelStatistics {
    /// Its name.
    pub name: String,
    /// Work-items of a work-group.
    pub work_group: [i32; 2],
    /// Work-items of a subgroup.
    pub subgroup_size: i32,
    /// Bytes of local memory.
    pub local_bytes: i64,
    /// Instructions of the lowered function.
    pub instructions: usize,
}

/// The kernels of a lowered program in numbers; those that are not lowered are left out.
pub fn statistics(ir: &Ir, program: &Program) -> Vec<KernelStatistics> {
    let kernel = |&func: &Func| {
        let schedule = Schedule::of(ir, func).ok()?;
        let (mut local_bytes, mut instructions) = (0, 0usize);
        ir.walk(ir[func].body, &mut |inst| {
            instructions = instructions.saturating_add(1);
            let data = &ir[inst];
            if let (Op::Alloca(alloca), Some(&result)) = (&data.op, data.results.first())
                && let Ok((size, _)) = alloca.size_and_alignment(ir.ty(result))
            {
                local_bytes = local_bytes.max(alloca.stack_ptr.unwrap_or(0).saturating_add(size));
            }
        });
        Some(KernelStatistics {
            name: ir[func].name.clone(),
            work_group: schedule.grid.work_items(schedule.subgroup_size),
            subgroup_size: schedule.subgroup_size,
            local_bytes,
            instructions,
        })
    };
    program.functions.iter().filter_map(kernel).collect()
}

fn names(ir: &Ir, program: &Program) -> String {
    let names: Vec<&str> = program.functions.iter().map(|&func| ir[func].name.as_str()).collect();
    names.join(", ")
}

/// A duration as the log shows it.
pub(super) fn milliseconds(duration: Duration) -> String {
    format!("{:.3} ms", 1e3 * duration.as_secs_f64())
}
