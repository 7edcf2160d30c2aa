//! Binds the library's own uses of its functions to these: a loader that is loaded before it exports functions of
//! the same names, and what the driver's tables hold would otherwise be the loader's.
#![allow(clippy::print_stdout, reason = "this is how build scripts speak")]

fn main() {
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    println!("cargo::rerun-if-changed=build.rs");
}
