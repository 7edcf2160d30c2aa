// SPDX-License-Identifier: BSD-3-Clause

#include "text.hpp"

#include <cstdio>

namespace {

auto str(std::int64_t number) -> std::string { return std::to_string(number); }

auto decimal(double value) -> std::string {
    char text[32];
    std::snprintf(text, sizeof(text), "%.2f", value);
    return text;
}

/// Writes one kernel.
class writer {
  public:
    explicit writer(kernel const &k) : k_{k}, real_{k.double_precision ? "f64" : "f32"} {}

    auto write() -> std::string {
        header();
        line("%e = group_id." + std::string(1, k_.component) + " : index");
        for (auto const &p : k_.parameters) {
            if (p.where == storage::group) {
                line("%" + p.name + "_e = load %" + p.name + "[%e] : " + member_type(p));
            }
        }
        for (std::size_t i = 0; i < k_.temporaries.size(); ++i) {
            auto const &t = k_.temporaries[i];
            line("%" + temporary_name(i) + " = alloca : memref<" + real_ + "x" + str(t.rows) + "x" +
                 str(t.cols) + ",local>");
        }
        for (std::size_t i = 0; i < k_.statements.size(); ++i) {
            if (i == k_.loop_from) {
                open_loop();
            }
            write(k_.statements[i]);
        }
        if (k_.looped()) {
            indent_ = 4;
            line("}");
        }
        return text_ + "}\n";
    }

  private:
    void line(std::string const &what) { text_ += std::string(indent_, ' ') + what + "\n"; }

    void header() {
        auto const open = "func @" + k_.name + "(";
        text_ = open;
        auto separator = std::string{};
        auto const add = [&](std::string const &name, std::string const &type) {
            text_ += separator + "%" + name + ": " + type;
            separator = ",\n" + std::string(open.size(), ' ');
        };
        for (auto const &s : k_.scalars) {
            add(scalar_name(s), real_);
        }
        for (auto const &p : k_.parameters) {
            auto const attribute =
                p.interior ? " {alignment=" + str(k_.number_size()) + "}" : std::string{};
            add(p.name, parameter_type(p) + attribute);
        }
        text_ += ") {\n";
    }

    void open_loop() {
        line("%first = constant 0 : index");
        line("%end = constant " + str(k_.slices) + " : index");
        line("for %d=%first,%end {");
        indent_ = 8;
    }

    /// The type of the matrix, or of the slices, of one element.
    auto member_type(parameter const &p) const -> std::string {
        auto const size = [](std::int64_t n, bool dynamic) { return dynamic ? "?" : str(n); };
        auto const rows_unknown = p.inner == unknown::rows;
        auto type = "memref<" + real_ + "x" + size(p.rows, rows_unknown) + "x" +
                    size(p.cols, p.inner == unknown::cols);
        if (p.slices > 1) {
            type += "x" + str(p.slices);
        }
        // Behind unknown rows, the stride is unknown as it is.
        if (p.leading > p.rows && !rows_unknown) {
            type += ",strided<1," + str(p.leading);
            if (p.slices > 1) {
                type += "," + str(p.leading * p.cols);
            }
            type += ">";
        }
        return type + ">";
    }

    auto parameter_type(parameter const &p) const -> std::string {
        if (p.where == storage::shared) {
            return member_type(p);
        }
        if (p.where == storage::group) {
            auto type = "group<" + member_type(p) + "x" + (p.fixed_size ? str(k_.elements) : "?");
            if (p.dynamic_offset) {
                type += ", offset: ?";
            } else if (p.offset > 0) {
                type += ", offset: " + str(p.offset);
            }
            return type + ">";
        }
        auto type = "memref<" + real_ + "x" + str(p.rows) + "x" + str(p.cols) + "x?";
        if (p.dynamic_stride || p.stride > p.rows * p.cols || p.leading > p.rows) {
            type += ",strided<1," + str(p.leading) + "," +
                    (p.dynamic_stride ? "?" : str(p.stride)) + ">";
        }
        return type + ">";
    }

    /// The name of a memref with just the operand; a view of a parameter if need be.
    auto operand(matrix const &m) -> std::string {
        if (m.temporary) {
            return "%" + temporary_name(m.index);
        }
        auto const &p = k_.parameters[m.index];
        auto const base = "%" + p.name + (p.where == storage::group ? "_e" : "");
        auto const whole = m.rows == p.rows && m.cols == p.cols;
        if (whole && p.where != storage::batch && p.slices == 1) {
            return base;
        }
        auto const view = "%v" + std::to_string(views_++);
        auto slices = "[" + str(m.row) + ":" + str(m.rows) + "," + str(m.col) + ":" + str(m.cols);
        if (p.where == storage::batch) {
            slices += ",%e";
        } else if (p.slices > 1) {
            slices += ",%d";
        }
        auto type = "memref<" + real_ + "x" + str(m.rows) + "x" + str(m.cols);
        if (p.leading > m.rows) {
            type += ",strided<1," + str(p.leading) + ">";
        }
        line(view + " = subview " + base + slices + "] : " + type + ">");
        return view;
    }

    auto factor(scalar const &s) -> std::string {
        if (s.passed) {
            return "%" + scalar_name(s);
        }
        auto const name = "%c" + std::to_string(constants_++);
        line(name + " = constant " + decimal(s.value) + " : " + real_);
        return name;
    }

    void write(statement const &s) {
        auto const letter = [](matrix const &m) { return m.transposed ? ".t" : ".n"; };
        auto const a = operand(s.a);
        auto const b = s.product ? operand(s.b) : std::string{};
        auto const c = operand(s.c);
        auto const alpha = factor(s.alpha);
        auto const beta = factor(s.beta);
        if (s.product) {
            line(std::string("gemm") + letter(s.a) + letter(s.b) + " " + alpha + ", " + a + ", " +
                 b + ", " + beta + ", " + c);
        } else {
            line(std::string("axpby") + letter(s.a) + " " + alpha + ", " + a + ", " + beta + ", " +
                 c);
        }
    }

    kernel const &k_;
    std::string real_;
    std::string text_;
    std::size_t indent_ = 4;
    int views_ = 0, constants_ = 0;
};

} // namespace

auto language_text(kernel const &k) -> std::string { return writer{k}.write(); }
