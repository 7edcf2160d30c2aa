//! The assembly text that IGC dumps: instructions, what each says of itself, and the innermost loops.

use std::collections::HashMap;
use std::ops::Range;

/// Operations that end a basic block or join lanes again.
const BRANCHES: [&str; 9] = ["jmpi", "goto", "join", "while", "brc", "brd", "if", "endif", "else"];

/// Operations that may lead to a label.
const JUMPS: [&str; 5] = ["jmpi", "goto", "while", "brc", "brd"];

/// Bytes of an element by the type's name.
const TYPES: [(&str, u32); 12] = [
    ("df", 8),
    ("q", 8),
    ("uq", 8),
    ("f", 4),
    ("d", 4),
    ("ud", 4),
    ("hf", 2),
    ("bf", 2),
    ("w", 2),
    ("uw", 2),
    ("b", 1),
    ("ub", 1),
];

/// Class of an instruction in the statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A multiply-add of the matrix engine.
    Dpas,
    /// A multiply-add of the vector engine.
    MultiplyAdd,
    Load,
    Store,
    Branch,
    /// Waiting, or nothing.
    Wait,
    /// A function of the slow pipeline, such as a root.
    Math,
    /// All other arithmetic and moves.
    Other,
}

/// One instruction without its comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The text behind the predicate.
    text: String,
    /// Only lanes run it for which a flag is set.
    is_predicated: bool,
}

impl Instruction {
    /// The operation with its variant, such as `load.ugm.d32.a64`.
    pub fn operation(&self) -> &str {
        self.text.split_whitespace().next().unwrap_or_default()
    }

    pub fn kind(&self) -> Kind {
        let is = |names: &[&str]| names.iter().any(|name| self.operation().starts_with(name));
        if is(&["dpas"]) {
            Kind::Dpas
        } else if is(&["mad", "fma", "dp4a"]) {
            Kind::MultiplyAdd
        } else if is(&["sync", "nop"]) {
            Kind::Wait
        } else if is(&["load", "send"]) {
            Kind::Load
        } else if is(&["store"]) {
            Kind::Store
        } else if is(&BRANCHES) {
            Kind::Branch
        } else if is(&["math"]) {
            Kind::Math
        } else {
            Kind::Other
        }
    }

    /// Returns whether the text of the instruction holds this.
    pub fn mentions(&self, text: &str) -> bool {
        self.text.contains(text)
    }

    /// Lanes of `(16|M0)`; an instruction without an execution mask has one.
    pub fn lanes(&self) -> u32 {
        let mask = self.text.find("|M").and_then(|bar| self.text.get(..bar));
        let digits = mask.and_then(|text| text.rsplit('(').next());
        digits.and_then(|digits| digits.parse().ok()).unwrap_or(1)
    }

    /// Bytes of the widest element among the operands; without a type on any of them, those of a `d`.
    pub fn widest(&self) -> u32 {
        let names = self.text.split(':').skip(1).map(|rest| {
            let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
        });
        let bytes = names.filter_map(|name| TYPES.iter().find(|(known, _)| *known == name));
        bytes.map(|(_, bytes)| *bytes).max().unwrap_or(4)
    }

    /// Repetitions of a dpas: 4 in `dpas.8x4`.
    pub fn repetitions(&self) -> u32 {
        let digit = self.operation().split('x').nth(1).and_then(|rest| rest.chars().next());
        digit.and_then(|digit| digit.to_digit(10)).unwrap_or(1)
    }

    /// The registers of each operand of a message that are counted: 4 for `r12:4`, in brackets or not.
    fn payloads(&self) -> impl Iterator<Item = u32> {
        let words =
            self.text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != ':' && letter != '_');
        words.filter_map(|word| {
            let (register, count) = word.strip_prefix('r')?.split_once(':')?;
            register.parse::<u32>().ok()?;
            let count = count.parse().ok()?;
            // The field has no room for the largest number.
            Some(if count == 31 { 32 } else { count })
        })
    }

    /// Registers that a load fills; none for a prefetch.
    pub fn loaded_registers(&self) -> u32 {
        let mut operands = self.text.split_whitespace().skip(1);
        let first = operands.find(|word| !word.starts_with('(')).unwrap_or_default();
        if first.starts_with('r') { self.payloads().next().unwrap_or(0) } else { 0 }
    }

    /// Registers that a store takes from; its first operand is the address.
    pub fn stored_registers(&self) -> u32 {
        self.payloads().skip(1).sum()
    }

    /// The register that a dpas adds to, as `r12`.
    pub fn accumulator(&self) -> Option<&str> {
        let operand = self.text.split_once(')')?.1.trim_start();
        let digits = operand.strip_prefix('r')?;
        let end = digits.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(digits.len());
        operand.get(..=end)
    }
}

