//! Orders of blocks.

/// The nodes reachable from the first, each before its successors but for the edges back to loops.
pub(super) fn reverse_postorder(count: usize, successors: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut order = Vec::new();
    if count == 0 {
        return order;
    }
    let mut seen = vec![false; count];
    let mut stack = vec![(0, successors(0), 0)];
    if let Some(first) = seen.first_mut() {
        *first = true;
    }
    while let Some((node, next, place)) = stack.last_mut() {
        if let Some(&successor) = next.get(*place) {
            *place = place.saturating_add(1);
            if let Some(flag) = seen.get_mut(successor).filter(|flag| !**flag) {
                *flag = true;
                stack.push((successor, successors(successor), 0));
            }
        } else {
            order.push(*node);
            stack.pop();
        }
    }
    order.reverse();
    order
}

/// The immediate post-dominator of each node: where all ways from it to an end meet first. None where they only
/// meet at the end, or where no end is reachable.
///
/// The algorithm is that of Cooper, Harvey and Kennedy, on the graph turned round.
pub(super) fn post_dominators(successors: &[Vec<usize>]) -> Vec<Option<u32>> {
    let count = successors.len();
    // Node 0 is the common end; node i of the graph is i + 1.
    let mut backward = vec![Vec::new(); count.saturating_add(1)];
    for (node, next) in successors.iter().enumerate() {
        if next.is_empty()
            && let Some(end) = backward.first_mut()
        {
            end.push(node.saturating_add(1));
        }
        for &successor in next {
            if let Some(list) = backward.get_mut(successor.saturating_add(1)) {
                list.push(node.saturating_add(1));
            }
        }
    }
    let order =
        reverse_postorder(count.saturating_add(1), |node| backward.get(node).cloned().unwrap_or_default());
    let mut rank = vec![usize::MAX; count.saturating_add(1)];
    for (place, &node) in order.iter().enumerate() {
        if let Some(rank) = rank.get_mut(node) {
            *rank = place;
        }
    }
    // By rank; the dominator of the end is the end.
    let mut dominator: Vec<Option<usize>> = vec![None; order.len()];
    if let Some(first) = dominator.first_mut() {
        *first = Some(0);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (place, &node) in order.iter().enumerate().skip(1) {
            let next = node.checked_sub(1).and_then(|node| successors.get(node));
            let mut found: Option<usize> = None;
            let ends = next.is_some_and(Vec::is_empty).then_some(0);
            let ranks = next
                .into_iter()
                .flatten()
                .filter_map(|successor| rank.get(successor.saturating_add(1)).copied());
            for other in ranks.chain(ends) {
                if dominator.get(other).copied().flatten().is_some() {
                    found = Some(found.map_or(other, |found| common(&dominator, found, other)));
                }
            }
            if let Some(entry) = dominator.get_mut(place)
                && *entry != found
            {
                *entry = found;
                changed = true;
            }
        }
    }
    (0..count)
        .map(|node| {
            let rank = rank.get(node.saturating_add(1)).copied()?;
            let reconvergence = order.get(dominator.get(rank).copied().flatten()?)?;
            u32::try_from(reconvergence.checked_sub(1)?).ok()
        })
        .collect()
}

/// The nearest node that dominates both.
fn common(dominator: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let farther = if a > b { &mut a } else { &mut b };
        *farther = dominator.get(*farther).copied().flatten().unwrap_or(0);
    }
    a
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use super::*;

    #[test]
    fn branches_meet_behind_themselves() {
        // 0 → 1 | 2 → 3 → end
        let graph = [vec![1, 2], vec![3], vec![3], vec![]];
        assert_eq!(post_dominators(&graph), [Some(3), Some(3), Some(3), None]);
    }

    #[test]
    fn loops_meet_at_their_exit() {
        // 0 → 1 → 2 → 1, 1 → 3; 2 leaves to 4, and 3 joins there.
        let graph = [vec![1], vec![2, 3], vec![1, 4], vec![4], vec![]];
        assert_eq!(post_dominators(&graph), [Some(1), Some(4), Some(4), Some(4), None]);
    }

    #[test]
    fn endless_loops_meet_nowhere() {
        let graph = [vec![1, 2], vec![1], vec![]];
        assert_eq!(post_dominators(&graph), [Some(2), None, None]);
    }

    #[test]
    fn two_ends_meet_nowhere() {
        let graph = [vec![1, 2], vec![], vec![]];
        assert_eq!(post_dominators(&graph), [None, None, None]);
    }

    #[test]
    fn order_follows_the_edges() {
        let graph = [vec![2, 1], vec![3], vec![1], vec![]];
        let order = reverse_postorder(4, |node| graph[node].clone());
        assert_eq!(order, [0, 2, 1, 3]);
    }
}
