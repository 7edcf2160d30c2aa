//! Measurements: what memory and arithmetic give at most, and how near kernels come to that.

// Running a kernel is unsafe by nature, see `Bench::time`.
#![allow(unsafe_code)]

use crate::common::Failure;
use crate::launch::failed;
use crate::table::table;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tiletc::device::CoreInfo;
use tiletc::diagnostics::Sources;
use tiletc::driver::{self, Options};
use tiletc::ir::Ir;
use tiletc::runtime::{Argument, Binary, Bundle as _, Memory, ProfileOf, Session, Timestamps};
use tiletc::status::Status;

/// Finds the time of a launch in what a device tells of it.
pub type Clock<S> = fn(&ProfileOf<S>) -> Option<Duration>;

/// The time between the timestamps.
pub fn time(profile: &Option<Timestamps>) -> Option<Duration> {
    profile.map(Timestamps::duration)
}

/// Launches of which the fastest counts.
const LAUNCHES: usize = 5;

/// A kernel with memory full of zeros.
struct Bench<'a> {
    name: &'a str,
    text: String,
    groups: u32,
    /// Bytes of each parameter.
    memory: Vec<usize>,
    /// Numbers behind them, of type `index`.
    numbers: Vec<i64>,
    /// Bytes that have to be moved, and operations, of numbers of the vector unit or of the engine.
    bytes: f64,
    operations: f64,
    on_engine: bool,
}

impl Bench<'_> {
    /// The shortest time of some launches.
    fn time<S: Session>(&self, session: &S, info: &CoreInfo, clock: Clock<S>) -> Result<Duration, Failure> {
        let (mut ir, mut sources) = (Ir::default(), Sources::new());
        let refused =
            |error: driver::Error| Failure::Failed(error.status(), format!("{}: {error}", self.name));
        let source = sources.add(self.name, self.text.as_bytes());
        let program = driver::parse(&mut ir, source, self.text.as_bytes()).map_err(refused)?;
        let module = driver::compile(&mut ir, &program, info, &Options::default()).map_err(refused)?;
        let bundle = session.build(&Binary::from(&module)).map_err(failed)?;
        let mut kernel = Arc::new(bundle).kernel("main").map_err(failed)?;
        let memory = self.memory.iter().map(|&bytes| session.memory(&vec![0u8; bytes]));
        let memory: Vec<Memory<u8>> = memory.collect::<Result<_, _>>().map_err(failed)?;
        let numbers = self.numbers.iter().map(|&number| Argument::from(number));
        let arguments: Vec<Argument<'_>> = memory.iter().map(Argument::from).chain(numbers).collect();
        let mut best: Option<Duration> = None;
        for _ in 0..LAUNCHES {
            // SAFETY: the kernel was built for the session, and accesses its parameters only within their bounds, which
            // are the sizes of the memory here.
            let profile =
                unsafe { session.run(&mut kernel, [self.groups, 1, 1], &arguments) }.map_err(failed)?;
            let time = clock(&profile).filter(|time| !time.is_zero());
            best = best.into_iter().chain(time).min();
        }
        best.ok_or_else(|| Failure::Failed(Status::ComputeRuntimeError, "the device has no clock".to_owned()))
    }
}

/// Bytes that a copy reads.
const COPIED: usize = 128 << 20;

fn copy() -> Bench<'static> {
    const ROWS: usize = 4096;
    let columns = COPIED / 4 / ROWS;
    Bench {
        name: "copy",
        text: format!(
            "func @main(%x: memref<f32x{ROWS}x{columns}>, %y: memref<f32x{ROWS}x{columns}>) {{
    %g = group_id.x : index
    %from = subview %x[0:{ROWS},%g] : memref<f32x{ROWS}>
    %to = subview %y[0:{ROWS},%g] : memref<f32x{ROWS}>
    axpby 1.0, %from, 0.0, %to
}}
"
        ),
        groups: u32::try_from(columns).unwrap_or(u32::MAX),
        memory: vec![COPIED; 2],
        numbers: Vec::new(),
        bytes: 2.0 * COPIED as f64,
        operations: 0.0,
        on_engine: false,
    }
}

