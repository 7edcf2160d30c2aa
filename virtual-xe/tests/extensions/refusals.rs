//! Modules that ask for what a device lacks are refused when they are built, with a message that says what.

use crate::Module;
use virtual_xe::{Argument, Device, Launch, LaunchError, Memory, Program};

/// Properties of each device by the lowering reference: subgroup sizes, local memory, work-items of a group, double precision,
/// lanes of the matrix engine, 2D block access.
const DEVICES: [Properties; 8] = [
    ("pvc", &[16, 32], 128, 1024, true, Some(16), true),
    ("bmg", &[16, 32], 128, 1024, true, Some(16), true),
    ("lnl", &[16, 32], 128, 1024, true, Some(16), true),
    ("ptl", &[16, 32], 128, 1024, true, Some(16), true),
    ("dg2", &[8, 16, 32], 64, 1024, false, Some(8), false),
    ("arl-h", &[8, 16, 32], 64, 1024, true, None, false),
    ("tgl", &[8, 16, 32], 64, 512, false, None, false),
    ("generic", &[8, 16, 32], 128, 2048, true, Some(16), true),
];

type Properties = (&'static str, &'static [u32], u64, u32, bool, Option<u32>, bool);

fn module(subgroup: u32, items: u32) -> Module {
    Module { subgroup, items, ..Module::default() }
}

#[test]
fn every_device_has_the_properties_of_its_architecture() {
    assert_eq!(Device::all().len(), DEVICES.len());
    for (name, sizes, local, items, double, lanes, block_io) in DEVICES {
        let device = Device::named(name).unwrap();
        assert_eq!(device.subgroup_sizes(), sizes, "{name}");
        assert_eq!(device.local_memory(), local * 1024, "{name}");
        assert_eq!(device.max_group_size(), items, "{name}");
        assert_eq!(device.has_double(), double, "{name}");
        assert_eq!(device.matrix_lanes(), lanes, "{name}");
        assert_eq!(device.has(virtual_xe::Capability::Subgroup2DBlockIOINTEL), block_io, "{name}");
    }
}

#[test]
fn subgroups_of_other_sizes_are_refused() {
    for (name, sizes, ..) in DEVICES {
        for size in [1, 4, 8, 16, 32, 64] {
            let refusal = module(size, 64).refusal(name).map(|error| error.to_string());
            let message =
                format!("kernel k needs subgroups of {size} lanes, which device {name} does not have");
            assert_eq!(refusal, (!sizes.contains(&size)).then_some(message));
        }
    }
}

#[test]
fn work_groups_that_are_too_large_are_refused() {
    for (name, _, _, most, ..) in DEVICES {
        assert!(module(16, most).refusal(name).is_none());
        let refusal = module(16, most + 16).refusal(name).unwrap().to_string();
        let items = most + 16;
        assert_eq!(
            refusal,
            format!("kernel k has work-groups of {items}×1×1 work-items; the device runs at most {most}")
        );
    }
}

#[test]
fn more_local_memory_than_there_is_is_refused() {
    for (name, _, kib, ..) in DEVICES {
        let most = kib * 1024;
        let with = |bytes: u64| {
            let mut module = module(16, 0);
            module.types = format!(
                "%size = OpConstant %int {bytes}
%array = OpTypeArray %char %size
%ptr_array = OpTypePointer Workgroup %array
%ptr_local = OpTypePointer Workgroup %char
%local = OpVariable %ptr_array Workgroup"
            );
            module.body = "%first = OpInBoundsPtrAccessChain %ptr_local %local %i0 %i0".to_owned();
            // Used variables are listed from version 1.4 on.
            let text =
                module.text().replace("%lane_variable\nOpExecution", "%lane_variable %local\nOpExecution");
            build(&text, name)
        };
        assert!(with(most).is_none(), "{name}");
        let refusal = with(most + 1).unwrap();
        assert_eq!(
            refusal,
            format!("kernel k needs {} bytes of local memory; the device has {most}", most + 1)
        );

        // The same for what arguments ask for.
        let mut module = module(16, 0);
        module.types = "%ptr_local = OpTypePointer Workgroup %char".to_owned();
        module.parameters = vec!["ptr_local"];
        let program = Program::build(Device::named(name).unwrap(), &module.bytes()).unwrap();
        let run =
            |bytes| program.kernels()[0].run(&Memory::new(), &Launch::new([1; 3]), &[Argument::Local(bytes)]);
        assert!(run(most).is_ok());
        assert_eq!(run(most + 1).unwrap_err(), LaunchError::LocalMemory(most + 1));
    }
}

