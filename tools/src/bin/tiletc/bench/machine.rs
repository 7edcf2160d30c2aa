//! Facts about the machine that the system tells.

use std::path::Path;
use std::thread;

/// Bytes of the last-level cache of a device that does not tell.
const UNKNOWN_CACHE: u64 = 256 << 20;

/// Bytes of the last-level cache: that of the host for CPUs, else a guess that no GPU of today exceeds by much.
pub fn cache_bytes(is_cpu: bool) -> u64 {
    let folder = Path::new("/sys/devices/system/cpu/cpu0/cache");
    let of_host = if is_cpu { last_level_cache(folder) } else { None };
    of_host.unwrap_or(UNKNOWN_CACHE)
}

/// The largest cache that Linux lists in a folder.
fn last_level_cache(folder: &Path) -> Option<u64> {
    let entries = std::fs::read_dir(folder).ok()?;
    let sizes = entries.filter_map(|entry| {
        let text = std::fs::read_to_string(entry.ok()?.path().join("size")).ok()?;
        bytes(text.trim())
    });
    sizes.max()
}

/// A size as in 266240K.
fn bytes(text: &str) -> Option<u64> {
    let split = |(unit, shift)| Some((text.strip_suffix(unit)?, shift));
    let (digits, shift) =
        [('K', 10u32), ('M', 20), ('G', 30)].into_iter().find_map(split).unwrap_or((text, 0));
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// The note that the machine has more to do than it has processors, if that is so.
pub fn busy() -> Option<String> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    busy_with(&std::fs::read_to_string("/proc/loadavg").ok()?, cores)
}

fn busy_with(load: &str, cores: usize) -> Option<String> {
    let load: f64 = load.split_whitespace().next()?.parse().ok()?;
    // A number of processors is small.
    #[allow(clippy::cast_precision_loss)]
    let is_busy = load > cores as f64;
    is_busy.then(|| format!("busy machine: load {load:.1} on {cores} processors"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, size) in
            [("48K", Some(49152)), ("2M", Some(2 << 20)), ("7", Some(7)), ("", None), ("K", None)]
        {
            assert_eq!(bytes(text), size, "{text}");
        }
        assert_eq!(bytes("99999999999999999999K"), None);
    }

    #[test]
    fn the_largest_cache_counts() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(last_level_cache(folder.path()), None);
        for (name, size) in [("index0", "48K\n"), ("index3", "33792K\n"), ("index2", "2048K\n")] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
            std::fs::write(folder.path().join(name).join("size"), size).unwrap();
        }
        assert_eq!(last_level_cache(folder.path()), Some(33792 << 10));
        assert_eq!(last_level_cache(&folder.path().join("none")), None);
        assert_eq!(cache_bytes(false), UNKNOWN_CACHE);
    }

    #[test]
    fn load_above_the_processors_is_said() {
        assert_eq!(
            busy_with("2.31 1.00 0.50 3/300 4242", 2).unwrap(),
            "busy machine: load 2.3 on 2 processors"
        );
        assert_eq!(busy_with("1.99 1.00 0.50 3/300 4242", 2), None);
        assert_eq!(busy_with("", 2), None);
    }
}
