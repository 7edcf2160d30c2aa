// SPDX-License-Identifier: BSD-3-Clause

#include "text.hpp"

#include <cstddef>

auto chain_text(std::vector<std::int64_t> const &sizes, std::string const &real) -> std::string {
    auto const matrices = sizes.size() - 1;
    auto const shape = [&](std::size_t rows, std::size_t cols) {
        return "memref<" + real + "x" + std::to_string(sizes[rows]) + "x" +
               std::to_string(sizes[cols]);
    };
    auto parameters = std::string{}, views = std::string{}, products = std::string{};
    auto const tensor = [&](std::string const &name, std::string const &view, std::size_t rows,
                            std::size_t cols) {
        parameters += (parameters.empty() ? "%" : ",\n           %") + name + ": " +
                      shape(rows, cols) + "x?>";
        views += "    %" + view + " = subview %" + name + "[0:" + std::to_string(sizes[rows]) +
                 ",0:" + std::to_string(sizes[cols]) + ",%e] : " + shape(rows, cols) + ">\n";
    };
    for (std::size_t k = 1; k <= matrices; ++k) {
        auto const number = std::to_string(k);
        tensor("X" + number, "x" + number, k - 1, k);
    }
    tensor("Q", "q", 0, matrices);

    // From the left: the product of the first k matrices is in local memory, the last one is added.
    auto left = std::string("%x1");
    for (std::size_t k = 2; k <= matrices; ++k) {
        auto const right = ", %x" + std::to_string(k);
        if (k == matrices) {
            products += "    gemm %one, " + left + right + ", %one, %q\n";
        } else {
            auto const product = "%p" + std::to_string(k);
            products += "    " + product + " = alloca : " + shape(0, k) + ",local>\n";
            products += "    gemm %one, " + left + right + ", %zero, " + product + "\n";
            left = product;
        }
    }
    return "func @chain(" + parameters + ") {\n    %e = group_id.x : index\n" + views +
           "    %zero = constant 0.0 : " + real + "\n    %one = constant 1.0 : " + real + "\n" +
           products + "}\n";
}
