//! Small kernels with a fault in them, and what the checks say.

mod emit;

use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Operand};
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, FunctionControl,
    MemoryModel, StorageClass, Word,
};
use std::num::NonZeroUsize;
use virtual_xe::{Argument, Checks, Device, Fault, Launch, Memory, Program, Report};

/// Numbers of each array.
pub const COUNT: u32 = 64;
/// Lanes of a subgroup.
pub const LANES: u32 = 16;

/// A kernel in the making. Its parameters are two arrays of [`COUNT`] numbers in global memory and one in constant
/// memory, of which the host has written the first and the last, to 1, 2, 3 and so on; a fourth one is in local memory.
pub struct Kernel {
    pub b: Builder,
    pub int: Word,
    pub bool: Word,
    pub a: Word,
    pub unwritten: Word,
    pub table: Word,
    pub local: Word,
    /// The work-item, in its work-group.
    pub item: Word,
    pub lane: Word,
    pub subgroup: Word,
    pub group: Word,
    /// The place of the instruction that is to be blamed.
    mark: Option<u32>,
    group_size: [u32; 3],
    groups: u32,
    budget: u64,
    launch_budget: u64,
    checks: Checks,
    threads: Option<NonZeroUsize>,
    /// Preparation before the launch.
    prepare: Option<fn(&Memory, u64, u64)>,
}

/// Instruction and work-item that a fault is expected to be blamed on.
#[derive(Clone, Copy, Debug)]
pub struct Blame {
    pub fault: Fault,
    pub opcode: &'static str,
    pub group: u32,
    pub subgroup: u32,
    pub lane: u32,
}

/// The first lane of the first work-group does it.
pub fn at(fault: Fault, opcode: &'static str) -> Blame {
    Blame { fault, opcode, group: 0, subgroup: 0, lane: 0 }
}

impl Blame {
    pub fn group(self, group: u32) -> Blame {
        Blame { group, ..self }
    }

    pub fn subgroup(self, subgroup: u32) -> Blame {
        Blame { subgroup, ..self }
    }

    pub fn lane(self, lane: u32) -> Blame {
        Blame { lane, ..self }
    }
}

/// Runs a kernel with a fault, which must be found, and the one without, of which nothing may be reported.
pub fn planted(blame: Blame, body: fn(&mut Kernel, bool)) -> Report {
    let sound = Kernel::run(|kernel| body(kernel, false));
    assert!(sound.1.is_empty(), "the sound kernel: {}", texts(&sound.1));
    let (mark, reports) = Kernel::run(|kernel| body(kernel, true));
    let [report] = reports.as_slice() else { panic!("{} reports: {}", reports.len(), texts(&reports)) };
    let opcode = report.instruction.split(' ').next().unwrap();
    let found = (report.fault, opcode, report.group, report.subgroup, report.lane);
    assert_eq!(
        found,
        (blame.fault, blame.opcode, [blame.group, 0, 0], blame.subgroup, blame.lane),
        "{report}"
    );
    assert_eq!(Some(report.index), mark, "{report}");
    assert_eq!(report.kernel, "kernel");
    report.clone()
}

