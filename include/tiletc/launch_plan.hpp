// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Launches of kernels that have been launched before with arguments of the same types: what their values have to be is
/// compared here, without asking tiletc; used by tiletc_sycl.hpp.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_LAUNCH_PLAN_HPP) : !defined(TILETC_LAUNCH_PLAN_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_LAUNCH_PLAN_HPP
#else
#define TILETC_LAUNCH_PLAN_HPP
#endif

#include <tiletc/arguments.hpp>
#include <tiletc/mem.hpp>
#include <tiletc/tiletc.h>

#include <sycl/sycl.hpp>

#include <sycl/ext/oneapi/weak_object.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

namespace TILETC_NAMESPACE {
namespace internal {

/// True if the type of an argument says all that is compared, but for the value.
template <typename T> constexpr bool is_known_by_type = !std::is_same_v<T, mem>;

/// True for addresses and integers, also those of which only the bytes are known.
template <typename T> constexpr auto has_plan_value() -> bool {
    if constexpr (std::is_null_pointer_v<T> || std::is_array_v<T>) {
        return true;
    } else if constexpr (std::is_pointer_v<T>) {
        return pointer_type<T> != mem_type::buffer;
    } else {
        auto const kind = number_kind<T>();
        return (kind == tiletc_arg_kind_integer || kind == tiletc_arg_kind_bytes) &&
               (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);
    }
}

template <typename I, typename T> auto sign_extended(T const &value) -> std::int64_t {
    I bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

/// The address, or the integer as one of 64 bits; 0 for anything else.
template <typename T> auto plan_value(T const &value) -> std::int64_t {
    if constexpr (!has_plan_value<T>() || std::is_null_pointer_v<T>) {
        return 0;
    } else if constexpr (std::is_array_v<T>) {
        return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(&value[0]));
    } else if constexpr (std::is_pointer_v<T>) {
        return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(value));
    } else if constexpr (sizeof(T) == 1) {
        return sign_extended<std::int8_t>(value);
    } else if constexpr (sizeof(T) == 2) {
        return sign_extended<std::int16_t>(value);
    } else if constexpr (sizeof(T) == 4) {
        return sign_extended<std::int32_t>(value);
    } else {
        return sign_extended<std::int64_t>(value);
    }
}

/// Computes an operation of a plan; false if the result does not fit into 64 bits, or there is none.
inline auto apply_launch_op(tiletc_launch_op_t op, std::int64_t a, std::int64_t b, std::int64_t &result)
    -> bool {
    switch (op) {
    case tiletc_launch_op_add:
        return !__builtin_add_overflow(a, b, &result);
    case tiletc_launch_op_sub:
        return !__builtin_sub_overflow(a, b, &result);
    case tiletc_launch_op_mul:
        return !__builtin_mul_overflow(a, b, &result);
    case tiletc_launch_op_div:
    case tiletc_launch_op_cdiv:
        // The least integer has no opposite.
        if (b == 0 || b == -1) {
            return false;
        }
        result = a / b;
        if (op == tiletc_launch_op_cdiv && a % b != 0 && (a < 0) == (b < 0)) {
            ++result;
        }
        return true;
    case tiletc_launch_op_min:
        result = a < b ? a : b;
        return true;
    case tiletc_launch_op_max:
        result = a < b ? b : a;
        return true;
    default:
        return false;
    }
}

/// Conditions on the arguments of a launch, and the work-groups that it takes.
class launch_plan {
  public:
    /// A plan for arguments; `has_value` tells of a number whether there is one that is an address or integer.
    template <typename HasValue>
    launch_plan(tiletc_launch_plan_t const &plan, HasValue const &has_value)
        : steps_(plan.steps, plan.steps + plan.num_steps) {
        std::size_t depth = 0;
        auto is_possible = true;
        for (auto const &step : steps_) {
            auto const place = static_cast<std::size_t>(step.value);
            switch (step.op) {
            case tiletc_launch_op_argument:
                is_possible = is_possible && has_value(place);
                ++depth;
                break;
            case tiletc_launch_op_number:
                ++depth;
                break;
            case tiletc_launch_op_groups:
                has_grid_ = true;
                is_possible = is_possible && place < 3;
                [[fallthrough]];
            default:
                // An operation takes one integer more than it leaves.
                is_possible = is_possible && step.op != tiletc_launch_op_ask && depth > 0;
                --depth;
            }
            is_possible = is_possible && depth <= stack_size;
        }
        if (!is_possible) {
            steps_ = {{tiletc_launch_op_ask, 0}};
        }
    }

