// SPDX-License-Identifier: BSD-3-Clause

// The compiler through its C++ interface: devices, passes, printing, compiling, binaries.

#include "check.hpp"

#include <tiletc/tiletc.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

void devices_have_their_numbers() {
    auto const pvc = tiletc::create_core_info_intel_from_name("pvc");
    CHECK(std::vector<std::int32_t>(tiletc::get_subgroup_sizes(pvc.get())) ==
          std::vector<std::int32_t>({16, 32}));
    CHECK(tiletc::get_register_space(pvc.get()) == 8192);
    CHECK(tiletc::have_spirv_feature(pvc.get(), tiletc::spirv_feature::float64));
    CHECK(tiletc::get_default_alignment(pvc.get()) == 128);
    tiletc::set_default_alignment(pvc.get(), 4);
    CHECK(tiletc::get_default_alignment(pvc.get()) == 4);
    tiletc::set_core_features(pvc.get(), tiletc_core_feature_flag_large_register_file);
    CHECK(tiletc::get_core_features(pvc.get()) == tiletc_core_feature_flag_large_register_file);
    CHECK(tiletc::get_register_space(pvc.get()) == 16384);

    auto const tgl = tiletc::create_core_info_intel_from_arch(tiletc::intel_gpu_architecture::tgl);
    CHECK(tiletc::get_register_space(tgl.get()) == 4096);
    CHECK(!tiletc::have_spirv_feature(tgl.get(), tiletc::spirv_feature::float64));

    // Sizes are sorted for Intel devices and kept in order for others.
    auto const intel = tiletc::create_core_info_intel(0x05004001, 8, 8, {32, 16});
    CHECK(tiletc::get_subgroup_sizes(intel.get()).front() == 16);
    auto const generic = tiletc::create_core_info_generic(2048, 256, std::array{32, 16});
    CHECK(tiletc::get_subgroup_sizes(generic.get()).front() == 32);
    CHECK(tiletc::get_register_space(generic.get()) == 2048);
    CHECK(!tiletc::have_spirv_feature(generic.get(), tiletc::spirv_feature::float16));
    tiletc::set_spirv_feature(generic.get(), tiletc::spirv_feature::float16, true);
    CHECK(tiletc::have_spirv_feature(generic.get(), tiletc::spirv_feature::float16));

    CHECK(status_of([] { tiletc::create_core_info_intel_from_name("i486"); }) ==
          tiletc::status::invalid_arguments);
}

void passes_have_names() {
    std::size_t size = 0;
    char const *const *names = nullptr;
    tiletc::list_function_passes(size, names);
    auto const passes = std::vector<std::string_view>(names, names + size);
    for (auto name : {"check-ir", "constant-propagation", "dead-code-elimination", "dump-ir",
                      "insert-barrier", "insert-lifetime-stop", "set-stack-ptr", "lower-foreach",
                      "lower-linalg", "work-group-size"}) {
        CHECK(std::find(passes.begin(), passes.end(), name) != passes.end());
    }

    auto const prog = tiletc::parse_string(small_program());
    CHECK(status_of([&] { tiletc::run_function_pass("no-such-pass", prog.get()); }) ==
          tiletc::status::unknown_pass_name);
    CHECK(status_of([&] { tiletc::run_function_pass("work-group-size", prog.get()); }) ==
          tiletc::status::invalid_arguments);
    tiletc::run_function_pass("insert-barrier", prog.get());
}

void what_is_printed_parses_back() {
    auto const prog = tiletc::parse_string(small_program());
    auto const text = tiletc::print_to_string(prog.get());
    auto const again = tiletc::print_to_string(tiletc::parse_string(text.get()).get());
    CHECK(std::strcmp(text.get(), again.get()) == 0);
    CHECK(status_of([&] { tiletc::print_to_file(prog.get(), "no/such/folder/x.ir"); }) ==
          tiletc::status::file_io_error);
}

