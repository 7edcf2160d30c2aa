//! The extensions of Level Zero that the driver has.

/// Their names and versions.
pub(crate) const ALL: &[(&str, u32)] = &[
    ("ZE_extension_float_atomics", 0x1_0000),
    ("ZE_extension_device_ip_version", 0x1_0000),
    ("ZE_extension_linkage_inspection", 0x1_0000),
    ("ZE_extension_memory_free_policies", 0x1_0000),
    ("ZE_extension_eu_count", 0x1_0000),
    ("ZE_extension_pci_properties", 0x1_0000),
    ("ZE_extension_subgroups", 0x1_0000),
    ("ZE_extension_kernel_max_group_size_properties", 0x1_0000),
    ("ZE_experimental_event_query_timestamps", 0x1_0000),
    ("ZE_experimental_global_offset", 0x1_0000),
    ("ZE_experimental_module_program", 0x1_0000),
    ("ZE_experimental_event_pool_counter_based", 0x1_0000),
    ("ZE_experimental_immediate_command_list_append", 0x1_0000),
    ("ZE_experimental_mutable_command_list", 0x1_0001),
];

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn names_fit_the_structure_and_are_there_once() {
        for (index, (name, _)) in ALL.iter().enumerate() {
            assert!(name.len() < 256);
            assert!(ALL.iter().skip(index + 1).all(|(other, _)| other != name), "{name} is there twice");
        }
    }
}
