//! Writes to memory that may only be read.

use crate::kernel::{COUNT, Kernel, at, planted};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Decoration, MemorySemantics, Op, Scope, StorageClass};
use virtual_xe::{Checks, Fault};

#[test]
fn store_to_a_constant_argument() {
    let report = planted(at(Fault::ReadOnly, "OpStore").lane(3), |k, bad| {
        let pointer = k.index(if bad { k.table } else { k.unwritten }, k.item);
        k.when_item(3, |k| {
            k.mark();
            k.store(pointer, k.item);
        });
    });
    let location = report.location.unwrap();
    let (base, size) = location.allocation.unwrap();
    assert_eq!((location.address - base, location.size, size), (12, 4, 256));
}

#[test]
fn block_write_to_a_constant_argument() {
    planted(at(Fault::ReadOnly, "OpSubgroupBlockWriteINTEL"), |k, bad| {
        k.items(16);
        let pointer = k.at(if bad { k.table } else { k.unwritten }, 16);
        k.mark();
        k.emit(Op::SubgroupBlockWriteINTEL, None, [Operand::IdRef(pointer), Operand::IdRef(k.item)]);
    });
}

#[test]
fn atomic_on_a_constant_argument() {
    planted(at(Fault::ReadOnly, "OpAtomicIAdd"), |k, bad| {
        let pointer = k.at(if bad { k.table } else { k.a }, 1);
        // To read it atomically is no fault.
        let constant = k.at(k.table, 1);
        k.atomic(Op::AtomicLoad, constant, Scope::Device, MemorySemantics::RELAXED, None);
        k.mark();
        k.atomic(Op::AtomicIAdd, pointer, Scope::Device, MemorySemantics::RELAXED, Some(k.item));
    });
}

#[test]
fn copy_to_a_constant_argument() {
    planted(at(Fault::ReadOnly, "OpCopyMemory"), |k, bad| {
        let (constant, global) = (k.index(k.table, k.item), k.index(k.unwritten, k.item));
        let (to, from) = if bad { (constant, global) } else { (global, constant) };
        if bad {
            k.store(global, k.item);
        }
        k.mark();
        k.b.copy_memory(to, from, None, None, []).unwrap();
    });
}

/// A module's table of [`COUNT`] numbers, as a pointer into global memory, which hides that it is constant.
fn hidden_table(k: &mut Kernel, class: StorageClass, is_decorated: bool) -> u32 {
    let count = k.number(COUNT as i32);
    let array = k.b.type_array(k.int, count);
    let zeros = k.b.constant_null(array);
    let pointer = k.b.type_pointer(None, class, array);
    // The builder would put it into the function.
    let table = k.b.id();
    let operands = vec![Operand::StorageClass(class), Operand::IdRef(zeros)];
    let variable = Instruction::new(Op::Variable, Some(pointer), Some(table), operands);
    k.b.module_mut().types_global_values.push(variable);
    if is_decorated {
        k.b.decorate(table, Decoration::Constant, []);
    }
    let long = k.b.type_int(64, 0);
    let address = k.emit(Op::ConvertPtrToU, Some(long), [Operand::IdRef(table)]);
    let global = k.b.type_pointer(None, StorageClass::CrossWorkgroup, k.int);
    k.emit(Op::ConvertUToPtr, Some(global), [Operand::IdRef(address)])
}

#[test]
fn store_to_a_constant_of_the_module() {
    planted(at(Fault::ReadOnly, "OpStore").lane(5), |k, bad| {
        let class = if bad { StorageClass::UniformConstant } else { StorageClass::CrossWorkgroup };
        let table = hidden_table(k, class, false);
        k.when_item(5, |k| {
            let pointer = k.index(table, k.item);
            k.load(pointer);
            k.mark();
            k.store(pointer, k.item);
        });
    });
}

#[test]
fn store_to_what_is_decorated_as_constant() {
    planted(at(Fault::ReadOnly, "OpStore"), |k, bad| {
        let table = hidden_table(k, StorageClass::CrossWorkgroup, bad);
        let pointer = k.index(table, k.item);
        k.mark();
        k.store(pointer, k.item);
    });
}

#[test]
fn nothing_is_written_even_without_the_check() {
    let (_, reports) = Kernel::run(|k| {
        k.checks(Checks { bounds: false, ..Checks::ALL });
        let constant = k.index(k.table, k.item);
        let zero = k.number(0);
        k.store(constant, zero);
        let left = k.load(constant);
        let is_lost = k.compare(Op::IEqual, left, zero);
        k.when(is_lost, |k| {
            k.b.unreachable().unwrap();
        });
    });
    assert_eq!(reports, []);
}
