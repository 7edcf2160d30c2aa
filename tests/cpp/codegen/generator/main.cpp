// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Writes the kernels of the test "codegen", the functions that launch them, and their checks.

#include "check.hpp"
#include "choose.hpp"
#include "faults.hpp"
#include "features.hpp"
#include "text.hpp"
#include "unit.hpp"

#include <cstddef>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr int number_of_kernels = 50;

void write(std::string const &path, std::string const &content) {
    auto output = std::ofstream{path, std::ios::binary};
    output << content;
    output.close();
    if (!output) {
        throw std::runtime_error("cannot write " + path);
    }
}

/// Writes a header, a unit of launchers, and a unit of checks.
void write_unit(std::string const &folder, std::string const &name, keeping how,
                std::vector<written_kernel> const &kernels) {
    auto const header = name + ".hpp";
    auto declarations = std::string("// Written by the generator in tests/cpp/codegen.\n"
                                    "#pragma once\n#include <cstdint>\n\nnamespace generated {\n\n"
                                    "// The stream is a SYCL queue.\n");
    auto descriptions = std::vector<kernel>{};
    for (auto const &w : kernels) {
        declarations += launcher_signature(w.what) + ";\n";
        descriptions.push_back(w.what);
    }
    write(folder + "/" + header, declarations + "\n} // namespace generated\n");
    write(folder + "/" + name + ".cpp", launchers(kernels, how, header));
    write(folder + "/" + name + "_check.cpp", checks(descriptions, name, header));
}

/// Writes what lists the checks of a program.
void write_list(std::string const &path, std::vector<std::string> const &units) {
    auto declarations = std::string{}, calls = std::string{};
    for (auto const &unit : units) {
        declarations += "auto " + unit + "() -> std::vector<test_case>;\n";
        calls += "        " + unit + "(),\n";
    }
    write(path, "// Written by the generator in tests/cpp/codegen.\n"
                "#include \"support.hpp\"\n\nnamespace generated {\n\n" +
                    declarations +
                    "\nauto all_units() -> std::vector<std::vector<test_case>> {\n"
                    "    return {\n" +
                    calls + "    };\n}\n\n} // namespace generated\n");
}

/// All kernels with their texts; between them they show everything that is asked for.
auto write_kernels() -> std::vector<written_kernel> {
    auto const chosen = choose_kernels(number_of_kernels);
    auto complaint = std::string{};
    for (auto const &what : missing_features(chosen)) {
        complaint += "\n  " + what;
    }
    if (!complaint.empty()) {
        throw std::runtime_error("the kernels do not show:" + complaint);
    }
    auto kernels = std::vector<written_kernel>{};
    for (auto const &k : chosen) {
        kernels.push_back({k, language_text(k)});
    }
    return kernels;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fputs("usage: codegen_generator FOLDER\n", stderr);
        return 2;
    }
    try {
        auto const folder = std::string(argv[1]);
        auto const kernels = write_kernels();
        constexpr keeping ways[] = {keeping::one_by_one, keeping::one_by_one, keeping::together,
                                    keeping::as_binaries};
        constexpr auto units = std::size(ways);
        auto names = std::vector<std::string>{};
        for (std::size_t unit = 0; unit < units; ++unit) {
            auto const at = [&](std::size_t end) {
                return kernels.begin() + static_cast<std::ptrdiff_t>(kernels.size() * end / units);
            };
            names.push_back("unit_" + std::to_string(unit));
            write_unit(folder, names.back(), ways[unit], {at(unit), at(unit + 1)});
        }
        write_list(folder + "/units.cpp", names);
        write_unit(folder, "unit_faulty", keeping::one_by_one, faulty_kernels(kernels));
        write_list(folder + "/units_faulty.cpp", {"unit_faulty"});
    } catch (std::exception const &e) {
        std::fprintf(stderr, "codegen_generator: %s\n", e.what());
        return 1;
    }
}
