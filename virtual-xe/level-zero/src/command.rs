//! Commands: what lists hold and queues do.

use crate::copies::{self, Region};
use crate::device::Device;
use crate::event::{Completion, Event, timestamps_of};
use crate::launch::Launch;
use crate::status::Outcome;
use crate::timestamps;
use std::sync::Arc;

/// A command: what it waits for, what it does, and what it signals.
#[derive(Clone)]
pub(crate) struct Command {
    waits: Vec<Wait>,
    signal: Option<(Arc<Event>, Arc<Completion>)>,
    action: Action,
}

/// Completion that is waited for: the one that an event stood for when the command was made.
pub(crate) type Wait = Arc<Completion>;

/// Action of a command. Addresses are the host's.
#[derive(Clone)]
pub(crate) enum Action {
    /// Nothing, but in its turn.
    Barrier,
    Launch(Launch),
    /// Of so many launches at most, as many as the number at an address says.
    LaunchSome {
        count: usize,
        launches: Vec<Launch>,
    },
    Copy {
        to: usize,
        from: usize,
        size: usize,
    },
    CopyRegion {
        to: Region,
        from: Region,
    },
    Fill {
        to: usize,
        size: usize,
        pattern: Vec<u8>,
    },
    Reset(Arc<Event>),
    WriteTimestamp(usize),
    /// The times of events, each to its place.
    WriteTimes(Vec<(Wait, usize)>),
}

/// Reason why the rest of what was handed in is not done.
pub(crate) struct Stop;

impl Command {
    pub fn new(waits: Vec<Wait>, signal: Option<Arc<Event>>, action: Action) -> Command {
        let mut command = Command { waits, signal: None, action };
        command.set_signal(signal);
        command
    }

    pub fn set_signal(&mut self, signal: Option<Arc<Event>>) {
        self.signal = signal.map(|event| {
            let completion = event.next();
            (event, completion)
        });
    }

    pub fn set_waits(&mut self, waits: Vec<Wait>) {
        self.waits = waits;
    }

    /// The launch, if it is one.
    pub fn launch_mut(&mut self) -> Option<&mut Launch> {
        if let Action::Launch(launch) = &mut self.action { Some(launch) } else { None }
    }

    /// An error if it is a launch for which something is missing.
    pub fn check(&self) -> Outcome {
        if let Action::Launch(launch) = &self.action { launch.setup.check() } else { Ok(()) }
    }

    pub fn may_start(&self) -> bool {
        self.waits.iter().all(|wait| wait.is_done())
    }

    /// Makes it ready to be done again.
    pub fn rearm(&self) {
        if let Some((event, completion)) = &self.signal
            && event.counts()
        {
            completion.reset();
        }
    }

    /// Does it.
    pub fn perform(&self, device: &Device) -> Result<(), Stop> {
        let start = timestamps::now();
        self.action.perform(device)?;
        if let Some((_, completion)) = &self.signal {
            completion.complete((start, timestamps::now()));
        }
        Ok(())
    }
}

impl Action {
    fn perform(&self, device: &Device) -> Result<(), Stop> {
        match self {
            Action::Barrier => Ok(()),
            Action::Launch(launch) => launch.perform(device),
            Action::LaunchSome { count, launches } => {
                let count = copies::load_number(*count)?;
                launches.iter().take(count as usize).try_for_each(|launch| launch.perform(device))
            }
            Action::Copy { to, from, size } => copies::copy(*to, *from, *size),
            Action::CopyRegion { to, from } => copies::copy_region(to, from),
            Action::Fill { to, size, pattern } => copies::fill(*to, *size, pattern),
            Action::Reset(event) => {
                event.current().reset();
                Ok(())
            }
            Action::WriteTimestamp(place) => copies::store(*place, &timestamps::now().to_le_bytes()),
            Action::WriteTimes(places) => places.iter().try_for_each(|(wait, place)| {
                let result = timestamps_of(wait.times().unwrap_or_default());
                let numbers = [result.global, result.context].map(|data| [data.kernelStart, data.kernelEnd]);
                let bytes: Vec<u8> =
                    numbers.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect();
                copies::store(*place, &bytes)
            }),
        }
    }
}
