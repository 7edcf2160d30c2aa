//! Texts too large or too odd for a file.

use crate::devices::validate;
use crate::session::Session;
use libtest_mimic::{Failed, Trial};
use tiletc::device::CoreInfo;
use tiletc::driver::Options;
use tiletc::status::Status;

/// The tests.
pub fn trials() -> Vec<Trial> {
    let trial = |name: &str, test: fn() -> Result<(), Failed>| Trial::test(format!("generated/{name}"), test);
    vec![
        trial("empty", || {
            refused(b"", "<memory>:1.1: expected `func` or a definition, as in `$n = 4`, found end of file")
        }),
        trial("only_definitions", only_definitions),
        trial("nul_ends_the_text", || {
            refused(b"func @f() {\0}", "<memory>:1.12: expected an instruction or `}`, found end of file")
        }),
        trial("garbage", garbage),
        trial("deep_regions", || nested(|n| [b"func @f() { ".to_vec(), b"parallel { ".repeat(n)].concat())),
        trial("deep_branches", || {
            nested(|n| [b"func @f(%p: bool) { ".to_vec(), b"if %p { } else { ".repeat(n)].concat())
        }),
        trial("deep_arrays", || nested(|n| [b"$a = ".to_vec(), b"[".repeat(n)].concat())),
        trial("deep_dictionaries", || nested(|n| [b"$a = ".to_vec(), b"{\"k\"=".repeat(n)].concat())),
        trial("deep_types", || nested(|n| [b"$a = ".to_vec(), b"group<".repeat(n)].concat())),
        trial("deepest_accepted", deepest_accepted),
        trial("long_line", long_line),
        trial("long_name", long_name),
        trial("large_calculator", large_calculator),
        trial("many_instructions", many_instructions),
        trial("many_parameters", many_parameters),
        trial("long_function_name", long_function_name),
    ]
}

/// The report of a text that must be refused; whatever the text, a report is short.
fn report(text: &[u8]) -> Result<String, Failed> {
    match Session::parse("<memory>", text) {
        Ok(_) => Err("accepted".into()),
        Err(refusal) if refusal.error.status() != Status::ParseError => Err(refusal.report.into()),
        Err(refusal) if refusal.report.len() > 20_000 => {
            Err(format!("a report of {} bytes", refusal.report.len()).into())
        }
        Err(refusal) => Ok(refusal.report),
    }
}

fn refused(text: &[u8], first_line: &str) -> Result<(), Failed> {
    let report = report(text)?;
    if report.starts_with(&format!("{first_line}\n")) { Ok(()) } else { Err(report.into()) }
}

/// A program without functions has no text, but a module.
fn only_definitions() -> Result<(), Failed> {
    let fail = |refusal: crate::session::Refusal| Failed::from(refusal.report);
    let mut session = Session::parse("<memory>", b"$a = 1 $b = f32").map_err(fail)?;
    if !session.print().is_empty() {
        return Err(session.print().to_string().into());
    }
    let info = CoreInfo::from_name("pvc").ok_or("no pvc")?;
    let module = session.compile(&info, &Options::default()).map_err(fail)?;
    Ok(validate(&module.words())?)
}

/// 10 MB of bytes, all of them, after different beginnings.
fn garbage() -> Result<(), Failed> {
    let mut state = 1u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0].max(1)
    })
    .take(10_000_000)
    .collect();
    for start in ["", "func @f() { ", "$a = \"", "; comment", "\n\n\"", "%"] {
        report(&[start.as_bytes(), &noise].concat())?;
    }
    Ok(())
}

/// Nesting beyond the limit is refused, however deep, and nothing overflows.
fn nested(text: fn(usize) -> Vec<u8>) -> Result<(), Failed> {
    for levels in [65, 1_000, 100_000] {
        let report = report(&text(levels))?;
        if !report.contains("more than 64 levels of nesting") {
            return Err(report.into());
        }
    }
    Ok(())
}