/// A kernel's assembly.
#[derive(Debug, Default)]
pub struct Assembly {
    pub kernel: String,
    /// Bytes of spilled registers of one thread.
    pub spill: u64,
    /// Registers of one thread.
    pub registers: u64,
    pub instructions: Vec<Instruction>,
    /// The loops that hold no other loop, as ranges of `instructions`.
    pub loops: Vec<Range<usize>>,
    /// The basic blocks, as ranges of `instructions`, each with the numbers of those that may follow.
    pub blocks: Vec<(Range<usize>, Vec<usize>)>,
}

impl Assembly {
    pub fn parse(text: &str) -> Self {
        let mut assembly = Assembly { kernel: "?".to_owned(), ..Assembly::default() };
        let mut labels = HashMap::new();
        let last_number = |line: &str| line.split_whitespace().next_back()?.parse().ok();
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("//.kernel") {
                assembly.kernel = name.split_whitespace().next_back().unwrap_or("?").to_owned();
            } else if line.starts_with("//.spill size") {
                assembly.spill = last_number(line).unwrap_or(0);
            } else if let Some(configuration) = line.strip_prefix("//.thread_config") {
                let registers = configuration.split_once("numGRF=").map_or("", |(_, rest)| rest);
                assembly.registers = registers.split(',').next().and_then(last_number).unwrap_or(0);
            }
            let (code, comment) = line.split_once("//").unwrap_or((line, ""));
            match code.split_once(':') {
                Some((label, _)) if is_label(label) => {
                    labels.insert(label, assembly.instructions.len());
                }
                _ => assembly.instructions.extend(instruction(code, comment)),
            }
        }
        assembly.loops = innermost(&assembly.instructions, &labels);
        assembly.blocks = blocks(&assembly.instructions, &labels);
        assembly
    }
}

/// Returns whether the text before a colon at the beginning of a line is a label, not an instruction.
fn is_label(text: &str) -> bool {
    let of_a_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '.';
    !text.is_empty() && text.chars().all(of_a_name)
}

/// The instruction of a line, behind its predicate.
fn instruction(code: &str, comment: &str) -> Option<Instruction> {
    let mut text = code.trim();
    let mut predicate = "";
    if text.starts_with('(') {
        (predicate, text) = text.split_once(')')?;
        text = text.trim_start();
    }
    if !text.starts_with(|letter: char| letter.is_ascii_lowercase()) {
        return None;
    }
    let text = message(text, comment).unwrap_or_else(|| text.to_owned());
    Some(Instruction { text, is_predicated: predicate.contains('f') })
}

/// A message of Xe3 in the words of earlier devices: there every message is a `send` of registers and descriptors, and
/// only its comment says what it does, as `wr:1+8, rd:0; store_block2d.ugm.d32.a64`.
fn message(text: &str, comment: &str) -> Option<String> {
    let (operation, operands) = text.split_once(char::is_whitespace)?;
    let (registers, name) = comment.trim().split_once(';')?;
    let name = name.split_whitespace().next()?;
    if !operation.starts_with("send") || !["load", "store"].iter().any(|word| name.starts_with(word)) {
        return None;
    }
    let (written, read) = registers.strip_prefix("wr:")?.split_once(", rd:")?;
    let (addresses, data) = written.split_once('+')?;
    let mask = operands.trim_start().split_once(')')?.0;
    let read = if read == "0" { "null:0".to_owned() } else { format!("r0:{read}") };
    let data = if data == "0" { String::new() } else { format!(" r0:{data}") };
    Some(match name.starts_with("store") {
        true => format!("{name} {mask}) [r0:{addresses}]{data}"),
        false => format!("{name} {mask}) {read} [r0:{addresses}]"),
    })
}

