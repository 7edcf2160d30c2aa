// SPDX-License-Identifier: BSD-3-Clause

#pragma once

/// \file
/// Products that LIBXSMM generates code for, where CMake has found version 1: then BENCH_LIBXSMM is defined.

#ifdef BENCH_LIBXSMM
#include <libxsmm.h>
#if LIBXSMM_VERSION_MAJOR != 1
#undef BENCH_LIBXSMM // later versions have other functions
#endif
#endif

#ifdef BENCH_LIBXSMM

#include <array>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

/// LIBXSMM, with the interface of `mkl`.
struct xsmm {
    template <typename T> class jit_gemm {
      public:
        jit_gemm(xsmm const &, std::int64_t M, std::int64_t N, std::int64_t K,
                 std::array<std::int64_t, 3> const &strides, T beta) {
            auto const m = static_cast<libxsmm_blasint>(M), n = static_cast<libxsmm_blasint>(N),
                       k = static_cast<libxsmm_blasint>(K);
            auto const lda = static_cast<libxsmm_blasint>(strides[0]),
                       ldb = static_cast<libxsmm_blasint>(strides[1]),
                       ldc = static_cast<libxsmm_blasint>(strides[2]);
            constexpr T one = 1;
            constexpr int none = 0;
            if constexpr (std::is_same_v<T, float>) {
                kernel_ = libxsmm_smmdispatch(m, n, k, &lda, &ldb, &ldc, &one, &beta, &none, &none);
            } else {
                kernel_ = libxsmm_dmmdispatch(m, n, k, &lda, &ldb, &ldc, &one, &beta, &none, &none);
            }
            if (!kernel_) {
                throw std::runtime_error("LIBXSMM cannot generate a kernel");
            }
        }

        void operator()(T const *A, T const *B, T *C) const { kernel_(A, B, C); }

      private:
        std::conditional_t<std::is_same_v<T, float>, libxsmm_smmfunction, libxsmm_dmmfunction> kernel_;
    };
};
#endif