/// Products of matrices in registers: on the engine if it takes the type, else multiply-adds of as many sums as a
/// work-item needs so that none waits for another.
fn registers(factor: &'static str, bytes: usize, lanes: usize, groups: u32, rounds: usize) -> Bench<'static> {
    let is_narrow = bytes < 4;
    let (m, n, k) = if is_narrow { (2 * lanes, 16, 16) } else { (lanes, 12, 1) };
    const SUBGROUPS: usize = 8;
    Bench {
        name: if is_narrow { "engine bf16" } else { "multiply-adds f32" },
        text: format!(
            "func @main(%A: memref<{factor}x64x{k}>, %B: memref<{factor}x64x{n}>, %D: memref<f32x64x{n}>, %n: index)
    attributes{{subgroup_size={lanes}, work_group_size=[{},1]}} {{
  parallel {{
    %a = cooperative_matrix_load %A[0,0] : coopmatrix<{factor}x{m}x{k},matrix_a>
    %b = cooperative_matrix_load %B[0,0] : coopmatrix<{factor}x{k}x{n},matrix_b>
    %zero = constant 0.0 : coopmatrix<f32x{m}x{n},matrix_acc>
    %d = for %k=0,%n init(%c=%zero) -> (coopmatrix<f32x{m}x{n},matrix_acc>) {{
        %e = cooperative_matrix_mul_add %a, %b, %c : coopmatrix<f32x{m}x{n},matrix_acc>
        yield (%e)
    }}
    cooperative_matrix_store %d, %D[0,0]
  }}
}}
",
            SUBGROUPS * lanes
        ),
        groups,
        memory: vec![bytes * 64 * k, bytes * 64 * n, 4 * 64 * n],
        numbers: vec![i64::try_from(rounds).unwrap_or(0)],
        bytes: 0.0,
        operations: 2.0 * (m * n * k * rounds * SUBGROUPS) as f64 * f64::from(groups),
        on_engine: is_narrow,
    }
}

/// Two products of each element of a mesh, one after the other in local memory.
fn chain(elements: usize) -> Bench<'static> {
    let (rows, columns) = (56, 9);
    Bench {
        name: "fused chain f32",
        text: format!(
            "func @main(%K: memref<f32x{rows}x{rows}>, %P: memref<f32x{rows}x{columns}x{elements}>,
    %A: memref<f32x{columns}x{columns}x{elements}>, %Q: memref<f32x{rows}x{columns}x{elements}>) {{
    %g = group_id.x : index
    %p = subview %P[0:{rows},0:{columns},%g] : memref<f32x{rows}x{columns}>
    %a = subview %A[0:{columns},0:{columns},%g] : memref<f32x{columns}x{columns}>
    %q = subview %Q[0:{rows},0:{columns},%g] : memref<f32x{rows}x{columns}>
    %t = alloca : memref<f32x{rows}x{columns},local>
    gemm 1.0, %K, %p, 0.0, %t
    gemm 1.0, %t, %a, 1.0, %q
}}
"
        ),
        groups: u32::try_from(elements).unwrap_or(u32::MAX),
        memory: [
            rows * rows,
            rows * columns * elements,
            columns * columns * elements,
            rows * columns * elements,
        ]
        .map(|numbers| 4 * numbers)
        .into(),
        numbers: Vec::new(),
        bytes: 4.0 * (elements * (3 * rows * columns + columns * columns)) as f64,
        operations: 2.0 * (elements * rows * columns * (rows + columns)) as f64,
        on_engine: false,
    }
}

/// A large product in tiles.
fn product(name: &'static str, factor: &str, bytes: usize, size: usize, on_engine: bool) -> Bench<'static> {
    let tiles = size / 64;
    Bench {
        name,
        text: format!(
            "func @main(%A: memref<{factor}x{size}x{size}>, %B: memref<{factor}x{size}x{size}>, %C: memref<f32x{size}x{size}>) {{
    %ti, %tj = tile_order.grouped {tiles}, {tiles} {{group=4}}
    %i = mul %ti, 64  %j = mul %tj, 64
    %sum = for %k=0,{size},32 init(%s=0.0) -> (tile<f32x64x64,matrix_acc>) {{
        %a = tile_load %A[%i,%k] : 64 x 32
        %b = tile_load %B[%k,%j] : 32 x 64
        %t = tile_dot %a, %b, %s
        yield (%t)
    }} attributes{{num_stages=3}}
    tile_store %sum, %C[%i,%j]
}}
"
        ),
        groups: u32::try_from(tiles * tiles).unwrap_or(u32::MAX),
        memory: vec![bytes * size * size, bytes * size * size, 4 * size * size],
        numbers: Vec::new(),
        bytes: ((2 * bytes + 4) * size * size) as f64,
        operations: 2.0 * (size as f64).powi(3),
        on_engine,
    }
}

/// Many small products.
fn batch(elements: usize) -> Bench<'static> {
    let (m, n, k) = (32, 16, 16);
    Bench {
        name: "small products f32",
        text: format!(
            "func @main(%A: memref<f32x{m}x{k}x{elements}>, %B: memref<f32x{k}x{n}>, %C: memref<f32x{m}x{n}x{elements}>) {{
    %g = group_id.x : index
    %a = subview %A[0:{m},0:{k},%g] : memref<f32x{m}x{k}>
    %c = subview %C[0:{m},0:{n},%g] : memref<f32x{m}x{n}>
    gemm 1.0, %a, %B, 0.0, %c
}}
"
        ),
        groups: u32::try_from(elements).unwrap_or(u32::MAX),
        memory: [m * k * elements, k * n, m * n * elements].map(|numbers| 4 * numbers).into(),
        numbers: Vec::new(),
        bytes: 4.0 * (elements * m * (n + k)) as f64,
        operations: 2.0 * (m * n * k * elements) as f64,
        on_engine: false,
    }
}

