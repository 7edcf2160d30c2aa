//! Kernels that multiply matrices tile by tile, and the memory that they work on.

use std::fmt::Write as _;

use crate::device::{Argument, Device, Kernels, Memory, Outcome, Stop, run};
use crate::numbers::{Number, Random, expect_equal};
use crate::table::CASE_COUNTS;

/// Runs the kernel of a number with arguments.
pub type Run<'a> = dyn Fn(usize, &[Argument<'_>]) -> Result<(), String> + 'a;

/// Work-groups beyond the last tile, which have nothing to do.
pub const OVER_LAUNCH: usize = 3;
/// Rows and columns in front of a part of a matrix, so that it begins at an odd element.
const MARGIN: [usize; 2] = [3, 1];

/// Place of a matrix in memory.
#[derive(Clone, Copy)]
pub enum Place {
    /// At the start of the memory, with so many elements between columns.
    Whole { gap: usize },
    /// Within a larger matrix, at an odd element.
    Part,
    /// With both strides known at run time: the first is this.
    Strided { first: usize },
}

/// A kernel that multiplies matrices tile by tile.
#[derive(Clone)]
pub struct Gemm {
    pub block: [usize; 3],
    pub transposed: [bool; 3],
    pub place: Place,
    pub order: String,
    /// Text behind the operands of the loads of A and B: boundary and `other`.
    pub load: [&'static str; 2],
    pub attributes: String,
    /// Type that the product takes its factors in, if not that of memory.
    pub factors: &'static str,
    /// Attributes of the product.
    pub dot: &'static str,
    /// Instructions that make `%out` of `%acc`.
    pub epilogue: String,
    /// Modifier of the store, in front of the transpose.
    pub store: &'static str,
    /// Mask of the store.
    pub mask: &'static str,
}

impl Gemm {
    pub fn new(block: [usize; 3]) -> Gemm {
        Gemm {
            block,
            transposed: [false; 3],
            place: Place::Whole { gap: 0 },
            order: "grouped".to_owned(),
            load: [""; 2],
            attributes: String::new(),
            factors: "",
            dot: "",
            epilogue: String::new(),
            store: "",
            mask: "",
        }
    }