/// The basic blocks, and where control goes from each. A branch of single lanes to what lies ahead goes nowhere: other lanes run
/// what it jumps over.
fn blocks(instructions: &[Instruction], labels: &HashMap<&str, usize>) -> Vec<(Range<usize>, Vec<usize>)> {
    let is_jump =
        |instruction: &Instruction| JUMPS.iter().any(|jump| instruction.operation().starts_with(jump));
    let behind =
        instructions.iter().enumerate().filter(|(_, code)| is_jump(code)).map(|(index, _)| index + 1);
    let mut starts: Vec<usize> = labels.values().copied().chain(behind).chain([0]).collect();
    starts.sort_unstable();
    starts.dedup();
    starts.retain(|&start| start < instructions.len());
    let number = |start: usize| starts.binary_search(&start).ok();
    let ends = starts.iter().skip(1).copied().chain([instructions.len()]);
    let range = |(&start, end): (&usize, usize)| {
        let mut next = Vec::new();
        let last = instructions.get(end - 1).filter(|last| is_jump(last));
        let is_of_lanes = |last: &Instruction| !last.operation().starts_with("jmpi");
        for target in last
            .iter()
            .flat_map(|last| last.text.split_whitespace().skip(1))
            .filter_map(|word| labels.get(word))
        {
            let skips = *target >= end && last.is_some_and(|last| last.is_predicated && is_of_lanes(last));
            next.extend(number(*target).filter(|_| !skips));
        }
        if last.is_none_or(|last| last.is_predicated) {
            next.extend(number(end));
        }
        next.dedup();
        (start..end, next)
    };
    starts.iter().zip(ends).map(range).collect()
}

/// The ranges from a label to a jump back to it that hold no other such range.
fn innermost(instructions: &[Instruction], labels: &HashMap<&str, usize>) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    for (index, instruction) in instructions.iter().enumerate() {
        if !JUMPS.iter().any(|jump| instruction.operation().starts_with(jump)) {
            continue;
        }
        let targets = instruction.text.split_whitespace().skip(1).filter_map(|word| labels.get(word));
        if let Some(&start) = targets.into_iter().find(|start| **start <= index) {
            all.push(start..index + 1);
        }
    }
    let holds = |outer: &Range<usize>, inner: &Range<usize>| {
        outer != inner && outer.start <= inner.start && inner.end <= outer.end
    };
    all.iter().filter(|outer| !all.iter().any(|inner| holds(outer, inner))).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::{Assembly, Instruction, Kind};

    const TEXT: &str = "\
//.kernel product
//.thread_config numGRF=256, numAcc=4, numSWSB=16
//.spill size 192
//.declare V1 (1)  rf=r size=4 type=ud
entry:
(W)     mov (1|M0)      r9.0<1>:ud  0x0:ud     {I@1}    //  ALU pipe: int; $1
outer:
        load.ugm.d32x31t.a64 (1|M0)  r10:31  [r4:1]   {$0} // ex_desc:0x0
inner:
(W)     load_block2d.ugm.d16.a64 (1|M0)  null:0  [r5:1]
        dpas.8x4 (16|M0)  r40:f  r40:f  r10:bf  r20.0:bf
(W&f0.1) jmpi  inner
        math.inv (16|M0)  r2.0<1>:df  r3.0<1;1,0>:df
(~f1.0) goto (16|M0)  after  outer
after:
        store.slm.d32x4.a32 (16|M0)  bti[255][r6:1+0x40]  r50:4
        bfn.(s0|s1&s2) (32|M16)  r2.0<1>:uw  r2.0<1;0>:uw  7:w
        sync.nop  null
