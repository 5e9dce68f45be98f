#pragma once

// What the tests of biases and of relative encodings share.

#include <span>
#include <string>
#include <vector>

#include "helpers.hpp"
#include "posenc/bias/mlp.hpp"
#include "posenc/core/positions.hpp"
#include "storage_types.hpp"

namespace posenc::tests {

inline std::vector<float> copy_of(Guarded& memory) {
  return {memory.span().begin(), memory.span().end()};
}

/// The bias [heads, queries, keys] of an encoding, expecting success.
template <class Encoding>
std::vector<float> whole_bias(const Encoding& encoding, const Positions& queries,
                              const Positions& keys) {
  Guarded out(encoding.config().heads * queries.size() * keys.size(), 1);
  EXPECT_TRUE(succeeded(encoding.bias(queries, keys, out.span())));
  return copy_of(out);
}

/// Every value is within `ulps` of the exact one; infinities are equal.
inline void expect_ulps(std::span<const float> actual, std::span<const double> exact, double ulps) {
  ASSERT_EQ(actual.size(), exact.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (std::isinf(exact[i])) {
      EXPECT_EQ(static_cast<double>(actual[i]), exact[i]) << "element " << i;
    } else {
      EXPECT_LE(ulp_error(actual[i], exact[i]), ulps) << "element " << i << ", exact " << exact[i];
    }
  }
}

/// Every value is within `tolerance` of the exact one; infinities are equal.
inline void expect_near(std::span<const float> actual, std::span<const double> exact,
                        double tolerance) {
  ASSERT_EQ(actual.size(), exact.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (std::isinf(exact[i])) {
      EXPECT_EQ(static_cast<double>(actual[i]), exact[i]) << "element " << i;
    } else {
      EXPECT_NEAR(static_cast<double>(actual[i]), exact[i], tolerance) << "element " << i;
    }
  }
}

/// The 16-bit values are what the exact values round to, of which the floats are within 1 ulp.
inline void expect_rounded(const ShortFloats& actual, StorageType type,
                           std::span<const float> floats) {
  const std::vector<float> values = actual.floats();
  ASSERT_EQ(values.size(), floats.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float around[] = {std::nextafter(floats[i], -kInfinity), floats[i],
                            std::nextafter(floats[i], kInfinity)};
    const std::vector<float> rounded = ShortFloats(around, type).floats();
    EXPECT_TRUE(rounded[0] <= values[i] && values[i] <= rounded[2])
        << "element " << i << ": " << values[i] << " for " << floats[i];
  }
}

template <class Encoding>
void expect_short_biases_are_rounded(const Encoding& encoding) {
  const Positions queries = Positions::from(3, 4), keys = Positions::from(0, 9);
  const std::vector<float> floats = whole_bias(encoding, queries, keys);
  for (StorageType type : kShortTypes) {
    ShortFloats out(floats.size(), type);
    EXPECT_TRUE(succeeded(encoding.bias(queries, keys, out)));
    expect_rounded(out, type, floats);
  }
}

/// A bias that depends on key - query alone: `distances` and `bias`, of ranges and of arrays, agree
/// bit for bit.
template <class Encoding>
void expect_function_of_distance(const Encoding& encoding) {
  constexpr std::size_t kQueries = 6, kKeys = 11, kCount = 40;
  const std::size_t heads = encoding.config().heads;
  Guarded distances(heads * kCount);
  ASSERT_TRUE(succeeded(encoding.distances(-20, distances.span())));
  std::vector<std::int64_t> query_array, key_array;
  for (std::size_t i = 0; i < kQueries; ++i) query_array.push_back(100 + static_cast<int>(i));
  for (std::size_t i = 0; i < kKeys; ++i) key_array.push_back(97 + static_cast<int>(i));
  const std::vector<float> bias =
      whole_bias(encoding, Positions::from(100, kQueries), Positions::from(97, kKeys));
  EXPECT_TRUE(
      same_bits(whole_bias(encoding, Positions::of(std::span<const std::int64_t>(query_array)),
                           Positions::of(std::span<const std::int64_t>(key_array))),
                bias));
  for (std::size_t i = 0; i < bias.size(); ++i) {
    const std::size_t head = i / kKeys / kQueries, query = i / kKeys % kQueries, key = i % kKeys;
    const float expected = distances.span()[head * kCount + 20 + key - 3 - query];
    EXPECT_TRUE(same_bits({&bias[i], 1}, {&expected, 1})) << "element " << i;
  }
}

/// Of two biases of one shape, the causal one: equal on the past, -infinity on the future.
inline void expect_causal(std::span<const float> causal, std::span<const float> both,
                          const Positions& queries, const Positions& keys) {
  ASSERT_EQ(causal.size(), both.size());
  for (std::size_t i = 0; i < both.size(); ++i) {
    const double query = queries[i / keys.size() % queries.size()], key = keys[i % keys.size()];
    const float expected = key > query ? -kInfinity : both[i];
    EXPECT_TRUE(same_bits(causal.subspan(i, 1), {&expected, 1})) << "element " << i;
  }
}

/// A small network of random weights, and what it computes by the definition.
struct Network {
  struct Layer {
    std::vector<float> weight, bias;
  };
  std::vector<Layer> tensors;

