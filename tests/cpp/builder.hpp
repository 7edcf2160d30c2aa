// SPDX-License-Identifier: BSD-3-Clause

#ifndef TILETC_TESTS_BUILDER_HPP
#define TILETC_TESTS_BUILDER_HPP

#include "check.hpp"

#include <tiletc/tiletc.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

/// Refusal of a constructor: the code and the line of the location.
struct refusal {
    tiletc::status code;
    int line;
};

/// The `builder_error` that `call` throws, or success.
template <typename Call> auto refusal_of(Call &&call) -> refusal {
    try {
        call();
    } catch (tiletc::builder_error const &e) {
        // Facts about the operands may follow.
        CHECK(std::strncmp(e.what(), to_string(e.code()), std::strlen(to_string(e.code()))) == 0);
        return {e.code(), e.loc().begin.line};
    }
    return {tiletc::status::success, 0};
}

/// A parameter of a function.
struct parameter {
    char const *name;
    tiletc_type_t ty;
};

/// A program in a context of its own, which says on the standard error stream what is wrong.
struct program {
    tiletc::shared_handle<tiletc_compiler_context_t> context = tiletc::create_compiler_context();
    tiletc::shared_handle<tiletc_prog_t> handle = tiletc::create_prog(context.get());

    program() {
        set_error_reporter(context, [](char const *what, const tiletc_location *, void *) {
            fprintf(stderr, "%s\n", what);
        });
    }

    template <typename T> auto get() const -> tiletc_type_t {
        return tiletc::get<T>(context.get());
    }

    /// A memref of `T` in global memory.
    template <typename T>
    auto memref(std::vector<std::int64_t> const &shape,
                tiletc::address_space space = tiletc::address_space::global) const
        -> tiletc_type_t {
        return tiletc::get<tiletc::memref_type>(get<T>(), shape, tiletc::array_view<std::int64_t>{},
                                                space);
    }

    /// Adds a kernel whose body `f(region_builder &, std::vector<tiletc_value_t> const &)` builds.
    /// The compiler chooses the subgroup size unless one is given.
    template <typename F>
    void function(char const *name, std::vector<parameter> const &parameters, F &&f,
                  int subgroup_size = 0) const {
        auto types = std::vector<tiletc_type_t>{};
        for (auto const &param : parameters) {
            types.push_back(param.ty);
        }
        auto fun = tiletc::create_func(name, types, get<tiletc::void_type>());
        if (subgroup_size != 0) {
            auto *const ctx = context.get();
            auto attr = tiletc_named_attr_t{tiletc::get<tiletc::string_attr>(ctx, "subgroup_size"),
                                            tiletc::get<tiletc::integer_attr>(ctx, subgroup_size)};
            tiletc::set_attr(fun.get(), tiletc::get<tiletc::dictionary_attr>(ctx, attr));
        }
        auto *const body = tiletc::get_body(fun.get());
        auto values = std::vector<tiletc_value_t>(parameters.size());
        CHECK(tiletc::get_parameters(body, values) == values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            tiletc::set_name(values[i], parameters[i].name);
        }
        auto builder = tiletc::region_builder(body);
        f(builder, values);
        tiletc::add_function(handle.get(), std::move(fun));
    }

    auto text() const -> std::string { return tiletc::print_to_string(handle.get()).get(); }
};

/// Compares two texts; says where they differ.
inline auto same_text(std::string const &actual, std::string const &expected) -> bool {
    if (actual == expected) {
        return true;
    }
    std::size_t at = 0;
    while (at < actual.size() && at < expected.size() && actual[at] == expected[at]) {
        ++at;
    }
    auto const start = actual.rfind('\n', at == 0 ? 0 : at - 1) + 1;
    fprintf(stderr, "the texts differ from here on:\n%s\nexpected was:\n%s\n",
            actual.substr(start, 200).c_str(), expected.substr(start, 200).c_str());
    return false;
}

/// Checks that a program is the one a text says, whatever the layout of the text.
inline void check_text(program const &prog, std::string const &expected) {
    auto const parsed = tiletc::parse_string(expected, prog.context.get());
    CHECK(same_text(prog.text(), tiletc::print_to_string(parsed.get()).get()));
}

/// Checks what has to hold of every program: its text parses back, and it passes the verifier and
/// the compiler.
inline void check_program(program const &prog) {
    auto const text = prog.text();
    auto const parsed = tiletc::parse_string(text, prog.context.get());
    CHECK(same_text(tiletc::print_to_string(parsed.get()).get(), text));
    tiletc::run_function_pass("check-ir", prog.handle.get());
    auto const pvc = tiletc::create_core_info_intel_from_name("pvc");
    auto const bin = tiletc::compile_to_spirv_and_assemble(prog.handle.get(), pvc.get());
    CHECK(tiletc::get_raw(bin.get()).data_size > 20);
}

/// Runs a test program; an exception that nobody caught has failed it.
template <typename Tests> auto run_tests(Tests &&tests) -> int {
    try {
        tests();
    } catch (tiletc::builder_error const &e) {
        fprintf(stderr, "builder_error %d: %s\n", static_cast<int>(e.code()), e.what());
        return 1;
    } catch (tiletc::status const &st) {
        fprintf(stderr, "status %d: %s\n", static_cast<int>(st), to_string(st));
        return 1;
    }
    return check_result();
}

#endif // TILETC_TESTS_BUILDER_HPP
