//! Launches of kernels.

use crate::abi::{Handle, In};
use crate::command::{Action, Stop};
use crate::copies;
use crate::device::Device;
use crate::event::Event;
use crate::kernel::Kernel;
use crate::list::{Events, List};
use crate::runtime::runtime;
use crate::settings;
use crate::setup::Setup;
use crate::status::{Outcome, enter, require};
use level_zero_sys::*;
use std::collections::BTreeSet;
use std::ffi::c_void;
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use virtual_xe::{Fault, Place, Report};

/// A kernel with all that it is run with.
#[derive(Clone)]
pub(crate) struct Launch {
    pub setup: Setup,
    pub groups: Groups,
}

/// Number of work-groups.
#[derive(Clone)]
pub(crate) enum Groups {
    Fixed([u32; 3]),
    /// The three numbers at an address.
    At(usize),
}

impl Launch {
    pub fn perform(&self, device: &Device) -> Result<(), Stop> {
        let groups = match self.groups {
            Groups::Fixed(groups) => groups,
            Groups::At(address) => [
                copies::load_number(address)?,
                copies::load_number(address + 4)?,
                copies::load_number(address + 8)?,
            ],
        };
        let runtime = runtime().map_err(|_| Stop)?;
        let kernel = self.setup.kernel().map_err(|_| Stop)?;
        let arguments = self.setup.arguments().ok_or(Stop)?;
        let mut launch = virtual_xe::Launch::new(groups);
        launch.local_size = Some(self.setup.group_size());
        launch.offset = self.setup.offset.map(u64::from);
        launch.budget = runtime.budget.unwrap_or(launch.budget);
        launch.launch_budget = runtime.launch_budget.unwrap_or(launch.launch_budget);
        launch.checks = runtime.checks;
        let outcome = kernel.run(&runtime.memory, &launch, &arguments).map_err(|error| {
            complain(&format!("kernel {} is not run: {error}", kernel.description().name()));
            Stop
        })?;
        print(&outcome.printed);
        outcome.reports.iter().for_each(|report| tell(report, &launch));
        match outcome.reports.iter().any(|report| is_fatal(report.fault)) {
            true => {
                complain(&format!("device {} is lost", device.model().name()));
                Err(Stop)
            }
            false => Ok(()),
        }
    }
}

/// Tells whether a device does not survive a fault; after anything else it goes on.
fn is_fatal(fault: Fault) -> bool {
    match fault {
        Fault::OutOfBounds
        | Fault::UseAfterFree
        | Fault::LocalOutOfBounds
        | Fault::PrivateOutOfBounds
        | Fault::ReadOnly
        | Fault::Deadlock
        | Fault::Endless
        | Fault::LaunchTooLong { .. }
        | Fault::Unreachable => true,
        Fault::Misaligned
        | Fault::RaceInGroup
        | Fault::RaceBetweenGroups
        | Fault::Uninitialised
        | Fault::Divergence
        | Fault::NotUniform
        | Fault::SignedOverflow
        | Fault::UnsignedOverflow
        | Fault::ShiftTooFar
        | Fault::DivisionByZero
        | Fault::Surface(_) => false,
    }
}

/// Writes what a kernel has printed to the standard output stream, as drivers do; where nobody listens, it is lost.
fn print(text: &str) {
    if !text.is_empty() {
        let mut output = std::io::stdout().lock();
        let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
    }
}

/// Findings that the driver tells of in a process.
const MAX_TOLD: usize = 32;

/// Subject of a finding: its kind, the kernel, the place in the source, and the tensor.
type About = (Fault, String, Option<Place>, Option<String>);

/// Reports a fault, the first of its kind in a tensor and a line, or a kernel where the module does not tell lines, and
/// not too many.
fn tell(report: &Report, launch: &virtual_xe::Launch) {
    static TOLD: Mutex<BTreeSet<About>> = Mutex::new(BTreeSet::new());
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    let Report { fault, kernel, place, tensor, .. } = report;
    let tensor = tensor.clone().filter(|_| place.is_some());
    if told.len() <= MAX_TOLD && told.insert((*fault, kernel.clone(), place.clone(), tensor)) {
        if told.len() > MAX_TOLD {
            return complain(&format!("there is more than these {MAX_TOLD} findings"));
        }
        complain(&report.to_string());
        let allowed = match report.fault {
            Fault::Endless => Some(("a subgroup", launch.budget, settings::BUDGET)),
            Fault::LaunchTooLong { .. } => {
                Some(("all work-groups together", launch.launch_budget, settings::LAUNCH_BUDGET))
            }
            _ => None,
        };
        if let Some((who, budget, variable)) = allowed {
            complain(&format!(
                "{who} may execute {budget} instructions; {variable} in the environment allows another number"
            ));
        }
    }
}

