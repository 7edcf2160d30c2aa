// SPDX-License-Identifier: BSD-3-Clause

// What programs make besides text, on many threads at once: programs from the builder, recipes, and
// kernel bundles that come from one cache. Everything is as one thread makes it.
//
// Arguments: number of threads, rounds of each, a folder for the cache.

#include "builder.hpp"
#include "on_threads.hpp"

#include <tiletc/tiletc_ze.hpp>

#include <dlfcn.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace tiletc;

namespace {

auto bytes_of(shared_handle<tiletc_binary_t> const &bin) -> std::string {
    auto const raw = get_raw(bin.get());
    return {reinterpret_cast<char const *>(raw.data), raw.data_size};
}

/// A += s, entry by entry, with a branch and an instruction that is removed again.
void build(program const &prog, std::int64_t size) {
    auto *const index = prog.get<index_type>();
    auto *const f32 = prog.get<f32_type>();
    auto *const boolean = prog.get<boolean_type>();
    auto const parameters =
        std::vector<parameter>{{"A", prog.memref<f32_type>({size})}, {"s", f32}};
    prog.function(
        "add", parameters, [&](region_builder &bb, std::vector<tiletc_value_t> const &args) {
            auto *const zero = bb.constant_zero(index);
            auto *const end = bb.create<constant_inst>(size, index);
            bb.foreach_loop(zero, end, [&](region_builder &body, array_view<tiletc_value_t> point) {
                auto *const old = body.create<load_inst>(args[0], point, f32);
                auto *const sum = body.create<add_inst>(old, args[1], f32);
                auto *const changed = body.create<not_equal_inst>(old, sum, boolean);
                body.if_condition(changed, [&](region_builder &inner) {
                    inner.create<store_inst>(sum, args[0], point);
                });
                // Never put anywhere
                create<mul_inst>(old, sum, f32);
            });
        });
}

auto built(std::int64_t size) -> std::string {
    auto const prog = program{};
    build(prog, size);
    auto const pvc = create_core_info_intel_from_name("pvc");
    auto result = prog.text();
    return result + bytes_of(compile_to_spirv_and_assemble(prog.handle.get(), pvc.get()));
}

auto recipes_of(tiletc_core_info_t info, std::int64_t size) -> std::string {
    auto const ctx = create_compiler_context();
    auto *const f32 = get<f32_type>(ctx.get());
    auto const batch = create_small_gemm_batched(info, f32, transpose::N, transpose::T, size, 3, 2,
                                                 size, 2 * size, 3, 6, size, 3 * size);
    auto const skinny = create_tall_and_skinny(info, f32, size, 4);
    return bytes_of(get_binary(batch.get())) + bytes_of(get_binary(skinny.get()));
}

/// Compares what each thread makes of each size with what the first one made of it.
template <typename Make>
void expect_same(char const *name, unsigned threads, int rounds, Make &&make) {
    constexpr std::int64_t num_sizes = 3;
    auto expected = std::vector<std::string>{};
    for (std::int64_t size = 1; size <= num_sizes; ++size) {
        expected.push_back(make(size));
    }
    auto different = std::atomic<int>{0};
    on_threads(threads, [&](unsigned thread) {
        for (int round = 0; round < rounds; ++round) {
            auto const size = (thread + static_cast<unsigned>(round)) % num_sizes;
            auto result = std::string{};
            auto const st = status_of([&] { result = make(size + 1); });
            different += st != status::success || result != expected[size];
        }
    });
    if (different != 0) {
        fprintf(stderr, "%s: %d results are others\n", name, different.load());
    }
    CHECK(different == 0);
}

/// Each thread with a context of its own, all with the same folder, on the fake driver.
void bundles_come_from_one_cache(unsigned threads, int rounds, std::string const &folder) {
    auto const context = reinterpret_cast<ze_context_handle_t>(std::uintptr_t{1});
    auto const device = reinterpret_cast<ze_device_handle_t>(std::uintptr_t{2});
    auto hits = std::atomic<std::uint64_t>{0};
    auto wrong = std::atomic<int>{0};
    on_threads(threads, [&](unsigned) {
        for (int round = 0; round < rounds; ++round) {
            auto const st = status_of([&] {
                auto const ctx = create_compiler_context();
                set_cache(ctx, folder.c_str());
                auto const prog = parse_string(small_program(), ctx.get());
                auto const bundle = create_kernel_bundle(context, device, prog);
                wrong += !bundle;
                auto const counters = get_cache_counters(ctx);
                hits += counters.hits;
                wrong += counters.hits + counters.misses != 1;
            });
            wrong += st != status::success;
        }
    });
    CHECK(wrong == 0);
    // Each thread misses at most in its first round.
    CHECK(hits >= std::uint64_t{threads} * static_cast<unsigned>(rounds - 1));
}

auto driver_is_the_fake() -> bool {
    auto *const library = dlopen("libze_loader.so.1", RTLD_NOW | RTLD_LOCAL);
    return library != nullptr && dlsym(library, "fake_calls") != nullptr;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 4) {
        fputs("usage: threads_objects THREADS ROUNDS FOLDER\n", stderr);
        return 2;
    }
    if (!driver_is_the_fake()) {
        return skip("libze_loader.so.1 is not the fake");
    }
    auto const threads = static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10));
    auto const rounds = static_cast<int>(std::strtol(argv[2], nullptr, 10));
    return run_tests([&] {
        expect_same("programs from the builder", threads, rounds, built);
        // Threads may read one description of a device.
        auto const pvc = create_core_info_intel_from_name("pvc");
        expect_same("recipes", threads, rounds,
                    [&](std::int64_t size) { return recipes_of(pvc.get(), size); });
        bundles_come_from_one_cache(threads, rounds, argv[3]);
    });
}
