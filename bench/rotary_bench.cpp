#include "bench.hpp"

namespace posenc::bench {
namespace {

constexpr std::size_t kHeads = 32, kLength = 2048, kHeadDim = 128;
constexpr std::size_t kElements = kHeads * kLength * kHeadDim;

RopeConfig config(RopeLayout layout) { return {.head_dim = kHeadDim, .layout = layout}; }

int rotate(const char* name, RopeLayout layout) {
  return for_each_kernel(name, 2 * sizeof(float) * kElements, [=](benchmark::State& state) {
    const Rope rope(config(layout));
    Buffer<float> x = data(kElements), cos(kLength * kHeadDim / 2), sin(cos.size());
    rope.angles(Positions::from(0, kLength), cos, sin).or_throw();
    for (auto _ : state) rope.rotate(x, cos, sin, {.heads = kHeads}).or_throw();
  });
}

const int rotate_half = rotate("rope/rotate_half", RopeLayout::half);
const int rotate_interleaved = rotate("rope/rotate_interleaved", RopeLayout::interleaved);

const int apply =
    for_each_kernel("rope/apply_half", 2 * sizeof(float) * kElements, [](benchmark::State& state) {
      const Rope rope(config(RopeLayout::half));
      Buffer<float> x = data(kElements);
      const RotaryArgs args{.heads = kHeads, .positions = Positions::from(0, kLength)};
      for (auto _ : state) rope.apply(x, args).or_throw();
    });

const int decode = for_each_kernel(
    "rope/decode", 2 * sizeof(float) * kHeads * kHeadDim, [](benchmark::State& state) {
      const Rope rope(config(RopeLayout::half));
      Buffer<float> x = data(kHeads * kHeadDim);
      const RotaryArgs args{.heads = kHeads, .positions = Positions::from(100000, 1)};
      for (auto _ : state) rope.apply(x, args).or_throw();
    });

const int angles = for_each_kernel(
    "rope/angles", 2 * sizeof(float) * kLength * kHeadDim / 2, [](benchmark::State& state) {
      const Rope rope(config(RopeLayout::half));
      Buffer<float> cos(kLength * kHeadDim / 2), sin(cos.size());
      for (auto _ : state) rope.angles(Positions::from(0, kLength), cos, sin).or_throw();
    });

}  // namespace
}  // namespace posenc::bench