/// Program that is read from the standard input that holds `text`.
auto parsed_from_stdin(std::string const &text, tiletc_compiler_context_t ctx)
    -> tiletc::shared_handle<tiletc_prog_t> {
    std::FILE *const file = std::tmpfile();
    CHECK(file != nullptr);
    CHECK(std::fputs(text.c_str(), file) >= 0 && std::fflush(file) == 0);
    std::rewind(file);
    CHECK(dup2(fileno(file), STDIN_FILENO) == STDIN_FILENO);
    std::fclose(file);
    return tiletc::parse_stdin(ctx);
}

void the_standard_input_is_parsed() {
    auto const ctx = tiletc::create_compiler_context();
    auto message = std::string{};
    set_error_reporter(
        ctx,
        [](char const *what, const tiletc_location *, void *to) {
            *static_cast<std::string *>(to) = what;
        },
        &message);
    auto const prog = parsed_from_stdin(small_program(), ctx.get());
    CHECK(tiletc::get_compiler_context(prog.get()) == ctx);
    auto const same = tiletc::parse_string(small_program());
    CHECK(std::strcmp(tiletc::print_to_string(prog.get()).get(),
                      tiletc::print_to_string(same.get()).get()) == 0);

    CHECK(status_of([&] { parsed_from_stdin("func @f() {\n    %\n}\n", ctx.get()); }) ==
          tiletc::status::parse_error);
    CHECK(message.rfind("<stdin>:2.5", 0) == 0);
}

/// The module of `text`, compiled after `set` has set the options of its context, as text.
template <typename Set> auto module_text(std::string const &text, Set const &set) -> std::string {
    auto const ctx = tiletc::create_compiler_context();
    set(ctx.get());
    auto const info = tiletc::create_core_info_intel_from_name("pvc");
    auto const prog = tiletc::parse_string(text, ctx.get());
    auto const mod = tiletc::compile_to_spirv(prog.get(), info.get());
    return tiletc::print_to_string(mod.get()).get();
}

void options_of_the_compiler_take_effect() {
    auto const multiplies = [](auto const &set) {
        auto const text = module_text("func @by_nothing(%x: f32, %R: memref<f32>) {\n"
                                      "    %c0 = constant 0.0 : f32\n"
                                      "    %y = mul %x, %c0 : f32\n"
                                      "    store %y, %R[]\n"
                                      "}\n",
                                      set);
        return text.find("OpFMul") != std::string::npos;
    };
    using context = tiletc_compiler_context_t;
    auto const unsafe = tiletc::optflag::unsafe_fp_math;
    // 0 x is 0 at the highest level only, unless the flag says something else.
    CHECK(!multiplies([](context) {}));
    CHECK(!multiplies([](context ctx) { tiletc::set_optimization_level(ctx, 2); }));
    CHECK(multiplies([](context ctx) { tiletc::set_optimization_level(ctx, 1); }));
    CHECK(multiplies([&](context ctx) { tiletc::set_optimization_flag(ctx, unsafe, 0); }));
    CHECK(!multiplies([&](context ctx) {
        tiletc::set_optimization_level(ctx, 1);
        tiletc::set_optimization_flag(ctx, unsafe, 1);
    }));
    CHECK(!multiplies([&](context ctx) {
        tiletc::set_optimization_flag(ctx, unsafe, 0);
        tiletc::set_optimization_flag(ctx, unsafe, -1);
    }));
    auto const multiplies_on_engine = [](std::string const &attributes, std::int32_t state) {
        auto const text = module_text("func @product(%A: memref<f32x64x64> {alignment=64}, %B: memref<f32x64x64> {alignment=64},\n"
                                      "              %C: memref<f32x64x64> {alignment=64}) " +
                                          attributes +
                                          "{\n"
                                          "    %c1 = constant 1.0 : f32\n"
                                          "    %c0 = constant 0.0 : f32\n"
                                          "    gemm %c1, %A, %B, %c0, %C\n"
                                          "}\n",
                                      [&](context to) {
                                          tiletc::set_optimization_flag(to, tiletc::optflag::tf32, state);
                                      });
        return text.find("SubgroupMatrixMultiplyAccumulateINTEL") != std::string::npos;
    };
    CHECK(multiplies_on_engine("", 1));
    CHECK(!multiplies_on_engine("", 0));
    CHECK(!multiplies_on_engine("", -1));
    CHECK(!multiplies_on_engine("attributes{precision=\"ieee\"}", 1));
    CHECK(multiplies_on_engine("attributes{precision=\"tf32\"}", 0));
    auto const ctx = tiletc::create_compiler_context();
    CHECK(status_of([&] {
              tiletc::set_optimization_flag(ctx.get(), static_cast<tiletc::optflag>(99), 1);
          }) == tiletc::status::invalid_arguments);

    auto const names = [](bool kept) {
        auto const text =
            module_text(small_program(), [&](context to) {
                tiletc::set_keep_names(to, kept);
                tiletc::set_keep_lines(to, false);
            });
        return text.find("OpName") != std::string::npos;
    };
    CHECK(names(true));
    CHECK(!names(false));
    auto const lines = [](bool kept) {
        auto const text =
            module_text(small_program(), [&](context to) { tiletc::set_keep_lines(to, kept); });
        return text.find("OpLine") != std::string::npos;
    };
    CHECK(lines(true));
    CHECK(!lines(false));
}

