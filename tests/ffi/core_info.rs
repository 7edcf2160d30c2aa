//! Device descriptions.

use super::*;
use std::ptr::{dangling_mut, null};

fn register_space(info: tiletc_core_info_t) -> i32 {
    let mut space = -1;
    ok(unsafe { tiletc_core_info_get_register_space(info, &raw mut space) });
    space
}

fn subgroup_sizes(info: tiletc_core_info_t) -> Vec<i32> {
    let (mut size, mut list) = (0, null());
    ok(unsafe { tiletc_core_info_get_subgroup_sizes(info, &raw mut size, &raw mut list) });
    unsafe { std::slice::from_raw_parts(list, size) }.to_vec()
}

fn features(info: tiletc_core_info_t) -> Vec<i32> {
    let have = |feature: &i32| {
        let mut available = 7;
        ok(unsafe { tiletc_core_info_have_spirv_feature(info, *feature, &raw mut available) });
        assert!(available <= 1);
        available == 1
    };
    (0..19).filter(have).collect()
}

fn is_same_family(info: tiletc_core_info_t, other: tiletc_core_info_t) -> bool {
    let mut is_same = 7;
    ok(unsafe { tiletc_core_info_is_same_family(info, other, &raw mut is_same) });
    assert!(is_same <= 1);
    is_same == 1
}

fn release(info: tiletc_core_info_t) {
    ok(unsafe { tiletc_core_info_release(info) });
}

#[test]
fn families_are_those_of_one_design() {
    let [pvc, bmg, lnl] = ["pvc", "bmg", "lnl"].map(device);
    assert!(is_same_family(pvc, pvc) && is_same_family(bmg, lnl) && !is_same_family(pvc, bmg));
    let (mut generic, size) = (null_mut(), 16);
    ok(unsafe { tiletc_core_info_generic_create(&raw mut generic, 2048, 512, 1, &raw const size) });
    assert!(!is_same_family(generic, generic) && !is_same_family(pvc, generic));
    let mut is_same = 7;
    unsafe {
        refused(tiletc_core_info_is_same_family(null(), pvc, &raw mut is_same));
        refused(tiletc_core_info_is_same_family(pvc, null(), &raw mut is_same));
        refused(tiletc_core_info_is_same_family(pvc, pvc, null_mut()));
    }
    for info in [pvc, bmg, lnl, generic] {
        release(info);
    }
}

#[test]
fn a_generic_device_is_what_it_was_told() {
    let mut info = null_mut();
    let sizes = [32, 8, 16];
    let create = |info, size, list| unsafe { tiletc_core_info_generic_create(info, 2048, 512, size, list) };
    ok(create(&raw mut info, 3, sizes.as_ptr()));
    assert_eq!(subgroup_sizes(info), sizes);
    assert_eq!(register_space(info), 2048);
    assert_eq!(features(info), [0; 0]);
    ok(unsafe { tiletc_core_info_set_core_features(info, 1) });
    let mut flags = 9;
    ok(unsafe { tiletc_core_info_get_core_features(info, &raw mut flags) });
    assert_eq!(flags, 0);
    release(info);

    ok(create(&raw mut info, 0, null()));
    assert_eq!(subgroup_sizes(info), [0; 0]);
    release(info);

    let mut untouched = dangling_mut();
    refused(create(&raw mut untouched, 1, null()));
    expect(create(&raw mut untouched, usize::MAX, sizes.as_ptr()), Status::OutOfRange);
    assert_eq!(untouched, dangling_mut());
    refused(create(null_mut(), 3, sizes.as_ptr()));
}

#[test]
fn known_devices_have_their_numbers() {
    for (name, ip_version, sizes, small, large, off) in [
        ("tgl", 0x0300_0000, vec![8, 16, 32], 4096, 4096, vec![1, 5, 6, 9, 10, 15, 16, 17]),
        ("pvc", 0x030f_0000, vec![16, 32], 8192, 16384, vec![5, 6]),
        ("bmg", 0x0500_4000, vec![16, 32], 8192, 16384, vec![5, 6]),
    ] {
        let mut by_number = null_mut();
        ok(unsafe { tiletc_core_info_intel_create_from_arch(&raw mut by_number, ip_version) });
        for info in [by_number, device(name)] {
            assert_eq!(subgroup_sizes(info), sizes);
            assert_eq!(register_space(info), small);
            let on: Vec<i32> = (0..19).filter(|feature| !off.contains(feature)).collect();
            assert_eq!(features(info), on, "{name}");
            ok(unsafe { tiletc_core_info_set_core_features(info, 1) });
            assert_eq!(register_space(info), large);
            let mut flags = 0;
            ok(unsafe { tiletc_core_info_get_core_features(info, &raw mut flags) });
            assert_eq!(flags, 1);
            release(info);
        }
    }
}

