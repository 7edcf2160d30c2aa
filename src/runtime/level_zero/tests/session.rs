//! The launcher.

use std::time::Duration;

use super::*;
use crate::runtime::level_zero::list::all_devices;
use crate::runtime::{Argument, Session as _, Timestamps};

impl Fake {
    fn session(&self) -> Result<Session, Error> {
        let first = all_devices(self.driver)?.first().copied();
        Session::on(self.driver, first.ok_or(Error::NoDevice { wanted: "device" })?)
    }
}

/// All that the launcher does; whether all of it reached the driver, and when the launch ran.
fn work(fake: &Fake, name: &str) -> Result<(bool, Option<Timestamps>), Error> {
    let session = fake.session()?;
    session.core_info()?;
    let memory = session.aligned_memory(&[1u8, 2, 3], 256)?;
    let nothing = session.memory::<u8>(&[])?;
    let mut kernel = Arc::new(session.build(&spirv())?).kernel(name)?;
    let arguments = [7u16.into(), Argument::from(&memory)];
    let launches = fake.get("fake_launches");
    // SAFETY: the fake runs nothing.
    let (time, no_time) = unsafe {
        (session.run(&mut kernel, [5, 1, 1], &arguments)?, session.run(&mut kernel, [5, 0, 1], &arguments)?)
    };
    let launched = [fake.get("fake_launches") - launches, fake.get("fake_groups")];
    let is_right = launched == [1, 5]
        && [fake.argument(0), fake.argument(1)] == [7, memory.address()]
        && memory.address() % 256 == 0
        && (&*memory, &*nothing) == (&[1, 2, 3], &[])
        && no_time.is_none();
    Ok((is_right, time))
}

#[test]
fn sessions_give_everything_back_whatever_fails() {
    let Some(fake) = Fake::new() else { return };
    let (is_right, time) = work(&fake, "gemm").unwrap();
    assert!(is_right);
    // A hundred ticks of 80 nanoseconds, though the clock has started anew meanwhile.
    assert_eq!(time.unwrap().duration(), Duration::from_micros(8));
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
