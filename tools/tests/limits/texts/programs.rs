//! Programs that are much to analyse and to lower.

use super::{Case, TOO_MUCH, counted, filled, list, repeated};
use crate::Expected::{Anything, Module};

/// A matrix of 2048 components for each work-item.
const MATRIX: &str = "$c=coopmatrix<f32x64x512,matrix_acc>\n";
const MATRICES: &str = "$c=coopmatrix<f32x64x512,matrix_acc>\n\
    func @f(%m:memref<f32x?x?>,%i:index,%j:i32){parallel{%0=cooperative_matrix_load %m[%i,%i]:$c\n";

pub fn all() -> Vec<Case> {
    [functions(), chains(), memory(), regions(), growth()].concat()
}

fn functions() -> Vec<Case> {
    vec![
        ("functions", |most| filled(most, "", |i| format!("func @{i}(){{}}\n"), ""), Module),
        (
            "function_types",
            |most| {
                let ty = |i: usize| ["i8", "i16", "i32", "i64"][i % 4];
                filled(
                    most,
                    "",
                    |i| format!("func @{i}(%a:memref<{}x?x{i}>,%b:{}){{}}\n", ty(i), ty(i / 4)),
                    "",
                )
            },
            Module,
        ),
        (
            "array_types",
            |most| {
                let body =
                    |i: usize| format!("%a=alloca:memref<f32x{},local>\naxpby %x,%a,%x,%a", i % 9000 + 1);
                filled(most, "", |i| format!("func @{i}(%x:f32){{{}}}\n", body(i)), "")
            },
            Module,
        ),
        ("parameters", |most| filled(most, "func @f(%a:i8", |i| format!(",%{i}:i8"), "){}"), TOO_MUCH),
    ]
}

fn chains() -> Vec<Case> {
    vec![
        (
            "sums",
            |most| {
                let add = |i| format!("%{}=add %{i},%0:i32\n", i + 1);
                filled(most, "func @f(%0:i32,%a:memref<i32>){", add, "store %9999,%a[]}")
            },
            Module,
        ),
        (
            "sums_of_zero",
            |most| {
                let add = |i| format!("%{}=add %{i},%z:i32\n", i + 1);
                filled(most, "func @f(%0:i32,%a:memref<i32>){%z=constant 0:i32\n", add, "store %9999,%a[]}")
            },
            Module,
        ),
        (
            "complex_quotients",
            |most| {
                let div = |i| format!("%{}=div %{i},%0:c32\n", i + 1);
                filled(most, "func @f(%0:c32,%a:memref<c32>){", div, "store %19999,%a[]}")
            },
            Module,
        ),
        (
            "views_of_views",
            |most| {
                let view = |i| format!("%{}=subview %{i}[%n:%n]:memref<i8x?>\n", i + 1);
                let (head, last) = counted(most / 2, "func @f(%0:memref<i8x?>,%n:index,%c:i8){", view, "");
                filled(most, &head, |_| format!("store %c,%{last}[%n]\n"), "}")
            },
            Module,
        ),
        // Parts of a parameter, each at a position that is a sum of all before.
        (
            "parts_at_sums",
            |most| {
                let part = |i| {
                    let at = i + 1;
                    format!(
                        "%{at}=add %{i},%c:index\n%v{i}=subview %Q[0:8,%{at}]:memref<i8x8>\nstore %x,%v{i}[%0]\n"
                    )
                };
                filled(most, "func @f(%Q:memref<i8x8x?>,%0:index,%x:i8){%c=constant 1:index\n", part, "}")
            },
            Module,
        ),
        (
            "product_of_a_part_at_a_sum",
            |most| {
                let sum = |i| format!("%{}=add %{i},%0:index\n", i + 1);
                let head = "func @f(%Q:memref<f32x8x8x?>,%A:memref<f32x8x8>,%x:f32,%0:index){";
                let (head, last) = counted(most - 200, head, sum, "");
                format!("{head}%q=subview %Q[0:8,0:8,%{last}]:memref<f32x8x8> gemm %x,%A,%q,%x,%q}}")
            },
            Module,
        ),
        (
            "parts_at_constants",
            |most| {
                let part = |i| format!("%v{i}=subview %Q[0:8,{i}]:memref<i8x8>\nstore %x,%v{i}[%n]\n");
                filled(most, "func @f(%Q:memref<i8x8x?>,%n:index,%x:i8){", part, "}")
            },
            Module,
        ),
        (
            "casts_of_casts",
            |most| {
                let cast = |i| format!("%{}=memref_cast.t %{i}:memref<f32x?x?,strided<?,?>>\n", i + 1);
                let head = "func @f(%0:memref<f32x?x?,strided<?,?>>,%n:index){%s=size %0[0]:index\n";
                let (head, last) = counted(most - 200, head, cast, "");
                let load = "mask(%r,%c){%p=less_than %r,%s:bool yield(%p)}:tile<f32x16x16,matrix_acc>";
                format!("{head}%t=tile_load %{last}[%n,%n]{load} tile_store %t,%0[%n,%n]}}")
            },
            Module,
        ),
        // Each branch is known, and its result that of the one before.
        (
            "known_branches",
            |most| {
                let branch = |i| format!("%{}=if %t->(i32){{yield(%{i})}}else{{yield(%{i})}}\n", i + 1);
                let head = "func @f(%a:memref<i32>,%0:i32){%t=constant true:bool\n";
                let (head, last) = counted(3 * most / 5, head, branch, "");
                filled(most, &head, |_| format!("store %{last},%a[]\n"), "}")
            },
            Module,
        ),
    ]
}

