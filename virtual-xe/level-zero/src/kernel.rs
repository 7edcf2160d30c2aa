//! Kernels with the arguments that have been set so far.

use crate::abi::{Handle, In, Out};
use crate::device::Device;
use crate::launch::{Groups, Launch};
use crate::module::Module;
use crate::objects;
use crate::status::{Failure, Outcome, enter, require};
use level_zero_sys::*;
use std::ffi::c_char;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use virtual_xe::{Argument, ReadyKernel, StorageClass, Type};

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
    arguments: Vec<Option<Argument>>,
    group_size: [u32; 3],
    offset: [u32; 3],
    indirect_access: ze_kernel_indirect_access_flags_t,
}

const INDIRECT_ACCESS: ze_kernel_indirect_access_flags_t = ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST
    | ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE
    | ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED;

/// Argument that a parameter takes.
enum Parameter {
    Local,
    Bytes(u64),
}

impl Kernel {
    fn new(module: Arc<Module>, name: &str) -> Outcome<Kernel> {
        let unknown = || {
            let names: Vec<_> = module.names().iter().map(|name| name.to_string_lossy()).collect();
            let message = format!("no kernel is called {name}; there are {}", names.join(", "));
            Failure::new(ZE_RESULT_ERROR_INVALID_KERNEL_NAME, message)
        };
        let number = module.find(name).ok_or_else(unknown)?;
        let kernel = module.kernel(number).ok_or_else(unknown)?.description();
        let state = State {
            arguments: vec![None; kernel.parameters().len()],
            group_size: kernel.local_size().unwrap_or([1; 3]),
            offset: [0; 3],
            indirect_access: 0,
        };
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

    /// The number of its parameters.
    pub(crate) fn parameter_count(&self) -> usize {
        self.state().arguments.len()
    }

    fn parameter(&self, index: usize) -> Outcome<Parameter> {
        let parameters = self.ready()?.description().parameters();
        let ty = parameters.get(index).ok_or(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX)?;
        let bytes = match ty {
            Type::Pointer(StorageClass::Workgroup, _) => return Ok(Parameter::Local),
            // A structure that is passed by value.
            Type::Pointer(StorageClass::Function, pointee) => pointee.size(),
            _ => ty.size(),
        };
        Ok(Parameter::Bytes(bytes.ok_or(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE)?))
    }

    fn set(&self, index: usize, argument: Argument) -> Outcome {
        let mut state = self.state();
        let place = state.arguments.get_mut(index).ok_or(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX)?;
        *place = Some(argument);
        Ok(())
    }

    fn set_argument(&self, index: usize, size: usize, value: In<u8>) -> Outcome {
        let argument = match self.parameter(index)? {
            Parameter::Local => {
                require(value.is_null() && size != 0, ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE)?;
                Argument::Local(size as u64)
            }
            Parameter::Bytes(expected) => {
                if size as u64 != expected {
                    let number = index.saturating_add(1);
                    let message = format!("argument {number} has {size} bytes instead of {expected}");
                    return Err(Failure::new(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, message));
                }
                match value.is_null() {
                    // A pointer to nothing.
                    true => Argument::Value(vec![0; size]),
                    false => Argument::Value(value.slice(size)?.to_vec()),
                }
            }
        };
        self.set(index, argument)
    }

    /// Sets an argument that has the size of its parameter, or is the size of local memory.
    pub(crate) fn set_argument_at(&self, index: usize, value: In<u8>) -> Outcome {
        match self.parameter(index)? {
            Parameter::Local => {
                // The lower half, all that such memory can have, wherever the upper half may be.
                let size: [u8; 4] =
                    value.slice(4)?.try_into().map_err(|_| ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE)?;
                let size = u64::from(u32::from_le_bytes(size));
                require(size != 0, ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE)?;
                self.set(index, Argument::Local(size))
            }
            Parameter::Bytes(size) => self.set_argument(index, size as usize, value),
        }
    }

    pub(crate) fn set_group_size(&self, size: [u32; 3]) -> Outcome {
        let description = self.ready()?.description();
        let most = self.module.device().model().max_group_size();
        let items = size.iter().try_fold(1u32, |items, &size| items.checked_mul(size));
        let fits = items.is_some_and(|items| (1..=most).contains(&items));
        let is_fixed = description.local_size().is_some_and(|fixed| fixed != size);
        if !fits || is_fixed {
            let [x, y, z] = size;
            let message = format!("kernel {} cannot run in work-groups of {x}×{y}×{z} work-items", self.name);
            return Err(Failure::new(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION, message));
        }
        self.state().group_size = size;
        Ok(())
    }

    /// The kernel as it is to be run, with what is set now.
    pub(crate) fn launch(&self, device: &Arc<Device>, groups: Groups) -> Outcome<Launch> {
        require(device.is_of(self.module.device()), ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
        let state = self.state();
        let arguments = (1u64..).zip(&state.arguments).map(|(number, argument)| {
            argument.clone().ok_or_else(|| {
                let message = format!("argument {number} of kernel {} is not set", self.name);
                Failure::new(ZE_RESULT_ERROR_INVALID_ARGUMENT, message)
            })
        });
        let arguments = arguments.collect::<Outcome<Vec<_>>>()?;
        let local =
            arguments.iter().map(|argument| if let Argument::Local(size) = argument { *size } else { 0 });
        let local = local.fold(self.ready()?.description().local_memory(), u64::saturating_add);
        if local > device.model().local_memory() {
            let message = format!("kernel {} needs {local} bytes of local memory", self.name);
            return Err(Failure::new(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, message));
        }
        Ok(Launch {
            module: Arc::clone(&self.module),
            kernel: self.number,
            arguments,
            group_size: state.group_size,
            offset: state.offset,
            groups,
        })
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
    enter(|| kernel.get()?.set_argument(index as usize, size, value))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeKernelSetGroupSize(kernel: Handle<Kernel>, x: u32, y: u32, z: u32) -> ze_result_t {
    enter(|| kernel.get()?.set_group_size([x, y, z]))
}

#[unsafe(no_mangle)]
pub extern "C" fn zeKernelSetGlobalOffsetExp(kernel: Handle<Kernel>, x: u32, y: u32, z: u32) -> ze_result_t {
    enter(|| {
        kernel.get()?.state().offset = [x, y, z];
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
