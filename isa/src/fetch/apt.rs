//! Debian's packages by the machine's own apt: fetched from the mirror that it is configured for and unpacked into a
//! folder, never installed.

use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::command::output;
use super::folder::download;
use super::progress::spinner;
use crate::error::Error;

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
    /// Asks apt.
    ///
    /// # Errors
    /// [`Error::NoMirror`] with the reason.
    pub fn find() -> Result<Mirror, Error> {
        let reason = |reason: String| Error::NoMirror(reason);
        let text = fs::read_to_string("/etc/os-release")
            .map_err(|error| reason(format!("cannot tell which system this is: {error}")))?;
        let system = os_release(&text);
        let release = match (system.get("ID").map(String::as_str), system.get("VERSION_CODENAME")) {
            (Some("debian"), Some(release)) => release.clone(),
            _ => return Err(reason("this machine is not a Debian".to_owned())),
        };
        let mut apt = Command::new("apt-get");
        apt.args(["--print-uris", "update"]).stdin(Stdio::null());
        let output = apt.output().map_err(|error| match error.kind() {
            ErrorKind::NotFound => reason("this machine has no apt-get".to_owned()),
            _ => reason(format!("cannot run apt-get: {error}")),
        })?;
        let uri = mirror_of(&String::from_utf8_lossy(&output.stdout), &release);
        let uri =
            uri.ok_or_else(|| reason(format!("apt is configured for no mirror of Debian's {release}")))?;
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
    ///
    /// # Errors
    /// [`Error::Command`], [`Error::CannotRun`] and [`Error::File`].
    pub fn unpack(
        &self,
        suite: &str,
        packages: &[&str],
        scratch: &Path,
        root: &Path,
    ) -> Result<Vec<String>, Error> {
        let apt = Apt::new(scratch, &self.source(suite))?;
        apt.update(suite)?;
        let mut install = apt.command();
        install.args(["--print-uris", "--yes", "install"]).args(packages);
        let names = packages.join(", ");
        let uris = output(&format!("get {names} of {suite}"), &mut install)?.stdout;
        let bytes = download_size(&String::from_utf8_lossy(&uris));
        let mut fetch = apt.command();
        fetch.args(["--download-only", "--yes", "install"]).args(packages);
        fetch.stdin(Stdio::null()).stdout(Stdio::null());
        download(&mut fetch, &names, bytes, &apt.archives())?;
        unpack_all(&apt.archives(), root)
    }

    /// The same with one package of this machine's release and nothing that it depends on.
    ///
    /// # Errors
    /// The same.
    pub fn unpack_alone(&self, package: &str, scratch: &Path, root: &Path) -> Result<Vec<String>, Error> {
        let apt = Apt::new(scratch, &self.source(&self.release))?;
        apt.update(&self.release)?;
        let mut fetch = apt.command();
        fetch.args(["download", package]).current_dir(apt.archives());
        let fetching = spinner(&format!("fetching {package}…"));
        output(&format!("fetch {package}"), &mut fetch)?;
        fetching.finish_and_clear();
        unpack_all(&apt.archives(), root)
    }
}

/// Unpacks all packages of a folder, and returns their names and versions.
fn unpack_all(archives: &Path, root: &Path) -> Result<Vec<String>, Error> {
    let mut versions = Vec::new();
    let unpacking = spinner("unpacking packages…");
    for entry in fs::read_dir(archives).map_err(Error::file("read", archives))? {
        let path = entry.map_err(Error::file("read", archives))?.path();
        if path.extension().is_some_and(|extension| extension == "deb") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            output(&format!("unpack {name}"), Command::new("dpkg").arg("-x").arg(&path).arg(root))?;
            versions.push(name);
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
    fn new(folder: &Path, source: &str) -> Result<Self, Error> {
        for name in ["lists/partial", "cache/archives/partial"] {
            let path = folder.join(name);
            fs::create_dir_all(&path).map_err(Error::file("make", &path))?;
        }
        for (name, text) in [("status", String::new()), ("sources.list", format!("{source}\n"))] {
            let path = folder.join(name);
            fs::write(&path, text).map_err(Error::file("write", &path))?;
        }
        Ok(Apt { folder: folder.to_path_buf() })
    }

    /// Reads the list of the packages of a suite.
    fn update(&self, suite: &str) -> Result<(), Error> {
        let asking = spinner(&format!("asking for the packages of {suite}…"));
        let goal = format!("reach the suite {suite} of this machine's mirror");
        output(&goal, self.command().arg("update"))?;
        asking.finish_and_clear();
        Ok(())
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
