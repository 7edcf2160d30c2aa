//! Modules as drivers get them, and as they should not.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use rspirv::binary::Assemble;
use rspirv::dr::Builder;
use rspirv::dr::Operand;
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, FunctionControl,
    MemoryModel, Op, StorageClass, Word,
};
use virtual_xe::{Device, Error, Module, Program};

fn bytes(module: Builder) -> Vec<u8> {
    module.module().assemble().into_iter().flat_map(u32::to_le_bytes).collect()
}

fn builder() -> Builder {
    let mut b = Builder::new();
    b.set_version(1, 4);
    for capability in [Capability::Addresses, Capability::Kernel, Capability::Int64] {
        b.capability(capability);
    }
    b.memory_model(AddressingModel::Physical64, MemoryModel::OpenCL);
    b
}

/// An array of bytes in local memory.
fn local_array(b: &mut Builder, length: u32) -> (Word, Word) {
    let (byte, i32_type) = (b.type_int(8, 0), b.type_int(32, 0));
    let length = b.constant_bit32(i32_type, length);
    let array = b.type_array(byte, length);
    let ty = b.type_pointer(None, StorageClass::Workgroup, array);
    (b.variable(ty, None, StorageClass::Workgroup, None), ty)
}

/// A function without results that copies each of the values.
fn function(b: &mut Builder, parameters: &[Word], uses: &[(Word, Word)]) -> Word {
    let void = b.type_void();
    let ty = b.type_function(void, parameters.iter().copied());
    let function = b.begin_function(void, None, FunctionControl::NONE, ty).unwrap();
    for &parameter in parameters {
        b.function_parameter(parameter).unwrap();
    }
    b.begin_block(None).unwrap();
    for &(variable, ty) in uses {
        b.copy_object(ty, None, variable).unwrap();
    }
    b.ret().unwrap();
    b.end_function().unwrap();
    function
}

fn kernel(b: &mut Builder, name: &str, parameters: &[Word], uses: &[(Word, Word)]) -> Word {
    let function = function(b, parameters, uses);
    let interface: Vec<Word> = uses.iter().map(|&(variable, _)| variable).collect();
    b.entry_point(ExecutionModel::Kernel, function, name, interface);
    function
}

/// Two kernels with different parameters and 96 and 0 bytes of local memory.
fn good() -> Vec<u8> {
    let mut b = builder();
    let (byte, i64_type) = (b.type_int(8, 0), b.type_int(64, 0));
    let (f16_type, f32_type) = (b.type_float(16, None), b.type_float(32, None));
    let complex = b.type_vector(f32_type, 2);
    let row = b.type_pointer(None, StorageClass::CrossWorkgroup, f32_type);
    let rows = b.type_pointer(None, StorageClass::CrossWorkgroup, row);
    let (small, large) = (local_array(&mut b, 32), local_array(&mut b, 64));
    let scratch = b.type_pointer(None, StorageClass::Workgroup, byte);
    let first = kernel(&mut b, "first", &[rows, i64_type, complex, f16_type, scratch], &[small, large]);
    b.execution_mode(first, ExecutionMode::LocalSize, [32, 4, 1]);
    b.execution_mode(first, ExecutionMode::SubgroupSize, [16]);
    kernel(&mut b, "second", &[], &[]);
    bytes(b)
}

#[test]
fn kernels_are_listed() {
    let module = Module::parse(&good()).unwrap();
    assert_eq!(module.version(), (1, 4));
    assert_eq!(module.capabilities(), [Capability::Addresses, Capability::Kernel, Capability::Int64]);
    let names: Vec<&str> = module.kernels().iter().map(|kernel| kernel.name()).collect();
    assert_eq!(names, ["first", "second"]);
    let first = module.kernel("first").unwrap();
    assert_eq!(first.local_size(), Some([32, 4, 1]));
    assert_eq!(first.subgroup_size(), Some(16));
    let parameters: Vec<String> = first.parameters().iter().map(ToString::to_string).collect();
    assert_eq!(parameters, ["f32 global* global*", "i64", "f32x2", "f16", "i8 local*"]);
    assert_eq!(first.local_memory(), 96);
    let second = module.kernel("second").unwrap();
    assert_eq!((second.local_size(), second.subgroup_size()), (None, None));
    assert!(second.parameters().is_empty());
    assert_eq!(second.local_memory(), 0);
    assert!(module.kernel("third").is_none());
}

