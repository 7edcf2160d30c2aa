//! The builder makes every program that a text can say, and refuses what the parser refuses.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;
use tiletc::diagnostics::{Location, SourceId};
use tiletc::driver;
use tiletc::ir::*;
use tiletc::status::Status;

#[path = "common/examples.rs"]
mod examples;

/// Every program of the filetests that the parser takes and of the manual, in an arena of its own.
fn accepted() -> Vec<(String, Ir, Program)> {
    fn visit(folder: &Path, programs: &mut Vec<(String, Ir, Program)>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                visit(&path, programs);
            } else if path.extension().is_some_and(|extension| extension == "ir") {
                let mut ir = Ir::default();
                let text = std::fs::read(&path).unwrap();
                if let Ok(program) = driver::parse(&mut ir, SourceId::UNKNOWN, &text) {
                    programs.push((path.display().to_string(), ir, program));
                }
            }
        }
    }
    let mut programs = Vec::new();
    visit(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests"), &mut programs);
    programs.extend(examples::all().into_iter().map(|example| {
        let (ir, program) = example.parse();
        (example.place, ir, program)
    }));
    assert!(programs.len() > 300, "{}", programs.len());
    programs
}

/// Builds programs anew, instruction by instruction.
struct Rebuilding<'a> {
    from: &'a Ir,
    to: Ir,
    values: HashMap<Value, Value>,
}

impl Rebuilding<'_> {
    fn function(&mut self, func: Func) -> Func {
        let data = &self.from[func];
        let types = self.types(&self.from[data.body].parameters);
        let copy = self.to.create_function(&data.name, &types, Location::default());
        self.to[copy].attributes = rebuilt_attributes(&data.attributes);
        self.to[copy].parameter_attributes =
            data.parameter_attributes.iter().map(rebuilt_attributes).collect();
        self.region(data.body, self.to[copy].body);
        copy
    }

    fn types(&self, values: &[Value]) -> Vec<Type> {
        values.iter().map(|&value| rebuilt_type(self.from.ty(value))).collect()
    }

    fn region(&mut self, from: Region, to: Region) {
        self.define(&self.from[from].parameters, &self.to[to].parameters.clone());
        for inst in self.from.insts(from) {
            let data = &self.from[inst];
            // From the fields and back, as the declaration says.
            let mut op = (data.op.info().make)(data.op.fields()).unwrap();
            assert_eq!(op, data.op);
            op.visit_operands_mut(&mut |value| *value = self.values[value]);
            let types = self.types(&data.results);
            let copy = Builder::new(&mut self.to, to, Location::default()).emit(op, &types).unwrap();
            self.define(&data.results, &self.to[copy].results.clone());
            let regions = self.to[copy].regions.clone();
            assert_eq!(regions.len(), data.regions.len());
            for (&inner, copy) in data.regions.iter().zip(regions) {
                self.region(inner, copy);
            }
        }
    }

    /// The values `to` stand for `from`, and are called the same.
    fn define(&mut self, from: &[Value], to: &[Value]) {
        assert_eq!(from.len(), to.len());
        for (&old, &new) in from.iter().zip(to) {
            assert_eq!(self.from.ty(old), self.to.ty(new));
            self.values.insert(old, new);
            self.to.set_name(new, self.from[old].name.as_deref().unwrap_or_default());
        }
    }
}

fn rebuilt_type(ty: &Type) -> Type {
    match ty {
        Type::Bool => Type::Bool,
        Type::Scalar(scalar) => (*scalar).into(),
        Type::Memref(memref) => rebuilt_memref(memref).into(),
        Type::Group(group) => {
            let member = Arc::new(rebuilt_memref(&group.member));
            Group { member, size: group.size, offset: group.offset }.into()
        }
        Type::Coopmatrix(matrix) => {
            let Coopmatrix { component, rows, cols, usage } = *matrix;
            Coopmatrix { component, rows, cols, usage }.into()
        }
        Type::Tile(tile) => {
            let Tile { component, rows, cols, usage } = *tile;
            Tile { component, rows, cols, usage }.into()
        }
    }
}

