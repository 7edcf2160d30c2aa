//! Searches for the config that a kernel runs best with, for programs that time configs themselves.
//!
//! A [`Space`] is a kernel with the configs that may be tried. A [`Search`] is about one case of arguments: what is known of each
//! config, what is yet to be tried, and the best.

use super::configs::{Kernel, Target, rank};
use super::layout::{Layout, specialize};
use super::{Options, parse_with, print, tuning_key};
use crate::device::CoreInfo;
use crate::diagnostics::Sources;
use crate::ir::{Extent, Func, Ir, Memref, Parameter, Program, Scalar, Signature, Type};
use crate::status::Status;
use crate::tuning::{self, Config, Entry, Figure, Key, Table};
use std::collections::BTreeMap;

/// Configs that are tried if a program names none: the compiler's choice, and what it would take into consideration next.
const TRIED: usize = 12;
/// Work-groups of a launch for which the model ranks configs.
const MANY_GROUPS: u64 = 1 << 16;

/// Names with their values: those that begin with `$` are the program's, the others are attributes of the function.
pub type Setting = Vec<(String, String)>;

/// A kernel with the configs that may be tried.
#[derive(Debug)]
pub struct Space {
    text: Vec<u8>,
    kernel: String,
    signature: Signature,
    /// The parameters' types where they are memory that the kernel writes.
    written: Vec<Option<Type>>,
    settings: Vec<Setting>,
    /// Parameters whose numbers tell cases apart.
    key: Vec<String>,
}

/// Reason why there is nothing to search.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The program is refused; the report shows the place.
    #[error("{report}")]
    Program {
        /// The status of the failure.
        status: Status,
        /// The reports, with the lines of the text.
        report: String,
    },
    /// The request makes no sense.
    #[error("{0}")]
    Request(String),
    /// A case that has come up is gone.
    #[error(transparent)]
    Missing(#[from] Missing),
}

/// Something that a tuner does not have.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// A case of such a number.
    #[error("case {0} of {1}")]
    Case(usize, usize),
    /// A config of such a number.
    #[error("config {0} of {1}")]
    Config(usize, usize),
    /// An argument with so many bytes that the kernel writes.
    #[error("argument {0}, of which the kernel is not known to write so many bytes")]
    Argument(usize),
}

/// A config of a case.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The program with the kernel alone and the config's attributes.
    pub text: Vec<u8>,
    /// The entry for tables; its figure is an estimate of infinite cycles until something is known.
    pub entry: Entry,
    /// True if the figure is not from a table.
    is_new: bool,
}

impl Trial {
    /// Notes what has become of the config.
    pub fn note(&mut self, figure: Figure) {
        self.entry.figure = figure;
        self.is_new = true;
    }

    /// Returns whether somebody has measured the config, or knows why that cannot be done.
    pub fn is_known(&self) -> bool {
        !matches!(self.entry.figure, Figure::Estimated { .. })
    }
}

/// Configs for one case of arguments, with what is known of each.
#[derive(Debug)]
pub struct Search {
    /// The configs, the simplest first.
    pub trials: Vec<Trial>,
}

impl Space {
    /// The space of a kernel, the program's only one unless it is named. Until there are [settings](Space::add), the compiler's own
    /// configs are what may be tried.
    ///
    /// # Errors
    /// If the program is refused, or has no such kernel, or several and none is named.
    pub fn new(text: &[u8], kernel: Option<&str>) -> Result<Space, SearchError> {
        let mut ir = Ir::default();
        let func = parse_kernel(&mut ir, text, kernel, &Vec::new())?;
        let body = ir[func].body;
        let written =
            ir[body].parameters.iter().map(|&value| ir.is_written(value).then(|| ir.ty(value).clone()));
        Ok(Space {
            text: text.to_owned(),
            kernel: ir[func].name.clone(),
            signature: ir.signature(func),
            written: written.collect(),
            settings: Vec::new(),
            key: Vec::new(),
        })
    }

