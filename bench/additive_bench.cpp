#include "bench.hpp"

namespace posenc::bench {
namespace {

const int sinusoidal =
    for_each_kernel("sinusoidal/table", sizeof(float) * 8192 * 1024, [](benchmark::State& state) {
      const Sinusoidal encoding({.dim = 1024});
      Buffer<float> out(8192 * 1024);
      for (auto _ : state) encoding.table(Positions::from(0, 8192), out).or_throw();
    });

const int learned =
    for_each_kernel("learned/add", 3 * sizeof(float) * 2048 * 1024, [](benchmark::State& state) {
      const Buffer<float> rows = data(2048 * 1024);
      const Learned encoding({.rows = rows, .dim = 1024});
      Buffer<float> x = data(2048 * 1024);
      for (auto _ : state) encoding.add(Positions::from(0, 2048), x).or_throw();
    });

}  // namespace
}  // namespace posenc::bench
