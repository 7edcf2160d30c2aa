//! Products whose factors and result have sizes that do not fit each other, so that tiles have rows, columns and steps that are
//! outside of one of them and not of another.

use crate::device::{Argument, Device, Kernels, Outcome, run};
use crate::numbers::{Number, Random, expect_equal};

/// Rows and columns of A, of B and of C.
const SIZES: [[[usize; 2]; 3]; 14] = [
    [[50, 37], [37, 45], [50, 45]],
    [[64, 64], [64, 64], [64, 64]],
    [[50, 37], [37, 45], [60, 45]],
    [[50, 37], [37, 45], [50, 70]],
    [[50, 37], [37, 45], [66, 70]],
    [[50, 37], [37, 45], [30, 20]],
    [[0, 37], [37, 45], [20, 45]],
    [[50, 37], [37, 0], [50, 9]],
    [[50, 0], [0, 45], [50, 45]],
    [[50, 37], [30, 45], [50, 45]],
    [[50, 30], [37, 45], [50, 45]],
    [[1, 1], [1, 1], [1, 1]],
    [[70, 100], [100, 70], [70, 70]],
    [[50, 16], [16, 45], [0, 45]],
];
/// A stride that few columns exceed 64 bits with.
const HUGE: i64 = i64::MAX / 3;
/// A number that is added to each product.
const BEGIN: f64 = 3.0;

/// The factor whose size along K says where a loop ends.
#[derive(Clone, Copy, Debug)]
enum End {
    A,
    B,
}

/// The kernel for factors of type A and sums of type S, without its name.
fn text<A: Number, S: Number>([t_a, t_b]: [bool; 2], [bm, bn, bk]: [usize; 3], end: End) -> String {
    let (a, b) = (["%A[%i,%k]", "%A[%k,%i]"][usize::from(t_a)], ["%B[%k,%j]", "%B[%j,%k]"][usize::from(t_b)]);
    let [t_a, t_b] = [t_a, t_b].map(|transposed| if transposed { ".t" } else { "" });
    let end = match end {
        End::A => ["%A[1]", "%A[0]"][usize::from(!t_a.is_empty())],
        End::B => ["%B[0]", "%B[1]"][usize::from(!t_b.is_empty())],
    };
    let (ty, sum, begin) = (A::NAME, S::NAME, S::literal(BEGIN));
    format!(
        "(%A: memref<{ty}x?x?,strided<?,?>>, %B: memref<{ty}x?x?,strided<?,?>>, %C: memref<{sum}x?x?>) {{
            %x = group_id.x
            %y = group_id.y
            %i = mul %x, {bm}
            %j = mul %y, {bn}
            %depth = size {end}
            %sum = for %k=0,%depth,{bk} init(%s={begin}) -> (tile<{sum}x{bm}x{bn},matrix_acc>) {{
                %a = tile_load{t_a} {a} : {bm} x {bk}
                %b = tile_load{t_b} {b} : {bk} x {bn}
                %t = tile_dot %a, %b, %s
                yield (%t)
            }}
            tile_store %sum, %C[%i,%j]
        }}"
    )
}

/// Begin of a loop, its step, and its end; columns of A and rows of B, of which some end before.
const KNOWN: [[usize; 5]; 6] = [
    [0, 24, 48, 37, 37],
    [0, 8, 40, 37, 30],
    [0, 24, 48, 20, 32],
    [0, 8, 8, 3, 3],
    [8, 24, 56, 40, 40],
    [16, 5, 80, 70, 64],
];
/// Rows and columns of the result of those.
const KNOWN_EXTENTS: [usize; 2] = [20, 32];

/// Products of factors of known sizes that loops go beyond the end of.
pub fn known<A: Number, S: Number>(device: &Device) -> Outcome {
    A::require(device)?;
    let [m, n] = KNOWN_EXTENTS;
    let (ty, sum) = (A::NAME, S::NAME);
    let text = |[from, step, to, k_a, k_b]: [usize; 5]| {
        format!(
            "(%A: memref<{ty}x{m}x{k_a}>, %B: memref<{ty}x{k_b}x{n}>, %C: memref<{sum}x{m}x{n}>) {{
                %sum = for %k={from},{to},{step} init(%s={}) -> (tile<{sum}x32x32,matrix_acc>) {{
                    %a = tile_load %A[0,%k] : 32 x {step}
                    %b = tile_load %B[%k,0] : {step} x 32
                    %t = tile_dot %a, %b, %s
                    yield (%t)
                }}
                tile_store %sum, %C[0,0]
            }}",
            S::literal(BEGIN)
        )
    };
    let kernels = Kernels::new(KNOWN.map(text));
    let program = device.build(&kernels.text, 2)?;
    for (number, [from, step, to, k_a, k_b]) in KNOWN.into_iter().enumerate() {
        let mut random = Random::new(11);
        let mut factor =
            |entries: usize| -> Vec<f64> { (0..entries).map(|_| (random.below(9) as f64) - 4.0).collect() };
        let (a, b) = (factor(m * k_a), factor(k_b * n));
        let end = to.min(k_a).min(k_b);
        let expected = (0..m * n).map(|at| {
            let terms = (from..end).map(|k| a[at % m + m * k] * b[k + k_b * (at / m)]);
            S::from_f64(BEGIN + terms.sum::<f64>())
        });
        let expected: Vec<S> = expected.collect();
        let memory =
            |entries: &[f64]| device.memory(&entries.iter().copied().map(A::from_f64).collect::<Vec<A>>());
        let (memory_a, memory_b) = (memory(&a)?, memory(&b)?);
        let c = device.memory(&vec![S::from_f64(77.0); m * n])?;
        let arguments = [(&memory_a).into(), (&memory_b).into(), (&c).into()];
        run(&program, kernels.name(number), [1, 1, 1], &arguments)?;
        expect_equal(&format!("{from}, {step} to {to} of {k_a} and {k_b}"), &c, &expected)?;
    }
    Ok(())
}