    /// The kernel's signature.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Adds a setting, in place of the compiler's own configs.
    ///
    /// # Errors
    /// If the program is refused with it, or then takes other arguments.
    pub fn add(&mut self, setting: Setting) -> Result<(), SearchError> {
        let mut ir = Ir::default();
        let func = self.parse(&mut ir, &setting)?;
        attributes(&setting)?;
        let kinds = |signature: &Signature| {
            let of = |parameter: &Parameter| parameter.arguments.clone();
            signature.parameters.iter().flat_map(of).collect::<Vec<_>>()
        };
        if kinds(&ir.signature(func)) != kinds(&self.signature) {
            let shown: Vec<String> = setting.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let what = format!("with {} the kernel takes other arguments", shown.join(" "));
            return Err(SearchError::Request(what));
        }
        self.settings.push(setting);
        Ok(())
    }

    /// Names the parameters whose numbers tell cases apart: a number itself, the sizes and strides that the type of a memref leaves open.
    ///
    /// # Errors
    /// If the kernel has no parameter of a name, or one that no integers come with.
    pub fn set_key(&mut self, names: Vec<String>) -> Result<(), SearchError> {
        for name in &names {
            let mut parameters = self.signature.parameters.iter();
            let parameter = parameters.find(|parameter| is_called(parameter, name)).ok_or_else(|| {
                let known: Vec<&str> = self.signature.parameters.iter().map(|it| it.name.as_str()).collect();
                SearchError::Request(format!(
                    "the kernel {} has no parameter {name}; it has {}",
                    self.kernel,
                    known.join(", ")
                ))
            })?;
            if !parameter.arguments.iter().any(|argument| argument.is_integer()) {
                let what =
                    format!("no integers come with {}, whose type is {}", parameter.name, parameter.ty);
                return Err(SearchError::Request(what));
            }
        }
        self.key = names;
        Ok(())
    }

    /// The case that arguments are: names of the key with the integers that come with them. `values` are the addresses and integers
    /// among the arguments.
    pub fn case(&self, values: &[Option<i64>]) -> BTreeMap<String, String> {
        let mut rest = values;
        let mut case = BTreeMap::new();
        for parameter in &self.signature.parameters {
            let (own, others) = rest.split_at_checked(parameter.arguments.len()).unwrap_or((rest, &[]));
            rest = others;
            if !self.key.iter().any(|name| is_called(parameter, name)) {
                continue;
            }
            let integers = own.iter().zip(&parameter.arguments).filter(|(_, kind)| kind.is_integer());
            let shown: Vec<String> =
                integers.filter_map(|(value, _)| Some(value.as_ref()?.to_string())).collect();
            case.insert(parameter.name.clone(), shown.join("x"));
        }
        case
    }

    /// Bytes of the memory that the kernel writes, for each argument; none for those that it does not write.
    ///
    /// # Errors
    /// What is written, if nobody knows how much it is.
    pub fn written_bytes(&self, values: &[Option<i64>]) -> Result<Vec<Option<(Scalar, u64)>>, String> {
        let mut rest = values;
        let mut bytes = Vec::new();
        for (parameter, written) in self.signature.parameters.iter().zip(&self.written) {
            let (own, others) = rest.split_at_checked(parameter.arguments.len()).unwrap_or((rest, &[]));
            rest = others;
            let size = match written {
                None => None,
                Some(Type::Memref(memref)) => {
                    let span = span(memref, own.get(1..).unwrap_or_default());
                    let bytes = |span| memref.element.bytes_of(i64::try_from(span).ok()?)?.try_into().ok();
                    let size: Option<u64> = span.and_then(bytes);
                    let size = size.ok_or_else(|| format!("the size of {} is not known", parameter.name))?;
                    Some((memref.element, size))
                }
                Some(ty) => {
                    return Err(format!("{} is a {ty}, whose members cannot be copied", parameter.name));
                }
            };
            bytes.push(size);
            bytes.extend(std::iter::repeat_n(None, own.len().saturating_sub(1)));
        }
        Ok(bytes)
    }

