//! [`tiletc_fuzz::compilation`] under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

tiletc_fuzz::program!(tiletc_fuzz::compilation::TARGET);
