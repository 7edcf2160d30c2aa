//! Every program of the filetests and the manual, built anew through the C functions, prints as before.

use super::super::examples;
use super::*;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use tiletc::diagnostics::SourceId;
use tiletc::ffi::attributes::*;
use tiletc::ffi::builder::{Argument, constructors, prototypes};
use tiletc::ir::{
    AddressSpace, Attribute, AttributeSet as _, Constant, Dictionary, Extent, FieldKind, FieldValue, Func,
    Inst, Ir, MatrixUse, Op, Region, Results, Scalar, Swizzle, TileLoadAttributes, Type, Value,
};
use tiletc::{driver, ir};

/// A program on its way through the C functions.
struct Rebuilding<'a> {
    used: &'a mut BTreeSet<String>,
    from: &'a Ir,
    context: tiletc_compiler_context_t,
    values: HashMap<Value, tiletc_value_t>,
}

impl Rebuilding<'_> {
    fn ty(&self, ty: &Type) -> tiletc_type_t {
        let get = |get: GetType| super::ty(self.context, get);
        let space = |space| if space == AddressSpace::Global { 1 } else { 2 };
        match ty {
            Type::Bool => get(tiletc_boolean_type_get),
            Type::Scalar(scalar) => get(match scalar {
                Scalar::I4 => tiletc_i4_type_get,
                Scalar::I8 => tiletc_i8_type_get,
                Scalar::I16 => tiletc_i16_type_get,
                Scalar::I32 => tiletc_i32_type_get,
                Scalar::I64 => tiletc_i64_type_get,
                Scalar::Index => tiletc_index_type_get,
                Scalar::F8e4m3 => tiletc_f8e4m3_type_get,
                Scalar::F8e5m2 => tiletc_f8e5m2_type_get,
                Scalar::Bf16 => tiletc_bf16_type_get,
                Scalar::F16 => tiletc_f16_type_get,
                Scalar::F32 => tiletc_f32_type_get,
                Scalar::F64 => tiletc_f64_type_get,
                Scalar::C32 => tiletc_c32_type_get,
                Scalar::C64 => tiletc_c64_type_get,
            }),
            Type::Memref(memref) => {
                let element = self.ty(&memref.element.into());
                let (shape, stride) = (extents(&memref.shape), extents(&memref.stride));
                let packed = made(|out| unsafe {
                    let (shape, stride) = ((shape.len(), shape.as_ptr()), (stride.len(), stride.as_ptr()));
                    tiletc_memref_type_get(
                        out,
                        element,
                        shape.0,
                        shape.1,
                        stride.0,
                        stride.1,
                        space(memref.space),
                    )
                })
                .unwrap();
                match memref.swizzle {
                    Some(Swizzle { vec, per_phase, max_phase }) => made(|out| unsafe {
                        tiletc_swizzled_type_get(out, packed, vec, per_phase, max_phase)
                    })
                    .unwrap(),
                    None => packed,
                }
            }
            Type::Group(group) => {
                let member = self.ty(&Type::from((*group.member).clone()));
                let (size, offset) = (extent(group.size), extent(group.offset));
                made(|out| unsafe { tiletc_group_type_get(out, member, size, offset) }).unwrap()
            }
            Type::Coopmatrix(matrix) => {
                let component = self.ty(&matrix.component.into());
                let usage = match matrix.usage {
                    MatrixUse::A => 0,
                    MatrixUse::B => 1,
                    MatrixUse::Acc => 2,
                };
                made(|out| unsafe {
                    tiletc_coopmatrix_type_get(out, component, matrix.rows, matrix.cols, usage)
                })
                .unwrap()
            }
            Type::Tile(tile) => {
                let component = self.ty(&tile.component.into());
                let usage = match tile.usage {
                    MatrixUse::A => 0,
                    MatrixUse::B => 1,
                    MatrixUse::Acc => 2,
                };
                made(|out| unsafe { tiletc_tile_type_get(out, component, tile.rows, tile.cols, usage) })
                    .unwrap()
            }
        }
    }

    fn attribute(&self, attribute: &Attribute) -> tiletc_attr_t {
        let context = self.context;
        match attribute {
            Attribute::Boolean(value) => {
                made(|out| unsafe { tiletc_boolean_attr_get(out, context, (*value).into()) })
            }
            Attribute::Integer(value) => made(|out| unsafe { tiletc_integer_attr_get(out, context, *value) }),
            Attribute::String(text) => {
                let text = text.as_bytes();
                made(|out| unsafe { tiletc_string_attr_get(out, context, text.len(), text.as_ptr().cast()) })
            }
            Attribute::Array(items) => {
                let items: Vec<tiletc_attr_t> = items.iter().map(|item| self.attribute(item)).collect();
                made(|out| unsafe { tiletc_array_attr_get(out, context, items.len(), items.as_ptr()) })
            }
            Attribute::Dictionary(dictionary) => Ok(self.dictionary(dictionary)),
        }
        .unwrap()
    }

    fn dictionary(&self, dictionary: &Dictionary) -> tiletc_attr_t {
        let entry = |(name, value): (&ir::Text, &Attribute)| tiletc_named_attr_t {
            name: self.attribute(&Attribute::String(name.clone())),
            attr: self.attribute(value),
        };
        let mut items: Vec<_> = dictionary.iter().map(entry).collect();
        made(|out| unsafe { tiletc_dictionary_attr_get(out, self.context, items.len(), items.as_mut_ptr()) })
            .unwrap()
    }

    fn function(&mut self, func: Func) -> tiletc_func_t {
        let data = &self.from[func];
        let types: Vec<_> =
            self.from[data.body].parameters.iter().map(|&v| self.ty(self.from.ty(v))).collect();
        let copy = function(self.context, &data.name, &types).unwrap();
        if let Some(attributes) = data.attributes.dictionary() {
            ok(unsafe { tiletc_func_set_attr(copy, self.dictionary(&attributes)) });
        }
        for (i, attributes) in data.parameter_attributes.iter().enumerate() {
            if let Some(attributes) = attributes.dictionary() {
                ok(unsafe { tiletc_func_set_parameter_attr(copy, i, self.dictionary(&attributes)) });
            }
        }
        self.region(data.body, body(copy));
        copy
    }

    fn region(&mut self, from: Region, to: tiletc_region_t) {
        self.define(&self.from[from].parameters, &parameters(to));
        for inst in self.from.insts(from) {
            let data = &self.from[inst];
            let copy = self.instruction(inst);
            self.define(&data.results, &results(copy));
            let inner = regions(copy);
            assert_eq!(inner.len(), data.regions.len());
            // Some instructions get their contents before they are put into the region, some afterwards.
            let late = data.results.is_empty();
            if late {
                append(to, copy);
            }
            for (&region, copy) in data.regions.iter().zip(inner) {
                self.region(region, copy);
            }
            if !late {
                append(to, copy);
            }
            assert_eq!(made(|out| unsafe { tiletc_inst_get_parent_region(copy, out) }), Ok(to));
        }
    }

    fn define(&mut self, from: &[Value], to: &[tiletc_value_t]) {
        assert_eq!(from.len(), to.len());
        for (&old, &new) in from.iter().zip(to) {
            if let Some(name) = &self.from[old].name {
                ok(unsafe { tiletc_value_set_name_n(new, name.len(), name.as_ptr().cast()) });
            }
            self.values.insert(old, new);
        }
    }

    fn instruction(&mut self, inst: Inst) -> tiletc_inst_t {
        let data = &self.from[inst];
        let types: Vec<_> = data.results.iter().map(|&result| self.ty(self.from.ty(result))).collect();
        if let Op::ConstantInst(op) = &data.op {
            let (class, number) = match op.value {
                Constant::Bool(value) => ("boolean", vec![Argument::Number(value.into())]),
                Constant::Int(value) => ("int", vec![Argument::Number(value)]),
                Constant::Float(value) => ("float", vec![Argument::Float(value)]),
                Constant::Complex(re, im) => ("complex", vec![Argument::Float(re), Argument::Float(im)]),
            };
            let arguments: Vec<_> = number.into_iter().chain([Argument::Type(types[0])]).collect();
            return self.call(&format!("tiletc_constant_inst_create_{class}"), &arguments);
        }
        let info = data.op.info();
        // That of tinytc returns nothing.
        let returns_tiles = matches!(data.op, Op::Parallel(_)) && !types.is_empty();
        let part = if returns_tiles { "_with_results" } else { "" };
        let name = format!("tiletc_{}{part}_inst_create", data.op.mnemonic());
        let mut lists = Lists::default();
        let mut by_name = HashMap::new();
        for (field, content) in info.fields.iter().zip(data.op.fields()) {
            let size = |length: usize| (format!("{}_size", field.argument), Argument::Size(length));
            let argument = match content {
                FieldValue::Word(word) => Argument::Number(match field.kind {
                    FieldKind::Modifier { words, .. } => {
                        number(words, word) | bits(by_name.get(field.argument))
                    }
                    _ => continue,
                }),
                FieldValue::Operand(value) => Argument::Value(self.values[&value]),
                FieldValue::OptionalOperand(value) => {
                    Argument::Value(value.map_or(null_mut(), |value| self.values[&value]))
                }
                FieldValue::Operands(values) => {
                    by_name.extend([size(values.len())]);
                    lists.values.push(values.iter().map(|value| self.values[value]).collect());
                    Argument::Values(lists.values.last().unwrap().as_ptr())
                }
                FieldValue::Int(number) => Argument::Number(number),
                FieldValue::Ints(numbers) => {
                    by_name.extend([size(numbers.len())]);
                    lists.numbers(numbers)
                }
                FieldValue::Extents(all) => {
                    by_name.extend([size(all.len())]);
                    lists.numbers(extents(&all))
                }
                FieldValue::Boundaries(boundaries) => {
                    let FieldKind::Boundaries { words, .. } = field.kind else { continue };
                    Argument::Number(number(words, boundaries.uniform().unwrap_or_default() as usize))
                }
                FieldValue::Note(_) | FieldValue::Attributes(_) | FieldValue::Constant(_) => continue,
            };
            by_name.insert(field.argument.to_owned(), argument);
        }
        match info.results {
            Results::None => {}
            Results::One => drop(by_name.insert("result".to_owned(), Argument::Type(types[0]))),
            Results::Many => by_name.extend([
                ("results_size".to_owned(), Argument::Size(types.len())),
                ("results".to_owned(), Argument::Types(types.as_ptr())),
            ]),
        }
        let prototype = prototypes().find(|prototype| prototype.name == name).expect(&name);
        let arguments: Vec<Argument> =
            prototype.parameters.iter().map(|(parameter, _)| by_name[parameter]).collect();
        let copy = self.call(&name, &arguments);
        if let Some(attributes) = data.op.fields().into_iter().find_map(|content| match content {
            FieldValue::Attributes(attributes) => Some(attributes),
            FieldValue::Boundaries(boundaries) if boundaries.uniform().is_none() => {
                let boundary = Some(boundaries);
                Some(TileLoadAttributes { boundary, ..TileLoadAttributes::default() }.dictionary())
            }
            _ => None,
        }) {
            self.attributes(copy, attributes.as_ref());
        }
        copy
    }

    /// Calls the constructor of a name with arguments, and gives the instruction.
    fn call(&mut self, name: &str, arguments: &[Argument]) -> tiletc_inst_t {
        let found = constructors().find(|constructor| constructor.name == name).expect(name);
        self.used.insert(name.to_owned());
        // SAFETY: handles are live, and lists have the lengths before them.
        made(|out| unsafe { (found.call)(out, arguments, null()) }.expect(name)).unwrap()
    }

    fn attributes(&self, inst: tiletc_inst_t, attributes: Option<&Dictionary>) {
        let dictionary = attributes.map_or(null_mut(), |attributes| self.dictionary(attributes));
        ok(unsafe { tiletc_inst_set_attr(inst, dictionary) });
    }
}

