//! Dependences through memory that compilers of tiles have been reported to miss, each as a program. Subgroups read what others have
//! written, since what they load lies one row or column further; on virtual devices a missing barrier is a race as well.

use crate::device::{Argument, Device, Outcome, run};
use crate::numbers::{Random, expect_equal};
use crate::table::CASE_COUNTS;

const ROWS: usize = 64;
const COLS: usize = 32;
/// Value of `%n`.
const COUNT: i64 = 4;

/// Grids of subgroups, as attributes of a function; the compiler chooses the first one.
const GRIDS: [(&str, i32, [i32; 2]); 3] = [
    ("", 16, [16, 1]),
    ("attributes{subgroup_size=16, work_group_size=[16,1]}", 16, [16, 1]),
    ("attributes{subgroup_size=16, work_group_size=[32,2]}", 16, [32, 2]),
];

type Matrix = Vec<i32>;

/// A program with a dependence that must not be missed, and what it makes of X.
struct Hazard {
    name: &'static str,
    /// Computes Y, of `ROWS` x `COLS` numbers, from `%x`, a tile of type `$t` that holds X; `%m` of type `$m` is local memory for one.
    body: &'static str,
    expected: fn(&Matrix) -> Matrix,
}

/// The matrix whose rows are those `rows` further down.
fn down(x: &Matrix, rows: usize) -> Matrix {
    (0..x.len()).map(|at| x[(at % ROWS + rows) % ROWS + at / ROWS * ROWS]).collect()
}

fn sum(a: &Matrix, b: &Matrix) -> Matrix {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

fn all_down(x: &Matrix, most: usize) -> Matrix {
    (1..=most).map(|rows| down(x, rows)).reduce(|a, b| sum(&a, &b)).unwrap_or_default()
}

/// Sums what is copied to local memory, each time from a row further down, with attributes of the loop.
macro_rules! copies_rows {
    ($attributes:literal) => {
        concat!(
            "%s = for %i=0,%n init(%a=0) -> ($t) {
                tile_copy.wrap %X[%i,0], %m
                %r = tile_load.wrap %m[1,0] : $t
                %b = add %a, %r
                yield (%b)
            } ",
            $attributes,
            "
            tile_store %s, %Y[0,0]"
        )
    };
}

