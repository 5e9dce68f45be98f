#pragma once

#include "trial.hpp"

namespace posenc::fuzz {

/// Queries and keys whose scores are asked for, in the shapes that relative encodings take.
struct Content {
  std::size_t heads = 1, width = 1;
  std::size_t query_count = 1, key_count = 1;
  ConstFloats q{}, k{};
  std::span<float> out{};

  static Content of(Trial& trial, std::size_t heads, std::size_t width) {
    Content content{.heads = heads,
                    .width = width,
                    .query_count = trial.size(1, 4),
                    .key_count = trial.size(1, 9)};
    content.q = trial.data(heads * content.query_count * width);
    content.k = trial.data(heads * content.key_count * width);
    content.out = trial.floats(heads * content.query_count * content.key_count);
    return content;
  }

  /// Cuts an input or the output short, or puts the queries where the output goes.
  Refusal spoil(Trial& trial) {
    switch (trial.random().below(3)) {
      case 0:
        q = resized(q, q.size() - 1);
        return {Code::shape, "q"};
      case 1:
        q = ConstFloats(out.data(), q.size());
        return {q.size() > out.size() ? Code::ok : Code::overlap, "out"};
      default:
        out = out.first(out.size() - 1);
        return {Code::shape, "out"};
    }
  }
};

}  // namespace posenc::fuzz
