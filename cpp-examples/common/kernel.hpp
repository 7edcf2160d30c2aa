// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_KERNEL_HPP
#define EXAMPLES_KERNEL_HPP

#include "progress.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <sycl/sycl.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>

/// The file of this name that lies next to the running program.
inline auto beside_program(char const *name) -> std::string {
    auto error = std::error_code{};
    auto const program = std::filesystem::read_symlink("/proc/self/exe", error);
    return (program.parent_path() / name).string();
}

/// Takes the place of the status line with what the compiler has to say; `status_line` is a
/// `progress`.
inline void report_to_stderr(char const *what, const tiletc_location *, void *status_line) {
    static_cast<progress *>(status_line)->clear();
    std::fprintf(stderr, "%s\n", what);
}

/// A kernel and the bundle it comes from, which should live longer: SYCL on Level Zero forgets the
/// module of a bundle that goes first.
struct compiled_kernel {
    sycl::kernel_bundle<sycl::bundle_state::executable> bundle;
    sycl::kernel kernel;
};

/// Compiles a kernel of a text for a device.
inline auto compile_text(std::string const &text, char const *kernel, sycl::queue const &q,
                         progress &status_line) -> compiled_kernel {
    auto ctx = tiletc::make_compiler_context();
    set_error_reporter(ctx, report_to_stderr, &status_line);
    auto prog = tiletc::parse_string(text, ctx.get());
    auto bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), prog);
    return {bundle, tiletc::create_kernel(bundle, kernel)};
}

/// The text of a kernel in a file, a template that `definitions` go in front of: on the first line of the
/// file, so that the compiler's messages count the lines as an editor does.
inline auto read_template(std::string const &file, std::string const &definitions) -> std::string {
    auto input = std::ifstream{file, std::ios::binary};
    auto text = std::string(std::istreambuf_iterator<char>{input}, {});
    if (!input) {
        throw std::runtime_error("cannot read '" + file + "'");
    }
    return definitions + ' ' + text;
}

/// Compiles a kernel for a device. The file is a template: `definitions`, a line of preprocessor
/// definitions, go in front of it.
inline auto compile_template(std::string const &file, std::string const &definitions,
                             char const *kernel, sycl::queue const &q, progress &status_line)
    -> compiled_kernel {
    return compile_text(read_template(file, definitions), kernel, q, status_line);
}

#endif // EXAMPLES_KERNEL_HPP
