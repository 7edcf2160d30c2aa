//! Kernels with the arguments that have been set so far.

use crate::abi::{Handle, In, Out};
use crate::device::Device;
use crate::launch::{Groups, Launch};
use crate::module::Module;
use crate::objects;
use crate::setup::Setup;
use crate::status::{Failure, Outcome, enter, require};
use level_zero_sys::*;
use std::ffi::c_char;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use virtual_xe::ReadyKernel;

/// A kernel.
pub struct Kernel {
    module: Arc<Module>,
    /// Its number in the module.
    number: usize,
    name: String,
    state: Mutex<State>,
}
objects!(Kernel);

/// Settings so far.
struct State {
    setup: Setup,
    indirect_access: ze_kernel_indirect_access_flags_t,
}

const INDIRECT_ACCESS: ze_kernel_indirect_access_flags_t = ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST
    | ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE
    | ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED;

impl Kernel {
    fn new(module: Arc<Module>, name: &str) -> Outcome<Kernel> {
        let unknown = || {
            let names: Vec<_> = module.names().iter().map(|name| name.to_string_lossy()).collect();
            let message = format!("no kernel is called {name}; there are {}", names.join(", "));
            Failure::new(ZE_RESULT_ERROR_INVALID_KERNEL_NAME, message)
        };
        let number = module.find(name).ok_or_else(unknown)?;
        let state = State { setup: Setup::new(Arc::clone(&module), number)?, indirect_access: 0 };
        Ok(Kernel { name: name.to_owned(), state: Mutex::new(state), number, module })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The kernel in its module.
    pub(crate) fn ready(&self) -> Outcome<&ReadyKernel> {
        self.module.kernel(self.number).ok_or(ZE_RESULT_ERROR_UNINITIALIZED.into())
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn module(&self) -> &Module {
        &self.module
    }

    /// Sets what it is run with.
    pub(crate) fn set(&self, set: impl FnOnce(&mut Setup) -> Outcome) -> Outcome {
        set(&mut self.state().setup)
    }

    /// Its setup as it is now, which need not be complete.
    pub(crate) fn setup(&self, device: &Arc<Device>) -> Outcome<Setup> {
        require(device.is_of(self.module.device()), ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
        Ok(self.state().setup.clone())
    }

    /// The kernel as it is to be run, with what is set now.
    pub(crate) fn launch(&self, device: &Arc<Device>, groups: Groups) -> Outcome<Launch> {
        let setup = self.setup(device)?;
        setup.check()?;
        Ok(Launch { setup, groups })
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn zeKernelCreate(
    module: Handle<Module>,
    desc: In<ze_kernel_desc_t>,
    kernel: Out<Handle<Kernel>>,
) -> ze_result_t {
    enter(|| {
        let module = module.get()?;
        let desc = desc.get()?;
        let name = In::<c_char>::from(desc.pKernelName).text()?;
        kernel.get()?;
        let flags = ZE_KERNEL_FLAG_FORCE_RESIDENCY | ZE_KERNEL_FLAG_EXPLICIT_RESIDENCY;
        require(desc.flags & !flags == 0, ZE_RESULT_ERROR_INVALID_ENUMERATION)?;
        kernel.set(objects::add(Arc::new(Kernel::new(module, name)?)))
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeKernelDestroy(kernel: Handle<Kernel>) -> ze_result_t {
    enter(|| objects::remove(kernel).map(drop))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeKernelSetArgumentValue(
    kernel: Handle<Kernel>,
    index: u32,
    size: usize,
    value: In<u8>,
) -> ze_result_t {
    enter(|| kernel.get()?.set(|setup| setup.set_argument(index as usize, size, value)))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeKernelSetGroupSize(kernel: Handle<Kernel>, x: u32, y: u32, z: u32) -> ze_result_t {
    enter(|| kernel.get()?.set(|setup| setup.set_group_size([x, y, z])))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeKernelSetGlobalOffsetExp(kernel: Handle<Kernel>, x: u32, y: u32, z: u32) -> ze_result_t {
    enter(|| {
        kernel.get()?.state().setup.offset = [x, y, z];
        Ok(())
    })
}

/// Kernels reach all memory; the flags are only kept.
#[unsafe(no_mangle)]
pub extern "C" fn zeKernelSetIndirectAccess(
    kernel: Handle<Kernel>,
    flags: ze_kernel_indirect_access_flags_t,
) -> ze_result_t {
    enter(|| {
        let kernel = kernel.get()?;
        require(flags & !INDIRECT_ACCESS == 0, ZE_RESULT_ERROR_INVALID_ENUMERATION)?;
        kernel.state().indirect_access = flags;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn zeKernelGetIndirectAccess(
    kernel: Handle<Kernel>,
    flags: Out<ze_kernel_indirect_access_flags_t>,
) -> ze_result_t {
    enter(|| flags.set(kernel.get()?.state().indirect_access))
}