#[test]
fn an_unknown_device_becomes_null() {
    for name in ["", "PVC", "pvc ", "nonsense", "\u{fc}"] {
        let mut info = dangling_mut();
        let name = c(name);
        refused(unsafe { tiletc_core_info_intel_create_from_name(&raw mut info, name.as_ptr()) });
        assert!(info.is_null());
    }
    for number in [0, -1, 0x030f_0001, i32::MIN] {
        let mut info = dangling_mut();
        refused(unsafe { tiletc_core_info_intel_create_from_arch(&raw mut info, number) });
        assert!(info.is_null());
    }
    let mut info = null_mut();
    let name = c("pvc");
    refused(unsafe { tiletc_core_info_intel_create_from_name(&raw mut info, null()) });
    refused(unsafe { tiletc_core_info_intel_create_from_name(null_mut(), name.as_ptr()) });
    refused(unsafe { tiletc_core_info_intel_create_from_arch(null_mut(), 0x030f_0000) });
}

#[test]
fn an_intel_device_is_what_its_driver_says() {
    let mut info = null_mut();
    let sizes = [32, 16];
    let create =
        |info, size, list| unsafe { tiletc_core_info_intel_create(info, 0x030f_0007, 8, 8, size, list) };
    ok(create(&raw mut info, 2, sizes.as_ptr()));
    assert_eq!(subgroup_sizes(info), [16, 32]);
    assert_eq!(register_space(info), 8192);
    assert_eq!(features(info), [17]);
    release(info);
    refused(create(&raw mut info, 2, null()));
    refused(create(null_mut(), 2, sizes.as_ptr()));
}

#[test]
fn features_and_alignment_can_be_set() {
    let info = device("tgl");
    for feature in 0..19 {
        for (value, expected) in [(0, false), (200, true), (0, false), (1, true)] {
            ok(unsafe { tiletc_core_info_set_spirv_feature(info, feature, value) });
            assert_eq!(features(info).contains(&feature), expected);
        }
    }
    let mut available = 0;
    // The ones that are no enumerators.
    for feature in 8192..8199 {
        for value in [1, 0] {
            ok(unsafe { tiletc_core_info_set_spirv_feature(info, feature, value) });
            ok(unsafe { tiletc_core_info_have_spirv_feature(info, feature, &raw mut available) });
            assert_eq!(available, value);
        }
    }
    for feature in [-1, 19, 8191, 8199] {
        refused(unsafe { tiletc_core_info_set_spirv_feature(info, feature, 1) });
        refused(unsafe { tiletc_core_info_have_spirv_feature(info, feature, &raw mut available) });
    }
    let mut alignment = 0;
    ok(unsafe { tiletc_core_info_get_default_alignment(info, &raw mut alignment) });
    assert_eq!(alignment, 128);
    ok(unsafe { tiletc_core_info_set_default_alignment(info, 64) });
    ok(unsafe { tiletc_core_info_get_default_alignment(info, &raw mut alignment) });
    assert_eq!(alignment, 64);
    for wrong in [0, -1, 3, i32::MIN, i32::MAX] {
        refused(unsafe { tiletc_core_info_set_default_alignment(info, wrong) });
    }
    ok(unsafe { tiletc_core_info_get_default_alignment(info, &raw mut alignment) });
    assert_eq!(alignment, 64);
    release(info);
}

#[test]
fn null_is_refused() {
    let info = device("pvc");
    let (mut size, mut list, mut number, mut flags, mut available) = (0, null(), 0, 0, 0);
    unsafe {
        refused(tiletc_core_info_retain(null_mut()));
        refused(tiletc_core_info_release(null_mut()));
        refused(tiletc_core_info_get_subgroup_sizes(null(), &raw mut size, &raw mut list));
        refused(tiletc_core_info_get_subgroup_sizes(info, null_mut(), &raw mut list));
        refused(tiletc_core_info_get_subgroup_sizes(info, &raw mut size, null_mut()));
        refused(tiletc_core_info_get_register_space(null(), &raw mut number));
        refused(tiletc_core_info_get_register_space(info, null_mut()));
        refused(tiletc_core_info_set_core_features(null_mut(), 0));
        refused(tiletc_core_info_get_core_features(null(), &raw mut flags));
        refused(tiletc_core_info_get_core_features(info, null_mut()));
        refused(tiletc_core_info_set_spirv_feature(null_mut(), 0, 1));
        refused(tiletc_core_info_have_spirv_feature(null(), 0, &raw mut available));
        refused(tiletc_core_info_have_spirv_feature(info, 0, null_mut()));
        refused(tiletc_core_info_get_default_alignment(null(), &raw mut number));
        refused(tiletc_core_info_get_default_alignment(info, null_mut()));
        refused(tiletc_core_info_set_default_alignment(null_mut(), 64));
        ok(tiletc_core_info_retain(info));
        ok(tiletc_core_info_release(info));
    }
    release(info);
}
