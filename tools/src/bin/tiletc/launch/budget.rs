//! Budget of memory for arguments, so that sizes that cannot be had are refused before anything is allocated.

use super::tensor;
use rustix::process::{Resource, getrlimit};

/// Number of copies of an argument: as it was given, as it lies in memory, on the device, and as it comes back.
const COPIES: u64 = 4;
/// Bytes that an allocation takes besides its content, at most.
const OVERHEAD: u64 = 4096;

/// Memory that is left.
#[derive(Debug)]
pub struct Budget {
    left: u64,
    whole: u64,
}

/// Memory that arguments take.
pub struct Need<'a> {
    /// The sizes that were given.
    pub shape: &'a [u64],
    /// Bytes of a number.
    pub number: u64,
    /// Allocations, one for each member of a group.
    pub allocations: u64,
    /// Bytes of each.
    pub bytes: u64,
}

impl Budget {
    /// Reads what the machine can give, or what the process may take if that is less.
    pub fn new() -> Budget {
        let of_machine = std::fs::read_to_string("/proc/meminfo").ok().as_deref().and_then(available);
        let of_process = getrlimit(Resource::As).current;
        let whole = of_machine.into_iter().chain(of_process).min().unwrap_or(u64::MAX);
        Budget { left: whole, whole }
    }

    /// Takes what an argument needs.
    ///
    /// # Errors
    /// If there is not as much.
    pub fn take(&mut self, need: &Need<'_>) -> Result<(), String> {
        let copies = need.bytes.checked_mul(COPIES).and_then(|bytes| bytes.checked_add(OVERHEAD));
        let all = copies.and_then(|bytes| bytes.checked_mul(need.allocations));
        match all.and_then(|bytes| self.left.checked_sub(bytes)) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                let shape = tensor::shown(need.shape);
                let (number, whole) = (need.number, shown(self.whole));
                let all = all.map_or_else(|| "more than can be counted".to_owned(), shown);
                Err(format!(
                    "{shape} numbers of {number} bytes take {all} of memory, all copies of them together; with the \
                     other arguments that is more than the {whole} that are free; give smaller sizes"
                ))
            }
        }
    }
}

/// Bytes that a program may allocate without swapping, as Linux says.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Bytes in a unit that leaves few digits.
fn shown(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let unit = usize::try_from(bytes.ilog2() / 10).unwrap_or(1);
    // One digit behind the point is all that is shown.
    #[allow(clippy::cast_precision_loss)]
    let number = bytes as f64 / 1024f64.powi(i32::try_from(unit).unwrap_or(1));
    format!("{number:.1} {}", UNITS.get(unit - 1).copied().unwrap_or("EiB"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shown_in_units() {
        for (bytes, text) in [
            (0, "0 bytes"),
            (1023, "1023 bytes"),
            (1024, "1.0 KiB"),
            (1536 << 20, "1.5 GiB"),
            (4_000_000_000_000, "3.6 TiB"),
            (u64::MAX, "16.0 EiB"),
        ] {
            assert_eq!(shown(bytes), text);
        }
    }

    #[test]
    fn available_memory_is_read() {
        assert_eq!(available("MemTotal: 9 kB\nMemAvailable:   123 kB\n"), Some(123 * 1024));
        assert_eq!(available("MemTotal: 9 kB\n"), None);
    }

    #[test]
    fn arguments_share_what_there_is() {
        let mut budget = Budget { left: 1 << 20, whole: 1 << 20 };
        let mut take = |bytes| budget.take(&Need { shape: &[2], number: 4, allocations: 2, bytes });
        assert_eq!(take(100_000), Ok(()));
        assert!(take(100_000).is_err_and(|why| why.contains("789.2 KiB") && why.contains("1.0 MiB")));
        assert_eq!(take(10), Ok(()));
        assert!(take(u64::MAX).is_err_and(|why| why.contains("more than can be counted")));
    }
}
