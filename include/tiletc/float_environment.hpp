// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Keeps floating-point exceptions of the host away from drivers. libtiletc does so itself; this is
/// for calls that the headers make directly.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_FLOAT_ENVIRONMENT_HPP) : !defined(TILETC_FLOAT_ENVIRONMENT_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_FLOAT_ENVIRONMENT_HPP
#else
#define TILETC_FLOAT_ENVIRONMENT_HPP
#endif


#include <cfenv>

namespace TILETC_NAMESPACE {

namespace internal {

/// While it lives, floating-point exceptions do not trap. Afterwards traps and flags are what they
/// were.
class no_float_traps {
  public:
    no_float_traps() {
#ifdef __GLIBC__
        // Nearly always there are none, and holding the environment takes some hundred nanoseconds.
        has_traps_ = fegetexcept() != 0;
#endif
        held_ = (has_traps_ ? std::feholdexcept(&env_)
                            : std::fegetexceptflag(&flags_, FE_ALL_EXCEPT)) == 0;
        raised_ = std::fetestexcept(FE_ALL_EXCEPT);
    }
    ~no_float_traps() {
        if (!held_) {
            return;
        }
        if (has_traps_) {
            std::fesetenv(&env_);
        } else if (std::fetestexcept(FE_ALL_EXCEPT) != raised_) {
            std::fesetexceptflag(&flags_, FE_ALL_EXCEPT);
        }
    }
    no_float_traps(no_float_traps const &) = delete;
    auto operator=(no_float_traps const &) -> no_float_traps & = delete;

  private:
    std::fenv_t env_;
    std::fexcept_t flags_;
    int raised_;
    bool has_traps_ = true, held_;
};

} // namespace internal

} // namespace TILETC_NAMESPACE

#endif // TILETC_FLOAT_ENVIRONMENT_HPP
