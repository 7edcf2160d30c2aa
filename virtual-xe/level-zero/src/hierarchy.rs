//! The devices that a program sees: cards, or their tiles, and what a mask leaves of them.
//!
//! Level Zero reads `ZE_FLAT_DEVICE_HIERARCHY` first and `ZE_AFFINITY_MASK` in its terms ("Environment Variables" of
//! its programming guide).

use std::ops::Range;

/// Relation of cards and tiles, as programs see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hierarchy {
    /// Cards are devices, their tiles sub-devices.
    Composite,
    /// Tiles are devices, and nothing tells that they share a card.
    Flat,
    /// Tiles are devices, and know the card that they are of.
    Combined,
}

impl Hierarchy {
    /// Spellings in the environment.
    const NAMES: [(&str, Hierarchy); 3] =
        [("COMPOSITE", Hierarchy::Composite), ("FLAT", Hierarchy::Flat), ("COMBINED", Hierarchy::Combined)];

    /// The hierarchy of a name; the error lists those that there are.
    pub fn named(name: &str) -> Result<Hierarchy, String> {
        let found = Hierarchy::NAMES.iter().find(|(known, _)| *known == name.trim());
        found.map(|&(_, hierarchy)| hierarchy).ok_or_else(|| {
            let [composite, flat, combined] = Hierarchy::NAMES.map(|(known, _)| known);
            format!("none of {composite}, {flat} and {combined}")
        })
    }
}

/// A card, and those of its tiles that are visible.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Card {
    pub index: usize,
    pub tiles: Vec<usize>,
}

/// Returns what is visible of so many cards of so many tiles each, in the order of the cards. What a mask names that there is
/// not, or that is no ordinal, selects nothing.
pub(crate) fn visible(cards: usize, tiles: usize, hierarchy: Hierarchy, mask: Option<&str>) -> Vec<Card> {
    let tiles_of = |index: usize| index.saturating_mul(tiles)..index.saturating_add(1).saturating_mul(tiles);
    let entries = mask.map(|mask| mask.split(',').filter_map(|entry| select(entry.trim(), tiles, hierarchy)));
    let selected: Option<Vec<Range<usize>>> = entries.map(Iterator::collect);
    let of_card = |index: usize| {
        let first = tiles_of(index).start;
        let is_selected = |tile: &usize| match &selected {
            Some(ranges) => ranges.iter().any(|range| range.contains(tile)),
            None => true,
        };
        Card { index, tiles: tiles_of(index).filter(is_selected).map(|tile| tile - first).collect() }
    };
    (0..cards).map(of_card).filter(|card| !card.tiles.is_empty()).collect()
}

/// The tiles that an entry of a mask stands for, counted over all cards.
fn select(entry: &str, tiles: usize, hierarchy: Hierarchy) -> Option<Range<usize>> {
    let is_composite = hierarchy == Hierarchy::Composite;
    match entry.split_once('.') {
        Some((card, tile)) if is_composite => {
            let (card, tile): (usize, usize) = (card.parse().ok()?, tile.parse().ok()?);
            let first = card.checked_mul(tiles)?.checked_add(tile)?;
            (tile < tiles).then(|| first..first.saturating_add(1))
        }
        // Tiles have no parts.
        Some(_) => None,
        None => {
            let index: usize = entry.parse().ok()?;
            let count = if is_composite { tiles } else { 1 };
            let first = index.checked_mul(count)?;
            Some(first..first.saturating_add(count))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Hierarchy::*;
    use super::*;

    /// Visible tiles of two cards of four tiles, the system of the programming guide's examples.
    fn seen(hierarchy: Hierarchy, mask: &str) -> Vec<(usize, Vec<usize>)> {
        visible(2, 4, hierarchy, Some(mask)).into_iter().map(|card| (card.index, card.tiles)).collect()
    }

    #[test]
    fn without_a_mask_all_is_visible() {
        for hierarchy in [Composite, Flat, Combined] {
            let all = visible(2, 3, hierarchy, None);
            assert_eq!(all.iter().map(|card| card.index).collect::<Vec<_>>(), [0, 1]);
            assert!(all.iter().all(|card| card.tiles == [0, 1, 2]));
        }
    }

    #[test]
    fn a_mask_names_cards_and_their_tiles() {
        let all = vec![0, 1, 2, 3];
        assert_eq!(seen(Composite, "0, 1"), [(0, all.clone()), (1, all.clone())]);
        assert_eq!(seen(Composite, "1"), [(1, all.clone())]);
        assert_eq!(seen(Composite, "0.0"), [(0, vec![0])]);
        assert_eq!(seen(Composite, "1.1, 1.2"), [(1, vec![1, 2])]);
        assert_eq!(seen(Composite, "0.2,1.3,1.0,0.3"), [(0, vec![2, 3]), (1, vec![0, 3])]);
        assert_eq!(seen(Composite, "0.1,0"), [(0, all)]);
    }

    #[test]
    fn a_mask_names_tiles_of_all_cards() {
        for hierarchy in [Flat, Combined] {
            assert_eq!(seen(hierarchy, "0"), [(0, vec![0])]);
            assert_eq!(seen(hierarchy, "0, 4"), [(0, vec![0]), (1, vec![0])]);
            assert_eq!(seen(hierarchy, "7,2,1"), [(0, vec![1, 2]), (1, vec![3])]);
            assert_eq!(seen(hierarchy, "0.0"), []);
            assert_eq!(seen(hierarchy, "0.0,5"), [(1, vec![1])]);
        }
    }

    #[test]
    fn what_there_is_not_selects_nothing() {
        for hierarchy in [Composite, Flat, Combined] {
            for mask in ["", "8", "x", "-1", "0.x", "18446744073709551615", "0.18446744073709551615", ","] {
                assert_eq!(seen(hierarchy, mask), [], "{mask}");
            }
        }
        assert_eq!(seen(Composite, "0.4,2,2.0"), []);
    }

    #[test]
    fn names_are_those_of_level_zero() {
        assert_eq!(Hierarchy::named("COMBINED"), Ok(Combined));
        assert_eq!(Hierarchy::named(" FLAT"), Ok(Flat));
        assert!(Hierarchy::named("flat").is_err_and(|known| known.contains("COMPOSITE")));
    }
}