fn rebuilt_memref(memref: &Memref) -> Memref {
    let packed = Memref::packed(memref.element, memref.shape.clone(), memref.space);
    let packed = Memref { swizzle: memref.swizzle, ..packed };
    if packed.stride == memref.stride { packed } else { Memref { stride: memref.stride.clone(), ..packed } }
}

fn rebuilt_attribute(attribute: &Attribute) -> Attribute {
    match attribute {
        Attribute::Boolean(value) => Attribute::Boolean(*value),
        Attribute::Integer(value) => Attribute::Integer(*value),
        Attribute::String(text) => Attribute::String(text.as_bytes().into()),
        Attribute::Array(items) => Attribute::Array(items.iter().map(rebuilt_attribute).collect()),
        Attribute::Dictionary(dictionary) => Attribute::Dictionary(rebuilt_dictionary(dictionary)),
    }
}

fn rebuilt_attributes<T: AttributeSet>(attributes: &T) -> T {
    T::of(attributes.dictionary().as_ref().map(rebuilt_dictionary).as_ref()).unwrap()
}

fn rebuilt_dictionary(dictionary: &Dictionary) -> Dictionary {
    let entries = dictionary.iter().map(|(name, item)| (name.clone(), rebuilt_attribute(item)));
    Dictionary::of_distinct(entries).unwrap()
}

#[test]
fn every_program_can_be_built() {
    for (path, ir, program) in accepted() {
        let mut rebuilding = Rebuilding { from: &ir, to: Ir::default(), values: HashMap::new() };
        let functions = program.functions.iter().map(|&func| rebuilding.function(func)).collect();
        let copy = Program { functions };
        assert_eq!(driver::print(&rebuilding.to, &copy), driver::print(&ir, &program), "{path}");
    }
}

/// The words of the language that a program has, in instructions, types and attributes.
fn words_of(ir: &Ir, program: &Program, words: &mut BTreeSet<String>) {
    let attributes = |dictionary: &Option<Dictionary>, words: &mut BTreeSet<String>| {
        for (name, _) in dictionary.iter().flat_map(Dictionary::iter) {
            words.insert(name.to_string());
        }
    };
    for &func in &program.functions {
        attributes(&ir[func].attributes.dictionary(), words);
        ir[func].parameter_attributes.iter().for_each(|one| attributes(&one.dictionary(), words));
        for &value in &ir[ir[func].body].parameters {
            words_of_type(ir.ty(value), words);
        }
        ir.walk(ir[func].body, &mut |inst| {
            let data = &ir[inst];
            words.insert(data.op.mnemonic().to_owned());
            data.results.iter().for_each(|&value| words_of_type(ir.ty(value), words));
            for (field, content) in data.op.info().fields.iter().zip(data.op.fields()) {
                match (field.kind, content) {
                    (FieldKind::Modifier { words: all, .. }, FieldValue::Word(word)) => {
                        words.insert(format!("{}{}", data.op.mnemonic(), all[word]));
                    }
                    (FieldKind::Boundaries { words: all, names }, FieldValue::Boundaries(boundaries)) => {
                        words.insert(match boundaries.uniform() {
                            Some(word) => format!("{}{}", data.op.mnemonic(), all[word as usize]),
                            None => names[0].to_owned(),
                        });
                    }
                    (_, FieldValue::Attributes(dictionary)) => attributes(&dictionary, words),
                    _ => {}
                }
            }
        });
    }
}

fn words_of_type(ty: &Type, words: &mut BTreeSet<String>) {
    let mut memref = |memref: &Memref, kind: &str| {
        words.insert(format!("{kind} {} {}", memref.element, memref.space));
    };
    match ty {
        Type::Bool | Type::Scalar(_) => drop(words.insert(ty.to_string())),
        Type::Memref(ty) => memref(ty, "memref"),
        Type::Group(ty) => memref(&ty.member, "group"),
        Type::Coopmatrix(ty) => drop(words.insert(format!("{} {}", ty.component, ty.usage))),
        Type::Tile(ty) => drop(words.insert(format!("tile {} {}", ty.component, ty.usage))),
    }
}

