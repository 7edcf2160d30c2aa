// SPDX-License-Identifier: BSD-3-Clause

#ifndef MATRIX_CHAIN_MPI_WORLD_HPP
#define MATRIX_CHAIN_MPI_WORLD_HPP

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <vector>

/// All ranks, from MPI_Init to MPI_Finalize.
class world {
  public:
    world(int &argc, char **&argv) {
        MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
        MPI_Comm node;
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
        MPI_Comm_rank(node, &rank_on_node_);
        MPI_Comm_free(&node);
    }
    ~world() { MPI_Finalize(); }
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

    void barrier() const { MPI_Barrier(MPI_COMM_WORLD); }

    /// Values of all ranks, on the root; nothing on the others.
    template <typename T> auto gather(T const &mine) const -> std::vector<T> {
        static_assert(std::is_trivially_copyable_v<T>);
        auto all = std::vector<T>(is_root() ? static_cast<std::size_t>(size_) : 0);
        MPI_Gather(&mine, sizeof(T), MPI_BYTE, all.data(), sizeof(T), MPI_BYTE, 0, MPI_COMM_WORLD);
        return all;
    }

    /// Value of the root, on all ranks.
    auto broadcast(bool value) const -> bool {
        int number = value ? 1 : 0;
        MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
        return number != 0;
    }

    /// Ends all ranks, which may be waiting for this one.
    [[noreturn]] static void abort(int code) {
        MPI_Abort(MPI_COMM_WORLD, code);
        std::abort();
    }

  private:
    int rank_ = 0, size_ = 1, rank_on_node_ = 0;
};

#endif // MATRIX_CHAIN_MPI_WORLD_HPP
