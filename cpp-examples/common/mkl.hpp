// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_MKL_HPP
#define EXAMPLES_MKL_HPP

#include <array>
#include <cstdint>
#include <dlfcn.h>
#include <stdexcept>
#include <string>
#include <type_traits>

/// Intel MKL to compare with, loaded at run time so that nothing here needs it. The declarations are
/// those of oneMKL's reference with 32-bit integers (LP64), for column-major matrices.
///
/// MKL runs its threads with TBB, as Intel's OpenCL CPU runtime does, in the same process: both use the
/// same workers, as many as there are processors.
class mkl {
  public:
    /// Loads the library, libmkl_rt.so with its version.
    explicit mkl(std::string const &file) : library_{dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL)} {
        if (!library_) {
            throw std::runtime_error(std::string("cannot load MKL: ") + dlerror());
        }
        constexpr int tbb = 4;
        constexpr int lp64 = 0;
        function<int(int)>("MKL_Set_Threading_Layer")(tbb);
        function<int(int)>("MKL_Set_Interface_Layer")(lp64);
    }

    mkl(mkl const &) = delete;
    auto operator=(mkl const &) -> mkl & = delete;

    /// C := A B + beta C
    template <typename T>
    void gemm(std::int64_t M, std::int64_t N, std::int64_t K, T const *A, T const *B, T *C,
              T beta = T(0)) const {
        using signature = void(int, int, int, int, int, int, T, T const *, int, T const *, int, T,
                               T *, int);
        static auto *const call = function<signature>(is_f32<T> ? "cblas_sgemm" : "cblas_dgemm");
        auto const m = static_cast<int>(M), n = static_cast<int>(N), k = static_cast<int>(K);
        call(column_major, no_transpose, no_transpose, m, n, k, T(1), A, m, B, k, beta, C, m);
    }

    /// C_i := A_i B_i for matrices that lie one behind the other.
    template <typename T>
    void gemm_batch_strided(std::int64_t M, std::int64_t N, std::int64_t K, T const *A, T const *B,
                            T *C, std::int64_t howmany) const {
        using signature = void(int, int, int, int, int, int, T, T const *, int, int, T const *, int,
                               int, T, T *, int, int, int);
        static auto *const call = function<signature>(is_f32<T> ? "cblas_sgemm_batch_strided"
                                                                : "cblas_dgemm_batch_strided");
        auto const m = static_cast<int>(M), n = static_cast<int>(N), k = static_cast<int>(K);
        call(column_major, no_transpose, no_transpose, m, n, k, T(1), A, m, m * k, B, k, k * n, T(0),
             C, m, m * n, static_cast<int>(howmany));
    }

    /// C := A B for factors of bf16, whose bits are given.
    void gemm_bf16(std::int64_t M, std::int64_t N, std::int64_t K, std::uint16_t const *A,
                   std::uint16_t const *B, float *C) const {
        using signature = void(int, int, int, int, int, int, float, std::uint16_t const *, int,
                               std::uint16_t const *, int, float, float *, int);
        static auto *const call = function<signature>("cblas_gemm_bf16bf16f32");
        auto const m = static_cast<int>(M), n = static_cast<int>(N), k = static_cast<int>(K);
        call(column_major, no_transpose, no_transpose, m, n, k, 1.0f, A, m, B, k, 0.0f, C, m);
    }

    /// A kernel for C := A B + beta C that MKL generates for the sizes. One thread runs it.
    template <typename T> class jit_gemm {
      public:
        jit_gemm(mkl const &library, std::int64_t M, std::int64_t N, std::int64_t K)
            : jit_gemm{library, M, N, K, {M, K, M}, T(0)} {}
        /// The same with the distances of columns in A, B and C.
        jit_gemm(mkl const &library, std::int64_t M, std::int64_t N, std::int64_t K,
                 std::array<std::int64_t, 3> const &strides, T beta)
            : library_{library} {
            using create_signature = int(void **, int, int, int, int, int, int, T, int, int, T, int);
            using get_signature = kernel_type(void const *);
            auto const m = static_cast<int>(M), n = static_cast<int>(N), k = static_cast<int>(K);
            auto const lda = static_cast<int>(strides[0]), ldb = static_cast<int>(strides[1]),
                       ldc = static_cast<int>(strides[2]);
            constexpr int generated = 0;
            constexpr int error = 2;
            auto const status = library.function<create_signature>(
                is_f32<T> ? "mkl_cblas_jit_create_sgemm" : "mkl_cblas_jit_create_dgemm")(
                &jitter_, column_major, no_transpose, no_transpose, m, n, k, T(1), lda, ldb, beta, ldc);
            if (status == error) {
                throw std::runtime_error("MKL cannot generate a kernel");
            }
            is_generated_ = status == generated;
            kernel_ = library.function<get_signature>(is_f32<T> ? "mkl_jit_get_sgemm_ptr"
                                                                : "mkl_jit_get_dgemm_ptr")(jitter_);
        }
        ~jit_gemm() { library_.function<int(void *)>("mkl_jit_destroy")(jitter_); }
        jit_gemm(jit_gemm const &) = delete;
        auto operator=(jit_gemm const &) -> jit_gemm & = delete;

        void operator()(T const *A, T const *B, T *C) const {
            kernel_(jitter_, const_cast<T *>(A), const_cast<T *>(B), C);
        }

        /// Returns whether there is such a kernel. On processors that MKL generates none for, its ordinary
        /// gemm is called.
        auto is_generated() const -> bool { return is_generated_; }

      private:
        using kernel_type = void (*)(void *, T *, T *, T *);

        mkl const &library_;
        void *jitter_ = nullptr;
        bool is_generated_ = false;
        kernel_type kernel_ = nullptr;
    };

  private:
    template <typename T> constexpr static bool is_f32 = std::is_same_v<T, float>;

    // CBLAS_LAYOUT and CBLAS_TRANSPOSE, and the same numbers in MKL_LAYOUT and MKL_TRANSPOSE.
    constexpr static int column_major = 102;
    constexpr static int no_transpose = 111;

    template <typename Signature> auto function(char const *name) const -> Signature * {
        auto *const address = dlsym(library_, name);
        if (!address) {
            throw std::runtime_error(std::string("this MKL has no ") + name);
        }
        return reinterpret_cast<Signature *>(address);
    }

    /// Never closed: its threads may outlive us.
    void *library_;
};

#endif // EXAMPLES_MKL_HPP
