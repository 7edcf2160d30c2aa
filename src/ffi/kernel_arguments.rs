//! Arguments of kernels as C gives them.

use super::arg::array;
use super::call::Outcome;
use super::last_error::{driver_failed, refuse};
use super::types::*;
use crate::ir::Signature;
use crate::runtime::arguments::{ArgumentKind, GivenArgument, Pointee, integer};
use crate::runtime::launch_plan::{self, PlanStep};
use crate::runtime::{Kernel, MemoryKind};
use crate::status::Status;
use smallvec::SmallVec;

/// The plan by which a program compares the arguments of a kernel by itself.
pub(super) fn launch_plan(signature: Option<&Signature>) -> tiletc_launch_plan_t {
    let steps = launch_plan::launch_plan(signature);
    let step = |step: &PlanStep| step.code().map(|(op, value)| tiletc_launch_step { op, value });
    let coded: Option<Vec<tiletc_launch_step>> = steps.iter().map(step).collect();
    let mut plan = tiletc_launch_plan { num_steps: 0, steps: [tiletc_launch_step::default(); 64] };
    let ask =
        || PlanStep::Ask.code().map(|(op, value)| tiletc_launch_step { op, value }).into_iter().collect();
    let coded = coded.filter(|coded| coded.len() <= plan.steps.len()).unwrap_or_else(ask);
    for (place, step) in plan.steps.iter_mut().zip(coded) {
        *place = step;
        plan.num_steps += 1;
    }
    plan
}

/// Arguments of a launch; most kernels have so few that they take no memory of the heap.
type Arguments<T> = SmallVec<[T; 16]>;

/// Arguments whose kinds make sense.
pub(super) struct Given<'a>(Arguments<(ArgumentKind, &'a tiletc_kernel_arg_t)>);

impl<'a> Given<'a> {
    /// # Safety
    /// `args` is NULL or points to `num_args` arguments that stay unchanged for `'a`; the value of a number points to
    /// as many bytes as its size says.
    pub(super) unsafe fn new(num_args: u32, args: *const tiletc_kernel_arg_t) -> Outcome<Given<'a>> {
        let length = usize::try_from(num_args).map_err(|_| Status::OutOfRange)?;
        // SAFETY: the same contract.
        let arguments = unsafe { array(args, length)? };
        let known = (1u64..).zip(arguments).map(|(number, argument)| {
            let kind = ArgumentKind::from_code(argument.kind);
            let unknown = || {
                let message = format!("argument {number} is of the kind {}, which is none", argument.kind);
                refuse(Status::InvalidArguments, message)
            };
            let kind = kind.ok_or_else(unknown)?;
            if !kind.is_memory() && argument.value.is_null() {
                let message = format!("argument {number} is a number, whose address is NULL");
                return Err(refuse(Status::InvalidArguments, message));
            }
            if kind == ArgumentKind::TypedUsm && Pointee::from_code(argument.size).is_none() {
                let message = format!("argument {number} points to {:#x}, which is no type", argument.size);
                return Err(refuse(Status::InvalidArguments, message));
            }
            Ok((kind, argument))
        });
        Ok(Given(known.collect::<Outcome<_>>()?))
    }

    /// The arguments as they are compared with what a kernel takes.
    pub(super) fn described(&self) -> Arguments<GivenArgument> {
        let given = self.0.iter().map(|&(kind, argument)| {
            let size = if kind.is_memory() { size_of::<*const u8>() } else { argument.size };
            let value = match kind {
                // A handle says nothing about addresses.
                ArgumentKind::Buffer | ArgumentKind::Floating | ArgumentKind::Complex => None,
                ArgumentKind::Usm | ArgumentKind::Svm | ArgumentKind::TypedUsm | ArgumentKind::Foreign => {
                    u64::try_from(argument.value.addr()).ok()
                }
                ArgumentKind::Bytes | ArgumentKind::Integer => {
                    // SAFETY: the contract of `new`.
                    let bytes = unsafe { array(argument.value.cast(), size) };
                    bytes.ok().and_then(integer)
                }
            };
            let pointee =
                if kind == ArgumentKind::TypedUsm { Pointee::from_code(argument.size) } else { None };
            GivenArgument { kind, size, value, pointee }
        });
        given.collect()
    }

    /// Returns whether the kernel reaches unified shared memory through pointers in it, which drivers want to be told.
    pub(super) fn is_followed(&self, signature: Option<&Signature>) -> bool {
        let is_usm = |kind| matches!(kind, ArgumentKind::Usm | ArgumentKind::TypedUsm);
        signature.is_some_and(Signature::follows_pointers) && self.0.iter().any(|&(kind, _)| is_usm(kind))
    }

    /// Sets the arguments of a kernel.
    ///
    /// # Safety
    /// Memory is null or what its kind says.
    pub(super) unsafe fn set(&self, kernel: &mut impl Kernel) -> Outcome {
        for (index, &(kind, argument)) in (0..).zip(&self.0) {
            let memory = match kind {
                ArgumentKind::Buffer => Some(MemoryKind::Buffer),
                ArgumentKind::Usm | ArgumentKind::TypedUsm | ArgumentKind::Foreign => Some(MemoryKind::Usm),
                ArgumentKind::Svm => Some(MemoryKind::Svm),
                ArgumentKind::Bytes
                | ArgumentKind::Integer
                | ArgumentKind::Floating
                | ArgumentKind::Complex => None,
            };
            let set = match memory {
                // SAFETY: the same contract.
                Some(memory) => unsafe { kernel.set_memory(index, memory, argument.value) },
                // SAFETY: the contract of `new`.
                None => kernel.set_value(index, unsafe { array(argument.value.cast(), argument.size)? }),
            };
            set.map_err(|error| driver_failed(&error))?;
        }
        Ok(())
    }
}
