//! Debian's packages by the machine's own apt: fetched from the mirror that it is configured for and unpacked into a
//! folder, never installed.

use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::{process, provision};

/// Folder in which Debian keeps the keys that its suites are signed with.
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// The mirror of Debian that this machine's apt uses.
#[derive(Debug, PartialEq, Eq)]
pub struct Mirror {
    uri: String,
    /// The release of this machine, such as `bookworm`.
    pub release: String,
}

impl Mirror {
    /// Asks apt. An error says why there is none.
    pub fn find() -> Result<Mirror> {
        let text = fs::read_to_string("/etc/os-release").context("cannot tell which system this is")?;
        let system = os_release(&text);
        let release = match (system.get("ID").map(String::as_str), system.get("VERSION_CODENAME")) {
            (Some("debian"), Some(release)) => release.clone(),
            _ => bail!("this machine is not a Debian"),
        };
        let mut apt = Command::new("apt-get");
        apt.args(["--print-uris", "update"]).stdin(Stdio::null());
        let output = match apt.output() {
            Err(error) if error.kind() == ErrorKind::NotFound => bail!("this machine has no apt-get"),
            output => output.context("cannot run apt-get")?,
        };
        let uri = mirror_of(&String::from_utf8_lossy(&output.stdout), &release);
        let uri = uri.with_context(|| format!("apt is configured for no mirror of Debian's {release}"))?;
        Ok(Mirror { uri, release })
    }

    /// A line of apt's list of sources for a suite of this mirror. Without Debian's keyring the keys that apt trusts
    /// anyway count.
    pub fn source(&self, suite: &str) -> String {
        let signed =
            if Path::new(KEYRING).exists() { format!("[signed-by={KEYRING}] ") } else { String::new() };
        format!("deb {signed}{} {suite} main", self.uri)
    }

    /// Fetches packages of a suite and what these depend on, and unpacks all of them into the folder `root`. `scratch` is
    /// an empty folder. Returns the names and versions.
    pub fn unpack(&self, suite: &str, packages: &[&str], scratch: &Path, root: &Path) -> Result<Vec<String>> {
        let apt = Apt::new(scratch, &self.source(suite))?;
        process::run_quietly(&format!("asking for the packages of {suite}…"), apt.command().arg("update"))
            .with_context(|| format!("cannot reach the suite {suite} of this machine's mirror"))?;
        let mut install = apt.command();
        install.args(["--print-uris", "--yes", "install"]).args(packages).stdin(Stdio::null());
        let output = install.output().context("cannot run apt-get")?;
        process::check(&install, output.status).with_context(|| {
            let messages = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
            format!("{suite} cannot give {}: {messages}", packages.join(", "))
        })?;
        let bytes = download_size(&String::from_utf8_lossy(&output.stdout));
        let mut fetch = apt.command();
        fetch.args(["--download-only", "--yes", "install"]).args(packages);
        fetch.stdin(Stdio::null()).stdout(Stdio::null());
        provision::download(&mut fetch, &packages.join(", "), bytes, &apt.archives())?;

        unpack_all(&apt.archives(), root)
    }

    /// The same with one package of this machine's release and nothing that it depends on.
    pub fn unpack_alone(&self, package: &str, scratch: &Path, root: &Path) -> Result<Vec<String>> {
        let apt = Apt::new(scratch, &self.source(&self.release))?;
        let asking = format!("asking for the packages of {}…", self.release);
        process::run_quietly(&asking, apt.command().arg("update"))?;
        let mut fetch = apt.command();
        fetch.args(["download", package]).current_dir(apt.archives());
        process::run_quietly(&format!("fetching {package}…"), &mut fetch)?;
        unpack_all(&apt.archives(), root)
    }
}

/// Unpacks all packages of a folder, and returns their names and versions.
fn unpack_all(archives: &Path, root: &Path) -> Result<Vec<String>> {
    let mut versions = Vec::new();
    let unpacking = process::spinner("unpacking packages…");
    for entry in fs::read_dir(archives)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "deb") {
            process::run(Command::new("dpkg").arg("-x").arg(&path).arg(root))?;
            versions.push(path.file_stem().unwrap_or_default().to_string_lossy().into_owned());
        }
    }
    unpacking.finish_and_clear();
    versions.sort();
    Ok(versions)
}

