// SPDX-License-Identifier: BSD-3-Clause

#include "unit.hpp"

namespace {

/// Each argument of the launcher, as `call(type, name)`.
template <typename Call> void for_each_argument(kernel const &k, Call const &call) {
    auto const real = k.cpp_type();
    for (auto const &s : k.scalars) {
        call(real, scalar_name(s));
    }
    for (auto const &p : k.parameters) {
        auto const pointer = real + (p.written ? " *" : " const *");
        if (p.where != storage::group) {
            call(pointer, p.name);
            if (p.dynamic_stride) {
                call("std::int64_t ", p.name + "_stride");
            }
            continue;
        }
        call(pointer + "const *", p.name);
        if (p.inner != unknown::none) {
            call("std::int64_t const *", p.name + "_sizes");
        }
        if (p.inner == unknown::rows) {
            call("std::int64_t const *", p.name + "_strides");
        }
        if (p.dynamic_offset) {
            call("std::int64_t ", p.name + "_offset");
        }
    }
}

/// Arguments of the kernel, in the order of its parameters: what the launcher gets, and how many
/// elements there are wherever the text leaves it open.
auto kernel_arguments(kernel const &k) -> std::string {
    auto list = std::string{};
    auto const add = [&](std::string const &name) { list += (list.empty() ? "" : ", ") + name; };
    for (auto const &s : k.scalars) {
        add(scalar_name(s));
    }
    for (auto const &p : k.parameters) {
        add(p.name);
        if (p.where == storage::batch) {
            add("elements");
            if (p.dynamic_stride) {
                add(p.name + "_stride");
            }
        }
        if (p.where == storage::group) {
            if (p.inner != unknown::none) {
                add(p.name + "_sizes");
            }
            if (p.inner == unknown::rows) {
                add(p.name + "_strides");
            }
            if (!p.fixed_size) {
                add("elements");
            }
            if (p.dynamic_offset) {
                add(p.name + "_offset");
            }
        }
    }
    return list;
}

auto raw_string(std::string const &text) -> std::string {
    return "R\"tinytc(\n" + text + ")tinytc\"";
}

/// The SYCL range of work-groups; SYCL counts backwards.
auto groups(kernel const &k) -> std::string {
    switch (k.component) {
    case 'x':
        return "{1, 1, count}";
    case 'y':
        return "{1, count, 1}";
    default:
        return "{count, 1, 1}";
    }
}

/// Statements that make `bundle` from a text.
auto make_bundle(std::string const &text, bool binary) -> std::string {
    auto code = "        auto ctx = tinytc::create_compiler_context();\n"
                "        tinytc::set_error_reporter(ctx.get(), report, nullptr);\n"
                "        auto const source = std::string(" +
                raw_string(text) +
                ");\n"
                "        auto program = tinytc::parse_string(source, ctx.get());\n";
    if (binary) {
        code += "        auto info = tinytc::create_core_info(queue.get_device());\n"
                "        auto binary =\n"
                "            tinytc::compile_to_spirv_and_assemble(program.get(), info.get());\n";
    }
    return code +
           "        auto bundle = tinytc::create_kernel_bundle(\n"
           "            queue.get_context(), queue.get_device(), " +
           (binary ? "binary" : "program") + ".get());\n";
}

auto launcher(written_kernel const &w, keeping how) -> std::string {
    auto const &k = w.what;
    auto code = launcher_signature(k) + " {\n"
                                        "    auto &queue = *static_cast<sycl::queue *>(stream);\n";
    auto const create = "tinytc::create_kernel(bundle, \"" + k.name + "\")";
    if (how == keeping::together) {
        code += "    static auto const kernel = [&] {\n"
                "        auto const &bundle = bundle_of_this_unit(queue);\n";
    } else {
        code += "    static auto const kernel = [&] {\n" +
                make_bundle(w.text, how == keeping::as_binaries);
    }
    code += "        return " + create +
            ";\n"
            "    }();\n"
            "    auto const count = static_cast<std::size_t>(elements);\n"
            "    auto const range = tinytc::get_execution_range(kernel, sycl::range<3u>" +
            groups(k) +
            ");\n"
            "    queue.submit([&](sycl::handler &h) {\n"
            "        h.set_args(" +
            kernel_arguments(k) +
            ");\n"
            "        h.parallel_for(range, kernel);\n"
            "    });\n"
            "}\n";
    return code;
}

} // namespace

auto launcher_signature(kernel const &k) -> std::string {
    auto code = "void " + k.name + "(";
    for_each_argument(k, [&](std::string type, std::string const &name) {
        if (type.back() != '*' && type.back() != ' ') {
            type += ' ';
        }
        code += type + name + ", ";
    });
    return code + "std::int64_t elements, void *stream)";
}

auto launchers(std::vector<written_kernel> const &kernels, keeping how, std::string const &header)
    -> std::string {
    auto code = "// Written by the generator in tests/cpp/codegen.\n"
                "#include \"" +
                header +
                "\"\n"
                "#include <sycl/sycl.hpp>\n"
                "#include <tinytc/tinytc.hpp>\n"
                "#include <tinytc/tinytc_sycl.hpp>\n"
                "#include <cstddef>\n"
                "#include <cstdint>\n"
                "#include <cstdio>\n"
                "#include <string>\n\n"
                "namespace {\n\n"
                "void report(char const *what, tinytc_location_t const *, void *) {\n"
                "    std::fprintf(stderr, \"%s\\n\", what);\n"
                "}\n\n";
    if (how == keeping::together) {
        auto all = std::string{};
        for (auto const &w : kernels) {
            all += w.text;
        }
        code += "auto bundle_of_this_unit(sycl::queue const &queue)\n"
                "    -> sycl::kernel_bundle<sycl::bundle_state::executable> const & {\n"
                "    static auto const bundle = [&] {\n" +
                make_bundle(all, false) +
                "        return bundle;\n"
                "    }();\n"
                "    return bundle;\n"
                "}\n\n";
    }
    code += "} // namespace\n\nnamespace generated {\n\n";
    for (auto const &w : kernels) {
        code += launcher(w, how) + "\n";
    }
    return code + "} // namespace generated\n";
}
