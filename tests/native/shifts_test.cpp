// Biases and relative encodings see differences of positions alone: a shift of queries and keys
// together leaves every bit, and a bias of distances is constant along diagonals.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bias_helpers.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/bias/dynamic_position_bias.hpp"
#include "posenc/bias/kerple.hpp"
#include "posenc/bias/swin.hpp"
#include "posenc/bias/t5.hpp"
#include "posenc/relative/cope.hpp"
#include "posenc/relative/deberta.hpp"
#include "posenc/relative/shaw.hpp"
#include "posenc/relative/transformer_xl.hpp"

namespace posenc {
namespace {

using namespace tests;

constexpr std::int64_t kShifts[] = {1, -77, 1000000, -1000000, std::int64_t{1} << 40};
constexpr std::size_t kHeads = 2, kDim = 8, kQueries = 5, kKeys = 40;

/// Calls `check(name, encoding)` with every encoding that is a bias of the distance.
template <class Check>
void for_biases_of_distances(const Check& check) {
  Random random;
  for (const AlibiForm form : {AlibiForm::causal, AlibiForm::symmetric}) {
    check("alibi", Alibi({.heads = 3, .form = form}));
  }
  for (const KerpleKind kind : {KerpleKind::log, KerpleKind::power}) {
    for (const bool causal : {false, true}) {
      check("kerple",
            Kerple({.heads = 2, .kind = kind, .causal = causal, .p = {0.7, 1.3}, .a = {2, 0.3}}));
    }
  }
  const std::vector<float> table = random.floats(32 * 3);
  for (const bool bidirectional : {false, true}) {
    check("t5", T5({.heads = 3, .bidirectional = bidirectional, .table = table}));
  }
  const std::size_t widths[] = {1, 5, 3};
  const Network network = Network::of(widths, random);
  for (const bool log_distance : {false, true}) {
    check("dynamic_position_bias",
          DynamicPositionBias(
              {.heads = 3, .log_distance = log_distance, .layers = network.layers()}));
  }
}

TEST(Shifts, BiasesOfDistancesAreConstantAlongDiagonals) {
  for_biases_of_distances([](const char* name, const auto& encoding) {
    const testing::ScopedTrace trace(__FILE__, __LINE__, name);
    expect_function_of_distance(encoding);
  });
}

TEST(Shifts, LeaveBiasesOfDistances) {
  for_biases_of_distances([](const char* name, const auto& encoding) {
    const std::vector<float> near =
        whole_bias(encoding, Positions::from(30, kQueries), Positions::from(0, kKeys));
    for (const std::int64_t shift : kShifts) {
      EXPECT_TRUE(same_bits(whole_bias(encoding, Positions::from(30 + shift, kQueries),
                                       Positions::from(shift, kKeys)),
                            near))
          << name << ", shift " << shift;
    }
  });
}

/// `call(queries, keys, out)` writes elements [.., queries, keys], the same after every shift.
template <class Element, class Call>
void expect_same_after_shifts(const char* name, std::size_t heads, const Call& call) {
  const auto at = [&](std::int64_t shift) {
    std::vector<Element> out(heads * kQueries * kKeys);
    EXPECT_TRUE(succeeded(call(Positions::from(30 + shift, kQueries), Positions::from(shift, kKeys),
                               std::span<Element>(out))));
    return out;
  };
  const std::vector<Element> near = at(0);
  for (const std::int64_t shift : kShifts) {
    if constexpr (std::is_same_v<Element, float>) {
      EXPECT_TRUE(same_bits(at(shift), near)) << name << ", shift " << shift;
    } else {
      EXPECT_EQ(at(shift), near) << name << ", shift " << shift;
    }
  }
}

TEST(Shifts, LeaveScoresOfContent) {
  Random random;
  const std::vector<float> q = random.floats(kHeads * kQueries * kDim),
                           k = random.floats(kHeads * kKeys * kDim),
                           logits = random.floats(kHeads * kQueries * kKeys),
                           rows = random.floats(64 * kHeads * kDim),
                           biases = random.floats(kHeads * kDim);
  const auto table = [&](std::size_t count) { return std::span(rows).first(count); };
  const Shaw shaw({.head_dim = kDim, .max_relative_position = 12, .keys = table(25 * kDim)});
  expect_same_after_shifts<float>(
      "shaw", kHeads, [&](const Positions& queries, const Positions& keys, std::span<float> out) {
        return shaw.scores(q, queries, keys, 0.3, out);
      });
  expect_same_after_shifts<std::int32_t>(
      "shaw index", 1, [&](const auto&... arguments) { return shaw.index(arguments...); });
  for (const std::size_t buckets : {0u, 16u}) {
    const Deberta deberta({.heads = kHeads,
                           .head_dim = kDim,
                           .position_buckets = buckets,
                           .max_relative_positions = buckets == 0 ? 16u : 128u,
                           .rel_embeddings = table(32 * kHeads * kDim)});
    expect_same_after_shifts<float>(
        "deberta", kHeads,
        [&](const Positions& queries, const Positions& keys, std::span<float> out) {
          return deberta.scores(q, k, queries, keys, out);
        });
    expect_same_after_shifts<std::int32_t>("deberta buckets", 1, [&](const auto&... arguments) {
      return deberta.relative_positions(arguments...);
    });
  }
  const TransformerXl transformer_xl(
      {.heads = kHeads, .head_dim = kDim, .content_bias = biases, .position_bias = biases});
  std::vector<float> workspace(transformer_xl.workspace_size(50));
  expect_same_after_shifts<float>(
      "transformer_xl", kHeads,
      [&](const Positions& queries, const Positions& keys, std::span<float> out) {
        return transformer_xl.scores(q, k, table(kHeads * 50 * kDim), 36, queries, keys, 0.3,
                                     workspace, out);
      });
  const Cope cope({.head_dim = kDim, .max_pos = 9, .table = table(9 * kDim)});
  expect_same_after_shifts<float>(
      "cope", kHeads, [&](const Positions& queries, const Positions& keys, std::span<float> out) {
        return cope.scores(q, logits, queries, keys, out);
      });
}

// In two dimensions the diagonals are those of both axes.
TEST(Shifts, LeaveOffsetsOfWindows) {
  const std::size_t height = 4, width = 5, cells = height * width;
  const std::vector<float> table = Random().floats(7 * 9);
  std::vector<float> bias(cells * cells);
  ASSERT_TRUE(
      succeeded(Swin({.window_height = height, .window_width = width, .heads = 1, .table = table})
                    .bias(bias)));
  for (std::size_t query = 0; query < cells; ++query) {
    for (std::size_t key = 0; key < cells; ++key) {
      for (const std::size_t step : {std::size_t{1}, width}) {
        const bool inside = step == 1 ? query % width + 1 < width && key % width + 1 < width
                                      : query + width < cells && key + width < cells;
        if (!inside) continue;
        EXPECT_EQ(bias[(query + step) * cells + key + step], bias[query * cells + key]);
      }
    }
  }
}

}  // namespace
}  // namespace posenc
