//! Names in the manual are names that there are: passes, options, statuses, environment variables. What users can name
//! is in the manual, too.

use crate::page::Page;
use crate::{Outcome, coverage, outcome, references, trial};
use libtest_mimic::Trial;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use tiletc::passes::{Pass, stages};
use tiletc::status::Status;

/// Files whose strings are options.
const WITH_OPTIONS: [&str; 4] = ["tools/src", "xtask/src", "cpp-examples", "tests/filetests"];

/// Files that read environment variables for users.
const WITH_VARIABLES: [&str; 4] = ["src/", "isa/src/", "tools/src/", "virtual-xe/"];

/// Words that only have the form of a name of ours.
const OTHERS: [&str; 18] = [
    // Options of other programs
    "--cflags",
    "--defined-only",
    "--install",
    "--libs",
    "--release",
    "--static",
    "-fsycl",
    // Placeholders
    "-pNAME",
    "TILETC_ENUM_NUM_NAME",
    "TILETC_X",
    "ir_x",
    "tiletc_status_NAME",
    // Types, functions and the field's terms
    "spirv_feature",
    "tiletc_status_to_string",
    "work-group",
    "work-groups",
    "work-item",
    "work-items",
];

/// Names of the project.
#[derive(Default)]
pub struct Names {
    /// Passes, those of the pipeline alone included.
    pub passes: HashSet<String>,
    /// Options, as `--explain`.
    pub options: HashSet<String>,
    /// Options that the tools document, a part of these.
    pub options_of_tools: HashSet<String>,
    /// Environment variables and macros.
    pub variables: HashSet<String>,
    /// Environment variables that users set, a part of these.
    pub variables_of_users: HashSet<String>,
    /// Words of the sources of the tools, which the flags behind `-f` are among in another spelling.
    pub flags: HashSet<String>,
}

impl Names {
    /// Reads the sources.
    pub fn read(root: &Path) -> Names {
        let mut names = Names::default();
        names.passes.extend(stages().map(|(name, _)| name).chain(Pass::names()).map(str::to_owned));
        references::each_file(root, &mut |path, text| {
            // The tests of the checks name what there is not.
            if !path.starts_with("docs/") && !path.starts_with("tests/manual") {
                names.add(path, text);
            }
        });
        names
    }

    fn add(&mut self, path: &str, text: &str) {
        let variables = words(text).filter(|word| is_variable(word)).map(str::to_owned);
        self.variables.extend(variables);
        if WITH_VARIABLES.iter().any(|folder| path.starts_with(folder)) && !path.contains("/tests/") {
            let literals = text.split('"').collect::<Vec<_>>();
            for pair in literals.windows(2) {
                // What the build sets is no business of users.
                if let [before, literal] = pair
                    && is_variable(literal)
                    && !before.ends_with("env!(")
                {
                    self.variables_of_users.insert((*literal).to_owned());
                }
            }
        }
        if WITH_OPTIONS.iter().any(|folder| path.starts_with(folder)) {
            let literals = text.split('"').filter(|literal| literal.starts_with("--"));
            self.options.extend(literals.filter_map(|literal| words(literal).next()).map(str::to_owned));
            let derived = derived(text);
            if path.starts_with("tools/src") {
                self.options_of_tools.extend(derived.iter().cloned());
                self.flags.extend(words(text).map(str::to_ascii_lowercase));
            }
            self.options.extend(derived);
        }
    }

    /// Names in a page that there are not.
    pub fn check(&self, page: &Page) -> Outcome {
        let spans = page.code.iter().map(|(line, text)| (*line, text.as_str()));
        let blocks = page.blocks.iter().filter(|block| !is_program(&block.info));
        let blocks = blocks.map(|block| (block.line, block.text.as_str()));
        let complaints = spans.chain(blocks).flat_map(|(line, text)| {
            let unknown = words(text).filter_map(|word| Some((word, self.unknown(word)?)));
            unknown.map(move |(word, kind)| format!("{}:{line}: there is no {kind} {word}", page.path))
        });
        outcome(complaints.collect())
    }

    /// The kind of name that a word has the form of, if there is none of that kind.
    fn unknown(&self, word: &str) -> Option<&'static str> {
        let missing = |is_known: bool, kind| (!is_known).then_some(kind);
        // What ends so is the beginning of names.
        if OTHERS.contains(&word) || word.ends_with(['_', '-']) {
            return None;
        }
        if is_variable(word) {
            return missing(self.variables.contains(word), "variable");
        }
        if is_long_option(word) {
            return missing(self.options.contains(word), "option");
        }
        if let Some(pass) = word.strip_prefix("-p").filter(|pass| !pass.is_empty()) {
            return missing(self.passes.contains(pass), "pass");
        }
        if let Some(flag) = word.strip_prefix("-f").filter(|flag| !flag.is_empty()) {
            return missing(self.flags.contains(&flag.replace('-', "")), "flag");
        }
        if ["ir_", "launch_", "spirv_"].iter().any(|start| word.starts_with(start)) {
            return missing(is_status(word), "status");
        }
        let enumerator =
            ["tiletc_status_", "tinytc_status_"].iter().find_map(|start| word.strip_prefix(start));
        if let Some(status) = enumerator.filter(|status| *status != "t") {
            return missing(is_status(status), "status");
        }
        let first = |word: &str| word.split('-').next().unwrap_or_default().to_owned();
        let is_pass = word.contains('-') && self.passes.iter().any(|pass| first(pass) == first(word));
        if is_pass { missing(self.passes.contains(word), "pass") } else { None }
    }
}

