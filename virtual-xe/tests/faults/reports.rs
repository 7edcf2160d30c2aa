//! Tests of the texts of reports, and that they do not depend on threads.

use crate::kernel::{Kernel, at, planted, texts};
use rspirv::dr::Operand;
use rspirv::spirv::{FunctionControl, MemoryAccess, Op, StorageClass};
use virtual_xe::{Checks, Fault};

/// The text of a report without the addresses.
fn text(report: &virtual_xe::Report) -> String {
    let text = report.to_string();
    let mut parts = text.split("0x");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |text, part| {
        text + "…" + part.trim_start_matches(|digit: char| digit.is_ascii_hexdigit())
    })
}

#[test]
fn the_text_names_everything() {
    let report = planted(at(Fault::OutOfBounds, "OpLoad").group(1).subgroup(1).lane(3), |k, bad| {
        k.groups(2);
        let by = k.number(if bad { 100 } else { 0 });
        let here = k.number(1);
        let is_group = k.compare(Op::IEqual, k.group, here);
        k.when(is_group, |k| {
            k.when_item(19, |k| {
                let place = k.compute(Op::IAdd, &[k.item, by]);
                let pointer = k.index(k.a, place);
                k.mark();
                let victim = k.load(pointer);
                k.b.name(victim, "victim");
            });
        });
    });
    let expected = format!(
        "access out of bounds: OpLoad %victim in faulty (kernel kernel), instruction {}, work-group (1,0,0), \
         subgroup 1, lane 3: 4 bytes at …, 220 bytes behind the allocation of 256 bytes at …",
        report.index
    );
    assert_eq!(text(&report), expected);
}

#[test]
fn a_race_names_the_other() {
    let report = planted(at(Fault::RaceInGroup, "OpStore").subgroup(1).lane(2), |k, bad| {
        let pointer = k.at(k.local, 6);
        k.when_item(5, |k| k.store(pointer, k.item));
        if !bad {
            k.local_barrier();
        }
        k.when_item(18, |k| {
            k.mark();
            k.store(pointer, k.item);
        });
    });
    let expected = format!(
        "data race between work-items of a work-group: OpStore in faulty (kernel kernel), instruction {}, \
         work-group (0,0,0), subgroup 1, lane 2: 4 bytes at …, byte 24 of the allocation of 256 bytes at …; \
         the other is lane 5 of subgroup 0",
        report.index
    );
    assert_eq!(text(&report), expected);
}

#[test]
fn functions_are_named() {
    let (_, reports) = Kernel::run(|k| {
        let pointer = k.at(k.a, 64);
        let void = k.b.type_void();
        let global = k.b.type_pointer(None, StorageClass::CrossWorkgroup, k.int);
        let ty = k.b.type_function(void, [global]);
        let callee = k.b.id();
        k.b.function_call(void, None, callee, [pointer]).unwrap();
        k.b.ret().unwrap();
        k.b.end_function().unwrap();
        k.b.begin_function(void, Some(callee), FunctionControl::NONE, ty).unwrap();
        k.b.name(callee, "helper");
        let parameter = k.b.function_parameter(global).unwrap();
        k.b.begin_block(None).unwrap();
        let alignment = [Operand::LiteralBit32(4)];
        k.b.load(k.int, None, parameter, Some(MemoryAccess::ALIGNED), alignment).unwrap();
    });
    let [report] = reports.as_slice() else { panic!("{}", texts(&reports)) };
    assert_eq!((report.fault, report.function.as_str(), report.index), (Fault::OutOfBounds, "helper", 1));
}

#[test]
fn reports_do_not_depend_on_threads() {
    for checks in [Checks::ALL, Checks { races: false, ..Checks::ALL }] {
        let found = [1, 2, 3, 8].map(|threads| {
            let (_, reports) = Kernel::run(|k| {
                k.groups(200);
                k.threads(threads);
                k.checks(checks);
                let place = k.compute(Op::IAdd, &[k.item, k.group]);
                let (to, from) = (k.index(k.a, place), k.index(k.unwritten, place));
                let value = k.load(from);
                k.compute(Op::SDiv, &[value, value]);
                if checks.races {
                    k.store(to, k.item);
                }
            });
            let places = reports.into_iter().map(|report| virtual_xe::Report { location: None, ..report });
            places.collect::<Vec<_>>()
        });
        assert!(found[0].len() >= 3, "{}", texts(&found[0]));
        assert!(found.iter().all(|reports| *reports == found[0]));
    }
}

#[test]
fn findings_are_one_for_each_line_and_tensor_in_the_order_of_the_source() {
    let (_, reports) = Kernel::run(|k| {
        k.checks(Checks { races: false, init: false, ..Checks::ALL });
        k.b.name(k.a, "A");
        k.b.name(k.unwritten, "B");
        let file = k.b.string("kernel.ir");
        let (a, b) = (k.at(k.a, 64), k.at(k.unwritten, 65));
        k.b.line(file, 7, 5);
        k.load(a);
        k.load(a);
        k.load(b);
        k.b.line(file, 3, 9);
        k.load(a);
        k.b.no_line();
        k.load(a);
    });
    let found: Vec<(Option<String>, Option<&str>, u64)> = reports
        .iter()
        .map(|report| {
            (report.place.as_ref().map(ToString::to_string), report.tensor.as_deref(), report.count)
        })
        .collect();
    let place = |place: &str| Some(place.to_owned());
    let expected = [
        (place("kernel.ir:3.9"), Some("%A"), 32),
        (place("kernel.ir:7.5"), Some("%A"), 64),
        (place("kernel.ir:7.5"), Some("%B"), 32),
        (None, Some("%A"), 32),
    ];
    assert_eq!(found, expected);
    let first = text(reports.first().unwrap());
    assert!(first.starts_with("kernel.ir:3.9: access out of bounds: %A, OpLoad "), "{first}");
}

#[test]
fn members_of_tables_are_named() {
    let (_, reports) = Kernel::run(|k| {
        k.checks(Checks { races: false, init: false, ..Checks::ALL });
        k.b.name(k.a, "A");
        let global = k.b.type_pointer(None, StorageClass::CrossWorkgroup, k.int);
        let table = k.b.type_pointer(None, StorageClass::CrossWorkgroup, global);
        let table = k.b.bitcast(table, None, k.a).unwrap();
        let alignment = [Operand::LiteralBit32(8)];
        let member = k.b.load(global, None, table, Some(MemoryAccess::ALIGNED), alignment).unwrap();
        k.load(member);
    });
    assert!(reports.iter().any(|report| report.fault == Fault::OutOfBounds), "{}", texts(&reports));
    let is_named = |report: &virtual_xe::Report| report.tensor.as_deref() == Some("a member of %A");
    assert!(reports.iter().all(is_named), "{}", texts(&reports));
}
