//! Ownership: instructions, regions, iterators, functions, and handles of what is gone.

use super::*;

/// A function with two index parameters in a new context.
fn setup() -> (tiletc_compiler_context_t, tiletc_func_t, tiletc_region_t, [tiletc_value_t; 2]) {
    let context = new_context();
    let index = ty(context, tiletc_index_type_get);
    let func = function(context, "f", &[index, index]).unwrap();
    let body = body(func);
    let parameters = parameters(body);
    (context, func, body, parameters.try_into().unwrap())
}

fn begin(region: tiletc_region_t) -> tiletc_inst_iterator_t {
    made(|out| unsafe { tiletc_region_begin(region, out) }).unwrap()
}

fn end(region: tiletc_region_t) -> tiletc_inst_iterator_t {
    made(|out| unsafe { tiletc_region_end(region, out) }).unwrap()
}

fn walk(region: tiletc_region_t) -> Vec<tiletc_inst_t> {
    let (mut at, end, mut found) = (begin(region), end(region), Vec::new());
    while at != end {
        found.push(at);
        ok(unsafe { tiletc_next_inst(&raw mut at) });
    }
    for &expected in found.iter().rev() {
        ok(unsafe { tiletc_prev_inst(&raw mut at) });
        assert_eq!(at, expected);
    }
    refused(unsafe { tiletc_prev_inst(&raw mut at) });
    found
}

#[test]
fn instructions_are_put_before_an_iterator_and_walked_in_both_directions() {
    let (context, func, body, [a, b]) = setup();
    assert_eq!(begin(body), end(body));
    assert_eq!(walk(body), []);
    let (first, second, third) = (sum(context, a, b), integer(context, 7), integer(context, 8));
    append(body, first);
    append(body, third);
    let mut at = third;
    ok(unsafe { tiletc_region_insert(body, &raw mut at, second) });
    assert_eq!(at, second);
    assert_eq!(walk(body), [first, second, third]);
    let mut at = end(body);
    let last = sum(context, results(first)[0], results(third)[0]);
    ok(unsafe { tiletc_region_insert(body, &raw mut at, last) });
    assert_eq!(walk(body), [first, second, third, last]);
    let mut at = begin(body);
    let zeroth = integer(context, 0);
    ok(unsafe { tiletc_region_insert(body, &raw mut at, zeroth) });
    assert_eq!(walk(body), [zeroth, first, second, third, last]);

    // Beyond the end.
    let mut at = end(body);
    refused(unsafe { tiletc_next_inst(&raw mut at) });
    assert_eq!(at, end(body));
    // What is used stays, and so does the iterator.
    let mut at = first;
    expect(unsafe { tiletc_region_erase(body, &raw mut at) }, Status::IrValueStillHasUses);
    assert_eq!(at, first);
    let mut at = last;
    ok(unsafe { tiletc_region_erase(body, &raw mut at) });
    assert_eq!(at, end(body));
    let mut at = first;
    ok(unsafe { tiletc_region_erase(body, &raw mut at) });
    assert_eq!(at, second);
    assert_eq!(walk(body), [zeroth, second, third]);
    let mut at = end(body);
    refused(unsafe { tiletc_region_erase(body, &raw mut at) });
    unsafe { tiletc_func_destroy(func) };
    release(context);
}

#[test]
fn a_handle_of_what_was_freed_is_refused() {
    let (context, func, body, [a, b]) = setup();
    let inst = sum(context, a, b);
    let value = results(inst)[0];
    append(body, inst);
    let mut at = inst;
    ok(unsafe { tiletc_region_erase(body, &raw mut at) });
    // The next one takes its place in memory.
    let other = sum(context, a, b);
    assert_ne!(other, inst);
    let (mut size, mut region, mut name) = (0, null_mut(), null());
    refused(unsafe { tiletc_inst_get_values(inst, &raw mut size, null_mut()) });
    refused(unsafe { tiletc_inst_get_parent_region(inst, &raw mut region) });
    refused(unsafe { tiletc_value_get_name(value, &raw mut name) });
    refused(unsafe { tiletc_region_append(body, inst) });
    let mut at = inst;
    refused(unsafe { tiletc_next_inst(&raw mut at) });
    refused(unsafe { tiletc_region_erase(body, &raw mut at) });
    let index = ty(context, tiletc_index_type_get);
    let outcome = made(|out| unsafe { tiletc_add_inst_create(out, a, value, index, null()) });
    assert_eq!(outcome, Err(Status::InvalidArguments));
    unsafe {
        tiletc_inst_destroy(inst);
        tiletc_inst_destroy(other);
        tiletc_func_destroy(func);
    }
    refused(unsafe { tiletc_func_set_attr(func, null_mut()) });
    refused(unsafe { tiletc_region_begin(body, &raw mut at) });
    release(context);
}

