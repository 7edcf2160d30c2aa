//! Chains of products in which one takes its second factor out of registers, of three products and of other lengths. Entries are
//! small integers, so that every result is exact.

use crate::Case;
use crate::device::{Argument, Device, Outcome, run};
use crate::gemm::ENGINE;
use crate::numbers::{Number, Random};
use std::fmt::Write as _;

/// A product of a chain: rows and columns of the factor that is not the product before it.
#[derive(Clone, Copy)]
enum Link {
    /// The result so far times a matrix of so many columns.
    Times(usize),
    /// A matrix of so many rows times the result so far.
    From(usize),
}
use Link::{From, Times};

/// The first product is of so many rows, columns, and columns of the first factor; then come the others.
struct Chain {
    first: [usize; 3],
    links: Vec<Link>,
    /// Transposition of the factors in memory, those of the first product first.
    transposed: bool,
    /// Attributes of the function.
    attributes: &'static str,
    /// Adds to C, and scales by −1.
    adds: bool,
    /// True if the first matrix that is not the result of a product is local memory that is written again behind the chain.
    is_local: bool,
    /// True if C is local memory, which is copied to what is checked.
    ends_in_local: bool,
}

impl Chain {
    fn new(first: [usize; 3], links: &[Link]) -> Chain {
        let links = links.to_vec();
        Chain {
            first,
            links,
            transposed: false,
            attributes: "",
            adds: true,
            is_local: false,
            ends_in_local: false,
        }
    }

    /// Q += R·((F·I)·A) with 9 quantities.
    fn surface(rows: usize, basis: usize) -> Chain {
        Chain::new([rows, 9, basis], &[Times(9), From(basis)])
    }
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    surfaces::<f32>(&mut cases);
    surfaces::<f64>(&mut cases);
    others::<f32>(&mut cases);
    others::<f64>(&mut cases);
    others::<i32>(&mut cases);
    cases
}

fn surfaces<T: Number>(cases: &mut Vec<Case>) {
    for rows in [3, 6, 10, 21, 36] {
        cases.push(Case::new(format!("{ENGINE}long_chain::{}::{rows}", T::NAME), move |device| {
            [4, 10, 20, 35, 56, 84]
                .into_iter()
                .try_for_each(|n| compute::<T>(device, &Chain::surface(rows, n)))
        }));
    }
}

fn others<T: Number>(cases: &mut Vec<Case>) {
    cases.push(Case::new(format!("{ENGINE}long_chain::{}::in_place", T::NAME), in_place::<T>));
    let chains = || {
        [
            ("second", Chain::new([12, 5, 30], &[From(40)])),
            ("firsts", Chain::new([33, 7, 5], &[Times(4), Times(9), Times(2)])),
            ("firsts_and_second", Chain::new([17, 7, 20], &[Times(4), Times(9), From(50)])),
            ("alternating", Chain::new([10, 9, 20], &[Times(5), From(19), Times(9), From(33)])),
            ("seconds", Chain::new([10, 3, 24], &[From(18), From(5), From(40)])),
            ("blocks_of_rows", Chain::new([35, 9, 35], &[Times(9)])),
            ("wide_block_of_rows", Chain::new([25, 9, 25], &[Times(9)])),
            ("wide_blocks_of_rows", Chain::new([49, 9, 49], &[Times(9)])),
            ("single_rows", Chain::new([1, 1, 1], &[Times(1), From(1)])),
            ("overwritten", Chain { adds: false, ..Chain::surface(21, 35) }),
            ("transposed", Chain { transposed: true, ..Chain::surface(21, 35) }),
            ("wide", Chain { attributes: "subgroup_size=32", ..Chain::surface(21, 56) }),
            (
                "repeated",
                Chain {
                    attributes: "subgroup_size=16, work_group_size=[64,1]",
                    ..Chain::new([20, 9, 2], &[Times(9), From(64)])
                },
            ),
            (
                "not_repeated",
                Chain { attributes: "subgroup_size=16, work_group_size=[64,1]", ..Chain::surface(21, 56) },
            ),
            (
                "columns",
                Chain { attributes: "subgroup_size=16, work_group_size=[32,2]", ..Chain::surface(10, 35) },
            ),
            ("local", Chain { is_local: true, ..Chain::surface(10, 35) }),
            ("local_before_first", Chain { is_local: true, ..Chain::new([33, 7, 5], &[Times(4)]) }),
            ("to_local", Chain { ends_in_local: true, ..Chain::new([35, 9, 35], &[Times(9)]) }),
            ("to_local_by_rows", Chain { ends_in_local: true, ..Chain::surface(10, 35) }),
            (
                "to_local_overwrites",
                Chain {
                    ends_in_local: true,
                    adds: false,
                    attributes: "subgroup_size=16, work_group_size=[64,1]",
                    ..Chain::new([20, 9, 35], &[Times(9)])
                },
            ),
            ("large", Chain::new([100, 40, 8], &[Times(40), From(20)])),
        ]
    };
    for (place, (name, _)) in chains().iter().enumerate() {
        cases.push(Case::new(format!("{ENGINE}long_chain::{}::{name}", T::NAME), move |device| {
            let (_, chain) = &chains()[place];
            compute::<T>(device, chain)
        }));
    }
}

