//! Cooperative matrices in subgroups of sizes that the tables leave out: loads and stores at every kind of position, products, scaling.

use crate::Case;
use crate::device::{Device, Kernels, Outcome, run};
use crate::numbers::{Exact, Number, Random, expect_equal, gamma};

const SUBGROUP_SIZES: [i32; 3] = [4, 8, 64];
const FLAGS: [&str; 4] = ["", ".rows_checked", ".cols_checked", ".both_checked"];
const USES: [&str; 3] = ["matrix_a", "matrix_b", "matrix_acc"];

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for size in SUBGROUP_SIZES {
        cases.push(Case::new(format!("coopmatrix::move::f32::{size}"), move |d| moves::<f32>(d, size)));
        cases.push(Case::new(format!("coopmatrix::product::f32::{size}"), move |d| {
            products::<f32, f32, f32>(d, size)
        }));
    }
    cases
}

/// A matrix that is loaded from and stored to a position of a tensor.
struct Move {
    rows: i64,
    cols: i64,
    transposed: bool,
    flag: &'static str,
    usage: &'static str,
    position: (i64, i64),
}

/// The tensors' sizes and the distance of their columns.
const TENSOR: (i64, i64, i64) = (70, 66, 73);

impl Move {
    fn text<T: Number>(&self, size: i32) -> String {
        let (ty, Move { rows, cols, flag, usage, .. }) = (T::NAME, self);
        let t = if self.transposed { ".t" } else { "" };
        let tensor = format!("memref<{ty}x{}x{},strided<1,{}>>", TENSOR.0, TENSOR.1, TENSOR.2);
        format!(
            "(%A: {tensor}, %B: memref<{ty}x{rows}x{cols}>, %C: {tensor}, %x: index, %y: index)
                    attributes{{subgroup_size={size}, work_group_size=[{size},1]}} {{
                %zero = constant 0 : index
                parallel {{
                    %m = cooperative_matrix_load{t}{flag} %A[%x,%y] : coopmatrix<{ty}x{rows}x{cols},{usage}>
                    cooperative_matrix_store %m, %B[%zero,%zero]
                    cooperative_matrix_store{t}{flag} %m, %C[%x,%y]
                }}
            }}"
        )
    }

    /// Place of entry (i, j) in the tensor; `None` if it fails a check.
    fn place(&self, i: i64, j: i64) -> Option<usize> {
        let (x, y) = self.position;
        let (row, col) = if self.transposed { (x + j, y + i) } else { (x + i, y + j) };
        let inside = (0..TENSOR.0).contains(&row) && (0..TENSOR.1).contains(&col);
        inside.then_some((row + col * TENSOR.2) as usize)
    }
}

/// Positions inside, and where the flag allows it partly and wholly outside.
fn positions(flag: &str, transposed: bool, rows: i64, cols: i64) -> Vec<(i64, i64)> {
    let mut positions = vec![(0, 0), (1, 2)];
    let (row_check, col_check) =
        (flag.contains("rows") || flag.contains("both"), flag.contains("cols") || flag.contains("both"));
    let (row_end, col_end) = if transposed { (TENSOR.1, TENSOR.0) } else { (TENSOR.0, TENSOR.1) };
    let mut push = |row: i64, col: i64| positions.push(if transposed { (col, row) } else { (row, col) });
    if row_check {
        for row in [-1, 1 - rows, -rows - 3, row_end - 1, row_end - rows / 2, row_end, row_end + 40] {
            push(row, 1);
        }
    }
    if col_check {
        for col in [-1, 1 - cols, -cols - 3, col_end - 1, col_end - cols / 2, col_end, col_end + 40] {
            push(2, col);
        }
    }
    if row_check && col_check {
        push(-1, col_end - 1);
        push(row_end - 1, -1);
    }
    positions
}