const HAZARDS: &[Hazard] = &[
    Hazard {
        name: "copy_overwritten_an_iteration_early",
        body: copies_rows!(""),
        expected: |x| all_down(x, 4),
    },
    Hazard {
        name: "copy_read_before_it_is_complete",
        body: copies_rows!("attributes{num_stages=2, pipeline=\"slm\"}"),
        expected: |x| all_down(x, 4),
    },
    Hazard {
        name: "stage_overwritten_before_it_is_read",
        body: copies_rows!("attributes{num_stages=3, pipeline=\"slm\"}"),
        expected: |x| all_down(x, 4),
    },
    Hazard {
        name: "buffer_overwritten_an_iteration_early",
        body: "%s, %l = for %i=0,%n init(%a=0, %v=%x) -> ($t, $t) {
                tile_store %v, %m[0,0]
                %r = tile_load.wrap %m[1,0] : $t
                %b = add %a, %r
                yield (%b, %r)
            }
            tile_store %s, %Y[0,0]",
        expected: |x| all_down(x, 4),
    },
    Hazard {
        name: "no_barrier_at_the_back_edge",
        body: "tile_store %x, %m[0,0]
            %s = for %i=0,%n init(%a=0) -> ($t) {
                %r = tile_load.wrap %m[1,0] : $t
                tile_store %r, %m[0,0]
                %b = add %a, %r
                yield (%b)
            }
            tile_store %s, %Y[0,0]",
        expected: |x| all_down(x, 4),
    },
    Hazard {
        name: "two_buffers_in_turn",
        body: "%two = alloca : memref<i32x64x32x2,local>
            %l = for %i=0,%n init(%v=%x) -> ($t) {
                %half = rem %i, 2
                %own = subview %two[0:64,0:32,%half] : $m
                tile_store %v, %own[0,0]
                %r = tile_load.wrap %own[1,0] : $t
                yield (%r)
            }
            tile_store %l, %Y[0,0]",
        expected: |x| down(x, 4),
    },
    Hazard {
        name: "memory_used_again",
        body: "tile_store %x, %m[0,0]
            %r = tile_load.wrap %m[1,0] : $t
            %k = alloca : $m
            tile_store %r, %k[0,0]
            %q = tile_load.wrap %k[1,0] : $t
            tile_store %q, %Y[0,0]",
        expected: |x| down(x, 2),
    },
    Hazard {
        name: "producer_in_a_branch",
        body: "tile_store %x, %m[0,0]
            %p = greater_than %n, 2
            if %p {
                %d = add %x, %x
                tile_store %d, %m[0,0]
            }
            %r = tile_load.wrap %m[1,0] : $t
            tile_store %r, %Y[0,0]",
        expected: |x| down(&sum(x, x), 1),
    },
    Hazard {
        name: "producers_in_both_branches",
        body: "%p = greater_than %n, 5
            if %p {
                tile_store %x, %m[0,0]
            } else {
                %d = add %x, %x
                tile_store %d, %m[0,0]
            }
            %r = tile_load.wrap %m[1,0] : $t
            tile_store %r, %Y[0,0]",
        expected: |x| down(&sum(x, x), 1),
    },
    Hazard {
        name: "consumer_in_a_branch",
        body: "tile_store %x, %m[0,0]
            %p = greater_than %n, 2
            %y = if %p -> ($t) {
                %r = tile_load.wrap %m[1,0] : $t
                tile_store %r, %m[0,0]
                %q = tile_load.wrap %m[1,0] : $t
                yield (%q)
            } else {
                yield (%x)
            }
            tile_store %y, %Y[0,0]",
        expected: |x| down(x, 2),
    },
    Hazard {
        name: "serial_write_by_one_lane",
        body: "tile_store %x, %m[0,0]
            parallel {
                %g = subgroup_linear_id
                %l = subgroup_local_id
                %both = or %g, %l
                %first = equal %both, 0
                if %first {
                    for %i=0,64 {
                        %number = cast %i : i32
                        store %number, %m[%i,5]
                    }
                }
            }
            %r = tile_load.wrap %m[1,0] : $t
            tile_store %r, %Y[0,0]",
        expected: |x| {
            let mut x = x.clone();
            (0..ROWS).for_each(|row| x[row + 5 * ROWS] = row as i32);
            down(&x, 1)
        },
    },
    Hazard {
        name: "bound_from_shared_memory",
        body: "%c = alloca : memref<index,local>
            parallel {
                %g = subgroup_linear_id
                %l = subgroup_local_id
                %both = or %g, %l
                %first = equal %both, 0
                if %first { store %n, %c[] }
            }
            %count = load %c[]
            %y = for %i=0,%count init(%v=%x) -> ($t) {
                tile_store %v, %m[0,0]
                %r = tile_load.wrap %m[1,0] : $t
                yield (%r)
            }
            tile_store %y, %Y[0,0]",
        expected: |x| down(x, 4),
    },
    Hazard {
        name: "loop_without_iterations",
        body: "tile_store %x, %m[0,0]
            for %i=%n,%n {
                tile_store %x, %m[0,0]
                %q = tile_load.wrap %m[1,0] : $t
                tile_store %q, %m[0,0]
            }
            %r = tile_load.wrap %m[1,0] : $t
            tile_store %r, %Y[0,0]",
        expected: |x| down(x, 1),
    },
    Hazard {
        name: "loops_in_each_other",
        body: "%y = for %i=0,2 init(%v=%x) -> ($t) {
                %w = for %j=0,%n init(%u=%v) -> ($t) {
                    tile_store %u, %m[0,0]
                    %r = tile_load.wrap %m[1,0] : $t
                    yield (%r)
                }
                %d = add %w, %w
                yield (%d)
            }
            tile_store %y, %Y[0,0]",
        expected: |x| down(&x.iter().map(|x| 4 * x).collect(), 8),
    },
    Hazard {
        name: "loop_left_between_write_and_read",
        body: "%y = for %i=0,%n init(%v=%x) -> ($t) {
                tile_store %v, %m[0,0]
                %p = greater_than %i, 1
                break_if %p
                %r = tile_load.wrap %m[1,0] : $t
                yield (%r)
            }
            %q = tile_load.wrap %m[2,0] : $t
            tile_store %q, %m[0,0]
            %z = tile_load.wrap %m[1,0] : $t
            tile_store %z, %Y[0,0]",
        expected: |x| down(x, 5),
    },
    Hazard {
        name: "question_between_write_and_read",
        body: "%y, %c = for %i=0,%n init(%v=%x, %b=0) -> ($t, $t) {
                tile_store %v, %m[0,0]
                %over = greater_than %b, 200
                %any = tile_any %over
                break_if %any
                %r = tile_load.wrap %m[1,0] : $t
                %d = add %b, 101
                yield (%r, %d)
            }
            %q = tile_load.wrap %m[1,0] : $t
            %z = add %q, %y
            tile_store %z, %Y[0,0]",
        expected: |x| sum(&down(x, 2), &down(x, 3)),
    },
    Hazard {
        name: "memory_of_reductions_used_again",
        body: "%y = for %i=0,%n init(%v=%x) -> ($t) {
                %top = tile_reduce_max.column %v
                %low = tile_reduce_min.row %v
                %a = sub %v, %top
                %b = sub %a, %low
                yield (%b)
            }
            tile_store %y, %Y[0,0]",
        expected: |x| {
            let mut x = x.clone();
            for _ in 0..COUNT {
                let column = |j: usize| x[j * ROWS..][..ROWS].iter().copied().max().unwrap_or_default();
                let row = |i: usize| x.iter().skip(i).step_by(ROWS).copied().min().unwrap_or_default();
                x = (0..x.len()).map(|at| x[at] - column(at / ROWS) - row(at % ROWS)).collect();
            }
            x
        },
    },
    Hazard {
        name: "turned_in_a_loop",
        body: "%y = for %i=0,%n init(%v=%x) -> ($t) {
                %u = tile_transpose %v
                %d = add %u, %u
                %w = tile_transpose %d
                yield (%w)
            }
            tile_store %y, %Y[0,0]",
        expected: |x| x.iter().map(|x| 16 * x).collect(),
    },
    Hazard {
        name: "in_place_in_global_memory",
        body: "tile_store %x, %Y[0,0]
            for %i=0,%n {
                %r = tile_load.wrap %Y[1,0] : $t
                tile_store %r, %Y[0,0]
            }",
        expected: |x| down(x, 4),
    },
    Hazard {
        name: "read_behind_an_atomic_update",
        body: "tile_store %x, %Y[0,0]
            tile_store.atomic_add %x, %Y[0,0]
            %r = tile_load.wrap %Y[1,0] : $t
            tile_store %r, %Y[0,0]",
        expected: |x| down(&sum(x, x), 1),
    },
    Hazard {
        name: "views_that_overlap",
        body: "tile_store %x, %m[0,0]
            %left = subview %m[0:64,0:16] : memref<i32x64x16,strided<1,64>,local>
            %middle = subview %m[0:64,8:16] : memref<i32x64x16,strided<1,64>,local>
            %first = tile_load %left[0,0] : 64 x 16
            %twice = add %first, %first
            tile_store %twice, %left[0,0]
            %moved = tile_load %middle[0,0] : 64 x 16
            tile_store %moved, %left[0,0]
            %r = tile_load.wrap %m[1,0] : $t
            tile_store %r, %Y[0,0]",
        expected: |x| {
            let mut m = x.clone();
            m[..16 * ROWS].iter_mut().for_each(|x| *x *= 2);
            m.copy_within(8 * ROWS..24 * ROWS, 0);
            down(&m, 1)
        },
    },
    Hazard {
        name: "fetched_ahead_and_written",
        body: "tile_store %x, %Y[0,0]
            for %i=0,%n {
                tile_prefetch 0, %Y[0,0], 64, 32
                %r = tile_load.wrap %Y[1,0] : $t
                tile_store %r, %Y[0,0]
            }",
        expected: |x| down(x, 4),
    },
    Hazard {
        name: "copy_lost_where_a_loop_ends_early",
        body: "for %i=0,%n {
                tile_copy.wrap %X[%i,0], %m
                %last = equal %i, 2
                break_if %last
            }
            %r = tile_load.wrap %m[1,0] : $t
            tile_store %r, %Y[0,0]",
        expected: |x| down(x, 3),
    },
    Hazard {
        name: "product_of_what_work_items_have_written",
        body: "%l = alloca : memref<i32x32x32,local>
            foreach (%i,%j)=(0,0),(32,32) {
                %is = equal %i, %j
                %v = select %is, 3, 0 : i32
                store %v, %l[%i,%j]
            }
            %a = tile_load %X[0,0] : 64 x 32
            %b = tile_load %l[0,0] : 32 x 32
            %c = tile_dot %a, %b, 0 : $t
            tile_store %c, %Y[0,0]",
        expected: |x| x.iter().map(|x| 3 * x).collect(),
    },
    Hazard {
        name: "one_writes_and_two_read",
        body: "%y = for %i=0,%n init(%v=%x) -> ($t) {
                tile_store %v, %m[0,0]
                %r = tile_load.wrap %m[1,0] : $t
                %q = tile_load.wrap %m[2,0] : $t
                %s = sub %q, %r
                yield (%s)
            }
            tile_store %y, %Y[0,0]",
        expected: |x| {
            (0..COUNT)
                .fold(x.clone(), |x, _| down(&x, 2).iter().zip(&down(&x, 1)).map(|(q, r)| q - r).collect())
        },
    },
];

/// All of them, shared in several ways.
pub fn all(device: &Device) -> Outcome {
    let mut random = Random::new(21);
    let x: Matrix = (0..ROWS * COLS).map(|_| random.below(19) as i32 - 9).collect();
    let input = device.memory(&x)?;
    for (attributes, subgroup, group) in GRIDS {
        if !device.has_geometry(subgroup, group) {
            continue;
        }
        for Hazard { name, body, expected } in HAZARDS {
            let text = format!(
                "$t = tile<i32x64x32,matrix_acc>  $m = memref<i32x64x32,local>
                func @f(%X: memref<i32x64x32>, %Y: memref<i32x64x32>, %n: index) {attributes} {{
                    %x = tile_load %X[0,0] : 64 x 32
                    %m = alloca : $m
                    {body}
                }}"
            );
            let program = device.build(&text, 2)?;
            let output = device.memory(&vec![-77i32; x.len()])?;
            let arguments: [Argument<'_>; 3] = [(&input).into(), (&output).into(), COUNT.into()];
            run(&program, "f", [1, 1, 1], &arguments)?;
            CASE_COUNTS.ran("tile_store", 0.0);
            expect_equal(&format!("{name} {attributes}"), &output, &expected(&x))?;
        }
    }
    Ok(())
}
