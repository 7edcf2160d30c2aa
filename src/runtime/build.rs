//! Program → cache key → compile → driver build, for whoever has a device.

use std::borrow::Cow;

use super::cache::{Cache, Key};
use super::device::{Bundle as _, Device};
use super::{Binary, BundleFormat, Error};
use crate::device::CoreFeatures;
use crate::driver::{self, Compilation};

/// Parts of the cache's key.
pub type KeyParts<'a> = Vec<Cow<'a, [u8]>>;

/// Source that a bundle is built from.
pub trait Source {
    /// Reason why there is no bundle.
    type Error: From<Error>;

    /// The device options that the binary is built with.
    fn core_features(&self) -> CoreFeatures;

    /// Everything that decides what the binary is, but for the version of tiletc: equal parts give equal binaries.
    /// `None` for what needs no cache.
    ///
    /// # Errors
    /// If the source is not to be had.
    fn key(&mut self) -> Result<Option<KeyParts<'_>>, Self::Error>;

    /// The binary; only asked for if no cache has what the driver made of it.
    ///
    /// # Errors
    /// If the source cannot be compiled.
    fn binary(&mut self) -> Result<Cow<'_, Binary>, Self::Error>;
}

/// Builds a bundle for the device, or loads what the cache has kept of an earlier build.
///
/// # Errors
/// Whatever is wrong with the source; what the driver has to say against its binary. Nothing of the cache is ever an
/// error.
pub fn build<D: Device, S: Source>(
    device: &D,
    cache: Option<&Cache>,
    source: &mut S,
) -> Result<D::Bundle, S::Error> {
    let key = match cache {
        Some(cache) => source.key()?.map(|parts| (cache, parts)),
        None => None,
    };
    // What an unknown driver makes must not be taken for the work of another one.
    let key = key.and_then(|(cache, parts)| {
        let identity = device.identity().ok()?;
        let parts = parts.iter().map(|part| &**part);
        Some((cache, Key::new(&[identity.as_bytes()].into_iter().chain(parts).collect::<Vec<_>>())))
    });
    let core_features = source.core_features();
    let mut compile = || Ok(build_in_registers(device, &*source.binary()?)?);
    let Some((cache, key)) = key else { return compile() };
    let load = |native| device.build(&Binary::new(BundleFormat::Native, native, core_features)).ok();
    cache.get_or_build(&key, load, compile, |bundle| bundle.native_binary().ok())
}

/// Has the driver build a binary. If values do not fit into its registers, the driver is asked for the larger register
/// file, and what spills less stays.
fn build_in_registers<D: Device>(device: &D, binary: &Binary) -> Result<D::Bundle, Error> {
    let bundle = device.build(binary)?;
    let Some(larger) = binary.with_large_register_file() else { return Ok(bundle) };
    // The bundle is good, so that nothing that fails from here on is an error: a driver need not tell.
    let spilled = bundle.spilled_bytes().unwrap_or(0);
    if spilled == 0 || !device.core_info().is_ok_and(|info| info.has_large_register_file()) {
        return Ok(bundle);
    }
    let other = device.build(&larger).and_then(|other| Ok((other.spilled_bytes()?, other)));
    Ok(match other {
        Ok((bytes, other)) if bytes < spilled => other,
        _ => bundle,
    })
}

/// A binary is what it is; a native one is loaded as fast as one of the cache.
impl Source for &Binary {
    type Error = Error;

    fn core_features(&self) -> CoreFeatures {
        Binary::core_features(self)
    }

    fn key(&mut self) -> Result<Option<KeyParts<'_>>, Error> {
        Ok(match self.format() {
            BundleFormat::Native => None,
            BundleFormat::Spirv => {
                let features = Cow::Owned(Binary::core_features(self).bits().to_le_bytes().to_vec());
                Some(vec![Cow::Borrowed(b"binary"), features, Cow::Borrowed(self.data())])
            }
        })
    }

    fn binary(&mut self) -> Result<Cow<'_, Binary>, Error> {
        Ok(Cow::Borrowed(*self))
    }
}

/// Reason why a program has become no bundle.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The program cannot be compiled for the device.
    #[error(transparent)]
    Compile(#[from] driver::Error),
    /// The driver failed.
    #[error(transparent)]
    Runtime(#[from] Error),
}

/// The parts of the key of a program.
pub(crate) fn program_key<'a>(fingerprint: impl IntoIterator<Item = impl AsRef<[u8]>>) -> KeyParts<'a> {
    let parts = fingerprint.into_iter().map(|part| Cow::Owned(part.as_ref().to_vec()));
    [Cow::Borrowed(b"program".as_slice())].into_iter().chain(parts).collect()
}

/// The program stays as it is, whether or not there is a cache and whatever that holds; the next step could otherwise
/// tell a hit from a miss.
impl Source for Compilation<'_> {
    type Error = BuildError;

    fn core_features(&self) -> CoreFeatures {
        self.info.core_features()
    }

    fn key(&mut self) -> Result<Option<KeyParts<'_>>, BuildError> {
        Ok(Some(program_key(self.fingerprint())))
    }

    fn binary(&mut self) -> Result<Cow<'_, Binary>, BuildError> {
        Ok(Cow::Owned(Binary::from(&self.compile()?)))
    }
}
