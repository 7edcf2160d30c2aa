// SPDX-License-Identifier: BSD-3-Clause

// Who owns what: copying, moving, assigning and releasing handles, counted on an object of our own.

#include "check.hpp"

#include <tiletc/tiletc.hpp>

#include <type_traits>
#include <utility>

struct counted {
    int references = 1;
};
struct single {
    int destroyed = 0;
};

namespace tiletc::internal {
template <> struct shared_handle_traits<counted *> {
    static auto retain(counted *obj) -> tiletc_status_t {
        ++obj->references;
        return tiletc_status_success;
    }
    static auto release(counted *obj) -> tiletc_status_t {
        --obj->references;
        return tiletc_status_success;
    }
};
template <> struct unique_handle_traits<single *> {
    static void destroy(single *obj) { ++obj->destroyed; }
};
} // namespace tiletc::internal

using tiletc::shared_handle;
using tiletc::unique_handle;

static_assert(std::is_nothrow_move_constructible_v<shared_handle<counted *>>);
static_assert(!std::is_copy_constructible_v<unique_handle<single *>>);
static_assert(!std::is_copy_assignable_v<unique_handle<single *>>);
static_assert(std::is_nothrow_move_constructible_v<unique_handle<single *>>);
static_assert(!std::is_convertible_v<shared_handle<counted *>, counted *>);
static_assert(!std::is_convertible_v<counted *, shared_handle<counted *>>);
static_assert(std::is_same_v<shared_handle<counted *>::native_type, counted *>);

namespace {

void shared_handles_count() {
    auto object = counted{};
    {
        auto handle = shared_handle{&object};
        CHECK(object.references == 1);
        CHECK(bool(handle) && handle.get() == &object && &*handle == &object);
        CHECK(handle->references == 1);

        auto copy = handle;
        CHECK(object.references == 2);
        CHECK(copy == handle);

        auto moved = std::move(copy);
        CHECK(object.references == 2);
        CHECK(!copy);
        CHECK(copy != moved);

        copy = moved;
        CHECK(object.references == 3);

        // Both hold the same object already; the source still has to let go.
        copy = std::move(moved);
        CHECK(object.references == 2);
        CHECK(!moved);

        auto &alias = copy;
        copy = alias;
        CHECK(object.references == 2);
        copy = std::move(alias);
        CHECK(object.references == 2 && copy.get() == &object);

        auto retained = shared_handle{&object, true};
        CHECK(object.references == 3);

        auto other_object = counted{};
        retained = shared_handle{&other_object};
        CHECK(object.references == 2);
        CHECK(other_object.references == 1);
        retained = {};
        CHECK(other_object.references == 0);

        auto *raw = copy.release();
        CHECK(raw == &object && !copy && object.references == 2);
        --object.references;
    }
    CHECK(object.references == 0);
}

void unique_handles_destroy_once() {
    auto first = single{};
    auto second = single{};
    {
        auto handle = unique_handle{&first};
        auto moved = std::move(handle);
        CHECK(!handle && moved.get() == &first && first.destroyed == 0);

        moved = unique_handle{&second};
        CHECK(first.destroyed == 1 && second.destroyed == 0);

        auto &alias = moved;
        moved = std::move(alias);
        CHECK(moved.get() == &second && second.destroyed == 0);
    }
    CHECK(first.destroyed == 1 && second.destroyed == 1);

    auto third = single{};
    {
        auto handle = unique_handle{&third};
        CHECK(handle.release() == &third);
    }
    CHECK(third.destroyed == 0);
}

void objects_outlive_what_they_came_from() {
    auto ctx = tiletc::create_compiler_context();
    auto prog = tiletc::parse_string(small_program(), ctx.get());
    auto same = tiletc::get_compiler_context(prog.get());
    CHECK(same == ctx);

    ctx = {};
    same = {};
    // The program keeps its context.
    auto text = tiletc::print_to_string(prog.get());
    CHECK(text.get()[0] == 'f');

    auto copy = prog;
    prog = {};
    CHECK(tiletc::print_to_string(copy.get()).get()[0] == 'f');
}

} // namespace

int main() {
    shared_handles_count();
    unique_handles_destroy_once();
    objects_outlive_what_they_came_from();
    return check_result();
}
