//! Imports of each file of a crate from others, re-exports followed to where a name is defined.

use crate::sources::{SourceFile, tokens};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A path from the root of the crate on.
pub type Path = Vec<String>;

/// The files of a crate by module.
pub struct Crate<'s> {
    modules: HashMap<Path, File<'s>>,
}

/// Imports and exports of a file.
struct File<'s> {
    path: &'s str,
    /// Paths that it uses.
    used: Vec<Path>,
    /// Paths that it re-exports.
    passed_on: Vec<Path>,
    /// Names that it re-exports, and what they stand for.
    exported: HashMap<String, Path>,
    /// Modules of which it re-exports everything.
    all_of: Vec<Path>,
    /// Names of items that it defines.
    defined: BTreeSet<String>,
}

impl<'s> Crate<'s> {
    /// Reads the files below `root`, which holds `lib.rs` or `main.rs`. Files of tests are left out.
    pub fn read(root: &str, files: &'s [SourceFile]) -> Crate<'s> {
        let own = files.iter().filter_map(|file| {
            let inside = file.path.strip_prefix(root)?.strip_prefix('/')?;
            let is_test = inside.split('/').any(|part| part == "tests" || part == "tests.rs");
            (!is_test).then(|| (module_of(inside), file))
        });
        let own: Vec<(Path, &SourceFile)> = own.collect();
        let names: BTreeSet<&Path> = own.iter().map(|(module, _)| module).collect();
        let read =
            |(module, file): &(Path, &'s SourceFile)| (module.clone(), File::read(module, file, &names));
        Crate { modules: own.iter().map(read).collect() }
    }

    /// The modules right below the root that each file uses, by the path of the file, with the paths that say so.
    pub fn modules_used(&self) -> BTreeMap<&'s str, BTreeMap<&str, &Path>> {
        let mut found: BTreeMap<&str, BTreeMap<&str, &Path>> = BTreeMap::new();
        for file in self.modules.values() {
            let used = found.entry(file.path).or_default();
            for path in file.used.iter().chain(&file.passed_on) {
                if let Some(first) =
                    path.first().filter(|first| self.modules.contains_key(&vec![(*first).clone()]))
                {
                    used.insert(first, path);
                }
            }
        }
        found
    }

    /// Names of other modules right below the root that each of them re-exports.
    pub fn handed_on(&self) -> BTreeMap<&str, BTreeSet<String>> {
        let mut found: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for (module, file) in &self.modules {
            let Some(module) = module.first() else { continue };
            let others = file.passed_on.iter().filter(|path| path.first() != Some(module));
            found.entry(module).or_default().extend(others.map(|path| path.join("::")));
        }
        found
    }

    /// The files that each file imports from, with a path that says so.
    pub fn imports(&self) -> BTreeMap<&'s str, BTreeMap<&'s str, String>> {
        let mut found: BTreeMap<&str, BTreeMap<&str, String>> = BTreeMap::new();
        for file in self.modules.values() {
            let imports = found.entry(file.path).or_default();
            for path in &file.used {
                if let Some(other) = self.resolve(path, 0).filter(|other| other.path != file.path) {
                    imports.insert(other.path, path.join("::"));
                }
            }
        }
        found
    }

    /// The file that defines what a path names.
    fn resolve(&self, path: &[String], depth: usize) -> Option<&File<'s>> {
        let (file, rest) = (0..=path.len()).rev().find_map(|length| {
            let (module, rest) = path.split_at(length);
            self.modules.get(module).map(|file| (file, rest))
        })?;
        let Some((name, behind)) = rest.split_first().filter(|_| depth < 10) else { return Some(file) };
        if let Some(target) = file.exported.get(name) {
            let target: Path = target.iter().chain(behind).cloned().collect();
            return self.resolve(&target, depth + 1);
        }
        if file.defined.contains(name) {
            return Some(file);
        }
        let through = file.all_of.iter().find_map(|module| {
            let target: Path = module.iter().chain(rest).cloned().collect();
            self.resolve(&target, depth + 1).filter(|file| file.defined.contains(name))
        });
        through.or(Some(file))
    }
}

/// The module that a file is, by its path below the root.
fn module_of(inside: &str) -> Path {
    let stem = inside.strip_suffix(".rs").unwrap_or(inside);
    let mut module: Path = stem.split('/').map(str::to_owned).collect();
    if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        module.pop();
    }
    module
}

