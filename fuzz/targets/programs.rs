//! [`tiletc_fuzz::programs`] under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

tiletc_fuzz::program!(tiletc_fuzz::programs::TARGET);
