//! The comments at the start of a file that say how it is tested.

use std::path::{Path, PathBuf};
use tiletc::device::{CoreFeatures, CoreInfo, SpirvFeature};
use tiletc::driver::Options;
use tiletc::status::Status;

/// A program and what is expected of it.
pub struct Case {
    /// The file.
    pub path: PathBuf,
    /// The program, with what it includes.
    pub text: Vec<u8>,
    /// Outputs or errors of all runs as comments at the end of the file, if it has them, and the number of the first
    /// line.
    pub expected: Option<Vec<u8>>,
    pub expected_line: usize,
    /// Steps, in order.
    pub runs: Vec<Run>,
    /// Devices that it compiles for.
    pub devices: Devices,
    /// The devices on which some kernel is known to spill registers.
    pub spills: Vec<String>,
    /// Devices of which the estimate of the share of multiply-adds is known to be wrong.
    pub unestimated: Vec<String>,
    /// Bounds of what the offline compiler's statistics say.
    pub isa: Vec<IsaBound>,
    /// The most bytes that its module may have for any device.
    pub max_bytes: usize,
}

/// A bound of a number in the offline compiler's statistics.
pub struct IsaBound {
    /// Device that it is compiled for.
    pub device: String,
    /// Column of the statistics.
    pub key: String,
    /// True for a lower bound.
    pub at_least: bool,
    /// The bound.
    pub value: f64,
}

impl IsaBound {
    /// The bounds of an `isa` line.
    fn parse(line: &str) -> Result<Vec<IsaBound>, String> {
        let (device, bounds) = line.split_once(' ').ok_or_else(|| format!("`{line}` has no bounds"))?;
        let bound = |text: &str| {
            let at_least = text.contains(">=");
            let (key, value) = text.split_once(if at_least { ">=" } else { "<=" })?;
            let (device, key) = (device.to_owned(), key.to_owned());
            Some(IsaBound { device, key, at_least, value: value.parse().ok()? })
        };
        bounds.split(' ').map(|text| bound(text).ok_or_else(|| format!("`{text}` is no bound"))).collect()
    }
}

/// A `run` line.
pub struct Run {
    /// The line as it is written, without `; run: `.
    pub line: String,
    /// True if the step must fail.
    pub refuse: bool,
    /// Action.
    pub step: Step,
    /// The device of passes and compilation.
    pub info: CoreInfo,
    /// Options for compiling.
    pub options: Options,
}

/// Action of a `run` line on the program.
pub enum Step {
    /// Parsing and printing.
    Print,
    /// The named passes, then printing.
    Opt(Vec<String>),
    /// Compilation.
    Compile,
}

/// Devices that a program must compile for.
#[derive(Clone, Copy, PartialEq)]
pub enum Devices {
    /// Every one.
    All,
    /// None; it is not tried.
    None,
    /// Those that have the feature; the others must say that it is missing.
    With(SpirvFeature),
    /// Some; the others must refuse it with this status.
    Or(Status),
}

/// Start of expected output, as a line of the file behind an empty one.
pub const OUTPUT: &str = "; output:";

/// Start of an expected error in one line, the one behind the program.
pub const ERROR: &str = "; error: ";

/// The parts of a file: the program, and what is expected of it.
pub fn split(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    for start in [format!("\n\n{OUTPUT}"), format!("\n{ERROR}")] {
        if let Some(at) = text.windows(start.len()).position(|window| window == start.as_bytes()) {
            let (program, expected) = text.split_at(at + 1);
            return (program, Some(expected.strip_prefix(b"\n").unwrap_or(expected)));
        }
    }
    (text, None)
}

