//! Tests of what all work-items must reach together, and of ends that never come.

use crate::kernel::{Kernel, LANES, at, planted, texts};
use rspirv::dr::Operand;
use rspirv::spirv::{GroupOperation, MemorySemantics, Op, Scope};
use virtual_xe::{Checks, Fault};

/// Runs a part of the kernel in all lanes but one if there is to be a fault.
fn without_lane(k: &mut Kernel, bad: bool, lane: i32, body: fn(&mut Kernel)) {
    let lane = k.number(if bad { lane } else { LANES as i32 });
    let condition = k.compare(Op::INotEqual, k.lane, lane);
    k.when(condition, body);
}

#[test]
fn a_barrier_without_some_lanes() {
    planted(at(Fault::Divergence, "OpControlBarrier").lane(3), |k, bad| {
        k.items(16);
        without_lane(k, bad, 3, |k| {
            k.mark();
            k.local_barrier();
        });
    });
}

#[test]
fn a_subgroup_barrier_without_some_lanes() {
    planted(at(Fault::Divergence, "OpControlBarrier").lane(5), |k, bad| {
        k.items(16);
        without_lane(k, bad, 5, |k| {
            k.mark();
            k.barrier(Op::ControlBarrier, Scope::Subgroup, MemorySemantics::WORKGROUP_MEMORY);
        });
    });
}

#[test]
fn a_barrier_without_a_subgroup() {
    planted(at(Fault::Divergence, "OpControlBarrier").subgroup(1), |k, bad| {
        let limit = k.number(if bad { 1 } else { 2 });
        let condition = k.compare(Op::ULessThan, k.subgroup, limit);
        k.when(condition, |k| {
            k.mark();
            k.local_barrier();
        });
    });
}

#[test]
fn half_a_barrier_without_a_subgroup() {
    planted(at(Fault::Deadlock, "OpControlBarrierWaitINTEL"), |k, bad| {
        let limit = k.number(if bad { 1 } else { 2 });
        let condition = k.compare(Op::ULessThan, k.subgroup, limit);
        let memory = MemorySemantics::WORKGROUP_MEMORY;
        k.when(condition, |k| k.barrier(Op::ControlBarrierArriveINTEL, Scope::Workgroup, memory));
        k.mark();
        k.barrier(Op::ControlBarrierWaitINTEL, Scope::Workgroup, memory);
    });
}

#[test]
fn a_sum_without_some_lanes() {
    planted(at(Fault::Divergence, "OpGroupIAdd").lane(15), |k, bad| {
        k.items(16);
        without_lane(k, bad, 15, |k| {
            let scope = k.scope(Scope::Subgroup);
            let operands = [scope, Operand::GroupOperation(GroupOperation::Reduce), Operand::IdRef(k.item)];
            k.mark();
            k.emit(Op::GroupIAdd, Some(k.int), operands);
        });
    });
}

#[test]
fn a_broadcast_without_some_lanes() {
    planted(at(Fault::Divergence, "OpGroupBroadcast").lane(2), |k, bad| {
        k.items(16);
        without_lane(k, bad, 2, |k| {
            let (scope, lane) = (k.scope(Scope::Subgroup), k.number(0));
            k.mark();
            k.emit(Op::GroupBroadcast, Some(k.int), [scope, Operand::IdRef(k.item), Operand::IdRef(lane)]);
        });
    });
}

#[test]
fn a_vote_without_some_lanes() {
    planted(at(Fault::Divergence, "OpGroupAll").lane(1), |k, bad| {
        k.items(16);
        without_lane(k, bad, 1, |k| {
            let (scope, is_first) = (k.scope(Scope::Subgroup), k.compare(Op::IEqual, k.lane, k.item));
            k.mark();
            k.emit(Op::GroupAll, Some(k.bool), [scope, Operand::IdRef(is_first)]);
        });
    });
}

#[test]
fn a_shuffle_without_some_lanes() {
    planted(at(Fault::Divergence, "OpSubgroupShuffleINTEL").lane(8), |k, bad| {
        k.items(16);
        without_lane(k, bad, 8, |k| {
            k.mark();
            k.compute(Op::SubgroupShuffleINTEL, &[k.item, k.lane]);
        });
    });
}

