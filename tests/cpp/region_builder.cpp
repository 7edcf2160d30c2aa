// SPDX-License-Identifier: BSD-3-Clause

// Each method of the region builder: what it adds, what it gives to the functors, and what becomes
// of the program when a functor throws.

#include "builder.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace tiletc;
using values = std::vector<tiletc_value_t>;

namespace {

void simple_instructions() {
    auto const prog = program{};
    auto *const i32 = prog.get<i32_type>();
    prog.function("f", {{"n", i32}}, [&](region_builder &bb, values const &args) {
        auto *const one = bb.constant_one(i32);
        auto *const zero = bb.constant_zero(i32);
        auto *const sum = bb.add(create<add_inst>(args[0], one, i32));
        set_name(sum, "sum");
        CHECK(get_type(sum) == i32);
        CHECK(bb.add(create<barrier_inst>(tiletc_address_space_global |
                                          tiletc_address_space_local)) == nullptr);
        CHECK(bb.add_multivalued(create<barrier_inst>(0)).empty());
        auto const only = bb.add_multivalued(create<sub_inst>(sum, zero, i32));
        CHECK(only.size() == 1 && get_type(only[0]) == i32);
        tiletc_value_t const product = bb.create<mul_inst>(only[0], args[0], i32);
        CHECK(get_type(product) == i32);
        bb.create<barrier_inst>(tiletc_address_spaces_t{tiletc_address_space_local});

        // In front of the first instruction
        auto front = region_builder(bb.get_region(), begin(bb.get_region()));
        set_name(front.create<constant_inst>(7, i32), "seven");
    });
    check_text(prog, R"(func @f(%n: i32) {
    %seven = constant 7 : i32
    %0 = constant 1 : i32
    %1 = constant 0 : i32
    %sum = add %n, %0 : i32
    barrier.global.local
    barrier
    %2 = sub %sum, %1 : i32
    %3 = mul %2, %n : i32
    barrier.local
}
)");
    check_program(prog);
}

// Functors come by value, by reference, with state that cannot be copied, and may take the loop
// variable in several ways.
void counted_loops() {
    auto const prog = program{};
    auto *const index = prog.get<index_type>();
    auto *const f32 = prog.get<f32_type>();
    auto *const ctx = prog.context.get();
    auto item = tiletc_named_attr_t{get<string_attr>(ctx, "unroll"), get<boolean_attr>(ctx, true)};
    auto *const unroll = get<dictionary_attr>(ctx, item);
    prog.function(
        "loops", {{"n", index}, {"A", prog.memref<f32_type>({dynamic})}, {"s", f32}},
        [&](region_builder &bb, values const &args) {
            auto *const n = args[0];
            auto *const A = args[1];
            auto *const zero = bb.constant_zero(index);
            auto *const two = bb.create<constant_inst>(2, index);

            auto calls = 0;
            bb.for_loop(zero, n, [&](region_builder &body, tiletc_value_t const &i) {
                CHECK(body.get_region() != bb.get_region());
                ++calls;
                set_name(i, "i");
                body.create<store_inst>(args[2], A, array_view{i});
            });
            bb.for_loop(
                zero, n,
                [A, f32, name = std::make_unique<std::string>("j")](region_builder &body,
                                                                    tiletc_value_t i) {
                    set_name(i, *name);
                    body.create<load_inst>(A, i, f32);
                },
                unroll);
            auto const body_of_loop = [&calls](auto &body, auto &&i) {
                ++calls;
                set_name(i, "k");
                body.template create<add_inst>(i, i, get_type(i));
            };
            bb.for_loop(zero, n, two, body_of_loop);
            bb.for_loop(zero, n, nullptr, body_of_loop, unroll, location{{0, 4, 1}, {0, 4, 2}});
            CHECK(calls == 3);

            auto const carried = bb.for_loop(
                zero, n, two, array_view{args[2], args[2]}, array_view{f32, f32},
                [&](region_builder &body, array_view<tiletc_value_t> vars) {
                    CHECK(vars.size() == 3);
                    set_name(vars[0], "l");
                    set_name(vars[1], "x");
                    set_name(vars[2], "y");
                    auto *const element = body.create<load_inst>(A, array_view{vars[0]}, f32);
                    auto *const x = body.create<add_inst>(vars[1], element, f32);
                    body.create<yield_inst>(array_view{vars[2], x});
                },
                unroll);
            CHECK(carried.size() == 2 && get_type(carried[1]) == f32);
            bb.create<store_inst>(carried[0], A, array_view{zero});
            auto const none = bb.for_loop(zero, n, nullptr, {}, {},
                                          [](region_builder &, array_view<tiletc_value_t> vars) {
                                              CHECK(vars.size() == 1);
                                              set_name(vars[0], "m");
                                          });
            CHECK(none.empty());
        });
    check_text(prog, R"(func @loops(%n: index, %A: memref<f32x?>, %s: f32) {
    %0 = constant 0 : index
    %1 = constant 2 : index
    for %i=%0,%n {
        store %s, %A[%i]
    }
    for %j=%0,%n {
        %2 = load %A[%j] : f32
    } attributes{unroll=true}
    for %k=%0,%n,%1 {
        %3 = add %k, %k : index
    }
    for %k=%0,%n {
        %4 = add %k, %k : index
    } attributes{unroll=true}
    %5, %6 = for %l=%0,%n,%1 init(%x=%s,%y=%s) -> (f32, f32) {
        %7 = load %A[%l] : f32
        %8 = add %x, %7 : f32
        yield (%y, %8)
    } attributes{unroll=true}
    store %5, %A[%0]
    for %m=%0,%n {
    }
}
)");
    check_program(prog);
}

