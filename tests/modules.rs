//! Modules of the compiler as virtual-xe sees them: the calling convention (API reference 8), the launch
//! geometry and the local memory.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use tiletc::device::{Avoidance, Avoidances, CoreFeatures, CoreInfo};
use tiletc::diagnostics::{Location, SourceId};
use tiletc::driver::{self, Options};
use tiletc::ir::{Ir, Memref, Op, Program, SubgroupSize, WorkGroupSize};
use tiletc::recipe::{Batched, Recipe, Shape, SmallGemmBatched};
use tiletc::status::Status;
use virtual_xe::{Capability, Kernel, Module};

fn pvc() -> CoreInfo {
    CoreInfo::from_name("pvc").unwrap()
}

fn compile(text: &str) -> Result<(Ir, Program, Module), driver::Error> {
    let mut ir = Ir::default();
    let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes())?;
    let module = driver::compile(&mut ir, &program, &pvc(), &Options::default())?;
    common::validate(&module);
    let module = Module::parse(&module.assemble()).unwrap_or_else(|error| panic!("{text}: {error}"));
    Ok((ir, program, module))
}

/// The arguments that a parameter of a type becomes.
fn arguments(ty: &str) -> Result<Vec<String>, driver::Error> {
    let (_, _, module) = compile(&format!("func @k(%x: {ty}) {{ }}"))?;
    let [kernel] = module.kernels() else { panic!("{} kernels", module.kernels().len()) };
    Ok(kernel.parameters().iter().map(ToString::to_string).collect())
}

/// `pointer` and so many 64-bit integers.
fn with_sizes(pointer: &str, sizes: usize) -> Vec<&str> {
    std::iter::once(pointer).chain(std::iter::repeat_n("i64", sizes)).collect()
}

#[test]
fn scalars_are_one_argument() {
    let rows = [
        ("i8", "i8"),
        ("i16", "i16"),
        ("i32", "i32"),
        ("i64", "i64"),
        ("index", "i64"),
        ("f16", "f16"),
        ("f32", "f32"),
        ("f64", "f64"),
    ];
    for (ty, argument) in rows {
        assert_eq!(arguments(ty).unwrap(), [argument], "{ty}");
    }
    assert_eq!(arguments("bool").unwrap_err().status(), Status::IrBooleanUnsupported);
}

#[test]
fn memrefs_are_a_pointer_and_their_dynamic_sizes() {
    let rows = [
        ("memref<f64>", "f64 global*", 0),
        ("memref<f32x7x3>", "f32 global*", 0),
        ("memref<f32x7x?>", "f32 global*", 1),
        ("memref<f32x?x3>", "f32 global*", 2),
        ("memref<f32x?x3,strided<1,64>>", "f32 global*", 1),
        ("memref<f32x?x?>", "f32 global*", 3),
        ("memref<i16x?x5x?,strided<1,20,100>>", "i16 global*", 2),
        ("memref<f32x4x?x6>", "f32 global*", 2),
        ("memref<f32x4x?x6,strided<1,4,?>>", "f32 global*", 2),
    ];
    for (ty, pointer, sizes) in rows {
        assert_eq!(arguments(ty).unwrap(), with_sizes(pointer, sizes), "{ty}");
    }
}

#[test]
fn groups_are_tables_then_size_and_offset() {
    let (pointers, table) = ("f32 global* global*", "i64 global*");
    let rows: [(&str, &[&str]); 6] = [
        ("group<memref<f32x4x4>x8>", &[pointers]),
        ("group<memref<f32x4x4>x?>", &[pointers, "i64"]),
        ("group<memref<f32x?>x?, offset: ?>", &[pointers, table, "i64", "i64"]),
        ("group<memref<f32x8x?x9>x8>", &[pointers, table, table]),
        ("group<memref<f32x9>x5, offset: ?>", &[pointers, "i64"]),
        ("group<memref<f32x9>x?, offset: 42>", &[pointers, "i64"]),
    ];
    for (ty, expected) in rows {
        assert_eq!(arguments(ty).unwrap(), expected, "{ty}");
    }
}

