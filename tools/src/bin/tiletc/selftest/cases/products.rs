//! Products of cooperative matrices, and of matrices of 256 registers.

use super::lanes;
use crate::selftest::case::{Buffer, Case, Evidence};
use crate::selftest::element::{Element, integers};
use tiletc::device::CoreInfo;
use tiletc::ir::Scalar;

const DPAS: Evidence = Evidence::Instruction("OpSubgroupMatrixMultiplyAccumulateINTEL");

/// Rows of every matrix in memory, of which 2D block messages take all types.
const ROWS: usize = 64;

/// D = A·B + C of one subgroup.
#[derive(Clone, Copy)]
struct Product {
    lanes: usize,
    /// Type of A and B, and of C and D.
    types: (Element, Element),
    m: usize,
    n: usize,
    k: usize,
    /// True if A or B lies transposed in memory.
    transposed: (bool, bool),
    attributes: &'static str,
    /// Row of the memory that A begins in; rows beyond its end count as zeros.
    from: usize,
    /// Row from which on parts of A are fetched ahead.
    ahead: Option<usize>,
    evidence: Evidence,
}

impl Product {
    /// A product of plain layouts with as many rows as lanes and eight columns.
    fn new(lanes: usize, types: (Element, Element), k: usize, evidence: Evidence) -> Product {
        let (transposed, attributes, from, ahead) = ((false, false), "", 0, None);
        Product { lanes, types, m: lanes, n: 8, k, transposed, attributes, from, ahead, evidence }
    }

    /// The product with factors and addend in memory.
    fn case(self, [a, b, c]: [&[f64]; 3]) -> Case {
        let Product { lanes, types: (ab, cd), m, n, k, transposed: (ta, tb), .. } = self;
        let Product { attributes, from, ahead, evidence, .. } = self;
        let (of_ab, of_cd) = (ab.spelling(), cd.spelling());
        let letter = |transposed| if transposed { "t" } else { "n" };
        let (at, bt) = (letter(ta), letter(tb));
        let columns = |transposed: bool, columns: usize, rows: usize| if transposed { rows } else { columns };
        let (of_a, of_b) = (columns(ta, k, m), columns(tb, n, k));
        let ahead =
            ahead.map(|row| format!("cooperative_matrix_prefetch 0, %A[{row},0], {m}, {k}\n        "));
        let ahead = ahead.unwrap_or_default();
        let check = if from > 0 { ".rows_checked" } else { "" };
        let text = format!(
            "func @main(%A: memref<{of_ab}x{ROWS}x{of_a}>, %B: memref<{of_ab}x{ROWS}x{of_b}>,
           %C: memref<{of_cd}x{ROWS}x{n}>, %D: memref<{of_cd}x{ROWS}x{n}>)
          attributes{{subgroup_size={lanes}, work_group_size=[{lanes},1]{attributes}}} {{
    parallel {{
        {ahead}%a = cooperative_matrix_load.{at}{check} %A[{from},0] : coopmatrix<{of_ab}x{m}x{k},matrix_a>
        %b = cooperative_matrix_load.{bt} %B[0,0] : coopmatrix<{of_ab}x{k}x{n},matrix_b>
        %c = cooperative_matrix_load %C[0,0] : coopmatrix<{of_cd}x{m}x{n},matrix_acc>
        %d = cooperative_matrix_mul_add %a, %b, %c : coopmatrix<{of_cd}x{m}x{n},matrix_acc>
        cooperative_matrix_store %d, %D[0,0]
    }}
}}
"
        );
        let mut d = vec![0.0; ROWS * n];
        for column in 0..n {
            for row in 0..m {
                let is_there = from + row < ROWS;
                let of_a = |l| if is_there { number(a, m, (row, l)) } else { 0.0 };
                let products = (0..k).map(|l| of_a(l) * number(b, k, (l, column)));
                let sum: f64 = products.sum();
                set(&mut d, ROWS, (row, column), sum + number(c, m, (row, column)));
            }
        }
        let edge = if from > 0 { format!(", A from row {from}") } else { String::new() };
        let name = format!("{of_ab} to {of_cd}, {m}x{n}x{k}, {at}{bt}{edge}");
        Case {
            name,
            text,
            groups: [1; 3],
            arguments: vec![
                Buffer::input(ab, &placed(a, (m, k), ta, from)).into(),
                Buffer::input(ab, &placed(b, (k, n), tb, 0)).into(),
                Buffer::input(cd, &placed(c, (m, n), false, 0)).into(),
                Buffer::output(cd, &vec![0.0; ROWS * n], &d).into(),
            ],
            evidence,
        }
    }

    /// The product of small integers, whose sums every type holds.
    fn of_integers(self) -> Case {
        let Product { m, n, k, types: (_, cd), .. } = self;
        // Sums of bf16 have eight bits, and those of f16 eleven, however they are added up.
        let limit = match cd {
            Element::Bf16 => 2,
            Element::F16 => 5,
            Element::I8 | Element::I32 | Element::I64 | Element::F32 | Element::F64 => 8,
        };
        // One more than bf16 holds shows sums that are rounded on the way.
        let shift = if cd == Element::F32 { 256.0 } else { 0.0 };
        let c: Vec<f64> = integers(m * n, limit, 3).into_iter().map(|number| number + shift).collect();
        self.case([&integers(m * k, limit, 1), &integers(k * n, limit, 2), &c])
    }
}

