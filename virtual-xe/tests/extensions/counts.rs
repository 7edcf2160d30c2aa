//! Exact tests of the counters: bytes of every kind of access, and classes of instructions.

use crate::{Module, cooperative, surface, upload};
use std::collections::BTreeSet;
use virtual_xe::{Argument, Class, Counters, Executed, Memory, Traffic};

const LANES: u64 = 16;

fn executed(counters: &Counters, class: Class) -> u64 {
    counters.instructions.get(&class).map_or(0, |executed| executed.subgroups)
}

#[test]
fn of_2d_blocks_only_what_is_in_the_matrix_counts() {
    let shape = surface::SURFACE;
    let memory = Memory::new();
    let matrix = upload(&memory, &vec![1u8; (shape.pitch * shape.height) as usize], u8::to_le_bytes);
    let own = upload(&memory, &[0u8; LANES as usize * surface::ROOM], u8::to_le_bytes);
    // The lanes' memory is copied from and to global memory.
    let copied = LANES * surface::ROOM as u64;
    for (action, block) in [
        ("Load", surface::block(2, 16, 8, 2)),
        ("LoadTransform", surface::block(2, 16, 16, 2)),
        ("LoadTranspose", surface::block(4, 8, 16, 1)),
        ("Store", surface::block(4, 16, 8, 1)),
        ("Prefetch", surface::block(2, 16, 8, 2)),
    ] {
        // Inside, across each edge and two corners, and all outside.
        for at in [(8, 3), (-4, 3), (8, -3), (44, 3), (8, 37), (-8, -5), (44, 38), (400, 0), (0, -100)] {
            let (mut bytes, mut lines) = (0, BTreeSet::new());
            for row in 0..i64::from(block.height) {
                for column in 0..i64::from(block.width * block.count) {
                    let (x, y) = (i64::from(at.0) + column, i64::from(at.1) + row);
                    let x = x * i64::from(block.element);
                    if (0..i64::from(shape.width)).contains(&x) && (0..i64::from(shape.height)).contains(&y) {
                        bytes += u64::from(block.element);
                        lines.insert((y * i64::from(shape.pitch) + x) / 64);
                    }
                }
            }
            let arguments = [
                Argument::address(matrix),
                Argument::address(own),
                shape.width.into(),
                shape.height.into(),
                shape.pitch.into(),
                at.0.into(),
                at.1.into(),
            ];
            let counters = surface::module(action, LANES as u32, block).counters(&memory, &arguments);
            let touched = lines.len() as u64 * 64;
            let (class, read, written) = match action {
                "Store" => (Class::BlockStore, (0, 0), (bytes, touched)),
                "Prefetch" => (Class::Prefetch, (0, 0), (0, 0)),
                _ => (Class::BlockLoad, (bytes, touched), (0, 0)),
            };
            let expected = Traffic { read: copied + read.0, written: copied + written.0 };
            assert_eq!(counters.global, expected, "{action} at {at:?}");
            let expected = Traffic { read: copied + read.1, written: copied + written.1 };
            assert_eq!(counters.touched, expected, "{action} at {at:?}");
            assert_eq!(counters.local, Traffic::default());
            assert_eq!((executed(&counters, class), executed(&counters, Class::Copy)), (1, 2), "{action}");
            assert_eq!(executed(&counters, Class::Other), 0, "{action}");
        }
    }
}

