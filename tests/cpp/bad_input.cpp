// SPDX-License-Identifier: BSD-3-Clause

// Files that are no programs: a status and a message each time, and the next call works.

#include "check.hpp"

#include <tiletc/tiletc.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

namespace {

/// A file of the given content that goes away with this object.
class temporary_file {
  public:
    temporary_file(char const *name, std::string const &content) : path_{name} {
        std::ofstream(path_, std::ios::binary) << content;
    }
    ~temporary_file() { std::filesystem::remove(path_); }
    temporary_file(temporary_file const &) = delete;
    auto operator=(temporary_file const &) -> temporary_file & = delete;

    auto name() const -> char const * { return path_.c_str(); }

  private:
    std::string path_;
};

void remember(char const *what, const tiletc_location *, void *messages) {
    *static_cast<std::string *>(messages) += what;
}

/// Ten million bytes, the same ones each time.
auto garbage() -> std::string {
    auto generator = std::mt19937{10};
    auto text = std::string(10'000'000, '\0');
    for (auto &c : text) {
        c = static_cast<char>(generator());
    }
    return text;
}

/// Ten million characters a program could be made of.
auto printable_garbage() -> std::string {
    constexpr char alphabet[] = "func@%:{}()<>[]=,.;*+-xi64f32 memref group for if\n0123456789";
    auto generator = std::mt19937{11};
    auto text = std::string(10'000'000, '\0');
    for (auto &c : text) {
        c = alphabet[generator() % (sizeof(alphabet) - 1)];
    }
    return text;
}

} // namespace

int main() {
    auto messages = std::string{};
    auto ctx = tiletc::create_compiler_context();
    set_error_reporter(ctx, remember, &messages);

    auto const parse = [&](char const *name) {
        messages.clear();
        return status_of([&] { tiletc::parse_file(name, ctx.get()); });
    };
    auto const good = temporary_file("good.ir", small_program());
    auto const the_next_call_works = [&] {
        CHECK(parse(good.name()) == tiletc::status::success);
        CHECK(messages.empty());
    };

    CHECK(parse("no/such/file.ir") == tiletc::status::file_io_error);
    CHECK(messages.find("no/such/file.ir") != std::string::npos);
    the_next_call_works();

    CHECK(parse(".") == tiletc::status::file_io_error);
    CHECK(!messages.empty());
    the_next_call_works();

    auto const empty = temporary_file("empty.ir", "");
    CHECK(parse(empty.name()) != tiletc::status::success);
    CHECK(!messages.empty());
    the_next_call_works();

    auto const blank = temporary_file("blank.ir", "  \n; nothing but a comment\n");
    CHECK(parse(blank.name()) == tiletc::status::parse_error);
    CHECK(messages.find("blank.ir:") != std::string::npos);
    the_next_call_works();

    auto const noise = temporary_file("noise.ir", "x" + garbage());
    CHECK(parse(noise.name()) == tiletc::status::parse_error);
    CHECK(messages.find("noise.ir:") != std::string::npos);
    the_next_call_works();

    auto const printable = temporary_file("printable.ir", printable_garbage());
    CHECK(parse(printable.name()) == tiletc::status::parse_error);
    CHECK(messages.find("printable.ir:") != std::string::npos);
    the_next_call_works();

    auto const nested = temporary_file("nested.ir", "func @f() " + std::string(10'000'000, '{'));
    CHECK(parse(nested.name()) == tiletc::status::parse_error);
    CHECK(messages.find("nested.ir:") != std::string::npos);
    the_next_call_works();

    // One message, with the place on its first line, the source line, and a mark below it.
    CHECK(status_of([&] {
              messages.clear();
              tiletc::parse_string("func @f(%a: nonsense) {\n}\n", ctx.get());
          }) == tiletc::status::parse_error);
    CHECK(messages.rfind("<memory>:1.13", 0) == 0);
    CHECK(messages.find("func @f(%a: nonsense) {") != std::string::npos);
    CHECK(messages.find('~') != std::string::npos);

    // A text may be longer than its program: a NUL ends it.
    auto with_nul = small_program();
    with_nul += '\0';
    with_nul += "this is never read";
    CHECK(status_of([&] { tiletc::parse_string(with_nul, ctx.get()); }) == tiletc::status::success);

    // Silence is the default, and can be asked for.
    set_error_reporter(ctx, nullptr);
    messages.clear();
    CHECK(status_of([&] { tiletc::parse_string("nonsense", ctx.get()); }) ==
          tiletc::status::parse_error);
    CHECK(status_of([&] { tiletc::parse_string("nonsense"); }) == tiletc::status::parse_error);
    CHECK(messages.empty());
    return check_result();
}
