// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Description of a generated kernel, in no language yet: the text of the kernel, the function that
/// calls it, and the loops that check it are all written from this.

#ifndef CODEGEN_DESCRIPTION_HPP
#define CODEGEN_DESCRIPTION_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Layout of the matrices of a parameter: one for all elements, one after the other, or each in a
/// place of its own with a table of pointers to them.
enum class storage { shared, batch, group };

/// The dimension of a stored matrix that is only known when the kernel runs, if any.
enum class unknown { none, rows, cols };

/// A matrix parameter. Matrices are stored by columns.
struct parameter {
    std::string name;
    storage where = storage::shared;
    /// Size of a stored matrix. An unknown one is the largest among the elements.
    std::int64_t rows = 1, cols = 1;
    /// Numbers from one column to the next.
    std::int64_t leading = 1;
    /// Matrices of an element, one behind the other: 1, or what a loop runs over.
    std::int64_t slices = 1;
    /// Batches: numbers from one element to the next, and whether the kernel is told at run time.
    std::int64_t stride = 0;
    bool dynamic_stride = false;
    /// Groups: numbers from where a pointer leads to the matrix; whether told at run time.
    std::int64_t offset = 0;
    bool dynamic_offset = false;
    /// Groups: whether the number of members stands in the text.
    bool fixed_size = false;
    unknown inner = unknown::none;
    /// The pointer leads into the middle of an allocation.
    bool interior = false;
    bool written = false;
    /// Holds nothing before the first launch.
    bool blank = false;
};

/// A factor that stands in the text, or is a parameter of the kernel.
struct scalar {
    double value = 1.0;
    bool passed = false;
    /// Number among those passed.
    std::size_t index = 0;
};

/// A part of a parameter or a whole temporary, as an operand.
struct matrix {
    bool temporary = false;
    /// Number of the parameter or temporary.
    std::size_t index = 0;
    /// The part: where it begins and its size, before it is transposed.
    std::int64_t row = 0, col = 0, rows = 1, cols = 1;
    bool transposed = false;
};

/// c := alpha op(a) op(b) + beta c, or c := alpha op(a) + beta c.
struct statement {
    bool product = true;
    scalar alpha;
    matrix a, b;
    scalar beta;
    matrix c;
};

/// A matrix in local memory.
struct temporary {
    std::int64_t rows = 1, cols = 1;
};

/// A kernel: the statements, for each element.
struct kernel {
    std::string name;
    bool double_precision = false;
    std::int64_t elements = 1;
    /// The component of the group id that counts elements.
    char component = 'x';
    std::vector<scalar> scalars;
    std::vector<parameter> parameters;
    std::vector<temporary> temporaries;
    std::vector<statement> statements;
    /// From this statement on they are in a loop over the slices.
    std::size_t loop_from = 0;
    std::int64_t slices = 1;

    auto looped() const -> bool { return loop_from < statements.size(); }
    /// Alignment in bytes that a matrix of a group needs for its pointer.
    constexpr static std::int64_t alignment = 128;
    auto number_size() const -> std::int64_t { return double_precision ? 8 : 4; }
    auto cpp_type() const -> std::string { return double_precision ? "double" : "float"; }
};

/// The inner size of an element of a product with unknown inner size, which is at most `largest`.
inline auto inner_size(std::int64_t element, std::int64_t largest) -> std::int64_t {
    return 1 + (5 * element + largest - 1) % largest;
}

/// The name of a scalar that is passed.
inline auto scalar_name(scalar const &factor) -> std::string {
    return "s" + std::to_string(factor.index);
}

/// Name of the matrix of a temporary in a program made of text.
inline auto temporary_name(std::size_t index) -> std::string { return "t" + std::to_string(index); }

#endif // CODEGEN_DESCRIPTION_HPP
