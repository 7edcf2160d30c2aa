// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_HALO_HPP
#define ADER_DG_HALO_HPP

#include "clusters.hpp"
#include "kernels.hpp"
#include "partition.hpp"
#include "tensors.hpp"
#include "usm_array.hpp"
#include "world.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Memory that is handed to MPI.
enum class message_memory {
    /// Of the host, which kernels read and write, too.
    host,
    /// Of the device, for libraries that can read and write that.
    device
};

/// Places of time integrals that are sent to other ranks or received from them.
struct halo_list {
    std::vector<std::int64_t> places;
    /// The ranks, and how many of the places are for each.
    struct message {
        int rank;
        std::int64_t count;
    };
    std::vector<message> messages;
};

/// A list in memory that kernels see, and the messages one after the other.
template <typename T> class halo_messages {
  public:
    halo_messages(halo_list const &list, dimensions const &size, message_memory memory,
                  sycl::queue const &q)
        : messages_{list.messages}, stride_{size.stride()},
          count_{static_cast<std::int64_t>(list.places.size())},
          // Memory of no bytes may be refused.
          places_{std::max<std::int64_t>(count_, 1), q},
          numbers_{stride_ * std::max<std::int64_t>(count_, 1), q,
                   memory == message_memory::device ? sycl::usm::alloc::device
                                                    : sycl::usm::alloc::host} {
        std::copy(list.places.begin(), list.places.end(), places_.get());
    }

    auto count() const -> std::int64_t { return count_; }
    auto places() const -> std::int64_t * { return places_.get(); }
    auto numbers() const -> T * { return numbers_.get(); }

    /// Calls `body` with each message's rank, numbers and count.
    template <typename Body> void for_each(Body const &body) const {
        auto *at = numbers();
        for (auto const &[rank, count] : messages_) {
            if (count > 0) {
                body(rank, at, count);
            }
            at += stride_ * count;
        }
    }

  private:
    std::vector<halo_list::message> messages_;
    std::int64_t stride_, count_;
    usm_array<std::int64_t> places_;
    usm_array<T> numbers_;
};

/// Exchange of the time integrals of elements that two ranks have a face between, and of what these
/// leave for neighbours with other steps, when a certain cluster is the last one that is due.
/// Between its two halves other work goes on. The kernels must live longer.
template <typename T> class halo {
  public:
    halo(submesh const &part, clusters const &groups, int last, dimensions const &size,
         tensors<T> const &data, time_step_kernels<T> const &kernels, message_memory memory,
         sycl::queue const &q)
        : integrals_{data.I.get()}, total_{data.first_buffer() + groups.buffers()},
          kernels_{kernels}, queue_{q},
          sent_{sent_by(part, groups, last, data.first_buffer()), size, memory, q},
          received_{received_by(part, groups, last, data.first_buffer()), size, memory, q},
          messages_{static_cast<std::size_t>(size.stride() * size.number_bytes)} {}

    /// Submits the kernel that collects what is sent, behind those that compute it.
    void pack() {
        if (sent_.count() > 0) {
            packed_ = kernels_.template launch<kernel::pack>(
                queue_, sent_.places(), sent_.count(), integrals_, total_, sent_.numbers(),
                sent_.count());
        }
    }

    /// Sends that when it is there, receives what others have sent, and submits the kernel that
    /// puts it in its place.
    void exchange() {
        // Nor must the last exchange's messages be in use any more.
        unpacked_.wait();
        received_.for_each([this](int rank, T *numbers, std::int64_t count) {
            messages_.receive(numbers, count, rank);
        });
        packed_.wait();
        sent_.for_each([this](int rank, T *numbers, std::int64_t count) {
            messages_.send(numbers, count, rank);
        });
        messages_.wait();
        if (received_.count() > 0) {
            unpacked_ = kernels_.template launch<kernel::unpack>(
                queue_, received_.places(), received_.count(), received_.numbers(),
                received_.count(), integrals_, total_);
        }
    }

  private:
    /// Adds an element with all that it leaves, if it is due.
    static void add(halo_list &list, clusters const &groups, int last, std::int64_t first_buffer,
                    std::int64_t element) {
        if (groups.of(element) > last) {
            return;
        }
        auto const before = list.places.size();
        auto const &[halves, pair] = groups.places_of(element);
        list.places.push_back(element);
        if (halves >= 0) {
            list.places.push_back(first_buffer + halves);
            list.places.push_back(first_buffer + halves + 1);
        }
        if (pair >= 0) {
            list.places.push_back(first_buffer + pair);
        }
        list.messages.back().count += static_cast<std::int64_t>(list.places.size() - before);
    }

    static auto sent_by(submesh const &part, clusters const &groups, int last,
                        std::int64_t first_buffer) -> halo_list {
        auto list = halo_list{};
        for (auto const &exchange : part.exchanges) {
            list.messages.push_back({exchange.part, 0});
            for (auto const element : exchange.sent) {
                add(list, groups, last, first_buffer, element);
            }
        }
        return list;
    }

    static auto received_by(submesh const &part, clusters const &groups, int last,
                            std::int64_t first_buffer) -> halo_list {
        auto list = halo_list{};
        auto element = static_cast<std::int64_t>(part.elements.size());
        for (auto const &exchange : part.exchanges) {
            list.messages.push_back({exchange.part, 0});
            for (std::int64_t i = 0; i < exchange.received; ++i) {
                add(list, groups, last, first_buffer, element++);
            }
        }
        return list;
    }

    T *integrals_;
    std::int64_t total_;
    time_step_kernels<T> const &kernels_;
    sycl::queue queue_;
    halo_messages<T> sent_, received_;
    world::messages messages_;
    sycl::event packed_, unpacked_;
};

#endif // ADER_DG_HALO_HPP