    /// The configs for a case of arguments with these layouts, and what the current table knows of them.
    ///
    /// # Errors
    /// If the device cannot run the kernel.
    pub fn search(
        &self,
        layouts: &[Option<Layout>],
        case: &BTreeMap<String, String>,
        info: &CoreInfo,
        options: &Options,
    ) -> Result<Search, SearchError> {
        let table = if options.is_tuned { tuning::current() } else { std::sync::Arc::default() };
        let mut trials = Vec::new();
        let nothing = [Setting::new()];
        for setting in if self.settings.is_empty() { nothing.as_slice() } else { &self.settings } {
            let mut ir = Ir::default();
            let func = self.parse(&mut ir, setting)?;
            let plain = ir[func].parameter_attributes.clone();
            specialize(&mut ir, func, layouts);
            let key = with_case(tuning_key(&ir, func, info, options), case);
            // What another driver made of a config is tried again where that may be.
            let find = |config: &Config| match tuning::is_on() {
                true => table.find(&key, config),
                false => table.find_of_any_driver(&key, config),
            };
            let configs = if self.settings.is_empty() {
                let is_known = |config: &Config| {
                    find(config).is_some_and(|entry| !matches!(entry.figure, Figure::Estimated { .. }))
                };
                self.compilers_configs(layouts, info, options, &is_known)?
            } else {
                vec![attributes(setting)?]
            };
            // The program leaves open what the launch will tell.
            ir[func].parameter_attributes = plain;
            for config in configs {
                let own = ir[func].attributes.clone();
                config.complete(&mut ir[func].attributes);
                let text = print(&ir, &Program { functions: vec![func] }).as_bytes().to_owned();
                ir[func].attributes = own;
                let figure = find(&config).map(|entry| entry.figure.clone());
                let entry = Entry {
                    key: key.clone(),
                    function: self.kernel.clone(),
                    definitions: definitions(setting).chain(case.clone()).collect(),
                    launch: String::new(),
                    config,
                    figure: figure.unwrap_or(Figure::Estimated { cycles: f64::INFINITY }),
                };
                trials.push(Trial { text, entry, is_new: false });
            }
        }
        Ok(Search { trials })
    }
}

impl Space {
    /// Parses the kernel with a setting.
    fn parse(&self, ir: &mut Ir, setting: &Setting) -> Result<Func, SearchError> {
        parse_kernel(ir, &self.text, Some(&self.kernel), setting)
    }

    /// The configs that the compiler takes into consideration, its own choice first: those that are known if there are any, else, where
    /// some may be tried, those that the model likes best.
    fn compilers_configs(
        &self,
        layouts: &[Option<Layout>],
        info: &CoreInfo,
        options: &Options,
        is_known: &dyn Fn(&Config) -> bool,
    ) -> Result<Vec<Config>, SearchError> {
        let make = |ir: &mut Ir| {
            let func = self.parse(ir, &Setting::new()).map_err(|error| error.to_string())?;
            specialize(ir, func, layouts);
            Ok((Program { functions: vec![func] }, func))
        };
        let target = Target { info, options, groups: MANY_GROUPS, cores: None, is_hot: true };
        let kernel = Kernel { make: &make, target };
        let mut candidates = kernel.candidates().map_err(SearchError::Request)?;
        if candidates.iter().any(|candidate| is_known(&candidate.config)) {
            candidates.retain(|candidate| is_known(&candidate.config));
        } else if tuning::is_on() {
            kernel.compile_all(&mut candidates);
            rank(&mut candidates, |candidate| candidate);
            candidates.retain(|candidate| !candidate.is_out());
            candidates.truncate(TRIED);
            candidates.sort_by_key(|candidate| candidate.place);
        }
        Ok(candidates.into_iter().map(|candidate| candidate.config).collect())
    }
}

