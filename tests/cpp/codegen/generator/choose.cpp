// SPDX-License-Identifier: BSD-3-Clause

#include "choose.hpp"

#include <initializer_list>
#include <optional>
#include <utility>

namespace {

/// Random numbers that do not depend on the standard library: splitmix64.
class dice {
  public:
    explicit dice(std::uint64_t seed) : state_{seed} {}

    auto below(std::uint64_t n) -> std::int64_t {
        auto x = state_ += 0x9e3779b97f4a7c15u;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        return static_cast<std::int64_t>((x ^ (x >> 31)) % n);
    }

    auto one_in(std::uint64_t n) -> bool { return below(n) == 0; }

    template <typename T> auto pick(std::initializer_list<T> choices) -> T {
        return choices.begin()[below(choices.size())];
    }

    /// Sizes around those of subgroups and tiles, and those of discontinuous Galerkin codes.
    auto size() -> std::int64_t {
        return pick<std::int64_t>(
            {1, 2, 3, 4, 5, 7, 8, 9, 9, 10, 11, 13, 15, 16, 17, 20, 21, 31, 32, 33, 35, 56});
    }

  private:
    std::uint64_t state_;
};

/// Puts one kernel together.
class chooser {
  public:
    chooser(std::string name, dice &d) : d_{d} { k_.name = std::move(name); }

    auto choose() -> kernel {
        k_.double_precision = d_.one_in(2);
        k_.elements = 2 + d_.below(6);
        k_.component = d_.pick({'x', 'x', 'x', 'x', 'y', 'z'});
        auto const steps = 1 + d_.below(3);
        auto const loop = d_.one_in(3);
        k_.slices = loop ? 2 + d_.below(3) : 1;
        auto const loop_from = loop ? d_.below(static_cast<std::uint64_t>(steps)) : steps;
        auto current = std::optional<matrix>{};
        for (std::int64_t step = 0; step < steps; ++step) {
            in_loop_ = step >= loop_from;
            if (step == loop_from) {
                k_.loop_from = k_.statements.size();
            }
            auto const last = step + 1 == steps;
            auto s = next(current);
            auto const rows = s.a.transposed ? s.a.cols : s.a.rows;
            auto const &right = s.product ? s.b : s.a;
            auto const cols = right.transposed ? right.rows : right.cols;
            s.alpha = factor({1.0, 1.0, -1.0, 0.5, 2.0, -1.5});
            s.beta = last ? factor({1.0, 1.0, 0.0, -0.5, 2.0}) : scalar{0.0};
            s.c = last ? output(rows, cols, s.beta) : local(rows, cols);
            current = s.c;
            k_.statements.push_back(s);
        }
        if (!loop) {
            k_.loop_from = k_.statements.size();
        }
        return k_;
    }

  private:
    /// Expression on the right of a statement that goes on from the last result.
    auto next(std::optional<matrix> const &current) -> statement {
        auto s = statement{};
        if (!current) {
            s.product = in_loop_ || !d_.one_in(6);
            if (s.product && !in_loop_ && d_.one_in(5)) {
                with_unknown_inner(s);
                return s;
            }
            auto const rows = d_.size();
            auto const inner = d_.size();
            s.a = fresh(rows, inner);
            if (s.product && d_.one_in(8)) {
                s.b = s.a;
                s.b.transposed = !s.a.transposed;
            } else if (s.product) {
                s.b = fresh(inner, d_.size());
            }
            return s;
        }
        auto last = *current;
        last.transposed = d_.one_in(4);
        auto const rows = last.transposed ? last.cols : last.rows;
        auto const cols = last.transposed ? last.rows : last.cols;
        s.product = in_loop_ || !d_.one_in(8);
        if (!s.product) {
            s.a = last;
        } else if (d_.one_in(2)) {
            s.a = fresh(d_.size(), rows);
            s.b = last;
        } else {
            s.a = last;
            s.b = fresh(cols, d_.size());
        }
        return s;
    }

    auto factor(std::initializer_list<double> values) -> scalar {
        auto f = scalar{d_.pick(values)};
        // What is passed may be anything; a zero in the text is a promise.
        if (f.value != 0.0 && d_.one_in(4)) {
            f.passed = true;
            f.index = k_.scalars.size();
            k_.scalars.push_back(f);
        }
        return f;
    }

    auto local(std::int64_t rows, std::int64_t cols) -> matrix {
        k_.temporaries.push_back({rows, cols});
        return whole(true, k_.temporaries.size() - 1, rows, cols);
    }