/// A matrix in column-major order.
#[derive(Clone)]
struct Matrix {
    rows: usize,
    entries: Vec<f64>,
}

impl Matrix {
    fn cols(&self) -> usize {
        self.entries.len() / self.rows.max(1)
    }

    fn times(&self, other: &Matrix) -> Matrix {
        let mut entries = Vec::new();
        for (j, i) in (0..other.cols()).flat_map(|j| (0..self.rows).map(move |i| (j, i))) {
            let product = |l: usize| self.entries[i + self.rows * l] * other.entries[l + other.rows * j];
            entries.push((0..other.rows).map(product).sum());
        }
        Matrix { rows: self.rows, entries }
    }

    fn transposed(&self) -> Matrix {
        let (rows, cols) = (self.rows, self.cols());
        let entries = (0..rows * cols).map(|at| self.entries[at / cols + rows * (at % cols)]).collect();
        Matrix { rows: cols, entries }
    }
}

/// Computes a chain for two work-groups, whose factors are the same but for that of the first product.
fn compute<T: Number>(device: &Device, chain: &Chain) -> Outcome {
    T::require(device)?;
    let ty = T::NAME;
    let [rows, cols, depth] = chain.first;
    let mut random = Random::new((rows * depth + cols + chain.links.len()) as u64);
    let mut factor = |rows: usize, cols: usize| {
        let entry = |number: usize| [1.0, -1.0, 0.0, 0.0][number];
        Matrix { rows, entries: (0..rows * cols).map(|_| entry(random.below(4))).collect() }
    };
    // Shape of what was made last, and the factors that come to it from either side.
    let mut shape = [rows, cols];
    let mut factors = vec![factor(rows, depth), factor(depth, cols)];
    for &link in &chain.links {
        match link {
            Times(cols) => {
                factors.push(factor(shape[1], cols));
                shape[1] = cols;
            }
            From(rows) => {
                factors.push(factor(rows, shape[0]));
                shape[0] = rows;
            }
        }
    }
    let in_memory: Vec<Matrix> = factors
        .iter()
        .map(|factor| if chain.transposed { factor.transposed() } else { factor.clone() })
        .collect();
    let mut parameters = String::new();
    for (place, matrix) in in_memory.iter().enumerate() {
        write!(parameters, "%F{place}: memref<{ty}x{}x{}>, ", matrix.rows, matrix.cols())?;
    }
    let letter = if chain.transposed { "t" } else { "n" };
    let [zero, one, minus_one] = [0.0, 1.0, -1.0].map(T::literal);
    let beta = if chain.adds { "%one" } else { "%zero" };
    let [m, n] = shape;
    let mut body = String::new();
    let (mut made, mut size) = (String::new(), [rows, cols]);
    for place in 0..=chain.links.len() {
        let product = match place.checked_sub(1).map(|link| chain.links[link]) {
            None => format!("gemm.{letter}.{letter} %one, %first, %F1"),
            Some(Times(cols)) => {
                size[1] = cols;
                format!("gemm.n.{letter} %one, {made}, %F{}", place + 1)
            }
            Some(From(rows)) => {
                size[0] = rows;
                format!("gemm.{letter}.n %one, %F{}, {made}", place + 1)
            }
        };
        if place == chain.links.len() {
            let product = product.replacen("%one", "%minus_one", 1);
            writeln!(body, "{product}, {beta}, %c")?;
        } else {
            made = format!("%t{place}");
            writeln!(body, "{made} = alloca : memref<{ty}x{}x{},local>", size[0], size[1])?;
            writeln!(body, "{product}, %zero, {made}")?;
        }
    }
    let [f_rows, f_cols] = [in_memory[0].rows, in_memory[0].cols()];
    let (before, behind) = if chain.is_local {
        let local = format!("%first = alloca : memref<{ty}x{f_rows}x{f_cols},local>");
        let copy = "axpby %one, %F0, %zero, %first";
        (
            format!("{local} {copy}"),
            "axpby %minus_one, %F0, %zero, %first axpby %one, %first, %zero, %G".to_owned(),
        )
    } else {
        let view = format!("%first = subview %F0[0:{f_rows},0:{f_cols}] : memref<{ty}x{f_rows}x{f_cols}>");
        (view, String::new())
    };
    let attributes = match chain.attributes {
        "" => String::new(),
        attributes => format!("attributes{{{attributes}}} "),
    };
    let local = format!("%c = alloca : memref<{ty}x{m}x{n},local> axpby %one, %result, %zero, %c");
    let [result, copied, copied_back] = if chain.ends_in_local {
        ["%result", &local, "axpby %one, %c, %zero, %result"]
    } else {
        ["%c", "", ""]
    };
    let text = format!(
        "func @chain({parameters}%C: memref<{ty}x{m}x{n}x?>, %G: memref<{ty}x{f_rows}x{f_cols}>) {attributes}{{
            %g = group_id.x : index
            {result} = subview %C[0:{m},0:{n},%g] : memref<{ty}x{m}x{n}>
            %zero = constant {zero} : {ty}
            %one = constant {one} : {ty}
            %minus_one = constant {minus_one} : {ty}
            {copied}
            {before}
            {body}
            {behind}
            {copied_back}
        }}"
    );
    let program = device.build(&text, 2)?;
    let number = |&entry: &f64| T::from_f64(entry);
    let memory =
        in_memory.iter().map(|matrix| device.memory(&matrix.entries.iter().map(number).collect::<Vec<T>>()));
    let memory = memory.collect::<Outcome<Vec<_>>>()?;
    let members: usize = if chain.is_local { 1 } else { 2 };
    let old: Vec<f64> = (0..m * n * members).map(|at| (at % 7) as f64 - 3.0).collect();
    let c = device.memory(&old.iter().map(number).collect::<Vec<T>>())?;
    let other = device.memory(&vec![T::from_f64(0.0); f_rows * f_cols])?;
    let mut arguments: Vec<Argument<'_>> = memory.iter().map(Into::into).collect();
    arguments.extend([Argument::from(&c), Argument::from(members as i64), Argument::from(&other)]);
    run(&program, "chain", [members, 1, 1], &arguments)?;

    let mut result = factors[0].times(&factors[1]);
    for (link, factor) in chain.links.iter().zip(&factors[2..]) {
        result = match link {
            Times(_) => result.times(factor),
            From(_) => factor.times(&result),
        };
    }
    for (at, &got) in c.iter().enumerate() {
        let before = if chain.adds { old[at] } else { 0.0 };
        let expected = before - result.entries[at % (m * n)];
        if got.to_f64() != expected {
            let (i, j) = (at % m, at / m % n);
            return Err(format!("{:?}: C[{i},{j}] is {got:?}, not {expected}", chain.first).into());
        }
    }
    Ok(())
}

