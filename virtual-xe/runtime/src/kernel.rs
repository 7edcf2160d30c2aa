//! Modules that are built for a device, and their kernels.

use crate::failed;
use std::ffi::c_void;
use std::sync::Arc;
use tiletc::runtime::{self, Error, KernelReport, MemoryKind};
use virtual_xe::{Argument, Launch, Memory, Outcome, Program, ReadyKernel};

/// A module that is built for a device.
pub struct Bundle(pub(crate) Program);

/// A kernel of it, with the arguments that were set.
pub struct Kernel {
    bundle: Arc<Bundle>,
    name: String,
    arguments: Vec<Argument>,
}

impl runtime::Bundle for Bundle {
    type Kernel = Kernel;

    fn kernel(self: &Arc<Self>, name: &str) -> Result<Kernel, Error> {
        let kernel = Kernel { bundle: self.clone(), name: name.to_owned(), arguments: Vec::new() };
        kernel.ready().map(|_| ())?;
        Ok(kernel)
    }

    /// A module is built as fast as it is loaded.
    fn native_binary(&self) -> Result<Vec<u8>, Error> {
        Ok(Vec::new())
    }

    /// There are as many registers as a kernel wants.
    fn spilled_bytes(&self) -> Result<u64, Error> {
        Ok(0)
    }

    fn reports(&self) -> Result<Vec<KernelReport>, Error> {
        let report = |kernel: &ReadyKernel| {
            let description = kernel.description();
            KernelReport {
                name: description.name().to_owned(),
                group_size: description.local_size().unwrap_or([1; 3]).map(u64::from),
                local_bytes: description.local_memory(),
                private_bytes: 0,
                spilled_bytes: Some(0),
                registers: None,
            }
        };
        Ok(self.0.kernels().iter().map(report).collect())
    }
}

impl Kernel {
    fn ready(&self) -> Result<&ReadyKernel, Error> {
        self.bundle.0.kernel(&self.name).ok_or_else(|| {
            let names = self.bundle.0.kernels().iter().map(|kernel| kernel.description().name().to_owned());
            Error::NoKernel { name: self.name.clone(), kernels: names.collect() }
        })
    }

    /// Runs the kernel to its end.
    pub(crate) fn run(&self, memory: &Memory, launch: &Launch) -> Result<Outcome, Error> {
        self.ready()?.run(memory, launch, &self.arguments).map_err(failed)
    }

    /// Sets an argument; those before it that were never set are empty, which no parameter takes.
    fn set(&mut self, index: u32, argument: Argument) -> Result<(), Error> {
        let what = "the kernel has no such argument";
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        if index >= self.ready()?.description().parameters().len() {
            return Err(Error::InvalidArguments { what });
        }
        if index >= self.arguments.len() {
            self.arguments.resize(index + 1, Argument::Value(Vec::new()));
        }
        let place = self.arguments.get_mut(index).ok_or(Error::InvalidArguments { what })?;
        *place = argument;
        Ok(())
    }
}

impl runtime::Kernel for Kernel {
    fn group_size(&self) -> [usize; 3] {
        let size = self.ready().ok().and_then(|kernel| kernel.description().local_size());
        size.unwrap_or_default().map(|size| usize::try_from(size).unwrap_or(usize::MAX))
    }

    fn set_value(&mut self, index: u32, value: &[u8]) -> Result<(), Error> {
        self.set(index, Argument::Value(value.to_vec()))
    }

    /// Every kind is an address.
    #[allow(unsafe_code, reason = "the trait is also that of drivers; a wrong address is a report here")]
    unsafe fn set_memory(&mut self, index: u32, _: MemoryKind, memory: *const c_void) -> Result<(), Error> {
        self.set(index, Argument::address(memory.expose_provenance() as u64))
    }
}