#[test]
fn bf16_is_passed_as_its_bits_and_complex_as_a_vector() {
    for (ty, expected) in [("bf16", "i16"), ("c32", "f32x2"), ("c64", "f64x2")] {
        assert_eq!(arguments(ty).unwrap(), [expected], "{ty}");
    }
}

/// The work-group size and subgroup size that the passes have put on a function.
fn geometry(ir: &Ir, program: &Program, index: usize) -> ([u32; 3], u32) {
    let attributes = &ir[program.functions[index]].attributes;
    let (WorkGroupSize([x, y]), SubgroupSize(size)) =
        (attributes.work_group_size.unwrap(), attributes.subgroup_size.unwrap());
    ([x.cast_unsigned(), y.cast_unsigned(), 1], size.cast_unsigned())
}

/// End of the last allocation of a function.
fn high_water_mark(ir: &Ir, program: &Program, index: usize) -> u64 {
    let mut mark = 0;
    ir.walk(ir[program.functions[index]].body, &mut |inst| {
        if let Op::Alloca(alloca) = &ir[inst].op {
            let bytes = ir.ty(ir[inst].results[0]).memref().and_then(Memref::size_in_bytes).unwrap();
            mark = mark.max(u64::try_from(alloca.stack_ptr.unwrap() + bytes).unwrap());
        }
    });
    mark
}

fn check(ir: &Ir, program: &Program, module: &Module) {
    assert_eq!(module.kernels().len(), program.functions.len());
    for (index, kernel) in module.kernels().iter().enumerate() {
        let (local_size, subgroup_size) = geometry(ir, program, index);
        assert_eq!(kernel.name(), ir[program.functions[index]].name);
        assert_eq!(kernel.local_size(), Some(local_size));
        assert_eq!(kernel.subgroup_size(), Some(subgroup_size));
        assert_eq!(local_size[0] % subgroup_size, 0);
        assert_eq!(kernel.local_memory(), high_water_mark(ir, program, index));
    }
}

/// The chain of two products of the first milestone.
const FUSED: &str = "\
func @fused(%K: memref<f32x56x56>, %P: memref<f32x56x9x?>, %A: group<memref<f32x9x9>x?>,
            %Q: memref<f32x56x9x?>) {
    %gid = group_id.x : index
    %p = subview %P[0:56,0:9,%gid] : memref<f32x56x9>
    %a = load %A[%gid] : memref<f32x9x9>
    %q = subview %Q[0:56,0:9,%gid] : memref<f32x56x9>
    %tmp = alloca : memref<f32x56x9,local>
    %c0 = constant 0.0 : f32
    %c1 = constant 1.0 : f32
    gemm.n.n %c1, %K, %p, %c0, %tmp
    gemm.n.n %c1, %tmp, %a, %c1, %q
}
";

#[test]
fn geometry_and_local_memory_of_the_fused_kernel() {
    let (ir, program, module) = compile(FUSED).unwrap();
    check(&ir, &program, &module);
    let kernel = &module.kernels()[0];
    // One subgroup takes all four blocks of rows.
    assert_eq!(kernel.local_size(), Some([16, 1, 1]));
    // Narrowed for 2D block messages; `work-group-size` prints 32.
    assert_eq!(kernel.subgroup_size(), Some(16));
    // What lies between the products stays in registers, unless somebody else reads it.
    assert_eq!(kernel.local_memory(), 0);
    let (_, _, module) = compile(&FUSED.replace("%p, %c0, %tmp", "%p, %c1, %tmp")).unwrap();
    assert_eq!(module.kernels()[0].local_memory(), 56 * 9 * 4);
    let pointer = "f32 global*";
    let arguments: Vec<String> = kernel.parameters().iter().map(ToString::to_string).collect();
    assert_eq!(arguments, [pointer, pointer, "i64", "f32 global* global*", "i64", pointer, "i64"]);
}

