//! Programs with slips: tokens that are missing, doubled, or those of another program.
#![allow(clippy::indexing_slicing, reason = "indices are drawn below the length")]
use crate::directives::Case;
use crate::printed::is_what_it_says;
use crate::session::Session;
use libtest_mimic::{Failed, Trial};
use std::sync::Arc;

/// How many programs are tried.
const MUTANTS: usize = 3_000;
/// Bytes of the longest program that is tried, so that many are.
const MAX_BYTES: usize = 6_000;

/// Whatever the slip, a program is refused, or its printed form reads back.
pub fn trial(cases: &[Arc<Case>]) -> Trial {
    let programs: Vec<Vec<Vec<u8>>> = cases
        .iter()
        .filter(|case| case.is_accepted() && case.text.len() < MAX_BYTES)
        .map(|case| tokens(&case.text))
        .collect();
    Trial::test("generated/mutations", move || {
        let mut random = Random(1);
        let mut accepted = 0;
        for _ in 0..MUTANTS {
            let text = mutant(&programs, &mut random).concat();
            let Ok(session) = Session::parse("<memory>", &text) else { continue };
            accepted += 1;
            // A program without functions prints as nothing, which is no program.
            if !session.print().is_empty() {
                let source = String::from_utf8_lossy(&text).into_owned();
                is_what_it_says("<memory>", &session)
                    .map_err(|error| Failed::from(format!("{error}\n{source}")))?;
            }
        }
        if accepted < MUTANTS / 50 { Err(format!("only {accepted} were accepted").into()) } else { Ok(()) }
    })
}

/// Words, numbers and single characters; comments are left out.
fn tokens(text: &[u8]) -> Vec<Vec<u8>> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_%@$.".contains(&byte);
    let mut tokens: Vec<Vec<u8>> = Vec::new();
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let code = line.split(|&byte| byte == b';').next().unwrap_or_default();
        for chunk in code.chunk_by(|&a, &b| is_word(a) && is_word(b)) {
            tokens.push(chunk.to_vec());
        }
        tokens.push(b"\n".to_vec());
    }
    tokens
}

fn mutant(programs: &[Vec<Vec<u8>>], random: &mut Random) -> Vec<Vec<u8>> {
    let mut tokens = random.one_of(programs).clone();
    for _ in 0..=random.below(2) {
        let at = random.below(tokens.len());
        let own = random.one_of(&tokens).clone();
        let other = random.one_of(programs);
        let foreign = random.one_of(other).clone();
        match random.below(4) {
            0 if tokens.len() > 1 => drop(tokens.remove(at)),
            1 => tokens.insert(at, own),
            2 => tokens[at] = own,
            _ => tokens[at] = foreign,
        }
    }
    tokens
}

/// Numbers without a pattern, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % end
    }

    fn one_of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let index = self.below(items.len());
        &items[index]
    }
}