/// An apt with a state of its own that knows one source, and of no installed package.
struct Apt {
    folder: PathBuf,
}

impl Apt {
    fn new(folder: &Path, source: &str) -> Result<Self> {
        for name in ["lists/partial", "cache/archives/partial"] {
            fs::create_dir_all(folder.join(name))
                .with_context(|| format!("cannot make {}", folder.display()))?;
        }
        fs::write(folder.join("status"), "")?;
        fs::write(folder.join("sources.list"), format!("{source}\n"))?;
        Ok(Apt { folder: folder.to_path_buf() })
    }

    fn archives(&self) -> PathBuf {
        self.folder.join("cache/archives")
    }

    fn command(&self) -> Command {
        let mut command = Command::new("apt-get");
        let mut set = |name: &str, value: &str| {
            command.arg("-o").arg(format!("{name}={value}"));
        };
        let place = |name: &str| self.folder.join(name).to_string_lossy().into_owned();
        set("Dir::Etc::SourceList", &place("sources.list"));
        set("Dir::Etc::SourceParts", "-");
        set("Dir::State", &place(""));
        set("Dir::State::Lists", &place("lists"));
        set("Dir::State::Status", &place("status"));
        set("Dir::Cache", &place("cache"));
        set("Dir::Cache::Archives", &place("cache/archives"));
        // The user that apt downloads as otherwise cannot reach this folder.
        set("APT::Sandbox::User", "root");
        set("APT::Install-Recommends", "false");
        set("Acquire::Languages", "none");
        set("Debug::NoLocking", "true");
        command.arg("-qq");
        command
    }
}

/// The values of `/etc/os-release` by their names.
fn os_release(text: &str) -> HashMap<String, String> {
    let values = text.lines().filter_map(|line| line.split_once('='));
    values.map(|(name, value)| (name.to_owned(), value.trim_matches('"').to_owned())).collect()
}

/// The mirror from which apt updates the main packages of a release, in what `apt-get --print-uris update` says.
fn mirror_of(uris: &str, release: &str) -> Option<String> {
    let packages = format!("/dists/{release}/main/binary-");
    uris.lines().find_map(|line| {
        let uri = line.strip_prefix('\'')?.split('\'').next()?;
        Some(uri.split_once(&packages)?.0.to_owned())
    })
}

/// The sum of the sizes in what `apt-get --print-uris install` says: `'URI' NAME SIZE HASH` in each line.
fn download_size(uris: &str) -> u64 {
    let sizes = uris.lines().filter(|line| line.starts_with('\''));
    sizes.filter_map(|line| line.split_whitespace().nth(2)?.parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::{download_size, mirror_of, os_release};

    #[test]
    fn the_mirror_of_the_release_is_found_among_others() {
        let uris = "'https://tools.example/apt/dists/bookworm/InRelease' tools 0 \n\
                    'https://tools.example/apt/dists/bookworm/stable/binary-amd64/Packages.xz' x 0 \n\
                    'http://mirror.example/debian-security/dists/bookworm-security/main/binary-amd64/Packages.xz' x 0\n\
                    'http://mirror.example/debian/dists/bookworm/main/binary-amd64/Packages.xz' x 0 \n";
        assert_eq!(mirror_of(uris, "bookworm").as_deref(), Some("http://mirror.example/debian"));
        assert_eq!(mirror_of(uris, "trixie"), None);
    }

    #[test]
    fn sizes_are_added_and_other_lines_ignored() {
        let uris = "Reading package lists...\n'http://m/a_1.deb' a_1.deb 1200 MD5Sum:0\n'http://m/b_2.deb' b_2.deb 34 \n";
        assert_eq!(download_size(uris), 1234);
    }

    #[test]
    fn values_of_a_system_may_be_quoted() {
        let system = os_release("ID=debian\nVERSION_CODENAME=\"trixie\"\n");
        assert_eq!(system.get("VERSION_CODENAME").map(String::as_str), Some("trixie"));
        assert_eq!(system.get("ID").map(String::as_str), Some("debian"));
    }
}