#[test]
fn cooperative_matrices_count_their_bytes() {
    let product = |epilogue| cooperative::Product {
        shape: (8, 16, 16),
        side: "half",
        sum: "float",
        // Rows of A have gaps between them, which do not count.
        layouts: (0, 0),
        strides: (48, 16),
        operands: "",
        epilogue,
    };
    let memory = Memory::new();
    let room = || Argument::address(upload(&memory, &[0u8; 1024], u8::to_le_bytes));
    let arguments = [room(), room(), room(), room()];
    let counters = cooperative::module(&product(cooperative::COPY), 16).counters(&memory, &arguments);
    // A has 8 × 16 numbers of two bytes, B 16 × 16, C and D 8 × 16 of four; every lane stores the length.
    assert_eq!(counters.global, Traffic { read: 256 + 512 + 512, written: 512 + 4 * LANES });
    assert_eq!(counters.touched, Traffic { read: 8 * 64 + 512 + 512, written: 512 + 64 });
    let classes =
        [Class::BlockLoad, Class::BlockStore, Class::Matrix].map(|class| executed(&counters, class));
    assert_eq!(classes, [3, 1, 1]);
    assert_eq!(counters.matrix_operations.get(&16), Some(&(2 * 8 * 16 * 16)));
    assert_eq!(counters.float_operations.get(&32), None);
    // A difference and a scale of eight numbers a lane, and two sums of one.
    let counters = cooperative::module(&product(cooperative::WORK), 16).counters(&memory, &arguments);
    assert_eq!(counters.float_operations.get(&32), Some(&(LANES * (8 + 8 + 1 + 1))));
}

/// A kernel of one parameter, an array in global memory, and another array in local memory; both have a number for
/// each lane.
fn arrays(body: &str) -> Counters {
    let memory = Memory::new();
    let array = upload(&memory, &[1u32; 256], u32::to_le_bytes);
    let mut module = Module { subgroup: 16, ..Module::default() };
    module.capabilities = vec!["Float16", "SubgroupBufferBlockIOINTEL", "SubgroupBufferPrefetchINTEL"];
    module.extensions = vec!["SPV_INTEL_subgroups", "SPV_INTEL_subgroup_buffer_prefetch"];
    module.types = "%array = OpTypeArray %int %i64
%ptr_array = OpTypePointer Workgroup %array
%ptr_local = OpTypePointer Workgroup %int
%local_array = OpVariable %ptr_array Workgroup
%size = OpConstant %int 20
%l0 = OpConstant %long 0
%half = OpTypeFloat 16
%ptr_half = OpTypePointer CrossWorkgroup %half
%float4 = OpTypeVector %float 4
%f1 = OpConstant %float 1
%carried = OpTypeStruct %int %int"
        .to_owned();
    module.parameters = vec!["ptr_int"];
    module.body = format!(
        "%global = OpPtrAccessChain %ptr_int %p0 %lane
%local = OpAccessChain %ptr_local %local_array %lane
OpStore %local %lane
{body}"
    );
    let text =
        module.text().replace("%lane_variable\nOpExecution", "%lane_variable %local_array\nOpExecution");
    crate::count_text(&text, &memory, &[Argument::address(array)])
}

/// Without the store that fills local memory.
fn local(counters: &Counters) -> Traffic {
    let Traffic { read, written } = counters.local;
    Traffic { read, written: written - 4 * LANES }
}

fn traffic(read: u64, written: u64) -> Traffic {
    Traffic { read, written }
}

#[test]
fn copies_count_on_both_sides() {
    // Twenty bytes each, of four lanes, behind what the lanes have stored.
    let counters = arrays(
        "%few = OpULessThan %bool %lane %i4
OpSelectionMerge %end None
OpBranchConditional %few %copy %end
%copy = OpLabel
%far = OpIMul %int %lane %i8
%behind = OpIAdd %int %far %i16
%to = OpAccessChain %ptr_local %local_array %behind
%from = OpPtrAccessChain %ptr_int %p0 %far
OpCopyMemorySized %to %from %size Aligned 4
OpBranch %end
%end = OpLabel",
    );
    assert_eq!((counters.global, local(&counters)), (traffic(80, 0), traffic(0, 80)));
    assert_eq!(counters.instructions.get(&Class::Copy), Some(&Executed { subgroups: 1, lanes: 4 }));
}