  /// widths[0] inputs, widths.back() outputs
  static Network of(std::span<const std::size_t> widths, Random& random) {
    Network network;
    for (std::size_t i = 1; i < widths.size(); ++i) {
      network.tensors.push_back(
          {random.floats(widths[i] * widths[i - 1]), random.floats(widths[i])});
    }
    return network;
  }

  std::vector<MlpLayer> layers() const {
    std::vector<MlpLayer> views;
    for (const Layer& layer : tensors) views.push_back({layer.weight, layer.bias});
    return views;
  }
  std::vector<double> run(std::vector<double> values, double (*activation)(double)) const {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const Layer& layer = tensors[i];
      std::vector<double> next;
      for (std::size_t row = 0; row < layer.weight.size() / values.size(); ++row) {
        double sum = layer.bias.empty() ? 0.0 : static_cast<double>(layer.bias[row]);
        for (std::size_t j = 0; j < values.size(); ++j) {
          sum += static_cast<double>(layer.weight[row * values.size() + j]) * values[j];
        }
        next.push_back(i + 1 == tensors.size() ? sum : activation(sum));
      }
      values = next;
    }
    return values;
  }
};

/// More positions than a verb can visit: with no key, or no query, it must not.
inline Positions vast_positions() {
  return Positions::from(-1000, sizeof(std::size_t) == 8 ? std::size_t{1} << 49 : SIZE_MAX / 2);
}

/// One layer of a weight and a bias, in one memory with the outputs that a test tries: writing over
/// either must be refused, with nothing written, and the next call must work.
template <class Call>
void expect_layers_are_kept_apart(const char* encoding, std::size_t inputs, std::size_t outputs,
                                  std::size_t written, const Call& call) {
  const std::size_t weights = inputs * outputs;
  std::vector<float> memory(weights + outputs + 2 * written, 0.5f);
  const std::vector<float> before = memory;
  const std::span<float> all(memory);
  const std::vector<MlpLayer> layers{{all.subspan(written, weights), {}}},
      with_bias{{all.subspan(written, weights), all.subspan(written + weights, outputs)}};
  std::string message = encoding;
  message += ": out must not overlap layers";
  // its last element is the first of the weight; its first one the last of the weight
  expect_failure(call(layers, all.subspan(1, written)), Code::overlap, "out", message);
  expect_failure(call(layers, all.subspan(written + weights - 1, written)), Code::overlap, "out",
                 message);
  expect_failure(call(with_bias, all.last(written + 1).first(written)), Code::overlap, "out",
                 message);
  EXPECT_TRUE(same_bits(memory, before));
  EXPECT_TRUE(succeeded(call(with_bias, all.first(written))));
  EXPECT_TRUE(succeeded(call(with_bias, all.last(written))));
  EXPECT_TRUE(same_bits(all.first(written), all.last(written)));
  EXPECT_TRUE(same_bits(all.subspan(written, weights + outputs),
                        std::span(before).subspan(written, weights + outputs)));
}

inline double relu(double x) { return x > 0 ? x : 0; }
inline double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }
inline double silu(double x) { return x * sigmoid_of(x); }

/// a . b, in float.
inline float dot_in_order(const float* a, const float* b, std::size_t count) {
  float sum = 0.0f;
  for (std::size_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

/// a . b from element i of `a` and j of `b` on, in double.
inline double dot(std::span<const float> a, std::size_t i, std::span<const float> b, std::size_t j,
                  std::size_t count) {
  double sum = 0;
  for (std::size_t n = 0; n < count; ++n) {
    sum += static_cast<double>(a[i + n]) * static_cast<double>(b[j + n]);
  }
  return sum;
}

}  // namespace posenc::tests
