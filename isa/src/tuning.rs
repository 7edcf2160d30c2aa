//! Configs of a kernel estimated by the instructions that Intel's offline compiler makes of them.

use crate::{Error, Ocloc, Options, Subject, measure};
use std::collections::HashMap;
use tiletc::driver::{Built, Candidate, for_each};

/// Estimates configs anew, by the instructions that the offline compiler makes of them for a device by the name that it knows. What it does
/// not compile is out, with the reason. Where it is not known how often loops run, the model's estimates stay if they are all that there
/// is, since the two kinds do not compare. `goes_on` is told before each how many are done, of how many, and says whether there shall be more.
pub fn count<'a>(
    ocloc: &Ocloc,
    device: &str,
    candidates: impl IntoIterator<Item = &'a mut Candidate>,
    goes_on: impl Fn(usize, usize) -> bool + Sync,
) {
    let alive = candidates.into_iter().filter(|candidate| !candidate.is_out());
    let mut alive: Vec<(&mut Candidate, Counted)> = alive.map(|candidate| (candidate, Ok(None))).collect();
    for_each(alive.iter_mut(), goes_on, |(candidate, counted)| {
        *counted = candidate.built.as_ref().map_or(Ok(None), |built| issue(ocloc, device, built));
    });
    let is_known = alive.iter().any(|(_, counted)| matches!(counted, Ok(Some(_))));
    for (candidate, counted) in alive {
        match counted {
            Ok(Some(issue)) => {
                if let Some(built) = &candidate.built {
                    candidate.figure = built.estimate(Some(issue));
                }
            }
            Ok(None) if is_known => candidate.fail("it is not known how often the loops of its binary run"),
            Ok(None) => {}
            Err(error) => candidate.fail(error.to_string()),
        }
    }
}

/// Cycles by instructions, if they are known.
type Counted = Result<Option<f64>, Error>;

/// Cycles in which a vector engine issues a work-group.
fn issue(ocloc: &Ocloc, device: &str, built: &Built) -> Result<Option<f64>, Error> {
    let Built { kernel, features, module, roofline, .. } = built.clone();
    let rooflines = roofline.map(|roofline| (kernel.clone(), roofline));
    let subject = Subject { module, features, rooflines: rooflines.into_iter().collect::<HashMap<_, _>>() };
    let found = measure(ocloc, &subject, device, &Options::default())?;
    Ok(found.into_iter().find(|it| it.kernel == kernel).and_then(|it| it.issue))
}
