//! Data races in global memory.

use crate::kernel::{Kernel, at, planted};
use rspirv::dr::Operand;
use rspirv::spirv::{MemorySemantics, Op, Scope};
use virtual_xe::{Checks, Fault};

const RELAXED: MemorySemantics = MemorySemantics::RELAXED;

#[test]
fn work_groups_write_the_same_number() {
    planted(at(Fault::RaceBetweenGroups, "OpStore").group(1), |k, bad| {
        k.groups(3);
        let place = if bad { k.number(0) } else { k.group };
        let pointer = k.index(k.a, place);
        k.when_item(0, |k| {
            k.mark();
            k.store(pointer, k.group);
        });
    });
}

#[test]
fn a_work_group_reads_what_another_one_writes() {
    planted(at(Fault::RaceBetweenGroups, "OpLoad").group(1).lane(3), |k, bad| {
        k.groups(2);
        k.when_item(3, |k| {
            let zero = k.number(0);
            let is_first = k.compare(Op::IEqual, k.group, zero);
            k.when(is_first, |k| k.store(k.a, k.item));
            let is_second = k.compare(Op::INotEqual, k.group, zero);
            k.when(is_second, |k| {
                let pointer = k.at(k.a, if bad { 0 } else { 1 });
                k.mark();
                k.load(pointer);
            });
        });
    });
}

#[test]
fn a_work_group_writes_what_another_one_reads() {
    planted(at(Fault::RaceBetweenGroups, "OpStore").group(1).subgroup(1), |k, bad| {
        k.groups(2);
        k.when_item(16, |k| {
            let one = k.number(1);
            let is_first = k.compare(Op::INotEqual, k.group, one);
            k.when(is_first, |k| {
                k.load(k.a);
            });
            let is_second = k.compare(Op::IEqual, k.group, one);
            k.when(is_second, |k| {
                let pointer = k.at(k.a, if bad { 0 } else { 1 });
                k.mark();
                k.store(pointer, k.item);
            });
        });
    });
}

#[test]
fn a_barrier_does_not_order_work_groups() {
    planted(at(Fault::RaceBetweenGroups, "OpLoad").group(1), |k, bad| {
        k.groups(2);
        let (zero, place) = (k.number(0), if bad { 0 } else { 1 });
        let is_first = k.compare(Op::IEqual, k.group, zero);
        k.when(is_first, |k| k.when_item(0, |k| k.store(k.a, k.item)));
        k.global_barrier();
        let is_second = k.compare(Op::INotEqual, k.group, zero);
        k.when(is_second, |k| {
            k.when_item(0, |k| {
                let pointer = k.at(k.a, place);
                k.mark();
                k.load(pointer);
            });
        });
    });
}

#[test]
fn subgroups_write_the_same_number() {
    let report = planted(at(Fault::RaceInGroup, "OpStore").subgroup(1), |k, bad| {
        let place = if bad { k.number(0) } else { k.subgroup };
        let pointer = k.index(k.a, place);
        k.when_lane(0, |k| {
            k.mark();
            k.store(pointer, k.subgroup);
        });
    });
    assert_eq!(report.other, Some((0, 0)));
}

#[test]
fn lanes_write_the_same_number() {
    let report = planted(at(Fault::RaceInGroup, "OpStore").lane(1), |k, bad| {
        k.items(16);
        let value = if bad { k.lane } else { k.number(7) };
        k.mark();
        k.store(k.a, value);
    });
    assert_eq!((report.other, report.count), (Some((0, 0)), 15));
}

#[test]
fn a_lane_reads_its_neighbour() {
    planted(at(Fault::RaceInGroup, "OpLoad"), |k, bad| {
        k.items(16);
        let own = k.index(k.a, k.item);
        let zero = k.number(0);
        k.store(own, zero);
        if !bad {
            k.barrier(Op::ControlBarrier, Scope::Subgroup, MemorySemantics::CROSS_WORKGROUP_MEMORY);
        }
        k.when_lane(0, |k| {
            let pointer = k.at(k.a, 1);
            k.mark();
            k.load(pointer);
        });
    });
}