    /// The kernel without its name, for factors of type A, sums of type S and results of type C.
    fn text<A: Number, S: Number, C: Number>(&self) -> String {
        let [bm, bn, bk] = self.block;
        let [ta, tb, tc] = self.transposed;
        let (ty, sum, out) = (A::NAME, S::NAME, C::NAME);
        let stride =
            if matches!(self.place, Place::Strided { .. }) { "strided<?,?>" } else { "strided<1,?>" };
        let whole = |ty: &str| format!("memref<{ty}x?x?,{stride}>");
        let t = |transposed| if transposed { ".t" } else { "" };
        let at = |transposed: bool, row: &str, col: &str| match transposed {
            true => format!("[{col},{row}]"),
            false => format!("[{row},{col}]"),
        };
        let acc = format!("tile<{sum}x{bm}x{bn},matrix_acc>");
        let mut body = String::new();
        let names = ["A", "B", "C"].map(|name| match self.place {
            Place::Part => {
                let ty = if name == "C" { out } else { ty };
                let lower = name.to_lowercase();
                let _ = writeln!(
                    body,
                    "%{lower}_part = subview %{name}[%x:%{lower}0,%y:%{lower}1] : memref<{ty}x?x?,strided<1,?>>"
                );
                format!("%{lower}_part")
            }
            Place::Whole { .. } | Place::Strided { .. } => format!("%{name}"),
        });
        let [a, b, c] = &names;
        let part = match self.place {
            Place::Part => {
                ", %x: index, %y: index, %a0: index, %a1: index, %b0: index, %b1: index, %c0: index, %c1: index"
            }
            Place::Whole { .. } | Place::Strided { .. } => "",
        };
        let mode = |transposed, mode: usize| if transposed { 1 - mode } else { mode };
        let (casts, factors) = match self.factors {
            "" => (String::new(), "%p, %q"),
            to => {
                let p = format!("%cast_p = cast %p : tile<{to}x{bm}x{bk},matrix_a>");
                (format!("{p}\n%cast_q = cast %q : tile<{to}x{bk}x{bn},matrix_b>"), "%cast_p, %cast_q")
            }
        };
        let zero = S::literal(0.0);
        let out_value = if self.epilogue.is_empty() && sum != out {
            "%narrow"
        } else if self.epilogue.is_empty() {
            "%acc"
        } else {
            "%out"
        };
        let narrow = match out_value {
            "%narrow" => format!("%narrow = cast %acc : tile<{out}x{bm}x{bn},matrix_acc>"),
            _ => String::new(),
        };
        format!(
            "(%A: {a_type}, %B: {a_type}, %C: {c_type}, %bias: memref<f32x?>{part}) {{
                {body}
                %M = size {c}[{m_mode}] : index
                %N = size {c}[{n_mode}] : index
                %K = size {a}[{k_mode}] : index
                %zero_index = constant 0 : index
                %bm = constant {bm} : index
                %bn = constant {bn} : index
                %bk = constant {bk} : index
                %nm = cdiv %M, %bm : index
                %nn = cdiv %N, %bn : index
                %tm, %tn = tile_order.{order} %nm, %nn -> (index, index)
                %m = mul %tm, %bm : index
                %n = mul %tn, %bn : index
                %zero = constant {zero} : {acc}
                %acc = for %k=%zero_index,%K,%bk init(%d=%zero) -> ({acc}) {{
                    %p = tile_load{t_a}{load_a} : tile<{ty}x{bm}x{bk},matrix_a>
                    %q = tile_load{t_b}{load_b} : tile<{ty}x{bk}x{bn},matrix_b>
                    {casts}
                    %e = tile_dot {factors}, %d {dot} : {acc}
                    yield (%e)
                }} {attributes}
                {epilogue}
                {narrow}
                tile_store{store}{t_c} {out_value}, {c}{at_c} {mask}
            }}",
            casts = casts,
            factors = factors,
            a_type = whole(ty),
            c_type = whole(out),
            m_mode = mode(tc, 0),
            n_mode = mode(tc, 1),
            k_mode = mode(ta, 1),
            order = self.order,
            t_a = t(ta),
            t_b = t(tb),
            t_c = t(tc),
            load_a = loaded(self.load[0], a, &at(ta, "%m", "%k")),
            load_b = loaded(self.load[1], b, &at(tb, "%k", "%n")),
            at_c = at(tc, "%m", "%n"),
            attributes = self.attributes,
            dot = if self.dot.is_empty() { String::new() } else { format!("{{{}}}", self.dot) },
            epilogue = self.epilogue,
            store = self.store,
            mask = self.mask,
        )
    }

    /// The sizes in memory of a matrix of so many rows and columns, and the strides.
    fn layout(&self, transposed: bool, rows: usize, cols: usize) -> Layout {
        let sizes = if transposed { [cols, rows] } else { [rows, cols] };
        let (strides, start) = match self.place {
            Place::Whole { gap } => ([1, sizes[0].max(1) + gap], 0),
            Place::Part => {
                let leading = sizes[0] + 2 * MARGIN[0];
                ([1, leading], MARGIN[0] + MARGIN[1] * leading)
            }
            Place::Strided { first } => ([first, first * sizes[0].max(1) + 1], 0),
        };
        Layout { sizes, strides, start, transposed }
    }

    /// Runs the kernel and compares all of the memory of C with `expected`, which is told row, column, sum and what was
    /// there before, and says what must be there.
    fn check<A: Number, C: Number>(
        &self,
        device: &Device,
        run_kernel: &Run<'_>,
        [m, n, k]: [usize; 3],
        before: f64,
        expected: &dyn Fn(usize, usize, f64, f64) -> f64,
    ) -> Outcome {
        let mut random = Random::new((m * 31 + n * 7 + k) as u64);
        let [ta, tb, tc] = self.transposed;
        let layouts = [self.layout(ta, m, k), self.layout(tb, k, n), self.layout(tc, m, n)];
        let a = layouts[0].filled::<A>(&mut || random.below(5) as f64 - 2.0);
        let b = layouts[1].filled::<A>(&mut || random.below(5) as f64 - 2.0);
        let mut old = vec![C::from_f64(77.0); layouts[2].length()];
        layouts[2].places().for_each(|place| old[place] = C::from_f64(before));
        let bias: Vec<f32> = (0..m.max(n)).map(bias).collect();
        let (memory_a, memory_b) = (device.memory(&a)?, device.memory(&b)?);
        let (memory_c, memory_bias) = (device.memory(&old)?, device.memory(&bias)?);
        let mut arguments = Vec::new();
        self.push(&mut arguments, &memory_a, &layouts[0]);
        self.push(&mut arguments, &memory_b, &layouts[1]);
        self.push(&mut arguments, &memory_c, &layouts[2]);
        arguments.extend([Argument::from(&memory_bias), (bias.len() as i64).into()]);
        if matches!(self.place, Place::Part) {
            arguments.extend(MARGIN.map(|margin| Argument::from(margin as i64)));
            let sizes = layouts.iter().flat_map(|layout| layout.sizes);
            arguments.extend(sizes.map(|size| Argument::from(size as i64)));
        }
        // Nothing keeps unchecked loads of a tile that does not exist inside.
        let is_checked = !self.load.iter().any(|load| load.starts_with(".unchecked"));
        let tiles = m.div_ceil(self.block[0]) * n.div_ceil(self.block[1]);
        let groups = tiles + if is_checked { OVER_LAUNCH } else { 0 };
        run_kernel(groups, &arguments)?;
        let mut result = old.clone();
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let product = |l| a[layouts[0].place(i, l)].to_f64() * b[layouts[1].place(l, j)].to_f64();
            let sum: f64 = (0..k).map(product).sum();
            result[layouts[2].place(i, j)] = C::from_f64(expected(i, j, sum, before));
        }
        expect_equal(&format!("C of {m}x{n}x{k}"), &memory_c, &result)
    }

    /// Runs the kernel on factors of any digits; returns all of the memory of C.
    fn bits(&self, device: &Device, run_kernel: &Run<'_>, [m, n, k]: [usize; 3]) -> Outcome<Vec<u32>> {
        let mut random = Random::new(5);
        let layouts = [self.layout(false, m, k), self.layout(false, k, n), self.layout(false, m, n)];
        let mut number = || (random.below(20_011) as f64 - 10_005.0) / 3_001.0;
        let (a, b) = (layouts[0].filled::<f32>(&mut number), layouts[1].filled::<f32>(&mut number));
        let (a, b) = (device.memory(&a)?, device.memory(&b)?);
        let c = device.memory(&vec![77.0f32; layouts[2].length()])?;
        let bias = device.memory(&[0.0f32])?;
        let mut arguments = Vec::new();
        self.push(&mut arguments, &a, &layouts[0]);
        self.push(&mut arguments, &b, &layouts[1]);
        self.push(&mut arguments, &c, &layouts[2]);
        arguments.extend([Argument::from(&bias), 1_i64.into()]);
        let tiles = m.div_ceil(self.block[0]) * n.div_ceil(self.block[1]);
        run_kernel(tiles + OVER_LAUNCH, &arguments)?;
        Ok(c.iter().map(|number| number.to_bits()).collect())
    }

    fn push<'a, T: Number>(&self, arguments: &mut Vec<Argument<'a>>, memory: &'a Memory<T>, layout: &Layout) {
        let margin = if matches!(self.place, Place::Part) { [2 * MARGIN[0], 2 * MARGIN[1]] } else { [0; 2] };
        arguments.push(memory.into());
        arguments.extend([0, 1].map(|mode| Argument::from((layout.sizes[mode] + margin[mode]) as i64)));
        if matches!(self.place, Place::Strided { .. }) {
            arguments.push((layout.strides[0] as i64).into());
        }
        arguments.push((layout.strides[1] as i64).into());
    }
}

