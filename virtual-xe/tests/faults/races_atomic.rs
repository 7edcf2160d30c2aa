//! Data races with atomic accesses, and what they order.

use crate::kernel::{at, planted};
use rspirv::spirv::{MemorySemantics, Op, Scope, SourceLanguage};
use virtual_xe::Fault;

const RELAXED: MemorySemantics = MemorySemantics::RELAXED;

#[test]
fn an_update_that_is_not_atomic() {
    planted(at(Fault::RaceInGroup, "OpStore").subgroup(1), |k, bad| {
        k.when_lane(0, |k| {
            let one = k.number(1);
            if bad {
                let zero = k.number(0);
                let is_second = k.compare(Op::INotEqual, k.subgroup, zero);
                let is_first = k.compare(Op::IEqual, k.subgroup, zero);
                k.when(is_first, |k| {
                    k.atomic(Op::AtomicIAdd, k.a, Scope::Device, RELAXED, Some(one));
                });
                k.when(is_second, |k| {
                    k.mark();
                    k.store(k.a, one);
                });
            } else {
                k.atomic(Op::AtomicIAdd, k.a, Scope::Device, RELAXED, Some(one));
            }
        });
    });
}

#[test]
fn a_plain_read_of_an_atomic_number() {
    planted(at(Fault::RaceInGroup, "OpLoad").subgroup(1).lane(5), |k, bad| {
        k.when_item(0, |k| {
            k.atomic(Op::AtomicIAdd, k.a, Scope::Device, RELAXED, Some(k.item));
        });
        k.when_item(21, |k| {
            if bad {
                k.mark();
                k.load(k.a);
            } else {
                k.atomic(Op::AtomicLoad, k.a, Scope::Device, RELAXED, None);
            }
        });
    });
}

#[test]
fn an_atomic_update_of_what_is_read() {
    planted(at(Fault::RaceInGroup, "OpAtomicIAdd").subgroup(1), |k, bad| {
        k.when_item(0, |k| {
            if bad {
                k.load(k.a);
            } else {
                k.atomic(Op::AtomicLoad, k.a, Scope::Device, RELAXED, None);
            }
        });
        k.when_item(16, |k| {
            k.mark();
            k.atomic(Op::AtomicIAdd, k.a, Scope::Device, RELAXED, Some(k.item));
        });
    });
}

#[test]
fn atomic_only_in_the_work_group() {
    planted(at(Fault::RaceBetweenGroups, "OpAtomicIAdd").group(1), |k, bad| {
        k.groups(2);
        let scope = if bad { Scope::Workgroup } else { Scope::Device };
        k.when_item(0, |k| {
            let one = k.number(1);
            k.mark();
            k.atomic(Op::AtomicIAdd, k.a, scope, RELAXED, Some(one));
        });
    });
}

#[test]
fn atomic_only_in_the_subgroup() {
    planted(at(Fault::RaceInGroup, "OpAtomicIAdd").subgroup(1), |k, bad| {
        let scope = if bad { Scope::Subgroup } else { Scope::Workgroup };
        k.when_lane(0, |k| {
            let one = k.number(1);
            k.mark();
            k.atomic(Op::AtomicIAdd, k.a, scope, RELAXED, Some(one));
        });
    });
}

#[test]
fn a_flag_that_acquires_nothing() {
    // The first work-group writes a number and raises a flag; the second sees the flag and reads the number.
    planted(at(Fault::RaceBetweenGroups, "OpLoad").group(1), |k, bad| {
        k.groups(2);
        let flag = k.at(k.a, 9);
        k.when_item(0, |k| {
            let zero = k.number(0);
            let is_first = k.compare(Op::IEqual, k.group, zero);
            let is_second = k.compare(Op::INotEqual, k.group, zero);
            k.when(is_first, |k| {
                let value = k.number(77);
                k.store(k.a, value);
                let release = MemorySemantics::RELEASE | MemorySemantics::CROSS_WORKGROUP_MEMORY;
                k.atomic(Op::AtomicStore, flag, Scope::Device, release, Some(k.group));
            });
            k.when(is_second, |k| {
                let acquire = MemorySemantics::ACQUIRE | MemorySemantics::CROSS_WORKGROUP_MEMORY;
                k.atomic(Op::AtomicLoad, flag, Scope::Device, if bad { RELAXED } else { acquire }, None);
                k.mark();
                k.load(k.a);
            });
        });
    });
}

#[test]
fn a_fence_without_an_atomic_read() {
    planted(at(Fault::RaceBetweenGroups, "OpLoad").group(1), |k, bad| {
        k.groups(2);
        let flag = k.at(k.a, 9);
        k.when_item(0, |k| {
            let zero = k.number(0);
            let is_first = k.compare(Op::IEqual, k.group, zero);
            let is_second = k.compare(Op::INotEqual, k.group, zero);
            let order = MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::CROSS_WORKGROUP_MEMORY;
            k.when(is_first, |k| {
                let value = k.number(77);
                k.store(k.a, value);
                let operands = [k.scope(Scope::Device), k.semantics(order)];
                k.emit(Op::MemoryBarrier, None, operands);
                k.atomic(Op::AtomicStore, flag, Scope::Device, RELAXED, Some(k.group));
            });
            k.when(is_second, |k| {
                if !bad {
                    k.atomic(Op::AtomicLoad, flag, Scope::Device, RELAXED, None);
                }
                let operands = [k.scope(Scope::Device), k.semantics(order)];
                k.emit(Op::MemoryBarrier, None, operands);
                k.mark();
                k.load(k.a);
            });
        });
    });
}

/// Before 2.0, OpenCL C has no scopes; the translator of LLVM writes that of the work-group, and means all.
#[test]
fn atomic_only_in_the_work_group_since_there_are_scopes() {
    planted(at(Fault::RaceBetweenGroups, "OpAtomicIAdd").group(1), |k, bad| {
        k.groups(2);
        k.b.source(SourceLanguage::OpenCL_C, if bad { 200_000 } else { 102_000 }, None, None::<String>);
        let one = k.number(1);
        k.mark();
        k.atomic(Op::AtomicIAdd, k.a, Scope::Workgroup, RELAXED, Some(one));
    });
}