#[test]
fn a_subgroup_takes_eight_blocks_of_rows_of_a_small_product() {
    for (rows, work_items) in [(1, 16), (120, 16), (128, 16), (129, 32), (256, 32), (257, 64)] {
        let text = format!(
            "func @star(%A: memref<f32x9x9>, %P: memref<f32x{rows}x9>, %Q: memref<f32x{rows}x9>) {{
                %one = constant 1.0 : f32
                gemm.n.n %one, %P, %A, %one, %Q
            }}"
        );
        let (_, _, module) = compile(&text).unwrap();
        assert_eq!(module.kernels()[0].local_size(), Some([work_items, 1, 1]), "{rows} rows");
    }
}

#[test]
fn fewer_subgroups_take_one_product_in_f64_with_few_entries_of_a_transposed_factor() {
    let product = "gemm.n.TRANSPOSE %one, %P, %A, %one, %Q\n";
    for (transpose, cols, products, work_items) in
        [("n", 9, 1, 16), ("n", 9, 2, 64), ("t", 8, 1, 16), ("t", 9, 1, 64)]
    {
        let text = format!(
            "func @star(%A: memref<f64x{cols}x{cols}>, %P: memref<f64x56x{cols}>, %Q: memref<f64x56x{cols}>) {{
                %one = constant 1.0 : f64
                {}
            }}",
            product.replace("TRANSPOSE", transpose).repeat(products)
        );
        let (_, _, module) = compile(&text).unwrap();
        let local_size = module.kernels()[0].local_size();
        assert_eq!(local_size, Some([work_items, 1, 1]), "{products} n.{transpose}, {cols} columns");
    }
}

#[test]
fn attributes_of_the_source_are_kept() {
    let text = "func @k(%x: memref<f64>) attributes{subgroup_size=16, work_group_size=[48,3]} { }";
    let (ir, program, module) = compile(text).unwrap();
    check(&ir, &program, &module);
    assert_eq!(module.kernels()[0].local_size(), Some([48, 3, 1]));
    assert_eq!(module.kernels()[0].subgroup_size(), Some(16));
}

#[test]
fn each_kernel_has_its_own_local_memory() {
    // Both live at once: the second one starts at the next multiple of its alignment.
    let text = "\
func @both(%x: memref<f32x11>, %y: memref<f64x3>) {
    %c0 = constant 0.0 : f32
    %c1 = constant 1.0 : f32
    %d0 = constant 0.0 : f64
    %d1 = constant 1.0 : f64
    %a = alloca : memref<f32x11,local>
    %b = alloca : memref<f64x3,local>
    axpby.n %c1, %x, %c0, %a
    axpby.n %d1, %y, %d0, %b
    axpby.n %c1, %a, %c0, %x
    axpby.n %d1, %b, %d0, %y
}
func @neither(%x: memref<f32x10>) { }
func @in_turn(%x: memref<f32x10>) {
    %c0 = constant 0.0 : f32
    %c1 = constant 1.0 : f32
    %a = alloca : memref<f32x10,local>
    axpby.n %c1, %x, %c0, %a
    axpby.n %c1, %a, %c0, %x
    %b = alloca : memref<f32x10,local>
    axpby.n %c1, %x, %c0, %b
    axpby.n %c1, %b, %c0, %x
}
";
    let (ir, program, module) = compile(text).unwrap();
    check(&ir, &program, &module);
    let sizes: Vec<u64> = module.kernels().iter().map(Kernel::local_memory).collect();
    assert_eq!(sizes, [48 + 24, 0, 40]);
}

#[test]
fn capabilities_follow_the_types() {
    let (_, _, module) = compile("func @k(%x: f32) { }").unwrap();
    let basic = [Capability::Addresses, Capability::Kernel, Capability::Int64];
    assert!(basic.iter().all(|capability| module.capabilities().contains(capability)));
    for (ty, capability) in [
        ("f64", Capability::Float64),
        ("f16", Capability::Float16),
        ("i16", Capability::Int16),
        ("i8", Capability::Int8),
    ] {
        assert!(!module.capabilities().contains(&capability), "{ty}");
        let (_, _, module) = compile(&format!("func @k(%x: {ty}) {{ }}")).unwrap();
        assert!(module.capabilities().contains(&capability), "{ty}");
    }
    assert!(module.version() <= (1, 4));
}

