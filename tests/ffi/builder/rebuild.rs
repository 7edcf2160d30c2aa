//! Every program of the filetests, built anew through the C functions, prints as before.

use super::*;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use tiletc::diagnostics::SourceId;
use tiletc::ffi::attributes::*;
use tiletc::ffi::builder::prototypes;
use tiletc::ir::{
    AddressSpace, Attribute, Constant, Dictionary, Extent, FenceGlobal, FenceLocal, Func, Inst, Ir,
    MatrixUse, Op, Region, Scalar, Type, Value,
};
use tiletc::{driver, ir};

/// A program on its way through the C functions.
struct Rebuilding<'a> {
    used: &'a mut BTreeSet<String>,
    from: &'a Ir,
    context: tiletc_compiler_context_t,
    values: HashMap<Value, tiletc_value_t>,
}

/// Calls the constructor of a name with arguments, each with its C type, and gives the instruction.
macro_rules! construct {
    ($this:ident, $name:expr, $($argument:expr => $ty:ty),*) => {{
        let name = $name;
        type Constructor = unsafe extern "C" fn(*mut tiletc_inst_t, $($ty,)* *const tiletc_location_t) -> tiletc_status_t;
        let found = prototypes().find(|prototype| prototype.name == name).expect(&name);
        // SAFETY: the header, which is written from the same table, gives the function this type.
        let function = unsafe { std::mem::transmute::<unsafe extern "C" fn(), Constructor>(found.function) };
        $this.used.insert(name);
        made(|out| unsafe { function(out, $($argument,)* null()) }).unwrap()
    }};
}

type Values = *const tiletc_value_t;
type Numbers = *const i64;
type Types = *const tiletc_type_t;
type V = tiletc_value_t;
type T = tiletc_type_t;
type Enum = i32;

