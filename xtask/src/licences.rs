//! Licences and sources of everything that is built, by the policy in `deny.toml`, which `cargo deny` reads as well.

use std::fs;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use toml::Table;

use crate::paths::Paths;
use crate::process;

/// The registry that packages may come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Checks every package of the lock file, on any platform and with all features; fails with all that is wrong.
pub fn check(paths: &Paths) -> Result<()> {
    let policy = fs::read_to_string(paths.repository.join("deny.toml"))?;
    let policy = Policy::read(&policy).context("cannot read deny.toml")?;
    let mut cargo = paths.cargo(&["metadata", "--format-version", "1", "--locked", "--all-features"]);
    let metadata = process::answer(&mut cargo).context("cargo metadata failed")?;
    let metadata: Value = serde_json::from_str(&metadata).context("cannot read what cargo metadata says")?;
    let packages = metadata.get("packages").and_then(Value::as_array).filter(|packages| !packages.is_empty());
    let complaints: Vec<String> = packages
        .context("cargo metadata names no packages")?
        .iter()
        .flat_map(|one| policy.complaints(one))
        .collect();
    if complaints.is_empty() { Ok(()) } else { bail!("deny.toml does not allow:\n{}", complaints.join("\n")) }
}

/// Licences that are allowed.
#[derive(Debug, Default)]
struct Policy {
    licences: Vec<String>,
    /// Packages with licences that only they may have.
    exceptions: Vec<(String, Vec<String>)>,
}

impl Policy {
    fn read(text: &str) -> Result<Policy> {
        let table: Table = toml::from_str(text)?;
        let names = |value: Option<&toml::Value>| -> Result<Vec<String>> {
            let list = value.and_then(toml::Value::as_array).context("a list `allow` is missing")?;
            list.iter().map(|name| name.as_str().map(str::to_owned).context("a licence is no text")).collect()
        };
        let licences = table.get("licenses").context("there is no table `licenses`")?;
        let exceptions = licences.get("exceptions").and_then(toml::Value::as_array);
        let exceptions = exceptions.into_iter().flatten().map(|exception| {
            let package = exception.get("crate").and_then(toml::Value::as_str);
            Ok((package.context("an exception names no crate")?.to_owned(), names(exception.get("allow"))?))
        });
        Ok(Policy { licences: names(licences.get("allow"))?, exceptions: exceptions.collect::<Result<_>>()? })
    }

    /// Everything that is wrong with a package of `cargo metadata`.
    fn complaints(&self, package: &Value) -> Vec<String> {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        let (name, version) = (text("name"), text("version"));
        let mut found = Vec::new();
        let own =
            self.exceptions.iter().filter(|(package, _)| package == name).flat_map(|(_, allowed)| allowed);
        let allowed: Vec<&String> = self.licences.iter().chain(own).collect();
        match accepts(text("license"), &|licence| allowed.iter().any(|allowed| *allowed == licence)) {
            Some(true) => {}
            Some(false) => found.push(format!("{name} {version}: the licence {}", text("license"))),
            None => {
                found.push(format!("{name} {version}: `{}`, which is no licence expression", text("license")))
            }
        }
        match package["source"].as_str() {
            Some(REGISTRY) => {}
            Some(source) => found.push(format!("{name} {version}: the source {source}")),
            // What is in the repository says what it needs.
            None => {
                let dependencies = package["dependencies"].as_array().into_iter().flatten();
                let open = dependencies.filter(|needed| needed["req"] == "*" && needed["path"].is_null());
                found.extend(open.map(|needed| format!("{name}: any version of {}", needed["name"])));
            }
        }
        found
    }
}

/// Tells whether the allowed licences satisfy an SPDX expression; `None` if it is none. Old packages write `/` for `OR`.
fn accepts(expression: &str, is_allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut words = words.as_slice();
    let outcome = either(&mut words, is_allowed)?;
    words.is_empty().then_some(outcome)
}

fn either(words: &mut &[&str], is_allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut outcome = both(words, is_allowed)?;
    while let Some(rest) = words.strip_prefix(&["OR"]) {
        *words = rest;
        outcome |= both(words, is_allowed)?;
    }
    Some(outcome)
}

fn both(words: &mut &[&str], is_allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut outcome = one(words, is_allowed)?;
    while let Some(rest) = words.strip_prefix(&["AND"]) {
        *words = rest;
        outcome &= one(words, is_allowed)?;
    }
    Some(outcome)
}

fn one(words: &mut &[&str], is_allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let (first, rest) = words.split_first()?;
    *words = rest;
    match (*first, rest) {
        ("(", _) => {
            let outcome = either(words, is_allowed)?;
            *words = words.strip_prefix(&[")"])?;
            Some(outcome)
        }
        (")" | "AND" | "OR" | "WITH", _) => None,
        (licence, ["WITH", exception, behind @ ..]) => {
            *words = behind;
            Some(is_allowed(&format!("{licence} WITH {exception}")))
        }
        (licence, _) => Some(is_allowed(licence)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn expressions_are_understood() {
        let allowed =
            |expression: &str| accepts(expression, &|licence| ["MIT", "A WITH E"].contains(&licence));
        for right in
            ["MIT", "MIT OR GPL-3.0", "GPL-3.0/MIT", "A WITH E AND MIT", "(MIT OR B) AND (B OR A WITH E)"]
        {
            assert_eq!(allowed(right), Some(true), "{right}");
        }
        for wrong in ["GPL-3.0", "MIT AND GPL-3.0", "A", "MIT WITH E", "GPL-3.0 OR B AND MIT"] {
            assert_eq!(allowed(wrong), Some(false), "{wrong}");
        }
        for broken in ["", "MIT AND", "(MIT", "MIT)", "MIT GPL-3.0", "OR MIT"] {
            assert_eq!(allowed(broken), None, "{broken}");
        }
    }

    #[test]
    fn packages_that_are_not_allowed_are_named() -> Result<()> {
        let text = "[licenses]\nallow = ['MIT']\nexceptions = [{ crate = 'tool', allow = ['MPL-2.0'] }]";
        let policy = Policy::read(text)?;
        let package = |name, license, source| json!({ "name": name, "version": "1.0.0", "license": license, "source": source });
        assert!(policy.complaints(&package("a", "MIT", Some(REGISTRY))).is_empty());
        assert!(policy.complaints(&package("tool", "MPL-2.0", Some(REGISTRY))).is_empty());
        assert_eq!(policy.complaints(&package("a", "MPL-2.0", Some(REGISTRY))).len(), 1);
        assert_eq!(policy.complaints(&package("a", "MIT", Some("git+https://elsewhere"))).len(), 1);
        let mut own = package("a", "MIT", None);
        let needed = json!([{ "name": "b", "req": "*" }, { "name": "c", "req": "*", "path": "c" }, { "name": "d", "req": "^1" }]);
        own.as_object_mut().context("an object")?.insert("dependencies".to_owned(), needed);
        assert_eq!(policy.complaints(&own).len(), 1);
        assert!(Policy::read("[licenses]").is_err());
        Ok(())
    }
}