void parallel_loops() {
    auto const prog = program{};
    auto *const index = prog.get<index_type>();
    auto *const f32 = prog.get<f32_type>();
    auto *const matrix = prog.memref<f32_type>({dynamic, dynamic});
    prog.function(
        "loops", {{"n", index}, {"A", matrix}, {"s", f32}},
        [&](region_builder &bb, values const &args) {
            auto *const n = args[0];
            auto *const A = args[1];
            auto *const zero = bb.constant_zero(index);
            bb.foreach_loop(zero, n, [](region_builder &, array_view<tiletc_value_t> vars) {
                CHECK(vars.size() == 1);
                set_name(vars[0], "i");
            });
            bb.foreach_loop(array_view{zero, zero}, array_view{n, n},
                            [&](region_builder &body, array_view<tiletc_value_t> vars) {
                                CHECK(vars.size() == 2);
                                set_name(vars[0], "j");
                                set_name(vars[1], "k");
                                body.create<store_inst>(args[2], A, vars);
                            });
            bb.foreach_tile_loop(array_view<std::int64_t>{32, 8}, array_view{zero, zero},
                                 array_view{n, n},
                                 [&](region_builder &body, array_view<tiletc_value_t> offset,
                                     array_view<tiletc_value_t> size) {
                                     CHECK(offset.size() == 2 && size.size() == 2);
                                     set_name(offset[0], "x");
                                     set_name(offset[1], "y");
                                     set_name(size[0], "width");
                                     set_name(size[1], "height");
                                     body.create<add_inst>(offset[1], size[1], index);
                                 });

            // There is no method for this one.
            auto parallel = create<parallel_inst>();
            tiletc_region_t body = nullptr;
            CHECK(get_regions(parallel.get(), body) == 1);
            bb.add(std::move(parallel));
            region_builder(body).create<subgroup_local_id_inst>(prog.get<i32_type>());
        });
    check_text(prog, R"(func @loops(%n: index, %A: memref<f32x?x?>, %s: f32) {
    %0 = constant 0 : index
    foreach (%i)=(%0),(%n) {
    }
    foreach (%j,%k)=(%0,%0),(%n,%n) {
        store %s, %A[%j,%k]
    }
    foreach_tile (%x,%y)=(%0,%0),(%n,%n) as (%width,%height)<=(32,8) {
        %1 = add %y, %height : index
    }
    parallel {
        %2 = subgroup_local_id : i32
    }
}
)");
    check_program(prog);
}