impl Case {
    /// Reads a program and the comments at its start.
    pub fn read(path: &Path) -> Result<Case, String> {
        let text = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let (program, expected) = split(&text);
        let mut case = Case {
            path: path.to_owned(),
            text: program.to_owned(),
            expected: expected.map(<[u8]>::to_owned),
            expected_line: text.split(|&byte| byte == b'\n').count()
                - expected.map_or(0, |lines| lines.iter().filter(|&&byte| byte == b'\n').count()),
            runs: Vec::new(),
            devices: Devices::All,
            spills: Vec::new(),
            unestimated: Vec::new(),
            isa: Vec::new(),
            max_bytes: usize::MAX,
        };
        for line in case.text.clone().split(|&byte| byte == b'\n') {
            let Ok(line) = std::str::from_utf8(line) else { break };
            if let Some(line) = line.strip_prefix("; run: ") {
                case.runs.push(Run::parse(line)?);
            } else if let Some(devices) = line.strip_prefix("; devices: ") {
                case.devices = parse_devices(devices)?;
            } else if let Some(devices) = line.strip_prefix("; unestimated: ") {
                case.unestimated = devices.split(' ').map(str::to_owned).collect();
            } else if let Some(devices) = line.strip_prefix("; spills: ") {
                case.spills = devices.split(' ').map(str::to_owned).collect();
            } else if let Some(bounds) = line.strip_prefix("; isa: ") {
                case.isa.extend(IsaBound::parse(bounds)?);
            } else if let Some(bytes) = line.strip_prefix("; bytes: ") {
                case.max_bytes = bytes.parse().map_err(|_| format!("`{bytes}` is no number of bytes"))?;
            } else if let Some(file) = line.strip_prefix("; include: ") {
                let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
                let included =
                    std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
                case.text.extend(included);
            } else if !line.starts_with(';') {
                break;
            }
        }
        if case.runs.is_empty() { Err("the file has no `; run: ` line".to_owned()) } else { Ok(case) }
    }

    /// The name in reports, which must not depend on where the project is.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Returns whether the parser must accept the program.
    pub fn is_accepted(&self) -> bool {
        !self.runs.iter().any(|run| run.refuse && matches!(run.step, Step::Print))
    }
}

fn parse_devices(text: &str) -> Result<Devices, String> {
    if text == "none" {
        return Ok(Devices::None);
    }
    let unknown = || format!("`{text}` is neither `none` nor a feature nor `or STATUS`");
    if let Some(name) = text.strip_prefix("or ") {
        // Statuses of the language are numbered from 0x100 on, those of the back end from 0x1000 on.
        let status = (0..0x1010).filter_map(Status::from_code).find(|status| status.spelling() == name);
        return status.map(Devices::Or).ok_or_else(unknown);
    }
    named_feature(text).map(Devices::With).map_err(|_| unknown())
}

fn named_feature(name: &str) -> Result<SpirvFeature, String> {
    let feature = SpirvFeature::ALL.iter().copied().find(|feature| feature.spelling() == name);
    feature.ok_or_else(|| format!("`{name}` is no feature"))
}

impl Run {
    fn parse(line: &str) -> Result<Run, String> {
        let mut words = line.split_whitespace().peekable();
        let refuse = words.next_if_eq(&"refuse").is_some();
        let mut step = match words.next() {
            None if refuse => Step::Print,
            Some("print") if !refuse => Step::Print,
            Some("opt") => Step::Opt(Vec::new()),
            Some("compile") => Step::Compile,
            _ => return Err(format!("`{line}` is no command")),
        };
        let mut info = CoreInfo::from_name("pvc");
        let mut options = Options::default();
        let mut large = false;
        let mut without = Vec::new();
        while let Some(option) = words.next() {
            if option == "--keep-names" {
                options.keep_names = true;
                continue;
            }
            if option == "--keep-lines" {
                options.keep_lines = true;
                continue;
            }
            let value = words.next().ok_or_else(|| format!("{option} needs a value"))?;
            match (option, value) {
                ("-p", pass) => match &mut step {
                    Step::Opt(passes) => passes.push(pass.to_owned()),
                    Step::Print | Step::Compile => return Err("-p is an option of `opt`".to_owned()),
                },
                ("-d", "cpu") => info = Some(crate::devices::cpu()),
                ("-d", device) => info = CoreInfo::from_name(device),
                ("-O", level) => options.level = level.parse().map_err(|_| format!("-O {level}"))?,
                ("-f", "unsafe-fp-math") => options.unsafe_fp_math = Some(true),
                ("-f", "no-unsafe-fp-math") => options.unsafe_fp_math = Some(false),
                ("-F", "large-register-file") => large = true,
                ("--without", feature) => without.push(named_feature(feature)?),
                _ => return Err(format!("unknown option {option} {value}")),
            }
        }
        let mut info = info.ok_or_else(|| format!("unknown device in `{line}`"))?;
        if large {
            info.set_core_features(CoreFeatures::LARGE_REGISTER_FILE);
        }
        for feature in without {
            info.set(feature, false);
        }
        Ok(Run { line: line.to_owned(), refuse, step, info, options })
    }
}
