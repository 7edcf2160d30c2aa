//! Copies that a work-group makes together.

use crate::kernel::{Kernel, at, planted};
use rspirv::dr::Operand;
use rspirv::spirv::{Op, Scope, Word};
use virtual_xe::Fault;

/// Starts a copy of so many numbers; returns its event.
fn copy(k: &mut Kernel, to: Word, from: Word, count: Word) -> Word {
    let event = k.b.type_event();
    let (none, one) = (k.b.constant_null(event), k.number(1));
    let ids = [to, from, count, one, none].map(Operand::IdRef);
    let operands = [k.scope(Scope::Workgroup)].into_iter().chain(ids);
    k.emit(Op::GroupAsyncCopy, Some(event), operands)
}

/// Waits for it.
fn wait(k: &mut Kernel) {
    let event = k.b.type_event();
    let pointer = k.b.type_pointer(None, rspirv::spirv::StorageClass::Function, event);
    let events = k.b.constant_null(pointer);
    let operands = [k.scope(Scope::Workgroup), Operand::IdRef(k.number(1)), Operand::IdRef(events)];
    k.emit(Op::GroupWaitEvents, None, operands);
}

#[test]
fn a_read_before_the_copy_is_waited_for() {
    // Its neighbour copies what the first work-item reads.
    planted(at(Fault::RaceInGroup, "OpLoad"), |k, bad| {
        let count = k.number(32);
        copy(k, k.local, k.a, count);
        if !bad {
            wait(k);
        }
        let zero = k.number(0);
        let is_first = k.compare(Op::IEqual, k.item, zero);
        k.when(is_first, |k| {
            let pointer = k.at(k.local, 1);
            k.mark();
            k.load(pointer);
        });
        if bad {
            wait(k);
        }
    });
}

#[test]
fn a_copy_beyond_the_end() {
    planted(at(Fault::LocalOutOfBounds, "OpGroupAsyncCopy"), |k, bad| {
        // There is room for 64 numbers.
        let middle = k.at(k.local, 32);
        let count = k.number(if bad { 33 } else { 32 });
        k.mark();
        copy(k, middle, k.a, count);
        wait(k);
    });
}

#[test]
fn a_count_that_lanes_do_not_share() {
    planted(at(Fault::NotUniform, "OpGroupAsyncCopy").lane(1), |k, bad| {
        k.items(16);
        let sixteen = k.number(16);
        let count = if bad { k.compute(Op::IAdd, &[sixteen, k.lane]) } else { sixteen };
        k.mark();
        copy(k, k.local, k.a, count);
        wait(k);
    });
}
