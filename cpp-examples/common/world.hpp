// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_WORLD_HPP
#define EXAMPLES_WORLD_HPP

#include "command_line.hpp"
#include "run.hpp"

#ifdef EXAMPLES_MPI
#include <mpi.h>
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Failure that all ranks know of: its exit code, and on one of them what has failed.
struct common_failure {
    int code;
    std::exception_ptr failure;
};

/// All ranks, from MPI_Init to MPI_Finalize; a single one in programs that are built without MPI.
/// One thread of a process calls MPI.
class world {
  public:
    world(int &argc, char **&argv);
    ~world();
    world(world const &) = delete;
    auto operator=(world const &) -> world & = delete;

    auto rank() const -> int { return rank_; }
    auto size() const -> int { return size_; }
    /// The number of this rank among those on the same machine.
    auto rank_on_node() const -> int { return rank_on_node_; }
    auto is_root() const -> bool { return rank_ == 0; }

    /// First element of a rank's part if `count` things are spread evenly; that of the rank after
    /// the last one is `count`.
    auto begin(std::int64_t count, int rank) const -> std::int64_t { return count * rank / size_; }

    void barrier() const;

    /// Values of all ranks, on the root; nothing on the others.
    template <typename T> auto gather(T const &mine) const -> std::vector<T>;

    /// Arrays of all ranks one after the other, on the root; nothing on the others.
    template <typename T> auto concatenate(std::vector<T> const &mine) const -> std::vector<T>;

    /// Value of the root, on all ranks.
    auto broadcast(bool value) const -> bool { return reduce(is_root() && value ? 1 : 0) != 0; }

    /// Largest of the values of all ranks, on all of them.
    auto largest(double mine) const -> double;

    /// Sums of the values of all ranks, on all of them. Unsigned numbers wrap.
    template <std::size_t N>
    auto sums(std::array<std::uint64_t, N> values) const -> std::array<std::uint64_t, N>;

    /// Does what may fail on some of the ranks, and returns its value. If it fails, all throw
    /// `common_failure`, and the first of them has something to say.
    template <typename Body> auto together(Body const &body) const -> decltype(body());

    /// Returns whether the library takes pointers to memory of a GPU of Intel. It can be asked in
    /// MPI 4.1 and MPICH; Intel's has an environment variable for it.
    auto is_gpu_aware() const -> bool;

    /// Messages between pairs of ranks, of the same number of bytes each.
    class messages;

    /// Ends all ranks, which may be waiting for this one.
    [[noreturn]] static void abort(int code);

  private:
    /// Largest of the values of all ranks.
    auto reduce(int mine) const -> int;

    int rank_ = 0, size_ = 1, rank_on_node_ = 0;
};

#ifdef EXAMPLES_MPI

inline world::world(int &argc, char **&argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm node;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank_on_node_);
    MPI_Comm_free(&node);
}

inline world::~world() { MPI_Finalize(); }

inline void world::barrier() const { MPI_Barrier(MPI_COMM_WORLD); }

template <typename T> auto world::gather(T const &mine) const -> std::vector<T> {
    static_assert(std::is_trivially_copyable_v<T>);
    auto all = std::vector<T>(is_root() ? static_cast<std::size_t>(size_) : 0);
    MPI_Gather(&mine, sizeof(T), MPI_BYTE, all.data(), sizeof(T), MPI_BYTE, 0, MPI_COMM_WORLD);
    return all;
}