#[test]
fn both_kernels_of_a_recipe_take_the_same_arguments() {
    let place = Batched { leading: 8, stride: 64 };
    let recipe = SmallGemmBatched {
        number: tiletc::ir::Scalar::F64,
        transpose_a: tiletc::ir::Transpose::N,
        transpose_b: tiletc::ir::Transpose::T,
        m: 8,
        n: 8,
        k: 8,
        a: place,
        b: place,
        c: place,
        per_group: 1,
        side_by_side: 1,
    };
    let mut ir = Ir::default();
    let compiled =
        Shape::from(recipe).compile(&mut ir, Location::default(), &pvc(), &Options::default()).unwrap();
    let module = Module::parse(&compiled.module.assemble()).unwrap();
    check(&ir, &compiled.program, &module);
    let names: Vec<&str> = module.kernels().iter().map(Kernel::name).collect();
    assert_eq!(names, [Recipe::KERNEL, Recipe::KERNEL_BETA0]);
    for kernel in module.kernels() {
        let arguments: Vec<String> = kernel.parameters().iter().map(ToString::to_string).collect();
        let pointer = "f64 global*";
        assert_eq!(arguments, ["f64", pointer, "i64", pointer, "i64", "f64", pointer, "i64"]);
    }
}

/// Fragments of 16 bits, which messages read into variables.
#[test]
fn accesses_of_variables_claim_the_alignment_of_their_types() {
    let text = "func @f(%D: memref<bf16x32x2>) attributes{subgroup_size=16, work_group_size=[32,2]} {
        %zero = constant 0 : index
        parallel {
            %ones = constant 1.0 : coopmatrix<bf16x32x7,matrix_acc>
            %half = constant 0.5 : bf16
            %halves = cooperative_matrix_scale %half, %ones : coopmatrix<bf16x32x7,matrix_acc>
            %wide = cast %halves : coopmatrix<f32x32x7,matrix_acc>
            %narrow = cast %wide : coopmatrix<bf16x32x7,matrix_acc>
            %rows = cooperative_matrix_reduce_add.row %narrow : coopmatrix<bf16x32x1,matrix_acc>
            cooperative_matrix_store.both_checked %rows, %D[%zero,%zero]
        }
        %A = alloca : memref<bf16x5x32,local>
        %B = alloca : memref<bf16x5x2,local>
        %beta = constant 1.0 : bf16
        %alpha = constant 1 : i8
        gemm.t %alpha, %A, %B, %beta, %D
    }";
    let mut ir = Ir::default();
    let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
    let module = driver::compile(&mut ir, &program, &pvc(), &Options::default()).unwrap().disassemble();
    let words = |id: &str| -> Vec<&str> {
        let line = module.lines().find(|line| line.starts_with(&format!("{id} = "))).unwrap();
        line.split_whitespace().collect()
    };
    let variables = module.lines().filter(|line| line.contains("= OpVariable") && line.ends_with("Function"));
    let is_of_16_bits = |variable: &&str| {
        let pointee = words(words(variable)[3])[4];
        words(pointee)[3] == "16"
    };
    let variables: Vec<&str> =
        variables.map(|line| line.split(' ').next().unwrap()).filter(is_of_16_bits).collect();
    assert!(!variables.is_empty(), "{module}");
    for variable in variables {
        let mut stores = module.lines().filter(|line| line.starts_with(&format!("OpStore {variable} ")));
        assert!(stores.all(|line| line.ends_with("Aligned 2")), "{module}");
    }
}

