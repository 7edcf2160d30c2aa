//! [`tiletc_fuzz::round_trip`] under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

tiletc_fuzz::program!(tiletc_fuzz::round_trip::TARGET);
