#include "bench.hpp"

namespace posenc::bench {
namespace {

constexpr std::size_t kHeads = 8, kLength = 1024, kHeadDim = 64;
constexpr std::size_t kElements = kHeads * kLength * kHeadDim;

int attend(const char* name, bool alibi) {
  return for_each_kernel(name, 4 * sizeof(float) * kElements, [=](benchmark::State& state) {
    const Buffer<float> q = data(kElements), k = data(kElements), v = data(kElements);
    Buffer<float> out(kElements), distances(kHeads * (2 * kLength - 1));
    const Alibi encoding({.heads = kHeads, .form = AlibiForm::symmetric});
    const std::int64_t first = 1 - static_cast<std::int64_t>(kLength);
    encoding.distances(first, distances).or_throw();
    AttentionArgs args{
        .heads = kHeads, .query_count = kLength, .key_count = kLength, .head_dim = kHeadDim};
    if (alibi) args.terms = {.distances = distances, .first_distance = first};
    std::vector<float> workspace(attention_workspace_size(args));
    for (auto _ : state) attention(q, k, v, out, args, workspace).or_throw();
  });
}

const int plain = attend("attention/nope", false);
const int with_alibi = attend("attention/alibi", true);

}  // namespace
}  // namespace posenc::bench
