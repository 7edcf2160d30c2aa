//! Accesses to what is not there, and addresses that are not as aligned as promised.

use crate::kernel::{COUNT, Kernel, at, planted};
use rspirv::dr::Operand;
use rspirv::spirv::{MemorySemantics, Op, Scope, StorageClass};
use virtual_xe::{Checks, Fault};

/// The number of the work-item, shifted by one if there is to be a fault, so that the last one is outside.
fn place(k: &mut Kernel, bad: bool) -> u32 {
    k.items(COUNT);
    let by = k.number(i32::from(bad));
    k.compute(Op::IAdd, &[k.item, by])
}

#[test]
fn load_behind_the_end() {
    let report = planted(at(Fault::OutOfBounds, "OpLoad").subgroup(3).lane(15), |k, bad| {
        let place = place(k, bad);
        let pointer = k.index(k.a, place);
        k.mark();
        k.load(pointer);
    });
    let location = report.location.unwrap();
    let (base, size) = location.allocation.unwrap();
    assert_eq!((location.address - base, location.size, size), (256, 4, 256));
}

#[test]
fn store_behind_the_end() {
    planted(at(Fault::OutOfBounds, "OpStore").subgroup(3).lane(15), |k, bad| {
        let place = place(k, bad);
        let pointer = k.index(k.a, place);
        k.mark();
        k.store(pointer, k.item);
    });
}

#[test]
fn load_before_the_start() {
    planted(at(Fault::OutOfBounds, "OpLoad"), |k, bad| {
        let by = k.number(i32::from(bad));
        let place = k.compute(Op::ISub, &[k.item, by]);
        let pointer = k.index(k.a, place);
        k.mark();
        k.load(pointer);
    });
}

#[test]
fn load_across_the_end() {
    planted(at(Fault::OutOfBounds, "OpLoad"), |k, bad| {
        let pointer = k.at(k.a, COUNT as i32 - 1);
        let long = k.b.type_int(64, 0);
        let wide = k.b.type_pointer(None, StorageClass::CrossWorkgroup, if bad { long } else { k.int });
        let pointer = k.b.bitcast(wide, None, pointer).unwrap();
        k.mark();
        let alignment = [Operand::LiteralBit32(4)];
        let flags = Some(rspirv::spirv::MemoryAccess::ALIGNED);
        let ty = if bad { long } else { k.int };
        k.b.load(ty, None, pointer, flags, alignment).unwrap();
    });
}

#[test]
fn null_pointer() {
    planted(at(Fault::OutOfBounds, "OpStore"), |k, bad| {
        let ty = k.b.type_pointer(None, StorageClass::CrossWorkgroup, k.int);
        let null = k.b.constant_null(ty);
        let pointer = if bad { null } else { k.a };
        let zero = k.number(0);
        k.mark();
        k.store(pointer, zero);
    });
}

#[test]
fn atomic_behind_the_end() {
    planted(at(Fault::OutOfBounds, "OpAtomicIAdd").subgroup(3).lane(15), |k, bad| {
        let place = place(k, bad);
        let pointer = k.index(k.a, place);
        k.mark();
        k.atomic(Op::AtomicIAdd, pointer, Scope::Device, MemorySemantics::RELAXED, Some(k.item));
    });
}

#[test]
fn block_read_behind_the_end() {
    planted(at(Fault::OutOfBounds, "OpSubgroupBlockReadINTEL").lane(15), |k, bad| {
        k.items(16);
        let pointer = k.at(k.a, if bad { 49 } else { 48 });
        k.mark();
        k.compute(Op::SubgroupBlockReadINTEL, &[pointer]);
    });
}

#[test]
fn block_write_behind_the_end() {
    planted(at(Fault::OutOfBounds, "OpSubgroupBlockWriteINTEL").lane(12), |k, bad| {
        k.items(16);
        let pointer = k.at(k.a, if bad { 52 } else { 48 });
        k.mark();
        k.emit(Op::SubgroupBlockWriteINTEL, None, [Operand::IdRef(pointer), Operand::IdRef(k.item)]);
    });
}

#[test]
fn use_after_free() {
    planted(at(Fault::UseAfterFree, "OpLoad").lane(3), |k, bad| {
        if bad {
            k.before(|memory, a, _| memory.free(a).unwrap());
        }
        k.when_item(3, |k| {
            let pointer = k.at(k.a, 5);
            k.mark();
            k.load(pointer);
        });
    });
}

#[test]
fn store_after_free() {
    planted(at(Fault::UseAfterFree, "OpStore").subgroup(1).lane(1), |k, bad| {
        if bad {
            k.before(|memory, _, unwritten| memory.free(unwritten).unwrap());
        }
        k.when_item(17, |k| {
            k.mark();
            k.store(k.unwritten, k.item);
        });
    });
}

