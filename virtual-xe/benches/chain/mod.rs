//! The fused chain of matrix products, Q += K P A for many small matrices.

use tiletc::device::CoreInfo;
use tiletc::diagnostics::SourceId;
use tiletc::driver::{self, Options};
use tiletc::ir::Ir;
use virtual_xe::{Argument, Checks, Device, Launch, Memory, Program};

const TEXT: &str = include_str!("../../../cpp-examples/matrix_chain/fused_kernel.ir");

/// The kernel and its matrices.
pub struct Chain {
    program: Program,
    memory: Memory,
    arguments: Vec<Argument>,
    elements: u32,
}

impl Chain {
    /// For so many elements.
    pub fn new(device: &'static Device, elements: u32) -> Chain {
        let mut ir = Ir::default();
        let program = driver::parse(&mut ir, SourceId::UNKNOWN, TEXT.as_bytes()).unwrap();
        let info = CoreInfo::from_name(device.name()).unwrap();
        let module = driver::compile(&mut ir, &program, &info, &Options::default()).unwrap();
        let program = Program::build(device, &module.assemble()).unwrap();
        let memory = Memory::new();
        let numbers = |count: u32| {
            let bytes: Vec<u8> = (0..count).flat_map(|at| ((at % 17) as f32 - 8.0).to_le_bytes()).collect();
            let address = memory.allocate(bytes.len() as u64, 128).unwrap();
            memory.write(address, &bytes).unwrap();
            address
        };
        let (k, p, a) = (numbers(56 * 56), numbers(56 * 9 * elements), numbers(81 * elements));
        let q = numbers(56 * 9 * elements);
        let table: Vec<u8> =
            (0..u64::from(elements)).flat_map(|at| (a + at * 81 * 4).to_le_bytes()).collect();
        let tables = memory.allocate(table.len() as u64, 128).unwrap();
        memory.write(tables, &table).unwrap();
        let count = || Argument::from(i64::from(elements));
        let [k, p, tables, q] = [k, p, tables, q].map(Argument::address);
        let arguments = vec![k, p, count(), tables, count(), q, count()];
        Chain { program, memory, arguments, elements }
    }

    /// Runs it once; nothing may be reported.
    pub fn run(&self, checks: Checks) {
        let mut launch = Launch::new([self.elements, 1, 1]);
        launch.checks = checks;
        let kernel = self.program.kernel("fused_kernel").unwrap();
        let outcome = kernel.run(&self.memory, &launch, &self.arguments).unwrap();
        assert!(outcome.reports.is_empty(), "{:?}", outcome.reports);
    }
}
