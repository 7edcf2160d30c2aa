//! Modules of the compiler executed by virtual-xe, against results that the host computes.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use std::path::Path;

use tiletc::device::CoreInfo;
use tiletc::diagnostics::SourceId;
use tiletc::driver::{self, Options};
use tiletc::ir::Ir;
use tiletc::runtime::arguments::{self, ArgumentKind, GivenArgument};
use virtual_xe::{Accesses, Argument, Class, Counters, Device, Launch, Memory, Program};

/// The module of a program for a device.
fn compile(text: &str, device: &str) -> Result<Vec<u8>, driver::Error> {
    let mut ir = Ir::default();
    let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes())?;
    let info = CoreInfo::from_name(device).unwrap();
    let module = driver::compile(&mut ir, &program, &info, &Options::default())?;
    common::validate(&module);
    Ok(module.assemble())
}

/// A device's memory with numbers in it.
struct Session {
    device: &'static Device,
    memory: Memory,
}

impl Session {
    fn open(device: &str) -> Session {
        Session { device: Device::named(device).unwrap(), memory: Memory::new() }
    }

    fn upload<const N: usize, T: Copy>(&self, values: &[T], bytes: impl Fn(T) -> [u8; N]) -> u64 {
        let bytes: Vec<u8> = values.iter().flat_map(|&value| bytes(value)).collect();
        let address = self.memory.allocate(bytes.len() as u64, 128).unwrap();
        self.memory.write(address, &bytes).unwrap();
        address
    }

    fn download<const N: usize, T>(
        &self,
        address: u64,
        count: usize,
        value: impl Fn([u8; N]) -> T,
    ) -> Vec<T> {
        let mut bytes = vec![0; count * N];
        self.memory.read(address, &mut bytes).unwrap();
        bytes.as_chunks::<N>().0.iter().map(|&bytes| value(bytes)).collect()
    }

    /// Runs the only kernel of a program and expects nothing to be reported.
    fn run(&self, text: &str, groups: u32, arguments: &[Argument]) {
        self.counters(text, [groups, 1, 1], arguments);
    }

    /// The same, and returns what was counted.
    fn counters(&self, text: &str, groups: [u32; 3], arguments: &[Argument]) -> Counters {
        let bytes = compile(text, self.device.name()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let program = Program::build(self.device, &bytes).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let [kernel] = program.kernels() else { panic!("{} kernels", program.kernels().len()) };
        let outcome =
            kernel.run(&self.memory, &Launch { count: true, ..Launch::new(groups) }, arguments).unwrap();
        let reports: Vec<String> = outcome.reports.iter().map(ToString::to_string).collect();
        assert!(reports.is_empty(), "{}\n{text}", reports.join("\n"));
        outcome.counters.unwrap()
    }
}

/// Small integers, so that sums and products of them are exact.
fn numbers(count: usize, seed: u32) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as f32 / 16.0 - 8.0
    };
    (0..count).map(|_| next().floor()).collect()
}

#[test]
fn the_fused_chain_is_right_in_subgroups_of_every_size() {
    let text = include_str!("../cpp-examples/matrix_chain/fused_kernel.ir");
    const GROUPS: usize = 5;
    let (k, p) = (numbers(56 * 56, 1), numbers(56 * 9 * GROUPS, 2));
    let (a, q) = (numbers(81 * GROUPS, 3), numbers(56 * 9 * GROUPS, 4));
    let mut expected = q.clone();
    for group in 0..GROUPS {
        for (i, j) in (0..9).flat_map(|j| (0..56).map(move |i| (i, j))) {
            for l in 0..9 {
                let product: f32 = (0..56).map(|m| k[i + 56 * m] * p[504 * group + m + 56 * l]).sum();
                expected[504 * group + i + 56 * j] += product * a[81 * group + l + 9 * j];
            }
        }
    }
    for (device, size) in [("pvc", 16), ("pvc", 32), ("tgl", 8), ("bmg", 32)] {
        let attributes = format!(") attributes{{subgroup_size={size}, work_group_size=[64,1]}} {{");
        let text = text.replacen(") {", &attributes, 1);
        let session = Session::open(device);
        let upload = |values: &[f32]| session.upload(values, f32::to_le_bytes);
        let (k, p, a, q) = (upload(&k), upload(&p), upload(&a), upload(&q));
        let tables: Vec<u64> = (0..GROUPS as u64).map(|group| a + group * 81 * 4).collect();
        let tables = session.upload(&tables, u64::to_le_bytes);
        let count = || Argument::from(GROUPS as i64);
        let [k, p, tables, out] = [k, p, tables, q].map(Argument::address);
        session.run(&text, GROUPS as u32, &[k, p, count(), tables, count(), out, count()]);
        assert_eq!(session.download(q, expected.len(), f32::from_le_bytes), expected, "{device} {size}");
    }
}

#[test]
fn scans_and_sums_pass_numbers_between_subgroups() {
    let x = numbers(1000, 5);
    for size in [16, 32] {
        let session = Session::open("pvc");
        let (a, b) = (session.upload(&x, f32::to_le_bytes), session.upload(&x, f32::to_le_bytes));
        let attributes = format!("attributes{{subgroup_size={size}, work_group_size=[64,2]}}");
        let text = format!(
            "func @scan(%A: memref<f32x1000>, %B: memref<f32x1000>) {attributes} {{
                %one = constant 1.0 : f32
                %zero = constant 0.0 : f32
                cumsum %one, %A, 0, %zero, %B
            }}"
        );
        session.run(&text, 1, &[Argument::address(a), Argument::address(b)]);
        let sums = x.iter().scan(0.0, |sum, x| {
            *sum += x;
            Some(*sum)
        });
        assert_eq!(session.download(b, 1000, f32::from_le_bytes), sums.collect::<Vec<f32>>());

        let text = format!(
            "func @total(%A: memref<f32x1000>, %B: memref<f32>) {attributes} {{
                %one = constant 1.0 : f32
                sum.n %one, %A, %one, %B
            }}"
        );
        let total = session.upload(&[7.0], f32::to_le_bytes);
        session.run(&text, 1, &[Argument::address(a), Argument::address(total)]);
        assert_eq!(session.download(total, 1, f32::from_le_bytes), [7.0 + x.iter().sum::<f32>()]);
    }
}

