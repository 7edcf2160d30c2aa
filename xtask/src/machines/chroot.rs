//! A machine of its own: a root file system that cannot be written to, in it the checkout, which cannot either, Rust, and
//! the target folder. All mounts are made in a name space that ends with the command.

use std::env;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::paths::Paths;
use crate::process::{self, quoted};

/// Variables that tell pip and cargo how to reach their registries.
const PASSED_ON: [&str; 7] =
    ["PIP_CERT", "PIP_INDEX_URL", "SSL_CERT_FILE", "SSL_CERT_DIR", "http_proxy", "https_proxy", "no_proxy"];

/// A machine that commands run on.
pub struct Machine<'a> {
    pub paths: &'a Paths,
    /// The root file system.
    pub root: PathBuf,
    /// Takes the place of the folder in which the C++ programs are built.
    pub programs: PathBuf,
    /// Takes the place of `/tmp`.
    pub scratch: PathBuf,
    /// Folders to look for programs in before all others.
    pub path: Vec<PathBuf>,
}

impl Machine<'_> {
    /// Runs a shell script there, whose output goes to a file. Returns whether it succeeded.
    pub fn run(&self, script: &str, log: &Path) -> Result<bool> {
        let output = File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
        let mut command = Command::new("unshare");
        command.args(["--mount", "--propagation", "private", "--pid", "--fork", "--kill-child"]);
        command.args(["sh", "-e", "-c"]).arg(self.commands(script)?);
        command.stdin(Stdio::null()).stderr(output.try_clone()?).stdout(output);
        let status = command.status().context("cannot run unshare of util-linux")?;
        Ok(status.success())
    }

    /// The commands that mount everything and then run the script in the new root.
    fn commands(&self, script: &str) -> Result<String> {
        let mut commands = Mounts { root: &self.root, text: String::new() };
        commands.line(format!("mount --bind {0} {0}", quoted(&self.root)));
        commands.line(format!("mount -t proc proc {}", quoted(self.root.join("proc"))));
        // The OpenCL CPU runtime asks /sys for the processors, and complains if there is none.
        for folder in ["dev", "sys"] {
            commands.line(format!("mount --rbind /{folder} {}", quoted(self.root.join(folder))));
        }
        commands.bind(&self.scratch, Path::new("/tmp"), true);
        for file in ["/etc/resolv.conf", "/etc/ssl/certs", "/usr/share/ca-certificates"] {
            if Path::new(file).exists() {
                commands.bind(Path::new(file), Path::new(file), false);
            }
        }
        let rust = sysroot(self.paths)?;
        let cargo = cargo_home().context("there is neither CARGO_HOME nor HOME")?;
        for folder in [&rust, &cargo, &self.paths.repository] {
            commands.bind(folder, folder, false);
        }
        // A `cargo` of rustup's would fetch another Rust, for which all would be built again.
        if cargo.join("bin").exists() {
            let place = self.root.join(cargo.strip_prefix("/").unwrap_or(&cargo)).join("bin");
            commands.line(format!("mount -t tmpfs none {}", quoted(place)));
        }
        // A worktree has its history elsewhere; what is missing of it would be taken for changed, and tiletc compiled
        // again.
        if let Some(history) = history(self.paths)
            && !history.starts_with(&self.paths.repository)
        {
            commands.bind(&history, &history, false);
        }
        commands.bind(&self.paths.target, &self.paths.target, true);
        commands.bind(&self.programs, &self.paths.target.join("cpp"), true);
        commands.line(format!("mount -o remount,ro,bind {}", quoted(&self.root)));

        let mut path = self.path.clone();
        path.push(rust.join("bin"));
        path.extend(["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"].map(PathBuf::from));
        let path = env::join_paths(path).context("a folder's name has a colon")?;
        let mut variables = vec![
            ("PATH", path),
            ("HOME", "/tmp".into()),
            ("LANG", "C.UTF-8".into()),
            ("CARGO_HOME", cargo.into()),
            ("CARGO_TARGET_DIR", self.paths.target.clone().into()),
            // What Rust has built is shared; nothing is fetched for it.
            ("CARGO_NET_OFFLINE", "true".into()),
        ];
        variables.extend(PASSED_ON.iter().filter_map(|name| Some((*name, env::var_os(name)?))));
        let variables: Vec<String> =
            variables.iter().map(|(name, value)| format!("{name}={}", quoted(value))).collect();
        commands.line(format!(
            "exec chroot {} /usr/bin/env -i {} /bin/sh -e -c {}",
            quoted(&self.root),
            variables.join(" "),
            quoted(format!("cd {}\n{script}", quoted(&self.paths.repository))),
        ));
        Ok(commands.text)
    }
}

/// Commands of a shell.
struct Mounts<'a> {
    root: &'a Path,
    text: String,
}

impl Mounts<'_> {
    fn line(&mut self, line: String) {
        self.text.push_str(&line);
        self.text.push('\n');
    }

    /// Shows a file or folder at a place of the new root.
    fn bind(&mut self, source: &Path, place: &Path, is_writable: bool) {
        let place = self.root.join(place.strip_prefix("/").unwrap_or(place));
        let (source, target) = (quoted(source), quoted(&place));
        self.line(format!(
            "if [ -d {source} ]; then mkdir -p {target}; \
             else mkdir -p {}; [ -e {target} ] || : > {target}; fi",
            quoted(place.parent().unwrap_or(&place)),
        ));
        self.line(format!("mount --bind {source} {target}"));
        if !is_writable {
            self.line(format!("mount -o remount,ro,bind {target}"));
        }
    }
}

/// Folder in which git keeps what the checkout was taken from, if it was.
fn history(paths: &Paths) -> Option<PathBuf> {
    let mut git = Command::new("git");
    git.args(["rev-parse", "--path-format=absolute", "--git-common-dir"]).current_dir(&paths.repository);
    Some(PathBuf::from(process::answer(&mut git)?.trim()))
}

/// Folder in which Rust is installed.
fn sysroot(paths: &Paths) -> Result<PathBuf> {
    let mut rustc = Command::new("rustc");
    let answer = process::answer(rustc.args(["--print", "sysroot"]).current_dir(&paths.repository));
    Ok(PathBuf::from(answer.context("rustc does not say where it is installed")?.trim()))
}

fn cargo_home() -> Option<PathBuf> {
    let named = env::var_os("CARGO_HOME").map(PathBuf::from);
    named.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")))
}