    /// Returns whether the arguments are accepted, and with as many work-groups as are asked for, or
    /// null for those that the plan says; `groups` are then those of the launch, in the order z, y, x.
    /// If not, tiletc knows why.
    auto accepts(std::int64_t const *args, sycl::range<3u> const *asked,
                 sycl::range<3u> &groups) const -> bool {
        /// Level Zero has no larger numbers of work-groups.
        constexpr std::size_t max_groups = 0xffffffff;
        std::size_t grid[3] = {0, 0, 0};
        if (!run(args, grid) || (asked == nullptr && !has_grid_)) {
            return false;
        }
        groups = asked != nullptr ? *asked : sycl::range<3u>{grid[2], grid[1], grid[0]};
        for (int i = 0; i < 3; ++i) {
            if (groups[i] < grid[2 - i] || groups[i] > max_groups) {
                return false;
            }
        }
        return true;
    }

    /// Returns whether the arguments are accepted.
    auto accepts(std::int64_t const *args) const -> bool {
        std::size_t grid[3];
        return run(args, grid);
    }

  private:
    static constexpr std::size_t stack_size = 40;

    auto run(std::int64_t const *args, std::size_t (&grid)[3]) const -> bool {
        std::int64_t stack[stack_size];
        auto *top = stack;
        for (auto const &[op, value] : steps_) {
            switch (op) {
            case tiletc_launch_op_number:
                *top++ = value;
                break;
            case tiletc_launch_op_argument:
                *top++ = args[value];
                break;
            case tiletc_launch_op_multiple_of: {
                auto const divisor = static_cast<std::uint64_t>(value);
                auto const number = static_cast<std::uint64_t>(*--top);
                auto const is_power = (divisor & (divisor - 1)) == 0;
                if ((is_power ? number & (divisor - 1) : number % divisor) != 0) {
                    return false;
                }
                break;
            }
            case tiletc_launch_op_is:
                if (*--top != value) {
                    return false;
                }
                break;
            case tiletc_launch_op_groups:
                --top;
                grid[value] = static_cast<std::size_t>(*top < 0 ? 0 : *top);
                break;
            default:
                // Of one operand alone nothing can be computed.
                if (top - stack < 2 || !apply_launch_op(op, top[-2], top[-1], top[-2])) {
                    return false;
                }
                --top;
            }
        }
        return true;
    }

    std::vector<tiletc_launch_step> steps_;
    bool has_grid_ = false;
};

/// A launch of a kernel, as far as it is the same each time.
struct known_launch {
    launch_plan plan;
    /// Work-items of a work-group, in the order z, y, x.
    sycl::range<3u> local_size;

    /// Compares arguments as `launch_plan::accepts`.
    template <typename... T>
    auto accepts(sycl::range<3u> const *asked, sycl::range<3u> &groups, T const &...values) const
        -> bool {
        std::int64_t const args[] = {plan_value(values)..., 0};
        return plan.accepts(args, asked, groups);
    }

    template <typename... T> auto accepts_arguments(T const &...values) const -> bool {
        std::int64_t const args[] = {plan_value(values)..., 0};
        return plan.accepts(args);
    }
};

/// Things that are known of kernels, which are not kept alive.
template <typename T> class kernel_map {
  public:
    auto find(sycl::kernel const &krnl) -> T * {
        auto const found = known_.find(krnl);
        return found != known_.end() ? &found->second : nullptr;
    }

    auto add(sycl::kernel const &krnl, T thing) -> T & {
        if (known_.size() >= limit_) {
            forget_expired();
            limit_ = std::max(limit_, 2 * known_.size());
        }
        return known_.insert_or_assign(weak_kernel{krnl}, std::move(thing)).first->second;
    }

  private:
    using weak_kernel = sycl::ext::oneapi::weak_object<sycl::kernel>;

    /// Order of owners: two with the same one are the same kernel, and not a later one at its address.
    struct owner_less {
        using is_transparent = void;
        template <typename B> auto operator()(weak_kernel const &a, B const &b) const -> bool {
            return a.owner_before(b);
        }
        auto operator()(sycl::kernel const &a, weak_kernel const &b) const -> bool {
            return a.ext_oneapi_owner_before(b);
        }
    };

    void forget_expired() {
        for (auto it = known_.begin(); it != known_.end();) {
            it = it->first.expired() ? known_.erase(it) : std::next(it);
        }
    }

    std::map<weak_kernel, T, owner_less> known_;
    /// Kernels from which on those that are gone are looked for.
    std::size_t limit_ = 64;
};

/// The things that this thread knows of kernels, in a map for each `Of`; null once the variables of the
/// thread are destroyed. Static objects and functions of `atexit` may launch kernels even then.
template <typename T, typename... Of> auto thread_kernel_map() -> kernel_map<T> * {
    static thread_local bool is_destroyed = false;
    struct owner {
        kernel_map<T> kernels;
        ~owner() { is_destroyed = true; }
    };
    static thread_local owner own;
    return is_destroyed ? nullptr : &own.kernels;
}

} // namespace internal
} // namespace TILETC_NAMESPACE

#endif // TILETC_LAUNCH_PLAN_HPP
