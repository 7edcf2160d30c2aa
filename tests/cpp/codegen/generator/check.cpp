// SPDX-License-Identifier: BSD-3-Clause

#include "check.hpp"

namespace {

auto str(std::int64_t number) -> std::string { return std::to_string(number); }

/// A list of a number for each element, in braces.
template <typename Of> auto list(std::int64_t elements, Of const &of) -> std::string {
    auto text = std::string("{");
    for (std::int64_t e = 0; e < elements; ++e) {
        text += (e == 0 ? "" : ", ") + str(of(e));
    }
    return text + "}";
}

/// Writes the check of one kernel.
class writer {
  public:
    explicit writer(kernel const &k) : k_{k}, real_{k.cpp_type()} {}

    auto write() -> std::string {
        text_ = "auto check_" + k_.name + "(void *stream) -> outcome {\n";
        indent_ = 4;
        line("constexpr std::int64_t elements = " + str(k_.elements) + ";");
        for (std::size_t i = 0; i < k_.parameters.size(); ++i) {
            tensor(k_.parameters[i], i);
        }
        line("for (int launch = 0; launch < launches; ++launch) {");
        line("    " + k_.name + "(" + arguments() + "elements, stream);");
        line("    wait_for(stream);");
        line("}");
        line("for (int launch = 0; launch < launches; ++launch) {");
        line("    for (std::int64_t e = 0; e < elements; ++e) {");
        indent_ = 12;
        loops();
        indent_ = 4;
        line("    }");
        line("}");
        auto names = std::string{};
        for (auto const &p : k_.parameters) {
            names += (names.empty() ? "" : ", ") + p.name;
        }
        line("return compare(" + names + ");");
        return text_ + "}\n\n";
    }

  private:
    void line(std::string const &what) { text_ += std::string(indent_, ' ') + what + "\n"; }

    /// A tensor in shared memory, with its initial numbers.
    void tensor(parameter const &p, std::size_t seed) {
        auto const size = p.leading * p.cols * p.slices;
        auto const slots = [&] {
            switch (p.where) {
            case storage::shared:
                return "slots::contiguous(1, " + str(size) + ", " + str(p.interior ? 3 : 0) + ")";
            case storage::batch:
                return "slots::contiguous(elements, " + str(p.stride) + ", " +
                       str(p.interior ? 5 : 0) + ")";
            default:
                return "slots::scattered<" + real_ + ">(elements, " + str(size) + ", " +
                       str(p.offset) + ")";
            }
        }();
        line("auto " + p.name + " = tensor<" + real_ + ">{{" + str(p.rows) + ", " + str(p.cols) +
             ", " + str(p.slices) + ", " + str(p.leading) + "}, " + slots + ", stream};");
        if (!p.blank) {
            line(p.name + ".fill(" + str(static_cast<std::int64_t>(seed)) + ");");
        }
        auto const inner_is_rows = p.inner == unknown::rows;
        if (p.inner != unknown::none) {
            auto const most = inner_is_rows ? p.rows : p.cols;
            line("auto " + p.name + "_sizes = numbers(" +
                 list(k_.elements, [&](std::int64_t e) { return inner_size(e, most); }) +
                 ", stream);");
        }
        if (inner_is_rows) {
            line("auto " + p.name + "_strides = numbers(" +
                 list(k_.elements, [&](std::int64_t) { return p.leading; }) + ", stream);");
        }
    }

    auto arguments() const -> std::string {
        auto text = std::string{};
        for (auto const &s : k_.scalars) {
            text += "static_cast<" + real_ + ">(" + std::to_string(s.value) + "), ";
        }
        for (auto const &p : k_.parameters) {
            if (p.where == storage::group) {
                text += p.name + ".table(), ";
                text += p.inner != unknown::none ? p.name + "_sizes.get(), " : "";
                text += p.inner == unknown::rows ? p.name + "_strides.get(), " : "";
                text += p.dynamic_offset ? str(p.offset) + ", " : "";
            } else {
                text += p.name + ".data(), ";
                text += p.dynamic_stride ? str(p.stride) + ", " : "";
            }
        }
        return text;
    }