impl Search {
    /// The best config: by measurements if there are any, then by estimates of a table, else the first that has not failed.
    pub fn best(&self) -> Option<&Trial> {
        let entries = || self.trials.iter().map(|trial| &trial.entry);
        let best =
            tuning::best_of(entries()).and_then(|best| self.trials.iter().find(|trial| trial.entry == *best));
        best.or_else(|| self.trials.first())
    }

    /// A line for each config, those first that are best.
    pub fn report(&self) -> String {
        let mut entries: Vec<&Entry> = self.trials.iter().map(|trial| &trial.entry).collect();
        entries.sort_by(|a, b| {
            let ((kind, time), (other_kind, other_time)) = (a.figure.rank(), b.figure.rank());
            kind.cmp(&other_kind).then(time.total_cmp(&other_time))
        });
        entries.into_iter().map(line).collect()
    }

    /// Number of configs that nobody has tried.
    pub fn unknown(&self) -> usize {
        self.trials.iter().filter(|trial| !trial.is_known()).count()
    }

    /// The entries of what no table knew before.
    pub fn news(&self) -> Table {
        let mut table = Table::default();
        self.trials.iter().filter(|trial| trial.is_new).for_each(|trial| table.insert(trial.entry.clone()));
        table
    }
}

/// Line for a config: its names with their values, and its time or the reason why it has none.
fn line(Entry { definitions, config, figure, .. }: &Entry) -> String {
    let figure = match figure {
        Figure::Measured { seconds, .. } => format!("{:.2} µs", seconds * 1e6),
        Figure::Estimated { cycles } if cycles.is_finite() => format!("{cycles:.0} cycles, estimated"),
        Figure::Estimated { .. } => "not tried".to_owned(),
        Figure::Failed(reason) => reason.lines().next().unwrap_or_default().to_owned(),
    };
    let definitions = definitions.iter().map(|(name, value)| format!("{name}={value}"));
    let attributes = (!config.is_empty()).then(|| config.to_string());
    let names: Vec<String> = definitions.chain(attributes).collect();
    let names = if names.is_empty() { "the compiler's choice".to_owned() } else { names.join(" ") };
    format!("{names}: {figure}\n")
}

/// Parses a program with definitions in place of its own, and finds the kernel.
fn parse_kernel(
    ir: &mut Ir,
    text: &[u8],
    kernel: Option<&str>,
    setting: &Setting,
) -> Result<Func, SearchError> {
    let mut sources = Sources::new();
    let source = sources.add("<memory>", text);
    let texts: Vec<String> = definitions(setting).map(|(name, value)| format!("${name} = {value}")).collect();
    let definitions: Vec<_> =
        texts.iter().map(|text| (sources.add("a definition", text.as_bytes()), text.as_bytes())).collect();
    let program = parse_with(ir, &definitions, source, text).map_err(|error| {
        let reports: Vec<String> = error.diagnostics().iter().map(|it| sources.report(it)).collect();
        SearchError::Program { status: error.status(), report: reports.join("\n") }
    })?;
    let names: Vec<&str> = program.functions.iter().map(|&func| ir[func].name.as_str()).collect();
    let place = match (kernel, names.as_slice()) {
        (None, [_]) => Some(0),
        (Some(kernel), names) => names.iter().position(|name| *name == kernel),
        (None, _) => None,
    };
    let func = place.and_then(|place| program.functions.get(place).copied());
    func.ok_or_else(|| {
        let wanted = kernel
            .map_or_else(|| "kernel that is its only one".to_owned(), |kernel| format!("kernel {kernel}"));
        let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        SearchError::Request(format!("the program has no {wanted}; it has {known}"))
    })
}

/// Returns whether a parameter has a name, with or without the sigil.
fn is_called(parameter: &Parameter, name: &str) -> bool {
    parameter.name.trim_start_matches('%') == name.trim_start_matches('%')
}

