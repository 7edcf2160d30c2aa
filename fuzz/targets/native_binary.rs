//! [`tiletc_fuzz::native_binary`] under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

tiletc_fuzz::program!(tiletc_fuzz::native_binary::TARGET);
