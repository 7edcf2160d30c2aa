//! Properties of every program.

use crate::generate::{Generated, Kind, generate};
use crate::valid::validate;
use std::collections::{BTreeMap, HashMap};
use tiletc::device::{CoreInfo, SpirvFeature};
use tiletc::diagnostics::Sources;
use tiletc::driver::{self, Options};
use tiletc::ir::{FieldValue, Ir, Program, Region, Value};
use tiletc::status::Status;

/// Description of what is wrong with a program.
pub type Wrong = String;

/// Every pass in the order of the pipeline, for a program that is lowered pass by pass.
const PASSES: &[&str] = &[
    "check-ir",
    "tile-order",
    "tile-layout",
    "constant-propagation",
    "dead-code-elimination",
    "foreach-copies",
    "tile-stages",
    "insert-lifetime-stop",
    "set-stack-ptr",
    "insert-barrier",
    "tile-orient",
    "work-group-size",
    "tile-combine",
    "tile-copy",
    "tile-bounds",
    "tile-pipeline",
    "lower-linalg",
    "set-stack-ptr",
    "insert-barrier",
    "lower-foreach",
    "lower-tile",
    "lower-coopmatrix",
    "constant-propagation",
    "dead-code-elimination",
    "split-barriers",
    "tile-padding",
    "check-ir",
];

/// Passes that make versions of code, and fetch ahead: what has been through them looks like any other code, and would
/// go through them again.
const ONCE: [&str; 2] = ["tile-bounds", "tile-pipeline"];

/// The program, which the builder must accept.
pub fn made(numbers: &[u32], kind: Kind) -> Result<Generated, Wrong> {
    generate(numbers, kind).map_err(|error| format!("the builder refuses: {error}"))
}

pub fn parse(text: &str) -> Result<(Ir, Program), Wrong> {
    let mut ir = Ir::default();
    let source = Sources::new().add("random", text.as_bytes());
    let program = driver::parse(&mut ir, source, text.as_bytes())
        .map_err(|error| format!("the parser refuses: {error}\n{text}"))?;
    Ok((ir, program))
}

/// Printing, parsing and printing again gives the same text, and parsing the same program.
pub fn round_trip(numbers: &[u32], kind: Kind) -> Result<(), Wrong> {
    let made = made(numbers, kind)?;
    let text = driver::print(&made.ir, &made.program).to_string();
    let (ir, program) = parse(&text)?;
    let again = driver::print(&ir, &program).to_string();
    if again != text {
        return Err(format!("printed differently after parsing:\n{text}\n{again}"));
    }
    let (before, after) = (made.program.functions[0], program.functions[0]);
    let (before, after) = (&made.ir[before], &ir[after]);
    if before.attributes != after.attributes || before.name != after.name {
        return Err(format!("the function differs after parsing:\n{text}"));
    }
    let mut names = HashMap::new();
    same(&made.ir, before.body, &ir, after.body, &mut names).map_err(|what| format!("{what}:\n{text}"))
}

/// Returns whether two regions are the same; `known` maps the values of one to those of the other.
fn same(a: &Ir, from: Region, b: &Ir, to: Region, known: &mut HashMap<Value, Value>) -> Result<(), Wrong> {
    let mut pair = |x: &[Value], y: &[Value]| -> Result<(), Wrong> {
        let types = |ir: &Ir, values: &[Value]| -> Vec<_> {
            values.iter().map(|&value| (ir.ty(value).clone(), ir[value].name.clone())).collect()
        };
        known.extend(x.iter().copied().zip(y.iter().copied()));
        if types(a, x) == types(b, y) { Ok(()) } else { Err("types or names differ".to_owned()) }
    };
    pair(&a[from].parameters, &b[to].parameters)?;
    if a.insts(from).count() != b.insts(to).count() || a[from].kind != b[to].kind {
        return Err("regions differ".to_owned());
    }
    for (x, y) in a.insts(from).zip(b.insts(to)) {
        let (x, y) = (&a[x], &b[y]);
        let mut op = x.op.clone();
        op.visit_operands_mut(&mut |value| *value = known.get(value).copied().unwrap_or(*value));
        if op != y.op {
            return Err(format!("{:?} became {:?}", x.op, y.op));
        }
        for (&inner_x, &inner_y) in x.regions.iter().zip(&y.regions) {
            same(a, inner_x, b, inner_y, known)?;
        }
        let mut pair = |x: &[Value], y: &[Value]| known.extend(x.iter().copied().zip(y.iter().copied()));
        pair(&x.results, &y.results);
        let types = |ir: &Ir, values: &[Value]| -> Vec<_> {
            values.iter().map(|&value| ir.ty(value).clone()).collect()
        };
        if types(a, &x.results) != types(b, &y.results) {
            return Err("results differ".to_owned());
        }
    }
    Ok(())
}

/// The verifier accepts what the builder accepts.
pub fn verified(numbers: &[u32], kind: Kind) -> Result<(), Wrong> {
    let mut made = made(numbers, kind)?;
    let text = driver::print(&made.ir, &made.program);
    driver::run_pass("check-ir", &mut made.ir, &made.program, None, &Options::default())
        .map_err(|error| format!("check-ir refuses: {error}\n{text}"))?;
    Ok(())
}