fn memory() -> Vec<Case> {
    vec![
        (
            "allocations",
            |most| {
                filled(
                    most,
                    "func @f(%c:i8){",
                    |i| format!("%{i}=alloca:memref<i8,local>\nstore %c,%{i}[]\n"),
                    "}",
                )
            },
            Module,
        ),
        (
            "live_allocations",
            |most| {
                let alloca = |i| format!("%{i}=alloca:memref<i8,local>\n");
                let (head, count) = counted(3 * most / 5, "func @f(%c:i8){", alloca, "");
                head + &(0..count).map(|i| format!("store %c,%{}[]\n", count - 1 - i)).collect::<String>()
                    + "}"
            },
            Module,
        ),
        (
            "empty_allocations",
            |most| {
                let alloca = |i| format!("%{i}=alloca:memref<i8x0,local>\n");
                let (head, count) = counted(most / 2, "func @f(%c:i8,%n:index){", alloca, "");
                head + &(0..count).map(|i| format!("store %c,%{i}[%n]\n")).collect::<String>() + "}"
            },
            Anything,
        ),
        (
            "pending_accesses",
            |most| {
                let load = |i| format!("%{i}=load %G[%i]:memref<i8>\nstore %c,%{i}[]\n");
                let head = "func @f(%n:index,%i:index,%c:i8,%G:group<memref<i8>x?>){\
                        %p=equal %c,%c:bool\nfor %l=%i,%n{";
                let (head, count) = counted(most / 2, head, load, "");
                filled(most, &head, |i| format!("if %p{{store %c,%{}[]}}\n", i % count), "}}")
            },
            Module,
        ),
        (
            "loops_around_accesses",
            |most| {
                let loops: String = (0..60).map(|i| format!("for %i{i}=%n,%n{{")).collect();
                let head = format!("func @f(%i:index,%c:i8,%n:i32,%G:group<memref<i8>x?>){{{loops}");
                let access = |i| format!("%{i}=load %G[%i]:memref<i8>\nstore %c,%{i}[]\n");
                filled(most, &head, access, &"}".repeat(61))
            },
            Module,
        ),
        (
            "local_memory",
            |most| {
                filled(
                    most,
                    "func @f(%c:f32,%i:index){",
                    |i| format!("%{i}=alloca:memref<f32x999,local>\n"),
                    "store %c,%0[%i]}",
                )
            },
            Anything,
        ),
    ]
}

fn regions() -> Vec<Case> {
    vec![
        (
            "branches",
            |most| repeated(most, "func @f(%p:i8){%b=equal %p,%p:bool\n", "if %b{barrier}\n", "}"),
            Module,
        ),
        ("loops", |most| repeated(most, "func @f(%p:i8,%q:i8){", "for %i=%p,%q{barrier}\n", "}"), Module),
        (
            "ranges",
            |most| repeated(most, "func @f(%a:i8,%b:i8){", "foreach(%1)=(%a),(%b){barrier}\n", "}"),
            Module,
        ),
        (
            "carried_values",
            |most| {
                let count = most / 29;
                let init = list(count, |i| format!("%{i}=%z"));
                let (types, values) = (list(count, |_| "i32".into()), list(count, |i| format!("%{i}")));
                format!("func @f(%z:i32,%n:i32){{for %i=%z,%n init({init})->({types}){{yield({values})}}}}")
            },
            Module,
        ),
        (
            "wide_ranges",
            |most| {
                let [names, from, to] = [|i| format!("%{i}"), |_| "%a".to_owned(), |_| "%b".to_owned()]
                    .map(|item: fn(usize) -> String| list(32, item));
                repeated(
                    most,
                    "func @f(%a:i8,%b:i8){",
                    &format!("foreach({names})=({from}),({to}){{}}\n"),
                    "}",
                )
            },
            TOO_MUCH,
        ),
    ]
}