void the_same_text_gives_the_same_bytes() {
    auto const info = tiletc::create_core_info_intel_from_name("pvc");
    auto const compile = [&] {
        auto const prog = tiletc::parse_string(small_program());
        auto const bin = tiletc::compile_to_spirv_and_assemble(prog.get(), info.get());
        auto const raw = tiletc::get_raw(bin.get());
        CHECK(raw.format == tiletc::bundle_format::spirv);
        CHECK(raw.data_size >= 20 && raw.data_size % 4 == 0);
        return std::string(reinterpret_cast<char const *>(raw.data), raw.data_size);
    };
    auto const bytes = compile();
    std::uint32_t words[2];
    std::memcpy(words, bytes.data(), sizeof(words));
    CHECK(words[0] == 0x07230203);
    CHECK(words[1] <= 0x00010400);
    CHECK(compile() == bytes);

    auto const prog = tiletc::parse_string(small_program());
    auto const mod = tiletc::compile_to_spirv(prog.get(), info.get());
    CHECK(std::string_view(tiletc::print_to_string(mod.get()).get()).find("OpEntryPoint") !=
          std::string_view::npos);
    auto const bin = tiletc::spirv_assemble(mod.get());
    CHECK(tiletc::get_raw(bin.get()).data_size == bytes.size());
}

void binaries_keep_what_they_are_given() {
    auto const ctx = tiletc::create_compiler_context();
    auto bytes = std::vector<std::uint8_t>{1, 2, 3, 4, 5};
    auto const bin = tiletc::create_binary(ctx.get(), tiletc::bundle_format::native, bytes.size(),
                                           bytes.data(), 1);
    bytes.assign(5, 0);
    auto const raw = tiletc::get_raw(bin.get());
    CHECK(raw.format == tiletc::bundle_format::native && raw.data_size == 5 && raw.data[4] == 5);
    CHECK(tiletc::get_core_features(bin.get()) == 1);
    CHECK(tiletc::get_compiler_context(bin.get()) == ctx);
}

void errors_carry_their_place() {
    auto const place = tiletc::location{{1, 2, 3}, {1, 2, 5}};
    try {
        tiletc::CHECK_STATUS_LOC(tiletc_status_ir_invalid_shape, place);
        CHECK(!"reached");
    } catch (std::exception const &e) {
        auto const &error = dynamic_cast<tiletc::builder_error const &>(e);
        CHECK(error.code() == tiletc::status::ir_invalid_shape);
        CHECK(error.loc().begin.line == 2);
        CHECK(std::strcmp(error.what(), to_string(tiletc::status::ir_invalid_shape)) == 0);
    }

    auto const ctx = tiletc::make_compiler_context();
    auto message = std::string{};
    set_error_reporter(
        ctx,
        [](char const *what, const tiletc_location *, void *to) {
            *static_cast<std::string *>(to) = what;
        },
        &message);
    auto const id = tiletc::add_source(ctx.get(), "made up", "first line\nsecond line\n");
    tiletc::report_error(ctx.get(), {{id, 2, 8}, {id, 2, 12}}, "not a line");
    CHECK(message.rfind("made up:2.8-11: not a line", 0) == 0);
    CHECK(message.find("second line\n       ~~~~") != std::string::npos);
}

