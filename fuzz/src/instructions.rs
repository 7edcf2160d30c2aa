//! Changes of SPIR-V modules, instruction by instruction and word by word.

use crate::Random;

const HEADER_WORDS: usize = 5;
/// The place of the number of ids in the header.
const BOUND: usize = 3;
/// Changes that are made at once, at most.
const MAX_CHANGES: usize = 4;
/// Instructions that are copied at once, at most.
const MAX_INSTRUCTIONS: usize = 6;
/// Opcodes of SPIR-V that matter to kernels are below; those of extensions follow far behind.
const OPCODES: usize = 450;
/// Numbers at which something changes.
const NUMBERS: &[u32] = &[
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    15,
    16,
    31,
    32,
    33,
    63,
    64,
    65,
    127,
    128,
    255,
    256,
    1024,
    0x7fff,
    0xffff,
    0x1_0000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_fffe,
    0xffff_ffff,
];

/// A module: its header, its instructions, and what is left behind them.
struct Module {
    header: Vec<u32>,
    instructions: Vec<Vec<u32>>,
    rest: Vec<u8>,
}

/// A module with a few words or instructions changed.
pub fn change(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut module = Module::read(bytes);
    for _ in 0..=random.below(MAX_CHANGES) {
        module.change(random);
    }
    module.write()
}

/// The first module with some instructions of the second.
pub fn cross(first: &[u8], second: &[u8], random: &mut Random) -> Vec<u8> {
    let (mut module, other) = (Module::read(first), Module::read(second));
    let at = random.below(module.instructions.len() + 1);
    module.instructions.splice(at..at, random.run_of(&other.instructions, MAX_INSTRUCTIONS).iter().cloned());
    module.write()
}

impl Module {
    fn read(bytes: &[u8]) -> Module {
        let (words, rest) = bytes.as_chunks::<4>();
        let words: Vec<u32> = words.iter().copied().map(u32::from_le_bytes).collect();
        let (header, mut words) = words.split_at(HEADER_WORDS.min(words.len()));
        let mut instructions = Vec::new();
        while let Some(&first) = words.first() {
            // The high half is the length (SPIR-V 2.3).
            let length = ((first >> 16) as usize).clamp(1, words.len());
            let (instruction, behind) = words.split_at(length);
            instructions.push(instruction.to_vec());
            words = behind;
        }
        Module { header: header.to_vec(), instructions, rest: rest.to_vec() }
    }

    fn write(&self) -> Vec<u8> {
        let words = self.header.iter().chain(self.instructions.iter().flatten());
        words.flat_map(|word| word.to_le_bytes()).chain(self.rest.iter().copied()).collect()
    }

    fn change(&mut self, random: &mut Random) {
        let count = self.instructions.len();
        let (at, from) = (random.below(count), random.below(count));
        let copy: Vec<Vec<u32>> = random.run_of(&self.instructions, MAX_INSTRUCTIONS).to_vec();
        match random.below(16) {
            0 if count > 0 => drop(self.instructions.remove(at)),
            1 => drop(self.instructions.splice(at..at, copy)),
            2 if count > 0 => self.instructions.swap(at, from),
            3 => self.change_header(random),
            4 => self.change_opcode(at, from, random),
            5 => self.change_length(at, random),
            6 => self.copy_with_new_id(at, random),
            _ => self.change_operand(at, from, random),
        }
    }

    fn change_header(&mut self, random: &mut Random) {
        let number = random.one_of(NUMBERS).copied().unwrap_or(0);
        match self.header.get_mut(random.below(HEADER_WORDS)) {
            // Without the first word nothing else is looked at.
            Some(word) if *word != 0x0723_0203 => *word = number,
            _ => {}
        }
    }

    /// Takes the opcode of another instruction, or any.
    fn change_opcode(&mut self, at: usize, from: usize, random: &mut Random) {
        let other = self.instructions.get(from).and_then(|instruction| instruction.first()).copied();
        let any = random.below(OPCODES) as u32;
        let opcode = other.filter(|_| random.one_in(2)).unwrap_or(any) & 0xffff;
        if let Some(first) = self.instructions.get_mut(at).and_then(|instruction| instruction.first_mut()) {
            *first = *first & !0xffff | opcode;
        }
    }

    /// Adds or takes away operands.
    fn change_length(&mut self, at: usize, random: &mut Random) {
        let number = self.operand(random);
        let Some(instruction) = self.instructions.get_mut(at) else { return };
        let place = 1 + random.below(instruction.len());
        if random.one_in(2) && place < instruction.len() {
            instruction.remove(place);
        } else {
            instruction.insert(place.min(instruction.len()), number);
        }
        let length = instruction.len() as u32;
        if let Some(first) = instruction.first_mut() {
            *first = *first & 0xffff | length << 16;
        }
    }

    /// Copies an instruction behind itself, where it defines another id.
    fn copy_with_new_id(&mut self, at: usize, random: &mut Random) {
        let Some(mut copy) = self.instructions.get(at).cloned() else { return };
        // The id is the first operand of types, and follows the type of values.
        let place = 1 + random.below(2);
        if let (Some(id), Some(bound)) = (copy.get_mut(place), self.header.get_mut(BOUND)) {
            *id = *bound;
            *bound = bound.saturating_add(1);
        }
        self.instructions.insert(at + 1, copy);
    }

    fn change_operand(&mut self, at: usize, from: usize, random: &mut Random) {
        let other = self.instructions.get(from).and_then(|instruction| random.one_of(instruction).copied());
        let number = self.operand(random);
        let Some(instruction) = self.instructions.get_mut(at) else { return };
        let place = 1 + random.below(instruction.len().saturating_sub(1));
        if let Some(word) = instruction.get_mut(place) {
            *word = match random.below(4) {
                0 => *word ^ 1 << random.below(32),
                1 => other.unwrap_or(number),
                _ => number,
            };
        }
    }

    /// An id, or a number at which something changes.
    fn operand(&self, random: &mut Random) -> u32 {
        let bound = self.header.get(BOUND).copied().unwrap_or(1).min(1 << 16);
        match random.below(3) {
            0 => random.one_of(NUMBERS).copied().unwrap_or(0),
            _ => random.below(bound as usize) as u32,
        }
    }
}
