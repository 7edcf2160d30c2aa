//! A module whose binary is measured.

use crate::error::Error;
use crate::ocloc::{Call, Ocloc};
use crate::statistics::{self, Expected, Statistics};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use tiletc::device::{CoreFeatures, CoreInfo};
use tiletc::driver::{self, Instrumentation};
use tiletc::ir::{Func, Ir, Program};
use tiletc::schedule::Roofline;
use tiletc::spirv::Module;

/// A SPIR-V module, and what is known of it besides.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// The bytes of the module.
    pub module: Vec<u8>,
    /// Features that a driver builds it for.
    pub features: CoreFeatures,
    /// Work that kernels must do, by their names; without it they have no share of the roofline.
    pub rooflines: HashMap<String, Roofline>,
}

/// Options of [`measure`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// Folder in which all that the compiler dumps is kept, made if it does not exist.
    pub dumps: Option<&'a Path>,
    /// Further arguments of ocloc.
    pub arguments: &'a [String],
}

impl Subject {
    /// Compiles a program for a device with tiletc, and notes the work that it must do.
    ///
    /// # Errors
    /// As for [`driver::compile`].
    pub fn of_program(
        ir: &mut Ir,
        program: &Program,
        info: &CoreInfo,
        options: &driver::Options,
        instrumentation: &mut Instrumentation<'_>,
    ) -> Result<Subject, driver::Error> {
        let of = |&func: &Func| Some((ir[func].name.clone(), Roofline::of(ir, func, info)?));
        let rooflines = program.functions.iter().filter_map(of).collect();
        let module = driver::compile_instrumented(ir, program, info, options, instrumentation)?;
        Ok(Subject { module: module.assemble(), features: module.core_features(), rooflines })
    }
}

/// Compiles a module for a device by the name that ocloc knows it by, and reads what became of its kernels.
///
/// # Errors
/// As for [`Ocloc::compile`], and [`Error::NotEmpty`].
pub fn measure(
    ocloc: &Ocloc,
    subject: &Subject,
    device: &str,
    options: &Options<'_>,
) -> Result<Vec<Statistics>, Error> {
    let info = CoreInfo::from_name(device);
    // Extensions that the reader does not know are no reason not to compile.
    let spirv = Module::read(&subject.module);
    let expected = |kernel: &str| Expected {
        path: spirv.as_ref().zip(info.as_ref()).and_then(|(spirv, info)| spirv.main_path(kernel, info)),
        roofline: subject.rooflines.get(kernel).copied(),
    };
    let scratch = tempfile::tempdir().map_err(Error::file("make a folder in", std::env::temp_dir()))?;
    let dumps = options.dumps.unwrap_or(scratch.path());
    fs::create_dir_all(dumps).map_err(Error::file("make", dumps))?;
    // Dumps of an earlier run must not be taken for this one's.
    if fs::read_dir(dumps).map_err(Error::file("read", dumps))?.next().is_some() {
        return Err(Error::NotEmpty(dumps.to_path_buf()));
    }
    let dumps = dumps.canonicalize().map_err(Error::file("find", dumps))?;
    let Subject { module, features, .. } = subject;
    let call =
        Call { module, features: *features, device, arguments: options.arguments, dumps: Some(&dumps) };
    match ocloc.compile(&call) {
        // Further arguments may have put the binary elsewhere.
        Ok(_) | Err(Error::NoBinary { .. }) => {}
        Err(error) => return Err(error),
    }
    statistics::of_folder(&dumps, device, &expected)
}

/// Explanation of the columns.
pub const COLUMNS: &str = "\
Columns:
  grf, simd, spill   registers, lanes of a subgroup, and bytes of spilled registers a thread, as the binary says
  inst dpas mad mov load2d store2d ugm slm
                     instructions of the kernel: all, multiply-adds of the matrix and of the vector engines, moves,
                     2D block loads and stores, messages to global memory and to local memory
  hot=D/I            of the I instructions of the innermost loop with most of them, D are dpas, or mad in a kernel
                     without dpas
  floor=P%           share of the engine in the cycles that one hardware thread issues in a trip of that loop
                     (in=loop), or in all of the kernel if no loop has work (in=kernel), if nothing overlaps. A
                     dpas.8xR takes the matrix engine R cycles on pvc and 2R elsewhere; without dpas the mads are
                     the engine's. Waiting for memory is not counted, since other threads run meanwhile
  B/clk              bytes that loads bring into registers for each cycle of the engine
  chain              cycles of the engine between two dpas on the same accumulator; one dpas.8x8 has a latency of 28
  issue              cycles in which a vector engine issues the instructions of a work-group, all subgroups together: of
                     the path that does the work fastest, loops as often as they run, without versions for other
                     arguments and edges
  share=P%/Q%        the time that a work-group must take in the time that it takes, from 0 to 100: bytes that must come
                     from memory, or multiply-adds at full rate, against the issue; Q with all data in the cache, which
                     is four times faster. Nothing that neighbouring work-groups read, too, counts as bytes
  bound=B/C          what takes longest in these two cases: issue, memory or arithmetic

The cycles are estimates from published rates and IGC's own latencies, not measurements.";
