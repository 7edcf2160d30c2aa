// SPDX-License-Identifier: BSD-3-Clause

// Recipes from C++ without a driver: what is made, what is thrown, and a handler for a runtime that the
// library does not know.

#include <tinytc/tinytc.hpp>

#include "check.hpp"

#include <complex>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using tinytc::status;

/// A context, a device, and a type in it.
struct world {
    tinytc::shared_handle<tinytc_compiler_context_t> ctx = tinytc::create_compiler_context();
    tinytc::shared_handle<tinytc_core_info_t> info = tinytc::create_core_info_intel_from_name("pvc");
    tinytc_type_t f32 = nullptr;

    world() { CHECK(tinytc_f32_type_get(&f32, ctx.get()) == tinytc_status_success); }

    auto batch(std::int64_t M = 4) const {
        return tinytc::create_small_gemm_batched(info.get(), f32, tinytc::transpose::N,
                                                 tinytc::transpose::T, M, 3, 2, 4, 8, 3, 0, 4, 12);
    }
};

void recipes_have_programs_and_binaries() {
    auto recipe = tinytc::shared_handle<tinytc_recipe_t>{};
    {
        auto const w = world{};
        recipe = w.batch();
        CHECK(tinytc::get_compiler_context(tinytc::get_prog(recipe.get()).get()) == w.ctx);
    }
    // The recipe keeps what it needs.
    auto const prog = tinytc::get_prog(recipe.get());
    auto const bin = tinytc::get_binary(recipe.get());
    recipe = {};
    auto const text = std::string(tinytc::print_to_string(prog.get()).get());
    CHECK(text.find("func @gemm(") != std::string::npos);
    CHECK(text.find("func @gemm_beta0(") != std::string::npos);
    CHECK(tinytc::get_raw(bin.get()).format == tinytc::bundle_format::spirv);
}

void tall_and_skinny_is_made_with_defaults_and_without() {
    auto const w = world{};
    CHECK(tinytc::create_tall_and_skinny(w.info.get(), w.f32, 8, 4));
    CHECK(tinytc::create_tall_and_skinny(w.info.get(), w.f32, 8, 4, 64));
    CHECK(tinytc::create_tall_and_skinny_specialized(w.info.get(), w.f32, tinytc::dynamic, 8, 4,
                                                     1000, tinytc::dynamic, 1000, 64, 0, 64));
    std::int32_t block = 0;
    CHECK(tinytc_recipe_tall_and_skinny_suggest_block_size(w.info.get(), &block) ==
          tinytc_status_success);
    CHECK(block == 128);
}

void what_is_wrong_is_thrown() {
    auto const w = world{};
    CHECK(status_of<status>([&] { w.batch(0); }) == status::ir_invalid_shape);
    CHECK(status_of<status>([&] { w.batch(tinytc::dynamic); }) == status::invalid_arguments);
    CHECK(status_of<status>([&] { tinytc::create_tall_and_skinny(w.info.get(), nullptr, 8, 4); }) ==
          status::invalid_arguments);
    CHECK(status_of<status>([&] { tinytc::create_tall_and_skinny(w.info.get(), w.f32, 8, 4, -1); }) ==
          status::ir_invalid_shape);
    CHECK(status_of<status>([&] { tinytc::get_prog(nullptr); }) == status::invalid_arguments);
    CHECK(status_of<status>([&] { tinytc::get_binary(nullptr); }) == status::invalid_arguments);
    CHECK(status_of<status>([&] { tinytc::get_recipe(nullptr); }) == status::invalid_arguments);
    float *const none = nullptr;
    CHECK(status_of<status>([&] {
              tinytc::set_small_gemm_batched_args(tinytc_recipe_handler_t{}, 1, 1.0f, none, none,
                                                  0.0f, none);
          }) == status::invalid_arguments);
    CHECK(status_of<status>([&] {
              tinytc::set_tall_and_skinny_args(tinytc_recipe_handler_t{}, 1, 1.0f, none, 1, none, 1,
                                               0.0f, none, 1);
          }) == status::invalid_arguments);
}

/// A runtime of the program's own: it writes down what it is told.
struct notebook {
    std::size_t kernel = 99;
    std::vector<std::vector<unsigned char>> values;
    std::vector<tinytc_mem_type_t> kinds;
    std::int64_t groups = -1;

    static auto of(void *data) -> notebook & { return *static_cast<notebook *>(data); }

