//! Kernels that run between launches that are timed: they overwrite the caches of the device, and bring back what was in the
//! memory of arguments.
//!
//! Both run on the device, since memory that the host touches may move there, and the next launch would pay for the way back.

// Running a kernel is unsafe by nature, see `run`.
#![allow(unsafe_code)]

use crate::common::Failure;
use crate::launch::failed;
use std::sync::Arc;
use tiletc::diagnostics::Sources;
use tiletc::driver::{self, Compilation, Options};
use tiletc::ir::Ir;
use tiletc::runtime::cache::Cache;
use tiletc::runtime::{self, Argument, BuildError, Bundle as _, KernelOf, Memory};
use tiletc::status::Status;

/// Numbers of a work-group.
const CHUNK: usize = 16384;

const PROGRAM: &str = "
func @overwrite(%memory: memref<i32x?>, %value: i32) {
    %size = size %memory[0] : index
    %group = group_id.x : index
    %chunk = constant 16384 : index
    %from = mul %group, %chunk : index
    %end = add %from, %chunk : index
    %to = min %end, %size : index
    foreach (%i)=(%from),(%to) {
        store %value, %memory[%i]
    }
}
func @copy(%source: memref<i8x?>, %target: memref<i8x?>) {
    %size = size %source[0] : index
    %group = group_id.x : index
    %chunk = constant 16384 : index
    %from = mul %group, %chunk : index
    %end = add %from, %chunk : index
    %to = min %end, %size : index
    foreach (%i)=(%from),(%to) {
        %byte = load %source[%i] : i8
        store %byte, %target[%i]
    }
}";

/// Kernels that run between launches.
pub struct Upkeep<S: runtime::Session> {
    overwrite: KernelOf<S>,
    copy: KernelOf<S>,
    /// Twice as much as the last-level cache holds; allocated when it is first needed.
    cache: Option<Memory<i32>>,
    cache_bytes: u64,
    turn: i32,
}

impl<S: runtime::Session> Upkeep<S> {
    /// Builds the kernels for a device with a last-level cache of so many bytes.
    pub fn new(device: &S, cache_bytes: u64) -> Result<Upkeep<S>, Failure> {
        let bundle = Arc::new(build(device).map_err(|error| match error {
            BuildError::Compile(error) => Failure::Failed(error.status(), error.to_string()),
            BuildError::Runtime(error) => failed(error),
        })?);
        let kernel = |name| bundle.kernel(name).map_err(failed);
        Ok(Upkeep {
            overwrite: kernel("overwrite")?,
            copy: kernel("copy")?,
            cache: None,
            cache_bytes,
            turn: 0,
        })
    }

    /// Writes twice as many bytes as the last-level cache holds.
    pub fn overwrite_cache(&mut self, device: &S) -> Result<(), Failure> {
        let cache = match &mut self.cache {
            Some(cache) => cache,
            cache => {
                let numbers = usize::try_from(2 * self.cache_bytes / 4).unwrap_or(usize::MAX);
                cache.insert(device.memory(&vec![0; numbers]).map_err(failed)?)
            }
        };
        self.turn = self.turn.wrapping_add(1);
        let arguments = [Argument::from(&*cache), size(cache.len()), self.turn.into()];
        run(device, &mut self.overwrite, cache.len(), &arguments)
    }

    /// Copies what is in memory to memory of the same size.
    pub fn copy(&mut self, device: &S, source: &Memory<u8>, target: &Memory<u8>) -> Result<(), Failure> {
        if source.len() != target.len() {
            let message = "a copy of another size than the argument".to_owned();
            return Err(Failure::Failed(Status::InternalCompilerError, message));
        }
        let arguments = [source.into(), size(source.len()), target.into(), size(target.len())];
        run(device, &mut self.copy, source.len(), &arguments)
    }
}

fn build<S: runtime::Session>(device: &S) -> Result<S::Bundle, BuildError> {
    let (mut ir, mut sources) = (Ir::default(), Sources::new());
    let source = sources.add("upkeep", PROGRAM.as_bytes());
    let program = driver::parse_with(&mut ir, &[], source, PROGRAM.as_bytes())?;
    let (info, options) = (device.core_info()?, Options::default());
    let mut program = Compilation::new(&mut ir, &program, &info, &options);
    runtime::build(device, Cache::from_environment().as_ref(), &mut program)
}

fn size(length: usize) -> Argument<'static> {
    i64::try_from(length).unwrap_or(i64::MAX).into()
}

/// Runs one of the kernels above for memory of so many numbers.
fn run<S: runtime::Session>(
    device: &S,
    kernel: &mut KernelOf<S>,
    numbers: usize,
    arguments: &[Argument<'_>],
) -> Result<(), Failure> {
    let groups = u32::try_from(numbers.div_ceil(CHUNK)).unwrap_or(u32::MAX);
    // SAFETY: the kernel was built for the device and takes these arguments; it writes memory of at least the size that it is
    // told, which lives until the end of the run and which nobody borrows.
    unsafe { device.run(kernel, [groups, 1, 1], arguments) }.map_err(failed)?;
    Ok(())
}
