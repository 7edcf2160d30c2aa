//! The line of statistics of each kernel that IGC has compiled.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::assembly::{Assembly, Instruction, Kind};
use super::costs::{Costs, Cycles};
use super::zeinfo::{self, Resources};

/// Statistics of a kernel. [`super::COLUMNS`] explains it.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    pub kernel: String,
    pub resources: Resources,
    pub instructions: usize,
    pub dpas: usize,
    pub multiply_adds: usize,
    pub moves: usize,
    pub block_loads: usize,
    pub block_stores: usize,
    pub global_messages: usize,
    pub local_messages: usize,
    /// Multiply-adds and instructions of the loop with most of them, unless there is none in any loop.
    pub hottest: Option<(usize, usize)>,
    /// Cycles of the hottest loop, or of the whole kernel.
    pub cycles: Cycles,
    /// Cycles between dependent dpas there.
    pub chain: Option<u64>,
}

/// The statistics of all kernels whose dumps lie in a folder, in the order in which they were compiled.
pub fn of_folder(folder: &Path, device: &str) -> Result<Vec<Statistics>> {
    let mut resources = HashMap::new();
    for file in files(folder, "zeinfo")? {
        resources.extend(zeinfo::kernels(&read(&file)?));
    }
    // IGC may compile a kernel several times; the try that became the binary has its spills and registers.
    let mut chosen: Vec<Assembly> = Vec::new();
    for file in files(folder, "asm")? {
        let assembly = Assembly::parse(&read(&file)?);
        let known = resources.get(&assembly.kernel);
        let is_final =
            known.is_none_or(|known| (known.spill, known.registers) == (assembly.spill, assembly.registers));
        match chosen.iter_mut().find(|other| other.kernel == assembly.kernel) {
            Some(other) if is_final => *other = assembly,
            Some(_) => {}
            None => chosen.push(assembly),
        }
    }
    let costs = Costs::of(device);
    Ok(chosen.iter().map(|code| Statistics::of(code, resources.get(&code.kernel), costs)).collect())
}

/// The files of an extension, oldest first.
fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == extension) {
            files.push((fs::metadata(&path)?.modified()?, path));
        }
    }
    files.sort();
    Ok(files.into_iter().map(|(_, path)| path).collect())
}

