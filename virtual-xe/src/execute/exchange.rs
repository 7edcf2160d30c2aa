//! Numbers that the subgroups of a work-group tell each other.

use super::Environment;
use crate::operations;
use crate::program::{Gather, Publish};
use crate::rows::Rows;

impl<const S: usize> Environment<'_, S> {
    /// Publishes a number of this subgroup, or takes its last one back.
    pub fn publish(&mut self, rows: &Rows<S>, publish: &Publish, mask: u32) {
        let chosen = |lane: &usize| {
            let is_meant = publish.condition.is_none_or(|row| rows.lane::<u8>(row, *lane) == 1);
            mask >> lane & 1 == 1 && is_meant
        };
        let bits = (0..S).find(chosen).map(|lane| rows.bits(publish.value, publish.bytes, lane));
        let subgroup = self.subgroup as usize;
        if let Some(published) = self.exchanges.get_mut(publish.exchange as usize) {
            published.resize(published.len().max(subgroup + 1), None);
            if let Some(place) = published.get_mut(subgroup) {
                *place = bits;
            }
        }
    }

    /// Combines what all subgroups have published, or, with a number of the lane, those before this one.
    pub fn gather(&self, rows: &mut Rows<S>, gather: &Gather, mask: u32) {
        let published = self.exchanges.get(gather.exchange as usize).map(Vec::as_slice).unwrap_or_default();
        let count = if gather.own.is_some() { self.subgroup as usize } else { published.len() };
        let join = |a, b| operations::join(gather.how, gather.scalar, a, b);
        let all = published.iter().take(count).filter_map(|number| *number).reduce(join);
        let bytes = gather.scalar.bytes();
        for lane in (0..S).filter(|lane| mask >> lane & 1 == 1) {
            let own = gather.own.map(|row| rows.bits(row, bytes, lane));
            let number = match (all, own) {
                (Some(all), Some(own)) => join(all, own),
                (all, own) => all.or(own).unwrap_or(0),
            };
            rows.set_bits(gather.dst, bytes, lane, number);
        }
    }
}
