//! What cannot be compiled yet is refused with a status. No device is needed.

use libtest_mimic::{Failed, Trial};
use tiletc::status::Status;
use tiletc::target::CoreInfo;

use crate::device::compile;

pub fn trials() -> Vec<Trial> {
    let mut programs: Vec<(String, String)> = Vec::new();
    for ty in ["bf16", "c32", "c64"] {
        let one = if ty == "bf16" { "1.0" } else { "[1.0,0.0]" };
        programs.push((
            format!("{ty}::axpby"),
            format!("func @f(%a: {ty}, %A: memref<{ty}x8>) {{ axpby %a, %A, %a, %A }}"),
        ));
        programs.push((
            format!("{ty}::gemm"),
            format!(
                "func @f(%a: {ty}, %A: memref<{ty}x8x8>, %C: memref<{ty}x8x8>) {{ gemm %a, %A, %A, %a, %C }}"
            ),
        ));
        programs.push((
            format!("{ty}::constant"),
            format!("func @f(%A: memref<{ty}>) {{ %c = constant {one} : {ty} store %c, %A[] }}"),
        ));
        programs.push((
            format!("{ty}::load"),
            format!(
                "func @f(%A: memref<{ty}>) {{ %c = load %A[] : {ty} %d = add %c, %c : {ty} store %d, %A[] }}"
            ),
        ));
        programs.push((
            format!("{ty}::cast"),
            format!("func @f(%x: f32, %A: memref<{ty}>) {{ %c = cast %x : {ty} store %c, %A[] }}"),
        ));
    }
    for (name, order) in
        [("axpby", "axpby.atomic %a, %A, %b, %C"), ("gemm", "gemm.atomic %a, %A, %A, %b, %C")]
    {
        programs.push((
            format!("atomic::{name}"),
            format!(
                "func @f(%a: f32, %A: memref<f32x8x8>, %C: memref<f32x8x8>) {{ %b = constant 1.0 : f32 {order} }}"
            ),
        ));
    }
    programs
        .into_iter()
        .map(|(name, text)| Trial::test(format!("refusals::{name}"), move || refused(&text)))
        .collect()
}

fn refused(text: &str) -> Result<(), Failed> {
    for info in ["pvc", "bmg", "tgl"].map(CoreInfo::from_name).into_iter().flatten() {
        for level in 0..=2 {
            match compile(text, &info, level) {
                Err(refused) if refused.status == Status::NotImplemented => {}
                Err(refused) => return Err(format!("{:?}: {}", refused.status, refused.messages).into()),
                Ok(_) => return Err(format!("compiles at level {level}: {text}").into()),
            }
        }
    }
    Ok(())
}