#[test]
fn local_memory_of_called_functions_counts() {
    let mut b = builder();
    let array = local_array(&mut b, 48);
    let callee = function(&mut b, &[], &[array]);
    let void = b.type_void();
    let ty = b.type_function(void, []);
    let caller = b.begin_function(void, None, FunctionControl::NONE, ty).unwrap();
    b.begin_block(None).unwrap();
    b.function_call(void, None, callee, []).unwrap();
    b.function_call(void, None, caller, []).unwrap();
    b.ret().unwrap();
    b.end_function().unwrap();
    b.entry_point(ExecutionModel::Kernel, caller, "caller", [array.0]);
    assert_eq!(Module::parse(&bytes(b)).unwrap().kernels()[0].local_memory(), 48);
}

#[test]
fn shaders_are_no_kernels() {
    let mut b = builder();
    let shader = function(&mut b, &[], &[]);
    b.entry_point(ExecutionModel::GLCompute, shader, "shader", []);
    assert!(Module::parse(&bytes(b)).unwrap().kernels().is_empty());
}

#[test]
fn wrong_headers_are_refused() {
    let good = good();
    assert!(matches!(Module::parse(&[]), Err(Error::Header(0))));
    assert!(matches!(Module::parse(&good[..16]), Err(Error::Header(4))));
    assert!(matches!(Module::parse(&good[..good.len() - 1]), Err(Error::Size(_))));
    assert!(matches!(Module::parse(b"\x7fELF"), Err(Error::Magic(0x464c_457f))));
    let swapped: Vec<u8> = good.chunks(4).flat_map(|word| word.iter().rev().copied()).collect();
    assert!(matches!(Module::parse(&swapped), Err(Error::BigEndian)));
    assert_eq!(Module::parse(&swapped).unwrap_err().to_string(), "the module is big-endian");
}

#[test]
fn other_memory_models_are_refused() {
    let refusal = |model: Option<(AddressingModel, MemoryModel)>| {
        let mut b = Builder::new();
        b.set_version(1, 4);
        if let Some((addressing, memory)) = model {
            b.memory_model(addressing, memory);
        }
        Program::build(Device::named("generic").unwrap(), &bytes(b)).err()
    };
    assert!(refusal(Some((AddressingModel::Physical64, MemoryModel::OpenCL))).is_none());
    for model in [
        None,
        Some((AddressingModel::Physical32, MemoryModel::OpenCL)),
        Some((AddressingModel::Physical64, MemoryModel::GLSL450)),
    ] {
        assert!(matches!(refusal(model), Some(Error::MemoryModel)));
    }
}

#[test]
fn contradictions_are_refused() {
    let mut b = builder();
    kernel(&mut b, "twin", &[], &[]);
    kernel(&mut b, "twin", &[], &[]);
    assert!(matches!(Module::parse(&bytes(b)), Err(Error::DuplicateKernel(name)) if name == "twin"));

    let mut b = builder();
    b.entry_point(ExecutionModel::Kernel, 77, "nowhere", []);
    assert!(matches!(Module::parse(&bytes(b)), Err(Error::Id { id: 77, expected: "function" })));

    let mut b = builder();
    kernel(&mut b, "untyped", &[77], &[]);
    assert!(matches!(Module::parse(&bytes(b)), Err(Error::Id { id: 77, .. })));

    let mut b = builder();
    let array = local_array(&mut b, 8);
    let hidden = function(&mut b, &[], &[array]);
    b.entry_point(ExecutionModel::Kernel, hidden, "hidden", []);
    assert!(
        matches!(Module::parse(&bytes(b)), Err(Error::Interface { variable, .. }) if variable == array.0)
    );

    let mut b = builder();
    let (i64_type, mut array) = (b.type_int(64, 0), b.type_int(8, 0));
    let length = b.constant_bit64(i64_type, 1 << 62);
    for _ in 0..2 {
        array = b.type_array(array, length);
    }
    let ty = b.type_pointer(None, StorageClass::Workgroup, array);
    let variable = b.variable(ty, None, StorageClass::Workgroup, None);
    kernel(&mut b, "huge", &[], &[(variable, ty)]);
    assert!(matches!(Module::parse(&bytes(b)), Err(Error::LocalMemory(_))));

    let mut b = builder();
    let own = b.id();
    b.type_pointer(Some(own), StorageClass::CrossWorkgroup, own);
    kernel(&mut b, "endless", &[own], &[]);
    assert!(matches!(Module::parse(&bytes(b)), Err(Error::Nesting(_))));
}

