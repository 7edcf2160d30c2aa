//! GPUs whose drivers do not say which they are: told by their PCI id, or by their name.

use super::architecture::{Architecture, Family};

/// The ids of devices, as Intel's offline compiler knows them (`ocloc compile -device 0xe20b`).
const PCI_IDS: &[(Architecture, &[u32])] = &[
    (
        Architecture::Dg2,
        &[
            0x4f80, 0x4f81, 0x4f82, 0x4f83, 0x4f84, 0x5690, 0x5691, 0x5692, 0x56a0, 0x56a1, 0x56a2, 0x56af,
            0x56be, 0x56bf, 0x56c0, 0x56c2,
        ],
    ),
    (
        Architecture::AcmG11,
        &[
            0x4f87, 0x4f88, 0x5693, 0x5694, 0x5695, 0x56a5, 0x56a6, 0x56b0, 0x56b1, 0x56ba, 0x56bb, 0x56bc,
            0x56bd, 0x56c1,
        ],
    ),
    (Architecture::AcmG12, &[0x4f85, 0x4f86, 0x5696, 0x5697, 0x56a3, 0x56a4, 0x56b2, 0x56b3]),
    (Architecture::Pvc, &[0x0b69, 0x0b6e, 0x0bd0, 0x0bd5, 0x0bd6, 0x0bd7, 0x0bd8, 0x0bd9, 0x0bda, 0x0bdb]),
    (Architecture::PvcVg, &[0x0bd4]),
    (Architecture::MtlU, &[0x7d40, 0x7d41, 0x7d45, 0x7d67]),
    (Architecture::MtlH, &[0x7d55, 0x7dd5]),
    (Architecture::ArlH, &[0x7d51, 0x7dd1]),
    (Architecture::Bmg, &[0xe202, 0xe209, 0xe20b, 0xe20c, 0xe20d, 0xe210, 0xe211, 0xe212, 0xe215, 0xe216]),
    (Architecture::BmgG31, &[0xe220, 0xe221, 0xe222, 0xe223]),
    (Architecture::Lnl, &[0x6420, 0x64a0, 0x64b0]),
    (
        Architecture::Ptl,
        &[0xb080, 0xb081, 0xb082, 0xb083, 0xb084, 0xb085, 0xb086, 0xb087, 0xb08f, 0xb0a0, 0xb0b0],
    ),
    (Architecture::PtlU, &[0xb090]),
    (Architecture::Wcl, &[0xfd80, 0xfd81]),
    (Architecture::Cri, &[0x674c]),
];

/// Words of names, without marks and in lower case, that tell an architecture; the first row that fits counts. A name
/// that several designs share, as `Arc Graphics`, tells nothing.
const NAMES: &[(Architecture, &[&str])] = &[
    (Architecture::PvcVg, &["max 1550vg"]),
    (Architecture::Pvc, &["data center gpu max", "ponte vecchio"]),
    (Architecture::Dg2, &["data center gpu flex", "alchemist"]),
    (Architecture::BmgG31, &["arc pro b65", "arc pro b70"]),
    (Architecture::Ptl, &["arc b370", "arc b390", "panther lake"]),
    (Architecture::Wcl, &["wildcat lake"]),
    (Architecture::Bmg, &["arc b5", "arc pro b5", "arc pro b6", "battlemage"]),
    (Architecture::Lnl, &["arc 130v", "arc 140v", "lunar lake"]),
    (Architecture::ArlH, &["arc 130t", "arc 140t"]),
    (Architecture::Dg2, &["arc a3", "arc a5", "arc a7", "arc pro a"]),
];

impl Architecture {
    /// The architecture of a PCI device id of Intel's.
    pub fn from_pci_id(id: u32) -> Option<Architecture> {
        let row = PCI_IDS.iter().find(|(_, ids)| ids.contains(&id));
        row.map(|(architecture, _)| *architecture)
    }

    /// The architecture that the name of a device tells, as drivers write it: `Intel(R) Arc(TM) B580 Graphics`, or
    /// with the PCI id, `Intel(R) Graphics [0xe20b]`.
    pub fn from_device_name(name: &str) -> Option<Architecture> {
        let id = name.split_once("[0x").and_then(|(_, rest)| rest.split(']').next());
        let id = id.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        if let Some(architecture) = id.and_then(Architecture::from_pci_id) {
            return Some(architecture);
        }
        let plain = name.to_lowercase().replace("(r)", " ").replace("(tm)", " ");
        let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
        let row = NAMES.iter().find(|(_, words)| words.iter().any(|words| plain.contains(words)));
        row.map(|(architecture, _)| *architecture)
    }
}