fn read(file: &Path) -> Result<String> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl Statistics {
    /// Counts and weighs the instructions of a kernel.
    pub fn of(assembly: &Assembly, known: Option<&Resources>, costs: Costs) -> Self {
        let all = &assembly.instructions;
        let of_kind =
            |code: &[Instruction], kind: Kind| code.iter().filter(|code| code.kind() == kind).count();
        let mentioning =
            |words: &[&str]| all.iter().filter(|code| words.iter().any(|word| code.mentions(word))).count();
        let dpas = of_kind(all, Kind::Dpas);
        let work = if dpas > 0 { Kind::Dpas } else { Kind::MultiplyAdd };

        let loops = assembly.loops.iter().filter_map(|range| all.get(range.clone()));
        let mut hottest: Option<&[Instruction]> = None;
        for code in loops.filter(|code| of_kind(code, work) > 0) {
            if hottest.is_none_or(|hottest| of_kind(code, work) > of_kind(hottest, work)) {
                hottest = Some(code);
            }
        }
        let part = hottest.unwrap_or(all);
        let of_dump = Resources { spill: assembly.spill, registers: assembly.registers, lanes: 0 };
        Statistics {
            kernel: assembly.kernel.clone(),
            resources: known.copied().unwrap_or(of_dump),
            instructions: all.len(),
            dpas,
            multiply_adds: of_kind(all, Kind::MultiplyAdd),
            moves: all.iter().filter(|code| code.operation().starts_with("mov")).count(),
            block_loads: mentioning(&["load_block2d"]),
            block_stores: mentioning(&["store_block2d"]),
            global_messages: mentioning(&[".ugm", "ugm."]),
            local_messages: mentioning(&[".slm", "slm."]),
            hottest: hottest.map(|code| (of_kind(code, work), code.len())),
            cycles: part.iter().map(|code| costs.cycles(code)).sum(),
            chain: costs.chain(part),
        }
    }

    /// Cycles of what does the work, and of all else: without dpas the multiply-adds are the work.
    fn engine_and_other(&self) -> (u64, u64) {
        let Cycles { matrix_engine, multiply_add, other, .. } = self.cycles;
        match matrix_engine {
            0 => (multiply_add, other),
            _ => (matrix_engine, other + multiply_add),
        }
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Resources { spill, registers, lanes } = self.resources;
        write!(f, "kernel={} grf={registers} simd={lanes} spill={spill}", self.kernel)?;
        write!(f, " inst={} dpas={}", self.instructions, self.dpas)?;
        write!(f, " mad={} mov={}", self.multiply_adds, self.moves)?;
        write!(f, " load2d={} store2d={}", self.block_loads, self.block_stores)?;
        write!(f, " ugm={} slm={}", self.global_messages, self.local_messages)?;
        let (work, length) = self.hottest.unwrap_or_default();
        write!(f, " hot={work}/{length}")?;
        let place = if self.hottest.is_some() { "loop" } else { "kernel" };
        match self.engine_and_other() {
            (0, _) => write!(f, " floor=- in={place} B/clk=-")?,
            (engine, other) => {
                let share = 100.0 * engine as f64 / (engine + other) as f64;
                let rate = self.cycles.loaded as f64 / engine as f64;
                write!(f, " floor={share:.0}% in={place} B/clk={rate:.1}")?;
            }
        }
        match self.chain {
            Some(cycles) => write!(f, " chain={cycles}"),
            None => write!(f, " chain=-"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::assembly::Assembly;
    use super::super::costs::Costs;
    use super::super::zeinfo::Resources;
    use super::Statistics;

    fn line(text: &str, known: Option<&Resources>) -> String {
        Statistics::of(&Assembly::parse(text), known, Costs::of("pvc")).to_string()
    }

    #[test]
    fn the_loop_with_most_work_counts() {
        let text = "\
//.kernel product
        load_block2d.ugm.d16.a64 (1|M0)  r10:8  [r5:1]
first:
        mad (16|M0)  r2.0<1>:f  r2.0<1;0>:f  r3.0<1;0>:f  r4.0<0>:f
(W)     jmpi  first
second:
        load.slm.d32x16t.a32 (1|M0)  r20:2  [r6:1]
        dpas.8x8 (16|M0)  r40:f  r40:f  r10:bf  r20.0:bf
        mov (16|M0)  r60.0<1>:f  r40.0<1;1,0>:f
(W)     jmpi  second
        store_block2d.ugm.d16.a64 (1|M0)  [r5:1]  r60:1
";
        let known = Resources { spill: 64, registers: 256, lanes: 16 };
        let expected = "kernel=product grf=256 simd=16 spill=64 inst=8 dpas=1 mad=1 mov=1 load2d=1 store2d=1 ugm=2 \
                        slm=1 hot=1/4 floor=67% in=loop B/clk=16.0 chain=8";
        assert_eq!(line(text, Some(&known)), expected);
    }

    #[test]
    fn without_a_loop_the_kernel_counts_and_without_work_nothing() {
        let mad = "mad (16|M0)  r2.0<1>:f  r2.0<1;0>:f  r3.0<1;0>:f  r4.0<0>:f\nadd (16|M0)  r2.0<1>:f  r3.0<1>:f\n";
        assert!(line(mad, None).ends_with(
            "mad=1 mov=0 load2d=0 store2d=0 ugm=0 slm=0 hot=0/0 floor=50% in=kernel B/clk=0.0 chain=-"
        ));
        assert!(line("nop\n", None).ends_with("hot=0/0 floor=- in=kernel B/clk=- chain=-"));
    }
}