#[test]
fn atomics_of_all_groups_add_up() {
    let session = Session::open("pvc");
    let counter = session.upload(&[5], i64::to_le_bytes);
    let text = "func @count(%C: memref<i64>) attributes{subgroup_size=16, work_group_size=[64,1]} {
        parallel {
            %one = constant 1 : i64
            %old = atomic_add.device %one, %C[] : i64
        }
    }";
    session.run(text, 100, &[Argument::address(counter)]);
    assert_eq!(session.download(counter, 1, i64::from_le_bytes), [5 + 6400]);
}

#[test]
fn every_module_of_the_filetests_is_understood() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let mut understood = 0;
    for directory in ["kernels", "language", "passes", "spirv"] {
        for entry in std::fs::read_dir(root.join(directory)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "ir") {
                continue;
            }
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            // Some are for other devices, or only parsed.
            let Ok(module) = compile(&text, "pvc") else { continue };
            let built = Program::build(Device::named("pvc").unwrap(), &module);
            assert!(built.is_ok(), "{}: {}", path.display(), built.err().unwrap());
            understood += 1;
        }
    }
    assert!(understood > 60, "only {understood} texts compile");
}

/// An epilogue and what it adds to the traffic of the product: bytes read, and bytes of an entry written.
struct Epilogue {
    text: &'static str,
    /// Type of the entries that are stored.
    stored: &'static str,
    max_read: u64,
}

/// Epilogues run in registers: beyond what they name they move nothing (tile reference 2.9).
#[test]
fn epilogues_move_nothing_but_what_they_name() {
    const SIZE: u64 = 128;
    // The lanes of a subgroup have a row each, whose entry they read once for 16 columns or more; in a column they all
    // read the same entry, once.
    let (of_rows, of_cols) = (SIZE * SIZE / 16 * 4, SIZE * SIZE * 4);
    let apply = |text| Epilogue { text, stored: "f32", max_read: 0 };
    let epilogues = [
        apply("%y = max %x, %none : f32"),
        apply("%y = mul %x, %alpha : f32"),
        apply("%t = tanh %x : f32 %u = add %t, %alpha : f32 %y = mul %x, %u : f32"),
        apply("%m = neg %x : f32 %e = exp %m : f32 %d = add %e, %alpha : f32 %y = div %x, %d : f32"),
        Epilogue { text: "%y = add %x, %none : f32", stored: "f16", max_read: 0 },
        Epilogue {
            text: "%p = cast %i : index %q = add %p, %m0 : index %b = load %bias[%q] : f32 %y = add %x, %b : f32",
            stored: "f32",
            max_read: of_rows,
        },
        Epilogue {
            text: "%p = cast %j : index %q = add %p, %n0 : index %b = load %bias[%q] : f32 %y = add %x, %b : f32",
            stored: "f32",
            max_read: of_cols,
        },
        Epilogue { text: "%y = add %x, %none : f32 residual", stored: "f32", max_read: SIZE * SIZE * 4 },
    ];
    let kernel = |epilogue: Option<&Epilogue>| {
        let stored = epilogue.map_or("f32", |epilogue| epilogue.stored);
        let body = match epilogue {
            None => String::new(),
            Some(Epilogue { text, .. }) => {
                let (text, residual) = match text.strip_suffix("residual") {
                    Some(text) => (
                        text,
                        "%old = tile_load %R[%m0,%n0] : tile<f32x64x64,matrix_acc> \
                                          %new = add %all, %old : tile<f32x64x64,matrix_acc>",
                    ),
                    None => (*text, "%new = add %all, %sums : tile<f32x64x64,matrix_acc>"),
                };
                format!(
                    "%all = tile_apply (%i,%j,%x)=(%acc) -> tile<f32x64x64,matrix_acc> {{ {text} yield (%y) }}
                     {residual}"
                )
            }
        };
        let from = if epilogue.is_some() { "%new" } else { "%acc" };
        format!(
            "func @f(%A: memref<f16x{SIZE}x{SIZE}>, %B: memref<f16x{SIZE}x{SIZE}>,
                     %C: memref<{stored}x{SIZE}x{SIZE}>, %R: memref<f32x{SIZE}x{SIZE}>,
                     %bias: memref<f32x{SIZE}>) {{
                %c0 = constant 0 : index
                %bk = constant 32 : index
                %K = constant {SIZE} : index
                %two = constant 2 : index
                %tile = constant 64 : index
                %none = constant 0.0 : f32
                %alpha = constant 1.0 : f32
                %tm, %tn = tile_order.linear_n %two, %two -> (index, index)
                %m0 = mul %tm, %tile : index
                %n0 = mul %tn, %tile : index
                %sums = constant 0.0 : tile<f32x64x64,matrix_acc>
                %acc = for %k=%c0,%K,%bk init(%d=%sums) -> (tile<f32x64x64,matrix_acc>) {{
                    %a = tile_load %A[%m0,%k] : tile<f16x64x32,matrix_a>
                    %b = tile_load %B[%k,%n0] : tile<f16x32x64,matrix_b>
                    %e = tile_dot %a, %b, %d : tile<f32x64x64,matrix_acc>
                    yield (%e)
                }}
                {body}
                %c = cast {from} : tile<{stored}x64x64,matrix_acc>
                tile_store %c, %C[%m0,%n0]
            }}"
        )
    };
    for device in ["pvc", "bmg", "dg2"] {
        let session = Session::open(device);
        let traffic = |epilogue: Option<&Epilogue>| {
            let zeros = || session.upload(&vec![0.0f32; (SIZE * SIZE) as usize], f32::to_le_bytes);
            let arguments = [(); 5].map(|()| Argument::address(zeros()));
            session.counters(&kernel(epilogue), [2, 2, 1], &arguments).global
        };
        let plain = traffic(None);
        for epilogue in &epilogues {
            let found = traffic(Some(epilogue));
            let (text, read) = (epilogue.text, found.read - plain.read);
            assert!(read <= epilogue.max_read, "{device}: {text} reads {read} bytes more");
            let share = if epilogue.stored == "f16" { 2 } else { 1 };
            assert_eq!(found.written * share, plain.written, "{device}: {text}");
        }
    }
}

