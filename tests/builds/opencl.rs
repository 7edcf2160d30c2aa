//! Programs that a driver has built before.

#[path = "mod.rs"]
mod kept;

use tiletc::runtime::cache::{Cache, Key};
use tiletc::runtime::{Binary, Bundle as _, BundleFormat, Device, Error};

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

    /// The program that the driver makes of a module.
    pub fn build<D: Device>(&self, device: &D, module: &Binary) -> Result<D::Bundle, Error> {
        let features = module.core_features();
        let parts = [self.identity.as_bytes(), &features.bits().to_le_bytes(), module.data()];
        let load = |native| device.build(&Binary::new(BundleFormat::Native, native, features)).ok();
        let build = || device.build(module);
        self.cache.get_or_build(&Key::of_module(&parts), load, build, |bundle| bundle.native_binary().ok())
    }
}