#[test]
fn a_block_read_without_some_lanes() {
    planted(at(Fault::Divergence, "OpSubgroupBlockReadINTEL").lane(8), |k, bad| {
        k.items(16);
        without_lane(k, bad, 8, |k| {
            k.mark();
            k.compute(Op::SubgroupBlockReadINTEL, &[k.a]);
        });
    });
}

#[test]
fn a_block_read_from_several_addresses() {
    planted(at(Fault::NotUniform, "OpSubgroupBlockReadINTEL").lane(1), |k, bad| {
        k.items(16);
        let place = if bad { k.lane } else { k.subgroup };
        let pointer = k.index(k.a, place);
        k.mark();
        k.compute(Op::SubgroupBlockReadINTEL, &[pointer]);
    });
}

#[test]
fn a_block_write_to_several_addresses() {
    planted(at(Fault::NotUniform, "OpSubgroupBlockWriteINTEL").lane(1), |k, bad| {
        k.items(16);
        let place = if bad { k.lane } else { k.subgroup };
        let pointer = k.index(k.a, place);
        k.mark();
        k.emit(Op::SubgroupBlockWriteINTEL, None, [Operand::IdRef(pointer), Operand::IdRef(k.item)]);
    });
}

#[test]
fn a_loop_without_an_end() {
    planted(at(Fault::Endless, "OpBranchConditional"), |k, bad| {
        k.budget(10_000);
        let (head, behind) = (k.b.id(), k.b.id());
        k.b.branch(head).unwrap();
        k.b.begin_block(Some(head)).unwrap();
        let first = k.load(k.a);
        let limit = k.number(if bad { 1 } else { 0 });
        let goes_on = k.compare(Op::IEqual, first, limit);
        k.mark();
        k.b.branch_conditional(goes_on, head, behind, []).unwrap();
        k.b.begin_block(Some(behind)).unwrap();
    });
}

#[test]
fn more_work_groups_than_anybody_waits_for() {
    const GROUPS: u32 = u32::MAX;
    for checks in [Checks::ALL, Checks::NONE] {
        let (_, reports) = Kernel::run(|k| {
            k.groups(GROUPS);
            k.launch_budget(100_000);
            k.checks(checks);
            k.threads(2);
            k.load(k.a);
        });
        let [report] = reports.as_slice() else { panic!("{}", texts(&reports)) };
        let Fault::LaunchTooLong { done, groups } = report.fault else { panic!("{report}") };
        assert_eq!((groups, report.group), (u64::from(GROUPS), [done as u32, 0, 0]), "{report}");
        // Nobody starts a subgroup, of which a work-group has two, for nothing.
        assert!((100..100_000 / 64).contains(&done), "{report}");
        let said = format!("than allowed; {done} of 4294967295 are done: ");
        assert!(report.to_string().contains(&said), "{report}");
    }
}

#[test]
fn as_many_instructions_as_a_launch_may_execute() {
    let run = |budget| {
        let (_, reports) = Kernel::run(|k| {
            k.groups(10);
            k.launch_budget(budget);
            k.load(k.a);
        });
        reports.is_empty()
    };
    let least = (0..).find(|&budget| run(budget)).unwrap();
    // Each work-group takes the same.
    assert!(least.is_multiple_of(10) && !run(least - 1) && run(least + 1), "{least}");
}

#[test]
fn a_wait_for_what_never_comes() {
    planted(at(Fault::Endless, "OpBranchConditional"), |k, bad| {
        k.budget(10_000);
        let (head, behind) = (k.b.id(), k.b.id());
        k.b.branch(head).unwrap();
        k.b.begin_block(Some(head)).unwrap();
        let flag = k.atomic(Op::AtomicLoad, k.a, Scope::Device, MemorySemantics::ACQUIRE, None);
        let wanted = k.number(if bad { 2 } else { 1 });
        let goes_on = k.compare(Op::INotEqual, flag, wanted);
        k.mark();
        k.b.branch_conditional(goes_on, head, behind, []).unwrap();
        k.b.begin_block(Some(behind)).unwrap();
    });
}

#[test]
fn what_cannot_be_reached() {
    planted(at(Fault::Unreachable, "OpUnreachable").subgroup(1).lane(4), |k, bad| {
        k.when_item(if bad { 20 } else { 1000 }, |k| {
            k.mark();
            k.b.unreachable().unwrap();
        });
    });
}
