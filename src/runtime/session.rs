//! Interface for running kernels on a device: memory, a queue, and the times of launches.

use std::sync::Arc;
use std::time::Duration;

use super::device::{Bundle, Device};
use super::memory::{Allocator, Argument, Memory, Plain};
use super::{DeviceSummary, Error};

/// A kernel of a session's device.
pub type KernelOf<S> = <<S as Device>::Bundle as Bundle>::Kernel;
/// Profile that a session has of a launch that is over.
pub type ProfileOf<S> = <<S as Session>::Event as Event>::Profile;

/// Alignment of memory unless another one is asked for, the default that kernels rely on.
pub const DEFAULT_ALIGNMENT: usize = 128;

/// A device with everything that running kernels on it takes: a context, a queue, and memory that host and device
/// share. Clones share them.
pub trait Session: Device + Clone + Sized {
    /// A launch.
    type Event: Event;

    /// The devices that the interface reaches on this machine.
    ///
    /// # Errors
    /// [`Error::DriverMissing`] if there is no loader; whatever a driver fails with.
    fn devices() -> Result<Vec<DeviceSummary>, Error>;

    /// Opens the device of a number in that list.
    ///
    /// # Errors
    /// [`Error::DriverMissing`] if there is no loader, [`Error::InvalidArguments`] if there is no device of the number,
    /// [`Error::UnsupportedDevice`] if it cannot run kernels; whatever a driver fails with.
    fn open_listed(number: usize) -> Result<Self, Error>;

    /// The device's name.
    ///
    /// # Errors
    /// If the driver does not answer.
    fn device_name(&self) -> Result<String, Error>;

    /// The version of the device's driver, as the driver has it.
    ///
    /// # Errors
    /// If the driver does not answer.
    fn driver_version(&self) -> Result<String, Error>;

    /// Source of memory.
    fn allocator(&self) -> Arc<dyn Allocator>;

    /// Memory that holds a copy of `values`.
    ///
    /// # Errors
    /// If the driver has none left.
    fn memory<T: Plain>(&self, values: &[T]) -> Result<Memory<T>, Error> {
        self.aligned_memory(values, DEFAULT_ALIGNMENT)
    }

    /// The same at a multiple of `alignment` bytes.
    ///
    /// # Errors
    /// If the driver has none left, or not at such an address.
    fn aligned_memory<T: Plain>(&self, values: &[T], alignment: usize) -> Result<Memory<T>, Error> {
        Memory::new(self.allocator(), values, alignment)
    }

    /// Sets the kernel's first arguments and puts a launch of that many work-groups into the queue. No work-groups,
    /// nothing to do.
    ///
    /// # Errors
    /// If the arguments do not fit the kernel, there are more work-groups than the interface can count, or the driver
    /// fails.
    ///
    /// # Safety
    /// The kernel was built for this session. With these arguments it only accesses [`Memory`] that exists until the
    /// launch is over, within its bounds, and no reference to what it writes is alive in that time.
    unsafe fn launch(
        &self,
        kernel: &mut KernelOf<Self>,
        groups: [u32; 3],
        arguments: &[Argument<'_>],
    ) -> Result<Self::Event, Error>;

    /// Returns whether launches can be recorded, as graphs of SYCL do.
    ///
    /// # Errors
    /// If the driver does not answer.
    fn can_record(&self) -> Result<bool, Error>;

    /// Records launches of the kernel, each of which begins when the one before is over, executes them as often as asked for, and waits for the
    /// end. Devices with a clock have no times of that.
    ///
    /// # Errors
    /// As for [`launch`](Self::launch); if a launch fails, or the device [cannot record](Self::can_record).
    ///
    /// # Safety
    /// As for [`launch`](Self::launch).
    unsafe fn replay(
        &self,
        kernel: &mut KernelOf<Self>,
        groups: [u32; 3],
        arguments: &[Argument<'_>],
        recording: Recording,
    ) -> Result<ProfileOf<Self>, Error>;

    /// Launches the kernel and waits for the end.
    ///
    /// # Errors
    /// As for [`launch`](Self::launch); if the launch fails.
    ///
    /// # Safety
    /// As for [`launch`](Self::launch).
    unsafe fn run(
        &self,
        kernel: &mut KernelOf<Self>,
        groups: [u32; 3],
        arguments: &[Argument<'_>],
    ) -> Result<ProfileOf<Self>, Error> {
        // SAFETY: the same contract.
        unsafe { self.launch(kernel, groups, arguments) }?.wait()
    }
}

/// Launches that are recorded once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recording {
    /// Number of launches.
    pub launches: u32,
    /// Number of executions.
    pub executions: u32,
}

/// A launch. If it is dropped before it is over, the launch goes on.
pub trait Event {
    /// Profile of a launch: `Option<`[`Timestamps`]`>` where devices have a clock, with `None` for a
    /// launch of no work-groups; another type where they have none.
    type Profile;

    /// Waits for the end of the launch.
    ///
    /// # Errors
    /// If the launch failed, or the driver does.
    fn wait(self) -> Result<Self::Profile, Error>;
}

/// Times at which a launch ran, in nanoseconds of the device's clock, whose zero is arbitrary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timestamps {
    /// The start of the first work-group.
    pub start: u64,
    /// The end of the last one.
    pub end: u64,
}

impl Timestamps {
    /// Time that the launch took.
    pub fn duration(self) -> Duration {
        Duration::from_nanos(self.end.saturating_sub(self.start))
    }
}
