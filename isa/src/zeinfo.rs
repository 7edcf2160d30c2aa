//! Facts about the kernels of the final binary, in the text that IGC dumps beside the assembly.

use std::collections::HashMap;

/// Resources of a kernel in the binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Bytes of spilled registers of one thread.
    pub spill: u64,
    /// Registers of one thread.
    pub registers: u64,
    /// Lanes of a subgroup.
    pub lanes: u64,
}

/// The kernels of a text and their resources.
pub fn kernels(text: &str) -> HashMap<String, Resources> {
    let mut kernels = HashMap::new();
    // Entries of other lists have names as well, but no lanes.
    let starts_entry = |line: &str| line.strip_prefix("  - name:").map(|name| name.trim().to_owned());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(name) = starts_entry(line) else { continue };
        let mut found = HashMap::new();
        while let Some(line) = lines.next_if(|line| starts_entry(line).is_none()) {
            if let Some((key, value)) = line.split_once(':')
                && let Ok(number) = value.trim().parse::<u64>()
            {
                found.entry(key.trim()).or_insert(number);
            }
        }
        let number = |key: &str| found.get(key).copied();
        if let Some(lanes) = number("simd_size") {
            let (spill, registers) = (number("spill_size"), number("grf_count"));
            let resources = Resources { spill: spill.unwrap_or(0), registers: registers.unwrap_or(0), lanes };
            kernels.insert(name.trim_matches(['\'', '"']).to_owned(), resources);
        }
    }
    kernels
}

#[cfg(test)]
mod tests {
    use super::{Resources, kernels};

    #[test]
    fn kernels_are_told_from_other_entries() {
        let text = "---\nkernels:\n  - name:            first\n    execution_env:\n      grf_count:       256\n      \
                    simd_size:       16\n      spill_size:      64\n    payload_arguments:\n      - arg_type:  \
                    value\n        size:            8\n  - name:            'second'\n    execution_env:\n      \
                    grf_count:       128\n      simd_size:       32\nfunctions:\n  - name:            helper\n    \
                    execution_env:\n      grf_count:       128\n...\n";
        let kernels = kernels(text);
        assert_eq!(kernels.get("first"), Some(&Resources { spill: 64, registers: 256, lanes: 16 }));
        assert_eq!(kernels.get("second"), Some(&Resources { spill: 0, registers: 128, lanes: 32 }));
        assert_eq!(kernels.len(), 2);
    }
}