/// Tells whoever runs the program; where that cannot be heard, it is lost.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(std::io::stderr(), "virtual-xe: {message}");
}

/// Sizes as `zeCommandListAppendLaunchKernelWithArguments` takes them.
#[repr(C)]
pub struct Sizes {
    x: u32,
    y: u32,
    z: u32,
}

pub(crate) fn counts(groups: In<ze_group_count_t>) -> Outcome<[u32; 3]> {
    let groups = groups.get()?;
    Ok([groups.groupCountX, groups.groupCountY, groups.groupCountZ])
}

fn append(
    list: Handle<List>,
    kernel: Handle<Kernel>,
    groups: In<ze_group_count_t>,
    events: Events,
) -> Outcome {
    let list = list.get()?;
    let launch = kernel.get()?.launch(&list.device()?, Groups::Fixed(counts(groups)?))?;
    list.append(events, Action::Launch(launch))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListAppendLaunchKernel(
    list: Handle<List>,
    kernel: Handle<Kernel>,
    groups: In<ze_group_count_t>,
    signal: Handle<Event>,
    count: u32,
    waits: In<Handle<Event>>,
) -> ze_result_t {
    enter(|| append(list, kernel, groups, Events { signal, count, waits }))
}

/// Work-groups must not wait for each other, cooperative or not; a kernel whose groups do is found out.
#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListAppendLaunchCooperativeKernel(
    list: Handle<List>,
    kernel: Handle<Kernel>,
    groups: In<ze_group_count_t>,
    signal: Handle<Event>,
    count: u32,
    waits: In<Handle<Event>>,
) -> ze_result_t {
    enter(|| append(list, kernel, groups, Events { signal, count, waits }))
}

/// Launches with chained structures, which change how a kernel is run, not what it does.
#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListAppendLaunchKernelWithParameters(
    list: Handle<List>,
    kernel: Handle<Kernel>,
    groups: In<ze_group_count_t>,
    _next: In<c_void>,
    signal: Handle<Event>,
    count: u32,
    waits: In<Handle<Event>>,
) -> ze_result_t {
    enter(|| append(list, kernel, groups, Events { signal, count, waits }))
}

/// Of an argument in local memory, the pointer is to its size.
#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListAppendLaunchKernelWithArguments(
    list: Handle<List>,
    kernel: Handle<Kernel>,
    groups: Sizes,
    sizes: Sizes,
    arguments: In<In<u8>>,
    _next: In<c_void>,
    signal: Handle<Event>,
    count: u32,
    waits: In<Handle<Event>>,
) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        let kernel = kernel.get()?;
        kernel.set(|setup| {
            setup.set_group_size([sizes.x, sizes.y, sizes.z])?;
            let mut arguments = arguments.slice(setup.parameter_count())?.iter().enumerate();
            arguments.try_for_each(|(index, argument)| setup.set_argument_at(index, *argument))
        })?;
        let launch = kernel.launch(&list.device()?, Groups::Fixed([groups.x, groups.y, groups.z]))?;
        list.append(Events { signal, count, waits }, Action::Launch(launch))
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListAppendLaunchKernelIndirect(
    list: Handle<List>,
    kernel: Handle<Kernel>,
    groups: In<ze_group_count_t>,
    signal: Handle<Event>,
    count: u32,
    waits: In<Handle<Event>>,
) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        let kernel = kernel.get()?;
        require(!groups.is_null(), ZE_RESULT_ERROR_INVALID_NULL_POINTER)?;
        let launch = kernel.launch(&list.device()?, Groups::At(groups.address().expose_provenance()))?;
        list.append(Events { signal, count, waits }, Action::Launch(launch))
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeCommandListAppendLaunchMultipleKernelsIndirect(
    list: Handle<List>,
    kernel_count: u32,
    kernels: In<Handle<Kernel>>,
    launch_count: In<u32>,
    groups: In<ze_group_count_t>,
    signal: Handle<Event>,
    count: u32,
    waits: In<Handle<Event>>,
) -> ze_result_t {
    enter(|| {
        let list = list.get()?;
        let is_null = kernels.is_null() || launch_count.is_null() || groups.is_null();
        require(!is_null, ZE_RESULT_ERROR_INVALID_NULL_POINTER)?;
        require(kernel_count != 0, ZE_RESULT_ERROR_INVALID_SIZE)?;
        let device = list.device()?;
        let place = |index: usize| groups.address().wrapping_add(index).expose_provenance();
        let kernels = kernels.slice(kernel_count as usize)?.iter().enumerate();
        let launches = kernels.map(|(index, kernel)| kernel.get()?.launch(&device, Groups::At(place(index))));
        let launches = launches.collect::<Outcome<_>>()?;
        let count_at = launch_count.address().expose_provenance();
        list.append(Events { signal, count, waits }, Action::LaunchSome { count: count_at, launches })
    })
}