#[test]
fn an_instruction_has_one_owner() {
    let (context, func, body, [a, b]) = setup();
    let inst = sum(context, a, b);
    let mut parent = body;
    ok(unsafe { tiletc_inst_get_parent_region(inst, &raw mut parent) });
    assert!(parent.is_null());
    let mut at = inst;
    // An instruction without a region is no place in one.
    refused(unsafe { tiletc_next_inst(&raw mut at) });
    append(body, inst);
    refused(unsafe { tiletc_region_append(body, inst) });
    let mut at = end(body);
    refused(unsafe { tiletc_region_insert(body, &raw mut at, inst) });
    // No longer the caller's.
    unsafe { tiletc_inst_destroy(inst) };
    assert_eq!(walk(body), [inst]);

    let other = function(context, "g", &[]).unwrap();
    let mut at = inst;
    let constant = integer(context, 1);
    refused(unsafe { tiletc_region_insert(self::body(other), &raw mut at, constant) });
    refused(unsafe { tiletc_region_erase(self::body(other), &raw mut at) });

    let (one, two) = (new_program(context), new_program(context));
    ok(unsafe { tiletc_prog_add_function(one, func) });
    refused(unsafe { tiletc_prog_add_function(one, func) });
    refused(unsafe { tiletc_prog_add_function(two, func) });
    unsafe { tiletc_func_destroy(func) };
    assert!(print(one).contains("add %0, %1"), "{}", print(one));
    assert_eq!(print(two), "");
    ok(unsafe { tiletc_prog_release(one) });
    ok(unsafe { tiletc_prog_release(two) });
    unsafe {
        tiletc_func_destroy(other);
        tiletc_inst_destroy(constant);
    }
    release(context);
}

#[test]
fn what_the_user_owns_keeps_its_context_alive() {
    let (context, func, _, [a, b]) = setup();
    let inst = sum(context, a, b);
    release(context);
    append(body(func), inst);
    assert_eq!(walk(body(func)), [inst]);
    unsafe { tiletc_func_destroy(func) };

    let (context, func, _, [a, b]) = setup();
    let inst = sum(context, a, b);
    unsafe { tiletc_func_destroy(func) };
    release(context);
    // Its operands are gone, its result is not.
    assert_eq!(results(inst).len(), 1);
    unsafe { tiletc_inst_destroy(inst) };
}

#[test]
fn a_destroyed_instruction_leaves_those_that_use_it_alone() {
    let (context, func, body, [a, b]) = setup();
    let inst = sum(context, a, b);
    let user = sum(context, results(inst)[0], a);
    unsafe { tiletc_inst_destroy(inst) };
    append(body, user);
    let program = new_program(context);
    ok(unsafe { tiletc_prog_add_function(program, func) });
    let info = device("pvc");
    let mut module = null_mut();
    let status = unsafe { tiletc_prog_compile_to_spirv(&raw mut module, program, info) };
    expect(status, Status::SpirvUndefinedValue);
    ok(unsafe { tiletc_prog_release(program) });
    ok(unsafe { tiletc_core_info_release(info) });
    release(context);
}

