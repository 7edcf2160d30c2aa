//! The devices that run kernels: an OpenCL driver's, or one of virtual-xe.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::slice;
use std::sync::Arc;

use half::{bf16, f16};
use num_complex::Complex;
use tiletc::runtime::opencl::{self, DeviceKind, Plain};
use tiletc::runtime::{Binary, BundleFormat};
use tiletc::spirv;
use tiletc::target::CoreInfo;

use super::builds::Builds;

/// Alignment of all memory, the default that kernels rely on.
const ALIGNMENT: u64 = 128;

/// A device, and what holds its memory together.
pub enum Session {
    OpenCl(opencl::Session, Option<Builds>),
    Virtual(&'static virtual_xe::Device, Arc<virtual_xe::Memory>),
}

/// A built module.
pub enum Program {
    OpenCl(opencl::Program),
    Virtual(Arc<virtual_xe::Program>, Arc<virtual_xe::Memory>),
}

/// A kernel of a [`Program`].
pub enum Kernel {
    OpenCl(opencl::Kernel),
    Virtual { program: Arc<virtual_xe::Program>, name: String, memory: Arc<virtual_xe::Memory> },
}

/// Numbers that host and device share; to the host it is a slice.
pub enum Memory<T: Plain> {
    OpenCl(opencl::Memory<T>),
    Virtual(VirtualMemory<T>),
}

/// An allocation of virtual-xe.
pub struct VirtualMemory<T> {
    memory: Arc<virtual_xe::Memory>,
    start: NonNull<T>,
    length: usize,
}

/// An argument of a kernel: a number, or the address of a [`Memory`].
#[derive(Clone, Copy)]
pub struct Argument<'a>(Kind<'a>);

#[derive(Clone, Copy)]
enum Kind<'a> {
    Number { bytes: [u8; 16], size: usize, argument: opencl::Argument<'a> },
    OpenCl(opencl::Argument<'a>),
    Virtual(u64, PhantomData<&'a ()>),
    Null,
}

macro_rules! numbers {
    ($($ty:ty)*) => { $(
        impl From<$ty> for Argument<'_> {
            fn from(value: $ty) -> Self {
                let (mut bytes, size) = ([0; 16], size_of::<$ty>());
                // SAFETY: plain numbers have no padding, and at most 16 bytes.
                let number = unsafe { slice::from_raw_parts((&raw const value).cast::<u8>(), size) };
                bytes[..size].copy_from_slice(number);
                Argument(Kind::Number { bytes, size, argument: value.into() })
            }
        }
    )* };
}
numbers! { i8 i16 i32 i64 u8 u16 u32 u64 bf16 f16 f32 f64 Complex<f32> Complex<f64> }

impl<'a, T: Plain> From<&'a Memory<T>> for Argument<'a> {
    fn from(memory: &'a Memory<T>) -> Self {
        match memory {
            Memory::OpenCl(memory) => Argument(Kind::OpenCl(memory.into())),
            Memory::Virtual(memory) => Argument(Kind::Virtual(memory.address(), PhantomData)),
        }
    }
}

impl Argument<'_> {
    /// The null pointer.
    pub fn null() -> Self {
        Argument(Kind::Null)
    }
}

impl Session {
    /// The first OpenCL device, or the one of virtual-xe that is named behind `virtual:`.
    pub fn open(device: &str) -> Result<Session, String> {
        let Some(name) = device.strip_prefix("virtual:") else {
            let session = opencl::Session::open(DeviceKind::Any).map_err(|error| error.to_string())?;
            let builds = Builds::of(&session);
            return Ok(Session::OpenCl(session, builds));
        };
        let device = virtual_xe::Device::named(name).ok_or_else(|| format!("there is no device {name}"))?;
        Ok(Session::Virtual(device, Arc::default()))
    }

    /// What the compiler needs to know of the device.
    pub fn core_info(&self) -> Result<CoreInfo, String> {
        match self {
            Session::OpenCl(session, _) => session.core_info().map_err(|error| error.to_string()),
            Session::Virtual(device, _) => CoreInfo::from_name(device.name())
                .ok_or_else(|| format!("the compiler does not know {}", device.name())),
        }
    }

    /// Builds a module, or says why the driver does not.
    pub fn build(&self, module: &spirv::Module) -> Result<Program, String> {
        let bytes = module.assemble();
        match self {
            Session::OpenCl(session, builds) => {
                let binary = Binary::new(BundleFormat::Spirv, bytes, module.core_features());
                let built = match builds {
                    Some(builds) => builds.build(session, &binary),
                    None => session.build(&binary),
                };
                let message = |error: tiletc::runtime::Error| {
                    format!("{error}\n{}", error.build_log().unwrap_or_default())
                };
                built.map(Program::OpenCl).map_err(message)
            }
            Session::Virtual(device, memory) => {
                let built = virtual_xe::Program::build(device, &bytes);
                let built = built.map_err(|error| error.to_string())?;
                Ok(Program::Virtual(Arc::new(built), memory.clone()))
            }
        }
    }

