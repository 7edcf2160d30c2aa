//! Compiles a program for every device, validates each module, and checks that compiling is repeatable.

use crate::directives::{Case, Devices};
use crate::session::{Refusal, Session};
use crate::valid;
use tiletc::device::{Architecture, CoreInfo, SpirvFeature};
use tiletc::driver::{Error, Options};
use tiletc::status::Status;

/// Every device that is known by name, and the CPU as the runtimes describe it, without AMX and with.
fn all_devices() -> impl Iterator<Item = (&'static str, CoreInfo)> {
    let gpus = Architecture::ALL.iter().map(|&gpu| (gpu.spelling(), CoreInfo::from_architecture(gpu)));
    let mut amx = cpu();
    amx.set(SpirvFeature::CooperativeMatrix, true);
    gpus.chain([("cpu", cpu()), ("amx", amx)])
}

/// Intel's OpenCL CPU device, as the runtimes describe it.
pub fn cpu() -> CoreInfo {
    let mut info = CoreInfo::cpu(2048, 8192, &[4, 8, 16, 32, 64]);
    for &feature in SpirvFeature::ALL.iter().take(SpirvFeature::STANDARD_COUNT) {
        info.set(feature, true);
    }
    info
}

/// The program compiles where it should, fails as it should elsewhere, and every module is valid.
pub fn check(case: &Case) -> Result<(), String> {
    // Few and long, so that comparing takes less time than hashing.
    let mut valid: Vec<Vec<u32>> = Vec::new();
    let mut compiled = 0;
    for (device, info) in all_devices() {
        for level in [0, 2] {
            let options = Options { level, ..Options::default() };
            let place = |message: String| format!("{device} at level {level}: {message}");
            match compile(case, &info, &options).map_err(place)? {
                Ok((session, words)) => {
                    if let Devices::With(feature) = case.devices
                        && !info.have(feature)
                    {
                        return Err(place(format!("compiled without {}", feature.spelling())));
                    }
                    let bytes = size_of_val(words.as_slice());
                    if bytes > case.max_bytes {
                        return Err(place(format!("{bytes} bytes, of {} at most", case.max_bytes)));
                    }
                    compiled += 1;
                    // A module that was made for another device is valid, and compiling has been repeated thereby.
                    if !valid.contains(&words) {
                        validate(&words).map_err(place)?;
                        is_repeatable(case, &info, &options, session, &words).map_err(place)?;
                        valid.push(words);
                    }
                }
                Err(refusal) => excused(case, &info, &refusal).map_err(place)?,
            }
        }
    }
    if compiled == 0 { Err("no device compiles it".to_owned()) } else { Ok(()) }
}

/// The module, and the program that is lowered by then.
fn compile(
    case: &Case,
    info: &CoreInfo,
    options: &Options,
) -> Result<Result<(Session, Vec<u32>), Refusal>, String> {
    let mut session = Session::parse(&case.name(), &case.text).map_err(|refusal| refusal.to_string())?;
    Ok(session.compile(info, options).map(|module| (session, module.words())))
}

/// Compiling the lowered program gives the same module again, and so does compiling the text.
fn is_repeatable(
    case: &Case,
    info: &CoreInfo,
    options: &Options,
    mut lowered: Session,
    words: &[u32],
) -> Result<(), String> {
    let again = lowered.compile(info, options).map_err(|refusal| format!("the second time:\n{refusal}"))?;
    if again.words() != words {
        return Err("compiling the program a second time gives another module".to_owned());
    }
    let (_, anew) = compile(case, info, options)?.map_err(|refusal| format!("anew:\n{refusal}"))?;
    if anew != words {
        return Err("compiling the text a second time gives another module".to_owned());
    }
    Ok(())
}

/// Returns whether a device may refuse the program in this way.
fn excused(case: &Case, info: &CoreInfo, refusal: &Refusal) -> Result<(), String> {
    let excused = match (case.devices, refusal.error.as_ref()) {
        (
            Devices::With(feature),
            Error::Spirv(tiletc::spirv::Error::MissingFeature { feature: lacks, .. }),
        ) => {
            feature == *lacks
                && !info.have(feature)
                && refusal.error.status() == Status::SpirvRequiredFeatureUnavailable
                && refusal.report.contains(feature.spelling())
        }
        (Devices::Or(status), error) => error.status() == status,
        _ => false,
    };
    if excused { Ok(()) } else { Err(format!("refused:\n{refusal}")) }
}

/// The validator accepts the module, whose version is 1.4.
pub fn validate(words: &[u32]) -> Result<(), String> {
    if words.get(1) != Some(&0x0001_0400) {
        return Err(format!("the module's version is {:#x?} instead of 1.4", words.get(1)));
    }
    valid::validate_words(words).map_err(|error| format!("invalid module: {error}"))
}
