//! The devices that run kernels: an OpenCL driver's, or one of virtual-xe.

use std::collections::HashSet;
use std::sync::Arc;

use rspirv::spirv::{Decoration, Op};
use tiletc::device::{CoreInfo, SpirvFeature};
use tiletc::runtime::opencl::{self, DeviceKind};
use tiletc::runtime::{self, Binary, Bundle as _, BundleFormat, DEFAULT_ALIGNMENT, Plain, ProfileOf};
use tiletc::spirv;

use super::builds::{self, Builds};
use virtual_xe::Checks;

pub use tiletc::runtime::{Argument, Memory};

/// Function that builds a binary.
type Build = dyn Fn(&Binary) -> Result<Program, String> + Send + Sync;
/// Function that makes a kernel of a name.
type Create = dyn Fn(&str) -> Result<Kernel, String> + Send + Sync;
/// Function that runs a kernel on so many work-groups.
type Run = dyn FnMut([u32; 3], &[Argument<'_>]) -> Result<(), String> + Send;

/// A device and its memory, whatever the interface.
pub struct Session {
    info: CoreInfo,
    allocator: Arc<dyn runtime::Allocator>,
    prepare: fn(&spirv::Module) -> Result<Binary, String>,
    build: Box<Build>,
}

/// A built module.
pub struct Program(Box<Create>);

/// A kernel of a [`Program`].
pub struct Kernel(Box<Run>);

/// Describes a device that virtual-xe has no model of, but runs the modules for: a processor with AMX, and a device of which nothing
/// is known but that it has cooperative matrices.
fn described(name: &str) -> Option<CoreInfo> {
    match name {
        "amx" => Some(with_cooperative_matrices(CoreInfo::cpu(2048, 1024, &[8, 16, 32]))),
        "portable" => Some(with_cooperative_matrices(CoreInfo::generic(16384, 1024, &[16, 32]))),
        _ => None,
    }
}

/// Words in front of the instructions of a module.
const HEADER_WORDS: usize = 5;

/// Promises that the counters of loops do not wrap, as there are compilers that take for granted. Virtual-xe
/// reports one that does.
fn without_wrapping(module: &spirv::Module) -> Result<Binary, String> {
    let words = module.words();
    // The reader of rspirv does not know all capabilities.
    let mut insts: Vec<&[u32]> = Vec::new();
    let (header, mut rest) = words.split_at(HEADER_WORDS);
    while let Some(&first) = rest.first() {
        let (inst, others) = rest.split_at_checked((first >> 16) as usize).ok_or("a module cut off")?;
        insts.push(inst);
        rest = others;
    }
    let is = |inst: &[u32], op: Op| inst[0] & 0xffff == op as u32;
    let latches: HashSet<u32> =
        insts.iter().filter(|inst| is(inst, Op::LoopMerge)).map(|inst| inst[2]).collect();
    let (mut in_latch, mut promises) = (false, Vec::new());
    for inst in &insts {
        if is(inst, Op::Label) {
            in_latch = latches.contains(&inst[1]);
        } else if in_latch && is(inst, Op::IAdd) {
            // Nothing but the counter is added there.
            promises.extend([3 << 16 | Op::Decorate as u32, inst[2], Decoration::NoSignedWrap as u32]);
        }
    }
    // Decorations stand in front of all types.
    let place = insts.iter().position(|inst| is(inst, Op::TypeVoid)).ok_or("a module without types")?;
    let (before, behind) = insts.split_at(place);
    let words = [header, &before.concat(), &promises, &behind.concat()].concat();
    let bytes = words.into_iter().flat_map(u32::to_ne_bytes).collect();
    Ok(Binary::new(BundleFormat::Spirv, bytes, module.core_features()))
}

fn with_cooperative_matrices(mut info: CoreInfo) -> CoreInfo {
    for &feature in SpirvFeature::ALL.iter().take(SpirvFeature::STANDARD_COUNT) {
        info.set(feature, feature != SpirvFeature::Bfloat16Conversion);
    }
    info.set(SpirvFeature::CooperativeMatrix, true);
    info
}

impl Session {
    /// The first OpenCL device, or the one of virtual-xe that is named behind `virtual:`.
    pub fn open(device: &str) -> Result<Session, String> {
        let Some(name) = device.strip_prefix("virtual:") else {
            let session = opencl::Session::open(DeviceKind::Any).map_err(|error| error.to_string())?;
            let builds = Builds::of(&session);
            return Session::of(session, builds, |module| Ok(Binary::from(module)), |_| Ok(()));
        };
        let described = described(name);
        let device = if described.is_some() { "generic" } else { name };
        let mut session = virtual_xe_runtime::Session::open(device).map_err(|error| error.to_string())?;
        if described.as_ref().is_some_and(CoreInfo::is_cpu) {
            // Lanes of one thread need no barriers, without which virtual-xe sees races between them.
            session.set_checks(Checks { races: false, ..Checks::ALL });
        }
        // Nothing is kept: it takes virtual-xe no time to build.
        let session = Session::of(session, None, without_wrapping, |outcome| {
            let reports: Vec<String> = outcome.reports.iter().map(ToString::to_string).collect();
            if reports.is_empty() { Ok(()) } else { Err(reports.join("\n")) }
        })?;
        Ok(match described {
            Some(info) => Session { info, ..session },
            None => session,
        })
    }

    /// A session that looks for modules in `builds`, as `prepare` makes them, and whose launches `judge`
    /// looks at.
    fn of<S>(
        session: S,
        builds: Option<Builds>,
        prepare: fn(&spirv::Module) -> Result<Binary, String>,
        judge: fn(ProfileOf<S>) -> Result<(), String>,
    ) -> Result<Session, String>
    where
        S: runtime::Session + Send + Sync + 'static,
        S::Bundle: Send + Sync,
        runtime::KernelOf<S>: Send,
    {
        let info = session.core_info().map_err(|error| error.to_string())?;
        let allocator = session.allocator();
        let build = move |binary: &Binary| {
            let bundle = match &builds {
                Some(builds) => builds.build(&session, binary)?,
                None => builds::build(&session, binary)?,
            };
            let (bundle, session) = (Arc::new(bundle), session.clone());
            let create = move |name: &str| {
                let mut kernel = bundle.kernel(name).map_err(|error| error.to_string())?;
                let session = session.clone();
                let run = move |groups: [u32; 3], arguments: &[Argument<'_>]| {
                    // SAFETY: whoever calls `Kernel::run` promises it.
                    let profile = unsafe { session.run(&mut kernel, groups, arguments) };
                    judge(profile.map_err(|error| error.to_string())?)
                };
                Ok(Kernel(Box::new(run)))
            };
            Ok(Program(Box::new(create)))
        };
        Ok(Session { info, allocator, prepare, build: Box::new(build) })
    }

    /// Describes the device to the compiler.
    pub fn core_info(&self) -> &CoreInfo {
        &self.info
    }

    /// Builds a module, or says why the driver does not.
    pub fn build(&self, module: &spirv::Module) -> Result<Program, String> {
        (self.build)(&(self.prepare)(module)?)
    }

    /// Memory that holds a copy of `values`.
    pub fn memory<T: Plain>(&self, values: &[T]) -> Result<Memory<T>, String> {
        let memory = Memory::new(self.allocator.clone(), values, DEFAULT_ALIGNMENT);
        memory.map_err(|error| error.to_string())
    }
}

impl Program {
    /// The kernel of the name.
    pub fn kernel(&self, name: &str) -> Result<Kernel, String> {
        (self.0)(name)
    }
}

impl Kernel {
    /// Runs the kernel on that many work-groups and waits for the end.
    ///
    /// # Safety
    /// With these arguments the kernel only accesses [`Memory`] that exists, within its bounds, and no reference to
    /// what it writes is alive.
    pub unsafe fn run(&mut self, groups: [usize; 3], arguments: &[Argument<'_>]) -> Result<(), String> {
        (self.0)(groups.map(|count| count as u32), arguments)
    }
}
