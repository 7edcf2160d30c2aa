//! `cargo xtask package`: the Debian package and the archive that CPack makes, and a trial of both on a fresh Debian.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use tiletc_isa::fetch::Mirror;

use crate::machines::root;
use crate::paths::Paths;
use crate::process::{self, quoted};
use crate::toolchain::CMakeAndNinja;

/// Packages to make.
#[derive(clap::Args)]
pub struct Options {
    /// Install the packages in a fresh root file system of Debian, and use them there; only root can
    #[arg(long = "try")]
    is_tried: bool,
}

/// A program as on the page about installing.
const PROGRAM: &str = "tests/cpp/package/native/main.cpp";

/// A kernel whose result is known.
const KERNEL: &str = "cpp-examples/matrix_chain/fused_kernel.ir";

/// Use of an installation below `$prefix`, of which nothing else is known.
const TRIAL: &str = "\
    $prefix/bin/tiletc --version\n\
    $prefix/bin/tiletc info fused_kernel.ir\n\
    $prefix/bin/tiletc-virtual-gpu | grep -q '^Usage: tiletc-virtual-gpu PROGRAM'\n\
    $prefix/bin/tiletc-virtual-gpu $prefix/bin/tiletc run fused_kernel.ir -d level_zero --groups 2 --arg K=random \
        --arg P=random:56x9x2 --arg A=random:9x9x2 --arg Q=zeros:56x9x2 | grep '^Q: f32 56x9x2, changed'\n\
    c++ -std=c++17 main.cpp -I$prefix/include -L$prefix/lib -ltiletc -Wl,-rpath,$prefix/lib -o program\n\
    ./program\n\
    if test -e $prefix/lib/libtiletc.a; then\n\
        c++ -std=c++17 main.cpp -I$prefix/include $prefix/lib/libtiletc.a -o static-program\n\
        ./static-program\n\
    fi\n\
    for file in share/man/man1/tiletc.1 share/doc/tiletc/THIRD-PARTY-NOTICES.txt lib/pkgconfig/tiletc.pc \
        share/tiletc/tuning/recipes.json; do\n\
        test -e $prefix/$file || test -e $prefix/$file.gz\n\
    done\n";

/// Makes the packages, says how large they are, and tries them.
pub fn run(paths: &Paths, options: &Options) -> Result<()> {
    let packages = make(paths)?;
    for package in &packages {
        let bytes = fs::metadata(package)?.len();
        println!("{} ({:.1} MB)", package.display(), bytes as f64 / 1e6);
    }
    if options.is_tried { try_out(paths, &packages) } else { Ok(()) }
}

/// Has CMake build everything as its users do, without the runtimes of this machine, and CPack pack it.
fn make(paths: &Paths) -> Result<Vec<PathBuf>> {
    let CMakeAndNinja { cmake, ninja, .. } = CMakeAndNinja::provision(&paths.target)?;
    let folder = paths.target.join("packages");
    // A package of an earlier version must not be taken for one of this.
    let build = root::emptied(folder)?;
    let mut configure = Command::new(&cmake);
    configure.arg("-S").arg(&paths.repository).arg("-B").arg(&build).args(["-G", "Ninja"]);
    configure.arg(format!("-DCMAKE_MAKE_PROGRAM={}", ninja.display()));
    configure.arg(format!("-DTILETC_CARGO_TARGET_DIR={}", paths.target.display()));
    configure.args(["-DCMAKE_INSTALL_PREFIX=/usr", "-DCMAKE_INSTALL_LIBDIR=lib"]);
    // What is built must not depend on what this machine has.
    configure.args(
        ["SYCLRuntime", "OpenCL", "LevelZero"]
            .map(|found| format!("-DCMAKE_DISABLE_FIND_PACKAGE_{found}=ON")),
    );
    process::run_quietly("configuring…", &mut configure)?;
    process::run_quietly(
        "building and packing (some minutes)…",
        Command::new(&cmake).arg("--build").arg(&build).args(["--target", "all", "package"]),
    )?;
    let mut packages = Vec::new();
    for entry in fs::read_dir(&build)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "deb" || extension == "gz") {
            packages.push(path);
        }
    }
    packages.sort();
    ensure!(packages.len() == 6, "packed {packages:?} in the place of three packages and three archives");
    Ok(packages)
}

/// Installs the packages in a root file system that is gone afterwards, and uses the package and the archive.
fn try_out(paths: &Paths, packages: &[PathBuf]) -> Result<()> {
    let mirror = Mirror::find()?;
    let folder = paths.target.join("machines");
    let scratch = root::emptied(folder.join("package.work"))?;
    let script = scratch.join("try.sh");
    let tried = format!(
        "set -e\ncd /try\napt-get install --yes --no-install-recommends ./tiletc*.deb\n\
         prefix=/usr\n{TRIAL}\
         mkdir /opt/tiletc\ntar -C /opt/tiletc --strip-components 1 -xf tiletc-[0-9]*.tar.gz\n\
         apt-get remove --yes tiletc\nprefix=/opt/tiletc\n{TRIAL}echo tried\n"
    );
    fs::write(&script, tried)?;
    let files = packages.iter().cloned().chain([
        script,
        paths.repository.join(PROGRAM),
        paths.repository.join(KERNEL),
    ]);
    let files: Vec<String> = files.map(quoted).collect();
    let mut make = root::maker(&folder, &mirror)?;
    make.args(["--mode=root", "--variant=minbase", "--format=null", "--dpkgopt=force-unsafe-io"]);
    make.args(["--include=g++", "--customize-hook=mkdir \"$1/try\""]);
    make.arg(format!("--customize-hook=copy-in {} /try", files.join(" ")));
    make.arg("--customize-hook=chroot \"$1\" sh /try/try.sh >&2");
    make.arg(&mirror.release).arg("/dev/null").arg(mirror.source(&mirror.release));
    make.env("LC_ALL", "C");
    let output = make.output().context("cannot run mmdebstrap")?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let log = scratch.join("log");
    fs::write(&log, &said)?;
    process::check(&make, output.status)
        .with_context(|| format!("see {}:\n{}", log.display(), last(&said)))?;
    ensure!(said.contains("\ntried\n"), "the trial ended early; see {}", log.display());
    println!("both work on a fresh Debian ({}); see {}", mirror.release, log.display());
    Ok(())
}

fn last(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines.get(lines.len().saturating_sub(20)..).unwrap_or_default().join("\n")
}
