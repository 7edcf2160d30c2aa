//! Errors between tiletc and a driver.

use crate::status::Status;

/// Reason why a driver could not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The loader library of the interface is not installed.
    #[error("{interface} is not available: {reason}")]
    DriverMissing {
        /// OpenCL or Level Zero.
        interface: &'static str,
        /// Message of the dynamic linker.
        reason: String,
    },
    /// The installed loader is too old, or no loader at all.
    #[error("the installed driver has no function {function}")]
    FunctionMissing {
        /// The function's name.
        function: &'static str,
    },
    /// A driver function returned an error.
    #[error("{function} failed: {}", describe(*code, *name))]
    Call {
        /// The function's name.
        function: &'static str,
        /// Code that it returned.
        code: i32,
        /// The symbol for what it returned, if it is a known one.
        name: Option<&'static str>,
    },
    /// A driver function said that it succeeded, and did not.
    #[error("{function} {nonsense}")]
    Answer {
        /// The function's name.
        function: &'static str,
        /// Description of what it did instead.
        nonsense: String,
    },
    /// The driver's compiler refused the module.
    #[error("{function} failed: {log}")]
    Build {
        /// The function's name.
        function: &'static str,
        /// The compiler's messages.
        log: String,
    },
    /// The module is no SPIR-V that any driver could take.
    #[error("malformed SPIR-V module: {reason}")]
    MalformedModule {
        /// Description of the problem.
        reason: String,
    },
    /// The bundle has no kernel of the name.
    #[error("there is no kernel `{name}`; the bundle has {}", named(kernels))]
    NoKernel {
        /// The name.
        name: String,
        /// Names of the kernels that the bundle has; empty if the driver does not tell.
        kernels: Vec<String>,
    },
    /// The arguments are not what the kernel takes.
    #[error("kernel {kernel}: {what}")]
    KernelArguments {
        /// Name of the kernel.
        kernel: String,
        /// Parameter at fault, what it takes and what it got.
        what: String,
    },
    /// An argument breaks a promise that an attribute of its parameter makes.
    #[error("kernel {kernel}: {what}")]
    ArgumentContract {
        /// Name of the kernel.
        kernel: String,
        /// Argument at fault, the promise and what it is.
        what: String,
    },
    /// A launch has fewer work-groups than its arguments need, or nothing tells how many it needs.
    #[error("kernel {kernel}: {what}")]
    Grid {
        /// Name of the kernel.
        kernel: String,
        /// Both numbers, or what is missing.
        what: String,
    },
    /// No device of the wanted kind is there.
    #[error("no {wanted} with subgroups and unified shared memory found")]
    NoDevice {
        /// The kind of device.
        wanted: &'static str,
    },
    /// The device cannot run tiletc's kernels.
    #[error("unsupported device: {reason}")]
    UnsupportedDevice {
        /// Description of what it lacks or is.
        reason: String,
    },
    /// The platform lacks an extension that the call needs.
    #[error("the platform has no {extension}")]
    ExtensionMissing {
        /// The extension.
        extension: &'static str,
    },
    /// A device without a driver failed.
    #[error("{message}")]
    Device {
        /// Message.
        message: String,
    },
    /// The caller passed something no driver should see.
    #[error("{what}")]
    InvalidArguments {
        /// Description of the problem.
        what: &'static str,
    },
}

impl Error {
    /// The status code of the failure.
    pub fn status(&self) -> Status {
        match self {
            Error::DriverMissing { .. }
            | Error::FunctionMissing { .. }
            | Error::Call { .. }
            | Error::Answer { .. }
            | Error::Build { .. }
            | Error::MalformedModule { .. }
            | Error::Device { .. }
            | Error::NoKernel { .. }
            | Error::NoDevice { .. } => Status::ComputeRuntimeError,
            Error::UnsupportedDevice { .. } => Status::UnsupportedDevice,
            Error::ExtensionMissing { .. } => Status::UnavailableExtension,
            Error::InvalidArguments { .. } => Status::InvalidArguments,
            Error::KernelArguments { .. } => Status::InvalidKernelArguments,
            Error::ArgumentContract { .. } => Status::LaunchArgumentContract,
            Error::Grid { .. } => Status::LaunchGridMismatch,
        }
    }

    /// Reason why the binary was refused, in the words of the driver's compiler if it came that far.
    pub fn build_log(&self) -> Option<&str> {
        match self {
            Error::Build { log, .. } => Some(log),
            Error::MalformedModule { reason } => Some(reason),
            _ => None,
        }
    }

    /// Refuses a null handle; what a loader does with one is up to it.
    pub(super) fn unless_null<T>(handle: *const T, what: &'static str) -> Result<(), Error> {
        if handle.is_null() { Err(Error::InvalidArguments { what }) } else { Ok(()) }
    }
}

/// The kernels of a bundle, of which a message names as many as a line holds.
fn named(kernels: &[String]) -> String {
    const MAX: usize = 16;
    let names: Vec<&str> = kernels.iter().take(MAX).map(String::as_str).collect();
    match kernels.len().saturating_sub(MAX) {
        _ if names.is_empty() => "none that the driver tells".to_owned(),
        0 => names.join(", "),
        others => format!("{} and {others} more", names.join(", ")),
    }
}

/// OpenCL's codes are negative and known by their decimal form, Level Zero's by the hexadecimal one.
fn describe(code: i32, name: Option<&str>) -> String {
    let name = name.unwrap_or("unknown code");
    if code < 0 { format!("{name} ({code})") } else { format!("{name} ({code:#x})") }
}
