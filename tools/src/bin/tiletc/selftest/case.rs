//! Cases: a program of one kernel, what it is launched with, and what memory must hold afterwards.

use super::element::Element;

/// One launch.
#[derive(Clone, Debug)]
pub struct Case {
    /// Name among those of its class.
    pub name: String,
    /// The program; its kernel is called `main`.
    pub text: String,
    pub groups: [u32; 3],
    pub arguments: Vec<Argument>,
    /// Part of the module that makes it a case of its class.
    pub evidence: Evidence,
}

/// An argument of a kernel.
#[derive(Clone, Debug)]
pub enum Argument {
    /// The bytes of a number.
    Number(Vec<u8>),
    /// The address of memory.
    Memory(Buffer),
    /// The address of an address, so many bytes before that of memory.
    Shifted(Buffer, u64),
}

/// Memory of a launch.
#[derive(Clone, Debug)]
pub struct Buffer {
    pub element: Element,
    /// Bytes before the launch.
    pub before: Vec<u8>,
    /// Bytes that it must leave.
    pub after: Vec<u8>,
}

/// Part of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Nothing in particular.
    None,
    /// An instruction.
    Instruction(&'static str),
    /// The larger register file.
    LargeRegisterFile,
}

impl Buffer {
    /// Memory that the kernel only reads.
    pub fn input(element: Element, numbers: &[f64]) -> Buffer {
        Buffer::output(element, numbers, numbers)
    }

    /// Memory with what it holds before and after the launch.
    pub fn output(element: Element, before: &[f64], after: &[f64]) -> Buffer {
        Buffer { element, before: element.encode(before), after: element.encode(after) }
    }
}

impl From<Buffer> for Argument {
    fn from(buffer: Buffer) -> Argument {
        Argument::Memory(buffer)
    }
}

impl Argument {
    /// An argument of type `index`.
    pub fn index(number: i64) -> Argument {
        Argument::Number(number.to_ne_bytes().to_vec())
    }

    /// The memory that it leads to.
    pub fn buffer(&self) -> Option<&Buffer> {
        match self {
            Argument::Number(_) => None,
            Argument::Memory(buffer) | Argument::Shifted(buffer, _) => Some(buffer),
        }
    }
}
