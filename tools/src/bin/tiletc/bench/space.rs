//! The programs and definitions whose cross product is measured.

use crate::common::Failure;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use tiletc::status::Status;

/// A name and its values, `NAME=A,B,C`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep {
    name: String,
    values: Vec<String>,
}

impl FromStr for Sweep {
    type Err = String;

    fn from_str(text: &str) -> Result<Sweep, String> {
        let split = text.split_once('=').filter(|(name, _)| !name.is_empty());
        let (name, values) =
            split.ok_or("a definition is NAME=VALUE, or NAME=A,B,C for one after the other")?;
        let values = split_values(values);
        if values.iter().any(String::is_empty) {
            return Err(format!("a value of {name} is empty, so that there is nothing to measure"));
        }
        Ok(Sweep { name: name.strip_prefix('$').unwrap_or(name).to_owned(), values })
    }
}

/// The parts between commas that are in no brackets.
fn split_values(text: &str) -> Vec<String> {
    let mut depth = 0usize;
    let mut parts = vec![String::new()];
    for letter in text.chars() {
        match letter {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match parts.last_mut() {
            Some(part) if letter != ',' || depth > 0 => part.push(letter),
            _ => parts.push(String::new()),
        }
    }
    parts.into_iter().map(|part| part.trim().to_owned()).collect()
}

/// A program with definitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The program's file.
    pub file: PathBuf,
    /// Names and values.
    pub definitions: Vec<(String, String)>,
}

impl Config {
    /// The program's name, and its definitions behind it.
    pub fn name(&self) -> String {
        let definitions = self.definitions.iter().map(|(name, value)| format!(" {name}={value}"));
        let file = self.file.file_name().unwrap_or_default().to_string_lossy();
        [file.into_owned()].into_iter().chain(definitions).collect()
    }

    /// The definitions that a program of another file knows.
    pub fn known_to(&self, file: &Path) -> Result<Config, Failure> {
        let names = names(file)?;
        let known = self.definitions.iter().filter(|(name, _)| names.contains(name));
        Ok(Config { file: file.to_owned(), definitions: known.cloned().collect() })
    }
}

/// All programs with all definitions, the last name running fastest.
///
/// # Errors
/// If a name is given twice, or a program does not know it.
pub fn configs(files: &[PathBuf], sweeps: &[Sweep]) -> Result<Vec<Config>, Failure> {
    for (place, Sweep { name, .. }) in sweeps.iter().enumerate() {
        if sweeps.iter().take(place).any(|other| other.name == *name) {
            return Err(Failure::usage(format!(
                "{name} is defined twice; give all values at once, as -D {name}=A,B"
            )));
        }
    }
    let mut all = Vec::new();
    for file in files {
        let names = names(file)?;
        if let Some(Sweep { name, .. }) = sweeps.iter().find(|sweep| !names.contains(&sweep.name)) {
            let known: Vec<String> = names.iter().map(|name| format!("${name}")).collect();
            let known = if known.is_empty() { "no such names".to_owned() } else { known.join(", ") };
            return Err(Failure::usage(format!(
                "there is no ${name} in {}, which has {known}",
                file.display()
            )));
        }
        let mut configs = vec![Vec::new()];
        for Sweep { name, values } in sweeps {
            let with_each = |config: &Vec<(String, String)>| -> Vec<Vec<(String, String)>> {
                let with = |value: &String| [config.as_slice(), &[(name.clone(), value.clone())]].concat();
                values.iter().map(with).collect()
            };
            configs = configs.iter().flat_map(with_each).collect();
        }
        let with_file = |definitions| Config { file: file.clone(), definitions };
        all.extend(configs.into_iter().map(with_file));
    }
    Ok(all)
}

/// The names behind `$` in a program, comments apart.
fn names(file: &Path) -> Result<Vec<String>, Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| {
        Failure::Failed(Status::FileIoError, format!("cannot read `{}`: {error}", file.display()))
    })?;
    let mut names: Vec<String> = Vec::new();
    for line in text.lines() {
        let code = line.split(';').next().unwrap_or_default();
        for part in code.split('$').skip(1) {
            let is_name = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '_';
            let name: String = part.chars().take_while(is_name).collect();
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Ok(names)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn sweep(text: &str) -> Sweep {
        text.parse().unwrap()
    }

    #[test]
    fn values_are_split_at_commas_outside_of_brackets() {
        assert_eq!(sweep("BM=32, 64").values, ["32", "64"]);
        assert_eq!(sweep("$L=strided<1,64>,strided<1,?>").values, ["strided<1,64>", "strided<1,?>"]);
        assert_eq!(sweep("$L=1").name, "L");
        for text in ["BM", "=1", "BM=", "BM=1,,2", "BM=1,", "BM= "] {
            assert!(text.parse::<Sweep>().is_err(), "{text}");
        }
    }

    #[test]
    fn configs_are_the_cross_product() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("p.ir");
        std::fs::write(&file, "$BM = 1 ; $COMMENT\nfunc @f(%x: memref<f32x$BM x$BN>) {}\n").unwrap();
        let files = [file.clone()];
        let names = |sweeps: &[Sweep]| -> Vec<String> {
            configs(&files, sweeps).unwrap().iter().map(Config::name).collect()
        };
        assert_eq!(names(&[]), ["p.ir"]);
        let four = ["p.ir BM=2 BN=9", "p.ir BM=2 BN=8", "p.ir BM=1 BN=9", "p.ir BM=1 BN=8"];
        assert_eq!(names(&[sweep("BM=2,1"), sweep("BN=9,8")]), four);
        let message = |sweeps: &[Sweep]| match configs(&files, sweeps) {
            Err(Failure::Usage(_, message)) => message,
            other => format!("{other:?}"),
        };
        assert!(message(&[sweep("BK=1")]).ends_with("p.ir, which has $BM, $BN"));
        assert!(message(&[sweep("COMMENT=1")]).contains("there is no $COMMENT"));
        assert!(message(&[sweep("BM=1"), sweep("BM=2")]).contains("BM is defined twice"));
        let other = folder.path().join("o.ir");
        std::fs::write(&other, "func @f(%x: memref<f32x$BN>) {}\n").unwrap();
        let config = configs(&files, &[sweep("BM=2"), sweep("BN=9")]).unwrap().remove(0);
        assert_eq!(config.known_to(&other).unwrap().name(), "o.ir BN=9");
    }
}
