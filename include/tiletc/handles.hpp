// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Owners of C handles. A shared handle counts references, a unique handle has exactly one owner;
/// which of the two a C type is, and how it is freed, is told by its traits.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_HANDLES_HPP) : !defined(TILETC_HANDLES_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_HANDLES_HPP
#else
#define TILETC_HANDLES_HPP
#endif

#include <tiletc/tiletc.h>

#include <type_traits>
#include <utility>

namespace TILETC_NAMESPACE {

namespace internal {

/// Says how references to `T` are counted; specialised for every shared C handle.
template <typename T> struct shared_handle_traits;

/// Says how a `T` is freed; specialised for every unique C handle.
template <typename T> struct unique_handle_traits;

template <> struct shared_handle_traits<tiletc_compiler_context_t> {
    static auto retain(tiletc_compiler_context_t obj) -> tiletc_status_t {
        return tiletc_compiler_context_retain(obj);
    }
    static auto release(tiletc_compiler_context_t obj) -> tiletc_status_t {
        return tiletc_compiler_context_release(obj);
    }
};

template <> struct shared_handle_traits<tiletc_prog_t> {
    static auto retain(tiletc_prog_t obj) -> tiletc_status_t { return tiletc_prog_retain(obj); }
    static auto release(tiletc_prog_t obj) -> tiletc_status_t { return tiletc_prog_release(obj); }
};

template <> struct shared_handle_traits<tiletc_spv_mod_t> {
    static auto retain(tiletc_spv_mod_t obj) -> tiletc_status_t {
        return tiletc_spv_mod_retain(obj);
    }
    static auto release(tiletc_spv_mod_t obj) -> tiletc_status_t {
        return tiletc_spv_mod_release(obj);
    }
};

template <> struct shared_handle_traits<tiletc_binary_t> {
    static auto retain(tiletc_binary_t obj) -> tiletc_status_t { return tiletc_binary_retain(obj); }
    static auto release(tiletc_binary_t obj) -> tiletc_status_t {
        return tiletc_binary_release(obj);
    }
};

template <> struct shared_handle_traits<tiletc_core_info_t> {
    static auto retain(tiletc_core_info_t obj) -> tiletc_status_t {
        return tiletc_core_info_retain(obj);
    }
    static auto release(tiletc_core_info_t obj) -> tiletc_status_t {
        return tiletc_core_info_release(obj);
    }
};

template <> struct shared_handle_traits<tiletc_recipe_t> {
    static auto retain(tiletc_recipe_t obj) -> tiletc_status_t { return tiletc_recipe_retain(obj); }
    static auto release(tiletc_recipe_t obj) -> tiletc_status_t {
        return tiletc_recipe_release(obj);
    }
};

template <> struct shared_handle_traits<tiletc_recipe_handler_t> {
    static auto retain(tiletc_recipe_handler_t obj) -> tiletc_status_t {
        return tiletc_recipe_handler_retain(obj);
    }
    static auto release(tiletc_recipe_handler_t obj) -> tiletc_status_t {
        return tiletc_recipe_handler_release(obj);
    }
};

template <> struct unique_handle_traits<tiletc_inst_t> {
    static void destroy(tiletc_inst_t obj) { tiletc_inst_destroy(obj); }
};

template <> struct unique_handle_traits<tiletc_func_t> {
    static void destroy(tiletc_func_t obj) { tiletc_func_destroy(obj); }
};

template <> struct unique_handle_traits<char *> {
    static void destroy(char *obj) { tiletc_string_destroy(obj); }
};

} // namespace internal

/// Owner of one reference to a reference-counted C object. `T` is the C handle, a pointer.
template <typename T> class shared_handle {
    static_assert(std::is_pointer_v<T>, "a shared_handle wraps a C handle, which is a pointer");

  public:
    /// Functions that count references.
    using traits = internal::shared_handle_traits<T>;
    /// The C handle.
    using native_type = T;

    /// An empty handle.
    shared_handle() : obj_{nullptr} {}

    /// Takes over the caller's reference to `obj`, or adds one of its own if `needs_retain`.
    explicit shared_handle(T obj, bool needs_retain = false) : obj_{obj} {
        if (needs_retain) {
            c_retain();
        }
    }

    ~shared_handle() { c_release(); }

    /// Adds a reference to the object of `other`.
    shared_handle(shared_handle const &other) : obj_{other.obj_} { c_retain(); }
    /// Takes over the reference of `other`, which is empty afterwards.
    shared_handle(shared_handle &&other) noexcept : obj_{std::exchange(other.obj_, nullptr)} {}

    /// Drops the reference here, and adds one to the object of `other`.
    auto operator=(shared_handle const &other) -> shared_handle & {
        // The copy holds its reference before ours goes, so that assigning to oneself, or from
        // something only this handle keeps alive, is safe.
        shared_handle{other}.swap(*this);
        return *this;
    }

    /// Drops the reference here, and takes over that of `other`, which is empty afterwards.
    auto operator=(shared_handle &&other) noexcept -> shared_handle & {
        // Afterwards `other` is empty and our old reference is dropped, also when both held the
        // same object.
        shared_handle{std::move(other)}.swap(*this);
        return *this;
    }

    /// The object, of which C programs know nothing but the address.
    auto operator*() const -> std::remove_pointer_t<T> & { return *obj_; }
    /// The C handle.
    auto operator->() const -> T { return obj_; }

    /// The C handle; the reference stays here.
    auto get() const -> T { return obj_; }

    /// Hands the reference over to the caller; this handle is empty afterwards.
    auto release() -> T { return std::exchange(obj_, nullptr); }

    /// Returns whether the handle is not empty.
    explicit operator bool() const noexcept { return obj_ != nullptr; }

    /// Returns whether both are handles of the same object.
    auto operator==(shared_handle const &other) const -> bool { return obj_ == other.obj_; }
    /// Returns whether they are handles of different objects.
    auto operator!=(shared_handle const &other) const -> bool { return !(*this == other); }

  protected:
    /// Adds a reference, unless the handle is empty.
    auto c_retain() -> tiletc_status_t {
        return obj_ ? traits::retain(obj_) : tiletc_status_success;
    }
    /// Drops a reference, unless the handle is empty.
    auto c_release() -> tiletc_status_t {
        return obj_ ? traits::release(obj_) : tiletc_status_success;
    }

    /// The C handle, or null.
    T obj_;

  private:
    void swap(shared_handle &other) noexcept { std::swap(obj_, other.obj_); }
};

/// The only owner of a C object. `T` is the C handle, a pointer.
template <typename T> class unique_handle {
    static_assert(std::is_pointer_v<T>, "a unique_handle wraps a C handle, which is a pointer");

  public:
    /// Function that frees an object.
    using traits = internal::unique_handle_traits<T>;
    /// The C handle.
    using native_type = T;

    /// An empty handle.
    unique_handle() : obj_{nullptr} {}

    /// Takes `obj` over.
    explicit unique_handle(T obj) : obj_{obj} {}

    ~unique_handle() {
        if (obj_) {
            traits::destroy(obj_);
        }
    }

    unique_handle(unique_handle const &) = delete;
    auto operator=(unique_handle const &) -> unique_handle & = delete;

    /// Takes over the object of `other`, which is empty afterwards.
    unique_handle(unique_handle &&other) noexcept : obj_{std::exchange(other.obj_, nullptr)} {}
    /// Frees the object here, and takes over that of `other`, which is empty afterwards.
    auto operator=(unique_handle &&other) noexcept -> unique_handle & {
        unique_handle old{std::move(other)};
        std::swap(obj_, old.obj_);
        return *this;
    }

    /// The object, of which C programs know nothing but the address.
    auto operator*() const -> std::remove_pointer_t<T> & { return *obj_; }
    /// The C handle.
    auto operator->() const -> T { return obj_; }

    /// The C handle; ownership stays here.
    auto get() const -> T { return obj_; }

    /// Hands the object over to the caller; this handle is empty afterwards.
    auto release() -> T { return std::exchange(obj_, nullptr); }

    /// Returns whether the handle is not empty.
    explicit operator bool() const noexcept { return obj_ != nullptr; }

    /// Returns whether both are handles of the same object.
    auto operator==(unique_handle const &other) const -> bool { return obj_ == other.obj_; }
    /// Returns whether they are handles of different objects.
    auto operator!=(unique_handle const &other) const -> bool { return !(*this == other); }

  protected:
    /// The C handle, or null.
    T obj_;
};

} // namespace TILETC_NAMESPACE

#endif // TILETC_HANDLES_HPP
