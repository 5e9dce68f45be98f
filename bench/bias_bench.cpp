#include "bench.hpp"

namespace posenc::bench {
namespace {

constexpr std::size_t kHeads = 32, kLength = 1024;

const int alibi = for_each_kernel("alibi/bias", sizeof(float) * kHeads * kLength * kLength,
                                  [](benchmark::State& state) {
                                    const Alibi encoding({.heads = kHeads});
                                    Buffer<float> out(kHeads * kLength * kLength);
                                    const Positions positions = Positions::from(0, kLength);
                                    for (auto _ : state)
                                      encoding.bias(positions, positions, out).or_throw();
                                  });

const int t5 = for_each_kernel(
    "t5/bias", sizeof(float) * kHeads * kLength * kLength, [](benchmark::State& state) {
      const Buffer<float> table = data(32 * kHeads);
      const T5 encoding({.heads = kHeads, .bidirectional = true, .table = table});
      Buffer<float> out(kHeads * kLength * kLength);
      const Positions positions = Positions::from(0, kLength);
      for (auto _ : state) encoding.bias(positions, positions, out).or_throw();
    });

}  // namespace
}  // namespace posenc::bench