void conditions() {
    auto const prog = program{};
    auto *const i32 = prog.get<i32_type>();
    auto *const f32 = prog.get<f32_type>();
    prog.function(
        "conditions", {{"n", i32}, {"x", f32}}, [&](region_builder &bb, values const &args) {
            auto *const n = args[0];
            auto *const yes = bb.create<equal_inst>(n, n, prog.get<boolean_type>());
            set_name(yes, "yes");
            bb.if_condition(yes, [&](region_builder &then) { then.create<neg_inst>(n, i32); });
            auto const none = bb.ifelse(
                yes, [&](region_builder &then) { then.create<barrier_inst>(0); },
                [&](region_builder &otherwise) { otherwise.create<not_inst>(n, i32); });
            CHECK(none.empty());
            auto const chosen = bb.ifelse(
                yes,
                [&](region_builder &then) {
                    // Branches nest.
                    auto const inner = then.ifelse(
                        yes, [&](region_builder &b) { b.create<yield_inst>(array_view{n}); },
                        [&](region_builder &b) { b.create<yield_inst>(array_view{n}); }, i32);
                    then.create<yield_inst>(array_view{inner.front(), args[1]});
                },
                [&](region_builder &otherwise) {
                    otherwise.create<yield_inst>(
                        array_view{n, otherwise.create<abs_inst>(args[1], f32)});
                },
                {i32, f32}, location{{0, 1, 1}, {0, 1, 2}});
            CHECK(chosen.size() == 2 && get_type(chosen[0]) == i32 && get_type(chosen[1]) == f32);
            bb.create<mul_inst>(chosen[1], args[1], f32);
        });
    check_text(prog, R"(func @conditions(%n: i32, %x: f32) {
    %yes = equal %n, %n : bool
    if %yes {
        %0 = neg %n : i32
    }
    if %yes {
        barrier
    } else {
        %1 = not %n : i32
    }
    %2, %3 = if %yes -> (i32, f32) {
        %4 = if %yes -> (i32) {
            yield (%n)
        } else {
            yield (%n)
        }
        yield (%4, %x)
    } else {
        %5 = abs %x : f32
        yield (%n, %5)
    }
    %6 = mul %3, %x : f32
}
)");
    check_program(prog);
}

// The kernel of the tutorial, without its text.
void the_fused_kernel_is_that_of_the_text(std::string const &folder) {
    auto const prog = program{};
    auto *const f32 = prog.get<f32_type>();
    auto *const index = prog.get<index_type>();
    auto *const star = prog.memref<f32_type>({9, 9});
    auto *const many = prog.memref<f32_type>({56, 9, dynamic});
    auto *const one = prog.memref<f32_type>({56, 9});
    prog.function(
        "fused_kernel",
        {{"K", prog.memref<f32_type>({56, 56})},
         {"P", many},
         {"A", get<group_type>(star, dynamic, 0)},
         {"Q", many}},
        [&](region_builder &bb, values const &args) {
            auto const named = [](char const *name, tiletc_value_t val) {
                set_name(val, name);
                return val;
            };
            auto *const gid = named("gid", bb.create<group_id_inst>(comp3::x, index));
            auto const offsets = std::array<std::int64_t, 3>{0, 0, dynamic};
            auto const sizes = std::array<std::int64_t, 3>{56, 9, 0};
            auto const slice = [&](tiletc_value_t tensor) {
                return bb.create<subview_inst>(offsets, sizes, tensor, array_view{gid},
                                               array_view<tiletc_value_t>{}, one);
            };
            auto *const p = named("p", slice(args[1]));
            auto *const a = named("a", bb.create<load_inst>(args[2], array_view{gid}, star));
            auto *const q = named("q", slice(args[3]));
            auto *const tmp =
                named("tmp",
                      bb.create<alloca_inst>(prog.memref<f32_type>({56, 9}, address_space::local)));
            auto *const c0 = named("c0", bb.constant_zero(f32));
            auto *const c1 = named("c1", bb.constant_one(f32));
            bb.create<gemm_inst>(false, transpose::N, transpose::N, c1, args[0], p, c0, tmp);
            bb.create<gemm_inst>(false, transpose::N, transpose::N, c1, tmp, a, c1, q);
        });
    auto const file = folder + "/fused_kernel.ir";
    // What is built has no lines.
    set_keep_lines(prog.context.get(), false);
    auto const parsed = parse_file(file.c_str(), prog.context.get());
    CHECK(same_text(prog.text(), print_to_string(parsed.get()).get()));
    auto const pvc = create_core_info_intel_from_name("pvc");
    auto const bytes = [&](tiletc_prog_t handle) {
        auto const bin = compile_to_spirv_and_assemble(handle, pvc.get());
        auto const raw = get_raw(bin.get());
        return std::vector<std::uint8_t>(raw.data, raw.data + raw.data_size);
    };
    CHECK(bytes(prog.handle.get()) == bytes(parsed.get()));
}

