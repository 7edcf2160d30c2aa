//! [`tiletc_fuzz::cache_entry`] under libFuzzer.
#![cfg_attr(fuzzing, no_main)]

tiletc_fuzz::program!(tiletc_fuzz::cache_entry::TARGET);