/// Takes all measurements: first the rates of memory and arithmetic, then kernels beside the time that these rates allow.
pub fn all<S: Session>(
    session: &S,
    info: &CoreInfo,
    clock: Clock<S>,
    mut each: impl FnMut(Value) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let is_small = info.is_cpu();
    let (groups, rounds) = if is_small { (64, 1 << 12) } else { (2048, 1 << 14) };
    let seconds = |bench: &Bench<'_>| bench.time(session, info, clock).map(|time| time.as_secs_f64());
    let copy = copy();
    let bandwidth = copy.bytes / seconds(&copy)?;
    each(json!({ "name": copy.name, "value": bandwidth / 1e9, "unit": "GB/s" }))?;
    let lanes = super::cases::lanes(info);
    let vector = registers("f32", 4, lanes, groups, rounds);
    let vector_rate = vector.operations / seconds(&vector)?;
    each(json!({ "name": vector.name, "value": vector_rate / 1e12, "unit": "TFLOP/s" }))?;
    let mut engine_rate = None;
    if info.dpas_engine().is_some() {
        let engine = registers("bf16", 2, lanes, groups, rounds / 4);
        let rate = engine.operations / seconds(&engine)?;
        each(json!({ "name": engine.name, "value": rate / 1e12, "unit": "TFLOP/s" }))?;
        engine_rate = Some(rate);
    }
    let (elements, size) = if is_small { (1 << 13, 512) } else { (1 << 16, 2048) };
    let benches = [
        chain(elements),
        product("product f32", "f32", 4, size, false),
        product("product bf16", "bf16", 2, size, engine_rate.is_some()),
        batch(elements),
    ];
    for bench in benches {
        let rate = engine_rate.filter(|_| bench.on_engine).unwrap_or(vector_rate);
        let estimate = (bench.bytes / bandwidth).max(bench.operations / rate);
        let took = seconds(&bench)?;
        each(json!({ "name": bench.name, "value": took * 1e3, "unit": "ms", "estimate": estimate * 1e3 }))?;
    }
    Ok(())
}

/// The measurements as a table.
pub fn text(measured: &[Value]) -> String {
    if measured.is_empty() {
        return String::new();
    }
    let rows = measured.iter().map(|value| {
        let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let number = |name: &str| {
            value.get(name).and_then(Value::as_f64).map_or_else(String::new, |number| format!("{number:.3}"))
        };
        vec![text("name"), number("value"), text("unit"), number("estimate"), text("error")]
    });
    format!("\n{}", table(&["measured", "value", "unit", "estimate", ""], rows, &[1, 3]))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn module(bench: &Bench<'_>, device: &str) -> String {
        let (mut ir, mut sources) = (Ir::default(), Sources::new());
        let source = sources.add(bench.name, bench.text.as_bytes());
        let program = driver::parse(&mut ir, source, bench.text.as_bytes()).unwrap();
        let info = CoreInfo::from_name(device).unwrap();
        driver::compile(&mut ir, &program, &info, &Options::default()).unwrap().disassemble()
    }

    #[test]
    fn every_device_has_the_kernels() {
        const DPAS: &str = "OpSubgroupMatrixMultiplyAccumulateINTEL";
        for (device, lanes) in [("pvc", 16), ("bmg", 16), ("dg2", 8), ("tgl", 16)] {
            let vector = module(&registers("f32", 4, lanes, 1, 1), device);
            assert!(!vector.contains(DPAS), "{device}");
            let engine = module(&registers("bf16", 2, lanes, 1, 1), device);
            assert_eq!(engine.contains(DPAS), device != "tgl", "{device}");
            for bench in [copy(), chain(16), product("product", "bf16", 2, 128, true), batch(16)] {
                module(&bench, device);
            }
        }
    }

    #[test]
    fn measurements_are_shown_beside_estimates() {
        let measured = [
            json!({ "name": "copy", "value": 1.0, "unit": "GB/s" }),
            json!({ "name": "chain", "value": 2.5, "unit": "ms", "estimate": 2.0 }),
        ];
        let text = text(&measured);
        let chain = text.lines().last().unwrap();
        assert_eq!(chain.split_whitespace().collect::<Vec<_>>(), ["chain", "2.500", "ms", "2.000"]);
        assert_eq!(super::text(&[]), "");
    }
}
