// What attention needs beside q, k, v and out grows with the length, not with its square.

#include <cstdio>
#include <vector>

#include "allocations.hpp"
#include "attention_reference.hpp"
#include "posenc/bias/alibi.hpp"

namespace posenc {
namespace {

using namespace tests;

constexpr std::size_t kHeads = 8, kHeadDim = 64;

AttentionArgs long_args(std::size_t queries, std::size_t keys) {
  return {.heads = kHeads, .query_count = queries, .key_count = keys, .head_dim = kHeadDim};
}

double megabytes(std::size_t floats) {
  return static_cast<double>(floats) * sizeof(float) / (1 << 20);
}

TEST(AttentionMemory, LongSequencesTakeLessThan64Megabytes) {
  const std::size_t length = 65536;
  const Alibi alibi({.heads = kHeads, .form = AlibiForm::symmetric});
  std::vector<float> distances(kHeads * (2 * length - 1));
  const std::int64_t first = 1 - static_cast<std::int64_t>(length);
  ASSERT_TRUE(succeeded(alibi.distances(first, distances)));
  const std::size_t workspace = attention_workspace_size(long_args(length, length));
  std::printf("attention, %zu keys, 8 heads, alibi: workspace %.1f MB, distances %.1f MB\n", length,
              megabytes(workspace), megabytes(distances.size()));
  EXPECT_LT(megabytes(workspace + distances.size()), 64.0);

  // a block of the queries, as the whole call takes them one after the other
  AttentionArgs args = long_args(24, length);
  args.terms = {.distances = distances, .first_distance = first};
  Random random;
  const std::vector<float> q = random.floats(kHeads * 24 * kHeadDim, -1, 1);
  const std::vector<float> kv = random.floats(kHeads * length * kHeadDim, -1, 1);
  std::vector<float> out(q.size()), scratch(workspace);
  const std::size_t before = allocations();
  ASSERT_TRUE(succeeded(attention(q, kv, kv, out, args, scratch)));
  EXPECT_EQ(allocations(), before);
  for (float value : out) ASSERT_TRUE(std::isfinite(value));
}

TEST(AttentionMemory, WorkspaceGrowsWithTheLength) {
  const auto size = [](std::size_t length) {
    return static_cast<double>(attention_workspace_size(long_args(length, length)));
  };
  for (std::size_t length : {1024u, 8192u, 65536u}) {
    EXPECT_NEAR(size(2 * length) / size(length), 2.0, 0.1) << length;
  }
}

}  // namespace
}  // namespace posenc