/// The checks of all pages, and those of what they must have.
pub fn trials(root: &Path, pages: &Arc<[Page]>) -> Vec<Trial> {
    let names = Arc::new(Names::read(root));
    // Plans may name what is not there.
    let mut trials: Vec<Trial> = (pages.iter().filter(|page| !page.path.starts_with("docs/design")))
        .map(|page| {
            let (names, page) = (Arc::clone(&names), page.clone());
            trial(format!("names of {}", page.path), move || names.check(&page))
        })
        .collect();
    let shared = Arc::clone(pages);
    trials.push(trial("the pipeline is as it is", move || has_pipeline(&shared)));
    let shared = Arc::clone(pages);
    trials.push(trial("every option and variable is documented", move || names.are_documented(&shared)));
    trials
}

impl Names {
    /// Options of the tools are on their page, environment variables in tables, once a page.
    pub fn are_documented(&self, pages: &[Page]) -> Outcome {
        let mut complaints = Vec::new();
        let mut variables = HashSet::new();
        for (page, row) in coverage::rows(pages, "variable") {
            let code = row.cells.first().into_iter().flat_map(|cell| &cell.code);
            let twice = code.filter(|name| !variables.insert((&page.path, name.as_str())));
            complaints.extend(
                twice.map(|name| format!("{}:{}: {name}: stands in a table before", page.path, row.line)),
            );
        }
        let documented: HashSet<&str> = variables.into_iter().map(|(_, name)| name).collect();
        let missing = self.variables_of_users.iter().filter(|name| !documented.contains(name.as_str()));
        complaints.extend(missing.map(|name| format!("{name}: in no table")));
        let options: HashSet<&str> = pages
            .iter()
            .filter(|page| page.path == "docs/src/tools.md")
            .flat_map(|page| {
                page.code.iter().map(|(_, text)| text).chain(page.blocks.iter().map(|block| &block.text))
            })
            .flat_map(|text| words(text))
            .collect();
        let missing = self.options_of_tools.iter().filter(|name| !options.contains(name.as_str()));
        complaints.extend(missing.map(|name| format!("{name}: not on the page of the tools")));
        complaints.sort();
        outcome(complaints)
    }
}

/// The first block of the page about the pipeline lists its stages in order.
pub fn has_pipeline(pages: &[Page]) -> Outcome {
    let page = pages.iter().find(|page| page.path == "docs/src/compiler/pipeline.md");
    let block = page.and_then(|page| page.blocks.first()).ok_or("there is no block")?;
    let code = block.text.lines().filter_map(|line| line.split('#').next());
    let is_name =
        |word: &&str| word.contains('-') && word.starts_with(|letter: char| letter.is_ascii_lowercase());
    let listed: Vec<&str> = code.flat_map(words).filter(is_name).collect();
    let expected: Vec<&str> = stages().map(|(name, _)| name).collect();
    if listed == expected {
        Ok(())
    } else {
        Err(format!("{listed:?}\nare listed, the stages are\n{expected:?}"))
    }
}

/// Words with the characters of names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '_' | '-'))
}

fn is_variable(word: &str) -> bool {
    let rest = word.strip_prefix("TILETC_").or_else(|| word.strip_prefix("VIRTUAL_XE_"));
    rest.is_some_and(|rest| !rest.is_empty())
        && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

fn is_long_option(word: &str) -> bool {
    word.strip_prefix("--").is_some_and(|name| name.starts_with(|letter: char| letter.is_ascii_lowercase()))
}

fn is_status(word: &str) -> bool {
    Status::ALL.iter().any(|status| status.spelling() == word)
}

/// Blocks in languages in which two minus signs are an operator.
fn is_program(info: &str) -> bool {
    ["abnf", "c", "c++", "cpp", "tensor"].iter().any(|language| info.split(',').next() == Some(language))
}

/// The options that clap derives from fields with `long` in their attribute.
fn derived(text: &str) -> Vec<String> {
    let attributes = text.split("#[arg(").skip(1).filter_map(|part| part.split_once(")]"));
    let option = |(attribute, field): (&str, &str)| {
        if let Some((_, named)) = attribute.split_once("long = \"") {
            return Some(format!("--{}", named.split('"').next()?));
        }
        let is_long = attribute.split([',', ' ', '\n']).any(|word| word == "long");
        let field = field.trim_start().trim_start_matches("pub ").split(':').next()?;
        is_long.then(|| format!("--{}", field.replace('_', "-")))
    };
    attributes.filter_map(option).collect()
}
