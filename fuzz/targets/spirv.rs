//! [`tiletc_fuzz::spirv`] under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

tiletc_fuzz::program!(tiletc_fuzz::spirv::TARGET);