";

    #[test]
    fn instructions_loops_and_notes_are_read() {
        let assembly = Assembly::parse(TEXT);
        assert_eq!((assembly.kernel.as_str(), assembly.spill, assembly.registers), ("product", 192, 256));
        let kinds: Vec<Kind> = assembly.instructions.iter().map(Instruction::kind).collect();
        let expected = [
            Kind::Other,
            Kind::Load,
            Kind::Load,
            Kind::Dpas,
            Kind::Branch,
            Kind::Math,
            Kind::Branch,
            Kind::Store,
            Kind::Other,
            Kind::Wait,
        ];
        assert_eq!(kinds, expected);
        // The outer loop, from 1 to 7, holds the inner one.
        assert_eq!(assembly.loops.len(), 1);
        assert_eq!(assembly.loops.first(), Some(&(2..5)));
    }

    #[test]
    fn operands_are_understood() {
        let code = Assembly::parse(TEXT).instructions;
        let lanes: Vec<u32> = code.iter().map(Instruction::lanes).collect();
        assert_eq!(lanes, [1, 1, 1, 16, 1, 16, 16, 16, 32, 1]);
        let widest: Vec<u32> = code.iter().map(Instruction::widest).collect();
        assert_eq!(widest, [4, 4, 4, 4, 4, 8, 4, 4, 2, 4]);
        // 31 stands for 32, and a prefetch fills nothing.
        let loads = code.iter().filter(|code| code.kind() == Kind::Load);
        assert_eq!(loads.map(Instruction::loaded_registers).collect::<Vec<_>>(), [32, 0]);
        let stores = code.iter().filter(|code| code.kind() == Kind::Store);
        assert_eq!(stores.map(Instruction::stored_registers).collect::<Vec<_>>(), [4]);
        let dpas: Vec<&Instruction> = code.iter().filter(|code| code.kind() == Kind::Dpas).collect();
        let notes = dpas.iter().map(|code| (code.repetitions(), code.accumulator()));
        assert_eq!(notes.collect::<Vec<_>>(), [(4, Some("r40"))]);
    }

    #[test]
    fn messages_of_xe3_are_those_of_earlier_devices() {
        // What IGC makes of the same instructions, for Xe2 and for Xe3.
        let earlier = "\
        load_block2d.ugm.d16.a64.ca.ca (1|M0)  null:0 [r3:1]       {I@5,$2} // ex_desc:0x0; desc:0x2080203
        load_block2d.ugm.d16.a64 (1|M0)  r36:31  [r101:1+(0x0,0x20)]  {$7} // desc:0x3F00203 // $220
        store_block2d.ugm.d32.a64 (1|M0)  [r2:1] r103:8            {I@1,$1} // ex_desc:0x0; desc:0x2000407
(W)     store.slm.d32.a32 (32|M0)  [r4:2]  r50:2  {$4} // ex_desc:0x0; desc:0x4000504
";
        let xe3 = "\
        send.ugm (1|M0)  null  r3  null:0  0x0  0x02080203  {I@5,$2} // wr:1+0, rd:0; load_block2d.ugm.d16.a64.ca.ca
        send.ugm (1|M0)  r36  r101  null:0  0x8000000  0x03F00203  {$7} // wr:1+0, rd:31; load_block2d.ugm.d16.a64 // $2
        send.ugm (1|M0)  null  r2  r103:8  0x0  0x02000407  {I@1,$1} // wr:1+8, rd:0; store_block2d.ugm.d32.a64 // $282
(W)     send.slm (32|M0)  null  r4  r50:2  0x0  0x04000504  {$4} // wr:2+2, rd:0; store.slm.d32.a32
";
        let facts = |text: &str| {
            let code = Assembly::parse(text).instructions;
            let fact = |code: &Instruction| {
                let registers = (code.loaded_registers(), code.stored_registers());
                let places =
                    ["load_block2d", "store_block2d", ".ugm", ".slm"].map(|word| code.mentions(word));
                (code.kind(), code.lanes(), registers, places)
            };
            code.iter().map(fact).collect::<Vec<_>>()
        };
        assert_eq!(facts(earlier), facts(xe3));
        let kinds: Vec<Kind> = facts(xe3).iter().map(|fact| fact.0).collect();
        assert_eq!(kinds, [Kind::Load, Kind::Load, Kind::Store, Kind::Store]);
        // What is neither load nor store stays a message of its own.
        let other =
            "(W) send.gtwy (1|M0)  null  r1  null:0  0x0  0x02000010  {$3} // wr:1+0, rd:0; end of thread\n";
        assert_eq!(
            Assembly::parse(other).instructions.first().map(Instruction::operation),
            Some("send.gtwy")
        );
    }

    #[test]
    fn blocks_follow_each_other_as_control_goes() {
        let assembly = Assembly::parse(TEXT);
        let next: Vec<(usize, &[usize])> =
            assembly.blocks.iter().map(|(range, next)| (range.start, next.as_slice())).collect();
        // The branch of single lanes to what lies ahead is none; that back to the outer loop would be one.
        assert_eq!(next, [(0, &[1][..]), (1, &[2]), (2, &[2, 3]), (5, &[1, 4]), (7, &[])]);
        assert_eq!(Assembly::parse("").blocks, []);
    }

    #[test]
    fn nothing_has_no_instructions() {
        let assembly = Assembly::parse("");
        assert_eq!((assembly.kernel.as_str(), assembly.instructions.len()), ("?", 0));
    }
}
