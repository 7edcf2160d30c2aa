//! Peak numbers of devices, as their maker publishes them.

/// Peak numbers of a device, by its maker.
#[derive(Debug)]
pub struct Peak {
    /// The name of the virtual device.
    name: &'static str,
    /// The product whose numbers these are.
    pub product: &'static str,
    /// The part of the name by which a driver calls the product and no other.
    mark: Option<&'static str>,
    /// Number of Xe-cores (dual subslices before Xe-HPG).
    pub cores: u32,
    /// Clock.
    pub gigahertz: f64,
    /// Gigabytes a second to and from memory.
    pub memory: f64,
    /// Floating-point operations of a core in a clock with numbers of 16, 32 and 64 bits, where they are published; a
    /// multiplication that adds is two.
    vector: [(u32, Option<f64>); 3],
    /// Operations of a core's matrix engines in a clock with factors of 16 bits; with fewer bits they are more in
    /// proportion.
    pub matrix: Option<f64>,
    /// Bytes of local memory that a core moves in a clock, where it is published.
    pub local: Option<f64>,
}

/// Peak numbers of products that have the architecture.
///
/// Sources: Intel's product pages (cores, clock, memory bandwidth); Intel's Architecture Day 2021 for Xe-HPC and
/// Xe-HPG (operations and, for Xe-HPC, bytes of L1 and local memory a core and clock); Intel's oneAPI GPU
/// Optimization Guide for Xe-LP (operations, and the 128 bytes of a dual subslice's data port). For Xe2 and Xe3
/// the operations are those that the published totals give (233 INT8 TOPS for B580 at 2.85 GHz, 67 for 140V, 120 for
/// B390); that of f64 on Xe2 is what TechPowerUp's database has for B580 (1:16). Nothing here was measured.
const PEAKS: &[Peak] = &[
    Peak {
        name: "pvc",
        product: "one stack of a Data Center GPU Max 1550",
        mark: Some("Max 1550"),
        cores: 64,
        gigahertz: 1.6,
        memory: 1638.4,
        vector: [(16, Some(512.0)), (32, Some(256.0)), (64, Some(256.0))],
        matrix: Some(4096.0),
        local: Some(512.0),
    },
    Peak {
        name: "bmg",
        product: "Arc B580",
        mark: Some("B580"),
        cores: 20,
        gigahertz: 2.67,
        memory: 456.0,
        vector: [(16, Some(512.0)), (32, Some(256.0)), (64, Some(16.0))],
        matrix: Some(2048.0),
        local: None,
    },
    Peak {
        name: "lnl",
        product: "Arc 140V",
        mark: Some("140V"),
        cores: 8,
        gigahertz: 2.05,
        memory: 136.5,
        vector: [(16, Some(512.0)), (32, Some(256.0)), (64, Some(16.0))],
        matrix: Some(2048.0),
        local: None,
    },
    Peak {
        name: "ptl",
        product: "Arc B390",
        mark: Some("B390"),
        cores: 12,
        gigahertz: 2.5,
        memory: 153.6,
        vector: [(16, Some(512.0)), (32, Some(256.0)), (64, None)],
        matrix: Some(2048.0),
        local: None,
    },
    Peak {
        name: "dg2",
        product: "Arc A770",
        mark: Some("A770"),
        cores: 32,
        gigahertz: 2.1,
        memory: 560.0,
        vector: [(16, Some(512.0)), (32, Some(256.0)), (64, None)],
        matrix: Some(2048.0),
        local: None,
    },
    Peak {
        name: "tgl",
        product: "Iris Xe with 96 execution units",
        mark: None,
        cores: 6,
        gigahertz: 1.35,
        memory: 68.3,
        vector: [(16, Some(512.0)), (32, Some(256.0)), (64, None)],
        matrix: None,
        local: Some(128.0),
    },
];

impl Peak {
    /// The numbers for a virtual device.
    pub fn of(device: &str) -> Option<&'static Peak> {
        PEAKS.iter().find(|peak| peak.name == device)
    }

    /// The numbers for a device of a driver, if it is the product that they are of.
    pub fn of_product(name: &str) -> Option<&'static Peak> {
        PEAKS.iter().find(|peak| peak.mark.is_some_and(|mark| name.contains(mark)))
    }

    /// Operations of a core in a clock with numbers of so many bits, if they are published.
    pub fn vector(&self, bits: u32) -> Option<f64> {
        self.vector.iter().find(|(known, _)| *known == bits).and_then(|(_, rate)| *rate)
    }
}
