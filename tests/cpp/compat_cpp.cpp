// SPDX-License-Identifier: BSD-3-Clause

// C++ programs written for tinytc: a reopened namespace, specialised templates, names found through
// arguments, macros.

#include <tinytc/tinytc.hpp>

#include "check.h"

#include <cstring>
#include <stdexcept>
#include <string>

namespace tinytc::mine {

// Names of the outer namespace are found without it.
inline auto transposed(transpose t) -> transpose {
    return t == transpose::N ? transpose::T : transpose::N;
}

} // namespace tinytc::mine

struct device_pointer {
    float *ptr;
};

template <> struct tinytc::auto_mem_type<device_pointer *> {
    constexpr static mem_type value = mem_type::svm_pointer;
};

template <typename T> struct tinytc::auto_mem_type<T, std::enable_if_t<std::is_same_v<T, char *>>> {
    constexpr static auto value = tinytc::mem_type::buffer;
};

static_assert(tinytc::auto_mem_type_v<device_pointer *> == tinytc::mem_type::svm_pointer);
static_assert(tinytc::auto_mem_type_v<char *> == tinytc::mem_type::buffer);
static_assert(tinytc::auto_mem_type_v<float **> == tinytc::mem_type::usm_pointer);
static_assert(std::is_same_v<tinytc::location, ::tinytc_location>);
static_assert(TINYTC_DYNAMIC == tinytc::dynamic && TINYTC_ENUM_NUM_TRANSPOSE == 2);
static_assert(TINYTC_VERSION_MAJOR * 10000 + TINYTC_VERSION_MINOR * 100 >= 400);
static_assert(static_cast<int>(tinytc::status::unknown) == tinytc_status_unknown);

// Enumerators are constants of their type.
static_assert(std::is_same_v<decltype(tinytc_status_parse_error), tinytc_status_t>);
static_assert(std::integral_constant<tinytc_mem_type_t, tinytc_mem_type_svm_pointer>::value == 2);
static_assert(sizeof(char[tinytc_status_parse_error]) == 10);

namespace {

void names_are_found_through_arguments() {
    auto const ctx = tinytc::create_compiler_context();
    auto messages = std::string{};
    set_error_reporter(
        ctx,
        [](char const *what, const tinytc_location_t *, void *to) {
            static_cast<std::string *>(to)->append(what);
        },
        &messages);
    CHECK(std::strcmp(to_string(tinytc::transpose::T), "t") == 0);
    CHECK(to_string(tinytc::mine::transposed(tinytc::transpose::T))[0] == 'n');
    try {
        tinytc::parse_string("nonsense", ctx.get());
        CHECK(!"reached");
    } catch (tinytc::status const &st) {
        CHECK(st == tinytc::status::parse_error);
        CHECK(std::strlen(tinytc::to_string(st)) > 0);
    }
    CHECK(!messages.empty());
}

auto checked(tinytc_status_t status) -> tinytc_status_t {
    TINYTC_CHECK_STATUS(status);
    return tinytc_status_success;
}

} // namespace

int main() {
    using namespace tinytc;
    names_are_found_through_arguments();
    CHECK(checked(tinytc_status_parse_error) == tinytc_status_parse_error);
    CHECK(is_dynamic_value(dynamic));

    tinytc_core_info_t raw = nullptr;
    CHECK_STATUS(tinytc_core_info_intel_create_from_name(&raw, "pvc"));
    auto const info = shared_handle{raw};
    CHECK(get_register_space(info.get()) > 0);
    half const h = 0.5f;
    CHECK(h.bits() == 0x3800);
    return check_result();
}