/// Else the test above would say less than it seems to.
#[test]
fn the_programs_have_every_instruction_modifier_type_and_attribute() {
    let mut found = BTreeSet::new();
    for (_, ir, program) in accepted() {
        words_of(&ir, &program, &mut found);
    }
    let mut wanted: BTreeSet<String> = attribute_names().map(str::to_owned).collect();
    for info in TABLE {
        for &mnemonic in info.mnemonics() {
            wanted.insert(mnemonic.to_owned());
            for field in info.fields {
                if let FieldKind::Modifier { words, .. } | FieldKind::Boundaries { words, .. } = field.kind {
                    wanted.extend(words.iter().map(|word| format!("{mnemonic}{word}")));
                }
            }
        }
    }
    wanted.retain(|word| !WITHOUT_TOKEN.contains(&word.as_str()));
    wanted.insert(Type::Bool.to_string());
    for scalar in Scalar::ALL {
        wanted.insert(scalar.to_string());
        let is_possible = |space: &&AddressSpace| !scalar.is_packed() || **space == AddressSpace::Global;
        let spaces = AddressSpace::ALL.iter().filter(is_possible);
        wanted.extend(spaces.map(|space| format!("memref {scalar} {space}")));
        wanted.insert(format!("group {scalar} {}", AddressSpace::Global));
        if !scalar.is_only_stored() {
            wanted.extend(MatrixUse::ALL.iter().map(|usage| format!("{scalar} {usage}")));
        }
    }
    let missing: Vec<&String> = wanted.difference(&found).collect();
    assert!(missing.is_empty(), "no filetest has {missing:?}");
}

/// Operands that the instructions of a family are tried on.
struct Operands {
    x: Value,
    d: Value,
    n: Value,
    i: Value,
    p: Value,
    z: Value,
    a: Value,
    v: Value,
    g: Value,
    m: Value,
}

const PARAMETERS: &str = "%x: f32, %d: f64, %n: i32, %i: index, %p: bool, %z: c32, %A: memref<f32x4x8>, \
                          %v: memref<f32x4>, %G: group<memref<f32x4>x2>";

