//! Reads of what nobody has written.

use crate::kernel::{Kernel, at, planted};
use rspirv::spirv::{MemorySemantics, Op, Scope, StorageClass};
use virtual_xe::{Checks, Fault};

#[test]
fn global_memory_that_nobody_has_written() {
    planted(at(Fault::Uninitialised, "OpLoad"), |k, bad| {
        let pointer = k.index(if bad { k.unwritten } else { k.a }, k.item);
        k.mark();
        k.load(pointer);
    });
}

#[test]
fn global_memory_that_the_host_has_written_in_part() {
    let report = planted(at(Fault::Uninitialised, "OpLoad").subgroup(1).lane(4), |k, bad| {
        if bad {
            k.before(|memory, _, unwritten| memory.write(unwritten, &[1; 80]).unwrap());
        } else {
            k.before(|memory, _, unwritten| memory.write(unwritten, &[1; 128]).unwrap());
        }
        let pointer = k.index(k.unwritten, k.item);
        k.mark();
        k.load(pointer);
    });
    assert_eq!(report.count, 12);
}

#[test]
fn one_byte_of_a_number() {
    planted(at(Fault::Uninitialised, "OpLoad").lane(1), |k, bad| {
        if bad {
            k.before(|memory, _, unwritten| memory.write(unwritten, &[1; 7]).unwrap());
        } else {
            k.before(|memory, _, unwritten| memory.write(unwritten, &[1; 8]).unwrap());
        }
        let pointer = k.index(k.unwritten, k.item);
        k.when_item(1, |k| {
            k.mark();
            k.load(pointer);
        });
    });
}

#[test]
fn what_the_host_may_write_counts_as_written() {
    planted(at(Fault::Uninitialised, "OpLoad").lane(8), |k, bad| {
        if bad {
            k.before(|memory, a, _| memory.forget(a + 32, 4).unwrap());
        } else {
            k.before(|memory, a, _| {
                memory.forget(a + 32, 4).unwrap();
                memory.pointer(a + 32, 4).unwrap();
            });
        }
        let pointer = k.index(k.a, k.item);
        k.mark();
        k.load(pointer);
    });
}

#[test]
fn update_of_what_nobody_has_written() {
    planted(at(Fault::Uninitialised, "OpAtomicIAdd"), |k, bad| {
        k.when_item(0, |k| {
            let one = k.number(1);
            if !bad {
                k.atomic(Op::AtomicStore, k.unwritten, Scope::Device, MemorySemantics::RELAXED, Some(one));
            }
            k.mark();
            k.atomic(Op::AtomicIAdd, k.unwritten, Scope::Device, MemorySemantics::RELAXED, Some(one));
        });
    });
}

#[test]
fn block_read_of_what_nobody_has_written() {
    planted(at(Fault::Uninitialised, "OpSubgroupBlockReadINTEL").lane(15), |k, bad| {
        k.items(16);
        if bad {
            k.before(|memory, _, unwritten| memory.write(unwritten, &[1; 60]).unwrap());
        } else {
            k.before(|memory, _, unwritten| memory.write(unwritten, &[1; 64]).unwrap());
        }
        k.mark();
        k.compute(Op::SubgroupBlockReadINTEL, &[k.unwritten]);
    });
}

#[test]
fn local_memory_that_nobody_has_written() {
    planted(at(Fault::Uninitialised, "OpLoad").lane(5), |k, bad| {
        k.when_item(5, |k| {
            let pointer = k.at(k.local, 9);
            if !bad {
                k.store(pointer, k.item);
            }
            k.mark();
            k.load(pointer);
        });
    });
}

#[test]
fn local_memory_of_another_work_group() {
    // Where it is written, only the first work-group does it.
    planted(at(Fault::Uninitialised, "OpLoad").group(1).lane(2), |k, bad| {
        k.groups(2);
        let pointer = k.index(k.local, k.item);
        let most = k.number(if bad { 0 } else { 1 });
        let writes = k.compare(Op::ULessThanEqual, k.group, most);
        k.when(writes, |k| k.store(pointer, k.item));
        k.when_item(2, |k| {
            k.mark();
            k.load(pointer);
        });
    });
}

#[test]
fn private_memory_that_nobody_has_written() {
    planted(at(Fault::Uninitialised, "OpLoad").lane(7), |k, bad| {
        k.items(16);
        let ty = k.b.type_pointer(None, StorageClass::Function, k.int);
        let variable = k.b.variable(ty, None, StorageClass::Function, None);
        let limit = k.number(if bad { 7 } else { 16 });
        let writes = k.compare(Op::ULessThan, k.lane, limit);
        k.when(writes, |k| k.store(variable, k.item));
        k.when_lane(7, |k| {
            k.mark();
            k.load(variable);
        });
    });
}

#[test]
fn initialisation_need_not_be_checked() {
    let (_, reports) = Kernel::run(|k| {
        k.checks(Checks { init: false, ..Checks::ALL });
        let (global, local) = (k.index(k.unwritten, k.item), k.index(k.local, k.item));
        k.load(global);
        k.load(local);
    });
    assert_eq!(reports, []);
}
