//! Times the fused chain of matrix products: `cargo run --release --example fused [ELEMENTS]`.
//!
//! Prints the time of each of five runs with all checks and without any.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::time::Instant;
use virtual_xe::{Checks, Device};

#[path = "../benches/chain/mod.rs"]
mod chain;

fn main() {
    let elements = std::env::args().nth(1).map_or(1000, |count| count.parse().unwrap());
    let chain = chain::Chain::new(Device::named("pvc").unwrap(), elements);
    for (name, checks) in [("all checks", Checks::ALL), ("no checks", Checks::NONE)] {
        for _ in 0..5 {
            let start = Instant::now();
            chain.run(checks);
            println!("{elements} elements, {name}: {:.3} s", start.elapsed().as_secs_f64());
        }
    }
}