/// Loads and casts by themselves, of which level 0 removes none: what the code for them needs, such as the number of the
/// work-item, is there whatever else the function does.
#[test]
fn every_matrix_is_loaded_and_cast_alone() {
    let uses = ["matrix_a", "matrix_b", "matrix_acc"];
    let types = ["i8", "i16", "i32", "f16", "bf16", "f32", "f64"];
    let shapes = [8, 16, 32, 64].into_iter().flat_map(|rows| [1, 2, 5, 8].map(|cols| (rows, cols)));
    for (device, size, precision) in
        [("pvc", 16, "ieee"), ("pvc", 16, "tf32"), ("bmg", 32, "ieee"), ("dg2", 8, "ieee")]
    {
        let info = CoreInfo::from_name(device).unwrap();
        let mut text = String::new();
        for (rows, cols) in shapes.clone() {
            for from in types.iter().filter(|&&ty| ty != "f64" || device != "dg2") {
                for usage in uses {
                    for access in ["", ".both_checked", ".t"] {
                        text += &function(
                            &format!("memref<{from}x?x?>"),
                            (size, precision),
                            &format!(
                                "%m = cooperative_matrix_load{access} %A[%x,%x] : coopmatrix<{from}x{rows}x{cols},{usage}>"
                            ),
                        );
                    }
                }
                let factors = types.iter().filter(|&&ty| ty != "f64" || device != "dg2");
                let casts =
                    [("matrix_b", "matrix_b")].into_iter().chain(uses.map(|usage| ("matrix_acc", usage)));
                for (to, (source, usage)) in factors.flat_map(|to| casts.clone().map(move |uses| (to, uses)))
                {
                    text += &function(
                        &format!("memref<{from}x?x?>"),
                        (size, precision),
                        &format!(
                            "%s = constant 1{} : {from}
                         %m = cooperative_matrix_construct %s : coopmatrix<{from}x{rows}x{cols},{source}>
                         %n = cast %m : coopmatrix<{to}x{rows}x{cols},{usage}>",
                            if from.starts_with('i') { "" } else { ".0" },
                        ),
                    );
                }
            }
        }
        let text = text.split("func @f").enumerate().skip(1);
        let text: String = text.map(|(number, rest)| format!("func @f{number}{rest}")).collect();
        let mut ir = Ir::default();
        let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
        let options = Options { level: 0, ..Options::default() };
        let module = driver::compile(&mut ir, &program, &info, &options).unwrap();
        common::validate(&module);
    }
}

/// A function of one subgroup that all work-items run.
fn function(memref: &str, (size, precision): (i32, &str), body: &str) -> String {
    format!(
        "func @f(%A: {memref}, %x: index)
             attributes{{precision=\"{precision}\", subgroup_size={size}, work_group_size=[{size},1]}} {{
            parallel {{ {body} }}
        }}\n"
    )
}

/// A product of matrices of known sizes as `gemm` and as a product of tiles of their sizes.
fn products([a, c]: [&str; 2], [m, n, k]: [usize; 3], [ta, tb]: [bool; 2]) -> [String; 3] {
    let memref = |ty: &str, is_transposed: bool, [rows, cols]: [usize; 2]| match is_transposed {
        true => format!("memref<{ty}x{cols}x{rows}>"),
        false => format!("memref<{ty}x{rows}x{cols}>"),
    };
    let (types, word) = ([memref(a, ta, [m, k]), memref(a, tb, [k, n])], |t| if t { "t" } else { "n" });
    let head = format!("func @k(%A: {}, %B: {}, %C: memref<{c}x{m}x{n}>) {{", types[0], types[1]);
    let number =
        |ty: &str, value: u8| if ty.starts_with('i') { format!("{value}") } else { format!("{value}.0") };
    let (one, zero, dot) = (number(a, 1), number(c, 0), |t| if t { ".t" } else { "" });
    let sums = format!("tile<{c}x{m}x{n},matrix_acc>");
    let step = if k % 32 == 0 { 32.min(k / 2) } else { k / 4 };
    let (at_a, at_b) = (if ta { "%k,%o" } else { "%o,%k" }, if tb { "%o,%k" } else { "%k,%o" });
    [
        format!(
            "{head} %one = constant {one} : {a} %zero = constant {zero} : {c}
             gemm.{}.{} %one, %A, %B, %zero, %C }}",
            word(ta),
            word(tb)
        ),
        format!(
            "{head} %o = constant 0 : index %zero = constant {zero} : {sums}
             %a = tile_load{}.unchecked %A[%o,%o] : tile<{a}x{m}x{k},matrix_a>
             %b = tile_load{}.unchecked %B[%o,%o] : tile<{a}x{k}x{n},matrix_b>
             %c = tile_dot %a, %b, %zero : {sums}
             tile_store.unchecked %c, %C[%o,%o] }}",
            dot(ta),
            dot(tb)
        ),
        format!(
            "{head} %o = constant 0 : index %zero = constant {zero} : {sums}
             %to = constant {k} : index %step = constant {step} : index
             %sum = for %k=%o,%to,%step init(%s=%zero) -> ({sums}) {{
                 %a = tile_load{}.unchecked %A[{at_a}] : tile<{a}x{m}x{step},matrix_a>
                 %b = tile_load{}.unchecked %B[{at_b}] : tile<{a}x{step}x{n},matrix_b>
                 %c = tile_dot %a, %b, %s : {sums}
                 yield (%c)
             }}
             tile_store.unchecked %sum, %C[%o,%o] }}",
            dot(ta),
            dot(tb)
        ),
    ]
}