#[test]
fn a_missing_barrier() {
    planted(at(Fault::RaceInGroup, "OpLoad").subgroup(1).lane(3), |k, bad| {
        k.when_item(2, |k| k.store(k.a, k.item));
        if !bad {
            k.global_barrier();
        }
        k.when_item(19, |k| {
            k.mark();
            k.load(k.a);
        });
    });
}

#[test]
fn a_barrier_of_local_memory_only() {
    planted(at(Fault::RaceInGroup, "OpLoad").subgroup(1), |k, bad| {
        k.when_item(0, |k| k.store(k.a, k.item));
        if bad {
            k.local_barrier()
        } else {
            k.global_barrier()
        };
        k.when_item(16, |k| {
            k.mark();
            k.load(k.a);
        });
    });
}

#[test]
fn a_barrier_of_the_subgroup_only() {
    planted(at(Fault::RaceInGroup, "OpLoad").subgroup(1), |k, bad| {
        k.when_item(0, |k| k.store(k.a, k.item));
        let scope = if bad { Scope::Subgroup } else { Scope::Workgroup };
        k.barrier(Op::ControlBarrier, scope, MemorySemantics::CROSS_WORKGROUP_MEMORY);
        k.when_item(16, |k| {
            k.mark();
            k.load(k.a);
        });
    });
}

#[test]
fn a_second_phase_overtakes_the_first() {
    // What is read before the barrier is written behind it; without the barrier at the end of the loop, too early.
    planted(at(Fault::RaceInGroup, "OpStore").subgroup(1), |k, bad| {
        for round in 0..2 {
            k.when_item(16, |k| {
                if round == 1 {
                    k.mark();
                }
                let value = k.number(round);
                k.store(k.a, value);
            });
            k.global_barrier();
            k.when_item(0, |k| {
                k.load(k.a);
            });
            if !bad {
                k.global_barrier();
            }
        }
    });
}

#[test]
fn block_writes_that_overlap() {
    planted(at(Fault::RaceInGroup, "OpSubgroupBlockWriteINTEL").subgroup(1), |k, bad| {
        let step = k.number(if bad { 12 } else { 16 });
        let place = k.compute(Op::IMul, &[k.subgroup, step]);
        let pointer = k.index(k.a, place);
        k.mark();
        k.emit(Op::SubgroupBlockWriteINTEL, None, [Operand::IdRef(pointer), Operand::IdRef(k.item)]);
    });
}

#[test]
fn many_work_groups_later() {
    // More work-groups than a generation has segments lie between the two.
    planted(at(Fault::RaceBetweenGroups, "OpStore").group(4999), |k, bad| {
        k.groups(5000);
        k.items(16);
        let place = k.number(3);
        let pointer = k.index(k.a, place);
        k.when_item(0, |k| {
            let (zero, last) = (k.number(0), k.number(4999));
            let is_first = k.compare(Op::IEqual, k.group, zero);
            k.when(is_first, |k| {
                k.load(pointer);
            });
            let is_last = k.compare(Op::IEqual, k.group, last);
            k.when(is_last, |k| {
                let pointer = k.at(k.a, if bad { 3 } else { 4 });
                k.mark();
                k.store(pointer, k.group);
            });
        });
    });
}

#[test]
fn the_same_value_is_no_race() {
    let (_, reports) = Kernel::run(|k| {
        k.groups(4);
        let value = k.number(5);
        k.store(k.a, value);
        k.load(k.a);
        k.atomic(Op::AtomicStore, k.unwritten, Scope::Workgroup, RELAXED, Some(value));
    });
    assert_eq!(reports, []);
}

#[test]
fn races_need_not_be_checked() {
    let (_, reports) = Kernel::run(|k| {
        k.checks(Checks { races: false, ..Checks::ALL });
        k.groups(8);
        k.store(k.a, k.item);
    });
    assert_eq!(reports, []);
}
