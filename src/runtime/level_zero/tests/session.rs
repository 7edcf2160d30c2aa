//! The launcher.

use super::*;
use crate::runtime::level_zero::list::all_devices;

impl Fake {
    fn session(&self) -> Result<Session<'_>, Error> {
        let first = all_devices(&self.driver)?.first().copied();
        Session::on(&self.driver, first.ok_or(Error::NoDevice { wanted: "device" })?)
    }
}

/// All that the launcher does; whether all of it reached the driver.
fn work(fake: &Fake, name: &str) -> Result<bool, Error> {
    let session = fake.session()?;
    session.core_info()?;
    let memory = session.memory(&[1, 2, 3], 256)?;
    let nothing = session.memory(&[], 128)?;
    let mut kernel = session.build(&spirv(), name)?;
    let arguments = [Argument::Value(&7u16.to_ne_bytes()), Argument::Memory(&memory)];
    let launches = fake.get("fake_launches");
    // SAFETY: the fake runs nothing.
    unsafe {
        kernel.run([5, 1, 1], &arguments)?;
        kernel.run([5, 0, 1], &arguments)?;
    }
    let launched = [fake.get("fake_launches") - launches, fake.get("fake_groups")];
    Ok(launched == [1, 5]
        && [fake.argument(0), fake.argument(1)] == [7, memory.address()]
        && memory.address() % 256 == 0
        && (&*memory, &*nothing) == (&[1, 2, 3], &[]))
}

/// A module that passes the check of its form.
fn spirv() -> Binary {
    let words = [0x0723_0203u32, 0x0001_0400, 0, 1, 0];
    binary(&words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<u8>>())
}

#[test]
fn sessions_give_everything_back_whatever_fails() {
    let Some(fake) = Fake::new() else { return };
    assert_eq!(work(&fake, "gemm"), Ok(true));
    assert_eq!(fake.get("fake_live"), 0);
    // Memory of the host, the device, and both.
    assert_eq!(fake.get("fake_indirect_access"), 7);
    // A call that goes wrong, by saying so or by doing nothing.
    let calls = fake.get("fake_calls");
    let error = i32::from_str_radix("70000001", 16).unwrap();
    for code in [error, 0] {
        for call in 1..=calls {
            fake.set("fake_calls", 0);
            fake.set("fake_fault_at", call);
            fake.set("fake_fault_code", code);
            let _ = work(&fake, "gemm");
            assert!(fake.get("fake_live") <= 0, "call {call} with {code:#x}: {}", fake.get("fake_live"));
            fake.set("fake_live", 0);
        }
    }
    fake.set("fake_fault_at", 0);
}