#ifdef BEYOND_TINYTC
/// Message of a failure, whichever way it is caught.
template <typename F> auto said_by(F &&f) -> std::string {
    auto as_status = std::string{};
    try {
        f();
    } catch (tiletc::status const &st) {
        // As programs do that know of nothing else.
        auto const number = static_cast<int>(st);
        CHECK(st == static_cast<tiletc::status>(number));
        switch (st) {
        case tiletc::status::success:
            CHECK(!"a failure");
            break;
        default:
            break;
        }
        as_status = tiletc::to_string(st);
    }
    try {
        f();
    } catch (std::exception const &e) {
        CHECK(!as_status.empty());
        auto const &error = dynamic_cast<tiletc::status_error const &>(e);
        CHECK(tiletc::to_string(error.code()) == as_status);
        CHECK(error == error.code());
        return e.what();
    }
    return {};
}

void failures_say_what_without_a_reporter() {
    auto const text = said_by([] {
        tiletc::parse_string("func @f(%a: f32, %b: f64) {\n    %c = add %a, %b : f32\n}\n");
    });
    CHECK(text.find("2.10-25: operand type must match the result type (%b is f64, the result f32)") !=
          std::string::npos);
    CHECK(text.find("%b is defined here") != std::string::npos && text.back() != '\n');
    CHECK(said_by([] { tiletc::create_core_info_intel_from_name("i486"); }) ==
          to_string(tiletc::status::invalid_arguments));
    // A failure of another status is not of interest, and neither is one that is long gone.
    tiletc_core_info_t info = nullptr;
    CHECK(tiletc_core_info_intel_create_from_name(&info, "i486") != tiletc_status_success);
    CHECK(said_by([] { tiletc::CHECK_STATUS(tiletc_status_not_implemented); }) ==
          to_string(tiletc::status::not_implemented));
    CHECK(std::strcmp(tiletc_get_error_message(tiletc_status_success),
                      tiletc_status_to_string(tiletc_status_success)) == 0);
}
#endif

void a_status_is_a_value() {
    auto code = tiletc::status::success;
    try {
        throw tiletc::status::bad_alloc;
    } catch (tiletc::status st) {
        code = st;
    }
    CHECK(code == tiletc::status::bad_alloc && code != tiletc::status{});
    CHECK(std::hash<tiletc::status>{}(code) == std::hash<tiletc::status>{}(tiletc::status{code}));
    static_assert(static_cast<tiletc_status_t>(tiletc::status::bad_alloc) == tiletc_status_bad_alloc);
    static_assert(static_cast<tiletc::status>(1) == tiletc::status::bad_alloc);
    static_assert(tiletc::status{} == tiletc::status::success);
}

void builders_name_operands() {
    auto const ctx = tiletc::create_compiler_context();
    auto const f32 = tiletc::get<tiletc::f32_type>(ctx.get());
    auto const i64 = tiletc::get<tiletc::i64_type>(ctx.get());
    auto const a = tiletc::create<tiletc::constant_inst>(1.0, f32);
    auto const b = tiletc::create<tiletc::constant_inst>(std::int64_t{1}, i64);
    auto const value = [](tiletc_inst_t inst, char const *name) {
        auto result = tiletc_value_t{};
        tiletc::get_values(inst, result);
        tiletc::set_name(result, name);
        return result;
    };
    auto const x = value(a.get(), "x"), y = value(b.get(), "y");
    try {
        tiletc::create<tiletc::add_inst>(x, y, f32);
        CHECK(!"reached");
    } catch (tiletc::builder_error const &e) {
        CHECK(e.code() == tiletc::status::ir_operand_type_must_match_return_type);
        CHECK(std::string_view{e.what()}.find("(%y is i64, the result f32)") != std::string_view::npos);
    }
    try {
        tiletc::create<tiletc::add_inst>(x, x, i64);
        CHECK(!"reached");
    } catch (std::exception const &e) {
        CHECK(std::string_view{e.what()} ==
              "operand type must match the result type (%x is f32, the result i64)");
    }
}