/// Rows, columns and depth of products, and elements from column to column of A and of B beyond those that they have. Of some types two or four
/// columns are a row of a surface, of others none.
const PITCHED: [([usize; 3], [usize; 2]); 5] = [
    ([100, 60, 100], [0, 0]),
    ([68, 50, 84], [0, 0]),
    ([66, 70, 66], [2, 10]),
    ([52, 40, 104], [0, 0]),
    ([67, 35, 61], [0, 3]),
];
/// Transpositions of A and B, and rows, columns and depth of the tiles.
const PITCHED_VARIANTS: [([bool; 2], [usize; 3]); 4] = [
    ([false, false], [32, 32, 32]),
    ([false, true], [64, 32, 32]),
    ([true, false], [32, 32, 16]),
    ([true, true], [32, 64, 64]),
];

/// A matrix of known sizes in memory.
#[derive(Clone, Copy)]
struct Pitched {
    size: [usize; 2],
    pitch: usize,
    transposed: bool,
}

impl Pitched {
    fn new([rows, cols]: [usize; 2], gap: usize, transposed: bool) -> Pitched {
        let size = if transposed { [cols, rows] } else { [rows, cols] };
        Pitched { size, pitch: size[0] + gap, transposed }
    }

    fn ty(&self, ty: &str) -> String {
        let Pitched { size: [rows, cols], pitch, .. } = self;
        format!("memref<{ty}x{rows}x{cols},strided<1,{pitch}>>")
    }

    /// The load of a tile at a place of the matrix.
    fn load(&self, name: &str, [row, col]: [&str; 2]) -> String {
        if self.transposed {
            format!("tile_load.t {name}[{col},{row}]")
        } else {
            format!("tile_load {name}[{row},{col}]")
        }
    }

    /// The memory that holds entries, and what is beside them.
    fn memory<T: Number>(&self, entry: &dyn Fn(usize, usize) -> f64) -> Vec<T> {
        let beside = if T::NAME.starts_with('i') { 99.0 } else { f64::NAN };
        let of = |at: usize| match (at % self.pitch, at / self.pitch) {
            (first, _) if first >= self.size[0] => beside,
            (first, second) if self.transposed => entry(second, first),
            (first, second) => entry(first, second),
        };
        (0..self.pitch * self.size[1]).map(|at| T::from_f64(of(at))).collect()
    }
}

/// Products of factors of known sizes and distances of columns, with something else behind each column.
pub fn pitched<A: Number, S: Number>(device: &Device) -> Outcome {
    A::require(device)?;
    let mut cases = Vec::new();
    for ([m, n, k], [gap_a, gap_b]) in PITCHED {
        for ([t_a, t_b], tile) in PITCHED_VARIANTS {
            let (a, b) = (Pitched::new([m, k], gap_a, t_a), Pitched::new([k, n], gap_b, t_b));
            cases.push(([m, n, k], a, b, tile));
        }
    }
    let text = |&([m, n, k], a, b, [bm, bn, bk]): &([usize; 3], Pitched, Pitched, [usize; 3])| {
        let (begin, sum) = (S::literal(BEGIN), S::NAME);
        let (load_a, load_b) = (a.load("%A", ["%i", "%k"]), b.load("%B", ["%k", "%j"]));
        format!(
            "(%A: {}, %B: {}, %C: memref<{sum}x{m}x{n}>) {{
                %x = group_id.x
                %y = group_id.y
                %i = mul %x, {bm}
                %j = mul %y, {bn}
                %sum = for %k=0,{k},{bk} init(%s={begin}) -> (tile<{sum}x{bm}x{bn},matrix_acc>) {{
                    %a = {load_a} : {bm} x {bk}
                    %b = {load_b} : {bk} x {bn}
                    %t = tile_dot %a, %b, %s
                    yield (%t)
                }}
                tile_store %sum, %C[%i,%j]
            }}",
            a.ty(A::NAME),
            b.ty(A::NAME),
        )
    };
    let kernels = Kernels::new(cases.iter().map(text));
    let program = device.build(&kernels.text, 2)?;
    for (number, ([m, n, k], a, b, [bm, bn, _])) in cases.into_iter().enumerate() {
        let of_a = |row: usize, col: usize| (row * 5 + col * 3) as f64 % 9.0 - 4.0;
        let of_b = |row: usize, col: usize| (row * 7 + col * 2) as f64 % 11.0 - 5.0;
        let expected = (0..m * n).map(|at| {
            let (row, col) = (at % m, at / m);
            S::from_f64(BEGIN + (0..k).map(|k| of_a(row, k) * of_b(k, col)).sum::<f64>())
        });
        let expected: Vec<S> = expected.collect();
        let (memory_a, memory_b) =
            (device.memory(&a.memory::<A>(&of_a))?, device.memory(&b.memory::<A>(&of_b))?);
        let c = device.memory(&vec![S::from_f64(77.0); m * n])?;
        let arguments = [(&memory_a).into(), (&memory_b).into(), (&c).into()];
        run(&program, kernels.name(number), [m.div_ceil(bm), n.div_ceil(bn), 1], &arguments)?;
        let pitches = [a, b].map(|factor| factor.pitch);
        let transposed = [a, b].map(|factor| factor.transposed);
        expect_equal(&format!("{m}x{n}x{k}, {pitches:?}, {transposed:?}"), &c, &expected)?;
    }
    Ok(())
}

