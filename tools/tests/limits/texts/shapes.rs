//! Sizes whose products leave 64 bits.

use super::{Case, TOO_MUCH};
use crate::Expected::{Anything, Module, Report};

pub fn all() -> Vec<Case> {
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
            Report("mode, component or index number out of bounds"),
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
            Report("a loop is unrolled by 1 to 4294967295 iterations"),
        ),
        (
            "huge_modes",
            |_| format!("func @f(%a:f32,%A:memref<f32x4x4>){{cumsum %a,%A,{HUGE},%a,%A}}"),
            Report("out of bounds"),
        ),
    ]
}
