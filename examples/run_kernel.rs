//! Compiles a program, runs its kernel on a device, and says what came of it and how long it took:
//!
//! ```text
//! cargo run --example run_kernel -- opencl
//! cargo run --example run_kernel -- level_zero
//! cargo run --example run_kernel -- virtual:pvc
//! ```
//!
//! `scale` is all that there is to it; it is the same for every interface. Where `TILETC_CACHE_DIR` names a folder, the
//! second run needs neither compiler nor driver's compiler.
#![allow(clippy::print_stdout, reason = "an example shows something")]

use std::error::Error;
use std::sync::Arc;
use tiletc::diagnostics::Sources;
use tiletc::driver::{self, Compilation, Options};
use tiletc::ir::Ir;
use tiletc::runtime::cache::Cache;
use tiletc::runtime::opencl::{self, DeviceKind};
use tiletc::runtime::{self, Bundle as _, ProfileOf, Session, level_zero};

/// Every work-group scales one row of 64 numbers.
const TEXT: &str = "
func @scale(%alpha: f32, %x: memref<f32x64x?>) {
    %gid = group_id.x : index
    %own = subview %x[0:64,%gid] : memref<f32x64>
    %zero = constant 0.0 : f32
    axpby.n %alpha, %own, %zero, %own
}";

/// Scales rows of ones by two; returns them and what the device tells of the launch.
fn scale<S: Session>(session: &S, rows: u32) -> Result<(Vec<f32>, ProfileOf<S>), Box<dyn Error>> {
    let (mut ir, mut sources) = (Ir::default(), Sources::new());
    let source = sources.add("scale.ir", TEXT.as_bytes());
    let program = driver::parse(&mut ir, source, TEXT.as_bytes())?;

    let (info, options, cache) = (session.core_info()?, Options::default(), Cache::from_environment());
    let mut program = Compilation::new(&mut ir, &program, &info, &options);
    let bundle = runtime::build(session, cache.as_ref(), &mut program)?;
    let mut kernel = Arc::new(bundle).kernel("scale")?;

    let x = session.memory(&vec![1.0f32; 64 * rows as usize])?;
    // A memref of dynamic size is its address and that size.
    let arguments = [2.0f32.into(), (&x).into(), i64::from(rows).into()];
    // SAFETY: each work-group accesses one row, of which there are as many as work-groups; nothing borrows them.
    let profile = unsafe { session.run(&mut kernel, [rows, 1, 1], &arguments)? };
    Ok((x.to_vec(), profile))
}

fn main() -> Result<(), Box<dyn Error>> {
    let device = std::env::args().nth(1).unwrap_or_else(|| "opencl".to_owned());
    let (x, profile) = match device.split_once(':') {
        None if device == "opencl" => timed(scale(&opencl::Session::open(DeviceKind::Any)?, 1000)?),
        None if device == "level_zero" => timed(scale(&level_zero::Session::open()?, 1000)?),
        Some(("virtual", name)) => {
            let (x, outcome) = scale(&virtual_xe_runtime::Session::open(name)?, 1000)?;
            (x, format!("{} reports", outcome.reports.len()))
        }
        _ => return Err("a device is opencl, level_zero or virtual:NAME".into()),
    };
    println!("{device}: {} numbers, the first is {:?}; {profile}", x.len(), x.first());
    Ok(())
}

/// A result with its time as text.
fn timed((x, time): (Vec<f32>, Option<runtime::Timestamps>)) -> (Vec<f32>, String) {
    (x, time.map_or_else(String::new, |time| format!("{:?} on the device", time.duration())))
}

#[cfg(test)]
#[path = "../tests/skip/mod.rs"]
mod skip;

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tiletc::runtime::Error;

    #[test]
    fn runs_on_a_virtual_device() {
        let session = virtual_xe_runtime::Session::open("pvc").unwrap();
        let (x, outcome) = scale(&session, 3).unwrap();
        assert_eq!(x, [2.0; 192]);
        assert!(outcome.reports.is_empty());
    }

    #[test]
    fn runs_on_an_opencl_device() {
        let session = match opencl::Session::open(DeviceKind::Any) {
            Ok(session) => session,
            Err(error @ (Error::DriverMissing { .. } | Error::NoDevice { .. })) => return skip::skip(error),
            Err(error) => panic!("{error}"),
        };
        let (x, time) = scale(&session, 100).unwrap();
        assert_eq!(x, [2.0; 6400]);
        assert!(time.unwrap().duration() > Duration::ZERO);
    }
}