    void loops() {
        for (std::size_t i = 0; i < k_.temporaries.size(); ++i) {
            auto const &t = k_.temporaries[i];
            line("auto " + temporary_name(i) + " = local_matrix<" + real_ + ">{" + str(t.rows) +
                 ", " + str(t.cols) + "};");
        }
        for (std::size_t i = 0; i < k_.statements.size(); ++i) {
            if (i == k_.loop_from) {
                line("for (std::int64_t d = 0; d < " + str(k_.slices) + "; ++d) {");
                indent_ += 4;
            }
            loop_nest(k_.statements[i]);
        }
        if (k_.looped()) {
            indent_ -= 4;
            line("}");
        }
    }

    void loop_nest(statement const &s) {
        line("for (std::int64_t j = 0; j < " + str(s.c.cols) + "; ++j) {");
        line("    for (std::int64_t i = 0; i < " + str(s.c.rows) + "; ++i) {");
        indent_ += 8;
        line("auto sum = sum_of_products<" + real_ + ">{};");
        if (s.product) {
            line("for (std::int64_t k = 0; k < " + inner(s.a) + "; ++k) {");
            line("    sum.add(" + number(s.a, "i", "k") + ", " + number(s.b, "k", "j") + ");");
            line("}");
        } else {
            line("sum.add(" + number(s.a, "i", "j") + ", {1, 0});");
        }
        auto const c = number(s.c, "i", "j");
        auto const alpha = std::to_string(s.alpha.value);
        if (s.beta.value == 0.0) {
            line(c + " = sum.times(" + alpha + ");");
        } else {
            line(c + " = sum.times(" + alpha + ", " + std::to_string(s.beta.value) + ", " + c +
                 ");");
        }
        indent_ -= 8;
        line("    }");
        line("}");
    }

    /// The number of columns of a left factor.
    auto inner(matrix const &m) const -> std::string {
        if (!m.temporary && k_.parameters[m.index].inner != unknown::none) {
            return k_.parameters[m.index].name + "_sizes.get()[e]";
        }
        return str(m.transposed ? m.rows : m.cols);
    }

    /// An entry of an operand.
    auto number(matrix const &m, std::string row, std::string col) const -> std::string {
        if (m.transposed) {
            row.swap(col);
        }
        if (m.temporary) {
            return temporary_name(m.index) + ".at(" + row + ", " + col + ")";
        }
        auto const &p = k_.parameters[m.index];
        auto const from = [](std::int64_t begin) { return begin > 0 ? " + " + str(begin) : ""; };
        auto const access = p.written ? ".write(" : ".read(";
        return p.name + access + (p.where == storage::shared ? "0" : "e") + ", " + row +
               from(m.row) + ", " + col + from(m.col) + ", " + (p.slices > 1 ? "d" : "0") + ")";
    }

    kernel const &k_;
    std::string real_;
    std::string text_;
    std::size_t indent_ = 0;
};

} // namespace

auto checks(std::vector<kernel> const &kernels, std::string const &function,
            std::string const &header) -> std::string {
    auto code = "// Written by the generator in tests/cpp/codegen.\n"
                "#include \"" +
                header +
                "\"\n"
                "#include \"support.hpp\"\n"
                "#include <cstdint>\n\n"
                "namespace generated {\n\nnamespace {\n\n";
    auto entries = std::string{};
    for (auto const &k : kernels) {
        code += writer{k}.write();
        entries += "        {\"" + k.name + "\", " + (k.double_precision ? "true" : "false") +
                   ", check_" + k.name + "},\n";
    }
    return code + "} // namespace\n\nauto " + function +
           "() -> std::vector<test_case> {\n    return {\n" + entries +
           "    };\n}\n\n} // namespace generated\n";
}