impl<'s> File<'s> {
    fn read(module: &Path, file: &'s SourceFile, modules: &BTreeSet<&Path>) -> File<'s> {
        let mut found = File {
            path: &file.path,
            used: Vec::new(),
            passed_on: Vec::new(),
            exported: HashMap::new(),
            all_of: Vec::new(),
            defined: BTreeSet::new(),
        };
        let absolute = |path: &[&str]| absolute(module, path, modules);
        let tokens = tokens(&file.text);
        let before = |at: usize, back: usize| at.checked_sub(back).and_then(|at| tokens.get(at)).copied();
        let mut at = 0;
        while let Some(&token) = tokens.get(at) {
            match token {
                "use" => {
                    let end = tokens
                        .iter()
                        .skip(at)
                        .position(|token| *token == ";")
                        .map_or(tokens.len(), |n| at + n);
                    let mut leaves = Vec::new();
                    tree(&[], tokens.get(at + 1..end).unwrap_or_default(), &mut leaves);
                    let is_export = matches!(before(at, 1), Some("pub" | ")"));
                    for (path, name) in leaves {
                        let Some(target) = absolute(&path) else { continue };
                        if !is_export {
                            found.used.push(target);
                            continue;
                        }
                        found.passed_on.push(target.clone());
                        match name {
                            "*" => found.all_of.push(target),
                            _ => drop(found.exported.insert(name.to_owned(), target)),
                        }
                    }
                    at = end;
                }
                "crate" | "self" | "super" if tokens.get(at + 1) == Some(&"::") => {
                    // `pub(in super::…)` and the `$crate` of macros name no dependence.
                    let is_visibility = before(at, 1) == Some("in") && before(at, 2) == Some("(");
                    let mut path = vec![token];
                    while let (Some(&"::"), Some(&next)) = (tokens.get(at + 1), tokens.get(at + 2)) {
                        at += 2;
                        path.push(next);
                    }
                    if !is_visibility && before(at + 1, 2 * path.len()) != Some("$") {
                        found.used.extend(absolute(&path));
                    }
                }
                "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union" => {
                    found.defined.extend(tokens.get(at + 1).map(|name| (*name).to_owned()));
                }
                _ => {}
            }
            at += 1;
        }
        found
    }
}

/// The path from the root of the crate on; `None` for what belongs to other crates.
fn absolute(module: &[String], path: &[&str], modules: &BTreeSet<&Path>) -> Option<Path> {
    let supers = path.iter().take_while(|part| **part == "super").count();
    let (base, rest) = match path {
        ["crate", rest @ ..] => (&[] as &[String], rest),
        ["self", rest @ ..] => (module, rest),
        ["super", ..] => (module.get(..module.len().checked_sub(supers)?)?, path.get(supers..)?),
        [first, ..] => {
            let child: Path = module.iter().cloned().chain([(*first).to_owned()]).collect();
            modules.contains(&child).then_some((module, path))?
        }
        [] => return None,
    };
    Some(base.iter().cloned().chain(rest.iter().map(|part| (*part).to_owned())).collect())
}

/// The paths of a use tree, each with the name that it gets.
fn tree<'t>(prefix: &[&'t str], tokens: &[&'t str], leaves: &mut Vec<(Vec<&'t str>, &'t str)>) {
    let brace = tokens.iter().position(|token| *token == "{");
    let path_end = brace.unwrap_or(tokens.len());
    let (head, renamed) = match tokens.iter().position(|token| *token == "as") {
        Some(at) if brace.is_none() => (tokens.get(..at), tokens.get(at + 1)),
        _ => (tokens.get(..path_end), None),
    };
    let head = head.unwrap_or_default().iter().filter(|token| **token != "::");
    let mut path: Vec<&str> = prefix.iter().chain(head).copied().collect();
    let Some(brace) = brace else {
        let name = renamed.or(path.last()).copied();
        if path.last().is_some_and(|last| ["self", "*"].contains(last)) && path.len() > 1 {
            path.pop();
        }
        leaves.extend(name.map(|name| (path, name)));
        return;
    };
    let (mut depth, mut start) = (0, brace + 1);
    for (at, token) in tokens.iter().enumerate().skip(brace) {
        match *token {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if (depth, *token) == (1, ",") || depth == 0 {
            let part = tokens.get(start..at).unwrap_or_default();
            if !part.is_empty() {
                tree(&path, part, leaves);
            }
            start = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
}