impl Family {
    /// The IP version of a GPU of Intel's: what the driver says, and if that is 0 what its PCI id or else its name
    /// tells; 0 if nothing does.
    pub fn recognise(ip_version: u32, pci_id: u32, name: &str) -> u32 {
        if ip_version != 0 {
            return ip_version;
        }
        let architecture = Architecture::from_pci_id(pci_id).or_else(|| Architecture::from_device_name(name));
        architecture.map_or(0, Architecture::ip_version)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_told_apart() {
        let all: Vec<u32> = PCI_IDS.iter().flat_map(|(_, ids)| ids.iter().copied()).collect();
        let mut once = all.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), all.len());
        for (id, expected) in [
            (0x0bd5, Some(Architecture::Pvc)),
            (0x56a0, Some(Architecture::Dg2)),
            (0x7d51, Some(Architecture::ArlH)),
            (0xe20b, Some(Architecture::Bmg)),
            (0xe223, Some(Architecture::BmgG31)),
            (0x64a0, Some(Architecture::Lnl)),
            (0xb080, Some(Architecture::Ptl)),
            (0xfd80, Some(Architecture::Wcl)),
            (0, None),
            (0xe2ff, None),
        ] {
            assert_eq!(Architecture::from_pci_id(id), expected, "{id:#x}");
        }
    }

    /// The ids of the manual's table.
    fn documented(ids: &str) -> Vec<u32> {
        let number = |text: &str| u32::from_str_radix(text, 16).unwrap();
        let ids = ids.split(", ").filter(|part| !part.is_empty());
        ids.flat_map(|part| {
            let (first, last) = part.split_once('–').unwrap_or((part, part));
            number(first)..=number(last)
        })
        .collect()
    }

    #[test]
    fn the_manual_lists_ids_and_names() {
        let manual = include_str!("../../docs/src/compiler/devices.md");
        let table = manual.split("| recognised as | PCI ids | words of names |").nth(1).unwrap();
        let mut names = 0;
        let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
        let mut rows: Vec<(Architecture, Vec<u32>)> = rows
            .map(|row| {
                let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
                let [device, ids, words] = cells.try_into().unwrap();
                let architecture = device.trim_matches('`').parse().unwrap();
                for word in words.split(", ").filter(|word| !word.is_empty()) {
                    let name = format!("Intel(R) {}", word.replace('…', "99"));
                    assert_eq!(Architecture::from_device_name(&name), Some(architecture), "{name}");
                    names += 1;
                }
                (architecture, documented(ids))
            })
            .collect();
        rows.sort_unstable();
        let mut known: Vec<(Architecture, Vec<u32>)> =
            PCI_IDS.iter().map(|(architecture, ids)| (*architecture, ids.to_vec())).collect();
        known.sort_unstable();
        assert_eq!(rows, known);
        assert_eq!(names, NAMES.iter().map(|(_, words)| words.len()).sum::<usize>());
    }

    #[test]
    fn names_tell_what_they_can() {
        for (name, expected) in [
            ("Intel(R) Data Center GPU Max 1550", Some(Architecture::Pvc)),
            ("Intel(R) Data Center GPU Max 1550VG", Some(Architecture::PvcVg)),
            ("Intel(R) Data Center GPU Flex 170", Some(Architecture::Dg2)),
            ("Intel(R) Arc(TM) A770 Graphics", Some(Architecture::Dg2)),
            ("Intel(R) Arc(TM) Pro A40/A50 Graphics", Some(Architecture::Dg2)),
            ("Intel(R) Arc(TM) B580 Graphics", Some(Architecture::Bmg)),
            ("Intel(R) Arc(TM) Pro B60 Graphics", Some(Architecture::Bmg)),
            ("Intel(R) Arc(TM) Pro B70 Graphics", Some(Architecture::BmgG31)),
            ("Intel(R) Arc(TM) 140V GPU (16GB)", Some(Architecture::Lnl)),
            ("Intel(R) Arc(TM) 140T GPU (16GB)", Some(Architecture::ArlH)),
            ("Intel(R) Arc(TM) B390 GPU", Some(Architecture::Ptl)),
            ("Intel(R) Graphics [0xe20b]", Some(Architecture::Bmg)),
            ("Intel(R) Graphics [0xfd81]", Some(Architecture::Wcl)),
            ("Intel(R) Graphics [0xzz]", None),
            ("Intel(R) Arc(TM) Graphics", None),
            ("Intel(R) Graphics", None),
            ("Intel(R) UHD Graphics 770", None),
            ("", None),
        ] {
            assert_eq!(Architecture::from_device_name(name), expected, "{name}");
        }
    }

    #[test]
    fn what_the_driver_says_comes_first() {
        let (pvc, bmg) = (Architecture::Pvc.ip_version(), Architecture::Bmg.ip_version());
        assert_eq!(Family::recognise(pvc | 7, 0xe20b, "Intel(R) Arc(TM) B580 Graphics"), pvc | 7);
        assert_eq!(Family::recognise(0, 0xe20b, "Intel(R) Data Center GPU Max 1100"), bmg);
        assert_eq!(Family::recognise(0, 0, "Intel(R) Data Center GPU Max 1100"), pvc);
        assert_eq!(Family::recognise(0, 0x1234, "fake"), 0);
        // One of a design that is newer than this table is not taken for an older one.
        assert_eq!(Family::recognise(0x0a00_0000, 0, "Intel(R) Arc(TM) B580 Graphics"), 0x0a00_0000);
    }
}
