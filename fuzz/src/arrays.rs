//! Arrays in files as `tiletc run` reads and writes them.
#![allow(dead_code, reason = "the program needs more of them")]

#[path = "../../tools/src/bin/tiletc/launch/layout.rs"]
mod layout;
#[path = "../../tools/src/bin/tiletc/launch/npy.rs"]
pub mod npy;
#[path = "../../tools/src/bin/tiletc/launch/tensor.rs"]
pub mod tensor;