template <typename T> auto world::concatenate(std::vector<T> const &mine) const -> std::vector<T> {
    static_assert(std::is_trivially_copyable_v<T>);
    auto const counts = gather(static_cast<int>(mine.size()));
    auto begins = std::vector<int>{0};
    for (int const count : counts) {
        begins.push_back(begins.back() + count);
    }
    auto all = std::vector<T>(static_cast<std::size_t>(begins.back()));
    MPI_Datatype type;
    MPI_Type_contiguous(sizeof(T), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Gatherv(mine.data(), static_cast<int>(mine.size()), type, all.data(), counts.data(),
                begins.data(), type, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    return all;
}

inline auto world::largest(double mine) const -> double {
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return mine;
}

template <std::size_t N>
auto world::sums(std::array<std::uint64_t, N> values) const -> std::array<std::uint64_t, N> {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), N, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return values;
}

inline auto world::reduce(int mine) const -> int {
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return mine;
}

inline auto world::is_gpu_aware() const -> bool {
#ifdef MPIX_GPU_SUPPORT_ZE
    int has_support = 0;
    if (MPIX_GPU_query_support(MPIX_GPU_SUPPORT_ZE, &has_support) == MPI_SUCCESS &&
        has_support != 0) {
        return true;
    }
#endif
    MPI_Info info;
    MPI_Comm_get_info(MPI_COMM_WORLD, &info);
    auto kinds = std::array<char, MPI_MAX_INFO_VAL + 1>{};
    int is_set = 0;
    MPI_Info_get(info, "mpi_memory_alloc_kinds", MPI_MAX_INFO_VAL, kinds.data(), &is_set);
    MPI_Info_free(&info);
    auto const *const offload = std::getenv("I_MPI_OFFLOAD");
    return std::string(kinds.data()).find("level_zero") != std::string::npos ||
           (offload != nullptr && std::string(offload) != "0");
}

[[noreturn]] inline void world::abort(int code) {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::abort();
}

class world::messages {
  public:
    explicit messages(std::size_t bytes) {
        MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_);
        MPI_Type_commit(&type_);
    }
    ~messages() { MPI_Type_free(&type_); }
    messages(messages const &) = delete;
    auto operator=(messages const &) -> messages & = delete;

    /// Starts receiving so many pieces from a rank.
    void receive(void *to, std::int64_t count, int rank) {
        MPI_Irecv(to, static_cast<int>(count), type_, rank, 0, MPI_COMM_WORLD, next());
    }
    /// Starts sending them.
    void send(void const *from, std::int64_t count, int rank) {
        MPI_Isend(from, static_cast<int>(count), type_, rank, 0, MPI_COMM_WORLD, next());
    }
    /// Waits until all that has been started is over.
    void wait() {
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
        requests_.clear();
    }

  private:
    auto next() -> MPI_Request * { return &requests_.emplace_back(MPI_REQUEST_NULL); }

    MPI_Datatype type_;
    std::vector<MPI_Request> requests_;
};

#else

inline world::world(int &, char **&) {}
inline world::~world() {}
inline void world::barrier() const {}
template <typename T> auto world::gather(T const &mine) const -> std::vector<T> { return {mine}; }
template <typename T> auto world::concatenate(std::vector<T> const &mine) const -> std::vector<T> {
    return mine;
}
inline auto world::largest(double mine) const -> double { return mine; }
template <std::size_t N>
auto world::sums(std::array<std::uint64_t, N> values) const -> std::array<std::uint64_t, N> {
    return values;
}
inline auto world::reduce(int mine) const -> int { return mine; }
inline auto world::is_gpu_aware() const -> bool { return false; }
[[noreturn]] inline void world::abort(int code) { std::exit(code); }

/// There is nobody to exchange messages with.
class world::messages {
  public:
    explicit messages(std::size_t) {}
    void receive(void *, std::int64_t, int) {}
    void send(void const *, std::int64_t, int) {}
    void wait() {}
};

#endif

template <typename Body> auto world::together(Body const &body) const -> decltype(body()) {
    constexpr bool has_value = !std::is_void_v<decltype(body())>;
    using type = std::conditional_t<has_value, decltype(body()), bool>;
    auto value = std::unique_ptr<type>{};
    auto mine = common_failure{0, {}};
    try {
        if constexpr (has_value) {
            value = std::make_unique<type>(body());
        } else {
            body();
        }
    } catch (usage_error const &) {
        mine = {2, std::current_exception()};
    } catch (std::exception const &) {
        mine = {1, std::current_exception()};
    }
    auto const code = reduce(mine.code);
    if (code != 0) {
        auto const before_end = size_ - rank_;
        auto const is_first = reduce(mine.failure ? before_end : 0) == before_end;
        throw common_failure{code, is_first ? mine.failure : nullptr};
    }
    if constexpr (has_value) {
        return std::move(*value);
    }
}

/// The exit code of a program that does `body` on all ranks, as `run` says. What fails on a single
/// rank ends them all.
template <typename Body> auto run_on_ranks(world const &ranks, Body const &body) -> int {
    bool finished = false;
    int code = 1;
    try {
        code = run([&] {
            auto const pass = body();
            finished = true;
            return pass;
        });
    } catch (common_failure const &common) {
        if (common.failure) {
            run([&]() -> bool { std::rethrow_exception(common.failure); });
        }
        return common.code;
    }
    if (!finished && ranks.size() > 1) {
        world::abort(code);
    }
    return code;
}

#endif // EXAMPLES_WORLD_HPP
