// Scores by distance: products of whole tiles of queries and keys, and each score the one of its
// own, whatever the positions. The bits are those of dot products in order.

#include <functional>
#include <numeric>

#include "bias_helpers.hpp"
#include "posenc/relative/deberta.hpp"
#include "posenc/relative/shaw.hpp"
#include "posenc/relative/transformer_xl.hpp"

namespace posenc {
namespace {

using namespace tests;

/// Positions of one call: queries and keys.
struct Places {
  std::vector<std::int64_t> queries, keys;

  Positions rows() const { return Positions::of(std::span(queries)); }
  Positions columns() const { return Positions::of(std::span(keys)); }
  std::int64_t distance(std::size_t query, std::size_t key) const {
    return keys[key] - queries[query];
  }
};

std::vector<std::int64_t> counted(std::int64_t first, std::size_t count) {
  std::vector<std::int64_t> positions(count);
  std::iota(positions.begin(), positions.end(), first);
  return positions;
}

/// Tiles that are whole, cut and alone, in order and not.
std::vector<Places> all_places() {
  Places backwards{counted(-5, 20), counted(0, 37)};
  std::ranges::reverse(backwards.queries);
  Places packed{counted(0, 30), counted(0, 30)};  // two sequences
  for (std::size_t i = 17; i < 30; ++i) packed.keys[i] = packed.queries[i] -= 17;
  return {{counted(0, 1), counted(0, 1)},
          {counted(40, 1), counted(0, 41)},
          {counted(0, 47), counted(0, 33)},
          {counted(7, 17), counted(-100, 700)},
          {counted(0, 530), counted(3, 515)},
          {counted(-3, 600), counted(600, 2)},
          {counted(kMaxPosition - 20, 20), counted(-kMaxPosition, 9)},
          backwards,
          packed};
}

/// What a verb writes for these places must be `expected(head, query, key)`; for ranges, arrays and
/// shards of the queries alike.
using Run = std::function<void(std::size_t first, const Positions& queries, const Positions& keys,
                               std::span<float> out)>;
void expect_scores(std::size_t heads, const Places& places, const Run& run,
                   const std::function<float(std::size_t, std::size_t, std::size_t)>& expected) {
  const std::size_t queries = places.queries.size(), keys = places.keys.size();
  std::vector<float> whole;
  for (std::size_t head = 0; head < heads; ++head) {
    for (std::size_t i = 0; i < queries * keys; ++i) {
      whole.push_back(expected(head, i / keys, i % keys));
    }
  }
  Guarded out(whole.size(), 3);
  run(0, places.rows(), places.columns(), out.span());
  EXPECT_TRUE(same_bits(out.span(), whole)) << queries << " queries, " << keys << " keys";
  if (places.queries == counted(places.queries[0], queries) &&
      places.keys == counted(places.keys[0], keys)) {
    Guarded of_ranges(whole.size(), 2);
    run(0, Positions::from(places.queries[0], queries), Positions::from(places.keys[0], keys),
        of_ranges.span());
    EXPECT_TRUE(same_bits(of_ranges.span(), whole)) << queries << " queries, " << keys << " keys";
  }
  if (heads != 1) return;
  Guarded parts(whole.size(), 1);
  for (std::size_t shard = 0, first = 0; shard < 3; ++shard) {
    const Positions some = places.rows().shard(shard, 3);
    run(first, some, places.columns(), parts.span().subspan(first * keys, some.size() * keys));
    first += some.size();
  }
  EXPECT_TRUE(same_bits(parts.span(), whole)) << queries << " queries, " << keys << " keys";
}

TEST(DistanceScores, ShawsAreProductsInOrder) {
  Random random;
  std::size_t heads = 1;
  for (const Places& places : all_places()) {
    for (const auto& [head_dim, reach] : {std::pair{5u, 16u}, {3u, 0u}, {300u, 3u}, {2u, 700u}}) {
      heads = 3 - heads;
      const std::size_t dim = head_dim, queries = places.queries.size();
      const std::vector<float> table = random.floats((2 * reach + 1) * dim);
      const std::vector<float> q = random.floats(heads * queries * dim);
      const Shaw shaw({.head_dim = dim, .max_relative_position = reach, .keys = table});
      const auto limit = static_cast<std::int64_t>(reach);
      expect_scores(
          heads, places,
          [&](std::size_t first, const Positions& rows, const Positions& columns,
              std::span<float> out) {
            const std::span some = std::span(q).subspan(first * dim, heads * rows.size() * dim);
            EXPECT_TRUE(succeeded(shaw.scores(some, rows, columns, 0.375, out)));
          },
          [&](std::size_t head, std::size_t query, std::size_t key) {
            const std::int64_t row = std::clamp(places.distance(query, key), -limit, limit) + limit;
            return dot_in_order(&q[(head * queries + query) * dim],
                                &table[static_cast<std::size_t>(row) * dim], dim) *
                   0.375f;
          });
    }
  }
}

TEST(DistanceScores, DebertasAreTheSumsOfTwoProductsInOrder) {
  Random random;
  std::size_t heads = 2;
  // every distance with a row, buckets, and buckets that grow by more than one from one distance to
  // the next
  const DebertaConfig configs[] = {
      {.head_dim = 3, .max_relative_positions = 20},
      {.head_dim = 2, .max_relative_positions = 600},
      {.head_dim = 4, .position_buckets = 32, .max_relative_positions = 128},
      {.head_dim = 2, .position_buckets = 1200, .max_relative_positions = 602, .att_span = 2000}};
  for (const Places& places : all_places()) {
    for (DebertaConfig config : configs) {
      heads = 3 - heads;
      const std::size_t dim = config.head_dim, width = heads * dim;
      const std::size_t span = config.att_span != 0           ? config.att_span
                               : config.position_buckets != 0 ? config.position_buckets
                                                              : config.max_relative_positions;
      const std::vector<float> table = random.floats(2 * span * width);
      const std::size_t queries = places.queries.size(), keys = places.keys.size();
      const std::vector<float> q = random.floats(heads * queries * dim);
      const std::vector<float> k = random.floats(heads * keys * dim);
      config.heads = heads;
      config.rel_embeddings = table;
      const Deberta deberta(config);
      const auto scale = static_cast<float>(deberta.scale());
      const auto limit = static_cast<std::int64_t>(span);
      expect_scores(
          heads, places,
          [&](std::size_t first, const Positions& rows, const Positions& columns,
              std::span<float> out) {
            const std::span some = std::span(q).subspan(first * dim, rows.size() * width);
            EXPECT_TRUE(succeeded(deberta.scores(some, k, rows, columns, out)));
          },
          [&](std::size_t head, std::size_t query, std::size_t key) {
            const std::int64_t bucket = deberta.bucket(-places.distance(query, key));
            const std::int64_t row = std::clamp(bucket, -limit, limit - 1) + limit;
            const float* rel = &table[static_cast<std::size_t>(row) * width + head * dim];
            return dot_in_order(&q[(head * queries + query) * dim], rel, dim) * scale +
                   dot_in_order(&k[(head * keys + key) * dim], rel, dim) * scale;
          });
    }
  }
}

TEST(DistanceScores, TransformerXlsAreTheContentAndTheRowThatThereIs) {
  Random random;
  std::size_t heads = 1;
  for (const Places& places : all_places()) {
    for (const auto& [dim, rows, first] : {std::tuple{3u, 19u, 12},
                                           {2u, 1100u, 560},
                                           {1u, 9000u, 4000},
                                           {300u, 7u, 3},
                                           {4u, 0u, 0}}) {
      heads = 3 - heads;
      const std::size_t width = dim, count = rows;
      const std::size_t queries = places.queries.size(), keys = places.keys.size();
      const std::vector<float> u = random.floats(heads * width), v = random.floats(heads * width);
      const std::vector<float> q = random.floats(heads * queries * width);
      const std::vector<float> k = random.floats(heads * keys * width);
      const std::vector<float> r = random.floats(heads * count * width);
      const TransformerXl xl(
          {.heads = heads, .head_dim = width, .content_bias = u, .position_bias = v});
      std::vector<float> workspace(xl.workspace_size(count));
      const std::int64_t nearest = first;
      expect_scores(
          heads, places,
          [&](std::size_t at, const Positions& lines, const Positions& columns,
              std::span<float> out) {
            const std::span some = std::span(q).subspan(at * width, heads * lines.size() * width);
            EXPECT_TRUE(
                succeeded(xl.scores(some, k, r, nearest, lines, columns, 0.75, workspace, out)));
          },
          [&](std::size_t head, std::size_t query, std::size_t key) {
            const float content =
                dot_in_order(&u[head * width], &k[(head * keys + key) * width], width) * 0.75f;
            const std::int64_t row = nearest + places.distance(query, key);
            if (row < 0 || row >= static_cast<std::int64_t>(count)) return content;
            std::vector<float> sum(&q[(head * queries + query) * width],
                                   &q[(head * queries + query) * width] + width);
            for (std::size_t i = 0; i < width; ++i) sum[i] += v[head * width + i];
            const std::size_t at = head * count + static_cast<std::size_t>(row);
            return content + dot_in_order(sum.data(), &r[at * width], width) * 0.75f;
          });
    }
  }
}

}  // namespace
}  // namespace posenc
