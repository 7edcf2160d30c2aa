// SPDX-License-Identifier: BSD-3-Clause

// Arguments of kernels on Level Zero, compared with what the kernel takes.

#include "../check.hpp"
#include "gpu.hpp"

#include <tiletc/tiletc.hpp>
#include <tiletc/tiletc_ze.hpp>

#include <level_zero/ze_api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>

namespace {

constexpr char const *text = "func @scale(%a: f32, %X: memref<f32x16x?>, %G: group<memref<f32x4>x?>) {\n"
                             "    %g = group_id.x : index\n"
                             "    %zero = constant 0.0 : f32\n"
                             "    %x = subview %X[0:16,%g] : memref<f32x16>\n"
                             "    axpby %a, %x, %zero, %x\n"
                             "}\n";

/// Message of a failure.
template <typename F> auto said_by(F &&f) -> std::string {
    try {
        f();
    } catch (std::exception const &e) {
        return e.what();
    }
    return "nothing";
}

} // namespace

int main() {
    gpu const on{32 * sizeof(float)};
    auto *const X = static_cast<float *>(on.memory);
    for (int i = 0; i < 32; ++i) {
        X[i] = static_cast<float>(i);
    }
    auto **const G = static_cast<float **>(on.memory);
    std::int64_t const size = 2;

    auto bundle = tiletc::create_kernel_bundle(on.context, on.device, tiletc::parse_string(text));
    CHECK(said_by([&] { tiletc::create_kernel(bundle.get(), "scales"); }) ==
          "there is no kernel `scales`; the bundle has scale");
    auto kernel = tiletc::create_kernel(bundle.get(), "scale");
    CHECK(said_by([&] { tiletc::set_args(kernel, 2, X, size, G, size); }) ==
          "kernel scale: %a: f32 takes a float, got an int32 (argument 1)");
    CHECK(said_by([&] { tiletc::set_args(kernel, 2.0f, X, 2, G, size); }) ==
          "kernel scale: %X: memref<f32x16x?> takes a pointer to float and one int64, got a "
          "pointer to float and an int32 (arguments 2 to 3)");
    CHECK(said_by([&] { tiletc::submit(on.list, kernel, {2, 1, 1}, 2.0f, X, size, G); }) ==
          "kernel scale: %G: group<memref<f32x4>x?> takes a pointer to pointers to float and one "
          "int64, got a pointer to pointers to float (argument 4)");
    CHECK(said_by([&] { tiletc::set_args(kernel, 2.0f, G, size, X, size); }) ==
          "kernel scale: %X: memref<f32x16x?> takes a pointer to float and one int64, got a "
          "pointer to pointers to float and an int64 (arguments 2 to 3)");
    CHECK(said_by([&] { tiletc::set_args(kernel, 2.0f, on.memory, size, X, size); }) ==
          "kernel scale: %G: group<memref<f32x4>x?> takes a pointer to pointers to float and one "
          "int64, got a pointer to float and an int64 (arguments 4 to 5)");
    CHECK(said_by([&] {
              tiletc::set_args(kernel, 2.0f, reinterpret_cast<double *>(X), size, G, size);
          }) == "kernel scale: %X: memref<f32x16x?> takes a pointer to float and one int64, got a "
                "pointer to double and an int64 (arguments 2 to 3)");
    tiletc::set_args(kernel, 2.0f, static_cast<std::byte *>(on.memory), size, on.memory, size);
    CHECK(X[1] == 1.0f);
    auto const follows_pointers = [&] {
        ze_kernel_indirect_access_flags_t flags = 0;
        CHECK(zeKernelGetIndirectAccess(kernel.get(), &flags) == ZE_RESULT_SUCCESS);
        return (flags & ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE) != 0;
    };
    // The table of a group leads to more memory, which the driver has to be told.
    CHECK(follows_pointers());
    CHECK(zeKernelSetIndirectAccess(kernel.get(), 0) == ZE_RESULT_SUCCESS);
    CHECK(!follows_pointers());
    tiletc::submit(on.list, kernel, {2, 1, 1}, 2.0f, X, size, G, size);
    CHECK(follows_pointers());
    for (int i = 0; i < 32; ++i) {
        CHECK(X[i] == 2.0f * static_cast<float>(i));
    }
    std::int64_t const none = 0;
    tiletc::submit(on.list, kernel, {0, 1, 1}, 2.0f, X, none, G, size);
    tiletc::submit(on.list, kernel, 2.0f, X, none, G, size);
    CHECK(X[1] == 2.0f);
    CHECK(said_by([&] { tiletc::submit(on.list, kernel, {1, 1, 1}, 2.0f, X, size, G, size); }) ==
          "kernel scale: 1 × 1 × 1 work-groups, where the arguments need 2 × 1 × 1 (grid=[%X[1]])");
    tiletc::submit(on.list, kernel, 2.0f, X, size, G, size);
    CHECK(X[16] == 64.0f);

    // Of a kernel that somebody else has made the number is known.
    ze_kernel_desc_t kernel_desc = {};
    kernel_desc.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
    kernel_desc.pKernelName = "scale";
    ze_kernel_handle_t other = nullptr;
    CHECK(zeKernelCreate(bundle.get(), &kernel_desc, &other) == ZE_RESULT_SUCCESS);
    CHECK(said_by([&] { tiletc::set_args(other, 2.0f); }) ==
          "kernel of unknown name: 1 arguments where it takes 5");
    zeKernelDestroy(other);
    return check_result();
}