    static auto select(void *data, std::size_t kernel) -> tinytc_status_t {
        of(data) = notebook{};
        of(data).kernel = kernel;
        return tinytc_status_success;
    }
    static auto value(void *data, std::uint32_t index, std::size_t size, void const *value)
        -> tinytc_status_t {
        CHECK(index == of(data).values.size());
        auto const *bytes = static_cast<unsigned char const *>(value);
        of(data).values.emplace_back(bytes, bytes + size);
        return tinytc_status_success;
    }
    static auto memory(void *data, std::uint32_t index, tinytc_mem_type_t type, void const *address)
        -> tinytc_status_t {
        of(data).kinds.push_back(type);
        return value(data, index, sizeof(address), &address);
    }
    static auto launch(void *data, std::int64_t groups) -> tinytc_status_t {
        of(data).groups = groups;
        return tinytc_status_success;
    }
    static void close(void *data) { of(data).kernel = 77; }

    template <typename T> auto as(std::size_t index) const -> T {
        auto result = T{};
        CHECK(values.at(index).size() == sizeof(T));
        std::memcpy(&result, values.at(index).data(), sizeof(T));
        return result;
    }
};

void a_program_may_bring_its_own_runtime() {
    auto const w = world{};
    auto const recipe = w.batch();
    auto notes = notebook{};
    tiletc_recipe_handler_callbacks_t callbacks = {};
    callbacks.runtime = "notebook";
    callbacks.select_kernel = notebook::select;
    callbacks.set_value = notebook::value;
    callbacks.set_memory = notebook::memory;
    callbacks.set_groups = notebook::launch;
    callbacks.destroy = notebook::close;
    tinytc_recipe_handler_t raw = nullptr;
    CHECK(tiletc_recipe_handler_create_with_callbacks(&raw, recipe.get(), &callbacks, &notes) ==
          tinytc_status_success);
    auto handler = tinytc::shared_handle{raw};
    CHECK(tinytc::get_recipe(handler.get()) == recipe);

    alignas(128) auto A = 1.0f, B = 2.0f, C = 3.0f;
    tinytc::set_small_gemm_batched_args(handler.get(), 5, 0.5f, &A, &B, 2.0f, &C);
    CHECK(notes.kernel == 0 && notes.groups == 5 && notes.values.size() == 8);
    CHECK(notes.as<float>(0) == 0.5f && notes.as<float>(5) == 2.0f);
    CHECK(notes.as<float *>(1) == &A && notes.as<float *>(3) == &B && notes.as<float *>(6) == &C);
    CHECK(notes.as<std::int64_t>(2) == 5 && notes.as<std::int64_t>(7) == 5);
    CHECK(notes.kinds.at(0) == tinytc_mem_type_usm_pointer);

    // A wrapped handler, and memory whose kind is named, in both ways.
    tinytc::set_small_gemm_batched_args(
        handler, 5, 0.5f, tinytc::mem(&A, tinytc::mem_type::svm_pointer),
        tinytc::mem(&B, tinytc_mem_type_buffer), -0.0f, &C);
    CHECK(notes.kernel == 1);
    CHECK(notes.kinds.at(0) == tinytc_mem_type_svm_pointer);
    CHECK(notes.kinds.at(1) == tinytc_mem_type_buffer);

    // Numbers of another size, and the arguments of the other recipe.
    CHECK(status_of<status>([&] {
              tinytc::set_small_gemm_batched_args(handler, 5, 1.0, &A, &B, 0.0, &C);
          }) == status::invalid_kernel_arguments);
    CHECK(status_of<status>([&] {
              tinytc::set_small_gemm_batched_args(handler, 5, std::complex<float>{}, &A, &B,
                                                  std::complex<float>{}, &C);
          }) == status::invalid_kernel_arguments);
    CHECK(status_of<status>([&] {
              tinytc::set_tall_and_skinny_args(handler, 5, 1.0f, &A, 1, &B, 1, 0.0f, &C, 1);
          }) == status::invalid_arguments);
    handler = {};
    CHECK(notes.kernel == 77);
}

} // namespace

int main() {
    static_assert(std::is_same_v<decltype(tinytc::get_prog(nullptr)),
                                 tinytc::shared_handle<tinytc_prog_t>>);
    recipes_have_programs_and_binaries();
    tall_and_skinny_is_made_with_defaults_and_without();
    what_is_wrong_is_thrown();
    a_program_may_bring_its_own_runtime();
    return check_result();
}