#[test]
fn arguments_are_counted_from_one() {
    let mut module = module(16, 0);
    module.types = "%ptr_local = OpTypePointer Workgroup %char".to_owned();
    module.parameters = vec!["ptr_local", "int"];
    let program = Program::build(Device::named("pvc").unwrap(), &module.bytes()).unwrap();
    let run = |arguments: [Argument; 2]| {
        program.kernels()[0]
            .run(&Memory::new(), &Launch::new([1; 3]), &arguments)
            .map_err(|error| error.to_string())
    };
    assert!(run([Argument::Local(4), 0u32.into()]).is_ok());
    assert_eq!(run([0u64.into(), 0u32.into()]), Err("argument 1 is of the wrong kind".to_owned()));
    assert_eq!(run([Argument::Local(4), 0u64.into()]), Err("argument 2 has 8 bytes instead of 4".to_owned()));
}

fn build(text: &str, device: &str) -> Option<String> {
    let bytes = crate::assemble(text);
    Program::build(Device::named(device).unwrap(), &bytes).err().map(|error| error.to_string())
}

#[test]
fn capabilities_that_a_device_lacks_are_refused_by_name() {
    // Capability, and the devices that have it.
    let xe = ["pvc", "bmg", "lnl", "ptl", "generic"];
    let with_double = ["pvc", "bmg", "lnl", "ptl", "generic", "arl-h"];
    let with_dg2 = ["pvc", "bmg", "lnl", "ptl", "generic", "dg2"];
    let with_engine = ["pvc", "bmg", "lnl", "ptl", "generic", "dg2", "arl-h"];
    let table: [(&'static str, &[&str]); 14] = [
        ("Float64", &with_double),
        ("AtomicFloat64AddEXT", &with_double),
        ("TensorFloat32RoundingINTEL", &xe),
        ("Subgroup2DBlockIOINTEL", &xe),
        ("Subgroup2DBlockTransformINTEL", &xe),
        ("Subgroup2DBlockTransposeINTEL", &xe),
        ("SubgroupBufferPrefetchINTEL", &xe),
        ("SubgroupMatrixMultiplyAccumulateINTEL", &with_dg2),
        ("CooperativeMatrixKHR", &with_engine),
        ("BFloat16TypeKHR", &with_engine),
        ("AtomicFloat16AddEXT", &[]),
        ("Shader", &[]),
        ("Pipes", &[]),
        ("RegisterLimitsINTEL", &[]),
    ];
    for (capability, having) in table {
        for (name, ..) in DEVICES {
            let mut module = module(16, 0);
            module.capabilities = vec![capability];
            let refusal = module.refusal(name).map(|error| error.to_string());
            let message = format!("device {name} does not support capability {capability}");
            assert_eq!(refusal, (!having.contains(&name)).then_some(message));
        }
    }
}

#[test]
fn instructions_that_are_not_known_are_refused_by_name() {
    let table = [
        ("%x = OpIsHelperInvocationEXT %bool", "OpIsHelperInvocationEXT in function %k is not supported"),
        ("%x = OpSDot %int %i1 %i2 PackedVectorFormat4x8Bit", "OpSDot in function %k is not supported"),
        ("%x = OpDPdx %float %f1", "OpDPdx in function %k is not supported"),
        ("%x = OpReadClockKHR %long %i3", "OpReadClockKHR in function %k is not supported"),
        ("%x = OpExtInst %int %std printf %text", "printf in function %k: the format is no constant text"),
        (
            "%x = OpGroupAsyncCopy %event %i2 %p0 %p0 %i1 %i1 %none",
            "OpGroupAsyncCopy in function %k: it is not between global and local memory",
        ),
    ];
    for (body, message) in table {
        let mut module = module(16, 0);
        module.types = "%f1 = OpConstant %float 1
%text_type = OpTypePointer UniformConstant %char
%text = OpConstantNull %text_type
%event = OpTypeEvent
%none = OpConstantNull %event"
            .to_owned();
        module.parameters = vec!["ptr_int"];
        module.body = body.to_owned();
        assert_eq!(module.refusal("generic").map(|error| error.to_string()).as_deref(), Some(message));
    }
    // Nor what is called and not there.
    let mut module = module(16, 0);
    module.body = "%x = OpFunctionCall %void %other".to_owned();
    let text = module.text().replace(
        "%k = OpFunction",
        "%none = OpTypeFunction %void\n%other = OpFunction %void None %none\nOpFunctionEnd\n%k = OpFunction",
    );
    let text = text.replace(
        "OpDecorate",
        "OpName %other \"elsewhere\"\nOpDecorate %other LinkageAttributes \"elsewhere\" Import\nOpDecorate",
    );
    let refusal = build(&text.replacen("OpDecorate %other", "OpDecorate  %other", 1), "generic");
    assert_eq!(refusal.as_deref(), Some("a call of %elsewhere in function %k is not supported"));
}