/// A pass applied twice does what it does once, and what it leaves is a program.
pub fn idempotent(numbers: &[u32], kind: Kind) -> Result<(), Wrong> {
    let mut made = made(numbers, kind)?;
    let (info, options) = (CoreInfo::from_name("pvc"), Options::default());
    let original = driver::print(&made.ir, &made.program);
    for pass in PASSES {
        let mut run = || -> Result<Option<String>, Wrong> {
            match driver::run_pass(pass, &mut made.ir, &made.program, info.as_ref(), &options) {
                Ok(_) => Ok(Some(driver::print(&made.ir, &made.program).to_string())),
                Err(error) if may_refuse(error.status(), &error.to_string(), kind) => Ok(None),
                Err(error) => Err(format!("{pass}: {error}\n{original}")),
            }
        };
        let Some(once) = run()? else { return Ok(()) };
        if !ONCE.contains(pass) {
            let Some(twice) = run()? else {
                return Err(format!("{pass} refuses the second time\n{original}"));
            };
            if once != twice {
                return Err(format!("{pass} is not idempotent:\n{original}\nonce:\n{once}\ntwice:\n{twice}"));
            }
        }
        let readable = without_marks(&once);
        let (mut ir, program) = parse(&readable).map_err(|error| format!("after {pass}: {error}"))?;
        if driver::print(&ir, &program) != readable {
            return Err(format!("printed differently after {pass}:\n{readable}"));
        }
        driver::run_pass("check-ir", &mut ir, &program, None, &options)
            .map_err(|error| format!("after {pass}, check-ir refuses: {error}\n{readable}"))?;
    }
    Ok(())
}

/// A text without what has no token: `lifetime_stop`, and the comment that tells where an allocation is.
fn without_marks(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("lifetime_stop"));
    lines.map(|line| format!("{}\n", line.split(" ; stack_ptr").next().unwrap_or(line))).collect()
}

/// Notes the words that the program's instructions start with.
pub fn note_mnemonics(
    numbers: &[u32],
    kind: Kind,
    seen: &mut BTreeMap<&'static str, usize>,
) -> Result<(), Wrong> {
    let made = made(numbers, kind)?;
    made.ir.walk(made.ir[made.program.functions[0]].body, &mut |inst| {
        let op = &made.ir[inst].op;
        let word = match op.fields().first() {
            Some(FieldValue::Word(word)) if op.info().spelling.is_empty() => op.info().mnemonics()[*word],
            _ => op.info().spelling,
        };
        *seen.entry(word).or_default() += 1;
    });
    Ok(())
}

/// Tells whether the compiler may refuse a well-typed program: a device lacks a feature or memory, or, where
/// the program was made without regard to it, what shows only when it is lowered.
fn may_refuse(status: Status, message: &str, kind: Kind) -> bool {
    match status {
        Status::SpirvRequiredFeatureUnavailable => true,
        Status::OutOfRange => message.contains("local memory"),
        Status::SpirvUnsupportedAtomicDataType
        | Status::IrUnsupportedCoopmatrixShape
        | Status::IrOutOfBounds
        | Status::IrDivisionByZero => kind == Kind::Any,
        _ => false,
    }
}

/// The devices that programs are compiled for.
pub fn devices() -> Vec<(&'static str, CoreInfo)> {
    let mut devices: Vec<(&str, CoreInfo)> = ["pvc", "bmg", "dg2", "tgl"]
        .into_iter()
        .filter_map(|name| Some((name, CoreInfo::from_name(name)?)))
        .collect();
    devices.push(("a CPU", cpu()));
    devices
}

/// A CPU as OpenCL describes it.
pub fn cpu() -> CoreInfo {
    let mut cpu = CoreInfo::cpu(2048, 8192, &[4, 8, 16, 32, 64]);
    for &feature in SpirvFeature::ALL.iter().take(SpirvFeature::STANDARD_COUNT) {
        cpu.set(feature, true);
    }
    cpu
}

/// Every device either gets a valid module or a reason why not.
pub fn compiled(numbers: &[u32], kind: Kind) -> Result<(), Wrong> {
    devices().iter().try_for_each(|(name, info)| {
        [0, 2].into_iter().try_for_each(|level| compiled_for(name, info, level, numbers, kind))
    })
}

/// One device either gets a valid module or a reason why not.
pub fn compiled_for(
    name: &str,
    info: &CoreInfo,
    level: i32,
    numbers: &[u32],
    kind: Kind,
) -> Result<(), Wrong> {
    let mut made = made(numbers, kind)?;
    let text = driver::print(&made.ir, &made.program);
    let options = Options { level, ..Options::default() };
    match driver::compile(&mut made.ir, &made.program, info, &options) {
        Ok(module) => {
            validate(&module).map_err(|error| format!("{name}, -O{level}: spirv-val: {error}\n{text}"))
        }
        Err(error) if may_refuse(error.status(), &error.to_string(), kind) => Ok(()),
        Err(error) => Err(format!("{name}, -O{level}: {error} ({:?})\n{text}", error.status())),
    }
}
