// SPDX-License-Identifier: BSD-3-Clause

#include "features.hpp"

namespace {

template <typename T, typename Is> auto any(std::vector<T> const &items, Is const &is) -> bool {
    for (auto const &item : items) {
        if (is(item)) {
            return true;
        }
    }
    return false;
}

} // namespace

auto missing_features(std::vector<kernel> const &kernels) -> std::vector<std::string> {
    auto missing = std::vector<std::string>{};
    auto const need = [&](char const *what, auto const &of_kernel) {
        if (!any(kernels, of_kernel)) {
            missing.emplace_back(what);
        }
    };
    auto const need_parameter = [&](char const *what, auto const &is) {
        need(what, [&](kernel const &k) { return any(k.parameters, is); });
    };
    auto const need_statement = [&](char const *what, auto const &is) {
        need(what, [&](kernel const &k) { return any(k.statements, is); });
    };
    using P = parameter const &;
    using S = statement const &;
    need("single precision", [](kernel const &k) { return !k.double_precision; });
    need("double precision", [](kernel const &k) { return k.double_precision; });
    need("elements along y", [](kernel const &k) { return k.component == 'y'; });
    need("elements along z", [](kernel const &k) { return k.component == 'z'; });
    need("a loop over slices", [](kernel const &k) { return k.looped(); });
    need("statements before a loop", [](kernel const &k) { return k.looped() && k.loop_from > 0; });
    need("two temporaries", [](kernel const &k) { return k.temporaries.size() > 1; });
    need("batches and groups in one kernel", [](kernel const &k) {
        return any(k.parameters, [](P p) { return p.where == storage::batch; }) &&
               any(k.parameters, [](P p) { return p.where == storage::group; });
    });
    need_parameter("slices of a shared matrix",
                   [](P p) { return p.where == storage::shared && p.slices > 1; });
    need_parameter("slices of a group's members",
                   [](P p) { return p.where == storage::group && p.slices > 1; });
    need_parameter("a stride told at run time", [](P p) { return p.dynamic_stride; });
    need_parameter("a stride with a gap", [](P p) {
        return p.where == storage::batch && !p.dynamic_stride && p.stride > p.leading * p.cols;
    });
    need_parameter("a fixed offset", [](P p) { return p.offset > 0 && !p.dynamic_offset; });
    need_parameter("an offset told at run time",
                   [](P p) { return p.offset > 0 && p.dynamic_offset; });
    need_parameter("a group of fixed size", [](P p) { return p.fixed_size; });
    need_parameter("a group that is written to",
                   [](P p) { return p.written && p.where == storage::group; });
    need_parameter("unknown rows", [](P p) { return p.inner == unknown::rows; });
    need_parameter("unknown columns", [](P p) { return p.inner == unknown::cols; });
    need_parameter("a pointer into the middle", [](P p) { return p.interior; });
    need_parameter("gaps between columns", [](P p) { return p.leading > p.rows; });
    need_statement("a transposed left factor", [](S s) { return s.product && s.a.transposed; });
    need_statement("a transposed right factor", [](S s) { return s.product && s.b.transposed; });
    need_statement("a sum", [](S s) { return !s.product; });
    need_statement("a transposed sum", [](S s) { return !s.product && s.a.transposed; });
    need_statement("an output that is not read",
                   [](S s) { return !s.c.temporary && s.beta.value == 0.0; });
    need_statement("a product added to an output",
                   [](S s) { return s.product && !s.c.temporary && s.beta.value == 1.0; });
    need_statement("a factor that is passed", [](S s) { return s.alpha.passed; });
    need_statement("a passed factor of the output", [](S s) { return s.beta.passed; });
    need_statement("a part", [](S s) { return s.a.row > 0 && s.a.col > 0; });
    need_statement("a single row", [](S s) { return s.c.rows == 1; });
    need_statement("a single column", [](S s) { return s.c.cols == 1; });
    return missing;
}