/// Checks that the most the parser accepts goes all the way.
fn deepest_accepted() -> Result<(), Failed> {
    let levels = 63;
    let mut text = "func @f(%n: i32) {\n".to_owned();
    for level in 0..levels {
        text.push_str(&format!("for %i{level}=%n,%n {{ barrier.local\n"));
    }
    text.push_str(&"}".repeat(levels + 1));
    compiles(&text)
}

fn compiles(text: &str) -> Result<(), Failed> {
    let fail = |refusal: crate::session::Refusal| Failed::from(refusal.report);
    let mut session = Session::parse("<memory>", text.as_bytes()).map_err(fail)?;
    let printed = session.print();
    if Session::parse("<memory>", printed.as_bytes()).map_err(fail)?.print() != printed {
        return Err("does not read back".into());
    }
    let info = CoreInfo::from_name("pvc").ok_or("no pvc")?;
    let module = session.compile(&info, &Options::default()).map_err(fail)?;
    Ok(validate(&module.words())?)
}

fn long_line() -> Result<(), Failed> {
    let text = format!("func @f() {{ {} ? }}", "barrier ".repeat(1_000_000));
    refused(text.as_bytes(), "<memory>:1.8000014: expected an instruction, found `?`")
}

fn long_name() -> Result<(), Failed> {
    let report = report(format!("func @f() {{ lifetime %{} }}", "n".repeat(5_000_000)).as_bytes())?;
    if !report.contains("unknown word") {
        return Err(report.into());
    }
    let name = "n".repeat(5_000_000);
    self::report(format!("func @f() {{ store %{name}, %{name}[] }}").as_bytes()).map(|_| ())
}

fn large_calculator() -> Result<(), Failed> {
    let sum = format!("1 {}", "1 + ".repeat(100_000));
    compiles(&format!("$n = !calc({sum})\nfunc @f(%a: memref<f32x$n>) {{ }}"))
}

fn many_instructions() -> Result<(), Failed> {
    let mut text = "func @f(%a: memref<i32>, %v0: i32) {\n".to_owned();
    for i in 0..20_000 {
        text.push_str(&format!("%v{} = add %v{i}, %v0 : i32\n", i + 1));
    }
    text.push_str("store %v20000, %a[]\n}\n");
    compiles(&text)
}

/// SPIR-V functions have 255 parameters at most.
fn many_parameters() -> Result<(), Failed> {
    let function = |count: usize| {
        let parameters: Vec<String> = (0..count).map(|i| format!("%p{i}: memref<f32x?>")).collect();
        format!("func @f({}, %x: f32) {{ }}", parameters.join(",\n"))
    };
    compiles(&function(127))?;
    fails_to_compile(&function(128), "the kernel takes 257 arguments")?;
    fails_to_compile(&function(20_000), "the kernel takes 40001 arguments")
}

/// SPIR-V strings end before 65,536 words.
fn long_function_name() -> Result<(), Failed> {
    let function = |length: usize| format!("func @{}() {{ }}", "f".repeat(length));
    compiles(&function(1_000))?;
    fails_to_compile(&function(300_000), "the name of the kernel")?;
    fails_to_compile(&function(5_000_000), "the name of the kernel")
}

/// The compiler refuses the text with a short report that contains a message.
fn fails_to_compile(text: &str, message: &str) -> Result<(), Failed> {
    let mut session = Session::parse("<memory>", text.as_bytes()).map_err(|refusal| refusal.report)?;
    let info = CoreInfo::from_name("pvc").ok_or("no pvc")?;
    match session.compile(&info, &Options::default()) {
        Ok(module) => Err(format!("a module of {} words", module.words().len()).into()),
        Err(refusal) if refusal.report.contains(message) && refusal.report.len() < 20_000 => Ok(()),
        Err(refusal) => Err(refusal.report.into()),
    }
}
