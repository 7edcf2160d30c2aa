//! [`tiletc_fuzz::npy`] under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

tiletc_fuzz::program!(tiletc_fuzz::npy::TARGET);
