//! SPV_INTEL_subgroup_matrix_multiply_accumulate: every shape and type, against the definition.

use crate::{Module, download, random, upload};
use half::{bf16, f16};
use virtual_xe::{Argument, Memory};

/// Element type of a side.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Side {
    Int(u32, bool),
    F16,
    Bf16,
    Tf32,
}

impl Side {
    fn bits(self) -> u32 {
        match self {
            Side::Int(bits, _) => bits,
            Side::F16 | Side::Bf16 => 16,
            Side::Tf32 => 32,
        }
    }

    /// A small number, exact in every type, and its bits.
    fn element(self, number: u64) -> (f64, u64) {
        let small = (number % 15) as f64 - 7.0;
        match self {
            Side::Int(bits, signed) => {
                let raw = number & ((1 << bits) - 1);
                let value = if signed && raw >> (bits - 1) == 1 {
                    raw as f64 - (1u64 << bits) as f64
                } else {
                    raw as f64
                };
                (value, raw)
            }
            Side::F16 => (small / 4.0, f16::from_f64(small / 4.0).to_bits().into()),
            Side::Bf16 => (small / 4.0, bf16::from_f64(small / 4.0).to_bits().into()),
            Side::Tf32 => (small / 4.0, (small as f32 / 4.0).to_bits().into()),
        }
    }
}

/// The type of C and D in the module, its bytes, and how numbers become bits.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sum {
    I32,
    F32,
    F16,
    Bf16,
}

impl Sum {
    fn ty(self) -> &'static str {
        match self {
            Sum::I32 => "int",
            Sum::F32 => "float",
            Sum::F16 => "half",
            Sum::Bf16 => "short",
        }
    }

    fn bytes(self, value: f64) -> Vec<u8> {
        match self {
            Sum::I32 => (value as i32).to_le_bytes().to_vec(),
            Sum::F32 => (value as f32).to_le_bytes().to_vec(),
            Sum::F16 => f16::from_f64(value).to_le_bytes().to_vec(),
            Sum::Bf16 => bf16::from_f64(value).to_le_bytes().to_vec(),
        }
    }
}

fn vector(ty: &str, count: usize) -> String {
    if count == 1 { ty.to_owned() } else { format!("v{count}{ty}") }
}

/// A kernel in which each lane has its own A, B and C in memory, one after the other.
fn module(lanes: u32, m: usize, k: usize, sides: (Side, Side), sum: Sum, flags: &str) -> Module {
    let (of_a, count_a) = match (lanes, k) {
        (16, 8) => ("int", m.div_ceil(2)),
        (16, _) => ("short", m),
        _ => ("int", m),
    };
    let of_c = sum.ty();
    let mut types = String::new();
    types += "%half = OpTypeFloat 16\n%ptr_half = OpTypePointer CrossWorkgroup %half\n";
    types += &format!("%depth = OpConstant %int {k}\n");
    let mut made = Vec::new();
    for (ty, count) in [(of_a, count_a), ("int", 8), (of_c, m)] {
        let name = vector(ty, count);
        if count > 1 && !made.contains(&name) {
            types += &format!("%{name} = OpTypeVector %{ty} {count}\n");
        }
        if count > 1 && !made.contains(&name) {
            types += &format!("%ptr_{name} = OpTypePointer CrossWorkgroup %{name}\n");
        }
        made.push(name);
    }
    let bytes = |ty: &str| if matches!(ty, "int" | "float") { 4 } else { 2 };
    let mut body = String::new();
    for (name, parameter, ty, count) in [("a", 0, of_a, count_a), ("b", 1, "int", 8), ("c", 2, of_c, m)] {
        let whole = vector(ty, count);
        body += &format!(
            "%{name}_p = OpBitcast %ptr_{whole} %p{parameter}
%{name}_q = OpPtrAccessChain %ptr_{whole} %{name}_p %lane
%{name} = OpLoad %{whole} %{name}_q Aligned {}\n",
            bytes(ty)
        );
    }
    let whole = vector(of_c, m);
    body += &format!(
        "%d = OpSubgroupMatrixMultiplyAccumulateINTEL %{whole} %depth %a %b %c {flags}
%d_p = OpBitcast %ptr_{whole} %p3
%d_q = OpPtrAccessChain %ptr_{whole} %d_p %lane
OpStore %d_q %d Aligned {}\n",
        bytes(of_c)
    );
    let _ = sides;
    Module {
        capabilities: vec!["SubgroupMatrixMultiplyAccumulateINTEL", "Float16"],
        extensions: vec!["SPV_INTEL_subgroup_matrix_multiply_accumulate"],
        subgroup: lanes,
        types,
        parameters: vec!["ptr_char"; 4],
        body,
        ..Module::default()
    }
}

