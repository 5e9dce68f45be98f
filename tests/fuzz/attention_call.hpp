#pragma once

#include <cmath>
#include <vector>

#include "posenc/attention/attention.hpp"
#include "runner.hpp"

namespace posenc::fuzz {

/// A call of attention with any of its options, which its gradient is tried with too.
struct AttentionCall {
  static constexpr const char* kEncoding = "attention";

  AttentionArgs args;
  ConstFloats q, k, v;
  Floats out, probabilities;
  std::span<float> workspace;
  /// Viewed by the args of `run`.
  std::vector<std::uint8_t> mask;
  std::vector<std::int32_t> index;

  static AttentionCall valid(Trial& trial) {
    tests::Generator& random = trial.random();
    AttentionCall call;
    AttentionArgs& args = call.args;
    const std::size_t kv_heads = trial.size(1, 3);
    args.heads = kv_heads * trial.size(1, 3);
    args.kv_heads = args.heads == kv_heads && random.one_in(2) ? 0 : kv_heads;
    args.query_count = trial.size(0, 5);
    args.key_count = trial.size(0, 40);
    args.head_dim = trial.size(1, 20);
    const std::size_t value_dim = random.one_in(2) ? args.head_dim : trial.size(1, 20);
    args.value_dim = value_dim == args.head_dim ? 0 : value_dim;
    args.causal = random.one_in(2);
    if (random.one_in(2)) args.scale = random.real(-3, 1);
    if (random.one_in(2)) args.query_offset = random.between(-10, 40);
    call.q = trial.data(args.heads * args.query_count * args.head_dim);
    call.k = trial.data(kv_heads * args.key_count * args.head_dim);
    call.v = trial.data(kv_heads * args.key_count * value_dim);
    call.out = trial.data(args.heads * args.query_count * value_dim);
    const std::size_t scores = args.heads * args.query_count * args.key_count;
    if (random.one_in(2)) call.probabilities = trial.data(scores);
    if (random.one_in(2)) args.terms.bias = trial.floats(scores);
    if (random.one_in(2)) args.terms.key_bias = trial.floats(args.heads * args.key_count);
    if (random.one_in(2)) call.add_distances(trial);
    if (random.one_in(2)) args.window = trial.size(1, 50);
    if (random.one_in(2)) args.softcap = std::fabs(random.real(-3, 5));
    if (random.one_in(2)) call.mask.resize(args.key_count, 1);
    for (std::uint8_t& seen : call.mask) seen = random.one_in(3) ? 0 : 1;
    if (random.one_in(2)) call.add_relative(trial, value_dim);
    if (random.one_in(2) && args.head_dim > 1) call.add_rotary(trial);
    call.workspace = trial.scratch(attention_workspace_size(call.viewed(), call.v.type()));
    return call;
  }

  /// The args with their views of this call's memory.
  AttentionArgs viewed() const {
    AttentionArgs all = args;
    all.key_mask = mask;
    all.terms.relative.index = index;
    return all;
  }

  void add_relative(Trial& trial, std::size_t value_dim) {
    RelativeTerms& relative = args.terms.relative;
    relative.row_count = trial.size(1, 12);
    relative.first_distance = -(offset() + static_cast<std::int64_t>(args.query_count));
    for (std::size_t i = 0; i < args.query_count + args.key_count + 1; ++i) {
      index.push_back(static_cast<std::int32_t>(trial.size(0, relative.row_count)) - 1);
    }
    const std::size_t tables = trial.random().one_in(2) ? 1 : args.heads;
    const std::size_t rows = tables * relative.row_count;
    if (trial.random().one_in(2)) relative.keys = trial.data(rows * args.head_dim);
    if (trial.random().one_in(2)) relative.queries = trial.data(rows * args.head_dim);
    if (trial.random().one_in(2)) relative.values = trial.data(rows * value_dim);
    if (trial.random().one_in(2)) relative.content_bias = trial.data(args.heads * args.head_dim);
    if (trial.random().one_in(2)) relative.position_bias = trial.data(args.heads * args.head_dim);
  }

  void add_rotary(Trial& trial) {
    RotaryTables& rotary = args.rotary;
    rotary.rotary_dim = 2 * trial.size(1, args.head_dim / 2);
    rotary.rotary_start = trial.size(0, args.head_dim - rotary.rotary_dim);
    rotary.layout = trial.random().one_in(2) ? RopeLayout::half : RopeLayout::interleaved;
    rotary.query_cos = trial.floats(args.query_count * rotary.rotary_dim / 2);
    rotary.query_sin = trial.floats(args.query_count * rotary.rotary_dim / 2);
    rotary.key_cos = trial.floats(args.key_count * rotary.rotary_dim / 2);
    rotary.key_sin = trial.floats(args.key_count * rotary.rotary_dim / 2);
  }