#[test]
fn instructions_without_a_context_find_one() {
    let (context, func, body, [a, b]) = setup();
    let barrier = || made(|out| unsafe { tiletc_barrier_inst_create(out, 2, null()) }).unwrap();
    // Outer and inner are filled before either is in the function.
    let (outer, inner, last) = (parallel(), parallel(), barrier());
    let (outside, inside) = (regions(outer)[0], regions(inner)[0]);
    let first = barrier();
    append(inside, first);
    append(outside, inner);
    append(outside, last);
    assert_eq!(walk(outside), [inner, last]);
    assert_eq!(walk(inside), [first]);
    let mut parent = null_mut();
    ok(unsafe { tiletc_inst_get_parent_region(inner, &raw mut parent) });
    assert_eq!(parent, outside);
    // The first thing with a context takes all of them there; the handles stay what they were.
    let addition = sum(context, a, b);
    append(inside, addition);
    assert_eq!(walk(inside), [first, addition]);
    assert_eq!(walk(outside), [inner, last]);
    let mut at = end(inside);
    ok(unsafe { tiletc_region_insert(inside, &raw mut at, barrier()) });
    append(body, outer);
    assert_eq!(walk(body), [outer]);
    assert_eq!(regions(outer), [outside]);
    let program = new_program(context);
    ok(unsafe { tiletc_prog_add_function(program, func) });
    let text = print(program);
    let expected = "func @f(%0: index,
        %1: index) {
    parallel {
        parallel {
            barrier.local
            %2 = add %0, %1 : index
            barrier.local
        }
        barrier.local
    }
}
";
    assert_eq!(text, expected);
    ok(unsafe { tiletc_prog_release(program) });
    // One that never finds a context goes by itself.
    unsafe { tiletc_inst_destroy(parallel()) };
    release(context);
}

#[test]
fn contexts_do_not_mix() {
    let (context, func, body, [a, _]) = setup();
    let (other, stranger, _, [b, _]) = setup();
    let index = ty(context, tiletc_index_type_get);
    let mixed = |a, b, ty| made(|out| unsafe { tiletc_add_inst_create(out, a, b, ty, null()) });
    assert_eq!(mixed(a, b, index), Err(Status::InvalidArguments));
    assert_eq!(mixed(b, b, index), Err(Status::InvalidArguments));
    let inst = sum(other, b, b);
    refused(unsafe { tiletc_region_append(body, inst) });
    let program = new_program(context);
    refused(unsafe { tiletc_prog_add_function(program, stranger) });
    assert_eq!(function(other, "g", &[index]), Err(Status::InvalidArguments));
    unsafe {
        tiletc_inst_destroy(inst);
        tiletc_func_destroy(func);
        tiletc_func_destroy(stranger);
    }
    ok(unsafe { tiletc_prog_release(program) });
    release(context);
    release(other);
}

#[test]
fn nothing_lies_in_itself_and_nothing_too_deep() {
    let (context, func, body, _) = setup();
    let own = parallel();
    refused(unsafe { tiletc_region_append(regions(own)[0], own) });
    let inner = parallel();
    append(regions(own)[0], inner);
    refused(unsafe { tiletc_region_append(regions(inner)[0], own) });
    unsafe { tiletc_inst_destroy(own) };

    // From the outside to the inside, and the other way round.
    for outside_in in [true, false] {
        let mut region = body;
        let mut tower = parallel();
        let outcome = (0..100).find_map(|_| {
            let next = parallel();
            let status = if outside_in {
                unsafe { tiletc_region_append(region, next) }
            } else {
                unsafe { tiletc_region_append(regions(next)[0], tower) }
            };
            if status != 0 {
                unsafe { tiletc_inst_destroy(next) };
                return Some(status);
            }
            region = regions(next)[0];
            if !outside_in {
                tower = next;
            }
            None
        });
        expect(outcome.unwrap(), Status::OutOfRange);
        unsafe { tiletc_inst_destroy(tower) };
    }
    unsafe { tiletc_func_destroy(func) };
    release(context);
}

#[test]
fn many_programs_in_one_context_take_no_more_memory() {
    let context = new_context();
    let index = ty(context, tiletc_index_type_get);
    let mut handles = std::collections::HashSet::new();
    for i in 0..200 {
        let func = function(context, &format!("f{i}"), &[index]).unwrap();
        let body = body(func);
        for _ in 0..50 {
            let inst = sum(context, parameters(body)[0], parameters(body)[0]);
            append(body, inst);
            handles.insert(results(inst)[0]);
        }
        let program = new_program(context);
        ok(unsafe { tiletc_prog_add_function(program, func) });
        ok(unsafe { tiletc_prog_release(program) });
    }
    // Of 10,000 values that lived one after the other.
    assert!(handles.len() < 5000, "{}", handles.len());
    release(context);
}
