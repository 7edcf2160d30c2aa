//! What has been done to a byte, and what an access makes of it.

use std::sync::LazyLock;

/// How a byte is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessKind {
    Read,
    Write,
    /// A store of the value that is there already.
    WriteAlike,
    /// An atomic access that cannot write.
    AtomicLoad(AtomicScope),
    AtomicStore(AtomicScope),
    /// An atomic store of the value that is there already.
    AtomicStoreAlike(AtomicScope),
    Atomic(AtomicScope),
}

/// For whom an access is atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomicScope {
    Subgroup,
    Group,
    Everyone,
}

impl AccessKind {
    /// Each of them, at its place.
    const ALL: [AccessKind; 15] = {
        use AtomicScope::{Everyone, Group, Subgroup};
        [
            AccessKind::Read,
            AccessKind::Write,
            AccessKind::WriteAlike,
            AccessKind::AtomicLoad(Subgroup),
            AccessKind::AtomicLoad(Group),
            AccessKind::AtomicLoad(Everyone),
            AccessKind::AtomicStore(Subgroup),
            AccessKind::AtomicStore(Group),
            AccessKind::AtomicStore(Everyone),
            AccessKind::AtomicStoreAlike(Subgroup),
            AccessKind::AtomicStoreAlike(Group),
            AccessKind::AtomicStoreAlike(Everyone),
            AccessKind::Atomic(Subgroup),
            AccessKind::Atomic(Group),
            AccessKind::Atomic(Everyone),
        ]
    };

    fn place(self) -> usize {
        match self {
            AccessKind::Read => 0,
            AccessKind::Write => 1,
            AccessKind::WriteAlike => 2,
            AccessKind::AtomicLoad(scope) => 3 + scope as usize,
            AccessKind::AtomicStore(scope) => 6 + scope as usize,
            AccessKind::AtomicStoreAlike(scope) => 9 + scope as usize,
            AccessKind::Atomic(scope) => 12 + scope as usize,
        }
    }

    /// Whether what was in memory matters.
    pub fn is_read(self) -> bool {
        matches!(self, AccessKind::Read | AccessKind::AtomicLoad(_) | AccessKind::Atomic(_))
    }

    pub fn is_write(self) -> bool {
        !matches!(self, AccessKind::Read | AccessKind::AtomicLoad(_))
    }

    /// The same access, storing the value that is there already.
    pub fn alike(self) -> AccessKind {
        match self {
            AccessKind::Write => AccessKind::WriteAlike,
            AccessKind::AtomicStore(scope) => AccessKind::AtomicStoreAlike(scope),
            other => other,
        }
    }

    fn is_alike(self) -> bool {
        matches!(self, AccessKind::WriteAlike | AccessKind::AtomicStoreAlike(_))
    }

    /// Whether it goes along with whatever other lanes of the subgroup do.
    pub fn is_shared(self) -> bool {
        matches!(
            self,
            AccessKind::AtomicLoad(AtomicScope::Subgroup)
                | AccessKind::AtomicStore(AtomicScope::Subgroup)
                | AccessKind::AtomicStoreAlike(AtomicScope::Subgroup)
                | AccessKind::Atomic(AtomicScope::Subgroup)
        )
    }

    /// What it is to the work-group and to others.
    const fn kinds(self) -> (Kind, Kind) {
        match self {
            AccessKind::Read => (READ, READ),
            AccessKind::Write | AccessKind::WriteAlike => (WRITE, WRITE),
            AccessKind::AtomicLoad(AtomicScope::Subgroup) => (READ, READ),
            AccessKind::AtomicLoad(AtomicScope::Group) => (ATOMIC_LOAD, READ),
            AccessKind::AtomicLoad(AtomicScope::Everyone) => (ATOMIC_LOAD, ATOMIC_LOAD),
            AccessKind::AtomicStore(scope)
            | AccessKind::AtomicStoreAlike(scope)
            | AccessKind::Atomic(scope) => match scope {
                AtomicScope::Subgroup => (WRITE, WRITE),
                AtomicScope::Group => (ATOMIC, WRITE),
                AtomicScope::Everyone => (ATOMIC, ATOMIC),
            },
        }
    }
}

/// A set of accesses by the strictest of them.
type Kind = u8;
const NONE: Kind = 0;
const ATOMIC_LOAD: Kind = 1;
const READ: Kind = 2;
const ATOMIC: Kind = 3;
const WRITE: Kind = 4;
const KINDS: u8 = 5;

/// Both sets together. Whatever races with a read or an atomic update races with a write.
const fn join(a: Kind, b: Kind) -> Kind {
    match (a, b) {
        (READ, ATOMIC) | (ATOMIC, READ) => WRITE,
        _ if a > b => a,
        _ => b,
    }
}

const fn clash(a: Kind, b: Kind) -> bool {
    match (a, b) {
        (NONE, _) | (_, NONE) => false,
        (WRITE, _) | (_, WRITE) => true,
        (READ, ATOMIC) | (ATOMIC, READ) => true,
        _ => false,
    }
}

/// What is known of a byte, in one byte: what earlier work-groups did, what this one did, and what was done
/// since the last barrier and by whom.
#[derive(Clone, Copy)]
struct State {
    past: Kind,
    group: Kind,
    recent: Kind,
    /// Several work-items did it; with writes, lanes of one subgroup that wrote alike.
    several: bool,
}