/// Sizes of a product.
#[derive(Clone, Copy, Debug)]
struct Product {
    rows: i64,
    cols: i64,
    terms: i64,
    /// Elements between lines of a matrix.
    padding: i64,
}

/// A product of matrices whose strides the text leaves open, with all that tiles know of bounds: wraps, masks, checks.
fn open_product(ty: &str) -> String {
    format!(
        "func @f(%A: memref<{ty}x?x?,strided<?,?>>, %B: memref<{ty}x?x?,strided<?,?>>, %C: memref<f32x?x?,strided<?,?>>)
         {{
            %c0 = constant 0 : index
            %bk = constant 32 : index
            %tile = constant 64 : index
            %M = size %C[0] : index
            %N = size %C[1] : index
            %K = size %A[1] : index
            %nm = cdiv %M, %tile : index
            %nn = cdiv %N, %tile : index
            %tm, %tn = tile_order.linear_n %nm, %nn -> (index, index)
            %m = mul %tm, %tile : index
            %n = mul %tn, %tile : index
            %none = constant 0.0 : tile<f32x64x64,matrix_acc>
            %acc = for %k=%c0,%K,%bk init(%d=%none) -> (tile<f32x64x64,matrix_acc>) {{
                %a = tile_load %A[%m,%k] mask (%r,%c) {{
                    %ok = less_than %c, %K : bool
                    yield (%ok)
                }} {{boundary=[\"wrap\",\"zero\"]}} : tile<{ty}x64x32,matrix_a>
                %b = tile_load %B[%k,%n] : tile<{ty}x32x64,matrix_b>
                %e = tile_dot %a, %b, %d : tile<f32x64x64,matrix_acc>
                yield (%e)
            }}
            tile_store %acc, %C[%m,%n] mask (%r,%c) {{
                %in = less_than %r, %M : bool
                yield (%in)
            }}
        }}"
    )
}

/// Text of the variant that a launch with these arguments runs; `None` if there is none.
fn variant(text: &str, device: &str, arguments: &[[u64; 5]]) -> Option<String> {
    let mut ir = Ir::default();
    let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
    let &[func] = program.functions.as_slice() else { panic!("one function") };
    let given: Vec<GivenArgument> = arguments
        .as_flattened()
        .iter()
        .map(|&value| GivenArgument { kind: ArgumentKind::Bytes, size: 8, value: Some(value), pointee: None })
        .collect();
    let info = CoreInfo::from_name(device).unwrap();
    let layouts = arguments::layouts(&ir.signature(func), &given, &info);
    driver::specialize(&mut ir, func, &layouts);
    layouts.iter().any(Option::is_some).then(|| driver::print(&ir, &program).to_string())
}

/// Runs a product in one of the eight ways to store its matrices by columns or by rows, and returns what was counted.
fn run_open_product(
    session: &Session,
    is_f16: bool,
    product: Product,
    by_rows: [bool; 3],
    by_variant: bool,
) -> Counters {
    let Product { rows, cols, terms, padding } = product;
    let shapes = [[rows, terms], [terms, cols], [rows, cols]];
    let strides: Vec<[i64; 2]> = (shapes.iter().zip(by_rows))
        .map(|([m, n], by_rows)| if by_rows { [n + padding, 1] } else { [1, m + padding] })
        .collect();
    let place = |matrix: usize, i: i64, j: i64| (i * strides[matrix][0] + j * strides[matrix][1]) as usize;
    let values: Vec<Vec<f32>> = (0..3)
        .map(|matrix| {
            let [m, n] = shapes[matrix];
            let mut values = vec![f32::NAN; place(matrix, m - 1, n - 1) + 1];
            let entries = numbers((m * n) as usize, matrix as u32 + 1);
            let inside = (0..n).flat_map(|j| (0..m).map(move |i| (i, j)));
            inside.zip(entries).for_each(|((i, j), entry)| values[place(matrix, i, j)] = entry);
            values
        })
        .collect();
    let address = |matrix: usize| match is_f16 && matrix < 2 {
        true => session.upload(&values[matrix], |value| half::f16::from_f32(value).to_le_bytes()),
        false => session.upload(&values[matrix], f32::to_le_bytes),
    };
    let given = [0, 1, 2].map(|matrix| {
        let ([m, n], [down, right]) = (shapes[matrix], strides[matrix]);
        [address(matrix), m as u64, n as u64, down as u64, right as u64]
    });
    let open = open_product(if is_f16 { "f16" } else { "f32" });
    let text = if by_variant { variant(&open, session.device.name(), &given).unwrap() } else { open };
    let arguments: Vec<Argument> = given
        .iter()
        .flat_map(|&[address, ref numbers @ ..]| {
            let numbers = numbers.iter().map(|&number| Argument::from(number as i64));
            [Argument::address(address)].into_iter().chain(numbers)
        })
        .collect();
    let groups = ((rows + 63) / 64 * ((cols + 63) / 64)) as u32;
    let counters = session.counters(&text, [groups, 1, 1], &arguments);
    let found = session.download(given[2][0], values[2].len(), f32::from_le_bytes);
    for (i, j) in (0..cols).flat_map(|j| (0..rows).map(move |i| (i, j))) {
        let terms = (0..terms).map(|k| values[0][place(0, i, k)] * values[1][place(1, k, j)]);
        let expected: f32 = terms.sum();
        assert_eq!(found[place(2, i, j)], expected, "{product:?} {by_rows:?} at {i}, {j}");
    }
    let untouched = found.iter().zip(&values[2]).filter(|(found, before)| before.is_nan() && !found.is_nan());
    assert_eq!(untouched.count(), 0, "{product:?} {by_rows:?}");
    counters
}

/// Loads of an address for each lane.
fn lane_loads(counters: &Counters) -> u64 {
    counters.instructions.get(&Class::Load).map_or(0, |executed| executed.subgroups)
}

/// Variants for the layouts of a launch are right whatever lies where, and where matrices are surfaces no lane has an
/// address of its own (tile reference 2.6.3).
#[test]
fn variants_suit_the_layouts_of_a_launch() {
    let every = || (0..8).map(|bits| [0, 1, 2].map(|bit| bits >> bit & 1 == 1));
    let even = Product { rows: 128, cols: 64, terms: 96, padding: 32 };
    let odd = Product { rows: 65, cols: 77, terms: 53, padding: 3 };
    for (device, is_f16, product, has_blocks) in [
        ("pvc", true, even, true),
        ("bmg", true, even, true),
        ("pvc", false, even, true),
        ("pvc", true, odd, false),
        ("dg2", true, odd, false),
    ] {
        for by_rows in every() {
            let session = &Session::open(device);
            let counters = run_open_product(session, is_f16, product, by_rows, true);
            if has_blocks {
                // What is left are built-in variables and registers that messages write to by their address.
                let open = run_open_product(session, is_f16, product, by_rows, false);
                let [lanes, most] = [lane_loads(&counters), lane_loads(&open) / 16];
                assert!(lanes <= most, "{device} {product:?} {by_rows:?}: {lanes} loads, at most {most}");
            }
        }
    }
}

/// A matrix that is contiguous along no mode is what the kernel is compiled for anyway.
#[test]
fn there_is_no_variant_without_a_contiguous_mode() {
    let text = open_product("f16");
    assert_eq!(variant(&text, "pvc", &[[0x1000, 64, 64, 2, 128]; 3]), None);
    let one = [[0x1000, 64, 64, 2, 128], [0x1000, 64, 64, 64, 1], [0x1000, 64, 64, 2, 128]];
    let found = variant(&text, "pvc", &one).unwrap();
    assert!(found.contains(r#"%B: memref<f16x?x?,strided<?,?>> {surface=true, unit_stride=1}"#), "{found}");
    // Nothing of 2D blocks for a device that has none.
    let found = variant(&text, "dg2", &one).unwrap();
    assert!(found.contains(r#"%B: memref<f16x?x?,strided<?,?>> {unit_stride=1}"#), "{found}");
}

/// Lanes follow memory: operations on vectors and matrices touch hardly more cache lines than hold what they need, in every
/// transposition and mode.
#[test]
fn linear_algebra_touches_the_cache_lines_that_it_needs() {
    let (wide, narrow) = ("memref<f32x256x96>", "memref<f32x96x256>");
    let (long, short) = ("memref<f32x256>", "memref<f32x96>");
    for device in ["pvc", "bmg", "dg2"] {
        for (operation, types) in [
            ("sum.n %one, %a, %zero, %b", [wide, long, short]),
            ("sum.t %one, %a, %zero, %b", [narrow, long, short]),
            ("sum.n %one, %a, %zero, %b", [long, "memref<f32>", short]),
            ("gemv.n %one, %a, %c, %zero, %b", [wide, long, short]),
            ("gemv.t %one, %a, %c, %zero, %b", [narrow, long, short]),
            ("ger %one, %a, %c, %zero, %b", [long, wide, short]),
            ("hadamard %one, %a, %c, %zero, %b", [wide, wide, wide]),
            ("axpby.n %one, %a, %zero, %b", [wide, wide, short]),
            ("axpby.t %one, %a, %one, %b", [narrow, wide, short]),
            ("axpby.n %one, %a, %zero, %b", [long, long, short]),
            ("cumsum %one, %a, 0, %zero, %b", [wide, wide, short]),
            ("cumsum %one, %a, 1, %zero, %b", [wide, wide, short]),
        ] {
            let [a, b, c] = types;
            let text = format!(
                "func @f(%a: {a}, %b: {b}, %c: {c}) {{
                    %one = constant 1.0 : f32
                    %zero = constant 0.0 : f32
                    {operation}
                }}"
            );
            let session = Session::open(device);
            let ones = || Argument::address(session.upload(&vec![1.0f32; 256 * 96], f32::to_le_bytes));
            let counters = session.counters(&text, [1, 1, 1], &[ones(), ones(), ones()]);
            let sum = |count: fn(&Accesses) -> u64| counters.accesses.values().map(count).sum::<u64>();
            let (touched, needed) = (sum(|accesses| accesses.lines), sum(|accesses| accesses.compulsory));
            assert!(
                touched * 10 <= needed * 11,
                "{device}: {operation} touches {touched} lines for {needed}"
            );
        }
    }
}

/// Copies to local memory and the engine's loads of what they have copied have no bank conflicts, whichever way a factor lies.
#[test]
fn staged_factors_have_no_bank_conflicts() {
    for device in ["pvc", "bmg", "dg2"] {
        for (place, transposed) in [("%k,%j", ""), ("%j,%k", ".t")] {
            let text = format!(
                "func @f(%A: memref<f16x64x64>, %B: memref<f16x64x64>, %C: memref<f32x64x64>) {{
                    %As = alloca : memref<f16x64x32,local>
                    %Bs = alloca : memref<f16x{}x{},local>
                    %j = constant 0 : index
                    %sum = for %k=0,64,32 init(%s=0.0) -> (tile<f32x64x64,matrix_acc>) {{
                        tile_copy %A[0,%k], %As
                        tile_copy %B[{place}], %Bs
                        %a = tile_load %As[0,0] : 64 x 32
                        %b = tile_load{transposed} %Bs[0,0] : 32 x 64
                        %t = tile_dot %a, %b, %s
                        yield (%t)
                    }} attributes{{num_stages=2, pipeline=\"slm\"}}
                    tile_store %sum, %C[0,0]
                }}",
                if transposed.is_empty() { 32 } else { 64 },
                if transposed.is_empty() { 64 } else { 32 },
            );
            let session = Session::open(device);
            let factor = || session.upload(&[1.0; 64 * 64], |it| half::f16::from_f32(it).to_le_bytes());
            let sums = session.upload(&[0.0f32; 64 * 64], f32::to_le_bytes);
            let arguments = [factor(), factor(), sums].map(Argument::address);
            let banks = session.counters(&text, [1, 1, 1], &arguments).local_accesses;
            assert_eq!(banks.len(), 2, "{device}: loads and stores: {banks:?}");
            for (site, accesses) in &banks {
                assert_eq!(accesses.cycles, accesses.least, "{device}, B{transposed}: {site:?} {accesses:?}");
            }
        }
    }
}

/// Products of matrices whose sizes are known at run time only are right, and read by 2D blocks where they can be.
#[test]
fn products_of_unknown_sizes_read_surfaces_by_blocks() {
    let letters = |transposed: bool| if transposed { 't' } else { 'n' };
    for (device, is_f16) in [("pvc", true), ("pvc", false), ("bmg", true), ("dg2", true)] {
        for (m, n, k, pitch) in [(96, 40, 64, 0), (112, 40, 48, 16), (70, 33, 47, 1)] {
            for (a_turned, b_turned) in [(false, false), (false, true), (true, false), (true, true)] {
                let session = &Session::open(device);
                let shape = |rows: i64, cols: i64, turned| if turned { [cols, rows] } else { [rows, cols] };
                let (a_shape, b_shape) = (shape(m, k, a_turned), shape(k, n, b_turned));
                let fill = |[rows, cols]: [i64; 2], seed| -> Vec<f32> {
                    let entries = numbers((rows * cols) as usize, seed);
                    let columns = entries.chunks(rows as usize);
                    columns.flat_map(|column| [column, &vec![f32::NAN; pitch as usize]].concat()).collect()
                };
                let (a, b) = (fill(a_shape, 1), fill(b_shape, 2));
                let c = vec![f32::NAN; ((m + pitch) * n) as usize];
                let upload = |values: &[f32]| match is_f16 {
                    true => session.upload(values, |value| half::f16::from_f32(value).to_le_bytes()),
                    false => session.upload(values, f32::to_le_bytes),
                };
                let to = session.upload(&c, f32::to_le_bytes);
                let arguments: Vec<Argument> = [(upload(&a), a_shape), (upload(&b), b_shape), (to, [m, n])]
                    .into_iter()
                    .flat_map(|(address, [rows, cols])| {
                        let numbers = [rows, cols, rows + pitch].map(Argument::from);
                        [[Argument::address(address)].as_slice(), &numbers].concat()
                    })
                    .collect();
                let (ty, letter_a, letter_b) =
                    (if is_f16 { "f16" } else { "f32" }, letters(a_turned), letters(b_turned));
                let text = format!(
                    "func @f(%A: memref<{ty}x?x?>, %B: memref<{ty}x?x?>, %C: memref<f32x?x?>) {{
                        %one = constant 1.0 : {ty}
                        %zero = constant 0.0 : f32
                        gemm.{letter_a}.{letter_b} %one, %A, %B, %zero, %C
                    }}"
                );
                let counters = session.counters(&text, [1, 1, 1], &arguments);
                let found = session.download(to, c.len(), f32::from_le_bytes);
                let place = |[rows, _]: [i64; 2], i: i64, j: i64, turned| {
                    let [i, j] = if turned { [j, i] } else { [i, j] };
                    (i + j * (rows + pitch)) as usize
                };
                for (i, j) in (0..n).flat_map(|j| (0..m).map(move |i| (i, j))) {
                    let term = |l| a[place(a_shape, i, l, a_turned)] * b[place(b_shape, l, j, b_turned)];
                    let expected: f32 = (0..k).map(term).sum();
                    let entry = found[place([m, n], i, j, false)];
                    assert_eq!(entry, expected, "{device} {ty} {m}x{n}x{k} {letter_a}{letter_b} {i} {j}");
                }
                // Vector code has one-dimensional blocks as well.
                let by_blocks = counters.instructions.contains_key(&Class::BlockStore);
                let are_surfaces = device != "dg2" && pitch != 1;
                assert!(by_blocks == are_surfaces || by_blocks && !is_f16, "{device} {ty} {m}x{n}x{k}");
            }
        }
    }
}

/// Casts leave every entry at its row and column, also where the engine wants the rows of a factor B on other work-items
/// than those of sums.
#[test]
fn casts_leave_entries_where_they_are() {
    let (rows, products) = ([16, 32, 64], ["", "engine"]);
    for (device, precision) in [("pvc", "ieee"), ("pvc", "tf32"), ("bmg", "ieee"), ("dg2", "ieee")] {
        for (from, to) in
            [("f32xAxB,matrix_acc", "i8xAxB,matrix_b"), ("f32xAxB,matrix_acc", "f16xAxB,matrix_b")]
                .into_iter()
                .chain([("f32xAxB,matrix_acc", "f32xAxB,matrix_b"), ("f32xAxB,matrix_b", "i8xAxB,matrix_b")])
        {
            for (rows, cols, product) in
                rows.iter().flat_map(|&rows| products.map(|product| (rows, 5, product)))
            {
                let session = Session::open(device);
                let size = if device == "dg2" { 8 } else { 16 };
                let shaped = |ty: &str| ty.replace("xAxB", &format!("x{rows}x{cols}"));
                let (from, to) = (shaped(from), shaped(to));
                let (before, after) = (&from[..3], to.split('x').next().unwrap());
                // A product for the engine makes its back end that of the whole function.
                let product = if product.is_empty() {
                    String::new()
                } else {
                    format!(
                        "%x = constant 1.0 : coopmatrix<f16x{size}x16,matrix_a>
                         %y = constant 1.0 : coopmatrix<f16x16x8,matrix_b>
                         %z = constant 1.0 : coopmatrix<f32x{size}x8,matrix_acc>
                         %w = cooperative_matrix_mul_add %x, %y, %z : coopmatrix<f32x{size}x8,matrix_acc>
                         cooperative_matrix_store %w, %W[%zero,%zero]"
                    )
                };
                let text = format!(
                    "func @f(%A: memref<{before}x{rows}x{cols}>, %C: memref<{after}x{rows}x{cols}>, %W: memref<f32x16x8>)
                         attributes{{precision=\"{precision}\", subgroup_size={size}, work_group_size=[{size},1]}} {{
                        %zero = constant 0 : index
                        parallel {{
                            %a = cooperative_matrix_load %A[%zero,%zero] : coopmatrix<{from}>
                            %b = cast %a : coopmatrix<{to}>
                            cooperative_matrix_store %b, %C[%zero,%zero]
                            {product}
                        }}
                    }}"
                );
                let a: Vec<f32> = (0..rows * cols).map(|number| (number % 127) as f32).collect();
                let (from, to) = (
                    session.upload(&a, f32::to_le_bytes),
                    session.upload(&vec![0f32; a.len()], f32::to_le_bytes),
                );
                let sums = session.upload(&[0f32; 128], f32::to_le_bytes);
                let arguments = [from, to, sums].map(Argument::address);
                session.run(&text, 1, &arguments);
                let found: Vec<f32> = match after {
                    "i8" => {
                        session.download(to, a.len(), i8::from_le_bytes).into_iter().map(f32::from).collect()
                    }
                    "f16" => session
                        .download(to, a.len(), half::f16::from_le_bytes)
                        .into_iter()
                        .map(f32::from)
                        .collect(),
                    _ => session.download(to, a.len(), f32::from_le_bytes),
                };
                assert_eq!(found, a, "{device}\n{text}");
            }
        }
    }
}

/// Factors of type f32 are rounded where the program permits it, and nowhere else.
#[test]
fn tf32_is_computed_on_request_only() {
    let product = |attributes: &str| {
        format!(
            "func @f(%A: memref<f32x64x64>, %B: memref<f32x64x64>, %C: memref<f32x64x64>) {attributes} {{
                %one = constant 1.0 : f32
                %zero = constant 0.0 : f32
                gemm.n.n %one, %A, %B, %zero, %C
            }}"
        )
    };
    let tiles = |precision: &str, attributes: &str| {
        format!(
            "func @f(%A: memref<f32x64x64>, %B: memref<f32x64x64>, %C: memref<f32x64x64>) {attributes} {{
                %c0 = constant 0 : index
                %a = tile_load %A[%c0,%c0] : tile<f32x64x64,matrix_a>
                %b = tile_load %B[%c0,%c0] : tile<f32x64x64,matrix_b>
                %c = constant 0.0 : tile<f32x64x64,matrix_acc>
                %d = tile_dot %a, %b, %c {precision} : tile<f32x64x64,matrix_acc>
                tile_store %d, %C[%c0,%c0]
            }}"
        )
    };
    let tf32 = "attributes{precision=\"tf32\"}";
    for (text, device, is_rounded) in [
        (product(""), "pvc", false),
        (product("attributes{precision=\"ieee\"}"), "pvc", false),
        (product(tf32), "pvc", true),
        (product(tf32), "bmg", true),
        (product(tf32), "dg2", false),
        (tiles("", ""), "pvc", false),
        (tiles("", tf32), "pvc", true),
        (tiles("{precision=\"ieee\"}", ""), "pvc", false),
        (tiles("{precision=\"ieee\"}", tf32), "pvc", false),
        (tiles("{precision=\"tf32\"}", ""), "pvc", true),
        (tiles("{precision=\"tf32\"}", ""), "dg2", false),
        // The product that does not permit it is computed exactly, and so is the other.
        (
            tiles("{precision=\"tf32\"}", "").replace(
                "tile_store %d",
                "%one = constant 1.0 : f32
                 %zero = constant 0.0 : f32
                 gemm.n.n %one, %A, %B, %zero, %C
                 tile_store %d",
            ),
            "pvc",
            false,
        ),
    ] {
        let session = Session::open(device);
        // 1 + 2⁻¹³ is no number of tf32.
        let a = vec![1.0 + 1.0 / 8192.0; 64 * 64];
        let b: Vec<f32> = (0..64 * 64).map(|place| if place % 65 == 0 { 1.0 } else { 0.0 }).collect();
        let (a, b) = (session.upload(&a, f32::to_le_bytes), session.upload(&b, f32::to_le_bytes));
        let c = session.upload(&vec![0f32; 64 * 64], f32::to_le_bytes);
        let counters = session.counters(&text, [1, 1, 1], &[a, b, c].map(Argument::address));
        let found = session.download(c, 64 * 64, f32::from_le_bytes);
        let expected = if is_rounded { 1.0 } else { 1.0 + 1.0 / 8192.0 };
        assert!(found.iter().all(|&entry| entry == expected), "{device}: {}\n{text}", found[0]);
        assert_eq!(counters.instructions.contains_key(&Class::Matrix), is_rounded, "{device}\n{text}");
    }
}

