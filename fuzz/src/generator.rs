//! Code that the targets share with other tests: the generator of random programs with its reference, and the forms of
//! programs in the filetests.
#![allow(
    dead_code,
    unused_imports,
    unsafe_code,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "files of other test crates"
)]

#[path = "../../tests/random/anything.rs"]
pub mod anything;
#[path = "../../tests/random/batches.rs"]
pub mod batches;
#[path = "../../tests/random/choices.rs"]
pub mod choices;
#[path = "../../tests/random/content.rs"]
pub mod content;
#[path = "../../tests/random/control.rs"]
pub mod control;
#[path = "../../tests/conformance/device.rs"]
pub mod device;
#[path = "../../tests/random/generate.rs"]
pub mod generate;
#[path = "../../tests/random/linalg.rs"]
pub mod linalg;
#[path = "../../tests/random/matrices.rs"]
pub mod matrices;
#[path = "../../tests/conformance/narrow.rs"]
pub mod narrow;
#[path = "../../tests/random/parameters.rs"]
pub mod parameters;
#[path = "../../tests/filetests/printed.rs"]
pub mod printed;
#[path = "../../tests/random/properties.rs"]
pub mod properties;
#[path = "../../tests/random/reference/mod.rs"]
pub mod reference;
#[path = "../../tests/random/run.rs"]
pub mod run;
#[path = "../../tests/random/scalars.rs"]
pub mod scalars;
#[path = "../../tests/random/scope.rs"]
pub mod scope;
#[path = "../../tests/filetests/session.rs"]
pub mod session;
#[path = "../../tests/random/tiles.rs"]
pub mod tiles;
#[path = "../../tests/random/views.rs"]
pub mod views;
