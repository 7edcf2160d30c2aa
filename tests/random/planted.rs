//! Faults of a compiler, planted: programs that are run in the place of others, a little wrong. The bounds have to
//! find each of them, and nothing in the programs themselves.

use crate::device::{Device, Stop};
use crate::generate::{Generated, Kind, Parameter};
use crate::properties::parse;
use crate::run::{check, expected, results};
use crate::scope::Mem;
use libtest_mimic::Failed;
use tiletc::ir::Type;

/// Faults: the description, the function, and what in it is replaced by what.
const FAULTS: &[(&str, &str, &str, &str)] = &[
    ("a term of a product left out", GEMM, "%A, %B, %one, %C", "%A1, %B1, %one, %C"),
    ("a product in half precision", GEMM, "%one, %A, %B, %one, %C", "%half, %A2, %B2, %one, %C"),
    ("what was there before left out", GEMM, "%A, %B, %one, %C", "%A, %B, %zero, %C"),
    (
        "a result rounded to half precision",
        ELEMENTS,
        "%r = add %p, %z : f32",
        "%h = add %p, %z : f32 %s = cast %h : f16 %r = cast %s : f32",
    ),
    (
        "a product rounded to half precision",
        ELEMENTS,
        "%p = mul %x, %y : f32",
        "%h = mul %x, %y : f32 %s = cast %h : f16 %p = cast %s : f32",
    ),
    ("a summand left out", ELEMENTS, "%r = add %p, %z : f32", "%r = mul %p, %w : f32"),
    (
        "a factor off by four units",
        ELEMENTS,
        "%p = mul %x, %y : f32",
        "%e = constant 1.0000005 : f32 %h = mul %x, %e : f32 %p = mul %h, %y : f32",
    ),
    (
        "a double in single precision",
        DOUBLES,
        "%r = mul %x, %x : f64",
        "%s = cast %x : f32 %t = mul %s, %s : f32 %r = cast %t : f64",
    ),
    (
        "an exponential in half precision",
        FUNCTIONS,
        "%r = exp %x : f32",
        "%s = cast %x : f16 %t = exp %s : f16 %r = cast %t : f32",
    ),
    ("another function", FUNCTIONS, "%r = exp %x : f32", "%r = exp2 %x : f32"),
    (
        "half precision with the digits of bf16",
        HALVES,
        "%r = add %x, %x : f16",
        "%h = add %x, %x : f16 %t = cast %h : bf16 %r = cast %t : f16",
    ),
    ("a conjugate", COMPLEX, "%r = mul %x, %x : c32", "%c = conj %x : c32 %r = mul %x, %c : c32"),
    ("a quotient that is none", COMPLEX, "%r = mul %x, %x : c32", "%r = div %x, %x : c32"),
    ("a row too few", SUM, "%A, %zero, %C", "%A1, %zero, %C"),
    ("a step along K left out", TILES, "%depth = constant 40", "%depth = constant 32"),
    ("a row that a mask leaves out", TILES, "less_than %r", "less_than_equal %r"),
    ("a tile one column further", TILES, "%at = constant 0", "%at = constant 1"),
    ("a sum that does not run", CUMSUM, "cumsum %one, %A, 1, %zero, %C", "axpby %one, %A, %zero, %C"),
];

const GEMM: &str = "func @f(%A: memref<f32x17x40>, %B: memref<f32x40x9>, %C: memref<f32x17x9>) {
    %one = constant 1.0 : f32
    %zero = constant 0.0 : f32
    %A1 = subview %A[0:17,0:39] : memref<f32x17x39>
    %B1 = subview %B[0:39,0:9] : memref<f32x39x9,strided<1,40>>
    %A2 = alloca : memref<f16x17x40,local>
    %B2 = alloca : memref<f16x40x9,local>
    %from = constant 0 : index
    %m = constant 17 : index
    %n = constant 9 : index
    %k = constant 40 : index
    foreach (%i,%j)=(%from,%from),(%m,%k) {
        %a = load %A[%i,%j] : f32
        %b = cast %a : f16
        store %b, %A2[%i,%j]
    }
    foreach (%i,%j)=(%from,%from),(%k,%n) {
        %a = load %B[%i,%j] : f32
        %b = cast %a : f16
        store %b, %B2[%i,%j]
    }
    %half = constant 1.0 : f16
    gemm %one, %A, %B, %one, %C
}";

