//! Text → all passes → module for any device at any level.
//!
//! A comment at the start of the text says how: `;` and three bytes for the device, the level and options, and a pass
//! that is run on the program as it is written. What is missing is 0.

use crate::printed::{LOWERING, is_what_it_says};
use crate::session::Session;
use crate::valid::validate;
use crate::{Mutator, Target, properties, refusal, tokens};
use tiletc::device::{Architecture, CoreInfo};
use tiletc::driver::Options;
use tiletc::passes::Pass;

/// The target.
pub const TARGET: Target = Target {
    name: "compilation",
    run,
    mutator: Some(Mutator { change: tokens::change, cross: tokens::cross }),
};

fn run(data: &[u8]) {
    let parse = || match Session::parse("fuzz", data) {
        Ok(session) => Some(session),
        Err(refusal) => {
            refusal::check(&refusal);
            None
        }
    };
    let [device, options, pass] = choices(data);
    let (info, options) = (device_of(device), options_of(options));
    let Some(mut session) = parse().filter(|session| !session.print().is_empty()) else { return };

    let step = |session: &mut Session, pass: &str, is_read_back: bool| match session
        .run_pass(pass, &info, &options)
    {
        Ok(_) if is_read_back => {
            is_what_it_says("fuzz", session).unwrap_or_else(|wrong| panic!("after {pass}: {wrong}"));
            true
        }
        Ok(_) => true,
        Err(refusal) => {
            refusal::check(&refusal);
            false
        }
    };
    // To print a program and read it back takes longer than to compile it, so that the fuzzer does it behind
    // one pass, which the input chooses.
    let does_all = !cfg!(fuzzing);
    let number = usize::from(pass) % (Pass::ALL.len() + LOWERING.len());
    let alone = Pass::ALL.get(if does_all { usize::from(pass) % Pass::ALL.len() } else { number });
    if let (Some(pass), Some(mut session)) = (alone, parse()) {
        step(&mut session, pass.name, true);
    }
    let last = if does_all { Some(LOWERING.len()) } else { number.checked_sub(Pass::ALL.len()) };
    if let (Some(last), Some(mut session)) = (last, parse()) {
        let mut passes = LOWERING.iter().enumerate().take_while(|&(at, _)| at <= last);
        let _ = passes.all(|(at, pass)| step(&mut session, pass, does_all || at == last));
    }
    match session.compile(&info, &options) {
        Ok(module) => {
            validate(&module).unwrap_or_else(|wrong| panic!("{wrong}\n{}", module.disassemble()));
        }
        Err(refusal) => refusal::check(&refusal),
    }
}

/// The bytes behind the `;` that the text starts with.
fn choices(text: &[u8]) -> [u8; 3] {
    let mut bytes = text.strip_prefix(b";").unwrap_or_default().iter().take_while(|&&byte| byte != b'\n');
    [(); 3].map(|()| bytes.next().copied().unwrap_or(0))
}

fn device_of(choice: u8) -> CoreInfo {
    let known = Architecture::ALL.get(usize::from(choice) % (Architecture::ALL.len() + 1));
    match known {
        Some(&architecture) => CoreInfo::from_architecture(architecture),
        None => properties::cpu(),
    }
}

fn options_of(choice: u8) -> Options {
    let unsafe_fp_math =
        [None, Some(false), Some(true)].into_iter().nth(usize::from(choice / 3 % 3)).flatten();
    let names = choice / 9 % 2 == 1;
    Options {
        level: i32::from(choice % 3),
        unsafe_fp_math,
        tf32: choice / 18 % 2 == 1,
        keep_names: names,
        keep_lines: names,
        remarks: names,
        is_tuned: false,
    }
}
