//! Data races in local memory.

use crate::kernel::{at, planted};
use rspirv::dr::Operand;
use rspirv::spirv::{MemorySemantics, Op, Scope};
use virtual_xe::Fault;

const LOCAL: MemorySemantics = MemorySemantics::WORKGROUP_MEMORY;

#[test]
fn a_missing_barrier() {
    planted(at(Fault::RaceInGroup, "OpLoad").subgroup(1), |k, bad| {
        let own = k.index(k.local, k.item);
        k.store(own, k.item);
        if !bad {
            k.local_barrier();
        }
        // The second subgroup reads what the first has written.
        let sixteen = k.number(16);
        let is_second = k.compare(Op::UGreaterThanEqual, k.item, sixteen);
        let place = k.compute(Op::ISub, &[k.item, sixteen]);
        k.when(is_second, |k| {
            let pointer = k.index(k.local, place);
            k.mark();
            k.load(pointer);
        });
    });
}

#[test]
fn a_barrier_of_global_memory_only() {
    planted(at(Fault::RaceInGroup, "OpLoad").subgroup(1), |k, bad| {
        k.when_item(0, |k| k.store(k.local, k.item));
        if bad {
            k.global_barrier()
        } else {
            k.local_barrier()
        };
        k.when_item(16, |k| {
            k.mark();
            k.load(k.local);
        });
    });
}

#[test]
fn subgroups_write_the_same_number() {
    planted(at(Fault::RaceInGroup, "OpStore").subgroup(1), |k, bad| {
        let place = if bad { k.number(0) } else { k.subgroup };
        let pointer = k.index(k.local, place);
        k.when_lane(0, |k| {
            k.mark();
            k.store(pointer, k.subgroup);
        });
    });
}

#[test]
fn a_reversal_in_the_subgroup() {
    planted(at(Fault::RaceInGroup, "OpLoad"), |k, bad| {
        k.items(16);
        let own = k.index(k.local, k.item);
        k.store(own, k.item);
        if !bad {
            k.barrier(Op::ControlBarrier, Scope::Subgroup, LOCAL);
        }
        let last = k.number(15);
        let place = k.compute(Op::ISub, &[last, k.item]);
        let pointer = k.index(k.local, place);
        k.mark();
        k.load(pointer);
    });
}

#[test]
fn written_while_another_subgroup_may_read() {
    planted(at(Fault::RaceInGroup, "OpStore").subgroup(1).lane(2), |k, bad| {
        k.when_item(0, |k| k.store(k.local, k.item));
        k.local_barrier();
        k.load(k.local);
        if !bad {
            k.local_barrier();
        }
        k.when_item(18, |k| {
            k.mark();
            k.store(k.local, k.item);
        });
    });
}

#[test]
fn written_between_the_halves_of_a_barrier() {
    planted(at(Fault::RaceInGroup, "OpLoad").subgroup(1), |k, bad| {
        if !bad {
            k.when_item(0, |k| k.store(k.local, k.item));
        }
        k.barrier(Op::ControlBarrierArriveINTEL, Scope::Workgroup, LOCAL);
        if bad {
            k.when_item(0, |k| k.store(k.local, k.item));
        }
        k.barrier(Op::ControlBarrierWaitINTEL, Scope::Workgroup, LOCAL);
        k.when_item(16, |k| {
            k.mark();
            k.load(k.local);
        });
    });
}

#[test]
fn a_block_write_over_what_is_read() {
    planted(at(Fault::RaceInGroup, "OpSubgroupBlockWriteINTEL").subgroup(1).lane(3), |k, bad| {
        k.when_item(3, |k| {
            let pointer = k.at(k.local, 19);
            k.store(pointer, k.item);
        });
        if !bad {
            k.local_barrier();
        }
        let pointer = k.at(k.local, 16);
        let zero = k.number(0);
        let is_second = k.compare(Op::INotEqual, k.subgroup, zero);
        k.when(is_second, |k| {
            k.mark();
            k.emit(Op::SubgroupBlockWriteINTEL, None, [Operand::IdRef(pointer), Operand::IdRef(k.item)]);
        });
    });
}
