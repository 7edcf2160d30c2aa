//! The texts.

use crate::Expected::{self, Anything, Module, Report};

/// Name, text of at most so many bytes, and what it must lead to.
pub type Case = (&'static str, fn(usize) -> String, Expected);

/// What the parser and the compiler say to what is too much.
const TOO_MUCH: Expected = Report("index or count out of range");

/// `head`, as many `piece`s as there is room for, `tail`.
fn filled(bytes: usize, head: &str, piece: impl Fn(usize) -> String, tail: &str) -> String {
    counted(bytes, head, piece, tail).0
}

/// [`filled`], and how many pieces there are.
fn counted(bytes: usize, head: &str, piece: impl Fn(usize) -> String, tail: &str) -> (String, usize) {
    let mut text = head.to_owned();
    for number in 0.. {
        let next = piece(number);
        if text.len() + next.len() + tail.len() > bytes {
            return (text + tail, number);
        }
        text += &next;
    }
    (text, 0)
}

fn repeated(bytes: usize, head: &str, piece: &str, tail: &str) -> String {
    filled(bytes, head, |_| piece.to_owned(), tail)
}

fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(",")
}

/// A matrix of 2048 components for each work-item.
const MATRIX: &str = "$c=coopmatrix<f32x64x512,matrix_acc>\n";
const MATRICES: &str = "$c=coopmatrix<f32x64x512,matrix_acc>\n\
    func @f(%m:memref<f32x?x?>,%i:index,%j:i32){parallel{%0=cooperative_matrix_load %m[%i,%i]:$c\n";

pub fn all() -> Vec<Case> {
    [tokens(), constants(), definitions(), functions(), chains(), memory(), regions(), growth(), shapes()]
        .concat()
}

fn tokens() -> Vec<Case> {
    vec![
        ("one_line", |most| repeated(most, "func @f(){", "barrier ", "}"), Module),
        ("smallest_tokens", |most| repeated(most, "func @f(", ",", ""), Report("expected LOCAL_IDENTIFIER")),
        ("no_tokens", |most| repeated(most, "func @f(){", "?", ""), Report("found `?`")),
        ("calculator", |most| repeated(most, "$a=!calc(1 ", "1 + ", ")func @f(){}"), Module),
        (
            "deep_calculator",
            |most| format!("$a=!calc({}{})func @f(){{}}", "1 ".repeat(most / 3), "+ ".repeat(most / 7)),
            Report("an operator is missing"),
        ),
        ("powers", |most| repeated(most, "$a=!calc(3 ", "9223372036854775807 ^ ", ")func @f(){}"), Module),
        ("minuses", |most| repeated(most, "$a=!calc(", "-", ")func @f(){}"), Report("needs two numbers")),
        ("array", |most| repeated(most, "func @f() attributes{\"a\"=[1", ",1", "]}{}"), Module),
        ("dictionaries", |most| repeated(most, "func @f() attributes{\"a\"=[1", ",{}", "]}{}"), Module),
        (
            "keys",
            |most| filled(most, "func @f() attributes{\"a\"=1", |i| format!(",\"{i}\"=1"), "}{}"),
            Module,
        ),
        (
            "slices",
            |most| repeated(most, "func @f(%a:memref<f32>){%b=subview %a[0", ",0", "]:memref<f32>}"),
            Report("wrong number of indices"),
        ),
        (
            "modes",
            |most| repeated(most, "func @f(%a:memref<f32", "x1", ">){}"),
            Report("of which there may be 64"),
        ),
    ]
}