/// A load with its boundary, the place in the memref, and what follows that.
pub fn loaded(how: &str, memref: &str, at: &str) -> String {
    let (boundary, rest) = match how.split_once(' ') {
        Some((boundary, rest)) => (boundary, rest),
        None => (how, ""),
    };
    format!("{boundary} {memref}{at} {rest}")
}

pub fn bias(at: usize) -> f32 {
    (at % 7) as f32 - 3.0
}

/// Matrix in memory.
pub struct Layout {
    sizes: [usize; 2],
    strides: [usize; 2],
    start: usize,
    transposed: bool,
}

impl Layout {
    /// Place of an entry of the matrix that the program sees.
    fn place(&self, row: usize, col: usize) -> usize {
        let [x, y] = if self.transposed { [col, row] } else { [row, col] };
        self.start + x * self.strides[0] + y * self.strides[1]
    }

    fn places(&self) -> impl Iterator<Item = usize> + '_ {
        let [x, y] = self.sizes;
        let at = |i, j| self.start + i * self.strides[0] + j * self.strides[1];
        (0..x).flat_map(move |i| (0..y).map(move |j| at(i, j)))
    }

    /// Elements of the memory: more than the matrix has, on all sides.
    fn length(&self) -> usize {
        self.start + (self.sizes[1] + MARGIN[1]) * self.strides[1] + 2 * MARGIN[0]
    }

    /// Memory with the matrix, and with NaN and infinity, or a large number, everywhere else.
    fn filled<T: Number>(&self, entry: &mut dyn FnMut() -> f64) -> Vec<T> {
        let outside = |place: usize| match place % 3 {
            _ if T::UNIT == 0.0 => 101.0,
            0 => f64::INFINITY,
            _ => f64::NAN,
        };
        let mut memory: Vec<T> = (0..self.length()).map(|place| T::from_f64(outside(place))).collect();
        self.places().for_each(|place| memory[place] = T::from_f64(entry()));
        memory
    }
}