    static auto whole(bool temporary, std::size_t index, std::int64_t rows, std::int64_t cols)
        -> matrix {
        auto m = matrix{};
        m.temporary = temporary;
        m.index = index;
        m.rows = rows;
        m.cols = cols;
        return m;
    }

    /// A new parameter that holds a matrix of this size, transposed or not, maybe as a part.
    auto fresh(std::int64_t rows, std::int64_t cols) -> matrix {
        auto const transposed = d_.one_in(3);
        auto m = stored(transposed ? cols : rows, transposed ? rows : cols, false);
        m.transposed = transposed;
        return m;
    }

    auto output(std::int64_t rows, std::int64_t cols, scalar const &beta) -> matrix {
        auto m = stored(rows, cols, true);
        k_.parameters[m.index].blank = beta.value == 0.0;
        return m;
    }

    auto stored(std::int64_t rows, std::int64_t cols, bool written) -> matrix {
        auto m = whole(false, k_.parameters.size(), rows, cols);
        auto p = parameter{};
        p.name = std::string(1, static_cast<char>('A' + k_.parameters.size()));
        p.written = written;
        p.rows = rows;
        p.cols = cols;
        if (d_.one_in(3)) {
            m.row = d_.below(4);
            m.col = d_.below(3);
            p.rows += m.row + d_.below(4);
            p.cols += m.col + d_.below(3);
        }
        p.leading = p.rows + (d_.one_in(3) ? 1 + d_.below(6) : 0);
        place(p);
        k_.parameters.push_back(p);
        return m;
    }

    /// Layout of the matrices. Work-groups may not share what they write.
    void place(parameter &p) {
        p.where = p.written ? d_.pick({storage::batch, storage::batch, storage::group})
                            : d_.pick({storage::shared, storage::batch, storage::group});
        if (in_loop_ && !p.written && p.where != storage::batch) {
            p.slices = k_.slices;
        }
        auto const size = p.leading * p.cols;
        if (p.where == storage::batch) {
            p.dynamic_stride = d_.one_in(4);
            p.stride = size + (p.dynamic_stride || d_.one_in(3) ? d_.below(20) : 0);
        }
        if (p.where == storage::group) {
            p.offset = d_.one_in(2) ? 1 + d_.below(40) : 0;
            p.dynamic_offset = d_.one_in(3);
            p.fixed_size = d_.one_in(4);
        } else {
            p.interior = d_.one_in(5);
        }
    }

    /// Two groups whose members differ in the size that a product sums over.
    void with_unknown_inner(statement &s) {
        auto const most = 3 + d_.below(30);
        auto const member = [&](bool left) {
            auto const transposed = d_.one_in(3);
            auto const inner_is_rows = left == transposed;
            auto const other = d_.size();
            auto p = parameter{};
            p.name = std::string(1, static_cast<char>('A' + k_.parameters.size()));
            p.where = storage::group;
            p.inner = inner_is_rows ? unknown::rows : unknown::cols;
            p.rows = inner_is_rows ? most : other;
            p.cols = inner_is_rows ? other : most;
            p.leading = p.rows + (d_.one_in(2) ? 1 + d_.below(6) : 0);
            p.offset = d_.one_in(2) ? 1 + d_.below(40) : 0;
            p.dynamic_offset = d_.one_in(3);
            auto m = whole(false, k_.parameters.size(), p.rows, p.cols);
            m.transposed = transposed;
            k_.parameters.push_back(p);
            return m;
        };
        s.a = member(true);
        s.b = member(false);
    }

    dice &d_;
    kernel k_;
    bool in_loop_ = false;
};

auto bytes_of_temporaries(kernel const &k) -> std::int64_t {
    std::int64_t numbers = 0;
    for (auto const &t : k.temporaries) {
        numbers += t.rows * t.cols;
    }
    return numbers * k.number_size();
}

/// Every device has that much local memory.
constexpr std::int64_t local_memory = 24 * 1024;

} // namespace

auto choose_kernels(int count) -> std::vector<kernel> {
    auto d = dice{4};
    auto kernels = std::vector<kernel>{};
    while (static_cast<int>(kernels.size()) < count) {
        auto const number = std::to_string(kernels.size());
        auto k = chooser{"kernel_" + std::string(2 - number.size(), '0') + number, d}.choose();
        if (bytes_of_temporaries(k) <= local_memory) {
            kernels.push_back(std::move(k));
        }
    }
    return kernels;
}