fn extent(extent: Extent) -> i64 {
    match extent {
        Extent::Static(size) => size,
        Extent::Dynamic => i64::MIN,
    }
}

fn extents(list: &[Extent]) -> Vec<i64> {
    list.iter().copied().map(extent).collect()
}

/// Lists that arguments point to.
#[derive(Default)]
struct Lists {
    values: Vec<Vec<tiletc_value_t>>,
    numbers: Vec<Vec<i64>>,
}

impl Lists {
    fn numbers(&mut self, numbers: Vec<i64>) -> Argument {
        self.numbers.push(numbers);
        Argument::Numbers(self.numbers.last().unwrap().as_ptr())
    }
}

/// The number of a modifier's word in C: orderings are powers of two, address spaces bits, the rest is counted.
fn number(words: &[&str], word: usize) -> i64 {
    match words {
        [".relaxed", ..] => [0, 2, 4, 8, 16][word],
        ["", ".local"] => 2 * word as i64,
        _ => word as i64,
    }
}

/// The bits that another field has put into the argument already.
fn bits(argument: Option<&Argument>) -> i64 {
    match argument {
        Some(&Argument::Number(bits)) => bits,
        _ => 0,
    }
}

/// Every program of the filetests that the parser takes.
fn of_filetests(folder: &Path, found: &mut impl FnMut(&Path, &Ir, &ir::Program)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            of_filetests(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "ir") {
            let mut ir = Ir::default();
            let text = std::fs::read(&path).unwrap();
            if let Ok(program) = driver::parse(&mut ir, SourceId::UNKNOWN, &text) {
                found(&path, &ir, &program);
            }
        }
    }
}