/// Compiles a kernel of each of some programs, as one module, and checks each for all sizes.
pub fn check_all<A: Number, S: Number, C: Number>(
    device: &Device,
    gemms: &[Gemm],
    sizes: &[[usize; 3]],
    before: f64,
    expected: impl Fn(usize, usize, f64, f64) -> f64,
) -> Outcome {
    A::require(device)?;
    S::require(device)?;
    C::require(device)?;
    let texts: Vec<String> = gemms.iter().map(Gemm::text::<A, S, C>).collect();
    let kernels = Kernels::new(texts.iter().cloned());
    let program = device.build(&kernels.text, 2)?;
    for (number, (gemm, text)) in gemms.iter().zip(&texts).enumerate() {
        let run = |groups, arguments: &[Argument<'_>]| {
            run(&program, kernels.name(number), [groups, 1, 1], arguments)
        };
        for &size in sizes {
            gemm.check::<A, C>(device, &run, size, before, &expected).map_err(|stop| match stop {
                Stop::Fail(error) => Stop::Fail(format!("{error}\n{text}")),
                skip @ Stop::Skip(_) => skip,
            })?;
        }
    }
    for mnemonic in ["tile_order", "tile_load", "tile_dot", "tile_store"] {
        CASE_COUNTS.ran(mnemonic, 0.0);
    }
    Ok(())
}

/// Kernels that differ in who computes what, and when, but not in the order of their sums, give the same bits.
pub fn expect_same_bits(device: &Device, gemms: &[Gemm], size: [usize; 3]) -> Outcome {
    let kernels = Kernels::new(gemms.iter().map(Gemm::text::<f32, f32, f32>));
    let program = device.build(&kernels.text, 2)?;
    let mut first: Option<Vec<u32>> = None;
    for (number, gemm) in gemms.iter().enumerate() {
        let run = |groups, arguments: &[Argument<'_>]| {
            run(&program, kernels.name(number), [groups, 1, 1], arguments)
        };
        let found = gemm.bits(device, &run, size)?;
        let first = first.get_or_insert_with(|| found.clone());
        if let Some(at) = (0..found.len()).find(|&at| found[at] != first[at]) {
            let [found, first] = [found[at], first[at]].map(f32::from_bits);
            let text = gemm.text::<f32, f32, f32>();
            return Err(format!("element {at} of C is {found}, {first} in the first kernel\n{text}").into());
        }
    }
    Ok(())
}

/// The sum is the result.
pub fn is_sum(_i: usize, _j: usize, sum: f64, _before: f64) -> f64 {
    sum
}

/// One less and one more than blocks, primes, single rows and columns, and nothing to sum up.
pub fn sizes([m, n, k]: [usize; 3]) -> Vec<[usize; 3]> {
    vec![
        [1, 1, 1],
        [m - 1, n - 1, k - 1],
        [m, n, k],
        [m + 1, n + 1, k + 1],
        [2 * m, n, 2 * k],
        [37, 23, 41],
        [5, 1, 7],
        [m + 8, n, 0],
    ]
}