/// A number of a matrix that lies column by column.
fn number(matrix: &[f64], rows: usize, (row, column): (usize, usize)) -> f64 {
    matrix.get(row + column * rows).copied().unwrap_or(0.0)
}

fn set(matrix: &mut [f64], rows: usize, (row, column): (usize, usize), value: f64) {
    if let Some(place) = matrix.get_mut(row + column * rows) {
        *place = value;
    }
}

/// The matrix from a row on, or its transpose, as a part of one with more rows; rows beyond its end are left out.
fn placed(matrix: &[f64], (rows, columns): (usize, usize), transposed: bool, from: usize) -> Vec<f64> {
    let mut memory = vec![7.0; ROWS * if transposed { rows } else { columns }];
    for column in 0..columns {
        for row in 0..rows {
            let at = if transposed { (column, row) } else { (from + row, column) };
            if at.0 >= ROWS {
                continue;
            }
            set(&mut memory, ROWS, at, number(matrix, rows, (row, column)));
        }
    }
    memory
}

/// Types of the engine, with the columns of A that an instruction takes.
fn types(info: &CoreInfo) -> Vec<((Element, Element), usize)> {
    let all = [
        ((Element::F16, Element::F32), (Scalar::F16, Scalar::F32)),
        ((Element::F16, Element::F16), (Scalar::F16, Scalar::F16)),
        ((Element::Bf16, Element::F32), (Scalar::Bf16, Scalar::F32)),
        ((Element::Bf16, Element::Bf16), (Scalar::Bf16, Scalar::Bf16)),
        ((Element::I8, Element::I32), (Scalar::I8, Scalar::I32)),
    ];
    let depth = |(factor, sum)| {
        let engine = info.dpas_engine()?;
        engine.step_k(factor, factor, sum).and_then(|k| usize::try_from(k).ok())
    };
    all.into_iter().filter_map(|(types, scalars)| Some((types, depth(scalars)?))).collect()
}

/// Every type of the engine with every repeat count and layout; what is in memory comes without block messages.
pub fn engine(info: &CoreInfo) -> Vec<Case> {
    let lanes = lanes(info);
    let mut cases = Vec::new();
    for (types, k) in types(info) {
        let product = Product { attributes: ", io_class=\"lanes\"", ..Product::new(lanes, types, k, DPAS) };
        for n in [1, 2, 4, 8, 12, 16, 32] {
            cases.push(Product { n, ..product }.of_integers());
        }
        for transposed in [(false, true), (true, false), (true, true)] {
            cases.push(Product { transposed, ..product }.of_integers());
        }
        cases.push(Product { m: 2 * lanes, ..product }.of_integers());
        // Sums in the precision of the factors are not exact any more after two steps.
        if types.0 != types.1 {
            cases.push(Product { k: 2 * k, ..product }.of_integers());
        }
    }
    cases
}

/// The engine through cooperative matrices of SPIR-V.
pub fn joint_matrix(info: &CoreInfo) -> Vec<Case> {
    let lanes = info.matrix_engine().map_or(16, |engine| engine.subgroup_size());
    let lanes = usize::try_from(lanes).unwrap_or(16);
    let types = [
        ((Element::Bf16, Element::F32), 32),
        ((Element::I8, Element::I32), 64),
        ((Element::F16, Element::F32), 32),
    ];
    let mut cases = Vec::new();
    for (types, k) in types {
        for n in [8, 16, 32] {
            cases.push(
                Product {
                    lanes,
                    types,
                    m: 2 * lanes,
                    n,
                    k,
                    transposed: (false, false),
                    attributes: "",
                    from: 0,
                    ahead: None,
                    evidence: Evidence::Instruction("OpCooperativeMatrixMulAddKHR"),
                }
                .of_integers(),
            );
        }
    }
    cases
}