/// Builds `body` in a function with these parameters and a matrix.
fn build(body: fn(&mut Builder<'_>, &Operands) -> Built<()>) -> Result<(), VerifierError> {
    let packed = |sizes: &[i64]| {
        Memref::packed(
            Scalar::F32,
            sizes.iter().map(|&size| Extent::Static(size)).collect(),
            AddressSpace::Global,
        )
    };
    let (size, offset) = (Extent::Static(2), Extent::Static(0));
    let parameters = [
        ("x", Scalar::F32.into()),
        ("d", Scalar::F64.into()),
        ("n", Type::I32),
        ("i", Type::INDEX),
        ("p", Type::Bool),
        ("z", Scalar::C32.into()),
        ("A", packed(&[4, 8]).into()),
        ("v", packed(&[4]).into()),
        ("G", Group { member: Arc::new(packed(&[4])), size, offset }.into()),
    ];
    let mut ir = Ir::default();
    let built = Builder::function(&mut ir, "f", parameters, Location::default(), |b, values| {
        let [x, d, n, i, p, z, a, v, g] = values;
        let m = b.constant(Constant::Float(1.0), matrix(16, 8, MatrixUse::Acc))?;
        b.ir.set_name(m, "m");
        body(b, &Operands { x, d, n, i, p, z, a, v, g, m })
    });
    if built.is_err() {
        assert_eq!(ir.entity_count(), 0);
    }
    built.map(drop)
}

fn matrix(rows: i64, cols: i64, usage: MatrixUse) -> Coopmatrix {
    Coopmatrix { component: Scalar::F32, rows, cols, usage }
}

/// Builder and parser refuse the same with the same words.
#[test]
fn wrong_operands_are_refused_as_in_a_text() {
    type Case = (&'static str, fn(&mut Builder<'_>, &Operands) -> Built<()>);
    let cases: &[Case] = &[
        ("%r = constant 1 : f32", |b, _| b.constant(Constant::Int(1), Scalar::F32).map(drop)),
        ("%r = cast %z : f32", |b, o| b.value(Cast { a: o.z }, Scalar::F32).map(drop)),
        ("%r = and %x, %x : f32", |b, o| {
            b.value(Binary { op: BinaryOp::And, a: o.x, b: o.x }, Scalar::F32).map(drop)
        }),
        ("%r = conj %x : f32", |b, o| b.value(Unary { op: UnaryOp::Conj, a: o.x }, Scalar::F32).map(drop)),
        ("%r = less_than %x, %d : bool", |b, o| {
            b.value(Compare { op: CompareOp::LessThan, a: o.x, b: o.d }, Type::Bool).map(drop)
        }),
        ("%r = sin %z : c32", |b, o| b.value(Math { op: MathOp::Sin, a: o.z }, Scalar::C32).map(drop)),
        ("%r = group_id.x : i32", |b, _| {
            b.value(Grid { op: GridBuiltin::GroupId, component: Component::X }, Type::I32).map(drop)
        }),
        ("%r = load %A[%i] : f32", |b, o| {
            b.value(Load { from: o.a, indices: vec![o.i] }, Scalar::F32).map(drop)
        }),
        ("store %x, %G[%i]", |b, o| b.emit(Store { value: o.x, to: o.g, indices: vec![o.i] }, &[]).map(drop)),
        ("%r = atomic_add %d, %v[%i] : f64", |b, o| {
            let (scope, semantics) = (MemoryScope::default(), MemorySemantics::default());
            let (op, value, to, indices) = (AtomicUpdateOp::Add, o.d, o.v, vec![o.i]);
            b.value(AtomicUpdate { op, scope, semantics, value, to, indices }, Scalar::F64).map(drop)
        }),
        ("%r = size %A[2] : index", |b, o| b.value(Size { of: o.a, mode: 2 }, Type::INDEX).map(drop)),
        ("%r = alloca : memref<f32x4>", |b, o| {
            let ty = b.ir.ty(o.v).clone();
            b.value(Alloca { attributes: AllocaAttributes::default(), stack_ptr: None }, ty).map(drop)
        }),
        ("%r = subview %v[-1:2] : memref<f32x2>", |b, o| b.subview(o.v, &[Slice::range(-1, 2)]).map(drop)),
        ("%r = subview %v[0:2] : memref<f32x2x4>", |b, o| {
            let ty = Memref::packed(Scalar::F32, [2, 4].map(Extent::Static).to_vec(), AddressSpace::Global);
            let (static_offsets, static_sizes) = (vec![Extent::Static(0)], vec![Extent::Static(2)]);
            let view = Subview { of: o.v, static_offsets, static_sizes, offsets: vec![], sizes: vec![] };
            b.value(view, ty).map(drop)
        }),
        ("%r = fuse %A[1,2] : memref<f32x4x8>", |b, o| b.fuse(o.a, 1, 2).map(drop)),
        ("%r = expand %v[0->%n x 2] : memref<f32x?x2>", |b, o| {
            b.expand(o.v, 0, &[o.n.into(), 2.into()]).map(drop)
        }),
        ("for %k=%x,%x { }", |b, o| {
            let attributes = ForAttributes::default();
            b.for_loop(For { from: o.x, to: o.x, step: None, init: vec![], attributes }, |_, _, _| {
                Ok::<_, VerifierError>(vec![])
            })
            .map(drop)
        }),
        ("if %n { }", |b, o| {
            b.branch(o.n, &[], |_| Ok::<_, VerifierError>(vec![]), |_| Ok(vec![])).map(drop)
        }),
        ("foreach (%a)=(%i),(%n) { }", |b, o| b.foreach(vec![o.i], vec![o.n], |_, _| Ok(()))),
        ("foreach_tile (%a)=(%i),(%i) as (%b)<=(32,8) { }", |b, o| {
            let range = ForeachTile { from: vec![o.i], to: vec![o.i], tile_shape: vec![32, 8] };
            b.foreach_tile(range, |_, _, _| Ok(()))
        }),
        ("axpby %d, %v, %x, %v", |b, o| {
            let (atomic, transpose) = (Atomic::default(), Transpose::default());
            b.emit(Axpby { atomic, transpose, alpha: o.d, a: o.v, beta: o.x, b: o.v }, &[]).map(drop)
        }),
        ("gemm.t %x, %A, %A, %x, %A", |b, o| {
            let (transpose_a, transpose_b) = (Transpose::T, Transpose::N);
            let (atomic, alpha, beta) = (Atomic::default(), o.x, o.x);
            b.emit(
                Gemm {
                    atomic,
                    transpose_a,
                    transpose_b,
                    alpha,
                    a: o.a,
                    b: o.a,
                    beta,
                    c: o.a,
                    schedule: None,
                },
                &[],
            )
            .map(drop)
        }),
        ("%r = subgroup_broadcast %x, %i : f32", |b, o| {
            b.value(SubgroupBroadcast { a: o.x, lane: o.i }, Scalar::F32).map(drop)
        }),
        ("%r = subgroup_reduce_max %p : bool", |b, o| {
            b.value(Subgroup { op: SubgroupOp::ReduceMax, a: o.p }, Type::Bool).map(drop)
        }),
        ("%r = cooperative_matrix_load %v[%i,%i] : coopmatrix<f32x16x8,matrix_acc>", |b, o| {
            let (transpose, checked) = (Transpose::default(), Checked::default());
            let load = CoopmatrixLoad {
                transpose,
                checked,
                from: o.v,
                x: o.i,
                y: o.i,
                attributes: Default::default(),
                io: None,
            };
            b.value(load, matrix(16, 8, MatrixUse::Acc)).map(drop)
        }),
        ("%r = cooperative_matrix_mul_add %m, %m, %m : coopmatrix<f32x16x8,matrix_acc>", |b, o| {
            b.value(CoopmatrixMulAdd { a: o.m, b: o.m, c: o.m }, matrix(16, 8, MatrixUse::Acc)).map(drop)
        }),
        ("%r = cooperative_matrix_reduce_add.row %m : coopmatrix<f32x1x8,matrix_acc>", |b, o| {
            let (op, mode) = (CoopmatrixReduceOp::Add, ReduceMode::Row);
            b.value(CoopmatrixReduce { op, mode, matrix: o.m }, matrix(1, 8, MatrixUse::Acc)).map(drop)
        }),
        ("%r = cooperative_matrix_apply (%a,%b,%c)=%x -> f32 { }", |b, o| {
            b.apply(o.x, |_, [_, _, entry]| Ok(entry)).map(drop)
        }),
        ("%r = constant 1.0 : coopmatrix<f32x12x8,matrix_a>", |b, _| {
            b.constant(Constant::Float(1.0), matrix(12, 8, MatrixUse::A)).map(drop)
        }),
    ];
    for &(text, body) in cases {
        let built = build(body).unwrap_err();
        let program = format!(
            "func @f({PARAMETERS}) {{\n%m = constant 1.0 : coopmatrix<f32x16x8,matrix_acc>\n{text}\n}}"
        );
        match driver::parse(&mut Ir::default(), SourceId::UNKNOWN, program.as_bytes()) {
            Err(driver::Error::Syntax(tiletc::syntax::Error::Rule(read))) => {
                assert_eq!((read.status, read.detail), (built.status, built.detail), "{text}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

/// Tests the rules that no text can break.
#[test]
fn what_only_a_builder_can_break() {
    type Case = (Status, fn(&mut Builder<'_>, &Operands) -> Built<()>);
    let cases: &[Case] = &[
        (Status::IrExpandShapeOrderTooSmall, |b, o| b.expand(o.v, 0, &[4.into()]).map(drop)),
        (Status::IrExpandShapeMismatch, |b, o| {
            let static_shape = vec![Extent::Dynamic, Extent::Static(2)];
            let ty = b.ir.ty(o.a).clone();
            b.value(Expand { of: o.v, mode: 0, static_shape, sizes: vec![] }, ty).map(drop)
        }),
        (Status::IrSubviewMismatch, |b, o| {
            let (static_offsets, static_sizes) = (vec![Extent::Dynamic], vec![Extent::Static(4)]);
            let ty = b.ir.ty(o.v).clone();
            let view = Subview { of: o.v, static_offsets, static_sizes, offsets: vec![], sizes: vec![o.i] };
            b.value(view, ty).map(drop)
        }),
        (Status::IrFromToMismatch, |b, _| b.foreach(vec![], vec![], |_, _| Ok(()))),
        (Status::IrShapeStrideMismatch, |b, _| {
            let (shape, stride) = (vec![Extent::Static(4)], vec![]);
            let ty =
                Memref { element: Scalar::F32, shape, stride, swizzle: None, space: AddressSpace::Local };
            b.value(Alloca { attributes: AllocaAttributes::default(), stack_ptr: None }, ty).map(drop)
        }),
        (Status::InvalidArguments, |b, o| {
            b.emit(Binary { op: BinaryOp::Add, a: o.x, b: o.x }, &[]).map(drop)
        }),
        (Status::InvalidArguments, |b, o| {
            b.emit(Cast { a: o.x }, &[Scalar::F64.into(), Scalar::F64.into()]).map(drop)
        }),
        (Status::InvalidArguments, |b, _| {
            let barrier = Barrier { global: FenceGlobal::default(), local: FenceLocal::Yes };
            b.emit(barrier, &[Type::INDEX]).map(drop)
        }),
    ];
    for (number, &(status, body)) in cases.iter().enumerate() {
        assert_eq!(build(body).unwrap_err().status, status, "case {number}");
    }
    let twice = ["a", "b", "a"].map(|name| (Text::from(name), Attribute::Boolean(true)));
    assert_eq!(Dictionary::of_distinct(twice), Err(Text::from("a")));
}

/// Names that would not read back are changed, all others are kept.
#[test]
fn names_read_back() {
    let mut ir = Ir::default();
    let names = ["x", "x", "1", "", "a b", "größe", "_", "x_1", "if", "x"];
    let parameters = names.map(|name| (name, Type::I32));
    let func = Builder::function(&mut ir, "f", parameters, Location::default(), |b, values| {
        for value in values {
            let sum = b.value(Binary { op: BinaryOp::Add, a: value, b: value }, Type::I32)?;
            b.ir.set_name(sum, "x");
        }
        let attributes = ForAttributes::default();
        let head = For { from: values[0], to: values[1], step: None, init: vec![], attributes };
        b.for_loop::<VerifierError>(head, |b, variable, _| {
            b.ir.set_name(variable, "x_2");
            Ok(vec![])
        })
        .map(drop)
    })
    .unwrap();
    let text = driver::print(&ir, &Program { functions: vec![func] });
    let printed = text.to_string();
    let shown: Vec<&str> = printed.lines().take(names.len()).map(|line| line.trim_start()).collect();
    let expected = [
        "func @f(%x: i32,",
        "%x_1: i32,",
        "%v1: i32,",
        "%0: i32,",
        "%a_b: i32,",
        "%gr__e: i32,",
        "%v_: i32,",
        "%x_1_1: i32,",
        "%if: i32,",
        "%x_2: i32) {",
    ];
    assert_eq!(shown, expected);
    assert!(printed.contains("for %x_2_1=%x,%x_1 {"), "{printed}");
    let mut other = Ir::default();
    let program = driver::parse(&mut other, SourceId::UNKNOWN, text.as_bytes()).unwrap();
    assert_eq!(driver::print(&other, &program), text);
}
