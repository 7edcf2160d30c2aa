//! Program → cache key → compile → driver build, for whoever has a device.

use std::borrow::Cow;
use std::cell::RefCell;
use std::time::Instant;

use log::Level;

use super::cache::{Cache, Key};
use super::device::{Bundle, Device};
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

    /// Warnings about the source from making [`Self::binary`], which are kept with the driver's binary. Sources of one key
    /// have one meaning of these bytes.
    fn warnings(&mut self) -> Vec<u8> {
        Vec::new()
    }

    /// Reports what was kept with a binary of the cache that takes the place of [`Self::binary`]; false if that is nothing
    /// that [`Self::warnings`] could have returned.
    fn recall(&mut self, warnings: &[u8]) -> bool {
        warnings.is_empty()
    }
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
    let Some((cache, key)) = key else { return Ok(built(device, &*source.binary()?)?) };
    let source = RefCell::new(source);
    let load = |kept: Vec<u8>| {
        let start = Instant::now();
        let (native, warnings) = open(kept)?;
        let bundle = device.build(&Binary::new(BundleFormat::Native, native, core_features)).ok()?;
        log::info!("cache hit, loaded by the driver in {:.3} ms", 1e3 * start.elapsed().as_secs_f64());
        tell_kernels(&bundle);
        source.borrow_mut().recall(&warnings).then_some(bundle)
    };
    let compile = || Ok(built(device, &*source.borrow_mut().binary()?)?);
    let native = |bundle: &D::Bundle| {
        let native = bundle.native_binary().ok().filter(|native| !native.is_empty())?;
        Some(close(native, &source.borrow_mut().warnings()))
    };
    cache.get_or_build(&key, load, compile, native)
}

/// Has the driver build a binary, and logs what becomes of it.
fn built<D: Device>(device: &D, binary: &Binary) -> Result<D::Bundle, Error> {
    let options = binary.core_features().build_options();
    let options = options.map_or_else(|| "none".into(), |options| options.to_string_lossy());
    let start = Instant::now();
    let bundle = build_in_registers(device, binary)?;
    let milliseconds = 1e3 * start.elapsed().as_secs_f64();
    let size = binary.data().len();
    log::info!("driver built {size} bytes in {milliseconds:.3} ms, build options: {options}");
    tell_kernels(&bundle);
    Ok(bundle)
}

/// Content of an entry of the cache: the native binary, the warnings, and how many bytes these have.
fn close(native: Vec<u8>, warnings: &[u8]) -> Vec<u8> {
    let length = u64::try_from(warnings.len()).unwrap_or(u64::MAX).to_le_bytes();
    [&native, warnings, &length].concat()
}

/// The native binary and the warnings in an entry.
fn open(mut kept: Vec<u8>) -> Option<(Vec<u8>, Vec<u8>)> {
    let (rest, length) = kept.split_last_chunk()?;
    let warnings_at = rest.len().checked_sub(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    kept.truncate(rest.len());
    let warnings = kept.split_off(warnings_at);
    Some((kept, warnings))
}

/// Logs what the driver reports of each kernel.
fn tell_kernels<B: Bundle>(bundle: &B) {
    if log::log_enabled!(Level::Info) {
        match bundle.reports() {
            Ok(reports) => reports.iter().for_each(|report| log::info!("driver: {report}")),
            Err(error) => log::debug!("the driver reports nothing of the kernels: {error}"),
        }
    }
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
    log::info!("{spilled} bytes are spilled; built again with the larger register file");
    let other = device.build(&larger).and_then(|other| Ok((other.spilled_bytes()?, other)));
    Ok(match other {
        Ok((bytes, other)) if bytes < spilled => {
            log::info!("with the larger register file {bytes} bytes are spilled, and it stays");
            other
        }
        _ => {
            log::info!("the larger register file spills no less, or cannot be had");
            bundle
        }
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

    fn warnings(&mut self) -> Vec<u8> {
        driver::encode_warnings(self.ir, self.program, &self.warnings)
    }

    fn recall(&mut self, warnings: &[u8]) -> bool {
        let found = driver::decode_warnings(self.ir, self.program, warnings);
        let is_known = found.is_some();
        self.warnings.extend(found.unwrap_or_default());
        is_known
    }
}
