// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_COMMAND_LINE_HPP
#define EXAMPLES_COMMAND_LINE_HPP

#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

/// A command line that makes no sense.
class usage_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The arguments of a program, option by option. Reading what makes no sense throws `usage_error`.
class command_line {
  public:
    command_line(int argc, char const *const *argv) : argc_{argc}, argv_{argv} {}

    /// Goes on to the next option; false if there is none.
    auto next() -> bool {
        if (at_ + 1 >= argc_) {
            return false;
        }
        option_ = argv_[++at_];
        return true;
    }

    /// Returns whether the option at hand is the given one.
    auto is(std::string_view short_name, std::string_view long_name) const -> bool {
        return option_ == short_name || option_ == long_name;
    }
    auto is(std::string_view long_name) const -> bool { return option_ == long_name; }

    /// The value of the option at hand.
    auto value() -> std::string_view {
        if (at_ + 1 >= argc_) {
            throw usage_error(std::string(option_) + " needs a value");
        }
        return argv_[++at_];
    }

    /// Its value as a whole number from `min` to `max`, and nothing else.
    auto number(std::int64_t min, std::int64_t max) -> std::int64_t {
        auto const text = value();
        std::int64_t number = 0;
        auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc{} || end != text.data() + text.size() || number < min ||
            number > max) {
            throw usage_error(std::string(option_) + " needs a whole number from " +
                              std::to_string(min) + " to " + std::to_string(max) + ", not '" +
                              std::string(text) + "'");
        }
        return number;
    }

    /// Meaning of its value, one of these words.
    template <typename T>
    auto choice(std::initializer_list<std::pair<std::string_view, T>> choices) -> T {
        auto const text = value();
        auto words = std::string{};
        for (auto const &[word, meaning] : choices) {
            if (word == text) {
                return meaning;
            }
            words += words.empty() ? "" : ", ";
            words += word;
        }
        throw usage_error(std::string(option_) + " needs one of " + words + ", not '" +
                          std::string(text) + "'");
    }

    /// To be called if the option at hand is none of the program's.
    [[noreturn]] void refuse() const {
        throw usage_error("unknown argument '" + std::string(option_) + "'");
    }

  private:
    int argc_;
    char const *const *argv_;
    int at_ = 0;
    std::string_view option_;
};

#endif // EXAMPLES_COMMAND_LINE_HPP