/// C := C + (F·C)·D with C in local memory: each subgroup reads all of C before another one writes to it.
fn in_place<T: Number>(device: &Device) -> Outcome {
    T::require(device)?;
    const M: usize = 70;
    const N: usize = 9;
    let (ty, [zero, one]) = (T::NAME, [0.0, 1.0].map(T::literal));
    let text = format!(
        "func @in_place(%F: memref<{ty}x{M}x{M}>, %D: memref<{ty}x{N}x{N}>, %C: memref<{ty}x{M}x{N}>)
             attributes{{work_group_size=[64,1]}} {{
            %c = alloca : memref<{ty}x{M}x{N},local>
            %t = alloca : memref<{ty}x{M}x{N},local>
            axpby {one}, %C, {zero}, %c
            gemm {one}, %F, %c, {zero}, %t
            gemm {one}, %t, %D, {one}, %c
            axpby {one}, %c, {zero}, %C
        }}"
    );
    let program = device.build(&text, 2)?;
    let mut random = Random::new(M as u64);
    let mut matrix = |rows: usize, cols: usize| {
        let entry = |number: usize| [1.0, -1.0, 0.0, 0.0][number];
        Matrix { rows, entries: (0..rows * cols).map(|_| entry(random.below(4))).collect() }
    };
    let [f, d, c] = [matrix(M, M), matrix(N, N), matrix(M, N)];
    let number = |&entry: &f64| T::from_f64(entry);
    let memory = |matrix: &Matrix| device.memory(&matrix.entries.iter().map(number).collect::<Vec<T>>());
    let (factor, other, result) = (memory(&f)?, memory(&d)?, memory(&c)?);
    run(&program, "in_place", [1, 1, 1], &[(&factor).into(), (&other).into(), (&result).into()])?;
    let product = f.times(&c).times(&d);
    let expected = c.entries.iter().zip(&product.entries).map(|(c, product)| c + product);
    for (at, (&got, expected)) in result.iter().zip(expected).enumerate() {
        if got.to_f64() != expected {
            return Err(format!("C[{},{}] is {got:?}, not {expected}", at % M, at / M).into());
        }
    }
    Ok(())
}