/// Builds a module for a device that takes whatever there is.
fn build(module: &[u8]) -> Result<Program, Error> {
    Program::build(Device::named("generic").unwrap(), module)
}

#[test]
fn work_groups_that_cannot_be_counted_are_refused() {
    for size in [[u32::MAX; 3], [1 << 16, 1 << 16, 1], [1 << 22, 1 << 21, 1 << 21], [1025, 1, 1], [0, 1, 1]] {
        let mut b = builder();
        let own = kernel(&mut b, "many", &[], &[]);
        b.execution_mode(own, ExecutionMode::LocalSize, size);
        let built = Program::build(Device::named("pvc").unwrap(), &bytes(b));
        if size == [0, 1, 1] {
            // It is a launch that is refused.
            assert!(built.is_ok());
            continue;
        }
        let error = built.err().unwrap();
        assert!(matches!(error, Error::GroupSize { size: found, .. } if found == size));
        let [x, y, z] = size;
        assert!(error.to_string().contains(&format!("{x}×{y}×{z} work-items")), "{error}");
    }
}

#[test]
fn built_in_variables_may_have_many_parts() {
    for count in [3, 255, 256, 257, 1000] {
        let mut b = builder();
        let (i32_type, i64_type) = (b.type_int(32, 0), b.type_int(64, 0));
        let length = b.constant_bit32(i32_type, count);
        let array = b.type_array(i64_type, length);
        let ty = b.type_pointer(None, StorageClass::Input, array);
        let variable = b.variable(ty, None, StorageClass::Input, None);
        b.decorate(variable, Decoration::BuiltIn, [Operand::BuiltIn(BuiltIn::GlobalInvocationId)]);
        let void = b.type_void();
        let of = b.type_function(void, []);
        let function = b.begin_function(void, None, FunctionControl::NONE, of).unwrap();
        b.begin_block(None).unwrap();
        b.load(array, None, variable, None, []).unwrap();
        b.ret().unwrap();
        b.end_function().unwrap();
        b.entry_point(ExecutionModel::Kernel, function, "parts", [variable]);
        assert!(build(&bytes(b)).is_ok(), "{count} parts");
    }
}

#[test]
fn types_beyond_the_address_space_are_refused() {
    // Structures of two arrays each whose sizes add up to more than can be counted.
    for (length, members) in [(u64::MAX, 1), (1 << 59, 33), ((1 << 60) - 1, 16), (1 << 63, 2)] {
        let mut b = builder();
        let (i64_type, byte) = (b.type_int(64, 0), b.type_int(8, 0));
        let length = b.constant_bit64(i64_type, length);
        let array = b.type_array(byte, length);
        let mut structure = b.type_struct(vec![array; members]);
        structure = b.type_struct([byte, structure, i64_type, structure]);
        let ty = b.type_pointer(None, StorageClass::CrossWorkgroup, structure);
        let variable = b.variable(ty, None, StorageClass::CrossWorkgroup, None);
        kernel(&mut b, "large", &[ty], &[(variable, ty)]);
        assert!(build(&bytes(b)).is_err(), "{members} members");
    }
}

