// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_PROGRESS_HPP
#define EXAMPLES_PROGRESS_HPP

#include <cstdio>
#include <string>
#include <unistd.h>

/// One line on the terminal that says what is being done; nothing if nobody is looking.
class progress {
  public:
    progress() : visible_{isatty(STDERR_FILENO) == 1} {}
    ~progress() { clear(); }
    progress(progress const &) = delete;
    auto operator=(progress const &) -> progress & = delete;

    void show(std::string const &what) {
        if (visible_) {
            std::fprintf(stderr, "\r\033[K%s", what.c_str());
            std::fflush(stderr);
        }
    }

    void clear() { show({}); }

  private:
    bool visible_;
};

#endif // EXAMPLES_PROGRESS_HPP