/// The names of the program in a setting, without the `$`.
fn definitions(setting: &Setting) -> impl Iterator<Item = (String, String)> + '_ {
    setting.iter().filter_map(|(name, value)| Some((name.strip_prefix('$')?.to_owned(), value.clone())))
}

/// The attributes in a setting.
fn attributes(setting: &Setting) -> Result<Config, SearchError> {
    let attributes = setting.iter().filter(|(name, _)| !name.starts_with('$'));
    Config::parse(attributes.map(|(name, value)| (name.as_str(), value.as_str())))
        .map_err(SearchError::Request)
}

/// The key of one case among others.
fn with_case(key: Key, case: &BTreeMap<String, String>) -> Key {
    if case.is_empty() { key } else { key.of_case(&format!("{case:?}")) }
}

/// Elements from the first to the last; the dynamic sizes and strides come in order.
fn span(memref: &Memref, dynamic: &[Option<i64>]) -> Option<u64> {
    let mut dynamic = dynamic.iter();
    let mut value = |extent: &Extent| extent.value().or_else(|| *dynamic.next()?);
    let shape = memref.shape.iter().map(&mut value).collect::<Option<Vec<_>>>()?;
    let stride = memref.stride.iter().map(&mut value).collect::<Option<Vec<_>>>()?;
    if shape.contains(&0) {
        return Some(0);
    }
    let last = shape
        .iter()
        .zip(&stride)
        .try_fold(0i64, |last, (size, stride)| last.checked_add(size.checked_sub(1)?.checked_mul(*stride)?));
    u64::try_from(last?.checked_add(1)?).ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    const PRODUCT: &str = "$N = 8
$INT = i32
func @product(%A: memref<f32x?x8>, %B: memref<f32x8x$N>, %C: memref<f32x?x$N,strided<1,?>>, %n: $INT) {
    gemm.n.n 1.0, %A, %B, 0.0, %C
}
func @other(%x: group<memref<f32x4>x?>) {
    %i = constant 0 : index
    %y = load %x[%i] : memref<f32x4>
    %one = constant 1.0 : f32
    store %one, %y[%i]
}";

    fn space(kernel: &str) -> Space {
        Space::new(PRODUCT.as_bytes(), Some(kernel)).unwrap()
    }

    fn setting(pairs: &[(&str, &str)]) -> Setting {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn message<T>(result: Result<T, SearchError>) -> String {
        result.err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn mistakes_are_named() {
        let missing = message(Space::new(PRODUCT.as_bytes(), Some("f")));
        assert_eq!(missing, "the program has no kernel f; it has product, other");
        let which = message(Space::new(PRODUCT.as_bytes(), None));
        assert_eq!(which, "the program has no kernel that is its only one; it has product, other");
        let mut space = space("product");
        assert!(message(space.add(setting(&[("$M", "8")]))).contains("$M"));
        assert!(message(space.add(setting(&[("subgroup_sise", "16")]))).contains("subgroup_sise"));
        assert!(message(space.add(setting(&[("subgroup_size", "wide")]))).contains("subgroup_size"));
        let other = message(space.add(setting(&[("$INT", "i64")])));
        assert_eq!(other, "with $INT=i64 the kernel takes other arguments");
        let key = |name: &str| message(self::space("product").set_key(vec![name.to_owned()]));
        assert_eq!(key("M"), "the kernel product has no parameter M; it has %A, %B, %C, %n");
        assert_eq!(key("B"), "no integers come with %B, whose type is memref<f32x8x8>");
        assert!(self::space("product").settings.is_empty());
    }

    #[test]
    fn cases_are_told_apart_by_the_numbers_of_the_key() {
        let mut space = space("product");
        // %A with rows and stride, %B, %C with rows and stride, %n.
        let values = [Some(64), Some(10), Some(10), Some(64), Some(64), Some(10), Some(12), Some(-1)];
        assert!(space.case(&values).is_empty());
        space.set_key(vec!["C".to_owned(), "%n".to_owned()]).unwrap();
        let case = space.case(&values);
        assert_eq!(
            case.into_iter().collect::<Vec<_>>(),
            [("%C".into(), "10x12".into()), ("%n".into(), "-1".into())]
        );
    }

    #[test]
    fn written_memory_is_as_large_as_arguments_say() {
        let values = [Some(64), Some(10), Some(10), Some(64), Some(64), Some(10), Some(12), Some(-1)];
        let bytes = |values: &[Option<i64>]| space("product").written_bytes(values);
        let c = Some((Scalar::F32, 4 * (9 + 12 * 7 + 1)));
        assert_eq!(bytes(&values).unwrap(), [None, None, None, None, c, None, None, None]);
        let none = [Some(64), Some(10), Some(10), Some(64), Some(64), Some(0), Some(12), Some(-1)];
        assert_eq!(bytes(&none).unwrap().get(4), Some(&Some((Scalar::F32, 0))));
        let unknown = [Some(64), Some(10), Some(10), Some(64), Some(64), None, Some(12), Some(-1)];
        assert_eq!(bytes(&unknown).unwrap_err(), "the size of %C is not known");
        let large =
            [Some(64), Some(10), Some(10), Some(64), Some(64), Some(i64::MAX), Some(i64::MAX), Some(-1)];
        assert_eq!(bytes(&large).unwrap_err(), "the size of %C is not known");
        let group = space("other").written_bytes(&[Some(64), Some(1)]);
        assert_eq!(group.unwrap_err(), "%x is a group<memref<f32x4>x?>, whose members cannot be copied");
    }

    #[test]
    fn the_best_is_the_first_until_something_is_known() {
        let pvc = CoreInfo::from_name("pvc").unwrap();
        let search = |space: &Space, n: &str| {
            let case = BTreeMap::from([("%n".to_owned(), n.to_owned())]);
            space.search(&[], &case, &pvc, &Options::default()).unwrap()
        };
        let automatic = search(&space("product"), "1");
        assert!(automatic.trials.len() > 3);
        assert!(automatic.trials.iter().skip(1).all(|trial| !trial.entry.config.is_empty()));

        let mut space = space("product");
        space.add(setting(&[("$N", "8"), ("subgroup_size", "16")])).unwrap();
        space.add(setting(&[("$N", "16")])).unwrap();
        space.add(setting(&[("work_group_size", "[32,1]"), ("subgroup_size", "32")])).unwrap();
        let mut found = search(&space, "1");
        assert_eq!(found.trials.len(), 3);
        let text = |place: usize| String::from_utf8(found.trials[place].text.clone()).unwrap();
        assert!(text(0).contains("subgroup_size=16") && text(1).contains("memref<f32x8x16>"), "{}", text(1));
        assert!(text(2).contains("work_group_size=[32,1]") && !text(0).contains("@other"));
        assert!(found.news().is_empty());
        assert_eq!(found.best().unwrap().text, found.trials[0].text);
        found.trials[0].note(Figure::Failed("too slow".to_owned()));
        assert_eq!(found.best().unwrap().text, found.trials[1].text);
        for (place, seconds) in [(1, 2e-6), (2, 1e-6)] {
            found.trials[place].note(Figure::measured_now(seconds, [seconds; 2], "a device"));
        }
        assert_eq!(found.best().unwrap().text, found.trials[2].text);
        assert_eq!(found.news().entries().len(), 3);
        assert_eq!(
            found.report(),
            "%n=1 subgroup_size=32, work_group_size=[32,1]: 1.00 µs\n\
             %n=1 N=16: 2.00 µs\n\
             %n=1 N=8 subgroup_size=16: too slow\n"
        );
        // What is known of a case is known of it alone.
        tuning::add(&found.news());
        let again = search(&space, "1");
        assert!(again.trials.iter().all(Trial::is_known) && again.news().is_empty());
        assert_eq!(again.best().unwrap().text, found.trials[2].text);
        assert!(!search(&space, "2").trials.iter().any(Trial::is_known));
    }
}