/// Matrices of a packed batch that share a surface with their neighbours: the last one is read to its end, and nothing
/// behind it.
#[test]
fn batches_are_read_to_their_end_only() {
    const MEMBERS: usize = 3;
    for (device, ty, precision, k) in
        [("pvc", "f64", "ieee", 18), ("bmg", "f64", "ieee", 34), ("pvc", "f32", "tf32", 20)]
    {
        for cols in [1, 2, 3, 5, 9] {
            let session = Session::open(device);
            let text = format!(
                "func @f(%A: memref<{ty}x16x{k}>, %B: memref<{ty}x{k}x{cols}x?>, %C: memref<{ty}x16x{cols}x?>)
                     attributes{{precision=\"{precision}\"}} {{
                    %g = group_id.x : index
                    %b = subview %B[0:{k},0:{cols},%g] : memref<{ty}x{k}x{cols}>
                    %c = subview %C[0:16,0:{cols},%g] : memref<{ty}x16x{cols}>
                    %one = constant 1.0 : {ty}
                    %zero = constant 0.0 : {ty}
                    gemm.n.n %one, %A, %b, %zero, %c
                }}"
            );
            let a: Vec<f32> = (0..16 * k).map(|place| (place % 7) as f32 - 3.0).collect();
            let b: Vec<f32> = (0..k * cols * MEMBERS).map(|place| (place % 5) as f32 - 2.0).collect();
            let count = 16 * cols * MEMBERS;
            let upload = |values: &[f32]| match ty {
                "f64" => session.upload(values, |value| f64::from(value).to_le_bytes()),
                _ => session.upload(values, f32::to_le_bytes),
            };
            let (a_at, b_at, c_at) = (upload(&a), upload(&b), upload(&vec![0.0; count]));
            let members = || Argument::from(MEMBERS as i64);
            let arguments = [
                Argument::address(a_at),
                Argument::address(b_at),
                members(),
                Argument::address(c_at),
                members(),
            ];
            session.run(&text, MEMBERS as u32, &arguments);
            let found: Vec<f64> = match ty {
                "f64" => session.download(c_at, count, f64::from_le_bytes),
                _ => session.download(c_at, count, f32::from_le_bytes).into_iter().map(f64::from).collect(),
            };
            for (place, &entry) in found.iter().enumerate() {
                let (row, col) = (place % 16, place / 16);
                let sum: f32 = (0..k).map(|l| a[row + 16 * l] * b[l + k * col]).sum();
                assert_eq!(entry, f64::from(sum), "{device} {ty} {k} {cols}: {row}, {col}");
            }
        }
    }
}