/// Expected results: of a load, with zeros for entries that fail a check, and of a store, which leaves the rest alone.
fn moves<T: Number>(device: &Device, size: i32) -> Outcome {
    device.require_subgroup(size)?;
    let mut moves = Vec::new();
    for (rows, cols) in [(1, 1), (2, 5), (4, 4), (8, 3), (16, 8), (32, 9), (64, 1)] {
        for transposed in [false, true] {
            // Narrow elements take the same way; half of the combinations will do.
            for flag in
                FLAGS.into_iter().filter(|flag| T::NAME == "f32" || transposed == flag.contains("rows"))
            {
                let usage = USES[moves.len() % 3];
                for position in positions(flag, transposed, rows, cols) {
                    moves.push(Move { rows, cols, transposed, flag, usage, position });
                }
            }
        }
    }
    let texts: Vec<String> = moves.iter().map(|case| case.text::<T>(size)).collect();
    let kernels = Kernels::new(texts.iter().cloned());
    let program = device.build(&kernels.text, 2)?;
    let length = (TENSOR.1 * TENSOR.2) as usize;
    let mut random = Random::new(2);
    let values = random.numbers::<T>(length);
    let old = random.numbers::<T>(length);
    let a = device.memory(&values)?;
    for (i, case) in moves.iter().enumerate() {
        let b = device.memory(&vec![T::from_f64(99.0); (case.rows * case.cols) as usize])?;
        let c = device.memory(&old)?;
        let (x, y) = case.position;
        run(
            &program,
            kernels.name(i),
            [1, 1, 1],
            &[(&a).into(), (&b).into(), (&c).into(), x.into(), y.into()],
        )?;
        let (mut loaded, mut stored) = (Vec::new(), old.clone());
        for (i, j) in (0..case.rows * case.cols).map(|n| (n % case.rows, n / case.rows)) {
            let place = case.place(i, j);
            loaded.push(place.map_or(T::from_f64(0.0), |place| values[place]));
            if let Some(place) = place {
                stored[place] = values[place];
            }
        }
        expect_equal(&format!("loaded at {x}, {y} by {}", texts[i]), &b, &loaded)?;
        expect_equal(&format!("stored at {x}, {y} by {}", texts[i]), &c, &stored)?;
    }
    Ok(())
}

/// s·(A·B + C), one fused multiply-add for each term, then a product: γ(K + 1)·|s|·(Σ|a·b| + |c|).
fn products<A: Number, B: Number, C: Number>(device: &Device, size: i32) -> Outcome {
    A::require(device)?;
    C::require(device)?;
    device.require_subgroup(size)?;
    let mut shapes = Vec::new();
    for m in [size, 2 * size] {
        // The rows of B are a power of two; the columns are anything.
        shapes.extend(
            [(1, 1), (5, 2), (8, 8), (9, 4), (3, 16)].map(|(n, k)| (m as usize, n as usize, k as usize)),
        );
    }
    let kernels = Kernels::new(shapes.iter().map(|(m, n, k)| {
        let (a, b, c) = (A::NAME, B::NAME, C::NAME);
        let acc = format!("coopmatrix<{c}x{m}x{n},matrix_acc>");
        format!(
            "(%A: memref<{a}x{m}x{k}>, %B: memref<{b}x{k}x{n}>, %C: memref<{c}x{m}x{n}>, %s: {c})
                    attributes{{subgroup_size={size}, work_group_size=[{size},1]}} {{
                %zero = constant 0 : index
                parallel {{
                    %a = cooperative_matrix_load %A[%zero,%zero] : coopmatrix<{a}x{m}x{k},matrix_a>
                    %b = cooperative_matrix_load %B[%zero,%zero] : coopmatrix<{b}x{k}x{n},matrix_b>
                    %c = cooperative_matrix_load %C[%zero,%zero] : {acc}
                    %d = cooperative_matrix_mul_add %a, %b, %c : {acc}
                    %e = cooperative_matrix_scale %s, %d : {acc}
                    cooperative_matrix_store %e, %C[%zero,%zero]
                }}
            }}"
        )
    }));
    let program = device.build(&kernels.text, 2)?;
    let mut random = Random::new(4);
    for (place, &(m, n, k)) in shapes.iter().enumerate() {
        let a = device.memory(&random.numbers::<A>(m * k))?;
        let b = device.memory(&random.numbers::<B>(k * n))?;
        let before = random.numbers::<C>(m * n);
        let c = device.memory(&before)?;
        let factor = C::from_f64(-3.0);
        run(
            &program,
            kernels.name(place),
            [1, 1, 1],
            &[(&a).into(), (&b).into(), (&c).into(), factor.into()],
        )?;
        let exact = C::Exact::of::<C>;
        for (i, j) in (0..m * n).map(|place| (place % m, place / m)) {
            let old = before[i + j * m];
            let (mut sum, mut magnitude) = (exact(old), old.to_f64().abs());
            for l in 0..k {
                let (x, y) = (a[i + l * m], b[l + j * k]);
                sum = sum.plus(C::Exact::of(x).times(C::Exact::of(y)));
                magnitude += (x.to_f64() * y.to_f64()).abs();
            }
            let (got, expected) = (c[i + j * m], exact(factor).times(sum));
            let bound = gamma(k + 1, C::UNIT) * 3.0 * magnitude;
            if !got.agrees(expected, bound) {
                let what = format!("[{i},{j}] of {m}x{n}x{k}");
                return Err(format!("{what} is {got:?}, not {expected:?} ± {bound:e}").into());
            }
        }
    }
    Ok(())
}
