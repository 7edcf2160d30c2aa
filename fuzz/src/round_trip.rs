//! Text → parse → print → parse → print.

use crate::printed::is_what_it_says;
use crate::session::Session;
use crate::{Mutator, Target, refusal, tokens};

/// The target.
pub const TARGET: Target = Target {
    name: "round_trip",
    run,
    mutator: Some(Mutator { change: tokens::change, cross: tokens::cross }),
};

fn run(data: &[u8]) {
    match Session::parse("fuzz", data) {
        // Without functions it prints as nothing, which is no program.
        Ok(session) if session.print().is_empty() => {}
        Ok(session) => is_what_it_says("fuzz", &session).unwrap_or_else(|wrong| panic!("{wrong}")),
        Err(refusal) => refusal::check(&refusal),
    }
}