/// Instructions that become many.
fn growth() -> Vec<Case> {
    vec![
        (
            "gemms",
            |most| repeated(most, "func @f(%m:memref<f32x64x64>,%a:f32){", "gemm %a,%m,%m,%a,%m\n", "}"),
            TOO_MUCH,
        ),
        (
            "dynamic_gemms",
            |most| repeated(most, "func @f(%m:memref<f32x?x?>,%a:f32){", "gemm %a,%m,%m,%a,%m\n", "}"),
            TOO_MUCH,
        ),
        (
            "vector_sums",
            |most| {
                repeated(most, "func @f(%m:memref<f32x?>,%s:memref<f32>,%a:f32){", "sum %a,%m,%a,%s\n", "}")
            },
            TOO_MUCH,
        ),
        (
            "running_sums",
            |most| repeated(most, "func @f(%m:memref<f32x?x?>,%a:f32){", "cumsum %a,%m,0,%a,%m\n", "}"),
            TOO_MUCH,
        ),
        (
            "axpbys",
            |most| repeated(most, "func @f(%m:memref<f32x?x?>,%a:f32){", "axpby %a,%m,%a,%m\n", "}"),
            TOO_MUCH,
        ),
        (
            "long_apply",
            |most| {
                let head = format!("{MATRICES}%1=cooperative_matrix_apply(%a,%b,%x0)=%0->$c{{");
                let add = |i| format!("%x{}=add %x{i},%x0:f32\n", i + 1);
                filled(most, &head, add, "yield(%x1)}\ncooperative_matrix_store %1,%m[%i,%i]}}")
            },
            Module,
        ),
        (
            "nested_apply",
            |_| {
                let apply = |n: usize, inner: &str| {
                    format!(
                        "%r{n}=cooperative_matrix_apply(%a{n},%b{n},%x{n})=%0->$c{{{inner}yield(%x{n})}}\n"
                    )
                };
                let nest = (0..20).fold(String::new(), |inner, n| apply(n, &inner));
                format!("{MATRICES}{nest}cooperative_matrix_store %r19,%m[%i,%i]}}}}")
            },
            TOO_MUCH,
        ),
        (
            "matrix_sums",
            |most| {
                let add = |i| format!("%{}=add %{i},%{i}:$c\n", i + 1);
                filled(most, MATRICES, add, "cooperative_matrix_store %9999,%m[%i,%i]}}")
            },
            TOO_MUCH,
        ),
        (
            "matrix_constants",
            |most| filled(most, MATRICES, |i| format!("%{}=constant {i}.0:$c\n", i + 1), "}}"),
            Module,
        ),
        (
            "matrix_loops",
            |most| {
                let turn = |i| format!("%{}=for %l{i}=%j,%j init(%k{i}=%{i})->($c){{yield(%k{i})}}\n", i + 1);
                filled(most, MATRICES, turn, "}}")
            },
            TOO_MUCH,
        ),
        (
            "matrix_stores",
            |most| repeated(most, MATRICES, "cooperative_matrix_store.both_checked %0,%m[%i,%i]\n", "}}"),
            TOO_MUCH,
        ),
        (
            "matrix_products",
            |most| {
                let head = "$c=coopmatrix<f32x64x128,matrix_acc>\n\
                func @f(%m:memref<f32x?x?>,%i:index){parallel{\
                %a=cooperative_matrix_load %m[%i,%i]:coopmatrix<f32x64x64,matrix_a>\n\
                %b=cooperative_matrix_load %m[%i,%i]:coopmatrix<f32x64x128,matrix_b>\n\
                %0=cooperative_matrix_load %m[%i,%i]:$c\n";
                let product = |i| format!("%{}=cooperative_matrix_mul_add %a,%b,%{i}:$c\n", i + 1);
                filled(most, head, product, "cooperative_matrix_store %9999,%m[%i,%i]}}")
            },
            TOO_MUCH,
        ),
        (
            "carried_matrices",
            |most| {
                let count = most / 25;
                let init = list(count, |i| format!("%{i}=%m"));
                let (types, values) = (list(count, |_| "$c".into()), list(count, |i| format!("%{i}")));
                format!(
                    "{MATRIX}func @f(%z:i32,%n:i32){{parallel{{%m=constant 0.0:$c\n\
                 for %i=%z,%n init({init})->({types}){{yield({values})}}}}}}"
                )
            },
            TOO_MUCH,
        ),
    ]
}