    /// Memory that holds a copy of `values`.
    pub fn memory<T: Plain>(&self, values: &[T]) -> Result<Memory<T>, String> {
        let memory = match self {
            Session::OpenCl(session, _) => {
                return session.memory(values).map(Memory::OpenCl).map_err(|error| error.to_string());
            }
            Session::Virtual(_, memory) => memory.clone(),
        };
        let size = size_of_val(values) as u64;
        let address = memory.allocate(size, ALIGNMENT).map_err(|error| error.to_string())?;
        let start = memory.pointer(address, size).map_err(|error| error.to_string())?;
        // SAFETY: numbers are initialised bytes without padding.
        let bytes = unsafe { slice::from_raw_parts(values.as_ptr().cast::<u8>(), size_of_val(values)) };
        memory.write(address, bytes).map_err(|error| error.to_string())?;
        Ok(Memory::Virtual(VirtualMemory { memory, start: start.cast(), length: values.len() }))
    }
}

impl Program {
    /// The kernel of the name.
    pub fn kernel(&self, name: &str) -> Result<Kernel, String> {
        match self {
            Program::OpenCl(program) => {
                program.kernel(name).map(Kernel::OpenCl).map_err(|error| error.to_string())
            }
            Program::Virtual(program, memory) => {
                program.kernel(name).ok_or_else(|| format!("there is no kernel {name}"))?;
                let (program, memory) = (program.clone(), memory.clone());
                Ok(Kernel::Virtual { program, name: name.to_owned(), memory })
            }
        }
    }
}

impl Kernel {
    /// Runs the kernel on that many work-groups and waits for the end.
    ///
    /// # Safety
    /// With these arguments the kernel only accesses [`Memory`] that exists, within its bounds, and no reference to
    /// what it writes is alive.
    pub unsafe fn run(&mut self, groups: [usize; 3], arguments: &[Argument<'_>]) -> Result<(), String> {
        match self {
            Kernel::OpenCl(kernel) => {
                let arguments: Vec<opencl::Argument<'_>> = arguments
                    .iter()
                    .map(|argument| match argument.0 {
                        Kind::Number { argument, .. } | Kind::OpenCl(argument) => argument,
                        Kind::Virtual(..) | Kind::Null => opencl::Argument::null(),
                    })
                    .collect();
                // SAFETY: the caller's promise.
                unsafe { kernel.run(groups, &arguments) }.map_err(|error| error.to_string())
            }
            Kernel::Virtual { program, name, memory } => {
                let kernel = program.kernel(name).ok_or("the kernel is gone")?;
                let arguments: Vec<virtual_xe::Argument> = arguments
                    .iter()
                    .map(|argument| match argument.0 {
                        Kind::Number { bytes, size, .. } => {
                            virtual_xe::Argument::Value(bytes[..size].to_vec())
                        }
                        Kind::Virtual(address, _) => virtual_xe::Argument::address(address),
                        Kind::OpenCl(_) | Kind::Null => virtual_xe::Argument::address(0),
                    })
                    .collect();
                let launch = virtual_xe::Launch::new(groups.map(|count| count as u32));
                let outcome = kernel.run(memory, &launch, &arguments).map_err(|error| error.to_string())?;
                let reports: Vec<String> = outcome.reports.iter().map(ToString::to_string).collect();
                if reports.is_empty() { Ok(()) } else { Err(reports.join("\n")) }
            }
        }
    }
}

impl<T: Plain> Memory<T> {
    /// The address of the first number, the same for host and device.
    pub fn address(&self) -> u64 {
        match self {
            Memory::OpenCl(memory) => memory.address(),
            Memory::Virtual(memory) => memory.address(),
        }
    }

    /// The address of the number at a place, as an argument; `None` beyond the last.
    pub fn at(&self, place: usize) -> Option<Argument<'_>> {
        match self {
            Memory::OpenCl(memory) => memory.at(place).map(|argument| Argument(Kind::OpenCl(argument))),
            Memory::Virtual(memory) => {
                let offset = (place * size_of::<T>()) as u64;
                (place < memory.length)
                    .then(|| Argument(Kind::Virtual(memory.address() + offset, PhantomData)))
            }
        }
    }
}

impl<T: Plain> Deref for Memory<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Memory::OpenCl(memory) => memory,
            // SAFETY: the allocation holds that many numbers and lives as long as `self`; kernels that write to it
            // only run while nobody looks.
            Memory::Virtual(memory) => unsafe { slice::from_raw_parts(memory.start.as_ptr(), memory.length) },
        }
    }
}

impl<T: Plain> DerefMut for Memory<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Memory::OpenCl(memory) => memory,
            // SAFETY: as for `deref`; the borrow is exclusive.
            Memory::Virtual(memory) => unsafe {
                slice::from_raw_parts_mut(memory.start.as_ptr(), memory.length)
            },
        }
    }
}

impl<T> VirtualMemory<T> {
    fn address(&self) -> u64 {
        self.start.as_ptr().expose_provenance() as u64
    }
}

impl<T> Drop for VirtualMemory<T> {
    fn drop(&mut self) {
        // That it is there is certain.
        let _ = self.memory.free(self.address());
    }
}