/// Not a class that the library knows.
struct thrown {
    int number;
};

/// Status that `f` throws as `thrown`, or -1.
template <typename F> auto thrown_by(F &&f) -> int {
    try {
        f();
    } catch (thrown const &what) {
        return what.number;
    } catch (tiletc::status const &) {
        return -2;
    }
    return -1;
}

void reporters_may_throw() {
    auto const ctx = tiletc::make_compiler_context();
    auto count = 0;
    auto const throws = [](char const *, tiletc_location_t const *, void *heard) {
        throw thrown{++*static_cast<int *>(heard)};
    };
    auto const wrong = [&] { tiletc::parse_string("nonsense", ctx.get()); };
    auto const report = [&] {
        tiletc::report_error(ctx.get(), tiletc::location{}, "what the caller says");
    };
    set_error_reporter(ctx, throws, &count);
    CHECK(thrown_by(wrong) == 1);
    // A call that succeeds throws, too, and the next one does not.
    CHECK(thrown_by(report) == 2);
    CHECK(thrown_by([&] { tiletc::parse_string("func @f() {}", ctx.get()); }) == -1);
    CHECK(count == 2);

    // A reporter that calls the library, and hears of that itself, keeps the outer exception.
    struct state {
        tiletc_compiler_context_t ctx;
        int depth;
    } nested = {ctx.get(), 0};
    set_error_reporter(
        ctx,
        [](char const *, tiletc_location_t const *, void *data) {
            auto &s = *static_cast<state *>(data);
            auto const depth = ++s.depth;
            if (depth == 1) {
                CHECK(thrown_by([&] {
                          tiletc::report_error(s.ctx, tiletc::location{}, "from the reporter");
                      }) == 2);
            }
            throw thrown{depth};
        },
        &nested);
    CHECK(thrown_by(wrong) == 1);
    CHECK(nested.depth == 2);

    // Other contexts have their own reporter.
    auto const other = tiletc::make_compiler_context();
    auto other_count = 10;
    set_error_reporter(other, throws, &other_count);
    set_error_reporter(ctx, throws, &count);
    CHECK(thrown_by([&] { tiletc::parse_string("nonsense", other.get()); }) == 11);
    CHECK(thrown_by(wrong) == 3);

    // None, and one that does not throw.
    set_error_reporter(ctx, nullptr);
    CHECK(thrown_by(wrong) == -2);
    set_error_reporter(
        ctx, [](char const *, tiletc_location_t const *, void *heard) { ++*static_cast<int *>(heard); },
        &count);
    CHECK(thrown_by(wrong) == -2);
    CHECK(count == 4);
    CHECK(status_of([&] {
              tiletc::set_error_reporter(tiletc_compiler_context_t{}, throws, nullptr);
          }) == tiletc::status::invalid_arguments);
}

} // namespace

int main() {
    try {
        devices_have_their_numbers();
        passes_have_names();
        what_is_printed_parses_back();
        the_standard_input_is_parsed();
        options_of_the_compiler_take_effect();
        binaries_keep_what_they_are_given();
        errors_carry_their_place();
#ifdef BEYOND_TINYTC
        failures_say_what_without_a_reporter();
#endif
        a_status_is_a_value();
        builders_name_operands();
        the_same_text_gives_the_same_bytes();
        reporters_may_throw();
    } catch (tiletc::status const &st) {
        fprintf(stderr, "status %d: %s\n", static_cast<int>(st), to_string(st));
        return 1;
    }
    return check_result();
}
