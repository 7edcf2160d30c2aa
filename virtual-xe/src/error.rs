//! Errors of refused modules.

use rspirv::binary::ParseState;
use rspirv::spirv::Capability;

/// Reason why a module is refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Modules are made of words of four bytes.
    #[error("{0} bytes are no whole number of words")]
    Size(usize),
    /// The header is cut off.
    #[error("the module has {0} words, fewer than its header")]
    Header(usize),
    /// The first word is not SPIR-V's.
    #[error("no SPIR-V module: it starts with {0:#010x}")]
    Magic(u32),
    /// The words are big-endian, which Intel's drivers do not read.
    #[error("the module is big-endian")]
    BigEndian,
    /// An instruction has no length, or more words than there are left.
    #[error("the instruction at word {0} runs past the end of the module")]
    Framing(usize),
    /// Not the memory model of OpenCL with addresses of 64 bits, which is all that there is on Intel's GPUs.
    #[error("the module's memory model is not OpenCL's with 64-bit addresses")]
    MemoryModel,
    /// Something well-formed that the device does not offer.
    #[error("{0} are not supported")]
    Unsupported(&'static str),
    /// An instruction that cannot be read, or stands where it must not.
    #[error("unreadable module: {0}")]
    Unreadable(#[from] ParseState),
    /// An id is used that nothing defines, or something of another kind.
    #[error("id {id} is no {expected}")]
    Id {
        /// The id.
        id: u32,
        /// Expected form.
        expected: &'static str,
    },
    /// Types in types in types, further than any sensible module goes.
    #[error("type {0} is nested too deeply")]
    Nesting(u32),
    /// An instruction that cannot be executed.
    #[error("{name} in function {function} is not supported")]
    Instruction {
        /// The opcode, or the name of the extended instruction.
        name: String,
        /// The name of the function, or its id.
        function: String,
    },
    /// An instruction whose operands the device does not take.
    #[error("{name} in function {function}: {reason}")]
    Operands {
        /// The opcode.
        name: String,
        /// The name of the function, or its id.
        function: String,
        /// Description of the problem.
        reason: String,
    },
    /// Functions that call themselves.
    #[error("function {0} calls itself")]
    Recursion(String),
    /// Something that the device cannot do.
    #[error("device {device} does not support capability {capability:?}")]
    Capability {
        /// The name of the device.
        device: &'static str,
        /// Capability that the module asks for.
        capability: Capability,
    },
    /// Subgroups of a size that the device does not have.
    #[error("kernel {kernel} needs subgroups of {size} lanes, which device {device} does not have")]
    SubgroupSize {
        /// The name of the kernel.
        kernel: String,
        /// The size that it needs.
        size: u32,
        /// The name of the device.
        device: &'static str,
    },
    /// Work-groups larger than the device can run.
    #[error(
        "kernel {kernel} has work-groups of {}×{}×{} work-items; the device runs at most {most}",
        size[0], size[1], size[2]
    )]
    GroupSize {
        /// The name of the kernel.
        kernel: String,
        /// Work-items of a work-group in each direction.
        size: [u32; 3],
        /// Number there may be.
        most: u32,
    },
    /// More local memory than the device has.
    #[error("kernel {kernel} needs {bytes} bytes of local memory; the device has {most}")]
    TooMuchLocalMemory {
        /// The name of the kernel.
        kernel: String,
        /// Bytes that it needs.
        bytes: u64,
        /// Bytes that there are.
        most: u64,
    },
    /// More local memory than can be counted.
    #[error("the local memory of kernel {0} is beyond all bounds")]
    LocalMemory(String),
    /// Two entry points cannot be told apart.
    #[error("there are two kernels {0}")]
    DuplicateKernel(String),
    /// From version 1.4 on, an entry point lists every global variable that it uses.
    #[error("kernel {kernel} does not list variable {variable}, which it uses")]
    Interface {
        /// The name of the kernel.
        kernel: String,
        /// The id of the variable.
        variable: u32,
    },
}