/// Bits of elements that follow each other, the first in the lowest bits.
fn pack(elements: &[u64], bits: u32) -> Vec<u8> {
    let mut bytes = vec![0u8; elements.len() * bits as usize / 8];
    for (place, &element) in elements.iter().enumerate() {
        for bit in 0..bits as usize {
            let at = place * bits as usize + bit;
            bytes[at / 8] |= ((element >> bit & 1) as u8) << (at % 8);
        }
    }
    bytes
}

fn check(device: &str, lanes: usize, m: usize, sides: (Side, Side), sum: Sum, flags: &str) {
    let k = 256 / sides.0.bits() as usize;
    let mut next = random(m as u64 * 7 + k as u64);
    let mut matrix = |rows: usize, columns: usize, side: Side| -> Vec<(f64, u64)> {
        (0..rows * columns).map(|_| side.element(next())).collect()
    };
    let (a, b) = (matrix(m, k, sides.0), matrix(k, lanes, sides.1));
    let c: Vec<f64> = (0..m * lanes).map(|i| (i % 9) as f64 - 4.0).collect();
    // Each lane's share, as the extension deals the elements out.
    let (mut of_a, mut of_b, mut of_c) = (Vec::new(), Vec::new(), Vec::new());
    for lane in 0..lanes {
        if k < lanes {
            for register in 0..m.div_ceil(2) {
                let row = (2 * register + lane / k).min(m - 1);
                of_a.push(a[row * k + lane % k].1);
            }
        } else {
            let each = k / lanes;
            for row in 0..m {
                of_a.extend((0..each).map(|place| a[row * k + lane * each + place].1));
            }
        }
        of_b.extend((0..k).map(|row| b[row * lanes + lane].1));
        of_c.extend((0..m).flat_map(|row| sum.bytes(c[row * lanes + lane])));
    }
    let memory = Memory::new();
    let of_a = upload(&memory, &pack(&of_a, sides.0.bits()), u8::to_le_bytes);
    let of_b = upload(&memory, &pack(&of_b, sides.1.bits()), u8::to_le_bytes);
    let of_d = upload(&memory, &vec![0u8; of_c.len()], u8::to_le_bytes);
    let size = of_c.len();
    let of_c = upload(&memory, &of_c, u8::to_le_bytes);
    let arguments = [of_a, of_b, of_c, of_d].map(Argument::address);
    let reports = module(lanes as u32, m, k, sides, sum, flags).run_on(device, &memory, &arguments);
    assert_eq!(reports, Vec::<String>::new());
    let mut expected = Vec::new();
    for lane in 0..lanes {
        for row in 0..m {
            let products = (0..k).map(|k_| a[row * k + k_].0 * b[k_ * lanes + lane].0);
            expected.extend(sum.bytes(c[row * lanes + lane] + products.sum::<f64>()));
        }
    }
    let given = download(&memory, of_d, size, u8::from_le_bytes);
    assert_eq!(given, expected, "{device}: {m} rows, {sides:?}, {sum:?}");
}

const HALF: &str = "MatrixAPackedFloat16INTEL|MatrixBPackedFloat16INTEL";
const BFLOAT: &str = "MatrixAPackedBFloat16INTEL|MatrixBPackedBFloat16INTEL";
const TF32: &str = "MatrixATF32INTEL|MatrixBTF32INTEL";

fn integers(bits: u32, a: bool, b: bool) -> String {
    let mut flags = format!("MatrixAPackedInt{bits}INTEL|MatrixBPackedInt{bits}INTEL");
    if a {
        flags += "|MatrixASignedComponentsINTEL";
    }
    if b {
        flags += "|MatrixBSignedComponentsINTEL";
    }
    flags
}

/// The devices that have the engine, and the lanes that it works in.
const ENGINES: [(&str, usize); 6] =
    [("pvc", 16), ("bmg", 16), ("lnl", 16), ("ptl", 16), ("generic", 16), ("dg2", 8)];

