//! IR to IR, one file a pass, and the pass manager.
#![forbid(unsafe_code)]

mod access_classes;
mod chain;
mod constant_propagation;
mod context;
mod dead_code_elimination;
mod dump_control_flow_graph;
mod dump_def_use;
mod dump_gcd;
mod emit;
mod error;
mod fold;
mod gemm_tiles;
mod gemm_versions;
mod insert_barrier;
mod insert_lifetime_stop;
mod lane_products;
mod legality;
pub mod loops;
mod lower_coopmatrix;
mod lower_foreach;
mod lower_linalg;
mod lowering_rules;
mod manager;
mod parameters;
mod partition;
mod pipeline;
mod prefetch;
mod product_schedule;
mod register_file;
mod rewrite;
mod set_stack_ptr;
mod split_barriers;
mod static_bounds;
mod tile;
mod warnings;
mod widened_loads;
mod work_group_size;

pub use context::{Context, Decision, Instrumentation, Observer, Options, Version};
pub use error::Error;
pub use manager::{Notation, Pass, run};
pub use pipeline::{lower, stages};
pub use warnings::warn;
