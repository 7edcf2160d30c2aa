//! The line of statistics of each kernel that IGC has compiled.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use tiletc::schedule::Roofline;
use tiletc::spirv::KernelPath;

use crate::assembly::{Assembly, Instruction, Kind};
use crate::costs::{Costs, Cycles};
use crate::error::Error;
use crate::issue::issue;
use crate::zeinfo::{self, Resources};

/// Statistics of a kernel. [`COLUMNS`](crate::COLUMNS) explains how they are shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// Name of the kernel.
    pub kernel: String,
    /// Registers, lanes and spills.
    pub resources: Resources,
    /// All instructions.
    pub instructions: usize,
    /// Multiply-adds of the matrix engine.
    pub dpas: usize,
    /// Multiply-adds of the vector engine.
    pub multiply_adds: usize,
    /// Moves.
    pub moves: usize,
    /// 2D block loads.
    pub block_loads: usize,
    /// 2D block stores.
    pub block_stores: usize,
    /// Messages to global memory.
    pub global_messages: usize,
    /// Messages to local memory.
    pub local_messages: usize,
    /// Multiply-adds and instructions of the loop with most of them, unless there is none in any loop.
    pub hottest: Option<(usize, usize)>,
    /// Cycles of the hottest loop, or of the whole kernel.
    pub cycles: Cycles,
    /// Cycles between dependent dpas there.
    pub chain: Option<u64>,
    /// Cycles in which a vector engine issues the main path of a work-group, if it is known how often its loops run.
    pub issue: Option<f64>,
    /// The same as tiletc estimates it from its module.
    pub estimate: Option<f64>,
    /// The time that a work-group must take, and that issue, if all of it is known.
    pub roofline: Option<Roofline>,
}

/// Facts about a kernel that its binary does not tell.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// Its main path in the module.
    pub path: Option<KernelPath>,
    /// Work that it must do.
    pub roofline: Option<Roofline>,
}

/// The statistics of all kernels whose dumps lie in a folder, in the order in which they were compiled.
pub fn of_folder(
    folder: &Path,
    device: &str,
    expected: &dyn Fn(&str) -> Expected,
) -> Result<Vec<Statistics>, Error> {
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
    let of =
        |code: &Assembly| Statistics::of(code, resources.get(&code.kernel), costs, &expected(&code.kernel));
    Ok(chosen.iter().map(of).collect())
}

/// The files of an extension, oldest first.
fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::file("read", folder))? {
        let path = entry.map_err(Error::file("read", folder))?.path();
        if path.extension().is_some_and(|found| found == extension) {
            let modified = fs::metadata(&path).and_then(|metadata| metadata.modified());
            files.push((modified.map_err(Error::file("read", &path))?, path));
        }
    }
    files.sort();
    Ok(files.into_iter().map(|(_, path)| path).collect())
}