/// Each element of memory on its own.
macro_rules! elements {
    ($ty:literal, $body:literal) => {
        concat!(
            "func @f(%A: memref<",
            $ty,
            "x100>, %B: memref<",
            $ty,
            "x100>, %C: memref<",
            $ty,
            "x100>) {
    %from = constant 0 : index
    %to = constant 100 : index
    foreach (%i)=(%from),(%to) {
        %x = load %A[%i] : ",
            $ty,
            "
        ",
            $body,
            "
        store %r, %C[%i]
    }
}"
        )
    };
}

const ELEMENTS: &str = elements!(
    "f32",
    "%y = load %B[%i] : f32 %z = load %C[%i] : f32 %w = constant 1.0 : f32
        %p = mul %x, %y : f32
        %r = add %p, %z : f32"
);
const DOUBLES: &str = elements!("f64", "%r = mul %x, %x : f64");
const HALVES: &str = elements!("f16", "%r = add %x, %x : f16");
const COMPLEX: &str = elements!("c32", "%r = mul %x, %x : c32");
const FUNCTIONS: &str = elements!("f32", "%r = exp %x : f32");

const TILES: &str = "func @f(%A: memref<f32x17x40>, %B: memref<f32x40x9>, %C: memref<f32x17x9>) {
    %o = constant 0 : index
    %at = constant 0 : index
    %depth = constant 40 : index
    %step = constant 16 : index
    %zero = constant 0.0 : tile<f32x32x16,matrix_acc>
    %sum = for %k=%o,%depth,%step init(%s=%zero) -> (tile<f32x32x16,matrix_acc>) {
        %a = tile_load %A[%o,%k] mask (%r,%c) {
            %is = less_than %r, %step : bool
            yield (%is)
        } : tile<f32x32x16,matrix_a>
        %b = tile_load %B[%k,%o] : tile<f32x16x16,matrix_b>
        %t = tile_dot %a, %b, %s : tile<f32x32x16,matrix_acc>
        yield (%t)
    }
    tile_store %sum, %C[%o,%at]
}";
const SUM: &str = "func @f(%A: memref<f32x17x40>, %C: memref<f32x17>) {
    %one = constant 1.0 : f32
    %zero = constant 0.0 : f32
    %A1 = subview %A[0:17,0:39] : memref<f32x17x39>
    sum %one, %A, %zero, %C
}";
const CUMSUM: &str = "func @f(%A: memref<f32x17x40>, %C: memref<f32x17x40>) {
    %one = constant 1.0 : f32
    %zero = constant 0.0 : f32
    cumsum %one, %A, 1, %zero, %C
}";

/// A program whose parameters are memory of known sizes.
fn read(text: &str) -> Result<Generated, Failed> {
    let (ir, program) = parse(text)?;
    let body = ir[program.functions[0]].body;
    let mut parameters = Vec::new();
    for (root, &value) in ir[body].parameters.iter().enumerate() {
        let Type::Memref(ty) = ir.ty(value) else { return Err("not memory".into()) };
        let known =
            |extents: &[tiletc::ir::Extent]| extents.iter().filter_map(|extent| extent.value()).collect();
        let (shape, stride) = (known(&ty.shape), known(&ty.stride));
        parameters.push(Parameter::Memref(Mem { value, ty: (**ty).clone(), shape, stride, root }));
    }
    Ok(Generated { ir, program, parameters, groups: [1; 3] })
}

/// Every fault is found.
pub fn faults_are_found(device: &Device) -> Result<(), Failed> {
    for (what, text, right, wrong) in FAULTS {
        let made = read(text)?;
        let expected = expected(&made, Kind::Rounded).map_err(|why| format!("{what}: given up: {why}"))?;
        if let Some(unknown) = expected.iter().flatten().find(|number| !number.is_known()) {
            return Err(format!("{what}: {unknown} says nothing").into());
        }
        let run = |text: &str| {
            results(device, text, 2, &made, Kind::Rounded).map_err(|stop| match stop {
                Stop::Skip(reason) => reason,
                Stop::Fail(message) => message,
            })
        };
        check(&expected, &run(text)?).map_err(|message| format!("{what}, not planted: {message}"))?;
        let planted = text.replace(right, wrong);
        if planted == *text {
            return Err(format!("{what}: not planted").into());
        }
        if check(&expected, &run(&planted)?).is_ok() {
            return Err(format!("{what}: not found").into());
        }
    }
    Ok(())
}