/// Products of all types and transposes have one schedule and, within 3 %, the same instructions, in whatever way the program says
/// them.
#[test]
fn gemm_and_products_of_tiles_are_one() {
    let types = [
        (["f32", "f32"], [56, 9, 56]),
        (["f64", "f64"], [56, 9, 20]),
        (["f32", "f32"], [64, 64, 64]),
        (["f64", "f64"], [64, 64, 32]),
        (["f16", "f32"], [32, 32, 32]),
        (["bf16", "f32"], [64, 64, 64]),
        (["bf16", "f32"], [256, 256, 256]),
        (["bf16", "f32"], [128, 128, 64]),
        (["bf16", "f32"], [128, 256, 16]),
        (["i8", "i32"], [64, 64, 64]),
    ];
    for (ty, size) in types {
        for transposes in [[false, false], [false, true], [true, false], [true, true]] {
            for name in ["pvc", "bmg", "dg2"] {
                let device = CoreInfo::from_name(name).unwrap();
                let compiled = products(ty, size, transposes).map(|text| {
                    let mut ir = Ir::default();
                    let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
                    match driver::compile(&mut ir, &program, &device, &Options::default()) {
                        Ok(module) => {
                            common::validate(&module);
                            let attributes = &ir[program.functions[0]].attributes;
                            let sizes =
                                (attributes.subgroup_size, attributes.work_group_size, attributes.grf_size);
                            Some((format!("{sizes:?}"), module.assemble().len()))
                        }
                        Err(error) if error.status() == Status::SpirvRequiredFeatureUnavailable => None,
                        Err(error) => panic!("{text}: {error}"),
                    }
                });
                let [Some((gemm, words)), tiles @ ..] = compiled else { continue };
                for (tiles, way) in tiles.into_iter().zip(["at once", "in a loop"]) {
                    let what = format!("{ty:?} {size:?} {transposes:?} {way} on {name}");
                    let Some((tiles, tile_words)) = tiles else { panic!("{what} is refused") };
                    assert_eq!(gemm, tiles, "{what}");
                    let difference = words.abs_diff(tile_words);
                    assert!(difference * 100 <= words * 3, "{what}: {words} and {tile_words} words");
                }
            }
        }
    }
}

/// One component of a matrix that every work-item holds as a whole is an entry of each lane, whatever its size.
#[test]
fn a_component_costs_as_many_broadcasts_as_there_are_lanes() {
    let text =
        "func @f(%two: f32, %C: memref<f32x4x32>) attributes{subgroup_size=16, work_group_size=[16,1]} {
        parallel {
            %o = constant 0 : index
            %one = constant 1.0 : f32
            %b = cooperative_matrix_construct %two : coopmatrix<f32x4x32,matrix_b>
            %x = cooperative_matrix_extract %b[5] : f32
            %y = add %x, %one : f32
            %c = cooperative_matrix_insert %y, %b[7] : coopmatrix<f32x4x32,matrix_b>
            cooperative_matrix_store %c, %C[%o,%o]
        }
    }";
    let mut ir = Ir::default();
    let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
    let device = CoreInfo::from_name("tgl").unwrap();
    let module = driver::compile(&mut ir, &program, &device, &Options::default()).unwrap();
    let broadcasts = module.disassemble().matches("OpGroupBroadcast").count();
    assert_eq!(broadcasts, 16);
}

