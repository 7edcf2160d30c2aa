// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Softmax of the columns of a matrix, which tutorials of tile languages call a fused softmax.

#include "columns.hpp"
#include "run.hpp"
#include "softmax_error.hpp"

auto main(int argc, char **argv) -> int {
    return run([&] {
        auto const request = read_column_request(argc, argv, "softmax");
        auto session = column_session{request};
        session.run("softmax");
        return session.check([&](auto x, auto y) { return softmax_error(request.rows, x, y); });
    });
}