pub fn texts(reports: &[Report]) -> String {
    reports.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

impl Kernel {
    fn new() -> Kernel {
        let mut b = Builder::new();
        b.set_version(1, 4);
        for capability in [Capability::Addresses, Capability::Kernel, Capability::Int64, Capability::Int8] {
            b.capability(capability);
        }
        b.memory_model(AddressingModel::Physical64, MemoryModel::OpenCL);
        let (void, int, bool) = (b.type_void(), b.type_int(32, 0), b.type_bool());
        let global = b.type_pointer(None, StorageClass::CrossWorkgroup, int);
        let constant = b.type_pointer(None, StorageClass::UniformConstant, int);
        let count = b.constant_bit32(int, COUNT);
        let array = b.type_array(int, count);
        let array = b.type_pointer(None, StorageClass::Workgroup, array);
        let local = b.variable(array, None, StorageClass::Workgroup, None);
        let input = b.type_pointer(None, StorageClass::Input, int);
        let vector = b.type_vector(int, 3);
        let input_vector = b.type_pointer(None, StorageClass::Input, vector);
        let builtins = [
            (input, BuiltIn::LocalInvocationIndex),
            (input, BuiltIn::SubgroupLocalInvocationId),
            (input, BuiltIn::SubgroupId),
            (input_vector, BuiltIn::WorkgroupId),
        ];
        let variables = builtins.map(|(ty, builtin)| {
            let variable = b.variable(ty, None, StorageClass::Input, None);
            b.decorate(variable, Decoration::BuiltIn, [Operand::BuiltIn(builtin)]);
            variable
        });
        let ty = b.type_function(void, [global, global, constant]);
        let function = b.begin_function(void, None, FunctionControl::NONE, ty).unwrap();
        b.name(function, "faulty");
        let a = b.function_parameter(global).unwrap();
        let unwritten = b.function_parameter(global).unwrap();
        let table = b.function_parameter(constant).unwrap();
        b.begin_block(None).unwrap();
        let [item, lane, subgroup] =
            [0, 1, 2].map(|place| b.load(int, None, variables[place], None, []).unwrap());
        let group = b.load(vector, None, variables[3], None, []).unwrap();
        let group = b.composite_extract(int, None, group, [0]).unwrap();
        let interface: Vec<Word> = variables.into_iter().chain([local]).collect();
        b.entry_point(ExecutionModel::Kernel, function, "kernel", interface);
        b.execution_mode(function, ExecutionMode::SubgroupSize, [LANES]);
        let zero = b.constant_bit32(int, 0);
        let pointer = b.type_pointer(None, StorageClass::Workgroup, int);
        let local = b.in_bounds_access_chain(pointer, None, local, [zero]).unwrap();
        Kernel {
            b,
            int,
            bool,
            a,
            unwritten,
            table,
            local,
            item,
            lane,
            subgroup,
            group,
            mark: None,
            group_size: [2 * LANES, 1, 1],
            groups: 1,
            budget: 1 << 20,
            launch_budget: Launch::LAUNCH_BUDGET,
            checks: Checks::ALL,
            threads: None,
            prepare: None,
        }
    }

    /// Builds and runs a kernel; returns the place of what is to be blamed, and the reports.
    pub fn run(body: impl FnOnce(&mut Kernel)) -> (Option<u32>, Vec<Report>) {
        let mut kernel = Kernel::new();
        body(&mut kernel);
        if kernel.b.selected_block().is_some() {
            kernel.b.ret().unwrap();
        }
        kernel.b.end_function().unwrap();
        let module = kernel.b.module();
        let bytes: Vec<u8> = module.assemble().into_iter().flat_map(u32::to_le_bytes).collect();
        let device = Device::named("pvc").unwrap();
        let program = Program::build(device, &bytes).unwrap();
        let memory = Memory::new();
        let numbers: Vec<u8> = (1..=COUNT).flat_map(u32::to_le_bytes).collect();
        let [a, unwritten, table] = [0; 3].map(|_| memory.allocate(numbers.len() as u64, 128).unwrap());
        memory.write(a, &numbers).unwrap();
        memory.write(table, &numbers).unwrap();
        if let Some(prepare) = kernel.prepare {
            prepare(&memory, a, unwritten);
        }
        let mut launch = Launch::new([kernel.groups, 1, 1]);
        launch.local_size = Some(kernel.group_size);
        launch.budget = kernel.budget;
        launch.launch_budget = kernel.launch_budget;
        launch.checks = kernel.checks;
        launch.threads = kernel.threads;
        let arguments = [a, unwritten, table].map(Argument::address);
        let outcome = program.kernel("kernel").unwrap().run(&memory, &launch, &arguments).unwrap();
        (kernel.mark, outcome.reports)
    }

    pub fn groups(&mut self, groups: u32) {
        self.groups = groups;
    }

    pub fn items(&mut self, items: u32) {
        self.group_size = [items, 1, 1];
    }

    pub fn budget(&mut self, budget: u64) {
        self.budget = budget;
    }

    pub fn launch_budget(&mut self, budget: u64) {
        self.launch_budget = budget;
    }

    pub fn checks(&mut self, checks: Checks) {
        self.checks = checks;
    }

    pub fn threads(&mut self, threads: usize) {
        self.threads = NonZeroUsize::new(threads);
    }

    /// Does something with the addresses of the arrays before the launch.
    pub fn before(&mut self, prepare: fn(&Memory, u64, u64)) {
        self.prepare = Some(prepare);
    }

    /// The next instruction is the one to be blamed.
    pub fn mark(&mut self) {
        self.mark = Some(self.next());
    }

    fn next(&self) -> u32 {
        let function = &self.b.module_ref().functions[self.b.selected_function().unwrap()];
        let selected = self.b.selected_block().unwrap();
        let before = function.blocks[..selected].iter().map(|block| 1 + block.instructions.len());
        (before.sum::<usize>() + 1 + function.blocks[selected].instructions.len()) as u32
    }
}