/// Types of factors and sums where the engine works in so many lanes, and the flags for it.
fn combinations(lanes: usize) -> Vec<((Side, Side), Sum, String)> {
    let mut all: Vec<_> = [(Side::F16, HALF), (Side::Bf16, BFLOAT)]
        .map(|(side, flags)| ((side, side), Sum::F32, flags.to_owned()))
        .into();
    for bits in [4, 8] {
        for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
            let sides = (Side::Int(bits, a), Side::Int(bits, b));
            all.push((sides, Sum::I32, integers(bits, a, b)));
        }
    }
    if lanes == 16 {
        all.push(((Side::Tf32, Side::Tf32), Sum::F32, TF32.to_owned()));
        all.push(((Side::F16, Side::F16), Sum::F16, HALF.to_owned()));
        let flags = format!("{BFLOAT}|MatrixCBFloat16INTEL|MatrixResultBFloat16INTEL");
        all.push(((Side::Bf16, Side::Bf16), Sum::Bf16, flags));
    }
    all
}

#[test]
fn products_are_exact_for_every_shape_and_type_on_every_device() {
    for (device, lanes) in ENGINES {
        for (sides, sum, flags) in combinations(lanes) {
            for m in [1, 2, 4, 8] {
                check(device, lanes, m, sides, sum, &flags);
            }
        }
    }
}

#[test]
fn devices_refuse_what_their_engine_lacks() {
    for (sides, sum, flags) in combinations(16) {
        let k = 256 / sides.0.bits() as usize;
        for m in [1, 2, 4, 8] {
            let wide = module(16, m, k, sides, sum, &flags);
            let narrow = module(8, m, k, sides, sum, &flags);
            for module in [&wide, &narrow] {
                assert_eq!(
                    module.refusal("tgl").unwrap().to_string(),
                    "device tgl does not support capability SubgroupMatrixMultiplyAccumulateINTEL"
                );
            }
            let lanes = |count| format!("the matrix engine does not work in subgroups of {count} lanes");
            assert!(wide.refusal("dg2").unwrap().to_string().ends_with(&lanes(16)));
            assert!(narrow.refusal("generic").unwrap().to_string().ends_with(&lanes(8)));
            for device in ["pvc", "bmg", "lnl", "ptl"] {
                let message = narrow.refusal(device).unwrap().to_string();
                assert!(message.contains(&format!("which device {device} does not have")), "{message}");
            }
            let has_it = combinations(8).iter().any(|(its, of, _)| (*its, *of) == (sides, sum));
            assert_eq!(narrow.refusal("dg2").is_none(), has_it, "{sides:?} {sum:?}");
        }
    }
}

#[test]
fn what_the_engine_lacks_is_refused() {
    let sides = (Side::F16, Side::F16);
    let good = module(16, 8, 16, sides, Sum::F32, HALF);
    assert!(good.refusal("pvc").is_none());
    let refusal = |module: &Module, device: &str| module.refusal(device).unwrap().to_string();
    assert_eq!(
        refusal(&good, "tgl"),
        "device tgl does not support capability SubgroupMatrixMultiplyAccumulateINTEL"
    );
    let name = "OpSubgroupMatrixMultiplyAccumulateINTEL in function %k: ";
    let says = |module: &Module, device: &str, what: &str| {
        let message = refusal(module, device);
        assert!(message.starts_with(name) && message.contains(what), "{message}");
    };
    says(&good, "dg2", "subgroups of 16 lanes");
    says(&module(32, 8, 16, sides, Sum::F32, HALF), "pvc", "subgroups of 32 lanes");
    says(&module(16, 8, 32, sides, Sum::F32, HALF), "pvc", "K is 32 instead of 16");
    says(&module(16, 3, 16, sides, Sum::F32, HALF), "pvc", "3 rows");
    says(&module(16, 16, 16, sides, Sum::F32, HALF), "pvc", "16 rows");
    says(&module(16, 8, 16, sides, Sum::F32, ""), "pvc", "no combination");
    says(&module(16, 8, 16, sides, Sum::I32, HALF), "pvc", "not added up in I32");
    says(&module(8, 8, 16, sides, Sum::F16, HALF), "dg2", "not added up in F16");
    says(&module(8, 8, 8, sides, Sum::F32, TF32), "dg2", "no combination");
    let mut wrong = good;
    wrong.body = wrong.body.replace("%a %b %c", "%b %b %c");
    says(&wrong, "pvc", "A is 8 × I32 instead of 8 × [I16]");
}
