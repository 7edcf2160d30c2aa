//! Programs that an OpenCL driver has built before.

#[path = "mod.rs"]
mod kept;

use tiletc::runtime::cache::{Cache, Key};
use tiletc::runtime::opencl::{self, Program, Session};
use tiletc::runtime::{Binary, BundleFormat, Error};

/// The binaries of a device.
pub struct Builds {
    cache: Cache,
    identity: String,
}

impl Builds {
    /// The binaries of the session's device; none are kept if that does not say what it is.
    pub fn of(session: &Session) -> Option<Builds> {
        // SAFETY: the session's device is valid.
        let identity = unsafe { opencl::get_identity(session.device()) }.ok()?;
        Some(Builds { cache: kept::cache()?, identity })
    }

    /// The program that the driver makes of a module.
    pub fn build(&self, session: &Session, module: &Binary) -> Result<Program, Error> {
        let features = module.core_features();
        let parts = [self.identity.as_bytes(), &features.bits().to_le_bytes(), module.data()];
        let load = |native| session.build(&Binary::new(BundleFormat::Native, native, features)).ok();
        let build = || session.build(module);
        self.cache.get_or_build(&Key::of_module(&parts), load, build, |program| program.native_binary().ok())
    }
}