impl Rebuilding<'_> {
    fn ty(&self, ty: &Type) -> tiletc_type_t {
        let get = |get: GetType| super::ty(self.context, get);
        let space = |space| if space == AddressSpace::Global { 1 } else { 2 };
        match ty {
            Type::Bool => get(tiletc_boolean_type_get),
            Type::Scalar(scalar) => get(match scalar {
                Scalar::I8 => tiletc_i8_type_get,
                Scalar::I16 => tiletc_i16_type_get,
                Scalar::I32 => tiletc_i32_type_get,
                Scalar::I64 => tiletc_i64_type_get,
                Scalar::Index => tiletc_index_type_get,
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
                made(|out| unsafe {
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
                .unwrap()
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
        if let Some(attributes) = &data.attributes {
            ok(unsafe { tiletc_func_set_attr(copy, self.dictionary(attributes)) });
        }
        for (i, attributes) in data.parameter_attributes.iter().enumerate() {
            if let Some(attributes) = attributes {
                ok(unsafe { tiletc_func_set_parameter_attr(copy, i, self.dictionary(attributes)) });
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
        let name = format!("tiletc_{}_inst_create", data.op.mnemonic());
        let types: Vec<_> = data.results.iter().map(|&result| self.ty(self.from.ty(result))).collect();
        let result = types.first().copied().unwrap_or(null_mut());
        let v = |value: &Value| self.values[value];
        let all = |values: &[Value]| values.iter().map(v).collect::<Vec<_>>();
        match &data.op {
            Op::ConstantInst(op) => match op.value {
                Constant::Bool(value) => {
                    let name = "tiletc_constant_inst_create_boolean".to_owned();
                    construct!(self, name, value.into() => tiletc_bool_t, result => T)
                }
                Constant::Int(value) => {
                    construct!(self, "tiletc_constant_inst_create_int".to_owned(), value => i64, result => T)
                }
                Constant::Float(value) => {
                    construct!(self, "tiletc_constant_inst_create_float".to_owned(), value => f64, result => T)
                }
                Constant::Complex(re, im) => {
                    let name = "tiletc_constant_inst_create_complex".to_owned();
                    construct!(self, name, re => f64, im => f64, result => T)
                }
            },
            Op::Cast(op) => construct!(self, name, v(&op.a) => V, result => T),
            Op::Binary(op) => construct!(self, name, v(&op.a) => V, v(&op.b) => V, result => T),
            Op::Unary(op) => construct!(self, name, v(&op.a) => V, result => T),
            Op::Compare(op) => construct!(self, name, v(&op.a) => V, v(&op.b) => V, result => T),
            Op::Math(op) => construct!(self, name, v(&op.a) => V, result => T),
            Op::Grid(op) => construct!(self, name, op.component as Enum => Enum, result => T),
            Op::NumSubgroups(op) => construct!(self, name, op.component as Enum => Enum, result => T),
            Op::SubgroupId(op) => construct!(self, name, op.component as Enum => Enum, result => T),
            Op::UniformSubgroup(_) | Op::LocalSubgroup(_) => construct!(self, name, result => T),
            Op::Load(op) => {
                let list = all(&op.indices);
                construct!(self, name, v(&op.from) => V, list.len() => usize, list.as_ptr() => Values, result => T)
            }
            Op::Store(op) => {
                let list = all(&op.indices);
                construct!(self, name, v(&op.value) => V, v(&op.to) => V, list.len() => usize,
                    list.as_ptr() => Values)
            }
            Op::AtomicLoad(op) => {
                let list = all(&op.indices);
                let order = (op.scope as Enum, semantics(op.semantics as Enum));
                construct!(self, name, order.0 => Enum, order.1 => Enum, v(&op.from) => V,
                    list.len() => usize, list.as_ptr() => Values, result => T)
            }
            Op::AtomicStore(op) => {
                let list = all(&op.indices);
                let order = (op.scope as Enum, semantics(op.semantics as Enum));
                construct!(self, name, order.0 => Enum, order.1 => Enum, v(&op.value) => V, v(&op.to) => V,
                    list.len() => usize, list.as_ptr() => Values)
            }
            Op::AtomicUpdate(op) => {
                let list = all(&op.indices);
                let order = (op.scope as Enum, semantics(op.semantics as Enum));
                construct!(self, name, order.0 => Enum, order.1 => Enum, v(&op.value) => V, v(&op.to) => V,
                    list.len() => usize, list.as_ptr() => Values, result => T)
            }
            Op::Associated(op) => construct!(self, name, v(&op.of) => V, result => T),
            Op::Size(op) => construct!(self, name, op.mode => i64, v(&op.of) => V, result => T),
            Op::Subview(op) => {
                let (offsets, sizes) = (all(&op.offsets), all(&op.sizes));
                let (fixed_offsets, fixed_sizes) = (extents(&op.static_offsets), extents(&op.static_sizes));
                construct!(self, name, fixed_offsets.len() => usize, fixed_offsets.as_ptr() => Numbers,
                    fixed_sizes.len() => usize, fixed_sizes.as_ptr() => Numbers, v(&op.of) => V,
                    offsets.len() => usize, offsets.as_ptr() => Values, sizes.len() => usize,
                    sizes.as_ptr() => Values, result => T)
            }
            Op::Expand(op) => {
                let (fixed, sizes) = (extents(&op.static_shape), all(&op.sizes));
                construct!(self, name, op.mode => i64, fixed.len() => usize, fixed.as_ptr() => Numbers,
                    v(&op.of) => V, sizes.len() => usize, sizes.as_ptr() => Values, result => T)
            }
            Op::Fuse(op) => {
                construct!(self, name, op.first => i64, op.last => i64, v(&op.of) => V, result => T)
            }
            Op::Barrier(op) => {
                let global = u32::from(op.global == FenceGlobal::Yes);
                let local = u32::from(op.local == FenceLocal::Yes) * 2;
                construct!(self, name, global | local => tiletc_address_spaces_t)
            }
            Op::Alloca(op) => {
                let copy = construct!(self, name, result => T);
                self.attributes(copy, op.attributes.as_ref());
                copy
            }
            Op::LifetimeStop(op) => construct!(self, name, v(&op.of) => V),
            Op::For(op) => {
                let (step, init) = (op.step.as_ref().map_or(null_mut(), v), all(&op.init));
                let copy = construct!(self, name, v(&op.from) => V, v(&op.to) => V, step => V,
                    init.len() => usize, init.as_ptr() => Values, types.len() => usize, types.as_ptr() => Types);
                self.attributes(copy, op.attributes.as_ref());
                copy
            }
            Op::If(op) => {
                construct!(self, name, v(&op.condition) => V, types.len() => usize, types.as_ptr() => Types)
            }
            Op::Yield(op) => {
                let list = all(&op.values);
                construct!(self, name, list.len() => usize, list.as_ptr() => Values)
            }
            Op::Parallel(_) => construct!(self, name,),
            Op::Foreach(op) => {
                let (from, to) = (all(&op.from), all(&op.to));
                construct!(self, name, from.len() => usize, from.as_ptr() => Values, to.len() => usize,
                    to.as_ptr() => Values)
            }
            Op::ForeachTile(op) => {
                let (from, to) = (all(&op.from), all(&op.to));
                construct!(self, name, op.tile_shape.len() => usize, op.tile_shape.as_ptr() => Numbers,
                    from.len() => usize, from.as_ptr() => Values, to.len() => usize, to.as_ptr() => Values)
            }
            Op::SubgroupBroadcast(op) => construct!(self, name, v(&op.a) => V, v(&op.lane) => V, result => T),
            Op::Subgroup(op) => construct!(self, name, v(&op.a) => V, result => T),
            Op::Axpby(op) => {
                construct!(self, name, op.atomic as u8 => u8, op.transpose as Enum => Enum, v(&op.alpha) => V,
                    v(&op.a) => V, v(&op.beta) => V, v(&op.b) => V)
            }
            Op::Cumsum(op) => {
                construct!(self, name, op.atomic as u8 => u8, op.mode => i64, v(&op.alpha) => V, v(&op.a) => V,
                    v(&op.beta) => V, v(&op.b) => V)
            }
            Op::Sum(op) => {
                construct!(self, name, op.atomic as u8 => u8, op.transpose as Enum => Enum, v(&op.alpha) => V,
                    v(&op.a) => V, v(&op.beta) => V, v(&op.b) => V)
            }
            Op::Gemm(op) => {
                construct!(self, name, op.atomic as u8 => u8, op.transpose_a as Enum => Enum,
                    op.transpose_b as Enum => Enum, v(&op.alpha) => V, v(&op.a) => V, v(&op.b) => V,
                    v(&op.beta) => V, v(&op.c) => V)
            }
            Op::Gemv(op) => {
                construct!(self, name, op.atomic as u8 => u8, op.transpose as Enum => Enum, v(&op.alpha) => V,
                    v(&op.a) => V, v(&op.b) => V, v(&op.beta) => V, v(&op.c) => V)
            }
            Op::Ger(op) => {
                construct!(self, name, op.atomic as u8 => u8, v(&op.alpha) => V, v(&op.a) => V, v(&op.b) => V,
                    v(&op.beta) => V, v(&op.c) => V)
            }
            Op::Hadamard(op) => {
                construct!(self, name, op.atomic as u8 => u8, v(&op.alpha) => V, v(&op.a) => V, v(&op.b) => V,
                    v(&op.beta) => V, v(&op.c) => V)
            }
            Op::CoopmatrixLoad(op) => {
                construct!(self, name, op.transpose as Enum => Enum, op.checked as Enum => Enum,
                    v(&op.from) => V, v(&op.x) => V, v(&op.y) => V, result => T)
            }
            Op::CoopmatrixStore(op) => {
                construct!(self, name, op.transpose as Enum => Enum, op.checked as Enum => Enum,
                    v(&op.value) => V, v(&op.to) => V, v(&op.x) => V, v(&op.y) => V)
            }
            Op::CoopmatrixMulAdd(op) => {
                construct!(self, name, v(&op.a) => V, v(&op.b) => V, v(&op.c) => V, result => T)
            }
            Op::CoopmatrixScale(op) => {
                construct!(self, name, v(&op.scalar) => V, v(&op.matrix) => V, result => T)
            }
            Op::CoopmatrixConstruct(op) => construct!(self, name, v(&op.value) => V, result => T),
            Op::CoopmatrixExtract(op) => {
                construct!(self, name, op.index => i64, v(&op.matrix) => V, result => T)
            }
            Op::CoopmatrixInsert(op) => {
                construct!(self, name, op.index => i64, v(&op.value) => V, v(&op.matrix) => V, result => T)
            }
            Op::CoopmatrixApply(op) => construct!(self, name, v(&op.matrix) => V, result => T),
            Op::CoopmatrixAtomicLoad(op) => {
                construct!(self, name, op.transpose as Enum => Enum, op.checked as Enum => Enum,
                    op.scope as Enum => Enum, semantics(op.semantics as Enum) => Enum, v(&op.from) => V,
                    v(&op.x) => V, v(&op.y) => V, result => T)
            }
            Op::CoopmatrixAtomicStore(op) => {
                construct!(self, name, op.transpose as Enum => Enum, op.checked as Enum => Enum,
                    op.scope as Enum => Enum, semantics(op.semantics as Enum) => Enum, v(&op.value) => V,
                    v(&op.to) => V, v(&op.x) => V, v(&op.y) => V)
            }
            Op::CoopmatrixAtomicUpdate(op) => {
                construct!(self, name, op.transpose as Enum => Enum, op.checked as Enum => Enum,
                    op.scope as Enum => Enum, semantics(op.semantics as Enum) => Enum, v(&op.value) => V,
                    v(&op.to) => V, v(&op.x) => V, v(&op.y) => V, result => T)
            }
            Op::CoopmatrixReduce(op) => {
                construct!(self, name, op.mode as Enum => Enum, v(&op.matrix) => V, result => T)
            }
            Op::CoopmatrixPrefetch(op) => {
                construct!(self, name, op.level => i32, op.rows => i32, op.cols => i32, v(&op.of) => V,
                    v(&op.x) => V, v(&op.y) => V)
            }
        }
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

/// C counts the orderings in powers of two.
fn semantics(index: Enum) -> Enum {
    [0, 2, 4, 8, 16][usize::try_from(index).unwrap()]
}

/// Every program of the filetests that the parser takes.
fn accepted(folder: &Path, found: &mut impl FnMut(&Path, &Ir, &ir::Program)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            accepted(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "ir") {
            let mut ir = Ir::default();
            let text = std::fs::read(&path).unwrap();
            if let Ok(program) = driver::parse(&mut ir, SourceId::UNKNOWN, &text) {
                found(&path, &ir, &program);
            }
        }
    }
}

#[test]
fn every_program_of_the_filetests_can_be_built_and_every_constructor_is_needed() {
    let mut used = BTreeSet::new();
    let mut count = 0;
    accepted(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests"), &mut |path, ir, program| {
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
    assert_eq!(used, prototypes().map(|prototype| prototype.name.to_owned()).collect());
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
    let names: BTreeSet<&str> = prototypes().map(|prototype| prototype.name).collect();
    assert_eq!(names.len(), 105);
    for info in ir::TABLE {
        for word in info.mnemonics().iter().filter(|&&word| word != "constant") {
            assert!(names.contains(format!("tiletc_{word}_inst_create").as_str()), "{word}");
        }
    }
}