/// Every program of the filetests that the parser takes and of the manual.
fn accepted(found: &mut impl FnMut(&Path, &Ir, &ir::Program)) {
    of_filetests(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests"), found);
    for example in examples::all() {
        let (ir, program) = example.parse();
        found(Path::new(&example.place), &ir, &program);
    }
}

#[test]
fn every_program_of_the_filetests_and_the_manual_can_be_built_and_every_constructor_is_needed() {
    let mut used = BTreeSet::new();
    let mut count = 0;
    accepted(&mut |path, ir, program| {
        if program.functions.iter().any(|&func| placed(ir, ir[func].body)) {
            return;
        }
        let context = new_context();
        let values = HashMap::new();
        let mut rebuilding = Rebuilding { used: &mut used, from: ir, context, values };
        let copy = new_program(context);
        for &func in &program.functions {
            let func = rebuilding.function(func);
            ok(unsafe { tiletc_prog_add_function(copy, func) });
        }
        assert_eq!(print(copy), driver::print(ir, program).to_string(), "{}", path.display());
        ok(unsafe { tiletc_prog_release(copy) });
        release(context);
        count += 1;
    });
    assert!(count > 300, "{count}");
    // Constants of a class are enough for a text, and `lifetime_stop` has no token in one.
    for name in ["one", "zero"] {
        used.insert(format!("tiletc_constant_inst_create_{name}"));
    }
    used.insert("tiletc_lifetime_stop_inst_create".to_owned());
    assert_eq!(used, prototypes().map(|prototype| prototype.name).collect());
}

/// Returns whether local memory has places already, which C has no words for.
fn placed(ir: &Ir, region: Region) -> bool {
    let mut placed = false;
    ir.walk(region, &mut |inst| {
        placed |= matches!(&ir[inst].op, Op::Alloca(op) if op.stack_ptr.is_some());
    });
    placed
}

#[test]
fn every_word_of_the_language_has_a_constructor() {
    let names: BTreeSet<&str> = constructors().map(|constructor| constructor.name).collect();
    for info in ir::TABLE {
        for word in info.mnemonics().iter().filter(|&&word| word != "constant") {
            assert!(names.contains(format!("tiletc_{word}_inst_create").as_str()), "{word}");
        }
    }
    let of_tinytc = include_str!("../symbols.txt").lines().filter(|name| name.contains("_inst_create"));
    let missing: Vec<&str> = of_tinytc.filter(|name| !names.contains(name)).collect();
    assert_eq!(missing, [""; 0]);
}