#[test]
fn atomics_count_what_they_do() {
    let bytes = 4 * LANES;
    for (instruction, read, written) in [
        ("%x = OpAtomicLoad %int POINTER %i1 %i0", bytes, 0),
        ("OpAtomicStore POINTER %i1 %i0 %lane", 0, bytes),
        ("%x = OpAtomicIAdd %int POINTER %i1 %i0 %i1", bytes, bytes),
        ("%x = OpAtomicIIncrement %int POINTER %i1 %i0", bytes, bytes),
        ("%x = OpAtomicFlagTestAndSet %bool POINTER %i1 %i0", bytes, bytes),
        ("OpAtomicFlagClear POINTER %i1 %i0", 0, bytes),
    ] {
        let counters = arrays(&instruction.replace("POINTER", "%global"));
        assert_eq!(counters.global, traffic(read, written), "{instruction}");
        assert_eq!(executed(&counters, Class::Atomic), 1, "{instruction}");
        let counters = arrays(&instruction.replace("POINTER", "%local"));
        assert_eq!(local(&counters), traffic(read, written), "{instruction}");
        assert_eq!(counters.global, traffic(0, 0));
    }
}

#[test]
fn vectors_and_numbers_of_half_precision_count_as_loads_and_stores() {
    let counters = arrays(
        "%floats = OpBitcast %ptr_float %global
%vector = OpExtInst %float4 %std vloadn %l0 %floats 4
%halves = OpBitcast %ptr_half %p0
%wide = OpUConvert %long %lane
%number = OpExtInst %float %std vload_half %wide %halves",
    );
    assert_eq!(counters.global, traffic(LANES * (16 + 2), 0));
    assert_eq!((executed(&counters, Class::Load), executed(&counters, Class::Float)), (2, 0));
}

#[test]
fn prefetches_move_nothing() {
    let counters = arrays(
        "OpSubgroupBlockPrefetchINTEL %p0 %i64
%none = OpExtInst %void %std prefetch %p0 %l0",
    );
    assert_eq!(counters.global, traffic(0, 0));
    assert_eq!(executed(&counters, Class::Prefetch), 2);
}

#[test]
fn blocks_count_once_for_the_subgroup() {
    let counters = arrays(
        "%block = OpSubgroupBlockReadINTEL %int %p0
OpSubgroupBlockWriteINTEL %p0 %block",
    );
    assert_eq!(counters.global, traffic(4 * LANES, 4 * LANES));
    let classes = [Class::BlockLoad, Class::BlockStore].map(|class| executed(&counters, class));
    assert_eq!(classes, [1, 1]);
}

#[test]
fn every_family_has_its_class() {
    for (instruction, class, count) in [
        ("%x = OpIAddCarry %carried %lane %lane", Class::Integer, 3),
        ("%x = OpBitReverse %int %lane", Class::Integer, 1),
        ("%x = OpExtInst %int %std popcount %lane", Class::Integer, 1),
        ("%x = OpExtInst %int %std s_max %lane %i1", Class::Integer, 1),
        ("%x = OpExtInst %float %std fmax %f1 %f1", Class::Float, 1),
        ("%x = OpExtInst %int %std ilogb %f1", Class::Float, 1),
        ("%x = OpOrdered %bool %f1 %f1", Class::Compare, 1),
        ("%x = OpLessOrGreater %bool %f1 %f1", Class::Compare, 1),
        ("%x = OpSatConvertUToS %int %lane", Class::Convert, 1),
        ("%x = OpQuantizeToF16 %float %f1", Class::Convert, 1),
        ("%x = OpGroupIAdd %int %i3 Reduce %lane", Class::Subgroup, 1),
    ] {
        let (with, without) = (arrays(instruction), arrays(""));
        let mut expected = without.instructions.clone();
        *expected.entry(class).or_default() += Executed { subgroups: count, lanes: count * LANES };
        assert_eq!(with.instructions, expected, "{instruction}");
    }
}
