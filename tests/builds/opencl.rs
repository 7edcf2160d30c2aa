//! Programs that a driver builds, or has built before.

#[path = "mod.rs"]
mod kept;

use std::fs;
use std::time::Duration;

use tiletc::runtime::cache::{Cache, Key};
use tiletc::runtime::{Binary, Bundle as _, BundleFormat, Device};

/// Processor time that a driver may take for each kernel of a module. Some forms of code take it minutes.
const MAX_TIME: Duration = Duration::from_secs(10);

/// The program that the driver makes of a module, or what it says against it. Too long counts as an error as
/// well; nothing else may run in the process.
pub fn build<D: Device>(device: &D, module: &Binary) -> Result<D::Bundle, String> {
    let begin = processor_time();
    let built = device.build(module);
    let bundle = built.map_err(|error| format!("{error}\n{}", error.build_log().unwrap_or_default()))?;
    let taken = processor_time().saturating_sub(begin);
    let kernels = u32::try_from(module.signatures().len()).unwrap_or(u32::MAX).max(1);
    if taken > MAX_TIME.saturating_mul(kernels) {
        return Err(format!("the driver takes {taken:?} of processor time for {kernels} kernels"));
    }
    Ok(bundle)
}

/// The processor time of this process so far, in all threads.
fn processor_time() -> Duration {
    const TICKS_A_SECOND: u64 = 100;
    // Behind the name, which may have blanks in it, the 12th and 13th are those of user and system
    // (proc_pid_stat(5)).
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 1000 / TICKS_A_SECOND)
}

/// The binaries of a device.
pub struct Builds {
    cache: Cache,
    identity: String,
}

impl Builds {
    /// The binaries of the device; none are kept if that does not say what it is.
    pub fn of(device: &impl Device) -> Option<Builds> {
        Some(Builds { cache: kept::cache()?, identity: device.identity().ok()? })
    }

    /// The program that the driver makes of a module, or what it says against it.
    pub fn build<D: Device>(&self, device: &D, module: &Binary) -> Result<D::Bundle, String> {
        let features = module.core_features();
        let parts = [self.identity.as_bytes(), &features.bits().to_le_bytes(), module.data()];
        let load = |native| device.build(&Binary::new(BundleFormat::Native, native, features)).ok();
        let build = || build(device, module);
        self.cache.get_or_build(&Key::of_module(&parts), load, build, |bundle| bundle.native_binary().ok())
    }
}