struct gave_up : std::runtime_error {
    gave_up() : std::runtime_error{"gave up"} {}
};

// What was built so far belongs to the function; under a leak checker nothing is left of it.
void functors_may_throw() {
    auto const prog = program{};
    auto *const index = prog.get<index_type>();
    auto *const f32 = prog.get<f32_type>();
    auto const at = location{{1, 5, 1}, {1, 5, 2}};
    auto const with_body = [&](auto const &use) {
        prog.function("f", {{"n", index}, {"x", f32}}, use);
    };
    auto const throws = [](auto const &call) {
        try {
            call();
        } catch (gave_up const &) {
            return true;
        }
        return false;
    };
    auto const give_up = [&](region_builder &bb, auto const &...) {
        bb.constant_one(f32);
        throw gave_up{};
    };
    using body_f = void (*)(decltype(give_up) const &, region_builder &, values const &);
    body_f const ways[] = {
        [](auto const &f, region_builder &bb, values const &args) {
            bb.for_loop(args[0], args[0], f);
        },
        [](auto const &f, region_builder &bb, values const &args) {
            bb.for_loop(args[0], args[0], nullptr, array_view{args[1]},
                        array_view{get_type(args[1])}, f);
        },
        [](auto const &f, region_builder &bb, values const &args) {
            bb.foreach_loop(args[0], args[0], f);
        },
        [](auto const &f, region_builder &bb, values const &args) {
            bb.foreach_tile_loop(array_view<std::int64_t>{4}, args[0], args[0], f);
        },
        [](auto const &f, region_builder &bb, values const &args) {
            bb.ifelse(
                bb.create<equal_inst>(args[0], args[0],
                                      to_type<bool>(get_compiler_context(get_type(args[0])).get())),
                [](region_builder &) {}, f);
        },
    };
    for (auto const way : ways) {
        CHECK(throws([&] {
            with_body([&](region_builder &bb, values const &args) { way(give_up, bb, args); });
        }));
    }
    CHECK(same_text(prog.text(), ""));

    // An error in the middle of nested regions passes through all of them.
    auto const error = refusal_of([&] {
        with_body([&](region_builder &bb, values const &args) {
            bb.for_loop(args[0], args[0], [&](region_builder &body, tiletc_value_t i) {
                body.foreach_loop(i, args[0],
                                  [&](region_builder &inner, array_view<tiletc_value_t> vars) {
                                      inner.create<add_inst>(vars[0], args[1], index, at);
                                  });
            });
        });
    });
    CHECK(error.code == status::ir_operand_type_must_match_return_type && error.line == 5);

    // Who catches it goes on with what is there.
    with_body([&](region_builder &bb, values const &args) {
        CHECK(throws([&] { bb.for_loop(args[0], args[0], give_up); }));
        bb.create<neg_inst>(args[1], f32);
    });
    check_program(prog);
}

} // namespace

int main(int argc, char **argv) {
    return run_tests([&] {
        simple_instructions();
        counted_loops();
        parallel_loops();
        conditions();
        the_fused_kernel_is_that_of_the_text(argc > 1 ? argv[1] : ".");
        functors_may_throw();
    });
}