/// The opcodes of a module's instructions.
fn opcodes(module: &[u8]) -> Vec<u32> {
    const HEADER: usize = 5;
    let words: Vec<u32> = module.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
    let (mut opcodes, mut at) = (Vec::new(), HEADER);
    while let Some(first) = words.get(at) {
        opcodes.push(first & 0xffff);
        at += (first >> 16) as usize;
    }
    opcodes
}

/// Sums are tiles and components in turn, in loops and branches; factors are made of them, carried, and looked at (decision 0022).
#[test]
fn sums_become_components_and_tiles_again() {
    const N: usize = 16;
    let text = "func @f(%A: memref<f16x16x16>, %B: memref<f16x16x16>, %C: memref<f32x16x16>, %D: memref<f32x16x16>, %n: i32)
        attributes{subgroup_size=8, work_group_size=[8,1]} {
        parallel {
            %x = constant 0 : index
            %from = constant 0 : i32
            %two = constant 2.0 : f32
            %seven = constant 7.0 : f32
            %a = cooperative_matrix_load %A[%x,%x] : coopmatrix<f16x16x16,matrix_a>
            %b = cooperative_matrix_load %B[%x,%x] : coopmatrix<f16x16x16,matrix_b>
            %c = cooperative_matrix_load %C[%x,%x] : coopmatrix<f32x16x16,matrix_acc>
            %sums,%last = for %i=%from,%n init(%s=%c,%f=%b) -> (coopmatrix<f32x16x16,matrix_acc>,coopmatrix<f16x16x16,matrix_b>) {
                %t = cooperative_matrix_mul_add %a, %f, %s : coopmatrix<f32x16x16,matrix_acc>
                %u = cooperative_matrix_scale %two, %t : coopmatrix<f32x16x16,matrix_acc>
                yield (%u,%f)
            }
            %some = greater_than %n, %from : bool
            %either = if %some -> (coopmatrix<f32x16x16,matrix_acc>) {
                %t = cooperative_matrix_mul_add %a, %last, %sums : coopmatrix<f32x16x16,matrix_acc>
                yield (%t)
            } else {
                yield (%sums)
            }
            %twice = cooperative_matrix_apply (%i,%j,%v)=%either -> coopmatrix<f32x16x16,matrix_acc> {
                %w = mul %v, %two : f32
                yield (%w)
            }
            cooperative_matrix_store %twice, %C[%x,%x]
            BRANCH
            %narrow = cast %c : coopmatrix<f16x16x16,matrix_a>
            %zero = constant 0.0 : coopmatrix<f32x16x16,matrix_acc>
            %d = cooperative_matrix_mul_add %narrow, %chosen, %zero : coopmatrix<f32x16x16,matrix_acc>
            %e = cooperative_matrix_extract %d[1] : f32
            %sum = add %e, %seven : f32
            %g = cooperative_matrix_insert %sum, %d[1] : coopmatrix<f32x16x16,matrix_acc>
            cooperative_matrix_store %g, %D[%x,%x]
        }
    }";
    // A factor that comes of a branch makes all products of its type vector code.
    let chosen =
        "%chosen = if %some -> (coopmatrix<f16x16x16,matrix_b>) { yield (%b) } else { yield (%last) }";
    for (branch, factor, tiles) in [("", "%last", true), (chosen, "%chosen", false)] {
        let text = text.replace("BRANCH", branch).replace("%chosen, %zero", &format!("{factor}, %zero"));
        let module = compile(&text, "arl-h").unwrap_or_else(|error| panic!("{error}\n{text}"));
        const MUL_ADD: u32 = 4459;
        assert_eq!(opcodes(&module).contains(&MUL_ADD), tiles, "{branch}");
        for turns in [0usize, 1, 3] {
            let (a, b, c) = (numbers(N * N, 1), numbers(N * N, 2), numbers(N * N, 3));
            let product = |a: &[f32], b: &[f32]| -> Vec<f32> {
                let entry = |at: usize| (0..N).map(|k| a[at % N + k * N] * b[k + at / N * N]).sum();
                (0..N * N).map(entry).collect()
            };
            let ab = product(&a, &b);
            let mut sums = c.clone();
            for _ in 0..turns {
                sums = sums.iter().zip(&ab).map(|(sum, entry)| 2.0 * (sum + entry)).collect();
            }
            if turns > 0 {
                sums = sums.iter().zip(&ab).map(|(sum, entry)| sum + entry).collect();
            }
            sums.iter_mut().for_each(|sum| *sum *= 2.0);
            // Component 1 of a work-item is column 1 of its row.
            let mut other = product(&c, &b);
            other[N..N + 8].iter_mut().for_each(|entry| *entry += 7.0);

            let session = Session::open("arl-h");
            let half = |value: f32| half::f16::from_f32(value).to_le_bytes();
            let (a, b) = (session.upload(&a, half), session.upload(&b, half));
            let (c, d) = (session.upload(&c, f32::to_le_bytes), session.upload(&c, f32::to_le_bytes));
            let [a, b, at, to] = [a, b, c, d].map(Argument::address);
            session.run(&text, 1, &[a, b, at, to, Argument::from(turns as i32)]);
            assert_eq!(session.download(c, N * N, f32::from_le_bytes), sums, "{turns} turns");
            assert_eq!(session.download(d, N * N, f32::from_le_bytes), other, "{turns} turns");
        }
    }
}