/// Modules with numbers in the place of others that stand at the edges of what can be counted: they are built or refused,
/// and nothing overflows on the way.
#[test]
fn variables_take_no_memory_for_a_number_in_the_module() {
    let with = |length: u32| {
        let mut b = builder();
        let (byte, i32_type) = (b.type_int(8, 0), b.type_int(32, 0));
        let length = b.constant_bit32(i32_type, length);
        let array = b.type_array(byte, length);
        let ty = b.type_pointer(None, StorageClass::CrossWorkgroup, array);
        let variable = b.variable(ty, None, StorageClass::CrossWorkgroup, None);
        kernel(&mut b, "k", &[], &[(variable, ty)]);
        build(&bytes(b))
    };
    assert!(with(1 << 26).is_ok());
    let refused = with((1 << 26) + 1).err().unwrap();
    assert!(matches!(refused, Error::Unsupported("variables of more than 64 MiB")), "{refused}");
}

#[test]
fn wrong_numbers_do_not_panic() {
    const TEXT: &str =
        "func @f(%A: memref<f32x16x16>, %B: memref<f32x16x16>, %C: group<memref<f32x16x16>x?>, %n: index)
            attributes{subgroup_size=16,work_group_size=[32,2]} {
        %one = constant 1.0 : f32
        %t = alloca : memref<f32x16x16,local>
        gemm.n.t %one, %A, %B, %one, %t
        %g = group_id.x : index
        %c = load %C[%g] : memref<f32x16x16>
        for %i=%g,%n {
            axpby.n %one, %t, %one, %c
        }
    }";
    let mut ir = tiletc::ir::Ir::default();
    let program =
        tiletc::driver::parse(&mut ir, tiletc::diagnostics::SourceId::UNKNOWN, TEXT.as_bytes()).unwrap();
    let info = tiletc::device::CoreInfo::from_name("pvc").unwrap();
    let module =
        tiletc::driver::compile(&mut ir, &program, &info, &tiletc::driver::Options::default()).unwrap();
    let words: Vec<u32> =
        module.assemble().as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
    let good: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    build(&good).unwrap();
    const EDGES: [u32; 12] =
        [0, 1, 3, 0x7f, 0xff, 0x100, 0xffff, 1 << 16, 1 << 30, 0x7fff_ffff, 1 << 31, u32::MAX];
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..500 {
        let mut mutated = words.clone();
        for _ in 0..=random(3) {
            let at = 5 + random(words.len() - 5);
            mutated[at] = match random(4) {
                0 => mutated[at].wrapping_add(1),
                1 => words[random(words.len())],
                _ => EDGES[random(EDGES.len())],
            };
        }
        let _ = build(&mutated.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<u8>>());
    }
}

#[test]
fn unknown_operations_on_constants_are_refused() {
    let mut module = good();
    // rspirv would take the operands of OpConstant for its own, and panic.
    for word in [5 << 16 | Op::SpecConstantOp as u32, 1, 900, Op::Constant as u32, 7] {
        module.extend(word.to_le_bytes());
    }
    assert!(Program::build(Device::named("generic").unwrap(), &module).is_err());
}

#[test]
fn cut_off_modules_do_not_panic() {
    let good = good();
    for length in (0..good.len()).step_by(4) {
        // What ends between two instructions may be a module, a smaller one.
        if let Ok(module) = Module::parse(&good[..length]) {
            assert!(module.kernels().len() < 2);
        }
    }
}

#[test]
fn garbled_modules_do_not_panic() {
    let good = good();
    let mut state = 1u32;
    let mut random = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below
    };
    for _ in 0..20_000 {
        let mut module = good.clone();
        for _ in 0..=random(3) {
            let at = random(module.len());
            module[at] = random(256) as u8;
        }
        let _ = Module::parse(&module);
    }
    let noise: Vec<u8> = good[..20].iter().copied().chain((0..100_000).map(|_| random(256) as u8)).collect();
    assert!(Module::parse(&noise).is_err());
}

#[test]
fn a_garbled_name_is_an_error() {
    let mut b = builder();
    kernel(&mut b, "name", &[], &[]);
    let mut module = bytes(b);
    let at = module.windows(4).position(|four| four == b"name").unwrap();
    module[at] = 0xff;
    assert!(matches!(Module::parse(&module), Err(Error::Unreadable(_))));
    // Without its zero the text would run on into what follows.
    module[at..at + 8].fill(b'x');
    assert!(matches!(Module::parse(&module), Err(Error::Unreadable(_))));
}
