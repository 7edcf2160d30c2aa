//! The device under test: from a program text to a kernel bundle, and buffers to run kernels on.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::OnceLock;

use crate::valid::validate;
use tiletc::device::{Avoidances, CoreInfo, SpirvFeature};
use tiletc::diagnostics::Sources;
use tiletc::driver::{self, Options};
use tiletc::ir::Ir;
use tiletc::runtime::Plain;
use tiletc::spirv;
use tiletc::status::Status;

#[path = "backend.rs"]
mod backend;
#[path = "../builds/opencl.rs"]
mod builds;

use backend::Session;
#[allow(unused_imports, reason = "tests/random needs no kernels of its own")]
pub use backend::{Argument, Kernel, Memory, Program};

/// Reason why a test ends early.
pub enum Stop {
    /// The device cannot run it.
    Skip(String),
    /// Something is wrong.
    Fail(String),
}

impl<E: Display> From<E> for Stop {
    fn from(error: E) -> Stop {
        Stop::Fail(error.to_string())
    }
}

pub type Outcome<T = ()> = Result<T, Stop>;

/// Separates the name of a device from what its kernels avoid.
pub const WITHOUT: &str = " without ";

/// A device that runs kernels.
pub struct Device {
    name: String,
    session: Session,
    pub info: CoreInfo,
    half_moves: OnceLock<bool>,
}

/// The status and the messages of a failed compilation.
pub struct Refused {
    pub status: Status,
    pub messages: String,
}

/// Compiles a program text; the module has passed the validator.
pub fn compile(text: &str, info: &CoreInfo, level: i32) -> Result<spirv::Module, Refused> {
    let mut ir = Ir::default();
    let source = Sources::new().add("test", text.as_bytes());
    let options = Options { level, ..Options::default() };
    let compiled = driver::parse(&mut ir, source, text.as_bytes())
        .and_then(|program| driver::compile(&mut ir, &program, info, &options));
    let module = compiled.map_err(|error| {
        let messages: Vec<String> =
            error.diagnostics().into_iter().map(|message| format!("{message:?}")).collect();
        Refused { status: error.status(), messages: messages.join("\n") }
    })?;
    match validate(&module) {
        Ok(()) => Ok(module),
        Err(error) => Err(Refused {
            status: Status::InternalCompilerError,
            messages: format!("invalid module: {error}\n{}", module.disassemble()),
        }),
    }
}

impl Device {
    /// The device of a name, `opencl` or one of virtual-xe as `virtual:pvc`, or why there is none; behind [`WITHOUT`] stand classes of
    /// messages and instructions that its kernels avoid.
    pub fn open(name: &str) -> Result<Device, String> {
        let (device, avoided) = name.split_once(WITHOUT).unwrap_or((name, ""));
        let session = Session::open(device)?;
        let mut info = session.core_info().clone();
        info.avoid(Avoidances::parse(avoided)?);
        Ok(Device { name: name.to_owned(), session, info, half_moves: OnceLock::new() })
    }

    /// The name that it was opened by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether a processor computes what is for matrix engines in vector code.
    pub fn is_cpu_without_engine(&self) -> bool {
        self.info.is_cpu() && self.info.joint_matrix().is_none()
    }

    /// Returns whether the driver builds an atomic store of half precision.
    pub fn has_half_moves(&self) -> bool {
        let text = "func @probe(%x: f16, %A: memref<f16>) { atomic_store %x, %A[] }";
        *self.half_moves.get_or_init(|| self.build(text, 2).is_ok())
    }

    /// Skips the test unless the device has the feature.
    pub fn require(&self, feature: SpirvFeature) -> Outcome {
        if self.info.have(feature) {
            return Ok(());
        }
        Err(Stop::Skip(format!("the device has no {}", feature.spelling())))
    }

    /// Returns whether kernels may have this subgroup and work-group size.
    pub fn has_geometry(&self, subgroup_size: i32, [x, y]: [i32; 2]) -> bool {
        self.info.subgroup_sizes().contains(&subgroup_size)
            && x % subgroup_size == 0
            && x * y <= self.info.max_work_group_size(subgroup_size)
    }

    /// Skips a case on a device that has no subgroups of a size.
    pub fn require_subgroup(&self, size: i32) -> Outcome {
        if self.has_geometry(size, [size, 1]) {
            return Ok(());
        }
        Err(Stop::Skip(format!("no subgroups of {size}")))
    }

    /// Compiles and builds a program.
    pub fn build(&self, text: &str, level: i32) -> Outcome<Program> {
        self.build_for(text, &self.info, level)
    }

    /// The same for a device that is described otherwise than it describes itself.
    pub fn build_for(&self, text: &str, info: &CoreInfo, level: i32) -> Outcome<Program> {
        let module = compile(text, info, level)
            .map_err(|refused| format!("{:?}: {}\n{text}", refused.status, refused.messages))?;
        Ok(self.session.build(&module).map_err(|error| format!("{error}\n{text}"))?)
    }

    /// Builds a module.
    pub fn build_module(&self, module: &spirv::Module) -> Outcome<Program> {
        validate(module)?;
        Ok(self.session.build(module)?)
    }

    /// Builds a program of one kernel and runs that.
    pub fn run_text(
        &self,
        text: &str,
        level: i32,
        name: &str,
        groups: [usize; 3],
        arguments: &[Argument<'_>],
    ) -> Outcome {
        let program = self.build(text, level)?;
        Ok(run(&program, name, groups, arguments).map_err(|error| format!("{error}\n{text}"))?)
    }

    /// Memory that holds a copy of `values`, with the driver's own error.
    pub fn shared<T: Plain>(&self, values: &[T]) -> Result<Memory<T>, String> {
        self.session.memory(values)
    }

    /// Memory that holds a copy of `values`.
    pub fn memory<T: Plain>(&self, values: &[T]) -> Outcome<Memory<T>> {
        Ok(self.session.memory(values)?)
    }
}

/// Kernels without names; equal ones are compiled once, since building them takes most of the time.
pub struct Kernels {
    /// The program.
    pub text: String,
    names: Vec<String>,
}

impl Kernels {
    /// A program of kernels, each given as what follows the function's name.
    pub fn new(kernels: impl IntoIterator<Item = String>) -> Kernels {
        let (mut text, mut names) = (String::new(), Vec::new());
        let mut known: HashMap<String, String> = HashMap::new();
        for kernel in kernels {
            let next = known.len();
            let name = known.entry(kernel).or_insert_with_key(|kernel| {
                let name = format!("kernel{next}");
                text += &format!("func @{name}{kernel}\n");
                name
            });
            names.push(name.clone());
        }
        Kernels { text, names }
    }

    /// The name of the kernel that was given at this place.
    pub fn name(&self, place: usize) -> &str {
        &self.names[place]
    }
}

/// Runs a kernel.
pub fn run(
    program: &Program,
    name: &str,
    groups: [usize; 3],
    arguments: &[Argument<'_>],
) -> Result<(), String> {
    // SAFETY: the programs of these tests stay within the memory they are given, and results are only looked
    // at after the run.
    unsafe { program.kernel(name)?.run(groups, arguments) }
}