/// Columns of fewer rows than there are work-items come and go by the messages for contiguous memory; rows that are not there are zero
/// where somebody sees them, and not written.
#[test]
fn short_columns_are_read_and_written_exactly() {
    let shapes = [
        ("f32", 8, 8),
        ("f32", 4, 8),
        ("f32", 8, 2),
        ("f32", 1, 16),
        ("f32", 8, 3),
        ("f64", 8, 8),
        ("f64", 2, 8),
    ];
    let all = shapes.into_iter().flat_map(|shape| ["matrix_a", "matrix_acc"].map(|usage| (shape, usage)));
    for ((scalar, rows, cols), usage) in all {
        let text = format!(
            "func @f(%A: memref<{scalar}x{rows}x{cols}x?>, %B: memref<{scalar}x16x{cols}>, %C: memref<{scalar}x{rows}x{cols}x?>)
                attributes{{subgroup_size=16, work_group_size=[16,1]}} {{
                parallel {{
                    %x = constant 0 : index
                    %g = constant 1 : index
                    %a = subview %A[0:{rows},0:{cols},%g] : memref<{scalar}x{rows}x{cols}>
                    %c = subview %C[0:{rows},0:{cols},%g] : memref<{scalar}x{rows}x{cols}>
                    %m = cooperative_matrix_load.rows_checked %a[%x,%x] : coopmatrix<{scalar}x16x{cols},{usage}>
                    cooperative_matrix_store %m, %B[%x,%x]
                    %n = add %m, %m : coopmatrix<{scalar}x16x{cols},{usage}>
                    cooperative_matrix_store.rows_checked %n, %c[%x,%x]
                }}
            }}"
        );
        let (rows, cols) = (rows as usize, cols as usize);
        let given = numbers(3 * rows * cols, 4);
        let session = Session::open("pvc");
        let upload = |values: &[f32]| match scalar {
            "f32" => session.upload(values, f32::to_le_bytes),
            _ => session.upload(values, |value| f64::from(value).to_le_bytes()),
        };
        let download = |address, count| -> Vec<f32> {
            match scalar {
                "f32" => session.download(address, count, f32::from_le_bytes),
                _ => session.download(address, count, |bytes| f64::from_le_bytes(bytes) as f32),
            }
        };
        let (a, b, c) = (upload(&given), upload(&[9.0; 16 * 16]), upload(&given));
        let [from, all, to] = [a, b, c].map(Argument::address);
        session.run(&text, 1, &[from, Argument::from(3i64), all, to, Argument::from(3i64)]);
        let member = &given[rows * cols..2 * rows * cols];
        let entry = |at: usize| if at % 16 < rows { member[at % 16 + at / 16 * rows] } else { 0.0 };
        let expected: Vec<f32> = (0..16 * cols).map(entry).collect();
        assert_eq!(download(b, 16 * cols), expected, "{scalar} {rows}×{cols}");
        let mut expected = given.clone();
        expected[rows * cols..2 * rows * cols].iter_mut().for_each(|entry| *entry *= 2.0);
        assert_eq!(download(c, given.len()), expected, "{scalar} {rows}×{cols}");
    }
}