fn constants() -> Vec<Case> {
    vec![
        (
            "integer_digits",
            |most| repeated(most, "$a=", "9", "\nfunc @f(){}"),
            Report("does not fit into 64 bits"),
        ),
        ("fraction_digits", |most| repeated(most, "$a=0.", "9", "\nfunc @f(){}"), Module),
        ("small_fraction", |most| repeated(most, "$a=0.", "0", "1\nfunc @f(){}"), Report("out of the range")),
        ("hexadecimal_digits", |most| repeated(most, "$a=0x", "f", ".p-3999900\nfunc @f(){}"), Anything),
        ("exponent_digits", |most| repeated(most, "$a=1e", "9", "\nfunc @f(){}"), Report("out of the range")),
        (
            "floats",
            |most| filled(most, "func @f(){", |i| format!("%{i}=constant 1.{i}e-30{}:f64\n", i % 8), "}"),
            Module,
        ),
        (
            "integers",
            |most| {
                let store = |i| format!("%{i}=constant {i}:i64\nstore %{i},%a[]\n");
                filled(most, "func @f(%a:memref<i64>){", store, "}")
            },
            Module,
        ),
    ]
}

fn definitions() -> Vec<Case> {
    vec![
        // Each name stands for two of the one before.
        (
            "doubled_names",
            |_| counted(1_000, "$0=[1]\n", |i| format!("${}=[${i},${i}]\n", i + 1), "func @f(){}").0,
            TOO_MUCH,
        ),
        (
            "nested_names",
            |most| filled(most, "$0=[1]\n", |i| format!("${}=[${i}]\n", i + 1), "func @f(){}"),
            Report("more than 64 levels of nesting"),
        ),
        (
            "copied_names",
            |most| {
                let head = format!("$s=\"{}\"\n", "s".repeat(most / 2));
                filled(most, &head, |i| format!("$t{i}=$s\n"), "func @f(){}")
            },
            Module,
        ),
        (
            "copied_texts",
            |most| {
                let head = format!("$s=\"{}\"\n$a=[$s", "s".repeat(most / 2));
                filled(most, &head, |_| ",$s".to_owned(), "]func @f(){}")
            },
            TOO_MUCH,
        ),
        (
            "copied_types",
            |most| {
                let head = format!("$t=memref<f32{}>\n", "x1".repeat(64));
                filled(most, &head, |i| format!("func @{i}(%a:$t,%b:$t){{}}\n"), "")
            },
            Module,
        ),
    ]
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
            TOO_MUCH,
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

/// Sizes whose products leave 64 bits.
fn shapes() -> Vec<Case> {
    const HUGE: &str = "9223372036854775807";
    vec![
        (
            "huge_gemm",
            |_| {
                let ty = "memref<f32x4611686018427387904x4611686018427387904>";
                format!("func @f(%a:f32,%A:{ty},%B:{ty},%C:{ty}){{gemm %a,%A,%B,%a,%C}}")
            },
            Module,
        ),
        (
            "huge_gemm_of_columns",
            |_| {
                let (a, c) = ("memref<c64x1x1>", format!("memref<c64x1x{HUGE}>"));
                format!("func @f(%a:c64,%A:{a},%C:{c}){{gemm %a,%A,%C,%a,%C}}")
            },
            Module,
        ),
        (
            "huge_sums",
            |_| {
                let ty = format!("memref<f32x{HUGE}x{HUGE}>");
                format!(
                    "func @f(%a:f32,%A:{ty},%v:memref<f32x{HUGE}>,%s:memref<f32>){{\
                 sum %a,%A,%a,%v\nsum %a,%v,%a,%s\ncumsum %a,%A,0,%a,%A\ncumsum %a,%A,1,%a,%A\n\
                 axpby.t %a,%A,%a,%A\nger %a,%v,%v,%a,%A\nhadamard %a,%A,%A,%a,%A\ngemv %a,%A,%v,%a,%v}}"
                )
            },
            Module,
        ),
        (
            "huge_strides",
            |_| {
                format!(
                    "func @f(%A:memref<f32x{HUGE}x{HUGE},strided<{HUGE},{HUGE}>>,%i:index,%x:f32){{store %x,%A[%i,%i]}}"
                )
            },
            Module,
        ),
        (
            "huge_slices",
            |_| {
                format!(
                    "func @f(%A:memref<f32x{HUGE}x4>,%i:index,%x:f32){{\
                 %a=subview %A[{HUGE}:{HUGE},{HUGE}]:memref<f32x{HUGE}>\nstore %x,%a[%i]}}"
                )
            },
            Module,
        ),
        (
            "huge_expand",
            |_| {
                format!(
                    "func @f(%A:memref<f32x4>,%i:index,%x:f32){{\
                 %a=expand %A[0->{HUGE} x {HUGE}]:memref<f32x{HUGE}x{HUGE}>\nstore %x,%a[%i,%i]}}"
                )
            },
            Module,
        ),
        (
            "huge_allocation",
            |_| format!("func @f(%x:f32,%i:index){{%a=alloca:memref<f32x{HUGE},local>\nstore %x,%a[%i]}}"),
            Report("is no 64-bit number"),
        ),
        (
            "huge_allocations",
            |_| {
                let half = "%_=alloca:memref<i8x4611686018427387904,local>\nstore %x,%_[%i]\n";
                let [a, b, c] = ["%a", "%b", "%c"].map(|name| half.replace("%_", name));
                format!("func @f(%x:i8,%i:index){{{a}{b}{c}store %x,%a[%i]\nstore %x,%b[%i]}}")
            },
            TOO_MUCH,
        ),
        (
            "wrapped_allocation",
            |_| {
                "func @f(%x:i8,%i:index){%a=alloca:memref<i8x4294967296x4294967296x4,local>\nstore %x,%a[%i,%i,%i]}".into()
            },
            TOO_MUCH,
        ),
        (
            "huge_matrix",
            |_| {
                format!(
                    "func @f(){{parallel{{%a=constant 1.0:coopmatrix<f32x4611686018427387904x{HUGE},matrix_acc>\n\
                     %b=add %a,%a:coopmatrix<f32x4611686018427387904x{HUGE},matrix_acc>\n\
                     %p=cooperative_matrix_extract %b[{HUGE}]:f32\n}}}}"
                )
            },
            Anything,
        ),
        (
            "huge_tile",
            |_| {
                format!(
                    "func @f(%a:index){{foreach_tile(%i,%j)=(%a,%a),(%a,%a) as (%x,%y)<=(9223372036854775776,{HUGE})\
                 {{barrier}}}}"
                )
            },
            Module,
        ),
        (
            "empty_tile",
            |_| "func @f(%a:index){foreach_tile(%i)=(%a),(%a) as (%x)<=(0){barrier}}".into(),
            Report("tile size 0"),
        ),
        (
            "negative_tile",
            |_| "func @f(%a:index){foreach_tile(%i)=(%a),(%a) as (%x)<=(-32){barrier}}".into(),
            Report("tile size -32"),
        ),
        (
            "negative_size",
            |_| "func @f(%a:memref<f32x-1>){}".into(),
            Report("-1 in memref<f32x-1> is negative"),
        ),
        (
            "empty_gemm",
            |_| "func @f(%a:f32,%A:memref<f32x0x0>,%B:memref<f32x0x7>){gemm %a,%A,%B,%a,%B}".into(),
            Module,
        ),
        (
            "huge_work_group",
            |_| format!("func @f() attributes{{subgroup_size=16,work_group_size=[{HUGE},{HUGE}]}}{{}}"),
            Report("work_group_size is"),
        ),
        (
            "wide_work_group",
            |_| "func @f() attributes{subgroup_size=16,work_group_size=[2147483632,2147483647]}{}".into(),
            Report("exceeds the device's maximum"),
        ),
        (
            "huge_unroll",
            |_| format!("func @f(%a:i32){{for %i=%a,%a{{barrier}} attributes{{unroll={HUGE}}}}}"),
            Report("a loop is unrolled by 1 to 4294967295 turns"),
        ),
        (
            "huge_modes",
            |_| format!("func @f(%a:f32,%A:memref<f32x4x4>){{cumsum %a,%A,{HUGE},%a,%A}}"),
            Report("out of bounds"),
        ),
    ]
}
