//! Barriers in two halves, constants from operations on constants, and arithmetic of pointers.

use crate::{Module, download, upload};
use virtual_xe::{Argument, Memory};

#[test]
fn subgroups_meet_at_barriers_in_two_halves() {
    let mut module = Module { subgroup: 16, items: 64, ..Module::default() };
    module.capabilities = vec!["SplitBarrierINTEL"];
    module.extensions = vec!["SPV_INTEL_split_barrier"];
    module.types = "%array = OpTypeArray %int %i64
%ptr_array = OpTypePointer Workgroup %array
%ptr_local = OpTypePointer Workgroup %int
%local = OpVariable %ptr_array Workgroup
%id_variable = OpVariable %ptr_input Input
%semantics = OpConstant %int 0x110
%i63 = OpConstant %int 63"
        .to_owned();
    module.parameters = vec!["ptr_int"];
    // Each work-item reads what the one opposite of it wrote, three times over.
    let mut round = String::from(
        "%id = OpLoad %int %id_variable\n%opposite = OpISub %int %i63 %id\n%v0 = OpIAdd %int %id %i1\n",
    );
    for turn in 0..3 {
        let next = turn + 1;
        round += &format!(
            "%w{turn} = OpAccessChain %ptr_local %local %id
OpStore %w{turn} %v{turn}
OpControlBarrierArriveINTEL %i2 %i2 %semantics
%x{turn} = OpIMul %int %v{turn} %i3
OpControlBarrierWaitINTEL %i2 %i2 %semantics
%r{turn} = OpAccessChain %ptr_local %local %opposite
%l{turn} = OpLoad %int %r{turn}
OpControlBarrierArriveINTEL %i2 %i2 %semantics
%v{next} = OpIAdd %int %x{turn} %l{turn}
OpControlBarrierWaitINTEL %i2 %i2 %semantics\n"
        );
    }
    module.body = format!("{round}%o = OpPtrAccessChain %ptr_int %p0 %id\nOpStore %o %v3");
    let text = module.text();
    let text = text.replace("%lane_variable\nOpExecution", "%lane_variable %local %id_variable\nOpExecution");
    let text = text.replace(
        "OpDecorate %lane_variable",
        "OpDecorate %id_variable BuiltIn LocalInvocationIndex\nOpDecorate %lane_variable",
    );
    let memory = Memory::new();
    let output = upload(&memory, &[0i32; 64], i32::to_le_bytes);
    let reports = crate::run_text(&text, "generic", &memory, &[Argument::address(output)]);
    assert_eq!(reports, Vec::<String>::new());
    let mut values: Vec<i32> = (1..=64).collect();
    for _ in 0..3 {
        values = (0..64).map(|i| 3 * values[i] + values[63 - i]).collect();
    }
    assert_eq!(download(&memory, output, 64, i32::from_le_bytes), values);
}

#[test]
fn operations_on_constants_are_computed() {
    let mut module = Module { subgroup: 16, ..Module::default() };
    module.types = "%c7 = OpSpecConstant %int 7
%sum = OpSpecConstantOp %int IAdd %c7 %i4
%product = OpSpecConstantOp %int IMul %sum %sum
%pair = OpSpecConstantComposite %int2 %sum %product
%second = OpSpecConstantOp %int CompositeExtract %pair 1
%swapped = OpSpecConstantOp %int2 VectorShuffle %pair %pair 1 0
%first = OpSpecConstantOp %int CompositeExtract %swapped 0
%less = OpSpecConstantOp %bool SLessThan %sum %product
%chosen = OpSpecConstantOp %int Select %less %i3 %i4"
        .to_owned();
    module.parameters = vec!["ptr_int"];
    module.body = "%a = OpIAdd %int %second %chosen
%b = OpISub %int %a %first
%c = OpIMul %int %b %second
OpStore %p0 %c"
        .to_owned();
    let memory = Memory::new();
    let output = upload(&memory, &[0i32], i32::to_le_bytes);
    assert_eq!(module.run(&memory, &[Argument::address(output)]), Vec::<String>::new());
    assert_eq!(download(&memory, output, 1, i32::from_le_bytes), [3 * 121]);
}

#[test]
fn pointers_are_subtracted_in_elements() {
    let mut module = Module { subgroup: 16, ..Module::default() };
    module.parameters = vec!["ptr_long"];
    module.body = "%here = OpPtrAccessChain %ptr_long %p0 %lane
%last = OpPtrAccessChain %ptr_long %p0 %i8
%distance = OpPtrDiff %long %here %last
OpStore %here %distance"
        .to_owned();
    let memory = Memory::new();
    let output = upload(&memory, &[0i64; 16], i64::to_le_bytes);
    assert_eq!(module.run(&memory, &[Argument::address(output)]), Vec::<String>::new());
    let expected: Vec<i64> = (0..16).map(|lane| lane - 8).collect();
    assert_eq!(download(&memory, output, 16, i64::from_le_bytes), expected);
}
