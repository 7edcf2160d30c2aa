//! Setup of a kernel for a launch: arguments, the size of work-groups, an offset.

use crate::abi::In;
use crate::module::Module;
use crate::status::{Failure, Outcome, require};
use level_zero_sys::*;
use std::sync::Arc;
use virtual_xe::{Argument, ReadyKernel, StorageClass, Type};

/// A kernel with what it is run with, as far as it is known.
#[derive(Clone)]
pub(crate) struct Setup {
    module: Arc<Module>,
    /// The number of the kernel in its module.
    number: usize,
    arguments: Vec<Option<Argument>>,
    group_size: [u32; 3],
    pub offset: [u32; 3],
}

/// Argument that a parameter takes.
enum Parameter {
    Local,
    Bytes(u64),
}

impl Setup {
    pub fn new(module: Arc<Module>, number: usize) -> Outcome<Setup> {
        let setup = Setup { module, number, arguments: Vec::new(), group_size: [1; 3], offset: [0; 3] };
        let kernel = setup.kernel()?.description();
        let arguments = vec![None; kernel.parameters().len()];
        let group_size = kernel.local_size().unwrap_or(setup.group_size);
        Ok(Setup { arguments, group_size, ..setup })
    }

    /// The kernel.
    pub fn kernel(&self) -> Outcome<&ReadyKernel> {
        self.module.kernel(self.number).ok_or(ZE_RESULT_ERROR_UNINITIALIZED.into())
    }

    pub fn group_size(&self) -> [u32; 3] {
        self.group_size
    }

    /// The number of its parameters.
    pub fn parameter_count(&self) -> usize {
        self.arguments.len()
    }

    fn parameter(&self, index: usize) -> Outcome<Parameter> {
        let parameters = self.kernel()?.description().parameters();
        let ty = parameters.get(index).ok_or(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX)?;
        let bytes = match ty {
            Type::Pointer(StorageClass::Workgroup, _) => return Ok(Parameter::Local),
            // A structure that is passed by value.
            Type::Pointer(StorageClass::Function, pointee) => pointee.size(),
            _ => ty.size(),
        };
        Ok(Parameter::Bytes(bytes.ok_or(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE)?))
    }

    fn set(&mut self, index: usize, argument: Argument) -> Outcome {
        let place = self.arguments.get_mut(index).ok_or(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX)?;
        *place = Some(argument);
        Ok(())
    }

    pub fn set_argument(&mut self, index: usize, size: usize, value: In<u8>) -> Outcome {
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
    pub fn set_argument_at(&mut self, index: usize, value: In<u8>) -> Outcome {
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

    pub fn set_group_size(&mut self, size: [u32; 3]) -> Outcome {
        let description = self.kernel()?.description();
        let most = self.module.device().model().max_group_size();
        let items = size.iter().try_fold(1u32, |items, &size| items.checked_mul(size));
        let fits = items.is_some_and(|items| (1..=most).contains(&items));
        let is_fixed = description.local_size().is_some_and(|fixed| fixed != size);
        if !fits || is_fixed {
            let [x, y, z] = size;
            let message =
                format!("kernel {} cannot run in work-groups of {x}×{y}×{z} work-items", description.name());
            return Err(Failure::new(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION, message));
        }
        self.group_size = size;
        Ok(())
    }

    /// Forgets all arguments.
    pub fn clear_arguments(&mut self) {
        self.arguments.fill(None);
    }

    /// The arguments; `None` if one is not set.
    pub fn arguments(&self) -> Option<Vec<Argument>> {
        self.arguments.iter().cloned().collect()
    }

    /// An error if the kernel cannot be run with it.
    pub fn check(&self) -> Outcome {
        let description = self.kernel()?.description();
        if let Some(place) = self.arguments.iter().position(Option::is_none) {
            let number = place.saturating_add(1);
            let message = format!("argument {number} of kernel {} is not set", description.name());
            return Err(Failure::new(ZE_RESULT_ERROR_INVALID_ARGUMENT, message));
        }
        let local = self.arguments.iter().flatten().map(|argument| match argument {
            Argument::Local(size) => *size,
            Argument::Value(_) => 0,
        });
        let local = local.fold(description.local_memory(), u64::saturating_add);
        if local > self.module.device().model().local_memory() {
            let message = format!("kernel {} needs {local} bytes of local memory", description.name());
            return Err(Failure::new(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, message));
        }
        Ok(())
    }
}