impl State {
    const fn decode(byte: u8) -> State {
        let recent = byte / (KINDS * KINDS);
        let several = recent > WRITE;
        State {
            past: byte % KINDS,
            group: byte / KINDS % KINDS,
            recent: if several { recent - WRITE } else { recent },
            several,
        }
    }

    const fn encode(self) -> u8 {
        let recent = if self.several { self.recent + WRITE } else { self.recent };
        self.past + KINDS * (self.group + KINDS * recent)
    }
}

/// The first state in which lanes of one subgroup have written alike.
const ALIKE: u8 = KINDS * KINDS * 2 * WRITE;

/// The last state.
const LAST: u8 = KINDS * KINDS * (2 * WRITE + 1) - 1;

/// Whether the lanes of one subgroup have written the byte alike.
pub(super) fn is_alike(state: u8) -> bool {
    state >= ALIKE
}

/// How the last access to a byte stands to the present one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// By the same work-item.
    Same,
    /// By another one of the subgroup, without a barrier between.
    Peer,
    /// By one of another subgroup, likewise.
    Other,
    /// In the work-group, and a barrier lies between.
    Ordered,
    /// In an earlier work-group.
    Past,
}

impl Relation {
    const ALL: [Relation; 5] =
        [Relation::Same, Relation::Peer, Relation::Other, Relation::Ordered, Relation::Past];
}

/// The access races with one in the work-group.
pub(in super::super) const IN_GROUP: u8 = 1;
/// The access races with one of another work-group.
pub(in super::super) const BETWEEN: u8 = 2;

/// Whether several work-items have read the byte, and before them nobody has done anything else.
#[inline(always)]
pub(super) fn is_only_read(state: u8) -> bool {
    const SEVERAL_READ: u8 = KINDS * KINDS * (READ + WRITE);
    let past = state.wrapping_sub(SEVERAL_READ + KINDS * READ);
    past <= READ
}

/// The state behind an access, and what it races with.
#[inline(always)]
pub(super) fn step(state: u8, relation: Relation, kind: AccessKind) -> (u8, u8) {
    static STEPS: LazyLock<Vec<(u8, u8)>> = LazyLock::new(|| {
        let steps = |state| {
            let relations = Relation::ALL.into_iter();
            relations.flat_map(move |relation| AccessKind::ALL.map(|kind| transition(state, relation, kind)))
        };
        (0..=LAST).flat_map(steps).collect()
    });
    let place = (usize::from(state) * Relation::ALL.len() + relation as usize) * AccessKind::ALL.len();
    STEPS.get(place + kind.place()).copied().unwrap_or_default()
}

fn transition(state: u8, relation: Relation, kind: AccessKind) -> (u8, u8) {
    let (inner, outer) = kind.kinds();
    let mut state = State::decode(state);
    if relation == Relation::Past {
        state.past = join(state.past, state.group);
        state.group = NONE;
    }
    // What others have stored is stored again; from now on it is as if only this one had.
    let is_again = |earlier| kind.is_alike() && matches!(earlier, WRITE | ATOMIC);
    if is_again(state.past) {
        state.past = NONE;
    }
    let mut races = if clash(state.past, outer) { BETWEEN } else { 0 };
    let is_alone = matches!(relation, Relation::Ordered | Relation::Past);
    let alike = state.several && state.recent == WRITE;
    if is_alone || state.recent == NONE {
        (state.recent, state.several) = (inner, false);
    } else if relation != Relation::Same && is_again(state.recent) {
        state.recent = join(state.recent, inner);
        state.several = state.recent != WRITE || relation == Relation::Peer;
    } else if relation == Relation::Same && (alike || !state.several) {
        state.several = alike && (kind.is_alike() || !kind.is_write());
        state.recent = join(state.recent, inner);
    } else if clash(state.recent, inner) {
        races |= IN_GROUP;
        (state.recent, state.several) = (inner, false);
    } else {
        (state.recent, state.several) = (join(state.recent, inner), true);
    }
    state.group = join(state.group, outer);
    (state.encode(), races)
}

/// What is left of a state when its time is over, in the same work-group or in later ones.
pub(super) fn fold(state: u8, is_past: bool) -> u8 {
    let State { past, group, .. } = State::decode(state);
    let (past, group) = if is_past { (join(past, group), NONE) } else { (past, group) };
    State { past, group, recent: NONE, several: false }.encode()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_access_kind_stands_at_its_place() {
        for (place, kind) in AccessKind::ALL.into_iter().enumerate() {
            assert_eq!(kind.place(), place);
        }
        for (place, relation) in Relation::ALL.into_iter().enumerate() {
            assert_eq!(relation as usize, place);
        }
    }

    #[test]
    fn states_fit_into_bytes() {
        for byte in 0..=LAST {
            assert_eq!(State::decode(byte).encode(), byte);
        }
    }

    #[test]
    fn what_has_only_been_read_does_not_change() {
        for state in (0..=LAST).filter(|&state| is_only_read(state)) {
            assert_eq!(transition(state, Relation::Peer, AccessKind::Read), (state, 0));
            assert_eq!(transition(state, Relation::Same, AccessKind::Read), (state, 0));
        }
        assert_eq!((0..=LAST).filter(|&state| is_only_read(state)).count(), 3);
    }
}