  std::int64_t offset() const {
    return args.query_offset.value_or(static_cast<std::int64_t>(args.key_count) -
                                      static_cast<std::int64_t>(args.query_count));
  }

  /// From the farthest key before the last query to the farthest one after the first.
  void add_distances(Trial& trial) {
    const std::size_t count = args.query_count + args.key_count + 1;
    args.terms.first_distance = -(offset() + static_cast<std::int64_t>(args.query_count));
    args.terms.distances = trial.floats(args.heads * count);
  }

  Refusal spoil(Trial& trial) {
    switch (trial.random().below(14)) {
      case 10:
        args.softcap = trial.random().one_in(2) ? -1 : kNan;
        return {Code::value_range, "softcap"};
      case 11:
        mask.assign(args.key_count + 1, 1);
        return {Code::shape, "key_mask"};
      case 12:
        args.rotary.rotary_dim = args.head_dim + 1;
        return {Code::value_range, ""};
      case 13:
        if (index.empty() || args.terms.relative.keys.empty()) return {};
        index.back() = static_cast<std::int32_t>(args.terms.relative.row_count);
        return {Code::value_range, "relative_index"};
      case 0:
        args.heads = trial.random().one_in(2) ? 0 : kTooWide;
        return {Code::value_range, "heads"};
      case 1:
        args.kv_heads = args.heads + 1;
        return {Code::value_range, "kv_heads"};
      case 2:
        args.head_dim = trial.random().one_in(2) ? 0 : kTooWide;
        return {Code::value_range, "head_dim"};
      case 3:
        args.value_dim = kTooWide;
        return {Code::value_range, "value_dim"};
      case 4:
        args.scale = trial.random().one_in(2) ? kNan : kInfinity;
        return {Code::value_range, "scale"};
      case 5:
        if (args.query_count == 0) return {};
        args.query_offset = std::numeric_limits<std::int64_t>::min();
        return {Code::position_range, "query_offset"};
      case 6:
        args.terms.bias = trial.floats(args.heads * args.query_count * args.key_count + 1);
        return {Code::shape, "bias"};
      case 7:
        args.terms.key_bias = trial.floats(args.heads * args.key_count + 1);
        return {Code::shape, "key_bias"};
      case 8:
        return overlap();
      default:
        return shorten(trial);
    }
  }

  Refusal shorten(Trial& trial) {
    switch (trial.random().below(5)) {
      case 0:
        if (q.empty()) return {};
        q = resized(q, q.size() - 1);
        return {Code::shape, "q"};
      case 1:
        if (k.empty()) return {};
        k = resized(k, k.size() - 1);
        return {Code::shape, "k"};
      case 2:
        if (v.empty()) return {};
        v = resized(v, v.size() - 1);
        return {Code::shape, "v"};
      case 3:
        if (out.empty()) return {};
        out = resized(out, out.size() - 1);
        return {Code::shape, "out"};
      default:
        if (workspace.empty()) return {};
        workspace = workspace.first(workspace.size() - 1);
        return {Code::shape, "workspace"};
    }
  }

  /// Has the result written over the queries.
  Refusal overlap() {
    if (args.value_dim != 0 || out.empty()) return {};
    out = {const_cast<void*>(q.data()), q.size(), q.type()};
    return {Code::overlap, "out"};
  }

  void roughen(Trial& trial) {
    std::size_t* sizes[] = {&args.heads,     &args.kv_heads, &args.query_count,
                            &args.key_count, &args.head_dim, &args.value_dim};
    switch (trial.random().below(9)) {
      case 5:
        args.softcap = trial.wild_real();
        break;
      case 6:
        args.window = trial.wild_size();
        break;
      case 7:
        args.terms.relative.first_distance = trial.wild_whole();
        break;
      case 8:
        (trial.random().one_in(2) ? args.rotary.rotary_dim : args.terms.relative.row_count) =
            trial.wild_size();
        break;
      case 0:
        args.scale = trial.wild_real();
        break;
      case 1:
        args.query_offset = trial.wild_whole();
        break;
      case 2:
        args.terms.first_distance = trial.wild_whole();
        break;
      default:
        *trial.random().pick(sizes) = trial.wild_size();
        break;
    }
  }

  Status run() const { return attention(q, k, v, out, viewed(), workspace, probabilities); }
};

}  // namespace posenc::fuzz
