//! Tiles: from what a work-group does to what its subgroups do (tile reference 2.6).

pub(super) mod bounds;
pub(super) mod combine;
mod coordinate;
pub(super) mod copy;
mod entry;
pub(super) mod foreach_copies;
mod iteration;
pub(super) mod layout;
pub(super) mod lower;
mod mask;
pub(super) mod order;
pub(super) mod orient;
pub(super) mod padding;
pub(super) mod parts;
pub(super) mod pipeline;
pub(super) mod reduction;
pub(super) mod stages;
pub(super) mod steps;
pub(super) mod swizzle;
