//! The programs that others are measured against: another file, or the same file as it was in a commit.

use super::space::Config;
use crate::common::Failure;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::str::FromStr;
use tempfile::TempDir;
use tiletc::status::Status;

/// A program that is measured in turn with each of the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Other {
    /// The program of a file.
    File(PathBuf),
    /// The program itself as of a commit of the Git repository that it is in.
    Commit(String),
}

impl FromStr for Other {
    type Err = String;

    fn from_str(text: &str) -> Result<Other, String> {
        match text.strip_prefix("git:") {
            None => Ok(Other::File(text.into())),
            // Git would take it for an option.
            Some(commit) if commit.is_empty() || commit.starts_with('-') => {
                Err("a commit is named as Git does, as in git:HEAD~1 or git:1a2b3c4".to_owned())
            }
            Some(commit) => Ok(Other::Commit(commit.to_owned())),
        }
    }
}

/// The programs that configs are measured against, as long as this lives.
pub struct Others {
    /// One for each config, or none at all.
    pub configs: Vec<Config>,
    /// The files of commits.
    _folder: Option<TempDir>,
}

impl Others {
    /// Finds the program to measure against for each config, with the definitions that it knows.
    ///
    /// # Errors
    /// If there is none.
    pub fn of(configs: &[Config], against: Option<&Other>) -> Result<Others, Failure> {
        let (mut others, mut folder) = (Vec::new(), None);
        match against {
            None => {}
            Some(Other::File(file)) => {
                others = configs.iter().map(|config| config.known_to(file)).collect::<Result<_, _>>()?;
            }
            Some(Other::Commit(commit)) => {
                let folder = folder.insert(TempDir::new().map_err(|error| not_kept(&error))?);
                let mut files: Vec<(&Path, PathBuf)> = Vec::new();
                for config in configs {
                    let known = files.iter().find(|(file, _)| *file == config.file);
                    let older = match known {
                        Some((_, older)) => older.clone(),
                        None => {
                            let place = folder.path().join(files.len().to_string());
                            let older = extract(&config.file, commit, &place)?;
                            files.push((&config.file, older.clone()));
                            older
                        }
                    };
                    others.push(config.known_to(&older)?);
                }
            }
        }
        Ok(Others { configs: others, _folder: folder })
    }
}

fn not_kept(error: &std::io::Error) -> Failure {
    let message = format!("cannot keep the program of a commit in a temporary file: {error}");
    Failure::Failed(Status::FileIoError, message)
}

/// Writes a file as of a commit to a folder, under its name with the commit behind.
fn extract(file: &Path, commit: &str, folder: &Path) -> Result<PathBuf, Failure> {
    let shown = file.display();
    // A file that is a link is what it links to.
    let real = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let (Some(parent), Some(name)) = (real.parent(), real.file_name()) else {
        return Err(Failure::usage(format!("`{shown}` is no file")));
    };
    let git = |arguments: &[&str]| -> Result<Output, Failure> {
        let output = Command::new("git").current_dir(parent).args(arguments).output();
        output.map_err(|error| {
            Failure::usage(format!("cannot run git, which --against git:{commit} needs: {error}"))
        })
    };
    let found = git(&["rev-parse", "--git-dir"])?;
    if !found.status.success() {
        let told = String::from_utf8_lossy(&found.stderr);
        let told = told.lines().next().unwrap_or_default().trim();
        return Err(Failure::usage(format!(
            "`{shown}` is in no repository that could have --against git:{commit}; git says: {told}"
        )));
    }
    let found = git(&["rev-parse", "--verify", "--quiet", &format!("{commit}^{{commit}}")])?;
    if !found.status.success() {
        return Err(Failure::usage(format!("there is no commit `{commit}` in the repository of `{shown}`")));
    }
    let hash = String::from_utf8_lossy(&found.stdout).trim().to_owned();
    let name = name.to_string_lossy();
    let text = git(&["cat-file", "blob", &format!("{hash}:./{name}")])?;
    if !text.status.success() {
        return Err(Failure::usage(format!(
            "there is no `{shown}` in commit `{commit}`; name another commit, or another file to measure against"
        )));
    }
    let write = || -> std::io::Result<PathBuf> {
        std::fs::create_dir_all(folder)?;
        let file = folder.join(format!("{name}@{}", commit.replace('/', "-")));
        std::fs::write(&file, &text.stdout)?;
        Ok(file)
    };
    write().map_err(|error| not_kept(&error))
}
