//! Estimates of what instructions cost: cycles of one hardware thread if nothing overlaps. They come from published
//! rates and the latencies that IGC itself reckons with, not from measurements.

use std::collections::HashMap;
use std::iter::Sum;
use std::ops::Add;

use tiletc::device::{Architecture, CoreInfo, MatrixEngine};

use crate::assembly::{Instruction, Kind};

/// Bytes of a register, and cycles of the matrix engine for a repetition of a dpas.
#[derive(Clone, Copy)]
pub struct Costs {
    register: u32,
    repetition: u64,
}

/// Costs of instructions: cycles by who is busy, and the bytes that loads bring into registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cycles {
    /// Cycles of the matrix engine.
    pub matrix_engine: u64,
    /// Cycles of the vector engine for multiply-adds.
    pub multiply_add: u64,
    /// Cycles for all else.
    pub other: u64,
    /// Bytes.
    pub loaded: u64,
}

impl Add for Cycles {
    type Output = Cycles;

    fn add(self, more: Cycles) -> Cycles {
        Cycles {
            matrix_engine: self.matrix_engine + more.matrix_engine,
            multiply_add: self.multiply_add + more.multiply_add,
            other: self.other + more.other,
            loaded: self.loaded + more.loaded,
        }
    }
}

impl Sum for Cycles {
    fn sum<I: Iterator<Item = Cycles>>(all: I) -> Cycles {
        all.fold(Cycles::default(), Add::add)
    }
}

impl Costs {
    /// The costs on a device by the name that ocloc knows it by. One that is unknown to tiletc is taken for pvc.
    pub fn of(device: &str) -> Self {
        let pvc = || CoreInfo::from_architecture(Architecture::Pvc);
        let info = CoreInfo::from_name(device).unwrap_or_else(pvc);
        let register = u32::try_from(info.register_bytes()).unwrap_or(64);
        let column = info.matrix_engine().map_or(1, MatrixEngine::column_cycles);
        Costs { register, repetition: u64::try_from(column).unwrap_or(1) }
    }

    /// Cost of one instruction.
    pub fn cycles(self, instruction: &Instruction) -> Cycles {
        let none = Cycles::default();
        let elements = u64::from(instruction.lanes()) * u64::from(instruction.widest());
        let passes = elements.div_ceil(u64::from(self.register)).max(1);
        match instruction.kind() {
            Kind::Dpas => {
                Cycles { matrix_engine: u64::from(instruction.repetitions()) * self.repetition, ..none }
            }
            Kind::MultiplyAdd => Cycles { multiply_add: passes, ..none },
            Kind::Wait => Cycles { other: 1, ..none },
            Kind::Load => {
                let bytes = u64::from(instruction.loaded_registers()) * u64::from(self.register);
                Cycles { other: 1, loaded: bytes, ..none }
            }
            Kind::Store => Cycles { other: 1 + u64::from(instruction.stored_registers()), ..none },
            Kind::Branch => Cycles { other: 2, ..none },
            Kind::Math => Cycles { other: 4 * passes, ..none },
            Kind::Other => Cycles { other: passes, ..none },
        }
    }

    /// The fewest cycles of the matrix engine from one dpas to the next on the same accumulator, where the
    /// instructions run again and again.
    pub fn chain(self, instructions: &[Instruction]) -> Option<u64> {
        let dpas: Vec<&Instruction> = instructions.iter().filter(|code| code.kind() == Kind::Dpas).collect();
        let (mut last, mut now, mut fewest) = (HashMap::new(), 0, None::<u64>);
        for instruction in dpas.iter().chain(&dpas) {
            if let Some(before) = last.insert(instruction.accumulator(), now) {
                fewest = Some(fewest.map_or(now - before, |fewest| fewest.min(now - before)));
            }
            now += self.cycles(instruction).matrix_engine;
        }
        fewest
    }
}

#[cfg(test)]
mod tests {
    use super::{Costs, Cycles};
    use crate::assembly::Assembly;

    fn cycles(device: &str, line: &str) -> Cycles {
        let code = Assembly::parse(line).instructions;
        assert_eq!(code.len(), 1);
        code.iter().map(|code| Costs::of(device).cycles(code)).sum()
    }

    #[test]
    fn registers_and_matrix_engines_differ() {
        let dpas = "dpas.8x8 (16|M0)  r40:f  r40:f  r10:bf  r20.0:bf";
        for (device, expected) in [("pvc", 8), ("bmg-g21", 16), ("wcl", 16), ("dg2", 16), ("unheard-of", 8)] {
            assert_eq!(cycles(device, dpas).matrix_engine, expected, "{device}");
        }
        let mad = "mad (32|M0)  r4.0<1>:f  r4.0<1;0>:f  r2.0<1;0>:f  r9.0<0>:f";
        assert_eq!(cycles("pvc", mad).multiply_add, 2);
        assert_eq!(cycles("acm-g10", mad).multiply_add, 4);
        assert_eq!(cycles("pvc", "load.ugm.d32x2.a64 (32|M0)  r8:4  [r4:4]").loaded, 256);
        assert_eq!(cycles("dg2", "load.ugm.d32x2.a64 (32|M0)  r8:4  [r4:4]").loaded, 128);
    }

    #[test]
    fn what_is_no_multiply_add_counts_beside() {
        for (line, expected) in [
            ("store.ugm.d32.a64 (32|M0)  [r4:4]  r8:2", 3),
            ("jmpi  there", 2),
            ("sync.allrd  ($2)", 1),
            ("math.inv (16|M0)  r2.0<1>:f  r3.0<1;1,0>:f", 4),
            ("mov (1|M0)  r2.0<1>:q  r3.0<0;1,0>:q", 1),
            ("add (32|M0)  r2.0<1>:q  r3.0<1;1,0>:q  8:w", 4),
        ] {
            assert_eq!(cycles("pvc", line), Cycles { other: expected, ..Cycles::default() }, "{line}");
        }
    }

    #[test]
    fn a_chain_goes_around_the_loop() {
        let dpas =
            |register: u32| format!("dpas.8x8 (16|M0)  r{register}:f  r{register}:f  r10:bf  r20.0:bf\n");
        let code = |registers: &[u32]| {
            Assembly::parse(&registers.iter().map(|&register| dpas(register)).collect::<String>())
                .instructions
        };
        assert_eq!(Costs::of("pvc").chain(&code(&[40, 48, 56])), Some(24));
        assert_eq!(Costs::of("pvc").chain(&code(&[40, 48, 40])), Some(8));
        assert_eq!(Costs::of("bmg").chain(&code(&[40])), Some(16));
        assert_eq!(Costs::of("pvc").chain(&[]), None);
    }
}