#[test]
fn local_load_behind_the_end() {
    planted(at(Fault::LocalOutOfBounds, "OpLoad").subgroup(3).lane(15), |k, bad| {
        let own = k.index(k.local, k.item);
        k.items(COUNT);
        k.store(own, k.item);
        let place = place(k, bad);
        let pointer = k.index(k.local, place);
        k.local_barrier();
        k.mark();
        k.load(pointer);
    });
}

#[test]
fn local_store_behind_the_end() {
    planted(at(Fault::LocalOutOfBounds, "OpStore").subgroup(3).lane(15), |k, bad| {
        let place = place(k, bad);
        let pointer = k.index(k.local, place);
        k.mark();
        k.store(pointer, k.item);
    });
}

#[test]
fn private_store_behind_the_end() {
    planted(at(Fault::PrivateOutOfBounds, "OpStore").lane(4), |k, bad| {
        let four = k.number(4);
        let array = k.b.type_array(k.int, four);
        let ty = k.b.type_pointer(None, StorageClass::Function, array);
        let variable = k.b.variable(ty, None, StorageClass::Function, None);
        let element = k.b.type_pointer(None, StorageClass::Function, k.int);
        let limit = k.number(if bad { 5 } else { 4 });
        let is_inside = k.compare(Op::ULessThan, k.lane, limit);
        k.items(16);
        k.when(is_inside, |k| {
            let pointer = k.b.in_bounds_access_chain(element, None, variable, [k.lane]).unwrap();
            k.mark();
            k.store(pointer, k.item);
        });
    });
}

#[test]
fn false_promise_of_alignment() {
    planted(at(Fault::Misaligned, "OpLoad").lane(1), |k, bad| {
        k.items(16);
        let pointer = k.index(k.a, k.item);
        k.mark();
        k.load_aligned(pointer, if bad { 8 } else { 4 });
    });
}

#[test]
fn false_promise_of_a_store() {
    let report = planted(at(Fault::Misaligned, "OpStore").lane(2), |k, bad| {
        k.items(16);
        let two = k.number(2);
        let place = k.compute(Op::IMul, &[k.item, two]);
        let pointer = k.index(k.a, place);
        k.when_item(2, |k| {
            k.mark();
            k.store_aligned(pointer, k.item, if bad { 32 } else { 16 });
        });
    });
    let location = report.location.unwrap();
    let (base, size) = location.allocation.unwrap();
    assert_eq!((location.address - base, size), (16, 256));
}

#[test]
fn misaligned_block_read() {
    planted(at(Fault::Misaligned, "OpSubgroupBlockReadINTEL"), |k, bad| {
        k.items(16);
        let byte = k.b.type_int(8, 0);
        let bytes = k.b.type_pointer(None, StorageClass::CrossWorkgroup, byte);
        let start = k.b.bitcast(bytes, None, k.a).unwrap();
        let by = k.number(if bad { 2 } else { 4 });
        let pointer = k.b.in_bounds_ptr_access_chain(bytes, None, start, by, []).unwrap();
        let ints = k.b.type_pointer(None, StorageClass::CrossWorkgroup, k.int);
        let pointer = k.b.bitcast(ints, None, pointer).unwrap();
        k.mark();
        k.compute(Op::SubgroupBlockReadINTEL, &[pointer]);
    });
}

#[test]
fn misaligned_block_write() {
    planted(at(Fault::Misaligned, "OpSubgroupBlockWriteINTEL"), |k, bad| {
        k.items(16);
        let pointer = k.at(k.a, if bad { 3 } else { 4 });
        k.mark();
        k.emit(Op::SubgroupBlockWriteINTEL, None, [Operand::IdRef(pointer), Operand::IdRef(k.item)]);
    });
}

#[test]
fn misaligned_local_block_read() {
    planted(at(Fault::Misaligned, "OpSubgroupBlockReadINTEL"), |k, bad| {
        k.items(32);
        let own = k.index(k.local, k.item);
        k.store(own, k.item);
        k.local_barrier();
        let pointer = k.at(k.local, if bad { 2 } else { 4 });
        let zero = k.number(0);
        let is_first = k.compare(Op::IEqual, k.subgroup, zero);
        k.when(is_first, |k| {
            k.mark();
            k.compute(Op::SubgroupBlockReadINTEL, &[pointer]);
        });
    });
}

#[test]
fn bounds_need_not_be_checked() {
    let (_, reports) = Kernel::run(|k| {
        k.checks(Checks { bounds: false, ..Checks::ALL });
        // Another argument may lie there, on which several would race.
        let zero = k.number(0);
        let is_first = k.compare(Op::IEqual, k.item, zero);
        let pointer = k.at(k.a, 1000);
        k.when(is_first, |k| k.store(pointer, k.item));
    });
    assert_eq!(reports, []);
}