/// Products of all sizes, with entries that are small integers.
pub fn products<A: Number, S: Number>(device: &Device) -> Outcome {
    A::require(device)?;
    // Steps of the last two are no multiples of what lanes or an engine take at once.
    let variants = [
        ([false; 2], [32, 32, 16], End::A),
        ([true; 2], [64, 32, 32], End::A),
        ([false; 2], [32, 32, 5], End::A),
        ([true, false], [32, 32, 12], End::B),
    ];
    let kernels = Kernels::new(variants.map(|(transposed, block, end)| text::<A, S>(transposed, block, end)));
    let program = device.build(&kernels.text, 2)?;
    for (number, (transposed, [bm, bn, bk], end)) in variants.into_iter().enumerate() {
        for [[m, k_a], [k_b, n], [rows, cols]] in SIZES {
            let mut random = Random::new(7);
            let mut factor = |rows: usize, cols: usize| -> Vec<f64> {
                (0..rows * cols).map(|_| (random.below(9) as f64) - 4.0).collect()
            };
            let (a, b) = (factor(m, k_a), factor(k_b, n));
            let expected = (0..rows * cols).map(|at| {
                let (row, col) = (at % rows.max(1), at / rows.max(1));
                let terms = (0..k_a.min(k_b)).map(|k| a[row + m * k] * b[k + k_b * col]);
                BEGIN + if row < m && col < n { terms.sum() } else { 0.0 }
            });
            let expected: Vec<S> = expected.map(S::from_f64).collect();
            let memory = |entries: &[f64], [rows, cols]: [usize; 2], transposed: bool| {
                let place = |at: usize| if transposed { at / cols + rows * (at % cols) } else { at };
                let entries = (0..rows * cols).map(|at| A::from_f64(entries[place(at)]));
                // Something is allocated, too, where there is no entry.
                device.memory(&entries.chain([A::from_f64(99.0)]).collect::<Vec<A>>())
            };
            let [t_a, t_b] = transposed;
            let (memory_a, memory_b) = (memory(&a, [m, k_a], t_a)?, memory(&b, [k_b, n], t_b)?);
            let c = device.memory(&vec![S::from_f64(77.0); (rows * cols).max(1)])?;
            let sizes =
                |[rows, cols]: [usize; 2], transposed| if transposed { [cols, rows] } else { [rows, cols] };
            let (size_a, size_b) = (sizes([m, k_a], t_a), sizes([k_b, n], t_b));
            let index = |size: usize| Argument::from(size as i64);
            // Nobody needs the stride of a single column.
            let stride =
                |[rows, cols]: [usize; 2]| Argument::from(if cols == 1 { HUGE } else { rows as i64 });
            let arguments = [
                (&memory_a).into(),
                index(size_a[0]),
                index(size_a[1]),
                index(1),
                stride(size_a),
                (&memory_b).into(),
                index(size_b[0]),
                index(size_b[1]),
                index(1),
                stride(size_b),
                (&c).into(),
                index(rows),
                index(cols),
                index(rows),
            ];
            let groups = [rows.div_ceil(bm).max(1), cols.div_ceil(bn).max(1), 1];
            run(&program, kernels.name(number), groups, &arguments)?;
            let what = format!("{m}x{k_a} times {k_b}x{n} into {rows}x{cols}, {transposed:?}, {bk} {end:?}");
            let expected = if rows * cols == 0 { vec![S::from_f64(77.0)] } else { expected };
            expect_equal(&what, &c, &expected)?;
        }
    }
    Ok(())
}