/// The names of the instructions of a program's module, on a device whose kernels avoid some.
fn instructions(text: &str, avoided: &[Avoidance]) -> String {
    module_without(text, avoided).disassemble()
}

fn module_without(text: &str, avoided: &[Avoidance]) -> driver::Module {
    let mut ir = Ir::default();
    let program = driver::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
    let mut info = pvc();
    info.avoid(Avoidances::of(avoided));
    let module = driver::compile(&mut ir, &program, &info, &Options::default()).unwrap();
    common::validate(&module);
    module
}

#[test]
fn what_is_avoided_is_in_no_module() {
    use Avoidance as A;
    let product = |layout: &str, ty: &str, accumulator: &str, attributes: &str| {
        format!(
            "func @gemm(%A: memref<{ty}x256x256>, %B: memref<{ty}x256x256>, %C: memref<{accumulator}x256x256>) {attributes}{{
                 gemm.{layout} 1.0, %A, %B, 0.0, %C
             }}"
        )
    };
    let tf32 = "attributes{precision=\"tf32\"} ";
    let bf16 = product("n.n", "bf16", "f32", "");
    let transposed = product("t.n", "bf16", "f32", "");
    let rounded = product("n.n", "f32", "f32", tf32);
    let narrow =
        "func @narrow(%A: memref<f32x48x4>, %B: memref<f32x4x4>, %C: memref<f32x48x4,strided<1,?>>) {
                      gemm.n.n 1.0, %A, %B, 0.0, %C
                  }";
    let cast = "func @cast(%A: memref<bf16x64>, %B: memref<f32x64>) {
                    foreach (%i)=(0),(64) { %a = load %B[%i] %b = cast %a : bf16 store %b, %A[%i] }
                }";
    let rows: [(A, &str, &[&str]); 10] = [
        (A::MatrixEngine, &bf16, &["SubgroupMatrixMultiplyAccumulateINTEL", "CooperativeMatrixMulAddKHR"]),
        (A::SubgroupMma, &bf16, &["SubgroupMatrixMultiplyAccumulateINTEL"]),
        (A::Block2d, &bf16, &["Subgroup2DBlock"]),
        (A::Block2dTranspose, &transposed, &["Subgroup2DBlockLoadTransposeINTEL"]),
        (A::Block2dTransform, &bf16, &["Subgroup2DBlockLoadTransformINTEL"]),
        (A::Block2dStore, &bf16, &["Subgroup2DBlockStoreINTEL"]),
        (A::Block2dPrefetch, &bf16, &["Subgroup2DBlockPrefetchINTEL"]),
        (A::Block1d, narrow, &["SubgroupBlockReadINTEL"]),
        (A::Tf32Rounding, &rounded, &["RoundFToTF32INTEL"]),
        (A::Bfloat16Conversion, cast, &["ConvertFToBF16INTEL"]),
    ];
    for (class, text, names) in rows {
        let has = |module: &str| names.iter().any(|name| module.contains(name));
        assert!(has(&instructions(text, &[])), "{}: {names:?} are not in\n{text}", class.spelling());
        assert!(!has(&instructions(text, &[class])), "{}: {names:?} are in\n{text}", class.spelling());
    }
    let split = "func @halves() attributes{subgroup_size=16, work_group_size=[32,1]} {
                     parallel { barrier_arrive barrier_wait }
                 }";
    for (avoided, found) in [(&[][..], true), (&[A::SplitBarrier][..], false)] {
        assert_eq!(instructions(split, avoided).contains("ControlBarrierArriveINTEL"), found);
    }
    let large = product("n.n", "f32", "f32", "attributes{grf_size=256} ");
    for (avoided, features) in
        [(&[][..], CoreFeatures::LARGE_REGISTER_FILE), (&[A::LargeRegisterFile][..], CoreFeatures::default())]
    {
        assert_eq!(module_without(&large, avoided).core_features(), features);
    }
    let mut large = pvc();
    large.avoid(Avoidances::of(&[A::LargeRegisterFile]));
    large.set_core_features(CoreFeatures::LARGE_REGISTER_FILE);
    assert!(!large.has_large_register_file() && large.core_features() == CoreFeatures::default());
}
