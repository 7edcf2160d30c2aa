// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_HALO_HPP
#define ADER_DG_HALO_HPP

#include "kernel.hpp"
#include "partition.hpp"
#include "tensors.hpp"
#include "usm_array.hpp"
#include "world.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Memory that is handed to MPI.
enum class message_memory {
    /// Of the host: kernels write to it what is sent, and what is received is copied from it.
    host,
    /// Of the device, for libraries that can read and write that.
    device
};

/// Exchange of the time integrals of elements that two ranks have a face between. It is done in
/// pieces, so that other work goes on meanwhile: `begin`, and when what is sent has been computed
/// `pack`, `send`, and `finish`.
template <typename T> class halo {
  public:
    /// The exchange of a part whose integrals are at `I`, the halo behind the part's own.
    halo(submesh const &part, dimensions const &size, T *I, sycl::kernel const &pack,
         message_memory memory, sycl::queue const &q)
        : exchanges_{part.exchanges}, size_{size}, integrals_{I}, pack_{pack}, queue_{q},
          sent_count_{count_sent(part)}, in_place_{memory == message_memory::device},
          list_{sent_count_, q}, sent_{size.stride() * sent_count_, q, kind(memory)},
          received_{in_place_ ? 1 : size.stride() * part.halo, q, kind(memory)},
          messages_{static_cast<std::size_t>(size.stride() * size.number_bytes)} {
        auto *to = list_.get();
        for (auto const &exchange : exchanges_) {
            to = std::copy(exchange.sent.begin(), exchange.sent.end(), to);
        }
    }

    /// Starts receiving. What was received before must not be in use any more.
    void begin() {
        auto *to = in_place_ ? first() : received_.get();
        for (auto const &exchange : exchanges_) {
            messages_.receive(to, exchange.received, exchange.part);
            to += size_.stride() * exchange.received;
        }
    }

    /// Submits the kernel that collects what is sent.
    auto pack() -> sycl::event {
        auto const groups = sycl::range<3u>{1, 1, static_cast<std::size_t>(sent_count_)};
        return tiletc::submit(queue_, pack_, groups, list_.get(), sent_count_, integrals_,
                              size_.elements, sent_.get(), sent_count_);
    }

    /// Sends it, which has been collected.
    void send() {
        auto const *from = sent_.get();
        for (auto const &exchange : exchanges_) {
            auto const count = static_cast<std::int64_t>(exchange.sent.size());
            messages_.send(from, count, exchange.part);
            from += size_.stride() * count;
        }
    }

    /// Waits for all messages; commands that are submitted then see the halo.
    void finish() {
        messages_.wait();
        if (!in_place_) {
            auto const numbers = size_.stride() * size_.halo;
            queue_.memcpy(first(), received_.get(), static_cast<std::size_t>(numbers) * sizeof(T));
        }
    }

  private:
    static auto count_sent(submesh const &part) -> std::int64_t {
        std::int64_t count = 0;
        for (auto const &exchange : part.exchanges) {
            count += static_cast<std::int64_t>(exchange.sent.size());
        }
        return count;
    }
    static auto kind(message_memory memory) -> sycl::usm::alloc {
        return memory == message_memory::device ? sycl::usm::alloc::device : sycl::usm::alloc::host;
    }

    /// The first element of the halo.
    auto first() const -> T * { return integrals_ + size_.stride() * size_.elements; }

    std::vector<submesh::exchange> exchanges_;
    dimensions size_;
    T *integrals_;
    sycl::kernel pack_;
    sycl::queue queue_;
    std::int64_t sent_count_;
    bool in_place_;
    usm_array<std::int64_t> list_;
    usm_array<T> sent_, received_;
    world::messages messages_;
};

#endif // ADER_DG_HALO_HPP