/// Products whose A comes by 2D block loads that pack rows.
pub fn transforms(info: &CoreInfo) -> Vec<Case> {
    let lanes = lanes(info);
    let mut cases = Vec::new();
    for (types, k) in types(info) {
        let product =
            Product::new(lanes, types, k, Evidence::Instruction("OpSubgroup2DBlockLoadTransformINTEL"));
        cases.push(product.of_integers());
        cases.push(Product { n: 4, ..product }.of_integers());
        cases.push(Product { m: 2 * lanes, ..product }.of_integers());
        cases.push(Product { from: ROWS - lanes / 2, ..product }.of_integers());
        // Sums in the precision of the factors are not exact any more after two steps.
        if types.0 != types.1 {
            cases.push(Product { k: 2 * k, ..product }.of_integers());
        }
    }
    cases
}

/// Products of which parts of A are fetched ahead, beyond its edge, too, where that must do no harm.
pub fn prefetches(info: &CoreInfo) -> Vec<Case> {
    let lanes = lanes(info);
    let mut cases = Vec::new();
    for (types, k) in types(info) {
        for row in [0, 56, ROWS] {
            let product = Product {
                ahead: Some(row),
                ..Product::new(lanes, types, k, Evidence::Instruction("OpSubgroup2DBlockPrefetchINTEL"))
            };
            let mut case = product.of_integers();
            case.name += &format!(", ahead from row {row}");
            cases.push(case);
        }
    }
    cases
}

/// Factors of f32 that are no numbers of tf32: those of one matrix, the other one has ones where rows and columns meet.
pub fn tf32(info: &CoreInfo) -> Vec<Case> {
    let lanes = lanes(info);
    let (m, n, k) = (lanes, 8, 8);
    let product = Product {
        m,
        n,
        attributes: ", io_class=\"lanes\", precision=\"tf32\"",
        ..Product::new(lanes, (Element::F32, Element::F32), k, Evidence::Instruction("OpRoundFToTF32INTEL"))
    };
    let ones = |rows: usize, columns: usize| -> Vec<f64> {
        let entry = |place: usize| if place % rows == place / rows { 1.0 } else { 0.0 };
        (0..rows * columns).map(entry).collect()
    };
    let zeros = vec![0.0; m * n];
    let mut cases = Vec::new();
    // Units of the last of the ten bits.
    for (name, part) in [("exact", 0.0), ("down", 0.25), ("tie", 0.5), ("up", 0.625), ("just below", 0.9375)]
    {
        let exact = |place: usize| {
            let sign = if place.is_multiple_of(3) { -1.0 } else { 1.0 };
            (sign, 1.0 + (place as f64 + part) / 1024.0)
        };
        let given =
            |count: usize| -> Vec<f64> { (0..count).map(exact).map(|(sign, size)| sign * size).collect() };
        let rounded = |count: usize| -> Vec<f64> {
            let nearest = |(sign, size): (f64, f64)| sign * (size * 1024.0).round_ties_even() / 1024.0;
            (0..count).map(exact).map(nearest).collect()
        };
        for is_a in [true, false] {
            let (a, b) = if is_a { (given(m * k), ones(k, n)) } else { (ones(m, k), given(k * n)) };
            let (ra, rb) = if is_a { (rounded(m * k), ones(k, n)) } else { (ones(m, k), rounded(k * n)) };
            let mut case = product.case([&a, &b, &zeros]);
            let reference = product.case([&ra, &rb, &zeros]);
            // The result is that of rounded factors.
            if let (Some(last), Some(of)) = (case.arguments.last_mut(), reference.arguments.last()) {
                last.clone_from(of);
            }
            case.name = format!("{name}, factor {}", if is_a { "A" } else { "B" });
            cases.push(case);
        }
    }
    cases
}

/// Products with 256 registers for a hardware thread.
pub fn large_register_file(info: &CoreInfo) -> Vec<Case> {
    let lanes = lanes(info);
    let product = Product {
        attributes: ", io_class=\"lanes\", grf_size=256",
        ..Product::new(lanes, (Element::F32, Element::F32), 16, Evidence::LargeRegisterFile)
    };
    let mut cases: Vec<Case> = [(lanes, 8), (lanes, 32), (2 * lanes, 32)]
        .map(|(m, n)| Product { m, n, ..product }.of_integers())
        .into();
    for (types, k) in types(info) {
        cases.push(Product { types, k, n: 32, ..product }.of_integers());
    }
    cases
}
