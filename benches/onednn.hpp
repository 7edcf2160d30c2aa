// SPDX-License-Identifier: BSD-3-Clause

#pragma once

/// \file
/// Operators of oneDNN, where CMake has found it: then BENCH_ONEDNN is defined. Without it nothing is added.

#include "contest.hpp"

#include <sycl/sycl.hpp>

#include <array>
#include <cstdint>

#ifdef BENCH_ONEDNN
#include <oneapi/dnnl/dnnl.hpp>
#include <oneapi/dnnl/dnnl_graph.hpp>
#include <oneapi/dnnl/dnnl_sycl.hpp>

#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

/// oneDNN on the device and with the threads of a queue.
class onednn {
  public:
    explicit onednn(sycl::queue q)
        : engine_{dnnl::sycl_interop::make_engine(q.get_device(), q.get_context())},
          stream_{dnnl::sycl_interop::make_stream(engine_, q)} {}

    /// Adds the softmax of columns.
    void add_softmax(contest &programs, std::int64_t rows, std::int64_t cols, float *X, float *Y) const {
        using namespace dnnl;
        auto const shape = memory::desc{{cols, rows}, memory::data_type::f32, memory::format_tag::ab};
        auto const operation = softmax_forward{softmax_forward::primitive_desc{
            engine_, prop_kind::forward_inference, algorithm::softmax_accurate, shape, shape, 1}};
        auto const in_memory = [&](float *numbers) {
            return sycl_interop::make_memory(shape, engine_, sycl_interop::memory_kind::usm, numbers);
        };
        programs.add("oneDNN", [operation, stream = stream_, from = in_memory(X), to = in_memory(Y)]() mutable {
            operation.execute(stream, {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, to}});
            stream.wait();
        });
    }

    /// Adds attention to tensors of batch x heads x length x head dimension, the last of which is contiguous.
    void add_attention(contest &programs, std::array<std::int64_t, 4> const &shape, float scale, float *Q, float *K,
                       float *V, float *O) const {
        using namespace dnnl::graph;
        auto const [batch, heads, length, head_dim] = shape;
        auto count = std::size_t{0};
        auto const logical = [&](logical_tensor::dims const &extents) {
            return logical_tensor{count++, logical_tensor::data_type::f32, extents,
                                  logical_tensor::layout_type::strided};
        };
        auto const vectors = logical_tensor::dims{batch, heads, length, head_dim};
        auto const scores = logical_tensor::dims{batch, heads, length, length};
        auto const q = logical(vectors), k = logical(vectors), v = logical(vectors), o = logical(vectors);
        auto const factor = logical({1}), dots = logical(scores), scaled = logical(scores), weights = logical(scores);
        auto of_scores = op{count++, op::kind::MatMul, {q, k}, {dots}, "scores"};
        of_scores.set_attr<bool>(op::attr::transpose_b, true);
        auto const scaling = op{count++, op::kind::Multiply, {dots, factor}, {scaled}, "scaling"};
        auto softmax = op{count++, op::kind::SoftMax, {scaled}, {weights}, "softmax"};
        softmax.set_attr<std::int64_t>(op::attr::axis, -1);
        auto const of_values = op{count++, op::kind::MatMul, {weights, v}, {o}, "values"};
        auto whole = graph{engine_.get_kind()};
        for (auto const &operation : {of_scores, scaling, softmax, of_values}) {
            whole.add_op(operation);
        }
        whole.finalize();
        auto const partitions = whole.get_partitions();
        if (partitions.size() != 1) {
            throw std::runtime_error("oneDNN does not fuse the attention");
        }
        auto const given = std::make_shared<float>(scale);
        auto const memory = std::map<std::size_t, float *>{
            {q.get_id(), Q}, {k.get_id(), K}, {v.get_id(), V}, {factor.get_id(), given.get()}};
        auto const inputs = partitions.front().get_input_ports();
        auto tensors = std::vector<tensor>{};
        for (auto const &input : inputs) {
            tensors.emplace_back(input, engine_, memory.at(input.get_id()));
        }
        auto const compiled = partitions.front().compile(inputs, {o}, engine_);
        programs.add("oneDNN", [compiled, given, tensors, result = tensor{o, engine_, O}, stream = stream_]() mutable {
            compiled.execute(stream, tensors, {result});
            stream.wait();
        });
    }

  private:
    dnnl::engine engine_;
    dnnl::stream stream_;
};
#else
class onednn {
  public:
    explicit onednn(sycl::queue const &) {}
    void add_softmax(contest &, std::int64_t, std::int64_t, float *, float *) const {}
    void add_attention(contest &, std::array<std::int64_t, 4> const &, float, float *, float *, float *,
                       float *) const {}
};
#endif