fn read(file: &Path) -> Result<String, Error> {
    let bytes = fs::read(file).map_err(Error::file("read", file))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl Statistics {
    /// Counts and weighs the instructions of a kernel.
    pub fn of(assembly: &Assembly, known: Option<&Resources>, costs: Costs, expected: &Expected) -> Self {
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
        let issue = expected.path.as_ref().and_then(|path| issue(assembly, costs, path));
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
            issue,
            estimate: expected.path.as_ref().map(KernelPath::issue),
            roofline: expected.roofline.zip(issue).map(|(roofline, issue)| Roofline { issue, ..roofline }),
        }
    }

    /// The names and values of [`COLUMNS`](crate::COLUMNS) behind the kernel's name, in their order.
    pub fn columns(&self) -> Vec<(&'static str, String)> {
        let Resources { spill, registers, lanes } = self.resources;
        let (work, length) = self.hottest.unwrap_or_default();
        let place = if self.hottest.is_some() { "loop" } else { "kernel" };
        let cycles = |cycles: Option<f64>| cycles.map_or("-".to_owned(), |cycles| format!("{cycles:.0}"));
        let (share, bound) = self.roofline.map_or(("-/-".to_owned(), "-/-".to_owned()), |memory| {
            let both = [memory, memory.in_cache()];
            let [in_memory, in_cache] = both.map(|it| 100.0 * it.share());
            let [of_memory, of_cache] = both.map(|it| it.bound().spelling());
            (format!("{in_memory:.0}%/{in_cache:.0}%"), format!("{of_memory}/{of_cache}"))
        });
        let floor = self.floor().map_or("-".to_owned(), |share| format!("{:.0}%", 100.0 * share));
        let rate = self.bytes_per_cycle().map_or("-".to_owned(), |rate| format!("{rate:.1}"));
        vec![
            ("grf", registers.to_string()),
            ("simd", lanes.to_string()),
            ("spill", spill.to_string()),
            ("inst", self.instructions.to_string()),
            ("dpas", self.dpas.to_string()),
            ("mad", self.multiply_adds.to_string()),
            ("mov", self.moves.to_string()),
            ("load2d", self.block_loads.to_string()),
            ("store2d", self.block_stores.to_string()),
            ("ugm", self.global_messages.to_string()),
            ("slm", self.local_messages.to_string()),
            ("hot", format!("{work}/{length}")),
            ("floor", floor),
            ("in", place.to_owned()),
            ("B/clk", rate),
            ("chain", self.chain.map_or("-".to_owned(), |cycles| cycles.to_string())),
            ("issue", cycles(self.issue)),
            ("share", share),
            ("bound", bound),
        ]
    }

    /// The share of the engine in the cycles of the hottest loop, or of the whole kernel, from 0 to 1. `None` where it has
    /// nothing to do.
    pub fn floor(&self) -> Option<f64> {
        let (engine, other) = self.engine_and_other();
        (engine > 0).then(|| engine as f64 / (engine + other) as f64)
    }

    /// Bytes that loads bring into registers for each cycle of the engine.
    pub fn bytes_per_cycle(&self) -> Option<f64> {
        let (engine, _) = self.engine_and_other();
        (engine > 0).then(|| self.cycles.loaded as f64 / engine as f64)
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
        write!(f, "kernel={}", self.kernel)?;
        self.columns().iter().try_for_each(|(name, value)| write!(f, " {name}={value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Expected, Statistics};
    use crate::assembly::Assembly;
    use crate::costs::Costs;
    use crate::zeinfo::Resources;
    use tiletc::spirv::KernelPath;

    fn line(text: &str, known: Option<&Resources>) -> String {
        Statistics::of(&Assembly::parse(text), known, Costs::of("pvc"), &Expected::default()).to_string()
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
                        slm=1 hot=1/4 floor=67% in=loop B/clk=16.0 chain=8 issue=- share=-/- bound=-/-";
        assert_eq!(line(text, Some(&known)), expected);
    }

    #[test]
    fn work_of_other_instructions_than_multiply_adds_has_no_issue() {
        let text = "macl (16|M0)  r2.0<1>:d  r3.0<1;1,0>:d  r4.0<0;1,0>:d\n";
        let path = KernelPath {
            multiply_adds: 16.0,
            other: 0.0,
            subgroups: 1,
            whole: 16.0,
            ..KernelPath::default()
        };
        let expected = Expected { path: Some(path), roofline: None };
        let found = Statistics::of(&Assembly::parse(text), None, Costs::of("pvc"), &expected);
        assert_eq!((found.issue, found.estimate), (None, Some(16.0)));
    }

    #[test]
    fn without_a_loop_the_kernel_counts_and_without_work_nothing() {
        let mad = "mad (16|M0)  r2.0<1>:f  r2.0<1;0>:f  r3.0<1;0>:f  r4.0<0>:f\nadd (16|M0)  r2.0<1>:f  r3.0<1>:f\n";
        assert!(line(mad, None).ends_with(
            "mad=1 mov=0 load2d=0 store2d=0 ugm=0 slm=0 hot=0/0 floor=50% in=kernel B/clk=0.0 chain=- issue=- share=-/- bound=-/-"
        ));
        assert!(
            line("nop\n", None)
                .ends_with("hot=0/0 floor=- in=kernel B/clk=- chain=- issue=- share=-/- bound=-/-")
        );
    }
}
