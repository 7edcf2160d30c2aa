//! Level Zero: describe devices and build binaries into modules.
